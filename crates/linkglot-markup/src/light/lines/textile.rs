//! Textile: links behind quotations, images, and running text around them.
//!
//! The rules are those of PHP-Textile and its ports: blocks with a signature (`bc.`, `notextile.`), spans of code, the
//! ends of URLs. A text of a link may begin in a line above.

use super::super::piece::{IMAGE, INLINE, Piece, link_place};
use super::reader::Sink;
use crate::escape::Escaping;
use crate::line_state::{TextileBlock as Block, TextileContent as Content, TextileState as State};
use crate::slot::Place;
use std::ops::Range;

/// Elements whose content is no Textile.
const RAW: &[(&str, Content)] = &[
    ("pre", Content::Code),
    ("code", Content::Code),
    ("script", Content::Hidden),
    ("style", Content::Hidden),
    ("notextile", Content::Html),
];

static CITATION: Place = link_place("cite");
static ALIAS: Place = link_place("definition");

/// Reads a line; returns the state behind it.
pub(super) fn line(mut state: State, range: Range<usize>, sink: &mut Sink<'_, '_>) -> State {
    let own = sink.text.get(range.clone()).unwrap_or_default();
    if own.trim_ascii().is_empty() {
        return State {
            block: state.block.filter(|block| block.is_extended),
            is_gap: true,
            ..state
        };
    }
    let mut begin = range.start;
    if state.is_gap
        && state.element.is_none()
        && let Some(signature) = Signature::of(own)
    {
        state.block = signature.block;
        if let Some(citation) = &signature.citation {
            let url = begin + citation.start..begin + citation.end;
            sink.push(Piece::link(url, Escaping::None, &CITATION));
        }
        begin += signature.length;
    }
    state.is_gap = false;
    match state.block {
        Some(block) => opaque(block.content, begin..range.end, sink),
        None => state.element = text(state.element, begin..range.end, sink),
    }
    state
}

/// Reads a line outside of blocks that are no Textile; returns the element behind it whose content is none.
fn text(mut element: Option<u8>, range: Range<usize>, sink: &mut Sink<'_, '_>) -> Option<u8> {
    if element.is_none() && Reader::new(range.clone(), sink).definition() {
        return None;
    }
    let mut at = range.start;
    loop {
        match element {
            None => {
                let (inside, next) = Reader::new(at..range.end, sink).read();
                inside?;
                (element, at) = (inside, next);
            }
            Some(number) => {
                let (name, content) = RAW[usize::from(number)];
                let rest = sink.text.get(at..range.end).unwrap_or_default();
                let Some(tag) = end_tag(rest, name) else {
                    opaque(content, at..range.end, sink);
                    return element;
                };
                opaque(content, at..at + tag.start, sink);
                (element, at) = (None, at + tag.end);
            }
        }
    }
}

/// Reads text that is no Textile.
fn opaque(content: Content, range: Range<usize>, sink: &mut Sink<'_, '_>) {
    match content {
        Content::Code => sink.code(range, Escaping::None),
        Content::Html => sink.html(range),
        Content::Comment => sink.comment(range),
        Content::Hidden => {}
    }
}

/// The first end tag of an element.
fn end_tag(text: &str, name: &str) -> Option<Range<usize>> {
    memchr::memmem::find_iter(text.as_bytes(), b"</").find_map(|at| {
        let behind = text.get(at + 2..)?;
        let is_named = behind.get(..name.len())?.eq_ignore_ascii_case(name);
        let is_end = is_named && behind[name.len()..].starts_with('>');
        is_end.then(|| at..at + 3 + name.len())
    })
}

/// The signature of a block: `p.`, `bc..`, `bq(class).:http://a.example/`.
struct Signature {
    /// The block, if its content is no Textile.
    block: Option<Block>,
    citation: Option<Range<usize>>,
    length: usize,
}

impl Signature {
    fn of(line: &str) -> Option<Self> {
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
        let length = line.bytes().take_while(|byte| is_name(byte)).count();
        let (name, mut rest) = line.split_at(length);
        let content = match name {
            "bc" | "pre" => Some(Content::Code),
            "notextile" => Some(Content::Html),
            "###" => Some(Content::Comment),
            "p" | "bq" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => None,
            _ if name.starts_with("fn") => None,
            _ => return None,
        };
        rest = &rest[attributes(rest)..];
        rest = rest.strip_prefix('.')?;
        let extended = rest.strip_prefix('.');
        rest = extended.unwrap_or(rest);
        let citation = rest.strip_prefix(':').filter(|_| name == "bq").map(|url| {
            let begin = line.len() - url.len();
            let end = url.find(char::is_whitespace).unwrap_or(url.len());
            rest = &url[end..];
            begin..begin + end
        });
        rest.starts_with(' ').then(|| Signature {
            block: content.map(|content| Block {
                content,
                is_extended: extended.is_some(),
            }),
            citation,
            length: line.len() - rest.len() + 1,
        })
    }
}

/// The length of attributes at the start of a text: alignments, `(class#id)`, `{style}`, `[language]`.
fn attributes(text: &str) -> usize {
    let mut rest = text;
    loop {
        let mut chars = rest.chars();
        let close = match chars.next() {
            Some('<' | '>' | '=' | '-' | '^' | '~') => {
                rest = chars.as_str();
                continue;
            }
            Some('(') => ')',
            Some('{') => '}',
            Some('[') => ']',
            _ => break,
        };
        match behind(chars.as_str(), close) {
            Some(behind) => rest = behind,
            None => break,
        }
    }
    text.len() - rest.len()
}

/// The most characters of an attribute or a title: a search that goes on to the end of the line would be repeated.
const LONGEST: usize = 256;

/// The text behind the next mark, which is near.
fn behind(text: &str, mark: char) -> Option<&str> {
    let mut near = text.char_indices().take(LONGEST);
    let (at, _) = near.find(|(_, ch)| *ch == mark)?;
    Some(&text[at + mark.len_utf8()..])
}

/// The length of a URL at the start of a text. Punctuation behind it, and brackets that it does not open, are text.
fn url_length(text: &str) -> usize {
    let is_end = |ch: char| ch.is_whitespace() || "|^'\"*<".contains(ch);
    let url = &text[..text.find(is_end).unwrap_or(text.len())];
    let mut url = &url[..bracket_end(url)];
    let count = |mark| memchr::memchr_iter(mark, url.as_bytes()).count();
    let mut unopened = count(b')').saturating_sub(count(b'('));
    loop {
        url = url.trim_end_matches(['!', '?', ':', ';', '.', ',']);
        match url.strip_suffix(')').filter(|_| unopened > 0) {
            Some(rest) => (url, unopened) = (rest, unopened - 1),
            None => return url.len(),
        }
    }
}

/// The length of the URL behind an image, whose last bracket or mark is text, whatever it contains.
fn image_url_length(text: &str) -> usize {
    let is_end = |ch: char| ch.is_whitespace() || "|\"<".contains(ch);
    let url = &text[..text.find(is_end).unwrap_or(text.len())];
    url.trim_end_matches([']', ')', '.', ',']).len()
}

/// The position of the first bracket that closes one in front of a text, as in `["a":http://a.example/]`.
fn bracket_end(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' if depth == 0 => return at,
            b']' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// True if a target may be a URL: other words are aliases, which a definition gives a URL.
fn is_url(target: &str) -> bool {
    target.contains(['/', '.', '#', '?', ':'])
}

/// Marks that become other characters in text.
const GLYPHS: &[&str] = &[
    "--", "...", "'", "\"", "(c)", "(C)", "(r)", "(R)", "(tm)", "(TM)", "==",
];

/// True if a new link in text has more glyphs, products (`2x2`) or marks of emphasis than the old one. Links and images
/// have none. O(length).
pub(super) fn adds_marks((before, _): (&str, &str), old: &str, new: &str) -> bool {
    if before.ends_with([':', '!']) {
        return false;
    }
    let has_more = |count: &dyn Fn(&str) -> usize| count(new) > count(old);
    GLYPHS
        .iter()
        .any(|mark| has_more(&|text| text.matches(mark).count()))
        || has_more(&emphases)
        || has_more(&products)
}

/// The number of characters that may begin or end emphasis: those beside one that is no letter.
fn emphases(text: &str) -> usize {
    let is_mark = |byte: &u8| b"*_@^~+-?".contains(byte);
    let windows = text.as_bytes().windows(2);
    let at_edge = |pair: &&[u8]| {
        let is_word = pair.iter().any(u8::is_ascii_alphanumeric);
        !is_word && pair.iter().any(is_mark)
    };
    windows.filter(at_edge).count()
}

/// The number of `x` between digits.
fn products(text: &str) -> usize {
    let windows = text.as_bytes().windows(3);
    let is_product =
        |three: &&[u8]| matches!(three, [a, b'x', c] if a.is_ascii_digit() && c.is_ascii_digit());
    windows.filter(is_product).count()
}

/// Reads the links of a line.
struct Reader<'r, 's, 't> {
    /// The text up to the end of the line.
    text: &'t str,
    sink: &'r mut Sink<'s, 't>,
    begin: usize,
    at: usize,
    /// The start of the current running text.
    run: usize,
    /// The last quotation mark that may open the text of a link.
    quote: Option<usize>,
    /// Marks that do not follow any more: a search that fails is not repeated, so that time is linear.
    missing: Vec<u8>,
}

impl<'r, 's, 't> Reader<'r, 's, 't> {
    fn new(range: Range<usize>, sink: &'r mut Sink<'s, 't>) -> Self {
        Reader {
            text: sink.text.get(..range.end).unwrap_or_default(),
            begin: range.start,
            at: range.start,
            run: range.start,
            quote: None,
            missing: Vec::new(),
            sink,
        }
    }

    /// Reads up to the end of the line, or to the position where the content of an element begins that is no Textile.
    fn read(mut self) -> (Option<u8>, usize) {
        let is_mark = |byte: u8| b"\"!@<|=".contains(&byte);
        while let Some(found) = self.rest().bytes().position(is_mark) {
            self.at += found;
            match self.text.as_bytes()[self.at] {
                b'"' => self.quotation(),
                b'!' => self.image(),
                b'@' => self.span("@", Content::Code),
                b'=' => self.span("==", Content::Html),
                b'|' => self.cut(1),
                _ => {
                    if let Some(element) = self.tag() {
                        return (Some(element), self.at);
                    }
                }
            }
        }
        self.at = self.text.len();
        self.cut(0);
        (None, self.at)
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Ends the running text in front of a mark.
    fn cut(&mut self, mark: usize) {
        self.sink.run(self.run..self.at, Escaping::None);
        self.at += mark;
        self.run = self.at;
    }

    /// Adds a link that begins at the cursor, and passes over it.
    fn link(&mut self, length: usize, place: &'static Place) {
        let range = self.at..self.at + length;
        if is_url(&self.text[range.clone()]) {
            self.sink.push(Piece::link(range, Escaping::None, place));
        }
        self.at += length;
        self.run = self.at;
    }

    /// Reads a line that is the definition of an alias, `[name]http://a.example/`.
    fn definition(mut self) -> bool {
        let line = self.rest().trim_ascii_end();
        let Some((name, url)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) else {
            return false;
        };
        let is_name = !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        let is_target = url.starts_with('/') || url.contains(':');
        if !is_name || !is_target || url.contains(char::is_whitespace) {
            return false;
        }
        self.at += line.len() - url.len();
        self.run = self.at;
        self.link(url.len(), &ALIAS);
        true
    }

    /// True if a mark at the cursor may open something: behind white space or punctuation.
    fn may_open(&self) -> bool {
        let before = self.text[self.begin..self.at].chars().next_back();
        before.is_none_or(|ch| !ch.is_alphanumeric())
    }

    /// Reads a quotation mark, which may begin the text of a link, or end it in front of a URL.
    fn quotation(&mut self) {
        let url = self.rest()[1..].strip_prefix(':').map_or(0, url_length);
        let opened = self.quote.filter(|quote| *quote + 1 < self.at);
        // The text may begin in a line above.
        let is_link = url > 0 && (opened.is_some() || self.has_scheme(self.at + 2, url));
        if !is_link {
            if self.may_open() && !self.rest()[1..].starts_with(char::is_whitespace) {
                self.quote = Some(self.at);
            }
            self.at += 1;
            return;
        }
        let end = self.at;
        if let Some(quote) = opened.filter(|quote| *quote >= self.run) {
            self.at = quote;
            self.cut(1);
        }
        if self.sink.reads_labels() {
            self.sink.run(self.run..end, Escaping::None);
        }
        self.at = end + 2;
        self.link(url, &INLINE);
        self.quote = None;
    }

    fn has_scheme(&self, at: usize, length: usize) -> bool {
        let url = &self.text[at..at + length];
        url.starts_with("http:") || url.starts_with("https:") || url.starts_with("mailto:")
    }

    /// Reads an image, `!a.png!`, `!<(class)a.png(title)!:http://a.example/`.
    fn image(&mut self) {
        let Some((url, length)) = self.may_open().then(|| self.image_here()).flatten() else {
            self.at += 1;
            return;
        };
        let end = self.at + length;
        self.at += url.start;
        self.sink.run(self.run..end - length, Escaping::None);
        self.link(url.len(), &IMAGE);
        self.at = end;
        self.run = end;
        let target = self.rest().strip_prefix(':').map_or(0, image_url_length);
        if target > 0 {
            self.at += 1;
            self.link(target, &INLINE);
        }
    }

    /// The URL of the image at the cursor, from there, and the length of the image.
    fn image_here(&self) -> Option<(Range<usize>, usize)> {
        let rest = &self.rest()[1..];
        let begin = attributes(rest);
        let url = &rest[begin..];
        let length = url.find(|ch: char| ch.is_whitespace() || "(!".contains(ch))?;
        let (url, behind) = url.split_at(length);
        let behind = behind.strip_prefix(' ').unwrap_or(behind);
        let behind = match behind.strip_prefix('(') {
            Some(title) => self::behind(title, ')')?,
            None => behind,
        };
        let behind = behind.strip_prefix('!')?;
        let ends = |ch: char| ch.is_whitespace() || "].,)|:}<;\"".contains(ch);
        let is_image = is_url(url) && behind.chars().next().is_none_or(ends);
        let begin = 1 + begin;
        is_image.then(|| (begin..begin + length, self.rest().len() - behind.len()))
    }

    /// The position of the next mark in a text that goes on to the end of the line.
    fn next(&mut self, key: u8, text: &str, mark: &str) -> Option<usize> {
        if self.missing.contains(&key) {
            return None;
        }
        let found = text.find(mark);
        if found.is_none() {
            self.missing.push(key);
        }
        found
    }

    /// Passes over a span that is no Textile, between two equal marks.
    fn span(&mut self, mark: &str, content: Content) {
        let key = mark.as_bytes()[0];
        let opens = self.rest().starts_with(mark) && self.may_open();
        let inner = self.rest().strip_prefix(mark).unwrap_or_default();
        let begins = opens && !inner.starts_with(char::is_whitespace);
        let end = if begins {
            self.next(key, inner, mark)
        } else {
            None
        };
        let Some(end) = end.filter(|end| *end > 0) else {
            self.at += 1;
            return;
        };
        self.cut(mark.len());
        opaque(content, self.at..self.at + end, self.sink);
        self.at += end + mark.len();
        self.run = self.at;
    }

    /// Reads a tag; returns the element whose content is no Textile, if the tag begins one.
    fn tag(&mut self) -> Option<u8> {
        let behind = self.rest()[1..]
            .strip_prefix('/')
            .unwrap_or(&self.rest()[1..]);
        let length = behind.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let (name, behind) = behind.split_at(length);
        let is_tag = name.starts_with(|ch: char| ch.is_ascii_alphabetic())
            && behind.starts_with(|ch: char| ch.is_ascii_whitespace() || "/>".contains(ch));
        let rest = self.rest();
        let end = if is_tag {
            self.next(b'>', rest, ">")
        } else {
            None
        };
        let Some(end) = end else {
            self.at += 1;
            return None;
        };
        let (at, tag) = (self.at, &rest[..=end]);
        self.cut(tag.len());
        self.sink.tag(at..at + tag.len());
        let element = RAW
            .iter()
            .position(|(raw, _)| raw.eq_ignore_ascii_case(name))?;
        let begins = !tag.starts_with("</") && !tag.ends_with("/>");
        begins.then_some(element as u8)
    }
}
