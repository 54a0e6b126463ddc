//! Entities: the facts that a header states about the body behind it.

use super::media_type::MediaType;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The header of a message or part, with its surroundings.
///
/// ```
/// use linkglot_mail::structure::{BodyKind, MailKind, MailReader, MailStep};
///
/// let mail = b"Subject: a\n b\nContent-Type: text/html\n\n<a href=b>";
/// let MailStep::Header(entity) = MailReader::new(MailKind::Message).step(mail, true, &mut 0) else {
///     panic!("a header")
/// };
/// assert_eq!(&mail[entity.fields[0].value.clone()], b" a\n b");
/// assert_eq!((&*entity.number, &*entity.body_number()), ("", "1"));
/// assert_eq!((entity.media_type.essence(), entity.body), ("text/html", BodyKind::Leaf));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// The number of the message in the mailbox, from 1. Messages in messages do not count.
    pub message: u64,
    /// The number of the part, as in IMAP (RFC 9051 6.4.5): `1.2`. Empty for a message. A message in part `2` also has
    /// the number `2`.
    pub number: String,
    /// True for the header of a message, even inside of a part; false for that of a part.
    pub is_message: bool,
    /// The fields in their order, with ranges of bytes of the window.
    pub fields: Vec<FieldPlace>,
    /// The media type that the Content-Type names, or the default (RFC 2045 5.2, RFC 2046 5.1.5). A multipart without
    /// boundaries is `text/plain`.
    pub media_type: Arc<MediaType>,
    /// The raw value of the Content-Transfer-Encoding, in bytes of the window.
    pub encoding: Option<Range<usize>>,
    /// The reader's treatment of the body.
    pub body: BodyKind,
    /// The surroundings of the body.
    pub enclosing: Enclosing,
    /// True for a message of a mailbox whose end is given by Content-Length. A length of more than 1 MiB is believed, a
    /// shorter one must be right (mboxcl, mboxcl2).
    pub has_length: bool,
    /// The number of multiparts and messages around the entity.
    pub depth: usize,
}

impl Entity {
    /// The number of the body, as in IMAP: the text of a message that is no multipart is its part `1`. The body of a
    /// multipart has the number of the multipart.
    ///
    /// ```
    /// use linkglot_mail::structure::{MailKind, MailReader, MailStep};
    ///
    /// let mut reader = MailReader::new(MailKind::Message);
    /// let MailStep::Header(entity) = reader.step(b"a: b\n\nc", true, &mut 0) else { panic!() };
    /// assert_eq!(entity.body_number(), "1");
    /// ```
    pub fn body_number(&self) -> Cow<'_, str> {
        if self.is_message && self.body != BodyKind::Multipart {
            Cow::Owned(part_number(&self.number, 1))
        } else {
            Cow::Borrowed(&self.number)
        }
    }
}

/// The number of a part inside of a message or multipart.
pub(super) fn part_number(outer: &str, number: u64) -> String {
    match outer {
        "" => number.to_string(),
        outer => format!("{outer}.{number}"),
    }
}

/// The position of a field in the window.
///
/// ```
/// use linkglot_mail::structure::{FieldPlace, MailKind, MailReader, MailStep};
///
/// let mut reader = MailReader::new(MailKind::Message);
/// let MailStep::Header(entity) = reader.step(b"To: b\n\n", true, &mut 0) else { panic!() };
/// assert_eq!(entity.fields, [FieldPlace { name: 0..2, value: 3..5 }]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPlace {
    /// The bytes in front of the colon.
    pub name: Range<usize>,
    /// All bytes between the colon and the last line end, with the line ends of folds.
    pub value: Range<usize>,
}

impl FieldPlace {
    pub(super) fn move_by(&mut self, length: usize) {
        move_by(&mut self.name, length);
        move_by(&mut self.value, length);
    }
}

pub(super) fn move_by(range: &mut Range<usize>, length: usize) {
    *range = range.start + length..range.end + length;
}

/// A reader's treatment of the body of an entity.
///
/// ```
/// use linkglot_mail::structure::{BodyKind, MailKind, MailReader, MailStep};
///
/// let mail = b"Content-Type: message/rfc822\n\nSubject: a\n\nb";
/// let mut reader = MailReader::new(MailKind::Message);
/// let MailStep::Header(entity) = reader.step(mail, true, &mut 0) else { panic!("a header") };
/// assert_eq!(entity.body, BodyKind::Message);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyKind {
    /// The body is answered undecoded.
    Leaf,
    /// A message in a transfer encoding, which RFC 2046 5.2.1 forbids. Its body is answered undecoded;
    /// [`MailReader::of_body`](super::MailReader::of_body) reads the decoded message.
    EncodedMessage,
    /// The parts are answered.
    Multipart,
    /// A message follows, with a header of its own.
    Message,
    /// A multipart or message at a depth of more than [`MailReader::MAX_DEPTH`](super::MailReader::MAX_DEPTH). The body
    /// is answered like that of a leaf, and should not be read.
    TooDeep,
}

impl BodyKind {
    /// True if [`MailStep::Body`](super::MailStep::Body) and `BodyEnd` follow the header.
    ///
    /// ```
    /// use linkglot_mail::structure::BodyKind;
    ///
    /// assert!(BodyKind::TooDeep.is_answered() && !BodyKind::Multipart.is_answered());
    /// ```
    pub fn is_answered(self) -> bool {
        matches!(
            self,
            BodyKind::Leaf | BodyKind::EncodedMessage | BodyKind::TooDeep
        )
    }
}

/// The surroundings of an entity's body: the multiparts and messages around it. Cheap to clone.
///
/// ```
/// use linkglot_mail::structure::{MailKind, MailReader, MailStep};
///
/// let mail = b"Content-Type: multipart/signed; boundary=b\nContent-Base: /c/\n\n--b\n\nd\n--b--\n";
/// let (mut reader, mut cursor) = (MailReader::new(MailKind::Message), 0);
/// assert!(matches!(reader.step(mail, true, &mut cursor), MailStep::Header(_)));
/// let MailStep::Header(part) = reader.step(mail, true, &mut cursor) else { panic!("a part") };
/// assert!(part.enclosing.is_signed);
/// assert_eq!(part.enclosing.bases[0].content_base.as_deref(), Some(&b" /c/"[..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enclosing {
    /// True inside of the first part of a multipart/signed, at any depth: a signature covers the bytes (RFC 1847 2.1).
    pub is_signed: bool,
    /// True inside of a multipart/encrypted (RFC 1847 2.2).
    pub is_encrypted: bool,
    /// True inside of a message of a mailbox whose end is given by Content-Length.
    pub has_length: bool,
    /// The headers of the multiparts and messages around the body that state a base of references, outermost first (RFC
    /// 2557 5).
    pub bases: Arc<[Arc<HeaderBase>]>,
}

/// The fields of a header that state the base of references, with raw values of at most 16 KiB.
///
/// ```
/// use linkglot_mail::structure::HeaderBase;
///
/// assert_eq!(HeaderBase::default().content_location, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeaderBase {
    /// Content-Base (RFC 2110 4.2).
    pub content_base: Option<Box<[u8]>>,
    /// Content-Location (RFC 2557 4).
    pub content_location: Option<Box<[u8]>>,
}
