//! Places where character references are read: in the text and the attribute values of HTML and XML.
//!
//! A document that gets another charset needs these places: only there can a character that the charset lacks be
//! written as a reference (not in names, comments, scripts, style sheets and CDATA sections).

use crate::html::HtmlReferences;
use crate::slot::{ReferencePlace, Window};
use crate::xml::XmlReferences;

/// Finds the places where character references are read, window by window.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{ReferencePlaces, Window};
///
/// let page = b"<p title='a'>b<!-- c --><script>d</script>";
/// let window = Window { bytes: page, last: true, charset: Charset::UTF_8 };
/// let mut places = Vec::new();
/// ReferencePlaces::of_html().read(window, &mut 0, &mut places);
/// let places: Vec<&[u8]> = places.into_iter().map(|place| &page[place.range]).collect();
/// assert_eq!(places, [b"a", b"b"]);
/// ```
#[derive(Debug)]
pub struct ReferencePlaces(Reader);

#[derive(Debug)]
enum Reader {
    Html(Box<HtmlReferences>),
    Xml(XmlReferences),
}

impl ReferencePlaces {
    /// Finds the places in HTML.
    pub fn of_html() -> Self {
        ReferencePlaces(Reader::Html(Box::default()))
    }

    /// Finds the places in XML. In XHTML that may be published as HTML (`as_html`), scripts and style sheets count as
    /// without references, since the two formats differ there.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{ReferencePlaces, Window};
    ///
    /// let page = b"<svg><style>a</style></svg>";
    /// let window = Window { bytes: page, last: true, charset: Charset::UTF_8 };
    /// let count = |as_html| {
    ///     let mut places = Vec::new();
    ///     ReferencePlaces::of_xml(as_html).read(window, &mut 0, &mut places);
    ///     places.len()
    /// };
    /// assert_eq!((count(false), count(true)), (1, 0));
    /// ```
    pub fn of_xml(as_html: bool) -> Self {
        ReferencePlaces(Reader::Xml(XmlReferences::new(as_html)))
    }

    /// Moves the cursor as far as the window decides, and appends the places before it, in order. Bytes before the
    /// cursor may be dropped. Linear in the window.
    pub fn read(
        &mut self,
        window: Window<'_>,
        cursor: &mut usize,
        places: &mut Vec<ReferencePlace>,
    ) {
        match &mut self.0 {
            Reader::Html(reader) => reader.read(window, cursor, places),
            Reader::Xml(reader) => reader.read(window, cursor, places),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkglot_charset::Charset;
    use std::ops::Range;

    /// The places, read in windows that grow byte by byte and move with the cursor.
    fn places(mut reader: ReferencePlaces, page: &str) -> Vec<String> {
        let (mut found, mut origin, mut joined) = (Vec::new(), 0, Vec::<Range<usize>>::new());
        for end in 0..=page.len() {
            if !page.is_char_boundary(end) {
                continue;
            }
            let window = Window {
                bytes: &page.as_bytes()[origin..end],
                last: end == page.len(),
                charset: Charset::UTF_8,
            };
            let mut cursor = 0;
            reader.read(window, &mut cursor, &mut found);
            for place in found.drain(..) {
                assert!(
                    place.range.end <= cursor,
                    "a place behind the cursor in {page}"
                );
                let place = origin + place.range.start..origin + place.range.end;
                match joined.last_mut() {
                    Some(last) if last.end == place.start => last.end = place.end,
                    _ => joined.push(place),
                }
            }
            origin += cursor;
        }
        assert_eq!(origin, page.len());
        let texts = joined.into_iter().map(|place| page[place].to_owned());
        texts.filter(|text| !text.is_empty()).collect()
    }

    fn check(reader: impl Fn() -> ReferencePlaces, page: &str, expected: &str) {
        let mut all = Vec::new();
        let window = Window {
            bytes: page.as_bytes(),
            last: true,
            charset: Charset::UTF_8,
        };
        let mut cursor = 0;
        reader().read(window, &mut cursor, &mut all);
        assert_eq!(cursor, page.len(), "{page}");
        let whole: Vec<&str> = all.into_iter().map(|place| &page[place.range]).collect();
        let whole: Vec<&str> = whole.into_iter().filter(|text| !text.is_empty()).collect();
        let expected: Vec<&str> = expected
            .split('|')
            .filter(|text| !text.is_empty())
            .collect();
        assert_eq!(whole, expected, "{page}");
        assert_eq!(places(reader(), page), expected, "{page}");
    }

    #[test]
    fn html() {
        for (page, expected) in [
            ("a<b>c</b>d", "a|c|d"),
            ("<p é=1 b='2' c=\"3\" d=4 e>5", "1|2|3|4|5"),
            ("<!doctype a><!-- b --><?c?>d", "d"),
            ("<script>a<b>c</script>d<style>e</style>f", "d|f"),
            ("<title>a<b>c</title>d<textarea>e", "a<b>c|d|e"),
            ("<xmp>a</xmp><iframe>b</iframe><noembed>c</noembed>d", "d"),
            (
                "<noscript>a</noscript><template>b</template><plaintext>c",
                "a|b",
            ),
            (
                "<svg><style>a</style><![CDATA[b>c]]>d<title/>e</svg>f",
                "a|d|e|f",
            ),
            ("<![CDATA[b>c", "c"),
            ("<a href='b", ""),
        ] {
            check(ReferencePlaces::of_html, page, expected);
        }
    }

    #[test]
    fn values_are_told_apart() {
        for reader in [ReferencePlaces::of_html(), ReferencePlaces::of_xml(false)] {
            let mut reader = reader;
            let window = Window {
                bytes: b"<a b='c'>d</a>",
                last: true,
                charset: Charset::UTF_8,
            };
            let mut places = Vec::new();
            reader.read(window, &mut 0, &mut places);
            let is_value: Vec<bool> = places.iter().map(|place| place.is_value).collect();
            assert_eq!(is_value, [true, false]);
        }
    }

    #[test]
    fn xml() {
        for (page, expected) in [
            ("<a b='c' d=\"e>'f\">g<h/>i</a>", "c|e>'f|g|i"),
            ("<?xml a='b'?><!-- c> --><![CDATA[d>]]>e", "e"),
            (
                "<!DOCTYPE a [<!ENTITY b 'c>]'><!-- ]> --><?d ]>?>]><e>f</e>",
                "f",
            ),
            ("<!DOCTYPE a 'b>'><c>d", "d"),
            ("<script>a</script><x:style b='c'>d</x:style>e", "a|c|d|e"),
            ("<a b='c", "c"),
            ("<a b='c<d e='f'>g", "c"),
        ] {
            check(|| ReferencePlaces::of_xml(false), page, expected);
        }
        for (page, expected) in [
            ("<script>a</script><x:style b='c'>d<e></x:style>f", "c|f"),
            ("<script/>a<style b='/' />c<styles>d", "a|/|c|d"),
            ("<script>a<!-- </script> -->b</script>c", "c"),
        ] {
            check(|| ReferencePlaces::of_xml(true), page, expected);
        }
    }
}
