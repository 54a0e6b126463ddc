//! The places of marks: whether a mark stands where texts have it.
//!
//! Every byte is some mark in windows-1252, so marks tell a charset only by the text around them: `½` before a word,
//! `£` before a number, `“` and `”` around words. `±±¾©` is more likely a word in another charset.

use crate::evidence::Run;
use crate::languages::Symbol;
use std::ops::Range;

/// Bytes that are read on either side of a run. A question that begins with `¿` ends within them.
const AROUND: usize = 160;

/// Placeholder for a mark in the text around another.
const MARK: u8 = 0;

/// The characters beyond ASCII that stand where texts have such characters, and the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Places {
    pub proper: usize,
    pub odd: usize,
}

/// Number of proper characters that outweigh an odd one.
const PROPER_PER_ODD: usize = 4;

impl Places {
    /// Counts the characters of a run as a charset reads it. One odd mark makes its whole run odd, at the first place
    /// of the run or the last: `½ here and ½ there` in IBM850 would be two opening quotation marks.
    pub(crate) fn add(&mut self, symbols: &[Symbol], run: &Run<'_>, head: &[u8], is_usual: bool) {
        let count = run.bytes.iter().filter(|byte| !byte.is_ascii()).count();
        if is_proper(symbols, run, head, is_usual) {
            self.proper += count
        } else {
            self.odd += count
        }
    }

    /// True if the author may have written the characters.
    pub(crate) fn are_likely(self) -> bool {
        self.odd * PROPER_PER_ODD <= self.proper
    }
}

fn is_proper(symbols: &[Symbol], run: &Run<'_>, head: &[u8], is_usual: bool) -> bool {
    if is_drawing(symbols) {
        return true;
    }
    if symbols.iter().all(|symbol| symbol.is_letter()) {
        let is_lone =
            run.bytes.len() == 1 && (run.touches_digit || !is_usual && !has_text(run, head));
        return !is_lone && !has_inner_capital(symbols, run.bytes);
    }
    if run.is_in_link {
        return false;
    }
    stand(symbols, &run.range, head) && (run.last == run.range || stand(symbols, &run.last, head))
}

/// True if all marks of a run stand where texts have them.
fn stand(symbols: &[Symbol], range: &Range<usize>, head: &[u8]) -> bool {
    let begin = range.start.saturating_sub(AROUND);
    let end = head.len().min(range.end + AROUND);
    let mut text = head[begin..range.start].to_vec();
    text.extend(symbols.iter().map(|symbol| byte_for(*symbol)));
    text.extend(&head[range.end..end]);
    // The other one of two quotation marks is beyond ASCII as well.
    for byte in &mut text {
        *byte = if byte.is_ascii() { *byte } else { MARK };
    }
    let first = range.start - begin;
    symbols.iter().enumerate().all(|(at, symbol)| match symbol {
        Symbol::Mark(mark) => {
            let (left, right) = text.split_at(first + at);
            stands(mark.char(), left, &right[1..])
        }
        symbol => symbol.is_letter(),
    })
}

fn byte_for(symbol: Symbol) -> u8 {
    match symbol {
        Symbol::Letter(_, true) => b'A',
        Symbol::Letter(_, false) => b'a',
        _ => MARK,
    }
}

/// True if text stands beside a run. A letter alone without it, or next to a digit, may be a mark, unless it is a usual
/// word: `30°` in IBM850 is `30ø`.
fn has_text(run: &Run<'_>, head: &[u8]) -> bool {
    let (left, right) = (&head[..run.range.start], &head[run.range.end..]);
    let is_text = |byte: u8| byte.is_ascii_alphabetic() || !byte.is_ascii() || byte == b',';
    is_text(after_blank(left.iter().rev())) || is_text(after_blank(right.iter()))
}

/// True for a capital beyond ASCII between small letters of ASCII: `crème` in Roman8 is `crÉme`.
fn has_inner_capital(symbols: &[Symbol], bytes: &[u8]) -> bool {
    let is_small = |byte: u8| byte.is_ascii_lowercase();
    let mut inner = bytes.windows(3).zip(&symbols[1..]);
    inner.any(|(bytes, symbol)| {
        let is_beyond = !bytes[1].is_ascii() && matches!(symbol, Symbol::Letter(_, true));
        is_beyond && is_small(bytes[0]) && is_small(bytes[2])
    })
}

/// True for lines and boxes: four of them are no word.
fn is_drawing(symbols: &[Symbol]) -> bool {
    let is_line = |symbol: &Symbol| matches!(symbol, Symbol::Mark(mark) if mark.is_line());
    symbols.len() > 3 && symbols.iter().all(is_line)
}

/// True if texts have the mark between `left` and `right`.
fn stands(mark: char, left: &[u8], right: &[u8]) -> bool {
    let last = left.last().copied().unwrap_or(b' ');
    let first = right.first().copied().unwrap_or(b' ');
    let is_blank = |byte: u8| byte.is_ascii_whitespace();
    let opens = is_blank(last) || matches!(last, b'(' | b'>' | b'"' | MARK);
    let closes = !first.is_ascii_alphanumeric();
    // The neighbours beyond a blank.
    let next = after_blank(right.iter());
    let prev = after_blank(left.iter().rev());
    let is_behind_text = last.is_ascii_alphanumeric() || b".,!?)".contains(&last);
    match mark {
        '’' => last.is_ascii_alphabetic(),
        '‘' | '“' | '„' => opens && first.is_ascii_alphanumeric() && right.contains(&MARK),
        '«' => opens && (!closes || matches!(first, b' ' | MARK)) && right.contains(&MARK),
        '»' => (is_behind_text || matches!(last, b' ' | MARK)) && closes && left.contains(&MARK),
        '”' => closes && is_behind_text && left.contains(&MARK),
        '…' | '™' | '®' => closes && is_behind_text,
        '–' | '—' => is_blank(last) && is_blank(first) || is_behind_text && !closes,
        '·' | '•' => opens && is_blank(first) && next.is_ascii_alphanumeric(),
        '©' => opens && (next.is_ascii_digit() || next.is_ascii_uppercase()),
        '£' | '€' | '¥' => next.is_ascii_digit() || prev.is_ascii_digit(),
        '¢' | '°' => prev.is_ascii_digit(),
        'º' | 'ª' => last.is_ascii_digit(),
        '²' | '³' => last.is_ascii_alphanumeric() && closes,
        '½' | '¼' | '¾' => {
            last.is_ascii_digit() && closes || opens && is_blank(first) && next.is_ascii_lowercase()
        }
        '±' | '×' | '§' | '№' => next.is_ascii_digit(),
        '\u{A0}' => is_behind_text && !closes || last == MARK || first == MARK,
        '¿' => opens && !closes && right.contains(&b'?'),
        '¡' => opens && !closes && right.contains(&b'!'),
        '،' | '؟' | '؛' | '־' | '׳' | '״' | 'ـ' | '\u{5B0}'..='\u{5C2}' => {
            last.is_ascii_alphabetic()
        }
        _ => false,
    }
}

/// The first byte, or the second if the first is a blank.
fn after_blank<'b>(mut bytes: impl Iterator<Item = &'b u8>) -> u8 {
    let mut next = || bytes.next().copied().unwrap_or(b' ');
    match next() {
        b' ' => next(),
        byte => byte,
    }
}

#[cfg(test)]
mod tests {
    use super::stands;

    fn all_stand(text: &str) -> bool {
        let bytes: Vec<u8> = text
            .chars()
            .map(|ch| u8::try_from(ch).unwrap_or(0) & 0x7F)
            .collect();
        let marks = text.chars().enumerate().filter(|(_, ch)| !ch.is_ascii());
        let mut bytes = bytes;
        marks.clone().for_each(|(at, _)| bytes[at] = super::MARK);
        marks
            .into_iter()
            .all(|(at, mark)| stands(mark, &bytes[..at], &bytes[at + 1..]))
    }

    #[test]
    fn marks_stand_where_texts_have_them() {
        for text in [
            "it’s",
            "(“So”, he said)",
            "« oui »",
            "1999–2004",
            "so – and – on",
            "wait… what",
            "<p>© 2001",
            "© Example",
            "½ cup",
            "5½",
            "£5",
            "5 £",
            "10 € each",
            "25°",
            "25 °C",
            "m²",
            "¿Donde?",
            "¡Hola!",
            "a\u{A0}b",
            "3 × 4",
            "§ 3",
        ] {
            assert!(all_stand(text), "{text}");
        }
        for text in [
            "±±¾©",
            "¿aba",
            "<b>…",
            "††",
            ">²<",
            "/½/",
            "“so",
            ">\u{A0}<",
            "ac\u{A0}<",
            "¼¸´",
            "³ˆ",
            "klö”<",
        ] {
            assert!(!all_stand(text), "{text}");
        }
    }
}
