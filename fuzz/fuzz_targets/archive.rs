//! Archives of any bytes: no panic; written back unchanged; sound after a change.
#![no_main]

use libfuzzer_sys::fuzz_target;
use linkglot_archive::zip::{Archive, Writer};
use linkglot_archive::{Codec, Decoder, safari, tar};
use std::io::{Cursor, Read};

/// The most bytes that are decompressed.
const MOST: u64 = 1 << 20;

fuzz_target!(|bytes: &[u8]| {
    for codec in [Codec::Gzip, Codec::Zstandard, Codec::Bzip2, Codec::Xz] {
        if let Ok(decoder) = Decoder::new(codec, bytes) {
            let _ = decoder.take(MOST).read_to_end(&mut Vec::new());
        }
    }
    let mut reader = tar::Reader::new(bytes);
    while let Ok(Some(entry)) = reader.next_entry() {
        if entry.kind == tar::EntryKind::Sparse {
            let content = reader.sparse(&entry);
            let _ = content.and_then(|content| content.take(MOST).read_to_end(&mut Vec::new()));
        }
        let content: (&mut dyn Read, u64) = (&mut &b"new"[..], 3);
        let _ = tar::Writer::new(bytes).replace(&entry, content, &mut Vec::new());
    }
    let _ = safari::read(bytes, MOST, &mut |_| Ok(()));
    let mut same = Vec::new();
    tar::Writer::new(bytes).finish(&mut same).unwrap();
    assert_eq!(same, bytes);
    let Ok(mut archive) = Archive::open(Cursor::new(bytes)) else {
        return;
    };
    let mut same = Vec::new();
    Writer::default().finish(&mut archive, &mut same).unwrap();
    assert_eq!(same, bytes);
    let (mut writer, mut new) = (Writer::default(), Vec::new());
    let mut is_sound = true;
    for number in 0..archive.len() {
        let Ok(entry) = archive.entry(number) else {
            return;
        };
        let content = archive.content(number, &entry);
        let read = content.and_then(|content| content.take(MOST).read_to_end(&mut Vec::new()));
        if read.is_ok() {
            let replaced =
                writer.replace(&mut archive, (number, &entry), &mut &b"new"[..], &mut new);
            is_sound &= replaced.is_ok();
        }
    }
    if is_sound && writer.finish(&mut archive, &mut new).is_ok() {
        assert_eq!(
            Archive::open(Cursor::new(new)).map(|new| new.len()).ok(),
            Some(archive.len())
        );
    }
});
