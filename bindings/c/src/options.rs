//! Options for reading documents.

use crate::border::{option, sized};
use crate::error::Failure;
use linkglot::{
    Breaks, Charset, CommentSlots, Error, Format, Profile, QueryCharset, Settings, TextSlots,
};
use linkglot_iri::target::Reading;
use std::ffi::c_char;

/// Links know their line and column. Costs a pass over the document.
pub const LG_LOCATE: u32 = 1;
/// Plain text is `format=flowed` with `DelSp=yes` (RFC 3676): links go over its line breaks. Parts of mail declare it
/// themselves.
pub const LG_FLOWED: u32 = 1 << 1;
/// Links of plain text go over the line breaks of a wrapped paragraph.
pub const LG_JOIN_WRAPPED: u32 = 1 << 2;
/// The text of header fields of mail is read (Subject, Comments ...), besides the fields that hold links.
pub const LG_HEADERS: u32 = 1 << 3;
/// The string literals of scripts and event handlers in HTML are read.
pub const LG_CODE: u32 = 1 << 4;
/// The comments of HTML and XML are read.
pub const LG_COMMENTS: u32 = 1 << 5;
/// Identifiers that are no links to follow (Atom ids ...) are listed. Only rules change them.
pub const LG_IDENTIFIERS: u32 = 1 << 6;

const ALL_FLAGS: u32 = (LG_IDENTIFIERS << 1) - 1;

/// Options for reading. NULL and 0 are the defaults, those of the command line: `lg_options options = {.size = sizeof
/// options, .format = "html"};`. All texts end with a NUL and are read during the call only.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lg_options {
    /// `sizeof(lg_options)`, so that later versions can add options.
    pub size: usize,
    /// The format by its name in `linkglot find --help` (`html`, `mail`, `markdown` ...), or `auto`: by name and
    /// content. By default `text` for `lg_find_utf8`, `lg_find_utf16` and `lg_find_bytes`, `auto` elsewhere.
    pub format: *const c_char,
    /// The charset, by a label; overrides everything but a byte order mark.
    pub charset: *const c_char,
    /// The charset that a header around the document declares, as in HTTP; overrides the document's declaration.
    pub declared_charset: *const c_char,
    /// The charset when neither a declaration nor sure detection decides.
    pub default_charset: *const c_char,
    /// The base for relative references, if the document gives none: an IRI with a scheme.
    pub base: *const c_char,
    /// The name of the document, for its extension.
    pub name: *const c_char,
    /// Rules for links in running text: `extended`, `uts58` or `scheme`.
    pub detect: *const c_char,
    /// The charset of non-ASCII in http(s) queries: `document` or `utf-8`.
    pub query_charset: *const c_char,
    /// The most bytes of a slot; longer slots get the note `too-long`. 0 for 1 MiB.
    pub max_slot: usize,
    /// The sum of `LG_LOCATE` and other flags.
    pub flags: u32,
}

/// The formats by their names.
const FORMATS: [Format; 28] = [
    Format::Text,
    Format::Html,
    Format::Xml,
    Format::Css,
    Format::Markdown,
    Format::Rst,
    Format::Mail,
    Format::Mailbox,
    Format::Calendar,
    Format::VCard,
    Format::Json,
    Format::JsonLines,
    Format::Sql,
    Format::Csv,
    Format::JavaScript,
    Format::Php,
    Format::Python,
    Format::C,
    Format::Toml,
    Format::Yaml,
    Format::Gettext,
    Format::Properties,
    Format::Tex,
    Format::Rtf,
    Format::MediaWiki,
    Format::AsciiDoc,
    Format::Org,
    Format::Textile,
];

const PROFILES: [(&str, Profile); 3] = [
    ("extended", Profile::Extended),
    ("uts58", Profile::Uts58),
    ("scheme", Profile::Scheme),
];

const QUERIES: [(&str, QueryCharset); 2] = [
    ("document", QueryCharset::Document),
    ("utf-8", QueryCharset::Utf8),
];

/// A value by its name.
pub(crate) fn choice<T: Copy>(option: &str, name: &str, table: &[(&str, T)]) -> Result<T, Failure> {
    let found = table.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
        expected(option, &names, name)
    })
}

fn expected(option: &str, names: &[&str], found: &str) -> Failure {
    let names = names.join(", ");
    Failure::argument(format!(
        "{option}: expected one of {names}, found {found:?}"
    ))
}

pub(crate) fn charset(option: &str, label: &str) -> Result<Charset, Failure> {
    let known = Charset::for_label(label).map_err(Error::from);
    known.map_err(|error| Failure::argument(format!("{option}: {error}")))
}

/// `None` for auto.
fn format(name: &str) -> Result<Option<Format>, Failure> {
    let mut formats = FORMATS.into_iter();
    match formats.find(|format| format.name() == name) {
        None if name != "auto" => {
            let names = FORMATS.map(Format::name);
            Err(expected("format", &[&["auto"], &names[..]].concat(), name))
        }
        found => Ok(found),
    }
}

/// A base, which browsers must accept as a URL: otherwise nothing would resolve against it.
fn base(text: &str) -> Result<&str, Failure> {
    let reading = Reading {
        base: None,
        query: Charset::UTF_8,
    };
    let has_scheme = linkglot_iri::Parts::split(text).scheme().is_some();
    if has_scheme && reading.resolve(text).is_some() {
        return Ok(text);
    }
    Err(Failure::argument(format!(
        "base: expected an IRI that links can be resolved against, found {text:?}"
    )))
}

/// The settings for reading; `default` is the format if none is asked for.
///
/// # Safety
///
/// `given` is NULL or points to options whose texts are NULL or end with a NUL.
pub(crate) unsafe fn settings(
    given: *const lg_options,
    default: Option<Format>,
) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    settings.format = default;
    settings.labels = true;
    if given.is_null() {
        return Ok(settings);
    }
    // SAFETY: the caller's word.
    let given: lg_options = unsafe { sized("lg_options", given) }?;
    // SAFETY: the caller's word.
    let option = |name: &str, text: *const c_char| unsafe { option(name, text) };
    if let Some(name) = option("format", given.format)? {
        settings.format = format(name)?;
    }
    let charset_of = |name: &str, label: *const c_char| {
        let label = option(name, label)?;
        label.map(|label| charset(name, label)).transpose()
    };
    settings.charset = charset_of("charset", given.charset)?;
    settings.declared_charset = charset_of("declared_charset", given.declared_charset)?;
    settings.default_charset = charset_of("default_charset", given.default_charset)?;
    if let Some(text) = option("base", given.base)? {
        settings.base = Some(base(text)?.into());
    }
    settings.name = option("name", given.name)?.map(str::to_owned);
    if let Some(name) = option("detect", given.detect)? {
        settings.detect = choice("detect", name, &PROFILES)?;
    }
    if let Some(name) = option("query_charset", given.query_charset)? {
        settings.query_charset = Some(choice("query_charset", name, &QUERIES)?);
    }
    if given.max_slot > 0 {
        settings.max_slot = given.max_slot;
    }
    flagged(settings, given.flags)
}

fn flagged(mut settings: Settings, flags: u32) -> Result<Settings, Failure> {
    if flags & !ALL_FLAGS != 0 {
        let unknown = flags & !ALL_FLAGS;
        return Err(Failure::argument(format!(
            "flags: expected LG_LOCATE and the like, found {unknown:#x}"
        )));
    }
    let has = |flag: u32| flags & flag != 0;
    settings.locate = has(LG_LOCATE);
    settings.header_text = has(LG_HEADERS);
    settings.identifiers = has(LG_IDENTIFIERS);
    if has(LG_FLOWED) {
        settings.breaks = settings.breaks.with(Breaks::FLOWED);
    }
    if has(LG_JOIN_WRAPPED) {
        settings.breaks = settings.breaks.with(Breaks::WRAPPED);
    }
    if has(LG_CODE) {
        settings.text = TextSlots::Code;
        settings.vocabulary = settings.vocabulary.with_code();
    }
    if has(LG_COMMENTS) {
        settings.comments = CommentSlots::All;
    }
    Ok(settings)
}
