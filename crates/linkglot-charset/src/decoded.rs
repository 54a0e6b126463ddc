//! The output of a decoder: the text of one code, and the shift state after it.

/// The shift state between two characters, in a charset that has such states (ISO-2022-JP, HZ, UTF-7). The default is
/// the state at the start of a document.
///
/// Opaque: it only travels from [`ViewMap::shift`](crate::ViewMap::shift) to
/// [`Charset::splice`](crate::Charset::splice).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shift(pub(crate) u8);

/// The text that one code stands for: a character, or up to four that have no bytes of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Text {
    first: char,
    more: More,
}

/// The characters of a code after its first.
type More = [Option<char>; Text::LONGEST - 1];

impl Text {
    /// The most characters of a code: a syllable of TSCII.
    pub(crate) const LONGEST: usize = 4;
    pub(crate) const NONE: Text = Text::from_char(char::REPLACEMENT_CHARACTER);

    pub(crate) const fn from_char(first: char) -> Self {
        Text {
            first,
            more: [None; Text::LONGEST - 1],
        }
    }

    /// The text of the first [`Text::LONGEST`] of these characters; [`Text::NONE`] if there are none. Characters behind
    /// these are not read.
    pub(crate) fn of(chars: impl IntoIterator<Item = char>) -> Self {
        let mut chars = chars.into_iter().fuse();
        let Some(first) = chars.next() else {
            return Text::NONE;
        };
        let more = std::array::from_fn(|_| chars.next());
        Text { first, more }
    }

    pub(crate) fn first(&self) -> char {
        self.first
    }

    /// True if the code stands for no character.
    pub(crate) fn is_none(&self) -> bool {
        *self == Text::NONE
    }

    /// The character, if it is only one.
    pub(crate) fn single(&self) -> Option<char> {
        self.more[0].is_none().then_some(self.first)
    }

    #[inline]
    pub(crate) fn chars(self) -> impl Iterator<Item = char> {
        std::iter::once(self.first).chain(self.more.into_iter().flatten())
    }

    pub(crate) fn append_to(self, text: &mut String) {
        match self.single() {
            Some(ch) => text.push(ch),
            None => text.extend(self.chars()),
        }
    }

    /// The length in UTF-8: 16 at most.
    #[inline]
    pub(crate) fn len_utf8(self) -> usize {
        match self.single() {
            Some(ch) => ch.len_utf8(),
            None => self.chars().map(char::len_utf8).sum(),
        }
    }
}

impl From<char> for Text {
    fn from(ch: char) -> Self {
        Text::from_char(ch)
    }
}

/// The text of one code and the number of source bytes that it took, shift sequences before it included:
/// one to sixteen. A malformed sequence is a U+FFFD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DecodedChar {
    /// The first character that the code stands for.
    pub ch: char,
    more: More,
    pub len: usize,
}

impl DecodedChar {
    pub(crate) const fn new(ch: char, len: usize) -> Self {
        DecodedChar::several(Text::from_char(ch), len)
    }

    pub(crate) const fn several(text: Text, len: usize) -> Self {
        DecodedChar {
            ch: text.first,
            more: text.more,
            len,
        }
    }

    pub(crate) const fn malformed(len: usize) -> Self {
        DecodedChar::several(Text::NONE, len)
    }

    /// Text unchanged, from `shifts` more source bytes in front.
    pub(crate) const fn behind(self, shifts: usize) -> Self {
        DecodedChar {
            len: self.len + shifts,
            ..self
        }
    }

    #[inline]
    pub(crate) const fn text(self) -> Text {
        Text {
            first: self.ch,
            more: self.more,
        }
    }
}

/// The end of the bytes at hand: the document goes on after them, or ends there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Open,
    Last,
}

/// The most bytes that a decoder reads for one character.
pub(crate) const LONGEST_CHAR: usize = 16;
