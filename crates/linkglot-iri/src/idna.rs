//! Domain names in ASCII and in Unicode: the one door to the `idna` crate.
//!
//! UTS 46, non-transitional unless asked for, with STD3 rules, as RFC 3987 3.1 asks of ToASCII. Hyphens are checked
//! only at both ends of a label, because names with hyphens in third and fourth place are in use.

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46, verify_dns_length};
use std::borrow::Cow;

/// Conversion of a DNS name to punycode: by UTS 46 with STD3 rules, in one of two ways.
///
/// ```
/// use linkglot_iri::{Idna, ToUri};
///
/// let mut settings = ToUri::default();
/// assert_eq!(settings.map("http://faß.example/").unwrap().text, "http://xn--fa-hia.example/");
/// settings.idna = Idna::Transitional;
/// assert_eq!(settings.map("http://faß.example/").unwrap().text, "http://fass.example/");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Idna {
    /// As browsers do.
    #[default]
    Uts46,
    /// As in 2003 (RFC 3490): `ß` becomes `ss`, `ς` becomes `σ`, and joiners are removed. Each label is
    /// mapped by itself.
    Transitional,
}

/// The dots between labels (UTS 46 4, step 3).
pub(crate) fn is_dot(ch: char) -> bool {
    matches!(ch, '.' | '\u{3002}' | '\u{FF0E}' | '\u{FF61}')
}

/// True if a reference may have a label in punycode.
pub(crate) fn may_have_punycode(uri: &str) -> bool {
    let bytes = uri.as_bytes();
    memchr::memchr2_iter(b'x', b'X', bytes).any(|at| {
        let prefix = bytes.get(at..at + 4);
        prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case(b"xn--"))
    })
}

/// The ASCII form of a domain name, in lower case; `None` when the name has none. Linear; the length of labels is
/// bounded.
pub(crate) fn to_ascii(domain: &str) -> Option<Cow<'_, str>> {
    Uts46::new()
        .to_ascii(
            domain.as_bytes(),
            AsciiDenyList::STD3,
            Hyphens::CheckFirstLast,
            DnsLength::VerifyAllowRootDot,
        )
        .ok()
}

/// ToASCII (RFC 3490 4) of each label by itself, as RFC 3987 3.1 asks: UTS 46 judges the labels together, so that one
/// label can get another refused.
fn to_ascii_2003(domain: &str) -> Option<String> {
    let labels: Vec<&str> = domain.split(is_dot).collect();
    let mut out = String::with_capacity(domain.len() + 8);
    for (at, label) in labels.iter().enumerate() {
        let is_root = label.is_empty() && at > 0 && at + 1 == labels.len();
        if at > 0 {
            out.push('.');
        }
        if !is_root {
            out.push_str(&label_to_ascii_2003(label)?);
        }
    }
    verify_dns_length(&out, true).then_some(out)
}

fn label_to_ascii_2003(label: &str) -> Option<Cow<'_, str>> {
    if label.is_ascii() {
        // Punycode in an ASCII label is not checked (4.1, step 1).
        return is_std3(label).then_some(Cow::Borrowed(label));
    }
    let ascii = to_ascii(&transitional(label))?.into_owned();
    // A mapped character must not cut the label.
    is_std3(&ascii).then_some(Cow::Owned(ascii))
}

/// True if an ASCII label keeps the rules of STD 3: letters, digits, and hyphens inside.
fn is_std3(label: &str) -> bool {
    let is_allowed = |byte: u8| byte == b'-' || byte.is_ascii_alphanumeric();
    !label.is_empty()
        && label.bytes().all(is_allowed)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

/// Maps the four characters that UTS 46 keeps and RFC 3490 does not.
fn transitional(label: &str) -> String {
    let mut out = String::with_capacity(label.len());
    for ch in label.chars() {
        match ch {
            'ß' | 'ẞ' => out.push_str("ss"),
            'ς' => out.push('σ'),
            '\u{200C}' | '\u{200D}' => {}
            _ => out.push(ch.to_ascii_lowercase()),
        }
    }
    out
}

/// The ASCII form; labels that are ASCII already keep their case, which UTS 46 would lower (RFC 3490
/// 4.1 maps each label by itself).
pub(crate) fn to_ascii_by_label(domain: &str, version: Idna) -> Option<String> {
    if version == Idna::Transitional {
        return to_ascii_2003(domain);
    }
    let ascii = to_ascii(domain)?;
    Some(with_own_ascii_labels(domain, &ascii))
}

/// The Unicode form. `is_shown` gets every label and the top-level domain; labels for which it is false stay as they
/// were. `None` when the name is no valid domain name.
pub(crate) fn to_unicode(
    domain: &str,
    mut is_shown: impl FnMut(&str, &str) -> bool,
) -> Option<String> {
    let has_right_length = if domain.is_ascii() {
        verify_dns_length(domain, true)
    } else {
        to_ascii(domain).is_some()
    };
    if !has_right_length {
        return None;
    }
    let (unicode, valid) = Uts46::new().to_user_interface(
        domain.as_bytes(),
        AsciiDenyList::STD3,
        Hyphens::CheckFirstLast,
        |label, top, _| is_shown(&String::from_iter(label), &String::from_iter(top)),
    );
    valid.ok()?;
    Some(with_own_ascii_labels(domain, &unicode))
}

/// Returns `mapped`, with the labels of `domain` where the two differ only in case.
fn with_own_ascii_labels(domain: &str, mapped: &str) -> String {
    let is_aligned = domain.split(is_dot).count() == mapped.split('.').count();
    if !is_aligned {
        return mapped.to_owned();
    }
    let mut out = String::with_capacity(mapped.len());
    for (own, label) in domain.split(is_dot).zip(mapped.split('.')) {
        if !out.is_empty() {
            out.push('.');
        }
        let is_same = own.is_ascii() && own.eq_ignore_ascii_case(label);
        out.push_str(if is_same { own } else { label });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_labels_keep_their_case() {
        let ascii = to_ascii_by_label("Ä.Example。ORG.", Idna::Uts46);
        assert_eq!(ascii.as_deref(), Some("xn--4ca.Example.ORG."));
    }

    #[test]
    fn invalid_names_have_no_ascii_form() {
        for domain in [
            "ä b",
            "ä_.org",
            "-ä.org",
            "ä..org",
            "ä\u{202E}.org",
            "א1a.org",
        ] {
            assert_eq!(to_ascii_by_label(domain, Idna::Uts46), None, "{domain:?}");
        }
        assert_eq!(to_ascii(&"ä".repeat(60)), None);
    }

    /// The bidi rule and the check of punycode judge labels together in UTS 46 alone.
    #[test]
    fn labels_of_2003_are_mapped_one_by_one() {
        for (domain, ascii) in [
            ("א.1a.com", Some("xn--4db.1a.com")),
            ("ä.xn--a.ORG", Some("xn--4ca.xn--a.ORG")),
            ("Straße.Faß。DE.", Some("strasse.fass.DE.")),
            ("ä.a_b.org", None),
            ("ä.-a.org", None),
            ("ä..org", None),
            (".ä", None),
            ("ä.⒈", None),
            ("ä.\u{200D}", None),
            ("א1a.org", None),
        ] {
            let found = to_ascii_by_label(domain, Idna::Transitional);
            assert_eq!(found.as_deref(), ascii, "{domain:?}");
        }
        assert_eq!(to_ascii_by_label("א.1a.com", Idna::Uts46), None);
        assert_eq!(to_ascii_by_label("ä.xn--a.ORG", Idna::Uts46), None);
        let long = "ä.".repeat(40);
        assert_eq!(to_ascii_by_label(&long, Idna::Transitional), None);
    }

    #[test]
    fn labels_are_shown_one_by_one() {
        let unicode = to_unicode("XN--4CA.Www.xn--r8jz45g", |label, _| label == "ä");
        assert_eq!(unicode.as_deref(), Some("ä.Www.xn--r8jz45g"));
        assert_eq!(to_unicode("xn--a.org", |_, _| true), None);
    }
}
