//! Files of rules in other formats: tables of redirects from spreadsheets and web servers.

use super::halves::invalid;
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
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MapFormat {
    /// `FROM TO`, one rule in each line, as for [`Rules::add_file`].
    Rules,
    /// `old,new` (RFC 4180, without line breaks in fields); a heading and further columns are ignored. If only one of
    /// the two addresses ends with a slash, the rule is for that page alone.
    Csv,
    /// Apache's `Redirect`, `RedirectPermanent`, `RedirectTemp` and `RedirectMatch`; or the text of a `RewriteMap`,
    /// with a page and its new address in each line.
    Apache,
    /// The entries of nginx's `map`, with or without the braces around them: pages, and patterns behind `~`.
    Nginx,
}

/// The number of its first line, and a rule.
type Row = (usize, Rule);

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
        if lines().any(is_directive) {
            return MapFormat::Apache;
        }
        let Some(first) = lines().next() else {
            return MapFormat::Rules;
        };
        let words: Vec<&str> = first.split_whitespace().collect();
        let is_map = words.first() == Some(&"map") && first.contains('{');
        if is_map || words.len() > 1 && lines().all(|line| line.ends_with(';')) {
            return MapFormat::Nginx;
        }
        let has_columns = words.len() == 1 && first.contains(',') || words[0].ends_with(',');
        if has_columns || first.starts_with('"') {
            MapFormat::Csv
        } else {
            MapFormat::Rules
        }
    }

    fn rows(self, text: &str) -> Result<Vec<Row>, Error> {
        match self {
            MapFormat::Rules => Ok(Vec::new()),
            MapFormat::Csv => csv_rows(text),
            MapFormat::Apache if significant_lines(text).any(|(_, line)| is_directive(line)) => {
                apache_rows(text)
            }
            MapFormat::Apache => page_rows(text),
            MapFormat::Nginx => nginx_rows(text),
        }
    }
}

impl Rules {
    /// Adds the rules of a file in some format. A path alone (`/a`) also stands for that path below the origin of
    /// `base`.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add), with the number of the line; and if `base` has no origin.
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
        if format == MapFormat::Rules {
            return self.add_lines(text, base.and_then(origin));
        }
        for (line, rule) in format.rows(text)? {
            let rule = Rule {
                line: Some(line),
                ..rule
            };
            self.add_rule(rule, base.and_then(origin))
                .map_err(|error| at(line, error))?;
        }
        Ok(())
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

fn csv_rows(text: &str) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for (line, row) in significant_lines(text) {
        let fields = csv_fields(row).map_err(|error| at(line, error))?;
        let [from, to, ..] = fields.as_slice() else {
            let message = format!("expected two fields with a comma in between, but found `{row}`");
            return Err(at(line, message));
        };
        if rows.is_empty() && is_heading(from) && is_heading(to) {
            let names = |heading: &str, words: [&str; 4]| {
                let heading = heading.to_ascii_lowercase();
                words.iter().any(|word| heading.contains(word))
            };
            if names(from, ["new", "target", "destination", "to"])
                && names(to, ["old", "source", "from", "origin"])
            {
                let message = format!(
                    "expected the old address in the first column, but found the heading `{row}`"
                );
                return Err(at(line, message));
            }
            continue;
        }
        if from.is_empty() || to.is_empty() || from.contains(char::is_whitespace) {
            return Err(at(line, format!("expected `old,new`, but found `{row}`")));
        }
        let is_origin = origin(from).is_some_and(|origin| from.len() - origin.len() <= 1);
        rows.push((
            line,
            Rule {
                whole: from.ends_with('/') != to.ends_with('/') && !is_origin,
                ..Rule::new(from, to)
            },
        ));
    }
    Ok(rows)
}

/// True if a field is the name of a column.
fn is_heading(field: &str) -> bool {
    !field.contains(['/', '.', ':'])
}

fn csv_fields(row: &str) -> Result<Vec<String>, &'static str> {
    let mut fields = Vec::new();
    let mut rest = row;
    loop {
        let (field, behind) = match rest.trim_start().strip_prefix('"') {
            Some(quoted) => quoted_field(quoted)?,
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                (rest[..end].trim().to_owned(), &rest[end..])
            }
        };
        fields.push(field);
        match behind.trim_start() {
            "" => return Ok(fields),
            behind => {
                rest = behind
                    .strip_prefix(',')
                    .ok_or("expected `,` after a quoted field")?;
            }
        }
    }
}

/// The field behind its opening quotation mark, and the text behind the field.
fn quoted_field(mut rest: &str) -> Result<(String, &str), &'static str> {
    let mut field = String::new();
    loop {
        let (part, behind) = rest
            .split_once('"')
            .ok_or("expected `\"` at the end of a field, but found the end of the line")?;
        field.push_str(part);
        match behind.strip_prefix('"') {
            Some(more) => {
                field.push('"');
                rest = more;
            }
            None => return Ok((field, behind)),
        }
    }
}

/// True if a line of Apache's configuration has a redirect.
fn is_directive(line: &str) -> bool {
    let name = line.split_whitespace().next().unwrap_or_default();
    let names = [
        "Redirect",
        "RedirectPermanent",
        "RedirectTemp",
        "RedirectMatch",
    ];
    let mut names = names.into_iter().chain(["RewriteRule"]);
    names.any(|known| known.eq_ignore_ascii_case(name))
}

fn apache_rows(text: &str) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for (line, row) in significant_lines(text).filter(|(_, row)| is_directive(row)) {
        let words = quoted_words(row);
        let name = words[0].to_ascii_lowercase();
        if name == "rewriterule" {
            let message = "expected `Redirect`, but found a `RewriteRule`: write it as a rule `re:PATTERN TO`";
            return Err(at(line, message));
        }
        let has_status = words.get(1).is_some_and(|word| is_status(word));
        let halves = &words[1 + usize::from(has_status)..];
        // A page that is gone has no new place.
        if has_status && halves.len() == 1 {
            continue;
        }
        let [from, to] = halves else {
            let message = format!(
                "expected `{} [STATUS] FROM TO`, but found `{row}`",
                words[0]
            );
            return Err(at(line, message));
        };
        rows.push((
            line,
            match name.as_str() {
                "redirectmatch" => server_pattern(from, to),
                _ => Rule::new(from, to),
            },
        ));
    }
    Ok(rows)
}

fn is_status(word: &str) -> bool {
    let is_number = word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number
        || ["permanent", "temp", "seeother", "gone"].contains(&word.to_ascii_lowercase().as_str())
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

/// Reads the text of a `RewriteMap`.
fn page_rows(text: &str) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for (line, row) in significant_lines(text) {
        let mut words = row.split_whitespace();
        let (Some(from), Some(to)) = (words.next(), words.next()) else {
            return Err(at(line, format!("expected `FROM TO`, but found `{row}`")));
        };
        rows.push((line, page(from, to)));
    }
    Ok(rows)
}

/// A rule with a pattern for the paths of a site.
fn server_pattern(pattern: &str, to: &str) -> Rule {
    Rule {
        of_paths: true,
        ..Rule::new(&format!("re:{pattern}"), to)
    }
}

/// A rule for a page alone.
fn page(from: &str, to: &str) -> Rule {
    Rule {
        whole: true,
        ..Rule::new(from, to)
    }
}

fn nginx_rows(text: &str) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for (line, row) in significant_lines(text) {
        let is_frame = row.starts_with("map ") && row.ends_with('{') || row == "}";
        let row = row.split_once("; #").map_or(row, |(row, _)| row);
        let row = row.trim_end_matches(';').trim_end();
        let words = quoted_words(row);
        let first = words.first().map_or("", String::as_str);
        if is_frame || matches!(first, "default" | "hostnames" | "volatile") {
            continue;
        }
        if matches!(first, "include" | "location" | "rewrite" | "server") {
            let message =
                format!("expected an entry of a `map`, but found the directive `{first}`");
            return Err(at(line, message));
        }
        let [from, to] = words.as_slice() else {
            return Err(at(line, format!("expected `FROM TO;`, but found `{row}`")));
        };
        let rule = match (from.strip_prefix("~*"), from.strip_prefix('~')) {
            (Some(pattern), _) => server_pattern(&format!("(?i){pattern}"), to),
            (None, Some(pattern)) => server_pattern(pattern, to),
            (None, None) => page(from.strip_prefix('\\').unwrap_or(from), to),
        };
        rows.push((line, rule));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, base: Option<&str>) -> Rules {
        let mut rules = Rules::default();
        rules
            .add_map_file(text, MapFormat::of(text), base)
            .expect(text);
        rules
    }

    #[test]
    fn formats_and_what_they_say() {
        let base = Some("http://old.example/x/y");
        let csv =
            "old,new,code\n/a,https://new.example/a\n\"/b,c\", \"/d\",301\n/about/,/about.html\n";
        let apache = "RewriteEngine on\nRedirect permanent /a https://new.example/a\n\
            redirect 301 \"/b,c\" /d\nRedirect gone /x\nRedirectPermanent /about/ /about/us/\n\
            RedirectMatch 301 ^/w/(\\d+)\\.html$ /page/$1\n";
        let nginx = "# pages\nmap $uri $new {\n  default \"\";\n  /a https://new.example/a;\n\
            \"/b,c\" /d; # comma\n  ~^/w/(\\d+)\\.html$ /page/$1;\n}\n";
        let own = "/a https://new.example/a\n/b,c /d\nre:^/w/(\\d+)\\.html$ /page/$1 # pages\n";
        let formats = [
            (csv, MapFormat::Csv),
            (apache, MapFormat::Apache),
            (nginx, MapFormat::Nginx),
            (own, MapFormat::Rules),
        ];
        for (text, format) in formats {
            assert_eq!(MapFormat::of(text), format, "{text}");
            let rules = read(text, base);
            let cases = [
                ("/a", Some("https://new.example/a")),
                ("/a?q", Some("https://new.example/a?q")),
                ("http://old.example/a", Some("https://new.example/a")),
                ("HTTP://old.example:80/%61", Some("https://new.example/a")),
                ("/b,c", Some("/d")),
                ("http://old.example/b,c", Some("http://old.example/d")),
                ("https://old.example/a", None),
                ("/c", None),
            ];
            for (link, new) in cases {
                assert_eq!(rules.apply(link).as_deref(), new, "{link} by {text}");
            }
            let page = rules.apply("/w/7.html");
            assert_eq!(
                page.as_deref(),
                (text != csv).then_some("/page/7"),
                "{text}"
            );
        }
        // Tells a page from a directory.
        assert_eq!(
            read(csv, None).apply("/a/x").as_deref(),
            Some("https://new.example/a/x")
        );
        assert_eq!(read(nginx, None).apply("/a/x"), None);
        assert_eq!(
            read(csv, None).apply("/about/").as_deref(),
            Some("/about.html")
        );
        assert_eq!(read(csv, None).apply("/about/x"), None);
        assert_eq!(read(apache, None).given()[1].line, Some(3));
        let mut pages = Rules::default();
        let text = "/a/ /b # moved\n";
        pages.add_map_file(text, MapFormat::Apache, None).unwrap();
        assert_eq!(pages.apply("/a/").as_deref(), Some("/b"));
        assert!(pages.check().is_empty());
    }

    #[test]
    fn errors_name_the_line() {
        let cases = [
            (
                "Redirect /a /b\nRedirect /a\n",
                "line 2: expected `Redirect [STATUS] FROM TO`",
            ),
            (
                "Redirect /a /b\nRewriteRule ^a$ /b [R]\n",
                "line 2: expected `Redirect`",
            ),
            ("RedirectMatch ( /b\n", "line 1: expected a pattern"),
            ("a.b/,c.d/\nlonely\n", "line 2: expected two fields"),
            ("\"a.b/\",\"c.d/\nx\n", "line 1: expected `\"`"),
            (
                "map $a $b {\n/a /b;\n/c;\n}\n",
                "line 3: expected `FROM TO;`",
            ),
            ("/a /b\n/c\n", "line 2: expected `FROM TO`"),
            ("/a,/b\n/a,/c\n", "line 2: expected one rule"),
        ];
        for (text, words) in cases {
            let mut rules = Rules::default();
            let error = rules.add_map_file(text, MapFormat::of(text), None);
            let error = error.unwrap_err().to_string();
            assert!(error.starts_with(words), "{error}");
        }
    }
}
