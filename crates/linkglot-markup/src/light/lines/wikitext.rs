//! Wikitext, the markup of MediaWiki: external links, and running text around them.
//!
//! The rules are those of MediaWiki's parser: the preprocessor takes comments and extension tags away, marks of
//! templates, tables and emphasis end links in text.

mod nesting;

use super::super::piece::{Piece, link_place};
use super::reader::Sink;
use crate::escape::Escaping;
use crate::line_state::{Braces, WikitextContent as Content, WikitextState as State};
use crate::slot::{Access, Place};
use std::ops::Range;

/// Elements whose content is no wikitext.
const RAW: &[&str] = &[
    "nowiki",
    "pre",
    "source",
    "syntaxhighlight",
    "math",
    "chem",
    "ce",
    "score",
    "timeline",
    "graph",
    "hiero",
    "templatedata",
    "mapframe",
    "maplink",
    "html",
];

/// Elements whose content is wikitext that is read apart from the text around it.
const APART: &[&str] = &["ref", "references", "poem", "gallery", "indicator"];

/// The schemes of links in brackets (MediaWiki's `$wgUrlProtocols`).
const PROTOCOLS: &[&str] = &[
    "//",
    "bitcoin:",
    "ftp://",
    "ftps://",
    "geo:",
    "git://",
    "gopher://",
    "http://",
    "https://",
    "irc://",
    "ircs://",
    "magnet:",
    "mailto:",
    "matrix:",
    "mms://",
    "news:",
    "nntp://",
    "redis://",
    "sftp://",
    "sip:",
    "sips:",
    "sms:",
    "ssh://",
    "svn://",
    "tel:",
    "telnet://",
    "urn:",
    "worldwind://",
    "xmpp:",
];

static EXTERNAL: Place = link_place("external");

/// Reads a line; returns the state behind it.
pub(super) fn line(mut state: State, range: Range<usize>, sink: &mut Sink<'_, '_>) -> State {
    let mut at = range.start;
    loop {
        let Some(rest) = sink.text.get(at..range.end) else {
            return state;
        };
        let (length, mark) = match state.content {
            Content::Text => {
                let mut reader = Reader::new(at..range.end, state.braces, sink);
                let inside = reader.read();
                reader.follow(reader.at);
                state.braces = reader.braces;
                match inside {
                    Some((content, next)) => (state.content, at) = (content, next),
                    None => return state,
                }
                continue;
            }
            Content::Comment => match memchr::memmem::find(rest.as_bytes(), b"-->") {
                Some(end) => (end, 3),
                None => {
                    sink.comment(at..range.end);
                    return state;
                }
            },
            Content::Raw(element) => match end_tag(rest, RAW[usize::from(element)]) {
                Some(tag) => (tag.start, tag.len()),
                None => {
                    raw(element, at..range.end, sink);
                    return state;
                }
            },
        };
        if let Content::Raw(element) = state.content {
            raw(element, at..at + length, sink);
        }
        if state.content == Content::Comment {
            sink.comment(at..at + length);
        }
        at += length + mark;
        state.content = Content::Text;
    }
}

/// Reads the content of an element that is no wikitext, if it is code or text.
fn raw(element: u8, range: Range<usize>, sink: &mut Sink<'_, '_>) {
    match RAW[usize::from(element)] {
        "nowiki" | "pre" => sink.code(range, Escaping::Wikitext),
        "source" | "syntaxhighlight" => sink.code(range, Escaping::None),
        _ => {}
    }
}

/// The first end tag of an element.
fn end_tag(text: &str, name: &str) -> Option<Range<usize>> {
    memchr::memmem::find_iter(text.as_bytes(), b"</").find_map(|at| {
        let behind = text.get(at + 2..)?;
        let named = behind.get(..name.len())?.eq_ignore_ascii_case(name);
        let blanks = behind.get(name.len()..)?.trim_ascii_start();
        let is_end = named && blanks.starts_with('>');
        is_end.then(|| at..text.len() - blanks.len() + 1)
    })
}

/// Reads wikitext within a line.
struct Reader<'r, 's, 't> {
    /// The text up to the end of the line.
    text: &'t str,
    sink: &'r mut Sink<'s, 't>,
    at: usize,
    /// The start of the current running text.
    run: usize,
    /// The braces around `followed`.
    braces: Braces,
    followed: usize,
    /// The end of the last template within a URL.
    template: usize,
    /// The end of the text of the last external link.
    label: usize,
    /// Marks that do not follow any more: a search that fails is not repeated, so that time is linear.
    missing: Missing,
}

#[derive(Clone, Copy, Debug, Default)]
struct Missing {
    template: bool,
    bracket: bool,
    tag: bool,
}

impl<'r, 's, 't> Reader<'r, 's, 't> {
    fn new(range: Range<usize>, braces: Braces, sink: &'r mut Sink<'s, 't>) -> Self {
        Reader {
            braces,
            followed: range.start,
            text: sink.text.get(..range.end).unwrap_or_default(),
            at: range.start,
            run: range.start,
            template: range.start,
            label: range.start,
            missing: Missing::default(),
            sink,
        }
    }

    /// Reads up to the end of the line, or to the content of a comment or an element, which begins at the position.
    fn read(&mut self) -> Option<(Content, usize)> {
        while let Some(found) = self
            .rest()
            .bytes()
            .position(|byte| b"<[]{}|'=".contains(&byte))
        {
            self.at += found;
            let rest = self.rest().as_bytes();
            match rest[0] {
                b'<' => {
                    if let Some(inside) = self.angle() {
                        return Some(inside);
                    }
                }
                b'[' => self.bracket(),
                b']' | b'|' => self.cut(1),
                b'=' if self.ends_name() => self.cut(1),
                b'{' if rest.starts_with(b"{{") => self.template(),
                b'}' if rest.starts_with(b"}}") => self.cut_braces(),
                b'\'' if rest.starts_with(b"''") => self.cut(2),
                _ => self.at += 1,
            }
        }
        self.at = self.text.len();
        self.cut(0);
        None
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Follows the braces up to a position.
    fn follow(&mut self, to: usize) {
        let own = self.text.get(self.followed..to).unwrap_or_default();
        self.braces.follow(own);
        self.followed = self.followed.max(to);
    }

    /// The escaping of a link behind a position.
    fn escaping(&mut self, at: usize) -> Escaping {
        self.follow(at);
        if self.braces.is_unnamed() {
            Escaping::WikitextParameter
        } else {
            Escaping::Wikitext
        }
    }

    /// Ends the running text in front of a mark.
    fn cut(&mut self, mark: usize) {
        if self.run < self.at && (self.run >= self.label || self.sink.reads_labels()) {
            let escaping = self.escaping(self.run);
            self.sink.run(self.run..self.at, escaping);
        }
        self.at += mark;
        self.run = self.at;
    }

    /// True if the running text is the name of a parameter, which ends at the cursor.
    fn ends_name(&mut self) -> bool {
        /// Longer names are taken for text, so that time is linear.
        const LONGEST: usize = 64;
        let name = &self.text.as_bytes()[self.run..self.at];
        let is_name = name.len() <= LONGEST && !name.iter().any(|byte| b"/:@.".contains(byte));
        is_name && {
            self.follow(self.at);
            self.braces.is_unnamed()
        }
    }

    /// Reads a tag or the start of a comment.
    fn angle(&mut self) -> Option<(Content, usize)> {
        let rest = self.rest();
        if rest.starts_with("<!--") {
            self.cut(4);
            return Some((Content::Comment, self.at));
        }
        let behind = rest[1..].strip_prefix('/').unwrap_or(&rest[1..]);
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        let length = behind.bytes().take_while(|byte| is_name(byte)).count();
        let (name, behind) = behind.split_at(length);
        let is_tag = name.starts_with(|ch: char| ch.is_ascii_alphabetic())
            && behind.starts_with(|ch: char| ch.is_ascii_whitespace() || "/>".contains(ch));
        let end = if is_tag && !self.missing.tag {
            memchr::memchr(b'>', rest.as_bytes())
        } else {
            None
        };
        let Some(end) = end else {
            self.missing.tag |= is_tag;
            self.at += 1;
            return None;
        };
        let tag = &rest[..=end];
        let at = self.at;
        // The signs of a tag do not count, nor those of an element that is read apart.
        self.follow(at);
        self.followed = at + tag.len();
        if APART.iter().any(|apart| apart.eq_ignore_ascii_case(name)) {
            match tag {
                _ if tag.starts_with("</") => self.braces.close_element(),
                _ if tag.ends_with("/>") => {}
                _ => self.braces.open_element(),
            }
        }
        self.cut(tag.len());
        if tag.contains('=') {
            self.sink.tag(at..at + tag.len());
        }
        let element = RAW.iter().position(|raw| raw.eq_ignore_ascii_case(name))?;
        let begins = !tag.starts_with("</") && !tag.ends_with("/>");
        begins.then_some((Content::Raw(element as u8), self.at))
    }

    /// Reads a bracket: of a link to a page, which ends at a bar or brackets, of an external link, of an IPv6 address.
    fn bracket(&mut self) {
        let rest = self.rest();
        if self.text[self.run..self.at].ends_with("//")
            && let Some(length) = address(rest)
        {
            self.at += length;
            return;
        }
        if let Some(target) = rest.strip_prefix("[[") {
            let end = memchr::memchr3(b'|', b']', b'[', target.as_bytes());
            let title = &target[..end.unwrap_or(0)];
            let is_page = protocol(title).is_none() && !title.contains(['<', '>', '{', '}']);
            if is_page && !title.is_empty() {
                self.cut(0);
                self.at += 2 + title.len();
                self.run = self.at;
                return;
            }
        }
        if !self.external() {
            self.cut(1);
        }
    }

    /// Reads an external link: its URL ends at white space or at the bracket.
    fn external(&mut self) -> bool {
        let rest = self.rest();
        let may_begin = self.at >= self.label && !self.missing.bracket;
        let Some(length) = protocol(&rest[1..]).filter(|_| may_begin) else {
            return false;
        };
        let (rest_of_url, has_bar) = self.url_end(self.at + 1 + length);
        let end = 1 + length + rest_of_url;
        if rest_of_url == 0 {
            return false;
        }
        let Some(label) = label_length(&rest[end..]) else {
            self.missing.bracket = true;
            return false;
        };
        let begin = self.at;
        // The text in front is no label.
        self.cut(1);
        self.label = begin + end + label;
        let url = self.at..self.at + end - 1;
        let escaping = self.escaping(url.start);
        let mut link = Piece::link(url.clone(), escaping, &EXTERNAL);
        // In a template the bar would end a parameter.
        if has_bar {
            link.access = Access::List;
        }
        self.sink.push(link);
        self.at = url.end;
        self.run = url.end;
        true
    }

    /// The length of the rest of a URL in brackets, and true if it has a bar outside of templates.
    fn url_end(&mut self, from: usize) -> (usize, bool) {
        let rest = &self.text[from..];
        let (mut at, mut has_bar) = (address(rest).unwrap_or(0), false);
        while let Some(ch) = rest[at..].chars().next() {
            let own = &rest[at..];
            let ends = ch.is_whitespace()
                || ch.is_control()
                || "[]<>\"".contains(ch)
                || own.starts_with("''")
                || own.starts_with("&lt;")
                || own.starts_with("&gt;");
            if ends {
                break;
            }
            has_bar |= ch == '|';
            at += match self.template_length(from + at) {
                Some(length) => length,
                None => ch.len_utf8(),
            };
        }
        (at, has_bar)
    }

    /// Reads the marks of a template. Within a URL the whole template belongs to it.
    fn template(&mut self) {
        let from = self.run.max(self.template);
        let word = self.text[from..self.at]
            .char_indices()
            .rfind(|(_, ch)| ch.is_whitespace())
            .map_or(from, |(at, ch)| from + at + ch.len_utf8());
        let own = &self.text[word..self.at];
        let is_joined = word == self.template && word > self.run;
        if (is_joined || own.contains("//"))
            && let Some(length) = self.template_length(self.at)
        {
            let inner = self.text[self.at..self.at + length].find(char::is_whitespace);
            if let Some(inner) = inner {
                // The URL ends there, and other links may follow.
                self.at += inner;
                self.cut(0);
                return;
            }
            self.at += length;
            self.template = self.at;
            return;
        }
        self.cut_braces();
    }

    /// Ends the running text in front of braces.
    fn cut_braces(&mut self) {
        let rest = self.rest().as_bytes();
        let same = rest.iter().take_while(|byte| **byte == rest[0]);
        self.cut(same.count());
    }

    /// The length of the template at a position, up to the braces that close it in the line.
    fn template_length(&mut self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        if self.missing.template || !rest.starts_with("{{") {
            return None;
        }
        let mut depth = 0_usize;
        for (at, byte) in rest.bytes().enumerate() {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 1 => return Some(at + 1),
                b'}' => depth -= 1,
                _ => {}
            }
        }
        self.missing.template = true;
        None
    }
}

/// The length of the text of an external link, which may hold links to pages, in front of the bracket that closes it.
fn label_length(text: &str) -> Option<usize> {
    let (bytes, mut at, mut pages) = (text.as_bytes(), 0, 0_usize);
    loop {
        at += memchr::memchr2(b'[', b']', &bytes[at..])?;
        match &bytes[at..] {
            [b'[', b'[', ..] => pages += 1,
            [b']', b']', ..] if pages > 0 => pages -= 1,
            [b']', ..] => return Some(at),
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
    }
}

/// The length of the scheme at the beginning of a text, if external links may have it.
fn protocol(text: &str) -> Option<usize> {
    let starts = |known: &&&str| {
        let own = text.get(..known.len());
        own.is_some_and(|own| own.eq_ignore_ascii_case(known))
    };
    PROTOCOLS.iter().find(starts).map(|known| known.len())
}

/// The length of an IPv6 address in brackets at the beginning of a text.
fn address(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('[')?;
    let is_part = |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.');
    let length = inner.bytes().take_while(|byte| is_part(byte)).count();
    let is_address = length > 1 && inner[length..].starts_with(']');
    is_address.then_some(length + 2)
}
