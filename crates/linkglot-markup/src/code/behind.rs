//! The code behind a string, as far as it tells whether the string is a whole value.
//!
//! Nothing is parsed but brackets, postfix operators and the names of a few methods, and only in the next bytes. The
//! value of a string goes on where an operator joins it to another one, whatever stands between the two: parentheses,
//! a type, a conversion, a list whose element is taken at once.

use super::{Call, CodeTokenizer, Frame, Language, Parenthesis, Token, word_length};
use crate::slot::Window;

/// The value whose end is looked behind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    /// The string, perhaps in parentheses.
    String,
    /// The string with a type, an element of a list, or the result of a call.
    Other,
}

/// A walk outwards from the end of a string.
struct Walk<'c> {
    code: &'c CodeTokenizer,
    near: &'c [u8],
    at: usize,
    /// The number of open brackets around the position.
    depth: usize,
}

/// The most bytes behind a string that are looked at.
const MOST: usize = 256;

impl CodeTokenizer {
    /// True if code behind a literal may continue its value; `None` if a longer window tells.
    pub(super) fn goes_on(&self, window: Window<'_>, behind: usize) -> Option<bool> {
        if matches!(
            self.language,
            Language::Gettext { .. } | Language::Properties
        ) {
            return Some(false);
        }
        let rest = &window.bytes[behind..];
        if rest.len() < MOST && !window.last {
            return None;
        }
        let near = &rest[..rest.len().min(MOST)];
        let mut walk = Walk {
            code: self,
            near,
            at: 0,
            depth: self.frames.len(),
        };
        let is_open = near.len() == MOST && self.language != Language::Toml;
        Some(walk.goes_on().unwrap_or(is_open))
    }

    /// The position behind white space and comments within so many open brackets; `None` if nothing stands there.
    fn code_behind(&self, bytes: &[u8], depth: usize) -> Option<usize> {
        let has_hash = matches!(self.language, Language::Php | Language::Python);
        let ends_with_line = self.ends_with_line(depth);
        let has_slash = !matches!(self.language, Language::Toml | Language::Python);
        let mut at = 0;
        loop {
            let rest = bytes.get(at..)?;
            at += match rest {
                [b'#', ..] if !has_hash => return Some(at),
                [b'/', ..] if !has_slash => return Some(at),
                // A line that ends the statement, or goes on.
                [b'\n', ..] if ends_with_line => return Some(at),
                [b'\\', b'\n', ..] => 2,
                [b'\\', b'\r', b'\n', ..] => 3,
                [b'\\'] | [b'\\', b'\r'] => return None,
                [b'/', b'*' | b'/', ..] | [b'#', ..] => self.comment_length(rest)?,
                [b'/'] => return None,
                [byte, ..] if byte.is_ascii_whitespace() => 1,
                [_, ..] => return Some(at),
                [] => return None,
            };
        }
    }
}

impl<'c> Walk<'c> {
    /// The code from the position on.
    fn rest(&self) -> &'c [u8] {
        &self.near[self.at..]
    }

    fn byte(&self) -> u8 {
        self.near[self.at]
    }

    /// Goes on by so many bytes, and behind white space and comments.
    fn pass(&mut self, length: usize) -> Option<()> {
        let from = self.at + length;
        self.at = from + self.code.code_behind(self.near.get(from..)?, self.depth)?;
        Some(())
    }

    /// The innermost open bracket.
    fn frame(&self) -> Option<&'c Frame> {
        let last = self.depth.checked_sub(1)?;
        self.code.frames.get(last)
    }

    /// True if the value of the string goes on; `None` if the code ends before that is known.
    fn goes_on(&mut self) -> Option<bool> {
        if self.is_in_join() {
            return Some(true);
        }
        let mut value = Value::String;
        self.pass(0)?;
        loop {
            if self.pass_postfix()? {
                value = Value::Other;
            }
            let is_choice = begins_choice(self.rest());
            match (self.byte(), self.frame()) {
                // The string is a part of a literal around the code, or one of several: `${a || "b"}`.
                (_, Some(Frame::Code(literal)))
                    if is_choice || literal.holes.closing(self.rest()).is_some() =>
                {
                    return Some(true);
                }
                // Its format follows.
                (b'!' | b',', Some(Frame::Code(_))) => return Some(true),
                // The code behind parentheses follows the string, too: a function may return its argument.
                (b')', Some(Frame::Parenthesis(around))) => {
                    self.depth -= 1;
                    self.pass(1)?;
                    value = match around {
                        // `(() => "a")()`
                        Parenthesis::Group(_) if self.pass_call()? => Value::Other,
                        Parenthesis::Group(_) => Value::String,
                        _ => return self.result_joins(),
                    };
                }
                // `(a ? "b" : c)`
                (_, Some(Frame::Parenthesis(Parenthesis::Group(_)))) if is_choice => {
                    self.at += closer(self.rest())?;
                }
                _ if self.operator_joins(value) => return Some(true),
                (b'%', _) if self.code.language == Language::Python => return self.format_joins(),
                // Where the list ends is not known: most lists are not joined.
                (b',' | b']' | b'}', _) => return Some(self.list_joins().unwrap_or(false)),
                _ => return Some(false),
            }
        }
    }

    /// True if the string is an argument of a function that joins, or an element of a list that is one.
    fn is_in_join(&self) -> bool {
        // Functions of other languages that are called alike append elements to lists.
        let lists = match self.code.language {
            Language::Python | Language::Go | Language::Php => MOST_LISTS,
            _ => 0,
        };
        let frames = &self.code.frames;
        let outer = frames[frames.len().saturating_sub(lists + 1)..].iter();
        let mut around = outer.rev().skip_while(|frame| {
            let is_tuple = matches!(frame, Frame::Parenthesis(Parenthesis::Group(_)));
            let is_list = lists > 0 && (is_tuple || matches!(frame, Frame::Brace(_)));
            is_list || **frame == Frame::Parenthesis(Parenthesis::Call(Call::List))
        });
        // `"%s/a" % "b"`
        let is_value = self.code.before.token == Token::Join && self.code.before.byte == b'%';
        is_value || around.next() == Some(&JOIN)
    }

    /// Goes behind the arguments of a call; false if there are none.
    fn pass_call(&mut self) -> Option<bool> {
        let is_call = self.byte() == b'(';
        if is_call {
            let length = closer(&self.rest()[1..])? + 2;
            self.pass(length)?;
        }
        Some(is_call)
    }

    /// True if an operator at the position joins a value to another one.
    fn operator_joins(&self, value: Value) -> bool {
        let (code, rest, byte) = (self.code, self.rest(), self.byte());
        // The next statement may append more.
        if matches!(byte, b';' | b'\n') && code.appends_at == Some(code.frames.len()) {
            return true;
        }
        let is_string = value == Value::String;
        // A method of the string, whose result may be another one.
        let is_dot = byte == b'.' && !rest.starts_with(b"...");
        let is_member = is_dot || byte == b'[' || rest.starts_with(b"?.");
        match code.language {
            Language::JavaScript | Language::TypeScript => byte == b'+' || is_string && is_member,
            Language::Php => byte == b'.' || code.echo_goes_on(rest, self.depth),
            // The string is a key.
            Language::Toml => matches!(byte, b'=' | b'.'),
            language => {
                let joins_row = || language.rules().is_some_and(|rules| rules.joins(rest));
                let is_operator = byte == b'+' || rest.starts_with(b"<<");
                is_operator || is_string && (is_member || joins_row())
            }
        }
    }

    /// True if code behind the result of a call continues it.
    fn result_joins(&mut self) -> Option<bool> {
        self.pass_postfix()?;
        while self.pass_group()? {}
        if self.operator_joins(Value::Other) || self.frame() == Some(&JOIN) {
            return Some(true);
        }
        let joins = self.method().is_some_and(|name| self.appends(name));
        Some(joins)
    }

    /// True if code behind the values of a format (`"%s" % x`) continues the text.
    fn format_joins(&mut self) -> Option<bool> {
        self.pass(1)?;
        loop {
            let rest = self.rest();
            let length = match rest[0] {
                b'(' | b'[' | b'{' => closer(&rest[1..])? + 2,
                b'.' => 1,
                quote @ (b'\'' | b'"') => string_length(rest, quote)?,
                _ => word_length(rest),
            };
            if length == 0 {
                let is_filled_in = matches!(self.frame(), Some(Frame::Code(_)));
                return Some(is_filled_in || self.operator_joins(Value::Other));
            }
            self.pass(length)?;
        }
    }

    /// True if a list, a dictionary or a call with the value and others is joined: by a method, or behind an index.
    fn list_joins(&mut self) -> Option<bool> {
        if self.code.language == Language::Toml {
            return None;
        }
        if self.byte() == b',' {
            self.at += 1 + closer(&self.rest()[1..])?;
        } else if self.code.before.token == Token::Index {
            // The string is an index itself.
            return None;
        }
        let (bracket, frame) = (self.byte(), self.frame());
        match (bracket, frame) {
            (b')', Some(Frame::Parenthesis(_))) | (b']' | b'}', Some(Frame::Brace(_))) => {
                self.depth -= 1;
            }
            // Brackets of other languages are not followed.
            (b']', _) if self.code.language.rules().is_none() => {}
            _ => return None,
        }
        self.pass(1)?;
        self.pass_postfix()?;
        let around = matches!(frame, Some(Frame::Parenthesis(Parenthesis::Call(_))));
        let is_call = bracket == b')' && around;
        // A block may be the value of an expression.
        let mut is_element = bracket == b'}' && self.has_blocks();
        if !is_call {
            is_element |= self.pass_elements()?;
        }
        if is_element && self.operator_joins(Value::Other) {
            return Some(true);
        }
        let name = self.method()?;
        let appends = || is_call && self.appends(name);
        Some(appends() || self.joins_elements(name))
    }

    /// True if a block may be the value of an expression.
    fn has_blocks(&self) -> bool {
        !matches!(
            self.code.language,
            Language::Python | Language::JavaScript | Language::TypeScript
        )
    }

    /// Goes behind indices, names of members, and ends of groups. True if an element is taken, or a function called.
    fn pass_elements(&mut self) -> Option<bool> {
        let mut is_element = false;
        loop {
            if self.pass_group()? {
                is_element |= self.pass_call()?;
            } else if self.pass_member()? {
                is_element = true;
            } else {
                return Some(is_element);
            }
        }
    }

    /// Goes behind the end of parentheses around an expression; false if there is none.
    fn pass_group(&mut self) -> Option<bool> {
        let is_group = matches!(
            self.frame(),
            Some(Frame::Parenthesis(Parenthesis::Group(_)))
        );
        let ends = self.byte() == b')' && is_group;
        if ends {
            self.depth -= 1;
            self.pass(1)?;
        }
        Some(ends)
    }

    /// Goes behind an index or the name of a member; false if there is none.
    fn pass_member(&mut self) -> Option<bool> {
        let rest = self.rest();
        let has_members = self.code.language != Language::Php;
        let name = member(rest).filter(|_| has_members && self.method().is_none());
        let length = match (rest[0], name) {
            (b'[', _) => closer(&rest[1..])? + 2,
            (_, Some(name)) => rest.len() - name.len() + word_length(name),
            _ => return Some(false),
        };
        self.pass(length)?;
        self.pass_postfix()?;
        Some(true)
    }

    /// The method that is called at the position: its name, and the code behind.
    fn method(&self) -> Option<(&'c [u8], &'c [u8])> {
        let name = member(self.rest())?;
        let (name, behind) = name.split_at(word_length(name));
        matches!(behind.first(), Some(b'(' | b'{')).then_some((name, behind))
    }

    /// True if a method of the result of a call continues it.
    fn appends(&self, (name, _): (&[u8], &[u8])) -> bool {
        match self.code.language {
            Language::JavaScript | Language::TypeScript => name == b"concat",
            Language::Python | Language::Php => false,
            _ => matches!(
                name,
                b"append" | b"Append" | b"concat" | b"Concat" | b"plus"
            ),
        }
    }

    /// True if a method makes one text of the elements of a list, without a character between them that ends a link.
    fn joins_elements(&self, (name, arguments): (&[u8], &[u8])) -> bool {
        let is_known = match self.code.language {
            Language::JavaScript | Language::TypeScript => matches!(name, b"join" | b"reduce"),
            Language::Rust => matches!(name, b"join" | b"concat"),
            Language::Kotlin => name == b"joinToString",
            Language::Swift => name == b"joined",
            _ => false,
        };
        // Without a separator, commas part the elements.
        let has_commas = matches!(name, b"join" | b"joinToString");
        let arguments = &arguments[..arguments.len().min(LONGEST_SEPARATOR)];
        let quote = arguments.iter().position(|byte| b"'\"`)".contains(byte));
        let separator = quote.map_or(&b""[..], |at| &arguments[at..]);
        is_known
            && match separator {
                _ if name == b"reduce" => true,
                [b')', ..] if quote == Some(1) => !has_commas,
                [b')', ..] | [] => arguments.first() == Some(&b'('),
                [_, text @ ..] => !begins_with_gap(text),
            }
    }

    /// Goes behind conversions and types. True if a type is among them.
    fn pass_postfix(&mut self) -> Option<bool> {
        let language = self.code.language;
        let has_conversions = language.rules().is_some();
        let has_types = match language {
            // JavaScript is also a name of files with types.
            Language::JavaScript | Language::TypeScript => true,
            language => has_conversions && language != Language::Python,
        };
        let mut has_type = false;
        loop {
            let rest = self.rest();
            let length = if has_types && rest[0] == b'!' && rest.get(1) != Some(&b'=') {
                1
            } else if let Some(length) = conversion_length(rest).filter(|_| has_conversions) {
                length
            } else if let Some(length) = cast_length(rest).filter(|_| has_types) {
                has_type = true;
                length
            } else {
                return Some(has_type);
            };
            self.pass(length)?;
        }
    }
}

/// The call of a function that joins its arguments.
const JOIN: Frame = Frame::Parenthesis(Parenthesis::Call(Call::Join));

/// The most lists around a string that are looked at.
pub(super) const MOST_LISTS: usize = 4;

/// The most bytes of the arguments of a method that joins, up to the separator.
const LONGEST_SEPARATOR: usize = 32;

/// True if the text of a string begins with a character that ends a link.
pub(super) fn begins_with_gap(text: &[u8]) -> bool {
    match text {
        [b'\\', escape, ..] => b"nrtx0".contains(escape),
        [first, ..] => first.is_ascii_whitespace() || b",;|<>".contains(first),
        [] => false,
    }
}

/// True if code begins with a sign or word between the values of which an expression takes one: `"a" if b else "c"`.
fn begins_choice(code: &[u8]) -> bool {
    let word = &code[..word_length(code)];
    let is_sign = matches!(code[0], b':' | b'|' | b'&' | b'?') && !code.starts_with(b"?.");
    is_sign || matches!(word, b"if" | b"else" | b"or" | b"and")
}

/// The name of a member and the code behind, if code begins with the dot in front of one.
fn member(code: &[u8]) -> Option<&[u8]> {
    let name = code.strip_prefix(b"?").unwrap_or(code).strip_prefix(b".")?;
    (word_length(name) > 0).then_some(name)
}

/// The length of a call of a method that gives the same string in another type.
fn conversion_length(code: &[u8]) -> Option<usize> {
    const METHODS: &[&[u8]] = &[
        b".to_string()",
        b".to_owned()",
        b".into()",
        b".as_bytes()",
        b".getBytes()",
        b".encode()",
        // All of it, in Rust.
        b"[..]",
        b".parse()",
        b".unwrap()",
    ];
    let method = METHODS.iter().find(|method| code.starts_with(method))?;
    Some(method.len())
}

/// The length of a type behind a value, with the word in front of it: `as string`.
fn cast_length(code: &[u8]) -> Option<usize> {
    let word = word_length(code);
    let is_cast = matches!(&code[..word], b"as" | b"satisfies");
    let sign = usize::from(is_cast && matches!(code.get(word), Some(b'?' | b'!')));
    let from = word + sign;
    let is_cast = is_cast && code.get(from).is_some_and(u8::is_ascii_whitespace);
    is_cast
        .then(|| type_length(&code[from..]))?
        .map(|length| from + length)
}

/// The length of the type at the beginning of code.
fn type_length(code: &[u8]) -> Option<usize> {
    let blanks = |at: usize| {
        let rest = code.get(at..).unwrap_or_default().iter();
        at + rest.take_while(|byte| byte.is_ascii_whitespace()).count()
    };
    let mut at = 0;
    loop {
        at = blanks(at);
        let rest = code.get(at..)?;
        at += match *rest.first()? {
            b'(' | b'[' | b'{' => closer(&rest[1..])? + 2,
            quote @ (b'\'' | b'"' | b'`') => string_length(rest, quote)?,
            b'&' | b'*' => 1 + word_length(&rest[1..]),
            _ => word_length(rest),
        };
        while let Some(first @ (b'[' | b'<' | b'?' | b'!')) = code.get(at) {
            at += match first {
                b'[' => closer(&code[at + 1..])? + 2,
                b'<' => angle_length(&code[at..])?,
                _ => 1,
            };
        }
        let next = blanks(at);
        match code.get(next..)? {
            [b'|', b'|', ..] | [b'&', b'&', ..] => return Some(at),
            [b'|' | b'&' | b'.', ..] => at = next + 1,
            _ => return Some(at),
        }
    }
}

/// The length of type parameters in angle brackets.
fn angle_length(code: &[u8]) -> Option<usize> {
    let mut depth = 0;
    let end = code.iter().position(|byte| {
        depth += match byte {
            b'<' => 1,
            b'>' => -1,
            _ => 0,
        };
        depth == 0
    });
    end.map(|end| end + 1)
}

/// The length of a string in quotation marks.
fn string_length(code: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    while *code.get(at)? != quote {
        at += 1 + usize::from(code[at] == b'\\');
    }
    Some(at + 1)
}

/// The position of the bracket that closes the one around this code. A semicolon in front of it is no part of an
/// expression.
fn closer(code: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (0, 0);
    loop {
        match *code.get(at)? {
            b')' | b']' | b'}' if depth == 0 => return Some(at),
            b';' if depth == 0 => return None,
            b')' | b']' | b'}' => depth -= 1,
            b'(' | b'[' | b'{' => depth += 1,
            quote @ (b'\'' | b'"' | b'`') => at += string_length(&code[at..], quote)? - 1,
            _ => {}
        }
        at += 1;
    }
}
