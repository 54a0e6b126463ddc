//! Finds the links in running text: with a scheme, as bare domains, and as e-mail addresses, in any script and charset.
//!
//! [`links`](links()) is the short way. A [`Scanner`] has settings: a [`Profile`], kinds, schemes, top-level domains,
//! line breaks ([`Breaks`]). It reads a `&str` ([`Scanner::links`]) or the bytes of a charset in windows
//! ([`Scanner::scan`]). [`Scanner::format`] writes a link so that it is found again.
//!
//! The existence and the end of a link depend on its run alone: the stretch without white space around it, or the text
//! that angle brackets enclose ([`Scanner::runs`]). Detection follows Unicode Technical Standard 58, RFC 3986 appendix
//! C and RFC 3987 7.3; `docs/detection.md` of the repository has the rules.
//!
//! This crate knows no markup and opens no files. It scans bytes in which ASCII is ASCII, and asks a [`Decode`] for the
//! text around a trigger.
//!
//! ```
//! let text = "参照はhttp://example.org/é。 Mail ann@example.org!";
//! let links: Vec<_> = linkglot_scan::links(text).map(|hit| hit.link(text)).collect();
//! assert_eq!(links, ["http://example.org/é", "ann@example.org"]);
//! ```

mod angle;
mod block_search;
mod breaks;
mod bytes;
mod case;
mod class_ranges;
mod classes;
mod context;
mod disguised;
mod domain;
mod doubtful_end;
mod escapes;
mod evidence;
mod fast;
mod field_names;
mod find;
mod formatting;
mod host;
mod host_punctuation;
mod joined;
mod known_hosts;
mod label_starts;
mod line_ends;
mod links;
mod lists;
mod names;
mod native_domains;
mod overlong;
mod packed;
mod parted;
mod particles;
mod prefixes;
mod run;
mod scheme;
mod settings;
mod tail;
mod text;
mod torn;
mod triggers;
mod vectors;
mod wrapped;

#[cfg(test)]
mod tests;

pub use breaks::Breaks;
pub use doubtful_end::doubtful_end;
pub use evidence::Evidence;
pub use formatting::{Following, LinkParts};
pub use known_hosts::Hosts;
pub use links::Links;
pub use parted::Parted;
pub use run::Run;
pub use triggers::TriggerFilter;

use linkglot_charset::span::TextSpan;
use linkglot_charset::{Charset, MappedText};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// The rules that decide what is a link.
///
/// ```
/// use linkglot_scan::{Profile, Scanner};
/// let text = "example.org, README.md or http://localhost/";
/// let links = |profile| {
///     let scanner = Scanner::new(profile);
///     scanner.links(text).map(|hit| hit.span.of(text)).collect::<Vec<_>>()
/// };
/// assert_eq!(links(Profile::Extended), ["example.org", "http://localhost/"]);
/// assert_eq!(links(Profile::Uts58), ["example.org", "README.md"]);
/// assert_eq!(links(Profile::Scheme), ["http://localhost/"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Everything that a reader would take for a link: UTS 58, other schemes, and rules against false links (the
    /// default).
    #[default]
    Extended,
    /// Domains and e-mail addresses by Unicode Technical Standard 58 to the letter.
    Uts58,
    /// Only links with a scheme.
    Scheme,
}

/// Form in which a link in running text is written.
///
/// ```
/// use linkglot_scan::Kind;
///
/// let kinds = linkglot_scan::links("http://a.example b.org c@d.org").map(|hit| hit.kind);
/// assert!(kinds.eq([Kind::Absolute, Kind::Domain, Kind::Email]));
/// ```
// As wide as the other parts of a hit: writing a byte and copying it as part of a word stalls the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(usize)]
#[non_exhaustive]
pub enum Kind {
    /// With a scheme: `http://example.org/`, `tel:+15550100`.
    Absolute,
    /// As a domain and its tail: `example.org/a`. Implies `https`.
    Domain,
    /// As an e-mail address: `ann@example.org`. Implies `mailto`.
    Email,
}

/// A link that was found in a text.
///
/// ```
/// let text = "or example.org/a.";
/// let hit = linkglot_scan::links(text).next().unwrap();
/// assert_eq!((hit.span.start, hit.span.end), (3, 16));
/// assert_eq!(hit.span.of(text), "example.org/a");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The range of the link in bytes of the text.
    pub span: TextSpan,
    /// Form in which the link is written.
    pub kind: Kind,
    /// Evidence that the text is a link.
    pub evidence: Evidence,
}

/// A link that was found in a window of bytes; [`Scanner::scan`] has an example.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_scan::{Scanner, State};
///
/// let (scanner, mut state, mut hits) = (Scanner::default(), State::default(), Vec::new());
/// scanner.scan(b"see a.org", true, &Charset::UTF_8, &mut state, &mut hits);
/// assert_eq!((hits[0].range.clone(), hits[0].text().as_ref()), (4..9, "a.org"));
/// ```
#[derive(Debug)]
pub struct ByteHit<'w> {
    /// The range of the link in bytes of the window. Empty if the link is too long to be read (about 64 KiB).
    pub range: Range<usize>,
    /// Form in which the link is written.
    pub kind: Kind,
    /// Evidence that the text is a link.
    pub evidence: Evidence,
    /// True if the link ends with a hyphen at the end of a line, or in front of one: it may go on in the next line.
    pub hyphenated: bool,
    /// The end that readers do not see, if text beside the link looks like a part of it.
    pub parted: Option<Parted>,
    text: HitText<'w>,
}

/// The text of a link, decoded on demand.
#[derive(Debug)]
enum HitText<'w> {
    /// The bytes of a link without references, in a charset.
    Bytes(&'w [u8], Charset),
    Decoded(MappedText<'w>),
}

impl<'w> ByteHit<'w> {
    /// The text of the link without the white space inside of it (RFC 3986 appendix C). Empty if the link is too long
    /// to be read. Borrowed if the link is ASCII or UTF-8; else each call decodes the text, in time linear in its
    /// length.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_scan::{Scanner, State};
    ///
    /// let (scanner, mut state, mut hits) = (Scanner::default(), State::default(), Vec::new());
    /// scanner.scan(b"<http://a.example/\nb>", true, &Charset::UTF_8, &mut state, &mut hits);
    /// assert_eq!(hits[0].text(), "http://a.example/b");
    /// ```
    pub fn text(&self) -> Cow<'_, str> {
        match &self.text {
            HitText::Bytes(bytes, charset) => Charset::decode(*charset, bytes),
            HitText::Decoded(mapped) => Cow::Borrowed(mapped.text()),
        }
    }

    /// True if both links have the same text. Links with the same bytes are not decoded.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_scan::{Scanner, State};
    ///
    /// let (scanner, mut state, mut hits) = (Scanner::default(), State::default(), Vec::new());
    /// scanner.scan(b"a.org b.org a.org", true, &Charset::UTF_8, &mut state, &mut hits);
    /// assert!(hits[0].reads_as(&hits[2]) && !hits[0].reads_as(&hits[1]));
    /// ```
    pub fn reads_as(&self, other: &ByteHit<'_>) -> bool {
        match (&self.text, &other.text) {
            (HitText::Bytes(own, charset), HitText::Bytes(others, same))
                if own == others && charset == same =>
            {
                true
            }
            _ => self.text() == other.text(),
        }
    }

    /// The text of the link with its positions in bytes from the start of [`range`](Self::range) on.
    ///
    /// ```
    /// use linkglot_charset::{Charset, span::TextSpan};
    /// use linkglot_scan::{Scanner, State};
    ///
    /// let (scanner, mut state, mut hits) = (Scanner::default(), State::default(), Vec::new());
    /// scanner.scan(b"http://a.de/\xE9x", true, &Charset::WINDOWS_1252, &mut state, &mut hits);
    /// let text = hits.remove(0).into_mapped();
    /// assert_eq!(text.text(), "http://a.de/éx");
    /// assert_eq!(text.source(TextSpan::new(14, 15)), 13..14);
    /// ```
    pub fn into_mapped(self) -> MappedText<'w> {
        match self.text {
            HitText::Bytes(bytes, charset) => charset.decode_mapped(bytes),
            HitText::Decoded(mapped) => mapped,
        }
    }
}

/// Receives the links of a window one by one; [`Scanner::scan_each`] has an example.
pub trait Hits<'w> {
    /// Takes a link that consists of `bytes`, without references, from byte `start` of the window on. The parts of the
    /// hit are single arguments, since these fit into registers.
    fn plain(&mut self, start: usize, bytes: &'w [u8], kind: Kind, evidence: Evidence);
    /// Takes any other link.
    fn hit(&mut self, hit: ByteHit<'w>);
}

/// Collects the links in a list.
struct Listed<'h, 'w> {
    hits: &'h mut Vec<ByteHit<'w>>,
    charset: Charset,
}

impl<'w> Hits<'w> for Listed<'_, 'w> {
    fn plain(&mut self, start: usize, bytes: &'w [u8], kind: Kind, evidence: Evidence) {
        let charset = self.charset;
        // Constructed in place: moving the value would cost as much as building it.
        self.hits.extend(std::iter::once_with(|| ByteHit {
            range: start..start + bytes.len(),
            kind,
            evidence,
            hyphenated: false,
            parted: None,
            text: HitText::Bytes(bytes, charset),
        }));
    }

    fn hit(&mut self, hit: ByteHit<'w>) {
        self.hits.push(hit);
    }
}

/// Decoding of the bytes of a window to text: their charset, and the character references of the markup. A [`Charset`]
/// decodes text without references.
///
/// ```
/// use linkglot_charset::{Charset, MappedText};
/// use linkglot_scan::{Decode, Scanner, State};
///
/// // UTF-8 in which `&amp;` stands for `&`.
/// struct Escaped;
///
/// impl Decode for Escaped {
///     fn charset(&self) -> Charset {
///         Charset::UTF_8
///     }
///
///     fn has_references(&self) -> bool {
///         true
///     }
///
///     fn decode<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
///         let (mut text, mut at) = (MappedText::new(), 0);
///         for (number, piece) in Charset::UTF_8.decode(bytes).split("&amp;").enumerate() {
///             if number > 0 {
///                 text.push_unit("&", at..at + 5);
///                 at += 5;
///             }
///             text.push(piece, at..at + piece.len());
///             at += piece.len();
///         }
///         text
///     }
/// }
///
/// let (mut state, mut hits) = (State::default(), Vec::new());
/// let window = b"see http://example.org/?a&amp;b.";
/// Scanner::default().scan(window, true, &Escaped, &mut state, &mut hits);
/// assert_eq!(hits[0].text(), "http://example.org/?a&b");
/// assert_eq!(hits[0].range, 4..31);
/// ```
pub trait Decode {
    /// The charset of the bytes, in which ASCII must be ASCII ([`Charset::is_ascii_compatible`]). Text in other
    /// charsets, such as UTF-16, has to be transcoded first ([`Transcoder`](linkglot_charset::Transcoder)); no links
    /// are found in its bytes.
    fn charset(&self) -> Charset;
    /// True if `&` begins character references.
    fn has_references(&self) -> bool;
    /// Decodes bytes that begin and end between characters and not inside of a reference. ASCII without `&` must decode
    /// to itself: the scanner does not pass it.
    fn decode<'b>(&self, bytes: &'b [u8]) -> MappedText<'b>;
}

/// Text without references.
impl Decode for Charset {
    fn charset(&self) -> Charset {
        *self
    }

    fn has_references(&self) -> bool {
        false
    }

    fn decode<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
        self.decode_mapped(bytes)
    }
}

/// The state of a scanner between two windows of a run of text. [`State::default`] begins a run.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_scan::{Scanner, State};
///
/// let (scanner, mut state, mut hits) = (Scanner::default(), State::default(), Vec::new());
/// // The link goes on in the next window.
/// let keep = scanner.scan(b"see a.o", false, &Charset::UTF_8, &mut state, &mut hits);
/// assert!(hits.is_empty() && keep <= 4);
/// scanner.scan(&b"see a.org"[keep..], true, &Charset::UTF_8, &mut state, &mut hits);
/// assert_eq!(hits[0].text(), "a.org");
/// ```
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The number of bytes of the run in front of the window.
    origin: u64,
    /// The byte of the window where the search goes on.
    at: usize,
    /// No link begins in front of this byte of the window.
    floor: usize,
    /// The unread rest of a link that is too long, if that link goes on at `at`.
    rest: Option<overlong::OverlongRest>,
    /// Number of steps so far: the measure of the linearity tests.
    #[cfg(test)]
    steps: u64,
}

/// A scanner with its settings. Cheap to clone.
///
/// ```
/// use linkglot_scan::{Kind, Scanner};
///
/// let text = "Siehe example.org/straße, oder frag ute@example.org.";
/// let found: Vec<_> = Scanner::default()
///     .links(text)
///     .map(|hit| (hit.span.of(text), hit.kind))
///     .collect();
/// assert_eq!(
///     found,
///     [("example.org/straße", Kind::Domain), ("ute@example.org", Kind::Email)]
/// );
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scanner {
    profile: Profile,
    settings: settings::Settings,
}

/// The links of a text by [`Profile::Extended`], in order and disjoint. Linear in the length of the text. Hits are
/// ranges: nothing is copied.
///
/// ```
/// let text = "参照はhttp://example.org/。";
/// let hit = linkglot_scan::links(text).next().unwrap();
/// assert_eq!(hit.span.of(text), "http://example.org/");
/// ```
pub fn links(text: &str) -> Links<'_, 'static> {
    static SCANNER: OnceLock<Scanner> = OnceLock::new();
    Links::new(SCANNER.get_or_init(Scanner::default), text)
}

impl Scanner {
    /// A scanner for a profile.
    ///
    /// ```
    /// use linkglot_scan::{Profile, Scanner};
    /// let scanner = Scanner::new(Profile::Scheme);
    /// assert_eq!(scanner.links("example.org").count(), 0);
    /// ```
    #[cfg(feature = "settings")]
    pub fn new(profile: Profile) -> Self {
        Scanner {
            profile,
            settings: settings::Settings::default(),
        }
    }

    /// The links of a text, in order and disjoint. Links that are too long to be read (about 64 KiB) are left out.
    /// Linear in the length of the text.
    ///
    /// ```
    /// use linkglot_scan::Scanner;
    /// let text = "(see http://example.org/a_(b))";
    /// let scanner = Scanner::default();
    /// assert_eq!(scanner.links(text).next().unwrap().span.of(text), "http://example.org/a_(b)");
    /// ```
    pub fn links<'t>(&'t self, text: &'t str) -> Links<'t, 't> {
        Links::new(self, text)
    }

    /// Finds the links in the next window of a run of text, and appends the certain ones to `hits`, each once. Returns
    /// the number of bytes of the window that are no longer needed; `state` counts from there.
    ///
    /// The first window begins at the start of the run, with a fresh `state`. Each later window begins with the bytes
    /// that the call before needed, and has more behind them. `last` says that no window follows. The hits do not
    /// depend on the cuts.
    ///
    /// The bytes must be in a charset in which ASCII is ASCII, see [`Decode::charset`]. Linear in the length of the
    /// run, if each window adds some KiB. At most about 256 KiB are needed twice.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_scan::{Scanner, State};
    ///
    /// let charset = Charset::for_label("windows-1251").unwrap();
    /// let (scanner, mut state) = (Scanner::default(), State::default());
    /// let (mut window, mut begin, mut found) = (Vec::new(), 0, Vec::new());
    /// let chunks: [&[u8]; 3] = [b"see http://exam", b"ple.org/\xFF and www.exam", b"ple.com."];
    /// for (number, chunk) in chunks.iter().enumerate() {
    ///     window.extend_from_slice(chunk);
    ///     let (last, mut hits) = (number + 1 == chunks.len(), Vec::new());
    ///     let keep = scanner.scan(&window, last, &charset, &mut state, &mut hits);
    ///     for hit in hits {
    ///         found.push((begin + hit.range.start, hit.text().into_owned()));
    ///     }
    ///     window.drain(..keep);
    ///     begin += keep;
    /// }
    /// assert_eq!(found, [(4, "http://example.org/я".into()), (29, "www.example.com".into())]);
    /// ```
    pub fn scan<'w>(
        &self,
        window: &'w [u8],
        last: bool,
        decode: &dyn Decode,
        state: &mut State,
        hits: &mut Vec<ByteHit<'w>>,
    ) -> usize {
        let charset = decode.charset();
        let mut listed = Listed { hits, charset };
        self.scan_each(window, last, decode, state, &mut listed)
    }

    /// As [`scan`](Self::scan), but hands over the hits one by one.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_scan::{ByteHit, Evidence, Hits, Kind, Scanner, State};
    ///
    /// #[derive(Default)]
    /// struct Count(usize);
    ///
    /// impl<'w> Hits<'w> for Count {
    ///     fn plain(&mut self, _: usize, _: &'w [u8], _: Kind, _: Evidence) {
    ///         self.0 += 1;
    ///     }
    ///
    ///     fn hit(&mut self, _hit: ByteHit<'w>) {
    ///         self.0 += 1;
    ///     }
    /// }
    ///
    /// let (mut state, mut count) = (State::default(), Count::default());
    /// let window = b"http://example.org/ and <http://example.org/a\nb>";
    /// Scanner::default().scan_each(window, true, &Charset::UTF_8, &mut state, &mut count);
    /// assert_eq!(count.0, 2);
    /// ```
    pub fn scan_each<'w>(
        &self,
        window: &'w [u8],
        last: bool,
        decode: &dyn Decode,
        state: &mut State,
        hits: &mut dyn Hits<'w>,
    ) -> usize {
        bytes::scan(self, window, last, decode, state, hits)
    }
}

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
