//! Filters of links, for the command line and bindings.

mod host;

use crate::values::{Kind, LinkKind, Warn};
pub use host::{HostPattern, host_name, host_of};
use linkglot::link::Info;
use linkglot::notes::{Note, Notes};
use linkglot::{Access, CommentSlots, Evidence, Link, PlaceKind, Scanner, Settings};
use std::borrow::Cow;

/// The properties of the links that are listed. The default lists all links, and no identifiers.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Schemes, stated or implied; empty for any.
    pub schemes: Vec<String>,
    /// Kinds and places; empty for any.
    pub kinds: Vec<Kind>,
    /// The least evidence.
    pub min_evidence: Option<Evidence>,
    /// Hosts that links lead to; empty for any.
    pub hosts: Vec<HostPattern>,
    /// The side of the base's host.
    pub side: Side,
    /// Set for links with characters beyond ASCII only.
    pub non_ascii: bool,
    /// Warnings of which a link has one; empty for links with and without warnings.
    pub warnings: Vec<Warn>,
    /// References with or without a scheme.
    pub reference: Reference,
    /// Set for links and identifiers.
    pub identifiers: bool,
}

/// The hosts of links, compared with the host of the base.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// All hosts.
    #[default]
    Any,
    /// Other hosts than the base's.
    External,
    /// The host of the base, and relative links.
    Internal,
}

/// References with or without a scheme, stated or implied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reference {
    /// All references.
    #[default]
    Any,
    /// References with a scheme.
    Absolute,
    /// References without a scheme.
    Relative,
}

impl Filter {
    /// Has a document read so that the wanted links are found.
    pub fn prepare(&self, settings: &mut Settings) {
        let names_other = |warn: &Warn| warn.notes().contains(Note::TextNamesOtherHost);
        settings.labels |= self.warnings.iter().any(names_other);
        settings.identifiers |=
            self.identifiers || self.kinds.contains(&Kind::Place(PlaceKind::Doctype));
        if self.kinds.contains(&Kind::Place(PlaceKind::Comment)) {
            settings.comments = CommentSlots::All;
        }
        if !self.hosts.is_empty() {
            // A name that is wanted is a link, as it is under rules.
            let hosts = self.hosts.iter().map(HostPattern::host).collect();
            let scanner = Scanner::new(settings.detect);
            settings.scanner = Some(scanner.known_hosts(hosts));
        }
    }

    /// True if the filter accepts a link.
    pub fn accepts(&self, link: &Link<'_>, info: &Info) -> bool {
        // Most filters ask for no scheme, which is read in the decoded text.
        let scheme = || link.scheme().or(link.implied().map(Cow::Borrowed));
        let has_scheme = self.schemes.is_empty()
            || scheme().is_some_and(|scheme| {
                let mut wanted = self.schemes.iter();
                wanted.any(|wanted| wanted.eq_ignore_ascii_case(&scheme))
            });
        // The kind `doctype` lists the identifiers of document types without `identifiers`.
        let is_identifier = link.access() == Access::Identifier;
        let is_listed =
            !is_identifier || self.identifiers || link.place().kind == PlaceKind::Doctype;
        let is_of_form = match self.reference {
            Reference::Any => true,
            Reference::Absolute => scheme().is_some(),
            Reference::Relative => scheme().is_none(),
        };
        has_scheme
            && is_listed
            && is_of_form
            && self
                .min_evidence
                .is_none_or(|least| link.evidence() >= least)
            && is_of_kind(&self.kinds, link)
            && !(self.non_ascii && link.text().is_ascii())
            && has_warning(&self.warnings, link)
            && self.accepts_host(link, info)
    }

    /// True if the filter accepts the host of a link.
    fn accepts_host(&self, link: &Link<'_>, info: &Info) -> bool {
        if self.hosts.is_empty() && self.side == Side::Any {
            return true;
        }
        let own = host_of(link, info);
        let is_wanted = || {
            let host = own.as_deref();
            host.is_some_and(|host| self.hosts.iter().any(|wanted| wanted.fits(host)))
        };
        if !self.hosts.is_empty() && !is_wanted() {
            return false;
        }
        let site = || info.base.as_deref().and_then(host_name);
        // A relative link stays within its site, even if the site is unknown.
        let stays = || {
            let has_scheme = link.scheme().is_some() || link.implied().is_some();
            !has_scheme && !link.reference().starts_with("//")
        };
        let is_internal = |own: &str| site().map_or_else(stays, |site| site == own);
        match (self.side, own) {
            (Side::Any, _) => true,
            (Side::External, None) => false,
            (Side::Internal, None) => stays(),
            (Side::External, Some(own)) => !is_internal(&own),
            (Side::Internal, Some(own)) => is_internal(&own),
        }
    }
}

/// True if a link has one of the wanted warnings. Without wanted warnings, none are computed.
fn has_warning(wanted: &[Warn], link: &Link<'_>) -> bool {
    let wanted_notes = || {
        wanted.iter().fold(Notes::NONE, |mut all, warn| {
            all.extend(warn.notes());
            all
        })
    };
    wanted.is_empty() || link.warnings().intersects(wanted_notes())
}

/// True if a link is at one of the wanted places and of one of the wanted kinds. An empty list of places accepts any
/// place, and an empty list of kinds any kind.
fn is_of_kind(wanted: &[Kind], link: &Link<'_>) -> bool {
    let place = link.place().kind;
    let kind = || match link.implied() {
        Some("mailto") => Some(LinkKind::Email),
        Some(_) => Some(LinkKind::Domain),
        None => link.scheme().map(|_| LinkKind::Iri),
    };
    let (mut any_place, mut any_kind) = (true, true);
    for wanted in wanted {
        match wanted {
            Kind::Place(_) => any_place = false,
            Kind::Link(_) => any_kind = false,
        }
    }
    (any_place || wanted.contains(&Kind::Place(place)))
        && (any_kind || kind().is_some_and(|kind| wanted.contains(&Kind::Link(kind))))
}
