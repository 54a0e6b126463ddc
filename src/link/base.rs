//! The base in force at a link: the base of the document, unless an element around the link declares another
//! (`xml:base`), or a nested document has its own (`<base href>`).

use super::{Dialect, Info, WindowLink, as_parsed, is_relative, scheme_of};
use crate::charset::Charset;
use crate::iri::scheme::may_be_base;
use crate::iri::target::Reading;
use crate::markup::{Place, ScopedBase, Slot, Syntax};
use std::sync::{Arc, OnceLock};

/// The most bytes of a base; a longer base is unknown, and nothing resolves against it.
pub(crate) const LONGEST_BASE: usize = 2048;

/// The base that references at a place resolve against. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) enum Base {
    /// The base of the document.
    #[default]
    Document,
    /// Another base; `None` if unknown.
    Own(Option<Arc<str>>),
    /// Another base, which is not read and thus unknown: it is longer than [`LONGEST_BASE`], or stands behind the part
    /// of the document that is searched for it.
    Unread,
    /// A base that an element declares.
    Scoped(Arc<Scoped>),
}

/// A base that an element declares, resolved on demand.
#[derive(Debug)]
pub(crate) struct Scoped {
    resolver: Arc<BaseResolver>,
    outer: Base,
    text: Option<Arc<str>>,
    known: OnceLock<Base>,
    /// Greatest length of the base without that of the document, and true if the length of the document's base is to be
    /// added.
    most_bytes: (usize, bool),
}

impl Scoped {
    fn known(&self) -> Option<&str> {
        match self.base() {
            Base::Own(base) => base.as_deref(),
            _ => None,
        }
    }

    fn base(&self) -> &Base {
        let resolve = || match self.text.as_deref() {
            Some(text) => self.resolver.inside(&self.outer, text),
            None => Base::Own(None),
        };
        self.known.get_or_init(resolve)
    }

    /// Greatest length of the base. Resolves nothing.
    pub fn most_bytes(&self) -> usize {
        let (own, is_below_document) = self.most_bytes;
        let document = if self.resolver.is_too_long {
            LONGEST_BASE
        } else {
            self.resolver.document.as_deref().map_or(0, str::len)
        };
        own.saturating_add(if is_below_document { document } else { 0 })
    }

    /// True if the base is too long to be read. Resolves it only if that is possible.
    fn is_too_long(&self) -> bool {
        self.most_bytes() > LONGEST_BASE && self.base().is_too_long(self.resolver.is_too_long)
    }
}

impl Base {
    /// True if the bases are the same, without comparing texts: equal texts may count as different.
    #[inline]
    pub fn is_same(&self, other: &Base) -> bool {
        match (self, other) {
            (Base::Document, Base::Document)
            | (Base::Own(None), Base::Own(None))
            | (Base::Unread, Base::Unread) => true,
            (Base::Own(Some(own)), Base::Own(Some(other))) => Arc::ptr_eq(own, other),
            (Base::Scoped(own), Base::Scoped(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }

    /// The base itself, in a document with the base `document`.
    pub fn or<'b>(&'b self, document: Option<&'b str>) -> Option<&'b str> {
        match self {
            Base::Document => document,
            Base::Own(base) => base.as_deref(),
            Base::Unread => None,
            Base::Scoped(scoped) => scoped.known(),
        }
    }

    /// True if the base is too long to be read; `document` tells the same about the base of the document.
    pub fn is_too_long(&self, document: bool) -> bool {
        match self {
            Base::Document => document,
            Base::Own(_) => false,
            Base::Unread => true,
            Base::Scoped(scoped) => scoped.is_too_long(),
        }
    }

    /// True if elements around declare the base with letters beyond ASCII.
    pub fn has_letters(&self) -> bool {
        let mut base = self;
        while let Base::Scoped(scoped) = base {
            if !scoped.text.as_deref().is_none_or(str::is_ascii) {
                return true;
            }
            base = &scoped.outer;
        }
        false
    }

    /// The scheme of the base as written, without resolving the base.
    pub fn scheme<'b>(&'b self, document: Option<&'b str>) -> Option<&'b str> {
        match self {
            Base::Scoped(scoped) => {
                let text = scoped.text.as_deref()?;
                scheme_of(text).or_else(|| scoped.outer.scheme(document))
            }
            other => other.or(document).and_then(scheme_of),
        }
    }
}

/// Resolves the bases of one document.
#[derive(Clone, Debug)]
pub(crate) struct BaseResolver {
    /// The base of the document.
    document: Option<Arc<str>>,
    /// True if the base of the document is too long.
    is_too_long: bool,
    /// True if a `<base href>` was found that decides about the base of the document.
    has_element: bool,
    query: Charset,
    dialect: Dialect,
}

impl BaseResolver {
    pub fn new(info: &Info) -> Self {
        BaseResolver {
            document: info.base.clone(),
            is_too_long: info.is_base_too_long,
            has_element: info.has_base_element,
            query: info.query_charset,
            dialect: info.dialect,
        }
    }

    /// True if a link of this document is relative to a base that is too long.
    pub fn lacks_base(&self, found: &WindowLink<'_>) -> bool {
        found.implied.is_none()
            && found.context.under.is_too_long(self.is_too_long)
            && is_relative(&as_parsed(found.text.text()))
    }

    /// The base that a reference declares inside of another.
    pub fn inside(&self, outer: &Base, reference: &str) -> Base {
        let reading = Reading {
            base: outer.or(self.document.as_deref()),
            query: self.query,
        };
        let is_known = reading.base.is_some() || !is_relative(&as_parsed(reference));
        if !is_known && outer.is_too_long(self.is_too_long) {
            return Base::Unread;
        }
        match reading.resolve(reference).filter(|_| is_known) {
            Some(base) if base.len() > LONGEST_BASE => Base::Unread,
            base => Base::Own(base.map(Arc::from)),
        }
    }

    /// The base that a `<base href>` gives its document. A reference that is no URL, or that has a scheme which HTML
    /// 4.2.3 excludes, gives none. A base with template code is unknown.
    pub fn of_element(&self, outer: &Base, reference: &str) -> Base {
        if self.dialect.code_in(reference).is_some() {
            return Base::Own(None);
        }
        let kept = |base: &str| scheme_of(base).is_none_or(may_be_base);
        match self.inside(outer, reference) {
            Base::Own(Some(base)) if kept(&base) => Base::Own(Some(base)),
            Base::Unread if kept(reference) => Base::Unread,
            _ => outer.clone(),
        }
    }
}

/// The bases in force while a document is read.
#[derive(Clone, Debug)]
pub(crate) struct Bases {
    resolver: Arc<BaseResolver>,
    /// The base that `<base href>` itself resolves against.
    fallback: Base,
    /// The base of the document at the place that is read.
    document: Base,
    /// The bases that elements around declare, by number, outermost first.
    open: Vec<(u64, Base)>,
}

impl Bases {
    /// `fallback`: the base of the document without a `<base href>`.
    pub fn new(resolver: Arc<BaseResolver>, fallback: Option<&str>) -> Self {
        let fallback = if resolver.document.as_deref() == fallback {
            Base::Document
        } else {
            Base::Own(fallback.map(Arc::from))
        };
        Bases {
            resolver,
            fallback,
            document: Base::Document,
            open: Vec::new(),
        }
    }

    /// The base in force at a slot; `declared` are the bases of the elements around it. Amortized O(bases since the
    /// last slot).
    pub fn at(&mut self, slot: &Slot, declared: &[ScopedBase]) -> Base {
        if is_base_element(slot.syntax, &slot.place) {
            if slot.syntax == Syntax::Base && !self.resolver.has_element {
                self.document = Base::Unread;
            }
            return self.fallback.clone();
        }
        let is_open = |open: &[(u64, Base)], (number, _): &(u64, Base)| {
            let same = declared.get(open.len() - 1);
            same.is_some_and(|declared| declared.number == *number)
        };
        while self
            .open
            .last()
            .is_some_and(|last| !is_open(&self.open, last))
        {
            self.open.pop();
        }
        for declaration in &declared[self.open.len()..] {
            let outer = self
                .open
                .last()
                .map_or_else(|| self.document.clone(), |(_, base)| base.clone());
            let dialect = self.resolver.dialect;
            let known = |text: &Arc<str>| dialect.code_in(text).is_none();
            let text = declaration.text.clone().filter(known);
            let base = Base::Scoped(Arc::new(Scoped {
                resolver: self.resolver.clone(),
                most_bytes: most_bytes(&outer, text.as_deref()),
                outer,
                text,
                known: OnceLock::new(),
            }));
            self.open.push((declaration.number, base));
        }
        self.open
            .last()
            .map_or_else(|| self.document.clone(), |(_, base)| base.clone())
    }
}

/// Greatest length of the base that an element declares, without that of the document, and true if the length of the
/// document's base is to be added.
fn most_bytes(outer: &Base, text: Option<&str>) -> (usize, bool) {
    /// Octets for each letter beyond ASCII, which is percent-encoded.
    const AN_OCTET: usize = 3;
    let text = text.unwrap_or_default();
    let own = text.len() * if text.is_ascii() { 1 } else { AN_OCTET };
    let (around, is_below_document) = match outer {
        Base::Document => (0, true),
        Base::Own(base) => (base.as_deref().map_or(0, str::len), false),
        Base::Unread => (LONGEST_BASE, false),
        Base::Scoped(scoped) => scoped.most_bytes,
    };
    if is_relative(text) {
        (own.saturating_add(around), is_below_document)
    } else {
        (own, false)
    }
}

/// True if a place is the `href` of a `<base>`.
pub(crate) fn is_base_element(syntax: Syntax, place: &Place) -> bool {
    syntax == Syntax::Base
        || place.element.as_deref() == Some("base")
            && place.name.as_deref() == Some("href")
            && place.namespace.is_none()
}

/// True if other links resolve against the link at a place: `<base href>` of HTML and XHTML, `xml:base`.
pub(crate) fn declares_base(place: &Place) -> bool {
    const XHTML: &str = "http://www.w3.org/1999/xhtml";
    let element = place.element.as_deref().unwrap_or_default();
    match place.name.as_deref() {
        Some("xml:base") => true,
        Some("href") if element.rsplit(':').next() == Some("base") => {
            place.namespace.as_deref().is_none_or(|name| name == XHTML)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::document::{Document, Settings};
    use crate::format::Format;

    /// Each link and its target.
    fn resolved(document: &str, base: Option<&str>) -> Vec<(String, Option<String>)> {
        let settings = Settings {
            base: base.map(Into::into),
            ..Settings::default()
        };
        let document = Document::new(document.as_bytes(), &settings);
        let info = document.info();
        let links = document.links();
        links
            .map(|link| (link.text().to_owned(), link.resolved(info)))
            .collect()
    }

    fn targets(document: &str, base: Option<&str>) -> Vec<String> {
        let all = resolved(document, base).into_iter();
        all.map(|(_, target)| target.unwrap_or("-".into()))
            .collect()
    }

    #[test]
    fn bases_of_elements_nest_and_end() {
        let feed = "<?xml version='1.0'?><r href='1' xml:base='http://a.example/x/y'>\
            <s href='2'/><s href='3' xml:base='z/'><t href='4'/><t xml:base='//b.example' href='5'/></s>\
            <s href='6'/><s xml:base='?q' href='7'/></r>";
        assert_eq!(
            targets(feed, None),
            [
                "http://a.example/x/1",
                "http://a.example/x/y",
                "http://a.example/x/2",
                "http://a.example/x/z/3",
                "http://a.example/x/z/",
                "http://a.example/x/z/4",
                "http://b.example/",
                "http://b.example/5",
                "http://a.example/x/6",
                "http://a.example/x/y?q",
                "http://a.example/x/7",
            ]
        );
    }

    #[test]
    fn relative_bases_need_one_around() {
        let feed = "<r xml:base='a/'><s href='1'/></r>";
        let feed = format!("<?xml version='1.0'?>{feed}");
        assert_eq!(targets(&feed, None), ["-", "-"]);
        assert_eq!(
            targets(&feed, Some("http://c.example/d/")),
            ["http://c.example/d/a/", "http://c.example/d/a/1"]
        );
    }

    #[test]
    fn a_base_with_an_entity_is_expanded() {
        let feed = "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY e 'http://e.example/'>]>\
            <r><s xml:base='&e;x/' href='1'/><s xml:base='&f;' href='2'/></r>";
        let all = resolved(feed, None);
        assert!(all.contains(&("1".into(), Some("http://e.example/x/1".into()))));
        assert!(all.contains(&("2".into(), None)));
    }

    /// XML 1.0 section 3.3.3 holds for the text of entities, too.
    #[test]
    fn white_space_of_attributes() {
        let page = "<!DOCTYPE r [<!ENTITY e 'a\r\nb'><!ENTITY f 'a&#38;#10;b'>]>\
            <r xmlns='http://www.w3.org/2000/svg' xml:base='http://h/c\td/'>\
            <a href='&e;'/><a href='&f;'/><a href='x\ny'/></r>";
        assert_eq!(
            targets(page, None),
            [
                "http://h/c%20d/",
                "http://h/c%20d/a%20b",
                "http://h/c%20d/ab",
                "http://h/c%20d/x%20y"
            ]
        );
    }

    #[test]
    fn base_elements() {
        let cases = [
            // The first counts, also for links before it; it resolves against the base without it.
            (
                "<p><a href=1></a><base href=x/><base href=y/><a href=2></a>",
                vec!["x/1", "x/", "y/", "x/2"],
            ),
            ("<base href><base href=y/><a href=1>", vec!["y/", "1"]),
            ("<base href=''><base href=y/><a href=1>", vec!["y/", "1"]),
            ("<base target=x><base href=y/><a href=1>", vec!["y/", "y/1"]),
        ];
        for (page, expected) in cases {
            let expected: Vec<_> = expected
                .iter()
                .map(|tail| format!("http://c.example/{tail}"))
                .collect();
            assert_eq!(targets(page, Some("http://c.example/")), expected, "{page}");
        }
        // References that are no bases.
        for href in ["data:,x", "javascript:x", "http://["] {
            let page = format!("<p><base href='{href}'><a href=1>");
            let last = targets(&page, Some("http://c.example/")).pop();
            assert_eq!(last.as_deref(), Some("http://c.example/1"), "{href}");
        }
    }

    /// A base with template code is unknown: only references relative to it have no target.
    #[test]
    fn bases_with_code_are_not_known() {
        for code in ["{{ x }}", "http://h/<?= x ?>/", "<%= x %>", "${x}/y/"] {
            let page = format!("<base href='{code}'><a href=1><a href='http://h/2'><a href=//h/3>");
            let feed = format!(
                "<?xml version='1.0'?><r xml:base='{}'><s href='1'/><s href='http://h/2'/>\
                <s href='//h/3'/><s xml:base='http://b/' href='4'/></r>",
                code.replace('<', "&lt;")
            );
            let inner = format!(
                "<a href=0><iframe srcdoc=\"<base href='{}'><a href=1>\"></iframe>",
                code.replace('<', "&lt;")
            );
            for base in [None, Some("http://c.example/")] {
                let page = targets(&page, base);
                assert_eq!(page, ["-", "-", "http://h/2", "-"], "{code} {base:?}");
                let feed = targets(&feed, base);
                let expected = ["-", "-", "http://h/2", "-", "http://b/", "http://b/4"];
                assert_eq!(feed, expected, "{code} {base:?}");
            }
            let inner = targets(&inner, Some("http://c.example/"));
            assert_eq!(inner, ["http://c.example/0", "-", "-"], "{code}");
        }
        // Only the first counts.
        let page = "<base href=x/><base href='{{ x }}'><a href=1>";
        let last = targets(page, Some("http://c.example/")).pop();
        assert_eq!(last.as_deref(), Some("http://c.example/x/1"));
    }

    #[test]
    fn bases_in_templates_of_xhtml_do_not_count() {
        let page = |inside: &str, behind: &str| {
            format!(
                "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:h='http://www.w3.org/1999/xhtml'>\
                {inside}{behind}<a href='1'/></html>"
            )
        };
        let template = "<template><p><base href='n/'/></p></template>";
        let prefixed = "<h:template><h:base href='n/'/></h:template>";
        let last = |page: &str| targets(page, Some("http://c.example/")).pop();
        for inside in [template, prefixed] {
            let found = last(&page(inside, ""));
            assert_eq!(found.as_deref(), Some("http://c.example/1"), "{inside}");
            let found = last(&page(inside, "<base href='x/'/>"));
            assert_eq!(found.as_deref(), Some("http://c.example/x/1"), "{inside}");
        }
    }

    #[test]
    fn bases_in_templates_do_not_count() {
        let cases = [
            ("<template><base href=n/></template><a href=1>", ""),
            (
                "<TEMPLATE id=x ><base href=n/></template ><base href=x/><a href=1>",
                "x/",
            ),
            (
                "<template><p><template></template><base href=n/></template><base href=x/><a href=1>",
                "x/",
            ),
            ("<template/><base href=n/><a href=1>", ""),
            (
                "<base href=x/><template><base href=n/></template><a href=1>",
                "x/",
            ),
            ("</template><base href=x/><a href=1>", "x/"),
            // In foreign content, `template` is an ordinary element.
            ("<svg><template></svg><base href=x/><a href=1>", "x/"),
            (
                "<template><svg><template></template></svg><base href=n/></template><a href=1>",
                "",
            ),
            ("<template><svg></template><base href=x/><a href=1>", "x/"),
            (
                "<svg><title><template></template></title></svg><base href=x/><a href=1>",
                "x/",
            ),
            // A nested document has its own base.
            (
                "<template><iframe srcdoc='<base href=x/><a href=1>'></iframe></template>",
                "x/",
            ),
        ];
        for (page, base) in cases {
            let page = format!("<!doctype html>{page}");
            let last = targets(&page, Some("http://c.example/")).pop();
            assert_eq!(last, Some(format!("http://c.example/{base}1")), "{page}");
        }
    }

    #[test]
    fn nested_documents_inherit_or_have_their_own() {
        let page = "<p><base href='http://d.example/'>\
            <iframe srcdoc='<a href=1></a>'></iframe>\
            <iframe srcdoc='<a href=2></a><base href=e/><a href=3></a>'></iframe><a href=4>";
        assert_eq!(
            targets(page, None),
            [
                "http://d.example/",
                "http://d.example/1",
                "http://d.example/e/2",
                "http://d.example/e/",
                "http://d.example/e/3",
                "http://d.example/4"
            ]
        );
        let feed = "<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'><entry \
            xml:base='http://f.example/'><content type='html'>&lt;a href='g'></content></entry></feed>";
        assert_eq!(
            targets(feed, None),
            ["http://f.example/", "http://f.example/g"]
        );
    }

    #[test]
    fn queries_are_in_the_documents_charset() {
        let page = b"<meta charset=windows-1252><a href='http://a.example/\xFF?\xFF'>";
        let document = Document::new(page, &Settings::default());
        let link = document.links().next().unwrap();
        let target = link.resolved(document.info());
        assert_eq!(target.as_deref(), Some("http://a.example/%C3%BF?%FF"));
    }

    /// `http:x` is relative where the base has the same scheme (URL Standard 4.4).
    #[test]
    fn bases_with_a_scheme_may_be_relative() {
        let cases = [
            ("http:foo", None, "-"),
            ("http:/foo/", None, "-"),
            (" hTTps:foo", None, "-"),
            ("http:/\tfoo", None, "-"),
            ("http:\\\\foo", None, "http://foo/x"),
            ("http:/\t/foo", None, "http://foo/x"),
            ("foo:/bar/", None, "foo:/bar/x"),
            ("http:foo/", Some("http://h/d/"), "http://h/d/foo/x"),
            ("http:foo/", Some("https://h/d/"), "http://foo/x"),
        ];
        for (href, base, target) in cases {
            let page = format!("<p><base href='{href}'><a href=x>");
            let last = targets(&page, base).pop();
            assert_eq!(last.as_deref(), Some(target), "{href:?}");
            let feed = format!("<?xml version='1.0'?><r xml:base='{href}' href='x'/>");
            let first = targets(&feed, base).remove(1);
            assert!(first == target || href.contains('\t'), "{href:?}: {first}");
        }
        assert_eq!(targets("<p><a href=http:x>", None), ["-"]);
    }

    /// JSON-LD 1.1 section 4.1.3: contexts, whose scopes are not followed, decide about relative references.
    #[test]
    fn contexts_of_json_may_have_their_own() {
        let (there, absolute) = ("http://c.example/x", "http://d.example/");
        let cases = [
            (r#"{"@id":"x"}"#, there),
            (r#"{"@context":"http://ld/","@id":"x"}"#, there),
            (r#"{"name":"@base","@id":"x"}"#, there),
            (r#"{"@context":{"@vocab":"http://ld/"},"@id":"x"}"#, there),
            (r#"{"@context":{"@base":"http://ld/"},"@id":"x"}"#, "-"),
            (r#"{"@id":"x","@context":{"@base" : null}}"#, "-"),
            (
                r#"{"@context":[{"@b\u0061se":"http://ld/"}],"@id":"x"}"#,
                "-",
            ),
            (r#"{"@context":{"@import":"y"},"@id":"x"}"#, "-"),
            (
                r#"{"@context":{"@base":"http://ld/"},"@id":"http://d.example/"}"#,
                absolute,
            ),
        ];
        for (json, target) in cases {
            let page = format!("<p><script type=application/ld+json>{json}</script><a href=y>");
            let expected = [target, "http://c.example/y"];
            let found = targets(&page, Some("http://c.example/"));
            assert_eq!(found, expected, "{json}");
        }
    }

    #[test]
    fn deep_bases_are_bounded() {
        for levels in [10, 60, 70, 5000] {
            let open = "<a xml:base='x/' href='1'>".repeat(levels);
            let text = format!("<?xml version='1.0'?><a xml:base='http://a.example/'>{open}");
            let settings = Settings {
                format: Some(Format::Xml),
                ..Settings::default()
            };
            let document = Document::new(text.as_bytes(), &settings);
            let last = document.links().last().unwrap();
            let expected = format!("http://a.example/{}1", "x/".repeat(levels));
            let known = levels < 64;
            let target = last.resolved(document.info());
            assert_eq!(target, known.then_some(expected), "{levels}");
        }
        // Behind them everything is as before.
        let (open, close) = ("<a xml:base='x/'>".repeat(200), "</a>".repeat(200));
        let text = format!(
            "<?xml version='1.0'?><r xml:base='http://a.example/'>{open}{close}<b href='1'/></r>"
        );
        assert_eq!(
            targets(&text, None).pop().as_deref(),
            Some("http://a.example/1")
        );
    }
}
