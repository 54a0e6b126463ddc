//! Finds encoded words.

use linkglot_charset::ranges::{slice, tail};
use linkglot_charset::{Charset, KnownBytes};
use memchr::memmem;
use std::ops::Range;

/// An encoded word, `=?charset*language?encoding?content?=` (RFC 2047 section 2, RFC 2231 section 5).
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) range: Range<usize>,
    /// The charset with its language.
    pub(super) label: Range<usize>,
    pub(super) content: Range<usize>,
    pub(super) charset: Charset,
    /// The characters that the charset has where its label is taken as it stands.
    pub(super) known: KnownBytes,
    pub(super) encoding: Encoding,
    /// The letter of the encoding, in its case.
    pub(super) letter: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Base64,
    Quoted,
}

/// The longest label of a charset that is looked up.
const LABEL_LIMIT: usize = 75;

/// The words of a field, also words without white space around them, as clients read them.
pub(super) fn words(encoded: &[u8]) -> impl Iterator<Item = Word> {
    let finder = memmem::Finder::new(b"=?");
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let at = from + finder.find(encoded.get(from..)?)?;
            from = at + 1;
            if let Some(word) = word_at(encoded, at) {
                from = word.range.end;
                return Some(word);
            }
        }
    })
}

/// The word at a position. Reads up to the fourth `?`, so that all words together are read in linear time: at most
/// three words may begin before it.
fn word_at(encoded: &[u8], at: usize) -> Option<Word> {
    let label_start = at + 2;
    let rest = tail(encoded, label_start);
    let label_len = memchr::memchr(b'?', slice(rest, 0..rest.len().min(LABEL_LIMIT)))?;
    let (letter, encoding) = match *rest.get(label_len + 1..label_len + 3)? {
        [letter @ (b'B' | b'b'), b'?'] => (letter, Encoding::Base64),
        [letter @ (b'Q' | b'q'), b'?'] => (letter, Encoding::Quoted),
        _ => return None,
    };
    let content_start = label_start + label_len + 3;
    let content = tail(encoded, content_start);
    let content_len = memchr::memchr3(b'?', b'\n', b'\r', content)?;
    if !tail(content, content_len).starts_with(b"?=") {
        return None;
    }
    let label = label_start..label_start + label_len;
    let content = content_start..content_start + content_len;
    let (charset, known) = charset(slice(encoded, label.clone()))?;
    Some(Word {
        range: at..content.end + 2,
        charset,
        known,
        label,
        content,
        encoding,
        letter,
    })
}

fn charset(label: &[u8]) -> Option<(Charset, KnownBytes)> {
    let name = std::str::from_utf8(label.split(|&byte| byte == b'*').next()?).ok()?;
    let charset = Charset::for_label(name).ok()?;
    let known = KnownBytes::of_label(name);
    (!charset.is_replacement()).then_some((charset, known))
}
