//! The configuration file, `linkglot.toml`: options of a project. Its settings become arguments in front of the user's,
//! so that every option has one parser, whatever its source.

mod file;
mod place;
mod print;
mod setting;

use super::args::{Args, Command as Invoked, ConfigArgs};
use super::inputs::shown;
use super::output::complain;
use super::{Failure, inputs};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};
use file::ConfigFile;
use linkglot::Error;
use setting::Setting;
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::{env, fs, iter};

/// The file's name.
const NAME: &str = "linkglot.toml";

/// The commands that have settings.
const COMMANDS: [&str; 2] = ["find", "rewrite"];

/// Options that give rules. Any of them on the command line replaces the rules of the file.
const RULES: [&str; 4] = ["domains", "map", "replace", "map_file"];

/// The request of the user.
pub enum Request {
    Run(Box<Args>),
    PrintConfig(String),
}

/// The reason why no command can run.
pub enum Unread {
    /// The arguments are wrong, or ask for help.
    Usage(clap::Error),
    /// The configuration file is wrong.
    Config(String),
}

impl From<clap::Error> for Unread {
    fn from(error: clap::Error) -> Self {
        Unread::Usage(error)
    }
}

impl From<Failure> for Unread {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Message(message) => Unread::Config(message),
            Failure::BrokenPipe => Unread::Config(String::new()),
        }
    }
}

/// Reads the arguments (the first is the program's name) and the configuration file.
pub fn read(arguments: &[OsString]) -> Result<Request, Unread> {
    let lenient = Args::command().ignore_errors(true);
    let as_they_are = || run(arguments.to_vec(), None, Vec::new());
    // An error here is a request for help.
    let Ok(matches) = lenient.try_get_matches_from(arguments) else {
        return as_they_are();
    };
    match matches.subcommand() {
        Some((name, matches)) if COMMANDS.contains(&name) => {
            // The strict reading reports the error at which the lenient one stopped.
            let Ok(options) = ConfigArgs::from_arg_matches(matches) else {
                return as_they_are();
            };
            read_command(name, arguments, matches, &options)
        }
        None if Args::from_arg_matches(&matches).is_ok_and(|args| args.print_config) => {
            Args::read(arguments)?;
            let file = open(&ConfigArgs::default(), None)?;
            let tables = COMMANDS.map(|name| {
                let arguments = ["linkglot", name].map(OsString::from);
                Merged::new(name, &arguments, &ArgMatches::default(), file.as_ref())
            });
            print::text(&tables, file.as_ref()).map(Request::PrintConfig)
        }
        _ => as_they_are(),
    }
}

/// Reads the arguments of a command that has settings.
fn read_command(
    name: &str,
    arguments: &[OsString],
    matches: &ArgMatches,
    options: &ConfigArgs,
) -> Result<Request, Unread> {
    let file = open(options, Some(name))?;
    let merged = Merged::new(name, arguments, matches, file.as_ref());
    if !options.print_config {
        let ran = run(merged.arguments, file.as_ref(), merged.settings);
        return ran.map_err(|error| as_own(error, arguments));
    }
    match Args::read(&merged.arguments) {
        // A missing option is not an error here, since nothing is done.
        Err(error) if error.kind() != ErrorKind::MissingRequiredArgument => Err(error.into()),
        _ => print::text(&[merged], file.as_ref()).map(Request::PrintConfig),
    }
}

/// Prefers the error of the user's own arguments, if they have the same error as the merged ones.
fn as_own(error: Unread, arguments: &[OsString]) -> Unread {
    match (error, Args::read(arguments)) {
        (Unread::Usage(merged), Err(own)) if merged.kind() == own.kind() => Unread::Usage(own),
        (error, _) => error,
    }
}

/// Reads the merged arguments.
fn run(
    arguments: Vec<OsString>,
    file: Option<&ConfigFile>,
    settings: Vec<Setting>,
) -> Result<Request, Unread> {
    let mut args = Args::read(&arguments)?;
    if let Some(config) = args.config_mut() {
        config.arguments = arguments;
    }
    if let Some(Invoked::Rewrite(args)) = &mut args.command {
        args.destination.diff_is_configured = settings.iter().any(|setting| setting.id == "diff");
        let rules = settings.into_iter().find(|setting| setting.id == "map");
        args.rules.places = rules.map(|rules| rules.places).unwrap_or_default();
    }
    if let Some(file) = file.filter(|_| is_verbose(&args)) {
        complain(format_args!(
            "{}: options are read from this file",
            file.name
        ));
    }
    Ok(Request::Run(Box::new(args)))
}

fn is_verbose(args: &Args) -> bool {
    match &args.command {
        Some(Invoked::Find(args)) => args.report.verbose,
        Some(Invoked::Rewrite(args)) => args.report.verbose,
        _ => false,
    }
}

/// The most bytes of a file of options, which may come with a downloaded archive and is read by `find`, too.
const MOST: u64 = 8 << 20;

/// Opens the file that the options name, or the nearest one.
fn open(options: &ConfigArgs, user: Option<&str>) -> Result<Option<ConfigFile>, Unread> {
    let path = match &options.config {
        _ if options.no_config => None,
        Some(path) => Some(path.clone()),
        None => nearest()?,
    };
    let Some(path) = path else {
        return Ok(None);
    };
    let text = inputs::read_text_of(&path, MOST)?;
    let file = ConfigFile::parse(&text, path, user);
    file.map(Some).map_err(Unread::Config)
}

/// The file in the current directory, or in the nearest directory above that has it. A name that leads to no file is an
/// error: another file must not take its place.
fn nearest() -> Result<Option<PathBuf>, Unread> {
    let here = env::current_dir().ok();
    let above = here.iter().flat_map(|here| here.ancestors().skip(1));
    let above = above.map(|above| above.join(NAME));
    let mut paths = iter::once(PathBuf::from(NAME)).chain(above);
    let Some(path) = paths.find(|path| path.symlink_metadata().is_ok()) else {
        return Ok(None);
    };
    let found = match fs::metadata(&path) {
        Ok(metadata) if metadata.is_file() => return Ok(Some(path)),
        Ok(metadata) if metadata.is_dir() => "a directory".to_owned(),
        Ok(_) => "a pipe or a device".to_owned(),
        Err(error) => Error::from(error).to_string(),
    };
    let name = shown(&path);
    Err(Unread::Config(format!(
        "{name}: expected a file, found {found}; --no-config reads none"
    )))
}

/// Arguments of a command, including those that the file adds.
struct Merged {
    /// The command's name.
    name: &'static str,
    arguments: Vec<OsString>,
    /// The options on the command line.
    given: HashSet<String>,
    /// The settings of the file that are in effect.
    settings: Vec<Setting>,
}

impl Merged {
    fn new(
        name: &str,
        arguments: &[OsString],
        matches: &ArgMatches,
        file: Option<&ConfigFile>,
    ) -> Self {
        let is_given = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let ids = matches.ids().map(|id| id.as_str());
        let given: HashSet<String> = ids.filter(is_given).map(str::to_owned).collect();
        let command = command(name);
        let settings = file.map_or(&[][..], |file| file.settings(name));
        let holds = |setting: &&Setting| !is_replaced(setting, &given, &command);
        let settings: Vec<Setting> = settings.iter().filter(holds).cloned().collect();
        // `arguments` now has the options of the file: a later run with the same arguments need not read it, but leaves
        // it out like this one.
        let no_config = file.map(|_| OsString::from("--no-config"));
        let unnamed = file.filter(|_| !given.contains("config"));
        let named = unnamed.map(|file| setting::assignment("config", file.path.as_os_str()));
        let added = settings.iter().flat_map(Setting::arguments);
        let (program, own) = arguments.split_at(arguments.len().min(2));
        let program = program.iter().cloned().chain(no_config);
        let all = program.chain(named).chain(added);
        Merged {
            name: COMMANDS
                .into_iter()
                .find(|known| *known == name)
                .unwrap_or_default(),
            arguments: all.chain(own.iter().cloned()).collect(),
            given,
            settings,
        }
    }
}

/// True if the command line has the option of a setting, or an option that excludes it.
fn is_replaced(setting: &Setting, given: &HashSet<String>, command: &Command) -> bool {
    let is_rules = RULES.contains(&setting.id.as_str()) || setting.id == "map_format";
    given.contains(&setting.id)
        || (is_rules && RULES.iter().any(|id| given.contains(*id)))
        || (setting.is_on() && given.iter().any(|id| conflict(command, &setting.id, id)))
}

/// True if two options exclude each other.
fn conflict(command: &Command, a: &str, b: &str) -> bool {
    let names = |from: &str, to: &str| {
        let argument = command.get_arguments().find(|known| known.get_id() == from);
        let others = argument.map(|argument| command.get_arg_conflicts_with(argument));
        others.is_some_and(|others| others.iter().any(|other| other.get_id() == to))
    };
    names(a, b) || names(b, a)
}

/// The definition of a command.
fn command(name: &str) -> Command {
    let mut commands = Args::command();
    commands.build();
    commands.find_subcommand(name).cloned().unwrap_or_default()
}
