//! Which attributes, elements and instructions of XML hold links: a data file, which users can extend.
//!
//! The file's format is told at its head ([`BUILTIN`]).

use super::condition::Condition;
use super::names::NameMap;
use super::tables::Tables;
use crate::InvalidVocabulary;
use crate::slot::{Name, Syntax};
pub use crate::vocabulary::RowAccess as XmlAccess;
use crate::words;
use std::collections::HashMap;
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

/// Which elements a row is about, by their namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elements {
    Any,
    Unknown,
    Of(NamespaceId),
}

/// A row for one attribute (or `#text`) of one element or of any.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub elements: Elements,
    /// `None` for any.
    pub element: Option<Name>,
    pub attribute_namespace: NamespaceId,
    /// Its local name.
    pub attribute: Name,
    /// A greater one is that of a later file.
    pub rank: u32,
    pub rule: Rule,
}

/// Rows, made ready to be asked. Cloning is not cheap: share it.
#[derive(Clone, Debug, Default)]
pub struct XmlVocabulary {
    namespaces: NameMap<NamespaceId>,
    /// Namespaces of elements that rows name.
    named: Vec<NamespaceId>,
    prefixes: HashMap<String, NamespaceId>,
    /// The name of each namespace, by its number.
    names: Vec<Option<Name>>,
    rows: Vec<Row>,
    targets: Vec<Box<str>>,
    ranks: u32,
    opt_ins: bool,
    tables: Tables,
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
    /// [`InvalidVocabulary`], with the line, when a row is not one.
    pub fn parse(text: &str) -> Result<XmlVocabulary, InvalidVocabulary> {
        Self::read(text, Name::from)
    }

    fn read<'t>(
        text: &'t str,
        name: fn(&'t str) -> Name,
    ) -> Result<XmlVocabulary, InvalidVocabulary> {
        let mut vocabulary = XmlVocabulary::default();
        let fixed = [
            ("", NamespaceId::NONE),
            (XHTML, NamespaceId::XHTML),
            (XML, NamespaceId::XML),
            (XSLT, NamespaceId::XSLT),
        ];
        for (name, id) in fixed {
            vocabulary.namespaces.insert(name.as_bytes(), id);
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
    pub fn extended(&self, text: &str) -> Result<XmlVocabulary, InvalidVocabulary> {
        let mut vocabulary = self.clone();
        vocabulary.add(text, Name::from)?;
        Ok(vocabulary)
    }

    fn add<'t>(
        &mut self,
        text: &'t str,
        name: fn(&'t str) -> Name,
    ) -> Result<(), InvalidVocabulary> {
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            self.add_line(line, name).map_err(|message| {
                let message = format!("line {}: {message}", index + 1);
                InvalidVocabulary::new(message)
            })?;
        }
        self.ranks += 1;
        self.make_ready();
        Ok(())
    }

    fn make_ready(&mut self) {
        let opt_ins = self.opt_ins;
        let counts = |row: &&Row| opt_ins || row.rule.access != XmlAccess::OptIn;
        self.tables = Tables::new(self.rows.iter().filter(counts), &self.named);
    }

    /// This vocabulary with the rows that count only when asked for.
    pub fn with_opt_ins(&self) -> XmlVocabulary {
        let mut vocabulary = self.clone();
        vocabulary.opt_ins = true;
        vocabulary.make_ready();
        vocabulary
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
                self.rows.push(Row {
                    elements,
                    element: (element != "*").then(|| name(element)),
                    attribute_namespace,
                    attribute: name(local),
                    rank: self.ranks,
                    rule: rule.clone(),
                });
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
        if let Some(id) = self.namespaces.get(namespace.as_bytes()) {
            return Ok(id);
        }
        let id = self.first_free();
        self.namespaces.insert(namespace.as_bytes(), id);
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
        let id = self.namespaces.get(name.as_bytes());
        id.unwrap_or(NamespaceId::UNKNOWN)
    }

    /// The number of a raw namespace name that is known and ASCII, and so the same in every charset.
    pub(super) fn ascii_namespace(&self, raw: &[u8]) -> Option<NamespaceId> {
        let known = self.namespaces.get(raw);
        known.filter(|_| raw.is_ascii() && !raw.contains(&b'&'))
    }

    /// Whether some row is about processing instructions with the target.
    pub(super) fn knows_target(&self, target: &[u8]) -> bool {
        self.targets.iter().any(|known| known.as_bytes() == target)
    }

    /// What there is to ask of its rows.
    #[inline(always)]
    pub(super) fn tables(&self) -> &Tables {
        &self.tables
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ATOM: &str = "http://www.w3.org/2005/Atom";

    fn syntax(element: (&str, &str), attribute: &str) -> Option<Syntax> {
        let vocabulary = XmlVocabulary::builtin();
        let tables = vocabulary.tables();
        let kind = tables.kind(vocabulary.namespace(element.0), element.1.as_bytes());
        let rule = match attribute {
            "#text" => tables.content(kind).next(),
            name => tables
                .attribute(kind, NamespaceId::NONE, name.as_bytes())
                .next(),
        };
        rule?.syntax
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
        let (atom, tables) = (extended.namespace(ATOM), extended.tables());
        let of = |element: &str| {
            let kind = tables.kind(atom, element.as_bytes());
            tables.attribute(kind, NamespaceId::NONE, b"href").next()
        };
        assert!(of("link").is_some_and(|rule| rule.syntax.is_none()));
        assert!(of("x").is_some_and(|rule| rule.access == XmlAccess::List));
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
            assert!(error.to_string().contains(part), "{error}");
        }
    }
}
