//! Attachments that the caller reads: archives, which the library does not know.

use crate::error::Error;
use linkglot_layer::{Layer, TransferEncoding};
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
    /// The bytes, without their transfer encoding; an error if they are too many.
    pub content: Result<&'a [u8], Error>,
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
}
