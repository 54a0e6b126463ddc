//! Words of Japanese and Korean that are glued to the end of a link: particles, and sentences that
//! begin with one. Without them the characters of both scripts belong to a link (RFC 3987 7.3).

use super::another;
use super::classes::{CLOSE, HARD, INVISIBLE, SOFT, TERM, opener};
use super::text::Text;

/// How many characters behind a link the end of a sentence is looked for.
const MAX_SENTENCE: usize = 64;
/// No particle has more characters.
const MAX_PARTICLE: usize = 4;

const JAPANESE: &[&str] = &[
    "を", "に", "で", "は", "が", "へ", "と", "も", "の", "や", "から", "まで", "より", "には",
    "では", "です", "にて",
];

const KOREAN: &[&str] = &[
    "을",
    "를",
    "은",
    "는",
    "이",
    "가",
    "에",
    "로",
    "와",
    "과",
    "의",
    "도",
    "에서",
    "으로",
    "까지",
    "부터",
    "에는",
    "에서는",
    "입니다",
    "이다",
    "에게",
    "에도",
    "라는",
    "이라는",
];

/// Whether the character at a position begins words that are glued to ASCII in front of it; `open`: the bracket that is
/// open in the link; `is_enclosed`: whether a link that ends at a position is enclosed exactly, so that it is one with them.
pub(super) fn begins(
    text: &Text<'_>,
    at: usize,
    ch: char,
    open: Option<char>,
    is_enclosed: impl Fn(usize) -> bool,
) -> bool {
    let Some(before) = text.before(at).filter(char::is_ascii) else {
        return false;
    };
    let is_word = before.is_ascii_alphanumeric();
    let is_particle =
        |particles| particle_end(text, at, particles, open).is_some_and(|end| !is_enclosed(end));
    match ch {
        '\u{3041}'..='\u{309F}' => {
            is_word && is_particle(JAPANESE)
                || (is_word || before == '/' && begins_with_particle(text, at))
                    && is_sentence(text, at)
        }
        '\u{AC00}'..='\u{D7A3}' => is_word && is_particle(KOREAN),
        _ => false,
    }
}

/// The end of what stands here up to the end of the word, if it is one of the particles.
fn particle_end(
    text: &Text<'_>,
    at: usize,
    particles: &[&str],
    open: Option<char>,
) -> Option<usize> {
    let mut i = at;
    for _ in 0..=MAX_PARTICLE {
        let ch = text.char(i);
        let class = text.class(ch);
        let ends = match class & TERM {
            HARD | SOFT => true,
            // What closes a bracket of the link is in the midst of its words.
            CLOSE => open.is_none() || opener(ch) != open,
            // A tag, or a link in angle brackets; an escape of a string; what is left out.
            _ => matches!(ch, '<' | '\\' | '…' | '‥') || class & INVISIBLE != 0,
        };
        if ends {
            return particles.contains(&text.slice(at, i)).then_some(i);
        }
        i += ch.len_utf8();
    }
    None
}

fn begins_with_particle(text: &Text<'_>, at: usize) -> bool {
    JAPANESE.iter().any(|particle| text.has(at, particle))
}

/// Whether a Japanese sentence or clause ends behind here, before white space, or another link stands in it.
fn is_sentence(text: &Text<'_>, at: usize) -> bool {
    let (mut i, mut last) = (at, ' ');
    for _ in 0..MAX_SENTENCE {
        let ch = text.char(i);
        match ch {
            '。' if ends_sentence(last) => return true,
            '、' if matches!(last, '\u{3041}'..='\u{309F}') => return true,
            _ if text.class(ch) & TERM == HARD => return false,
            _ => {}
        }
        if let Some(apart) = another::stands_apart(text, i) {
            return apart;
        }
        last = ch;
        i += ch.len_utf8();
    }
    false
}

/// Whether a Hiragana is the last of verbs and adjectives: `です。`, `ください。`
pub(super) fn ends_sentence(ch: char) -> bool {
    "すたいるだんうかねよくせむつぐ".contains(ch)
}
