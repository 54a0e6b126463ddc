//! Domains and e-mail addresses in ASCII, at the dot in front of their top-level domain.

use super::super::Kind;
use super::super::domain::is_no_address;
use super::super::lists;
use super::front::{FRONT, Front};
use super::host::{INNER, Inner};
use super::{Edge, Judged, Web};
use linkglot_charset::Charset;
use std::ops::Range;

/// No host that is judged here has as many bytes.
const MOST: usize = 512;
/// No local part that is judged here has as many bytes.
const MOST_LOCAL: usize = 256;

impl Web<'_, '_> {
    /// The link whose top-level domain stands behind the dot at `dot`, if it is one that is known at
    /// once. No link may begin in front of `floor`.
    pub(super) fn bare(&self, dot: usize, floor: usize) -> Option<Judged> {
        if !self.domains {
            return None;
        }
        let end = self.label_end(dot + 1)?;
        let host = self.host_start(dot, floor)?..end;
        let outer = self.before(host.start)?;
        let top = self.hay.get(dot + 1..end)?;
        // With names of the caller's own a domain may look like an address.
        if !top.first()?.is_ascii_alphabetic() || !self.tlds.contains_ascii(top) {
            return None;
        }
        if outer == b'@' {
            let start = self.address_start(host.start - 1, floor)?;
            return Some(Judged {
                range: start..end,
                kind: Kind::Email,
            });
        }
        self.domain(&host, dot + 1, outer)
    }

    /// The byte in front of a position; 0 at the begin of all.
    fn before(&self, at: usize) -> Option<u8> {
        match at.checked_sub(1) {
            Some(before) => self.hay.get(before).copied(),
            None => (self.front == Edge::Whole).then_some(0),
        }
    }

    /// The end of a label, where a host certainly ends.
    #[inline]
    fn label_end(&self, at: usize) -> Option<usize> {
        let rest = self.hay.get(at..)?;
        let (mut len, mut last) = (0, Inner::Dot);
        let byte = loop {
            let byte = rest.get(len).copied();
            let inner = byte.map_or(Inner::Outside, |byte| INNER[usize::from(byte)]);
            match inner {
                Inner::Hyphen if last == Inner::Dot => return None,
                Inner::Letter | Inner::Hyphen if len < MOST => last = inner,
                Inner::Letter | Inner::Hyphen => return None,
                Inner::Dot | Inner::Wide | Inner::Outside => break byte,
            }
            len += 1;
        };
        self.looked(len);
        let is_end = match byte {
            Some(b'/' | b',' | b')' | b'>' | b'"') => true,
            // The mark at the end of a sentence.
            Some(b'.' | b'?' | b'!' | b':') => self.is_end(rest.get(len + 1).copied())?,
            byte => self.is_end(byte)?,
        };
        (is_end && last == Inner::Letter).then_some(at + len)
    }

    /// The begin of the host whose last dot is at `dot`.
    #[inline]
    fn host_start(&self, dot: usize, floor: usize) -> Option<usize> {
        let from = floor.max(dot.saturating_sub(MOST));
        let before = self.hay.get(from..dot)?;
        let mut last = Inner::Dot;
        let mut len = 0;
        for byte in before.iter().rev() {
            let inner = INNER[usize::from(*byte)];
            match inner {
                Inner::Letter => {}
                Inner::Hyphen if last != Inner::Dot => {}
                Inner::Dot if last == Inner::Letter => {}
                Inner::Wide | Inner::Outside => break,
                _ => return None,
            }
            last = inner;
            len += 1;
        }
        self.looked(len);
        let start = dot - len;
        (last == Inner::Letter && self.is_begin(start, from)).then_some(start)
    }

    /// Whether a run that was followed back to `from` at most begins at a position.
    fn is_begin(&self, start: usize, from: usize) -> bool {
        start > from || start == 0 && self.front == Edge::Whole
    }

    /// The begin of the local part that ends in front of the `@` at a position.
    fn address_start(&self, at_sign: usize, floor: usize) -> Option<usize> {
        let from = floor.max(at_sign.saturating_sub(MOST_LOCAL));
        let before = self.hay.get(from..at_sign)?;
        let mut last = Inner::Dot;
        let mut len = 0;
        for byte in before.iter().rev() {
            last = match *byte {
                b'.' if last == Inner::Dot => return None,
                b'.' => Inner::Dot,
                b'-' | b'_' | b'+' => Inner::Hyphen,
                byte if byte.is_ascii_alphanumeric() => Inner::Letter,
                _ => break,
            };
            len += 1;
        }
        self.looked(len);
        let start = at_sign - len;
        let outer = self.before(start)?;
        if outer == b'(' && self.is_behind_name_of_mark(start) {
            return None;
        }
        let is_free = match outer {
            b'<' | b'>' | b'(' | b')' | b'"' | b',' | b':' => true,
            b';' => !self.references,
            byte => byte <= b' ',
        };
        (is_free && last == Inner::Letter && self.is_begin(start, from)).then_some(start)
    }

    /// The domain with what follows it, if it is a link; `top`: where its last label begins.
    fn domain(&self, host: &Range<usize>, top: usize, outer: u8) -> Option<Judged> {
        let is_free = match FRONT[usize::from(outer)] {
            Front::Space => true,
            Front::Free => !matches!(outer, b'/' | b'%' | b'$' | b']'),
            _ => false,
        };
        if outer == b'(' && self.is_behind_name_of_mark(host.start) {
            return None;
        }
        let name = self.hay.get(host.clone()).filter(|_| is_free)?;
        let www = name.get(..4).filter(|_| name.len() > 4);
        let has_www = www.is_some_and(|www| www.eq_ignore_ascii_case(b"www."));
        let has_path = self.hay.get(host.end) == Some(&b'/');
        if !has_www {
            let name = Charset::as_text(name)?;
            let top = top - host.start;
            let refused = !has_path && is_no_address(name, top);
            if refused || lists::is_word(name.get(top..)?) {
                return None;
            }
        }
        let end = match has_path {
            true => self.path(host.end, outer)?,
            false => host.end,
        };
        Some(Judged {
            range: host.start..end,
            kind: Kind::Domain,
        })
    }
}
