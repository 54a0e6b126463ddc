//! Lines of an index (CDXJ) of an archive of the web: a key, a date, and a JSON object that tells where the record
//! stands. Programs that replay archives find records by them.

mod surt;

use super::archived::written_date;
use super::new_entry::Spool;
use super::positioned::Positioned;
use linkglot_archive::warc::{Header, Places, Record, RecordKind, is_begin, sha1_of};
use linkglot_archive::{Codec, Decoder, HEAD, Kind, kind_of};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::Range;
use surt::surt;

const BUFFER: usize = 64 << 10;

/// The media type of forms about the crawl, which are not replayed.
const FIELDS: &[u8] = b"application/warc-fields";

/// Takes the lines of an index, from several threads.
pub trait IndexLines: Sync {
    /// Takes a line, with its end.
    ///
    /// # Errors
    ///
    /// When the line cannot be kept.
    fn add(&self, line: &[u8]) -> io::Result<()>;
}

/// Writes the lines of a file, if it is an archive of the web whose records have places. `name` is the file's name in
/// the index. The lines have the order of the records.
///
/// # Errors
///
/// When the file is damaged, or cannot be read, or several records share a member. There are no lines then.
pub(super) fn index(file: &File, name: &str) -> io::Result<Option<Spool>> {
    let Some(codec) = codec_of(file)? else {
        return Ok(None);
    };
    let open = BufReader::with_capacity(BUFFER, Positioned::new(file));
    let mut places = Places::new(codec, open)?;
    let mut lines = Spool::new();
    while let Some((line, place)) = places.next(&mut Line::read)? {
        if let Some(line) = line {
            line.write(name, place, &mut lines)?;
        }
    }
    Ok(Some(lines))
}

/// The codec of an archive of the web; the inner `None` for one that is not compressed. `None` for other files.
fn codec_of(file: &File) -> io::Result<Option<Option<Codec>>> {
    let mut head = Vec::new();
    let begin = Positioned::new(file).take(HEAD as u64);
    io::copy(&mut { begin }, &mut head)?;
    Ok(match kind_of(&head) {
        Some(Kind::Warc) => Some(None),
        Some(Kind::Compressed(codec @ (Codec::Gzip | Codec::Zstandard))) => {
            let reader = BufReader::new(Positioned::new(file));
            let mut head = Vec::new();
            let decoder = Decoder::new(codec, Box::new(reader))?;
            decoder.take(HEAD as u64).read_to_end(&mut head)?;
            is_begin(&head).then_some(Some(codec))
        }
        _ => None,
    })
}

/// A line of the index, without the place of its record.
struct Line {
    key: Vec<u8>,
    date: String,
    url: String,
    media_type: Option<String>,
    status: Option<String>,
    digest: Option<String>,
}

impl Line {
    /// Reads the line of a record. `None` for a record that is not replayed: a request, data about the crawl, one
    /// without a URI or a date.
    fn read(record: &Record, block: &mut dyn BufRead) -> io::Result<Option<Self>> {
        let is_form = record.header.get("Content-Type") == Some(FIELDS);
        let is_replayed = match record.kind {
            RecordKind::Response | RecordKind::Revisit | RecordKind::Conversion => true,
            RecordKind::Resource | RecordKind::Metadata => !is_form,
            RecordKind::Request | RecordKind::Continuation | RecordKind::Other => false,
        };
        let target = record.target().filter(|_| is_replayed);
        let date = record.date().and_then(|date| timestamp(&text(date)));
        let Some((url, date)) = target.zip(date) else {
            return Ok(None);
        };
        let url = text(url).replace(' ', "%20");
        let http = http_header(record, &url, block)?;
        let media_type = match record.kind {
            RecordKind::Revisit => Some(b"warc/revisit".to_vec()),
            RecordKind::Response => http
                .as_ref()
                .and_then(|http| http.get("Content-Type").map(<[u8]>::to_vec)),
            _ => record.media_type().map(<[u8]>::to_vec),
        };
        let digest = match record.payload_digest() {
            Some(digest) => Some(text(digest)),
            None if record.kind == RecordKind::Revisit => None,
            None => Some(sha1_of(block)?),
        };
        Ok(Some(Line {
            key: surt(url.as_bytes()),
            date,
            media_type: media_type.map(|media_type| essence(&text(&media_type))),
            status: http.as_ref().map(status),
            digest,
            url,
        }))
    }

    fn write(&self, name: &str, place: Range<u64>, out: &mut dyn Write) -> io::Result<()> {
        let length = place.end.saturating_sub(place.start);
        let (length, offset) = (length.to_string(), place.start.to_string());
        let fields = [
            ("url", Some(&self.url)),
            ("mime", self.media_type.as_ref()),
            ("status", self.status.as_ref()),
            ("digest", self.digest.as_ref()),
            ("length", Some(&length)),
            ("offset", Some(&offset)),
        ];
        let mut object = String::new();
        for (name, value) in fields {
            if let Some(value) = value {
                push_field(&mut object, name, value);
            }
        }
        push_field(&mut object, "filename", name);
        out.write_all(&self.key)?;
        writeln!(out, " {} {{{object}}}", self.date)
    }
}

/// The header of HTTP of a record, if its block begins with one.
fn http_header(record: &Record, url: &str, block: &mut dyn BufRead) -> io::Result<Option<Header>> {
    let may_be = matches!(record.kind, RecordKind::Response | RecordKind::Revisit);
    let is_http = may_be && (url.starts_with("http:") || url.starts_with("https:"));
    if !is_http || !block.fill_buf()?.starts_with(b"HTTP/") {
        return Ok(None);
    }
    Header::read(block).map(Some)
}

/// The code behind the protocol in the first line.
fn status(http: &Header) -> String {
    let line = text(http.first_line());
    let behind = line.split_once(' ').map_or("", |(_, behind)| behind.trim());
    behind.split(' ').next().unwrap_or_default().to_owned()
}

/// A media type without parameters.
fn essence(media_type: &str) -> String {
    let ends = |ch: char| ch == ';' || ch.is_whitespace();
    let essence = media_type.split(ends).next();
    essence.unwrap_or_default().to_owned()
}

/// The text of a field: UTF-8, or else Latin-1, as headers had it before.
fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// The fourteen digits of a date such as `2001-02-03T04:05:06Z`, of which fractions of a second go.
fn timestamp(date: &str) -> Option<String> {
    let date = written_date(date);
    let mut numbers = date.split(|ch: char| !ch.is_ascii_digit());
    let mut digits = String::new();
    for len in [4, 2, 2, 2, 2, 2] {
        let number = numbers.next().filter(|number| number.len() == len)?;
        digits.push_str(number);
    }
    Some(digits)
}

/// Appends a field to an object, in ASCII.
fn push_field(object: &mut String, name: &str, value: &str) {
    let between = if object.is_empty() { "" } else { ", " };
    let _ = write!(object, "{between}\"{name}\": \"");
    for ch in value.chars() {
        match ch {
            '"' | '\\' => object.extend(['\\', ch]),
            '\n' => object.push_str("\\n"),
            '\r' => object.push_str("\\r"),
            '\t' => object.push_str("\\t"),
            '\u{8}' => object.push_str("\\b"),
            '\u{C}' => object.push_str("\\f"),
            ' '..='~' => object.push(ch),
            _ => {
                for unit in ch.encode_utf16(&mut [0; 2]) {
                    let _ = write!(object, "\\u{unit:04x}");
                }
            }
        }
    }
    object.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (date, digits) in [
            ("2001-02-03T04:05:06Z", Some("20010203040506")),
            ("2001-02-03T04:05:06.789Z", Some("20010203040506")),
            ("20010203040506", Some("20010203040506")),
            ("2001-02-03", None),
            ("2001-2-3T4:5:6Z", None),
        ] {
            assert_eq!(timestamp(date).as_deref(), digits);
        }
    }

    #[test]
    fn objects_are_ascii() {
        let value = "x\"\\\n\u{1}é\u{1F600}\u{7F}";
        let mut object = String::new();
        push_field(&mut object, "a", value);
        push_field(&mut object, "b", "");
        let expected = r#""a": "x\"\\\n\u0001\u00e9\ud83d\ude00\u007f", "b": """#;
        assert_eq!(object, expected);
        let read: serde_json::Value = serde_json::from_str(&format!("{{{object}}}")).unwrap();
        assert_eq!(read["a"], value);
    }
}
