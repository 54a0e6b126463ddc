//! Reasons in the document around a link to leave it: passes of [`passes`](super::passes).

use super::plan::{Asked, Planner};
use crate::charset::{Charset, PartCharset};
use crate::format::Format;
use crate::link::{Dialect, Info, WindowLink, assumed_charset, scheme_of};
use crate::markup::{Escaping, Holes, PlaceKind, Syntax};
use crate::notes::Note;
use crate::read::SlotRead;
use crate::scan::{Evidence, doubtful_end};

/// The document around is not written.
pub(super) fn left_document(planner: &mut Planner<'_>, _: &Asked<'_, '_, '_>) -> Option<Note> {
    planner.left()
}

/// The text may not be a link.
pub(super) fn little_evidence(
    planner: &mut Planner<'_>,
    asked: &Asked<'_, '_, '_>,
) -> Option<Note> {
    planner.is_guess(asked.found).then_some(Note::LeftName)
}

/// The value of `xmlns` in the text of a document or of a program, or the URI of a tag library of JSP, is a name.
pub(super) fn name_in_text(_: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    let before = &asked.read.window.bytes[..asked.found.range.start];
    is_name_behind(before).then_some(Note::LeftIdentifier)
}

/// True if a name stands behind these bytes: `xmlns:a="`, in any escapes, or `<%@ taglib uri="`.
fn is_name_behind(before: &[u8]) -> bool {
    /// The longest name of an attribute that is looked at, with what may stand behind it.
    const NEAR: usize = 128;
    /// The most bytes of a directive in front of the link.
    const DIRECTIVE: usize = 512;
    let near = &before[before.len().saturating_sub(NEAR)..];
    let Some(named) = without_quotes(near) else {
        return false;
    };
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.:".contains(byte);
    let length = named.iter().rev().take_while(|byte| is_part(byte)).count();
    let (front, name) = named.split_at(named.len() - length);
    // `%20xmlns` in a data URI.
    let name = match name {
        [_, _, rest @ ..] if front.ends_with(b"%") => rest,
        name => name,
    };
    if name == b"xmlns" || name.starts_with(b"xmlns:") {
        return true;
    }
    if name != b"uri" {
        return false;
    }
    let directive = &before[before.len().saturating_sub(DIRECTIVE)..];
    let begin = memchr::memmem::rfind(directive, b"<%@");
    begin.is_some_and(|at| {
        let inside = &directive[at..];
        let has = |text: &[u8]| memchr::memmem::find(inside, text).is_some();
        has(b"taglib") && !has(b"%>")
    })
}

/// The bytes in front of the opening quotation mark of a value and its equals sign, or colon in data; `None` if there
/// is no such mark.
fn without_quotes(mut bytes: &[u8]) -> Option<&[u8]> {
    const QUOTES: [&[u8]; 9] = [
        b"\\", b"\"", b"'", b"&quot;", b"&apos;", b"&#34;", b"&#39;", b"%22", b"%27",
    ];
    const SIGNS: [&[u8]; 3] = [b"=", b":", b"%3D"];
    let stripped = |bytes: &mut &[u8], marks: &[&[u8]]| {
        let start = bytes.len();
        while let Some(rest) = marks.iter().find_map(|mark| bytes.strip_suffix(*mark)) {
            *bytes = rest;
        }
        bytes.len() < start
    };
    if !stripped(&mut bytes, &QUOTES) {
        return None;
    }
    bytes = bytes.trim_ascii_end();
    let sign = SIGNS.iter().find_map(|sign| bytes.strip_suffix(*sign))?;
    bytes = sign.trim_ascii_end();
    stripped(&mut bytes, &QUOTES);
    Some(bytes)
}

/// A hyphen behind the link cuts it off at the end of the line. A hyphen in the link belongs to it (RFC 3986 appendix
/// C), and stays at its end: the link may go on in the next line.
pub(super) fn cut_by_hyphen(_: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    let keeps_hyphen = asked.found.text.text().ends_with('-') && asked.new.ends_with('-');
    let is_cut = asked.found.notes.contains(Note::Hyphenated) && !keeps_hyphen;
    is_cut.then_some(Note::LeftHyphenated)
}

/// Words and signs at the end of a link in text may not belong to it, unless the link is enclosed. Words do if a blank
/// stands behind the link, or blanks and line ends around it: a writer who parts words by none puts them there for the
/// link. A change that keeps the end is right in either case. One that brings such an end could not be undone.
pub(super) fn glued_words(_: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    let (slot, found) = (&asked.read.slot.range, asked.found);
    if found.evidence >= Evidence::Enclosed {
        return None;
    }
    let link = found.text.text();
    let end = |text| doubtful_end(text).map(|at| &text[at..]);
    let end = end(link).or_else(|| end(asked.new))?;
    let is_kept = link.ends_with(end) && asked.new.ends_with(end);
    let bytes = asked.read.window.bytes;
    let before = &bytes[slot.start..found.range.start];
    let behind = &bytes[found.range.end..slot.end];
    let (before, behind) = (before.last(), behind.first());
    let is_free = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    let is_parted = matches!(behind, Some(b' ' | b'\t')) || is_free(before) && is_free(behind);
    let is_parted = is_parted && end.starts_with(char::is_alphabetic);
    (!is_kept && !is_parted).then_some(Note::LeftGlued)
}

/// A mark of an array of PostgreSQL in the new link, which stands in one without quotation marks
/// (`'{http://a.example/}'`), would part it.
pub(super) fn in_array(_: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    /// The most bytes in front of a link in which its element is expected to begin.
    const MOST: usize = 1024;
    let is_sql = matches!(
        asked.read.slot.escaping,
        Escaping::SqlString(_) | Escaping::SqlDollar | Escaping::SqlCopy
    );
    let marks = |text: &str| {
        text.bytes()
            .filter(|byte| b",{}\"\\".contains(byte))
            .count()
    };
    if !is_sql || marks(asked.new) <= marks(asked.found.text.text()) {
        return None;
    }
    let slot = asked.read.slot.range.clone();
    let value = asked.read.window.bytes[slot.clone()].trim_ascii();
    let at = asked.found.range.start;
    let before = &asked.read.window.bytes[slot.start.max(at.saturating_sub(MOST))..at];
    let begin = memchr::memrchr3(b'"', b',', b'{', before).map(|begin| before[begin]);
    let is_array = value.starts_with(b"{") && value.ends_with(b"}") && begin != Some(b'"');
    is_array.then_some(Note::LeftUnencodable)
}

/// Three tildes become the name of the user who saves the page of a wiki, and a word between two underscores on either
/// side (`__TOC__`) is a switch, also within links.
pub(super) fn mark_of_wiki(_: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    let layers = asked.found.context.layers;
    let is_wiki =
        |layer: &Escaping| matches!(layer, Escaping::Wikitext | Escaping::WikitextParameter);
    if !layers.as_slice().iter().any(is_wiki) {
        return None;
    }
    let old = asked.found.text.text();
    let has_switch = |text: &str| {
        let mut words = text.split("__").skip(1).peekable();
        let is_word = |word: &str| !word.is_empty() && word.chars().all(char::is_alphabetic);
        std::iter::from_fn(|| words.next().filter(|_| words.peek().is_some())).any(is_word)
    };
    let has_mark = |text: &str| text.contains("~~~") || has_switch(text);
    (has_mark(asked.new) && !has_mark(old)).then_some(Note::LeftUnencodable)
}

/// Text in front of a link without a scheme may belong to it: the end of template code is a part of its host, and a
/// scheme behind `//` or `s3:` would be a second one.
pub(super) fn text_in_front(_: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    asked.found.implied.filter(|scheme| *scheme != "mailto")?;
    let before = &asked.read.window.bytes[..asked.found.range.start];
    let gets_scheme = || scheme_of(asked.new).is_some_and(|scheme| !scheme.contains('.'));
    match before {
        [.., b'}'] | [.., b'%' | b'?', b'>'] => Some(Note::LeftTemplate),
        [.., b'/' | b':' | b'\\'] if gets_scheme() => Some(Note::LeftTargetWouldChange),
        _ => None,
    }
}

/// Text behind the link may go on with its host or port: a place holder (`{{port}}`, `:80%d`, `-{env}`), a word, or
/// another label behind a full stop of East Asia; or code of PHP or JSX may go on with its last part. An address may be
/// the beginning of a file on a host (`git@a.example:b.git`).
pub(super) fn text_behind(_: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    let link = asked.found.text.text();
    let window = &asked.read.window;
    let behind = &window.bytes[asked.found.range.end..];
    let is_php = behind.starts_with(b"<?=") || behind.starts_with(b"<?php");
    // Text of JSX ends in front of an expression.
    let slot = &asked.read.slot;
    let ends = || slot.escaping == Escaping::HtmlText && slot.range.end == asked.found.range.end;
    let is_jsx = begins_expression(behind) && ends();
    if (is_php || is_jsx) && !link.ends_with('/') {
        return Some(Note::LeftTemplate);
    }
    let slashes = link.as_bytes().windows(2).position(|two| two == b"//");
    let authority = match slashes {
        Some(at) => &link[at + 2..],
        None if asked.found.implied == Some("https") => link,
        None => {
            let names_file = asked.found.implied == Some("mailto") && begins_file(behind);
            return names_file.then_some(Note::LeftTemplate);
        }
    };
    // A string of a program is whole where it is used, unless place holders are filled in.
    let is_literal = asked.found.context.layers.have_literal();
    let ends_host = |byte: &u8| matches!(byte, b'/' | b'?' | b'#');
    let end = authority.as_bytes().iter().position(ends_host);
    let host = &authority[..end.unwrap_or(authority.len())];
    let ends_with_host = host.len() == authority.len();
    let fills_in = || host.contains(['{', '$']) || ends_with_host && opens_code(behind);
    // A template of a wiki behind a link adds a mark as a rule, as `{{dead link}}` does.
    let is_wiki = asked
        .found
        .context
        .layers
        .as_slice()
        .iter()
        .any(|layer| matches!(layer, Escaping::Wikitext | Escaping::WikitextParameter));
    let is_code = opens_code(behind) && !begins_path(behind);
    // `#{` begins code of Ruby.
    let is_ruby = authority[host.len()..].starts_with("#{");
    let has_code = || is_ruby || ends_with_host && !is_wiki && is_code;
    let has_label = || ends_with_host && begins_label(behind, window.charset);
    let is_filled_in = is_literal && fills_in();
    let is_open = is_filled_in || goes_on(authority, behind) || has_code() || has_label();
    is_open.then_some(Note::LeftTemplate)
}

/// True if an expression of JSX follows, but a comment, or text that begins with a space (`{" "}`).
fn begins_expression(behind: &[u8]) -> bool {
    let Some(inside) = behind.strip_prefix(b"{") else {
        return false;
    };
    match inside.trim_ascii_start() {
        [b'}', ..] | [b'/', b'*', ..] => false,
        [b'"' | b'\'' | b'`', first, ..] => !first.is_ascii_whitespace(),
        _ => true,
    }
}

/// True if a path of a file follows a host, as in addresses of git and scp.
fn begins_file(behind: &[u8]) -> bool {
    matches!(behind, [b':', next, ..] if next.is_ascii_alphanumeric() || b"/~._".contains(next))
}

/// True if a text begins with a variable of a server that has a path.
fn begins_path(text: &[u8]) -> bool {
    const PATHS: [&[u8]; 4] = [
        b"$request_uri",
        b"$uri",
        b"$document_uri",
        b"%{REQUEST_URI}",
    ];
    PATHS.iter().any(|path| text.starts_with(path))
}

/// True if a label of a host may follow behind another form of the dot (UTS #46), or behind a dot leader, whose
/// compatibility form is a dot. Behind a full stop that ends a sentence stands no Latin letter or digit as a rule.
fn begins_label(behind: &[u8], charset: Charset) -> bool {
    /// The most bytes of two characters, with escapes of ISO-2022.
    const NEAR: usize = 16;
    if behind.first().is_none_or(|first| first.is_ascii_graphic()) {
        return false;
    }
    let near = charset.decode(&behind[..behind.len().min(NEAR)]);
    let mut chars = near.chars();
    let is_dot = matches!(
        chars.next(),
        Some('\u{3002}' | '\u{FF0E}' | '\u{FF61}' | '\u{2024}')
    );
    is_dot
        && chars
            .next()
            .is_some_and(|next| next.is_ascii_alphanumeric())
}

/// A brace that is new in a string of a program is a directive where a function reads the string as a format
/// (`println!`, `.format`), and code in text of JSX and in languages such as Svelte.
pub(super) fn new_braces(planner: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    let layers = asked.found.context.layers;
    let layers = layers.as_slice();
    let is_format = |layer: &Escaping| match layer {
        // Braces of other literals are escaped, or are refused where they are written.
        Escaping::Literal(style) => style.escapes.is_of_source() && style.holes == Holes::None,
        _ => false,
    };
    let is_jsx = planner.format == Format::JavaScript && layers == [Escaping::HtmlText];
    let is_code = planner.dialect == Dialect::Braces || is_jsx || layers.iter().any(is_format);
    let braces = |text: &str| memchr::memchr2_iter(b'{', b'}', text.as_bytes()).count();
    let is_new = || braces(asked.new) > braces(asked.found.text.text());
    (is_code && is_new()).then_some(Note::LeftTemplate)
}

/// A name behind a brace is code (`f"{data.name}"`), but not in groups of TeX and RTF.
pub(super) fn name_in_code(_: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    let before = &asked.read.window.bytes[..asked.found.range.start];
    let has_groups = matches!(
        asked.read.slot.escaping,
        Escaping::Tex(_) | Escaping::Rtf(_)
    );
    let is_name = asked.found.evidence == Evidence::Name;
    let is_in_code = is_name && !has_groups && before.ends_with(b"{");
    is_in_code.then_some(Note::LeftTemplate)
}

/// A name that is a whole value, or stands in settings or scripts, may name a host (`"host": "old.example"`), which has
/// no path.
pub(super) fn name_of_value(planner: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    let found = asked.found;
    // A quick test, for most links.
    found.implied.filter(|scheme| *scheme == "https")?;
    let has_path = |text: &str| text.contains(['/', '?', '#']);
    let is_setting = matches!(
        planner.dialect,
        Dialect::Specifiers
            | Dialect::Ini
            | Dialect::Script
            | Dialect::PowerShell
            | Dialect::Nix
            | Dialect::Percents
            | Dialect::Makefile
    );
    let is_name = !has_path(found.text.text()) && (found.context.is_whole_value || is_setting);
    (is_name && has_path(asked.new)).then_some(Note::LeftIdentifier)
}

/// The old name is a link without rules, the new one only because rules name it; or, in Markdown, GitHub links the old
/// name alone (GFM 6.9: behind `www.`).
pub(super) fn name_of_rules(planner: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    asked.found.implied.filter(|scheme| *scheme == "https")?;
    let syntax = asked.read.slot.syntax;
    let is_markdown =
        syntax.is_light_markup() && syntax != Syntax::Rst || syntax == Syntax::MarkdownString;
    let is_linked = |text: &str| text.starts_with("www.") || scheme_of(text).is_some();
    if is_markdown && is_linked(asked.found.text.text()) && !is_linked(asked.new) {
        return Some(Note::LeftNotRefound);
    }
    let scanner = &planner.mapper.scanner;
    let is_link = |text: &str| {
        let first = scanner.links(text).next();
        first.is_some_and(|hit| (hit.span.start, hit.span.end) == (0, text.len()))
    };
    (!is_link(asked.new) && is_link(asked.found.text.text())).then_some(Note::LeftNotRefound)
}

/// True if an authority that ends a link may go on behind it.
fn goes_on(authority: &str, behind: &[u8]) -> bool {
    if authority.contains(['/', '?', '#']) {
        return false;
    }
    let has_port =
        || authority.ends_with(|ch: char| ch.is_ascii_digit()) && authority.contains(':');
    match behind {
        // A host without a scheme would be one.
        [b':', b'/', b'/', ..] => true,
        [b':', next, ..] => next.is_ascii_alphanumeric() || b"{$%<#*[(_".contains(next),
        [b'.' | b'-', rest @ ..] => opens_code(rest),
        rest => has_port() && opens_code(rest),
    }
}

/// True if a text begins with code, or a directive of a format string.
fn opens_code(text: &[u8]) -> bool {
    match text {
        [b'{', ..] | [b'#', b'{', ..] | [b'<', b'%' | b'?', ..] => true,
        [b'$' | b'%', next, ..] => next.is_ascii_alphabetic() || b"{(_".contains(next),
        _ => false,
    }
}

/// A signature covers the link, or a digest in the policy of the page (CSP 3 6.7.3.3).
pub(super) fn signature(planner: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    let kind = || asked.found.context.place.kind;
    let is_signed = planner.has_hashes && matches!(kind(), PlaceKind::Css | PlaceKind::Script)
        || planner.is_signed(asked.read, asked.found, asked.input);
    is_signed.then_some(Note::LeftSigned)
}

/// The text around the link is the name of a column, by which formulas of the workbook refer to it.
pub(super) fn name_of_column(planner: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    let is_head = planner.is_head(asked.reader, asked.read);
    is_head.then_some(Note::LeftUnencodable)
}

/// A length covers the link, or escapes that are not read may go on in it.
pub(super) fn second_grammar(planner: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    planner.second_grammar(asked.reader, asked.read, asked.found)
}

/// The link, or its new text, rests on a charset that is a guess.
pub(super) fn guessed_charset(
    planner: &mut Planner<'_>,
    asked: &Asked<'_, '_, '_>,
) -> Option<Note> {
    planner.doubt(asked.read, asked.found, asked.new)
}

/// The charset would be guessed otherwise with the new links.
pub(super) fn other_guess_of_charset(
    planner: &mut Planner<'_>,
    _: &Asked<'_, '_, '_>,
) -> Option<Note> {
    (!planner.keeps_charset).then_some(Note::LeftCharsetWouldChange)
}

/// The format would be found otherwise with the new links of the head.
pub(super) fn other_guess_of_format(
    planner: &mut Planner<'_>,
    asked: &Asked<'_, '_, '_>,
) -> Option<Note> {
    let is_in_head = || is_in_head(asked.read, asked.found);
    (!planner.keeps_format && is_in_head()).then_some(Note::LeftFormatWouldChange)
}

/// The part around the link declares another charset, in which the bytes of the link may mean something else.
pub(super) fn other_charset_of_part(
    planner: &mut Planner<'_>,
    asked: &Asked<'_, '_, '_>,
) -> Option<Note> {
    let declared = planner.declared.as_mut()?.at(asked.start())?;
    let known = match declared {
        PartCharset::Known(charset) => Some(*charset),
        PartCharset::Unknown(label) => assumed_charset(&planner.assumed_charsets, label),
    };
    let is_ascii = || asked.new.is_ascii() && asked.raw().is_ascii();
    let is_other = known.is_none_or(|charset| charset != planner.script.charset && !is_ascii());
    is_other.then_some(Note::LeftOtherCharset)
}

/// White space in the link is read in two ways: as spaces in attributes of XML (XML 1.0 section 3.3.3), or dropped as
/// in URLs (URL Standard 4.4). That is so in XHTML that may be published as HTML, and in processing instructions
/// (Associating Style Sheets with XML documents, section 3, does not say it).
pub(super) fn doubtful_space(planner: &mut Planner<'_>, asked: &Asked<'_, '_, '_>) -> Option<Note> {
    let is_doubtful = match asked.found.context.layers.as_slice().first() {
        Some(Escaping::XmlAttribute(_) | Escaping::XhtmlAttribute(_)) => planner.may_be_html,
        Some(Escaping::XmlInstruction(_)) => true,
        _ => false,
    };
    let is_space = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r');
    (is_doubtful && asked.raw().iter().any(is_space)).then_some(Note::LeftTargetWouldChange)
}

/// True if a link may stand in the bytes that give the format. A view has at most twice as many bytes as the source.
fn is_in_head(read: &SlotRead<'_>, found: &WindowLink<'_>) -> bool {
    read.origin + (found.range.start as u64) < 2 * Info::HEAD as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authorities_that_go_on() {
        for (authority, behind, expected) in [
            ("a.example", ":{port}/", true),
            ("a.example", ":$PORT", true),
            ("a.example", ":PORT/", true),
            ("a.example", ":99999/", true),
            ("a.example", "://b.example", true),
            ("a.example:80", "%d/", true),
            ("a.example:80", "{x}", true),
            ("a.example", ".{tld}/", true),
            ("a.example", "-${env}", true),
            ("a.example", ": see", false),
            ("a.example", ":", false),
            ("a.example", ":/", false),
            ("a.example", ".", false),
            ("a.example", ".<br>", false),
            ("a.example", " - {x}", false),
            ("a.example", "{path}", false),
            ("a.example", "$request_uri", false),
            ("a.example:80", ", 100%", false),
            ("a.example/b", ":{c}", false),
        ] {
            let found = goes_on(authority, behind.as_bytes());
            assert_eq!(found, expected, "{authority}{behind}");
        }
    }

    #[test]
    fn labels_behind_other_dots() {
        for (behind, label, expected) in [
            ("．b.example", "utf-8", true),
            ("。b.example", "utf-8", true),
            ("。b.example", "shift_jis", true),
            ("。b.example", "utf-16le", true),
            ("｡b", "utf-8", true),
            ("․b", "utf-8", true),
            ("。次", "utf-8", false),
            ("。", "utf-8", false),
            (".b", "utf-8", false),
            ("", "utf-8", false),
        ] {
            let charset = Charset::for_label(label).unwrap();
            let mut bytes = Vec::new();
            charset.encode(behind, &mut bytes).unwrap();
            assert_eq!(begins_label(&bytes, charset), expected, "{behind} {label}");
        }
    }

    #[test]
    fn names_in_text() {
        for (before, expected) in [
            ("<svg xmlns=\"", true),
            ("<svg xmlns:xlink = '", true),
            (r#"a = "<svg xmlns=\""#, true),
            (r#""<svg xmlns=\\\""#, true),
            ("&lt;svg xmlns=&quot;", true),
            ("data:image/svg+xml,%3Csvg xmlns='", true),
            ("%3Csvg%20xmlns%3D%22", true),
            ("{\"xmlns\": \"", true),
            ("{xmlns:'", true),
            ("<%@ taglib prefix=\"c\" uri=\"", true),
            ("<%@ taglib %><a uri=\"", false),
            ("<a uri=\"", false),
            ("<a href=\"", false),
            ("xmlns ", false),
            ("see ", false),
            ("", false),
            ("\"", false),
        ] {
            assert_eq!(is_name_behind(before.as_bytes()), expected, "{before}");
        }
    }
}
