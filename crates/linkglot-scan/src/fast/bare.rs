//! ASCII domains and e-mail addresses, at the dot in front of their top-level domain.

use super::super::Kind;
use super::super::line_ends;
use super::super::names::{self, Behind};
use super::before::{BEFORE, Before};
use super::host::{HOST_BYTES, HostByte};
use super::{Edge, FastFinder};
use linkglot_charset::Charset;
use std::ops::Range;

/// The most bytes of a host; longer ones are left to the finder.
const MAX_HOST: usize = 512;
/// The most bytes of a local part; longer ones are left to the finder.
const MAX_LOCAL: usize = 256;

impl FastFinder<'_, '_> {
    /// The link whose top-level domain stands behind `dot`. `None`: the tables do not decide. No link begins in front
    /// of `floor`.
    pub(super) fn bare(&self, dot: usize, floor: usize) -> Option<(Range<usize>, Kind)> {
        if !self.domains {
            return None;
        }
        let end = self.label_end(dot + 1)?;
        let host = self.host_start(dot, floor)?..end;
        let outer = self.before(host.start)?;
        if outer != b'@' && self.may_be_torn(host.start) {
            return None;
        }
        let top = self.bytes.get(dot + 1..end)?;
        // If the caller chose digits for a top-level domain, a domain may look like an IPv4 address.
        if !top.first()?.is_ascii_alphabetic() || !self.tlds.contains_ascii(top) {
            return None;
        }
        if outer == b'@' {
            let start = self.address_start(host.start - 1, floor)?;
            return Some((start..end, Kind::Email));
        }
        Some((self.domain(&host, dot + 1, outer)?, Kind::Domain))
    }

    /// The byte in front of a position; 0 at the start of the text.
    fn before(&self, at: usize) -> Option<u8> {
        match at.checked_sub(1) {
            Some(before) => self.bytes.get(before).copied(),
            None => (self.start_edge == Edge::Whole).then_some(0),
        }
    }

    /// True if the end of the line in front of a link may tear it.
    #[inline]
    fn may_be_torn(&self, start: usize) -> bool {
        match *self.bytes.get(..start).unwrap_or_default() {
            [.., last, b' '] if last > b'>' => false,
            [.., last] if last > b'>' => false,
            ref before => {
                let line = line_ends::line_before(before, start).and_then(|end| before.get(..end));
                line.is_some_and(|line| line_ends::start_of_tear(line).is_some())
            }
        }
    }

    /// The end of the label at `at`, if the host certainly ends there.
    #[inline]
    fn label_end(&self, at: usize) -> Option<usize> {
        let rest = self.bytes.get(at..)?;
        let (mut len, mut last) = (0, HostByte::Dot);
        let byte = loop {
            let byte = rest.get(len).copied();
            let kind = byte.map_or(HostByte::Outside, |byte| HOST_BYTES[usize::from(byte)]);
            match kind {
                HostByte::Hyphen if last == HostByte::Dot => return None,
                HostByte::Letter | HostByte::Hyphen if len < MAX_HOST => last = kind,
                HostByte::Letter | HostByte::Hyphen => return None,
                HostByte::Dot | HostByte::Wide | HostByte::Outside => break byte,
            }
            len += 1;
        };
        self.count_steps(len);
        let is_end = match byte {
            Some(b'/' | b',' | b')' | b'>' | b'"') => true,
            // A mark at the end of a sentence.
            Some(b'.' | b'?' | b'!' | b':') => self.is_end(rest.get(len + 1).copied())?,
            byte => self.is_end(byte)?,
        };
        (is_end && last == HostByte::Letter).then_some(at + len)
    }

    /// The start of the host whose last dot is at `dot`.
    #[inline]
    fn host_start(&self, dot: usize, floor: usize) -> Option<usize> {
        let from = floor.max(dot.saturating_sub(MAX_HOST));
        let before = self.bytes.get(from..dot)?;
        let mut last = HostByte::Dot;
        let mut len = 0;
        for byte in before.iter().rev() {
            let kind = HOST_BYTES[usize::from(*byte)];
            match kind {
                HostByte::Letter => {}
                HostByte::Hyphen if last != HostByte::Dot => {}
                HostByte::Dot if last == HostByte::Letter => {}
                HostByte::Wide | HostByte::Outside => break,
                _ => return None,
            }
            last = kind;
            len += 1;
        }
        self.count_steps(len);
        let start = dot - len;
        (last == HostByte::Letter && self.is_complete(start, from)).then_some(start)
    }

    /// True if a run really begins at `start`, and the search backwards did not just stop there.
    fn is_complete(&self, start: usize, from: usize) -> bool {
        start > from || start == 0 && self.start_edge == Edge::Whole
    }

    /// True if a domain may be that of a disguised address: behind `at` or `(at)`.
    #[inline]
    fn may_be_disguised(&self, host: usize) -> bool {
        let before = self.bytes.get(..host).unwrap_or_default();
        let before = before.strip_suffix(b" ").unwrap_or(before);
        let word = before.strip_suffix(b")").or(before.strip_suffix(b">"));
        let is_at = |word: &[u8]| matches!(word, [.., b't' | b'T']);
        matches!(before, [.., b']' | b'}']) || is_at(word.unwrap_or(before))
    }

    /// True if an escape of roff may stand in front of a position, behind which the name may go on.
    #[inline]
    fn may_be_behind_roff(&self, start: usize, outer: u8) -> bool {
        match outer {
            b'(' => self.may_be_roff_name(start),
            b':' => start < 2 || self.bytes.get(start - 2) == Some(&b'\\'),
            _ => false,
        }
    }

    /// The start of the local part in front of an `@`.
    fn address_start(&self, at_sign: usize, floor: usize) -> Option<usize> {
        let from = floor.max(at_sign.saturating_sub(MAX_LOCAL));
        let before = self.bytes.get(from..at_sign)?;
        let mut last = HostByte::Dot;
        let mut len = 0;
        for byte in before.iter().rev() {
            last = match *byte {
                b'.' if last == HostByte::Dot => return None,
                b'.' => HostByte::Dot,
                b'-' | b'_' | b'+' => HostByte::Hyphen,
                byte if byte.is_ascii_alphanumeric() => HostByte::Letter,
                _ => break,
            };
            len += 1;
        }
        self.count_steps(len);
        let start = at_sign - len;
        let outer = self.before(start)?;
        if self.may_be_behind_roff(start, outer) || self.may_be_torn(start) {
            return None;
        }
        let is_free = match outer {
            b'<' | b'>' | b'(' | b')' | b'"' | b',' | b':' => true,
            b';' => !self.references,
            byte => byte <= b' ',
        };
        (is_free && last == HostByte::Letter && self.is_complete(start, from)).then_some(start)
    }

    /// The link of a domain, with its path. `top`: the start of its last label.
    fn domain(&self, host: &Range<usize>, top: usize, outer: u8) -> Option<Range<usize>> {
        if self.may_be_disguised(host.start) {
            return None;
        }
        let is_free = match BEFORE[usize::from(outer)] {
            Before::Space => true,
            Before::Free => !matches!(outer, b'/' | b'%' | b'$' | b']'),
            _ => false,
        };
        if self.may_be_behind_roff(host.start, outer) {
            return None;
        }
        let name = self.bytes.get(host.clone()).filter(|_| is_free)?;
        let www = name.get(..4).filter(|_| name.len() > 4);
        let has_www = www.is_some_and(|www| www.eq_ignore_ascii_case(b"www."));
        let has_path = self.bytes.get(host.end) == Some(&b'/');
        if !has_www {
            let name = Charset::as_text(name)?;
            let top = top - host.start;
            let behind = if has_path {
                Behind::Path
            } else {
                Behind::Other
            };
            if !names::is_link(name, top, behind) && !self.scanner.has_host(name) {
                return None;
            }
        }
        let end = if has_path {
            self.path(host.end, outer)?
        } else {
            host.end
        };
        Some(host.start..end)
    }
}
