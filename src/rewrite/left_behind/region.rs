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
        }
    }

    pub fn place(self) -> MentionPlace {
        self.place
    }

    /// Goes on to the end of a text that does not end within a mark.
    pub fn advance(&mut self, text: &[u8]) {
        let mut at = 0;
        while let Some(len) = self.step(&text[at..]) {
            at += len;
        }
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
                | Format::MediaWiki
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
