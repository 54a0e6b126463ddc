//! The bytes at which links are found: colons, dots and full stops, searched raw and mostly dismissed by their
//! neighbours.
//!
//! The filters may pass anything, but must never dismiss a link. `.`, `:` and `&` are whole characters in every charset
//! that is scanned as bytes, so a character begins behind them. The byte in front of them may be a trail byte.

use super::block_search::BlockSearch;
use super::label_starts::LabelStarts;
use super::lists::{self, Names};
use super::native_domains::NativeDomains;
use super::vectors::{FullStopBytes, Needles};
use super::{Profile, Scanner};
use linkglot_charset::{Charset, ascii};
use memchr::{memchr, memchr2, memchr3, memrchr};

/// The most bytes of a label or scheme that is looked up; longer ones pass.
const MAX_LABEL: usize = 64;
/// The bytes that may stand in a scheme (RFC 3986 3.1).
static IS_SCHEME_BYTE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x80 {
        let at = byte as u8;
        table[byte] = at.is_ascii_alphanumeric() || matches!(at, b'+' | b'-' | b'.');
        byte += 1;
    }
    table
};
/// Bytes of `<URL:`, white space and a scheme in front of a colon.
const MAX_OPENING: usize = 48;
/// The most bytes of an IPv4 address in front of its last dot, and of the `@[` in front of it.
const MAX_LITERAL: usize = 13;
/// Number of bytes in front of a dot that are searched for `www.`.
const MAX_HOST: usize = 256;

/// The bytes to search, and the settings that decide what may be a link in them.
#[derive(Clone, Copy)]
pub(super) struct Haystack<'h> {
    bytes: &'h [u8],
    natives: &'static NativeDomains,
    /// True if `&` may begin a character reference.
    references: bool,
    /// True if links with a scheme are found at its colon; UTS 58 finds such links at the dots of their host.
    schemes: bool,
    /// True if domains without a scheme are links.
    domains: bool,
    tlds: &'h Names,
    /// True if the caller added schemes without `//`.
    has_added_schemes: bool,
    /// True if the caller replaced IANA's top-level domains.
    own_tlds: bool,
    /// Bytes that may stand behind a `。` that separates labels; `None`: any bytes.
    label_starts: Option<&'h LabelStarts>,
}

/// The triggers of a haystack in order.
pub(super) struct Triggers<'h> {
    haystack: Haystack<'h>,
    /// The search for dots and colons at once. `None` where one `memchr` suffices, or where references may hide a dot.
    search: Option<BlockSearch<'h>>,
    /// The next ASCII trigger and the next `。`, as far as the search has got.
    next_ascii: Option<usize>,
    next_full_stop: Option<usize>,
    /// Number of triggers seen: the measure of the linearity tests.
    #[cfg(test)]
    pub(super) steps: u64,
}

impl<'h> Triggers<'h> {
    pub(super) fn new(haystack: Haystack<'h>) -> Self {
        let needles = Needles {
            colons: haystack.schemes,
            full_stop: haystack.natives.full_stop().and_then(FullStopBytes::new),
        };
        let is_block_search = haystack.domains && !haystack.references;
        let is_block_search =
            is_block_search && needles.full_stop.is_some() == haystack.natives.has_full_stop();
        Triggers {
            haystack,
            search: is_block_search
                .then(|| BlockSearch::new(needles).with_ahead(haystack.label_starts)),
            next_ascii: None,
            next_full_stop: None,
            #[cfg(test)]
            steps: 0,
        }
    }

    /// The next trigger at or behind `from` that survives the filters. `from` must not decrease between calls.
    pub(super) fn next(&mut self, mut from: usize) -> Option<usize> {
        loop {
            let at = match &mut self.search {
                Some(search) => search.next(self.haystack.bytes, from),
                None if self.haystack.domains && self.haystack.natives.has_full_stop() => {
                    self.next_of_two(from)
                }
                None => self.haystack.next_ascii(from),
            };
            let at = at.filter(|&at| at < self.haystack.bytes.len())?;
            #[cfg(test)]
            {
                self.steps += 1;
            }
            if self.haystack.may_be_link(at) {
                return Some(at);
            }
            from = at + 1;
        }
    }

    /// The nearer of the next ASCII trigger and the next `。`. Each is kept until it is passed, so that no byte is
    /// searched twice.
    fn next_of_two(&mut self, from: usize) -> Option<usize> {
        let ascii = match self.next_ascii.filter(|&at| at >= from) {
            Some(at) => at,
            None => self.haystack.next_ascii(from).unwrap_or(usize::MAX),
        };
        let stop = match self.next_full_stop.filter(|&at| at >= from) {
            Some(at) => at,
            None => self.haystack.next_full_stop(from).unwrap_or(usize::MAX),
        };
        (self.next_ascii, self.next_full_stop) = (Some(ascii), Some(stop));
        Some(ascii.min(stop))
    }
}

/// Tells tokenizers whether a link may be found at a byte of running text, so that they can skip text without links.
/// Cheap to create.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_scan::{Scanner, TriggerFilter};
///
/// let filter = TriggerFilter::new(&Scanner::default(), Charset::UTF_8, false);
/// let text = b"Read this. Then example.org";
/// assert!(!filter.may_be_link(text, 9));
/// assert!(filter.may_be_link(text, 23));
/// ```
pub struct TriggerFilter {
    scanner: Scanner,
    charset: Charset,
    references: bool,
}

impl TriggerFilter {
    /// A filter for bytes of a charset. `references`: `&` may begin a character reference.
    pub fn new(scanner: &Scanner, charset: Charset, references: bool) -> Self {
        TriggerFilter {
            scanner: scanner.clone(),
            charset,
            references,
        }
    }

    /// True if a link may be found at byte `at` of the run of text `bytes`. Every link is found at a `:`, `.`, `&` or
    /// `。`; for any other byte, and out of range, the answer is false. O(1).
    pub fn may_be_link(&self, bytes: &[u8], at: usize) -> bool {
        let natives = NativeDomains::of(self.charset);
        let rest = bytes.get(at..).unwrap_or_default();
        let is_trigger = match rest.first() {
            Some(b':' | b'.' | b'&') => true,
            _ => natives
                .full_stop()
                .is_some_and(|stop| rest.starts_with(stop)),
        };
        is_trigger && Haystack::new(bytes, &self.scanner, natives, self.references).may_be_link(at)
    }
}

impl<'h> Haystack<'h> {
    pub(super) fn new(
        bytes: &'h [u8],
        scanner: &'h Scanner,
        natives: &'static NativeDomains,
        references: bool,
    ) -> Self {
        Haystack {
            bytes,
            natives,
            references,
            schemes: scanner.profile() != Profile::Uts58,
            domains: scanner.profile() != Profile::Scheme,
            tlds: scanner.tlds(),
            has_added_schemes: scanner.has_added_schemes(),
            own_tlds: scanner.has_own_tlds(),
            label_starts: scanner.label_starts(natives),
        }
    }

    #[inline]
    fn next_ascii(&self, from: usize) -> Option<usize> {
        let rest = self.bytes.get(from..)?;
        let found = match (self.schemes, self.domains, self.references) {
            (false, _, false) => memchr(b'.', rest),
            (false, _, true) => memchr2(b'.', b'&', rest),
            (true, false, false) => memchr(b':', rest),
            (true, false, true) => memchr2(b':', b'&', rest),
            (true, true, false) => memchr2(b':', b'.', rest),
            (true, true, true) => memchr3(b':', b'.', b'&', rest),
        };
        Some(from + found?)
    }

    fn next_full_stop(&self, from: usize) -> Option<usize> {
        Some(from + self.natives.find_full_stop(self.bytes.get(from..)?)?)
    }

    #[inline]
    pub(super) fn may_be_link(&self, at: usize) -> bool {
        match self.byte(at) {
            b':' => self.is_scheme_colon(at),
            b'.' => self.is_domain_dot(at),
            b'&' => self.may_be_reference(at),
            _ => self.is_domain_full_stop(at),
        }
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    #[inline]
    fn before(&self, at: usize) -> u8 {
        at.checked_sub(1).map_or(0, |at| self.byte(at))
    }

    /// True if a character reference begins at a position, or the window ends there.
    fn is_unseen(&self, at: usize) -> bool {
        match self.bytes.get(at) {
            None => true,
            Some(b'&') => self.references,
            Some(_) => false,
        }
    }

    /// True if a letter or digit, or a byte that may belong to one, stands in front of a position.
    #[inline]
    fn is_behind_word(&self, at: usize) -> bool {
        let before = self.before(at);
        before.is_ascii_alphanumeric()
            || before >= 0x80
            || (before == b';' && self.references)
            || (!self.natives.ascii_stands_alone
                && !ascii::is_safe(before)
                && self.before(at - 1) >= 0x80)
    }

    #[inline]
    fn is_scheme_colon(&self, at: usize) -> bool {
        let (before, next) = (self.before(at), self.byte(at + 1));
        let is_name = before.is_ascii_alphanumeric()
            || matches!(before, b'+' | b'-')
            || (before == b';' && self.references);
        if !is_name {
            return false;
        }
        if next == b'/' {
            let slash = self.byte(at + 2) == b'/' || self.is_unseen(at + 2);
            return slash || self.may_end_opaque_scheme(at);
        }
        if self.is_unseen(at + 1) {
            return true;
        }
        let ends = next <= b' ' || matches!(next, b')' | b']' | b'>');
        let is_in_angle_brackets = ends && ascii::is_space(next) && self.is_in_angle_brackets(at);
        is_in_angle_brackets || !ends && self.may_end_opaque_scheme(at)
    }

    /// True if a scheme without `//` may end in front of a colon.
    fn may_end_opaque_scheme(&self, at: usize) -> bool {
        if self.has_added_schemes {
            return true;
        }
        let start = at.saturating_sub(MAX_LABEL);
        let name = self.bytes.get(start..at).unwrap_or(&[]);
        if self.references && memchr(b';', name).is_some() {
            return true;
        }
        lists::ends_with_opaque_scheme(name)
    }

    /// True if white space behind the colon belongs to the link: only in angle brackets, behind `<` or `<URL:`.
    fn is_in_angle_brackets(&self, at: usize) -> bool {
        let start = at.saturating_sub(MAX_OPENING);
        let before = self.bytes.get(start..at).unwrap_or(&[]);
        if self.references && memrchr(b';', before).is_some() {
            return true;
        }
        let is_scheme = |b: &u8| IS_SCHEME_BYTE[usize::from(*b)];
        let outer = before.iter().rev().skip_while(|b| is_scheme(b));
        let mut outer = outer.skip_while(|b| ascii::is_space(**b));
        match outer.next() {
            Some(b':') => matches!(outer.next(), Some(b'l' | b'L')),
            outer => outer == Some(&b'<'),
        }
    }

    #[inline]
    fn is_domain_dot(&self, at: usize) -> bool {
        if !self.is_behind_word(at) {
            return false;
        }
        match self.bytes.get(at + 1) {
            None => true,
            Some(b'&') => self.references,
            Some(next) if next.is_ascii_alphanumeric() => self.may_be_last_label(at, at + 1),
            Some(0x80..) => self.may_be_native_label(at, at + 1),
            Some(_) => false,
        }
    }

    /// True if a `。` may separate labels. Most `。` end a sentence, and no top-level domain follows.
    #[inline]
    fn is_domain_full_stop(&self, at: usize) -> bool {
        let label = at + self.natives.full_stop_len;
        match self.bytes.get(label) {
            None => true,
            Some(b'&') => self.references,
            Some(next) if next.is_ascii_alphanumeric() => self.may_be_last_label(at, label),
            Some(0x80..) if self.own_tlds => true,
            Some(0x80..) if !self.natives.may_be_pair(self.bytes, label) => false,
            Some(0x80..) => self
                .natives
                .may_begin_domain(self.bytes, label, self.references),
            Some(_) => false,
        }
    }

    /// True if the label behind a dot, which does not begin with ASCII, may be the last of a host.
    fn may_be_native_label(&self, dot: usize, label: usize) -> bool {
        self.own_tlds
            || self
                .natives
                .may_begin_domain(self.bytes, label, self.references)
            || self.has_www(dot)
    }

    /// True if the label behind a dot, which begins with ASCII, may be the last of a host.
    fn may_be_last_label(&self, dot: usize, label: usize) -> bool {
        let rest = self.bytes.get(label..).unwrap_or(&[]);
        let most = rest.get(..MAX_LABEL).unwrap_or(rest);
        let others = most.iter().position(|&b| !is_label_byte(b));
        let len = others.unwrap_or(most.len());
        let end = label + len;
        if len == MAX_LABEL || self.is_unseen(end) {
            return true;
        }
        let name = rest.get(..len).unwrap_or(&[]);
        let next = self.byte(end);
        // The end of a comment belongs to no label: `<!-- example.org-->`.
        let name = match name.strip_suffix(b"--") {
            Some(name) if next == b'>' => name,
            _ => name,
        };
        if next >= 0x80 && (self.own_tlds || self.natives.is_ascii_prefix(name)) {
            return true;
        }
        if next == b'.' && self.byte(end + 1).is_ascii_alphanumeric() {
            return false;
        }
        if name.iter().all(u8::is_ascii_digit) {
            // An IPv4 address is a link only with a path, and a port may stand in front of the path.
            let is_port =
                next == b':' && (self.byte(end + 1).is_ascii_digit() || self.is_unseen(end + 1));
            return next == b'/' || is_port || self.is_in_literal(dot, end) || self.has_www(dot);
        }
        if next == b'>' && std::str::from_utf8(name).is_ok_and(lists::is_special_use) {
            return true;
        }
        // `http` in front of `:` is the scheme of another link that is glued to this one.
        let is_scheme = next == b':' && matches!(name, b"http" | b"https") && !self.own_tlds;
        !is_scheme && self.tlds.contains_ascii(name) || self.has_www(dot)
    }

    /// True if a dot stands in the brackets behind the `@` of an address.
    fn is_in_literal(&self, dot: usize, end: usize) -> bool {
        let before = self.bytes.get(dot.saturating_sub(MAX_LITERAL)..dot);
        let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        let open = before.map(|before| before.iter().rev().skip_while(|byte| is_part(byte)));
        self.byte(end) == b']' && open.is_some_and(|open| open.take(2).eq(b"[@"))
    }

    /// True if `www.` may stand in the host in front of a dot. A host with `www.` has no `。`.
    fn has_www(&self, dot: usize) -> bool {
        if self.byte(dot) != b'.' {
            return false;
        }
        let may_be_host = |b: &u8| {
            b.is_ascii_alphanumeric()
                || matches!(b, b'-' | b'.')
                || !ascii::is_safe(*b)
                || self.references && matches!(b, b';' | b'&' | b'#')
        };
        let start = dot.saturating_sub(MAX_HOST);
        let run = self.bytes.get(start..dot + 1).unwrap_or(&[]);
        let from = run
            .iter()
            .rposition(|b| !may_be_host(b))
            .map_or(0, |p| p + 1);
        let run = run.get(from..).unwrap_or(&[]);
        run.len() >= MAX_HOST || self.references && memchr(b'&', run).is_some() || has_www(run)
    }

    /// True if a reference may stand for a trigger, or the window ends too early to tell.
    fn may_be_reference(&self, at: usize) -> bool {
        let rest = self.bytes.get(at + 1..).unwrap_or(&[]);
        if rest.len() < 8 {
            return true;
        }
        match rest {
            [b'#', b'x' | b'X', digits @ ..] => may_be_trigger_number(digits, 16),
            [b'#', digits @ ..] => may_be_trigger_number(digits, 10),
            name => name.starts_with(b"colon") || name.starts_with(b"period"),
        }
    }
}

/// True if a byte may stand in an ASCII label.
#[inline]
fn is_label_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// True if a numeric reference may stand for `:`, `.` or `。`: its digits say so, or the window ends with the digits.
fn may_be_trigger_number(digits: &[u8], radix: u32) -> bool {
    let mut number = 0_u32;
    for &byte in digits {
        let Some(digit) = char::from(byte).to_digit(radix) else {
            return matches!(number, 0x3A | 0x2E | 0x3002);
        };
        number = number.saturating_mul(radix).saturating_add(digit);
    }
    true
}

fn has_www(run: &[u8]) -> bool {
    let mut dots = run.iter().enumerate().filter(|(_, b)| **b == b'.');
    dots.any(|(dot, _)| {
        let www = dot.checked_sub(3).and_then(|at| run.get(at..dot));
        www.is_some_and(|www| www.eq_ignore_ascii_case(b"www"))
    })
}
