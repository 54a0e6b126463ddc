//! The ends of content that is not markup: raw text, escapable raw text, scripts, CDATA sections and comments (HTML
//! standard 13.2.5.2 to 13.2.5.69).

use linkglot_charset::Charset;
use linkglot_charset::ascii::is_space;
use memchr::{memchr, memchr2};

/// The reading of the bytes behind a tag (the standard's tokenizer state).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Markup.
    Data,
    /// Text with references, up to the end tag of the last start tag (title, textarea).
    Rcdata,
    /// Text without references, up to the end tag of the last start tag (style, xmp, iframe, ...).
    Rawtext,
    /// A script.
    Script(Script),
    /// Text to the end of the document.
    Plaintext,
    /// A CDATA section of foreign content.
    Cdata,
}

/// The level of comment-like escapes in a script (13.2.5.20, 13.2.5.27).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// Outside of escapes.
    Plain,
    /// Behind `<!--`.
    Escaped,
    /// Behind `<!-- ... <script`.
    DoubleEscaped,
}

/// The result of a search for the end of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentEnd {
    /// The content ends at the first position; reading goes on at the second.
    At(usize, usize),
    /// Everything before this position is content; the rest depends on bytes to come.
    Open(usize),
    /// Code of PHP begins at this position.
    Code(usize),
}

/// The bytes of a search.
#[derive(Clone, Copy)]
pub struct Haystack<'w> {
    /// The window.
    pub bytes: &'w [u8],
    /// The beginning of the content, as far as it lies in the window.
    pub start: usize,
    /// The beginning of the search.
    pub from: usize,
    /// True if the document ends with the bytes.
    pub last: bool,
    /// True if code of PHP is told from content.
    pub has_php: bool,
}

impl Haystack<'_> {
    fn next(&self, byte: u8, from: usize) -> Option<usize> {
        let rest = self.bytes.get(from..)?;
        memchr(byte, rest).map(|found| from + found)
    }

    fn next_of(&self, one: u8, other: u8, from: usize) -> Option<usize> {
        let rest = self.bytes.get(from..)?;
        memchr2(one, other, rest).map(|found| from + found)
    }

    /// True if `what` stands before `at`, inside the content.
    fn is_before(&self, what: &[u8], at: usize) -> bool {
        self.bytes
            .get(self.start..at)
            .is_some_and(|content| content.ends_with(what))
    }

    /// The answer if code of PHP begins, or may begin, at a `<`.
    fn code_at(&self, at: usize) -> Option<ContentEnd> {
        match begins_php(self.bytes.get(at..).filter(|_| self.has_php)?) {
            Some(true) => Some(ContentEnd::Code(at)),
            None if !self.last => Some(self.open(at)),
            _ => None,
        }
    }

    /// The answer that the content goes on, and that what stands behind a position depends on bytes to come.
    pub fn open(&self, at: usize) -> ContentEnd {
        let end = self.bytes.len();
        ContentEnd::Open(if self.last {
            end
        } else {
            at.clamp(self.start, end)
        })
    }
}

/// The end of a comment whose text begins at `hay.start` (13.2.5.43 to 13.2.5.52).
pub fn comment_end(hay: Haystack<'_>, at_begin: bool) -> ContentEnd {
    let begin = hay.bytes.get(hay.start..).unwrap_or_default();
    if at_begin {
        if begin.first() == Some(&b'>') {
            return ContentEnd::At(hay.start, hay.start + 1);
        }
        if begin.starts_with(b"->") {
            return ContentEnd::At(hay.start, hay.start + 2);
        }
    }
    let mut from = hay.from;
    while let Some(at) = hay.next(b'>', from) {
        if hay.is_before(b"--", at) {
            return ContentEnd::At(at - 2, at + 1);
        }
        if hay.is_before(b"--!", at) {
            return ContentEnd::At(at - 3, at + 1);
        }
        from = at + 1;
    }
    hay.open(hay.bytes.len().saturating_sub(3))
}

/// The end of a bogus comment or a document type declaration: the next `>` (13.2.5.41, and each of
/// 13.2.5.53 to 13.2.5.68, quoted identifiers included).
pub fn declaration_end(hay: Haystack<'_>) -> ContentEnd {
    match hay.next(b'>', hay.from) {
        Some(at) => ContentEnd::At(at, at + 1),
        None => hay.open(hay.bytes.len()),
    }
}

/// True if code of PHP begins at the beginning of bytes, `None` if they are too short to tell. `<?` alone may begin an
/// instruction of XML.
pub fn begins_php(bytes: &[u8]) -> Option<bool> {
    const LONG: &[u8] = b"<?php";
    if bytes.starts_with(b"<?=") {
        return Some(true);
    }
    let begin = &bytes[..bytes.len().min(LONG.len())];
    if !begin.eq_ignore_ascii_case(&LONG[..begin.len()]) {
        return Some(false);
    }
    bytes.get(LONG.len()).map(|byte| is_space(*byte))
}

/// The end of a CDATA section (13.2.5.69 to 13.2.5.71). `]` may be the trail of a character.
pub fn cdata_end(hay: Haystack<'_>, charset: Charset) -> ContentEnd {
    let mut from = hay.from;
    while let Some(at) = hay.next(b'>', from) {
        if hay.is_before(b"]]", at) && are_brackets(hay, charset, at) {
            return ContentEnd::At(at - 2, at + 1);
        }
        from = at + 1;
    }
    hay.open(hay.bytes.len().saturating_sub(2))
}

fn are_brackets(hay: Haystack<'_>, charset: Charset, at: usize) -> bool {
    let Some(content) = hay.bytes.get(hay.start..at) else {
        return false;
    };
    let end = content.len();
    charset.is_char_at(content, end - 2) && charset.is_char_at(content, end - 1)
}

/// The end of raw text or escapable raw text: the end tag of `name` (13.2.5.9 to 13.2.5.14).
pub fn raw_end(hay: Haystack<'_>, name: &[u8]) -> ContentEnd {
    let mut from = hay.from;
    while let Some(at) = hay.next(b'<', from) {
        if let Some(code) = hay.code_at(at) {
            return code;
        }
        match tag_at(hay, at, b"</", name) {
            Answer::Yes => return ContentEnd::At(at, at),
            Answer::Unknown => return hay.open(at),
            Answer::No => from = at + 1,
        }
    }
    hay.open(hay.bytes.len())
}

/// The end of a script (13.2.5.15 to 13.2.5.31). `script` is the state at `hay.from` and becomes the state at the
/// position of the answer.
pub fn script_end(hay: Haystack<'_>, name: &[u8], script: &mut Script) -> ContentEnd {
    let mut from = hay.from;
    loop {
        let found = match script {
            Script::Plain => hay.next(b'<', from),
            _ => hay.next_of(b'<', b'>', from),
        };
        let Some(at) = found else {
            // The last two bytes may be the dashes of `-->`.
            return hay.open(hay.bytes.len().saturating_sub(2));
        };
        if hay.bytes.get(at) == Some(&b'>') {
            if hay.is_before(b"--", at) {
                *script = Script::Plain;
            }
            from = at + 1;
            continue;
        }
        if let Some(code) = hay.code_at(at) {
            return code;
        }
        match script_step(hay, at, name, *script) {
            ScriptStep::End => return ContentEnd::At(at, at),
            ScriptStep::Unknown => return hay.open(at),
            ScriptStep::Enter(next, length) => {
                *script = next;
                from = at + length;
            }
        }
    }
}

enum ScriptStep {
    End,
    Unknown,
    Enter(Script, usize),
}

/// The meaning of a `<` in a script.
fn script_step(hay: Haystack<'_>, at: usize, name: &[u8], script: Script) -> ScriptStep {
    use Answer::*;
    let close = |name| tag_at(hay, at, b"</", name);
    let (answer, then) = match script {
        Script::Plain => match close(name) {
            No => (
                begins(hay, at, b"<!--"),
                ScriptStep::Enter(Script::Escaped, 4),
            ),
            other => (other, ScriptStep::End),
        },
        Script::Escaped => match close(name) {
            No => (
                tag_at(hay, at, b"<", b"script"),
                ScriptStep::Enter(Script::DoubleEscaped, 7),
            ),
            other => (other, ScriptStep::End),
        },
        Script::DoubleEscaped => (close(b"script"), ScriptStep::Enter(Script::Escaped, 8)),
    };
    match answer {
        Yes => then,
        Unknown => ScriptStep::Unknown,
        No => ScriptStep::Enter(script, 1),
    }
}

/// An answer that may depend on bytes to come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Yes.
    Yes,
    /// No.
    No,
    /// The bytes end before the answer is decided.
    Unknown,
}

/// Tells if the bytes at `at` begin with `what`, ASCII case ignored. At the end of the document the answer is never
/// [`Answer::Unknown`].
pub fn begins(hay: Haystack<'_>, at: usize, what: &[u8]) -> Answer {
    let rest = hay.bytes.get(at..).unwrap_or_default();
    let length = rest.len().min(what.len());
    if !rest[..length].eq_ignore_ascii_case(&what[..length]) {
        Answer::No
    } else if length == what.len() {
        Answer::Yes
    } else if hay.last {
        Answer::No
    } else {
        Answer::Unknown
    }
}

/// Tells if the tag `open` + `name` stands at `at`, with a byte behind it that ends a tag name.
fn tag_at(hay: Haystack<'_>, at: usize, open: &[u8], name: &[u8]) -> Answer {
    if name.is_empty() {
        return Answer::No;
    }
    match begins(hay, at, open) {
        Answer::Yes => {}
        other => return other,
    }
    match begins(hay, at + open.len(), name) {
        Answer::Yes => {}
        other => return other,
    }
    match hay.bytes.get(at + open.len() + name.len()) {
        Some(&byte) if is_space(byte) || matches!(byte, b'/' | b'>') => Answer::Yes,
        Some(_) => Answer::No,
        None if hay.last => Answer::No,
        None => Answer::Unknown,
    }
}
