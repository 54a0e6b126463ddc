//! Archives that several threads read: the answer is that of one thread, for sound files and for damaged ones.

use crate::samples::{ZipForm, zip_of};
use crate::support::Place;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// Deterministic noise: a file must be long after compression, too.
struct Noise(u64);

impl Noise {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }

    fn text(&mut self, len: usize) -> String {
        let letter = |_| char::from(b"abcdefghijklmnopqrstuvwxyz \n"[self.next(28)]);
        (0..len).map(letter).collect()
    }
}

fn gzip(content: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// A record of a page; without an identifier, its name is its position.
fn record(id: Option<usize>, target: usize, body: &[u8], excess: usize) -> Vec<u8> {
    let id = id.map_or(String::new(), |id| {
        format!("WARC-Record-ID: <urn:x:{id}>\r\n")
    });
    let http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: </next>\r\n\r\n";
    let header = format!(
        "WARC/1.0\r\nWARC-Type: response\r\n{id}WARC-Target-URI: http://site.example/{target}/\r\n\
         Content-Type: application/http\r\nContent-Length: {}\r\n\r\n",
        http.len() + body.len() + excess
    );
    [header.as_bytes(), http, body, b"\r\n\r\n"].concat()
}

fn page(noise: &mut Noise, number: usize) -> Vec<u8> {
    let len = 200 + noise.next(12_000);
    let text = noise.text(len);
    format!("<a href=http://host.example/{number}>x</a> {text} <a href={number}>y</a>").into_bytes()
}

/// Records of some 2 MiB after compression.
fn records(seed: u64) -> Vec<Vec<u8>> {
    let mut noise = Noise(seed);
    (0..600)
        .map(|number| {
            let id = (number % 50 != 7).then_some(number);
            record(id, number, &page(&mut noise, number), 0)
        })
        .collect()
}

fn members(records: &[Vec<u8>]) -> Vec<Vec<u8>> {
    records.iter().map(|record| gzip(record, 1)).collect()
}

/// One thread and three give the same output, errors and exit code. Returns the number of lines.
fn compare(place: &Place, name: &str, content: &[u8], more: &[&str]) -> usize {
    assert!(content.len() > 1 << 20, "{name}: {}", content.len());
    place.write(name, content);
    let run = |threads| place.run(&[&["find", threads], more, &[name]].concat());
    let (one, several) = (run("-j1"), run("-j3"));
    assert_eq!(one.err, several.err, "{name}");
    assert_eq!(one.code, several.code, "{name}: {}", one.err);
    assert!(one.out == several.out, "{name}: {}", one.err);
    one.out.iter().filter(|&&byte| byte == b'\n').count()
}

#[test]
fn sound_archives() {
    let place = Place::new(&[]);
    let records = records(1);
    let all = 3 * records.len();
    for (name, content) in [
        ("a.warc.gz", members(&records).concat()),
        ("whole.warc.gz", gzip(&records.concat(), 1)),
        (
            "pairs.warc.gz",
            members(&Vec::from_iter(records.chunks(2).map(<[_]>::concat))).concat(),
        ),
        ("a.warc", records.concat()),
    ] {
        assert_eq!(compare(&place, name, &content, &[]), all, "{name}");
        compare(&place, name, &content, &["--json"]);
        compare(&place, name, &content, &["-u", "-o"]);
        compare(&place, name, &content, &["--by-host"]);
        // The second thread is past the limit long before the first.
        compare(&place, name, &content, &["--max-ratio", "1"]);
    }
}

#[test]
fn damaged_members() {
    let place = Place::new(&[]);
    let (records, mut noise) = (records(2), Noise(3));
    let members = members(&records);
    let file = members.concat();
    for _ in 0..12 {
        let mut damaged = file.clone();
        for _ in 0..=noise.next(4) {
            let at = noise.next(file.len());
            damaged[at] ^= 1 << noise.next(8);
        }
        let lines = compare(&place, "a.warc.gz", &damaged, &[]);
        // A damaged member costs its own record.
        assert!(lines >= 3 * (records.len() - 5), "{lines}");
    }
    for _ in 0..4 {
        let end = file.len() - noise.next(file.len() / 4);
        compare(&place, "cut.warc.gz", &file[..end], &[]);
        let junk = noise.text(70_000).into_bytes();
        let at: usize = members[..300].iter().map(Vec::len).sum();
        let torn = [&file[..at], &junk, &file[at..]].concat();
        let lines = compare(&place, "torn.warc.gz", &torn, &[]);
        assert_eq!(lines, 3 * records.len());
    }
}

#[test]
fn wrong_lengths() {
    let place = Place::new(&[]);
    let mut noise = Noise(4);
    for excess in [1, 900, 20_000, 3 << 20] {
        let mut records = records(5);
        for at in (20..600).step_by(90) {
            let body = page(&mut noise, at);
            records[at] = record(Some(at), at, &body, excess);
        }
        compare(&place, "a.warc.gz", &members(&records).concat(), &[]);
        compare(&place, "a.warc", &records.concat(), &[]);
    }
}

/// A file of records within a record: its members stand in the file as they are, where nothing compresses them.
#[test]
fn archives_in_archives() {
    let place = Place::new(&[]);
    let mut records = records(6);
    let inner = members(&records[..300]).concat();
    records[100] = record(Some(100), 100, &inner, 0);
    let stored = Vec::from_iter(records.iter().map(|record| gzip(record, 0))).concat();
    compare(&place, "stored.warc.gz", &stored, &[]);
    compare(&place, "a.warc.gz", &members(&records).concat(), &[]);
    records[100] = record(Some(100), 100, &records[..300].concat(), 0);
    compare(&place, "a.warc", &records.concat(), &[]);
}

#[test]
fn entries_of_zip() {
    let place = Place::new(&[]);
    let mut noise = Noise(7);
    let entries = (0..600).map(|number| (format!("{number}.html"), page(&mut noise, number)));
    let sound = zip_of(&entries.collect::<Vec<_>>(), ZipForm::default());
    assert_eq!(compare(&place, "a.zip", &sound, &[]), 1200);
    compare(
        &place,
        "a.zip",
        &sound,
        &["--json", "--base", "http://base.example/"],
    );
    for _ in 0..8 {
        let mut damaged = sound.clone();
        let at = noise.next(sound.len());
        damaged[at] ^= 1 << noise.next(8);
        compare(&place, "a.zip", &damaged, &[]);
    }
}
