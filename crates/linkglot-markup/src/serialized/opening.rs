//! The start and the end of serialized strings: `s:5:"`, with the quotation mark in the form of the text around.

use linkglot_charset::simd::blocks::InstructionSet;
use linkglot_charset::simd::pairs::Pair;

/// The longest number that is read: a length in a file of ten digits.
const MAX_DIGITS: usize = 10;
/// The most backslashes in front of a quotation mark: for four literals, each in the next.
const MAX_BACKSLASHES: usize = 15;
/// The most backslashes read at once; a longer run is read in pieces.
pub(super) const LONGEST_RUN: usize = 32;
/// The most character references that are escaped in each other: `&amp;amp;quot;`.
const MAX_REFERENCES: u8 = 4;
/// Room for the longest form of a quotation mark.
const MAX_FORM: usize = 40;

/// The result of reading a form.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Parsed<T> {
    /// Another text.
    No,
    /// Bytes that may be the start of the form.
    Cut,
    /// The form, and its length.
    Yes(T, usize),
}

impl<T> Parsed<T> {
    /// Reads on behind the form.
    pub fn then<U>(self, next: impl FnOnce(T, usize) -> Parsed<U>) -> Parsed<U> {
        match self {
            Parsed::No => Parsed::No,
            Parsed::Cut => Parsed::Cut,
            Parsed::Yes(value, length) => next(value, length),
        }
    }
}

/// The units that a length counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A string, `s:5:"hello";`.
    String,
    /// A string with octets in hexadecimal digits, `S:5:"h\65llo";`.
    HexString,
    /// The name of a class that serializes itself, `C:1:"A":`.
    Class,
    /// Output of PHP, `5:{hello}`.
    Body,
    /// Bytes that may still belong to strings whose end is not where their length says.
    Rest,
}

impl Kind {
    fn of(first: u8) -> Option<Kind> {
        match first {
            b's' => Some(Kind::String),
            b'S' => Some(Kind::HexString),
            b'C' => Some(Kind::Class),
            _ => None,
        }
    }

    /// True if a quotation mark opens the unit.
    pub fn is_quoted(self) -> bool {
        !matches!(self, Kind::Body | Kind::Rest)
    }

    /// The byte behind the closing quotation mark.
    pub fn terminator(self) -> u8 {
        match self {
            Kind::Class => b':',
            _ => b';',
        }
    }
}

/// The start of a stretch with a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    pub kind: Kind,
    pub length: u64,
    pub form: QuoteForm,
}

/// Spelling of the data's quotation marks: `"`, `\"`, `&quot;`, `\u0022`, `""` ...
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QuoteForm {
    bytes: [u8; MAX_FORM],
    length: usize,
    /// Backslashes in front of the quotation mark.
    backslashes: usize,
    /// Depth of character references around the quotation mark.
    pub references: u8,
    /// True if each mark may be doubled, as in CSV, or a string begins with a quotation mark.
    pub may_be_doubled: bool,
}

impl QuoteForm {
    fn new(form: &[u8], backslashes: usize) -> Option<Self> {
        let mut bytes = [0; MAX_FORM];
        bytes.get_mut(..form.len())?.copy_from_slice(form);
        Some(QuoteForm {
            bytes,
            length: form.len(),
            backslashes,
            references: 0,
            may_be_doubled: false,
        })
    }

    fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Number of nested literals, as far as backslashes tell: each literal doubles the backslashes inside and adds one.
    pub fn depth(&self) -> u32 {
        (self.backslashes + 1).next_power_of_two().ilog2().max(1)
    }

    /// The number of backslashes at the start of `bytes` that belong to the string, if a closing quotation mark may
    /// follow.
    pub fn backslashes_before(&self, bytes: &[u8], is_last: bool) -> Parsed<usize> {
        let run = backslashes(bytes, LONGEST_RUN);
        let own = run.checked_sub(self.backslashes);
        match (bytes.get(run), own) {
            (None, _) if !is_last => Parsed::Cut,
            (Some(&byte), Some(own)) if byte == self.bytes[self.backslashes] => {
                Parsed::Yes(own, own)
            }
            _ => Parsed::No,
        }
    }

    /// Number of backslashes that `own` backslashes decode to; `None` if the last would escape the next character.
    pub fn undone(&self, own: usize) -> Option<u64> {
        let depth = self.depth();
        own.is_multiple_of(1 << depth)
            .then_some((own >> depth) as u64)
    }

    /// True if backslashes are known to be escapes.
    pub fn is_escaped(&self) -> bool {
        self.backslashes > 0
    }

    /// Tells if a closing quotation mark, doubled or not, begins here.
    pub fn closes(
        &self,
        bytes: &[u8],
        (terminator, is_doubled): (u8, bool),
        is_last: bool,
    ) -> Parsed<()> {
        let form = if is_doubled { b"\"\"" } else { self.as_slice() };
        expect(bytes, form, is_last).then(|(), length| match bytes.get(length) {
            Some(&byte) if byte == terminator => Parsed::Yes((), length),
            None if !is_last => Parsed::Cut,
            _ => Parsed::No,
        })
    }
}

/// A colon, or the start of its escape behind the letter of an opening.
pub(super) struct MayOpen;

impl Pair for MayOpen {
    #[inline(always)]
    fn marks<I: InstructionSet>(set: I, first: I::Bytes, second: I::Bytes) -> I::Mask {
        let is_kind = set.equal(first, b's') | set.equal(first, b'S') | set.equal(first, b'C');
        let is_escape = set.equal(second, b'\\') | set.equal(second, b'&');
        set.equal(second, b':') | is_escape & is_kind
    }

    fn is_marked(first: u8, second: u8) -> bool {
        second == b':' || matches!(second, b'\\' | b'&') && Kind::of(first).is_some()
    }
}

/// True if an opening may begin at a byte in front of a colon: no word of ASCII goes on there. An escape in front
/// (`\n`, `\u0022`, `&#10`) is no word.
pub(super) fn may_begin(bytes: &[u8], first: usize) -> bool {
    if Kind::of(bytes[first]).is_none() {
        return false;
    }
    match bytes[..first].last() {
        Some(b'_') => false,
        Some(byte) if byte.is_ascii_alphanumeric() => ends_in_escape(&bytes[..first]),
        // Text of a script without spaces, a BOM.
        _ => true,
    }
}

/// True if a text ends with an escape of letters and digits.
fn ends_in_escape(text: &[u8]) -> bool {
    /// The most letters and digits of an escape, `u0022` or `#x000A`.
    const LONGEST: usize = 6;
    let run = text.iter().rev().take(LONGEST + 1);
    let run = run.take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (before, run) = text.split_at(text.len() - run);
    let is_hex = |digits: &[u8]| digits.iter().all(u8::is_ascii_hexdigit);
    if before.ends_with(b"&#") {
        return match run {
            [b'x' | b'X', digits @ ..] => is_hex(digits),
            digits => digits.iter().all(u8::is_ascii_digit),
        };
    }
    before.ends_with(b"\\")
        && match run {
            [b'n' | b't' | b'r' | b'0'] => true,
            [b'u', digits @ ..] => digits.len() == 4 && is_hex(digits),
            [b'x', digits @ ..] => digits.len() == 2 && is_hex(digits),
            [b'0'..=b'3', b'0'..=b'7', b'0'..=b'7'] => true,
            _ => false,
        }
}

/// Reads the opening at the start of `bytes`.
pub(super) fn parse(bytes: &[u8], is_last: bool) -> Parsed<Opening> {
    let Some(kind) = bytes.first().and_then(|&first| Kind::of(first)) else {
        return Parsed::No;
    };
    let behind = |at: usize| bytes.get(at..).unwrap_or_default();
    colon(behind(1), is_last).then(|(), colon| {
        let at = 1 + colon;
        number(behind(at), is_last).then(|length, digits| {
            let at = at + digits;
            quote_form(behind(at), is_last).then(|form, behind| {
                let opening = Opening { kind, length, form };
                Parsed::Yes(opening, at + behind)
            })
        })
    })
}

/// Reads a colon in any form: `:`, `\:`, `\u003a`, `&#58;`.
fn colon(bytes: &[u8], is_last: bool) -> Parsed<()> {
    let slashes = backslashes(bytes, MAX_BACKSLASHES);
    let core = &bytes[slashes..];
    let forms: &[&[u8]] = match core.first() {
        None => return if is_last { Parsed::No } else { Parsed::Cut },
        Some(b':') => return Parsed::Yes((), slashes + 1),
        Some(b'&') => {
            let names: [&[u8]; 6] = [b"colon;", b"#58;", b"#058;", b"#x3a;", b"#x3A;", b"#X3A;"];
            return reference(core, &names, is_last).then(|_, end| Parsed::Yes((), slashes + end));
        }
        Some(_) if slashes > 0 => &[b"u003a", b"u003A", b"x3a", b"x3A", b"072"],
        Some(_) => &[],
    };
    first_of(core, forms, is_last).then(|(), end| Parsed::Yes((), slashes + end))
}

/// Reads a row of text in the output of React's server components, `2:T13,` in front of so many octets in hexadecimal
/// digits, whose colon stands at a position. A row begins a line, a string of a program, or at `end`, that of another
/// row.
pub(super) fn row(
    bytes: &[u8],
    colon: usize,
    end: Option<usize>,
    is_last: bool,
) -> Parsed<Opening> {
    /// The most digits of a number.
    const DIGITS: usize = 8;
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let name = bytes[end.unwrap_or(0).min(colon)..colon].iter().rev();
    let name = name.take(DIGITS + 1);
    let start = colon - name.take_while(|byte| is_digit(byte)).count();
    let begins = matches!(
        &bytes[..start],
        [.., b'\\', b'n'] | [.., b'\n' | b'"' | b'\''] | []
    );
    if !(begins || end == Some(start)) || !(1..=DIGITS).contains(&(colon - start)) {
        return Parsed::No;
    }
    let behind = &bytes[colon + 1..];
    expect(behind, b"T", is_last).then(|(), one| {
        let digits = behind[one..].iter().take(DIGITS + 1);
        let digits = digits.take_while(|byte| is_digit(byte)).count();
        let end = one + digits;
        match behind.get(end) {
            None if !is_last && digits <= DIGITS => Parsed::Cut,
            Some(b',') if (1..=DIGITS).contains(&digits) => {
                let value = |digit: &u8| u64::from(char::from(*digit).to_digit(16).unwrap_or(0));
                let add = |sum, digit| sum * 16 + value(digit);
                let length = behind[one..end].iter().fold(0, add);
                let kind = Kind::Rest;
                let at = colon + 2 + end;
                match (QuoteForm::new(b"\"", 0), text_of_row(&bytes[at..], is_last)) {
                    (None, _) => Parsed::No,
                    (Some(form), Parsed::Yes((), skipped)) => {
                        Parsed::Yes(Opening { kind, length, form }, at + skipped)
                    }
                    (_, Parsed::Cut) => Parsed::Cut,
                    (Some(form), Parsed::No) => Parsed::Yes(Opening { kind, length, form }, at),
                }
            }
            _ => Parsed::No,
        }
    })
}

/// Reads up to the text of a row in the next call of a script, if the string ends behind the length:
/// `"])</script><script>self.__next_f.push([1,"`.
fn text_of_row(bytes: &[u8], is_last: bool) -> Parsed<()> {
    /// The most bytes between the strings. Readers keep 64 bytes, of which the row takes some.
    const BETWEEN: usize = 48;
    match bytes.first() {
        None if !is_last => return Parsed::Cut,
        Some(b'"') => {}
        _ => return Parsed::No,
    }
    let near = &bytes[1..bytes.len().min(BETWEEN)];
    match memchr::memmem::find(near, b",\"") {
        Some(at) => Parsed::Yes((), 1 + at + 2),
        None if bytes.len() < BETWEEN && !is_last => Parsed::Cut,
        None => Parsed::No,
    }
}

/// Reads `":5:{` behind the name of a class.
pub(super) fn body(bytes: &[u8], class: Opening, is_last: bool) -> Parsed<Opening> {
    let is_doubled = class.form.may_be_doubled;
    let name = class.form.closes(bytes, (b':', is_doubled), is_last);
    name.then(|(), quote| {
        number(&bytes[quote + 1..], is_last).then(|length, digits| {
            let brace = quote + 1 + digits;
            expect(&bytes[brace..], b"{", is_last).then(|(), one| {
                let kind = Kind::Body;
                let body = Opening {
                    kind,
                    length,
                    ..class
                };
                Parsed::Yes(body, brace + one)
            })
        })
    })
}

/// Reads a number and the colon behind it.
fn number(bytes: &[u8], is_last: bool) -> Parsed<u64> {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit());
    let digits = digits.take(MAX_DIGITS + 1).count();
    if digits > MAX_DIGITS {
        return Parsed::No;
    }
    if digits == 0 {
        return if bytes.is_empty() && !is_last {
            Parsed::Cut
        } else {
            Parsed::No
        };
    }
    colon(&bytes[digits..], is_last).then(|(), colon| {
        let add = |sum: u64, digit: &u8| sum * 10 + u64::from(digit - b'0');
        Parsed::Yes(bytes[..digits].iter().fold(0, add), digits + colon)
    })
}

/// Reads the first of several forms.
fn first_of(bytes: &[u8], forms: &[&[u8]], is_last: bool) -> Parsed<()> {
    let mut parsed = forms.iter().map(|form| expect(bytes, form, is_last));
    let found = parsed.find(|parsed| *parsed != Parsed::No);
    found.unwrap_or(Parsed::No)
}

/// Reads a fixed form.
fn expect(bytes: &[u8], form: &[u8], is_last: bool) -> Parsed<()> {
    match bytes.get(..form.len()) {
        Some(begin) if begin == form => Parsed::Yes((), form.len()),
        None if !is_last && form.starts_with(bytes) => Parsed::Cut,
        _ => Parsed::No,
    }
}

/// The number of backslashes that `bytes` begin with, up to a limit.
pub(super) fn backslashes(bytes: &[u8], most: usize) -> usize {
    let run = bytes.iter().take(most);
    run.take_while(|byte| **byte == b'\\').count()
}

/// Reads a quotation mark in any form.
fn quote_form(bytes: &[u8], is_last: bool) -> Parsed<QuoteForm> {
    let slashes = backslashes(bytes, MAX_BACKSLASHES);
    let form = |length: usize| QuoteForm::new(&bytes[..slashes + length], slashes);
    let core = &bytes[slashes..];
    let Some(first) = core.first() else {
        return if is_last { Parsed::No } else { Parsed::Cut };
    };
    let core = match first {
        b'"' if slashes > 0 => Parsed::Yes((1, 0), 1),
        b'"' => match core.get(1) {
            None if !is_last => Parsed::Cut,
            Some(b'"') => Parsed::Yes((1, 0), 2),
            _ => Parsed::Yes((1, 0), 1),
        },
        b'u' if slashes > 0 => {
            expect(core, b"u0022", is_last).then(|(), length| Parsed::Yes((length, 0), length))
        }
        b'&' => reference(core, &QUOTES, is_last),
        _ => Parsed::No,
    };
    core.then(|(length, references), behind| match form(length) {
        Some(form) => {
            let form = QuoteForm {
                references,
                may_be_doubled: behind > length,
                ..form
            };
            Parsed::Yes(form, slashes + behind)
        }
        None => Parsed::No,
    })
}

/// References to the quotation mark, without their `&`.
const QUOTES: [&[u8]; 5] = [b"quot;", b"#34;", b"#034;", b"#x22;", b"#X22;"];

/// Reads one of these references, escaped or not (`&amp;quot;`). The value is its end and the number of references.
fn reference(bytes: &[u8], names: &[&[u8]], is_last: bool) -> Parsed<(usize, u8)> {
    let (mut at, mut references) = (1, 1);
    while let Parsed::Yes((), length) = expect(&bytes[at..], b"amp;", true) {
        (at, references) = (at + length, references + 1);
        if references > MAX_REFERENCES {
            return Parsed::No;
        }
    }
    // The last name may be cut here.
    match first_of(&bytes[at..], names, is_last) {
        Parsed::No => expect(&bytes[at..], b"amp;", is_last).then(|(), _| Parsed::No),
        found => found.then(|(), length| Parsed::Yes((at + length, references), at + length)),
    }
}
