//! Escapes: character references of HTML and XML, CSS escapes, JSON escapes.
//!
//! It must not know what the text means.

mod css;
mod entities;
mod html;
mod json;
mod light;
mod marks;
mod style;
mod xml;

use crate::charset::MappedText;

/// The quotes around a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quote {
    /// `"`
    Double,
    /// `'`
    Single,
    /// None.
    Unquoted,
}

/// How the characters of a value are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Escaping {
    /// Not at all, and nothing can be (plain text, comments).
    None,
    /// An HTML comment: its end must not arise.
    HtmlComment,
    /// An XML comment: `--` must not arise.
    XmlComment,
    /// An HTML attribute value.
    HtmlAttribute(Quote),
    /// HTML text with character references (also title and textarea).
    HtmlText,
    /// HTML raw text (style, script): nothing is escaped; `</` and `<!--` must not arise.
    HtmlRawText,
    /// An XML attribute value.
    XmlAttribute(Quote),
    /// XML character data.
    XmlText,
    /// An XML attribute value where the document type has HTML's named entities (XHTML).
    XhtmlAttribute(Quote),
    /// XML character data where it has them.
    XhtmlText,
    /// A CDATA section: `]]>` must not arise.
    XmlCdata,
    /// The value of a pseudo-attribute in a processing instruction: predefined entities and
    /// numeric references count; `?>` must not arise.
    XmlInstruction(Quote),
    /// A CSS string.
    CssString(Quote),
    /// The inside of an unquoted CSS `url()`.
    CssUrl,
    /// A JSON string.
    JsonString,
    /// Running text of Markdown: backslash escapes and character references.
    MarkdownText,
    /// The destination of a link of Markdown, without angle brackets.
    MarkdownBare,
    /// The same within angle brackets.
    MarkdownAngle,
    /// The inside of an autolink of Markdown: nothing is escaped; no white space, no angle brackets.
    MarkdownAutolink,
    /// Running text of reStructuredText: backslash escapes.
    RstText,
    /// A reference of reStructuredText: backslash escapes, and white space that is not escaped does not count.
    RstReference,
}

impl Escaping {
    /// The text of a raw value, with positions in `raw`. Borrows when nothing is escaped. O(length).
    ///
    /// What is no escape stands for itself: `&nosuch;`, `&copy=1` in an attribute (HTML standard 13.2.5.73), entities
    /// that only a document type declares. Line ends are left as they are, but in attributes of XML each of them and
    /// each tab is a space (XML 1.0 section 3.3.3).
    ///
    /// ```
    /// use linkglot::markup::{Escaping, Quote};
    ///
    /// let value = Escaping::HtmlAttribute(Quote::Double);
    /// assert_eq!(value.unescape("?a&amp;b&copy=1").text(), "?a&b&copy=1");
    /// assert_eq!(value.escape("?a&b", "?x&amp;y", &|_| true).as_deref(), Some("?a&amp;b"));
    /// ```
    pub fn unescape(self, raw: &str) -> MappedText<'_> {
        match self {
            Escaping::None
            | Escaping::HtmlComment
            | Escaping::XmlComment
            | Escaping::HtmlRawText
            | Escaping::XmlCdata => MappedText::identity(raw),
            Escaping::HtmlAttribute(_) => replaced(raw, [b'&', 0], html::attribute),
            Escaping::HtmlText => replaced(raw, [b'&'; 2], html::text),
            Escaping::XmlAttribute(_) => replaced_where(raw, xml::attribute_escape, |at| {
                xml::space(at).or_else(|| xml::reference(at))
            }),
            Escaping::XhtmlAttribute(_) => replaced_where(raw, xml::attribute_escape, |at| {
                xml::space(at).or_else(|| xml::xhtml_reference(at))
            }),
            Escaping::XmlText | Escaping::XmlInstruction(_) => {
                replaced(raw, [b'&'; 2], xml::reference)
            }
            Escaping::XhtmlText => replaced(raw, [b'&'; 2], xml::xhtml_reference),
            Escaping::CssString(_) => replaced(raw, [b'\\'; 2], css::in_string),
            Escaping::CssUrl => replaced(raw, [b'\\'; 2], css::escape),
            Escaping::JsonString => replaced(raw, [b'\\'; 2], json::escape),
            Escaping::MarkdownText | Escaping::MarkdownBare | Escaping::MarkdownAngle => {
                replaced(raw, [b'\\', b'&'], light::markdown)
            }
            Escaping::MarkdownAutolink => MappedText::identity(raw),
            Escaping::RstText => replaced(raw, [b'\\'; 2], light::rst),
            Escaping::RstReference => light::rst_reference(raw),
        }
    }

    /// Writes `text` so that it can stand here, in the manner of `style` (raw text that stood here
    /// before: its `&amp;` or `&`, its decimal or hexadecimal references). A character for which
    /// `encodable` is false is written as a character reference or a JSON escape; CSS, raw text and
    /// plain text have none. `None` when the text cannot be written here at all. O(length).
    pub fn escape(
        self,
        text: &str,
        style: &str,
        encodable: &dyn Fn(char) -> bool,
    ) -> Option<String> {
        match self {
            Escaping::None => verbatim(text, encodable, &[]),
            Escaping::HtmlComment => {
                verbatim(text, encodable, &["-->", "--!>", "<!--", "<![endif]"])
            }
            Escaping::XmlComment => {
                verbatim(text, encodable, &["--"]).filter(|text| text.chars().all(xml::is_char))
            }
            Escaping::HtmlRawText => verbatim(text, encodable, &["</", "<!--"]),
            Escaping::XmlCdata => {
                verbatim(text, encodable, &["]]>"]).filter(|text| text.chars().all(xml::is_char))
            }
            Escaping::HtmlAttribute(quote) => {
                html::write(text, html::Place::Attribute(quote), style, encodable)
            }
            Escaping::HtmlText => html::write(text, html::Place::Text, style, encodable),
            Escaping::XmlAttribute(quote)
            | Escaping::XmlInstruction(quote)
            | Escaping::XhtmlAttribute(quote) => xml::write(text, Some(quote), style, encodable),
            Escaping::XmlText | Escaping::XhtmlText => xml::write(text, None, style, encodable),
            Escaping::CssString(_) | Escaping::CssUrl => css::write(text, self, encodable),
            Escaping::JsonString => json::write(text, style, encodable),
            Escaping::MarkdownText => verbatim(text, encodable, &[]),
            Escaping::MarkdownBare | Escaping::MarkdownAngle => {
                light::write_destination(text, self, style, encodable)
            }
            Escaping::MarkdownAutolink => verbatim(text, encodable, &["<", ">", " "])
                .filter(|text| !text.contains(char::is_control)),
            Escaping::RstText => {
                verbatim(text, encodable, &[]).map(|text| text.replace('\\', "\\\\"))
            }
            Escaping::RstReference => light::write_rst_reference(text, encodable),
        }
    }
}

/// What an escape stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Char(char),
    Text(&'static str),
}

/// Replaces the escapes of `raw`, each of which begins with one of `leads`: `read` is given the rest of the
/// text from there and answers with the escape's length and meaning, if it is one.
fn replaced(
    raw: &str,
    leads: [u8; 2],
    read: impl Fn(&str) -> Option<(usize, Meaning)>,
) -> MappedText<'_> {
    replaced_where(
        raw,
        |bytes| memchr::memchr2(leads[0], leads[1], bytes),
        read,
    )
}

/// The same; `find` says where the next escape may begin.
fn replaced_where(
    raw: &str,
    find: impl Fn(&[u8]) -> Option<usize>,
    read: impl Fn(&str) -> Option<(usize, Meaning)>,
) -> MappedText<'_> {
    let mut mapped = MappedText::new();
    let mut done = 0;
    let mut from = 0;
    while let Some(found) = find(&raw.as_bytes()[from..]) {
        let at = from + found;
        let Some((length, meaning)) = read(&raw[at..]) else {
            from = at + 1;
            continue;
        };
        if done < at {
            mapped.push(&raw[done..at], done..at);
        }
        let source = at..at + length;
        match meaning {
            Meaning::Char(ch) => mapped.push_unit(ch.encode_utf8(&mut [0; 4]), source),
            Meaning::Text(text) => mapped.push_unit(text, source),
        }
        done = at + length;
        from = done;
    }
    if done == 0 {
        return MappedText::identity(raw);
    }
    if done < raw.len() {
        mapped.push(&raw[done..], done..raw.len());
    }
    mapped
}

/// What HTML's entity at the begin of `at`, behind the `&`, stands for, and its length with the semicolon.
pub(crate) fn html_entity(at: &str) -> Option<(usize, &'static str)> {
    entities::longest(at).filter(|&(length, _)| at.as_bytes().get(length - 1) == Some(&b';'))
}

/// Text that is written as it is, if it can be.
fn verbatim(text: &str, encodable: &dyn Fn(char) -> bool, banned: &[&str]) -> Option<String> {
    let banned = banned.iter().any(|banned| text.contains(banned));
    let lacking = text.chars().any(|ch| !encodable(ch));
    (!banned && !lacking).then(|| text.to_owned())
}

#[cfg(test)]
mod tests;
