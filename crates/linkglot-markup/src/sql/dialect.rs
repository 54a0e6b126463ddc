//! The database that a script is for, by what only one of them writes.

use super::literal::Literal;
use crate::escape::Backslash;

/// The state of the statement and what is known of the database.
#[derive(Debug)]
pub(super) struct Dialect {
    /// The meaning of backslashes in literals without a prefix.
    backslash: Backslash,
    /// The last word, if nothing but white space follows it.
    word: Option<Word>,
    /// Progress of `COPY ... FROM stdin`, or of `SET standard_conforming_strings = ...`.
    statement: Statement,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Statement {
    #[default]
    Other,
    /// Behind its first word.
    Begun,
    Copy,
    CopyFrom,
    /// Rows follow the statement.
    Rows,
    /// Behind the name of the setting.
    Strings,
}

/// A word that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// `E`
    Extended,
    /// `X`, `B`
    Digits,
    /// `_binary`
    Binary,
    Copy,
    From,
    Stdin,
    Strings,
    On,
    Off,
    Pragma,
    Other,
}

const WORDS: &[(&str, Word)] = &[
    ("e", Word::Extended),
    ("x", Word::Digits),
    ("b", Word::Digits),
    ("_binary", Word::Binary),
    ("copy", Word::Copy),
    ("from", Word::From),
    ("stdin", Word::Stdin),
    ("standard_conforming_strings", Word::Strings),
    ("on", Word::On),
    ("off", Word::Off),
    ("pragma", Word::Pragma),
];

impl Word {
    pub fn of(word: &[u8]) -> Word {
        let is_own = |(own, _): &&(&str, Word)| word.eq_ignore_ascii_case(own.as_bytes());
        let known = WORDS.iter().find(is_own);
        known.map_or(Word::Other, |(_, word)| *word)
    }
}

/// The longest name of a tag.
const LONGEST_TAG: usize = 60;
/// The mode of MySQL in which a backslash is itself.
const PLAIN_MODE: &[u8] = b"NO_BACKSLASH_ESCAPES";

impl Dialect {
    /// A database that is still unknown.
    pub fn new() -> Self {
        Dialect {
            backslash: Backslash::Unknown,
            word: None,
            statement: Statement::Other,
        }
    }

    /// Reads a word.
    pub fn read(&mut self, word: Word) {
        use Statement::{Begun, Copy, CopyFrom, Other, Rows, Strings};
        self.statement = match (self.statement, word) {
            (Other, Word::Copy) => Copy,
            (Other, Word::Pragma) => {
                self.knows(Backslash::Plain);
                Begun
            }
            (Copy, Word::From) => CopyFrom,
            (CopyFrom, Word::Stdin) => Rows,
            // Rows in another format.
            (Rows, _) => Begun,
            (_, Word::Strings) => Strings,
            (Strings, Word::On) => {
                self.backslash = Backslash::Plain;
                Begun
            }
            (Strings, Word::Off) => {
                self.backslash = Backslash::Postgres;
                Begun
            }
            (Other, _) => Begun,
            (before, _) => before,
        };
        self.word = Some(word);
    }

    /// Forgets the last word.
    pub fn forget_word(&mut self) {
        self.word = None;
    }

    /// The literal behind a quotation mark.
    pub fn literal(&mut self, quote: u8) -> Literal {
        let word = self.word.take();
        if quote == b'`' {
            self.is_mysql();
            return Literal::Name(quote);
        }
        let is_standard = matches!(self.backslash, Backslash::Plain | Backslash::Postgres);
        if word == Some(Word::Digits) || quote == b'"' && is_standard {
            return Literal::Name(quote);
        }
        Literal::Quoted {
            quote,
            backslash: match word {
                Some(Word::Extended) => Backslash::Postgres,
                _ => self.backslash,
            },
            is_binary: word == Some(Word::Binary),
        }
    }

    /// Reads a literal for the mode that it sets.
    pub fn read_literal(&mut self, raw: &[u8]) {
        if raw.len() < 1024 && memchr::memmem::find(raw, PLAIN_MODE).is_some() {
            self.backslash = Backslash::Plain;
        }
    }

    /// The script is for MySQL or MariaDB.
    pub fn is_mysql(&mut self) {
        self.knows(Backslash::MySql);
    }

    fn knows(&mut self, backslash: Backslash) {
        if self.backslash == Backslash::Unknown {
            self.backslash = backslash;
        }
    }

    /// Ends a statement; true if rows follow.
    pub fn end_statement(&mut self) -> bool {
        self.word = None;
        let has_rows = std::mem::take(&mut self.statement) == Statement::Rows;
        if has_rows {
            self.knows(Backslash::Plain);
        }
        has_rows
    }

    /// Rows follow the end of the statement, which is read again.
    pub fn expect_rows(&mut self) {
        self.statement = Statement::Rows;
    }

    /// True if `--` begins a comment. MySQL needs white space behind it.
    pub fn is_comment(&self, rest: &[u8]) -> bool {
        let ends = |byte: &u8| byte.is_ascii_whitespace();
        rest.starts_with(b"--")
            && (self.backslash != Backslash::MySql || rest.get(2).is_none_or(ends))
    }

    /// True if `#` begins a comment.
    pub fn has_hash_comments(&self) -> bool {
        self.backslash == Backslash::MySql
    }

    /// The tag at the beginning of bytes, with its dollar signs. MySQL has none.
    pub fn dollar_tag(&self, rest: &[u8]) -> Option<Box<[u8]>> {
        let name = &rest[1..];
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 0x80..);
        let length = name.iter().take(LONGEST_TAG).take_while(is_part).count();
        let is_tag = name.get(length) == Some(&b'$')
            && !name[0].is_ascii_digit()
            && self.backslash != Backslash::MySql;
        is_tag.then(|| rest[..length + 2].into())
    }
}

/// The first lines of dumps, in lower case.
const STARTS: &[&[u8]] = &[
    b"-- mysql dump ",
    b"-- mariadb dump ",
    b"/*!999999\\- enable the sandbox mode */",
    b"/*m!999999\\- enable the sandbox mode */",
    b"-- phpmyadmin sql dump",
    b"-- adminer ",
    b"--\n-- postgresql database dump",
    b"pragma foreign_keys=off;",
];

/// True if a document begins as a dump of MySQL, MariaDB, PostgreSQL or SQLite.
///
/// ```
/// assert!(linkglot_markup::begins_sql(b"-- MySQL dump 10.13  Distrib 8.0.36"));
/// assert!(!linkglot_markup::begins_sql(b"-- a list\n"));
/// ```
pub fn begins_sql(head: &[u8]) -> bool {
    let begins = |start: &&[u8]| {
        let begin = head.get(..start.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(start))
    };
    STARTS.iter().any(begins)
}
