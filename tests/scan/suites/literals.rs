//! Reads enough of C++, Go, JavaScript, Perl, PHP, Python, Ruby and Rust for the tables of their tests: words, strings,
//! and the characters between. Adjacent strings, also with an operator that joins strings between them, are joined.

#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Text(String),
    Word(String),
    Mark(char),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Language {
    Cpp,
    Go,
    JavaScript,
    Perl,
    Php,
    Python,
    Ruby,
    Rust,
}

pub fn tokens(source: &str, language: Language) -> Vec<Token> {
    let (mut out, mut rest) = (Vec::new(), source);
    while let Some(ch) = rest.chars().next() {
        if let Some(after) = comment(rest, language) {
            rest = after;
        } else if let Some((text, after)) = literal(rest, language) {
            push(&mut out, text, language);
            rest = after;
        } else if ch.is_alphanumeric() || ch == '_' {
            let end = rest
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len());
            out.push(Token::Word(rest[..end].to_owned()));
            rest = &rest[end..];
        } else {
            if !ch.is_whitespace() {
                out.push(Token::Mark(ch));
            }
            rest = &rest[ch.len_utf8()..];
        }
    }
    out
}

fn push(out: &mut Vec<Token>, text: String, language: Language) {
    let plus = match language {
        Language::Perl | Language::Php => Some('.'),
        Language::JavaScript => Some('+'),
        // A line that goes on.
        Language::Ruby => Some('\\'),
        _ => None,
    };
    if let [.., Token::Text(_), Token::Mark(mark)] = out.as_slice()
        && Some(*mark) == plus
    {
        out.pop();
    }
    let beside = matches!(language, Language::Cpp | Language::Python) || plus.is_some();
    match out.last_mut() {
        Some(Token::Text(before)) if beside => before.push_str(&text),
        _ => out.push(Token::Text(text)),
    }
}

fn comment(rest: &str, language: Language) -> Option<&str> {
    let line = match language {
        Language::Perl | Language::Python | Language::Ruby => "#",
        _ => "//",
    };
    if rest.starts_with(line) {
        return Some(&rest[rest.find('\n').unwrap_or(rest.len())..]);
    }
    let inner = rest.strip_prefix("/*").filter(|_| line == "//")?;
    Some(&inner[inner.find("*/").map_or(inner.len(), |i| i + 2)..])
}

/// The string literal at the start, and the rest.
fn literal(rest: &str, language: Language) -> Option<(String, &str)> {
    use Language::*;
    if language == Python && (rest.starts_with("\"\"\"") || rest.starts_with("'''")) {
        let end = rest[3..].find(&rest[..3])?;
        return Some((unescaped(&rest[3..3 + end], false), &rest[end + 6..]));
    }
    if language == Perl
        && let Some(open) = rest.strip_prefix('q').and_then(|r| r.chars().next())
        && let Some(close) = [('|', '|'), ('{', '}')].iter().find(|p| p.0 == open)
    {
        let end = rest[2..].find(close.1)?;
        return Some((rest[2..2 + end].to_owned(), &rest[end + 3..]));
    }
    // A raw string keeps its backslashes, and a quote behind one does not end it.
    if let Some(raw) = rest.strip_prefix('r').filter(|_| language == Python)
        && let Some(quote) = raw.chars().next().filter(|ch| matches!(ch, '"' | '\''))
    {
        let end = closing(&raw[1..], quote)?;
        return Some((raw[1..=end].to_owned(), &raw[end + 2..]));
    }
    let quote = rest.chars().next()?;
    match (quote, language) {
        ('"', _) | ('\'', JavaScript | Perl | Php | Python | Ruby) => {}
        ('`', Go) => {
            let end = rest[1..].find('`')?;
            return Some((rest[1..=end].to_owned(), &rest[end + 2..]));
        }
        _ => return None,
    }
    let end = closing(&rest[1..], quote)?;
    let raw = &rest[1..=end];
    let text = match (quote, language) {
        ('\'', Perl) => raw.to_owned(),
        ('\'', Php | Ruby) => raw.replace("\\'", "'").replace("\\\\", "\\"),
        _ => unescaped(raw, false),
    };
    Some((text, &rest[end + 2..]))
}

fn closing(rest: &str, quote: char) -> Option<usize> {
    let mut skip = false;
    for (i, ch) in rest.char_indices() {
        match ch {
            _ if skip => skip = false,
            '\\' => skip = true,
            _ if ch == quote => return Some(i),
            _ => {}
        }
    }
    None
}

fn unescaped(raw: &str, verbatim: bool) -> String {
    let (mut out, mut rest) = (String::new(), raw);
    while let Some(at) = rest.find('\\').filter(|_| !verbatim) {
        out.push_str(&rest[..at]);
        let mut chars = rest[at + 1..].chars();
        let number = |rest: &str, from: usize, to: usize| {
            let digits = rest.get(from..to).unwrap_or("").trim_matches(['{', '}']);
            u32::from_str_radix(digits, 16)
                .ok()
                .and_then(char::from_u32)
        };
        let (unit, len) = match chars.next() {
            Some('n') => ('\n', 2),
            Some('t') => ('\t', 2),
            Some('r') => ('\r', 2),
            Some('0') => ('\0', 2),
            Some('x') => (number(rest, at + 2, at + 4).unwrap_or('?'), 4),
            Some('u') if chars.next() == Some('{') => {
                let end = rest[at..].find('}').unwrap_or(3);
                (number(rest, at + 2, at + end + 1).unwrap_or('?'), end + 1)
            }
            Some('u') => (number(rest, at + 2, at + 6).unwrap_or('?'), 6),
            Some('U') => (number(rest, at + 2, at + 10).unwrap_or('?'), 10),
            // An escaped line end is left out.
            Some('\n') => {
                rest = rest[at + 2..].trim_start();
                continue;
            }
            Some(ch) => (ch, 1 + ch.len_utf8()),
            None => break,
        };
        out.push(unit);
        rest = &rest[(at + len).min(rest.len())..];
    }
    out + rest
}

/// The texts of the `<a>` elements of an HTML fragment.
pub fn anchors(html: &str) -> Vec<String> {
    html.split("<a ")
        .skip(1)
        .filter_map(|part| {
            let start = tag_end(part)? + 1;
            let end = part.find("</a>")?;
            Some(plain(part.get(start..end)?))
        })
        .collect()
}

/// The targets of the `<a>` elements of an HTML fragment that was made of a text. An address that the text has without
/// `mailto:` is given without it.
pub fn targets(text: &str, html: &str) -> Vec<String> {
    let elements = html.split("<a ").skip(1);
    let targets = elements.filter_map(|part| {
        let tag = part.get(..tag_end(part)?)?;
        Some(plain(tag.split("href=\"").nth(1)?.split('"').next()?))
    });
    let as_written = |target: String| match target.strip_prefix("mailto:") {
        Some(address) if !text.contains(&target) => address.to_owned(),
        _ => target,
    };
    targets.map(as_written).collect()
}

/// The `>` that ends a tag, outside of quotes.
fn tag_end(part: &str) -> Option<usize> {
    let mut quote = None;
    part.char_indices().find_map(|(i, ch)| {
        match quote {
            Some(q) if q == ch => quote = None,
            None if ch == '"' || ch == '\'' => quote = Some(ch),
            None if ch == '>' => return Some(i),
            _ => {}
        }
        None
    })
}

fn plain(html: &str) -> String {
    let names = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#x27;", "'"),
        ("&#39;", "'"),
        ("&#38;", "&"),
        ("&nbsp;", "\u{A0}"),
        ("&amp;", "&"),
    ];
    names
        .iter()
        .fold(html.to_owned(), |text, (name, ch)| text.replace(name, ch))
}
