//! Tables in JSON: an object that names the new address of each old one.

use super::invalid;
use crate::error::Error;
use crate::rewrite::rules::Rule;
use serde_core::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// The members of an object, in their order, with those that share a name.
struct Members(Vec<(String, Value)>);

impl<'d> Deserialize<'d> for Members {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'d> Visitor<'d> for InOrder {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object such as {\"/old\": \"/new\"}")
            }

            fn visit_map<A: MapAccess<'d>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

pub(super) fn rows(text: &str) -> Result<Vec<Rule>, Error> {
    let table: Members = serde_json::from_str(text)
        .map_err(|error| invalid(format!("expected an object of JSON with strings: {error}")))?;
    table.0.iter().map(|(from, to)| row(from, to)).collect()
}

fn row(from: &str, to: &Value) -> Result<Rule, Error> {
    let is_half = |half: &str| !half.is_empty() && !half.contains(char::is_whitespace);
    match to.as_str() {
        Some(to) if is_half(from) && is_half(to) => Ok(Rule::of_either(from, to)),
        _ => Err(invalid(format!(
            "expected a new address for an old one, but found `{from}` with `{to}`"
        ))),
    }
}
