//! Text within a document that OpenPGP (RFC 9580 section 7) or PEM (RFC 1421) signs, found while the document is read.
//!
//! The search reads the view, so that the charset and the transfer encoding of the document do not matter.

use crate::format::Format;
use memchr::memmem::Finder;
use std::collections::VecDeque;
use std::sync::LazyLock;

/// The lines around signed text; true for those in front of it.
const LINES: [(&[u8], bool); 4] = [
    (b"-----BEGIN PGP SIGNED MESSAGE-----", true),
    (b"-----BEGIN PGP SIGNATURE-----", false),
    (b"-----BEGIN PRIVACY-ENHANCED MESSAGE-----", true),
    (b"-----END PRIVACY-ENHANCED MESSAGE-----", false),
];

/// The end of each line, which hardly anything else has.
const END: &[u8] = b"E-----";

/// The length of the longest line.
const LONGEST: usize = LINES[2].0.len();

/// The most bytes of indentation and quotation marks in front of a line.
const MOST_MARKS: usize = 64;

/// The borders of signed text in a view that is read window by window. Linear. Memory: the borders in a window.
#[derive(Debug, Default)]
pub(crate) struct SignedText {
    /// Every line in front of this byte was read.
    read: u64,
    /// The borders in the window, in order; true for the start of signed text.
    borders: VecDeque<(u64, bool)>,
    /// True if the byte in front of these borders is signed.
    is_covered: bool,
    lines: Lines,
}

/// The places where a line may begin besides the start of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Lines {
    #[default]
    Plain,
    /// Behind a tag: `<pre>-----BEGIN ...`.
    Markup,
    /// Behind a control word: `\par -----BEGIN ...`.
    Rtf,
    /// Behind anything, since a text within the text may begin there.
    Values,
}

impl SignedText {
    /// Searches the view of a document in this format.
    pub fn of(format: Format) -> Self {
        SignedText {
            lines: match format {
                Format::Html | Format::Xml => Lines::Markup,
                Format::Rtf => Lines::Rtf,
                _ => Lines::Plain,
            },
            ..SignedText::default()
        }
    }

    /// Searches the view of a document in this format with the values in it, which are not read.
    pub fn with_values(format: Format) -> Self {
        let has_values = matches!(
            format,
            Format::Calendar
                | Format::VCard
                | Format::Json
                | Format::JsonLines
                | Format::Sql
                | Format::Csv
                | Format::JavaScript
                | Format::Php
                | Format::Python
                | Format::C
                | Format::Toml
                | Format::Yaml
                | Format::Gettext
                | Format::Properties
        );
        let signed = SignedText::of(format);
        SignedText {
            lines: if has_values {
                Lines::Values
            } else {
                signed.lines
            },
            ..signed
        }
    }

    /// Searches a whole value, which may hold markup.
    pub fn of_value(text: &str) -> Self {
        let mut signed = SignedText::of(Format::Html);
        signed.read(text.as_bytes(), 0);
        signed
    }

    /// True if nothing that was read is signed.
    pub fn is_empty(&self) -> bool {
        self.borders.is_empty() && !self.is_covered
    }

    /// Reads a window that begins at the byte `origin` of the view. Skips bytes that were read before.
    pub fn read(&mut self, window: &[u8], origin: u64) {
        static FINDER: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(END));
        self.forget(origin);
        let from = self.read.saturating_sub(origin) as usize;
        if from >= window.len() {
            return;
        }
        for at in FINDER.find_iter(&window[from..]).map(|at| at + from) {
            let line_end = at + END.len();
            let lines = LINES.iter();
            let mut lines = lines.filter(|(line, _)| window[..line_end].ends_with(line));
            let Some(&(line, begins)) = lines.next() else {
                continue;
            };
            let at = line_end - line.len();
            let place = origin + at as u64;
            let last = self.borders.back();
            let is_new = at >= from && last.is_none_or(|(last, _)| *last < place);
            if is_new && self.begins_line(window, at, origin) {
                self.borders.push_back((place, begins));
            }
        }
        // A line that is cut is read with the next window.
        let cut = (window.len() + 1).saturating_sub(LONGEST);
        self.read = self.read.max(origin + cut as u64);
    }

    /// Forgets the borders in front of a byte.
    fn forget(&mut self, origin: u64) {
        while let Some(&(border, begins)) = self.borders.front()
            && border < origin
        {
            self.borders.pop_front();
            self.is_covered = begins;
        }
    }

    /// True if a line begins at a byte of the window: behind LF, CR or the NEL of EBCDIC, at the start of the document,
    /// or as the format has it. A line may be indented or quoted (`> -----BEGIN ...`).
    fn begins_line(&self, window: &[u8], at: usize, origin: u64) -> bool {
        let is_mark = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'>' | b'|');
        let marks = window[..at].iter().rev().take(MOST_MARKS);
        let marks = at - marks.take_while(is_mark).count();
        let (before, marks) = (&window[..marks], &window[marks..at]);
        match before {
            [] | b"\xEF\xBB\xBF" => origin == 0,
            [.., b'\n' | b'\r'] | [.., 0xC2, 0x85] => true,
            _ => match self.lines {
                Lines::Plain => false,
                Lines::Markup => {
                    let starts = [&b"&gt;"[..], b"<![CDATA["];
                    marks.contains(&b'>') || starts.iter().any(|start| before.ends_with(start))
                }
                Lines::Rtf => before.ends_with(b"{") || ends_in_control_word(before),
                Lines::Values => true,
            },
        }
    }

    /// True if a byte of the last window is signed. O(log borders).
    pub fn covers(&self, at: u64) -> bool {
        let behind = self.borders.partition_point(|(border, _)| *border <= at);
        let last = behind
            .checked_sub(1)
            .and_then(|last| self.borders.get(last));
        last.map_or(self.is_covered, |(_, begins)| *begins)
    }
}

/// True if a text of RTF ends with a control word, `\par` or `\fs24`.
fn ends_in_control_word(text: &[u8]) -> bool {
    /// The longest word that is looked for.
    const LONGEST: usize = 32;
    let word = text.iter().rev().take(LONGEST);
    let length = word.take_while(|byte| byte.is_ascii_alphanumeric()).count();
    length > 0 && text[..text.len() - length].ends_with(b"\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIL: &str = "1\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n2\n- -----BEGIN PGP SIGNATURE-----\n3\n\
        -----BEGIN PGP SIGNATURE-----\n4 -----BEGIN PGP SIGNED MESSAGE-----\n5\r-----BEGIN PGP SIGNED MESSAGE-----\r6\n";

    /// The covered digits, read in chunks of this length, with windows that overlap.
    fn covered(text: &[u8], chunk: usize) -> Vec<u8> {
        let mut signed = SignedText::default();
        let mut found = Vec::new();
        let mut asked = 0;
        for end in (chunk..text.len() + chunk).step_by(chunk) {
            let end = end.min(text.len());
            let begin = asked.min(end.saturating_sub(2 * LONGEST));
            signed.read(&text[begin..end], begin as u64);
            // The reader is behind the end of the window.
            let ready = if end == text.len() {
                end
            } else {
                end.saturating_sub(LONGEST)
            };
            let digits = text[..ready].iter().enumerate().skip(asked);
            let digits = digits.filter(|(_, byte)| byte.is_ascii_digit());
            found.extend(
                digits
                    .filter(|(at, _)| signed.covers(*at as u64))
                    .map(|(_, byte)| *byte),
            );
            asked = asked.max(ready);
        }
        found
    }

    #[test]
    fn lines_are_found_at_every_cut() {
        let text = MAIL.replace("256", "");
        for chunk in 1..text.len() {
            assert_eq!(covered(text.as_bytes(), chunk), b"236", "{chunk}");
        }
    }

    #[test]
    fn in_markup_lines_begin_behind_tags() {
        let page = MAIL.replace("256", "").replace('\n', "<br>");
        let covered = |format| {
            let mut signed = SignedText::of(format);
            signed.read(page.as_bytes(), 0);
            let digits = page.bytes().enumerate();
            let digits =
                digits.filter(|(at, byte)| byte.is_ascii_digit() && signed.covers(*at as u64));
            digits.map(|(_, byte)| byte).collect::<Vec<_>>()
        };
        assert_eq!(covered(Format::Html), b"236");
        assert_eq!(covered(Format::Text), b"6");
    }

    #[test]
    fn lines_may_be_quoted() {
        let text = MAIL[2..].replace("256", "");
        let lines = |mark: &str| text.replace('\n', &format!("\n{mark}"));
        for (format, text, expected) in [
            (Format::Text, format!("> {}", lines("> ")), "236"),
            (Format::Text, format!("> > {}", lines("> > ")), "236"),
            (Format::Text, format!("    {}", lines("    ")), "236"),
            (Format::Text, format!("a> {}", lines("a> ")), "6"),
            (Format::Html, format!("<i>&gt; {}", lines("&gt; ")), "236"),
            (Format::Xml, format!("<a><![CDATA[{text}"), "236"),
            (
                Format::Rtf,
                format!("{{{}", text.replace('\n', "\\par ")),
                "236",
            ),
        ] {
            let mut signed = SignedText::of(format);
            signed.read(text.as_bytes(), 0);
            let digits = text.bytes().enumerate();
            let digits =
                digits.filter(|(at, byte)| byte.is_ascii_digit() && signed.covers(*at as u64));
            let digits: Vec<u8> = digits.map(|(_, byte)| byte).collect();
            assert_eq!(digits, expected.as_bytes(), "{text}");
        }
    }

    #[test]
    fn a_document_may_begin_with_signed_text() {
        let text = &MAIL[2..].replace("256", "");
        assert_eq!(covered(text.as_bytes(), 1000), b"236");
        let marked = format!("\u{FEFF}{text}");
        assert_eq!(covered(marked.as_bytes(), 1000), b"236");
    }
}
