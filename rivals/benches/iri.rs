//! Parsing and mapping 10,000 varied references, against libraries with the same functions.
//!
//! The references are made by a fixed rule (see [`mixed`] and [`dense`]), always the same. Only ratios of CPU time
//! within one run count.

use cpu_time::ProcessTime;
use linkglot::rewrite::HostForm;
use linkglot_iri::{Form, HostDisplay, ToIri, ToUri, parse};
use std::hint::black_box;

/// A pass over the references.
type Run<'a> = Box<dyn FnMut() + 'a>;

const COUNT: usize = 10_000;
const ROUNDS: usize = 31;

fn main() {
    // `cargo bench -p linkglot-rivals --bench iri -- TEXT`: only contenders with the text in their names.
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let wanted = wanted.unwrap_or_default();
    compare("what the Web has", &mixed(), &wanted);
    compare("hardly any ASCII", &dense(), &wanted);
}

fn compare(title: &str, iris: &[String], wanted: &str) {
    let mapped = |iri: &String| ToUri::default().map(iri).expect("a URI").text.into_owned();
    let uris: Vec<String> = iris.iter().map(mapped).collect();
    let bytes: usize = iris.iter().map(String::len).sum();
    let ascii = iris.iter().filter(|iri| iri.is_ascii()).count();
    println!(
        "\n{title}: {} references of {} bytes on average, {ascii} of them ASCII; ns each",
        iris.len(),
        bytes / iris.len()
    );
    for (goal, race) in [
        ("parse", parsing(iris)),
        ("parse and map to URI", to_uri(iris)),
        ("URI to IRI", to_iri(&uris)),
        ("URI to URI", identity(&uris)),
    ] {
        run(goal, race, wanted);
    }
}

fn parsing(iris: &[String]) -> Vec<(&'static str, Run<'_>)> {
    vec![
        each("ours", iris, |iri| {
            black_box(parse(iri, Form::Reference).ok());
        }),
        each("ours, absolute", iris, |iri| {
            black_box(parse(iri, Form::Iri).ok());
        }),
        each("oxiri", iris, |iri| {
            black_box(oxiri::IriRef::parse(iri).ok());
        }),
        each("oxiri, absolute", iris, |iri| {
            black_box(oxiri::Iri::parse(iri).ok());
        }),
        each("fluent-uri", iris, |iri| {
            black_box(fluent_uri::IriRef::parse(iri).ok());
        }),
        each("iri-string", iris, |iri| {
            black_box(iri_string::types::IriReferenceStr::new(iri).ok());
        }),
        each("url", iris, |iri| {
            black_box(url::Url::parse(iri).ok());
        }),
    ]
}

/// iri-string and fluent-uri percent-encode hosts, so linkglot does the same for the comparison; url writes punycode.
fn to_uri(iris: &[String]) -> Vec<(&'static str, Run<'_>)> {
    let mut percent = ToUri::default();
    percent.host = HostForm::Percent;
    let punycode = ToUri::default();
    vec![
        each("ours, in one call", iris, {
            let percent = percent.clone();
            move |iri| {
                black_box(percent.map_valid(iri).ok());
            }
        }),
        each("ours, parse and then map", iris, move |iri| {
            black_box(parse(iri, Form::Reference).ok());
            black_box(percent.map(iri).ok());
        }),
        each("ours, hosts in punycode", iris, move |iri| {
            black_box(punycode.map_valid(iri).ok());
        }),
        each("iri-string", iris, |iri| {
            let iri = iri_string::types::IriReferenceStr::new(iri).expect("an IRI");
            black_box(iri_string::convert::MappedToUri::from(iri).to_string());
        }),
        each("fluent-uri", iris, |iri| {
            let iri = fluent_uri::IriRef::parse(iri).expect("an IRI");
            black_box(iri.to_uri_ref());
        }),
        each("url, hosts in punycode", iris, |iri| {
            black_box(url::Url::parse(iri).map(String::from).ok());
        }),
    ]
}

/// fluent-uri leaves punycode unchanged, so linkglot does the same for the comparison.
fn to_iri(uris: &[String]) -> Vec<(&'static str, Run<'_>)> {
    let mut keep = ToIri::default();
    keep.host = HostDisplay::Keep;
    let safe = ToIri::default();
    vec![
        each("ours, punycode kept", uris, move |uri| {
            black_box(keep.map(uri, &|_| true));
        }),
        each("ours, punycode shown", uris, move |uri| {
            black_box(safe.map(uri, &|_| true));
        }),
        each("fluent-uri, parse and normalize", uris, |uri| {
            let uri = fluent_uri::IriRef::parse(uri).expect("a URI");
            black_box(uri.normalize());
        }),
    ]
}

fn identity(uris: &[String]) -> Vec<(&'static str, Run<'_>)> {
    let punycode = ToUri::default();
    vec![
        each("ours", uris, move |uri| {
            black_box(punycode.map(uri).ok());
        }),
        each("iri-string", uris, |uri| {
            let uri = iri_string::types::IriReferenceStr::new(uri).expect("an IRI");
            black_box(iri_string::convert::MappedToUri::from(uri).to_string());
        }),
    ]
}

/// Runs the contenders in turn, and prints the median time of each and its ratio to the others.
fn run(goal: &str, mut race: Vec<(&'static str, Run<'_>)>, wanted: &str) {
    race.retain(|(name, _)| format!("{goal}: {name}").contains(wanted));
    let mut times = vec![Vec::new(); race.len()];
    for round in 0..=ROUNDS {
        for ((_, run), times) in race.iter_mut().zip(&mut times) {
            let start = ProcessTime::now();
            run();
            if round > 0 {
                times.push(start.elapsed().as_nanos() as f64 / COUNT as f64);
            }
        }
    }
    for times in &mut times {
        times.sort_by(f64::total_cmp);
    }
    let medians: Vec<f64> = times.iter().map(|times| times[ROUNDS / 2]).collect();
    for ((name, _), median) in race.iter().zip(&medians) {
        let name = format!("{goal}: {name}");
        println!(
            "  {name:<48} {median:>6.0} ns   ours is {:.2} of it",
            medians[0] / median
        );
    }
}

fn each<'a>(
    name: &'static str,
    texts: &'a [String],
    run: impl Fn(&str) + 'a,
) -> (&'static str, Run<'a>) {
    (
        name,
        Box::new(move || texts.iter().for_each(|text| run(text))),
    )
}

/// Xorshift: the same numbers everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn one<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.below(words.len())]
    }
}

const ASCII_WORDS: &[&str] = &[
    "index.html",
    "a",
    "img",
    "2024",
    "search",
    "user~name",
    "long-hyphenated-segment",
    "x_y",
    "articles",
    "wiki",
    "static",
    "v2.1",
    "category",
    "news",
    "12345678",
    "id",
    "page",
    "%20",
    "de",
    "README.md",
];

const WIDE_WORDS: &[&str] = &[
    "résumé",
    "日本語",
    "новости",
    "Straße",
    "한국어",
    "עברית",
    "ελληνικά",
    "हिन्दी",
    "tiếng",
    "العربية",
    "😀",
    "москва-река",
    "北京市",
    "カテゴリ",
    "españa",
];

const ASCII_HOSTS: &[&str] = &[
    "example.org",
    "www.example.com:8080",
    "a.b.c.example",
    "en.wiki.example",
    "192.0.2.7",
    "user@ftp.example.net",
    "cdn-17.static.example.com",
];

const WIDE_HOSTS: &[&str] = &["bücher.example", "пример.example", "www.例え.example"];

/// Mostly http(s) addresses of 40 to 80 bytes, as on the Web: of twelve, eight are all ASCII and four have characters
/// beyond ASCII in two or three words of path and query; one of these has such a host too. One in five has a fragment,
/// one in four a query.
fn mixed() -> Vec<String> {
    let mut random = Random(88172645463325252);
    let mut reference = |at: usize| {
        let is_wide = at % 3 == 2;
        let host = if at % 12 == 11 {
            random.one(WIDE_HOSTS)
        } else {
            random.one(ASCII_HOSTS)
        };
        let scheme = if random.below(4) == 0 {
            "http"
        } else {
            "https"
        };
        let mut iri = format!("{scheme}://{host}");
        let mut wide = if is_wide { 2 + random.below(2) } else { 0 };
        let has_query = at.is_multiple_of(4);
        let segments = 2 + random.below(3);
        for segment in 0..segments {
            let is_last = segment + 1 == segments;
            let word = if wide > usize::from(has_query) && (is_last || random.below(2) == 0) {
                wide -= 1;
                random.one(WIDE_WORDS)
            } else {
                random.one(ASCII_WORDS)
            };
            iri += "/";
            iri += word;
        }
        if has_query {
            let words = if wide > 0 { WIDE_WORDS } else { ASCII_WORDS };
            iri += &format!("?{}={}", random.one(ASCII_WORDS), random.one(words));
        }
        while iri.len() < 40 {
            iri += "-";
            iri += random.one(ASCII_WORDS);
        }
        if at.is_multiple_of(5) {
            iri += "#";
            iri += random.one(ASCII_WORDS);
        }
        iri
    };
    (0..COUNT).map(&mut reference).collect()
}

/// Two in three have words of many scripts everywhere.
fn dense() -> Vec<String> {
    let mut random = Random(88172645463325252);
    let mut reference = |at: usize| {
        let is_ascii = at.is_multiple_of(3);
        let mut word = || match random.below(2) {
            1 if !is_ascii => random.one(WIDE_WORDS),
            _ => random.one(ASCII_WORDS),
        };
        let path: Vec<&str> = (0..at % 5 + 1).map(|_| word()).collect();
        let query = if at.is_multiple_of(4) {
            format!("?{}={}", word(), word())
        } else {
            String::new()
        };
        let host = match at % 5 {
            3 if !is_ascii => random.one(WIDE_HOSTS),
            _ => random.one(ASCII_HOSTS),
        };
        format!("http://{host}/{}{query}", path.join("/"))
    };
    (0..COUNT).map(&mut reference).collect()
}
