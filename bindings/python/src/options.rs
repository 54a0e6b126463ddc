//! Common keyword arguments: options for reading documents and rewriting links.

use crate::error::{invalid, wrong_type};
use crate::rules::rules_of;
use crate::value::{choice, flag, path_text, strings, text};
use linkglot::rewrite::{Form, Reach, References, Rewriter};
use linkglot::{Breaks, Charset, CommentSlots, PlaceKind, Settings, TextSlots};
use linkglot_files::values;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyMapping, PyString};
use std::sync::{Arc, LazyLock};

/// The function that the options are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Find,
    Rewrite,
}

/// The options for reading and rewriting documents.
#[derive(Clone, Debug)]
pub struct Options {
    pub settings: Arc<Settings>,
    /// The rewriter, which includes the settings for reading.
    pub rewriter: Rewriter,
    /// True if documents get another charset.
    pub transcodes: bool,
}

static DEFAULT: LazyLock<Options> = LazyLock::new(|| {
    let settings = Arc::new(labelled());
    Options {
        rewriter: Rewriter::new().settings(settings.clone()),
        settings,
        transcodes: false,
    }
});

/// The settings without options.
fn labelled() -> Settings {
    let mut settings = Settings::default();
    settings.labels = true;
    settings
}

impl Options {
    /// The options of a call.
    pub fn new(given: Option<&Bound<'_, PyDict>>, purpose: Purpose) -> PyResult<Self> {
        match given {
            Some(given) if !given.is_empty() => Options::read(given, purpose),
            _ => Ok(DEFAULT.clone()),
        }
    }

    fn read(given: &Bound<'_, PyDict>, purpose: Purpose) -> PyResult<Self> {
        let mut reader = Reader {
            settings: labelled(),
            rewriter: Rewriter::new(),
            site: None,
            is_absolute: false,
            form: Form::Same,
            host: None,
            transcodes: false,
        };
        for (name, value) in given {
            let name = name.cast_into::<PyString>()?;
            let name = name.to_str()?;
            let or_default = |taken: PyResult<bool>| {
                if value.is_none() {
                    taken.or(Ok(true))
                } else {
                    taken
                }
            };
            let known = or_default(reader.reading(name, &value))?
                || (purpose == Purpose::Rewrite && or_default(reader.rewriting(name, &value))?);
            if !known {
                let message = format!("unexpected keyword argument '{name}'");
                return Err(PyTypeError::new_err(message));
            }
        }
        reader.finish()
    }

    /// The options with changed settings, for a document with its own name, charset or base.
    pub fn with(&self, change: impl FnOnce(&mut Settings)) -> Options {
        let mut settings = (*self.settings).clone();
        change(&mut settings);
        let settings = Arc::new(settings);
        Options {
            rewriter: self.rewriter.clone().settings(settings.clone()),
            settings,
            ..self.clone()
        }
    }
}

struct Reader {
    settings: Settings,
    rewriter: Rewriter,
    /// The site to which links become relative.
    site: Option<String>,
    is_absolute: bool,
    form: Form,
    host: Option<linkglot::rewrite::HostForm>,
    transcodes: bool,
}

impl Reader {
    /// Sets an option for reading; returns false if the name is unknown. `None` is a wrong type for every option.
    fn reading(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let settings = &mut self.settings;
        match name {
            "format" => settings.format = choice(name, value, values::FORMATS)?,
            "charset" => settings.charset = Some(charset(name, value)?),
            "default_charset" => settings.default_charset = Some(charset(name, value)?),
            "assume_charset" => settings.assumed_charsets = assumed(name, value)?,
            "base" => settings.base = Some(base(name, value)?.into()),
            "name" => settings.name = Some(path_text(name, value)?),
            "detect" => settings.detect = choice(name, value, values::PROFILES)?,
            "flowed" if flag(name, value)? => {
                settings.breaks = settings.breaks.with(Breaks::FLOWED);
            }
            "join_wrapped" if flag(name, value)? => {
                settings.breaks = settings.breaks.with(Breaks::WRAPPED);
            }
            "flowed" | "join_wrapped" => {}
            "also" => also(settings, name, value)?,
            "vocabulary" => {
                let extended = settings.vocabulary.extended(&text(name, value)?);
                settings.vocabulary = extended.map_err(|error| invalid(name, error))?;
            }
            "identifiers" => settings.identifiers = flag(name, value)?,
            "locate" => settings.locate = flag(name, value)?,
            "max_slot" => {
                settings.max_slot = value.extract().map_err(|_| {
                    if value.is_instance_of::<PyInt>() {
                        let bytes = "expected a number of bytes from 0 to 2**64 - 1";
                        invalid(name, format!("{bytes}, found {value}"))
                    } else {
                        wrong_type(name, "an int", value)
                    }
                })?;
            }
            "nfc" => settings.nfc = choice(name, value, values::NFCS)?,
            "query_charset" => {
                settings.query_charset = Some(choice(name, value, values::QUERIES)?);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Sets an option for rewriting; returns false if the name is unknown. `None` is a wrong type for every option.
    fn rewriting(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let rewriter = self.rewriter.clone();
        self.rewriter = match name {
            "to" => {
                self.form = choice(name, value, values::FORMS)?;
                rewriter.to(self.form)
            }
            "rules" => rewriter.rules(rules_of(value)?),
            "resolve" => rewriter.reach(if flag(name, value)? {
                Reach::Resolved
            } else {
                Reach::AnySpelling
            }),
            "host" => {
                let host = choice(name, value, values::HOSTS)?;
                self.host = Some(host);
                rewriter.host(host)
            }
            "display" => rewriter.display(choice(name, value, values::DISPLAYS)?),
            "slots" => {
                let kinds = strings(name, value)?;
                let kinds: PyResult<Vec<PlaceKind>> =
                    kinds.iter().map(|kind| place(name, kind)).collect();
                let kinds = kinds?;
                if kinds.contains(&PlaceKind::Comment) {
                    self.settings.comments = CommentSlots::All;
                }
                rewriter.slots(kinds)
            }
            "to_charset" => {
                let rewriter = rewriter.to_charset(charset(name, value)?);
                self.transcodes = true;
                rewriter
            }
            "relative_to" => {
                let site = values::site(&text(name, value)?);
                self.site = Some(site.map_err(|error| invalid(name, error))?);
                rewriter
            }
            "absolute" => {
                self.is_absolute = flag(name, value)?;
                rewriter
            }
            "min_evidence" => rewriter.min_evidence(choice(name, value, values::EVIDENCE)?),
            "break_signatures" => rewriter.break_signatures(flag(name, value)?),
            "left_behind" => rewriter.left_behind(flag(name, value)?),
            _ => return Ok(false),
        };
        Ok(true)
    }

    fn finish(self) -> PyResult<Options> {
        use linkglot::rewrite::HostForm;
        if let (Form::Same, Some(host)) = (self.form, self.host)
            && host != HostForm::Keep
        {
            let message =
                "expected to='uri' or to='iri', found to='same', which leaves hosts unchanged";
            return Err(invalid("host", message));
        }
        let references = match (self.site, self.is_absolute) {
            (Some(_), true) => {
                let message = "expected no `absolute` beside it: links become relative or absolute";
                return Err(invalid("relative_to", message));
            }
            (Some(site), false) => References::RelativeTo(site),
            (None, true) => References::Absolute,
            (None, false) => References::Keep,
        };
        let settings = Arc::new(self.settings);
        let rewriter = self.rewriter.references(references);
        Ok(Options {
            rewriter: rewriter.settings(settings.clone()),
            settings,
            transcodes: self.transcodes,
        })
    }
}

fn place(option: &str, name: &str) -> PyResult<PlaceKind> {
    values::named_place(name).ok_or_else(|| {
        let names: Vec<&str> = values::PLACES.iter().map(|place| place.name()).collect();
        invalid(
            option,
            format!("expected some of {}, found {name:?}", names.join(", ")),
        )
    })
}

pub fn charset(option: &str, value: &Bound<'_, PyAny>) -> PyResult<Charset> {
    Charset::for_label(&text(option, value)?).map_err(|error| invalid(option, error))
}

fn base(option: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    values::document_base(&text(option, value)?).map_err(|error| invalid(option, error))
}

/// Reads a dict such as `{"x-label": "koi8-r"}`.
fn assumed(option: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<(String, Charset)>> {
    let expected = || wrong_type(option, "a dict of labels and charsets", value);
    let pairs = value.cast::<PyMapping>().map_err(|_| expected())?.items()?;
    pairs
        .iter()
        .map(|pair| {
            let (label, known): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
            Ok((text(option, &label)?, charset(option, &known)?))
        })
        .collect()
}

/// The additional parts of documents to read.
fn also(settings: &mut Settings, option: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    for part in strings(option, value)? {
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
                let message = format!(
                    "expected some of code, text, comments, conditional, opt-in, headers, found {part:?}"
                );
                return Err(invalid(option, message));
            }
        }
    }
    Ok(())
}
