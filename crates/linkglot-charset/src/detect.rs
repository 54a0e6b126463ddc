//! Detection: the charset of a document without a mark or a declaration.
//!
//! Exact evidence comes first: the form of UTF-16 and UTF-32, the shift sequences of seven-bit charsets, valid UTF-8.
//! Any other document is taken to be in its most probable charset.

use crate::ascii::is_space;
use crate::certainty::Certainty;
use crate::charset::Charset;
use crate::codec::rest_of;
use crate::decoded::{DecodedChar, End, Shift};
use crate::known_bytes::KnownBytes;
use crate::posterior::Posterior;

/// UTF-16, UTF-32 or a seven-bit charset without a mark or a declaration.
pub(crate) fn not_ascii_compatible(head: &[u8], end: End, has_utf_32: bool) -> Option<Charset> {
    if memchr::memchr(0, head).is_none() {
        return seven_bits(head, end);
    }
    let utf_32 = [Charset::UTF_32LE, Charset::UTF_32BE];
    let mut utf_32 = utf_32.into_iter().filter(|_| has_utf_32);
    let found = utf_32.find(|charset| is_utf_32_text(*charset, head, end));
    // Short Chinese text makes sense in both byte orders; the right one has more ASCII.
    let ascii_in = |charset| Some((utf_16_ascii(charset, head, end)?, charset));
    found.or_else(|| {
        let little = ascii_in(Charset::UTF_16LE);
        let big = ascii_in(Charset::UTF_16BE);
        let (_, charset) = little
            .into_iter()
            .chain(big)
            .max_by_key(|(ascii, _)| *ascii)?;
        Some(charset)
    })
}

/// A charset that shifts between ASCII and others in seven bits.
pub(crate) fn seven_bits(head: &[u8], end: End) -> Option<Charset> {
    const ESC: u8 = 0x1B;
    // Most texts have no shifts of either kind.
    memchr::memchr2(ESC, b'~', head)?;
    let has_escape = memchr::memchr(ESC, head).is_some();
    let may_be_hz = !has_escape && hz_shifts(head).next().is_some();
    if may_be_hz && head.is_ascii() {
        return Charset::named("HZ-GB-2312").filter(|hz| is_hz(*hz, head, end));
    }
    if !has_escape || !head.is_ascii() {
        return None;
    }
    let has_sequence = |sequence: &str| memchr::memmem::find(head, sequence.as_bytes()).is_some();
    let has_sequence = |sequences: &[&str]| sequences.iter().any(|sequence| has_sequence(sequence));
    let charsets = [
        (Charset::ISO_2022_KR, &["\x1B$)C"][..]),
        (Charset::ISO_2022_CN, &["\x1B$)A", "\x1B$)G", "\x1B$)E"]),
        (Charset::ISO_2022_JP, &["\x1B$", "\x1B("]),
    ];
    let mut charsets = charsets.into_iter();
    let found = charsets.find(|(charset, sequences)| {
        has_sequence(sequences) && is_well_formed_cjk(*charset, head, end)
    });
    found.map(|(charset, _)| charset)
}

/// The places where HZ would shift to GB 2312.
fn hz_shifts(head: &[u8]) -> impl Iterator<Item = usize> {
    let tildes = memchr::memchr_iter(b'~', head);
    tildes.filter(|at| head.get(at + 1) == Some(&b'{'))
}

/// True if all text between `~{` and `~}` is well-formed GB 2312, most of it of the first level: the 3755 more frequent
/// characters. Pairs of small Latin letters are all in the second level, so that code and templates with `~{name~}` are
/// no HZ (RFC 1843).
fn is_hz(hz: Charset, head: &[u8], end: End) -> bool {
    const FIRST_LEVEL: std::ops::RangeInclusive<u8> = 0x30..=0x57;
    const ENOUGH: usize = 4;
    let (mut ideographs, mut frequent) = (0, 0);
    for (at, _) in hz_shifts(head).map(|at| at + 2).zip(0..1024) {
        for pair in head[at..]
            .chunks_exact(2)
            .take_while(|pair| pair[0] != b'~')
        {
            ideographs += usize::from(pair[0] >= *FIRST_LEVEL.start());
            frequent += usize::from(FIRST_LEVEL.contains(&pair[0]));
        }
    }
    frequent >= ENOUGH && frequent * 4 >= ideographs * 3 && is_well_formed_cjk(hz, head, end)
}

/// The characters of a text, counted by kind.
#[derive(Default)]
struct Census {
    chars: usize,
    /// Printable ASCII and white space.
    ascii: usize,
    /// Characters whose two bytes would be printable ASCII. Real text has few of them, except some
    /// in Chinese and Japanese; ASCII that is mistaken for UTF-16 has hardly anything else.
    ascii_pairs: usize,
}

/// The number of ASCII characters if bytes with NULs make sense as text in UTF-16: well-formed, no
/// control characters, some ASCII (white space at the least), and not mostly pairs of ASCII.
fn utf_16_ascii(charset: Charset, head: &[u8], end: End) -> Option<usize> {
    let mut census = Census::default();
    let is_text = decoded(charset, head, end).all(|decoded| {
        let ch = decoded.ch;
        census.chars += 1;
        census.ascii += usize::from(is_printable(ch));
        census.ascii_pairs += usize::from(is_ascii_pair(ch));
        let is_control = ch.is_control() && !is_printable(ch);
        !is_control && !is_noncharacter(ch) && ch != char::REPLACEMENT_CHARACTER
    });
    let others = census.chars - census.ascii;
    let is_text = is_text
        && census.chars >= 2
        && census.ascii * 64 >= census.chars
        && (census.ascii_pairs * 2 <= others || census.ascii_pairs * 4 <= census.chars);
    is_text.then_some(census.ascii)
}

/// True if bytes with NULs are text in UTF-32: characters of Unicode without an error, no control
/// characters, and some ASCII.
fn is_utf_32_text(charset: Charset, head: &[u8], end: End) -> bool {
    let (mut chars, mut ascii) = (0, 0);
    let is_text = decoded(charset, head, end).all(|decoded| {
        let ch = decoded.ch;
        chars += 1;
        ascii += usize::from(is_printable(ch));
        let is_control = ch.is_control() && !is_printable(ch);
        !is_control && !is_noncharacter(ch) && ch != char::REPLACEMENT_CHARACTER
    });
    is_text && chars >= 2 && ascii * 64 >= chars
}

/// The characters of bytes in a charset that is not ASCII-compatible.
fn decoded(charset: Charset, bytes: &[u8], end: End) -> impl Iterator<Item = DecodedChar> {
    let (mut state, mut at) = (Shift::default(), 0);
    std::iter::from_fn(move || {
        let decoded = charset
            .transcoded()?
            .next(&mut state, rest_of(bytes, at), end)?;
        at += decoded.len;
        Some(decoded)
    })
}

fn is_printable(ch: char) -> bool {
    matches!(ch, ' '..='~' | '\t' | '\n' | '\x0C' | '\r')
}

fn is_noncharacter(ch: char) -> bool {
    u32::from(ch) & 0xFFFE == 0xFFFE
}

fn is_ascii_pair(ch: char) -> bool {
    let [_, _, high, low] = u32::from(ch).to_be_bytes();
    // Kana are no evidence of ASCII: Japanese has them in every word.
    let is_kana = high == 0x30;
    !is_kana && u32::from(ch) <= 0xFFFF && [high, low].map(char::from).into_iter().all(is_printable)
}

/// True if bytes shift to Chinese, Japanese or Korean characters and decode without an error.
fn is_well_formed_cjk(charset: Charset, head: &[u8], end: End) -> bool {
    let mut is_cjk = false;
    let is_well_formed = decoded(charset, head, end).all(|decoded| {
        is_cjk |= decoded.ch >= '\u{3000}';
        decoded.ch != char::REPLACEMENT_CHARACTER
    });
    is_well_formed && is_cjk
}

/// True if bytes that are not ASCII are UTF-8, apart from a character that the end of `head` cuts. One malformed
/// sequence in ten characters is tolerated: hardly any text in another charset has so few.
pub(crate) fn looks_like_utf_8(head: &[u8], end: End) -> bool {
    if Charset::as_text(head).is_some() {
        return true;
    }
    let (mut good, mut bad) = (0, 0);
    let mut chunks = head.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        good += chunk.valid().chars().filter(|ch| !ch.is_ascii()).count();
        let is_cut = end == End::Open && chunks.peek().is_none();
        bad += usize::from(!chunk.invalid().is_empty() && !is_cut);
    }
    good >= bad * 10
}

/// True if ASCII has a stretch between the shifts of HZ that is made of pairs, as characters of GB 2312 are (RFC 1843).
pub(crate) fn may_be_hz(ascii: &[u8]) -> bool {
    hz_shifts(ascii).any(|at| {
        let behind = &ascii[at + 2..];
        let pairs = behind.chunks_exact(2);
        let is_lead = |byte: u8| (0x21..=0x77).contains(&byte);
        let count = pairs
            .take_while(|pair| is_lead(pair[0]) && pair[1].is_ascii_graphic())
            .count();
        count > 0 && behind[2 * count..].starts_with(b"~}")
    })
}

/// The most probable charset of bytes beyond ASCII.
pub(crate) struct Guess {
    pub charset: Charset,
    /// Sure if all charsets that are not far less probable read the bytes alike.
    pub certainty: Certainty,
    /// The bytes that these charsets read alike.
    pub known: KnownBytes,
}

/// Judges bytes beyond ASCII.
pub(crate) fn guess(head: &[u8], end: End) -> Guess {
    let head = match end {
        End::Last => head,
        End::Open => whole_words(head),
    };
    let posterior = Posterior::new(head);
    Guess {
        charset: posterior.charset,
        certainty: posterior.certainty(),
        known: posterior.known,
    }
}

/// The bytes without the last word, which may be cut, if the others are not all ASCII.
fn whole_words(bytes: &[u8]) -> &[u8] {
    match bytes.iter().rposition(|&byte| is_space(byte)) {
        Some(end) if !bytes[..end].is_ascii() => &bytes[..end],
        _ => bytes,
    }
}
