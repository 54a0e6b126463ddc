//! The output of a decoder: one character, and the shift state after it.

/// The shift state of a charset that has such states (ISO-2022-JP, HZ, UTF-7) between two characters. The
/// default is the state at the start of a document.
///
/// Opaque: it only travels from [`ViewMap::shift`](crate::ViewMap::shift) to
/// [`Charset::splice`](crate::Charset::splice).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shift(pub(crate) u8);

/// One character and the number of source bytes that it took, shift sequences before it included:
/// one to sixteen. A malformed sequence is a U+FFFD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DecodedChar {
    pub ch: char,
    pub len: usize,
}

impl DecodedChar {
    pub(crate) const fn new(ch: char, len: usize) -> Self {
        DecodedChar { ch, len }
    }

    pub(crate) const fn malformed(len: usize) -> Self {
        DecodedChar::new(char::REPLACEMENT_CHARACTER, len)
    }
}

/// Whether the document goes on after the bytes at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Open,
    Last,
}

/// The most bytes that a decoder reads for one character.
pub(crate) const LONGEST_CHAR: usize = 16;
