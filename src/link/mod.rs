//! Links: references at places in a document, and the search for them.
//!
//! The module brings the rooms below together: the tokenizers of `markup` find slots, `values` and the scanner find
//! links in them. The module opens nothing and writes nothing.

mod base;
mod budget;
mod context;
mod document_reader;
mod entity;
mod guess;
mod label;
mod layers;
mod linker;
mod locate;
mod malformed;
mod nesting;
mod nfc;
mod open;
mod part;
mod part_place;
mod queries;
mod relative;
mod rendering;
mod settings;
mod signed_text;
mod slot_reader;
mod template_code;
mod template_markup;
mod unread;
pub(crate) mod unwrap;
mod warnings;
mod window_link;

pub(crate) use base::{Base, LONGEST_BASE, declares_base};
pub(crate) use budget::{Budget, Excess, new_links_too_long, over_budget};
pub(crate) use context::{LinkContext, SharedContext};
pub(crate) use document_reader::DocumentReader;
pub(crate) use guess::{is_other_mailbox, is_xhtml};
pub(crate) use layers::Layers;
pub(crate) use linker::Linker;
pub(crate) use locate::Locator;
pub(crate) use malformed::DoubtfulBytes;
pub(crate) use nesting::Nesting;
pub use nfc::Nfc;
pub(crate) use nfc::Normalizer;
pub(crate) use open::{document_reader, is_format_steady, open, sniffed};
pub use part::MailPart;
pub(crate) use part::Signed;
pub(crate) use part_place::PartPlace;
pub(crate) use queries::{Queries, QueryCharsets, is_text};
pub(crate) use relative::{as_parsed, is_network_path, is_relative, is_scheme_relative};
pub(crate) use rendering::{Rendering, has_quirks};
pub use settings::Settings;
pub(crate) use settings::assumed_charset;
pub(crate) use signed_text::SignedText;
pub(crate) use slot_reader::{SlotReader, has_directives_beside};
pub(crate) use template_code::{
    Dialect, code_in, expression_in, has_directive, has_expression, has_stray_percent,
};
pub use unread::{UnreadParts, UnreadReason};
pub(crate) use warnings::warnings_of;
pub(crate) use window_link::{Length, Measure, WindowLink};

use crate::charset::{
    Certainty, Charset, CharsetFrom, DeclarationSyntax, KnownBytes, UnknownDeclaration,
};
use crate::error::Error;
use crate::format::Format;
pub(crate) use crate::iri::scheme::of as scheme_of;
use crate::iri::target::Reading;
use crate::iri::{mail_address, mailto};
use crate::markup::{Access, Escaping, Name, Place, PlaceKind, Window};
use crate::notes::{Note, Notes};
use crate::scan::Evidence;
use crate::span::SourceSpan;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// The properties of a document as a whole.
///
/// ```
/// use linkglot::{CharsetFrom, Document, Settings};
///
/// let page = b"<meta charset=koi8-r><base href='http://example.org/a/'>";
/// let document = Document::new(page, &Settings::default());
/// let info = document.info();
/// assert_eq!(info.charset.name(), "KOI8-R");
/// assert_eq!(info.charset_from, CharsetFrom::Declaration);
/// assert_eq!(info.base.as_deref(), Some("http://example.org/a/"));
/// ```
#[derive(Clone, Debug)]
pub struct Info {
    /// The format.
    pub format: Format,
    /// The charset.
    pub charset: Charset,
    /// The source of the charset: a declaration, a guess ...
    pub charset_from: CharsetFrom,
    /// Certainty of the charset. The default of HTML and a charset detected from little evidence are unsure. No output
    /// rests on an unsure charset: links that depend on it are left with the note [`Note::CharsetUnsure`].
    ///
    /// ```
    /// use linkglot::{Certainty, Document, Settings};
    ///
    /// let certainty = |page| Document::new(page, &Settings::default()).info().certainty;
    /// assert_eq!(certainty(b"<a href=b>"), Certainty::Unsure);
    /// assert_eq!(certainty(b"<meta charset=utf-8><a href=b>"), Certainty::Sure);
    /// ```
    pub certainty: Certainty,
    /// The bytes beyond ASCII whose characters are known, if the charset is certain.
    pub(crate) known: KnownBytes,
    /// True if readers take the label of the charset as it stands: they are no browsers.
    pub(crate) has_label: bool,
    /// Place where the document may declare its charset.
    pub(crate) declaration: DeclarationSyntax,
    /// The declaration of an unknown charset. A document with one is not read: it has no links, and rewriting changes
    /// nothing. Its `charset` is "replacement". [`Settings::charset`] or [`Settings::assumed_charsets`] can give the
    /// charset.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let page = b"<meta charset=x-foo>http://example.org/";
    /// let document = Document::new(page, &Settings::default());
    /// let unknown = document.info().unknown_charset.as_ref().unwrap();
    /// assert_eq!((unknown.label.as_str(), unknown.at), ("x-foo", 14));
    /// assert_eq!(document.links().count(), 0);
    /// ```
    pub unknown_charset: Option<UnknownDeclaration>,
    /// The charset of non-ASCII characters in http(s) queries: the caller's choice, or else the charset of the document
    /// in HTML and in XML that browsers display, and UTF-8 elsewhere. Queries in style attributes and in data formats
    /// of XML are in UTF-8 unless the caller chooses otherwise.
    pub query_charset: Charset,
    /// The charsets of queries, place by place.
    pub(crate) query_charsets: QueryCharsets,
    /// True for HTML or XHTML, in whose running text browsers find links with queries in the charset of the document.
    pub(crate) is_hypertext: bool,
    /// True if code of PHP is told from markup.
    pub(crate) has_php: bool,
    /// True if the charset is none of Unicode's, so that links may be normalized to NFC (RFC 3987 3.1 step 1b).
    pub(crate) is_legacy: bool,
    /// The base for relative references, if the document or the caller gives one. The base of the document (the first
    /// `<base href>`) counts if it begins in the first [`linkglot_charset::EXTENDED_HEAD`] bytes; links behind a later
    /// one have no base. Elements of XML can have their own base; see [`Link::base`].
    pub base: Option<Arc<str>>,
    /// True if the base has letters of a charset that is a guess.
    pub(crate) is_base_guessed: bool,
    /// True if the document names a base that is too long to be read.
    pub(crate) is_base_too_long: bool,
    /// True if the base, or its absence, is that of the first `<base href>`.
    pub(crate) has_base_element: bool,
    /// The template language, as far as it decides what is code.
    pub(crate) dialect: Dialect,
    /// True if only the content tells that the document is XHTML: it may be published as HTML.
    pub(crate) may_be_html: bool,
    /// The part of a message that the document is.
    pub(crate) part: Option<Arc<MailPart>>,
    /// The parts of a message or mailbox that were not read.
    pub unread: UnreadParts,
    /// The first byte that is running text because the document is malformed, once it was read. Copies share it.
    pub(crate) text_from: Arc<OnceLock<u64>>,
}

impl Info {
    /// The part of a message that the document is; `None` for a document that is no part.
    ///
    /// ```
    /// use linkglot::{Document, Format, Settings};
    ///
    /// let mut settings = Settings::default();
    /// settings.format = Some(Format::Mail);
    /// let document = Document::new(b"Content-Type: text/html\n\n<a href=b>", &settings);
    /// let link = document.links().next().unwrap();
    /// assert_eq!(document.info_of(&link).part().unwrap().number(), "1");
    /// ```
    pub fn part(&self) -> Option<&MailPart> {
        self.part.as_deref()
    }

    /// The format of the document; of a part of mail, that of the message.
    ///
    /// ```
    /// use linkglot::{Document, Format, Settings};
    ///
    /// let mut settings = Settings::default();
    /// settings.format = Some(Format::Mail);
    /// let document = Document::new(b"Content-Type: text/html\n\n<a href=b>", &settings);
    /// let link = document.links().next().unwrap();
    /// let info = document.info_of(&link);
    /// assert_eq!((info.format, info.document_format()), (Format::Html, Format::Mail));
    /// ```
    pub fn document_format(&self) -> Format {
        self.part().map_or(self.format, MailPart::container)
    }

    /// The first byte of the source from which the document, or the rest of a line, is read as running text, because it
    /// is malformed there or was not understood. `None` as long as the document is not read up to there, in another
    /// charset (`--to-charset`), and for messages, whose parts have it.
    ///
    /// ```
    /// use linkglot::notes::Note;
    /// use linkglot::{Document, Format, Settings};
    ///
    /// let mut settings = Settings::default();
    /// settings.format = Some(Format::Json);
    /// let document = Document::new(b"['a', \"http://a.example/\"]", &settings);
    /// assert!(document.links().all(|link| link.notes().contains(Note::ReadAsText)));
    /// assert_eq!(document.info().text_from(), Some(1));
    /// ```
    pub fn text_from(&self) -> Option<u64> {
        self.text_from.get().copied()
    }

    /// Takes note that running text begins at a byte of the source. The first one counts.
    pub(crate) fn read_as_text(&self, from: u64) {
        let _ = self.text_from.set(from);
    }

    /// A copy for a document whose bytes may differ: its end is cut off for a trial, or it has another charset.
    pub(crate) fn apart(&self) -> Info {
        Info {
            text_from: Arc::default(),
            ..self.clone()
        }
    }

    /// True if a mark, the caller or a declaration gives the charset, rather than the bytes or the format.
    pub(crate) fn is_charset_said(&self) -> bool {
        let guessed = [CharsetFrom::Detection, CharsetFrom::Default];
        !guessed.contains(&self.charset_from)
    }

    /// The bytes beyond ASCII that are surely read: those that detection knows. A mark, the caller, a declaration or a
    /// default tells all.
    pub(crate) fn known_to_read(&self) -> KnownBytes {
        if self.charset_from == CharsetFrom::Detection && !self.charset.is_unicode() {
            self.known
        } else {
            KnownBytes::ALL
        }
    }

    /// True if the start of the document is ASCII, read as UTF-8 by default, so that the rest may be evidence for
    /// UTF-8.
    pub(crate) fn may_prove_utf_8(&self) -> bool {
        self.charset == Charset::UTF_8 && self.charset_from == CharsetFrom::Default
    }

    /// True if both documents belong to one part of a message.
    pub(crate) fn is_of_part(&self, other: &Info) -> bool {
        match (&self.part, &other.part) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }

    /// The same document in another charset.
    pub(crate) fn in_charset(&self, charset: Charset, settings: &Settings) -> Info {
        let query_charsets = QueryCharsets::of(settings, self.format, charset, self.is_hypertext);
        Info {
            charset,
            query_charset: query_charsets.document,
            query_charsets,
            is_legacy: !charset.is_unicode(),
            ..self.clone()
        }
    }

    /// The bytes beyond ASCII that the document can have in another charset, which it declares by its name.
    pub(crate) fn known_in(&self, charset: Charset) -> KnownBytes {
        if self.has_label {
            KnownBytes::of_label(charset.name())
        } else {
            KnownBytes::ALL
        }
    }

    /// The same document once decoded: in UTF-8, with the same charsets of queries.
    pub(crate) fn decoded(&self) -> Info {
        Info {
            charset: Charset::UTF_8,
            ..self.apart()
        }
    }

    /// Number of bytes at the start of a document that decide about its format and charset. If hardly any of them are
    /// beyond ASCII, [`linkglot_charset::EXTENDED_HEAD`] bytes decide the charset; so many are searched for the base.
    ///
    /// ```
    /// assert_eq!(linkglot::link::Info::HEAD, linkglot_charset::HEAD);
    /// ```
    pub const HEAD: usize = 64 * 1024;
}

/// A reference at a place in a document.
///
/// ```
/// use linkglot::{Document, PlaceKind, Settings};
///
/// let page = "<p>www.example.org</p>\n<a href='caf&eacute;'>";
/// let mut settings = Settings::default();
/// settings.locate = true;
/// let document = Document::new(page.as_bytes(), &settings);
/// let links: Vec<_> = document.links().collect();
///
/// assert_eq!((links[0].text(), links[0].implied()), ("www.example.org", Some("https")));
/// assert_eq!(links[0].place().kind, PlaceKind::Text);
/// assert_eq!((links[1].raw().as_ref(), links[1].text()), ("caf&eacute;", "café"));
/// assert_eq!((links[1].span().start, links[1].span().len()), (32, 11));
/// assert_eq!(links[1].location().map(|at| (at.line, at.column)), Some((2, 10)));
/// ```
#[derive(Clone, Debug)]
pub struct Link<'d> {
    span: SourceSpan,
    context: SharedContext,
    raw: Cow<'d, [u8]>,
    part: Option<Arc<MailPart>>,
    view: Charset,
    text: LinkText<'d>,
    implied: Option<&'static str>,
    evidence: Evidence,
    notes: Notes,
    location: Option<Location>,
    label: Option<Box<str>>,
}

/// The text of a link.
#[derive(Clone, Debug)]
enum LinkText<'d> {
    Known(Cow<'d, str>),
    /// The text of the raw link, which has no escapes.
    Decoded(Cow<'d, str>),
    /// The text of the raw link, decoded on demand, once.
    OfRaw(OnceLock<Box<str>>),
    /// No text: the document is not read on.
    Unread(Excess),
}

/// A line and a column, both from 1.
///
/// ```
/// use linkglot::{Document, Settings};
///
/// let mut settings = Settings::default();
/// settings.locate = true;
/// let document = Document::new(b"one\nand a.org", &settings);
/// let link = document.links().next().unwrap();
/// let location = link.location().unwrap();
/// assert_eq!((location.line, location.column), (2, 5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The line; LF, CR and CR LF end a line.
    pub line: u64,
    /// The column, in characters.
    pub column: u64,
}

impl<'d> Link<'d> {
    /// Builds the link, taking its text out of `found`.
    #[inline]
    pub(crate) fn taken(
        found: &mut WindowLink<'d>,
        window: &Window<'d>,
        span: SourceSpan,
        location: Option<Location>,
    ) -> Self {
        Link {
            span,
            raw: Cow::Borrowed(window.bytes.get(found.range.clone()).unwrap_or(&[])),
            part: None,
            view: window.charset,
            context: found.context.take(),
            text: match found.text.take_known() {
                Some(text) if found.text.is_of_raw() => LinkText::Decoded(text),
                Some(text) => LinkText::Known(text),
                None => LinkText::OfRaw(OnceLock::new()),
            },
            implied: found.implied,
            evidence: found.evidence,
            notes: found.notes,
            location,
            label: found.label.take(),
        }
    }

    /// A note about a slot that is too long to be read: there is no text.
    pub(crate) fn too_long(
        at: u64,
        place: Place,
        view: Charset,
        location: Option<Location>,
    ) -> Self {
        let context = LinkContext {
            layers: Layers::one(Escaping::None),
            place: place.into(),
            nesting: Nesting::NONE,
            access: Access::List,
            under: Base::Document,
            template: false,
            is_in_format: false,
            is_whole_value: false,
        };
        Link {
            span: SourceSpan { start: at, end: at },
            raw: Cow::Borrowed(&[]),
            part: None,
            view,
            context: context.shared(),
            text: LinkText::Known(Cow::Borrowed("")),
            implied: None,
            evidence: Evidence::Markup,
            notes: Note::TooLong.into(),
            location,
            label: None,
        }
    }

    /// The same link at other source bytes.
    pub(crate) fn at(&self, span: SourceSpan) -> Self {
        Link {
            span,
            ..self.clone()
        }
    }

    /// The same link without a borrow.
    ///
    /// ```
    /// use linkglot::{Document, Link, Settings};
    ///
    /// let link: Link<'static> = {
    ///     let document = Document::new(b"see a.org", &Settings::default());
    ///     document.links().next().unwrap().into_owned()
    /// };
    /// assert_eq!(link.text(), "a.org");
    /// ```
    pub fn into_owned(self) -> Link<'static> {
        let owned = |text: Cow<'d, str>| Cow::Owned(text.into_owned());
        Link {
            span: self.span,
            context: self.context,
            raw: Cow::Owned(self.raw.into_owned()),
            part: self.part,
            view: self.view,
            text: match self.text {
                LinkText::Known(text) => LinkText::Known(owned(text)),
                LinkText::Decoded(text) => LinkText::Decoded(owned(text)),
                LinkText::OfRaw(text) => LinkText::OfRaw(text),
                LinkText::Unread(excess) => LinkText::Unread(excess),
            },
            implied: self.implied,
            evidence: self.evidence,
            notes: self.notes,
            location: self.location,
            label: self.label,
        }
    }

    pub(crate) fn set_part(&mut self, part: Option<Arc<MailPart>>) {
        self.part = part;
    }

    /// The part of a message, or its header field, around the link; `None` in documents that are no mail.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"see a.org", &Settings::default());
    /// assert!(document.links().next().unwrap().part().is_none());
    /// ```
    pub fn part(&self) -> Option<&MailPart> {
        self.part.as_deref()
    }

    /// The stand-in for the rest of a document that is over its budget, like that for an overlong slot.
    pub(crate) fn into_over_budget(self, excess: Excess) -> Self {
        Link {
            text: LinkText::Unread(excess),
            notes: Note::OverBudget.into(),
            ..self
        }
    }

    /// The reason why the document is not read on behind this link, which then has no text: the links are many times as
    /// long as the document. `None` for all other links. [`read_links`](crate::stream::read_links) gives the same
    /// error.
    ///
    /// ```
    /// use linkglot::{Document, ErrorKind, Settings};
    ///
    /// let page = format!("<base href='http://a.example/{}/'>{}", "b".repeat(2000), "<a href=c>".repeat(1000));
    /// let document = Document::new(page.as_bytes(), &Settings::default());
    /// let last = document.links().last().unwrap();
    /// assert_eq!(last.error().unwrap().kind(), ErrorKind::OverBudget);
    /// assert!(document.links().count() < 1000);
    /// ```
    pub fn error(&self) -> Option<Error> {
        match self.text {
            LinkText::Unread(excess) => Some(over_budget(self.span.start, excess)),
            _ => None,
        }
    }

    pub(crate) fn add_notes(&mut self, notes: Notes) {
        self.notes.extend(notes);
    }

    /// The properties that the link shares with other links of its place.
    pub(crate) fn context(&self) -> &LinkContext {
        &self.context
    }

    /// The escapes of the place.
    pub(crate) fn layers(&self) -> Layers {
        self.context.layers
    }

    /// The base of the link.
    pub(crate) fn under(&self) -> &Base {
        &self.context.under
    }

    /// The source bytes of the raw link, from the first byte of the document.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"see a.org", &Settings::default());
    /// let link = document.links().next().unwrap();
    /// assert_eq!((link.span().start, link.span().end), (4, 9));
    /// ```
    pub fn span(&self) -> SourceSpan {
        self.span
    }

    /// The place of the link: attribute, text, style sheet ...
    ///
    /// ```
    /// use linkglot::{Document, PlaceKind, Settings};
    ///
    /// let document = Document::new(b"<a href=b>", &Settings::default());
    /// let link = document.links().next().unwrap();
    /// let place = link.place();
    /// assert_eq!(place.kind, PlaceKind::Attribute);
    /// assert_eq!(place.name.as_deref(), Some("href"));
    /// ```
    pub fn place(&self) -> &Place {
        &self.context.place
    }

    /// The nested documents around the link, outermost first, by the names of the attributes or elements that hold
    /// them: `srcdoc`, then `style` for a link in a style attribute of a document in a `srcdoc`. Empty for a link of
    /// the document itself.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let page = b"<p><iframe srcdoc=\"<p style='background:url(x.png)'>\">";
    /// let document = Document::new(page, &Settings::default());
    /// let link = document.links().next().unwrap();
    /// assert_eq!(link.nesting().iter().map(|name| &**name).collect::<Vec<_>>(), ["srcdoc", "style"]);
    /// ```
    pub fn nesting(&self) -> &[Name] {
        self.context.nesting.as_slice()
    }

    /// The base in force: of `xml:base` around the link, of the `<base href>` of a nested document, or of the document
    /// (`info`). `None` without a base, or if it is unknown.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"<base href=http://a.example/>", &Settings::default());
    /// let link = document.links().next().unwrap();
    /// assert_eq!(document.links().count(), 1);
    /// // The base element itself resolves against what was there without it.
    /// assert_eq!(link.base(document.info()), None);
    /// ```
    pub fn base<'b>(&'b self, info: &'b Info) -> Option<&'b str> {
        self.context.under.or(info.base.as_deref())
    }

    /// The target: the URL that a browser makes of the link (URL Standard 4.4), against the base in force, with the
    /// query in the document's charset where browsers use it. A link without a scheme in running text gets the implied
    /// scheme; a `\` in Markdown counts as `%5C`, as rendered. `None` if the link is no URL, is relative to an unknown
    /// base, or holds expressions or template code (`{{x}}`, `<?= x ?>`). O(length of the link and the base).
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let page = b"<?xml version='1.0'?><a xml:base='http://a.example/b/'><c xml:base='d/' href='../e'/></a>";
    /// let document = Document::new(page, &Settings::default());
    /// let last = document.links().last().unwrap();
    /// assert_eq!(last.resolved(document.info()).as_deref(), Some("http://a.example/b/e"));
    /// ```
    pub fn resolved(&self, info: &Info) -> Option<String> {
        let text = self.text();
        let unfilled = self.context.template && text.contains(['{', '}'])
            || info.dialect.code_in(text).is_some()
            || self.notes().contains(Note::LeftTemplate)
            || self.place().kind == PlaceKind::Text && has_expression(text);
        if text.is_empty() || unfilled {
            return None;
        }
        let reading = Reading {
            base: self.base(info),
            query: Queries::at(self.place(), self.layers()).charset(info.query_charsets),
        };
        let whole = with_implied(text, self.implied);
        let rendered = Rendering::of(self.layers()).text(&whole);
        let is_known = reading.base.is_some() || !is_relative(&as_parsed(&rendered));
        reading.resolve(&rendered).filter(|_| is_known)
    }

    /// The link as written in the source, decoded but not unescaped. O(length).
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"<a href='b&amp;c'>", &Settings::default());
    /// let link = document.links().next().unwrap();
    /// assert_eq!((link.raw().as_ref(), link.text()), ("b&amp;c", "b&c"));
    /// ```
    pub fn raw(&self) -> Cow<'_, str> {
        match self.text {
            LinkText::OfRaw(_) | LinkText::Decoded(_) => Cow::Borrowed(self.text()),
            LinkText::Known(_) | LinkText::Unread(_) => self.view.decode(&self.raw),
        }
    }

    /// The bytes of the link in the view of the document.
    pub(crate) fn raw_bytes(&self) -> &[u8] {
        &self.raw
    }

    /// The link, decoded and unescaped. O(length) in running text: the first call decodes text that is not UTF-8, and
    /// keeps it. O(1) elsewhere.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"<meta charset=koi8-r><a href=/\xC1>", &Settings::default());
    /// let link = document.links().next().unwrap();
    /// assert_eq!(link.text(), "/а");
    /// ```
    pub fn text(&self) -> &str {
        let decoded = match &self.text {
            LinkText::Known(text) | LinkText::Decoded(text) => return text,
            LinkText::Unread(_) => return "",
            LinkText::OfRaw(decoded) => decoded,
        };
        match decoded.get() {
            Some(text) => text,
            None => match self.view.decode(&self.raw) {
                Cow::Borrowed(text) => text,
                Cow::Owned(text) => decoded.get_or_init(|| text.into()),
            },
        }
    }

    /// The link with its scheme: in running text a link without one gets `https://`, or `mailto:` with the escapes of RFC 6068.
    /// [`resolved`](Self::resolved) has the target.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"<a href=b>x</a> example.org, a?b@example.org", &Settings::default());
    /// let references: Vec<_> = document.links().map(|link| link.reference().into_owned()).collect();
    /// assert_eq!(references, ["b", "https://example.org", "mailto:a%3Fb@example.org"]);
    /// ```
    pub fn reference(&self) -> Cow<'_, str> {
        with_implied(self.text(), self.implied)
    }

    /// The scheme implied for a link without one in running text: `https` or `mailto`.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"ann@example.org", &Settings::default());
    /// let link = document.links().next().unwrap();
    /// assert_eq!(link.implied(), Some("mailto"));
    /// ```
    pub fn implied(&self) -> Option<&'static str> {
        self.implied
    }

    /// Evidence that this is a link. Slots of markup hold links; running text may only look like one.
    ///
    /// ```
    /// use linkglot::{Document, Evidence, Settings};
    ///
    /// let document = Document::new(b"<a href=b>x</a> www.a.org or a.org", &Settings::default());
    /// let grades: Vec<_> = document.links().map(|link| link.evidence()).collect();
    /// assert_eq!(grades, [Evidence::Markup, Evidence::Www, Evidence::Name]);
    /// ```
    pub fn evidence(&self) -> Evidence {
        self.evidence
    }

    /// The scheme in the link itself (RFC 3986 3.1), without the tabs and line ends inside and the controls in front
    /// that browsers remove (URL Standard 4.4): to browsers `java\nscript:x` is no relative reference. O(length).
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"<a href='java&#10;script:x'>", &Settings::default());
    /// let link = document.links().next().unwrap();
    /// assert_eq!(link.scheme().as_deref(), Some("javascript"));
    /// ```
    pub fn scheme(&self) -> Option<Cow<'_, str>> {
        if self.implied.is_some() {
            return None;
        }
        let bare = |ch: char| !matches!(ch, '\t' | '\n' | '\r');
        let is_odd = |ch: char| ch <= ' ';
        let text = self.text();
        match scheme_of(text) {
            Some(scheme) => Some(Cow::Borrowed(scheme)),
            None if text.contains(is_odd) => {
                let text = Rendering::of(self.layers()).text(text);
                let text: String = text
                    .trim_start_matches(is_odd)
                    .chars()
                    .filter(|&ch| bare(ch))
                    .collect();
                scheme_of(&text).map(|scheme| Cow::Owned(scheme.to_owned()))
            }
            None => None,
        }
    }

    /// The access to the link: rewritten, or changed by rules only, or listed.
    ///
    /// ```
    /// use linkglot::{Access, Document, Settings};
    ///
    /// let document = Document::new(b"<a href=b>", &Settings::default());
    /// let link = document.links().next().unwrap();
    /// assert_eq!(link.access(), Access::Rewrite);
    /// ```
    pub fn access(&self) -> Access {
        self.context.access
    }

    /// Notes on the reading of the link. [`warnings`](Self::warnings) has the notes on the link itself.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"<a href=b>", &Settings::default());
    /// let link = document.links().next().unwrap();
    /// assert!(link.notes().is_empty());
    /// ```
    pub fn notes(&self) -> Notes {
        self.notes
    }

    /// Notes about everything that could deceive a reader of the link, by [`linkglot_iri::warnings`]: look-alikes,
    /// mixed scripts, invisible characters, a disguised address ... Also the note about invisible characters beside a
    /// link in running text, and with [labels](Self::label) the note about labels. Computed anew with each call;
    /// O(length), one quick pass over most links.
    ///
    /// ```
    /// use linkglot::notes::Note;
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"<a href=http://2130706433/>", &Settings::default());
    /// let link = document.links().next().unwrap();
    /// assert_eq!(link.warnings(), Note::DisguisedAddress.into());
    /// ```
    pub fn warnings(&self) -> Notes {
        let is_warning = |note: &Note| Note::WARNINGS.contains(note);
        let mut warnings: Notes = self.notes.iter().filter(is_warning).collect();
        warnings.extend(warnings_of(self.text(), self.implied));
        warnings
    }

    /// The visible text of the element around which the link stands, `a` of HTML, or the `alt` of an `area`, if
    /// [`Settings::labels`] asked for labels: character references and nested tags resolved, the `alt` of images, white
    /// space collapsed, at most 1 KiB. `None` for other links and for an empty text. If the label begins with a link or
    /// a domain, and that leads to another registrable domain than the link, [`notes`](Self::notes) has
    /// [`Note::TextNamesOtherHost`].
    ///
    /// ```
    /// use linkglot::{Document, Note, Settings};
    ///
    /// let mut settings = Settings::default();
    /// settings.labels = true;
    /// let page = b"<a href='http://a.example/'><b>www.bank</b>.example</a>";
    /// let document = Document::new(page, &settings);
    /// let link = document.links().next().unwrap();
    /// assert_eq!(link.label(), Some("www.bank.example"));
    /// assert!(link.notes().contains(Note::TextNamesOtherHost));
    /// ```
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    /// Line and column, if [`crate::document::Settings::locate`] asked for them.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let mut settings = Settings::default();
    /// settings.locate = true;
    /// let document = Document::new(b"see a.org", &settings);
    /// let link = document.links().next().unwrap();
    /// assert_eq!(link.location().unwrap().column, 5);
    /// ```
    pub fn location(&self) -> Option<Location> {
        self.location
    }
}

/// The prefix that adds the implied scheme to a link without one.
pub(crate) fn implied_prefix(scheme: &str) -> &'static str {
    if scheme == "mailto" {
        "mailto:"
    } else {
        "https://"
    }
}

/// A link with its implied scheme, as a full reference. An address becomes one by RFC 6068.
pub(crate) fn with_implied<'t>(text: &'t str, implied: Option<&'static str>) -> Cow<'t, str> {
    match implied {
        Some("mailto") => Cow::Owned(mailto(text)),
        Some(scheme) => Cow::Owned(implied_prefix(scheme).to_owned() + text),
        None => Cow::Borrowed(text),
    }
}

/// Undoes [`with_implied`]; `None` for a reference without this scheme.
pub(crate) fn without_implied<'t>(
    whole: &'t str,
    implied: Option<&'static str>,
) -> Option<Cow<'t, str>> {
    match implied {
        Some("mailto") => mail_address(whole),
        Some(scheme) => whole
            .strip_prefix(implied_prefix(scheme))
            .map(Cow::Borrowed),
        None => Some(Cow::Borrowed(whole)),
    }
}

/// The scheme that is still implied when a link becomes `new`: none if the new link has its own. `example.org:8080` has
/// no scheme.
pub(crate) fn still_implied(new: &str, implied: Option<&'static str>) -> Option<&'static str> {
    let implied = implied?;
    let own = scheme_of(new);
    let own = own.filter(|name| !name.contains('.') || new[name.len()..].starts_with("://"));
    own.is_none().then_some(implied)
}
