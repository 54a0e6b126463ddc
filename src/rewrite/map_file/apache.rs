//! Directives of Apache: `Redirect` and its kin (mod_alias), `RewriteRule` (mod_rewrite), and the text of a
//! `RewriteMap`.

use super::{at, escaped_classes, origin, quoted_words, significant_lines};
use crate::error::Error;
use crate::link::scheme_of;
use crate::rewrite::halves::is_path;
use crate::rewrite::pattern::{Query, SitePaths};
use crate::rewrite::rule_check::begins_at_start;
use crate::rewrite::rules::Rule;
use regex_syntax::hir::literal::{ExtractKind, Extractor, Literal};
use regex_syntax::hir::{Class, Hir, HirKind};
use std::collections::HashSet;

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

pub(super) fn rows(text: &str, site: Option<&str>) -> Result<Vec<Rule>, Error> {
    let lines = joined_lines(text);
    if !lines.iter().any(|(_, row)| is_directive(row)) {
        return pages(text);
    }
    let folder = folder(&lines)?;
    let mut sections = Sections::of(&lines, site)?;
    let (mut rewrites, mut aliases) = (Rewrites::default(), Aliases::default());
    for ((line, row), is_off) in lines.iter().zip(switched_off(&lines)) {
        let words = quoted_words(row);
        rewrites.is_off = is_off;
        let read = match words[0].to_ascii_lowercase().as_str() {
            name if name.starts_with('<') => sections.enter(*line, &words),
            "rewritecond" => rewrites.condition(*line),
            "rewriterule" => sections
                .check()
                .and_then(|()| rewrites.rule(*line, &words, &folder)),
            _ if is_directive(row) => sections
                .check()
                .and_then(|()| aliases.directive(*line, &words, row)),
            name => other_directive(name, row),
        };
        read.map_err(|why| at(*line, why))?;
    }
    // The server rewrites first.
    let mut rows = rewrites.rows;
    let patterns = rows
        .iter()
        .map(|rule| Reach::of_pattern(&rule.from, &folder))
        .collect();
    rows.extend(aliases.rows(patterns));
    Ok(rows)
}

/// Passes over a directive that does not redirect.
///
/// # Errors
///
/// A message about a rule of another kind of table, or the misspelt name of a directive.
fn other_directive(name: &str, row: &str) -> Result<(), String> {
    const KNOWN: [&str; 8] = [
        "redirectrelative",
        "rewritebase",
        "rewriteengine",
        "rewritelock",
        "rewritelog",
        "rewriteloglevel",
        "rewritemap",
        "rewriteoptions",
    ];
    let is_rule = name.contains('/') || name.starts_with("re:");
    let is_misspelt = ["redir", "rewr"]
        .iter()
        .any(|begin| name.starts_with(begin));
    if is_rule || is_misspelt && !KNOWN.contains(&name) {
        return Err(format!("expected a directive of Apache, but found `{row}`"));
    }
    Ok(())
}

/// For each line, whether rewriting is off in its section. The last `RewriteEngine` of a section decides, also about
/// the lines in front of it; sections for modules belong to the section around them.
fn switched_off(lines: &[(usize, String)]) -> Vec<bool> {
    let (mut open, mut is_off) = (vec![0], vec![false]);
    let sections: Vec<usize> = lines
        .iter()
        .map(|(_, row)| {
            let words = quoted_words(row);
            let name = words[0].to_ascii_lowercase();
            let own = open.last().copied().unwrap_or_default();
            match name.as_str() {
                "rewriteengine" => {
                    let switch = words.get(1);
                    is_off[own] = switch.is_some_and(|word| word.eq_ignore_ascii_case("off"));
                }
                name if name.starts_with("</") => {
                    open.pop();
                }
                name if name.starts_with("<if") => open.push(own),
                name if name.starts_with('<') => {
                    open.push(is_off.len());
                    is_off.push(false);
                }
                _ => {}
            }
            own
        })
        .collect();
    sections
        .into_iter()
        .map(|section| is_off[section])
        .collect()
}

/// The lines with their numbers, without blank lines and comments. A backslash at the end of a line continues it.
fn joined_lines(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut is_open = false;
    for (index, line) in text.lines().enumerate() {
        let (part, goes_on) = match line.strip_suffix('\\') {
            Some(part) => (part, true),
            None => (line, false),
        };
        match lines.last_mut().filter(|_| is_open) {
            Some((_, open)) => open.push_str(part),
            None => lines.push((index + 1, part.to_owned())),
        }
        is_open = goes_on;
    }
    for (_, line) in &mut lines {
        *line = line.trim().to_owned();
    }
    lines.retain(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
}

/// The sections around a line: `<VirtualHost>`, `<IfModule>`.
#[derive(Default)]
struct Sections {
    open: Vec<(String, bool)>,
}

impl Sections {
    /// Checks that the redirects in sections of hosts are those of one site, that of the base if there is one.
    fn of(lines: &[(usize, String)], site: Option<&str>) -> Result<Self, Error> {
        let mut hosts: Vec<(usize, Vec<String>, bool)> = Vec::new();
        let mut is_inside = false;
        for (line, row) in lines {
            let words = quoted_words(row);
            match (words[0].to_ascii_lowercase().as_str(), hosts.last_mut()) {
                ("<virtualhost", _) => {
                    hosts.push((*line, Vec::new(), false));
                    is_inside = true;
                }
                ("</virtualhost>", _) => is_inside = false,
                ("servername" | "serveralias", Some((_, names, _))) if is_inside => {
                    names.extend(words[1..].iter().map(|name| host_name(name)));
                }
                (_, Some((_, _, redirects))) if is_inside => *redirects |= is_directive(row),
                _ => {}
            }
        }
        hosts.retain(|(_, names, redirects)| *redirects && !names.is_empty());
        let own = site.map(host_name);
        let first = hosts.first().map(|(_, names, _)| names.clone());
        for (line, names, _) in &hosts {
            let is_other = own.as_ref().is_some_and(|own| !names.contains(own));
            if is_other || first.as_ref().is_some_and(|first| first[0] != names[0]) {
                let of = own.as_ref().or(first.as_ref().map(|names| &names[0]));
                return Err(at(
                    *line,
                    format!(
                        "expected the redirects of one site, `{}`, but found those of `{}`",
                        of.map_or("", String::as_str),
                        names[0]
                    ),
                ));
            }
        }
        Ok(Sections::default())
    }

    fn enter(&mut self, line: usize, words: &[String]) -> Result<(), String> {
        let name = words[0].trim_start_matches('<').trim_end_matches('>');
        if name.starts_with('/') {
            self.open.pop();
            return Ok(());
        }
        let is_plain = match name.to_ascii_lowercase().as_str() {
            "virtualhost" | "directory" => true,
            "ifmodule" => words.get(1).is_some_and(|module| !module.starts_with('!')),
            _ => false,
        };
        let shown = format!("<{name}> in line {line}");
        self.open.push((shown, is_plain));
        Ok(())
    }

    /// An error within a section that does not hold for the whole site.
    fn check(&self) -> Result<(), String> {
        match self.open.iter().find(|(_, is_plain)| !is_plain) {
            Some((name, _)) => Err(format!(
                "expected a redirect of the whole site, but found one in the section {name}"
            )),
            None => Ok(()),
        }
    }
}

/// The host of `https://host:443`, `host:80` or `host`, in lower case.
fn host_name(text: &str) -> String {
    let host = text.split_once("://").map_or(text, |(_, host)| host);
    let end = host.find([':', '/']).unwrap_or(host.len());
    host[..end].to_ascii_lowercase()
}

/// The rules of mod_rewrite.
#[derive(Default)]
struct Rewrites {
    rows: Vec<Rule>,
    is_off: bool,
    /// The line of the first condition of the rule that follows.
    condition: Option<usize>,
    /// The line of the first rule by which the server chooses what it serves, in a way that is not known here.
    choice: Option<usize>,
}

impl Rewrites {
    fn condition(&mut self, line: usize) -> Result<(), String> {
        self.condition.get_or_insert(line);
        Ok(())
    }

    fn rule(&mut self, line: usize, words: &[String], folder: &str) -> Result<(), String> {
        let condition = self.condition.take();
        if self.is_off {
            return Ok(());
        }
        match rewrite_rule(words, (folder, condition))? {
            Effect::None => {}
            Effect::Choice => {
                self.choice.get_or_insert(line);
            }
            Effect::Rule(rule) => match self.choice {
                Some(other) if !rule.keeps() => {
                    return Err(format!(
                        "expected a redirect in front of the rules for what the server serves itself, but found the `RewriteRule` in line {other} in front of it"
                    ));
                }
                _ => self.rows.push(rule.at(line)),
            },
        }
        Ok(())
    }
}

/// The paths that a row may take.
enum Reach {
    /// Paths that begin with one of these.
    Below(Vec<String>),
    Any,
}

impl Reach {
    /// The paths that a pattern may match.
    fn of_pattern(pattern: &str, folder: &str) -> Self {
        let pattern = pattern.strip_prefix("re:").unwrap_or(pattern);
        let Some(hir) = regex_syntax::parse(pattern).ok().filter(begins_at_start) else {
            return Reach::Any;
        };
        let mut extractor = Extractor::new();
        extractor.kind(ExtractKind::Prefix);
        let literals = extractor.extract(&hir);
        let begins = literals.literals().map(|literals| {
            let begin = |literal: &Literal| {
                let text = String::from_utf8_lossy(literal.as_bytes());
                format!("{folder}{text}")
            };
            literals.iter().map(begin).collect()
        });
        begins.map_or(Reach::Any, Reach::Below)
    }

    /// True if the pattern may match a path at or below another.
    fn meets(&self, path: &str) -> bool {
        match self {
            Reach::Any => true,
            Reach::Below(begins) => begins
                .iter()
                .any(|begin| begin.starts_with(path) || path.starts_with(begin.as_str())),
        }
    }
}

/// The rows of mod_alias, in their order.
#[derive(Default)]
struct Aliases {
    rows: Vec<Alias>,
}

struct Alias {
    line: usize,
    /// A path, or a pattern.
    from: String,
    is_pattern: bool,
    /// The new place; `None` if the page is gone.
    to: Option<String>,
}

impl Aliases {
    fn directive(&mut self, line: usize, words: &[String], row: &str) -> Result<(), String> {
        let has_status = words.get(1).is_some_and(|word| is_status(word));
        let halves = &words[1 + usize::from(has_status)..];
        let is_pattern = words[0].eq_ignore_ascii_case("RedirectMatch");
        let (from, to) = match halves {
            [from] if has_status => (from, None),
            // Only a status that redirects has a target.
            [_, _] if has_status && is_number(&words[1]) && !words[1].starts_with('3') => {
                return Err(format!(
                    "expected a status that redirects, but found `{}`",
                    words[1]
                ));
            }
            [from, to] => (from, Some(to.clone())),
            _ => {
                return Err(format!(
                    "expected `{} [STATUS] FROM TO`, but found `{row}`",
                    words[0]
                ));
            }
        };
        if !is_pattern && (!is_path(from) || has_escape(from)) {
            return Err(format!(
                "expected a decoded path from the root, as Apache compares it, but found `{from}`"
            ));
        }
        let is_target = |to: &String| {
            let begins_with_group = is_pattern && to.starts_with('$');
            begins_with_group || is_path(to) || scheme_of(to).is_some()
        };
        if let Some(to) = to.as_ref().filter(|to| !is_target(to)) {
            return Err(format!(
                "expected a path, or a target with a scheme, but found `{to}`"
            ));
        }
        self.rows.push(Alias {
            line,
            from: from.clone(),
            is_pattern,
            to,
        });
        Ok(())
    }

    /// The rules. The server takes the first row that matches; here prefixes go before patterns, and longer prefixes
    /// before shorter ones. So a prefix with pages that an earlier row may take is a pattern, in the order of the rows,
    /// and one whose pages an earlier prefix takes is hidden.
    fn rows(self, mut patterns: Vec<Reach>) -> Vec<Rule> {
        let mut rules = Vec::new();
        let mut prefixes: HashSet<String> = HashSet::new();
        for row in self.rows {
            let rule = if row.is_pattern {
                patterns.push(Reach::of_pattern(&row.from, ""));
                let pattern = escaped_classes(&row.from);
                match row.to {
                    Some(to) => Rule::of_paths(&pattern, &with_dollars(&to), decoded()),
                    None => Rule::that_keeps(&pattern, decoded()),
                }
            } else {
                let from = row.from;
                if ancestors(&from).any(|path| prefixes.contains(path)) {
                    if let Some(to) = row.to {
                        let (from, to) = (from.replace(' ', "%20"), to.replace(' ', "%20"));
                        let is_hidden = true;
                        let hidden = Rule {
                            is_hidden,
                            ..Rule::new(&from, &to)
                        };
                        rules.push(hidden.at(row.line));
                    }
                    continue;
                }
                prefixes.insert(from.clone());
                let is_taken = patterns.iter().any(|pattern| pattern.meets(&from));
                let escaped = regex_syntax::escape(&from);
                let rest = if from.ends_with('/') {
                    ".*"
                } else {
                    "(?:/.*)?"
                };
                let pattern = format!("^{escaped}({rest})$");
                match row.to.map(|to| to.replace(' ', "%20")) {
                    Some(to) if !is_taken => Rule::new(&from.replace(' ', "%20"), &to),
                    Some(to) => {
                        let to = to.replace('$', "$$") + "${1}";
                        Rule::of_paths(&pattern, &to, decoded())
                    }
                    None => {
                        patterns.push(Reach::Below(vec![from]));
                        Rule::that_keeps(&pattern, decoded())
                    }
                }
            };
            rules.push(rule.at(row.line));
        }
        rules
    }
}

/// True if a path has a percent-encoded octet.
fn has_escape(path: &str) -> bool {
    let is_escape = |window: &[u8]| matches!(window, [b'%', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
    path.as_bytes().windows(3).any(is_escape)
}

/// The reading of a pattern by Apache.
fn decoded() -> SitePaths {
    SitePaths {
        decodes: true,
        ..SitePaths::default()
    }
}

/// The prefixes that take a path in a server: the path itself, and each folder above it with or without its final
/// slash.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    let slashes = path.match_indices('/').map(|(at, _)| at);
    let folders = slashes.flat_map(move |at| [&path[..at], &path[..=at]]);
    folders.chain([path])
}

/// The replacement of a `RedirectMatch`, as patterns here write it: `$1` is a group, `\$` a dollar sign.
fn with_dollars(to: &str) -> String {
    let mut new = String::with_capacity(to.len());
    let mut chars = to.chars().peekable();
    while let Some(ch) = chars.next() {
        match ch {
            '\\' if chars.peek().is_some_and(|next| matches!(next, '$' | '\\')) => {
                new.extend(chars.next().into_iter().flat_map(plain));
            }
            '$' => match chars.next_if(char::is_ascii_digit) {
                Some(digit) => new.extend(['$', '{', digit, '}']),
                None => new.push_str("$$"),
            },
            ' ' => new.push_str("%20"),
            ch => new.push(ch),
        }
    }
    new
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

fn is_status(word: &str) -> bool {
    let is_number = word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number
        || ["permanent", "temp", "seeother", "gone"].contains(&word.to_ascii_lowercase().as_str())
}

/// The part of a path in front of what patterns of `RewriteRule` are compared with. In that of a folder (`.htaccess`)
/// it is the folder. In the configuration of a server it is empty, as paths begin with a slash there: a pattern says so
/// by its beginning, or else by a target that needs this slash (`https://host$1`).
fn folder(lines: &[(usize, String)]) -> Result<String, Error> {
    let (mut base, mut needs_slash) = (None, false);
    let (mut of_server, mut of_folder) = (None, None);
    for (line, row) in lines {
        let words = quoted_words(row);
        match (words[0].to_ascii_lowercase().as_str(), words.get(1)) {
            ("rewritebase", Some(path)) => base = Some(path.trim_end_matches('/').to_owned() + "/"),
            ("rewriterule", Some(pattern)) => {
                let host = words.get(2).and_then(|to| origin(to)).unwrap_or_default();
                needs_slash |= host.contains("$1") && !host.contains("://$");
                needs_slash |= pattern.starts_with('/') && !pattern.starts_with("/?");
                match begins_with_slash(pattern) {
                    Some(true) => of_server = of_server.or(Some(*line)),
                    Some(false) => of_folder = of_folder.or(Some(*line)),
                    None => {}
                }
            }
            _ => {}
        }
    }
    match (base, of_server, of_folder) {
        (Some(base), ..) => Ok(base),
        (None, Some(server), Some(folder)) => Err(at(
            server.max(folder),
            format!(
                "expected patterns for paths of one kind, but found paths with a first slash in line {server}, as in the configuration of a server, and without in line {folder}, as in a folder"
            ),
        )),
        (None, Some(_), None) => Ok(String::new()),
        (None, None, None) if needs_slash => Ok(String::new()),
        (None, None, _) => Ok("/".to_owned()),
    }
}

/// True if a pattern matches only texts that begin with a slash, false if it matches none of them; `None` if it is
/// neither.
fn begins_with_slash(pattern: &str) -> Option<bool> {
    let hir = regex_syntax::parse(&escaped_classes(pattern)).ok()?;
    let may_be_empty = hir
        .properties()
        .minimum_len()
        .is_none_or(|least| least == 0);
    if pattern.starts_with('!') || !begins_at_start(&hir) || may_be_empty {
        return None;
    }
    let all = match Reach::of_pattern(pattern, "") {
        Reach::Below(begins) => begins.iter().all(|begin| begin.starts_with('/')),
        Reach::Any => false,
    };
    (all || !may_begin_with_slash(&hir)).then_some(all)
}

/// True if the first character of a match may be a slash. Patterns nest no deeper than their parser allows.
fn may_begin_with_slash(hir: &Hir) -> bool {
    let parts = hir.kind().subs();
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(literal) => literal.0.starts_with(b"/"),
        HirKind::Class(Class::Unicode(class)) => class
            .iter()
            .any(|range| (range.start()..=range.end()).contains(&'/')),
        HirKind::Class(Class::Bytes(_)) => true,
        HirKind::Concat(_) => {
            let is_empty = |part: &&Hir| part.properties().minimum_len() == Some(0);
            let front = parts.iter().take_while(is_empty).count();
            parts.iter().take(front + 1).any(may_begin_with_slash)
        }
        HirKind::Repetition(_) | HirKind::Capture(_) | HirKind::Alternation(_) => {
            parts.iter().any(may_begin_with_slash)
        }
    }
}

/// The flags of a `RewriteRule` that matter for a redirect.
#[derive(Default)]
struct Flags {
    /// True if the flag `R` asks for a redirect to another place.
    redirects: bool,
    /// True if the page is an error, or comes from another server.
    is_other: bool,
    /// True if no rule behind this one is read.
    is_last: bool,
    /// True for an escaping of groups that is not known here.
    escapes: bool,
    ignores_case: bool,
    keeps_fragment: bool,
    query: Query,
}

/// The effect of a `RewriteRule` on a link.
enum Effect {
    None,
    /// A redirect, or a page that stays.
    Rule(Rule),
    /// The server chooses another content for the page, or the rules behind are not read, by conditions.
    Choice,
}

/// The effect of a `RewriteRule PATTERN TO [FLAGS]`.
fn rewrite_rule(
    words: &[String],
    (folder, condition): (&str, Option<usize>),
) -> Result<Effect, String> {
    let [_, pattern, to, flags @ ..] = words else {
        return Err("expected `RewriteRule PATTERN TO [FLAGS]`".to_owned());
    };
    let flags = Flags::read(&flags.concat())?;
    let is_absolute = scheme_of(to).is_some();
    let redirects = to != "-" && !flags.is_other && (flags.redirects || is_absolute);
    let stays = flags.is_other || to == "-" && flags.is_last;
    let is_sure = condition.is_none() && !pattern.starts_with('!');
    let keeps = stays && is_sure;
    if !(redirects || keeps) {
        let is_choice = to != "-" || stays;
        return Ok(if is_choice {
            Effect::Choice
        } else {
            Effect::None
        });
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
    let case = if flags.ignores_case { "(?i)" } else { "" };
    let pattern = format!("{case}{}", escaped_classes(pattern));
    let paths = SitePaths {
        folder: Some(folder.to_owned()),
        query: flags.query,
        ..decoded()
    };
    if !redirects {
        return Ok(Effect::Rule(Rule::that_keeps(&pattern, paths)));
    }
    if flags.escapes {
        return Err("expected groups as they are, but found the flag `B`".to_owned());
    }
    if to.starts_with("//") {
        return Err(format!(
            "expected a path, or a target with a scheme, but found `{to}`"
        ));
    }
    let (to, query) = match to.strip_suffix('?') {
        Some(to) => (to, Query::Dropped),
        None => (to.as_str(), flags.query),
    };
    let mut new = substitution(to)?;
    if !flags.keeps_fragment {
        new = new.replace('#', "%23");
    }
    let rule = Rule::of_paths(
        &pattern,
        &new.replace(' ', "%20"),
        SitePaths { query, ..paths },
    );
    Ok(Effect::Rule(rule))
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
                "l" | "last" | "end" => flags.is_last = true,
                "b" => flags.escapes = true,
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
