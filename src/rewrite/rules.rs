//! Rules for moving a site: they name links and their replacements.

mod moved_hosts;
mod named_hosts;
mod verdict;

use super::domains::{self, DomainMove, Domains};
use super::halves::{
    Spelling, begins_with_host, forms, invalid, is_normal, normal_form, spellings,
};
use super::host_filter::HostFilter;
use super::pattern::{Pattern, SitePaths};
use super::patterns::Patterns;
use super::prefixes::{Prefix, Prefixes, is_same_prefix};
use crate::charset::Charset;
use crate::error::{Error, QUOTED, shortened};
use crate::iri::ToUri;
use crate::iri::target::Reading;
use crate::link::scheme_of;
use crate::link::unwrap;
use crate::scan::Hosts;
pub(super) use moved_hosts::{Moved, MovedHosts, is_kept, named};
use named_hosts::{NamedHosts, host_of};
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};
use verdict::with_ordered_query;
pub(super) use verdict::{Ruling, Verdict};

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
