//! The tokenizer of the header of a message of HTTP.

use super::fields::{FieldSyntax, references};
use linkglot_markup::{
    Access, Escaping, Name, Place, PlaceKind, Run, Slot, Step, Syntax, Tokenizer, Window,
};
use std::collections::VecDeque;
use std::ops::Range;

/// The fields with links: RFC 9110 10.2.2, 8.7 and 10.1.3, RFC 8288 3, HTML 7.10.
const FIELDS: [(&str, Field); 5] = [
    ("location", Field::References(FieldSyntax::Single)),
    ("content-location", Field::References(FieldSyntax::Single)),
    ("link", Field::References(FieldSyntax::Link)),
    ("refresh", Field::Refresh),
    ("referer", Field::References(FieldSyntax::Single)),
];

/// The content of a field.
#[derive(Clone, Copy, Debug)]
enum Field {
    References(FieldSyntax),
    /// A number of seconds and a URL, as in `<meta http-equiv=refresh>`.
    Refresh,
}

/// A slot that was found, in bytes of the header.
#[derive(Debug)]
struct Found {
    name: &'static str,
    range: Range<usize>,
    syntax: Syntax,
}

/// The tokenizer of the header of a message of HTTP (RFC 9112), up to its empty line: `Location`, `Content-Location`,
/// `Link`, `Refresh` and `Referer`. Waits for the whole header.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_mail::http::HttpTokenizer;
/// use linkglot_markup::Slots;
///
/// let header = b"HTTP/1.1 302 Found\r\nLocation: /b\r\nLink: </c>; rel=next\r\n\r\n";
/// let slots = Slots::new(HttpTokenizer::default(), header, Charset::UTF_8);
/// let slots: Vec<&[u8]> = slots.map(|slot| &header[slot.range]).collect();
/// assert_eq!(slots, [&b"/b"[..], b"/c"]);
/// ```
#[derive(Debug, Default)]
pub struct HttpTokenizer {
    /// The slots still to be answered.
    found: Option<VecDeque<Found>>,
    /// The end of the part of the header read so far.
    read: usize,
}

impl Tokenizer for HttpTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        if !window.last {
            return Step::NeedMore;
        }
        let begin = (*cursor).min(window.bytes.len());
        let found = self
            .found
            .get_or_insert_with(|| slots(&window.bytes[begin..]));
        let Some(found) = found.pop_front() else {
            *cursor = window.bytes.len();
            return Step::End;
        };
        let shift = |at: usize| at - self.read + begin;
        let range = shift(found.range.start)..shift(found.range.end);
        self.read = found.range.end;
        *cursor = range.end;
        Step::Slot(Slot {
            range,
            escaping: Escaping::None,
            syntax: found.syntax,
            place: Place::new(PlaceKind::Header, None, Some(Name::from(found.name))).into(),
            access: Access::Rewrite,
            run: Run::WHOLE,
        })
    }
}

/// The slots of a header, in order.
fn slots(header: &[u8]) -> VecDeque<Found> {
    let mut slots = VecDeque::new();
    let (mut at, mut field) = (0, None);
    for (number, line) in header.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let begin = at;
        at += line.len();
        if number > 0 && line.trim_ascii().is_empty() {
            break;
        }
        match (line.first(), &mut field) {
            // A value may go on in the next line (RFC 9112 5.2).
            (Some(b' ' | b'\t'), Some((_, _, value))) => {
                let value: &mut Range<usize> = value;
                value.end = at;
            }
            _ => {
                push(header, field.take(), &mut slots);
                field = known_field(line, begin).filter(|_| number > 0);
            }
        }
    }
    push(header, field, &mut slots);
    slots
}

/// The field of a line with its value, if it may hold links.
fn known_field(line: &[u8], begin: usize) -> Option<(&'static str, Field, Range<usize>)> {
    let colon = line.iter().position(|&byte| byte == b':')?;
    let name = line[..colon].trim_ascii_end();
    let mut known = FIELDS.iter();
    let (name, field) = known.find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes()))?;
    Some((*name, *field, begin + colon + 1..begin + line.len()))
}

/// Appends the slots of a field.
fn push(
    header: &[u8],
    field: Option<(&'static str, Field, Range<usize>)>,
    slots: &mut VecDeque<Found>,
) {
    let Some((name, field, value)) = field else {
        return;
    };
    let text = &header[value.clone()];
    let (ranges, syntax) = match field {
        Field::References(syntax) => (references(syntax, text), Syntax::Single),
        Field::Refresh => {
            let start = text.len() - text.trim_ascii_start().len();
            let end = text.trim_ascii_end().len().max(start);
            (Vec::from_iter(Some(start..end)), Syntax::Refresh)
        }
    };
    let places = ranges.into_iter().map(|range| Found {
        name,
        range: value.start + range.start..value.start + range.end,
        syntax,
    });
    slots.extend(places);
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkglot_charset::Charset;
    use linkglot_markup::Slots;

    fn found(header: &str) -> Vec<&str> {
        let slots = Slots::new(HttpTokenizer::default(), header.as_bytes(), Charset::UTF_8);
        slots.map(|slot| &header[slot.range]).collect()
    }

    #[test]
    fn fields_with_links() {
        let header = "HTTP/1.1 301 Location: /no\r\nLOCATION:http://a.example/\r\nServer: http://b.example/\n\
            Link: <c>; rel=\"x <y>\"; anchor=\"d\",\r\n\t<e>;rel=f\r\nRefresh: 5; url=g\r\nContent-Location: \r\nReferer: h\r\n\r\nLocation: /body\r\n";
        assert_eq!(
            found(header),
            ["http://a.example/", "c", "d", "e", "5; url=g", "h"]
        );
    }

    #[test]
    fn headers_without_an_end() {
        assert_eq!(found("HTTP/1.1 302\nLocation: /a"), ["/a"]);
        assert!(found("").is_empty());
        assert!(found("Location: /a").is_empty());
    }
}
