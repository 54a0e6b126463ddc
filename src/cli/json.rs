//! The objects of `--json`.

use super::totals::Totals;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use linkglot::Link;
use linkglot::charset::CharsetFrom;
use linkglot::link::Info;
use linkglot::report::Notes;
use linkglot::rewrite::{LinkForms, Outcome};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// A path, and its bytes when it is not Unicode.
#[derive(Serialize)]
pub struct PathObject {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_base64: Option<String>,
}

impl PathObject {
    pub fn new(path: &Path) -> Self {
        let bytes = path.as_os_str().as_encoded_bytes();
        PathObject {
            path: path.to_string_lossy().into_owned(),
            path_base64: path.to_str().is_none().then(|| STANDARD.encode(bytes)),
        }
    }
}

#[derive(Serialize)]
struct PlaceObject<'p> {
    kind: &'static str,
    element: Option<&'p str>,
    name: Option<&'p str>,
    /// The element's namespace.
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<&'p str>,
    /// The attribute's.
    #[serde(skip_serializing_if = "Option::is_none")]
    name_namespace: Option<&'p str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nesting: Vec<&'p str>,
}

impl<'p> PlaceObject<'p> {
    fn new(link: &'p Link<'_>) -> Self {
        let place = link.place();
        PlaceObject {
            kind: place.kind.name(),
            element: place.element.as_deref(),
            name: place.name.as_deref(),
            namespace: place.namespace.as_deref(),
            name_namespace: place.name_namespace.as_deref(),
            nesting: link.nesting().iter().map(|name| &**name).collect(),
        }
    }
}

/// What is known of the document a link is in.
#[derive(Serialize)]
struct DocumentObject<'p> {
    #[serde(flatten)]
    path: &'p PathObject,
    format: &'static str,
    charset: &'static str,
    charset_from: &'static str,
}

impl<'p> DocumentObject<'p> {
    fn new(path: &'p PathObject, info: &Info) -> Self {
        DocumentObject {
            path,
            format: info.format.name(),
            charset: info.charset.name(),
            charset_from: known_from(info.charset_from),
        }
    }
}

/// How a charset is known, as scripts read it.
pub fn known_from(from: CharsetFrom) -> &'static str {
    match from {
        CharsetFrom::Bom => "bom",
        CharsetFrom::Caller => "caller",
        CharsetFrom::Declaration => "declaration",
        CharsetFrom::Detection => "detection",
        _ => "default",
    }
}

/// Where a link stands.
#[derive(Serialize)]
struct SpanObject<'p> {
    start: u64,
    end: u64,
    line: Option<u64>,
    column: Option<u64>,
    place: PlaceObject<'p>,
}

impl<'p> SpanObject<'p> {
    fn new(link: &'p Link<'_>) -> Self {
        let span = link.span();
        let location = link.location();
        SpanObject {
            start: span.start,
            end: span.end,
            line: location.map(|location| location.line),
            column: location.map(|location| location.column),
            place: PlaceObject::new(link),
        }
    }
}

#[derive(Serialize)]
struct LinkObject<'p> {
    r#type: &'static str,
    #[serde(flatten)]
    document: DocumentObject<'p>,
    #[serde(flatten)]
    span: SpanObject<'p>,
    raw: &'p str,
    text: &'p str,
    scheme: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    implied: Option<&'static str>,
    uri: Option<&'p str>,
    iri: Option<&'p str>,
    /// What it points to, where the base is known.
    resolved: Option<String>,
    notes: Vec<&'static str>,
}

/// Appends the object of a link that was found.
pub fn link(out: &mut Vec<u8>, path: &PathObject, info: &Info, link: &Link<'_>, forms: &LinkForms) {
    let mut notes = link.notes();
    notes.extend(forms.notes);
    push(
        out,
        &LinkObject {
            r#type: "link",
            document: DocumentObject::new(path, info),
            span: SpanObject::new(link),
            raw: &link.raw(),
            text: link.text(),
            scheme: link.scheme().map(|scheme| scheme.to_ascii_lowercase()),
            implied: link.implied(),
            uri: forms.uri.as_deref(),
            iri: forms.iri.as_deref(),
            resolved: link.resolved(info),
            notes: codes(notes),
        },
    );
}

#[derive(Serialize)]
struct EditObject<'p> {
    r#type: &'static str,
    #[serde(flatten)]
    document: DocumentObject<'p>,
    #[serde(flatten)]
    span: SpanObject<'p>,
    old: &'p str,
    new: Option<&'p str>,
    notes: Vec<&'static str>,
}

/// Appends the object of a link that was changed, or left.
pub fn edit(out: &mut Vec<u8>, path: &PathObject, info: &Info, outcome: &Outcome<'_>) {
    let mut notes = outcome.notes;
    notes.extend(outcome.link.notes());
    push(
        out,
        &EditObject {
            r#type: if outcome.new.is_some() {
                "edit"
            } else {
                "left"
            },
            document: DocumentObject::new(path, info),
            span: SpanObject::new(outcome.link),
            old: outcome.link.text(),
            new: outcome.new,
            notes: codes(notes),
        },
    );
}

/// The stable codes of notes.
pub fn codes(notes: Notes) -> Vec<&'static str> {
    notes.iter().map(|note| note.code()).collect()
}

/// Appends the object of an error.
pub fn error(out: &mut Vec<u8>, path: &Path, message: &str) {
    #[derive(Serialize)]
    struct ErrorObject<'p> {
        r#type: &'static str,
        #[serde(flatten)]
        path: PathObject,
        message: &'p str,
    }
    push(
        out,
        &ErrorObject {
            r#type: "error",
            path: PathObject::new(path),
            message,
        },
    );
}

#[derive(Serialize)]
struct Summary {
    r#type: &'static str,
    files: u64,
    bytes: u64,
    links: u64,
    files_with_links: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    files_changed: Option<u64>,
    /// Of these, those that were written, and those that would change if they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    files_written: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    files_to_change: Option<u64>,
    errors: u64,
    skipped: BTreeMap<&'static str, u64>,
}

/// Appends the summary. A rewrite counts changes, too.
pub fn summary(out: &mut Vec<u8>, totals: &Totals, rewrites: bool) {
    let counted = |count: u64| rewrites.then_some(count);
    let skipped = totals.skipped.iter();
    push(
        out,
        &Summary {
            r#type: "summary",
            files: totals.files,
            bytes: totals.bytes,
            links: totals.links,
            files_with_links: totals.files_with_links,
            changed: counted(totals.changed),
            left: counted(totals.left),
            files_changed: counted(totals.files_changed),
            files_written: counted(totals.files_written),
            files_to_change: counted(totals.files_changed - totals.files_written),
            errors: totals.errors,
            skipped: skipped
                .map(|(reason, count)| (reason.code(), *count))
                .collect(),
        },
    );
}

/// Appends an object on a line of its own.
pub fn push(out: &mut Vec<u8>, object: &impl Serialize) {
    // Neither memory nor objects with string keys fail.
    let _ = serde_json::to_writer(&mut *out, object);
    out.push(b'\n');
}
