//! The shared vectors, checked through the command line: one process for each set of options, one line for each vector.
//! The vectors are kept beside the repository; without them the test does nothing.

use crate::choices::Choices;
use crate::support::{Place, root};
use linkglot::Charset;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

fn vectors(name: &str) -> Vec<Value> {
    let file = format!("shared/vectors/{name}.jsonl");
    let above = ["..", "../.."].map(|up| root().join(up).join(&file));
    let read = |path: &PathBuf| std::fs::read_to_string(path).ok();
    let Some(text) = above.iter().find_map(read) else {
        println!("skipped: {file} is absent");
        return Vec::new();
    };
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a JSON object a line"))
        .collect()
}

fn text<'v>(vector: &'v Value, field: &str) -> &'v str {
    vector[field].as_str().unwrap_or_default()
}

/// Collects all faults, so that a failure shows all of them.
#[derive(Default)]
struct Judge {
    choices: Choices,
    wrong: Vec<String>,
}

impl Judge {
    fn expect(&mut self, vector: &Value, expected: &Value, found: &Value) {
        let is_choice = vector["judgement"] == true;
        let accepted = vector["accept"].as_array();
        let is_accepted = is_choice && accepted.is_some_and(|accepted| accepted.contains(found));
        let id = text(vector, "id");
        let complaint = self.choices.complaint(id, found == expected, is_accepted);
        if let Some(complaint) = complaint {
            self.wrong
                .push(format!("{id}: {found}, not {expected}: {complaint}"));
        }
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
            let stale = self.choices.stale();
            assert!(
                stale.is_empty(),
                "no choice, and docs/comparison.md lists it: {stale:?}"
            );
        }
    }
}

/// Groups vectors by the options of the command that they need.
fn grouped(
    vectors: Vec<Value>,
    options: impl Fn(&Value) -> Vec<String>,
) -> BTreeMap<Vec<String>, Vec<Value>> {
    let mut groups: BTreeMap<Vec<String>, Vec<Value>> = BTreeMap::new();
    for vector in vectors {
        groups.entry(options(&vector)).or_default().push(vector);
    }
    groups
}

/// The answers: one object per line, whatever the line contains.
fn answers(options: &[String], lines: &[Vec<u8>], line_end: &[u8]) -> Vec<Value> {
    let input: Vec<u8> = lines
        .iter()
        .flat_map(|line| [line, line_end].concat())
        .collect();
    let args: Vec<&str> = options.iter().map(String::as_str).collect();
    let objects = Place::new(&[]).pipe(&args, input).objects();
    assert_eq!(objects.len(), lines.len(), "{options:?}");
    objects
}

fn convert(options: &[&str]) -> Vec<String> {
    let words = ["convert", "--json"].iter().chain(options);
    words.map(|word| word.to_string()).collect()
}

/// The answers to identifiers in UTF-8.
fn converted<'t>(options: &[String], texts: impl Iterator<Item = &'t str>) -> Vec<Value> {
    let lines: Vec<Vec<u8>> = texts.map(|text| text.as_bytes().to_vec()).collect();
    answers(options, &lines, b"\n")
}

fn option<'v>(vector: &'v Value, name: &str) -> Option<&'v str> {
    vector["options"][name].as_str()
}

/// The charset in which a vector is written to the pipe.
fn charset(vector: &Value) -> Option<Charset> {
    match text(vector, "charset") {
        "none" => Some(Charset::UTF_8),
        label => Charset::for_label(label).ok(),
    }
}

fn to_uri_options(vector: &Value) -> Vec<String> {
    let host = match option(vector, "host") {
        Some("toascii") => "punycode",
        _ => "percent",
    };
    let mut options = convert(&["--to", "uri", "--host", host]);
    let mut add = |name: &str, value: &str| options.extend([name.to_owned(), value.to_owned()]);
    if text(vector, "charset") != "none" {
        add("--charset", text(vector, "charset"));
    }
    for (name, flag) in [
        ("query", "--query-charset"),
        ("unencodable", "--unencodable"),
        ("ascii", "--ascii"),
        ("other", "--other"),
    ] {
        if let Some(value) = option(vector, name) {
            add(flag, value);
        }
    }
    if let Some(scheme) = option(vector, "base_scheme") {
        add("--base", &format!("{scheme}://base.example/"));
    }
    let idna = vector["options"]["idna"].as_str().map(str::to_owned);
    let idna = idna.or(vector["options"]["idna"]
        .as_i64()
        .map(|year| year.to_string()));
    if let Some(idna) = idna {
        add("--idna", &idna);
    }
    if option(vector, "input") == Some("paper") {
        options.push("--from-paper".to_owned());
    }
    options
}

/// The identifier's octets in its document. `None` if the charset lacks a character, which was a character reference in
/// the document.
fn octets(vector: &Value) -> Option<Vec<u8>> {
    if let Some(hex) = vector["iri_hex"].as_str() {
        let octet = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal digits");
        return Some((0..hex.len()).step_by(2).map(octet).collect());
    }
    let mut octets = Vec::new();
    let charset = charset(vector).expect("a charset");
    let encoded = charset.encode(text(vector, "iri"), &mut octets);
    encoded.is_ok().then_some(octets)
}

/// The answers to identifiers in their charsets; if the charset lacks a character, the identifier is an argument, in
/// UTF-8.
fn answers_by_charset(options: &[String], vectors: &[Value]) -> Vec<Value> {
    let charset = charset(&vectors[0]).expect("a charset");
    let mut line_end = Vec::new();
    charset.encode("\n", &mut line_end).expect("a line end");
    let lines: Vec<Vec<u8>> = vectors.iter().filter_map(octets).collect();
    let mut piped = answers(options, &lines, &line_end).into_iter();
    let answer = |vector| match octets(vector) {
        Some(_) => piped.next().expect("an answer"),
        None => {
            let mut args: Vec<&str> = options.iter().map(String::as_str).collect();
            args.extend(["--", text(vector, "iri")]);
            Place::new(&[]).run(&args).objects().remove(0)
        }
    };
    vectors.iter().map(answer).collect()
}

#[test]
fn iri_to_uri() {
    let mut judge = Judge::default();
    let (known, unknown): (Vec<_>, Vec<_>) = vectors("iri_to_uri")
        .into_iter()
        .partition(|vector| charset(vector).is_some());
    for vector in unknown {
        assert_eq!(vector["judgement"], true, "no charset for {vector}");
    }
    for (options, vectors) in grouped(known, to_uri_options) {
        for (vector, found) in vectors.iter().zip(answers_by_charset(&options, &vectors)) {
            let mut expected = vector["uri"].clone();
            if let (Some(scheme), Some(uri)) = (option(vector, "base_scheme"), expected.as_str()) {
                expected = json!(format!("{scheme}://base.example/{uri}"));
            }
            judge.expect(vector, &expected, &found["uri"]);
            if let (true, Some(kind)) = (found["uri"].is_null(), vector["error"].as_str()) {
                assert_eq!(found["error"]["kind"], kind, "{vector}");
            }
        }
    }
}

#[test]
fn uri_to_iri() {
    let mut judge = Judge::default();
    for profile in ["minimal", "display"] {
        let wanted = |vector: &Value| option(vector, "profile").is_none_or(|own| own == profile);
        let vectors = vectors("uri_to_iri").into_iter().filter(wanted).collect();
        let groups = grouped(vectors, |vector| {
            let display = if profile == "minimal" {
                profile
            } else {
                "safe"
            };
            let mut options = convert(&["--to", "iri", "--display", display]);
            if option(vector, "host") != Some("tounicode") {
                options.extend(["--host", "keep"].map(str::to_owned));
            }
            options
        });
        for (options, vectors) in groups {
            let found = converted(&options, vectors.iter().map(|vector| text(vector, "uri")));
            for (vector, found) in vectors.iter().zip(found) {
                judge.expect(vector, &vector["iri"], &found["iri"]);
            }
        }
    }
}

#[test]
fn equivalence() {
    let mut judge = Judge::default();
    let vectors = vectors("equivalence");
    let normal = |level: &str, side: &str| {
        let options = convert(&["--to", "normal", "--level", level]);
        converted(&options, vectors.iter().map(|vector| text(vector, side)))
    };
    let mut first = vec!["never"; vectors.len()];
    for level in ["scheme", "path", "percent", "case", "string"] {
        let (a, b) = (normal(level, "a"), normal(level, "b"));
        for (at, vector) in vectors.iter().enumerate() {
            let (a, b) = (&a[at]["normal"], &b[at]["normal"]);
            if a == b {
                first[at] = level;
            }
            let field = match level {
                "path" => "normal_syntax",
                "scheme" => "normal_scheme",
                _ => continue,
            };
            judge.expect(vector, &vector[field], &json!([a, b]));
        }
    }
    for (vector, level) in vectors.iter().zip(first) {
        // Only a server could decide such pairs.
        let is_protocol = level == "never" && vector["level"] == "protocol";
        let level = if is_protocol { "protocol" } else { level };
        judge.expect(vector, &vector["level"], &json!(level));
    }
}

#[test]
fn resolution() {
    let mut judge = Judge::default();
    let groups = grouped(vectors("resolve"), |vector| {
        let is_lax = vector["options"]["strict"] == false;
        let mut options = convert(&["--to", "iri", "--host", "keep"]);
        options.extend(["--base", text(vector, "base")].map(str::to_owned));
        options.extend(is_lax.then(|| "--lax".to_owned()));
        options
    });
    for (options, vectors) in groups {
        let found = converted(&options, vectors.iter().map(|vector| text(vector, "ref")));
        for (vector, found) in vectors.iter().zip(found) {
            judge.expect(vector, &vector["target"], &found["target"]);
        }
    }
}

#[test]
fn preprocessing() {
    let mut judge = Judge::default();
    let groups = grouped(vectors("preprocess"), |vector| {
        let options = &vector["options"];
        let spaces = match option(vector, "space") {
            _ if options["multiple"] == true => "split",
            Some(space) => space,
            None => "encode",
        };
        let references = match (options["ncr"] == true, option(vector, "format")) {
            (true, Some(format)) => format,
            (true, None) => "xml",
            (false, _) => "keep",
        };
        let preprocess = ["--preprocess", spaces, "--character-references", references];
        convert(&[&["--to", "iri"], &preprocess[..]].concat())
    });
    for (options, vectors) in groups {
        for vector in vectors {
            // As an argument, because white space to be trimmed may contain line ends.
            let mut args: Vec<&str> = options.iter().map(String::as_str).collect();
            args.extend(["--", text(&vector, "input")]);
            let found = Place::new(&[]).run(&args).objects().remove(0);
            let references = found["references"].as_array().into_iter().flatten();
            let references: Vec<_> = references.map(|one| one["input"].clone()).collect();
            judge.expect(&vector, &vector["output"], &json!(references));
        }
    }
}

#[test]
fn parsing() {
    let mut judge = Judge::default();
    let vectors = vectors("parse");
    let options = ["explain", "--json"].map(str::to_owned);
    let found = converted(&options, vectors.iter().map(|vector| text(vector, "input")));
    for (vector, found) in vectors.iter().zip(found) {
        judge.expect(vector, &vector["valid"], &found["valid"]);
        judge.expect(vector, &vector["components"], &found["components"]);
        assert_eq!(found["error"].is_null(), found["valid"] == true, "{found}");
    }
}

/// Bidi notation: capitals stand for letters written from right to left.
fn noted(violations: &Value, alphabet: &str) -> Value {
    let letters: Vec<char> = alphabet.chars().collect();
    let note = |ch: char| {
        let place = letters.iter().position(|&letter| letter == ch);
        place.map_or(ch, |place| char::from(b'A' + place as u8))
    };
    let mut violations = violations.clone();
    for violation in violations.as_array_mut().into_iter().flatten() {
        let text = violation[1].as_str().unwrap_or_default();
        violation[1] = json!(text.chars().map(note).collect::<String>());
    }
    violations
}

#[test]
fn bidi() {
    let mut judge = Judge::default();
    let hebrew: String = ('\u{5D0}'..='\u{5E9}').collect();
    let alphabets = [
        ("logical_hebrew", hebrew.as_str()),
        ("logical_arabic", "ابتثجحخدذرزسشصضطظعغفقكلمنه"),
    ];
    for (logical, alphabet) in alphabets {
        for form in ["uri", "iri", "normal"] {
            let mut vectors = vectors("bidi");
            vectors.retain(|vector| vector[logical].is_string());
            let options = convert(&["--to", form]);
            let found = converted(&options, vectors.iter().map(|vector| text(vector, logical)));
            for (vector, found) in vectors.iter().zip(found) {
                judge.expect(vector, &vector["verdict"], &found["bidi"]["verdict"]);
                let has_notation = !vector["visual"].is_null();
                let alphabet = if has_notation { alphabet } else { "" };
                let violations = noted(&found["bidi"]["violations"], alphabet);
                judge.expect(vector, &vector["violations_sub"], &violations);
            }
        }
    }
}

/// Each input line gives one output line, whatever its content.
#[test]
fn every_line_has_its_answer() {
    let lines: [&[u8]; 9] = [
        b"",
        b"\xFF\xFE",
        b"/a\r",
        b"http://\xC3",
        b"\0",
        b"/a b",
        b"http://%/",
        b"/\xE2\x80\xA8\x0B\x0C\xC2\x85",
        b"//[",
    ];
    let lines = lines.map(<[u8]>::to_vec);
    let commands: [&[&str]; 7] = [
        &["convert", "--json", "--to", "uri"],
        &[
            "convert",
            "--json",
            "--to",
            "uri",
            "--base",
            "http://a.example/b",
        ],
        &["convert", "--json", "--to", "iri"],
        &["convert", "--json", "--to", "normal"],
        &["convert", "--json", "--to", "uri", "--charset", "shift_jis"],
        &["explain", "--json"],
        &["explain", "--json", "--charset", "windows-1251"],
    ];
    for command in commands {
        let options: Vec<String> = command.iter().map(|word| word.to_string()).collect();
        for line_end in [&b"\n"[..], b"\r\n"] {
            for answer in answers(&options, &lines, line_end) {
                assert!(answer["input"].is_string(), "{command:?} {answer}");
            }
        }
    }
    for charset in ["utf-16le", "utf-16be", "iso-2022-jp", "utf-32le"] {
        let options = convert(&["--to", "uri", "--charset", charset]);
        let charset = Charset::for_label(charset).expect("a charset");
        let encoded = |text: &str| {
            let mut octets = Vec::new();
            charset
                .encode(text, &mut octets)
                .expect("the charset has it");
            octets
        };
        let lines = ["/a", "", "/語", "/a b"].map(encoded);
        let found = answers(&options, &lines, &encoded("\r\n"));
        assert_eq!(found[1]["uri"], "", "{options:?}");
        assert_eq!(found[2]["uri"], "/%E8%AA%9E", "{options:?}");
        assert_eq!(found[3]["error"]["kind"], "disallowed-ascii", "{options:?}");
    }
}
