//! What the messages and parts of a mailbox say about their charsets.
//!
//! A document is read in one charset, that of its first content type. Here is known where others are declared.

use super::{Charset, prescan};
use crate::ascii::is_space;
use std::collections::VecDeque;

/// The name of a content type's field.
const NAME: &[u8] = b"content-type";

/// As much of a field is read, in bytes.
const MOST: usize = 1 << 10;

/// No line of a header should have more characters (RFC 5322, 2.1.1): the first bytes that are read are so many, or all.
const LINE: usize = 78;

/// The charsets that content types declare in a text, in the order in which it is read.
///
/// Every field counts that begins a line, wherever it stands: what is no declaration but looks like one makes a reader too
/// careful, no more. A text that does not begin like a mail has none. Linear; it remembers the changes of charset
/// in what was read and not asked for yet.
#[derive(Debug, Default)]
pub(crate) struct MailCharsets {
    /// Whether the text begins like a mail; `None` before it is known.
    is_mail: Option<bool>,
    /// What was read ends here.
    read: u64,
    /// Whether it ends inside of a line.
    in_line: bool,
    /// What was read of the field that may be a content type.
    field: Vec<u8>,
    /// Where another charset begins.
    changes: VecDeque<(u64, Charset)>,
    /// The last charset in front of the place that was asked for.
    current: Option<Charset>,
}

impl MailCharsets {
    /// Reads on, up to the end of `bytes`, the first of which is the text's byte `origin`.
    pub fn read(&mut self, bytes: &[u8], origin: u64) {
        let is_mail = *self.is_mail.get_or_insert_with(|| begins_mail(bytes));
        let known = self.read.saturating_sub(origin) as usize;
        let Some(mut rest) = bytes.get(known..).filter(|_| is_mail) else {
            return;
        };
        self.read = origin + known as u64;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            let (line, behind) = rest.split_at(end);
            self.line(line);
            self.read += end as u64;
            rest = behind;
        }
    }

    /// A line, or the part of one that is at hand.
    fn line(&mut self, line: &[u8]) {
        let Some(&first) = line.first() else {
            return;
        };
        let is_begin = !std::mem::replace(&mut self.in_line, !line.ends_with(b"\n"));
        let is_folded = matches!(first, b' ' | b'\t');
        if is_begin && !is_folded {
            self.settle();
        }
        // Only a field has something of it kept, from its first letter on.
        if is_begin && first.eq_ignore_ascii_case(&NAME[0]) || !self.field.is_empty() {
            let room = MOST.saturating_sub(self.field.len());
            self.field.extend_from_slice(&line[..line.len().min(room)]);
        }
    }

    /// The field ends in front of the line that begins here.
    fn settle(&mut self) {
        let declared = match self.field.split_at_checked(NAME.len()) {
            Some((name, rest)) if name.eq_ignore_ascii_case(NAME) => {
                prescan::behind_colon(rest).and_then(prescan::content_type)
            }
            _ => None,
        };
        self.field.clear();
        if let Some(charset) = declared {
            self.changes.push_back((self.read, charset));
        }
    }

    /// The charset that is declared last in front of the text's byte `at`. Each call is for a place at or behind that of
    /// the one before, which was read.
    pub fn at(&mut self, at: u64) -> Option<Charset> {
        while let Some(&(from, charset)) = self.changes.front()
            && from <= at
        {
            self.current = Some(charset);
            self.changes.pop_front();
        }
        self.current
    }
}

/// Whether a text begins with the line in front of a message, or with a field of its header (RFC 5322, 2.2).
fn begins_mail(text: &[u8]) -> bool {
    let line = &text[..text.len().min(LINE)];
    let is_name = |byte: &&u8| byte.is_ascii_graphic() && **byte != b':';
    let name = line.iter().take_while(is_name).count();
    let is_field = || match line.get(name..).and_then(prescan::behind_colon) {
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

    /// The charset at each line that is a digit or begins with one and a blank.
    fn of(text: &str, chunk: usize) -> Vec<Option<&'static str>> {
        let mut charsets = MailCharsets::default();
        let (mut found, mut asked) = (Vec::new(), 0);
        let first = LINE.min(text.len());
        for end in (first..text.len() + chunk).step_by(chunk) {
            let end = end.min(text.len());
            // Windows overlap.
            let begin = asked.min(end.saturating_sub(2 * chunk));
            charsets.read(&text.as_bytes()[begin..end], begin as u64);
            for at in asked.max(1)..end {
                let around = &text.as_bytes()[at - 1..];
                if matches!(around, [b'\n', b'1'..=b'9', b' ' | b'\n', ..]) {
                    let charset = charsets.at(at as u64);
                    found.push(charset.map(Charset::name));
                }
            }
            asked = end;
        }
        found
    }

    #[test]
    fn the_last_declaration_counts_however_the_text_is_cut() {
        let (koi, utf) = (Some("KOI8-R"), Some("UTF-8"));
        for chunk in 1..BOX.len() {
            let found = of(BOX, chunk);
            let old = Some("windows-1251");
            assert_eq!(found, [koi, koi, utf, utf, utf, utf, old], "{chunk}");
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
            // What stands in front of a message in a mailbox, not in a mailbox in one (RFC 5322 knows neither).
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
            assert_eq!(of(&text, text.len()), [expected], "{begin}");
        }
    }
}
