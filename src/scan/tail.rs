//! Path, query and fragment: how far a link goes behind its host (UTS 58 link termination).
//!
//! `extended` uses the same loop with an eye on what surrounds the link: a quote or a mark of
//! emphasis that opened in front of it ends it, quotes are paired inside it, and the punctuation
//! of scripts without spaces ends it when a sentence goes on.

mod exact;
mod signs;

pub(super) use signs::{has_rule, is_modifier, pairs};

use super::another;
use super::classes::{CLOSE, GLUE, HARD, INCLUDE, INVISIBLE, OPEN, QUOTE, SOFT, TERM, opener};
use super::domain::is_sign;
use super::emphasis;
use super::escapes;
use super::host::{GERESH, GERSHAYIM};
use super::marks;
use super::particles;
use super::text::Text;
use crate::span::TextSpan;
use signs::{is_arrow, is_dash, is_sign_between, is_vertical};

/// Which part of the link the loop is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Path,
    Query,
    Fragment,
}

/// How many characters behind a comma the end of its sentence is looked for.
const MAX_CLAUSE: usize = 64;

/// The longest name of a value in a record that is looked for, in bytes.
const MAX_NAME: usize = 32;

/// The most sorts of emphasis, each in the other, that end with a link.
const MAX_NESTED: usize = 3;

/// The most variation selectors and tags behind one character that belong to it.
const MAX_TAGS: usize = 16;

/// How the tail is read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Manner {
    /// UTS 58 to the letter.
    Plain,
    /// `extended`.
    Extended {
        /// The character in front of the link, if there is one.
        outer: Option<char>,
        /// Where the link begins, if what is in front of it in its line may matter.
        start: Option<usize>,
    },
}

/// What a character means for the end of the link.
enum Step {
    /// It belongs to the link.
    Take,
    /// It belongs to the link if one that belongs to it follows.
    Wait,
    /// The link has ended.
    Stop,
}

pub(super) struct Tail<'a, 't> {
    text: &'a Text<'t>,
    part: Part,
    open: Vec<char>,
    quotes: Vec<char>,
    manner: Manner,
    limit: usize,
    /// Where the path segment (or the part) that is being read began.
    segment: usize,
    /// Behind the last `"`.
    quoted: usize,
    /// Behind the last character beyond ASCII; 0: there is none.
    wide: usize,
    /// Whether it is the path of a URI without `//`.
    is_opaque: bool,
    /// Whether it is read as what markup holds and nothing else, so that no words are glued to it.
    is_exact: bool,
}

impl<'a, 't> Tail<'a, 't> {
    /// A tail that ends before `limit` in any case.
    pub(super) fn new(text: &'a Text<'t>, manner: Manner, limit: usize) -> Self {
        Tail {
            text,
            part: Part::Path,
            open: Vec::new(),
            quotes: Vec::new(),
            manner,
            limit,
            segment: 0,
            quoted: 0,
            wide: 0,
            is_opaque: false,
            is_exact: false,
        }
    }

    /// The end of the tail that begins at `at`; `at` itself when none of `/`, `?`, `#` is there.
    pub(super) fn end(mut self, at: usize) -> usize {
        self.part = match self.text.byte(at) {
            b'/' => Part::Path,
            b'?' => Part::Query,
            b'#' => Part::Fragment,
            _ => return at,
        };
        self.run_without_rule(at)
    }

    /// The end of a tail without `//`, which begins inside a part.
    pub(super) fn end_in(mut self, part: Part, at: usize) -> usize {
        (self.part, self.is_opaque) = (part, true);
        self.run_without_rule(at)
    }

    /// The end of the tail, without the hyphens that end a comment (`-->`) or make a line beside the link as they do in front
    /// of it (`--http://example.org/a--`). In angle brackets all is of the link.
    fn run_without_rule(self, at: usize) -> usize {
        let (text, manner) = (self.text, self.manner);
        let markup = self.markup();
        if let Some(end) = markup.and_then(|markup| self.exact_end(markup, at)) {
            return end;
        }
        let mut again = self.again();
        let end = self.run(at);
        if let Some(end) = markup.and_then(|markup| again.marked_end(markup, end)) {
            return end;
        }
        let closes = match manner {
            Manner::Plain => false,
            Manner::Extended {
                outer: Some('<'), ..
            } => false,
            Manner::Extended {
                outer: Some('-'), ..
            } => true,
            Manner::Extended { .. } => text.byte(end) == b'>',
        };
        let bare = text.slice(at, end).trim_end_matches('-').len();
        if !closes || at + bare + 2 > end {
            return end;
        }
        again.limit = at + bare;
        again.run(at)
    }

    /// The same tail, of which nothing is read.
    fn again(&self) -> Self {
        let again = Tail::new(self.text, self.manner, self.limit);
        Tail {
            part: self.part,
            is_opaque: self.is_opaque,
            ..again
        }
    }

    /// The characters that end the tail before the end of the text, and the last one if it
    /// would not be taken: those that formatting escapes. Each counts as escaped for the rest.
    pub(super) fn stops(mut self, part: Part, at: usize) -> Vec<TextSpan> {
        let (mut stops, mut i) = (Vec::new(), at);
        self.part = part;
        self.segment = at;
        while i < self.limit {
            let before = self.part;
            let next = i + self.text.char(i).len_utf8();
            let step = self.step(i);
            if self.part != before {
                self.open.clear();
                self.quotes.clear();
            }
            if matches!(step, Step::Stop) {
                stops.push(TextSpan::new(i, next));
            }
            if matches!(step, Step::Wait) && next >= self.limit {
                stops.push(TextSpan::new(i, next));
            }
            i = next;
        }
        stops
    }

    fn step(&mut self, at: usize) -> Step {
        let byte = self.text.byte(at);
        if byte < 0x80 {
            self.ascii(at, byte)
        } else {
            self.wide(at)
        }
    }

    /// The end of the tail that begins at `at` in the part that is set, without marks of emphasis that opened in front
    /// of the link.
    fn run(mut self, at: usize) -> usize {
        let (part, text) = (self.part, self.text);
        let mut end = self.read(at);
        let Manner::Extended {
            start: Some(start), ..
        } = self.manner
        else {
            return end;
        };
        for _ in 0..MAX_NESTED {
            let marks = emphasis::closing(text, start, end).min(end - at);
            if marks == 0 {
                break;
            }
            let inside = Tail::new(text, self.manner, end - marks);
            end = Tail {
                part,
                is_opaque: self.is_opaque,
                ..inside
            }
            .read(at);
        }
        end
    }

    fn read(&mut self, at: usize) -> usize {
        let (mut safe, mut i) = (at, at);
        // Where the link would end without the brackets that opened last.
        let mut unopened = at;
        self.segment = at;
        while i < self.limit {
            let plain = self.plain_run(i);
            if plain > i {
                (safe, i, unopened) = (plain, plain, plain);
                continue;
            }
            // The commonest of the others, as the steps below would have them.
            match self.text.byte(i) {
                b'.' => {
                    i += 1;
                    continue;
                }
                b'/' if self.part == Part::Path => {
                    self.open.clear();
                    i += 1;
                    (safe, self.segment, unopened) = (i, i, i);
                    continue;
                }
                _ => {}
            }
            let opened = self.open.len();
            let step = self.step(i);
            let next = i + self.text.char(i).len_utf8();
            match step {
                Step::Take => {
                    safe = next;
                    if self.open.len() <= opened {
                        unopened = next;
                    }
                }
                Step::Wait => {}
                Step::Stop if self.ends_sentence(i) => return unopened,
                Step::Stop => break,
            }
            i = next;
        }
        safe
    }

    /// Whether a character ends the link that UTS 58 would take into it: what it stands behind opens an aside, not a part of
    /// the link (`http://example.org/a(…)`). Quotes end links exactly.
    fn ends_sentence(&self, at: usize) -> bool {
        let (ch, is_extended) = (
            self.text.char(at),
            matches!(self.manner, Manner::Extended { .. }),
        );
        let class = self.text.class(ch);
        is_extended && !ch.is_ascii() && class & QUOTE == 0 && !matches!(class & TERM, HARD | CLOSE)
    }

    /// The end of the run of characters at `at` that are taken whatever stands around them.
    fn plain_run(&self, at: usize) -> usize {
        let mut i = at;
        while i < self.limit
            && matches!(self.text.byte(i), b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'%')
        {
            i += 1;
        }
        i
    }

    fn ascii(&mut self, at: usize, byte: u8) -> Step {
        self.separate(at, byte);
        if let Manner::Extended { outer, .. } = self.manner
            && let Some(step) = self.ascii_extended(at, byte, outer)
        {
            return step;
        }
        self.plain(char::from(byte), self.text.ascii(byte))
    }

    /// Notes where parts and their fields begin; open brackets are forgotten there.
    fn separate(&mut self, at: usize, byte: u8) {
        match (self.part, byte) {
            (Part::Path | Part::Query, b'#') => self.part = Part::Fragment,
            (Part::Path, b'?') => self.part = Part::Query,
            (Part::Path, b'/') | (Part::Query, b'=' | b'&') => self.open.clear(),
            (Part::Fragment, b':') if self.text.has(at, ":~:") => self.open.clear(),
            _ => return,
        }
        self.segment = at + 1;
    }

    fn plain(&mut self, ch: char, class: u8) -> Step {
        match class & TERM {
            SOFT => Step::Wait,
            HARD => Step::Stop,
            OPEN => {
                self.open.push(ch);
                Step::Take
            }
            CLOSE if self.open.pop() != opener(ch) => Step::Stop,
            _ => Step::Take,
        }
    }

    fn wide(&mut self, at: usize) -> Step {
        let ch = self.text.char(at);
        let class = self.text.class(ch);
        let Manner::Extended { outer, .. } = self.manner else {
            return self.plain(ch, class);
        };
        let before = std::mem::replace(&mut self.wide, at + ch.len_utf8());
        if class & QUOTE != 0 {
            return self.wide_quote(at, ch, outer);
        }
        let is_enclosed = |end| self.is_enclosed(end);
        let open = self.open.last().copied();
        if !self.is_exact && particles::begins(self.text, at, ch, open, is_enclosed) {
            return Step::Stop;
        }
        if outer.is_some_and(|outer| self.encloses(at, outer, ch)) {
            return Step::Stop;
        }
        if is_sign_between(ch) && self.begins_link(self.behind(at, ch)) {
            return Step::Stop;
        }
        match ch {
            _ if is_arrow(ch) => return Step::Wait,
            // Brackets of vertical text, which are no pairs to Unicode.
            _ if is_vertical(ch) => return self.vertical(ch),
            // Opening quotes and closing ones that are no brackets to Unicode.
            '„' | '‚' | '⹂' | '〝' => {
                self.quotes.push(ch);
                return Step::Wait;
            }
            '〞' | '〟' if self.quotes.last() == Some(&'〝') => {
                self.quotes.pop();
                return Step::Take;
            }
            '〞' | '〟' | '﴾' | '﴿' => return Step::Stop,
            // The full stop of old Sinhala prose, to Unicode not Terminal_Punctuation.
            '\u{DF4}' => return Step::Stop,
            // Bars that part the fields of a table or a menu.
            '｜' | '│' | '┃' | '‖' => return Step::Stop,
            // The Greek semicolon, and the Catalan dot between two letters.
            '·' | '\u{387}' => return Step::Wait,
            // Armenian marks, to Unicode not Terminal_Punctuation: in front of a pause, or behind the vowel of a word.
            '\u{55C}'..='\u{55E}' => return Step::Wait,
            // It stands in front of the last letter of a word; behind it it is a quote.
            GERSHAYIM => return Step::Wait,
            _ if is_dash(ch) => return self.dash(at, ch),
            _ => {}
        }
        if class & INVISIBLE != 0 {
            return match self.modifies(at, ch) {
                true => Step::Take,
                false => Step::Wait,
            };
        }
        // What a bracket opens in front of another link is not of this one.
        if class & TERM == OPEN && self.begins_link(at + ch.len_utf8()) {
            return Step::Stop;
        }
        if self.is_exact {
            return self.plain(ch, class);
        }
        if class & TERM == SOFT && (self.sentence_goes_on(at, ch) || self.clause_ends(at, ch)) {
            return Step::Stop;
        }
        if class & TERM == OPEN && (self.parts_links(at, ch) || self.is_aside(at, ch, before)) {
            return Step::Stop;
        }
        self.plain(ch, class)
    }

    /// A bracket of vertical text: the closing ones stand behind the opening ones.
    fn vertical(&mut self, ch: char) -> Step {
        if u32::from(ch) % 2 == 1 {
            self.quotes.push(ch);
            return Step::Wait;
        }
        let is_open = |open: &char| u32::from(*open) + 1 == u32::from(ch);
        match self.quotes.pop_if(|open| is_open(open)) {
            Some(_) => Step::Take,
            None => Step::Stop,
        }
    }

    /// The position behind a sign and the variation selector that may follow it.
    fn behind(&self, at: usize, sign: char) -> usize {
        let behind = at + sign.len_utf8();
        let next = self.text.char(behind);
        match is_modifier(next) {
            true => behind + next.len_utf8(),
            false => behind,
        }
    }

    /// Whether a sign that is no bracket to Unicode closes what stands in front of the link: `＜http://example.org/＞`, and
    /// `★http://example.org/★` unless words go on behind it.
    fn encloses(&self, at: usize, outer: char, ch: char) -> bool {
        match outer {
            '＜' => ch == '＞',
            '≪' => ch == '≫',
            '≦' => ch == '≧',
            '＂' | '＇' | '｀' => ch == outer,
            // An accent and primes that stand for quotes.
            '´' | '`' | '′' | '″' if ch == outer || (ch, outer) == ('´', '`') => {
                !self.goes_on(at + ch.len_utf8())
            }
            // Within words they are marks of abbreviations.
            GERESH | GERSHAYIM => {
                ch == outer && !self.text.char(at + ch.len_utf8()).is_alphanumeric()
            }
            _ if ch == outer && is_sign(ch) && !is_modifier(ch) => {
                let next = self.text.char(at + ch.len_utf8());
                next == ch || !next.is_alphanumeric()
            }
            _ => false,
        }
    }

    /// Whether a variation selector or tag stands behind the character that it changes, which belongs to the link: without it
    /// that would be another one.
    fn modifies(&self, at: usize, ch: char) -> bool {
        let mut i = at;
        if !is_modifier(ch) {
            return false;
        }
        for _ in 0..MAX_TAGS {
            match self.text.before(i).filter(|_| i > self.segment) {
                Some(before) if is_modifier(before) => i -= before.len_utf8(),
                Some(base) => {
                    let term = self.text.class(base) & (TERM | INVISIBLE);
                    return !base.is_ascii() && term == INCLUDE && !is_arrow(base);
                }
                None => return false,
            }
        }
        false
    }

    /// Dashes and dots of omission end a link unless its words go on behind them.
    fn dash(&self, at: usize, ch: char) -> Step {
        let next = self.text.char(at + ch.len_utf8());
        let goes_on =
            self.is_exact || self.is_title(at) || next.is_ascii_alphanumeric() || next == '/';
        if goes_on || next == ch {
            Step::Wait
        } else {
            Step::Stop
        }
    }

    /// Punctuation of scripts without spaces ends a link when what stood before it was not in
    /// words of such a script: `http://example.org/a。次` against `/wiki/モーニング娘。の歌`.
    fn sentence_goes_on(&self, at: usize, ch: char) -> bool {
        let ends = ch == '。' && self.text.before(at).is_some_and(particles::ends_sentence);
        !self.is_title(at) || ends || another::begins(self.text, at + ch.len_utf8())
    }

    /// Whether a mark that parts clauses or sentences has the end of a sentence behind it, before white space.
    fn clause_ends(&self, at: usize, mark: char) -> bool {
        if !matches!(mark, '，' | '、' | '；' | '：' | '。' | '！' | '？') {
            return false;
        }
        let mut i = at + mark.len_utf8();
        for _ in 0..MAX_CLAUSE {
            let ch = self.text.char(i);
            match ch {
                '！' | '？' => return true,
                _ if marks::is_full_stop(ch) => return true,
                _ if self.text.term(ch) == HARD => return false,
                _ => {}
            }
            if let Some(apart) = another::stands_apart(self.text, i) {
                return apart;
            }
            i += ch.len_utf8();
        }
        false
    }

    /// Whether the words of the path in front of a punctuation mark are a title in which it may
    /// stand: the character before it is not ASCII.
    fn is_title(&self, at: usize) -> bool {
        at > self.segment && self.text.before(at).is_some_and(|ch| !ch.is_ascii())
    }

    /// Whether the fullwidth bracket that opens at `at` is none of the link: it does not close before the link can end, or
    /// what is in it is an aside of the sentence. That is glued to the link on both sides, or it stands behind a link that is
    /// in ASCII so far and does not go on behind it: `http://example.org/a.html（外部）`. Quotes are of a title.
    fn is_aside(&self, at: usize, open: char, before: usize) -> bool {
        if self.is_title(at) {
            return false;
        }
        let Some(end) = self.closing(at, open) else {
            return true;
        };
        if self.is_enclosed(end) {
            return false;
        }
        let next = self.text.char(end);
        let mark = usize::from(matches!(next, '.' | '?' | ',' | ':' | ';' | '!'));
        let is_value = self.is_opaque || self.part != Part::Path && at == self.segment;
        let is_aside = matches!(open, '（' | '［' | '｛' | '【' | '〔' | '〖') && before == 0;
        self.text.is(next, GLUE) || is_aside && !is_value && !self.goes_on(end + mark)
    }

    /// Whether another link begins right behind the bracket that closes the one that opens at `at`: what is between is of
    /// neither.
    fn parts_links(&self, at: usize, open: char) -> bool {
        self.closing(at, open)
            .is_some_and(|end| self.begins_link(end))
    }

    /// The position behind the bracket that closes the one that opens at `at`, before the link can end.
    fn closing(&self, at: usize, open: char) -> Option<usize> {
        let (mut i, mut left) = (at + open.len_utf8(), 64);
        loop {
            let ch = self.text.char(i);
            let term = self.text.term(ch);
            if term == CLOSE {
                return (opener(ch) == Some(open)).then_some(i + ch.len_utf8());
            }
            // Behind a separator the bracket is forgotten.
            let parts = match self.part {
                Part::Path => ch == '/',
                Part::Query => matches!(ch, '=' | '&'),
                Part::Fragment => false,
            };
            if parts || term == HARD || term == OPEN || left == 0 {
                return None;
            }
            i += ch.len_utf8();
            left -= 1;
        }
    }

    /// Whether another link with `http://` or `https://` begins here.
    fn begins_link(&self, at: usize) -> bool {
        matches!(self.text.byte(at), b'h' | b'H')
            && (self.text.has(at, "http://") || self.text.has(at, "https://"))
    }

    fn ascii_extended(&mut self, at: usize, byte: u8, outer: Option<char>) -> Option<Step> {
        match byte {
            b'*' if self.ends_comment(at) => return Some(Step::Stop),
            b'"' | b'\'' | b'`' => return Some(self.ascii_quote(at, char::from(byte), outer)),
            b'*' | b'_' | b'~' | b'=' | b'|' | b'+' if outer == Some(char::from(byte)) => {
                return self.mark_ends(at, byte).then_some(Step::Stop);
            }
            b'|' if matches!(outer, Some('<' | '[' | '{' | '=')) => return Some(Step::Stop),
            b',' | b';' | b'|' if self.ends_member(at + 1, outer) => return Some(Step::Stop),
            // RFC 3986 appendix C: a delimiter in any text, unless code of a template begins there.
            b'<' => {
                if !matches!(self.text.byte(at + 1), b'?' | b'%' | b'#') {
                    return Some(Step::Stop);
                }
                self.open.push('<');
                return Some(Step::Wait);
            }
            b'[' | b'{' | b'\\' if self.is_exact => return Some(Step::Stop),
            b'[' if self.begins_end_mark(at + 1) || self.begins_item(at) => {
                return Some(Step::Stop);
            }
            b'\\' if self.escapes(at + 1, outer) => return Some(Step::Stop),
            // Groups of TeX and RTF.
            b'{' if self.text.byte(at + 1) == b'\\' => return Some(Step::Stop),
            b'{' if outer == Some('}') && self.ends_macro(at + 1) => return Some(Step::Stop),
            // No characters of an IRI: they never are the last. A bar ends the cell of a table.
            b'\\' | b'|' => return Some(Step::Wait),
            _ => {}
        }
        None
    }

    /// Whether a run of the mark of emphasis that opened in front of the link ends it here.
    fn mark_ends(&self, at: usize, mark: u8) -> bool {
        if matches!(mark, b'|') {
            return true;
        }
        let mut i = at;
        while i < at + 8 && self.text.byte(i) == mark {
            i += 1;
        }
        !self.goes_on(i) || self.glues(i) && self.is_run_in_front(mark, i - at)
    }

    /// Whether a run of marks of emphasis right in front of the link has the length of one behind it, so that words of any
    /// script may follow: one mark alone may be of the link (`url=http://example.org/?q=日本`, `_.../日本_東京_`), but not `*`.
    fn is_run_in_front(&self, mark: u8, run: usize) -> bool {
        let Manner::Extended {
            start: Some(start), ..
        } = self.manner
        else {
            return false;
        };
        let is_mark = |back: &usize| self.text.byte_before(start - back) == mark;
        let front = (0..start.min(run + 1)).take_while(is_mark).count();
        front == run && (run > 1 || mark == b'*')
    }

    /// Whether `*/` (or `**/`) ends a comment around the link: not in a pattern (`/*/`), and nothing goes on.
    fn ends_comment(&self, at: usize) -> bool {
        let last = at + usize::from(self.text.byte(at + 1) == b'*');
        self.text.byte(last + 1) == b'/'
            && self.text.before(at) != Some('/')
            && !self.goes_on(last + 2)
    }

    /// Whether words of a script without spaces are glued to what ends at a position.
    fn glues(&self, at: usize) -> bool {
        self.text.is(self.text.char(at), GLUE)
    }

    /// Whether a character of a word follows, one that would be taken into the link.
    fn goes_on(&self, at: usize) -> bool {
        let ch = self.text.char(at);
        ch.is_alphanumeric()
            || matches!(
                ch,
                '/' | '%' | '-' | '_' | '=' | '&' | '#' | '~' | '+' | '@' | '(' | '[' | '{'
            )
    }

    /// `[/name]`, an end mark of BBCode.
    fn begins_end_mark(&self, at: usize) -> bool {
        if self.text.byte(at) != b'/' {
            return false;
        }
        let end = (at + 1..at + 18).find(|&i| !self.text.byte(i).is_ascii_alphanumeric());
        end.is_some_and(|end| self.text.byte(end) == b']')
    }

    /// `[*]`, which begins a member of BBCode's lists; in front of more of a link it is a pattern (`/a[*].b`, `?a[*]=b`).
    fn begins_item(&self, at: usize) -> bool {
        let goes_on = || match self.text.byte(at + 3) {
            b'.' => self.text.byte(at + 4).is_ascii_alphanumeric(),
            byte => matches!(byte, b'/' | b'=' | b'&'),
        };
        self.text.has(at, "[*]") && !goes_on()
    }

    /// `name}`: the end mark of a macro, whose begin stands in front of the link (`{code}http://example.org/{code}`). In front
    /// of more of a link it is an expression.
    fn ends_macro(&self, at: usize) -> bool {
        let end = (at..at + MAX_NAME).find(|&i| !self.text.byte(i).is_ascii_alphabetic());
        let goes_on = |byte: u8| {
            byte.is_ascii_alphanumeric() || b"/{%?#&=-~$+@".contains(&byte) || byte >= 0x80
        };
        end.is_some_and(|end| {
            end > at && self.text.byte(end) == b'}' && !goes_on(self.text.byte(end + 1))
        })
    }

    /// A backslash that belongs to the string literal or the markup around the link.
    fn escapes(&self, at: usize, outer: Option<char>) -> bool {
        matches!(outer, Some('"' | '\'' | '`')) || escapes::ends_link(self.text, at)
    }

    /// Whether what stands behind a mark that parts members of a list or a record is none of this link.
    fn ends_member(&self, at: usize, outer: Option<char>) -> bool {
        let byte = self.text.byte(at);
        let is_link = match byte {
            b'h' | b'H' => self.begins_link(at),
            // Not behind the comma of `data:`, nor in a query.
            b'w' | b'W' => self.part == Part::Path && !self.is_opaque && self.text.has(at, "www."),
            _ => false,
        };
        let may_be_value = byte.is_ascii_alphanumeric() || matches!(byte, b'"' | b'_' | 0x80..);
        is_link || may_be_value && outer != Some('"') && self.begins_value(at)
    }

    /// Whether the next value of a record begins in quotes behind a mark that parts values, perhaps with its name
    /// (`,"Smith, John"`, `,n:"x"`), and the link has neither an open bracket nor quotes of its own.
    fn begins_value(&self, at: usize) -> bool {
        if !self.open.is_empty() || self.quoted > self.segment {
            return false;
        }
        if matches!(self.text.char(at), '"' | '“' | '„' | '«') {
            return true;
        }
        let mut i = at;
        while i < at + MAX_NAME {
            match self.text.char(i) {
                ch if ch.is_alphanumeric() || matches!(ch, '_' | '-') => i += ch.len_utf8(),
                ':' | '=' => return i > at && self.text.byte(i + 1) == b'"',
                _ => return false,
            }
        }
        false
    }

    /// The ASCII quotes: paired inside the link, and ending it when they opened in front of it.
    fn ascii_quote(&mut self, at: usize, quote: char, outer: Option<char>) -> Step {
        if quote == '"' {
            self.quoted = at + 1;
        }
        let goes_on = self.goes_on(at + 1);
        let word_before = self.text.before(at).is_some_and(char::is_alphanumeric);
        let is_end = || {
            let ends_tag = self.text.has(at + 1, "/>");
            !goes_on || ends_tag || self.glues(at + 1) || self.is_closing(at)
        };
        if outer == Some(quote) && (quote != '\'' || is_end()) {
            return Step::Stop;
        }
        if quote == '\'' && word_before && self.text.char(at + 1).is_alphanumeric() {
            return Step::Wait;
        }
        if self.quotes.last() == Some(&quote) {
            self.quotes.pop();
            return Step::Take;
        }
        if self.ends_value(at, quote) {
            return Step::Stop;
        }
        if goes_on && !word_before {
            self.quotes.push(quote);
        }
        Step::Wait
    }

    /// Whether a quote that opened in front of the link, though not right there, closes a value: what parts the values of
    /// records and calls stands behind it (`"see http://example.org/", "b"`), or another link.
    fn ends_value(&self, at: usize, quote: char) -> bool {
        let parts = matches!(self.text.byte(at + 1), b',' | b';' | b')' | b']' | b'}');
        match quote {
            '"' => parts || self.text.byte(at + 1) == b':' || self.begins_link(at + 1),
            '\'' => parts,
            _ => false,
        }
    }

    /// Whether a single quote closes what opened in front of the link although something goes on behind it: the others
    /// behind it are pairs (`'http://example.org/'title='b'`). Else it is an apostrophe.
    fn is_closing(&self, at: usize) -> bool {
        let (mut i, mut others, mut inside) = (at + 1, 0, false);
        for _ in 0..MAX_CLAUSE {
            let ch = self.text.char(i);
            inside = another::stands_apart(self.text, i).is_some();
            if inside || self.text.term(ch) == HARD {
                break;
            }
            others += usize::from(ch == '\'');
            i += ch.len_utf8();
        }
        // The one that opened in front of another link is closed behind that.
        others > 0 && others % 2 == usize::from(inside)
    }

    /// The quotes of all scripts: a closing one ends the link unless opened in it; between two
    /// letters `’` is an apostrophe.
    fn wide_quote(&mut self, at: usize, quote: char, outer: Option<char>) -> Step {
        let next = self.text.char(at + quote.len_utf8());
        let word_before = self.text.before(at).is_some_and(char::is_alphanumeric);
        if outer.is_some_and(|outer| pairs(outer, quote))
            && !(quote == '’' && self.joins_words(at, next) && !self.text.is(next, GLUE))
        {
            return Step::Stop;
        }
        if self.quotes.last().is_some_and(|&open| pairs(open, quote)) {
            self.quotes.pop();
            return Step::Take;
        }
        match quote {
            '‘' if word_before && next.is_alphanumeric() => Step::Wait,
            // `L’Équipe`, `Rock_’n’_Roll`
            '’' if self.joins_words(at, next) => Step::Wait,
            '“' | '‘' | '„' | '‚' | '«' | '‹' | '‟' | '‛'
                if !self.begins_link(at + quote.len_utf8()) =>
            {
                self.quotes.push(quote);
                Step::Wait
            }
            '”' | '’' | '»' | '›' => Step::Stop,
            _ if self.begins_link(at + quote.len_utf8()) => Step::Stop,
            _ => Step::Wait,
        }
    }
}

impl Tail<'_, '_> {
    /// Whether words and the underscores between them stand on both sides of a mark.
    fn joins_words(&self, at: usize, next: char) -> bool {
        let is_word = |ch: char| ch.is_alphanumeric() || ch == '_';
        is_word(next) && self.text.before(at).is_some_and(is_word)
    }
}
