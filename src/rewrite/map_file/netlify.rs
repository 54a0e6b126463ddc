//! The `_redirects` file of Netlify and other hosts of static sites: `FROM TO [STATUS]`, where `*` at the end of FROM
//! is `:splat` in TO, and `:name` stands for a segment of the path.

use super::{at, origin, significant_lines};
use crate::error::Error;
use crate::rewrite::halves::is_path;
use crate::rewrite::pattern::SitePaths;
use crate::rewrite::rules::Rule;

/// The name of the group for `*`.
const SPLAT: &str = "splat";

/// True if some line has what no other format has: a status behind two halves, or `*` that goes on as `:splat`.
pub(super) fn is_like<'t>(mut lines: impl Iterator<Item = &'t str>) -> bool {
    lines.any(|line| {
        let mut words = line.split_whitespace();
        let (from, to) = (words.next(), words.next());
        let has_splat = to.is_some_and(|to| to.contains(":splat"));
        let has_halves = from.is_some_and(is_source) && to.is_some_and(is_source);
        has_halves && (has_splat || words.next().is_some_and(|word| status(word).is_some()))
    })
}

pub(super) fn rows(text: &str) -> Result<Vec<Rule>, Error> {
    let mut rows = Vec::new();
    for (line, row) in significant_lines(text) {
        let words: Vec<&str> = row.split_whitespace().collect();
        let comment = words.iter().position(|word| word.starts_with('#'));
        let words = &words[..comment.unwrap_or(words.len())];
        rows.extend(
            rule(words, row)
                .map_err(|why| at(line, why))?
                .map(|rule| rule.at(line)),
        );
    }
    Ok(rows)
}

/// The rule of a line; `None` for an empty line. A line with a status that does not redirect names another content for
/// a page, or an error: the page stays.
fn rule(words: &[&str], row: &str) -> Result<Option<Rule>, String> {
    let [from, rest @ ..] = words else {
        return Ok(None);
    };
    let to = rest.iter().position(|word| is_source(word));
    let Some(to) = to.filter(|_| is_source(from)) else {
        return Err(format!("expected `FROM TO [STATUS]`, but found `{row}`"));
    };
    let (parameters, rest) = rest.split_at(to);
    let mut conditions = rest[1..].iter().filter(|word| status(word).is_none());
    if let Some(condition) = parameters.first().or_else(|| conditions.next()) {
        return Err(format!(
            "expected a redirect without conditions, but found `{condition}`: write the line as a rule `re:PATTERN TO`"
        ));
    }
    let status = rest[1..].first().and_then(|word| status(word));
    let keeps = !matches!(status.unwrap_or(301), 300..400);
    Ok(Some(redirect(from, rest[0], keeps)))
}

fn redirect(from: &str, to: &str, keeps: bool) -> Rule {
    let origin = origin(from).map(str::to_owned);
    let path = &from[origin.as_ref().map_or(0, String::len)..];
    let (pattern, names) = pattern(path);
    let paths = SitePaths {
        origin,
        keeps,
        ..SitePaths::default()
    };
    Rule::of_paths(&pattern, &replacement(to, &names), paths)
}

/// The pattern of a path, and the names in it. The host reads a path with a final slash as one without.
fn pattern(path: &str) -> (String, Vec<&str>) {
    let (fixed, has_splat) = match path.strip_suffix('*') {
        Some(fixed) => (fixed, true),
        None => (path, false),
    };
    let mut names = Vec::new();
    let segments = fixed.trim_end_matches('/').split('/').map(|segment| {
        match segment.strip_prefix(':').filter(|name| is_name(name)) {
            Some(name) if !names.contains(&name) => {
                names.push(name);
                format!("(?<{name}>[^/]+)")
            }
            _ => regex_syntax::escape(segment),
        }
    });
    let segments = segments.collect::<Vec<_>>().join("/");
    if has_splat {
        names.push(SPLAT);
        (format!("^{segments}(?:/(?<{SPLAT}>.*))?$"), names)
    } else {
        (format!("^{segments}/?$"), names)
    }
}

/// TO with groups for the names in it.
fn replacement(to: &str, names: &[&str]) -> String {
    let mut new = String::new();
    let mut rest = to;
    while let Some(at) = rest.find([':', '$']) {
        new.push_str(&rest[..at]);
        let (mark, behind) = rest[at..].split_at(1);
        let length = behind
            .find(|ch: char| !is_inner(ch))
            .unwrap_or(behind.len());
        let name = &behind[..length];
        rest = if mark == ":" && names.contains(&name) {
            new.extend(["${", name, "}"]);
            &behind[length..]
        } else {
            // A dollar sign is one that stands for itself.
            new.push_str(if mark == "$" { "$$" } else { mark });
            behind
        };
    }
    new + rest
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|ch: char| ch.is_ascii_digit())
        && name.chars().all(is_inner)
}

fn is_inner(ch: char) -> bool {
    ch.is_ascii_alphanumeric() || ch == '_'
}

/// True if a word is a path or an absolute link.
fn is_source(word: &str) -> bool {
    is_path(word) || origin(word).is_some()
}

/// The status of a word such as `301!`.
fn status(word: &str) -> Option<u16> {
    let digits = word.strip_suffix('!').unwrap_or(word);
    digits
        .parse()
        .ok()
        .filter(|status| matches!(status, 100..600))
}
