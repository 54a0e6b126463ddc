//! Which attributes, elements and instructions of XML hold links: a data file, which users can extend.
//!
//! The file's format is told at its head ([`BUILTIN`]).

use super::condition::Condition;
use crate::error::{Error, ErrorKind};
use crate::markup::slot::{Name, Syntax};
pub use crate::markup::vocabulary::RowAccess as XmlAccess;
use crate::markup::words;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, LazyLock};

/// The project's own rows.
pub const BUILTIN: &str = include_str!("vocabulary.tsv");

/// A namespace's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NamespaceId(pub(super) u32);

impl NamespaceId {
    /// No namespace.
    pub const NONE: NamespaceId = NamespaceId(0);
    /// One that no row names.
    pub const UNKNOWN: NamespaceId = NamespaceId(1);
    /// Stands for that of processing instructions.
    pub const INSTRUCTION: NamespaceId = NamespaceId(2);
    /// XHTML.
    pub const XHTML: NamespaceId = NamespaceId(3);
    /// That of the prefix `xml`.
    pub const XML: NamespaceId = NamespaceId(4);
    /// XSLT.
    pub const XSLT: NamespaceId = NamespaceId(5);
}

const XHTML: &str = "http://www.w3.org/1999/xhtml";
const XSLT: &str = "http://www.w3.org/1999/XSL/Transform";
const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// What stands in a place, under a condition.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// `None`: no links.
    pub syntax: Option<Syntax>,
    pub access: XmlAccess,
    pub condition: Condition,
}

/// Rules to be tried in order.
pub(super) type Rules = Arc<[Rule]>;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Elements {
    Any,
    Unknown,
    Of(NamespaceId),
}

#[derive(Clone, Debug)]
struct Row {
    elements: Elements,
    /// `None` for any.
    element: Option<Box<str>>,
    attribute_namespace: NamespaceId,
    rank: u32,
    rule: Rule,
}

/// The rows of an attribute.
#[derive(Clone, Debug, Default)]
struct Rows {
    /// By the element's local name.
    named: Table<Vec<Row>>,
    /// For elements of any name.
    unnamed: Vec<Row>,
}

/// By names that a vocabulary holds: whoever looks up others cannot make any collide.
type Table<V> = HashMap<Box<str>, V, BuildHasherDefault<NameHasher>>;

/// A quick hash of short names (FNV-1a).
#[derive(Clone, Copy, Debug)]
struct NameHasher(u64);

impl Default for NameHasher {
    fn default() -> Self {
        NameHasher(0xCBF2_9CE4_8422_2325)
    }
}

impl Hasher for NameHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Rows, made ready to be asked. Cloning is not cheap: share it.
#[derive(Clone, Debug, Default)]
pub struct XmlVocabulary {
    namespaces: HashMap<String, NamespaceId>,
    /// Namespaces of elements that rows name.
    named: Vec<NamespaceId>,
    prefixes: HashMap<String, NamespaceId>,
    /// The name of each namespace, by its number.
    names: Vec<Option<Name>>,
    /// By local name or `#text`.
    attributes: Table<Rows>,
    targets: Vec<Box<str>>,
    ranks: u32,
    opt_ins: bool,
}

static OWN: LazyLock<Arc<XmlVocabulary>> =
    LazyLock::new(|| Arc::new(XmlVocabulary::read(BUILTIN, Name::built_in).unwrap_or_default()));

impl XmlVocabulary {
    /// The project's own vocabulary.
    pub fn builtin() -> Arc<XmlVocabulary> {
        OWN.clone()
    }

    /// Reads a vocabulary file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidVocabulary`], with the line, when a row is not one.
    pub fn parse(text: &str) -> Result<XmlVocabulary, Error> {
        Self::read(text, Name::from)
    }

    fn read<'t>(text: &'t str, name: fn(&'t str) -> Name) -> Result<XmlVocabulary, Error> {
        let mut vocabulary = XmlVocabulary::default();
        let fixed = [
            ("", NamespaceId::NONE),
            (XHTML, NamespaceId::XHTML),
            (XML, NamespaceId::XML),
            (XSLT, NamespaceId::XSLT),
        ];
        for (name, id) in fixed {
            vocabulary.namespaces.insert(name.to_owned(), id);
            if id != NamespaceId::NONE {
                vocabulary.name_namespace(id, Name::built_in(name));
            }
        }
        vocabulary
            .named
            .extend([NamespaceId::XHTML, NamespaceId::XSLT]);
        vocabulary.add(text, name)?;
        Ok(vocabulary)
    }

    /// This vocabulary and the rows of a file, which go before its own. Prefixes stay declared.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn extended(&self, text: &str) -> Result<XmlVocabulary, Error> {
        let mut vocabulary = self.clone();
        vocabulary.add(text, Name::from)?;
        Ok(vocabulary)
    }

    fn add<'t>(&mut self, text: &'t str, name: fn(&'t str) -> Name) -> Result<(), Error> {
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            self.add_line(line, name).map_err(|message| {
                let message = format!("line {}: {message}", index + 1);
                Error::new(ErrorKind::InvalidVocabulary, message)
            })?;
        }
        self.ranks += 1;
        Ok(())
    }

    /// This vocabulary with the rows that count only when asked for.
    pub fn with_opt_ins(&self) -> XmlVocabulary {
        XmlVocabulary {
            opt_ins: true,
            ..self.clone()
        }
    }

    fn add_line<'t>(&mut self, line: &'t str, name: fn(&'t str) -> Name) -> Result<(), String> {
        let columns: Vec<&'t str> = line.split('\t').map(str::trim).collect();
        match columns[..] {
            ["prefix", prefix, namespace] => {
                let id = self.intern(namespace, name)?;
                self.prefixes.insert(prefix.to_owned(), id);
                Ok(())
            }
            [namespace, element, attribute, syntax, access] => {
                self.add_row([namespace, element, attribute, syntax, access, ""], name)
            }
            [namespace, element, attribute, syntax, access, condition] => self.add_row(
                [namespace, element, attribute, syntax, access, condition],
                name,
            ),
            _ => Err(format!(
                "expected 5 or 6 columns parted by tabs, but found {}",
                columns.len()
            )),
        }
    }

    fn add_row<'t>(
        &mut self,
        columns: [&'t str; 6],
        name: fn(&'t str) -> Name,
    ) -> Result<(), String> {
        let [namespace, element, attribute, syntax, access, condition] = columns;
        let elements = self.elements(namespace, name)?;
        let rule = Rule {
            syntax: words::syntax(syntax, attribute)?,
            access: words::access(access)?,
            condition: Condition::parse(condition)?,
        };
        for attribute in attribute.split('|') {
            let (attribute_namespace, local) = self.attribute_name(attribute)?;
            for element in element.split('|') {
                if element.is_empty() {
                    return Err("expected the name of an element or `*`".to_owned());
                }
                if elements == Elements::Of(NamespaceId::INSTRUCTION) {
                    self.targets.push(element.into());
                }
                let row = Row {
                    elements: elements.clone(),
                    element: (element != "*").then(|| element.into()),
                    attribute_namespace,
                    rank: self.ranks,
                    rule: rule.clone(),
                };
                let rows = self.attributes.entry(local.into()).or_default();
                match &row.element {
                    Some(name) => rows.named.entry(name.clone()).or_default().push(row),
                    None => rows.unnamed.push(row),
                }
            }
        }
        Ok(())
    }

    fn elements<'t>(
        &mut self,
        namespace: &'t str,
        name: fn(&'t str) -> Name,
    ) -> Result<Elements, String> {
        Ok(match namespace {
            "(any)" => Elements::Any,
            "(unknown)" => Elements::Unknown,
            "(none)" => Elements::Of(NamespaceId::NONE),
            "(instruction)" => Elements::Of(NamespaceId::INSTRUCTION),
            own => {
                let id = self.intern(own, name)?;
                self.named.push(id);
                Elements::Of(id)
            }
        })
    }

    fn attribute_name<'n>(&self, name: &'n str) -> Result<(NamespaceId, &'n str), String> {
        match name.split_once(':') {
            _ if name.is_empty() => Err("expected the name of an attribute, or #text".to_owned()),
            None => Ok((NamespaceId::NONE, name)),
            Some((prefix, local)) => match self.prefixes.get(prefix) {
                Some(&id) => Ok((id, local)),
                None => Err(format!("expected a declared prefix, but found `{prefix}`")),
            },
        }
    }

    fn intern<'t>(
        &mut self,
        namespace: &'t str,
        name: fn(&'t str) -> Name,
    ) -> Result<NamespaceId, String> {
        if namespace.is_empty() || namespace.starts_with('(') {
            return Err(format!("expected a namespace, but found `{namespace}`"));
        }
        if let Some(&id) = self.namespaces.get(namespace) {
            return Ok(id);
        }
        let id = self.first_free();
        self.namespaces.insert(namespace.to_owned(), id);
        self.name_namespace(id, name(namespace));
        Ok(id)
    }

    /// The first number that no namespace has: the numbers up to XSLT are taken, and those that are in the table lead
    /// beyond.
    pub(super) fn first_free(&self) -> NamespaceId {
        NamespaceId(NamespaceId::XSLT.0 + self.namespaces.len() as u32)
    }

    fn name_namespace(&mut self, id: NamespaceId, name: Name) {
        let index = id.0 as usize;
        if self.names.len() <= index {
            self.names.resize(index + 1, None);
        }
        self.names[index] = Some(name);
    }

    /// The name of a namespace that has a number here.
    pub(super) fn namespace_name(&self, id: NamespaceId) -> Option<&Name> {
        self.names.get(id.0 as usize)?.as_ref()
    }

    /// The number of a namespace name; the empty one is none.
    pub(super) fn namespace(&self, name: &str) -> NamespaceId {
        let id = self.namespaces.get(name);
        id.copied().unwrap_or(NamespaceId::UNKNOWN)
    }

    /// Whether some row names an attribute so, whatever the element.
    pub(super) fn knows_attribute(&self, local: &str) -> bool {
        self.attributes.contains_key(local)
    }

    /// Whether some row is about processing instructions with the target.
    pub(super) fn knows_target(&self, target: &[u8]) -> bool {
        self.targets.iter().any(|known| known.as_bytes() == target)
    }

    /// The rules of an attribute (or `#text`) of an element. `None` when there is none. O(rows for that attribute).
    pub(super) fn rules(
        &self,
        element: (NamespaceId, &str),
        attribute: (NamespaceId, &str),
    ) -> Option<Rules> {
        let rows = self.attributes.get(attribute.1)?;
        let named = rows.named.get(element.1).map_or(&[][..], |rows| rows);
        let mut matching: Vec<(u8, &Row)> = named
            .iter()
            .chain(&rows.unnamed)
            .filter(|row| row.attribute_namespace == attribute.0)
            .filter(|row| self.opt_ins || row.rule.access != XmlAccess::OptIn)
            .filter_map(|row| Some((self.distance(row, element)?, row)))
            .collect();
        matching.sort_by_key(|(distance, row)| (*distance, std::cmp::Reverse(row.rank)));
        let rules: Rules = matching
            .into_iter()
            .map(|(_, row)| row.rule.clone())
            .collect();
        (!rules.is_empty()).then_some(rules)
    }

    /// How far a row is from naming the element itself; `None` when it is not about it.
    fn distance(&self, row: &Row, (namespace, local): (NamespaceId, &str)) -> Option<u8> {
        let named = match &row.element {
            Some(name) if **name == *local => true,
            Some(_) => return None,
            None => false,
        };
        let distance = match row.elements {
            Elements::Of(id) if id == namespace => 0,
            Elements::Any if namespace != NamespaceId::INSTRUCTION => 2,
            Elements::Unknown if !self.named.contains(&namespace) => 4,
            _ => return None,
        };
        (namespace != NamespaceId::INSTRUCTION || distance == 0)
            .then_some(distance + u8::from(!named))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ATOM: &str = "http://www.w3.org/2005/Atom";

    fn syntax(element: (&str, &str), attribute: &str) -> Option<Syntax> {
        let vocabulary = XmlVocabulary::builtin();
        let element = (vocabulary.namespace(element.0), element.1);
        let rules = vocabulary.rules(element, (NamespaceId::NONE, attribute))?;
        rules.first().and_then(|rule| rule.syntax)
    }

    #[test]
    fn own_rows_are_read() {
        XmlVocabulary::parse(BUILTIN).expect("the project's own file");
        assert_eq!(syntax((ATOM, "link"), "href"), Some(Syntax::Single));
        assert_eq!(syntax((ATOM, "icon"), "#text"), Some(Syntax::Single));
        assert_eq!(syntax((ATOM, "entry"), "href"), None);
        assert_eq!(syntax(("urn:x", "entry"), "href"), Some(Syntax::Single));
        assert_eq!(syntax(("", "entry"), "#text"), Some(Syntax::AbsoluteOnly));
    }

    #[test]
    fn later_rows_go_before_equal_ones() {
        let own = XmlVocabulary::builtin();
        let row = format!("{ATOM}\tlink\thref\tnone\tnever\n{ATOM}\tx\thref\tsingle\tlist");
        let extended = own.extended(&row).expect("two rows");
        let atom = extended.namespace(ATOM);
        let of = |element| extended.rules((atom, element), (NamespaceId::NONE, "href"));
        assert!(of("link").is_some_and(|rules| rules[0].syntax.is_none()));
        assert!(of("x").is_some_and(|rules| rules[0].access == XmlAccess::List));
    }

    #[test]
    fn errors_name_the_line() {
        for (text, part) in [
            ("a", "line 1: expected 5 or 6 columns"),
            (
                "# x\nurn:x\te\ta\tsingel\trewrite",
                "line 2: expected a syntax",
            ),
            ("urn:x\te\ta\tsingle\twrite", "expected an access"),
            ("urn:x\te\tp:a\tsingle\trewrite", "declared prefix"),
            ("urn:x\te\ta\tsingle\trewrite\tx", "expected a condition"),
            ("(x)\te\ta\tsingle\trewrite", "expected a namespace"),
            ("urn:x\t\ta\tsingle\trewrite", "name of an element"),
        ] {
            let error = XmlVocabulary::parse(text).expect_err(text);
            assert_eq!(error.kind(), ErrorKind::InvalidVocabulary);
            assert!(error.to_string().contains(part), "{error}");
        }
    }
}
