//! Policies: a list of directives, each a name and its sources (Content Security Policy 3, section 2.2; Permissions
//! Policy, section 5).

use super::{is_space, offer, span_in};
use crate::reference::Reference;

/// The directive whose values are references, also relative ones (CSP 3, section 6.5).
const REPORT: &str = "report-uri";

/// Hands out the sources that are URLs. Host patterns (`*.example.org`), keywords and bare schemes are left out.
pub fn split(text: &str, each: &mut dyn FnMut(Reference)) {
    for directive in text.split([';', ',']) {
        let mut tokens = directive.split(is_space).filter(|token| !token.is_empty());
        let name = tokens.next().unwrap_or_default();
        let reports = name.eq_ignore_ascii_case(REPORT);
        for token in tokens {
            // Permissions policies in `allow` may quote their sources.
            let source = token.trim_matches('"');
            if reports || is_url(source) {
                offer(span_in(text, source), each);
            }
        }
    }
}

fn is_url(source: &str) -> bool {
    const SCHEMES: [&str; 4] = ["http", "https", "ws", "wss"];
    source.split_once("://").is_some_and(|(scheme, rest)| {
        let is_scheme = |known: &&str| scheme.eq_ignore_ascii_case(known);
        SCHEMES.iter().any(is_scheme) && !rest.is_empty() && !rest.contains(['*', '"'])
    })
}
