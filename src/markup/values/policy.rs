//! Policies: directives parted by `;` (policies by `,`), each a name and sources parted by white space (Content Security Policy 3, section 2.2; Permissions
//! Policy, section 5).

use super::{Part, is_space, span_in};
use crate::markup::escape::Escaping;

/// Directives whose values are references, relative ones too (CSP 3, section 6.5).
const REPORTS: &[&str] = &["report-uri"];

/// The sources that are URLs. Patterns for hosts (`*.example.org`), keywords and bare schemes are none.
pub fn split(text: &str, each: &mut dyn FnMut(Part)) {
    for directive in text.split([';', ',']) {
        let mut tokens = directive.split(is_space).filter(|token| !token.is_empty());
        let name = tokens.next().unwrap_or_default();
        let reports = REPORTS.iter().any(|known| name.eq_ignore_ascii_case(known));
        for token in tokens.filter(|token| reports || is_url(token)) {
            // Permissions policies in `allow` may quote what they name.
            let bare = token.trim_matches('"');
            each(Part {
                span: span_in(text, bare),
                escaping: Escaping::None,
                kind: None,
            });
        }
    }
}

fn is_url(source: &str) -> bool {
    let source = source.trim_matches('"');
    let schemes = ["http", "https", "ws", "wss"];
    source.split_once("://").is_some_and(|(scheme, rest)| {
        let known = schemes
            .iter()
            .any(|known| scheme.eq_ignore_ascii_case(known));
        known && !rest.is_empty() && !rest.contains(['*', '"'])
    })
}
