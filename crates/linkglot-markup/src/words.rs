//! The words that vocabulary files use for syntaxes and accesses.

use super::slot::Syntax;
use super::vocabulary::RowAccess;

const SYNTAXES: &[(&str, Option<Syntax>)] = &[
    ("none", None),
    ("single", Some(Syntax::Single)),
    ("base", Some(Syntax::Base)),
    ("space-list", Some(Syntax::SpaceList)),
    ("comma-list", Some(Syntax::CommaList)),
    ("semicolon-list", Some(Syntax::SemicolonList)),
    ("quoted-list", Some(Syntax::QuotedList)),
    ("srcset", Some(Syntax::Srcset)),
    ("refresh", Some(Syntax::Refresh)),
    ("css", Some(Syntax::CssDeclarations)),
    ("html", Some(Syntax::Html)),
    ("text", Some(Syntax::Text)),
    ("json", Some(Syntax::Json)),
    ("importmap", Some(Syntax::ImportMap)),
    ("speculationrules", Some(Syntax::SpeculationRules)),
    ("template", Some(Syntax::Template)),
    ("policy", Some(Syntax::Policy)),
    ("field", Some(Syntax::Field)),
    ("pairs", Some(Syntax::LocationPairs)),
    ("absolute", Some(Syntax::AbsoluteOnly)),
    ("absolute-list", Some(Syntax::AbsoluteList)),
];

const ACCESSES: &[(&str, RowAccess)] = &[
    ("rewrite", RowAccess::Rewrite),
    ("rules", RowAccess::Rules),
    ("list", RowAccess::List),
    ("opt-in", RowAccess::OptIn),
    ("never", RowAccess::Never),
];

/// Whether a word is that of an access.
pub(super) fn is_access(word: &str) -> bool {
    ACCESSES.iter().any(|(known, _)| *known == word)
}

/// Whether a word is that of a syntax.
pub(super) fn is_syntax(word: &str) -> bool {
    SYNTAXES.iter().any(|(known, _)| *known == word)
}

/// What stands in an attribute, or in an element's content (`#text`); `None`: no links.
pub(super) fn syntax(word: &str, attribute: &str) -> Result<Option<Syntax>, String> {
    let found = SYNTAXES.iter().find(|(known, _)| *known == word);
    match found {
        Some((_, Some(Syntax::CssDeclarations))) if attribute == "#text" => Ok(Some(Syntax::Css)),
        Some((_, Some(Syntax::Text))) if attribute != "#text" => Err(format!(
            "expected the syntax `{word}` for #text alone, but found it for `{attribute}`"
        )),
        Some((_, syntax)) => Ok(*syntax),
        None => Err(format!(
            "expected a syntax ({}), but found `{word}`",
            all(SYNTAXES)
        )),
    }
}

/// What is done with the links of a row.
pub(super) fn access(word: &str) -> Result<RowAccess, String> {
    let found = ACCESSES.iter().find(|(known, _)| *known == word);
    found
        .map(|(_, access)| *access)
        .ok_or_else(|| format!("expected an access ({}), but found `{word}`", all(ACCESSES)))
}

fn all<T>(words: &[(&str, T)]) -> String {
    let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    words.join(", ")
}
