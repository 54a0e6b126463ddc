//! Contexts: delimiters that open right in front of a link and close right behind it. A link ends where its context
//! closes, so punctuation in front of the closer belongs to the link: `[a](http://example.org/Yahoo!)`.

use super::text::Text;

/// The most punctuation at the end of a link that is searched for a closer.
pub(super) const MAX_MARKS: usize = 16;

/// A delimiter that opens in front of a link, and the delimiters that may close it.
pub(super) struct Context {
    open: &'static str,
    close: &'static [&'static str],
}

/// The contexts that hold only a link. Quotes, parentheses and angle brackets may hold sentences, so they are missing.
static CONTEXTS: [Context; 6] = [
    // `[text](link)`, `[text](link "title")`
    Context {
        open: "](",
        close: &[")", END],
    },
    // `[[link]]`, `[[link|text]]`, `[[link][text]]`
    Context {
        open: "[[",
        close: &["]]", "][", "|"],
    },
    // `[url]link[/url]`
    Context {
        open: "]",
        close: &["[/"],
    },
    // `[url=link]text[/url]`
    Context {
        open: "url=",
        close: &["]"],
    },
    // `{link}`, `\\url{link}`
    Context {
        open: "{",
        close: &["}"],
    },
    // `|link|`
    Context {
        open: "|",
        close: &["|"],
    },
];

/// Ends of any link: the end of a comment, and end tags of BBCode.
pub(super) static ENDS: [&str; 2] = ["-->", "[/"];

/// Placeholder for white space or the end of the run.
const END: &str = " ";

impl Context {
    /// The context that opens in front of `start`. O(1).
    pub(super) fn of(text: &Text<'_>, start: usize) -> Option<&'static Context> {
        CONTEXTS
            .iter()
            .find(|context| text.ends(start, 0, context.open))
    }

    /// True if the context closes at a position. O(1).
    pub(super) fn closes(&self, text: &Text<'_>, at: usize) -> bool {
        let is_closed = |close: &&str| match *close {
            END => text.byte(at) <= b' ',
            close => text.has(at, close),
        };
        self.close.iter().any(is_closed)
    }
}

/// True if a context may open with this byte right in front of a link.
pub(super) fn may_open(byte: u8) -> bool {
    matches!(byte, b'(' | b'[' | b']' | b'{' | b'=' | b'|')
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
