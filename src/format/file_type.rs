//! Types of files, for `--type`.

use super::file_names::{
    ASCIIDOC, CALENDARS, CARDS, CODE, COMPONENTS, CSS, CSV, FEEDS, GETTEXT, HTML, JAVASCRIPT, JSON,
    JSON_LINES, LIKE_C, MAILBOXES, MARKDOWN, MESSAGES, ORG, PAGES, PROPERTIES, PYTHON, RST, RTF,
    SQL, SVG, TEX, TEXT, TEXTILE, TOML, TSV, TYPESCRIPT, WIKITEXT, XHTML, XML, YAML, extension,
    is_one,
};
use std::path::Path;

/// A type of file, known by the extension of its name, in any case. In `page.html.erb` the extension of the template is
/// skipped: the file is HTML.
///
/// ```
/// use linkglot::format::FileType;
/// use std::path::Path;
///
/// let html = FileType::named("html").unwrap();
/// assert!(html.matches(Path::new("a/INDEX.HTM")) && !html.matches(Path::new("a.html.gz")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileType {
    name: &'static str,
    /// Lists of extensions.
    extensions: &'static [&'static [&'static str]],
}

const TYPES: &[FileType] = &[
    FileType::new("html", &[HTML, PAGES, COMPONENTS, &["php"]]),
    FileType::new("xhtml", &[XHTML]),
    FileType::new("xml", &[XML, XHTML, SVG, FEEDS]),
    FileType::new("svg", &[SVG]),
    FileType::new("feed", &[FEEDS]),
    FileType::new("css", &[CSS]),
    FileType::new(
        "text",
        &[
            TEXT, CSV, TSV, MESSAGES, MAILBOXES, MARKDOWN, RST, WIKITEXT, ASCIIDOC, ORG, TEXTILE,
        ],
    ),
    FileType::new("markdown", &[MARKDOWN]),
    FileType::new("rst", &[RST]),
    FileType::new("mail", &[MESSAGES, MAILBOXES, &["msg"]]),
    FileType::new("calendar", &[CALENDARS]),
    FileType::new("vcard", &[CARDS]),
    FileType::new("json", &[JSON]),
    FileType::new("jsonl", &[JSON_LINES]),
    FileType::new("sql", &[SQL]),
    FileType::new("csv", &[CSV, TSV]),
    FileType::new("js", &[JAVASCRIPT, TYPESCRIPT]),
    FileType::new("php", &[CODE]),
    FileType::new("python", &[PYTHON]),
    FileType::new("c", LIKE_C),
    FileType::new("toml", &[TOML]),
    FileType::new("yaml", &[YAML]),
    FileType::new("po", &[GETTEXT]),
    FileType::new("properties", &[PROPERTIES]),
    FileType::new("tex", &[TEX, &["cls"]]),
    FileType::new("rtf", &[RTF]),
    FileType::new("mediawiki", &[WIKITEXT]),
    FileType::new("asciidoc", &[ASCIIDOC]),
    FileType::new("org", &[ORG]),
    FileType::new("textile", &[TEXTILE]),
];

impl FileType {
    const fn new(name: &'static str, extensions: &'static [&'static [&'static str]]) -> Self {
        FileType { name, extensions }
    }

    /// Every type.
    ///
    /// ```
    /// use linkglot::format::FileType;
    /// use std::path::Path;
    ///
    /// let is_known = |name| FileType::all().iter().any(|known| known.matches(Path::new(name)));
    /// assert!(is_known("feed.atom") && !is_known("photo.png"));
    /// ```
    pub fn all() -> &'static [FileType] {
        TYPES
    }

    /// The type with this name, as given to `--type`.
    ///
    /// ```
    /// assert_eq!(linkglot::format::FileType::named("nothing"), None);
    /// ```
    pub fn named(name: &str) -> Option<FileType> {
        TYPES.iter().copied().find(|known| known.name == name)
    }

    /// The name, as given to `--type`.
    ///
    /// ```
    /// assert_eq!(linkglot::format::FileType::all()[0].name(), "html");
    /// ```
    pub fn name(self) -> &'static str {
        self.name
    }

    /// True if the extension of the file belongs to this type. O(number of extensions).
    ///
    /// ```
    /// use linkglot::format::FileType;
    /// use std::path::Path;
    ///
    /// assert!(FileType::named("css").unwrap().matches(Path::new("x.css.erb")));
    /// ```
    pub fn matches(self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str());
        let Some(extension) = name.and_then(extension) else {
            return false;
        };
        is_one(self.extensions, extension)
    }
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
    }
}
