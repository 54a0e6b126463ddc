//! Domains that move as a whole: their subdomains and mail addresses. Links to the domain itself are named by prefixes.

use super::halves::{Spelling, normal_host};
use super::prefixes::Match;
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

/// The prefixes that a rule for a domain names, besides its own.
pub(super) fn spellings<'r>(from: &'r str, to: &'r str) -> Vec<Spelling<'r>> {
    let www = format!("www.{from}");
    let new = without_scheme(to);
    // A domain that moves to its own `www.` takes its links there along to another scheme.
    let has_www = from.starts_with("www.")
        || new.starts_with(&www) && (new != www || web_scheme(to).is_none());
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
                to: format!(
                    "{}://{}",
                    new_scheme(new, web_scheme(to)),
                    without_scheme(to)
                )
                .into(),
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

/// The scheme of a link that moves to a host with the scheme `to`, or without one.
fn new_scheme(new: [&'static str; 3], to: Option<&str>) -> &'static str {
    let [plain, secure, kept] = new;
    match to {
        Some(scheme) if scheme.eq_ignore_ascii_case("https") => secure,
        Some(_) => plain,
        None => kept,
    }
}

impl Domains {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the domain of a rule with a number, if its subdomains or addresses move.
    pub fn add(&mut self, from: &str, to: &str, (reach, rule): (DomainMove, usize)) {
        if reach == DomainMove::default() {
            return;
        }
        let domain = Domain {
            scheme: web_scheme(to).map(Box::from),
            host: host_of(to).into(),
            port: port_of(to).into(),
            reach,
            rule,
        };
        self.0.insert(normal_host(from).into(), domain);
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
        let (below, domain) = self.labels(host)?;
        let scheme = match (scheme, domain.scheme.as_deref()) {
            (Some((_, new)), to @ Some(_)) => Some(new_scheme(new, to)),
            (Some((own, _)), None) => Some(own),
            (None, to) => to,
        };
        let scheme = scheme.map_or(String::new(), |scheme| format!("{scheme}:"));
        let behind = port.map_or(0, |port| port.len() + 1);
        let rest = &reference[range.end + behind..];
        Some(Match {
            new: format!("{scheme}//{below}.{}{}{rest}", domain.host, domain.port),
            leads_elsewhere: false,
            rule: domain.rule,
            rank: host.len(),
        })
    }

    /// The labels of a host below a moved domain, as written if they can be told, and the domain.
    fn labels<'h>(&self, host: &'h str) -> Option<(Cow<'h, str>, &Domain)> {
        let normal = normal_host(host);
        let (length, domain) = self.above(&normal)?;
        let below = &normal[..normal.len() - length - 1];
        let written = as_written(below, host).map(Cow::Borrowed);
        Some((written.unwrap_or_else(|| below.to_owned().into()), domain))
    }

    /// The moved domain above a host, with its length. The longest goes first; `www` goes with the domain itself.
    fn above(&self, host: &str) -> Option<(usize, &Domain)> {
        /// The most bytes of a domain name (RFC 1035 2.3.4). Each label of a longer text would be looked up.
        const LONGEST: usize = 255;
        if host.len() > LONGEST {
            return None;
        }
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
            if number == 0 || RECIPIENTS.iter().any(is_recipient) {
                self.recipients(field, &mut rule)
            } else {
                field.to_owned()
            }
        });
        let new = fields.collect::<String>() + fragment;
        Some(Match {
            leads_elsewhere: false,
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
                let parts = address.rsplit_once('@');
                let parts = parts.filter(|(local, host)| !local.contains('@') && is_host(host));
                let new = parts.and_then(|(local, host)| Some((local, self.address(host)?)));
                let Some((local, (host, number))) = new else {
                    return recipient.to_owned();
                };
                *rule = rule.or(Some(number));
                format!("{local}@{host}{}", &recipient[address.len()..])
            });
        recipients.collect()
    }

    /// The new host of an address, with the number of the rule.
    fn address(&self, host: &str) -> Option<(String, usize)> {
        let (new, domain) = match self.0.get(&*normal_host(host)) {
            Some(domain) => (domain.host.to_string(), domain),
            None => {
                let (below, domain) = self.labels(host)?;
                (format!("{below}.{}", domain.host), domain)
            }
        };
        domain.reach.mail.then_some((new, domain.rule))
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
pub(super) fn without_scheme(half: &str) -> &str {
    let rest = web_scheme(half).and_then(|scheme| half[scheme.len()..].strip_prefix("://"));
    rest.unwrap_or(half)
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
pub(super) fn host_of(half: &str) -> &str {
    let half = without_scheme(half);
    &half[..half.find(['/', '?', '#', ':']).unwrap_or(half.len())]
}
