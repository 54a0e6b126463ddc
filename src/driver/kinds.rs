//! Kinds of files that a walk can be confined to.

use crate::link::extension;
use std::path::Path;

/// A kind of file, known by the extension of its name (in any case); that of a template does not count where another is in front
/// of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileKind {
    name: &'static str,
    extensions: &'static [&'static str],
}

const KINDS: &[FileKind] = &[
    FileKind {
        name: "html",
        extensions: &[
            "html", "htm", "shtml", "shtm", "jhtml", "phtml", "hta", "asp", "aspx", "ascx",
            "cshtml", "jsp", "jspf", "cfm", "cfml", "vue", "svelte", "astro", "php",
        ],
    },
    FileKind {
        name: "xhtml",
        extensions: &["xhtml", "xht"],
    },
    FileKind {
        name: "xml",
        extensions: &[
            "xml", "xhtml", "xht", "svg", "atom", "rss", "rdf", "rdfs", "owl", "opml", "xsl",
            "xslt", "xsd", "rng", "sch", "dbk", "docbook", "dita", "ditamap", "tei", "ncx", "opf",
            "mml", "kml", "gpx", "gml", "rels", "page", "wsdl", "xul", "xspf", "smil", "dtd",
            "sitemap", "fb2", "ttml", "xlf", "xliff", "tmx",
        ],
    },
    FileKind {
        name: "svg",
        extensions: &["svg"],
    },
    FileKind {
        name: "feed",
        extensions: &["atom", "rss", "rdf"],
    },
    FileKind {
        name: "css",
        extensions: &["css"],
    },
    FileKind {
        name: "text",
        extensions: &[
            "txt", "text", "md", "markdown", "mdown", "mkd", "rst", "rest", "log", "eml", "mbox",
            "msg", "tex", "bib", "csv", "tsv", "adoc", "asc", "asciidoc", "org", "pod", "me",
            "nfo", "diff", "patch",
        ],
    },
    FileKind {
        name: "markdown",
        extensions: &["md", "markdown", "mdown", "mkd"],
    },
    FileKind {
        name: "rst",
        extensions: &["rst", "rest"],
    },
    FileKind {
        name: "mail",
        extensions: &["eml", "mbox", "msg"],
    },
];

impl FileKind {
    /// Every kind there is.
    pub fn all() -> &'static [FileKind] {
        KINDS
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<FileKind> {
        KINDS.iter().copied().find(|kind| kind.name == name)
    }

    /// Its name, as `--type` takes it.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Whether a path's extension is one of the kind's.
    pub fn has(self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str());
        let Some(extension) = name.and_then(extension) else {
            return false;
        };
        self.extensions
            .iter()
            .any(|known| known.eq_ignore_ascii_case(extension))
    }
}

/// Whether the name says that the file is a document of some kind.
pub(super) fn is_document(path: &Path) -> bool {
    KINDS.iter().any(|kind| kind.has(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_in_any_case() {
        let html = FileKind::named("html").unwrap();
        assert!(html.has(Path::new("a/INDEX.HTM")));
        assert!(!html.has(Path::new("html")));
        assert!(!html.has(Path::new("a.html.gz")));
        assert!(html.has(Path::new("x.html.erb")) && html.has(Path::new("x.j2")));
        assert!(html.has(Path::new("x.php")) && html.has(Path::new("x.html.liquid")));
        assert!(!html.has(Path::new("x.css.erb")) && html.has(Path::new("x.aspx")));
        assert_eq!(FileKind::named("nothing"), None);
        assert!(is_document(Path::new("x.atom")) && !is_document(Path::new("x.png")));
    }
}
