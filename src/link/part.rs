//! The part of a message that a document is.

use crate::charset::Charset;
use crate::format::Format;
use linkglot_mail::fields::FieldSyntax;

/// The part of a message, or the header field, around a link.
///
/// ```
/// use linkglot::{Document, Settings};
///
/// let message = b"Subject: a\nMIME-Version: 1.0\nList-Archive: <http://a.example/>\n\nhttp://b.example/\n";
/// let mut settings = Settings::default();
/// settings.format = Some(linkglot::Format::Mail);
/// let document = Document::new(message, &settings);
/// let parts = document.links().map(|link| link.part().unwrap().number().to_owned());
/// assert!(parts.eq(["/list-archive", "1"]));
/// ```
#[derive(Clone, Debug)]
pub struct MailPart {
    pub(crate) container: Format,
    pub(crate) message: u64,
    pub(crate) number: String,
    pub(crate) media_type: String,
    /// The charset that the header of the part declares.
    pub(crate) declared: Option<Charset>,
    /// The label of this charset. Mail clients take it as it stands.
    pub(crate) label: Option<String>,
    /// The syntax of references in the header field; `None` for a body, and for text.
    pub(crate) references: Option<FieldSyntax>,
    /// True if octets beyond ASCII may be written: the part is encoded, or declared as 8bit or binary (RFC 2045 6.2).
    pub(crate) allows_octets: bool,
    pub(crate) signed: Signed,
    /// True if a Content-Length around the part counts its bytes.
    pub(crate) has_length: bool,
    /// True if `Content-Base` or `Content-Location` give a base that is too long to be read.
    pub(crate) is_base_too_long: bool,
}

impl MailPart {
    /// The format of the document around the part: [`Format::Mail`] or [`Format::Mailbox`].
    ///
    /// ```
    /// use linkglot::{Document, Format, Settings};
    ///
    /// let mut settings = Settings::default();
    /// settings.format = Some(Format::Mail);
    /// let document = Document::new(b"Content-Type: text/html\n\n<a href=b>", &settings);
    /// let link = document.links().next().unwrap();
    /// assert_eq!(link.part().unwrap().container(), Format::Mail);
    /// assert_eq!(document.info_of(&link).format, Format::Html);
    /// ```
    pub fn container(&self) -> Format {
        self.container
    }

    /// The number of the message in its mailbox, from 1. Messages in messages do not count.
    ///
    /// ```
    /// use linkglot::{Document, Format, Settings};
    ///
    /// let mailbox = b"From a@b.example Mon Jan  1 00:00:00 2024\nSubject: a\n\nhttp://b.example/\n";
    /// let mut settings = Settings::default();
    /// settings.format = Some(Format::Mailbox);
    /// let document = Document::new(mailbox, &settings);
    /// assert_eq!(document.links().next().unwrap().part().unwrap().message(), 1);
    /// ```
    pub fn message(&self) -> u64 {
        self.message
    }

    /// The number of the part, as in IMAP (RFC 9051 6.4.5): `1.2`. A header field adds its name to the number of its
    /// part, which is empty for the message: `1.2/content-location`, `/list-archive`.
    ///
    /// ```
    /// use linkglot::{Document, Format, Settings};
    ///
    /// let mut settings = Settings::default();
    /// settings.format = Some(Format::Mail);
    /// let document = Document::new(b"Subject: a\n\nhttp://b.example/\n", &settings);
    /// assert_eq!(document.links().next().unwrap().part().unwrap().number(), "1");
    /// ```
    pub fn number(&self) -> &str {
        &self.number
    }

    /// The media type in lower case, without parameters.
    ///
    /// ```
    /// use linkglot::{Document, Format, Settings};
    ///
    /// let mut settings = Settings::default();
    /// settings.format = Some(Format::Mail);
    /// let document = Document::new(b"Content-Type: text/HTML\n\n<a href=b>", &settings);
    /// assert_eq!(document.links().next().unwrap().part().unwrap().media_type(), "text/html");
    /// ```
    pub fn media_type(&self) -> &str {
        &self.media_type
    }
}

/// Types of text that are UTF-8 unless their header says otherwise (RFC 5545 3.1.4, RFC 6350 3.1), or that have another
/// default.
const NOT_ASCII: [&str; 6] = [
    "text/calendar",
    "text/x-vcalendar",
    "text/vcard",
    "text/x-vcard",
    "text/directory",
    "text/css",
];

impl MailPart {
    /// True if text of the part is US-ASCII by default, without a charset in its header (RFC 2046 4.1.2).
    pub(crate) fn is_ascii_by_default(&self) -> bool {
        !NOT_ASCII.contains(&&*self.media_type) && !self.media_type.ends_with("xml")
    }

    /// True for a body, false for a header field.
    pub(crate) fn is_body(&self) -> bool {
        !self.number.contains('/')
    }

    /// The name and syntax of the header field that the document is, if it holds references.
    pub(crate) fn field(&self) -> Option<(&str, FieldSyntax)> {
        let (_, name) = self.number.rsplit_once('/')?;
        Some((name, self.references?))
    }
}

/// The bytes of a part that a signature around it covers, counted after transfer decoding, in the charset of the part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Signed {
    #[default]
    Nothing,
    All,
    /// Number of covered bytes at the start of the part.
    Begin(u64),
}

impl Signed {
    /// True if a byte is covered.
    pub fn covers(self, at: u64) -> bool {
        match self {
            Signed::Nothing => false,
            Signed::All => true,
            Signed::Begin(end) => at < end,
        }
    }
}
