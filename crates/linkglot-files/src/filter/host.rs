//! The hosts of links, and hosts as options name them.

use linkglot::Link;
use linkglot::link::Info;
use linkglot_iri::target::plain_host;
use linkglot_iri::{Level, Parts, normalize};

/// The host that a link leads to, in punycode and lower case: its own, or its base's. `None` for links without a host
/// (`mailto:`, `#a`, relative links with an unknown base).
pub fn host_of(link: &Link<'_>, info: &Info) -> Option<String> {
    let reference = link.reference();
    if let Some(host) = plain_host(&reference) {
        return Some(host.to_owned());
    }
    host_name(&link.resolved(info).map_or(reference, Into::into))
}

/// The host of a reference, in punycode and lower case, without a final dot.
pub fn host_name(reference: &str) -> Option<String> {
    // Only a scheme makes the normal form treat the host as a DNS name.
    let scheme = if reference.starts_with("//") {
        "http:"
    } else {
        ""
    };
    let normal = normalize(&format!("{scheme}{reference}"), Level::Scheme);
    let host = Parts::split(&normal).host()?;
    let host = host.strip_suffix('.').unwrap_or(host);
    (!host.is_empty()).then(|| host.to_owned())
}

/// A pattern of hosts: a single host, or with `*.` all subdomains of a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPattern {
    host: String,
    below: bool,
}

impl HostPattern {
    /// Reads `example.org` or `*.example.org`, in any form of the host.
    ///
    /// # Errors
    ///
    /// A message that quotes `text`, when it is not a host.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, below) = match text.strip_prefix("*.") {
            Some(name) => (name, true),
            None => (text, false),
        };
        let network_path = format!("//{name}/");
        let has_port = Parts::split(&network_path).port().is_some();
        let is_host = !has_port && !name.contains(['/', '?', '#', '@', '*', ' ']);
        match host_name(&network_path).filter(|_| is_host) {
            Some(host) => Ok(HostPattern { host, below }),
            None => Err(format!(
                "expected a host such as `example.org` or `*.example.org`, found `{text}`"
            )),
        }
    }

    /// The host, or the domain above the hosts, in punycode and lower case.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// True if the pattern matches `host`, given in punycode and lower case.
    pub fn fits(&self, host: &str) -> bool {
        let is_below = |rest: &str| rest.ends_with('.');
        if self.below {
            host.strip_suffix(self.host.as_str()).is_some_and(is_below)
        } else {
            host == self.host
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let fits = |pattern: &str, host: &str| HostPattern::parse(pattern).unwrap().fits(host);
        assert!(fits("Example.ORG", "example.org") && fits("example.org.", "example.org"));
        assert!(!fits("example.org", "www.example.org"));
        assert!(fits("*.example.org", "a.b.example.org"));
        assert!(!fits("*.example.org", "example.org") && !fits("*.example.org", "anexample.org"));
        assert!(fits("bücher.example", "xn--bcher-kva.example"));
        assert!(fits("[2001:DB8::1]", "[2001:db8::1]"));
        for wrong in ["", "*.", "a/b", "http://a", "a.*", "a b", "a:80", "u@a"] {
            assert!(HostPattern::parse(wrong).is_err(), "{wrong}");
        }
    }
}
