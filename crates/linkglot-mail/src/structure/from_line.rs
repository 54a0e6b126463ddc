//! From_ lines, which separate the messages of a mailbox (RFC 4155, and the manual pages mbox(5) of several systems).
//!
//! The form is `From sender date`. Real archives differ: the sender may hold blanks or be missing, zones stand in front
//! of the year or behind it, and some programs write the date of RFC 5322.

use super::lines::{Line, LineEnd, Verdict, begins_with, field_name};

pub(super) const FROM: &[u8] = b"From ";

const DAYS: [&[u8; 3]; 7] = [b"sun", b"mon", b"tue", b"wed", b"thu", b"fri", b"sat"];

const MONTHS: [&[u8; 3]; 12] = [
    b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec",
];

/// The line in front of a From_ line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    EmptyLine,
    /// A line of the message. The From_ line is then more likely text, so a field must follow it.
    Line,
}

/// Tells if a From_ line in full form begins the text, which begins a line.
pub(super) fn begins_message(text: &[u8], last: bool, end: LineEnd, before: Before) -> Verdict {
    match begins_with(text, FROM, last) {
        Verdict::Yes => {}
        verdict => return verdict,
    }
    let behind = match end.line(text, last) {
        Line::Incomplete => return Verdict::Maybe,
        Line::Whole { text, behind } if is_from_line(text) => behind,
        Line::Whole { .. } | Line::TooLong => return Verdict::No,
    };
    match before {
        Before::EmptyLine => Verdict::Yes,
        Before::Line => begins_field(text.get(behind..).unwrap_or_default(), last, end),
    }
}

fn begins_field(text: &[u8], last: bool, end: LineEnd) -> Verdict {
    if field_name(text.get(..super::lines::LINE_LIMIT).unwrap_or(text)).is_some() {
        return Verdict::Yes;
    }
    match end.line(text, last) {
        Line::Incomplete => Verdict::Maybe,
        _ => Verdict::No,
    }
}

/// True if a line is `From `, a sender, and a date with day of the week, time and year.
pub(super) fn is_from_line(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(FROM) else {
        return false;
    };
    // A quoted sender may look like a date: the last day of the week counts.
    let mut words: Vec<&[u8]> = Vec::with_capacity(8);
    words.extend(
        rest.split(|byte| b" \t".contains(byte))
            .filter(|word| !word.is_empty()),
    );
    let day = words.iter().rposition(|word| is_day(word));
    day.is_some_and(|day| is_date(words.get(day + 1..).unwrap_or_default()))
}

/// True for the rest of a date behind the day of the week, in the form of asctime or of RFC 5322 3.3.
fn is_date(words: &[&[u8]]) -> bool {
    match words {
        [month, day, time, rest @ ..] if is_month(month) => {
            is_number(day, 2) && is_time(time) && is_year_with_zones(rest)
        }
        [day, month, year, time, rest @ ..] => {
            is_number(day, 2) && is_month(month) && is_year(year) && is_time(time) && is_zones(rest)
        }
        _ => false,
    }
}

/// True for `1999`, `+0200 1999`, `MET DST 1999`, `1999 (CEST)`, `1999 remote from host`.
fn is_year_with_zones(words: &[&[u8]]) -> bool {
    let Some(year) = words.iter().position(|word| is_year(word)) else {
        return false;
    };
    let (zones, rest) = words.split_at(year);
    is_zones(zones) && is_zones(rest.get(1..).unwrap_or_default())
}

fn is_zones(words: &[&[u8]]) -> bool {
    match words {
        [b"remote", b"from", ..] | [] => true,
        [zone, rest @ ..] => is_zone(zone) && is_zones(rest),
    }
}

fn is_zone(word: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_uppercase() || b"()".contains(byte);
    let letters = word.iter().take_while(|byte| is_name(byte)).count();
    match word.get(letters..) {
        Some([]) => word.len() <= 7,
        Some([b'+' | b'-', offset @ ..]) => {
            matches!(offset.len(), 1..=6)
                && offset
                    .iter()
                    .all(|byte| b":)".contains(byte) || byte.is_ascii_digit())
        }
        _ => false,
    }
}

fn is_day(word: &[u8]) -> bool {
    let word = word.strip_suffix(b",").unwrap_or(word);
    DAYS.iter().any(|day| day.eq_ignore_ascii_case(word))
}

fn is_month(word: &[u8]) -> bool {
    MONTHS.iter().any(|month| month.eq_ignore_ascii_case(word))
}

fn is_number(word: &[u8], digits: usize) -> bool {
    (1..=digits).contains(&word.len()) && word.iter().all(u8::is_ascii_digit)
}

fn is_year(word: &[u8]) -> bool {
    matches!(word.len(), 2 | 4) && word.iter().all(u8::is_ascii_digit)
}

/// True for `9:05` and `12:34:56`.
fn is_time(word: &[u8]) -> bool {
    let parts = word.split(|&byte| byte == b':');
    matches!(parts.clone().count(), 2 | 3) && parts.clone().all(|part| is_number(part, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forms from RFC 4155, manual pages, and archives of Mailman, Eudora, Thunderbird, Gmail and Git.
    const LINES: [&str; 17] = [
        "From god@heaven.af.mil Sat Jan  3 01:05:34 1996",
        "From bob@example.com Thu Jan  1 00:00 1970",
        "From - Tue Apr 23 15:14:12 2002",
        "From ???@??? Tue Jan 01 12:00:00 1999",
        "From jo at b.org  Thu Jan  1 00:00:00 2004",
        "From 9d36c5b1d8a0b2d0a1e4b6ad8e1e6cc1f3c0c2f5 Mon Sep 17 00:00:00 2001",
        "From 1234567890@xxx Mon Jan 01 00:00:00 +0000 2001",
        "From uucp Wed Jun  9 12:00:00 MET DST 1999 remote from host",
        "From jo@a.example Wed Jun  9 12:00:00 1999 +0200",
        "From jo@a.example Wed, 9 Jun 1999 12:00:00 +0200 (CEST)",
        "From \"Mon Jan Smith\"@a.example Wed Jun 09 12:00:00 GMT-0800 1999",
        "From jo@a.example Wed Jun 09 12:00:00 PST 99",
        "From  Wed Jun 09 12:00:00 1999",
        "From Wed Jun 09 12:00:00 1999",
        "From MAILER-DAEMON Fri Jul 29 09:10:11 2011",
        "From jo@a.example\tFRI JUL 29 09:10:11 2011",
        "From jo@a.example Fri Jul 29 9:10:11 2011 ",
    ];

    #[test]
    fn forms_of_archives_are_from_lines() {
        for line in LINES {
            assert!(is_from_line(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn text_is_no_from_line() {
        for line in [
            "",
            "From ",
            "From here on",
            ">From jo@a.example Fri Jul 29 09:10:11 2011",
            "From: jo@a.example Fri Jul 29 09:10:11 2011",
            "From Mon Jul 29 on we meet at 09:10",
            "From Mon, Jul 29 at 09:10:11 2011",
            "From Fri Jul 29 09:10 we meet, 2011",
            "From a Fri Jul 29 2011",
            "From a Jul 29 09:10:11 2011",
            "From a Fri Jul 29 09:10:11 2011 until the end of all",
        ] {
            assert!(!is_from_line(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn a_field_follows_where_no_empty_line_stands_before() {
        let end = LineEnd(b'\n');
        let from = LINES[0];
        let verdict = |text: &str, last, before| begins_message(text.as_bytes(), last, end, before);
        for (rest, expected) in [
            ("\nSubject: x\n", Verdict::Yes),
            ("\r\nSubject:", Verdict::Yes),
            ("\nSubj", Verdict::Maybe),
            ("\n", Verdict::Maybe),
            ("\nand so on\n", Verdict::No),
        ] {
            let text = format!("{from}{rest}");
            assert_eq!(verdict(&text, false, Before::Line), expected, "{text}");
            assert_eq!(verdict(&text, false, Before::EmptyLine), Verdict::Yes);
        }
        assert_eq!(verdict("Fro", false, Before::Line), Verdict::Maybe);
        assert_eq!(verdict("Fro", true, Before::Line), Verdict::No);
        assert_eq!(verdict(from, false, Before::EmptyLine), Verdict::Maybe);
        assert_eq!(verdict(from, true, Before::EmptyLine), Verdict::Yes);
    }
}
