use super::*;
use crate::escape::{TEX_CODE, TexPercent};
use crate::testing::{Answer, Document};
use linkglot_charset::Charset;
use proptest::prelude::*;

fn answers(bytes: &[u8], charset: Charset, text: TextSlots) -> Vec<(usize, Answer)> {
    let document = Document { bytes, charset };
    document.answers_in_every_cut(|| TexTokenizer::new(text, 1 << 12))
}

/// The slots of a document: the place, and the raw value.
fn slots(bytes: &[u8], charset: Charset, text: TextSlots) -> Vec<String> {
    let answers = answers(bytes, charset, text);
    let shown = answers.iter().map(|(_, answer)| match answer {
        Answer::Slot(slot, raw) => {
            let place = slot.place.name.as_deref();
            format!("{} {}", place.unwrap_or(slot.place.kind.name()), raw.trim())
        }
        Answer::TooLong(_) => "too long".to_owned(),
    });
    shown.collect()
}

fn of(text: &str) -> Vec<String> {
    slots(text.as_bytes(), Charset::UTF_8, TextSlots::Prose)
}

#[test]
fn arguments_of_commands() {
    for (text, expected) in [
        (r"\url{a:b}", &["url a:b"][..]),
        (r"\url|a:{b|c.d", &["url a:{b", "text c.d"]),
        (r"\url  {a{b}c.d}", &["url a{b}c.d"]),
        (r"\nolinkurl{a.b}\path!c.d!", &["nolinkurl a.b", "path c.d"]),
        (r"\url{a\}b.c}", &[r"url a\}b.c"]),
        // The text of a link is not read, but commands in it.
        (
            r"\href{a.b}{c.d {e.f} \url{g.h} i.j}k.l",
            &["href a.b", "url g.h", "text k.l"],
        ),
        (r"\href[x={y}]{a.b}", &["href a.b"]),
        (
            "\\href{a.b}%c.d\n{e.f}",
            &["href a.b", "comment c.d", "text {e.f}"],
        ),
        // No argument that ends.
        (r"\url{a.b", &[r"text \url{a.b"]),
        ("\\url{a.b\n\nc.d}", &[r"text \url{a.b", "text c.d}"]),
        ("\\url\n\n{c.d}", &[r"text {c.d}"]),
        (r"\url{\url{a.b}", &["url a.b"]),
        (
            r"\hyperref{a.b}\urls{c.d}",
            &[r"text \hyperref{a.b}\urls{c.d}"],
        ),
        (r"\\url{a.b}", &[r"text \\url{a.b}"]),
    ] {
        assert_eq!(of(text), expected, "{text}");
    }
}

#[test]
fn comments_and_verbatim_text() {
    let text = "a.b % c.d\n\\% e.f \\verb|%g.h| i.j\n\\begin{lstlisting}[a]\n%k.l\n\\end{lstlisting} m.n \\verb*+o.p";
    let read = |slots| self::slots(text.as_bytes(), Charset::UTF_8, slots);
    let prose = [
        "text a.b %",
        "comment c.d",
        r"text \% e.f",
        "text i.j\n\\begin{lstlisting}",
    ];
    let end = "text \\end{lstlisting} m.n \\verb*+o.p";
    assert_eq!(read(TextSlots::Prose), [&prose[..], &[end]].concat());
    assert_eq!(
        read(TextSlots::Code),
        [&prose[..3], &["text %g.h", prose[3], "text %k.l", end]].concat()
    );
    assert_eq!(read(TextSlots::None), ["comment c.d"]);
}

#[test]
fn entries() {
    for (text, expected) in [
        (
            "@book{a,\n url={a://b%c}, % d.e\n}\n% f.g",
            &["url a://b%c", "text }, % d.e\n}", "comment f.g"][..],
        ),
        ("@book{a,\n x-url = \"a://b\"\n}", &["x-url a://b"]),
        ("@a{b, url = { c://d\t}}", &["url c://d"]),
        (
            "@a{b, url =\n  \"\n  c://d\r\n  \",\n}\n%e.f",
            &["url c://d", "comment e.f"],
        ),
        (
            "@a{b, url = { c://d } # e}",
            &["text @a{b, url = { c://d } # e}"],
        ),
        // Values that are more than an IRI, or that another string continues, are text.
        (
            "@book{a, url = {a://b c}}",
            &["text @book{a, url = {a://b c}}"],
        ),
        (
            "@book{a, url = {a://b{c}}}",
            &["text @book{a, url = {a://b{c}}}"],
        ),
        (
            "@book{a, url = \"a://b\" # c}",
            &["text @book{a, url = \"a://b\" # c}"],
        ),
        (
            "@book{a, note = {a://b}}",
            &["text @book{a, note = {a://b}}"],
        ),
        ("@book{a, url = {a://}}", &["text @book{a, url = {a://}}"]),
        ("@book{a, note = {\\url{b.c%d}}}", &["url b.c%d"]),
        // An entry in an entry was not closed.
        (
            "@a{b, c = {\n@d{e, url = {f://g}}\n%h.i",
            &["url f://g", "comment h.i"],
        ),
        ("a @b{c, url = {d://e}}", &["text a @b{c, url = {d://e}}"]),
        (
            "\\href@x{url = {a://b}} %c.d",
            &[r"text \href@x{url = {a://b}} %", "comment c.d"],
        ),
    ] {
        let values = of(text)
            .into_iter()
            .filter(|slot| !slot.starts_with("text @") || !slot.ends_with(['{', '"']));
        assert_eq!(values.collect::<Vec<_>>(), expected, "{text}");
    }
}

#[test]
fn lists_end_at_commas() {
    for (text, expected) in [
        (
            r"\x{y=a:b,z=c:d, e:f}",
            &[r"text \x{y=a:b,", "text z=c:d, e:f}"][..],
        ),
        (
            r"\x[y=a:b,{c:d,e}]{f:g,h} i:j,k",
            &[r"text \x[y=a:b,", "text {c:d,e}]{f:g,", "text h} i:j,k"],
        ),
        (
            "\\x [ %\n y=a:b,%\n z=c:d,e]",
            &["text y=a:b,", "text z=c:d,"],
        ),
        // Running text.
        (
            r"a:b,c {d:e,f} b [g:h,i]",
            &[r"text a:b,c {d:e,f} b [g:h,i]"],
        ),
        (
            r"\footnote{a:b,c} {\tt d:e,f}",
            &[r"text \footnote{a:b,c} {\tt d:e,f}"],
        ),
    ] {
        assert_eq!(of(text), expected, "{text}");
    }
}

#[test]
fn marks_in_characters() {
    let sjis = Charset::for_label("shift_jis").unwrap();
    // Both bytes 0x5C and 0x7D are halves of characters.
    let text = b"\\url{a.b\x95\x5C\x83\x7D} \x95\x5C%c.d";
    assert_eq!(
        slots(text, sjis, TextSlots::Prose),
        ["url a.b表マ", "text 表%", "comment c.d"]
    );
}

/// The spelling of a new `%` in the last argument of a link command.
fn percent(text: &str) -> Option<String> {
    let answers = answers(text.as_bytes(), Charset::UTF_8, TextSlots::None);
    let slots = answers.iter().rev().filter_map(|(_, answer)| match answer {
        Answer::Slot(slot, raw) if slot.place.kind.name() == "link" => Some((slot, raw)),
        _ => None,
    });
    let (slot, raw) = slots.into_iter().next().expect("an argument");
    slot.escaping.escape("%", raw, &|_| true)
}

/// TeX may read an environment, a bracket or a group as an argument, in which a bare `%` begins a comment.
#[test]
fn new_percent_signs_in_arguments() {
    const URL: &str = r"\url{a:b}";
    for (before, is_bare) in [
        ("", true),
        ("{a} ", true),
        (r"\begin{document}\begin{itemize}\item ", true),
        (r"\begin{tabular}{l}", true),
        (r"\begin{frame}\begin{itemize}\item ", false),
        (r"\begin{frame} \end{frame}", true),
        (r"\begin {tabularx}{1cm}{X}", false),
        ("\\begin{frame}\n\n% \\end{frame}\n", false),
        ("\\begin{verbatim}\\begin{frame}\n\\end{verbatim}", true),
        // The environments are not known.
        (
            r"\newcommand\x{\begin{align}}\newcommand\y{\end{align}}",
            false,
        ),
        (r"\end{frame}", false),
        (r"\begin\x ", false),
        (
            r"\begin{a name that is longer than any name of an environment, which is short}",
            false,
        ),
        // Brackets of commands.
        (r"\item[", false),
        (r"\item [{a]} ", false),
        (r"\section*[", false),
        (r"\x{a}[b] [", false),
        (r"\x{a}[b] ", true),
        ("\\item[\n\n", true),
        ("a [", true),
        (r"\[ ", true),
        (r"@a{b, note = {", false),
    ] {
        let text = format!("{before}{URL}");
        assert_eq!(percent(&text).as_deref(), is_bare.then_some("%"), "{text}");
        let text = text.replace("{a:b}", "|a:b|");
        assert_eq!(percent(&text).as_deref(), is_bare.then_some("%"), "{text}");
        // hyperref reads the backslash in `\href` everywhere.
        let text = format!("{before}\\href{{a:b}}");
        assert_eq!(percent(&text).as_deref(), Some(r"\%"), "{text}");
    }
}

const ARGUMENT: TexPlace = TexPlace::Argument {
    percent: TexPercent::Escaped,
    is_nested: true,
    drops_spaces: true,
};

const VERBATIM: TexPlace = TexPlace::Verbatim { is_nested: false };

#[test]
fn escapes_are_read() {
    const TEXT: TexPlace = TexPlace::Text;
    for (place, raw, expected) in [
        (TEXT, r"a\_b\%c\#d\&e\$f\{g", "a_b%c#d&e$f{g"),
        (
            TEXT,
            r"a\~{}b\textasciitilde{}c\textasciitilde  d\string~e$\sim$f",
            "a~b~c~d~e~f",
        ),
        (TEXT, r"a{\_}b{-}c{}d\-e\/f{\textunderscore}", "a_b-cdef_"),
        (TEXT, "a~b /~c --d---e ``f''", "a b /~c --d e \"f\""),
        (TEXT, r"a\\b\ c\,d\par e", "a b c d  e"),
        (TEXT, "{a} b{c}d {e}. {f}.g", " a  b?c?d  e .  f?.g"),
        (
            TEXT,
            r"\'a \foo \@bar \~n #1 ## # $x$ a%",
            "?a ? ? ?n ?1 ?# # ?x? a?",
        ),
        (TexPlace::Entry, "a%b \"c\" # \"d\" #1", "a%b \"c? # ?d? ?1"),
        (ARGUMENT, r"a\_b\%c\#d\&e\~f~g%h_i", "a_b%c#d&e~f~g%h_i"),
        (ARGUMENT, "a%\n  b\n c", "ab c"),
        (
            ARGUMENT,
            r"a{b}\foo\\#1\textasciitilde c\string_",
            "a?b????1~c_",
        ),
        (VERBATIM, r"a\_{%", r"a\_{%"),
    ] {
        let text = Escaping::Tex(place).unescape(raw).into_text();
        assert_eq!(text.replace(TEX_CODE, "?"), expected, "{raw}");
    }
}

#[test]
fn texts_are_written_in_their_style() {
    const TEXT: TexPlace = TexPlace::Text;
    for (place, old, text, expected) in [
        (TEXT, "a", "b_c%d#e&f~g$h", Some(r"b\_c\%d\#e\&f\~{}g\$h")),
        (TEXT, "a_b", "b_c&e", Some("b_c&e")),
        (TEXT, "a_b#", "b_c#d&e", Some("b_c#d&e")),
        // Nor does a bare mark of another kind tell how a parameter is read.
        (TEXT, "a_b", "b_c#d&e", None),
        // In an argument with bare marks a percent sign begins a comment, or does not.
        (TEXT, "a_b", "b%c", None),
        (TexPlace::Entry, "a_b", "b%c", Some("b%c")),
        (TEXT, "/~a", "/~b", Some("/~b")),
        (
            TEXT,
            r"\textasciitilde a",
            "b~c",
            Some(r"b\textasciitilde c"),
        ),
        (ARGUMENT, "a", "b_c%d#e&f~g", Some(r"b_c\%d\#e&f~g")),
        (ARGUMENT, r"%\_", "b_c%d#e", Some(r"b\_c%d\#e")),
        (ARGUMENT, "a\nb", "c%20b", None),
        (ARGUMENT, " a ", "c%20b", Some(r"c\%20b")),
        (ARGUMENT, "a", "xn--b", Some("xn--b")),
        // Two hyphens are a dash in text.
        (TEXT, "a", "xn--b", None),
        (TEXT, "a--b", "xn--b", None),
        (TEXT, "xn--a", "xn--b", Some("xn--b")),
        (TexPlace::Entry, "a", "b--c", None),
        (VERBATIM, "a", "b_%~", Some("b_%~")),
        (VERBATIM, "a", "b|", None),
        (TexPlace::Verbatim { is_nested: true }, "a", "b%", None),
        (
            TexPlace::Verbatim { is_nested: true },
            "a%",
            "b%",
            Some("b%"),
        ),
        (TEXT, "a", "b\\", None),
        (TEXT, "a", "b''", None),
        (TEXT, "a", "é", None),
    ] {
        let written = Escaping::Tex(place).escape(text, old, &|ch| ch.is_ascii());
        assert_eq!(written.as_deref(), expected, "{text}");
    }
}

#[test]
fn long_texts_are_cut() {
    let tokenizer = || TexTokenizer::new(TextSlots::Prose, 64);
    let read = |text: &str| {
        let bytes = text.as_bytes();
        let document = Document {
            bytes,
            charset: Charset::UTF_8,
        };
        let answers = document.answers_in_every_cut(tokenizer);
        let lengths = answers.iter().map(|(_, answer)| match answer {
            Answer::Slot(_, raw) => raw.len(),
            Answer::TooLong(_) => 0,
        });
        lengths.collect::<Vec<_>>()
    };
    assert_eq!(read(&"a.b ".repeat(33)), [64, 64, 4]);
    assert_eq!(read(&format!("a.b {} c.d", "x.".repeat(64))), [4, 0, 4]);
    assert_eq!(read(&format!("\\url{{{}}}", "a.".repeat(64))), [0]);
    // Braces are counted once.
    let braces = format!("{{ {} {{ \\href{{a.b}}{{c.d}} }} e.f", "x ".repeat(40));
    assert_eq!(read(&braces), [3, 6]);
}

proptest! {
    #[test]
    fn written_texts_read_back(
        text in "[a-z_%#&~$/.:é{}'-]{0,12}",
        old in "[a-z_%#&~\\\\]{0,6}",
        place in prop::sample::select(&[TexPlace::Text, TexPlace::Entry, ARGUMENT, VERBATIM][..]),
    ) {
        let escaping = Escaping::Tex(place);
        if let Some(raw) = escaping.escape(&text, &old, &|_| true) {
            let read = escaping.unescape(&raw).into_text().into_owned();
            prop_assert_eq!(read, text, "{}", raw);
        }
    }

    #[test]
    fn cuts_do_not_matter(
        pieces in prop::collection::vec(prop::sample::select(&[
            "\\", "url", "{", "}", "|", "a.b", "%", "\n", " ", "href", "[", "]", "@x{y,", "z=", "\"", "c://d", "#",
            "verb", "begin{verbatim}", "\\end{verbatim}", "表",
            ",", "begin{x}", "\\end{x}",
        ][..]), 0..12),
        label in prop::sample::select(&["utf-8", "shift_jis"][..]),
    ) {
        let charset = Charset::for_label(label).unwrap();
        let mut bytes = Vec::new();
        charset.encode(&pieces.concat(), &mut bytes).unwrap();
        answers(&bytes, charset, TextSlots::All);
    }
}
