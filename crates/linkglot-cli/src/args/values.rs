//! Parsers for the values of options.

use clap::builder::{
    OsStringValueParser, PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser,
};
use linkglot::format::FileType;
use linkglot::{Charset, PlaceKind};
pub use linkglot_files::values::*;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The purpose of a diff.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiffForm {
    /// For people.
    #[default]
    Text,
    /// For programs that apply it.
    Raw,
}

pub const DIFFS: Names<DiffForm> = &[("text", DiffForm::Text), ("raw", DiffForm::Raw)];

/// A parser for the values in a table.
pub fn named<T>(table: Names<T>) -> impl TypedValueParser<Value = T>
where
    T: Copy + PartialEq + Send + Sync + 'static,
{
    let is_alias = |at: usize| table[..at].iter().any(|(_, value)| *value == table[at].1);
    let names = table.iter().enumerate();
    let names = names.map(|(at, (name, _))| PossibleValue::new(*name).hide(is_alias(at)));
    let names: Vec<_> = names.collect();
    PossibleValuesParser::new(names).try_map(|name| {
        let found = table.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value).ok_or("unknown value")
    })
}

pub fn charset(label: &str) -> Result<Charset, String> {
    let listed = "`linkglot charsets` lists the labels";
    Charset::for_label(label).map_err(|error| format!("{error} ({listed})"))
}

/// Parses the label of a charset that documents can be written in.
pub fn writable_charset(label: &str) -> Result<Charset, String> {
    let found = charset(label)?;
    if found.is_replacement() {
        Err(format!(
            "expected a charset that can be written, found `{label}`"
        ))
    } else {
        Ok(found)
    }
}

/// Parses `LABEL=CHARSET`, where no charset has that label.
pub fn assumed_charset(text: &str) -> Result<(String, Charset), String> {
    let Some((label, known)) = text.split_once('=') else {
        return Err(format!("expected LABEL=CHARSET, found `{text}`"));
    };
    if let Ok(charset) = Charset::for_label(label) {
        let name = charset.name();
        return Err(format!(
            "expected an unknown label, found `{label}`, which is {name}; `--charset` overrides what documents declare"
        ));
    }
    Ok((label.to_owned(), charset(known)?))
}

/// Parses a number of bytes; the suffixes `K`, `M` and `G` stand for powers of 1024.
pub fn bytes(text: &str) -> Result<usize, String> {
    let wrong = || format!("expected a number of bytes such as 65536, 64K or 1M, found `{text}`");
    let digits = text.trim_end_matches(['k', 'K', 'm', 'M', 'g', 'G']);
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        _ => return Err(wrong()),
    };
    let number: usize = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).ok_or_else(wrong)
}

pub fn place() -> impl TypedValueParser<Value = PlaceKind> {
    PossibleValuesParser::new(PLACES.iter().map(|place| place.name()))
        .try_map(|name| named_place(&name).ok_or("unknown place"))
}

pub fn kind() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(kinds()).try_map(|name| named_kind(&name).ok_or("unknown kind"))
}

pub fn warning() -> impl TypedValueParser<Value = Warn> {
    PossibleValuesParser::new(warnings()).try_map(|name| named_warning(&name).ok_or("unknown code"))
}

pub fn file_type() -> impl TypedValueParser<Value = FileType> {
    PossibleValuesParser::new(FileType::all().iter().map(|known| known.name()))
        .try_map(|name| FileType::named(&name).ok_or("unknown type"))
}

/// Parser of the suffix for names of backups.
pub fn suffix() -> impl TypedValueParser<Value = OsString> {
    OsStringValueParser::new().try_map(|suffix| {
        let has_separator = suffix.to_string_lossy().contains(std::path::is_separator);
        if suffix.is_empty() || has_separator {
            Err("expected the end of a file name, such as `.orig`")
        } else {
            Ok(suffix)
        }
    })
}

/// Parser of the name of a file that is replaced as a whole, which standard output cannot be.
pub fn file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path == Path::new("-") {
            Err("expected the name of a file, found standard output, to which it is not written")
        } else {
            Ok(path)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(bytes("12"), Ok(12));
        assert_eq!(bytes("2k"), Ok(2048));
        assert_eq!(bytes("1M"), Ok(1 << 20));
        for wrong in ["", "K", "1KK", "-1", "1.5M", "99999999999999999999", "1é"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
