//! The verdict of the rules on a reference.

use super::{Reach, Rule, Rules, without_scheme};
use crate::iri::Parts;
use crate::iri::scheme::{HTTP_SCHEMES, is_http};
use crate::iri::target::Reading;
use crate::link::unwrap::{self, Wrapped};
use crate::link::{code_in, scheme_of, with_implied, without_implied};
use crate::rewrite::domains;
use crate::rewrite::halves::normal_form;
use crate::rewrite::prefixes::{Match, with_root};
use std::borrow::Cow;

/// The ruling on a reference, with the rule that gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::rewrite) struct Verdict {
    pub ruling: Ruling,
    /// The number of the rule that names the reference. The rule may leave the reference unchanged.
    pub rule: Option<usize>,
    /// The number of the rule for the link behind, if `rule` is a service that wraps the reference.
    pub rule_behind: Option<usize>,
}

/// The ruling on a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::rewrite) enum Ruling {
    /// No rule names the reference.
    Silent,
    /// The new reference.
    Becomes(String),
    /// A rule names the reference, but the result cannot be written.
    Stuck,
    /// A service wraps the reference, and the link behind cannot be read.
    Wrapped,
}

impl Ruling {
    /// The verdict with the rule that gives it.
    pub fn by(self, rule: usize) -> Verdict {
        Verdict {
            ruling: self,
            rule: Some(rule),
            rule_behind: None,
        }
    }
}

impl Match {
    /// The verdict of the rule on the reference.
    fn verdict(self) -> Verdict {
        let ruling = if self.leads_elsewhere {
            Ruling::Stuck
        } else {
            Ruling::Becomes(self.new)
        };
        ruling.by(self.rule)
    }
}

impl Verdict {
    pub const NONE: Verdict = Verdict {
        ruling: Ruling::Silent,
        rule: None,
        rule_behind: None,
    };
}

impl Rules {
    /// The verdict of the rules on a reference with this reading, or on the link behind the reference, if a service
    /// wraps that.
    pub(in crate::rewrite) fn ruling(
        &self,
        reference: &str,
        reading: Reading<'_>,
        reach: Reach,
    ) -> Verdict {
        let wrapped = self
            .services
            .and_then(|first| Some((first, unwrap::wrapped(reference)?)));
        let Some((first, Wrapped { service, target })) = wrapped else {
            return self.moved(reference, reading, reach);
        };
        let Some(target) = target else {
            return Ruling::Wrapped.by(first + service);
        };
        let moved = self.moved(&target, reading, reach);
        let ruling = match moved.ruling {
            Ruling::Silent => Ruling::Becomes(target),
            ruling => ruling,
        };
        Verdict {
            rule_behind: moved.rule,
            ..ruling.by(first + service)
        }
    }

    /// The verdict of the rules for moving a site on a reference.
    fn moved(&self, reference: &str, reading: Reading<'_>, reach: Reach) -> Verdict {
        let (front, code) = match code_in(reference) {
            Some(at) => (&reference[..at], Some(&reference[at..])),
            None => (reference, None),
        };
        // The target of a reference with code is unknown until the code is filled in.
        let reach = code.map_or(reach, |_| Reach::AsWritten);
        // No prefix names a reference whose dot segments lead out of the prefix.
        let leads_out = (code.is_some() || reach != Reach::AsWritten) && leads_out(reference);
        let prefixed = self.prefixed(reference).or_else(|| match reference {
            _ if reference.starts_with("//") => self.of_network_path(reference, reading.base),
            _ => None,
        });
        let stays_within = |found: &Match| !leads_out || self.leads_on(found, reference);
        let prefixed = prefixed
            .or_else(|| self.domains.moved(reference))
            .filter(stays_within);
        let patterned = match prefixed {
            Some(_) => None,
            // A server sees the path without its dot segments.
            None => self
                .patterns
                .apply(reference)
                .filter(|found| !leads_out || self.given[found.rule].paths.is_none()),
        };
        // A prefix ends in front of code or names that code; a pattern may match anything.
        if let Some((found, code)) = patterned.as_ref().zip(code)
            && !found.new.ends_with(code)
        {
            return Ruling::Stuck.by(found.rule);
        }
        let written = prefixed.or(patterned);
        // The longest prefix goes first in any spelling.
        let rank = written.as_ref().map_or(0, |written| written.rank);
        let (normal, rank) = match reach {
            Reach::AsWritten => (None, rank),
            Reach::AnySpelling => (self.spelled_otherwise(reference, reading), rank),
            Reach::Resolved => {
                let normal = self.normalized(reference, reading);
                (normal, self.rank(reference, reading))
            }
        };
        let longer = normal.filter(|(longer, _)| *longer > rank);
        let verdict = match (longer, written, reach) {
            (Some((_, verdict)), ..) => verdict,
            (None, Some(found), _) => found.verdict(),
            (None, None, Reach::Resolved) => self.resolved(reference, reading),
            (None, None, _) => match code.and_then(|_| self.prefixed(front)) {
                // The code may end the component that the prefix names, or give more of it.
                Some(found) => Ruling::Stuck.by(found.rule),
                None => Verdict::NONE,
            },
        };
        match &verdict.ruling {
            Ruling::Becomes(new) if new == reference => Verdict {
                ruling: Ruling::Silent,
                ..verdict
            },
            _ => verdict,
        }
    }

    /// True if a rule for a reference with dot segments leads to the right place: it keeps the path, and also names
    /// the reference without these segments.
    fn leads_on(&self, found: &Match, reference: &str) -> bool {
        let names = |reference: &str| {
            let normal = normal_form(reference);
            let rule = self.normal.naming(&normal).map(|prefix| prefix.rule);
            let of_domain = || self.domains.moved(&normal).map(|found| found.rule);
            rule.or_else(of_domain) == Some(found.rule)
        };
        let is_named = if reference.starts_with("//") {
            let mut schemes = HTTP_SCHEMES.iter();
            schemes.any(|scheme| names(&format!("{scheme}:{reference}")))
        } else {
            names(reference)
        };
        is_named && path_of(&found.new) == path_of(reference)
    }

    pub(in crate::rewrite) fn prefixed(&self, reference: &str) -> Option<Match> {
        let own = self.prefixes.naming(reference);
        let own = own.and_then(|rule| rule.matched(reference));
        let rooted = with_root(reference).and_then(|rooted| {
            let mut found = self.prefixes.naming(&rooted)?.matched(&rooted)?;
            // A reference that stays keeps its spelling.
            if found.new == rooted {
                found.new = reference.to_owned();
            }
            Some(found)
        });
        let written = match (own, rooted) {
            (Some(own), Some(rooted)) if rooted.rank > own.rank => Some(rooted),
            (own, rooted) => own.or(rooted),
        };
        match (written, self.in_any_order(reference)) {
            (Some(written), Some(ordered)) if ordered.rank > written.rank => Some(ordered),
            (written, ordered) => written.or(ordered),
        }
    }

    /// The match for a reference whose parameters stand in any order.
    fn in_any_order(&self, reference: &str) -> Option<Match> {
        if !self.any_query_order || self.ordered.is_empty() {
            return None;
        }
        let ordered = with_ordered_query(reference)?;
        self.ordered.naming(&ordered)?.matched(&ordered)
    }

    /// The match for a reference with an authority but without a scheme: it has the base's scheme or, if that is
    /// unknown, both schemes of the Web. The new reference has no scheme either, if that is equivalent.
    fn of_network_path(&self, reference: &str, base: Option<&str>) -> Option<Match> {
        let own = base.and_then(scheme_of).map(str::to_ascii_lowercase);
        let with = |scheme: &str| self.prefixed(&format!("{scheme}:{reference}"));
        let bare = |mut found: Match, scheme: &str| {
            if let Some(bare) = without_scheme(&found.new, scheme) {
                found.new = bare.to_owned();
            }
            found
        };
        if let Some(own) = own {
            let other = HTTP_SCHEMES.into_iter();
            let other = other.filter(|_| is_http(&own)).find(|other| *other != own);
            let new = with(&own).or_else(|| with(other?));
            return new.map(|new| bare(new, &own));
        }
        let found = HTTP_SCHEMES.map(|scheme| with(scheme).map(|new| (new, scheme)));
        match found {
            [Some((plain, http)), Some((secure, https))] => {
                let bares = (bare(plain.clone(), http), bare(secure.clone(), https));
                // A common result for both, or none.
                [(plain, secure), bares]
                    .into_iter()
                    .find_map(|(a, b)| (a.new == b.new).then_some(a))
            }
            [one, other] => one.or(other).map(|(new, scheme)| bare(new, scheme)),
        }
    }

    /// The verdict of the rules on a link without a scheme: on the text as written or, if no rule names the text, on
    /// the URI that it stands for. An address stays without a scheme; so does a host in another spelling, if the rule
    /// has no scheme. No port is the default one: `a.example:443` may be a link of any scheme.
    pub(in crate::rewrite) fn of_implied(
        &self,
        (text, scheme): (&str, &'static str),
        reading: Reading<'_>,
        reach: Reach,
    ) -> Verdict {
        if let Some(found) = self.written_in_text(text) {
            return found;
        }
        let written = self.ruling(text, reading, Reach::AsWritten);
        if written.rule.is_some() {
            return written;
        }
        let whole = with_implied(text, Some(scheme));
        if Parts::split(&whole).port().is_some() {
            return Verdict::NONE;
        }
        let mut verdict = self.ruling(&whole, reading, reach);
        let rule = verdict.rule.and_then(|rule| self.given.get(rule));
        let is_of_hosts = rule.is_some_and(Rule::is_of_hosts);
        let bare = |new: &str| match rule.and_then(|rule| rule.domain) {
            _ if scheme == "mailto" || is_of_hosts => {
                without_implied(new, Some(scheme)).map(Cow::into_owned)
            }
            // The scheme of NEW is for links that have one.
            Some(_) => Some(domains::without_scheme(new).to_owned()),
            None => None,
        };
        if let Ruling::Becomes(new) = &mut verdict.ruling
            && let Some(bare) = bare(new)
        {
            verdict.ruling = if bare == text {
                Ruling::Silent
            } else {
                Ruling::Becomes(bare)
            };
        }
        verdict
    }

    /// The verdict of a prefix without a scheme on a link without one.
    fn written_in_text(&self, text: &str) -> Option<Verdict> {
        if leads_out(text) {
            return None;
        }
        let found = self.prefixes.naming_in_text(text)?.matched(text)?;
        Some(if found.new == text {
            Ruling::Silent.by(found.rule)
        } else {
            found.verdict()
        })
    }

    pub(in crate::rewrite) fn prefixed_or_patterned(&self, reference: &str) -> Option<Match> {
        self.prefixed(reference)
            .or_else(|| self.patterns.apply(reference))
    }
}

/// A reference whose query has its parameters in the order of their names; `None` if it has no two parameters.
pub(super) fn with_ordered_query(reference: &str) -> Option<String> {
    let parts = Parts::split(reference);
    let query = parts.query().filter(|query| query.contains('&'))?;
    let begin = parts.query_range()?.start;
    let mut parameters: Vec<&str> = query.split('&').collect();
    parameters.sort_by_key(|parameter| parameter.split('=').next());
    let behind = &reference[begin + query.len()..];
    Some(format!(
        "{}{}{behind}",
        &reference[..begin],
        parameters.join("&")
    ))
}

fn path_of(reference: &str) -> &str {
    Parts::split(reference).path()
}

/// True if the path of a reference has a dot segment behind others (RFC 3986 5.2.4), as browsers read it: without tabs
/// and line ends, a backslash is a slash (URL Standard 4.4).
fn leads_out(reference: &str) -> bool {
    let mut before = 0;
    let may_have = reference.bytes().any(|byte| {
        let is_behind_slash = std::mem::replace(&mut before, byte) == b'/';
        is_behind_slash && matches!(byte, b'.' | b'%') || is_read_otherwise(byte)
    });
    may_have && has_dot_segment_behind(path_of(reference))
}

/// True for bytes of a path that browsers drop, or read as a slash.
fn is_read_otherwise(byte: u8) -> bool {
    matches!(byte, b'\\' | b'\t' | b'\n' | b'\r')
}

fn has_dot_segment_behind(path: &str) -> bool {
    let plain = path.bytes().any(is_read_otherwise).then(|| {
        let path = path.replace(['\t', '\n', '\r'], "");
        path.replace('\\', "/")
    });
    let path = plain.as_deref().unwrap_or(path);
    let is_dot = |segment: &str| {
        let plain = segment.replace("%2e", ".").replace("%2E", ".");
        matches!(plain.as_str(), "." | "..")
    };
    path.split('/')
        .skip_while(|segment| is_dot(segment))
        .any(is_dot)
}
