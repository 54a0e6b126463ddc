//! Patterns of the files that git ignores (gitignore(5)), matched byte by byte as git does.

/// The patterns of a list, in their order.
#[derive(Debug, Default)]
pub(super) struct Patterns(Vec<Pattern>);

/// A line of a list.
#[derive(Debug)]
struct Pattern {
    /// True behind `!`: what matches is not ignored.
    is_negative: bool,
    /// True if only directories match.
    is_of_directories: bool,
    /// True without a slash within: the name of the file matches, in any directory.
    is_name: bool,
    /// The bytes in front of the first special one. Git compares them on their own, so that `**` in `x**/y` begins a
    /// pattern.
    prefix: Vec<u8>,
    rest: Vec<Token>,
}

/// A part of a pattern.
#[derive(Debug)]
enum Token {
    /// A byte. One behind a backslash keeps its case.
    Byte(u8, Case),
    /// `?`: a byte but a slash.
    One,
    Set(Set),
    /// `*`: any bytes but slashes.
    Many,
    /// `**` at the end of a path: any bytes.
    All,
    /// `**/`: any number of directories.
    Directories,
    /// Nothing: a set without an end, or of an unknown class.
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Folded,
    Kept,
}

/// A set of bytes, in brackets. It never has the slash.
#[derive(Debug)]
struct Set {
    is_negated: bool,
    members: Vec<Member>,
}

#[derive(Debug)]
enum Member {
    Byte(u8),
    Range(u8, u8),
    Class(&'static Class),
}

/// The comparison of upper-case and lower-case letters (`core.ignoreCase`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LetterCase {
    Counts,
    Ignored,
}

/// A class of POSIX: its name, and its bytes.
type Class = (&'static str, fn(u8) -> bool);

/// The classes, in ASCII alone. Git has no vertical tab and no form feed among spaces.
static CLASSES: [Class; 12] = [
    ("alnum", |byte| byte.is_ascii_alphanumeric()),
    ("alpha", |byte| byte.is_ascii_alphabetic()),
    ("blank", |byte| matches!(byte, b' ' | b'\t')),
    ("cntrl", |byte| byte.is_ascii_control()),
    ("digit", |byte| byte.is_ascii_digit()),
    ("graph", |byte| byte.is_ascii_graphic()),
    ("lower", |byte| byte.is_ascii_lowercase()),
    ("print", |byte| byte == b' ' || byte.is_ascii_graphic()),
    ("punct", |byte| byte.is_ascii_punctuation()),
    ("space", |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')),
    ("upper", |byte| byte.is_ascii_uppercase()),
    ("xdigit", |byte| byte.is_ascii_hexdigit()),
];

impl Patterns {
    /// The patterns of a file, in any charset.
    pub fn of(file: &[u8]) -> Self {
        let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
        let lines = file.split(|&byte| byte == b'\n');
        Patterns(lines.filter_map(Pattern::of_line).collect())
    }

    /// The decision about a path, if a pattern matches: the last one counts. The path is that below the directory of
    /// the list, with slashes.
    pub fn decision(&self, path: &[u8], is_dir: bool, case: LetterCase) -> Option<bool> {
        let mut patterns = self.0.iter().rev();
        let matching = patterns.find(|pattern| pattern.matches(path, is_dir, case));
        matching.map(|pattern| !pattern.is_negative)
    }
}

impl Pattern {
    fn of_line(line: &[u8]) -> Option<Self> {
        if line.is_empty() || line[0] == b'#' {
            return None;
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // Git has a string of C here.
        let line = line.split(|&byte| byte == 0).next().unwrap_or_default();
        let line = without_blanks(line);
        let positive = line.strip_prefix(b"!");
        let is_negative = positive.is_some();
        let line = positive.unwrap_or(line);
        let of_directories = line.strip_suffix(b"/");
        let is_of_directories = of_directories.is_some();
        let line = of_directories.unwrap_or(line);
        let is_name = !line.contains(&b'/');
        let line = line.strip_prefix(b"/").unwrap_or(line);
        let is_special = |byte: &u8| matches!(byte, b'*' | b'?' | b'[' | b'\\');
        let special = line.iter().position(is_special).unwrap_or(line.len());
        let (prefix, rest) = line.split_at(special);
        Some(Pattern {
            is_negative,
            is_of_directories,
            is_name,
            prefix: prefix.to_vec(),
            rest: tokens(rest),
        })
    }

    fn matches(&self, path: &[u8], is_dir: bool, case: LetterCase) -> bool {
        if self.is_of_directories && !is_dir {
            return false;
        }
        let name = || path.rsplit(|&byte| byte == b'/').next();
        let text = name().filter(|_| self.is_name).unwrap_or(path);
        let Some((begin, text)) = text.split_at_checked(self.prefix.len()) else {
            return false;
        };
        let is_begin = match case {
            LetterCase::Ignored => begin.eq_ignore_ascii_case(&self.prefix),
            LetterCase::Counts => begin == self.prefix,
        };
        is_begin && matches(&self.rest, text, case)
    }
}

/// A line without the blanks at its end, unless a backslash keeps one.
fn without_blanks(line: &[u8]) -> &[u8] {
    let (mut at, mut end) = (0, 0);
    while at < line.len() {
        let is_blank = line[at] == b' ';
        at += if line[at] == b'\\' { 2 } else { 1 };
        if !is_blank {
            end = at.min(line.len());
        }
    }
    &line[..end]
}

/// The parts of a pattern, from its first special byte on.
fn tokens(pattern: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = pattern.get(at) {
        at += 1;
        tokens.push(match byte {
            b'?' => Token::One,
            b'*' => {
                let begin = at - 1;
                let more = pattern[at..].iter().take_while(|&&byte| byte == b'*');
                at += more.count();
                let begins = begin == 0 || pattern[begin - 1] == b'/';
                match &pattern[at..] {
                    _ if at - begin == 1 || !begins => Token::Many,
                    [] | [b'\\', b'/', ..] => Token::All,
                    [b'/', ..] => {
                        at += 1;
                        Token::Directories
                    }
                    _ => Token::Many,
                }
            }
            b'[' => match set(pattern, &mut at) {
                Some(set) => Token::Set(set),
                None => return vec![Token::Never],
            },
            b'\\' => {
                let escaped = pattern.get(at);
                at += 1;
                escaped.map_or(Token::Never, |&byte| Token::Byte(byte, Case::Kept))
            }
            byte => Token::Byte(byte, Case::Folded),
        });
    }
    tokens
}

/// Reads a set behind its bracket. `None` for one that matches nothing.
fn set(pattern: &[u8], at: &mut usize) -> Option<Set> {
    let is_negated = matches!(pattern.get(*at), Some(b'!' | b'^'));
    *at += usize::from(is_negated);
    let mut members = Vec::new();
    // The byte that may begin a range, if the last member is a byte.
    let mut last = None;
    loop {
        let byte = *pattern.get(*at)?;
        *at += 1;
        let behind = pattern.get(*at);
        match byte {
            b']' if !members.is_empty() => {
                return Some(Set {
                    is_negated,
                    members,
                });
            }
            b'-' if last.is_some() && behind.is_some_and(|&byte| byte != b']') => {
                let to = escaped(pattern, at)?;
                members.push(Member::Range(last.take()?, to));
                continue;
            }
            b'[' if behind == Some(&b':') => {
                let name = &pattern[*at + 1..];
                let end = name.iter().position(|&byte| byte == b']')?;
                if let Some(name) = name[..end].strip_suffix(b":") {
                    let mut classes = CLASSES.iter();
                    let class = classes.find(|(known, _)| known.as_bytes() == name)?;
                    members.push(Member::Class(class));
                    *at += 1 + end + 1;
                    last = None;
                    continue;
                }
                last = Some(byte);
            }
            b'\\' => {
                *at -= 1;
                last = Some(escaped(pattern, at)?);
            }
            byte => last = Some(byte),
        }
        members.extend(last.map(Member::Byte));
    }
}

/// Reads a byte of a set, which a backslash may stand in front of.
fn escaped(pattern: &[u8], at: &mut usize) -> Option<u8> {
    *at += usize::from(pattern.get(*at) == Some(&b'\\'));
    let byte = pattern.get(*at).copied();
    *at += 1;
    byte
}

impl Set {
    /// True if the set has a byte: one in lower case, if case does not count.
    fn has(&self, byte: u8, case: LetterCase) -> bool {
        let upper = Some(byte.to_ascii_uppercase());
        let upper = upper.filter(|_| case == LetterCase::Ignored && byte.is_ascii_lowercase());
        let is_it = |member: &Member| match *member {
            Member::Byte(own) => own == byte,
            Member::Range(from, to) => {
                let is_within = |byte| (from..=to).contains(&byte);
                is_within(byte) || upper.is_some_and(is_within)
            }
            Member::Class((name, has)) => has(byte) || (*name == "upper" && upper.is_some()),
        };
        byte != b'/' && self.members.iter().any(is_it) != self.is_negated
    }
}

/// True if the parts match all of a text. Takes the product of both lengths at most: the places of the text that can be
/// reached go from part to part.
fn matches(tokens: &[Token], text: &[u8], case: LetterCase) -> bool {
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    for token in tokens {
        match token {
            Token::Many | Token::All => {
                let is_all = matches!(token, Token::All);
                for at in 1..=text.len() {
                    reached[at] |= reached[at - 1] && (is_all || text[at - 1] != b'/');
                }
            }
            Token::Directories => {
                let mut is_behind = false;
                for at in 1..=text.len() {
                    is_behind |= reached[at - 1];
                    reached[at] |= is_behind && text[at - 1] == b'/';
                }
            }
            token => {
                for at in (1..=text.len()).rev() {
                    reached[at] = reached[at - 1] && token.is_one(text[at - 1], case);
                }
                reached[0] = false;
            }
        }
        if !reached.contains(&true) {
            return false;
        }
    }
    reached.ends_with(&[true])
}

impl Token {
    /// True for a part that matches this byte.
    fn is_one(&self, byte: u8, case: LetterCase) -> bool {
        let folded = |byte: u8| {
            if case == LetterCase::Ignored {
                byte.to_ascii_lowercase()
            } else {
                byte
            }
        };
        match self {
            Token::Byte(own, Case::Folded) => folded(*own) == folded(byte),
            // As in git: an upper letter behind a backslash matches nothing then.
            Token::Byte(own, Case::Kept) => *own == folded(byte),
            Token::One => byte != b'/',
            Token::Set(set) => set.has(folded(byte), case),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The decisions are those of `git check-ignore`; `.ci/ignored` asks it for many more.
    #[test]
    fn decisions_are_those_of_git() {
        let of = |list: &[u8], path: &str| {
            let patterns = Patterns::of(list);
            let (path, is_dir) = match path.strip_suffix('/') {
                Some(path) => (path, true),
                None => (path, false),
            };
            patterns.decision(path.as_bytes(), is_dir, LetterCase::Counts)
        };
        let ignored: [(&[u8], &str); 32] = [
            (b"# caf\xE9\nbuild/\n", "build/"),
            (b"\xE9*\n*.o", "a.o"),
            (b"\xEF\xBB\xBFa", "a"),
            (b"a\r\n", "x/a"),
            (b"a\0b\n", "a"),
            (b"a  \n", "a"),
            (b"a\\  \n", "a "),
            (b"\\#a", "#a"),
            (b"\\!a", "!a"),
            (b"/a", "a"),
            (b"x/a", "x/a"),
            (b"[[:digit:]]d", "1d"),
            (b"[^[:alpha:]_]d", "1d"),
            (b"[\\]a]q", "]q"),
            (b"[]a]q", "]q"),
            (b"[a\\-c]q", "-q"),
            (b"[a-c-e]q", "eq"),
            (b"[a-\\c]q", "bq"),
            (b"[a-]q", "-q"),
            (b"[[:a]q", ":q"),
            (b"x**/a", "x/a"),
            (b"x**/a", "xy/z/a"),
            (b"***/a", "x/y/a"),
            (b"**/a", "a"),
            (b"x/**/a", "x/a"),
            (b"x/**/a", "x/y/z/a"),
            (b"x/**", "x/y/z"),
            (b"x/**\\/a", "x/y/a"),
            (b"x\\/a", "x/a"),
            (b"{a,b}q", "{a,b}q"),
            (b"a\t", "a\t"),
            (b"!a\na", "a"),
        ];
        for (list, path) in ignored {
            assert_eq!(of(list, path), Some(true), "{} {path}", list.escape_ascii());
        }
        let other: [(&[u8], &str, Option<bool>); 22] = [
            (b"{a,b}q", "aq", None),
            (b"a\t", "a", None),
            (b"[a\\-c]q", "bq", None),
            (b"[a-c-e]q", "dq", None),
            (b"[[:foo:]a]q", "aq", None),
            (b"[a", "[a", None),
            (b"[", "[", None),
            (b"a\\", "a\\", None),
            (b"a\\", "a", None),
            (b"x[/]a", "x/a", None),
            (b"x[!b]a", "x/a", None),
            (b"x?a", "x/a", None),
            (b"x/*", "x/y/a", None),
            (b"x/**\\/a", "x/a", None),
            (b"a**b/c", "a/b/c", None),
            (b"build/", "build", None),
            (b"/a", "x/a", None),
            (b"x/**", "x/", None),
            (b"!", "a", None),
            (b"/", "a/", None),
            (b"\r\n", "a", None),
            (b"a\n!a", "x/a", Some(false)),
        ];
        for (list, path, decision) in other {
            assert_eq!(of(list, path), decision, "{} {path}", list.escape_ascii());
        }
    }

    #[test]
    fn lists_that_ignore_case() {
        let is_ignored = |list: &str, path: &str| {
            let decision =
                Patterns::of(list.as_bytes()).decision(path.as_bytes(), false, LetterCase::Ignored);
            decision == Some(true)
        };
        for (list, path) in [
            ("aB*c", "AbxC"),
            ("*.HTML", "a.html"),
            ("[[:upper:]]", "a"),
            ("[A-C]", "b"),
            ("[a]", "A"),
        ] {
            assert!(is_ignored(list, path), "{list} {path}");
        }
        for (list, path) in [("\\A", "A"), ("[A]", "a"), ("\u{c9}*", "\u{e9}a")] {
            assert!(!is_ignored(list, path), "{list} {path}");
        }
    }

    #[test]
    fn many_stars_take_little() {
        let list = "*a".repeat(2000);
        let path = "a".repeat(1999);
        let patterns = Patterns::of(list.as_bytes());
        assert_eq!(
            patterns.decision(path.as_bytes(), false, LetterCase::Counts),
            None
        );
    }
}
