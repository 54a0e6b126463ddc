//! The text around links that were left, and around mentions of moved hosts, for people who look through them.

use crate::charset::Charset;
use crate::markup::Window;
use std::borrow::Cow;
use std::ops::Range;

/// The most bytes of text on each side.
const AROUND: usize = 60;

/// The most bytes of a link.
const LONGEST_LINK: usize = 240;

/// A link that was left, in the text of its line; see [`Rewriter::excerpts`](super::Rewriter::excerpts).
///
/// ```
/// use linkglot::rewrite::{Form, Rewriter};
///
/// let rewriter = Rewriter::new().to(Form::Uri).excerpts(true);
/// let watched = rewriter.on_link(|outcome, _| {
///     let excerpt = outcome.excerpt.unwrap();
///     assert_eq!(&*excerpt.text, "<a href='/é/{{ x }}'>");
///     assert_eq!(&excerpt.text[excerpt.link.clone()], "/é/{{ x }}");
/// });
/// watched.rewrite_slice("<p>\n<a href='/é/{{ x }}'>\n".as_bytes());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// The text: at most 60 bytes in front of the link and 60 behind it, and 240 of the link itself.
    pub text: Box<str>,
    /// The link in the text, as written.
    pub link: Range<usize>,
}

/// The text in front of a position on its line.
pub(super) fn text_in_front(bytes: &[u8], charset: Charset) -> Cow<'_, str> {
    let front = &bytes[bytes.len().saturating_sub(AROUND)..];
    let line = memchr::memrchr2(b'\n', b'\r', front);
    charset.decode(match line {
        Some(end) => &front[end + 1..],
        None if front.len() < AROUND || front.is_ascii() => front,
        None if charset == Charset::UTF_8 => {
            let is_inside = |byte: &&u8| (**byte & 0xC0) == 0x80;
            &front[front.iter().take_while(is_inside).count()..]
        }
        None => {
            let mut begins = (0..front.len()).filter(|&at| is_character(front, at));
            &front[begins.next().unwrap_or(front.len())..]
        }
    })
}

/// The text behind a position on its line.
pub(super) fn text_behind(bytes: &[u8], charset: Charset) -> Cow<'_, str> {
    let behind = &bytes[..bytes.len().min(AROUND)];
    let line = memchr::memchr2(b'\n', b'\r', behind);
    let behind = &behind[..line.unwrap_or(behind.len())];
    charset.decode(whole_end(behind, AROUND, charset))
}

/// Text that was cut at a length, without the rest of a character at its end.
fn whole_end(text: &[u8], most: usize, charset: Charset) -> &[u8] {
    if text.len() < most || text.is_ascii() {
        return text;
    }
    if charset != Charset::UTF_8 {
        let mut ends = (0..text.len()).rev().filter(|&at| is_character(text, at));
        return &text[..ends.next().map_or(0, |end| end + 1)];
    }
    match std::str::from_utf8(text) {
        Err(error) if error.error_len().is_none() => &text[..error.valid_up_to()],
        _ => text,
    }
}

/// True if a byte is surely a character of its own. In supersets of ASCII no byte below `0` is a part of another
/// character, and other ASCII bytes, except for digits, are only parts behind a byte beyond ASCII.
fn is_character(text: &[u8], at: usize) -> bool {
    let is_last = |byte: &u8| byte.is_ascii() && !byte.is_ascii_digit();
    text[at] < b'0' || at > 0 && is_last(&text[at]) && is_last(&text[at - 1])
}

impl Excerpt {
    /// The link at a range of a window, with the text in front; and whether text behind belongs to it, too.
    pub(super) fn begin(window: &Window<'_>, range: &Range<usize>) -> (Excerpt, bool) {
        let mut text = text_in_front(&window.bytes[..range.start], window.charset).into_owned();
        let start = text.len();
        let raw = &window.bytes[range.clone()];
        let is_whole = raw.len() <= LONGEST_LINK;
        let shown = if is_whole {
            raw
        } else {
            whole_end(&raw[..LONGEST_LINK], LONGEST_LINK, window.charset)
        };
        text += &window.charset.decode(shown);
        let link = start..text.len();
        if !is_whole {
            text.push('\u{2026}');
        }
        let text = text.into();
        (Excerpt { text, link }, is_whole)
    }

    /// Adds the text behind the link, which begins at `at` in a window. False if that is not all in the window.
    pub(super) fn end(&mut self, window: &Window<'_>, at: usize) -> bool {
        let behind = &window.bytes[at..];
        let ends_line = || memchr::memchr2(b'\n', b'\r', behind).is_some();
        if behind.len() < AROUND && !window.last && !ends_line() {
            return false;
        }
        let text = text_behind(behind, window.charset);
        self.text = format!("{}{text}", self.text).into();
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::Charset;
    use crate::document::Settings;
    use crate::rewrite::testing::Chunks;
    use crate::rewrite::{Excerpt, Form, Outcome, Rewriter};
    use std::io;

    fn marked(excerpt: &Excerpt) -> String {
        let (text, link) = (&excerpt.text, excerpt.link.clone());
        let (front, behind) = (&text[..link.start], &text[link.end..]);
        format!("{front}[{}]{behind}", &text[link])
    }

    /// The excerpts of a document, with the links marked; the same from a reader, and in order with other links.
    fn excerpts(bytes: &[u8], charset: Charset) -> Vec<String> {
        let mut settings = Settings::default();
        settings.charset = Some(charset);
        let rewriter = Rewriter::new()
            .to(Form::Uri)
            .settings(settings)
            .excerpts(true);
        let mut all = Vec::new();
        let mut starts = Vec::new();
        let mut see = |outcome: &Outcome<'_>| {
            starts.push(outcome.link.span().start);
            all.extend(outcome.excerpt.map(marked));
        };
        rewriter
            .clone()
            .on_link(|outcome, _| see(outcome))
            .rewrite_slice(bytes);
        assert!(starts.is_sorted());
        for chunk in [1, 7, 61, 4096] {
            let mut again = Vec::new();
            let mut see = |outcome: &Outcome<'_>| {
                again.extend(outcome.excerpt.map(marked));
            };
            let watched = rewriter.clone().on_link(|outcome, _| see(outcome));
            watched
                .rewrite(&mut Chunks(bytes, chunk), &mut io::sink())
                .expect("a document");
            assert_eq!(again, all, "{chunk}");
        }
        all
    }

    #[test]
    fn a_link_stands_in_its_line() {
        let page = "<p>\n<b>é <a href='/é/{{ x }}'>ü</a> <a href='/é'>\n<a href='/{{ y }}/é'>";
        let expected = [
            "<b>é <a href='[/é/{{ x }}]'>ü</a> <a href='/é'>",
            "<a href='[/{{ y }}/é]'>",
        ];
        for name in ["utf-8", "windows-1252", "utf-16le", "gb18030"] {
            let charset = Charset::for_label(name).expect("a label");
            let mut bytes = Vec::new();
            charset.encode(page, &mut bytes).expect("all letters");
            assert_eq!(excerpts(&bytes, charset), expected, "{name}");
        }
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let word = "語".repeat(50);
        let page = format!(
            "<a title='{word} ' href='/é/{{{{{}}}}}' title=' {word}'>",
            "x".repeat(300)
        );
        let charset = Charset::for_label("shift_jis").expect("a label");
        for charset in [Charset::UTF_8, charset] {
            let mut bytes = Vec::new();
            let page = page.replace(
                'é',
                if charset == Charset::UTF_8 {
                    "é"
                } else {
                    "ア"
                },
            );
            charset.encode(&page, &mut bytes).expect("all letters");
            let found = excerpts(&bytes, charset);
            let [excerpt] = &found[..] else {
                panic!("{found:?}");
            };
            assert!(!excerpt.contains('\u{FFFD}'), "{excerpt}");
            assert!(excerpt.contains(" ' href='[/"), "{excerpt}");
            assert!(excerpt.ends_with("xxx]\u{2026}"), "{excerpt}");
        }
    }

    /// Links without a request have no text around them.
    #[test]
    fn excerpts_are_made_on_request() {
        let rewriter = Rewriter::new().to(Form::Uri);
        let watched = rewriter.on_link(|outcome, _| assert!(outcome.excerpt.is_none()));
        assert_eq!(
            watched
                .rewrite_slice("<a href='/é/{{ x }}'>".as_bytes())
                .left(),
            1
        );
    }
}
