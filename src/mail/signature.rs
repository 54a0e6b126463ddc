//! What signatures in messages cover.

use crate::link::Signed;
use memchr::memmem::{self, Finder};
use std::ops::Range;
use std::sync::LazyLock;

/// The fields that sign a header and a body (RFC 6376, RFC 8617).
const SIGNATURES: [&[u8]; 2] = [b"dkim-signature", b"arc-message-signature"];

/// The signature before DKIM, of all of the body (RFC 4870 3.1).
const DOMAIN_KEY: &[u8] = b"domainkey-signature";

/// The beginning of cleartext that is signed, and of its signature (RFC 9580 section 7).
const SIGNED_TEXT: &[u8] = b"-----BEGIN PGP SIGNED MESSAGE-----";
const SIGNATURE: &[u8] = b"-----BEGIN PGP SIGNATURE-----";
const ENCRYPTED_TEXT: &[u8] = b"-----BEGIN PGP MESSAGE-----";

/// What the signatures in the header of a message cover.
#[derive(Clone, Debug, Default)]
pub(super) struct Signatures {
    /// The names of header fields, in lower case.
    fields: Vec<Vec<u8>>,
    /// The body: all of it, or as many octets of its canonical form; `None`: nothing.
    body: Option<Extent>,
}

/// How much of a body is covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Whole,
    Octets { count: u64, canonical: Canonical },
}

/// How a body is prepared for its digest (RFC 6376 3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Canonical {
    Simple,
    Relaxed,
}

impl Signatures {
    /// Those among header fields, given by name and value.
    pub fn of<'f>(fields: impl Iterator<Item = (&'f [u8], &'f [u8])>) -> Self {
        let mut signatures = Signatures::default();
        for (name, value) in fields {
            if name.eq_ignore_ascii_case(DOMAIN_KEY) {
                signatures.add(value);
                signatures.body = Some(Extent::Whole);
                continue;
            }
            let is_signature = |known: &&[u8]| known.eq_ignore_ascii_case(name);
            if SIGNATURES.iter().any(is_signature) {
                signatures.add(value);
            }
        }
        signatures
    }

    /// The value of a signature field: a list of tags (RFC 6376 3.2).
    fn add(&mut self, value: &[u8]) {
        let tag = |name: &[u8]| {
            let mut tags = value.split(|byte| *byte == b';');
            tags.find_map(|tag| {
                let at = memchr::memchr(b'=', tag)?;
                (tag[..at].trim_ascii() == name).then(|| tag[at + 1..].trim_ascii())
            })
        };
        let fields = tag(b"h").unwrap_or_default().split(|byte| *byte == b':');
        self.fields
            .extend(fields.map(|name| name.trim_ascii().to_ascii_lowercase()));
        if tag(b"bh").is_none() {
            return;
        }
        let canonical = match tag(b"c").unwrap_or_default().ends_with(b"/relaxed") {
            true => Canonical::Relaxed,
            false => Canonical::Simple,
        };
        let length = tag(b"l").and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
        let extent = length.map_or(Extent::Whole, |count| Extent::Octets { count, canonical });
        self.body = match (self.body, extent) {
            (None, extent) => Some(extent),
            (Some(known), extent) if known == extent => Some(known),
            // The greater of two lengths would have to be counted in two ways.
            _ => Some(Extent::Whole),
        };
    }

    /// Whether a header field is covered.
    pub fn covers_field(&self, name: &[u8]) -> bool {
        let mut fields = self.fields.iter();
        fields.any(|known| known.eq_ignore_ascii_case(name))
    }

    /// What follows how much of the body is covered; `None`: nothing is.
    pub fn body(&self) -> Option<Cover> {
        Some(match self.body? {
            Extent::Whole => Cover::Whole,
            Extent::Octets { count, canonical } => Cover::Counted(Counter {
                left: count,
                canonical,
                state: Line::Text,
            }),
        })
    }
}

/// The rest of a body that a signature covers, as the body is read.
#[derive(Clone, Debug)]
pub(super) enum Cover {
    Whole,
    Counted(Counter),
}

impl Cover {
    /// Whether the next byte is covered.
    pub fn goes_on(&self) -> bool {
        match self {
            Cover::Whole => true,
            Cover::Counted(counter) => counter.left > 0,
        }
    }

    /// How many of the next bytes of the body are covered.
    pub fn advance(&mut self, bytes: &[u8]) -> usize {
        match self {
            Cover::Whole => bytes.len(),
            Cover::Counted(counter) => counter.advance(bytes),
        }
    }
}

/// Counts the octets of a canonical body.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    left: u64,
    canonical: Canonical,
    state: Line,
}

/// What the last byte was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Text,
    Blank,
    CarriageReturn,
}

impl Counter {
    fn advance(&mut self, bytes: &[u8]) -> usize {
        let mut covered = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            if self.left == 0 {
                return covered;
            }
            self.count(byte);
            covered = at + 1;
        }
        covered
    }

    /// A line end counts as CR LF, however it is written: mail is sent so. Relaxed: blanks at the end of a line do not count,
    /// others count once.
    fn count(&mut self, byte: u8) {
        let is_relaxed = self.canonical == Canonical::Relaxed;
        let (octets, state) = match byte {
            b'\n' => (2, Line::Text),
            b'\r' => (0, Line::CarriageReturn),
            b' ' | b'\t' if is_relaxed => (0, Line::Blank),
            _ if self.state == Line::Blank => (2, Line::Text),
            _ => (1, Line::Text),
        };
        self.state = state;
        self.left = self.left.saturating_sub(octets);
    }
}

/// Whether a text may hold messages of OpenPGP (RFC 9580 6.2). Most texts do not.
pub(super) fn has_armor(text: &[u8]) -> bool {
    static ARMOR: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b"-----BEGIN PGP "));
    ARMOR.find(text).is_some()
}

/// The bytes of a text that OpenPGP signs within it.
pub(super) fn signed_text(text: &[u8]) -> Signed {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    let mut from = 0;
    while let Some(begin) = line(text, from, SIGNED_TEXT) {
        let end = line(text, begin, SIGNATURE).unwrap_or(text.len());
        ranges.push(begin as u64..end as u64);
        from = end;
    }
    match ranges.is_empty() {
        true => Signed::Nothing,
        false => Signed::Ranges(ranges),
    }
}

/// How many messages of OpenPGP are encrypted within a text.
pub(super) fn encrypted_texts(text: &[u8]) -> u64 {
    let (mut count, mut from) = (0, 0);
    while let Some(begin) = line(text, from, ENCRYPTED_TEXT) {
        count += 1;
        from = begin + 1;
    }
    count
}

/// Where a line that begins with `mark` begins, from `from` on.
fn line(text: &[u8], from: usize, mark: &[u8]) -> Option<usize> {
    let found = memmem::find_iter(&text[from..], mark);
    let is_begin = |at: &usize| *at == 0 || text[*at - 1] == b'\n';
    found.map(|at| at + from).find(is_begin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: &str) -> Signatures {
        let fields: [(&[u8], &[u8]); 1] = [(b"DKIM-Signature", value.as_bytes())];
        Signatures::of(fields.into_iter())
    }

    fn covered(value: &str, body: &str) -> Option<usize> {
        Some(of(value).body()?.advance(body.as_bytes()))
    }

    #[test]
    fn bodies() {
        assert_eq!(covered("v=1; h=from:to", "body"), None);
        assert_eq!(covered("v=1; bh=x", "body"), Some(4));
        assert_eq!(covered("bh=x; l=2", "body"), Some(2));
        assert_eq!(covered("bh=x; l=0", "body"), Some(0));
        // A line feed is sent as two octets.
        assert_eq!(covered("bh=x; l=4", "a\nbc"), Some(3));
        assert_eq!(covered("bh=x; l=4", "a\r\nbc"), Some(4));
        let relaxed = "bh=x; c=relaxed/relaxed; l=5";
        assert_eq!(covered(relaxed, "a  \t b \r\ncd"), Some(9));
    }

    #[test]
    fn fields() {
        let signatures = of("bh=x; h=From : List-Help;");
        assert!(signatures.covers_field(b"list-help") && !signatures.covers_field(b"Subject"));
    }

    #[test]
    fn cleartext() {
        let text = "a\n-----BEGIN PGP SIGNED MESSAGE-----\nb\n-----BEGIN PGP SIGNATURE-----\nc";
        let Signed::Ranges(ranges) = signed_text(text.as_bytes()) else {
            panic!("a signed text");
        };
        let covered = &text[ranges[0].start as usize..ranges[0].end as usize];
        assert!(covered.ends_with("\nb\n"));
        assert!(matches!(
            signed_text(b"> -----BEGIN PGP SIGNED MESSAGE-----\n"),
            Signed::Nothing
        ));
        assert_eq!(encrypted_texts(b"-----BEGIN PGP MESSAGE-----\n"), 1);
    }
}
