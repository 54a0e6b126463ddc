//! The parts of a content line (RFC 5545 3.1, RFC 6350 3.3): name, parameters, value.

use std::ops::Range;

/// The parts of a content line in front of its value (RFC 5545 3.1, RFC 6350 3.3), as ranges of the line.
///
/// ```
/// use linkglot_layer::PropertyHead;
///
/// let line = b"item1.URL;TYPE=work:http://example.org/";
/// let head = PropertyHead::of(line).unwrap();
/// assert_eq!(&line[head.name.clone()], b"URL");
/// assert_eq!(head.value_of(line, "type"), Some(&b"work"[..]));
/// assert_eq!(&line[head.value..], b"http://example.org/");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PropertyHead {
    /// The name of the property, without its group.
    pub name: Range<usize>,
    /// The values of all parameters.
    pub parameters: Vec<Parameter>,
    /// The start of the value.
    pub value: usize,
}

/// A value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name; empty for a value without a name, as in vCard 2.1 (`;BASE64`).
    pub name: Range<usize>,
    /// The value, without its quotation marks.
    pub value: Range<usize>,
    /// True if the value stands in quotation marks.
    pub is_quoted: bool,
}

impl PropertyHead {
    /// The head of a line; `None` for a line that is no content line. Linear in the length of the head.
    pub fn of(line: &[u8]) -> Option<PropertyHead> {
        let end = line.iter().position(|byte| matches!(byte, b':' | b';'))?;
        let group = line[..end].iter().rposition(|&byte| byte == b'.');
        let is_name =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let name = group.map_or(0, |dot| dot + 1)..end;
        if name.is_empty() || !line[..end].iter().all(is_name) {
            return None;
        }
        let mut head = PropertyHead {
            name,
            ..PropertyHead::default()
        };
        let mut at = end;
        while *line.get(at)? == b';' {
            at = head.parameter(line, at + 1)?;
        }
        head.value = at + 1;
        Some(head)
    }

    /// Reads a parameter; returns its end.
    fn parameter(&mut self, line: &[u8], begin: usize) -> Option<usize> {
        let (name, mut at) = match until(line, begin, b"=;:,")? {
            end if line[end] == b'=' => (begin..end, end + 1),
            _ => (begin..begin, begin),
        };
        loop {
            let is_quoted = line.get(at) == Some(&b'"');
            let (value, end) = if is_quoted {
                let end = until(line, at + 1, b"\"")?;
                (at + 1..end, until(line, end + 1, b",;:")?)
            } else {
                let end = until(line, at, b",;:")?;
                (at..end, end)
            };
            self.parameters.push(Parameter {
                name: name.clone(),
                value,
                is_quoted,
            });
            at = end + 1;
            if line[end] != b',' {
                return Some(end);
            }
        }
    }

    /// The first value of a parameter.
    pub fn value_of<'l>(&self, line: &'l [u8], name: &str) -> Option<&'l [u8]> {
        let mut parameters = self.parameters.iter();
        let found = parameters
            .find(|parameter| line[parameter.name.clone()].eq_ignore_ascii_case(name.as_bytes()))?;
        Some(&line[found.value.clone()])
    }

    /// True if the value is in one of these encodings. In vCard 2.1 the parameter may have no name.
    pub fn is_encoded(&self, line: &[u8], encodings: &[&str]) -> bool {
        self.parameters.iter().any(|parameter| {
            let name = &line[parameter.name.clone()];
            let value = &line[parameter.value.clone()];
            let mut encodings = encodings.iter();
            (name.is_empty() || name.eq_ignore_ascii_case(b"encoding"))
                && encodings.any(|known| value.eq_ignore_ascii_case(known.as_bytes()))
        })
    }

    /// True if the value is in quoted-printable.
    pub fn is_quoted_printable(&self, line: &[u8]) -> bool {
        self.is_encoded(line, &["quoted-printable"])
    }
}

/// The first position from `from` on of one of the bytes `ends`.
fn until(line: &[u8], from: usize, ends: &[u8]) -> Option<usize> {
    let rest = line.get(from..)?;
    let found = rest.iter().position(|byte| ends.contains(byte))?;
    Some(from + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name, the parameters and the value of a line.
    fn parts(line: &str) -> Option<String> {
        let head = PropertyHead::of(line.as_bytes())?;
        let mut shown = line[head.name.clone()].to_owned();
        for parameter in &head.parameters {
            let (name, value) = (
                &line[parameter.name.clone()],
                &line[parameter.value.clone()],
            );
            let mark = if parameter.is_quoted { "'" } else { "" };
            shown += &format!(" {name}={mark}{value}{mark}");
        }
        Some(format!("{shown} | {}", &line[head.value..]))
    }

    #[test]
    fn heads() {
        for (line, expected) in [
            ("URL:http://a.example/", Some("URL | http://a.example/")),
            ("item1.url;TYPE=a:b", Some("url TYPE=a | b")),
            ("A;B=\"c;:,d\",e,\"f\":g", Some("A B='c;:,d' B=e B='f' | g")),
            ("A;B=\"c\"d;E=:f", Some("A B='c' E= | f")),
            ("PHOTO;BASE64;X:y", Some("PHOTO =BASE64 =X | y")),
            ("A:", Some("A | ")),
            ("A;B=\"c:d", None),
            ("A;B=c", None),
            ("see http://a.example/", None),
            (":a", None),
            ("", None),
        ] {
            assert_eq!(parts(line).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn encodings() {
        for (line, expected) in [
            ("A;ENCODING=quoted-printable:b", true),
            ("A;Quoted-Printable:b", true),
            ("A;X=QUOTED-PRINTABLE:b", false),
            ("A;X=\";QUOTED-PRINTABLE\":b", false),
            ("A:;QUOTED-PRINTABLE", false),
        ] {
            let head = PropertyHead::of(line.as_bytes()).unwrap();
            assert_eq!(
                head.is_quoted_printable(line.as_bytes()),
                expected,
                "{line}"
            );
        }
        let line = b"A;CHARSET=x;charset=y:b";
        let head = PropertyHead::of(line).unwrap();
        assert_eq!(head.value_of(line, "CHARSET"), Some(&b"x"[..]));
    }
}
