//! Input and output of `convert` and `explain`: identifiers as arguments or lines, answered one by one.

use super::args::IriArgs;
use super::input::{Input, charset, malformed};
use super::mapper::ConversionError;
use super::output::{Output, complain};
use super::preprocess::Preprocessor;
use super::{Failure, Status, json};
use linkglot::Charset;
use linkglot::notes::Notes;
use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Read};

/// Size of the chunks in which answers are written, about.
const CHUNK: usize = 32 * 1024;

/// Answers one identifier: appends the result to the output, and returns the error if there is one.
pub type Answer<'a> = &'a mut dyn FnMut(Input, &mut Vec<u8>) -> Option<ConversionError>;

/// Answers every identifier that the arguments give.
pub fn for_each(args: &IriArgs, answer: Answer<'_>) -> Result<Status, Failure> {
    let preprocessor = Preprocessor::new(args);
    let output = RefCell::new(Output::new());
    let pending = RefCell::new(Vec::new());
    let mut status = Status::Success;
    let mut each = |input: Input| {
        let name = input.name();
        let mut pending = pending.borrow_mut();
        let errors = match &preprocessor {
            None => Vec::from_iter(answer(input, &mut pending)),
            Some(preprocessor) => answer_parts(preprocessor, args, input, answer, &mut pending),
        };
        let mut goes_on = true;
        if !errors.is_empty() || pending.len() >= CHUNK {
            goes_on = output.borrow_mut().write(&pending);
            pending.clear();
        }
        for error in errors {
            status = Status::Incomplete;
            complain(format_args!("{name}: {}", error.message));
        }
        goes_on
    };
    if args.iris.is_empty() {
        // Each line is answered before the next read, so that scripts can hold a conversation.
        let mut flush = || {
            let mut output = output.borrow_mut();
            let goes_on = output.write(&pending.borrow()) && output.flush();
            pending.borrow_mut().clear();
            goes_on
        };
        read_lines(charset(args), &mut flush, &mut each)?;
    } else {
        for argument in &args.iris {
            if !each(Input::from_argument(argument, charset(args))) {
                break;
            }
        }
    }
    let mut output = output.into_inner();
    output.write(&pending.into_inner());
    output.end()?;
    Ok(status)
}

/// Answers all references that `--preprocess` finds in an input. As JSON they form one object.
fn answer_parts(
    preprocessor: &Preprocessor,
    args: &IriArgs,
    input: Input,
    answer: Answer<'_>,
    out: &mut Vec<u8>,
) -> Vec<ConversionError> {
    let given = input.text.clone();
    let references = preprocessor.run(input).into_iter();
    if !args.json {
        return references.filter_map(|input| answer(input, out)).collect();
    }
    let mut errors = Vec::new();
    let mut objects = Vec::new();
    for input in references {
        let mut object = Vec::new();
        errors.extend(answer(input, &mut object));
        objects.push(object.trim_ascii_end().to_vec());
    }
    out.extend_from_slice(b"{\"input\":");
    json::push(out, &given);
    out.truncate(out.trim_ascii_end().len());
    out.extend_from_slice(b",\"references\":[");
    out.extend_from_slice(&objects.join(&b','));
    out.extend_from_slice(b"]}\n");
    errors
}

/// Calls `each` for every line of standard input, and `idle` before waiting for more input. Both end the reading by
/// returning false.
fn read_lines(
    charset: Charset,
    idle: &mut dyn FnMut() -> bool,
    each: &mut dyn FnMut(Input) -> bool,
) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::new(format!("-: {error}"));
    let mut stdin = BufReader::new(io::stdin().lock());
    if !charset.is_ascii_compatible() {
        // No single byte ends a line in such a charset: all input is decoded first.
        let mut bytes = Vec::new();
        stdin.read_to_end(&mut bytes).map_err(failed)?;
        split_lines(&bytes, charset, each);
        return Ok(());
    }
    let mut number = 0;
    loop {
        if !stdin.buffer().contains(&b'\n') && !idle() {
            return Ok(());
        }
        let mut line = Vec::new();
        if stdin.read_until(b'\n', &mut line).map_err(failed)? == 0 {
            return Ok(());
        }
        number += 1;
        let line = line.strip_suffix(b"\n").unwrap_or(&line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = if number == 1 && charset == Charset::UTF_8 {
            line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line)
        } else {
            line
        };
        if !each(Input::decode(line, charset, Some(number))) {
            return Ok(());
        }
    }
}

fn split_lines(bytes: &[u8], charset: Charset, each: &mut dyn FnMut(Input) -> bool) {
    let text = charset.decode(bytes);
    let is_malformed = malformed(bytes, &text, charset).is_some();
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    for (number, line) in (1..).zip(text.lines()) {
        let at = line.find(char::REPLACEMENT_CHARACTER);
        let input = Input {
            text: line.to_owned(),
            malformed: at.filter(|_| is_malformed),
            line: Some(number),
            notes: Notes::NONE,
        };
        if !each(input) {
            return;
        }
    }
}
