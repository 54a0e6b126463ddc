//! Files within the text of a message, an attachment before MIME (uuencode of POSIX).

use memchr::memmem::Finder;
use std::ops::Range;
use std::sync::LazyLock;

const BEGIN: &[u8] = b"begin ";
const END: &[u8] = b"end";

/// The files in a text, each from its first line to its last line or to the end of the text. Linear.
pub(super) fn files(text: &[u8]) -> Vec<Range<usize>> {
    let mut files = Vec::new();
    let mut from = 0;
    while let Some(begin) = begin(text, from) {
        let end = end(text, begin);
        files.push(begin..end);
        from = end;
    }
    files
}

/// The start of the next file.
fn begin(text: &[u8], from: usize) -> Option<usize> {
    static FINDER: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(BEGIN));
    let found = FINDER.find_iter(&text[from..]).map(|at| at + from);
    let mut found = found.filter(|&at| at == 0 || text[at - 1] == b'\n');
    found.find(|&at| is_begin(&text[at..]))
}

/// True for `begin 644 name` and a line of data.
fn is_begin(text: &[u8]) -> bool {
    let mut lines = text.split(|byte| *byte == b'\n');
    let first = lines.next().unwrap_or_default();
    let mode = first.get(BEGIN.len()..).unwrap_or_default();
    let digits = mode.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let data = lines.next().unwrap_or_default().trim_ascii_end();
    matches!(digits, 3 | 4) && mode.get(digits) == Some(&b' ') && is_data(data)
}

/// True for a line of data: the number of bytes, and four characters for every three bytes. Blanks at its end may be
/// lost.
fn is_data(line: &[u8]) -> bool {
    let Some((&count, characters)) = line.split_first() else {
        return false;
    };
    let whole = usize::from(count.wrapping_sub(b' ') & 0x3F).div_ceil(3) * 4;
    let is_character = |byte: &u8| (b' '..=b'`').contains(byte);
    line.iter().all(is_character) && characters.len() <= whole + 1 && characters.len() + 4 > whole
}

/// The end of the file that starts at `begin`, behind its last line.
fn end(text: &[u8], begin: usize) -> usize {
    let mut at = begin;
    while at < text.len() {
        let behind = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end + 1);
        if text[at..behind].trim_ascii_end() == END {
            return behind;
        }
        at = behind;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let files = files(text.as_bytes()).into_iter();
        files.map(|range| &text[range]).collect()
    }

    #[test]
    fn files_are_found() {
        let file = "begin 644 a b.txt\nM:'1T<#HO+V$N97AA;7!L92]B:'1T<#HO+V$N97AA;7!L92]B:'1T<#HO+V$N\n%86%A86$\n`\nend\n";
        assert_eq!(found(&format!("a\n{file}b\n{file}")), [file, file]);
        assert_eq!(found(&file[..file.len() - 4]).len(), 1);
        assert_eq!(found(&file.replace('\n', "\r\n")).len(), 1);
    }

    #[test]
    fn words_are_no_files() {
        let text = "begin 644 letters\nof our alphabet\nend\nbegin again\nend\n> begin 644 a\n#0V%T\nend\n";
        assert_eq!(found(text), [""; 0]);
    }
}
