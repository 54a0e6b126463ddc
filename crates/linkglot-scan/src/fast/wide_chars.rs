//! What characters beyond ASCII are to a link that is read straight on, in a table.

use super::super::classes::{
    CLOSE, Classes, GLUE, HARD, HOST, INCLUDE, INVISIBLE, QUOTE, SOFT, TERM, is_ignored,
};
use super::super::domain::is_symbol;
use super::super::host::{GERESH, GERSHAYIM, is_loose};
use super::super::host_punctuation::is_full_stop;
use super::super::tail::is_dash;
use std::sync::OnceLock;

/// What a character is behind a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InPath {
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
    Unsure,
}

/// What a character is in a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InHost {
    Letter,
    /// A letter of a script whose words may be glued to a host.
    Glue,
    /// It stands behind a host.
    End,
    /// More must be known.
    Unsure,
}

/// Both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WideChar {
    pub(super) in_path: InPath,
    pub(super) in_host: InHost,
}

/// Those of a page of 256 characters.
type Page = Box<[WideChar; 256]>;

/// The step of a character; those beyond the Basic Multilingual Plane take a closer look. A page is
/// worked out when one of its characters is asked for.
#[inline]
pub(super) fn lookup(ch: u32) -> WideChar {
    static PAGES: [OnceLock<Page>; 256] = [const { OnceLock::new() }; 256];
    let page = PAGES.get((ch >> 8) as usize);
    let page = page.map(|page| page.get_or_init(|| page_of(ch >> 8)));
    page.map_or(UNSURE, |page| page[(ch & 0xFF) as usize])
}

#[cold]
fn page_of(page: u32) -> Page {
    let classes = Classes::strict();
    Box::new(std::array::from_fn(|at| {
        let ch = char::from_u32(page << 8 | at as u32);
        ch.map_or(UNSURE, |ch| wide_char(ch, classes.of(ch)))
    }))
}

const UNSURE: WideChar = WideChar {
    in_path: InPath::Unsure,
    in_host: InHost::Unsure,
};

/// The step of a character beyond ASCII, of which the class is given.
fn wide_char(ch: char, class: u8) -> WideChar {
    WideChar {
        in_path: in_path(ch, class),
        in_host: in_host(ch, class),
    }
}

fn in_path(ch: char, class: u8) -> InPath {
    // Nothing opens them in a link that is read here.
    if matches!(ch, '”' | '»' | '›') {
        return InPath::Stop;
    }
    if class & (QUOTE | INVISIBLE) != 0 || is_odd(ch) {
        return InPath::Unsure;
    }
    match (class & TERM, ch) {
        (INCLUDE, '\u{3041}'..='\u{309F}') => InPath::Kana,
        (INCLUDE, '\u{AC00}'..='\u{D7A3}') => InPath::Hangul,
        (_, '\u{3041}'..='\u{309F}' | '\u{AC00}'..='\u{D7A3}') => InPath::Unsure,
        (INCLUDE, _) => InPath::Take,
        (HARD | CLOSE, _) => InPath::Stop,
        (SOFT, _) => InPath::Mark,
        _ => InPath::Unsure,
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

fn in_host(ch: char, class: u8) -> InHost {
    match ch {
        _ if is_full_stop(ch) || is_loose(ch) || is_ignored(ch) || class & INVISIBLE != 0 => {
            InHost::Unsure
        }
        _ if class & HOST == 0 => InHost::End,
        // Signs behind a known domain are none of it.
        _ if is_symbol(ch) => InHost::Unsure,
        _ if class & GLUE != 0 => InHost::Glue,
        _ => InHost::Letter,
    }
}
