//! Escapes in the text of RTF (Rich Text Format 1.9.1): octets, Unicode, special characters.

use super::content_line::QuotedCharset;
use super::{Meaning, replaced_at};
use linkglot_charset::{Charset, MappedText};

/// The style of a text of RTF, and its neighbours.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{Escaping, RtfStyle};
///
/// let text = Escaping::Rtf(RtfStyle::new(Some(Charset::WINDOWS_1252)));
/// assert_eq!(text.unescape(r"caf\'e9 \u8217?\{\}").text(), "café \u{2019}{}");
/// assert_eq!(text.escape("café", "", &|_| true).as_deref(), Some(r"caf\u233?"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RtfStyle {
    /// The charset of the font; `None` if that is not sure.
    pub charset: Option<QuotedCharset>,
    /// The characters behind `\u233` that stand for it in old readers (`\uc`).
    pub substitutes: u8,
    /// True if text in front of this one may belong to its first word.
    pub goes_on_before: bool,
    /// True if text behind this one may belong to its last word.
    pub goes_on_behind: bool,
    /// True directly behind a control word, which a letter, digit or space at the beginning would belong to.
    pub is_behind_word: bool,
}

/// A backslash or a line end in the text, and what stands behind it.
enum Read {
    /// An escape of so many bytes.
    Char(usize, char),
    /// So many bytes that stand for nothing.
    Nothing(usize),
    /// A control word or symbol, which ends the text.
    Control,
}

impl RtfStyle {
    /// The style of a text in a charset that stands for itself.
    ///
    /// ```
    /// assert_eq!(linkglot_markup::RtfStyle::new(None).substitutes, 1);
    /// ```
    pub fn new(charset: Option<Charset>) -> Self {
        RtfStyle {
            charset: charset.and_then(QuotedCharset::of),
            substitutes: 1,
            goes_on_before: false,
            goes_on_behind: false,
            is_behind_word: false,
        }
    }

    pub(super) fn unescape(self, raw: &str) -> MappedText<'_> {
        let find = |bytes: &[u8]| memchr::memchr3(b'\\', b'\r', b'\n', bytes);
        replaced_at(raw, find, |at, _| match self.read(&raw[at..]) {
            Read::Char(length, ch) => Some((length, Meaning::Char(ch))),
            Read::Nothing(length) => Some((length, Meaning::Text(""))),
            Read::Control => None,
        })
    }

    /// True if a text begins with an octet of unknown meaning: an escape, or a character as it stands. O(1).
    ///
    /// ```
    /// use linkglot_markup::RtfStyle;
    ///
    /// assert!(RtfStyle::new(None).is_unknown(r"\'e9"));
    /// ```
    pub fn is_unknown(self, raw: &str) -> bool {
        // The charset of an octet is that of its font, and the document was read in one charset.
        let is_octet = raw.starts_with(|ch: char| !ch.is_ascii());
        is_octet
            || raw.starts_with('\\')
                && matches!(self.read(raw), Read::Char(_, char::REPLACEMENT_CHARACTER))
    }

    /// The number of marks that would end the text: braces and controls; and the kind of its first byte, if that could
    /// belong to the control word in front.
    pub(super) fn ends(self, raw: &str) -> [usize; 2] {
        let joins = match raw.as_bytes().first() {
            Some(first) if self.is_behind_word => match first {
                b'0'..=b'9' => 1,
                b'a'..=b'z' | b'A'..=b'Z' => 2,
                b'-' | b' ' => 3,
                _ => 0,
            },
            _ => 0,
        };
        let (mut ends, mut at) = (0, 0);
        while let Some(found) = memchr::memchr3(b'\\', b'{', b'}', &raw.as_bytes()[at..]) {
            at += found;
            at += match raw.as_bytes()[at] {
                b'\\' => match self.read(&raw[at..]) {
                    Read::Char(length, _) | Read::Nothing(length) => length,
                    Read::Control => {
                        ends += 1;
                        1
                    }
                },
                _ => {
                    ends += 1;
                    1
                }
            };
        }
        [ends, joins]
    }

    /// Writes a text. Letters beyond ASCII are escapes of Unicode, which every font can show.
    pub(super) fn write(self, text: &str) -> Option<String> {
        let mut out = String::with_capacity(text.len() + 8);
        for ch in text.chars() {
            match ch {
                '\\' | '{' | '}' => out.extend(['\\', ch]),
                '\0'..='\x1F' => return None,
                ch if ch.is_ascii() => out.push(ch),
                ch => {
                    for unit in ch.encode_utf16(&mut [0; 2]) {
                        // The number has a sign.
                        out.push_str(&format!("\\u{}", *unit as i16));
                        match self.substitutes {
                            0 => out.push(' '),
                            count => out.extend(std::iter::repeat_n('?', usize::from(count))),
                        }
                    }
                }
            }
        }
        Some(out)
    }

    /// Reads the backslash or line end at the beginning of a text.
    fn read(self, at: &str) -> Read {
        let bytes = at.as_bytes();
        match bytes {
            [b'\r' | b'\n', ..] => Read::Nothing(1),
            [_, b'\'', ..] => match octet(bytes) {
                Some(octet) => self.octets(octet, at),
                None => Read::Control,
            },
            [_, b'u', b'0'..=b'9' | b'-', ..] => self.unicode(at),
            [_, mark @ (b'\\' | b'{' | b'}'), ..] => Read::Char(2, char::from(*mark)),
            [_, b'~', ..] => Read::Char(2, '\u{A0}'),
            // Hyphens that lines need: the link may mean one, or none.
            [_, b'-' | b'_', ..] => Read::Char(2, char::REPLACEMENT_CHARACTER),
            _ => Read::Control,
        }
    }

    /// The character of `\'e9`, or of two octets, of which the second may be a character of the text.
    fn octets(self, first: u8, at: &str) -> Read {
        /// The length of `\'e9`.
        const OCTET: usize = 4;
        if first.is_ascii() {
            return Read::Char(OCTET, char::from(first));
        }
        let Some(charset) = self.charset.map(QuotedCharset::charset) else {
            return Read::Char(OCTET, char::REPLACEMENT_CHARACTER);
        };
        let one = |bytes: &[u8]| {
            let text = charset.decode(bytes);
            let mut chars = text.chars();
            let first = chars.next().filter(|ch| *ch != char::REPLACEMENT_CHARACTER);
            first.filter(|_| chars.next().is_none())
        };
        if let Some(ch) = one(&[first]) {
            return Read::Char(OCTET, ch);
        }
        let behind = &at.as_bytes()[OCTET..];
        let second = match behind.first() {
            Some(b'\\') => octet(behind).map(|octet| (octet, OCTET)),
            Some(byte) if byte.is_ascii_graphic() && !b"{}".contains(byte) => Some((*byte, 1)),
            _ => None,
        };
        let pair = second.and_then(|(second, length)| Some((one(&[first, second])?, length)));
        match pair {
            Some((ch, length)) => Read::Char(OCTET + length, ch),
            None => Read::Char(OCTET, char::REPLACEMENT_CHARACTER),
        }
    }

    /// The character of `\u233` with its substitutes, or of two halves of one.
    fn unicode(self, at: &str) -> Read {
        let Some((high, length)) = self.unit(at) else {
            return Read::Control;
        };
        if let Some(ch) = char::from_u32(u32::from(high)) {
            return Read::Char(length, ch);
        }
        let low = self.unit(&at[length..]);
        let pair = low.and_then(|(low, behind)| {
            let ch = char::decode_utf16([high, low]).next()?.ok()?;
            Some((ch, length + behind))
        });
        match pair {
            Some((ch, length)) => Read::Char(length, ch),
            None => Read::Char(length, char::REPLACEMENT_CHARACTER),
        }
    }

    /// The number of `\u233`, and the length with its substitutes.
    fn unit(self, at: &str) -> Option<(u16, usize)> {
        let signed = at.strip_prefix("\\u")?;
        let digits = signed.strip_prefix('-').unwrap_or(signed);
        let count = digits
            .bytes()
            .take(6)
            .take_while(u8::is_ascii_digit)
            .count();
        let number: i32 = digits[..count].parse().ok()?;
        let number = if digits.len() < signed.len() {
            -number
        } else {
            number
        };
        let unit = u16::try_from(number).or_else(|_| i16::try_from(number).map(|unit| unit as u16));
        let mut behind = &digits[count..];
        behind = behind.strip_prefix(' ').unwrap_or(behind);
        for _ in 0..self.substitutes {
            behind = match behind.as_bytes() {
                [b'\\', b'\'', ..] if octet(behind.as_bytes()).is_some() => &behind[4..],
                [b'\\', b'\\' | b'{' | b'}' | b'~' | b'-' | b'_', ..] => &behind[2..],
                // A brace, a control or a line end ends the substitutes.
                [b'\\' | b'{' | b'}' | b'\r' | b'\n', ..] | [] => break,
                _ => {
                    let first = behind.chars().next().map_or(0, char::len_utf8);
                    &behind[first..]
                }
            };
        }
        Some((unit.ok()?, at.len() - behind.len()))
    }
}

/// The octet of `\'e9`.
fn octet(bytes: &[u8]) -> Option<u8> {
    let digits = bytes.get(2..4).filter(|_| bytes.starts_with(b"\\'"))?;
    let digits = std::str::from_utf8(digits).ok()?;
    let are_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u8::from_str_radix(digits, 16).ok().filter(|_| are_hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(style: RtfStyle, raw: &str) -> String {
        style.unescape(raw).into_text().into_owned()
    }

    #[test]
    fn escapes_are_read() {
        let latin = RtfStyle::new(Charset::for_label("windows-1252").ok());
        for (raw, expected) in [
            (r"a\'e9b", "aéb"),
            (r"\u233?b", "éb"),
            (r"\u233 ?b", "éb"),
            (r"\u-10179?\u-8703?b", "\u{1F601}b"),
            (r"\u8364\'80b", "€b"),
            ("a\r\nb", "ab"),
            (r"\\l \{\}\~\_\-", "\\l {}\u{A0}\u{FFFD}\u{FFFD}"),
            (r"\u233", "é"),
            (r"\u233\b", "é\\b"),
            (r"\u-10179?b", "\u{FFFD}b"),
            (r"\u99999?b", "\\u99999?b"),
            (r"\'zz \' \", r"\'zz \' \"),
        ] {
            assert_eq!(text(latin, raw), expected, "{raw}");
        }
        let two = RtfStyle {
            substitutes: 2,
            ..latin
        };
        assert_eq!(text(two, r"\u12354\'82\'a0b"), "あb");
        let none = RtfStyle {
            substitutes: 0,
            ..latin
        };
        assert_eq!(text(none, r"\u233 b"), "éb");
        let japanese = RtfStyle::new(Charset::for_label("shift_jis").ok());
        assert_eq!(text(japanese, r"\'82\'a0\'83A\'b1\'82"), "あアｱ\u{FFFD}");
        assert_eq!(text(RtfStyle::new(None), r"\'e9\'41"), "\u{FFFD}A");
    }

    #[test]
    fn written_texts_read_back() {
        for substitutes in 0..3 {
            let style = RtfStyle {
                substitutes,
                ..RtfStyle::new(None)
            };
            for plain in ["café 1", "é1", "\u{1F601}\u{1F601}?", "{a\\b}", "日本語"] {
                let raw = style.write(plain).unwrap();
                assert_eq!(
                    (text(style, &raw).as_str(), style.ends(&raw)),
                    (plain, [0; 2]),
                    "{raw}"
                );
                assert!(raw.is_ascii());
            }
        }
        assert_eq!(RtfStyle::new(None).write("a\nb"), None);
    }

    #[test]
    fn marks_are_counted() {
        let style = RtfStyle {
            is_behind_word: true,
            ..RtfStyle::new(None)
        };
        assert_eq!(style.ends("1")[1], 1);
        assert_ne!(style.ends("a"), style.ends("1"));
        let style = RtfStyle::new(None);
        assert_eq!(style.ends(r"a{b}\par \'e9\u233?\\\{"), [3, 0]);
    }
}
