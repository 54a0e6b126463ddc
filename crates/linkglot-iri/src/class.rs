//! Character classes of RFC 3986 and RFC 3987, in the order of the ABNF.

/// A scheme after its first letter: `ALPHA`, `DIGIT`, `+`, `-` and `.`.
pub(crate) const SCHEME: u16 = 1 << 0;
/// `ireg-name`, and userinfo without its colon: `unreserved` and `sub-delims`.
pub(crate) const NAME: u16 = 1 << 1;
/// The first segment of a relative path: no colon, no slash.
pub(crate) const SEGMENT_NC: u16 = 1 << 2;
/// A path: `pchar` and `/`.
pub(crate) const PATH: u16 = 1 << 3;
/// A query or fragment: `pchar`, `/` and `?`.
pub(crate) const QUERY: u16 = 1 << 4;
/// `HEXDIG`.
pub(crate) const HEX: u16 = 1 << 5;
/// `DIGIT`.
pub(crate) const DIGIT: u16 = 1 << 6;
/// `unreserved`.
pub(crate) const UNRESERVED: u16 = 1 << 7;
/// `gen-delims` and `sub-delims`.
pub(crate) const RESERVED: u16 = 1 << 8;
/// `IPvFuture` after its dot: `unreserved`, `sub-delims` and the colon.
pub(crate) const FUTURE: u16 = 1 << 9;

static CLASSES: [u16; 256] = table();

/// True if the byte is in one of the classes, which hold only ASCII.
#[inline(always)]
pub(crate) fn is(byte: u8, class: u16) -> bool {
    CLASSES[byte as usize] & class != 0
}

/// The end of the run of bytes of `class`, a single class, that begins at `start`.
#[inline]
pub(crate) fn run_end(bytes: &[u8], start: usize, class: u16) -> usize {
    let mut at = start;
    // Eight bytes at a time without a branch for each, because runs are short and end anywhere. One `and` of their
    // classes shows that all eight match; only the last eight are told apart.
    while let Some(chunk) = bytes.get(at..at + 8) {
        let common = chunk
            .iter()
            .fold(class, |common, &byte| common & CLASSES[byte as usize]);
        if common != 0 {
            at += 8;
            continue;
        }
        let others = chunk.iter().rev().fold(0u32, |others, &byte| {
            others << 1 | u32::from(!is(byte, class))
        });
        return at + others.trailing_zeros() as usize;
    }
    while let Some(&byte) = bytes.get(at)
        && is(byte, class)
    {
        at += 1;
    }
    at
}

const fn table() -> [u16; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = classes(byte as u8);
        byte += 1;
    }
    table
}

const fn classes(byte: u8) -> u16 {
    match byte {
        b'0'..=b'9' => SCHEME | DIGIT | HEX | UNRESERVED | EVERYWHERE,
        b'a'..=b'f' | b'A'..=b'F' => SCHEME | HEX | UNRESERVED | EVERYWHERE,
        b'g'..=b'z' | b'G'..=b'Z' => SCHEME | UNRESERVED | EVERYWHERE,
        b'-' | b'.' => SCHEME | UNRESERVED | EVERYWHERE,
        b'_' | b'~' => UNRESERVED | EVERYWHERE,
        b'+' => SCHEME | RESERVED | EVERYWHERE,
        b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b',' | b';' | b'=' => {
            RESERVED | EVERYWHERE
        }
        b':' => RESERVED | PATH | QUERY | FUTURE,
        b'@' => RESERVED | SEGMENT_NC | PATH | QUERY,
        b'/' => RESERVED | PATH | QUERY,
        b'?' => RESERVED | QUERY,
        b'#' | b'[' | b']' => RESERVED,
        _ => 0,
    }
}

/// The classes that hold `unreserved` and `sub-delims`.
const EVERYWHERE: u16 = NAME | SEGMENT_NC | PATH | QUERY | FUTURE;

/// True if a character is `ucschar` (RFC 3987 2.2), but no bidi formatting character (4.1).
///
/// ```
/// use linkglot_iri::class::is_ucschar;
///
/// assert!(is_ucschar('é') && !is_ucschar('e') && !is_ucschar('\u{202E}'));
/// ```
pub fn is_ucschar(ch: char) -> bool {
    in_ucschar(ch as u32) && !is_bidi_control(ch)
}

/// True if a character is `iprivate` (RFC 3987 2.2), which only queries may have.
///
/// ```
/// assert!(linkglot_iri::class::is_iprivate('\u{E000}'));
/// ```
pub fn is_iprivate(ch: char) -> bool {
    matches!(ch as u32, 0xE000..=0xF8FF | 0xF0000..=0xFFFFD | 0x10_0000..=0x10_FFFD)
}

/// True if a character is a bidi formatting character, which no IRI may have: the seven of RFC 3987
/// 4.1, and U+061C and U+2066-2069, which Unicode added later.
///
/// ```
/// assert!(linkglot_iri::class::is_bidi_control('\u{2066}'));
/// ```
pub fn is_bidi_control(ch: char) -> bool {
    matches!(
        ch,
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    )
}

const fn in_ucschar(code: u32) -> bool {
    match code {
        0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF => true,
        // Planes 1 to 13 without their two noncharacters, and plane 14 from E1000 on.
        0x1_0000..=0xD_FFFF | 0xE_1000..=0xE_FFFF => code & 0xFFFF < 0xFFFE,
        _ => false,
    }
}

static ALLOWED_LENGTHS: [u8; 256] = allowed_lengths();

/// The length in bytes of the characters that begin with this byte of UTF-8, if all of them are allowed in every
/// component; 0 if that depends on the character.
#[inline(always)]
pub(crate) fn allowed_length(lead: u8) -> usize {
    ALLOWED_LENGTHS[lead as usize] as usize
}

const fn allowed_lengths() -> [u8; 256] {
    let mut table = [0; 256];
    let mut lead = 0;
    while lead < 256 {
        table[lead] = match lead {
            // C2 begins the C1 controls, D8 begins U+061C.
            0xC3..=0xD7 | 0xD9..=0xDF => 2,
            // E2 begins bidi controls, EE private-use characters, EF these and noncharacters.
            0xE0..=0xE1 | 0xE3..=0xED => 3,
            _ => 0,
        };
        lead += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ucschar_ends_at_its_borders() {
        for ch in
            "\u{A0}\u{D7FF}\u{F900}\u{FDCF}\u{FDF0}\u{FFEF}\u{10000}\u{DFFFD}\u{E1000}\u{EFFFD}"
                .chars()
        {
            assert!(is_ucschar(ch), "{ch:?}");
        }
        for ch in
            "\u{9F}\u{E000}\u{F8FF}\u{FDD0}\u{FFF0}\u{1FFFE}\u{E0000}\u{E0FFF}\u{EFFFE}\u{F0000}"
                .chars()
        {
            assert!(!is_ucschar(ch), "{ch:?}");
        }
    }

    #[test]
    fn bidi_controls_are_in_no_class() {
        for ch in "\u{61C}\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}".chars() {
            assert!(!is_ucschar(ch) && !is_iprivate(ch), "{ch:?}");
        }
    }
}
