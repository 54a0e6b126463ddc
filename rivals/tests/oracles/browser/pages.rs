//! Pages with links in every kind of slot, in every quoting and escape style.

use super::references::{Dice, ODD, RAW, Writer};
use std::fmt::Write;

/// A page, and the style sheet that it loads.
pub struct Page {
    pub name: String,
    pub label: &'static str,
    pub html: Vec<u8>,
    pub css: Vec<u8>,
}

/// The spelling of a value in its tag.
#[derive(Clone, Copy, Debug)]
enum Style {
    Double,
    Single,
    Unquoted,
    /// In double quotes, with named and decimal references for characters beyond ASCII.
    Decimal,
    /// In single quotes, with hexadecimal references for characters beyond ASCII.
    Hex,
    /// Unquoted, with a reference for every third character.
    Sprinkled,
    /// In double quotes, with bare ampersands and line ends.
    Loose,
}

const STYLES: [Style; 7] = [
    Style::Double,
    Style::Single,
    Style::Unquoted,
    Style::Decimal,
    Style::Hex,
    Style::Sprinkled,
    Style::Loose,
];

const NAMED: &[(char, &str)] = &[
    ('\u{e9}', "&eacute;"),
    ('\u{df}', "&szlig;"),
    ('\u{20ac}', "&euro;"),
    ('\u{436}', "&zhcy;"),
    ('\u{ad}', "&shy;"),
    ('\u{3c0}', "&pi;"),
];

/// An attribute's equals sign and value.
fn attribute(text: &str, style: Style, writer: Writer) -> String {
    let quote = match style {
        Style::Single | Style::Hex => "'",
        Style::Unquoted | Style::Sprinkled => "",
        _ => "\"",
    };
    let mut value = format!("={quote}");
    for (at, ch) in text.chars().enumerate() {
        push(&mut value, ch, style, at, writer);
    }
    value + quote
}

fn push(value: &mut String, ch: char, style: Style, at: usize, writer: Writer) {
    let bare = matches!(style, Style::Unquoted | Style::Sprinkled);
    let stands = match ch {
        '&' => matches!(style, Style::Loose),
        '"' => !bare && !matches!(style, Style::Double | Style::Decimal | Style::Loose),
        '\'' => !bare && !matches!(style, Style::Single | Style::Hex),
        '\t' | '\n' | '\r' => matches!(style, Style::Loose),
        ' ' | '`' | '=' | '<' | '>' => !bare,
        // Controls and noncharacters would not survive unescaped.
        _ => ch >= ' ' && writer.can(ch),
    };
    let named = NAMED.iter().find(|(named, _)| *named == ch);
    let code = u32::from(ch);
    // Writing to a string cannot fail.
    let _ = match (style, named) {
        (Style::Decimal, Some((_, name))) => write!(value, "{name}"),
        (Style::Decimal, None) if !ch.is_ascii() => write!(value, "&#{code};"),
        (Style::Hex, _) if !ch.is_ascii() => write!(value, "&#x{code:x};"),
        (Style::Sprinkled, _) if at % 3 == 2 => write!(value, "&#X{code:04X};"),
        _ if stands => write!(value, "{ch}"),
        _ if ch == '&' => write!(value, "&amp;"),
        _ => write!(value, "&#{code};"),
    };
}

/// Elements (`$` their attribute's value, `@` their id), the text around the reference `%` in the value, and the
/// observed property.
const SLOTS: &[(&str, &str, &str)] = &[
    ("<a id=@ href$ look='prop href'>x</a>", "%", ""),
    ("<A ID=@ HREF $ LOOK='prop href'>x</A>", " % ", ""),
    ("<area id=@ look='prop href' href$>", "%", ""),
    ("<link rel=x id=@ look='prop href' href$>", "%", ""),
    ("<a id=@ look='list ping' ping$>x</a>", "% /b\t%", ""),
    ("<area id=@ look='list ping' ping$>", " % ", ""),
    ("<img id=@ look='prop src' src$>", "%", ""),
    (
        "<img id=@ look='prop currentSrc' srcset$>",
        "% 1x, /b.png 2x",
        "",
    ),
    (
        "<img id=@ look='prop currentSrc' srcset$>",
        ",% 1x,% 3x",
        "",
    ),
    (
        "<img id=@ look='prop currentSrc' srcset$ src=/x.png sizes=100vw>",
        "% 100000w , /b.png 5w",
        "",
    ),
    (
        "<picture><source srcset$><img src=/x.png id=@ look='prop currentSrc'></picture>",
        "%",
        "",
    ),
    ("<img id=@ look='prop longDesc' longdesc$>", "%", ""),
    ("<img id=@ look='prop lowsrc' lowsrc$>", "%", ""),
    ("<input type=image id=@ look='prop src' src$>", "%", ""),
    ("<video id=@ look='prop src' src$></video>", "%", ""),
    ("<video id=@ look='prop poster' poster$></video>", "%", ""),
    ("<video><source id=@ look='prop src' src$></video>", "%", ""),
    ("<audio id=@ look='prop currentSrc' src$></audio>", "%", ""),
    ("<video><track id=@ look='prop src' src$></video>", "%", ""),
    (
        "<embed id=@ look='prop src' src$ type=text/x-none>",
        "%",
        "",
    ),
    ("<iframe id=@ look='prop src' src$></iframe>", "%", ""),
    (
        "<iframe id=@ look='prop longDesc' longdesc$></iframe>",
        "%",
        "",
    ),
    (
        "<script type=text/x-none id=@ look='prop src' src$></script>",
        "%",
        "",
    ),
    ("<form id=@ look='prop action' action$></form>", "%", ""),
    (
        "<button id=@ look='prop formAction' formaction$></button>",
        "%",
        "",
    ),
    (
        "<input type=submit id=@ look='prop formAction' formaction$>",
        "%",
        "",
    ),
    (
        "<blockquote id=@ look='prop cite' cite$></blockquote>",
        "%",
        "",
    ),
    ("<q id=@ look='prop cite' cite$></q>", "%", ""),
    ("<del id=@ look='prop cite' cite$></del>", "%", ""),
    ("<ins id=@ look='prop cite' cite$></ins>", "%", ""),
    (
        "<object id=@ look='prop data' data$ type=text/x-none></object>",
        "%",
        "",
    ),
    (
        "<object id=@ look='prop codeBase' codebase$></object>",
        "%",
        "",
    ),
    (
        "<object id=@ look='attr classid' classid$></object>",
        "%",
        "",
    ),
    (
        "<object id=@ look='list archive' archive$></object>",
        "% /b.jar",
        "",
    ),
    (
        "<applet id=@ look='commas archive' archive$></applet>",
        "% , /b.jar",
        "",
    ),
    (
        "<object><param valuetype=ref name=x id=@ look='attr value' value$></object>",
        "%",
        "",
    ),
    (
        "<object><param name=movie id=@ look='attr value' value$></object>",
        "%",
        "",
    ),
    (
        "<table id=@ look='style backgroundImage' background$></table>",
        "%",
        "",
    ),
    (
        "<table><tr><td id=@ look='style backgroundImage' background$></table>",
        "%",
        "",
    ),
    ("<body id=@ look='attr background' background$>", "%", ""),
    (
        "<meta property=og:image id=@ look='attr content' content$>",
        "%",
        "",
    ),
    ("<p itemid$ id=@ look='attr itemid'></p>", "%", ""),
    (
        "<svg><a id=@ look='animated href' href$></a></svg>",
        "%",
        "",
    ),
    (
        "<svg><a id=@ look='animated href' xlink:href$></a></svg>",
        "%",
        "",
    ),
    (
        "<svg><image id=@ look='animated href' xlink:href$ /></svg>",
        "%",
        "",
    ),
    (
        "<svg><use id=@ look='animated href' href$ /></svg>",
        "%",
        "",
    ),
    (
        "<svg><pattern id=@ look='animated href' href$ /></svg>",
        "%",
        "",
    ),
    (
        "<svg><script type=text/x-none id=@ look='animated href' href$></script></svg>",
        "%",
        "",
    ),
    (
        "<svg><rect id=@ look='style fill' fill$ /></svg>",
        "url('%#x')",
        "",
    ),
    (
        "<svg><rect id=@ look='style clipPath' clip-path$ /></svg>",
        "url(%)",
        "",
    ),
    (
        "<math><mi id=@ look='attr href' href$>x</mi></math>",
        "%",
        "",
    ),
    (
        "<p id=@ look='style backgroundImage' style$></p>",
        "background-image:url(\"%\")",
        "",
    ),
    (
        "<p id=@ look='style backgroundImage' style$></p>",
        "color:red;background:url( % ) no-repeat",
        "",
    ),
    (
        "<p id=@ look='style backgroundImage' style$></p>",
        "background-image:url('%'),url(/b.png)",
        "",
    ),
    (
        "<p id=@ look='style backgroundImage' style$></p>",
        "background-image:image-set('%' 1x, url(%) 2x)",
        "",
    ),
    (
        "<li id=@ look='style listStyleImage' style$></li>",
        "list-style-image:URL('%')",
        "",
    ),
    (
        "<p id=@ look='style cursor' style$></p>",
        "cursor:url('%'),auto",
        "",
    ),
    (
        "<p id=@ look='style backgroundImage'></p><style>#@{background-image:url(\"$\")}</style>",
        "%",
        "css",
    ),
    (
        "<p id=@ look='style backgroundImage'></p><style>#@{background-image:url($)}</style>",
        "%",
        "css",
    ),
    (
        "<p id=@ look='style backgroundImage'></p><style>#@{background-image:image-set('$' 1x)}</style>",
        "%",
        "css",
    ),
    (
        "<svg><style>#@{mask-image:url('$')}</style><rect id=@ look='style maskImage' /></svg>",
        "%",
        "css",
    ),
    (
        "<p id=@ look='style backgroundImage'></p>",
        "#@{background-image:url(\"%\")}",
        "sheet",
    ),
    (
        "<p id=@ look='style backgroundImage'></p>",
        "#@{background-image:url( % )}",
        "sheet",
    ),
    (
        "<iframe id=@ look='inner' srcdoc$></iframe>",
        "<a id=i look='prop href' href='%'>",
        "",
    ),
    (
        "<iframe id=@ look='inner' srcdoc$></iframe>",
        "<img id=i look='prop src' src=\"%\">",
        "",
    ),
    (
        "<iframe id=@ look='inner' srcdoc$></iframe>",
        "<base href='http://other.example/%/x'><a id=i look='prop href' href=y/%>",
        "",
    ),
    (
        "<iframe id=@ look='inner' srcdoc$></iframe>",
        "<p id=i look='style backgroundImage' style='background:url(\"%\")'>",
        "",
    ),
    (
        "<script type=application/ld+json id=@ look='json url'>{\"url\":\"$\"}</script>",
        "%",
        "json",
    ),
];

const OBSERVER: &str = include_str!("observe.js");

/// The part of a page before the body. The declaration is in the first 1024 bytes.
fn head(writer: Writer, base: &str, mark: &str) -> String {
    let declared = match writer.label {
        label if label.starts_with("utf-16") => String::new(),
        label => format!("<meta charset=\"{label}\">"),
    };
    format!("<!DOCTYPE html>{declared}<script{mark}>{OBSERVER}</script>{base}\n")
}

/// The references of a page of slots: path, query and fragment; a host and characters that the charset lacks; existing
/// escapes. They are allowed in lists, srcset and CSS.
fn plain_references(word: &str) -> [String; 4] {
    [
        format!("/{word}/{word}.png"),
        format!("http://{word}.example/{word}%C3%A9?a=\u{1f600}#{word}"),
        format!("../{word}/./%7e{word}?x=%E9&y={word}&copy=1"),
        format!("//site.example/?{word}"),
    ]
}

/// A page with every kind of slot. The references and styles change places with the turn.
pub fn slots(label: &'static str, word: &str, turn: usize) -> Page {
    let writer = Writer::new(label);
    let base = attribute(
        &format!("http://site.example/{word}/dir/"),
        Style::Decimal,
        writer,
    );
    let mut html = head(writer, &format!("<base href{base}>"), "");
    let mut css = String::new();
    for (id, (markup, around, kind)) in SLOTS.iter().enumerate() {
        let name = format!("e{id}");
        let reference = &plain_references(word)[(id + turn) % 4];
        let value = around.replace('%', reference);
        let value = match *kind {
            "css" => css_escaped(&value, writer),
            "json" => json_escaped(&value, id + turn, writer),
            "sheet" => css_escaped(&value, writer).replace('@', &name),
            _ => attribute(&value, STYLES[(id + turn) % STYLES.len()], writer),
        };
        html += &markup.replace('@', &name).replace('$', &value);
        html.push('\n');
        if *kind == "sheet" {
            css += &value;
        }
    }
    let charset = if label.starts_with("utf-16") {
        String::new()
    } else {
        format!("@charset \"{label}\";")
    };
    Page {
        name: format!("slots-{label}.html"),
        label,
        html: writer.bytes(&html),
        css: writer.bytes(&(charset + &css)),
    }
}

/// CSS escapes for characters that the charset lacks, and for some others.
fn css_escaped(text: &str, writer: Writer) -> String {
    let escaped = |(at, ch): (usize, char)| match ch {
        ch if !ch.is_ascii() && (at % 5 == 4 || !writer.can(ch)) => {
            format!("\\{:x} ", u32::from(ch))
        }
        ch => ch.to_string(),
    };
    text.chars().enumerate().map(escaped).collect()
}

/// JSON escapes for characters that the charset lacks, or for all.
fn json_escaped(text: &str, id: usize, writer: Writer) -> String {
    let mut out = String::new();
    for ch in text.chars() {
        if ch.is_ascii() || id.is_multiple_of(2) && writer.can(ch) {
            out.push(ch);
        } else {
            for unit in ch.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

/// A page that contains only `a href`, each observed as written and resolved: the charset's characters, odd references,
/// and random references.
pub fn references(label: &'static str, word: &str, random: usize) -> Page {
    let writer = Writer::new(label);
    let mut html = head(
        writer,
        "<base href=\"http://site.example/dir/page?q#f\">",
        "",
    );
    let sample = writer.sample();
    let mut all: Vec<String> = sample
        .iter()
        .map(|ch| format!("/{ch}x{ch}?{ch}y=%41{ch}#{ch}z"))
        .collect();
    all.extend(ODD.iter().map(|odd| odd.replace('@', word)));
    let mut dice = Dice(0x9E37_79B9 + label.len() as u64 * 977);
    all.extend((0..random).map(|_| dice.reference(&sample)));
    let mut values: Vec<String> = Vec::new();
    for (at, reference) in all.iter().enumerate() {
        let style = match STYLES[at % STYLES.len()] {
            Style::Unquoted if reference.is_empty() => Style::Double,
            style => style,
        };
        values.push(attribute(reference, style, writer));
    }
    values.extend(RAW.iter().map(|raw| format!("=\"{raw}\"")));
    for (at, value) in values.iter().enumerate() {
        let _ = writeln!(html, "<a id=e{at} look='both href' href{value} >x</a>");
    }
    Page {
        name: format!("references-{label}.html"),
        label,
        html: writer.bytes(&html),
        css: Vec::new(),
    }
}

/// A page that redirects its reader.
pub fn refresh(label: &'static str, word: &str, at: usize) -> Page {
    const REFRESH: &[&str] = &[
        "0;url=%",
        "0; URL = '%'",
        "0,\"%\" x",
        "0 %",
        "  0;  url=\"% ",
        "0;%",
    ];
    let writer = Writer::new(label);
    let mut html = head(
        writer,
        "<base href=\"http://site.example/dir/\">",
        " refresh",
    );
    let references = plain_references(word);
    let content = REFRESH[at % REFRESH.len()].replace('%', &references[at % references.len()]);
    let value = attribute(&content, STYLES[at % STYLES.len()], writer);
    let _ = writeln!(html, "<meta http-equiv=refresh content{value}>");
    Page {
        name: format!("refresh-{label}-{at}.html"),
        label,
        html: writer.bytes(&html),
        css: Vec::new(),
    }
}
