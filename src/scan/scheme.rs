//! `extended` and `scheme`: links with a scheme of their own, at its colon.

use super::angle;
use super::classes::{GLUE, HOST};
use super::defanged;
use super::escapes;
use super::find::{Finder, Found, Link, MAX_LINK};
use super::host::{self, Port};
use super::lists::{self, Shape};
use super::marks;
use super::tail::{Manner, Part, Tail};
use super::{Kind, Profile};

/// The longest name of a scheme, in bytes.
const MAX_SCHEME: usize = 32;

/// Within how many bytes behind its colon a scheme without `//` must show its shape: what is
/// no link costs no more than this.
const MAX_SHAPE: usize = 256;

/// A link behind `_` is looked at only as far as emphasis may reach, since most are no links: names that are glued together.
const MAX_EMPHASIZED: usize = 1024;
/// So many of the last bytes of a link that is cut there may be punctuation that is none of it.
const MAX_CUT: usize = 64;

/// A telephone number of so many digits is whole, whatever digits stand behind it.
const MIN_WHOLE: usize = 10;

/// An authority that was read.
pub(super) struct Authority {
    /// Its end, behind the port.
    pub(super) end: usize,
    /// Whether path, query and fragment may follow: the host was not cut out of glued words.
    pub(super) open: bool,
}

/// The host behind the colon of a scheme without `//`.
struct OpaqueHost {
    end: usize,
    /// Whether words glued to it were cut off, so that nothing of the link follows.
    cut: bool,
}

impl Finder<'_, '_> {
    /// What the colon at `colon` is part of.
    pub(super) fn scheme(&self, colon: usize) -> Found {
        let Some(run) = self.scheme_run(colon) else {
            return Found::Nothing;
        };
        if let Some(found) = self.verbatim(run, colon) {
            return found;
        }
        let Some(start) = self.scheme_start(run, colon) else {
            return Found::Nothing;
        };
        let outer = self.outer(start);
        if start > self.floor && self.is_placeholder(start, colon, outer) {
            return Found::Nothing;
        }
        // Where domains are links, a name that is one is no scheme, whatever keeps it from being a link here.
        let has_domains = self.scanner.profile == Profile::Extended;
        if has_domains && self.is_host(start, colon) {
            return Found::Nothing;
        }
        if let Some(link) = angle::link(self, start, colon, outer) {
            return Found::Link(link);
        }
        let end = self.scheme_end(start, colon, self.manner(start, outer));
        match end {
            Some(end) if self.may_begin(start, end, outer) => Found::Link(Link {
                start,
                end,
                kind: Kind::Absolute,
                floor: end,
                spaced: false,
            }),
            _ => Found::Nothing,
        }
    }

    /// The end of the link whose scheme and colon are given.
    pub(super) fn scheme_end(&self, start: usize, colon: usize, manner: Manner) -> Option<usize> {
        let text = self.text;
        if text.byte(colon + 1) == b'/' && text.byte(colon + 2) == b'/' {
            return self.hierarchical_end(start, colon, manner);
        }
        let shape = self.scanner.opaque_scheme(text.slice(start, colon))?;
        if shape == Shape::Address && text.slice(start, colon).eq_ignore_ascii_case("mailto") {
            return self.mailto_end(start, colon + 1, manner);
        }
        if !begins(shape, text.char(colon + 1)) || self.is_label(start, colon) {
            return None;
        }
        // `log-file:/var/log/a`
        if shape == Shape::Root && start > self.floor && text.byte_before(start) == b'-' {
            return None;
        }
        let limit = match shape {
            Shape::Phone => self.number_end(colon + 1).min(self.limit(start, manner)),
            _ => self.limit(start, manner),
        };
        let most = limit.min(colon + 1 + MAX_SHAPE);
        let look = Tail::new(text, manner, most).end_in(Part::Path, colon + 1);
        let rest = text.slice(colon + 1, look);
        if !fits(shape, rest)
            || is_field(text.slice(start, colon), shape, rest)
            || shape == Shape::Phone && self.number_goes_on(rest, look)
        {
            return None;
        }
        if let Some(inner) = self.inner_colon(colon + 1) {
            return self.hierarchical_end(colon + 1, inner, manner);
        }
        let host = self.opaque_host(shape, colon + 1, rest);
        let tail = |at| Tail::new(text, manner, limit).end_in(Part::Path, at);
        let end = tail(colon + 1);
        Some(match host {
            Some(host) if host.cut => host.end,
            // A sentence seemed to end at a dot of the host.
            Some(host) if end < host.end => tail(host.end),
            _ => end,
        })
    }

    /// The colon of a link with `//` that stands behind the colon of another scheme, at `at`: `view-source:http://example.org/`.
    fn inner_colon(&self, at: usize) -> Option<usize> {
        let is_scheme = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
        let colon = (at..at + MAX_SCHEME).find(|&i| !is_scheme(self.text.byte(i)))?;
        let begins = self.text.byte(at).is_ascii_alphabetic();
        (begins && self.text.has(colon, "://")).then_some(colon)
    }

    /// The host of what stands at `at` behind the colon of a scheme without `//` that names one, be it in an address; `rest`:
    /// what seems to be of the link.
    fn opaque_host(&self, shape: Shape, at: usize, rest: &str) -> Option<OpaqueHost> {
        if !matches!(shape, Shape::Address | Shape::Host | Shape::Name) {
            return None;
        }
        let text = self.text;
        let sign = rest.find(['@', '/', '?', ';']);
        let sign = sign.filter(|&sign| rest.get(sign..).is_some_and(|at| at.starts_with('@')));
        if sign.is_none() && shape == Shape::Address {
            return None;
        }
        let start = at + sign.map_or(0, |sign| sign + 1);
        let run = text.slice(start, host::reg_name_end(text, start, ""));
        let len = host::unglued(text, run, self.scanner.tlds());
        let name = run.get(..len).unwrap_or("");
        let name = host::with_modifiers(name, &BEHIND_HOSTS);
        let goes_on = matches!(
            text.byte(start + name.len()),
            b'/' | b'?' | b';' | b':' | b'#'
        );
        let words = host::wordless(text, name, self.scanner.tlds());
        let bare = words.filter(|_| !goes_on).unwrap_or(name.len());
        (bare > 0).then_some(OpaqueHost {
            end: start + bare,
            cut: len < run.len() || bare < name.len(),
        })
    }

    /// Whether a variable or a conversion stands where a scheme would: `$scheme://`, `%s://`, `%(scheme)s://`. UTS 58 takes
    /// `http` and `https` whatever stands in front of them.
    fn is_placeholder(&self, start: usize, colon: usize, outer: Option<char>) -> bool {
        let name = self.text.slice(start, colon);
        let is_name = match outer {
            Some('%' | '$') => true,
            Some(')') => name.len() == 1,
            _ => false,
        };
        let is_http = || {
            ["http", "https"]
                .iter()
                .any(|web| name.eq_ignore_ascii_case(web))
        };
        is_name && self.text.has(colon + 1, "//") && !is_http()
    }

    /// Whether a scheme is the label of a name, as certificates have it: `DNS:example.org`. In a `dns:` URI (RFC 4501)
    /// a query follows, or it is written as URIs are.
    fn is_label(&self, start: usize, colon: usize) -> bool {
        let host = host::label_end(self.text, colon + 1);
        let mut end = host;
        while self.text.byte(end) == b'.' {
            end = host::label_end(self.text, end + 1);
        }
        self.text.slice(start, colon) == "DNS" && self.text.byte(end) != b'?'
    }

    /// Where a telephone number ends at the latest: it has no letters (RFC 3966), but words of capitals that are dialled as
    /// digits (`1-800-FLOWERS`), and no mark at its end that parts digits. What its parameters hold is free.
    fn number_end(&self, at: usize) -> usize {
        let (text, mut end) = (self.text, at);
        while end < at + MAX_SHAPE {
            match text.byte(end) {
                b';' | b'?' => return at + MAX_LINK,
                0..=b' ' => return end,
                b'%' => end += self.escape_len(end),
                byte if byte.is_ascii_alphabetic() => match self.dialled_end(end) {
                    Some(behind) => end = behind,
                    None => break,
                },
                0x80.. => break,
                _ => end += 1,
            }
        }
        let number = text.slice(at, end);
        at + number.trim_end_matches(['-', '.', '/', '(']).len()
    }

    /// The length of the escape whose `%` stands at a position; 1 if it is none.
    fn escape_len(&self, at: usize) -> usize {
        let is_hex = |at| self.text.byte(at).is_ascii_hexdigit();
        match is_hex(at + 1) && is_hex(at + 2) {
            true => 3,
            false => 1,
        }
    }

    /// The end of the word at a position of a telephone number, if it is one of capitals of ASCII.
    fn dialled_end(&self, at: usize) -> Option<usize> {
        let text = self.text;
        let is_capital = |at: usize| text.byte(at).is_ascii_uppercase();
        let end = (at..at + MAX_SHAPE).find(|&i| !is_capital(i))?;
        let next = text.char(end);
        let goes_on = next.is_alphabetic() && !text.is(next, GLUE)
            || host::marks_len(text.slice(end, end + next.len_utf8())) > 0;
        (end > at && !goes_on).then_some(end)
    }

    /// Whether more digits of a telephone number follow behind a blank: `Tel:+49 30 1234`. What stands in front of it is
    /// another number, unless it is as long as whole ones are.
    fn number_goes_on(&self, number: &str, end: usize) -> bool {
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        let is_blank = |at: usize| matches!(self.text.char(at), ' ' | '\u{A0}' | '\u{202F}');
        if digits >= MIN_WHOLE || number.contains([';', '?']) || !is_blank(end) {
            return false;
        }
        let mut at = end + self.text.char(end).len_utf8();
        if matches!(self.text.char(at), '(' | '/' | '-' | '–') {
            at += self.text.char(at).len_utf8();
            at += usize::from(self.text.byte(at) == b' ');
        }
        self.text.byte(at).is_ascii_digit()
    }

    /// The begin of the characters of schemes in front of a colon; `None`: there are too many.
    fn scheme_run(&self, colon: usize) -> Option<usize> {
        let is_scheme = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
        let mut start = colon;
        while start > self.floor && is_scheme(self.text.byte_before(start)) {
            start -= 1;
            if colon - start > MAX_SCHEME {
                return None;
            }
        }
        Some(start)
    }

    /// The begin of the scheme whose colon is at `colon`, in the characters that begin at `run`.
    fn scheme_start(&self, run: usize, colon: usize) -> Option<usize> {
        let bytes = self.text.str().as_bytes();
        let mut start = self.behind_control(run, colon);
        if start > self.floor {
            start = escapes::behind(self.text, start, colon);
        }
        // `see.http://` and `1.http://`: the scheme that everybody knows is meant.
        let run = bytes.get(start..colon)?;
        if let Some(last) = run.iter().rposition(|b| matches!(b, b'.' | b'-')) {
            let name = self.text.slice(start + last + 1, colon);
            if lists::is_common_scheme(name) || lists::opaque_scheme(name).is_some() {
                return Some(start + last + 1);
            }
        }
        while start < colon && matches!(bytes.get(start), Some(b'+' | b'-' | b'.')) {
            start += 1;
        }
        let start = self.without_word(start, colon);
        bytes
            .get(start)
            .filter(|b| b.is_ascii_alphabetic() && start < colon)?;
        Some(start)
    }

    /// The begin of `http` or `https` behind a word, a number or a host that is glued to it, as UTS 58 has it; what
    /// is registered is no such word.
    fn without_word(&self, start: usize, colon: usize) -> usize {
        let name = self.text.slice(start, colon);
        let name = name.rsplit(['.', '-']).next().unwrap_or(name);
        let is_word = name.bytes().all(|b| b.is_ascii_alphanumeric());
        let web = ["https", "http"].into_iter().find(|web| {
            let at = name.len().checked_sub(web.len()).filter(|&at| at > 0);
            at.and_then(|at| name.get(at..))
                .is_some_and(|end| end.eq_ignore_ascii_case(web))
        });
        match web {
            Some(web) if is_word && !lists::is_like_http(name) => colon - web.len(),
            _ => start,
        }
    }

    /// The character in front of a link, if no other link ends there.
    pub(super) fn outer(&self, start: usize) -> Option<char> {
        self.text.before(start)
    }

    pub(super) fn manner(&self, start: usize, outer: Option<char>) -> Manner {
        let start = Some(start);
        Manner::Extended { outer, start }
    }

    /// A link behind `_` is part of a name, unless another `_` behind it makes both emphasis.
    fn may_begin(&self, start: usize, end: usize, outer: Option<char>) -> bool {
        if !self.needs_emphasis(start, outer) {
            return true;
        }
        let is_whole = end - start < MAX_EMPHASIZED - MAX_CUT;
        is_whole && (self.text.byte(end) == b'_' || self.is_emphasized(start, end))
    }

    fn needs_emphasis(&self, start: usize, outer: Option<char>) -> bool {
        outer == Some('_') && start > self.floor
    }

    /// Where a link that begins at `start` is cut at the latest.
    fn limit(&self, start: usize, manner: Manner) -> usize {
        match manner {
            Manner::Extended { outer, .. } if self.needs_emphasis(start, outer) => {
                start + MAX_EMPHASIZED
            }
            _ => start + MAX_LINK,
        }
    }

    fn hierarchical_end(&self, start: usize, colon: usize, manner: Manner) -> Option<usize> {
        let scheme = self.text.slice(start, colon);
        let at = colon + 3;
        let marks = if is_of_web(scheme) { "" } else { MARKS };
        let authority = self
            .plain_authority(at)
            .or_else(|| self.authority(start, at, marks, manner))
            .or_else(|| self.empty_authority(scheme, at))?;
        if defanged::goes_on(self.text, authority.end) {
            return None;
        }
        let end = match authority.open {
            true => self.open_end(start, at, authority.end, manner)?,
            false => authority.end,
        };
        // What stands in angle brackets is meant as a link.
        let is_bracketed = match manner {
            Manner::Extended {
                outer: Some('<'),
                start,
            } => start.is_none() || self.text.byte(end) == b'>',
            _ => false,
        };
        if is_bracketed {
            return Some(end);
        }
        let name = self.text.slice(at, end);
        host::wordless(self.text, name, self.scanner.tlds()).map(|len| at + len)
    }

    /// The end of a link whose authority stands from `at` to `end`; path, query and fragment may follow.
    fn open_end(&self, start: usize, at: usize, end: usize, manner: Manner) -> Option<usize> {
        let scheme = self.text.slice(start, at - 3);
        let tail = Tail::new(self.text, manner, self.limit(start, manner)).end(end);
        let root = scheme.eq_ignore_ascii_case("file") && tail > at;
        (end > at || tail > at + 1 || root).then_some(tail)
    }

    /// `file:///path`: no host, but a path. The Web's own schemes want a host.
    fn empty_authority(&self, scheme: &str, at: usize) -> Option<Authority> {
        let is_empty = self.text.byte(at) == b'/' && self.text.byte(at + 1) != b'/';
        (is_empty && !is_of_web(scheme)).then_some(Authority {
            end: at,
            open: true,
        })
    }

    /// An authority that is a plain ASCII host, in one pass; `None`: look closely.
    fn plain_authority(&self, at: usize) -> Option<Authority> {
        let bytes = self.text.str().as_bytes();
        let (mut i, mut last) = (at, b'.');
        while let Some(&byte) = bytes.get(i) {
            match byte {
                b'a'..=b'z' | b'0'..=b'9' | b'A'..=b'Z' => {}
                b'-' if last != b'.' => {}
                b'.' if last != b'.' && last != b'-' => {}
                _ => break,
            }
            last = byte;
            i += 1;
        }
        let ends = matches!(
            bytes.get(i)?,
            b'/' | b'?' | b'#' | b' ' | b'\n' | b'\r' | b'"' | b'>' | b')'
        );
        let good = ends && last != b'.' && last != b'-' && i - at < host::MAX_HOST;
        good.then_some(Authority { end: i, open: true })
    }

    /// The authority at `at` (RFC 3986 3.2) of the link that begins at `start`.
    fn authority(&self, start: usize, at: usize, marks: &str, manner: Manner) -> Option<Authority> {
        let text = self.text;
        let at = self.userinfo_end(at).unwrap_or(at);
        if text.byte(at) == b'[' {
            return self.ported(host::ip_literal_end(text, at)?);
        }
        if host::is_bare_ipv6(text, at) {
            return None;
        }
        let run = host::before_link(text, at, host::reg_name_end(text, at, marks));
        // In front of another link they are followed by nothing of the host.
        let name = text
            .slice(at, run)
            .trim_end_matches(|ch| marks.contains(ch));
        let cut = host::unglued(text, name, self.scanner.tlds());
        let host = text.slice(at, at + cut);
        let (host, absolute) = match host.strip_suffix(host::is_any_dot) {
            Some(host) => (host, at + cut),
            None => (host, at + cut),
        };
        // A sentence's dots behind the host: `http://example.org...`
        let dots = host::with_modifiers(host, &['.']);
        let mut end = at + dots.len();
        if dots.is_empty() {
            return None;
        }
        let plain = host::with_modifiers(dots, &['-', '.']);
        let is_host = host::are_labels(plain) && !plain.ends_with('_');
        if plain.len() < dots.len() && cut == name.len() && is_host {
            end -= dots.len() - plain.len();
            return Some(Authority { end, open: false });
        }
        if !host::are_labels(dots) || dots.ends_with('_') {
            return self.emphasized(start, at, dots);
        }
        if cut < name.len() {
            return Some(Authority { end, open: false });
        }
        if absolute > end
            && matches!(text.byte(absolute), b'/' | b'?' | b'#' | b':')
            && host::slack_end(text, end) == absolute
        {
            let open = self.ported(absolute)?;
            let tail = Tail::new(self.text, manner, self.limit(start, manner)).end(open.end);
            // The dot of an absolute name is kept only if something that belongs to the link follows.
            let is_bare = tail == absolute;
            return Some(match is_bare {
                true => Authority { end, open: false },
                false => open,
            });
        }
        if absolute > end {
            return Some(Authority { end, open: false });
        }
        self.ported(end)
    }

    /// `_http://example.org_`: the underscore behind the host is emphasis.
    fn emphasized(&self, start: usize, at: usize, host: &str) -> Option<Authority> {
        let bare = host::with_modifiers(host, &['_']);
        let has_marks = bare.len() < host.len() && host::are_labels(bare) && !bare.is_empty();
        let opens =
            || self.text.before(start) == Some('_') || self.closes_emphasis(start, at + bare.len());
        let is_emphasis = has_marks && opens();
        is_emphasis.then_some(Authority {
            end: at + bare.len(),
            open: false,
        })
    }

    fn ported(&self, at: usize) -> Option<Authority> {
        match host::port(self.text, at) {
            Port::None
                if self.text.byte(at) == b':'
                    && self.text.byte(at + 1) == b'/'
                    && self.text.byte(at + 2) != b'/' =>
            {
                Some(Authority {
                    end: at + 1,
                    open: true,
                })
            }
            Port::None => Some(Authority {
                end: at,
                open: true,
            }),
            Port::Until(end) => Some(Authority { end, open: true }),
            Port::Bad => None,
        }
    }

    /// The position behind the `@` of the user information at `at`, if there is any.
    fn userinfo_end(&self, at: usize) -> Option<usize> {
        let text = self.text;
        let mut i = at;
        while i < at + host::MAX_LOCAL {
            let ch = text.char(i);
            if ch == '@' {
                return (i > at && !text.has(i + 1, "http")).then_some(i + 1);
            }
            let is_mark = "'()*,;".contains(ch) || marks::is_middle_dot(ch);
            if is_mark && self.is_host(at, i) {
                return None;
            }
            if !(text.is(ch, HOST) || "_~!$&'()*+,;=:%".contains(ch)) {
                return None;
            }
            i += ch.len_utf8();
        }
        None
    }

    /// Whether a host stands here, so that punctuation behind it is the sentence's.
    fn is_host(&self, start: usize, end: usize) -> bool {
        let name = self.text.slice(start, end);
        let label = name.rsplit(host::is_dot).next().unwrap_or("");
        label.len() < name.len() && self.scanner.tlds().contains(label)
    }

    /// `mailto:` with addresses and header fields (RFC 6068).
    fn mailto_end(&self, start: usize, at: usize, manner: Manner) -> Option<usize> {
        let text = self.text;
        let mut end = at;
        if text.byte(at) != b'?' {
            end = self.address_end(at)?;
            while text.byte(end) == b',' {
                let Some(next) = self.address_end(end + 1) else {
                    break;
                };
                end = next;
            }
        }
        if text.byte(end) != b'?' {
            return Some(end);
        }
        let query = Tail::new(text, manner, self.limit(start, manner)).end(end);
        (query > end || end > at).then_some(query)
    }

    /// The end of the address that begins at `at`; any host will do.
    fn address_end(&self, at: usize) -> Option<usize> {
        let text = self.text;
        let mut i = at;
        while i < at + host::MAX_LOCAL {
            let ch = text.char(i);
            if ch == '@' || !text.is(ch, super::classes::LOCAL) || matches!(ch, '?') {
                break;
            }
            i += ch.len_utf8();
        }
        if text.byte(i) != b'@' || !host::is_local_part(text.slice(at, i)) {
            return None;
        }
        if text.byte(i + 1) == b'[' {
            return host::address_literal_end(text, i + 1);
        }
        let run = host::reg_name_end(text, i + 1, "");
        let name = text.slice(i + 1, run);
        // The end of a comment.
        let name = match name.strip_suffix("--") {
            Some(name) if text.byte(run) == b'>' => name,
            _ => name,
        };
        let name = name
            .get(..host::unglued(text, name, self.scanner.tlds()))
            .unwrap_or("");
        let name = host::with_modifiers(name, &BEHIND_HOSTS);
        let words = host::wordless(text, name, self.scanner.tlds());
        let name = match words.filter(|_| text.byte(i + 1 + name.len()) != b'?') {
            Some(len) => name.get(..len).unwrap_or(""),
            None => name,
        };
        let end = i + 1 + name.len();
        let is_host = !name.is_empty() && host::are_labels(name);
        (is_host && !defanged::goes_on(text, end)).then_some(end)
    }
}

/// What is not of the host of an address at its end.
const BEHIND_HOSTS: [char; 5] = {
    let [dot, ideographic, fullwidth, halfwidth] = marks::DOTS;
    [dot, ideographic, fullwidth, halfwidth, '_']
};

/// Sub-delims that hosts have where no server of the Web is meant: `facetime://+15550100`.
const MARKS: &str = "+$&=~!*";

/// Whether links with this scheme name a server of the Web (or of files).
fn is_of_web(scheme: &str) -> bool {
    let known: &[&str] = match scheme.len() {
        5 => &["https"],
        4 => &["http"],
        3 => &["ftp", "wss"],
        _ => &["ws"],
    };
    known.iter().any(|s| scheme.eq_ignore_ascii_case(s))
}

/// Whether what follows the colon of a scheme without `//` is what such a scheme needs.
pub(super) fn is_shaped(name: &str, shape: Shape, rest: &str) -> bool {
    rest.starts_with(|first| begins(shape, first))
        && fits(shape, rest)
        && !is_field(name, shape, rest)
}

/// Whether a name with a capital and a colon is the name of a field, as signatures have it (`Skype:ann`, `Feed:http://...`):
/// what follows would stand behind many a word.
fn is_field(name: &str, shape: Shape, rest: &str) -> bool {
    let is_loose = matches!(
        shape,
        Shape::Word | Shape::Slash | Shape::Path | Shape::Root
    );
    is_loose && name.starts_with(|ch: char| ch.is_ascii_uppercase()) && !rest.contains('?')
}

/// Whether a character may follow the colon.
fn begins(shape: Shape, first: char) -> bool {
    match shape {
        Shape::Phone => first.is_ascii_digit() || matches!(first, '+' | '(' | '*'),
        Shape::Number => first.is_ascii_digit() || first == '-',
        Shape::Query => first == '?',
        Shape::Long | Shape::Namespace => first.is_ascii_alphanumeric(),
        Shape::Some | Shape::Name => first.is_alphanumeric() || first == '*',
        Shape::Word => first.is_ascii_alphanumeric() || matches!(first, '*' | '+'),
        Shape::Digits => first.is_ascii_alphanumeric(),
        Shape::Slash => first != '/',
        Shape::Root => first == '/',
        Shape::Address | Shape::Comma | Shape::Media | Shape::Host | Shape::Path => true,
        Shape::Pair => first.is_ascii_alphabetic(),
    }
}

/// Whether what follows the colon has the shape that its scheme needs.
fn fits(shape: Shape, rest: &str) -> bool {
    let bytes = rest.as_bytes();
    let Some(&first) = bytes.first() else {
        return false;
    };
    let address = || {
        rest.split_once('@')
            .is_some_and(|(a, b)| !a.is_empty() && !b.is_empty())
    };
    let dotted = || rest.split('.').filter(|label| !label.is_empty()).count() > 1;
    match shape {
        Shape::Address => address(),
        Shape::Host => address() || dotted(),
        Shape::Name => address() || dotted() || rest.contains('?') || rest == "*",
        // RFC 2397 3.
        Shape::Media => rest.split_once(',').is_some_and(|(kind, _)| {
            kind.is_empty() || kind.starts_with(';') || kind.find('/').is_some_and(|at| at > 0)
        }),
        Shape::Digits => bytes.iter().any(u8::is_ascii_digit),
        Shape::Phone => bytes.iter().filter(|b| b.is_ascii_digit()).count() > 1,
        Shape::Number => {
            first.is_ascii_digit()
                || (first == b'-' && bytes.get(1).is_some_and(u8::is_ascii_digit))
        }
        Shape::Namespace => rest
            .split_once(':')
            .is_some_and(|(a, b)| !a.is_empty() && !b.is_empty()),
        Shape::Query => first == b'?' && rest.len() > 1,
        Shape::Comma => rest.contains(','),
        Shape::Slash => rest.contains('/') && first != b'/',
        Shape::Path => rest.get(1..).is_some_and(|rest| rest.contains('/')),
        Shape::Root => rest.get(1..).is_some_and(|path| {
            path.starts_with(|ch: char| ch.is_alphanumeric() || "%._~".contains(ch))
        }),
        Shape::Pair => rest.find('=').is_some_and(|at| at > 0),
        Shape::Long => rest.bytes().take_while(u8::is_ascii_alphanumeric).count() >= 20,
        Shape::Word | Shape::Some => true,
    }
}
