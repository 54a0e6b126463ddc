//! Names under native top-level domains that are everyday words: what stands in front of them may be the number of a list's
//! member (`1.中国`) or a sentence (`你好。世界！`).

use super::domain::has_www;
use super::host;
use super::text::Text;

/// Han numerals and the signs that number as letters do.
const NUMERALS: &str =
    "〇零一二三四五六七八九十百千廿卅两兩壹贰叁肆伍陆柒捌玖拾甲乙丙丁戊己庚辛壬癸";
/// What stands in front of a number, and what it counts.
const HEADS: &[char] = &['第', '제', '图', '圖', '図', '表', '例', '题', '題', '附'];
const COUNTERS: &[char] = &[
    '章', '节', '節', '条', '條', '回', '部', '篇', '卷', '巻', '课', '課', '讲', '講', '期', '步',
    '届', '屆', '项', '項', '号', '號', '段', '页', '頁', '点', '點', '次', '장', '절', '조', '항',
    '회', '부', '권',
];

/// Whether the domain from `start` to `end`, behind which neither port nor path follows, is the text of a list's member or
/// of a sentence: its last label, at `label`, is a native top-level domain.
pub(super) fn is_prose(text: &Text<'_>, start: usize, label: usize, end: usize) -> bool {
    let last = text.slice(label, end);
    if last.is_ascii() {
        return false;
    }
    let names = text.slice(start, label);
    if text.before(label) == Some('。') && !has_www(names) && is_in_sentence(text, start, end) {
        return true;
    }
    let mut labels = names.trim_end_matches(host::is_dot).split(host::is_dot);
    let counts = |label: &str| is_ordinal(label) && !(is_letter(label) && is_abbreviation(last));
    labels.all(counts)
}

/// `рф`, `укр`, `ею`: no words behind a letter that numbers, as longer ones and those in scripts without case are.
fn is_abbreviation(tld: &str) -> bool {
    let is_cased = |ch: char| ch.is_lowercase() || ch.is_uppercase();
    tld.chars().count() <= 3 && tld.chars().all(is_cased)
}

/// Whether a sentence goes on behind a name, or a clause of it ends in front.
fn is_in_sentence(text: &Text<'_>, start: usize, end: usize) -> bool {
    let next = text.char(end);
    let goes_on = !next.is_ascii() && !next.is_whitespace();
    goes_on || matches!(text.before(start), Some('，' | '、' | '；' | '！' | '？'))
}

/// A number, or what numbers the members of lists and the parts of books: `12`, `③`, `IV`, `b`, `第一章`.
fn is_ordinal(label: &str) -> bool {
    let is_number = |ch: char| ch.is_numeric() || ch == '-' || NUMERALS.contains(ch);
    let is_roman = (1..=5).contains(&label.len()) && label.bytes().all(|b| b"ivxIVX".contains(&b));
    // Lists are not as long as `12306.中国`.
    let is_long = label.len() > 3 && label.bytes().all(|byte| byte.is_ascii_digit());
    let bare = label.strip_prefix(HEADS).unwrap_or(label);
    let bare = bare.strip_suffix(COUNTERS).unwrap_or(bare);
    is_letter(label) || is_roman || !is_long && !bare.is_empty() && bare.chars().all(is_number)
}

/// One character, but for Han, of which names are made; digits count as numbers.
fn is_letter(label: &str) -> bool {
    let mut chars = label.chars();
    let first = chars.next();
    first.is_some_and(|ch| !is_han(ch) && !ch.is_numeric()) && chars.next().is_none()
}

fn is_han(ch: char) -> bool {
    matches!(ch, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_number_members_and_parts() {
        for label in [
            "1",
            "12",
            "１",
            "①",
            "١",
            "IV",
            "vi",
            "b",
            "Я",
            "ㄱ",
            "가",
            "三",
            "十二",
            "甲",
            "第一章",
            "第3回",
            "제1장",
            "图2",
            "1-2",
        ] {
            assert!(is_ordinal(label), "{label}");
        }
        for label in [
            "",
            "人",
            "ab",
            "第",
            "章",
            "例子",
            "пример",
            "a1",
            "1a",
            "12306",
            "第一名人",
        ] {
            assert!(!is_ordinal(label), "{label}");
        }
    }
}
