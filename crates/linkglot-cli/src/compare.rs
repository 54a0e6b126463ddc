//! The command `compare`.

use super::args::CompareArgs;
use super::input::Input;
use super::mapper::{ConversionError, in_unicode};
use super::output::{Controls, Output, push_one_line};
use super::{Failure, Status, json};
use linkglot::Charset;
use linkglot_iri::{
    Comparison, Component, Level, Parts, Strictness, ToUri, compare, normalize, resolve,
};
use serde::Serialize;
use std::ffi::OsStr;

/// Runs the command.
pub fn run(args: &CompareArgs) -> Result<Status, Failure> {
    let [a, b] = [&args.a, &args.b].map(|argument| read(argument, args));
    let (a, b) = (a?, b?);
    let compared = Compared::new(&a, &b);
    let mut out = Vec::new();
    if args.json {
        compared.push_object(&mut out);
    } else {
        compared.push_words(&mut out);
    }
    let mut output = Output::new();
    output.write(&out);
    output.end()?;
    Ok(match compared.result {
        Comparison::Same(_) => Status::Success,
        Comparison::Different(_) => Status::Incomplete,
    })
}

/// An identifier without bidi formatting characters around it, normalized if it comes from another charset (RFC 3987
/// 5.3.2.2), and resolved against the base if there is one.
fn read(argument: &OsStr, args: &CompareArgs) -> Result<String, Failure> {
    let charset = args.charset.unwrap_or(Charset::UTF_8);
    let input = Input::from_argument(argument, charset);
    let failed = |message: String| Failure::new(format!("{}: {message}", input.name()));
    if let Some(at) = input.malformed {
        return Err(failed(ConversionError::malformed(at, charset).message));
    }
    let (_, identifier, _) = input.identifier();
    let to_uri = ToUri {
        charset,
        ..ToUri::default()
    };
    let mut text = in_unicode(&to_uri, identifier).into_owned();
    if let Some(base) = &args.base {
        text =
            resolve(base, &text, Strictness::Strict).map_err(|error| failed(error.to_string()))?;
    }
    if args.ignore_fragment {
        text.truncate(text.find('#').unwrap_or(text.len()));
    }
    Ok(text)
}

/// Two identifiers and the result of their comparison.
struct Compared<'i> {
    iris: [&'i str; 2],
    result: Comparison,
    /// The normal forms on the highest rung, which show why the identifiers differ.
    normal: [String; 2],
}

impl<'i> Compared<'i> {
    fn new(a: &'i str, b: &'i str) -> Self {
        Compared {
            iris: [a, b],
            result: compare(a, b),
            normal: [a, b].map(|iri| normalize(iri, Level::Scheme)),
        }
    }

    /// The value of a component in both identifiers, normalized.
    fn values(&self, component: Component) -> [Option<&str>; 2] {
        [0, 1].map(|at| component.of(&Parts::split(&self.normal[at])))
    }

    fn push_words(&self, out: &mut Vec<u8>) {
        match self.result {
            Comparison::Same(level) => push_line(out, &format!("same: {}", level.name())),
            Comparison::Different(component) => {
                push_line(out, &format!("different: {component}"));
                for value in self.values(component) {
                    match value {
                        Some(value) => push_line(out, &format!("  {value}")),
                        None => push_line(out, &format!("  (no {component})")),
                    }
                }
            }
        }
    }

    fn push_object(&self, out: &mut Vec<u8>) {
        let (rung, component) = match self.result {
            Comparison::Same(level) => (Some(level.name()), None),
            Comparison::Different(component) => (None, Some(component)),
        };
        json::push(
            out,
            &Object {
                a: self.iris[0],
                b: self.iris[1],
                same: rung.is_some(),
                rung,
                component: component.map(Component::code),
                values: component.map(|component| self.values(component)),
            },
        );
    }
}

#[derive(Serialize)]
struct Object<'o> {
    a: &'o str,
    b: &'o str,
    same: bool,
    rung: Option<&'static str>,
    component: Option<&'static str>,
    /// The component in both normal forms.
    values: Option<[Option<&'o str>; 2]>,
}

fn push_line(out: &mut Vec<u8>, line: &str) {
    let shown = Controls::for_stdout().apply_to_words(line);
    push_one_line(out, shown.as_bytes());
    out.push(b'\n');
}
