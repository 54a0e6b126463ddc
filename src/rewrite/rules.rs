//! Rules for moving a site: which links change, and to what.

use super::pattern::Pattern;
use super::prefixes::{Prefix, Prefixes, with_root};
use crate::charset::Charset;
use crate::error::{Error, ErrorKind};
use crate::iri::scheme::{HTTP_SCHEMES, is_http};
use crate::iri::target::Reading;
use crate::iri::{Display, HostDisplay, Level, ToIri, ToUri, normalize};
use crate::link::{code_in, scheme_of, with_implied, without_implied};
use std::borrow::Cow;
use std::sync::OnceLock;

/// Rules for moving a site: prefixes on whole reference boundaries, longest first; then `re:` rules, in their order. The
/// first that matches decides.
///
/// A prefix matches a reference that is equal to it or goes on at the end of a component: behind a
/// `/`, `?` or `#`, or right before one. Scheme and host match in any case; the prefix also stands
/// for its URI form and its IRI form (`http://é.example/` for `http://xn--9ca.example/`). A reference that
/// already has the prefix that the rule would give it is left alone, so that a second run changes
/// nothing.
///
/// A rule for `http://host/` or `https://host/` also sees `//host/` (the base's scheme goes first, when it is known);
/// what that becomes has no scheme either, unless the rule leads to another scheme.
///
/// A link of running text without a scheme (`old.example/a`, `ann@old.example`) is seen as it is written, and if no rule names
/// that as the URI that it stands for (`https://old.example/a`, `mailto:ann@old.example`). It becomes what the rule makes of
/// it, with the scheme; an address stays an address.
///
/// Code of a template in a reference (`{{x}}`, `<?= x ?>`) stays as it is: only what stands in front of it, or a prefix
/// that names it, changes. What such a reference resolves to is not known.
///
/// # Examples
///
/// ```
/// use linkglot::rewrite::Rules;
///
/// let mut rules = Rules::default();
/// rules.add("http://old.example/ https://new.example/")?;
/// rules.add(r"re:^/wiki/(\d+)\.html$ /page/$1")?;
/// assert_eq!(rules.apply("http://old.example/a?b").as_deref(), Some("https://new.example/a?b"));
/// assert_eq!(rules.apply("http://old.example.net/"), None);
/// assert_eq!(rules.apply("/wiki/7.html").as_deref(), Some("/page/7"));
/// # Ok::<(), linkglot::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rules {
    prefixes: Prefixes,
    /// The same in normal form, for references that are looked at as what they resolve to.
    pub(super) normal: Prefixes,
    patterns: Vec<Pattern>,
    /// Those that move whole origins, once somebody has asked.
    origins: OnceLock<Box<Rules>>,
}

/// Which references rules see.
///
/// ```
/// use linkglot::rewrite::{Reach, Rules};
///
/// let mut rules = Rules::default();
/// rules.add("http://old.example/ http://new.example/")?;
/// let moved = |reach| rules.apply_at("HTTP://old.example:80/", None, reach).is_some();
/// assert!(!moved(Reach::AsWritten) && moved(Reach::Resolved));
/// # Ok::<(), linkglot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reach {
    /// References as they are written.
    #[default]
    AsWritten,
    /// Relative references, too, as what they resolve to where the base is known (as browsers read them: URL Standard
    /// 4.4). One that matches becomes absolute. (Without it they are left alone: when a context moves as a whole, they
    /// move with it.) And references in any spelling that means the same: rules and references are compared in their
    /// normal forms, too (RFC 3986 6.2.2 and 6.2.3: `HTTP://old.example:80/%7Ex` for `http://old.example/~x`).
    Resolved,
}

/// What rules say of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    /// Nothing.
    Silent,
    /// It becomes this.
    Becomes(String),
    /// A rule names it, but what it makes of it cannot be written.
    Stuck,
}

impl Rules {
    /// Adds a rule: `FROM TO`, or `re:PATTERN TO` where `$1` or `${name}` stand for groups.
    ///
    /// # Errors
    ///
    /// When one half is missing, when there are more than two, when the pattern is none, when `TO` names a group that it has
    /// not, or when there is a rule for the same prefix that leads elsewhere.
    ///
    /// ```
    /// use linkglot::rewrite::Rules;
    ///
    /// let mut rules = Rules::default();
    /// rules.add("/old/ /new/")?;
    /// assert!(rules.add("/old/").is_err());
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn add(&mut self, rule: &str) -> Result<(), Error> {
        let mut halves = rule.split_whitespace();
        let (from, to) = match (halves.next(), halves.next(), halves.next()) {
            (Some(from), Some(to), None) => (from, to),
            (None, ..) => return Err(invalid("expected `FROM TO`, but found nothing".into())),
            (Some(half), None, _) => {
                return Err(invalid(format!(
                    "expected `FROM TO`, but found only `{half}`: the second half is missing"
                )));
            }
            (_, _, Some(third)) => {
                return Err(invalid(format!(
                    "expected `FROM TO`, but found a third part, `{third}`, in `{}`",
                    rule.trim()
                )));
            }
        };
        self.origins = OnceLock::new();
        match from.strip_prefix("re:") {
            Some(pattern) => self.add_pattern(pattern, to),
            None => self.add_prefix(from, to),
        }
    }

    /// Adds the rules of a file: one a line; lines that are blank or begin with `#` are skipped,
    /// and so is what a `#` behind white space begins after a rule.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add), with the line's number.
    ///
    /// ```
    /// use linkglot::rewrite::Rules;
    ///
    /// let mut rules = Rules::default();
    /// rules.add_file("# of 2020\n/old/ /new/\n")?;
    /// assert_eq!(rules.apply("/old/a").as_deref(), Some("/new/a"));
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn add_file(&mut self, text: &str) -> Result<(), Error> {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            self.add(without_comment(line))
                .map_err(|error| invalid(format!("line {}: {error}", number + 1)))?;
        }
        Ok(())
    }

    /// Whether there are none.
    ///
    /// ```
    /// use linkglot::rewrite::Rules;
    ///
    /// let mut rules = Rules::default();
    /// assert!(rules.is_empty());
    /// rules.add("/old/ /new/")?;
    /// assert!(!rules.is_empty());
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.prefixes.is_empty() && self.patterns.is_empty()
    }

    /// Those that move all of an origin, all links relative to a base there along with the base. O(rules) the first time.
    ///
    /// Patterns take no part of what a prefix names.
    pub(super) fn of_origins(&self) -> &Rules {
        self.origins.get_or_init(|| {
            let whole = |rules: &Prefixes| rules.only(|rule| moves_origin(rules, rule));
            Box::new(Rules {
                prefixes: whole(&self.prefixes),
                normal: whole(&self.normal),
                ..Rules::default()
            })
        })
    }

    /// What a reference becomes, if a rule matches. Linear in its length for each `re:` rule; how many prefixes there are
    /// hardly matters.
    ///
    /// ```
    /// use linkglot::rewrite::Rules;
    ///
    /// let mut rules = Rules::default();
    /// rules.add("/old/ /new/")?;
    /// assert_eq!(rules.apply("/old/a?b").as_deref(), Some("/new/a?b"));
    /// assert_eq!(rules.apply("/older"), None);
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn apply(&self, reference: &str) -> Option<String> {
        self.apply_at(reference, None, Reach::AsWritten)
    }

    /// The same where a base is in force.
    ///
    /// ```
    /// use linkglot::rewrite::{Reach, Rules};
    ///
    /// let mut rules = Rules::default();
    /// rules.add("http://old.example/ https://new.example/")?;
    /// let base = Some("http://old.example/a/");
    /// assert_eq!(rules.apply_at("b", base, Reach::AsWritten), None);
    /// let new = rules.apply_at("b", base, Reach::Resolved);
    /// assert_eq!(new.as_deref(), Some("https://new.example/a/b"));
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    ///
    /// Queries are taken to be in UTF-8. Linear in the lengths of reference and base for each `re:` rule.
    pub fn apply_at(&self, reference: &str, base: Option<&str>, reach: Reach) -> Option<String> {
        let query = Charset::UTF_8;
        match self.ruling(reference, Reading { base, query }, reach) {
            Ruling::Becomes(new) => Some(new),
            Ruling::Silent | Ruling::Stuck => None,
        }
    }

    /// What the rules say of a reference that is read like this.
    pub(super) fn ruling(&self, reference: &str, reading: Reading<'_>, reach: Reach) -> Ruling {
        let code = code_in(reference).map(|at| &reference[at..]);
        // What one with code resolves to is not known before it is filled in.
        let reach = code.map_or(reach, |_| Reach::AsWritten);
        let prefixed = self.prefixed(reference).or_else(|| match reference {
            _ if reference.starts_with("//") => self.of_network_path(reference, reading.base),
            _ => None,
        });
        let patterned = match prefixed {
            Some(_) => None,
            None => self.patterned(reference),
        };
        // A prefix ends in front of code or names it, a pattern may match anything.
        let breaks = |(new, code): (&String, &str)| !new.ends_with(code);
        if patterned.as_ref().zip(code).is_some_and(breaks) {
            return Ruling::Stuck;
        }
        let written = prefixed.or(patterned);
        // The longest goes first in whatever spelling.
        let normal = match reach {
            Reach::AsWritten => None,
            Reach::Resolved => self.normalized(reference, reading),
        };
        let longer = normal.filter(|(rank, _)| *rank > self.rank(reference, reading));
        let ruling = match (written, reach) {
            _ if longer.is_some() => longer.map_or(Ruling::Silent, |(_, ruling)| ruling),
            (Some(new), _) => Ruling::Becomes(new),
            (None, Reach::AsWritten) => Ruling::Silent,
            (None, Reach::Resolved) => self.resolved(reference, reading),
        };
        match ruling {
            Ruling::Becomes(new) if new == reference => Ruling::Silent,
            ruling => ruling,
        }
    }

    fn prefixed(&self, reference: &str) -> Option<String> {
        self.prefixed_with_rank(reference).map(|(_, new)| new)
    }

    pub(super) fn prefixed_with_rank(&self, reference: &str) -> Option<(usize, String)> {
        let own = self.prefixes.naming(reference);
        let own = own.and_then(|rule| Some((rule.rank, rule.apply(reference)?)));
        let rooted = with_root(reference).and_then(|rooted| {
            let rule = self.prefixes.naming(&rooted)?;
            let new = rule.apply(&rooted)?;
            // What stays, stays as it is written.
            let new = if new == rooted {
                reference.to_owned()
            } else {
                new
            };
            Some((rule.rank, new))
        });
        match (own, rooted) {
            (Some(own), Some(rooted)) if rooted.0 > own.0 => Some(rooted),
            (own, rooted) => own.or(rooted),
        }
    }

    fn patterned(&self, reference: &str) -> Option<String> {
        self.patterns.iter().find_map(|rule| rule.apply(reference))
    }

    /// A reference without a scheme but with an authority has the base's scheme, or if that is not known both of the web's. What it becomes has no
    /// scheme either where that means the same.
    fn of_network_path(&self, reference: &str, base: Option<&str>) -> Option<String> {
        let own = base.and_then(scheme_of).map(str::to_ascii_lowercase);
        let with = |scheme: &str| self.prefixed(&format!("{scheme}:{reference}"));
        let bare = |new: String, scheme: &str| {
            let same = scheme_of(&new).is_some_and(|new| new.eq_ignore_ascii_case(scheme));
            match new.get(scheme.len() + 1..) {
                Some(bare) if same && bare.starts_with("//") => bare.to_owned(),
                _ => new,
            }
        };
        if let Some(own) = own {
            let other = HTTP_SCHEMES.into_iter();
            let other = other.filter(|_| is_http(&own)).find(|other| *other != own);
            let new = with(&own).or_else(|| with(other?));
            return new.map(|new| bare(new, &own));
        }
        let found = HTTP_SCHEMES.map(|scheme| with(scheme).map(|new| (new, scheme)));
        match found {
            [Some((plain, http)), Some((secure, https))] => {
                let bares = (bare(plain.clone(), http), bare(secure.clone(), https));
                // One answer for both, or none.
                [(plain, secure), bares]
                    .into_iter()
                    .find_map(|(a, b)| (a == b).then_some(a))
            }
            [one, other] => one.or(other).map(|(new, scheme)| bare(new, scheme)),
        }
    }

    /// What they say of a link without a scheme: of what is written, or if they do not name that, of the URI that is
    /// meant. An address stays one, without its scheme.
    pub(super) fn of_implied(
        &self,
        (text, scheme): (&str, &'static str),
        reading: Reading<'_>,
        reach: Reach,
    ) -> Ruling {
        let written = self.ruling(text, reading, Reach::AsWritten);
        if written != Ruling::Silent || self.prefixed_or_patterned(text).is_some() {
            return written;
        }
        let whole = with_implied(text, Some(scheme));
        match self.ruling(&whole, reading, reach) {
            Ruling::Becomes(new) if scheme == "mailto" => {
                let address = without_implied(&new, Some(scheme)).map(Cow::into_owned);
                Ruling::Becomes(address.unwrap_or(new))
            }
            ruling => ruling,
        }
    }

    pub(super) fn prefixed_or_patterned(&self, reference: &str) -> Option<String> {
        self.prefixed(reference)
            .or_else(|| self.patterned(reference))
    }

    /// Adds a prefix as it is given, and in its other forms.
    fn add_prefix(&mut self, from: &str, to: &str) -> Result<(), Error> {
        let rank = from.len();
        if let Some(other) = self.prefixes.given(from).filter(|rule| rule.to != to) {
            let other = &other.to;
            return Err(invalid(format!(
                "expected one rule for `{from}`, but found two, to `{other}` and to `{to}`"
            )));
        }
        for from in forms(from) {
            let rule = Prefix::new(from, to, &forms(to), rank);
            self.prefixes.add(rule);
        }
        // The normal form has the path of the root, which the rule has not.
        let normal = normalize(from, Level::Scheme);
        let from = match from.ends_with('/') {
            true => normal,
            false => normal
                .strip_suffix('/')
                .map_or(normal.clone(), str::to_owned),
        };
        let seen = [normalize(to, Level::Scheme)];
        self.normal.add(Prefix::new(from, to, &seen, rank));
        Ok(())
    }

    fn add_pattern(&mut self, pattern: &str, to: &str) -> Result<(), Error> {
        self.patterns
            .push(Pattern::new(pattern, to).map_err(invalid)?);
        Ok(())
    }
}

/// A prefix as it is given, in URI form and in IRI form, each once.
fn forms(prefix: &str) -> Vec<String> {
    let shown = ToIri {
        host: HostDisplay::All,
        display: Display::All,
        ..ToIri::default()
    };
    let iri = shown.map(prefix, &|_| true).text.into_owned();
    let uri = ToUri::default().map(prefix).ok();
    let uri = uri.map(|mapped| mapped.text.into_owned());
    let mut forms = vec![prefix.to_owned()];
    for other in uri.into_iter().chain([iri]) {
        if !forms.contains(&other) {
            forms.push(other);
        }
    }
    forms
}

/// The two halves of a rule's line, if a comment follows them.
fn without_comment(line: &str) -> &str {
    let mut words = 0;
    let mut in_word = false;
    for (at, ch) in line.char_indices() {
        let begins = !in_word && !ch.is_whitespace();
        words += usize::from(begins);
        in_word = !ch.is_whitespace();
        if begins && words == 3 && ch == '#' {
            return &line[..at];
        }
    }
    line
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidRule, message)
}

/// Whether a rule moves all of an origin: the path stays, and no longer rule makes anything else of a part.
fn moves_origin(rules: &Prefixes, rule: &Prefix) -> bool {
    let halves = (origin_of(&rule.from), origin_of(&rule.to));
    // A slash more or less would be in front of each path, but not of those of relative links.
    let is_whole = matches!(halves, (Some(from), Some(to)) if from == to);
    is_whole
        && rules.below(rule).all(|part| {
            let moved = rule.apply(&part.from);
            moved.is_some_and(|moved| moved == part.to || is_same_uri(&moved, &part.to))
        })
}

fn is_same_uri(one: &str, other: &str) -> bool {
    let uri = |text: &str| Some(ToUri::default().map(text).ok()?.text.into_owned());
    uri(one).is_some_and(|one| Some(one) == uri(other))
}

/// Whether it has a scheme and whether a slash ends it, if a reference is an origin (RFC 6454).
fn origin_of(reference: &str) -> Option<(bool, bool)> {
    let scheme = scheme_of(reference);
    let authority = reference[scheme.map_or(0, |scheme| scheme.len() + 1)..].strip_prefix("//")?;
    let host = authority.strip_suffix('/').unwrap_or(authority);
    let is_origin = !host.is_empty() && !host.contains(['/', '\\', '?', '#']);
    is_origin.then_some((scheme.is_some(), host != authority))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(lines: &[&str]) -> Rules {
        let mut rules = Rules::default();
        for line in lines {
            rules.add(line).unwrap();
        }
        rules
    }

    #[test]
    fn prefixes_end_at_boundaries() {
        let rules = rules(&["http://a.example/x http://b.example/y"]);
        let cases = [
            ("http://a.example/x", Some("http://b.example/y")),
            ("http://a.example/x/z", Some("http://b.example/y/z")),
            ("http://a.example/x?q#f", Some("http://b.example/y?q#f")),
            ("http://a.example/x#f", Some("http://b.example/y#f")),
            ("http://a.example/xy", None),
            ("http://a.example/X", None),
            ("HTTP://A.Example/x", Some("http://b.example/y")),
            ("xhttp://a.example/x", None),
        ];
        for (from, to) in cases {
            assert_eq!(rules.apply(from).as_deref(), to, "{from}");
        }
    }

    #[test]
    fn hosts_are_whole() {
        let rules = rules(&["http://a.example http://b.example"]);
        assert_eq!(rules.apply("http://a.example.org/"), None);
        assert_eq!(rules.apply("http://a.example:80/"), None);
        assert_eq!(
            rules.apply("http://a.example/p").as_deref(),
            Some("http://b.example/p")
        );
    }

    #[test]
    fn a_root_stands_for_the_empty_path() {
        let rules = rules(&["http://a.example/ http://b.example/"]);
        assert_eq!(
            rules.apply("http://a.example").as_deref(),
            Some("http://b.example")
        );
        assert_eq!(rules.apply("http://a.exampl"), None);
    }

    #[test]
    fn the_longest_prefix_wins() {
        let rules = rules(&["/a/ /short/", "/a/b/ /long/", "/a/b/c /longest"]);
        assert_eq!(rules.apply("/a/b/d").as_deref(), Some("/long/d"));
        assert_eq!(rules.apply("/a/b/c").as_deref(), Some("/longest"));
        assert_eq!(rules.apply("/a/x").as_deref(), Some("/short/x"));
    }

    #[test]
    fn a_second_run_changes_nothing() {
        let rules = rules(&["http://a.example/ http://a.example/new/"]);
        let once = rules.apply("http://a.example/x").unwrap();
        assert_eq!(rules.apply(&once), None);
    }

    #[test]
    fn a_rule_that_is_fulfilled_has_decided() {
        let rules = rules(&[
            "http://old.example/ http://new.example/",
            "http://old.example/keep/ http://old.example/keep/",
            "http://old.example/é/ http://old.example/é/ü/",
            "a/ b/",
            "a/x a/x/y",
            "re:^http://old.example/keep/.*$ /pattern",
            "re:^a/x/.*$ /pattern",
        ]);
        let cases = [
            ("http://old.example/x", Some("http://new.example/x")),
            ("HTTP://Old.Example/keep/x", None),
            ("//old.example/keep/x", None),
            ("http://old.example/é/ü/x", None),
            ("http://old.example/%C3%A9/%C3%BC/x", None),
            (
                "http://old.example/%C3%A9/x",
                Some("http://old.example/é/ü/x"),
            ),
            ("a/x/z", Some("a/x/y/z")),
            ("a/x/y/z", None),
            ("a/z", Some("b/z")),
        ];
        let base = Some("http://old.example/keep/");
        for (reference, expected) in cases {
            let new = rules.apply(reference);
            assert_eq!(new.as_deref(), expected, "{reference}");
            assert_eq!(
                rules.apply_at(reference, None, Reach::Resolved),
                new,
                "{reference}"
            );
        }
        // Nor is a link to what is kept made absolute.
        for reference in ["x", "./x", "/keep/%78", "http://old.example:80/keep/x"] {
            let new = rules.apply_at(reference, base, Reach::Resolved);
            assert_eq!(new, None, "{reference}");
        }
    }

    #[test]
    fn patterns_have_groups() {
        let rules = rules(&[
            r"re:^http://(?<host>[a-z]+)\.old\.example/(\d*) https://new.example/${host}/$2",
        ]);
        assert_eq!(
            rules.apply("http://de.old.example/12?x").as_deref(),
            Some("https://new.example/de/12?x")
        );
    }

    #[test]
    fn errors_say_what_was_found() {
        let mut rules = Rules::default();
        let message = |rules: &mut Rules, rule| rules.add(rule).unwrap_err().to_string();
        assert!(message(&mut rules, "http://a/").contains("found only `http://a/`"));
        assert!(message(&mut rules, "").contains("found nothing"));
        assert!(message(&mut rules, "a b c").contains("`c`"));
        assert!(message(&mut rules, "re:( b").contains("no regular expression"));
        rules.add("http://a/ /b").unwrap();
        rules.add("http://a/ /b").unwrap();
        rules.add("http://a/c /d").unwrap();
        let twice = message(&mut rules, "HTTP://A/ /c");
        assert!(twice.contains("to `/b` and to `/c`"), "{twice}");
        let error = rules.add_file("# comment\n\n/a /b\n/c\n").unwrap_err();
        assert!(error.to_string().starts_with("line 4:"), "{error}");
        assert_eq!(error.kind(), ErrorKind::InvalidRule);
    }

    #[test]
    fn a_prefix_stands_for_its_other_forms() {
        let given_as_iri = rules(&["http://é.example/ü http://b.example/"]);
        let given_as_uri = rules(&["http://xn--9ca.example/%C3%BC http://b.example/"]);
        for rules in [given_as_iri, given_as_uri] {
            for link in ["http://é.example/ü/x", "http://xn--9ca.example/%C3%BC/x"] {
                assert_eq!(
                    rules.apply(link).as_deref(),
                    Some("http://b.example//x"),
                    "{link}"
                );
            }
        }
    }

    #[test]
    fn references_without_a_scheme_but_with_a_host() {
        let plain = &["http://a.example/ http://b.example/"][..];
        let secure = &["http://a.example/ https://b.example/"][..];
        let both = &[
            "http://a.example/ https://b.example/",
            "https://a.example/ https://b.example/",
        ][..];
        let apart = &[
            "http://a.example/ http://b.example/",
            "https://a.example/ https://c.example/",
        ][..];
        let file = &["ftp://a.example/ ftp://b.example/"][..];
        let relative = &["http://a.example/ /b/"][..];
        let written = &[
            "//a.example/ //b.example/",
            "http://a.example/ http://c.example/",
        ][..];
        let cases: &[(&[&str], Option<&str>, Option<&str>)] = &[
            (plain, None, Some("//b.example/x")),
            (plain, Some("http://h/"), Some("//b.example/x")),
            // The rule for the other scheme of the web counts when the base's has none.
            (plain, Some("https://h/"), Some("http://b.example/x")),
            (plain, Some("file:///h"), None),
            (secure, None, Some("https://b.example/x")),
            (secure, Some("http://h/"), Some("https://b.example/x")),
            (secure, Some("HTTPS://h/"), Some("//b.example/x")),
            (both, None, Some("https://b.example/x")),
            (both, Some("https://h/"), Some("//b.example/x")),
            // Not known which.
            (apart, None, None),
            (apart, Some("http://h/"), Some("//b.example/x")),
            (apart, Some("https://h/"), Some("//c.example/x")),
            (file, None, None),
            (file, Some("ftp://h/"), Some("//b.example/x")),
            (relative, None, Some("/b/x")),
            (written, None, Some("//b.example/x")),
        ];
        for (lines, base, expected) in cases {
            let rules = rules(lines);
            let new = rules.apply_at("//A.example/x", *base, Reach::AsWritten);
            assert_eq!(new.as_deref(), *expected, "{lines:?} {base:?}");
            let Some(new) = new else { continue };
            assert_eq!(
                rules.apply_at(&new, *base, Reach::AsWritten),
                None,
                "twice: {new}"
            );
        }
    }

    #[test]
    fn rules_for_origins() {
        let cases = [
            ("http://a http://b", true),
            ("http://a:8/ https://b/", true),
            ("//a/ //b/", true),
            // The path, or only for links of some scheme.
            ("http://a/ http://b", false),
            ("http://a http://b/", false),
            ("http://a/ //b/", false),
            ("//a/ http://b/", false),
            ("http://a/x/ http://b/", false),
            ("http://a/ http://b/x/", false),
            ("http://a/? http://b/?", false),
            ("http://a?x http://b", false),
            ("http:/// http://b/", false),
            ("mailto:a mailto:b", false),
            ("/ /", false),
            ("re:http://a/ http://b/", false),
        ];
        for (rule, expected) in cases {
            assert_eq!(!rules(&[rule]).of_origins().is_empty(), expected, "{rule}");
        }
    }

    /// Whether the first rule moves a whole origin when there is the second, too.
    #[test]
    fn parts_of_origins() {
        let cases = [
            ("http://a/ http://b/", "http://a/x/ http://c/", false),
            ("http://a/ http://b/", "HTTP://A/x/ http://c/", false),
            ("http://a http://b", "http://a/x http://b/y", false),
            ("http://a/ http://b/", "http://a/x/ http://a/x/", false),
            ("http://a/ http://b/", "http://a/?x /y", false),
            // The same of the part as of the whole.
            ("http://a/ http://b/", "http://a/x/ http://b/x/", true),
            ("http://a/ http://b/", "http://a/é http://b/%C3%A9", true),
            // Other origins, and what prefixes name goes by them.
            ("http://a http://b", "http://ab/x http://c/", true),
            ("http://a/ http://b/", "https://a/x http://c/", true),
            ("http://a/ http://b/", "http://a:80/x http://c/", true),
            ("http://a/ http://b/", "re:^http://a/x /y", true),
        ];
        for (whole, part, expected) in cases {
            let rules = rules(&[whole, part]);
            let moved = rules.of_origins().apply("http://a/");
            assert_eq!(moved.is_some(), expected, "{whole} beside {part}");
        }
    }

    #[test]
    fn comments_may_follow_rules() {
        let mut rules = Rules::default();
        rules
            .add_file("# all\n/a#b /c#d  # moved in 2020\n")
            .unwrap();
        assert_eq!(rules.apply("/a#b").as_deref(), Some("/c#d"));
    }

    #[test]
    fn multi_byte_references_do_not_panic() {
        let rules = rules(&["http://aé/ http://b/", "http://a/é /x"]);
        for reference in ["http://aü/é", "http://a/", "é", "http://a/ü", "http://aé"] {
            let _ = rules.apply(reference);
        }
    }
}
