//! Links of a string, for JavaScript: rows of numbers.

#[path = "../../border.rs"]
mod border;

use border::{Buffers, buffers};
use linkglot_scan::{Hit, Kind, links};

/// Flags of a row, behind the kind (bits 0 and 1) and the evidence (bits 2 to 4).
const PLAIN: u32 = 1 << 5;
const SPACED: u32 = 1 << 6;

/// Length of a row in bytes: start and end in UTF-16 units, flags, and the length of the text behind the rows if it is
/// not that of the range.
const ROW: usize = 16;

/// Finds the links of the first `len` bytes of the input, which are `units` units of UTF-16. Returns the number of
/// rows in the output. The texts of links with white space inside follow the rows.
#[unsafe(no_mangle)]
pub extern "C" fn find(len: usize, units: usize) -> usize {
    let buffers = &mut *buffers();
    let Buffers { input, output } = buffers;
    let text = std::str::from_utf8(input.get(..len).unwrap_or_default()).unwrap_or_default();
    output.clear();
    let mut spaced = String::new();
    // An ASCII text has as many units as bytes.
    let mut positions = Positions::new(text, len == units);
    for hit in links(text) {
        let link = hit.link(text);
        let is_spaced = matches!(link, std::borrow::Cow::Owned(_));
        let mut flags = hit.kind as u32 | (hit.evidence as u32) << 2;
        if is_plain(&link, &hit) {
            flags |= PLAIN;
        }
        if is_spaced {
            flags |= SPACED;
            spaced.push_str(&link);
        }
        let (start, end) = (positions.of(hit.span.start), positions.of(hit.span.end));
        let units = if is_spaced { link.len() } else { 0 };
        let mut row = [0; ROW];
        for (place, number) in [start as u32, end as u32, flags, units as u32]
            .into_iter()
            .enumerate()
        {
            row[place * 4..place * 4 + 4].copy_from_slice(&number.to_le_bytes());
        }
        output.extend_from_slice(&row);
    }
    let rows = output.len() / ROW;
    output.extend_from_slice(spaced.as_bytes());
    rows
}

/// True if the URI and the IRI of a link are the link itself, with the scheme that it implies. False is no statement:
/// then the module `names` decides.
fn is_plain(link: &str, hit: &Hit) -> bool {
    let bytes = link.as_bytes();
    let is_own = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    match hit.kind {
        Kind::Email => bytes.iter().all(|&byte| is_own(byte) || byte == b'@'),
        _ => {
            let is_kept = |byte: u8| is_own(byte) || b":/?#@!$&'()*+,;=".contains(&byte);
            let hashes = bytes.iter().filter(|&&byte| byte == b'#').count();
            let is_punycode = |four: &[u8]| four.eq_ignore_ascii_case(b"xn--");
            bytes.iter().all(|&byte| is_kept(byte))
                && hashes <= 1
                && !bytes.windows(4).any(is_punycode)
        }
    }
}

/// Converts bytes of UTF-8 to units of UTF-16.
struct Positions<'t> {
    text: &'t [u8],
    is_ascii: bool,
    /// The last byte asked for, and the number of units in front of it.
    byte: usize,
    units: usize,
}

impl<'t> Positions<'t> {
    fn new(text: &'t str, is_ascii: bool) -> Self {
        Positions {
            text: text.as_bytes(),
            is_ascii,
            byte: 0,
            units: 0,
        }
    }

    /// The unit of a byte behind the last one. O(distance to the last one).
    fn of(&mut self, byte: usize) -> usize {
        if self.is_ascii {
            return byte;
        }
        let between = self.text.get(self.byte..byte).unwrap_or_default();
        // A sequence of four bytes is a pair of surrogates.
        let units = |&byte: &u8| usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0);
        self.units += between.iter().map(units).sum::<usize>();
        self.byte = byte;
        self.units
    }
}
