//! Types of files, for `--type`.

use crate::link::extension;
use std::path::Path;

/// A type of file, known by the extension of its name, in any case. In `page.html.erb` the template's extension is
/// passed over: the file is HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileType {
    name: &'static str,
    extensions: &'static [&'static str],
}

const TYPES: &[FileType] = &[
    FileType::new(
        "html",
        &[
            "html", "htm", "shtml", "shtm", "jhtml", "phtml", "hta", "asp", "aspx", "ascx",
            "cshtml", "jsp", "jspf", "cfm", "cfml", "vue", "svelte", "astro", "php",
        ],
    ),
    FileType::new("xhtml", &["xhtml", "xht"]),
    FileType::new(
        "xml",
        &[
            "xml", "xhtml", "xht", "svg", "atom", "rss", "rdf", "rdfs", "owl", "opml", "xsl",
            "xslt", "xsd", "rng", "sch", "dbk", "docbook", "dita", "ditamap", "tei", "ncx", "opf",
            "mml", "kml", "gpx", "gml", "rels", "page", "wsdl", "xul", "xspf", "smil", "dtd",
            "sitemap", "fb2", "ttml", "xlf", "xliff", "tmx",
        ],
    ),
    FileType::new("svg", &["svg"]),
    FileType::new("feed", &["atom", "rss", "rdf"]),
    FileType::new("css", &["css"]),
    FileType::new(
        "text",
        &[
            "txt", "text", "md", "markdown", "mdown", "mkd", "rst", "rest", "log", "eml", "mbox",
            "msg", "tex", "bib", "csv", "tsv", "adoc", "asc", "asciidoc", "org", "pod", "me",
            "nfo", "diff", "patch",
        ],
    ),
    FileType::new("markdown", &["md", "markdown", "mdown", "mkd"]),
    FileType::new("rst", &["rst", "rest"]),
    FileType::new("mail", &["eml", "mbox", "msg"]),
];

impl FileType {
    const fn new(name: &'static str, extensions: &'static [&'static str]) -> Self {
        FileType { name, extensions }
    }

    /// Every type.
    pub fn all() -> &'static [FileType] {
        TYPES
    }

    /// The type with this name.
    pub fn named(name: &str) -> Option<FileType> {
        TYPES.iter().copied().find(|known| known.name == name)
    }

    /// Its name, as `--type` takes it.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Whether the file's extension is one of this type's.
    pub fn matches(self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str());
        let Some(extension) = name.and_then(extension) else {
            return false;
        };
        self.extensions
            .iter()
            .any(|known| known.eq_ignore_ascii_case(extension))
    }
}

/// Whether the file has an extension of any type.
pub(super) fn is_document(path: &Path) -> bool {
    TYPES.iter().any(|known| known.matches(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_in_any_case() {
        let html = FileType::named("html").unwrap();
        assert!(html.matches(Path::new("a/INDEX.HTM")));
        assert!(!html.matches(Path::new("html")));
        assert!(!html.matches(Path::new("a.html.gz")));
        assert!(html.matches(Path::new("x.html.erb")) && html.matches(Path::new("x.j2")));
        assert!(html.matches(Path::new("x.php")) && html.matches(Path::new("x.html.liquid")));
        assert!(!html.matches(Path::new("x.css.erb")) && html.matches(Path::new("x.aspx")));
        assert_eq!(FileType::named("nothing"), None);
        assert!(is_document(Path::new("x.atom")) && !is_document(Path::new("x.png")));
    }
}
