//! The part of a document around a position: a label for reports, from the marks of comments and tags alone.

use crate::charset::simd::blocks::InstructionSet;
use crate::charset::simd::pairs::{Pair, next_pair};
use crate::format::Format;
use crate::markup::{TEX_VERBATIM, begins_php};
use crate::rewrite::mention::MentionPlace;
use memchr::memmem;

/// The state of a walk through a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    format: Format,
    place: MentionPlace,
    /// The element behind the tag, if its content is no markup.
    raw: Option<MentionPlace>,
    /// True at the start of a line, for formats whose comments are lines.
    begins_line: bool,
    /// True in a block of comments.
    in_block: bool,
    verbatim: Verbatim,
    /// True in code of PHP.
    is_php: bool,
}

/// The end of verbatim text of TeX.
#[derive(Clone, Copy, Debug)]
enum Verbatim {
    Environment(&'static [u8]),
    /// This byte, or the end of the line.
    Mark(u8),
}

impl Region {
    /// The start of a document.
    pub fn new(format: Format) -> Self {
        Region {
            format,
            place: match format {
                Format::Css => MentionPlace::Style,
                _ => MentionPlace::Text,
            },
            raw: None,
            begins_line: true,
            in_block: false,
            verbatim: Verbatim::Mark(b'\n'),
            is_php: false,
        }
    }

    /// A field of a header.
    pub fn of_field(place: MentionPlace) -> Self {
        Region {
            place,
            ..Region::new(Format::Text)
        }
    }

    pub fn place(self) -> MentionPlace {
        self.place
    }

    /// Goes on to the end of a text that does not end within a mark.
    pub fn advance(&mut self, text: &[u8]) {
        if matches!(self.format, Format::AsciiDoc | Format::Org) {
            for line in text.split_inclusive(|byte| *byte == b'\n') {
                self.advance_line(line);
            }
            return;
        }
        let mut at = 0;
        while let Some(len) = self.step(&text[at..]) {
            at += len;
        }
    }

    /// Goes to the end of a part of a line.
    fn advance_line(&mut self, part: &[u8]) {
        if self.begins_line {
            let own = part.trim_ascii();
            let begins = |mark: &[u8]| {
                let begin = own.get(..mark.len());
                begin.is_some_and(|begin| begin.eq_ignore_ascii_case(mark))
            };
            let is_doc = self.format == Format::AsciiDoc;
            let (opens, closes, is_comment) = if is_doc {
                let is_mark = own.len() >= 4 && own.iter().all(|byte| *byte == b'/');
                (is_mark, is_mark, begins(b"//") && !begins(b"///"))
            } else {
                (
                    begins(b"#+begin_comment"),
                    begins(b"#+end_comment"),
                    begins(b"# "),
                )
            };
            self.in_block = if self.in_block { !closes } else { opens };
            self.place = if self.in_block || is_comment {
                MentionPlace::Comment
            } else {
                MentionPlace::Text
            };
        }
        self.begins_line = part.ends_with(b"\n");
    }

    /// Goes behind the next mark; returns the number of bytes.
    fn step(&mut self, text: &[u8]) -> Option<usize> {
        let behind = |mark: &[u8]| Some(memmem::find(text, mark)? + mark.len());
        match (self.format, self.place) {
            (Format::Css, MentionPlace::Comment) => {
                let len = behind(b"*/")?;
                self.place = MentionPlace::Style;
                Some(len)
            }
            (Format::Css, _) => {
                let len = behind(b"/*")?;
                self.place = MentionPlace::Comment;
                Some(len)
            }
            (
                Format::Text
                | Format::Calendar
                | Format::VCard
                | Format::Json
                | Format::JsonLines
                | Format::Sql
                | Format::Csv
                | Format::Http
                | Format::JavaScript
                | Format::Php
                | Format::Python
                | Format::C
                | Format::Toml
                | Format::Yaml
                | Format::Gettext
                | Format::Rtf
                | Format::Properties
                | Format::AsciiDoc
                | Format::Org
                | Format::Textile,
                _,
            ) => None,
            (Format::Tex, MentionPlace::Verbatim) => {
                let len = match self.verbatim {
                    Verbatim::Environment(name) => behind(&[b"\\end{", name, b"}"].concat())?,
                    Verbatim::Mark(mark) => memchr::memchr2(mark, b'\n', text)? + 1,
                };
                self.place = MentionPlace::Text;
                Some(len)
            }
            (Format::Tex, _) => {
                let at = memchr::memchr2(b'\\', b'%', text)?;
                let rest = &text[at..];
                if rest[0] == b'%' {
                    return Some(at + memchr::memchr(b'\n', rest)?);
                }
                let Some((len, end)) = begin_verbatim(rest) else {
                    return Some(text.len().min(at + 2));
                };
                (self.place, self.verbatim) = (MentionPlace::Verbatim, end);
                Some(at + len)
            }
            (_, MentionPlace::Comment) => {
                let len = behind(b"-->")?;
                self.place = MentionPlace::Text;
                Some(len)
            }
            _ if self.is_php => {
                let len = behind(b"?>")?;
                self.is_php = false;
                Some(len)
            }
            (_, MentionPlace::Tag) => {
                let len = memchr::memchr(b'>', text)? + 1;
                let raw = self.raw.take();
                let is_empty = self.format == Format::Xml && text[..len].ends_with(b"/>");
                self.place = raw.filter(|_| !is_empty).unwrap_or(MentionPlace::Text);
                Some(len)
            }
            (_, MentionPlace::Script | MentionPlace::Style) => {
                let at = memchr::memchr(b'<', text)?;
                if self.closes_raw(&text[at..]) {
                    self.place = MentionPlace::Tag;
                }
                Some(at + 1)
            }
            _ => (!text.is_empty()).then(|| self.pass_tags(text)),
        }
    }

    /// Goes behind tags that say nothing about the text behind them, up to one that does, or to the end of the text.
    fn pass_tags(&mut self, text: &[u8]) -> usize {
        let mut from = 0;
        while let Some(at) = next_pair::<MayOpen>(text, from) {
            let Some(opened) = Opening::of(&text[at..]) else {
                from = at + 1;
                continue;
            };
            if is_in_tag(&text[..at]) {
                self.place = MentionPlace::Tag;
                return at;
            }
            match opened {
                Opening::Comment => self.place = MentionPlace::Comment,
                Opening::Php => self.is_php = true,
                Opening::Raw(raw) => {
                    (self.place, self.raw) = (MentionPlace::Tag, Some(raw));
                }
            }
            return at + opened.length();
        }
        if is_in_tag(text) {
            self.place = MentionPlace::Tag;
        }
        text.len()
    }

    /// True if a text begins with the end tag of the element around it, whose content is no markup.
    fn closes_raw(&self, text: &[u8]) -> bool {
        let name: &[u8] = match self.place {
            MentionPlace::Script => b"script",
            _ => b"style",
        };
        let tag = text.get(2..2 + name.len());
        text.starts_with(b"</") && tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name))
    }
}

/// The beginning of something behind which text is no markup.
#[derive(Clone, Copy)]
enum Opening {
    Comment,
    Php,
    /// The tag of an element whose content is of this place.
    Raw(MentionPlace),
}

impl Opening {
    /// The beginning at the `<` of a text.
    fn of(text: &[u8]) -> Option<Opening> {
        let begins = |name: &[u8]| {
            let tag = text.get(1..1 + name.len());
            let ends = || {
                text.get(1 + name.len())
                    .is_none_or(|next| next.is_ascii_whitespace() || matches!(next, b'>' | b'/'))
            };
            tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name)) && ends()
        };
        match text.get(1)? {
            b'!' => text.starts_with(b"<!--").then_some(Opening::Comment),
            b'?' => (begins_php(text) == Some(true)).then_some(Opening::Php),
            _ if begins(b"script") => Some(Opening::Raw(MentionPlace::Script)),
            _ if begins(b"style") => Some(Opening::Raw(MentionPlace::Style)),
            _ => None,
        }
    }

    /// The number of bytes to go on by.
    fn length(self) -> usize {
        match self {
            Opening::Comment => 4,
            Opening::Php => 2,
            Opening::Raw(_) => 1,
        }
    }
}

/// True if a text ends within a tag that begins in it, outside of comments and elements without markup.
fn is_in_tag(text: &[u8]) -> bool {
    let from = memchr::memrchr(b'>', text).map_or(0, |at| at + 1);
    let opens = |at: usize| {
        let next = text.get(from + at + 1);
        next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?'))
    };
    memchr::memchr_iter(b'<', &text[from..]).any(opens)
}

/// The first two bytes of a comment, of code of PHP, and of the tags of scripts and styles.
struct MayOpen;

impl Pair for MayOpen {
    #[inline(always)]
    fn marks<I: InstructionSet>(set: I, first: I::Bytes, second: I::Bytes) -> I::Mask {
        let is_mark = set.equal(second, b'!') | set.equal(second, b'?');
        let is_letter = set.equal(second, b's') | set.equal(second, b'S');
        set.equal(first, b'<') & (is_mark | is_letter)
    }

    fn is_marked(first: u8, second: u8) -> bool {
        first == b'<' && matches!(second, b'!' | b'?' | b's' | b'S')
    }
}

/// The most bytes of an event handler in front of a mention.
const LONGEST_HANDLER: usize = 1024;

/// True if a text in a tag ends within the value of an event handler: `onclick="..."`.
pub(super) fn ends_in_handler(text: &[u8]) -> bool {
    let text = &text[text.len().saturating_sub(LONGEST_HANDLER)..];
    let tag = memchr::memrchr(b'<', text).map_or(text, |at| &text[at..]);
    let begins = |at: &usize| {
        let is_name = tag[*at + 1..].get(..2);
        tag[*at].is_ascii_whitespace() && is_name.is_some_and(|on| on.eq_ignore_ascii_case(b"on"))
    };
    (0..tag.len()).filter(begins).any(|at| {
        let name = tag[at + 1..].iter();
        let length = name.take_while(|byte| byte.is_ascii_alphabetic()).count();
        let value = tag[at + 1 + length..].strip_prefix(b"=");
        matches!(value, Some([quote @ (b'"' | b'\''), rest @ ..]) if !rest.contains(quote))
    })
}

/// The length of the command at the beginning of a text that begins verbatim text, and the end of that.
fn begin_verbatim(text: &[u8]) -> Option<(usize, Verbatim)> {
    if let Some(name) = text.strip_prefix(b"\\begin{") {
        let is_name =
            |known: &&&[u8]| name.starts_with(known) && name.get(known.len()) == Some(&b'}');
        let known = TEX_VERBATIM.iter().find(is_name)?;
        let len = b"\\begin{}".len() + known.len();
        return Some((len, Verbatim::Environment(known)));
    }
    let names: [&[u8]; 3] = [b"\\verb", b"\\lstinline", b"\\mintinline"];
    let name = names.iter().find(|name| text.starts_with(name))?.len();
    let name = name + usize::from(text.get(name) == Some(&b'*'));
    let end = match *text.get(name)? {
        b'{' => b'}',
        mark if mark.is_ascii_punctuation() => mark,
        _ => return None,
    };
    Some((name + 1, Verbatim::Mark(end)))
}
