//! The options of a call, in JSON: those of the command line, in camel case.

use crate::binary::{Overrides, is_binary};
use crate::failure::Failure;
use crate::filter::{Filter, HostPattern, Reference, Side};
use crate::values;
use linkglot::rewrite::{
    DomainMove, Form, HostForm, MapFormat, Reach, References, Rewriter, Rules, refuse_archive,
};
use linkglot::{Breaks, Charset, CommentSlots, Format, PlaceKind, Settings, TextSlots};
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;

/// The options that say what to change. `rewrite` expects one of them.
const CHANGES: &[&str] = &[
    "to",
    "move",
    "map",
    "mapFile",
    "toCharset",
    "unwrap",
    "relativeTo",
    "absolute",
];

/// The function that the options are for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Everything that a document has, whatever its links are.
    Read,
    Find,
    Rewrite,
}

/// The options for reading and rewriting a document.
pub(crate) struct Options {
    /// The name of the document in rows.
    pub path: String,
    pub settings: Arc<Settings>,
    /// The links that are found.
    pub filter: Filter,
    /// Set if each link is found once.
    pub unique: bool,
    /// The rewriter, which includes the settings.
    pub rewriter: Rewriter,
    /// True if an option says what to change.
    has_change: bool,
}

impl Options {
    pub(crate) fn read(json: &[u8], purpose: Purpose) -> Result<Self, Failure> {
        let given: Map<String, Value> = serde_json::from_slice(json)
            .map_err(|_| Failure::option("options", "expected an object"))?;
        let mut reader = Reader {
            settings: Settings::default(),
            filter: Filter::default(),
            unique: false,
            rewriter: Rewriter::new(),
            rules: Rules::default(),
            site: None,
            is_absolute: false,
            form: Form::Same,
            host: None,
            moves: Vec::new(),
            map_file: None,
            reach: DomainMove::default(),
            has_change: false,
        };
        reader.settings.locate = true;
        reader.settings.labels = true;
        for (name, value) in &given {
            if !value.is_null() {
                reader.has_change |= CHANGES.contains(&name.as_str()) && *value != false;
                reader.option(&Given { name, value }, purpose)?;
            }
        }
        reader.finish()
    }

    /// Refuses archives and other binary files, as the command line does: they would break.
    pub(crate) fn check_document(&self, bytes: &[u8]) -> Result<(), Failure> {
        refuse_archive(bytes)
            .map_err(|error| Failure::document(&self.path, "container", &error.to_string()))?;
        let name = self.settings.name.as_deref();
        // Of bytes without a name, a signature alone makes a binary file.
        let unnamed = name.is_none().then_some(Format::Text);
        let overrides = Overrides {
            charset: self.settings.charset,
            format: self.settings.format.or(unnamed),
        };
        let name = Path::new(name.unwrap_or_default());
        if is_binary(bytes, name, overrides) {
            let message = "expected a document, found a binary file";
            return Err(Failure::document(&self.path, "binary", message));
        }
        Ok(())
    }

    /// Refuses a rewrite that has nothing to do.
    pub(crate) fn check_change(&self) -> Result<(), Failure> {
        if self.has_change {
            Ok(())
        } else {
            Err(Failure::no_change(CHANGES))
        }
    }
}

struct Reader {
    settings: Settings,
    filter: Filter,
    unique: bool,
    rewriter: Rewriter,
    rules: Rules,
    /// The site to which links become relative.
    site: Option<String>,
    is_absolute: bool,
    form: Form,
    host: Option<HostForm>,
    moves: Vec<(String, String)>,
    /// The text of a file of rules, whose paths are those of the base.
    map_file: Option<String>,
    reach: DomainMove,
    has_change: bool,
}

impl Reader {
    fn option(&mut self, given: &Given<'_>, purpose: Purpose) -> Result<(), Failure> {
        let settings = &mut self.settings;
        match given.name {
            "path" => settings.name = Some(given.text()?.to_owned()),
            "format" => settings.format = given.choice(values::FORMATS)?,
            "charset" => settings.charset = Some(given.charset()?),
            "defaultCharset" => settings.default_charset = Some(given.charset()?),
            "assumeCharset" => {
                let pairs = given.value.as_object();
                let pairs =
                    pairs.ok_or_else(|| given.wrong_type("an object of labels and charsets"))?;
                for (label, value) in pairs {
                    let known = Given { value, ..*given }.charset()?;
                    settings.assumed_charsets.push((label.clone(), known));
                }
            }
            "base" => {
                let base = values::document_base(given.text()?);
                settings.base = Some(base.map_err(|error| given.fault(error))?.into());
            }
            "maxSlot" => {
                if !given.value.is_number() {
                    return Err(given.wrong_type("a number of bytes"));
                }
                let number = given.value.as_u64();
                let number = number.and_then(|number| number.try_into().ok());
                settings.max_slot = number.ok_or_else(|| given.expected("a number of bytes"))?;
            }
            "detect" => settings.detect = given.choice(values::PROFILES)?,
            "flowed" if given.flag()? => settings.breaks = settings.breaks.with(Breaks::FLOWED),
            "joinWrapped" if given.flag()? => {
                settings.breaks = settings.breaks.with(Breaks::WRAPPED)
            }
            "flowed" | "joinWrapped" => {}
            "also" => self.also(given)?,
            "vocabulary" => {
                let extended = settings.vocabulary.extended(given.text()?);
                settings.vocabulary = extended.map_err(|error| given.fault(error))?;
            }
            "identifiers" => settings.identifiers = given.flag()?,
            "nfc" => settings.nfc = given.choice(values::NFCS)?,
            "queryCharset" => settings.query_charset = Some(given.choice(values::QUERIES)?),
            _ => {
                return match purpose {
                    Purpose::Read => Err(given.fault("unknown option")),
                    Purpose::Find => self.filtering(given),
                    Purpose::Rewrite => self.rewriting(given),
                };
            }
        }
        Ok(())
    }

    fn filtering(&mut self, given: &Given<'_>) -> Result<(), Failure> {
        let filter = &mut self.filter;
        match given.name {
            "scheme" => filter.schemes = given.each(values::scheme)?,
            "kind" => {
                filter.kinds = given.named(values::named_kind, values::kinds())?;
            }
            "minEvidence" => filter.min_evidence = Some(given.choice(values::EVIDENCE)?),
            "host" => filter.hosts = given.each(HostPattern::parse)?,
            "external" => filter.side = given.either(filter.side, Side::External, "internal")?,
            "internal" => filter.side = given.either(filter.side, Side::Internal, "external")?,
            "nonAscii" => filter.non_ascii = given.flag()?,
            "warn" => {
                filter.warnings = given.named(values::named_warning, values::warnings())?;
            }
            "absolute" => {
                let reference = filter.reference;
                filter.reference = given.either(reference, Reference::Absolute, "relative")?;
            }
            "relative" => {
                let reference = filter.reference;
                filter.reference = given.either(reference, Reference::Relative, "absolute")?;
            }
            "unique" => self.unique = given.flag()?,
            _ => return Err(given.fault("unknown option")),
        }
        Ok(())
    }

    fn rewriting(&mut self, given: &Given<'_>) -> Result<(), Failure> {
        let rewriter = self.rewriter.clone();
        self.rewriter = match given.name {
            "to" => {
                self.form = given.choice(values::FORMS)?;
                rewriter.to(self.form)
            }
            "host" => {
                let host = given.choice(values::HOSTS)?;
                self.host = Some(host);
                rewriter.host(host)
            }
            "display" => rewriter.display(given.choice(values::DISPLAYS)?),
            "slots" => {
                let places = values::PLACES.iter().map(|place| place.name());
                let kinds = given.named(values::named_place, places)?;
                if kinds.contains(&PlaceKind::Comment) {
                    self.settings.comments = CommentSlots::All;
                }
                rewriter.slots(kinds)
            }
            "minEvidence" => rewriter.min_evidence(given.choice(values::EVIDENCE)?),
            "toCharset" => rewriter.to_charset(given.charset()?),
            "relativeTo" => {
                let site = values::site(given.text()?).map_err(|error| given.fault(error))?;
                self.site = Some(site);
                rewriter
            }
            "absolute" => {
                self.is_absolute = given.flag()?;
                rewriter
            }
            "breakSignatures" => rewriter.break_signatures(given.flag()?),
            "leftBehind" => rewriter.left_behind(given.flag()?),
            "mapResolved" => rewriter.reach(if given.flag()? {
                Reach::Resolved
            } else {
                Reach::AnySpelling
            }),
            _ => {
                self.rule(given)?;
                rewriter
            }
        };
        Ok(())
    }

    fn rule(&mut self, given: &Given<'_>) -> Result<(), Failure> {
        match given.name {
            "map" => {
                for source in given.sources()? {
                    let added = match source {
                        Source::Line(line) => self.rules.add_line(line),
                        Source::Pair(from, to) => self.rules.add_pair(from, to),
                    };
                    added.map_err(|error| given.fault(error))?;
                }
            }
            "mapFile" => self.map_file = Some(given.text()?.to_owned()),
            "move" => self.moves = given.domains()?,
            "moveMail" => self.reach.mail = given.flag()?,
            "moveSubdomains" => self.reach.subdomains = given.flag()?,
            "anyQueryOrder" if given.flag()? => self.rules.any_query_order(),
            "unwrap" if given.flag()? => self.rules.unwrap_links(),
            "anyQueryOrder" | "unwrap" => {}
            _ => return Err(Failure::option(given.name, "unknown option")),
        }
        Ok(())
    }

    /// The additional parts of documents to read.
    fn also(&mut self, given: &Given<'_>) -> Result<(), Failure> {
        let settings = &mut self.settings;
        for part in given.texts()? {
            match part.as_str() {
                "text" | "code" => {
                    if part == "text" {
                        settings.text = TextSlots::All;
                    } else if settings.text != TextSlots::All {
                        settings.text = TextSlots::Code;
                    }
                    settings.vocabulary = settings.vocabulary.with_code();
                }
                "comments" => settings.comments = CommentSlots::All,
                "conditional" if settings.comments == CommentSlots::All => {}
                "conditional" => settings.comments = CommentSlots::Conditional,
                "opt-in" => settings.vocabulary = settings.vocabulary.with_opt_ins(),
                "headers" => settings.header_text = true,
                _ => {
                    let parts = "some of code, text, comments, conditional, opt-in, headers";
                    return Err(given.expected(parts));
                }
            }
        }
        Ok(())
    }

    fn references(&mut self) -> Result<References, Failure> {
        match (self.site.take(), self.is_absolute) {
            (Some(_), true) => {
                let message = "expected no `absolute` beside it: links become relative or absolute";
                Err(Failure::option("relativeTo", message))
            }
            (Some(site), false) => Ok(References::RelativeTo(site)),
            (None, true) => Ok(References::Absolute),
            (None, false) => Ok(References::Keep),
        }
    }

    fn finish(mut self) -> Result<Options, Failure> {
        if self.filter.reference == Reference::Relative && !self.filter.schemes.is_empty() {
            let message = "expected no `scheme` beside it: relative references have none";
            return Err(Failure::option("relative", message));
        }
        self.filter.identifiers = self.settings.identifiers;
        self.filter.prepare(&mut self.settings);
        let references = self.references()?;
        if let (Form::Same, Some(host)) = (self.form, self.host)
            && host != HostForm::Keep
        {
            let message = "expected `to` uri or iri, found same, which leaves hosts unchanged";
            return Err(Failure::option("host", message));
        }
        let reaches = [
            ("moveMail", self.reach.mail),
            ("moveSubdomains", self.reach.subdomains),
        ];
        if let Some((name, _)) = reaches.iter().find(|(_, is_given)| *is_given)
            && self.moves.is_empty()
        {
            return Err(Failure::option(name, "expected `move` beside it"));
        }
        for (old, new) in &self.moves {
            let moved = self.rules.move_domain(old, new, self.reach);
            moved.map_err(|error| Failure::option("move", error))?;
        }
        let of_file = self.rules.given().len();
        if let Some(text) = &self.map_file {
            let base = self.settings.base.as_deref();
            let added = self.rules.add_map_file(text, MapFormat::of(text), base);
            added.map_err(|error| Failure::option("mapFile", error))?;
        }
        self.rules.validate().map_err(|fault| {
            let rule = &self.rules.given()[fault.rule];
            let option = match fault.rule {
                number if number >= of_file => "mapFile",
                _ if rule.domain.is_some() => "move",
                _ => "map",
            };
            let line = rule.line.map(|line| format!("line {line}: "));
            Failure::option(option, format!("{}{fault}", line.unwrap_or_default()))
        })?;
        let settings = Arc::new(self.settings);
        let rewriter = self.rewriter.references(references).rules(self.rules);
        Ok(Options {
            path: settings.name.clone().unwrap_or_else(|| "-".to_owned()),
            rewriter: rewriter.settings(settings.clone()),
            settings,
            filter: self.filter,
            unique: self.unique,
            has_change: self.has_change,
        })
    }
}

/// A rule as it was given.
enum Source<'g> {
    /// A line of rules: a rule, a comment, or nothing.
    Line(&'g str),
    Pair(&'g str, &'g str),
}

impl Source<'_> {
    /// The rule of `"FROM TO"` or `[FROM, TO]`.
    fn of(item: &Value) -> Option<Source<'_>> {
        match item {
            Value::String(line) => Some(Source::Line(line)),
            Value::Array(both) => match &both[..] {
                [from, to] => Some(Source::Pair(from.as_str()?, to.as_str()?)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// An option as it was given.
#[derive(Clone, Copy)]
struct Given<'g> {
    name: &'g str,
    value: &'g Value,
}

impl Given<'_> {
    fn fault(&self, message: impl std::fmt::Display) -> Failure {
        Failure::option(self.name, message)
    }

    fn expected(&self, what: &str) -> Failure {
        self.fault(format!("expected {what}, found {}", self.value))
    }

    fn wrong_type(&self, expected: &str) -> Failure {
        Failure::wrong_type(
            self.name,
            format!("expected {expected}, found {}", self.value),
        )
    }

    fn text(&self) -> Result<&str, Failure> {
        let text = self.value.as_str();
        text.ok_or_else(|| self.wrong_type("a string"))
    }

    fn flag(&self) -> Result<bool, Failure> {
        let flag = self.value.as_bool();
        flag.ok_or_else(|| self.wrong_type("a boolean"))
    }

    fn charset(&self) -> Result<Charset, Failure> {
        Charset::for_label(self.text()?).map_err(|error| self.fault(error))
    }

    fn choice<T: Copy>(&self, table: values::Names<T>) -> Result<T, Failure> {
        let text = self.text()?;
        let found = table.iter().find(|(known, _)| *known == text);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
            self.expected(&format!("one of {}", names.join(", ")))
        })
    }

    /// Values of a table by their names.
    fn named<T>(
        &self,
        find: fn(&str) -> Option<T>,
        names: impl Iterator<Item = &'static str>,
    ) -> Result<Vec<T>, Failure> {
        let found: Option<Vec<T>> = self.texts()?.iter().map(|name| find(name)).collect();
        found.ok_or_else(|| {
            let names: Vec<&str> = names.collect();
            self.expected(&format!("some of {}", names.join(", ")))
        })
    }

    /// Values that `read` reads.
    fn each<T>(&self, read: fn(&str) -> Result<T, String>) -> Result<Vec<T>, Failure> {
        let texts = self.texts()?;
        let values = texts.iter().map(|text| read(text));
        values
            .collect::<Result<_, _>>()
            .map_err(|error| self.fault(error))
    }

    /// The value of a flag that excludes another one.
    fn either<T: Default + PartialEq>(&self, now: T, value: T, other: &str) -> Result<T, Failure> {
        match self.flag()? {
            false => Ok(now),
            true if now == T::default() => Ok(value),
            true => Err(self.fault(format!("expected no `{other}` beside it"))),
        }
    }

    /// Several texts, or a single one with commas: `"a,b"` for `["a", "b"]`.
    fn texts(&self) -> Result<Vec<String>, Failure> {
        let expected = || self.wrong_type("a string or an array of strings");
        match self.value {
            Value::String(text) => Ok(text.split(',').map(|word| word.trim().to_owned()).collect()),
            Value::Array(items) => {
                let texts = items.iter().map(|item| item.as_str().map(str::to_owned));
                texts.collect::<Option<_>>().ok_or_else(expected)
            }
            _ => Err(expected()),
        }
    }

    /// Rules: an object `{FROM: TO}`, or an array of `"FROM TO"` and `[FROM, TO]`.
    fn sources(&self) -> Result<Vec<Source<'_>>, Failure> {
        let sources: Option<Vec<_>> = match self.value {
            Value::Object(items) => {
                let pairs = items.iter();
                pairs
                    .map(|(from, to)| Some(Source::Pair(from, to.as_str()?)))
                    .collect()
            }
            Value::Array(items) => items.iter().map(Source::of).collect(),
            _ => None,
        };
        sources.ok_or_else(|| self.wrong_type("an object {FROM: TO} or an array of \"FROM TO\""))
    }

    /// Domains that move: as rules, OLD and NEW.
    fn domains(&self) -> Result<Vec<(String, String)>, Failure> {
        let mut domains = Vec::new();
        for source in self.sources()? {
            let (old, new) = match source {
                Source::Pair(old, new) => (old, new),
                Source::Line(line) => match line.split_whitespace().collect::<Vec<_>>()[..] {
                    [] => continue,
                    [first, ..] if first.starts_with('#') => continue,
                    [old, new] => (old, new),
                    _ => return Err(self.fault(format!("expected `OLD NEW`, found `{line}`"))),
                },
            };
            domains.push((old.to_owned(), new.to_owned()));
        }
        Ok(domains)
    }
}
