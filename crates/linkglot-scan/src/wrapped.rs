//! Hard wraps: guesses whether the link at the end of a line goes on in the next line.
//!
//! The guess rests on the link and the word behind the break alone.

use super::tail::pairs;
use super::{Kind, classes};
use unicode_width::UnicodeWidthStr;

/// Columns from which on a piece of a link has reached the margin of its line.
const LONG: usize = 40;
/// Columns from which on a piece fills its line, wherever the margin is.
const FULL: usize = 60;
/// The most columns that lines have when they are cut in two, with few exceptions.
const MARGIN: usize = 80;

/// A link in front of a line break, and the first word behind it.
pub(super) struct Wrap<'a> {
    pub(super) link: &'a str,
    /// The part of the link in the last line.
    pub(super) piece: &'a str,
    /// The punctuation between the link and the break.
    pub(super) punctuation: &'a str,
    /// True if typography put a hyphen in front of the break.
    pub(super) is_hyphenated: bool,
    pub(super) word: &'a str,
    /// The kind of the link that the word begins with, read alone.
    pub(super) own: Option<Kind>,
    pub(super) is_indented: bool,
    pub(super) is_behind_blank: bool,
    /// True if the word stands alone in its line.
    pub(super) is_alone: bool,
}

/// A character at a break that joins the parts of a link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    None,
    /// A slash, which may end a link as well.
    Slash,
    /// A mark that hardly ever ends a link or begins a word.
    Other,
}

impl Wrap<'_> {
    /// True if a reader would think that a line was cut in two here.
    pub(super) fn is_likely(&self) -> bool {
        !self.is_behind_blank && may_go_on(self.word) && self.is_one_link() && self.is_cut()
    }

    /// True if the word is no link of its own. A domain behind a mark that hardly ever ends a link may be part of a
    /// path.
    fn is_one_link(&self) -> bool {
        match self.own {
            None => true,
            Some(Kind::Domain) if self.is_hyphenated => true,
            Some(Kind::Domain) => self.joint() == Joint::Other && self.piece.width() >= LONG,
            Some(_) => false,
        }
    }

    fn is_cut(&self) -> bool {
        if self.is_hyphenated {
            return self.punctuation.is_empty();
        }
        let word = self
            .word
            .trim_end_matches(|ch: char| ".,;:!?)>]}\"'".contains(ch));
        if !has_path(self.link) {
            let is_path = word.len() > 1 && word.starts_with(['/', '?', '#']);
            return self.punctuation.is_empty() && is_path;
        }
        let length = self.piece.width();
        let fills_line = (FULL..=MARGIN).contains(&length);
        match (looks_like_path(word), self.joint()) {
            (true, Joint::Slash) => !is_root(self.piece) || length >= LONG,
            (true, Joint::Other) => true,
            (true, Joint::None) => {
                let is_path = |ch: char| "/?&=%#.".contains(ch) || ch.is_ascii_digit();
                // Marks of other scripts than ASCII end sentences; a dot may belong to the link.
                let is_dot = matches!(self.punctuation.as_bytes(), [] | [_]);
                is_dot && length >= FULL && !has_extension(self.piece) && word.contains(is_path)
            }
            (false, Joint::Slash) => self.is_alone && fills_line,
            (false, Joint::Other) => self.is_alone || length >= LONG,
            (false, Joint::None) => {
                let is_whole = !self.punctuation.is_empty() || has_extension(self.piece);
                self.is_alone && fills_line && !is_whole && !is_title(word)
            }
        }
    }

    /// The character that joins the piece and the word.
    fn joint(&self) -> Joint {
        let begins = match self.word.as_bytes() {
            [b'/', ..] => !self.is_indented,
            [b'?' | b'&' | b'=' | b'#', ..] => true,
            _ => false,
        };
        match self.punctuation {
            "" if begins => Joint::Other,
            "" if self.piece.ends_with('/') => Joint::Slash,
            "" if self.piece.ends_with(|ch| "-_&=%+~#".contains(ch)) => Joint::Other,
            "?" if self.word.contains('=') => Joint::Other,
            _ => Joint::None,
        }
    }
}

/// True if a word behind white space in delimiters may belong to the link in front of it, which ends with `piece`: a
/// separator of the link stands at one side, or the piece reached the margin.
pub(super) fn may_follow(piece: &str, word: &str, is_broken: bool) -> bool {
    let is_joint = piece.ends_with(separates)
        || word.starts_with(separates) && !is_number_sign(word)
        || is_broken && piece.width() >= LONG;
    !word.is_empty() && is_joint && !(is_broken && begins_line_of_code(word))
}

/// True if a word in delimiters is another link than the one in front of it. `own`: the kind of the link that the word
/// begins with, read alone.
pub(super) fn is_other_link(word: &str, own: Option<Kind>) -> bool {
    own.is_some_and(|kind| kind != Kind::Domain || begins_with(word, "www."))
}

/// True if a piece is a scheme, an authority and a slash: the link may be complete.
fn is_root(piece: &str) -> bool {
    let behind = piece.split_once("://").map_or(piece, |(_, rest)| rest);
    behind.find('/') == behind.len().checked_sub(1)
}

/// True if a piece ends with the extension of a file's name: the link may be complete.
fn has_extension(piece: &str) -> bool {
    let last = piece.rsplit('/').next().unwrap_or("");
    last.rsplit_once('.').is_some_and(|(name, ending)| {
        let letters = ending.bytes().all(|b| b.is_ascii_alphanumeric());
        !name.is_empty() && letters && (2..6).contains(&ending.len())
    })
}

/// True if a word may be the rest of a link: it has letters or digits, opens no bracket, and is no mark of a list.
fn may_go_on(word: &str) -> bool {
    let opens = word.starts_with(|ch: char| "<([{\"'`*|".contains(ch) || classes::is_opening(ch));
    let is_rule = word.starts_with("--") || word.starts_with("==");
    let is_label = word.ends_with(':');
    let has_letters = word.contains(char::is_alphanumeric);
    has_letters && !opens && !is_rule && !is_label && !begins_line_of_code(word)
}

/// True if a word at the start of a line is a request of roff (`.PP`), the number of an issue (`#12`) or a character
/// reference (`&#x3C;`), or begins a comment or a line for a preprocessor (`#define`).
fn begins_line_of_code(word: &str) -> bool {
    match word.as_bytes() {
        [b'.', next, ..] => next.is_ascii_alphabetic(),
        [b'#', ..] | [b'&', b'#', ..] => true,
        _ => false,
    }
}

/// True if a word begins with an ASCII text, in any case.
fn begins_with(word: &str, begin: &str) -> bool {
    word.get(..begin.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(begin))
}

/// True for the number of an issue: `#12`.
fn is_number_sign(word: &str) -> bool {
    let number = word.strip_prefix('#').unwrap_or("");
    number.starts_with(|ch: char| ch.is_ascii_digit())
        && !number.contains(|ch: char| ch.is_ascii_alphabetic())
}

/// True if a word has signs of a path or query that words of a sentence lack.
fn looks_like_path(word: &str) -> bool {
    let count = |of: fn(char) -> bool| word.chars().filter(|&ch| of(ch)).count();
    let digits = count(|ch| ch.is_ascii_digit());
    let is_ordinal = ["st", "nd", "rd", "th"]
        .iter()
        .any(|end| word.ends_with(end));
    let is_file = word.rsplit_once('.').is_some_and(|(name, ending)| {
        let is_number = ending.starts_with(|ch: char| ch.is_ascii_digit());
        name.width() > 1 && ending.width() > 1 && !is_number
    });
    word.contains(|ch| "/?&=%#_~+".contains(ch))
        || count(|ch| ch == '-') > 1
        || digits > 1 && digits < word.len() && !is_ordinal
        || is_file
}

/// True for a capital with small letters behind it, which begins a sentence.
fn is_title(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_uppercase) && chars.all(char::is_lowercase)
}

/// True if the link has more than scheme and authority.
fn has_path(link: &str) -> bool {
    let behind = link.split_once("://").map_or(link, |(_, rest)| rest);
    let opaque = !link.contains("://") && link.contains(':') && !link.contains('.');
    opaque || behind.contains(['/', '?', '#'])
}

/// True for an opening delimiter, which a closing one behind the link matches.
pub(super) fn opens(ch: char) -> bool {
    "\"'([{>".contains(ch) || "“‘„‚«‹「『（".contains(ch)
}

pub(super) fn closes(open: char, ch: char) -> bool {
    match open {
        '"' | '\'' => ch == open,
        '>' => ch == '<',
        _ => classes::opener(ch) == Some(open) || pairs(open, ch),
    }
}

/// True for a character that separates components and fields of a link.
pub(super) fn separates(ch: char) -> bool {
    "/?#&=%-_+~".contains(ch)
}
