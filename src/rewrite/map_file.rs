//! Files of rules in other formats: tables of redirects from spreadsheets and web servers.

mod apache;
mod csv;
mod json;
mod netlify;
mod nginx;
#[cfg(test)]
mod tests;

use super::halves::{begins_with_host, invalid, is_path};
use super::pattern::SitePaths;
use super::rules::{Rule, Rules};
use crate::error::Error;
use crate::link::scheme_of;

/// A format of files with rules, for [`Rules::add_map_file`].
///
/// ```
/// use linkglot::rewrite::MapFormat;
///
/// assert_eq!(MapFormat::of("/a https://new.example/a\n"), MapFormat::Rules);
/// assert_eq!(MapFormat::of("old,new\n/a,https://new.example/a\n"), MapFormat::Csv);
/// assert_eq!(MapFormat::of("Redirect 301 /a https://new.example/a\n"), MapFormat::Apache);
/// assert_eq!(MapFormat::of("map $uri $new {\n  /a /b;\n}\n"), MapFormat::Nginx);
/// assert_eq!(MapFormat::of("/a/* /b/:splat 301\n"), MapFormat::Netlify);
/// assert_eq!(MapFormat::of("{\"/a\": \"/b\"}"), MapFormat::Json);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MapFormat {
    /// `FROM TO`, one rule in each line, as for [`Rules::add_file`].
    Rules,
    /// `old,new` (RFC 4180, without line breaks in fields), also with semicolons or tabs between the fields; a heading
    /// and further columns are ignored. If only one of the two addresses ends with a slash, the rule is for that page
    /// alone.
    Csv,
    /// Apache's `Redirect`, `RedirectPermanent`, `RedirectTemp`, `RedirectMatch`, and each `RewriteRule` that
    /// redirects, in the order of the server; or the text of a `RewriteMap`, with a page and its new address in each
    /// line.
    Apache,
    /// The entries of nginx's `map` of `$uri` or `$request_uri`, with or without the braces around them: pages, and
    /// patterns behind `~`.
    Nginx,
    /// The lines of a `_redirects` file of Netlify and other hosts of static sites: `/old/* /new/:splat 301`.
    Netlify,
    /// An object of JSON (RFC 8259) that names the new address of each old one, as in [`Csv`](Self::Csv).
    Json,
}

impl MapFormat {
    /// The format that a file seems to have. The text of a `RewriteMap` looks like [`Rules`](Self::Rules).
    ///
    /// ```
    /// use linkglot::rewrite::MapFormat;
    ///
    /// assert_eq!(MapFormat::of("# old, new\n/a /b\n"), MapFormat::Rules);
    /// ```
    pub fn of(text: &str) -> MapFormat {
        let lines = || significant_lines(text).map(|(_, line)| line);
        let Some(first) = lines().next() else {
            return MapFormat::Rules;
        };
        match () {
            () if first.starts_with(['{', '[']) => MapFormat::Json,
            () if lines().any(apache::is_directive) => MapFormat::Apache,
            () if nginx::is_like(first, lines()) => MapFormat::Nginx,
            () if csv::is_like(first) => MapFormat::Csv,
            () if netlify::is_like(lines()) => MapFormat::Netlify,
            () => MapFormat::Rules,
        }
    }

    /// The format that a file with a name seems to have: `.csv` and `.tsv` are [`Csv`](Self::Csv), `_redirects` is
    /// [`Netlify`](Self::Netlify), and any other is that of the text.
    ///
    /// ```
    /// use linkglot::rewrite::MapFormat;
    ///
    /// assert_eq!(MapFormat::of_named("moved.csv", "/a /b\n"), MapFormat::Csv);
    /// assert_eq!(MapFormat::of_named("_redirects", "/a /b\n"), MapFormat::Netlify);
    /// assert_eq!(MapFormat::of_named("moved.txt", "/a /b\n"), MapFormat::Rules);
    /// ```
    pub fn of_named(name: &str, text: &str) -> MapFormat {
        let has = |ending: &str| {
            let dot = name.len().checked_sub(ending.len());
            let found = dot.and_then(|dot| name.get(dot..));
            found.is_some_and(|found| found.eq_ignore_ascii_case(ending))
        };
        match () {
            () if has(".csv") || has(".tsv") => MapFormat::Csv,
            () if name == "_redirects" => MapFormat::Netlify,
            () => MapFormat::of(text),
        }
    }

    /// The rules of a table, of the site with an origin.
    fn rows(self, text: &str, site: Option<&str>) -> Result<Vec<Rule>, Error> {
        match self {
            MapFormat::Rules => Ok(Vec::new()),
            MapFormat::Csv => csv::rows(text),
            MapFormat::Apache => apache::rows(text, site),
            MapFormat::Nginx => nginx::rows(text),
            MapFormat::Netlify => netlify::rows(text),
            MapFormat::Json => json::rows(text),
        }
    }
}

impl Rules {
    /// Adds the rules of a file in some format. A path alone (`/a`) also stands for that path below the origin of
    /// `base`.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add), with the number of the line; and if a table of redirects has paths alone beside absolute
    /// links, but `base` has no origin: the paths would stay where the absolute links move.
    ///
    /// ```
    /// use linkglot::rewrite::{MapFormat, Rules};
    ///
    /// let mut rules = Rules::default();
    /// let base = Some("http://old.example/blog/");
    /// rules.add_map_file("Redirect /a https://new.example/b\n", MapFormat::Apache, base)?;
    /// assert_eq!(rules.apply("/a/x").as_deref(), Some("https://new.example/b/x"));
    /// assert_eq!(rules.apply("http://old.example/a").as_deref(), Some("https://new.example/b"));
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn add_map_file(
        &mut self,
        text: &str,
        format: MapFormat,
        base: Option<&str>,
    ) -> Result<(), Error> {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let origin = base.and_then(origin);
        if format == MapFormat::Rules {
            return self.add_lines(text, origin);
        }
        let rows = format.rows(text, origin)?;
        if origin.is_none() {
            of_one_kind(&rows)?;
        }
        for rule in rows {
            let line = rule.line;
            self.add_rule(rule, origin).map_err(|error| match line {
                Some(line) => at(line, error),
                None => error,
            })?;
        }
        Ok(())
    }
}

/// Checks that a table has not both paths alone and absolute links.
fn of_one_kind(rows: &[Rule]) -> Result<(), Error> {
    let path = rows.iter().find(|rule| rule.is_of_path());
    let absolute = rows.iter().find(|rule| rule.is_of_site());
    let (Some(path), Some(absolute)) = (path, absolute) else {
        return Ok(());
    };
    let [path, absolute] = [path, absolute].map(|rule| match rule.line {
        Some(line) => format!("`{}` in line {line}", rule.from),
        None => format!("`{}`", rule.from),
    });
    Err(invalid(format!(
        "expected a base for paths beside absolute links, but found {path} and {absolute} without a base"
    )))
}

impl Rule {
    /// True if the rule is for a path of any site.
    fn is_of_path(&self) -> bool {
        match &self.paths {
            Some(paths) => paths.origin.is_none(),
            None => is_path(&self.from),
        }
    }

    /// True if the rule is for links of one site.
    fn is_of_site(&self) -> bool {
        match &self.paths {
            Some(paths) => paths.origin.is_some(),
            None => origin(&self.from).is_some() || begins_with_host(&self.from),
        }
    }

    /// The rule with the number of its line.
    pub(super) fn at(self, line: usize) -> Self {
        Rule {
            line: Some(line),
            ..self
        }
    }

    /// A rule with a pattern that is compared with the paths of a site.
    fn of_paths(pattern: &str, to: &str, paths: SitePaths) -> Self {
        Rule {
            paths: Some(paths),
            ..Rule::new(&format!("re:{pattern}"), to)
        }
    }

    /// A rule for paths whose pages the site serves itself, or that are gone: their links stay, whatever the rules
    /// behind say.
    fn that_keeps(pattern: &str, paths: SitePaths) -> Self {
        let keeps = true;
        Rule::of_paths(pattern, "-", SitePaths { keeps, ..paths })
    }

    fn keeps(&self) -> bool {
        self.paths.as_ref().is_some_and(|paths| paths.keeps)
    }

    /// A rule for a page alone.
    fn of_page(from: &str, to: &str) -> Self {
        Rule {
            whole: true,
            ..Rule::new(from, to)
        }
    }

    /// A rule for all links below FROM. If only one side ends with a slash, it is for a page alone, except for a whole
    /// site.
    fn of_either(from: &str, to: &str) -> Self {
        let is_origin = origin(from).is_some_and(|origin| from.len() - origin.len() <= 1);
        Rule {
            whole: from.ends_with('/') != to.ends_with('/') && !is_origin,
            ..Rule::new(from, to)
        }
    }
}

fn at(line: usize, error: impl std::fmt::Display) -> Error {
    invalid(format!("line {line}: {error}"))
}

/// The scheme and authority of a base.
fn origin(base: &str) -> Option<&str> {
    let authority = scheme_of(base)?.len() + 1;
    let rest = base[authority..].strip_prefix("//")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    (end > 0).then(|| &base[..authority + 2 + end])
}

/// The lines with their numbers, without blank lines and comments.
fn significant_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    let lines = lines.map(|(index, line)| (index + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The words of a line; some may be in quotation marks.
fn quoted_words(line: &str) -> Vec<String> {
    let (mut words, mut rest) = (Vec::new(), line.trim());
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '"' | '\'' => rest[1..].find(first).map(|end| (1, 1 + end, 2 + end)),
            _ => None,
        };
        let plain = || rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (begin, end, next) = end.unwrap_or_else(|| (0, plain(), plain()));
        words.push(rest[begin..end].to_owned());
        rest = rest[next..].trim_start();
    }
    words
}

/// The replacement of a server's pattern, with groups of one digit as patterns here name them: `$1x` is `${1}x`.
fn with_groups(to: &str) -> String {
    let mut new = String::with_capacity(to.len());
    let mut chars = to.chars().peekable();
    while let Some(ch) = chars.next() {
        new.push(ch);
        if ch != '$' {
            continue;
        }
        if let Some(digit) = chars.next_if(char::is_ascii_digit) {
            new.extend(['{', digit, '}']);
        }
    }
    new
}

/// A pattern of a server, as patterns here write it: in a class `[`, `&`, `-` and `~` stand for themselves, also twice.
fn escaped_classes(pattern: &str) -> String {
    let mut new = String::with_capacity(pattern.len());
    let mut chars = pattern.chars().peekable();
    let mut in_class = false;
    while let Some(ch) = chars.next() {
        let next = chars.peek().copied();
        match ch {
            '\\' => {
                new.push(ch);
                new.extend(chars.next());
                continue;
            }
            '[' if !in_class => {
                in_class = true;
                new.push(ch);
                // A bracket at the beginning is a character.
                new.extend(chars.next_if_eq(&'^'));
                new.extend(chars.next_if_eq(&']').into_iter().flat_map(|_| ['\\', ']']));
                continue;
            }
            '[' if matches!(next, Some(':')) => {
                // `[:digit:]`
                new.push(ch);
                for ch in chars.by_ref() {
                    new.push(ch);
                    if ch == ']' {
                        break;
                    }
                }
                continue;
            }
            ']' => in_class = false,
            '[' => new.push('\\'),
            '&' | '-' | '~' if in_class && next == Some(ch) => new.push('\\'),
            _ => {}
        }
        new.push(ch);
    }
    new
}
