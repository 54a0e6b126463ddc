//! Tables in JSON: an object that names the new address of each old one.

use super::invalid;
use crate::error::Error;
use crate::rewrite::rules::Rule;
use serde_json::{Map, Value};

pub(super) fn rows(text: &str) -> Result<Vec<Rule>, Error> {
    let table: Map<String, Value> = serde_json::from_str(text)
        .map_err(|error| invalid(format!("expected an object of JSON with strings: {error}")))?;
    table.iter().map(|(from, to)| row(from, to)).collect()
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
