//! SQL: dumps of databases and other scripts. String literals and the rows of COPY are data, comments are running text.
//!
//! Nothing is parsed but the lexical level: the literals are the same in all statements. The meaning of a backslash
//! depends on the database, which is known by what only it writes ([`Dialect`]).
//!
//! The module must not know the meaning of running text.

mod dialect;
mod literal;
#[cfg(test)]
mod tests;

pub use dialect::begins_sql;

use crate::escape::{Escaping, SqlStyle};
use crate::json::without_cut;
use crate::signs::may_hold_link;
use crate::slot::{Access, Place, Run, SharedPlace, Slot, Step, Syntax, Tokenizer, Window};
use crate::text_stretch::{End, TextStretch};
use dialect::{Dialect, Following, Word};
use literal::{Found, Literal, Trust};
use std::ops::Range;

/// The tokenizer of SQL. Literals longer than `max_slot` are skipped.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{Slots, SqlTokenizer, Syntax};
///
/// let dump = b"INSERT INTO `a` VALUES (1,'O\\'Neill: http://a.example/',NULL);";
/// let slots: Vec<_> = Slots::new(SqlTokenizer::new(1 << 20), dump, Charset::UTF_8).collect();
/// assert_eq!(slots[0].syntax, Syntax::Data);
/// assert_eq!(&dump[slots[0].range.clone()], b"O\\'Neill: http://a.example/");
/// ```
#[derive(Debug)]
pub struct SqlTokenizer {
    max_slot: usize,
    dialect: Dialect,
    /// True within a word that is too long to mean something.
    in_word: bool,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Between literals.
    Marks,
    /// Within a literal that begins at the cursor, and whose first bytes have been searched.
    Literal(Literal, usize),
    /// Within a literal that is too long.
    Skipping(Literal),
    Text(TextStretch),
    /// In the rows of COPY, at the beginning of a field; true at the beginning of a row.
    Copy(bool),
    /// Within a field that is too long.
    SkippingField,
}

/// The longest word that means something.
const LONGEST_WORD: usize = 64;

impl SqlTokenizer {
    /// A tokenizer at the beginning of a document.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{Slots, SqlTokenizer};
    ///
    /// let slots = |sql: &[u8]| Slots::new(SqlTokenizer::new(1 << 20), sql, Charset::UTF_8).count();
    /// assert_eq!(slots(b"-- http://a.example/\nSELECT 'b.example', 'c'"), 2);
    /// ```
    pub fn new(max_slot: usize) -> Self {
        SqlTokenizer {
            max_slot,
            dialect: Dialect::new(),
            in_word: false,
            state: State::Marks,
        }
    }

    /// Reads up to the next literal, comment or row.
    fn marks(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        loop {
            if self.in_word {
                let rest = &window.bytes[*cursor..];
                let length = word_length(rest);
                *cursor += length;
                if length == rest.len() {
                    return Some(ended(window));
                }
                self.in_word = false;
            }
            let rest = &window.bytes[*cursor..];
            let is_mark = |byte: &u8| MARKS[usize::from(*byte)];
            let skipped = rest.iter().position(is_mark).unwrap_or(rest.len());
            self.dialect.pass(&rest[..skipped]);
            *cursor += skipped;
            let rest = &rest[skipped..];
            let Some(&first) = rest.first() else {
                return Some(ended(window));
            };
            let is_cut = |longest: usize| rest.len() < longest && !window.last;
            match first {
                b'\'' | b'"' | b'`' => {
                    let literal = self.dialect.literal(first);
                    *cursor += 1;
                    self.state = State::Literal(literal, 0);
                    return None;
                }
                b'-' | b'/' | b'#' | b'$' if is_cut(LONGEST_WORD) => return Some(Step::NeedMore),
                b'-' if self.dialect.is_comment(rest) => {
                    self.dialect.forget_word();
                    *cursor += 2;
                    self.state = State::Text(TextStretch::new(End::LineComment));
                    return None;
                }
                b'#' if self.dialect.has_hash_comments() => {
                    *cursor += 1;
                    self.state = State::Text(TextStretch::new(End::LineComment));
                    return None;
                }
                b'/' if rest.starts_with(b"/*!") || rest.starts_with(b"/*M!") => {
                    // Such a comment is code for MySQL or MariaDB.
                    self.dialect.is_mysql();
                    let mark = if rest[2] == b'M' { 4 } else { 3 };
                    let version = rest[mark..].iter().take_while(|byte| byte.is_ascii_digit());
                    *cursor += mark + version.count();
                }
                b'/' if rest.starts_with(b"/*") => {
                    *cursor += 2;
                    self.state = State::Text(TextStretch::new(End::Block));
                    return None;
                }
                b'$' => match self.dialect.dollar_tag(rest) {
                    Some(tag) => {
                        *cursor += tag.len();
                        self.state = State::Literal(Literal::Dollar(tag), 0);
                        return None;
                    }
                    None => *cursor += 1,
                },
                b';' => {
                    *cursor += 1;
                    match self.dialect.end_statement() {
                        Following::Statement => {}
                        Following::Rows => {
                            self.state = State::Copy(true);
                            return self.begin_rows(window, cursor);
                        }
                        Following::OtherRows => {
                            self.state = State::Text(TextStretch::new(End::Document));
                            return None;
                        }
                    }
                }
                b'-' | b'/' | b'#' => {
                    self.dialect.forget();
                    *cursor += 1;
                }
                _ => {
                    let length = word_length(rest);
                    if length == rest.len() && is_cut(LONGEST_WORD) {
                        return Some(Step::NeedMore);
                    }
                    self.in_word = length == rest.len();
                    self.dialect
                        .read(Word::of(&rest[..length]), &rest[..length]);
                    *cursor += length;
                }
            }
        }
    }

    /// Goes behind the line that ends the statement in front of rows.
    fn begin_rows(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let rest = &window.bytes[*cursor..];
        match memchr::memchr(b'\n', rest) {
            Some(at) if rest[..at].trim_ascii().is_empty() => {
                *cursor += at + 1;
                None
            }
            // Rows behind the statement are cut from it by a window.
            None if !window.last && rest.trim_ascii().is_empty() => {
                self.dialect.expect_rows();
                *cursor -= 1;
                self.state = State::Marks;
                Some(Step::NeedMore)
            }
            _ => {
                self.state = State::Marks;
                None
            }
        }
    }

    /// Reads the literal whose inside begins at the cursor; the first `read` bytes have been searched.
    fn literal(
        &mut self,
        literal: Literal,
        read: usize,
        window: Window<'_>,
        cursor: &mut usize,
    ) -> Option<Step> {
        let start = *cursor;
        let found = literal.end(window, start, read);
        let length = match found {
            Found::End { at, .. } | Found::Doubtful { at } => at - start,
            Found::Open { inside, .. } => inside - start,
        };
        if length > self.max_slot {
            let is_value = literal.is_value();
            self.state = State::Skipping(literal);
            return is_value.then(|| Step::TooLong(start, Place::clone(&SharedPlace::TEXT)));
        }
        match found {
            Found::Open { searched, .. } if !window.last => {
                self.state = State::Literal(literal, searched - start);
                Some(Step::NeedMore)
            }
            Found::Open { .. } | Found::Doubtful { .. } => {
                // An unclosed literal is no SQL.
                self.state = State::Text(TextStretch::malformed(End::Document));
                None
            }
            Found::End { at, behind } => {
                let Some(next) = behind_literal(window, behind) else {
                    self.state = State::Literal(literal, read);
                    return Some(Step::NeedMore);
                };
                *cursor = behind;
                self.state = State::Marks;
                let raw = &window.bytes[start..at];
                let next = match next {
                    Behind::Other if self.dialect.joins_arguments() => Behind::Join,
                    next => next,
                };
                self.dialect.read_literal(raw);
                if !may_hold_link(raw, window.charset) {
                    return None;
                }
                let (escaping, access) = literal.reading(raw, next)?;
                Some(slot(start..at, escaping, access))
            }
        }
    }

    /// Skips a literal that is too long.
    fn skip(&mut self, literal: Literal, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        match literal.end(window, *cursor, 0) {
            Found::End { behind, .. } => {
                *cursor = behind;
                self.state = State::Marks;
                None
            }
            Found::Open { searched, .. } if !window.last => {
                *cursor += without_cut(window.charset, &window.bytes[*cursor..searched]);
                self.state = State::Skipping(literal);
                Some(Step::NeedMore)
            }
            Found::Open { .. } => {
                *cursor = window.bytes.len();
                self.state = State::Skipping(literal);
                Some(Step::End)
            }
            Found::Doubtful { at } => {
                *cursor = at;
                self.state = State::Text(TextStretch::malformed(End::Document));
                None
            }
        }
    }

    /// Reads fields of rows, up to one that may hold a link.
    fn copy(
        &mut self,
        mut begins_row: bool,
        window: Window<'_>,
        cursor: &mut usize,
    ) -> Option<Step> {
        loop {
            self.state = State::Copy(begins_row);
            let start = *cursor;
            let rest = &window.bytes[start..];
            let found = memchr::memchr2(b'\t', b'\n', rest);
            let length = found.unwrap_or(rest.len());
            if length > self.max_slot {
                self.state = State::SkippingField;
                return Some(Step::TooLong(start, Place::clone(&SharedPlace::TEXT)));
            }
            if found.is_none() && (!window.last || rest.is_empty()) {
                return Some(ended(window));
            }
            let field = &rest[..length];
            let is_end = begins_row && field.trim_ascii_end() == b"\\.";
            *cursor += length + usize::from(found.is_some());
            begins_row = found.is_none_or(|at| rest[at] == b'\n');
            self.state = if is_end {
                State::Marks
            } else {
                State::Copy(begins_row)
            };
            if is_end {
                return None;
            }
            let is_null = field == b"\\N";
            if !is_null && may_hold_link(field, window.charset) {
                let access = if self.dialect.trusts_rows() {
                    Access::Rewrite
                } else {
                    Access::List
                };
                return Some(slot(start..start + length, Escaping::SqlCopy, access));
            }
        }
    }

    fn skip_field(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let rest = &window.bytes[*cursor..];
        match memchr::memchr2(b'\t', b'\n', rest) {
            Some(at) => {
                *cursor += at + 1;
                self.state = State::Copy(rest[at] == b'\n');
                None
            }
            None => {
                *cursor = window.bytes.len();
                Some(ended(window))
            }
        }
    }
}

/// The code behind a literal, as far as it continues the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behind {
    /// Another literal, with which this one is a single value.
    Literal,
    /// An operator or a function that joins the value to another one.
    Join,
    Other,
}

/// The code behind a literal; `None` if a longer window tells.
fn behind_literal(window: Window<'_>, behind: usize) -> Option<Behind> {
    /// The most bytes behind a literal that are looked at.
    const MOST: usize = 256;
    let rest = &window.bytes[behind..];
    if let [first, _, ..] = rest
        && matches!(first, b',' | b';')
    {
        return Some(Behind::Other);
    }
    if rest.len() < MOST && !window.last {
        return None;
    }
    let mut near = behind_blank(&rest[..rest.len().min(MOST)]);
    if let [b'\'' | b'"', ..] = near {
        return Some(Behind::Literal);
    }
    loop {
        near = behind_blank(match near {
            [b'|', b'|', ..] | [b'+', ..] => return Some(Behind::Join),
            [b')', rest @ ..] => rest,
            [b':', b':', rest @ ..] => behind_type(rest),
            _ => match Word::of(&near[..word_length(near)]) {
                Word::As | Word::Collate => behind_type(&near[word_length(near)..]),
                _ => return Some(Behind::Other),
            },
        });
    }
}

/// The code behind white space and comments. A comment that does not end is code.
fn behind_blank(code: &[u8]) -> &[u8] {
    let mut code = code.trim_ascii_start();
    loop {
        let end = match code {
            // Code for MySQL or MariaDB.
            [b'/', b'*', b'!', ..] | [b'/', b'*', b'M', b'!', ..] => None,
            [b'/', b'*', rest @ ..] => memchr::memmem::find(rest, b"*/").map(|at| at + 4),
            [b'-', b'-', ..] | [b'#', ..] => memchr::memchr(b'\n', code),
            _ => None,
        };
        match end {
            Some(end) => code = code[end..].trim_ascii_start(),
            None => return code,
        }
    }
}

/// The code behind the name of a type or a collation, as `varchar(20)`, `character varying`, `pg_catalog."C"` and
/// `text[]`.
fn behind_type(code: &[u8]) -> &[u8] {
    let mut code = behind_blank(code);
    loop {
        code = behind_arguments(behind_name(code));
        code = match code {
            [b'.', rest @ ..] => rest,
            [b'[', rest @ ..] => match memchr::memchr(b']', rest) {
                Some(end) => return &rest[end + 1..],
                None => return code,
            },
            _ => {
                let next = code.trim_ascii_start();
                // The second word of a type.
                let goes_on = [
                    &b"varying"[..],
                    b"large",
                    b"object",
                    b"precision",
                    b"character",
                    b"set",
                ];
                let word = &next[..word_length(next)];
                if !goes_on.iter().any(|name| word.eq_ignore_ascii_case(name)) {
                    return code;
                }
                next
            }
        };
    }
}

/// The code behind a name, which may have quotation marks.
fn behind_name(code: &[u8]) -> &[u8] {
    let code = code.trim_ascii_start();
    match code {
        [quote @ (b'"' | b'`'), rest @ ..] => match memchr::memchr(*quote, rest) {
            Some(end) => &rest[end + 1..],
            None => code,
        },
        _ => &code[word_length(code)..],
    }
}

/// The code behind the numbers of a type: `(20)`.
fn behind_arguments(code: &[u8]) -> &[u8] {
    let Some(inside) = code.strip_prefix(b"(") else {
        return code;
    };
    let is_part = |byte: &u8| byte.is_ascii_digit() || b", ".contains(byte);
    let length = inside.iter().position(|byte| !is_part(byte));
    let behind = &inside[length.unwrap_or(inside.len())..];
    behind.strip_prefix(b")").unwrap_or(code)
}

/// The answer at the end of a window.
pub(crate) fn ended(window: Window<'_>) -> Step {
    if window.last {
        Step::End
    } else {
        Step::NeedMore
    }
}

/// A string of data.
pub(crate) fn slot(range: Range<usize>, escaping: Escaping, access: Access) -> Step {
    Step::Slot(Slot {
        range,
        escaping,
        syntax: Syntax::Data,
        place: SharedPlace::TEXT,
        access,
        run: Run::WHOLE,
    })
}

/// The bytes at which marks begin: quotation marks, comments, words, ends of statements.
const MARKS: [bool; 256] = {
    let mut marks = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let ch = byte as u8;
        marks[byte] = matches!(
            ch,
            b'\'' | b'"' | b'`' | b'-' | b'/' | b'#' | b'$' | b';' | b'_'
        ) || ch.is_ascii_alphanumeric();
        byte += 1;
    }
    marks
};

/// The length of the word at the beginning of bytes.
fn word_length(bytes: &[u8]) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
    let length = bytes.iter().position(|byte| !is_part(byte));
    length.unwrap_or(bytes.len())
}

impl Tokenizer for SqlTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        *cursor = (*cursor).min(window.bytes.len());
        loop {
            let step = match std::mem::replace(&mut self.state, State::Marks) {
                State::Marks => self.marks(window, cursor),
                State::Literal(literal, read) => self.literal(literal, read, window, cursor),
                State::Skipping(literal) => self.skip(literal, window, cursor),
                State::Text(mut text) => {
                    let step = text.step(window, cursor);
                    if step.is_some() {
                        self.state = State::Text(text);
                    }
                    step
                }
                State::Copy(begins_row) => self.copy(begins_row, window, cursor),
                State::SkippingField => {
                    self.state = State::SkippingField;
                    self.skip_field(window, cursor)
                }
            };
            if let Some(step) = step {
                return step;
            }
        }
    }

    fn is_malformed(&self) -> bool {
        matches!(&self.state, State::Text(text) if text.is_malformed())
    }
}

impl Literal {
    /// The escaping of the inside, and access to its links; `None` where no links are read.
    fn reading(&self, raw: &[u8], behind: Behind) -> Option<(Escaping, Access)> {
        let (escaping, is_trusted) = match self {
            Literal::Name(_) => return None,
            Literal::Dollar(_) => (Escaping::SqlDollar, behind != Behind::Join),
            Literal::Quoted {
                quote,
                backslash,
                trust,
                repertoire,
                goes_on_before,
            } => {
                let style = SqlStyle {
                    repertoire: *repertoire,
                    goes_on_before: *goes_on_before,
                    goes_on_behind: behind == Behind::Join,
                    ..SqlStyle::new(*quote, *backslash)
                };
                let is_trusted = match trust {
                    Trust::Written => true,
                    Trust::Ascii => raw.is_ascii(),
                    Trust::WithoutBackslash => memchr::memchr(b'\\', raw).is_none(),
                    Trust::Listed => false,
                };
                (
                    Escaping::SqlString(style),
                    is_trusted && behind != Behind::Literal,
                )
            }
        };
        let access = if is_trusted {
            Access::Rewrite
        } else {
            Access::List
        };
        Some((escaping, access))
    }
}
