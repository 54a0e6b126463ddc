//! Calls of PHP that declare a charset.

use super::code::{Code, is_word};
use crate::ascii::is_space;
use std::ops::Range;

/// Words of PHP that end a block which a colon has opened.
const ENDS_OF_BLOCKS: [&[u8]; 5] = [
    b"endif",
    b"endwhile",
    b"endfor",
    b"endforeach",
    b"endswitch",
];

/// Words of PHP behind which no code runs.
const ENDS: [&[u8]; 5] = [b"exit", b"die", b"return", b"goto", b"__halt_compiler"];

/// A call that declares a charset, with the string that names it.
pub(super) enum Call {
    Header(Range<usize>),
    DefaultCharset(Range<usize>),
}

/// Code of PHP, read call by call.
pub(super) struct Php<'c> {
    pub code: Code<'c>,
    /// The number of blocks that are open: `{`, or `:` behind a condition.
    pub blocks: usize,
    /// True behind a colon that opens a block, unless it turns out to be that of a return type.
    pub is_colon: bool,
    /// True behind a statement that ends the code.
    pub has_ended: bool,
    /// The last byte that is no white space and no `@`, or a letter for a word.
    pub last: u8,
}

impl Php<'_> {
    /// The next call of interest, and whether it is made whenever the code runs: as a statement of its own, in no
    /// block. `None`: the code ends.
    pub fn call(&mut self) -> Option<(Call, bool)> {
        loop {
            let code = &mut self.code;
            match code.rest() {
                [] => return None,
                [b'?', b'>', ..] => {
                    code.at += 2;
                    return None;
                }
                [b'/', b'*', ..] => code.skip_past(b"*/"),
                [b'/', b'/', ..] => code.skip_line(b"?>"),
                [b'#', next, ..] if *next != b'[' => code.skip_line(b"?>"),
                [b'\'' | b'"' | b'`', ..] => {
                    code.string();
                    self.last = b'"';
                }
                [b'<', b'<', b'<', ..] => {
                    code.heredoc();
                    self.last = b'"';
                }
                [first, ..] if is_word(*first) => {
                    let is_statement = matches!(self.last, b';' | b'}');
                    let is_made = self.blocks == 0 && is_statement && !self.has_ended;
                    // `$header(`, `->header(` and `::header(` call other functions.
                    let is_other = matches!(self.last, b'$' | b'>' | b':');
                    let word = code.word();
                    let word = word.strip_prefix(b"\\").unwrap_or(word);
                    self.last = b'a';
                    if is_other {
                        continue;
                    }
                    let is = |words: &[&[u8]]| {
                        words.iter().any(|known| word.eq_ignore_ascii_case(known))
                    };
                    if is(&ENDS_OF_BLOCKS) {
                        self.blocks = self.blocks.saturating_sub(1);
                    }
                    self.has_ended |= is_made && is(&ENDS);
                    if word.eq_ignore_ascii_case(b"header") {
                        if let Some(string) = code.argument(b'(') {
                            // More of the field may follow.
                            let is_whole = code.next_is(|byte| matches!(byte, b')' | b','));
                            return Some((Call::Header(string), is_made && is_whole));
                        }
                    } else if word.eq_ignore_ascii_case(b"ini_set")
                        && let Some(name) = code.argument(b'(')
                        && code.code[name] == *b"default_charset"
                        && let Some(value) = code.argument(b',')
                    {
                        return Some((Call::DefaultCharset(value), is_made));
                    }
                }
                [byte, ..] => {
                    let is_colon = *byte == b':' && self.last == b')';
                    match byte {
                        b':' if is_colon => self.blocks += 1,
                        // The block of a function: the colon was that of its type.
                        b'{' if self.is_colon => {}
                        b'{' => self.blocks += 1,
                        b'}' => self.blocks = self.blocks.saturating_sub(1),
                        _ => {}
                    }
                    if !is_space(*byte) && *byte != b'@' {
                        self.last = *byte;
                        self.is_colon = is_colon || self.is_colon && matches!(byte, b'?' | b'|');
                    }
                    code.at += 1;
                }
            }
        }
    }
}
