//! Text over runs in office documents.

use crate::samples::{ZipForm, zip_of};
use crate::support::{Place, rewritten};
use linkglot_archive::zip::Archive;
use std::io::{Cursor, Read};

const MOVE: [&str; 2] = ["--map", "http://old.example/ https://new.site.example/"];

/// A document of WordprocessingML around the content of a paragraph.
fn word(paragraph: &str) -> String {
    in_word(
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        paragraph,
    )
}

fn in_word(namespace: &str, paragraph: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<w:document xmlns:w=\"{namespace}\" xmlns:v=\"urn:schemas-microsoft-com:vml\">\
         <w:body><w:p>{paragraph}</w:p></w:body></w:document>\n"
    )
}

/// A document of OpenDocument around the content of a paragraph.
fn open(paragraph: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<office:document xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
         xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\
         <text:p>{paragraph}</text:p></office:document>\n"
    )
}

/// The texts and notes of the links of a document.
fn found(text: &str) -> Vec<(String, Vec<String>)> {
    let place = Place::new(&[("a.xml", text)]);
    let objects = place.run(&["find", "--json", "a.xml"]).objects();
    let links = objects.iter().filter(|object| object["type"] == "link");
    links
        .map(|link| {
            let notes = link["notes"].as_array().into_iter().flatten();
            let notes = notes.map(|note| note.as_str().unwrap().to_owned());
            (link["text"].as_str().unwrap().to_owned(), notes.collect())
        })
        .collect()
}

#[test]
fn links_go_on_in_the_next_run() {
    for (before, after) in [
        (
            "<w:r><w:t>See http://old.exam</w:t></w:r><w:r><w:t>ple/shop</w:t></w:r>",
            "<w:r><w:t>See https://new.site.exam</w:t></w:r><w:r><w:t>ple/shop</w:t></w:r>",
        ),
        // The difference goes into the run where it begins; all markup stays.
        (
            "<w:r><w:t>http://ol</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>d</w:t></w:r><w:r><w:t>.example/a</w:t></w:r>",
            "<w:r><w:t>https://new.site</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t></w:t></w:r><w:r><w:t>.example/a</w:t></w:r>",
        ),
        (
            "<w:ins w:id=\"1\"><w:r><w:t xml:space=\"preserve\">a http://old.</w:t></w:r></w:ins>\n<w:proofErr w:type=\"spellStart\"/>\
             <w:r w:rsidR=\"00\"><w:t>example/&amp;</w:t></w:r><w:del w:id=\"2\"><w:r><w:delText>x</w:delText></w:r></w:del><w:r><w:t>b</w:t></w:r>",
            "<w:ins w:id=\"1\"><w:r><w:t xml:space=\"preserve\">a https://new.site.</w:t></w:r></w:ins>\n<w:proofErr w:type=\"spellStart\"/>\
             <w:r w:rsidR=\"00\"><w:t>example/&amp;</w:t></w:r><w:del w:id=\"2\"><w:r><w:delText>x</w:delText></w:r></w:del><w:r><w:t>b</w:t></w:r>",
        ),
        // Another host goes on in the next run.
        (
            "<w:r><w:t>http://old.example</w:t></w:r><w:r><w:t>.uk/</w:t></w:r>",
            "<w:r><w:t>http://old.example</w:t></w:r><w:r><w:t>.uk/</w:t></w:r>",
        ),
        // A comment's mark and a floating picture show nothing in the line: the front of the link alone may change.
        (
            "<w:r><w:t>http://old.example</w:t></w:r><w:r><w:commentReference w:id=\"0\"/></w:r><w:r><w:t>.uk/a</w:t></w:r>",
            "<w:r><w:t>http://old.example</w:t></w:r><w:r><w:commentReference w:id=\"0\"/></w:r><w:r><w:t>.uk/a</w:t></w:r>",
        ),
        (
            "<w:r><w:t>http://old.example</w:t></w:r><w:r><w:drawing/></w:r><w:r><w:t>.uk/a</w:t></w:r>",
            "<w:r><w:t>http://old.example</w:t></w:r><w:r><w:drawing/></w:r><w:r><w:t>.uk/a</w:t></w:r>",
        ),
        // Tabulators, line breaks and paragraphs end a link.
        (
            "<w:r><w:t>http://old.example/</w:t><w:tab/><w:t>a http://old.example/</w:t><w:br/><w:t>b</w:t></w:r>",
            "<w:r><w:t>https://new.site.example/</w:t><w:tab/><w:t>a https://new.site.example/</w:t><w:br/><w:t>b</w:t></w:r>",
        ),
        (
            "<w:r><w:instrText> HYPERLINK \"http://old.</w:instrText></w:r><w:r><w:instrText>example/\" </w:instrText></w:r>",
            "<w:r><w:instrText> HYPERLINK \"https://new.site.</w:instrText></w:r><w:r><w:instrText>example/\" </w:instrText></w:r>",
        ),
    ] {
        for namespace in [
            "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
            "http://purl.oclc.org/ooxml/wordprocessingml/main",
            "http://schemas.microsoft.com/office/word/2003/wordml",
        ] {
            let (before, after) = (in_word(namespace, before), in_word(namespace, after));
            assert_eq!(rewritten("a.xml", &before, &MOVE), after);
        }
    }
}

#[test]
fn links_of_open_document_go_on_in_spans() {
    for (before, after) in [
        (
            "a http://old.<text:span text:style-name=\"T1\">exam</text:span>ple/b",
            "a https://new.site.<text:span text:style-name=\"T1\">exam</text:span>ple/b",
        ),
        (
            "(<text:a xlink:href=\"http://old.example/a\">old.exam<text:span>ple</text:span></text:a>)",
            "(<text:a xlink:href=\"https://new.site.example/a\">old.exam<text:span>ple</text:span></text:a>)",
        ),
        (
            "<text:a xlink:href=\"http://old.example/a\">http://old.<text:bookmark text:name=\"a>b\"/>example/</text:a>.",
            "<text:a xlink:href=\"https://new.site.example/a\">https://new.site.<text:bookmark text:name=\"a>b\"/>example/</text:a>.",
        ),
        (
            "http://old.example<text:span>.uk</text:span> http://old.example/<text:s/>a http://old.example/<text:line-break/>b",
            "http://old.example<text:span>.uk</text:span> https://new.site.example/<text:s/>a https://new.site.example/<text:line-break/>b",
        ),
    ] {
        assert_eq!(rewritten("a.fodt", &open(before), &MOVE), open(after));
    }
}

/// The text of a hyperlink goes on behind it, and so does the result of a field.
#[test]
fn text_goes_on_behind_fields() {
    let before = word(
        "<w:r><w:t xml:space=\"preserve\">See </w:t></w:r><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>\
         <w:r><w:instrText xml:space=\"preserve\"> HYPERLINK \"http://old.example/a\" </w:instrText></w:r>\
         <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>http://old.example/a</w:t></w:r>\
         <w:r><w:fldChar w:fldCharType=\"end\"/></w:r><w:r><w:t>, FOLLOWS</w:t></w:r>",
    );
    let rule = ["--map", "http://old.example/a http://new.example/"];
    let moved = rewritten("a.xml", &before, &rule);
    assert_eq!(
        moved,
        before.replace("http://old.example/a", "http://new.example/")
    );
    let longer = before.replace(", FOLLOWS", "bc");
    let moved = rewritten("a.xml", &longer, &rule);
    let field = "HYPERLINK \"http://old.example/a\"";
    let new_field = field.replace("http://old.example/a", "http://new.example/");
    assert_eq!(moved, longer.replace(field, &new_field));
    let cut = word(
        "<w:r><w:instrText>HYPERLINK \"http://old.example/</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>\
         <w:r><w:instrText>REF a</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r><w:r><w:instrText>\"</w:instrText></w:r>",
    );
    assert_eq!(found(&cut), []);
}

/// Strings of spreadsheets, and text of presentations.
#[test]
fn runs_of_other_programs() {
    for (namespace, before) in [
        (
            "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
            "<sst xmlns=\"NS\"><si><t>http://old.example/a</t></si><si><r><t>.uk http://old.exam</t></r><r><rPr><b/></rPr><t>ple/</t></r></si></sst>",
        ),
        (
            "http://purl.oclc.org/ooxml/drawingml/main",
            "<a:p xmlns:a=\"NS\"><a:r><a:rPr b=\"1\"/><a:t>http://old.exam</a:t></a:r><a:r><a:t>ple/a</a:t></a:r><a:br/><a:r><a:t>.uk</a:t></a:r></a:p>",
        ),
    ] {
        let before = before.replace("NS", namespace);
        let after = before.replace("http://old.exam", "https://new.site.exam");
        assert_eq!(rewritten("a.xml", &before, &MOVE), after);
    }
}

/// Properties of runs may hold markup of any program.
#[test]
fn properties_show_nothing() {
    let before = word(
        "<w:r><w:t>http://old.exam</w:t></w:r><w:r><w:rPr><w:b w:val=\"1\"/><x:a xmlns:x=\"urn:x\"><x:b c=\"d\"/></x:a></w:rPr>\
         <w:t>ple/a</w:t></w:r>",
    );
    let after = before.replace("http://old.", "https://new.site.");
    assert_eq!(rewritten("a.xml", &before, &MOVE), after);
}

/// Markup that may show something, and hyphens that may be none, leave the end of a link in doubt.
#[test]
fn doubtful_links_are_left() {
    for (text, link, note) in [
        (
            word("<w:r><w:t>http://old.example</w:t><w:sym w:char=\"F0\"/><w:t>a</w:t></w:r>"),
            "http://old.example",
            "left-template",
        ),
        (
            word("<w:r><w:t>http://old.example.</w:t><w:sym w:char=\"F0\"/></w:r>"),
            "http://old.example",
            "left-template",
        ),
        (
            word("<w:r><w:t>not.</w:t><w:sym w:char=\"F0\"/><w:t>www.old.example/</w:t></w:r>"),
            "www.old.example/",
            "left-template",
        ),
        (
            word("<w:r><w:t>http://old.example/a</w:t><w:noBreakHyphen/><w:t>b</w:t></w:r>"),
            "http://old.example/a\u{FFFD}b",
            "left-escaped",
        ),
        // White space that is not preserved is none.
        (
            word("<w:r><w:t>http://old.example </w:t></w:r><w:r><w:t>.uk</w:t></w:r>"),
            "http://old.example",
            "left-template",
        ),
        (
            word("<w:r><w:t>http://old.example</w:t></w:r><w:r><w:t> .uk</w:t></w:r>"),
            "http://old.example",
            "left-template",
        ),
        (
            word("<w:r><w:t>not.</w:t></w:r><w:r><w:t> www.old.example/</w:t></w:r>"),
            "www.old.example/",
            "left-template",
        ),
        (
            word("<w:r><w:t>http://old.example<![CDATA[.uk]]></w:t></w:r>"),
            "http://old.example",
            "left-template",
        ),
        (
            word(
                "<w:r><w:t>http://old.example</w:t></w:r><w:r><w:t xmlns:w=\"urn:x\">.uk</w:t></w:r>",
            ),
            "http://old.example",
            "left-template",
        ),
        (
            word(
                "<w:r><w:t>http://old.example</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>.uk</w:t></w:r>",
            ),
            "http://old.example",
            "left-template",
        ),
        (
            open("http://old.example<text:page-number>1</text:page-number>"),
            "http://old.example",
            "left-template",
        ),
    ] {
        let links = found(&text);
        let notes = links.iter().find(|(text, _)| text == link);
        let (_, notes) = notes.unwrap_or_else(|| panic!("{link} in {links:?}"));
        assert!(notes.iter().any(|found| found == note), "{text}: {notes:?}");
        assert_eq!(rewritten("a.xml", &text, &MOVE), text);
    }
}

/// No text: deleted text, formulas, and elements with the same names in other namespaces.
#[test]
fn other_text_is_not_read() {
    for text in [
        word("<w:del><w:r><w:delText>http://old.example/</w:delText></w:r></w:del>"),
        "<m:t xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\">http://old.example/</m:t>"
            .to_owned(),
        open("<text:date>http://old.example/</text:date>"),
    ] {
        assert_eq!(found(&text), []);
    }
}

/// A paragraph that is longer than the text that is read at once.
#[test]
fn long_paragraphs_are_read() {
    let run = "<w:r><w:t xml:space=\"preserve\">http://old.exam</w:t></w:r><w:r><w:t xml:space=\"preserve\">ple/a and </w:t></w:r>";
    let text = word(&run.repeat(5_000));
    let moved = rewritten("a.xml", &text, &MOVE);
    assert_eq!(moved, text.replace("http://old.", "https://new.site."));
    let plain = open(&"http://old.example/ ".repeat(20_000));
    let moved = rewritten("a.fodt", &plain, &MOVE);
    assert_eq!(moved, plain.replace("http://old.", "https://new.site."));
}

/// The value of a cell and its text are the same link.
#[test]
fn cells_of_open_document_have_a_value_and_a_text() {
    let cell = |url: &str| {
        format!(
            "<table:table-cell xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" office:value-type=\"string\" \
             office:string-value=\"{url}\"><text:p>{url}</text:p></table:table-cell>"
        )
    };
    let document = |text: &str| open(&cell(text));
    for text in [
        "http://old.example/a",
        "see http://old.example/a?b&amp;c, and (http://old.example/)",
        "see http://old.example.uk/a",
    ] {
        let new = text.replace("http://old.example/", "https://new.site.example/");
        assert_eq!(rewritten("a.xml", &document(text), &MOVE), document(&new));
    }
}

const SHEETS: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/// A workbook of some parts; a part without markup around it is the content of a root.
fn workbook(parts: &[(&str, &str)]) -> Vec<u8> {
    let parts: Vec<_> = parts
        .iter()
        .map(|(name, root)| {
            let part = root.replacen('>', &format!(" xmlns=\"{SHEETS}\">"), 1);
            ((*name).to_owned(), part.into_bytes())
        })
        .collect();
    zip_of(&parts, ZipForm::default())
}

/// A part of a package.
fn part(package: &[u8], name: &str) -> String {
    let mut archive = Archive::open(Cursor::new(package)).unwrap();
    let entries = (0..archive.len()).map(|at| archive.entry(at).unwrap());
    let entries: Vec<_> = entries.collect();
    let found = entries
        .iter()
        .position(|entry| entry.name == name.as_bytes());
    let at = found.unwrap_or_else(|| panic!("{name}"));
    let mut content = String::new();
    let mut reader = archive.content(at, &entries[at]).unwrap();
    reader.read_to_string(&mut content).unwrap();
    content
}

/// Text of a cell that is written as a result counts without a formula.
#[test]
fn results_without_formulas_are_texts() {
    for (cells, moves) in [
        ("<c r='A1' t='str'><v>http://old.example/a</v></c>", true),
        (
            "<c t=\"str\">\n<v xml:space='preserve'>see http://old.example/a&amp;b </v>\n</c>",
            true,
        ),
        (
            "<c t='s'><v>1</v></c><c t='str'><v>(http://old.example/)</v></c><c><v>1</v></c>",
            true,
        ),
        ("<c t='str'><f>A1</f><v>http://old.example/a</v></c>", false),
        ("<c t='str'><f/><v>http://old.example/a</v></c>", false),
        ("<c><v>http://old.example/a</v></c>", false),
        ("<c t='s'><v>http://old.example/a</v></c>", false),
        ("<c t='str'/><c><v>http://old.example/a</v></c>", false),
        ("<c t='str'></c><c><v>http://old.example/a</v></c>", false),
        (
            "<c t='str'><x:v xmlns:x='http://schemas.openxmlformats.org/drawingml/2006/main'>http://old.example/a</x:v></c>",
            false,
        ),
        ("<c t='str'>http://old.example/a</c>", false),
    ] {
        for namespace in [SHEETS, "http://purl.oclc.org/ooxml/spreadsheetml/main"] {
            let before = format!("<worksheet xmlns=\"{namespace}\"><row>{cells}</row></worksheet>");
            let moved = before.replace("http://old.", "https://new.site.");
            let after = if moves { &moved } else { &before };
            assert_eq!(&rewritten("a.xml", &before, &MOVE), after);
        }
    }
}

/// The head of a column is its name, by which formulas find it: its cell and its name stay together.
#[test]
fn heads_of_tables_stay() {
    let strings = "<sst><si><t>http://old.example/a</t></si><si><t>http://old.example/ab</t></si>\
        <si><r><t>see http://old.exam</t></r><r><rPr><b/></rPr><t xml:space=\"preserve\">ple/?a&amp;b \n</t></r></si>\
        <si><t>see http://old.example/?a</t></si><si><t>HTTP://old.example/a</t></si></sst>";
    let sheet = "<worksheet><sheetData><row><c t=\"inlineStr\"><is><t>www.old.example</t></is></c>\
        <c t=\"inlineStr\"><is><t>http://old.example/b</t></is></c>\
        <c><f>SUM(T[[http://old.example/a]])+HYPERLINK(\"http://old.example/f\")</f></c></row></sheetData></worksheet>";
    let table = "<table displayName=\"T\"><tableColumns><tableColumn id=\"1\" name=\"http://old.example/a\"/>\
        <tableColumn id=\"2\" name=\"see http://old.example/?a&amp;b _x000a_\"/><tableColumn id=\"3\" name=\"www.old.example\">\
        <calculatedColumnFormula>T[[http://old.example/a]]</calculatedColumnFormula></tableColumn></tableColumns></table>";
    // Tables stand in front of the strings, or behind them.
    let parts = [
        ("xl/sharedStrings.xml", strings),
        ("xl/tables/table1.xml", table),
        ("xl/worksheets/sheet1.xml", sheet),
    ];
    let mut others = parts;
    others.swap(0, 1);
    for parts in [parts, others] {
        let place = Place::new(&[]);
        let book = workbook(&parts);
        place.write("a.xlsx", &book);
        place.write(
            "in.zip",
            &zip_of(&[("b.xlsx".to_owned(), book)], ZipForm::default()),
        );
        let move_host = [
            "rewrite",
            "--move",
            "old.example",
            "new.example",
            "-i",
            "--json",
        ];
        let ran = place.run(&[&move_host[..], &["a.xlsx"]].concat());
        let edits = ran.objects();
        let left = edits.iter().filter(|edit| edit["type"] == "left");
        let left: Vec<_> = left
            .map(|edit| (&edit["text"], &edit["notes"][0]))
            .collect();
        assert_eq!(left.len(), 3, "{left:?}");
        assert!(
            left.iter().all(|(_, note)| *note == "left-unencodable"),
            "{left:?}"
        );
        let moved = place.read("a.xlsx");
        assert_eq!(
            part(&moved, "xl/tables/table1.xml"),
            part(&workbook(&parts), "xl/tables/table1.xml")
        );
        let expected = [
            part(&workbook(&parts), "xl/sharedStrings.xml")
                .replace("http://old.example/ab<", "http://new.example/ab<")
                .replace("http://old.example/?a<", "http://new.example/?a<")
                .replace("HTTP://old", "http://new"),
            part(&workbook(&parts), "xl/worksheets/sheet1.xml")
                .replace("http://old.example/b", "http://new.example/b"),
        ];
        let strings = [
            part(&moved, "xl/sharedStrings.xml"),
            part(&moved, "xl/worksheets/sheet1.xml"),
        ];
        assert_eq!(strings, expected);
        // Identifiers change on request, but not these names.
        place.write("all.xlsx", &workbook(&parts));
        place.run(&[&move_host[..], &["--identifiers", "all.xlsx"]].concat());
        assert_eq!(
            part(&place.read("all.xlsx"), "xl/tables/table1.xml"),
            part(&workbook(&parts), "xl/tables/table1.xml")
        );
        // In another archive, too.
        place.run(&[&move_host[..], &["in.zip"]].concat());
        let inner = place.read("in.zip");
        let mut archive = Archive::open(Cursor::new(&inner)).unwrap();
        let entry = archive.entry(0).unwrap();
        let mut content = Vec::new();
        archive
            .content(0, &entry)
            .unwrap()
            .read_to_end(&mut content)
            .unwrap();
        assert_eq!(part(&content, "xl/sharedStrings.xml"), expected[0]);
    }
}

/// The fields of a pivot table have the names of heads, too.
#[test]
fn heads_of_pivot_tables_stay() {
    let strings =
        "<sst><si><t>http://old.example/a</t></si><si><t>http://old.example/b</t></si></sst>";
    let fields = "<pivotCacheDefinition><cacheSource type=\"worksheet\"><worksheetSource ref=\"A1:A2\" sheet=\"S\"/></cacheSource>\
        <cacheFields count=\"1\"><cacheField name=\"http://old.example/a\"><sharedItems><s v=\"http://old.example/b\"/></sharedItems>\
        </cacheField></cacheFields></pivotCacheDefinition>";
    let name = "xl/pivotCache/pivotCacheDefinition1.xml";
    let book = workbook(&[("xl/sharedStrings.xml", strings), (name, fields)]);
    let place = Place::new(&[]);
    place.write("a.xlsx", &book);
    place.run(&[&["rewrite"], &MOVE[..], &["-i", "a.xlsx"]].concat());
    let moved = place.read("a.xlsx");
    assert_eq!(part(&moved, name), part(&book, name));
    let expected = part(&book, "xl/sharedStrings.xml")
        .replace("http://old.example/b", "https://new.site.example/b");
    assert_eq!(part(&moved, "xl/sharedStrings.xml"), expected);
}

/// Heads stay in a workbook that was unpacked to a directory, too, from wherever it is named.
#[test]
fn heads_of_unpacked_workbooks_stay() {
    let of = |root: &str| root.replacen('>', &format!(" xmlns=\"{SHEETS}\">"), 1);
    let strings =
        of("<sst><si><t>http://old.example/a</t></si><si><t>http://old.example/b</t></si></sst>");
    let sheet = of(
        "<worksheet><sheetData><row><c t=\"inlineStr\"><is><t>http://old.example/a</t></is></c>\
        <c t=\"inlineStr\"><is><t>http://old.example/c</t></is></c></row></sheetData></worksheet>",
    );
    let table = of(
        "<table><tableColumns><tableColumn id=\"1\" name=\"http://old.example/a\"/></tableColumns></table>",
    );
    let moved = |text: &str, letter: char| {
        text.replace(
            &format!("http://old.example/{letter}"),
            &format!("https://new.site.example/{letter}"),
        )
    };
    for (directory, named) in [
        ("", "book"),
        ("book/xl", "sharedStrings.xml"),
        ("book/xl/worksheets", "."),
    ] {
        let place = Place::new(&[
            ("book/xl/sharedStrings.xml", &strings),
            ("book/xl/worksheets/sheet1.xml", &sheet),
            ("book/xl/tables/table1.xml", &table),
        ]);
        let arguments = [&["rewrite"], &MOVE[..], &["-i", named]].concat();
        let mut command = place.command(&arguments);
        let ran = command.current_dir(place.path(directory)).output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
        if directory != "book/xl/worksheets" {
            let now = place.read("book/xl/sharedStrings.xml");
            assert_eq!(String::from_utf8(now).unwrap(), moved(&strings, 'b'));
        }
        if directory != "book/xl" {
            let now = place.read("book/xl/worksheets/sheet1.xml");
            assert_eq!(String::from_utf8(now).unwrap(), moved(&sheet, 'c'));
        }
        let now = place.read("book/xl/tables/table1.xml");
        assert_eq!(String::from_utf8(now).unwrap(), table);
    }
}

/// A table that cannot be read leaves all names of columns in doubt.
#[test]
fn workbooks_with_damaged_tables_are_left() {
    let table = "<table><tableColumns><tableColumn id=\"1\" name=\"http://old.example/a\"/></tableColumns></table>";
    let strings = "<sst><si><t>http://old.example/a</t></si></sst>";
    let mut book = workbook(&[
        ("xl/sharedStrings.xml", strings),
        ("xl/tables/table1.xml", table),
    ]);
    let header = book
        .windows(4)
        .rposition(|bytes| bytes == b"PK\x03\x04")
        .unwrap();
    book[header + 60] ^= 1;
    let place = Place::new(&[]);
    place.write("a.xlsx", &book);
    let arguments = [
        "rewrite",
        "--move",
        "old.example",
        "new.example",
        "-g",
        "!*table1.xml",
        "-i",
        "a.xlsx",
    ];
    let ran = place.run(&arguments);
    assert_ne!(ran.code, 0, "{ran:?}");
    assert_eq!(place.read("a.xlsx"), book);
    let found = place.run(&["find", "-o", "a.xlsx"]);
    assert!(found.text().contains("http://old.example/a\n"), "{found:?}");
}
