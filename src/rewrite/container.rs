//! Files that hold other files or records in plain text, with lengths, digests or places of them: archives of the web
//! and their indexes, dumps of repositories, messages of HTTP, records of libraries.
//!
//! Such files are read as text. A link of another length would break the file, so it is not rewritten.

use super::mapping::Mapping;
use super::{Form, References};
use crate::error::{Error, ErrorKind};
use linkglot_mail::structure::mail_kind;
use memchr::memmem;

/// A kind of container.
struct Container {
    name: &'static str,
    /// The part of the format that a change would break.
    breaks: &'static str,
    is_it: fn(&[u8]) -> bool,
}

/// Archives, whose documents are not read with them.
const ARCHIVES: [Container; 3] = [
    Container {
        name: "a tar archive",
        breaks: "the lengths of its members",
        is_it: |head| head.get(257..262) == Some(b"ustar"),
    },
    Container {
        name: "a zip archive",
        breaks: "its sums and lengths",
        is_it: is_zip,
    },
    Container {
        name: "compressed data",
        breaks: "its sums and lengths",
        is_it: is_compressed,
    },
];

/// Containers whose links are read as those of a text.
const TEXTS: [Container; 17] = [
    Container {
        name: "a WARC file",
        breaks: "the lengths and digests of its records",
        is_it: is_warc,
    },
    Container {
        name: "an ARC file",
        breaks: "the lengths of its records",
        is_it: |head| head.starts_with(b"filedesc://"),
    },
    Container {
        name: "a message of HTTP",
        breaks: "its length",
        is_it: is_http,
    },
    Container {
        name: "an ar archive",
        breaks: "the lengths of its members",
        is_it: |head| head.starts_with(b"!<arch>\n"),
    },
    Container {
        name: "a cpio archive",
        breaks: "the lengths of its members",
        is_it: is_cpio,
    },
    Container {
        name: "a phar archive",
        breaks: "its lengths and its signature",
        is_it: is_phar,
    },
    Container {
        name: "a dump of Subversion",
        breaks: "the lengths and digests of its nodes",
        is_it: |head| head.starts_with(b"SVN-fs-dump-format-version:"),
    },
    Container {
        name: "a stream of git fast-export",
        breaks: "the lengths of its blobs",
        is_it: is_fast_export,
    },
    Container {
        name: "a web archive of Safari",
        breaks: "the addresses of its content, which is in base64",
        is_it: is_web_archive,
    },
    Container {
        name: "bencoded data",
        breaks: "the lengths of its strings",
        is_it: is_bencoded,
    },
    Container {
        name: "records of ISO 2709 (MARC)",
        breaks: "the lengths of its records and fields",
        is_it: is_iso_2709,
    },
    Container {
        name: "a mailbox in mbx format",
        breaks: "the lengths of its messages",
        is_it: |head| head.starts_with(b"*mbx*\r\n"),
    },
    Container {
        name: "a message of Apple Mail",
        breaks: "its length",
        is_it: is_emlx,
    },
    Container {
        name: "a batch of news",
        breaks: "the lengths of its articles",
        is_it: is_news_batch,
    },
    Container {
        name: "commands of Redis",
        breaks: "the lengths of their arguments",
        is_it: is_redis,
    },
    Container {
        name: "a FITS file",
        breaks: "the columns of its header",
        is_it: is_fits,
    },
    Container {
        name: "an index of archives of the web",
        breaks: "its keys, by which it is sorted",
        is_it: is_web_index,
    },
];

/// Refuses to rewrite a container, which starts with `head`. Accepts a mapping that changes nothing.
///
/// # Errors
///
/// Errors for a container.
pub(super) fn refuse(head: &[u8], mapping: &Mapping) -> Result<(), Error> {
    let is_idle = mapping.form == Form::Same
        && !mapping.has_rules()
        && mapping.references == References::Keep
        && mapping.to_charset.is_none();
    let mut containers = ARCHIVES.iter().chain(&TEXTS);
    let found = containers.find(|container| (container.is_it)(head));
    let Some(Container { name, breaks, .. }) = found.filter(|_| !is_idle) else {
        return Ok(());
    };
    let message =
        format!("expected a document, found {name} at byte 0: a changed link would break {breaks}");
    Err(Error::new(ErrorKind::Container, message))
}

/// Refuses archives and compressed data, which start with `head`: their documents are entries of their own, and the
/// bytes of an archive have no links.
///
/// # Errors
///
/// Errors for a zip or tar archive, and for compressed data.
///
/// ```
/// use linkglot::ErrorKind;
/// use linkglot::rewrite::refuse_archive;
///
/// assert!(refuse_archive(b"http://a.example/").is_ok());
/// let error = refuse_archive(b"PK\x05\x06").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Container);
/// ```
pub fn refuse_archive(head: &[u8]) -> Result<(), Error> {
    let mut archives = ARCHIVES.iter();
    match archives.find(|archive| (archive.is_it)(head)) {
        Some(Container { name, .. }) => {
            let message = format!("expected a document, found {name}");
            Err(Error::new(ErrorKind::Container, message))
        }
        None => Ok(()),
    }
}

/// True for a property list in XML with a key of web archives.
fn is_web_archive(head: &[u8]) -> bool {
    const KEYS: [&[u8]; 3] = [
        b"<key>WebMainResource</key>",
        b"<key>WebSubresources</key>",
        b"<key>WebSubframeArchives</key>",
    ];
    let head = &head[..head.len().min(512)];
    let has = |text: &[u8]| memmem::find(head, text).is_some();
    has(b"<plist") && KEYS.iter().any(|key| has(key))
}

/// True for any version of WARC, also behind a byte order mark and empty lines.
fn is_warc(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let ends = head.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    match head[ends.count()..].split_at_checked(5) {
        Some((name, [major, b'.', ..])) => {
            name.eq_ignore_ascii_case(b"WARC/") && major.is_ascii_digit()
        }
        _ => false,
    }
}

/// True for a zip archive, also behind a program or a script: the header of an entry with the version that reads it
/// (APPNOTE 4.4.3) is no text.
fn is_zip(head: &[u8]) -> bool {
    const ENTRY: &[u8] = b"PK\x03\x04";
    const PROGRAMS: [&[u8]; 3] = [b"#!", b"MZ", b"\x7FELF"];
    let has_version = |at: usize| matches!(head.get(at + 4..at + 6), Some([1..=63, 0]));
    let is_program = PROGRAMS.iter().any(|start| head.starts_with(start));
    head.starts_with(ENTRY)
        || head.starts_with(b"PK\x05\x06")
        || is_program && memmem::find_iter(head, ENTRY).any(has_version)
}

/// True for gzip, Zstandard, xz and bzip2.
fn is_compressed(head: &[u8]) -> bool {
    let starts: [&[u8]; 4] = [b"\x1F\x8B\x08", b"\x28\xB5\x2F\xFD", b"\xFD7zXZ\0", b"BZh"];
    let is_bzip2 = || head.get(4..10) == Some(b"1AY&SY");
    let starts = starts.iter().find(|start| head.starts_with(start));
    starts.is_some_and(|start| *start != b"BZh" || is_bzip2())
}

/// True if a message of HTTP/1 gives the length of its body (RFC 9112, 6).
fn is_http(head: &[u8]) -> bool {
    let first = head.split(|&byte| byte == b'\n').next().unwrap_or(head);
    let first = first.strip_suffix(b"\r").unwrap_or(first);
    let is_request = [&b" HTTP/1.0"[..], b" HTTP/1.1"]
        .iter()
        .any(|end| first.ends_with(end));
    if !is_request && !first.starts_with(b"HTTP/1.") {
        return false;
    }
    let fields = head.split(|&byte| byte == b'\n').skip(1);
    let fields = fields.take_while(|line| !line.trim_ascii().is_empty());
    let names: [&[u8]; 3] = [b"content-length:", b"transfer-encoding:", b"content-md5:"];
    fields.into_iter().any(|line| {
        let mut names = names.iter();
        names.any(|name| {
            line.get(..name.len())
                .is_some_and(|begin| begin.eq_ignore_ascii_case(name))
        })
    })
}

/// True for the header of ASCII formats: a magic number and digits (cpio(5)).
fn is_cpio(head: &[u8]) -> bool {
    let digits = |digits: &[u8], radix| {
        digits
            .iter()
            .all(|&digit| char::from(digit).is_digit(radix))
    };
    match head.get(..76) {
        Some(header @ [b'0', b'7', b'0', b'7', b'0', b'7', ..]) => digits(header, 8),
        Some(header @ [b'0', b'7', b'0', b'7', b'0', b'1' | b'2', ..]) => digits(header, 16),
        _ => false,
    }
}

/// True for code with a manifest behind it, which begins with its length.
fn is_phar(head: &[u8]) -> bool {
    const HALT: &[u8] = b"__HALT_COMPILER();";
    let behind = memmem::find(head, HALT).map(|at| head[at + HALT.len()..].trim_ascii_start());
    let manifest = behind.and_then(|behind| behind.strip_prefix(b"?>"));
    manifest
        .is_some_and(|manifest| memchr::memchr(0, &manifest[..manifest.len().min(16)]).is_some())
}

/// True for commands of git-fast-import(1) with a length.
fn is_fast_export(head: &[u8]) -> bool {
    let commands: [&[u8]; 5] = [
        b"blob\n",
        b"reset refs/",
        b"commit refs/",
        b"feature ",
        b"option git ",
    ];
    let is_data = |at: usize| head.get(at + 6).is_some_and(u8::is_ascii_digit);
    commands.iter().any(|command| head.starts_with(command))
        && memmem::find_iter(head, b"\ndata ").any(is_data)
}

/// True for a dictionary whose first key is a string: `d8:announce35:http://`.
fn is_bencoded(head: &[u8]) -> bool {
    let string = |bytes: &[u8]| {
        let digits = bytes
            .iter()
            .take(4)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let length: usize = std::str::from_utf8(&bytes[..digits]).ok()?.parse().ok()?;
        (bytes.get(digits) == Some(&b':')).then_some(digits + 1 + length)
    };
    let begins_value = |value: &[u8]| match value {
        [b'i', digit, ..] => digit.is_ascii_digit() || *digit == b'-',
        [b'd' | b'l', first, ..] => first.is_ascii_digit() || b"deil".contains(first),
        _ => string(value).is_some(),
    };
    let key = head.strip_prefix(b"d");
    let key = key.and_then(|key| Some((key, string(key)?)));
    key.is_some_and(|(key, end)| key.get(end..).is_some_and(begins_value))
}

/// True for a record whose leader gives its length and the base of its data (ISO 2709, MARC 21, UNIMARC): a field
/// terminator stands in front of the base, or another record stands behind the length.
fn is_iso_2709(head: &[u8]) -> bool {
    const LEADER: usize = 24;
    const TERMINATOR: u8 = 0x1E;
    let leader = |record: &[u8]| {
        let leader = record.get(..LEADER)?;
        let is_leader = leader[10..12] == *b"22" && leader[20..23] == *b"450";
        is_leader.then(|| Some((number(&leader[..5])?, number(&leader[12..17])?)))?
    };
    leader(head).is_some_and(|(length, base)| {
        let end = base.checked_sub(1).and_then(|end| head.get(end));
        end == Some(&TERMINATOR) || head.get(length..).and_then(leader).is_some()
    })
}

/// The value of digits; `None` for other bytes.
fn number(digits: &[u8]) -> Option<usize> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| std::str::from_utf8(digits).ok()?.parse().ok())?
}

/// The first line without its line end, and the bytes behind it.
fn first_line(head: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(b'\n', head)?;
    let line = &head[..end];
    Some((line.strip_suffix(b"\r").unwrap_or(line), &head[end + 1..]))
}

/// True for a line with a length and a message behind it (`.emlx`).
fn is_emlx(head: &[u8]) -> bool {
    first_line(head).is_some_and(|(line, message)| {
        number(line.trim_ascii()).is_some() && mail_kind(message).is_some()
    })
}

/// True for `#! rnews 1234`.
fn is_news_batch(head: &[u8]) -> bool {
    let length = head.strip_prefix(b"#! rnews ").and_then(first_line);
    length.is_some_and(|(line, _)| {
        let length = line.split(|byte| *byte == b' ').next();
        length.and_then(number).is_some()
    })
}

/// True for an array of strings with lengths, as in append-only files: `*2\r\n$6\r\nSELECT\r\n`. Annotations
/// (`#TS:1700000000`) may stand in front.
fn is_redis(mut head: &[u8]) -> bool {
    while let Some((_, behind)) = first_line(head).filter(|(line, _)| line.starts_with(b"#TS:")) {
        head = behind;
    }
    let array = counted(head, b'*');
    let string = array.and_then(|(_, strings)| counted(strings, b'$'));
    string.is_some_and(|(length, string)| {
        let end = string.get(length..);
        end.is_none_or(|end| end.starts_with(b"\r\n"))
    })
}

/// The number behind a mark, and the bytes behind their line.
fn counted(head: &[u8], mark: u8) -> Option<(usize, &[u8])> {
    let (line, behind) = first_line(head)?;
    Some((number(line.strip_prefix(&[mark])?)?, behind))
}

/// True for a header of cards of 80 columns (FITS 4.0, 3.3.1).
fn is_fits(head: &[u8]) -> bool {
    let value = head
        .strip_prefix(b"SIMPLE  = ")
        .and_then(|card| card.get(..70));
    value.is_some_and(|value| {
        matches!(value.trim_ascii_start(), [b'T' | b'F', b' ', ..]) && !value.contains(&b'\n')
    })
}

/// True for CDX and CDXJ: a legend (` CDX N b a`), or lines of a key (`example,a)/b`), a time and fields. Lines with
/// `!` are comments.
fn is_web_index(mut head: &[u8]) -> bool {
    if head.starts_with(b" CDX ") {
        return true;
    }
    while let Some((_, behind)) = first_line(head).filter(|(line, _)| line.starts_with(b"!")) {
        head = behind;
    }
    let line = first_line(head).map_or(head, |(line, _)| line);
    let mut words = line.split(|byte| *byte == b' ');
    let (key, time) = (words.next(), words.next());
    let is_key = key.is_some_and(|key| memmem::find(key, b")/").is_some());
    let is_time = time.is_some_and(|time| matches!(time.len(), 14 | 17) && number(time).is_some());
    is_key && is_time && words.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(head: &[u8]) -> Option<&'static str> {
        let mut containers = ARCHIVES.iter().chain(&TEXTS);
        containers
            .find(|container| (container.is_it)(head))
            .map(|container| container.name)
    }

    /// A record of a leader, a directory of one field, and the field.
    fn record(link: &str) -> Vec<u8> {
        let field = format!("40\x1Fu{link}\x1E");
        let directory = format!("856{:04}00000\x1E", field.len());
        let base = 24 + directory.len();
        let length = base + field.len() + 1;
        format!("{length:05}nam a22{base:05}7a 4500{directory}{field}\x1D").into_bytes()
    }

    #[test]
    fn containers() {
        let cpio = format!("070707{}", "0".repeat(80));
        let newc = format!("070701{}", "00000A1F".repeat(13));
        let tar = [&[b'a'; 257][..], b"ustar\x0000"].concat();
        let record = record("http://a.example/");
        let fits = format!("SIMPLE  = {:>20}{:50}", "T", " / see http://a.example/");
        let cases: [(&[u8], &str); 30] = [
            (b"WARC/1.1\r\nWARC-Type: warcinfo\r\n", "a WARC file"),
            (b"WARC/0.18\r\n", "a WARC file"),
            (b"\xEF\xBB\xBF\r\n\nwarc/2.0\r\n", "a WARC file"),
            (
                b"filedesc://a.arc 0.0.0.0 20000101000000 text/plain 76\n",
                "an ARC file",
            ),
            (
                b"HTTP/1.1 200 OK\r\nA: b\r\ncontent-LENGTH: 3\r\n\r\nabc",
                "a message of HTTP",
            ),
            (
                b"GET / HTTP/1.1\nTransfer-Encoding: chunked\n\n",
                "a message of HTTP",
            ),
            (b"!<arch>\ndebian-binary", "an ar archive"),
            (cpio.as_bytes(), "a cpio archive"),
            (newc.as_bytes(), "a cpio archive"),
            (&tar, "a tar archive"),
            (
                b"<?php\n__HALT_COMPILER(); ?>\r\n\x40\x01\0\0\x02\0\0\0",
                "a phar archive",
            ),
            (b"SVN-fs-dump-format-version: 2\n\n", "a dump of Subversion"),
            (
                b"blob\nmark :1\ndata 18\nhttp://a.example/\n",
                "a stream of git fast-export",
            ),
            (
                b"d8:announce27:http://a.example:80/announcee",
                "bencoded data",
            ),
            (b"d4:infod4:name1:aee", "bencoded data"),
            (&record, "records of ISO 2709 (MARC)"),
            (
                &[&record[..16], b"7", &record[17..], &record].concat(),
                "records of ISO 2709 (MARC)",
            ),
            (b"*mbx*\r\n5a5a5a5a00000003\r\n", "a mailbox in mbx format"),
            (
                b"57        \nReceived: a\nSubject: b\n\nhttp://a.example/\n<?xml",
                "a message of Apple Mail",
            ),
            (
                b"57\r\nFrom: a@a.example\r\nTo: b@a.example\r\n\r\nc",
                "a message of Apple Mail",
            ),
            (b"#! rnews 1234\nPath: a!b\n", "a batch of news"),
            (b"#! rnews 1234 site\n", "a batch of news"),
            (b"*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n", "commands of Redis"),
            (b"#!/bin/sh\nexit\nPK\x03\x04\x14\0", "a zip archive"),
            (
                b"#TS:1700000000\r\n*1\r\n$99\r\nhttp://a.example/",
                "commands of Redis",
            ),
            (fits.as_bytes(), "a FITS file"),
            (
                b" CDX N b a m s k r M S V g\n",
                "an index of archives of the web",
            ),
            (
                b"example,a)/ 20200101000000 {\"url\": \"http://a.example/\"}\n",
                "an index of archives of the web",
            ),
            (
                b"!OpenWayback-CDXJ 1.0\nexample,a:80)/b 20200101000000123 {}",
                "an index of archives of the web",
            ),
            (
                b"example,a)/ 20200101000000 http://a.example/ text/html 200 A - - 1 2 a.warc",
                "an index of archives of the web",
            ),
        ];
        for (head, expected) in cases {
            assert_eq!(name(head), Some(expected), "{}", head.escape_ascii());
        }
    }

    #[test]
    fn documents() {
        for head in [
            &b""[..],
            b"WARC/1 is a format",
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nContent-Length: 3",
            b"HTTP/1.1 defines\nContent-Lengths",
            b"blob\nof data 3",
            b"feature list\n\ndata: none",
            b"0707070 is no number",
            b"<?php __HALT_COMPILER(); data",
            b"d8: a chess move",
            b"d4:namelast",
            b"d9:ab",
            b"00057nam a2200037 a 4500 is how a leader looks",
            b"*mbx* is a format",
            b"57\nbottles of beer: http://a.example/",
            b"#! rnews is a command\n",
            b"* 2\n$6\n",
            b"*2*\r\n$6\r\nSELECT",
            b"*1\n$3\nabcd",
            b"SIMPLE  = T\nSIMPLE  = F",
            b"CDX is an index",
            b"f(a) / 20200101000000 b",
            b"a)/b 2020 c",
            b"a)/b 20200101000000",
            b"#!/bin/sh\necho PK\x03\x04",
        ] {
            assert_eq!(name(head), None, "{}", head.escape_ascii());
        }
    }
}
