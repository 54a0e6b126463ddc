//! The rules of a vocabulary by namespace, element and attribute, built once and shared by all documents.
//!
//! Rows about the same elements are a group. An element has up to three groups: the rows that name it, the rows for all
//! elements of its namespace, and the rows for all namespaces. Group and attribute lead to a rule.

use super::elements::{ROLES, Role, breaks_out};
use super::filter::Filter;
use super::names::{Case, Table, digest};
use super::rows::{ANY, CONTENT, Requests, Row, Rows, Scope};
use super::{AttributeId, ElementId, NamespaceId, Rule, Verdict};
use crate::slot::Name;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// The entry of an element in the vocabulary.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub namespace: NamespaceId,
    /// `None` for all elements without an entry of their own.
    pub name: Option<Name>,
    /// True if the start tag of the element ends foreign content.
    pub breaks_out: bool,
    /// The attributes without a namespace that may hold links.
    pub filter: Filter,
    /// The verdict on the content of the element.
    pub content: Verdict,
    /// A text that an attribute of the tag has if the content of the element holds links.
    pub hint: Option<Box<str>>,
    groups: [u16; 3],
}

impl Element {
    /// The entry of elements without rules.
    const WITHOUT_RULES: Element = Element {
        namespace: NamespaceId::NONE,
        name: None,
        breaks_out: false,
        filter: Filter::NONE,
        content: Verdict::Nothing,
        hint: None,
        groups: [0; 3],
    };
}

/// The elements of a namespace.
#[derive(Clone, Debug, Default)]
pub(super) struct Space {
    named: Table<ElementId>,
    others: ElementId,
}

/// The range of a group's rules for an attribute among all rules.
#[derive(Clone, Copy, Debug, Default)]
struct Range {
    start: u32,
    end: u32,
    /// The verdict of these rules before the tag is read.
    verdict: Verdict,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Elements of HTML, the most frequent in documents.
    html: Space,
    /// Spaces by the numbers of namespaces.
    spaces: Vec<Space>,
    elements: Vec<Element>,
    attributes: Table<AttributeId>,
    attribute_names: Vec<Name>,
    ranges: Table<Range>,
    rules: Vec<Rule>,
    /// Rows that give only the beginning of an attribute's name.
    prefixes: Vec<Row>,
    /// The local names of attributes with a namespace.
    pub prefixed: Filter,
}

/// The rows of a scope, those of later files first.
#[derive(Default)]
struct ScopeRows<'r> {
    of_all: Vec<&'r Row>,
    by_element: HashMap<&'r str, Vec<&'r Row>>,
    /// The elements that rows name, even if the rows do not count.
    elements: Vec<&'r Name>,
}

/// The groups of the rows for all namespaces.
#[derive(Default)]
struct General<'r> {
    /// The elements that these rows name, with the group of each.
    named: Vec<(&'r Name, u16)>,
    others: u16,
}

/// Builds an index of the rows that count.
struct Builder<'r> {
    index: Index,
    rows: HashMap<Scope, ScopeRows<'r>>,
    /// The filters of groups.
    filters: Vec<Filter>,
}

impl Index {
    pub fn new(rows: &Rows, requests: Requests) -> Index {
        let mut builder = Builder::new(rows, requests);
        builder.add_prefixes();
        let of_named = builder.general(&[Scope::Any]);
        let of_unknown = builder.general(&[Scope::Any, Scope::Unknown]);
        let nowhere = General::default();
        for namespace in 0..NamespaceId::FIRST_FREE.plus(rows.namespaces.len()).index() {
            let namespace = NamespaceId::NONE.plus(namespace);
            let general = match namespace {
                _ if !has_general_rows(namespace) => &nowhere,
                NamespaceId::XHTML | NamespaceId::XSLT => &of_named,
                _ if builder.names(namespace) => &of_named,
                _ => &of_unknown,
            };
            builder.add_space(namespace, general);
        }
        let mut index = builder.index;
        index.html = index.spaces[NamespaceId::HTML.index()].clone();
        index
    }

    /// An element by the digest of its name.
    #[inline(always)]
    pub fn element(
        &self,
        namespace: NamespaceId,
        digest: u64,
        is_named: impl Fn(&Name) -> bool,
    ) -> ElementId {
        let unknown = || self.spaces.get(NamespaceId::UNKNOWN.index());
        let Some(space) = self.spaces.get(namespace.index()).or_else(unknown) else {
            return ElementId::default();
        };
        let is_named = |id| self.get(id).name.as_ref().is_some_and(&is_named);
        space.named.get_if(digest, is_named).unwrap_or(space.others)
    }

    /// An element of HTML by the digest of its name, which is at most eight bytes of ASCII.
    #[inline(always)]
    pub fn short_html_element(&self, digest: u64) -> Option<ElementId> {
        self.html.named.get(digest)
    }

    #[inline(always)]
    pub fn get(&self, element: ElementId) -> &Element {
        let known = self.elements.get(element.number as usize);
        known.unwrap_or(&Element::WITHOUT_RULES)
    }

    #[inline]
    pub fn attribute(&self, name: &[u8], case: Case) -> Option<AttributeId> {
        let is_named = |id: AttributeId| {
            let own = self.attribute_names.get(usize::from(id.0));
            own.is_some_and(|own| case.matches(own.as_bytes(), name))
        };
        self.attributes.get_if(digest(name, case), is_named)
    }

    /// An attribute by the digest of its name, which is at most eight bytes of ASCII.
    #[inline(always)]
    pub fn short_attribute(&self, digest: u64) -> Option<AttributeId> {
        self.attributes.get(digest)
    }

    pub fn attribute_name(&self, attribute: AttributeId) -> Option<&Name> {
        self.attribute_names.get(usize::from(attribute.0))
    }

    /// The rules for an attribute of an element, to be tried in order.
    #[inline]
    pub fn rules(
        &self,
        element: ElementId,
        namespace: NamespaceId,
        attribute: AttributeId,
    ) -> impl Iterator<Item = &Rule> {
        let groups = self
            .get(element)
            .groups
            .into_iter()
            .filter(|&group| group != 0);
        let ranges =
            groups.filter_map(move |group| self.ranges.get(key(group, namespace, attribute)));
        ranges.flat_map(|range| &self.rules[range.start as usize..range.end as usize])
    }

    /// The rules of rows that give only the beginning of an attribute's name.
    pub fn prefix_rules<'i>(
        &'i self,
        element: ElementId,
        name: &'i [u8],
        case: Case,
    ) -> impl Iterator<Item = &'i Rule> {
        let known = self.get(element);
        let rows = self.prefixes.iter().filter(move |row| {
            let prefix = row.attribute.trim_end_matches('*').as_bytes();
            let begins = name
                .get(..prefix.len())
                .is_some_and(|own| case.matches(prefix, own));
            begins
                && row.scope == Scope::One(known.namespace)
                && (row.element.is_none() || row.element == known.name)
        });
        rows.map(|row| &row.rule)
    }

    /// True if some rows give only the beginning of an attribute's name.
    #[inline]
    pub fn has_prefixes(&self) -> bool {
        !self.prefixes.is_empty()
    }

    /// The verdict of the rules on an attribute before its tag is read.
    #[inline]
    pub fn verdict(
        &self,
        element: ElementId,
        namespace: NamespaceId,
        attribute: AttributeId,
    ) -> Verdict {
        let mut verdict = Verdict::Nothing;
        for group in self.get(element).groups {
            if group == 0 {
                continue;
            }
            let Some(range) = self.ranges.get(key(group, namespace, attribute)) else {
                continue;
            };
            verdict = match (verdict, range.verdict) {
                (Verdict::Nothing, Verdict::NeedsColon) => Verdict::NeedsColon,
                (Verdict::Nothing, decided) => return decided,
                (_, Verdict::NeedsColon) => Verdict::NeedsColon,
                _ => return Verdict::Conditional,
            };
        }
        verdict
    }
}

/// The verdict of a group's rules before the tag is read.
fn verdict_of<'r>(mut rules: impl Iterator<Item = &'r Rule>) -> Verdict {
    let Some(first) = rules.next() else {
        return Verdict::Nothing;
    };
    match first.content {
        content if first.condition.is_empty() => content.map_or(Verdict::Nothing, Verdict::Slot),
        _ if first.needs_colon && rules.all(|rule| rule.needs_colon) => Verdict::NeedsColon,
        _ => Verdict::Conditional,
    }
}

/// A text that the tag has if one of the rules gives a slot.
fn hint_of<'r>(rules: impl Iterator<Item = &'r Rule>) -> Option<&'r str> {
    let mut only = None;
    for rule in rules {
        if rule.content.is_some() && only.replace(rule).is_some() {
            return None;
        }
        if rule.condition.is_empty() {
            break;
        }
    }
    only?.condition.literal()
}

impl<'r> Builder<'r> {
    fn new(rows: &'r Rows, requests: Requests) -> Self {
        let mut builder = Builder {
            index: Index::default(),
            rows: HashMap::new(),
            filters: vec![Filter::NONE],
        };
        builder.attribute(&Name::built_in(CONTENT));
        builder.attribute(&Name::built_in(ANY));
        // Bases and links are looked up whatever the rows are.
        builder.index.prefixed.add("base");
        builder.index.prefixed.add("href");
        builder.index.elements.push(Element::WITHOUT_RULES);
        let mut by_file: Vec<&Row> = rows.rows.iter().collect();
        by_file.sort_by_key(|row| Reverse(row.file));
        for row in by_file {
            let scope = builder.rows.entry(row.scope).or_default();
            scope.elements.extend(&row.element);
            if requests.admit(row) {
                builder.add(row);
            }
        }
        builder
    }

    fn add(&mut self, row: &'r Row) {
        if row.is_prefix() {
            return self.index.prefixes.push(row.clone());
        }
        let by_value = row.rule.only_links || &*row.attribute == ANY;
        if row.attribute_namespace != NamespaceId::NONE && !by_value {
            self.index.prefixed.add(&row.attribute);
        }
        let rows = self.rows.entry(row.scope).or_default();
        match row.element.as_deref() {
            Some(name) => rows.by_element.entry(name).or_default().push(row),
            None => rows.of_all.push(row),
        }
    }

    fn add_prefixes(&mut self) {
        let prefixes = &mut self.index.prefixes;
        if prefixes.iter().all(|row| row.rule.content.is_none()) {
            prefixes.clear();
        }
        prefixes.sort_by_key(|row| (row.element.is_none(), Reverse(row.file)));
    }

    /// True if rows name the namespace.
    fn names(&self, namespace: NamespaceId) -> bool {
        namespace != NamespaceId::NONE && self.rows.contains_key(&Scope::One(namespace))
    }

    /// The groups of these scopes; the rows of earlier ones go first. All namespaces have an entry for each element
    /// that rows for any of them name.
    fn general(&mut self, scopes: &[Scope]) -> General<'r> {
        let rows = std::mem::take(&mut self.rows);
        let of = |scope: &Scope| rows.get(scope);
        let parts = |name: Option<&str>| -> Vec<&'r Row> {
            let known = scopes.iter().filter_map(of);
            let parts = known.flat_map(|rows| {
                let own = name.and_then(|name| rows.by_element.get(name));
                own.into_iter().flatten().chain(&rows.of_all).copied()
            });
            parts.collect()
        };
        let others = self.group(parts(None));
        let mut general = General {
            named: Vec::new(),
            others,
        };
        let mut known = HashSet::new();
        for rows_of_any in [Scope::Any, Scope::Unknown].iter().filter_map(of) {
            for name in rows_of_any.elements.iter().copied() {
                if !known.insert(name) {
                    continue;
                }
                let names = |rows: &ScopeRows<'_>| rows.by_element.contains_key(&**name);
                let group = if scopes.iter().filter_map(of).any(names) {
                    self.group(parts(Some(name)))
                } else {
                    others
                };
                general.named.push((name, group));
            }
        }
        self.rows = rows;
        general
    }

    fn add_space(&mut self, namespace: NamespaceId, general: &General<'r>) {
        let rows = self.rows.remove(&Scope::One(namespace)).unwrap_or_default();
        let all = self.group(rows.of_all.clone());
        let mut space = Space {
            named: Table::default(),
            others: self.element(namespace, None, Role::Plain, [0, all, general.others]),
        };
        let roles = ROLES.iter().filter(|_| namespace == NamespaceId::HTML);
        let roles = roles.flat_map(|(role, names)| {
            let names = names.split(' ').map(Name::built_in);
            names.map(|name| (name, *role, general.others))
        });
        let named = general.named.iter();
        let named = named.map(|(name, group)| ((*name).clone(), Role::Plain, *group));
        let own = rows.elements.iter();
        let own = own.map(|name| ((*name).clone(), Role::Plain, general.others));
        for (name, role, group) in roles.chain(named).chain(own) {
            let digest = digest(name.as_bytes(), Case::Exact);
            let is_named = |id| self.index.get(id).name.as_ref() == Some(&name);
            if space.named.get_if(digest, is_named).is_some() {
                continue;
            }
            let own = rows.by_element.get(&*name);
            let own = own.map_or(0, |rows| self.group(rows.clone()));
            let element = self.element(namespace, Some(name), role, [own, all, group]);
            space.named.insert(digest, element);
        }
        self.index.spaces.push(space);
    }

    fn element(
        &mut self,
        namespace: NamespaceId,
        name: Option<Name>,
        role: Role,
        groups: [u16; 3],
    ) -> ElementId {
        let number = self.index.elements.len() as u32;
        let mut filter = if namespace.is_html() && self.index.has_prefixes() {
            Filter::ALL
        } else {
            Filter::NONE
        };
        if role == Role::Anchor {
            // The presence of a `href` counts for an anchor, whatever its value.
            filter.add("href");
        }
        for group in groups {
            filter = filter.or(&self.filters[usize::from(group)]);
        }
        self.index.elements.push(Element {
            namespace,
            breaks_out: namespace == NamespaceId::HTML && name.as_deref().is_some_and(breaks_out),
            name,
            filter,
            content: Verdict::Nothing,
            hint: None,
            groups,
        });
        let id = ElementId { number, role };
        let content = self
            .index
            .verdict(id, NamespaceId::NONE, AttributeId::CONTENT);
        let rules = self
            .index
            .rules(id, NamespaceId::NONE, AttributeId::CONTENT);
        let hint = hint_of(rules).map(Into::into);
        let element = &mut self.index.elements[number as usize];
        (element.content, element.hint) = (content, hint);
        id
    }

    /// Adds a group of rows; for the same attribute, earlier rows go before later ones.
    fn group(&mut self, mut rows: Vec<&'r Row>) -> u16 {
        if rows.is_empty() {
            return 0;
        }
        let attribute_of = |row: &&'r Row| (row.attribute_namespace.index(), &*row.attribute);
        rows.sort_by_key(attribute_of);
        let group = self.filters.len() as u16;
        let mut filter = Filter::NONE;
        for rows in rows.chunk_by(|one, other| attribute_of(one) == attribute_of(other)) {
            let [first, ..] = *rows else { continue };
            let is_idle = first.rule.condition.is_empty() && first.rule.content.is_none();
            // Links are seen by their values.
            let by_value = rows.iter().all(|row| row.rule.only_links);
            let by_value = by_value || &*first.attribute == ANY;
            if first.attribute_namespace == NamespaceId::NONE && !is_idle && !by_value {
                filter.add(&first.attribute);
            }
            let attribute = self.attribute(&first.attribute);
            let start = self.index.rules.len() as u32;
            self.index
                .rules
                .extend(rows.iter().map(|row| row.rule.clone()));
            let end = self.index.rules.len() as u32;
            let key = key(group, first.attribute_namespace, attribute);
            let verdict = verdict_of(rows.iter().map(|row| &row.rule));
            let range = Range {
                start,
                end,
                verdict,
            };
            self.index.ranges.insert(key, range);
        }
        self.filters.push(filter);
        group
    }

    fn attribute(&mut self, name: &Name) -> AttributeId {
        if let Some(known) = self.index.attribute(name.as_bytes(), Case::Exact) {
            return known;
        }
        let id = AttributeId(self.index.attribute_names.len() as u16);
        self.index.attribute_names.push(name.clone());
        self.index
            .attributes
            .insert(digest(name.as_bytes(), Case::Exact), id);
        id
    }
}

/// True if rows for all namespaces apply to a namespace.
fn has_general_rows(namespace: NamespaceId) -> bool {
    !namespace.is_html() && namespace != NamespaceId::INSTRUCTION
}

#[inline(always)]
fn key(group: u16, namespace: NamespaceId, attribute: AttributeId) -> u64 {
    // The lowest byte stays free: digests use it for the mark of ambiguity.
    let [group, attribute] = [u64::from(group), u64::from(attribute.0)];
    (namespace.index() as u64) << 40 | group << 24 | attribute << 8
}
