//! Japanese and Korean particles that are glued to the end of a link, and sentences that begin with one. Particles
//! belong to the sentence; other characters of both scripts may belong to the link (RFC 3987 7.3).

use super::classes::{CLOSE, HARD, INVISIBLE, SOFT, TERM, opener};
use super::text::Text;

/// The most characters of a particle.
const MAX_PARTICLE: usize = 4;

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
    "에있는",
    "하고",
    "처럼",
    "라고",
    "이라고",
];

/// Japanese particles of one character. In front of other Hiragana they may begin a word.
const PARTICLES: &str = "をはがにでとのもへ";

/// Beginnings of Japanese clauses behind a link.
const CLAUSES: &[&str] = &[
    "を",
    "から",
    "まで",
    "です",
    "でし",
    "では",
    "でも",
    "でご",
    "でき",
    "であ",
    "にあ",
    "にて",
    "につ",
    "によ",
    "にお",
    "にな",
    "にし",
    "という",
    "として",
    "とな",
    "など",
    "はこ",
    "への",
];

/// The directory whose names are titles in any script.
pub(super) const TITLES: &str = "/wiki/";

/// The scripts whose particles are glued to links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    /// Japanese: Hiragana behind ASCII begin a particle or a verb of the sentence.
    Hiragana,
    /// Korean: only the listed particles.
    Hangul,
}

/// The script of a character, if it may begin a particle.
pub(super) fn script(ch: char) -> Option<Script> {
    match ch {
        '\u{3041}'..='\u{309F}' => Some(Script::Hiragana),
        '\u{AC00}'..='\u{D7A3}' => Some(Script::Hangul),
        _ => None,
    }
}

/// True if the character at a position begins a particle that is glued to an ASCII letter, digit or closing bracket, or
/// a clause behind a `/` that begins with one. `open`: the open bracket of the link. `is_ascii`: the link is ASCII so
/// far.
pub(super) fn begins(
    text: &Text<'_>,
    at: usize,
    ch: char,
    open: Option<char>,
    is_ascii: bool,
) -> bool {
    let Some(script) = script(ch) else {
        return false;
    };
    let is_korean = || script == Script::Hangul && is_particle(text, at, KOREAN, open);
    match text.before(at) {
        Some(before) if before.is_ascii_alphanumeric() || before == ')' && is_ascii => {
            script == Script::Hiragana || is_korean()
        }
        Some('/') if is_ascii && !text.ends(at, 0, TITLES) => {
            is_korean() || script == Script::Hiragana && begins_clause(text, at, ch)
        }
        _ => false,
    }
}

/// True if a Japanese clause begins with a particle at a position.
fn begins_clause(text: &Text<'_>, at: usize, ch: char) -> bool {
    let next = text.char(at + ch.len_utf8());
    let begins = |word: &&str| text.slice(at, at + word.len()) == *word;
    PARTICLES.contains(ch) && script(next) != Some(Script::Hiragana) || CLAUSES.iter().any(begins)
}

/// True if the word that begins at `at` is one of the particles.
fn is_particle(text: &Text<'_>, at: usize, particles: &[&str], open: Option<char>) -> bool {
    let mut i = at;
    for _ in 0..=MAX_PARTICLE {
        let ch = text.char(i);
        let class = text.class(ch);
        let ends = match class & TERM {
            HARD | SOFT => true,
            // A bracket of the link closes in the middle of its words.
            CLOSE => open.is_none() || opener(ch) != open,
            // A tag or the next link, an escape, an ellipsis.
            _ => matches!(ch, '<' | '\\' | '…' | '‥') || class & INVISIBLE != 0,
        };
        if ends {
            return particles.contains(&text.slice(at, i));
        }
        i += ch.len_utf8();
    }
    false
}
