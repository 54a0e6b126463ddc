//! A filter in front of the warnings: most links are plain ASCII and deserve no warning.

use crate::idna::may_have_punycode;
use crate::parts::Parts;

/// True if a text may deserve a warning. "No" is certain; "yes" only means that the whole text must be read. Linear.
pub(super) fn may_warn(text: &str) -> bool {
    // Escapes, characters beyond ASCII, and bytes that only a lenient reader takes for delimiters of a host.
    let may_be_odd = |byte: u8| (byte >= 0x80) | (byte <= b' ') | (byte == b'%') | (byte == b'\\');
    // The loop has no exit, so that it goes over many bytes at once.
    if text
        .bytes()
        .fold(false, |found, byte| found | may_be_odd(byte))
    {
        return true;
    }
    let parts = Parts::split(text);
    let scheme = parts.scheme().unwrap_or_default();
    match parts.authority() {
        None => scheme.eq_ignore_ascii_case("mailto") && may_have_punycode(text),
        // A lenient reader takes the next text between slashes for the host.
        Some("") => !scheme.eq_ignore_ascii_case("file"),
        Some(authority) => {
            memchr::memchr(b'@', authority.as_bytes()).is_some()
                || parts.port().is_some_and(|port| port.len() > PORT_DIGITS)
                || parts.host().is_some_and(may_deceive)
        }
    }
}

/// Most digits of a port that is surely in range: 65535 has five.
const PORT_DIGITS: usize = 4;

/// True if a host in ASCII may be punycode, or a number, or hold a second colon.
fn may_deceive(host: &str) -> bool {
    let bytes = host.as_bytes();
    let bytes = bytes.strip_suffix(b".").unwrap_or(bytes);
    let last = memchr::memrchr(b'.', bytes).map_or(0, |dot| dot + 1);
    let is_number = bytes.get(last).is_some_and(u8::is_ascii_digit);
    let has_colon = || !host.starts_with('[') && memchr::memchr(b':', bytes).is_some();
    is_number || may_have_punycode(host) || has_colon()
}
