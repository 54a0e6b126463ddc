//! The charsets beyond the Encoding Standard against Python's codecs and glibc's `iconv`, where the
//! machine has them.

use super::super::*;
use super::STEP;
use crate::table::{each_code, rows};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// A charset, the program that decodes it as well (`python` or `iconv`), its name there, and some bytes.
type Case = (&'static str, &'static str, &'static str, Vec<u8>);

/// The texts of the cases, as the other decoder reads them: `None` for bytes that are malformed there. The outer
/// `None`: the machine lacks the decoder.
fn texts(cases: &[Case]) -> Option<Vec<Option<String>>> {
    let mut input = String::new();
    for (_, kind, name, bytes) in cases {
        write!(input, "{kind} {name} ").unwrap();
        bytes
            .iter()
            .for_each(|byte| write!(input, "{byte:02x}").unwrap());
        input.push('\n');
    }
    let mut child = Command::new("python3")
        .args(["-c", include_str!("decode.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take()?;
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().ok()?;
    let _ = writer.join();
    let lines = String::from_utf8(output.stdout).ok()?;
    let texts: Vec<_> = lines.lines().map(text).collect();
    (output.status.success() && texts.len() == cases.len()).then_some(texts)
}

/// The text of a line in hexadecimal.
fn text(line: &str) -> Option<String> {
    let digits = line.as_bytes().chunks(2);
    let bytes: Option<Vec<u8>> = digits
        .map(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok())
        .collect();
    String::from_utf8(bytes?).ok()
}

/// Compares all sequences except those for which `differs` is true.
fn check(
    label: &'static str,
    (kind, name): (&'static str, &'static str),
    sequences: &[Vec<u8>],
    differs: impl Fn(&[u8]) -> bool,
) {
    let known = sequences.iter().filter(|sequence| !differs(sequence));
    let cases: Vec<Case> = known
        .map(|bytes| (label, kind, name, bytes.clone()))
        .collect();
    check_all(&cases);
}

fn check_all(cases: &[Case]) {
    let Some(texts) = texts(cases) else {
        println!("skipped: no python3, or not all charsets in it and in iconv");
        return;
    };
    let is_text = |text: &str| !text.contains(char::REPLACEMENT_CHARACTER);
    for ((label, _, _, bytes), expected) in cases.iter().zip(texts) {
        let charset = Charset::for_label(label).unwrap();
        let expected = expected.filter(|text| is_text(text));
        let text = Some(charset.decode(bytes)).filter(|text| is_text(text));
        assert_eq!(text.as_deref(), expected.as_deref(), "{label} {bytes:02X?}");
    }
}

fn pairs() -> impl Iterator<Item = Vec<u8>> {
    (0..=u16::MAX).map(|pair| pair.to_be_bytes().to_vec())
}

#[test]
fn single_bytes() {
    let mut cases = Vec::new();
    for [label, _, python, iconv, ..] in rows::<6>(include_str!("../../tables/single_bytes.tsv")) {
        for (kind, name) in [("python", python), ("iconv", iconv)] {
            let bytes = (0..=0xFF).filter(|_| name != "-");
            cases.extend(bytes.map(|byte| (label, kind, name, vec![byte])));
        }
    }
    check_all(&cases);
}

#[test]
fn johab() {
    let all: Vec<Vec<u8>> = pairs().collect();
    // 5C is a Won sign there. A lead without a trail is an error of its own.
    // The mark D9 E8 came to KS X 1001 in 2002, after the Encoding Standard's table.
    let differs = |pair: &[u8]| pair.contains(&0x5C) || pair == [0xD9, 0xE8];
    let no_parts = |pair: &[u8]| differs(pair) || pair == [0x84, 0x41];
    check("johab", ("python", "johab"), &all, no_parts);
    // glibc leaves out the single finals.
    let is_single = |pair: &[u8]| differs(pair) || pair[0] == 0x84;
    check("johab", ("iconv", "JOHAB"), &all, is_single);
}

/// Pairs of seven-bit bytes after a shift.
fn shifted(shift: &[u8]) -> Vec<Vec<u8>> {
    let is_graphic = |pair: &Vec<u8>| pair.iter().all(|byte| (0x21..=0x7E).contains(byte));
    let graphic = pairs().filter(is_graphic);
    graphic.map(|pair| [shift, &pair].concat()).collect()
}

#[test]
fn seven_bit_korean() {
    let all = shifted(b"\x1B$)C\x0E");
    let pair = |sequence: &[u8]| [sequence[5], sequence[6]];
    // The euro and other signs that KS X 1001 got in 1998 and later.
    let is_new = |sequence: &[u8]| matches!(pair(sequence), [0x22, 0x66..=0x68]);
    check("iso-2022-kr", ("python", "iso2022_kr"), &all, is_new);
    check("iso-2022-kr", ("iconv", "ISO-2022-KR"), &all, is_new);
}

#[test]
fn seven_bit_chinese() {
    let all = shifted(b"~{");
    let differs = |sequence: &[u8]| {
        let is_shift = sequence[2] == b'~';
        is_shift || is_not_gb_2312(sequence[2], sequence[3])
    };
    check("hz", ("python", "hz"), &all, differs);
}

/// Differences of GBK's table from GB 2312, by row and cell.
fn is_not_gb_2312(row: u8, cell: u8) -> bool {
    let gbk = Charset::for_label("gbk").unwrap();
    let is_added = matches!(row, 0x22 | 0x26 | 0x28 | 0x2A..=0x2F | 0x57);
    // A middle dot and a dash of its own.
    let is_own = matches!((row, cell), (0x21, 0x24 | 0x2A));
    is_added || is_own || gbk.pair([row | 0x80, cell | 0x80]).is_none()
}

#[test]
fn seven_bit_chinese_with_designations() {
    let iconv = ("iconv", "ISO-2022-CN-EXT");
    let gb = shifted(b"\x1B$)A\x0E");
    let differs = |sequence: &[u8]| is_not_gb_2312(sequence[5], sequence[6]);
    check("iso-2022-cn", iconv, &gb, differs);
    check("iso-2022-cn", iconv, &shifted(b"\x1B$)G\x0E"), |_| false);
    check("iso-2022-cn", iconv, &shifted(b"\x1B$*H\x1BN"), |_| false);
    check("iso-2022-cn", iconv, &shifted(b"\x1B$+I\x1BO"), |_| false);
}

const KANJI: &[u8] = b"\x1B$B";
const MORE_KANJI: &[u8] = b"\x1B$(D";
const CHINESE: &[u8] = b"\x1B$A";
const KOREAN: &[u8] = b"\x1B$(C";
const PLANE_1: &[u8] = b"\x1B$(O";
const PLANE_1_OF_2004: &[u8] = b"\x1B$(Q";
const PLANE_2: &[u8] = b"\x1B$(P";

/// Each set that the charsets of ISO-2022-JP-1 and later shift in.
#[test]
fn seven_bit_japanese() {
    let iconv = "iconv";
    for (label, kind, name, shifts) in [
        (
            "iso-2022-jp-1",
            "python",
            "iso2022_jp_1",
            &[KANJI, MORE_KANJI][..],
        ),
        (
            "iso-2022-jp-ext",
            "python",
            "iso2022_jp_ext",
            &[KANJI, MORE_KANJI],
        ),
        (
            "iso-2022-jp-2",
            "python",
            "iso2022_jp_2",
            &[KANJI, MORE_KANJI, CHINESE, KOREAN],
        ),
        (
            "iso-2022-jp-2",
            iconv,
            "ISO-2022-JP-2",
            &[KANJI, MORE_KANJI, CHINESE, KOREAN],
        ),
        (
            "iso-2022-jp-3",
            "python",
            "iso2022_jp_3",
            &[KANJI, PLANE_1, PLANE_2],
        ),
        (
            "iso-2022-jp-3",
            iconv,
            "ISO-2022-JP-3",
            &[KANJI, PLANE_1, PLANE_1_OF_2004, PLANE_2],
        ),
        (
            "iso-2022-jp-2004",
            "python",
            "iso2022_jp_2004",
            &[KANJI, PLANE_1_OF_2004, PLANE_2],
        ),
    ] {
        for &shift in shifts {
            let differs = |code: &[u8]| {
                let pair = [code[shift.len()], code[shift.len() + 1]];
                is_of_vendors(shift, pair) || kind == "python" && is_of_python(shift, pair)
            };
            check(label, (kind, name), &shifted(shift), differs);
        }
    }
}

/// The Encoding Standard's readings of JIS X 0208 and GB 2312 beyond the standards, and a sign that came to KS X 1001
/// in 2002.
fn is_of_vendors(shift: &[u8], [row, cell]: [u8; 2]) -> bool {
    let signs = [
        [0x21, 0x41],
        [0x21, 0x42],
        [0x21, 0x5D],
        [0x21, 0x71],
        [0x21, 0x72],
        [0x22, 0x4C],
    ];
    match shift {
        KANJI => signs.contains(&[row, cell]) || matches!(row, 0x2D | 0x79..=0x7C),
        CHINESE => is_not_gb_2312(row, cell),
        KOREAN => [row, cell] == [0x22, 0x68],
        _ => false,
    }
}

/// Signs that Python reads differently, and the ten characters of 2004 that it does not read in the set of 2000.
fn is_of_python(shift: &[u8], pair: [u8; 2]) -> bool {
    let signs = [[0x21, 0x3D], [0x22, 0x32], [0x22, 0x56], [0x22, 0x57]];
    match shift {
        MORE_KANJI => pair == [0x22, 0x37],
        PLANE_1 => signs.contains(&pair) || is_of_2004(pair),
        PLANE_1_OF_2004 => signs.contains(&pair),
        _ => false,
    }
}

fn is_of_2004(pair: [u8; 2]) -> bool {
    let places = [
        0x2E21, 0x2F7E, 0x4F54, 0x4F7E, 0x7427, 0x7E7A, 0x7E7B, 0x7E7C, 0x7E7D, 0x7E7E,
    ];
    places.contains(&u16::from_be_bytes(pair))
}

/// Single characters of the upper halves of ISO 8859.
#[test]
fn upper_halves_in_seven_bits() {
    let halves = [&b"\x1B.A"[..], b"\x1B.F"].into_iter();
    let all: Vec<Vec<u8>> = halves
        .flat_map(|half| (0x21..=0x7E).map(move |byte| [half, &[0x1B, b'N', byte]].concat()))
        .collect();
    check("iso-2022-jp-2", ("iconv", "ISO-2022-JP-2"), &all, |_| false);
    // Python has ISO 8859-7 of 1987, without the three characters of 2003.
    let is_new = |code: &[u8]| code[2] == b'F' && matches!(code[5], 0x24 | 0x25 | 0x2A);
    check("iso-2022-jp-2", ("python", "iso2022_jp_2"), &all, is_new);
    let charset = Charset::for_label("iso-2022-jp-2").unwrap();
    assert_eq!(charset.decode(b"\x1B.A\x1BNi\x1BNi"), "éé");
    assert_eq!(charset.decode(b"\x1B.A\x1BNi\n\x1BNi"), "é\né");
}

#[test]
fn japan_in_two_planes() {
    let graphic = || (0xA1..=0xFE_u8).flat_map(|row| (0xA1..=0xFE).map(move |cell| [row, cell]));
    let mut euc: Vec<Vec<u8>> = graphic().map(Vec::from).collect();
    euc.extend(
        graphic()
            .step_by(STEP)
            .map(|[row, cell]| vec![0x8F, row, cell]),
    );
    euc.extend((0..=0xFF).map(|byte| vec![0x8E, byte]));
    let shift: Vec<Vec<u8>> = pairs().filter(|pair| !pair[0].is_ascii()).collect();
    for (label, name, all) in [
        ("euc-jisx0213", "EUC-JISX0213", euc),
        ("shift_jisx0213", "SHIFT_JISX0213", shift),
    ] {
        // 5C and 7E are ASCII with us.
        let differs = |bytes: &[u8]| {
            let is_katakana = (0xA1..=0xDF).contains(&bytes[0]) && label.starts_with('s');
            matches!(bytes, [_, 0x5C | 0x7E]) && is_katakana
        };
        check(label, ("iconv", name), &all, differs);
    }
}

/// Compares all sequences with `iconv`, except those of private-use characters, which linkglot lacks.
fn check_public(label: &'static str, name: &'static str, sequences: Vec<Vec<u8>>) {
    let cases = sequences
        .into_iter()
        .map(|bytes| (label, "iconv", name, bytes));
    let cases: Vec<Case> = cases.collect();
    let private = '\u{E000}'..='\u{F8FF}';
    let is_private = |text: &Option<String>| {
        text.as_ref()
            .is_some_and(|text| text.contains(|ch| private.contains(&ch)))
    };
    let theirs = texts(&cases).unwrap_or_default();
    let known = cases
        .into_iter()
        .zip(theirs)
        .filter(|(_, theirs)| !is_private(theirs));
    check_all(&known.map(|(case, _)| case).collect::<Vec<_>>());
}

/// Pairs between SO and SI, and the single bytes but the shifts.
#[test]
fn ebcdic_with_double_bytes() {
    for [label, name, ..] in rows::<3>(include_str!("../../tables/double_bytes.tsv")) {
        let single = (0..=0xFF).filter(|byte| !matches!(byte, 0x0E | 0x0F));
        let mut all: Vec<Vec<u8>> = single.map(|byte| vec![byte]).collect();
        let is_graphic = |pair: &Vec<u8>| pair.iter().all(|byte| (0x40..=0xFE).contains(byte));
        let shifted = pairs().filter(is_graphic).step_by(5 * STEP);
        all.extend(shifted.map(|pair| [&[0x0E], &pair[..]].concat()));
        check_public(label, name, all);
    }
}

/// Sequences of three bytes as well, where the first two are one that may go on.
#[test]
fn sequences() {
    for [label, name, codes] in rows::<3>(include_str!("../../tables/sequences.tsv")) {
        let mut all: Vec<Vec<u8>> = (0..=0xFF).map(|byte| vec![byte]).collect();
        all.extend(pairs().step_by(STEP));
        let mut triples = Vec::new();
        each_code(codes, |code, _| {
            if code.len() > 1 {
                triples.extend((0..=0xFF).map(|byte| [code, &[byte]].concat()));
            }
        });
        // Sets of double bytes have no sequences of three.
        let most = if triples.len() > 100_000 {
            0
        } else {
            triples.len()
        };
        all.extend(triples.into_iter().take(most).step_by(STEP));
        check_public(label, name, all);
    }
}

#[test]
fn taiwan() {
    let iconv = ("iconv", "EUC-TW");
    let two: Vec<Vec<u8>> = pairs().filter(|pair| pair[0] != 0x8E).collect();
    // glibc knows the controls beyond ASCII.
    let has_control = |pair: &[u8]| pair.iter().any(|byte| (0x80..=0xA0).contains(byte));
    check("euc-tw", iconv, &two, has_control);
    let planes = (0xA1..=0xB0).flat_map(|plane| shifted(&[0x8E, plane]));
    let high = planes.map(|mut sequence| {
        sequence[2..].iter_mut().for_each(|byte| *byte |= 0x80);
        sequence
    });
    let four: Vec<Vec<u8>> = high.step_by(STEP).collect();
    check("euc-tw", iconv, &four, |_| false);
}

#[test]
fn utf_7() {
    let mut all = Vec::new();
    let digits = b"ABDQTZadqtz0189+/";
    for a in digits {
        for b in digits {
            for c in b"AEIMQUYcgkosw048" {
                all.push([b'+', *a, *b, *c, b'-'].to_vec());
                all.push([b"+2D3e".as_slice(), &[*a], &[*b]].concat());
                all.push([b"x+".as_slice(), &[*a, *b, *c], b"!y-+-"].concat());
            }
        }
    }
    // Leftover bits are not compared here.
    let charset = Charset::for_label("utf-7").unwrap();
    let is_padding = |sequence: &[u8]| {
        let text = charset.decode(sequence);
        sequence.starts_with(b"+2D3e") && !text.contains(char::REPLACEMENT_CHARACTER)
    };
    check("utf-7", ("python", "utf-7"), &all, is_padding);
}

#[test]
fn units_of_four_bytes() {
    let edges = [
        0,
        0xD7FF,
        0xD800,
        0xDFFF,
        0xE000,
        0x10_FFFF,
        0x11_0000,
        0xFFFF_FFFF,
    ];
    let units = || edges.into_iter().chain((0..0x12_0000_u32).step_by(61));
    let little: Vec<Vec<u8>> = units().map(|unit| unit.to_le_bytes().to_vec()).collect();
    let big: Vec<Vec<u8>> = units().map(|unit| unit.to_be_bytes().to_vec()).collect();
    check("utf-32le", ("python", "utf-32-le"), &little, |_| false);
    check("utf-32be", ("python", "utf-32-be"), &big, |_| false);
}

#[test]
fn surrogates_in_utf_8() {
    let charset = Charset::for_label("cesu-8").unwrap();
    for ch in ('\0'..=char::MAX).step_by(17) {
        let mut bytes = Vec::new();
        charset.encode(&ch.to_string(), &mut bytes).unwrap();
        assert_eq!(bytes.len(), if ch > '\u{FFFF}' { 6 } else { ch.len_utf8() });
        assert_eq!(charset.decode(&bytes), ch.to_string());
        assert_eq!(charset.decode(ch.to_string().as_bytes()), ch.to_string());
    }
    assert_eq!(charset.decode(b"\xED\xA0\xBD\xED\xB8\x80"), "\u{1F600}");
    assert_eq!(
        charset.decode(b"\xED\xB8\x80x"),
        "\u{FFFD}\u{FFFD}\u{FFFD}x"
    );
}
