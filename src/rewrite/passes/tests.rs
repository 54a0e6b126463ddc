//! Each pass by itself.

use crate::charset::Charset;
use crate::link::{LinkContext, Settings};
use crate::markup::Access;
use crate::notes::{Note, Notes};
use crate::rewrite::edit::Script;
use crate::rewrite::mapping::{Mapper, Mapping};
use crate::rewrite::propose::{self, Proposal};
use crate::rewrite::subject::Subject;
use crate::rewrite::{Form, References, Rewriter, Rules, refuse};
use crate::{Document, Format};
use std::borrow::Cow;
use std::sync::Arc;

fn settings(format: Format, charset: &str) -> Settings {
    let mut settings = Settings::default();
    settings.format = Some(format);
    settings.charset = Charset::for_label(charset).ok();
    settings.base = Some("http://base.example/a/b.html".into());
    settings
}

fn mapping(form: Form, rules: &[&str]) -> Mapping {
    let mut of_site = Rules::default();
    for rule in rules {
        of_site.add(rule).expect("a rule");
    }
    Mapping {
        rules: Arc::new(of_site),
        ..Mapping::new(form)
    }
}

/// Calls a function with a mapper and the link of a document.
fn with_link<T>(
    (document, settings): (&str, Settings),
    mapping: Mapping,
    each: impl FnOnce(&Mapper<'_>, Subject<'_>) -> T,
) -> T {
    let charset = settings.charset.expect("a charset");
    let mut bytes = Vec::new();
    charset.encode(document, &mut bytes).expect("its letters");
    let document = Document::new(&bytes, &settings);
    let link = document.links().next().expect("a link");
    let script = Script::new(document.info(), &settings, None);
    let mapper = Mapper::new(Cow::Owned(mapping), document.info(), &settings);
    let alphabet = script.alphabet_in(link.context(), true);
    each(&mapper, Subject::of_link(&link, alphabet))
}

type Pass = fn(&Mapper<'_>, &mut Proposal<'_>) -> Result<(), Notes>;

/// The new text after some passes.
fn passed(
    document: (&str, Settings),
    mapping: Mapping,
    passes: &[Pass],
) -> Result<Option<String>, Notes> {
    with_link(document, mapping, |mapper, link| {
        let mut proposal = Proposal::new(link);
        let passed = passes
            .iter()
            .try_for_each(|pass| pass(mapper, &mut proposal));
        passed.map(|()| proposal.text().map(str::to_owned))
    })
}

fn page(document: &str) -> (&str, Settings) {
    (document, settings(Format::Html, "utf-8"))
}

fn style(document: &str) -> (&str, Settings) {
    (document, settings(Format::Css, "windows-1252"))
}

const SITE: &[&str] = &["http://old.example/ https://neu.example/ж/"];

#[test]
fn rules_propose_what_they_say() {
    let by = |document, rules| {
        passed(
            page(document),
            mapping(Form::Uri, rules),
            &[propose::apply_rules],
        )
    };
    assert_eq!(
        by("<a href=http://old.example/é>", SITE),
        Ok(Some("https://neu.example/ж/é".to_owned()))
    );
    assert_eq!(by("<a href=http://other.example/é>", SITE), Ok(None));
}

#[test]
fn a_base_moves_only_with_its_origin() {
    let base = "<base href=http://old.example/a/>";
    let by = |rules| {
        let passes: &[Pass] = &[propose::apply_rules, propose::give_form];
        passed(page(base), mapping(Form::Same, rules), passes)
    };
    assert_eq!(
        by(&["http://old.example/ http://new.example/"]),
        Ok(Some("http://new.example/a/".to_owned()))
    );
    assert_eq!(
        by(&["http://old.example/a/ http://new.example/"]),
        Err(Note::LeftTargetWouldChange.into())
    );
}

#[test]
fn results_of_rules_get_the_form() {
    let passes: &[Pass] = &[propose::apply_rules, propose::give_form];
    let by = |form| {
        passed(
            page("<a href=http://old.example/é>"),
            mapping(form, SITE),
            passes,
        )
    };
    assert_eq!(
        by(Form::Same),
        Ok(Some("https://neu.example/ж/é".to_owned()))
    );
    assert_eq!(
        by(Form::Uri),
        Ok(Some("https://neu.example/%D0%B6/%C3%A9".to_owned()))
    );
}

#[test]
fn rules_see_the_form_as_a_second_run_would() {
    let passes: &[Pass] = &[
        propose::apply_rules,
        propose::give_form,
        propose::apply_rules_to_form,
    ];
    let rule = ["re:^http://old.example/%C3%A9$ http://new.example/e"];
    let by = |count| {
        passed(
            page("<a href=http://old.example/é>"),
            mapping(Form::Uri, &rule),
            &passes[..count],
        )
    };
    assert_eq!(by(2), Ok(Some("http://old.example/%C3%A9".to_owned())));
    assert_eq!(by(3), Ok(Some("http://new.example/e".to_owned())));
}

#[test]
fn references_change_in_pages() {
    let absolute = Mapping {
        references: References::Absolute,
        ..Mapping::new(Form::Same)
    };
    let by = |document| {
        passed(
            page(document),
            absolute.clone(),
            &[propose::change_reference],
        )
    };
    assert_eq!(
        by("<a href=c>"),
        Ok(Some("http://base.example/a/c".to_owned()))
    );
    assert_eq!(by("<base href=c>"), Ok(None));
}

#[test]
fn expressions_stay_as_they_are() {
    let template = "<script type=application/ld+json>{\"@context\":\"https://schema.org\",\"urlTemplate\":\"http://a.example/é?q={ü}\"}</script>";
    let passes: &[Pass] = &[
        propose::hide_expressions,
        propose::give_form,
        propose::show_expressions,
    ];
    with_link(page(template), Mapping::new(Form::Uri), |mapper, link| {
        let context = LinkContext {
            template: true,
            ..link.context.clone()
        };
        let link = Subject {
            text: "http://a.example/é?q={ü}",
            context: &context,
            access: Access::Rewrite,
            ..link
        };
        let mut proposal = Proposal::new(link);
        let passed = passes
            .iter()
            .try_for_each(|pass| pass(mapper, &mut proposal));
        let new = passed.map(|()| proposal.text().map(str::to_owned));
        assert_eq!(new, Ok(Some("http://a.example/%C3%A9?q={ü}".to_owned())));
    });
}

#[test]
fn letters_that_the_charset_lacks_are_escaped() {
    let passes: &[Pass] = &[propose::apply_rules, propose::fit_charset];
    let by = |document| passed(document, mapping(Form::Same, SITE), passes);
    assert_eq!(
        by(style("a{background:url(http://old.example/é)}")),
        Ok(Some("https://neu.example/%D0%B6/é".to_owned()))
    );
    // A place with character references holds every letter.
    assert_eq!(
        by((
            "<a href=http://old.example/é>",
            settings(Format::Html, "windows-1252")
        )),
        Ok(Some("https://neu.example/ж/é".to_owned()))
    );
}

#[test]
fn refusals_have_a_reason_each() {
    let refused = |document, rules: &[&str], new: &str, pass: super::Refuse| {
        with_link(document, mapping(Form::Uri, rules), |mapper, link| {
            pass(mapper, link, new)
        })
    };
    let text = |document| (document, settings(Format::Text, "utf-8"));
    let format: super::Refuse = refuse::escapes_in_format_strings;
    assert_eq!(
        refused(
            text("see http://a.example/%s/é"),
            &[],
            "http://a.example/%s/%C3%A9",
            format
        ),
        Some(Note::LeftTemplate)
    );
    assert_eq!(
        refused(
            text("see http://a.example/é"),
            &[],
            "http://a.example/%C3%A9",
            format
        ),
        None
    );
    let address: super::Refuse = refuse::escapes_in_addresses;
    assert_eq!(
        refused(text("to ann@example.org"), &[], "%C3%A9@a.example", address),
        Some(Note::LeftTargetWouldChange)
    );
    let rule = ["mailto:ann@example.org mailto:e@b.example"];
    assert_eq!(
        refused(text("to ann@example.org"), &rule, "e@b.example", address),
        None
    );
    let listed = |access| {
        with_link(
            page("<a href=é>"),
            Mapping::new(Form::Uri),
            |mapper, link| refuse::in_lists(mapper, Subject { access, ..link }, "%C3%A9"),
        )
    };
    assert_eq!(listed(Access::List), Some(Note::LeftUnencodable));
    assert_eq!(listed(Access::Rewrite), None);
}

/// A document, what is known of it, and the note of its only link that would change.
#[test]
fn documents_forbid_for_a_reason_each() {
    let utf_8 = |format| settings(format, "utf-8");
    let mut guessed = utf_8(Format::Html);
    guessed.charset = None;
    let cases = [
        (
            "see bücher.com for more",
            utf_8(Format::Text),
            Note::LeftName,
        ),
        (
            "see http://bücher\u{2010}\nrücken.example/é",
            utf_8(Format::Text),
            Note::LeftHyphenated,
        ),
        (
            "见 http://a.example/b/处获得)",
            utf_8(Format::Text),
            Note::LeftGlued,
        ),
        (
            "msgid \"http://a.example/é\"",
            utf_8(Format::Gettext),
            Note::LeftKey,
        ),
        (
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nhttp://a.example/é\n-----BEGIN PGP SIGNATURE-----\n\nx\n-----END PGP SIGNATURE-----\n",
            utf_8(Format::Text),
            Note::LeftSigned,
        ),
        (
            "see a:1:{i:0;s:19:\"http://a.example/é\";}",
            utf_8(Format::Text),
            Note::LeftSerialized,
        ),
        (
            "<a href='http://a.example/ÃÂ'>",
            guessed,
            Note::CharsetUnsure,
        ),
        (
            "url=http://a.example/é\\\n  tude",
            utf_8(Format::Text),
            Note::LeftEscaped,
        ),
    ];
    for (document, settings, note) in cases {
        let charset = settings.charset.unwrap_or(Charset::WINDOWS_1252);
        let mut bytes = Vec::new();
        charset.encode(document, &mut bytes).expect("its letters");
        let rewriter = Rewriter::new().to(Form::Uri).settings(settings);
        let mut notes = Vec::new();
        // The scanner notes the hyphen, whatever becomes of the link.
        let is_reason = |note: &Note| *note != Note::Hyphenated;
        let watched =
            rewriter.on_link(|outcome, _| notes.extend(outcome.notes.iter().filter(is_reason)));
        let rewritten = watched.rewrite_slice(&bytes);
        assert_eq!(
            (rewritten.left(), &notes[..]),
            (1, &[note][..]),
            "{document}"
        );
    }
}
