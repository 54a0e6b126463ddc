//! Running text within a document of data: comments, and what cannot be read as data.

use crate::plain::PlainTokenizer;
use crate::slot::{Place, PlaceKind, SharedPlace, Slot, Step, Tokenizer, Window};
use linkglot_charset::Charset;

/// The end of a stretch of running text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Document,
    Line,
    /// A comment from `/*` to `*/`.
    Block,
    /// A comment from `/*` to `*/` with comments in it.
    Nested,
    /// A comment up to the end of the line.
    LineComment,
    /// A comment of C up to the end of the line. A backslash in front of the line end takes it over the next line.
    SplicedComment,
    /// A comment of PHP up to the end of the line or of the code, `?>`.
    PhpComment,
    /// A comment of properties, up to the end of the line, which a CR ends, too.
    PropertiesComment,
    /// Text up to the code of PHP, `<?`.
    PhpCode,
}

/// The reader of a stretch of running text.
#[derive(Debug)]
pub(crate) struct TextStretch {
    plain: PlainTokenizer,
    end: End,
    is_malformed: bool,
    /// The number of open comments around the innermost one.
    depth: usize,
}

/// A mark in a stretch.
struct Mark {
    at: usize,
    length: usize,
    meaning: Meaning,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// The end of the stretch.
    End,
    /// Another line of the comment.
    Line,
    /// A comment within the comment begins.
    InnerBegins,
    InnerEnds,
}

static IN_COMMENT: Place = Place::new(PlaceKind::Comment, None, None);
const COMMENT: SharedPlace = SharedPlace::fixed(&IN_COMMENT);

impl TextStretch {
    /// A stretch that begins at the cursor of the next step.
    pub fn new(end: End) -> Self {
        TextStretch {
            plain: PlainTokenizer::new(),
            end,
            is_malformed: false,
            depth: 0,
        }
    }

    /// A stretch that is running text because it cannot be read as data.
    pub fn malformed(end: End) -> Self {
        TextStretch {
            is_malformed: true,
            ..TextStretch::new(end)
        }
    }

    pub fn is_malformed(&self) -> bool {
        self.is_malformed
    }

    pub fn end(&self) -> End {
        self.end
    }

    /// The next mark in bytes, whose positions it gives.
    fn mark(&self, unread: &[u8], charset: Charset) -> Option<Mark> {
        let mark = |at, length, meaning| Mark {
            at,
            length,
            meaning,
        };
        let end = |at| mark(at, 0, Meaning::End);
        match self.end {
            End::Document => None,
            End::Line | End::LineComment => memchr::memchr(b'\n', unread).map(end),
            End::PropertiesComment => memchr::memchr2(b'\n', b'\r', unread).map(end),
            End::Block => memchr::memmem::find(unread, b"*/").map(|at| mark(at, 2, Meaning::End)),
            End::PhpCode => memchr::memmem::find(unread, b"<?").map(end),
            End::PhpComment => {
                let line = memchr::memchr(b'\n', unread);
                let line = line.map_or(unread, |at| &unread[..at]);
                let code = memchr::memmem::find(line, b"?>");
                let line_end = (line.len() < unread.len()).then_some(line.len());
                code.or(line_end).map(end)
            }
            End::Nested => {
                let slashes = memchr::memchr_iter(b'/', unread);
                let mut marks = slashes.filter_map(|at| match (at, unread.get(at + 1)) {
                    (1.., _) if unread[at - 1] == b'*' => Some((at - 1, self.ends_comment())),
                    (_, Some(b'*')) => Some((at, Meaning::InnerBegins)),
                    _ => None,
                });
                let found = marks.next();
                found.map(|(at, meaning)| mark(at, 2, meaning))
            }
            End::SplicedComment => {
                let at = memchr::memchr(b'\n', unread)?;
                let line = unread[..at].strip_suffix(b"\r").unwrap_or(&unread[..at]);
                // A backslash may be a part of a character.
                let text = line.strip_suffix(b"\\");
                let text = text.filter(|text| charset.is_char_at(unread, text.len()));
                Some(match text {
                    Some(text) => mark(text.len(), at + 1 - text.len(), Meaning::Line),
                    None => end(at),
                })
            }
        }
    }

    fn ends_comment(&self) -> Meaning {
        match self.depth {
            0 => Meaning::End,
            _ => Meaning::InnerEnds,
        }
    }

    /// The length of bytes at the end of a window that may be the beginning of a mark.
    fn cut(&self, unread: &[u8]) -> usize {
        let tails: &[&[u8]] = match self.end {
            End::Block => &[b"*"],
            End::Nested => &[b"*", b"/"],
            End::PhpCode => &[b"<"],
            End::PhpComment => &[b"?"],
            End::SplicedComment => &[b"\\\r", b"\\"],
            _ => &[],
        };
        let tail = tails.iter().find(|tail| unread.ends_with(tail));
        tail.map_or(0, |tail| tail.len())
    }

    /// Reads up to the next slot; `None` once the cursor is behind the end.
    pub fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        loop {
            let unread = &window.bytes[*cursor..];
            let found = self.mark(unread, window.charset);
            let length = match &found {
                Some(mark) => mark.at,
                None if !window.last => unread.len() - self.cut(unread),
                None => unread.len(),
            };
            let part = Window {
                bytes: &window.bytes[..*cursor + length],
                last: window.last || found.is_some(),
                charset: window.charset,
            };
            match (self.plain.step(part, cursor), found) {
                (Step::End, None) => return Some(Step::End),
                (Step::End, Some(mark)) => {
                    *cursor += mark.length;
                    match mark.meaning {
                        Meaning::End => return None,
                        Meaning::Line => {}
                        Meaning::InnerBegins => self.depth += 1,
                        Meaning::InnerEnds => self.depth -= 1,
                    }
                    self.plain = PlainTokenizer::new();
                }
                (Step::Slot(slot), _) if is_comment(self.end) => {
                    let place = COMMENT;
                    return Some(Step::Slot(Slot { place, ..slot }));
                }
                (step, _) => return Some(step),
            }
        }
    }
}

fn is_comment(end: End) -> bool {
    matches!(
        end,
        End::Block
            | End::Nested
            | End::LineComment
            | End::SplicedComment
            | End::PhpComment
            | End::PropertiesComment
    )
}

/// The length of the comment at the beginning of bytes, which comments in it make longer if they nest.
pub(crate) fn block_length(bytes: &[u8], nests: bool) -> Option<usize> {
    let (mut at, mut depth) = (2, 0);
    loop {
        let mark = memchr::memchr2(b'*', b'/', bytes.get(at..)?)? + at;
        at = mark + 2;
        match bytes.get(mark..at)? {
            b"*/" if depth == 0 => return Some(at),
            b"*/" => depth -= 1,
            b"/*" if nests => depth += 1,
            _ => at -= 1,
        }
    }
}

/// The length of a comment up to the end of its line, over lines that a backslash joins if these are.
pub(crate) fn line_length(bytes: &[u8], joins_lines: bool) -> Option<usize> {
    let mut ends = memchr::memchr_iter(b'\n', bytes);
    ends.find(|at| {
        let line = bytes[..*at].strip_suffix(b"\r").unwrap_or(&bytes[..*at]);
        !(joins_lines && line.ends_with(b"\\"))
    })
}
