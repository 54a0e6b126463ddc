//! Percent-encodes characters that a charset lacks, or writes labels of hosts in punycode.
//!
//! The module must know neither the place of a reference nor its target.

use crate::iri::{HostForm, Parts, ToUri, push_percent_encoded};
use std::ops::Range;

/// The reference (a link, and the template code behind it) with only the characters that `has` accepts. `None` if `has`
/// accepts all characters already or refuses a character of the code, or if a host cannot be mapped. Linear.
///
/// A label of a host becomes punycode as a whole (RFC 3987 3.1, ToASCII); other characters are percent-encoded one by
/// one, in UTF-8 (RFC 3987 3.1 step 2).
pub(super) fn encoded(
    (link, code): (&str, &str),
    to_uri: &ToUri,
    has: &dyn Fn(char) -> bool,
) -> Option<String> {
    if !code.chars().all(has) || link.chars().all(has) {
        return None;
    }
    let parts = Parts::split(link);
    let host = parts.host_range().unwrap_or(0..0);
    let mut out = String::with_capacity(link.len() * 2);
    percent(&link[..host.start], has, &mut out);
    if link[host.clone()].chars().all(has) {
        out.push_str(&link[host.clone()]);
    } else {
        out.push_str(&with_labels(link, host.clone(), to_uri, has)?);
    }
    percent(&link[host.end..], has, &mut out);
    Some(out + code)
}

fn percent(text: &str, has: &dyn Fn(char) -> bool, out: &mut String) {
    for ch in text.chars() {
        if has(ch) {
            out.push(ch)
        } else {
            push_percent_encoded(out, ch)
        }
    }
}

/// The host of a reference, where each label with other characters has its URI form.
fn with_labels(
    reference: &str,
    host: Range<usize>,
    to_uri: &ToUri,
    has: &dyn Fn(char) -> bool,
) -> Option<String> {
    let to_uri = ToUri {
        host: match to_uri.host {
            HostForm::Percent => HostForm::Percent,
            _ => HostForm::Punycode,
        },
        ..to_uri.clone()
    };
    let uri = to_uri.map(&reference[..host.end]).ok()?.text;
    let ascii = Parts::split(&uri).host()?;
    let own = &reference[host];
    if own.split('.').count() != ascii.split('.').count() {
        return Some(ascii.to_owned());
    }
    let labels = own.split('.').zip(ascii.split('.'));
    let labels = labels.map(|(own, ascii)| if own.chars().all(has) { own } else { ascii });
    Some(labels.collect::<Vec<_>>().join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_lacking_is_encoded() {
        let cases = [
            ("http://h/\u{e9}?\u{e9}", None),
            ("http://h/\u{e9}\u{416}", Some("http://h/\u{e9}%D0%96")),
            ("/a?\u{416}=\u{e9}#\u{5d0}", Some("/a?%D0%96=\u{e9}#%D7%90")),
            ("mailto:\u{436}@h", Some("mailto:%D0%B6@h")),
            (
                "https://\u{436}@\u{e9}.\u{436}.ru:8/",
                Some("https://%D0%B6@\u{e9}.xn--f1a.ru:8/"),
            ),
            // Dots of other scripts become `.`, so that the host changes as a whole.
            ("http://\u{e9}\u{3002}ru/", Some("http://xn--9ca.ru/")),
            ("foo://\u{436}.\u{e9}/", Some("foo://%D0%B6.\u{e9}/")),
            ("http://\u{436}..\u{436}/", None),
            ("http://h/\u{416}/{{ x }}", Some("http://h/%D0%96/{{ x }}")),
            ("http://h/\u{416}/{{ \u{416} }}", None),
        ];
        for (reference, expected) in cases {
            let code = reference.find("{{").unwrap_or(reference.len());
            let new = encoded(reference.split_at(code), &ToUri::default(), &|ch| {
                ch < '\u{100}'
            });
            assert_eq!(new.as_deref(), expected, "{reference}");
        }
    }
}
