//! Promises of the XML tokenizer on any input: cuts do not matter, slots are in order and disjoint, the vocabulary can
//! be extended.

use linkglot::Charset;
use linkglot_markup::{
    Access, MarkupSettings, Step, TextSlots, Tokenizer, Vocabulary, Window, XmlTokenizer,
};
use proptest::prelude::*;

/// The answers of the tokenizer to the document in windows that end at `cuts`; slots have their places. The parts of a
/// run of text count as one, and blank runs as none.
fn answers(
    mut tokenizer: XmlTokenizer,
    bytes: &[u8],
    cuts: &[usize],
    charset: Charset,
) -> Vec<String> {
    let (mut found, mut origin, mut cursor, mut behind) = (Vec::new(), 0, 0, 0);
    let mut run = 0;
    let mut ends = cuts.iter().copied().chain([bytes.len()]);
    let mut end = ends.next().unwrap_or(bytes.len());
    loop {
        let last = end == bytes.len();
        let window = Window {
            bytes: &bytes[origin..end],
            last,
            charset,
        };
        let before = cursor;
        let step = tokenizer.step(window, &mut cursor);
        assert!(cursor >= before, "the cursor never goes back");
        match step {
            Step::Slot(slot) => {
                assert!(slot.range.start >= before && slot.range.end <= end - origin);
                let place = origin + slot.range.start;
                assert!(place >= behind, "slots are in order and apart");
                behind = origin + slot.range.end;
                if slot.run.begins {
                    run = place;
                }
                let text = &bytes[run..behind];
                if slot.run.ends && !text.iter().all(u8::is_ascii_whitespace) {
                    let what = (slot.escaping, slot.syntax, slot.place, slot.access);
                    found.push(format!("{run}..{behind} {what:?}"));
                }
            }
            Step::TooLong(at, place) => found.push(format!("{} {place:?}", origin + at)),
            Step::NeedMore => {
                assert!(!last, "there is no more");
                end = ends.next().unwrap_or(bytes.len());
            }
            Step::End => {
                assert!(last && cursor == end - origin);
                return found;
            }
        }
        origin += cursor;
        cursor = 0;
    }
}

/// Pieces of documents, whole and broken.
fn bit() -> impl Strategy<Value = Vec<u8>> {
    let bits: Vec<&'static [u8]> = vec![
        b"<a>",
        b"</a>",
        b"<p:a>",
        b"</p:a>",
        b"<a ",
        b"/>",
        b">",
        b" href='",
        b"src=\"",
        b"'",
        b"\"",
        b" p:href=\"x\" ",
        b" xmlns='http://www.w3.org/2005/Atom'",
        b" xmlns='http://www.w3.org/1999/xhtml'",
        b" xmlns:p=\"http://www.w3.org/1999/xlink\"",
        b" xmlns=''",
        b"<e k='v' long-name=\"w\">",
        b"</e>",
        b"<some:element\n  id='1'\n  p:type='x'/>",
        b"<linearGradient>",
        b"</linearGradient>",
        b"<a id='x'>",
        b"</a>text, and more text. ",
        b"<icon>",
        b"</icon>",
        b"<p>",
        b"<style>",
        b"<content type='html'>",
        b"<link>",
        b"<guid>",
        b"<!--",
        b"-->",
        b"<![CDATA[",
        b"]]>",
        b"<?xml-stylesheet",
        b"<?x ",
        b"?>",
        b"<!DOCTYPE r",
        b" SYSTEM 'x'",
        b"[",
        b"]>",
        b"<!ENTITY e 'http://e/'>",
        b"<!ENTITY f SYSTEM 'g'>",
        b"&e;",
        b"&amp;",
        b"&",
        b";",
        b"http://x.example/",
        b"mailto:a@b",
        b"text",
        b" ",
        b"\n",
        b"=",
        b"<",
        b"\x83\x5D",
        b"\x83",
        b"\xE9",
        b"\xC3\xA9",
        b"\0",
        b"0",
    ];
    prop_oneof![
        9 => proptest::sample::select(bits).prop_map(<[u8]>::to_vec),
        1 => proptest::collection::vec(any::<u8>(), 0..4),
    ]
}

fn document() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(bit(), 0..40).prop_map(|bits| bits.concat())
}

fn charset() -> impl Strategy<Value = Charset> {
    let labels = [
        "utf-8",
        "windows-1252",
        "shift_jis",
        "gb18030",
        "big5",
        "euc-kr",
        "euc-jp",
    ];
    let all: Vec<Charset> = labels
        .iter()
        .map(|label| Charset::for_label(label).expect("a label"))
        .collect();
    proptest::sample::select(all)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn no_cut_matters(bytes in document(), charset in charset(), mut cuts in proptest::collection::vec(0..400usize, 0..8)) {
        cuts.sort();
        cuts.retain(|&cut| cut < bytes.len());
        let new = || XmlTokenizer::default();
        let whole = answers(new(), &bytes, &[], charset);
        prop_assert_eq!(answers(new(), &bytes, &cuts, charset), whole.clone());
        let each: Vec<usize> = (0..bytes.len()).collect();
        prop_assert_eq!(answers(new(), &bytes, &each, charset), whole);
    }

    /// Cuts do not matter even with a limit that many pieces exceed. Running text then comes in parts, which may cut a
    /// reference to an entity off its word: text is read without such references, and they are read without text.
    #[test]
    fn no_cut_matters_beyond_the_limit(bytes in document(), charset in charset(), limit in 16..60usize) {
        let new = |text| XmlTokenizer::new(&MarkupSettings { max_slot: limit, text, ..MarkupSettings::default() });
        let each: Vec<usize> = (0..bytes.len()).collect();
        let plain: Vec<u8> = bytes.iter().map(|byte| if *byte == b'&' { b'+' } else { *byte }).collect();
        for (bytes, text) in [(bytes, TextSlots::None), (plain, TextSlots::Prose)] {
            let whole = answers(new(text), &bytes, &[], charset);
            prop_assert_eq!(answers(new(text), &bytes, &each, charset), whole);
        }
    }

    /// The limit bounds the memory that waits for more input, however the document continues.
    #[test]
    fn memory_is_bounded(bits in proptest::collection::vec(bit(), 0..12), charset in charset()) {
        let bytes = bits.concat().repeat(200);
        let (mut tokenizer, mut cursor, mut end) = (XmlTokenizer::new(&MarkupSettings { max_slot: 64, ..MarkupSettings::default() }), 0, 0);
        loop {
            let last = end >= bytes.len();
            let window = Window { bytes: &bytes[..end.min(bytes.len())], last, charset };
            match tokenizer.step(window, &mut cursor) {
                Step::End => break,
                Step::NeedMore => {
                    // A few bytes more than the limit, or the bytes that a decoder needs if none is safe.
                    prop_assert!(end - cursor <= 8192, "{} bytes wait", end - cursor);
                    end += 16;
                }
                _ => {}
            }
        }
    }
}

fn with_rows(rows: &str, text: &str) -> Vec<(String, Access)> {
    let vocabulary = Vocabulary::default().extended(rows).expect("rows");
    let mut tokenizer = XmlTokenizer::new(&MarkupSettings {
        vocabulary,
        ..MarkupSettings::default()
    });
    let (mut cursor, mut found) = (0, Vec::new());
    let window = Window {
        bytes: text.as_bytes(),
        last: true,
        charset: Charset::UTF_8,
    };
    while let Step::Slot(slot) = tokenizer.step(window, &mut cursor) {
        found.push((text[slot.range].to_owned(), slot.access));
    }
    found
}

#[test]
fn users_extend_the_vocabulary() {
    let rows = "prefix\tx\turn:x\n\
        urn:mine\tpage\tto\tsingle\trewrite\tkind=link|ref*\n\
        urn:mine\tpage\tx:to\tsingle\tlist\n\
        urn:mine\tword\t#text\tsingle\trewrite\tparent=page\n\
        http://www.w3.org/2005/Atom\tlink\thref\tnone\tnever\trel=self";
    let text = "<page xmlns='urn:mine' xmlns:y='urn:x' to='1' y:to='2' kind='reference'><word>3</word>\
        <page to='no'/><word to='no'>4</word><b><word>no</word></b><l:link xmlns:l='http://www.w3.org/2005/Atom' href='no' rel='self'/>\
        <link xmlns='http://www.w3.org/2005/Atom' href='5'/></page>";
    let expected = [
        ("1", Access::Rewrite),
        ("2", Access::Identifier),
        ("3", Access::Rewrite),
        ("4", Access::Rewrite),
        // No row is about this element here: running text.
        ("no", Access::Rewrite),
        ("self", Access::Identifier),
        ("5", Access::Rewrite),
    ];
    let expected: Vec<_> = expected
        .map(|(raw, access)| (raw.to_owned(), access))
        .into();
    assert_eq!(with_rows(rows, text), expected);
}

/// Values of rows without links are not touched, whatever they look like.
#[test]
fn identifiers_are_never_rewritten() {
    let u = "http://x.example/";
    for text in [
        format!("<r xmlns='{u}' xmlns:p='{u}'/>"),
        format!(
            "<feed xmlns='http://www.w3.org/2005/Atom'><id>{u}</id><category scheme='{u}'/><link rel='{u}'/></feed>"
        ),
        format!(
            "<rss><channel><item><guid isPermaLink='false'>{u}</guid><guid>{u}</guid><category domain='{u}'/></item></channel></rss>"
        ),
        format!(
            "<!DOCTYPE r PUBLIC '{u}' '{u}'[<!ENTITY a SYSTEM '{u}'><!ENTITY b '{u}'><!NOTATION n PUBLIC '{u}'>]><r/>"
        ),
        format!(
            "<Relationship xmlns='http://schemas.openxmlformats.org/package/2006/relationships' Type='{u}'/>"
        ),
        format!("<MPD xmlns='urn:mpeg:dash:schema:mpd:2011'><Role schemeIdUri='{u}'/></MPD>"),
        format!(
            "<s xmlns='http://www.w3.org/2000/09/xmldsig#'><SignatureMethod Algorithm='{u}'/><Reference URI='{u}'/></s>"
        ),
        format!("<r xmlns:l='http://www.w3.org/1999/xlink' l:role='{u}' l:arcrole='{u}'/>"),
        format!(
            "<r xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:type='{u}' i:nil='{u}' xml:lang='{u}' xml:id='{u}'/>"
        ),
        format!(
            "<schema xmlns='http://www.w3.org/2001/XMLSchema' targetNamespace='{u}'><import namespace='{u}'/></schema>"
        ),
        format!(
            "<grammar xmlns='http://relaxng.org/ns/structure/1.0' ns='{u}' datatypeLibrary='{u}'/>"
        ),
        format!(
            "<math xmlns='http://www.w3.org/1998/Math/MathML'><csymbol definitionURL='{u}'/></math>"
        ),
        format!(
            "<r xmlns:d='http://purl.org/dc/elements/1.1/'><d:identifier>{u}</d:identifier></r>"
        ),
        format!("<e:To xmlns:e='http://www.w3.org/2005/08/addressing'>{u}</e:To>"),
        format!("<EntityDescriptor xmlns='urn:oasis:names:tc:SAML:2.0:metadata' entityID='{u}'/>"),
        format!(
            "<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'><uri name='{u}'/><system systemId='{u}'/></catalog>"
        ),
        format!(
            "<ncx xmlns='http://www.daisy.org/z3986/2005/ncx/'><meta name='dtb:uid' content='{u}'/></ncx>"
        ),
        format!(
            "<r xmlns:s='http://schemas.openxmlformats.org/officeDocument/2006/customXml'><s:schemaRef s:uri='{u}'/></r>"
        ),
        format!(
            "<a:ext xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main' uri='{u}'><a:x>{u}</a:x></a:ext>"
        ),
        format!(
            "<w:p xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main' w:uri='{u}'><w:delText>{u}</w:delText></w:p>"
        ),
        format!("<taglib><uri>{u}</uri><taglib-uri>{u}</taglib-uri></taglib>"),
        format!("<taglib xmlns='http://java.sun.com/xml/ns/javaee'><uri>{u}</uri></taglib>"),
        format!(
            "<r notNamespace='{u}' targetNamespace='{u}' namespace='{u}' nsURI='{u}' nsUri='{u}' defaultNamespace='{u}'/>"
        ),
        format!("<r><metadataNamespace>{u}</metadataNamespace><id>{u}</id><guid>{u}</guid></r>"),
        format!(
            "<header xmlns='http://www.openarchives.org/OAI/2.0/'><identifier>{u}</identifier></header>"
        ),
        format!(
            "<Issuer xmlns='urn:oasis:names:tc:SAML:2.0:assertion'>{u}<Attribute Name='{u}' NameFormat='{u}'/></Issuer>"
        ),
        format!("<r Algorithm='{u}' soapAction='{u}' roleURI='{u}' arcrole='{u}' profile='{u}'/>"),
        format!("<r xmlns:a='http://www.w3.org/2006/05/addressing/wsdl' a:Action='{u}'/>"),
        format!("<r xmlns:e='http://www.w3.org/2003/05/soap-envelope' e:role='{u}'/>"),
        format!(
            "<t xmlns='http://www.w3.org/1999/XSL/Transform' default-collation='{u}' extension-element-prefixes='{u}'>\
             <variable>{u}</variable></t>"
        ),
        format!("<r><param name='{u}'/><property name='{u}'/><feature name='{u}'/></r>"),
        format!("<r systemId='{u}' publicId='{u}' type='{u}' collation='{u}'/>"),
        format!("<s:ns xmlns:s='http://www.ascc.net/xml/schematron' uri='{u}'/>"),
        format!(
            "<match xmlns='http://www.freedesktop.org/standards/shared-mime-info' value='{u}'/>"
        ),
        format!(
            "<text:p xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0' text:name='{u}'><text:date>{u}</text:date></text:p>"
        ),
        format!("<?xml-model schematypens='{u}'?><?other href='{u}'?><r/>"),
        format!("<r><!-- {u} --><?p {u}?></r>"),
    ] {
        for (raw, access) in with_rows("", &text) {
            assert_eq!(access, Access::Identifier, "{raw} in {text}");
        }
    }
}
