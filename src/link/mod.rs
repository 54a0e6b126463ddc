//! Links: references at places in a document, and the machine that finds them.
//!
//! It brings the rooms below together: the tokenizers of `markup` find slots, `values` and the
//! scanner find links in them. It opens nothing and writes nothing.

mod base;
mod entity;
mod found;
mod guess;
mod locate;
mod machine;
mod nesting;
mod open;
mod published;
mod reading;
mod relative;
mod settings;
mod site;
mod template;
mod templates;

pub(crate) use base::{Base, declares_base};
pub(crate) use found::{Found, Layers};
pub(crate) use locate::Locator;
pub(crate) use machine::{LOOKAHEAD, Machine, Progress, RunGround};
pub(crate) use nesting::Nesting;
pub(crate) use open::{machine, open};
pub(crate) use published::Published;
pub(crate) use reading::Reader;
pub(crate) use relative::{as_parsed, is_relative};
pub use settings::Settings;
pub(crate) use site::{SharedSite, Site};
pub(crate) use template::{Dialect, code_in, has_expression};
#[cfg(feature = "cli")]
pub(crate) use templates::extension;

use crate::charset::{Charset, CharsetFrom};
use crate::format::Format;
use crate::iri::target::Reading;
use crate::iri::{mail_address, mailto};
use crate::markup::{Access, Escaping, Name, Place, PlaceKind};
use crate::report::{Note, Notes};
use crate::span::SourceSpan;
use std::borrow::Cow;
use std::sync::OnceLock;

/// What is known of a document as a whole.
#[derive(Clone, Debug)]
pub struct Info {
    /// How it is read.
    pub format: Format,
    /// Its charset.
    pub charset: Charset,
    /// How the charset is known.
    pub charset_from: CharsetFrom,
    /// The charset of non-ASCII characters in its http(s) queries (UTF-8 unless browsers would
    /// take the document's).
    pub query_charset: Charset,
    /// The base that its relative references resolve against, when the document or the caller
    /// gives one. The document's (the first `<base href>`) counts when it stands in the first [`Info::HEAD`]
    /// bytes. Elements of XML can have their own; see [`Link::base`].
    pub base: Option<String>,
    /// What is code of a template in it.
    pub(crate) dialect: Dialect,
    /// Whether it is XHTML that only its content says is XML: it may be published as HTML.
    pub(crate) may_be_html: bool,
}

impl Info {
    /// How many bytes at the begin of a document decide its format, charset and base. The charset of text in which hardly
    /// any of these are not ASCII is looked for in [`charset::FAR`](crate::charset::FAR).
    pub const HEAD: usize = 64 * 1024;
}

/// A reference at a place in a document.
#[derive(Clone, Debug)]
pub struct Link<'d> {
    span: SourceSpan,
    site: SharedSite,
    raw: &'d [u8],
    view: Charset,
    text: LinkText<'d>,
    implied: Option<&'static str>,
    notes: Notes,
    location: Option<Location>,
}

/// The text of a link.
#[derive(Clone, Debug)]
enum LinkText<'d> {
    Known(Cow<'d, str>),
    /// That of the raw link: if it is not the same bytes, it is decoded once, when it is asked for.
    OfRaw(OnceLock<Box<str>>),
}

/// A place for people: both count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The line; LF, CR and CR LF end one.
    pub line: u64,
    /// The column, in characters.
    pub column: u64,
}

impl<'d> Link<'d> {
    /// The link that was found in `window` (bytes in the charset `view`).
    pub(crate) fn new(
        mut found: Found<'d>,
        window: &'d [u8],
        view: Charset,
        span: SourceSpan,
    ) -> Self {
        Link::taken(&mut found, window, view, span, None)
    }

    /// The same, and what was found is of no more use.
    #[inline]
    pub(crate) fn taken(
        found: &mut Found<'d>,
        window: &'d [u8],
        view: Charset,
        span: SourceSpan,
        location: Option<Location>,
    ) -> Self {
        Link {
            span,
            raw: window.get(found.range.clone()).unwrap_or(&[]),
            view,
            site: found.site.take(),
            text: match found.text.take_known() {
                Some(text) => LinkText::Known(text),
                None => LinkText::OfRaw(OnceLock::new()),
            },
            implied: found.implied,
            notes: found.notes,
            location,
        }
    }

    /// A note about a slot that is too long to be read: there is no text.
    pub(crate) fn too_long(at: u64, place: Place, view: Charset) -> Self {
        let site = Site {
            layers: Layers::one(Escaping::None),
            place: place.into(),
            nesting: Nesting::NONE,
            access: Access::List,
            under: Base::Document,
            template: false,
        };
        Link {
            span: SourceSpan { start: at, end: at },
            raw: &[],
            view,
            site: site.shared(),
            text: LinkText::Known(Cow::Borrowed("")),
            implied: None,
            notes: Note::TooLong.into(),
            location: None,
        }
    }

    pub(crate) fn add_notes(&mut self, notes: Notes) {
        self.notes.extend(notes);
    }

    /// How it is escaped where it stands.
    pub(crate) fn layers(&self) -> Layers {
        self.site.layers
    }

    /// What it resolves against.
    pub(crate) fn under(&self) -> &Base {
        &self.site.under
    }

    /// Whether it may have expressions to be filled in.
    pub(crate) fn is_template(&self) -> bool {
        self.site.template
    }

    pub(crate) fn locate(&mut self, location: Location) {
        self.location = Some(location);
    }

    /// The source bytes of the raw link, from the first byte of the document.
    pub fn span(&self) -> SourceSpan {
        self.span
    }

    /// Where it stands.
    pub fn place(&self) -> &Place {
        &self.site.place
    }

    /// The nested documents that it is in, outermost first, by the names of the attributes or elements that hold
    /// them: `srcdoc`, then `style` for a link in a style attribute of a document in a `srcdoc`. Empty for a
    /// link of the document itself.
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
        self.site.nesting.as_slice()
    }

    /// The base in force where it stands, in the document that `info` tells of: that of `xml:base` around it, of a nested
    /// document's `<base href>`, or the document's. `None` when there is none or it is not known.
    pub fn base<'b>(&'b self, info: &'b Info) -> Option<&'b str> {
        self.site.under.or(info.base.as_deref())
    }

    /// What it points to: the URL that a browser makes of it (URL Standard 4.4), against the base in force, its query in the
    /// document's charset where browsers would. A link without a scheme in running text has the implied one; a `\` in Markdown is the `%5C` that
    /// is rendered for it. `None`
    /// when it is no URL, is relative and the base is not known, or has expressions or code of a template to be filled
    /// in (`{{x}}`, `<?= x ?>`). O(its length and the base's).
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
        let unfilled = self.site.template && text.contains(['{', '}'])
            || info.dialect.code_in(text).is_some()
            || self.place().kind == PlaceKind::Text && has_expression(text);
        if text.is_empty() || unfilled {
            return None;
        }
        let reading = Reading {
            base: self.base(info),
            query: info.query_charset,
        };
        let whole = with_implied(text, self.implied);
        let published = Published::of(self.layers()).text(&whole);
        let is_known = reading.base.is_some() || !is_relative(&as_parsed(&published));
        reading.resolve(&published).filter(|_| is_known)
    }

    /// The link as the source writes it, decoded but not unescaped. O(its length).
    pub fn raw(&self) -> Cow<'_, str> {
        self.view.decode(self.raw)
    }

    /// The link: decoded and unescaped. O(its length) for those of running text, of which what is not UTF-8 is decoded and kept
    /// when it is asked for first; O(1) for others.
    pub fn text(&self) -> &str {
        let decoded = match &self.text {
            LinkText::Known(text) => return text,
            LinkText::OfRaw(decoded) => decoded,
        };
        match decoded.get() {
            Some(text) => text,
            None => match self.view.decode(self.raw) {
                Cow::Borrowed(text) => text,
                Cow::Owned(text) => decoded.get_or_init(|| text.into()),
            },
        }
    }

    /// The reference that the link is: its text, with the scheme that is implied where it has none in running text
    /// (`https://`; `mailto:` with what RFC 6068 asks for percent-encoded). What it points to is told by
    /// [`resolved`](Self::resolved).
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

    /// The scheme that is implied when a link in running text has none: `https` or `mailto`.
    pub fn implied(&self) -> Option<&'static str> {
        self.implied
    }

    /// The scheme that the link itself has, as it is written there (RFC 3986 3.1), but without the tabs and line ends in it and the
    /// controls in front of it that browsers take away (URL Standard 4.4): for them `java\nscript:x` is no relative
    /// reference. O(its length).
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
                let text = Published::of(self.layers()).text(text);
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

    /// Whether it may be rewritten.
    pub fn access(&self) -> Access {
        self.site.access
    }

    /// What is worth knowing.
    pub fn notes(&self) -> Notes {
        self.notes
    }

    /// Line and column, if [`crate::document::Settings::locate`] asked for them.
    pub fn location(&self) -> Option<Location> {
        self.location
    }
}

/// What stands before a link that has no scheme of its own, in the form with one.
pub(crate) fn implied_prefix(scheme: &str) -> &'static str {
    if scheme == "mailto" {
        "mailto:"
    } else {
        "https://"
    }
}

/// A link with the scheme that is implied: a reference that names what the link names. An address becomes one as RFC
/// 6068 says.
pub(crate) fn with_implied<'t>(text: &'t str, implied: Option<&'static str>) -> Cow<'t, str> {
    match implied {
        Some("mailto") => Cow::Owned(mailto(text)),
        Some(scheme) => Cow::Owned(implied_prefix(scheme).to_owned() + text),
        None => Cow::Borrowed(text),
    }
}

/// Undoes [`with_implied`]; `None` for what has not this scheme.
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

/// The scheme that is still implied when a link becomes `new`: none where that has its own. `example.org:8080` has none.
pub(crate) fn still_implied(new: &str, implied: Option<&'static str>) -> Option<&'static str> {
    let implied = implied?;
    let own = scheme_of(new);
    let own = own.filter(|name| !name.contains('.') || new[name.len()..].starts_with("://"));
    own.is_none().then_some(implied)
}

/// The scheme of a reference, if it has one (RFC 3986 3.1).
pub(crate) fn scheme_of(reference: &str) -> Option<&str> {
    let colon = reference.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)))?;
    let (scheme, rest) = reference.split_at(colon);
    let starts = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    (starts && rest.starts_with(':')).then_some(scheme)
}
