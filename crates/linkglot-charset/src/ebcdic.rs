//! EBCDIC with double bytes between SO and SI, from the rows of `tables/double_bytes.tsv`: the charsets of IBM's hosts
//! in East Asia.

use crate::codec::{Seam, Spec, TranscodedCodec};
use crate::decoded::{DecodedChar, End, LONGEST_CHAR, Shift, Text};
use crate::files::{File, file};
use crate::modal::{STUB, verified_without_last_shift};
use crate::row::Row;
use crate::sequences::Codes;
use crate::table::rows;
use std::sync::{LazyLock, OnceLock};

static FILE: &str = include_str!("../tables/double_bytes.tsv");

/// The sets of double bytes, by their names in the file.
static SETS: [(&str, File); 8] = [
    ("japan", file!("tables/ebcdic_japan.txt")),
    ("japan_more", file!("tables/ebcdic_japan_more.txt")),
    ("korea", file!("tables/ebcdic_korea.txt")),
    ("korea_more", file!("tables/ebcdic_korea_more.txt")),
    ("china", file!("tables/ebcdic_china.txt")),
    ("china_more", file!("tables/ebcdic_china_more.txt")),
    ("taiwan", file!("tables/ebcdic_taiwan.txt")),
    ("taiwan_more", file!("tables/ebcdic_taiwan_more.txt")),
];

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

static CODECS: LazyLock<Vec<(&'static str, Host)>> = LazyLock::new(|| {
    let codecs = rows(FILE).map(|[name, _, sets, base, codes]| {
        let host = Host {
            row: Row::new(base, codes),
            sets,
            codes: OnceLock::new(),
        };
        (name, host)
    });
    codecs.collect()
});

const SO: u8 = 0x0E;
const SI: u8 = 0x0F;

/// The state between SO and SI.
const SHIFTED: u8 = 1;

/// The most bytes of shifts in front of a character: a longer run of shifts is malformed.
const MOST_SHIFTS: usize = LONGEST_CHAR - 2;

struct Host {
    row: Row,
    sets: &'static str,
    /// Filled at the first look-up.
    codes: OnceLock<Tables>,
}

struct Tables {
    single: [char; 256],
    double: Codes,
}

impl Host {
    fn tables(&self) -> &Tables {
        self.codes.get_or_init(|| {
            let names = self.sets.split_ascii_whitespace();
            let files = names.filter_map(|name| SETS.iter().find(|(known, _)| *known == name));
            let files: Vec<&str> = files.map(|(_, file)| file.text()).collect();
            Tables {
                single: self.row.chars(),
                double: Codes::of(std::iter::empty(), &files),
            }
        })
    }

    /// Writes text from a state; returns the state after it.
    fn write(&self, text: &str, mut flags: u8, out: &mut Vec<u8>) -> Result<u8, usize> {
        let tables = self.tables();
        let mut at = 0;
        while let Some(ch) = text[at..].chars().next() {
            match tables.byte(ch) {
                Some(SO | SI) => return Err(at),
                Some(byte) => {
                    shift(&mut flags, 0, out);
                    out.push(byte);
                    at += ch.len_utf8();
                }
                None => {
                    let (code, len) = tables.double.code(&text[at..]).ok_or(at)?;
                    shift(&mut flags, SHIFTED, out);
                    out.extend_from_slice(code);
                    at += len;
                }
            }
        }
        Ok(flags)
    }
}

impl Tables {
    /// The single byte of a character.
    fn byte(&self, ch: char) -> Option<u8> {
        let at = self.single.iter().position(|&known| known == ch);
        let at = at.filter(|_| ch != char::REPLACEMENT_CHARACTER)?;
        u8::try_from(at).ok()
    }

    /// The first character of bytes that begin with no shift, and true if it is only the start of a sequence.
    fn character(&self, flags: u8, bytes: &[u8], end: End) -> Option<(DecodedChar, bool)> {
        let first = *bytes.first()?;
        if flags & SHIFTED == 0 {
            return Some((DecodedChar::new(self.single[usize::from(first)], 1), false));
        }
        let is_lead = (0x40..=0xFE).contains(&first);
        match bytes.get(1) {
            _ if !is_lead => Some((DecodedChar::malformed(1), false)),
            None if end == End::Open => None,
            Some(&trail @ 0x40..=0xFE) => {
                let text = self.double.text(&[first, trail]).unwrap_or(Text::NONE);
                Some((DecodedChar::several(text, 2), false))
            }
            _ => Some((DecodedChar::malformed(1), true)),
        }
    }
}

fn shift(flags: &mut u8, wanted: u8, out: &mut Vec<u8>) {
    if *flags & SHIFTED != wanted & SHIFTED {
        out.push(if wanted & SHIFTED == 0 { SI } else { SO });
        *flags ^= SHIFTED;
    }
}

impl TranscodedCodec for Host {
    fn next(&self, state: &mut Shift, bytes: &[u8], end: End) -> Option<DecodedChar> {
        let mut len = 0;
        let mut flags = state.0 & SHIFTED;
        while let Some(shift) = bytes.get(len).filter(|byte| matches!(**byte, SO | SI)) {
            flags = if *shift == SO { SHIFTED } else { 0 };
            len += 1;
            if len > MOST_SHIFTS {
                *state = Shift(flags);
                return Some(DecodedChar::malformed(len));
            }
        }
        let (decoded, is_begun) = self.tables().character(flags, &bytes[len..], end)?;
        *state = Shift(if is_begun { flags | STUB } else { flags });
        Some(decoded.behind(len))
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        let mut bytes = Vec::new();
        let mut flags = self.write(text, 0, &mut bytes)?;
        shift(&mut flags, 0, &mut bytes);
        out.append(&mut bytes);
        Ok(())
    }

    fn is_stateful(&self) -> bool {
        true
    }

    fn shares_codes(&self) -> bool {
        true
    }

    fn splice(&self, text: &str, seam: Seam<'_>) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut flags = self.write(text, seam.before.0 & SHIFTED, &mut bytes).ok()?;
        shift(&mut flags, seam.after.0, &mut bytes);
        verified_without_last_shift(self, text, bytes, &[&[SO], &[SI]], seam)
    }

    /// The state is known only at the start.
    fn boundary(&self, _: &[u8], _: usize) -> usize {
        0
    }
}
