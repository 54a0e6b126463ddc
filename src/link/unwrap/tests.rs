use super::*;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use proptest::prelude::*;

const TOKEN: &str = "!-612Flbf0JvQ3kNJkRi5Jg!Ue6tQudNKaShHg93trcdjqDP8$";

/// The link behind a reference; `Err` if it cannot be read, `Ok(None)` if there is none.
fn behind(reference: &str) -> Result<Option<String>, ()> {
    match wrapped(reference) {
        None => Ok(None),
        Some(wrapped) => wrapped.target.map(Some).ok_or(()),
    }
}

#[test]
fn links_behind_services() {
    let cases = [
        (
            "https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2Fb%3Fc%3Dd%26e&data=05%7C01&sdata=x%3D&reserved=0",
            "https://a.example/b?c=d&e",
        ),
        (
            "https://eur01.safelinks.protection.outlook.com/ap/w-59523/?url=https%3A%2F%2Fa.example%2F&data=x",
            "https://a.example/",
        ),
        (
            "https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html?url=mailto%3Ab%40a.example&locale=en",
            "mailto:b@a.example",
        ),
        (
            "https://gcc02.safelinks.protection.office365.us/?url=http%3a%2f%2fa.example",
            "http://a.example",
        ),
        (
            "https://urldefense.proofpoint.com/v1/url?u=http://www.a.example/&k=oIvRg1%2BdGAgOoM1BIlLLqw%3D%3D%0A&r=x",
            "http://www.a.example/",
        ),
        (
            "https://urldefense.proofpoint.com/v2/url?u=https-3A__a-2Db.example_c-5Fd-3Fe-3D1-26amp-3Bf-3D2-2B3&d=DwMFaQ&c=x&r=y&e=",
            "https://a-b.example/c_d?e=1&f=2+3",
        ),
        (
            "https://urldefense.com/v3/__https://a.example:443/search?q=a*test&gs=ps__;Kw!-612!Ue6t$",
            "https://a.example:443/search?q=a+test&gs=ps",
        ),
        (
            "https://urldefense.com/v3/__https://a.example/o/owa*2Findex.html?x*y__;JSM!!Fjc1LPEtn8I!x$",
            "https://a.example/o/owa%2Findex.html?x#y",
        ),
        (
            "https://urldefense.us/v3/__https:/a.example/__;!!a!b$",
            "https://a.example/",
        ),
        (
            "https://urldefense.us/v3/__https://a.example/**A/*b**__;0YvQudC20ZHRhA!!a!b$",
            "https://a.example/\u{44b}\u{439}/\u{436}b\u{451}\u{444}",
        ),
        (
            "https://www.google.com/url?sa=t&q=words&url=https%3A%2F%2Fa.example%2F%25C3%25A9&usg=x",
            "https://a.example/%C3%A9",
        ),
        (
            "HTTP://WWW.Google.co.uk:80/url?q=http://a.example/b&sa=D",
            "http://a.example/b",
        ),
        ("//google.de/url?q=http://a.example/b", "http://a.example/b"),
        (
            "https://plus.url.google.com/url?q=https://a.example/&rct=j",
            "https://a.example/",
        ),
        (
            "https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fa.example&c=E,1,x&typo=1",
            "https://a.example",
        ),
        (
            "https://secure-web.cisco.com/1abc-_D/https%3A%2F%2Fa.example%2Fb%3Fc%23d",
            "https://a.example/b?c#d",
        ),
        (
            "https://protect2.fireeye.com/url?k=1ff&u=http://a.example/a.yaml#",
            "http://a.example/a.yaml#",
        ),
        (
            "https://protect2.fireeye.com/v1/url?k=1&amp;q=1&amp;u=https%3A%2F%2Fa.example%2F",
            "https://a.example/",
        ),
        (
            "https://clicktime.symantec.com/38YrY?u=https%3A%2F%2Fa.example%2Fabs",
            "https://a.example/abs",
        ),
        (
            "https://ddec1-0-en-ctp.trendmicro.com:443/wis/clicktime/v1/query?url=https%3a%2f%2fa%2db.example%2f&umid=1&auth=2",
            "https://a-b.example/",
        ),
        (
            "https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2F%3Ffbclid%3Dx&h=AT",
            "https://a.example/?fbclid=x",
        ),
        (
            "https://out.reddit.com/t3_x?url=https%3A%2F%2Fa.example%2F&token=AQ",
            "https://a.example/",
        ),
        (
            "https://www.youtube.com/redirect?event=video&q=https%3A%2F%2Fa.example%2F&v=x",
            "https://a.example/",
        ),
        (
            "https://steamcommunity.com/linkfilter/?url=http://a.example/",
            "http://a.example/",
        ),
        (
            "https://steamcommunity.com/linkfilter/?u=http%3A%2F%2Fa.example%2F",
            "http://a.example/",
        ),
        (
            "https://duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F&rut=x",
            "https://a.example/",
        ),
        (
            "https://vk.com/away.php?to=ftp%3A%2F%2Fa.example%2Fb&cc_key=",
            "ftp://a.example/b",
        ),
        (
            "https://www.linkedin.com/redir/redirect?url=https%3A%2F%2Fa.example%2F&urlhash=x",
            "https://a.example/",
        ),
        (
            "https://slack-redir.net/link?url=https%3A%2F%2Fa.example%2F",
            "https://a.example/",
        ),
        (
            "https://www.linkedin.com/safety/go?url=https%3A%2F%2Fa.example%2Fb%3Fc&trk=flagship-messaging-web&lipi=urn%3Ali%3Apage",
            "https://a.example/b?c",
        ),
        (
            "https://eu-central-1.protection.sophos.com/?d=a.example&u=aHR0cDovL3d3dy5hLmV4YW1wbGUvRW4vRGF0YS9WaWV3LzM5NzI=&i=NjA5NDA5&t=MnQ4UUR5&h=b05e70cb",
            "http://www.a.example/En/Data/View/3972",
        ),
        (
            "https://us-west-2.protection.sophos.com/?d=a.example&u=aHR0cHM6Ly93d3cuYS5leGFtcGxlL3dhdGNoP3Y9VHRGX2dFa2NTQnM&p=m&i=NjNj",
            "https://www.a.example/watch?v=TtF_gEkcSBs",
        ),
        (
            "https://url.avanan.click/v2/___https:/a.example/abs/1908.10063___.YXAzOnNhcmFncmlsbG86YTpn",
            "https://a.example/abs/1908.10063",
        ),
        (
            "https://url.avanan.click/v2/r01/___https://a.example/api/v1?b=c&d=%2F___.YXAzOnBlYWNl#e",
            "https://a.example/api/v1?b=c&d=%2F#e",
        ),
        (
            "https://protect.checkpoint.com/v2/___https://www.a.example/criminal-defense/___.YzJ1OnN0YXRlOmM6bzo5",
            "https://www.a.example/criminal-defense/",
        ),
        (
            "https://checkpoint.url-protection.com/v1/url?o=https%3A//a.example/r/xDNW&amp;g=NTViYjkz==&amp;h=ZjNi",
            "https://a.example/r/xDNW",
        ),
        (
            "https://www.bing.com/ck/a?!&&p=80dcd2f8000b3db5JmltdHM9&ptn=3&hsh=3&fclid=0d&psq=a&u=a1aHR0cHM6Ly9hLmV4YW1wbGUvYj9j&ntb=1",
            "https://a.example/b?c",
        ),
        (
            "https://l.instagram.com/?u=https%3A%2F%2Fa.example%2F%3Ftsid%3D0&e=ATP7jhg&s=1",
            "https://a.example/?tsid=0",
        ),
        (
            "https://t.umblr.com/redirect?z=https%3A%2F%2Fa.example%2Fb&t=YzZkOWJh%3D%3D&p=https%3A%2F%2Fc.example",
            "https://a.example/b",
        ),
        (
            "https://kwnsfk27.r.eu-west-1.awstrack.me/L0/https:%2F%2Fa.example%2Fb.do%3Faid=104706%26jid=COSE/1/01020199d0963a8e-62776654-000000/p_cF684PcLrl53ujZqNZkf8cXTo=447",
            "https://a.example/b.do?aid=104706&jid=COSE",
        ),
        // The fragment of the target counts before the fragment of the wrapper.
        (
            "https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2F%23b#c",
            "https://a.example/#b",
        ),
        (
            "https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2F#c",
            "https://a.example/#c",
        ),
        (
            "https://l.facebook.com/l.php?u=mailto%3Aa%40b.example#c",
            "mailto:a@b.example",
        ),
        (
            "https://urldefense.com/v3/__https://a.example/__;!!a!b$#c",
            "https://a.example/#c",
        ),
        // Characters that browsers encode.
        (
            "https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2Fa%20b[1]",
            "https://a.example/a%20b%5B1%5D",
        ),
        (
            "https://l.facebook.com/l.php?u=https%3A%2F%2F\u{e9}.example%2F%C3%A9",
            "https://\u{e9}.example/\u{e9}",
        ),
    ];
    for (reference, expected) in cases {
        assert_eq!(
            behind(reference),
            Ok(Some(expected.to_owned())),
            "{reference}"
        );
    }
}

#[test]
fn links_that_stay() {
    for reference in [
        // A search, an account, a missing target.
        "https://www.google.com/search?q=https%3A%2F%2Fa.example%2F",
        "https://www.google.com/url?sa=t",
        "https://www.google.evil.example/url?q=http://a.example/",
        "https://www.google.com.evil.example/url?q=http://a.example/",
        "https://www.google.com@a.example/url?q=http://a.example/",
        "https://ann@www.google.com/url?q=http://a.example/",
        "https://www.google.com:8080/url?q=http://a.example/",
        "https://safelinks.protection.outlook.com.a.example/?url=http%3A%2F%2Fa.example",
        "https://xl.facebook.com/l.php?u=http://a.example/",
        "ftp://l.facebook.com/l.php?u=http://a.example/",
        "/url?q=http://a.example/",
        "https://protection.sophos.com.a.example/?u=aHR0cHM6Ly9hLmV4YW1wbGUvYj9j",
        "https://us-east-2.protection.sophos.com/?d=a.example&b=9902&x=55f1",
        "https://www.bing.com/search?u=a1aHR0cHM6Ly9hLmV4YW1wbGUvYj9j",
        "https://r.us-east-1.awstrack.me.a.example/L0/https:%2F%2Fb.example/1/c/d",
        "https://x.r.us-east-1.awstrack.me/I0/01020199d0963a8e/c",
        "https://urldefense.com/v4/__https://a.example/__;!!a!b$",
        "",
        "//",
    ] {
        assert_eq!(behind(reference), Ok(None), "{reference}");
    }
}

#[test]
fn links_behind_that_cannot_be_read() {
    for reference in [
        "https://www.google.com/url?q=words",
        "https://www.google.com/url?q=/a",
        "https://www.google.com/url?q=javascript:alert(1)",
        "https://www.google.com/url?q=data:text/html,x",
        "https://www.google.com/url?q=http:///a",
        "https://www.google.com/url?q=http://a.example/a+b",
        "https://www.google.com/url?q=http://a.example/%E9",
        "https://www.google.com/url?q=http://a.example/100%25",
        "https://www.google.com/url?q=http://a.example/%00",
        "https://www.google.com/url?q=mailto:a",
        "https://www.google.com/url?q=http://a.example/{{x}}",
        "https://secure-web.cisco.com/1abc",
        // No base64, no link, a name of a user, another scheme.
        "https://eu-west-1.protection.sophos.com/?u=b",
        "https://eu-west-1.protection.sophos.com/?u=aHR0cHM6Ly9h+GEu",
        "https://eu-west-1.protection.sophos.com/?u=aHR0cHM6Ly9hQGIuZXhhbXBsZS8=",
        "https://eu-west-1.protection.sophos.com/?u=amF2YXNjcmlwdDphbGVydCgxKQ==",
        "https://www.bing.com/ck/a?u=aHR0cHM6Ly9hLmV4YW1wbGUvYj9j",
        "https://www.bing.com/ck/a?u=a1L3NlYXJjaD9xPXg",
        // Escapes, two ends, another region, letters that are shifted.
        "https://url.avanan.click/v2/___https://a.example/b*2Fc___.YXAz",
        "https://url.avanan.click/v2/___https://a.example/___.b___.YXAz",
        "https://url.avanan.click/v2/x/___https://a.example/___.YXAz",
        "https://url.avanan.click/v2/r01/___myyux://f.jcfruqj/___.YXAz",
        "https://url.avanan.click/v2/___https://a.example/",
        "https://protect.checkpoint.com/v2/___https://a@b.example/___.YzJ1",
        "https://x.r.us-east-1.awstrack.me/L0/https:%2F%2Fa.example%2F/https:%2F%2Fb.example/1/c/d",
        // Too few hidden characters, too many, no base64, an unknown run, two ends.
        "https://urldefense.com/v3/__https://a.example/*__;!!a!b$",
        "https://urldefense.com/v3/__https://a.example/__;Kw!!a!b$",
        "https://urldefense.com/v3/__https://a.example/*__;K=w!!a!b$",
        "https://urldefense.com/v3/__https://a.example/**!__;Kw!!a!b$",
        "https://urldefense.com/v3/__https://a.example/**__;Kw!!a!b$",
        "https://urldefense.com/v3/__https://a.example/__;!__;!!a!b$",
        "https://urldefense.com/v3/__https://a.example/",
    ] {
        assert_eq!(behind(reference), Err(()), "{reference}");
    }
}

/// Services differ in the value that they read; the tests name the service and the rest of the link.
#[test]
fn links_with_two_readings() {
    let (good, evil) = ("https://www.bank.example/", "https://a.example/");
    for rest in [
        // Of two values PHP takes the last, others the first.
        format!("vk.com/away.php?to={good}&to={evil}"),
        format!("vk.com/away.php?to={good}&to"),
        format!("vk.com/away.php?to={good}&to="),
        format!("vk.com/away.php?to={good}&amp;to={evil}"),
        // Keys are decoded, and PHP reads arrays and keys behind spaces.
        format!("l.facebook.com/l.php?%75={evil}&u={good}"),
        format!("l.facebook.com/l.php?u={good}&%55={evil}"),
        format!("l.facebook.com/l.php?u={good}&u[]={evil}"),
        format!("l.facebook.com/l.php?u={good}&u%5B0%5D={evil}"),
        format!("l.facebook.com/l.php?u={good}&+u={evil}"),
        format!("l.facebook.com/l.php?u={good}&u%00={evil}"),
        format!("l.facebook.com/l.php?%75={good}"),
        format!("l.facebook.com/l.php?U={good}"),
        // `&amp;` stands for `&` in text, but not at the begin of a query, and for all or for none.
        format!("www.google.com/url?amp;q={good}"),
        format!("www.google.com/url?amp;q={good}&amp;q={evil}"),
        format!("www.google.com/url?sa=t&amp;q={good}&usg=x"),
        format!("www.google.com/url?q={good}&amp;amp;q={evil}"),
        format!("www.google.com/url?q={evil}&url={good}"),
        format!("www.google.com/url?url={good}&q={evil}"),
        format!("www.google.com/url?url={good}&q=a.example"),
        format!("www.google.com/url?URL={evil}&url={good}"),
        format!(
            "secure-web.cisco.com/1abc/{}/{}",
            escaped(good),
            escaped(evil)
        ),
        format!("secure-web.cisco.com/1abc/{}/", escaped(good)),
        // Names of users.
        "l.facebook.com/l.php?u=https://www.bank.example@a.example/".to_owned(),
        "l.facebook.com/l.php?u=https%3A%2F%2F@a.example%2F".to_owned(),
    ] {
        assert_eq!(behind(&format!("https://{rest}")), Err(()), "{rest}");
    }
    for rest in [
        format!("www.google.com/url?sa=t&q=&esrc=s&url={good}"),
        format!("www.google.com/url?sa=t&amp;q=words&amp;url={good}"),
        format!("www.google.com/url?q={good}&url="),
    ] {
        assert_eq!(
            behind(&format!("https://{rest}")),
            Ok(Some(good.to_owned())),
            "{rest}"
        );
    }
}

#[test]
fn domains_of_google() {
    for end in ["com", "de", "co.uk", "com.br", "cat", "RS"] {
        let reference = format!("https://www.google.{end}/url?q=http://a.example/");
        assert_eq!(
            behind(&reference),
            Ok(Some("http://a.example/".to_owned())),
            "{end}"
        );
    }
    for end in [
        "qqq",
        "icu",
        "com.qq",
        "co.de",
        "net",
        "org",
        "zip",
        "app",
        "com.co.uk",
        "",
    ] {
        let reference = format!("https://www.google.{end}/url?q=http://a.example/");
        assert_eq!(behind(&reference), Ok(None), "{end}");
    }
}

fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A link in the form of version 3: some characters are shown, the others hidden.
fn in_v3(link: &str) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let is_plain = |ch: &char| ch.is_ascii_alphanumeric() || "/:.?&=".contains(*ch);
    let (mut shown, mut hidden) = (String::new(), String::new());
    let chars: Vec<char> = link.chars().collect();
    let mut at = 0;
    while at < chars.len() {
        let run = chars[at..]
            .iter()
            .take_while(|ch| !is_plain(ch))
            .count()
            .min(65);
        match run {
            0 => shown.push(chars[at]),
            2.. => shown += &format!("**{}", char::from(LETTERS[run - 2])),
            _ => shown.push('*'),
        }
        let taken = run.max(1);
        hidden.extend(chars[at..at + taken].iter().filter(|_| run > 0));
        at += taken;
    }
    let hidden = BASE64_URL_SAFE_NO_PAD.encode(hidden);
    format!("https://urldefense.com/v3/__{shown}__;{hidden}!{TOKEN}")
}

fn in_v2(link: &str) -> String {
    let coded: String = link
        .bytes()
        .map(|byte| match byte {
            b'/' => "_".to_owned(),
            b'a'..=b'z' | b'0'..=b'9' | b'.' => char::from(byte).to_string(),
            _ => format!("-{byte:02X}"),
        })
        .collect();
    format!("https://urldefense.proofpoint.com/v2/url?u={coded}&d=DwMFaQ")
}

fn in_query(link: &str) -> String {
    format!("https://l.facebook.com/l.php?h=x&u={}", escaped(link))
}

fn in_segment(link: &str) -> String {
    format!("https://secure-web.cisco.com/1abc/{}", escaped(link))
}

const WRAPPERS: &[fn(&str) -> String] = &[in_v3, in_v2, in_query, in_segment];

proptest! {
    /// Any valid link behind a chain of services is found.
    #[test]
    fn chains(
        tail in "[a-z0-9~!$'()*+,;=:@/_.\u{e9}\u{416}-]{0,20}(%[0-9A-F]{2}){0,3}[*_-]{0,70}(#[a-z/?*\u{e9}]{0,5})?",
        wrappers in prop::collection::vec(0..WRAPPERS.len(), 1..4),
    ) {
        let link = format!("https://a.example/{tail}");
        prop_assume!(link.matches('_').count() < 60);
        let mut text = link.clone();
        for wrapper in &wrappers {
            text = WRAPPERS[*wrapper](&text);
        }
        prop_assert_eq!(behind(&text), Ok(Some(link.clone())), "{}", text);
        prop_assert_eq!(behind(&link), Ok(None));
    }

    #[test]
    fn nothing_panics(head in prop::sample::select(vec![
        "https://urldefense.com/v3/__", "https://urldefense.com/v2/url?u=", "https://google.com/url?q=",
        "https://secure-web.cisco.com/1", "//*.google.", "https://",
    ]), tail in "[\\PC*_;!%#&=-]{0,40}") {
        let _ = wrapped(&format!("{head}{tail}"));
    }
}

#[test]
fn long_chains_stay() {
    let link = |depth: usize| {
        (0..depth).fold("http://a.example/".to_owned(), |link, _| {
            let link = link.replace('%', "%25").replace('&', "%26");
            format!("https://l.facebook.com/l.php?u={link}")
        })
    };
    for depth in 1..12 {
        let expected = match depth {
            0..=8 => Ok(Some("http://a.example/".to_owned())),
            _ => Err(()),
        };
        assert_eq!(behind(&link(depth)), expected, "{depth}");
    }
    // An inner service whose link cannot be read stays, also in a second run.
    let inner = "https://www.google.com/url?q=words";
    assert_eq!(behind(&in_query(inner)), Ok(Some(inner.to_owned())));
    let verdict = wrapped(&in_query(&in_v2("http://a.example/"))).unwrap();
    assert_eq!(names()[verdict.service], "facebook");
}

/// `docs/rules.md` lists the services.
#[test]
fn the_page_lists_the_services() {
    let page = include_str!("../../../docs/rules.md");
    for name in names() {
        assert!(page.contains(&format!("| `{name}` |")), "{name}");
    }
    for service in &SERVICES.1 {
        for host in &service.hosts {
            assert!(page.contains(&format!("`{host}`")), "{host}");
        }
    }
    let listed = page
        .lines()
        .filter(|line| line.starts_with("| `") && line.contains("` | `"));
    let rows = listed.filter(|line| {
        names()
            .iter()
            .any(|name| line.contains(&format!("| `{name}` |")))
    });
    assert_eq!(rows.count(), names().len());
}
