//! Profile `extended`: domains and e-mail addresses without a scheme, found at the dot in front of their last label.

use super::Kind;
use super::angle;
use super::classes::{GLUE, INVISIBLE, LOCAL, is_ignored};
use super::disguised;
use super::escapes;
use super::field_names;
use super::find::{Finder, Found, Link, MAX_LINK};
use super::host::{self, Port};
use super::host_punctuation::{self, is_symbol};
use super::lists;
use super::names::{self, Behind};
use super::particles::{self, Script};
use super::prefixes;
use super::tail::Tail;

/// The most names of fields in front of an address.
const MAX_FIELDS: usize = 4;

/// A host without a scheme, and without the words glued to it.
struct BareHost {
    start: usize,
    end: usize,
    /// The start of the last label.
    last_label: usize,
    /// True if the host ends with a top-level domain that the scanner knows.
    has_known_tld: bool,
    /// True if words were cut off the end of the host. Then no port or path follows.
    is_cut: bool,
}

impl Finder<'_, '_> {
    /// Judges the dot at `dot`.
    pub(super) fn extended_domain(&self, dot: usize) -> Found {
        let Some(bare) = self.bare_host(dot) else {
            return Found::Nothing;
        };
        if self.text.byte(bare.end) == b']' && self.text.ends(bare.start, self.floor, "@[") {
            let link = self.literal_email(bare.start - 2);
            return link.map_or(Found::Nothing, Found::Link);
        }
        let is_address = bare.start > self.floor && self.text.before(bare.start) == Some('@');
        if is_address {
            return self.extended_email(&bare);
        }
        match self.domain_link(&bare) {
            Some(link) => {
                let address = || self.address_around(&bare, link);
                let whole = angle::domain(self, link).or_else(address);
                Found::Link(whole.unwrap_or(link))
            }
            None => Found::Nothing,
        }
    }

    /// The address in whose local part a domain stands: `first.me+tag@example.org`.
    fn address_around(&self, bare: &BareHost, link: Link) -> Option<Link> {
        let text = self.text;
        if link.end != bare.end {
            return None;
        }
        let at_sign = host::local_end(text, link.end)?;
        let host = at_sign + 1;
        let address = if text.byte(host) == b'[' {
            self.literal_email(at_sign)?
        } else {
            let end = host::reg_name_end(text, host, "");
            let name = text.slice(host, end).trim_end_matches(host::is_dot);
            let dot = host + name.rfind(host::is_dot)?;
            let address = self.bare_host(dot).filter(|bare| bare.start == host)?;
            match self.extended_email(&address) {
                Found::Link(address) => address,
                _ => return None,
            }
        };
        (address.start <= link.start).then_some(address)
    }

    /// The address whose host is an IP address in brackets (RFC 5321 4.1.3): `ann@[192.0.2.7]`.
    fn literal_email(&self, at_sign: usize) -> Option<Link> {
        let end = host::address_literal_end(self.text, at_sign + 1)?;
        let start = self.email_start(at_sign)?;
        Some(Link::new(start, end, Kind::Email))
    }

    fn bare_host(&self, dot: usize) -> Option<BareHost> {
        let text = self.text;
        let label = dot + text.char(dot).len_utf8();
        let run = host::label_end(text, label);
        let whole = text.slice(label, run);
        let name = host::trim_loose(whole, &['-']);
        let end = label + host::trim_unmodifying(whole, &['-']).len();
        // UTS 58 takes a hyphen at the end for a part of the label. Here the hyphen belongs to the sentence, and two
        // hyphens with a `>` end a comment. Only `www.` makes such a host a link.
        let loose = whole.get(name.len()..).unwrap_or("");
        let hyphened = loose.contains('-') && !(loose == "--" && text.byte(run) == b'>');
        let tlds = self.scanner.tlds();
        let goes_on = || self.host_goes_on(run, self.may_have_full_stops(dot, label, name));
        if end == label || goes_on() || escapes::is_within_name(text, run) {
            return None;
        }
        let (end, known, cut) = if hyphened {
            (end, false, true)
        } else if tlds.contains(name) {
            (end, true, false)
        } else if let Some(end) = self.unglued_tld(label, name) {
            (end, true, true)
        } else {
            (end, false, false)
        };
        // Without a known top-level domain only `www.` makes a host a link, and then all its dots are `.`.
        if !known && text.byte(dot) != b'.' {
            return None;
        }
        let run_start = host::host_start(text, dot, self.floor).filter(|&start| start < dot)?;
        let run_start = escapes::host_start(text, self.floor, run_start, dot);
        let run_start = self.behind_ignored(run_start, dot);
        let start = self.sentence_start(run_start, dot, run)?;
        let start = self.unglued_start(start, dot);
        let start = self.behind_ignored(start, dot);
        let start = start + host::combining_len(text.slice(start, dot));
        if start > 1 && escapes::is_within_name(text, start - 2) {
            return None;
        }
        host::are_labels(text.slice(start, end)).then_some(BareHost {
            start,
            end,
            last_label: label,
            has_known_tld: known,
            is_cut: cut,
        })
    }

    /// True if a `。` behind the label of a dot may belong to the same host. Hosts do not mix `。` with `.`, except
    /// behind `www` or an `@`.
    fn may_have_full_stops(&self, dot: usize, label: usize, name: &str) -> bool {
        let known = self.scanner.tlds().contains(name) || self.unglued_tld(label, name).is_some();
        self.text.byte(dot) != b'.' || !known
    }

    /// True if the host goes on with a dot and another label: then that dot decides. `wide`: a `。` counts as a dot if a
    /// known domain follows.
    fn host_goes_on(&self, at: usize, wide: bool) -> bool {
        let ch = self.text.char(at);
        (ch == '.' || host_punctuation::is_wide_stop(ch))
            && host::is_label(self.text, self.text.char(at + ch.len_utf8()))
            && (ch == '.' || wide && !self.sentence_follows(at))
    }

    /// True if the `。` at a position ends a sentence: no known domain follows it.
    fn sentence_follows(&self, at: usize) -> bool {
        let label = at + self.text.char(at).len_utf8();
        let end = host::label_end(self.text, label);
        !self.scanner.tlds().contains(self.text.slice(label, end))
    }

    /// The start of the host behind the sentences in front of it. `None`: the `。` at `dot` also ends a sentence. `end`:
    /// the end of the label behind the dot.
    ///
    /// A `。` separates labels behind `www.` or `@`. Elsewhere it separates labels only in a run that is a domain and
    /// nothing else, and not in a host that has a `.`.
    fn sentence_start(&self, start: usize, dot: usize, end: usize) -> Option<usize> {
        let run = self.text.slice(start, dot);
        let behind = |at: usize| start + at + run.get(at..).map_or(0, first_char_len);
        let plain = start > self.floor && self.text.before(start) == Some('@');
        if plain {
            return Some(start);
        }
        let sentences = run
            .match_indices(host_punctuation::is_wide_stop)
            .map(|(at, _)| behind(at));
        let mut begins = std::iter::once(start).chain(sentences);
        if let Some(www) = begins.find(|&at| has_www(self.text.slice(at, dot))) {
            return Some(www);
        }
        if self.text.byte(dot) == b'.' {
            return Some(
                run.rfind(host_punctuation::is_wide_stop)
                    .map_or(start, behind),
            );
        }
        self.is_plain_run(start, dot, end).then_some(start)
    }

    /// True if a host whose last dot is the `。` at `dot` fills its run, and does not read as a sentence: its labels
    /// are all in ASCII, or none has ASCII.
    fn is_plain_run(&self, start: usize, dot: usize, end: usize) -> bool {
        let (name, top) = self.text.slice(start, end).split_at(dot - start);
        let is_letter = |ch: &char| !host_punctuation::is_wide_stop(*ch);
        let mut letters = name.chars().chain(top.chars()).filter(is_letter);
        let is_ascii = letters.next().is_some_and(|ch| ch.is_ascii());
        let is_even = letters.all(|ch| ch.is_ascii() == is_ascii);
        // Behind Hiragana a sentence ends, and a capital begins one.
        let is_sentence = if is_ascii {
            top.contains(|ch: char| ch.is_ascii_uppercase())
        } else {
            name.ends_with(|ch| particles::script(ch) == Some(Script::Hiragana))
        };
        let is_space = |ch: char| ch.is_whitespace() || ch == '\0';
        let is_alone =
            self.text.before(start).is_none_or(is_space) && is_space(self.text.char(end));
        is_alone && is_even && !is_sentence && !name.contains('.')
    }

    /// The end of an ASCII top-level domain to which pictographs or words of a script without spaces are glued.
    fn unglued_tld(&self, label: usize, name: &str) -> Option<usize> {
        let is_word =
            |&(_, ch): &(usize, char)| !ch.is_ascii() && (!is_ignored(ch) || is_symbol(ch));
        let (at, first) = name.char_indices().find(is_word)?;
        let tld = host::without_ignored(name.get(..at)?);
        let glued = self.text.is(first, GLUE)
            || is_symbol(first)
            || host_punctuation::is_separating_dot(name, at, first)
            || host_punctuation::joins_suffix(first)
            || host::is_hebrew_quote(tld.chars().next_back(), first);
        let known = glued && self.scanner.tlds().contains(tld);
        known.then_some(label + tld.len())
    }

    /// The start of the host behind words of another script that are glued to its ASCII name.
    fn unglued_start(&self, start: usize, dot: usize) -> usize {
        let is_free = start == self.floor || self.text.before(start) != Some('@');
        let first = self.text.slice(start, dot);
        if let Some(prefix) = prefixes::prefix_len(first).filter(|_| is_free) {
            return start + prefix;
        }
        let label = first.split(host::is_dot).next().unwrap_or("");
        let is_word = |&(_, ch): &(usize, char)| !ch.is_ascii() && !is_ignored(ch);
        let Some((at, ch)) = label.char_indices().rfind(is_word) else {
            return start;
        };
        let behind = self.behind_ignored(start + at + ch.len_utf8(), start + label.len()) - start;
        let ascii = label.get(behind..).unwrap_or("");
        let head = label.get(..at).unwrap_or("");
        let mark = matches!(ch, '\u{200C}' | '\u{200D}') || self.is_separated_by(head, ch);
        // An arrow, star or pictograph in front of a name introduces the name; inside of a name it is a part of the
        // name.
        let sign = is_symbol(ch) && !head.contains(|c: char| c.is_ascii());
        let glued = self.text.is(ch, GLUE) || mark || sign;
        if glued && ascii.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return start + behind;
        }
        start
    }

    /// True if a mark separates the words in front of it from an ASCII name. Marks that are not Japanese occur in
    /// Latin names, so words of a script without spaces must stand in front of them.
    fn is_separated_by(&self, words: &str, ch: char) -> bool {
        let is_glue = |last: char| self.text.is(last, GLUE);
        matches!(ch, '・' | '･')
            || host_punctuation::is_dot_or_hyphen(ch) && words.ends_with(is_glue)
    }

    /// The position behind ignored characters, at most `end`. Hosts have such characters only between letters.
    fn behind_ignored(&self, start: usize, end: usize) -> usize {
        let run = self.text.slice(start, end);
        end - run.trim_start_matches(is_ignored).len()
    }

    fn domain_link(&self, bare: &BareHost) -> Option<Link> {
        let text = self.text;
        let host = text.slice(bare.start, bare.end);
        let www = host.len() > 4 && has_www(host);
        let number = !bare.is_cut && host::is_ipv4(host);
        if !(bare.has_known_tld || www || number) || !self.stands_free(bare, www) {
            return None;
        }
        if host.contains(host::is_no_letter) {
            return None;
        }
        // `www..`: an empty label, so this is no host.
        if !bare.has_known_tld && text.has(bare.end, "..") && self.is_label_at(bare.end + 2) {
            return None;
        }
        let (authority, tail) = self.bare_end(bare)?;
        if tail == bare.end && !www && self.is_prose(bare) {
            return None;
        }
        // `main.rs:12`, `README.md?plain=1`: a line number, a query and a fragment are no paths.
        let has_path = text.byte(authority) == b'/' && tail > authority;
        let behind = if has_path {
            Behind::Path
        } else {
            Behind::Other
        };
        let top = bare.last_label - bare.start;
        let is_disguised = tail == bare.end && disguised::is_domain(text, bare.start, bare.end);
        let is_name = || !is_disguised && names::is_link(host, top, behind);
        let is_link = || is_name() || self.scanner.has_host(host);
        let refused = !www && bare.has_known_tld && !is_link();
        let no_host = number && (!has_path || is_network(host, text.slice(authority, tail)));
        (!refused && !no_host).then_some(Link::new(bare.start, tail, Kind::Domain))
    }

    /// The end of the host with its port, and the end of the link.
    fn bare_end(&self, bare: &BareHost) -> Option<(usize, usize)> {
        let text = self.text;
        if bare.is_cut {
            return Some((bare.end, bare.end));
        }
        let end = host::absolute_end(text, bare.end);
        let (end, has_port) = match host::port(text, end) {
            Port::None => (end, false),
            Port::Until(end) => (end, true),
            Port::OutOfRange => return None,
        };
        let manner = self.manner(bare.start, self.outer(bare.start));
        let tail = Tail::new(text, manner, bare.start + MAX_LINK).end(end);
        if tail == end && !has_port {
            return Some((bare.end, bare.end));
        }
        Some((end, tail))
    }

    /// True if a name under a native top-level domain that is an everyday word is prose: the number of an item
    /// (`1.中国`), or a sentence and the start of the next (`祖国。中国，`).
    fn is_prose(&self, bare: &BareHost) -> bool {
        let text = self.text;
        let names = text.slice(bare.start, bare.last_label);
        let next = text.char(bare.end);
        let goes_on = !next.is_ascii() && !next.is_whitespace();
        let is_sentence = text.before(bare.last_label) == Some('。') && goes_on;
        let is_number =
            names.chars().count() <= 2 || names.chars().all(|ch| ch.is_numeric() || ch == '.');
        !text.slice(bare.last_label, bare.end).is_ascii() && (is_sentence || is_number)
    }

    fn is_label_at(&self, at: usize) -> bool {
        host::is_label(self.text, self.text.char(at))
    }

    /// True if the characters beside a host allow a link: the host is not inside of a path, a name with underscores, a
    /// variable or an e-mail address.
    fn stands_free(&self, bare: &BareHost, www: bool) -> bool {
        let text = self.text;
        let begins = bare.start == self.floor && bare.start > 0
            || match text.before(bare.start) {
                None => true,
                Some('_') => false,
                // ESC \ ends a control string of a terminal (ECMA-48).
                Some('\\') => text.before(bare.start - 1) == Some('\u{1B}'),
                Some('$' | '%') => false,
                // An address with a wide `@`, which no mail program understands.
                Some(sign @ ('＠' | '﹫')) => {
                    let local = bare.start - sign.len_utf8();
                    !text.byte_before(local).is_ascii_alphanumeric()
                }
                Some('/') => self.is_network_path(bare.start),
                Some(_) => true,
            };
        let ends = match text.char(bare.end) {
            '@' => false,
            '_' => false,
            '=' => www,
            _ => true,
        };
        begins && ends
    }

    /// True if exactly `//` stands in front of the host, with neither a name nor a scheme in front.
    fn is_network_path(&self, start: usize) -> bool {
        let text = self.text;
        let free =
            |ch: Option<char>| ch.is_none_or(|ch| !(ch.is_alphanumeric() || "/:_.".contains(ch)));
        start >= 2 && text.before(start - 1) == Some('/') && free(text.before(start - 2))
    }

    fn extended_email(&self, bare: &BareHost) -> Found {
        let text = self.text;
        let at_sign = bare.start - 1;
        if text.byte(bare.end) == b'@' {
            return Found::Nothing;
        }
        // `user:password@example.org:8080/a`: an authority without its scheme.
        if let Port::Until(end) = host::port(text, bare.end)
            && matches!(text.byte(end), b'/' | b'?' | b'#')
        {
            return Found::Skip(end);
        }
        let angle = || {
            let run = host::local_start(text, at_sign, self.floor)?;
            self.angle_email(run, bare)
        };
        if !bare.has_known_tld {
            // A message says where it was written, even if no registry knows the name.
            let is_special = lists::is_special_use(text.slice(bare.last_label, bare.end))
                && !self.scanner.has_own_tlds();
            let link = is_special.then(angle).flatten();
            return link.map_or(Found::Nothing, Found::Link);
        }
        if let Some(link) = angle() {
            return Found::Link(link);
        }
        match self.email_start(at_sign) {
            Some(start) => Found::Link(Link::new(start, bare.end, Kind::Email)),
            None => Found::Skip(bare.end),
        }
    }

    /// The start of the address whose `@` stands at `at_sign`. `None`: there is no address.
    fn email_start(&self, at_sign: usize) -> Option<usize> {
        let text = self.text;
        let run = host::local_start(text, at_sign, self.floor)?;
        let run = escapes::address_start(text, run, at_sign);
        // Braces and bars are markup around an address, although a local part may hold them.
        let local = text.slice(run, at_sign);
        let has_name = local.contains(char::is_alphanumeric);
        let markup = local.rfind(['{', '}', '|']).filter(|_| has_name);
        let run = markup.map_or(run, |at| run + at + 1);
        let run = self.quoted_start(run, at_sign);
        let start = self.local_part_start(run, at_sign);
        let start = self.behind_field_names(start, at_sign)?;
        let local = text.slice(start, at_sign);
        let userinfo = text.slice(run, at_sign).starts_with("//") && text.before(run) == Some(':');
        // `@ann@example.social` is an account on a server.
        let is_account = start > self.floor && text.before(start) == Some('@');
        let is_half = local.starts_with('-') && escapes::is_hyphen(text, start.saturating_sub(1))
            || start > 1 && escapes::is_within_name(text, start - 2);
        let is_address = !userinfo && !is_account && !is_half && host::is_local_part(local);
        is_address.then_some(start)
    }

    /// The address whose local part begins at `run`, if angle brackets enclose it exactly. The brackets then hold an
    /// addr-spec or a message identifier (RFC 5322 3.4, 3.6.4), of which characters that look like markup are a part.
    fn angle_email(&self, run: usize, bare: &BareHost) -> Option<Link> {
        let text = self.text;
        let is_held =
            run > self.floor && text.byte_before(run) == b'<' && text.byte(bare.end) == b'>';
        let local = text.slice(run, bare.start - 1);
        let is_local = is_held && host::is_local_part(local) && local.chars().all(is_atext);
        is_local.then_some(Link::new(run, bare.end, Kind::Email))
    }

    /// The start of the local part behind names of fields and the marks between them. `None`: too many for an address.
    fn behind_field_names(&self, start: usize, at_sign: usize) -> Option<usize> {
        let mut start = start;
        for _ in 0..MAX_FIELDS {
            let begin = start + field_names::value_start(self.text.slice(start, at_sign));
            if begin == start {
                return Some(start);
            }
            start = self.local_part_start(begin, at_sign);
        }
        None
    }

    /// The start of a local part with a quoted string between dots: `a."b".c@`.
    fn quoted_start(&self, run: usize, at_sign: usize) -> usize {
        let text = self.text;
        let quoted = run < at_sign && text.byte(run) == b'.' && text.before(run) == Some('"');
        if !quoted {
            return run;
        }
        let Some(open) =
            host::local_start(text, run - 1, self.floor).filter(|&o| o < run - 1 && o > self.floor)
        else {
            return run;
        };
        if text.before(open) != Some('"') || text.before(open - 1) != Some('.') {
            return run;
        }
        host::local_start(text, open - 1, self.floor).unwrap_or(run)
    }

    /// The start of the local part proper: behind marks of emphasis, quotes and separators, and behind words of a
    /// script without spaces that are glued to an ASCII name.
    fn local_part_start(&self, run: usize, at_sign: usize) -> usize {
        let local = self.text.slice(run, at_sign);
        let marks = |ch: char| {
            let is_markup = "'`*{}|=/?!&#%^$~".contains(ch);
            is_markup || host_punctuation::is_middle_dot(ch) || self.text.is(ch, INVISIBLE)
        };
        let bare = local.trim_start_matches(marks);
        let bare = behind_home(local, bare);
        // A local part may consist of special characters alone.
        if !bare.is_empty() && !local.contains(char::is_alphanumeric) {
            return run;
        }
        let skipped = local.len() - bare.len();
        let glued = bare.char_indices().rfind(|(_, ch)| !ch.is_ascii());
        let is_word = |&(at, ch): &(usize, char)| {
            let words = bare.get(..at).unwrap_or("");
            (self.text.is(ch, GLUE) || self.is_separated_by(words, ch)) && self.text.is(ch, LOCAL)
        };
        let Some((at, ch)) = glued.filter(is_word) else {
            return run + skipped;
        };
        let behind = bare.get(at + ch.len_utf8()..).unwrap_or("");
        if behind.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return run + skipped + at + ch.len_utf8();
        }
        run + skipped
    }
}

/// The local part with the `~` of a home folder, which is a part of the address: `~ann/list@example.org`. `bare`: the
/// local part without the marks in front.
fn behind_home<'l>(local: &'l str, bare: &'l str) -> &'l str {
    let home = local.strip_prefix('~');
    if home == Some(bare) && bare.contains('/') {
        local
    } else {
        bare
    }
}

/// True if an IPv4 address with a path is a network: a number or a mask stands behind its `/`, alone or in a list
/// (`10.1.1.0/24,10.1.2.0/24`), or it is the address that reaches a whole network. Of 115 in manual pages one is a
/// link.
fn is_network(host: &str, path: &str) -> bool {
    let first = path.split([',', ';', '=', '(', ':', '\\']).next();
    let is_mask = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'/' | b'.');
    host.ends_with(".255") || first.unwrap_or(path).bytes().all(is_mask)
}

/// True if a character may stand in an unquoted ASCII local part: `atext` (RFC 5322 3.2.3) or a dot.
fn is_atext(ch: char) -> bool {
    ch.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(ch)
}

/// The length of the first character.
fn first_char_len(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

/// True if a name begins with `www.`.
pub(super) fn has_www(name: &str) -> bool {
    name.get(..4)
        .is_some_and(|begin| begin.eq_ignore_ascii_case("www."))
}
