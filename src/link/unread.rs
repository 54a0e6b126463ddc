//! The parts of a message that were not read.

use crate::error::Error;
use std::collections::BTreeMap;

/// The parts of a message or mailbox that were not read, although they may have links.
///
/// ```
/// use linkglot::link::UnreadReason;
/// use linkglot::{Document, Format, Settings};
///
/// let mut settings = Settings::default();
/// settings.format = Some(Format::Mail);
/// let message = b"Content-Type: text/plain; charset=x-foo\n\nhttp://b.example/\n";
/// let document = Document::new(message, &settings);
/// let unread = &document.info().unread;
/// assert_eq!((unread.failed, &*unread.errors[0].0), (1, "1"));
/// assert_eq!(unread.counts[&UnreadReason::Charset], 1);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct UnreadParts {
    /// Numbers of unread parts, by reason.
    pub counts: BTreeMap<UnreadReason, u64>,
    /// Parts among them that could not be read, which is an error.
    pub failed: u64,
    /// The first failed parts, up to [`UnreadParts::MOST`]: the number by [`MailPart::number`](super::MailPart::number)
    /// (in a mailbox behind that of the message: `12:1.2`), and the error.
    pub errors: Vec<(String, Error)>,
    /// The first other parts, up to [`UnreadParts::MOST`]: the number and the reason.
    pub passed_over: Vec<(String, UnreadReason)>,
    /// Number of attachments that [`Settings::attachments`](crate::Settings::attachments) leaves to the caller. They
    /// count as read.
    pub attachments: u64,
}

/// The reason why a part of a message is not read.
///
/// ```
/// use linkglot::link::UnreadReason;
/// use linkglot::{Document, Format, Settings};
///
/// let mut settings = Settings::default();
/// settings.format = Some(Format::Mail);
/// let message = b"Content-Type: application/ms-tnef; name=winmail.dat\n\n";
/// let document = Document::new(message, &settings);
/// assert_eq!(document.info().unread.passed_over, [("1".to_owned(), UnreadReason::Tnef)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UnreadReason {
    /// Encrypted by OpenPGP or S/MIME.
    Encrypted,
    /// The message within a message of Outlook: `winmail.dat` (MS-OXTNEF).
    Tnef,
    /// A message that S/MIME signs or compresses as a whole (RFC 8551 3.5.2, 3.6).
    Pkcs7,
    /// Of another type than text: an `application/octet-stream`, a file within a text.
    Binary,
    /// An image, a sound, a film or a font.
    Media,
    /// In an unknown charset.
    Charset,
    /// In an encoding that is not for text.
    Encoding,
    /// Too long or too deeply nested to be read.
    Limit,
    /// A record of an ARC file, which is not written.
    Arc,
    /// A record of a WARC file that is only a part: cut off, a segment, a range.
    RecordPart,
    /// A record of a WARC file with a wrong length.
    RecordLength,
    /// A record of a WARC file with a digest that is wrong or of an unknown kind.
    RecordDigest,
    /// A record of a WARC file whose content is damaged, too long or in an unknown encoding.
    RecordContent,
    /// A revisit in a WARC file, of a payload that is not in front of it in the file, or whose new form is not certain.
    Revisit,
}

impl UnreadReason {
    /// The stable code, for scripts.
    ///
    /// ```
    /// assert_eq!(linkglot::link::UnreadReason::Tnef.code(), "tnef");
    /// ```
    pub fn code(self) -> &'static str {
        self.texts().0
    }

    /// The description, for people.
    ///
    /// ```
    /// assert_eq!(linkglot::link::UnreadReason::Binary.words(), "binary");
    /// ```
    pub fn words(self) -> &'static str {
        self.texts().1
    }

    fn texts(self) -> (&'static str, &'static str) {
        match self {
            UnreadReason::Encrypted => ("encrypted", "encrypted"),
            UnreadReason::Tnef => ("tnef", "TNEF (winmail.dat)"),
            UnreadReason::Pkcs7 => ("pkcs7", "S/MIME as a whole"),
            UnreadReason::Binary => ("binary", "binary"),
            UnreadReason::Media => ("media", "image, sound, film or font"),
            UnreadReason::Charset => ("charset", "unknown charset"),
            UnreadReason::Encoding => ("encoding", "unknown encoding"),
            UnreadReason::Limit => ("limit", "beyond a limit"),
            UnreadReason::Arc => ("arc", "in ARC, which is not written"),
            UnreadReason::RecordPart => ("record-part", "in WARC, only a part"),
            UnreadReason::RecordLength => ("record-length", "in WARC with a wrong length"),
            UnreadReason::RecordDigest => (
                "record-digest",
                "in WARC with a digest that is wrong or unknown",
            ),
            UnreadReason::RecordContent => (
                "record-content",
                "in WARC, damaged, too long or in an unknown encoding",
            ),
            UnreadReason::Revisit => (
                "revisit",
                "in WARC, revisiting a payload that is not certain or not in the file",
            ),
        }
    }
}

impl UnreadParts {
    /// The most parts that are named.
    ///
    /// ```
    /// assert!(linkglot::link::UnreadParts::MOST > 1);
    /// ```
    pub const MOST: usize = 100;

    /// Adds a part that could not be read.
    pub(crate) fn fail(&mut self, part: String, reason: UnreadReason, error: Error) {
        self.count(reason, 1);
        self.failed += 1;
        push_few(&mut self.errors, [(part, error)]);
    }

    /// Adds a part that is skipped.
    pub(crate) fn pass_over(&mut self, part: String, reason: UnreadReason) {
        self.count(reason, 1);
        push_few(&mut self.passed_over, [(part, reason)]);
    }

    pub(crate) fn append(&mut self, other: UnreadParts) {
        for (reason, parts) in other.counts {
            self.count(reason, parts);
        }
        self.failed += other.failed;
        self.attachments += other.attachments;
        push_few(&mut self.errors, other.errors);
        push_few(&mut self.passed_over, other.passed_over);
    }

    fn count(&mut self, reason: UnreadReason, parts: u64) {
        *self.counts.entry(reason).or_default() += parts;
    }
}

/// Appends items up to the number that is named.
fn push_few<T>(all: &mut Vec<T>, new: impl IntoIterator<Item = T>) {
    let room = UnreadParts::MOST.saturating_sub(all.len());
    all.extend(new.into_iter().take(room));
}
