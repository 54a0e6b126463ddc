//! CPU time of finding links in mail: a mailbox against the same bytes read as text, and encoded parts against a
//! decoder and a scan of its output. `cargo bench -p linkglot-rivals --bench mail`; the text after `--` picks rows by
//! their titles.

mod support;

use linkglot::format::Format;
use linkglot::stream::read_links;
use linkglot::{Document, Settings};
use std::ops::ControlFlow;
use support::{contender, is_wanted, race};

/// The amount of mail of each kind, in bytes.
const SIZE: usize = 40_000_000;

/// The text of a message, with a link in every third line.
fn text(length: usize, seed: usize) -> String {
    const WORDS: [&str; 9] = [
        "the", "agenda", "of", "our", "meeting", "in", "March", "is", "attached",
    ];
    let mut text = String::new();
    let mut at = seed;
    while text.len() < length {
        for _ in 0..11 {
            text.push_str(WORDS[at % WORDS.len()]);
            text.push(' ');
            at = at.wrapping_mul(31).wrapping_add(7) >> 1;
        }
        if at.is_multiple_of(3) {
            text.push_str(&format!("https://www.example.org/{}/?id={at}", at % 97));
        }
        text.push('\n');
    }
    text
}

/// Bodies of many lengths, from notes to newsletters.
fn bodies() -> impl Iterator<Item = String> {
    let lengths = [600, 2_000, 5_000, 12_000, 40_000];
    (0..).map(move |number| text(lengths[number % lengths.len()], number))
}

/// A sequence of messages, with bodies encoded by `encode`.
fn mailbox(encoding: &str, encode: impl Fn(&str) -> String) -> Vec<u8> {
    let mut mailbox = Vec::new();
    for (number, body) in bodies().enumerate() {
        if mailbox.len() >= SIZE {
            break;
        }
        let header = format!(
            "From anna@example.org Mon Jan  1 00:00:00 2024\nReturn-Path: <anna@example.org>\n\
             Received: from mail.example.org (mail.example.org [192.0.2.1]) by mx.example.net\n\twith ESMTPS id {number}\n\
             Message-ID: <{number}@example.org>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nFrom: Anna <anna@example.org>\n\
             To: bob@example.net\nSubject: Meeting {number}\nMIME-Version: 1.0\n\
             Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n\n"
        );
        mailbox.extend_from_slice(header.as_bytes());
        mailbox.extend_from_slice(encode(&body).as_bytes());
        mailbox.extend_from_slice(b"\n\n");
    }
    mailbox
}

fn links(bytes: &[u8], format: Format) -> usize {
    let mut settings = Settings::default();
    settings.format = Some(format);
    Document::new(bytes, &settings).links().count()
}

/// The links of the bytes read in windows, like long files.
fn links_in_windows(bytes: &[u8], format: Format) -> usize {
    let mut settings = Settings::default();
    settings.format = Some(format);
    let mut count = 0;
    let read = read_links(&mut &*bytes, &settings, &mut |_, _| {
        count += 1;
        ControlFlow::Continue(())
    });
    read.map_or(0, |_| count)
}

/// The links of messages that are decoded one by one, and scanned as text.
fn decoded(mailbox: &[u8], decode: impl Fn(&[u8]) -> Vec<u8>) -> usize {
    let ends = memchr::memmem::find_iter(mailbox, b"\nFrom ");
    let ends: Vec<usize> = ends.chain([mailbox.len()]).collect();
    let mut begin = 0;
    let mut count = 0;
    for end in ends {
        let message = &mailbox[begin..end];
        let body = memchr::memmem::find(message, b"\n\n").map_or(0, |at| at + 2);
        count += links(&decode(&message[body..]), Format::Text);
        begin = end;
    }
    count
}

fn without_breaks(body: &[u8]) -> Vec<u8> {
    let is_base64 = |byte: &&u8| !byte.is_ascii_whitespace();
    body.iter().filter(is_base64).copied().collect()
}

fn in_lines(text: &str) -> String {
    let mut lines = String::new();
    for (at, ch) in text.chars().enumerate() {
        if at > 0 && at % 76 == 0 {
            lines.push('\n');
        }
        lines.push(ch);
    }
    lines
}

fn main() {
    if is_wanted("7bit") {
        let mailbox = mailbox("7bit", str::to_owned);
        race(
            "a mailbox in 7bit",
            mailbox.len(),
            &mut [
                contender("as a mailbox", || links(&mailbox, Format::Mailbox)),
                contender("the same bytes as text", || links(&mailbox, Format::Text)),
            ],
        );
        race(
            "a mailbox in 7bit, in windows",
            mailbox.len(),
            &mut [
                contender("as a mailbox", || {
                    links_in_windows(&mailbox, Format::Mailbox)
                }),
                contender("the same bytes as text", || {
                    links_in_windows(&mailbox, Format::Text)
                }),
            ],
        );
    }
    if is_wanted("quoted-printable") {
        let mailbox = mailbox("quoted-printable", |body| {
            String::from_utf8_lossy(&quoted_printable::encode(body.as_bytes())).into_owned()
        });
        race(
            "a mailbox in quoted-printable",
            mailbox.len(),
            &mut [
                contender("as a mailbox", || links(&mailbox, Format::Mailbox)),
                contender("quoted_printable, then as text", || {
                    decoded(&mailbox, |body| {
                        let mode = quoted_printable::ParseMode::Robust;
                        quoted_printable::decode(body, mode).unwrap_or_default()
                    })
                }),
            ],
        );
    }
    if is_wanted("base64") {
        let mailbox = mailbox("base64", |body| {
            in_lines(&base64_simd::STANDARD.encode_to_string(body))
        });
        race(
            "a mailbox in base64",
            mailbox.len(),
            &mut [
                contender("as a mailbox", || links(&mailbox, Format::Mailbox)),
                contender("base64-simd, then as text", || {
                    decoded(&mailbox, |body| {
                        let body = without_breaks(body);
                        base64_simd::STANDARD
                            .decode_to_vec(body)
                            .unwrap_or_default()
                    })
                }),
            ],
        );
    }
}
