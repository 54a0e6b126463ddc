//! The slots of real, damaged and made-up pages equal those that html5gum's tokenizer finds with html5ever's tree
//! builder and the same table of places.
//!
//! `LINKGLOT_CORPUS` names a folder of pages; a few pages made here are always read.

mod page;
mod table;

use linkglot::format::Format;
use linkglot_charset::{Charset, HEAD, sniff};
use linkglot_markup::{
    Escaping, HtmlTokenizer, Language, MarkupSettings, Step, Syntax, TextSlots, Tokenizer, Window,
    values,
};
use page::Slot;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use table::Table;

fn name(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::Single => "single",
        Syntax::Base => "base",
        Syntax::SpaceList => "space-list",
        Syntax::CommaList => "comma-list",
        Syntax::SemicolonList => "semicolon-list",
        Syntax::Srcset => "srcset",
        Syntax::Refresh => "refresh",
        Syntax::Css | Syntax::CssDeclarations => "css",
        Syntax::Html => "html",
        Syntax::Json => "json",
        Syntax::AbsoluteOnly => "absolute",
        Syntax::AbsoluteList => "absolute-list",
        other => panic!("no row has {other:?}"),
    }
}

/// Applies the standard's treatment of line ends and NUL.
fn cleaned(raw: &str) -> String {
    let lines = raw.replace("\r\n", "\n").replace('\r', "\n");
    lines.replace('\0', "\u{fffd}")
}

/// The slots that our tokenizer finds, and the position up to which others may find the same: code of PHP is a comment
/// up to its first `>` to the standard.
fn ours(page: &str) -> (Vec<Slot>, usize) {
    let mut tokenizer = HtmlTokenizer::new(&MarkupSettings {
        text: TextSlots::None,
        ..MarkupSettings::default()
    });
    let (mut cursor, mut found) = (0, Vec::new());
    let window = Window {
        bytes: page.as_bytes(),
        last: true,
        charset: Charset::UTF_8,
    };
    loop {
        match tokenizer.step(window, &mut cursor) {
            Step::Slot(slot) => {
                // A style sheet in foreign content comes in pieces of character data.
                if matches!(slot.escaping, Escaping::HtmlText | Escaping::XmlCdata) {
                    continue;
                }
                if slot.syntax == Syntax::Script(Language::Php) {
                    return (found, slot.range.start);
                }
                let raw = cleaned(&page[slot.range.clone()]);
                let value = slot.escaping.unescape(&raw).text().to_owned();
                found.push((slot.range.start, name(slot.syntax), value));
            }
            Step::TooLong(..) => {}
            Step::NeedMore => panic!("there is no more"),
            Step::End => return (found, page.len()),
        }
    }
}

/// The slots with syntaxes that hold links, if their values are not empty. Bases after the first, even an empty one
/// (HTML standard 4.2.3), are single references.
fn filled(slots: Vec<Slot>) -> Vec<Slot> {
    let mut based = false;
    let mut kept = Vec::new();
    for (at, mut syntax, value) in slots {
        if syntax == "base" && std::mem::replace(&mut based, true) {
            syntax = "single";
        }
        if holds(syntax, &value) {
            kept.push((at, syntax, value));
        }
    }
    kept
}

fn holds(name: &str, value: &str) -> bool {
    let syntax = match name {
        "html" => return !value.is_empty(),
        "space-list" => Syntax::SpaceList,
        "comma-list" => Syntax::CommaList,
        "semicolon-list" => Syntax::SemicolonList,
        "srcset" => Syntax::Srcset,
        "refresh" => Syntax::Refresh,
        "css" => Syntax::Css,
        "json" => Syntax::Json,
        "absolute" => Syntax::AbsoluteOnly,
        "absolute-list" => Syntax::AbsoluteList,
        _ => Syntax::Single,
    };
    let mut any = false;
    values::split(syntax, value, &mut |_| any = true);
    any
}

/// The first difference, in words.
fn difference(table: &Table, page: &str) -> Option<String> {
    let found = page::slots(table, page);
    let (ours, end) = ours(page);
    let end = found.doubtful.map_or(end, |from| from.min(end));
    let known = |slots: Vec<Slot>| {
        let mut slots = filled(slots);
        slots.retain(|slot| slot.0 < end);
        slots
    };
    let (ours, theirs) = (known(ours), known(found.slots.clone()));
    if ours == theirs {
        return None;
    }
    let same = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let (a, b) = (ours.get(same), theirs.get(same));
    let at = [a, b]
        .into_iter()
        .flatten()
        .map(|slot| slot.0)
        .min()
        .unwrap_or(0);
    let from = (0..=at.saturating_sub(400))
        .rev()
        .find(|&from| page.is_char_boundary(from));
    let around: String = page[from.unwrap_or(0)..].chars().take(560).collect();
    Some(format!("{a:?}, not {b:?}, in\n    {around:?}"))
}

/// Random numbers that are the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

/// Bytes that matter to the reading of HTML.
const BAD: &[u8] = b"<>\"'=/ !-&\0ax?]\r;";

/// A page with some damage: bytes overwritten, quotes and ends of tags removed, parts cut out, doubled, or cut off.
fn damaged(page: &str, dice: &mut Dice) -> String {
    let mut bytes = page.as_bytes().to_vec();
    for _ in 0..1 + dice.below(4) {
        let at = dice.below(bytes.len());
        let length = 1 + dice.below(40);
        let end = (at + length).min(bytes.len());
        match dice.below(6) {
            0 => bytes[at..]
                .iter_mut()
                .take(1)
                .for_each(|byte| *byte = BAD[dice.below(BAD.len())]),
            1 => lose(&mut bytes, at, b"\"'"),
            2 => lose(&mut bytes, at, b"<>"),
            3 => drop(bytes.drain(at..end)),
            4 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            _ if dice.below(4) == 0 => bytes.truncate(at),
            _ => lose(&mut bytes, at, b"/=-!"),
        }
        if bytes.is_empty() {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Removes the first of some bytes from `at` on.
fn lose(bytes: &mut Vec<u8>, at: usize, which: &[u8]) {
    if let Some(found) = bytes[at..].iter().position(|byte| which.contains(byte)) {
        bytes.remove(at + found);
    }
}

/// Pages with something of everything.
const PAGES: &[&str] = &[
    "<!DOCTYPE html><html manifest=a.appcache><head profile='http://p.example/ q'><base href=\"http://b.example/\"><base href=c>\
     <meta http-equiv=refresh content='5; url=d'><meta property='og:image' content=e><link rel=stylesheet href='f?a&amp;b'>\
     <style>@import 'g'; a { b: url(\"h\") }</style><script src=i>'<a href=no>'</script><title><a href=no></title></head>\
     <body background=j><a href = 'k' ping=\"l m\" href=no>x</a><img src=n srcset=\"o 1x, p,q 2x\" longdesc=r>\
     <form action=s><input type=image src=t><input src=no><button formaction=u></form><q cite=v></q>\
     <video poster=w src=x><source src=y><track src=z></video><picture><source srcset=\"a 1x\" src=no><img src=b></picture>\
     <object data=c archive='d e' codebase=f><param name=movie value=g><param name=x value=no></object>\
     <applet archive='h,i' code=j></applet><iframe src=k srcdoc='<p>l</p>'><a href=no></iframe><p style='m:url(n)'>\
     <script type='application/ld+json'>{\"url\":\"o\"}</script><noscript><img src=p></noscript><template><a href=q></template>",
    "<table background=a><tr background=b><td background=c><a href=d><table><tr><td><a href=e>x</table></table>\
     <map><area href=f></map><textarea><a href=no></textarea><xmp><a href=no></xmp><!-- <a href=no> --!><a href=g>\
     <select><option><a href=h></select><frameset><frame src=no></frameset><ul><li itemscope itemid='urn:x'>\
     <div itemprop='http://p.example/q r' itemtype='http://t.example/'><span about='http://s.example/' rel='http://r.example/'>\
     <embed src=i><ins cite=j><del cite=k><blockquote cite=l></blockquote><audio src=m><source src=n></audio><source src=no>\
     <bgsound src=o><layer src=p><isindex action=q><link imagesrcset='r 1x' rel=preload as=image><link imagesrcset=no>",
    "<p><svg fill=\"url(#a)\"><a xlink:href='b'><image href=c /><use xlink:href=d /><title><a href=e></title><desc><img src=f></desc>\
     <foreignObject><a href=g><style>h{i:url(j)}</style></foreignObject><script href=k></script><linearGradient xlink:href=l />\
     <animate attributeName=href values='m;n' /><![CDATA[<a href=no>]]></a></svg><![CDATA[<a href=no>]]><a href=o>\
     <math href=p><mi href=q><mglyph src=r></mi><annotation-xml encoding='text/html'><a href=s></annotation-xml>\
     <annotation-xml><svg><a href=t></svg></annotation-xml><mtext><b><img src=u></b></mtext></math><svg><p><a href=v></svg>\
     <svg><g><font color=x><a xlink:href=w></font><style><a href=x></style></svg><plaintext><a href=no>",
    "<a href='a&copy=1&amp;b&lt;&#233;&#x80;&notit;&nosuch;'><a href=a&quot;b><a href=\"a\r\nb\rc\"><a/href=b/c=d/><a href==e>\
     <a 'href'=no href=\"f\"g=h i='j'k><a href=l/><a href=m / ><a\thref\n=\u{c}n\t><A HREF=O><a href><a href=''><a href=\" \">\
     </a href=no><a<b href=p><a href='q\u{0}r'><?pi <a href=no> ?><!x <a href=no>><a href=s></ x <a href=no>></><a href=t><!-->\
     <a href=u><!--x--!><a href=v><!---!><a href=no>--><a href=w><script><!--<script></script>--></script><a href=x>\
     <script><!--</script><a href=y><style></stylex></style ><a href=z><title></title/><a href=\u{e9} href=no>",
];

/// Markup that decides how the tokenizer continues: foreign content and its integration points, raw text, end tags of
/// elements that are not open, templates, select, tables, frames; and tags with links.
const TAGS: &[&str] = &[
    "<svg>",
    "</svg>",
    "<math>",
    "</math>",
    "<g>",
    "</g>",
    "<path/>",
    "<mi>",
    "</mi>",
    "<annotation-xml>",
    "<annotation-xml encoding=text/html>",
    "</annotation-xml>",
    "<foreignObject>",
    "</foreignObject>",
    "<desc>",
    "</desc>",
    "<title>",
    "</title>",
    "<textarea>",
    "</textarea>",
    "<style>",
    "</style>",
    "<script>",
    "</script>",
    "<xmp>",
    "</xmp>",
    "<iframe>",
    "</iframe>",
    "<noscript>",
    "</noscript>",
    "<noembed>",
    "</noembed>",
    "<noframes>",
    "</noframes>",
    "<plaintext>",
    "<template>",
    "</template>",
    "<select>",
    "</select>",
    "<option>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "</td>",
    "<caption>",
    "</caption>",
    "<col>",
    "<frameset>",
    "</frameset>",
    "<frame src=f>",
    "</body>",
    "</html>",
    "</head>",
    "<form action=o>",
    "</form>",
    "<h1>",
    "</h1>",
    "</h2>",
    "<p>",
    "</p>",
    "</br>",
    "<br>",
    "<b>",
    "</b>",
    "<div>",
    "</div>",
    "</img>",
    "<font color=x>",
    "</font>",
    "<video src=v>",
    "</video>",
    "<code>",
    "</code>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<mglyph src=m>",
    "<image href=i />",
    "<a href=a>",
    "</a>",
];

/// A page of such tags, with links between them.
fn soup(dice: &mut Dice) -> String {
    let mut page = String::new();
    for number in 0..2 + dice.below(14) {
        page.push_str(TAGS[dice.below(TAGS.len())]);
        if dice.below(3) == 0 {
            page.push_str(&format!("<img src=l{number}>"));
        }
    }
    page + "<link href=last>"
}

#[test]
fn soups_of_tags() {
    let table = Table::read();
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    let times = if cfg!(debug_assertions) {
        3_000
    } else {
        50_000
    };
    let pages: Vec<String> = (0..times).map(|_| soup(&mut dice)).collect();
    let slots: usize = pages.iter().map(|page| filled(ours(page).0).len()).sum();
    assert!(slots > times, "only {slots} slots");
    let faults: Vec<String> = pages
        .iter()
        .filter_map(|page| difference(&table, page))
        .collect();
    report(&faults, times);
}

/// Every difference between the readings of damaged pages of the test's own.
#[test]
fn own_pages() {
    let table = Table::read();
    let (mut faults, mut slots) = (Vec::new(), 0);
    let times = if cfg!(debug_assertions) { 400 } else { 5_000 };
    for (number, page) in PAGES.iter().enumerate() {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15 + number as u64);
        slots += filled(ours(page).0).len();
        faults.extend(difference(&table, page));
        faults.extend((0..times).filter_map(|_| difference(&table, &damaged(page, &mut dice))));
    }
    assert!(slots > 90, "only {slots} slots");
    report(&faults, 4 * times);
}

fn report(faults: &[String], pages: usize) {
    let shown = faults.len().min(25);
    assert!(
        faults.is_empty(),
        "{} of {pages} pages are read otherwise:\n{}",
        faults.len(),
        faults[..shown].join("\n")
    );
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.is_dir() && !path.is_symlink() {
            collect(&path, pages);
        } else if matches!(extension, Some("html" | "htm" | "page")) {
            pages.push(path);
        }
    }
}

/// A page in UTF-8.
fn read(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path)
        .ok()
        .filter(|bytes| bytes.len() < MOST_BYTES)?;
    let head = &bytes[..bytes.len().min(HEAD)];
    let sniffed = sniff(
        head,
        head.len() == bytes.len(),
        Format::Html.declaration(),
        None,
        None,
    );
    Some(
        sniffed
            .charset
            .decode(&bytes[sniffed.bom_len..])
            .into_owned(),
    )
}

/// Longer pages are left out, and some of many pages.
const MOST_BYTES: usize = 1 << 18;
const MOST_PAGES: usize = 6000;
const DAMAGED: usize = 3;

#[test]
fn fetched_pages() {
    let Some(folder) = std::env::var_os("LINKGLOT_CORPUS") else {
        eprintln!("skipped: LINKGLOT_CORPUS names no folder of pages");
        return;
    };
    let mut paths = Vec::new();
    collect(Path::new(&folder), &mut paths);
    paths.sort();
    let step = (paths.len() / MOST_PAGES).max(1);
    let paths: Vec<_> = paths.into_iter().step_by(step).collect();
    assert!(paths.len() >= 1000, "only {} pages", paths.len());
    let (next, slots, faults) = (
        AtomicUsize::new(0),
        AtomicUsize::new(0),
        Mutex::new(Vec::new()),
    );
    let work = || {
        let table = Table::read();
        while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Some(page) = read(path) else { continue };
            slots.fetch_add(ours(&page).0.len(), Ordering::Relaxed);
            let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ page.len() as u64);
            let damaged = (0..DAMAGED).map(|_| damaged(&page, &mut dice));
            let found: Vec<_> = std::iter::once(page.clone())
                .chain(damaged)
                .filter_map(|page| difference(&table, &page))
                .map(|fault| format!("{}: {fault}", path.display()))
                .collect();
            faults.lock().expect("no panic").extend(found);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    eprintln!("{} pages with {} slots", paths.len(), slots.into_inner());
    report(
        &faults.into_inner().expect("no panic"),
        paths.len() * (1 + DAMAGED),
    );
}
