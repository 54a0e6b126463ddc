//! Contexts: delimiters that open right in front of a link and close right behind it. A link ends where its context
//! closes, so marks in front of the closer belong to the link: `[a](http://example.org/Yahoo!)`.

use super::text::Text;

/// The most bytes behind a link that are searched for a closer.
pub(super) const MAX_REST: usize = 1024;

/// The content between the delimiters of a context.
#[derive(Clone, Copy, PartialEq)]
enum Holds {
    /// Nothing but the link.
    Link,
    /// A link or a sentence.
    Words,
    /// As `Words`; the closer may also be a character of the link.
    Quoted,
}

/// A delimiter that opens in front of a link, and the delimiters that may close it.
pub(super) struct Context {
    open: &'static str,
    close: &'static [&'static str],
    holds: Holds,
}

const fn context(open: &'static str, close: &'static [&'static str], holds: Holds) -> Context {
    Context { open, close, holds }
}

/// The contexts of markup, groups and ASCII quotes. Other quotes and round brackets hold sentences more often than
/// links, so they are missing.
static CONTEXTS: [Context; 12] = [
    // `[text](link)`, `[text](link "title")`
    context("](", &[")", END], Holds::Link),
    // `[[link]]`, `[[link|text]]`, `[[link][text]]`
    context("[[", &["]]", "][", "|"], Holds::Link),
    context("[url]", &["[/"], Holds::Link),
    context("[img]", &["[/"], Holds::Link),
    // `[b]link[/b]`
    context("]", &["[/"], Holds::Words),
    // `[url=link]text[/url]`
    context("url=", &["]"], Holds::Link),
    // `{link}`, `\\url{link}`
    context("{", &["}"], Holds::Link),
    context("|", &["|"], Holds::Words),
    context("\"", &["\""], Holds::Quoted),
    context("'", &["'"], Holds::Quoted),
    context("`", &["`"], Holds::Quoted),
    context("<", &[">"], Holds::Quoted),
];

/// Ends of any link: the end of a comment, and end tags of BBCode.
pub(super) static ENDS: [&str; 2] = ["-->", "[/"];

/// Placeholder for white space or the end of the run.
const END: &str = " ";

impl Context {
    /// The context that opens in front of `start`. O(1).
    pub(super) fn of(text: &Text<'_>, start: usize) -> Option<&'static Context> {
        if !may_open(text.byte_before(start)) {
            return None;
        }
        CONTEXTS
            .iter()
            .find(|context| text.ends(start, 0, context.open))
    }

    /// True if the context closes at a position. O(1).
    pub(super) fn closes(&self, text: &Text<'_>, at: usize) -> bool {
        // `'http://example.org/it's'`
        let is_end = |at: usize| !self.is_quote() || !text.char(at + 1).is_alphanumeric();
        let is_closed = |close: &&str| match *close {
            END => text.byte(at) <= b' ',
            close => text.has(at, close) && is_end(at),
        };
        self.close.iter().any(is_closed)
    }

    /// True if a sentence may stand between the delimiters.
    pub(super) fn holds_words(&self) -> bool {
        self.holds != Holds::Link
    }

    /// True if the closer may also be a character of the link.
    pub(super) fn is_quote(&self) -> bool {
        self.holds == Holds::Quoted
    }
}

/// True if a context may open with this byte right in front of a link.
pub(super) fn may_open(byte: u8) -> bool {
    matches!(byte, b'(' | b'[' | b']' | b'{' | b'=' | b'|') || is_quote(byte)
}

/// True if a byte opens a quotation.
pub(super) fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`' | b'<')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opener_ends_with_a_byte_that_may_open() {
        for context in &CONTEXTS {
            let last = context.open.bytes().last().unwrap_or_default();
            assert!(may_open(last), "{}", context.open);
        }
    }
}
