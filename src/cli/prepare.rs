//! `--preprocess`: strings made ready for reading before they are mapped or explained.

use super::args::{IriArgs, References, SpacesArg};
use super::text::Input;
use linkglot::iri::{CharacterReferences, Preprocess, Spaces};
use linkglot::markup::Escaping;

/// How strings are made ready.
pub struct Preparation {
    spaces: Spaces,
    references: References,
}

impl Preparation {
    /// As the arguments say, if they ask for it.
    pub fn new(args: &IriArgs) -> Option<Self> {
        let spaces = match args.preprocess? {
            SpacesArg::Encode => Spaces::Encode,
            SpacesArg::Remove => Spaces::Remove,
            SpacesArg::Split => Spaces::Split,
        };
        Some(Preparation {
            spaces,
            references: args.character_references,
        })
    }

    /// The references that a string holds. One that could not even be decoded stays as it is.
    pub fn run(&self, input: Input) -> Vec<Input> {
        if input.malformed.is_some() {
            return vec![input];
        }
        let html = |text: &str| Escaping::HtmlText.unescape(text).text().to_owned();
        let references = match self.references {
            References::Keep => CharacterReferences::Keep,
            References::Xml => CharacterReferences::Xml,
            References::Html => CharacterReferences::With(&html),
        };
        let preprocess = Preprocess {
            spaces: self.spaces,
            references,
        };
        let ready = preprocess.run(&input.text).into_iter();
        ready
            .map(|text| Input {
                text: text.into_owned(),
                malformed: None,
                line: input.line,
            })
            .collect()
    }
}
