//! Archives built byte by byte.

use flate2::{Compression, Crc};
use proptest_derive::Arbitrary;
use std::io::Write;

/// The form of a zip archive.
#[derive(Arbitrary, Clone, Copy, Debug, Default)]
pub struct ZipForm {
    pub stored: bool,
    /// 0: none; then with a signature or without, with lengths of 4 or 8 bytes.
    #[proptest(strategy = "0..5_u8")]
    pub descriptor: u8,
    pub zip64: bool,
    pub extra: bool,
    pub prefix: bool,
    /// True if positions count the prefix.
    pub counted: bool,
    pub comment: bool,
    /// Bits of the flags for the level.
    #[proptest(strategy = "0..4_u16")]
    pub level: u16,
}

fn put(out: &mut Vec<u8>, len: usize, number: u64) {
    out.extend_from_slice(&number.to_le_bytes()[..len]);
}

pub fn zip_of(files: &[(String, Vec<u8>)], form: ZipForm) -> Vec<u8> {
    let mut out = Vec::new();
    if form.prefix {
        out.extend_from_slice(b"MZ a program\0\x01");
    }
    let base = if form.counted { 0 } else { out.len() };
    let mut records = Vec::new();
    for (name, content) in files {
        let mut crc = Crc::new();
        crc.update(content);
        let data = if form.stored {
            content.clone()
        } else {
            let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        };
        let has_descriptor = form.descriptor > 0;
        let flags = form.level << 1 | 0x800 | u16::from(has_descriptor) << 3;
        let numbers = [
            u64::from(crc.sum()),
            data.len() as u64,
            content.len() as u64,
        ];
        let mut extra = Vec::new();
        let mut wide_extra = Vec::new();
        if form.extra {
            extra.extend_from_slice(b"UT\x05\0\x01\x02\x03\x04\x05");
        }
        if form.zip64 {
            put(&mut wide_extra, 2, 1);
            put(&mut wide_extra, 2, 16);
            put(
                &mut wide_extra,
                8,
                if has_descriptor { 0 } else { numbers[2] },
            );
            put(
                &mut wide_extra,
                8,
                if has_descriptor { 0 } else { numbers[1] },
            );
        }
        let offset = out.len() - base;
        out.extend_from_slice(b"PK\x03\x04");
        put(&mut out, 2, 45);
        put(&mut out, 2, flags.into());
        put(&mut out, 2, if form.stored { 0 } else { 8 });
        put(&mut out, 4, 0x5A21_1234);
        for (at, number) in numbers.into_iter().enumerate() {
            let number = match at {
                0 if has_descriptor => 0,
                1 | 2 if form.zip64 => 0xFFFF_FFFF,
                1 | 2 if has_descriptor => 0,
                _ => number,
            };
            put(&mut out, 4, number);
        }
        put(&mut out, 2, name.len() as u64);
        put(&mut out, 2, (extra.len() + wide_extra.len()) as u64);
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(&extra);
        out.extend_from_slice(&wide_extra);
        out.extend_from_slice(&data);
        if has_descriptor {
            if form.descriptor <= 2 {
                out.extend_from_slice(b"PK\x07\x08");
            }
            let width = if form.descriptor % 2 == 1 { 4 } else { 8 };
            put(&mut out, 4, numbers[0]);
            put(&mut out, width, numbers[1]);
            put(&mut out, width, numbers[2]);
        }
        records.extend_from_slice(b"PK\x01\x02\x1E\x03");
        put(&mut records, 2, 45);
        put(&mut records, 2, flags.into());
        put(&mut records, 2, if form.stored { 0 } else { 8 });
        put(&mut records, 4, 0x5A21_1234);
        put(&mut records, 4, numbers[0]);
        for number in &numbers[1..] {
            put(
                &mut records,
                4,
                if form.zip64 { 0xFFFF_FFFF } else { *number },
            );
        }
        put(&mut records, 2, name.len() as u64);
        put(
            &mut records,
            2,
            (extra.len() + if form.zip64 { 28 } else { 0 }) as u64,
        );
        put(&mut records, 2, u64::from(form.comment));
        put(&mut records, 4, 0);
        put(&mut records, 4, 0o100_644 << 16);
        put(
            &mut records,
            4,
            if form.zip64 {
                0xFFFF_FFFF
            } else {
                offset as u64
            },
        );
        records.extend_from_slice(name.as_bytes());
        if form.zip64 {
            put(&mut records, 2, 1);
            put(&mut records, 2, 24);
            put(&mut records, 8, numbers[2]);
            put(&mut records, 8, numbers[1]);
            put(&mut records, 8, offset as u64);
        }
        records.extend_from_slice(&extra);
        if form.comment {
            records.push(b'!');
        }
    }
    let start = (out.len() - base) as u64;
    out.extend_from_slice(&records);
    let count = files.len() as u64;
    if form.zip64 {
        let at = (out.len() - base) as u64;
        out.extend_from_slice(b"PK\x06\x06");
        put(&mut out, 8, 44);
        put(&mut out, 4, 0x002D_002D);
        put(&mut out, 8, 0);
        put(&mut out, 8, count);
        put(&mut out, 8, count);
        put(&mut out, 8, records.len() as u64);
        put(&mut out, 8, start);
        out.extend_from_slice(b"PK\x06\x07\0\0\0\0");
        put(&mut out, 8, at);
        put(&mut out, 4, 1);
    }
    out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    put(&mut out, 2, count);
    put(&mut out, 2, count);
    put(&mut out, 4, records.len() as u64);
    put(&mut out, 4, if form.zip64 { 0xFFFF_FFFF } else { start });
    let comment = if form.comment { &b"a comment"[..] } else { b"" };
    put(&mut out, 2, comment.len() as u64);
    out.extend_from_slice(comment);
    out
}

/// The form of a tar archive.
#[derive(Arbitrary, Clone, Copy, Debug, Default)]
pub struct TarForm {
    /// Extended headers with name and size, in place of long names of GNU.
    pub pax: bool,
    /// Sizes in base 256.
    pub binary: bool,
    /// Numbers that blanks precede and end.
    pub blanks: bool,
    /// A directory, a symbolic link and a hard link, whose size is not that of a content.
    pub others: bool,
    pub ended: bool,
}

fn header(name: &[u8], kind: u8, size: u64, form: TarForm) -> Vec<u8> {
    let mut block = vec![0; 512];
    let len = name.len().min(100);
    block[..len].copy_from_slice(&name[..len]);
    block[100..108].copy_from_slice(b"0000644\0");
    block[108..116].copy_from_slice(b"0001750\0");
    block[116..124].copy_from_slice(b"0001750\0");
    if form.binary {
        block[124] = 0x80;
        block[128..136].copy_from_slice(&size.to_be_bytes());
    } else if form.blanks {
        block[124..136].copy_from_slice(format!("{size:>11o} ").as_bytes());
    } else {
        block[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
    }
    block[136..148].copy_from_slice(b"14142135623\0");
    block[156] = kind;
    block[257..265].copy_from_slice(if form.pax {
        b"ustar\x0000"
    } else {
        b"ustar  \0"
    });
    block[148..156].fill(b' ');
    let sum: u64 = block.iter().map(|&byte| u64::from(byte)).sum();
    let sum = if form.blanks {
        format!("{sum:>6o}\0 ")
    } else {
        format!("{sum:06o}\0 ")
    };
    block[148..156].copy_from_slice(sum.as_bytes());
    block
}

fn push(out: &mut Vec<u8>, content: &[u8]) {
    out.extend_from_slice(content);
    out.resize(out.len().next_multiple_of(512), 0);
}

fn record(key: &str, value: &str) -> String {
    let rest = format!(" {key}={value}\n");
    let len = (rest.len()..)
        .find(|len| len.to_string().len() + rest.len() == *len)
        .unwrap();
    format!("{len}{rest}")
}

pub fn tar_of(files: &[(String, Vec<u8>)], form: TarForm) -> Vec<u8> {
    let mut out = Vec::new();
    if form.others {
        out.extend(header(b"d/", b'5', 0, form));
        out.extend(header(b"s", b'2', 0, form));
        out.extend(header(b"h", b'1', 1000, form));
    }
    for (name, content) in files {
        let size = content.len() as u64;
        if form.pax {
            let records =
                record("path", name) + &record("size", &size.to_string()) + &record("mtime", "1.5");
            out.extend(header(b"pax", b'x', records.len() as u64, form));
            push(&mut out, records.as_bytes());
        } else if name.len() > 100 {
            out.extend(header(b"././@LongLink", b'L', name.len() as u64 + 1, form));
            push(&mut out, &[name.as_bytes(), b"\0"].concat());
        }
        out.extend(header(name.as_bytes(), b'0', size, form));
        push(&mut out, content);
    }
    if form.ended {
        out.resize((out.len() + 1024).next_multiple_of(10_240), 0);
    }
    out
}
