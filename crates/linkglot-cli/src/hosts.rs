//! The hosts of links: the filter by host, and the table of hosts.

use super::args::{FilterArgs, host_name as host};
use super::json;
use super::output::Controls;
use linkglot::Link;
use linkglot::link::Info;
use linkglot_iri::{Parts, ToIri};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The host that a link leads to, in punycode and lower case: its own, or its base's. `None` for links without a host
/// (`mailto:`, `#a`, relative links with an unknown base).
pub fn host_of(link: &Link<'_>, info: &Info) -> Option<String> {
    let target = link.resolved(info);
    let target = target.map_or_else(|| link.reference(), Into::into);
    host(&target)
}

/// A host in display form, with its punycode behind.
pub fn host_label(host: &str) -> String {
    let link = format!("http://{host}/");
    let shown = ToIri::default().map(&link, &|_| true).text;
    let shown = Parts::split(&shown).host().unwrap_or(host);
    if shown == host {
        host.to_owned()
    } else {
        format!("{shown} ({host})")
    }
}

/// True if the filter accepts the host of a link.
pub fn fits(filter: &FilterArgs, link: &Link<'_>, info: &Info) -> bool {
    if filter.host.is_empty() && !filter.external && !filter.internal {
        return true;
    }
    let own = host_of(link, info);
    let is_wanted = || {
        let host = own.as_deref();
        host.is_some_and(|host| filter.host.iter().any(|wanted| wanted.fits(host)))
    };
    if !filter.host.is_empty() && !is_wanted() {
        return false;
    }
    let site = || info.base.as_deref().and_then(host);
    let is_relative = || link.scheme().is_none() && link.implied().is_none();
    match own {
        _ if !filter.external && !filter.internal => true,
        // A relative link stays within its site, even if the site is unknown.
        None => filter.internal && is_relative() && !link.reference().starts_with("//"),
        Some(own) => {
            let is_internal = site().map_or_else(
                || is_relative() && !link.reference().starts_with("//"),
                |site| site == own,
            );
            is_internal == filter.internal
        }
    }
}

/// Number of links to a host, and of files with them.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    links: u64,
    files: u64,
}

/// The hosts of a run. The hosts of a file are added when it has been read.
#[derive(Debug, Default)]
pub struct HostTable(Mutex<BTreeMap<String, Count>>);

impl HostTable {
    /// Adds the links of a file, by host.
    pub fn add(&self, links: BTreeMap<String, u64>) {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (host, links) in links {
            let count = table.entry(host).or_default();
            count.links += links;
            count.files += 1;
        }
    }

    /// The rows, most links first, as a table or as objects.
    pub fn print(&self, as_objects: bool) -> Vec<u8> {
        let table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rows: Vec<(&str, Count)> = table
            .iter()
            .map(|(host, count)| (host.as_str(), *count))
            .collect();
        rows.sort_by_key(|(_, count)| std::cmp::Reverse(count.links));
        let (mut out, controls) = (Vec::new(), Controls::for_stdout());
        if !as_objects && !rows.is_empty() {
            out.extend_from_slice(b"LINKS\tFILES\tHOST\n");
        }
        for (host, Count { links, files }) in rows {
            if as_objects {
                json::host(&mut out, host, links, files)
            } else {
                let host = controls.apply_to_words(host);
                out.extend_from_slice(format!("{links}\t{files}\t{host}\n").as_bytes());
            }
        }
        out
    }
}
