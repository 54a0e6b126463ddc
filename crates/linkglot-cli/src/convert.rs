//! The command `convert`.

use super::args::{ConvertArgs, Target};
use super::identifiers::for_each;
use super::input::Input;
use super::json::{self, ErrorObject};
use super::mapper::{self, Bidi, Mapped, Mapper};
use super::output::{Controls, Isolation, push_one_line};
use super::{Failure, Status};
use linkglot_iri::warning_notes;
use serde::Serialize;
use std::borrow::Cow;

/// Runs the command.
pub fn run(args: &ConvertArgs) -> Result<Status, Failure> {
    if args.level.is_some() && args.to != Target::Normal {
        return Err(Failure::new("--level can only be used with --to normal"));
    }
    let mapper = Mapper::new(args);
    let controls = Controls::for_stdout();
    let isolation = Isolation::for_stdout(args.iris.isolate);
    for_each(&args.iris, &mut |input, out| {
        let mapped = match input.decoding_error(&args.iris) {
            Some(error) => Mapped {
                error: Some(error),
                ..Mapped::default()
            },
            None => {
                let (start, identifier, notes) = input.identifier();
                let mut mapped = mapper.map(identifier, start);
                mapped.notes.extend(notes);
                mapped.notes.extend(warning_notes(identifier));
                mapped
            }
        };
        if args.iris.json {
            push_object(&input, &mapped, out);
        } else if let Some(result) = mapped.result() {
            let shown = match controls {
                Controls::Raw => Cow::Borrowed(result),
                Controls::Escaped => controls.apply_to_words(result),
            };
            push_one_line(out, isolation.apply(&shown).as_bytes());
            out.push(b'\n');
        }
        mapped.error
    })
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

fn push_object(input: &Input, mapped: &Mapped, out: &mut Vec<u8>) {
    // The bidi verdict is that of the IRI made from the URI: a URI is all ASCII and has no direction of its own.
    let given = mapped.target.as_deref().unwrap_or(input.identifier().1);
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
