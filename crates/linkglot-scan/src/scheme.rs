//! Profiles `extended` and `scheme`: links with a scheme, found at its colon.

use super::angle;
use super::classes::HOST;
use super::escapes;
use super::find::{Finder, Found, Link, MAX_LINK};
use super::host::{self, Port};
use super::host_punctuation;
use super::lists::{self, Shape};
use super::tail::{Manner, Part, Tail};
use super::{Kind, Profile};

/// The longest scheme, in bytes.
const MAX_SCHEME: usize = 32;

/// The most bytes of a link behind `_`.
const MAX_EMPHASIZED: usize = 1024;

/// The data of a scheme without `//` must show its shape in this many bytes. This bounds the cost of texts that are no
/// links.
const MAX_SHAPE: usize = 256;

/// An authority as far as it was read.
pub(super) struct Authority {
    /// The end of the authority, behind the port.
    pub(super) end: usize,
    /// True if path, query and fragment may follow; false if words were cut off the host.
    pub(super) open: bool,
}

impl Finder<'_, '_> {
    /// Judges the colon at `colon`.
    pub(super) fn scheme(&self, colon: usize) -> Found {
        let Some(run) = self.scheme_run(colon) else {
            return Found::Nothing;
        };
        let Some(start) = self.scheme_start(run, colon) else {
            return Found::Nothing;
        };
        let outer = self.outer(start);
        // `a.com://`: where domains are links, the name of one is no scheme, even if it is no link here.
        let has_domains = self.scanner.profile() == Profile::Extended;
        if has_domains && self.is_host(start, colon) {
            return Found::Nothing;
        }
        if let Some(link) = angle::link(self, start, colon, outer) {
            return Found::Link(link);
        }
        if self.is_in_name(start, outer) {
            return Found::Nothing;
        }
        let end = self.scheme_end(start, colon, self.manner(start, outer));
        match end {
            Some(end) if self.stands_apart(start, end, outer) => {
                Found::Link(Link::new(start, end, Kind::Absolute))
            }
            _ => Found::Nothing,
        }
    }

    /// The end of the link whose scheme stands from `start` to `colon`.
    pub(super) fn scheme_end(&self, start: usize, colon: usize, manner: Manner) -> Option<usize> {
        let text = self.text;
        if text.byte(colon + 1) == b'/' && text.byte(colon + 2) == b'/' {
            return self.hierarchical_end(start, colon, manner);
        }
        let shape = self.scanner.opaque_scheme(text.slice(start, colon))?;
        if shape == Shape::Address && text.slice(start, colon).eq_ignore_ascii_case("mailto") {
            return self.mailto_end(start, colon + 1, manner);
        }
        if !may_begin_data(shape, text.char(colon + 1)) {
            return None;
        }
        let limit = self.limit(start);
        let most = limit.min(colon + 1 + MAX_SHAPE);
        let shape_end = Tail::new(text, manner, most).end_in(Part::Path, colon + 1);
        let rest = text.slice(colon + 1, shape_end);
        if !has_shape(shape, rest) {
            return None;
        }
        Some(Tail::new(text, manner, limit).end_in(Part::Path, colon + 1))
    }

    /// The start of the scheme characters in front of a colon. `None`: there are too many.
    pub(super) fn scheme_run(&self, colon: usize) -> Option<usize> {
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

    /// The start of the scheme in front of `colon`, among the scheme characters from `run` on.
    pub(super) fn scheme_start(&self, run: usize, colon: usize) -> Option<usize> {
        let bytes = self.text.str().as_bytes();
        let mut start = run;
        if start > self.floor {
            start = escapes::behind_escape(self.text, start, colon);
        }
        // `see.http://`, `1.http://`: the writer meant the well-known scheme.
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
        let start = self.unglued_scheme_start(start, colon);
        bytes
            .get(start)
            .filter(|b| b.is_ascii_alphabetic() && start < colon)?;
        Some(start)
    }

    /// The start of `http` or `https` behind a word, number or host that is glued to it (UTS 58). Registered schemes
    /// such as `shttp` are kept.
    fn unglued_scheme_start(&self, start: usize, colon: usize) -> usize {
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

    /// The character in front of a link.
    pub(super) fn outer(&self, start: usize) -> Option<char> {
        self.text.before(start)
    }

    pub(super) fn manner(&self, start: usize, outer: Option<char>) -> Manner {
        let start = Some(start);
        Manner::Extended { outer, start }
    }

    /// Position at which a link that begins at `start` is cut. Few texts behind `_` are links, so less is read there.
    fn limit(&self, start: usize) -> usize {
        if self.is_behind_mark(start, self.outer(start)) {
            start + MAX_EMPHASIZED
        } else {
            start + MAX_LINK
        }
    }

    /// True if `_` stands in front of a link: the mark of emphasis, or a part of a name.
    fn is_behind_mark(&self, start: usize, outer: Option<char>) -> bool {
        start > self.floor && outer == Some('_')
    }

    /// True if `_` in front makes the link part of a name.
    fn is_in_name(&self, start: usize, outer: Option<char>) -> bool {
        let before = || self.text.slice(self.floor, start).trim_end_matches('_');
        self.is_behind_mark(start, outer) && before().ends_with(char::is_alphanumeric)
    }

    /// True unless `_` stands in front of the link and none behind it: emphasis has both.
    fn stands_apart(&self, start: usize, end: usize, outer: Option<char>) -> bool {
        !self.is_behind_mark(start, outer) || self.text.byte(end) == b'_'
    }

    fn hierarchical_end(&self, start: usize, colon: usize, manner: Manner) -> Option<usize> {
        let scheme = self.text.slice(start, colon);
        let at = colon + 3;
        let marks = if is_web_scheme(scheme) {
            ""
        } else {
            HOST_SUB_DELIMS
        };
        let authority = self
            .plain_authority(at)
            .or_else(|| self.authority(start, at, marks, manner))
            .or_else(|| self.empty_authority(scheme, at))?;
        if escapes::is_hyphen(self.text, authority.end) {
            return None;
        }
        let end = if authority.open {
            self.open_end(start, at, authority.end, manner)?
        } else {
            authority.end
        };
        // A text in angle brackets is a link, even if its host is words alone.
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
        host::prose_free_len(self.text, name, self.scanner.tlds()).map(|len| at + len)
    }

    /// The end of a link whose authority stands from `at` to `end`, with path, query and fragment. `None`: nothing
    /// follows `//`, or no mark ends the emphasis that begins in front of the link.
    fn open_end(&self, start: usize, at: usize, end: usize, manner: Manner) -> Option<usize> {
        let scheme = self.text.slice(start, at - 3);
        let tail = Tail::new(self.text, manner, self.limit(start));
        if start > self.floor && !tail.may_end_emphasis(end) {
            return None;
        }
        let tail = tail.end(end);
        let root = scheme.eq_ignore_ascii_case("file") && tail > at;
        (end > at || tail > at + 1 || root).then_some(tail)
    }

    /// The empty authority of `file:///path`. The schemes of the web need a host.
    fn empty_authority(&self, scheme: &str, at: usize) -> Option<Authority> {
        let is_empty = self.text.byte(at) == b'/' && self.text.byte(at + 1) != b'/';
        (is_empty && !is_web_scheme(scheme)).then_some(Authority {
            end: at,
            open: true,
        })
    }

    /// An authority that is an ASCII host, read in one pass. `None`: left to [`authority`](Self::authority).
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
            return self.with_port(host::ip_literal_end(text, at)?);
        }
        if host::is_bare_ipv6(text, at) {
            return None;
        }
        let run = host::before_link(text, at, host::reg_name_end(text, at, marks));
        // In front of another link, sub-delimiters at the end belong to no host.
        let name = text
            .slice(at, run)
            .trim_end_matches(|ch| marks.contains(ch));
        if let Some(end) = self.host_before_dots(name).map(|len| at + len) {
            return Some(Authority { end, open: false });
        }
        let cut = host::unglued_len(text, name, self.scanner.tlds());
        let host = text.slice(at, at + cut);
        let (host, absolute) = match host.strip_suffix(host::is_any_dot) {
            Some(host) => (host, at + cut),
            None => (host, at + cut),
        };
        // `_http://example.org_`
        if let Some(bare) = host
            .strip_suffix('_')
            .filter(|_| text.before(start) == Some('_'))
        {
            let end = at + bare.trim_end_matches('_').len();
            return host::are_labels(text.slice(at, end)).then_some(Authority { end, open: false });
        }
        // Dots of a sentence: `http://example.org...`
        let dots = host::trim_unmodifying(host, &['.']);
        let mut end = at + dots.len();
        if dots.is_empty() {
            return None;
        }
        let plain = host::trim_unmodifying(dots, &['-', '.']);
        let is_host = host::are_labels(plain) && !plain.ends_with('_');
        if plain.len() < dots.len() && cut == name.len() && is_host {
            end -= dots.len() - plain.len();
            return Some(Authority { end, open: false });
        }
        if !host::are_labels(dots) || dots.ends_with('_') {
            return None;
        }
        if cut < name.len() {
            return Some(Authority { end, open: false });
        }
        if absolute > end
            && matches!(text.byte(absolute), b'/' | b'?' | b'#' | b':')
            && host::absolute_end(text, end) == absolute
        {
            let open = self.with_port(absolute)?;
            let tail = Tail::new(self.text, manner, self.limit(start)).end(open.end);
            // The dot of an absolute name belongs to the link only if more of the link follows.
            let is_bare = tail == absolute;
            return Some(if is_bare {
                Authority { end, open: false }
            } else {
                open
            });
        }
        if absolute > end {
            return Some(Authority { end, open: false });
        }
        self.with_port(end)
    }

    /// The length of a host in front of the dots of a sentence that goes on without a space:
    /// `http://example.org...and`.
    fn host_before_dots(&self, name: &str) -> Option<usize> {
        let (host, _) = name.split_once("..")?;
        let label = host.rsplit(host::is_dot).next().unwrap_or("");
        let is_host = self.scanner.tlds().contains(label) && host::are_labels(host);
        is_host.then_some(host.len())
    }

    fn with_port(&self, at: usize) -> Option<Authority> {
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
            Port::OutOfRange => Some(Authority {
                end: at,
                open: false,
            }),
        }
    }

    /// The position behind the `@` of the user information that begins at `at`, if any.
    fn userinfo_end(&self, at: usize) -> Option<usize> {
        let text = self.text;
        let mut i = at;
        while i < at + host::MAX_LOCAL {
            let ch = text.char(i);
            if ch == '@' {
                return (i > at && !text.has(i + 1, "http")).then_some(i + 1);
            }
            let is_mark = "'()*,;".contains(ch) || host_punctuation::is_middle_dot(ch);
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

    /// True if a name ends with a known domain: punctuation behind the name then belongs to the sentence.
    fn is_host(&self, start: usize, end: usize) -> bool {
        let name = self.text.slice(start, end);
        let label = name.rsplit(host::is_dot).next().unwrap_or("");
        label.len() < name.len() && self.scanner.tlds().contains(label)
    }

    /// The end of `mailto:` addresses and header fields (RFC 6068).
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
        let query = Tail::new(text, manner, self.limit(start)).end(end);
        (query > end || end > at).then_some(query)
    }

    /// The end of the address that begins at `at`, with any host.
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
        // The hyphens of `-->` end a comment.
        let name = match name.strip_suffix("--") {
            Some(name) if text.byte(run) == b'>' => name,
            _ => name,
        };
        let name = name
            .get(..host::unglued_len(text, name, self.scanner.tlds()))
            .unwrap_or("");
        let name = host::trim_unmodifying(name, &BEHIND_HOSTS);
        let words = host::prose_free_len(text, name, self.scanner.tlds());
        let name = match words.filter(|_| text.byte(i + 1 + name.len()) != b'?') {
            Some(len) => name.get(..len).unwrap_or(""),
            None => name,
        };
        let end = i + 1 + name.len();
        let is_host = !name.is_empty() && host::are_labels(name);
        is_host.then_some(end)
    }
}

/// Characters that cannot end the host of an address.
const BEHIND_HOSTS: [char; 5] = {
    let [dot, ideographic, fullwidth, halfwidth] = host_punctuation::DOTS;
    [dot, ideographic, fullwidth, halfwidth, '_']
};

/// Sub-delimiters in hosts of schemes other than the web's: `facetime://+15550100`.
const HOST_SUB_DELIMS: &str = "+$&=~!*";

/// True if a scheme names a server of the web or of files.
fn is_web_scheme(scheme: &str) -> bool {
    let known: &[&str] = match scheme.len() {
        5 => &["https"],
        4 => &["http"],
        3 => &["ftp", "wss"],
        _ => &["ws"],
    };
    known.iter().any(|s| scheme.eq_ignore_ascii_case(s))
}

/// True if the data of a scheme may begin with this character.
fn may_begin_data(shape: Shape, first: char) -> bool {
    match shape {
        Shape::Phone => first.is_ascii_digit() || matches!(first, '+' | '(' | '*'),
        Shape::Number => first.is_ascii_digit() || first == '-',
        Shape::Query => first == '?',
        Shape::Long | Shape::Namespace => first.is_ascii_alphanumeric(),
        Shape::Any | Shape::Name => first.is_alphanumeric() || first == '*',
        Shape::Word => first.is_ascii_alphanumeric() || matches!(first, '*' | '+'),
        Shape::Digits => first.is_ascii_alphanumeric(),
        Shape::Slash => first != '/',
        Shape::Root => first == '/',
        Shape::Address | Shape::Comma | Shape::Media | Shape::Host | Shape::Path => true,
        Shape::Pair => first.is_ascii_alphabetic(),
    }
}

/// True if the data behind the colon has the shape that the scheme needs.
fn has_shape(shape: Shape, rest: &str) -> bool {
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
        // `data:` (RFC 2397 3)
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
        Shape::Word | Shape::Any => true,
    }
}
