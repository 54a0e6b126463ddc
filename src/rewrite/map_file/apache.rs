//! Directives of Apache: `Redirect` and its kin (mod_alias), `RewriteRule` (mod_rewrite), and the text of a
//! `RewriteMap`.

use super::{at, origin, quoted_words, significant_lines, with_groups};
use crate::error::Error;
use crate::rewrite::pattern::{Query, SitePaths};
use crate::rewrite::rules::Rule;

/// True if a line has a directive that may redirect.
pub(super) fn is_directive(line: &str) -> bool {
    let name = line.split_whitespace().next().unwrap_or_default();
    let names = [
        "Redirect",
        "RedirectPermanent",
        "RedirectTemp",
        "RedirectMatch",
        "RewriteRule",
    ];
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

pub(super) fn rows(text: &str) -> Result<Vec<Rule>, Error> {
    if !significant_lines(text).any(|(_, line)| is_directive(line)) {
        return pages(text);
    }
    let folder = folder(text);
    let mut rows = Vec::new();
    // The number of the line with the first condition of the rule that follows.
    let mut condition = None;
    for (line, row) in significant_lines(text) {
        let words = quoted_words(row);
        let rule = match words[0].to_ascii_lowercase().as_str() {
            "rewritecond" => {
                condition.get_or_insert(line);
                continue;
            }
            "rewriterule" => rewrite_rule(&words, (&folder, condition.take())),
            _ if is_directive(row) => redirect(&words, row),
            _ => continue,
        };
        rows.extend(rule.map_err(|why| at(line, why))?.map(|rule| rule.at(line)));
    }
    Ok(rows)
}

/// The text of a `RewriteMap`.
fn pages(text: &str) -> Result<Vec<Rule>, Error> {
    let rows = significant_lines(text).map(|(line, row)| {
        let mut words = row.split_whitespace();
        match (words.next(), words.next()) {
            (Some(from), Some(to)) => Ok(Rule::of_page(from, to).at(line)),
            _ => Err(at(line, format!("expected `FROM TO`, but found `{row}`"))),
        }
    });
    rows.collect()
}

/// The rule of a `Redirect`; `None` for a page that is gone and has no new place.
fn redirect(words: &[String], row: &str) -> Result<Option<Rule>, String> {
    let has_status = words.get(1).is_some_and(|word| is_status(word));
    let halves = &words[1 + usize::from(has_status)..];
    if has_status && halves.len() == 1 {
        return Ok(None);
    }
    let [from, to] = halves else {
        return Err(format!(
            "expected `{} [STATUS] FROM TO`, but found `{row}`",
            words[0]
        ));
    };
    Ok(Some(if words[0].eq_ignore_ascii_case("RedirectMatch") {
        Rule::of_paths(from, &with_groups(to), SitePaths::default())
    } else {
        Rule::new(from, to)
    }))
}

fn is_status(word: &str) -> bool {
    let is_number = word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number
        || ["permanent", "temp", "seeother", "gone"].contains(&word.to_ascii_lowercase().as_str())
}

/// The part of a path in front of what patterns of `RewriteRule` are compared with. In the configuration of a server it
/// is empty, and some pattern begins with a slash. In that of a folder (`.htaccess`) it is the folder.
fn folder(text: &str) -> String {
    let (mut base, mut of_server) = (None, false);
    for (_, row) in significant_lines(text) {
        let words = quoted_words(row);
        match (words[0].to_ascii_lowercase().as_str(), words.get(1)) {
            ("rewritebase", Some(path)) => base = Some(path.trim_end_matches('/').to_owned() + "/"),
            ("rewriterule", Some(pattern)) => {
                let pattern = pattern.trim_start_matches('^');
                of_server |= pattern.starts_with('/') && !pattern.starts_with("/?");
            }
            _ => {}
        }
    }
    match base {
        Some(base) => base,
        None if of_server => String::new(),
        None => "/".to_owned(),
    }
}

/// The flags of a `RewriteRule` that matter for a redirect.
#[derive(Default)]
struct Flags {
    /// True if the flag `R` asks for a redirect to another place.
    redirects: bool,
    /// True if the page is an error, or comes from another server.
    is_other: bool,
    ignores_case: bool,
    keeps_fragment: bool,
    query: Query,
}

/// The rule of a `RewriteRule PATTERN TO [FLAGS]`; `None` if it redirects nothing.
fn rewrite_rule(
    words: &[String],
    (folder, condition): (&str, Option<usize>),
) -> Result<Option<Rule>, String> {
    let [_, pattern, to, flags @ ..] = words else {
        return Err("expected `RewriteRule PATTERN TO [FLAGS]`".to_owned());
    };
    let flags = Flags::read(&flags.concat())?;
    if to == "-" || flags.is_other || !flags.redirects && origin(to).is_none() {
        return Ok(None);
    }
    if let Some(line) = condition {
        return Err(format!(
            "expected a `RewriteRule` without conditions, but found one in line {line}: write it as a rule `re:PATTERN TO`"
        ));
    }
    if pattern.starts_with('!') {
        return Err(format!(
            "expected a pattern, but found its negation `{pattern}`"
        ));
    }
    let (to, query) = match to.strip_suffix('?') {
        Some(to) => (to, Query::Dropped),
        None => (to.as_str(), flags.query),
    };
    let mut new = substitution(to)?;
    if origin(to).is_none() && !to.starts_with('/') {
        new.insert_str(0, if folder.is_empty() { "/" } else { folder });
    }
    if !flags.keeps_fragment {
        new = new.replace('#', "%23");
    }
    let case = if flags.ignores_case { "(?i)" } else { "" };
    let paths = SitePaths {
        folder: folder.to_owned(),
        query,
        ..SitePaths::default()
    };
    Ok(Some(Rule::of_paths(
        &format!("{case}{pattern}"),
        &new,
        paths,
    )))
}

impl Flags {
    /// Reads `[R=301,L]`. Flags of cookies, variables and escapes change no target.
    fn read(text: &str) -> Result<Self, String> {
        let mut flags = Flags::default();
        let list = text.trim_start_matches('[').trim_end_matches(']');
        for flag in list.split(',').map(str::trim) {
            let (name, value) = flag.split_once('=').unwrap_or((flag, ""));
            match name.to_ascii_lowercase().as_str() {
                "r" | "redirect" => {
                    flags.redirects =
                        value.is_empty() || value.starts_with('3') || !is_number(value);
                    flags.is_other = !flags.redirects;
                }
                "f" | "forbidden" | "g" | "gone" | "p" | "proxy" => flags.is_other = true,
                "nc" | "nocase" => flags.ignores_case = true,
                "ne" | "noescape" => flags.keeps_fragment = true,
                "qsa" | "qsappend" => flags.query = Query::Appended,
                "qsd" | "qsdiscard" => flags.query = Query::Dropped,
                "c" | "chain" | "s" | "skip" | "n" | "next" => {
                    return Err(format!(
                        "expected a `RewriteRule` that stands alone, but found the flag `{flag}`, by which others depend on it"
                    ));
                }
                _ => {}
            }
        }
        Ok(flags)
    }
}

fn is_number(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit())
}

/// The replacement of a pattern, as patterns here write it. `\` makes the next character plain.
fn substitution(to: &str) -> Result<String, String> {
    let mut new = String::with_capacity(to.len());
    let mut chars = to.chars().peekable();
    while let Some(ch) = chars.next() {
        let next = chars.peek().copied();
        match ch {
            '\\' => new.extend(chars.next().into_iter().flat_map(plain)),
            '$' if next.is_some_and(|next| next.is_ascii_digit()) => {
                new.push_str("${");
                new.extend(chars.next());
                new.push('}');
            }
            '$' | '%' if next == Some('{') => return Err(unknown(to, "a variable of the server")),
            '%' if next.is_some_and(|next| next.is_ascii_digit()) => {
                return Err(unknown(to, "a group of a condition"));
            }
            ch => new.extend(plain(ch)),
        }
    }
    Ok(new)
}

/// A character that stands for itself.
fn plain(ch: char) -> impl Iterator<Item = char> {
    std::iter::repeat_n(ch, if ch == '$' { 2 } else { 1 })
}

fn unknown(to: &str, found: &str) -> String {
    format!("expected a target that is known without the server, but found {found} in `{to}`")
}
