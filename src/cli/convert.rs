//! `convert`.

use super::args::{ConvertArgs, IriArgs};
use super::generate;
use super::mapper::{self, Bidi, Mapped, Mapper, Trouble};
use super::output::{Controls, Output, complain, on_one_line};
use super::prepare::Preparation;
use super::text::{self, Input};
use super::{Code, Failure, json};
use linkglot::charset::Charset;
use serde::Serialize;
use std::cell::RefCell;

/// Runs the command.
pub fn run(args: &ConvertArgs) -> Result<Code, Failure> {
    if args.level.is_some() && args.to != super::args::Target::Normal {
        return Err(Failure::new("--level can only be used with --to normal"));
    }
    let mapper = Mapper::new(args);
    let json = args.iris.json;
    let controls = Controls::of_stdout();
    each(&args.iris, &mut |input, out| {
        let mapped = match trouble(&input, &args.iris) {
            Some(error) => Mapped {
                error: Some(error),
                ..Mapped::default()
            },
            None => mapper.map(&input.text),
        };
        if json {
            object(&input, &mapped, out);
        } else if let Some(result) = mapped.result() {
            on_one_line(out, &controls.show(result.as_bytes()));
            out.push(b'\n');
        }
        mapped.error
    })
}

/// The charset that the identifiers come from.
fn charset(args: &IriArgs) -> Charset {
    args.charset.unwrap_or(Charset::UTF_8)
}

/// Whether an identifier could not even be read.
pub fn trouble(input: &Input, args: &IriArgs) -> Option<Trouble> {
    let at = input.malformed?;
    Some(Trouble::malformed(at, charset(args)))
}

/// Appends what is printed for one identifier, and says what went wrong.
type Act<'a> = &'a mut dyn FnMut(Input, &mut Vec<u8>) -> Option<Trouble>;

/// Hands each identifier to `act`.
pub fn each(args: &IriArgs, act: Act) -> Result<Code, Failure> {
    let preparation = Preparation::new(args);
    let output = RefCell::new(Output::new());
    let waiting = RefCell::new(Vec::new());
    let mut code = Code::Done;
    let mut one = |input: Input| {
        let name = match input.line {
            Some(line) => format!("-:{line}"),
            None => {
                let mut name = Vec::new();
                on_one_line(&mut name, input.text.as_bytes());
                String::from_utf8_lossy(&name).into_owned()
            }
        };
        let mut waiting = waiting.borrow_mut();
        let troubles = match &preparation {
            None => Vec::from_iter(act(input, &mut waiting)),
            Some(preparation) => prepared(preparation, args, input, act, &mut waiting),
        };
        let mut goes_on = true;
        if !troubles.is_empty() || waiting.len() >= 32 * 1024 {
            goes_on = output.borrow_mut().write(&waiting);
            waiting.clear();
        }
        for trouble in troubles {
            code = Code::Less;
            complain(format_args!("{name}: {}", trouble.message));
        }
        goes_on
    };
    if args.iris.is_empty() {
        // A line is answered before the next must come: scripts hold conversations.
        let mut idle = || {
            let mut output = output.borrow_mut();
            let goes_on = output.write(&waiting.borrow()) && output.flush();
            waiting.borrow_mut().clear();
            goes_on
        };
        text::lines(charset(args), &mut idle, &mut one)?;
    } else {
        for argument in &args.iris {
            if !one(Input::argument(argument, args.charset)) {
                break;
            }
        }
    }
    let mut output = output.into_inner();
    output.write(&waiting.into_inner());
    generate::end(output, code)
}

/// Does so for all references that a string holds; as JSON they are parts of one object.
fn prepared(
    preparation: &Preparation,
    args: &IriArgs,
    input: Input,
    act: Act,
    out: &mut Vec<u8>,
) -> Vec<Trouble> {
    let given = input.text.clone();
    let references = preparation.run(input).into_iter();
    if !args.json {
        return references.filter_map(|input| act(input, out)).collect();
    }
    let mut troubles = Vec::new();
    let objects = references.map(|input| {
        let mut object = Vec::new();
        troubles.extend(act(input, &mut object));
        object.trim_ascii_end().to_vec()
    });
    let objects: Vec<_> = objects.collect();
    out.extend_from_slice(b"{\"input\":");
    json::push(out, &given);
    out.truncate(out.trim_ascii_end().len());
    out.extend_from_slice(b",\"references\":[");
    out.extend_from_slice(&objects.join(&b','));
    out.extend_from_slice(b"]}\n");
    troubles
}

/// An error, as scripts read it.
#[derive(Serialize)]
pub struct ErrorObject<'e> {
    kind: &'static str,
    at: usize,
    message: &'e str,
}

impl<'e> ErrorObject<'e> {
    pub fn new(trouble: &'e Trouble) -> Self {
        ErrorObject {
            kind: trouble.kind,
            at: trouble.at,
            message: &trouble.message,
        }
    }
}

#[derive(Serialize)]
struct Object<'o> {
    input: &'o str,
    uri: Option<&'o str>,
    iri: Option<&'o str>,
    normal: Option<&'o str>,
    target: Option<&'o str>,
    error: Option<ErrorObject<'o>>,
    notes: Vec<&'static str>,
    bidi: Bidi,
}

fn object(input: &Input, mapped: &Mapped, out: &mut Vec<u8>) {
    // What was given is judged; a URI has no direction, so there it is the IRI that came of it.
    let given = mapped.target.as_deref().unwrap_or(&input.text);
    let judged = match &mapped.iri {
        Some(iri) if given.is_ascii() => iri,
        _ => given,
    };
    json::push(
        out,
        &Object {
            input: &input.text,
            uri: mapped.uri.as_deref(),
            iri: mapped.iri.as_deref(),
            normal: mapped.normal.as_deref(),
            target: mapped.target.as_deref(),
            error: mapped.error.as_ref().map(ErrorObject::new),
            notes: json::codes(mapped.notes),
            bidi: mapper::bidi(judged),
        },
    );
}
