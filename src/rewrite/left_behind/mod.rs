//! Finds mentions of moved hosts in a rewritten document, in links or not: in comments, scripts, text, other schemes.
//!
//! The search looks at characters, not at links, so that it finds more than the rewrite. It guesses the place of a
//! mention from a few signs in front of the mention, and changes nothing.

mod cut;
mod mentions;
mod region;
#[cfg(test)]
mod tests;
mod written;

pub(super) use mentions::{LeftLinks, Mentions, Search, Searched};
