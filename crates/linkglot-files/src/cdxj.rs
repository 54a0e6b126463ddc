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

    /// Counts records of a file that have no line, because they have no URI or no date.
    fn without_line(&self, count: u64);
}

/// Writes the lines of a file, if it is an archive of the web whose records have places, and counts its records that
/// have no URI or no date. `name` is the file's name in the index. The lines have the order of the records.
///
/// # Errors
///
/// When the file is damaged, or cannot be read, or several records share a member. There are no lines then.
pub(super) fn index(file: &File, name: &str) -> io::Result<Option<(Spool, u64)>> {
    let Some(codec) = codec_of(file)? else {
        return Ok(None);
    };
    let open = BufReader::with_capacity(BUFFER, Positioned::new(file));
    let mut places = Places::new(codec, open)?;
    let mut lines = Spool::new();
    let mut without_line = 0;
    let mut read = |record: &Record, block: &mut dyn BufRead| {
        if !is_replayed(record) {
            return Ok(None);
        }
        let line = Line::read(record, block)?;
        without_line += u64::from(line.is_none());
        Ok(line)
    };
    while let Some((line, place)) = places.next(&mut read)? {
        if let Some(line) = line {
            line.write(name, place, &mut lines)?;
        }
    }
    Ok(Some((lines, without_line)))
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

/// True for a record that is replayed: no request, and no data about the crawl.
fn is_replayed(record: &Record) -> bool {
    let is_form = record.header.get("Content-Type") == Some(FIELDS);
    match record.kind {
        RecordKind::Response | RecordKind::Revisit | RecordKind::Conversion => true,
        RecordKind::Resource | RecordKind::Metadata => !is_form,
        RecordKind::Request | RecordKind::Continuation | RecordKind::Other => false,
    }
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
    /// Reads the line of a record. `None` for one without a URI or a date.
    fn read(record: &Record, block: &mut dyn BufRead) -> io::Result<Option<Self>> {
        let date = record.date().and_then(|date| timestamp(&text(date)));
        let Some((url, date)) = record.target().zip(date) else {
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

/// The fourteen digits of a date such as `2001-02-03T04:05:06Z`, of which fractions of a second go. A date that ends
/// earlier (WARC 1.1), after any of its parts, stands for the first second that it covers. `None` for a day or a time
/// that does not exist, and for one of another time zone.
fn timestamp(date: &str) -> Option<String> {
    let date = written_date(date.trim());
    let date = date.strip_suffix('Z').unwrap_or(&date);
    let (date, fraction) = date.split_once('.').unwrap_or((date, ""));
    let is_whole = date.len() == SHAPE.len();
    let is_fraction = fraction.is_empty() || is_whole && is_digits(fraction);
    let has_end = is_whole
        || SHAPE
            .as_bytes()
            .get(date.len())
            .is_some_and(|&next| next != b'0');
    let fits = |(byte, shape): (u8, u8)| match shape {
        b'0' => byte.is_ascii_digit(),
        b'T' => byte == b'T' || byte == b' ',
        _ => byte == shape,
    };
    if !has_end || !is_fraction || !date.bytes().zip(SHAPE.bytes()).all(fits) {
        return None;
    }
    let mut digits: String = date.chars().filter(char::is_ascii_digit).collect();
    digits.push_str(&FIRST[digits.len()..]);
    exists(&digits).then_some(digits)
}

/// A date with all of its parts.
const SHAPE: &str = "0000-00-00T00:00:00";

/// The digits of the parts that a date leaves out.
const FIRST: &str = "00000101000000";

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// True if the day of fourteen digits is in the calendar, and the time in a day. Leap seconds are not: programs for
/// replay do not know them.
fn exists(digits: &str) -> bool {
    let part = |range: Range<usize>| digits[range].parse().unwrap_or(0_u32);
    let (year, month, day) = (part(0..4), part(4..6), part(6..8));
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let is_day = year > 0 && (1..=12).contains(&month) && (1..=days).contains(&day);
    is_day && part(8..10) < 24 && part(10..12) < 60 && part(12..14) < 60
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
            ("2001-02-03T04:05:06", Some("20010203040506")),
            ("2001-02-03 04:05:06Z", Some("20010203040506")),
            ("2001-02-03T04:05Z", Some("20010203040500")),
            ("2001-02-03T04Z", Some("20010203040000")),
            ("2001-02-03", Some("20010203000000")),
            ("2001-02", Some("20010201000000")),
            ("2001", Some("20010101000000")),
            ("2000-02-29", Some("20000229000000")),
            ("2001-02-29", None),
            ("1900-02-29", None),
            ("2020-13-45T99:99:99Z", None),
            ("2001-04-31", None),
            ("2001-00-01", None),
            ("0000-01-01", None),
            ("2001-02-03T24:00:00Z", None),
            ("2001-02-03T04:60:00Z", None),
            ("2001-02-03T04:05:60Z", None),
            ("2001-2-3T4:5:6Z", None),
            ("2001-02-0", None),
            ("2001-02-", None),
            ("200", None),
            ("", None),
            ("2001.5", None),
            ("2001-02-03T04:05:06.xZ", None),
            ("2001-02-03T04:05:06+01:00", None),
            ("2001-02-03T04:05+01", None),
            ("2001-02-03T04:05:06Z and more", None),
            ("é001-02-03T04:05:06", None),
            ("20011345999999", None),
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
