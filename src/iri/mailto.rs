//! E-mail addresses and the IRIs that name them (RFC 6068 2).

use super::percent;
use std::borrow::Cow;

const SCHEME: &str = "mailto:";

/// The `mailto` IRI of an e-mail address as people write it: what RFC 6068 2 does not allow in an address is
/// percent-encoded, `%`, `/`, `?`, `#` and `&` among it; letters beyond ASCII stay ([`ToUri`](super::ToUri) maps
/// them). Linear.
///
/// ```
/// use linkglot::iri::{ToUri, mailto};
///
/// assert_eq!(mailto("ann#1@example.org"), "mailto:ann%231@example.org");
/// let iri = mailto("100%@bücher.example");
/// assert_eq!(iri, "mailto:100%25@bücher.example");
/// assert_eq!(ToUri::default().map(&iri).unwrap().text, "mailto:100%25@b%C3%BCcher.example");
/// ```
pub fn mailto(address: &str) -> String {
    let sign = address.rfind('@');
    let mut iri = String::with_capacity(SCHEME.len() + address.len());
    iri.push_str(SCHEME);
    for (at, ch) in address.char_indices() {
        if Some(at) == sign || stays(ch) {
            iri.push(ch);
        } else {
            percent::push_char(&mut iri, ch);
        }
    }
    iri
}

/// The address that a `mailto` IRI names, as people write it; `None` for another IRI, or if its octets are not UTF-8.
/// Undoes [`mailto`]. Linear.
pub(crate) fn mail_address(iri: &str) -> Option<Cow<'_, str>> {
    percent::decoded(iri.strip_prefix(SCHEME)?)
}

/// Whether a character of an address is itself in the IRI. Of the delimiters these are `some-delims` without `,`, which
/// parts addresses, without `;`, and without the `@` that a quoted local part may have.
fn stays(ch: char) -> bool {
    !ch.is_ascii() || ch.is_ascii_alphanumeric() || "-._~!$'()*+:".contains(ch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iri::{Form, Parts, is_uri_reference, parse};

    #[test]
    fn what_no_address_has_in_an_iri_is_encoded() {
        for (address, iri) in [
            ("ann@a.example", "mailto:ann@a.example"),
            (
                "o'hara+x!$*~_-@a.example",
                "mailto:o'hara+x!$*~_-@a.example",
            ),
            ("a/b?c#d%e@f.example", "mailto:a%2Fb%3Fc%23d%25e@f.example"),
            ("a&b=c@d.example", "mailto:a%26b%3Dc@d.example"),
            ("{a}|b^`@d.example", "mailto:%7Ba%7D%7Cb%5E%60@d.example"),
            (
                "\"a @,;b\"@d.example",
                "mailto:%22a%20%40%2C%3Bb%22@d.example",
            ),
            ("a@[127.0.0.1]", "mailto:a@%5B127.0.0.1%5D"),
            ("jörg#@é.example", "mailto:jörg%23@é.example"),
        ] {
            assert_eq!(mailto(address), iri);
        }
    }

    #[test]
    fn every_address_comes_back() {
        for ch in ('\0'..='\u{2FF}').chain(['日', '\u{1F600}']) {
            let address = format!("a{ch}b@c.example");
            let iri = mailto(&address);
            assert_eq!(mail_address(&iri).as_deref(), Some(&*address));
            let parts = Parts::split(&iri);
            assert_eq!((parts.query(), parts.fragment()), (None, None), "{iri}");
            if ch.is_ascii() {
                assert!(is_uri_reference(&iri), "{iri}");
            } else if ch > '\u{9F}' {
                assert!(parse(&iri, Form::Iri).is_ok(), "{iri}");
            }
        }
        assert_eq!(mail_address("http://a@b"), None);
    }
}
