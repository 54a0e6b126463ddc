//! The header is that of the code.

mod generated;

#[test]
fn header_is_current() {
    let kept = include_str!("../linkglot.h");
    assert!(
        generated::generated() == kept,
        "`make header` writes it anew"
    );
}
