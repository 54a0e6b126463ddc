//! Generated archives: read, written back unchanged, and changed in single entries.

mod samples;

use linkglot_archive::tar::{self, EntryKind};
use linkglot_archive::zip::{self, Archive, Writer};
use linkglot_archive::{Codec, Decoder, Encoder, Kind, Parameters, kind_of, safari};
use proptest::prelude::*;
use samples::{TarForm, ZipForm, tar_of, zip_of};
use std::io::{Cursor, Read, Write};

fn decoded(codec: Codec, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut content = Vec::new();
    Decoder::new(codec, bytes)?.read_to_end(&mut content)?;
    Ok(content)
}

fn encoded(parameters: &Parameters, content: &[u8]) -> Vec<u8> {
    let mut encoder = Encoder::new(parameters, Vec::new()).unwrap();
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Files with nothing in them, by several parameters.
fn bases() -> Vec<(Codec, Vec<u8>)> {
    let gzip = |header: &[u8]| [header, b"\x03\0\0\0\0\0\0\0\0\0"].concat();
    vec![
        (Codec::Gzip, gzip(b"\x1F\x8B\x08\0\0\0\0\0\0\x03")),
        (
            Codec::Gzip,
            gzip(b"\x1F\x8B\x08\x1C\x01\x02\x03\x04\x02\x03\x05\0AB\x01\0xname\0note\0"),
        ),
        (Codec::Zstandard, zstd(false, false)),
        (Codec::Zstandard, zstd(true, false)),
        (Codec::Zstandard, zstd(true, true)),
        (Codec::Bzip2, b"BZh3\x17rE8P\x90\0\0\0\0".to_vec()),
        (Codec::Xz, xz(1)),
        (Codec::Xz, xz(10)),
        (Codec::Brotli, b"\x0B\x02\x80hello\x03".to_vec()),
    ]
}

fn zstd(has_checksum: bool, has_size: bool) -> Vec<u8> {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(has_checksum).unwrap();
    encoder.include_contentsize(has_size).unwrap();
    encoder.set_pledged_src_size(Some(1)).unwrap();
    encoder.write_all(b"x").unwrap();
    encoder.finish().unwrap()
}

fn xz(check: u8) -> Vec<u8> {
    let mut options = lzma_rust2::XzOptions::with_preset(1);
    options.set_check_sum_type(match check {
        1 => lzma_rust2::CheckType::Crc32,
        _ => lzma_rust2::CheckType::Sha256,
    });
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    writer.write_all(b"x").unwrap();
    writer.finish().unwrap()
}

#[test]
fn compressed_files_keep_their_parameters() {
    for (codec, base) in bases() {
        let kind = kind_of(&base).unwrap_or(Kind::Compressed(Codec::Brotli));
        assert_eq!(kind, Kind::Compressed(codec));
        let parameters = Parameters::of(codec, &mut &base[..]).unwrap();
        for content in [&b""[..], b"a", &b"some text, ".repeat(40_000)] {
            let new = encoded(&parameters, content);
            assert_eq!(decoded(codec, &new).unwrap(), content);
            let again = Parameters::of(codec, &mut &new[..]).unwrap();
            if codec != Codec::Xz || !content.is_empty() {
                assert_eq!(format!("{parameters:?}"), format!("{again:?}"));
            }
        }
    }
}

#[test]
fn members_follow_each_other() {
    for (codec, base) in bases() {
        if codec == Codec::Brotli {
            continue;
        }
        let parameters = Parameters::of(codec, &mut &base[..]).unwrap();
        let two = [encoded(&parameters, b"one, "), encoded(&parameters, b"two")].concat();
        assert_eq!(decoded(codec, &two).unwrap(), b"one, two", "{codec:?}");
    }
}

/// A file that is cut off, or has a wrong sum, is an error, never a shorter content.
#[test]
fn damaged_files_are_errors() {
    for (codec, base) in bases() {
        let parameters = Parameters::of(codec, &mut &base[..]).unwrap();
        let whole = encoded(&parameters, b"a text of some length, a text");
        for len in 0..whole.len() {
            assert!(
                len == 0 && codec == Codec::Zstandard || decoded(codec, &whole[..len]).is_err(),
                "{codec:?} {len}"
            );
        }
        let error = decoded(codec, &whole[..whole.len() - 1]).unwrap_err();
        assert!(error.to_string().ends_with(" data is cut off"), "{error}");
        let garbage = [&whole[..], b"garbage"].concat();
        assert!(decoded(codec, &garbage).is_err(), "{codec:?}");
    }
    let parameters = Parameters::of(Codec::Gzip, &mut &bases()[0].1[..]).unwrap();
    let whole = encoded(&parameters, b"text");
    // The last byte of the data has bits that do not count.
    let last = whole.len() - 9;
    for at in (10..whole.len()).filter(|at| *at != last) {
        let mut damaged = whole.clone();
        damaged[at] ^= 4;
        assert!(decoded(Codec::Gzip, &damaged).is_err(), "{at}");
    }
    let padded = [&whole[..], &[0; 100]].concat();
    assert_eq!(decoded(Codec::Gzip, &padded).unwrap(), b"text");
}

#[test]
fn tables_of_positions_are_refused() {
    let dictzip = b"\x1F\x8B\x08\x04\0\0\0\0\0\x03\x06\0RA\x02\0xx\x03\0\0\0\0\0\0\0\0\0";
    assert!(Parameters::of(Codec::Gzip, &mut &dictzip[..]).is_err());
    let seekable = [&zstd(true, true)[..], b"\x5E\x2A\x4D\x18\x02\0\0\0xx"].concat();
    assert!(Parameters::of(Codec::Zstandard, &mut &seekable[..]).is_err());
    assert_eq!(decoded(Codec::Zstandard, &seekable).unwrap(), b"x");
}

fn tar_entries(bytes: &[u8]) -> Vec<(Vec<u8>, EntryKind, Vec<u8>)> {
    let mut reader = tar::Reader::new(bytes);
    let mut entries = Vec::new();
    while let Some(entry) = reader.next_entry().unwrap() {
        let mut content = Vec::new();
        reader.read_to_end(&mut content).unwrap();
        assert_eq!(content.len() as u64, entry.size);
        entries.push((entry.name, entry.kind, content));
    }
    entries
}

/// Writes a tar archive in which the contents of some files are others.
fn rewritten_tar(old: &[u8], new_content: &dyn Fn(&[u8]) -> Option<Vec<u8>>) -> Vec<u8> {
    let mut reader = tar::Reader::new(old);
    let (mut writer, mut new) = (tar::Writer::new(old), Vec::new());
    while let Some(entry) = reader.next_entry().unwrap() {
        let content = (entry.kind == EntryKind::File).then(|| new_content(&entry.name));
        if let Some(content) = content.flatten() {
            let content: (&mut dyn Read, u64) = (&mut &content[..], content.len() as u64);
            writer.replace(&entry, content, &mut new).unwrap();
        }
    }
    writer.finish(&mut new).unwrap();
    new
}

fn zip_entries(bytes: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut archive = Archive::open(Cursor::new(bytes)).unwrap();
    (0..archive.len())
        .map(|at| {
            let entry = archive.entry(at).unwrap();
            let mut content = Vec::new();
            archive
                .content(at, &entry)
                .unwrap()
                .read_to_end(&mut content)
                .unwrap();
            (entry.name, content)
        })
        .collect()
}

fn rewritten_zip(old: &[u8], new_content: &dyn Fn(&[u8]) -> Option<Vec<u8>>) -> Vec<u8> {
    let mut archive = Archive::open(Cursor::new(old)).unwrap();
    let (mut writer, mut new) = (Writer::default(), Vec::new());
    for at in 0..archive.len() {
        let entry = archive.entry(at).unwrap();
        if let Some(content) = new_content(&entry.name) {
            let content = &mut &content[..];
            writer
                .replace(&mut archive, (at, &entry), content, &mut new)
                .unwrap();
        }
    }
    writer.finish(&mut archive, &mut new).unwrap();
    new
}

type Files = Vec<(String, Vec<u8>)>;

fn files() -> impl Strategy<Value = Files> {
    let content = prop_oneof![
        Just(Vec::new()),
        "[a-z<>/ ]{0,2000}".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..1600),
    ];
    prop::collection::vec(("[a-zé/]{1,150}", content), 0..8).prop_map(|files| {
        let named = files.into_iter().enumerate();
        named
            .map(|(at, (name, content))| (format!("{at}{name}x"), content))
            .collect()
    })
}

/// The new content of each file that changes: those whose number the mask has.
fn changed(files: &Files, mask: u8) -> impl Fn(&[u8]) -> Option<Vec<u8>> {
    let files = files.clone();
    move |name| {
        let at = files.iter().position(|(own, _)| own.as_bytes() == name)?;
        (mask >> at & 1 == 1).then(|| [&files[at].1[..], b" and more"].concat())
    }
}

proptest! {
    #[test]
    fn tar_archives(files in files(), form in any::<TarForm>(), mask: u8) {
        let old = tar_of(&files, form);
        prop_assert_eq!(rewritten_tar(&old, &|_| None), &old[..]);
        // The same content gives the same headers.
        let same = |name: &[u8]| files.iter().find(|(own, _)| own.as_bytes() == name).map(|file| file.1.clone());
        prop_assert_eq!(rewritten_tar(&old, &same), &old[..]);
        let change = changed(&files, mask);
        let new = rewritten_tar(&old, &change);
        let expected: Vec<_> = tar_entries(&old).into_iter().map(|(name, kind, content)| {
            let content = change(&name).unwrap_or(content);
            (name, kind, content)
        }).collect();
        let names: Vec<_> = expected.iter().filter(|entry| entry.1 == EntryKind::File).map(|entry| &entry.0[..]).collect();
        prop_assert_eq!(names, files.iter().map(|file| file.0.as_bytes()).collect::<Vec<_>>());
        prop_assert_eq!(tar_entries(&new), expected);
    }

    #[test]
    fn zip_archives(files in files(), form in any::<ZipForm>(), mask: u8) {
        let old = zip_of(&files, form);
        prop_assert_eq!(rewritten_zip(&old, &|_| None), &old[..]);
        let change = changed(&files, mask);
        let new = rewritten_zip(&old, &change);
        let expected: Vec<_> = files.iter().map(|(name, content)| {
            let name = name.as_bytes().to_vec();
            let content = change(&name).unwrap_or(content.clone());
            (name, content)
        }).collect();
        prop_assert_eq!(zip_entries(&new), expected);
    }

    /// Any bytes have an answer.
    #[test]
    fn damaged_archives(files in files(), zip in any::<ZipForm>(), tar in any::<TarForm>(), at: prop::sample::Index, byte: u8, cut: bool) {
        for mut bytes in [zip_of(&files, zip), tar_of(&files, tar)] {
            let at = at.index(bytes.len().max(1));
            if bytes.is_empty() { continue }
            if cut { bytes.truncate(at) } else { bytes[at] = byte }
            let mut reader = tar::Reader::new(&bytes[..]);
            while let Ok(Some(entry)) = reader.next_entry() {
                let mut content = Vec::new();
                let _ = reader.read_to_end(&mut content);
                let one: (&mut dyn Read, u64) = (&mut &b"x"[..], 1);
                let _ = tar::Writer::new(&bytes[..]).replace(&entry, one, &mut Vec::new());
            }
            let Ok(mut archive) = Archive::open(Cursor::new(&bytes)) else { continue };
            let (mut writer, mut new) = (Writer::default(), Vec::new());
            for at in 0..archive.len() {
                let Ok(entry) = archive.entry(at) else { continue };
                let mut content = Vec::new();
                let read = archive.content(at, &entry).and_then(|mut reader| reader.read_to_end(&mut content));
                if read.is_ok() {
                    let _ = writer.replace(&mut archive, (at, &entry), &mut &b"new"[..], &mut new);
                }
            }
            let _ = writer.finish(&mut archive, &mut new);
        }
    }
}

/// The name of an entry, and its content as far as it is sound: an error if it is damaged.
type Recovered = (Vec<u8>, Result<Vec<u8>, Vec<u8>>);

/// The entries of a damaged archive by their local headers.
fn recovered_entries(bytes: &[u8]) -> Vec<Recovered> {
    let mut archive = zip::Archive::recover(Cursor::new(bytes)).unwrap();
    let entries = 0..archive.len();
    entries
        .map(|at| {
            let entry = archive.entry(at).unwrap();
            let mut content = Vec::new();
            let read = archive
                .content(at, &entry)
                .and_then(|mut reader| reader.read_to_end(&mut content));
            let content = match read {
                Ok(_) => Ok(content),
                Err(_) => Err(content),
            };
            (entry.name, content)
        })
        .collect()
}

proptest! {
    /// Entries in front of a cut are read as they were, and the one that is cut up to the cut, with an error.
    #[test]
    fn cut_archives(files in files(), form in any::<ZipForm>(), at: prop::sample::Index) {
        // Descriptors without a signature hide where entries end.
        let form = ZipForm { prefix: false, descriptor: form.descriptor % 3, ..form };
        let whole = zip_of(&files, form);
        let directory = whole.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap_or(0);
        let cut = &whole[..at.index(whole.len())];
        let found = recovered_entries(cut);
        for (number, ((name, content), (old_name, old))) in found.iter().zip(&files).enumerate() {
            prop_assert_eq!(name, old_name.as_bytes());
            match content {
                Ok(content) => prop_assert_eq!(content, old),
                Err(content) => {
                    // A descriptor that is cut cannot be told from a content without compression.
                    prop_assert!(old.starts_with(content) || form.stored && form.descriptor > 0 && content.starts_with(old));
                    prop_assert_eq!(number, found.len() - 1);
                }
            }
        }
        prop_assert!(cut.len() <= directory || found.iter().filter(|(_, content)| content.is_ok()).count() == files.len());
    }
}

/// Entries that share their data.
#[test]
fn overlapping_entries_are_errors() {
    let files = vec![
        ("a".to_owned(), b"text".to_vec()),
        ("b".to_owned(), b"text".to_vec()),
    ];
    let whole = zip_of(&files, ZipForm::default());
    let record = whole
        .windows(4)
        .rposition(|bytes| bytes == b"PK\x01\x02")
        .unwrap();
    let mut overlapping = whole.clone();
    overlapping[record + 42] = 0;
    let mut archive = Archive::open(Cursor::new(overlapping)).unwrap();
    for at in 0..2 {
        let entry = archive.entry(at).unwrap();
        assert!(archive.content(at, &entry).is_err() || at == 1);
    }
}

#[test]
fn the_level_of_deflate_stays() {
    let text = b"a text in which some words come again, in which some words come".repeat(50);
    let files = vec![("a".to_owned(), Vec::new())];
    let mut lengths = Vec::new();
    for level in 0..4 {
        let form = ZipForm {
            level,
            ..ZipForm::default()
        };
        let new = rewritten_zip(&zip_of(&files, form), &|_| Some(text.clone()));
        lengths.push(new.len());
        let mut archive = Archive::open(Cursor::new(new)).unwrap();
        let entry = archive.entry(0).unwrap();
        assert_eq!(
            (entry.method, entry.kind),
            (zip::Method::Deflate, zip::EntryKind::File)
        );
    }
    assert!(lengths[3] >= lengths[0], "{lengths:?}");
}

/// A binary property list of these objects.
fn property_list(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut list = b"bplist00".to_vec();
    let mut places = Vec::new();
    for object in objects {
        places.push(u8::try_from(list.len()).unwrap());
        list.extend_from_slice(object);
    }
    let table = list.len() as u64;
    list.extend_from_slice(&places);
    list.extend_from_slice(&[0, 0, 0, 0, 0, 0, 1, 1]);
    for number in [objects.len() as u64, 0, table] {
        list.extend_from_slice(&number.to_be_bytes());
    }
    list
}

fn property_text(text: &str) -> Vec<u8> {
    let len = u8::try_from(text.len()).unwrap();
    [&[0x5F, 0x10, len], text.as_bytes()].concat()
}

/// A page, which is in a list twice, too.
fn safari_archive() -> Vec<u8> {
    property_list(&[
        vec![0xD2, 1, 2, 3, 4],
        property_text("WebMainResource"),
        property_text("WebSubresources"),
        vec![0xD2, 5, 6, 7, 8],
        vec![0xA2, 3, 3],
        property_text("WebResourceURL"),
        property_text("WebResourceData"),
        property_text("http://a.example/"),
        vec![0x43, b'a', b'b', b'c'],
    ])
}

fn resources(archive: &[u8]) -> (usize, bool) {
    let mut found = 0;
    let read = safari::read(archive, 1 << 16, &mut |_| {
        found += 1;
        Ok(())
    });
    (found, read.is_ok())
}

#[test]
fn web_archives_of_safari() {
    let archive = safari_archive();
    assert_eq!(kind_of(&archive), Some(Kind::Safari));
    assert_eq!(resources(&archive), (3, true));
    assert_eq!(resources(&archive[..archive.len() - 1]), (0, false));
    let few = safari::read(&archive, 60, &mut |_| Ok(()));
    assert!(few.is_err());
    assert_eq!(kind_of(b"<plist><dict><key>Web</key>"), None);
    assert_eq!(kind_of(&property_list(&[property_text("a")])), None);
}

/// A sparse file, whose map is in front of its data.
fn sparse_archive() -> Vec<u8> {
    let file = |name: &str, content: &[u8]| (name.to_owned(), content.to_vec());
    let mut map = b"2\n0\n3\n700\n3\n".to_vec();
    map.resize(512, 0);
    map.extend_from_slice(b"abcdef");
    let records = b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n27 GNU.sparse.realsize=999\n";
    let files = [file("x", records), file("a", &map)];
    let mut archive = tar_of(&files, TarForm::default());
    archive[156] = b'x';
    archive[148..156].fill(b' ');
    let sum: u32 = archive[..512].iter().map(|&byte| u32::from(byte)).sum();
    archive[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    archive
}

fn sparse_contents(archive: &[u8]) -> Vec<Vec<u8>> {
    let mut reader = tar::Reader::new(archive);
    let mut contents = Vec::new();
    while let Ok(Some(entry)) = reader.next_entry() {
        let mut content = Vec::new();
        if entry.kind == EntryKind::Sparse
            && let Ok(sparse) = reader.sparse(&entry)
            && sparse.take(1 << 16).read_to_end(&mut content).is_ok()
        {
            contents.push(content);
        }
    }
    contents
}

#[test]
fn sparse_files_have_their_holes() {
    let mut expected = vec![0; 999];
    expected[..3].copy_from_slice(b"abc");
    expected[700..703].copy_from_slice(b"def");
    assert_eq!(sparse_contents(&sparse_archive()), [expected]);
}

proptest! {
    /// Damage is an error, or other content, never a panic.
    #[test]
    fn damaged_maps_and_lists(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        end in any::<prop::sample::Index>(),
    ) {
        for mut archive in [safari_archive(), sparse_archive()] {
            for (at, byte) in &changes {
                let at = at.index(archive.len());
                archive[at] = *byte;
            }
            for end in [archive.len(), end.index(archive.len())] {
                prop_assert!(resources(&archive[..end]).0 < 1000);
                prop_assert!(sparse_contents(&archive[..end]).len() < 2);
            }
        }
    }
}
