//! The promises over paragraphs of office documents, made of runs.

use crate::promises::promises_hold_behind;
use linkglot::format::Format;

const WORD: &str = "<?xml version='1.0'?><w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" xmlns:v=\"urn:schemas-microsoft-com:vml\"><w:p><w:r><w:t>";

const WORD_PIECES: &[&str] = &[
    "http://ex",
    "http://example.org/a",
    "ample.org/",
    "www.exa",
    "mple.org",
    "a@b.exam",
    "ple.org",
    "b\u{fc}cher",
    "&#xFC;",
    "&amp;",
    "&x;",
    "</w:t></w:r><w:r><w:t>",
    "</w:t></w:r>\n<w:proofErr w:type='a'/><w:r><w:rPr><w:b/></w:rPr><w:t xml:space='preserve'>",
    "</w:t><w:t>",
    "</w:t><w:noBreakHyphen/><w:t>",
    "</w:t><w:tab/><w:t>",
    "</w:t><w:sym w:char='a'/><w:t>",
    "</w:t></w:r><w:r><w:instrText> HYPERLINK \"",
    "\" </w:instrText></w:r><w:r><w:t>",
    "</w:instrText><w:instrText>",
    "</w:t></w:r></w:p><w:p><w:r><w:t>",
    "</w:t><v:a href='http://example.org/'/><w:t>",
    "<w:t/>",
    "<!-- -->",
    "<![CDATA[a]]>",
    "</w:t>",
    "<w:t xmlns:w='a'>",
    "<t>",
    "<",
    ">",
    "'",
    " ",
    ".",
    "/",
    "a",
];

const OPEN: &str = "<?xml version='1.0'?><office:text xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"><text:p>";

const OPEN_PIECES: &[&str] = &[
    "http://ex",
    "http://example.org/a",
    "ample.org/",
    "www.exa",
    "mple.org",
    "a@b.exam",
    "ple.org",
    "b\u{fc}cher",
    "&amp;",
    "&x;",
    "<text:span>",
    "<text:span text:style-name='T1'>",
    "</text:span>",
    "<text:a xlink:href='http://example.org/'>",
    "</text:a>",
    "<text:s/>",
    "<text:bookmark text:name='>'/>",
    "<text:page-number>1</text:page-number>",
    "<text:line-break/>",
    "</text:p><text:p>",
    "</text:p>",
    "<span>",
    "<!-- -->",
    "<![CDATA[a]]>",
    "<",
    ">",
    "'",
    " ",
    ".",
    "/",
    "a",
];

const SHEET: &str = "<?xml version='1.0'?><worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData><row><c t='str'><v>";

const SHEET_PIECES: &[&str] = &[
    "http://ex",
    "http://example.org/a",
    "ample.org/",
    "a@b.exam",
    "b\u{fc}cher",
    "&amp;",
    "&x;",
    "</v></c><c t='str'><v>",
    "</v></c><c t='str'>\n<v xml:space='preserve'>",
    "</v></c><c t='str'><f>a</f><v>",
    "</v></c><c t='s'><v>",
    "</v></c><c t='&#115;tr'><v>",
    "</v></c><c t='n' s='str'><v>",
    "</v></c><c t='str'/><c><v>",
    "</v></c><c t='inlineStr'><is><t>",
    "</t></is></c><c t='str'><!-- --><v>",
    "</v><v>",
    "<v>",
    "</v>",
    "<f/>",
    "<![CDATA[a]]>",
    "<",
    ">",
    " ",
    ".",
    "/",
    "a",
];

#[test]
fn promises_hold_over_cells_of_spreadsheets() {
    promises_hold_behind(SHEET, SHEET_PIECES, 20, Format::Xml);
}

#[test]
fn promises_hold_over_runs_of_office_open_xml() {
    promises_hold_behind(WORD, WORD_PIECES, 20, Format::Xml);
}

#[test]
fn promises_hold_over_paragraphs_of_open_document() {
    promises_hold_behind(OPEN, OPEN_PIECES, 20, Format::Xml);
}
