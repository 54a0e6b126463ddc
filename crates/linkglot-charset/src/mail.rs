//! The charsets that the messages and parts of a mailbox declare.
//!
//! A mailbox is read in one charset, that of its first content type. This module finds the places where others are
//! declared.

use crate::ascii::is_space;
use crate::charset::Charset;
use crate::prescan::{self, Declared};
use std::collections::VecDeque;

const FIELD_NAME: &[u8] = b"content-type";

/// The bytes of a field that are read.
const FIELD_LIMIT: usize = 1 << 10;

/// The longest line that a header should have (RFC 5322, 2.1.1). The first call of
/// [`MailCharsets::read`] gets as many bytes, or the whole text.
const LINE_LIMIT: usize = 78;

/// The charset of a part of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartCharset {
    /// A charset.
    Known(Charset),
    /// A label that no charset has.
    Unknown(String),
}

/// The charsets that content types declare in a text, in the order in which it is read.
///
/// Every field at the start of a line counts, wherever it stands: text that looks like a declaration makes a reader too
/// careful, no more. A text that does not begin like a mail declares none. Linear. Memory: the declarations between the
/// requested position and the last position that was read.
///
/// ```
/// use linkglot_charset::{Charset, MailCharsets, PartCharset};
///
/// let mail = b"From: a\nContent-Type: text/plain; charset=koi8-r\n\ntext\n";
/// let mut charsets = MailCharsets::default();
/// charsets.read(mail, 0);
/// assert_eq!(charsets.at(8), None);
/// assert_eq!(charsets.at(50), Some(&PartCharset::Known(Charset::for_label("koi8-r")?)));
/// # Ok::<(), linkglot_charset::UnknownLabel>(())
/// ```
#[derive(Debug, Default)]
pub struct MailCharsets {
    /// Tells if the text begins like a mail; `None` before anything is read.
    is_mail: Option<bool>,
    /// The end of the bytes that were read.
    read: u64,
    /// True if `read` is inside of a line.
    in_line: bool,
    /// The bytes so far of a field that may be a content type.
    field: Vec<u8>,
    /// The charsets that were not asked for yet, and the positions where they begin.
    changes: VecDeque<(u64, PartCharset)>,
    /// The last charset before the position that was asked for.
    current: Option<PartCharset>,
}

impl MailCharsets {
    /// Reads up to the end of `bytes`, which begin at the text's byte `origin`. Bytes that were read
    /// before are skipped.
    pub fn read(&mut self, bytes: &[u8], origin: u64) {
        let is_mail = *self.is_mail.get_or_insert_with(|| begins_mail(bytes));
        let skipped = self.read.saturating_sub(origin) as usize;
        let Some(mut rest) = bytes.get(skipped..).filter(|_| is_mail) else {
            return;
        };
        self.read = origin + skipped as u64;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            let (line, behind) = rest.split_at(end);
            self.line(line);
            self.read += end as u64;
            rest = behind;
        }
    }

    /// Reads a line, or the part of it at hand.
    fn line(&mut self, line: &[u8]) {
        let Some(&first) = line.first() else {
            return;
        };
        let is_begin = !std::mem::replace(&mut self.in_line, !line.ends_with(b"\n"));
        let is_folded = matches!(first, b' ' | b'\t');
        if is_begin && !is_folded {
            self.end_field();
        }
        let may_begin_field = is_begin && first.eq_ignore_ascii_case(&FIELD_NAME[0]);
        if may_begin_field || !self.field.is_empty() {
            let room = FIELD_LIMIT.saturating_sub(self.field.len());
            self.field.extend_from_slice(&line[..line.len().min(room)]);
        }
    }

    /// Evaluates the field, which ends where the next line begins.
    fn end_field(&mut self) {
        let declared = match self.field.split_at_checked(FIELD_NAME.len()) {
            Some((name, rest)) if name.eq_ignore_ascii_case(FIELD_NAME) => {
                prescan::after_colon(rest).and_then(prescan::content_type)
            }
            _ => None,
        };
        self.field.clear();
        if let Some(declared) = declared {
            let charset = match declared {
                Declared::Charset(charset) => PartCharset::Known(charset),
                Declared::Unknown(label) => PartCharset::Unknown(label),
            };
            self.changes.push_back((self.read, charset));
        }
    }

    /// The last charset that is declared before the text's byte `at`. Positions must have been read
    /// and must not fall from call to call.
    pub fn at(&mut self, at: u64) -> Option<&PartCharset> {
        while self.changes.front().is_some_and(|(from, _)| *from <= at) {
            self.current = self.changes.pop_front().map(|(_, charset)| charset);
        }
        self.current.as_ref()
    }
}

/// True if a text begins with a mailbox's "From " line, or with a header field (RFC 5322, 2.2).
fn begins_mail(text: &[u8]) -> bool {
    let line = &text[..text.len().min(LINE_LIMIT)];
    let is_name = |byte: &&u8| byte.is_ascii_graphic() && **byte != b':';
    let name = line.iter().take_while(is_name).count();
    let is_field = || match line.get(name..).and_then(prescan::after_colon) {
        Some([next, ..]) => name > 0 && is_space(*next),
        _ => false,
    };
    line.starts_with(b"From ") || is_field()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: &str = "From a Mon\nContent-Type: text/plain;\r\n\tcharset=\"KOI8-R\"\n\n1 content\n\n\
        From b Mon\nCONTENT-TYPE: multipart/mixed; boundary=x\n\n2\n--x\ncontent-type: text/plain; charset=utf-8\n\n3\n\
        Content-Typo: a; charset=big5\nX-Content-Type: a; charset=big5\nContent-Type a: a; charset=big5\n4\n\
        Content-Type: a; charset=us-ascii\n\n5\nContent-Type: a; charset=klingon\n\n6\n\
        Content-Type \t: a; charset=windows-1251\n\n7\n";

    /// The charset at each line that is a digit, or begins with a digit and a blank.
    fn charsets(text: &str, chunk: usize) -> Vec<Option<&'static str>> {
        let mut charsets = MailCharsets::default();
        let (mut found, mut asked) = (Vec::new(), 0);
        let first = LINE_LIMIT.min(text.len());
        for end in (first..text.len() + chunk).step_by(chunk) {
            let end = end.min(text.len());
            // Windows overlap.
            let begin = asked.min(end.saturating_sub(2 * chunk));
            charsets.read(&text.as_bytes()[begin..end], begin as u64);
            for at in asked.max(1)..end {
                let around = &text.as_bytes()[at - 1..];
                if matches!(around, [b'\n', b'1'..=b'9', b' ' | b'\n', ..]) {
                    let charset = charsets.at(at as u64);
                    found.push(charset.map(|charset| match charset {
                        PartCharset::Known(charset) => charset.name(),
                        PartCharset::Unknown(_) => "unknown",
                    }));
                }
            }
            asked = end;
        }
        found
    }

    #[test]
    fn the_last_declaration_counts_at_every_cut() {
        let (koi, utf) = (Some("KOI8-R"), Some("UTF-8"));
        for chunk in 1..BOX.len() {
            let found = charsets(BOX, chunk);
            let old = Some("windows-1251");
            let none = Some("unknown");
            assert_eq!(found, [koi, koi, utf, utf, utf, none, old], "{chunk}");
        }
    }

    #[test]
    fn only_mail_has_declarations() {
        let tail = "\nContent-Type: a; charset=koi8-r\n\n1\n";
        for (begin, is_mail) in [
            ("From a Mon", true),
            ("Subject: a", true),
            ("Received:", true),
            ("Subject \t : a", true),
            ("Two words: a", false),
            // A quoted "From " line, which mailboxes have inside of messages.
            (">From a Mon", false),
            ("\nSubject: a", false),
            (" Subject: a", false),
            ("", false),
            ("An article", false),
            ("http://a.example/", false),
            (": a", false),
            ("é: a", false),
        ] {
            let text = format!("{begin}{tail}");
            let expected = is_mail.then_some("KOI8-R");
            assert_eq!(charsets(&text, text.len()), [expected], "{begin}");
        }
    }
}
