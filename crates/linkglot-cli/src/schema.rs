//! The command `schema`: the JSON Schema of the objects that `--json` prints.

use super::args::SchemaArgs;
use super::{Failure, Status, generate};
use serde_json::{Map, Value, json};

/// The schema of all objects. Tests check every object that they see against it, and make the page `docs/json.md` of
/// it.
const SCHEMA: &str = include_str!("schema.json");

/// The prefix of references within the schema.
const DEFINITIONS: &str = "#/$defs/";

/// Runs the command.
pub fn run(args: &SchemaArgs) -> Result<Status, Failure> {
    let Some(object) = &args.object else {
        return generate::print(SCHEMA.as_bytes());
    };
    let failed = |error: serde_json::Error| Failure::new(error.to_string());
    let whole: Value = serde_json::from_str(SCHEMA).map_err(failed)?;
    let text = serde_json::to_string_pretty(&of_object(&whole, object)).map_err(failed)?;
    generate::print(format!("{text}\n").as_bytes())
}

/// The schema of one object: the definitions that it needs.
fn of_object(whole: &Value, object: &str) -> Value {
    let mut definitions = Map::new();
    define(whole, object, &mut definitions);
    json!({
        "$schema": whole["$schema"],
        "$ref": format!("{DEFINITIONS}{object}"),
        "$defs": definitions,
    })
}

/// Adds a definition, and all that it refers to.
fn define(whole: &Value, name: &str, definitions: &mut Map<String, Value>) {
    if definitions.contains_key(name) {
        return;
    }
    let definition = &whole["$defs"][name];
    definitions.insert(name.to_owned(), definition.clone());
    refer(whole, definition, definitions);
}

fn refer(whole: &Value, schema: &Value, definitions: &mut Map<String, Value>) {
    match schema {
        Value::Object(object) => {
            let name = object.get("$ref").and_then(Value::as_str);
            if let Some(name) = name.and_then(|name| name.strip_prefix(DEFINITIONS)) {
                define(whole, name, definitions);
            }
            let values = object.values();
            values.for_each(|value| refer(whole, value, definitions));
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| refer(whole, item, definitions)),
        _ => {}
    }
}
