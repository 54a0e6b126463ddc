//! The notation of the data files in `tables`: rows of columns, and the texts of codes.
//!
//! `80=ab[cd] A0=e` has `a` at 80, `b` at 81, `cd` at 82 and `e` at A0. A character that is hard to see is written as
//! `\u{A0}`, a code without a text as U+FFFD. tables.py writes these files.

use crate::decoded::Text;

/// The rows of a file, each as its columns. Comments begin with `#`.
pub(crate) fn rows<const COLUMNS: usize>(
    file: &'static str,
) -> impl Iterator<Item = [&'static str; COLUMNS]> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut columns = line.splitn(COLUMNS, '\t');
        std::array::from_fn(|_| columns.next().unwrap_or_default())
    })
}

/// Hands over the codes of a row, in order, and their texts.
pub(crate) fn each_code(row: &str, mut each: impl FnMut(&[u8], Text)) {
    for run in row.split_ascii_whitespace() {
        let Some((digits, texts)) = run.split_once('=') else {
            continue;
        };
        let mut code = octets(digits);
        for text in texts_of(texts) {
            each(&code, text);
            if let Some(last) = code.last_mut() {
                *last = last.wrapping_add(1);
            }
        }
    }
}

/// The bytes of pairs of hexadecimal digits.
fn octets(digits: &str) -> Vec<u8> {
    let pairs = (0..digits.len()).step_by(2);
    let octet = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    pairs.filter_map(octet).collect()
}

/// The texts of a run, one for each code.
pub(crate) fn texts_of(run: &str) -> impl Iterator<Item = Text> {
    let mut chars = Chars(run);
    std::iter::from_fn(move || match chars.next()? {
        ('[', false) => {
            // As a list, so that the bracket is read even if a text takes no more characters.
            let inside = chars.by_ref().take_while(|next| *next != (']', false));
            let inside: Vec<char> = inside.map(|(ch, _)| ch).collect();
            Some(Text::of(inside))
        }
        (ch, _) => Some(Text::from(ch)),
    })
}

/// Characters, each with whether it was written as an escape.
struct Chars<'r>(&'r str);

impl Iterator for Chars<'_> {
    type Item = (char, bool);

    fn next(&mut self) -> Option<(char, bool)> {
        let escape = self.0.strip_prefix("\\u{");
        if let Some((digits, rest)) = escape.and_then(|escape| escape.split_once('}')) {
            let ch = u32::from_str_radix(digits, 16)
                .ok()
                .and_then(char::from_u32);
            self.0 = rest;
            return Some((ch.unwrap_or(char::REPLACEMENT_CHARACTER), true));
        }
        let mut chars = self.0.chars();
        let ch = chars.next()?;
        self.0 = chars.as_str();
        Some((ch, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_their_texts() {
        let mut seen = Vec::new();
        each_code("80=a\\u{5B}[b\\u{5D}] C1FF=c", |code, text| {
            seen.push((code.to_vec(), text.chars().collect::<String>()));
        });
        let expected = [
            (vec![0x80], "a"),
            (vec![0x81], "["),
            (vec![0x82], "b]"),
            (vec![0xC1, 0xFF], "c"),
        ];
        assert_eq!(seen, expected.map(|(code, text)| (code, text.to_owned())));
    }

    #[test]
    fn columns_of_rows() {
        let found: Vec<_> = rows("# comment\na\tb\tc d\ne").collect();
        assert_eq!(found, [["a", "b", "c d"], ["e", "", ""]]);
    }
}
