//! How the parts of a message are read, by their media types.

use crate::format::Format;

/// How the body of a part is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// As a document.
    Document(Format),
    /// As header fields.
    Fields,
    /// Not: it holds no text.
    Skipped,
    /// Not: it is encrypted.
    Encrypted,
}

#[cfg(feature = "markdown")]
const MARKDOWN: Format = Format::Markdown;
#[cfg(not(feature = "markdown"))]
const MARKDOWN: Format = Format::Text;

const TYPES: &[(&str, Reading)] = &[
    ("text/html", Reading::Document(Format::Html)),
    ("text/x-amp-html", Reading::Document(Format::Html)),
    ("text/xml", Reading::Document(Format::Xml)),
    ("application/xml", Reading::Document(Format::Xml)),
    ("text/css", Reading::Document(Format::Css)),
    ("text/markdown", Reading::Document(MARKDOWN)),
    ("text/x-markdown", Reading::Document(MARKDOWN)),
    ("text/prs.fallenstein.rst", Reading::Document(Format::Rst)),
    ("text/x-rst", Reading::Document(Format::Rst)),
    ("text/calendar", Reading::Document(Format::Calendar)),
    ("text/x-vcalendar", Reading::Document(Format::Calendar)),
    ("text/vcard", Reading::Document(Format::VCard)),
    ("text/x-vcard", Reading::Document(Format::VCard)),
    ("text/directory", Reading::Document(Format::VCard)),
    ("text/rfc822-headers", Reading::Fields),
    ("message/delivery-status", Reading::Fields),
    ("message/global-delivery-status", Reading::Fields),
    ("message/disposition-notification", Reading::Fields),
    ("message/global-headers", Reading::Fields),
    ("message/feedback-report", Reading::Fields),
    ("application/pgp-encrypted", Reading::Encrypted),
];

/// The types of S/MIME (RFC 8551 3.2); the older names are still written.
const S_MIME: [&str; 2] = ["application/pkcs7-mime", "application/x-pkcs7-mime"];

/// The S/MIME types whose content is not encrypted (RFC 8551 3.2.2).
const OPEN: [&str; 3] = ["signed-data", "certs-only", "compressed-data"];

/// How a part with a media type, in lower case, is read.
pub(super) fn reading(media_type: &str, smime_type: Option<&str>) -> Reading {
    if let Some((_, reading)) = TYPES.iter().find(|(known, _)| *known == media_type) {
        return *reading;
    }
    if S_MIME.contains(&media_type) {
        let is_open = smime_type.is_some_and(|kind| {
            let mut open = OPEN.iter();
            open.any(|open| open.eq_ignore_ascii_case(kind))
        });
        return match is_open {
            true => Reading::Skipped,
            false => Reading::Encrypted,
        };
    }
    match media_type {
        _ if media_type.ends_with("+xml") => Reading::Document(Format::Xml),
        _ if media_type.starts_with("text/") => Reading::Document(Format::Text),
        _ => Reading::Skipped,
    }
}

/// The format of a document with a media type, in lower case, that is no part of a message.
pub(crate) fn format_of(media_type: &str) -> Option<Format> {
    match reading(media_type, None) {
        Reading::Document(format) => Some(format),
        Reading::Fields => Some(Format::Text),
        Reading::Skipped | Reading::Encrypted => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types() {
        let cases = [
            ("text/plain", None, Reading::Document(Format::Text)),
            ("text/enriched", None, Reading::Document(Format::Text)),
            (
                "application/xhtml+xml",
                None,
                Reading::Document(Format::Xml),
            ),
            ("image/png", None, Reading::Skipped),
            (
                "application/pkcs7-mime",
                Some("Signed-Data"),
                Reading::Skipped,
            ),
            (
                "application/pkcs7-mime",
                Some("enveloped-data"),
                Reading::Encrypted,
            ),
            ("application/pkcs7-mime", None, Reading::Encrypted),
        ];
        for (media_type, smime_type, expected) in cases {
            assert_eq!(reading(media_type, smime_type), expected, "{media_type}");
        }
    }
}
