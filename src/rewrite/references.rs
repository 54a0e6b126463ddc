//! Changes links to relative or absolute ones.

use super::rules::Rules;
use crate::charset::Charset;
use crate::iri::target::Reading;
use crate::iri::{Level, Strictness, normalize, relativize, resolve};
use crate::link::{as_parsed, is_relative, scheme_of};

/// The change of links to relative or absolute ones; see [`Rewriter::references`](super::Rewriter::references).
///
/// ```
/// use linkglot::Settings;
/// use linkglot::rewrite::{References, Rewriter};
///
/// let mut settings = Settings::default();
/// settings.base = Some("http://a.example/b/c.html".into());
/// let rewriter = Rewriter::new().settings(settings);
/// let page = b"<a href=d.html><a href=http://a.example/>";
/// let absolute = rewriter.clone().references(References::Absolute).rewrite_slice(page);
/// assert_eq!(absolute.content, &b"<a href=http://a.example/b/d.html><a href=http://a.example/>"[..]);
/// let site = References::RelativeTo("http://a.example/".to_owned());
/// assert_eq!(rewriter.references(site).rewrite_slice(page).content, &b"<a href=d.html><a href=../>"[..]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum References {
    /// Relative links stay relative, and absolute links stay absolute.
    #[default]
    Keep,
    /// Relative links become absolute, if the base is known.
    Absolute,
    /// Links to this IRI and to places below it become relative to their document, whose base must be known. Links for
    /// other programs stay: in text, in `<meta>`, in structured data, in feeds and other XML.
    RelativeTo(String),
}

impl References {
    /// The other way to write a reference, with the same target; `None` if the reference stays. `base` is the base of
    /// the document after the rules.
    pub(super) fn rewritten(&self, reference: &str, base: &str, query: Charset) -> Option<String> {
        let new = match self {
            References::Keep => return None,
            References::Absolute => absolute(reference, base)?,
            References::RelativeTo(site) => relative(reference, base, site)?,
        };
        let target = |text: &str| {
            let base = Some(base);
            Reading { base, query }.resolve(text)
        };
        let is_same = target(reference).is_some_and(|old| target(&new) == Some(old));
        is_same.then_some(new)
    }
}

/// A relative reference with the parts that its base adds. References within the document stay.
fn absolute(reference: &str, base: &str) -> Option<String> {
    let parsed = as_parsed(reference);
    let is_inside = parsed.is_empty() || parsed.starts_with('#');
    let is_open = is_relative(&parsed) && scheme_of(&parsed).is_none() && !is_inside;
    resolve(base, &parsed, Strictness::Strict)
        .ok()
        .filter(|_| is_open)
}

/// An absolute reference below `site`, relative to a document at `base`.
fn relative(reference: &str, base: &str, site: &str) -> Option<String> {
    let target = if reference.starts_with("//") {
        format!("{}:{reference}", scheme_of(base)?)
    } else {
        reference.to_owned()
    };
    let (base_normal, target_normal) = (normal(base), normal(&target));
    if scheme_of(&target).is_none() || !is_below(&target_normal, &normal(site)) {
        return None;
    }
    // The path keeps its spelling, if the authority is spelled as in the base.
    relativize(base, &target).or_else(|| relativize(&base_normal, &target_normal))
}

fn normal(reference: &str) -> String {
    normalize(reference, Level::Scheme)
}

/// True if a reference is `site`, or goes on behind `site` at the end of a component.
fn is_below(reference: &str, site: &str) -> bool {
    let rest = reference.strip_prefix(site);
    rest.is_some_and(|rest| {
        site.ends_with('/') || rest.is_empty() || rest.starts_with(['/', '?', '#'])
    })
}

/// The place of a document after a move by rules.
pub(super) fn moved(base: &str, rules: &Rules) -> String {
    rules.apply(base).unwrap_or_else(|| base.to_owned())
}
