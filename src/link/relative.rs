//! References as read by URL parsers, and their dependence on a base.

use super::{has_quirks, scheme_of};
use crate::iri::scheme::is_special;
use std::borrow::Cow;

/// A reference without the characters that browsers drop, and with `/` for `\`, which browsers read as a slash (URL
/// Standard 4.4).
pub(crate) fn as_parsed(reference: &str) -> Cow<'_, str> {
    let reference = reference.trim_matches(|ch| ch <= ' ');
    if !has_quirks(reference) {
        return Cow::Borrowed(reference);
    }
    let path_end = reference.find(['?', '#']).unwrap_or(reference.len());
    let kept = reference.char_indices();
    let kept = kept.filter(|(_, ch)| !matches!(ch, '\t' | '\n' | '\r'));
    kept.map(|(at, ch)| match ch {
        '\\' if at < path_end => '/',
        ch => ch,
    })
    .collect()
}

/// True if browsers read a reference as one with an authority but without a scheme: `//host/`, `/\\host/`.
pub(crate) fn is_network_path(reference: &str) -> bool {
    as_parsed(reference).starts_with("//")
}

/// True if browsers take only the scheme of a reference from its base, or need the base to read the rest behind a
/// scheme: `//host/`, `http:/path`.
pub(crate) fn is_scheme_relative(reference: &str) -> bool {
    let parsed = as_parsed(reference);
    parsed.starts_with("//") || scheme_of(&parsed).is_some() && is_relative(&parsed)
}

/// True if the target of a reference (see [`as_parsed`]) can depend on a base. `http:x` is relative to a base with the
/// same scheme (URL Standard 4.4, special relative or authority state).
pub(crate) fn is_relative(reference: &str) -> bool {
    scheme_of(reference)
        .is_none_or(|scheme| !reference[scheme.len() + 1..].starts_with("//") && is_special(scheme))
}
