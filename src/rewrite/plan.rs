//! Plans the edits of a slot: a decision for each link, and patches that are read again before they are written.

mod decisions;
mod lengths;
mod trial;

use super::Edit;
use super::alphabet::gets_references;
use super::certainty::{CharsetTrust, Guessed};
use super::columns;
use super::edit::{self, Extent, Patch, Script};
use super::escaped::{self, Doubt};
use super::mapping::{Decision, Mapper, Mapping, Transport};
use super::output::Matched;
use super::refound::{Runs, Wanted};
use super::subject::{Subject, has_scheme_in_code, reason};
use crate::charset::{Charset, CharsetFrom, MailCharsets};
use crate::format::Format;
use crate::link::{
    Budget, Dialect, Info, Queries, Rendering, Settings, Signed, SignedText, SlotReader,
    WindowLink, is_text,
};
use crate::markup::light::LineState;
use crate::markup::{
    Access, Escaping, Place, PlaceKind, SerializedStrings, Syntax, TextSlots, Window,
};
use crate::notes::{Note, Notes};
use crate::read::{Input, SlotRead};
use crate::scan::Evidence;
use crate::span::SourceSpan;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// Makes the plans for one document, slot by slot.
pub(super) struct Planner<'m> {
    pub mapper: Mapper<'m>,
    /// True if a guessed charset stays the same with the new links. If not, all links are left.
    pub keeps_charset: bool,
    /// True if the document keeps its detected format with the new links. If not, links in its head are left.
    pub keeps_format: bool,
    pub script: Script,
    trust: CharsetTrust,
    pub(super) dialect: Dialect,
    pub(super) format: Format,
    /// True if keys of translations stay.
    pub(super) keeps_keys: bool,
    /// True if the document may also be published as HTML.
    pub(super) may_be_html: bool,
    /// The charsets that parts of the document declare.
    pub(super) declared: Option<MailCharsets>,
    pub matched: Matched,
    /// The charsets that settings give to unknown labels.
    pub(super) assumed_charsets: Vec<(String, Charset)>,
    /// The bytes that a signature of or around the whole document covers.
    pub signed: Signed,
    /// True if a length around the document counts all of its bytes.
    has_length: bool,
    /// The strings with a length in front; `None` before the first read.
    strings: Option<SerializedStrings>,
    /// The doubt about the value of the slot at hand.
    doubt: Doubt,
    /// True if digests in the document may be those of its scripts and styles.
    pub has_hashes: bool,
    /// Text that is signed within the document; `None` if signatures do not matter.
    signed_text: Option<SignedText>,
    /// The limit for tags of XML and values of CSS.
    max_slot: usize,
    /// The budget for the bytes that new links add.
    budget: Budget,
    /// The start of the last slot that was judged, and true if its text is the name of a column.
    head: Option<(u64, bool)>,
}

/// The plan for one link.
pub(super) struct Plan {
    pub decision: Decision,
    pub patches: Patches,
    /// The rule that matched the link.
    pub rule: Option<usize>,
}

/// A link that shall get a new text, and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a, 'w, 'i> {
    pub reader: &'a SlotReader,
    pub read: &'a SlotRead<'w>,
    pub found: &'a WindowLink<'w>,
    pub input: &'a Input<'i>,
    pub new: &'a str,
}

impl Asked<'_, '_, '_> {
    /// The bytes of the link in the window.
    pub(super) fn raw(&self) -> &[u8] {
        let range = self.found.range.clone();
        self.read.window.bytes.get(range).unwrap_or_default()
    }

    /// The begin of the link in the view.
    pub(super) fn start(&self) -> u64 {
        SourceSpan::of_window(self.read.origin, &self.found.range).start
    }
}

/// The patches that write the new text of a link.
pub(super) enum Patches {
    Known(Vec<Patch>),
    /// Patches that are made again for writing, which takes less memory: a slot may have many links.
    Again(Extent),
}

impl Plan {
    /// The new text of the link.
    fn new_text(&self) -> Option<&str> {
        match &self.decision {
            Decision::Change(new, _) => Some(new),
            Decision::Keep(_) | Decision::Left(_) => None,
        }
    }
}

impl<'m> Planner<'m> {
    pub fn new(mapping: Cow<'m, Mapping>, info: &Info, settings: &Settings) -> Self {
        let part = info.part.as_ref();
        let keeps_signatures = mapping.transport != Transport::SignaturesBroken;
        let signed = part.map(|part| part.signed).filter(|_| keeps_signatures);
        let mut script = Script::new(info, settings, mapping.to_charset);
        script.is_ascii &= mapping.transport != Transport::Shown;
        Planner {
            script,
            trust: CharsetTrust::new(info, settings, &mapping),
            signed: signed.unwrap_or_default(),
            has_length: part.is_some_and(|part| part.has_length),
            strings: None,
            doubt: Doubt::None,
            has_hashes: false,
            signed_text: keeps_signatures.then(|| SignedText::of(info.format)),
            mapper: Mapper::new(mapping, info, settings),
            keeps_charset: true,
            keeps_format: true,
            dialect: info.dialect,
            format: info.format,
            keeps_keys: !matches!(settings.text, TextSlots::Code | TextSlots::All),
            may_be_html: info.may_be_html,
            matched: BTreeMap::new(),
            declared: declares(info).then(MailCharsets::default),
            assumed_charsets: settings.assumed_charsets.clone(),
            max_slot: settings.max_slot,
            budget: Budget::default(),
            head: None,
        }
    }

    /// The plan for each link of a slot.
    pub fn plans(
        &mut self,
        reader: &SlotReader,
        read: &mut SlotRead<'_>,
        input: &Input<'_>,
    ) -> Vec<Plan> {
        if let Some(declared) = &mut self.declared {
            declared.read(&read.window.bytes[..read.slot.range.end], read.origin);
        }
        let begin = Window {
            bytes: &read.window.bytes[..read.slot.range.end],
            ..read.window
        };
        self.trust.read(begin.bytes, read.origin);
        self.script.set_certain(self.trust.certain(read.origin));
        self.follow(begin, read.origin);
        if let Some(strings) = &mut self.strings {
            strings.forget(read.origin + read.slot.range.start as u64);
        }
        self.doubt = if lengths::are_right(read, reader.charset) {
            Doubt::of(reader, read)
        } else {
            Doubt::Length
        };
        let mut matched = std::mem::take(&mut self.matched);
        let mut plans = self.decided(reader, read, input, &mut matched);
        self.matched = matched;
        let is_kept = |plan: &Plan| matches!(plan.decision, Decision::Keep(_));
        if !plans.iter().all(is_kept) {
            match read.slot.syntax {
                Syntax::Text => self.patch_text(reader, read, &mut plans),
                _ => {
                    self.patch_slot(reader, read, &mut plans);
                    self.keep_lengths(read, &mut plans, input);
                }
            }
        }
        plans
    }

    /// Reads the document up to the source byte `to` for its charset, and up to the end of the window for lengths and
    /// signed text: all of a document must be read, with or without slots.
    pub fn pass(&mut self, input: &Input<'_>, to: u64) {
        let (window, origin) = input.window();
        // `len` may be wrong for a decoded view, which the trust does not read.
        let len = to.saturating_sub(origin).min(window.bytes.len() as u64);
        self.trust.read(&window.bytes[..len as usize], origin);
        if !window.last {
            self.follow(window, origin);
            if let Some(text) = &mut self.signed_text {
                text.read(window.bytes, origin);
            }
        }
    }

    /// Reads a window for lengths in front of strings.
    fn follow(&mut self, window: Window<'_>, origin: u64) {
        let strings = self
            .strings
            .get_or_insert_with(|| SerializedStrings::new(window.charset == Charset::UTF_8));
        strings.read(window.bytes, origin);
    }

    /// A quick test that no link of a slot changes, for slots other than running text.
    pub fn surely_keeps_all(&mut self, read: &SlotRead<'_>) -> bool {
        if read.slot.syntax == Syntax::Text {
            return false;
        }
        let (mut found, mut rules) = (read.found.iter(), Vec::new());
        let keeps_all = found.all(|found| {
            let keeps = self.surely_keeps(found);
            rules.extend(self.mapper.take_rules());
            keeps
        });
        // Otherwise all links are planned, which counts their rules.
        for rule in rules.into_iter().filter(|_| keeps_all) {
            *self.matched.entry(rule).or_default() += 1;
        }
        keeps_all
    }

    /// A plan without patches for each link of a slot. Counts matching rules in `matched`.
    fn decided(
        &mut self,
        reader: &SlotReader,
        read: &SlotRead<'_>,
        input: &Input<'_>,
        matched: &mut Matched,
    ) -> Vec<Plan> {
        let budget = self.budget.clone();
        let plans = read.found.iter().map(|found| {
            let mut plan = self.decide(reader, read, found, input);
            for rule in self.mapper.take_rules() {
                *matched.entry(rule).or_default() += 1;
                plan.rule = plan.rule.or(Some(rule));
            }
            if let Decision::Change(new, _) = &mut plan.decision {
                new.shrink_to_fit();
                let end = read.origin + found.range.end as u64;
                let added = new.len().saturating_sub(found.text.text().len()) as u64;
                if !budget.admits(added, end) {
                    plan.decision = Decision::Left(Note::OverBudget.into());
                }
            }
            plan
        });
        plans.collect()
    }

    /// A quick test that a link keeps its text.
    fn surely_keeps(&self, found: &WindowLink<'_>) -> bool {
        let text = found.text.text();
        !self.is_mapped(found) && !self.script.changes
            || !self.is_unread(found)
                && (self.mapper.surely_moves_not(text, found.implied.is_some())
                    || found.implied.is_none()
                        && self.mapper.surely_keeps(text, &found.context.under))
    }

    /// True if a link, or a base that the mapping depends on, is too long to be read.
    fn is_unread(&self, found: &WindowLink<'_>) -> bool {
        let has_note = |note| found.notes.contains(note);
        has_note(Note::TooLong) || has_note(Note::BaseTooLong) && self.mapper.needs_base()
    }

    /// True if the mapping may change a link. Only rules change identifiers.
    fn is_mapped(&self, found: &WindowLink<'_>) -> bool {
        let may_change = found.context.access != Access::Identifier || self.mapper.has_rules();
        let leads_to_part = || {
            let is_reference = found.implied.is_none() && !is_text(&found.context.place);
            let package = self.mapper.mapping.package.as_ref();
            package.is_some_and(|package| is_reference && package.has(found.text.text()))
        };
        may_change && self.mapper.covers(found.context.place.kind) && !leads_to_part()
    }

    fn decide<'w>(
        &mut self,
        reader: &SlotReader,
        read: &SlotRead<'w>,
        found: &WindowLink<'w>,
        input: &Input<'_>,
    ) -> Plan {
        let may_have_code = self.dialect != Dialect::Plain;
        let is_read = self.is_mapped(found) || self.script.changes;
        let decision = if !may_have_code && self.surely_keeps(found) || !is_read {
            Decision::Keep(Notes::NONE)
        } else if self.is_unread(found) {
            Decision::Left(Notes::NONE)
        } else {
            let mut subject = subject(found, self.script);
            subject.is_covered = self.is_mapped(found);
            if subject.access == Access::Identifier {
                subject.access = Access::Rules;
            }
            let decision = self.mapper.decide(subject);
            let decision = match decision {
                Decision::Keep(_) if self.keeps_for_doubt(subject, found) => {
                    Decision::Left(Note::CharsetUnsure.into())
                }
                decision => self.with_reason(decision, read, found, input),
            };
            self.permitted(
                decision,
                Asked {
                    reader,
                    read,
                    found,
                    input,
                    new: "",
                },
            )
        };
        Plan {
            decision,
            patches: Patches::Known(Vec::new()),
            rule: None,
        }
    }

    /// True if a link keeps its escapes only because letters would rest on a charset that is a guess.
    fn keeps_for_doubt(&self, subject: Subject<'_>, found: &WindowLink<'_>) -> bool {
        if self.script.is_certain(found) || self.script.changes || subject.any_character {
            return false;
        }
        let alphabet = self.script.alphabet_in(&found.context, true);
        let decision = self.mapper.decide(Subject {
            alphabet,
            ..subject
        });
        matches!(decision, Decision::Change(..))
    }

    /// The decision with another reason, if a link is left because its bytes are no text.
    fn with_reason(
        &self,
        decision: Decision,
        read: &SlotRead<'_>,
        found: &WindowLink<'_>,
        input: &Input<'_>,
    ) -> Decision {
        let for_characters = [
            Note::LeftUnencodable,
            Note::LeftTargetWouldChange,
            Note::UnmappableHost,
        ];
        let is_for_characters =
            |notes: Notes| for_characters.iter().any(|note| notes.contains(*note));
        let malformed = match &decision {
            Decision::Left(notes) if is_for_characters(*notes) => {
                let note = self.trust.note_of_bytes(read, found);
                note.or_else(|| self.note_of_source(read, found, input))
            }
            Decision::Change(..) if found.text.text().contains(char::REPLACEMENT_CHARACTER) => {
                self.note_of_source(read, found, input)
            }
            _ => None,
        };
        malformed.map_or(decision, |note| Decision::Left(note.into()))
    }

    /// Why a link cannot change, if its bytes in the source are malformed.
    fn note_of_source(
        &self,
        read: &SlotRead<'_>,
        found: &WindowLink<'_>,
        input: &Input<'_>,
    ) -> Option<Note> {
        let view = SourceSpan::of_window(read.origin, &found.range);
        self.trust.note_of_source(input.bytes(SourceSpan {
            start: input.source_at(view.start),
            end: input.source_at(view.end),
        }))
    }

    /// True if a link may be none, as far as the caller wants to know.
    pub(super) fn is_guess(&self, found: &WindowLink<'_>) -> bool {
        let link = || (found.text.text(), found.implied);
        found.evidence != Evidence::Markup && self.mapper.is_guess(found.evidence, link())
    }

    /// Why the charset keeps a link from getting a new text, if it does.
    pub(super) fn doubt(
        &self,
        read: &SlotRead<'_>,
        found: &WindowLink<'_>,
        new: &str,
    ) -> Option<Note> {
        let context = &found.context;
        let link = Guessed {
            raw: &read.window.bytes[found.range.clone()],
            text: found.text.text(),
            new,
            queries: Queries::at(&context.place, context.layers),
            is_normalized: found.notes.contains(Note::NfcChanged),
            base: &context.under,
            has_references: self.script.changes || self.script.writes_all(found),
            is_certain: self.script.is_certain(found),
        };
        self.trust.note(read, found, &link)
    }

    /// The form of a link that is never rewritten.
    pub fn form(&self, read: &SlotRead<'_>, found: &WindowLink<'_>) -> (Option<String>, Notes) {
        let (form, notes) = self.mapper.form(subject(found, self.script));
        let new = form.as_deref().filter(|form| *form != found.text.text());
        match new.and_then(|new| self.doubt(read, found, new)) {
            Some(note) => (None, note.into()),
            None => (form, notes),
        }
    }

    /// Why a link is left for the sake of another grammar that its bytes are written in: a length covers them, or
    /// escapes that are not read may go on the link.
    pub fn second_grammar(
        &self,
        reader: &SlotReader,
        read: &SlotRead<'_>,
        found: &WindowLink<'_>,
    ) -> Option<Note> {
        if is_clark_name(read, found) {
            return Some(Note::LeftTemplate);
        }
        let at = read.origin + found.range.start as u64;
        let window = (read.window.bytes, read.origin);
        let strings = self.strings.as_ref()?;
        let is_covered =
            || strings.covers(at, window) || ends_with_length(read.window.bytes, &found.range);
        let is_counted = self.has_length || found.notes.contains(Note::LeftSerialized);
        if is_counted || !found.lengths.has_serialized() && is_covered() {
            return Some(Note::LeftSerialized);
        }
        let is_doubtful = match self.doubt {
            Doubt::None => false,
            Doubt::Octets => found.lengths.is_empty(),
            Doubt::Database => true,
            Doubt::Length => return Some(Note::LeftSerialized),
        };
        if is_doubtful {
            return Some(Note::LeftEscaped);
        }
        escaped::is_doubtful(reader, read, found).then_some(Note::LeftEscaped)
    }

    /// True if a signature covers the link. Positions in the source count for signatures around the document, positions
    /// in the view for signed text.
    pub fn is_signed(
        &mut self,
        read: &SlotRead<'_>,
        found: &WindowLink<'_>,
        input: &Input<'_>,
    ) -> bool {
        let at = SourceSpan::of_window(read.origin, &found.range).start;
        let in_text = self.signed_text.as_mut().is_some_and(|text| {
            text.read(read.window.bytes, read.origin);
            text.covers(at) || found.notes.contains(Note::LeftSigned)
        });
        in_text || self.signed.covers(input.source_at(at))
    }

    /// The reason why no link of the document may change, if there is one.
    pub fn left(&self) -> Option<Note> {
        self.mapper.mapping.left
    }

    /// True if the text of a slot is, or may be, the name of a column. A slot is judged once.
    pub fn is_head(&mut self, reader: &SlotReader, read: &SlotRead<'_>) -> bool {
        let columns = &self.mapper.mapping.columns;
        if columns.is_empty() {
            return false;
        }
        let at = read.origin + read.slot.range.start as u64;
        match self.head {
            Some((slot, is_head)) if slot == at => is_head,
            _ => {
                let is_head = columns::is_head(columns, reader, read);
                self.head = Some((at, is_head));
                is_head
            }
        }
    }

    /// Leaves all links of a slot if one that a length counts cannot be written: the lengths count all new links.
    fn keep_lengths(&self, read: &SlotRead<'_>, plans: &mut [Plan], input: &Input<'_>) {
        if read.found.iter().all(|found| found.lengths.is_empty()) {
            return;
        }
        let is_lost = |plan: &Plan| match &plan.patches {
            Patches::Known(patches) => edits(read, patches.clone(), input).is_none(),
            Patches::Again(_) => false,
        };
        if plans.iter().any(is_lost) {
            for plan in plans {
                leave(plan, Note::LeftUnencodable);
            }
        }
    }

    /// Patches for the links of a piece of running text: each run that changes is read again.
    fn patch_text(&self, reader: &SlotReader, read: &SlotRead<'_>, plans: &mut [Plan]) {
        let changes = |plan: &Plan| matches!(plan.decision, Decision::Change(..));
        if !plans.iter().any(changes) {
            return;
        }
        let mut runs = Runs::of(reader, read);
        runs.retain(|links| plans[links].iter().any(changes));
        self.keep_way_back(read, &runs, plans);
        let wanted = Wanted::new(read, self.script, plans.iter().map(Plan::new_text));
        let settled = runs.settle(&wanted).into_iter().enumerate();
        let settled: Vec<Result<Vec<Patch>, Note>> = settled
            .map(|(link, patches)| patches.ok_or_else(|| wanted.reason(link)))
            .collect();
        for (plan, settled) in plans.iter_mut().zip(settled) {
            match settled {
                Ok(patches) => plan.patches = Patches::Known(patches),
                Err(note) => leave(plan, note),
            }
        }
    }

    /// Leaves links that could not be written back as URIs after they got a display form (P5).
    fn keep_way_back(&self, read: &SlotRead<'_>, runs: &Runs<'_, '_>, plans: &mut [Plan]) {
        if !self.mapper.has_way_back() {
            return;
        }
        let mut uris = vec![None; plans.len()];
        for link in runs.links() {
            uris[link] = self.uri_of(&read.found[link], &plans[link]);
        }
        let changes = |(uri, found): (&Option<String>, &WindowLink<'_>)| {
            uri.as_ref().is_some_and(|uri| uri != found.text.text())
        };
        if !uris.iter().zip(&read.found).any(changes) {
            return;
        }
        let wanted = Wanted::new(read, self.script, uris.iter().map(Option::as_deref));
        let settled = runs.settle(&wanted);
        for (plan, (uri, patches)) in plans.iter_mut().zip(uris.iter().zip(settled)) {
            if uri.is_some() && patches.is_none() {
                leave(plan, Note::LeftNotRefound);
            }
        }
    }

    /// The URI form that rewriting back would write; `None` if that would leave the link. A link with a new display
    /// form is written back even to its present text, and may be left then because of its neighbours.
    fn uri_of(&self, found: &WindowLink<'_>, plan: &Plan) -> Option<String> {
        let is_mapped =
            || self.is_mapped(found) && found.implied != Some("mailto") && !self.is_guess(found);
        let kept = || is_mapped().then(|| found.text.text());
        let display = plan.new_text().or_else(kept)?;
        let uri = self
            .mapper
            .uri_behind(display, subject(found, self.script))?;
        (uri != display).then_some(uri)
    }

    /// The source edits of a link.
    pub fn edits(
        &self,
        read: &SlotRead<'_>,
        (number, new): (usize, &str),
        patches: Patches,
        input: &Input<'_>,
    ) -> Option<Vec<Edit>> {
        let patches = match patches {
            Patches::Known(patches) => patches,
            Patches::Again(extent) => self.patches(read, &read.found[number], new, extent)?,
        };
        edits(read, patches, input)
    }

    fn patches(
        &self,
        read: &SlotRead<'_>,
        found: &WindowLink<'_>,
        new: &str,
        extent: Extent,
    ) -> Option<Vec<Patch>> {
        if self.adds_marks(read, found, new) {
            return None;
        }
        edit::patches(found, new, extent, read.window.bytes, self.script)
    }

    /// True if a new link of light markup, or the URI behind it (P5), gets marks that are read before links.
    fn adds_marks(&self, read: &SlotRead<'_>, found: &WindowLink<'_>, new: &str) -> bool {
        let Syntax::Lines(state) = read.slot.syntax else {
            return false;
        };
        // HTML and comments have no marks.
        let place = found.context.place.kind;
        if !read.slot.is_lines() || !matches!(place, PlaceKind::Text | PlaceKind::Link) {
            return false;
        }
        let (slot, own) = (&read.slot.range, &found.range);
        let text = |range: Range<usize>| {
            let bytes = read.window.bytes.get(range).unwrap_or_default();
            read.window.charset.decode(bytes)
        };
        let around = LineState::AROUND;
        let before = text(slot.start.max(own.start.saturating_sub(around))..own.start);
        let behind = text(own.end..slot.end.min(own.end + around));
        let adds = |old: &str, new: &str| state.adds_marks((&before, &behind), old, new);
        let uri = || self.mapper.uri_behind(new, subject(found, self.script));
        adds(found.text.text(), new) || uri().is_some_and(|uri| adds(new, &uri))
    }
}

/// True if charsets that parts of the document declare matter: in text, unless a BOM or the caller decides.
fn declares(info: &Info) -> bool {
    let is_said = matches!(info.charset_from, CharsetFrom::Bom | CharsetFrom::Caller);
    let is_text = matches!(
        info.format,
        Format::Text
            | Format::JavaScript
            | Format::Php
            | Format::Python
            | Format::C
            | Format::Tex
            | Format::Gettext
    );
    is_text && !is_said
}

fn is_in_page(place: &Place) -> bool {
    let is_meta = || place.element.as_deref() == Some("meta");
    match place.kind {
        PlaceKind::Attribute => !is_meta(),
        PlaceKind::Css | PlaceKind::Refresh | PlaceKind::Srcset | PlaceKind::Link => true,
        _ => false,
    }
}

/// The properties of a link that its mapping depends on.
pub(super) fn subject<'f>(found: &'f WindowLink<'_>, script: Script) -> Subject<'f> {
    // A `\` in running text may be an escape of the language of the text.
    let rendered = match Rendering::of(found.context.layers) {
        Rendering::AsWritten if is_text(&found.context.place) => Rendering::Doubtful,
        rendered => rendered,
    };
    let layers = found.context.layers;
    let alphabet = script.alphabet(found);
    let (any_character, gets_references, alphabet) = if script.denormalizes(found) {
        (false, false, alphabet.inert())
    } else {
        (
            script.writes_all(found),
            script.changes && gets_references(layers),
            alphabet,
        )
    };
    Subject {
        text: found.text.text(),
        implied: found.implied,
        context: &found.context,
        in_page: is_in_page(&found.context.place),
        any_character,
        gets_references,
        is_covered: true,
        loses_nfc: script.loses_nfc(found),
        alphabet,
        access: found.context.access,
        reason: reason(found.notes),
        queries: Queries::at(&found.context.place, found.context.layers),
        rendered,
        has_scheme_in_code: has_scheme_in_code(found.text.text(), layers),
    }
}

/// True if a link in XML, or in a string of a program, may be the namespace of a name in the notation of James Clark:
/// `{http://a.example/ns}name`.
fn is_clark_name(read: &SlotRead<'_>, found: &WindowLink<'_>) -> bool {
    let has_names = matches!(
        read.slot.escaping,
        Escaping::XmlText | Escaping::XmlCdata | Escaping::XmlAttribute(_) | Escaping::Runs(_)
    ) || found.context.layers.have_literal();
    let (before, behind) = read.window.bytes.split_at(found.range.start);
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
    has_names
        && matches!(before, [head @ .., b'{'] if !head.last().is_some_and(is_letter))
        && behind.get(found.range.len()) == Some(&b'}')
}

/// True if a link ends with the length of a string (`...s:18:"`): what stands in front of a length must stay.
fn ends_with_length(window: &[u8], link: &Range<usize>) -> bool {
    let (link, behind) = (&window[link.clone()], &window[link.end..]);
    let opens = behind.strip_prefix(b":").unwrap_or(behind).first();
    let length = link.strip_suffix(b":").unwrap_or(link);
    let digits = length.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let length = &length[..length.len() - digits.count()];
    opens.is_some_and(|byte| b"\"'\\&".contains(byte))
        && matches!(length, [.., b's' | b'S' | b'O' | b'C' | b'E', b':'])
}

/// The source edits of patches.
fn edits(read: &SlotRead<'_>, patches: Vec<Patch>, input: &Input<'_>) -> Option<Vec<Edit>> {
    let mut edits = Vec::with_capacity(patches.len());
    for patch in patches {
        let span = SourceSpan::of_window(read.origin, &patch.range);
        edits.push(input.edit(span, patch.text)?);
    }
    Some(edits)
}

/// Leaves a link that was to change, with a note.
fn leave(plan: &mut Plan, note: Note) {
    if let Decision::Change(_, notes) = &plan.decision {
        let mut notes = *notes;
        notes.insert(note);
        plan.decision = Decision::Left(notes);
    }
}
