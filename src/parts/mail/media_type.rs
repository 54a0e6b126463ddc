//! Media types of the parts of a message, with the way to read each.

use crate::format::Format;
use crate::link::UnreadReason;

/// The way to read the body of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypeReading {
    /// As a document.
    Document(Format),
    /// As header fields.
    Fields,
    /// Not at all, for a reason.
    Unread(UnreadReason),
    /// Not at all: a signature, a key, or a body that is elsewhere.
    Skipped,
}

#[cfg(feature = "markdown")]
const MARKDOWN: Format = Format::Markdown;
#[cfg(not(feature = "markdown"))]
const MARKDOWN: Format = Format::Text;

const TYPES: &[(&str, TypeReading)] = &[
    ("text/html", TypeReading::Document(Format::Html)),
    ("text/x-amp-html", TypeReading::Document(Format::Html)),
    ("text/xml", TypeReading::Document(Format::Xml)),
    ("application/xml", TypeReading::Document(Format::Xml)),
    ("text/css", TypeReading::Document(Format::Css)),
    ("text/markdown", TypeReading::Document(MARKDOWN)),
    ("text/x-markdown", TypeReading::Document(MARKDOWN)),
    (
        "text/prs.fallenstein.rst",
        TypeReading::Document(Format::Rst),
    ),
    ("text/x-rst", TypeReading::Document(Format::Rst)),
    ("text/rtf", TypeReading::Document(Format::Rtf)),
    ("application/rtf", TypeReading::Document(Format::Rtf)),
    ("text/calendar", TypeReading::Document(Format::Calendar)),
    ("text/x-vcalendar", TypeReading::Document(Format::Calendar)),
    ("text/vcard", TypeReading::Document(Format::VCard)),
    ("text/x-vcard", TypeReading::Document(Format::VCard)),
    ("text/directory", TypeReading::Document(Format::VCard)),
    ("text/rfc822-headers", TypeReading::Fields),
    ("message/delivery-status", TypeReading::Fields),
    ("message/global-delivery-status", TypeReading::Fields),
    ("message/disposition-notification", TypeReading::Fields),
    ("message/global-headers", TypeReading::Fields),
    ("message/feedback-report", TypeReading::Fields),
    (
        "application/pgp-encrypted",
        TypeReading::Unread(UnreadReason::Encrypted),
    ),
    ("message/external-body", TypeReading::Skipped),
    ("application/pgp-signature", TypeReading::Skipped),
    ("application/pgp-keys", TypeReading::Skipped),
    ("application/pkcs7-signature", TypeReading::Skipped),
    ("application/x-pkcs7-signature", TypeReading::Skipped),
    (
        "application/ms-tnef",
        TypeReading::Unread(UnreadReason::Tnef),
    ),
    (
        "application/vnd.ms-tnef",
        TypeReading::Unread(UnreadReason::Tnef),
    ),
];

/// Media without text.
const MEDIA: [&str; 4] = ["image/", "audio/", "video/", "font/"];

/// The types of S/MIME (RFC 8551 3.2); the older names are still in use.
const S_MIME: [&str; 2] = ["application/pkcs7-mime", "application/x-pkcs7-mime"];

/// The S/MIME types whose content is not encrypted (RFC 8551 3.2.2).
const OPEN: [&str; 3] = ["signed-data", "certs-only", "compressed-data"];

/// Tells how to read a part with a media type in lower case. The name decides where the type says nothing.
pub(super) fn reading(
    media_type: &str,
    smime_type: Option<&str>,
    name: Option<&str>,
) -> TypeReading {
    if let Some((_, reading)) = TYPES.iter().find(|(known, _)| *known == media_type) {
        return *reading;
    }
    if S_MIME.contains(&media_type) {
        let is_open = smime_type.is_some_and(|kind| {
            let mut open = OPEN.iter();
            open.any(|open| open.eq_ignore_ascii_case(kind))
        });
        return TypeReading::Unread(if is_open {
            UnreadReason::Pkcs7
        } else {
            UnreadReason::Encrypted
        });
    }
    match media_type {
        "application/octet-stream" => TypeReading::Unread(reason_of_name(name)),
        _ if media_type.ends_with("+xml") => TypeReading::Document(Format::Xml),
        _ if media_type.starts_with("text/") => TypeReading::Document(Format::Text),
        _ if MEDIA.iter().any(|media| media_type.starts_with(media)) => {
            TypeReading::Unread(UnreadReason::Media)
        }
        _ => TypeReading::Unread(UnreadReason::Binary),
    }
}

/// The reason that an attachment without a type is unread, from its name (RFC 8551 3.2.1 for `.p7m`).
fn reason_of_name(name: Option<&str>) -> UnreadReason {
    let name = name.unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match () {
        () if name.eq_ignore_ascii_case("winmail.dat") => UnreadReason::Tnef,
        () if extension.eq_ignore_ascii_case("p7m") => UnreadReason::Pkcs7,
        () => UnreadReason::Binary,
    }
}

impl Format {
    /// The format of documents of a media type, without its parameters; `None` if the type says nothing.
    ///
    /// ```
    /// use linkglot::Format;
    ///
    /// assert_eq!(Format::for_media_type("application/rss+xml"), Some(Format::Xml));
    /// assert_eq!(Format::for_media_type("Message/RFC822"), Some(Format::Mail));
    /// assert_eq!(Format::for_media_type("image/png"), None);
    /// ```
    pub fn for_media_type(media_type: &str) -> Option<Format> {
        match media_type.trim().to_ascii_lowercase().as_str() {
            "message/rfc822" | "message/global" | "multipart/related" => Some(Format::Mail),
            "application/mbox" => Some(Format::Mailbox),
            "application/json" => Some(Format::Json),
            "application/x-ndjson" | "application/jsonl" => Some(Format::JsonLines),
            json if json.ends_with("+json") => Some(Format::Json),
            other => format_of(other),
        }
    }
}

/// The format of a document outside of mail, from its media type in lower case.
fn format_of(media_type: &str) -> Option<Format> {
    match reading(media_type, None, None) {
        TypeReading::Document(format) => Some(format),
        TypeReading::Fields => Some(Format::Text),
        TypeReading::Skipped | TypeReading::Unread(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types() {
        let cases = [
            ("text/plain", None, TypeReading::Document(Format::Text)),
            ("text/enriched", None, TypeReading::Document(Format::Text)),
            (
                "application/xhtml+xml",
                None,
                TypeReading::Document(Format::Xml),
            ),
            ("image/png", None, TypeReading::Unread(UnreadReason::Media)),
            ("application/pgp-signature", None, TypeReading::Skipped),
            (
                "application/pkcs7-mime",
                Some("Signed-Data"),
                TypeReading::Unread(UnreadReason::Pkcs7),
            ),
            (
                "application/pkcs7-mime",
                Some("enveloped-data"),
                TypeReading::Unread(UnreadReason::Encrypted),
            ),
            (
                "application/pkcs7-mime",
                None,
                TypeReading::Unread(UnreadReason::Encrypted),
            ),
        ];
        for (media_type, smime_type, expected) in cases {
            assert_eq!(
                reading(media_type, smime_type, None),
                expected,
                "{media_type}"
            );
        }
    }

    #[test]
    fn attachments_of_no_type_have_names() {
        let cases = [
            (None, UnreadReason::Binary),
            (Some("a.zip"), UnreadReason::Binary),
            (Some("WinMail.dat"), UnreadReason::Tnef),
            (Some("smime.p7m"), UnreadReason::Pkcs7),
        ];
        for (name, expected) in cases {
            let found = reading("application/octet-stream", None, name);
            assert_eq!(found, TypeReading::Unread(expected), "{name:?}");
        }
    }
}
