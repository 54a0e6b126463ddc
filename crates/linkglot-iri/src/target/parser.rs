//! The URL parser (URL Standard 4.4), component by component. The functions have the names of its
//! states.

use super::host;
use super::percent_encode::{
    self, C0, FRAGMENT, PATH, QUERY, QueryOctets, SPECIAL_QUERY, USERINFO,
};
use crate::scheme;
use linkglot_charset::Charset;
use std::borrow::Cow;

/// A URL record (URL Standard 4.1). All its text is ASCII.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct UrlRecord {
    pub(super) scheme: String,
    is_special: bool,
    pub(super) username: String,
    pub(super) password: String,
    pub(super) host: Option<String>,
    /// `None` when it is the scheme's default.
    pub(super) port: Option<u16>,
    /// The segments, each after its slash, or an opaque path.
    pub(super) path: String,
    pub(super) is_opaque: bool,
    pub(super) query: Option<String>,
    pub(super) fragment: Option<String>,
}

impl UrlRecord {
    fn new(scheme: &str) -> UrlRecord {
        UrlRecord {
            scheme: scheme.to_ascii_lowercase(),
            is_special: scheme::is_special(scheme),
            ..UrlRecord::default()
        }
    }

    /// A base whose path is so deep that `..` repeated `depth` times does not reach the root.
    pub(super) fn deep(scheme: &str, depth: usize) -> UrlRecord {
        UrlRecord {
            host: Some("base.invalid".to_owned()),
            path: "/a".repeat(depth + 1),
            query: Some("q".to_owned()),
            ..UrlRecord::new(scheme)
        }
    }

    fn is_special(&self) -> bool {
        self.is_special
    }

    fn is_file(&self) -> bool {
        self.scheme == "file"
    }

    /// A predicate for the characters that separate segments.
    fn is_slash(&self) -> impl Fn(char) -> bool + Copy + use<> {
        let special = self.is_special();
        move |ch| ch == '/' || special && ch == '\\'
    }

    /// A record with the scheme and authority of `base`.
    fn with_authority_of(base: &UrlRecord) -> UrlRecord {
        UrlRecord {
            path: String::new(),
            is_opaque: false,
            query: None,
            fragment: None,
            ..base.clone()
        }
    }

    /// Removes the last segment of the path, but not a drive letter (4.1, shorten).
    fn shorten(&mut self) {
        let is_drive = self.is_file()
            && self
                .path
                .strip_prefix('/')
                .is_some_and(|first| is_drive_letter(first, Drive::Normal));
        if !is_drive && let Some(at) = self.path.rfind('/') {
            self.path.truncate(at);
        }
    }

    /// The URL as a string (URL Standard 4.5).
    pub(super) fn serialize(&self) -> String {
        let parts = [&self.host, &self.query, &self.fragment];
        let lengths = parts.map(|part| part.as_ref().map_or(0, String::len));
        let mut out = String::with_capacity(
            self.scheme.len() + self.path.len() + lengths.iter().sum::<usize>() + DELIMITERS,
        );
        out.push_str(&self.scheme);
        out.push(':');
        if let Some(host) = &self.host {
            out.push_str("//");
            self.push_credentials(&mut out);
            out.push_str(host);
            if let Some(port) = self.port {
                out.push(':');
                out.push_str(&port.to_string());
            }
        } else if !self.is_opaque && self.path.starts_with("//") {
            out.push_str("/.");
        }
        out.push_str(&self.path);
        for (delimiter, part) in [('?', &self.query), ('#', &self.fragment)] {
            if let Some(part) = part {
                out.push(delimiter);
                out.push_str(part);
            }
        }
        out
    }

    fn push_credentials(&self, out: &mut String) {
        if self.username.is_empty() && self.password.is_empty() {
            return;
        }
        out.push_str(&self.username);
        if !self.password.is_empty() {
            out.push(':');
            out.push_str(&self.password);
        }
        out.push('@');
    }
}

/// Room for the delimiters of a URL, and its port.
const DELIMITERS: usize = 12;

#[derive(Clone, Copy, Debug)]
pub(super) struct UrlParser {
    /// The charset of queries.
    pub(super) charset: Charset,
    pub(super) octets: QueryOctets,
}

impl UrlParser {
    /// Parses a reference; `None` when it is no URL.
    pub(super) fn parse(&self, reference: &str, base: Option<&UrlRecord>) -> Option<UrlRecord> {
        let input = stripped(reference);
        let input: &str = &input;
        match scheme::of(input) {
            None => self.no_scheme(input, base?),
            Some(scheme) => self.scheme(scheme, &input[scheme.len() + 1..], base),
        }
    }

    fn scheme(&self, scheme: &str, rest: &str, base: Option<&UrlRecord>) -> Option<UrlRecord> {
        let mut url = UrlRecord::new(scheme);
        let base = base.filter(|base| base.scheme == url.scheme);
        if url.is_file() {
            return self.file(rest, base);
        }
        if url.is_special() {
            return match base {
                Some(base) if !rest.starts_with("//") => self.relative(rest, base),
                _ => self.authority(url, rest.trim_start_matches(['/', '\\'])),
            };
        }
        if let Some(rest) = rest.strip_prefix("//") {
            return self.authority(url, rest);
        }
        if let Some(rest) = rest.strip_prefix('/') {
            self.path(&mut url, rest);
        } else {
            self.opaque_path(&mut url, rest);
        }
        Some(url)
    }

    fn no_scheme(&self, input: &str, base: &UrlRecord) -> Option<UrlRecord> {
        if base.is_opaque {
            let fragment = input.strip_prefix('#')?;
            let mut url = base.clone();
            self.fragment(&mut url, fragment);
            return Some(url);
        }
        if base.is_file() {
            return self.file(input, Some(base));
        }
        self.relative(input, base)
    }

    fn relative(&self, input: &str, base: &UrlRecord) -> Option<UrlRecord> {
        let is_slash = base.is_slash();
        let Some(rest) = input.strip_prefix(is_slash) else {
            let mut url = UrlRecord::with_authority_of(base);
            self.relative_path(&mut url, input, base);
            return Some(url);
        };
        if base.is_special() && rest.starts_with(is_slash) {
            let url = UrlRecord::new(&base.scheme);
            return self.authority(url, rest.trim_start_matches(is_slash));
        }
        if let Some(rest) = rest.strip_prefix('/') {
            return self.authority(UrlRecord::new(&base.scheme), rest);
        }
        let mut url = UrlRecord::with_authority_of(base);
        self.path(&mut url, rest);
        Some(url)
    }

    /// A reference that begins with no slash: relative to the path of the base.
    fn relative_path(&self, url: &mut UrlRecord, input: &str, base: &UrlRecord) {
        url.path.clone_from(&base.path);
        if input.is_empty() || input.starts_with('#') {
            url.query.clone_from(&base.query);
            self.tail(url, input);
        } else if input.starts_with('?') {
            self.tail(url, input);
        } else {
            if url.is_file() && starts_with_drive_letter(input) {
                url.path.clear();
            } else {
                url.shorten();
            }
            self.path(url, input);
        }
    }

    fn authority(&self, mut url: UrlRecord, rest: &str) -> Option<UrlRecord> {
        let is_slash = url.is_slash();
        let end = rest
            .find(|ch| is_slash(ch) || matches!(ch, '?' | '#'))
            .unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        let host_and_port = match authority.rsplit_once('@') {
            None => authority,
            Some((_, "")) => return None,
            Some((userinfo, host_and_port)) => {
                let (username, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
                percent_encode::push(&mut url.username, username, USERINFO);
                percent_encode::push(&mut url.password, password, USERINFO);
                host_and_port
            }
        };
        host_port(&mut url, host_and_port)?;
        self.path_start(&mut url, rest);
        Some(url)
    }

    fn file(&self, input: &str, base: Option<&UrlRecord>) -> Option<UrlRecord> {
        let mut url = UrlRecord::new("file");
        url.host = Some(String::new());
        let is_slash = url.is_slash();
        let Some(rest) = input.strip_prefix(is_slash) else {
            match base {
                Some(base) => {
                    url.host.clone_from(&base.host);
                    self.relative_path(&mut url, input, base);
                }
                None => self.path(&mut url, input),
            }
            return Some(url);
        };
        if let Some(rest) = rest.strip_prefix(is_slash) {
            return self.file_host(url, rest);
        }
        if let Some(base) = base {
            url.host.clone_from(&base.host);
            if !starts_with_drive_letter(rest) {
                url.path.push_str(drive_of(&base.path));
            }
        }
        self.path(&mut url, rest);
        Some(url)
    }

    fn file_host(&self, mut url: UrlRecord, rest: &str) -> Option<UrlRecord> {
        let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        if is_drive_letter(name, Drive::Any) {
            self.path(&mut url, rest);
            return Some(url);
        }
        if !name.is_empty() {
            let host = host::special(name)?;
            url.host = Some(if host == "localhost" {
                String::new()
            } else {
                host
            });
        }
        self.path_start(&mut url, after);
        Some(url)
    }

    fn path_start(&self, url: &mut UrlRecord, rest: &str) {
        let is_slash = url.is_slash();
        if url.is_special() {
            return self.path(url, rest.strip_prefix(is_slash).unwrap_or(rest));
        }
        match rest.strip_prefix('/') {
            Some(rest) => self.path(url, rest),
            None => self.tail(url, rest),
        }
    }

    /// Adds the segments of `rest` to the path, then query and fragment.
    fn path(&self, url: &mut UrlRecord, rest: &str) {
        let is_slash = url.is_slash();
        let end = rest.find(['?', '#']).unwrap_or(rest.len());
        let (segments, tail) = rest.split_at(end);
        url.path.reserve(3 * segments.len());
        let mut segments = segments.split(is_slash).peekable();
        while let Some(segment) = segments.next() {
            let is_last = segments.peek().is_none();
            match dots(segment) {
                0 => push_segment(url, segment),
                count => {
                    if count == 2 {
                        url.shorten();
                    }
                    if is_last {
                        url.path.push('/');
                    }
                }
            }
        }
        self.tail(url, tail);
    }

    fn opaque_path(&self, url: &mut UrlRecord, rest: &str) {
        let end = rest.find(['?', '#']).unwrap_or(rest.len());
        let (path, tail) = rest.split_at(end);
        url.is_opaque = true;
        percent_encode::push(&mut url.path, path, C0);
        if !tail.is_empty() && url.path.ends_with(' ') {
            url.path.pop();
            url.path.push_str("%20");
        }
        self.tail(url, tail);
    }

    /// Reads query and fragment, each after its delimiter, if present.
    fn tail(&self, url: &mut UrlRecord, tail: &str) {
        let end = tail.find('#').unwrap_or(tail.len());
        let (query, fragment) = tail.split_at(end);
        if let Some(query) = query.strip_prefix('?') {
            let set = if url.is_special() {
                SPECIAL_QUERY
            } else {
                QUERY
            };
            let mut out = String::with_capacity(3 * query.len());
            let charset = self.query_charset(url);
            percent_encode::push_query(&mut out, query, set, charset, self.octets);
            url.query = Some(out);
        }
        if let Some(fragment) = fragment.strip_prefix('#') {
            self.fragment(url, fragment);
        }
    }

    fn query_charset(&self, url: &UrlRecord) -> Charset {
        if scheme::has_document_query(&url.scheme) {
            self.charset
        } else {
            Charset::UTF_8
        }
    }

    fn fragment(&self, url: &mut UrlRecord, fragment: &str) {
        let mut out = String::with_capacity(fragment.len());
        percent_encode::push(&mut out, fragment, FRAGMENT);
        url.fragment = Some(out);
    }
}

/// Removes leading and trailing C0 controls and spaces, and all tabs and line ends.
pub(super) fn stripped(reference: &str) -> Cow<'_, str> {
    let input = reference.trim_matches(|ch| ch <= ' ');
    let is_dropped = |ch| matches!(ch, '\t' | '\n' | '\r');
    let has_control = |found, byte: &u8| found | (*byte < b' ');
    // The loop has no exit, so that it goes over many bytes at once.
    if input.as_bytes().iter().fold(false, has_control) {
        Cow::Owned(input.replace(is_dropped, ""))
    } else {
        Cow::Borrowed(input)
    }
}

/// The host state and the port state.
fn host_port(url: &mut UrlRecord, text: &str) -> Option<()> {
    let (name, port) = match port_colon(text) {
        Some(0) => return None,
        Some(colon) => (&text[..colon], &text[colon + 1..]),
        None => (text, ""),
    };
    let (host, default_port) = if url.is_special() {
        (host::special(name)?, scheme::default_port(&url.scheme))
    } else {
        (host::opaque(name)?, None)
    };
    url.host = Some(host);
    let port = port_number(port)?;
    url.port = port.filter(|_| port != default_port);
    Some(())
}

/// The first colon outside of brackets.
fn port_colon(text: &str) -> Option<usize> {
    let mut inside = false;
    text.bytes().position(|byte| {
        match byte {
            b'[' => inside = true,
            b']' => inside = false,
            _ => {}
        }
        byte == b':' && !inside
    })
}

/// The number of a port, which may be empty; the outer `None` for an invalid port.
fn port_number(port: &str) -> Option<Option<u16>> {
    if port.is_empty() {
        return Some(None);
    }
    if !port.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    port.parse::<u16>().ok().map(Some)
}

/// 1 for a single-dot segment, 2 for a double-dot segment, 0 for any other.
fn dots(segment: &str) -> usize {
    let mut rest = segment.as_bytes();
    let mut count = 0;
    while !rest.is_empty() && count < 3 {
        rest = match rest {
            [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => rest,
            _ => return 0,
        };
        count += 1;
    }
    if count < 3 { count } else { 0 }
}

fn push_segment(url: &mut UrlRecord, segment: &str) {
    url.path.push('/');
    let is_first = url.path.len() == 1;
    if url.is_file() && is_first && is_drive_letter(segment, Drive::Any) {
        url.path.push_str(&segment[..1]);
        url.path.push(':');
    } else {
        percent_encode::push(&mut url.path, segment, PATH);
    }
}

/// The kinds of Windows drive letters (URL Standard 4.2).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Drive {
    /// `C:` and `C|`.
    Any,
    /// `C:`.
    Normal,
}

fn is_drive_letter(text: &str, drive: Drive) -> bool {
    match text.as_bytes() {
        [letter, b':'] => letter.is_ascii_alphabetic(),
        [letter, b'|'] => drive == Drive::Any && letter.is_ascii_alphabetic(),
        _ => false,
    }
}

fn starts_with_drive_letter(text: &str) -> bool {
    let end = text
        .bytes()
        .take(3)
        .position(|byte| matches!(byte, b'/' | b'\\' | b'?' | b'#'));
    let first = match end {
        Some(end) => &text[..end],
        None if text.len() == 2 => text,
        None => return false,
    };
    is_drive_letter(first, Drive::Any)
}

/// The first segment of a path with its slash, if it is a drive letter.
fn drive_of(path: &str) -> &str {
    let is_drive = |first: &str| is_drive_letter(first, Drive::Normal);
    let first = path
        .strip_prefix('/')
        .and_then(|path| path.split('/').next());
    match first {
        Some(first) if is_drive(first) => &path[..first.len() + 1],
        _ => "",
    }
}
