//! What characters are to a link that is read straight on, in tables.

use super::super::classes::{
    CLOSE, Classes, GLUE, HARD, HOST, INCLUDE, INVISIBLE, QUOTE, SOFT, TERM,
};
use super::super::host::LOOSE;
use std::sync::OnceLock;

/// What a character is behind a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// It belongs to the link.
    Take,
    /// It belongs to the link if one that does follows.
    Wait,
    /// The same, unless another link begins behind it.
    Clause,
    /// The link ends in front of it.
    Stop,
    /// The link ends in front of it if that is behind ASCII.
    Mark,
    /// It belongs to the link unless it may begin a particle behind ASCII.
    Kana,
    /// The same behind a letter or digit.
    Hangul,
    /// It belongs to the link or begins a reference.
    Reference,
    /// More must be known.
    Look,
}

/// What a character is in a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Host {
    Letter,
    /// A letter of a script whose words may be glued to a host.
    Glue,
    Hyphen,
    Dot,
    /// What stands behind a host.
    End,
    /// More must be known.
    Look,
}

/// Both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) tail: Tail,
    pub(super) host: Host,
}

/// Which bytes are ASCII and belong to a link, and which are ASCII letters and digits of a host.
pub(super) static TAKEN: [bool; 256] = taken();
pub(super) static LETTERS: [bool; 256] = letters();

const fn taken() -> [bool; 256] {
    let mut taken = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        taken[byte] = matches!(ascii_tail(byte as u8), Tail::Take);
        byte += 1;
    }
    taken
}

const fn letters() -> [bool; 256] {
    let mut letters = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        letters[byte] = matches!(ascii_host(byte as u8), Host::Letter);
        byte += 1;
    }
    letters
}

/// Those of ASCII.
pub(super) static ASCII: [Step; 128] = ascii();

const fn ascii() -> [Step; 128] {
    let look = Step {
        tail: Tail::Look,
        host: Host::Look,
    };
    let mut steps = [look; 128];
    let mut byte = 0;
    while byte < 128 {
        steps[byte] = Step {
            tail: ascii_tail(byte as u8),
            host: ascii_host(byte as u8),
        };
        byte += 1;
    }
    steps
}

const fn ascii_tail(byte: u8) -> Tail {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'%' | b'/' => Tail::Take,
        b'_' | b'~' | b'=' | b'+' | b'@' | b'$' | b'#' | b'^' => Tail::Take,
        b'.' | b'?' | b'!' | b':' => Tail::Wait,
        b',' | b';' => Tail::Clause,
        // No bracket that opened in the link is left to be closed.
        0..=b' ' | 0x7F | b')' | b']' | b'}' | b'>' => Tail::Stop,
        b'&' => Tail::Reference,
        _ => Tail::Look,
    }
}

const fn ascii_host(byte: u8) -> Host {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Host::Letter,
        b'-' => Host::Hyphen,
        b'.' => Host::Dot,
        b'/' | b'?' | b'#' | b' ' | b'\n' | b'\r' => Host::End,
        _ => Host::Look,
    }
}

/// Those of a page of 256 characters.
type Page = Box<[Step; 256]>;

/// The step of a character; those beyond the Basic Multilingual Plane take a closer look. A page is
/// worked out when one of its characters is asked for.
#[inline]
pub(super) fn of(ch: u32) -> Step {
    static PAGES: [OnceLock<Page>; 256] = [const { OnceLock::new() }; 256];
    let page = PAGES.get((ch >> 8) as usize);
    let page = page.map(|page| page.get_or_init(|| page_of(ch >> 8)));
    page.map_or(LOOK, |page| page[(ch & 0xFF) as usize])
}

#[cold]
fn page_of(page: u32) -> Page {
    let classes = Classes::strict();
    Box::new(std::array::from_fn(|at| {
        let ch = char::from_u32(page << 8 | at as u32);
        ch.map_or(LOOK, |ch| step_of(ch, classes.of(ch)))
    }))
}

const LOOK: Step = Step {
    tail: Tail::Look,
    host: Host::Look,
};

/// The step of a character beyond ASCII, of which the class is given.
fn step_of(ch: char, class: u8) -> Step {
    Step {
        tail: tail_of(ch, class),
        host: host_of(ch, class),
    }
}

fn tail_of(ch: char, class: u8) -> Tail {
    if class & (QUOTE | INVISIBLE) != 0 || is_odd(ch) {
        return Tail::Look;
    }
    match (class & TERM, ch) {
        (INCLUDE, '\u{3041}'..='\u{309F}') => Tail::Kana,
        (INCLUDE, '\u{AC00}'..='\u{D7A3}') => Tail::Hangul,
        (_, '\u{3041}'..='\u{309F}' | '\u{AC00}'..='\u{D7A3}') => Tail::Look,
        (INCLUDE, _) => Tail::Take,
        (HARD | CLOSE, _) => Tail::Stop,
        (SOFT, _) => Tail::Mark,
        _ => Tail::Look,
    }
}

/// Whether there is a rule of its own for a character in a path.
fn is_odd(ch: char) -> bool {
    matches!(
        ch,
        '\u{2190}'..='\u{21FF}' | '➔' | '➙'..='➾' | '„' | '‚' | '⹂' | '〝' | '〞' | '〟' | '﴾' | '﴿'
            | '\u{DF4}' | '\u{55C}'..='\u{55E}' | '｜' | '│' | '┃' | '‖' | '·' | '\u{387}' | '…' | '⋯' | '–' | '—'
    )
}

fn host_of(ch: char, class: u8) -> Host {
    match ch {
        '。' | '．' => Host::Look,
        _ if LOOSE.contains(&ch) || class & INVISIBLE != 0 => Host::Look,
        _ if class & HOST == 0 => Host::End,
        _ if class & GLUE != 0 => Host::Glue,
        _ => Host::Letter,
    }
}
