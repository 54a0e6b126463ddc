//! Links in running text.
//!
//! It must not know markup. It sees bytes of which the safe ones mean themselves, and asks a
//! [`Decode`] for the text around a find.

mod angle;
mod breaks;
mod bytes;
mod class_ranges;
mod classes;
mod context;
mod domain;
mod escapes;
mod find;
mod flowed;
mod formatting;
mod host;
mod joined;
mod label_starts;
mod links;
mod lists;
mod overlong;
mod vectors;

mod block_search;
mod fast;
mod field_names;
mod host_punctuation;
mod native_domains;
mod particles;
mod prefixes;
mod run;
mod scheme;
mod settings;
mod tail;
mod text;
mod triggers;

#[cfg(test)]
mod tests;

pub use breaks::Breaks;
pub use formatting::Following;
pub use formatting::LinkParts;
pub use links::Links;
pub use run::Run;
pub use triggers::TriggerFilter;

use linkglot_charset::span::TextSpan;
use linkglot_charset::{Charset, MappedText};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// How links are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Everything a reader would take for a link (the default).
    #[default]
    Extended,
    /// Unicode Technical Standard 58 to the letter.
    Uts58,
    /// Only links with an explicit scheme.
    Scheme,
}

/// What a link in text is.
// As wide as the hits' other parts: a part that is written as a byte and copied as a word stalls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(usize)]
#[non_exhaustive]
pub enum Kind {
    /// It has a scheme of its own.
    Absolute,
    /// A domain name with what follows it; `https` is implied.
    Domain,
    /// An e-mail address; `mailto` is implied.
    Email,
}

/// A link in a text: where, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Bytes of the text.
    pub span: TextSpan,
    /// What it is.
    pub kind: Kind,
}

/// A link in a window of bytes.
#[derive(Debug)]
pub struct ByteHit<'w> {
    /// Window bytes. Empty for a link that is too long to be read (about 64 KiB).
    pub range: Range<usize>,
    /// What it is.
    pub kind: Kind,
    text: HitText<'w>,
}

/// The text of a link in bytes.
#[derive(Debug)]
enum HitText<'w> {
    /// That of bytes without references, in a charset: decoded for who asks for it.
    Bytes(&'w [u8], Charset),
    Decoded(MappedText<'w>),
}

impl<'w> ByteHit<'w> {
    /// The link as text, without the white space that RFC 3986 appendix C has removed. Empty for a link that is too long to be
    /// read. Borrowed in ASCII and UTF-8, and else decoded with each call, O(its length), if it has other characters.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.text {
            HitText::Bytes(bytes, charset) => Charset::decode(*charset, bytes),
            HitText::Decoded(mapped) => Cow::Borrowed(mapped.text()),
        }
    }

    /// Whether it has the text of another one.
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

    /// The same with the place of each character, relative to the begin of [`range`](Self::range).
    pub fn into_mapped(self) -> MappedText<'w> {
        match self.text {
            HitText::Bytes(bytes, charset) => charset.decode_mapped(bytes),
            HitText::Decoded(mapped) => mapped,
        }
    }
}

/// What takes the links of a window, one by one.
pub trait Hits<'w> {
    /// A link that is these bytes of the window from `start` on, without references. In parts, since all of them fit into
    /// registers.
    fn plain(&mut self, start: usize, bytes: &'w [u8], kind: Kind);
    /// Any other.
    fn hit(&mut self, hit: ByteHit<'w>);
}

/// Puts all of them into a list.
struct Listed<'h, 'w> {
    hits: &'h mut Vec<ByteHit<'w>>,
    charset: Charset,
}

impl<'w> Hits<'w> for Listed<'_, 'w> {
    fn plain(&mut self, start: usize, bytes: &'w [u8], kind: Kind) {
        let charset = self.charset;
        // Made where it is to lie: to move it there costs as much as to make it.
        self.hits.extend(std::iter::once_with(|| ByteHit {
            range: start..start + bytes.len(),
            kind,
            text: HitText::Bytes(bytes, charset),
        }));
    }

    fn hit(&mut self, hit: ByteHit<'w>) {
        self.hits.push(hit);
    }
}

/// How the bytes of a window become text: their charset, and the references of the markup. A [`Charset`] is one, for text
/// without references.
pub trait Decode {
    /// The charset of the bytes: one in which ASCII is ASCII ([`Charset::is_ascii_compatible`]). Bytes of another, as
    /// UTF-16, are to be transcoded first ([`Transcoder`](linkglot_charset::Transcoder)); in them nothing is found.
    fn charset(&self) -> Charset;
    /// Whether `&` begins character references here.
    fn has_references(&self) -> bool;
    /// The text of bytes that begin and end at a character (and not inside a reference). ASCII
    /// bytes without `&` are not asked for: they must be themselves.
    fn decode<'b>(&self, bytes: &'b [u8]) -> MappedText<'b>;
}

/// Bytes without references.
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

/// The scanner's state between two windows of one run of text.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The window's first byte, counted from the run's begin.
    origin: u64,
    /// Where in the window the search goes on.
    at: usize,
    /// No link may begin in front of this.
    floor: usize,
    /// The rest of a link that is too long goes on at `at`.
    rest: Option<overlong::OverlongRest>,
    /// How many steps it took: what the linearity tests measure.
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

/// The links of a text as a reader would see them ([`Profile::Extended`]), in order, disjoint.
/// Cost: linear in the length of the text; what comes back are ranges, and nothing is copied.
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
    pub fn new(profile: Profile) -> Self {
        Scanner {
            profile,
            settings: settings::Settings::default(),
        }
    }

    /// The links of a text, in order, disjoint. One that is too long to be read (about 64 KiB) is passed over as a whole.
    /// Cost: linear in the length of the text.
    pub fn links<'t>(&'t self, text: &'t str) -> Links<'t, 't> {
        Links::new(self, text)
    }

    /// The links of one more window of a run of text. `window` begins where the last call said
    /// to keep from (or at the run's begin with a fresh `state`), and grows until `last`. Hits that
    /// are certain go to `hits`, each once; what comes back is the position in the window from
    /// which bytes are needed again, with the state positioned there. The hits do not depend on how the run is cut.
    ///
    /// The charset of the bytes must be one in which ASCII is ASCII, see [`Decode::charset`]. Cost: linear in the length of
    /// the run, if windows grow as it comes; a window is some KiB at least, and at most about 256 KiB of it are kept.
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

    /// [`scan`](Self::scan), with the hits one by one.
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
