//! Panics in every function, and arguments that are wrong.

use super::*;
use crate::*;
use std::cell::Cell;
use std::ptr::{null, null_mut};

thread_local! {
    static TRIPS: Cell<bool> = const { Cell::new(false) };
}

/// Panics if a test asked for it.
pub fn trip() {
    if TRIPS.get() {
        panic!("as the test wants");
    }
}

/// Calls a function while its work panics.
fn tripped<T>(call: impl FnOnce() -> T) -> T {
    TRIPS.set(true);
    let done = catch_unwind(AssertUnwindSafe(call));
    TRIPS.set(false);
    done.expect("no panic crosses the border")
}

fn kind(error: lg_error) -> Option<String> {
    let kind = error.kind;
    (!kind.is_null()).then(|| unsafe { CStr::from_ptr(kind) }.to_str().unwrap().to_owned())
}

/// No panic crosses the border: each function gives its fallback.
#[test]
fn panics_stay_inside() {
    let text = c"see a.org";
    let (data, len) = (text.as_ptr(), text.count_bytes());
    let bytes = data.cast::<u8>();
    let internal = Some("internal".to_owned());
    unsafe {
        for links in [
            tripped(|| lg_find_utf8(data, len, null())),
            tripped(|| lg_find_utf16([0x61_u16].as_ptr(), 1, null())),
            tripped(|| lg_find_bytes(bytes, len, null())),
        ] {
            assert_eq!(kind(lg_links_error(links)), internal);
            assert_eq!(tripped(|| lg_links_len(links)), 0);
            assert!(tripped(|| lg_links_at(links, 0)).text.is_null());
            assert_eq!(kind(tripped(|| lg_links_error(links))), None);
            lg_links_free(links);
        }
        let document = tripped(|| lg_document_open(bytes, len, null()));
        assert_eq!(kind(lg_document_error(document)), internal);
        lg_document_free(document);
        let document = lg_document_open(bytes, len, null());
        assert_eq!(kind(tripped(|| lg_document_error(document))), None);
        assert!(tripped(|| lg_document_info(document)).format.is_null());
        assert!(tripped(|| lg_document_links(document)).is_null());
        assert_eq!(tripped(|| lg_document_parts_len(document)), 0);
        assert!(tripped(|| lg_document_part_at(document, 0)).text.is_null());
        assert_eq!(tripped(|| lg_document_unread_len(document)), 0);
        assert!(
            tripped(|| lg_document_unread_at(document, 0))
                .part
                .is_null()
        );
        // The parts can be read after a panic.
        assert_eq!(lg_document_parts_len(document), 1);
        tripped(|| lg_document_free(null_mut()));
        lg_document_free(document);
        let rules = tripped(|| lg_rules_parse(data, len));
        assert_eq!(kind(lg_rules_error(rules)), internal);
        assert_eq!(kind(tripped(|| lg_rules_error(rules))), None);
        lg_rules_free(rules);
        let rewritten = tripped(|| lg_rewrite(bytes, len, null()));
        assert_eq!(kind(lg_rewritten_error(rewritten)), internal);
        let mut kept = 0;
        let content = lg_rewritten_content(rewritten, &mut kept);
        assert_eq!(slice(content, kept).unwrap(), text.to_bytes());
        assert_eq!(kind(tripped(|| lg_rewritten_error(rewritten))), None);
        assert!(tripped(|| lg_rewritten_content(rewritten, null_mut())).is_null());
        assert_eq!(tripped(|| lg_rewritten_tally(rewritten)).links, 0);
        assert_eq!(tripped(|| lg_rewritten_changes_len(rewritten)), 0);
        assert!(
            tripped(|| lg_rewritten_change_at(rewritten, 0))
                .new_text
                .is_null()
        );
        tripped(|| lg_answer_set(null_mut(), data, len));
        lg_rewritten_free(rewritten);
        for made in [
            tripped(|| lg_to_uri(data, len)),
            tripped(|| lg_to_iri(data, len)),
        ] {
            assert_eq!(kind(lg_text_error(made)), internal);
            assert!(tripped(|| lg_text_get(made, null_mut())).is_null());
            assert_eq!(kind(tripped(|| lg_text_error(made))), None);
            lg_text_free(made);
        }
        assert!(!tripped(|| lg_is_safe_to_click(data, len)));
    }
}

/// Every function that C can call is guarded, or calls one that is.
#[test]
fn functions_are_guarded() {
    let sources = [
        include_str!("../document.rs"),
        include_str!("../find.rs"),
        include_str!("../identifier.rs"),
        include_str!("../link.rs"),
        include_str!("../rewrite.rs"),
        include_str!("../rules.rs"),
    ];
    let mut count = 0;
    for function in sources
        .iter()
        .flat_map(|source| source.split("#[unsafe(no_mangle)]").skip(1))
    {
        let body = function.split("\n}\n").next().unwrap();
        let guards = ["guarded(", "found(", "made(", "free(", "lg_version()"];
        assert!(guards.iter().any(|guard| body.contains(guard)), "{body}");
        count += 1;
    }
    assert!(count > 25, "{count} functions");
}

#[test]
fn wrong_arguments() {
    let find = |options: *const lg_options| {
        let links = unsafe { lg_find_utf8(c"see a.org".as_ptr(), 9, options) };
        let error = unsafe { lg_links_error(links) };
        let message = (!error.kind.is_null()).then(|| {
            unsafe { CStr::from_ptr(error.message) }
                .to_str()
                .unwrap()
                .to_owned()
        });
        let found = unsafe { lg_links_len(links) };
        unsafe { lg_links_free(links) };
        (found, message)
    };
    let zero: lg_options = unsafe { std::mem::zeroed() };
    let default = lg_options {
        size: size_of::<lg_options>(),
        ..zero
    };
    assert_eq!(find(&default), (1, None));
    let cases = [
        (zero, "lg_options: expected sizeof(lg_options) in `size`"),
        (
            lg_options {
                size: 4000,
                ..default
            },
            "lg_options: expected sizeof(lg_options) in `size`",
        ),
        (
            lg_options {
                format: c"htm".as_ptr(),
                ..default
            },
            "format: expected one of auto, text, html",
        ),
        (
            lg_options {
                format: c"\xFF".as_ptr(),
                ..default
            },
            "format: expected UTF-8",
        ),
        (
            lg_options {
                charset: c"koi8-r".as_ptr(),
                ..default
            },
            "charset: expected none",
        ),
        (
            lg_options {
                default_charset: c"koi9".as_ptr(),
                ..default
            },
            "default_charset: unknown charset label",
        ),
        (
            lg_options {
                base: c"a/b".as_ptr(),
                ..default
            },
            "base: expected an IRI",
        ),
        (
            lg_options {
                detect: c"".as_ptr(),
                ..default
            },
            "detect: expected one of extended",
        ),
        (
            lg_options {
                query_charset: c"x".as_ptr(),
                ..default
            },
            "query_charset: expected one of",
        ),
        (
            lg_options {
                flags: 1 << 20,
                ..default
            },
            "flags: expected LG_LOCATE and the like, found 0x100000",
        ),
    ];
    for (options, expected) in cases {
        let (found, message) = find(&options);
        assert_eq!(found, 0);
        let message = message.expect("an error");
        assert!(message.starts_with(expected), "{message}");
    }
    // Options of a program with an older header are shorter.
    let older = lg_options {
        size: size_of::<usize>(),
        flags: 1 << 20,
        ..default
    };
    assert_eq!(find(&older), (1, None));
    unsafe {
        for (data, len) in [
            (null(), 1),
            (c"".as_ptr(), usize::MAX),
            (c"".as_ptr(), isize::MAX as usize + 1),
        ] {
            let links = lg_find_utf8(data, len, null());
            assert_eq!(kind(lg_links_error(links)).as_deref(), Some("argument"));
            lg_links_free(links);
        }
        let odd = [0_u32; 2];
        let links = lg_find_utf16(odd.as_ptr().cast::<u8>().add(1).cast(), 2, null());
        assert_eq!(kind(lg_links_error(links)).as_deref(), Some("argument"));
        lg_links_free(links);
        let links = lg_find_utf8(null(), 0, null());
        assert_eq!(
            (kind(lg_links_error(links)), lg_links_len(links)),
            (None, 0)
        );
        lg_links_free(links);
        assert_eq!(lg_links_len(null()), 0);
        lg_links_free(null_mut());
        lg_rules_free(null_mut());
        lg_rewritten_free(null_mut());
        lg_text_free(null_mut());
    }
}
