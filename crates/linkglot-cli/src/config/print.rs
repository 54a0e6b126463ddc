//! The options in effect, as a configuration file.

use super::file::ConfigFile;
use super::setting::{self, is_number, quoted};
use super::{Merged, Unread, command, conflict};
use crate::args::Args;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory};
use std::fmt::Write;

/// The tables of some commands; a comment names the source of each value.
pub fn text(tables: &[Merged], file: Option<&ConfigFile>) -> Result<String, Unread> {
    let mut text = match file {
        Some(file) => format!("# {}\n", file.name),
        None => "# no configuration file\n".to_owned(),
    };
    for merged in tables {
        let lenient = Args::command().ignore_errors(true);
        let matches = lenient.try_get_matches_from(&merged.arguments)?;
        if let Some((_, matches)) = matches.subcommand() {
            let table = Table {
                merged,
                matches,
                command: command(merged.name),
                file: file.map_or("", |file| &file.name),
            };
            table.print(&mut text);
        }
    }
    Ok(text)
}

struct Table<'t> {
    merged: &'t Merged,
    matches: &'t ArgMatches,
    command: Command,
    file: &'t str,
}

impl Table<'_> {
    fn print(&self, text: &mut String) {
        let _ = writeln!(text, "\n[{}]", self.merged.name);
        let mut unset = Vec::new();
        for option in self.command.get_arguments() {
            let key = option.get_long().unwrap_or_default();
            if setting::option(&self.command, key).is_err() {
                continue;
            }
            match self.value(option) {
                Some(value) => {
                    let source = self.source(option.get_id().as_str());
                    let _ = writeln!(text, "{key} = {value}  # {source}");
                }
                None => unset.push(key),
            }
        }
        if !unset.is_empty() {
            let _ = writeln!(text, "# not set: {}", unset.join(", "));
        }
    }

    /// The source of the value of an option.
    fn source(&self, id: &str) -> &str {
        let is_given = |id: &str| self.merged.given.contains(id);
        let is_set = |id: &str| self.merged.settings.iter().any(|setting| setting.id == id);
        match id {
            _ if is_given(id) => "command line",
            "map" if is_given("replace") => "command line",
            "gitignore" if is_given("no_gitignore") => "command line",
            "no_gitignore" if is_given("gitignore") => "command line",
            _ if is_set(id) => self.file,
            _ => "default",
        }
    }

    /// The value as TOML. A default that another option rules out is left out: in a file the two would exclude each
    /// other.
    fn value(&self, option: &Arg) -> Option<String> {
        let id = option.get_id().as_str();
        let words = self.words(id);
        if words.is_empty() || (self.source(id) == "default" && self.is_ruled_out(id)) {
            return None;
        }
        let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        Some(match option.get_action() {
            ArgAction::SetTrue => words[0].clone(),
            ArgAction::Append => format!("[{}]", quoted.join(", ")),
            _ => match words[0].parse::<u64>() {
                Ok(number) if is_number(option) => number.to_string(),
                _ => quoted[0].clone(),
            },
        })
    }

    /// The words of an option. Words of `--replace` count as rules of `--map`.
    fn words(&self, id: &str) -> Vec<String> {
        let raw = |id: &str| self.matches.get_raw(id).into_iter().flatten();
        let words = |id: &str| raw(id).map(|word| word.to_string_lossy().into_owned());
        let mut all: Vec<String> = words(id).collect();
        if id == "map" {
            let halves: Vec<String> = words("replace").collect();
            all.extend(halves.chunks(2).map(|pair| pair.join(" ")));
        }
        all
    }

    fn is_ruled_out(&self, id: &str) -> bool {
        let is_off = |id: &str| {
            let raw = self.matches.get_raw(id);
            raw.is_some_and(|mut raw| raw.any(|word| word == "false"))
        };
        let ids = self.matches.ids().map(|id| id.as_str());
        let mut set = ids.filter(|other| self.source(other) != "default" && !is_off(other));
        !is_off(id) && set.any(|other| conflict(&self.command, id, other))
    }
}
