//! Places where character references are read in XML: in character data and attribute values (XML 1.0, 4.4).

use crate::slot::{ReferencePlace, Window};
use memchr::{memchr, memchr2, memchr3, memmem};

/// A step machine over the delimiters of XML.
#[derive(Debug)]
pub struct XmlReferences {
    state: State,
    /// True if scripts and style sheets are skipped.
    as_html: bool,
    /// The start of the present tag's name.
    name: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Text,
    /// In the name of a tag.
    Name,
    /// In a tag behind its name; `slash` if the last byte is a slash.
    Tag {
        slash: bool,
    },
    Value(u8),
    /// Inside the document type declaration; in its internal subset or not.
    Doctype {
        in_subset: bool,
    },
    DoctypeQuote {
        in_subset: bool,
        quote: u8,
    },
    /// Skipping up to a terminator, inclusive.
    Pass(&'static [u8], Then),
    /// In the content of a script or style sheet, up to an end tag.
    Raw,
    /// Behind a value with a `<`, which is not well-formed: the places of values are unknown from there on.
    Lost,
}

/// The state behind a skipped stretch.
#[derive(Clone, Copy, Debug)]
enum Then {
    Text,
    Subset,
    Raw,
}

impl Then {
    fn state(self) -> State {
        match self {
            Then::Text => State::Text,
            Then::Subset => State::Doctype { in_subset: true },
            Then::Raw => State::Raw,
        }
    }
}

/// The most bytes of a name that matters, its prefix included.
const LONGEST_NAME: usize = 64;

impl XmlReferences {
    /// See [`crate::ReferencePlaces::of_xml`].
    pub fn new(as_html: bool) -> Self {
        XmlReferences {
            state: State::Text,
            as_html,
            name: Vec::new(),
        }
    }

    /// See [`crate::ReferencePlaces::read`].
    pub fn read(
        &mut self,
        window: Window<'_>,
        cursor: &mut usize,
        places: &mut Vec<ReferencePlace>,
    ) {
        while *cursor < window.bytes.len() {
            let rest = &window.bytes[*cursor..];
            let Some((len, state)) = self.step(rest, window.last) else {
                return;
            };
            let read = match (self.state, state) {
                (State::Text, State::Text) | (State::Value(_), State::Value(_)) => len,
                // The value without its quote.
                (State::Value(_), _) => len - 1,
                _ => 0,
            };
            if read > 0 {
                places.push(ReferencePlace {
                    range: *cursor..*cursor + read,
                    is_value: matches!(self.state, State::Value(_)),
                });
            }
            self.state = state;
            *cursor += len;
        }
    }

    /// The number of bytes that the state covers, and the state behind them. `None`: more bytes are needed.
    fn step(&mut self, rest: &[u8], last: bool) -> Option<(usize, State)> {
        let all = rest.len();
        Some(match self.state {
            State::Text => match memchr(b'<', rest) {
                None => (all, State::Text),
                Some(0) => markup(rest, last, Then::Text)?,
                Some(at) => (at, State::Text),
            },
            State::Name => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
                let len = rest.iter().position(ends).unwrap_or(all);
                let room = LONGEST_NAME - self.name.len();
                self.name.extend_from_slice(&rest[..len.min(room)]);
                let behind = State::Tag { slash: false };
                (len, if len == all { State::Name } else { behind })
            }
            State::Tag { slash } => {
                let end = memchr3(b'>', b'"', b'\'', rest).unwrap_or(all);
                let slash = rest[..end].last().map_or(slash, |&byte| byte == b'/');
                match rest.get(end) {
                    None => (all, State::Tag { slash }),
                    Some(b'>') if self.as_html && !slash && self.is_raw() => (end + 1, State::Raw),
                    Some(b'>') => (end + 1, State::Text),
                    Some(&quote) => (end + 1, State::Value(quote)),
                }
            }
            State::Value(quote) => match memchr2(quote, b'<', rest) {
                None => (all, self.state),
                Some(at) if rest[at] == b'<' => (at + 1, State::Lost),
                Some(at) => (at + 1, State::Tag { slash: false }),
            },
            State::Doctype { in_subset } => doctype(rest, last, in_subset)?,
            State::DoctypeQuote { in_subset, quote } => match memchr(quote, rest) {
                None => (all, self.state),
                Some(at) => (at + 1, State::Doctype { in_subset }),
            },
            State::Pass(terminator, then) => match memmem::find(rest, terminator) {
                Some(at) => (at + terminator.len(), then.state()),
                None if last => (all, self.state),
                // The window may cut the terminator.
                None if all < terminator.len() => return None,
                None => (all + 1 - terminator.len(), self.state),
            },
            State::Lost => (all, State::Lost),
            State::Raw => match memchr(b'<', rest) {
                None => (all, State::Raw),
                Some(0) if rest.starts_with(b"</") => (2, State::Tag { slash: false }),
                Some(0) => match markup(rest, last, Then::Raw)? {
                    passed @ (_, State::Pass(..)) => passed,
                    _ => (1, State::Raw),
                },
                Some(at) => (at, State::Raw),
            },
        })
        .inspect(|(_, state)| {
            if matches!(
                (self.state, state),
                (State::Text, State::Name) | (State::Raw, State::Tag { .. })
            ) {
                self.name.clear();
            }
        })
    }

    /// True if the present tag begins a script or a style sheet.
    fn is_raw(&self) -> bool {
        let local = self.name.rsplit(|&byte| byte == b':').next();
        matches!(local, Some(b"script" | b"style"))
    }
}

/// The length of the opening of the markup at the start of `rest`, and the state behind it.
fn markup(rest: &[u8], last: bool, then: Then) -> Option<(usize, State)> {
    let passed = [
        (&b"<!--"[..], &b"-->"[..]),
        (b"<![CDATA[", b"]]>"),
        (b"<?", b"?>"),
    ];
    for (begin, terminator) in passed {
        if rest.starts_with(begin) {
            return Some((begin.len(), State::Pass(terminator, then)));
        }
        if begin.starts_with(rest) && !last {
            return None;
        }
    }
    Some(match rest.get(1) {
        Some(b'!') => (2, State::Doctype { in_subset: false }),
        _ => (1, State::Name),
    })
}

/// The next delimiter of a document type declaration.
fn doctype(rest: &[u8], last: bool, in_subset: bool) -> Option<(usize, State)> {
    let is_delimiter = |byte: &u8| matches!(byte, b'"' | b'\'' | b'[' | b']' | b'<' | b'>');
    let at = rest.iter().position(is_delimiter).unwrap_or(rest.len());
    let stays = State::Doctype { in_subset };
    Some(match rest.get(at) {
        None => (rest.len(), stays),
        Some(&quote @ (b'"' | b'\'')) => (at + 1, State::DoctypeQuote { in_subset, quote }),
        Some(b'[') => (at + 1, State::Doctype { in_subset: true }),
        Some(b']') => (at + 1, State::Doctype { in_subset: false }),
        Some(b'>') if !in_subset => (at + 1, State::Text),
        Some(b'<') if at > 0 => (at, stays),
        Some(b'<') => match markup(rest, last, Then::Subset)? {
            passed @ (_, State::Pass(..)) if in_subset => passed,
            _ => (1, stays),
        },
        _ => (at + 1, stays),
    })
}
