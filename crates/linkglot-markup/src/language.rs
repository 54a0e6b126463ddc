//! The languages of programs.

/// The language of a program.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{CodeTokenizer, Language, Slots};
///
/// let count = |language, code: &[u8]| Slots::new(CodeTokenizer::new(language, 64), code, Charset::UTF_8).count();
/// assert_eq!(count(Language::JavaScript, b"a = 'b.example' // c"), 2);
/// assert_eq!(count(Language::Php, b"<?php $a = 'b.example'; # c"), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// JavaScript, perhaps with JSX.
    JavaScript,
    /// TypeScript without JSX.
    TypeScript,
    /// PHP, with text around the code.
    Php,
    /// TOML.
    Toml,
    /// Messages of gettext (PO). `keys`: links may change in the strings that programs look up, too.
    Gettext {
        /// True if they may.
        keys: bool,
    },
    /// Properties of Java.
    Properties,
    /// Python.
    Python,
    /// C, C++ and Objective-C.
    C,
    /// Java.
    Java,
    /// Kotlin.
    Kotlin,
    /// C#.
    CSharp,
    /// Go.
    Go,
    /// Rust.
    Rust,
    /// Swift.
    Swift,
}
