//! Domains that move as a whole ([`Rules::move_domain`]): their subdomains and mail addresses. Links to the domain
//! itself are named by prefixes.

use super::halves::{Spelling, begins_with_host, normal_form};
use super::left_behind::normal_host;
use super::prefixes::Match;
use super::rules::{Rule, Rules, invalid};
use crate::error::{Error, QUOTED, shortened};
use crate::iri::Parts;
use crate::iri::scheme::is_http;
use crate::link::scheme_of;
use std::borrow::Cow;
use std::collections::HashMap;

/// The schemes of the Web, each with the scheme of a link that moves to http, to https, and to a host without a scheme.
const SCHEMES: [(&str, [&str; 3]); 4] = [
    ("http", ["http", "https", "http"]),
    ("https", ["http", "https", "https"]),
    ("ws", ["ws", "wss", "ws"]),
    ("wss", ["ws", "wss", "wss"]),
];

/// The fields of a `mailto:` with addresses.
const RECIPIENTS: [&str; 3] = ["to", "cc", "bcc"];

/// The links that move with a domain, besides those to the domain itself and to its `www.`.
///
/// ```
/// use linkglot::rewrite::{DomainMove, Rules};
///
/// let mut rules = Rules::default();
/// let mut reach = DomainMove::default();
/// (reach.mail, reach.subdomains) = (true, true);
/// rules.move_domain("old.example", "https://new.example", reach)?;
/// let moved = |link| rules.apply(link).unwrap();
/// assert_eq!(moved("http://www.old.example/a"), "https://new.example/a");
/// assert_eq!(moved("http://blog.old.example/a"), "https://blog.new.example/a");
/// assert_eq!(moved("mailto:ann@old.example"), "mailto:ann@new.example");
/// # Ok::<(), linkglot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DomainMove {
    /// True if mail addresses at the domain move, too.
    pub mail: bool,
    /// True if subdomains keep their labels below the new domain. Other subdomains than `www` stay otherwise.
    pub subdomains: bool,
}

/// The moved domains whose subdomains or addresses move, in punycode and lower case.
#[derive(Clone, Debug, Default)]
pub(super) struct Domains(HashMap<Box<str>, Domain>);

#[derive(Clone, Debug)]
struct Domain {
    /// The new scheme, if the rule names one.
    scheme: Option<Box<str>>,
    host: Box<str>,
    /// The new port with its colon; empty if there is none.
    port: Box<str>,
    reach: DomainMove,
    /// The number of the rule.
    rule: usize,
}

impl Rules {
    /// Adds a rule for a domain, or for a part of it: links of http, https, ws and wss to `old`, at default ports and in
    /// any form of the host, and to `www.` in front of it, lead to `new`. `old` is a host with or without a path; its
    /// scheme, if any, does not count. `new` may have a scheme; links keep their schemes otherwise. Relative links stay.
    ///
    /// # Errors
    ///
    /// Errors if a half does not begin with a host of two labels or more, if subdomains or addresses shall move with a
    /// part of a domain, if subdomains would move again with each run, or if another rule moves `old` elsewhere.
    ///
    /// ```
    /// use linkglot::rewrite::{DomainMove, Rules};
    ///
    /// let mut rules = Rules::default();
    /// rules.move_domain("old.example", "new.example/archive", DomainMove::default())?;
    /// assert_eq!(rules.apply("wss://old.example/a").as_deref(), Some("wss://new.example/archive/a"));
    /// assert_eq!(rules.apply("https://blog.old.example/"), None);
    /// assert!(rules.move_domain("old", "new.example", DomainMove::default()).is_err());
    /// # Ok::<(), linkglot::Error>(())
    /// ```
    pub fn move_domain(&mut self, old: &str, new: &str, reach: DomainMove) -> Result<(), Error> {
        let from = without_slash(without_scheme(old));
        let to = without_slash(new);
        for (half, given) in [(from, old), (without_scheme(to), new)] {
            if !begins_with_host(half) {
                let given = shortened(given, QUOTED);
                return Err(invalid(format!("expected a domain, but found `{given}`")));
            }
        }
        let rule = Rule {
            domain: Some(reach),
            ..Rule::new(from, to)
        };
        check_alone(&rule)?;
        let others = self.given.iter().filter(|other| other.domain.is_some());
        others
            .clone()
            .try_for_each(|other| check_pair(&rule, other))?;
        self.add_rule(rule, None)
    }
}

/// Checks that a rule moves a domain, and moves it once.
fn check_alone(rule: &Rule) -> Result<(), Error> {
    let reach = rule.domain.unwrap_or_default();
    if reach != DomainMove::default() && rule.from.contains(['/', '?', '#', ':']) {
        let message = "subdomains and addresses move with a whole domain, not with";
        return Err(invalid(format!(
            "{message} `{}`",
            shortened(&rule.from, QUOTED)
        )));
    }
    let (from, to) = (
        normal_host(host_of(&rule.from)),
        normal_host(host_of(&rule.to)),
    );
    if reach.subdomains && from != to && is_related(&from, &to) {
        return Err(moves_again(&from, &to));
    }
    Ok(())
}

/// Checks that what one rule for a domain moves, another does not move elsewhere, or again.
fn check_pair(one: &Rule, other: &Rule) -> Result<(), Error> {
    let normal = |half: &str| normal_form(&format!("http://{half}")).into_owned();
    if normal(&one.from) == normal(&other.from) && one.to != other.to {
        let [from, to, again] = [&one.from, &other.to, &one.to].map(|text| shortened(text, QUOTED));
        return Err(invalid(format!(
            "expected one rule for `{from}`, but found two, to `{to}` and to `{again}`"
        )));
    }
    let moves_subdomains = |rule: &Rule| rule.domain.is_some_and(|reach| reach.subdomains);
    if !moves_subdomains(one) && !moves_subdomains(other) {
        return Ok(());
    }
    for (first, second) in [(one, other), (other, one)] {
        let (to, from) = (
            normal_host(host_of(&first.to)),
            normal_host(host_of(&second.from)),
        );
        if is_related(&to, &from) {
            return Err(moves_again(&from, &to));
        }
    }
    Ok(())
}

/// True if hosts are the same, or one is a subdomain of the other.
fn is_related(one: &str, other: &str) -> bool {
    let is_below = |host: &str, domain: &str| {
        let below = host.strip_suffix(domain);
        below.is_some_and(|below| below.is_empty() || below.ends_with('.'))
    };
    is_below(one, other) || is_below(other, one)
}

fn moves_again(from: &str, to: &str) -> Error {
    let [from, to] = [from, to].map(|host| shortened(host, QUOTED));
    invalid(format!(
        "subdomains that lead to `{to}` would move again, from `{from}`"
    ))
}

/// The prefixes that a rule for a domain names, besides its own.
pub(super) fn spellings<'r>(from: &'r str, to: &'r str) -> Vec<Spelling<'r>> {
    let www = format!("www.{from}");
    let has_www = from.starts_with("www.") || without_scheme(to).starts_with(&www);
    let hosts = [
        Some(Cow::Borrowed(from)),
        (!has_www).then_some(Cow::Owned(www)),
    ];
    let added = |host: &str| host.len() - from.len();
    let mut all = Vec::new();
    for host in hosts.into_iter().flatten() {
        for (scheme, new) in SCHEMES {
            all.push(Spelling {
                from: format!("{scheme}://{host}").into(),
                to: format!("{}://{}", new_scheme(new, to), without_scheme(to)).into(),
                implied: true,
                in_text: false,
                added: added(&host),
            });
        }
        // A name in text stays a name: it may stand behind `//`, or where no link is expected.
        all.push(Spelling {
            implied: added(&host) > 0,
            added: added(&host),
            from: host,
            to: without_scheme(to).into(),
            in_text: true,
        });
    }
    all
}

/// The scheme of a link that moves to `to`.
fn new_scheme(new: [&'static str; 3], to: &str) -> &'static str {
    let [plain, secure, kept] = new;
    match web_scheme(to) {
        Some(scheme) if scheme.eq_ignore_ascii_case("https") => secure,
        Some(_) => plain,
        None => kept,
    }
}

impl Domains {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the domain of a rule, if its subdomains or addresses move.
    pub fn add(&mut self, rule: &Rule, number: usize) {
        let Some(reach) = rule.domain.filter(|reach| *reach != DomainMove::default()) else {
            return;
        };
        let domain = Domain {
            scheme: web_scheme(&rule.to).map(Box::from),
            host: host_of(&rule.to).into(),
            port: port_of(&rule.to).into(),
            reach,
            rule: number,
        };
        self.0.insert(normal_host(&rule.from).into(), domain);
    }

    /// The moved domain above a host whose subdomains move, in punycode.
    pub fn domain_of<'h>(&self, host: &'h str) -> Option<&'h str> {
        let (length, _) = self.above(host)?;
        Some(&host[host.len() - length..])
    }

    /// The new form of a link to a subdomain, or of a `mailto:`.
    pub fn moved(&self, reference: &str) -> Option<Match> {
        if self.is_empty() {
            return None;
        }
        match scheme_of(reference) {
            Some(scheme) if scheme.eq_ignore_ascii_case("mailto") => self.addresses(reference),
            Some(scheme) => {
                let mut known = SCHEMES.iter();
                let (_, new) = known.find(|(own, _)| own.eq_ignore_ascii_case(scheme))?;
                self.subdomain(reference, Some((scheme, *new)))
            }
            None => self.subdomain(reference, None),
        }
    }

    fn subdomain(
        &self,
        reference: &str,
        scheme: Option<(&str, [&'static str; 3])>,
    ) -> Option<Match> {
        let parts = Parts::split(reference);
        let (host, range) = (parts.host()?, parts.host_range()?);
        // A browser ends the host at a backslash.
        if parts.userinfo().is_some() || !is_host(host) {
            return None;
        }
        let is_default = |port: &str| match scheme {
            Some(("http" | "ws", _)) => port == "80",
            Some(("https" | "wss", _)) => port == "443",
            _ => false,
        };
        let port = parts.port();
        if !port.is_none_or(|port| port.is_empty() || is_default(port)) {
            return None;
        }
        let normal = normal_host(host);
        let (length, domain) = self.above(&normal)?;
        let below = &normal[..normal.len() - length - 1];
        let below = as_written(below, host).unwrap_or(below);
        let scheme = match (scheme, domain.scheme.as_deref()) {
            (Some((_, new)), Some(to)) => Some(new_scheme(new, &format!("{to}:"))),
            (Some((own, _)), None) => Some(own),
            (None, to) => to,
        };
        let scheme = scheme.map_or(String::new(), |scheme| format!("{scheme}:"));
        let behind = port.map_or(0, |port| port.len() + 1);
        let rest = &reference[range.end + behind..];
        Some(Match {
            new: format!("{scheme}//{below}.{}{}{rest}", domain.host, domain.port),
            rule: domain.rule,
            rank: length,
        })
    }

    /// The moved domain above a host, with its length. The longest goes first; `www` goes with the domain itself.
    fn above(&self, host: &str) -> Option<(usize, &Domain)> {
        let mut dots = host.match_indices('.');
        let found = dots.find_map(|(dot, _)| {
            let name = &host[dot + 1..];
            let domain = self.0.get(name).filter(|domain| domain.reach.subdomains)?;
            Some((dot, name.len(), domain))
        });
        let (dot, length, domain) = found?;
        (dot > 0 && &host[..dot] != "www").then_some((length, domain))
    }

    /// The new form of a `mailto:`: the addresses of its recipients move (RFC 6068 section 2).
    fn addresses(&self, reference: &str) -> Option<Match> {
        let (fields, fragment) = reference.split_at(reference.find('#').unwrap_or(reference.len()));
        let mut rule = None;
        let fields = fields.split_inclusive(['?', '&']).enumerate();
        let fields = fields.map(|(number, field)| {
            let name = field.split_once('=').map_or("", |(name, _)| name);
            let is_recipient = |known: &&str| name.eq_ignore_ascii_case(known);
            if number == 0 || RECIPIENTS.iter().any(|known| is_recipient(&known)) {
                self.recipients(field, &mut rule)
            } else {
                field.to_owned()
            }
        });
        let new = fields.collect::<String>() + fragment;
        Some(Match {
            rule: rule?,
            rank: reference.len(),
            new,
        })
    }

    /// A field with its addresses moved. Notes the rule.
    fn recipients(&self, field: &str, rule: &mut Option<usize>) -> String {
        let recipients = field
            .split_inclusive([',', ';', '?', '&'])
            .map(|recipient| {
                let address = recipient.trim_end_matches([',', ';', '?', '&']);
                let host = address.rsplit_once('@');
                let host = host
                    .filter(|(local, _)| !local.contains('@'))
                    .map(|(_, host)| host);
                let new = host.filter(|host| is_host(host));
                let Some((new, number)) = new.and_then(|host| self.address(host)) else {
                    return recipient.to_owned();
                };
                *rule = rule.or(Some(number));
                let local = &address[..address.len() - host.map_or(0, str::len)];
                format!("{local}{new}{}", &recipient[address.len()..])
            });
        recipients.collect()
    }

    /// The new host of an address, with the number of the rule.
    fn address(&self, host: &str) -> Option<(String, usize)> {
        let normal = normal_host(host);
        if let Some(domain) = self.0.get(&*normal) {
            let moves = domain.reach.mail;
            return moves.then(|| (domain.host.to_string(), domain.rule));
        }
        let (length, domain) = self.above(&normal)?;
        let below = &normal[..normal.len() - length - 1];
        let below = as_written(below, host).unwrap_or(below);
        let moves = domain.reach.mail;
        moves.then(|| (format!("{below}.{}", domain.host), domain.rule))
    }
}

/// The first labels of a host as written, if these are the labels of the normal form.
fn as_written<'h>(below: &str, host: &'h str) -> Option<&'h str> {
    let labels = below.split('.').count();
    let mut dots = host.match_indices('.').map(|(dot, _)| dot);
    let written = &host[..dots.nth(labels - 1)?];
    (normal_host(written) == below).then_some(written)
}

/// The scheme of a half, if it is of the Web: `new.example:80` has none.
fn web_scheme(half: &str) -> Option<&str> {
    scheme_of(half).filter(|scheme| is_http(scheme))
}

/// A half without the scheme of the Web.
fn without_scheme(half: &str) -> &str {
    let rest = web_scheme(half).and_then(|scheme| half[scheme.len()..].strip_prefix("://"));
    rest.unwrap_or(half)
}

fn without_slash(half: &str) -> &str {
    half.strip_suffix('/').unwrap_or(half)
}

/// True if a text is only a host: a browser or a mail program reads it so.
fn is_host(text: &str) -> bool {
    let is_part =
        |ch: char| ch.is_alphanumeric() || matches!(ch, '.' | '-' | '_') || !ch.is_ascii();
    !text.is_empty() && text.chars().all(is_part)
}

/// The port of a half with its colon; empty if there is none.
fn port_of(half: &str) -> &str {
    let behind = &without_scheme(half)[host_of(half).len()..];
    let end = behind.find(['/', '?', '#']).unwrap_or(behind.len());
    &behind[..end]
}

/// The host of a half.
fn host_of(half: &str) -> &str {
    let half = without_scheme(half);
    &half[..half.find(['/', '?', '#', ':']).unwrap_or(half.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rules(old: &str, new: &str, mail: bool, subdomains: bool) -> Rules {
        let mut rules = Rules::default();
        let reach = DomainMove { mail, subdomains };
        rules.move_domain(old, new, reach).unwrap();
        rules
    }

    #[test]
    fn links_of_the_web_move() {
        let https = rules("old.example", "https://new.example", false, false);
        let kept = rules("http://old.example/", "new.example", false, false);
        for (link, to_https, to_host) in [
            (
                "http://old.example",
                "https://new.example",
                "http://new.example",
            ),
            (
                "https://old.example:443/a?b#c",
                "https://new.example/a?b#c",
                "https://new.example/a?b#c",
            ),
            (
                "HTTP://WWW.OLD.example/a",
                "https://new.example/a",
                "http://new.example/a",
            ),
            (
                "ws://old.example/a",
                "wss://new.example/a",
                "ws://new.example/a",
            ),
            (
                "wss://www.old.example/a",
                "wss://new.example/a",
                "wss://new.example/a",
            ),
        ] {
            assert_eq!(https.apply(link).as_deref(), Some(to_https), "{link}");
            assert_eq!(kept.apply(link).as_deref(), Some(to_host), "{link}");
        }
        for link in [
            "/a",
            "ftp://old.example/",
            "http://old.example:8080/",
            "http://blog.old.example/",
            "http://old.example.net/",
            "mailto:ann@old.example",
        ] {
            assert_eq!(https.apply(link), None, "{link}");
        }
    }

    #[test]
    fn subdomains_and_addresses_move_on_request() {
        let rules = rules("é.example", "https://new.example/a", true, true);
        for (link, new) in [
            ("http://é.example/b", "https://new.example/a/b"),
            ("http://xn--9ca.example/b", "https://new.example/a/b"),
            ("http://blog.é.example/b", "https://blog.new.example/b"),
            (
                "http://A.b.xn--9ca.example:80/b",
                "https://A.b.new.example/b",
            ),
            ("http://日本.é.example", "https://日本.new.example"),
            ("//blog.é.example/b", "https://blog.new.example/b"),
            ("mailto:ann@é.example", "mailto:ann@new.example"),
            (
                "MAILTO:a@x.example,b@list.xn--9ca.example?cc=c@é.example&subject=d",
                "MAILTO:a@x.example,b@list.new.example?cc=c@new.example&subject=d",
            ),
        ] {
            assert_eq!(rules.apply(link).as_deref(), Some(new), "{link}");
            assert_eq!(rules.apply(new), None, "{new}");
        }
        for link in [
            "http://evil.example\\b.é.example/x",
            "http://u@b.é.example/",
            "mailto:a@x.example@é.example",
            "mailto:a@é.example/b",
            "mailto:a@é.example:25",
            "mailto:%22b@é.example%22@x.example",
            "mailto:a@x.example?in-reply-to=%3Cf@é.example%3E",
        ] {
            assert_eq!(rules.apply(link), None, "{link}");
        }
    }

    #[test]
    fn the_new_domain_may_have_a_port() {
        let rules = rules("old.example", "new.example:8080", true, true);
        for (link, new) in [
            ("//b.old.example/x", "//b.new.example:8080/x"),
            ("http://old.example/x", "http://new.example:8080/x"),
            ("mailto:a@old.example", "mailto:a@new.example"),
        ] {
            assert_eq!(rules.apply(link).as_deref(), Some(new), "{link}");
        }
    }

    #[test]
    fn the_order_of_domains_does_not_matter() {
        for moves in [
            [("a.example", "b.example"), ("www.a.example", "c.example")],
            [("www.a.example", "c.example"), ("a.example", "b.example")],
        ] {
            let mut rules = Rules::default();
            for (old, new) in moves {
                rules.move_domain(old, new, DomainMove::default()).unwrap();
            }
            assert_eq!(
                rules.apply("http://www.a.example/x").as_deref(),
                Some("http://c.example/x")
            );
        }
    }

    #[test]
    fn domains_move_once() {
        let all = DomainMove {
            mail: false,
            subdomains: true,
        };
        for ([one, other], reach) in [
            (
                [("é.example", "a.example"), ("xn--9ca.example", "b.example")],
                DomainMove::default(),
            ),
            (
                [("a.example", "x.b.example"), ("b.example", "c.example")],
                all,
            ),
            (
                [("a.example", "b.example"), ("x.b.example", "c.example")],
                all,
            ),
            (
                [("a.example", "x.b.example"), ("b.example", "x.a.example")],
                all,
            ),
        ] {
            let mut rules = Rules::default();
            rules.move_domain(one.0, one.1, reach).unwrap();
            assert!(
                rules.move_domain(other.0, other.1, reach).is_err(),
                "{one:?} {other:?}"
            );
        }
        let mut rules = Rules::default();
        assert!(rules.move_domain("x.a.example", "a.example", all).is_err());
    }

    #[test]
    fn a_www_that_is_the_target_stays() {
        let rules = rules("old.example", "www.old.example", false, false);
        assert_eq!(
            rules.apply("http://old.example/a").as_deref(),
            Some("http://www.old.example/a")
        );
        assert_eq!(rules.apply("http://www.old.example/a"), None);
    }

    fn link() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "http:",
            "HTTPS:",
            "ws:",
            "mailto:",
            "//",
            "/",
            "\\",
            "old.example",
            "OLD.example",
            "www.",
            "blog.",
            "new.example",
            "é.",
            ".",
            ":80",
            ":443",
            ":81",
            "@",
            "%40",
            "%2E",
            "?",
            "#",
            "a",
            ",",
            "&",
            "{{y}}",
            "..",
        ]);
        prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        /// A second run changes nothing, and nothing that moved is at the old domain.
        #[test]
        fn a_link_moves_once(
            link in link(),
            new in prop::sample::select(vec!["new.example", "https://new.example/a", "http://www.new.example"]),
            mail: bool,
            subdomains: bool,
        ) {
            let rules = rules("old.example", new, mail, subdomains);
            if let Some(moved) = rules.apply(&link) {
                prop_assert_eq!(rules.apply(&moved), None, "{} -> {}", link, moved);
                if link.contains("//") && !moved.contains(',') {
                    let host = Parts::split(&moved).host().unwrap_or_default().to_owned();
                    prop_assert!(host.ends_with("new.example"), "{} -> {}", link, moved);
                }
            }
        }
    }

    #[test]
    fn halves_that_are_no_domains() {
        let mut rules = Rules::default();
        let all = DomainMove {
            mail: true,
            subdomains: true,
        };
        for (old, new, reach) in [
            ("old", "new.example", DomainMove::default()),
            ("/a", "new.example", DomainMove::default()),
            ("old.example", "/b", DomainMove::default()),
            ("old.example/a", "new.example", all),
            ("old.example", "new.old.example", all),
        ] {
            assert!(rules.move_domain(old, new, reach).is_err(), "{old} {new}");
        }
        assert!(rules.given().is_empty());
    }
}
