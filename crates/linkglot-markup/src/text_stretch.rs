//! Running text within a document of data: comments, and what cannot be read as data.

use crate::plain::PlainTokenizer;
use crate::slot::{Place, PlaceKind, SharedPlace, Slot, Step, Tokenizer, Window};

/// The end of a stretch of running text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Document,
    Line,
    /// A comment from `/*` to `*/`.
    Block,
    /// A comment up to the end of the line.
    LineComment,
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
}

static IN_COMMENT: Place = Place::new(PlaceKind::Comment, None, None);
const COMMENT: SharedPlace = SharedPlace::fixed(&IN_COMMENT);

impl TextStretch {
    /// A stretch that begins at the cursor of the next step.
    pub fn new(end: End) -> Self {
        TextStretch {
            plain: PlainTokenizer::new(),
            end,
        }
    }

    pub fn end(&self) -> End {
        self.end
    }

    /// Reads up to the next slot; `None` once the cursor is behind the end.
    pub fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let unread = &window.bytes[*cursor..];
        let found = match self.end {
            End::Document => None,
            End::Line | End::LineComment => memchr::memchr(b'\n', unread),
            End::PropertiesComment => memchr::memchr2(b'\n', b'\r', unread),
            End::Block => memchr::memmem::find(unread, b"*/"),
            End::PhpCode => memchr::memmem::find(unread, b"<?"),
            End::PhpComment => {
                let line = memchr::memchr(b'\n', unread);
                let line = line.map_or(unread, |at| &unread[..at]);
                let code = memchr::memmem::find(line, b"?>");
                code.or((line.len() < unread.len()).then_some(line.len()))
            }
        };
        let cut = match self.end {
            End::Block => unread.ends_with(b"*"),
            End::PhpCode => unread.ends_with(b"<"),
            End::PhpComment => unread.ends_with(b"?"),
            _ => false,
        };
        let length = match found {
            Some(at) => at,
            None if cut && !window.last => unread.len() - 1,
            None => unread.len(),
        };
        let part = Window {
            bytes: &window.bytes[..*cursor + length],
            last: window.last || found.is_some(),
            charset: window.charset,
        };
        match self.plain.step(part, cursor) {
            Step::End if found.is_none() => Some(Step::End),
            Step::End => {
                *cursor += if self.end == End::Block { 2 } else { 0 };
                None
            }
            Step::Slot(slot) if is_comment(self.end) => {
                let place = COMMENT;
                Some(Step::Slot(Slot { place, ..slot }))
            }
            step => Some(step),
        }
    }
}

fn is_comment(end: End) -> bool {
    matches!(
        end,
        End::Block | End::LineComment | End::PhpComment | End::PropertiesComment
    )
}
