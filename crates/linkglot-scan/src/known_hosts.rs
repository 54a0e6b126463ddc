//! Hosts that a caller names: links without a scheme, whatever the counts of names say.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

/// Hosts that are links without a scheme, and so are hosts below them, even where such a name is more often a file, a
/// member of a program or words ([`Scanner::known_hosts`](crate::Scanner::known_hosts)). Clones share them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosts(Option<Arc<HashSet<Box<str>>>>);

impl Hosts {
    /// True if the hosts have a host or a domain above it. O(length of the host).
    pub(super) fn have(&self, host: &str) -> bool {
        let Some(hosts) = &self.0 else {
            return false;
        };
        let host = if host.is_ascii() && !host.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Borrowed(host)
        } else {
            Cow::Owned(host.to_lowercase())
        };
        let above = host.match_indices('.').map(|(dot, _)| dot + 1);
        let mut domains = std::iter::once(0).chain(above).map(|at| &host[at..]);
        domains.any(|domain| hosts.contains(domain))
    }
}

impl<'n> FromIterator<&'n str> for Hosts {
    /// Hosts in ASCII or native form, in any case. The feature `iri` adds the other form.
    fn from_iter<I: IntoIterator<Item = &'n str>>(names: I) -> Hosts {
        let names = names.into_iter().map(|name| name.trim_matches('.'));
        // Rules name one site many times.
        let names: HashSet<&str> = names.filter(|name| !name.is_empty()).collect();
        let forms = names.into_iter().flat_map(forms);
        let names: HashSet<Box<str>> = forms.map(|name| name.to_lowercase().into()).collect();
        Hosts((!names.is_empty()).then(|| Arc::new(names)))
    }
}

/// Both forms of a domain.
#[cfg(feature = "iri")]
pub(super) fn forms(name: &str) -> [String; 2] {
    linkglot_iri::host_forms(name)
}

/// The form of a domain that the caller gave. The other form needs the feature `iri`.
#[cfg(not(feature = "iri"))]
pub(super) fn forms(name: &str) -> [String; 1] {
    [name.to_owned()]
}
