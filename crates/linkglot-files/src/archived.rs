//! The record of an archive of the web that a document comes from.

use linkglot::{Charset, Format, Settings};
use linkglot_archive::warc::{Header, Record};
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
        Archived {
            record: record.id().map(text),
            target: record.target().map(|target| text(target).into()),
            date: record.date().map(|date| written_date(&text(date))),
            format: None,
            charset: None,
        }
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
        let value = match http {
            Some(http) => http.get("Content-Type"),
            None => record.media_type(),
        };
        let value = String::from_utf8_lossy(value.unwrap_or_default());
        let (media_type, charset) = media_type(&value);
        if MEDIA.iter().any(|media| media_type.starts_with(media)) && media_type != "image/svg+xml"
        {
            return None;
        }
        // Scripts are read as their files are, by name and content.
        let is_script = media_type.ends_with("javascript");
        Some(Archived {
            format: Format::for_media_type(&media_type).filter(|_| !is_script),
            charset,
            ..self.clone()
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

/// The type in lower case, and the charset of `text/html; charset=koi8-r`. As in browsers, a label that no charset has
/// declares nothing.
fn media_type(value: &str) -> (String, Option<Charset>) {
    let mut parts = value.split(';');
    let media_type = parts.next().unwrap_or_default().trim();
    let label = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        let is_charset = name.trim().eq_ignore_ascii_case("charset");
        is_charset.then(|| value.trim().trim_matches(['"', '\'']))
    });
    let charset = label.and_then(|label| Charset::for_label(label).ok());
    (media_type.to_ascii_lowercase(), charset)
}

/// A date of ARC as WARC writes it. Others stay.
fn written_date(date: &str) -> String {
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
