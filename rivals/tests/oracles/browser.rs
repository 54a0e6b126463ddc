//! A real browser judges that links keep their targets (P4): scripts see the same in generated pages before and after a
//! rewrite.
//!
//! `LINKGLOT_BROWSER` is Chromium, as a path or a command's name; without it nothing is tested. No page is fetched from
//! anywhere: host names lead nowhere.

mod pages;
mod references;
mod requests;

use crate::chromium::{LOG, browser, run};
use linkglot::document::{Document, Settings};
use linkglot::rewrite::{Form, Rewriter};
use linkglot_iri::target::Reading;
use pages::Page;
use references::CHARSETS;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The page around the pages. Their reports are written in ASCII, so that they come out of the DOM unchanged.
const COLLECTOR: &str = r"<!DOCTYPE html><meta charset=utf-8><pre id=told></pre><script>
addEventListener('message', function (event) {
  var text = JSON.stringify(event.data).replace(/[^ -~]|[<>&]/g, function (unit) {
    return '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0');
  });
  document.getElementById('told').append(text + '\n');
});
</script>
";

/// The folders of the original and of the rewritten pages.
const BEFORE: &str = "before";
const FORMS: [(&str, Form); 2] = [("uri", Form::Uri), ("iri", Form::Iri)];

fn settings(name: &str) -> Settings {
    let mut settings = Settings::default();
    settings.name = Some(name.to_owned());
    settings
}

/// A rewritten document, and the number of its changed links.
fn rewritten(bytes: &[u8], name: &str, form: Form) -> (Vec<u8>, u64) {
    let rewriter = Rewriter::new().to(form).settings(settings(name));
    let rewritten = rewriter.rewrite_slice(bytes);
    (rewritten.content.to_vec(), rewritten.changed())
}

/// Writes the pages and their rewritten forms; returns the number of changed links for each form.
fn write(folder: &Path, pages: &[Page]) -> BTreeMap<&'static str, u64> {
    let mut changed = BTreeMap::new();
    let put = |form: &str, name: &str, bytes: &[u8]| {
        fs::create_dir_all(folder.join(form)).expect("a folder");
        fs::write(folder.join(form).join(name), bytes).expect("a file");
    };
    for page in pages {
        let sheet = page.name.replace("html", "css");
        put(BEFORE, &page.name, &page.html);
        put(BEFORE, &sheet, &page.css);
        for (name, form) in FORMS {
            let (html, links) = rewritten(&page.html, &page.name, form);
            let (css, more) = rewritten(&page.css, &sheet, form);
            *changed.entry(name).or_default() += links + more;
            put(name, &page.name, &html);
            put(name, &sheet, &css);
        }
    }
    changed
}

/// The report of a page on itself.
struct Told {
    charset: String,
    seen: Map<String, Value>,
}

/// Opens all pages in one run of the browser. The keys are `before/name.html` and so on.
fn look(browser: &Path, folder: &Path, pages: &[Page]) -> BTreeMap<String, Told> {
    let forms = FORMS.map(|(name, _)| name);
    let frame =
        |form: &str, page: &Page| format!("<iframe src=\"{form}/{}\"></iframe>\n", page.name);
    let frames: String = pages
        .iter()
        .flat_map(|page| [BEFORE, forms[0], forms[1]].map(|form| frame(form, page)))
        .collect();
    let collector = folder.join("collector.html");
    fs::write(&collector, COLLECTOR.to_owned() + &frames).expect("a file");
    let dom = run(browser, folder, &format!("file://{}", collector.display()));
    let told = dom.split("<pre id=\"told\">").nth(1);
    let told = told.and_then(|rest| rest.split("</pre>").next());
    let Some(told) = told else {
        panic!(
            "no DOM from {}: {}",
            browser.display(),
            fs::read_to_string(folder.join(LOG)).unwrap_or_default()
        );
    };
    let mut all = BTreeMap::new();
    for line in told.lines().filter(|line| !line.is_empty()) {
        let value: Value = serde_json::from_str(line).expect("JSON");
        let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let seen = value["seen"].as_object().cloned().unwrap_or_default();
        all.insert(
            text("page"),
            Told {
                charset: text("charset"),
                seen,
            },
        );
    }
    all
}

/// An octet after percent-decoding; an escaped reserved character (or `%`) differs from the bare one.
#[derive(Clone, Copy, PartialEq)]
enum Octet {
    Plain(u8),
    EscapedReserved(u8),
}

impl Octet {
    fn of_escape(octet: u8) -> Octet {
        if b":/?#[]@!$&'()*+,;=%".contains(&octet) {
            Octet::EscapedReserved(octet)
        } else {
            Octet::Plain(octet)
        }
    }

    fn value(self) -> u8 {
        let (Octet::Plain(octet) | Octet::EscapedReserved(octet)) = self;
        octet
    }
}

/// The octets of a text, with escapes decoded.
fn octets(text: &str) -> Vec<Octet> {
    let (bytes, mut at, mut octets) = (text.as_bytes(), 0, Vec::new());
    while at < bytes.len() {
        let digits = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let escape = digits.and_then(octet);
        octets.push(escape.map_or(Octet::Plain(bytes[at]), Octet::of_escape));
        at += if escape.is_some() { 3 } else { 1 };
    }
    octets
}

fn octet(digits: &str) -> Option<u8> {
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u8::from_str_radix(digits, 16).ok().filter(|_| are_digits)
}

/// Charsets in which some characters have ASCII octets. Browsers leave these bare in queries, we escape all of them;
/// the octets are the same.
const WITH_ASCII_OCTETS: &[&str] = &[
    "shift_jis",
    "iso-2022-jp",
    "gbk",
    "gb18030",
    "big5",
    "euc-kr",
];

/// True if two addresses have the same octets after percent-decoding (P4).
fn is_same(before: &str, after: &str, label: &str) -> bool {
    if octets(before) == octets(after) {
        return true;
    }
    let parts = |address: &str| {
        let (head, fragment) = address.split_once('#').unwrap_or((address, ""));
        let (path, query) = head.split_once('?').unwrap_or((head, ""));
        let query: Vec<u8> = octets(query).into_iter().map(Octet::value).collect();
        (octets(path), query, octets(fragment))
    };
    WITH_ASCII_OCTETS.contains(&label) && parts(before) == parts(after)
}

fn is_same_value(before: &Value, after: &Value, label: &str) -> bool {
    match (before, after) {
        (Value::String(before), Value::String(after)) => is_same(before, after, label),
        (Value::Array(before), Value::Array(after)) => {
            before.len() == after.len()
                && before
                    .iter()
                    .zip(after)
                    .all(|(b, a)| is_same_value(b, a, label))
        }
        (Value::Object(before), Value::Object(after)) => {
            before.len() == after.len()
                && before
                    .iter()
                    .all(|(key, b)| after.get(key).is_some_and(|a| is_same_value(b, a, label)))
        }
        _ => before == after,
    }
}

/// The part of an observation that counts: for `both`, the URL.
fn target(seen: &Value) -> &Value {
    seen.get("url").unwrap_or(seen)
}

fn seen_text(seen: &Value) -> &str {
    seen["text"].as_str().unwrap_or_default()
}

/// True for a known fault of Chromium: in the host of a scheme that is not special, it reads only the low eight bits of
/// each character, finds a `?` in a Cyrillic letter (U+043F), and no URL.
fn is_explained(text: &str, was: &Value) -> bool {
    const SPECIAL: &[&str] = &["http", "https", "ftp", "ws", "wss", "file"];
    let scheme = text
        .split_once("://")
        .map(|(scheme, _)| scheme.trim().to_ascii_lowercase());
    was == "no URL"
        && !text.is_ascii()
        && scheme.is_some_and(|scheme| !SPECIAL.contains(&scheme.as_str()))
}

/// The differences between the observations of scripts before and after.
fn differences(page: &Page, told: &BTreeMap<String, Told>, faults: &mut Vec<String>) -> usize {
    let key = |form: &str| format!("{form}/{}", page.name);
    let Some(before) = told.get(&key(BEFORE)) else {
        faults.push(format!("{} told nothing", page.name));
        return 0;
    };
    for (form, _) in FORMS {
        let Some(after) = told.get(&key(form)) else {
            faults.push(format!("{form}/{} told nothing", page.name));
            continue;
        };
        if before.seen.len() != after.seen.len() {
            faults.push(format!("{form}/{}: another number of elements", page.name));
        }
        for (id, was) in &before.seen {
            let is = after.seen.get(id).unwrap_or(&Value::Null);
            let (was, is) = (target(was), target(is));
            if !is_same_value(was, is, page.label)
                && !is_explained(seen_text(&before.seen[id]), was)
            {
                faults.push(format!("{form}/{} {id}: {was} became {is}", page.name));
            }
        }
    }
    before.seen.len()
}

fn judge(browser: &Path, name: &str, pages: &[Page]) -> BTreeMap<String, Told> {
    let folder = tempfile::tempdir().expect("a folder");
    let changed = write(folder.path(), pages);
    let told = look(browser, folder.path(), pages);
    let mut faults = Vec::new();
    let seen: usize = pages
        .iter()
        .map(|page| differences(page, &told, &mut faults))
        .sum();
    eprintln!(
        "{name}: {} pages, {seen} elements, changed links: {changed:?}",
        pages.len()
    );
    assert!(
        changed["uri"] as usize >= pages.len() && changed["iri"] > 0,
        "hardly anything was changed"
    );
    report(&faults);
    told
}

/// The differences between the observations of scripts on a page's `a href` and our reading: the charset, the text, and
/// the resolved link.
fn readings(page: &Page, told: &Told, faults: &mut Vec<String>) {
    let document = Document::new(&page.html, &settings(&page.name));
    let info = document.info();
    if !info.charset.name().eq_ignore_ascii_case(&told.charset) {
        faults.push(format!(
            "{}: {} is {}",
            page.name,
            info.charset.name(),
            told.charset
        ));
    }
    let reading = Reading {
        base: info.base.as_deref(),
        query: info.query_charset,
    };
    let mut seen: Vec<(usize, &Value)> = told
        .seen
        .iter()
        .filter_map(|(id, seen)| Some((id.strip_prefix('e')?.parse().ok()?, seen)))
        .filter(|(_, seen)| !seen_text(seen).trim_matches(|ch| ch <= ' ').is_empty())
        .collect();
    seen.sort_by_key(|(id, _)| *id);
    let links: Vec<_> = document
        .links()
        .filter(|link| link.place().element.as_deref() == Some("a"))
        .collect();
    if links.len() != seen.len() {
        faults.push(format!(
            "{}: {} links are {}",
            page.name,
            links.len(),
            seen.len()
        ));
    }
    for (link, (id, seen)) in links.iter().zip(seen) {
        let text = seen_text(seen).trim_matches(|ch| ch <= ' ');
        // We leave line ends unchanged.
        let lines = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
        if lines(link.text()) != lines(text) {
            faults.push(format!(
                "{} e{id}: {:?} is {text:?}",
                page.name,
                link.text()
            ));
        }
        let resolved = reading.resolve(link.text());
        let (ours, theirs) = (
            resolved.as_deref().unwrap_or("no URL"),
            seen["url"].as_str(),
        );
        let theirs = theirs.unwrap_or_default();
        if !is_same(ours, theirs, page.label) && !is_peculiar(text, theirs) {
            faults.push(format!(
                "{} e{id}: {text:?} is {theirs}, not {ours}",
                page.name
            ));
        }
    }
}

/// True if Chromium is known to read a reference differently from the standard: schemes that are not of the web
/// (queries in the document's charset, a `'` that is escaped), drive letters, a space or bad punycode in a host.
fn is_peculiar(text: &str, theirs: &str) -> bool {
    let scheme = theirs.split(':').next().unwrap_or_default();
    let host = theirs.split('/').nth(2).unwrap_or_default();
    let is_web = matches!(scheme, "http" | "https" | "ftp") || !text.contains(':');
    !is_web || host.contains("%20") || host.contains("xn--")
}

/// Fails with the first faults, if any.
fn report(faults: &[String]) {
    let shown = faults.len().min(40);
    assert!(
        faults.is_empty(),
        "{} differences:\n{}",
        faults.len(),
        faults[..shown].join("\n")
    );
}

#[test]
fn every_kind_of_slot_keeps_its_target() {
    let Some(browser) = browser() else { return };
    let pages: Vec<Page> = CHARSETS
        .iter()
        .enumerate()
        .map(|(turn, (label, word))| pages::slots(label, word, turn))
        .collect();
    judge(&browser, "slots", &pages);
}

#[test]
fn references_keep_their_target() {
    let Some(browser) = browser() else { return };
    let pages: Vec<Page> = CHARSETS
        .iter()
        .map(|(label, word)| pages::references(label, word, 300))
        .collect();
    let told = judge(&browser, "references", &pages);
    let mut faults = Vec::new();
    for page in &pages {
        readings(page, &told[&format!("{BEFORE}/{}", page.name)], &mut faults);
    }
    report(&faults);
}

#[test]
fn refreshes_keep_their_target() {
    let Some(browser) = browser() else { return };
    let pages: Vec<Page> = CHARSETS
        .iter()
        .enumerate()
        .flat_map(|(at, (label, word))| [at, at + 3].map(|at| pages::refresh(label, word, at)))
        .collect();
    judge(&browser, "refreshes", &pages);
}
