//! Sort-friendly keys of URIs (SURT): `http://www.example.org/B?x` becomes `org,example)/b?x`.
//!
//! Programs that replay archives look records up by these keys, so the keys are theirs, oddities included: the URI is
//! unescaped until nothing changes and escaped again, upper case becomes lower case, `www.`, default ports, users,
//! fragments and identifiers of sessions go, and the arguments of a query are sorted.

use linkglot_iri::ToUri;

/// Fields of a query with the identifier of a session: the name, and the letters of the value.
const SESSIONS: [(&[u8], Letters); 3] = [
    (b"jsessionid=", Letters::AlphaNumeric(32)),
    (b"phpsessid=", Letters::AlphaNumeric(32)),
    (b"sid=", Letters::AlphaNumeric(32)),
];

/// A number of letters of a kind.
#[derive(Clone, Copy, Debug)]
enum Letters {
    AlphaNumeric(usize),
    Alphabetic(usize),
}

impl Letters {
    /// The rest of the text behind the letters.
    fn skip(self, text: &[u8]) -> Option<&[u8]> {
        let (len, is_own): (_, fn(&u8) -> bool) = match self {
            Letters::AlphaNumeric(len) => (len, u8::is_ascii_alphanumeric),
            Letters::Alphabetic(len) => (len, u8::is_ascii_alphabetic),
        };
        let (letters, rest) = text.split_at_checked(len)?;
        letters.iter().all(is_own).then_some(rest)
    }
}

/// The key of a URI. One that cannot be taken apart is its own key.
///
/// The bytes are those of UTF-8. Linear.
pub(super) fn surt(uri: &[u8]) -> Vec<u8> {
    if uri.is_empty() {
        return b"-".to_vec();
    }
    if uri.starts_with(b"filedesc") {
        return uri.to_vec();
    }
    key(uri).unwrap_or_else(|| uri.to_vec())
}

fn key(uri: &[u8]) -> Option<Vec<u8>> {
    let mut parts = Parts::split(&with_one_scheme(uri))?;
    parts.canonicalize();
    Some(parts.written())
}

/// The URI without blanks and ends of lines, and with the last of several schemes in front of it.
fn with_one_scheme(uri: &[u8]) -> Vec<u8> {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0B;
    let start = uri.iter().position(|byte| !is_blank(byte));
    let end = uri.iter().rposition(|byte| !is_blank(byte));
    let inside = start
        .zip(end)
        .map_or(&[][..], |(start, end)| &uri[start..=end]);
    let mut uri: Vec<u8> = inside.to_vec();
    uri.retain(|byte| !matches!(byte, b'\n' | b'\r' | b'\t'));
    if scheme_len(&uri).is_none() && !uri.is_empty() {
        uri.splice(0..0, *b"http://");
    }
    let mut begin = 0;
    let web = |uri: &[u8]| {
        let schemes = [&b"http://"[..], b"https://"];
        let mut found = schemes.iter().filter(|scheme| uri.starts_with(scheme));
        found.next().map(|scheme| scheme.len())
    };
    while let Some(len) = web(&uri[begin..])
        && web(&uri[begin + len..]).is_some()
    {
        begin += len;
    }
    uri.drain(..begin);
    uri
}

/// The length of the scheme in front of the first colon.
fn scheme_len(uri: &[u8]) -> Option<usize> {
    let colon = uri.iter().position(|&byte| byte == b':')?;
    let is_own = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let is_scheme = uri[0].is_ascii_alphabetic() && uri[..colon].iter().all(is_own);
    is_scheme.then_some(colon)
}

/// The parts of a URI that its key has.
#[derive(Debug, Default)]
struct Parts {
    scheme: Vec<u8>,
    host: Vec<u8>,
    port: Option<u16>,
    path: Vec<u8>,
    query: Vec<u8>,
}

impl Parts {
    /// The parts of a URI. `None` if its port is no number.
    fn split(uri: &[u8]) -> Option<Self> {
        let mut parts = Parts::default();
        let scheme = scheme_len(uri)?;
        parts.scheme = uri[..scheme].to_vec();
        let mut rest = &uri[scheme + 1..];
        if let Some(hash) = rest.iter().position(|&byte| byte == b'#') {
            rest = &rest[..hash];
        }
        if let Some(behind) = rest.strip_prefix(b"//") {
            let end = behind.iter().position(|byte| matches!(byte, b'/' | b'?'));
            let (authority, behind) = behind.split_at(end.unwrap_or(behind.len()));
            parts.set_authority(authority)?;
            rest = behind;
        }
        let query = rest.iter().position(|&byte| byte == b'?');
        parts.path = rest[..query.unwrap_or(rest.len())].to_vec();
        parts.query = query.map_or(Vec::new(), |at| rest[at + 1..].to_vec());
        // `http:////a.example/` has its host behind the slashes.
        if parts.scheme.starts_with(b"http") && parts.host.is_empty() && !parts.path.is_empty() {
            let slashes = parts.path.iter().take_while(|&&byte| byte == b'/').count();
            let path = parts.path.split_off(slashes);
            let end = path.iter().position(|&byte| byte == b'/');
            let end = end.unwrap_or(path.len());
            parts.host = path[..end].to_vec();
            parts.path = [b"/", path.get(end + 1..).unwrap_or_default()].concat();
        }
        Some(parts)
    }

    fn set_authority(&mut self, authority: &[u8]) -> Option<()> {
        let colons = authority.iter().rev().take_while(|&&byte| byte == b':');
        let authority = &authority[..authority.len() - colons.count()];
        let user = authority.iter().rposition(|&byte| byte == b'@');
        let authority = user.map_or(authority, |at| &authority[at + 1..]);
        let (host, port) = match authority.iter().position(|&byte| byte == b'[') {
            Some(open) => {
                let literal = &authority[open + 1..];
                let close = literal.iter().position(|&byte| byte == b']');
                let close = close.unwrap_or(literal.len());
                let behind = literal.get(close + 1..).unwrap_or_default();
                (&literal[..close], split_at_colon(behind).1)
            }
            None => split_at_colon(authority),
        };
        self.host = host.to_ascii_lowercase();
        if let Some(port) = port {
            let are_digits = !port.is_empty() && port.iter().all(u8::is_ascii_digit);
            let number = std::str::from_utf8(port).ok().filter(|_| are_digits)?;
            self.port = Some(number.parse().ok()?).filter(|&port| port > 0);
        }
        Some(())
    }

    fn canonicalize(&mut self) {
        let host = unescaped(&self.host);
        let mut host = if host.is_ascii() {
            host
        } else {
            in_ascii(host)
        };
        host = without_doubled_dots(&host);
        host = match address(&host) {
            Some(address) => address,
            None => escaped(&host.to_ascii_lowercase()).to_ascii_lowercase(),
        };
        let mut path = unescaped(&self.path);
        if !host.is_empty() {
            path = without_dots(&path);
        }
        self.path = escaped(&path).to_ascii_lowercase();
        strip_path_session(&mut self.path);
        if self.path.len() > 1 && self.path.ends_with(b"/") {
            self.path.pop();
        }
        let mut query = escaped(&unescaped(&self.query));
        strip_query_sessions(&mut query);
        self.query = sorted(&query.to_ascii_lowercase());
        if self.scheme != b"dns" {
            host.drain(..www_len(&host));
        }
        self.host = host;
        let default = match &self.scheme.to_ascii_lowercase()[..] {
            b"http" => Some(80),
            b"https" => Some(443),
            _ => None,
        };
        self.port = self.port.filter(|port| Some(*port) != default);
    }

    fn written(&self) -> Vec<u8> {
        let mut key = Vec::new();
        if self.host.is_empty() {
            key.extend_from_slice(&self.scheme);
            key.push(b':');
        } else {
            let labels = self.host.split(|&byte| byte == b'.').rev();
            key.extend(labels.collect::<Vec<_>>().join(&b','));
            if let Some(port) = self.port {
                key.extend_from_slice(format!(":{port}").as_bytes());
            }
            key.push(b')');
        }
        key.extend_from_slice(&self.path);
        if !self.query.is_empty() {
            if self.path.is_empty() {
                key.push(b'/');
            }
            key.push(b'?');
            key.extend_from_slice(&self.query);
        }
        key
    }
}

fn split_at_colon(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    match text.iter().position(|&byte| byte == b':') {
        Some(colon) => (&text[..colon], Some(&text[colon + 1..])),
        None => (text, None),
    }
}

/// Unescapes until nothing changes. Linear: no escape overlaps another, so their order is of no matter.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let mut plain: Vec<u8> = Vec::with_capacity(text.len());
    for &byte in text {
        plain.push(byte);
        while let [.., b'%', high, low] = plain[..]
            && let Some((high, low)) = digit(high).zip(digit(low))
        {
            plain.truncate(plain.len() - 3);
            plain.extend(u8::try_from(high << 4 | low));
        }
    }
    plain
}

/// Escapes all but visible ASCII, and `#` and `%`.
fn escaped(text: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(text.len());
    for &byte in text {
        if byte.is_ascii_graphic() && !matches!(byte, b'#' | b'%') {
            escaped.push(byte);
        } else {
            escaped.extend_from_slice(format!("%{byte:02X}").as_bytes());
        }
    }
    escaped
}

/// A host in Punycode, if it has that form.
fn in_ascii(host: Vec<u8>) -> Vec<u8> {
    let text: String = String::from_utf8_lossy(&host).replace('\u{FFFD}', "");
    let iri = format!("http://{text}/");
    let mapped = ToUri::default().map(&iri);
    let own = mapped.ok().and_then(|mapped| {
        let own = mapped.text.strip_prefix("http://")?.strip_suffix('/')?;
        own.is_ascii().then(|| own.as_bytes().to_vec())
    });
    own.unwrap_or(host)
}

/// Each two dots become one, and those at the ends go.
fn without_doubled_dots(host: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(host.len());
    let mut rest = host;
    while let Some(&byte) = rest.first() {
        rest = &rest[if rest.starts_with(b"..") { 2 } else { 1 }..];
        kept.push(byte);
    }
    let dots = kept.iter().take_while(|&&byte| byte == b'.').count();
    kept.drain(..dots);
    while kept.ends_with(b".") {
        kept.pop();
    }
    kept
}

/// The dotted form of an IPv4 address in any of its forms: one to four numbers, decimal or octal, of which the last
/// one fills the remaining bytes.
fn address(host: &[u8]) -> Option<Vec<u8>> {
    let dotted = |number: u32| std::net::Ipv4Addr::from(number).to_string().into_bytes();
    if !host.is_empty() && host.iter().all(u8::is_ascii_digit) {
        // Longer numbers wrap around.
        let add = |number: u32, &digit: &u8| {
            let digit = u32::from(digit - b'0');
            number.wrapping_mul(10).wrapping_add(digit)
        };
        return Some(dotted(host.iter().fold(0, add)));
    }
    let parts: Vec<&[u8]> = host.split(|&byte| byte == b'.').collect();
    let (last, first) = parts.split_last().filter(|_| parts.len() <= 4)?;
    let mut number = 0_u32;
    for (at, part) in first.iter().enumerate() {
        let byte = u8::try_from(octal_or_decimal(part)?).ok()?;
        number |= u32::from(byte) << (24 - 8 * at);
    }
    let last = octal_or_decimal(last)?;
    let room = 32 - 8 * first.len() as u32;
    let fits = room == 32 || last >> room == 0;
    fits.then(|| dotted(number | last))
}

fn octal_or_decimal(digits: &[u8]) -> Option<u32> {
    let are_digits = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(digits).ok().filter(|_| are_digits)?;
    let radix = if text.starts_with('0') { 8 } else { 10 };
    u32::from_str_radix(text, radix).ok()
}

/// A path without `.`, `..` and doubled slashes. A `..` that leads above the root stays.
fn without_dots(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in path.split(|&byte| byte == b'/').skip(1) {
        match segment {
            b"." => {}
            b".." if kept.pop().is_some() => {}
            _ => kept.push(segment),
        }
    }
    let mut path = b"/".to_vec();
    if let Some((last, first)) = kept.split_last() {
        for segment in first.iter().filter(|segment| !segment.is_empty()) {
            path.extend_from_slice(segment);
            path.push(b'/');
        }
        path.extend_from_slice(last);
    }
    path
}

/// Removes the session of ASP.NET from a path: a segment `(…)` of 24 letters, or of several such values with a letter
/// in front of each, with a page behind it. The last such segment goes.
fn strip_path_session(path: &mut Vec<u8>) {
    for session in [
        lettered_session as fn(&[u8]) -> Option<usize>,
        plain_session,
    ] {
        // The last name of a page in front of the next `?`.
        let mut page = None;
        let found = (0..path.len()).rev().find_map(|at| {
            match path[at] {
                b'?' => page = None,
                b'.' if path[at..].starts_with(b".aspx") => page = page.or(Some(at)),
                _ => {}
            }
            let begin = at + 1;
            let len = session(&path[begin..]).filter(|_| path[at] == b'/')?;
            let has_page = page.is_some_and(|page| page > begin + len);
            has_page.then_some(begin..begin + len)
        });
        if let Some(session) = found {
            path.drain(session);
        }
    }
}

/// The length of `(a(…)b(…))/`.
fn lettered_session(text: &[u8]) -> Option<usize> {
    let mut rest = text.strip_prefix(b"(")?;
    let mut count = 0;
    while let Some(behind) = Letters::Alphabetic(1).skip(rest)
        && let Some(behind) = behind.strip_prefix(b"(")
        && let Some(behind) = Letters::AlphaNumeric(24).skip(behind)
        && let Some(behind) = behind.strip_prefix(b")")
    {
        rest = behind;
        count += 1;
    }
    let rest = rest.strip_prefix(b")/").filter(|_| count > 0)?;
    Some(text.len() - rest.len())
}

/// The length of `(…)/`.
fn plain_session(text: &[u8]) -> Option<usize> {
    let rest = Letters::AlphaNumeric(24).skip(text.strip_prefix(b"(")?)?;
    Some(text.len() - rest.strip_prefix(b")/")?.len())
}

/// Removes the last field of each kind that identifies a session from a query.
fn strip_query_sessions(query: &mut Vec<u8>) {
    for (name, letters) in SESSIONS {
        strip_last(query, &|text| letters.skip(without_name(text, name)?));
    }
    strip_last(query, &|text| {
        let rest = Letters::Alphabetic(8).skip(without_name(text, b"aspsessionid")?)?;
        Letters::Alphabetic(24).skip(rest.strip_prefix(b"=")?)
    });
    strip_tokens(query);
}

/// Removes the last `cfid=…&cftoken=…`.
fn strip_tokens(query: &mut Vec<u8>) {
    const NAME: &[u8] = b"cfid=";
    let mut end = query.len();
    let mut token = None;
    for argument in query.rsplit(|&byte| byte == b'&') {
        let begin = end - argument.len();
        if let Some(token_end) = token {
            let mut starts = (0..argument.len().saturating_sub(NAME.len())).rev();
            let start = starts.find(|&at| without_name(&argument[at..], NAME).is_some());
            if let Some(start) = start {
                let behind = query.len().min(token_end + 1);
                query.drain(begin + start..behind);
                return;
            }
        }
        let value = without_name(argument, b"cftoken=");
        token = value.filter(|value| !value.is_empty()).map(|_| end);
        end = begin.saturating_sub(1);
    }
}

/// The text behind a name, which is in lower case.
fn without_name<'t>(text: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    let (own, rest) = text.split_at_checked(name.len())?;
    own.eq_ignore_ascii_case(name).then_some(rest)
}

/// Removes the last field that `skip` goes past, with the `&` behind it.
fn strip_last(query: &mut Vec<u8>, skip: &dyn Fn(&[u8]) -> Option<&[u8]>) {
    let found = (0..query.len()).rev().find_map(|at| {
        let rest = skip(&query[at..])?;
        let end = query.len() - rest.len();
        match rest.first() {
            None => Some(at..end),
            Some(b'&') => Some(at..end + 1),
            Some(_) => None,
        }
    });
    if let Some(field) = found {
        query.drain(field);
    }
}

/// The arguments of a query in their order, by name and then by value.
fn sorted(query: &[u8]) -> Vec<u8> {
    let arguments = query.split(|&byte| byte == b'&');
    let mut arguments: Vec<_> = arguments.map(split_at_equals).collect();
    arguments.sort();
    let written = arguments.into_iter().map(|(name, value)| match value {
        Some(value) => [name, b"=", value].concat(),
        None => name.to_vec(),
    });
    written.collect::<Vec<_>>().join(&b'&')
}

fn split_at_equals(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    match text.iter().position(|&byte| byte == b'=') {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

/// The length of `www.`, or `www2.`, in front of a host.
fn www_len(host: &[u8]) -> usize {
    let Some(rest) = host.strip_prefix(b"www") else {
        return 0;
    };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_label = rest.get(digits) == Some(&b'.');
    if is_label { 3 + digits + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// URIs with the keys that the Python package `surt` gives them.
    #[test]
    fn keys_are_those_of_other_programs() {
        for row in include_str!("keys.txt").lines() {
            let (uri, key) = row.split_once(' ').unwrap();
            assert_eq!(String::from_utf8_lossy(&surt(uri.as_bytes())), key, "{uri}");
        }
        for (uri, key) in [
            ("", "-"),
            (" http://a.example/b c\n", "example,a)/b%20c"),
            ("http://bücher.example/ü", "example,xn--bcher-kva)/%c3%bc"),
            ("filedesc://x.arc", "filedesc://x.arc"),
        ] {
            assert_eq!(String::from_utf8_lossy(&surt(uri.as_bytes())), key);
        }
    }

    /// Long URIs take no more than linear work.
    #[test]
    fn hostile_uris_end() {
        for part in [
            "%25",
            "cfid=",
            "cfid=1&",
            "/(0123456789abcdefghijklmn)",
            "sid=",
            "../",
            "%",
            ".aspx?",
            "a=&",
        ] {
            for begin in ["http://a.example/", "http://a.example/?", "http://", "x:"] {
                let uri = begin.to_owned() + &part.repeat(100_000);
                assert!(!surt(uri.as_bytes()).is_empty());
            }
        }
    }
}
