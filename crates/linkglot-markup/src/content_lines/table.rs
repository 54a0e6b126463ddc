//! The kinds of values of properties and of their parameters. The tables are data (`properties.tsv`, `parameters.tsv`).

use super::Object;
use crate::name::Name;
use std::collections::HashMap;
use std::sync::LazyLock;

const PROPERTIES: &str = include_str!("properties.tsv");
const PARAMETERS: &str = include_str!("parameters.tsv");

/// The content of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Uri,
    /// A URI that programs compare letter by letter.
    Address,
    Text,
    /// Text with separators between values.
    List,
    /// A name that is not followed.
    Identifier,
    /// No link.
    Never,
}

impl Kind {
    fn of(name: &str) -> Kind {
        match name {
            "uri" => Kind::Uri,
            "address" => Kind::Address,
            "list" => Kind::List,
            "identifier" => Kind::Identifier,
            "never" => Kind::Never,
            _ => Kind::Text,
        }
    }

    /// The kind of a value whose type the parameter VALUE names.
    pub(super) fn with_type(self, value_type: &[u8]) -> Kind {
        if matches!(self, Kind::Identifier | Kind::Never) {
            return self;
        }
        let known = TYPES
            .iter()
            .find(|(name, _)| value_type.eq_ignore_ascii_case(name.as_bytes()));
        match (self, known) {
            (_, None) => self,
            // Structured text is text.
            (Kind::List, Some((_, Some(Kind::Text)))) => Kind::List,
            (_, Some((_, kind))) => kind.unwrap_or(Kind::Never),
        }
    }
}

/// The types of values: RFC 5545 3.3, RFC 9253 7, RFC 6350 4, vCard 2.1; `None` for types without links.
const TYPES: &[(&str, Option<Kind>)] = &[
    ("uri", Some(Kind::Uri)),
    ("url", Some(Kind::Uri)),
    ("xml-reference", Some(Kind::Uri)),
    ("cal-address", Some(Kind::Address)),
    ("text", Some(Kind::Text)),
    ("phone-number", Some(Kind::Text)),
    ("uid", Some(Kind::Identifier)),
    ("content-id", None),
    ("cid", None),
    ("binary", None),
    ("boolean", None),
    ("date", None),
    ("date-time", None),
    ("date-and-or-time", None),
    ("duration", None),
    ("float", None),
    ("integer", None),
    ("language-tag", None),
    ("period", None),
    ("recur", None),
    ("time", None),
    ("timestamp", None),
    ("utc-offset", None),
];

type Rows = HashMap<&'static str, Kind>;

/// The rows of a table; `kind_of` reads the columns behind the name.
fn rows(
    table: &'static str,
    kind_of: impl Fn(&mut std::str::Split<'static, char>) -> Option<Kind>,
) -> Rows {
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let rows = rows.filter_map(|line| {
        let mut columns = line.split('\t');
        let name = columns.next().filter(|name| !name.is_empty())?;
        Some((name, kind_of(&mut columns)?))
    });
    rows.collect()
}

fn of_object(object: &'static str) -> Rows {
    rows(PROPERTIES, |columns| {
        let own = columns
            .next()
            .filter(|own| *own == object || *own == "both");
        own.and_then(|_| columns.next()).map(Kind::of)
    })
}

/// The name of a property as places show it, and the kind of its value. `name` has no group and may be in any case.
pub(super) fn property(object: Object, name: &[u8]) -> (Name, Kind) {
    static CALENDAR: LazyLock<Rows> = LazyLock::new(|| of_object("ics"));
    static CARD: LazyLock<Rows> = LazyLock::new(|| of_object("vcf"));
    let table = match object {
        Object::Calendar => &CALENDAR,
        Object::Card => &CARD,
    };
    known(table, name).unwrap_or_else(|name| (Name::from(&*name), Kind::Text))
}

/// The name of a parameter, and the kind of its value.
pub(super) fn parameter(name: &[u8]) -> (Name, Kind) {
    static TABLE: LazyLock<Rows> =
        LazyLock::new(|| rows(PARAMETERS, |columns| columns.next().map(Kind::of)));
    known(&TABLE, name).unwrap_or_else(|name| {
        let kind = if name.starts_with("X-") {
            Kind::Text
        } else {
            Kind::Never
        };
        (Name::from(&*name), kind)
    })
}

/// The row of a name, or the name in upper case if the table lacks it.
fn known(table: &Rows, name: &[u8]) -> Result<(Name, Kind), String> {
    let name = String::from_utf8_lossy(name).to_ascii_uppercase();
    match table.get_key_value(name.as_str()) {
        Some((name, kind)) => Ok((Name::built_in(name), *kind)),
        None => Err(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        for (table, columns) in [(PROPERTIES, 4), (PARAMETERS, 3)] {
            let rows = table
                .lines()
                .filter(|line| !line.is_empty() && !line.starts_with('#'));
            for row in rows {
                let row: Vec<&str> = row.split('\t').collect();
                let kind = row[columns - 2];
                assert_eq!(row.len(), columns, "{row:?}");
                assert!(kind == "text" || Kind::of(kind) != Kind::Text, "{row:?}");
                assert_eq!(row[0], row[0].to_ascii_uppercase());
                assert!(
                    columns == 3 || ["ics", "vcf", "both"].contains(&row[1]),
                    "{row:?}"
                );
            }
        }
    }

    #[test]
    fn kinds() {
        let of = |object, name: &str| property(object, name.as_bytes()).1;
        assert_eq!(of(Object::Calendar, "geo"), Kind::Never);
        assert_eq!(of(Object::Card, "Geo"), Kind::Uri);
        assert_eq!(of(Object::Card, "X-ANY"), Kind::Text);
        assert_eq!(parameter(b"altrep").1, Kind::Uri);
        assert_eq!(parameter(b"x-any").1, Kind::Text);
        assert_eq!(parameter(b"any").1, Kind::Never);
        assert_eq!(Kind::Uri.with_type(b"Text"), Kind::Text);
        assert_eq!(Kind::Uri.with_type(b"BINARY"), Kind::Never);
        assert_eq!(Kind::Text.with_type(b"x-any"), Kind::Text);
        assert_eq!(Kind::Identifier.with_type(b"URI"), Kind::Identifier);
    }
}
