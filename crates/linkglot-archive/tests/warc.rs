//! Records of the web: read from each layout of a file, and written back with some of them changed.

use linkglot_archive::warc::{
    Block, Change, Editor, Fault, Payload, Places, REWRITTEN, Reader, Record, RecordKind, Step,
    Writer,
};
use linkglot_archive::{Codec, Decoder};
use sha1::{Digest, Sha1};
use std::io::{self, BufRead, Read, Write};

const MANY: u64 = 1 << 20;

fn hex_of(bytes: &[u8]) -> String {
    let digest = Sha1::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A record with these fields, besides its kind, its length and the digest of its block.
fn record(kind: &str, number: usize, fields: &str, block: &str) -> Vec<u8> {
    let digest = hex_of(block.as_bytes());
    format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:x:{number}>\r\nWARC-Target-URI: http://а.example/{number}\r\n\
         WARC-Date: 2001-02-03T04:05:06Z\r\nWARC-Block-Digest: sha1:{digest}\r\n{fields}Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
    .into_bytes()
}

fn resource(number: usize) -> Vec<u8> {
    let text = format!("текст {number} ").repeat(number * 700);
    record("resource", number, "Content-Type: text/plain\r\n", &text)
}

fn response(fields: &str, http: &str, body: &str) -> Vec<u8> {
    let block = format!("HTTP/1.1 200 OK\r\n{http}\r\n{body}");
    let fields = format!("Content-Type: application/http; msgtype=response\r\n{fields}");
    record("response", 7, &fields, &block)
}

/// The ways to put records into a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    Plain,
    Members(Codec),
    Whole(Codec),
    /// Two records in a member.
    Pairs(Codec),
}

const LAYOUTS: [Layout; 7] = [
    Layout::Plain,
    Layout::Members(Codec::Gzip),
    Layout::Members(Codec::Zstandard),
    Layout::Whole(Codec::Gzip),
    Layout::Whole(Codec::Zstandard),
    Layout::Pairs(Codec::Gzip),
    Layout::Pairs(Codec::Zstandard),
];

impl Layout {
    fn codec(self) -> Option<Codec> {
        match self {
            Layout::Plain => None,
            Layout::Members(codec) | Layout::Whole(codec) | Layout::Pairs(codec) => Some(codec),
        }
    }

    fn file(self, records: &[Vec<u8>]) -> Vec<u8> {
        let packed = |size| records.chunks(size).map(<[Vec<u8>]>::concat);
        match self {
            Layout::Plain => records.concat(),
            Layout::Members(codec) => packed(1).flat_map(|bytes| member(codec, &bytes)).collect(),
            Layout::Pairs(codec) => packed(2).flat_map(|bytes| member(codec, &bytes)).collect(),
            Layout::Whole(codec) => member(codec, &records.concat()),
        }
    }
}

/// A member that no encoder of the crate makes: unchanged ones must be copied.
fn member(codec: Codec, content: &[u8]) -> Vec<u8> {
    match codec {
        Codec::Gzip => {
            let header = b"\x1F\x8B\x08\x0C\x01\x02\x03\x04\x02\x03\x06\0sl\x02\0xxname\0";
            let mut encoder =
                flate2::write::DeflateEncoder::new(header.to_vec(), flate2::Compression::fast());
            encoder.write_all(content).unwrap();
            let mut crc = flate2::Crc::new();
            crc.update(content);
            let mut bytes = encoder.finish().unwrap();
            bytes.extend_from_slice(&crc.sum().to_le_bytes());
            bytes.extend_from_slice(&crc.amount().to_le_bytes());
            bytes
        }
        _ => zstd::bulk::compress(content, 19).unwrap(),
    }
}

fn decompressed(codec: Option<Codec>, bytes: &[u8]) -> Vec<u8> {
    let Some(codec) = codec else {
        return bytes.to_vec();
    };
    let mut content = Vec::new();
    Decoder::new(codec, bytes)
        .unwrap()
        .read_to_end(&mut content)
        .unwrap();
    content
}

fn records(bytes: &[u8]) -> Vec<(Record, Vec<u8>)> {
    let mut reader = Reader::new(bytes);
    let mut all = Vec::new();
    loop {
        match reader.step().unwrap() {
            Step::Record(record) => {
                let mut block = Vec::new();
                reader.read_to_end(&mut block).unwrap();
                all.push((record, block));
            }
            Step::Damaged(error) => panic!("{error}"),
            Step::End => return all,
        }
    }
}

/// Writes a file in which some records have another content.
fn rewritten(layout: Layout, old: &[u8], content: &dyn Fn(usize) -> Option<Vec<u8>>) -> Vec<u8> {
    let open = || Ok(Box::new(old) as Box<dyn BufRead>);
    let mut writer = Writer::new(layout.codec(), &open).unwrap();
    let mut new = Vec::new();
    for (number, (record, block)) in records(&decompressed(layout.codec(), old))
        .iter()
        .enumerate()
    {
        if let Some(content) = content(number) {
            let open = || Ok(Box::new(&block[..]) as Box<dyn BufRead>);
            let editor = Editor::new(record, &open, MANY)
                .unwrap()
                .expect("a sound record");
            let mut content = &content[..];
            let mut change = Change::default();
            change.content = Some(&mut content);
            let mut changed = editor.rewritten(change).unwrap();
            writer
                .replace(record.start, &mut changed, &mut new)
                .unwrap();
        }
    }
    writer.finish(&mut new).unwrap();
    new
}

/// The members of a file, decompressed one by one.
fn members(codec: Codec, mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let mut content = Vec::new();
        if codec == Codec::Gzip {
            flate2::bufread::GzDecoder::new(&mut bytes)
                .read_to_end(&mut content)
                .unwrap();
        } else {
            let decoder = zstd::stream::read::Decoder::with_buffer(&mut bytes).unwrap();
            decoder.single_frame().read_to_end(&mut content).unwrap();
        }
        all.push(content);
    }
    all
}

#[test]
fn records_are_replaced_in_each_layout() {
    let old: Vec<Vec<u8>> = (0..6).map(resource).collect();
    for layout in LAYOUTS {
        let file = layout.file(&old);
        assert_eq!(rewritten(layout, &file, &|_| None), file, "{layout:?}");
        for mask in 1..64_usize {
            let is_changed = |number: usize| mask >> number & 1 != 0;
            let content =
                |number| is_changed(number).then(|| format!("новый {number}").into_bytes());
            let new = rewritten(layout, &file, &content);
            let read = records(&decompressed(layout.codec(), &new));
            assert_eq!(read.len(), old.len(), "{layout:?} {mask}");
            for (number, (record, block)) in read.iter().enumerate() {
                let old_record = &records(&old[number])[0];
                if is_changed(number) {
                    assert_eq!(*block, content(number).unwrap());
                    let field = |name| String::from_utf8(record.header.get(name).unwrap().to_vec());
                    let digest = |bytes: &[u8]| Ok(format!("sha1:{}", hex_of(bytes)));
                    assert_eq!(field("WARC-Block-Digest"), digest(block));
                    assert_eq!(field(REWRITTEN), digest(&old_record.1));
                } else {
                    assert_eq!(record.header, old_record.0.header);
                    assert_eq!(*block, old_record.1);
                }
            }
            if let Layout::Members(codec) = layout {
                assert_eq!(members(codec, &new).len(), old.len());
                for (number, bytes) in old.iter().enumerate().filter(|(at, _)| !is_changed(*at)) {
                    let bytes = member(codec, bytes);
                    assert!(
                        new.windows(bytes.len()).any(|own| own == bytes),
                        "{mask} {number}"
                    );
                }
            }
            if let (Layout::Whole(codec), 63) = (layout, mask) {
                assert_eq!(members(codec, &new).len(), old.len());
            }
        }
    }
}

/// An index can point at each record of a member that was taken apart.
#[test]
fn shared_members_are_taken_apart() {
    let old: Vec<Vec<u8>> = (0..5).map(resource).collect();
    for codec in [Codec::Gzip, Codec::Zstandard] {
        let layout = Layout::Pairs(codec);
        let file = layout.file(&old);
        let new = rewritten(layout, &file, &|number| {
            (number == 3).then(|| b"new".to_vec())
        });
        let members = members(codec, &new);
        let counts: Vec<usize> = members.iter().map(|bytes| records(bytes).len()).collect();
        assert_eq!(counts, [2, 1, 1, 1], "{codec:?}");
    }
}

fn block_of(bytes: &[u8]) -> (Record, Vec<u8>) {
    records(bytes).remove(0)
}

/// The new record of a response, if it can be written.
fn changed(old: &[u8], http: Option<&str>, content: Option<&str>) -> Option<String> {
    let (record, block) = block_of(old);
    let open = || Ok(Box::new(&block[..]) as Box<dyn BufRead>);
    let editor = Editor::new(&record, &open, MANY).unwrap().ok()?;
    let mut content = content.map(str::as_bytes);
    let mut new = editor
        .rewritten(Change {
            http: http.map(|http| http.as_bytes().to_vec()),
            content: content.as_mut().map(|content| content as &mut dyn Read),
            revisited: None,
        })
        .unwrap();
    let file = old.to_vec();
    let open = || Ok(Box::new(&file[..]) as Box<dyn BufRead>);
    let mut out = Vec::new();
    let mut writer = Writer::new(None, &open).unwrap();
    writer.replace(0, &mut new, &mut out).unwrap();
    writer.finish(&mut out).unwrap();
    Some(String::from_utf8(out).unwrap())
}

const CHUNKED: &str = "4\r\nжр\r\n0\r\n\r\n";

#[test]
fn lengths_and_digests_follow_their_convention() {
    let chunked = "a\r\nновый\r\n0\r\n\r\n";
    for (of_old, of_new) in [(CHUNKED, chunked), ("жр", "новый")] {
        let fields = format!(
            "WARC-Payload-Digest: sha1:{}\r\n",
            hex_of(of_old.as_bytes())
        );
        let old = response(&fields, "Transfer-Encoding: chunked\r\n", CHUNKED);
        let new = changed(&old, None, Some("новый")).unwrap();
        assert!(new.contains(chunked), "{new}");
        let digest = hex_of(of_new.as_bytes());
        assert!(new.contains(&format!("Payload-Digest: sha1:{digest}\r\n")));
        // The record is sound, and tells of the first block even when it changes again.
        let again = changed(new.as_bytes(), None, Some("иной")).unwrap();
        let first = format!("{REWRITTEN}: sha1:{}\r\n", hex_of(&block_of(&old).1));
        assert_eq!(again.matches(&first).count(), 1);
        assert_eq!(again.matches(REWRITTEN).count(), 1);
    }
    let old = response("", "Content-Length: 4\r\n", "жр");
    let new = changed(&old, None, Some("новый")).unwrap();
    assert!(new.contains("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nновый\r\n\r\n"));
    let new = changed(
        &old,
        Some("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX: y\r\n\r\n"),
        None,
    );
    assert!(
        new.unwrap()
            .ends_with("Content-Length: 4\r\nX: y\r\n\r\nжр\r\n\r\n")
    );
}

#[test]
fn records_that_cannot_be_kept_right_are_none() {
    let wrong = "WARC-Payload-Digest: sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709\r\n";
    let (digest, text) = (hex_of(b"abc"), "Content-Type: text/plain\r\n");
    let twice =
        format!("WARC-Payload-Digest: sha1:{digest}\r\nWARC-Payload-Digest: sha1:{digest}\r\n");
    for (old, expected) in [
        (response(wrong, "", "abc"), Fault::Digest),
        (
            response("WARC-Payload-Digest: crc:1\r\n", "", "abc"),
            Fault::Digest,
        ),
        (response(&twice, "", "abc"), Fault::Digest),
        (
            response("WARC-Truncated: length\r\n", "", "abc"),
            Fault::Part,
        ),
        (
            response("WARC-Segment-Number: 1\r\n", "", "abc"),
            Fault::Part,
        ),
        (
            response("WARC-Block-Digest: md5:00\r\n", "", "abc"),
            Fault::Digest,
        ),
        (response("", "Content-Length: 5\r\n", "abc"), Fault::Length),
        (
            response("", "Content-Length: 3\r\nContent-Length: 3\r\n", "abc"),
            Fault::Length,
        ),
        (
            response("", "Content-Range: bytes 0-2/9\r\n", "abc"),
            Fault::Part,
        ),
        (
            response("", "Content-Encoding: compress\r\n", "abc"),
            Fault::Content,
        ),
        (
            response("", "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n"),
            Fault::Content,
        ),
    ] {
        let (record, block) = block_of(&old);
        let open = || Ok(Box::new(&block[..]) as Box<dyn BufRead>);
        let found = fault(&record, &open, MANY);
        assert_eq!(found, Some(expected), "{}", old.escape_ascii());
    }
    assert!(changed(&response("", "", "abc"), None, Some("new")).is_some());
    // Bombs are not unpacked.
    let long = record("resource", 1, text, &"a".repeat(2000));
    let (record, block) = block_of(&long);
    let open = || Ok(Box::new(&block[..]) as Box<dyn BufRead>);
    assert_eq!(fault(&record, &open, 1999), Some(Fault::Content));
    assert_eq!(fault(&record, &open, 2000), None);
}

/// The reason why a record cannot be written anew.
fn fault<'o>(
    record: &'o Record,
    open: &'o dyn Fn() -> io::Result<Box<dyn BufRead + 'o>>,
    most: u64,
) -> Option<Fault> {
    Editor::new(record, open, most).unwrap().err()
}

/// As wget and warcio write them: cut off, with the fields of HTTP of the body that is elsewhere.
#[test]
fn revisits_have_no_payload_of_their_own() {
    let http = "HTTP/1.1 302 Found\r\nContent-Length: 4\r\nContent-Encoding: compress\r\nContent-Range: bytes 0-3/9\r\n\r\n";
    let fields = "Content-Type: application/http; msgtype=response\r\nWARC-Truncated: length\r\n\
        WARC-Payload-Digest: sha1:old\r\n";
    let old = record("revisit", 1, fields, http);
    let (record_of, block) = block_of(&old);
    let open = || Ok(Box::new(&block[..]) as Box<dyn BufRead>);
    let editor = Editor::new(&record_of, &open, MANY).unwrap().unwrap();
    let payload = |old: &str| Payload {
        digest: b"sha1:new".to_vec(),
        lengths: Some([old.into(), b"10".to_vec()]),
    };
    assert!(editor.can_revisit(&payload("4")) && !editor.can_revisit(&payload("5")));
    let mut change = Change::default();
    let new = payload("4");
    change.revisited = Some(&new);
    let mut revisit = editor.rewritten(change).unwrap();
    assert_eq!(revisit.payload(), Some(new));
    let open = || Ok(Box::new(&old[..]) as Box<dyn BufRead>);
    let mut out = Vec::new();
    let mut writer = Writer::new(None, &open).unwrap();
    writer.replace(0, &mut revisit, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert!(out.contains("WARC-Payload-Digest: sha1:new\r\n"), "{out}");
    assert!(out.contains("302 Found\r\nContent-Length: 10\r\n"), "{out}");
    // wget states the digest of a body that is not there.
    let (own, none) = (hex_of(http.as_bytes()), hex_of(b""));
    let of_wget = String::from_utf8(old.clone()).unwrap().replace(&own, &none);
    let new = changed(of_wget.as_bytes(), Some("HTTP/1.1 200 OK\r\n\r\n"), None).unwrap();
    assert!(
        new.contains(&format!("WARC-Block-Digest: sha1:{none}\r\n")),
        "{new}"
    );
    assert!(new.contains(&format!("{REWRITTEN}: sha1:")), "{new}");
    assert!(
        new.ends_with("\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n"),
        "{new}"
    );
    // A header that is cut off itself may end within a link.
    let cut = record("revisit", 1, fields, &http[..40]);
    let (record_of, block) = block_of(&cut);
    let open = || Ok(Box::new(&block[..]) as Box<dyn BufRead>);
    assert_eq!(fault(&record_of, &open, MANY), Some(Fault::Part));
}

/// Line ends of their own, and empty lines in front of the first record.
#[test]
fn line_ends_stay() {
    let lines = String::from_utf8(resource(1))
        .unwrap()
        .replace("\r\n", "\n");
    let new = changed(lines.as_bytes(), None, Some("new")).unwrap();
    assert!(
        !new.contains('\r') && new.ends_with("\n\nnew\n\n"),
        "{new:?}"
    );
    for layout in [Layout::Plain, Layout::Members(Codec::Gzip)] {
        let file = layout.file(&[b"\r\n".to_vec(), resource(1), resource(2)]);
        let new = rewritten(layout, &file, &|number| {
            (number == 0).then(|| b"new".to_vec())
        });
        let new = decompressed(layout.codec(), &new);
        assert!(new.starts_with(b"\r\nWARC/1.1\r\n"), "{layout:?}");
        assert_eq!(records(&new)[0].1, b"new");
        assert!(new.ends_with(&resource(2)));
    }
}

/// The numbers of sound records, and of damaged places; `None` if the file is cut off.
fn walked(bytes: &[u8]) -> Option<(Vec<String>, usize)> {
    let mut reader = Reader::new(bytes);
    let (mut ids, mut damaged) = (Vec::new(), 0);
    loop {
        match reader.step().ok()? {
            Step::Record(record) => ids.push(String::from_utf8_lossy(record.id()?).into_owned()),
            Step::Damaged(_) => damaged += 1,
            Step::End => return Some((ids, damaged)),
        }
    }
}

#[test]
fn damaged_records_are_passed_over() {
    let text = |number| {
        record(
            "resource",
            number,
            "Content-Type: text/plain\r\n",
            "abc def",
        )
    };
    let all = [text(1), text(2), text(3)];
    let ids = |numbers: &[usize]| {
        numbers
            .iter()
            .map(|number| format!("urn:x:{number}"))
            .collect::<Vec<_>>()
    };
    let with = |old: &str, new: &str| {
        let second = String::from_utf8(all[1].clone()).unwrap().replace(old, new);
        walked(&[&all[0][..], second.as_bytes(), &all[2]].concat())
    };
    assert_eq!(with("", ""), Some((ids(&[1, 2, 3]), 0)));
    assert_eq!(with("WARC/1.1", "WORC/1.1"), Some((ids(&[1, 3]), 1)));
    assert_eq!(
        with("Content-Length: 7", "Content-Length: x"),
        Some((ids(&[1, 3]), 1))
    );
    assert_eq!(
        with("Content-Length: 7", "Content-Length: 3"),
        Some((ids(&[1, 2, 3]), 1))
    );
    // The length takes in the begin of the next record.
    assert_eq!(
        with("Content-Length: 7", "Content-Length: 50"),
        Some((ids(&[1, 2]), 1))
    );
    let whole = all.concat();
    let starts: Vec<usize> = records(&whole)
        .iter()
        .map(|(record, _)| record.start as usize)
        .collect();
    for len in 1..whole.len() {
        let cut = walked(&whole[..len]);
        // Only the empty lines behind a block may be missing.
        let is_end = starts.contains(&len)
            || (1..5).any(|more| starts.contains(&(len + more)) || len + more >= whole.len());
        assert_eq!(
            cut.is_some_and(|(_, damaged)| damaged == 0),
            is_end,
            "{len}"
        );
    }
}

#[test]
fn arc_files_are_read() {
    let page = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=b>";
    let version = "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n";
    let file = format!(
        "filedesc://x.arc 0.0.0.0 19990101000000 text/plain {}\n{version}\nhttp://a.example/ä b 1.2.3.4 19990203040506 text/html {}\n{page}\n",
        version.len(),
        page.len()
    );
    let read = records(file.as_bytes());
    let kinds: Vec<RecordKind> = read.iter().map(|(record, _)| record.kind).collect();
    assert_eq!(kinds, [RecordKind::Other, RecordKind::Response]);
    let (record, block) = &read[1];
    assert_eq!(record.target(), Some("http://a.example/ä b".as_bytes()));
    assert_eq!(record.date(), Some(&b"19990203040506"[..]));
    assert_eq!(block, page.as_bytes());
    let mut opened = Block::open(record, Box::new(&block[..])).unwrap();
    let mut content = String::new();
    opened
        .content
        .as_mut()
        .unwrap()
        .read_to_string(&mut content)
        .unwrap();
    assert_eq!(
        (content.as_str(), opened.http.is_some()),
        ("<a href=b>", true)
    );
    let open = || -> io::Result<Box<dyn BufRead>> { Ok(Box::new(&block[..])) };
    assert_eq!(fault(record, &open, MANY), Some(Fault::Arc));
}

/// New members have none of the extra fields of the old ones, some of which hold lengths.
#[test]
fn extra_fields_are_not_copied() {
    let old = Layout::Members(Codec::Gzip).file(&[resource(1)]);
    let new = rewritten(Layout::Members(Codec::Gzip), &old, &|_| {
        Some(b"new".to_vec())
    });
    assert_eq!(new[..8], [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]);
    // A table of positions would be wrong.
    let table = b"\x1F\x8B\x08\x04\0\0\0\0\0\x03\x06\0BC\x02\0xx\x03\0\0\0\0\0\0\0\0\0";
    let open = || Ok(Box::new(&table[..]) as Box<dyn BufRead>);
    assert!(Writer::new(Some(Codec::Gzip), &open).is_err());
}

/// The place of a record holds that record, and nothing else.
#[test]
fn records_have_places() {
    let records: Vec<Vec<u8>> = (1..6).map(resource).collect();
    for layout in LAYOUTS {
        let file = layout.file(&records);
        let mut places = Places::new(layout.codec(), &file[..]).unwrap();
        let mut next = || places.next(&mut |record, _| Ok(record.id().unwrap().to_vec()));
        if matches!(layout, Layout::Whole(_) | Layout::Pairs(_)) {
            let error = next().unwrap_err().to_string();
            assert!(error.ends_with("several records in one"), "{error}");
            continue;
        }
        for (number, record) in (1..).zip(&records) {
            let (id, place) = next().unwrap().unwrap();
            assert_eq!(id, format!("urn:x:{number}").as_bytes());
            let place = usize::try_from(place.start).unwrap()..usize::try_from(place.end).unwrap();
            let mut content = Vec::new();
            match layout.codec() {
                Some(codec) => {
                    let member = Box::new(&file[place]);
                    let mut decoder = Decoder::new(codec, member).unwrap();
                    decoder.read_to_end(&mut content).unwrap();
                }
                None => content = [&file[place], b"\r\n\r\n"].concat(),
            }
            assert!(content == *record, "{layout:?}");
        }
        assert_eq!(next().unwrap(), None);
    }
}

/// Blocks that were read in part, empty lines between records, and files that are cut off.
#[test]
fn places_of_odd_blocks() {
    let file = [&resource(1)[..], b"\r\n\r\n", &resource(2)].concat();
    let mut places = Places::new(None, &file[..]).unwrap();
    let mut read = |_: &Record, block: &mut dyn BufRead| {
        let mut some = [0; 10];
        block.read_exact(&mut some)?;
        Ok(some)
    };
    let end = resource(1).len() - 4;
    let mut place = || places.next(&mut read).unwrap().map(|(_, place)| place);
    assert_eq!(place(), Some(0..end as u64));
    assert_eq!(place(), Some(end as u64 + 8..file.len() as u64 - 4));
    assert_eq!(place(), None);
    for cut in [40, end - 1] {
        let mut places = Places::new(None, &file[..cut]).unwrap();
        assert!(places.next(&mut read).is_err());
    }
}
