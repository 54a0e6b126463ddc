//! The tokenizer of a header field that holds references.

use super::fields::{FieldSyntax, references};
use linkglot_markup::Escaping;
use linkglot_markup::Name;
use linkglot_markup::{
    Access, Place, PlaceKind, Run, SharedPlace, Slot, Step, Syntax, Tokenizer, Window,
};
use std::collections::VecDeque;
use std::ops::Range;

/// The tokenizer of the value of a header field (RFC 5322, 2.2) that holds references, such as `List-Archive` and
/// `Content-Location`. Waits for the whole value.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::Slots;
/// use linkglot_mail::field::FieldTokenizer;
/// use linkglot_mail::fields::{FieldKind, field_kind};
///
/// let FieldKind::Links(syntax) = field_kind(b"List-Help") else { panic!("a field with links") };
/// let value = b"<mailto:a@b.example>, <http://b.example/>";
/// let slots = Slots::new(FieldTokenizer::new("list-help", syntax), value, Charset::UTF_8);
/// let slots: Vec<&[u8]> = slots.map(|slot| &value[slot.range]).collect();
/// assert_eq!(slots, [&b"mailto:a@b.example"[..], b"http://b.example/"]);
/// ```
#[derive(Debug)]
pub struct FieldTokenizer {
    syntax: FieldSyntax,
    place: SharedPlace,
    /// The references still to be answered, as ranges of the value.
    found: Option<VecDeque<Range<usize>>>,
    /// The end of the part of the value read so far.
    read: usize,
}

impl FieldTokenizer {
    /// A tokenizer for the value of the field with this name.
    pub fn new(name: &str, syntax: FieldSyntax) -> Self {
        FieldTokenizer {
            syntax,
            place: Place::new(PlaceKind::Header, None, Some(Name::from(name))).into(),
            found: None,
            read: 0,
        }
    }
}

impl Tokenizer for FieldTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        if !window.last {
            return Step::NeedMore;
        }
        let begin = (*cursor).min(window.bytes.len());
        let (syntax, read) = (self.syntax, self.read);
        let found = self
            .found
            .get_or_insert_with(|| references(syntax, &window.bytes[begin..]).into());
        let Some(range) = found.pop_front() else {
            *cursor = window.bytes.len();
            return Step::End;
        };
        let range = range.start - read + begin..range.end - read + begin;
        self.read += range.end - begin;
        *cursor = range.end;
        Step::Slot(Slot {
            range,
            escaping: Escaping::None,
            syntax: Syntax::Single,
            place: self.place.clone(),
            access: Access::Rewrite,
            run: Run::WHOLE,
        })
    }
}
