//! `extended` and `scheme`: links with a scheme of their own, at its colon.

use super::angle;
use super::classes::HOST;
use super::escapes;
use super::find::{Finder, Found, Link, MAX_LINK};
use super::host::{self, Port};
use super::host_punctuation;
use super::lists::{self, Shape};
use super::tail::{Manner, Part, Tail};
use super::{Kind, Profile};

/// The longest name of a scheme, in bytes.
const MAX_SCHEME: usize = 32;

/// No link between underscores has more bytes.
const MAX_EMPHASIZED: usize = 1024;

/// Within how many bytes behind its colon a scheme without `//` must show its shape: what is
/// no link costs no more than this.
const MAX_SHAPE: usize = 256;

/// An authority that was read.
pub(super) struct Authority {
    /// Its end, behind the port.
    pub(super) end: usize,
    /// Whether path, query and fragment may follow: the host was not cut out of glued words.
    pub(super) open: bool,
}

impl Finder<'_, '_> {
    /// What the colon at `colon` is part of.
    pub(super) fn scheme(&self, colon: usize) -> Found {
        let Some(run) = self.scheme_run(colon) else {
            return Found::Nothing;
        };
        let Some(start) = self.scheme_start(run, colon) else {
            return Found::Nothing;
        };
        let outer = self.outer(start);
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
            Some(end) if self.stands_apart(start, end, outer) => Found::Link(Link {
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
        let mut start = run;
        if start > self.floor {
            start = escapes::behind_escape(self.text, start, colon);
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
        let start = self.unglued_scheme_start(start, colon);
        bytes
            .get(start)
            .filter(|b| b.is_ascii_alphabetic() && start < colon)?;
        Some(start)
    }

    /// The begin of `http` or `https` behind a word, a number or a host that is glued to it, as UTS 58 has it; what
    /// is registered is no such word.
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

    /// The character in front of a link, if no other link ends there.
    pub(super) fn outer(&self, start: usize) -> Option<char> {
        self.text.before(start)
    }

    pub(super) fn manner(&self, start: usize, outer: Option<char>) -> Manner {
        let start = Some(start);
        Manner::Extended { outer, start }
    }

    /// Where a link that begins at `start` is cut at the latest. Behind `_` most are none, so that no more is read of them.
    fn limit(&self, start: usize) -> usize {
        match self.outer(start) {
            Some('_') if start > self.floor => start + MAX_EMPHASIZED,
            _ => start + MAX_LINK,
        }
    }

    /// A link behind `_` is part of a name, unless another `_` closes the emphasis that the first begins.
    fn stands_apart(&self, start: usize, end: usize, outer: Option<char>) -> bool {
        if outer != Some('_') || start == self.floor {
            return true;
        }
        let before = self.text.slice(self.floor, start).trim_end_matches('_');
        self.text.byte(end) == b'_' && !before.ends_with(char::is_alphanumeric)
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
        host::prose_free_len(self.text, name, self.scanner.tlds()).map(|len| at + len)
    }

    /// The end of a link whose authority stands from `at` to `end`; path, query and fragment may follow.
    fn open_end(&self, start: usize, at: usize, end: usize, manner: Manner) -> Option<usize> {
        let scheme = self.text.slice(start, at - 3);
        let tail = Tail::new(self.text, manner, self.limit(start)).end(end);
        let root = scheme.eq_ignore_ascii_case("file") && tail > at;
        (end > at || tail > at + 1 || root).then_some(tail)
    }

    /// `file:///path`: no host, but a path. The Web's own schemes want a host.
    fn empty_authority(&self, scheme: &str, at: usize) -> Option<Authority> {
        let is_empty = self.text.byte(at) == b'/' && self.text.byte(at + 1) != b'/';
        (is_empty && !is_web_scheme(scheme)).then_some(Authority {
            end: at,
            open: true,
        })
    }

    /// An authority that is a plain ASCII host, in one pass; `None`: shape_end closely.
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
        // In front of another link they are followed by nothing of the host.
        let name = text
            .slice(at, run)
            .trim_end_matches(|ch| marks.contains(ch));
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
        // A sentence's dots behind the host: `http://example.org...`
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
        self.with_port(end)
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
        let query = Tail::new(text, manner, self.limit(start)).end(end);
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

/// What is not of the host of an address at its end.
const BEHIND_HOSTS: [char; 5] = {
    let [dot, ideographic, fullwidth, halfwidth] = host_punctuation::DOTS;
    [dot, ideographic, fullwidth, halfwidth, '_']
};

/// Sub-delims that hosts have where no server of the Web is meant: `facetime://+15550100`.
const HOST_SUB_DELIMS: &str = "+$&=~!*";

/// Whether links with this scheme name a server of the Web (or of files).
fn is_web_scheme(scheme: &str) -> bool {
    let known: &[&str] = match scheme.len() {
        5 => &["https"],
        4 => &["http"],
        3 => &["ftp", "wss"],
        _ => &["ws"],
    };
    known.iter().any(|s| scheme.eq_ignore_ascii_case(s))
}

/// Whether a character may follow the colon.
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

/// Whether what follows the colon has the shape that its scheme needs.
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
        Shape::Word | Shape::Any => true,
    }
}
