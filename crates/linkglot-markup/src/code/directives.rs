//! Directives of formats, which functions replace by values: `%s`, `%1$s`, `{}`, `{0}`.

/// The longest directive.
const LONGEST: usize = 32;

/// True if a value that replaces a directive may become a part of a longer link: beside a letter or a mark of links, or
/// beside another directive. O(length).
pub(super) fn are_glued(format: &[u8]) -> bool {
    let mut from = 0;
    while let Some(at) = memchr::memchr2(b'%', b'{', &format[from..]) {
        let start = from + at;
        let length = length(&format[start..]);
        from = start + length.max(1);
        // `%%`, `{{`
        from += usize::from(length == 0 && format.get(from) == Some(&format[start]));
        if length > 0 && (is_glue_before(&format[..start]) || is_glue_behind(&format[from..])) {
            return true;
        }
    }
    false
}

/// The length of the directive at the beginning of bytes; 0 if there is none.
fn length(bytes: &[u8]) -> usize {
    let near = &bytes[1..bytes.len().min(LONGEST)];
    let is_flag = |byte: &u8| !byte.is_ascii_digit() && !b"$-+#.*'hlLqjzt(_)".contains(byte);
    let end = match bytes[0] {
        b'%' => near.iter().position(is_flag),
        _ => near.iter().position(|byte| b"} \t\n\"'{".contains(byte)),
    };
    match end.map(|end| (end, near[end])) {
        Some((end, b'}')) if bytes[0] == b'{' => end + 2,
        Some((end, last)) if bytes[0] == b'%' && (last.is_ascii_alphabetic() || last == b'@') => {
            end + 2
        }
        _ => 0,
    }
}

fn is_glue_before(text: &[u8]) -> bool {
    let is_glue =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"}-_./@:".contains(byte) || *byte >= 0x80;
    text.last().is_some_and(is_glue)
}

fn is_glue_behind(text: &[u8]) -> bool {
    match text {
        [first, ..] if first.is_ascii_whitespace() || b"\"'`<>()[],;|\\".contains(first) => false,
        // The end of a sentence.
        [b'.' | b'!' | b'?' | b':', second, ..] => {
            !second.is_ascii_whitespace() && !b"\"'<\\".contains(second)
        }
        [b'.' | b'!' | b'?' | b':'] | [] => false,
        [_, ..] => true,
    }
}

#[cfg(test)]
mod tests {
    use super::are_glued;

    #[test]
    fn values_beside_parts_of_links() {
        for format in [
            "%s%s",
            "%s/a",
            "http://%s",
            "{}{}",
            "see {0}/b",
            "%1$s?a=%2$s",
            "%@%@",
            "x%s",
            "%%%s/",
            "{{{x}}}/a",
            "%(a)s%(b)s",
        ] {
            assert!(are_glued(format.as_bytes()), "{format}");
        }
        for format in [
            "%s",
            "see %s.",
            "<a href=\"%s\">",
            "%1$s, %2$s",
            "100% a/b",
            "%%s/a",
            "{ a }/b",
            "{}",
            "('{0}')",
            "see {0}: b",
            "%",
            "{",
            "",
        ] {
            assert!(!are_glued(format.as_bytes()), "{format}");
        }
    }
}
