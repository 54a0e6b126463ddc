//! The inputs of the table, the same each time.

use crate::prose::{JAPANESE, MAIL, Prose, RUSSIAN};
use encoding_rs::Encoding;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

const MB: usize = 1 << 20;
/// The number of small files.
const FILES: usize = 10_000;
/// The number of rules of the long list.
const RULES: usize = 100_000;

/// Writes all inputs below a folder.
pub fn write(folder: &Path) -> io::Result<()> {
    let put = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes);
    put("dense.txt", lines(16 * MB, text_line).as_bytes())?;
    put("dense.html", lines(16 * MB, html_line).as_bytes())?;
    put("iris.html", lines(16 * MB, iri_line).as_bytes())?;
    put("iris.txt", lines(16 * MB, bare_iri_line).as_bytes())?;
    put("mail.txt", MAIL.text(64 * MB).as_bytes())?;
    put("utf-8.html", page(&RUSSIAN, "utf-8", 16 * MB).as_bytes())?;
    put("mail.mbox", &mailbox(32 * MB))?;
    put("utf-16.txt", &utf_16(&JAPANESE.text(16 * MB)))?;
    let texts = [
        (&JAPANESE, "iso-2022-jp"),
        (&JAPANESE, "shift_jis"),
        (&RUSSIAN, "windows-1251"),
    ];
    for (prose, label) in texts {
        put(
            &format!("{label}.txt"),
            &encoded(&prose.text(16 * MB), label),
        )?;
        let page = page(prose, label, 16 * MB);
        put(&format!("{label}.html"), &encoded(&page, label))?;
    }
    put("dump.sql", dump(64 * MB).as_bytes())?;
    let hundred = "The minutes are at https://lists.example.org/2026/11.html, and the agenda for the next one follows.\n";
    put("100-bytes.txt", hundred.as_bytes())?;
    put(
        "one.rules",
        "http://old.example/ https://new.example/\n".as_bytes(),
    )?;
    put("many.rules", rules().as_bytes())?;
    small_files(&folder.join("small"))
}

/// Numbered lines.
fn lines(length: usize, line: impl Fn(&mut String, usize)) -> String {
    let mut text = String::with_capacity(length + 1024);
    for number in 0.. {
        line(&mut text, number);
        if text.len() >= length {
            break;
        }
    }
    text
}

fn text_line(text: &mut String, number: usize) {
    let _ = writeln!(
        text,
        "See http://old.example/p{}/{number} now.",
        number % 97
    );
}

fn html_line(text: &mut String, number: usize) {
    let _ = writeln!(
        text,
        "<p><a href=\"http://old.example/p{}/{number}\">page</a>",
        number % 97
    );
}

fn iri_line(text: &mut String, number: usize) {
    let _ = writeln!(
        text,
        "<p><a href=\"http://example.org/страница/{number}?q=é\">page</a>"
    );
}

fn bare_iri_line(text: &mut String, number: usize) {
    let _ = writeln!(text, "http://example.org/страница/{number}?q=é");
}

fn page(prose: &Prose, label: &str, length: usize) -> String {
    let paragraphs = prose.text(length);
    let mut page = format!("<!doctype html><meta charset={label}><title>Page</title>\n");
    for (number, paragraph) in paragraphs.lines().enumerate() {
        let _ = writeln!(
            page,
            "<p class=text><a href=\"/page/{number}.html\">{number}</a>"
        );
        // Without the links: lol_html reads attributes alone.
        let is_prose = |ch: &char| !ch.is_ascii() || *ch == ' ';
        page.extend(paragraph.chars().filter(is_prose));
    }
    page
}

fn encoded(text: &str, label: &str) -> Vec<u8> {
    let encoding = Encoding::for_label(label.as_bytes()).expect("a label of the standard");
    encoding.encode(text).0.into_owned()
}

fn utf_16(text: &str) -> Vec<u8> {
    let units = "\u{feff}".encode_utf16().chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

/// Posts as mysqldump writes them, a thousand in a statement: a moved link in one of ten, other links in two of ten,
/// and a serialized value in one of twenty.
fn dump(length: usize) -> String {
    let row = |dump: &mut String, number: usize| {
        dump.push_str(match number % 1000 {
            0 => ";\nINSERT INTO `posts` VALUES ",
            _ => ",",
        });
        let link = match number % 10 {
            0 => format!("<a href=\\\"http://old.example/p{number}\\\">page</a>"),
            3 | 6 => format!("<a href=\\\"https://www.example.org/{number}\\\">page</a>"),
            _ => String::new(),
        };
        let meta = match number % 20 {
            1 => "a:1:{s:4:\\\"text\\\";s:12:\\\"a few words.\\\";}",
            _ => "",
        };
        let prose = "The quick brown fox jumps over the lazy dog. It wasn\\'t amused at all.";
        let paragraph = format!("<p class=\\\"text\\\">{prose} {prose} {prose}</p>\\r\\n");
        let _ = write!(
            dump,
            "({number},'2026-11-29 10:00:00','Post {number}',\
             '<!-- wp:paragraph -->\\r\\n{paragraph}{paragraph}{link}','{meta}')"
        );
    };
    let rows = lines(length, row);
    format!("-- MySQL dump 10.13\n/*!40101 SET NAMES utf8mb4 */{rows};\n")
}

/// Messages in 7bit, quoted-printable and base64, in turns.
fn mailbox(length: usize) -> Vec<u8> {
    let mut mailbox = Vec::with_capacity(length + MB);
    for number in 0.. {
        let body = message_body(number);
        let (encoding, body) = match number % 3 {
            0 => ("7bit", body),
            1 => ("quoted-printable", quoted_printable::encode_to_str(&body)),
            _ => (
                "base64",
                in_lines(&base64_simd::STANDARD.encode_to_string(&body)),
            ),
        };
        let kind = if number % 2 == 0 { "plain" } else { "html" };
        let message = format!(
            "From anna@example.org Mon Jan  1 00:00:00 2024\nFrom: Anna\nTo: Bob\nSubject: Meeting {number}\n\
             MIME-Version: 1.0\nContent-Type: text/{kind}; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n\n\
             {body}\n\n"
        );
        mailbox.extend_from_slice(message.as_bytes());
        if mailbox.len() >= length {
            break;
        }
    }
    mailbox
}

/// The body of a message: plain text if the number is even.
fn message_body(number: usize) -> String {
    const LENGTHS: [usize; 5] = [600, 2_000, 5_000, 12_000, 40_000];
    let length = LENGTHS[number % LENGTHS.len()];
    let line = |text: &mut String, at: usize| {
        let _ = match (number % 2, at % 4) {
            (0, 0) => writeln!(
                text,
                "The minutes are at https://lists.example.org/{number}/{at}.html, as usual."
            ),
            (_, 0) => writeln!(
                text,
                "<p>The <a href=\"https://lists.example.org/{number}/{at}.html\">minutes</a>, as usual."
            ),
            _ => writeln!(
                text,
                "The quick brown fox jumps over the lazy dog. It was not amused at all."
            ),
        };
    };
    lines(length, line)
}

fn in_lines(encoded: &str) -> String {
    let lines = encoded.as_bytes().chunks(76);
    let lines = lines.map(|line| std::str::from_utf8(line).expect("base64 is ASCII"));
    lines.collect::<Vec<_>>().join("\n")
}

fn rules() -> String {
    let mut rules = String::new();
    for number in 0..RULES {
        let _ = writeln!(
            rules,
            "http://old.example/p{number}/ https://new.example/q{number}/"
        );
    }
    rules
}

/// Pages of some two kilobytes with a moved link, and others.
fn small_files(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for number in 0..FILES {
        let line = |page: &mut String, at: usize| {
            let _ = match at % 8 {
                0 => writeln!(
                    page,
                    "<p><a href=\"http://old.example/p{}/{at}\">page</a>",
                    number % 97
                ),
                4 => writeln!(
                    page,
                    "<p><a href=\"https://www.example.org/{number}/{at}\">page</a>"
                ),
                _ => writeln!(
                    page,
                    "<p>The quick brown fox jumps over the lazy dog. It was not amused."
                ),
            };
        };
        let page = format!(
            "<!doctype html><meta charset=utf-8>\n{}",
            lines(2_000, line)
        );
        fs::write(folder.join(format!("{number}.html")), page)?;
    }
    Ok(())
}
