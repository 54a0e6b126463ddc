//! Recognition of mail by its first bytes, and of documents that only look like it.

use super::*;

#[test]
fn mail_is_recognized() {
    use MailKind::{Mailbox, Message};
    for (head, kind) in [
        (
            "From jo@a.example Thu Jan  1 00:00:00 1970\nReceived: a\n",
            Mailbox,
        ),
        (
            "From jo@a.example Thu Jan  1 00:00:00 1970\r\n>From b@c Thu Jan  1 00:00:00 1970\r\nA: b\r\n\r\n",
            Mailbox,
        ),
        ("Received: a\n\tb\nSubject: c\n\nd", Message),
        (
            "MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n",
            Message,
        ),
        ("From: a\nTo: b\n\n", Message),
        ("\u{FEFF}Return-Path: <a>\rSubject: b\r\rc", Message),
        ("From jo\nMessage-ID: <a>\n\n", Message),
        (
            "From: <Saved by Blink>\r\nSubject: =?utf-8?Q?a?=\r\n\r\n",
            Message,
        ),
        ("Path: a\nNewsgroups: b\nFrom: c\n\nd", Message),
    ] {
        assert_eq!(mail_kind(head.as_bytes()), Some(kind), "{head}");
    }
    let long = format!(
        "X-A: {}\nReceived: b\nSubject: {}",
        "y".repeat(3000),
        "z".repeat(3000)
    );
    assert_eq!(mail_kind(long.as_bytes()), Some(Message));
}

#[test]
fn what_looks_like_mail_is_none() {
    for head in [
        "",
        "\n",
        "Text.\n",
        "Subject: a\n\nb",
        "From: a\n\nb",
        "From: a\nSubject: b",
        "Date: 2001-01-01\nSubject: a\n\n",
        "From here: on\n\n",
        "From jo@a.example Thu Jan  1 00:00:00 1970\n\nText.",
        "---\ntitle: a\ndate: 2001-01-01\n---\n\nb",
        "title: a\nauthor: b\ndate: 2001\n\nc",
        "Package: a\nVersion: 1\nMaintainer: b <c@d>\nDescription: e\n f\n .\n g\n\n",
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nSource: a\n\nFiles: *\n",
        "HTTP/1.1 200 OK\nDate: Thu, 01 Jan 1970 00:00:00 GMT\nServer: a\n\n",
        "Date: Thu, 01 Jan 1970 00:00:00 GMT\nServer: a\nContent-Type: text/html\n\n",
        "Metadata-Version: 2.1\nName: a\nVersion: 1\nAuthor-email: b@c\n\n",
        "12:00:00 GET: a\n12:00:01 GET: b\n\n",
        "# Translation.\nmsgid \"\"\nmsgstr \"\"\n\"MIME-Version: 1.0\\n\"\n\n",
        "Message-ID: a\nnot a field\n\n",
        " Message-ID: a\n\n",
        "Received: a",
    ] {
        assert_eq!(mail_kind(head.as_bytes()), None, "{head}");
    }
}
