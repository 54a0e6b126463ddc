//! Rules for moving a site: they name links and their replacements.

use super::domains::{self, DomainMove, Domains};
use super::halves::{
    Spelling, begins_with_host, forms, invalid, is_normal, normal_form, spellings,
};
use super::host_filter::HostFilter;
use super::left_behind::MovedHosts;
use super::named_hosts::{NamedHosts, host_of};
use super::pattern::{Pattern, SitePaths};
use super::patterns::Patterns;
use super::prefixes::{Match, Prefix, Prefixes, is_same_prefix, with_root};
use crate::charset::Charset;
use crate::error::{Error, QUOTED, shortened};
use crate::iri::scheme::{HTTP_SCHEMES, is_http};
use crate::iri::target::Reading;
use crate::iri::{Parts, ToUri};
use crate::link::unwrap::{self, Wrapped};
use crate::link::{code_in, scheme_of, with_implied, without_implied};
use crate::scan::Hosts;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Rules for moving a site: prefixes on whole reference boundaries, longest first; then `re:` rules, in their order.
/// The first matching rule decides.
///
/// A prefix matches an equal reference, or a reference that goes on at the end of a component: behind a `/`, `?` or
/// `#`, or right before such a character. Rules and references are also compared in their normal forms
/// (`HTTP://old.example:80/%7Ex` for `http://old.example/~x`, `http://xn--9ca.example/` for `http://é.example/`). A
/// reference that already has the new prefix of the rule is left alone, so that a second run changes nothing.
///
/// A prefix without a scheme that begins with a host (`old.example/blog`) stands for http and https. The new reference
/// keeps the scheme, if the rule names none. In markup `old.example/blog` is a relative path, which no such rule names;
/// in running text it is a link.
///
/// A rule for `http://host/` or `https://host/` also sees `//host/` (the base's scheme goes first, if known); the new
/// reference has no scheme either, unless the rule leads to another scheme.
///
/// A link of running text without a scheme (`old.example/a`, `ann@old.example`) is compared as written and, if no rule
/// matches, as a URI (`https://old.example/a`, `mailto:ann@old.example`). The new link has the scheme of the rule's
/// result; an address stays an address.
///
/// Code of a template in a reference (`{{x}}`, `<?= x ?>`) stays unchanged: only the text in front of the code, or a
/// prefix that names the code, changes. The target of such a reference is unknown.
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
    pub(super) given: Vec<Rule>,
    pub(super) prefixes: Prefixes,
    /// The same prefixes in normal form, for references in other spellings.
    pub(super) normal: Prefixes,
    /// The prefixes whose queries have several parameters, in the order of the parameters' names.
    ordered: Prefixes,
    any_query_order: bool,
    pub(super) patterns: Patterns,
    /// Domains whose subdomains or addresses move.
    pub(super) domains: Domains,
    /// The schemes of prefixes, in lower case.
    pub(super) schemes: Vec<String>,
    /// True if some prefix has no entry in its normal form.
    pub(super) has_odd: bool,
    /// The rules that move whole origins, computed on demand.
    origins: OnceLock<Box<Rules>>,
    /// The number of the first rule for a service that wraps links, if links are unwrapped.
    services: Option<usize>,
    moved_hosts: OnceLock<MovedHosts>,
    named_hosts: OnceLock<NamedHosts>,
    known_hosts: OnceLock<Hosts>,
    host_filter: OnceLock<HostFilter>,
    /// The rules whose domains move with their addresses, computed on demand; `None` if that changes nothing.
    with_mail: OnceLock<Option<Arc<Rules>>>,
}

/// A rule as given.
///
/// ```
/// use linkglot::rewrite::Rules;
///
/// let mut rules = Rules::default();
/// rules.add_file("# moved\n/old/ /new/\n")?;
/// let rule = &rules.given()[0];
/// assert_eq!((rule.from.as_str(), rule.to.as_str(), rule.line), ("/old/", "/new/", Some(2)));
/// # Ok::<(), linkglot::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// A prefix, or `re:` and a pattern.
    pub from: String,
    /// The replacement for `from`.
    pub to: String,
    /// The line in the file of the rule; the first is 1.
    pub line: Option<usize>,
    /// True if the rule matches nothing below FROM: FROM is one page.
    pub whole: bool,
    /// True if the rule stands for a service ([`Rules::unwrap_links`]): FROM is its name, TO is empty.
    pub unwraps: bool,
    /// The links that move with a domain, if the rule moves one ([`Rules::move_domain`]).
    pub domain: Option<DomainMove>,
    /// True if FROM, which is a prefix, matches in any case of ASCII.
    pub(super) any_case: bool,
    /// The reading of a server, if the pattern has one.
    pub(super) paths: Option<SitePaths>,
    /// True if an earlier row of its table takes all links of the rule.
    pub(super) is_hidden: bool,
}

/// FROM and TO as given.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.unwraps {
            f.write_str(&self.from)
        } else {
            write!(f, "{} {}", self.from, self.to)
        }
    }
}

impl Rule {
    pub(super) fn new(from: &str, to: &str) -> Self {
        Rule {
            from: from.to_owned(),
            to: to.to_owned(),
            line: None,
            whole: false,
            unwraps: false,
            domain: None,
            any_case: false,
            paths: None,
            is_hidden: false,
        }
    }

    /// True if both halves begin with a host, without a scheme: a moved link keeps its scheme, or stays without one.
    fn is_of_hosts(&self) -> bool {
        begins_with_host(&self.from) && begins_with_host(&self.to)
    }
}

/// The references that rules see.
///
/// ```
/// use linkglot::rewrite::{Reach, Rules};
///
/// let mut rules = Rules::default();
/// rules.add("http://old.example/ http://new.example/")?;
/// let moved = |reach| rules.apply_at("HTTP://old.example:80/", None, reach).is_some();
/// assert!(!moved(Reach::AsWritten) && moved(Reach::AnySpelling) && moved(Reach::Resolved));
/// # Ok::<(), linkglot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reach {
    /// References as written.
    AsWritten,
    /// References with a scheme in any equivalent spelling: rules and references are also compared in their normal
    /// forms (RFC 3986 6.2.2 and 6.2.3: `HTTP://old.example:80/%7Ex` for `http://old.example/~x`).
    #[default]
    AnySpelling,
    /// Relative references, too, by their targets if the base is known (as browsers read them: URL Standard 4.4). A
    /// matching reference becomes absolute. (Otherwise relative references are left alone: when a context moves as a
    /// whole, they move with it.)
    Resolved,
}

/// The ruling on a reference, with the rule that gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub ruling: Ruling,
    /// The number of the rule that names the reference. The rule may leave the reference unchanged.
    pub rule: Option<usize>,
    /// The number of the rule for the link behind, if `rule` is a service that wraps the reference.
    pub rule_behind: Option<usize>,
}

/// The ruling on a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    /// No rule names the reference.
    Silent,
    /// The new reference.
    Becomes(String),
    /// A rule names the reference, but the result cannot be written.
    Stuck,
    /// A service wraps the reference, and the link behind cannot be read.
    Wrapped,
}

impl Ruling {
    /// The verdict with the rule that gives it.
    pub fn by(self, rule: usize) -> Verdict {
        Verdict {
            ruling: self,
            rule: Some(rule),
            rule_behind: None,
        }
    }
}

impl Match {
    /// The verdict of the rule on the reference.
    fn verdict(self) -> Verdict {
        let ruling = if self.leads_elsewhere {
            Ruling::Stuck
        } else {
            Ruling::Becomes(self.new)
        };
        ruling.by(self.rule)
    }
}

impl Verdict {
    pub const NONE: Verdict = Verdict {
        ruling: Ruling::Silent,
        rule: None,
        rule_behind: None,
    };
}

impl Rules {
    /// Adds a rule: `FROM TO`, or `re:PATTERN TO` where `$1` or `${name}` stand for groups.
    ///
    /// # Errors
    ///
    /// Errors if a half is missing, if there are more than two, if the pattern is invalid, if `TO` names a group that
    /// the pattern lacks, or if another rule gives the same prefix another `TO`. A comment is an error: see
    /// [`add_line`](Self::add_line).
    ///
    /// ```
    /// use linkglot::rewrite::Rules;
    ///
    /// let mut rules = Rules::default();
    /// rules.add("/old/ /new/")?;
    /// assert!(rules.add("/old/").is_err());
    /// assert!(rules.add("# moved").is_err());
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn add(&mut self, rule: &str) -> Result<(), Error> {
        if rule.split_whitespace().next() == Some("#") {
            return Err(invalid("expected `FROM TO`, but found a comment".into()));
        }
        let (from, to) = halves(rule)?;
        self.add_rule(Rule::new(from, to), None)
    }

    /// Adds a rule by its halves, as they are: a `#` begins no comment.
    ///
    /// # Errors
    ///
    /// Errors if a half is empty or has white space; otherwise as [`add`](Self::add).
    ///
    /// ```
    /// use linkglot::rewrite::Rules;
    ///
    /// let mut rules = Rules::default();
    /// rules.add_pair("#old", "#new")?;
    /// assert_eq!(rules.apply("#old").as_deref(), Some("#new"));
    /// assert!(rules.add_pair("/old/", "").is_err());
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn add_pair(&mut self, from: &str, to: &str) -> Result<(), Error> {
        for (name, half) in [("FROM", from), ("TO", to)] {
            let quoted = |half| shortened(half, QUOTED);
            if half.is_empty() {
                let (from, to) = (quoted(from), quoted(to));
                return Err(invalid(format!(
                    "expected FROM and TO, but found an empty {name} in the rule from `{from}` to `{to}`"
                )));
            }
            if half.contains(char::is_whitespace) {
                let half = quoted(half);
                return Err(invalid(format!(
                    "expected a {name} without white space, but found `{half}`"
                )));
            }
        }
        self.add_rule(Rule::new(from, to), None)
    }

    /// Adds the rule of a line of a file. A blank line or a comment adds none: see [`add_file`](Self::add_file).
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    ///
    /// ```
    /// use linkglot::rewrite::Rules;
    ///
    /// let mut rules = Rules::default();
    /// for line in ["# of 2020", "/old/ /new/ # moved", ""] {
    ///     rules.add_line(line)?;
    /// }
    /// assert_eq!(rules.given().len(), 1);
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn add_line(&mut self, line: &str) -> Result<(), Error> {
        match rule_of_line(line)? {
            Some(rule) => self.add_rule(rule, None),
            None => Ok(()),
        }
    }

    /// Adds a rule; `origin` is the origin of paths alone.
    pub(super) fn add_rule(&mut self, rule: Rule, origin: Option<&str>) -> Result<(), Error> {
        self.origins = OnceLock::new();
        self.moved_hosts = OnceLock::new();
        self.named_hosts = OnceLock::new();
        self.host_filter = OnceLock::new();
        self.with_mail = OnceLock::new();
        match rule.from.strip_prefix("re:") {
            Some(pattern) => {
                let number = self.given.len();
                let pattern = Pattern::new(pattern, &rule.to, number).map_err(invalid)?;
                let pattern = match &rule.paths {
                    Some(paths) => pattern.of_paths(paths, origin),
                    None => pattern,
                };
                self.patterns.push(pattern).map_err(invalid)?;
            }
            None if rule.is_hidden => {}
            None => self.add_prefix(&rule, origin)?,
        }
        if let Some(reach) = rule.domain {
            let number = self.given.len();
            self.domains.add(&rule.from, &rule.to, (reach, number));
        }
        self.given.push(rule);
        Ok(())
    }

    /// The rules in the order in which they were added. Their numbers are indices of this slice.
    ///
    /// ```
    /// use linkglot::rewrite::Rules;
    ///
    /// let mut rules = Rules::default();
    /// rules.add("/old/ /new/")?;
    /// assert_eq!(rules.given()[0].from, "/old/");
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn given(&self) -> &[Rule] {
        &self.given
    }

    /// True if the rules write nothing but hosts and folders in plain ASCII, which say nothing of a charset.
    pub(super) fn write_plain_sites(&self) -> bool {
        let is_plain =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'/');
        self.given.iter().all(|rule| {
            let to = rule
                .to
                .strip_prefix("http://")
                .or(rule.to.strip_prefix("https://"));
            let to = to.unwrap_or(&rule.to);
            let is_prefix = !rule.unwraps && !rule.from.starts_with("re:") && rule.paths.is_none();
            let is_folder = !to.contains('/') || to.ends_with('/');
            is_prefix && is_folder && !to.is_empty() && to.bytes().all(is_plain)
        })
    }

    /// Adds the rules of a file, one in each line. Skips blank lines and comments: lines that begin with `#`, and the
    /// rest of a line from a `#` behind white space on.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add), with the number of the line.
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
        self.add_lines(text, None)
    }

    /// Adds rules line by line; `origin` is the origin of paths alone.
    pub(super) fn add_lines(&mut self, text: &str, origin: Option<&str>) -> Result<(), Error> {
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let added = rule_of_line(line).and_then(|rule| match rule {
                Some(rule) => self.add_rule(rule.at(number), origin),
                None => Ok(()),
            });
            added.map_err(|error| invalid(format!("line {number}: {error}")))?;
        }
        Ok(())
    }

    /// Adds a rule for each service that wraps links for protection or to count clicks (Safe Links, URL Defense,
    /// redirects of Google and others), with the name `unwrap:SERVICE`. A link of a service becomes the link behind the
    /// service, or behind up to eight nested services, before the other rules see it. If the link behind cannot be read
    /// with certainty, the link stays. Nothing is fetched. Linear in the length of a reference.
    ///
    /// ```
    /// use linkglot::rewrite::Rules;
    ///
    /// let mut rules = Rules::default();
    /// rules.unwrap_links();
    /// let new = rules.apply("https://www.google.com/url?q=https%3A%2F%2Fexample.org%2Fa%3Fb&sa=D");
    /// assert_eq!(new.as_deref(), Some("https://example.org/a?b"));
    /// assert!(rules.given().iter().any(|rule| rule.from == "unwrap:google"));
    /// ```
    pub fn unwrap_links(&mut self) {
        if self.services.is_some() {
            return;
        }
        self.services = Some(self.given.len());
        self.host_filter = OnceLock::new();
        self.given.extend(unwrap::names().iter().map(|name| Rule {
            unwraps: true,
            ..Rule::new(&format!("unwrap:{name}"), "")
        }));
    }

    /// Lets rules whose FROM has a query match links with the same parameters in another order. Values of parameters
    /// with the same name must have the same order, and no parameter may be missing or added.
    ///
    /// ```
    /// use linkglot::rewrite::Rules;
    ///
    /// let mut rules = Rules::default();
    /// rules.add("/?lang=en&id=7 /en/seven")?;
    /// assert_eq!(rules.apply("/?id=7&lang=en"), None);
    /// rules.any_query_order();
    /// assert_eq!(rules.apply("/?id=7&lang=en#top").as_deref(), Some("/en/seven#top"));
    /// assert_eq!(rules.apply("/?id=7&lang=en&x=1"), None);
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn any_query_order(&mut self) {
        self.any_query_order = true;
    }

    /// True if there are no rules.
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
        self.prefixes.is_empty() && self.patterns.is_empty() && self.services.is_none()
    }

    /// The rules that move a whole origin, so that all relative links move along with their base. O(rules) the first
    /// time.
    ///
    /// Patterns take no references that a prefix names.
    pub(super) fn of_origins(&self) -> &Rules {
        self.origins.get_or_init(|| {
            let whole = |rules: &Prefixes| rules.only(|rule| moves_origin(rules, rule));
            Box::new(Rules {
                prefixes: whole(&self.prefixes),
                normal: whole(&self.normal),
                schemes: self.schemes.clone(),
                domains: self.domains.clone(),
                has_odd: self.has_odd,
                ..Rules::default()
            })
        })
    }

    /// The hosts that the rules move. O(length of the rules) the first time.
    pub(super) fn moved_hosts(&self) -> &MovedHosts {
        self.moved_hosts.get_or_init(|| MovedHosts::new(self))
    }

    /// The rules with the addresses of all domains that move; `None` if these are the same rules. O(length of the
    /// rules) the first time.
    pub(super) fn with_mail(&self) -> Option<Arc<Rules>> {
        let with_mail = || {
            let mut domains = self.domains.clone();
            let mut has_more = false;
            for (number, rule) in self.given.iter().enumerate() {
                let is_whole = !rule.from.contains(['/', '?', '#', ':']);
                if let Some(reach) = rule.domain.filter(|reach| !reach.mail && is_whole) {
                    let reach = DomainMove {
                        mail: true,
                        ..reach
                    };
                    domains.add(&rule.from, &rule.to, (reach, number));
                    has_more = true;
                }
            }
            has_more.then(|| {
                Arc::new(Rules {
                    domains,
                    origins: OnceLock::new(),
                    moved_hosts: OnceLock::new(),
                    named_hosts: OnceLock::new(),
                    known_hosts: OnceLock::new(),
                    host_filter: OnceLock::new(),
                    ..self.clone()
                })
            })
        };
        self.with_mail.get_or_init(with_mail).clone()
    }

    /// True if a rule names the host of a link of running text that has no scheme; `implied` is its implied scheme.
    /// O(length of the rules) the first time.
    pub(super) fn name_host(&self, link: &str, implied: &'static str) -> bool {
        let hosts = || NamedHosts::new(self);
        !self.is_empty() && self.named_hosts.get_or_init(hosts).have(link, implied)
    }

    /// The hosts of FROM and TO in rules without a pattern: running text that names them has links, before the rewrite
    /// and after it. O(length of the rules) the first time.
    pub(super) fn known_hosts(&self) -> &Hosts {
        let both = |prefix: &Prefix| [Arc::clone(&prefix.from), Arc::clone(&prefix.to)];
        let hosts = || {
            let references: Vec<Arc<str>> = self.normal.iter().flat_map(both).collect();
            references.iter().filter_map(|of| host_of(of)).collect()
        };
        self.known_hosts.get_or_init(hosts)
    }

    /// A quick test that no rule names a link by its own text, unresolved; see [`HostFilter::passes`]. O(length of the
    /// rules) the first time.
    pub(super) fn surely_name_none(&self, link: &str, is_implied: bool) -> bool {
        let are_prefixes =
            self.patterns.is_empty() && self.services.is_none() && self.domains.is_empty();
        let filter = || {
            if are_prefixes {
                HostFilter::new(self.prefixes.iter().chain(self.normal.iter()))
            } else {
                HostFilter::NONE
            }
        };
        self.host_filter
            .get_or_init(filter)
            .passes(link, is_implied)
    }

    /// The new reference, if a rule matches. Linear in its length for each candidate `re:` rule: one whose text is in
    /// the reference, or one without such a text. The number of other rules hardly matters.
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
        self.apply_at(reference, None, Reach::default())
    }

    /// As [`apply`](Self::apply), with a base for references.
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
        match self
            .ruling(reference, Reading { base, query }, reach)
            .ruling
        {
            Ruling::Becomes(new) => Some(new),
            Ruling::Silent | Ruling::Stuck | Ruling::Wrapped => None,
        }
    }

    /// The verdict of the rules on a reference with this reading, or on the link behind the reference, if a service
    /// wraps that.
    pub(super) fn ruling(&self, reference: &str, reading: Reading<'_>, reach: Reach) -> Verdict {
        let wrapped = self
            .services
            .and_then(|first| Some((first, unwrap::wrapped(reference)?)));
        let Some((first, Wrapped { service, target })) = wrapped else {
            return self.moved(reference, reading, reach);
        };
        let Some(target) = target else {
            return Ruling::Wrapped.by(first + service);
        };
        let moved = self.moved(&target, reading, reach);
        let ruling = match moved.ruling {
            Ruling::Silent => Ruling::Becomes(target),
            ruling => ruling,
        };
        Verdict {
            rule_behind: moved.rule,
            ..ruling.by(first + service)
        }
    }

    /// The verdict of the rules for moving a site on a reference.
    fn moved(&self, reference: &str, reading: Reading<'_>, reach: Reach) -> Verdict {
        let (front, code) = match code_in(reference) {
            Some(at) => (&reference[..at], Some(&reference[at..])),
            None => (reference, None),
        };
        // The target of a reference with code is unknown until the code is filled in.
        let reach = code.map_or(reach, |_| Reach::AsWritten);
        // No prefix names a reference whose dot segments lead out of the prefix.
        let leads_out = (code.is_some() || reach != Reach::AsWritten) && leads_out(reference);
        let prefixed = self.prefixed(reference).or_else(|| match reference {
            _ if reference.starts_with("//") => self.of_network_path(reference, reading.base),
            _ => None,
        });
        let stays_within = |found: &Match| !leads_out || self.leads_on(found, reference);
        let prefixed = prefixed
            .or_else(|| self.domains.moved(reference))
            .filter(stays_within);
        let patterned = match prefixed {
            Some(_) => None,
            // A server sees the path without its dot segments.
            None => self
                .patterns
                .apply(reference)
                .filter(|found| !leads_out || self.given[found.rule].paths.is_none()),
        };
        // A prefix ends in front of code or names that code; a pattern may match anything.
        if let Some((found, code)) = patterned.as_ref().zip(code)
            && !found.new.ends_with(code)
        {
            return Ruling::Stuck.by(found.rule);
        }
        let written = prefixed.or(patterned);
        // The longest prefix goes first in any spelling.
        let rank = written.as_ref().map_or(0, |written| written.rank);
        let (normal, rank) = match reach {
            Reach::AsWritten => (None, rank),
            Reach::AnySpelling => (self.spelled_otherwise(reference, reading), rank),
            Reach::Resolved => {
                let normal = self.normalized(reference, reading);
                (normal, self.rank(reference, reading))
            }
        };
        let longer = normal.filter(|(longer, _)| *longer > rank);
        let verdict = match (longer, written, reach) {
            (Some((_, verdict)), ..) => verdict,
            (None, Some(found), _) => found.verdict(),
            (None, None, Reach::Resolved) => self.resolved(reference, reading),
            (None, None, _) => match code.and_then(|_| self.prefixed(front)) {
                // The code may end the component that the prefix names, or give more of it.
                Some(found) => Ruling::Stuck.by(found.rule),
                None => Verdict::NONE,
            },
        };
        match &verdict.ruling {
            Ruling::Becomes(new) if new == reference => Verdict {
                ruling: Ruling::Silent,
                ..verdict
            },
            _ => verdict,
        }
    }

    /// True if a rule for a reference with dot segments leads to the right place: it keeps the path, and also names
    /// the reference without these segments.
    fn leads_on(&self, found: &Match, reference: &str) -> bool {
        let names = |reference: &str| {
            let normal = normal_form(reference);
            let rule = self.normal.naming(&normal).map(|prefix| prefix.rule);
            let of_domain = || self.domains.moved(&normal).map(|found| found.rule);
            rule.or_else(of_domain) == Some(found.rule)
        };
        let is_named = if reference.starts_with("//") {
            let mut schemes = HTTP_SCHEMES.iter();
            schemes.any(|scheme| names(&format!("{scheme}:{reference}")))
        } else {
            names(reference)
        };
        is_named && path_of(&found.new) == path_of(reference)
    }

    pub(super) fn prefixed(&self, reference: &str) -> Option<Match> {
        let own = self.prefixes.naming(reference);
        let own = own.and_then(|rule| rule.matched(reference));
        let rooted = with_root(reference).and_then(|rooted| {
            let mut found = self.prefixes.naming(&rooted)?.matched(&rooted)?;
            // A reference that stays keeps its spelling.
            if found.new == rooted {
                found.new = reference.to_owned();
            }
            Some(found)
        });
        let written = match (own, rooted) {
            (Some(own), Some(rooted)) if rooted.rank > own.rank => Some(rooted),
            (own, rooted) => own.or(rooted),
        };
        match (written, self.in_any_order(reference)) {
            (Some(written), Some(ordered)) if ordered.rank > written.rank => Some(ordered),
            (written, ordered) => written.or(ordered),
        }
    }

    /// The match for a reference whose parameters stand in any order.
    fn in_any_order(&self, reference: &str) -> Option<Match> {
        if !self.any_query_order || self.ordered.is_empty() {
            return None;
        }
        let ordered = with_ordered_query(reference)?;
        self.ordered.naming(&ordered)?.matched(&ordered)
    }

    /// The match for a reference with an authority but without a scheme: it has the base's scheme or, if that is
    /// unknown, both schemes of the Web. The new reference has no scheme either, if that is equivalent.
    fn of_network_path(&self, reference: &str, base: Option<&str>) -> Option<Match> {
        let own = base.and_then(scheme_of).map(str::to_ascii_lowercase);
        let with = |scheme: &str| self.prefixed(&format!("{scheme}:{reference}"));
        let bare = |mut found: Match, scheme: &str| {
            if let Some(bare) = without_scheme(&found.new, scheme) {
                found.new = bare.to_owned();
            }
            found
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
                // A common result for both, or none.
                [(plain, secure), bares]
                    .into_iter()
                    .find_map(|(a, b)| (a.new == b.new).then_some(a))
            }
            [one, other] => one.or(other).map(|(new, scheme)| bare(new, scheme)),
        }
    }

    /// The verdict of the rules on a link without a scheme: on the text as written or, if no rule names the text, on
    /// the URI that it stands for. An address stays without a scheme; so does a host in another spelling, if the rule
    /// has no scheme. No port is the default one: `a.example:443` may be a link of any scheme.
    pub(super) fn of_implied(
        &self,
        (text, scheme): (&str, &'static str),
        reading: Reading<'_>,
        reach: Reach,
    ) -> Verdict {
        if let Some(found) = self.written_in_text(text) {
            return found;
        }
        let written = self.ruling(text, reading, Reach::AsWritten);
        if written.rule.is_some() {
            return written;
        }
        let whole = with_implied(text, Some(scheme));
        if Parts::split(&whole).port().is_some() {
            return Verdict::NONE;
        }
        let mut verdict = self.ruling(&whole, reading, reach);
        let rule = verdict.rule.and_then(|rule| self.given.get(rule));
        let is_of_hosts = rule.is_some_and(Rule::is_of_hosts);
        let bare = |new: &str| match rule.and_then(|rule| rule.domain) {
            _ if scheme == "mailto" || is_of_hosts => {
                without_implied(new, Some(scheme)).map(Cow::into_owned)
            }
            // The scheme of NEW is for links that have one.
            Some(_) => Some(domains::without_scheme(new).to_owned()),
            None => None,
        };
        if let Ruling::Becomes(new) = &mut verdict.ruling
            && let Some(bare) = bare(new)
        {
            verdict.ruling = if bare == text {
                Ruling::Silent
            } else {
                Ruling::Becomes(bare)
            };
        }
        verdict
    }

    /// The verdict of a prefix without a scheme on a link without one.
    fn written_in_text(&self, text: &str) -> Option<Verdict> {
        if leads_out(text) {
            return None;
        }
        let found = self.prefixes.naming_in_text(text)?.matched(text)?;
        Some(if found.new == text {
            Ruling::Silent.by(found.rule)
        } else {
            found.verdict()
        })
    }

    pub(super) fn prefixed_or_patterned(&self, reference: &str) -> Option<Match> {
        self.prefixed(reference)
            .or_else(|| self.patterns.apply(reference))
    }

    /// True if some prefix has this scheme.
    pub(super) fn has_scheme(&self, scheme: &str) -> bool {
        let mut schemes = self.schemes.iter();
        schemes.any(|known| known.eq_ignore_ascii_case(scheme))
    }

    /// Adds a prefix as given, and in its other spellings.
    fn add_prefix(&mut self, rule: &Rule, origin: Option<&str>) -> Result<(), Error> {
        let (from, to) = (&rule.from, &rule.to);
        let known = self.prefixes.with(from).filter(|known| !known.implied);
        let known = known.map(|known| &self.given[known.rule]);
        if let Some(other) = known.filter(|known| is_same_prefix(&known.from, from))
            && other.to != *to
        {
            let other = &other.to;
            let [from, other, to] = [from, other, to].map(|text| shortened(text, QUOTED));
            return Err(invalid(format!(
                "expected one rule for `{from}`, but found two, to `{other}` and to `{to}`"
            )));
        }
        let spellings = match rule.domain {
            Some(_) => domains::spellings(from, to),
            None => spellings(from, to, origin),
        };
        for spelling in spellings {
            self.add_spelling(&spelling, rule);
        }
        Ok(())
    }

    fn add_spelling(&mut self, spelling: &Spelling<'_>, rule: &Rule) {
        let Spelling {
            from,
            to,
            implied,
            in_text,
            added,
        } = spelling;
        let to: &str = to;
        let new = Arc::from(to);
        let prefix = |text: &str, seen: &[Cow<'_, str>]| {
            let mut prefix = Prefix::new(text, &new, seen);
            prefix.rank = normal_prefix(from).len() - added;
            prefix.rule = self.given.len();
            prefix.implied = *implied;
            prefix.in_text = *in_text;
            prefix.whole = rule.whole;
            prefix.any_case = rule.any_case;
            prefix
        };
        let ordered = forms(from)
            .into_iter()
            .filter_map(|from| with_ordered_query(&from));
        for from in ordered {
            let mut ordered = prefix(&from, &forms(to));
            ordered.whole = true;
            self.ordered.add(Arc::new(ordered));
        }
        let prefix = |text: &str, seen: &[Cow<'_, str>]| Arc::new(prefix(text, seen));
        let (written, normal) = if is_normal(from) && is_normal(to) {
            let only = prefix(from, &[Cow::Borrowed(to)]);
            (vec![Arc::clone(&only)], only)
        } else {
            let seen = forms(to);
            let written = forms(from).iter().map(|from| prefix(from, &seen)).collect();
            (written, prefix(&normal_prefix(from), &[normal_form(to)]))
        };
        self.has_odd |= written.iter().all(|rule| rule.from != normal.from);
        if let Some(scheme) = scheme_of(&normal.from).filter(|scheme| !self.has_scheme(scheme)) {
            self.schemes.push(scheme.to_owned());
        }
        written.into_iter().for_each(|rule| self.prefixes.add(rule));
        self.normal.add(normal);
    }
}

/// A reference with a scheme and an authority, without this scheme.
pub(super) fn without_scheme<'r>(reference: &'r str, scheme: &str) -> Option<&'r str> {
    let own = scheme_of(reference).filter(|own| own.eq_ignore_ascii_case(scheme))?;
    let bare = &reference[own.len() + 1..];
    bare.starts_with("//").then_some(bare)
}

/// The normal form of a prefix, without a final slash that the prefix lacks.
fn normal_prefix(from: &str) -> Cow<'_, str> {
    match normal_form(from) {
        Cow::Owned(mut normal) if !from.ends_with('/') && normal.ends_with('/') => {
            normal.pop();
            Cow::Owned(normal)
        }
        normal => normal,
    }
}

/// A reference whose query has its parameters in the order of their names; `None` if it has no two parameters.
fn with_ordered_query(reference: &str) -> Option<String> {
    let parts = Parts::split(reference);
    let query = parts.query().filter(|query| query.contains('&'))?;
    let begin = parts.query_range()?.start;
    let mut parameters: Vec<&str> = query.split('&').collect();
    parameters.sort_by_key(|parameter| parameter.split('=').next());
    let behind = &reference[begin + query.len()..];
    Some(format!(
        "{}{}{behind}",
        &reference[..begin],
        parameters.join("&")
    ))
}

/// The rule of a line of a file; `None` for a blank line or a comment.
fn rule_of_line(line: &str) -> Result<Option<Rule>, Error> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let (from, to) = halves(without_comment(line))?;
    Ok(Some(Rule::new(from, to)))
}

/// The two halves of a rule.
fn halves(rule: &str) -> Result<(&str, &str), Error> {
    let mut halves = rule.split_whitespace();
    match (halves.next(), halves.next(), halves.next()) {
        (Some(from), Some(to), None) => Ok((from, to)),
        (None, ..) => Err(invalid("expected `FROM TO`, but found nothing".into())),
        (Some(half), None, _) => Err(invalid(format!(
            "expected `FROM TO`, but found only `{}`: the second half is missing",
            shortened(half, QUOTED)
        ))),
        (_, _, Some(third)) => Err(invalid(format!(
            "expected `FROM TO`, but found a third part, `{}`, in `{}`",
            shortened(third, QUOTED),
            shortened(rule.trim(), QUOTED)
        ))),
    }
}

/// The line of a rule without its comment, which begins a third word.
fn without_comment(line: &str) -> &str {
    if !line.contains('#') {
        return line;
    }
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

fn path_of(reference: &str) -> &str {
    Parts::split(reference).path()
}

/// True if the path of a reference has a dot segment behind others (RFC 3986 5.2.4), as browsers read it: without tabs
/// and line ends, a backslash is a slash (URL Standard 4.4).
fn leads_out(reference: &str) -> bool {
    let path = path_of(reference);
    let is_read_otherwise = |byte: u8| matches!(byte, b'\\' | b'\t' | b'\n' | b'\r');
    let plain = path.bytes().any(is_read_otherwise).then(|| {
        let path = path.replace(['\t', '\n', '\r'], "");
        path.replace('\\', "/")
    });
    let path = plain.as_deref().unwrap_or(path);
    let is_dot = |segment: &str| {
        let plain = segment.replace("%2e", ".").replace("%2E", ".");
        matches!(plain.as_str(), "." | "..")
    };
    let bytes = path.as_bytes();
    let mut slashes = memchr::memchr_iter(b'/', bytes);
    let may_have = slashes.any(|at| matches!(bytes.get(at + 1), Some(b'.' | b'%')));
    may_have
        && path
            .split('/')
            .skip_while(|segment| is_dot(segment))
            .any(is_dot)
}

/// True if a rule moves a whole origin: paths stay, and no longer rule gives a part another place.
fn moves_origin(rules: &Prefixes, rule: &Prefix) -> bool {
    let halves = (origin_of(&rule.from), origin_of(&rule.to));
    // A slash more or less would change each path, but not the paths of relative links.
    let is_whole = matches!(halves, (Some(from), Some(to)) if from == to);
    is_whole
        && !rule.whole
        && rules.below(rule).all(|part| {
            let moved = rule.apply(&part.from);
            moved.is_some_and(|moved| *moved == *part.to || is_same_uri(&moved, &part.to))
        })
}

fn is_same_uri(one: &str, other: &str) -> bool {
    let uri = |text: &str| Some(ToUri::default().map(text).ok()?.text.into_owned());
    uri(one).is_some_and(|one| Some(one) == uri(other))
}

/// If a reference is an origin (RFC 6454): whether it has a scheme, and whether it ends with a slash.
fn origin_of(reference: &str) -> Option<(bool, bool)> {
    let scheme = scheme_of(reference);
    let authority = reference[scheme.map_or(0, |scheme| scheme.len() + 1)..].strip_prefix("//")?;
    let host = authority.strip_suffix('/').unwrap_or(authority);
    let is_origin = !host.is_empty() && !host.contains(['/', '\\', '?', '#']);
    is_origin.then_some((scheme.is_some(), host != authority))
}

#[cfg(test)]
mod tests;
