//! The requests of a browser to a server: documents in XML make the same requests before and after a rewrite.

use super::references::{CHARSETS, Writer};
use super::{BEFORE, FORMS, browser, report, rewritten, run, settings};
use linkglot::Charset;
use linkglot::rewrite::Rewriter;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

const SVG: &str = r#"<?xml-stylesheet href="pi.css?@"?><svg xmlns="http://www.w3.org/2000/svg"
 xmlns:x="http://www.w3.org/1999/xlink" xmlns:h="http://www.w3.org/1999/xhtml" width="99" height="99">
<style>svg { background: url(style?@) }</style>
<image width="9" height="9" href="image?@"/><image width="9" height="9" x:href="ximage?@"/>
<use href="use.svg?@#a"/><script href="script?@"/>
<rect width="9" height="9" style="mask-image: url(mask?@)"/><rect width="9" height="9" fill="url(fill.svg?@#a)"/>
<foreignObject width="9" height="9"><h:img src="img?@"/><h:p style="background: url(back?@)">x</h:p></foreignObject></svg>"#;

const XML: &str = r#"<?xml-stylesheet href="pi.css?@"?><d xmlns="urn:x"
 xmlns:h="http://www.w3.org/1999/xhtml" xmlns:s="http://www.w3.org/2000/svg">
<h:link rel="stylesheet" href="link.css?@"/><h:img src="img?@"/><h:script src="script?@"/>
<h:p style="background: url(back?@)">x</h:p><s:svg><s:image width="9" height="9" href="image?@"/></s:svg></d>"#;

const XHTML: &str = r#"<?xml-stylesheet href="pi.css?@"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title>
<link rel="stylesheet" href="link.css?@"/><style>body { background: url(style?@) }</style></head>
<body><img src="img?@"/><p style="background: url(back?@)">x</p></body></html>"#;

/// Folders and names of documents, their text, and the minimal number of requests of each.
const DOCUMENTS: [(&str, &str, &str, usize); 3] = [
    ("svg", "a.svg", SVG, 10),
    ("xml", "a.xml", XML, 6),
    ("xhtml", "a.xhtml", XHTML, 5),
];

/// The target charsets of documents.
const NEW_CHARSETS: [&str; 2] = ["utf-8", "windows-1251"];

/// The documents of a server, by path, and other requests that it got.
struct Site {
    documents: BTreeMap<String, Vec<u8>>,
    requests: Mutex<BTreeSet<String>>,
}

impl Site {
    fn answer(&self, stream: TcpStream) -> Option<()> {
        let mut lines = BufReader::new(&stream).lines();
        let request = lines.next()?.ok()?;
        for line in lines {
            if line.ok()?.is_empty() {
                break;
            }
        }
        let target = request.split(' ').nth(1)?;
        let (kind, body) = match self.documents.get(target) {
            Some(document) => (media_type(target), document.as_slice()),
            None => {
                let mut requests = self.requests.lock().ok()?;
                requests.insert(target.to_owned());
                (media_type(target.split('?').next()?), &b""[..])
            }
        };
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        (&stream).write_all(&[head.as_bytes(), body].concat()).ok()
    }
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("svg") => "image/svg+xml",
        Some("xml") => "application/xml",
        Some("xhtml") => "application/xhtml+xml",
        Some("css") => "text/css",
        Some("html") => "text/html",
        _ => "text/plain",
    }
}

/// Links of style sheets and presentation attributes, about which browsers disagree: with them a document is not
/// converted.
const DOUBTFUL: [(&str, &str); 3] = [
    ("style", "<style>svg { background: url(style?@) }</style>"),
    ("style", "<style>body { background: url(style?@) }</style>"),
    ("fill.svg", " fill=\"url(fill.svg?@#a)\""),
];

/// A document in another charset; `None` if it cannot be converted.
fn transcoded(bytes: &[u8], name: &str, label: &str) -> Option<Vec<u8>> {
    let charset = Charset::for_label(label).expect("a charset");
    let rewriter = Rewriter::new().to_charset(charset).settings(settings(name));
    let rewritten = rewriter.rewrite_slice(bytes);
    let is_written = rewritten.summary.error.is_none();
    is_written.then(|| rewritten.content.into_owned())
}

/// The documents in all charsets, original, rewritten and in other charsets, and a page with all of them.
fn site() -> Site {
    let mut all = BTreeMap::new();
    for (label, word) in CHARSETS {
        let declared = if label.starts_with("utf-16") {
            "utf-16"
        } else {
            label
        };
        for (folder, name, text, _) in DOCUMENTS {
            let written = |text: &str| {
                let text = text.replace('@', &format!("{word}=%C3%A9"));
                let text = format!("<?xml version=\"1.0\" encoding=\"{declared}\"?>{text}");
                Writer::new(label).bytes(&text)
            };
            let certain = DOUBTFUL.iter();
            let certain = certain.fold(text.to_owned(), |text, (_, part)| text.replace(part, ""));
            let (bytes, certain) = (written(text), written(&certain));
            for (form, to) in FORMS {
                all.insert(
                    format!("/{form}/{label}/{folder}/{name}"),
                    rewritten(&bytes, name, to).0,
                );
            }
            for new in NEW_CHARSETS {
                if let Some(bytes) = transcoded(&certain, name, new) {
                    all.insert(format!("/{new}/{label}/{folder}/{name}"), bytes);
                }
            }
            all.insert(format!("/{BEFORE}/{label}/{folder}/{name}"), bytes);
        }
    }
    let frame = |path: &String| format!("<iframe src=\"{path}\" width=200 height=200></iframe>");
    let page: String = all.keys().map(frame).collect();
    all.insert("/all.html".to_owned(), page.into_bytes());
    Site {
        documents: all,
        requests: Mutex::default(),
    }
}

/// The octets of a request, with escapes decoded.
fn octets(request: &str) -> Vec<u8> {
    super::octets(request)
        .into_iter()
        .map(super::Octet::value)
        .collect()
}

#[test]
fn requests_of_xml_stay_the_same() {
    let Some(browser) = browser() else { return };
    let site = Arc::new(site());
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let server = site.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let site = server.clone();
            std::thread::spawn(move || site.answer(stream));
        }
    });
    let folder = tempfile::tempdir().expect("a folder");
    run(
        &browser,
        folder.path(),
        &format!("http://127.0.0.1:{port}/all.html"),
    );
    let requests = site.requests.lock().expect("no panic");
    // Links are relative, so the folder identifies their document.
    let below = |folder: String| -> BTreeSet<Vec<u8>> {
        let own = requests
            .iter()
            .filter_map(|request| request.strip_prefix(&folder));
        own.map(octets).collect()
    };
    let (mut faults, mut compared) = (Vec::new(), 0);
    for (label, _) in CHARSETS {
        for (folder, name, _, least) in DOCUMENTS {
            let before = below(format!("/{BEFORE}/{label}/{folder}/"));
            if before.len() < least {
                faults.push(format!("{label} {name}: {} requests", before.len()));
            }
            for form in FORMS.map(|(form, _)| form).into_iter().chain(NEW_CHARSETS) {
                let own = format!("/{form}/{label}/{folder}/");
                if !site.documents.contains_key(&format!("{own}{name}")) {
                    continue;
                }
                compared += 1;
                let after = below(own);
                let is_left = |request: &[u8]| {
                    let mut doubtful = DOUBTFUL.iter();
                    NEW_CHARSETS.contains(&form)
                        && doubtful.any(|(name, _)| request.starts_with(name.as_bytes()))
                };
                for request in before.symmetric_difference(&after) {
                    if is_left(request) {
                        continue;
                    }
                    let request = request.escape_ascii();
                    faults.push(format!(
                        "{label} {name}: {request} before or after {form} alone"
                    ));
                }
            }
        }
    }
    let most = CHARSETS.len() * DOCUMENTS.len() * (FORMS.len() + NEW_CHARSETS.len());
    assert!(
        compared * 10 > most * 9,
        "only {compared} of {most} documents"
    );
    report(&faults);
}
