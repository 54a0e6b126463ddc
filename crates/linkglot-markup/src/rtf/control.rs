//! Controls: words and symbols behind a backslash.

use super::Content;
use linkglot_charset::Charset;

/// A backslash and what belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Control {
    /// A word, with its number.
    Word(Word, Option<i32>),
    /// A character of the text: `\'e9`, `\u233`, `\{`. The length is that of the escape without substitutes.
    Character,
    /// `\*`: a group that old readers pass over.
    Optional,
    /// A line end, which is that of a paragraph.
    Break,
    /// Another symbol.
    Symbol,
}

/// The words that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// The content of the group is of this kind.
    Content(Content),
    /// The end of a paragraph, line or cell, or a character that is part of no link.
    Break,
    /// `\uc`
    Substitutes,
    Font,
    Plain,
    /// `\dbch`; false for `\loch` and `\hich`.
    Double(bool),
    DefaultFont,
    /// The charset of the document.
    Ansi(Option<Charset>),
    /// Text that was made of HTML, which stands beside it.
    OfHtml,
    /// `\ansicpg`, `\cpg`
    CodePage,
    FontCharset,
    /// `\bin`
    Binary,
    Other,
}

/// The longest word with its number: the standard allows 32 letters and 10 digits.
const LONGEST: usize = 48;

impl Control {
    /// The control at the beginning of bytes, and its length with the space behind a word; `None` if more bytes tell.
    pub fn at(bytes: &[u8], last: bool) -> Option<(Control, usize)> {
        let near = &bytes[..bytes.len().min(LONGEST)];
        let is_cut = bytes.len() < LONGEST && !last;
        let letters = near[1..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        let name = &near[1..1 + letters];
        if letters == 0 {
            return match near.get(1) {
                None if last => Some((Control::Symbol, 1)),
                None => None,
                Some(b'*') => Some((Control::Optional, 2)),
                Some(b'\r' | b'\n') => Some((Control::Break, 2)),
                Some(b'\'') if is_octet(near) => Some((Control::Character, 4)),
                Some(b'\'') if near.len() < 4 && !last => None,
                Some(b'\\' | b'{' | b'}' | b'~' | b'-' | b'_') => Some((Control::Character, 2)),
                Some(byte) if byte.is_ascii() => Some((Control::Symbol, 2)),
                Some(_) => Some((Control::Symbol, 1)),
            };
        }
        let mut at = 1 + letters;
        let sign = usize::from(
            near.get(at) == Some(&b'-') && near.get(at + 1).is_none_or(u8::is_ascii_digit),
        );
        let digits = near[at + sign..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let number = std::str::from_utf8(&near[at..at + sign + digits]).ok();
        let number = number.and_then(|number| number.parse().ok());
        at += sign + digits;
        if at == near.len() && is_cut {
            return None;
        }
        let is_spaced = near.get(at) == Some(&b' ');
        let length = at + usize::from(is_spaced);
        let control = match name {
            b"u" if digits > 0 => Control::Character,
            _ => Control::Word(word(name), number),
        };
        Some((control, length))
    }

    /// True for a part of a text.
    pub fn is_text(self) -> bool {
        self == Control::Character
    }
}

fn is_octet(bytes: &[u8]) -> bool {
    let digits = bytes.get(2..4);
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

fn word(name: &[u8]) -> Word {
    match name {
        b"fldinst" => Word::Content(Content::Field),
        b"fonttbl" => Word::Content(Content::Fonts),
        b"colortbl"
        | b"stylesheet"
        | b"pict"
        | b"objdata"
        | b"objclass"
        | b"objname"
        | b"sp"
        | b"listtable"
        | b"listoverridetable"
        | b"revtbl"
        | b"rsidtbl"
        | b"filetbl"
        | b"themedata"
        | b"colorschememapping"
        | b"datastore"
        | b"datafield"
        | b"formfield"
        | b"bkmkstart"
        | b"bkmkend"
        | b"panose"
        | b"falt"
        | b"xmlnstbl" => Word::Content(Content::Nothing),
        b"fldrslt" | b"footnote" | b"annotation" | b"header" | b"headerl" | b"headerr"
        | b"headerf" | b"footer" | b"footerl" | b"footerr" | b"footerf" | b"shpinst"
        | b"shptxt" | b"shprslt" | b"title" | b"subject" | b"author" | b"manager" | b"company"
        | b"operator" | b"category" | b"keywords" | b"comment" | b"doccomm" | b"ud" => {
            Word::Content(Content::Text)
        }
        b"par" | b"line" | b"tab" | b"cell" | b"row" | b"nestcell" | b"nestrow" | b"page"
        | b"sect" | b"column" | b"emspace" | b"enspace" | b"qmspace" | b"emdash" | b"endash"
        | b"bullet" | b"lquote" | b"rquote" | b"ldblquote" | b"rdblquote" | b"lbr"
        | b"softline" => Word::Break,
        b"uc" => Word::Substitutes,
        b"f" => Word::Font,
        b"plain" => Word::Plain,
        b"dbch" => Word::Double(true),
        b"loch" | b"hich" => Word::Double(false),
        b"deff" => Word::DefaultFont,
        b"ansi" => Word::Ansi(Charset::for_label("windows-1252").ok()),
        b"mac" => Word::Ansi(Charset::for_label("macintosh").ok()),
        b"pc" => Word::Ansi(Charset::for_label("ibm437").ok()),
        b"pca" => Word::Ansi(Charset::for_label("ibm850").ok()),
        b"ansicpg" | b"cpg" => Word::CodePage,
        b"fcharset" => Word::FontCharset,
        b"fromhtml" => Word::OfHtml,
        b"bin" => Word::Binary,
        _ => Word::Other,
    }
}

/// The charset of a code page of Windows, DOS or the Macintosh.
pub(super) fn of_code_page(number: Option<i32>) -> Option<Charset> {
    let number = number?;
    match number {
        932 => Charset::for_label("shift_jis").ok(),
        936 => Charset::for_label("gbk").ok(),
        949 => Charset::for_label("euc-kr").ok(),
        950 => Charset::for_label("big5").ok(),
        874 | 1250..=1258 => Charset::for_label(&format!("windows-{number}")).ok(),
        10000 => Charset::for_label("macintosh").ok(),
        437..=869 => Charset::for_label(&format!("cp{number}")).ok(),
        _ => None,
    }
}

/// The charset of a font by its number in `\fcharset`. That of Western Windows stands for the charset of the document
/// to some writers, so both have to agree.
pub(super) fn of_font_charset(number: Option<i32>, ansi: Option<Charset>) -> Option<Charset> {
    let page = match number? {
        0 => return ansi.filter(|ansi| Some(*ansi) == of_code_page(Some(1252))),
        1 => return ansi,
        77 => 10000,
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    };
    of_code_page(Some(page))
}
