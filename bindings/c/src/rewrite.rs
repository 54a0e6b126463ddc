//! Rewriting of documents, with rules and a callback.

use crate::border::{boxed, free, guarded, option, sized, slice};
use crate::error::{Failure, lg_error, view};
use crate::link::{lg_link, lg_links};
use crate::options::{charset, choice, lg_options, settings};
use crate::rules::lg_rules;
use crate::texts::{Text, Texts, len};
use linkglot::Evidence;
use linkglot::rewrite::{
    Candidate, Display, Form, HostForm, LinkForms, Outcome, Reach, Rewriter, Tally,
};
use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::Arc;

/// A link that the callback of a rewrite is asked about. The texts end with a NUL and live during the call only.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lg_candidate {
    /// The link as the rules leave it, unescaped, with its implied scheme.
    pub reference: *const c_char,
    /// The length of the reference in bytes.
    pub reference_len: usize,
    /// The URL that a browser makes of it; NULL if it is none, or relative to an unknown base.
    pub target: *const c_char,
    /// The length of the target in bytes.
    pub target_len: usize,
    /// The scheme of a link that was found without one: `https` or `mailto`; else NULL.
    pub implied: *const c_char,
    /// The kind of the place, as in `lg_link`.
    pub kind: *const c_char,
    /// The element around the link; may be NULL.
    pub element: *const c_char,
    /// The name of the attribute, property or header field; may be NULL.
    pub name: *const c_char,
}

/// The answer of a callback. It belongs to linkglot.
pub struct lg_answer {
    new: Option<String>,
}

/// A callback that chooses new links, behind the rules. It calls `lg_answer_set` with the new reference, or returns
/// without to keep the link. `user` is the pointer of the options.
///
/// The answer is treated as the result of a rule: it gets the form of new links and is refused, with a note, where it
/// cannot be written or may not be (signatures, little evidence, charsets ...). The callback is not asked about links
/// with code of a template, places of URI templates, and `<base>`. It runs in the thread of `lg_rewrite`, and may be
/// called several times about a link, also in its new form: it has to answer alike each time. Asked about its own
/// answer, it should keep it, so that a second run changes nothing. It must neither throw nor jump out.
pub type lg_choose = Option<
    unsafe extern "C" fn(user: *mut c_void, link: *const lg_candidate, answer: *mut lg_answer),
>;

/// Signatures that cover a link (DKIM, S/MIME, OpenPGP) do not keep it from changing.
pub const LG_BREAK_SIGNATURES: u32 = 1;
/// Rules see the targets of relative links, too.
pub const LG_RESOLVE: u32 = 1 << 1;

/// Links of services that wrap links (Safe Links, URL Defense, redirects of Google ...) become the links behind them,
/// before the rules see them. Links whose original cannot be read stay. Nothing is fetched.
pub const LG_UNWRAP: u32 = 1 << 2;

const ALL_FLAGS: u32 = LG_BREAK_SIGNATURES | LG_RESOLVE | LG_UNWRAP;

/// Options for rewriting. NULL and 0 are the defaults. All texts end with a NUL; everything is read during the call
/// only.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lg_rewriting {
    /// `sizeof(lg_rewriting)`, so that later versions can add options.
    pub size: usize,
    /// The options for reading.
    pub reading: *const lg_options,
    /// The form of new links: `uri`, `iri`, or `same` (the default), with which only rules and the callback change
    /// links.
    pub to: *const c_char,
    /// Rules for moving a site. They stay the caller's.
    pub rules: *const lg_rules,
    /// The callback.
    pub choose: lg_choose,
    /// The pointer that the callback gets.
    pub user: *mut c_void,
    /// The least evidence for changing a link in running text; `www` by default.
    pub min_evidence: *const c_char,
    /// The form of hosts: `punycode`, `unicode`, `percent` or `keep`. By default that of the form of links. With `same`
    /// in `to`, only `keep`.
    pub host: *const c_char,
    /// The characters that an IRI shows: `safe` (the default) or `all`.
    pub display: *const c_char,
    /// The new charset of the document, by a label; by default it keeps its own.
    pub to_charset: *const c_char,
    /// The sum of `LG_BREAK_SIGNATURES` and other flags.
    pub flags: u32,
}

/// A link that was changed, or left although it should have changed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lg_change {
    /// The old link, without `uri` and `iri`; its notes say why it was left.
    pub link: lg_link,
    /// The new text of the link, unescaped; NULL if it was left.
    pub new_text: *const c_char,
    /// The length of the new text in bytes.
    pub new_len: usize,
    /// The number of the rule that matched, from 0; -1 for none. Numbers behind those of the rules stand for
    /// `LG_UNWRAP`.
    pub rule: i64,
}

/// Numbers of links.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct lg_tally {
    /// Links in the document.
    pub links: u64,
    /// Links that were changed.
    pub changed: u64,
    /// Links that had to be left.
    pub left: u64,
}

/// A document after a rewrite.
pub struct lg_rewritten {
    content: Vec<u8>,
    links: lg_links,
    texts: Texts,
    /// The new text and the rule of each link.
    news: Vec<(Option<Text>, Option<usize>)>,
    tally: lg_tally,
    failure: Option<Failure>,
}

impl lg_rewritten {
    /// A document that stays as it is.
    fn unchanged(source: &[u8], failure: Failure) -> Self {
        lg_rewritten {
            content: source.to_vec(),
            links: lg_links::NONE,
            texts: Texts::NONE,
            news: Vec::new(),
            tally: lg_tally::default(),
            failure: Some(failure),
        }
    }

    fn new(source: &[u8], rewriter: Rewriter) -> Self {
        let (mut links, mut texts, mut news) = (lg_links::NONE, Texts::NONE, Vec::new());
        let watched = rewriter.on_link(|outcome: &Outcome<'_>, info| {
            let mut forms = LinkForms::default();
            forms.notes = outcome.all_notes();
            links.push(outcome.link, &forms, info);
            news.push((outcome.new.map(|new| texts.add(new)), outcome.rule));
        });
        let rewritten = watched.rewrite_slice(source);
        let summary = rewritten.summary;
        let error = summary.error.as_ref().map(Failure::from);
        let failure = Failure::of_charset(&summary.info).or(error);
        if let Some(failure) = failure {
            return lg_rewritten::unchanged(source, failure);
        }
        let Tally {
            links: found,
            changed,
            left,
            ..
        } = summary.tally;
        lg_rewritten {
            content: rewritten.content.into_owned(),
            links,
            texts,
            news,
            tally: lg_tally {
                links: found,
                changed,
                left,
            },
            failure: None,
        }
    }

    fn change(&self, number: usize) -> lg_change {
        let (new, rule) = self.news.get(number).copied().unwrap_or_default();
        lg_change {
            link: self.links.at(number),
            new_text: self.texts.pointer(new),
            new_len: len(new),
            rule: rule.map_or(-1, |rule| rule as i64),
        }
    }
}

const FORMS: [(&str, Form); 3] = [("uri", Form::Uri), ("iri", Form::Iri), ("same", Form::Same)];

const HOSTS: [(&str, HostForm); 4] = [
    ("punycode", HostForm::Punycode),
    ("unicode", HostForm::Unicode),
    ("percent", HostForm::Percent),
    ("keep", HostForm::Keep),
];

const DISPLAYS: [(&str, Display); 2] = [("safe", Display::Safe), ("all", Display::All)];

/// The callback with its pointer.
struct Callback {
    choose: unsafe extern "C" fn(*mut c_void, *const lg_candidate, *mut lg_answer),
    user: *mut c_void,
}

// SAFETY: the rewriter lives during a call of `lg_rewrite`, and stays in its thread.
unsafe impl Send for Callback {}
// SAFETY: as above.
unsafe impl Sync for Callback {}

impl Callback {
    fn ask(&self, link: &Candidate<'_>) -> Option<String> {
        let mut texts = Texts::NONE;
        let place = link.place();
        let reference = Some(texts.add(link.reference()));
        let target = link.resolved().map(|target| texts.add(&target));
        let implied = link.implied().map(|implied| texts.add(implied));
        let kind = Some(texts.add(place.kind.name()));
        let element = place.element.as_deref().map(|name| texts.add(name));
        let name = place.name.as_deref().map(|name| texts.add(name));
        let candidate = lg_candidate {
            reference: texts.pointer(reference),
            reference_len: len(reference),
            target: texts.pointer(target),
            target_len: len(target),
            implied: texts.pointer(implied),
            kind: texts.pointer(kind),
            element: texts.pointer(element),
            name: texts.pointer(name),
        };
        let mut answer = lg_answer { new: None };
        // SAFETY: the caller's word; both pointers live during the call.
        unsafe { (self.choose)(self.user, &candidate, &mut answer) };
        answer.new
    }
}

/// The rewriter for some options.
///
/// # Safety
///
/// `given` is NULL or points to options whose pointers are NULL or valid.
unsafe fn rewriter(given: *const lg_rewriting) -> Result<Rewriter, Failure> {
    if given.is_null() {
        return Ok(Rewriter::new());
    }
    // SAFETY: the caller's word.
    let given: lg_rewriting = unsafe { sized("lg_rewriting", given) }?;
    // SAFETY: the caller's word.
    let option = |name: &str, text: *const c_char| unsafe { option(name, text) };
    // SAFETY: the caller's word.
    let mut rewriter = Rewriter::new().settings(unsafe { settings(given.reading, None) }?);
    let form = match option("to", given.to)? {
        Some(name) => choice("to", name, &FORMS)?,
        None => Form::Same,
    };
    rewriter = rewriter.to(form);
    // SAFETY: the caller's word.
    let rules = unsafe { given.rules.as_ref() };
    // Not some of the rules.
    if let Some(failure) = rules.and_then(|rules| rules.failure.as_ref()) {
        return Err(failure.clone());
    }
    let mut rules = rules.map_or_else(Arc::default, |rules| rules.rules.clone());
    if given.flags & LG_UNWRAP != 0 {
        Arc::make_mut(&mut rules).unwrap_links();
    }
    rewriter = rewriter.rules(rules);
    if let Some(choose) = given.choose {
        let user = given.user;
        let callback = Callback { choose, user };
        rewriter = rewriter.choose(move |link| callback.ask(link));
    }
    if let Some(name) = option("min_evidence", given.min_evidence)? {
        let grades = Evidence::ALL.map(|grade| (grade.name(), grade));
        rewriter = rewriter.min_evidence(choice("min_evidence", name, &grades)?);
    }
    if let Some(name) = option("host", given.host)? {
        let host = choice("host", name, &HOSTS)?;
        if form == Form::Same && host != HostForm::Keep {
            return Err(Failure::argument(
                "host: expected `to` uri or iri, found same, which leaves hosts unchanged",
            ));
        }
        rewriter = rewriter.host(host);
    }
    if let Some(name) = option("display", given.display)? {
        rewriter = rewriter.display(choice("display", name, &DISPLAYS)?);
    }
    if let Some(label) = option("to_charset", given.to_charset)? {
        rewriter = rewriter.to_charset(charset("to_charset", label)?);
    }
    if given.flags & !ALL_FLAGS != 0 {
        let unknown = given.flags & !ALL_FLAGS;
        return Err(Failure::argument(format!(
            "flags: expected LG_BREAK_SIGNATURES and the like, found {unknown:#x}"
        )));
    }
    if given.flags & LG_RESOLVE != 0 {
        rewriter = rewriter.reach(Reach::Resolved);
    }
    Ok(rewriter.break_signatures(given.flags & LG_BREAK_SIGNATURES != 0))
}

/// Rewrites the links of a document in memory; every other byte stays. O(len).
///
/// `data` is read during the call only; NULL is fine if `len` is 0. `options` may be NULL, and then nothing changes.
/// Returns a document, never NULL, that the caller frees with `lg_rewritten_free`. If `lg_rewritten_error` says that
/// something was wrong, its content is that of `data`, unchanged.
///
/// # Safety
///
/// `data` points to `len` bytes, `options` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_rewrite(
    data: *const u8,
    len: usize,
    options: *const lg_rewriting,
) -> *mut lg_rewritten {
    let unchanged = |failure| {
        // SAFETY: the caller's word.
        let source = unsafe { slice(data, len) }.unwrap_or_default();
        boxed(lg_rewritten::unchanged(source, failure))
    };
    let fallback = || unchanged(Failure::internal());
    guarded(fallback, || {
        // SAFETY: the caller's word.
        let given = unsafe { slice(data, len).and_then(|data| Ok((data, rewriter(options)?))) };
        match given {
            Ok((data, rewriter)) => boxed(lg_rewritten::new(data, rewriter)),
            Err(failure) => unchanged(failure),
        }
    })
}

/// Answers with a new reference. To be called during the callback only; the last call counts.
///
/// `reference` is UTF-8 and is copied. An answer that is not UTF-8, is empty or has controls is refused: the link is
/// left, with a note.
///
/// # Safety
///
/// `answer` is the one that the callback got, `reference` points to `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_answer_set(
    answer: *mut lg_answer,
    reference: *const c_char,
    len: usize,
) {
    guarded(
        || (),
        || {
            // SAFETY: the caller's word.
            let Some(answer) = (unsafe { answer.as_mut() }) else {
                return;
            };
            // SAFETY: the caller's word.
            let text = unsafe { crate::border::text(reference, len) };
            answer.new = Some(text.unwrap_or_default().to_owned());
        },
    )
}

/// Returns why the document could not be rewritten; `kind` is NULL if all went well. The texts belong to the document.
///
/// # Safety
///
/// `rewritten` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_rewritten_error(rewritten: *const lg_rewritten) -> lg_error {
    guarded(
        || view(None),
        || {
            // SAFETY: the caller's word.
            let rewritten = unsafe { rewritten.as_ref() };
            view(rewritten.and_then(|rewritten| rewritten.failure.as_ref()))
        },
    )
}

/// Returns the bytes of the document, and their number in `len` unless that is NULL. They belong to the document. NULL
/// for NULL only.
///
/// # Safety
///
/// `rewritten` is NULL or was not freed; `len` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_rewritten_content(
    rewritten: *const lg_rewritten,
    len: *mut usize,
) -> *const u8 {
    guarded(ptr::null, || {
        // SAFETY: the caller's word.
        let content = unsafe { rewritten.as_ref() }.map(|rewritten| &rewritten.content);
        // SAFETY: the caller's word.
        if let Some(len) = unsafe { len.as_mut() } {
            *len = content.map_or(0, Vec::len);
        }
        content.map_or(ptr::null(), |content| content.as_ptr())
    })
}

/// Returns the numbers of links: all, changed and left. O(1).
///
/// # Safety
///
/// `rewritten` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_rewritten_tally(rewritten: *const lg_rewritten) -> lg_tally {
    guarded(lg_tally::default, || {
        // SAFETY: the caller's word.
        let rewritten = unsafe { rewritten.as_ref() };
        rewritten.map_or(lg_tally::default(), |rewritten| rewritten.tally)
    })
}

/// Returns the number of links that were changed or left. O(1).
///
/// # Safety
///
/// `rewritten` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_rewritten_changes_len(rewritten: *const lg_rewritten) -> usize {
    guarded(
        || 0,
        || {
            // SAFETY: the caller's word.
            let rewritten = unsafe { rewritten.as_ref() };
            rewritten.map_or(0, |rewritten| rewritten.links.len())
        },
    )
}

/// Returns a link that was changed or left, from 0. The texts belong to the document. All pointers are NULL for a
/// number that there is not.
///
/// # Safety
///
/// `rewritten` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_rewritten_change_at(
    rewritten: *const lg_rewritten,
    number: usize,
) -> lg_change {
    let none = || lg_change {
        link: lg_links::NONE.at(0),
        new_text: ptr::null(),
        new_len: 0,
        rule: -1,
    };
    guarded(none, || {
        // SAFETY: the caller's word.
        let rewritten = unsafe { rewritten.as_ref() };
        rewritten.map_or_else(none, |rewritten| rewritten.change(number))
    })
}

/// Frees a rewritten document with its bytes and texts. NULL is fine.
///
/// # Safety
///
/// `rewritten` is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lg_rewritten_free(rewritten: *mut lg_rewritten) {
    // SAFETY: the caller's word.
    unsafe { free(rewritten) }
}
