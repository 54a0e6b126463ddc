//! Words of another script that are glued to the start of an ASCII name, such as the one-letter prefixes of Hebrew and
//! Arabic.

use super::host;

/// The length of a prefix in front of the ASCII part of a host's first label, with the hyphens behind it:
/// `ב-example.co.il`, `иwww.example.ru`. A label does not mix letters of both directions (RFC 5893 2, rules 2 and 5),
/// and a host begins at a `www` behind another script. `host` has all labels but the last.
pub(super) fn prefix_len(host: &str) -> Option<usize> {
    let label = host.split(host::is_dot).next()?;
    let (at, ch) = label.char_indices().rfind(|(_, ch)| !ch.is_ascii())?;
    let (head, ascii) = label.split_at(at + ch.len_utf8());
    let rest = ascii.trim_start_matches('-');
    let is_mixed = is_mixed(ch, head, rest);
    let is_www = rest.eq_ignore_ascii_case("www") && label.len() < host.len();
    let is_prefix = is_mixed || is_www && ch.is_alphabetic() && !is_latin(ch);
    is_prefix.then(|| label.len() - rest.len())
}

/// True if right-to-left letters, the last of them `last`, stand in front of ASCII letters.
fn is_mixed(last: char, head: &str, rest: &str) -> bool {
    let is_letter = |ch: char| ch.is_ascii_alphabetic();
    is_right_to_left(last) && !head.contains(is_letter) && rest.contains(is_letter)
}

/// True if a character is in a block of right-to-left letters (Bidi_Class R and AL).
fn is_right_to_left(ch: char) -> bool {
    matches!(ch, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}')
        || matches!(ch, '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}

/// True if a character is a Latin letter beyond ASCII.
fn is_latin(ch: char) -> bool {
    matches!(ch, '\u{AA}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' | '\u{2C60}'..='\u{2C7F}' | '\u{A720}'..='\u{A7FF}')
        || matches!(ch, '\u{AB30}'..='\u{AB6F}' | '\u{FF21}'..='\u{FF5A}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_of_another_script() {
        for (host, prefix_is) in [
            ("ב-example.co", Some("ב-")),
            ("וexample", Some("ו")),
            ("ב7up", Some("ב")),
            ("иwww.example", Some("и")),
            ("σWWW.example", Some("σ")),
            ("و-www.example", Some("و-")),
            ("éwww.example", None),
            ("иwww", None),
            ("вexample", None),
            ("דוגמה1", None),
            ("דוגמה", None),
            ("a.בb", None),
            ("example", None),
            ("", None),
        ] {
            assert_eq!(prefix_len(host), prefix_is.map(str::len), "{host}");
        }
    }
}
