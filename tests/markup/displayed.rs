//! The text of pages as it is displayed.

use linkglot::{Charset, Document, Format, Settings};
use linkglot_markup::{PageMarkup, Window, displayed_text};
use proptest::prelude::*;

fn displayed(page: &str) -> String {
    let window = Window {
        bytes: page.as_bytes(),
        last: true,
        charset: Charset::UTF_8,
    };
    displayed_text(window, PageMarkup::Html, 0, &[]).text
}

#[test]
fn text_is_as_displayed() {
    for (page, expected) in [
        ("a <b> b</b>\n\t c", "a b c"),
        ("<title>no</title><body>\n a\n</body>\n", "a"),
        ("a<br>b<BR/>c", "a\nb\nc"),
        ("a<br><br>b", "a\n\nb"),
        // Editors of messages write empty lines so.
        ("a<div><br></div>b", "a\n\nb"),
        ("<div>a<br></div><div>b</div>", "a\nb"),
        ("<div>a</div><div><div>b</div></div>c", "a\nb\nc"),
        ("<p>a<p>b</p><div>c</div>", "a\n\nb\n\nc"),
        ("a&nbsp;&nbsp;b &amp; &#228;", "a\u{A0}\u{A0}b & ä"),
        (
            "<table><tr><td>a</td> <td>b<tr><td>c<td>d</table>e",
            "a\tb\nc\td\ne",
        ),
        ("<ul><li>a<li>b</ul>", "a\nb"),
        ("<pre>\n a\n\n  b</pre>c", " a\n\n  b\nc"),
        ("<pre>a\r\nb\rc</pre>", "a\nb\nc"),
        ("a</div>b</i>c", "abc"),
        ("a<progress>b</progress>c", "ac"),
        ("<textarea>a\n b</textarea>c", "a\n b c"),
        ("a<img src=x alt='b &lt;'>c<img src=y>d", "a b < c d"),
        ("a<!-- b --><?php echo 1 ?>c", "ac"),
        ("a<script>b</script><style>c</style>d", "ad"),
        ("<noscript>a</noscript>", "a"),
        (
            "a<svg><text>b<![CDATA[c<d]]></text><title>e</title></svg>f",
            "abc<df",
        ),
        ("<select><option>a<option>b</select>c", "a\nb c"),
        ("a < b <c", "a < b"),
        ("", ""),
    ] {
        assert_eq!(displayed(page), expected, "{page}");
    }
}

#[test]
fn pages_of_xhtml() {
    let page =
        b"<html xmlns='http://www.w3.org/1999/xhtml'><head><title>no</title><script/></head>\
        <body><p>a<br/>b <a href='c'>d<i/></a></p><![CDATA[<e>]]></body></html>";
    let mut settings = Settings::default();
    settings.format = Some(Format::Xml);
    let document = Document::new(page, &settings);
    let part = document.parts().next().expect("a part");
    let displayed = part.displayed();
    assert_eq!(displayed.text(), "a\nb d\n\n<e>");
    let links: Vec<_> = displayed
        .links()
        .map(|(place, link)| (place, link.text()))
        .collect();
    assert_eq!(links, [(4..5, "c")]);
}

#[test]
fn hidden_elements_end_where_browsers_end_them() {
    for (page, expected) in [
        ("a<span hidden>b<span>c</span>d</span>e", "ae"),
        ("a<div style='Display: none'>b<br>c</div>d", "ad"),
        ("a<div style='visibility:hidden'>b</div>c", "ac"),
        ("<p hidden>a<p>b", "b"),
        ("<p hidden>a<b>c</b><div>b</div>", "b"),
        ("<div><p hidden>a</div>b", "b"),
        ("<ul><li hidden>a<li>b</ul>", "b"),
        (
            "<ul><li hidden>a<ul><li>c</li><li>d</ul>e</li><li>b</ul>",
            "b",
        ),
        ("<ul><li hidden>a</ul>b", "b"),
        ("<dl><dt hidden>a<dd>b</dl>", "b"),
        ("<table><tr hidden><td>a<tr><td>b</table>", "b"),
        (
            "<table><tr><td hidden>a<table><tr><td>c</table>d<td>b</table>",
            "b",
        ),
        // A preheader that nobody closed.
        ("<table><tr><td><div hidden>a</td><td>b</table>c", "b\nc"),
        (
            "<table hidden><tr><td><table><tr><td>a</table></table>b",
            "b",
        ),
        ("<template><p>a</p></template>b", "b"),
        ("<div><span hidden>a</div>b", "b"),
        ("<div><b style='display:none'>a</div>b", "b"),
        ("<p>a<span hidden>b</p>c</span>", "a\n\nc"),
        ("<i><span hidden>a</i>b", "b"),
        ("<div hidden>a</b></p>b</div>c", "c"),
        ("<a href=x hidden>a</a>b<a hidden>c<a>d", "bd"),
        ("<table><td><span hidden>a<td>b</table>", "b"),
        (
            "<dialog>a</dialog><dialog open>b</dialog><div popover>c</div>",
            "b",
        ),
        ("<img hidden alt=a>b<br hidden>c", "bc"),
        ("a<input hidden>b", "ab"),
        ("<script hidden></p></script>a", "a"),
    ] {
        assert_eq!(displayed(page), expected, "{page}");
    }
}

#[test]
fn styles_hide_as_browsers_read_them() {
    for (style, is_shown) in [
        ("display:none", false),
        ("color:red;Display : NONE ;x:y", false),
        ("/* a */display:none", false),
        ("display:/**/none", false),
        ("display/**/:none/* ;", false),
        ("dis/**/play:none", true),
        ("content:'/*';display:none;x:'*/'", false),
        ("display:none!important;display:block", false),
        ("display:block!important;display:none", true),
        ("display:none;display:block", true),
        ("display:none;display:nonesuch", false),
        ("display:nonesuch", true),
        ("/* ;display:none; */", true),
        ("-x-display:none", true),
        ("content:'a;display:none'", true),
        ("background:url(x;display:none)", true),
        ("visibility:hidden", false),
        ("visibility:visible", true),
        ("display:inline-block", true),
        // Invalid marks of importance.
        ("display:none!x", true),
        ("display:none!", true),
        ("display:none!important!important", true),
        ("display:none ! IMPORTANT", false),
        ("display:none!impor\\tant", false),
        ("display:none;display:block!x", false),
        // Escapes.
        ("dis\\play:none", false),
        ("display:n\\6fne", false),
        ("display:n\\6F ne", false),
        ("d\\000069splay:\\4eone", false),
        ("display\\:none", true),
        ("display:none\\!important", true),
        ("display:none\\;", true),
        ("x:\\';display:none;y:'", false),
        ("visibility:collapse", false),
        ("visibility:hidden;visibility:nonesuch", false),
        ("visibility:nonesuch", true),
    ] {
        let page = format!("a<span style=\"{style}\">b</span>");
        assert_eq!(displayed(&page) == "ab", is_shown, "{style}");
    }
    assert_eq!(displayed("<b hidden style='display:inline'>a</b>"), "a");
}

/// Tags that browsers ignore hide nothing: that of a part of a table outside tables, that of a second head.
#[test]
fn ignored_tags_hide_nothing() {
    for tag in [
        "td", "th", "tr", "tbody", "thead", "tfoot", "caption", "colgroup", "col", "head",
        "frameset",
    ] {
        for attribute in ["hidden", "style=display:none"] {
            let page = format!("<body>a <{tag} {attribute}>b");
            assert_eq!(displayed(&page), "a b", "{page}");
            let page = format!("<html><a href=x><{tag} {attribute}>bank.example</a>");
            let mut settings = Settings::default();
            settings.labels = true;
            let document = Document::new(page.as_bytes(), &settings);
            let link = document.links().next().expect("a link");
            assert_eq!(link.label(), Some("bank.example"), "{page}");
        }
    }
    for (page, expected) in [
        ("<table><tr><td>a<td hidden>b</table>c", "a\nc"),
        ("<table><caption hidden>a<tr><td>b</table>", "b"),
        ("<table><colgroup hidden><tr><td>b</table>", "b"),
        ("<table><tr hidden><td>a<caption>b</table>", "b"),
        ("<table><td>a</table><td hidden>b", "a\nb"),
        // Text outside cells stands in front of the table.
        ("<table hidden>a<tr><td>b</table>c", "ac"),
        ("<table><tr hidden>a<td>b</table>", "a"),
        ("<table hidden><div>a</div><tr><td>b</table>", "a"),
        ("<table hidden><div hidden>a</div></table>b", "b"),
        ("<table hidden><tr><td>a<div>b</div></table>c", "c"),
        ("<div hidden><table>a</table></div>b", "b"),
        ("<table hidden> <tr> <td>a</table>b", "b"),
        ("<table><tr><td hidden><table>a</table></table>b", "b"),
        ("<table hidden><a href=x>a</a></table>b", "ab"),
        // Elements of SVG have no meaning outside it.
        ("a<desc>b</desc><metadata>c</metadata>", "abc"),
        (
            "a<svg><desc>b</desc><metadata>c</metadata><text>d</text></svg>",
            "ad",
        ),
    ] {
        assert_eq!(displayed(page), expected, "{page}");
    }
}

#[test]
fn deep_elements_are_read_in_linear_time() {
    let page = "<b><div>".repeat(1 << 17) + "a" + &"</i></div>".repeat(1 << 17) + "b";
    assert_eq!(displayed(&page), "a\nb");
}

/// The displayed text of each link, and the link.
fn links(page: &[u8], settings: &Settings) -> Vec<(String, String)> {
    let document = Document::new(page, settings);
    let part = document.parts().next().expect("a part");
    let displayed = part.displayed();
    let links = displayed.links();
    let pairs =
        links.map(|(place, link)| (displayed.text()[place].to_owned(), link.text().to_owned()));
    pairs.collect()
}

#[test]
fn links_are_at_their_places() {
    for (page, expected) in [
        ("<a href=x>a <b>b</b></a>", &[("a b", "x")][..]),
        ("<a href=x> a </a> b", &[("a", "x")]),
        ("see <a href=x><img alt=b src=y></a>", &[("b", "x")]),
        // Nothing to click at.
        ("<a href=x></a>a<a href=y hidden>b</a><img src=z>", &[]),
        ("<p hidden><a href=x>a</a> www.a.example</p>b", &[]),
        ("<!-- http://a.example/ -->b", &[]),
        ("a <a href=x>b<a href=y>c", &[("b", "x"), ("c", "y")]),
        (
            "http://a.example/?b&amp;c and <p>d.example.org",
            &[
                ("http://a.example/?b&c", "http://a.example/?b&c"),
                ("d.example.org", "d.example.org"),
            ],
        ),
        (
            "<table><tr><td><a href=x>a</a><td>www.b.example</table>",
            &[("a", "x"), ("www.b.example", "www.b.example")],
        ),
        ("<a ping=x href=y>a</a><a title=a.org>b</a>", &[("a", "y")]),
        (
            "<svg><a xlink:href=x><text>a</text></a></svg>",
            &[("a", "x")],
        ),
        ("<a href=x>a<div>b</div></a>c", &[("a\nb", "x")]),
        ("<table><tr><td><a href=x>a<td>b</table>c", &[("a", "x")]),
        ("<table><tr><td><a href=x></td><td>b</table>", &[]),
        ("<div><a href=x>a</div>b</a>c", &[("a\nb", "x")]),
        (
            "<a href=x><table><tr><td>a<td>b</table>c</a>",
            &[("a\tb\nc", "x")],
        ),
    ] {
        let found = links(format!("<html>{page}").as_bytes(), &Settings::default());
        let found: Vec<_> = found.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(found, expected, "{page}");
    }
}

#[test]
fn parts_of_messages() {
    let message = b"MIME-Version: 1.0\nContent-Type: text/html; charset=koi8-r\n\
        Content-Transfer-Encoding: quoted-printable\n\n<p>=C1 <a href=3D'http://a.example/'>=C2</a>\n";
    assert_eq!(
        links(message, &Settings::default()),
        [("б".to_owned(), "http://a.example/".to_owned())]
    );
    let message = b"MIME-Version: 1.0\nContent-Type: text/plain\n\nsee <b> http://a.example/\n";
    let document = Document::new(message, &Settings::default());
    let part = document.parts().next().expect("a part");
    assert_eq!(part.displayed().text(), "see <b> http://a.example/\n");
    assert_eq!(part.displayed().links().count(), 1);
}

proptest! {
    /// A link is displayed within the text, in order; an `a` in the page has its text.
    #[test]
    fn places_are_in_the_text(
        pieces in prop::collection::vec(
            prop_oneof![
                "[a-zä ]{0,4}",
                Just("<a href=x>".to_owned()), Just("</a>".to_owned()), Just("<p>".to_owned()),
                Just("<div hidden>".to_owned()), Just("</div>".to_owned()), Just("<li hidden>".to_owned()),
                Just("<td>".to_owned()), Just("<pre>".to_owned()), Just("</pre>".to_owned()),
                Just(" http://a.example/é ".to_owned()), Just("&nbsp;".to_owned()), Just("<br>".to_owned()),
                Just("<!--".to_owned()), Just("-->".to_owned()), Just("<img alt='b'>".to_owned()),
                Just("<svg>".to_owned()), Just("</svg>".to_owned()), Just("<title>".to_owned()),
            ],
            0..24,
        )
    ) {
        let page = format!("<html>{}", pieces.concat());
        for (text, link) in links(page.as_bytes(), &Settings::default()) {
            prop_assert!(!text.is_empty());
            prop_assert!(!text.starts_with(|ch: char| ch.is_ascii_whitespace()) || page.contains("<pre>"), "{text:?}");
            if link != "x" {
                prop_assert_eq!(text, link);
            }
        }
    }
}
