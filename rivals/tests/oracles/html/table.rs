//! The vocabulary of HTML for the oracle: the same file, read by other code.

use linkglot_markup::vocabulary::HTML_ROWS;

/// A place that holds links.
struct Row {
    /// `html`, `svg`, `math`, or empty for all.
    namespace: &'static str,
    element: &'static str,
    attribute: &'static str,
    syntax: &'static str,
    access: &'static str,
    condition: &'static str,
}

/// A start tag.
pub struct Tag<'t> {
    pub namespace: &'t str,
    pub name: &'t str,
    pub attributes: &'t [(String, String)],
    pub parent: &'t str,
}

pub struct Table(Vec<Row>);

impl Table {
    pub fn read() -> Table {
        let lines = HTML_ROWS
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty());
        let row = |line: &'static str| {
            let columns: Vec<&str> = line.split('\t').collect();
            let (namespace, element) = match columns[0].split_once(':') {
                Some(parts) => parts,
                None if columns[0] == "*" => ("", "*"),
                None => ("html", columns[0]),
            };
            Row {
                namespace,
                element,
                attribute: columns[1],
                syntax: columns[2],
                access: columns[3],
                condition: columns.get(4).copied().unwrap_or_default(),
            }
        };
        let rows = lines
            .map(row)
            .filter(|row| !matches!(row.access, "opt-in" | "code"));
        Table(rows.collect())
    }

    /// The syntax of an attribute's value, or of the content (`#text`).
    pub fn syntax(&self, tag: &Tag<'_>, attribute: &str) -> Option<&'static str> {
        let mut rows: Vec<(u8, &Row)> = self
            .0
            .iter()
            .filter_map(|row| Some((row.distance(tag, attribute)?, row)))
            .collect();
        rows.sort_by_key(|row| row.0);
        let holds = |row: &&(u8, &Row)| row.1.condition.split(' ').all(|term| tag.meets(term));
        let row = rows.iter().find(holds)?.1;
        (row.access != "never" && row.syntax != "none").then_some(row.syntax)
    }
}

impl Row {
    /// The distance of the row from the place: rows with an element come first, then rows with whole names of
    /// attributes.
    fn distance(&self, tag: &Tag<'_>, attribute: &str) -> Option<u8> {
        let of = match (self.namespace, self.element) {
            (namespace, name)
                if namespace == tag.namespace && name.eq_ignore_ascii_case(tag.name) =>
            {
                0
            }
            (namespace, "*") if namespace == tag.namespace => 1,
            ("", "*") => 2,
            _ => return None,
        };
        match self.attribute.strip_suffix('*') {
            _ if self.attribute.eq_ignore_ascii_case(attribute) => Some(of),
            Some(begin) if attribute.len() > begin.len() && attribute.starts_with(begin) => {
                Some(of + 3)
            }
            _ => None,
        }
    }
}

impl Tag<'_> {
    /// True if a term of a condition holds.
    fn meets(&self, term: &str) -> bool {
        let Some((subject, patterns)) = term.split_once('=') else {
            return term.is_empty();
        };
        let is = |value: &str| patterns.split('|').any(|pattern| matches(pattern, value));
        let own = |name: &str| {
            let attribute = self
                .attributes
                .iter()
                .find(|(own, _)| own.eq_ignore_ascii_case(name));
            attribute.map(|(_, value)| value.as_str())
        };
        match subject.strip_suffix('~') {
            Some(name) => own(name).is_some_and(|value| value.split_ascii_whitespace().any(is)),
            None if subject == "parent" => is(self.parent),
            None => own(subject).is_some_and(|value| is(value.trim_ascii())),
        }
    }
}

/// Matches with `*` for any characters; ASCII case is ignored.
fn matches(pattern: &str, value: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern.eq_ignore_ascii_case(value),
        Some((begin, rest)) => {
            let head = value
                .get(..begin.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(begin));
            head && (begin.len()..=value.len())
                .filter_map(|at| value.get(at..))
                .any(|tail| matches(rest, tail))
        }
    }
}
