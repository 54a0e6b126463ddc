//! Relative references: the way back from resolution (RFC 3986 5.2).

use crate::parts::Parts;
use crate::resolve::{Strictness, remove_dot_segments, resolve};
use std::borrow::Cow;

/// The relative reference that leads from a base to a target: [`resolve`] turns it into the target. `None` if there is
/// no such reference: for another scheme or authority, for a target with dot segments, for paths without a hierarchy
/// (`mailto:a`). Linear.
///
/// Nothing is encoded or decoded; scheme and authority are compared as written.
///
/// ```
/// use linkglot_iri::relativize;
///
/// let from = |target| relativize("http://é.example/a/b/c?x", target);
/// assert_eq!(from("http://é.example/a/ü?y").as_deref(), Some("../ü?y"));
/// assert_eq!(from("http://é.example/a/b/c?x#z").as_deref(), Some("#z"));
/// assert_eq!(from("http://é.example/a/b/").as_deref(), Some("./"));
/// assert_eq!(from("https://é.example/a"), None);
/// ```
pub fn relativize(base: &str, target: &str) -> Option<String> {
    let (from, to) = (Parts::split(base), Parts::split(target));
    let is_same = from.scheme().is_some()
        && from.scheme() == to.scheme()
        && from.authority() == to.authority();
    let target_path = rooted(&to);
    if !is_same || !target_path.starts_with('/') || remove_dot_segments(&target_path) != target_path
    {
        return None;
    }
    let path = if rooted(&from) == target_path && is_empty_path_enough(&from, &to) {
        String::new()
    } else {
        relative_path(&rooted(&from), &target_path)
    };
    let mut reference = path;
    let is_same_query = reference.is_empty() && from.query() == to.query();
    if let Some(query) = to.query().filter(|_| !is_same_query) {
        reference.push('?');
        reference.push_str(query);
    }
    if let Some(fragment) = to.fragment() {
        reference.push('#');
        reference.push_str(fragment);
    }
    let resolved = resolve(base, &reference, Strictness::Strict).ok()?;
    let is_target = resolved == target || to.path().is_empty() && is_with_root(&resolved, target);
    is_target.then_some(reference)
}

/// The path; `/` for an authority without a path (RFC 3986 6.2.3).
fn rooted<'p>(parts: &Parts<'p>) -> Cow<'p, str> {
    if parts.authority().is_some() && parts.path().is_empty() {
        Cow::Borrowed("/")
    } else {
        Cow::Borrowed(parts.path())
    }
}

/// True if a reference to the base's own path needs no path: it has a query or a fragment of its own.
fn is_empty_path_enough(from: &Parts<'_>, to: &Parts<'_>) -> bool {
    match to.query() {
        Some(query) => from.query() != Some(query) || to.fragment().is_some(),
        None => from.query().is_none() && to.fragment().is_some(),
    }
}

/// The way from one path to another, both from the root.
fn relative_path(from: &str, to: &str) -> String {
    let directory = &from[..from.rfind('/').map_or(0, |at| at + 1)];
    let same = directory
        .bytes()
        .zip(to.bytes())
        .take_while(|(a, b)| a == b);
    let shared = directory[..same.count()].rfind('/').map_or(0, |at| at + 1);
    let up = directory[shared..].matches('/').count();
    let rest = &to[shared..];
    // A first segment that is empty or has a colon would be read as something else (RFC 3986 4.2).
    let first = rest.split('/').next().unwrap_or_default();
    match up {
        0 if first.is_empty() || first.contains(':') => format!("./{rest}"),
        _ => "../".repeat(up) + rest,
    }
}

/// True if a resolved reference is the target with `/` in place of its empty path.
fn is_with_root(resolved: &str, target: &str) -> bool {
    let parts = Parts::split(target);
    let end = parts.scheme().map_or(0, |scheme| scheme.len() + 1)
        + parts.authority().map_or(0, |authority| authority.len() + 2);
    let rest = resolved.strip_prefix(&target[..end]);
    rest.and_then(|rest| rest.strip_prefix('/')) == Some(&target[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways() {
        let base = "http://h/a/b/c?q";
        for (target, expected) in [
            ("http://h/a/b/d", "d"),
            ("http://h/a/b/c", "c"),
            ("http://h/a/b/c?q", "c?q"),
            ("http://h/a/b/c?", "?"),
            ("http://h/a/b/c?r", "?r"),
            ("http://h/a/b/c#f", "c#f"),
            ("http://h/a/b/c?q#f", "#f"),
            ("http://h/a/b/", "./"),
            ("http://h/a/b", "../b"),
            ("http://h/a/", "../"),
            ("http://h/", "../../"),
            ("http://h", "../../"),
            ("http://h?x", "../../?x"),
            ("http://h/x/y", "../../x/y"),
            ("http://h/a/b/x:y", "./x:y"),
            ("http://h/a/b/x/y:z", "x/y:z"),
            ("http://h/a/b//x", ".//x"),
            ("http://h/ab/c", "../../ab/c"),
        ] {
            assert_eq!(
                relativize(base, target).as_deref(),
                Some(expected),
                "{target}"
            );
        }
        for none in [
            "https://h/a",
            "http://i/a",
            "mailto:a",
            "a",
            "http://h/a/../b",
            "http://h//x",
        ] {
            let found = relativize(base, none);
            let is_right =
                |found: &String| resolve(base, found, Strictness::Strict).unwrap() == none;
            assert!(found.as_ref().is_none_or(is_right), "{none}: {found:?}");
        }
        assert_eq!(relativize("http://h", "http://h/a").as_deref(), Some("a"));
        assert_eq!(relativize("mailto:a", "mailto:b"), None);
    }

    proptest::proptest! {
        /// Resolution leads back, whatever the paths.
        #[test]
        fn resolution_gives_the_target(
            base in "(http|a):(//[hi](:8)?)?/?([ab./:]{0,8})([?#][ab?/]{0,2})?",
            target in "(http|a):(//[hi](:8)?)?/?([ab./:]{0,8})([?#][ab?/]{0,2})?",
        ) {
            if let Some(reference) = relativize(&base, &target) {
                let parts = Parts::split(&reference);
                proptest::prop_assert!(parts.scheme().is_none() && parts.authority().is_none());
                let resolved = resolve(&base, &reference, Strictness::Strict).unwrap();
                proptest::prop_assert!(resolved == target || is_with_root(&resolved, &target));
            }
        }
    }
}
