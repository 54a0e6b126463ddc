//! Opening a document: its format, its charset, its base, and its reader.

use super::base::{Base, BaseResolver, Bases};
use super::context::ContextCache;
use super::document_reader::DocumentReader;
use super::guess;
use super::slot_reader::SlotReader;
use super::{
    Dialect, Info, MailPart, Normalizer, QueryCharsets, Settings, UnreadParts, assumed_charset,
};
use crate::charset::{
    Certainty, Charset, CharsetFrom, DeclarationSyntax, EXTENDED_HEAD, KnownBytes, Sniffed,
    response_charset, sniff, text_label,
};
use crate::format::{Format, file_names};
use crate::markup::content_lines::Object;
use crate::markup::light::{self, LineSettings, LineState, LineTokenizer};
use crate::markup::{
    CodeTokenizer, ContentLineTokenizer, CssTokenizer, CsvTokenizer, HtmlTokenizer, JsonLayout,
    JsonTokenizer, Language, MarkupSettings, PlainTokenizer, RtfTokenizer, SqlTokenizer, Step,
    Syntax, TexTokenizer, TextBytes, TextSlots, Tokenizer, When, Window, XmlTokenizer,
    YamlTokenizer, begins_php,
};
use crate::scan::{Scanner, TriggerFilter};
use linkglot_layer::{Decoded, Layer};
use linkglot_mail::field::FieldTokenizer;
use linkglot_mail::http::HttpTokenizer;
use std::borrow::Cow;
use std::sync::{Arc, LazyLock, OnceLock};

/// The properties of a document that follow from its start, and the length of its BOM in source bytes. `begin` holds
/// more than [`EXTENDED_HEAD`] bytes, or the `whole` document.
pub(crate) fn open(begin: &[u8], whole: bool, settings: &Settings) -> (Info, usize) {
    let head = &begin[..begin.len().min(Info::HEAD)];
    let declared = settings
        .format
        .or_else(|| by_name(settings.name.as_deref()?, head));
    let format = declared.unwrap_or_else(|| guess::by_content(head));
    let declaration = declaration(format, settings);
    // A fold may cut a character (RFC 5545 3.1).
    let unfolded = format.content_lines().map(|_| Layer::Folded.decode(begin));
    let text = unfolded.as_ref().map_or(begin, Decoded::bytes);
    let Sniffed {
        charset,
        from,
        certainty,
        known,
        bom_len,
        unknown,
    } = sniffed(text, whole, declaration, settings);
    let from = match (from, settings.charset) {
        // The header around the document gives the charset.
        (CharsetFrom::Caller, None) => CharsetFrom::Declaration,
        (from, _) => from,
    };
    let label = unknown.as_ref().map(|unknown| unknown.label.as_str());
    let assumed = label.and_then(|label| assumed_charset(&settings.assumed_charsets, label));
    let (charset, from) = match assumed {
        Some(charset) => (charset, CharsetFrom::Declaration),
        None => (charset, from),
    };
    let view = view_of_head(&head[bom_len..], charset);
    let is_hypertext = format == Format::Html || format == Format::Xml && guess::is_xhtml(&view);
    let response = match declaration {
        DeclarationSyntax::Html | DeclarationSyntax::Xml => response_charset(&view),
        _ => None,
    };
    let sent = response.unwrap_or(charset);
    let query_charsets = QueryCharsets::of(settings, format, sent, is_hypertext);
    // Java reads octets as ISO-8859-1, newer programs as UTF-8.
    let is_of_java = charset == Charset::UTF_8 || charset == Charset::WINDOWS_1252;
    let certainty = match format {
        Format::Properties if from == CharsetFrom::Detection && !is_of_java => Certainty::Unsure,
        _ => certainty,
    };
    let label = match from {
        CharsetFrom::Declaration => declared_label(begin, &view, (format, declaration), settings),
        _ => None,
    };
    let known = label
        .as_ref()
        .map_or(known, |label| KnownBytes::of_label(label));
    let has_label = label.is_some() || matches!(format, Format::Gettext | Format::Xml);
    let mut info = Info {
        format,
        charset,
        charset_from: from,
        certainty,
        known,
        has_label,
        declaration,
        unknown_charset: unknown.filter(|_| charset.is_replacement()),
        query_charset: query_charsets.document,
        query_charsets,
        is_hypertext,
        is_legacy: !charset.is_unicode(),
        base: settings.base.clone(),
        is_base_guessed: false,
        is_base_too_long: settings
            .part
            .as_ref()
            .is_some_and(|part| part.is_base_too_long),
        dialect: Dialect::of(settings.name.as_deref(), head).in_format(format),
        has_php: matches!(format, Format::Html | Format::Xml)
            && memchr::memmem::find_iter(&view, b"<?")
                .any(|at| begins_php(&view[at..]) == Some(true)),
        may_be_html: declared.is_none() && format == Format::Xml && is_hypertext,
        part: settings.part.clone(),
        unread: UnreadParts::default(),
        text_from: Arc::default(),
        has_base_element: false,
    };
    if let Some((base, is_ascii)) = base_of(begin, bom_len, whole, &info, settings) {
        set_base(&mut info, &base, is_ascii);
    }
    (info, bom_len)
}

/// Sets the base that an element of the document gives. `is_ascii`: the source bytes of the base are ASCII.
fn set_base(info: &mut Info, base: &str, is_ascii: bool) {
    info.has_base_element = true;
    let inner = BaseResolver::new(info).of_element(&Base::Document, base);
    info.is_base_too_long = inner.is_too_long(info.is_base_too_long);
    if !matches!(inner, Base::Document) {
        info.base = inner.or(None).map(Arc::from);
    }
    let known = info.known_to_read();
    let is_known = || base.chars().all(|ch| known.can_write(info.charset, ch));
    let is_sure = info.certainty == Certainty::Sure && (known == KnownBytes::ALL || is_known());
    info.is_base_guessed = !is_ascii && !is_sure;
}

/// The label by which a document, or the header around it, declares its charset.
fn declared_label(
    begin: &[u8],
    view: &[u8],
    (format, declaration): (Format, DeclarationSyntax),
    settings: &Settings,
) -> Option<String> {
    let of_part = settings.part.as_ref().and_then(|part| part.label.as_ref());
    match (of_part, format) {
        (Some(label), _) => Some(label.clone()),
        (None, Format::Xml) => guess::xml_encoding(view).map(str::to_owned),
        (None, _) => match declaration {
            // The header of messages may stand behind comments that are longer than the head.
            DeclarationSyntax::Mail | DeclarationSyntax::Coding => text_label(begin),
            _ => None,
        },
    }
}

/// The place where a document declares its charset.
fn declaration(format: Format, settings: &Settings) -> DeclarationSyntax {
    match (&settings.part, settings.name.as_deref()) {
        // The header of the part declares the charset, not its text.
        (Some(_), _) if format == Format::Text => DeclarationSyntax::Nowhere,
        (None, Some(name)) if format == Format::Html && file_names::is_component(name) => {
            DeclarationSyntax::Utf8
        }
        // Browsers read classic scripts in the charset of the page (HTML Standard 8.1.4.2).
        (_, name) if format == Format::JavaScript && !name.is_some_and(file_names::is_module) => {
            DeclarationSyntax::Local
        }
        (None, Some(name))
            if matches!(format, Format::Text | Format::C) && file_names::is_in_code_page(name) =>
        {
            DeclarationSyntax::Local
        }
        _ => format.declaration(),
    }
}

/// The charset of a document that begins with these bytes.
///
/// Text of a message whose header names no charset, or US-ASCII, is US-ASCII (RFC 2046 4.1.2): the meaning of other
/// bytes is unknown.
pub(crate) fn sniffed(
    begin: &[u8],
    whole: bool,
    declaration: DeclarationSyntax,
    settings: &Settings,
) -> Sniffed {
    let part = settings.part.as_deref();
    let declared = part.map_or(settings.declared_charset, |part| part.declared);
    let caller = settings.charset.or(declared);
    let mut sniffed = sniff(begin, whole, declaration, caller, settings.default_charset);
    let is_ascii = sniffed.from == CharsetFrom::Default && settings.default_charset.is_none();
    if is_ascii && part.is_some_and(MailPart::is_ascii_by_default) {
        sniffed.certainty = Certainty::Unsure;
    }
    sniffed
}

/// The format of a file by its name, as far as the name tells.
fn by_name(name: &str, head: &[u8]) -> Option<Format> {
    match file_names::by_name(name) {
        Some(Format::Text) if file_names::may_be_mail(name) => Some(guess::text_by_content(head)),
        Some(Format::Mailbox) if guess::is_other_mailbox(head) => Some(Format::Text),
        // A signature or a key.
        Some(Format::AsciiDoc) if head.trim_ascii_start().starts_with(b"-----BEGIN PGP ") => {
            Some(Format::Text)
        }
        Some(Format::AsciiDoc) if file_names::may_be_armor(name) && !is_asciidoc(head) => {
            Some(Format::Text)
        }
        Some(Format::C) if file_names::may_be_czech(name) && !is_csharp(head) => Some(Format::Text),
        // Translations of Qt.
        Some(Format::JavaScript)
            if file_names::is_typescript(name) && guess::by_content(head) == Format::Xml =>
        {
            Some(Format::Xml)
        }
        None => guess::by_name_and_content(name, head),
        known => known,
    }
}

/// True if a text has words of C#.
fn is_csharp(head: &[u8]) -> bool {
    const WORDS: &[&[u8]] = &[b"using ", b"namespace ", b"class "];
    let has = |word: &[u8]| memchr::memmem::find(head, word).is_some();
    has(b"{") && WORDS.iter().any(|word| has(word))
}

/// True if a text has a title, an attribute or a macro of AsciiDoc.
fn is_asciidoc(head: &[u8]) -> bool {
    const MACROS: &[&[u8]] = &[b"link:", b"image:", b"include::", b"xref:"];
    let is_entry = |line: &[u8]| {
        let name = line.strip_prefix(b":").unwrap_or_default();
        let end = name.iter().position(|byte| *byte == b':');
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_!".contains(byte);
        end.is_some_and(|end| end > 0 && name[..end].iter().all(is_name))
    };
    let is_title = |line: &[u8]| {
        let marks = line.iter().take_while(|byte| **byte == b'=').count();
        (1..=6).contains(&marks) && line.get(marks) == Some(&b' ')
    };
    let has_macro = |name: &&[u8]| memchr::memmem::find(head, name).is_some();
    let mut lines = head.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines.any(|line| is_title(line) || is_entry(line)) || MACROS.iter().any(has_macro)
}

/// True if the format of a document does not depend on its links: the format is given, or its first bytes decide
/// whatever the links. Quick; false when in doubt.
pub(crate) fn is_format_steady(head: &[u8], settings: &Settings) -> bool {
    let head = &head[..head.len().min(Info::HEAD)];
    if settings.format.is_some() {
        return true;
    }
    let name = settings.name.as_deref();
    match name.map(|name| (name, file_names::by_name(name))) {
        Some((name, Some(Format::Text))) if file_names::may_be_mail(name) => {
            guess::is_steady_text(head)
        }
        Some((name, Some(Format::C))) => !file_names::may_be_czech(name),
        Some((name, Some(Format::AsciiDoc))) => !file_names::may_be_armor(name),
        Some((name, Some(Format::JavaScript))) => {
            !file_names::is_typescript(name) || guess::is_steady(head)
        }
        Some((_, Some(_))) => true,
        Some((_, None)) | None => guess::is_steady(head),
    }
}

/// The reader of a document.
pub(crate) fn document_reader(info: &Info, settings: &Settings) -> DocumentReader {
    let scanner = settings.scanner(info.format);
    let markup = || MarkupSettings {
        has_php: info.has_php,
        ..markup_settings(info.charset.view(), &scanner, settings)
    };
    let field = info.part.as_ref().and_then(|part| part.field());
    let content_lines = |object| Box::new(ContentLineTokenizer::new(object, settings.max_slot));
    let name = settings.name.as_deref();
    let json = |layout| Box::new(JsonTokenizer::new(layout, name, settings.max_slot));
    let line_settings = LineSettings {
        comments: settings.comments,
        text: settings.text,
    };
    let lines = |state| {
        let tokenizer = LineTokenizer::new(state, settings.max_slot);
        Box::new(tokenizer.settings(line_settings))
    };
    let code = |language| Box::new(CodeTokenizer::new(language, settings.max_slot));
    let tokenizer: Box<dyn Tokenizer> = match (info.format, field) {
        (_, Some((name, syntax))) => Box::new(FieldTokenizer::new(name, syntax)),
        (Format::Html, _) => Box::new(HtmlTokenizer::new(&markup())),
        (Format::Xml, _) => Box::new(XmlTokenizer::new(&markup())),
        (Format::Css, _) => {
            Box::new(CssTokenizer::new(settings.max_slot).comments(settings.comments))
        }
        // The parts of mail are documents of their own.
        (Format::Mail | Format::Mailbox, _) => Box::new(PlainTokenizer::new()),
        (Format::Text, _) => Box::new(PlainTokenizer::of_document(settings.max_slot)),
        #[cfg(feature = "markdown")]
        (Format::Markdown, _) if info.dialect == Dialect::Braces => {
            light::tokenizer(Syntax::Mdx, settings.max_slot)
        }
        #[cfg(feature = "markdown")]
        (Format::Markdown, _) => light::tokenizer(Syntax::Markdown, settings.max_slot),
        (Format::Rst, _) => light::tokenizer(Syntax::Rst, settings.max_slot),
        (Format::MediaWiki, _) => lines(LineState::WIKITEXT),
        (Format::AsciiDoc, _) => lines(LineState::ASCIIDOC),
        (Format::Org, _) => lines(LineState::ORG),
        (Format::Textile, _) => lines(LineState::TEXTILE),
        (Format::Json, _) => json(JsonLayout::Documents),
        (Format::JsonLines, _) => json(JsonLayout::Lines),
        (Format::Sql, _) => Box::new(SqlTokenizer::new(settings.max_slot)),
        (Format::Csv, _) => {
            let tabs = name.is_some_and(file_names::has_tabs).then_some(b'\t');
            Box::new(CsvTokenizer::new(tabs, settings.max_slot))
        }
        (Format::Http, _) => Box::new(HttpTokenizer::default()),
        (Format::JavaScript, _) if name.is_some_and(file_names::is_typescript) => {
            code(Language::TypeScript)
        }
        (Format::JavaScript, _) => code(Language::JavaScript),
        (Format::Php, _) => code(Language::Php),
        (Format::Python, _) => code(Language::Python),
        (Format::C, _) => code(name.map_or(Language::C, file_names::like_c)),
        (Format::Toml, _) => code(Language::Toml),
        (Format::Yaml, _) => Box::new(YamlTokenizer::new(settings.max_slot)),
        (Format::Gettext, _) => code(Language::Gettext {
            keys: matches!(settings.text, TextSlots::Code | TextSlots::All),
        }),
        (Format::Properties, _) => code(Language::Properties),
        (Format::Tex, _) => Box::new(TexTokenizer::new(settings.text, settings.max_slot)),
        (Format::Rtf, _) => Box::new(RtfTokenizer::new(settings.max_slot)),
        (Format::Calendar, _) => content_lines(Object::Calendar),
        (Format::VCard, _) => content_lines(Object::Card),
    };
    let resolver = Arc::new(BaseResolver::new(info));
    let bases = Bases::new(resolver.clone(), settings.base.as_deref());
    let reader = SlotReader {
        resolver,
        contexts: ContextCache::default(),
        charset: info.charset.view(),
        identifiers: settings.identifiers,
        has_php: info.has_php,
        // Those of Rust, Kotlin and Swift do.
        nests_comments: info.format == Format::C,
        normalizer: Normalizer::new(info, settings.nfc),
        nested: match info.format {
            // Running text holds no documents.
            Format::Text => Box::new(HtmlTokenizer::default),
            _ => nested(&scanner, settings),
        },
        lines: line_settings,
        #[cfg(feature = "markdown")]
        surroundings: None,
        scanner,
    };
    DocumentReader::new(tokenizer, reader, bases)
}

/// The settings for reading markup.
fn markup_settings(charset: Charset, scanner: &Scanner, settings: &Settings) -> MarkupSettings {
    MarkupSettings {
        max_slot: settings.max_slot,
        text_bytes: text_bytes(charset, scanner),
        vocabulary: settings.vocabulary.clone(),
        text: settings.text,
        comments: settings.comments,
        labels: settings.labels,
        has_php: false,
    }
}

/// Makes the tokenizers of nested documents. Most documents have none.
fn nested(scanner: &Scanner, settings: &Settings) -> Box<dyn Fn() -> HtmlTokenizer + Send + Sync> {
    let (scanner, settings) = (scanner.clone(), settings.clone());
    let markup = OnceLock::new();
    Box::new(move || {
        let markup = markup.get_or_init(|| markup_settings(Charset::UTF_8, &scanner, &settings));
        HtmlTokenizer::new(markup)
    })
}

/// The bytes that are in every run of text with a link: a colon or a dot in a word, an ideographic full stop, or a
/// reference to one of them, unless the scanner sees a reason against a link.
fn text_bytes(charset: Charset, scanner: &Scanner) -> TextBytes {
    static UTF_8: LazyLock<TextBytes> = LazyLock::new(|| with_stop(Charset::UTF_8));
    let bytes = if charset == Charset::UTF_8 {
        UTF_8.clone()
    } else {
        with_stop(charset)
    };
    let filter = TriggerFilter::new(scanner, charset, true);
    bytes.judged(move |run, at| filter.may_be_link(run, at))
}

fn with_stop(charset: Charset) -> TextBytes {
    let mut stop = Vec::new();
    // Nothing is written if the charset lacks the full stop.
    let _ = charset.encode("。", &mut stop);
    let ascii = [
        (b':', When::Followed),
        (b'.', When::Followed),
        (b'&', When::Reference),
    ];
    TextBytes::of(ascii, &stop)
}

/// The head as tokenizers see it.
fn view_of_head(head: &[u8], charset: Charset) -> Cow<'_, [u8]> {
    if charset.is_ascii_compatible() {
        return Cow::Borrowed(head);
    }
    match charset.decode(head) {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// The text of the first `<base href>` in the extended head, and true if its bytes are ASCII.
fn base_of(
    begin: &[u8],
    bom_len: usize,
    whole: bool,
    info: &Info,
    settings: &Settings,
) -> Option<(String, bool)> {
    if !matches!(info.format, Format::Html | Format::Xml) {
        return None;
    }
    let whole = whole && begin.len() <= EXTENDED_HEAD;
    let head = &begin[bom_len..begin.len().min(EXTENDED_HEAD)];
    let view = &*view_of_head(head, info.charset);
    let may = match info.format {
        // Rows of users may name any elements.
        Format::Html if settings.vocabulary.is_built_in() => guess::may_have_html_base(view),
        Format::Html => guess::may_have_base(view),
        // And names in any case.
        Format::Xml if settings.vocabulary.is_built_in() => guess::may_have_xml_base(view),
        _ => guess::may_have_base(view),
    };
    if !may {
        return None;
    }
    let mut reader = document_reader(info, settings);
    let window = Window {
        bytes: view,
        last: whole,
        charset: info.charset.view(),
    };
    let (mut cursor, mut found) = (0, Vec::new());
    loop {
        found.clear();
        match reader.step(window, &mut cursor, &mut found) {
            Step::Slot(slot) if slot.syntax == Syntax::Base => {
                let Some(base) = found.first() else {
                    return Some((String::new(), true));
                };
                let raw = view.get(base.range.clone());
                let is_ascii = raw.is_some_and(<[u8]>::is_ascii);
                return Some((base.text.text().to_owned(), is_ascii));
            }
            Step::NeedMore | Step::End => return None,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use proptest::prelude::*;

    fn links(page: &str, format: Format) -> usize {
        let settings = Settings {
            format: Some(format),
            charset: Some(Charset::UTF_8),
            ..Settings::default()
        };
        Document::new(page.as_bytes(), &settings).links().count()
    }

    #[test]
    fn bases_of_xml() {
        let base = |page: &str, settings: &Settings| open(page.as_bytes(), true, settings).0.base;
        let mut settings = Settings {
            format: Some(Format::Xml),
            ..Settings::default()
        };
        let of = |name: &str, namespace: &str| {
            format!("<r xmlns='{namespace}'><{name} href='http://a.example/'/></r>")
        };
        let xhtml = "http://www.w3.org/1999/xhtml";
        let known = Some("http://a.example/".into());
        assert_eq!(base(&of("base", xhtml), &settings), known);
        assert_eq!(base(&of("Base", xhtml), &settings), None);
        assert_eq!(base(&of("Base", "urn:x"), &settings), None);
        let rows = "urn:x\tBase\thref\tbase\trewrite";
        let extended = settings.vocabulary.extended(rows);
        settings.vocabulary = extended.expect("a row");
        assert_eq!(base(&of("Base", "urn:x"), &settings), known);
    }

    /// Pieces of links of running text, and of their surroundings.
    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "mailto", "http", "tel", "about", "urn", ":", ".", "//", "。", "a", "example", "com",
            "www", "@", " ", "\n", "(", ">", "é", "日本", "1", "x-y", "&amp;", "&#46;", "&colon;",
            "&period;", "&nbsp;", "&gt;", "&#x3A;", "&#x2e;", "&#12290;", "&#99;", "/", "-", "@b",
        ]);
        prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        /// Runs that are left out hold no links: a second link makes each run a piece that is not left out.
        #[test]
        fn no_link_is_left_out(text in pieces()) {
            let page = |text: &str| format!("<p>{text}</p>");
            let found = links(&page(&text), Format::Html);
            // The same run, with another link so that it is read.
            let with = links(&page(&format!("{text} \u{2603} http://a.example/")), Format::Html);
            prop_assert_eq!(found + 1, with, "{}", text);
        }
    }
}
