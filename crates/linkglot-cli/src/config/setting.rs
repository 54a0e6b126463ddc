//! A single setting of the file: its form on the command line, and the check that it is allowed.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command};
use linkglot_files::is_deceptive;
use std::any::TypeId;
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use toml::de::DeValue;

/// Options that no file may set, with the reasons.
const REFUSED: &[(&[&str], &str)] = &[
    (
        &[
            "in-place",
            "output",
            "stdout",
            "check",
            "dry-run",
            "journal",
            "no-journal",
            "backup",
            "report",
            "cdxj",
        ],
        "only the command line says where results go",
    ),
    (&["json"], "only the command line chooses JSON"),
    (&["files-from", "null"], "only the command line names files"),
    (
        &["follow"],
        "only the command line lets symbolic links be followed",
    ),
    (
        &["config", "no-config", "print-config", "help"],
        "the option is about the configuration file itself",
    ),
    (
        &["move", "move-mail", "move-subdomains"],
        "only the command line moves a domain",
    ),
    (
        &["replace"],
        "write it as [[rewrite.rules]] with `from` and `to`",
    ),
];

/// An option that the file sets.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The option's name in its definition.
    pub id: String,
    /// The option's long name.
    pub key: String,
    /// File, line and column of the key.
    pub place: String,
    /// For rules: the place of each rule.
    pub places: Vec<String>,
    value: Value,
}

#[derive(Clone, Debug)]
enum Value {
    Flag(bool),
    Words(Vec<OsString>),
}

impl Setting {
    /// Reads the value of an option. A relative path in it begins at `directory`.
    pub fn new(
        argument: &Arg,
        value: &DeValue<'_>,
        place: String,
        directory: &Path,
    ) -> Result<Self, String> {
        let key = argument.get_long().unwrap_or_default().to_owned();
        let value = match argument.get_action() {
            ArgAction::SetTrue => value.as_bool().map(Value::Flag),
            ArgAction::Append => words(value).map(Value::Words),
            _ => word(argument, value).map(|word| Value::Words(vec![word])),
        }
        .ok_or_else(|| {
            let found = found(value);
            format!(
                "{place}: {key}: expected {}, found {found}",
                expected(argument)
            )
        })?;
        let mut setting = Setting {
            id: argument.get_id().to_string(),
            key,
            place,
            places: Vec::new(),
            value,
        };
        setting.add_directory(argument, directory);
        setting.repeat_place();
        Ok(setting)
    }

    /// Builds the setting of rules: each `FROM TO` with its place.
    pub fn rules(argument: &Arg, rules: Vec<(OsString, String)>) -> Self {
        let (words, places): (Vec<_>, Vec<_>) = rules.into_iter().unzip();
        Setting {
            id: argument.get_id().to_string(),
            key: "rules".to_owned(),
            place: places.first().cloned().unwrap_or_default(),
            places,
            value: Value::Words(words),
        }
    }

    /// Appends the rules of another setting.
    pub fn extend(&mut self, other: Setting) {
        self.places.extend(other.places);
        if let (Value::Words(words), Value::Words(more)) = (&mut self.value, other.value) {
            words.extend(more);
        }
    }

    /// True if the setting asks for anything: a flag that is `false` does not.
    pub fn is_on(&self) -> bool {
        !matches!(&self.value, Value::Flag(false))
    }

    /// The setting as arguments of the command line.
    pub fn arguments(&self) -> Vec<OsString> {
        let name = match self.id.as_str() {
            "map" => "map",
            _ => self.key.as_str(),
        };
        match &self.value {
            Value::Flag(true) => vec![format!("--{name}").into()],
            Value::Flag(false) => Vec::new(),
            Value::Words(words) => words.iter().map(|word| assignment(name, word)).collect(),
        }
    }

    /// Checks the value with the parser of the option itself.
    pub fn check(&self, command: &Command, argument: &Arg) -> Result<(), String> {
        let words = std::iter::once(OsString::from("linkglot")).chain(self.arguments());
        match command.clone().try_get_matches_from(words) {
            Err(error) if error.kind() != ErrorKind::MissingRequiredArgument => {
                let (place, key) = (&self.place, &self.key);
                Err(format!("{place}: {key}: {}", message(&error, argument)))
            }
            _ => Ok(()),
        }
    }

    fn add_directory(&mut self, argument: &Arg, directory: &Path) {
        let is_path = argument.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        if let (true, Value::Words(words)) = (is_path, &mut self.value) {
            // An empty path would become the directory: leaving it empty lets the option refuse it.
            for word in words.iter_mut().filter(|word| !word.is_empty()) {
                *word = directory.join(&*word).into();
            }
        }
    }

    fn repeat_place(&mut self) {
        if let ("map", Value::Words(words)) = (self.id.as_str(), &self.value) {
            self.places = vec![format!("{}: map", self.place); words.len()];
        }
    }
}

/// An option with its value.
pub fn assignment(name: &str, word: &OsStr) -> OsString {
    let mut argument = OsString::from(format!("--{name}="));
    argument.push(word);
    argument
}

/// The reason why files may not set an option.
pub fn refusal(key: &str) -> Option<&'static str> {
    let refused = REFUSED.iter().find(|(keys, _)| keys.contains(&key));
    refused.map(|(_, why)| *why)
}

/// The option with this long name, unless files may not set it.
pub fn option<'c>(command: &'c Command, key: &str) -> Result<&'c Arg, String> {
    if let Some(why) = refusal(key) {
        return Err(format!("{key} cannot be set in a file: {why}"));
    }
    let mut options = command.get_arguments();
    options
        .find(|option| option.get_long() == Some(key))
        .ok_or_else(|| {
            let nearest = nearest(command, key);
            let nearest = nearest.map(|name| format!("; the nearest option is `{name}`"));
            let name = command.get_name();
            format!(
                "expected an option of `{name}`, found `{key}`{}",
                nearest.unwrap_or_default()
            )
        })
}

/// The option with the most similar name.
fn nearest(command: &Command, key: &str) -> Option<String> {
    let words = [
        "linkglot".to_owned(),
        format!("--{}", key.replace('_', "-")),
    ];
    let error = match command.clone().try_get_matches_from(words) {
        Err(error) if error.kind() == ErrorKind::UnknownArgument => error,
        // The key with hyphens is an option.
        _ => return Some(key.replace('_', "-")),
    };
    let suggested = match error.get(ContextKind::SuggestedArg)? {
        ContextValue::String(name) => name,
        ContextValue::Strings(names) => names.first()?,
        _ => return None,
    };
    Some(suggested.trim_start_matches('-').to_owned())
}

fn word(argument: &Arg, value: &DeValue<'_>) -> Option<OsString> {
    match value {
        DeValue::String(text) => Some(text.as_ref().into()),
        DeValue::Integer(number) if is_number(argument) => Some(number.to_string().into()),
        _ => None,
    }
}

/// The words of a list. A single word counts as a list.
fn words(value: &DeValue<'_>) -> Option<Vec<OsString>> {
    match value {
        DeValue::Array(values) => values.iter().map(|value| string(value.get_ref())).collect(),
        value => string(value).map(|word| vec![word]),
    }
}

fn string(value: &DeValue<'_>) -> Option<OsString> {
    value.as_str().map(OsString::from)
}

/// True if an option takes a number.
pub fn is_number(argument: &Arg) -> bool {
    let kind = argument.get_value_parser().type_id();
    kind == TypeId::of::<usize>() || kind == TypeId::of::<u16>()
}

fn expected(argument: &Arg) -> &'static str {
    match argument.get_action() {
        ArgAction::SetTrue => "true or false",
        ArgAction::Append => "a list of strings",
        _ if is_number(argument) => "a number",
        _ => "a string",
    }
}

/// Describes a value for messages.
pub fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::Array(_) => "a list with values other than strings".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::String(text) => format!("the string {}", quoted(text)),
        DeValue::Integer(number) => format!("the number {}", number.as_str()),
        DeValue::Float(number) => format!("the number {}", number.as_str()),
        DeValue::Boolean(value) => value.to_string(),
    }
}

/// The message of clap on one line, without the option's name, which has the form of the command line.
fn message(error: &clap::Error, argument: &Arg) -> String {
    let text = error.to_string();
    let lines = text.lines().take_while(|line| !line.is_empty());
    let line = lines.map(str::trim).collect::<Vec<_>>().join(" ");
    let line = line.trim_start_matches("error: ");
    line.replace(&format!(" for '{argument}'"), "")
}

/// Quotes a string for TOML, escaping control characters and characters that change the direction of text.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for ch in text.chars() {
        match ch {
            '"' | '\\' => quoted.extend(['\\', ch]),
            _ if is_deceptive(ch) => {
                let _ = match u32::from(ch) {
                    basic @ ..=0xFFFF => write!(quoted, "\\u{basic:04X}"),
                    other => write!(quoted, "\\U{other:08X}"),
                };
            }
            _ => quoted.push(ch),
        }
    }
    quoted + "\""
}
