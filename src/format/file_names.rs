//! Formats by the names of files: the only table of extensions.

use crate::format::Format;
use crate::markup::Language;

/// Extensions of HTML.
pub(crate) const HTML: &[&str] = &["html", "htm", "shtml", "shtm", "jhtml", "phtml", "hta"];

/// Extensions of HTML with code in it.
pub(crate) const PAGES: &[&str] = &[
    "asp", "aspx", "ascx", "cshtml", "jsp", "jspf", "cfm", "cfml",
];

/// Extensions of components that hold markup, scripts and style sheets. Their compilers read UTF-8 alone.
pub(crate) const COMPONENTS: &[&str] = &["vue", "svelte", "astro"];

/// Extensions of programs, some of which are HTML with code in it.
pub(crate) const CODE: &[&str] = &["php", "php3", "php4", "php5", "inc"];

pub(crate) const XHTML: &[&str] = &["xhtml", "xht"];
pub(crate) const SVG: &[&str] = &["svg"];
pub(crate) const FEEDS: &[&str] = &["atom", "rss", "rdf"];

/// Extensions of other XML.
pub(crate) const XML: &[&str] = &[
    "xml",
    "rdfs",
    "owl",
    "opml",
    "xsl",
    "xslt",
    "xsd",
    "rng",
    "sch",
    "dbk",
    "docbook",
    "dita",
    "ditamap",
    "jspx",
    "tagx",
    "tei",
    "ncx",
    "opf",
    "mml",
    "kml",
    "gpx",
    "gml",
    "rels",
    "page",
    "wsdl",
    "xul",
    "xspf",
    "smil",
    "dtd",
    "sitemap",
    "fb2",
    "ttml",
    "xlf",
    "xliff",
    "tmx",
    "pom",
    "csproj",
    "vbproj",
    "fsproj",
    "vcxproj",
    "nuspec",
    "resx",
    "xaml",
    "glade",
    "jnlp",
    "tld",
    "wxs",
    "wxi",
    "storyboard",
    "xib",
    "bpmn",
    "dmn",
    "ecore",
    "xmi",
    "xmp",
    "gir",
    "fodt",
    "fods",
    "fodp",
    "edmx",
    "dbml",
    "jrxml",
    "fxml",
    "zul",
    "runsettings",
    "ruleset",
    "dae",
    "x3d",
    "vxml",
    "wadl",
    "sbml",
    "musicxml",
];

pub(crate) const CSS: &[&str] = &["css"];

/// Extensions of messages, and of web pages that are saved as a message.
pub(crate) const MESSAGES: &[&str] = &["eml", "mht", "mhtml", "nws"];
pub(crate) const MAILBOXES: &[&str] = &["mbox", "mbx"];

/// Extensions of calendars, and of free/busy times.
pub(crate) const CALENDARS: &[&str] = &["ics", "ifb", "ical", "icalendar", "vcs"];
pub(crate) const CARDS: &[&str] = &["vcf", "vcard"];

/// Extensions of JSON, and of formats that are JSON.
pub(crate) const JSON: &[&str] = &[
    "json",
    "jsonld",
    "json5",
    "jsonc",
    "geojson",
    "topojson",
    "webmanifest",
    "har",
    "ipynb",
];
/// Extensions of tables whose head tells the delimiter, and of those with tabs.
pub(crate) const CSV: &[&str] = &["csv"];
pub(crate) const TSV: &[&str] = &["tsv", "tab"];
/// Extensions of SQL.
pub(crate) const SQL: &[&str] = &["sql"];
/// Extensions of JavaScript, and of TypeScript with JSX.
pub(crate) const JAVASCRIPT: &[&str] = &["js", "mjs", "cjs", "jsx", "tsx"];
/// Extensions of JavaScript that is UTF-8 whatever the page: modules (HTML Standard 8.1.4.2), and files that only
/// Node.js and compilers read.
const MODULES: &[&str] = &["mjs", "cjs", "jsx", "tsx"];
/// Extensions of TypeScript without JSX.
pub(crate) const TYPESCRIPT: &[&str] = &["ts", "mts", "cts"];
pub(crate) const PYTHON: &[&str] = &["py", "pyi", "pyw"];
/// Extensions of C, C++ and Objective-C.
const C: &[&str] = &[
    "c", "h", "cc", "hh", "cpp", "hpp", "cxx", "hxx", "c++", "h++", "mm",
];
const JAVA: &[&str] = &["java"];
const KOTLIN: &[&str] = &["kt", "kts"];
const CSHARP: &[&str] = &["cs"];
const GO: &[&str] = &["go"];
const RUST: &[&str] = &["rs"];
const SWIFT: &[&str] = &["swift"];
/// Extensions of languages with literals like those of C.
pub(crate) const LIKE_C: &[&[&str]] = &[C, JAVA, KOTLIN, CSHARP, GO, RUST, SWIFT];
pub(crate) const TOML: &[&str] = &["toml"];
pub(crate) const GETTEXT: &[&str] = &["po", "pot"];
pub(crate) const PROPERTIES: &[&str] = &["properties"];
pub(crate) const YAML: &[&str] = &["yaml", "yml"];
/// Extensions of TeX and BibTeX.
pub(crate) const TEX: &[&str] = &["tex", "ltx", "latex", "sty", "bib", "bbl", "dtx"];
/// Extensions of classes of LaTeX, and of classes of other languages.
const CLASSES: &[&str] = &["cls"];
pub(crate) const RTF: &[&str] = &["rtf"];
/// Extensions of JSON Lines.
pub(crate) const JSON_LINES: &[&str] = &["jsonl", "ndjson", "jsonlines", "geojsonl"];

/// Extensions of files that may be mail: their content decides.
const MAYBE_MAIL: &[&str] = &["txt", "text", "msg"];

/// Extensions of running text that programs in use read in the code page of the system, unless a mark says otherwise:
/// the registry, shells and initialization files of Windows, its installers and scripts, play lists, and Java before
/// version 18 (JEP 400).
const IN_CODE_PAGE: &[&str] = &[
    "reg", "bat", "cmd", "ini", "inf", "url", "vbs", "ps1", "psm1", "psd1", "nsi", "nsh", "iss",
    "rc", "m3u", "pls", "java",
];

/// Extensions of scripts that Windows signs within the file: PowerShell and Windows Script Host.
const WINDOWS_SCRIPTS: &[&str] = &[
    "ps1", "psm1", "psd1", "ps1xml", "cdxml", "mof", "vbs", "js", "wsf",
];

/// Extensions of other running text.
pub(crate) const TEXT: &[&str] = &["txt", "text", "log", "pod", "me", "nfo", "diff", "patch"];

pub(crate) const MARKDOWN: &[&str] = &["md", "markdown", "mdown", "mkd", "mdx"];
pub(crate) const RST: &[&str] = &["rst", "rest"];
/// Extensions of AsciiDoc; `asc` is one of signatures, too.
pub(crate) const ASCIIDOC: &[&str] = &["adoc", "asciidoc", "asc"];
pub(crate) const ORG: &[&str] = &["org"];
pub(crate) const TEXTILE: &[&str] = &["textile"];
pub(crate) const WIKITEXT: &[&str] = &["wiki", "mediawiki", "wikitext"];

/// Extensions of templates of any format: the extension in front tells the format; without one it is HTML.
const ENGINES: &[&str] = &[
    "j2",
    "jinja",
    "jinja2",
    "hbs",
    "handlebars",
    "mustache",
    "erb",
    "ejs",
    "twig",
    "ftl",
    "tpl",
    "liquid",
    "njk",
    "tt",
    "tmpl",
];

/// The format in which Markdown is read.
#[cfg(feature = "markdown")]
const AS_MARKDOWN: Format = Format::Markdown;
#[cfg(not(feature = "markdown"))]
const AS_MARKDOWN: Format = Format::Text;

const FORMATS: &[(Format, &[&[&str]])] = &[
    (Format::Html, &[HTML, PAGES, COMPONENTS]),
    (Format::Xml, &[XML, XHTML, SVG, FEEDS]),
    (Format::Css, &[CSS]),
    (Format::Text, &[TEXT]),
    (Format::Mail, &[MESSAGES]),
    (Format::Mailbox, &[MAILBOXES]),
    (Format::Calendar, &[CALENDARS]),
    (Format::VCard, &[CARDS]),
    (Format::Json, &[JSON]),
    (Format::JsonLines, &[JSON_LINES]),
    (Format::Sql, &[SQL]),
    (Format::Csv, &[CSV, TSV]),
    (Format::JavaScript, &[JAVASCRIPT, TYPESCRIPT]),
    (Format::Python, &[PYTHON]),
    (Format::C, LIKE_C),
    (Format::Toml, &[TOML]),
    (Format::Yaml, &[YAML]),
    (Format::Gettext, &[GETTEXT]),
    (Format::Properties, &[PROPERTIES]),
    (Format::Tex, &[TEX]),
    (Format::Rtf, &[RTF]),
    (AS_MARKDOWN, &[MARKDOWN]),
    (Format::Rst, &[RST]),
    (Format::MediaWiki, &[WIKITEXT]),
    (Format::AsciiDoc, &[ASCIIDOC]),
    (Format::Org, &[ORG]),
    (Format::Textile, &[TEXTILE]),
];

/// The format of a name, by its extension.
pub(crate) fn by_name(name: &str) -> Option<Format> {
    let extension = extension(file_of(name))?;
    let known = FORMATS
        .iter()
        .find(|(_, extensions)| is_one(extensions, extension));
    known.map(|&(format, _)| format)
}

/// True for the name of a component, which is UTF-8 by definition.
pub(crate) fn is_component(name: &str) -> bool {
    extension(file_of(name)).is_some_and(|extension| is_one(&[COMPONENTS], extension))
}

/// True for the name of a program that may be text in Czech.
pub(crate) fn may_be_czech(name: &str) -> bool {
    extension(file_of(name)).is_some_and(|extension| is_one(&[CSHARP], extension))
}

/// The language of a file whose literals are like those of C.
pub(crate) fn like_c(name: &str) -> Language {
    const LANGUAGES: &[(Language, &[&str])] = &[
        (Language::Java, JAVA),
        (Language::Kotlin, KOTLIN),
        (Language::CSharp, CSHARP),
        (Language::Go, GO),
        (Language::Rust, RUST),
        (Language::Swift, SWIFT),
    ];
    let mut known = LANGUAGES.iter();
    let extension = extension(file_of(name)).unwrap_or_default();
    let found = known.find(|(_, extensions)| is_one(&[extensions], extension));
    found.map_or(Language::C, |(language, _)| *language)
}

/// True for the name of TypeScript without JSX.
pub(crate) fn is_typescript(name: &str) -> bool {
    extension(file_of(name)).is_some_and(|extension| is_one(&[TYPESCRIPT], extension))
}

/// True for the name of JavaScript or TypeScript that is UTF-8 by definition.
pub(crate) fn is_module(name: &str) -> bool {
    extension(file_of(name)).is_some_and(|extension| is_one(&[MODULES, TYPESCRIPT], extension))
}

/// True for the name of a text that programs read in the code page of the system.
pub(crate) fn is_in_code_page(name: &str) -> bool {
    extension(file_of(name)).is_some_and(|extension| is_one(&[IN_CODE_PAGE], extension))
}

/// True for the name of a script that may hold a signature of Windows.
pub(crate) fn is_windows_script(name: &str) -> bool {
    extension(file_of(name)).is_some_and(|extension| is_one(&[WINDOWS_SCRIPTS], extension))
}

/// True for the name of a table with tabs.
pub(crate) fn has_tabs(name: &str) -> bool {
    extension(file_of(name)).is_some_and(|extension| is_one(&[TSV], extension))
}

/// True if the name leaves open whether the file is mail or text.
pub(crate) fn may_be_mail(name: &str) -> bool {
    extension(file_of(name)).is_some_and(|extension| is_one(&[MAYBE_MAIL], extension))
}

/// True if the name leaves open whether the file is AsciiDoc or armored text.
pub(crate) fn may_be_armor(name: &str) -> bool {
    extension(file_of(name)).is_some_and(|extension| extension.eq_ignore_ascii_case("asc"))
}

/// True for the name of a program, which may be HTML with code in it.
pub(crate) fn may_be_page(name: &str) -> bool {
    extension(file_of(name)).is_some_and(|extension| is_one(&[CODE], extension))
}

/// True for the name of a class, which may be one of LaTeX.
pub(crate) fn may_be_tex(name: &str) -> bool {
    extension(file_of(name)).is_some_and(|extension| is_one(&[CLASSES], extension))
}

/// The extension that tells the format of a file: `css` for `a.css.erb`, and that of HTML for `a.erb`.
pub(crate) fn extension(file: &str) -> Option<&str> {
    let (stem, extension) = file.rsplit_once('.')?;
    if !is_one(&[ENGINES], extension) {
        return Some(extension);
    }
    let inner = stem.trim_start_matches('.').rsplit_once('.');
    Some(inner.map_or("html", |(_, inner)| inner))
}

fn file_of(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// True if an extension is in one of the lists, in any case.
pub(crate) fn is_one(lists: &[&[&str]], extension: &str) -> bool {
    let mut known = lists.iter().copied().flatten();
    known.any(|known| known.eq_ignore_ascii_case(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(by_name("a/b.HTML"), Some(Format::Html));
        assert_eq!(by_name("a.b/c"), None);
        assert_eq!(by_name("feed.atom"), Some(Format::Xml));
        assert_eq!(by_name("mail.eml"), Some(Format::Mail));
        assert_eq!(by_name("x.css"), Some(Format::Css));
        assert_eq!(by_name("README.md"), Some(AS_MARKDOWN));
        assert_eq!(by_name("index.REST"), Some(Format::Rst));
    }

    #[test]
    fn templates_are_of_the_format_in_front_of_their_extension() {
        for engine in ENGINES {
            let engine = engine.to_uppercase();
            for (name, format) in [
                (format!("a/page.{engine}"), Some(Format::Html)),
                (format!("page.html.{engine}"), Some(Format::Html)),
                (format!("page.de.htm.{engine}"), Some(Format::Html)),
                (format!("style.css.{engine}"), Some(Format::Css)),
                (format!("feed.atom.{engine}"), Some(Format::Xml)),
                (format!("mail.txt.{engine}"), Some(Format::Text)),
                (format!(".{engine}"), Some(Format::Html)),
                // Only the content can decide.
                (format!("context.conf.{engine}"), None),
                (format!("a.html/{engine}"), None),
            ] {
                assert_eq!(by_name(&name), format, "{name}");
            }
        }
        for page in PAGES.iter().chain(COMPONENTS) {
            assert_eq!(by_name(&format!("x.{page}")), Some(Format::Html));
        }
    }
}
