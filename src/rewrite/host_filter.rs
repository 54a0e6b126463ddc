//! A quick test that no rule names a link, by its host alone: most links of a document lead elsewhere.

use super::halves::is_plain_host;
use super::prefixes::Prefix;
use crate::iri::Parts;
use crate::link::scheme_of;
use std::collections::HashSet;

/// The hosts of prefix rules. `None` if some rule could name a link by something else.
#[derive(Clone, Debug)]
pub(super) struct HostFilter(Option<HashSet<Box<str>>>);

impl HostFilter {
    /// The filter of rules that are no prefixes: nothing passes.
    pub const NONE: HostFilter = HostFilter(None);

    /// The filter of prefixes, as given and in normal form. O(length of the rules).
    pub fn new<'p>(prefixes: impl Iterator<Item = &'p Prefix>) -> Self {
        let hosts = prefixes.map(|prefix| {
            let host = if prefix.in_text {
                Some(host_of_text(&prefix.from))
            } else {
                Parts::split(&prefix.from).host()
            };
            let host = host.filter(|host| !host.is_empty())?;
            Some(host.to_ascii_lowercase().into_boxed_str())
        });
        HostFilter(hosts.collect())
    }

    /// True if surely no rule names a link, in whatever spelling of the rule. False when in doubt. `is_implied`: the
    /// link is one of running text without a scheme. No allocation; a pass over the host, or over a relative reference.
    pub fn passes(&self, link: &str, is_implied: bool) -> bool {
        let Some(hosts) = &self.0 else {
            return false;
        };
        let host = if is_implied {
            host_of_text(link)
        } else if let Some(scheme) = scheme_of(link) {
            let Some(behind) = link[scheme.len()..].strip_prefix("://") else {
                return false;
            };
            host_of_text(behind)
        } else {
            return is_plainly_relative(link);
        };
        is_plain_host(host) && !hosts.contains(host)
    }
}

/// The host of a link without a scheme.
fn host_of_text(link: &str) -> &str {
    let end = memchr::memchr3(b'/', b'?', b'#', link.as_bytes());
    &link[..end.unwrap_or(link.len())]
}

/// True if a reference has neither a scheme nor a host, however a browser reads it.
fn is_plainly_relative(reference: &str) -> bool {
    let is_odd = |byte: u8| byte <= b' ' || matches!(byte, b':' | b'\\');
    !reference.starts_with("//") && !reference.bytes().any(is_odd)
}

#[cfg(test)]
mod tests {
    use crate::charset::Charset;
    use crate::iri::target::Reading;
    use crate::rewrite::Reach;
    use crate::rewrite::rules::{Rules, Verdict};
    use proptest::prelude::*;

    fn rules(given: &[&str]) -> Rules {
        let mut rules = Rules::default();
        for rule in given {
            rules.add(rule).unwrap();
        }
        rules
    }

    #[test]
    fn other_hosts_pass() {
        let rules = rules(&[
            "http://old.example/a https://new.example/",
            "é.example e.example",
        ]);
        for (link, is_implied, passes) in [
            ("http://other.example/a", false, true),
            ("ftp://other.example", false, true),
            ("http://old.example/b", false, false),
            ("http://old.example:80/a", false, false),
            ("HTTP://OLD.example/a", false, false),
            ("http://xn--9ca.example/", false, false),
            ("http:old.example/a", false, false),
            ("//old.example/a", false, false),
            ("/\\old.example/a", false, false),
            ("/a/b?c#d", false, true),
            ("mailto:ann@other.example", false, false),
            ("other.example/a", true, true),
            ("old.example/a", true, false),
            ("ann@old.example", true, false),
        ] {
            assert_eq!(rules.surely_name_none(link, is_implied), passes, "{link}");
        }
    }

    #[test]
    fn rules_without_a_host_let_nothing_pass() {
        for rule in ["/a /b", "re:a b", "mailto:a@b.example mailto:c@d.example"] {
            let rules = rules(&[rule]);
            assert!(
                !rules.surely_name_none("http://other.example/a", false),
                "{rule}"
            );
        }
    }

    fn text() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "http:",
            "HTTPS:",
            "ws:",
            "//",
            "/",
            "\\",
            "a.example",
            "A.example",
            "é.example",
            "xn--9ca.example",
            "b.example",
            "www.",
            ".",
            ":80",
            ":8080",
            "@",
            "%61",
            "?",
            "#",
            "x",
            "{{y}}",
            " ",
            "..",
            "1",
            "mailto:",
            "\t",
        ]);
        prop::collection::vec(piece, 0..7).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        /// A link that passes gets no answer from the rules, in each way to read references.
        #[test]
        fn no_rule_names_what_passes(
            froms in prop::collection::vec(text(), 1..4),
            link in text(),
            is_implied: bool,
        ) {
            let mut rules = Rules::default();
            for from in &froms {
                let _ = rules.add(&format!("{from} https://new.example/"));
            }
            if !rules.is_empty() && rules.surely_name_none(&link, is_implied) {
                for base in [None, Some("http://b.example/")] {
                    for reach in [Reach::AsWritten, Reach::AnySpelling] {
                        let reading = Reading { base, query: Charset::UTF_8 };
                        let verdict = if is_implied {
                            rules.of_implied((&link, "https"), reading, reach)
                        } else {
                            rules.ruling(&link, reading, reach)
                        };
                        prop_assert_eq!(verdict, Verdict::NONE, "{:?} {}", froms, link);
                    }
                }
            }
        }
    }
}
