//! Elements by their rendering (HTML standard 15).

/// True if a lower-case name is in the list.
pub(super) fn is_in(names: &[&str], name: &[u8]) -> bool {
    names.iter().any(|own| own.as_bytes() == name)
}

/// Elements without content (13.1.2).
pub(super) const VOID: &[&str] = &[
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
];

/// Elements whose white space counts (15.3.3, 15.5.18).
pub(super) const PRESERVED: &[&str] = &["listing", "plaintext", "pre", "textarea", "xmp"];

/// Elements within a line, apart from the text around them.
pub(super) const APART: &[&str] = &["button", "select", "textarea"];

/// Elements that are in lines of their own (15.3). A `p` has an empty line around it.
pub(super) const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "li",
    "listing",
    "main",
    "menu",
    "nav",
    "ol",
    "optgroup",
    "option",
    "p",
    "plaintext",
    "pre",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "tfoot",
    "thead",
    "tr",
    "ul",
    "xmp",
];

/// Elements whose content is not displayed, or only where the element cannot be. No `head`, whose tags may be missing:
/// what it holds is not displayed either.
pub(super) const HIDDEN: &[&str] = &[
    "audio", "canvas", "datalist", "iframe", "meter", "noembed", "noframes", "progress", "rp",
    "script", "style", "template", "title", "video",
];

/// Elements of SVG whose content is not displayed (SVG 2, 5.7 and 5.8).
pub(super) const HIDDEN_IN_SVG: &[&str] = &["desc", "metadata"];

/// Elements whose tags are ignored in the body of a page (13.2.6.4.7).
pub(super) const OUTSIDE_BODY: &[&str] = &["frameset", "head"];

/// Elements of tables.
pub(super) const TABLE: &[&str] = &[
    "caption", "col", "colgroup", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
];

/// Elements of tables that hold no text (13.2.6.4.9, 13.2.6.4.13, 13.2.6.4.14).
pub(super) const FOSTERING: &[&str] = &["table", "tbody", "tfoot", "thead", "tr"];

/// Elements that keep links and other elements within themselves (13.2.4.2, 13.2.4.3).
pub(super) const MARKERS: &[&str] = &[
    "applet", "caption", "marquee", "object", "table", "td", "template", "th",
];

/// Elements beside [`BLOCKS`] that end tags of phrases do not end (13.2.4.2, "special").
pub(super) const SPECIAL: &[&str] = &[
    "applet", "button", "iframe", "marquee", "noscript", "object", "script", "select", "style",
    "td", "template", "textarea", "th", "title",
];
