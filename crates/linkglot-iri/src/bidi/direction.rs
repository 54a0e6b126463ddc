//! Directions of characters, and the rules of RFC 3987 4.2 for the characters of a component.

use icu_properties::CodePointMapData;
use icu_properties::props::BidiClass;

/// The direction in which a character is written, as far as the rules of 4.2 distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// From left to right.
    Left,
    /// From right to left.
    Right,
    /// A digit of any kind.
    Digit,
    /// A nonspacing mark, which has the direction of the character before it.
    Mark,
    /// Everything else.
    Neutral,
}

pub(crate) fn direction(ch: char) -> Direction {
    match bidi_class(ch) {
        BidiClass::LeftToRight => Direction::Left,
        BidiClass::RightToLeft | BidiClass::ArabicLetter => Direction::Right,
        BidiClass::EuropeanNumber | BidiClass::ArabicNumber => Direction::Digit,
        BidiClass::NonspacingMark => Direction::Mark,
        _ => Direction::Neutral,
    }
}

pub(crate) fn bidi_class(ch: char) -> BidiClass {
    CodePointMapData::<BidiClass>::new().get(ch)
}

/// The rules of 4.2 that a component breaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BrokenRules {
    /// Rule 1: the component has both directions.
    pub(crate) mixed: bool,
    /// Rule 2: a component with right-to-left characters has none of them at one of its ends.
    /// Nonspacing marks at the end are tolerated.
    pub(crate) ends: bool,
}

impl BrokenRules {
    pub(crate) fn any(self) -> bool {
        self.mixed || self.ends
    }
}

/// Applies the rules of 4.2 to the characters of a component. Linear.
pub(crate) fn broken_rules(directions: impl Iterator<Item = Direction>) -> BrokenRules {
    let (mut left, mut right) = (false, false);
    let (mut first, mut last) = (None, None);
    for direction in directions {
        left |= direction == Direction::Left;
        right |= direction == Direction::Right;
        first = first.or(Some(direction));
        if direction != Direction::Mark {
            last = Some(direction);
        }
    }
    BrokenRules {
        mixed: left && right,
        ends: right && (first != Some(Direction::Right) || last != Some(Direction::Right)),
    }
}
