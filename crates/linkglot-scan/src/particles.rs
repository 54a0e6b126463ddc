//! Words of Japanese and Korean that are glued to the end of a link: particles, and sentences that
//! begin with one. Without them the characters of both scripts belong to a link (RFC 3987 7.3).

use super::classes::{CLOSE, HARD, INVISIBLE, SOFT, TERM, opener};
use super::text::Text;

/// No particle has more characters.
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
];

/// Whether the character at a position begins a particle that is glued to ASCII in front of it; `open`: the bracket that is open
/// in the link.
pub(super) fn begins(text: &Text<'_>, at: usize, ch: char, open: Option<char>) -> bool {
    let Some(before) = text.before(at).filter(char::is_ascii) else {
        return false;
    };
    let particles = match ch {
        _ if !before.is_ascii_alphanumeric() => return false,
        // Hiragana behind ASCII are a particle or a verb of the sentence.
        '\u{3041}'..='\u{309F}' => return true,
        '\u{AC00}'..='\u{D7A3}' => KOREAN,
        _ => return false,
    };
    is_particle(text, at, particles, open)
}

/// Whether the word that begins here is one of the particles.
fn is_particle(text: &Text<'_>, at: usize, particles: &[&str], open: Option<char>) -> bool {
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
            return particles.contains(&text.slice(at, i));
        }
        i += ch.len_utf8();
    }
    false
}
