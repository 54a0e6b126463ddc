//! Targets of links, by the `url` crate: the oracle of P4.

use super::{Seen, Subject, has_document_queries, nfc};
use linkglot::PlaceKind;
use std::borrow::Cow;
use url::Url;

/// The base of relative references if no base is given.
const SOMEWHERE: &str = "http://somewhere.invalid/folder/page";

/// Oracle for the links of one document.
pub struct Oracle<'o> {
    subject: &'o Subject,
    somewhere: Url,
}

impl<'o> Oracle<'o> {
    pub fn new(subject: &'o Subject) -> Self {
        let somewhere = Url::parse(SOMEWHERE).expect("a base");
        Oracle { subject, somewhere }
    }

    /// Resolves the link; `None` if it is not a URL. A link without a scheme in running text gets its implied scheme.
    fn resolve(&self, link: &Seen, text: &str) -> Option<Url> {
        let implied = link.implied;
        let text: Cow<'_, str> = match implied {
            Some("mailto") => mailto(text).into(),
            Some(scheme) => format!("{scheme}://{text}").into(),
            None => text.into(),
        };
        // A reader of Markdown renders destinations.
        let is_markdown = link.format.name() == "markdown";
        let text = if is_markdown && link.place.kind == PlaceKind::Link {
            rendered(&text).into()
        } else {
            text
        };
        let base = link.base.as_deref();
        let base = base.and_then(|base| self.somewhere.join(base).ok());
        let base = base.unwrap_or_else(|| self.somewhere.clone());
        let parser = Url::options().base_url(Some(&base));
        let plain = parser.parse(&text).ok()?;
        let is_own = |_: &_| has_document_queries(self.subject, link.format, &link.place);
        match query_charset(link).filter(is_own) {
            Some(encoding) if matches!(plain.scheme(), "http" | "https" | "ftp" | "file") => {
                let octets = move |query: &str| query_octets(query, encoding);
                parser
                    .encoding_override(Some(&|query| octets(query).into()))
                    .parse(&text)
                    .ok()
            }
            _ => Some(plain),
        }
    }

    /// The readings that count as this link: as written, and for charsets that are not Unicode's its NFC form (required
    /// by RFC 3987 3.1 step 1b; queries keep the characters of the document).
    fn readings(&self, link: &Seen) -> Vec<Option<Components>> {
        let mut texts = vec![link.text.clone()];
        if !link.charset.is_unicode() {
            texts.push(nfc(&link.text));
            texts.extend(Some(link.raw.clone()).filter(|raw| nfc(raw) == nfc(&link.text)));
        }
        texts
            .iter()
            .map(|text| self.resolve(link, text).map(|url| Components::of(&url)))
            .collect()
    }
}

/// The charset of the link's document for http(s) queries, if it is not UTF-8.
fn query_charset(link: &Seen) -> Option<&'static encoding_rs::Encoding> {
    encoding_rs::Encoding::for_label(link.charset.name().as_bytes())
        .map(encoding_rs::Encoding::output_encoding)
        .filter(|&encoding| encoding != encoding_rs::UTF_8)
}

/// The URI of a bare address (RFC 6068 2): every character of its local part stands only for itself.
fn mailto(address: &str) -> String {
    let (local, domain) = address.rsplit_once('@').unwrap_or((address, ""));
    let mut uri = String::from("mailto:");
    for ch in local.chars() {
        match u8::try_from(ch) {
            Ok(byte) if byte.is_ascii() && !is_unreserved(byte) => uri += &format!("%{byte:02X}"),
            _ => uri.push(ch),
        }
    }
    uri + "@" + domain
}

/// A destination of Markdown as CommonMark renders it, if the original would be another URL.
fn rendered(destination: &str) -> String {
    let encoded = [('\\', "%5C"), ('\t', "%09"), ('\n', "%0A"), ('\r', "%0D")];
    encoded
        .iter()
        .fold(destination.to_owned(), |text, &(ch, escape)| {
            text.replace(ch, escape)
        })
}

/// The octets of a query in a charset, with octets of characters beyond ASCII percent-encoded one by one, but for the
/// delimiters of forms, which browsers send as they are. A character that the charset lacks is WHATWG's `%26%23NNNN%3B`
/// (the crate itself would write a raw `&`).
fn query_octets(query: &str, encoding: &'static encoding_rs::Encoding) -> Vec<u8> {
    let mut octets = Vec::with_capacity(query.len());
    let mut rest = query;
    while !rest.is_empty() {
        let plain = rest.find(|c: char| !c.is_ascii()).unwrap_or(rest.len());
        octets.extend_from_slice(&rest.as_bytes()[..plain]);
        rest = &rest[plain..];
        let beyond = rest.find(|c: char| c.is_ascii()).unwrap_or(rest.len());
        escape_run(&rest[..beyond], encoding, &mut octets);
        rest = &rest[beyond..];
    }
    octets
}

fn escape_run(run: &str, encoding: &'static encoding_rs::Encoding, octets: &mut Vec<u8>) {
    let mut encoder = encoding.new_encoder();
    let (mut rest, mut buffer) = (run, [0_u8; 64]);
    loop {
        let (result, read, written) =
            encoder.encode_from_utf8_without_replacement(rest, &mut buffer, true);
        for octet in &buffer[..written] {
            match octet {
                b'&' | b'=' | b'+' | b';' => octets.push(*octet),
                octet => octets.extend_from_slice(format!("%{octet:02X}").as_bytes()),
            }
        }
        rest = &rest[read..];
        match result {
            encoding_rs::EncoderResult::InputEmpty => return,
            encoding_rs::EncoderResult::OutputFull => {}
            encoding_rs::EncoderResult::Unmappable(lacked) => {
                octets.extend_from_slice(format!("%26%23{}%3B", lacked as u32).as_bytes());
            }
        }
    }
}

/// The components of a URL, octet for octet.
#[derive(Debug, PartialEq)]
struct Components {
    authority: (String, String, Option<String>, Option<String>, Option<u16>),
    path: Vec<Octet>,
    query: Option<Vec<Octet>>,
    fragment: Option<Vec<Octet>>,
}

impl Components {
    fn of(url: &Url) -> Self {
        Components {
            authority: (
                url.scheme().to_owned(),
                normal(url.username()),
                url.password().map(normal),
                url.host_str().map(str::to_owned),
                url.port(),
            ),
            path: octets(url.path()),
            query: url.query().map(octets),
            fragment: url.fragment().map(octets),
        }
    }
}

/// An octet after percent-decoding; an escaped reserved character (or `%`) differs from the bare one.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Octet {
    Plain(u8),
    EscapedReserved(u8),
}

fn octets(text: &str) -> Vec<Octet> {
    let (bytes, mut at, mut octets) = (text.as_bytes(), 0, Vec::new());
    while at < bytes.len() {
        match escaped(bytes, at) {
            Some(byte) if is_reserved(byte) => octets.push(Octet::EscapedReserved(byte)),
            Some(byte) => octets.push(Octet::Plain(byte)),
            None => octets.push(Octet::Plain(bytes[at])),
        }
        at += if escaped(bytes, at).is_some() { 3 } else { 1 };
    }
    octets
}

fn escaped(bytes: &[u8], at: usize) -> Option<u8> {
    let digits = bytes.get(at..at + 3)?.strip_prefix(b"%")?;
    let digits = std::str::from_utf8(digits)
        .ok()
        .filter(|d| !d.starts_with('+'))?;
    u8::from_str_radix(digits, 16).ok()
}

/// RFC 3986 2.2, and `%`, which an escape never replaces.
fn is_reserved(byte: u8) -> bool {
    b":/?#[]@!$&'()*+,;=%".contains(&byte)
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

/// A reference up to the case of hex digits and escapes of unreserved characters.
pub fn normal(text: &str) -> String {
    let (bytes, mut at, mut normal) = (text.as_bytes(), 0, Vec::new());
    while at < bytes.len() {
        match escaped(bytes, at) {
            Some(byte) if is_unreserved(byte) => normal.push(byte),
            Some(byte) => normal.extend_from_slice(format!("%{byte:02X}").as_bytes()),
            None => normal.push(bytes[at]),
        }
        at += if escaped(bytes, at).is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&normal).into_owned()
}

/// Compares the targets of a link before and after.
pub fn compare(oracle: &Oracle<'_>, was: &Seen, is: &Seen) -> Result<(), String> {
    let (before, after) = (oracle.readings(was), oracle.readings(is));
    if agree(&before, &after) {
        return Ok(());
    }
    Err(format!(
        "`{}` became `{}`: {:?} became {:?}",
        was.text,
        is.text,
        oracle.resolve(was, &was.text).map(String::from),
        oracle.resolve(is, &is.text).map(String::from)
    ))
}

/// Each component must agree in some pair of readings (path and query are normalized by different rules).
fn agree(before: &[Option<Components>], after: &[Option<Components>]) -> bool {
    let some = |same: &dyn Fn(&Components, &Components) -> bool| {
        before
            .iter()
            .flatten()
            .any(|b| after.iter().flatten().any(|a| same(b, a)))
    };
    let neither = before.iter().all(Option::is_none) && after.iter().all(Option::is_none);
    neither
        || some(&|b, a| b.authority == a.authority)
            && some(&|b, a| b.path == a.path)
            && some(&|b, a| b.query == a.query)
            && some(&|b, a| b.fragment == a.fragment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_reserved_characters_are_told_apart() {
        assert_eq!(octets("a%2Db%c3"), octets("a-b%C3"));
        assert_ne!(octets("a%2Fb"), octets("a/b"));
        assert_ne!(octets("a%252F"), octets("a%2F"));
        assert_eq!(octets("a%+1"), octets("a%+1"));
        assert_eq!(normal("%7e%c3%a9%2f"), "~%C3%A9%2F");
    }

    #[test]
    fn addresses_are_themselves() {
        assert_eq!(
            mailto("a?b#c%41@x.example"),
            "mailto:a%3Fb%23c%2541@x.example"
        );
        assert_eq!(mailto("\"a@b\"@x.example"), "mailto:%22a%40b%22@x.example");
        assert_eq!(mailto("josé@é.example"), "mailto:josé@é.example");
    }

    #[test]
    fn queries_are_in_the_charset_octet_by_octet() {
        let sjis = encoding_rs::SHIFT_JIS;
        assert_eq!(query_octets("a=\u{30a2}&b", sjis), b"a=%83%41&b");
        let latin = encoding_rs::WINDOWS_1252;
        assert_eq!(query_octets("\u{ff}\u{3b1}", latin), b"%FF%26%23945%3B");
    }
}
