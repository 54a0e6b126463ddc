//! What characters beyond ASCII are to a link that is read straight on, in a table.

use super::super::classes::{
    CLOSE, Classes, GLUE, HARD, HOST, INCLUDE, INVISIBLE, QUOTE, SOFT, TERM, is_ignored,
};
use super::super::domain::is_symbol;
use super::super::host::{GERESH, GERSHAYIM, is_loose};
use super::super::marks::is_full_stop;
use super::super::tail::is_dash;
use std::sync::OnceLock;

/// What a character is behind a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// It belongs to the link.
    Take,
    /// The link ends in front of it.
    Stop,
    /// The link ends in front of it if that is behind ASCII.
    Mark,
    /// It belongs to the link unless it may begin a particle behind ASCII.
    Kana,
    /// The same behind a letter or digit.
    Hangul,
    /// More must be known.
    Look,
}

/// What a character is in a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Host {
    Letter,
    /// A letter of a script whose words may be glued to a host.
    Glue,
    /// It stands behind a host.
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
    // Nothing opens them in a link that is read here.
    if matches!(ch, '”' | '»' | '›') {
        return Tail::Stop;
    }
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
    is_dash(ch)
        || matches!(
            ch,
            '„' | '‚' | '⹂' | '〝' | '〞' | '〟' | '﴾' | '﴿' | '\u{DF4}' | '\u{55C}'
                ..='\u{55E}' | '｜' | '│' | '┃' | '‖' | '·' | '\u{387}' | GERESH | GERSHAYIM
        )
}

fn host_of(ch: char, class: u8) -> Host {
    match ch {
        _ if is_full_stop(ch) || is_loose(ch) || is_ignored(ch) || class & INVISIBLE != 0 => {
            Host::Look
        }
        _ if class & HOST == 0 => Host::End,
        // Signs behind a known domain are none of it.
        _ if is_symbol(ch) => Host::Look,
        _ if class & GLUE != 0 => Host::Glue,
        _ => Host::Letter,
    }
}
