//! WARC and ARC files of any bytes: no panic; written back unchanged; sound after a change of any record.
#![no_main]

use libfuzzer_sys::fuzz_target;
use linkglot_archive::warc::{Change, Editor, Reader, Step, Writer};
use std::io::{BufRead, Read};

/// The most bytes of a decoded body.
const MOST: u64 = 1 << 20;

fuzz_target!(|bytes: &[u8]| {
    let open = || Ok(Box::new(bytes) as Box<dyn BufRead>);
    let mut same = Vec::new();
    Writer::new(None, &open).unwrap().finish(&mut same).unwrap();
    assert_eq!(same, bytes);
    let (mut reader, mut writer) = (Reader::new(bytes), Writer::new(None, &open).unwrap());
    let (mut new, mut records) = (Vec::new(), 0);
    loop {
        let Ok(Step::Record(record)) = reader.step() else {
            break;
        };
        let mut block = Vec::new();
        if reader.read_to_end(&mut block).is_err() {
            return;
        }
        records += 1;
        let open = || Ok(Box::new(&block[..]) as Box<dyn BufRead>);
        let Some(editor) = Editor::new(&record, &open, MOST).unwrap_or(None) else {
            continue;
        };
        let mut change = Change::default();
        let mut content = &b"new"[..];
        change.content = Some(&mut content);
        let mut changed = editor.rewritten(change).unwrap();
        if writer
            .replace(record.start, &mut changed, &mut new)
            .is_err()
        {
            return;
        }
    }
    if !matches!(reader.step(), Ok(Step::End)) || writer.finish(&mut new).is_err() {
        return;
    }
    let mut reader = Reader::new(&new[..]);
    while let Ok(Step::Record(_)) = reader.step() {
        records -= 1;
    }
    assert_eq!(records, 0);
});
