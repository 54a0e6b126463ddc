//! The caller's own choice of new links, behind the rules.

use crate::charset::Charset;
use crate::iri::target::Reading;
use crate::link::{Rendering, as_parsed, is_relative};
use crate::markup::Place;
use std::fmt;
use std::sync::Arc;

/// A link that [`Rewriter::choose`](super::Rewriter::choose) asks about.
///
/// ```
/// use linkglot::rewrite::Rewriter;
///
/// let rewriter = Rewriter::new().choose(|link| {
///     let is_image = link.place().element.as_deref() == Some("img");
///     let number = link.reference().strip_prefix("cid:").filter(|_| is_image)?;
///     Some(format!("parts/{number}.png"))
/// });
/// let rewritten = rewriter.rewrite_slice(b"<img src=cid:7><a href=cid:7>");
/// assert_eq!(rewritten.content, &b"<img src=parts/7.png><a href=cid:7>"[..]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'l> {
    pub(super) reference: &'l str,
    pub(super) implied: Option<&'static str>,
    pub(super) place: &'l Place,
    pub(super) base: Option<&'l str>,
    pub(super) query: Charset,
    pub(super) rendered: Rendering,
}

impl Candidate<'_> {
    /// The link as the rules leave it, unescaped, with its implied scheme.
    ///
    /// ```
    /// use linkglot::rewrite::Rewriter;
    ///
    /// let rewriter = Rewriter::new().choose(|link| {
    ///     assert_eq!(link.reference(), "https://www.a.example");
    ///     None
    /// });
    /// assert_eq!(rewriter.rewrite_slice(b"see www.a.example").changed(), 0);
    /// ```
    pub fn reference(&self) -> &str {
        self.reference
    }

    /// The scheme of a link that was found without one in running text: `https` or `mailto`.
    ///
    /// ```
    /// use linkglot::rewrite::Rewriter;
    ///
    /// let rewriter = Rewriter::new().choose(|link| {
    ///     assert_eq!((link.reference(), link.implied()), ("mailto:ann@a.example", Some("mailto")));
    ///     None
    /// });
    /// rewriter.rewrite_slice(b"ann@a.example");
    /// ```
    pub fn implied(&self) -> Option<&'static str> {
        self.implied
    }

    /// The place of the link: attribute, text, style sheet ...
    ///
    /// ```
    /// use linkglot::PlaceKind;
    /// use linkglot::rewrite::Rewriter;
    ///
    /// let rewriter = Rewriter::new().choose(|link| {
    ///     assert_eq!(link.place().kind, PlaceKind::Attribute);
    ///     None
    /// });
    /// rewriter.rewrite_slice(b"<a href=b>");
    /// ```
    pub fn place(&self) -> &Place {
        self.place
    }

    /// The target, as [`Link::resolved`](crate::Link::resolved) gives it; `None` if it is no URL or relative to an
    /// unknown base. O(length of the link and the base).
    ///
    /// ```
    /// use linkglot::rewrite::Rewriter;
    ///
    /// let rewriter = Rewriter::new().choose(|link| {
    ///     link.resolved()?.strip_prefix("http://a.example/").map(|path| format!("/mirror/{path}"))
    /// });
    /// let rewritten = rewriter.rewrite_slice(b"<base href=http://a.example/b/><a href=c>");
    /// assert!(rewritten.content.ends_with(b"<a href=/mirror/b/c>"));
    /// ```
    pub fn resolved(&self) -> Option<String> {
        let reading = Reading {
            base: self.base,
            query: self.query,
        };
        let rendered = match self.rendered {
            Rendering::Encoded => Rendering::Encoded.text(self.reference),
            Rendering::AsWritten | Rendering::Doubtful => self.reference.into(),
        };
        let is_known = self.base.is_some() || !is_relative(&as_parsed(&rendered));
        reading.resolve(&rendered).filter(|_| is_known)
    }
}

/// A function from a link to its new reference.
pub(super) type Choose = dyn Fn(&Candidate<'_>) -> Option<String> + Send + Sync;

/// The function that the caller gave.
#[derive(Clone)]
pub(super) struct Chooser(pub Arc<Choose>);

impl fmt::Debug for Chooser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Chooser")
    }
}

/// True if browsers read a chosen reference as it stands: without controls, white space around it, or `\`.
pub(super) fn is_plain(reference: &str) -> bool {
    let is_blank = reference.trim().is_empty();
    !is_blank && !reference.contains(char::is_control) && as_parsed(reference) == reference
}
