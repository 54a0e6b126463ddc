//! Applies rules to the targets of references, in any spelling.

use super::halves::{is_normal, normal_form};
use super::rules::{Rules, Ruling, Verdict, without_scheme};
use crate::charset::Charset;
use crate::iri::scheme::is_special;
use crate::iri::target::{Reading, same_at_a_glance};
use crate::iri::{Strictness, ToUri, resolve};
use crate::link::{as_parsed, is_relative, scheme_of};

impl Rules {
    /// The verdict on the target of a reference; on its own spelling, if the rules give the same for that. A reference
    /// within the document stays.
    pub(super) fn resolved(&self, reference: &str, reading: Reading<'_>) -> Verdict {
        let reference = as_parsed(reference);
        let Some(target) = target(&reference, reading) else {
            return Verdict::NONE;
        };
        let spelled = spelled(&reference, reading, &target);
        let of_spelled = spelled
            .as_deref()
            .and_then(|spelled| self.prefixed_or_patterned(spelled));
        let Some(of_target) = self.prefixed_or_patterned(&target) else {
            // A pattern may name characters, not their escapes.
            let plain = spelled.as_deref();
            let plain = plain.filter(|spelled| is_spelling(spelled, &target));
            let of_spelled = of_spelled.filter(|found| Some(&found.new) != spelled.as_ref());
            return match of_spelled.filter(|_| plain.is_some()) {
                Some(found) if !found.leads_elsewhere && reading.resolve(&found.new).is_some() => {
                    Ruling::Becomes(found.new).by(found.rule)
                }
                Some(found) => Ruling::Stuck.by(found.rule),
                None => Verdict::NONE,
            };
        };
        if of_target.new == target {
            return Ruling::Silent.by(of_target.rule);
        }
        let wanted = reading.resolve(&of_target.new);
        let Some(wanted) = wanted.filter(|_| !of_target.leads_elsewhere) else {
            return Ruling::Stuck.by(of_target.rule);
        };
        let same = of_spelled.filter(|found| reading.resolve(&found.new).as_ref() == Some(&wanted));
        let found = same.unwrap_or(of_target);
        Ruling::Becomes(found.new).by(found.rule)
    }

    /// As [`normalized`](Self::normalized), for a reference with a scheme or a host whose scheme some prefix has. Only
    /// for schemes whose references browsers normalize: in `foo://old.example?x` browsers see no path and an opaque
    /// host. A reference that takes its scheme from the base stays without one, if the new one is the same.
    pub(super) fn spelled_otherwise(
        &self,
        reference: &str,
        reading: Reading<'_>,
    ) -> Option<(usize, Verdict)> {
        let parsed = as_parsed(reference);
        let is_bare = parsed.starts_with("//");
        let scheme = match reading.base {
            Some(base) if is_bare => scheme_of(base)?,
            None if is_relative(&parsed) => return None,
            _ => scheme_of(&parsed)?,
        };
        let is_plain = || !is_bare && !self.has_odd && is_normal(reference);
        if !is_special(scheme) || !self.has_scheme(scheme) || is_plain() {
            return None;
        }
        let (rank, mut verdict) = self.normalized(reference, reading)?;
        if let Ruling::Becomes(new) = &mut verdict.ruling
            && let Some(bare) = without_scheme(new, scheme).filter(|_| is_bare)
        {
            *new = bare.to_owned();
        }
        Some((rank, verdict))
    }

    /// The rank and the result of a prefix that names the normal form of a reference. The rest behind the prefix keeps
    /// its spelling, if the rest can be found.
    pub(super) fn normalized(
        &self,
        reference: &str,
        reading: Reading<'_>,
    ) -> Option<(usize, Verdict)> {
        let reference = as_parsed(reference);
        let target = target(&reference, reading)?;
        let normal = normal_form(&target);
        let rule = self.normal.naming(&normal)?;
        let found = rule.matched(&normal)?;
        if found.new == normal {
            return Some((rule.rank, Ruling::Silent.by(rule.rule)));
        }
        let wanted = reading.resolve(&found.new);
        let Some(wanted) = wanted.filter(|_| !found.leads_elsewhere) else {
            return Some((rule.rank, Ruling::Stuck.by(rule.rule)));
        };
        let wanted = normal_form(&wanted);
        let is_wanted = |new: &String| {
            let target = reading.resolve(new);
            target.is_some_and(|target| normal_form(&target) == wanted)
        };
        let spelled = spelled(&reference, reading, &target);
        let rest = behind_prefix(spelled.as_deref().unwrap_or(&reference), &rule.from);
        let own = rest.map(|rest| rule.followed_by(rest)).filter(is_wanted);
        Some((
            rule.rank,
            Ruling::Becomes(own.unwrap_or(found.new)).by(rule.rule),
        ))
    }

    /// The rank of the prefix that names a reference as written, or its target.
    pub(super) fn rank(&self, reference: &str, reading: Reading<'_>) -> usize {
        let target = target(&as_parsed(reference), reading);
        let texts = std::iter::once(reference).chain(target.as_deref());
        texts
            .filter_map(|text| self.prefixed(text))
            .map(|found| found.rank)
            .max()
            .unwrap_or(0)
    }
}

/// The target of a reference, if it is known and not within the document.
fn target(reference: &str, reading: Reading<'_>) -> Option<String> {
    let inside = reference.is_empty() || reference.starts_with('#');
    let is_known = reading.base.is_some() || !is_relative(reference);
    reading.resolve(reference).filter(|_| !inside && is_known)
}

/// A reference as written, with the parts that its base adds in front (RFC 3986 5.2), if this has the same target.
fn spelled(reference: &str, reading: Reading<'_>, target: &str) -> Option<String> {
    let whole = resolve(reading.base?, reference, Strictness::Strict).ok()?;
    let alone = Reading {
        base: None,
        ..reading
    };
    let same = alone.resolve(&whole).as_deref() == Some(target);
    same.then(|| whole.to_string())
}

/// True if the URI form of `spelled` is `uri`, except for escapes.
fn is_spelling(spelled: &str, uri: &str) -> bool {
    let mapped = ToUri::default().map(spelled);
    mapped.is_ok_and(|mapped| same_at_a_glance(uri, &mapped.text, Charset::UTF_8))
}

/// The rest behind a prefix in another spelling: that spelling has as many slashes, and ends with a component.
fn behind_prefix<'r>(reference: &'r str, prefix: &str) -> Option<&'r str> {
    let slashes = prefix.matches('/').count();
    let (at, _) = reference.match_indices('/').nth(slashes.checked_sub(1)?)?;
    let behind = reference.get(at + 1..)?;
    if prefix.ends_with('/') {
        return Some(behind);
    }
    let end = behind.find(['/', '?', '#']).unwrap_or(behind.len());
    behind.get(end..)
}

#[cfg(test)]
mod tests {
    use super::super::Reach;
    use super::super::testing::rules;
    use super::*;

    #[test]
    fn relative_references_on_request() {
        let rules = rules(&[
            "http://a.example/ http://b.example/",
            "http://a.example/x/y/ http://c.example/",
            r"re:^http://a\.example/z/(\d) /n/$1",
            "local.html moved.html",
        ]);
        let base = Some("http://a.example/x/%C3%BC?q");
        let cases = [
            ("p", Some("http://b.example/x/p")),
            ("y/p", Some("http://c.example/p")),
            (" ./y/./p\n", Some("http://c.example/p")),
            ("/z/7", Some("http://b.example/z/7")),
            ("?r", Some("http://b.example/x/%C3%BC?r")),
            ("\u{e9}", Some("http://b.example/x/\u{e9}")),
            ("local.html", Some("moved.html")),
            ("#f", None),
            ("", None),
            ("mailto:x", None),
            ("http://d.example/", None),
        ];
        for (reference, expected) in cases {
            let new = rules.apply_at(reference, base, Reach::Resolved);
            assert_eq!(new.as_deref(), expected, "{reference:?}");
            let as_written = rules.apply_at(reference, base, Reach::AsWritten);
            assert_eq!(
                as_written.is_some(),
                reference == "local.html",
                "{reference:?}"
            );
            assert_eq!(rules.apply_at("p", None, Reach::Resolved), None);
        }
        // The base is in URI form; the rule and the reference are not.
        let mut rules = Rules::default();
        rules
            .add("http://a.example/\u{fc}/\u{e9}/ http://b.example/")
            .unwrap();
        let base = Some("http://a.example/%C3%BC/");
        let new = rules.apply_at("\u{e9}/1", base, Reach::Resolved);
        assert_eq!(new.as_deref(), Some("http://b.example/1"));
    }

    /// References that are equivalent to those of rules, with their replacements.
    #[test]
    fn rules_see_other_spellings() {
        let rules = rules(&[
            "http://old.example/~x/ http://new.example/y/",
            "http://old.example/~x/%C3%A9%2f http://e.example/",
            "https://Old.example:443/ü https://n.example/u",
            "mailto:A@old.example mailto:b@new.example",
        ]);
        let cases = [
            (
                "HTTP://Old.Example/%7Ex/a/%7e",
                Some("http://new.example/y/a/%7e"),
            ),
            (
                "http://old.example:80/~x/a?b#c",
                Some("http://new.example/y/a?b#c"),
            ),
            (
                "http://old.example/./b/../%7ex/a/../c",
                Some("http://new.example/y/c"),
            ),
            (
                "http:\\\\old.example\\%7Ex\\a",
                Some("http://new.example/y/a"),
            ),
            ("\thttp://old.example/%7Ex/ ", Some("http://new.example/y/")),
            (
                "http://old.example/%7Ex/\u{e9}/1",
                Some("http://new.example/y/\u{e9}/1"),
            ),
            (
                "http://old.example:/~x/%c3%a9%2F",
                Some("http://e.example/"),
            ),
            ("https://old.example/%c3%BC", Some("https://n.example/u")),
            (
                "https://old.example:443/%c3%bc/1",
                Some("https://n.example/u/1"),
            ),
            ("http://old.example:8080/~x/a", None),
            ("http://old.example/~x", None),
            ("http://old.example/%2Fx/", None),
            ("http://old.example/~X/a", None),
            ("https://old.example/~x/a", None),
            ("http://new.example/y/a", None),
        ];
        for (reference, expected) in cases {
            let reaches = [Reach::AnySpelling, Reach::Resolved];
            let bases = [None, Some("http://h/")];
            for (reach, base) in reaches.iter().flat_map(|r| bases.map(|base| (*r, base))) {
                let new = rules.apply_at(reference, base, reach);
                assert_eq!(new.as_deref(), expected, "{reference:?}");
                let Some(new) = new else { continue };
                let twice = rules.apply_at(&new, base, reach);
                assert_eq!(twice, None, "{reference:?} became {new:?}");
            }
        }
        let base = Some("http://old.example/a/");
        let new = rules.apply_at("../%7Ex/b", base, Reach::Resolved);
        assert_eq!(new.as_deref(), Some("http://new.example/y/b"));
        // Prefixes without a slash at the end.
        let bare = self::rules(&[
            "http://o.example http://n.example",
            "http://p.example/~a http://q.example/b",
        ]);
        let cases = [
            ("HTTP://O.example:80/%7Ex", Some("http://n.example/%7Ex")),
            ("http://o.example:80", Some("http://n.example/")),
            ("http://o.example:80?x", Some("http://n.example/?x")),
            ("http://o.example.org:80/x", None),
            ("http://P.example/%7ea?b#c", Some("http://q.example/b?b#c")),
            ("http://p.example/%7Ea/%7e", Some("http://q.example/b/%7e")),
            ("http://p.example/%7Eab", None),
        ];
        for (reference, expected) in cases {
            let new = bare.apply_at(reference, None, Reach::Resolved);
            assert_eq!(new.as_deref(), expected, "{reference:?}");
        }
        // The output of a rule is left alone in any spelling.
        let deeper = self::rules(&["http://o.example/ http://o.example/%7Enew/"]);
        let new = deeper.apply_at("http://o.example:80/x", None, Reach::Resolved);
        assert_eq!(new.as_deref(), Some("http://o.example/%7Enew/x"));
        let again = deeper.apply_at("HTTP://o.example:80/%7Enew/x", None, Reach::Resolved);
        assert_eq!(again, None);
    }

    /// The base gives the scheme of a reference with a host, and the host of one with its scheme (URL Standard 4.4).
    #[test]
    fn rules_see_references_that_need_the_scheme_of_their_base() {
        let secure = rules(&["old.example https://new.example"]);
        let plain = rules(&["http://old.example/ http://new.example/"]);
        for (reference, https, http) in [
            (
                "//old.example:80/b",
                "https://new.example/b",
                "//new.example/b",
            ),
            (
                "/\\old.example/b",
                "https://new.example/b",
                "//new.example/b",
            ),
            (
                "//OLD.example/%62",
                "https://new.example/%62",
                "//new.example/%62",
            ),
            ("http:/b", "https://new.example/b", "http://new.example/b"),
            ("http:b", "https://new.example/b", "http://new.example/b"),
        ] {
            let base = Some("http://old.example/a");
            for (rules, new) in [(&secure, https), (&plain, http)] {
                let moved = rules.apply_at(reference, base, Reach::AnySpelling);
                assert_eq!(moved.as_deref(), Some(new), "{reference}");
                let twice = rules.apply_at(new, base, Reach::AnySpelling);
                assert_eq!(twice, None, "{new}");
            }
            if reference != "//OLD.example/%62" {
                assert_eq!(secure.apply(reference), None, "{reference}");
            }
            let other = secure.apply_at(reference, Some("ftp://old.example/"), Reach::AnySpelling);
            assert_eq!(other, None, "{reference}");
        }
        for reference in ["//old.example:8080/b", "http:/b"] {
            let other =
                secure.apply_at(reference, Some("https://old.example/"), Reach::AnySpelling);
            assert_eq!(other, None, "{reference}");
        }
    }

    /// In every spelling, rules see the same URL as browsers, and the new reference points to the result of the rules.
    #[test]
    fn rules_see_what_browsers_see() {
        let rules = rules(&["http://h/d/ http://n/z/"]);
        let base = Some("http://h/d/p");
        let query = Charset::UTF_8;
        let reading = Reading { base, query };
        let slashes = [
            "", "/", "\\", "//", "\\\\", "///", "/\\", "http:", "HTTP:/", "https:", "HTTP://",
            "http:/\\",
        ];
        let heads = ["", "h/d/", "h:80/d/", "o/", "d/", "H/d\\"];
        let dots = [
            "",
            ".",
            "..",
            "%2e%2E",
            ".&",
            ".%2e/d",
            "x/../..",
            ".\t.\\d",
            "\u{e9}/..",
        ];
        let tails = [
            "",
            "/x",
            "\\x",
            "/\u{e9}?\u{e9}#\u{e9}",
            "?\\..",
            "/a b",
            "/'|",
        ];
        let mut moved = 0;
        for (slash, head) in slashes.iter().flat_map(|s| heads.map(|head| (s, head))) {
            for (dots, tail) in dots.iter().flat_map(|d| tails.map(|tail| (d, tail))) {
                let reference = format!("{slash}{head}{dots}{tail}");
                if rules.apply_at(&reference, base, Reach::AsWritten).is_some() {
                    continue;
                }
                let old = reading.resolve(&reference);
                let inside = as_parsed(&reference).is_empty();
                let old = old.filter(|_| !inside);
                let wanted = old.and_then(|old| rules.apply(&old));
                let new = rules.apply_at(&reference, base, Reach::Resolved);
                let target = new.as_deref().and_then(|new| reading.resolve(new));
                assert_eq!(target, wanted, "{reference:?} became {new:?}");
                let twice = new.and_then(|new| rules.apply_at(&new, base, Reach::Resolved));
                assert_eq!(twice, None, "{reference:?}");
                moved += u32::from(wanted.is_some());
            }
        }
        assert!(moved > 100, "{moved}");
        let kept = rules.apply_at("\u{e9}/./b?\u{e9}", base, Reach::Resolved);
        assert_eq!(kept.as_deref(), Some("http://n/z/\u{e9}/b?\u{e9}"));
        let pattern = self::rules(&["re:^http://h/d/(\u{e9})$ /n/$1"]);
        let new = pattern.apply_at("./\u{e9}", base, Reach::Resolved);
        assert_eq!(new.as_deref(), Some("/n/\u{e9}"));
    }
}
