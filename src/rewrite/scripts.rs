//! Reasons to leave links in programs and settings that are read as running text: passes of
//! [`passes`](super::passes). No grammar is known there but that of lines and quotation marks.

use super::plan::{Asked, Planner};
use super::refuse::percents;
use crate::format::Format;
use crate::link::{Dialect, has_directives_beside};
use crate::markup::{Escaping, Syntax};
use crate::notes::Note;
use std::ops::Range;

/// The most bytes on either side of a link that are looked at.
const NEAR: usize = 512;

/// The line around a link, at most [`NEAR`] bytes on either side, and the link in it.
struct Line<'w> {
    bytes: &'w [u8],
    link: Range<usize>,
}

/// A string in a line.
struct Quoted {
    quote: u8,
    /// The inside of the string.
    range: Range<usize>,
}

/// True if a link is in running text of a document.
fn is_text(planner: &Planner<'_>, asked: &Asked<'_, '_, '_>) -> bool {
    let slot = &asked.read.slot;
    planner.format == Format::Text && (slot.syntax, slot.escaping) == (Syntax::Text, Escaping::None)
}

/// A percent sign in a format, or in a line of a server in which it has a meaning.
pub(super) fn in_format(planner: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    if !is_text(planner, asked) {
        return None;
    }
    let (new, old) = (percents(asked.new), percents(asked.found.text.text()));
    if new == old {
        return None;
    }
    let line = Line::around(planner, asked)?;
    let is_format =
        line.is_of_printf() || line.quoted().is_some_and(|quoted| line.is_format(&quoted));
    let is_server = new > old && line.has_variables();
    (is_format || is_server).then_some(Note::LeftTemplate)
}

/// The marks with a meaning for the readers of a script.
#[derive(Clone, Copy)]
struct Marks {
    /// True for those outside of quotation marks.
    is_bare: fn(char) -> bool,
    in_single: &'static str,
    in_double: &'static str,
}

impl Marks {
    const SCRIPT: Marks = Marks {
        is_bare: |ch| "#&;'\"\\$`|()<>@".contains(ch),
        in_single: "'\\",
        in_double: "\"\\$`@",
    };
    const MAKEFILE: Marks = Marks {
        is_bare: |ch| "#&;'\"\\$`|()<>".contains(ch),
        in_single: "#&;'\"\\$`|()<>",
        in_double: "#&;'\"\\$`|()<>",
    };
    const AT_SIGNS: Marks = Marks {
        is_bare: |ch| ch == '@',
        in_single: "@",
        in_double: "@",
    };

    /// The marks of a dialect; `None` if no mark of its text has a meaning.
    fn of(dialect: Dialect) -> Option<Self> {
        match dialect {
            Dialect::Script | Dialect::Percents => Some(Marks::SCRIPT),
            Dialect::PowerShell => Some(Marks {
                is_bare: |ch| "#&;'\"\\$`|()<>@,{}".contains(ch),
                ..Marks::SCRIPT
            }),
            // The parser of PHP ends a value at some of these, and refuses the file for others. Git's takes `#` for the
            // beginning of a comment.
            Dialect::Ini => Some(Marks {
                is_bare: |ch| "#&;'\"\\$`|()~!={}^".contains(ch),
                in_single: "'\\",
                in_double: "\"\\$",
            }),
            // The alphabet of literals that are URIs, but for the apostrophe: two of them end a string.
            Dialect::Nix => Some(Marks {
                is_bare: |ch| !(ch.is_ascii_alphanumeric() || "%/?:@&=+$,-_.!~*".contains(ch)),
                in_single: "'",
                in_double: "\"\\$",
            }),
            Dialect::Makefile => Some(Marks::MAKEFILE),
            Dialect::AtSigns => Some(Marks::AT_SIGNS),
            _ => None,
        }
    }
}

/// A mark that ends or changes a word of the script, and that the old link does not have.
pub(super) fn marks(planner: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    let marks = Marks::of(planner.dialect);
    let behind = asked.read.window.bytes.get(asked.found.range.end);
    if marks.is_none() && behind != Some(&b';') || !is_text(planner, asked) {
        return None;
    }
    let old = asked.found.text.text();
    let is_new = |ch: char| !ch.is_ascii_alphanumeric() && !old.contains(ch);
    if !asked.new.contains(is_new) {
        return None;
    }
    let line = Line::around(planner, asked)?;
    let has = |marks: &str| asked.new.contains(|ch| is_new(ch) && marks.contains(ch));
    let is_mark = marks.is_some_and(|marks| match line.quote(planner.dialect) {
        Some(b'\'') => has(marks.in_single),
        Some(b'"') => has(marks.in_double) || has("#") && asked.new.contains("#{"),
        _ => asked.new.contains(|ch| is_new(ch) && (marks.is_bare)(ch)),
    });
    // The semicolon ends a statement: `return 301 http://a.example/;`
    let ends_statement = has(";") && behind == Some(&b';');
    (is_mark || ends_statement).then_some(Note::LeftUnencodable)
}

/// A link that may go on in the next line, whose first blank is none of the text.
pub(super) fn folded(planner: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    if planner.dialect != Dialect::Folded || !is_text(planner, asked) {
        return None;
    }
    let behind = &asked.read.window.bytes[asked.found.range.end..];
    let next = behind.strip_prefix(b"\r").unwrap_or(behind);
    let next = next.strip_prefix(b"\n")?;
    let digits = next.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let goes_on = match digits {
        0 => next.starts_with(b" "),
        // `2 CONC` of GEDCOM.
        digits => next[digits..].starts_with(b" CONC"),
    };
    goes_on.then_some(Note::LeftTemplate)
}

/// A key of Apple's `.strings`: `"key" = "value";`.
pub(super) fn key(planner: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    if planner.dialect != Dialect::Strings || !planner.keeps_keys {
        return None;
    }
    let line = Line::around(planner, asked)?;
    let quoted = line.quoted()?;
    let behind = line.bytes.get(quoted.range.end + 1..).unwrap_or_default();
    let is_key = behind.trim_ascii_start().starts_with(b"=");
    is_key.then_some(Note::LeftKey)
}

impl<'w> Line<'w> {
    /// The line around a link in running text of a document; `None` for other documents.
    fn around(planner: &Planner<'_>, asked: &Asked<'_, 'w, '_>) -> Option<Self> {
        if !is_text(planner, asked) {
            return None;
        }
        let bytes = asked.read.window.bytes;
        let Range { start, end } = asked.found.range.clone();
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let before = &bytes[start.saturating_sub(NEAR)..start];
        let length = before.iter().rev().position(is_end);
        let from = start - length.unwrap_or(before.len());
        let behind = &bytes[end..bytes.len().min(end + NEAR)];
        let to = end + behind.iter().position(is_end).unwrap_or(behind.len());
        Some(Line {
            bytes: &bytes[from..to],
            link: start - from..end - from,
        })
    }

    /// The quotation mark of the string around the link, if that is sure.
    fn quote(&self, dialect: Dialect) -> Option<u8> {
        match dialect {
            // Names may end with apostrophes (`foldl'`), and two of these begin a string.
            Dialect::Nix => {
                let quoted = self.quoted().map(|quoted| quoted.quote);
                quoted.filter(|quote| *quote == b'"')
            }
            _ => self.enclosing_quote(),
        }
    }

    /// The quotation mark on both sides of the link.
    fn enclosing_quote(&self) -> Option<u8> {
        let before = self.bytes[..self.link.start].last()?;
        let behind = self.bytes.get(self.link.end)?;
        (before == behind && b"\"'`".contains(before)).then_some(*before)
    }

    /// The string around the link: a quotation mark that is open in front of the link, up to the next one of its kind.
    fn quoted(&self) -> Option<Quoted> {
        let (mut open, mut at) = (None, 0);
        while at < self.link.start {
            match (self.bytes[at], open) {
                (b'\\', _) => at += 1,
                (byte, Some((quote, _))) if byte == quote => open = None,
                (byte @ (b'"' | b'\'' | b'`'), None) => open = Some((byte, at + 1)),
                _ => {}
            }
            at += 1;
        }
        let (quote, start) = open?;
        let mut end = self.link.end;
        while self.bytes.get(end).is_some_and(|byte| *byte != quote) {
            end += 1 + usize::from(self.bytes[end] == b'\\');
        }
        let range = start..end.min(self.bytes.len());
        Some(Quoted { quote, range })
    }

    /// True if the link is in the first string, or word, behind `printf` and perhaps options and a file.
    fn is_of_printf(&self) -> bool {
        let before = &self.bytes[..self.link.start];
        let Some(at) = memchr::memmem::rfind(before, b"printf") else {
            return false;
        };
        let quotes = before[at..].iter().filter(|byte| b"\"'".contains(byte));
        quotes.count() <= 1
    }

    /// True if a program reads a string as a format: the string has directives, or is the first argument of `format`.
    fn is_format(&self, quoted: &Quoted) -> bool {
        let Range { start, end } = quoted.range.clone();
        let link = self.link.start - start..self.link.end - start;
        let before = self.bytes[..start - 1].trim_ascii_end();
        let before = before.strip_suffix(b"(").unwrap_or(before).trim_ascii_end();
        before.ends_with(b"format") && quoted.quote != b'`'
            || has_directives_beside(&self.bytes[start..end], &link)
    }

    /// True for a directive of Apache in which a percent sign begins a variable or a reference.
    fn has_variables(&self) -> bool {
        const NAMES: [&[u8]; 4] = [b"RewriteRule", b"RewriteCond", b"Header", b"RequestHeader"];
        let line = self.bytes.trim_ascii_start();
        let length = line.iter().position(u8::is_ascii_whitespace);
        let name = &line[..length.unwrap_or(line.len())];
        NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
    }
}
