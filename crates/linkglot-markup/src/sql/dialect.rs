//! The database that a script is for, by what only one of them writes.

use super::literal::{Literal, Trust};
use crate::escape::{Backslash, Repertoire, charset_of};

/// The state of the statement and what is known of the database.
#[derive(Debug)]
pub(super) struct Dialect {
    /// The meaning of backslashes in literals without a prefix.
    backslash: Backslash,
    /// True after a mode of MySQL in which a backslash is itself.
    is_plain_mode: bool,
    /// True if `"` encloses names in MySQL.
    has_ansi_quotes: bool,
    /// The name of the charset in the first statement that sets it.
    charset: Option<Vec<u8>>,
    /// True behind a statement that sets another one.
    is_other_charset: bool,
    /// The characters that all tables so far keep, if a table has told its charset.
    kept: Option<Repertoire>,
    /// The last word, if nothing but white space follows it.
    word: Option<Word>,
    /// True if nothing but white space follows a literal.
    is_behind_literal: bool,
    /// Operators in front of the next literal.
    operator: Operator,
    /// The number of open parentheses from that of a function on that joins its arguments.
    joining: u32,
    /// Progress of the statement.
    statement: Statement,
}

/// The operator in front of a literal, as far as it was read. Opening parentheses may stand behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Other,
    /// The first half of `||`.
    Bar,
    /// `||`, or `+` as in SQL Server.
    Join,
}

/// Progress of the statements that matter: `COPY ... FROM stdin`, `SET ...`, `CREATE TABLE ...`.
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
    /// Rows in another format follow the statement.
    OtherRows,
    Set,
    /// Behind `SET NAMES` or `SET client_encoding`.
    Names,
    /// Behind `SET standard_conforming_strings`.
    Strings,
    Create,
    Alter,
    /// In the definition of a table that has told no charset yet.
    Table,
    /// In the definition of a table with a charset, or in a change of a table.
    TableWithCharset,
    /// Behind `CHARACTER` in the definition of a table.
    Character,
    /// In front of a charset or collation there.
    Charset,
}

/// The text behind a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Following {
    Statement,
    Rows,
    /// Rows whose format is not read.
    OtherRows,
}

/// A word that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// `E`
    Extended,
    /// `U`, in front of `&`
    Unicode,
    /// `X`, `B`
    Digits,
    /// `_binary`
    Binary,
    /// The name of a charset in front of a literal, `_latin1`.
    Introducer,
    /// `N`
    National,
    /// A function that reads escapes, in dumps of SQLite.
    Call,
    /// A function that joins its arguments.
    Concat,
    /// In front of a type.
    As,
    /// In front of a collation.
    Collate,
    Create,
    Alter,
    Table,
    Character,
    Charset,
    Copy,
    From,
    Stdin,
    Set,
    Names,
    To,
    Mode,
    Strings,
    On,
    Off,
    Pragma,
    Other,
}

const WORDS: &[(&str, Word)] = &[
    ("e", Word::Extended),
    ("u", Word::Unicode),
    ("n", Word::National),
    ("concat", Word::Concat),
    ("concat_ws", Word::Concat),
    ("format", Word::Concat),
    ("printf", Word::Concat),
    ("as", Word::As),
    ("collate", Word::Collate),
    ("create", Word::Create),
    ("alter", Word::Alter),
    ("table", Word::Table),
    ("character", Word::Character),
    ("charset", Word::Charset),
    ("x", Word::Digits),
    ("b", Word::Digits),
    ("_binary", Word::Binary),
    ("replace", Word::Call),
    ("unistr", Word::Call),
    ("copy", Word::Copy),
    ("from", Word::From),
    ("stdin", Word::Stdin),
    ("set", Word::Set),
    ("names", Word::Names),
    ("client_encoding", Word::Names),
    ("to", Word::To),
    ("sql_mode", Word::Mode),
    ("standard_conforming_strings", Word::Strings),
    ("on", Word::On),
    ("off", Word::Off),
    ("pragma", Word::Pragma),
];

impl Word {
    pub fn of(word: &[u8]) -> Word {
        let is_own = |(own, _): &&(&str, Word)| word.eq_ignore_ascii_case(own.as_bytes());
        let known = WORDS.iter().find(is_own);
        let other = if word.starts_with(b"_") {
            Word::Introducer
        } else {
            Word::Other
        };
        known.map_or(other, |(_, word)| *word)
    }
}

/// The longest name of a tag.
const LONGEST_TAG: usize = 60;
/// The longest list of modes that is read.
const LONGEST_MODE: usize = 1024;
/// The mode of MySQL in which a backslash is itself.
const PLAIN_MODE: &[u8] = b"NO_BACKSLASH_ESCAPES";

impl Dialect {
    /// A database that is still unknown.
    pub fn new() -> Self {
        Dialect {
            backslash: Backslash::Unknown,
            is_plain_mode: false,
            has_ansi_quotes: false,
            charset: None,
            is_other_charset: false,
            kept: None,
            word: None,
            is_behind_literal: false,
            operator: Operator::Other,
            joining: 0,
            statement: Statement::Other,
        }
    }

    /// Reads a word, with its bytes.
    pub fn read(&mut self, word: Word, bytes: &[u8]) {
        use Statement::{
            Alter, Begun, Character, Charset, Copy, CopyFrom, Create, Names, Other, OtherRows,
            Rows, Set, Strings, Table, TableWithCharset,
        };
        self.statement = match (self.statement, word) {
            (Other, Word::Copy) => Copy,
            (Other, Word::Set) => Set,
            (Other, Word::Create) => Create,
            (Other, Word::Alter) => Alter,
            (Create, Word::Table) => Table,
            (Alter, Word::Table) => TableWithCharset,
            (Table | TableWithCharset, Word::Character) => Character,
            (Table | TableWithCharset, Word::Charset | Word::Collate) | (Character, Word::Set) => {
                Charset
            }
            (Character, _) => Table,
            (Charset, _) => {
                self.keep(bytes);
                TableWithCharset
            }
            // An attribute of a column: `latin1`.
            (Table | TableWithCharset, _) if bytes.eq_ignore_ascii_case(b"ascii") => {
                self.keep(bytes);
                TableWithCharset
            }
            (Other, Word::Pragma) => {
                self.knows(Backslash::Plain);
                Begun
            }
            (Copy, Word::From) => CopyFrom,
            (CopyFrom, Word::Stdin) => Rows,
            (Rows | OtherRows, _) => OtherRows,
            (Set, Word::Names) => Names,
            (Names, Word::To) => Names,
            (Names, _) => {
                self.set_charset(bytes);
                Begun
            }
            (_, Word::Strings) => Strings,
            (Strings, Word::On) => {
                self.backslash = Backslash::Plain;
                Begun
            }
            (Strings, Word::Off) => {
                self.backslash = Backslash::Postgres;
                Begun
            }
            (Set, Word::Mode) => {
                self.leave_mode();
                Set
            }
            (Other, _) => Begun,
            (before, _) => before,
        };
        let is_prefix = matches!(
            word,
            Word::Extended | Word::Unicode | Word::National | Word::Binary | Word::Introducer
        );
        if !is_prefix {
            self.operator = Operator::Other;
        }
        self.word = Some(word);
        self.is_behind_literal = false;
    }

    /// Reads the bytes between words and literals.
    pub fn pass(&mut self, between: &[u8]) {
        for byte in between {
            self.operator = match (byte, self.operator) {
                (b'|', Operator::Bar) | (b'+', _) => Operator::Join,
                (b'|', _) => Operator::Bar,
                (b'(', operator) => operator,
                (byte, operator) if byte.is_ascii_whitespace() => operator,
                _ => Operator::Other,
            };
            match byte {
                b'(' if self.joining > 0 || self.word == Some(Word::Concat) => self.joining += 1,
                b')' => self.joining = self.joining.saturating_sub(1),
                _ => {}
            }
        }
        // The last word goes with a literal behind it.
        let joins = match self.word {
            Some(Word::Call) => b'(',
            Some(Word::Unicode) => b'&',
            _ => b' ',
        };
        let keeps = |byte: &u8| byte.is_ascii_whitespace() || *byte == joins;
        if !between.iter().all(keeps) {
            self.word = None;
            self.is_behind_literal = false;
        }
    }

    /// Forgets the last word, but not the operator or literal, in front of a comment.
    pub fn forget_word(&mut self) {
        self.word = None;
    }

    /// Forgets the last word or literal.
    pub fn forget(&mut self) {
        self.word = None;
        self.is_behind_literal = false;
        self.operator = Operator::Other;
    }

    /// True in the arguments of a function that joins them.
    pub fn joins_arguments(&self) -> bool {
        self.joining > 0
    }

    /// The literal behind a quotation mark.
    pub fn literal(&mut self, quote: u8) -> Literal {
        let word = self.word.take();
        let operator = std::mem::replace(&mut self.operator, Operator::Other);
        let is_second = std::mem::take(&mut self.is_behind_literal);
        if quote == b'`' {
            self.is_mysql();
            return Literal::Name(quote);
        }
        let is_name = match self.backslash {
            Backslash::Plain if !self.is_plain_mode => quote == b'"',
            Backslash::Postgres => quote == b'"',
            _ => quote == b'"' && self.has_ansi_quotes,
        };
        if word == Some(Word::Digits) || is_name {
            return Literal::Name(quote);
        }
        let may_be_name = quote == b'"' && self.backslash == Backslash::Unknown;
        let is_listed = is_second || may_be_name || self.is_other_charset;
        Literal::Quoted {
            quote,
            goes_on_before: operator == Operator::Join || self.joins_arguments(),
            backslash: match word {
                Some(Word::Extended) => Backslash::Postgres,
                _ => self.backslash,
            },
            repertoire: match word {
                Some(Word::Introducer) => Repertoire::Ascii,
                Some(Word::National) if self.backslash == Backslash::Unknown => Repertoire::All,
                _ => self.repertoire(),
            },
            trust: match word {
                _ if is_listed => Trust::Listed,
                Some(Word::Binary | Word::Unicode) => Trust::Listed,
                Some(Word::Introducer) => Trust::Ascii,
                Some(Word::Call) if self.backslash != Backslash::MySql => Trust::WithoutBackslash,
                _ => Trust::Written,
            },
        }
    }

    /// The characters that values keep. SQLite keeps all. PostgreSQL and MySQL convert from the charset of the
    /// connection, whose tables are not always those of browsers, and MySQL to that of the column, which the definition
    /// of the table tells at its end. SQL Server has a charset for all literals but `N'...'`.
    fn repertoire(&self) -> Repertoire {
        let sent = self.charset.as_deref();
        match self.backslash {
            Backslash::Unknown => Repertoire::Ascii,
            Backslash::Plain | Backslash::Postgres if !self.is_plain_mode => {
                sent.map_or(Repertoire::All, Repertoire::of_postgresql)
            }
            _ if self.is_defining() => Repertoire::Ascii,
            _ => {
                let kept = self.kept.unwrap_or(Repertoire::Ascii);
                sent.map_or(Repertoire::All, Repertoire::of_connection)
                    .min(kept)
            }
        }
    }

    /// True in the definition of a table.
    fn is_defining(&self) -> bool {
        use Statement::{Character, Charset, Table, TableWithCharset};
        matches!(
            self.statement,
            Table | TableWithCharset | Character | Charset
        )
    }

    /// Reads the charset or collation of a table or column. Octets are kept as they are.
    fn keep(&mut self, name: &[u8]) {
        let sent = self.charset.as_deref();
        let is_sent = sent.is_some_and(|sent| charset_of(name).eq_ignore_ascii_case(sent));
        let kept = if is_sent || name.eq_ignore_ascii_case(b"binary") {
            Repertoire::All
        } else {
            Repertoire::of_mysql(name)
        };
        self.kept = Some(self.kept.unwrap_or_default().min(kept));
    }

    /// True if links in rows may change.
    pub fn trusts_rows(&self) -> bool {
        !self.is_other_charset
    }

    /// Reads the inside of a literal: the value of a setting.
    pub fn read_literal(&mut self, raw: &[u8]) {
        let has = |mode: &[u8]| memchr::memmem::find(raw, mode).is_some();
        match self.statement {
            Statement::Names => {
                self.set_charset(raw);
                self.statement = Statement::Begun;
            }
            Statement::Charset => {
                self.keep(raw);
                self.statement = Statement::TableWithCharset;
            }
            Statement::Set if raw.len() < LONGEST_MODE => {
                if has(PLAIN_MODE) {
                    self.backslash = Backslash::Plain;
                    self.is_plain_mode = true;
                }
                self.has_ansi_quotes |= has(b"ANSI");
            }
            _ => {}
        }
        self.is_behind_literal = true;
    }

    /// Leaves the modes that a statement has set: a dump goes back to the modes of the server.
    fn leave_mode(&mut self) {
        if std::mem::take(&mut self.is_plain_mode) {
            self.backslash = Backslash::MySql;
        }
        self.has_ansi_quotes = false;
    }

    fn set_charset(&mut self, name: &[u8]) {
        let name = name.to_ascii_lowercase();
        let first = self.charset.get_or_insert_with(|| name.clone());
        self.is_other_charset = *first != name;
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

    /// Ends a statement.
    pub fn end_statement(&mut self) -> Following {
        self.forget();
        self.joining = 0;
        match std::mem::take(&mut self.statement) {
            Statement::Table => {
                // The charset is that of the database.
                self.kept = Some(Repertoire::Ascii);
                Following::Statement
            }
            Statement::Rows => {
                self.knows(Backslash::Plain);
                Following::Rows
            }
            Statement::OtherRows => Following::OtherRows,
            _ => Following::Statement,
        }
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
