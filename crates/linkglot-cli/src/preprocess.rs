//! `--preprocess`: splits and cleans strings before they are mapped or explained.

use super::args::{IriArgs, References};
use super::input::Input;
use linkglot_iri::{CharacterReferences, Preprocess, Spaces};
use linkglot_markup::{Escaping, Quote};

/// The preprocessing that the arguments request.
pub struct Preprocessor {
    spaces: Spaces,
    references: References,
}

impl Preprocessor {
    /// `None` without `--preprocess`.
    pub fn new(args: &IriArgs) -> Option<Self> {
        Some(Preprocessor {
            spaces: args.preprocess?,
            references: args.character_references,
        })
    }

    /// The references in a string. Malformed input is returned as it is.
    pub fn run(&self, input: Input) -> Vec<Input> {
        if input.malformed.is_some() {
            return vec![input];
        }
        // As in an attribute: `&copy=1` is not a reference (HTML 13.2.5.73).
        let value = Escaping::HtmlAttribute(Quote::Double);
        let html = |text: &str| value.unescape(text).text().to_owned();
        let references = match self.references {
            References::Keep => CharacterReferences::Keep,
            References::Xml => CharacterReferences::Xml,
            References::Html => CharacterReferences::With(&html),
        };
        let preprocess = Preprocess {
            spaces: self.spaces,
            references,
        };
        let texts = preprocess.run_with_notes(&input.text).into_iter();
        texts
            .map(|(text, notes)| Input {
                text: text.into_owned(),
                malformed: None,
                line: input.line,
                notes,
            })
            .collect()
    }
}
