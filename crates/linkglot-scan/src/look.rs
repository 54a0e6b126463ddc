//! A quick look at single places of a text: for tokenizers, which need not answer text without links.

use super::Scanner;
use super::stop::Stop;
use super::triggers::Ground;
use linkglot_charset::Charset;

/// Looks at single bytes of a charset. Cheap to make.
pub struct Look {
    scanner: Scanner,
    charset: Charset,
    references: bool,
}

impl Look {
    /// A look at bytes of a charset, in which `&` may begin character references.
    pub fn new(scanner: &Scanner, charset: Charset, references: bool) -> Self {
        Look {
            scanner: scanner.clone(),
            charset,
            references,
        }
    }

    /// Whether a link of the run of text that begins with `hay` may be found at the `:`, `.`, `&` or `。` at `at`. Each
    /// link is found at one of these. O(1).
    pub fn may_be_link(&self, hay: &[u8], at: usize) -> bool {
        let stop = Stop::of(self.charset);
        let rest = hay.get(at..).unwrap_or_default();
        let is_trigger = match rest.first() {
            Some(b':' | b'.' | b'&') => true,
            _ => stop.bytes().is_some_and(|stop| rest.starts_with(stop)),
        };
        is_trigger && Ground::new(hay, &self.scanner, stop, self.references).may_be_link(at)
    }
}
