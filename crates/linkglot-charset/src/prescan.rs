//! Declarations of the charset inside documents, each in its format's own syntax.
//!
//! A label that no charset has is reported, unless a known label follows. Words such as `unknown` and code of templates
//! declare nothing. A declaration that was read as ASCII cannot mean UTF-16: that is a mistake for UTF-8 (HTML Standard
//! 13.2.3.2, CSS Syntax 3.2).

use crate::ascii::is_space;
use crate::charset::Charset;
use encoding_rs::Encoding;
use memchr::memmem::Finder;
use std::ops::Range;
use std::sync::LazyLock;

/// Charset or unknown label that a declaration names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Declared {
    Charset(Charset),
    /// A label that no charset has.
    Unknown(String),
}

impl Declared {
    /// The first declaration that names a charset, or else the first.
    pub(crate) fn or(first: Option<Self>, second: impl FnOnce() -> Option<Self>) -> Option<Self> {
        match first {
            Some(Declared::Charset(_)) => first,
            _ => match second() {
                Some(known @ Declared::Charset(_)) => Some(known),
                second => first.or(second),
            },
        }
    }
}

/// The bytes that the HTML Standard and CSS Syntax scan.
const PRESCAN_LIMIT: usize = 1024;

/// The charset that a `meta` element or an XML declaration of an HTML document names.
///
/// The first 1024 bytes are scanned as HTML Standard 13.2.3.2 says. The answer is tentative: browsers that meet another
/// `meta` element read the document again ("change the encoding", 13.2.3.4), and scripts and other raw text hold no
/// elements. So real elements in all of `head` come first.
pub(crate) fn html(head: &[u8]) -> Option<Declared> {
    let first = &head[..head.len().min(PRESCAN_LIMIT)];
    let scanned = || Declared::or(meta(first, RawText::Scan), || xml_in_html(first));
    Declared::or(meta(head, RawText::Skip), scanned)
}

/// The encoding of an XML declaration (XML 1.0, 2.8 and 4.3.3), which white space may precede. A label with
/// other characters is an error to every parser, so it names an unknown charset.
pub(crate) fn xml(head: &[u8]) -> Option<Declared> {
    let label = match xml_value(head, b"encoding") {
        Some(label) => &head[label],
        None => unquoted_encoding(head)?,
    };
    declarable(label).or_else(|| malformed(label))
}

/// The encoding of an XML declaration without quotation marks.
fn unquoted_encoding(head: &[u8]) -> Option<&[u8]> {
    let rest = head.trim_ascii_start().strip_prefix(b"<?xml")?;
    // `<?xml-stylesheet` is another instruction.
    rest.first().filter(|&&byte| is_space(byte))?;
    let declaration = &rest[..memchr::memmem::find(rest, b"?>")?];
    let at = memchr::memmem::find(declaration, b"encoding")?;
    let value = after_equals(&declaration[at + b"encoding".len()..])?;
    let is_quoted = value.starts_with(b"\"") || value.starts_with(b"'");
    (!is_quoted).then_some(split(value, is_space).0)
}

/// The text behind an equals sign.
fn after_equals(bytes: &[u8]) -> Option<&[u8]> {
    let value = bytes.trim_ascii_start().strip_prefix(b"=")?;
    Some(value.trim_ascii_start())
}

/// An encoding that has characters of no label, unless it is code of a template.
fn malformed(label: &[u8]) -> Option<Declared> {
    let label = std::str::from_utf8(label).ok()?.trim();
    let is_mark = |ch: char| ch.is_ascii_alphanumeric() || "-_.:+()/;,@*'\" ".contains(ch);
    let is_named = is_label(&label.replace(|ch: char| !ch.is_ascii_alphanumeric(), "-"));
    (is_named && label.chars().all(is_mark)).then(|| Declared::Unknown(label.to_owned()))
}

/// The encoding of an XML declaration in text that was decoded: no charset is ruled out.
pub(crate) fn xml_label(text: &[u8]) -> Option<Declared> {
    named(&text[xml_value(text, b"encoding")?])
}

/// A value in the XML declaration.
pub(crate) fn xml_value(head: &[u8], wanted: &[u8]) -> Option<Range<usize>> {
    let rest = head.trim_ascii_start().strip_prefix(b"<?xml")?;
    let end = head.len() - rest.len() + memchr::memmem::find(rest, b"?>")?;
    let mut rest = &rest[..end - (head.len() - rest.len())];
    while rest.first().is_some_and(|&byte| is_space(byte)) {
        let (name, behind) = split(rest.trim_ascii_start(), |byte| {
            byte == b'=' || is_space(byte)
        });
        let (value, behind) = quoted(after_equals(behind)?)?;
        if name == wanted {
            let quote = end - behind.len() - 1;
            return Some(quote - value.len()..quote);
        }
        rest = behind;
    }
    None
}

/// A `@charset` rule, in the one spelling that counts (CSS Syntax 3.2).
pub(crate) fn css(head: &[u8]) -> Option<Declared> {
    declarable(&head[css_label(head)?])
}

/// The label of a `@charset` rule.
pub(crate) fn css_label(head: &[u8]) -> Option<Range<usize>> {
    const BEGIN: &[u8] = b"@charset \"";
    let first = &head[..head.len().min(PRESCAN_LIMIT)];
    let rest = first.strip_prefix(BEGIN)?;
    let len = memchr::memchr(b'"', rest)?;
    let is_rule = rest[len..].starts_with(b"\";");
    is_rule.then_some(BEGIN.len()..BEGIN.len() + len)
}

/// The charset parameter of a mail's content type (RFC 2045, 5.1), if the text begins like a mail. Software that does
/// not know the charset writes US-ASCII, which thus declares nothing.
pub(crate) fn mail(head: &[u8]) -> Option<Declared> {
    let mut lines = lines(head).map(<[u8]>::trim_ascii_end).peekable();
    lines.next_if(|line| line.starts_with(b"From "));
    let mut value = Vec::new();
    while let Some(line) = lines.next_if(|line| !line.is_empty()) {
        let (name, rest) = split(line, |byte| byte == b':' || byte <= b' ');
        let body = after_colon(rest).filter(|_| !name.is_empty())?;
        let is_type = name.eq_ignore_ascii_case(b"content-type");
        value.extend(body.iter().filter(|_| is_type));
        let is_folded = |line: &&[u8]| line.first().is_some_and(|&byte| is_space(byte));
        while let Some(more) = lines.next_if(is_folded) {
            value.extend(more.iter().filter(|_| is_type));
        }
        if is_type {
            return content_type(&value);
        }
    }
    None
}

/// The lines of a text without their line feeds; the last one may be empty.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = memchr::memchr(b'\n', text);
        rest = end.map(|end| &text[end + 1..]);
        Some(&text[..end.unwrap_or(text.len())])
    })
}

/// The body of a header field, from its name's end on. Old mails have blanks before the colon
/// (RFC 5322, 4.5).
pub(crate) fn after_colon(rest: &[u8]) -> Option<&[u8]> {
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    rest.get(blanks.count()..)?.strip_prefix(b":")
}

/// The charset that the value of a content type names.
pub(crate) fn content_type(value: &[u8]) -> Option<Declared> {
    let value = value.to_ascii_lowercase();
    let label = &value[in_content(&value)?];
    let is_ascii = matches!(label, b"us-ascii" | b"ascii");
    declarable(label).filter(|_| !is_ascii)
}

/// The coding comment of reStructuredText and Python, such as `.. -*- coding: koi8-r -*-`, in one
/// of the first two lines (PEP 263).
pub(crate) fn coding(head: &[u8]) -> Option<Declared> {
    coding_label(head).map(|(declared, _)| declared)
}

/// The charset of a coding comment, and its label.
pub(crate) fn coding_label(head: &[u8]) -> Option<(Declared, Range<usize>)> {
    static CODING: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("coding"));
    let mut begin = 0;
    lines(head).take(2).find_map(|line| {
        let line_begin = begin;
        begin += line.len() + 1;
        let at = CODING.find(line)?;
        let rest = &line[at + b"coding".len()..];
        let rest = rest.strip_prefix(b":").or(rest.strip_prefix(b"="))?;
        let is_label = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        let (label, behind) = split(rest.trim_ascii_start(), |byte| !is_label(byte));
        // Any word may stand after "coding:" in a line that is no comment.
        let is_comment = line.starts_with(b"..") || line.starts_with(b"#");
        let found = declarable(label)?;
        let end = line_begin + line.len() - behind.len();
        let is_declaration = is_comment || matches!(found, Declared::Charset(_));
        is_declaration.then(|| (found, end - label.len()..end))
    })
}

/// "Get an XML encoding" (HTML Standard 13.2.3.2).
fn xml_in_html(first: &[u8]) -> Option<Declared> {
    let rest = first.strip_prefix(b"<?xml")?;
    let rest = &rest[..memchr::memchr(b'>', rest)?];
    let rest = &rest[memchr::memmem::find(rest, b"encoding")? + b"encoding".len()..];
    let rest = trim_controls(trim_controls(rest).strip_prefix(b"=")?);
    let (label, _) = quoted(rest)?;
    let has_blank = label.iter().any(|&byte| byte <= b' ');
    if has_blank { None } else { declarable(label) }
}

fn trim_controls(bytes: &[u8]) -> &[u8] {
    split(bytes, |byte| byte > b' ').1
}

/// Splits before the first byte that `stops`.
fn split(bytes: &[u8], stops: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    let at = bytes.iter().position(|&byte| stops(byte));
    bytes.split_at(at.unwrap_or(bytes.len()))
}

/// The bytes between the quotes that `bytes` begin with, and those after them.
fn quoted(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&quote, rest) = bytes.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let end = memchr::memchr(quote, rest)?;
    Some((&rest[..end], &rest[end + 1..]))
}

/// The charset of a label that was read as ASCII: UTF-8 for UTF-16, and none in which the label would read differently,
/// such as UTF-32 and EBCDIC.
pub(crate) fn declarable(label: &[u8]) -> Option<Declared> {
    let Declared::Charset(charset) = named(label)? else {
        return named(label);
    };
    let is_utf_16 = charset == Charset::UTF_16LE || charset == Charset::UTF_16BE;
    let charset = if is_utf_16 { Charset::UTF_8 } else { charset };
    let can_be = charset.is_replacement() || has_ascii_letters(charset);
    can_be.then_some(Declared::Charset(charset))
}

/// The charset of a label, or the label if no charset has it.
fn named(label: &[u8]) -> Option<Declared> {
    let label = std::str::from_utf8(label).ok()?;
    match Charset::lookup(label) {
        Some(charset) => Some(Declared::Charset(charset)),
        None => is_label(label).then(|| Declared::Unknown(label.trim().to_owned())),
    }
}

fn has_ascii_letters(charset: Charset) -> bool {
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";
    charset.decode(LETTERS.as_bytes()) == LETTERS
}

/// True if the charset has letters where EBCDIC has them.
pub(crate) fn is_ebcdic(charset: Charset) -> bool {
    charset.decode(b"\x81") == "a"
}

/// The most characters of a label.
const LONGEST_LABEL: usize = 40;

/// Labels written by software that knows no charset.
const MEANINGLESS: &str = "unknown x-unknown unknown-8bit binary none default auto";

/// True if an unknown label may name a charset.
fn is_label(label: &str) -> bool {
    let label = label.trim();
    let is_mark = |byte: u8| b"-_.:+()".contains(&byte);
    let mut words = MEANINGLESS.split(' ');
    label.len() <= LONGEST_LABEL
        && label.bytes().any(|byte| byte.is_ascii_alphanumeric())
        && label
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || is_mark(byte))
        && !words.any(|word| word.eq_ignore_ascii_case(label))
}

/// Treatment of tags inside scripts, styles and titles.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RawText {
    Scan,
    Skip,
}

/// "Prescan a byte stream to determine its encoding" (HTML Standard 13.2.3.2), from step 4 on. Browsers skip labels
/// that they do not know, so a label that only other programs know counts if no other follows.
fn meta(bytes: &[u8], raw_text: RawText) -> Option<Declared> {
    let mut first = None;
    for (declared, label) in Metas::new(bytes, raw_text) {
        if Encoding::for_label(&bytes[label]).is_some() {
            return Some(declared);
        }
        first = Declared::or(first, || Some(declared));
    }
    first
}

/// The labels of all `meta` elements that declare a charset: of real elements, or else of those that the prescan finds
/// in raw text.
pub(crate) fn meta_labels(head: &[u8]) -> Vec<Range<usize>> {
    let first = &head[..head.len().min(PRESCAN_LIMIT)];
    let mut labels: Vec<Range<usize>> = Metas::new(head, RawText::Skip)
        .map(|(_, label)| label)
        .collect();
    if labels.is_empty() {
        labels.extend(Metas::new(first, RawText::Scan).map(|(_, label)| label));
    }
    labels
}

/// The `meta` elements that declare a charset, and where their labels stand.
struct Metas<'b> {
    bytes: &'b [u8],
    at: usize,
    raw_text: RawText,
}

impl<'b> Metas<'b> {
    fn new(bytes: &'b [u8], raw_text: RawText) -> Self {
        Metas {
            bytes,
            at: 0,
            raw_text,
        }
    }
}

impl Iterator for Metas<'_> {
    type Item = (Declared, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.bytes;
        loop {
            self.at += memchr::memchr(b'<', bytes.get(self.at..)?)?;
            let rest = &bytes[self.at..];
            if rest.starts_with(b"<!--") {
                // The dashes of `<!--` may be those of `-->`.
                self.at += 2 + memchr::memmem::find(&rest[2..], b"-->")? + b"-->".len();
            } else if is_meta(rest) {
                let mut tag = Attributes::new(&rest[b"<meta".len()..]);
                let declared = charset_of_meta(&mut tag, bytes.len())?;
                self.at = bytes.len() - tag.rest.len() + 1;
                if declared.is_some() {
                    return declared;
                }
            } else if let Some(name_end) = tag_name_end(rest)? {
                let mut tag = Attributes::new(&rest[name_end..]);
                while tag.next()?.is_some() {}
                self.at = bytes.len() - tag.rest.len() + 1;
                if self.raw_text == RawText::Skip {
                    self.at += raw_text_len(&rest[1..name_end], bytes.get(self.at..)?)?;
                }
            } else if matches!(rest, [_, b'!' | b'/' | b'?', ..]) {
                self.at += memchr::memchr(b'>', rest)? + 1;
            } else {
                self.at += 1;
            }
        }
    }
}

fn is_meta(rest: &[u8]) -> bool {
    let name = rest
        .get(..5)
        .is_some_and(|name| name.eq_ignore_ascii_case(b"<meta"));
    name && rest
        .get(5)
        .is_some_and(|&byte| is_space(byte) || byte == b'/')
}

/// The end of the name of a start or end tag, if any; the outer `None` if the bytes end in the name.
#[expect(clippy::option_option)]
fn tag_name_end(rest: &[u8]) -> Option<Option<usize>> {
    match rest {
        [b'<', first, ..] | [b'<', b'/', first, ..] if first.is_ascii_alphabetic() => {}
        _ => return Some(None),
    }
    let end = rest
        .iter()
        .position(|&byte| is_space(byte) || byte == b'>')?;
    Some(Some(end))
}

/// The length of the raw text in an element of this name, in which there are no tags. `None`: the
/// element has no end.
fn raw_text_len(name: &[u8], rest: &[u8]) -> Option<usize> {
    let raw = "script style title textarea xmp iframe noembed";
    let mut raw = raw.split(' ').map(str::as_bytes);
    if !raw.any(|raw| name.eq_ignore_ascii_case(raw)) {
        return Some(0);
    }
    memchr::memmem::find_iter(rest, b"</").find(|at| {
        let end = rest.get(at + 2..at + 2 + name.len());
        end.is_some_and(|end| end.eq_ignore_ascii_case(name))
    })
}

/// Declaration of a `meta` element, and the place of its label in the `len` bytes that the tag ends with; the outer
/// `None`: the bytes end in the tag.
#[expect(clippy::option_option)]
fn charset_of_meta(
    tag: &mut Attributes<'_>,
    len: usize,
) -> Option<Option<(Declared, Range<usize>)>> {
    let (mut seen, mut is_pragma, mut needs_pragma) = (Vec::new(), false, None);
    let (mut declared, mut unknown) = (None, None);
    while let Some(Attribute { name, value, rest }) = tag.next()? {
        if seen.contains(&name) {
            continue;
        }
        let in_document = |label: Range<usize>| {
            let begin = len - rest;
            begin + label.start..begin + label.end
        };
        let labelled = |label: Range<usize>| {
            let declared = declarable_in_meta(&value[label.clone()])?;
            Some((declared, in_document(label)))
        };
        match name.as_slice() {
            b"http-equiv" => is_pragma |= value == b"content-type",
            b"content" => {
                // A charset attribute decides even when its label is unknown.
                if needs_pragma.is_none() {
                    match in_content(&value).and_then(labelled) {
                        known @ Some((Declared::Charset(_), _)) => {
                            (declared, needs_pragma) = (known, Some(true));
                        }
                        label => unknown = label,
                    }
                }
            }
            b"charset" => {
                declared = labelled(0..value.len());
                needs_pragma = Some(false);
            }
            _ => continue,
        }
        seen.push(name);
    }
    Some(match needs_pragma {
        Some(needs) => declared.filter(|_| is_pragma || !needs),
        None => unknown.filter(|_| is_pragma),
    })
}

/// The last rules of the prescan: `x-user-defined` means windows-1252 in a `meta`.
fn declarable_in_meta(label: &[u8]) -> Option<Declared> {
    Some(match declarable(label)? {
        Declared::Charset(charset) if charset.name() == "x-user-defined" => {
            Declared::Charset(Charset::WINDOWS_1252)
        }
        declared => declared,
    })
}

/// The label that "extracting a character encoding from a meta element" finds (HTML Standard 2.5.5).
/// `content` is lower case.
pub(crate) fn in_content(content: &[u8]) -> Option<Range<usize>> {
    let mut rest = content;
    let value = loop {
        let at = memchr::memmem::find(rest, b"charset")?;
        rest = rest[at + b"charset".len()..].trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            break value.trim_ascii_start();
        }
    };
    let begin = content.len() - value.len();
    Some(match value.first()? {
        b'"' | b'\'' => begin + 1..begin + 1 + quoted(value)?.0.len(),
        _ => {
            let label = split(value, |byte| is_space(byte) || byte == b';').0;
            begin..begin + label.len()
        }
    })
}

/// The attributes of a tag, in lower case: "get an attribute" (HTML Standard 13.2.3.2) for each.
pub(crate) struct Attributes<'b> {
    rest: &'b [u8],
}

pub(crate) struct Attribute {
    pub name: Vec<u8>,
    pub value: Vec<u8>,
    /// Number of bytes from the start of the value on.
    pub rest: usize,
}

impl<'b> Attributes<'b> {
    pub fn new(rest: &'b [u8]) -> Self {
        Attributes { rest }
    }

    /// Number of bytes that are left.
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// The next attribute; after the last one, `rest` begins with the `>`. The outer `None`: the
    /// bytes end in the tag.
    #[expect(clippy::option_option)]
    pub fn next(&mut self) -> Option<Option<Attribute>> {
        self.skip(|byte| is_space(byte) || byte == b'/');
        if *self.rest.first()? == b'>' {
            return Some(None);
        }
        let name = self.name()?;
        self.skip(is_space);
        let (mut value, mut rest) = (Vec::new(), self.rest.len());
        if *self.rest.first()? == b'=' {
            self.rest = &self.rest[1..];
            self.skip(is_space);
            let is_quoted = matches!(self.rest.first()?, b'"' | b'\'');
            rest = self.rest.len() - usize::from(is_quoted);
            value = self.value()?;
        }
        Some(Some(Attribute { name, value, rest }))
    }

    fn skip(&mut self, skips: impl Fn(u8) -> bool) {
        self.rest = split(self.rest, |byte| !skips(byte)).1;
    }

    /// A name may begin with `=`.
    fn name(&mut self) -> Option<Vec<u8>> {
        let ends = |byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'=');
        let len = 1 + self.rest.get(1..)?.iter().position(|&byte| ends(byte))?;
        Some(self.take(len))
    }

    fn value(&mut self) -> Option<Vec<u8>> {
        let first = *self.rest.first()?;
        if matches!(first, b'"' | b'\'') {
            let (value, rest) = quoted(self.rest)?;
            self.rest = rest;
            return Some(value.to_ascii_lowercase());
        }
        let ends = |&byte: &u8| is_space(byte) || byte == b'>';
        let len = self.rest.iter().position(ends)?;
        Some(self.take(len))
    }

    fn take(&mut self, len: usize) -> Vec<u8> {
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        taken.to_ascii_lowercase()
    }
}
