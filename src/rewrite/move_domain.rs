//! Adds rules for domains that move, and checks that links move once.

use super::DomainMove;
use super::domains::{host_of, without_scheme};
use super::halves::{begins_with_host, invalid, normal_form, normal_host};
use super::rules::{Rule, Rules};
use crate::error::{Error, QUOTED, shortened};

impl Rules {
    /// Adds a rule for a domain, or for a part of it: links of http, https, ws and wss to `old`, at default ports and
    /// in any form of the host, and to `www.` in front of it, lead to `new`. `old` is a host with or without a path;
    /// its scheme, if any, does not count. `new` may have a scheme; links keep their schemes otherwise. Relative
    /// links stay.
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
        // The final dot of a full name is no part of another form.
        let from = without_slash(without_scheme(old)).trim_end_matches('.');
        let to = without_slash(new).trim_end_matches('.');
        for (half, given) in [(from, old), (without_scheme(to), new)] {
            if !begins_with_host(half) {
                let given = shortened(given, QUOTED);
                return Err(invalid(format!(
                    "expected a domain with a dot (`new.example`, `https://new.example`), but found `{given}`"
                )));
            }
        }
        let rule = Rule {
            domain: Some(reach),
            ..Rule::new(from, to)
        };
        check_alone(&rule)?;
        for other in self.given.iter().filter(|other| other.domain.is_some()) {
            check_pair(&rule, other)?;
        }
        self.add_rule(rule, None)
    }
}

/// Checks that a rule moves a domain, and moves it once.
fn check_alone(rule: &Rule) -> Result<(), Error> {
    let reach = rule.domain.unwrap_or_default();
    if reach != DomainMove::default() && rule.from.contains(['/', '?', '#', ':']) {
        let message = "subdomains and addresses move with a whole domain, not with";
        return Err(invalid(format!(
            "{message} `{}`, which needs a run of its own",
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

fn without_slash(half: &str) -> &str {
    half.strip_suffix('/').unwrap_or(half)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charset::Charset;
    use crate::iri::Parts;
    use crate::iri::target::Reading;
    use crate::rewrite::Reach;
    use crate::rewrite::rules::Ruling;
    use proptest::prelude::*;

    fn rules(old: &str, new: &str, mail: bool, subdomains: bool) -> Rules {
        let mut rules = Rules::default();
        let reach = DomainMove { mail, subdomains };
        rules.move_domain(old, new, reach).unwrap();
        rules
    }

    #[test]
    fn a_final_dot_counts_for_nothing() {
        let moves = rules("old.example.", "new.example.", false, false);
        let moved = moves.apply("http://old.example/a");
        assert_eq!(moved.as_deref(), Some("http://new.example/a"));
        let mut rules = Rules::default();
        assert!(
            rules
                .move_domain(".", "new.example", DomainMove::default())
                .is_err()
        );
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

    /// A name stays a name, whatever scheme links get.
    #[test]
    fn names_of_subdomains_get_no_scheme() {
        for (new, moved) in [
            ("http://new.example", "blog.new.example/a"),
            ("https://new.example", "blog.new.example/a"),
            ("new.example:8080", "blog.new.example:8080/a"),
        ] {
            let rules = rules("old.example", new, false, true);
            let reading = Reading {
                base: None,
                query: Charset::UTF_8,
            };
            let text = ("blog.old.example/a", "https");
            match rules.of_implied(text, reading, Reach::default()).ruling {
                Ruling::Becomes(text) => assert_eq!(text, moved, "{new}"),
                _ => panic!("{new}: the name stays"),
            }
        }
    }

    #[test]
    fn a_domain_that_moves_to_its_www_takes_it_along() {
        let moves = rules("old.example", "https://www.old.example/", false, false);
        for (link, new) in [
            ("http://old.example/a", Some("https://www.old.example/a")),
            (
                "http://www.old.example/a",
                Some("https://www.old.example/a"),
            ),
            ("https://www.old.example/a", None),
            ("//www.old.example/a", Some("https://www.old.example/a")),
        ] {
            assert_eq!(moves.apply(link).as_deref(), new, "{link}");
        }
        let kept = rules("old.example", "https://www.old.example/a", false, false);
        assert_eq!(kept.apply("http://www.old.example/"), None);
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
