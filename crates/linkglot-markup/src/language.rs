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

/// The names of languages in listings: those of Linguist and Pygments, in lower case.
const NAMES: &[(Language, &[&str])] = &[
    (
        Language::JavaScript,
        &["javascript", "js", "jsx", "mjs", "cjs", "node", "tsx"],
    ),
    (Language::TypeScript, &["typescript", "ts", "mts", "cts"]),
    (Language::Php, &["php"]),
    (Language::Toml, &["toml"]),
    (
        Language::Python,
        &[
            "python", "py", "python3", "py3", "python2", "py2", "ipython", "ipython3",
        ],
    ),
    (
        Language::C,
        &[
            "c",
            "h",
            "c++",
            "cpp",
            "cc",
            "cxx",
            "hpp",
            "h++",
            "objective-c",
            "objectivec",
            "obj-c",
            "objc",
            "objective-c++",
            "objc++",
        ],
    ),
    (Language::Java, &["java"]),
    (Language::Kotlin, &["kotlin", "kt", "kts"]),
    (Language::CSharp, &["csharp", "c#", "cs"]),
    (Language::Go, &["go", "golang"]),
    (Language::Rust, &["rust", "rs"]),
    (Language::Swift, &["swift"]),
];

impl Language {
    /// The language of a program with a name that listings use, in any case; `None` for other languages.
    ///
    /// ```
    /// use linkglot_markup::Language;
    ///
    /// assert_eq!(Language::named("C++"), Some(Language::C));
    /// assert_eq!(Language::named("bash"), None);
    /// ```
    pub fn named(name: &str) -> Option<Language> {
        let is_own = |own: &&str| own.eq_ignore_ascii_case(name);
        let mut all = NAMES.iter();
        all.find(|(_, names)| names.iter().any(is_own))
            .map(|(language, _)| *language)
    }

    /// True if code is a program in the language: a session with the prompt of Python is none.
    pub(crate) fn is_program(self, code: &[u8]) -> bool {
        self != Language::Python || !code.trim_ascii_start().starts_with(b">>>")
    }
}
