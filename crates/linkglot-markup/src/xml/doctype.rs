//! The document type declaration and its internal subset (XML section 2.8). System identifiers are listed, entities are
//! noted, and nothing is fetched.

use super::content;
use super::names::PrefixId;
use super::tag::{View, name_end, skip_space};
use super::{Input, Mode, Terminator, Turn, XmlTokenizer, whole};
use crate::escape::Escaping;
use crate::slot::{Access, Name, Place, PlaceKind, Slot, Syntax};
use crate::vocabulary::NamespaceId;
use linkglot_charset::ascii::is_space;
use std::ops::Range;

/// The beginning of a document type declaration, up to `[` or `>`.
struct Head {
    end: usize,
    subset: bool,
    system: Option<Range<usize>>,
    public: Option<Range<usize>>,
}

const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// External subsets that are known by public identifier, without being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum External {
    /// The entities of HTML, and the namespace of `html` (XHTML 1.0, appendix A; XHTML Modularization 2.2).
    Xhtml,
    /// The entities of HTML.
    MathMl,
    /// The namespace of `svg`, and the prefix `xlink` (SVG 1.1, appendix A).
    Svg,
    Unknown,
}

impl External {
    /// The external subset of a public identifier, in which a run of white space equals one space (XML 4.2.2).
    fn of(public: &str) -> External {
        let words: Vec<&str> = public.split_ascii_whitespace().collect();
        let public = words.join(" ");
        let begins = |begin: &str| public.starts_with(begin);
        match () {
            _ if begins("-//W3C//DTD XHTML") || begins("-//WAPFORUM//DTD XHTML") => External::Xhtml,
            _ if begins("-//W3C//DTD MathML") => External::MathMl,
            _ if begins("-//W3C//DTD SVG") => External::Svg,
            _ => External::Unknown,
        }
    }
}

/// The construct continues behind the bytes at hand.
struct Cut;

impl XmlTokenizer {
    /// Reads the `<!DOCTYPE` at the cursor.
    pub(super) fn doctype(&mut self, input: Input<'_>) -> Turn {
        let (limited, cut) = input.limited(self.limit);
        let Ok(head) = head(limited) else {
            return if cut {
                self.pass_over(Terminator::Greater, 9)
            } else {
                Turn::More
            };
        };
        if let Some(public) = head.public {
            let public = input.charset.decode(input.slice(public));
            self.declare_defaults(External::of(&public));
        }
        self.in_subset = head.subset;
        self.mode = self.between();
        let slot = head.system.and_then(|system| system_slot(system, "SYSTEM"));
        match slot {
            Some(slot) => Turn::Slot(slot, head.end),
            None => Turn::Go(head.end),
        }
    }

    /// Declares the entities and namespaces of the external subset that links depend on.
    fn declare_defaults(&mut self, external: External) {
        if external != External::Svg && external != External::Unknown {
            self.entities.declare_html();
        }
        let element = match external {
            External::Xhtml => NamespaceId::XHTML,
            External::Svg => self.namespaces.number(&self.vocabulary, SVG),
            External::MathMl | External::Unknown => return,
        };
        self.scope.bind(PrefixId::NONE, element);
        if external == External::Svg {
            self.declare_xlink();
        }
    }

    fn declare_xlink(&mut self) {
        let xlink = self.namespaces.number(&self.vocabulary, XLINK);
        let prefix = self.prefixes.declare(b"xlink");
        self.scope.bind(prefix, xlink);
    }

    pub(super) fn subset(&mut self, input: Input<'_>) -> Turn {
        let found = memchr::memchr2_iter(b'<', b']', input.bytes)
            .find(|&at| input.byte(at) == Some(b'<') || input.charset.is_char_at(input.bytes, at));
        match found {
            Some(0) => self.in_subset(input),
            Some(at) => Turn::Go(at),
            None => match input.boundary(input.bytes.len()) {
                0 => Turn::More,
                passed => Turn::Go(passed),
            },
        }
    }

    /// Reads the `]` or `<` at the cursor.
    fn in_subset(&mut self, input: Input<'_>) -> Turn {
        match (input.byte(0), input.byte(1)) {
            (Some(b']'), _) => {
                self.in_subset = false;
                self.pass_over(Terminator::Greater, 1)
            }
            (_, None) => Turn::More,
            (_, Some(b'?')) => self.pass_over(Terminator::Instruction, 2),
            (_, Some(b'!')) if input.bytes.starts_with(b"<!--") => {
                self.pass_over(Terminator::Comment, 4)
            }
            (_, Some(b'!')) if b"<!--".starts_with(input.bytes) && !input.last => Turn::More,
            (_, Some(b'!')) => self.subset_declaration(input),
            // An unclosed subset: the document begins here.
            (_, Some(_)) => {
                self.in_subset = false;
                self.mode = Mode::Content;
                Turn::Go(0)
            }
        }
    }

    /// Reads the `<!` and the keyword at the cursor.
    fn subset_declaration(&mut self, input: Input<'_>) -> Turn {
        let (limited, cut) = input.limited(self.limit);
        let end = match declaration_end(limited) {
            Ok(end) => end,
            Err(Cut) if cut || input.last => return self.pass_over(Terminator::Greater, 2),
            Err(Cut) => return Turn::More,
        };
        let view = View {
            bytes: input.slice(0..end),
            last: true,
        };
        let slot = if view.bytes.starts_with(b"<!ENTITY") {
            self.entity(input, view, 8)
        } else if view.bytes.starts_with(b"<!NOTATION") {
            let (name, rest) = word(view, 10);
            let system = external(view, rest);
            system.and_then(|system| system_slot(system, &input.charset.decode(name)))
        } else {
            None
        };
        match slot {
            Some(slot) => Turn::Slot(slot, end),
            None => Turn::Go(end),
        }
    }

    /// An entity declaration (XML section 4.2). Parameter entities are listed, but not expanded.
    fn entity(&mut self, input: Input<'_>, view: View<'_>, from: usize) -> Option<Slot> {
        let (mut name, mut rest) = word(view, from);
        let parameter = name == b"%";
        if parameter {
            (name, rest) = word(view, rest);
        }
        let name = input.charset.decode(name);
        let begin = skip_space(view, rest);
        let Some(value) = literal(view, begin) else {
            if !parameter {
                self.entities.declare(&name, None);
            }
            return system_slot(external(view, rest)?, &name);
        };
        let raw = view.bytes.get(value.clone()).unwrap_or_default();
        if !parameter {
            let text = input.charset.decode(raw);
            self.entities.declare(&name, Some(&text));
        }
        let content = Input {
            bytes: raw,
            last: true,
            charset: input.charset,
        };
        let absolute = content::may_be_absolute(content) == Some(true);
        (absolute && !raw.trim_ascii().iter().any(|&byte| is_space(byte))).then(|| {
            let place = place(&name);
            whole(
                value,
                (Escaping::XmlText, Syntax::AbsoluteOnly),
                place,
                Access::Identifier,
            )
        })
    }
}

fn place(name: &str) -> Place {
    let name = (!name.is_empty()).then(|| Name::from(name));
    Place::new(PlaceKind::Doctype, None, name)
}

/// The slot of a system identifier, which has no escapes (XML section 4.2.2).
fn system_slot(range: Range<usize>, name: &str) -> Option<Slot> {
    let syntax = (Escaping::None, Syntax::Single);
    (!range.is_empty()).then(|| whole(range, syntax, place(name), Access::Identifier))
}

/// The quoted literal whose quote stands at `at`.
fn literal(view: View<'_>, at: usize) -> Option<Range<usize>> {
    let quote = view.byte(at).filter(|byte| matches!(byte, b'"' | b'\''))?;
    let start = at + 1;
    let len = memchr::memchr(quote, view.rest(start))?;
    Some(start..start + len)
}

/// The word behind white space from `from` on, and its end.
fn word<'w>(view: View<'w>, from: usize) -> (&'w [u8], usize) {
    let start = skip_space(view, from);
    let end = name_end(view, start);
    (view.bytes.get(start..end).unwrap_or_default(), end)
}

/// The system identifier of an external identifier (XML section 4.2.2).
fn external(view: View<'_>, from: usize) -> Option<Range<usize>> {
    let (keyword, end) = word(view, from);
    let first = literal(view, skip_space(view, end))?;
    match keyword {
        b"SYSTEM" => Some(first),
        b"PUBLIC" => literal(view, skip_space(view, first.end + 1)),
        _ => None,
    }
}

fn head(input: Input<'_>) -> Result<Head, Cut> {
    let view = View {
        bytes: input.bytes,
        last: input.last,
    };
    let mut at = 9;
    let (mut keyword, mut literals) = (&b""[..], Vec::new());
    loop {
        at = skip_space(view, at);
        match view.byte(at) {
            None => return ended(input, at),
            Some(end @ (b'>' | b'[')) => {
                return Ok(Head {
                    end: at + 1,
                    subset: end == b'[',
                    system: system(keyword, &literals),
                    public: literals.first().filter(|_| keyword == b"PUBLIC").cloned(),
                });
            }
            Some(b'<') => return ended_before(at),
            Some(b'"' | b'\'') => match literal(view, at) {
                Some(range) => {
                    at = range.end + 1;
                    // Only the first two literals have a meaning.
                    if literals.len() < 2 {
                        literals.push(range);
                    }
                }
                None => return ended(input, view.bytes.len()),
            },
            Some(_) => {
                let end = head_word(input, view, at);
                let word = view.bytes.get(at..end).unwrap_or_default();
                if matches!(word, b"SYSTEM" | b"PUBLIC") {
                    keyword = word;
                }
                at = end;
            }
        }
    }
}

/// The end of a word in a declaration's head. A `[` also ends the word, unless it is the second half of a character.
fn head_word(input: Input<'_>, view: View<'_>, from: usize) -> usize {
    let end = name_end(view, from).max(from + 1);
    let word = view.bytes.get(from..end).unwrap_or_default();
    let behind = input.bytes.get(from..).unwrap_or_default();
    let bracket = memchr::memchr_iter(b'[', word).find(|&at| input.charset.is_char_at(behind, at));
    bracket.map_or(end, |at| from + at)
}

fn system(keyword: &[u8], literals: &[Range<usize>]) -> Option<Range<usize>> {
    let index = match keyword {
        b"SYSTEM" => 0,
        b"PUBLIC" => 1,
        _ => return None,
    };
    literals.get(index).cloned()
}

fn ended(input: Input<'_>, at: usize) -> Result<Head, Cut> {
    if input.last {
        ended_before(at)
    } else {
        Err(Cut)
    }
}

fn ended_before(end: usize) -> Result<Head, Cut> {
    Ok(Head {
        end,
        subset: false,
        system: None,
        public: None,
    })
}

/// The end of a declaration in the subset: a `>` outside quotes.
fn declaration_end(input: Input<'_>) -> Result<usize, Cut> {
    let mut at = 2;
    loop {
        let rest = input.bytes.get(at..).ok_or(Cut)?;
        let stop = at + memchr::memchr3(b'>', b'"', b'\'', rest).ok_or(Cut)?;
        let Some(quote @ (b'"' | b'\'')) = input.byte(stop) else {
            return Ok(stop + 1);
        };
        let inner = input.bytes.get(stop + 1..).ok_or(Cut)?;
        at = stop + 2 + memchr::memchr(quote, inner).ok_or(Cut)?;
    }
}
