//! The promises of the design as checks of a single document. `Err` says in words which promise broke and how.
//!
//! P8 (nothing is lost when writing files) belongs to the driver and is tested there.

#![allow(dead_code)] // not every test binary uses every promise

pub mod certain;
pub mod chunks;
pub mod target;
pub mod transcode;

use linkglot::document::{Document, Settings};
use linkglot::format::Format;
use linkglot::link::{Info, Link, Location};
use linkglot::notes::{Note, Notes};
use linkglot::rewrite::{Edit, Form, Forms, LinkForms, Outcome, Rewriter};
use linkglot::{Access, Certainty, Charset, Evidence, Place, PlaceKind, SourceSpan};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use unicode_normalization::UnicodeNormalization;

/// A document under test.
#[derive(Clone, Debug)]
pub struct Subject {
    pub name: String,
    pub bytes: Vec<u8>,
    pub settings: Settings,
}

/// A promise over one document.
pub type Promise = fn(&Subject) -> Result<(), String>;

impl Subject {
    /// The document, or a rewrite of it, rewritten to a form; every other document with all possible links.
    fn rewritten(&self, bytes: &[u8], settings: &Settings, form: Form) -> Rewritten {
        let rewriter = Rewriter::new().to(form).settings(settings.clone());
        let least = match self.bytes.len() % 2 {
            0 => Evidence::Www,
            _ => Evidence::Name,
        };
        rewritten_by(rewriter.min_evidence(least), bytes)
    }
}

/// All promises that a document in memory can show, by the names that failures print.
pub const PROMISES: &[(&str, Promise)] = &[
    ("P1 identity", identity),
    ("P2 only slots", only_slots),
    ("P3 re-found", refound),
    ("P4 same target", same_target),
    ("P5 idempotent", idempotent),
    ("P6 one answer", chunks::one_answer),
    ("P6 sound part", chunks::sound_part),
    ("P9 certain", certain::certain),
    ("forms are what is written", forms_are_written),
];

/// Visible properties of a link, owned and comparable.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub span: SourceSpan,
    pub place: Place,
    pub raw: String,
    pub text: String,
    pub implied: Option<&'static str>,
    pub evidence: Evidence,
    /// The base in force.
    pub base: Option<String>,
    pub notes: Vec<&'static str>,
    /// Label of the link, if the settings ask for it.
    pub label: Option<String>,
    /// Location of the link, if the settings ask for it.
    pub location: Option<Location>,
    /// The format and charset of the document, or of the part of a message.
    pub format: Format,
    pub charset: Charset,
    /// The message and the part that hold the link.
    pub part: Option<(u64, String)>,
}

impl Seen {
    pub fn of(link: &Link<'_>, info: &Info) -> Self {
        Seen {
            span: link.span(),
            place: link.place().clone(),
            raw: link.raw().into_owned(),
            text: link.text().to_owned(),
            implied: link.implied(),
            evidence: link.evidence(),
            base: link.base(info).map(str::to_owned),
            notes: link.notes().iter().map(|note| note.code()).collect(),
            label: link.label().map(str::to_owned),
            location: link.location(),
            format: info.format,
            charset: info.charset,
            part: link
                .part()
                .map(|part| (part.message(), part.number().to_owned())),
        }
    }
}

/// A link that a rewrite changed or left.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    pub link: Seen,
    pub new: Option<String>,
    pub edits: Vec<Edit>,
    pub notes: Vec<&'static str>,
}

impl Decided {
    pub fn of(outcome: &Outcome<'_>, info: &Info) -> Self {
        Decided {
            link: Seen::of(outcome.link, info),
            new: outcome.new.map(str::to_owned),
            edits: outcome.edits.to_vec(),
            notes: outcome.notes.iter().map(|note| note.code()).collect(),
        }
    }
}

/// A document rewritten to a form.
pub struct Rewritten {
    pub bytes: Vec<u8>,
    pub changed: u64,
    pub decided: Vec<Decided>,
    pub info: Info,
}

pub fn links(bytes: &[u8], settings: &Settings) -> (Vec<Seen>, Info) {
    let document = Document::new(bytes, settings);
    let seen = |link: Link<'_>| Seen::of(&link, document.info_of(&link));
    (
        document.links().map(seen).collect(),
        document.info().clone(),
    )
}

pub fn rewritten(bytes: &[u8], settings: &Settings, form: Form) -> Rewritten {
    rewritten_by(Rewriter::new().to(form).settings(settings.clone()), bytes)
}

pub fn rewritten_by(rewriter: Rewriter, bytes: &[u8]) -> Rewritten {
    let mut decided = Vec::new();
    let watched = rewriter.on_link(|outcome, info| {
        decided.push(Decided::of(outcome, info));
    });
    let rewritten = watched.rewrite_slice(bytes);
    Rewritten {
        changed: rewritten.changed(),
        bytes: rewritten.content.into_owned(),
        info: rewritten.summary.info,
        decided,
    }
}

/// Judges things by number, on all cores; returns all faults, sorted.
pub fn faults_of_all(count: usize, judge: impl Fn(usize) -> Vec<String> + Sync) -> Vec<String> {
    let (next, faults) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                return;
            }
            let found = judge(at);
            faults.lock().expect("no panic").extend(found);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    let mut faults = faults.into_inner().expect("no panic");
    faults.sort();
    faults
}

/// The settings under which the output of a rewrite is read again: the same, plus the results of detection in the first
/// reading. Nothing else may be needed. A message has no charset of its own, its parts have. An unsure charset stays
/// unsure.
pub fn settings_of_output(subject: &Subject, info: &Info) -> Settings {
    let mut settings = subject.settings.clone();
    if !info.format.is_mail() && info.certainty == Certainty::Sure {
        settings.charset = Some(info.charset);
    }
    settings.format = Some(info.format);
    settings
}

pub fn nfc(text: &str) -> String {
    text.nfc().collect()
}

fn fail<T>(why: String) -> Result<T, String> {
    Err(why)
}

/// The reported forms of links are the forms that rewriting gives them, and there are none for links that it leaves,
/// however the document is read.
pub fn forms_are_written(subject: &Subject) -> Result<(), String> {
    let (bytes, settings) = (&subject.bytes[..], &subject.settings);
    let mut told = Vec::new();
    let mut each = |link: &Link<'_>, forms: &LinkForms, info: &Info| {
        told.push((Seen::of(link, info), link.access(), forms.clone()));
        ControlFlow::Continue(())
    };
    let read = Forms::new(settings).read_slice(bytes, &mut each);
    read.expect("a document within its budget");
    let mut streamed = Vec::new();
    let mut each = |link: &Link<'_>, forms: &LinkForms, info: &Info| {
        streamed.push((Seen::of(link, info), link.access(), forms.clone()));
        ControlFlow::Continue(())
    };
    let read = Forms::new(settings).read(&mut &bytes[..], &mut each);
    read.expect("memory is read");
    if streamed != told {
        return fail("forms of a stream differ from those of a slice".to_owned());
    }
    for form in [Form::Uri, Form::Iri] {
        // The reported forms do not depend on evidence.
        let rewriter = Rewriter::new().to(form).settings(settings.clone());
        let rewriter = rewriter.min_evidence(Evidence::Name);
        let decided = rewritten_by(rewriter, bytes).decided;
        let mut decided = decided.into_iter().peekable();
        for (link, access, forms) in &told {
            let told = match form {
                Form::Uri => &forms.uri,
                _ => &forms.iri,
            };
            let kept = Some(link.text.clone());
            let new = match decided.next_if(|decided| decided.link.span == link.span) {
                Some(decided) => decided.new,
                None if *access == Access::Identifier => continue,
                None => kept,
            };
            // An address is left as written; the reported form is an IRI that names it.
            if link.implied == Some("mailto") && *access != Access::Identifier {
                names_address(told.as_deref(), form, link, forms)?;
                continue;
            }
            let prefix = match link.implied {
                Some(_) => "https://",
                None => "",
            };
            let new = new.map(|new| format!("{prefix}{new}"));
            // The reported form does not depend on the octets that the part may contain.
            let is_beyond = told.as_deref().is_some_and(|told| !told.is_ascii());
            let is_kept_back = link.part.is_some() && is_beyond;
            // A link that escapes may continue has no form, and is never written.
            let is_doubtful = forms.notes.contains(Note::LeftEscaped)
                && told.is_none()
                && new
                    .as_deref()
                    .is_none_or(|new| new == format!("{prefix}{}", link.text));
            if *told != new && !is_kept_back && !is_doubtful {
                return fail(format!("{link:?}: {told:?} is told, {new:?} written"));
            }
        }
        if let Some(decided) = decided.next() {
            return fail(format!("{decided:?} is not among the links"));
        }
    }
    Ok(())
}

/// Checks the form reported for an address: `mailto` with percent-encoding as RFC 6068 2 requires, and nothing else.
fn names_address(
    told: Option<&str>,
    form: Form,
    link: &Seen,
    forms: &LinkForms,
) -> Result<(), String> {
    let wrong = || fail(format!("{link:?}: {told:?} is told of an address"));
    let Some(told) = told else {
        return if forms.notes == Notes::NONE {
            wrong()
        } else {
            Ok(())
        };
    };
    let escaped = told.strip_prefix("mailto:").unwrap_or_default();
    let named = unescaped(escaped).unwrap_or_default();
    let raw =
        |ch: char| "/?#[]&;=, \"<>\\^`{|}".contains(ch) || form == Form::Uri && !ch.is_ascii();
    let same = named == link.text || nfc(&named) == nfc(&link.text);
    if same && !escaped.contains(raw) {
        Ok(())
    } else {
        wrong()
    }
}

/// A text with percent-encoding decoded; `None` if a `%` begins no escape, or if the octets are not UTF-8.
fn unescaped(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut octets = parts.next()?.as_bytes().to_vec();
    for part in parts {
        octets.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        octets.extend(&part.as_bytes()[2..]);
    }
    String::from_utf8(octets).ok()
}

/// P1: rewriting with no requested change gives the same bytes.
pub fn identity(subject: &Subject) -> Result<(), String> {
    let rewriter = Rewriter::new().settings(subject.settings.clone());
    let (mut touched, mut streamed) = (0, Vec::new());
    let watched = rewriter.clone().on_link(|_, _| touched += 1);
    let changed = watched.rewrite_slice(&subject.bytes).changed();
    let summary = rewriter.rewrite(&mut &subject.bytes[..], &mut streamed);
    match summary {
        Err(error) => fail(error.to_string()),
        Ok(_) if streamed != subject.bytes => fail(first_difference(&subject.bytes, &streamed)),
        Ok(_) if changed != 0 || touched != 0 => fail(format!(
            "{changed} links changed, {touched} reported, none asked",
        )),
        Ok(_) => Ok(()),
    }
}

pub fn first_difference(a: &[u8], b: &[u8]) -> String {
    let at = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let around = |bytes: &[u8]| {
        let from = at.saturating_sub(40).min(bytes.len());
        let to = (at + 40).min(bytes.len());
        bytes[from..to].escape_ascii().to_string()
    };
    format!(
        "bytes differ at {at}: `{}` became `{}`",
        around(a),
        around(b)
    )
}

/// Charsets of generated documents.
const CHARSETS: &[&str] = &["utf-8", "utf-8", "utf-16le", "shift_jis", "windows-1252"];

/// Checks the promises over documents of a format that are made of pieces, fewer than `most`.
pub fn promises_hold_over(pieces: &'static [&'static str], most: usize, format: Format) {
    promises_hold_behind("", pieces, most, format);
}

/// As [`promises_hold_over`], over texts that begin with `head`.
pub fn promises_hold_behind(
    head: &str,
    pieces: &'static [&'static str],
    most: usize,
    format: Format,
) {
    let config = ProptestConfig {
        cases: if cfg!(debug_assertions) { 200 } else { 20_000 },
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let pieces = prop::collection::vec(prop::sample::select(pieces), 0..most);
    let documents = (pieces, prop::sample::select(CHARSETS));
    let held = TestRunner::new(config).run(&documents, |(pieces, charset)| {
        keeps_promises(&format!("{head}{}", pieces.concat()), format, charset)
    });
    held.unwrap_or_else(|error| panic!("{error}"));
}

/// Checks all promises over a text in a format and a charset, if the charset has its characters.
pub fn keeps_promises(text: &str, format: Format, charset: &str) -> Result<(), TestCaseError> {
    let mut settings = Settings::default();
    settings.format = Some(format);
    keeps_promises_with(text, settings, charset)
}

/// Checks all promises over a text that is read with settings.
pub fn keeps_promises_with(
    text: &str,
    mut settings: Settings,
    charset: &str,
) -> Result<(), TestCaseError> {
    let charset = Charset::for_label(charset).expect("a label");
    let mut bytes = Vec::new();
    if charset.encode(text, &mut bytes).is_err() {
        return Ok(());
    }
    settings.charset = Some(charset);
    let subject = Subject {
        name: charset.name().to_owned(),
        bytes,
        settings,
    };
    for (name, promise) in PROMISES {
        if let Err(why) = promise(&subject) {
            let why = format!("{name} broken in {}: {why}\n{text}", charset.name());
            return Err(TestCaseError::fail(why));
        }
    }
    Ok(())
}

/// P2: the output is the source except for the edits, and every edit stands in its link.
pub fn only_slots(subject: &Subject) -> Result<(), String> {
    for form in [Form::Uri, Form::Iri] {
        let result = subject.rewritten(&subject.bytes, &subject.settings, form);
        let charset = Document::new(&subject.bytes, &subject.settings)
            .info()
            .charset;
        let edits = ordered_edits(&subject.bytes, charset, &result.decided);
        let edits = edits.map_err(|why| format!("{form:?}: {why}"))?;
        let rebuilt = apply(&subject.bytes, &edits)?;
        if rebuilt != result.bytes {
            let why = first_difference(&rebuilt, &result.bytes);
            return fail(format!(
                "{form:?}: the edits do not explain the output: {why}"
            ));
        }
    }
    Ok(())
}

/// The edits of all links, each checked: in order, disjoint, inside the link (a quote that an unquoted value needs may
/// stand next to it). In base64, characters around the link may change, too, and so may digits of a length that counts
/// the link.
fn ordered_edits<'d>(
    source: &[u8],
    charset: Charset,
    decided: &'d [Decided],
) -> Result<Vec<&'d Edit>, String> {
    let mut edits: Vec<&Edit> = Vec::new();
    for one in decided {
        if one.new.is_none() && !one.edits.is_empty() {
            return fail(format!("`{}` was left, yet edited", one.link.text));
        }
        for edit in &one.edits {
            let (link, span) = (one.link.span, edit.span);
            let is_outside = span.start + 1 < link.start || span.end > link.end + 1;
            let is_in_groups = || one.link.part.is_some() && is_base64_around(source, link, span);
            let is_length = || is_length(source, edit, charset);
            if span.start > span.end || is_outside && !is_in_groups() && !is_length() {
                return fail(format!("edit {span:?} is outside its link {link:?}"));
            }
            if edits.last().is_some_and(|last| last.span.end > span.start) {
                return fail(format!("edit {span:?} overlaps the one before"));
            }
            edits.push(edit);
        }
    }
    Ok(edits)
}

/// True if the edit writes the digits of a length in serialized data, `s:19:`.
fn is_length(source: &[u8], edit: &Edit, charset: Charset) -> bool {
    let (start, end) = (edit.span.start as usize, edit.span.end as usize);
    let are_digits = |bytes: &[u8]| {
        let text = charset.decode(bytes);
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    // The longest character of ASCII has four bytes.
    let before = charset.decode(&source[start.saturating_sub(8)..start]);
    let behind = charset.decode(&source[end..source.len().min(end + 4)]);
    are_digits(&source[start..end])
        && are_digits(&edit.bytes)
        && before.ends_with("s:")
        && behind.starts_with(':')
}

/// True if the edit changes only base64 characters and line ends around its link, and in front no more than the group
/// in which the link begins.
fn is_base64_around(source: &[u8], link: SourceSpan, edit: SourceSpan) -> bool {
    let is_known = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=\r\n".contains(byte);
    let only = |start: u64, end: u64| {
        let around = source.get(start as usize..end as usize);
        around.unwrap_or_default().iter().all(is_known)
    };
    edit.start + 6 > link.start && only(edit.start, link.start) && only(link.end, edit.end)
}

fn apply(source: &[u8], edits: &[&Edit]) -> Result<Vec<u8>, String> {
    let (mut output, mut at) = (Vec::new(), 0);
    for edit in edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        let kept = source.get(at..start).ok_or("an edit behind the end")?;
        output.extend_from_slice(kept);
        output.extend_from_slice(&edit.bytes);
        at = end;
    }
    output.extend_from_slice(source.get(at..).ok_or("an edit behind the end")?);
    Ok(output)
}

/// P3: the output has the same links at the same places in the same order, with the new text.
pub fn refound(subject: &Subject) -> Result<(), String> {
    let (before, _) = links(&subject.bytes, &subject.settings);
    for form in [Form::Uri, Form::Iri] {
        let result = subject.rewritten(&subject.bytes, &subject.settings, form);
        let settings = settings_of_output(subject, &result.info);
        let (after, _) = links(&result.bytes, &settings);
        let expected = expected_links(&before, &result.decided);
        compare_links(&expected, &after).map_err(|why| format!("{form:?}: {why}"))?;
    }
    Ok(())
}

/// A link that must be found again, with its new text and its new start (`None` if an edit covers the start).
struct Expected {
    link: Seen,
    start: Option<u64>,
}

fn expected_links(before: &[Seen], decided: &[Decided]) -> Vec<Expected> {
    let edits: Vec<&Edit> = decided.iter().flat_map(|one| &one.edits).collect();
    let (mut next_decided, mut next_edit) = (decided.iter().peekable(), 0);
    let mut shift = 0_i64;
    let mut expected = Vec::with_capacity(before.len());
    for link in before {
        while let Some(edit) = edits.get(next_edit).filter(|edit| ends_before(edit, link)) {
            shift += edit.bytes.len() as i64 - edit.span.len() as i64;
            next_edit += 1;
        }
        // Within a group of base64, an edit may move a link that it does not touch.
        let touches = |edit: &&Edit| edit.span.start <= link.span.start;
        let is_last = |edit: &&Edit| edit.span.end == link.span.start;
        let last = next_edit.checked_sub(1).and_then(|at| edits.get(at));
        let next = edits.get(next_edit);
        let covered = next.is_some_and(|edit| edit.span.start < link.span.start)
            || link.part.is_some() && (next.is_some_and(touches) || last.is_some_and(is_last));
        let mut start = (!covered).then(|| (link.span.start as i64 + shift) as u64);
        let mut link = link.clone();
        if let Some(one) = next_decided.next_if(|one| one.link.span == link.span)
            && let Some(new) = &one.new
        {
            link.text = new.clone();
            start = start.map(|start| start + u64::from(ends_base64(one)));
        }
        expected.push(Expected { link, start });
    }
    expected
}

/// True if an edit in UTF-7 first ends the base64 of the character before the link: the hyphen is a byte of that
/// character.
fn ends_base64(one: &Decided) -> bool {
    let is_written =
        |edit: &&Edit| edit.span.start == one.link.span.start && edit.bytes.starts_with(b"-");
    let is_text = one.new.as_deref().is_some_and(|new| new.starts_with('-'));
    one.edits.first().filter(is_written).is_some() && !is_text
}

fn ends_before(edit: &Edit, link: &Seen) -> bool {
    edit.span.end <= link.span.start && edit.span.start < link.span.start
}

fn compare_links(expected: &[Expected], found: &[Seen]) -> Result<(), String> {
    for (at, (wanted, found)) in expected.iter().zip(found).enumerate() {
        let same = wanted.link.place == found.place
            && wanted.link.implied == found.implied
            && wanted.link.part == found.part
            && nfc(&wanted.link.text) == nfc(&found.text)
            && wanted.start.is_none_or(|start| start == found.span.start);
        if !same {
            return fail(format!(
                "link {at} should be `{}` ({:?}) at {:?}, is `{}` ({:?}) at {}",
                wanted.link.text,
                wanted.link.place,
                wanted.start,
                found.text,
                found.place,
                found.span.start
            ));
        }
    }
    if expected.len() != found.len() {
        let wanted = expected.get(found.len()).map(|wanted| &wanted.link.text);
        let more = found.get(expected.len()).map(|found| &found.text);
        return fail(format!(
            "{} links became {}: lost {wanted:?}, new {more:?}",
            expected.len(),
            found.len()
        ));
    }
    Ok(())
}

/// P4: no link points elsewhere, in the reading of the `url` crate.
pub fn same_target(subject: &Subject) -> Result<(), String> {
    let (before, _) = links(&subject.bytes, &subject.settings);
    for form in [Form::Uri, Form::Iri] {
        let result = subject.rewritten(&subject.bytes, &subject.settings, form);
        let settings = settings_of_output(subject, &result.info);
        let (after, _) = links(&result.bytes, &settings);
        if before.len() != after.len() {
            return fail(format!("{form:?}: other links were found (see P3)"));
        }
        let oracle = target::Oracle::new(subject);
        for (was, is) in before.iter().zip(&after) {
            target::compare(&oracle, was, is).map_err(|why| format!("{form:?}: {why}"))?;
        }
    }
    Ok(())
}

/// P5: a second rewrite changes nothing, and URI -> IRI -> URI gives the same URI.
pub fn idempotent(subject: &Subject) -> Result<(), String> {
    for form in [Form::Uri, Form::Iri] {
        let once = subject.rewritten(&subject.bytes, &subject.settings, form);
        let settings = settings_of_output(subject, &once.info);
        let twice = subject.rewritten(&once.bytes, &settings, form);
        if twice.bytes != once.bytes {
            let why = first_difference(&once.bytes, &twice.bytes);
            return fail(format!("{form:?} twice: {why}"));
        }
    }
    round_trip(subject)
}

fn round_trip(subject: &Subject) -> Result<(), String> {
    let uri = subject.rewritten(&subject.bytes, &subject.settings, Form::Uri);
    let settings = settings_of_output(subject, &uri.info);
    let iri = subject.rewritten(&uri.bytes, &settings, Form::Iri);
    let back = subject.rewritten(&iri.bytes, &settings, Form::Uri);
    let (first, _) = links(&uri.bytes, &settings);
    let (last, _) = links(&back.bytes, &settings);
    if first.len() != last.len() {
        return fail(format!(
            "uri -> iri -> uri: {} links became {}",
            first.len(),
            last.len()
        ));
    }
    for (first, last) in first.iter().zip(&last) {
        if first.text.is_ascii() && target::normal(&first.text) != target::normal(&last.text) {
            return fail(format!(
                "uri -> iri -> uri: `{}` became `{}`",
                first.text, last.text
            ));
        }
    }
    Ok(())
}

/// True if http(s) queries of the document are in its own charset: in attributes and elements of HTML, and of XML that
/// browsers display.
pub fn has_document_queries(subject: &Subject, format: Format, place: &Place) -> bool {
    match (format, place.kind) {
        (_, PlaceKind::Css) => place.name.as_deref() != Some("style"),
        (_, PlaceKind::Text) => false,
        (_, PlaceKind::Comment) if place.name.is_none() => false,
        (Format::Html, _) | (Format::Xml, PlaceKind::Instruction) => true,
        (Format::Xml, _) => is_browsed(place) || is_html(&subject.bytes),
        _ => false,
    }
}

/// True if a place is in an XML element that browsers display. In feeds and other data, queries follow RFC 3987: UTF-8.
fn is_browsed(place: &Place) -> bool {
    let namespace = place.namespace.as_deref().unwrap_or_default();
    let browsed = ["1999/xhtml", "2000/svg", "1998/Math/MathML"];
    let name = namespace.strip_prefix("http://www.w3.org/");
    name.is_some_and(|name| browsed.contains(&name))
}

/// True if a server may send an XML document as HTML.
fn is_html(bytes: &[u8]) -> bool {
    String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]).contains("<html")
}
