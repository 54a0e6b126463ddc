mod any_input;

use super::*;
use crate::PlaceKind;
use crate::testing::Document;

const ATOM: &str = "http://www.w3.org/2005/Atom";
const XHTML: &str = "xmlns='http://www.w3.org/1999/xhtml'";
const SVG: &str = "xmlns='http://www.w3.org/2000/svg'";
const XLINK: &str = "xmlns:l='http://www.w3.org/1999/xlink'";

/// The text of a slot for tests: `element@name raw`, with marks for a slot that is only listed, and any syntax but the
/// single one.
fn describe(slot: &Slot, raw: &str) -> String {
    let element = slot.place.element.as_deref().unwrap_or("");
    let name = slot
        .place
        .name
        .as_deref()
        .map_or(String::new(), |name| format!("@{name}"));
    let syntax = match slot.syntax {
        Syntax::Single => String::new(),
        syntax => format!(" {syntax:?}"),
    };
    let access = match slot.access {
        Access::Rewrite | Access::Rules | Access::Forms => "",
        Access::List | Access::Counted | Access::Identifier => " listed",
    };
    format!("{element}{name}{syntax}{access} {raw}")
}

/// The slots of a document handed over in windows that end at `cuts`, each with its place.
fn slots(bytes: &[u8], cuts: &[usize], charset: Charset, max: usize) -> Vec<(usize, String)> {
    let tokenizer = XmlTokenizer::new(&MarkupSettings {
        max_slot: max,
        ..MarkupSettings::default()
    });
    let mut found = Vec::new();
    let document = Document { bytes, charset };
    document.each_step(tokenizer, cuts, |origin, step| match step {
        Step::Slot(slot) => {
            let (start, end) = (origin + slot.range.start, origin + slot.range.end);
            found.push((start, describe(&slot, &charset.decode(&bytes[start..end]))));
        }
        Step::TooLong(at, place) => {
            let name = place.name.as_deref().unwrap_or("#text");
            found.push((origin + at, format!("too long {name}")));
        }
        Step::NeedMore | Step::End => {}
    });
    found
}

fn every_split_of(bytes: &[u8], charset: Charset, max: usize) -> Vec<String> {
    let whole = slots(bytes, &[], charset, max);
    for cut in 0..bytes.len() {
        assert_eq!(slots(bytes, &[cut], charset, max), whole, "cut at {cut}");
    }
    let each: Vec<usize> = (0..bytes.len()).collect();
    assert_eq!(slots(bytes, &each, charset, max), whole, "byte by byte");
    whole.into_iter().map(|(_, slot)| slot).collect()
}

fn read(text: &str) -> Vec<String> {
    every_split_of(text.as_bytes(), Charset::UTF_8, 1 << 20)
}

#[test]
fn attributes_by_namespace() {
    let text = format!(
        "<a:feed xmlns:a='{ATOM}'><a:link href=\"x\" rel=y/><link xmlns='{ATOM}' href='z'/>\
         <b:link xmlns:b='urn:x' b:href='no' href='yes' src = 'too'/><a:entry href='no'/></a:feed>"
    );
    assert_eq!(
        read(&text),
        [
            "a:link@href x",
            "a:link@rel AbsoluteOnly listed y",
            "link@href z",
            "b:link@href yes",
            "b:link@src too"
        ]
    );
}

#[test]
fn prefixes_mean_nothing_by_themselves() {
    let text = format!("<r xmlns:xlink='urn:x' {XLINK}><e xlink:href='no' l:href='x'/></r>");
    assert_eq!(read(&text), ["e@l:href x"]);
    assert_eq!(read("<r xlink:href='no' xml:base='x'/>"), ["r@xml:base x"]);
    // A declaration may stand behind the attribute that uses it.
    assert_eq!(read(&format!("<r l:href='x' {XLINK}/>")), ["r@l:href x"]);
}

#[test]
fn scopes_end_and_defaults_are_undeclared() {
    let text = format!(
        "<r><e {XLINK}><f l:href='1'/></e><e l:href='no'/>\
         <s {SVG} href='no'><g xmlns='' href='2'/><g href='no'/></s><g href='3'/>\
         <e {XLINK}/><e l:href='no'/><e {XLINK}><f xmlns:l='' l:href='no'/><f l:href='4'/></e></r>"
    );
    assert_eq!(
        read(&text),
        ["f@l:href 1", "g@href 2", "g@href 3", "f@l:href 4"]
    );
}

#[test]
fn declarations_are_no_links() {
    let text = "<r xmlns='http://x.example/' xmlns:p='http://y.example/' p:q='http://z.example/'/>";
    assert_eq!(read(text), ["r@p:q AbsoluteOnly http://z.example/"]);
}

/// The value makes the link, unless the name says that programs compare the value.
#[test]
fn attributes_of_any_name_that_are_links() {
    let text = format!(
        "<r xmlns:i='http://www.w3.org/2001/XMLSchema-instance' xmlns:p='urn:p' a='http://a.example/' p:b=\" mailto:b@b.example\n\" \
         quite-long-name='h&#116;tps://c.example/' d='see http://no.example/' e='urn:no' f='file:///no' g='http:no' h='http://' \
         i='HTTP://i.example' j='//no.example/' i:type='http://no.example/' xml:id='http://no.example/' k='classpath://no' \
         id='http://l.example/' p:namespace='http://m.example/' namespace='http://n.example/' l='&e;' m='http://&e;/'/>\
         <p {XHTML} title='http://no.example/'/><s {SVG} title='http://s.example/'/>"
    );
    assert_eq!(
        read(&text),
        [
            "r@a AbsoluteOnly http://a.example/",
            "r@p:b AbsoluteOnly  mailto:b@b.example\n",
            "r@quite-long-name AbsoluteOnly h&#116;tps://c.example/",
            "r@i AbsoluteOnly HTTP://i.example",
            "r@id AbsoluteOnly listed http://l.example/",
            "r@p:namespace AbsoluteOnly http://m.example/",
            "r@namespace AbsoluteOnly listed http://n.example/",
            "r@m AbsoluteOnly listed http://&e;/",
            "s@title AbsoluteOnly http://s.example/"
        ]
    );
    let found = expansions("<!DOCTYPE r [<!ENTITY e 'http://e.example/'>]><r a='&e;x'/>");
    assert_eq!(
        found.last(),
        Some(&(
            "r@a AbsoluteOnly listed &e;x".to_owned(),
            Some("http://e.example/x".to_owned())
        ))
    );
}

#[test]
fn values_in_content() {
    let text = format!(
        "<feed xmlns='{ATOM}'><icon>x</icon><logo> <![CDATA[y]]> <!-- z --></logo><id>i</id>\
         <icon>a<![CDATA[b]]></icon><icon>a<b/></icon><icon> </icon><icon/><icon>&amp;<?p?></icon></feed>"
    );
    assert_eq!(
        read(&text),
        [
            "icon x",
            "logo y",
            "id listed i",
            "icon listed a<![CDATA[b",
            "icon &amp;"
        ]
    );
}

#[test]
fn text_of_elements_without_rows() {
    let text = "<r>http://b.example/ <a>http://x.example/é</a><a> mailto:a@b.example\n</a>\
        <a>see http://b.example/</a><a>http://b.example/ x</a><a>x</a><a/><a>1:2</a>\
        <a><![CDATA[http://y.example/]]></a><a><b>http://z.example/</b></a></r>";
    assert_eq!(
        read(text),
        [
            "r Text http://b.example/ ",
            "a AbsoluteOnly http://x.example/é",
            "a AbsoluteOnly  mailto:a@b.example\n",
            "a Text see http://b.example/",
            "a Text http://b.example/ x",
            "a Text x",
            "a Text 1:2",
            "a AbsoluteOnly http://y.example/",
            "b AbsoluteOnly http://z.example/"
        ]
    );
}

/// The external subsets of XHTML and SVG are known without being read: entities, and defaults of attributes.
#[test]
fn external_subsets_that_are_known() {
    let strict = "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML\n 1.0  Strict//EN' 'x.dtd'";
    let own = "[<!ENTITY eacute 'own'>]";
    let slots = |text: &str| {
        let mut tokenizer = XmlTokenizer::default();
        let (mut cursor, mut found) = (0, Vec::new());
        let window = Window {
            bytes: text.as_bytes(),
            last: true,
            charset: Charset::UTF_8,
        };
        while let Step::Slot(slot) = tokenizer.step(window, &mut cursor) {
            if slot.place.kind != PlaceKind::Doctype {
                let raw = slot.escaping.unescape(&text[slot.range.clone()]);
                let text = tokenizer.expansion().unwrap_or(raw.text()).to_owned();
                found.push((text, slot.access == Access::Rewrite));
            }
        }
        every_split_of(text.as_bytes(), Charset::UTF_8, 1 << 20);
        found
    };
    let body = "<html><a href='r&eacute;sum&eacute;&amp;&no;/'/><p>a&nbsp;b &no;</p></html>";
    let plain = "<html><a href='&eacute;&lt;'/><p>a&nbsp;&#x62;</p></html>";
    let yes = |text: &str| (text.to_owned(), true);
    let no = |text: &str| (text.to_owned(), false);
    assert_eq!(
        slots(&format!("{strict}>{plain}")),
        [yes("\u{e9}<"), yes("a\u{a0}b")]
    );
    assert_eq!(
        slots(&format!("{strict}>{body}")),
        [no("r\u{e9}sum\u{e9}&&no;/"), yes("a\u{a0}b "), no("&no;")]
    );
    assert_eq!(
        slots(&format!("{strict} {own}>{plain}")),
        [no("own<"), yes("a\u{a0}b")]
    );
    let mobile = "<!DOCTYPE html PUBLIC '-//WAPFORUM//DTD XHTML Mobile 1.0//EN' 'x'>";
    assert_eq!(slots(&format!("{mobile}{plain}")).len(), 2);
    // The declarations of other subsets are unknown.
    let other = "<!DOCTYPE html PUBLIC '-//X//DTD XHTML 1.0//EN' 'x'>";
    assert_eq!(
        slots(&format!("{other}{plain}")),
        [no("&eacute;<"), no("a&nbsp;b")]
    );
    let svg = "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'x.dtd'><svg><a xlink:href='&eacute;'/>\
        <a xlink:href='x'/><g xmlns:xlink='urn:x'><a xlink:href='y'/></g></svg>";
    assert_eq!(slots(svg), [no("&eacute;"), yes("x")]);
}

/// A value interrupted by CDATA sections, comments and instructions is one link, which is only listed.
#[test]
fn parted_values() {
    let text = "<!DOCTYPE r [<!ENTITY e 'x'>]><r><a>http://<!-- --><![CDATA[a.example/&]]>&amp;<?p?>&e;</a>\
        <a> <![CDATA[ ]]> http://b.example/ <!-- --> <![CDATA[ ]]></a><a>http://c.example/<!-- --> x</a>\
        <a>x<!-- -->http://d.example/</a><a>http://e.example/<b/></a><a>http<!-- -->:&no;<?p?></a></r>";
    let mut tokenizer = XmlTokenizer::default();
    let (mut cursor, mut found) = (0, Vec::new());
    let window = Window {
        bytes: text.as_bytes(),
        last: true,
        charset: Charset::UTF_8,
    };
    while let Step::Slot(slot) = tokenizer.step(window, &mut cursor) {
        let raw = &text[slot.range.clone()];
        found.push((raw, slot.access, tokenizer.expansion().map(str::to_owned)));
    }
    let parted = |raw, text: &str| (raw, Access::List, Some(text.to_owned()));
    assert_eq!(
        found,
        [
            parted(
                "http://<!-- --><![CDATA[a.example/&]]>&amp;<?p?>&e;",
                "http://a.example/&&x"
            ),
            (" http://b.example/ ", Access::Rewrite, None),
            // Not one IRI: running text.
            ("http://c.example/", Access::Rewrite, None),
            (" x", Access::Rewrite, None),
            parted("x<!-- -->http://d.example/", "xhttp://d.example/"),
            ("http://e.example/", Access::Rewrite, None),
            ("http", Access::Rewrite, None),
            (":&no;", Access::List, None),
        ]
    );
    every_split_of(text.as_bytes(), Charset::UTF_8, 1 << 20);
}

#[test]
fn feeds() {
    let rss = "<rss version='2.0' xmlns:content='http://purl.org/rss/1.0/modules/content/'><channel><title>t</title><link>l</link><item>\
        <guid>http://g.example/</guid><guid isPermaLink='false'>http://no.example/</guid><description>&lt;a&gt;</description>\
        <enclosure url='e'/><content:encoded><![CDATA[<p>]]></content:encoded><comments>c</comments></item></channel></rss>";
    assert_eq!(
        read(rss),
        [
            "title Text t",
            "link l",
            "guid listed http://g.example/",
            "description Html &lt;a&gt;",
            "enclosure@url e",
            "content:encoded Html <p>",
            "comments c"
        ]
    );
    let atom = format!(
        "<feed xmlns='{ATOM}'><entry><content type='html'>&lt;p></content><content>http://t.example/</content>\
         <summary type='xhtml'><div {XHTML}>text <a href='x'>no</a></div></summary></entry></feed>"
    );
    assert_eq!(
        read(&atom),
        [
            "content Html &lt;p>",
            "content AbsoluteOnly http://t.example/",
            "div Text text ",
            "a@href x"
        ]
    );
    assert_eq!(
        read("<other><link>l</link><title>&lt;a></title></other>"),
        ["link Text l", "title Text &lt;a>"]
    );
}

#[test]
fn xhtml_goes_by_html() {
    let text = format!(
        "<html {XHTML}><head><style>a{{}}</style><style><![CDATA[b]]></style><script>no</script></head><body background='x'>one\
         <p>two <!-- c --> three</p><a href='y'>no<b>no</b></a><a name='z'>four</a><code>no</code><A href='no'/>\
         <img srcset='s' src='t'/><meta http-equiv='refresh' content='0;u'/><![CDATA[five]]></body></html>"
    );
    assert_eq!(
        read(&text),
        [
            "style Css a{}",
            "style Css b",
            "body@background x",
            "body Text one",
            "p Text two ",
            "p Text  three",
            "a@href y",
            "a Text four",
            "img@srcset Srcset s",
            "img@src t",
            "meta@content Refresh 0;u",
            "body Text five"
        ]
    );
}

#[test]
fn svg_and_schema_locations() {
    let text = format!(
        "<svg {SVG} {XLINK} xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:schemaLocation='n l'>\
         <a href='x' l:href='y' ping='p q' style='s'/><rect fill='url(#f)' href='no'/><style>c</style><script>no</script></svg>"
    );
    assert_eq!(
        read(&text),
        [
            "svg@xsi:schemaLocation LocationPairs n l",
            "a@href x",
            "a@l:href y",
            "a@ping SpaceList p q",
            "a@style CssDeclarations s",
            "rect@fill CssDeclarations url(#f)",
            "style Css c"
        ]
    );
}

#[test]
fn instructions() {
    let text = "<?xml version='1.0'?><?xml-stylesheet type=\"t\" href=\"x&amp;y\"?>\
        <?xml-model href='m' schematypens='n'?><?other href='no'?><?xml-stylesheet href='no'";
    assert_eq!(
        read(text),
        [
            "xml-stylesheet@href x&amp;y",
            "xml-model@href m",
            "xml-model@schematypens listed n"
        ]
    );
}

#[test]
fn document_type_declarations() {
    let text = "<!DOCTYPE r PUBLIC \"-//X\" 'x.dtd'[<!ENTITY e SYSTEM 'e.xml'><!ENTITY % p PUBLIC 'q' 'p.ent'>\
        <!ENTITY t 'http://t.example/'><!ENTITY u \"plain > text\"><!-- ' ]> --><?x ]> ?>\
        <!NOTATION n SYSTEM 'n.exe'> <!ATTLIST r a CDATA ']>'> ]><r href='x'/>";
    assert_eq!(
        read(text),
        [
            "@SYSTEM listed x.dtd",
            "@e listed e.xml",
            "@p listed p.ent",
            "@t AbsoluteOnly listed http://t.example/",
            "@n listed n.exe",
            "r@href x"
        ]
    );
    assert_eq!(
        read("<!DOCTYPE r SYSTEM 'x'><r href='y'/>"),
        ["@SYSTEM listed x", "r@href y"]
    );
    assert_eq!(read("<!DOCTYPE r[]><r href='y'/>"), ["r@href y"]);
    assert_eq!(read("<!DOCTYPE r [ <r href='y'/>"), ["r@href y"]);
}

fn expansions(text: &str) -> Vec<(String, Option<String>)> {
    let mut tokenizer = XmlTokenizer::default();
    let (mut cursor, mut found) = (0, Vec::new());
    let window = Window {
        bytes: text.as_bytes(),
        last: true,
        charset: Charset::UTF_8,
    };
    while let Step::Slot(slot) = tokenizer.step(window, &mut cursor) {
        let raw = describe(&slot, &text[slot.range.clone()]);
        found.push((raw, tokenizer.expansion().map(str::to_owned)));
    }
    found
}

#[test]
fn values_that_depend_on_entities_are_listed() {
    let text = format!(
        "<!DOCTYPE r [<!ENTITY h 'x.example'><!ENTITY n '{ATOM}'>]><r><e href='http://&h;/&amp;' src='&no;'/>\
         <a:icon xmlns:a='&n;'>http://&h;/</a:icon><p {XHTML}>a http://&h;/ b&c;d &lt; e</p></r>"
    );
    let some = |text: &str| Some(text.to_owned());
    let found = expansions(&text);
    let expected = [
        ("e@href listed http://&h;/&amp;", some("http://x.example/&")),
        ("e@src listed &no;", None),
        ("a:icon listed http://&h;/", some("http://x.example/")),
        ("p Text a ", None),
        ("p Text listed http://&h;/", some("http://x.example/")),
        ("p Text listed b&c;d", None),
        ("p Text  &lt; e", None),
    ];
    let found: Vec<_> = found
        .iter()
        .map(|(raw, text)| (raw.as_str(), text.clone()))
        .collect();
    let found: Vec<_> = found
        .into_iter()
        .filter(|(raw, _)| !raw.starts_with('@'))
        .collect();
    assert_eq!(found, expected);
    read(&text);
}

#[test]
fn line_ends_of_xml_1_1() {
    let document = |version: &str, link: &str| {
        format!("<?xml version='{version}'?>\n{link}")
            .replace('|', "\u{85}")
            .replace('!', "\u{2028}")
    };
    let cases = [
        ("<a|href='x'!src='y'|>", &["a@href x", "a@src y"][..]),
        ("<a||src|='y'/>", &["a@src y"]),
        ("<a href='|x!'>", &["a@href x"]),
        ("<a href='x|y'>", &["a@href listed x\u{85}y"]),
        ("<a href='x&#x85;y'>", &["a@href x&#x85;y"]),
        (
            "<rss><channel><link>|x!</link></channel></rss>",
            &["link x"],
        ),
        (
            "<rss><channel><link>x|y</link></channel></rss>",
            &["link listed x\u{85}y"],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(read(&document("1.1", text)), *expected, "{text}");
    }
    // In XML 1.0 these are ordinary characters.
    let read = read(&document("1.0", "<a href='|x'><b|href='y'>"));
    assert_eq!(read, ["a@href \u{85}x"]);
}

#[test]
fn what_is_not_well_formed_is_read_on() {
    for (text, expected) in [
        ("<a href='x' <b href='y'>", &["a@href x", "b@href y"][..]),
        ("<a href='x><b href='y'/>", &["b@href y"]),
        ("<a href='x><b src=\"y\"/>", &["b@src y"]),
        ("<a title='1 < 2' href='x'/>", &["a@href x"]),
        ("<a href=x><b href=y/>", &["a@href x", "b@href y"]),
        ("<a href=x/y><b href=/>", &["a@href x/y"]),
        ("<a href src='x'/>", &["a@src x"]),
        ("<a href='x'src='y'/>", &["a@href x", "a@src y"]),
        ("a < b <c href='x'/>", &["c@href x"]),
        (
            "</none><c href='x'/></c></c><c href='y'/>",
            &["c@href x", "c@href y"],
        ),
        ("<a href='x'", &["a@href x"]),
        ("<a href='x", &[]),
        ("<a", &[]),
        ("<", &[]),
        ("<!", &[]),
        ("<!-", &[]),
        ("<!-- <a href='no'/>", &[]),
        ("<![CDATA[<a href='no'/>]]><a href='x'/>", &["a@href x"]),
        ("<!x <a href='no'/><a href='x'/>", &["a@href x"]),
        ("<a href=\"\u{0}\u{1}\"/>", &["a@href \u{0}\u{1}"]),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn mismatched_end_tags_close_what_they_name() {
    // The `br` are never closed, but the scope of the `svg` ends with it.
    let text = format!("<r><s {SVG}><br><br><br></s><g href='x'/></r>");
    assert_eq!(read(&text), ["g@href x"]);
    let text = format!("<r><s {SVG}></no><image href='x'/></s></r>");
    assert_eq!(read(&text), ["image@href x"]);
}

#[test]
fn long_things_are_passed_over() {
    let long = "0123456789".repeat(8);
    let text = format!(
        "<a b='{long}' href='x' src='{long}' title='{long}'><b href='y'/><c xmlns='{ATOM}' {long}='z'><icon>{long}</icon><logo>http:x</logo></c>"
    );
    assert_eq!(
        every_split_of(text.as_bytes(), Charset::UTF_8, 64),
        [
            "a@href x",
            "too long src",
            "b@href y",
            "too long #text",
            "logo http:x"
        ]
    );
}

#[test]
fn many_attributes_are_read_one_by_one() {
    let mut text = "<a ".to_owned();
    for index in 0..2 * tag::MOST_ATTRIBUTES {
        text.push_str(&format!("a{index}='' "));
    }
    text.push_str("href='x'/><b src='y'/>");
    let found = slots(text.as_bytes(), &[], Charset::UTF_8, 1 << 20);
    let found: Vec<&str> = found.iter().map(|(_, slot)| slot.as_str()).collect();
    assert_eq!(found, ["a@href x", "b@src y"]);
}

#[test]
fn trail_bytes_mean_nothing() {
    let sjis = Charset::for_label("shift_jis").expect("a label");
    // 83 5D (zo) ends in a closing bracket.
    let read = |bytes: &[u8]| every_split_of(bytes, sjis, 1 << 20);
    assert_eq!(
        read(b"<r><![CDATA[\x83\x5D]><a href='no'/>]]><a href='x'/></r>"),
        ["r Text \u{30BE}]><a href='no'/>", "a@href x"]
    );
    assert_eq!(
        read(b"<!DOCTYPE \x83\x5B \x83\x5B[<!ENTITY \x83\x5D ''>%\x83\x5D; <!ENTITY x SYSTEM 'y'>]><r href='\x83\x5C'/>"),
        ["@x listed y", "r@href \u{30BD}"]
    );
}

#[test]
fn deep_documents_are_passed_over_at_the_bottom() {
    let deep = "<a xmlns:p='urn:x'>".repeat(70_000);
    let text = format!(
        "<r>{deep}<b href='no'/>{}<c href='x'/></r>",
        "</a>".repeat(70_000)
    );
    let found = slots(text.as_bytes(), &[], Charset::UTF_8, 1 << 20);
    let [(at, note), (_, link)] = &found[..] else {
        panic!("{} found", found.len());
    };
    // The outermost skipped element is reported once.
    let outermost = text[..*at].matches("<a").count();
    assert!((60_000..70_000).contains(&outermost), "{outermost}");
    assert!(text[*at..].starts_with("<a"));
    assert_eq!(
        (note.as_str(), link.as_str()),
        ("too long #text", "c@href x")
    );
    // Each skipped sibling is reported, too.
    let text = format!(
        "{}<b href='no'/><b><c/><c></c></b>{}<b href='no'></b></a><c href='x'/>",
        "<a>".repeat(1 << 16),
        "</a><d href='y'/>".repeat(2),
    );
    let cut = text.find("<c/>").expect("an element");
    for cuts in [&[][..], &[cut], &[cut + 2, cut + 5]] {
        let found = slots(text.as_bytes(), cuts, Charset::UTF_8, 1 << 20);
        let found: Vec<&str> = found.iter().map(|(_, slot)| slot.as_str()).collect();
        let note = "too long #text";
        assert_eq!(
            found,
            [note, note, "d@href y", "d@href y", "b@href no", "c@href x"],
            "{cuts:?}"
        );
    }
}

/// Runs longer than the limit come in parts; if the caller moves the cursor back, the rest begins there.
#[test]
fn long_runs_come_in_parts() {
    let words = "word http://x.example/ ".repeat(50);
    let text = format!("<p {XHTML}>{words}<b>x</b></p>");
    let mut tokenizer = XmlTokenizer::new(&MarkupSettings {
        max_slot: 64,
        ..MarkupSettings::default()
    });
    let (mut cursor, mut end, mut read, mut parts) = (0, 10, String::new(), 0);
    loop {
        let window = Window {
            bytes: &text.as_bytes()[..end],
            last: end == text.len(),
            charset: Charset::UTF_8,
        };
        match tokenizer.step(window, &mut cursor) {
            Step::Slot(slot) => {
                assert_eq!(slot.run.begins, parts == 0 || read.ends_with("> "));
                assert_eq!(cursor, slot.range.end);
                let raw = &text[slot.range.clone()];
                let kept = if slot.run.ends { 0 } else { 7 };
                read.push_str(&raw[..raw.len() - kept]);
                cursor -= kept;
                parts += 1;
                if slot.run.ends {
                    break;
                }
            }
            Step::NeedMore => end = (end + 10).min(text.len()),
            step => panic!("{step:?}"),
        }
    }
    assert_eq!(read, words);
    assert!(parts > 5, "{parts}");
}

#[test]
fn hostile_documents_are_read_to_their_end() {
    let sjis = Charset::for_label("shift_jis").expect("a label");
    for unit in [
        "<",
        "<a ",
        "<a b='",
        "<a b='<a b=\"",
        "<!--",
        "<![CDATA[",
        "]]>",
        "<?xml-stylesheet ",
        "<!DOCTYPE ",
        "<!DOCTYPE[",
        "&a;",
        "<a>&a;",
        "<a>",
        "</a>",
        "<a><b></a>",
        "<a xmlns:b='c'>",
        "<a>h:<!---->",
        "a='b' ",
        "<a b=",
        "<!DOCTYPE[<!ENTITY '",
        "<a xmlns='http://www.w3.org/1999/xhtml'>&a;",
        "\u{e9}",
        "<a/><b/>",
    ] {
        let text = unit.repeat(5_000);
        let head = format!("<r {XHTML}>");
        for text in [text.clone(), head + &text] {
            for charset in [Charset::UTF_8, sjis] {
                slots(text.as_bytes(), &[], charset, 1 << 16);
            }
        }
    }
}

const WORD: &str = "xmlns='http://schemas.openxmlformats.org/wordprocessingml/2006/main'";

#[test]
fn text_goes_on_over_runs() {
    let text = format!(
        "<p {WORD}><r><t>a</t></r>\n<r><rPr><b/></rPr><t>b</t><tab/><t>c</t><sym/><t>d<!-- -->e</t></r></p>\
         <p {WORD}><x:t xmlns:x='urn:x'>f</x:t><r><t>g</t></r><t xmlns='urn:x'>h</t></p>"
    );
    assert_eq!(
        read(&text),
        [
            "t EscapedText a</t></r>\n<r><rPr><b/></rPr><t>b",
            "t EscapedText c",
            "t EscapedText d",
            "t EscapedText e",
            "x:t Text f",
            "t EscapedText g",
            "t Text h",
        ]
    );
    let open = "xmlns:t='urn:oasis:names:tc:opendocument:xmlns:text:1.0' xmlns:l='http://www.w3.org/1999/xlink'";
    let text = format!(
        "<t:p {open}>a<t:span>b</t:span>c <t:a l:href='d'>e</t:a>f<t:s/>g<t:date>h</t:date></t:p>"
    );
    assert_eq!(
        read(&text),
        [
            "t:p EscapedText a<t:span>b</t:span>c ",
            "t:a@l:href d",
            "t:a EscapedText e</t:a>f",
            "t:p EscapedText g",
        ]
    );
}

/// The parts of a text that is longer than the limit end at white space.
#[test]
fn long_text_over_runs_is_cut_at_white_space() {
    const LIMIT: usize = 80;
    let run = "four words in a</t></r><r><t>run and more</t></r><r><t>";
    let text = format!("<p {WORD}><r><t>{}</t></r></p>", run.repeat(6));
    let found = every_split_of(text.as_bytes(), Charset::UTF_8, LIMIT);
    assert!(found.len() > 4, "{found:?}");
    let (last, others) = found.split_last().expect("a text");
    for slot in others {
        let raw = slot.strip_prefix("t EscapedText ").expect("a text");
        assert!(raw.len() <= LIMIT && raw.ends_with(' '), "{raw}");
    }
    assert!(last.contains("more"), "{last}");
    let word = format!("<p {WORD}><r><t>{}</t></r></p>", "a</t><t>".repeat(60));
    for slot in every_split_of(word.as_bytes(), Charset::UTF_8, LIMIT) {
        assert!(slot.len() <= LIMIT + "t EscapedText ".len(), "{slot}");
    }
}

#[test]
fn texts_of_revisions_are_slots_with_what_counts_them() {
    const DIGEST: &str = "phoiac9h4m842xq45sp7s6u21eteeq1";
    let text = format!("<text a='b>' bytes='3'>a.b</text>\n<sha1>{DIGEST}</sha1>");
    let page = format!(
        "<mediawiki xmlns='http://www.mediawiki.org/xml/export-0.10/'><revision>{text}</revision>\
         <revision><text bytes='3'>a.b</text></revision><revision>{text}<comment>c.d</comment></revision></mediawiki>"
    );
    let found = read(&page);
    let revision = format!("text Revision {text}");
    assert_eq!([&found[0], &found[2]], [&revision; 2]);
    assert!(found[1].ends_with(" listed a.b"));
    assert_eq!(found[3], "comment Text c.d");
    let short = every_split_of(page.as_bytes(), Charset::UTF_8, text.len() - 1);
    assert!(short[0].ends_with(" listed a.b"));
    let page = page.replacen("a.b", "&undeclared;a.b", 1);
    assert!(!read(&page)[0].contains("Revision"));
}
