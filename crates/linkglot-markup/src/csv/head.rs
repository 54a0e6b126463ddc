//! The delimiter that the first rows of a document show.

/// The rows that are looked at.
pub(super) const ROWS: usize = 8;

/// The bytes that are looked at.
const BYTES: usize = 4096;

/// The delimiters, the rarest in text first. The comma is the usual one.
pub(crate) const DELIMITERS: [u8; 4] = [b'\t', b'|', b';', b','];

/// The number of each delimiter in a row, outside of quotation marks.
type Counts = [usize; DELIMITERS.len()];

/// The delimiter that the first rows show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) delimiter: u8,
    /// False if another byte may be the delimiter.
    pub(super) is_sure: bool,
}

/// The delimiter of a document that begins with these bytes; `None` if more bytes tell.
///
/// A delimiter that all rows have in equal number is taken first: in `1,5;2,5` the comma belongs to numbers. Otherwise
/// the first row with any delimiter decides, which is not sure: it may be a title.
pub(super) fn delimiter(head: &[u8], last: bool) -> Option<Shown> {
    let is_cut = head.len() < BYTES && !last;
    let last = last && head.len() <= BYTES;
    let head = &head[..head.len().min(BYTES)];
    if let Some(delimiter) = named(head) {
        return Some(Shown {
            delimiter,
            is_sure: true,
        });
    }
    let mut rows = Vec::new();
    let mut at = 0;
    while rows.len() < ROWS && at < head.len() {
        let (counts, length) = row(&head[at..]);
        let is_whole = length.is_some();
        at += length.unwrap_or(head.len() - at);
        if length != Some(1) && (is_whole || last || rows.is_empty()) {
            rows.push(counts);
        }
    }
    if rows.len() < ROWS && is_cut {
        return None;
    }
    let is_equal = |which: &usize| {
        let first = rows.first().map_or(0, |row| row[*which]);
        first > 0 && rows.iter().all(|row| row[*which] == first)
    };
    let most = || {
        let row = rows.iter().find(|row| row.iter().any(|count| *count > 0))?;
        // Of equal numbers the last, which is the comma's.
        (0..DELIMITERS.len()).max_by_key(|which| row[*which])
    };
    let equal = (0..DELIMITERS.len()).find(is_equal);
    let which = equal.or_else(most);
    Some(Shown {
        delimiter: which.map_or(b',', |which| DELIMITERS[which]),
        is_sure: equal.is_some(),
    })
}

/// The delimiter in a first line that names it, as Excel reads (`sep=;`).
fn named(head: &[u8]) -> Option<u8> {
    let (name, rest) = head.split_at_checked(4)?;
    let (delimiter, behind) = rest.split_first()?;
    let is_line = matches!(behind.first(), None | Some(b'\n' | b'\r'));
    (name.eq_ignore_ascii_case(b"sep=") && is_line && DELIMITERS.contains(delimiter))
        .then_some(*delimiter)
}

/// The delimiters of a row, and its length with the byte that ends it; `None` if it does not end.
fn row(bytes: &[u8]) -> (Counts, Option<usize>) {
    let mut counts = Counts::default();
    let (mut at, mut begins_field) = (0, true);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' if begins_field => match quoted_length(&bytes[at..]) {
                Some(length) => at += length,
                None => return (counts, None),
            },
            b'\n' | b'\r' => return (counts, Some(at)),
            _ => {}
        }
        let which = DELIMITERS.iter().position(|known| *known == byte);
        begins_field = which.is_some();
        if let Some(which) = which {
            counts[which] += 1;
        }
    }
    (counts, None)
}

/// The length of the inside of a field with its closing mark.
fn quoted_length(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr(b'"', bytes.get(at..)?)? + 1;
        if bytes.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}
