//! Borders of files of records: places where reading may begin.

use linkglot_archive::warc::{Proof, next_member};
use std::io::{Cursor, Write};

fn gzip(content: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(level));
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn record(block: &[u8]) -> Vec<u8> {
    let length = block.len();
    let header = format!("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: {length}\r\n\r\n");
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// A record of bytes that do not compress.
fn member(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let next = |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    gzip(&record(&(0..9_000).map(next).collect::<Vec<_>>()), 1)
}

/// Members of a file within a record are no borders, although their bytes stand in the file: nothing compresses them.
#[test]
fn borders_are_members_of_the_file_itself() {
    let inner: Vec<u8> = (0..40).flat_map(member).collect();
    let outer = gzip(&record(&inner), 0);
    let behind: Vec<u8> = (50..60).flat_map(member).collect();
    let file = [&member(1)[..], &outer, &behind].concat();
    let begin = member(1).len() as u64;
    let end = begin + outer.len() as u64;
    let within =
        |range, proof| next_member(&mut Cursor::new(&file), range, proof).expect("no failure");
    let next = |from, proof| within(from..u64::MAX, proof);
    for proof in [Proof::Member, Proof::Chain] {
        assert_eq!(next(0, proof), Some(0));
        assert_eq!(next(1, proof), Some(begin));
        assert_eq!(next(end, proof), Some(end));
        assert_eq!(within(1..begin, proof), None);
        assert_eq!(next(file.len() as u64 - 20, proof), None);
    }
    assert_eq!(next(begin + 1, Proof::Chain), Some(end));
    assert!(next(begin + 1, Proof::Member).is_some_and(|found| found < end));
    // A chain that ends with the file proves its members, too.
    let last = (file.len() - member(59).len()) as u64;
    assert_eq!(next(last - 20, Proof::Chain), Some(last));
}
