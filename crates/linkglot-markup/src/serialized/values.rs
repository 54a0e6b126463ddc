//! The strings of a whole value that PHP's `serialize` wrote, with their lengths.

use linkglot_charset::Charset;
use std::ops::Range;

/// A string in serialized data, as ranges of the text.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::serialized_strings;
///
/// let text = r#"a:1:{s:3:"url";s:16:"http://a.example";}"#;
/// let (strings, _) = serialized_strings(text, Charset::UTF_8).unwrap();
/// assert_eq!(&text[strings[0].digits.clone()], "16");
/// assert_eq!(&text[strings[0].content.clone()], "http://a.example");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SerializedString {
    /// The digits of the length.
    pub digits: Range<usize>,
    /// The content, without its quotation marks.
    pub content: Range<usize>,
}

/// The strings that are values in a text that is serialized data from its first byte to its last one, and the charset
/// whose octets the lengths count: `charset`, or UTF-8, since a dump may be in another charset than its database;
/// `None` where all characters are ASCII, so that nothing shows which. Keys of arrays and names of properties are no
/// values.
///
/// `None` for any other text, for wrong lengths, and for classes that serialize themselves (`C:`), whose grammar is
/// their own.
///
/// O(length). Memory: the strings and the open arrays.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::serialized_strings;
///
/// let counted = |text, charset| serialized_strings(text, charset).map(|(_, counted)| counted);
/// assert_eq!(counted("s:1:\"é\";", Charset::WINDOWS_1252), Some(Some(Charset::WINDOWS_1252)));
/// assert_eq!(counted("s:2:\"é\";", Charset::WINDOWS_1252), Some(Some(Charset::UTF_8)));
/// assert_eq!(counted("s:1:\"e\";", Charset::WINDOWS_1252), Some(None));
/// assert_eq!(counted("s:1:\"é\";", Charset::UTF_8), None);
/// ```
pub fn serialized_strings(
    text: &str,
    charset: Charset,
) -> Option<(Vec<SerializedString>, Option<Charset>)> {
    if !begins_serialized(text.as_bytes()) || charset.is_stateful() {
        return None;
    }
    let other = (charset != Charset::UTF_8 && !text.is_ascii()).then_some(Charset::UTF_8);
    let mut charsets = [Some(charset), other].into_iter().flatten();
    let is_known = charset == Charset::UTF_8 || !text.is_ascii();
    charsets.find_map(|charset| Some((strings_in(text, charset)?, is_known.then_some(charset))))
}

/// True if serialized data that may hold a string begins like this.
pub(crate) fn begins_serialized(bytes: &[u8]) -> bool {
    matches!(bytes, [b'a' | b's' | b'O', b':', digit, ..] if digit.is_ascii_digit())
}

/// True if a text is serialized data from its first byte to its last one. O(length).
pub(crate) fn is_serialized(text: &str, charset: Charset) -> bool {
    serialized_strings(text, charset).is_some()
}

/// The strings, with lengths in octets of a charset.
fn strings_in(text: &str, charset: Charset) -> Option<Vec<SerializedString>> {
    let mut reader = Reader {
        text,
        at: 0,
        charset,
        strings: Vec::new(),
    };
    // Values that are still to come in the open arrays; keys and values take turns.
    let mut open: Vec<u64> = Vec::new();
    loop {
        match open.last_mut() {
            None if reader.at > 0 => break,
            None => {}
            Some(0) => {
                reader.expect("}")?;
                open.pop();
                continue;
            }
            Some(values) => {
                *values -= 1;
                reader.key()?;
            }
        }
        if let Some(values) = reader.value()? {
            open.push(values);
        }
    }
    (reader.at == text.len()).then_some(reader.strings)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    charset: Charset,
    strings: Vec<SerializedString>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn expect(&mut self, mark: &str) -> Option<()> {
        let is_there = self.rest().starts_with(mark);
        self.at += mark.len();
        is_there.then_some(())
    }

    /// Reads the key of an array or the name of a property.
    fn key(&mut self) -> Option<()> {
        match self.rest().as_bytes().first()? {
            b'i' => self.scalar(),
            _ => {
                self.expect("s:")?;
                self.string().map(|_| ())?;
                self.expect(";")
            }
        }
    }

    /// Reads a value, or its beginning: an array or object has so many values.
    fn value(&mut self) -> Option<Option<u64>> {
        let rest = self.rest();
        if rest.starts_with("N;") {
            self.at += 2;
            return Some(None);
        }
        match rest.as_bytes().first()? {
            b's' => {
                self.expect("s:")?;
                let string = self.string()?;
                self.strings.push(string);
                self.expect(";")?;
                Some(None)
            }
            b'a' => {
                self.expect("a:")?;
                self.open().map(Some)
            }
            b'O' => {
                self.expect("O:")?;
                self.string()?;
                self.expect(":")?;
                self.open().map(Some)
            }
            b'E' => {
                self.expect("E:")?;
                self.string()?;
                self.expect(";")?;
                Some(None)
            }
            b'b' | b'i' | b'd' | b'r' | b'R' => self.scalar().map(|()| None),
            _ => None,
        }
    }

    /// Reads a number behind its type, `i:1;`.
    fn scalar(&mut self) -> Option<()> {
        let rest = self.rest();
        let end = memchr::memchr(b';', rest.as_bytes())?;
        let number = rest.get(1..end)?.strip_prefix(':')?;
        let is_number = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        if number.is_empty() || !number.bytes().all(is_number) {
            return None;
        }
        self.at += end + 1;
        Some(())
    }

    /// Reads a number in front of a colon, and the colon.
    fn number(&mut self) -> Option<(u64, Range<usize>)> {
        let bytes = self.rest().as_bytes();
        let length = bytes
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let digits = self.at..self.at + length;
        let number = self.text[digits.clone()].parse().ok()?;
        self.at = digits.end;
        self.expect(":")?;
        Some((number, digits))
    }

    fn open(&mut self) -> Option<u64> {
        let (values, _) = self.number()?;
        self.expect("{")?;
        Some(values)
    }

    /// Reads a string from its length to its closing quotation mark.
    fn string(&mut self) -> Option<SerializedString> {
        let (octets, digits) = self.number()?;
        self.expect("\"")?;
        let start = self.at;
        let end = start + self.length(octets)?;
        self.at = end;
        self.expect("\"")?;
        Some(SerializedString {
            digits,
            content: start..end,
        })
    }

    /// The length in the text of so many octets.
    fn length(&self, octets: u64) -> Option<usize> {
        let rest = self.rest();
        let octets = usize::try_from(octets).ok()?;
        if self.charset == Charset::UTF_8 {
            return rest.is_char_boundary(octets).then_some(octets);
        }
        let mut left = octets;
        for (at, ch) in rest.char_indices() {
            if left == 0 {
                return Some(at);
            }
            left = left.checked_sub(octets_of(self.charset, ch)?)?;
        }
        (left == 0).then_some(rest.len())
    }
}

/// The number of octets of a character; `None` if the charset lacks it.
fn octets_of(charset: Charset, ch: char) -> Option<usize> {
    if ch.is_ascii() {
        return Some(1);
    }
    let mut octets = Vec::with_capacity(4);
    charset
        .encode(ch.encode_utf8(&mut [0; 4]), &mut octets)
        .ok()?;
    Some(octets.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(text: &str) -> Option<Vec<&str>> {
        let (strings, _) = serialized_strings(text, Charset::UTF_8)?;
        Some(strings.into_iter().map(|it| &text[it.content]).collect())
    }

    #[test]
    fn strings_of_nested_values() {
        for (text, expected) in [
            ("s:1:\"x\";", &["x"][..]),
            ("a:0:{}", &[]),
            (
                "a:2:{i:0;s:1:\"x\";s:1:\"k\";a:1:{i:-1;s:2:\"yz\";}}",
                &["x", "yz"],
            ),
            (
                "O:8:\"stdClass\":2:{s:1:\"a\";N;s:4:\"\0*\0b\";s:3:\"\";}\";}",
                &["\";}"],
            ),
            (
                "a:4:{i:0;b:1;i:1;d:-1.5E+25;i:2;d:INF;i:3;E:3:\"A:B\";}",
                &[],
            ),
            ("a:2:{i:0;s:2:\"ü\";i:1;R:2;}", &["ü"]),
            // Data within data is a string like others.
            ("s:8:\"s:1:\"x\";\";", &["s:1:\"x\";"]),
        ] {
            assert_eq!(contents(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_texts_have_no_strings() {
        for text in [
            "",
            "s:1:\"x\"",
            "s:1:\"x\"; ",
            "s:2:\"x\";",
            "s:1:\"ü\";",
            "s:99999999999999999999:\"x\";",
            "a:1:{}",
            "a:1:{i:0;}",
            "a:1:{i:0;s:1:\"x\";",
            "a:1:{s:1:\"x\";}",
            "a:18446744073709551615:{",
            "i:1;",
            "C:1:\"A\":0:{}",
            "a:1:{i:0;C:1:\"A\":0:{}}",
            "s:",
            "N;",
        ] {
            assert_eq!(contents(text), None, "{text}");
        }
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        let depth = 100_000;
        let open = "i:0;a:1:{".repeat(depth);
        let text = format!("a:1:{{{open}i:0;i:0;{}", "}".repeat(depth + 1));
        assert_eq!(contents(&text), Some(vec![]));
    }
}
