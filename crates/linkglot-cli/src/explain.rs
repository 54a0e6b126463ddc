//! The command `explain`.

use super::args::{ExplainArgs, IriArgs};
use super::identifiers::for_each;
use super::input::Input;
use super::json::{self, ErrorObject};
use super::legacy::{self, Reading};
use super::mapper::{ConversionError, Normal, in_unicode};
use super::output::{Controls, Isolation, push_one_line};
use super::{Failure, Status};
use linkglot::notes::Notes;
use linkglot_iri::bidi::visual;
use linkglot_iri::{
    Form, Lenient, ParseError, ToIri, ToUri, Tolerated, Warning, mailto, parse, warnings,
};
use linkglot_scan as scan;
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// Runs the command.
pub fn run(args: &ExplainArgs) -> Result<Status, Failure> {
    let mut first = true;
    let isolation = Isolation::for_stdout(args.iris.isolate);
    for_each(&args.iris, &mut |input, out| {
        if !args.iris.json && !std::mem::take(&mut first) {
            out.push(b'\n');
        }
        explain(&input, &args.iris, isolation, out)
    })
}

/// The explanation of one identifier.
struct Explanation<'i> {
    /// The text as given.
    input: &'i str,
    /// The identifier in the text, and its first byte.
    identifier: &'i str,
    start: usize,
    /// The reason why the text is not an IRI reference (RFC 3987 2.2, 4.1).
    invalid: Option<ParseError>,
    error: Option<ConversionError>,
    /// The components, as a tolerant reader splits the identifier.
    read: Lenient<'i>,
    uri: Result<String, ConversionError>,
    iri: String,
    /// The form that `convert --to normal` prints.
    normal: String,
    /// The characters of the IRI in the order of their display.
    displayed: String,
    warnings: Vec<Warning>,
    /// Probable readings of escapes that are not UTF-8.
    advice: Vec<Reading>,
    /// Notes on the identifier and on its mapping to a URI.
    notes: Notes,
}

impl<'i> Explanation<'i> {
    fn new(given: &'i Input, args: &IriArgs) -> Self {
        let (start, input, mut notes) = given.identifier();
        let mut to_uri = ToUri::default();
        to_uri.charset = args.charset.unwrap_or(to_uri.charset);
        let uri = to_uri.map(input);
        let text = in_unicode(&to_uri, input);
        notes.extend(uri.as_ref().map_or(Notes::NONE, |mapped| mapped.notes));
        let iri = ToIri::default().map(&text, &|_| true).text.into_owned();
        let invalid = parse(&given.text, Form::Reference).err();
        Explanation {
            input: &given.text,
            identifier: input,
            start,
            error: invalid.as_ref().map(conversion_error),
            invalid,
            read: Lenient::read(input),
            normal: Normal::default().apply(&text),
            notes,
            uri: match uri {
                Ok(mapped) => Ok(mapped.text.into_owned()),
                Err(error) => Err(error.into()),
            },
            displayed: visual(&iri),
            iri,
            warnings: warnings(input),
            advice: legacy::readings(input, start, args.charset),
        }
    }

    fn push_words(&self, isolation: Isolation, out: &mut Vec<u8>) {
        let identifier = |out: &mut Vec<u8>, name: &str, text: &str| {
            let shown = Controls::for_stdout().apply_to_words(text);
            row_of(out, name, &isolation.apply(&shown));
        };
        identifier(out, "", self.identifier);
        let valid = match &self.invalid {
            None if self.read.parts().scheme().is_none() => "a valid relative reference".to_owned(),
            None if self.identifier.is_ascii() => "a valid URI".to_owned(),
            None => "a valid IRI".to_owned(),
            Some(error) => format!("not valid: {error}"),
        };
        row(out, "", &valid);
        for Tolerated { at, what } in self.tolerated() {
            let words = format!("{}, at byte {at} ({what})", what.words());
            row(out, "tolerated", &words);
        }
        for (name, value) in self.read.parts().components() {
            if let Some(value) = value {
                identifier(out, name, value);
            }
        }
        match &self.uri {
            Ok(uri) => identifier(out, "as URI", uri),
            Err(error) => row(out, "as URI", &format!("none: {}", error.message)),
        }
        identifier(out, "as IRI", &self.iri);
        identifier(out, "normal", &self.normal);
        if self.displayed != self.iri {
            let shown = Controls::for_stdout().apply_to_words(&self.displayed);
            row_of(out, "displayed", &isolation.apply_to_visual(&shown));
        }
        for Warning { note, detail, .. } in &self.warnings {
            let shown = Controls::for_stdout().apply_to_words(detail);
            let detail = isolation.apply(&shown);
            let words = format!("{}: {detail} ({})", note.words(), note.code());
            row_of(out, "warning", &words);
        }
        for reading in &self.advice {
            let shown = Controls::for_stdout().apply_to_words(reading.message());
            row_of(out, "advice", &isolation.apply(&shown));
        }
        let codes = self.codes();
        for note in self
            .notes
            .iter()
            .filter(|note| !codes.contains(&note.code()))
        {
            row(out, "note", &format!("{} ({note})", note.words()));
        }
    }

    /// Faults that a tolerant reader accepts, each with its byte in the input.
    fn tolerated(&self) -> impl Iterator<Item = Tolerated> {
        let tolerated = self.read.tolerated().iter();
        tolerated.map(|&Tolerated { at, what }| Tolerated {
            at: self.start + at,
            what,
        })
    }

    /// The codes of the warnings, each once.
    fn codes(&self) -> Vec<&'static str> {
        let mut codes: Vec<_> = self
            .warnings
            .iter()
            .map(|found| found.note.code())
            .collect();
        let mut seen = std::collections::HashSet::new();
        codes.retain(|code| seen.insert(*code));
        codes
    }

    /// The error if it is not valid, and the warnings.
    fn details(&self) -> Vec<Detail<'_>> {
        let invalid = self.invalid.as_ref();
        let invalid = invalid.map(|error| Detail::invalid(error, self.input));
        let warnings = self.warnings.iter();
        let warnings = warnings.map(|warning| Detail::new(warning, self.start));
        invalid.into_iter().chain(warnings).collect()
    }

    fn object(&self) -> Object<'_> {
        let read = Components(self.read.parts().components());
        let (components, read) = match &self.error {
            None => (Some(read), None),
            Some(_) => (None, Some(read)),
        };
        Object {
            input: self.input,
            valid: self.error.is_none(),
            components,
            read,
            tolerated: self.tolerated().map(Oddity::new).collect(),
            error: self.error.as_ref().map(ErrorObject::new),
            uri: self.uri.as_ref().ok().map(String::as_str),
            iri: Some(&self.iri),
            normal: Some(&self.normal),
            displayed: Some(&self.displayed),
            warnings: self.codes(),
            notes: json::codes(self.notes),
            details: self.details(),
            advice: &self.advice,
            in_text: None,
        }
    }
}

/// Names and values of the components, as an object.
struct Components<'o>([(&'static str, Option<&'o str>); 7]);

impl Serialize for Components<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0)
    }
}

#[derive(Default, Serialize)]
struct Object<'o> {
    input: &'o str,
    valid: bool,
    components: Option<Components<'o>>,
    /// The components of an invalid identifier, as documents are read, and the faults tolerated for that.
    read: Option<Components<'o>>,
    tolerated: Vec<Oddity>,
    error: Option<ErrorObject<'o>>,
    uri: Option<&'o str>,
    iri: Option<&'o str>,
    normal: Option<&'o str>,
    /// The IRI with its characters in the order of their display from left to right.
    displayed: Option<&'o str>,
    warnings: Vec<&'static str>,
    notes: Vec<&'static str>,
    details: Vec<Detail<'o>>,
    advice: &'o [Reading],
    /// The link that `find` would read in running text, with its implied scheme.
    in_text: Option<Box<Object<'o>>>,
}

/// A character that no IRI may hold, with its byte in the identifier.
#[derive(Serialize)]
struct Oddity {
    code: &'static str,
    at: usize,
    message: &'static str,
}

impl Oddity {
    fn new(tolerated: Tolerated) -> Self {
        Oddity {
            code: tolerated.what.code(),
            at: tolerated.at,
            message: tolerated.what.words(),
        }
    }
}

/// An error or a warning, with its bytes in the identifier.
#[derive(Serialize)]
struct Detail<'o> {
    code: &'static str,
    start: usize,
    end: usize,
    message: Cow<'static, str>,
    detail: &'o str,
}

impl<'o> Detail<'o> {
    /// Describes an error, which is about one character or about the end.
    fn invalid(error: &ParseError, input: &'o str) -> Self {
        let start = error.at();
        let rest = input.get(start..).unwrap_or_default();
        let length = rest.chars().next().map_or(0, char::len_utf8);
        Detail {
            code: "invalid",
            start,
            end: start + length,
            message: error.to_string().into(),
            detail: &rest[..length],
        }
    }

    /// Describes a warning. The identifier begins at `start` of the input.
    fn new(warning: &'o Warning, start: usize) -> Self {
        Detail {
            code: warning.note.code(),
            start: start + warning.range.start,
            end: start + warning.range.end,
            message: warning.note.words().into(),
            detail: &warning.detail,
        }
    }
}

/// Appends the explanation, and returns the error if the identifier is not valid.
fn explain(
    input: &Input,
    args: &IriArgs,
    isolation: Isolation,
    out: &mut Vec<u8>,
) -> Option<ConversionError> {
    if let Some(error) = input.decoding_error(args) {
        if args.json {
            let object = Object {
                input: &input.text,
                error: Some(ErrorObject::new(&error)),
                ..Object::default()
            };
            json::push(out, &object);
        }
        return Some(error);
    }
    let explanation = Explanation::new(input, args);
    let link = link_in_text(&explanation, input);
    let link = link.as_ref().map(|link| Explanation::new(link, args));
    if args.json {
        let mut object = explanation.object();
        object.in_text = link.as_ref().map(|link| Box::new(link.object()));
        json::push(out, &object);
    } else {
        explanation.push_words(isolation, out);
        if let Some(link) = link {
            row(
                out,
                "in text",
                "a link, read with the scheme that it implies:",
            );
            link.push_words(isolation, out);
        }
    }
    explanation.error
}

/// The link that a reference without a scheme stands for in running text, with its implied scheme.
fn link_in_text(explanation: &Explanation<'_>, input: &Input) -> Option<Input> {
    let text = explanation.identifier;
    let hit = scan::links(text).next()?;
    let scheme = hit.kind.implied_scheme()?;
    (hit.span.of(text) == text).then(|| Input {
        text: match hit.kind {
            scan::Kind::Email => mailto(text),
            _ => format!("{scheme}://{text}"),
        },
        malformed: None,
        line: input.line,
        notes: input.notes,
    })
}

fn conversion_error(error: &ParseError) -> ConversionError {
    ConversionError {
        kind: "invalid",
        at: error.at(),
        message: error.to_string(),
    }
}

/// Appends a line with a name and a value.
fn row(out: &mut Vec<u8>, name: &str, value: &str) {
    let shown = Controls::for_stdout().apply_to_words(value);
    row_of(out, name, &shown);
}

/// Appends a line with a name and a value that is escaped already.
fn row_of(out: &mut Vec<u8>, name: &str, shown: &str) {
    if !name.is_empty() {
        out.extend_from_slice(format!("  {name:<10}").as_bytes());
    }
    push_one_line(out, shown.as_bytes());
    out.push(b'\n');
}
