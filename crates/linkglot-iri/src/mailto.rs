//! E-mail addresses and the IRIs that name them (RFC 6068 2).

use crate::parts::Parts;
use crate::percent;
use std::borrow::Cow;
use std::ops::Range;

const SCHEME: &str = "mailto:";

/// The `mailto` IRI of an e-mail address as people write it. Characters that RFC 6068 2 does not
/// allow in an address are percent-encoded, `%`, `/`, `?`, `#` and `&` among them. Characters beyond
/// ASCII stay; [`ToUri`](crate::ToUri) maps them. Linear.
///
/// ```
/// use linkglot_iri::{ToUri, mailto};
///
/// assert_eq!(mailto("ann#1@example.org"), "mailto:ann%231@example.org");
/// let iri = mailto("100%@bücher.example");
/// assert_eq!(iri, "mailto:100%25@bücher.example");
/// assert_eq!(ToUri::default().map(&iri).unwrap().text, "mailto:100%25@b%C3%BCcher.example");
/// ```
pub fn mailto(address: &str) -> String {
    let last_at = address.rfind('@');
    let mut iri = String::with_capacity(SCHEME.len() + address.len());
    iri.push_str(SCHEME);
    for (at, ch) in address.char_indices() {
        if Some(at) == last_at || is_plain(ch) {
            iri.push(ch);
        } else {
            percent::push_char(&mut iri, ch);
        }
    }
    iri
}

/// The address that a `mailto` IRI names, as people write it: the inverse of [`mailto`]. `None` for
/// another IRI, or if its octets are not UTF-8. Linear.
///
/// ```
/// use linkglot_iri::mail_address;
///
/// assert_eq!(mail_address("mailto:100%25@bücher.example").as_deref(), Some("100%@bücher.example"));
/// ```
pub fn mail_address(iri: &str) -> Option<Cow<'_, str>> {
    percent::decoded(iri.strip_prefix(SCHEME)?)
}

/// The ranges of a `mailto` IRI that hold addresses, separated by commas: the path, and the values of
/// the header fields `to`, `cc` and `bcc`.
pub(crate) fn address_lists(parts: &Parts) -> Vec<Range<usize>> {
    let mut lists = vec![parts.path_range()];
    let Some(query) = parts.query_range() else {
        return lists;
    };
    let mut start = query.start;
    for field in parts.text()[query].split('&') {
        let end = start + field.len();
        if let Some((name, value)) = field.split_once('=')
            && ["to", "cc", "bcc"]
                .iter()
                .any(|list| name.eq_ignore_ascii_case(list))
        {
            lists.push(end - value.len()..end);
        }
        start = end + 1;
    }
    lists
}

/// True if a character of an address is not encoded. Of RFC 6068's `some-delims`, three are encoded: `,` and `;`,
/// because they separate addresses, and `@`, which a quoted local part may have.
fn is_plain(ch: char) -> bool {
    !ch.is_ascii() || ch.is_ascii_alphanumeric() || "-._~!$'()*+:".contains(ch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Form, is_uri_reference, parse};

    #[test]
    fn characters_that_no_address_may_have_are_encoded() {
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
    fn addresses_survive_the_round_trip() {
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
