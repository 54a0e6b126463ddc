//! Places where character references are read in HTML: in text, escapable raw text and attribute values (HTML standard
//! 13.2.5.72).

use super::HtmlTokenizer;
use super::content::Content;
use super::lexer::Lexeme;
use crate::settings::{MarkupSettings, TextSlots};
use crate::slot::{ReferencePlace, Window};

/// Reads a document like the tokenizer, for the places of references.
#[derive(Debug)]
pub struct HtmlReferences(HtmlTokenizer);

impl Default for HtmlReferences {
    fn default() -> Self {
        HtmlReferences(HtmlTokenizer::new(&MarkupSettings {
            text: TextSlots::All,
            ..MarkupSettings::default()
        }))
    }
}

impl HtmlReferences {
    /// See [`crate::ReferencePlaces::read`].
    pub fn read(
        &mut self,
        window: Window<'_>,
        cursor: &mut usize,
        places: &mut Vec<ReferencePlace>,
    ) {
        let tokenizer = &mut self.0;
        loop {
            match tokenizer.lexer.next(window, cursor) {
                Lexeme::Text(range, _) => {
                    if matches!(tokenizer.lexer.content, Content::Data | Content::Rcdata) {
                        let is_value = false;
                        places.push(ReferencePlace { range, is_value });
                    }
                }
                Lexeme::Tag | Lexeme::LongTag => {
                    push_values(tokenizer, *cursor, places);
                    tokenizer.tag(window, *cursor);
                    leave_tag(tokenizer, cursor);
                }
                Lexeme::Attribute => {
                    push_values(tokenizer, *cursor, places);
                    leave_tag(tokenizer, cursor);
                }
                Lexeme::LongAttribute(_) => leave_tag(tokenizer, cursor),
                Lexeme::TagEnd => tokenizer.enter_content(),
                Lexeme::Comment(..) | Lexeme::Raw(_) | Lexeme::TooLong(..) => {}
                Lexeme::NeedMore | Lexeme::End => return,
            }
        }
    }
}

fn push_values(tokenizer: &HtmlTokenizer, cursor: usize, places: &mut Vec<ReferencePlace>) {
    let attributes = tokenizer.lexer.tag.attributes.iter();
    let values = attributes.map(|attribute| &attribute.value);
    places.extend(values.map(|value| ReferencePlace {
        range: cursor + value.start..cursor + value.end,
        is_value: true,
    }));
}

fn leave_tag(tokenizer: &mut HtmlTokenizer, cursor: &mut usize) {
    tokenizer.pending.clear();
    tokenizer.lexer.leave_tag(cursor, 0);
}
