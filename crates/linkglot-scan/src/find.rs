//! Judges trigger characters: finds the link around each. Every judgement is local: it reads a bounded stretch in front
//! of the trigger and at most the longest link behind it, so that cuts of the text do not matter and the total cost is
//! linear.

use super::Parted;
use super::host::{self, Port};
use super::tail::{Manner, Tail};
use super::text::Text;
use super::{Evidence, Kind, Profile, Scanner};

/// The most bytes of text that are read for a link. A link that reaches this bound is [too long](super::overlong).
pub(super) const MAX_LINK: usize = 64 << 10;

/// Result of judging a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// No link; the next trigger may still find a link here.
    Nothing,
    /// No link, and none may begin in front of this position.
    Skip(usize),
    /// A link.
    Link(Link),
}

/// A link, and the position where the search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Kind,
    pub(super) evidence: Evidence,
    /// No later link may begin in front of this position.
    pub(super) floor: usize,
    /// True if line breaks and white space inside do not belong to the link.
    pub(super) spaced: bool,
    /// True if the link ends at a hyphen at the end of a line.
    pub(super) hyphenated: bool,
    pub(super) parted: Option<Parted>,
}

impl Link {
    /// A link of one piece. Its evidence is settled later.
    pub(super) fn new(start: usize, end: usize, kind: Kind) -> Self {
        Link {
            start,
            end,
            kind,
            evidence: Evidence::Name,
            floor: end,
            spaced: false,
            hyphenated: false,
            parted: None,
        }
    }

    /// The same link in a text with `by` bytes more in front.
    pub(super) fn moved(self, by: usize) -> Self {
        Link {
            start: self.start + by,
            end: self.end + by,
            floor: self.floor + by,
            ..self
        }
    }
}

/// A domain name around a dot.
#[derive(Clone, Copy)]
struct Domain {
    start: usize,
    /// The end of the last label.
    end: usize,
    /// The position behind the dot of an absolute name and the port, if any.
    tail: usize,
    has_port: bool,
}

pub(super) struct Finder<'a, 't> {
    pub(super) text: &'a Text<'t>,
    pub(super) scanner: &'a Scanner,
    /// No link may begin in front of this position.
    pub(super) floor: usize,
}

impl<'a, 't> Finder<'a, 't> {
    /// Judges the trigger character at `at` (`:`, `.` or `。`).
    pub(super) fn at(&self, at: usize) -> Found {
        let found = match self.in_line(at) {
            // Angle brackets take any break.
            Found::Link(link) if link.spaced => Found::Link(link),
            found => self.over_breaks(at, &found).unwrap_or(found),
        };
        match found {
            Found::Link(link) => self.untorn(Link {
                evidence: self.evidence(&link),
                hyphenated: self.is_hyphenated(link.end),
                parted: self.parted(&link),
                ..link
            }),
            found => found,
        }
    }

    /// As [`at`](Self::at), but line breaks end links.
    pub(super) fn in_line(&self, at: usize) -> Found {
        let extended = self.scanner.profile() != Profile::Uts58;
        match self.text.byte(at) {
            b':' if extended => self.scheme(at),
            b':' => Found::Nothing,
            _ if self.scanner.profile() == Profile::Scheme => Found::Nothing,
            _ if extended => self.extended_domain(at),
            _ => self.domain(at),
        }
    }

    /// UTS 58 detection: the dot in front of a top-level domain.
    fn domain(&self, dot: usize) -> Found {
        let Some(domain) = self.plain_domain(dot) else {
            return Found::Nothing;
        };
        if domain.start > self.floor && self.text.before(domain.start) == Some('@') {
            return self.plain_email(domain);
        }
        let start = self.with_http(domain.start);
        let tail = Tail::new(self.text, Manner::Plain, start + MAX_LINK);
        let mut end = tail.end(domain.tail);
        if end == domain.tail && !domain.has_port {
            end = domain.end;
        }
        let kind = if start == domain.start {
            Kind::Domain
        } else {
            Kind::Absolute
        };
        Found::Link(Link::new(start, end, kind))
    }

    fn plain_domain(&self, dot: usize) -> Option<Domain> {
        let text = self.text;
        let label = dot + text.char(dot).len_utf8();
        let end = host::label_end(text, label);
        let after = text.char(end);
        let absolute = if host::is_dot(after) {
            end + after.len_utf8()
        } else {
            end
        };
        if host::is_label(text, text.char(absolute))
            || !self.scanner.tlds().contains(text.slice(label, end))
        {
            return None;
        }
        let (tail, has_port) = match host::port(text, absolute) {
            Port::None => (absolute, false),
            Port::Until(port) => (port, true),
            Port::OutOfRange => return None,
        };
        let start = host::host_start(text, dot, self.floor).filter(|&start| start < dot)?;
        host::are_labels(text.slice(start, end)).then_some(Domain {
            start,
            end,
            tail,
            has_port,
        })
    }

    fn plain_email(&self, domain: Domain) -> Found {
        let at_sign = domain.start - 1;
        let Some(start) = host::local_start(self.text, at_sign, self.floor) else {
            return Found::Skip(domain.tail);
        };
        let local = self.text.slice(start, at_sign);
        let userinfo =
            local.starts_with("//") && self.text.before(start) == Some(':') && start > self.floor;
        if userinfo || !host::is_local_part(local) {
            return Found::Skip(domain.tail);
        }
        let mailto = self.text.ends(start, self.floor, "mailto:");
        let (start, kind) = if mailto {
            (start - "mailto:".len(), Kind::Absolute)
        } else {
            (start, Kind::Email)
        };
        Found::Link(Link {
            floor: domain.tail,
            ..Link::new(start, domain.end, kind)
        })
    }

    /// The start of a host with `http://` or `https://` in front of it.
    fn with_http(&self, start: usize) -> usize {
        ["https://", "http://"]
            .iter()
            .find(|scheme| self.text.ends(start, self.floor, scheme))
            .map_or(start, |scheme| start - scheme.len())
    }
}
