//! Resolution of references (RFC 3987 6.5, RFC 3986 5.2 and 5.3).
//!
//! This module encodes, decodes and checks nothing. [`crate::target`] resolves as browsers do.

use crate::parts::Parts;
use crate::scheme;
use std::borrow::Cow;
use std::fmt;

/// Treatment of a reference that repeats the scheme of its base (RFC 3986 5.2.2).
///
/// ```
/// use linkglot_iri::{Strictness, resolve};
///
/// let resolve = |strictness| resolve("http://é/a", "http:b", strictness).unwrap();
/// assert_eq!(resolve(Strictness::Strict), "http:b");
/// assert_eq!(resolve(Strictness::Lax), "http://é/b");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strictness {
    /// `http:g` is an absolute IRI.
    #[default]
    Strict,
    /// `http:g` is `g` relative to an http base, as in RFC 1630.
    Lax,
}

/// The error when a reference cannot be resolved.
///
/// ```
/// use linkglot_iri::{ResolveError, Strictness, resolve};
///
/// let error = resolve("/é", "b", Strictness::Strict);
/// assert_eq!(error, Err(ResolveError::RelativeBase));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResolveError {
    /// Neither the base nor the reference has a scheme.
    RelativeBase,
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResolveError::RelativeBase => {
                f.write_str("expected a base with a scheme, found a relative reference")
            }
        }
    }
}

impl std::error::Error for ResolveError {}

/// Resolves a reference against a base. Linear in the length of both.
///
/// Base and reference may be invalid: [`Parts::split`] tells their components apart. A path that would be read as an
/// authority gets `/.` before it, as in the URL Standard.
///
/// ```
/// use linkglot_iri::{Strictness, resolve};
///
/// let resolve = |base, reference| resolve(base, reference, Strictness::Strict).unwrap();
/// assert_eq!(resolve("http://é/a/b?c", "../ü"), "http://é/ü");
/// assert_eq!(resolve("foo:/a/b", "/.//é"), "foo:/.//é");
/// ```
pub fn resolve(
    base: &str,
    reference: &str,
    strictness: Strictness,
) -> Result<String, ResolveError> {
    let base = Parts::split(base);
    let reference = Parts::split(reference);
    let scheme = own_scheme(&reference, &base, strictness)
        .or(base.scheme())
        .ok_or(ResolveError::RelativeBase)?;
    let mut target = Recomposition {
        scheme: Some(scheme),
        authority: reference.authority(),
        path: remove_dot_segments(reference.path()),
        query: reference.query(),
        fragment: reference.fragment(),
    };
    if own_scheme(&reference, &base, strictness).is_none() && target.authority.is_none() {
        inherit(&mut target, &base, &reference);
    }
    Ok(target.write())
}

/// The reference's scheme, unless it only repeats that of the base.
fn own_scheme<'a>(
    reference: &Parts<'a>,
    base: &Parts<'_>,
    strictness: Strictness,
) -> Option<&'a str> {
    let scheme = reference.scheme()?;
    let repeats = base
        .scheme()
        .is_some_and(|base| base.eq_ignore_ascii_case(scheme));
    (strictness == Strictness::Strict || !repeats).then_some(scheme)
}

/// Fills in the parts that a reference without scheme and authority inherits from its base (RFC 3986 5.2.2).
fn inherit<'a>(target: &mut Recomposition<'a>, base: &Parts<'a>, reference: &Parts<'a>) {
    target.authority = base.authority();
    if reference.path().is_empty() {
        target.path = Cow::Borrowed(base.path());
        target.query = reference.query().or(base.query());
    } else if !reference.path().starts_with('/') {
        let merged = merge(base, reference.path());
        target.path = Cow::Owned(remove_dot_segments(&merged).into_owned());
    }
}

/// Merges paths (RFC 3986 5.2.3).
fn merge(base: &Parts<'_>, path: &str) -> String {
    if base.authority().is_some() && base.path().is_empty() {
        return format!("/{path}");
    }
    let directory = base.path().rfind('/').map_or(0, |at| at + 1);
    format!("{}{path}", &base.path()[..directory])
}

/// Removes the `.` and `..` segments of a path, by the letter of RFC 3986 5.2.4: `%2E` is not a dot. Linear; borrows a
/// path without dots to remove.
///
/// ```
/// assert_eq!(linkglot_iri::remove_dot_segments("/a/./b/../é"), "/a/é");
/// ```
pub fn remove_dot_segments(path: &str) -> Cow<'_, str> {
    if !path.contains("/.") && !path.starts_with('.') {
        return Cow::Borrowed(path);
    }
    let mut out = String::with_capacity(path.len());
    let relative = path.strip_prefix("../").or(path.strip_prefix("./"));
    let mut rest = relative.unwrap_or(path);
    while !rest.is_empty() {
        rest = step(rest, &mut out);
    }
    Cow::Owned(out)
}

/// Runs one step of the loop of RFC 3986 5.2.4; returns the rest of the input.
fn step<'a>(rest: &'a str, out: &mut String) -> &'a str {
    let end = rest
        .bytes()
        .skip(1)
        .position(|byte| byte == b'/')
        .map_or(rest.len(), |at| at + 1);
    let (segment, after) = rest.split_at(end);
    match segment {
        "." | ".." => after.strip_prefix('/').unwrap_or(after),
        "/." | "/.." => {
            if segment == "/.." {
                let parent = out.rfind('/').unwrap_or(0);
                out.truncate(parent);
            }
            if after.is_empty() { "/" } else { after }
        }
        _ => {
            out.push_str(segment);
            after
        }
    }
}

/// Component recomposition (RFC 3986 5.3).
pub(crate) struct Recomposition<'a> {
    pub(crate) scheme: Option<&'a str>,
    pub(crate) authority: Option<&'a str>,
    pub(crate) path: Cow<'a, str>,
    pub(crate) query: Option<&'a str>,
    pub(crate) fragment: Option<&'a str>,
}

impl Recomposition<'_> {
    /// Writes the components so that parsing gives the same ones.
    pub(crate) fn write(&self) -> String {
        let mut out = String::new();
        if let Some(scheme) = self.scheme {
            out.push_str(scheme);
            out.push(':');
        }
        match self.authority {
            Some(authority) => {
                out.push_str("//");
                out.push_str(authority);
            }
            None if self.path.starts_with("//") => out.push_str("/."),
            // The decoded path of `h%74tp:x` must not become a scheme.
            None if self.scheme.is_none() && scheme::of(&self.path).is_some() => {
                out.push_str("./");
            }
            None => {}
        }
        out.push_str(&self.path);
        for (delimiter, part) in [('?', self.query), ('#', self.fragment)] {
            if let Some(part) = part {
                out.push(delimiter);
                out.push_str(part);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn resolves(base: &str, reference: &str, target: &str) {
        let found = resolve(base, reference, Strictness::Strict);
        assert_eq!(found.as_deref(), Ok(target), "{base:?} {reference:?}");
    }

    #[test]
    fn references_below_a_hierarchical_base() {
        let base = "http://ü@é:8/α/β;γ?δ#ε";
        for (reference, target) in [
            ("", "http://ü@é:8/α/β;γ?δ"),
            ("ж", "http://ü@é:8/α/ж"),
            ("..", "http://ü@é:8/"),
            ("../..", "http://ü@é:8/"),
            ("../../ж/", "http://ü@é:8/ж/"),
            (".", "http://ü@é:8/α/"),
            ("./ж:ж", "http://ü@é:8/α/ж:ж"),
            ("/.ж/..ж", "http://ü@é:8/.ж/..ж"),
            ("/ж/./.././../", "http://ü@é:8/"),
            ("?", "http://ü@é:8/α/β;γ?"),
            ("#", "http://ü@é:8/α/β;γ?δ#"),
            ("//ж", "http://ж"),
            ("//", "http://"),
            ("http:ж", "http:ж"),
            ("X:/../ж", "X:/ж"),
            ("a//../ж", "http://ü@é:8/α/a/ж"),
        ] {
            resolves(base, reference, target);
        }
    }

    #[test]
    fn a_path_never_becomes_an_authority() {
        for (base, reference, target) in [
            ("x:/a/b", "/.//c", "x:/.//c"),
            ("x:a", ".././/c", "x:/c"),
            ("x:a", "b/..//c", "x:/.//c"),
            ("x:/a", "..//c", "x:/.//c"),
            ("x:", "y:..///c", "y:/.//c"),
            ("x://h/a", "/.//c", "x://h//c"),
            ("x:/.//c", "#f", "x:/.//c#f"),
            ("x:/.//c", "d", "x:/.//d"),
        ] {
            resolves(base, reference, target);
        }
    }

    #[test]
    fn rootless_bases() {
        for (base, reference, target) in [
            ("x:a/b", "c", "x:a/c"),
            ("x:a", "c", "x:c"),
            ("x:", "c", "x:c"),
            ("x:a/b", "../c", "x:/c"),
            ("x:a", "../../c", "x:c"),
        ] {
            resolves(base, reference, target);
        }
    }

    #[test]
    fn a_lax_reference_may_repeat_the_scheme() {
        let lax = |reference| resolve("http://a/b/c", reference, Strictness::Lax);
        assert_eq!(lax("HTTP:d").as_deref(), Ok("http://a/b/d"));
        assert_eq!(lax("https:d").as_deref(), Ok("https:d"));
        assert_eq!(lax("http://d").as_deref(), Ok("http://d"));
    }

    #[test]
    fn a_relative_base_is_refused() {
        assert_eq!(
            resolve("/a", "b", Strictness::Strict),
            Err(ResolveError::RelativeBase)
        );
        assert_eq!(
            resolve("/a", "x:b", Strictness::Strict).as_deref(),
            Ok("x:b")
        );
    }
}
