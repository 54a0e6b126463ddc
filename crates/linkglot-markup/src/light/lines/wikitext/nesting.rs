//! The nesting of braces and double brackets in wikitext, as MediaWiki's preprocessor follows it: whether `=` would
//! give a parameter of a template a name.

use crate::line_state::Braces;

/// A level: what opened it, in two bits, and what was read of a template since then.
const TEMPLATE: u64 = 0;
const ARGUMENT: u64 = 1;
const PAGE: u64 = 2;
const KIND: u64 = 3;
/// A bar was read: parameters follow the name of the template.
const HAS_BAR: u64 = 4;
/// The parameter has a name.
const IS_NAMED: u64 = 8;

const BITS: u32 = 4;
/// The levels that are known. Parameters of deeper templates are taken for nameless ones.
const KNOWN: u32 = u64::BITS / BITS;

impl Braces {
    /// Follows a text without comments and elements. O(length).
    pub fn follow(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(found) = bytes[at..].iter().position(|byte| b"{}[]|=".contains(byte)) {
            at += found;
            let mark = bytes[at];
            let count = bytes[at..].iter().take_while(|byte| **byte == mark).count();
            match mark {
                b'{' => self.open_braces(count),
                b'}' => self.close_braces(count),
                b'[' => (0..count / 2).for_each(|_| self.open(PAGE)),
                b']' => (0..count / 2).for_each(|_| self.close_of(PAGE)),
                b'|' => self.set(HAS_BAR),
                b'=' if self.top() & HAS_BAR != 0 => {
                    let named = self.top() | IS_NAMED;
                    self.put(named);
                }
                _ => {}
            }
            at += count;
        }
    }

    /// True in a parameter of a template without a name.
    pub fn is_unnamed(&self) -> bool {
        let top = self.top();
        self.depth > 0 && top & KIND == TEMPLATE && top & (HAS_BAR | IS_NAMED) == HAS_BAR
    }

    /// The innermost level.
    fn top(&self) -> u64 {
        match self.depth {
            0 => ARGUMENT,
            depth if depth > KNOWN => TEMPLATE | HAS_BAR,
            depth => self.levels >> ((depth - 1) * BITS) & ((1 << BITS) - 1),
        }
    }

    fn put(&mut self, level: u64) {
        if (1..=KNOWN).contains(&self.depth) {
            let shift = (self.depth - 1) * BITS;
            self.levels = self.levels & !(((1 << BITS) - 1) << shift) | level << shift;
        }
    }

    /// Begins a parameter.
    fn set(&mut self, bar: u64) {
        if self.depth > 0 && self.top() & KIND == TEMPLATE {
            self.put(TEMPLATE | bar);
        }
    }

    fn open(&mut self, level: u64) {
        self.depth = self.depth.saturating_add(1);
        self.put(level);
    }

    /// Goes into an element whose content is read apart from the text around it.
    pub fn open_element(&mut self) {
        self.open(ARGUMENT);
    }

    pub fn close_element(&mut self) {
        self.close_of(ARGUMENT);
    }

    fn close_of(&mut self, kind: u64) {
        if self.depth > 0 && self.top() & KIND == kind {
            self.close();
        }
    }

    fn close(&mut self) {
        self.put(0);
        self.depth -= 1;
    }

    fn open_braces(&mut self, mut count: usize) {
        while count > 3 {
            self.open(TEMPLATE);
            count -= 2;
        }
        match count {
            2 => self.open(TEMPLATE),
            3 => self.open(ARGUMENT),
            _ => {}
        }
    }

    fn close_braces(&mut self, mut count: usize) {
        while self.depth > 0 {
            let needed = match self.top() & KIND {
                ARGUMENT => 3,
                TEMPLATE => 2,
                _ => return,
            };
            if count < needed {
                return;
            }
            self.close();
            count -= needed;
        }
    }
}
