//! Settings for reading documents of HTML and XML.

use crate::text_bytes::TextBytes;
use crate::vocabulary::Vocabulary;

/// Settings for reading HTML and XML.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{HtmlTokenizer, MarkupSettings, Slots, TextSlots};
///
/// let page = b"<p>text <a href=/x>a link</a> and <code>code</code>";
/// let count = |text| {
///     let settings = MarkupSettings { text, ..MarkupSettings::default() };
///     Slots::new(HtmlTokenizer::new(&settings), page, Charset::UTF_8).count()
/// };
/// assert_eq!((count(TextSlots::None), count(TextSlots::Prose), count(TextSlots::All)), (1, 3, 5));
/// ```
#[derive(Clone, Debug)]
pub struct MarkupSettings {
    /// The attributes and elements that hold links.
    pub vocabulary: Vocabulary,
    /// The most bytes of a value; longer values are skipped, and longer tags are read attribute by attribute. At least
    /// 64 in HTML, 16 in XML.
    pub max_slot: usize,
    /// The running text that is answered; in XML, only in XHTML.
    pub text: TextSlots,
    /// The comments that are answered. XML has no conditional comments.
    pub comments: CommentSlots,
    /// Bytes of which a run of text must have one; other runs may be skipped.
    pub text_bytes: TextBytes,
    /// True if the `href` of an `a` and an `area` of HTML has a label ([`Tokenizer::label`](crate::Tokenizer::label)):
    /// the visible text up to the end of the element, with the `alt` of images, white space collapsed, at most 1 KiB.
    /// Labels are read from at most 16 KiB behind the tag, which the window must hold.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{HtmlTokenizer, MarkupSettings, Slots, Tokenizer};
    ///
    /// let settings = MarkupSettings { labels: true, ..MarkupSettings::default() };
    /// let page = b"<a href=b><b>Fish</b> &amp;\n chips</a>";
    /// let mut slots = Slots::new(HtmlTokenizer::new(&settings), page, Charset::UTF_8);
    /// slots.next();
    /// assert_eq!(slots.tokenizer().label(), Some("Fish & chips"));
    /// ```
    pub labels: bool,
    /// True if code of PHP (`<?php ... ?>`, `<?= ... ?>`) is told from markup within tags, scripts and style sheets of
    /// HTML, and read in XML. [`php_codes`](crate::php_codes) finds the code within the values of slots.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{HtmlTokenizer, MarkupSettings, Slots};
    ///
    /// let settings = MarkupSettings { has_php: true, ..MarkupSettings::default() };
    /// let page = br#"<a <?= 'class="x>"' ?> href="<?= a["b"] ?>">"#;
    /// let slots = Slots::new(HtmlTokenizer::new(&settings), page, Charset::UTF_8);
    /// let values: Vec<&[u8]> = slots.map(|slot| &page[slot.range]).collect();
    /// assert_eq!(values, [&br#"<?= 'class="x>"' ?>"#[..], br#"<?= a["b"] ?>"#]);
    /// ```
    pub has_php: bool,
}

impl Default for MarkupSettings {
    fn default() -> Self {
        MarkupSettings {
            vocabulary: Vocabulary::default(),
            max_slot: 1 << 20,
            text: TextSlots::Prose,
            comments: CommentSlots::None,
            text_bytes: TextBytes::ALL,
            labels: false,
            has_php: false,
        }
    }
}

/// The running text that is answered.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{HtmlTokenizer, MarkupSettings, Slots, TextSlots};
///
/// let settings = MarkupSettings { text: TextSlots::Code, ..MarkupSettings::default() };
/// let slots = Slots::new(HtmlTokenizer::new(&settings), b"<p>text <code>code</code>", Charset::UTF_8);
/// assert_eq!(slots.count(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextSlots {
    /// No text.
    None,
    /// Text outside links, scripts, style sheets and code.
    Prose,
    /// Prose, and text in code (`code`, `kbd`, `samp`, `xmp`).
    Code,
    /// All text, also in code and in links.
    All,
}

/// The comments that are answered.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{HtmlTokenizer, MarkupSettings, Slots, CommentSlots};
///
/// let settings = MarkupSettings { comments: CommentSlots::Conditional, ..MarkupSettings::default() };
/// let slots = Slots::new(HtmlTokenizer::new(&settings), b"<!-- a --><!--[if IE]>b<![endif]-->", Charset::UTF_8);
/// assert_eq!(slots.count(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommentSlots {
    /// No comments.
    None,
    /// Conditional comments (`<!--[if IE]> markup <![endif]-->`), as nested documents.
    Conditional,
    /// Conditional comments as nested documents, other comments as running text.
    All,
}
