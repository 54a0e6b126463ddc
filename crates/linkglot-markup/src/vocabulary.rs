//! The elements and attributes of HTML and XML that hold links: one table, filled from data files, which users can
//! extend.
//!
//! The heads of the files ([`HTML_ROWS`], [`XML_ROWS`]) describe the columns. HTML is a namespace whose names are
//! matched without regard to ASCII case; all other names are matched exactly.

mod condition;
mod elements;
mod error;
mod filter;
mod index;
mod names;
mod namespace;
mod rows;

pub(crate) use condition::Context;
pub(crate) use elements::Role;
pub(crate) use filter::Filter;
pub(crate) use index::Element;
pub(crate) use names::{Case, digest, digest_of_head, digest_of_words, letters};
pub(crate) use namespace::NamespaceId;

use crate::slot::{Access, Name, Syntax};
use condition::{Asked, Condition};
pub use error::InvalidVocabulary;
use index::Index;
use rows::{Requests, Rows};
use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

/// The built-in rows for documents of HTML.
///
/// ```
/// use linkglot_markup::vocabulary::HTML_ROWS;
///
/// assert!(HTML_ROWS.lines().any(|row| row == "img\tsrcset\tsrcset\trewrite"));
/// ```
pub const HTML_ROWS: &str = include_str!("vocabulary/html.tsv");

/// The built-in rows for documents of XML.
///
/// ```
/// use linkglot_markup::vocabulary::XML_ROWS;
///
/// let row = "http://www.w3.org/2005/Atom\tlink\thref\tsingle\trewrite";
/// assert!(XML_ROWS.lines().any(|line| line == row));
/// ```
pub const XML_ROWS: &str = include_str!("vocabulary/xml.tsv");

/// True for the name of a namespace that a built-in row names, or of another that programs compare: namespaces of
/// attributes, of SOAP and Android, the versions of JSON Schema.
///
/// ```
/// use linkglot_markup::vocabulary::is_namespace;
///
/// assert!(is_namespace("http://www.w3.org/2000/svg") && !is_namespace("http://www.w3.org/2000/svg/"));
/// assert!(is_namespace("http://json-schema.org/draft-07/schema#"));
/// ```
pub fn is_namespace(name: &str) -> bool {
    const OTHERS: [&str; 12] = [
        "http://www.w3.org/1999/xlink",
        "http://www.w3.org/1999/XPath",
        "http://www.w3.org/2000/xmlns/",
        "http://www.w3.org/2001/XMLSchema-instance",
        "http://www.w3.org/2000/01/rdf-schema#",
        "http://schemas.xmlsoap.org/soap/envelope/",
        "http://www.w3.org/2003/05/soap-envelope",
        "http://schemas.android.com/apk/res/android",
        "http://schemas.microsoft.com/winfx/2006/xaml",
        "http://schemas.microsoft.com/winfx/2006/xaml/presentation",
        "http://ns.adobe.com/xap/1.0/",
        "http://base.google.com/ns/1.0",
    ];
    /// The names of versions of a vocabulary, or of what it defines.
    const BELOW: [&str; 9] = [
        "http://json-schema.org/",
        "http://www.w3.org/2001/XMLSchema#",
        "http://www.w3.org/2001/04/xmlenc#",
        "http://www.w3.org/2000/09/xmldsig#",
        "http://schemas.openxmlformats.org/",
        "http://schemas.xmlsoap.org/ws/",
        "http://xml.org/sax/",
        "http://apache.org/xml/",
        "http://java.sun.com/jsp/jstl/",
    ];
    static NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let of_rows = XML_ROWS.lines().filter_map(|row| row.split('\t').next());
        let fixed = NamespaceId::FIXED.iter().map(|(_, name)| *name);
        of_rows.chain(fixed).chain(OTHERS).collect()
    });
    NAMES.contains(name) || BELOW.iter().any(|begin| name.starts_with(begin))
}

/// The places of links in HTML and in XML. Cheap to clone.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{HtmlTokenizer, MarkupSettings, Slots, Vocabulary};
///
/// let vocabulary = Vocabulary::default().extended("x-card\tsrc\tsingle\trewrite\n").unwrap();
/// let settings = MarkupSettings { vocabulary, ..MarkupSettings::default() };
/// let tokenizer = HtmlTokenizer::new(&settings);
/// assert_eq!(Slots::new(tokenizer, b"<x-card src=a>", Charset::UTF_8).count(), 1);
/// ```
#[derive(Clone)]
pub struct Vocabulary(Arc<Inner>);

struct Inner {
    /// `None`: the built-in ones alone.
    rows: Option<Rows>,
    requests: Requests,
    /// Made for the first tag: most of the start of a run over text would be this.
    index: OnceLock<Index>,
    /// The vocabularies with one more request, made once: an index costs as much as a short document.
    with_opt_ins: OnceLock<Vocabulary>,
    with_code: OnceLock<Vocabulary>,
}

/// The content of an attribute or an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotContent {
    pub syntax: Syntax,
    pub access: Access,
}

/// The rule that a row states for its places.
#[derive(Clone, Debug)]
struct Rule {
    /// `None`: no links.
    content: Option<SlotContent>,
    condition: Condition,
    /// True if the condition fails if the value has no colon.
    needs_colon: bool,
    /// True if only a whole value that is a link of the Web counts.
    only_links: bool,
}

/// The decision of a rule on an attribute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    /// `None`: no links.
    pub content: Option<SlotContent>,
    /// True if only a whole value that is a link of the Web counts.
    pub only_links: bool,
}

/// The verdict of rules on a place, by the names of its element and attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No links.
    #[default]
    Nothing,
    /// A slot.
    Slot(SlotContent),
    /// No links if the value has no colon.
    NeedsColon,
    /// The tag and its surroundings decide.
    Conditional,
}

/// The number of an element in a vocabulary. The default stands for elements without a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ElementId {
    number: u32,
    /// The role of the element in the reading of HTML.
    pub role: Role,
}

impl ElementId {
    #[inline]
    pub fn number(self) -> usize {
        self.number as usize
    }
}

/// The number of an attribute's name in a vocabulary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AttributeId(u16);

impl AttributeId {
    /// The number for the content of an element.
    pub const CONTENT: AttributeId = AttributeId(0);
    /// The number for any attribute of XML that no row names.
    pub const ANY: AttributeId = AttributeId(1);

    #[inline]
    pub fn number(self) -> usize {
        self.0.into()
    }
}

static BUILT_IN: LazyLock<Vocabulary> =
    LazyLock::new(|| Vocabulary::new(None, Requests::default()));

/// The built-in rows, read when markup is: running text needs none.
static BUILT_IN_ROWS: LazyLock<Rows> = LazyLock::new(|| {
    let mut rows = Rows::default();
    let files = [HTML_ROWS, XML_ROWS];
    let added = files
        .iter()
        .try_for_each(|file| rows.add(file, Name::built_in));
    debug_assert_eq!(added, Ok(()));
    rows
});

impl Inner {
    fn rows(&self) -> &Rows {
        self.rows.as_ref().unwrap_or_else(|| &BUILT_IN_ROWS)
    }
}

impl Default for Vocabulary {
    /// The built-in vocabulary.
    fn default() -> Self {
        BUILT_IN.clone()
    }
}

impl fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vocabulary").finish_non_exhaustive()
    }
}

impl Vocabulary {
    /// This vocabulary and the rows of a file, which take precedence for the same place.
    ///
    /// A line is a row of columns separated by tabs, blank, or a comment that begins with `#`. Rows for HTML are
    /// written as in [`HTML_ROWS`] (element, attribute, syntax, access, optional condition), rows for XML as in
    /// [`XML_ROWS`] (the same columns behind a namespace). A file may mix them. Linear.
    ///
    /// ```
    /// use linkglot_markup::Vocabulary;
    ///
    /// let rows = "# ours\nx-card\tto\tsingle\trewrite\nurn:x\tcard\tto\tsingle\trewrite\n";
    /// let vocabulary = Vocabulary::default().extended(rows)?;
    ///
    /// let error = vocabulary.extended("x-card\tto\tdouble\trewrite").unwrap_err();
    /// assert!(error.to_string().starts_with("line 1: expected a syntax"));
    /// # Ok::<(), linkglot_markup::InvalidVocabulary>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidVocabulary`], with the line, when a row is invalid.
    pub fn extended(&self, text: &str) -> Result<Vocabulary, InvalidVocabulary> {
        let mut rows = self.0.rows().clone();
        rows.add(text.strip_prefix('\u{FEFF}').unwrap_or(text), |name| {
            name.into()
        })?;
        Ok(Vocabulary::new(Some(rows), self.0.requests))
    }

    /// This vocabulary with the rows whose access is `opt-in`.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{HtmlTokenizer, MarkupSettings, Slots, Vocabulary};
    ///
    /// let count = |vocabulary| {
    ///     let settings = MarkupSettings { vocabulary, ..MarkupSettings::default() };
    ///     let tokenizer = HtmlTokenizer::new(&settings);
    ///     Slots::new(tokenizer, b"<img data-src=a.png>", Charset::UTF_8).count()
    /// };
    /// assert_eq!(count(Vocabulary::default()), 0);
    /// assert_eq!(count(Vocabulary::default().with_opt_ins()), 1);
    /// ```
    pub fn with_opt_ins(&self) -> Vocabulary {
        let requests = Requests {
            opt_ins: true,
            ..self.0.requests
        };
        self.with(requests, &self.0.with_opt_ins)
    }

    /// True if the rows whose access is `opt-in` count.
    ///
    /// ```
    /// use linkglot_markup::Vocabulary;
    ///
    /// assert!(!Vocabulary::default().has_opt_ins());
    /// assert!(Vocabulary::default().with_opt_ins().has_opt_ins());
    /// ```
    pub fn has_opt_ins(&self) -> bool {
        self.0.requests.opt_ins
    }

    /// This vocabulary with the rows whose access is `code`: scripts, event handlers, and data for scripts.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{HtmlTokenizer, Language, MarkupSettings, Slots, Syntax, Vocabulary};
    ///
    /// let vocabulary = Vocabulary::default().with_code();
    /// let settings = MarkupSettings { vocabulary, ..MarkupSettings::default() };
    /// let page = b"<script>a = 'b.example'</script>";
    /// let mut slots = Slots::new(HtmlTokenizer::new(&settings), page, Charset::UTF_8);
    /// assert_eq!(slots.next().unwrap().syntax, Syntax::Script(Language::JavaScript));
    /// ```
    pub fn with_code(&self) -> Vocabulary {
        let requests = Requests {
            code: true,
            ..self.0.requests
        };
        self.with(requests, &self.0.with_code)
    }

    /// True for the built-in vocabulary.
    ///
    /// ```
    /// use linkglot_markup::Vocabulary;
    ///
    /// assert!(Vocabulary::default().is_built_in());
    /// assert!(!Vocabulary::default().with_opt_ins().is_built_in());
    /// ```
    pub fn is_built_in(&self) -> bool {
        Arc::ptr_eq(&self.0, &BUILT_IN.0)
    }

    fn new(rows: Option<Rows>, requests: Requests) -> Vocabulary {
        Vocabulary(Arc::new(Inner {
            rows,
            requests,
            index: OnceLock::new(),
            with_opt_ins: OnceLock::new(),
            with_code: OnceLock::new(),
        }))
    }

    /// The vocabulary with these requests, which `made` keeps.
    fn with(&self, requests: Requests, made: &OnceLock<Vocabulary>) -> Vocabulary {
        if requests == self.0.requests {
            return self.clone();
        }
        let new = || Vocabulary::new(self.0.rows.clone(), requests);
        made.get_or_init(new).clone()
    }

    #[inline(always)]
    fn index(&self) -> &Index {
        let inner = &*self.0;
        let made = || Index::new(inner.rows(), inner.requests);
        inner.index.get_or_init(made)
    }

    /// An element by its local name. O(length).
    #[inline]
    pub(crate) fn element(&self, namespace: NamespaceId, name: &[u8], case: Case) -> ElementId {
        let is_named = |own: &Name| case.matches(own.as_bytes(), name);
        self.index()
            .element(namespace, digest(name, case), is_named)
    }

    /// An element of XML by its local name and the name's [`digest`].
    #[inline(always)]
    pub(crate) fn element_by_digest(
        &self,
        namespace: NamespaceId,
        digest: u64,
        name: &[u8],
    ) -> ElementId {
        let is_named = |own: &Name| own.as_bytes() == name;
        self.index().element(namespace, digest, is_named)
    }

    /// An element of HTML by the digest of its name in lower case, which is at most eight bytes of ASCII. `None` if the
    /// vocabulary does not know the element.
    #[inline(always)]
    pub(crate) fn short_html_element(&self, digest: u64) -> Option<ElementId> {
        self.index().short_html_element(digest)
    }

    /// An element's name, if the vocabulary knows the element.
    #[inline]
    pub(crate) fn element_name(&self, element: ElementId) -> Option<&Name> {
        self.get(element).name.as_ref()
    }

    /// The entry of an element in the vocabulary.
    #[inline(always)]
    pub(crate) fn get(&self, element: ElementId) -> &Element {
        self.index().get(element)
    }

    /// An element's namespace.
    #[inline]
    pub(crate) fn namespace_of(&self, element: ElementId) -> NamespaceId {
        self.get(element).namespace
    }

    /// The attributes of an element without a namespace that may hold links.
    #[inline(always)]
    pub(crate) fn filter(&self, element: ElementId) -> &Filter {
        &self.get(element).filter
    }

    /// The local names of attributes with a namespace that may hold links, or declare a base.
    #[inline(always)]
    pub(crate) fn prefixed_filter(&self) -> &Filter {
        &self.index().prefixed
    }

    /// An attribute by its local name, if rows name the attribute.
    #[inline]
    pub(crate) fn attribute(&self, name: &[u8], case: Case) -> Option<AttributeId> {
        self.index().attribute(name, case)
    }

    /// An attribute by the digest of its name, which is at most eight bytes of ASCII.
    #[inline(always)]
    pub(crate) fn short_attribute(&self, digest: u64) -> Option<AttributeId> {
        self.index().short_attribute(digest)
    }

    /// An attribute's local name.
    pub(crate) fn attribute_name(&self, attribute: AttributeId) -> Option<&Name> {
        self.index().attribute_name(attribute)
    }

    /// The verdict of the rules on an attribute of an HTML element before its tag is read.
    #[inline]
    pub(crate) fn verdict(&self, element: ElementId, attribute: AttributeId) -> Verdict {
        self.index().verdict(element, NamespaceId::NONE, attribute)
    }

    /// The content of an attribute of an element, by the first rule whose condition holds.
    #[inline]
    pub(crate) fn slot_content(
        &self,
        element: ElementId,
        (namespace, attribute): (NamespaceId, AttributeId),
        context: &dyn Context,
    ) -> Option<SlotContent> {
        self.decision(element, (namespace, attribute), context)?
            .content
    }

    /// The decision on an attribute of an element, by the first rule whose condition holds.
    #[inline]
    pub(crate) fn decision(
        &self,
        element: ElementId,
        (namespace, attribute): (NamespaceId, AttributeId),
        context: &dyn Context,
    ) -> Option<Decision> {
        let mut asked = Asked::new(context);
        let mut rules = self.index().rules(element, namespace, attribute);
        let rule = rules.find(|rule| rule.condition.holds(&mut asked))?;
        Some(Decision {
            content: rule.content,
            only_links: rule.only_links,
        })
    }

    /// The content of an attribute of HTML, by the rows that give only the beginning of its name.
    pub(crate) fn prefix_content(
        &self,
        element: ElementId,
        name: &[u8],
        case: Case,
        context: &dyn Context,
    ) -> Option<SlotContent> {
        let mut asked = Asked::new(context);
        let mut rules = self.index().prefix_rules(element, name, case);
        let rule = rules.find(|rule| rule.condition.holds(&mut asked))?;
        rule.content
    }

    /// True if some rows give only the beginning of an attribute's name.
    #[inline]
    pub(crate) fn has_prefixes(&self) -> bool {
        self.index().has_prefixes()
    }

    /// The number of a namespace of XML, if the vocabulary knows the namespace. The empty name is no namespace.
    pub(crate) fn namespace(&self, name: &str) -> Option<NamespaceId> {
        self.0.rows().namespace_number(name)
    }

    /// The name of a namespace that the vocabulary knows.
    pub(crate) fn namespace_name(&self, namespace: NamespaceId) -> Option<Name> {
        self.0.rows().namespace_name(namespace)
    }

    /// The first number that no namespace of the vocabulary uses.
    pub(crate) fn first_free(&self) -> NamespaceId {
        NamespaceId::FIRST_FREE.plus(self.0.rows().namespaces.len())
    }
}

#[cfg(test)]
mod tests;
