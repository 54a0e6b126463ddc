//! The bytes beyond ASCII that a detected charset rests on.

use crate::charset::Charset;
use crate::label;

/// The bytes beyond ASCII whose characters are known: all bytes if the charset is declared or given; if it was
/// detected, those in the judged part of the document, and others that all probable charsets read alike. Charsets that
/// read the judged part alike may differ in the rest.
///
/// ```
/// use linkglot_charset::{DeclarationSyntax, sniff};
///
/// let text = b"\xEA\xED\xE8\xE3\xE8 \xE8 \xE6\xF3\xF0\xED\xE0\xEB\xFB: \xEE \xED\xE8\xF5 \xE2 \xE1\xE8\xE1\xEB\xE8\xEE\xF2\xE5\xEA\xE5";
/// let found = sniff(text, true, DeclarationSyntax::Nowhere, None, None);
/// assert_eq!(found.charset.name(), "windows-1251");
/// // Mac Cyrillic has the same small letters and other capitals.
/// assert!(found.known.can_write(found.charset, '\u{43d}'));
/// assert!(!found.known.can_write(found.charset, '\u{416}'));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownBytes {
    bytes: u128,
    sequences: Sequences,
}

/// The sequences of bytes beyond ASCII that a charset proper has, among those of the charset that browsers read in its
/// place. Where decoders differ over the character of a sequence, it is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sequences {
    /// All.
    All,
    /// Bytes of GB 2312; GBK has more rows and cells.
    Gb2312,
    /// Bytes of GBK without its symbols beside GB 2312, which decoders do not agree on.
    Gbk,
    /// Bytes of KS X 1001; the unified Hangul code has more rows and syllables.
    KsX1001,
    /// Bytes of JIS X 0208 in EUC; WHATWG adds rows of NEC and IBM.
    EucJp,
    /// Bytes of JIS X 0208 in ISO-2022-JP; WHATWG adds the same.
    Iso2022Jp,
    /// Bytes of JIS X 0208 in Shift_JIS; Windows adds rows of NEC and IBM.
    ShiftJis,
    /// Bytes of Big5 of 1984; WHATWG adds rows of ETEN.
    Big5,
}

impl Sequences {
    /// True if the charset has a sequence.
    fn has(self, sequence: &[u8]) -> bool {
        let (lead, trail) = match (self, sequence) {
            (Sequences::All, _) => return true,
            (Sequences::ShiftJis, [0xA1..=0xDF]) | (Sequences::EucJp, [0x8E, _]) => return true,
            (Sequences::Iso2022Jp, &[0x1B, b'$', b'B', lead, trail, ..]) => {
                return Sequences::EucJp.has(&[lead | 0x80, trail | 0x80]);
            }
            (_, &[lead, trail]) => (lead, trail),
            _ => return false,
        };
        let is_high = lead > 0xA0 && trail > 0xA0;
        match self {
            Sequences::All | Sequences::Iso2022Jp => false,
            Sequences::Gbk if !is_high => matches!(lead, 0x81..=0xA0 | 0xAA..=0xFD),
            Sequences::Gbk if lead <= 0xA0 => true,
            Sequences::Gb2312 | Sequences::Gbk => {
                let is_added = matches!(
                    (lead, trail),
                    (0xA1, 0xA4 | 0xAA)
                        | (0xA2, ..=0xB0)
                        | (0xA6, 0xD9..)
                        | (0xA8, 0xBB..=0xC4)
                        | (0xAA..=0xAF | 0xF8.., _)
                );
                is_high && !is_added
            }
            Sequences::KsX1001 => is_high && (lead, trail) != (0xA4, 0xD4),
            Sequences::EucJp => {
                let is_added = matches!(
                    (lead, trail),
                    (0xA1, 0xC1 | 0xC2 | 0xDD | 0xF1 | 0xF2) | (0xA2, 0xCC) | (0xA9..=0xAF | 0xF5.., _)
                );
                is_high && !is_added
            }
            Sequences::ShiftJis => !matches!(
                (lead, trail),
                (0x81, 0x60 | 0x61 | 0x7C | 0x91 | 0x92 | 0xCA) | (0x85..=0x87 | 0xEB.., _)
            ),
            Sequences::Big5 => !matches!(
                (lead, trail),
                (0xA1, 0x45 | 0x4E | 0xC2 | 0xE3 | 0xF2 | 0xF3)
                    | (0xA2, 0x41 | 0x42 | 0x44 | 0x46 | 0x47)
                    | (0xA3, 0xC0..)
                    | (..=0xA0 | 0xC7 | 0xC8 | 0xFA.., _)
                    | (0xC6, 0xA1..) | (0xF9, 0xD6..)
            ),
        }
    }
}

/// The labels of charsets that browsers read as larger ones.
const ASCII: &str = "us-ascii ascii ansi_x3.4-1968 ansi_x3.4-1986 iso-646 iso_646.irv:1991 iso646-us iso-ir-6 csascii us \
                     646 cp367 ibm367";
const ISO_8859: &str = "iso-8859-1 iso_8859-1:1987 latin1 l1 csisolatin1 iso-ir-100 cp819 ibm819 8859 8859_1 iso8859 \
                        cp28591 iso-8859-9 iso_8859-9:1989 latin5 l5 csisolatin5 iso-ir-148 8859_9 ecma-128 ts-5881 \
                        cp920 ibm920 cp28599";
const THAI: &str = "tis-620 tis620-0 tis620.2529-0 tis620.2529-1 tis620.2533 tis620.2533-0 tis620.2533-1 iso-8859-11 \
                    iso_8859-11:2001 iso-ir-166 thai thai8 tactis cp28601";
const GB_2312: &str = "gb2312 gb_2312-80 gb2312-1980 csgb2312 csiso58gb231280 iso-ir-58 chinese euc-cn x-euc-cn cn-gb \
                       eucgb2312-cn dechanzi hp15cn ibm-euccn cp51936";
const GBK: &str = "gbk x-gbk csgbk cp936 ms936 936 windows-936";
const KS_X_1001: &str = "euc-kr cseuckr korean iso-ir-149 ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 csksc56011987 \
                         ks-x-1001 wansung 5601 deckorean ibm-euckr cp51949";
const EUC_JP: &str = "euc-jp x-euc-jp cseucpkdfmtjapanese ujis ibm-eucjp sdeckanji \
                      extended_unix_code_packed_format_for_japanese";
const ISO_2022_JP: &str = "iso-2022-jp csiso2022jp iso2022jp";
const SHIFT_JIS: &str = "shift_jis sjis x-sjis csshiftjis ms_kanji pck";
const BIG5: &str = "big5 x-x-big5 cn-big5 csbig5";

const CONTROLS: u128 = (1 << 0x20) - 1;
/// In these two cells WHATWG has letters of KOI8-RU.
const KOI8_RU: u128 = 1 << 0x2E | 1 << 0x3E;
/// WHATWG has U+05BA in this cell, others nothing.
const HOLAM_HASER: u128 = 1 << 0x4A;

/// The bytes of charsets by their labels.
static SETS: [(&str, KnownBytes); 12] = [
    (ASCII, KnownBytes::bytes(0)),
    (ISO_8859, KnownBytes::bytes(!CONTROLS)),
    (THAI, KnownBytes::bytes(!(CONTROLS | 1 << 0x20))),
    ("koi8-u", KnownBytes::bytes(!KOI8_RU)),
    ("windows-1255 cp1255", KnownBytes::bytes(!HOLAM_HASER)),
    (GB_2312, KnownBytes::sequences(Sequences::Gb2312)),
    (GBK, KnownBytes::sequences(Sequences::Gbk)),
    (KS_X_1001, KnownBytes::sequences(Sequences::KsX1001)),
    (EUC_JP, KnownBytes::sequences(Sequences::EucJp)),
    (ISO_2022_JP, KnownBytes::sequences(Sequences::Iso2022Jp)),
    (SHIFT_JIS, KnownBytes::sequences(Sequences::ShiftJis)),
    (BIG5, KnownBytes::sequences(Sequences::Big5)),
];

impl KnownBytes {
    const fn bytes(bytes: u128) -> Self {
        KnownBytes {
            bytes,
            ..KnownBytes::ALL
        }
    }

    const fn sequences(sequences: Sequences) -> Self {
        KnownBytes {
            sequences,
            ..KnownBytes::ALL
        }
    }

    /// All bytes.
    ///
    /// ```
    /// use linkglot_charset::{Charset, KnownBytes};
    ///
    /// assert!(KnownBytes::ALL.can_write(Charset::WINDOWS_1252, '\u{e9}'));
    /// ```
    pub const ALL: KnownBytes = KnownBytes {
        bytes: u128::MAX,
        sequences: Sequences::All,
    };

    /// The bytes beyond ASCII that the charset of a label has where the label is taken as it stands, as in XML and in
    /// messages of gettext. Browsers read `iso-8859-1` as windows-1252, which has 27 characters more, and `gb2312` as
    /// GBK.
    ///
    /// ```
    /// use linkglot_charset::{Charset, KnownBytes};
    ///
    /// let can_write = |label, ch| KnownBytes::of_label(label).can_write(Charset::WINDOWS_1252, ch);
    /// assert!(can_write("ISO-8859-1", '\u{e9}') && !can_write("ISO-8859-1", '\u{20ac}'));
    /// assert!(!can_write("us-ascii", '\u{e9}') && can_write("windows-1252", '\u{20ac}'));
    /// ```
    pub fn of_label(label: &str) -> Self {
        KnownBytes::of_number(KnownBytes::number_of_label(label))
    }

    /// The number of the bytes that the charset of a label has, for [`KnownBytes::of_number`].
    ///
    /// ```
    /// use linkglot_charset::KnownBytes;
    ///
    /// let number = KnownBytes::number_of_label("gb2312");
    /// assert_eq!(KnownBytes::of_number(number), KnownBytes::of_label("gb2312"));
    /// ```
    pub fn number_of_label(label: &str) -> u8 {
        let is_named = |(labels, _): &(&str, KnownBytes)| {
            let mut labels = labels.split_ascii_whitespace();
            labels.any(|own| label::is_same(own, label))
        };
        SETS.iter().position(is_named).unwrap_or(SETS.len()) as u8
    }

    /// The bytes with a number.
    ///
    /// ```
    /// use linkglot_charset::KnownBytes;
    ///
    /// let number = KnownBytes::number_of_label("utf-8");
    /// assert_eq!(KnownBytes::of_number(number), KnownBytes::ALL);
    /// ```
    pub fn of_number(number: u8) -> Self {
        let set = SETS.get(usize::from(number));
        set.map_or(KnownBytes::ALL, |(_, known)| *known)
    }

    /// The bytes of `seen` that are beyond ASCII.
    #[cfg(feature = "detect")]
    pub(crate) fn of(seen: &[u8]) -> Self {
        let bits = seen.iter().filter(|byte| !byte.is_ascii());
        KnownBytes {
            bytes: bits.fold(0, |bits, byte| bits | 1 << (byte & 0x7F)),
            sequences: Sequences::All,
        }
    }

    /// True if bytes of a document hold no byte whose character is unknown.
    ///
    /// ```
    /// use linkglot_charset::{DeclarationSyntax, sniff};
    ///
    /// // windows-1250 and ISO-8859-2 have the same `á`, and different bytes for `ž`.
    /// let text = b"Hlavn\xED str\xE1nka, \xE8l\xE1nky, kter\xE9 se na\xEDm l\xEDb\xED, a mnoho dal\xED\xEDch v\xECc\xED.";
    /// let found = sniff(text, true, DeclarationSyntax::Nowhere, None, None);
    /// assert!(found.known.reads(b"str\xE1nka") && !found.known.reads(b"\x9E\xE1ba"));
    /// ```
    pub fn reads(self, bytes: &[u8]) -> bool {
        let is_known = |byte: &u8| byte.is_ascii() || self.bytes >> (byte & 0x7F) & 1 == 1;
        self.bytes == u128::MAX || bytes.iter().all(is_known)
    }

    /// True if the bytes of a character in a charset are known. Cost: that of encoding the character, unless all bytes
    /// are known.
    ///
    /// ```
    /// use linkglot_charset::{Charset, KnownBytes};
    ///
    /// assert!(!KnownBytes::ALL.can_write(Charset::WINDOWS_1252, '\u{416}'));
    /// ```
    pub fn can_write(self, charset: Charset, ch: char) -> bool {
        if self == KnownBytes::ALL || ch.is_ascii() {
            return charset.can_encode(ch);
        }
        if matches!(ch, '\u{E000}'..='\u{F8FF}') {
            return false;
        }
        let mut bytes = Vec::new();
        let is_written = charset
            .encode(ch.encode_utf8(&mut [0; 4]), &mut bytes)
            .is_ok();
        is_written && self.sequences.has(&bytes) && self.reads(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters that the charset proper has, and characters that only the charset has that browsers read.
    #[test]
    fn labels_count_as_they_stand() {
        for (label, has, lacks) in [
            ("US-ASCII", "a", "é"),
            ("ANSI_X3.4-1968", "a", "é"),
            ("ISO_8859-1:1987", "é", "€’"),
            ("iso8859-9", "ğ", "€Š"),
            ("TIS-620", "ก๛", "€…\u{a0}"),
            ("KOI8-U", "ж", "ў"),
            ("GB2312", "中", "專ⅰ€―"),
            ("EUC-CN", "中齄", "鎔"),
            ("EUC-KR", "한가", "똠펲"),
            ("EUC-JP", "日本ｱ", "①㈱髙纊～"),
            ("Shift_JIS", "日本ｱ", "①㈱髙纊～"),
            ("Big5", "中文", "€碁①～"),
            ("windows-1252", "é€", ""),
            ("Big5", "一", "\u{2400}"),
            ("GBK", "專镕", "ⅰ\u{e5e5}⿰"),
            ("ISO-2022-JP", "日本", "①㈱髙～"),
            ("windows-1255", "שׁ", "\u{5ba}"),
            ("windows-949", "똠", ""),
            ("windows-31j", "①髙", ""),
            ("UTF-8", "①é", ""),
        ] {
            let charset = Charset::for_label(label).unwrap();
            let known = KnownBytes::of_label(label);
            for (text, is_written) in [(has, true), (lacks, false)] {
                for ch in text.chars() {
                    assert_eq!(known.can_write(charset, ch), is_written, "{label} {ch}");
                }
            }
        }
    }
}
