//! The encoding tests of html5lib, if a folder has them.
//!
//! `LINKGLOT_HTML5LIB` names a folder with `encoding/*.dat`, somewhere below it (the source
//! distribution of html5lib 1.1 has them in `html5lib/tests/testdata`).

use linkglot::format::Format;
use linkglot_charset::{Charset, HEAD, sniff};
use std::path::{Path, PathBuf};

/// A document and the label of its charset.
struct Case {
    data: Vec<u8>,
    label: String,
}

fn find_tests(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else {
        return found;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let is_encoding = folder.file_name().is_some_and(|name| name == "encoding");
        if path.is_dir() {
            found.extend(find_tests(&path));
        } else if is_encoding && path.extension().is_some_and(|ext| ext == "dat") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// `#data`, the document, `#encoding`, the label, an empty line.
fn cases(file: &[u8]) -> Vec<Case> {
    let starts: Vec<usize> = memchr::memmem::find_iter(file, b"#data\n")
        .filter(|&at| at == 0 || file[at - 1] == b'\n')
        .collect();
    let ends = starts.iter().skip(1).copied().chain([file.len()]);
    let case = |(start, end): (&usize, usize)| {
        let body = &file[start + b"#data\n".len()..end];
        let mark = memchr::memmem::rfind(body, b"\n#encoding\n").expect("an encoding");
        let label = &body[mark + b"\n#encoding\n".len()..];
        Case {
            data: body[..mark].to_vec(),
            label: String::from_utf8_lossy(label).trim().to_owned(),
        }
    };
    starts.iter().zip(ends).map(case).collect()
}

/// The reason why a case may differ.
fn explanation(case: &Case) -> Option<&'static str> {
    memchr::memmem::find(&case.data, b"document.write(")
        .map(|_| "the declaration exists only once a script has run, and we run none")
}

#[test]
fn html5lib_encodings() {
    let Some(folder) = std::env::var_os("LINKGLOT_HTML5LIB") else {
        eprintln!("skipped: LINKGLOT_HTML5LIB names no folder");
        return;
    };
    let files = find_tests(Path::new(&folder));
    assert!(!files.is_empty(), "no encoding/*.dat in {folder:?}");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for path in files {
        for case in cases(&std::fs::read(&path).expect("a readable file")) {
            count += 1;
            let expected = Charset::for_label(&case.label).expect("a known label");
            let head = &case.data[..case.data.len().min(HEAD)];
            let whole = head.len() == case.data.len();
            let found = sniff(head, whole, Format::Html.declaration(), None, None);
            if found.charset == expected {
                continue;
            }
            let data = String::from_utf8_lossy(&head[..head.len().min(200)]);
            match explanation(&case) {
                Some(why) => eprintln!("differs: {why}: {data}"),
                None => wrong.push(format!("{data}\nexpected {expected:?}, found {found:?}")),
            }
        }
    }
    eprintln!("{count} cases");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
