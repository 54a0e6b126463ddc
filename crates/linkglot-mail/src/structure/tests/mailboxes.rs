//! Mailboxes of the four dialects.

use super::*;

const FROM: &str = "From jo@a.example Thu Jan  1 00:00:00 1970\n";

#[test]
fn messages_begin_with_from_lines() {
    let mail =
        format!("{FROM}A: b\n\nc\n\n{FROM}A: b\n\n\n{FROM}A: b\n\n{FROM}A: b\n\nd\n>{FROM}\ne\n");
    Mail::mailbox(&mail).assert_in_every_line_end(&[
        "1:* text/plain Leaf",
        "\"c\\n\"",
        "2:* text/plain Leaf",
        "3:* text/plain Leaf",
        "4:* text/plain Leaf",
        "\"d\\n>From jo@a.example Thu Jan  1 00:00:00 1970\\n\\ne\\n\"",
    ]);
}

#[test]
fn without_an_empty_line_a_field_must_follow() {
    let mail = format!(
        "{FROM}A: b\n\nc\n{FROM}A: b\n\nd\n{FROM}text\n\ne\nFrom here on\n\nFrom there on\n"
    );
    let body = "\"d\\nFrom jo@a.example Thu Jan  1 00:00:00 1970\\ntext\\n\\ne\\nFrom here on\\n\\nFrom there on\\n\"";
    Mail::mailbox(&mail).assert_in_every_line_end(&[
        "1:* text/plain Leaf",
        "\"c\\n\"",
        "2:* text/plain Leaf",
        body,
    ]);
}

#[test]
fn a_message_ends_all_that_is_open() {
    let mail = format!(
        "\n\n{FROM}Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/mixed; boundary=b\n\n\
         --b\n\nc\n\n{FROM}A: b\n--a\n\n--b\n{FROM}A: b\n{FROM}A: b\n\n\n\n"
    );
    Mail::mailbox(&mail).assert_in_every_line_end(&[
        "1:* multipart/mixed Multipart",
        "1:1 multipart/mixed Multipart",
        "1:1.1 text/plain Leaf",
        "\"c\\n\"",
        "2:* text/plain Leaf",
        "\"--a\\n\\n--b\\n\"",
        "3:* text/plain Leaf",
        "4:* text/plain Leaf",
        "\"\\n\\n\"",
    ]);
}

#[test]
fn epilogues_and_nested_messages_end_with_a_message() {
    let mail = format!(
        "{FROM}Content-Type: multipart/mixed; boundary=a\n\n--a\n\nb\n--a--\n\n{FROM}Content-Type: message/rfc822\n\n{FROM}A: b\n\nc"
    );
    Mail::mailbox(&mail).assert_in_every_line_end(&[
        "1:* multipart/mixed Multipart",
        "1:1 text/plain Leaf",
        "\"b\"",
        "2:* message/rfc822 Message",
        "2:1* text/plain Leaf",
        "3:* text/plain Leaf",
        "\"c\"",
    ]);
}

#[test]
fn a_content_length_counts_if_a_message_ends_there() {
    let body = format!("x\n\n{FROM}Y: z\n\n");
    let inner = "x\\n\\nFrom jo@a.example Thu Jan  1 00:00:00 1970\\nY: z\\n\\n";
    for (length, behind) in [(body.len(), "\n"), (body.len(), ""), (body.len() - 1, "")] {
        let mail = format!("{FROM}Content-Length: {length}\n\n{body}{behind}{FROM}A: b\n\nc");
        let shown = Mail::mailbox(&mail).shown();
        let inner = &inner[..inner.len() - 2 * (body.len() - length)];
        assert_eq!(shown[1], format!("\"{inner}\""), "{length}");
        assert_eq!(shown[2..], ["2:* text/plain Leaf", "\"c\""]);
    }
    for length in [body.len() - 3, body.len() + 2, 0, 2, 1 << 40] {
        let mail = format!("{FROM}Content-Length: {length}\n\n{body}\n{FROM}A: b\n\nc");
        assert_eq!(Mail::mailbox(&mail).shown().len(), 5, "{length}");
    }
    let last = format!("{FROM}Content-Length: {}\n\n{body}", body.len());
    assert_eq!(
        Mail::mailbox(&last).shown(),
        ["1:* text/plain Leaf", &format!("\"{inner}\"")]
    );
}

#[test]
fn a_content_length_encloses_parts() {
    let body = format!(
        "--a\n\n{FROM}b: c\n--a\nContent-Type: message/rfc822\n\n{FROM}Content-Length: 1\n\nde\n--a--\n"
    );
    let mail = format!(
        "{FROM}Content-Type: multipart/mixed; boundary=a\nContent-Length: {}\n\n{body}\n{FROM}A: b\n\nc",
        body.len()
    );
    assert_eq!(
        Mail::mailbox(&mail).shown(),
        [
            "1:* multipart/mixed Multipart",
            "1:1 text/plain Leaf",
            "\"From jo@a.example Thu Jan  1 00:00:00 1970\\nb: c\"",
            "1:2 message/rfc822 Message",
            "1:2* text/plain Leaf",
            "\"de\"",
            "2:* text/plain Leaf",
            "\"c\""
        ]
    );
}

#[test]
fn a_mailbox_may_begin_without_a_from_line() {
    let mail = format!("A: b\n\nc\n\n{FROM}A: b\n\nd");
    assert_eq!(Mail::mailbox(&mail).shown().len(), 4);
    assert!(Mail::mailbox("\n\r\n\n").shown().is_empty());
    assert_eq!(
        Mail::mailbox("From someone, sometime\nA: b\n\nc")
            .shown()
            .len(),
        2
    );
}

#[test]
fn in_a_message_from_lines_are_text() {
    let mail = format!("{FROM}A: b\n\nc\n\n{FROM}A: b\n");
    let answers = Mail::message(&mail).answers_in_every_cut();
    assert_eq!(
        answers[1],
        Answer::Body(format!("c\n\n{FROM}A: b\n").into_bytes())
    );
}

/// A right Content-Length holds for everything in its body; a long one is believed.
#[test]
fn a_content_length_is_told() {
    let told = |length: usize| {
        let body = "--a\n\nb\n--a--\n";
        let mail = format!(
            "{FROM}Content-Type: multipart/mixed; boundary=a\nContent-Length: {length}\n\n{body}\n{FROM}A: b\n\nc"
        );
        let headers = |answer| match answer {
            Answer::Header(entity, ..) => Some((entity.has_length, entity.enclosing.has_length)),
            _ => None,
        };
        let answers = Mail::mailbox(&mail).answers_in_every_cut();
        answers.into_iter().filter_map(headers).collect::<Vec<_>>()
    };
    let counted = vec![(true, false), (false, true), (false, false)];
    assert_eq!(told(13), counted);
    assert_eq!(told(2 << 20), counted);
    assert_eq!(told(9), vec![(false, false); 3]);
}
