//! Escapes of TeX and BibTeX.
//!
//! Nothing is expanded: a command has a meaning here if it stands for a character, or surely ends a word. Any other
//! command, and a parameter of a macro, is code that gives the rest of the text.

use super::{Meaning, replaced_at};
use linkglot_charset::MappedText;

/// The place of a raw text in TeX.
///
/// ```
/// use linkglot_markup::{Escaping, TexPercent, TexPlace};
///
/// let text = |place, raw| Escaping::Tex(place).unescape(raw).into_text();
/// let percent = TexPercent::Bare;
/// let argument = TexPlace::Argument { percent, is_nested: false, drops_spaces: false };
/// assert_eq!(text(TexPlace::Text, r"a\_b\~{}c~d"), "a_b~c d");
/// assert_eq!(text(argument, r"a\_b\~c~d"), "a_b~c~d");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TexPlace {
    /// Running text, in which `%` begins a comment.
    Text,
    /// Running text in an entry of BibTeX, in which `%` stands for itself.
    Entry,
    /// The argument of `\url`, `\href` and the like, or a value of BibTeX: `%`, `_`, `#`, `&` and `~` stand for
    /// themselves.
    Argument {
        /// The spelling of new `%` and `#`.
        percent: TexPercent,
        /// True in the argument of another command, where `#1` may be a parameter.
        is_nested: bool,
        /// True if the package url drops white space, which hyperref keeps.
        drops_spaces: bool,
    },
    /// The argument of `\url` between two marks, such as `|`: no escapes.
    Verbatim {
        /// True if TeX may read the text as a part of the argument of another command, so that it gets no new `%` and
        /// `#`.
        is_nested: bool,
    },
}

/// The spelling of `%` and `#` in the argument of a command.
///
/// ```
/// use linkglot_markup::{Escaping, TexPercent, TexPlace};
///
/// let written = |percent| {
///     let place = TexPlace::Argument { percent, is_nested: true, drops_spaces: true };
///     Escaping::Tex(place).escape("%C3", "", &|_| true)
/// };
/// assert_eq!(written(TexPercent::Escaped).as_deref(), Some(r"\%C3"));
/// assert_eq!(written(TexPercent::Unknown), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TexPercent {
    /// As themselves.
    Bare,
    /// With a backslash.
    Escaped,
    /// Only hyperref knows the backslash, and only the argument of no other command knows the bare mark.
    Unknown,
}

/// Code that gives the text, or a part of it. Links end there.
#[doc(hidden)]
pub const TEX_CODE: char = '\x1A';
const CODE_UNIT: Meaning = Meaning::Char(TEX_CODE);

/// Commands that end a word.
const ENDS: &[&str] = &[
    "AND",
    "MessageBreak",
    "NC",
    "NR",
    "and",
    "begin",
    "bgroup",
    "cite",
    "cr",
    "dots",
    "egroup",
    "else",
    "end",
    "endgroup",
    "enspace",
    "fi",
    "footnote",
    "footnotemark",
    "hfil",
    "hfill",
    "hline",
    "hspace",
    "index",
    "item",
    "label",
    "ldots",
    "linebreak",
    "newline",
    "nobreakspace",
    "or",
    "pagebreak",
    "par",
    "qquad",
    "quad",
    "space",
    "tabularnewline",
    "textgreater",
    "textless",
    "textquotedblright",
    "thanks",
    "thinspace",
    "vspace",
];

/// Commands that print nothing within a word.
const NOTHING: &[&str] = &["allowbreak", "relax"];

/// Commands that print a character.
const CHARS: &[(&str, char)] = &[
    ("slash", '/'),
    ("textasciitilde", '~'),
    ("textunderscore", '_'),
];

/// Accents and letters, as commands.
const LETTERS: &[&str] = &[
    "AA", "AE", "H", "L", "O", "OE", "aa", "ae", "b", "c", "d", "i", "j", "k", "l", "o", "oe", "r",
    "ss", "t", "u", "v",
];

impl TexPlace {
    fn is_argument(self) -> bool {
        matches!(self, TexPlace::Argument { .. })
    }

    fn drops_spaces(self) -> bool {
        matches!(
            self,
            TexPlace::Argument {
                drops_spaces: true,
                ..
            }
        )
    }

    fn is_text(self) -> bool {
        matches!(self, TexPlace::Text | TexPlace::Entry)
    }

    /// True if a bare `#` in front of a digit or another one is a parameter.
    fn reads_parameters(self) -> bool {
        let is_nested = matches!(
            self,
            TexPlace::Argument {
                is_nested: true,
                ..
            }
        );
        is_nested || self.is_text()
    }

    /// True if a byte may begin an escape.
    fn leads(self, byte: u8) -> bool {
        match self {
            TexPlace::Text | TexPlace::Entry => matches!(
                byte,
                b'\\' | b'{' | b'}' | b'~' | b'$' | b'#' | b'%' | b'`' | b'\'' | b'-' | b'"'
            ),
            TexPlace::Argument { .. } => {
                matches!(
                    byte,
                    b'\\' | b'{' | b'}' | b'#' | b'%' | b'\n' | b'\r' | b'\t'
                )
            }
            TexPlace::Verbatim { .. } => false,
        }
    }

    /// The text of a raw value.
    pub(super) fn unescape(self, raw: &str) -> MappedText<'_> {
        let leads = |bytes: &[u8]| bytes.iter().position(|byte| self.leads(*byte));
        replaced_at(raw, leads, |at, behind_unit| {
            self.unit(raw, at, behind_unit)
        })
    }

    /// The escape at a position; `behind_unit`: another one ends there.
    fn unit(self, raw: &str, at: usize, behind_unit: bool) -> Option<(usize, Meaning)> {
        let rest = &raw[at..];
        if self.is_argument() {
            return self.unit_of_argument(rest);
        }
        let before = raw[..at].bytes().next_back();
        let space = Meaning::Char(' ');
        match rest.as_bytes()[0] {
            b'\\' => Some(self.control(rest)),
            b'{' => Some(self.group(rest).unwrap_or_else(|| {
                let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'/';
                let joins = !behind_unit && before.is_some_and(is_word);
                (1, if joins { CODE_UNIT } else { space })
            })),
            b'}' => Some((
                1,
                if goes_on(&rest[1..]) {
                    CODE_UNIT
                } else {
                    space
                },
            )),
            // The folder of a user, in the argument of a command that is not known here.
            b'~' => (before != Some(b'/')).then_some((1, space)),
            b'$' => Some(math(rest)),
            b'#' => is_parameter(rest).then_some((1, CODE_UNIT)),
            b'%' => (self == TexPlace::Text).then_some((1, CODE_UNIT)),
            b'"' => (self == TexPlace::Entry && is_joined(raw, at)).then_some((1, CODE_UNIT)),
            b'-' => rest.starts_with("---").then_some((3, space)),
            quote => (rest.as_bytes().get(1) == Some(&quote)).then_some((2, Meaning::Char('"'))),
        }
    }

    fn unit_of_argument(self, rest: &str) -> Option<(usize, Meaning)> {
        let is_nested = self.reads_parameters();
        let behind_break = |from: usize| from + blanks(&rest[from..]);
        match rest.as_bytes()[0] {
            b'\\' => Some(self.control(rest)),
            b'{' | b'}' => Some((1, CODE_UNIT)),
            b'#' => (is_nested && is_parameter(rest)).then_some((1, CODE_UNIT)),
            b'%' => {
                let length = line_break(&rest[1..])?;
                Some((behind_break(1 + length), Meaning::Text("")))
            }
            _ => Some((behind_break(1), Meaning::Char(' '))),
        }
    }

    /// The meaning of a command.
    fn control(self, rest: &str) -> (usize, Meaning) {
        let Some(next) = rest[1..].chars().next() else {
            return (1, CODE_UNIT);
        };
        let name = &rest[1..1 + word_length(&rest.as_bytes()[1..])];
        if name.is_empty() {
            let length = 1 + next.len_utf8();
            return match next {
                '_' | '%' | '#' | '&' => (2, Meaning::Char(next)),
                '~' if self.is_argument() => (2, Meaning::Char('~')),
                '~' if rest[2..].starts_with("{}") => (4, Meaning::Char('~')),
                _ if self.is_argument() => (length, CODE_UNIT),
                '$' | '{' | '}' => (2, Meaning::Char(next)),
                '-' | '/' | '@' => (2, Meaning::Text("")),
                '\\' | ' ' | ',' | ';' | ':' | '!' | '>' | '\n' | '\r' | '\t' | '(' | ')' | '['
                | ']' => (2, Meaning::Char(' ')),
                _ => (length, CODE_UNIT),
            };
        }
        let length = 1 + name.len();
        if name == "string" {
            let next = rest[length..].chars().next();
            let next = next.filter(|next| "~_#%&$/.:-".contains(*next));
            return next.map_or((length, CODE_UNIT), |ch| (length + 1, Meaning::Char(ch)));
        }
        if let Some((_, ch)) = CHARS.iter().find(|(known, _)| *known == name) {
            let length = length + blanks(&rest[length..]);
            let group = if self.is_argument() { "" } else { "{}" };
            let group = usize::from(rest[length..].starts_with(group)) * group.len();
            return (length + group, Meaning::Char(*ch));
        }
        match name {
            _ if self.is_argument() => (length, CODE_UNIT),
            _ if ENDS.contains(&name) => (length, Meaning::Char(' ')),
            _ if NOTHING.contains(&name) => (length, Meaning::Text("")),
            _ => (length, CODE_UNIT),
        }
    }

    /// A group of one character, or of none.
    fn group(self, rest: &str) -> Option<(usize, Meaning)> {
        if rest.starts_with("{}") {
            return Some((2, Meaning::Text("")));
        }
        let inner = &rest[1..];
        let (length, ch) = match inner.bytes().next()? {
            b'\\' => match self.control(inner) {
                (length, Meaning::Char(ch)) if ch != TEX_CODE && ch != ' ' => (length, ch),
                _ => return None,
            },
            byte @ (b'_' | b'-' | b'.' | b'/' | b':' | b'?' | b'=' | b'@') => (1, char::from(byte)),
            _ => return None,
        };
        let is_closed = inner[length..].starts_with('}');
        is_closed.then_some((length + 2, Meaning::Char(ch)))
    }

    /// Braces without a partner, and the marks that end a text.
    pub(super) fn ends(self, raw: &str) -> [usize; 4] {
        let bytes = raw.as_bytes();
        let is_verbatim = matches!(self, TexPlace::Verbatim { .. });
        let (mut marks, mut closed, mut open, mut at) = (0, 0, 0_usize, 0);
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match byte {
                b'\\' if !is_verbatim => at += 1,
                b'%' if self == TexPlace::Text => marks += 1,
                b'|' | b'!' | b'+' if is_verbatim => marks += 1,
                b'"' if self != TexPlace::Text => marks += 1,
                b'{' => open += 1,
                b'}' if open == 0 => closed += 1,
                b'}' => open -= 1,
                _ => {}
            }
        }
        // A final backslash would escape the byte behind the text.
        [marks, closed, open, at.saturating_sub(bytes.len())]
    }

    /// Writes a text in the style of `old`, the raw text that is replaced.
    pub(super) fn write(
        self,
        text: &str,
        old: &str,
        encodable: &dyn Fn(char) -> bool,
    ) -> Option<String> {
        let style = Style::of(old);
        // Quotes and dashes of typography.
        let marks = ["''", "``", "---"];
        if self.is_text() && (marks.iter().any(|mark| text.contains(mark)) || gets_dash(text, old))
        {
            return None;
        }
        if self.drops_spaces()
            && text.contains("%20")
            && old.trim().contains([' ', '\n', '\r', '\t'])
        {
            return None;
        }
        if self.reads_parameters()
            && style.spelling('#') == Some(TexPercent::Bare)
            && memchr::memchr_iter(b'#', text.as_bytes()).any(|at| is_parameter(&text[at..]))
        {
            return None;
        }
        let mut out = String::with_capacity(text.len() + 8);
        for ch in text.chars() {
            match (self, ch) {
                (_, '\\' | '{' | '}' | '^' | '|') => return None,
                (_, ch) if ch.is_ascii_control() => return None,
                (TexPlace::Argument { .. } | TexPlace::Entry, '"') => return None,
                (TexPlace::Verbatim { .. }, '!' | '+' | '"' | ' ') => return None,
                (TexPlace::Verbatim { is_nested: true }, '%' | '#') if !old.contains(ch) => {
                    return None;
                }
                (_, ch) if !ch.is_ascii() && !encodable(ch) => return None,
                (_, '_' | '&' | '#' | '%' | '$' | '~') if self.is_text() => {
                    style.push_in_text(&mut out, ch, self == TexPlace::Entry)?;
                }
                (TexPlace::Argument { percent, .. }, '%' | '#') => {
                    match style.spelling(ch).unwrap_or(percent) {
                        TexPercent::Bare => {}
                        TexPercent::Escaped => out.push('\\'),
                        TexPercent::Unknown => return None,
                    }
                    out.push(ch);
                }
                (TexPlace::Argument { .. }, '_' | '&' | '~') => {
                    if style.spelling(ch) == Some(TexPercent::Escaped) {
                        out.push('\\');
                    }
                    out.push(ch);
                }
                (_, ch) => out.push(ch),
            }
        }
        Some(out)
    }
}

/// The spelling of marks in a raw text.
struct Style<'o>(&'o str);

impl<'o> Style<'o> {
    fn of(old: &'o str) -> Self {
        Style(old)
    }

    /// The spelling of a mark, if the text has it.
    fn spelling(&self, ch: char) -> Option<TexPercent> {
        let at = self.0.find(ch)?;
        Some(if self.0[..at].ends_with('\\') {
            TexPercent::Escaped
        } else {
            TexPercent::Bare
        })
    }

    /// Writes a mark in running text, where only the argument of an unknown command has bare marks.
    fn push_in_text(&self, out: &mut String, ch: char, is_entry: bool) -> Option<()> {
        let any = ['_', '&', '#', '%'].into_iter();
        let spelling = self
            .spelling(ch)
            .filter(|_| ch != '$' && ch != '~')
            .or_else(|| any.filter_map(|ch| self.spelling(ch)).next());
        if ch == '~' {
            let known = ["/~", "\\string~", "\\textasciitilde "];
            out.push_str(match known.iter().find(|known| self.0.contains(**known)) {
                Some(&"/~") if out.ends_with('/') => "~",
                Some(&"/~") | None => "\\~{}",
                Some(known) => known,
            });
            return Some(());
        }
        match spelling {
            Some(TexPercent::Bare) if ch == '%' && !is_entry => return None,
            // A bare mark of another kind tells nothing about a parameter.
            Some(TexPercent::Bare) if ch == '#' && !self.0.contains('#') => return None,
            Some(TexPercent::Bare) if ch != '$' => {}
            _ => out.push('\\'),
        }
        out.push(ch);
        Some(())
    }
}

/// True if code at the beginning of a raw text is an accent or a letter.
#[doc(hidden)]
pub fn is_tex_letter(raw: &str) -> bool {
    let Some(rest) = raw.strip_prefix('\\') else {
        return false;
    };
    let name = &rest[..word_length(rest.as_bytes())];
    if name.is_empty() {
        return rest.starts_with(['\'', '`', '"', '^', '~', '=', '.']);
    }
    LETTERS.contains(&name)
}

/// The length of the name of a command. `@` is a letter in packages.
pub(crate) fn word_length(bytes: &[u8]) -> usize {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'@';
    let length = bytes.iter().position(|byte| !is_letter(byte));
    let length = length.unwrap_or(bytes.len());
    // A command of one character.
    if bytes[..length] == *b"@" { 0 } else { length }
}

/// True if a text has two hyphens, a dash in running text, that the old text has not behind the same characters.
fn gets_dash(text: &str, old: &str) -> bool {
    text.match_indices("--").any(|(at, _)| {
        let before = text[..at].char_indices().rev().nth(1);
        let from = before.map_or(0, |(from, _)| from);
        !old.contains(&text[from..at + 2])
    })
}

/// True if a text behind a closing brace continues the word in front of the brace.
fn goes_on(behind: &str) -> bool {
    let mut bytes = behind.bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'/';
    match bytes.next() {
        Some(b'.' | b'-' | b'_' | b'@') => bytes.next().is_some_and(is_word),
        Some(byte) => is_word(byte),
        None => false,
    }
}

/// Formulas that stand for a tilde in old texts.
fn math(rest: &str) -> (usize, Meaning) {
    let tildes = ["$\\sim$", "$\\tilde{}$", "$\\tilde{\\ }$", "$\\tilde{ }$"];
    match tildes.iter().find(|tilde| rest.starts_with(**tilde)) {
        Some(tilde) => (tilde.len(), Meaning::Char('~')),
        None => (1, CODE_UNIT),
    }
}

/// True for `#1` or `##`.
fn is_parameter(rest: &str) -> bool {
    matches!(rest.as_bytes().get(1), Some(b'1'..=b'9' | b'#'))
}

/// True if `#` joins a string of BibTeX, whose quotation mark stands at a position, to another one.
fn is_joined(raw: &str, at: usize) -> bool {
    let joins = |text: &str, from_end: bool| {
        if from_end {
            text.trim_ascii_end().ends_with('#')
        } else {
            text.trim_ascii_start().starts_with('#')
        }
    };
    /// The most white space that is read.
    const NEAR: usize = 64;
    let mut from = at.saturating_sub(NEAR);
    while !raw.is_char_boundary(from) {
        from += 1;
    }
    joins(&raw[at + 1..], false) || joins(&raw[from..at], true)
}

/// The length of spaces and tabs.
fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

/// The length of a line break.
fn line_break(text: &str) -> Option<usize> {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => Some(2),
        [b'\n' | b'\r', ..] => Some(1),
        _ => None,
    }
}
