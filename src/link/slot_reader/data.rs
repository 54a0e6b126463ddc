//! Strings of data, whose content tells how they are read.

use super::super::window_link::{Length, Measure};
use super::{Base, Level, Nesting, SlotReader, WindowLink, covered, guess, literals, values};
use crate::charset::{Charset, MappedText};
use crate::markup::light::LineState;
use crate::markup::values::Reference;
use crate::markup::{
    Access, CodeTokenizer, Escaping, JsonLayout, JsonTokenizer, Language, PlaceKind, RevisionText,
    SerializedString, SharedPlace, Slots, Syntax, Tokenizer, is_json, serialized_strings,
    vocabulary,
};
use crate::notes::Note;
use crate::scan::{Evidence, Kind};
use std::borrow::Cow;
use std::ops::Range;

/// True if a string lists several IRIs with a scheme.
fn is_list(text: &str) -> bool {
    text.match_indices("://").skip(1).any(|(at, _)| {
        let before = text[..at].trim_end_matches(|ch: char| ch.is_ascii_alphanumeric());
        before.ends_with([',', ';', '|'])
    })
}

/// True if a string is read as HTML. A literal of a program may hold a part of a tag, which is running text. Programs
/// in languages such as Python fill in their pages.
fn is_html(escaping: Escaping, text: &str) -> bool {
    let is_html = || guess::has_tag(text.as_bytes()) || text.contains("<!-- wp:");
    match escaping {
        Escaping::Literal(style) if style.escapes.is_of_source() => false,
        Escaping::Literal(_) => is_html() && !literals::ends_in_tag(text),
        _ => is_html(),
    }
}

/// True if a string may be the part of a sentence that code puts together.
fn may_be_part(escaping: Escaping) -> bool {
    match escaping {
        Escaping::Literal(style) => {
            style.escapes.is_of_source() && (style.goes_on_before || style.goes_on_behind)
        }
        _ => false,
    }
}

/// The code of a cell with blanks for the lines that are commands (`!wget`, `%matplotlib`), whose quotation marks are
/// none of the program. O(length).
fn without_commands(code: &str) -> Cow<'_, str> {
    let is_command = |line: &str| match line.trim_ascii_start().as_bytes() {
        [b'!', next, ..] => *next != b'=',
        [b'%', next, ..] => *next == b'%' || next.is_ascii_alphabetic(),
        _ => false,
    };
    if !code.lines().any(is_command) {
        return Cow::Borrowed(code);
    }
    let mut program = String::with_capacity(code.len());
    for line in code.split_inclusive('\n') {
        if is_command(line) {
            let ending = line.len() - line.trim_end_matches(['\n', '\r']).len();
            program.extend(std::iter::repeat_n(' ', line.len() - ending));
            program.push_str(&line[line.len() - ending..]);
        } else {
            program.push_str(line);
        }
    }
    Cow::Owned(program)
}

/// The reading of bytes between the slots of a document of data.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    Nothing,
    Text,
}

impl SlotReader {
    /// The links of a string of data: an IRI, serialized data, JSON, HTML or running text.
    pub(super) fn read_data<'t>(
        &self,
        level: &Level<'_>,
        raw: &'t str,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let first = out.len();
        let text = level.escaping.unescape(raw);
        self.read_content(level, &text, raw, out);
        covered::mark(level.escaping, &text, &mut out[first..]);
        match level.escaping {
            Escaping::Literal(style) => literals::mark(style, raw, &mut out[first..]),
            Escaping::SqlString(style) => literals::mark_sql(style, raw, &mut out[first..]),
            _ => {}
        }
    }

    fn read_content<'t>(
        &self,
        level: &Level<'_>,
        text: &MappedText<'t>,
        raw: &'t str,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let evidence = self.evidence_of_whole(text.text());
        if let Some(evidence) = evidence.filter(|_| !may_be_part(level.escaping)) {
            let mut only = Reference::whole(text.text(), PlaceKind::Value);
            if vocabulary::is_namespace(text.text()) {
                only.access = Access::Identifier;
            }
            let found = self.part_of(level, &level.nesting, text, only);
            out.extend(found.map(|found| WindowLink { evidence, ..found }));
        } else if let Some((strings, charset)) = serialized_strings(text.text(), self.charset) {
            self.read_serialized(level, text, (&strings, charset), out);
        } else if is_json(text.text().as_bytes()) {
            self.read_nested_json(level, text, out);
        } else if is_html(level.escaping, text.text()) {
            self.read_nested(level, text, out);
        } else {
            self.read_light_text(level, raw, out);
        }
    }

    /// The evidence that a whole string is one link: an IRI, or a reference that lacks nothing but its scheme
    /// (`//cdn.example.org/a`), which has the evidence of its domain in running text.
    fn evidence_of_whole(&self, text: &str) -> Option<Evidence> {
        if values::is_iri(text) {
            return (!is_list(text)).then_some(Evidence::Markup);
        }
        let rest = text.strip_prefix("//")?;
        let hit = self.scanner.links(rest).next()?;
        let is_whole = (hit.span.start, hit.span.end) == (0, rest.len());
        (is_whole && hit.kind == Kind::Domain).then_some(hit.evidence)
    }

    /// The links of serialized data, the text of `outer`, with the lengths that count them.
    fn read_serialized<'t>(
        &self,
        level: &Level<'_>,
        outer: &MappedText<'t>,
        (strings, charset): (&[SerializedString], Option<Charset>),
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let depth = level.layers.as_slice().len();
        let Some(layers) = level.layers.inside(Escaping::Serialized) else {
            return;
        };
        let inner = Level {
            layers,
            escaping: Escaping::Serialized,
            syntax: Syntax::Data,
            ..level.clone()
        };
        for SerializedString { digits, content } in strings {
            if out.len() > level.most_links {
                return;
            }
            let Some(raw) = outer.text().get(content.clone()) else {
                continue;
            };
            let mut found = Vec::new();
            self.read_level(&inner, raw, &mut found);
            out.extend(found.into_iter().map(|found| {
                let mut found = found.moved(content.start);
                found.lengths.add(Length {
                    measure: Measure::Serialized,
                    digits: digits.clone(),
                    depth,
                    charset,
                });
                found.through(outer)
            }));
        }
    }

    /// The links of the text of a revision, with the length and the digests that count them.
    pub(super) fn read_revision<'t>(
        &self,
        level: &Level<'_>,
        raw: &'t str,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let Some(revision) = RevisionText::read(raw.as_bytes()) else {
            return;
        };
        let Some(content) = raw.get(revision.content.clone()) else {
            return;
        };
        let wikitext = Level {
            syntax: Syntax::Lines(LineState::WIKITEXT),
            ..level.clone()
        };
        let length = |measure: fn(Range<usize>) -> Measure, digits: &Range<usize>| Length {
            measure: measure(revision.content.clone()),
            digits: digits.clone(),
            depth: level.layers.as_slice().len(),
            charset: Some(Charset::UTF_8),
        };
        let mut found = Vec::new();
        self.read_level(&wikitext, content, &mut found);
        out.extend(found.into_iter().map(|found| {
            let mut found = found.moved(revision.content.start);
            for digest in &revision.digests {
                found.lengths.add(length(Measure::Sha1, digest));
            }
            if let Some(octets) = &revision.length {
                found.lengths.add(length(Measure::Octets, octets));
            }
            found
        }));
    }

    /// The links of a JSON document whose source is the text of `outer`.
    fn read_nested_json<'t>(
        &self,
        level: &Level<'_>,
        outer: &MappedText<'t>,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let tokenizer = JsonTokenizer::new(JsonLayout::Documents, None, usize::MAX);
        self.read_within(level, outer, tokenizer, out);
    }

    /// The links of a script.
    pub(super) fn read_script<'t>(
        &self,
        level: &Level<'_>,
        language: Language,
        raw: &'t str,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let text = level.escaping.unescape(raw);
        let tokenizer = CodeTokenizer::of_listing(language, text.text());
        self.read_within(level, &text, tokenizer, out);
    }

    /// The links of a cell of a notebook.
    pub(super) fn read_cell<'t>(
        &self,
        level: &Level<'_>,
        language: Language,
        raw: &'t str,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let text = level.escaping.unescape(raw);
        let program = without_commands(text.text());
        let tokenizer = CodeTokenizer::of_listing(language, &program);
        let slots = Slots::new(tokenizer, program.as_bytes(), Charset::UTF_8);
        self.read_slots(level, &text, (slots, Between::Text), out);
    }

    /// The links of a document of data whose source is the text of `outer`.
    fn read_within<'t>(
        &self,
        level: &Level<'_>,
        outer: &MappedText<'t>,
        tokenizer: impl Tokenizer,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let slots = Slots::new(tokenizer, outer.text().as_bytes(), Charset::UTF_8);
        self.read_slots(level, outer, (slots, Between::Nothing), out);
    }

    /// The links in the slots of the text of `outer`, and between them.
    fn read_slots<'t>(
        &self,
        level: &Level<'_>,
        outer: &MappedText<'t>,
        (mut slots, between): (Slots<'_, impl Tokenizer>, Between),
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let source = outer.text();
        let nesting = level.nesting.inside(level.place);
        let mut done = 0;
        loop {
            let slot = slots.next();
            let next = slot.as_ref().map_or(source.len(), |slot| slot.range.start);
            if between == Between::Text {
                self.read_between((level, &nesting), outer, done..next, out);
            }
            let Some(slot) = slot else { return };
            done = slot.range.end;
            let access = slot.access.inside(level.access);
            let (Some(raw), Some(layers)) = (
                source.get(slot.range.clone()),
                level.layers.inside(slot.escaping),
            ) else {
                continue;
            };
            if !self.reads(access) {
                continue;
            }
            if out.len() > level.most_links {
                return;
            }
            let inner = Level {
                layers,
                escaping: slot.escaping,
                syntax: slot.syntax,
                access,
                place: &slot.place,
                nesting: nesting.clone(),
                // Scopes of contexts are not followed.
                under: if slots.tokenizer().bases().is_empty() {
                    level.under.clone()
                } else {
                    Base::Own(None)
                },
                most_links: level.most_links,
            };
            let mut found = Vec::new();
            self.read_level(&inner, raw, &mut found);
            let is_malformed = slots.tokenizer().is_malformed();
            out.extend(found.into_iter().map(|mut found| {
                if is_malformed {
                    found.notes.insert(Note::ReadAsText);
                }
                found.moved(slot.range.start).through(outer)
            }));
        }
    }

    /// The links of running text between the strings of a program, a range of the text of `outer`.
    fn read_between<'t>(
        &self,
        (level, nesting): (&Level<'_>, &Nesting),
        outer: &MappedText<'t>,
        range: Range<usize>,
        out: &mut Vec<WindowLink<'t>>,
    ) {
        let (Some(raw), Some(layers)) = (
            outer.text().get(range.clone()),
            level.layers.inside(Escaping::None),
        ) else {
            return;
        };
        if out.len() > level.most_links {
            return;
        }
        let inner = Level {
            layers,
            escaping: Escaping::None,
            syntax: Syntax::Text,
            place: &SharedPlace::TEXT,
            nesting: nesting.clone(),
            ..level.clone()
        };
        let mut found = Vec::new();
        self.read_level(&inner, raw, &mut found);
        let found = found.into_iter();
        out.extend(found.map(|found| found.moved(range.start).through(outer)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;
    use crate::link::{Settings, document_reader, open};
    use crate::markup::{
        Backslash, CommentSlots, CsvStyle, Run, SharedPlace, Slot, SqlStyle, TextSlots, YamlStyle,
        may_hold_link,
    };
    use proptest::prelude::*;

    /// Pieces of links of all that a string of data may hold, and of their surroundings.
    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "http",
            "mailto",
            "urn",
            "s",
            "3",
            "a",
            "example",
            "com",
            "www",
            "www.",
            " ",
            "-",
            "/",
            "//",
            ".",
            ". ",
            ":",
            "@",
            "&",
            "#46",
            ";",
            "&period;",
            "&#58;",
            "%2e",
            "\\n",
            "\\r",
            "\\t",
            "\\\\",
            "\\'",
            "\\\"",
            "\\x2e",
            "\\.",
            "\\u002e",
            "\\056",
            "''",
            "\"",
            "\"\"",
            "'",
            "\n",
            "é",
            "日本",
            "。",
            "．",
            "ａ",
            "：",
            "’",
            "<p>",
            "</p>",
            "<br/>",
            "<b>",
            "<a href",
            "=",
            "<base ",
            "<img src",
            "<style>",
            "</style>",
            "url(a)",
            "@import 'a'",
            "<script>",
            "</script>",
            "<!--",
            "-->",
            "<!DOCTYPE a SYSTEM 'b'>",
            "<?a b?>",
            "<![CDATA[",
            ">",
            "<",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "{\"url\"",
            ",",
            "a.b",
            "s:3:\"a.b\";",
            "a/b",
            "--",
            "|",
            "_",
        ]);
        prop::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat())
    }

    fn escapings() -> impl Strategy<Value = Escaping> {
        use Backslash::{MySql, Plain, Postgres, Unknown};
        let sql = [MySql, Plain, Postgres, Unknown]
            .map(|backslash| Escaping::SqlString(SqlStyle::new(b'\'', backslash)));
        let csv = CsvStyle {
            delimiter: b',',
            is_quoted: true,
            is_head: false,
        };
        let yaml = [YamlStyle::Plain, YamlStyle::Flow, YamlStyle::Block].map(Escaping::Yaml);
        let other = [Escaping::SqlDollar, Escaping::SqlCopy, Escaping::Csv(csv)];
        prop::sample::select([&sql[..], &yaml, &other].concat())
    }

    proptest! {
        /// Values without a sign of a link hold none, whatever they are read as.
        #[test]
        fn values_without_signs_hold_no_link(
            value in pieces(),
            escaping in escapings(),
            reads_code: bool,
        ) {
            let mut settings = Settings {
                format: Some(Format::Sql),
                charset: Some(Charset::UTF_8),
                ..Settings::default()
            };
            if reads_code {
                settings.text = TextSlots::All;
                settings.comments = CommentSlots::All;
                settings.vocabulary = settings.vocabulary.with_code();
            }
            let (info, _) = open(b"", true, &settings);
            let reader = document_reader(&info, &settings).reader;
            let slot = Slot {
                range: 0..value.len(),
                escaping,
                syntax: Syntax::Data,
                place: SharedPlace::TEXT,
                access: Access::Rewrite,
                run: Run::WHOLE,
            };
            let mut links = Vec::new();
            reader.read(&slot, value.as_bytes(), &super::super::Base::Document, &mut links);
            prop_assert!(links.is_empty() || may_hold_link(value.as_bytes(), Charset::UTF_8), "{:?}", links);
        }
    }
}
