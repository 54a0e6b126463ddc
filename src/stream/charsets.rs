//! The charset of a document, or of each part of a message.

use super::EachDocument;
use crate::charset::{Certainty, FirstMalformed};
use crate::error::Error;
use crate::link::{Info, MailPart, Settings, open};
use crate::parts;
use crate::read::{Input, Opened};
use crate::span::SourceSpan;
use std::io::{self, Read};
use std::ops::ControlFlow;

/// Hands the properties of a document to `each`, with the first source byte that is no text in its charset; for a
/// message or mailbox the properties of each text body, in order. If the charset is a guess, malformed bytes are not
/// reported.
///
/// Returns the properties of the whole. A document in an unknown charset is not handed over. A document that is no mail
/// is read up to the malformed byte. Linear, in bounded memory.
///
/// # Errors
///
/// Errors of `reader`.
///
/// # Examples
///
/// ```
/// use linkglot::{Format, Settings, stream::read_charsets};
///
/// let mut message = &b"Content-Type: text/plain; charset=utf-8\n\ncaf\xE9"[..];
/// let mut settings = Settings::default();
/// settings.format = Some(Format::Mail);
/// let mut charsets = Vec::new();
/// read_charsets(&mut message, &settings, &mut |info, malformed| {
///     charsets.push((info.part().unwrap().number().to_owned(), info.charset.name(), malformed));
/// })?;
/// assert_eq!(charsets, [("1".to_owned(), "UTF-8", Some(44))]);
/// # Ok::<(), linkglot::Error>(())
/// ```
pub fn read_charsets(
    reader: &mut dyn Read,
    settings: &Settings,
    each: &mut dyn FnMut(&Info, Option<u64>),
) -> Result<Info, Error> {
    let mut input = Input::of_reader(reader)?;
    let (head, whole) = input.raw();
    let (mut info, bom) = open(head, whole, settings);
    if info.unknown_charset.is_some() {
        return Ok(info);
    }
    if !info.format.is_mail() {
        let malformed = first_malformed(&mut input, &info)?;
        each(&info, malformed);
        return Ok(info);
    }
    let document = Opened {
        input,
        info: &info,
        bom,
        settings,
    };
    let mut each_document = |mut document: Opened<'_, '_>| {
        let info = document.info;
        if info.part().is_some_and(MailPart::is_body) {
            let place = document.input.place;
            let malformed = first_malformed(&mut document.input, info)?.map(|at| {
                let span = SourceSpan {
                    start: at,
                    end: at + 1,
                };
                place.map_or(at, |place| place.span(span).start)
            });
            each(info, malformed);
        }
        // The message goes on behind the body.
        while !document.input.take()?.1 {}
        Ok(ControlFlow::Continue(()))
    };
    let mut visitor = EachDocument::new(&mut each_document);
    info.unread = parts::read(document, &mut visitor)?;
    Ok(info)
}

/// The first malformed byte of a document, unless its charset is a guess.
fn first_malformed(input: &mut Input<'_>, info: &Info) -> io::Result<Option<u64>> {
    if info.certainty == Certainty::Unsure {
        return Ok(None);
    }
    let mut first = FirstMalformed::new(info.charset, 0);
    loop {
        let (bytes, last) = input.take()?;
        first.push(bytes, last);
        if last || first.at().is_some() {
            return Ok(first.at());
        }
    }
}
