//! The objects of `--json` (`docs/json.md` describes them).

use linkglot::document::{DocumentPart, PartSegment};
use linkglot::link::{Info, MailPart};
use linkglot::notes::Notes;
use linkglot::rewrite::{Form, Forms, LinkForms, Mention, Outcome, Why};
use linkglot::{Certainty, CharsetFrom, Format, Link, Settings};
use serde_json::{Map, Value, json};
use std::ops::Range;

/// The properties that rows of a document share.
fn document(kind: &str, path: &str, info: &Info) -> Map<String, Value> {
    let from = match info.charset_from {
        CharsetFrom::Bom => "bom",
        CharsetFrom::Caller => "caller",
        CharsetFrom::Declaration => "declaration",
        CharsetFrom::Detection => "detection",
        _ => "default",
    };
    let mut row = Map::new();
    row.insert("type".into(), kind.into());
    row.insert("path".into(), path.into());
    row.insert("format".into(), info.document_format().name().into());
    row.insert("charset".into(), info.charset.name().into());
    row.insert("charset_from".into(), from.into());
    let is_certain = info.certainty == Certainty::Sure;
    row.insert("charset_certain".into(), is_certain.into());
    row
}

fn part(row: &mut Map<String, Value>, part: &MailPart) {
    if part.container() == Format::Mailbox {
        row.insert("message".into(), part.message().into());
    }
    row.insert("part".into(), part.number().into());
    row.insert("media_type".into(), part.media_type().into());
}

fn place(row: &mut Map<String, Value>, link: &Link<'_>) {
    let (span, location, place) = (link.span(), link.location(), link.place());
    row.insert("start".into(), span.start.into());
    row.insert("end".into(), span.end.into());
    row.insert("line".into(), location.map(|at| at.line).into());
    row.insert("column".into(), location.map(|at| at.column).into());
    if let Some(own) = link.part() {
        part(row, own);
    }
    let mut object = Map::new();
    object.insert("kind".into(), place.kind.name().into());
    object.insert("element".into(), place.element.as_deref().into());
    object.insert("name".into(), place.name.as_deref().into());
    if let Some(namespace) = place.namespace.as_deref() {
        object.insert("namespace".into(), namespace.into());
    }
    if let Some(namespace) = place.name_namespace.as_deref() {
        object.insert("name_namespace".into(), namespace.into());
    }
    if !link.nesting().is_empty() {
        let nesting: Vec<&str> = link.nesting().iter().map(|name| &**name).collect();
        object.insert("nesting".into(), nesting.into());
    }
    row.insert("place".into(), object.into());
}

fn codes(notes: Notes) -> Value {
    notes
        .iter()
        .map(|note| note.code())
        .collect::<Vec<_>>()
        .into()
}

pub(crate) fn link(path: &str, info: &Info, link: &Link<'_>, forms: &LinkForms) -> Value {
    let mut row = document("link", path, info);
    place(&mut row, link);
    row.insert("raw".into(), link.raw().into());
    row.insert("text".into(), link.text().into());
    let scheme = link.scheme().map(|scheme| scheme.to_ascii_lowercase());
    row.insert("scheme".into(), scheme.into());
    if let Some(implied) = link.implied() {
        row.insert("implied".into(), implied.into());
    }
    row.insert("evidence".into(), link.evidence().name().into());
    row.insert("uri".into(), forms.uri.as_deref().into());
    row.insert("iri".into(), forms.iri.as_deref().into());
    row.insert("resolved".into(), link.resolved(info).as_deref().into());
    if let Some(label) = link.label() {
        row.insert("label".into(), label.into());
    }
    let mut notes = link.notes();
    notes.extend(forms.notes);
    row.insert("notes".into(), codes(notes));
    row.into()
}

/// A part of a document with its text and the text as a reader sees it; links are at ranges of UTF-16 units of these.
pub(crate) fn part_texts(path: &str, part: &DocumentPart<'_>, settings: &Settings) -> Value {
    let info = part.info();
    let mut row = document("part", path, info);
    row.insert("format".into(), info.format.name().into());
    if let Some(own) = info.part() {
        self::part(&mut row, own);
    }
    row.insert("base".into(), info.base.as_deref().into());
    let forms = Forms::new(settings).of_document(info);
    let at_range = |found: &Link<'_>, range: Range<usize>| {
        let mut both = LinkForms::default();
        both.notes = found.warnings();
        for (form, kept) in [(Form::Uri, &mut both.uri), (Form::Iri, &mut both.iri)] {
            let (text, notes) = forms.of(found, form);
            *kept = text;
            both.notes.extend(notes);
        }
        let mut row = link(path, info, found, &both);
        row["start"] = range.start.into();
        row["end"] = range.end.into();
        row
    };
    let (mut text, mut links, mut at) = (String::new(), Vec::new(), 0);
    for segment in part.segments() {
        let start = at;
        match segment {
            PartSegment::Text(piece) => {
                at += units(&piece);
                text += &piece;
            }
            PartSegment::Link(found, piece) => {
                at += units(&piece);
                text += &piece;
                links.push(at_range(&found, start..at));
            }
        }
    }
    row.insert("text".into(), text.into());
    row.insert("links".into(), links.into());
    let displayed = part.displayed();
    // Links within links begin again before the last one.
    let (mut byte, mut at) = (0, 0);
    let mut position = |of: usize| {
        if of < byte {
            (byte, at) = (0, 0);
        }
        at += units(displayed.text().get(byte..of).unwrap_or_default());
        byte = of;
        at
    };
    let links: Vec<Value> = displayed
        .links()
        .map(|(place, found)| {
            let start = position(place.start);
            at_range(found, start..position(place.end))
        })
        .collect();
    row.insert(
        "displayed".into(),
        json!({ "text": displayed.text(), "links": links }),
    );
    row.into()
}

/// The length of a text in UTF-16 units.
fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

pub(crate) fn edit(path: &str, info: &Info, outcome: &Outcome<'_>) -> Value {
    let kind = if outcome.new.is_some() {
        "edit"
    } else {
        "left"
    };
    let mut row = document(kind, path, info);
    place(&mut row, outcome.link);
    row.insert("old".into(), outcome.link.text().into());
    row.insert("new".into(), outcome.new.into());
    row.insert("evidence".into(), outcome.link.evidence().name().into());
    row.insert("notes".into(), codes(outcome.all_notes()));
    row.into()
}

/// The mention of a host that a rule moved. (The option that would reach it is one of the command line.)
pub(crate) fn left_behind(path: &str, mention: &Mention) -> Value {
    json!({
        "type": "left-behind",
        "path": path,
        "line": mention.location.line,
        "column": mention.location.column,
        "host": &*mention.host,
        "where": mention.place.name(),
        "why": mention.why.map(Why::code),
        "text": &*mention.text,
    })
}

pub(crate) fn file(path: &str, info: &Info, malformed_at: Option<u64>) -> Value {
    let mut row = document("file", path, info);
    if let Some(own) = info.part() {
        part(&mut row, own);
    }
    if let Some(at) = malformed_at {
        row.insert("malformed_at".into(), at.into());
        row.insert("notes".into(), vec![info.note_of_malformed().code()].into());
    }
    row.into()
}
