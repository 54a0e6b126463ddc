//! Packages: zip archives whose entries name each other.

use crate::link::{as_parsed, scheme_of};
use std::sync::Arc;

/// The package that a document is a part of, by the rules for references in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Package {
    /// A book (EPUB), or a document of OpenDocument: references lead to other parts, as to files of a directory
    /// (EPUB 3.3, 4.2.5; OpenDocument 1.3, part 2, 4.7).
    OfFiles {
        /// The path of the part, with `/`.
        part: Arc<str>,
    },
    /// A document of Office Open XML, XPS and the like: relationships lead to other parts, and references out of the
    /// package (ECMA-376 part 2, 6.5).
    OfRelationships,
}

impl Package {
    /// True if a reference leads to a part of the package, or is a path of Windows and no reference. A reference that
    /// begins with a slash leads to the site that the package is on.
    pub(super) fn has(&self, reference: &str) -> bool {
        if reference.starts_with("\\\\") {
            return true;
        }
        let Package::OfFiles { part } = self else {
            return false;
        };
        let parsed = as_parsed(reference);
        if scheme_of(&parsed).is_some() || parsed.starts_with('/') {
            return false;
        }
        let path = parsed.split(['?', '#']).next().unwrap_or_default();
        let mut depth = part.matches('/').count();
        for segment in path.split('/') {
            let segment = segment.to_ascii_lowercase().replace("%2e", ".");
            match &*segment {
                ".." if depth == 0 => return false,
                ".." => depth -= 1,
                "" | "." => {}
                _ => depth += 1,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_to_parts() {
        for (reference, part, expected) in [
            ("Pictures/a b.png", "content.xml", true),
            ("./Object 1", "content.xml", true),
            ("#a", "content.xml", true),
            ("?a", "content.xml", true),
            ("", "content.xml", true),
            ("../a.odt", "content.xml", false),
            ("./../a.odt", "content.xml", false),
            ("a/../../a.odt", "content.xml", false),
            ("%2E%2e/a.odt", "content.xml", false),
            ("../styles.css", "EPUB/nav.xhtml", true),
            ("../../a", "EPUB/nav.xhtml", false),
            ("..?../..", "EPUB/nav.xhtml", true),
            ("/a", "content.xml", false),
            ("//a.example/b", "content.xml", false),
            ("http:b", "content.xml", false),
            ("mailto:a@b.example", "content.xml", false),
            ("a\\b", "content.xml", true),
            ("\\\\server\\share", "content.xml", true),
        ] {
            let package = Package::OfFiles { part: part.into() };
            assert_eq!(package.has(reference), expected, "{reference} in {part}");
        }
        assert!(
            Package::OfRelationships.has("\\\\server\\share")
                && !Package::OfRelationships.has("a.docx")
        );
    }
}
