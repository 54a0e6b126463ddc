//! Settings for reading documents.

use super::{MailPart, Nfc};
use crate::charset::Charset;
use crate::format::Format;
use crate::iri::QueryCharset;
use crate::markup::{CommentSlots, TextSlots, Vocabulary};
use crate::scan::{Breaks, Hosts, Profile, Scanner};
use std::sync::Arc;

/// Settings for reading documents. `Default` is the behaviour of the command line without options.
///
/// ```
/// use linkglot::{Document, Kind, Scanner, Settings};
///
/// let mut settings = Settings::default();
/// settings.scanner = Some(Scanner::default().kinds([Kind::Absolute]).add_schemes(["issue"]));
/// let document = Document::new(b"see issue:12, example.org and http://example.org/", &settings);
/// let links: Vec<_> = document.links().map(|link| link.text().to_owned()).collect();
/// assert_eq!(links, ["issue:12", "http://example.org/"]);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The format; `None`: by the name's extension, then by content.
    pub format: Option<Format>,
    /// The document's name (a path or a URL), for its extension.
    pub name: Option<String>,
    /// The charset; overrides everything but a BOM.
    pub charset: Option<Charset>,
    /// The charset that a header around the document declares, such as the `Content-Type` of HTTP; overrides the
    /// document's own declaration.
    pub declared_charset: Option<Charset>,
    /// The charset when nothing else decides: neither a declaration nor sure detection. `None`: windows-1252 for HTML,
    /// UTF-8 elsewhere.
    pub default_charset: Option<Charset>,
    /// The charsets of labels that documents declare and that no charset has. Spelling does not
    /// matter (`x-foo`, `X_FOO`).
    pub assumed_charsets: Vec<(String, Charset)>,
    /// The profile of the search for links in running text.
    pub detect: Profile,
    /// The line breaks that links of plain text go over, besides those in angle brackets.
    pub breaks: Breaks,
    /// The scanner that finds links in running text, with kinds, schemes and top-level domains of your own; replaces
    /// `detect`. It joins the line breaks of `breaks`, or those that a part of mail declares.
    pub scanner: Option<Scanner>,
    /// The base for relative references, if the document gives none.
    pub base: Option<Arc<str>>,
    /// True if identifiers that are no links to follow (Atom ids, system identifiers) are listed, too. Identifiers are
    /// never rewritten.
    pub identifiers: bool,
    /// The places of links in HTML and XML.
    pub vocabulary: Vocabulary,
    /// The running text of HTML and XHTML that is read.
    pub text: TextSlots,
    /// The comments of HTML and XML that are read.
    pub comments: CommentSlots,
    /// The most bytes of a slot; longer slots are left with a note. Blocks of Markdown and reStructuredText are read
    /// as a whole, up to 16 times this length.
    pub max_slot: usize,
    /// The charset of non-ASCII in http(s) queries; `None`: as in browsers, in the document's charset from HTML and
    /// XML, and in UTF-8 from style attributes and elsewhere.
    pub query_charset: Option<QueryCharset>,
    /// The links of documents in legacy charsets that are normalized to NFC.
    pub nfc: Nfc,
    /// True if links know their line and column. Costs a pass over the document.
    pub locate: bool,
    /// True if links of HTML know their [label](crate::Link::label). Costs a second pass over the text of links.
    pub labels: bool,
    /// True if the text of header fields of mail is read (Subject, Comments ...), besides the fields that hold links.
    pub header_text: bool,
    /// True for attachments of mail that the caller reads, with [`read_attachments`](crate::stream::read_attachments):
    /// by the name (empty if there is none) and the first bytes, 512 if it has as many. Asked for attachments of types
    /// that are not read. Rewriting leaves them in any case.
    pub attachments: Option<fn(&str, &[u8]) -> bool>,
    /// The part of a message that the document is.
    pub(crate) part: Option<Arc<MailPart>>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            format: None,
            name: None,
            charset: None,
            declared_charset: None,
            default_charset: None,
            assumed_charsets: Vec::new(),
            detect: Profile::default(),
            breaks: Breaks::NONE,
            scanner: None,
            base: None,
            identifiers: false,
            vocabulary: Vocabulary::default(),
            text: TextSlots::Prose,
            comments: CommentSlots::None,
            max_slot: 1 << 20,
            query_charset: None,
            nfc: Nfc::Auto,
            locate: false,
            labels: false,
            header_text: false,
            attachments: None,
            part: None,
        }
    }
}

/// The charset that the caller assumes for an unknown label.
pub(crate) fn assumed_charset(assumed: &[(String, Charset)], label: &str) -> Option<Charset> {
    let mut assumed = assumed.iter();
    let found = assumed.find(|(known, _)| Charset::is_same_label(known, label));
    found.map(|(_, charset)| *charset)
}

impl Settings {
    /// The scanner that takes names of these hosts for links ([`Scanner::known_hosts`]).
    pub(crate) fn with_hosts(&self, hosts: &Hosts) -> Scanner {
        self.scanner(Format::Text).known_hosts(hosts.clone())
    }

    /// The scanner that finds links in running text of this format.
    pub(crate) fn scanner(&self, format: Format) -> Scanner {
        let scanner = match &self.scanner {
            Some(scanner) => scanner.clone(),
            None => Scanner::new(self.detect),
        };
        scanner.join(match format {
            Format::Text => self.breaks,
            // White space of markup never joins links.
            _ => Breaks::NONE,
        })
    }
}
