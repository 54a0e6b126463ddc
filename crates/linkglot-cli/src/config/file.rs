//! The content of a configuration file.

use super::place::Places;
use super::setting::{self, Setting, found};
use super::{COMMANDS, command, conflict};
use crate::args::{DocumentArgs, FileArgs, ReportArgs};
use crate::inputs::shown;
use clap::{Args, Command};
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// A valid configuration file.
pub struct ConfigFile {
    pub path: PathBuf,
    /// The path as messages show it.
    pub name: String,
    /// The settings of each command.
    commands: [Vec<Setting>; COMMANDS.len()],
}

impl ConfigFile {
    /// Reads a file for one command, or for all. Rules are left out for a command that does not use them. Relative
    /// paths in the file begin at its directory. Linear.
    ///
    /// # Errors
    ///
    /// The first mistake, with name, line and column.
    pub fn parse(text: &str, path: PathBuf, user: Option<&str>) -> Result<Self, String> {
        let name = shown(&path);
        let reader = Reader {
            places: Places::new(text),
            name: &name,
            directory: path.parent().unwrap_or(Path::new("")),
            user,
        };
        let root = DeTable::parse(text).map_err(|error| {
            let place = reader.place(error.span().unwrap_or_default());
            format!("{place}: {}", error.message())
        })?;
        let root = in_order(root.get_ref());
        let mut commands = [Vec::new(), Vec::new()];
        for (settings, name) in commands.iter_mut().zip(COMMANDS) {
            *settings = reader.command(&root, &command(name))?;
        }
        Ok(ConfigFile {
            name,
            path,
            commands,
        })
    }

    /// The settings of a command.
    pub fn settings(&self, name: &str) -> &[Setting] {
        let at = COMMANDS.iter().position(|known| *known == name);
        at.map_or(&[], |at| &self.commands[at])
    }
}

/// The options that `find` and `rewrite` share. (Each has its own `host` and `absolute`.)
fn shared() -> Command {
    let command = DocumentArgs::augment_args(Command::new("find` and `rewrite"));
    let mut command = ReportArgs::augment_args(FileArgs::augment_args(command));
    command.build();
    command
}

type Row<'t, 'i> = (&'t Spanned<DeString<'i>>, &'t Spanned<DeValue<'i>>);

/// The rows of a table in the order of the file.
fn in_order<'t, 'i>(table: &'t DeTable<'i>) -> Vec<Row<'t, 'i>> {
    let mut rows: Vec<_> = table.iter().collect();
    rows.sort_by_key(|(key, _)| key.span().start);
    rows
}

/// Keys of rules. A file may have very many rules: only the command that uses rules reads them.
const RULES: [&str; 2] = ["map", "rules"];

struct Reader<'t> {
    places: Places<'t>,
    name: &'t str,
    directory: &'t Path,
    /// The command that the file is read for; `None` for all commands.
    user: Option<&'t str>,
}

impl Reader<'_> {
    /// The name, line and column (from 1) of a part of the file.
    fn place(&self, span: Range<usize>) -> String {
        let (line, column) = self.places.of(span.start);
        format!("{}:{line}:{column}", self.name)
    }

    /// The settings of one command. Settings of its own table take precedence over those at the top.
    fn command(&self, root: &[Row<'_, '_>], command: &Command) -> Result<Vec<Setting>, String> {
        let shared = shared();
        let (mut common, mut own) = (Vec::new(), Vec::new());
        for (key, value) in root {
            let name = key.get_ref().as_ref();
            match value.get_ref() {
                DeValue::Table(table) if name == command.get_name() => {
                    own = self.table(table, command)?;
                }
                DeValue::Table(_) if COMMANDS.contains(&name) => {}
                _ if COMMANDS.contains(&name) => {
                    let (place, found) = (self.place(key.span()), found(value.get_ref()));
                    return Err(format!("{place}: expected a table [{name}], found {found}"));
                }
                _ => {
                    self.refuse_private(key, &shared)?;
                    common.push(self.setting(key, value, &shared)?);
                }
            }
        }
        common.retain(|common: &Setting| own.iter().all(|own| own.id != common.id));
        own.extend(common);
        refuse_conflicts(&own, command)?;
        Ok(own)
    }

    /// Refuses an option of a single command at the top.
    fn refuse_private(&self, key: &Spanned<DeString<'_>>, shared: &Command) -> Result<(), String> {
        let name = key.get_ref();
        let has = |command: &Command| {
            let mut options = command.get_arguments();
            options.any(|option| option.get_long() == Some(name))
        };
        let tables: Vec<String> = COMMANDS
            .iter()
            .filter(|name| has(&command(name)))
            .map(|name| format!("[{name}]"))
            .collect();
        if has(shared) || tables.is_empty() || setting::refusal(name).is_some() {
            return Ok(());
        }
        let (place, tables) = (self.place(key.span()), tables.join(" or "));
        Err(format!(
            "{place}: expected `{name}` in the table {tables}, found it above all tables"
        ))
    }

    fn table(&self, table: &DeTable<'_>, command: &Command) -> Result<Vec<Setting>, String> {
        let mut settings: Vec<Setting> = Vec::new();
        let is_used = self.user.is_none_or(|user| user == command.get_name());
        for (key, value) in in_order(table) {
            if !is_used && RULES.contains(&key.get_ref().as_ref()) {
                continue;
            }
            let is_rules = key.get_ref() == "rules" && command.get_name() == "rewrite";
            let setting = if is_rules {
                self.rules(value, command)?
            } else {
                self.setting(key, value, command)?
            };
            // `map` and `rules` are one option.
            match settings.iter_mut().find(|known| known.id == setting.id) {
                Some(known) => known.extend(setting),
                None => settings.push(setting),
            }
        }
        Ok(settings)
    }

    fn setting(
        &self,
        key: &Spanned<DeString<'_>>,
        value: &Spanned<DeValue<'_>>,
        command: &Command,
    ) -> Result<Setting, String> {
        let place = self.place(key.span());
        let option = setting::option(command, key.get_ref());
        let option = option.map_err(|error| format!("{place}: {error}"))?;
        let setting = Setting::new(option, value.get_ref(), place, self.directory)?;
        setting.check(command, option)?;
        Ok(setting)
    }

    /// Reads the tables with `from` and `to`.
    fn rules(&self, value: &Spanned<DeValue<'_>>, command: &Command) -> Result<Setting, String> {
        let option = setting::option(command, "map")?;
        let Some(rules) = value.get_ref().as_array() else {
            let (place, found) = (self.place(value.span()), found(value.get_ref()));
            return Err(format!(
                "{place}: rules: expected tables [[rewrite.rules]], found {found}"
            ));
        };
        let rules: Result<_, _> = rules.iter().map(|rule| self.rule(rule)).collect();
        let setting = Setting::rules(option, rules?);
        setting.check(command, option)?;
        Ok(setting)
    }

    fn rule(&self, rule: &Spanned<DeValue<'_>>) -> Result<(OsString, String), String> {
        let place = self.place(rule.span());
        let wrong = |place: &str, found: &str| {
            Err(format!(
                "{place}: rules: expected `from` and `to`, each a string, found {found}"
            ))
        };
        let Some(table) = rule.get_ref().as_table() else {
            return wrong(&place, &found(rule.get_ref()));
        };
        for (key, value) in in_order(table) {
            let is_known = ["from", "to"].contains(&key.get_ref().as_ref());
            if !is_known || !value.get_ref().is_str() {
                let what = if is_known {
                    found(value.get_ref())
                } else {
                    format!("`{}`", key.get_ref())
                };
                return wrong(&self.place(key.span()), &what);
            }
        }
        let half = |key: &str| table.get(key).and_then(|value| value.get_ref().as_str());
        match (half("from"), half("to")) {
            (Some(from), Some(_)) if from.contains(char::is_whitespace) => Err(format!(
                "{place}: rules: expected `from` without spaces, found `{from}`"
            )),
            (Some(from), Some(to)) => {
                Ok((format!("{from} {to}").into(), format!("{place}: rules")))
            }
            (Some(_), None) => wrong(&place, "no `to`"),
            _ => wrong(&place, "no `from`"),
        }
    }
}

/// Refuses two settings that exclude each other, as the command line does.
fn refuse_conflicts(settings: &[Setting], command: &Command) -> Result<(), String> {
    let on: Vec<&Setting> = settings.iter().filter(|setting| setting.is_on()).collect();
    for (at, setting) in on.iter().enumerate() {
        let mut others = on[..at].iter();
        if let Some(other) = others.find(|other| conflict(command, &setting.id, &other.id)) {
            let (place, key) = (&setting.place, &setting.key);
            let (other_place, other) = (&other.place, &other.key);
            return Err(format!(
                "{place}: {key} cannot be set together with {other} ({other_place})"
            ));
        }
    }
    Ok(())
}
