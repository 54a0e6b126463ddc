//! The entries of `map` in the configuration of nginx.

use super::{at, escaped_classes, quoted_words, significant_lines, with_groups};
use crate::error::Error;
use crate::link::scheme_of;
use crate::rewrite::halves::is_path;
use crate::rewrite::pattern::{Query, SitePaths};
use crate::rewrite::rules::Rule;

/// Other directives than `map`, whose conditions a table has not.
const DIRECTIVES: [&str; 6] = ["if", "include", "location", "return", "rewrite", "server"];

/// True if lines are those of a `map`: each ends with a semicolon, or the first opens the map.
pub(super) fn is_like<'t>(first: &str, mut lines: impl Iterator<Item = &'t str>) -> bool {
    let mut words = first.split_whitespace();
    let opens = words.next().is_some_and(|word| {
        (word == "map" || DIRECTIVES.contains(&word)) && first.contains(['{', ';'])
    });
    opens || words.next().is_some() && lines.all(|line| line.ends_with(';'))
}

pub(super) fn rows(text: &str) -> Result<Vec<Rule>, Error> {
    let mut rows = Vec::new();
    let mut paths = SitePaths {
        decodes: true,
        ..SitePaths::default()
    };
    for (line, row) in significant_lines(text) {
        let is_frame = row.starts_with("map ") && row.ends_with('{') || row == "}";
        if let Some(key) = row.split_whitespace().nth(1).filter(|_| is_frame) {
            paths.query = match key {
                "$uri" | "$document_uri" => Query::Kept,
                // As it was sent.
                "$request_uri" => Query::Compared,
                _ => {
                    let message = format!(
                        "expected a `map` of `$uri` or `$request_uri`, but found one of `{key}`"
                    );
                    return Err(at(line, message));
                }
            };
            paths.decodes = paths.query == Query::Kept;
        }
        let row = row.split_once("; #").map_or(row, |(row, _)| row);
        let row = row.trim_end_matches(';').trim_end();
        let words = quoted_words(row);
        let first = words.first().map_or("", String::as_str);
        if is_frame || matches!(first, "default" | "hostnames" | "volatile") {
            continue;
        }
        if DIRECTIVES.contains(&first) {
            let message =
                format!("expected an entry of a `map`, but found the directive `{first}`");
            return Err(at(line, message));
        }
        let [from, to] = words.as_slice() else {
            return Err(at(line, format!("expected `FROM TO;`, but found `{row}`")));
        };
        let is_pattern = from.starts_with('~');
        let begins_with_group = is_pattern && to.starts_with('$');
        let is_target =
            is_path(to) || scheme_of(to).is_some() || begins_with_group || to.is_empty();
        if !is_target || !is_pattern && to.contains('$') {
            let message = format!(
                "expected a target that is known without the server, a path or one with a scheme, but found `{to}`"
            );
            return Err(at(line, message));
        }
        // An empty value redirects nothing.
        let pattern = |pattern: &str| {
            let pattern = escaped_classes(pattern);
            if to.is_empty() {
                Rule::that_keeps(&pattern, paths.clone())
            } else {
                Rule::of_paths(&pattern, &with_groups(to), paths.clone())
            }
        };
        let rule = match (from.strip_prefix("~*"), from.strip_prefix('~')) {
            (Some(without_case), _) => pattern(&format!("(?i){without_case}")),
            (None, Some(with_case)) => pattern(with_case),
            (None, None) => {
                let page = from.strip_prefix('\\').unwrap_or(from);
                match paths.query {
                    Query::Compared => pattern(&format!("(?i)^{}$", regex_syntax::escape(page))),
                    // The variable has the path without escapes.
                    _ => {
                        let page = page.replace(' ', "%20");
                        let to = if to.is_empty() { &page } else { to };
                        Rule {
                            any_case: true,
                            ..Rule::of_page(&page, to)
                        }
                    }
                }
            }
        };
        rows.push(rule.at(line));
    }
    Ok(rows)
}
