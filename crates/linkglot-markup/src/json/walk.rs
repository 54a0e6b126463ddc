//! The open objects and arrays around a string, and what they tell about its content.

use super::table::{Kind, Vocabulary};
use crate::escape::{Escaping, JsonStyle};
use crate::language::Language;
use crate::name::Name;
use crate::slot::{Access, Place, PlaceKind, ScopedBase, SharedPlace, Syntax};
use crate::values::{
    is_absolute,
    json::{Dialect, Key, key_of},
};
use linkglot_charset::Charset;
use std::collections::HashMap;
use std::sync::Arc;

/// The most open objects and arrays; text with more is no JSON.
const MOST_LEVELS: usize = 1 << 20;
/// The most keys around a string that are kept.
const MOST_NAMES: usize = 256;
/// The most names of keys that are shared by strings, and the longest of them in bytes.
const MOST_SHARED: usize = 256;
const LONGEST_NAME: usize = 256;
/// The key, in WAT, of a copy of the header of a record: it names what was archived, and is no link.
const RECORD_HEADER: &str = "WARC-Header-Metadata";

/// The error for a mark that JSON does not allow at its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unsound;

/// The places of links in a string.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content {
    pub syntax: Syntax,
    pub place: PlaceKind,
    pub access: Access,
}

impl Content {
    const ANY: Content = Content::text(Syntax::Data);

    const fn text(syntax: Syntax) -> Self {
        Content {
            syntax,
            place: PlaceKind::Text,
            access: Access::Rewrite,
        }
    }

    const fn link(syntax: Syntax, access: Access) -> Self {
        Content {
            syntax,
            place: PlaceKind::Value,
            access,
        }
    }
}

/// The rules for the content of strings.
#[derive(Clone, Copy, Debug)]
enum Rules {
    /// The content tells.
    None,
    Vocabulary(&'static Vocabulary),
    LinkedData,
}

/// The part of a document that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    Key,
    Colon,
    Value,
}

/// An open object or array.
#[derive(Clone, Copy, Debug)]
struct Level {
    is_object: bool,
    /// True if its key is the last one of the names.
    is_named: bool,
    /// The kind of all strings within.
    deep: Option<Kind>,
    /// The key of linked data of the object or array itself.
    key: Key,
}

/// A key, and the places of its strings.
#[derive(Debug)]
struct Named {
    name: Name,
    text: SharedPlace,
    value: SharedPlace,
}

/// The type of a cell of a notebook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Markdown,
    Code,
    Other,
}

/// A walk through documents.
#[derive(Debug)]
pub(super) struct Walk {
    /// The rules that the name of the file gives.
    by_file: Rules,
    rules: Rules,
    levels: Vec<Level>,
    /// The keys of the open objects and arrays that have one, outermost first.
    names: Vec<Arc<Named>>,
    /// The number of further keys, which are not kept.
    more_names: usize,
    /// The key of the next value in an object.
    current: Option<Arc<Named>>,
    position: Position,
    /// The key of linked data in force.
    key: Key,
    shared: HashMap<Box<[u8]>, Arc<Named>>,
    /// The base that a context may declare.
    base: Option<ScopedBase>,
    /// True if references in the last string resolve where its text is shown.
    is_shown_elsewhere: bool,
    /// The type of the open cell of a notebook, and the number of levels that are open in it.
    cell: Option<(Cell, usize)>,
    /// The syntax of cells with code. A notebook may name its language behind them: most are in Python.
    code: Syntax,
}

impl Walk {
    pub(super) fn new(file: Option<&str>) -> Self {
        let is_linked = |file: &&str| file.to_ascii_lowercase().ends_with(".jsonld");
        let by_file = match (file.filter(is_linked), file.and_then(Vocabulary::of_file)) {
            (Some(_), _) => Rules::LinkedData,
            (None, Some(vocabulary)) => Rules::Vocabulary(vocabulary),
            (None, None) => Rules::None,
        };
        Walk {
            by_file,
            rules: by_file,
            levels: Vec::new(),
            names: Vec::new(),
            more_names: 0,
            current: None,
            position: Position::Value,
            key: Key::Other,
            shared: HashMap::new(),
            base: None,
            is_shown_elsewhere: false,
            cell: None,
            code: Syntax::Cell(Language::Python),
        }
    }

    /// Begins another document.
    pub(super) fn begin(&mut self) {
        self.levels.clear();
        self.names.clear();
        self.more_names = 0;
        self.current = None;
        self.position = Position::Value;
        self.key = Key::Other;
        self.rules = self.by_file;
        self.base = None;
        self.cell = None;
        self.code = Syntax::Cell(Language::Python);
    }

    fn is_in_object(&self) -> bool {
        self.levels.last().is_some_and(|level| level.is_object)
    }

    pub(super) fn is_at_value(&self) -> bool {
        self.position == Position::Value
    }

    pub(super) fn open(&mut self, is_object: bool) -> Result<(), Unsound> {
        if self.position != Position::Value || self.levels.len() == MOST_LEVELS {
            return Err(Unsound);
        }
        if self.levels.is_empty() {
            self.begin();
        }
        let deep = self.levels.last().and_then(|level| level.deep);
        let is_captured = |named: &Arc<Named>| named.name.as_str() == RECORD_HEADER;
        let deep = deep.or_else(|| match self.kind() {
            _ if self.current.as_ref().is_some_and(is_captured) => Some(Kind::Nothing),
            (kind, true) => Some(kind),
            _ => None,
        });
        let name = self.current.take();
        let level = Level {
            is_object,
            is_named: name.is_some(),
            deep,
            key: self.key,
        };
        if let Some(name) = name {
            if self.names.len() < MOST_NAMES && self.more_names == 0 {
                self.names.push(name);
            } else {
                self.more_names += 1;
            }
        }
        self.levels.push(level);
        self.key = self.key.inside(is_object);
        self.position = if is_object {
            Position::Key
        } else {
            Position::Value
        };
        Ok(())
    }

    pub(super) fn close(&mut self, is_object: bool) -> Result<(), Unsound> {
        let is_whole = self.position != Position::Colon;
        let level = self
            .levels
            .pop()
            .filter(|level| level.is_object == is_object && is_whole);
        let level = level.ok_or(Unsound)?;
        if level.is_named && self.more_names > 0 {
            self.more_names -= 1;
        } else if level.is_named {
            self.names.pop();
        }
        self.current = None;
        self.key = level.key;
        self.position = Position::Value;
        self.cell = self.cell.filter(|(_, levels)| *levels <= self.levels.len());
        Ok(())
    }

    pub(super) fn comma(&mut self) -> Result<(), Unsound> {
        let level = self.levels.last().ok_or(Unsound)?;
        if self.position == Position::Colon {
            return Err(Unsound);
        }
        if level.is_object {
            self.key = level.key.inside(true);
            self.position = Position::Key;
            self.current = None;
        }
        Ok(())
    }

    pub(super) fn colon(&mut self) -> Result<(), Unsound> {
        if self.position != Position::Colon {
            return Err(Unsound);
        }
        self.position = Position::Value;
        Ok(())
    }

    /// Reads a word without quotes: a key of JSON5, or a literal.
    pub(super) fn word(&mut self, word: &[u8], charset: Charset) -> Result<(), Unsound> {
        const LITERALS: &[&[u8]] = &[
            b"true",
            b"false",
            b"null",
            b"NaN",
            b"Infinity",
            b"undefined",
        ];
        match self.position {
            Position::Key => {
                self.key(word, charset);
                Ok(())
            }
            Position::Value if LITERALS.contains(&word) => Ok(()),
            _ => Err(Unsound),
        }
    }

    /// Reads a string.
    pub(super) fn string(&mut self) -> Result<(), Unsound> {
        match self.position {
            Position::Key => {
                self.position = Position::Colon;
                self.current = None;
                Ok(())
            }
            Position::Value => Ok(()),
            Position::Colon => Err(Unsound),
        }
    }

    /// Reads the name of a key.
    pub(super) fn key(&mut self, raw: &[u8], charset: Charset) {
        self.position = Position::Colon;
        let named = self.named(raw, charset);
        self.current = Some(named.clone());
        let name = named.name.as_str();
        if self.levels.len() == 1 && name == "@context" && matches!(self.rules, Rules::None) {
            self.rules = Rules::LinkedData;
        }
        if matches!(self.rules, Rules::LinkedData) {
            let depth = self.levels.len();
            self.key = self.key.below(key_of(name, Dialect::LinkedData, depth));
            if matches!(name, "@base" | "@import") {
                self.base = Some(ScopedBase {
                    number: 1,
                    text: None,
                });
            }
        }
    }

    fn named(&mut self, raw: &[u8], charset: Charset) -> Arc<Named> {
        if let Some(named) = self.shared.get(raw) {
            return named.clone();
        }
        let raw = &raw[..raw.len().min(LONGEST_NAME)];
        let name = Name::from(text_of(raw, charset));
        let place = |kind| Place::new(kind, None, Some(name.clone())).into();
        let named = Arc::new(Named {
            text: place(PlaceKind::Text),
            value: place(PlaceKind::Value),
            name,
        });
        if self.shared.len() < MOST_SHARED && raw.len() < LONGEST_NAME {
            self.shared.insert(raw.into(), named.clone());
        }
        named
    }

    /// The place of the string that is read.
    pub(super) fn place(&self, kind: PlaceKind) -> SharedPlace {
        let named = if self.is_in_object() {
            self.current.as_ref()
        } else {
            self.names.last().filter(|_| self.more_names == 0)
        };
        match (named, kind) {
            (Some(named), PlaceKind::Text) => named.text.clone(),
            (Some(named), _) => named.value.clone(),
            (None, PlaceKind::Text) => SharedPlace::TEXT,
            (None, _) => SharedPlace::fixed(&VALUE),
        }
    }

    /// The content of a string that is a value; `None` if it holds no link.
    pub(super) fn content(&mut self, raw: &[u8], charset: Charset) -> Option<Content> {
        let deep = self.levels.last().and_then(|level| level.deep);
        self.is_shown_elsewhere = false;
        if deep == Some(Kind::Nothing) {
            return None;
        }
        if self.tells_vocabulary(raw, charset) {
            // A new text would give the document another meaning.
            return None;
        }
        let special = match self.rules {
            Rules::None => return any(raw),
            Rules::Vocabulary(_) => self.of_kind(raw, charset),
            Rules::LinkedData => self.linked(raw, charset),
        };
        match special {
            Special::Content(content) => Some(content),
            Special::Any => any(raw),
            Special::Nothing => None,
        }
    }

    /// Learns the vocabulary from a string of the outermost object.
    fn tells_vocabulary(&mut self, raw: &[u8], charset: Charset) -> bool {
        let is_outermost = self.levels.len() == 1 && self.is_in_object() || self.is_in_context();
        let named = self.current.as_ref().or(self.names.last());
        let told = named
            .filter(|_| is_outermost)
            .and_then(|named| Vocabulary::told_by(&named.name, &|| text_of(raw, charset)));
        if let (Some(vocabulary), Rules::None | Rules::LinkedData) = (told, self.rules) {
            self.rules = Rules::Vocabulary(vocabulary);
        }
        told.is_some()
    }

    /// True in the array of contexts.
    fn is_in_context(&self) -> bool {
        let is_context = |named: &Arc<Named>| &*named.name == "@context";
        self.levels.len() == 2 && !self.is_in_object() && self.names.last().is_some_and(is_context)
    }

    /// The kind of the value that is read by the vocabulary, and true if it also holds below.
    fn kind(&self) -> (Kind, bool) {
        let Rules::Vocabulary(vocabulary) = self.rules else {
            return (Kind::Any, false);
        };
        if self.more_names > 0 {
            return (Kind::Any, false);
        }
        let own = self.current.iter().filter(|_| self.is_in_object());
        let names = own.chain(self.names.iter().rev());
        let path: Vec<&str> = names
            .take(Vocabulary::LONGEST)
            .map(|named| named.name.as_str())
            .collect();
        vocabulary.kind(&path)
    }

    /// True if the array that was just opened is a list of strings that are one text.
    pub(super) fn is_in_text(&self) -> bool {
        let is_named = self.levels.last().is_some_and(|level| level.is_named);
        is_named && matches!(self.kind().0, Kind::Cell | Kind::Code)
    }

    /// The content of all strings of a list, which are one text.
    pub(super) fn content_of_list(&mut self) -> Option<Content> {
        self.is_shown_elsewhere = false;
        self.of_cell()
    }

    /// The content of the source of a cell.
    fn of_cell(&self) -> Option<Content> {
        let syntax = match (self.kind().0, self.cell) {
            (Kind::Cell, Some((Cell::Markdown, _))) => Syntax::MarkdownString,
            (Kind::Cell, Some((Cell::Code, _))) | (Kind::Code, _) => self.code,
            _ => return None,
        };
        Some(Content::text(syntax))
    }

    /// True at the source of a cell whose type is not known.
    pub(super) fn lacks_cell_type(&self) -> bool {
        self.cell.is_none() && self.kind().0 == Kind::Cell
    }

    /// Learns the type of the cell at whose source the walk is.
    pub(super) fn learn_cell_type(&mut self, raw: &[u8], charset: Charset) {
        let lines = usize::from(!self.is_in_object());
        self.read_cell_type(&text_of(raw, charset), self.levels.len() - lines);
    }

    /// Reads the type of a cell, in which this many levels are open.
    fn read_cell_type(&mut self, name: &str, levels: usize) {
        let cell = match name {
            "markdown" => Cell::Markdown,
            "code" => Cell::Code,
            _ => Cell::Other,
        };
        self.cell = Some((cell, levels));
    }

    /// Reads the language of the cells that follow.
    fn read_language(&mut self, name: &str) {
        self.code = Language::named(name).map_or(Syntax::EscapedText, Syntax::Cell);
    }

    fn of_kind(&mut self, raw: &[u8], charset: Charset) -> Special {
        let deep = self.levels.last().and_then(|level| level.deep);
        let kind = deep.unwrap_or_else(|| self.kind().0);
        let is_link = || {
            let text = text_of(raw, charset);
            !text.is_empty() && !text.contains(char::is_whitespace)
        };
        let is_iri = || is_absolute(&text_of(raw, charset));
        Special::Content(match kind {
            Kind::Link if is_link() => Content::link(Syntax::Single, Access::Rewrite),
            Kind::Template if is_link() => Content::link(Syntax::Template, Access::Rewrite),
            Kind::Rules if is_iri() => Content::link(Syntax::AbsoluteOnly, Access::Rules),
            Kind::Identifier if is_iri() => Content::link(Syntax::AbsoluteOnly, Access::Identifier),
            Kind::Identifier => return Special::Nothing,
            Kind::Html => Content::text(Syntax::Html),
            Kind::Text => Content::text(Syntax::EscapedText),
            Kind::Markdown => {
                self.is_shown_elsewhere = true;
                Content::text(Syntax::MarkdownString)
            }
            // A string of a list is not the whole text.
            Kind::Cell | Kind::Code if self.is_in_object() => match self.of_cell() {
                Some(content) => content,
                None => return Special::Any,
            },
            Kind::CellType => {
                self.read_cell_type(&text_of(raw, charset), self.levels.len());
                return Special::Nothing;
            }
            Kind::Language => {
                self.read_language(&text_of(raw, charset));
                return Special::Nothing;
            }
            _ => return Special::Any,
        })
    }

    fn linked(&self, raw: &[u8], charset: Charset) -> Special {
        let is_reference = self
            .key
            .has_reference(&text_of(raw, charset), Dialect::LinkedData);
        match self.key {
            key if is_reference => Special::Content(Content::link(Syntax::Template, key.access())),
            Key::Vocabulary => Special::Nothing,
            _ => Special::Any,
        }
    }

    pub(super) fn bases(&self) -> &[ScopedBase] {
        /// A base that nobody knows.
        static ELSEWHERE: [ScopedBase; 1] = [ScopedBase {
            number: 2,
            text: None,
        }];
        if self.is_shown_elsewhere {
            &ELSEWHERE
        } else {
            self.base.as_slice()
        }
    }
}

/// The answer of rules about a string.
enum Special {
    Content(Content),
    /// The content tells.
    Any,
    /// No link is in it.
    Nothing,
}

static VALUE: Place = Place::new(PlaceKind::Value, None, None);

/// The content of a string without a rule; `None` if no byte of it could belong to a link.
fn any(raw: &[u8]) -> Option<Content> {
    let may_link = |byte: &u8| matches!(byte, b':' | b'.' | b'@' | b'<' | b'\\' | 0x80..);
    raw.iter().any(may_link).then_some(Content::ANY)
}

/// The text of a string.
fn text_of(raw: &[u8], charset: Charset) -> String {
    let text = charset.decode(raw);
    let string = Escaping::JsonString(JsonStyle::default());
    string.unescape(&text).into_text().into_owned()
}
