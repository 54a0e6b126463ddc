//! The shared vectors for mapping and bidi: `iri_to_uri`, `uri_to_iri`, `bidi`.
//!
//! The answer to a clear vector must be the expected one; docs/comparison.md lists judgement vectors with other
//! answers.

use crate::choices::Choices;
use linkglot::rewrite::{Display, HostForm};
use linkglot::{Charset, QueryCharset};
use linkglot_iri::{Disallowed, HostDisplay, Idna, ToIri, ToUri, Unencodable, bidi};
use serde_json::Value;

fn vectors(name: &str) -> Vec<Value> {
    let file = format!("shared/vectors/{name}.jsonl");
    // Beside the repository, or beside the directory of its worktrees.
    let above = ["..", "../.."].map(|up| format!("{}/{up}/{file}", env!("CARGO_MANIFEST_DIR")));
    let Some(text) = above
        .iter()
        .find_map(|path| std::fs::read_to_string(path).ok())
    else {
        println!("skipped: {file} is absent");
        return Vec::new();
    };
    let vectors: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON object a line"))
        .collect();
    println!("{file}: {} vectors", vectors.len());
    vectors
}

fn option<'v>(vector: &'v Value, name: &str) -> Option<&'v str> {
    vector["options"][name].as_str()
}

/// True if the answer is the first choice, or another choice that the page lists.
fn is_right(choices: &mut Choices, vector: &Value, expected: &Value, answer: Option<&str>) -> bool {
    let answer = answer.map_or(Value::Null, Value::from);
    let accepted = vector["accept"].as_array();
    let is_accepted =
        vector["judgement"] == true && accepted.is_some_and(|accepted| accepted.contains(&answer));
    let id = vector["id"].as_str().expect("an id");
    let complaint = choices.complaint(id, answer == *expected, is_accepted);
    if let Some(complaint) = complaint {
        println!("WRONG: {complaint}: {vector}\n  answer {answer}");
    }
    complaint.is_none()
}

fn to_uri(vector: &Value) -> ToUri {
    let mut settings = ToUri::default();
    let label = vector["charset"].as_str().unwrap_or("none");
    settings.charset = Charset::for_label(label).unwrap_or(Charset::UTF_8);
    settings.host = match option(vector, "host") {
        Some("toascii") => HostForm::Punycode,
        _ => HostForm::Percent,
    };
    if option(vector, "query") == Some("document") {
        settings.query = QueryCharset::Document;
    }
    settings.unencodable = match option(vector, "unencodable") {
        Some("ncr") => Unencodable::Reference,
        Some("utf-8") => Unencodable::Utf8,
        _ => Unencodable::Fail,
    };
    if option(vector, "ascii") == Some("encode") {
        settings.ascii = Disallowed::Encode;
    }
    if option(vector, "other") == Some("encode") {
        settings.other = Disallowed::Encode;
    }
    if ["2003", "\"2003\""].contains(&&*vector["options"]["idna"].to_string()) {
        settings.idna = Idna::Transitional;
    }
    settings.from_paper = option(vector, "input") == Some("paper");
    settings.base_scheme = option(vector, "base_scheme").map(str::to_owned);
    settings
}

#[test]
fn iri_to_uri() {
    let (mut wrong, mut choices) = (0, Choices::default());
    for vector in vectors("iri_to_uri") {
        let iri = vector["iri"].as_str().expect("an IRI");
        let mapped = to_uri(&vector).map(iri);
        let uri = mapped.as_ref().ok().map(|mapped| &*mapped.text);
        wrong += usize::from(!is_right(&mut choices, &vector, &vector["uri"], uri));
        if let (Err(error), Some(kind)) = (&mapped, vector["error"].as_str())
            && kind != "decode"
            && kind != error.kind.code()
        {
            println!("WRONG: {vector}\n  error {error}");
            wrong += 1;
        }
    }
    assert_eq!(wrong, 0);
    assert_eq!(choices.stale(), [""; 0]);
}

/// The IRI of the characters decoded from the document's octets.
#[test]
fn iri_to_uri_from_octets() {
    let (mut wrong, mut choices) = (0, Choices::default());
    for vector in vectors("iri_to_uri") {
        let (Some(hex), Some(label)) = (vector["iri_hex"].as_str(), vector["charset"].as_str())
        else {
            continue;
        };
        let Ok(charset) = Charset::for_label(label) else {
            assert_eq!(vector["judgement"], true, "no charset for {vector}");
            continue;
        };
        let octet = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal digits");
        let octets: Vec<u8> = (0..hex.len()).step_by(2).map(octet).collect();
        let iri = charset.decode(&octets);
        let mapped = to_uri(&vector).map(&iri);
        let uri = mapped.as_ref().ok().map(|mapped| &*mapped.text);
        wrong += usize::from(!is_right(&mut choices, &vector, &vector["uri"], uri));
    }
    assert_eq!(wrong, 0);
    assert_eq!(choices.stale(), [""; 0]);
}

#[test]
fn uri_to_iri() {
    let (mut wrong, mut choices) = (0, Choices::default());
    for vector in vectors("uri_to_iri") {
        let profiles = match option(&vector, "profile") {
            Some("minimal") => vec![Display::All],
            Some(_) => vec![Display::Safe],
            None => vec![Display::All, Display::Safe],
        };
        for display in profiles {
            let mut settings = ToIri::default();
            settings.display = display;
            settings.host = match option(&vector, "host") {
                Some("tounicode") => HostDisplay::Safe,
                _ => HostDisplay::Keep,
            };
            let uri = vector["uri"].as_str().expect("a URI");
            let mapped = settings.map(uri, &|_| true);
            wrong += usize::from(!is_right(
                &mut choices,
                &vector,
                &vector["iri"],
                Some(&mapped.text),
            ));
        }
    }
    assert_eq!(wrong, 0);
    assert_eq!(choices.stale(), [""; 0]);
}

/// Bidi notation: capitals stand for letters written from right to left.
fn noted(visual: &str, alphabet: &[char]) -> String {
    visual
        .chars()
        .map(|ch| {
            let place = alphabet.iter().position(|&letter| letter == ch);
            place.map_or(ch, |place| char::from(b'A' + place as u8))
        })
        .collect()
}

fn triples(violations: &[bidi::Violation], alphabet: &[char]) -> Value {
    let triple = |violation: &bidi::Violation| {
        let text = noted(violation.text, alphabet);
        serde_json::json!([violation.component, text, violation.rule])
    };
    Value::from(violations.iter().map(triple).collect::<Vec<_>>())
}

#[test]
fn bidi() {
    let hebrew: Vec<char> = ('\u{5D0}'..='\u{5E9}').collect();
    let arabic: Vec<char> = "ابتثجحخدذرزسشصضطظعغفقكلمنه".chars().collect();
    let (mut wrong, mut choices) = (0, Choices::default());
    let mut expect = |vector: &Value, what: &str, expected: &Value, answer: Value| {
        let id = vector["id"].as_str().expect("an id");
        if let Some(complaint) = choices.complaint(id, *expected == answer, false) {
            println!("WRONG: {complaint}: {what} of {vector}\n  answer {answer}");
            wrong += 1;
        }
    };
    for vector in vectors("bidi") {
        let variants = [
            ("logical_hebrew", "visual_hebrew", &hebrew),
            ("logical_arabic", "visual_arabic", &arabic),
        ];
        for (logical, visual, alphabet) in variants {
            let Some(iri) = vector[logical].as_str() else {
                continue;
            };
            let report = bidi::check(iri);
            let letters = if vector["visual"].is_null() {
                &[][..]
            } else {
                alphabet
            };
            expect(
                &vector,
                "verdict",
                &vector["verdict"],
                report.verdict.code().into(),
            );
            let grammar = triples(&report.grammar, letters);
            expect(&vector, "grammar", &vector["violations_grammar"], grammar);
            let parts = triples(&report.violations, letters);
            expect(&vector, "parts", &vector["violations_sub"], parts);
            if vector[visual]
                .as_str()
                .is_some_and(|visual| !visual.is_empty())
            {
                expect(&vector, visual, &vector[visual], bidi::visual(iri).into());
            }
        }
    }
    assert_eq!(wrong, 0);
    assert_eq!(choices.stale(), [""; 0]);
}
