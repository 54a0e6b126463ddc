//! Links whose end is a guess, by their text alone.

use super::host_punctuation::is_pictograph;
use super::particles::TITLES;
use super::tail::{is_cjk, parts_segment};

/// The start of the words at the end of a link that may belong to the sentence around it: Chinese, Japanese or Korean
/// directly behind an ASCII path (`http://a.example/處取得`), and signs directly behind an ASCII segment: pictographs,
/// superscript digits and `’s`. `None`: the link shows none of these. Linear.
///
/// In manual pages and documentation such words belong to the sentence as a rule, but names of pages look the same.
/// Signs belong to the link by UTS 58, and to the sentence for a reader.
///
/// ```
/// use linkglot_scan::doubtful_end;
///
/// assert_eq!(doubtful_end("http://a.example/b/取得"), Some(19));
/// assert_eq!(doubtful_end("http://a.example/分类/新闻"), None);
/// ```
pub fn doubtful_end(link: &str) -> Option<usize> {
    // A quick test, for most links.
    if link.is_ascii() {
        return None;
    }
    let at = link.bytes().position(|byte| !byte.is_ascii())?;
    let (path, words) = link.split_at(at);
    let is_sign = words.starts_with(is_sign) || words == "’s";
    let ends_segment = |ch: char| ch.is_ascii_alphanumeric() || ch == ')';
    let is_segment = path.ends_with(ends_segment) || !is_sign && path.ends_with('/');
    let is_title = || {
        let ends = |wiki: usize| !path[wiki + TITLES.len()..].contains('/');
        path.rfind(TITLES).is_some_and(ends)
    };
    let is_part = |ch: char| parts_segment(ch) || matches!(ch, '.' | '?');
    let is_doubtful = (is_sign || words.starts_with(is_cjk)) && !words.contains(is_part);
    (is_doubtful && is_segment && has_path(path) && !is_title()).then_some(at)
}

/// True for a pictograph and for the number of a note.
fn is_sign(ch: char) -> bool {
    is_pictograph(ch) || matches!(ch, '²' | '³' | '¹' | '\u{2070}'..='\u{2079}')
}

/// True if a path begins in the start of a link.
fn has_path(start: &str) -> bool {
    let behind = start.split_once("://").map_or(start, |(_, behind)| behind);
    behind.contains('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_may_belong_to_the_sentence() {
        for link in [
            "ftp://a.example/pub/unix/|处获得",
            "ftp://a.example/pub/unix|找到",
            "http://a.example/|はてな",
            "http://a.example/v1.2|版本",
            "www.a.example/wiki/a/|取得",
            "http://a.example/b|👍",
            "http://a.example/b_(c)|²",
            "http://a.example/b|’s",
        ] {
            let whole = link.replace('|', "");
            assert_eq!(doubtful_end(&whole), link.find('|'), "{link}");
        }
        for link in [
            "http://a.example/é",
            "http://例え.jp/道",
            "http://a.example/分类/新闻",
            "http://a.example/案内.html",
            "https://ja.example/wiki/日本語",
            "https://ja.example/wiki/C言語",
            "http://a.example/?q=日本",
            "http://a.example/a-日本",
            "http://a.example/a",
            "http://a.example/👍",
            "http://a.example/a👍/b",
            "http://a.example/é’s",
            "https://en.example/wiki/m²",
        ] {
            assert_eq!(doubtful_end(link), None, "{link}");
        }
    }
}
