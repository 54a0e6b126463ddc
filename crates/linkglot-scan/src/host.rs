//! Hosts, ports and user information in running text: their starts and ends.

use super::classes::{GLUE, HOST, LOCAL, is_combining_mark, is_ignored};
use super::host_punctuation::{self, GERESH, GERSHAYIM, is_symbol};
use super::lists::Names;
use super::tail::is_modifier;
use super::text::Text;
use std::net::{Ipv4Addr, Ipv6Addr};

/// The most bytes of text in a host. DNS allows 253 octets; native forms are longer.
pub(super) const MAX_HOST: usize = 1024;
/// The most bytes of text in front of an `@`.
pub(super) const MAX_LOCAL: usize = 512;

/// True for a character that hosts have only between letters: a label does not end with it.
pub(super) fn is_loose(ch: char) -> bool {
    matches!(ch, '\u{200C}' | '\u{200D}' | GERESH | GERSHAYIM)
        || host_punctuation::is_dot_or_hyphen(ch)
}

/// True if a character is a symbol that UTS 46 allows in hosts but no registry gives out: neither a letter nor a
/// digit, a mark on them, or one that joins them, nor one of the exceptions of RFC 5892 2.6.
pub(super) fn is_no_letter(ch: char) -> bool {
    let is_exception = matches!(ch, '\u{375}' | '\u{6FD}' | '\u{6FE}' | '\u{F0B}');
    let is_lettering = || {
        ch.is_alphanumeric()
            || is_combining_mark(ch)
            || is_loose(ch)
            || host_punctuation::is_full_stop(ch)
            || is_ignored(ch)
    };
    !ch.is_ascii() && (is_symbol(ch) || !is_exception && !is_lettering())
}

/// True if a Hebrew mark is a quote: it stands behind a character that is not Hebrew (RFC 5892 appendix A.5, A.6).
pub(super) fn is_hebrew_quote(before: Option<char>, ch: char) -> bool {
    let is_hebrew = |ch: char| matches!(ch, '\u{591}'..='\u{5F2}' | '\u{FB1D}'..='\u{FB4F}');
    matches!(ch, GERESH | GERSHAYIM) && !before.is_some_and(is_hebrew)
}

/// A name without loose and ignored characters at its end, and without `marks` at its end.
pub(super) fn trim_loose<'n>(name: &'n str, marks: &[char]) -> &'n str {
    name.trim_end_matches(|ch| marks.contains(&ch) || is_loose(ch) || is_ignored(ch))
}

/// As [`trim_loose`], but keeps modifiers that change the look of the last letter: text behind a link does not begin
/// with a modifier.
pub(super) fn trim_unmodifying<'n>(name: &'n str, marks: &[char]) -> &'n str {
    let bare = trim_loose(name, marks);
    if !bare.ends_with(|ch: char| !ch.is_ascii()) {
        return bare;
    }
    let rest = name.get(bare.len()..).unwrap_or("");
    let behind = rest.trim_start_matches(is_modifier).len();
    name.get(..name.len() - behind).unwrap_or(bare)
}

/// Possible start of the port or path behind a host that ends at `at`: behind ignored characters and the dot of an
/// absolute name. The text that follows decides whether these belong to the link.
pub(super) fn absolute_end(text: &Text<'_>, at: usize) -> usize {
    let mut end = at;
    while end < at + MAX_HOST && is_ignored(text.char(end)) {
        end += text.char(end).len_utf8();
    }
    end + usize::from(text.byte(end) == b'.')
}

/// True if a character is `.` or `。`, the dots that separate labels everywhere (UTS 46).
pub(super) fn is_dot(ch: char) -> bool {
    matches!(ch, '.' | '。')
}

/// True if a character is a dot in any place. The halfwidth `｡` is a dot behind a scheme's `//` and behind an `@`;
/// elsewhere it ends a sentence.
pub(super) fn is_any_dot(ch: char) -> bool {
    is_dot(ch) || ch == '｡'
}

/// True if a character may stand in a label.
pub(super) fn is_label(text: &Text<'_>, ch: char) -> bool {
    text.is(ch, HOST) && ch != '.' && !host_punctuation::is_wide_stop(ch)
}

/// The end of the label characters from `at` on.
pub(super) fn label_end(text: &Text<'_>, at: usize) -> usize {
    let mut i = at;
    while i < at + MAX_HOST {
        let ch = text.char(i);
        if !is_label(text, ch) {
            break;
        }
        i += ch.len_utf8();
    }
    i
}

/// The start of the host characters that end at `at`, at `floor` at the earliest. `None`: the characters are too many
/// for a host.
pub(super) fn host_start(text: &Text<'_>, at: usize, floor: usize) -> Option<usize> {
    let mut i = at;
    while i > floor {
        let Some(ch) = text.before(i).filter(|&ch| text.is(ch, HOST)) else {
            break;
        };
        i -= ch.len_utf8();
        if at - i > MAX_HOST {
            return None;
        }
    }
    Some(i)
}

/// True if no label is empty, and none begins or ends with a hyphen. A dot at the end (an absolute name) is allowed.
pub(super) fn are_labels(host: &str) -> bool {
    let host = host.strip_suffix(is_any_dot).unwrap_or(host);
    host.split(is_any_dot)
        .all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'))
}

/// The length of the combining marks at the start of a text: they belong to the character in front of it, and no label
/// begins with one (UTS 46 4.1, validity criterion 6).
pub(super) fn combining_len(text: &str) -> usize {
    let is_mark = |ch: char| !ch.is_ascii() && is_combining_mark(ch);
    text.len() - text.trim_start_matches(is_mark).len()
}

/// A port, or its absence, where a port may stand.
pub(super) enum Port {
    /// No port: the link ends there, or goes on there.
    None,
    /// A port that ends here.
    Until(usize),
    /// A number beyond 65535, which no connection can have.
    OutOfRange,
}

/// The most digits of a port: zeros may stand in front.
const MAX_PORT: usize = 64;

/// The port at `at` (RFC 3986 3.2.3): a colon and a number.
pub(super) fn port(text: &Text<'_>, at: usize) -> Port {
    if text.byte(at) != b':' {
        return Port::None;
    }
    let (mut i, mut value) = (at + 1, 0_u32);
    while text.byte(i).is_ascii_digit() {
        value = value * 10 + u32::from(text.byte(i) - b'0');
        i += 1;
        if i > at + MAX_PORT || value > 65_535 {
            return Port::OutOfRange;
        }
    }
    if i == at + 1 {
        Port::None
    } else {
        Port::Until(i)
    }
}

/// The start of the local part that ends at `at`, at `floor` at the earliest. `None`: it is too long.
pub(super) fn local_start(text: &Text<'_>, at: usize, floor: usize) -> Option<usize> {
    let mut i = at;
    while i > floor {
        let Some(ch) = text.before(i).filter(|&ch| text.is(ch, LOCAL)) else {
            break;
        };
        i -= ch.len_utf8();
        if at - i > MAX_LOCAL {
            return None;
        }
    }
    Some(i)
}

/// The position of the `@` behind the characters of a local part that begin at `at`. `None`: too many, or other
/// characters.
pub(super) fn local_end(text: &Text<'_>, at: usize) -> Option<usize> {
    let mut i = at;
    while i < at + MAX_LOCAL {
        match text.char(i) {
            '@' => return Some(i),
            ch if text.is(ch, LOCAL) => i += ch.len_utf8(),
            _ => return None,
        }
    }
    None
}

/// True if a local part is not empty, has no dot at either end and no two dots in a row.
pub(super) fn is_local_part(local: &str) -> bool {
    !local.is_empty() && !local.starts_with('.') && !local.ends_with('.') && !local.contains("..")
}

/// The end of an IP literal whose `[` stands at `at` (RFC 3986 3.2.2, zones of RFC 6874).
pub(super) fn ip_literal_end(text: &Text<'_>, at: usize) -> Option<usize> {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:%".contains(&b);
    let end = (at + 1..at + 80).find(|&i| !allowed(text.byte(i)))?;
    let inside = text.slice(at + 1, end);
    let good = match inside.strip_prefix(['v', 'V']) {
        Some(future) => is_ip_future(future),
        None => inside
            .split('%')
            .next()
            .is_some_and(|address| address.parse::<Ipv6Addr>().is_ok()),
    };
    (text.byte(end) == b']' && good).then_some(end + 1)
}

/// The end of an address literal (RFC 5321 4.1.3) or IP literal whose `[` stands at `at`.
pub(super) fn address_literal_end(text: &Text<'_>, at: usize) -> Option<usize> {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b':');
    let end = (at + 1..at + 80).find(|&i| !allowed(text.byte(i)))?;
    let inside = text.slice(at + 1, end);
    let tag = inside
        .get(..5)
        .filter(|tag| tag.eq_ignore_ascii_case("IPv6:"));
    let good = match tag {
        Some(tag) => inside[tag.len()..].parse::<Ipv6Addr>().is_ok(),
        None => is_ipv4(inside),
    };
    if text.byte(end) == b']' && good {
        return Some(end + 1);
    }
    ip_literal_end(text, at)
}

/// True if an IPv6 address without its brackets stands at a position. Neither the address nor its first group is a host
/// (RFC 3986 3.2.2).
pub(super) fn is_bare_ipv6(text: &Text<'_>, at: usize) -> bool {
    let group = (at..at + 5).find(|&i| !text.byte(i).is_ascii_hexdigit());
    if group.is_none_or(|end| text.byte(end) != b':') {
        return false;
    }
    let is_part = |b: u8| b.is_ascii_hexdigit() || matches!(b, b':' | b'.');
    let end = (at..at + 48).find(|&i| !is_part(text.byte(i)));
    let end = end.unwrap_or(at + 48);
    let address = text.slice(at, end).trim_end_matches('.');
    address.parse::<Ipv6Addr>().is_ok()
}

/// `1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`, behind the `v` (RFC 3986 3.2.2).
fn is_ip_future(text: &str) -> bool {
    text.split_once('.').is_some_and(|(version, address)| {
        !version.is_empty()
            && version.bytes().all(|b| b.is_ascii_hexdigit())
            && !address.is_empty()
            && !address.contains('%')
    })
}

/// True if a host is an IPv4 address in dotted decimal form.
pub(super) fn is_ipv4(host: &str) -> bool {
    host.parse::<Ipv4Addr>().is_ok()
}

/// The end of the registered name behind `//`: letters, dots, `_`, escapes, and `marks` in front of letters and digits.
/// [`are_labels`] judges the labels.
pub(super) fn reg_name_end(text: &Text<'_>, at: usize, marks: &str) -> usize {
    let mut i = at;
    while i < at + MAX_HOST {
        let ch = text.char(i);
        let escape = ch == '%'
            && text.byte(i + 1).is_ascii_hexdigit()
            && text.byte(i + 2).is_ascii_hexdigit();
        if escape {
            i += 3;
        } else if text.is(ch, HOST) || ch == '_' || host_punctuation::is_full_stop(ch) {
            i += ch.len_utf8();
        } else if marks.contains(ch) && text.byte(i + 1).is_ascii_alphanumeric() {
            i += 1;
        } else {
            break;
        }
    }
    i
}

/// The end of a host in front of the `http` or `https` of another link that is glued to it.
pub(super) fn before_link(text: &Text<'_>, start: usize, end: usize) -> usize {
    if !text.has(end, "://") {
        return end;
    }
    let glued = ["https", "http"].into_iter().find_map(|web| {
        let at = end.checked_sub(web.len()).filter(|&at| at >= start)?;
        text.has(at, web).then_some(at)
    });
    glued.unwrap_or(end)
}

/// The length of a host (with its user information) without the words of a script without spaces that are glued to its
/// last label, if that label neither is a known domain nor begins with words. A port or path behind the host proves
/// that all of it is a host. `None`: the host is words alone (`http://で始まる`).
pub(super) fn prose_free_len(text: &Text<'_>, name: &str, tlds: &Names) -> Option<usize> {
    let host = match name.rsplit_once('@') {
        Some((user, host)) if !user.contains(['/', '?', '#']) => host,
        _ => name,
    };
    let is_name = |ch| is_label(text, ch) || host_punctuation::DOTS.contains(&ch) || ch == '_';
    if name.is_ascii() || !host.chars().all(is_name) {
        return Some(name.len());
    }
    let label = host.rsplit(host_punctuation::DOTS).next().unwrap_or("");
    let words = label.char_indices().find(|&(_, ch)| text.is(ch, GLUE));
    let Some((at, _)) = words.filter(|_| !tlds.contains(label)) else {
        return Some(name.len());
    };
    let start = name.len() - label.len();
    let head = trim_unmodifying(name.get(..start + at).unwrap_or(""), &['-', '_']);
    match head.len() {
        len if len > start => Some(len),
        _ => (start > 0).then_some(name.len()),
    }
}

/// The first full stop beyond ASCII, if a known domain with a `.` stands in front of it: the stop then ends a sentence.
fn sentence_end(host: &str, tlds: &Names) -> Option<usize> {
    let end = host.find(host_punctuation::FULL_STOPS)?;
    let (_, label) = host.get(..end)?.rsplit_once('.')?;
    tlds.contains(label).then_some(end)
}

/// The length of a host without the words of a script without spaces, symbols or suffixes that are glued to it. Unless
/// the host ends with a known domain, it is cut behind the first known domain that a glued character follows; a middle
/// dot always cuts it. A `。` is a dot only in front of a known domain.
pub(super) fn unglued_len(text: &Text<'_>, host: &str, tlds: &Names) -> usize {
    if host.is_ascii() {
        return host.len();
    }
    let whole = host.strip_suffix(is_any_dot).unwrap_or(host);
    if let Some(end) = sentence_end(whole, tlds) {
        return end;
    }
    let last = whole.rsplit(host_punctuation::DOTS).next().unwrap_or("");
    let known = tlds.contains(last);
    if known && !whole.contains(host_punctuation::is_middle_dot) {
        return host.len();
    }
    let mut domain = None;
    let (mut label, mut last) = (0, None);
    for (at, ch) in host.char_indices() {
        let before = last.replace(ch);
        let is_wide = host_punctuation::is_full_stop(ch);
        if is_wide && !known {
            let is_behind = |known: &KnownDomain| known.start <= at;
            domain = match domain.filter(|known| !is_behind(known)) {
                None => KnownDomain::behind(text, whole, at, tlds),
                known => known,
            };
        }
        let is_outside = match (is_wide, &domain) {
            (true, None) => true,
            (true, Some(domain)) => domain.is_behind_sentence(whole, label, at, tlds),
            (false, _) => at > 0 && is_hebrew_quote(before, ch),
        };
        if is_outside && !known {
            return at;
        }
        if ch == '.' || is_wide {
            label = at + ch.len_utf8();
        } else if (host_punctuation::is_separating_dot(whole, at, ch)
            || !known && is_glued(text, whole, at, ch))
            && is_complete(host, label, at, tlds)
        {
            return trim_unmodifying(host.get(..at).unwrap_or(""), &[]).len();
        }
    }
    host.len()
}

/// True if this character of a host may begin the words, symbols or suffix glued to a known domain.
fn is_glued(text: &Text<'_>, host: &str, at: usize, ch: char) -> bool {
    text.is(ch, GLUE) || is_symbol(ch) || is_suffix(host, at, ch)
}

/// A known domain among the labels of a host, possibly with words glued to it.
struct KnownDomain {
    /// Start of the domain's label.
    start: usize,
    /// Start of the ASCII characters at the domain's end.
    ascii_start: usize,
}

impl KnownDomain {
    /// The first known domain behind a dot. Linear in the bytes up to its end.
    fn behind(text: &Text<'_>, host: &str, dot: usize, tlds: &Names) -> Option<KnownDomain> {
        let mut start = dot;
        loop {
            start += host.get(start..)?.chars().next()?.len_utf8();
            let rest = host.get(start..)?;
            let label = rest.split(host_punctuation::DOTS).next()?;
            if let Some(len) = known_len(text, label, tlds) {
                let is_plain = |ch: char| ch.is_ascii() || host_punctuation::is_full_stop(ch);
                let ascii_start = host.get(..start + len)?.trim_end_matches(is_plain).len();
                return Some(KnownDomain { start, ascii_start });
            }
            start += label.len();
        }
    }

    /// True if the dot beyond ASCII at `at`, behind the label at `label`, ends a sentence instead of separating labels.
    /// Hosts do not mix such a dot with `.`, except behind `www`. Behind an ASCII label the dot separates labels only
    /// if everything behind it is ASCII: `http://intranet。これは.NETです` is a host and a sentence.
    fn is_behind_sentence(&self, host: &str, label: usize, at: usize, tlds: &Names) -> bool {
        let head = host.get(..at).unwrap_or("");
        let name = match head.get(..4) {
            Some(www) if www.eq_ignore_ascii_case("www.") => &head[4..],
            _ => head,
        };
        let is_ascii = at >= self.ascii_start;
        let is_native = head.get(label..).is_some_and(|label| !label.is_ascii());
        // `co。jp`
        let is_second = label > 0 && is_ascii && is_right_behind(host, at, self.start);
        name.contains('.')
            || !(is_native || is_ascii)
            || !is_second && is_complete(host, label, at, tlds)
    }
}

/// True if the label at `start` stands right behind the dot at `dot`.
fn is_right_behind(host: &str, dot: usize, start: usize) -> bool {
    host.get(dot..start)
        .is_some_and(|between| between.chars().count() == 1)
}

/// The length of the known domain that a label is, or begins with if words are glued to it.
fn known_len(text: &Text<'_>, label: &str, tlds: &Names) -> Option<usize> {
    if tlds.contains(label) {
        return Some(label.len());
    }
    let mut glued = label
        .char_indices()
        .filter(|&(at, ch)| at > 0 && is_glued(text, label, at, ch));
    glued.find_map(|(at, _)| {
        let known = without_ignored(label.get(..at)?);
        tlds.contains(known).then_some(known.len())
    })
}

/// True if a character joins a suffix to the last label of a host. After an ASCII hyphen the suffix must be native.
fn is_suffix(host: &str, at: usize, ch: char) -> bool {
    (ch == '-' || host_punctuation::joins_suffix(ch))
        && host_punctuation::last_label(host, at).is_some_and(|rest| !rest.is_ascii())
}

/// True if a host that ends at `end` is complete: its last label, at `label`, is a known domain, or the host is
/// `localhost` or an IPv4 address.
fn is_complete(host: &str, label: usize, end: usize, tlds: &Names) -> bool {
    let host = without_ignored(host.get(..end).unwrap_or(""));
    let last = host.get(label..).unwrap_or("");
    label > 0 && !last.is_empty() && tlds.contains(last)
        || label == 0 && last.eq_ignore_ascii_case("localhost")
        || is_ipv4(host)
}

/// A name without ignored characters at its end.
pub(super) fn without_ignored(name: &str) -> &str {
    name.trim_end_matches(is_ignored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_no_letters() {
        for ch in "│─→★☃❤😀™²№㈱¢˂۞฿⺀䷀".chars() {
            assert!(is_no_letter(ch), "{ch:?}");
        }
        let letters = "aé中はА٣ก\u{E31}\u{301}ー〇ß·・‐－\u{200C}\u{AD}׳。．་";
        for ch in letters.chars() {
            assert!(!is_no_letter(ch), "{ch:?}");
        }
    }
}
