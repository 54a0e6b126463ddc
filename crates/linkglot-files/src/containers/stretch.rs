//! Stretches of files of records.

use linkglot_archive::Codec;
use std::sync::Arc;

/// A stretch of a file of records, from one border to another.
pub(super) struct Stretch<'s> {
    /// gzip, or none.
    pub codec: Option<Codec>,
    pub start: u64,
    /// The next border; `None` for the end of the file.
    pub end: Option<u64>,
    /// The length of the decompressed data in front of the stretch. Waits until it is known.
    pub in_front: Arc<dyn Fn() -> u64>,
    /// Hears that the end was no border: the stretch goes on to the end of the file.
    pub passed: &'s dyn Fn(),
}

impl Stretch<'_> {
    /// A whole file.
    pub fn whole(codec: Option<Codec>) -> Self {
        Stretch {
            codec,
            start: 0,
            end: None,
            in_front: Arc::new(|| 0),
            passed: &|| {},
        }
    }

    /// The position in the decompressed file, so far into the stretch.
    pub fn origin(&self, len: u64) -> impl Fn() -> u64 + Clone + 'static {
        let in_front = Arc::clone(&self.in_front);
        move || in_front() + len
    }
}
