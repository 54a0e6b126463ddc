//! Directives of formats (`%s`) in the text around links. A program that fills them in reads a new percent sign of a
//! link as another directive.

use super::WindowLink;
use crate::markup::{Escapes, Escaping};
use std::ops::Range;

/// The percent signs that count as directives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grammar {
    /// All signs: the value is the format of a function.
    Format,
    /// Signs of programs: all that are no percent-encoding, and that some language may read. A space may stand behind
    /// the sign (`% d`), and where the string goes on, the end of the string (`"%" PRIu64`).
    Code { goes_on: bool },
    /// Signs of data, which may also be prose ("100% of"): `%s`, `%1$s`, `%-5.2f`, `%(name)s`, `%@`, `%%`.
    Data,
}

/// The longest data that may be a message with directives: longer values are documents.
const LONGEST_MESSAGE: usize = 4096;

/// The most bytes of a directive.
const LONGEST_DIRECTIVE: usize = 64;

/// Marks the links of a raw value that stand beside directives. Positions of the links count from the start of `raw`.
pub(super) fn mark(escaping: Escaping, raw: &[u8], links: &mut [WindowLink<'_>]) {
    let grammar = Grammar::of(escaping);
    let (Some(grammar), false) = (grammar, links.is_empty()) else {
        return;
    };
    let directives = grammar.directives(raw);
    if directives.is_none() && grammar != Grammar::Format {
        return;
    }
    for link in links {
        let is_beside = directives.is_some_and(|directives| is_beside(directives, &link.range));
        if is_beside || grammar == Grammar::Format {
            link.context.to_mut().is_in_format = true;
        }
    }
}

/// True if a string of data has a directive outside of a link in it.
pub(crate) fn has_directives_beside(string: &[u8], link: &Range<usize>) -> bool {
    let directives = Grammar::Data.directives(string);
    directives.is_some_and(|directives| is_beside(directives, link))
}

/// True if the first or the last directive stands outside of a link.
fn is_beside((first, last): (usize, usize), link: &Range<usize>) -> bool {
    first < link.start || last >= link.end
}

impl Grammar {
    /// The grammar of the values with an escaping; `None` if they are no formats.
    fn of(escaping: Escaping) -> Option<Self> {
        match escaping {
            Escaping::Literal(style) if style.is_format => Some(Grammar::Format),
            Escaping::Literal(style) => match style.escapes {
                // Their flag tells whether they are formats, and the escapes know it.
                Escapes::GettextFormat | Escapes::GettextText => None,
                Escapes::Toml
                | Escapes::Raw
                | Escapes::Yaml
                | Escapes::Gettext
                | Escapes::GettextKey
                | Escapes::Properties => Some(Grammar::Data),
                _ => Some(Grammar::Code {
                    goes_on: style.goes_on_behind,
                }),
            },
            Escaping::JsonString(_)
            | Escaping::Yaml(_)
            | Escaping::XmlText
            | Escaping::XmlCdata => Some(Grammar::Data),
            _ => None,
        }
    }

    /// The first and the last directive.
    fn directives(self, raw: &[u8]) -> Option<(usize, usize)> {
        let is_long = self == Grammar::Data && raw.len() > LONGEST_MESSAGE;
        let signs = memchr::memchr_iter(b'%', if is_long { b"" } else { raw });
        let mut directives = signs.filter(|at| self.has_directive(raw, *at));
        let first = directives.next()?;
        Some((first, directives.next_back().unwrap_or(first)))
    }

    /// True if the percent sign at a position begins a directive.
    fn has_directive(self, raw: &[u8], at: usize) -> bool {
        let behind = &raw[at + 1..raw.len().min(at + LONGEST_DIRECTIVE)];
        let is_octet =
            matches!(behind, [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
        match self {
            Grammar::Format => true,
            // A width may look like an octet (`%5d`), but no percent-encoding begins a word.
            Grammar::Code { .. } if is_octet => begins_word(&raw[..at]),
            Grammar::Code { goes_on } => may_be_directive(behind).unwrap_or(goes_on),
            Grammar::Data => {
                let is_share = raw[..at].last().is_some_and(u8::is_ascii_digit);
                !is_octet && is_conversion(behind, is_share)
            }
        }
    }
}

/// True if a directive of some language may stand behind a percent sign: a letter, a name or another sign behind flags.
/// `None` if the string ends before that is known.
fn may_be_directive(behind: &[u8]) -> Option<bool> {
    let flags = behind.iter().enumerate().take_while(|(at, flag)| {
        // A padding of PHP: `%'05d`.
        let is_padding = || behind.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
        b" 0123456789$+-#.,*".contains(flag) || **flag == b'\'' && is_padding()
    });
    let next = behind.get(flags.count())?;
    Some(next.is_ascii_alphabetic() || b"%@({".contains(next))
}

/// True if a word begins behind these bytes, which may end with an escape (`\n`).
fn begins_word(before: &[u8]) -> bool {
    let is_gap = |byte: u8| byte.is_ascii_whitespace() || b"\"'`([{<>|,".contains(&byte);
    match before {
        [] | [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., last] => is_gap(*last),
    }
}

/// True if a conversion stands behind a percent sign, after its flags, width and precision. Behind a digit the sign
/// stands for itself as a rule (`100%`), unless it is doubled.
fn is_conversion(behind: &[u8], is_share: bool) -> bool {
    let (rest, is_named) = match behind {
        [b'%', ..] => return true,
        [b'(', name @ ..] => match memchr::memchr(b')', name) {
            Some(end) => (&name[end + 1..], true),
            None => return false,
        },
        _ => (behind, false),
    };
    let is_part = |byte: &u8| b"0123456789$+-#.*'".contains(byte);
    let parts = rest.iter().take_while(|byte| is_part(byte)).count();
    let sizes = rest[parts..]
        .iter()
        .take_while(|byte| b"hlLqjzt".contains(byte));
    let conversion = rest.get(parts + sizes.count());
    let is_sure = is_named || rest[..parts].contains(&b'$') || !is_share;
    is_sure && conversion.is_some_and(|byte| b"sdiufgexXcn@".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_by_grammar() {
        for (raw, code, data) in [
            ("%s a", true, true),
            ("a %1$s", true, true),
            ("%-5.2f", true, true),
            ("%(a)s", true, true),
            ("%(a)r", true, false),
            ("%@", true, true),
            ("%lld", true, true),
            ("%%", true, true),
            ("100%%", true, true),
            ("%v", true, false),
            ("% d", true, false),
            ("%5d", true, false),
            ("\\n%08x", true, false),
            ("100% of", true, false),
            ("100%", true, false),
            ("100%;", false, false),
            ("='100%' a", false, false),
            ("=\"100%\">", false, false),
            ("%'05d", true, true),
            ("20%de", false, false),
            ("/%20d", false, false),
            ("a%C3%A9", false, false),
        ] {
            let at = raw.find('%').expect("a sign");
            let found = [Grammar::Code { goes_on: true }, Grammar::Data]
                .map(|it| it.has_directive(raw.as_bytes(), at));
            assert_eq!(found, [code, data], "{raw}");
        }
    }
}
