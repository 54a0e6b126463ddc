//! The project's vectors for parsing, preprocessing, resolution and comparison. They are kept beside the repository;
//! without them the tests do nothing.

use crate::choices::Choices;
use linkglot_iri::{
    CharacterReferences, Form, Level, Parts, Preprocess, Spaces, Strictness, first_level,
    normalize, parse, resolve,
};
use serde_json::{Value, json};
use std::path::Path;

fn vectors(name: &str) -> Vec<Value> {
    // Beside the repository, or beside the directory of its worktrees.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let above = ["..", "../.."].map(|up| root.join(up).join("shared/vectors").join(name));
    let Some(text) = above
        .iter()
        .find_map(|path| std::fs::read_to_string(path).ok())
    else {
        eprintln!("{name} is not here, nothing was checked");
        return Vec::new();
    };
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a vector is a JSON object"))
        .collect()
}

/// Checks every vector; `expected` names the field with the answer, `found` gives our answer.
fn check(name: &str, expected: &str, found: impl Fn(&Value) -> Value) {
    let (mut wrong, mut choices) = (Vec::new(), Choices::default());
    for vector in vectors(name) {
        let found = found(&vector);
        let others = vector["accept"]
            .as_array()
            .filter(|_| vector["judgement"] == true);
        let is_accepted = others.is_some_and(|others| others.contains(&found));
        let id = text(&vector, "id");
        let is_first = found == vector[expected];
        if let Some(complaint) = choices.complaint(id, is_first, is_accepted) {
            wrong.push(format!(
                "{id}: {found}, not {}: {complaint}",
                vector[expected]
            ));
        }
    }
    assert!(wrong.is_empty(), "{name}: {expected}\n{}", wrong.join("\n"));
    let stale = choices.stale();
    // Our normal forms are the first choice; their consequences for the level are not.
    let stale: Vec<_> = stale
        .into_iter()
        .filter(|id| expected == "level" || *id != "eq-relative")
        .collect();
    assert!(
        stale.is_empty(),
        "no choice, and docs/comparison.md lists it: {stale:?}"
    );
}

fn text<'v>(vector: &'v Value, field: &str) -> &'v str {
    vector[field].as_str().unwrap_or_default()
}

fn components(parts: &Parts<'_>) -> Value {
    json!({
        "scheme": parts.scheme(),
        "userinfo": parts.userinfo(),
        "host": parts.host(),
        "port": parts.port(),
        "path": parts.path(),
        "query": parts.query(),
        "fragment": parts.fragment(),
    })
}

#[test]
fn parsing() {
    check("parse.jsonl", "valid", |vector| {
        json!(parse(text(vector, "input"), Form::Reference).is_ok())
    });
    check("parse.jsonl", "components", parsed_components);
}

fn parsed_components(vector: &Value) -> Value {
    parse(text(vector, "input"), Form::Reference).map_or(Value::Null, |parts| components(&parts))
}

#[test]
fn preprocessing() {
    check("preprocess.jsonl", "output", |vector| {
        let options = &vector["options"];
        let spaces = match (&options["multiple"], options["space"].as_str()) {
            (Value::Bool(true), _) => Spaces::Split,
            (_, Some("remove")) => Spaces::Remove,
            _ => Spaces::Encode,
        };
        let references = match (options["ncr"].as_bool(), options["format"].as_str()) {
            (Some(true), Some("html")) => CharacterReferences::With(&html),
            (Some(true), _) => CharacterReferences::Xml,
            _ => CharacterReferences::Keep,
        };
        json!(Preprocess { spaces, references }.run(text(vector, "input")))
    });
}

/// Decodes character references of HTML by an HTML tokenizer.
fn html(text: &str) -> String {
    let tokens = html5gum::Tokenizer::new(text).flatten();
    let strings = tokens.filter_map(|token| match token {
        html5gum::Token::String(string) => String::from_utf8(string.value.0).ok(),
        _ => None,
    });
    strings.collect()
}

#[test]
fn resolution() {
    check("resolve.jsonl", "target", |vector| {
        let strictness = match vector["options"]["strict"].as_bool() {
            Some(false) => Strictness::Lax,
            _ => Strictness::Strict,
        };
        json!(resolve(text(vector, "base"), text(vector, "ref"), strictness).ok())
    });
}

#[test]
fn comparison() {
    check("equivalence.jsonl", "level", |vector| {
        let level = first_level(text(vector, "a"), text(vector, "b"));
        match (level, vector["level"].as_str()) {
            // Only a server could decide such pairs.
            (None, Some("protocol")) => json!("protocol"),
            (level, _) => json!(level.map_or("never", Level::name)),
        }
    });
    for (field, level) in [
        ("normal_syntax", Level::Path),
        ("normal_scheme", Level::Scheme),
    ] {
        check("equivalence.jsonl", field, |vector| {
            json!(["a", "b"].map(|side| normalize(text(vector, side), level)))
        });
    }
}
