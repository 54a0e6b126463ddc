//! The promises for a document that gets another charset.

use super::{Decided, Subject, first_difference, links, nfc, target};
use linkglot::Format;
use linkglot::rewrite::{Form, Rewriter};
use linkglot_charset::{Charset, KnownBytes, declarations};
use linkglot_markup::declaration_place;

/// Outcome for a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Became {
    /// The document was written in the other charset.
    Written,
    /// The document was refused, and stays.
    Refused,
}

/// In another charset a document has the same text, declares the charset, has the same links with the same targets, and
/// does not change when it is written again. Or it is refused.
pub fn transcoded(subject: &Subject, to: Charset, form: Form) -> Result<Became, String> {
    let settings = &subject.settings;
    let rewriter = Rewriter::new()
        .to(form)
        .to_charset(to)
        .settings(settings.clone());
    let mut decided = Vec::new();
    let watched = rewriter.clone().on_link(|outcome, info| {
        decided.push(Decided::of(outcome, info));
    });
    let result = watched.rewrite_slice(&subject.bytes);
    if let Some(error) = &result.summary.error {
        return if *result.content == subject.bytes {
            Ok(Became::Refused)
        } else {
            Err(format!("refused ({error}), but changed"))
        };
    }
    let output = result.content.into_owned();
    let info = result.summary.info;
    if form == Form::Same {
        has_same_text(subject, &output, (info.charset, to), &decided)?;
    }

    let mut new = settings.clone();
    (new.charset, new.format) = (Some(to), Some(info.format));
    let ((before, _), (after, _)) = (links(&subject.bytes, settings), links(&output, &new));
    if before.len() != after.len() {
        return Err(format!("{} links became {}", before.len(), after.len()));
    }
    let oracle = target::Oracle::new(subject);
    let mut is_any_left = false;
    for (was, found) in before.iter().zip(&after) {
        let own = decided.iter().find(|one| one.link.span == was.span);
        // A link that is left need only be reported.
        let is_left = own.is_some_and(|one| {
            one.new.is_none() || one.notes.iter().any(|note| note.starts_with("left-"))
        });
        is_any_left |= is_left;
        if !is_left {
            target::compare(&oracle, was, found)?;
        }
    }

    let again = rewriter.settings(new).rewrite_slice(&output).content;
    // In the new charset, the meaning of a link may be clear. A known defect: display forms of links that NFC would
    // change are found only in a second run.
    let is_nfc = before.iter().all(|link| nfc(&link.text) == link.text);
    if is_any_left || form == Form::Iri && !is_nfc || *again == output {
        Ok(Became::Written)
    } else {
        Err(format!("twice: {}", first_difference(&output, &again)))
    }
}

/// True if the text is the same except for the changed links, the declarations, and references for characters that the
/// charset lacks.
fn has_same_text(
    subject: &Subject,
    output: &[u8],
    (from, to): (Charset, Charset),
    decided: &[Decided],
) -> Result<(), String> {
    if from.is_stateful() || from == to {
        return Ok(());
    }
    let (mut expected, mut at) = (String::new(), 0);
    for edit in decided.iter().flat_map(|one| &one.edits) {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        expected += &from.decode(&subject.bytes[at..start]);
        expected += &to.decode(&edit.bytes);
        at = end;
    }
    expected += &from.decode(&subject.bytes[at..]);
    let expected = expected.strip_prefix('\u{FEFF}').unwrap_or(&expected);
    let mut expected = expected.to_owned();
    let format = subject.settings.format;
    let format = format.unwrap_or_else(|| links(&subject.bytes, &subject.settings).1.format);
    let syntax = format.declaration();
    let place = declaration_place(expected.as_bytes());
    let found = declarations(&expected.clone(), expected.is_ascii(), (syntax, place), to);
    let found = found.map_err(|label| format!("no name in place of `{label}`"))?;
    for (range, label) in found.into_iter().rev() {
        expected.replace_range(range, &label);
    }
    let found = to.decode(output);
    let found = found.strip_prefix('\u{FEFF}').unwrap_or(&found);
    // Forms are sent in the old charset, and forms in UTF-16 in UTF-8 (HTML standard 4.10.21.5).
    let sent = encoding_rs::Encoding::for_label(from.name().as_bytes());
    let sent = sent.map_or(from.name(), |sent| sent.output_encoding().name());
    let forms = format!(" accept-charset=\"{sent}\"");
    // Readers of XML take the name as it stands.
    let known = match format {
        Format::Xml => KnownBytes::of_label(to.name()),
        _ => KnownBytes::ALL,
    };
    let of = (to, known);
    let [expected, found] = [&*expected, found].map(|text| plain(&text.replace(&forms, ""), of));
    if expected == found {
        Ok(())
    } else {
        Err(first_difference(expected.as_bytes(), found.as_bytes()))
    }
}

/// The text with characters in place of references that a charset with its known bytes needs.
fn plain(text: &str, (charset, known): (Charset, KnownBytes)) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("&#x") {
        out += &rest[..at];
        let end = rest[at..].find(';').map_or(at, |end| at + end);
        let code = rest
            .get(at + 3..end)
            .and_then(|hex| u32::from_str_radix(hex, 16).ok());
        match code.and_then(char::from_u32) {
            Some(ch) if !known.can_write(charset, ch) || charset.decomposes(ch) => {
                out.push(ch);
                rest = &rest[end + 1..];
            }
            _ => {
                out += "&#x";
                rest = &rest[at + 3..];
            }
        }
    }
    nfc(&(out + rest))
}
