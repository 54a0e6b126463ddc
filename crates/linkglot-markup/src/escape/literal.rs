//! String literals of programs. The escapes of a language are rows of a table.

mod read;
mod table;

pub(crate) use read::{Seam, seam};

use super::json::JsonStyle;
use super::{Hole, Holes, Meaning, replaced, replaced_at, replaced_where};
use linkglot_charset::MappedText;
use read::{Read, meaning};
use table::Other;

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

impl Escapes {
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
            (escapes, _) if escapes.has_seams() => replaced_where(
                raw,
                |bytes| memchr::memchr2(b'\\', b'"', bytes),
                read::gettext,
            ),
            (escapes, quote) => replaced(raw, [b'\\'; 2], |at| read::escape(escapes, quote, at)),
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
            at += match read::backslash(self.escapes, self.quote, &raw[at..]) {
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

/// The marks of properties that are escaped in the style of a link: those that the link escapes, and if it escapes one,
/// those that it does not have. They need no escape in a value, but most programs write it.
fn escaped_marks(old: &str) -> String {
    let escaped = |mark: char| old.contains(&format!("\\{mark}"));
    let is_style = "=:#!".contains(escaped);
    let marks = "=:#!".chars();
    let marks = marks.filter(|mark| escaped(*mark) || is_style && !old.contains(*mark));
    marks.collect()
}
