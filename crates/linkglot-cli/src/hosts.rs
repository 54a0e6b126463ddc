//! The table of hosts that links lead to.

use super::json;
use super::output::Controls;
use linkglot_iri::{Parts, ToIri};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

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
