//! Delimiters in the raw bytes of a slot: an edit could complete one together with bytes that stay.

use super::{Escaping, Quote, xml};

/// The number of each delimiter of an escaping in a text. A new delimiter of one kind does not make up for a lost one
/// of another.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delimiters([usize; Delimiters::MOST]);

impl Delimiters {
    /// The most kinds of delimiters of an escaping.
    const MOST: usize = 16;

    fn of(counts: &[usize]) -> Self {
        let mut all = [0; Delimiters::MOST];
        all[..counts.len()].copy_from_slice(counts);
        Delimiters(all)
    }
}

impl Escaping {
    /// Counts each string of raw text that ends the slot, or begins other markup in it. An edit may not change the
    /// counts. O(length). The text behind a string is ignored, so some strings count that have no meaning there.
    #[doc(hidden)]
    pub fn delimiters(self, raw: &str) -> Delimiters {
        let count = |string: &str| count(raw, string);
        let ends_with = |ch: char| usize::from(raw.ends_with(ch));
        match self {
            // HTML standard 13.2.5.43 to 13.2.5.52; `<![endif]` for readers of conditional comments.
            Escaping::HtmlComment => Delimiters::of(&[
                usize::from(raw.starts_with('>') || raw.starts_with("->")),
                count("-->"),
                count("--!>"),
                count("<!--"),
                count("<![endif]"),
            ]),
            // XML 1.0 section 2.5: the text may not end in `-` either.
            Escaping::XmlComment => {
                Delimiters::of(&[count("--"), ends_with('-'), count("\""), count("'")])
            }
            // 13.2.5.15 to 13.2.5.31, and the end of PHP. Only the tokenizer knows which end tag ends the text, so each
            // name counts separately.
            Escaping::HtmlRawText => {
                let mut counts = vec![count("<!--"), count("-->"), count("</"), count("?>")];
                counts.push(tags(raw, "", "script"));
                counts.extend(RAW_TEXT_ELEMENTS.map(|name| tags(raw, "/", name)));
                Delimiters::of(&counts)
            }
            Escaping::HtmlText => Delimiters::of(&[angles(raw, |next| {
                next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')
            })]),
            Escaping::XmlText | Escaping::XhtmlText => Delimiters::of(&[
                angles(raw, |next| !next.is_whitespace()),
                count("]]>"),
                self.unknown_entities(raw),
            ]),
            // In XML that is not well-formed, a quotation mark could end a value in front that was never closed.
            Escaping::XmlCdata => Delimiters::of(&[count("]]>"), count("\""), count("'")]),
            Escaping::HtmlAttribute(quote) => Delimiters::of(&[value_ends(raw, quote)]),
            Escaping::XmlAttribute(quote) | Escaping::XhtmlAttribute(quote) => {
                // A final `/` would become part of the end of the tag.
                let [quotes, slash] = match quote {
                    Quote::Unquoted => [stray_quotes(raw), ends_with('/')],
                    Quote::Double | Quote::Single => [0; 2],
                };
                Delimiters::of(&[
                    value_ends(raw, quote),
                    self.unknown_entities(raw),
                    quotes,
                    slash,
                ])
            }
            Escaping::XmlInstruction(quote) => {
                let [ends, question, slash] = match quote {
                    Quote::Unquoted => [value_ends(raw, quote), ends_with('?'), ends_with('/')],
                    Quote::Double | Quote::Single => [0; 3],
                };
                let quotes = [count("\""), count("'")];
                Delimiters::of(&[ends, question, slash, count("?>"), quotes[0], quotes[1]])
            }
            Escaping::JsonString(_) => Delimiters::of(&[string_ends(raw)]),
            Escaping::Literal(style) => {
                let [percents, braces] = style.directives(raw);
                Delimiters::of(&[style.ends(raw), percents, braces])
            }
            Escaping::SqlString(style) => Delimiters::of(&[style.ends(raw)]),
            Escaping::Rtf(style) => Delimiters::of(&style.ends(raw)),
            // The markup between pieces stays.
            Escaping::Runs(_) => {
                Delimiters::of(&[count("<"), count("]]>"), self.unknown_entities(raw)])
            }
            Escaping::Tex(place) => Delimiters::of(&place.ends(raw)),
            Escaping::Yaml(style) => Delimiters::of(&style.ends(raw)),
            Escaping::Csv(style) => Delimiters::of(&style.ends(raw)),
            Escaping::SqlCopy => Delimiters::of(&[count("\t"), count("\n")]),
            // Plain text has no markup. The other escapings only occur inside a slot of another kind.
            _ => Delimiters::of(&[]),
        }
    }

    /// The number of references to unknown entities, which make the text around them unknown, too.
    fn unknown_entities(self, text: &str) -> usize {
        // The tokenizer of XML ends names at these bytes.
        let ends_name = |&byte: &u8| matches!(byte, 0..=0x2C | 0x2F | 0x3B..=0x3F);
        let is_unknown = |&at: &usize| {
            let name = &text.as_bytes()[at + 1..];
            let end = name.iter().position(ends_name);
            let is_entity = end.is_some_and(|end| end > 0 && name[end] == b';');
            is_entity && !self.is_known(&text[at..])
        };
        let references = memchr::memchr_iter(b'&', text.as_bytes());
        references.filter(is_unknown).count()
    }

    /// True if the reference at the beginning of a text needs no declaration.
    fn is_known(self, at: &str) -> bool {
        match self {
            Escaping::XhtmlText | Escaping::XhtmlAttribute(_) => xml::xhtml_reference(at).is_some(),
            _ => xml::reference(at).is_some(),
        }
    }
}

/// The elements whose content is raw text or escapable raw text.
const RAW_TEXT_ELEMENTS: [&str; 9] = [
    "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "noscript",
];

/// The number of occurrences of a string, overlapping ones included.
fn count(text: &str, string: &str) -> usize {
    let starts = memchr::memchr_iter(string.as_bytes()[0], text.as_bytes());
    starts.filter(|&at| text[at..].starts_with(string)).count()
}

/// The texts behind each `<`.
fn behind_angles(text: &str) -> impl Iterator<Item = &str> {
    memchr::memchr_iter(b'<', text.as_bytes()).map(|at| &text[at + 1..])
}

/// The number of `<` in front of a character of a class.
fn angles(text: &str, class: impl Fn(char) -> bool) -> usize {
    behind_angles(text)
        .filter(|rest| rest.starts_with(&class))
        .count()
}

/// The number of tags that begin with `<`, a slash or nothing, and a name.
fn tags(text: &str, slash: &str, name: &str) -> usize {
    let is_tag = |rest: &&str| {
        let own = rest.strip_prefix(slash);
        let own = own.and_then(|rest| rest.as_bytes().get(..name.len()));
        own.is_some_and(|own| own.eq_ignore_ascii_case(name.as_bytes()))
    };
    behind_angles(text).filter(is_tag).count()
}

/// The number of characters that end an attribute value.
fn value_ends(text: &str, quote: Quote) -> usize {
    match quote {
        Quote::Double => count(text, "\""),
        Quote::Single => count(text, "'"),
        // 13.2.5.37, 13.2.5.38: a value that begins with a quotation mark is quoted, and an empty value is none.
        Quote::Unquoted => {
            let is_other = text.is_empty() || text.starts_with(['"', '\'']);
            let ends = |ch: char| ch.is_ascii_whitespace() || ch == '>';
            usize::from(is_other) + text.matches(ends).count()
        }
    }
}

/// The number of quotes that would end a string of JSON; a final backslash would escape the closing one.
fn string_ends(text: &str) -> usize {
    let (mut ends, mut at) = (0, 0);
    while let Some(found) = memchr::memchr2(b'"', b'\\', text.as_bytes().get(at..).unwrap_or(b"")) {
        at += found + 1;
        if text.as_bytes()[at - 1] == b'"' {
            ends += 1;
        } else {
            ends += usize::from(at == text.len());
            at += 1;
        }
    }
    ends
}

/// The weight of the quotation marks in an unquoted value of XML, where one that looks like the end of a quoted value
/// weighs twice. Such a value is not well-formed; the marks may be the only sign that a value in front was never
/// closed.
fn stray_quotes(text: &str) -> usize {
    let weight = |(at, _): (usize, &str)| match text[at + 1..].chars().next() {
        None | Some('/' | '?') => 2,
        Some(_) => 1,
    };
    text.match_indices(['"', '\'']).map(weight).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_delimiter_does_not_make_up_for_another() {
        let delimiters = |raw| Escaping::XmlCdata.delimiters(raw);
        assert_eq!(delimiters("<a href=b'>"), delimiters("<a href='c>"));
        assert_ne!(delimiters("<a href=b'>"), delimiters("<a href=&#39;]]>"));
    }

    #[test]
    fn delimiters_are_counted() {
        let unquoted = Escaping::HtmlAttribute(Quote::Unquoted);
        let double = Escaping::XmlAttribute(Quote::Double);
        let instruction = Escaping::XmlInstruction(Quote::Single);
        let cases = [
            (Escaping::None, "--> </a> ]]> \"", 0),
            (Escaping::HtmlComment, "a --> b --!> <!-- c -- >", 3),
            (Escaping::HtmlComment, "> <![endif]", 2),
            (Escaping::HtmlComment, "->", 1),
            (Escaping::XmlComment, "a---b -", 3),
            (Escaping::HtmlRawText, "</a <b < / <!-- <SCRIPT -->", 4),
            (Escaping::HtmlRawText, "</Script> </http://script>", 3),
            (Escaping::HtmlText, "<a </b <!c <?d <1 < e <", 4),
            (Escaping::XmlText, "<\u{e9} < a ]]> ]]", 2),
            (Escaping::XmlCdata, "<a ]]]> ]] >", 1),
            (unquoted, "a\"b'c", 0),
            (unquoted, "'a", 1),
            (unquoted, "", 1),
            (unquoted, "a b>\n", 3),
            (
                Escaping::XmlText,
                "&a; &amp;&#60; &a &a b; &-; &\u{e9};&;",
                3,
            ),
            (Escaping::XhtmlText, "&eacute; &amp; &a;", 1),
            (double, "a\"b'<&a;", 2),
            (Escaping::XmlAttribute(Quote::Unquoted), "a\"b'/\"", 5),
            (instruction, "a?>'", 2),
            (instruction, "a?", 0),
            (Escaping::XmlInstruction(Quote::Unquoted), "a?", 1),
            (Escaping::XmlAttribute(Quote::Unquoted), "a/", 1),
            (Escaping::XmlCdata, "a\"]]>'", 3),
            (Escaping::XmlComment, "'", 1),
        ];
        for (escaping, raw, expected) in cases {
            let Delimiters(counts) = escaping.delimiters(raw);
            assert_eq!(
                counts.iter().sum::<usize>(),
                expected,
                "{escaping:?} {raw:?}"
            );
        }
    }
}
