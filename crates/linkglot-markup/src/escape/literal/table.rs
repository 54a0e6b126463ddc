//! The escapes of languages, as tables.

use super::Escapes;

/// The escapes of a language.
pub(super) struct Table {
    /// The letters of escapes, and their meanings. The quotation mark and the backslash count, too.
    pub letters: &'static [(u8, char)],
    /// The least and the most digits of `\x`.
    pub hex: Option<(usize, usize)>,
    /// The digits of `\u` and `\U`.
    pub unicode: &'static [(u8, usize)],
    /// True for `\u{...}`.
    pub has_braces: bool,
    pub digits: Digits,
    pub other: Other,
}

/// The meaning of a digit behind a backslash.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Digits {
    /// A digit is no escape.
    None,
    /// `\0`; other octal digits have a meaning in old code alone.
    Nul,
    /// Octal digits, up to three. These and hexadecimal digits give an octet.
    Octal,
    /// Octal digits, up to three. These and hexadecimal digits give a character.
    Character,
}

/// The meaning of a backslash in front of any other character.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Other {
    /// The character alone.
    Dropped,
    /// The backslash stands for itself.
    Kept,
    /// The literal is malformed.
    Malformed,
}

const NONE: Table = Table {
    letters: &[],
    hex: None,
    unicode: &[],
    has_braces: false,
    digits: Digits::None,
    other: Other::Kept,
};

const JAVASCRIPT: Table = Table {
    letters: &[
        (b'b', '\x08'),
        (b'f', '\x0C'),
        (b'n', '\n'),
        (b'r', '\r'),
        (b't', '\t'),
        (b'v', '\x0B'),
    ],
    hex: Some((2, 2)),
    unicode: &[(b'u', 4)],
    has_braces: true,
    digits: Digits::Nul,
    other: Other::Dropped,
};

const PHP: Table = Table {
    letters: &[
        (b'n', '\n'),
        (b'r', '\r'),
        (b't', '\t'),
        (b'v', '\x0B'),
        (b'e', '\x1B'),
        (b'f', '\x0C'),
        (b'$', '$'),
    ],
    hex: Some((1, 2)),
    unicode: &[],
    has_braces: true,
    digits: Digits::Octal,
    other: Other::Kept,
};

const TOML: Table = Table {
    letters: &[
        (b'b', '\x08'),
        (b't', '\t'),
        (b'n', '\n'),
        (b'f', '\x0C'),
        (b'r', '\r'),
        (b'e', '\x1B'),
    ],
    hex: Some((2, 2)),
    unicode: &[(b'u', 4), (b'U', 8)],
    has_braces: false,
    digits: Digits::None,
    other: Other::Malformed,
};

const GETTEXT: Table = Table {
    letters: &[
        (b'n', '\n'),
        (b't', '\t'),
        (b'b', '\x08'),
        (b'r', '\r'),
        (b'f', '\x0C'),
        (b'v', '\x0B'),
        (b'a', '\x07'),
    ],
    hex: Some((1, 2)),
    unicode: &[],
    has_braces: false,
    digits: Digits::Octal,
    other: Other::Malformed,
};

const YAML: Table = Table {
    letters: &[
        (b'0', '\0'),
        (b'a', '\x07'),
        (b'b', '\x08'),
        (b't', '\t'),
        (b'\t', '\t'),
        (b'n', '\n'),
        (b'v', '\x0B'),
        (b'f', '\x0C'),
        (b'r', '\r'),
        (b'e', '\x1B'),
        (b' ', ' '),
        (b'/', '/'),
        (b'N', '\u{85}'),
        (b'_', '\u{A0}'),
        (b'L', '\u{2028}'),
        (b'P', '\u{2029}'),
    ],
    hex: Some((2, 2)),
    unicode: &[(b'u', 4), (b'U', 8)],
    has_braces: false,
    digits: Digits::None,
    other: Other::Malformed,
};

const PROPERTIES: Table = Table {
    letters: &[(b't', '\t'), (b'n', '\n'), (b'r', '\r'), (b'f', '\x0C')],
    hex: None,
    unicode: &[(b'u', 4)],
    has_braces: false,
    digits: Digits::None,
    other: Other::Dropped,
};

const PYTHON: Table = Table {
    letters: &[
        (b'a', '\x07'),
        (b'b', '\x08'),
        (b'f', '\x0C'),
        (b'n', '\n'),
        (b'r', '\r'),
        (b't', '\t'),
        (b'v', '\x0B'),
        (b'"', '"'),
        (b'\'', '\''),
    ],
    hex: Some((2, 2)),
    unicode: &[(b'u', 4), (b'U', 8)],
    has_braces: false,
    digits: Digits::Character,
    other: Other::Kept,
};

const PYTHON_BYTES: Table = Table {
    unicode: &[],
    digits: Digits::Octal,
    ..PYTHON
};

const C: Table = Table {
    letters: &[
        (b'a', '\x07'),
        (b'b', '\x08'),
        (b'f', '\x0C'),
        (b'n', '\n'),
        (b'r', '\r'),
        (b't', '\t'),
        (b'v', '\x0B'),
        (b'e', '\x1B'),
        (b'?', '?'),
        (b'"', '"'),
        (b'\'', '\''),
    ],
    hex: Some((1, 8)),
    digits: Digits::Octal,
    other: Other::Malformed,
    ..PYTHON
};

const GO: Table = Table {
    hex: Some((2, 2)),
    ..C
};

const CSHARP: Table = Table {
    hex: Some((1, 4)),
    digits: Digits::Nul,
    ..C
};

const JAVA: Table = Table {
    letters: &[
        (b'b', '\x08'),
        (b's', ' '),
        (b't', '\t'),
        (b'n', '\n'),
        (b'f', '\x0C'),
        (b'r', '\r'),
        (b'"', '"'),
        (b'\'', '\''),
        (b'$', '$'),
    ],
    hex: None,
    unicode: &[(b'u', 4)],
    ..C
};

const RUST: Table = Table {
    letters: &[
        (b'0', '\0'),
        (b'n', '\n'),
        (b'r', '\r'),
        (b't', '\t'),
        (b'"', '"'),
        (b'\'', '\''),
    ],
    hex: Some((2, 2)),
    unicode: &[],
    has_braces: true,
    digits: Digits::None,
    other: Other::Malformed,
};

const RUST_BYTES: Table = Table {
    has_braces: false,
    digits: Digits::Octal,
    ..RUST
};

impl Escapes {
    pub(super) fn table(self) -> &'static Table {
        match self {
            Escapes::JavaScript | Escapes::Template => &JAVASCRIPT,
            Escapes::PhpDouble | Escapes::Heredoc => &PHP,
            Escapes::Toml => &TOML,
            Escapes::Yaml => &YAML,
            Escapes::Properties => &PROPERTIES,
            Escapes::Gettext | Escapes::GettextFormat => &GETTEXT,
            Escapes::GettextText | Escapes::GettextKey => &GETTEXT,
            Escapes::Python => &PYTHON,
            Escapes::PythonBytes => &PYTHON_BYTES,
            Escapes::C => &C,
            Escapes::Java => &JAVA,
            Escapes::CSharp => &CSHARP,
            Escapes::Go => &GO,
            Escapes::Rust => &RUST,
            Escapes::RustBytes => &RUST_BYTES,
            Escapes::PhpSingle | Escapes::PythonRaw | Escapes::PythonRawBytes => &NONE,
            Escapes::Verbatim | Escapes::VerbatimBytes | Escapes::Raw => &NONE,
        }
    }
}
