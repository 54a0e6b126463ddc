//! The WHATWG URL parser (URL Standard 4.4), component by component. The names of the functions are
//! those of its states.

use super::escape::{self, C0, FRAGMENT, PATH, QUERY, QueryOctets, SPECIAL_QUERY, USERINFO};
use super::{host, scheme_end};
use crate::charset::Charset;
use std::borrow::Cow;

/// What a browser makes of a reference (a URL record). All its text is ASCII.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) scheme: String,
    pub(super) username: String,
    pub(super) password: String,
    pub(super) host: Option<String>,
    /// `None` when it is the scheme's default.
    pub(super) port: Option<u16>,
    /// A list of segments, each behind its slash, or one opaque text.
    pub(super) path: String,
    pub(super) is_opaque: bool,
    pub(super) query: Option<String>,
    pub(super) fragment: Option<String>,
}

/// The default port of a special scheme, in any case; `file` has none.
fn special_port(scheme: &str) -> Option<Option<u16>> {
    const SPECIAL: [(&str, Option<u16>); 6] = [
        ("http", Some(80)),
        ("https", Some(443)),
        ("ftp", Some(21)),
        ("ws", Some(80)),
        ("wss", Some(443)),
        ("file", None),
    ];
    let found = SPECIAL
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(scheme));
    found.map(|&(_, port)| port)
}

/// Whether a scheme, in any case, is one of the special ones.
pub(in crate::iri) fn is_special(scheme: &str) -> bool {
    special_port(scheme).is_some()
}

impl Address {
    fn new(scheme: &str) -> Address {
        Address {
            scheme: scheme.to_ascii_lowercase(),
            ..Address::default()
        }
    }

    /// A made-up base so deep in its site that `depth` times `..` does not leave it.
    pub(super) fn deep(scheme: &str, depth: usize) -> Address {
        Address {
            host: Some("base.invalid".to_owned()),
            path: "/a".repeat(depth + 1),
            query: Some("q".to_owned()),
            ..Address::new(scheme)
        }
    }

    fn is_special(&self) -> bool {
        is_special(&self.scheme)
    }

    fn is_file(&self) -> bool {
        self.scheme == "file"
    }

    /// Whether a character separates segments.
    fn is_slash(&self) -> impl Fn(char) -> bool + Copy + use<> {
        let special = self.is_special();
        move |ch| ch == '/' || special && ch == '\\'
    }

    /// Scheme and authority of `base`, nothing else.
    fn beside(base: &Address) -> Address {
        Address {
            path: String::new(),
            is_opaque: false,
            query: None,
            fragment: None,
            ..base.clone()
        }
    }

    /// Takes the last segment off the path, but not a drive letter.
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
    pub(super) fn serialise(&self) -> String {
        let mut out = format!("{}:", self.scheme);
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

/// How references are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader {
    pub(super) charset: Charset,
    pub(super) octets: QueryOctets,
}

impl Reader {
    /// Reads a reference; `None` when it is no URL.
    pub(super) fn read(&self, reference: &str, base: Option<&Address>) -> Option<Address> {
        let input = stripped(reference);
        let input: &str = &input;
        match scheme_end(input.as_bytes()) {
            0 => self.no_scheme(input, base?),
            end => self.scheme(&input[..end], &input[end + 1..], base),
        }
    }

    fn scheme(&self, scheme: &str, rest: &str, base: Option<&Address>) -> Option<Address> {
        let mut address = Address::new(scheme);
        let base = base.filter(|base| base.scheme == address.scheme);
        if address.is_file() {
            return self.file(rest, base);
        }
        if address.is_special() {
            return match base {
                Some(base) if !rest.starts_with("//") => self.relative(rest, base),
                _ => self.authority(address, rest.trim_start_matches(['/', '\\'])),
            };
        }
        if let Some(rest) = rest.strip_prefix("//") {
            return self.authority(address, rest);
        }
        if let Some(rest) = rest.strip_prefix('/') {
            self.path(&mut address, rest);
        } else {
            self.opaque_path(&mut address, rest);
        }
        Some(address)
    }

    fn no_scheme(&self, input: &str, base: &Address) -> Option<Address> {
        if base.is_opaque {
            let fragment = input.strip_prefix('#')?;
            let mut address = base.clone();
            self.fragment(&mut address, fragment);
            return Some(address);
        }
        if base.is_file() {
            return self.file(input, Some(base));
        }
        self.relative(input, base)
    }

    fn relative(&self, input: &str, base: &Address) -> Option<Address> {
        let is_slash = base.is_slash();
        let Some(rest) = input.strip_prefix(is_slash) else {
            let mut address = Address::beside(base);
            self.below(&mut address, input, base);
            return Some(address);
        };
        if base.is_special() && rest.starts_with(is_slash) {
            let address = Address::new(&base.scheme);
            return self.authority(address, rest.trim_start_matches(is_slash));
        }
        if let Some(rest) = rest.strip_prefix('/') {
            return self.authority(Address::new(&base.scheme), rest);
        }
        let mut address = Address::beside(base);
        self.path(&mut address, rest);
        Some(address)
    }

    /// A reference that begins with no slash, beside the last segment of the base's path.
    fn below(&self, address: &mut Address, input: &str, base: &Address) {
        address.path.clone_from(&base.path);
        if input.is_empty() || input.starts_with('#') {
            address.query.clone_from(&base.query);
            self.tail(address, input);
        } else if input.starts_with('?') {
            self.tail(address, input);
        } else {
            if address.is_file() && starts_with_drive_letter(input) {
                address.path.clear();
            } else {
                address.shorten();
            }
            self.path(address, input);
        }
    }

    fn authority(&self, mut address: Address, rest: &str) -> Option<Address> {
        let is_slash = address.is_slash();
        let end = rest
            .find(|ch| is_slash(ch) || matches!(ch, '?' | '#'))
            .unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        let host_and_port = match authority.rsplit_once('@') {
            None => authority,
            Some((_, "")) => return None,
            Some((userinfo, host_and_port)) => {
                let (username, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
                escape::push(&mut address.username, username, USERINFO);
                escape::push(&mut address.password, password, USERINFO);
                host_and_port
            }
        };
        host_port(&mut address, host_and_port)?;
        self.path_start(&mut address, rest);
        Some(address)
    }

    fn file(&self, input: &str, base: Option<&Address>) -> Option<Address> {
        let mut address = Address::new("file");
        address.host = Some(String::new());
        let is_slash = address.is_slash();
        let Some(rest) = input.strip_prefix(is_slash) else {
            match base {
                Some(base) => {
                    address.host.clone_from(&base.host);
                    self.below(&mut address, input, base);
                }
                None => self.path(&mut address, input),
            }
            return Some(address);
        };
        if let Some(rest) = rest.strip_prefix(is_slash) {
            return self.file_host(address, rest);
        }
        if let Some(base) = base {
            address.host.clone_from(&base.host);
            if !starts_with_drive_letter(rest) {
                address.path.push_str(drive_of(&base.path));
            }
        }
        self.path(&mut address, rest);
        Some(address)
    }

    fn file_host(&self, mut address: Address, rest: &str) -> Option<Address> {
        let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        if is_drive_letter(name, Drive::Any) {
            self.path(&mut address, rest);
            return Some(address);
        }
        if !name.is_empty() {
            let host = host::special(name)?;
            address.host = Some(if host == "localhost" {
                String::new()
            } else {
                host
            });
        }
        self.path_start(&mut address, after);
        Some(address)
    }

    fn path_start(&self, address: &mut Address, rest: &str) {
        let is_slash = address.is_slash();
        if address.is_special() {
            return self.path(address, rest.strip_prefix(is_slash).unwrap_or(rest));
        }
        match rest.strip_prefix('/') {
            Some(rest) => self.path(address, rest),
            None => self.tail(address, rest),
        }
    }

    /// Adds the segments of `rest`, and what follows them, to the path.
    fn path(&self, address: &mut Address, rest: &str) {
        let is_slash = address.is_slash();
        let end = rest.find(['?', '#']).unwrap_or(rest.len());
        let (segments, tail) = rest.split_at(end);
        let mut segments = segments.split(is_slash).peekable();
        while let Some(segment) = segments.next() {
            let is_last = segments.peek().is_none();
            match dots(segment) {
                0 => push_segment(address, segment),
                count => {
                    if count == 2 {
                        address.shorten();
                    }
                    if is_last {
                        address.path.push('/');
                    }
                }
            }
        }
        self.tail(address, tail);
    }

    fn opaque_path(&self, address: &mut Address, rest: &str) {
        let end = rest.find(['?', '#']).unwrap_or(rest.len());
        let (path, tail) = rest.split_at(end);
        address.is_opaque = true;
        escape::push(&mut address.path, path, C0);
        if !tail.is_empty() && address.path.ends_with(' ') {
            address.path.pop();
            address.path.push_str("%20");
        }
        self.tail(address, tail);
    }

    /// The query and the fragment, each with its delimiter, if they are there.
    fn tail(&self, address: &mut Address, tail: &str) {
        let end = tail.find('#').unwrap_or(tail.len());
        let (query, fragment) = tail.split_at(end);
        if let Some(query) = query.strip_prefix('?') {
            let set = if address.is_special() {
                SPECIAL_QUERY
            } else {
                QUERY
            };
            let mut out = String::with_capacity(query.len());
            let charset = self.query_charset(address);
            escape::push_query(&mut out, query, set, charset, self.octets);
            address.query = Some(out);
        }
        if let Some(fragment) = fragment.strip_prefix('#') {
            self.fragment(address, fragment);
        }
    }

    fn query_charset(&self, address: &Address) -> Charset {
        let is_socket = matches!(address.scheme.as_str(), "ws" | "wss");
        if address.is_special() && !is_socket {
            self.charset
        } else {
            Charset::UTF_8
        }
    }

    fn fragment(&self, address: &mut Address, fragment: &str) {
        let mut out = String::with_capacity(fragment.len());
        escape::push(&mut out, fragment, FRAGMENT);
        address.fragment = Some(out);
    }
}

/// Leading and trailing C0 controls and spaces off, tabs and line ends out.
pub(super) fn stripped(reference: &str) -> Cow<'_, str> {
    let input = reference.trim_matches(|ch| ch <= ' ');
    let is_dropped = |ch| matches!(ch, '\t' | '\n' | '\r');
    if input.contains(is_dropped) {
        Cow::Owned(input.replace(is_dropped, ""))
    } else {
        Cow::Borrowed(input)
    }
}

/// The host state and the port state.
fn host_port(address: &mut Address, text: &str) -> Option<()> {
    let colon = port_colon(text);
    let (name, port) = match colon {
        Some(0) => return None,
        Some(colon) => (&text[..colon], &text[colon + 1..]),
        None => (text, ""),
    };
    let default = special_port(&address.scheme);
    address.host = Some(match default {
        Some(_) => host::special(name)?,
        None => host::opaque(name)?,
    });
    let port = port_number(port)?;
    address.port = port.filter(|_| default.flatten() != port);
    Some(())
}

/// The first colon outside brackets.
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

/// The number of a port; the outer `None` says that it is none.
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

fn push_segment(address: &mut Address, segment: &str) {
    address.path.push('/');
    let is_first = address.path.len() == 1;
    if address.is_file() && is_first && is_drive_letter(segment, Drive::Any) {
        address.path.push_str(&segment[..1]);
        address.path.push(':');
    } else {
        escape::push(&mut address.path, segment, PATH);
    }
}

/// Which Windows drive letters are meant.
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

/// The first segment of a path with its slash, when it is a drive letter.
fn drive_of(path: &str) -> &str {
    let first = path.get(..3).unwrap_or_default();
    let ends = path.len() == 3 || path[first.len()..].starts_with('/');
    let is_drive = first
        .strip_prefix('/')
        .is_some_and(|first| is_drive_letter(first, Drive::Normal));
    if ends && is_drive { first } else { "" }
}
