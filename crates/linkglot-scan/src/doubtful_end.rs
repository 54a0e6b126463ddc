//! Links whose end is a guess, by their text alone.

use super::particles::TITLES;
use super::tail::{is_cjk, parts_segment};

/// The start of the words at the end of a link that may belong to the sentence around it: Chinese, Japanese or Korean
/// directly behind an ASCII path (`http://a.example/處取得`). `None`: the link shows no such words. Linear.
///
/// In manual pages and documentation such words belong to the sentence as a rule, but names of pages look the same.
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
    let is_segment =
        path.ends_with(|ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '/' | ')'));
    let is_title = || {
        let ends = |wiki: usize| !path[wiki + TITLES.len()..].contains('/');
        path.rfind(TITLES).is_some_and(ends)
    };
    let is_part = |ch: char| parts_segment(ch) || matches!(ch, '.' | '?');
    let is_words = words.starts_with(is_cjk) && !words.contains(is_part);
    (is_words && is_segment && has_path(path) && !is_title()).then_some(at)
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
        ] {
            assert_eq!(doubtful_end(link), None, "{link}");
        }
    }
}
