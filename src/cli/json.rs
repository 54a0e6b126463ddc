//! The objects that `--json` prints.

use super::mapper::ConversionError;
use super::totals::{Changes, Totals};
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

/// A path, with its bytes if it is not Unicode.
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
    /// The namespace of the element.
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<&'p str>,
    /// The namespace of the attribute.
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

/// The document of a link.
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
            charset_from: charset_source(info.charset_from),
        }
    }
}

/// How the charset is known, as scripts read it.
pub fn charset_source(from: CharsetFrom) -> &'static str {
    match from {
        CharsetFrom::Bom => "bom",
        CharsetFrom::Caller => "caller",
        CharsetFrom::Declaration => "declaration",
        CharsetFrom::Detection => "detection",
        _ => "default",
    }
}

/// The position of a link.
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
    /// What the link points to, if the base is known.
    resolved: Option<String>,
    notes: Vec<&'static str>,
}

/// Appends the object of a link.
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

/// Appends the object of a link that changes, or that was left unchanged.
pub fn edit(out: &mut Vec<u8>, path: &PathObject, info: &Info, outcome: &Outcome<'_>) {
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
            notes: codes(all_notes(outcome)),
        },
    );
}

/// The notes on a link and on what became of it.
pub fn all_notes(outcome: &Outcome<'_>) -> Notes {
    let mut notes = outcome.notes;
    notes.extend(outcome.link.notes());
    notes
}

/// The stable codes of notes.
pub fn codes(notes: Notes) -> Vec<&'static str> {
    notes.iter().map(|note| note.code()).collect()
}

/// Appends the object of a file that failed.
pub fn error(out: &mut Vec<u8>, path: &Path, message: &str) {
    #[derive(Serialize)]
    struct FileErrorObject<'p> {
        r#type: &'static str,
        #[serde(flatten)]
        path: PathObject,
        message: &'p str,
    }
    push(
        out,
        &FileErrorObject {
            r#type: "error",
            path: PathObject::new(path),
            message,
        },
    );
}

/// Appends the object of a file whose links were counted.
pub fn count(out: &mut Vec<u8>, path: &PathObject, count: u64) {
    #[derive(Serialize)]
    struct CountObject<'p> {
        r#type: &'static str,
        #[serde(flatten)]
        path: &'p PathObject,
        count: u64,
    }
    push(
        out,
        &CountObject {
            r#type: "count",
            path,
            count,
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
    #[serde(flatten)]
    changes: Option<ChangeSummary>,
    errors: u64,
    skipped: BTreeMap<&'static str, u64>,
}

#[derive(Serialize)]
struct ChangeSummary {
    changed: u64,
    left: u64,
    files_changed: u64,
    /// Those of them that were written, and those that would change if they were.
    files_written: u64,
    files_to_change: u64,
}

/// Appends the summary of a run.
pub fn summary(out: &mut Vec<u8>, totals: &Totals, changes: Changes) {
    let skipped = totals.skipped.iter();
    push(
        out,
        &Summary {
            r#type: "summary",
            files: totals.files,
            bytes: totals.bytes,
            links: totals.links,
            files_with_links: totals.files_with_links,
            changes: (changes != Changes::None).then(|| ChangeSummary {
                changed: totals.changed,
                left: totals.left,
                files_changed: totals.files_changed,
                files_written: totals.files_written,
                files_to_change: totals.files_changed - totals.files_written,
            }),
            errors: totals.errors,
            skipped: skipped
                .map(|(reason, count)| (reason.code(), *count))
                .collect(),
        },
    );
}

/// An error in the objects of `convert` and `explain`.
#[derive(Serialize)]
pub struct ErrorObject<'e> {
    kind: &'static str,
    at: usize,
    message: &'e str,
}

impl<'e> ErrorObject<'e> {
    pub fn new(error: &'e ConversionError) -> Self {
        ErrorObject {
            kind: error.kind,
            at: error.at,
            message: &error.message,
        }
    }
}

/// Appends an object on a line of its own.
pub fn push(out: &mut Vec<u8>, object: &impl Serialize) {
    // Cannot fail: memory is written to, and all keys are strings.
    let _ = serde_json::to_writer(&mut *out, object);
    out.push(b'\n');
}
