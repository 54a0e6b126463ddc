//! Java's properties, by the command line.

use crate::support::{Place, rewritten};

const OLD: &str = r"# see http://old.example/docs
distributionUrl=https\://old.example/dist/a.zip
home : http://old.example/ \
    or http://old.ex\
    ample/caf\u00e9
http\://old.example/key = v
message = it''s at http://old.example/{0}/x?a=b
";

/// Marks are escaped as in the old link, letters always: a reader may take another charset. Joined lines stay.
#[test]
fn values_move_in_their_style() {
    let place = Place::new(&[("a.properties", OLD)]);
    let rules = [
        "--map",
        "http://old.example/ http://é.example/x=/",
        "--map",
        "https://old.example/ https://new.example/x=/",
    ];
    let run = place.run(&[&["rewrite", "--stdout", "a.properties"][..], &rules].concat());
    let new = r"# see http://xn--9ca.example/x=/docs
distributionUrl=https\://new.example/x\=/dist/a.zip
home : http://\u00e9.example/x=/ \
    or http://\u00e9.ex\
    ample/x=/caf\u00e9
http\://old.example/key = v
message = it''s at http://\u00e9.example/x=/{0}/x?a=b
";
    assert_eq!((run.text().as_str(), run.code), (new, 0), "{run:?}");
    let arguments = [&["rewrite", "--format", "properties"][..], &rules].concat();
    let streamed = place.pipe(&arguments, OLD.as_bytes().to_vec());
    assert_eq!(streamed.text(), new, "{streamed:?}");
}

#[test]
fn letters_of_properties() {
    let rewritten = |before: &[u8], options: &[&str]| {
        let place = Place::new(&[]);
        let arguments = ["rewrite", "--to", "iri", "--format", "properties"];
        place
            .pipe(&[&arguments[..], options].concat(), before.to_vec())
            .out
    };
    let link = b"a = http://xn--9ca.example/%C3%A9\n";
    // Whatever the charset, an escape is right.
    let escaped = b"a = http://\\u00E9.example/\\u00E9\n";
    assert_eq!(rewritten(link, &[]), escaped);
    assert_eq!(rewritten(link, &["--charset", "utf-8"]), escaped);
    // Letters in front of the link show the style of the file.
    let utf_8 = ["b = déjà vu\n".as_bytes(), link].concat();
    let shown = "b = déjà vu\na = http://é.example/é\n".as_bytes();
    assert_eq!(rewritten(&utf_8, &[]), shown);
    let latin = [&b"# -*- coding: iso-8859-1 -*-\nb=.\xE9\n"[..], link].concat();
    let shown = b"# -*- coding: iso-8859-1 -*-\nb=.\xE9\na = http://\xE9.example/\xE9\n";
    assert_eq!(rewritten(&latin, &[]), shown);
    let back = ["rewrite", "--to", "uri", "--format", "properties"];
    assert_eq!(Place::new(&[]).pipe(&back, escaped.to_vec()).out, link);
}

/// No brace of a pattern comes or goes.
#[test]
fn patterns_stay() {
    let text = "a = http://a.example/{0}/\\u00e9\n";
    let place = Place::new(&[("a.properties", text)]);
    let run = place.run(&["rewrite", "--to", "uri", "--stdout", "a.properties"]);
    assert_eq!(run.text(), text);
    assert!(run.err.contains("1 link left unchanged"), "{run:?}");
}

/// A choice has texts of its own between bars.
#[test]
fn choices_stay() {
    let text = "a={0,choice,0#http://old.example/a|1#http://old.example/b}\nc=0#http://old.example/a|1#b\nb=http://old.example/\n";
    let expected = text.replace("b=http://old", "b=http://new");
    let rule = ["--map", "http://old.example/ http://new.example/"];
    assert_eq!(rewritten("a.properties", text, &rule), expected);
    assert_eq!(rewritten("a.properties", text, &["--to", "uri"]), text);
}

/// Java reads octets as ISO-8859-1, or newer programs as UTF-8, whatever charset the words are likely in.
#[test]
fn octets_of_other_charsets_are_unsure() {
    let text = b"a=\xcf\xf0\xe8\xe2\xe5\xf2 \xec\xe8\xf0, \xea\xe0\xea \xe4\xe5\xeb\xe0 http://old.example/\xef x\n";
    let place = Place::new(&[]);
    place.write("a.properties", text);
    let ran = place.run(&["rewrite", "--stdout", "--to", "uri", "a.properties"]);
    assert_eq!(ran.out, text);
}
