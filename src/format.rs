//! Formats of documents, and types of files by their names.

pub(crate) mod file_names;
mod file_type;

use crate::markup::content_lines::Object;
pub use file_type::FileType;
use linkglot_charset::DeclarationSyntax;

/// The format of a document, which decides about its reading.
///
/// ```
/// use linkglot::{Document, Settings, format::Format};
///
/// let mut settings = Settings::default();
/// settings.name = Some("notes.rst".to_owned());
/// assert_eq!(Document::new(b"see `a <b.html>`_", &settings).info().format, Format::Rst);
/// assert_eq!(Format::Rst.name(), "rst");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Running text, also logs and source code.
    Text,
    /// HTML, by the WHATWG tokenizer's rules.
    Html,
    /// XML of any vocabulary, XHTML included.
    Xml,
    /// CSS style sheets.
    Css,
    /// Markdown: CommonMark with GitHub's additions. Needs the feature `markdown`.
    #[cfg(feature = "markdown")]
    Markdown,
    /// reStructuredText.
    Rst,
    /// A message (RFC 5322) with its header fields and parts; a web page saved as MHTML.
    Mail,
    /// A mailbox (RFC 4155): messages one after the other.
    Mailbox,
    /// A calendar: iCalendar (RFC 5545) or vCalendar 1.0.
    Calendar,
    /// vCards (RFC 6350, RFC 2426, vCard 2.1).
    VCard,
    /// JSON (RFC 8259): a document, or several one after the other (RFC 7464).
    Json,
    /// JSON Lines: a document of JSON in each line.
    JsonLines,
    /// SQL: dumps of MySQL, MariaDB, PostgreSQL and SQLite, and other scripts.
    Sql,
    /// CSV (RFC 4180), with commas, semicolons, bars or tabs.
    Csv,
    /// The header of a message of HTTP (RFC 9112), in archives of the web.
    Http,
    /// JavaScript and TypeScript, perhaps with JSX.
    JavaScript,
    /// PHP, with text around the code.
    Php,
    /// Python.
    Python,
    /// C, C++, Objective-C, and languages with such literals: Java, Kotlin, C#, Go, Rust, Swift.
    C,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
    /// Messages of gettext: PO files and their templates.
    Gettext,
    /// Java's properties.
    Properties,
    /// TeX and BibTeX.
    Tex,
    /// RTF (Rich Text Format 1.9.1).
    Rtf,
    /// Wikitext, the markup of MediaWiki.
    MediaWiki,
    /// AsciiDoc.
    AsciiDoc,
    /// Org, the markup of Emacs' Org mode.
    Org,
    /// Textile, the markup of Redmine and Textpattern.
    Textile,
}

impl Format {
    /// The name of the format on the command line and in JSON.
    ///
    /// ```
    /// assert_eq!(linkglot::Format::Html.name(), "html");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Html => "html",
            Format::Xml => "xml",
            Format::Css => "css",
            #[cfg(feature = "markdown")]
            Format::Markdown => "markdown",
            Format::Rst => "rst",
            Format::Mail => "mail",
            Format::Mailbox => "mbox",
            Format::Calendar => "ics",
            Format::VCard => "vcf",
            Format::Json => "json",
            Format::JsonLines => "jsonl",
            Format::Sql => "sql",
            Format::Csv => "csv",
            Format::Http => "http",
            Format::JavaScript => "js",
            Format::Php => "php",
            Format::Python => "python",
            Format::C => "c",
            Format::Toml => "toml",
            Format::Yaml => "yaml",
            Format::Gettext => "po",
            Format::Properties => "properties",
            Format::Tex => "tex",
            Format::Rtf => "rtf",
            Format::MediaWiki => "mediawiki",
            Format::AsciiDoc => "asciidoc",
            Format::Org => "org",
            Format::Textile => "textile",
        }
    }

    /// The syntax in which documents of the format declare their charset.
    ///
    /// ```
    /// use linkglot::{DeclarationSyntax, Format};
    ///
    /// assert_eq!(Format::Text.declaration(), DeclarationSyntax::Mail);
    /// ```
    pub fn declaration(self) -> DeclarationSyntax {
        match self {
            Format::Text
            | Format::JavaScript
            | Format::Php
            | Format::Python
            | Format::C
            | Format::Tex
            | Format::Gettext
            | Format::Mail
            | Format::Mailbox => DeclarationSyntax::Mail,
            Format::Html => DeclarationSyntax::Html,
            Format::Xml => DeclarationSyntax::Xml,
            Format::Css => DeclarationSyntax::Css,
            #[cfg(feature = "markdown")]
            Format::Markdown => DeclarationSyntax::Nowhere,
            // UTF-8 (RFC 5545 3.1.4, RFC 6350 3.1), except for single properties of old versions.
            Format::Calendar | Format::VCard => DeclarationSyntax::Utf8,
            // RFC 8259 8.1.
            Format::Json | Format::JsonLines => DeclarationSyntax::Utf8,
            Format::Sql => DeclarationSyntax::Sql,
            Format::Http | Format::Csv => DeclarationSyntax::Nowhere,
            // ISO-8859-1, or UTF-8 for newer programs.
            Format::Properties => DeclarationSyntax::Local,
            // TOML 1.0: UTF-8.
            Format::Toml => DeclarationSyntax::Utf8,
            // YAML 1.2, 5.2: Unicode.
            Format::Yaml => DeclarationSyntax::Utf8,
            Format::Rst => DeclarationSyntax::Coding,
            // The charsets of RTF are those of its fonts; characters that are no escapes have none.
            Format::MediaWiki | Format::AsciiDoc | Format::Textile | Format::Rtf => {
                DeclarationSyntax::Nowhere
            }
            // `-*- coding: ... -*-`.
            Format::Org => DeclarationSyntax::Coding,
        }
    }

    /// True if a document is read as a whole, because its end may change the reading of its beginning.
    pub(crate) fn is_light(self) -> bool {
        match self {
            #[cfg(feature = "markdown")]
            Format::Markdown => true,
            other => other == Format::Rst,
        }
    }

    /// True if documents of the format are messages, whose parts are documents of their own.
    ///
    /// ```
    /// use linkglot::Format;
    ///
    /// assert!(Format::Mailbox.is_mail() && !Format::Text.is_mail());
    /// ```
    pub fn is_mail(self) -> bool {
        matches!(self, Format::Mail | Format::Mailbox)
    }

    /// The object that documents of the format describe in content lines.
    pub(crate) fn content_lines(self) -> Option<Object> {
        match self {
            Format::Calendar => Some(Object::Calendar),
            Format::VCard => Some(Object::Card),
            _ => None,
        }
    }
}
