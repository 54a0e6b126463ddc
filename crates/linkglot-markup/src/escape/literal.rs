//! String literals of programs. The escapes of a language are rows of a table.

use super::json::{self, JsonStyle};
use super::{Hole, Holes, Meaning, replaced, replaced_at, replaced_where};
use linkglot_charset::MappedText;

/// The escapes of a kind of string literal.
///
/// ```
/// use linkglot_markup::{Escapes, Escaping, LiteralStyle};
///
/// let text = |escapes, raw| Escaping::Literal(LiteralStyle::new(escapes, b'"')).unescape(raw).into_text();
/// assert_eq!(text(Escapes::JavaScript, r"a\/b\x20\q"), "a/b q");
/// assert_eq!(text(Escapes::PhpDouble, r"a\/b\x20\q"), r"a\/b \q");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Escapes {
    /// A string of JavaScript (ECMA-262 12.9.4).
    JavaScript,
    /// A template of JavaScript (ECMA-262 12.9.6), the text around `${}`.
    Template,
    /// A string of PHP in single quotes.
    PhpSingle,
    /// A string of PHP in double quotes, the text around variables.
    PhpDouble,
    /// A heredoc of PHP, the text around variables.
    Heredoc,
    /// A basic string of TOML.
    Toml,
    /// A string of gettext, perhaps cut over lines. Programs may fill in braces, whether a flag says so or not: none
    /// may come or go.
    Gettext,
    /// A format of a function like `printf` in gettext: no percent sign or brace may arise or go.
    GettextFormat,
    /// A string of gettext that is no format, as a flag says.
    GettextText,
    /// A key of gettext, by which programs look up a translation: it stays.
    GettextKey,
    /// A scalar of YAML in double quotation marks.
    Yaml,
    /// A value of Java's properties, perhaps over several lines. Programs may fill in braces, which an apostrophe
    /// escapes: none of these may come or go.
    Properties,
    /// A string of Python.
    Python,
    /// A raw string of Python: a backslash stands for itself, and keeps the quotation mark behind it from ending the
    /// string.
    PythonRaw,
    /// The bytes of a literal of Python, which are ASCII.
    PythonBytes,
    /// The bytes of a raw literal of Python, which are ASCII.
    PythonRawBytes,
    /// A string of C, C++ and Objective-C.
    C,
    /// A string of Java and Kotlin.
    Java,
    /// A string of C#.
    CSharp,
    /// A string of Go.
    Go,
    /// A string of Rust and Swift.
    Rust,
    /// The bytes of a literal of Rust, which are ASCII.
    RustBytes,
    /// No escapes: a raw string of C++, C#, Go, Java's relatives and Rust.
    Verbatim,
    /// The bytes of a raw literal of Rust, which are ASCII.
    VerbatimBytes,
    /// No escapes: a nowdoc of PHP, a literal string of TOML.
    Raw,
}

/// The escapes of a language.
struct Table {
    /// The letters of escapes, and their meanings. The quotation mark and the backslash count, too.
    letters: &'static [(u8, char)],
    /// The least and the most digits of `\x`.
    hex: Option<(usize, usize)>,
    /// The digits of `\u` and `\U`.
    unicode: &'static [(u8, usize)],
    /// True for `\u{...}`.
    has_braces: bool,
    digits: Digits,
    other: Other,
}

/// The meaning of a digit behind a backslash.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Digits {
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
enum Other {
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

/// The style of a string literal, and its neighbours.
///
/// ```
/// use linkglot_markup::{Escapes, Escaping, LiteralStyle};
///
/// let single = Escaping::Literal(LiteralStyle::new(Escapes::JavaScript, b'\''));
/// assert_eq!(single.escape("it's", "", &|_| true).as_deref(), Some(r"it\'s"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LiteralStyle {
    /// The escapes of the literal.
    pub escapes: Escapes,
    /// The quotation mark around the literal; 0 if there is none.
    pub quote: u8,
    /// The code that may stand in the literal.
    pub holes: Holes,
    /// The style of slashes and letters.
    pub letters: JsonStyle,
    /// True if code in front of the literal gives the beginning of its value.
    pub goes_on_before: bool,
    /// True if code behind the literal may give the end of its value.
    pub goes_on_behind: bool,
    /// True if a function reads the literal with its backslashes (a tagged template).
    pub is_tagged: bool,
    /// True if a function such as `printf` reads the literal, and percent signs in it as directives.
    pub is_format: bool,
}

/// The reading of a backslash and the characters behind it.
enum Read {
    /// An escape of so many bytes.
    Char(usize, char),
    /// The backslash stands for itself.
    Itself,
    /// The meaning is unknown, or an octet that is no character.
    Unknown,
}

impl Escapes {
    fn table(self) -> &'static Table {
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

    /// True if the literal may be cut into pieces.
    fn has_seams(self) -> bool {
        matches!(
            self,
            Escapes::Gettext | Escapes::GettextFormat | Escapes::GettextText | Escapes::GettextKey
        )
    }

    /// True for a literal of a language that no page holds, and no browser reads. Its HTML is running text.
    ///
    /// ```
    /// use linkglot_markup::Escapes;
    ///
    /// assert!(Escapes::Python.is_of_source() && !Escapes::JavaScript.is_of_source());
    /// ```
    pub fn is_of_source(self) -> bool {
        matches!(
            self,
            Escapes::Python
                | Escapes::PythonRaw
                | Escapes::PythonBytes
                | Escapes::PythonRawBytes
                | Escapes::C
                | Escapes::Java
                | Escapes::CSharp
                | Escapes::Go
                | Escapes::Rust
                | Escapes::RustBytes
                | Escapes::Verbatim
                | Escapes::VerbatimBytes
        )
    }

    /// True if nothing is an escape.
    fn is_raw(self) -> bool {
        matches!(
            self,
            Escapes::Raw | Escapes::Verbatim | Escapes::VerbatimBytes
        )
    }

    /// True if a backslash stands for itself, but keeps the quotation mark behind it from ending the string.
    fn is_raw_python(self) -> bool {
        matches!(self, Escapes::PythonRaw | Escapes::PythonRawBytes)
    }

    /// True if the literal holds bytes, and the language refuses other characters than those of ASCII in it.
    fn is_ascii(self) -> bool {
        matches!(
            self,
            Escapes::PythonBytes
                | Escapes::PythonRawBytes
                | Escapes::RustBytes
                | Escapes::VerbatimBytes
        )
    }

    /// True if a backslash may escape a quotation mark.
    pub(crate) fn has_backslash(self) -> bool {
        !self.is_raw()
    }

    /// The code that may stand in every such literal.
    pub(crate) fn holes(self) -> Holes {
        match self {
            Escapes::Template => Holes::Template,
            Escapes::PhpDouble | Escapes::Heredoc => Holes::Php,
            _ => Holes::None,
        }
    }

    /// True if every character can be written.
    pub(super) fn has_unicode(self) -> bool {
        let table = self.table();
        table.has_braces || !table.unicode.is_empty()
    }
}

impl LiteralStyle {
    /// The style of a literal that stands for itself.
    ///
    /// ```
    /// use linkglot_markup::{Escapes, LiteralStyle};
    ///
    /// assert!(!LiteralStyle::new(Escapes::Toml, b'"').goes_on_behind);
    /// ```
    pub fn new(escapes: Escapes, quote: u8) -> Self {
        LiteralStyle {
            escapes,
            quote,
            holes: escapes.holes(),
            letters: JsonStyle::UNKNOWN,
            goes_on_before: false,
            goes_on_behind: false,
            is_tagged: false,
            is_format: false,
        }
    }

    /// The text of a literal.
    pub(super) fn unescape(self, raw: &str) -> MappedText<'_> {
        match (self.escapes, self.quote) {
            _ if self.holes == Holes::Braces => self.unescape_braces(raw),
            (escapes, _) if escapes.is_raw() || escapes.is_raw_python() => {
                MappedText::identity(raw)
            }
            (Escapes::Python, _) => replaced(raw, [b'\\'; 2], python),
            (Escapes::PythonBytes, _) => replaced(raw, [b'\\'; 2], python_bytes),
            (Escapes::C, _) => replaced(raw, [b'\\'; 2], c),
            (Escapes::Java, _) => replaced(raw, [b'\\'; 2], java),
            (Escapes::CSharp, _) => replaced(raw, [b'\\'; 2], csharp),
            (Escapes::Go, _) => replaced(raw, [b'\\'; 2], go),
            (Escapes::Rust, _) => replaced(raw, [b'\\'; 2], rust),
            (Escapes::RustBytes, _) => replaced(raw, [b'\\'; 2], rust_bytes),
            (Escapes::JavaScript | Escapes::Template, _) => replaced(raw, [b'\\'; 2], javascript),
            (Escapes::PhpSingle, _) => replaced(raw, [b'\\'; 2], php_single),
            (Escapes::PhpDouble, b'`') => replaced(raw, [b'\\'; 2], php_shell),
            (Escapes::PhpDouble, _) => replaced(raw, [b'\\'; 2], php_double),
            (Escapes::Heredoc, _) => replaced(raw, [b'\\'; 2], heredoc),
            (Escapes::Toml, _) => replaced(raw, [b'\\'; 2], toml),
            (Escapes::Yaml, _) => replaced(raw, [b'\\'; 2], yaml),
            (Escapes::Properties, _) => replaced(raw, [b'\\'; 2], properties),
            (escapes, _) if escapes.has_seams() => {
                replaced_where(raw, |bytes| memchr::memchr2(b'\\', b'"', bytes), gettext)
            }
            _ => MappedText::identity(raw),
        }
    }

    /// The text of a literal in which a doubled brace stands for itself.
    fn unescape_braces(self, raw: &str) -> MappedText<'_> {
        let find = |bytes: &[u8]| memchr::memchr3(b'\\', b'{', b'}', bytes);
        replaced_at(raw, find, |at, _| match raw.as_bytes()[at] {
            b'\\' if self.escapes.is_raw() => None,
            b'\\' => meaning(self.escapes, 0, &raw[at..]),
            brace => {
                let is_doubled = raw.as_bytes().get(at + 1) == Some(&brace);
                is_doubled.then_some((2, Meaning::Char(char::from(brace))))
            }
        })
    }

    /// True if the value of the literal is not surely known: an octet that is no character, an escape of old or other
    /// versions of the language, backslashes that a function reads itself; a command, whose quotes a shell reads.
    /// O(length).
    ///
    /// ```
    /// use linkglot_markup::{Escapes, LiteralStyle};
    ///
    /// assert!(LiteralStyle::new(Escapes::PhpDouble, b'"').is_unknown(r"caf\xE9"));
    /// assert!(!LiteralStyle::new(Escapes::PhpDouble, b'"').is_unknown(r"\x41 \d"));
    /// ```
    pub fn is_unknown(self, raw: &str) -> bool {
        let mut at = 0;
        if self.escapes == Escapes::PhpDouble && self.quote == b'`' {
            return true;
        }
        while let Some(found) = memchr::memchr(b'\\', &raw.as_bytes()[at..]) {
            at += found;
            if self.is_tagged {
                return true;
            }
            at += match read(self.escapes, self.quote, &raw[at..]) {
                Read::Char(length, _) => length,
                Read::Unknown => return true,
                // A backslash that stands for itself escapes nothing.
                Read::Itself => 1,
            };
        }
        false
    }

    /// The number of marks that would end the text: quotation marks, code, line ends; a final backslash would escape
    /// the closing mark.
    pub(super) fn ends(self, raw: &str) -> usize {
        let bytes = raw.as_bytes();
        let (mut ends, mut at) = (0, 0);
        while let Some(&byte) = bytes.get(at) {
            if let Some((length, count)) = self.hole_ends(bytes, at) {
                (at, ends) = (at + length, ends + count);
                continue;
            }
            at += 1;
            match byte {
                b'\\' if self.escapes.has_backslash() => {
                    ends += usize::from(at == bytes.len());
                    let joins = self.escapes == Escapes::Properties;
                    at += 1 + usize::from(joins && bytes[at..].starts_with(b"\r\n"));
                }
                b'\n' | b'\r' => ends += 1,
                b'"' if self.escapes.has_seams() => match seam(&bytes[at - 1..]) {
                    Seam::Of(length) => at += length - 1,
                    Seam::Cut | Seam::None => ends += 1,
                },
                byte if byte == self.quote => ends += 1,
                _ => {}
            }
        }
        ends
    }

    /// The length of the mark of code at a position, and the number of ends that it counts; `None` if there is none.
    fn hole_ends(self, bytes: &[u8], at: usize) -> Option<(usize, usize)> {
        match (self.holes, bytes[at]) {
            // More braces in a row, or fewer, may be another mark.
            (Holes::Counted(_), b'{' | b'}') => return Some((1, 1)),
            (Holes::Braces, b'}') => {
                let is_doubled = bytes.get(at + 1) == Some(&b'}');
                return Some(if is_doubled { (2, 0) } else { (1, 1) });
            }
            (holes, byte) if holes.mark() != Some(byte) => return None,
            _ => {}
        }
        match self.holes.at(bytes, 0, at) {
            Hole::None => None,
            Hole::Text(length) => Some((length, 0)),
            Hole::Cut => Some((1, 1)),
            Hole::Code { behind, .. } | Hole::Name { behind, .. } => {
                Some((behind.max(at + 1) - at, 1))
            }
        }
    }

    /// The numbers of percent signs and of braces, where programs fill these in.
    pub(super) fn directives(self, raw: &str) -> [usize; 2] {
        let count = |marks: &[u8]| raw.bytes().filter(|byte| marks.contains(byte)).count();
        match self.escapes {
            Escapes::GettextFormat => [count(b"%"), count(b"{}")],
            Escapes::Gettext | Escapes::GettextText => [0, count(b"{}")],
            Escapes::Properties => [0, count(b"{}'")],
            _ => [0; 2],
        }
    }

    /// Writes the inside of a literal. Slashes and letters are written as in `old`, the raw text that is replaced, or
    /// else as in the whole literal.
    pub(super) fn write(
        self,
        text: &str,
        old: &str,
        encodable: &dyn Fn(char) -> bool,
    ) -> Option<String> {
        // `text` may be a part of the new link; the marks of the whole are compared once it is written. A brace that is
        // percent-encoded is refused here, so that only its own link stays.
        let ([percents, braces], [old_percents, old_braces]) =
            (self.directives(text), self.directives(old));
        if percents > old_percents || braces != old_braces {
            return None;
        }
        let letters = JsonStyle::within(old, self.letters);
        let is_property = self.escapes == Escapes::Properties;
        let escaped_marks = is_property.then(|| escaped_marks(old));
        let mut out = String::with_capacity(text.len() + 8);
        let mut chars = text.chars().peekable();
        while let Some(ch) = chars.next() {
            let next = chars.peek().copied();
            match ch {
                '\\' if self.escapes.is_raw_python() => return None,
                '\\' if matches!(self.holes, Holes::Backslash(1..)) => return None,
                '\\' if self.escapes.is_raw() => out.push(ch),
                '\\' => out.push_str("\\\\"),
                ch if u32::from(ch) == u32::from(self.quote) => {
                    if self.escapes.is_raw() || self.escapes.is_raw_python() {
                        return None;
                    }
                    out.push('\\');
                    out.push(ch);
                }
                '$' if self.holes.begins_with_dollar(out.bytes().last(), next) => {
                    if self.escapes.is_raw() {
                        return None;
                    }
                    out.push_str("\\$");
                }
                '{' | '}' if self.holes == Holes::Braces => out.extend([ch, ch]),
                '{' | '}' if matches!(self.holes, Holes::Counted(_)) => return None,
                '/' if self.drops_backslash() && letters.escapes_slashes() => out.push_str("\\/"),
                '=' | ':' | '#' | '!'
                    if escaped_marks.as_ref().is_some_and(|all| all.contains(ch)) =>
                {
                    out.extend(['\\', ch]);
                }
                // A function reads the literal with its backslashes.
                ch if self.is_tagged && !(ch.is_ascii_graphic() || encodable(ch)) => return None,
                '\0'..='\x1F' if self.escapes.is_of_source() => return None,
                '<' if self.escapes.is_of_source() => out.push(ch),
                // The literal may stand in a script element.
                '<' | '\0'..='\x1F' => self.push(&mut out, ch, letters)?,
                ch if ch.is_ascii() => out.push(ch),
                _ if self.escapes.is_ascii() => return None,
                // An escape is right for all readers, also for those that take ISO-8859-1.
                ch if is_property && !letters.shows_letters() => {
                    self.push(&mut out, ch, letters)?
                }
                ch if encodable(ch)
                    && !(letters.escapes_letters() && self.escapes.has_unicode()) =>
                {
                    out.push(ch);
                }
                ch => self.push(&mut out, ch, letters)?,
            }
        }
        Some(out)
    }

    fn drops_backslash(self) -> bool {
        self.escapes == Escapes::Yaml || self.escapes.table().other == Other::Dropped
    }

    /// Appends the escape of a character; `None` if the language has none.
    fn push(self, out: &mut String, ch: char, letters: JsonStyle) -> Option<()> {
        let table = self.escapes.table();
        let code = u32::from(ch);
        match (table.unicode, table.has_braces) {
            ([(b'u', 4), (b'U', 8)], _) if code > 0xFFFF => {
                out.push_str(&format!("\\U{code:08X}"));
            }
            ([_, ..], _) => letters.push(out, ch),
            ([], true) => out.push_str(&format!("\\u{{{code:X}}}")),
            ([], false) => return None,
        }
        Some(())
    }
}

fn javascript(at: &str) -> Option<(usize, Meaning)> {
    meaning(Escapes::JavaScript, 0, at)
}

fn php_single(at: &str) -> Option<(usize, Meaning)> {
    meaning(Escapes::PhpSingle, b'\'', at)
}

fn php_double(at: &str) -> Option<(usize, Meaning)> {
    meaning(Escapes::PhpDouble, b'"', at)
}

fn php_shell(at: &str) -> Option<(usize, Meaning)> {
    meaning(Escapes::PhpDouble, b'`', at)
}

fn heredoc(at: &str) -> Option<(usize, Meaning)> {
    meaning(Escapes::Heredoc, 0, at)
}

fn toml(at: &str) -> Option<(usize, Meaning)> {
    meaning(Escapes::Toml, b'"', at)
}

fn python(at: &str) -> Option<(usize, Meaning)> {
    meaning(Escapes::Python, 0, at)
}

fn python_bytes(at: &str) -> Option<(usize, Meaning)> {
    meaning(Escapes::PythonBytes, 0, at)
}

fn c(at: &str) -> Option<(usize, Meaning)> {
    meaning(Escapes::C, 0, at)
}

fn java(at: &str) -> Option<(usize, Meaning)> {
    meaning(Escapes::Java, 0, at)
}

fn csharp(at: &str) -> Option<(usize, Meaning)> {
    meaning(Escapes::CSharp, 0, at)
}

fn go(at: &str) -> Option<(usize, Meaning)> {
    meaning(Escapes::Go, 0, at)
}

fn rust(at: &str) -> Option<(usize, Meaning)> {
    meaning(Escapes::Rust, 0, at)
}

fn rust_bytes(at: &str) -> Option<(usize, Meaning)> {
    meaning(Escapes::RustBytes, 0, at)
}

fn yaml(at: &str) -> Option<(usize, Meaning)> {
    // An escaped line end joins the lines.
    let behind = at[1..]
        .strip_prefix("\r\n")
        .or_else(|| at[1..].strip_prefix('\n'));
    if let Some(behind) = behind {
        let next = behind.trim_start_matches([' ', '\t']);
        return Some((at.len() - next.len(), Meaning::Text("")));
    }
    meaning(Escapes::Yaml, b'"', at)
}

fn properties(at: &str) -> Option<(usize, Meaning)> {
    // An escaped line end joins the lines.
    let rest = &at[1..];
    let behind = rest
        .strip_prefix("\r\n")
        .or_else(|| rest.strip_prefix(['\n', '\r']));
    if let Some(behind) = behind {
        let next = behind.trim_start_matches([' ', '\t', '\x0C']);
        return Some((at.len() - next.len(), Meaning::Text("")));
    }
    meaning(Escapes::Properties, 0, at)
}

/// The marks of properties that are escaped in the style of a link: those that the link escapes, and if it escapes one,
/// those that it does not have. They need no escape in a value, but most programs write it.
fn escaped_marks(old: &str) -> String {
    let escaped = |mark: char| old.contains(&format!("\\{mark}"));
    let is_style = "=:#!".contains(escaped);
    let marks = "=:#!".chars();
    let marks = marks.filter(|mark| escaped(*mark) || is_style && !old.contains(*mark));
    marks.collect()
}

fn gettext(at: &str) -> Option<(usize, Meaning)> {
    if !at.starts_with('"') {
        return meaning(Escapes::Gettext, b'"', at);
    }
    match seam(at.as_bytes()) {
        Seam::Of(length) => Some((length, Meaning::Text(""))),
        Seam::Cut | Seam::None => None,
    }
}

/// The bytes between two pieces of a string of gettext, with their quotation marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seam {
    Of(usize),
    /// The bytes end before that is known.
    Cut,
    None,
}

/// The seam at a quotation mark: white space, in it perhaps the mark of an entry that is not used any more (`#~`), and
/// the quotation mark of the next piece.
pub(crate) fn seam(bytes: &[u8]) -> Seam {
    /// The longest seam.
    const LONGEST: usize = 256;
    let near = &bytes[..bytes.len().min(LONGEST)];
    let blanks = |from: usize| {
        let rest = near.get(from..).unwrap_or_default().iter();
        from + rest.take_while(|byte| byte.is_ascii_whitespace()).count()
    };
    let mut at = blanks(1);
    let comment = near.get(at..).unwrap_or_default().iter();
    let mark = comment.take_while(|byte| b"#~|".contains(byte)).count();
    if mark > 0 {
        at = blanks(at + mark);
    }
    match near.get(at) {
        Some(b'"') => Seam::Of(at + 1),
        None if bytes.len() < LONGEST => Seam::Cut,
        _ => Seam::None,
    }
}

/// The meaning of an escape; U+FFFD where it is unknown.
fn meaning(escapes: Escapes, quote: u8, at: &str) -> Option<(usize, Meaning)> {
    match read(escapes, quote, at) {
        Read::Char(length, ch) => Some((length, Meaning::Char(ch))),
        Read::Unknown => Some((1, Meaning::Char(char::REPLACEMENT_CHARACTER))),
        Read::Itself => None,
    }
}

/// Reads the backslash at the beginning of a text.
fn read(escapes: Escapes, quote: u8, at: &str) -> Read {
    let table = escapes.table();
    let Some(next) = at[1..].chars().next() else {
        return Read::Itself;
    };
    if escapes.is_raw_python() {
        return Read::Itself;
    }
    if next == '\\' || u32::from(next) == u32::from(quote) && quote != 0 {
        return Read::Char(2, next);
    }
    let letter = u8::try_from(next).unwrap_or(0);
    if let Some((_, ch)) = table.letters.iter().find(|(known, _)| *known == letter) {
        return Read::Char(2, *ch);
    }
    match letter {
        b'x' if table.hex.is_some() => return hex(table, at),
        b'u' if table.has_braces && at[2..].starts_with('{') => return braces(at),
        // Strings of these languages are UTF-16.
        b'u' if table.unicode == [(b'u', 4)] => return pair(at),
        b'0'..=b'9' if table.digits != Digits::None => return octal(table, at),
        _ => {}
    }
    if let Some((_, digits)) = table.unicode.iter().find(|(known, _)| *known == letter) {
        return code(at, 2, *digits);
    }
    match table.other {
        // A continued line joins its halves, which are read apart.
        _ if matches!(next, '\n' | '\r' | '\u{2028}' | '\u{2029}') => Read::Itself,
        Other::Dropped => Read::Char(1 + next.len_utf8(), next),
        Other::Kept => Read::Itself,
        Other::Malformed => Read::Unknown,
    }
}

/// `\xHH`: below U+0100 in JavaScript and TOML, an octet in PHP.
fn hex(table: &Table, at: &str) -> Read {
    let (least, most) = table.hex.unwrap_or((2, 2));
    let digits = at.as_bytes()[2..].iter().take(most);
    let digits = digits.take_while(|byte| byte.is_ascii_hexdigit()).count();
    if digits < least {
        return match table.other {
            Other::Kept => Read::Itself,
            _ => Read::Unknown,
        };
    }
    let is_octet = table.digits == Digits::Octal;
    let code = u32::from_str_radix(&at[2..2 + digits], 16).ok();
    let code = code.filter(|code| !is_octet || *code < 0x80);
    match code.and_then(char::from_u32) {
        Some(ch) => Read::Char(2 + digits, ch),
        None => Read::Unknown,
    }
}

fn octal(table: &Table, at: &str) -> Read {
    let digits = at.as_bytes()[1..].iter().take(3);
    let digits = digits
        .take_while(|byte| matches!(byte, b'0'..=b'7'))
        .count();
    let is_nul = at[1..].starts_with('0') && !at[2..].starts_with(|ch: char| ch.is_ascii_digit());
    match u8::from_str_radix(&at[1..1 + digits], 8) {
        Ok(octet) if table.digits == Digits::Octal && octet.is_ascii() => {
            Read::Char(1 + digits, char::from(octet))
        }
        Ok(octet) if table.digits == Digits::Character => Read::Char(1 + digits, char::from(octet)),
        Err(_) if table.digits == Digits::Octal && digits == 0 => Read::Itself,
        _ if table.digits == Digits::Nul && is_nul => Read::Char(2, '\0'),
        _ => Read::Unknown,
    }
}

/// `\u{...}`
fn braces(at: &str) -> Read {
    let inside = &at.as_bytes()[3..];
    let digits = inside.iter().take_while(|byte| byte.is_ascii_hexdigit());
    let digits = digits.count();
    let is_closed = inside.get(digits) == Some(&b'}');
    let code = u32::from_str_radix(&at[3..3 + digits], 16).ok();
    match code.and_then(char::from_u32).filter(|_| is_closed) {
        Some(ch) => Read::Char(4 + digits, ch),
        None => Read::Unknown,
    }
}

/// `\uXXXX`, perhaps a surrogate with its other half.
fn pair(at: &str) -> Read {
    match json::escape(at) {
        Some((length, Meaning::Char(ch))) => Read::Char(length, ch),
        _ => Read::Unknown,
    }
}

fn code(at: &str, from: usize, digits: usize) -> Read {
    let hex = at.get(from..from + digits);
    let hex = hex.filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let code = hex.and_then(|hex| u32::from_str_radix(hex, 16).ok());
    match code.and_then(char::from_u32) {
        Some(ch) => Read::Char(from + digits, ch),
        None => Read::Unknown,
    }
}
