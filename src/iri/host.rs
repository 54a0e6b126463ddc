//! Hosts: which schemes name them in the DNS, and their forms in URIs.

use super::idna;
use super::percent;
use super::to_uri::Idna;
use std::borrow::Cow;

/// Schemes whose authority names a host in the DNS, by their definitions: those that browsers know
/// (`file` too: its host is a domain there, RFC 8089 2) and the registered ones for fetching,
/// talking and logging in. Not `mailto`, `news`, `sip` or `urn`: they have no authority.
static DNS_SCHEMES: &[&str] = &[
    "acap", "coap", "coaps", "dict", "file", "ftp", "ftps", "git", "gopher", "http", "https",
    "imap", "imaps", "ipp", "ipps", "irc", "ircs", "ldap", "ldaps", "mms", "nfs", "nntp", "pop",
    "rsync", "rtsp", "rtsps", "sftp", "smb", "snmp", "ssh", "svn", "telnet", "tftp", "vnc", "ws",
    "wss", "xmpp",
];

/// Whether the scheme's hosts are DNS names. Case is ignored; an unknown scheme has none.
///
/// ```
/// use linkglot::iri::host::uses_dns;
///
/// assert!(uses_dns("HTTP") && !uses_dns("mailto"));
/// ```
pub fn uses_dns(scheme: &str) -> bool {
    DNS_SCHEMES
        .iter()
        .any(|known| known.eq_ignore_ascii_case(scheme))
}

/// Whether the document's charset governs queries of this scheme (the draft of 2011, 6.1).
pub(super) fn is_web(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

/// The punycode form of a host that is not an IP literal. `None` when it has none.
///
/// A host all in ASCII stays as it is, unless it has percent-encoded UTF-8 (RFC 3986 3.2.2), which
/// is undone first.
pub(super) fn punycode(host: &str, version: Idna) -> Option<Cow<'_, str>> {
    match percent::decoded(host) {
        Some(domain) if !domain.is_ascii() => {
            let name = match version {
                Idna::Uts46 => idna::to_ascii_by_label(&domain),
                Idna::Transitional => idna::to_ascii_by_label(&idna::transitional(&domain)),
            };
            name.map(Cow::Owned)
        }
        Some(_) => Some(Cow::Borrowed(host)),
        None if host.is_ascii() => Some(Cow::Borrowed(host)),
        None => None,
    }
}

/// The Unicode form of a host, as it is when it is no valid domain name.
pub(super) fn unicode(host: &str) -> Cow<'_, str> {
    let domain = percent::decoded(host).and_then(|domain| idna::to_unicode(&domain, |_, _| true));
    match domain {
        Some(domain) if domain != host => Cow::Owned(domain),
        _ => Cow::Borrowed(host),
    }
}

/// A name of the DNS in ASCII and in Unicode; twice the name where it has not both.
pub(crate) fn both_forms(name: &str) -> [String; 2] {
    let ascii = punycode(name, Idna::Uts46).unwrap_or(Cow::Borrowed(name));
    [ascii.into_owned(), unicode(name).into_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_with_dns_names() {
        assert!(uses_dns("HTTP") && uses_dns("wss") && uses_dns("file"));
        assert!(!uses_dns("mailto") && !uses_dns("urn") && !uses_dns(""));
    }

    #[test]
    fn ascii_hosts_stay() {
        for host in [
            "EXAMPLE.org",
            "a_b",
            "xn--a",
            "%41.org",
            "%E9.org",
            "%",
            "1.2.3.4",
        ] {
            assert_eq!(punycode(host, Idna::Uts46).as_deref(), Some(host));
        }
    }

    #[test]
    fn escaped_utf8_is_undone_first() {
        assert_eq!(
            punycode("b%C3%BCcher.DE", Idna::Uts46).as_deref(),
            Some("xn--bcher-kva.DE")
        );
        assert_eq!(punycode("b%C3%BCcher%2Fx.de", Idna::Uts46), None);
        assert_eq!(punycode("ü%E9", Idna::Uts46), None);
    }

    #[test]
    fn as_in_2003() {
        let punycode = |host: &str| punycode(host, Idna::Transitional).map(Cow::into_owned);
        assert_eq!(punycode("Stra%C3%9Fe.DE").as_deref(), Some("strasse.DE"));
        assert_eq!(punycode("βόλος.com").as_deref(), Some("xn--nxasmq6b.com"));
        assert_eq!(
            punycode("xn--strae-oqa.de").as_deref(),
            Some("xn--strae-oqa.de")
        );
        assert_eq!(punycode("\u{200D}.com"), None);
    }

    #[test]
    fn unicode_where_there_is_one() {
        assert_eq!(unicode("xn--bcher-kva.DE"), "bücher.DE");
        assert_eq!(unicode("xn--a.de"), "xn--a.de");
        assert_eq!(unicode("b%C3%BCcher.de"), "bücher.de");
    }
}
