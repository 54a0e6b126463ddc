//! The reader of vocabulary files: one row a line, its columns separated by tabs.

use super::condition::Condition;
use super::names::Case;
use super::{InvalidVocabulary, NamespaceId, Rule};
use crate::language::Language;
use crate::line_state::LineState;
use crate::slot::{Access, Name, Syntax};
use std::collections::HashMap;

/// The words for syntaxes; `none` means that a place holds no links.
const SYNTAXES: &[(&str, Option<Syntax>)] = &[
    ("none", None),
    ("single", Some(Syntax::Single)),
    ("base", Some(Syntax::Base)),
    ("space-list", Some(Syntax::SpaceList)),
    ("comma-list", Some(Syntax::CommaList)),
    ("semicolon-list", Some(Syntax::SemicolonList)),
    ("quoted-list", Some(Syntax::QuotedList)),
    ("srcset", Some(Syntax::Srcset)),
    ("refresh", Some(Syntax::Refresh)),
    ("css", Some(Syntax::CssDeclarations)),
    ("html", Some(Syntax::Html)),
    ("wikitext", Some(Syntax::Lines(LineState::WIKITEXT))),
    ("text", Some(Syntax::Text)),
    ("runs", Some(Syntax::EscapedText)),
    ("data", Some(Syntax::Data)),
    ("script", Some(Syntax::Script(Language::JavaScript))),
    ("json", Some(Syntax::Json)),
    ("importmap", Some(Syntax::ImportMap)),
    ("speculationrules", Some(Syntax::SpeculationRules)),
    ("template", Some(Syntax::Template)),
    ("policy", Some(Syntax::Policy)),
    ("field", Some(Syntax::Field)),
    ("pairs", Some(Syntax::LocationPairs)),
    ("absolute", Some(Syntax::AbsoluteOnly)),
    ("absolute-list", Some(Syntax::AbsoluteList)),
    (LINK, Some(Syntax::AbsoluteOnly)),
];

/// The syntax of attributes of XML that hold a link only if their whole value is a link of the Web.
const LINK: &str = "link";

/// The words for accesses.
const ACCESSES: &[(&str, Option<Access>)] = &[
    ("rewrite", Some(Access::Rewrite)),
    ("rules", Some(Access::Rules)),
    ("list", Some(Access::Identifier)),
    ("counted", Some(Access::Counted)),
    (OPT_IN, Some(Access::Rewrite)),
    (CODE, Some(Access::Rewrite)),
    ("never", None),
];

const OPT_IN: &str = "opt-in";
const CODE: &str = "code";

/// The attribute column of rows for an element's content.
pub(crate) const CONTENT: &str = "#text";

/// The attribute column of rows of XML for all attributes that no row names.
pub(crate) const ANY: &str = "*";

/// The elements of HTML whose content is read as a whole.
const RAW_TEXT: [&str; 4] = ["style", "script", "noframes", "svg:style"];

/// The namespaces of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Scope {
    /// All namespaces of XML.
    Any,
    /// No namespace, and namespaces of XML that no row names.
    Unknown,
    One(NamespaceId),
}

/// A row for one attribute, or the content, of one element or all elements in a scope.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub scope: Scope,
    /// `None` for all elements.
    pub element: Option<Name>,
    pub attribute_namespace: NamespaceId,
    /// The local name. In HTML, a final `*` stands for any further characters.
    pub attribute: Name,
    /// The number of the row's file: later files go first.
    pub file: u32,
    /// The request without which the row does not count.
    pub request: Option<Request>,
    pub rule: Rule,
}

/// Rows that count only on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Attributes that hold links by convention.
    OptIn,
    /// Scripts and data of scripts.
    Code,
}

impl Request {
    fn of(access: &str) -> Option<Request> {
        match access {
            OPT_IN => Some(Request::OptIn),
            CODE => Some(Request::Code),
            _ => None,
        }
    }
}

/// The requests of a caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Requests {
    pub opt_ins: bool,
    pub code: bool,
}

impl Requests {
    /// True if a row counts.
    pub fn admit(self, row: &Row) -> bool {
        match row.request {
            None => true,
            Some(Request::OptIn) => self.opt_ins,
            Some(Request::Code) => self.code,
        }
    }
}

impl Row {
    /// True if the row gives only the beginning of an attribute's name.
    pub fn is_prefix(&self) -> bool {
        matches!(self.scope, Scope::One(namespace) if namespace.is_html())
            && self.attribute.ends_with('*')
    }
}

/// The rows of all files, and the names that they declare.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    pub rows: Vec<Row>,
    /// Namespaces without a fixed number, in the order of their numbers.
    pub namespaces: Vec<Name>,
    numbers: HashMap<Name, NamespaceId>,
    prefixes: HashMap<Name, NamespaceId>,
    files: u32,
}

/// The most rows: their numbers must fit in keys of 16 bits.
const MOST_ROWS: usize = 60_000;

/// Makes the names of a file.
type MakeName<'t> = fn(&'t str) -> Name;

/// The columns of a row behind its namespace.
struct Columns<'t> {
    element: &'t str,
    attribute: &'t str,
    syntax: &'t str,
    access: &'t str,
    condition: &'t str,
}

impl Rows {
    /// Adds the rows of a file.
    pub fn add<'t>(&mut self, text: &'t str, name: MakeName<'t>) -> Result<(), InvalidVocabulary> {
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let columns: Vec<&str> = line.trim_end().split('\t').map(str::trim).collect();
            let added = self.add_line(&columns, name);
            let limited = added.and_then(|()| self.check_size());
            limited.map_err(|message| {
                InvalidVocabulary::new(format!("line {}: {message}", index + 1))
            })?;
        }
        self.files += 1;
        Ok(())
    }

    fn check_size(&self) -> Result<(), String> {
        // Rows for a name in any namespace are copied to all of them.
        let copied = |row: &&Row| !matches!(row.scope, Scope::One(_)) && row.element.is_some();
        let copies = if self.rows.last().as_ref().is_some_and(copied) {
            self.rows.iter().filter(copied).count() * (self.namespaces.len() + 1)
        } else {
            0
        };
        if self.rows.len() + copies > MOST_ROWS {
            Err(format!("expected at most {MOST_ROWS} rows, but found more"))
        } else {
            Ok(())
        }
    }

    /// A row of HTML has its access in the fourth column, a row of XML in the fifth.
    fn add_line<'t>(&mut self, columns: &[&'t str], name: MakeName<'t>) -> Result<(), String> {
        match *columns {
            ["prefix", prefix, namespace] => {
                let namespace = self.namespace(namespace, name)?;
                self.prefixes.insert(name(prefix), namespace);
                Ok(())
            }
            [element, attribute, syntax, access, ref rest @ ..]
                if rest.len() < 2 && (is_access(access) || !is_xml(columns)) =>
            {
                let condition = rest.first().copied().unwrap_or_default();
                let columns = Columns {
                    element,
                    attribute,
                    syntax,
                    access,
                    condition,
                };
                self.add_html(&columns, name)
            }
            [namespace, element, attribute, syntax, access, ref rest @ ..]
                if rest.len() < 2 && is_xml(columns) =>
            {
                let condition = rest.first().copied().unwrap_or_default();
                let columns = Columns {
                    element,
                    attribute,
                    syntax,
                    access,
                    condition,
                };
                self.add_xml(namespace, &columns, name)
            }
            _ if is_xml(columns) => Err(format!(
                "expected 5 or 6 columns separated by tabs, but found {}",
                columns.len()
            )),
            _ => Err(format!(
                "expected columns separated by tabs: element, attribute, syntax, access and perhaps a condition, for XML \
                 a namespace before them; but found {} column{}",
                columns.len(),
                if columns.len() == 1 { "" } else { "s" }
            )),
        }
    }

    fn add_html<'t>(&mut self, columns: &Columns<'t>, name: MakeName<'t>) -> Result<(), String> {
        let (namespaces, element) = html_element(columns.element)?;
        let attribute = lower_name(columns.attribute, name);
        if attribute.is_empty() || &*attribute == "*" {
            return Err("expected the name of an attribute, or #text".to_owned());
        }
        if &*attribute == CONTENT && !RAW_TEXT.contains(&columns.element) {
            return Err(format!(
                "expected #text of {}, but found it of `{}`",
                RAW_TEXT.join(", "),
                columns.element
            ));
        }
        let rule = columns.rule(&attribute, Case::Ignored)?;
        for namespace in namespaces {
            self.rows.push(Row {
                scope: Scope::One(*namespace),
                element: (element != "*").then(|| lower_name(element, name)),
                attribute_namespace: NamespaceId::NONE,
                attribute: attribute.clone(),
                file: self.files,
                request: Request::of(columns.access),
                rule: rule.clone(),
            });
        }
        Ok(())
    }

    fn add_xml<'t>(
        &mut self,
        namespace: &'t str,
        columns: &Columns<'t>,
        name: MakeName<'t>,
    ) -> Result<(), String> {
        let scope = match namespace {
            "(any)" => Scope::Any,
            "(unknown)" => Scope::Unknown,
            "(none)" => Scope::One(NamespaceId::NONE),
            "(instruction)" => Scope::One(NamespaceId::INSTRUCTION),
            namespace => Scope::One(self.namespace(namespace, name)?),
        };
        let rule = columns.rule(columns.attribute, Case::Exact)?;
        for attribute in columns.attribute.split('|') {
            let (attribute_namespace, local) = self.attribute(attribute)?;
            for element in columns.element.split('|') {
                if element.is_empty() {
                    return Err("expected the name of an element or `*`".to_owned());
                }
                self.rows.push(Row {
                    scope,
                    element: (element != "*").then(|| name(element)),
                    attribute_namespace,
                    attribute: name(local),
                    file: self.files,
                    request: Request::of(columns.access),
                    rule: rule.clone(),
                });
            }
        }
        Ok(())
    }

    /// The namespace and the local name of an attribute of XML.
    fn attribute<'n>(&self, name: &'n str) -> Result<(NamespaceId, &'n str), String> {
        match name.split_once(':') {
            _ if name.is_empty() => Err("expected the name of an attribute, or #text".to_owned()),
            None => Ok((NamespaceId::NONE, name)),
            Some((prefix, local)) => match self.prefixes.get(prefix) {
                Some(&namespace) => Ok((namespace, local)),
                None => Err(format!("expected a declared prefix, but found `{prefix}`")),
            },
        }
    }

    fn namespace<'t>(
        &mut self,
        namespace: &'t str,
        name: MakeName<'t>,
    ) -> Result<NamespaceId, String> {
        if namespace.is_empty() || namespace.starts_with('(') {
            return Err(format!("expected a namespace, but found `{namespace}`"));
        }
        if let Some(known) = self.namespace_number(namespace) {
            return Ok(known);
        }
        let id = NamespaceId::FIRST_FREE.plus(self.namespaces.len());
        self.namespaces.push(name(namespace));
        self.numbers.insert(name(namespace), id);
        Ok(id)
    }

    /// The number of a namespace, if it has one.
    pub fn namespace_number(&self, name: &str) -> Option<NamespaceId> {
        let own = || self.numbers.get(name).copied();
        NamespaceId::fixed(name).or_else(own)
    }

    /// The name of a namespace.
    pub fn namespace_name(&self, namespace: NamespaceId) -> Option<Name> {
        let own = namespace
            .index()
            .checked_sub(NamespaceId::FIRST_FREE.index());
        match own {
            Some(index) => self.namespaces.get(index).cloned(),
            None => namespace.fixed_name(),
        }
    }
}

impl Columns<'_> {
    fn rule(&self, attribute: &str, case: Case) -> Result<Rule, String> {
        let syntax = syntax(self.syntax, attribute)?;
        let access = find(ACCESSES, self.access).ok_or_else(|| {
            let known = words(ACCESSES);
            format!("expected an access ({known}), but found `{}`", self.access)
        })?;
        let condition = Condition::parse(self.condition, case)?;
        Ok(Rule {
            content: syntax
                .zip(access)
                .map(|(syntax, access)| super::SlotContent { syntax, access }),
            needs_colon: condition.needs_colon(attribute),
            only_links: self.syntax == LINK,
            condition,
        })
    }
}

/// The syntax of an attribute, or of an element's content.
fn syntax(word: &str, attribute: &str) -> Result<Option<Syntax>, String> {
    match find(SYNTAXES, word) {
        Some(Some(Syntax::CssDeclarations)) if attribute == CONTENT => Ok(Some(Syntax::Css)),
        Some(Some(Syntax::Text | Syntax::EscapedText)) if attribute != CONTENT => Err(format!(
            "expected the syntax `{word}` for #text alone, but found it for `{attribute}`"
        )),
        Some(syntax) => Ok(syntax),
        None => {
            let known = words(SYNTAXES);
            Err(format!("expected a syntax ({known}), but found `{word}`"))
        }
    }
}

fn find<T: Copy>(known: &[(&str, T)], word: &str) -> Option<T> {
    let found = known.iter().find(|(own, _)| *own == word);
    found.map(|(_, value)| *value)
}

fn words<T>(known: &[(&str, T)]) -> String {
    let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
    words.join(", ")
}

fn is_access(word: &str) -> bool {
    find(ACCESSES, word).is_some()
}

/// True for a row of XML, which has no access in its fourth column.
fn is_xml(columns: &[&str]) -> bool {
    match *columns {
        [_, _, _, access, ..] if is_access(access) => false,
        [_, _, _, _, access, ..] if is_access(access) => true,
        [_, _, _, syntax, _] => find(SYNTAXES, syntax).is_some(),
        _ => columns.len() == 6,
    }
}

/// The namespaces and the local name of an element of HTML; the name is `*` for all elements.
fn html_element(text: &str) -> Result<(&'static [NamespaceId], &str), String> {
    let (prefix, element) = text.split_once(':').unwrap_or_default();
    let (namespaces, element): (&[_], _) = match &*prefix.to_ascii_lowercase() {
        "svg" => (&[NamespaceId::HTML_SVG], element),
        "math" => (&[NamespaceId::HTML_MATHML], element),
        _ if text == "*" => (&NamespaceId::OF_HTML, text),
        _ => (&[NamespaceId::HTML], text),
    };
    match element {
        "" => Err(format!(
            "expected the name of an element, but found `{text}`"
        )),
        element => Ok((namespaces, element)),
    }
}

fn lower_name<'t>(text: &'t str, name: MakeName<'t>) -> Name {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Name::from(text.to_ascii_lowercase())
    } else {
        name(text)
    }
}
