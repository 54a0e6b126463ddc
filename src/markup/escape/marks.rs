//! What is markup in the raw bytes of a slot: a byte that stays and an edit beside it may make it together.

use super::{Escaping, Quote, xml};

impl Escaping {
    /// How often something stands in raw text that ends what holds it or begins something in it: an edit may not
    /// change the number. O(length).
    ///
    /// It is counted as if each were followed by what gives it its meaning, so some that mean nothing count too.
    pub(crate) fn marks(self, raw: &str) -> usize {
        match self {
            // HTML standard 13.2.5.43 to 13.2.5.52; the last are for those who read what is inside.
            Escaping::HtmlComment => {
                let ends_at_once = raw.starts_with('>') || raw.starts_with("->");
                let marks = ["-->", "--!>", "<!--", "<![endif]"];
                usize::from(ends_at_once) + count(raw, &marks)
            }
            // XML 2.5: the `-` of the end may not follow one either.
            Escaping::XmlComment => {
                count(raw, &["--"]) + usize::from(raw.ends_with('-')) + quotes(raw)
            }
            // 13.2.5.15 to 13.2.5.31. Which name ends it is the tokenizer's affair, so any other name counts as another.
            Escaping::HtmlRawText => {
                let dashes = count(raw, &["<!--", "-->"]);
                dashes
                    + begins(raw, |next| next == '/')
                    + scripts(raw)
                    + END_TAGS.map(|name| ends(raw, name)).iter().sum::<usize>()
            }
            Escaping::HtmlText => begins(raw, |next| {
                next.is_ascii_alphabetic() || "/!?".contains(next)
            }),
            Escaping::XmlText | Escaping::XhtmlText => {
                begins(raw, |next| !next.is_whitespace())
                    + count(raw, &["]]>"])
                    + self.entities(raw)
            }
            Escaping::XmlCdata => count(raw, &["]]>"]) + quotes(raw),
            Escaping::HtmlAttribute(quote) => delimiters(raw, quote),
            Escaping::XmlAttribute(quote) | Escaping::XhtmlAttribute(quote) => {
                delimiters(raw, quote) + self.entities(raw) + opening(raw, quote)
            }
            Escaping::XmlInstruction(quote) => {
                let own = match quote {
                    Quote::Unquoted => delimiters(raw, quote) + last(raw, '?') + last(raw, '/'),
                    Quote::Double | Quote::Single => 0,
                };
                own + count(raw, &["?>"]) + quotes(raw)
            }
            // Plain text has no markup; the others never stand in a document of another kind by themselves.
            _ => 0,
        }
    }

    /// How many references to entities there are that are not known: they part text, and hide what a value is.
    fn entities(self, text: &str) -> usize {
        // As the tokenizer of XML goes over names.
        let ends = |&byte: &u8| matches!(byte, 0..=0x2C | 0x2F | 0x3B..=0x3F);
        let is_unknown = |&at: &usize| {
            let name = text.as_bytes().get(at + 1..).unwrap_or_default();
            let end = name.iter().position(ends);
            let is_name = end.is_some_and(|end| end > 0 && name[end] == b';');
            is_name && !self.knows(&text[at..])
        };
        let references = memchr::memchr_iter(b'&', text.as_bytes());
        references.filter(is_unknown).count()
    }

    /// Whether a reference at the begin of `at` needs no declaration.
    fn knows(self, at: &str) -> bool {
        match self {
            Escaping::XhtmlText | Escaping::XhtmlAttribute(_) => xml::xhtml_reference(at).is_some(),
            _ => xml::reference(at).is_some(),
        }
    }
}

/// How often any of some strings stands in a text, overlapping ones too.
fn count(text: &str, marks: &[&str]) -> usize {
    let of = |mark: &str| {
        let starts = memchr::memchr_iter(mark.as_bytes()[0], text.as_bytes());
        starts.filter(|&at| text[at..].starts_with(mark)).count()
    };
    marks.iter().map(|mark| of(mark)).sum()
}

/// How often a `<` stands before a character of some kind.
fn begins(text: &str, kind: impl Fn(char) -> bool) -> usize {
    let angles = memchr::memchr_iter(b'<', text.as_bytes());
    let next = |at: usize| text[at + 1..].chars().next();
    angles.filter_map(next).filter(|&next| kind(next)).count()
}

/// The elements whose text is raw, as the tokenizer reads them.
const END_TAGS: [&str; 9] = [
    "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "noscript",
];

/// How often an end tag of this name begins.
fn ends(text: &str, name: &str) -> usize {
    let angles = memchr::memchr_iter(b'<', text.as_bytes());
    let is_end = |rest: &[u8]| {
        let own = rest
            .strip_prefix(b"/")
            .and_then(|rest| rest.get(..name.len()));
        own.is_some_and(|own| own.eq_ignore_ascii_case(name.as_bytes()))
    };
    angles
        .filter(|at| is_end(&text.as_bytes()[at + 1..]))
        .count()
}

/// How often `<script` begins.
fn scripts(text: &str) -> usize {
    let angles = memchr::memchr_iter(b'<', text.as_bytes());
    let name = |at: &usize| text.as_bytes().get(at + 1..at + 7);
    let is_script = |name: &[u8]| name.eq_ignore_ascii_case(b"script");
    angles.filter(|at| name(at).is_some_and(is_script)).count()
}

/// How often the value of an attribute ends in its text.
fn delimiters(text: &str, quote: Quote) -> usize {
    match quote {
        Quote::Double => count(text, &["\""]),
        Quote::Single => count(text, &["'"]),
        // 13.2.5.37, 13.2.5.38: what begins like a quoted value is one, and what is empty is none.
        Quote::Unquoted => {
            let other = text.is_empty() || text.starts_with(['"', '\'']);
            let ends = |ch: char| ch.is_ascii_whitespace() || ch == '>';
            usize::from(other) + text.matches(ends).count()
        }
    }
}

/// How many quotation marks there are where nothing can stand for them: in XML that is not well-formed one could end a value
/// in front that was never closed.
fn quotes(text: &str) -> usize {
    count(text, &["\"", "'"])
}

/// How many quotation marks an unquoted value of XML has, and how many of them look like the end of a quoted value: that is
/// not well-formed, and they may be all that tells that a value in front of it was never closed. A `/` at the end would be
/// that of the tag.
fn opening(text: &str, quote: Quote) -> usize {
    if quote != Quote::Unquoted {
        return 0;
    }
    let quotes = text.match_indices(['"', '\'']);
    let weight = |(at, _): (usize, &str)| match text[at + 1..].chars().next() {
        None | Some('/' | '?') => 2,
        Some(_) => 1,
    };
    last(text, '/') + quotes.map(weight).sum::<usize>()
}

/// What a character at the end of a value without quotes counts that would be part of the end behind it: more than all
/// others together.
fn last(text: &str, ch: char) -> usize {
    usize::from(text.ends_with(ch)) << 28
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_counted_where_they_are_some() {
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
            (Escaping::XmlInstruction(Quote::Unquoted), "a?", 1 << 28),
            (Escaping::XmlAttribute(Quote::Unquoted), "a/", 1 << 28),
            (Escaping::XmlCdata, "a\"]]>'", 3),
            (Escaping::XmlComment, "'", 1),
        ];
        for (escaping, raw, marks) in cases {
            assert_eq!(escaping.marks(raw), marks, "{escaping:?} {raw:?}");
        }
    }
}
