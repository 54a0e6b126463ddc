//! Settings of a caller, besides the profile: kinds, schemes, top-level domains, line breaks.

// Nobody sets what the feature leaves out.
#![cfg_attr(not(feature = "settings"), allow(dead_code, unused_imports))]

use super::classes::Classes;
use super::known_hosts::{Hosts, forms};
use super::label_starts::LabelStarts;
use super::links::scheme;
use super::lists::{self, Names, Shape};
use super::native_domains::{self, NativeDomains};
use super::{Breaks, Kind, Profile, Scanner};
use linkglot_charset::Charset;
#[cfg(feature = "iri")]
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// True if scanners have settings. Without the feature every scanner is the default one, and the compiler leaves out
/// what other settings need: programs that are downloaded pay for each byte.
const HAS_SETTINGS: bool = cfg!(feature = "settings");

/// The choices, shared by clones of a scanner.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    /// The kinds to report; `None` for all.
    kinds: Option<Arc<[Kind]>>,
    /// Schemes that are links without `//`, besides the known schemes.
    added: Option<Arc<Names>>,
    /// Schemes whose links are not reported.
    refused: Option<Arc<Names>>,
    /// Top-level domains that replace IANA's.
    tlds: Option<Arc<OwnNames>>,
    /// Hosts of the caller that are links without a scheme.
    hosts: Hosts,
    /// The line breaks that links go over.
    breaks: Breaks,
}

/// Top-level domains of the caller.
#[derive(Debug)]
struct OwnNames {
    names: Names,
    /// Bytes that may stand behind a `。` that separates labels, by charset, filled on demand.
    label_starts: Vec<(Charset, OnceLock<Option<LabelStarts>>)>,
}

impl OwnNames {
    fn new<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let charsets = Charset::all().map(|charset| (charset, OnceLock::new()));
        OwnNames {
            names: Names::new(names),
            label_starts: charsets.collect(),
        }
    }

    fn label_starts(&self, charset: Charset) -> Option<&LabelStarts> {
        let (_, label_starts) = self
            .label_starts
            .iter()
            .find(|(known, _)| *known == charset)?;
        label_starts
            .get_or_init(|| native_domains::label_starts_of(charset, &self.names))
            .as_ref()
    }
}

/// The union of a set of schemes and more names. Delimiters behind the names are dropped.
fn with_schemes<'n>(
    known: Option<&Names>,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<Arc<Names>> {
    let names = names
        .into_iter()
        .map(|name| name.trim_end_matches([':', '/']));
    let names: Vec<&str> = names
        .chain(known.into_iter().flat_map(Names::names))
        .collect();
    Some(Arc::new(Names::new(names.into_iter())))
}

#[cfg(feature = "settings")]
impl Scanner {
    /// Reports only links of these kinds. Other links are still recognized, so that no part of them counts as a link.
    ///
    /// ```
    /// use linkglot_scan::{Kind, Scanner};
    /// let scanner = Scanner::default().kinds([Kind::Email]);
    /// let text = "http://example.org/a@example.org and b@example.org";
    /// assert_eq!(scanner.links(text).count(), 1);
    /// ```
    pub fn kinds(mut self, kinds: impl IntoIterator<Item = Kind>) -> Self {
        self.settings.kinds = Some(kinds.into_iter().collect());
        self
    }

    /// Takes links with these schemes even without `//` (`issue:1234`). Earlier calls still count. Names are in any
    /// case, with or without a colon.
    ///
    /// ```
    /// use linkglot_scan::Scanner;
    /// let scanner = Scanner::default().add_schemes(["issue"]);
    /// let text = "see issue:1234.";
    /// assert_eq!(scanner.links(text).next().unwrap().span.of(text), "issue:1234");
    /// ```
    pub fn add_schemes<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.settings.added = with_schemes(self.settings.added.as_deref(), names);
        self
    }

    /// Does not report links with these schemes. Such links are still recognized, so that no part of them counts as a
    /// link. Earlier calls still count. Domains and addresses without a scheme are reported nevertheless;
    /// [`kinds`](Self::kinds) leaves them out. Names are in any case, with or without a colon.
    ///
    /// ```
    /// use linkglot_scan::Scanner;
    /// let scanner = Scanner::default().refuse_schemes(["file", "mailto"]);
    /// let text = "file:///etc/hosts mailto:a@example.org b@example.org";
    /// assert_eq!(scanner.links(text).next().unwrap().link(text), "b@example.org");
    /// ```
    pub fn refuse_schemes<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.settings.refused = with_schemes(self.settings.refused.as_deref(), names);
        self
    }

    /// Replaces IANA's top-level domains, and those of an earlier call. Each name is one label, with or without a dot,
    /// in ASCII or native form. The feature `iri` adds the other form.
    ///
    /// ```
    /// use linkglot_scan::Scanner;
    /// let scanner = Scanner::default().top_level_domains(["corp", "test"]);
    /// assert_eq!(scanner.links("wiki.corp and example.com").count(), 1);
    /// ```
    pub fn top_level_domains<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let names = names.into_iter().map(|name| name.trim_matches('.'));
        let names: Vec<String> = names.flat_map(forms).collect();
        self.settings.tlds = Some(Arc::new(OwnNames::new(names.iter().map(String::as_str))));
        self
    }

    /// Takes names of these hosts, and of hosts below them, for links even where such a name is more often a file, a
    /// member of a program or words. The top-level domain must be known. Replaces the hosts of an earlier call.
    ///
    /// ```
    /// use linkglot_scan::{Hosts, Scanner};
    /// let scanner = Scanner::default().known_hosts(Hosts::from_iter(["main.rs"]));
    /// assert_eq!(scanner.links("main.rs, lib.rs").count(), 1);
    /// ```
    pub fn known_hosts(mut self, hosts: Hosts) -> Self {
        self.settings.hosts = hosts;
        self
    }

    /// Takes links over line breaks of these sorts.
    ///
    /// ```
    /// use linkglot_scan::{Breaks, Scanner};
    /// let scanner = Scanner::default().join(Breaks::FLOWED);
    /// let text = "see http://example.org/a/b \n/c for more";
    /// assert_eq!(scanner.links(text).next().unwrap().link(text), "http://example.org/a/b/c");
    /// ```
    pub fn join(mut self, breaks: Breaks) -> Self {
        self.settings.breaks = breaks;
        self
    }
}

impl Scanner {
    /// The rules that decide.
    #[inline(always)]
    pub(super) fn profile(&self) -> Profile {
        if HAS_SETTINGS {
            self.profile
        } else {
            Profile::Extended
        }
    }

    #[inline(always)]
    pub(super) fn breaks(&self) -> Breaks {
        self.settings()
            .map_or(Breaks::NONE, |settings| settings.breaks)
    }

    /// The settings. `None`: those that a scanner begins with.
    #[inline(always)]
    fn settings(&self) -> Option<&Settings> {
        HAS_SETTINGS.then_some(&self.settings)
    }

    /// True if the settings ask for a link of this kind and scheme.
    #[inline(always)]
    pub(super) fn wants(&self, kind: Kind, link: &str) -> bool {
        let kinds = self.settings().and_then(|settings| settings.kinds.as_ref());
        let is_of_kind = kinds.is_none_or(|kinds| kinds.contains(&kind));
        is_of_kind && !(self.refuses_schemes() && self.refuses(kind, link))
    }

    fn refuses(&self, kind: Kind, link: &str) -> bool {
        let refused = self
            .settings()
            .and_then(|settings| settings.refused.as_ref());
        kind == Kind::Absolute && refused.is_some_and(|names| names.contains(&scheme(link)))
    }

    /// The character classes of the profile.
    pub(super) fn classes(&self) -> &'static Classes {
        match self.profile() {
            Profile::Uts58 => Classes::get(),
            _ => Classes::strict(),
        }
    }

    pub(super) fn has_added_schemes(&self) -> bool {
        self.settings()
            .is_some_and(|settings| settings.added.is_some())
    }

    /// True if the caller named a host or a domain above it.
    pub(super) fn has_host(&self, host: &str) -> bool {
        self.settings()
            .is_some_and(|settings| settings.hosts.have(host))
    }

    pub(super) fn has_own_tlds(&self) -> bool {
        self.own_tlds().is_some()
    }

    #[inline(always)]
    fn own_tlds(&self) -> Option<&OwnNames> {
        self.settings()?.tlds.as_deref()
    }

    #[inline(always)]
    pub(super) fn refuses_schemes(&self) -> bool {
        self.settings()
            .is_some_and(|settings| settings.refused.is_some())
    }

    pub(super) fn opaque_scheme(&self, name: &str) -> Option<Shape> {
        let added = self.settings().and_then(|settings| settings.added.as_ref());
        if added.is_some_and(|names| names.contains(name)) {
            Some(Shape::Any)
        } else {
            lists::opaque_scheme(name)
        }
    }

    pub(super) fn tlds(&self) -> &Names {
        match self.own_tlds() {
            Some(own) => &own.names,
            None => lists::tlds(),
        }
    }

    /// Bytes that may stand behind a `。` that separates labels, in the charset of `natives`. `None`: any bytes.
    pub(super) fn label_starts(&self, natives: &'static NativeDomains) -> Option<&LabelStarts> {
        match self.own_tlds() {
            Some(own) => own.label_starts(natives.charset),
            None => natives.label_starts(),
        }
    }
}

impl Kind {
    /// The scheme that links of this kind imply: `https` or `mailto`. `None` for links with a scheme.
    ///
    /// ```
    /// use linkglot_scan::Kind;
    /// assert_eq!(Kind::Email.implied_scheme(), Some("mailto"));
    /// assert_eq!(Kind::Absolute.implied_scheme(), None);
    /// ```
    pub fn implied_scheme(self) -> Option<&'static str> {
        match self {
            Kind::Absolute => None,
            Kind::Domain => Some("https"),
            Kind::Email => Some("mailto"),
        }
    }

    /// The IRI of a link of this kind: `https://` in front of a domain, or `mailto:` in front of an address, with
    /// percent-encoding by RFC 6068. `linkglot_iri::ToUri` maps it to a URI. `link` is the text of the link.
    ///
    /// ```
    /// use linkglot_scan::Kind;
    ///
    /// assert_eq!(Kind::Domain.iri("example.org/é"), "https://example.org/é");
    /// assert_eq!(Kind::Email.iri("ann#1@example.org"), "mailto:ann%231@example.org");
    /// assert_eq!(Kind::Absolute.iri("tel:1234567"), "tel:1234567");
    /// ```
    #[cfg(feature = "iri")]
    pub fn iri<'l>(self, link: &'l str) -> Cow<'l, str> {
        match self {
            Kind::Absolute => Cow::Borrowed(link),
            Kind::Domain => Cow::Owned(format!("https://{link}")),
            Kind::Email => Cow::Owned(linkglot_iri::mailto(link)),
        }
    }
}
