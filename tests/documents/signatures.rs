//! Signed octets stay, in every charset and transfer encoding (P9).

use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::notes::Note;
use linkglot::rewrite::{Form, Rewriter, Rules};
use linkglot::stream::read_links;
use linkglot::{Charset, Document};
use linkglot_layer::Layer;
use std::fmt::Write as _;
use std::ops::ControlFlow;

/// Labels and charsets, with a word for each.
const CHARSETS: &[(&str, &str, &str)] = &[
    ("utf-8", "utf-8", "čaj-日本"),
    ("windows-1251", "windows-1251", "путь"),
    ("shift_jis", "shift_jis", "表示ソ"),
    ("gb18030", "gb18030", "中文𠀀"),
    ("iso-2022-jp", "iso-2022-jp", "日本語"),
    ("us-ascii", "iso-2022-jp", "日本語"),
    ("iso-2022-kr", "iso-2022-kr", "한국어"),
    ("hz-gb-2312", "hz-gb-2312", "中文"),
    ("utf-16be", "utf-16be", "čaj-日本"),
    ("utf-16le", "utf-16le", "čaj-日本"),
    ("utf-7", "utf-7", "čaj-日本"),
    ("cp037", "cp037", "café"),
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Encoding {
    None,
    Quoted,
    Base64,
}

const ENCODINGS: [Encoding; 3] = [Encoding::None, Encoding::Quoted, Encoding::Base64];

impl Encoding {
    fn name(self) -> &'static str {
        match self {
            Encoding::None => "8bit",
            Encoding::Quoted => "quoted-printable",
            Encoding::Base64 => "base64",
        }
    }

    fn encode(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Encoding::None => bytes.to_vec(),
            Encoding::Quoted => quoted(bytes),
            Encoding::Base64 => base64(bytes),
        }
    }

    fn decode(self, bytes: &[u8]) -> Vec<u8> {
        let layer = match self {
            Encoding::None => return bytes.to_vec(),
            Encoding::Quoted => Layer::QuotedPrintable,
            Encoding::Base64 => Layer::Base64,
        };
        layer.decode(bytes).bytes().to_vec()
    }
}

/// Quoted-printable with lines of 60 characters, with all octets but letters, digits and line ends escaped.
fn quoted(bytes: &[u8]) -> Vec<u8> {
    let (mut out, mut column) = (String::new(), 0);
    for (at, &byte) in bytes.iter().enumerate() {
        let is_end =
            bytes[at..].starts_with(b"\r\n") || at > 0 && bytes[at - 1..].starts_with(b"\r\n");
        if is_end {
            out.push(char::from(byte));
            column = 0;
            continue;
        }
        if column >= 57 {
            out.push_str("=\r\n");
            column = 0;
        }
        let begin = out.len();
        match byte {
            b'=' | 0..=31 | 127.. => write!(out, "={byte:02X}").expect("memory"),
            _ => out.push(char::from(byte)),
        }
        column += out.len() - begin;
    }
    out.into_bytes()
}

fn base64(bytes: &[u8]) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::new();
    for (number, group) in bytes.chunks(3).enumerate() {
        if number > 0 && number % 15 == 0 {
            out.extend_from_slice(b"\r\n");
        }
        let bits = (0..3).fold(0_usize, |bits, at| {
            bits << 8 | usize::from(*group.get(at).unwrap_or(&0))
        });
        for at in 0..4 {
            out.push(if at <= group.len() {
                ALPHABET[bits >> (18 - 6 * at) & 63]
            } else {
                b'='
            });
        }
    }
    out.extend_from_slice(b"\r\n");
    out
}

fn encoded(text: &str, charset: &str) -> Vec<u8> {
    let charset = Charset::for_label(charset).expect("a charset");
    let mut bytes = Vec::new();
    let text = text.replace('\n', "\r\n");
    charset
        .encode(&text, &mut bytes)
        .expect("characters of the charset");
    bytes
}

/// True if a message can hold octets of a charset unencoded.
fn fits(charset: &str, encoding: Encoding) -> bool {
    encoding != Encoding::None || !matches!(charset, "utf-16be" | "utf-16le" | "cp037")
}

fn message(fields: &str, (label, encoding): (&str, Encoding), body: &[u8]) -> Vec<u8> {
    let mut mail = format!("From: a@b.example\r\n{fields}MIME-Version: 1.0\r\n").into_bytes();
    let media_type = format!("Content-Type: text/plain; charset={label}\r\n");
    let encoded = format!("Content-Transfer-Encoding: {}\r\n\r\n", encoding.name());
    mail.extend_from_slice(media_type.as_bytes());
    mail.extend_from_slice(encoded.as_bytes());
    mail.extend_from_slice(&encoding.encode(body));
    mail
}

/// Rewriters to URIs, to longer and to shorter links.
fn rewriters() -> [Rewriter; 3] {
    let mut settings = Settings::default();
    settings.format = Some(Format::Mail);
    let rewriter = Rewriter::new().settings(settings);
    let by = |rule: &str| {
        let mut rules = Rules::default();
        rules.add(rule).expect("a rule");
        rewriter.clone().rules(rules)
    };
    [
        rewriter.clone().to(Form::Uri),
        by(&format!(
            "http://old.example/ https://new.example/{}",
            "longer/".repeat(12)
        )),
        by("http://old.example/ http://n.e/"),
    ]
}

fn body_of(mail: &[u8]) -> &[u8] {
    let at = mail.windows(4).position(|window| window == b"\r\n\r\n");
    &mail[at.expect("a header") + 4..]
}

/// The canonical form of a body (RFC 6376 3.4), without the treatment of its end.
fn canonical(body: &[u8], is_relaxed: bool) -> Vec<u8> {
    if !is_relaxed {
        return body.to_vec();
    }
    let mut out: Vec<u8> = Vec::new();
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        let (line, end) = match line.strip_suffix(b"\r\n") {
            Some(line) => (line, &b"\r\n"[..]),
            None => (line, &b""[..]),
        };
        let line = line.trim_ascii_end();
        let mut blank = false;
        for &byte in line {
            let is_blank = matches!(byte, b' ' | b'\t');
            if !(is_blank && blank) {
                out.push(if is_blank { b' ' } else { byte });
            }
            blank = is_blank;
        }
        out.extend_from_slice(end);
    }
    out
}

#[test]
fn as_many_octets_as_are_signed_stay() {
    let rewriters = rewriters();
    let mut changed = 0;
    for &(label, charset, word) in CHARSETS {
        // Positions in the text are far from those of the octets.
        let words = word.repeat(30);
        let text = format!(
            "{words}  http://old.example/{word} \n\n {word} <http://old.example/b?c=d> {word}\nhttp://old.example/{word}\t.\n\n"
        );
        let body = encoded(&text, charset);
        for encoding in ENCODINGS
            .into_iter()
            .filter(|encoding| fits(charset, *encoding))
        {
            for is_relaxed in [false, true] {
                let kind = if is_relaxed { "relaxed" } else { "simple" };
                let whole = canonical(&encoding.encode(&body), is_relaxed);
                // All lengths would take too long.
                for length in
                    (0..=whole.len() + 9).step_by(if encoding == Encoding::Base64 { 5 } else { 7 })
                {
                    let fields = format!(
                        "DKIM-Signature: v=1; c=simple/{kind}; h=From; bh=A; l={length}; b=A\r\n"
                    );
                    let mail = message(&fields, (label, encoding), &body);
                    for rewriter in &rewriters {
                        let rewritten = rewriter.rewrite_slice(&mail);
                        let found = canonical(body_of(&rewritten.content), is_relaxed);
                        let end = length.min(whole.len());
                        let what = || {
                            format!(
                                "{label} {encoding:?} {kind} l={length}:\n{}",
                                rewritten.content.escape_ascii()
                            )
                        };
                        assert_eq!(found.get(..end), whole.get(..end), "{}", what());
                        assert!(
                            length > 0 || rewritten.changed() > 0,
                            "nothing changed: {}",
                            what()
                        );
                        let all = length >= whole.trim_ascii_end().len();
                        assert!(!all || rewritten.changed() == 0, "changed: {}", what());
                        changed += rewritten.changed();
                    }
                }
            }
        }
    }
    assert!(changed > 1_000, "{changed}");
}

/// Links of calendars are folded within, never before, the octets after the signed part.
#[test]
fn folded_lines_that_are_signed_stay() {
    let body = format!(
        "BEGIN:VCALENDAR\r\nURL:http://old.example/{0}\r\n {0}\r\nX-A;B=c:see  http://old.example/\r\n\tb\r\nEND:VCALENDAR\r\n",
        "a".repeat(50)
    );
    let mut changed = 0;
    for encoding in ENCODINGS {
        for is_relaxed in [false, true] {
            let kind = if is_relaxed { "relaxed" } else { "simple" };
            let body = encoding.encode(body.as_bytes());
            let whole = canonical(&body, is_relaxed);
            for length in 0..=whole.len() {
                let mail = format!(
                    "From: a@b.example\r\nDKIM-Signature: c=simple/{kind}; h=From; bh=A; l={length}; b=A\r\nContent-Type: text/calendar\r\nContent-Transfer-Encoding: {}\r\n\r\n",
                    encoding.name()
                );
                let mail = [mail.as_bytes(), &body].concat();
                let [_, longer, shorter] = rewriters();
                for rewriter in [longer, shorter] {
                    let rewritten = rewriter.rewrite_slice(&mail);
                    let found = canonical(body_of(&rewritten.content), is_relaxed);
                    let content = rewritten.content.escape_ascii();
                    assert_eq!(
                        found[..length],
                        whole[..length],
                        "{encoding:?} {kind} {length}:\n{content}"
                    );
                    changed += rewritten.changed();
                }
            }
        }
    }
    assert!(changed > 500, "{changed}");
}

/// A clear-signed text with links before it, in it and after it.
fn clear_signed(word: &str, fill: &str) -> [String; 3] {
    let link = format!("{word} http://old.example/{word} {word}\n");
    [
        format!("{fill}{link}-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n"),
        format!("{link}{fill}- -----BEGIN PGP SIGNATURE-----\n{link}"),
        format!("-----BEGIN PGP SIGNATURE-----\n\n=AAAA\n-----END PGP SIGNATURE-----\n{link}"),
    ]
}

#[test]
fn clear_signed_text_stays() {
    for &(label, charset, word) in CHARSETS {
        let parts = clear_signed(word, "").map(|part| encoded(&part, charset));
        for encoding in ENCODINGS
            .into_iter()
            .filter(|encoding| fits(charset, *encoding))
        {
            let mail = message(
                "",
                (label, encoding),
                &encoded(&clear_signed(word, "").concat(), charset),
            );
            for rewriter in rewriters() {
                let rewritten = rewriter.rewrite_slice(&mail);
                let found = encoding.decode(body_of(&rewritten.content));
                let [_, signed, _] = &parts;
                // ISO-2022-KR has its designation once, at the beginning.
                let signed = signed.strip_prefix(b"\x1B$)C").unwrap_or(signed);
                let holds = found.windows(signed.len()).any(|window| window == signed);
                let content = rewritten.content.escape_ascii();
                assert!(holds, "{label} {encoding:?}:\n{content}");
                let counts = (
                    rewritten.changed(),
                    rewritten.left(),
                    rewritten.summary.signed,
                );
                assert_eq!(counts, (2, 2, 2), "{label} {encoding:?}:\n{content}");
            }
        }
    }
}

/// Signed text is found anywhere in a long document, and outside of mail.
#[test]
fn clear_signed_text_stays_in_documents_of_any_length() {
    let fill = format!("{}\n", "words ".repeat(12)).repeat(4_000);
    for fill in ["", &fill] {
        let text = clear_signed("é", fill).concat();
        for format in [Format::Text, Format::Html, Format::Mail] {
            let header = "Subject: a\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n";
            let document = match format {
                Format::Mail => format!("{header}{text}"),
                _ => text.replace('\n', "\r\n"),
            };
            let mut settings = Settings::default();
            settings.format = Some(format);
            settings.charset = (format != Format::Mail).then_some(Charset::UTF_8);
            let rewriter = Rewriter::new().to(Form::Uri).settings(settings);
            let rewritten = rewriter.rewrite_slice(document.as_bytes());
            let counts = (
                rewritten.changed(),
                rewritten.left(),
                rewritten.summary.signed,
            );
            assert_eq!(counts, (2, 2, 2), "{format:?} {}", fill.len());
            let mut out = Vec::new();
            let summary = rewriter
                .rewrite(&mut document.as_bytes(), &mut out)
                .expect("memory");
            assert_eq!((&out[..], summary.signed), (&*rewritten.content, 2));
            let broken = rewriter
                .break_signatures(true)
                .rewrite_slice(document.as_bytes());
            assert_eq!((broken.changed(), broken.left()), (4, 0));
        }
    }
}

/// A value of a format is a text of its own.
#[test]
fn clear_signed_values_stay() {
    let signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nsee http://old.example/a\n\
                  -----BEGIN PGP SIGNATURE-----\n\niQ\n-----END PGP SIGNATURE-----\n";
    let literal = signed.replace('\n', "\\n");
    let nested = format!("{{\\\"a\\\": \\\"{}\\\"}}", signed.replace('\n', "\\\\n"));
    let indented = signed.replace('\n', "\n  ");
    let quoted = format!("> {}", signed.replace('\n', "\n> "));
    let message = literal.replace("\\n", "\\n\"\n\"");
    let free = "http://old.example/b";
    for (format, text) in [
        (
            Format::Json,
            format!("{{\"a\": \"{literal}\", \"b\": \"{free}\"}}"),
        ),
        (
            Format::JsonLines,
            format!("{{\"a\": \"{nested}\"}}\n{{\"b\": \"{free}\"}}\n"),
        ),
        (
            Format::Sql,
            format!("-- MySQL dump 10.13\nINSERT INTO `t` VALUES ('{literal}', '{free}');"),
        ),
        (Format::Csv, format!("a,\"{signed}\",{free}\n")),
        (Format::Yaml, format!("a: \"{literal}\"\nb: {free}\n")),
        (Format::Yaml, format!("a: |\n  {indented}\nb: {free}\n")),
        (Format::Toml, format!("a = \"{literal}\"\nb = \"{free}\"\n")),
        (
            Format::Gettext,
            format!("msgid \"a\"\nmsgstr \"\"\n\"{message}\"\n\"{free}\"\n"),
        ),
        (Format::Properties, format!("a={literal}\nb={free}\n")),
        (
            Format::JavaScript,
            format!("x = \"{literal}\"; y = \"{free}\";"),
        ),
        (
            Format::Php,
            format!("<?php $x = \"{literal}\"; $y = \"{free}\";"),
        ),
        (
            Format::Python,
            format!("x = \"{literal}\"\ny = \"{free}\"\n"),
        ),
        (Format::C, format!("x = \"{literal}\"; y = \"{free}\";")),
        (
            Format::Calendar,
            format!("BEGIN:VCALENDAR\nDESCRIPTION:{literal}\nURL:{free}\nEND:VCALENDAR\n"),
        ),
        (
            Format::VCard,
            format!("BEGIN:VCARD\nNOTE:{literal}\nURL:{free}\nEND:VCARD\n"),
        ),
        (
            Format::Rtf,
            format!("{{\\rtf1 \\pard {}{free}}}", signed.replace('\n', "\\par ")),
        ),
        (
            Format::Html,
            format!("<iframe srcdoc='<pre>{signed}</pre>'></iframe><a href='{free}'>"),
        ),
        (
            Format::Html,
            format!("<p title='{signed}'><a href='{free}'>"),
        ),
        (
            Format::Html,
            format!("<pre>{}</pre>{free}", quoted.replace('>', "&gt;")),
        ),
        (Format::Xml, format!("<a><![CDATA[{signed}]]>{free}</a>")),
        (Format::Text, format!("{quoted}\n{free}\n")),
    ] {
        let mut rules = Rules::default();
        rules
            .add("http://old.example/ http://new.example/")
            .expect("a rule");
        let mut settings = Settings::default();
        settings.format = Some(format);
        settings.charset = Some(Charset::UTF_8);
        let rewriter = Rewriter::new().rules(rules).settings(settings);
        let kept = rewriter.rewrite_slice(text.as_bytes());
        let expected = text.replace(free, "http://new.example/b");
        assert_eq!(String::from_utf8_lossy(&kept.content), expected);
        // The text of an attribute that holds no reference is not read.
        let is_read = usize::from(!text.contains("title="));
        assert_eq!(kept.summary.signed, is_read as u64, "{text}");
        let broken = rewriter.break_signatures(true).on_link(|outcome, _| {
            assert!(!outcome.all_notes().contains(Note::LeftSigned), "{text}");
        });
        assert_eq!(
            broken.rewrite_slice(text.as_bytes()).changed(),
            1 + is_read as u64,
            "{text}"
        );
    }
}

/// In another charset, the octets of signed text in values change.
#[test]
fn clear_signed_values_keep_their_charset() {
    let text = "a,\"-----BEGIN PGP SIGNED MESSAGE-----\n\né\n-----BEGIN PGP SIGNATURE-----\n\",b\n";
    let mut settings = Settings::default();
    settings.format = Some(Format::Csv);
    settings.charset = Some(Charset::UTF_8);
    let rewriter = Rewriter::new()
        .settings(settings)
        .to_charset(Charset::WINDOWS_1252);
    let error = rewriter.rewrite_slice(text.as_bytes()).summary.error;
    assert!(error.is_some_and(|error| error.to_string().contains("a signature covers it")));
    let broken = rewriter
        .break_signatures(true)
        .rewrite_slice(text.as_bytes());
    assert!(broken.summary.error.is_none());
}

/// The header of a nested message belongs to the body that the outer message signs.
#[test]
fn a_signed_message_covers_the_header_of_the_message_in_it() {
    let inner = "List-Help: <http://old.example/é>\nSubject: b\n\nhttp://old.example/é\n";
    let mail = format!(
        "DKIM-Signature: h=From; bh=A; b=A\nFrom: a@b.example\nContent-Type: message/rfc822\n\n{inner}"
    );
    let [rewriter, ..] = rewriters();
    let rewritten = rewriter.rewrite_slice(mail.as_bytes());
    assert_eq!((rewritten.changed(), rewritten.left()), (0, 2));
}

/// Links of an encoded message that the signature around it covers, up to every octet.
#[test]
fn signatures_cover_encoded_messages() {
    let link = "http://old.example/é\r\n";
    let inner = format!(
        "Subject: a\r\nList-Help: <http://old.example/>\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{link}{link}{link}"
    );
    for encoding in [Encoding::Quoted, Encoding::Base64] {
        let body = encoding.encode(inner.as_bytes());
        let mut counts = Vec::new();
        for length in 0..=body.len() {
            let fields = format!(
                "DKIM-Signature: c=simple/simple; h=From; bh=A; l={length}; b=A\r\nContent-Type: message/rfc822\r\n"
            );
            let header = format!(
                "From: a@b.example\r\n{fields}Content-Transfer-Encoding: {}\r\n\r\n",
                encoding.name()
            );
            let mail = [header.as_bytes(), &body].concat();
            let [_, longer, _] = rewriters();
            let rewritten = longer.rewrite_slice(&mail);
            assert_eq!(
                body_of(&rewritten.content)[..length],
                body[..length],
                "{encoding:?} {length}"
            );
            counts.push(rewritten.changed());
        }
        counts.dedup();
        assert_eq!(counts, [4, 3, 2, 1, 0], "{encoding:?}");
    }
}

/// The links of a document in memory and of a stream, with their places.
fn places(mail: &[u8]) -> Vec<(String, String, u64, u64)> {
    let mut settings = Settings::default();
    settings.format = Some(Format::Mail);
    settings.locate = true;
    let mut links = Vec::new();
    let _ = read_links(&mut &mail[..], &settings, &mut |link, _| {
        let part = link.part().map_or("", |part| part.number()).to_owned();
        let line = link.location().map_or(0, |location| location.line);
        links.push((part, link.text().to_owned(), link.span().start, line));
        ControlFlow::Continue(())
    })
    .expect("memory");
    let document = Document::new(mail, &settings);
    let again = document.links().map(|link| {
        let part = link.part().map_or("", |part| part.number()).to_owned();
        let line = link.location().map_or(0, |location| location.line);
        (part, link.text().to_owned(), link.span().start, line)
    });
    assert!(again.eq(links.iter().cloned()));
    links
}

/// Nested encoded messages, as deep as they are read; deeper ones are counted.
#[test]
fn encoded_messages_nest() {
    for encoding in [Encoding::Quoted, Encoding::Base64] {
        let mut mail = b"Subject: a\r\n\r\nhttp://old.example/\xC3\xA9\r\n".to_vec();
        let deepest = if encoding == Encoding::Quoted {
            100
        } else {
            20
        };
        for depth in 1..=deepest {
            let header = format!(
                "Subject: {depth}\r\nList-Help: <http://old.example/{depth}>\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: {}\r\n\r\n",
                encoding.name()
            );
            mail = [header.as_bytes(), &encoding.encode(&mail)].concat();
        }
        let found = places(&mail);
        let is_deep = deepest > 64;
        assert_eq!(
            found.len(),
            if is_deep { 65 } else { deepest + 1 },
            "{encoding:?}"
        );
        let [_, longer, _] = rewriters();
        let rewritten = longer.rewrite_slice(&mail);
        assert_eq!(rewritten.changed(), found.len() as u64);
        let texts = places(&rewritten.content)
            .into_iter()
            .map(|(_, text, ..)| text);
        let expected = found.into_iter().map(|(_, text, ..)| {
            let longer = format!("https://new.example/{}", "longer/".repeat(12));
            text.replace("http://old.example/", &longer)
        });
        assert!(texts.eq(expected), "{encoding:?}");
        assert_eq!(rewritten.summary.info.unread.failed, u64::from(is_deep));
    }
}
