//! Rules for moving a site.

use crate::border::{boxed, free, guarded, text};
use crate::error::{Failure, lg_error, view};
use linkglot::rewrite::Rules;
use std::ffi::c_char;
use std::sync::Arc;

/// Rules for moving a site. Many threads and rewrites may share them.
pub struct lg_rules {
    pub(crate) rules: Arc<Rules>,
    pub(crate) failure: Option<Failure>,
}

impl lg_rules {
    fn failed(failure: Failure) -> Self {
        lg_rules {
            rules: Arc::default(),
            failure: Some(failure),
        }
    }
}

fn parsed(lines: &str) -> Result<lg_rules, Failure> {
    let mut rules = Rules::default();
    rules.add_file(lines)?;
    rules.validate().map_err(|fault| {
        let line = rules.given()[fault.rule].line.unwrap_or_default();
        Failure::new(c"invalid-rule", format!("line {line}: {fault}"))
    })?;
    Ok(lg_rules {
        rules: Arc::new(rules),
        failure: None,
    })
}

/// Reads rules, one `FROM TO` a line, as in files for `--map-file`. A path alone (`/a`) is a path of any site: there is
/// no base here.
///
/// `lines` is UTF-8 and is read during the call only; NULL is fine if `len` is 0. Returns rules, never NULL, that the
/// caller frees with `lg_rules_free`; `lg_rules_error` names a line with a fault. Rules that would make wrong links are
/// a fault, as on the command line. Its warnings of useless rules have no place here: `linkglot rewrite` shows them.
///
/// # Safety
///
/// `lines` points to `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_rules_parse(lines: *const c_char, len: usize) -> *mut lg_rules {
    let fallback = || boxed(lg_rules::failed(Failure::internal()));
    guarded(fallback, || {
        // SAFETY: the caller's word.
        let rules = unsafe { text(lines, len) }.and_then(parsed);
        boxed(rules.unwrap_or_else(lg_rules::failed))
    })
}

/// Returns the fault of the rules; `kind` is NULL if there is none. The texts belong to the rules.
///
/// # Safety
///
/// `rules` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_rules_error(rules: *const lg_rules) -> lg_error {
    guarded(
        || view(None),
        || {
            // SAFETY: the caller's word.
            view(unsafe { rules.as_ref() }.and_then(|rules| rules.failure.as_ref()))
        },
    )
}

/// Frees rules. NULL is fine.
///
/// # Safety
///
/// `rules` is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_rules_free(rules: *mut lg_rules) {
    // SAFETY: the caller's word.
    unsafe { free(rules) }
}
