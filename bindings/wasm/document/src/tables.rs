//! The tables that this module leaves with JavaScript: few documents need them.

#[link(wasm_import_module = "tables")]
unsafe extern "C" {
    /// The length of the file with a name. JavaScript throws if it has no tables, and this module is made anew.
    fn length(name: *const u8, len: usize) -> usize;
    /// Writes the file that `length` was last asked for.
    fn copy(to: *mut u8);
}

/// The text of a file of tables.
pub(crate) fn read(name: &str) -> String {
    // SAFETY: JavaScript reads the name, whose length is given.
    let mut bytes = vec![0; unsafe { length(name.as_ptr(), name.len()) }];
    // SAFETY: JavaScript writes as many bytes as it said.
    unsafe { copy(bytes.as_mut_ptr()) };
    String::from_utf8(bytes).unwrap_or_default()
}
