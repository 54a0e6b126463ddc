//! The objects that `--json` prints.

use super::mapper::ConversionError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use linkglot::link::{Info, MailPart};
use linkglot::notes::{Note, Notes};
use linkglot::rewrite::{LinkForms, Mention, Outcome, Why};
use linkglot::{Certainty, Charset, CharsetFrom, Format, Link};
use linkglot_files::{Archived, RunHeader, is_deceptive};
use serde::Serialize;
use std::borrow::Cow;
use std::io;
use std::path::Path;

/// Number of bytes that are checked at once for characters to escape.
const LANE: usize = 16;

/// A path, with its bytes if it is not Unicode.
#[derive(Serialize)]
pub struct PathObject {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_base64: Option<String>,
    #[serde(flatten)]
    archived: Option<ArchivedObject>,
}

/// The record of an archive of the web.
#[derive(Serialize)]
struct ArchivedObject {
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
}

impl PathObject {
    /// The path of a document, with the record that the document comes from.
    pub fn of_document(path: &Path, archived: Option<&Archived>) -> Self {
        let archived = archived.map(|archived| ArchivedObject {
            record: archived.record.clone(),
            target: archived.target.as_deref().map(str::to_owned),
            date: archived.date.clone(),
        });
        PathObject {
            archived,
            ..PathObject::new(path)
        }
    }

    pub fn new(path: &Path) -> Self {
        let bytes = path.as_os_str().as_encoded_bytes();
        PathObject {
            path: path.to_string_lossy().into_owned(),
            path_base64: path.to_str().is_none().then(|| STANDARD.encode(bytes)),
            archived: None,
        }
    }
}

#[derive(Serialize)]
struct DocumentObject<'p> {
    #[serde(flatten)]
    path: &'p PathObject,
    format: &'static str,
    charset: &'static str,
    charset_from: &'static str,
    charset_certain: bool,
}

/// The fields of a document in the objects of its links, already printed. They follow another field.
pub struct DocumentFields(Vec<u8>);

impl DocumentFields {
    pub fn new(path: &PathObject, info: &Info) -> Self {
        let mut fields = Vec::new();
        push(
            &mut fields,
            &DocumentObject {
                path,
                format: info.document_format().name(),
                charset: info.charset.name(),
                charset_from: charset_source(info.charset_from),
                charset_certain: info.certainty == Certainty::Sure,
            },
        );
        // Without the closing brace and the line end; a comma in place of the opening brace.
        fields.truncate(fields.len().saturating_sub(2));
        fields[0] = b',';
        DocumentFields(fields)
    }
}

/// Appends the object of a document, or of a part of mail, with its first malformed byte.
pub fn file(out: &mut Vec<u8>, path: &PathObject, info: &Info, malformed_at: Option<u64>) {
    out.extend_from_slice(b"{\"type\":\"file\"");
    out.extend_from_slice(&DocumentFields::new(path, info).0);
    if let Some(part) = info.part() {
        LinkWriter(out).part(part);
    }
    if let Some(at) = malformed_at {
        let note = info.note_of_malformed().code();
        out.extend_from_slice(format!(",\"malformed_at\":{at},\"notes\":[\"{note}\"]").as_bytes());
    }
    out.extend_from_slice(b"}\n");
}

/// Appends the object of a document that is read as running text from a byte on.
pub fn read_as_text(out: &mut Vec<u8>, path: &PathObject, info: &Info, from: u64) {
    out.extend_from_slice(b"{\"type\":\"file\"");
    out.extend_from_slice(&DocumentFields::new(path, info).0);
    let note = Note::ReadAsText.code();
    out.extend_from_slice(format!(",\"text_from\":{from},\"notes\":[\"{note}\"]}}\n").as_bytes());
}

/// Appends the object of a document that gets another charset.
pub fn transcoded(out: &mut Vec<u8>, path: &PathObject, info: &Info, to: Charset) {
    out.extend_from_slice(b"{\"type\":\"file\"");
    out.extend_from_slice(&DocumentFields::new(path, info).0);
    out.extend_from_slice(format!(",\"to_charset\":\"{}\"}}\n", to.name()).as_bytes());
}

/// Appends the object of a run.
pub fn run(out: &mut Vec<u8>, header: &RunHeader, state: &str, files: u64) {
    #[derive(Serialize)]
    struct RunObject<'r> {
        r#type: &'static str,
        run: &'r str,
        started: &'r str,
        state: &'r str,
        files: u64,
        #[serde(flatten)]
        directory: PathObject,
        arguments: Vec<Cow<'r, str>>,
    }
    let object = RunObject {
        r#type: "run",
        run: &header.id,
        started: &header.started,
        state,
        files,
        directory: PathObject::new(&header.directory),
        arguments: header
            .arguments
            .iter()
            .map(|word| word.to_string_lossy())
            .collect(),
    };
    push(out, &object);
}

/// Appends the object of a host that links lead to.
pub fn host(out: &mut Vec<u8>, host: &str, links: u64, files: u64) {
    #[derive(Serialize)]
    struct HostObject<'h> {
        r#type: &'static str,
        host: &'h str,
        links: u64,
        files: u64,
    }
    let object = HostObject {
        r#type: "host",
        host,
        links,
        files,
    };
    push(out, &object);
}

/// Appends the object of a mention of a moved host.
pub fn left_behind(out: &mut Vec<u8>, path: &PathObject, mention: &Mention, option: Option<&str>) {
    #[derive(Serialize)]
    struct MentionObject<'m> {
        r#type: &'static str,
        #[serde(flatten)]
        path: &'m PathObject,
        line: u64,
        column: u64,
        host: &'m str,
        r#where: &'static str,
        why: Option<&'static str>,
        /// The text around the host on its line.
        text: &'m str,
        /// The options that would reach the mention together.
        option: Option<&'m str>,
    }
    let object = MentionObject {
        r#type: "left-behind",
        path,
        line: mention.location.line,
        column: mention.location.column,
        host: &mention.host,
        r#where: mention.place.name(),
        why: mention.why.map(Why::code),
        text: &mention.text,
        option,
    };
    push(out, &object);
}

/// Appends the object of a charset.
pub fn charset(out: &mut Vec<u8>, name: &str, read: &str, labels: &[&str]) {
    #[derive(Serialize)]
    struct CharsetObject<'c> {
        r#type: &'static str,
        name: &'c str,
        read: &'c str,
        labels: &'c [&'c str],
    }
    let object = CharsetObject {
        r#type: "charset",
        name,
        read,
        labels,
    };
    push(out, &object);
}

/// The source of the charset, by its stable name.
pub fn charset_source(from: CharsetFrom) -> &'static str {
    match from {
        CharsetFrom::Bom => "bom",
        CharsetFrom::Caller => "caller",
        CharsetFrom::Declaration => "declaration",
        CharsetFrom::Detection => "detection",
        _ => "default",
    }
}

/// Writes the object of a link field by field, as serde_json would: there may be millions. Keys are written with their
/// delimiters, as in `,"raw":`.
struct LinkWriter<'o>(&'o mut Vec<u8>);

impl LinkWriter<'_> {
    fn literal(&mut self, json: &str) {
        self.0.extend_from_slice(json.as_bytes());
    }

    fn text(&mut self, key: &str, value: &str) {
        self.0.reserve(key.len() + value.len() + 2);
        self.literal(key);
        if needs_escapes(value) {
            return self.value(value);
        }
        self.literal("\"");
        self.literal(value);
        self.literal("\"");
    }

    /// Writes one of our own names, which needs no escapes; the key includes the opening quotation mark.
    fn name(&mut self, key: &str, name: &str) {
        self.literal(key);
        self.literal(name);
        self.literal("\"");
    }

    fn text_or_null(&mut self, key: &str, value: Option<&str>) {
        match value {
            Some(value) => self.text(key, value),
            None => {
                self.literal(key);
                self.literal("null");
            }
        }
    }

    /// Writes a text, or nothing, not even the key, if it is missing.
    fn text_or_nothing(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(key, value);
        }
    }

    fn value(&mut self, value: impl Serialize) {
        serialize(self.0, &value);
    }

    /// A list with some items.
    fn list<'i>(&mut self, key: &str, items: impl Iterator<Item = &'i str>) {
        self.literal(key);
        let mut delimiter = "[";
        for item in items {
            self.text(delimiter, item);
            delimiter = ",";
        }
        self.literal("]");
    }

    fn document(&mut self, fields: &DocumentFields) {
        self.0.extend_from_slice(&fields.0);
    }

    fn position(&mut self, link: &Link<'_>) {
        let (span, location) = (link.span(), link.location());
        let line = location.map(|location| location.line);
        let column = location.map(|location| location.column);
        for (key, number) in [
            (",\"start\":", Some(span.start)),
            (",\"end\":", Some(span.end)),
            (",\"line\":", line),
            (",\"column\":", column),
        ] {
            self.literal(key);
            self.value(number);
        }
        if let Some(part) = link.part() {
            self.part(part);
        }
        self.place(link);
    }

    fn part(&mut self, part: &MailPart) {
        if part.container() == Format::Mailbox {
            self.literal(",\"message\":");
            self.value(part.message());
        }
        self.text(",\"part\":", part.number());
        self.text(",\"media_type\":", part.media_type());
    }

    fn place(&mut self, link: &Link<'_>) {
        let place = link.place();
        self.name(",\"place\":{\"kind\":\"", place.kind.name());
        match (&place.element, &place.name) {
            (None, None) => self.literal(",\"element\":null,\"name\":null"),
            (element, name) => {
                self.text_or_null(",\"element\":", element.as_deref());
                self.text_or_null(",\"name\":", name.as_deref());
            }
        }
        self.text_or_nothing(",\"namespace\":", place.namespace.as_deref());
        self.text_or_nothing(",\"name_namespace\":", place.name_namespace.as_deref());
        if !link.nesting().is_empty() {
            self.list(",\"nesting\":", link.nesting().iter().map(|name| &**name));
        }
        self.literal("}");
    }

    fn end(&mut self, notes: Notes) {
        if notes.is_empty() {
            self.literal(",\"notes\":[]")
        } else {
            self.list(",\"notes\":", notes.iter().map(|note| note.code()))
        }
        self.literal("}\n");
    }
}

/// True if a JSON string may write some characters of a text as escapes (RFC 8259 7, [`Plain`]). Escaped characters
/// beyond ASCII begin with one of the bytes here.
fn needs_escapes(text: &str) -> bool {
    let is_special = |byte: u8| {
        (byte < b' ')
            | (byte == b'"')
            | (byte == b'\\')
            | (byte == 0x7F)
            | (byte == 0xC2)
            | (byte == 0xCD)
            | (byte == 0xD8)
            | (byte.wrapping_sub(0xE1) < 3)
            | (byte >= 0xEF)
    };
    let bytes = text.as_bytes();
    let Some(last) = bytes.last_chunk::<LANE>() else {
        return bytes.iter().copied().any(is_special);
    };
    let any_in = |lane: &[u8; LANE]| {
        // Without an early exit the compiler compares all bytes of a lane at once.
        let add = |found, &byte: &u8| found | u8::from(is_special(byte));
        lane.iter().fold(0, add) != 0
    };
    bytes.as_chunks().0.iter().any(any_in) || any_in(last)
}

/// Appends the object of a link.
pub fn link(
    out: &mut Vec<u8>,
    document: &DocumentFields,
    info: &Info,
    link: &Link<'_>,
    forms: &LinkForms,
) {
    let mut notes = link.notes();
    notes.extend(forms.notes);
    let scheme = link.scheme().map(in_lower_case);
    let mut object = LinkWriter(out);
    object.literal("{\"type\":\"link\"");
    object.document(document);
    object.position(link);
    object.text(",\"raw\":", &link.raw());
    object.text(",\"text\":", link.text());
    object.text_or_null(",\"scheme\":", scheme.as_deref());
    object.text_or_nothing(",\"implied\":", link.implied());
    object.name(",\"evidence\":\"", link.evidence().name());
    object.text_or_null(",\"uri\":", forms.uri.as_deref());
    object.text_or_null(",\"iri\":", forms.iri.as_deref());
    // The target of the link, if the base is known.
    object.text_or_null(",\"resolved\":", link.resolved(info).as_deref());
    object.text_or_nothing(",\"label\":", link.label());
    object.end(notes);
}

/// A scheme in lower case. Nearly all schemes are written in lower case.
fn in_lower_case(scheme: Cow<'_, str>) -> Cow<'_, str> {
    if scheme.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(scheme.to_ascii_lowercase())
    } else {
        scheme
    }
}

/// Appends the object of a link that changes, or that was left unchanged, with all its notes.
pub fn edit(out: &mut Vec<u8>, document: &DocumentFields, outcome: &Outcome<'_>, notes: Notes) {
    let kind = match outcome.new {
        Some(_) => "edit",
        None => "left",
    };
    let mut object = LinkWriter(out);
    object.name("{\"type\":\"", kind);
    object.document(document);
    object.position(outcome.link);
    object.text(",\"old\":", outcome.link.text());
    object.text_or_null(",\"new\":", outcome.new);
    object.name(",\"evidence\":\"", outcome.link.evidence().name());
    object.end(notes);
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

/// Appends the object of a restored file.
pub fn restored(out: &mut Vec<u8>, path: &Path) {
    #[derive(Serialize)]
    struct RestoredObject {
        r#type: &'static str,
        #[serde(flatten)]
        path: PathObject,
    }
    push(
        out,
        &RestoredObject {
            r#type: "restored",
            path: PathObject::new(path),
        },
    );
}

/// Appends the summary of an undone run: numbers of files that were restored, that had their old content, and that
/// failed.
pub fn undone(out: &mut Vec<u8>, run: &str, [restored, unchanged, errors]: [u64; 3]) {
    #[derive(Serialize)]
    struct UndoSummary<'r> {
        r#type: &'static str,
        run: &'r str,
        restored: u64,
        unchanged: u64,
        errors: u64,
    }
    let object = UndoSummary {
        r#type: "summary",
        run,
        restored,
        unchanged,
        errors,
    };
    push(out, &object);
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
    serialize(out, object);
    out.push(b'\n');
}

fn serialize(out: &mut Vec<u8>, object: &impl Serialize) {
    let mut serializer = serde_json::Serializer::with_formatter(out, Plain);
    // Cannot fail: the writer is memory, and all keys are strings.
    let _ = object.serialize(&mut serializer);
}

/// Writes an object for a `script` element of HTML: nothing in the object ends the element.
pub fn write_for_html(out: impl io::Write, object: &impl Serialize) -> serde_json::Result<()> {
    object.serialize(&mut serde_json::Serializer::with_formatter(out, InHtml))
}

/// Also escapes characters of markup (HTML 13.2.5.4: `</script` and `<!--` in a script).
struct InHtml;

impl serde_json::ser::Formatter for InHtml {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        let is_markup = |ch| matches!(ch, '<' | '>' | '&');
        let mut rest = fragment;
        while let Some(at) = rest.find(is_markup) {
            Plain.write_string_fragment(writer, &rest[..at])?;
            write!(writer, "\\u{:04x}", rest.as_bytes()[at])?;
            rest = &rest[at + 1..];
        }
        Plain.write_string_fragment(writer, rest)
    }
}

/// Also escapes characters that a terminal would obey, or that reorder or hide text, beyond the requirements of JSON
/// (RFC 8259 7). The meaning of the strings is the same.
struct Plain;

impl serde_json::ser::Formatter for Plain {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        let mut rest = fragment;
        while let Some((at, ch)) = rest.char_indices().find(|&(_, ch)| is_deceptive(ch)) {
            let (before, from) = rest.split_at(at);
            write!(writer, "{before}")?;
            for unit in ch.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &from[ch.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }
}
