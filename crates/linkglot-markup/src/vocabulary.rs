//! Which attributes and elements of HTML hold links: a data file, which users can extend.
//!
//! The file's format is told at its head ([`BUILTIN`]).

mod condition;
mod elements;
mod filter;
mod names;

pub use condition::{Condition, Context};
pub use elements::Role;
pub use filter::Filter;
pub(super) use names::{letters_key, tag_key, word_key};

use super::slot::{Access, Name, Syntax};
use super::words;
use crate::InvalidVocabulary;
use condition::Told;
use names::{ElementTable, Known, NameTable, TagTable, WholeTag};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

/// The project's own rows.
pub const BUILTIN: &str = include_str!("vocabulary/html.tsv");

/// The namespace of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Namespace {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// MathML.
    Math,
}

impl Namespace {
    /// The namespace's name; `None` for HTML, whose documents have no namespaces to be seen.
    pub fn name(self) -> Option<Name> {
        const SVG: Name = Name::built_in("http://www.w3.org/2000/svg");
        const MATH: Name = Name::built_in("http://www.w3.org/1998/Math/MathML");
        match self {
            Namespace::Html => None,
            Namespace::Svg => Some(SVG),
            Namespace::Math => Some(MATH),
        }
    }

    /// The namespace of an attribute of an element of this namespace in an HTML document (HTML standard 13.2.6.1, "adjust
    /// foreign attributes").
    pub fn of_attribute(self, name: &str) -> Option<Name> {
        const XLINK: Name = Name::built_in("http://www.w3.org/1999/xlink");
        let foreign = self != Namespace::Html && name.starts_with("xlink:");
        foreign.then_some(XLINK)
    }
}

/// What is done with the links of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowAccess {
    /// They may be rewritten.
    Rewrite,
    /// Only rules of the user may change them.
    Rules,
    /// They are identifiers: listed only.
    List,
    /// They may be rewritten, but the row counts only when asked for.
    OptIn,
    /// There are none.
    Never,
}

impl RowAccess {
    /// What it means for the slots of a row; `None`: there are none.
    pub(super) fn of_slots(self) -> Option<Access> {
        match self {
            RowAccess::Rewrite | RowAccess::OptIn => Some(Access::Rewrite),
            RowAccess::Rules => Some(Access::Rules),
            RowAccess::List => Some(Access::Identifier),
            RowAccess::Never => None,
        }
    }
}

/// A row of the vocabulary.
#[derive(Clone, Debug)]
pub struct Row {
    /// The element's namespace; `None` for any.
    pub namespace: Option<Namespace>,
    /// The element's name in lower case; `None` for any.
    pub element: Option<Name>,
    /// The attribute's name in lower case, `#text` for content, `*` at the end for any further characters.
    pub attribute: Name,
    /// What stands there; `None`: no links.
    pub syntax: Option<Syntax>,
    /// What is done with them.
    pub access: RowAccess,
    /// When the row counts.
    pub condition: Condition,
    /// A row of a later file.
    rank: u32,
}

/// What the value of an attribute holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holds {
    /// What stands there.
    pub syntax: Syntax,
    /// What may be done with its links.
    pub access: Access,
}

/// What is known of an attribute of an element before its tag is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is no slot.
    Nothing,
    /// It is one.
    Slot(Holds),
    /// It is none if its value has no colon.
    Colon,
    /// It depends on the tag.
    Unsure,
}

/// An element's number in a vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementId {
    /// Its namespace.
    pub namespace: Namespace,
    column: u16,
    known: Option<u16>,
}

impl ElementId {
    /// That of HTML.
    #[inline(always)]
    pub(super) fn of(known: &Known) -> ElementId {
        ElementId {
            namespace: Namespace::Html,
            // The columns begin with those of HTML, and the first is that of the names that are not known.
            column: known.index + 1,
            known: Some(known.index),
        }
    }

    /// One for each element that is known, and one for the others of a namespace.
    #[inline]
    pub(super) fn number(self) -> usize {
        self.column.into()
    }
}

/// An attribute's number in a vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeId(u16);

impl AttributeId {
    #[inline]
    pub(super) fn number(self) -> usize {
        self.0.into()
    }
}

/// The elements that a vocabulary or the standard knows in a namespace.
#[derive(Clone, Debug, Default)]
struct Elements {
    table: NameTable,
    names: Vec<Name>,
    traits: Vec<Traits>,
    /// The column of the element without a name in the table.
    base: u16,
}

impl Elements {
    fn roles(&self) -> impl Iterator<Item = (&str, Role)> {
        let roles = self.traits.iter().map(|traits| traits.role);
        self.names.iter().map(|name| &**name).zip(roles)
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Traits {
    role: Role,
    breakout: bool,
}

/// Rows, made ready to be asked. Cloning is not cheap: share it.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    rows: Vec<Row>,
    opt_ins: bool,
    elements: [Elements; 3],
    attributes: NameTable,
    attribute_names: Vec<Name>,
    /// By attribute and element column: an index into `lists`.
    matrix: Vec<u16>,
    columns: usize,
    /// Rows to be tried in order. The first list is empty.
    lists: Vec<Vec<u32>>,
    /// What is known of each list without its conditions.
    verdicts: Vec<Verdict>,
    /// Rows whose attribute ends in `*`.
    prefixes: Vec<u32>,
    /// By element column: which attributes may hold links.
    filters: Vec<Filter>,
    tags: TagTable,
    /// The elements of HTML with short names.
    short: ElementTable,
}

static HTML: LazyLock<Arc<Vocabulary>> = LazyLock::new(|| {
    let rows = parse_rows(BUILTIN, 0, Name::built_in).unwrap_or_default();
    Arc::new(Vocabulary::build(rows, false))
});

impl Vocabulary {
    /// The project's own vocabulary.
    pub fn html() -> Arc<Vocabulary> {
        HTML.clone()
    }

    /// A vocabulary without rows.
    pub fn empty() -> Vocabulary {
        Vocabulary::build(Vec::new(), false)
    }

    /// Reads a vocabulary file.
    ///
    /// # Errors
    ///
    /// [`InvalidVocabulary`], with the line, when a row is not one.
    pub fn parse(text: &str) -> Result<Vocabulary, InvalidVocabulary> {
        Ok(Vocabulary::build(parse_rows(text, 0, Name::from)?, false))
    }

    /// This vocabulary and the rows of a file, which go before its own.
    ///
    /// ```
    /// use linkglot_markup::vocabulary::Vocabulary;
    ///
    /// let mine = Vocabulary::html().extended("x-card\tto\tsingle\trewrite\n")?;
    /// assert!(Vocabulary::html().extended("x-card\tto\tdouble\trewrite\n").is_err());
    /// # Ok::<(), linkglot_markup::InvalidVocabulary>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn extended(&self, text: &str) -> Result<Vocabulary, InvalidVocabulary> {
        let rank = self.rows.iter().map(|row| row.rank + 1).max().unwrap_or(0);
        let mut rows = self.rows.clone();
        rows.extend(parse_rows(text, rank, Name::from)?);
        if rows.len() > MOST_ROWS {
            let message = format!(
                "expected at most {MOST_ROWS} rows, but found {}",
                rows.len()
            );
            return Err(InvalidVocabulary::new(message));
        }
        Ok(Vocabulary::build(rows, self.opt_ins))
    }

    /// This vocabulary with the rows that count only when asked for.
    pub fn with_opt_ins(&self) -> Vocabulary {
        Vocabulary::build(self.rows.clone(), true)
    }

    /// Its rows, those that do not count too.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    fn build(mut rows: Vec<Row>, opt_ins: bool) -> Vocabulary {
        let mut names = HashSet::new();
        for row in &mut rows {
            row.condition.share_names(&mut names);
        }
        let mut vocabulary = Vocabulary {
            opt_ins,
            elements: elements_of(&rows),
            attributes: NameTable::default(),
            attribute_names: Vec::new(),
            matrix: Vec::new(),
            columns: 0,
            lists: vec![Vec::new()],
            verdicts: vec![Verdict::Nothing],
            prefixes: Vec::new(),
            filters: Vec::new(),
            tags: TagTable::default(),
            short: ElementTable::default(),
            rows,
        };
        let html = &vocabulary.elements[Namespace::Html as usize];
        vocabulary.tags = TagTable::new(html.roles());
        vocabulary.short = ElementTable::new(html.roles());
        vocabulary.columns = number_columns(&mut vocabulary.elements);
        vocabulary.name_attributes();
        vocabulary.fill_matrix();
        vocabulary.fill_filters();
        vocabulary
    }

    fn fill_filters(&mut self) {
        let begin = match self.prefixes.is_empty() {
            true => Filter::NONE,
            false => Filter::ALL,
        };
        self.filters = vec![begin; self.columns];
        let holds = |list: &u16| {
            let verdict = self.verdicts.get(usize::from(*list));
            verdict.is_some_and(|&verdict| verdict != Verdict::Nothing)
        };
        // Whether an anchor has one counts, whatever it holds.
        let html = self.elements[Namespace::Html as usize].roles();
        let anchors = self.filters.iter_mut().skip(1).zip(html);
        for (filter, _) in anchors.filter(|(_, (_, role))| *role == Role::Anchor) {
            filter.add("href");
        }
        let by_attribute = self.matrix.chunks(self.columns.max(1));
        for (name, lists) in self.attribute_names.iter().zip(by_attribute) {
            for (filter, _) in self
                .filters
                .iter_mut()
                .zip(lists)
                .filter(|(_, list)| holds(list))
            {
                filter.add(name);
            }
        }
    }

    fn counts(&self, row: &Row) -> bool {
        self.opt_ins || row.access != RowAccess::OptIn
    }

    fn name_attributes(&mut self) {
        let mut seen = HashMap::new();
        let mut idle = true;
        for (index, row) in self.rows.iter().enumerate() {
            if !self.counts(row) {
                continue;
            }
            if row.attribute.ends_with('*') {
                self.prefixes.push(index as u32);
                idle &= row.is_idle();
            } else if row.is_idle() {
                continue;
            } else if seen.insert(row.attribute.clone(), ()).is_none() {
                self.attribute_names.push(row.attribute.clone());
            }
        }
        if idle {
            self.prefixes.clear();
        }
        let rows = &self.rows;
        self.prefixes.sort_by_key(|&index| {
            let row = &rows[index as usize];
            (row.element.is_none(), std::cmp::Reverse(row.rank))
        });
        self.attributes = NameTable::new(self.attribute_names.iter().map(|name| &**name));
    }

    fn fill_matrix(&mut self) {
        let mut by_attribute: HashMap<Name, Vec<u32>> = HashMap::new();
        for (index, row) in self.rows.iter().enumerate() {
            if self.counts(row) {
                let rows = by_attribute.entry(row.attribute.clone()).or_default();
                rows.push(index as u32);
            }
        }
        let mut known: HashMap<Vec<u32>, u16> = HashMap::from([(Vec::new(), 0)]);
        self.matrix = Vec::with_capacity(self.attribute_names.len() * self.columns);
        for attribute in &self.attribute_names {
            let rows = by_attribute.get(attribute).map_or(&[][..], |rows| rows);
            for (namespace, elements) in NAMESPACES.iter().zip(&self.elements) {
                let names = elements.names.iter().map(Some);
                for element in std::iter::once(None).chain(names) {
                    let list = self.list(rows, *namespace, element);
                    let next = known.len() as u16;
                    let index = *known.entry(list).or_insert(next);
                    self.matrix.push(index);
                }
            }
        }
        self.lists = vec![Vec::new(); known.len()];
        for (list, index) in known {
            self.lists[usize::from(index)] = list;
        }
        self.verdicts = self
            .lists
            .iter()
            .map(|list| self.verdict_of(list))
            .collect();
    }

    fn verdict_of(&self, list: &[u32]) -> Verdict {
        let rows = || list.iter().map(|&index| &self.rows[index as usize]);
        match rows().next() {
            None => Verdict::Nothing,
            Some(first) if first.condition.is_empty() => {
                first.holds().map_or(Verdict::Nothing, Verdict::Slot)
            }
            Some(_) if rows().all(|row| row.condition.wants_colon(&row.attribute)) => {
                Verdict::Colon
            }
            Some(_) => Verdict::Unsure,
        }
    }

    /// The rows of an attribute that hold for an element, in the order in which they are tried.
    fn list(&self, rows: &[u32], namespace: Namespace, element: Option<&Name>) -> Vec<u32> {
        let row = |index: &u32| &self.rows[*index as usize];
        let mut list: Vec<u32> = rows
            .iter()
            .filter(|index| row(index).is_for(namespace, element))
            .copied()
            .collect();
        list.sort_by_key(|index| {
            let row = row(index);
            (row.element.is_none(), std::cmp::Reverse(row.rank))
        });
        list
    }

    /// An element by its name in any ASCII case.
    #[inline]
    pub fn element(&self, namespace: Namespace, name: &[u8]) -> ElementId {
        let elements = &self.elements[namespace as usize];
        let known = elements.table.get(name).map(|index| index as u16);
        ElementId {
            namespace,
            column: elements.base + known.map_or(0, |index| index + 1),
            known,
        }
    }

    /// An HTML element by the [`letters_key`] of its name: all of the standard's whose names are up to seven letters, and
    /// most others.
    #[inline(always)]
    pub(super) fn element_by_letters(&self, key: u64) -> Option<&Known> {
        self.short.get(key)
    }

    /// A short tag of HTML without attributes, whole, by its [`tag_key`], if it is known.
    #[inline(always)]
    pub(super) fn whole_tag(&self, key: u64) -> Option<&WholeTag> {
        self.tags.get(key)
    }

    /// Which attributes of an element may hold links.
    #[inline]
    pub(super) fn filter(&self, element: ElementId) -> &Filter {
        const ALL: Filter = Filter::ALL;
        let filter = self.filters.get(usize::from(element.column));
        filter.unwrap_or(&ALL)
    }

    /// An element's lower-case name, if the vocabulary or the standard knows it.
    pub fn element_name(&self, element: ElementId) -> Option<&Name> {
        let names = &self.elements[element.namespace as usize].names;
        names.get(usize::from(element.known?))
    }

    /// What an element means to the reading of the document.
    #[inline]
    pub fn role(&self, element: ElementId) -> Role {
        self.traits(element).role
    }

    /// Whether an HTML start tag ends foreign content.
    pub fn breaks_out(&self, element: ElementId) -> bool {
        self.traits(element).breakout
    }

    #[inline]
    fn traits(&self, element: ElementId) -> Traits {
        let Some(known) = element.known else {
            return Traits::default();
        };
        let traits = &self.elements[element.namespace as usize].traits;
        traits.get(usize::from(known)).copied().unwrap_or_default()
    }

    /// An attribute by its name in any ASCII case; `#text` for an element's content.
    #[inline]
    pub fn attribute(&self, name: &[u8]) -> Option<AttributeId> {
        self.attributes
            .get(name)
            .map(|index| AttributeId(index as u16))
    }

    /// An attribute by the [`word_key`] and the length of its name, which has up to eight bytes.
    #[inline]
    pub(super) fn attribute_by_key(&self, key: u64, length: usize) -> Option<AttributeId> {
        let index = self.attributes.get_word(key)?;
        // In a key a NUL at the end is none.
        let is_whole = self.attribute_names.get(index)?.len() == length;
        is_whole.then_some(AttributeId(index as u16))
    }

    /// An attribute's lower-case name.
    pub fn attribute_name(&self, attribute: AttributeId) -> Option<&Name> {
        self.attribute_names.get(usize::from(attribute.0))
    }

    /// The number of an attribute whose name has up to seven letters, by its [`letters_key`].
    #[inline(always)]
    pub(super) fn attribute_by_letters(&self, key: u64) -> Option<AttributeId> {
        let index = self.attributes.get_letters(key)?;
        Some(AttributeId(index as u16))
    }

    /// What is known of an attribute of an element.
    #[inline]
    pub(super) fn verdict(&self, element: ElementId, attribute: AttributeId) -> Verdict {
        let list = self.matrix.get(self.cell(element, attribute));
        let verdict = list.and_then(|&list| self.verdicts.get(usize::from(list)));
        *verdict.unwrap_or(&Verdict::Unsure)
    }

    #[inline]
    fn cell(&self, element: ElementId, attribute: AttributeId) -> usize {
        attribute.number() * self.columns + element.number()
    }

    /// The row that counts for an attribute of an element, if one does that holds links.
    #[inline]
    pub fn row(
        &self,
        element: ElementId,
        attribute: AttributeId,
        context: &dyn Context,
    ) -> Option<&Row> {
        let list = *self.matrix.get(self.cell(element, attribute))?;
        let list = self.lists.get(usize::from(list))?;
        let row = |index: &u32| self.rows.get(*index as usize);
        let first = list.first().and_then(row)?;
        let row = match first.condition.is_empty() {
            true => first,
            false => {
                let mut told = Told::new(context);
                let mut rows = list.iter().filter_map(row);
                rows.find(|row| row.condition.holds_for(&mut told))?
            }
        };
        (!row.is_idle()).then_some(row)
    }

    /// Whether some rows know the begin of an attribute's name only.
    #[inline]
    pub(super) fn has_prefixes(&self) -> bool {
        !self.prefixes.is_empty()
    }

    /// The row of an attribute that no row names, but of whose name some know the begin.
    pub fn prefix_row(
        &self,
        element: ElementId,
        name: &[u8],
        context: &dyn Context,
    ) -> Option<&Row> {
        if self.prefixes.is_empty() {
            return None;
        }
        let element_name = self.element_name(element);
        self.prefixes
            .iter()
            .filter_map(|&index| self.rows.get(index as usize))
            .find(|row| {
                row.is_for(element.namespace, element_name)
                    && row.begins(name)
                    && row.condition.holds(context)
            })
            .filter(|row| !row.is_idle())
    }
}

/// As many rows as the tables can number.
const MOST_ROWS: usize = 8_000;

const NAMESPACES: [Namespace; 3] = [Namespace::Html, Namespace::Svg, Namespace::Math];

impl Row {
    /// What the values that it names hold; `None`: no links.
    #[inline]
    pub(super) fn holds(&self) -> Option<Holds> {
        let (syntax, access) = (self.syntax?, self.access.of_slots()?);
        Some(Holds { syntax, access })
    }

    /// Whether it holds no links.
    fn is_idle(&self) -> bool {
        self.access == RowAccess::Never || self.syntax.is_none()
    }

    fn is_for(&self, namespace: Namespace, element: Option<&Name>) -> bool {
        self.namespace.is_none_or(|own| own == namespace)
            && (self.element.is_none() || self.element.as_ref() == element)
    }

    fn begins(&self, name: &[u8]) -> bool {
        let prefix = self.attribute.trim_end_matches('*').as_bytes();
        name.get(..prefix.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(prefix))
    }
}

fn elements_of(rows: &[Row]) -> [Elements; 3] {
    let mut known: [Vec<(Name, Traits)>; 3] = Default::default();
    let roles = elements::ROLES
        .iter()
        .flat_map(|(role, names)| names.iter().map(|name| (*name, *role)));
    let plain = elements::PLAIN.iter().map(|name| (*name, Role::Plain));
    for (name, role) in roles.chain(plain) {
        let breakout = elements::BREAKOUT.contains(&name);
        known[0].push((Name::built_in(name), Traits { role, breakout }));
    }
    for row in rows {
        let Some(element) = &row.element else {
            continue;
        };
        let known = &mut known[row.namespace.unwrap_or(Namespace::Html) as usize];
        known.push((element.clone(), Traits::default()));
    }
    known.map(|mut known| {
        let mut seen = HashMap::new();
        known.retain(|(name, _)| seen.insert(name.clone(), ()).is_none());
        Elements {
            table: NameTable::new(known.iter().map(|(name, _)| &**name)),
            traits: known.iter().map(|(_, traits)| *traits).collect(),
            names: known.into_iter().map(|(name, _)| name).collect(),
            base: 0,
        }
    })
}

fn number_columns(elements: &mut [Elements; 3]) -> usize {
    let mut columns = 0;
    for elements in elements {
        elements.base = columns as u16;
        columns += elements.names.len() + 1;
    }
    columns
}

fn parse_rows<'t>(
    text: &'t str,
    rank: u32,
    name: fn(&'t str) -> Name,
) -> Result<Vec<Row>, InvalidVocabulary> {
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let comment = line == "#" || line.starts_with("# ");
        if comment || line.trim().is_empty() {
            continue;
        }
        let row = parse_row(line, rank, name).map_err(|message| {
            let message = format!("line {}: {message}", index + 1);
            InvalidVocabulary::new(message)
        })?;
        rows.push(row);
    }
    if rows.len() > MOST_ROWS {
        let message = format!(
            "expected at most {MOST_ROWS} rows, but found {}",
            rows.len()
        );
        return Err(InvalidVocabulary::new(message));
    }
    Ok(rows)
}

fn parse_row<'t>(line: &'t str, rank: u32, name: fn(&'t str) -> Name) -> Result<Row, String> {
    let columns: Vec<&'t str> = line.split('\t').map(str::trim).collect();
    let (element, attribute, syntax, access, condition) = match columns[..] {
        [element, attribute, syntax, access] => (element, attribute, syntax, access, ""),
        [element, attribute, syntax, access, condition] => {
            (element, attribute, syntax, access, condition)
        }
        _ => {
            let found = columns.len();
            return Err(format!(
                "expected 4 or 5 columns parted by tabs, but found {found}"
            ));
        }
    };
    let (namespace, element) = parse_element(element, name)?;
    let attribute = lower_name(attribute, name);
    if attribute.is_empty() || &*attribute == "*" {
        return Err("expected the name of an attribute, or #text".to_owned());
    }
    let raw_text = ["style", "script", "svg:style"];
    if &*attribute == "#text" && !raw_text.contains(&columns[0]) {
        return Err(format!(
            "expected #text of {}, but found it of `{}`",
            raw_text.join(", "),
            columns[0]
        ));
    }
    Ok(Row {
        namespace,
        element,
        syntax: words::syntax(syntax, &attribute)?,
        access: words::access(access)?,
        condition: Condition::parse(condition)?,
        attribute,
        rank,
    })
}

fn parse_element<'t>(
    text: &'t str,
    name: fn(&'t str) -> Name,
) -> Result<(Option<Namespace>, Option<Name>), String> {
    let (namespace, element) = match text.split_once(':') {
        Some((svg, element)) if svg.eq_ignore_ascii_case("svg") => (Some(Namespace::Svg), element),
        Some((math, element)) if math.eq_ignore_ascii_case("math") => {
            (Some(Namespace::Math), element)
        }
        _ if text == "*" => (None, text),
        _ => (Some(Namespace::Html), text),
    };
    match element {
        "" => Err(format!(
            "expected the name of an element, but found `{text}`"
        )),
        "*" => Ok((namespace, None)),
        _ => Ok((namespace, Some(lower_name(element, name)))),
    }
}

fn lower_name<'t>(text: &'t str, name: fn(&'t str) -> Name) -> Name {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Name::from(text.to_ascii_lowercase())
    } else {
        name(text)
    }
}
