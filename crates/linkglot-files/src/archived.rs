//! The record of an archive of the web that a document comes from.

use linkglot::{Charset, Format, Settings};
use linkglot_archive::safari::Resource;
use linkglot_archive::warc::{Header, Record, RecordKind};
use std::sync::Arc;

/// Media types without text.
const MEDIA: [&str; 4] = ["image/", "audio/", "video/", "font/"];

/// The record of a document in a WARC or ARC file, and what its header says of the document.
///
/// ```
/// use linkglot_files::Archived;
///
/// assert_eq!(Archived::default().target, None);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Archived {
    /// The type of the record, in lower case: `response`, `request`, `warcinfo` ...
    pub kind: Option<String>,
    /// The identifier of the record, without angle brackets. ARC has none.
    pub record: Option<String>,
    /// The URI of the record: the base of the document.
    pub target: Option<Arc<str>>,
    /// The date of the record, as in WARC: `2001-02-03T04:05:06Z`.
    pub date: Option<String>,
    /// The format that the media type tells.
    format: Option<Format>,
    /// The charset that the media type declares.
    charset: Option<Charset>,
}

impl Archived {
    /// The record, with nothing said of a document.
    pub(super) fn of(record: &Record) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let kind = match record.kind {
            RecordKind::Response if record.is_arc() => Some("response".to_owned()),
            _ => record.header.get("WARC-Type").map(text),
        };
        Archived {
            kind: kind.map(|kind| kind.to_ascii_lowercase()),
            record: record.id().map(text),
            target: record.target().map(|target| text(target).into()),
            date: record.date().map(|date| written_date(&text(date))),
            format: None,
            charset: None,
        }
    }

    /// A resource of a web archive of Safari. `None` if its media type says that it has no text.
    pub(super) fn of_resource(resource: &Resource) -> Option<Self> {
        let media_type = resource.media_type.as_deref().unwrap_or_default();
        let label = resource.charset.as_deref();
        let said = Archived {
            target: resource.url.as_deref().map(Arc::from),
            charset: label.and_then(|label| Charset::for_label(label).ok()),
            ..Archived::default()
        };
        said.of_type(&media_type.to_ascii_lowercase())
    }

    /// The record around another document.
    pub(super) fn outer(&self) -> Self {
        Archived {
            format: None,
            charset: None,
            ..self.clone()
        }
    }

    /// The record around its header of HTTP.
    pub(super) fn header(&self) -> Self {
        Archived {
            format: Some(Format::Http),
            ..self.outer()
        }
    }

    /// The record around its content. `None` if the media type says that it has no text.
    pub(super) fn content(&self, record: &Record, http: Option<&Header>) -> Option<Self> {
        let values = match http {
            Some(http) => http.values("Content-Type").collect(),
            None => Vec::from_iter(record.media_type()),
        };
        let values = String::from_utf8_lossy(&values.join(&b',')).into_owned();
        let (media_type, charset) = media_type(&values);
        Archived {
            charset,
            ..self.clone()
        }
        .of_type(&media_type)
    }

    /// The content of a media type. `None` if that has no text.
    fn of_type(self, media_type: &str) -> Option<Self> {
        if MEDIA.iter().any(|media| media_type.starts_with(media)) && media_type != "image/svg+xml"
        {
            return None;
        }
        // Scripts are read as their files are, by name and content.
        let is_script = media_type.ends_with("javascript");
        Some(Archived {
            format: Format::for_media_type(media_type).filter(|_| !is_script),
            ..self
        })
    }

    /// The format that the media type tells.
    pub(super) fn format(&self) -> Option<Format> {
        self.format
    }

    /// Adds to the settings for a document what its record says: the base, and unless the caller prescribes them, the
    /// format and the charset.
    pub fn apply(&self, settings: &mut Settings) {
        if let Some(target) = &self.target {
            settings.base = Some(Arc::clone(target));
        }
        settings.declared_charset = self.charset;
        if self.format == Some(Format::Http) {
            settings.format = self.format;
            settings.charset = None;
        }
        settings.format = settings.format.or(self.format);
    }
}

/// The type in lower case, and its charset, of all values of `Content-Type`, joined by commas: that of the last value
/// that is a media type, and a charset also of an earlier one of the same type (Fetch, "extract a MIME type"). As in
/// browsers, a label that no charset has declares nothing.
fn media_type(values: &str) -> (String, Option<Charset>) {
    let (mut essence, mut label) = (String::new(), None);
    for value in unquoted_pieces(values, ',') {
        let mut parts = unquoted_pieces(value, ';');
        let own = parts.next().unwrap_or_default().trim();
        let is_token = |text: &str| !text.is_empty() && text.bytes().all(is_token_byte);
        let is_sound = own
            .split_once('/')
            .is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype));
        if !is_sound || own == "*/*" {
            continue;
        }
        let own = own.to_ascii_lowercase();
        label = label.filter(|_| own == essence);
        label = parts.find_map(charset_label).or(label);
        essence = own;
    }
    let charset = label.and_then(|label| Charset::for_label(&label).ok());
    (essence, charset)
}

/// The value of a parameter that is the charset.
fn charset_label(parameter: &str) -> Option<String> {
    let (name, value) = parameter.split_once('=')?;
    let value = value.trim();
    let label = match value.strip_prefix('"') {
        Some(quoted) => unquoted(quoted),
        None => value.trim_matches('\'').to_owned(),
    };
    name.trim().eq_ignore_ascii_case("charset").then_some(label)
}

/// The text of a quoted string behind its first quote (RFC 9110 5.6.4).
fn unquoted(quoted: &str) -> String {
    let mut text = String::new();
    let mut chars = quoted.chars();
    while let Some(own) = chars.next().filter(|&own| own != '"') {
        text.extend(if own == '\\' { chars.next() } else { Some(own) });
    }
    text
}

/// The pieces of a value between separators that are in no quoted string.
fn unquoted_pieces(value: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    value.split(move |own| {
        let was_escaped = std::mem::take(&mut is_escaped);
        match own {
            _ if was_escaped => {}
            '"' => is_quoted = !is_quoted,
            '\\' => is_escaped = is_quoted,
            _ => {}
        }
        own == separator && !is_quoted
    })
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// A date of ARC as WARC writes it. Others stay.
pub(super) fn written_date(date: &str) -> String {
    if date.len() != 14 || !date.bytes().all(|byte| byte.is_ascii_digit()) {
        return date.to_owned();
    }
    let part = |from: usize, to: usize| &date[from..to];
    let day = [part(0, 4), part(4, 6), part(6, 8)].join("-");
    let time = [part(8, 10), part(10, 12), part(12, 14)].join(":");
    format!("{day}T{time}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types() {
        let koi8 = Charset::for_label("koi8-r").ok();
        for (value, charset) in [
            ("Text/HTML;CHARSET='koi8-r' ; x=y", koi8),
            ("text/html; charset=none", None),
            ("text/html", None),
            (
                "text/html; charset=iso-8859-5,text/html; charset=koi8-r",
                koi8,
            ),
            ("text/html; charset=koi8-r,text/html", koi8),
            ("text/plain; charset=koi8-r,text/html", None),
            ("text/html; charset=koi8-r,text,*/*, te xt/plain", koi8),
            (
                r#"text/html; x=";charset=iso-8859-5"; charset=koi8-r"#,
                koi8,
            ),
            (r#"text/html; x="\",text/plain"; charset="ko\i8-r""#, koi8),
        ] {
            assert_eq!(media_type(value), ("text/html".to_owned(), charset));
        }
    }

    #[test]
    fn dates() {
        assert_eq!(written_date("20010203040506"), "2001-02-03T04:05:06Z");
        assert_eq!(
            written_date("2001-02-03T04:05:06.7Z"),
            "2001-02-03T04:05:06.7Z"
        );
        assert_eq!(written_date("20010203"), "20010203");
    }
}
