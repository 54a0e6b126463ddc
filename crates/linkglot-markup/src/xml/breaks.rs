//! Line ends of XML 1.1 beyond those of XML 1.0: NEL and LINE SEPARATOR are read as line feeds (XML 1.1, section
//! 2.11), in tags and in values.

use super::is_blank;
use linkglot_charset::Charset;
use linkglot_charset::ascii::is_space;
use std::ops::Range;

const CHARACTERS: [char; 2] = ['\u{85}', '\u{2028}'];

/// The characters that end lines, in the document's charset. Empty in XML 1.0.
#[derive(Debug, Default)]
pub(super) struct Breaks(Vec<Vec<u8>>);

impl Breaks {
    /// The line ends of a document with a declaration, whose text comes without `<?xml` and `?>`.
    pub fn of_declaration(declaration: &[u8], charset: Charset) -> Breaks {
        if !is_version_1_1(declaration) {
            return Breaks::default();
        }
        let encoded = CHARACTERS.iter().filter_map(|ch| {
            let mut bytes = Vec::new();
            let known = charset.encode(ch.encode_utf8(&mut [0; 4]), &mut bytes);
            known.ok().map(|()| bytes)
        });
        Breaks(encoded.collect())
    }

    /// True if the document has no such line ends.
    #[inline]
    pub fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    /// The position of the first line end.
    pub fn find(&self, bytes: &[u8]) -> Option<usize> {
        let found = self
            .0
            .iter()
            .filter_map(|own| memchr::memmem::find(bytes, own));
        found.min()
    }

    /// A range without line ends and white space at its ends.
    pub fn trim(&self, bytes: &[u8], range: Range<usize>) -> Range<usize> {
        let Range { mut start, mut end } = range;
        while let Some(rest) = bytes.get(start..end) {
            let at_start = |own: &&Vec<u8>| rest.starts_with(own);
            let at_end = |own: &&Vec<u8>| rest.ends_with(own);
            match (rest.first(), rest.last()) {
                (Some(first), _) if is_space(*first) => start += 1,
                (_, Some(last)) if is_space(*last) => end -= 1,
                _ => match (self.0.iter().find(at_start), self.0.iter().find(at_end)) {
                    (Some(own), _) => start += own.len(),
                    (_, Some(own)) => end -= own.len(),
                    _ => break,
                },
            }
        }
        start..end
    }
}

/// The text with a line feed for each such line end.
pub(super) fn normalized(text: &str) -> String {
    text.replace(CHARACTERS, "\n")
}

fn is_version_1_1(declaration: &[u8]) -> bool {
    let Some(at) = memchr::memmem::find(declaration, b"version") else {
        return false;
    };
    let (before, rest) = declaration.split_at(at);
    let value = rest[7..].trim_ascii_start().strip_prefix(b"=");
    let value = value.map(<[u8]>::trim_ascii_start);
    let is_1_1 =
        value.is_some_and(|value| value.starts_with(b"\"1.1\"") || value.starts_with(b"'1.1'"));
    is_blank(before) && is_1_1
}
