//! Characters beyond ASCII in paths and hosts: a table that is made from the rules of the finder, page by page.

use super::super::classes::{
    CLOSE, Classes, GLUE, HARD, HOST, INCLUDE, INVISIBLE, QUOTE, SOFT, TERM, is_ignored,
};
use super::super::host::is_loose;
use super::super::host_punctuation::{is_full_stop, is_symbol};
use super::super::line_ends::is_typographic;
use super::super::particles::{self, Script};
use super::super::tail::{Rule, is_cjk, is_closing_quote, rule};
use std::sync::OnceLock;

/// Meaning of a character behind a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InPath {
    /// Belongs to the link.
    Take,
    /// Ends the link.
    Stop,
    /// Ends the link if an ASCII character stands in front and no separator behind.
    Mark,
    /// Belongs to the link, except behind an ASCII letter, digit or `/`, where it may begin a particle.
    Hiragana,
    /// As `Hiragana`, for Korean.
    Hangul,
    /// Belongs to the link, except behind an ASCII letter or digit, where it may begin a sentence.
    Han,
    /// The finder must decide.
    Unsure,
}

/// Meaning of a character in a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InHost {
    Letter,
    /// A letter of a script whose words may be glued to a host.
    Glue,
    /// Ends the host.
    End,
    /// The finder must decide.
    Unsure,
}

/// Meaning of a character in both places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WideChar {
    pub(super) in_path: InPath,
    pub(super) in_host: InHost,
}

/// The entries of 256 consecutive characters.
type Page = Box<[WideChar; 256]>;

/// The entry of a character; the finder decides about characters beyond the Basic Multilingual Plane. A page is
/// computed when one of its characters is first looked up.
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

/// The entry of a character with its class.
fn wide_char(ch: char, class: u8) -> WideChar {
    WideChar {
        in_path: in_path(ch, class),
        in_host: in_host(ch, class),
    }
}

/// Treatment of a character by [`Tail`](super::super::tail::Tail), as far as no context matters.
fn in_path(ch: char, class: u8) -> InPath {
    // The tables leave links with an opening quote to the finder, so closing quotes have nothing to close here.
    if is_closing_quote(ch) {
        return InPath::Stop;
    }
    if class & (QUOTE | INVISIBLE) != 0 || is_typographic(ch) {
        return InPath::Unsure;
    }
    match (rule(ch), class & TERM, particles::script(ch)) {
        (Some(Rule::Stop), ..) => InPath::Stop,
        (Some(_), ..) => InPath::Unsure,
        (None, INCLUDE, Some(Script::Hiragana)) => InPath::Hiragana,
        (None, INCLUDE, Some(Script::Hangul)) => InPath::Hangul,
        (None, _, Some(_)) => InPath::Unsure,
        (None, INCLUDE, None) if is_cjk(ch) => InPath::Han,
        (None, INCLUDE, None) => InPath::Take,
        (None, HARD | CLOSE, None) => InPath::Stop,
        (None, SOFT, None) => InPath::Mark,
        _ => InPath::Unsure,
    }
}

fn in_host(ch: char, class: u8) -> InHost {
    match ch {
        _ if is_full_stop(ch) || is_loose(ch) || is_ignored(ch) || class & INVISIBLE != 0 => {
            InHost::Unsure
        }
        _ if is_typographic(ch) => InHost::Unsure,
        _ if class & HOST == 0 => InHost::End,
        // Symbols behind a known domain do not belong to the host.
        _ if is_symbol(ch) => InHost::Unsure,
        _ if class & GLUE != 0 => InHost::Glue,
        _ => InHost::Letter,
    }
}
