//! Attachments that the caller reads: archives, which the library does not know.

use super::encoded::reencoded;
use crate::error::{Error, ErrorKind};
use crate::notes::Note;
use linkglot_layer::{Decoded, Edit, Layer, TransferEncoding};
use linkglot_mail::structure::{Entity, MediaType};

/// The most encoded bytes by which an attachment is judged.
pub(super) const HEAD_OF_ATTACHMENT: usize = 4 << 10;

/// An attachment of a message, of a type that is not read.
#[derive(Debug)]
#[non_exhaustive]
pub struct Attachment<'a> {
    /// The number by [`MailPart::number`](crate::link::MailPart::number), in a mailbox behind that of the message:
    /// `12:1.2`.
    pub part: String,
    /// The name of the file, without directories. Empty if there is none.
    pub name: String,
    /// True if a signature in the message covers the attachment.
    pub is_signed: bool,
    /// True if a Content-Length counts its bytes.
    pub(crate) has_length: bool,
    /// True if the encodings of messages around it can be written.
    pub(crate) is_in_writable: bool,
    /// An error if the body is too long.
    pub(crate) body: Result<Body<'a>, Error>,
}

/// The body of an attachment, in its transfer encoding.
#[derive(Debug)]
pub(crate) struct Body<'a> {
    pub encoded: &'a [u8],
    pub decoded: Option<Decoded<'a>>,
    /// The line break around the body.
    pub line_break: &'static [u8],
}

/// A new body of an [`Attachment`], as edits of the old one.
#[derive(Debug)]
pub struct NewBody(pub(crate) Vec<Edit>);

impl Attachment<'_> {
    /// The bytes, without their transfer encoding. O(1).
    ///
    /// # Errors
    ///
    /// When they are too many.
    pub fn content(&self) -> Result<&[u8], Error> {
        let body = self.body.as_ref().map_err(Error::clone)?;
        Ok(body.decoded.as_ref().map_or(body.encoded, Decoded::bytes))
    }

    /// The reason why the message cannot hold another content, if there is one: a Content-Length, junk in base64,
    /// quoted-printable, where line breaks may change on the way. Linear.
    pub fn left(&self) -> Option<Note> {
        let body = self.body.as_ref().ok()?;
        let is_writable = match &body.decoded {
            Some(decoded) => decoded.layer() == Layer::Base64 && decoded.is_writable(),
            None => !ends_with_blank(body.encoded),
        };
        if self.has_length {
            return Some(Note::LeftSerialized);
        }
        (!is_writable || !self.is_in_writable).then_some(Note::LeftUnencodable)
    }

    /// The body with another content. Characters of base64 in front of the first change stay, and lines get no longer.
    /// Linear.
    ///
    /// # Errors
    ///
    /// When the message cannot hold the content, for a [reason](Self::left) in the message, or since a line of the
    /// content could begin a part or a message.
    pub fn with_content(&self, content: &[u8]) -> Result<NewBody, Error> {
        let body = self.body.as_ref().map_err(Error::clone)?;
        let edits = match &body.decoded {
            _ if self.left().is_some() => None,
            None => raw(body.encoded, content),
            Some(decoded) => {
                let edit = Edit {
                    range: 0..decoded.bytes().len(),
                    bytes: content.to_vec(),
                    number: 0,
                };
                reencoded(decoded, body.encoded, vec![edit], body.line_break)
            }
        };
        let refused = || {
            Error::new(
                ErrorKind::Container,
                "the message cannot hold the new content",
            )
        };
        edits.map(NewBody).ok_or_else(refused)
    }
}

/// The first bytes of lines that may end a body without an encoding.
const DELIMITERS: [&[u8]; 2] = [b"--", b"From "];

/// The edit for a body without an encoding. `None` if the new one may end elsewhere.
fn raw(old: &[u8], new: &[u8]) -> Option<Vec<Edit>> {
    let begins = |line: &[u8]| DELIMITERS.iter().any(|begin| line.starts_with(begin));
    let mut lines = memchr::memchr2_iter(b'\n', b'\r', new).map(|at| &new[at + 1..]);
    if begins(new) || lines.any(begins) || ends_with_blank(new) || new.is_empty() {
        return None;
    }
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    Some(vec![Edit {
        range: same..old.len(),
        bytes: new[same..].to_vec(),
        number: 0,
    }])
}

/// True if readers may disagree about the end of a body without an encoding.
fn ends_with_blank(body: &[u8]) -> bool {
    body.trim_ascii_end().len() < body.len()
}

/// The layer around the body of an entity whose header is in the window. `None` if the transfer encoding is not valid
/// for mail.
pub(super) fn layer(entity: &Entity, window: &[u8]) -> Option<Option<Layer>> {
    let label = entity.encoding.clone().map(|label| &window[label]);
    if label.is_some_and(TransferEncoding::is_of_files) {
        return None;
    }
    Some(label.and_then(|label| TransferEncoding::of_label(label).layer()))
}

/// The name of the file that an entity is, from the header in the window (RFC 2183 2.3, or the older parameter of the
/// type). Directories in it lead nowhere.
pub(super) fn attached_name(entity: &Entity, window: &[u8]) -> String {
    let mut fields = entity.fields.iter();
    let disposition = fields
        .find(|field| window[field.name.clone()].eq_ignore_ascii_case(b"content-disposition"))
        .and_then(|field| file_name(&window[field.value.clone()]));
    let name = disposition.or_else(|| entity.media_type.parameter("name").map(<[u8]>::to_vec));
    // Encoded words are not allowed in parameters, and usual (RFC 2047 section 5).
    let name = Layer::EncodedWords.decode(name.as_deref().unwrap_or_default());
    let name = String::from_utf8_lossy(name.bytes());
    let own = name.rsplit(['/', '\\']).next().unwrap_or_default();
    own.trim().to_owned()
}

/// The file name in a value of Content-Disposition, whose parameters are those of Content-Type.
fn file_name(disposition: &[u8]) -> Option<Vec<u8>> {
    let begin = memchr::memchr(b';', disposition)?;
    let value = [b"x/x", &disposition[begin..]].concat();
    let name = MediaType::parse(&value).parameter("filename")?.to_vec();
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::super::applied;
    use super::*;

    #[test]
    fn file_names() {
        for (value, expected) in [
            ("attachment; filename=a.zip", Some("a.zip")),
            (
                "attachment;\r\n filename=\"a b.zip\"; size=1",
                Some("a b.zip"),
            ),
            ("attachment; filename*=utf-8''%C3%A9.zip", Some("é.zip")),
            ("attachment", None),
            ("inline; name=a.zip", None),
        ] {
            let found = file_name(value.as_bytes());
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{value}");
        }
    }

    /// A line that could begin a part or a message, or white space at the end, is not written.
    #[test]
    fn bodies_without_an_encoding_keep_their_end() {
        for (new, is_written) in [
            (&b"ab\0d"[..], true),
            (b"ab\n-d", true),
            (b"ab\n--d", false),
            (b"ab\r--d", false),
            (b"--ab", false),
            (b"ab\nFrom d", false),
            (b"abd\r", false),
            (b"", false),
        ] {
            let edits = raw(b"abc", new);
            assert_eq!(edits.is_some(), is_written, "{}", new.escape_ascii());
            if let Some(edits) = edits {
                assert_eq!(applied(b"abc", &edits), new);
            }
        }
    }
}
