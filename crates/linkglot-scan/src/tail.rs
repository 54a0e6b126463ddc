//! Path, query and fragment: the end of a link behind its host (UTS 58 link termination).
//!
//! Profile `extended` decides in this order: a delimiter that opened right in front of the link ends the link where it
//! closes; brackets and quotes of the link are paired; and what trails behind the link ([`trailing`]) belongs to the
//! sentence.

mod punctuation;
mod trailing;

pub(super) use punctuation::{Rule, is_closing_quote, is_modifier, pairs, rule};
pub(super) use trailing::{is_cjk, parts_segment};

use super::classes::{CLOSE, GLUE, HARD, INCLUDE, INVISIBLE, OPEN, QUOTE, SOFT, TERM, opener};
use super::context::{self, Context};
use super::escapes;
use super::host_punctuation::is_full_stop;
use super::line_ends;
use super::particles;
use super::text::Text;
use linkglot_charset::span::TextSpan;
use punctuation::is_mark;

/// The part of the link that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Path,
    Query,
    Fragment,
}

/// The most variation selectors and tags that belong to one character.
const MAX_TAGS: usize = 16;

/// Rules for reading the tail.
#[derive(Clone, Copy, Debug)]
pub(super) enum Manner {
    /// By UTS 58 to the letter.
    Plain,
    /// As profile `extended` does.
    Extended {
        /// The character in front of the link, if any.
        outer: Option<char>,
        /// Start of the link, if the context in front of it counts.
        start: Option<usize>,
    },
}

/// Meaning of a character for the end of the link.
enum Step {
    /// Belongs to the link.
    Take,
    /// Belongs to the link if more of the link follows.
    Wait,
    /// Ends the link.
    Stop,
}

pub(super) struct Tail<'a, 't> {
    text: &'a Text<'t>,
    part: Part,
    open: Vec<char>,
    quotes: Vec<char>,
    manner: Manner,
    limit: usize,
    /// Start of the tail.
    from: usize,
    /// Start of the path segment or part that is being read.
    segment: usize,
    /// The position behind the last character beyond ASCII; 0 if there is none.
    wide_end: usize,
    /// The delimiter that opens right in front of the link.
    context: Option<&'static Context>,
    /// True if this is the path of a URI without `//`.
    is_opaque: bool,
}

impl<'a, 't> Tail<'a, 't> {
    /// A tail that ends at `limit` at the latest.
    pub(super) fn new(text: &'a Text<'t>, manner: Manner, limit: usize) -> Self {
        let context = match manner {
            Manner::Extended {
                start: Some(start), ..
            } => Context::of(text, start),
            _ => None,
        };
        Tail {
            text,
            part: Part::Path,
            open: Vec::new(),
            quotes: Vec::new(),
            manner,
            limit,
            from: 0,
            segment: 0,
            wide_end: 0,
            context,
            is_opaque: false,
        }
    }

    /// The end of the tail that begins at `at`; `at` itself if neither `/`, `?` nor `#` stands there.
    pub(super) fn end(mut self, at: usize) -> usize {
        self.part = match self.text.byte(at) {
            b'/' => Part::Path,
            b'?' => Part::Query,
            b'#' => Part::Fragment,
            _ => return at,
        };
        self.run(at)
    }

    /// The end of the tail of a URI without `//`, from `at` inside of a part.
    pub(super) fn end_in(mut self, part: Part, at: usize) -> usize {
        (self.part, self.is_opaque) = (part, true);
        self.run(at)
    }

    /// The end of the tail that begins at `at` in the current part.
    fn run(mut self, at: usize) -> usize {
        let (part, is_opaque) = (self.part, self.is_opaque);
        let mut end = self.read(at);
        if self.ends_comment(at, end) {
            // The hyphens of `-->` were read before its `>`.
            let link = self.text.slice(at, end).trim_end_matches('-');
            let before = Tail::new(self.text, self.manner, at + link.len());
            self = Tail {
                part,
                is_opaque,
                ..before
            };
            end = self.read(at);
        }
        self.up_to_closer(end)
    }

    /// True if the end of a comment cuts the link that ends at `end`.
    fn ends_comment(&self, at: usize, end: usize) -> bool {
        let is_enclosed = match self.manner {
            Manner::Plain => true,
            Manner::Extended { outer, .. } => outer == Some('<'),
        };
        !is_enclosed && self.text.byte(end) == b'>' && self.text.ends(end, at, "--")
    }

    /// The characters that formatting must escape: those that would end the tail, and the last one if the link would
    /// leave it out. Each counts as escaped for the characters behind.
    pub(super) fn stops(mut self, part: Part, at: usize) -> Vec<TextSpan> {
        let (mut stops, mut i) = (Vec::new(), at);
        self.part = part;
        (self.from, self.segment) = (at, at);
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

    fn read(&mut self, at: usize) -> usize {
        let (mut end, mut i) = (at, at);
        (self.from, self.segment) = (at, at);
        while i < self.limit {
            let plain = self.plain_run(i);
            if plain > i {
                (end, i) = (plain, plain);
                continue;
            }
            // A shortcut for the most frequent of the other characters, with the same result as `step`.
            match self.text.byte(i) {
                b'.' => {
                    i += 1;
                    continue;
                }
                b'/' if self.part == Part::Path => {
                    self.open.clear();
                    i += 1;
                    (end, self.segment) = (i, i);
                    continue;
                }
                _ => {}
            }
            let step = self.step(i);
            let next = i + self.text.char(i).len_utf8();
            match step {
                Step::Take => end = next,
                Step::Wait => {}
                Step::Stop => break,
            }
            i = next;
        }
        end
    }

    /// The end of the characters from `at` on that belong to the link in every context.
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
        self.by_class(char::from(byte), self.text.ascii(byte))
    }

    /// Notes the start of a part or field, and forgets the brackets that are open there.
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

    fn by_class(&mut self, ch: char, class: u8) -> Step {
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
            return self.by_class(ch, class);
        };
        if line_ends::is_hyphenation(self.text, at, ch) {
            return Step::Stop;
        }
        let before = std::mem::replace(&mut self.wide_end, at + ch.len_utf8());
        if class & QUOTE != 0 {
            return self.wide_quote(at, ch, outer);
        }
        if self.begins_sentence(at, ch, before == 0) {
            return Step::Stop;
        }
        if let Some(rule) = rule(ch) {
            return self.by_rule(rule, at, ch, before == 0);
        }
        if class & INVISIBLE != 0 {
            return if self.modifies(at, ch) {
                Step::Take
            } else {
                Step::Wait
            };
        }
        // The sentence goes on behind a mark without a space; a path goes on with a separator.
        if class & TERM == SOFT && !parts_words(self.text.byte(at + ch.len_utf8())) {
            return Step::Stop;
        }
        let begins_link = || self.begins_link(at + ch.len_utf8());
        if class & TERM == OPEN && (self.is_aside(at, ch, before) || begins_link()) {
            return Step::Stop;
        }
        self.by_class(ch, class)
    }

    fn by_rule(&mut self, rule: Rule, at: usize, ch: char, is_ascii: bool) -> Step {
        match rule {
            Rule::Open => {
                self.quotes.push(ch);
                Step::Wait
            }
            Rule::Close if self.quotes.last() == Some(&'〝') => {
                self.quotes.pop();
                Step::Take
            }
            Rule::Close | Rule::Stop => Step::Stop,
            Rule::Wait => Step::Wait,
            Rule::Dash => self.dash(at, ch, is_ascii),
        }
    }

    /// True for a variation selector or tag behind a character of the link: without its modifier the character would be
    /// another one.
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
                    return !base.is_ascii() && term == INCLUDE;
                }
                None => return false,
            }
        }
        false
    }

    /// The step for a dash or dots of omission: they end the link, unless the words of a title go on behind them. No
    /// title in ASCII has an em dash.
    fn dash(&self, at: usize, ch: char, is_ascii: bool) -> Step {
        let behind = at + ch.len_utf8();
        if is_ascii && matches!(ch, '—' | '―') || self.begins_link(behind) {
            return Step::Stop;
        }
        let next = self.text.char(behind);
        let goes_on = self.is_title(at) || next.is_ascii_alphanumeric() || next == '/';
        if goes_on || next == ch {
            Step::Wait
        } else {
            Step::Stop
        }
    }

    /// True if words of a title stand in front of a punctuation mark: the character before the mark is not ASCII.
    fn is_title(&self, at: usize) -> bool {
        at > self.segment && self.text.before(at).is_some_and(|ch| !ch.is_ascii())
    }

    /// True if the fullwidth bracket at `at` opens an aside of the sentence. It does so if it does not close before the
    /// link can end, if words are glued to both sides, or if the link is ASCII so far and ends behind the aside:
    /// `http://example.org/a.html（外部）`. Corner brackets quote a title, which may begin with one.
    fn is_aside(&self, at: usize, open: char, before: usize) -> bool {
        if self.is_title(at) {
            return false;
        }
        let Some(end) = self.closing(at, open) else {
            return true;
        };
        let next = self.text.char(end);
        let mark = usize::from(matches!(next, '.' | '?' | ',' | ':' | ';' | '!'));
        let is_value = self.is_opaque || self.part != Part::Path && at == self.segment;
        let is_round = matches!(open, '（' | '［' | '｛' | '【' | '〔' | '〖');
        let begins_title = at == self.segment && self.segment > self.from + 1 && !is_round;
        self.text.is(next, GLUE) && !(begins_title && particles::script(next).is_none())
            || is_round && before == 0 && !is_value && !self.goes_on(end + mark)
    }

    /// The position behind the bracket that closes the one at `at`, if it closes before the link can end.
    fn closing(&self, at: usize, open: char) -> Option<usize> {
        let (mut i, mut left) = (at + open.len_utf8(), 64);
        loop {
            let ch = self.text.char(i);
            let term = self.text.term(ch);
            if term == CLOSE {
                return (opener(ch) == Some(open)).then_some(i + ch.len_utf8());
            }
            // Open brackets do not outlast a separator.
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

    /// True if the context in front of the link closes at `at`, or any link ends there. Brackets of the link close
    /// first.
    fn closes_context(&self, at: usize) -> bool {
        let is_closed = |context: &Context| {
            !context.is_quote() && self.open.is_empty() && context.closes(self.text, at)
        };
        context::ENDS.iter().any(|end| self.text.has(at, end))
            || self.context.is_some_and(is_closed)
    }

    /// True if `http://` or `https://` stands at a position.
    fn begins_link(&self, at: usize) -> bool {
        matches!(self.text.byte(at), b'h' | b'H')
            && (self.text.has(at, "http://") || self.text.has(at, "https://"))
    }

    fn ascii_extended(&mut self, at: usize, byte: u8, outer: Option<char>) -> Option<Step> {
        match byte {
            // A delimiter in any text (RFC 3986 appendix C).
            b'"' => return Some(Step::Stop),
            b'\'' | b'`' => return Some(self.ascii_quote(at, char::from(byte), outer)),
            b',' | b';' | b'|' if self.begins_link(at + 1) => return Some(Step::Stop),
            _ if self.closes_context(at) => return Some(Step::Stop),
            b'*' | b'_' | b'~' | b'=' | b'|' | b'+' if outer == Some(char::from(byte)) => {
                return self.ends_emphasis(at, byte).then_some(Step::Stop);
            }
            b'|' if matches!(outer, Some('<' | '[' | '{' | '=')) => return Some(Step::Stop),
            // A delimiter in any text (RFC 3986 appendix C), unless it begins template code.
            b'<' => {
                if !matches!(self.text.byte(at + 1), b'?' | b'%' | b'#') {
                    return Some(Step::Stop);
                }
                self.open.push('<');
                return Some(Step::Wait);
            }
            b'\\' if self.is_escape(at + 1, outer) => return Some(Step::Stop),
            // No characters of an IRI, so never the last of a link. A bar ends the cell of a table.
            b'\\' | b'|' => return Some(Step::Wait),
            b'&' if escapes::is_reference(self.text, at) => return Some(Step::Stop),
            b'[' if self.is_label(at) => return Some(Step::Stop),
            // A bracket that opens behind the link does not belong to it; a brace may open template code.
            b'(' | b'[' => {
                self.open.push(char::from(byte));
                return Some(Step::Wait);
            }
            _ => {}
        }
        None
    }

    /// True if the mark of emphasis in front of the link ends it here.
    fn ends_emphasis(&self, at: usize, mark: u8) -> bool {
        if matches!(mark, b'|') {
            return true;
        }
        let mut i = at;
        while i < at + 8 && self.text.byte(i) == mark {
            i += 1;
        }
        !self.goes_on(i) || self.has_words_behind(i) && i > at + 1
    }

    /// False if `_` stands in front of the link, and no link whose tail begins at `at` ends in front of a second one.
    /// Cheaper than to read the tail.
    pub(super) fn may_end_emphasis(&self, at: usize) -> bool {
        let Manner::Extended {
            outer: Some('_'), ..
        } = self.manner
        else {
            return true;
        };
        let mut i = at;
        while i < self.limit {
            match self.text.byte(i) {
                b'_' if i == at || self.ends_emphasis(i, b'_') => return true,
                // No link has NUL, which stands for the end of the text, too.
                0 => return false,
                _ => i += 1,
            }
        }
        self.text.byte(i) == b'_'
    }

    /// True if words of a script without spaces begin at a position.
    fn has_words_behind(&self, at: usize) -> bool {
        self.text.is(self.text.char(at), GLUE)
    }

    /// True if the link goes on at a position, behind punctuation.
    fn goes_on(&self, at: usize) -> bool {
        let ch = self.text.char(at);
        match u8::try_from(ch) {
            Ok(byte) if byte.is_ascii() => continues_link(byte),
            _ => ch.is_alphanumeric(),
        }
    }

    /// True if the backslash in front of `at` belongs to the string literal or markup around the link.
    fn is_escape(&self, at: usize, outer: Option<char>) -> bool {
        matches!(outer, Some('"' | '\'' | '`')) || escapes::ends_link(self.text, at)
    }

    /// The step for an ASCII quote: quotes are paired inside of the link, and end it if the same quote stands in front.
    fn ascii_quote(&mut self, at: usize, quote: char, outer: Option<char>) -> Step {
        let goes_on = self.goes_on(at + 1);
        let word_before = self.text.before(at).is_some_and(char::is_alphanumeric);
        let is_end = || {
            let ends_tag = self.text.has(at + 1, "/>");
            !goes_on || ends_tag || self.has_words_behind(at + 1)
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

    /// True if a single quote closes a value that opened before the link: a separator of values follows it (`'see
    /// http://example.org/', 'b'`).
    fn ends_value(&self, at: usize, quote: char) -> bool {
        let parts = matches!(self.text.byte(at + 1), b',' | b';' | b')' | b']' | b'}');
        quote == '\'' && parts
    }

    /// The step for quotes of all scripts: a closing quote ends the link unless the quotation began in the link.
    /// Between letters `’` is an apostrophe.
    fn wide_quote(&mut self, at: usize, quote: char, outer: Option<char>) -> Step {
        let next = self.text.char(at + quote.len_utf8());
        let word_before = self.text.before(at).is_some_and(char::is_alphanumeric);
        let is_apostrophe =
            || quote == '’' && self.joins_words(at, next) && !self.text.is(next, GLUE);
        if outer.is_some_and(|outer| pairs(outer, quote)) && !is_apostrophe() {
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
            '’' => Step::Stop,
            _ if is_closing_quote(quote) => Step::Stop,
            _ if self.begins_link(at + quote.len_utf8()) => Step::Stop,
            _ => Step::Wait,
        }
    }
}

/// True if a link goes on with this ASCII byte behind punctuation.
pub(super) fn continues_link(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/%-_=&#~+@([{".contains(&byte)
}

/// True if an ASCII byte separates the words of a path, query or fragment.
pub(super) fn parts_words(byte: u8) -> bool {
    matches!(
        byte,
        b'.' | b'/' | b'?' | b'#' | b'%' | b'&' | b'=' | b'_' | b'-'
    )
}

impl Tail<'_, '_> {
    /// The end of a link, or the place behind it where the delimiter closes that opened right in front of the link:
    /// `](http://example.org/Yahoo!)`. The search ends at characters that no link has, at an escape, at another link
    /// and, between quotes, at the end of a sentence.
    fn up_to_closer(&self, end: usize) -> usize {
        let Some(context) = self.context else {
            return end;
        };
        let (mut i, mut last, mut open) = (self.from, end, Vec::new());
        while i < self.limit.min(end + context::MAX_REST) {
            if i >= end && open.is_empty() && context.closes(self.text, i) {
                let mark = |ch| is_mark(ch, self.text.class(ch));
                let is_sentence = context.holds_words() && self.text.before(i).is_some_and(mark);
                return if is_sentence { end } else { last };
            }
            let ch = self.text.char(i);
            match ch {
                '(' | '[' | '{' => open.push(ch),
                ')' | ']' | '}' if open.pop() != opener(ch) => return end,
                ')' | ']' | '}' => {}
                _ if i < end => {}
                '"' | '<' | '>' | '`' | '\\' | '|' => return end,
                _ if self.text.term(ch) == HARD || self.text.has(i, "://") => return end,
                'w' | 'W' if self.text.has(i, "www.") => return end,
                _ if context.holds_words() && (is_closing_quote(ch) || is_full_stop(ch)) => {
                    return end;
                }
                _ => {}
            }
            i += ch.len_utf8();
            if i > end && !self.text.is(ch, INVISIBLE) {
                last = i;
            }
        }
        end
    }

    /// True if letters, digits or underscores stand on both sides of a mark.
    fn joins_words(&self, at: usize, next: char) -> bool {
        let is_word = |ch: char| ch.is_alphanumeric() || ch == '_';
        is_word(next) && self.text.before(at).is_some_and(is_word)
    }
}
