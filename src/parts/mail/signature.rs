//! The parts of messages that signatures cover.

use memchr::memmem::Finder;
use std::sync::LazyLock;

/// The ends of the names of header fields that sign a header and a body (RFC 6376, RFC 8617); also those of senders for
/// themselves (`X-Google-DKIM-Signature`).
const SIGNATURES: [&[u8]; 2] = [b"dkim-signature", b"arc-message-signature"];

/// The signature of control messages of news, which covers the fields that it names and all of the body.
const OF_NEWS: &[u8] = b"x-pgp-sig";

/// The signature before DKIM, which covers all of the body (RFC 4870 3.1).
const DOMAIN_KEY: &[u8] = b"domainkey-signature";

/// The first line of an encrypted message of OpenPGP (RFC 9580 6.2).
const ENCRYPTED_TEXT: &[u8] = b"-----BEGIN PGP MESSAGE-----";

/// The parts of a message that the signatures in its header cover.
#[derive(Clone, Debug, Default)]
pub(super) struct Signatures {
    /// The names of header fields, in lower case.
    fields: Vec<Vec<u8>>,
    /// The covered part of the body, if any.
    body: Option<Extent>,
}

/// The covered part of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Whole,
    Octets { count: u64, canonical: Canonical },
}

/// The canonical form of a digested body (RFC 6376 3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Canonical {
    Simple,
    Relaxed,
}

impl Canonical {
    /// The form of the body in the value of a tag, `relaxed/simple`; `Simple` if the value has none. An unknown form
    /// counts as relaxed, which covers no less.
    fn of_body(value: &[u8]) -> Self {
        let slash = memchr::memchr(b'/', value);
        let body = slash.map(|at| value[at + 1..].trim_ascii());
        if body.is_none_or(|body| body.eq_ignore_ascii_case(b"simple")) {
            Canonical::Simple
        } else {
            Canonical::Relaxed
        }
    }
}

impl Signatures {
    /// The signatures among header fields, which are pairs of name and value.
    pub fn of<'f>(fields: impl Iterator<Item = (&'f [u8], &'f [u8])>) -> Self {
        let mut signatures = Signatures::default();
        for (name, value) in fields {
            if name.eq_ignore_ascii_case(DOMAIN_KEY) {
                signatures.add(value);
                signatures.body = Some(Extent::Whole);
                continue;
            }
            if name.eq_ignore_ascii_case(OF_NEWS) {
                signatures.add_of_news(value);
                continue;
            }
            let is_signature = |known: &&[u8]| {
                let end = name.len().checked_sub(known.len()).map(|at| &name[at..]);
                end.is_some_and(|end| end.eq_ignore_ascii_case(known))
            };
            if SIGNATURES.iter().any(is_signature) {
                signatures.add(value);
            }
        }
        signatures
    }

    /// Adds the value of a signature of news: a version, names of fields, the signature.
    fn add_of_news(&mut self, value: &[u8]) {
        let words = value.split(u8::is_ascii_whitespace);
        let names = words.filter(|word| !word.is_empty()).nth(1);
        let names = names.unwrap_or_default().split(|byte| *byte == b',');
        self.fields.extend(names.map(<[u8]>::to_ascii_lowercase));
        self.body = Some(Extent::Whole);
    }

    /// Adds the value of a signature field: a list of tags (RFC 6376 3.2).
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
        let canonical = tag(b"c").map_or(Canonical::Simple, Canonical::of_body);
        let length = tag(b"l").and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
        let extent = length.map_or(Extent::Whole, |count| Extent::Octets { count, canonical });
        self.body = match (self.body, extent) {
            (None, extent) => Some(extent),
            (Some(known), extent) if known == extent => Some(known),
            // Two lengths may count in different ways.
            _ => Some(Extent::Whole),
        };
    }

    /// True if a header field is covered.
    pub fn covers_field(&self, name: &[u8]) -> bool {
        let mut fields = self.fields.iter();
        fields.any(|known| known.eq_ignore_ascii_case(name))
    }

    /// A counter of the covered part of the body; `None`: nothing is covered. In a mailbox a line may begin with a `>`
    /// that the signed message did not have (RFC 4155).
    pub fn body(&self, is_in_mailbox: bool) -> Option<Cover> {
        Some(match self.body? {
            Extent::Whole => Cover::Whole,
            Extent::Octets { count, canonical } => Cover::Counted(Counter {
                left: count,
                canonical,
                is_in_mailbox,
                state: Line::Begin,
            }),
        })
    }
}

/// The covered rest of a body, while the body is read.
#[derive(Clone, Debug)]
pub(super) enum Cover {
    Whole,
    Counted(Counter),
}

impl Cover {
    /// True if the next byte is covered.
    pub fn goes_on(&self) -> bool {
        match self {
            Cover::Whole => true,
            Cover::Counted(counter) => counter.left > 0,
        }
    }

    /// Counts the next bytes of the body; returns the number of covered ones.
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
    is_in_mailbox: bool,
    state: Line,
}

/// The state of the line after the last byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Begin,
    Text,
    Blank,
    CarriageReturn,
}

impl Counter {
    fn advance(&mut self, bytes: &[u8]) -> usize {
        let end = bytes.iter().position(|&byte| !self.covers(byte));
        end.unwrap_or(bytes.len())
    }

    /// Counts the next byte; returns if it is covered. Every line end counts as CR LF, as in mail on its way. Relaxed:
    /// blanks at the end of a line do not count, other blanks count once, with the byte behind them.
    fn covers(&mut self, byte: u8) -> bool {
        let is_relaxed = self.canonical == Canonical::Relaxed;
        let (octets, state) = match byte {
            b'\n' => (2, Line::Begin),
            b'\r' => (0, Line::CarriageReturn),
            b' ' | b'\t' if is_relaxed => (0, Line::Blank),
            b'>' if self.is_in_mailbox && self.state == Line::Begin => (0, Line::Begin),
            _ => (1, Line::Text),
        };
        let blank = u64::from(self.state == Line::Blank && state == Line::Text);
        if self.left <= blank {
            self.left = 0;
            return false;
        }
        self.state = state;
        self.left = self.left.saturating_sub(blank + octets);
        true
    }
}

/// The number of encrypted messages of OpenPGP within a text.
pub(super) fn encrypted_texts(text: &[u8]) -> u64 {
    static FINDER: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(ENCRYPTED_TEXT));
    let begins_line = |at: &usize| *at == 0 || text[*at - 1] == b'\n';
    FINDER.find_iter(text).filter(begins_line).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: &str) -> Signatures {
        let fields: [(&[u8], &[u8]); 1] = [(b"DKIM-Signature", value.as_bytes())];
        Signatures::of(fields.into_iter())
    }

    fn covered(value: &str, body: &str) -> Option<usize> {
        Some(of(value).body(false)?.advance(body.as_bytes()))
    }

    #[test]
    fn bodies() {
        assert_eq!(covered("v=1; h=from:to", "body"), None);
        assert_eq!(covered("v=1; bh=x", "body"), Some(4));
        assert_eq!(covered("bh=x; l=2", "body"), Some(2));
        assert_eq!(covered("bh=x; l=0", "body"), Some(0));
        // A line feed counts as two octets.
        assert_eq!(covered("bh=x; l=4", "a\nbc"), Some(3));
        assert_eq!(covered("bh=x; l=4", "a\r\nbc"), Some(4));
        let relaxed = "bh=x; c=relaxed/relaxed; l=5";
        assert_eq!(covered(relaxed, "a  \t b \r\ncd"), Some(9));
        // The blanks are covered, and the byte behind them is not.
        assert_eq!(covered("bh=x; c=simple/relaxed; l=2", "a  b"), Some(3));
        assert_eq!(covered("bh=x; c=simple/relaxed; l=3", "a  b"), Some(4));
        assert_eq!(covered("bh=x; c=relaxed; l=3", "a  b"), Some(3));
        // The rest of a line end is covered, too.
        assert_eq!(covered("bh=x; l=1", "\nb"), Some(1));
    }

    #[test]
    fn quotes_of_mailboxes_do_not_count() {
        let cover = |is_in_mailbox| {
            let body = of("bh=x; l=6").body(is_in_mailbox);
            body.map(|mut cover| cover.advance(b">From a"))
        };
        assert_eq!((cover(true), cover(false)), (Some(7), Some(6)));
    }

    #[test]
    fn fields() {
        let signatures = of("bh=x; h=From : List-Help;");
        assert!(signatures.covers_field(b"list-help") && !signatures.covers_field(b"Subject"));
    }

    #[test]
    fn other_signatures() {
        for (name, value) in [
            ("X-Google-DKIM-Signature", "v=1; h=list-help; bh=x"),
            ("ARC-Message-Signature", "i=1; h=List-Help; bh=x"),
            (
                "X-PGP-Sig",
                " 2.6.3a Subject,List-Help,Date\n\tiQCVAw\n\t=aB1c",
            ),
            ("DomainKey-Signature", "h=list-help"),
        ] {
            let fields = [(name.as_bytes(), value.as_bytes())];
            let signatures = Signatures::of(fields.into_iter());
            assert!(signatures.covers_field(b"List-Help"), "{name}");
            assert!(!signatures.covers_field(b"List-Post"), "{name}");
            let covered = signatures.body(false).map(|mut cover| cover.advance(b"a"));
            assert_eq!(covered, Some(1), "{name}");
        }
        let fields = [(&b"X-DKIM-Signature-Status"[..], &b"h=list-help; bh=x"[..])];
        assert!(Signatures::of(fields.into_iter()).body(false).is_none());
    }

    #[test]
    fn encrypted_messages() {
        assert_eq!(encrypted_texts(b"> -----BEGIN PGP MESSAGE-----\n"), 0);
        assert_eq!(encrypted_texts(b"-----BEGIN PGP MESSAGE-----\n"), 1);
    }
}
