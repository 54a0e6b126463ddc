//! Every syntax of values in every quoting, with every kind of character reference, in every charset: the link is found
//! with its text at its bytes, its edit stays inside these, and is read as the URI expected here.

use linkglot::document::Document;
use linkglot::format::Format;
use linkglot::rewrite::{Form, Rewriter};
use linkglot::{Charset, Settings};

/// References and their URIs.
const REFERENCES: &[(&str, &str)] = &[
    ("/\u{e9}/x", "/%C3%A9/x"),
    (
        "http://r\u{e9}sum\u{e9}.example/\u{e9}?a=1&b=2#\u{e9}",
        "http://xn--rsum-bpad.example/%C3%A9?a=1&b=2#%C3%A9",
    ),
    ("\u{43f}/\u{43a}.png", "%D0%BF/%D0%BA.png"),
    // Trail bytes 5C in Shift_JIS.
    ("/\u{8868}\u{30bd}.x", "/%E8%A1%A8%E3%82%BD.x"),
    ("/?a=1&copy=2&reg=3#\u{e9}", "/?a=1&copy=2&reg=3#%C3%A9"),
    ("../\u{fc}%C3%A9%2F;&lt", "../%C3%BC%C3%A9%2F;&lt"),
    (
        "/\u{5d0}\u{3b1}\u{e01}\u{645}\u{ac00}",
        "/%D7%90%CE%B1%E0%B8%81%D9%85%EA%B0%80",
    ),
    ("/\u{1f600}", "/%F0%9F%98%80"),
];

/// Escaping of the reference inside its value, before the value is escaped for its attribute.
#[derive(Clone, Copy, PartialEq)]
enum Inner {
    None,
    Css,
    Json,
    /// An attribute of a document in the attribute.
    Html,
}

/// The place of a value.
#[derive(Clone, Copy, PartialEq)]
enum Slot {
    Attribute,
    RawText,
}

/// Text before and after a value, text of the value before and after its reference, and the escaping of the reference
/// there.
type Place = (
    Slot,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    Inner,
);

const PLACES: &[Place] = &[
    (Slot::Attribute, "<A HREF ", " >x</A>", "", "", Inner::None),
    (
        Slot::Attribute,
        "<a href",
        ">x</a>",
        " \n",
        " ",
        Inner::None,
    ),
    (Slot::Attribute, "<img src", " alt=x>", "", "", Inner::None),
    (
        Slot::Attribute,
        "<a href=/z ping",
        ">",
        "/x ",
        " /y",
        Inner::None,
    ),
    (
        Slot::Attribute,
        "<object archive",
        ">",
        "",
        "\t/y",
        Inner::None,
    ),
    (
        Slot::Attribute,
        "<applet archive",
        ">",
        "/x, ",
        " ,/y",
        Inner::None,
    ),
    (
        Slot::Attribute,
        "<img srcset",
        ">",
        "",
        " 1x, /y 2x",
        Inner::None,
    ),
    (
        Slot::Attribute,
        "<img srcset",
        ">",
        ", /x 1x,",
        " 2w",
        Inner::None,
    ),
    (
        Slot::Attribute,
        "<meta http-equiv=Refresh content",
        ">",
        "5; URL=",
        "",
        Inner::None,
    ),
    (
        Slot::Attribute,
        "<meta http-equiv=refresh content",
        ">",
        "0,'",
        "' x",
        Inner::None,
    ),
    (
        Slot::Attribute,
        "<p style",
        ">",
        "a:url( ",
        " );b:url(/y)",
        Inner::Css,
    ),
    (
        Slot::Attribute,
        "<p style",
        ">",
        "a:url(\"",
        "\")",
        Inner::Css,
    ),
    (
        Slot::Attribute,
        "<p style",
        ">",
        "a:image-set('",
        "' 1x)",
        Inner::Css,
    ),
    (
        Slot::Attribute,
        "<iframe srcdoc",
        ">",
        "<a href=\"",
        "\">",
        Inner::Html,
    ),
    (
        Slot::Attribute,
        "<iframe srcdoc",
        ">",
        "<img alt='' src=",
        " >",
        Inner::Html,
    ),
    (
        Slot::RawText,
        "<style>a{b:url(\"",
        "\")}</style>",
        "",
        "",
        Inner::Css,
    ),
    (
        Slot::RawText,
        "<style>@import '",
        "';</style>",
        "",
        "",
        Inner::Css,
    ),
    (
        Slot::RawText,
        "<svg><style>a{b:url(\"",
        "\")}</style></svg>",
        "",
        "",
        Inner::Css,
    ),
    (
        Slot::RawText,
        "<script type='application/ld+json'>{\"url\":\"",
        "\"}</script>",
        "",
        "",
        Inner::Json,
    ),
];

const QUOTES: &[&str] = &["\"", "'", ""];

/// Spelling of characters beyond ASCII (and sometimes others).
#[derive(Clone, Copy, Debug, PartialEq)]
enum Style {
    /// Unescaped.
    Bare,
    Named,
    /// Named and without a semicolon, where the standard allows it for the name.
    Unterminated,
    Decimal,
    Hex,
    /// Bare ampersands: a reference without a semicolon before `=` does not count.
    Loose,
}

const STYLES: &[Style] = &[
    Style::Bare,
    Style::Named,
    Style::Unterminated,
    Style::Decimal,
    Style::Hex,
    Style::Loose,
];

const NAMES: &[(char, &str)] = &[
    ('\u{e9}', "eacute"),
    ('\u{fc}', "uuml"),
    ('\u{43f}', "pcy"),
    ('\u{3b1}', "alpha"),
];

/// A value's text in the spelling of an attribute; `None` if the style does not apply.
fn attribute(text: &str, quote: &str, style: Style) -> Option<String> {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        let next = chars.peek().copied().unwrap_or(';');
        let ends_bare = quote.is_empty() && " \t\n'\"`=<>".contains(ch);
        let name = NAMES
            .iter()
            .find(|(named, _)| *named == ch)
            .map(|(_, name)| name);
        match (style, name) {
            _ if quote.contains(ch) || ends_bare => out += &format!("&#{};", u32::from(ch)),
            (Style::Loose, _) if ch == '&' => out.push('&'),
            _ if ch == '&' => out += "&amp;",
            (Style::Named, Some(name)) => out += &format!("&{name};"),
            (Style::Unterminated, Some(name))
                if ch < '\u{100}' && !next.is_ascii_alphanumeric() && next != '=' =>
            {
                out += &format!("&{name}");
                // A semicolon that belongs to the text would end the reference.
                if next == ';' {
                    out.push(';');
                }
            }
            (Style::Decimal, _) if !ch.is_ascii() || ch == '.' => {
                out += &format!("&#{};", u32::from(ch))
            }
            (Style::Hex, _) if !ch.is_ascii() || ch == '/' => {
                out += &format!("&#X{:04x};", u32::from(ch))
            }
            _ => out.push(ch),
        }
    }
    Some(out)
}

/// A reference, escaped for its value.
fn inner(reference: &str, inner: Inner, style: Style) -> String {
    let coded = matches!(style, Style::Decimal | Style::Hex);
    let one = |ch: char| match inner {
        Inner::Css if coded && !ch.is_ascii() => format!("\\{:x} ", u32::from(ch)),
        Inner::Json if coded && !ch.is_ascii() => {
            let mut units = [0; 2];
            ch.encode_utf16(&mut units)
                .iter()
                .map(|unit| format!("\\u{unit:04X}"))
                .collect()
        }
        Inner::Html if ch == '&' => "&amp;".to_owned(),
        _ => ch.to_string(),
    };
    reference.chars().map(one).collect()
}

/// Charsets by their labels.
const CHARSETS: &[&str] = &[
    "utf-8",
    "utf-16le",
    "utf-16be",
    "iso-2022-jp",
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "gbk",
    "gb18030",
    "big5",
    "euc-jp",
    "shift_jis",
    "euc-kr",
    "ibm437",
    "ibm852",
    "ibm855",
    "x-mac-greek",
    "armscii-8",
    "viscii",
    "tcvn",
    "ibm037",
    "ibm1026",
    "hz-gb-2312",
    "iso-2022-cn",
    "iso-2022-kr",
    "johab",
    "euc-tw",
    "cesu-8",
    "iso646-de",
    "ibm273",
    "ibm939",
    "x-mac-arabic",
    "tscii",
    "t.61-8bit",
    "iso-2022-jp-2",
    "iso-2022-jp-2004",
];

/// A document in three pieces: before the link, the link, after the link.
struct Case<'c> {
    pieces: [String; 3],
    reference: &'c str,
    uri: &'c str,
    charset: Charset,
}

impl Case<'_> {
    /// The bytes of the pieces; `None` if the charset lacks a character.
    fn bytes(&self) -> Option<[Vec<u8>; 3]> {
        let mut bytes = [const { Vec::new() }; 3];
        for (text, bytes) in self.pieces.iter().zip(&mut bytes) {
            self.charset.encode(text, bytes).ok()?;
        }
        Some(bytes)
    }

    /// Judges the case. The error describes the fault; `false`: the charset cannot hold the case.
    fn judge(&self) -> Result<bool, String> {
        let Some(bytes) = self.bytes() else {
            return Ok(false);
        };
        let mut settings = Settings::default();
        settings.format = Some(Format::Html);
        settings.charset = Some(self.charset);
        let source = bytes.concat();
        let (start, end) = (bytes[0].len(), bytes[0].len() + bytes[1].len());
        let texts = self.found(&source, &settings, start, end)?;
        let rewriter = Rewriter::new().to(Form::Uri).settings(settings.clone());
        let rewritten = rewriter.rewrite_slice(&source);
        if rewritten.changed() == 0 {
            return Err("nothing was changed".to_owned());
        }
        let new = rewritten.content;
        if !new.starts_with(&bytes[0]) || !new.ends_with(&bytes[2]) {
            return Err(format!("other bytes were changed: {}", new.escape_ascii()));
        }
        let wanted: Vec<_> = texts
            .iter()
            .map(|text| {
                if text == self.reference {
                    self.uri.to_owned()
                } else {
                    text.clone()
                }
            })
            .collect();
        let links: Vec<_> = Document::new(&new, &settings)
            .links()
            .map(|link| link.text().to_owned())
            .collect();
        if links != wanted {
            return Err(format!("read again as {links:?}: {}", new.escape_ascii()));
        }
        Ok(true)
    }

    /// The texts of the links, if the link of the case is among them, in its place.
    fn found(
        &self,
        source: &[u8],
        settings: &Settings,
        start: usize,
        end: usize,
    ) -> Result<Vec<String>, String> {
        let document = Document::new(source, settings);
        let mut texts = Vec::new();
        let mut there = 0;
        for link in document.links() {
            let (from, to) = (link.span().start as usize, link.span().end as usize);
            // In ISO-2022-JP it begins or ends with shift sequences.
            let is_place = if self.charset.is_ascii_compatible() || self.charset.is_unicode() {
                (from, to) == (start, end)
            } else {
                start <= from && to <= end
            };
            there += usize::from(is_place && link.text() == self.reference);
            texts.push(link.text().to_owned());
        }
        match there {
            1 => Ok(texts),
            _ => Err(format!(
                "found {texts:?} in {}, not at {start}..{end}",
                source.escape_ascii()
            )),
        }
    }
}

/// The pieces of a place with a reference in it; `None` if the style has no meaning there.
fn pieces(place: &Place, reference: &str, quote: &str, style: Style) -> Option<[String; 3]> {
    let (slot, open, close, before, behind, escaping) = *place;
    let own = inner(reference, escaping, style);
    if slot == Slot::RawText {
        let is_first = quote == QUOTES[0];
        let has_style = matches!(style, Style::Bare | Style::Hex) && is_first;
        return has_style.then(|| [open.to_owned(), own, close.to_owned()]);
    }
    Some([
        format!("{open}={quote}{}", attribute(before, quote, style)?),
        attribute(&own, quote, style)?,
        format!("{}{quote}{close}", attribute(behind, quote, style)?),
    ])
}

/// True if bare ampersands have their meaning: a document in an attribute has them escaped once more, before a
/// reference for `=` they begin another reference, and also in the text of foreign content.
fn has_meaning(place: &Place, quote: &str, style: Style, reference: &str) -> bool {
    let loose_ends = quote.is_empty() || place.5 == Inner::Html || reference.contains("&lt");
    let is_foreign = place.1.starts_with("<svg>");
    !reference.contains('&') || !is_foreign && (style != Style::Loose || !loose_ends)
}

#[test]
fn every_syntax_quoting_reference_and_charset() {
    let (mut held, mut faults) = (0, Vec::new());
    for label in CHARSETS {
        let charset = Charset::for_label(label).expect("a known label");
        let before = held;
        for place in PLACES {
            for (reference, uri) in REFERENCES {
                for quote in QUOTES {
                    for style in STYLES
                        .iter()
                        .filter(|style| has_meaning(place, quote, **style, reference))
                    {
                        let Some(pieces) = pieces(place, reference, quote, *style) else {
                            continue;
                        };
                        let case = Case {
                            pieces,
                            reference,
                            uri,
                            charset,
                        };
                        match case.judge() {
                            Ok(true) => held += 1,
                            Ok(false) => {}
                            Err(why) => {
                                faults.push(format!("{label} {style:?} {:?}: {why}", case.pieces))
                            }
                        }
                    }
                }
            }
        }
        assert!(
            held - before > 300 || !faults.is_empty(),
            "hardly a case in {label}"
        );
    }
    let shown = faults.len().min(20);
    assert!(
        faults.is_empty(),
        "{} of {} cases:\n{}",
        faults.len(),
        held + faults.len(),
        faults[..shown].join("\n")
    );
    assert!(held > 40_000, "only {held} cases");
}
