//! Escapes: character references of HTML and XML, the backslash escapes of CSS, JSON, SQL, Markdown, reStructuredText,
//! RTF, TeX and calendars, and quoted-printable values of vCards.
//!
//! The module must not know the meaning of the text.

mod content_line;
mod css;
mod csv;
mod delimiters;
mod entities;
mod holes;
mod html;
mod json;
mod light;
mod literal;
mod numeric;
mod rtf;
mod runs;
mod sql;
mod style;
mod tex;
mod xml;
mod yaml;

pub use content_line::QuotedCharset;
pub use csv::CsvStyle;
pub(crate) use holes::Hole;
pub use holes::Holes;
pub use json::JsonStyle;
pub(crate) use json::string_end;
pub use literal::{Escapes, LiteralStyle};
pub(crate) use literal::{Seam, seam};
pub use rtf::RtfStyle;
pub(crate) use runs::{CELL_VALUE, MOST_RUN_BYTES, tag_end};
pub use runs::{RunElement, RunsStyle};
pub(crate) use sql::charset_of;
pub use sql::{Backslash, Repertoire, SqlStyle};
pub(crate) use tex::word_length as tex_word_length;
pub use tex::{TEX_CODE, TexPercent, TexPlace, is_tex_letter};
pub use yaml::YamlStyle;

use crate::byte_search::find_either;
use linkglot_charset::MappedText;

/// The quotation marks around a value.
///
/// ```
/// use linkglot_markup::{Escaping, Quote};
///
/// let written = |quote| Escaping::HtmlAttribute(quote).escape("a b", "", &|_| true);
/// assert_eq!(written(Quote::Double).as_deref(), Some("a b"));
/// assert_ne!(written(Quote::Unquoted).as_deref(), Some("a b"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quote {
    /// `"`
    Double,
    /// `'`
    Single,
    /// No quotation mark.
    Unquoted,
}

/// The escaping of the characters of a value.
///
/// ```
/// use linkglot_markup::Escaping;
///
/// assert_eq!(Escaping::HtmlText.unescape("a&amp;b").text(), "a&b");
/// assert_eq!(Escaping::CssUrl.unescape(r"a\)b").text(), "a)b");
/// assert_eq!(Escaping::None.unescape("a&amp;b").text(), "a&amp;b");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Escaping {
    /// No escapes exist (plain text).
    None,
    /// An HTML comment. Nothing is escaped; the end of the comment must not arise.
    HtmlComment,
    /// An XML comment. Nothing is escaped; `--` must not arise.
    XmlComment,
    /// An HTML attribute value.
    HtmlAttribute(Quote),
    /// HTML text with character references, also in `title` and `textarea`.
    HtmlText,
    /// HTML raw text (`style`, `script`). Nothing is escaped; `</` and `<!--` must not arise.
    HtmlRawText,
    /// An XML attribute value.
    XmlAttribute(Quote),
    /// XML character data.
    XmlText,
    /// An XML attribute value in a document whose type declares the named entities of HTML (XHTML).
    XhtmlAttribute(Quote),
    /// XML character data in a document of that type.
    XhtmlText,
    /// A CDATA section. Nothing is escaped; `]]>` must not arise.
    XmlCdata,
    /// The value of a pseudo-attribute in a processing instruction, with predefined entities and numeric references;
    /// `?>` must not arise.
    XmlInstruction(Quote),
    /// A CSS string.
    CssString(Quote),
    /// An unquoted CSS `url()`.
    CssUrl,
    /// A string in serialized data of PHP. Nothing is escaped; the length in front of the string counts its octets.
    Serialized,
    /// A JSON string.
    JsonString(JsonStyle),
    /// A string literal of a program.
    Literal(LiteralStyle),
    /// A string literal of SQL.
    SqlString(SqlStyle),
    /// A string between two tags in PostgreSQL (`$$...$$`). Nothing is escaped; no `$` may arise.
    SqlDollar,
    /// A field of PostgreSQL's COPY, in its text format.
    SqlCopy,
    /// A field of CSV.
    Csv(CsvStyle),
    /// A scalar of YAML that is not in double quotation marks.
    Yaml(YamlStyle),
    /// Running text of Markdown, with backslash escapes and character references.
    MarkdownText,
    /// The destination of a Markdown link, without angle brackets.
    MarkdownBare,
    /// The destination of a Markdown link, within angle brackets.
    MarkdownAngle,
    /// A Markdown autolink. Nothing is escaped; white space and angle brackets must not arise.
    MarkdownAutolink,
    /// Running text of reStructuredText, with backslash escapes.
    RstText,
    /// A reference in reStructuredText, with backslash escapes. Unescaped white space does not count.
    RstReference,
    /// The target of a macro of AsciiDoc. Nothing is escaped; white space, brackets and braces must not arise.
    AsciiDocTarget,
    /// The target of a link of Org in brackets; backslashes escape brackets.
    OrgTarget,
    /// A link or running text of wikitext, with character references.
    Wikitext,
    /// Like [`Escaping::Wikitext`], in a parameter of a template without a name: `=` must not arise.
    WikitextParameter,
    /// TEXT in a content line, with backslash escapes (RFC 5545 3.3.11, RFC 6350 3.4).
    ContentText,
    /// TEXT that is a list or structured: an unescaped comma or semicolon separates values, and is read as a line end.
    ContentList,
    /// A URI in a content line. The standards know no escapes there; backslash escapes, which some programs write, are
    /// read, and new text is escaped like the old text.
    ContentUri,
    /// The value of a parameter of a content line, in double quotes or none (RFC 6868).
    ContentParameter(Quote),
    /// A value of vCard 2.1 or vCalendar 1.0 in quoted-printable, once its soft line breaks are gone.
    ContentQuoted(QuotedCharset),
    /// A text of RTF.
    Rtf(RtfStyle),
    /// Character data over runs of an office document. The markup between its pieces stands for nothing.
    Runs(RunsStyle),
    /// A text of TeX or BibTeX. Code in it is a control character in its text.
    Tex(TexPlace),
}

impl Escaping {
    /// True for a string of data or of a program.
    ///
    /// ```
    /// use linkglot_markup::Escaping;
    ///
    /// assert!(Escaping::Serialized.is_string() && !Escaping::HtmlText.is_string());
    /// ```
    pub fn is_string(&self) -> bool {
        matches!(
            self,
            Escaping::JsonString(_)
                | Escaping::Literal(_)
                | Escaping::SqlString(_)
                | Escaping::SqlDollar
                | Escaping::SqlCopy
                | Escaping::Csv(_)
                | Escaping::Yaml(_)
                | Escaping::Serialized
        )
    }

    /// The text of a raw value, with positions in `raw`. Borrows a value without escapes. O(length).
    ///
    /// A sequence that only looks like an escape stands for itself: `&nosuch;`, `&copy=1` in an attribute (HTML
    /// standard 13.2.5.73), entities that only a document type declares. Line ends stay as they are, except that in XML
    /// attributes each line end and each tab is a space (XML 1.0 section 3.3.3).
    ///
    /// ```
    /// use linkglot_markup::{Escaping, Quote};
    ///
    /// let value = Escaping::HtmlAttribute(Quote::Double);
    /// assert_eq!(value.unescape("?a&amp;b&copy=1").text(), "?a&b&copy=1");
    /// assert_eq!(value.escape("?a&b", "?x&amp;y", &|_| true).as_deref(), Some("?a&amp;b"));
    /// ```
    pub fn unescape(self, raw: &str) -> MappedText<'_> {
        match self {
            Escaping::None
            | Escaping::Serialized
            | Escaping::SqlDollar
            | Escaping::HtmlComment
            | Escaping::XmlComment
            | Escaping::HtmlRawText
            | Escaping::XmlCdata
            | Escaping::AsciiDocTarget
            | Escaping::MarkdownAutolink => MappedText::identity(raw),
            Escaping::HtmlAttribute(_) => replaced(raw, [b'&', 0], html::attribute),
            Escaping::HtmlText => replaced(raw, [b'&'; 2], html::text),
            Escaping::XmlAttribute(_) => replaced_where(raw, xml::find_in_attribute, |at| {
                xml::space(at).or_else(|| xml::reference(at))
            }),
            Escaping::XhtmlAttribute(_) => replaced_where(raw, xml::find_in_attribute, |at| {
                xml::space(at).or_else(|| xml::xhtml_reference(at))
            }),
            Escaping::XmlText | Escaping::XmlInstruction(_) => {
                replaced(raw, [b'&'; 2], xml::reference)
            }
            Escaping::XhtmlText => replaced(raw, [b'&'; 2], xml::xhtml_reference),
            Escaping::CssString(_) => replaced(raw, [b'\\'; 2], css::in_string),
            Escaping::CssUrl => replaced(raw, [b'\\'; 2], css::escape),
            Escaping::JsonString(style) => style.unescape(raw),
            Escaping::Literal(style) => style.unescape(raw),
            Escaping::SqlString(style) => {
                let (leads, read) = style.reader();
                replaced(raw, leads, read)
            }
            Escaping::SqlCopy => replaced(raw, [b'\\'; 2], sql::octets),
            Escaping::Csv(csv) => csv.unescape(raw),
            Escaping::Yaml(yaml) => yaml.unescape(raw),
            Escaping::MarkdownText | Escaping::MarkdownBare | Escaping::MarkdownAngle => {
                replaced(raw, [b'\\', b'&'], light::markdown)
            }
            Escaping::OrgTarget => replaced(raw, [b'\\'; 2], light::org),
            Escaping::Wikitext | Escaping::WikitextParameter => {
                replaced(raw, [b'&'; 2], light::wikitext)
            }
            Escaping::RstText => replaced(raw, [b'\\'; 2], light::rst),
            Escaping::RstReference => light::rst_reference(raw),
            Escaping::ContentText => replaced(raw, [b'\\'; 2], content_line::text),
            Escaping::ContentList => replaced_where(
                raw,
                |bytes| memchr::memchr3(b'\\', b',', b';', bytes),
                content_line::list,
            ),
            Escaping::ContentUri => replaced(raw, [b'\\'; 2], content_line::uri),
            Escaping::ContentParameter(_) => replaced(raw, [b'^'; 2], content_line::parameter),
            Escaping::ContentQuoted(charset) => content_line::unquoted(raw, charset),
            Escaping::Rtf(rtf) => rtf.unescape(raw),
            Escaping::Runs(runs) => runs.unescape(raw),
            Escaping::Tex(place) => place.unescape(raw),
        }
    }

    /// True if a character that the charset lacks can be written as an escape, in a string of data.
    #[doc(hidden)]
    pub fn has_string_escapes(self) -> bool {
        match self {
            Escaping::JsonString(_) | Escaping::Rtf(_) => true,
            Escaping::Literal(style) => style.escapes.has_unicode(),
            _ => false,
        }
    }

    /// Writes `text` as a raw value, in the style of `style`, the raw text that it replaces (`&amp;` or `&`, decimal or
    /// hexadecimal references). A character for which `encodable` is false becomes a character reference or an
    /// escape of JSON or CSS; raw text and plain text know neither. `None` when the text cannot be written. O(length).
    ///
    /// ```
    /// use linkglot_markup::Escaping;
    ///
    /// let escape = |text, style| Escaping::HtmlText.escape(text, style, &|ch| ch.is_ascii());
    /// assert_eq!(escape("é", "&#65;").as_deref(), Some("&#233;"));
    /// assert_eq!(escape("é", "&#x41;").as_deref(), Some("&#xE9;"));
    /// ```
    pub fn escape(
        self,
        text: &str,
        style: &str,
        encodable: &dyn Fn(char) -> bool,
    ) -> Option<String> {
        match self {
            Escaping::None | Escaping::Serialized => verbatim(text, encodable, &[]),
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
            Escaping::JsonString(around) => json::write(text, style, around, encodable),
            Escaping::Literal(literal) => literal.write(text, style, encodable),
            Escaping::SqlString(sql) => sql::write(text, style, sql, encodable),
            Escaping::SqlDollar => verbatim(text, encodable, &["$"]),
            Escaping::SqlCopy => sql::write_field(text, encodable),
            Escaping::Csv(csv) => csv.write(text, encodable),
            Escaping::Yaml(yaml) => yaml.write(text, encodable),
            Escaping::MarkdownText => verbatim(text, encodable, &[]),
            Escaping::MarkdownBare | Escaping::MarkdownAngle => {
                light::write_destination(text, self, style, encodable)
            }
            Escaping::MarkdownAutolink => verbatim(text, encodable, &["<", ">", " "])
                .filter(|text| !text.contains(char::is_control)),
            Escaping::RstText => {
                verbatim(text, encodable, &[]).map(|text| text.replace('\\', "\\\\"))
            }
            Escaping::AsciiDocTarget => verbatim(text, encodable, &["[", "]", " ", "{"])
                .filter(|text| !text.contains(char::is_control)),
            Escaping::OrgTarget => light::write_org(text, encodable),
            Escaping::Wikitext => light::write_wikitext(text, style, encodable),
            Escaping::WikitextParameter => light::write_wikitext(text, style, encodable)
                .filter(|text| style.contains('=') || !text.contains('=')),
            Escaping::RstReference => light::write_rst_reference(text, encodable),
            Escaping::ContentText => content_line::write_text(text, style, false, encodable),
            Escaping::ContentList => content_line::write_text(text, style, true, encodable),
            Escaping::ContentUri => content_line::write_uri(text, style, encodable),
            Escaping::ContentParameter(quote) => {
                content_line::write_parameter(text, quote == Quote::Double, encodable)
            }
            Escaping::ContentQuoted(charset) => content_line::write_quoted(text, charset, style),
            Escaping::Rtf(rtf) => rtf.write(text),
            Escaping::Runs(runs) => runs.write(text, style, encodable),
            Escaping::Tex(place) => place.write(text, style, encodable),
        }
    }
}

/// The text that an escape stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Char(char),
    Text(&'static str),
}

/// Reads the escape at the beginning of a text: its length and its meaning.
type ReadEscape = fn(&str) -> Option<(usize, Meaning)>;

/// Replaces the escapes of `raw`, which begin with one of `leads`.
fn replaced(
    raw: &str,
    leads: [u8; 2],
    read: impl Fn(&str) -> Option<(usize, Meaning)>,
) -> MappedText<'_> {
    let find = |bytes: &[u8]| find_either(bytes, 0, leads[0], leads[1]);
    replaced_where(raw, find, read)
}

/// Replaces the escapes of `raw`, at the positions that `find` gives.
fn replaced_where(
    raw: &str,
    find: impl Fn(&[u8]) -> Option<usize>,
    read: impl Fn(&str) -> Option<(usize, Meaning)>,
) -> MappedText<'_> {
    replaced_at(raw, find, |at, _| read(&raw[at..]))
}

/// Replaces the escapes of `raw`, at the positions that `find` gives. `read` gets a position, and true if another
/// escape ends there.
fn replaced_at(
    raw: &str,
    find: impl Fn(&[u8]) -> Option<usize>,
    read: impl Fn(usize, bool) -> Option<(usize, Meaning)>,
) -> MappedText<'_> {
    let mut mapped = MappedText::new();
    let (mut done, mut from) = (0, 0);
    while let Some(found) = find(&raw.as_bytes()[from..]) {
        let at = from + found;
        let Some((length, meaning)) = read(at, done == at && at > 0) else {
            from = at + 1;
            continue;
        };
        if done == 0 {
            mapped = MappedText::with_capacity(raw.len());
        }
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

/// The named entity of HTML at the beginning of a text without the `&`: its length with the semicolon, and its meaning.
///
/// ```
/// assert_eq!(linkglot_markup::html_entity("uuml;ber"), Some((5, "\u{fc}")));
/// assert_eq!(linkglot_markup::html_entity("uumlber"), None);
/// ```
pub fn html_entity(at: &str) -> Option<(usize, &'static str)> {
    entities::longest(at).filter(|&(length, _)| at.as_bytes()[length - 1] == b';')
}

/// The text itself, unless it contains a banned string or a character that is not encodable.
fn verbatim(text: &str, encodable: &dyn Fn(char) -> bool, banned: &[&str]) -> Option<String> {
    let is_banned = banned.iter().any(|banned| text.contains(banned));
    (!is_banned && text.chars().all(encodable)).then(|| text.to_owned())
}

#[cfg(test)]
mod tests;
