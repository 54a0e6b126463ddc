//! The charset that browsers use for the query of a link.

use super::Settings;
use super::layers::Layers;
use crate::charset::Charset;
use crate::format::Format;
use crate::iri::QueryCharset;
use crate::markup::{Escaping, Place, PlaceKind};

/// Ways in which browsers read the query of a link in a document in a legacy charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Queries {
    /// As in attributes of the document: in its own charset in HTML, and in XML that browsers display.
    AsDocument,
    /// As in data formats of XML (feeds, sitemaps, DocBook ...): in UTF-8, like paths. RFC 3987 3.1 says so for IRIs
    /// and RFC 4287 2 for feeds; feed readers do so, and Chromium for data that an XSLT style sheet displays. In a
    /// document that may be XHTML without its namespace: in the document's charset.
    AsData,
    /// In UTF-8: running text, values of data, style attributes.
    InUtf8,
    /// In either charset: browsers disagree about style sheets and about other attributes with CSS, the meaning of JSON
    /// is up to its reader, and a document in a `srcdoc` is in UTF-8 by the standard (HTML 13.2.3.2).
    Doubtful,
}

impl Queries {
    /// The queries of links at a place.
    pub fn at(place: &Place, layers: Layers) -> Queries {
        let is_html =
            |layer: &Escaping| matches!(layer, Escaping::HtmlAttribute(_) | Escaping::HtmlText);
        let inside = match layers.as_slice() {
            [
                Escaping::HtmlAttribute(_)
                | Escaping::XmlAttribute(_)
                | Escaping::XhtmlAttribute(_),
                inside @ ..,
            ] => Some(inside),
            _ => None,
        };
        match (place.kind, inside) {
            (_, Some(inside)) if inside.iter().any(is_html) => Queries::Doubtful,
            (PlaceKind::Css, _) if place.name.as_deref() == Some("style") => Queries::InUtf8,
            (PlaceKind::Css | PlaceKind::Script, _) => Queries::Doubtful,
            (PlaceKind::Value, _) => Queries::InUtf8,
            _ if is_text(place) => Queries::InUtf8,
            _ if is_data(place, layers) => Queries::AsData,
            _ => Queries::AsDocument,
        }
    }

    /// The charset, or the first to try.
    pub fn charset(self, of: QueryCharsets) -> Charset {
        match self {
            Queries::InUtf8 => of.elsewhere,
            Queries::AsData => of.data,
            Queries::AsDocument | Queries::Doubtful => of.document,
        }
    }
}

/// The charsets of queries in one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QueryCharsets {
    pub document: Charset,
    /// In elements of XML that no browser displays.
    pub data: Charset,
    /// In running text and style attributes.
    pub elsewhere: Charset,
}

impl QueryCharsets {
    /// The charsets of queries in a document. Browsers use the document's charset in HTML and in all XML that they
    /// display; for style sheets see [`Queries`].
    pub fn of(settings: &Settings, format: Format, charset: Charset, is_hypertext: bool) -> Self {
        let own = charset.of_queries();
        let own_if = |is_own| if is_own { own } else { Charset::UTF_8 };
        match settings.query_charset {
            Some(QueryCharset::Document) => QueryCharsets::all(own),
            Some(QueryCharset::Utf8) => QueryCharsets::all(Charset::UTF_8),
            None => QueryCharsets {
                document: own_if(matches!(format, Format::Html | Format::Xml | Format::Css)),
                data: own_if(is_hypertext),
                elsewhere: Charset::UTF_8,
            },
        }
    }

    /// A single charset for the queries at all places.
    pub fn all(charset: Charset) -> Self {
        QueryCharsets {
            document: charset,
            data: charset,
            elsewhere: charset,
        }
    }
}

/// Namespaces of XML elements that are for browsers.
const BROWSED: [&str; 3] = [
    "http://www.w3.org/1999/xhtml",
    "http://www.w3.org/2000/svg",
    "http://www.w3.org/1998/Math/MathML",
];

/// True if a place is in an element of XML that browsers display.
pub(crate) fn is_browsed(place: &Place) -> bool {
    let namespace = place.namespace.as_deref();
    namespace.is_some_and(|name| BROWSED.contains(&name))
}

/// True if a link stands in an element of XML that no browser displays, or in HTML that is escaped in such an element.
fn is_data(place: &Place, layers: Layers) -> bool {
    match layers.as_slice() {
        [Escaping::XmlAttribute(_) | Escaping::XhtmlAttribute(_), ..] => !is_browsed(place),
        [
            Escaping::XmlText | Escaping::XhtmlText | Escaping::XmlCdata | Escaping::Runs(_),
            inside @ ..,
        ] => !inside.is_empty() || !is_browsed(place),
        _ => false,
    }
}

/// True if a link stands in running text, or in the text of a comment.
pub(crate) fn is_text(place: &Place) -> bool {
    match place.kind {
        PlaceKind::Text => true,
        PlaceKind::Comment => place.name.is_none(),
        _ => false,
    }
}
