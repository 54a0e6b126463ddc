/// The header for the functions and types of this crate.
pub fn generated() -> String {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(here.join("cbindgen.toml")).expect("a configuration");
    let sources = [
        "border",
        "error",
        "options",
        "link",
        "find",
        "document",
        "rules",
        "rewrite",
        "identifier",
    ];
    let builder = cbindgen::Builder::new().with_config(config);
    let builder = sources.iter().fold(builder, |builder, name| {
        builder.with_src(here.join(format!("src/{name}.rs")))
    });
    let mut header = Vec::new();
    builder.generate().expect("a header").write(&mut header);
    let header = String::from_utf8(header).expect("UTF-8");
    without_safety(&header)
}

/// Without the sections for Rust's own rules: a reader of C knows that pointers have to be valid.
fn without_safety(header: &str) -> String {
    let mut kept = String::new();
    let mut is_safety = false;
    for line in header.lines() {
        is_safety |= line.trim_start_matches([' ', '*']) == "# Safety";
        if line.trim() == "*/" {
            is_safety = false;
            if kept.ends_with(" *\n") {
                kept.truncate(kept.len() - 3);
            }
        }
        if !is_safety {
            kept += line.trim_end();
            kept.push('\n');
        }
    }
    kept
}
