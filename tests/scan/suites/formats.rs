//! The formats of the suites: each function reads the cases of one file.

use super::literals::{Language, Token, anchors, targets, tokens};

/// The kinds of links that the finder of a suite looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    Scheme,
    Web,
    Email,
    All,
}

/// A text, and the links that a suite expects in it. With `first`, only the first one counts.
#[derive(Debug)]
pub struct Case {
    pub text: String,
    pub links: Vec<String>,
    pub looks: Looks,
    pub first: bool,
    /// True if the link continues over line breaks without angle brackets, which needs a setting.
    pub joins: bool,
}

fn case(text: &str, links: Vec<String>, looks: Looks) -> Case {
    Case {
        text: text.to_owned(),
        links,
        looks,
        first: false,
        joins: false,
    }
}

/// The fixtures of linkify-it: a line of text, possibly followed by its link; `%` begins a comment.
pub fn linkify_it_links(file: &str) -> Vec<Case> {
    let lines = file
        .lines()
        .map(|l| if l.starts_with('%') { "" } else { l });
    let lines: Vec<&str> = lines.collect();
    let blocks = lines.split(|l| l.is_empty()).filter(|b| !b.is_empty());
    let pairs = blocks.flat_map(|block| block.chunks(2));
    pairs
        .map(|pair| Case {
            first: true,
            ..case(pair[0], vec![pair[pair.len() - 1].to_owned()], Looks::All)
        })
        .collect()
}

pub fn linkify_it_not_links(file: &str) -> Vec<Case> {
    file.lines()
        .filter(|l| !l.is_empty() && !l.starts_with('%'))
        .map(|l| case(l, Vec::new(), Looks::All))
        .collect()
}

/// The asserts of linkify: a text, and the same text with ` ` around each link.
pub fn linkify(file: &str, looks: Looks) -> Vec<Case> {
    use Token::*;
    let tokens = tokens(file, Language::Rust);
    let mut cases = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let Word(name) = token else { continue };
        let looks = match name.as_str() {
            "assert_linked" | "assert_not_linked" => looks,
            "assert_urls_without_protocol" => Looks::Web,
            _ => continue,
        };
        match &tokens[i + 1..] {
            [Mark('('), Text(text), Mark(','), Text(shown), ..] => {
                cases.extend(between_bars(text, shown).map(|links| case(text, links, looks)));
            }
            [Mark('('), Text(text), ..] => cases.push(case(text, Vec::new(), looks)),
            _ => {}
        }
    }
    cases
}

fn between_bars(text: &str, shown: &str) -> Option<Vec<String>> {
    let Some(next) = shown.chars().next() else {
        return text.is_empty().then(Vec::new);
    };
    let rest = &shown[next.len_utf8()..];
    if next == '|' {
        let opened = rest.match_indices('|').find_map(|(end, _)| {
            let after = text.strip_prefix(&rest[..end]).filter(|_| end > 0)?;
            let mut links = between_bars(after, &rest[end + 1..])?;
            links.insert(0, rest[..end].to_owned());
            Some(links)
        });
        if opened.is_some() {
            return opened;
        }
    }
    between_bars(text.strip_prefix(next)?, rest)
}

/// The lists `name << "a" << "b";` of KDE's tests.
fn cpp_list(tokens: &[Token], list: &str) -> Vec<String> {
    let mut out = Vec::new();
    for statement in tokens.split(|t| *t == Token::Mark(';')) {
        // A statement may follow the brace of a block.
        let from = statement.iter().rposition(|t| *t == Token::Mark('{'));
        let statement = &statement[from.map_or(0, |i| i + 1)..];
        if !matches!(statement, [Token::Word(name), Token::Mark('<'), Token::Mark('<'), ..] if name == list)
        {
            continue;
        }
        for element in elements(&statement[1..]) {
            out.push(text_of(element));
        }
    }
    out
}

fn elements(statement: &[Token]) -> impl Iterator<Item = &[Token]> {
    let pairs = [Token::Mark('<'), Token::Mark('<')];
    let starts = (0..statement.len()).filter(move |&i| statement[i..].starts_with(&pairs));
    let starts: Vec<usize> = starts.chain([statement.len()]).collect();
    let bounds: Vec<_> = starts.windows(2).map(|w| (w[0] + 2, w[1])).collect();
    bounds.into_iter().map(|(from, to)| &statement[from..to])
}

fn text_of(element: &[Token]) -> String {
    let texts = element.iter().filter_map(|t| match t {
        Token::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

/// KDE's grid: all combinations of brackets, schemes and URLs, in the order of its own loops.
pub fn kde_grid(file: &str) -> Vec<Case> {
    let tokens = tokens(file, Language::Cpp);
    let list = |name| cpp_list(&tokens, name);
    let (brackets, mut cases) = (list("brackets"), Vec::new());
    for pair in brackets.chunks_exact(2) {
        for (starts, urls) in [("schemas", "urls"), ("starts", "urlsWithoutSchema")] {
            for start in list(starts) {
                let urls = list(urls).into_iter().filter(|url| may_stand(url, pair));
                cases.extend(urls.map(|url| {
                    let whole = format!("{start}{url}");
                    let link = whole.replace([' ', '\n', '\t'], "");
                    let text = format!("{}{whole}{}", pair[0], pair[1]);
                    Case {
                        first: true,
                        joins: is_broken_outside_angles(&text),
                        ..case(&text, vec![link], Looks::All)
                    }
                }));
            }
        }
    }
    cases
}

/// KDE joins lines inside of quotes, square brackets and tags, which we do on request.
fn is_broken_outside_angles(text: &str) -> bool {
    let in_angles = text.starts_with('<') && !text.starts_with("<link>");
    !in_angles && text.contains(['\n', '\t'])
}

fn may_stand(url: &str, pair: &[String]) -> bool {
    let bare = pair[0].is_empty();
    let closes = pair[0].len() == 1 && url.contains(&pair[1][..1]);
    !closes && (!bare || !url.contains([' ', '\n', '\t']))
}

/// KDE's rows of plain text and HTML, without those about telephone numbers without `tel:`.
pub fn kde_rows(file: &str) -> Vec<Case> {
    let tokens = tokens(file, Language::Cpp);
    let mut cases = Vec::new();
    for statement in tokens.split(|t| *t == Token::Mark(';')) {
        if !statement.contains(&Token::Word("newRow".to_owned())) {
            continue;
        }
        let parts: Vec<_> = elements(statement).map(text_of).collect();
        let [text, _, html] = parts.as_slice() else {
            continue;
        };
        let phones = html.matches("href=\"tel:").count();
        if phones == text.matches("tel:+").count() {
            cases.push(case(text, anchors(html), Looks::All));
        }
    }
    cases
}

/// The table of URI::Find for links without a scheme. It expects them with one.
pub fn uri_find(file: &str) -> Vec<Case> {
    let table = file.split("%Tests = (").nth(1).unwrap_or("");
    let table = table.split("# Convert plain string").next().unwrap_or("");
    let tokens = tokens(table, Language::Perl);
    let (mut cases, mut at) = (Vec::new(), 0);
    while let [Token::Text(text), Token::Mark('='), Token::Mark('>'), ..] = &tokens[at..] {
        at += 3;
        let mut links = Vec::new();
        let mut depth = 0;
        loop {
            match tokens.get(at) {
                Some(Token::Mark('[')) => depth += 1,
                Some(Token::Mark(']')) => depth -= 1,
                Some(Token::Text(link)) => links.push(link.clone()),
                Some(Token::Mark(',')) if depth == 0 => break,
                None => break,
                _ => {}
            }
            at += 1;
        }
        at += 1;
        cases.push(case(text, links, Looks::Web));
    }
    cases
}

/// The example of RFC 3986 appendix C in the tests of URI::Find.
pub fn uri_find_appendix_c(file: &str) -> Option<Case> {
    let (_, rest) = file.split_once("<<\"END\";\n")?;
    let (text, rest) = rest.split_once("\nEND\n")?;
    let (_, list) = rest.split_once("@Uris = (")?;
    let tokens = tokens(list.split_once(");")?.0, Language::Perl);
    let links = tokens.iter().filter_map(|t| match t {
        Token::Text(link) => Some(link.clone()),
        _ => None,
    });
    Some(case(text, links.collect(), Looks::All))
}

/// The tables of xurls: a text, and `nil`, `true` or the first link.
pub fn xurls(file: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let parts = file.split("doTest(t, \"").enumerate();
    for (i, part) in parts {
        let looks = match part.split('"').next() {
            _ if i == 0 => Looks::All,
            Some("Relaxed2") => Looks::All,
            Some("Strict2") => Looks::Scheme,
            _ => continue,
        };
        // Other tables follow.
        let table = part.split("\nfunc Test").next().unwrap_or("");
        let table = table.split_once("[]testCase{").map_or("", |t| t.1);
        cases.extend(xurls_table(&tokens(table, Language::Go), looks));
    }
    cases
}

fn xurls_table(tokens: &[Token], looks: Looks) -> Vec<Case> {
    use Token::*;
    let windows = tokens.windows(5).filter_map(|window| match window {
        [Mark('{'), Text(text), Mark(','), want, Mark('}')] => Some((text, want)),
        _ => None,
    });
    windows
        .map(|(text, want)| {
            let links = match want {
                Text(link) => vec![link.clone()],
                Word(word) if word == "true" => vec![text.clone()],
                _ => Vec::new(),
            };
            Case {
                first: true,
                ..case(text, links, looks)
            }
        })
        .collect()
}

/// Django's calls `urlize("text"), "html"` and pairs `("text", "html")`.
pub fn django(file: &str) -> Vec<Case> {
    use Token::*;
    let tokens = tokens(file, Language::Python);
    let mut cases = Vec::new();
    for i in 0..tokens.len() {
        let (text, rest) = match &tokens[i..] {
            [Word(name), Mark('('), Text(text), rest @ ..] if name == "urlize" => (text, rest),
            [
                Mark('('),
                Text(text),
                Mark(','),
                Text(html),
                Mark(','),
                Mark(')'),
                ..,
            ]
            | [Mark('('), Text(text), Mark(','), Text(html), Mark(')'), ..] => {
                cases.push(case(text, anchors(html), Looks::All));
                continue;
            }
            _ => continue,
        };
        let close = rest.iter().position(|t| *t == Mark(')')).unwrap_or(0);
        // Any argument but `autoescape` shortens the text of the link.
        if rest[..close].contains(&Mark('+'))
            || rest[..close].contains(&Word("trim_url_limit".into()))
        {
            continue;
        }
        if let Some([Mark(','), Text(html)]) = rest.get(close + 1..close + 3) {
            cases.push(case(text, anchors(html), Looks::All));
        }
    }
    cases
}

/// bleach's `linkify("text") == "html"` and its tables of pairs. Its input is HTML, so only texts without markup count,
/// and no text that a pattern of the test finds.
pub fn bleach(file: &str) -> Vec<Case> {
    use Token::*;
    let tokens = tokens(file, Language::Python);
    let mut cases = Vec::new();
    for i in 1..tokens.len() {
        let web = |text: &str| {
            if text.contains('@') {
                Looks::All
            } else {
                Looks::Web
            }
        };
        let made = match &tokens[i - 1..] {
            [Mark('.'), ..] => continue,
            [
                _,
                Word(name),
                Mark('('),
                Text(text),
                Mark(')'),
                Mark('='),
                Mark('='),
                Text(html),
                ..,
            ] if name == "linkify" => case(text, anchors(html), Looks::Web),
            [
                _,
                Mark('('),
                Text(text),
                Mark(','),
                Word(flag),
                Mark(','),
                Text(html),
                ..,
            ] => {
                let looks = if flag == "True" {
                    Looks::All
                } else {
                    Looks::Web
                };
                case(text, anchors(html), looks)
            }
            [
                _,
                Mark('('),
                Text(text),
                Mark(','),
                Text(link),
                Mark(','),
                Text(_),
                ..,
            ] => case(text, vec![link.clone()], Looks::Web),
            [
                _,
                Mark('('),
                Text(text),
                Mark(','),
                Text(dots),
                Mark(')'),
                ..,
            ] if dots.trim_matches('.').is_empty() && !dots.is_empty() => {
                case(&format!("{text}{dots}"), vec![text.clone()], Looks::Web)
            }
            [
                _,
                Mark('('),
                Text(text),
                Mark(','),
                Text(html),
                Mark(')' | ','),
                ..,
            ] => case(text, anchors(html), web(text)),
            _ => continue,
        };
        if !made.text.contains(['<', '&']) {
            cases.push(made);
        }
    }
    cases
}

/// urlextract's tables of a text and the list of its links.
pub fn urlextract(table: &str, looks: Looks) -> Vec<Case> {
    use Token::*;
    let tokens = tokens(table, Language::Python);
    let mut cases = Vec::new();
    for i in 0..tokens.len() {
        let [Mark('('), Text(text), Mark(','), Mark('['), rest @ ..] = &tokens[i..] else {
            continue;
        };
        let end = rest.iter().position(|t| *t == Mark(']')).unwrap_or(0);
        cases.push(case(text, texts(&rest[..end]), looks));
    }
    cases
}

fn texts(tokens: &[Token]) -> Vec<String> {
    let texts = tokens.iter().filter_map(|t| match t {
        Token::Text(text) => Some(text.clone()),
        _ => None,
    });
    texts.collect()
}

/// Tornado's rows `("text", {}, "html")`. Rows with options look for other links.
pub fn tornado(file: &str) -> Vec<Case> {
    use Token::*;
    let tokens = tokens(file, Language::Python);
    let rows = tokens.windows(7).filter_map(|row| match row {
        [
            Mark('('),
            Text(text),
            Mark(','),
            Mark('{'),
            Mark('}'),
            Mark(','),
            Text(html),
        ] => Some(case(text, anchors(html), Looks::Web)),
        _ => None,
    });
    rows.collect()
}

/// The rows `['text', 'html']` and `array('text', 'html')` of PHP's data providers.
pub fn php_rows(file: &str, looks: Looks) -> Vec<Case> {
    use Token::*;
    let tokens = tokens(file, Language::Php);
    let rows = tokens.windows(5).filter_map(|row| match row {
        [
            Mark('[' | '('),
            Text(text),
            Mark(','),
            Text(html),
            Mark(']' | ')'),
        ] => Some(case(text, anchors(html), looks)),
        _ => None,
    });
    rows.collect()
}

/// Redmine's pairs `'text' => 'html'`.
pub fn redmine(part: &str) -> Vec<Case> {
    use Token::*;
    let tokens = tokens(part, Language::Ruby);
    let pairs = tokens.windows(4).filter_map(|pair| match pair {
        [Text(text), Mark('='), Mark('>'), Text(html)] if !text.contains("#{") => {
            Some(case(text, targets(text, html), Looks::All))
        }
        _ => None,
    });
    pairs.collect()
}

/// Autolinker's calls of `link`, each followed by the resulting HTML. Its input is HTML, so only texts without markup
/// count.
pub fn autolinker(part: &str) -> Vec<Case> {
    use Token::*;
    let (tokens, mut cases, mut texts) =
        (tokens(part, Language::JavaScript), Vec::new(), Vec::new());
    for i in 0..tokens.len() {
        match &tokens[i..] {
            [
                Mark('.'),
                Word(name),
                Mark('('),
                Text(text),
                Mark(')' | ','),
                ..,
            ] if name == "link" => {
                texts.push(text);
            }
            [Word(name), Mark('('), Text(html), Mark(')'), ..]
                if name == "toBe" && !texts.is_empty() =>
            {
                let text = texts.remove(0);
                if !text.contains(['<', '&']) {
                    cases.push(case(text, targets(text, html), Looks::All));
                }
            }
            // Results of a variable or of a loop.
            [Mark('}'), Mark(')'), Mark(';'), ..] => texts.clear(),
            _ => {}
        }
    }
    cases
}

/// Konsole's rows: a text, and the first link in it.
pub fn konsole(file: &str) -> Vec<Case> {
    let tokens = tokens(file, Language::Cpp);
    let rows = tokens
        .split(|t| *t == Token::Mark(';'))
        .filter(|row| row.contains(&Token::Word("newRow".to_owned())));
    let cases = rows.filter_map(|row| {
        let parts: Vec<_> = elements(row).map(text_of).collect();
        let [text, link, _] = parts.as_slice() else {
            return None;
        };
        Some(Case {
            first: true,
            ..case(text, vec![link.clone()], Looks::All)
        })
    });
    cases.collect()
}

/// The functions of twitter-text that compare a list with the links of a text.
pub fn twitter_text(file: &str) -> Vec<Case> {
    use Token::*;
    let functions = file.split("#[test]").skip(1);
    let wanted = functions.filter(|f| {
        f.contains(".extract_urls(") && !f.contains("set_extract_url_without_protocol(false)")
    });
    let mut cases: Vec<Case> = Vec::new();
    for function in wanted {
        let tokens = tokens(function, Language::Rust);
        let list_behind = |marks: [Token; 4]| {
            let list = &tokens[tokens.windows(4).position(|window| window == marks)? + 4..];
            Some(texts(&list[..list.iter().position(|t| *t == Mark(']'))?]))
        };
        let word = |word: &str| Word(word.to_owned());
        // A list of links, each a text of its own.
        if let Some(links) = list_behind([word("urls"), Mark('='), word("vec"), Mark('!')]) {
            cases.extend(
                links
                    .iter()
                    .map(|link| case(link, vec![link.clone()], Looks::Web)),
            );
        }
        let text = tokens.windows(3).find_map(|window| match window {
            [Word(name), Mark('=' | '('), Text(text)]
                if name == "text" || name == "extract_urls" =>
            {
                Some(text)
            }
            _ => None,
        });
        let links = list_behind([word("assert_eq"), Mark('!'), Mark('('), word("vec")]);
        if let (Some(text), Some(links)) = (text, links) {
            cases.push(case(text, links, Looks::Web));
        }
    }
    cases
}

/// The examples for links in GitHub's specification of Markdown: the paragraphs of each, and the HTML that is made of
/// them.
pub fn gfm(file: &str) -> Vec<Case> {
    let examples = file
        .split("```````````````````````````````` example")
        .skip(1);
    let examples = examples.filter_map(|example| {
        let (_, body) = example.split_once('\n')?;
        let (text, html) = body.split("\n````").next()?.split_once("\n.\n")?;
        let texts: Vec<&str> = text.split("\n\n").collect();
        let parts: Vec<&str> = html
            .split("</p>")
            .filter(|part| part.contains("<p>"))
            .collect();
        (texts.len() == parts.len()).then(|| texts.into_iter().zip(parts))
    });
    let pairs = examples.flatten();
    pairs
        .map(|(text, html)| case(text, anchors(html), Looks::All))
        .collect()
}
