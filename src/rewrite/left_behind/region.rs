//! The part of a document around a position: a label for reports, from the marks of comments and tags alone.

use super::MentionPlace;
use crate::format::Format;
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
                | Format::Http
                | Format::JavaScript
                | Format::Php
                | Format::Toml
                | Format::Tex
                | Format::AsciiDoc
                | Format::Org,
                _,
            ) => None,
            (_, MentionPlace::Comment) => {
                let len = behind(b"-->")?;
                self.place = MentionPlace::Text;
                Some(len)
            }
            (_, MentionPlace::Tag) => {
                let len = behind(b">")?;
                self.place = self.raw.take().unwrap_or(MentionPlace::Text);
                Some(len)
            }
            (_, place) => {
                let at = memchr::memchr(b'<', text)?;
                Some(at + self.open(&text[at..], place))
            }
        }
    }

    /// Goes behind a construct that begins with `<`; returns its length.
    fn open(&mut self, text: &[u8], place: MentionPlace) -> usize {
        let ends = |name: &[u8]| {
            let tag = text.get(2..2 + name.len());
            text.starts_with(b"</") && tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name))
        };
        let begins = |name: &[u8]| {
            let tag = text.get(1..1 + name.len());
            tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name))
        };
        match place {
            MentionPlace::Script if !ends(b"script") => return 1,
            MentionPlace::Style if !ends(b"style") => return 1,
            _ if text.starts_with(b"<!--") => {
                self.place = MentionPlace::Comment;
                return 4;
            }
            _ => {}
        }
        let is_tag = text
            .get(1)
            .is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?'));
        if is_tag {
            self.place = MentionPlace::Tag;
            self.raw = match () {
                _ if begins(b"script") => Some(MentionPlace::Script),
                _ if begins(b"style") => Some(MentionPlace::Style),
                _ => None,
            };
        }
        1
    }
}
