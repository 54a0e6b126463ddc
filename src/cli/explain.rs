//! `explain`.

use super::args::{ExplainArgs, IriArgs};
use super::convert::{ErrorObject, each, trouble};
use super::json;
use super::mapper::{Normal, Trouble, in_unicode};
use super::output::{escaped, on_one_line};
use super::text::Input;
use super::{Code, Failure};
use linkglot::iri::bidi::visual;
use linkglot::iri::{Form, Lenient, ParseError, ToIri, ToUri, Tolerated, Warning, parse, warnings};
use linkglot::report::Notes;
use serde::Serialize;
use std::borrow::Cow;

/// Runs the command.
pub fn run(args: &ExplainArgs) -> Result<Code, Failure> {
    let mut first = true;
    each(&args.iris, &mut |input, out| {
        if !args.iris.json && !std::mem::take(&mut first) {
            out.push(b'\n');
        }
        explain(&input, &args.iris, out)
    })
}

/// What is said of one identifier.
struct Explanation<'i> {
    input: &'i str,
    /// Why it is no IRI reference (RFC 3987 2.2, 4.1).
    invalid: Option<ParseError>,
    /// How it is read all the same.
    read: Lenient<'i>,
    uri: Result<String, Trouble>,
    iri: String,
    /// As `convert --to normal` has it.
    normal: String,
    warnings: Vec<Warning>,
    /// What is worth knowing of the mapping to a URI.
    notes: Notes,
}

impl<'i> Explanation<'i> {
    fn new(input: &'i str, args: &IriArgs) -> Self {
        let mut to_uri = ToUri::default();
        to_uri.charset = args.charset.unwrap_or(to_uri.charset);
        let uri = to_uri.map(input);
        let text = in_unicode(&to_uri, input);
        Explanation {
            input,
            invalid: parse(input, Form::Reference).err(),
            read: Lenient::read(input),
            normal: Normal::default().of(&text),
            notes: uri.as_ref().map_or(Notes::NONE, |mapped| mapped.notes),
            uri: match uri {
                Ok(mapped) => Ok(mapped.text.into_owned()),
                Err(error) => Err(error.into()),
            },
            iri: ToIri::default().map(&text, &|_| true).text.into_owned(),
            warnings: warnings(input),
        }
    }

    /// Components by name, those that are there.
    fn components(&self) -> [(&'static str, Option<&str>); 7] {
        let parts = self.read.parts();
        [
            ("scheme", parts.scheme()),
            ("userinfo", parts.userinfo()),
            ("host", parts.host()),
            ("port", parts.port()),
            ("path", Some(parts.path())),
            ("query", parts.query()),
            ("fragment", parts.fragment()),
        ]
    }

    fn words(&self, out: &mut Vec<u8>) {
        row(out, "", self.input);
        let valid = match &self.invalid {
            None if self.read.parts().scheme().is_none() => "a valid relative reference".to_owned(),
            None if self.input.is_ascii() => "a valid URI".to_owned(),
            None => "a valid IRI".to_owned(),
            Some(error) => format!("not valid: {error}"),
        };
        row(out, "", &valid);
        for Tolerated { at, what } in self.read.tolerated() {
            let words = format!("{}, at byte {at} ({what})", what.words());
            row(out, "tolerated", &words);
        }
        for (name, value) in self.components() {
            if let Some(value) = value {
                row(out, name, value);
            }
        }
        match &self.uri {
            Ok(uri) => row(out, "as URI", uri),
            Err(trouble) => row(out, "as URI", &format!("none: {}", trouble.message)),
        }
        row(out, "as IRI", &self.iri);
        row(out, "normal", &self.normal);
        let shown = visual(&self.iri);
        if shown != self.iri {
            row(out, "displayed", &shown);
        }
        for warning in &self.warnings {
            let code = warning.kind.code();
            row(out, "warning", &format!("{warning} ({code})"));
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

    /// The codes of the warnings, each once.
    fn codes(&self) -> Vec<&'static str> {
        let mut codes: Vec<_> = self
            .warnings
            .iter()
            .map(|found| found.kind.code())
            .collect();
        let mut seen = std::collections::HashSet::new();
        codes.retain(|code| seen.insert(*code));
        codes
    }

    /// Why it is not valid, if it is not, and the warnings.
    fn details(&self) -> Vec<Detail<'_>> {
        let invalid = self.invalid.as_ref();
        let invalid = invalid.map(|error| Detail::invalid(error, self.input));
        let warnings = self.warnings.iter().map(Detail::new);
        invalid.into_iter().chain(warnings).collect()
    }

    fn object(&self, out: &mut Vec<u8>) {
        let trouble = self.invalid.as_ref().map(invalid);
        let read = Components::new(self.components().map(|(_, value)| value));
        let (components, read) = match &trouble {
            None => (Some(read), None),
            Some(_) => (None, Some(read)),
        };
        json::push(
            out,
            &Object {
                input: self.input,
                valid: self.invalid.is_none(),
                components,
                read,
                tolerated: self.read.tolerated().iter().map(Odd::new).collect(),
                error: trouble.as_ref().map(ErrorObject::new),
                uri: self.uri.as_ref().ok().map(String::as_str),
                iri: Some(&self.iri),
                normal: Some(&self.normal),
                warnings: self.codes(),
                notes: json::codes(self.notes),
                details: self.details(),
            },
        );
    }
}

#[derive(Serialize)]
struct Components<'o> {
    scheme: Option<&'o str>,
    userinfo: Option<&'o str>,
    host: Option<&'o str>,
    port: Option<&'o str>,
    path: Option<&'o str>,
    query: Option<&'o str>,
    fragment: Option<&'o str>,
}

impl<'o> Components<'o> {
    fn new(values: [Option<&'o str>; 7]) -> Self {
        let [scheme, userinfo, host, port, path, query, fragment] = values;
        Components {
            scheme,
            userinfo,
            host,
            port,
            path,
            query,
            fragment,
        }
    }
}

#[derive(Default, Serialize)]
struct Object<'o> {
    input: &'o str,
    valid: bool,
    components: Option<Components<'o>>,
    /// What is not valid, as documents are read, and what had to be tolerated.
    read: Option<Components<'o>>,
    tolerated: Vec<Odd>,
    error: Option<ErrorObject<'o>>,
    uri: Option<&'o str>,
    iri: Option<&'o str>,
    normal: Option<&'o str>,
    warnings: Vec<&'static str>,
    notes: Vec<&'static str>,
    details: Vec<Detail<'o>>,
}

/// Something that no IRI has, and the byte of the identifier at which it stands.
#[derive(Serialize)]
struct Odd {
    code: &'static str,
    at: usize,
    message: &'static str,
}

impl Odd {
    fn new(odd: &Tolerated) -> Self {
        Odd {
            code: odd.what.code(),
            at: odd.at,
            message: odd.what.words(),
        }
    }
}

/// An error or a warning: its code, the bytes of the identifier that it is about, and what is
/// there.
#[derive(Serialize)]
struct Detail<'o> {
    code: &'static str,
    start: usize,
    end: usize,
    message: Cow<'static, str>,
    detail: &'o str,
}

impl<'o> Detail<'o> {
    /// Of the character that is not expected, or the end.
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

    fn new(warning: &'o Warning) -> Self {
        Detail {
            code: warning.kind.code(),
            start: warning.range.start,
            end: warning.range.end,
            message: warning.kind.words().into(),
            detail: &warning.detail,
        }
    }
}

/// Appends what is said; what comes back is why it is not valid.
fn explain(input: &Input, args: &IriArgs, out: &mut Vec<u8>) -> Option<Trouble> {
    if let Some(trouble) = trouble(input, args) {
        if args.json {
            let object = Object {
                input: &input.text,
                error: Some(ErrorObject::new(&trouble)),
                ..Object::default()
            };
            json::push(out, &object);
        }
        return Some(trouble);
    }
    let explanation = Explanation::new(&input.text, args);
    if args.json {
        explanation.object(out);
    } else {
        explanation.words(out);
    }
    explanation.invalid.as_ref().map(invalid)
}

fn invalid(error: &ParseError) -> Trouble {
    Trouble {
        kind: "invalid",
        at: error.at(),
        message: error.to_string(),
    }
}

/// A line: a name, and what there is to say under it.
fn row(out: &mut Vec<u8>, name: &str, value: &str) {
    if !name.is_empty() {
        out.extend_from_slice(format!("  {name:<10}").as_bytes());
    }
    on_one_line(out, &escaped(value.as_bytes()));
    out.push(b'\n');
}
