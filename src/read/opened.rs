//! A document that is ready to read.

use super::Input;
use crate::link::{Budget, Info, Settings};

/// A document that is ready to read: its bytes, its properties, and the settings for reading it.
pub(crate) struct Opened<'o, 'i> {
    pub input: Input<'i>,
    pub info: &'o Info,
    /// The length of the BOM.
    pub bom: usize,
    pub settings: &'o Settings,
}

impl Opened<'_, '_> {
    /// This document with the budget of the documents around it.
    pub fn within(mut self, budget: &Budget) -> Self {
        self.input.budget = budget.clone();
        self
    }
}
