//! `linkglot schema`: objects that tests see have the properties of the schema and no other, its lists of values are
//! those of the code, and the page on JSON is made of it.

use super::support::{Place, root};
use linkglot::Evidence;
use linkglot_files::values::{self, PLACES};
use linkglot_iri::{Component, Level, MapErrorKind, Note, Oddity};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::sync::LazyLock;

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let text = include_str!("../../src/schema.json");
    serde_json::from_str(text).expect("the schema")
});

/// The first line of the part of the page that is made of the schema.
const GENERATED: &str = "<!-- From here on made of crates/linkglot-cli/src/schema.json: LINKGLOT_WRITE_PAGES=1 cargo test the_page -->\n";

/// Checks every line of `--json`, with properties that the schema does not know as errors.
#[track_caller]
pub fn check_lines(text: &str) {
    for line in text.lines() {
        let object = serde_json::from_str(line).expect("an object a line");
        let faults = faults(&SCHEMA, &object);
        assert!(faults.is_empty(), "{line}\n{}", faults.join("\n"));
    }
}

/// The faults of a value. A keyword that is not known here panics, so that none is ignored.
fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let keywords = schema.as_object().expect("a schema");
    for (keyword, wanted) in keywords {
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "propertyNames" => {}
            "$ref" => faults.extend(self::faults(definition(wanted), value)),
            "oneOf" => faults.extend(faults_of_one(wanted, value)),
            "const" if wanted != value => faults.push(format!("{value} is not {wanted}")),
            "enum" if !list(wanted).contains(value) => {
                faults.push(format!("{value} is not in {wanted}"));
            }
            "type" if !has_type(wanted, value) => {
                faults.push(format!("{value} is not of type {wanted}"));
            }
            "minimum" if value.as_u64().is_none() && !value.is_null() => {
                faults.push(format!("{value} is below {wanted}"));
            }
            "required" => faults.extend(missing(wanted, value)),
            "dependentRequired" => {
                let rules = wanted.as_object().into_iter().flatten();
                let rules = rules.filter(|(name, _)| value.get(name).is_some());
                faults.extend(rules.flat_map(|(_, names)| missing(names, value)));
            }
            "properties" => faults.extend(faults_within(wanted, value)),
            "additionalProperties" => {
                let names = &schema["propertyNames"];
                let entries = value.as_object().into_iter().flatten();
                faults.extend(entries.flat_map(|(name, value)| {
                    let of_name = self::faults(names, &json!(name));
                    of_name.into_iter().chain(self::faults(wanted, value))
                }));
            }
            "items" => {
                let items = value.as_array().into_iter().flatten();
                faults.extend(items.flat_map(|item| self::faults(wanted, item)));
            }
            "prefixItems" => {
                let (schemas, items) = (list(wanted), list(value));
                assert_eq!(schemas.len(), items.len(), "{value}");
                let pairs = schemas.iter().zip(items);
                faults.extend(pairs.flat_map(|(schema, item)| self::faults(schema, item)));
            }
            "const" | "enum" | "type" | "minimum" => {}
            other => panic!("the keyword {other} is not known to the tests"),
        }
    }
    faults
}

/// The faults of the schema that fits best. Two that fit are a fault of their own.
fn faults_of_one(schemas: &Value, value: &Value) -> Vec<String> {
    let all: Vec<_> = list(schemas).iter().map(|one| faults(one, value)).collect();
    if all.iter().filter(|faults| faults.is_empty()).count() > 1 {
        return vec![format!("{value} fits several schemas")];
    }
    let best = all.into_iter().min_by_key(Vec::len);
    best.unwrap_or_default()
}

fn faults_within(properties: &Value, value: &Value) -> Vec<String> {
    let entries = value.as_object().into_iter().flatten();
    let faults = entries.flat_map(|(name, value)| match properties.get(name) {
        None => vec![format!("the property {name} is not in the schema")],
        Some(schema) => faults(schema, value)
            .into_iter()
            .map(|fault| format!("{name}: {fault}"))
            .collect(),
    });
    faults.collect()
}

fn missing(names: &Value, value: &Value) -> Vec<String> {
    let names = list(names).iter().filter_map(Value::as_str);
    let lacks = |name: &&str| value.is_object() && value.get(name).is_none();
    names
        .filter(lacks)
        .map(|name| format!("the property {name} is missing"))
        .collect()
}

fn has_type(wanted: &Value, value: &Value) -> bool {
    let is = |name: &Value| match name.as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("null") => value.is_null(),
        _ => panic!("the type {name} is not known to the tests"),
    };
    match wanted {
        Value::Array(names) => names.iter().any(is),
        name => is(name),
    }
}

fn definition(reference: &Value) -> &'static Value {
    &SCHEMA["$defs"][name_of(reference)]
}

fn name_of(reference: &Value) -> &str {
    let name = reference
        .as_str()
        .and_then(|name| name.strip_prefix("#/$defs/"));
    name.expect("a reference to a definition")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// The names of the objects of a line.
fn objects() -> Vec<&'static str> {
    let objects = list(&SCHEMA["oneOf"]).iter();
    objects.map(|one| name_of(&one["$ref"])).collect()
}

/// An object of the schema that a line is.
fn object_of(line: &Value) -> &'static str {
    let fits = |name: &&str| faults(&SCHEMA["$defs"][name], line).is_empty();
    objects().into_iter().find(fits).expect("an object")
}

/// A site, an archive and mail with something for every object.
fn place() -> Place {
    let place = Place::new(&[
        (
            "a/a.html",
            "<a href='http://old.example/\u{e9}'>x</a> <!-- old.example -->",
        ),
        ("a/b.html", "<a href='http://\u{e9}_.example/'>x</a>"),
        (
            "a/c.eml",
            "Content-Type: text/plain\n\nhttp://old.example/\n",
        ),
        ("a/d.bin", "\0\0"),
    ]);
    place.write("a/e.html", b"<meta charset=nonsense><a href='/'>");
    place
}

#[test]
fn every_object_occurs_and_fits() {
    let place = place();
    let map = ["--map", "http://old.example/ https://new.example/"];
    let uri = ["--to", "uri", "a"];
    let commands: &[Vec<&str>] = &[
        vec!["find", "--json", "a"],
        vec!["find", "--json", "--count", "a"],
        vec!["find", "--json", "--charsets", "a"],
        vec!["find", "--json", "--by-host", "a"],
        [&["rewrite", "--json"], &map[..], &uri].concat(),
        [&["rewrite", "--json", "-i"], &map[..], &uri].concat(),
        vec!["rewrite", "--json", "--to-charset", "utf-16le", "a/a.html"],
        vec!["runs", "--json"],
        vec!["undo", "--json"],
        vec!["charsets", "--json"],
        vec![
            "convert",
            "--json",
            "--to",
            "uri",
            "http://a.example/\u{e9}",
        ],
        vec!["explain", "--json", "www.example.org", "a b", "/%E9"],
        vec!["compare", "--json", "a", "A"],
        vec!["compare", "--json", "a", "a"],
        vec![
            "convert",
            "--json",
            "--preprocess",
            "encode",
            "--to",
            "uri",
            "text",
            "a b",
        ],
    ];
    let mut seen = BTreeSet::new();
    for command in commands {
        // Checks every line.
        let ran = place.run(command);
        let lines = ran.objects();
        assert!(!lines.is_empty(), "{command:?}: {ran:?}");
        seen.extend(lines.iter().map(object_of));
    }
    assert_eq!(seen, objects().into_iter().collect());
}

#[test]
fn objects_that_do_not_fit_are_seen() {
    let line = place().run(&["find", "--json", "a/a.html"]).objects()[0].clone();
    assert_eq!(faults(&SCHEMA, &line), [""; 0]);
    type Change = fn(&mut Map<String, Value>);
    let changes: [Change; 7] = [
        |link| drop(link.insert("new".to_owned(), json!(1))),
        |link| drop(link.remove("notes")),
        |link| drop(link.insert("notes".to_owned(), json!(["other"]))),
        |link| drop(link.insert("start".to_owned(), json!("1"))),
        |link| drop(link.insert("start".to_owned(), json!(-1))),
        |link| drop(link.insert("type".to_owned(), json!("links"))),
        |link| {
            drop(
                link["place"]
                    .as_object_mut()
                    .map(|place| place.remove("kind")),
            )
        },
    ];
    for (number, change) in changes.iter().enumerate() {
        let mut line = line.clone();
        change(line.as_object_mut().expect("an object"));
        assert_ne!(faults(&SCHEMA, &line), [""; 0], "change {number}");
    }
}

#[test]
fn the_schema_as_a_whole_and_of_each_object() {
    let place = Place::new(&[]);
    let whole: Value = serde_json::from_str(&place.run(&["schema"]).text()).expect("JSON");
    assert_eq!(whole, *SCHEMA);
    for object in objects() {
        let ran = place.run(&["schema", object]);
        let one: Value = serde_json::from_str(&ran.text()).expect("JSON");
        let text = ran.text();
        let references = text.split("#/$defs/").skip(1);
        for name in references.filter_map(|rest| rest.split('"').next()) {
            assert_eq!(
                one["$defs"][name], SCHEMA["$defs"][name],
                "{object}: {name}"
            );
        }
        assert_eq!(name_of(&one["$ref"]), object);
    }
    place
        .run(&["schema", "links"])
        .complains(&[&objects().join(", ")], 2);
}

/// The literals in the arms of a function that gives each value its code.
fn codes_in(file: &str, function: &str) -> Vec<Value> {
    let text = fs::read_to_string(root().join(file)).expect(file);
    let body = text
        .split(&format!("fn {function}("))
        .nth(1)
        .expect(function);
    let indented = body.split("\n    }\n").next().unwrap_or_default();
    let body = indented.split("\n}\n").next().unwrap_or_default();
    let arms = body.split("=> ").skip(1).filter_map(|arm| {
        let (front, behind) = arm.split_once('"')?;
        let is_own = !front.contains('\n') || front.trim() == "(";
        is_own.then(|| behind.split('"').next())?
    });
    arms.map(Value::from).collect()
}

fn coded<T>(all: impl IntoIterator<Item = T>, code: impl Fn(T) -> &'static str) -> Vec<Value> {
    all.into_iter().map(|value| code(value).into()).collect()
}

/// A value that the code gets is missing in the schema until it is documented.
#[test]
fn lists_of_values_are_those_of_the_code() {
    let at = |pointer: &str| {
        let found = SCHEMA.pointer(&format!("/$defs/{pointer}")).expect(pointer);
        let values = list(found).iter().filter(|value| !value.is_null());
        values.map(ToString::to_string).collect::<BTreeSet<_>>()
    };
    let with = |more: &[&str], codes: Vec<Value>| {
        let more = more.iter().map(|code| Value::from(*code));
        codes.into_iter().chain(more).collect::<Vec<_>>()
    };
    let formats = values::FORMATS.iter().map(|(name, _)| *name);
    let formats = coded(formats.filter(|name| *name != "auto"), |name| name);
    // Only archives have headers of HTTP: no caller asks for them.
    let formats = with(&["http"], formats);
    #[cfg(not(feature = "markdown"))]
    let formats = with(&["markdown"], formats);
    let mentions = "src/rewrite/mention.rs";
    let json = "crates/linkglot-cli/src/json.rs";
    let runs = "crates/linkglot-cli/src/runs.rs";
    let charsets = "crates/linkglot-cli/src/charsets.rs";
    let skips = codes_in("crates/linkglot-files/src/walk.rs", "code");
    let components = coded(Component::ALL, Component::code);
    let levels = coded(Level::ALL, Level::name);
    let errors = coded(MapErrorKind::ALL, MapErrorKind::code);
    let why = codes_in(mentions, "code");
    let verdicts = codes_in("crates/linkglot-iri/src/bidi.rs", "code");
    for (pointer, codes) in [
        ("note/enum", coded(Note::ALL, Note::code)),
        ("link/properties/format/enum", formats),
        (
            "link/properties/charset_from/enum",
            codes_in(json, "charset_source"),
        ),
        (
            "link/properties/evidence/enum",
            coded(Evidence::ALL, Evidence::name),
        ),
        (
            "place/properties/kind/enum",
            coded(PLACES, |place| place.name()),
        ),
        (
            "left-behind/properties/where/enum",
            codes_in(mentions, "name"),
        ),
        ("left-behind/properties/why/oneOf/0/enum", why),
        (
            "unread/properties/reason/enum",
            codes_in("src/link/unread.rs", "texts"),
        ),
        ("summary/properties/skipped/propertyNames/enum", skips),
        ("run/properties/state/enum", codes_in(runs, "list")),
        (
            "charset/properties/read/enum",
            codes_in(charsets, "reading"),
        ),
        (
            "identifier-error/properties/kind/enum",
            with(&["invalid", "decode", "base"], errors),
        ),
        (
            "tolerated/properties/code/enum",
            coded(Oddity::ALL, Oddity::code),
        ),
        ("compare/properties/rung/enum", levels),
        ("compare/properties/component/enum", components),
        ("bidi/properties/verdict/enum", verdicts),
    ] {
        let codes: BTreeSet<_> = codes.iter().map(ToString::to_string).collect();
        assert_eq!(at(pointer), codes, "{pointer}");
    }
}

/// The type of a property, in words.
fn type_words(schema: &Value) -> String {
    let join = |schemas: &Value| {
        let words = list(schemas).iter().map(type_words);
        words.collect::<Vec<_>>().join(" or ")
    };
    if let Some(reference) = schema.get("$ref") {
        let target = definition(reference);
        let is_plain = target.get("properties").or(target.get("enum")).is_none();
        let null = if has_type(target.get("type").unwrap_or(&json!([])), &Value::Null) {
            " or null"
        } else {
            ""
        };
        let name = name_of(reference);
        return if is_plain {
            type_words(target)
        } else {
            format!("[{name}](#{name}){null}")
        };
    }
    if let Some(value) = schema.get("const") {
        return format!("`{}`", value.as_str().unwrap_or_default());
    }
    if let Some(values) = schema.get("enum") {
        let words = list(values).iter().map(|value| match value.as_str() {
            Some(value) => format!("`{value}`"),
            None => value.to_string(),
        });
        return words.collect::<Vec<_>>().join(", ");
    }
    if let Some(schemas) = schema.get("oneOf") {
        return join(schemas);
    }
    if let Some(names) = schema.get("propertyNames") {
        let numbers = type_words(&schema["additionalProperties"]);
        return format!("object, an {numbers} for each of {}", type_words(names));
    }
    let names = match &schema["type"] {
        Value::Array(names) => names.clone(),
        name => vec![name.clone()],
    };
    let names = names
        .iter()
        .filter_map(Value::as_str)
        .map(|name| match name {
            "boolean" => "true or false".to_owned(),
            "array" if schema.get("prefixItems").is_some() => {
                let items = list(&schema["prefixItems"]).iter().map(type_words);
                format!("list of {}", items.collect::<Vec<_>>().join(", "))
            }
            "array" => match type_words(&schema["items"]) {
                words if words.contains(" or ") => format!("list of ({words})"),
                words => format!("list of {words}"),
            },
            name => name.to_owned(),
        });
    names.collect::<Vec<_>>().join(" or ")
}

/// The section of an object.
fn section(name: &str, schema: &Value) -> String {
    let mut text = format!(
        "\n### {name}\n\n{}\n",
        schema["description"].as_str().expect(name)
    );
    if schema.get("enum").is_some() {
        let _ = write!(text, "\n{}\n", type_words(schema));
    }
    let Some(properties) = schema["properties"].as_object() else {
        return text;
    };
    text.push_str("\n| property | value | |\n|---|---|---|\n");
    // serde_json sorts properties; the order of `required` and of the schema's text is that of the output.
    for property in in_order(name, properties) {
        let schema = &properties[property];
        let words = schema.get("description");
        let words = words.or_else(|| definition(&schema["$ref"]).get("description"));
        let is_required = list(&SCHEMA["$defs"][name]["required"]).contains(&property.into());
        let absent = if is_required { "" } else { "may be absent; " };
        let (value, words) = (
            type_words(schema),
            words.and_then(Value::as_str).expect(property),
        );
        let _ = writeln!(text, "| `{property}` | {absent}{value} | {words} |");
    }
    text
}

/// The properties in the order of the schema's text.
fn in_order<'p>(name: &str, properties: &'p Map<String, Value>) -> Vec<&'p str> {
    let text = include_str!("../../src/schema.json");
    let begin = text.find(&format!("\n    \"{name}\": {{")).expect(name);
    let place = |property: &&str| {
        let at = text[begin..].find(&format!("\n        \"{property}\": "));
        at.expect("a property on a line of its own")
    };
    let mut names: Vec<&str> = properties.keys().map(String::as_str).collect();
    names.sort_by_key(place);
    names
}

#[test]
fn the_page_is_made_of_the_schema() {
    let path = root().join("docs/json.md");
    let page = fs::read_to_string(&path).expect("the page");
    let (written, _) = page.split_once(GENERATED).expect("the generated part");
    let definitions = SCHEMA["$defs"].as_object().expect("definitions");
    let objects = objects();
    let is_part = |name: &&String| !objects.contains(&name.as_str());
    // Strings that are explained with each property have no section.
    let has_section = |schema: &Value| schema.get("properties").or(schema.get("enum")).is_some();
    let mut made = format!("{written}{GENERATED}\n## The objects\n");
    for name in &objects {
        made += &section(name, &definitions[*name]);
    }
    made += "\n## Values within them\n";
    for name in definitions.keys().filter(is_part) {
        if has_section(&definitions[name]) {
            made += &section(name, &definitions[name]);
        }
    }
    if std::env::var_os("LINKGLOT_WRITE_PAGES").is_some() {
        fs::write(&path, &made).expect("the page");
    }
    let page = fs::read_to_string(&path).expect("the page");
    assert!(
        page == made,
        "LINKGLOT_WRITE_PAGES=1 cargo test the_page writes docs/json.md"
    );
}
