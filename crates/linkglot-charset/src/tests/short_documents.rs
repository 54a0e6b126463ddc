//! Detection of short documents that are mostly links: lists of links, signatures, link pages.
//!
//! The sentences of `short_sentences.txt` are put together in every charset that its language was
//! written in. With LINKGLOT_SUITES, lines of the documents of other detectors are cut into short
//! documents as well. LINKGLOT_SHORT_DOCUMENTS names a folder that the documents are written to;
//! `short_documents.py` shows them to chardet.

use super::detection::documents_of_others;
use crate::{Certainty, Charset, DeclarationSyntax, sniff};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const SENTENCES: &str = include_str!("short_sentences.txt");

/// Number of documents of each group that were detected when this was written. Fewer are an error.
const FLOORS: [(&str, usize); 6] = [
    ("Cyrillic", 214),
    ("Central European and Baltic", 439),
    ("Western European", 351),
    ("other alphabets", 132),
    ("East Asian", 108),
    ("Unicode", 160),
];

fn group(language: &str, charset: Charset) -> &'static str {
    let at = match language {
        _ if charset.is_unicode() => 5,
        "ru" | "uk" | "bg" | "sr" => 0,
        "cs" | "pl" | "hu" | "sk" | "hr" | "sl" | "ro" | "lt" | "lv" | "et" => 1,
        "fr" | "de" | "es" | "it" | "pt" | "sv" | "da" | "fi" => 2,
        "ja" | "zh" | "zh-tw" | "ko" => 4,
        _ => 3,
    };
    FLOORS[at].0
}

struct Language<'s> {
    lang: &'s str,
    tld: &'s str,
    charsets: Vec<Charset>,
    sentences: Vec<&'s str>,
}

fn languages() -> Vec<Language<'static>> {
    let mut languages = Vec::<Language<'_>>::new();
    for line in SENTENCES.lines().filter(|line| !line.starts_with('#')) {
        if let Some(begin) = line.strip_prefix("= ") {
            let mut words = begin.split(' ');
            let mut word = || words.next().unwrap();
            let (lang, tld) = (word(), word());
            let charsets = words.map(|label| Charset::for_label(label).unwrap());
            languages.push(Language {
                lang,
                tld,
                charsets: charsets.collect(),
                sentences: Vec::new(),
            });
        } else {
            languages.last_mut().unwrap().sentences.push(line);
        }
    }
    languages
}

/// A short document, counted under `group`.
struct Document {
    group: &'static str,
    name: String,
    syntax: DeclarationSyntax,
    text: String,
    charset: Charset,
    bytes: Vec<u8>,
}

impl Document {
    /// `None` if the charset lacks a character of the text.
    fn new(
        group: &'static str,
        name: String,
        (syntax, text): (DeclarationSyntax, String),
        charset: Charset,
    ) -> Option<Self> {
        let mut bytes = Vec::new();
        charset.encode(&text, &mut bytes).ok()?;
        // The text as the charset reads it: windows-1258 takes letters apart.
        let text = charset.decode(&bytes).into_owned();
        Some(Document {
            group,
            name,
            syntax,
            text,
            charset,
            bytes,
        })
    }

    /// The detected charset, true if it reads the text right, and its certainty.
    fn found(&self) -> (Charset, bool, Certainty) {
        let found = sniff(&self.bytes, true, self.syntax, None, None);
        let is_right = found.charset.decode(&self.bytes) == self.text;
        (found.charset, is_right, found.certainty)
    }
}

/// The forms of short documents around sentences. In half of them the links are in the domain of a
/// country.
fn forms(language: &Language<'_>, first: usize) -> [(DeclarationSyntax, String); 6] {
    use DeclarationSyntax::{Html, Nowhere};
    let Language { lang, tld, .. } = language;
    let sentence = |at: usize| language.sentences[(first + at) % language.sentences.len()];
    let [a, b, c, d] = std::array::from_fn(sentence);
    [
        (
            Nowhere,
            format!(
                "{a}\nhttp://www.example.{tld}/list/a.html\n\n{b}\nhttp://news.example.{tld}/\n"
            ),
        ),
        (
            Nowhere,
            format!("{c}\n\n-- \n{d}\nhttp://www.example.com/~user/index.html\n"),
        ),
        (
            Html,
            format!(
                "<a href=\"http://www.example.{tld}/\">{a}</a><br>\n<a href=\"/b.html\">{b}</a><br>\n"
            ),
        ),
        (
            Html,
            format!(
                "<html lang=\"{lang}\"><title>{c}</title>\n<p><a href=\"http://example.org/c\">{d}</a></p>\n</html>\n"
            ),
        ),
        (
            Nowhere,
            format!(
                "{b} http://www.example.net/doc/page?id=17 {c} (http://example.org/files/). {a}\n"
            ),
        ),
        (Nowhere, format!("{d} http://www.example.{tld}/\n")),
    ]
}

fn own_documents() -> Vec<Document> {
    let mut documents = Vec::new();
    for language in languages() {
        for &charset in &language.charsets {
            for first in [0, 4] {
                let forms = forms(&language, first).into_iter().enumerate();
                documents.extend(forms.filter_map(|(at, form)| {
                    let name = format!("{}-{}-{first}{at}", language.lang, charset.name());
                    // Browsers know no UTF-32.
                    let is_known = form.0 == DeclarationSyntax::Nowhere
                        || !charset.name().starts_with("UTF-32");
                    let group = group(language.lang, charset);
                    is_known.then(|| Document::new(group, name, form, charset))?
                }));
            }
        }
    }
    documents
}

/// Lines of the documents of other detectors, with links between them.
fn others_documents(suites: &Path) -> Vec<Document> {
    const SIZE: usize = 240;
    const PER_FILE: usize = 4;
    let mut documents = Vec::new();
    for (number, (path, charset)) in documents_of_others(suites).into_iter().enumerate() {
        let bytes = std::fs::read(&path).expect("a readable file");
        let bom = sniff(&bytes, true, DeclarationSyntax::Nowhere, None, None).bom_len;
        let text = charset.decode(&bytes[bom..]);
        let is_prose = |line: &&str| {
            let others = line.chars().filter(|ch| !ch.is_ascii()).count();
            others >= 4 && !line.contains(['<', '{', '\u{FFFD}']) && line.chars().count() <= 150
        };
        let mut lines = text.split(['\n', '\r']).map(str::trim).filter(is_prose);
        for part in 0..PER_FILE {
            let mut text = String::new();
            while text.len() < SIZE
                && let Some(line) = lines.next()
            {
                _ = write!(text, "{line}\nhttp://www.example.org/{}.html\n", text.len());
            }
            let name = format!("{number}-{}-{part}", charset.name());
            let form = (DeclarationSyntax::Nowhere, text);
            let document = Document::new("others", name, form, charset);
            documents.extend(document.filter(|document| !document.text.is_empty()));
        }
    }
    documents
}

/// Number of documents, and the wrong charsets that those of each charset were taken for.
#[derive(Default)]
struct Row {
    count: usize,
    right: usize,
    unsure: usize,
    sure_and_wrong: usize,
    wrong: BTreeMap<(&'static str, &'static str), Vec<String>>,
}

fn rows(documents: &[Document]) -> BTreeMap<&'static str, Row> {
    let mut rows = BTreeMap::<_, Row>::new();
    for document in documents {
        let row = rows.entry(document.group).or_default();
        row.count += 1;
        let (found, is_right, certainty) = document.found();
        row.unsure += usize::from(certainty == Certainty::Unsure);
        row.sure_and_wrong += usize::from(certainty == Certainty::Sure && !is_right);
        if is_right {
            row.right += 1
        } else {
            let key = (document.charset.name(), found.name());
            row.wrong
                .entry(key)
                .or_default()
                .push(document.name.clone());
        }
    }
    rows
}

fn table(rows: &BTreeMap<&str, Row>) -> String {
    let mut table = String::new();
    for (group, row) in rows {
        let Row {
            count,
            right,
            unsure,
            sure_and_wrong,
            ..
        } = row;
        _ = writeln!(
            table,
            "{group}: {right} of {count}, {unsure} unsure, {sure_and_wrong} sure and wrong"
        );
        for ((charset, found), names) in &row.wrong {
            let names = names.join(" ");
            _ = writeln!(table, "    {charset} taken for {found}: {names}");
        }
    }
    let right = rows.values().map(|row| row.right).sum::<usize>();
    let count = rows.values().map(|row| row.count).sum::<usize>();
    _ = writeln!(table, "{right} of {count} detected");
    table
}

/// Writes each document, its text in UTF-8 beside it, and a list of them with what was found.
fn write_to(folder: &Path, documents: &[Document]) {
    let mut list = String::new();
    for document in documents {
        std::fs::write(folder.join(&document.name), &document.bytes).unwrap();
        let text = folder.join(format!("{}.utf-8", document.name));
        std::fs::write(text, &document.text).unwrap();
        let (found, is_right, _) = document.found();
        let (name, found) = (&document.name, found.name());
        let right = if is_right { "right" } else { "wrong" };
        _ = writeln!(list, "{}\t{name}\t{right}\t{found}", document.group);
    }
    std::fs::write(folder.join("list.tsv"), list).unwrap();
}

#[test]
fn short_documents() {
    let mut documents = own_documents();
    let suites = std::env::var_os("LINKGLOT_SUITES").map(PathBuf::from);
    documents.extend(suites.iter().flat_map(|suites| others_documents(suites)));
    if let Some(folder) = std::env::var_os("LINKGLOT_SHORT_DOCUMENTS") {
        write_to(Path::new(&folder), &documents);
    }
    let rows = rows(&documents);
    let table = table(&rows);
    eprintln!("{table}");
    for (group, floor) in FLOORS {
        assert!(rows[group].right >= floor, "{group}: {floor} were\n{table}");
        assert_eq!(rows[group].sure_and_wrong, 0, "{group}\n{table}");
    }
}
