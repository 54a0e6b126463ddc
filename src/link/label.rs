//! Compares the host that the label of a link names with the host that the link leads to.

use super::{Info, Link, as_parsed, code_in, is_scheme_relative, scheme_of, unwrap, with_implied};
use crate::charset::Charset;
use crate::iri::scheme::is_http;
use crate::iri::target::Reading;
use crate::iri::{Parts, ToIri, registrable_domain};
use crate::scan;
use std::borrow::Cow;

/// True if the label of a link begins with a link or a domain that leads to another registrable domain than the link,
/// after unwrapping. Links without a host, or with an unknown one, lead nowhere else.
#[inline]
pub(super) fn names_other_host(link: &Link<'_>, info: &Info) -> bool {
    link.label()
        .and_then(named_host)
        .is_some_and(|named| is_other(&named, link, info))
}

fn is_other(named: &str, link: &Link<'_>, info: &Info) -> bool {
    let target = link.resolved(info).or_else(|| of_any_base(link));
    let target = target.map(unwrapped);
    let own = target.as_deref().and_then(host);
    own.is_some_and(|own| {
        domain(&own) != domain(named)
            && !is_suffix_of(named, &own)
            && domain(&in_idna_2003(&own)) != domain(&in_idna_2003(named))
    })
}

/// The target of a link that names its host, but that a base may change: `//a.example/` takes its scheme, and
/// `https:a.example/` is a path below an https base.
fn of_any_base(link: &Link<'_>) -> Option<String> {
    let text = link.text();
    if !is_scheme_relative(text) || code_in(text).is_some() {
        return None;
    }
    let reference = as_parsed(text);
    match scheme_of(&reference) {
        Some(_) => resolve(&reference),
        None => resolve(&format!("https:{reference}")),
    }
}

/// True if a host is a public suffix of another one, such as `freedesktop.org`.
fn is_suffix_of(suffix: &str, host: &str) -> bool {
    let before = host.strip_suffix(suffix);
    before.is_some_and(|before| before.ends_with('.')) && registrable_domain(suffix).is_none()
}

/// A host with the letters that IDNA 2003 maps to others (UTS 46, "deviations") mapped: `straße.example` was
/// `strasse.example`, and who owns the one owns the other.
fn in_idna_2003(host: &str) -> Cow<'_, str> {
    let uri = format!("https://{host}/");
    let shown = ToIri::default().map(&uri, &|_| true).text;
    let mapped = shown.replace('ß', "ss").replace('ς', "σ");
    if mapped == shown {
        return Cow::Borrowed(host);
    }
    let mapped = resolve(&mapped).and_then(|url| self::host(&url));
    mapped.map_or(Cow::Borrowed(host), Cow::Owned)
}

/// The host of the link or domain with which a label begins, behind quotation marks and the like.
fn named_host(label: &str) -> Option<String> {
    let label = label.trim_start_matches(|ch: char| !ch.is_alphanumeric());
    let label = with_two_slashes(label);
    // White space ends links.
    let word = label.split(' ').next()?;
    if word.is_ascii() && !word.contains(['.', '@']) {
        return None;
    }
    let word = visible(word);
    let hit = scan::links(&word)
        .next()
        .filter(|hit| hit.span.start == 0)?;
    let text = hit.link(&word);
    let url = resolve(&with_implied(&text, hit.kind.implied_scheme()))?;
    host(&url)
}

/// A label with two slashes behind its scheme: readers take `https:/a.example` and `https:// a.example` for links.
fn with_two_slashes(label: &str) -> Cow<'_, str> {
    let Some((scheme, rest)) = label.split_once(':').filter(|(scheme, _)| is_http(scheme)) else {
        return Cow::Borrowed(label);
    };
    let is_gap = |ch: char| matches!(ch, '/' | '\\' | ' ') || is_invisible(ch);
    Cow::Owned(format!("{scheme}://{}", rest.trim_start_matches(is_gap)))
}

/// A word without characters that readers do not see.
fn visible(word: &str) -> Cow<'_, str> {
    if word.contains(is_invisible) {
        Cow::Owned(word.replace(is_invisible, ""))
    } else {
        Cow::Borrowed(word)
    }
}

/// True for soft hyphens, joiners and controls of the direction.
fn is_invisible(ch: char) -> bool {
    matches!(ch, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

/// The link behind a service that wraps links.
fn unwrapped(url: String) -> String {
    let behind = unwrap::wrapped(&url).and_then(|wrapped| wrapped.target);
    behind.and_then(|behind| resolve(&behind)).unwrap_or(url)
}

fn resolve(reference: &str) -> Option<String> {
    let reading = Reading {
        base: None,
        query: Charset::UTF_8,
    };
    reading.resolve(reference)
}

/// The host of a URL, or of the first address of a `mailto` URL, in lower case and ASCII.
fn host(url: &str) -> Option<String> {
    let parts = Parts::split(url);
    let host = match parts.scheme() {
        Some("mailto") => {
            let (_, host) = parts.path().split(',').next()?.rsplit_once('@')?;
            let url = resolve(&format!("http://{host}/"))?;
            Parts::split(&url).host()?.to_owned()
        }
        _ => parts.host()?.to_ascii_lowercase(),
    };
    Some(host).filter(|host| !host.is_empty())
}

/// The registrable domain of a host; the host itself if it has none, such as an address.
fn domain(host: &str) -> &str {
    registrable_domain(host).unwrap_or_else(|| host.trim_end_matches('.'))
}
