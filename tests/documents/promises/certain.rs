//! P9: nothing is written that depends on a guess.

use super::target::{self, Oracle};
use super::{Seen, Subject, fail, links, rewritten, settings_of_output};
use linkglot::rewrite::Form;
use linkglot::{Certainty, Charset, Evidence};

/// Charsets that an undeclared document may be in, besides the detected one.
const MAY_BE: &[&str] = &[
    "utf-8",
    "windows-1252",
    "windows-1251",
    "koi8-r",
    "iso-8859-2",
    "shift_jis",
    "gbk",
    "euc-kr",
];

/// P9: bare names are left, and nothing depends on a guessed charset.
pub fn certain(subject: &Subject) -> Result<(), String> {
    evident(subject)?;
    in_every_charset(subject)
}

/// Text that may not be a link is not written.
fn evident(subject: &Subject) -> Result<(), String> {
    for form in [Form::Uri, Form::Iri] {
        for one in rewritten(&subject.bytes, &subject.settings, form).decided {
            let is_sure = one.link.evidence >= Evidence::Www;
            let is_name = || !is_sure || is_namespace(subject, &one.link);
            let is_left = one.link.notes.contains(&"left-name");
            if one.new.is_some() && !is_sure || is_left && !is_name() {
                return fail(format!("{form:?}: {one:?}"));
            }
        }
    }
    Ok(())
}

/// True if a declaration of a namespace stands in front of the link: its value is a name, however it looks.
fn is_namespace(subject: &Subject, link: &Seen) -> bool {
    let before = &subject.bytes[..link.span.start as usize];
    let near = &before[before.len().saturating_sub(100)..];
    let ascii: Vec<u8> = near.iter().copied().filter(|byte| *byte != 0).collect();
    let name = ascii.windows(5).rposition(|name| name == b"xmlns");
    name.is_some_and(|at| {
        let is_space = |byte: &u8| byte.is_ascii_whitespace();
        !ascii[at..].contains(&b'>') && !ascii[at..].iter().any(is_space)
    })
}

/// For each charset in which a document of unsure charset may have been written, links keep their targets. (Parts of
/// mail have charsets of their own, which no caller can name.)
fn in_every_charset(subject: &Subject) -> Result<(), String> {
    let (_, info) = links(&subject.bytes, &subject.settings);
    if info.certainty == Certainty::Sure || info.format.is_mail() {
        return Ok(());
    }
    for form in [Form::Uri, Form::Iri] {
        let result = rewritten(&subject.bytes, &subject.settings, form);
        for label in MAY_BE {
            in_charset(subject, &result.bytes, label).map_err(|why| format!("{form:?}: {why}"))?;
        }
    }
    Ok(())
}

/// Compares the targets before and after for a reader who knows the charset.
fn in_charset(subject: &Subject, written: &[u8], label: &str) -> Result<(), String> {
    let mut subject = subject.clone();
    subject.settings.charset = Charset::for_label(label).ok();
    let (before, info) = links(&subject.bytes, &subject.settings);
    let (after, _) = links(written, &settings_of_output(&subject, &info));
    if before.len() != after.len() {
        let (before, after) = (before.len(), after.len());
        return fail(format!("in {label}: {before} links became {after}"));
    }
    let oracle = Oracle::new(&subject);
    for (was, is) in before.iter().zip(&after) {
        target::compare(&oracle, was, is).map_err(|why| format!("in {label}: {why}"))?;
    }
    Ok(())
}
