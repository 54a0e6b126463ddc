//! Host parsing (URL Standard 3.5).

use super::percent_encode::{self, C0};
use crate::percent;
use idna::AsciiDenyList;
use std::fmt::Write;
use std::net::{Ipv4Addr, Ipv6Addr};

/// The host of a special scheme: a domain in ASCII, or an address. `None` for an invalid host.
pub(super) fn special(text: &str) -> Option<String> {
    if text.starts_with('[') {
        return literal(text);
    }
    let octets = percent::decoded_bytes(text);
    let domain = idna::domain_to_ascii_from_cow(octets, AsciiDenyList::URL).ok()?;
    if domain.is_empty() {
        return None;
    }
    if ends_in_number(&domain) {
        return ipv4(&domain).map(|address| address.to_string());
    }
    Some(domain.into_owned())
}

/// The IPv4 address that a host of a special scheme stands for in an unusual notation: `2130706433`, `0x7f.1`,
/// `0177.0.0.1`, escapes, full-width digits. A dot at the end disguises nothing.
pub(crate) fn disguised_address(host: &str) -> Option<Ipv4Addr> {
    let address: Ipv4Addr = special(host)?.parse().ok()?;
    let is_usual = host.strip_suffix('.').unwrap_or(host).parse() == Ok(address);
    (!is_usual).then_some(address)
}

/// The opaque host of any other scheme.
pub(super) fn opaque(text: &str) -> Option<String> {
    if text.starts_with('[') {
        return literal(text);
    }
    if text.bytes().any(is_forbidden) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    percent_encode::push(&mut out, text, C0);
    Some(out)
}

/// True if a byte is a forbidden host code point.
fn is_forbidden(byte: u8) -> bool {
    b"\0\t\n\r #/:<>?@[\\]^|".contains(&byte)
}

/// An IPv6 address in brackets, in its shortest form (3.5, host serializer).
fn literal(text: &str) -> Option<String> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    let pieces = inside.parse::<Ipv6Addr>().ok()?.segments();
    let gap = longest_gap(&pieces);
    let mut out = String::from("[");
    let mut at = 0;
    while at < pieces.len() {
        if gap.0 == at && gap.1 > 1 {
            out.push_str(if at == 0 { "::" } else { ":" });
            at += gap.1;
            continue;
        }
        // Writing to a string cannot fail.
        let _ = write!(out, "{:x}", pieces[at]);
        at += 1;
        if at < pieces.len() {
            out.push(':');
        }
    }
    out.push(']');
    Some(out)
}

/// The start and the length of the first longest run of zero pieces.
fn longest_gap(pieces: &[u16; 8]) -> (usize, usize) {
    let mut best = (0, 0);
    let mut length = 0;
    for (at, &piece) in pieces.iter().enumerate() {
        length = if piece == 0 { length + 1 } else { 0 };
        if length > best.1 {
            best = (at + 1 - length, length);
        }
    }
    best
}

/// True if the last label is a number, so that the host must be an IPv4 address.
fn ends_in_number(domain: &str) -> bool {
    let domain = domain.strip_suffix('.').unwrap_or(domain);
    let last = domain.rsplit('.').next().unwrap_or(domain);
    !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()) || is_hex_number(last)
}

fn is_hex_number(label: &str) -> bool {
    let digits = label.strip_prefix("0x").or(label.strip_prefix("0X"));
    digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// An IPv4 address in any of its notations: `0x7f.1` is 127.0.0.1.
fn ipv4(domain: &str) -> Option<Ipv4Addr> {
    let domain = domain.strip_suffix('.').unwrap_or(domain);
    let mut address: u64 = 0;
    let mut count = 0;
    let mut labels = domain.split('.').peekable();
    while let Some(label) = labels.next() {
        let number = ipv4_number(label)?;
        count += 1;
        let is_last = labels.peek().is_none();
        match (is_last, count) {
            (_, 5..) => return None,
            (false, _) if number > 255 => return None,
            (false, _) => address |= number << (8 * (4 - count)),
            (true, _) if number >= 1 << (8 * (5 - count)) => return None,
            (true, _) => address |= number,
        }
    }
    u32::try_from(address).ok().map(Ipv4Addr::from)
}

/// A number in decimal, octal (`0`) or hexadecimal (`0x`), at most 2^33.
fn ipv4_number(label: &str) -> Option<u64> {
    let (digits, radix) = match label.as_bytes() {
        [] => return None,
        [b'0', b'x' | b'X', ..] => (&label[2..], 16),
        [b'0', _, ..] => (&label[1..], 8),
        _ => (label, 10),
    };
    digits.chars().try_fold(0u64, |number, digit| {
        let digit = u64::from(digit.to_digit(radix)?);
        Some((number * u64::from(radix) + digit).min(1 << 33))
    })
}
