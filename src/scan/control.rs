//! Control sequences of terminals (ECMA-48) and chats (mIRC's colours) in front of a link: their
//! letters and digits stand glued to it and are none of its.

use super::escapes;
use super::find::Finder;
use crate::charset::Charset;
use memchr::memrchr3;

/// The most bytes of a control sequence that are looked at.
pub(super) const MAX_CONTROL: usize = 48;

const ESCAPE: char = '\u{1B}';
/// Control Sequence Introducer in one character.
const CSI: char = '\u{9B}';
/// `\x03` and a colour's number, `\x04` and its six hexadecimal digits; perhaps a comma and a second
/// colour.
const COLOUR: char = '\u{3}';
const HEX_COLOUR: char = '\u{4}';

/// The bytes that may begin a control sequence whose letters and digits are no controls.
const INTRODUCERS: [u8; 3] = [0x1B, 0x03, 0x04];

/// Whether a byte is one of them.
pub(super) const fn introduces(byte: u8) -> bool {
    let [escape, colour, hex_colour] = INTRODUCERS;
    byte == escape || byte == colour || byte == hex_colour
}

/// Where the last character begins that may introduce a control sequence, in bytes of a charset in
/// which ASCII bytes are characters of their own if it is `exact`.
pub(super) fn last_introducer(bytes: &[u8], charset: Charset, exact: bool) -> Option<usize> {
    if bytes.is_ascii() {
        return memrchr3(INTRODUCERS[0], INTRODUCERS[1], INTRODUCERS[2], bytes);
    }
    let csi: &[u8] = match charset == Charset::UTF_8 {
        true => &[0xC2, 0x9B],
        false if exact => &[0x9B],
        // GB18030 has it among the first of its characters of four bytes, the others lack it.
        false => &[0x81, b'0'],
    };
    let is_begin =
        |rest: &[u8]| rest.first().is_some_and(|&byte| introduces(byte)) || rest.starts_with(csi);
    (0..bytes.len())
        .rev()
        .find(|&at| bytes.get(at..).is_some_and(is_begin))
}

/// Whether a control sequence may have this byte in front of its last letters and digits.
pub(super) fn may_stand_in(byte: u8) -> bool {
    matches!(byte, b'!'..=b'/' | b':'..=b'?' | b'[')
}

/// Whether bytes may end with a control sequence whose introducer is written with letters: `\\e[31;1`.
pub(super) fn may_be_written(before: &[u8]) -> bool {
    let is_inside = |byte: &u8| matches!(byte, b' '..=b'?');
    let Some(bracket) = before.iter().rposition(|byte| !is_inside(byte)) else {
        return before.len() >= MAX_CONTROL;
    };
    before.get(bracket) == Some(&b'[')
        && bracket
            .checked_sub(1)
            .and_then(|at| before.get(at))
            .is_none_or(|&byte| escapes::ends_written(byte))
}

impl Finder<'_, '_> {
    /// The begin of a name without the end of a control sequence that stands in front of it.
    pub(super) fn behind_control(&self, start: usize, end: usize) -> usize {
        match self.control_end(start) {
            Some(behind) if behind <= end => behind.max(start),
            _ => start,
        }
    }

    /// The end of the control sequence that begins in front of a position and behind no other
    /// control character.
    fn control_end(&self, start: usize) -> Option<usize> {
        let text = self.text;
        let mut i = start;
        while i > self.floor && start - i < MAX_CONTROL {
            let ch = text.before(i)?;
            match ch {
                ESCAPE => return self.escape_end(i),
                CSI => return self.sequence_end(i),
                COLOUR => return Some(self.colours_end(i, 2)),
                HEX_COLOUR => return Some(self.colours_end(i, 6)),
                '[' if escapes::is_written(text, i - 1, self.floor) => return self.colour_end(i),
                '!'..='?' | '[' | 'a'..='f' | 'A'..='F' => i -= 1,
                _ => return None,
            }
        }
        None
    }

    /// The end of what follows ESC: a control sequence, or intermediate bytes and a final one.
    fn escape_end(&self, at: usize) -> Option<usize> {
        match self.text.byte(at) {
            b'[' => self.sequence_end(at + 1),
            // A string of words follows.
            b']' | b'P' | b'X' | b'^' | b'_' => None,
            _ => {
                let last = self.run_end(at, |byte| matches!(byte, b' '..=b'/'));
                let is_final = match self.text.byte(last) {
                    // Of the functions of one letter (ISO 2375) only those that are: a lone ESC may stand in front of a name.
                    byte @ b'`'..=b'~' if last == at => b"`cno|}~".contains(&byte),
                    byte => matches!(byte, b'0'..=b'~'),
                };
                is_final.then_some(last + 1)
            }
        }
    }

    /// The end of parameters, intermediate bytes and the final byte (ECMA-48 5.4).
    fn sequence_end(&self, at: usize) -> Option<usize> {
        let parameters = self.run_end(at, |byte| matches!(byte, b'0'..=b'?'));
        let last = self.run_end(parameters, |byte| matches!(byte, b' '..=b'/'));
        let is_final = matches!(self.text.byte(last), b'@'..=b'~');
        is_final.then_some(last + 1)
    }

    /// The end of a sequence whose introducer is written with letters: of those that set colours, erase or move, which are no
    /// words.
    fn colour_end(&self, at: usize) -> Option<usize> {
        let end = self.sequence_end(at)?;
        let is_known = matches!(self.text.byte(end - 1), b'm' | b'A'..=b'K');
        let is_mode = || self.text.byte(at) == b'?';
        (is_known || is_mode()).then_some(end)
    }

    /// The end of one colour or two of so many digits at the most.
    fn colours_end(&self, at: usize, digits: usize) -> usize {
        let is_digit = |byte: u8| byte.is_ascii_digit() || digits == 6 && byte.is_ascii_hexdigit();
        let colour = |at: usize| {
            let end = self.run_end(at, is_digit).min(at + digits);
            let whole = end > at && (digits == 2 || end == at + digits);
            whole.then_some(end)
        };
        let Some(first) = colour(at) else {
            return at;
        };
        let second = (self.text.byte(first) == b',').then(|| colour(first + 1));
        second.flatten().unwrap_or(first)
    }

    fn run_end(&self, at: usize, is: impl Fn(u8) -> bool) -> usize {
        let mut i = at;
        while i < at + MAX_CONTROL && is(self.text.byte(i)) {
            i += 1;
        }
        i
    }
}
