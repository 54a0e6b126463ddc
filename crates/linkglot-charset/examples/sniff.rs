//! Says the charset of each file and prints its first line.
//!
//! `cargo run --example sniff -- FILE...`

use linkglot_charset::{CharsetFrom, DeclarationSyntax, sniff};
use std::path::Path;

fn main() -> std::io::Result<()> {
    for path in std::env::args_os().skip(1) {
        let bytes = std::fs::read(&path)?;
        let sniffed = sniff(&bytes, true, declaration_of(Path::new(&path)), None, None);
        let how = match sniffed.from {
            CharsetFrom::Bom => "byte order mark",
            CharsetFrom::Declaration => "declared",
            CharsetFrom::Detection => "detected",
            _ => "default",
        };
        let text = sniffed.charset.decode(&bytes[sniffed.bom_len..]);
        let first = text.lines().next().unwrap_or_default();
        println!(
            "{}: {} ({how}): {first}",
            path.display(),
            sniffed.charset.name()
        );
    }
    Ok(())
}

fn declaration_of(path: &Path) -> DeclarationSyntax {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html" | "htm") => DeclarationSyntax::Html,
        Some("xml" | "xhtml" | "svg" | "rss" | "atom") => DeclarationSyntax::Xml,
        Some("css") => DeclarationSyntax::Css,
        Some("eml" | "mbox") => DeclarationSyntax::Mail,
        Some("py" | "rst") => DeclarationSyntax::Coding,
        _ => DeclarationSyntax::Nowhere,
    }
}
