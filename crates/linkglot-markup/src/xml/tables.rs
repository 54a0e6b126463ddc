//! The rows of a vocabulary by the elements that they are about, made once and shared by all documents: what may
//! stand in an element and in its attributes is found without a look at rows for others.

use super::known::{Facts, Settled};
use super::names::{hash, same};
use super::ruling::settled;
use super::vocabulary::{Elements, NamespaceId, Row, Rule};
use crate::slot::Name;
use crate::vocabulary::Filter;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// An element's kind: the rows that are about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kind {
    /// Of its namespace.
    own: u32,
    /// Of any namespace, or of unknown ones.
    general: u32,
}

/// The rows of one kind of element.
#[derive(Clone, Debug)]
struct Sheet {
    namespace: NamespaceId,
    /// Its local name; empty for all that have no sheet of their own.
    name: Name,
    content: Vec<Rule>,
    attributes: Vec<Attribute>,
    /// The names of attributes without a namespace.
    filter: Filter,
}

#[derive(Clone, Debug)]
struct Attribute {
    namespace: NamespaceId,
    name: Name,
    /// To be tried in order.
    rules: Vec<Rule>,
}

/// A place of the table of sheets.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    hash: u32,
    /// 0 is free.
    sheet: u32,
}

/// What is known of a namespace.
#[derive(Clone, Debug)]
struct Space {
    /// Whether rows name it.
    known: bool,
    /// The sheet for elements that rows do not name; 0 when there are no rows for the namespace alone.
    others: u32,
    /// The names of the others, by their first eight bytes.
    named: Filter,
}

impl Default for Space {
    fn default() -> Self {
        Space {
            known: false,
            others: 0,
            named: Filter::NONE,
        }
    }
}

/// All sheets of a vocabulary.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    /// The first has no rows.
    sheets: Vec<Sheet>,
    /// The sheets of elements that rows name. A power of two in length, at most half full.
    places: Vec<Place>,
    /// By the numbers of namespaces.
    spaces: Vec<Space>,
    /// The facts of elements without rows for their namespaces: of namespaces that rows name, and of others.
    general_facts: [Facts; 2],
    /// The facts that follow from each sheet.
    facts: Vec<Facts>,
    /// The rows for any element of a namespace that rows name, and of another.
    general: [u32; 2],
    /// Sheets of names in any namespace, and in any that rows do not name: there are hardly ever such rows.
    general_named: HashMap<Box<[u8]>, [u32; 2]>,
    /// The local names of attributes with a namespace.
    prefixed: Filter,
}

impl Default for Tables {
    fn default() -> Self {
        Tables::new(std::iter::empty(), &[])
    }
}

/// The rows about the elements of a namespace, or of any.
#[derive(Default)]
struct Group<'r> {
    unnamed: Vec<&'r Row>,
    named: HashMap<&'r str, Vec<&'r Row>>,
}

impl<'r> Group<'r> {
    fn add(&mut self, row: &'r Row) {
        match &row.element {
            Some(name) => self.named.entry(name).or_default().push(row),
            None => self.unnamed.push(row),
        }
    }

    fn named(&self, name: &str) -> &[&'r Row] {
        self.named.get(name).map_or(&[], Vec::as_slice)
    }
}

impl Tables {
    /// `named`: the namespaces that rows name.
    pub fn new<'r>(rows: impl Iterator<Item = &'r Row>, named: &[NamespaceId]) -> Tables {
        let mut tables = Tables {
            sheets: vec![Sheet::new(NamespaceId::NONE, Name::built_in(""), &[])],
            places: vec![Place::default(); 2],
            spaces: Vec::new(),
            general_facts: [Facts::default(); 2],
            facts: Vec::new(),
            general: [0; 2],
            general_named: HashMap::new(),
            prefixed: Filter::NONE,
        };
        // Bases and links are asked for whatever the rows are.
        tables.prefixed.add_exact(b"base");
        tables.prefixed.add_exact(b"href");
        for &id in named {
            at(&mut tables.spaces, id).known = true;
        }
        let (mut any, mut unknown) = (Group::default(), Group::default());
        let mut own: HashMap<NamespaceId, Group<'r>> = HashMap::new();
        for row in rows {
            if row.attribute_namespace != NamespaceId::NONE {
                tables.prefixed.add_exact(row.attribute.as_bytes());
            }
            match row.elements {
                Elements::Any => any.add(row),
                Elements::Unknown => unknown.add(row),
                Elements::Of(id) => own.entry(id).or_default().add(row),
            }
        }
        tables.add_general(&any, &unknown);
        for (namespace, group) in &own {
            tables.add_own(*namespace, group);
        }
        tables.fill_places();
        tables.fill_facts();
        tables
    }

    fn fill_facts(&mut self) {
        let facts = |own: usize, sheet: &Sheet| {
            let space = self.spaces.get(sheet.namespace.0 as usize);
            let class = usize::from(!space.is_some_and(|space| space.known));
            self.facts_of(
                sheet.namespace,
                self.kind_of(own as u32, sheet.namespace, class),
            )
        };
        let all = self.sheets.iter().enumerate();
        self.facts = all.map(|(own, sheet)| facts(own, sheet)).collect();
        self.general_facts = [0, 1].map(|class| {
            let namespace = NamespaceId::UNKNOWN;
            self.facts_of(namespace, self.kind_of(0, namespace, class))
        });
    }

    fn kind_of(&self, own: u32, namespace: NamespaceId, class: usize) -> Kind {
        let general = match namespace {
            NamespaceId::INSTRUCTION => 0,
            _ => self.general[class],
        };
        Kind { own, general }
    }

    /// What follows from the rows for an element that is not one of XHTML.
    pub fn facts_of(&self, namespace: NamespaceId, rows: Kind) -> Facts {
        let content = settled(self.content(rows));
        let [own, general] = self.sheets(rows);
        Facts {
            namespace,
            rows,
            html: None,
            plain: own.filter.or(&general.filter),
            content: content.map_or(Settled::Not, |content| Settled::As(content, false)),
        }
    }

    /// What follows for an element of another namespace than XHTML from its local name (see [`Key`](super::known::Key)).
    /// The namespace there may be another one without rows. `None` when that must be looked up.
    #[inline(always)]
    pub fn facts(
        &self,
        namespace: NamespaceId,
        [first, second]: [u64; 2],
        length: usize,
    ) -> Option<&Facts> {
        if !self.general_named.is_empty() {
            return None;
        }
        let Some(space) = self.spaces.get(namespace.0 as usize) else {
            return Some(&self.general_facts[1]);
        };
        if space.others == 0 {
            return Some(&self.general_facts[usize::from(!space.known)]);
        }
        if !space.named.passes(first) {
            return self.facts.get(space.others as usize);
        }
        let mut bytes = [0; 16];
        let (low, high) = bytes.split_at_mut(8);
        low.copy_from_slice(&first.to_le_bytes());
        high.copy_from_slice(&second.to_le_bytes());
        let own = self.own(namespace, bytes.get(..length)?);
        self.facts.get(own.unwrap_or(space.others) as usize)
    }

    fn add_general(&mut self, any: &Group<'_>, unknown: &Group<'_>) {
        let names: HashSet<&str> = any
            .named
            .keys()
            .chain(unknown.named.keys())
            .copied()
            .collect();
        let both = |name: &str| {
            let ranks = [
                any.named(name),
                &any.unnamed,
                unknown.named(name),
                &unknown.unnamed,
            ];
            [&ranks[..2], &ranks[..]].map(|ranks| Sheet::new(NamespaceId::NONE, name.into(), ranks))
        };
        self.general = both("").map(|sheet| self.add(sheet));
        for name in names {
            let sheets = both(name).map(|sheet| self.add(sheet));
            self.general_named.insert(name.as_bytes().into(), sheets);
        }
    }

    fn add_own(&mut self, namespace: NamespaceId, group: &Group<'_>) {
        let others = Sheet::new(namespace, Name::built_in(""), &[&group.unnamed]);
        let others = self.add(others);
        at(&mut self.spaces, namespace).others = others;
        for rows in group.named.values() {
            let name = rows.first().and_then(|row| row.element.clone());
            let Some(name) = name else { continue };
            let space = at(&mut self.spaces, namespace);
            space.named.add_exact(name.as_bytes());
            self.add(Sheet::new(namespace, name, &[rows, &group.unnamed]));
        }
    }

    fn add(&mut self, sheet: Sheet) -> u32 {
        self.sheets.push(sheet);
        self.sheets.len() as u32 - 1
    }

    fn fill_places(&mut self) {
        let general: HashSet<u32> = self.general_named.values().flatten().copied().collect();
        let own: Vec<(u32, u32)> = (0_u32..)
            .zip(&self.sheets)
            .filter(|(index, sheet)| !sheet.name.is_empty() && !general.contains(index))
            .map(|(index, sheet)| (mixed(sheet.namespace, sheet.name.as_bytes()), index))
            .collect();
        self.places = vec![Place::default(); (own.len() * 2 + 1).next_power_of_two()];
        let mask = self.places.len() - 1;
        for (hash, sheet) in own {
            let mut at = hash as usize & mask;
            while self.places[at].sheet != 0 {
                at = (at + 1) & mask;
            }
            self.places[at] = Place { hash, sheet };
        }
    }

    /// The kind of an element by its namespace and local name. O(length).
    #[inline]
    pub fn kind(&self, namespace: NamespaceId, local: &[u8]) -> Kind {
        let space = self.spaces.get(namespace.0 as usize);
        let own = match space {
            Some(space) if space.others != 0 => self.own(namespace, local).unwrap_or(space.others),
            _ => 0,
        };
        let class = usize::from(!space.is_some_and(|space| space.known));
        let general = match namespace {
            NamespaceId::INSTRUCTION => 0,
            _ if self.general_named.is_empty() => self.general[class],
            _ => self.general_named.get(local).unwrap_or(&self.general)[class],
        };
        Kind { own, general }
    }

    #[inline]
    fn own(&self, namespace: NamespaceId, local: &[u8]) -> Option<u32> {
        let hash = mixed(namespace, local);
        let mut at = hash as usize;
        loop {
            let place = self.places.get(at & (self.places.len() - 1))?;
            if place.sheet == 0 {
                return None;
            }
            if place.hash == hash {
                let sheet = self.sheets.get(place.sheet as usize)?;
                if sheet.namespace == namespace && same(sheet.name.as_bytes(), local) {
                    return Some(place.sheet);
                }
            }
            at += 1;
        }
    }

    #[inline]
    fn sheets(&self, kind: Kind) -> [&Sheet; 2] {
        [kind.own, kind.general].map(|index| {
            let sheet = self.sheets.get(index as usize);
            sheet.unwrap_or(&self.sheets[0])
        })
    }

    /// What the local names of attributes with a namespace must pass to have rules.
    #[inline]
    pub fn prefixed(&self) -> &Filter {
        &self.prefixed
    }

    /// The rules for an element's content, to be tried in order.
    #[inline]
    pub fn content(&self, kind: Kind) -> impl Iterator<Item = &Rule> {
        let [own, general] = self.sheets(kind);
        own.content.iter().chain(&general.content)
    }

    /// The rules for an attribute of an element, to be tried in order. O(attributes that rows name there).
    #[inline]
    pub fn attribute(
        &self,
        kind: Kind,
        namespace: NamespaceId,
        local: &[u8],
    ) -> impl Iterator<Item = &Rule> {
        let [own, general] = self.sheets(kind);
        let rules = |sheet| Sheet::rules(sheet, namespace, local).iter();
        rules(own).chain(rules(general))
    }

    /// The local name of an element that rows name, and of an attribute without a namespace, to be told without being
    /// copied.
    pub fn name(&self, kind: Kind, local: &[u8]) -> Option<&Name> {
        let [own, _] = self.sheets(kind);
        (own.name.as_bytes() == local).then_some(&own.name)
    }

    /// The same for an attribute without a namespace.
    pub fn attribute_name(&self, kind: Kind, local: &[u8]) -> Option<&Name> {
        let [own, general] = self.sheets(kind);
        let mut all = own.attributes.iter().chain(&general.attributes);
        all.find(|own| own.namespace == NamespaceId::NONE && own.name.as_bytes() == local)
            .map(|own| &own.name)
    }
}

impl Sheet {
    /// `ranks`: rows that are nearer to the element go before others.
    fn new(namespace: NamespaceId, name: Name, ranks: &[&[&Row]]) -> Sheet {
        let mut sheet = Sheet {
            namespace,
            name,
            content: Vec::new(),
            attributes: Vec::new(),
            filter: Filter::NONE,
        };
        for rows in ranks {
            let mut rows = rows.to_vec();
            rows.sort_by_key(|row| Reverse(row.rank));
            for row in rows {
                sheet.add(row);
            }
        }
        sheet
    }

    fn add(&mut self, row: &Row) {
        let (namespace, name) = (row.attribute_namespace, &row.attribute);
        if namespace == NamespaceId::NONE && &**name == "#text" {
            return self.content.push(row.rule.clone());
        }
        if namespace == NamespaceId::NONE {
            self.filter.add_exact(name.as_bytes());
        }
        let known = |own: &&mut Attribute| own.namespace == namespace && own.name == *name;
        match self.attributes.iter_mut().find(known) {
            Some(own) => own.rules.push(row.rule.clone()),
            None => self.attributes.push(Attribute {
                namespace,
                name: name.clone(),
                rules: vec![row.rule.clone()],
            }),
        }
    }

    fn rules(&self, namespace: NamespaceId, local: &[u8]) -> &[Rule] {
        let mut all = self.attributes.iter();
        let own = all.find(|own| own.namespace == namespace && same(own.name.as_bytes(), local));
        own.map_or(&[], |own| &own.rules)
    }
}

/// The place of a namespace's number.
fn at<T: Clone + Default>(all: &mut Vec<T>, id: NamespaceId) -> &mut T {
    let index = id.0 as usize;
    if all.len() <= index {
        all.resize(index + 1, T::default());
    }
    &mut all[index]
}

#[inline]
fn mixed(namespace: NamespaceId, local: &[u8]) -> u32 {
    hash(local) ^ namespace.0.wrapping_mul(0x9E37_79B1)
}
