//! Entity references at the end of bare links in Markdown, which do not belong to the link (GFM 0.29 section 6.9).

/// The start of the entity references at the end of a raw link; `None` without one. Punctuation between references is
/// cut as well. A reference behind a `\` and a numeric reference do not count. O(length of the cut).
pub(super) fn final_references(raw: &str) -> Option<usize> {
    let (mut rest, mut cut) = (raw, None);
    while let Some(start) = last_reference(rest) {
        cut = Some(start);
        rest = rest[..start].trim_end_matches(['?', '!', '.', ',', ':', '*', '_', '~']);
    }
    cut
}

/// The start of the reference at the end of a text.
fn last_reference(raw: &str) -> Option<usize> {
    let name = raw.strip_suffix(';')?;
    let head = name.trim_end_matches(|ch: char| ch.is_ascii_alphanumeric());
    let is_named = head.len() < name.len();
    let before = head.strip_suffix('&').filter(|_| is_named)?;
    (!before.ends_with('\\')).then_some(before.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_at_the_end() {
        for (kept, cut) in [
            ("http://a/", "&copy;"),
            ("http://a/?b", "&hl;"),
            ("http://a/&b;c", "&amp;&lt;"),
            ("http://a/", "&amp;.&copy;,&lt;"),
            ("http://a/\u{e9}", "&\u{61};"),
        ] {
            let raw = format!("{kept}{cut}");
            assert_eq!(final_references(&raw), Some(kept.len()), "{raw}");
        }
        for raw in [
            "a",
            "&#233;",
            "&#xe9;",
            ";",
            "a;",
            "&;",
            "&#;",
            "&copy",
            "\\&copy;",
            "&c\u{e9};",
            "&copy;a",
            "",
        ] {
            assert_eq!(final_references(raw), None, "{raw}");
        }
    }
}
