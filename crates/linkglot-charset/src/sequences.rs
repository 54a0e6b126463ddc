//! Charsets whose codes have one to three bytes and stand for one or more characters, from the rows of
//! `tables/sequences.tsv`: TSCII, whose glyphs are syllables of Tamil, and T.61 and its kin, which write an accent in
//! front of its letter.

use crate::codec::{Codec, Seam, Spec, TranscodedCodec};
use crate::decoded::{DecodedChar, End, Shift, Text};
use crate::modal::{STUB, verified};
use crate::table::{each_code, rows};
use std::sync::{LazyLock, OnceLock};

static FILE: &str = include_str!("../tables/sequences.tsv");

/// The charsets, in the order of the file.
pub(crate) static ALL: LazyLock<Vec<Spec>> = LazyLock::new(|| {
    let specs = CODECS.iter().map(|(name, codec)| Spec {
        name,
        labels: "",
        is_unicode: false,
        codec,
    });
    specs.collect()
});

static CODECS: LazyLock<Vec<(&'static str, Sequences)>> = LazyLock::new(|| {
    let codecs = rows(FILE).map(|[name, _, codes]| (name, Sequences::new(codes)));
    codecs.collect()
});

/// The most bytes of a code.
const LONGEST: usize = 3;

struct Sequences {
    row: &'static str,
    /// Filled at the first look-up.
    codes: OnceLock<Codes>,
}

/// The bytes of a code, filled up with zeros, and their number.
pub(crate) type Code = ([u8; LONGEST], usize);

/// The codes of a charset, sorted by code and by text.
pub(crate) struct Codes {
    /// The texts of single bytes. `None` where a longer code begins.
    alone: [Option<Text>; 256],
    by_code: Vec<(Code, Text)>,
    by_text: Vec<(String, Code)>,
}

impl Codes {
    /// Merges `others` and the codes of files. A later file overrides all before.
    pub(crate) fn of(others: impl Iterator<Item = (Code, Text)>, files: &[&str]) -> Self {
        let mut by_code: Vec<(Code, Text)> = others.collect();
        for file in files {
            each_code(file, |code, text| by_code.push((code_of(code), text)));
        }
        by_code.reverse();
        by_code.sort_by_key(|&(code, _)| code);
        by_code.dedup_by_key(|(code, _)| *code);
        by_code.retain(|(_, text)| !text.is_none());
        let by_text = by_code
            .iter()
            .map(|(code, text)| (text.chars().collect(), *code));
        let mut by_text: Vec<(String, Code)> = by_text.collect();
        by_text.sort_by(|a, b| (&a.0, a.1.1, a.1.0).cmp(&(&b.0, b.1.1, b.1.0)));
        by_text.dedup_by(|a, b| a.0 == b.0);
        let mut codes = Codes {
            alone: [None; 256],
            by_code,
            by_text,
        };
        codes.alone = std::array::from_fn(|byte| {
            let byte = [byte as u8];
            let is_alone = !codes.goes_on(&byte);
            is_alone.then(|| codes.text(&byte).unwrap_or(Text::NONE))
        });
        codes
    }

    pub(crate) fn text(&self, bytes: &[u8]) -> Option<Text> {
        let code = code_of(bytes);
        let at = self
            .by_code
            .binary_search_by_key(&code, |(known, _)| *known);
        Some(self.by_code[at.ok()?].1)
    }

    /// True if a code is longer than `bytes` and begins with them.
    fn goes_on(&self, bytes: &[u8]) -> bool {
        let from = self
            .by_code
            .partition_point(|((known, _), _)| known[..] < *bytes);
        let with = self.by_code[from..].iter();
        let mut with = with.take_while(|((known, _), _)| known.starts_with(bytes));
        with.any(|((_, len), _)| *len > bytes.len())
    }

    /// The code of the longest text that `text` begins with, and the length of that text.
    pub(crate) fn code(&self, text: &str) -> Option<(&[u8], usize)> {
        let ends = text.char_indices().map(|(at, ch)| at + ch.len_utf8());
        let ends: Vec<usize> = ends.take(Text::LONGEST).collect();
        ends.into_iter().rev().find_map(|end| {
            let at = self
                .by_text
                .binary_search_by(|(known, _)| known.as_str().cmp(&text[..end]));
            let (code, len) = &self.by_text.get(at.ok()?)?.1;
            Some((&code[..*len], end))
        })
    }
}

/// Bytes as a [`Code`]. There are [`LONGEST`] at most.
fn code_of(bytes: &[u8]) -> Code {
    let mut code = [0; LONGEST];
    code.iter_mut()
        .zip(bytes)
        .for_each(|(to, from)| *to = *from);
    (code, bytes.len())
}

impl Sequences {
    const fn new(row: &'static str) -> Self {
        Sequences {
            row,
            codes: OnceLock::new(),
        }
    }

    fn codes(&self) -> &Codes {
        self.codes.get_or_init(|| {
            let ascii = (0..0x80_u8).map(|byte| (code_of(&[byte]), Text::from(char::from(byte))));
            Codes::of(ascii, &[self.row])
        })
    }
}

impl TranscodedCodec for Sequences {
    fn next(&self, state: &mut Shift, bytes: &[u8], end: End) -> Option<DecodedChar> {
        let codes = self.codes();
        if let Some(text) = codes.alone[usize::from(*bytes.first()?)] {
            *state = Shift::default();
            return Some(DecodedChar::several(text, 1));
        }
        let lengths = || 1..=bytes.len().min(LONGEST);
        if end == End::Open && bytes.len() < LONGEST && codes.goes_on(bytes) {
            return None;
        }
        let found = lengths()
            .rev()
            .find_map(|len| Some((codes.text(&bytes[..len])?, len)));
        // Bytes written behind could turn this code into a longer one.
        let len = found.map_or(1, |(_, len)| len);
        let is_stub = codes.goes_on(&bytes[..len]);
        *state = Shift(if is_stub { STUB } else { 0 });
        Some(match found {
            Some((text, len)) => DecodedChar::several(text, len),
            None => DecodedChar::malformed(1),
        })
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        let (before, codes) = (out.len(), self.codes());
        let mut at = 0;
        while at < text.len() {
            let Some((code, len)) = codes.code(&text[at..]) else {
                out.truncate(before);
                return Err(at);
            };
            out.extend_from_slice(code);
            at += len;
        }
        // Codes side by side may form another code.
        if Codec::decode(self, &out[before..]) == text {
            Ok(())
        } else {
            out.truncate(before);
            Err(0)
        }
    }

    fn shares_codes(&self) -> bool {
        true
    }

    fn splice(&self, text: &str, seam: Seam<'_>) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        TranscodedCodec::encode(self, text, &mut bytes).ok()?;
        verified(self, text, bytes, seam)
    }
}
