//! The vocabulary of XML: users can extend it, and identifiers are never rewritten.

use linkglot::Charset;
use linkglot_markup::{Access, MarkupSettings, Step, Tokenizer, Vocabulary, Window, XmlTokenizer};

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
