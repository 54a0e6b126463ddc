//! Hosts: their forms in URIs and in IRIs.

use crate::idna::{self, Idna};
use crate::percent;
use std::borrow::Cow;

/// The punycode form of a host that is no IP literal; `None` when the host has none.
///
/// Percent-encoded UTF-8 (RFC 3986 3.2.2) is undone first. Any other host in ASCII stays unchanged.
pub(crate) fn punycode(host: &str, version: Idna) -> Option<Cow<'_, str>> {
    match percent::decoded(host) {
        Some(domain) if !domain.is_ascii() => {
            idna::to_ascii_by_label(&domain, version).map(Cow::Owned)
        }
        Some(_) => Some(Cow::Borrowed(host)),
        None if host.is_ascii() => Some(Cow::Borrowed(host)),
        None => None,
    }
}

/// The Unicode form of a host, or the host itself when it is no valid domain name.
pub(crate) fn unicode(host: &str) -> Cow<'_, str> {
    let domain = percent::decoded(host).and_then(|domain| idna::to_unicode(&domain, |_, _| true));
    match domain {
        Some(domain) if domain != host => Cow::Owned(domain),
        _ => Cow::Borrowed(host),
    }
}

/// A name of the DNS in ASCII and in Unicode; in place of a form that it lacks, the name itself.
///
/// ```
/// assert_eq!(linkglot_iri::host_forms("é.example"), ["xn--9ca.example", "é.example"]);
/// ```
pub fn host_forms(name: &str) -> [String; 2] {
    let ascii = punycode(name, Idna::Uts46).unwrap_or(Cow::Borrowed(name));
    [ascii.into_owned(), unicode(name).into_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_hosts_stay_unchanged() {
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
    fn transitional_mapping() {
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
    fn valid_names_have_a_unicode_form() {
        assert_eq!(unicode("xn--bcher-kva.DE"), "bücher.DE");
        assert_eq!(unicode("xn--a.de"), "xn--a.de");
        assert_eq!(unicode("b%C3%BCcher.de"), "bücher.de");
    }
}
