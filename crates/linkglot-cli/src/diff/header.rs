//! The lines before the hunks of a file: its name.

use super::Layout;
use crate::args::DiffForm;
use crate::output::{path_bytes, push_styled};
use linkglot::Charset;
use linkglot_files::{is_deceptive, push_path};
use std::borrow::Cow;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The line for a document that gets another charset.
pub fn charsets(path: &Path, (old, new): (Charset, Charset), layout: Layout) -> Vec<u8> {
    let mut line = Vec::new();
    push_path(&mut line, path);
    line.extend_from_slice(format!(": {} -> {}", old.name(), new.name()).as_bytes());
    let mut text = Vec::new();
    push_styled(&mut text, layout.styles.header, &line);
    text.push(b'\n');
    text
}

/// The lines that name the file.
pub fn names(path: &Path, layout: Layout) -> Vec<u8> {
    let mut text = Vec::new();
    let (old, new) = match layout.form {
        DiffForm::Text => (path_bytes(path), path_bytes(path)),
        DiffForm::Raw => {
            let path = without_parents(path);
            let (old, new) = (below(b"a", &path), below(b"b", &path));
            text.extend_from_slice(b"diff --git ");
            text.extend_from_slice(&quoted(&old));
            text.push(b' ');
            text.extend_from_slice(&quoted(&new));
            text.push(b'\n');
            (old, new)
        }
    };
    for (sign, name) in [(b"--- ", old), (b"+++ ", new)] {
        let mut line = sign.to_vec();
        push_name(&mut line, &name);
        push_styled(&mut text, layout.styles.header, &line);
        text.push(b'\n');
    }
    text
}

/// The path without `..` behind a directory, which `patch` refuses. A path through a symbolic link stays: `..` leads
/// elsewhere there.
fn without_parents(path: &Path) -> Cow<'_, Path> {
    let mut shorter = PathBuf::new();
    for component in path.components() {
        let is_parent = component == Component::ParentDir;
        let last = shorter.components().next_back();
        if is_parent && matches!(last, Some(Component::Normal(_))) {
            shorter.pop();
        } else {
            shorter.push(component);
        }
    }
    let is_same = path.components().eq(shorter.components());
    let real = |path: &Path| fs::canonicalize(path).ok();
    if is_same || real(&shorter).is_none_or(|same| real(path) != Some(same)) {
        Cow::Borrowed(path)
    } else {
        Cow::Owned(shorter)
    }
}

/// A path below a directory in the form of git's diffs: relative, with slashes.
fn below(directory: &[u8], path: &Path) -> Vec<u8> {
    let mut name = directory.to_vec();
    for component in path.components() {
        if matches!(component, Component::Normal(_) | Component::ParentDir) {
            name.push(b'/');
            name.extend_from_slice(component.as_os_str().as_encoded_bytes());
        }
    }
    name
}

/// Appends the name of a file as GNU diff, git and patch write and read it. A tab follows names with spaces, because
/// `patch` takes text after a space for a time.
fn push_name(out: &mut Vec<u8>, name: &[u8]) {
    out.extend_from_slice(&quoted(name));
    if name.contains(&b' ') {
        out.push(b'\t');
    }
}

/// Quotes and escapes a name as in C, if it has control characters, characters that reorder text, quotes or
/// backslashes.
fn quoted(name: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'"'];
    for chunk in name.utf8_chunks() {
        for ch in chunk.valid().chars() {
            match u8::try_from(ch) {
                Ok(byte) if byte.is_ascii() => push_escaped(&mut quoted, byte),
                _ => push_character(&mut quoted, ch),
            }
        }
        quoted.extend_from_slice(chunk.invalid());
    }
    if quoted[1..] == *name {
        return name.to_vec();
    }
    quoted.push(b'"');
    quoted
}

/// Appends a character beyond ASCII of a quoted name.
fn push_character(out: &mut Vec<u8>, ch: char) {
    for &byte in ch.encode_utf8(&mut [0; 4]).as_bytes() {
        if is_deceptive(ch) {
            out.extend_from_slice(format!("\\{byte:o}").as_bytes())
        } else {
            out.push(byte)
        }
    }
}

/// Appends a byte of a quoted name.
fn push_escaped(out: &mut Vec<u8>, byte: u8) {
    let letter = match byte {
        0x07 => b'a',
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0B => b'v',
        0x0C => b'f',
        b'\r' => b'r',
        b'"' | b'\\' => byte,
        0..=0x1F | 0x7F => return out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
        _ => return out.push(byte),
    };
    out.extend_from_slice(&[b'\\', letter]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Styles;

    #[test]
    fn names_are_quoted_for_patch() {
        let written = |text: &str| {
            let mut out = Vec::new();
            push_name(&mut out, text.as_bytes());
            String::from_utf8(out).unwrap()
        };
        for (text, expected) in [
            ("a/é.html", "a/é.html"),
            ("./sp ace.txt", "./sp ace.txt\t"),
            ("a\nb\t", r#""a\nb\t""#),
            ("a\"b\\c", r#""a\"b\\c""#),
            ("\x1B[31m\x7F\u{9B}1", r#""\033[31m\177\302\2331""#),
            ("a b\r", "\"a b\\r\"\t"),
            ("\u{202E}gnp.\u{2066}", r#""\342\200\256gnp.\342\201\246""#),
        ] {
            assert_eq!(written(text), expected);
        }
    }

    #[test]
    fn the_line_of_a_charset_is_one_line() {
        let layout = Layout {
            form: DiffForm::Text,
            columns: None,
            styles: Styles::default(),
        };
        let charsets = (Charset::WINDOWS_1252, Charset::UTF_8);
        assert_eq!(
            super::charsets(Path::new("a\nb\u{202E}"), charsets, layout),
            b"a\\nb\\u{202e}: windows-1252 -> UTF-8\n"
        );
    }

    #[test]
    fn names_of_raw_diffs() {
        for (path, expected) in [
            ("a.html", "a/a.html"),
            ("./d//a.html", "a/d/a.html"),
            ("/tmp/a.html", "a/tmp/a.html"),
            ("../a", "a/../a"),
        ] {
            assert_eq!(below(b"a", Path::new(path)), expected.as_bytes());
        }
    }
}
