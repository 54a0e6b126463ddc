//! Writes `linkglot.h`: cargo run --example header > linkglot.h

include!("../tests/generated/mod.rs");

fn main() {
    print!("{}", generated());
}
