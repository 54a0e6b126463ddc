//! The part of the standard's tree builder (13.2.6) that decides how the tokenizer reads on: foreign content, its
//! integration points, and whether text stands inside links, code or media elements.
//!
//! HTML elements are not kept on a stack. Memory is bounded.

use crate::vocabulary::{Case, NamespaceId, Role, Vocabulary};

/// The elements that may stand inside an element of foreign content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Foreign,
    /// An HTML integration point.
    Html,
    /// A MathML text integration point.
    MathText,
    /// `annotation-xml`, in which `svg` is an element of HTML.
    Annotation,
}

#[derive(Clone, Debug)]
struct Open {
    namespace: NamespaceId,
    /// The place of the name in `names`.
    name: (usize, usize),
    inside: Inside,
    /// The number of open HTML elements inside.
    depth: u32,
}

/// The open elements that matter.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    foreign: Vec<Open>,
    /// The names of `foreign` in lower case, concatenated.
    names: Vec<u8>,
    /// The number of foreign elements that were opened beyond the bound.
    beyond: u64,
    tables: u32,
    /// Templates that are open outside foreign content.
    templates: u32,
    /// Headings that are open.
    headings: u32,
    anchor: Option<u32>,
    code: Option<(u32, u32)>,
    /// `audio`, `picture` and `video`, the innermost last.
    media: Vec<&'static str>,
}

/// A tag, as the tree sees it.
#[derive(Clone, Copy)]
pub struct TagFacts<'t> {
    /// The name as written.
    pub name: &'t [u8],
    /// True if the tag ends in `/>`.
    pub self_closing: bool,
    /// True for `font` with `color`, `face` or `size`, `annotation-xml` with an encoding of HTML, and `a` with a link.
    pub marked: bool,
}

/// The most foreign elements that are kept. Deeper ones are only counted, so that memory and the cost of an end tag are
/// bounded.
const MOST_OPEN: usize = 256;
const LONGEST_NAME: usize = 64;

impl Tree {
    /// True if foreign content is open.
    #[inline]
    pub fn is_foreign(&self) -> bool {
        !self.foreign.is_empty()
    }

    /// True if `<![CDATA[` begins a CDATA section.
    pub fn allows_cdata(&self) -> bool {
        self.foreign.last().is_some_and(|open| {
            open.inside != Inside::Html && open.inside != Inside::MathText || open.depth == 0
        })
    }

    /// The name of the foreign element whose text comes next.
    pub fn foreign_parent(&self) -> Option<&[u8]> {
        self.foreign.last().map(|open| self.name(open))
    }

    /// True if text stands inside a link.
    pub fn in_anchor(&self) -> bool {
        self.anchor.is_some()
    }

    /// True if a table is open.
    pub fn is_in_table(&self) -> bool {
        self.tables > 0
    }

    /// True if a template is open outside foreign content.
    pub fn in_template(&self) -> bool {
        self.templates > 0
    }

    /// True if text stands inside code.
    pub fn in_code(&self) -> bool {
        self.code.is_some()
    }

    /// Notes that the last `a` that was opened is a link.
    pub fn open_anchor(&mut self) {
        self.anchor = Some(self.tables);
    }

    /// The nearest of `audio`, `picture`, `video` that is open.
    pub fn media(&self) -> Option<&'static str> {
        self.media.last().copied()
    }

    fn name(&self, open: &Open) -> &[u8] {
        let (start, end) = open.name;
        self.names.get(start..end).unwrap_or_default()
    }

    /// The namespace of a start tag's element. Closes the foreign elements that the tag ends.
    #[inline]
    pub fn namespace(&mut self, vocabulary: &Vocabulary, tag: TagFacts<'_>) -> NamespaceId {
        if self.foreign.is_empty() {
            return NamespaceId::HTML;
        }
        self.foreign_namespace(vocabulary, tag)
    }

    fn foreign_namespace(&mut self, vocabulary: &Vocabulary, tag: TagFacts<'_>) -> NamespaceId {
        let Some(open) = self.foreign.last() else {
            return NamespaceId::HTML;
        };
        let is = |name: &[u8]| tag.name.eq_ignore_ascii_case(name);
        match open.inside {
            Inside::Html => return NamespaceId::HTML,
            Inside::MathText if open.depth > 0 || !is(b"mglyph") && !is(b"malignmark") => {
                return NamespaceId::HTML;
            }
            Inside::Annotation if is(b"svg") => return NamespaceId::HTML,
            _ => {}
        }
        let html = vocabulary.element(NamespaceId::HTML, tag.name, Case::Ignored);
        let font = html.role == Role::Font && tag.marked;
        if !vocabulary.get(html).breaks_out && !font {
            return open.namespace;
        }
        self.leave_foreign();
        NamespaceId::HTML
    }

    /// Closes foreign elements up to an integration point or to HTML.
    fn leave_foreign(&mut self) {
        self.beyond = 0;
        while let Some(open) = self.foreign.last() {
            if matches!(open.inside, Inside::Html | Inside::MathText) {
                return;
            }
            self.pop();
        }
    }

    fn pop(&mut self) {
        if let Some(open) = self.foreign.pop() {
            self.names.truncate(open.name.0);
        }
    }

    /// Reads a start tag in the namespace that [`namespace`](Self::namespace) answered.
    #[inline]
    pub fn start(&mut self, namespace: NamespaceId, role: Role, tag: TagFacts<'_>) {
        if namespace == NamespaceId::HTML {
            self.start_html(role, tag);
        } else {
            self.push(namespace, tag);
            if tag.name.eq_ignore_ascii_case(b"a") && tag.marked && !tag.self_closing {
                self.anchor = Some(self.tables);
            }
        }
    }

    #[inline]
    fn start_html(&mut self, role: Role, tag: TagFacts<'_>) {
        match role {
            Role::Svg => return self.push(NamespaceId::HTML_SVG, tag),
            Role::Math => return self.push(NamespaceId::HTML_MATHML, tag),
            Role::Void => return,
            Role::Plain => {}
            Role::Anchor => self.anchor = tag.marked.then_some(self.tables),
            Role::Code => self.open_code(),
            Role::Table => self.tables = self.tables.saturating_add(1),
            Role::Cell => self.leave_cell(),
            Role::Media => self.open_media(tag.name),
            Role::Template if self.foreign.is_empty() => {
                self.templates = self.templates.saturating_add(1);
            }
            Role::Heading => self.headings = self.headings.saturating_add(1),
            _ => {}
        }
        if let Some(open) = self.foreign.last_mut() {
            open.depth = open.depth.saturating_add(1);
        }
    }

    fn open_code(&mut self) {
        let (level, depth) = self.code.unwrap_or((self.tables, 0));
        self.code = Some((level, depth.saturating_add(1)));
    }

    /// Ends the links and code that were left open in the previous cell: a cell clears the list of active formatting
    /// elements up to its marker.
    fn leave_cell(&mut self) {
        let level = self.tables;
        self.anchor = self.anchor.filter(|&at| at < level || level == 0);
        self.code = self.code.filter(|&(at, _)| at < level || level == 0);
    }

    fn push(&mut self, namespace: NamespaceId, tag: TagFacts<'_>) {
        if tag.self_closing {
            return;
        }
        if self.foreign.len() >= MOST_OPEN {
            self.beyond += 1;
            return;
        }
        let name = self.names.len();
        let kept = tag.name.get(..LONGEST_NAME).unwrap_or(tag.name);
        self.names.extend(kept.iter().map(u8::to_ascii_lowercase));
        let inside = inside(
            namespace,
            self.names.get(name..).unwrap_or_default(),
            tag.marked,
        );
        let name = (name, self.names.len());
        self.foreign.push(Open {
            namespace,
            name,
            inside,
            depth: 0,
        });
    }

    /// Reads an end tag.
    #[inline]
    pub fn end(&mut self, vocabulary: &Vocabulary, name: &[u8]) {
        let html = vocabulary.element(NamespaceId::HTML, name, Case::Ignored);
        let role = html.role;
        if self.foreign.is_empty() {
            return self.end_html(role, name);
        }
        let known = vocabulary.element_name(html).is_some();
        match self.end_in_foreign(name, role, known) {
            Ended::Foreign if role == Role::Anchor => self.anchor = None,
            Ended::Foreign | Ended::Nothing => {}
            Ended::Html => self.end_html(role, name),
        }
    }

    /// Reads an end tag of HTML.
    #[inline]
    pub fn end_html(&mut self, role: Role, name: &[u8]) {
        match role {
            Role::Anchor => self.anchor = None,
            Role::Code => self.close_code(),
            Role::Table => {
                self.leave_cell();
                self.tables = self.tables.saturating_sub(1);
            }
            Role::Cell => self.leave_cell(),
            Role::Media => self.close_media(name),
            // Inside foreign content the tag closed an element there.
            Role::Template if self.foreign.is_empty() => {
                self.templates = self.templates.saturating_sub(1);
            }
            Role::Heading => self.headings = self.headings.saturating_sub(1),
            _ => {}
        }
    }

    fn open_media(&mut self, name: &[u8]) {
        if self.media.len() < MOST_OPEN {
            self.media.extend(media_name(name));
        }
    }

    /// Closes the innermost element of a name, and the elements inside.
    fn close_media(&mut self, name: &[u8]) {
        let own = media_name(name);
        if let Some(at) = self.media.iter().rposition(|&open| Some(open) == own) {
            self.media.truncate(at);
        }
    }

    fn close_code(&mut self) {
        self.code = match self.code {
            Some((level, depth)) if depth > 1 => Some((level, depth - 1)),
            _ => None,
        };
    }

    /// Closes the innermost foreign element of a name, up to the HTML element around it. Without such an element, the
    /// end tag is one of HTML (13.2.6.5).
    fn end_in_foreign(&mut self, name: &[u8], role: Role, known: bool) -> Ended {
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        let Some(top) = self.foreign.last() else {
            return Ended::Html;
        };
        if top.depth > 0 {
            return self.end_inside(name, role);
        }
        if is("p") || is("br") {
            self.leave_foreign();
            return Ended::Nothing;
        }
        let around = self.foreign.iter().rposition(|open| open.depth > 0);
        let reached = around.map_or(0, |at| at + 1);
        let own = |open: &Open| self.name(open).eq_ignore_ascii_case(name);
        let found = self.foreign[reached..].iter().rposition(own);
        match found.map(|at| reached + at) {
            Some(at) if self.beyond > 0 && at + 1 == self.foreign.len() => {
                self.beyond -= 1;
                Ended::Foreign
            }
            Some(at) => {
                self.close_to(at);
                Ended::Foreign
            }
            None if known && self.may_be_around(name, role, reached) => {
                self.close_to(reached);
                self.leave_inside();
                Ended::Html
            }
            None => Ended::Nothing,
        }
    }

    /// Reads an end tag where an HTML element is open in an integration point. Names of HTML elements are not kept, so
    /// only the integration point and the root of the foreign content are closed by name; any other tag closes an HTML
    /// element.
    fn end_inside(&mut self, name: &[u8], role: Role) -> Ended {
        let found = self.foreign.iter().rposition(|open| {
            let open_name = self.name(open);
            let outer = open.inside != Inside::Foreign || matches!(open_name, b"svg" | b"math");
            outer && open_name.eq_ignore_ascii_case(name)
        });
        match found {
            Some(at) => {
                self.close_to(at);
                Ended::Foreign
            }
            None => {
                if role != Role::Void {
                    self.leave_inside();
                }
                Ended::Html
            }
        }
    }

    /// True if an end tag of HTML may close an element around the foreign content that begins at `reached`. Elements
    /// whose names are not kept count as open.
    fn may_be_around(&self, name: &[u8], role: Role, reached: usize) -> bool {
        let is = |others: &[&str]| {
            others
                .iter()
                .any(|own| name.eq_ignore_ascii_case(own.as_bytes()))
        };
        let scoped = || {
            // End tags close elements in scope, and integration points bound the scope (13.2.4.2).
            let within = self.foreign.get(reached..).unwrap_or_default();
            within.iter().all(|open| open.inside == Inside::Foreign)
        };
        match role {
            Role::Table | Role::Cell => self.tables > 0,
            Role::Template => self.templates > 0 || reached > 0,
            Role::Heading => self.headings > 0 && scoped(),
            Role::Anchor => self.in_anchor() && scoped(),
            Role::Code => self.in_code() && scoped(),
            Role::Media => {
                let own = media_name(name);
                self.media.iter().any(|open| Some(*open) == own) && scoped()
            }
            // These end tags only change the mode (13.2.6.4.7), or their elements are never open.
            _ if is(&["body", "frameset", "head", "html"]) => false,
            // The form is removed from the stack; the elements inside stay open.
            _ if is(&["form"]) => self.templates > 0 && scoped(),
            _ => role.holds_markup() && scoped(),
        }
    }

    /// Closes the foreign elements from `at` on.
    fn close_to(&mut self, at: usize) {
        self.beyond = 0;
        while self.foreign.len() > at {
            self.pop();
        }
    }

    /// Closes an HTML element in the innermost integration point.
    fn leave_inside(&mut self) {
        if let Some(open) = self.foreign.last_mut() {
            open.depth = open.depth.saturating_sub(1);
        }
    }
}

/// The outcome of an end tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// A foreign element was closed.
    Foreign,
    /// The tag is an end tag of HTML.
    Html,
    /// Nothing was closed.
    Nothing,
}

fn media_name(name: &[u8]) -> Option<&'static str> {
    ["audio", "picture", "video"]
        .into_iter()
        .find(|media| name.eq_ignore_ascii_case(media.as_bytes()))
}

/// The elements that may stand inside an element (13.2.6: HTML and MathML text integration points).
fn inside(namespace: NamespaceId, name: &[u8], marked: bool) -> Inside {
    match (namespace, name) {
        (NamespaceId::HTML_SVG, b"foreignobject" | b"desc" | b"title") => Inside::Html,
        (NamespaceId::HTML_MATHML, b"mi" | b"mo" | b"mn" | b"ms" | b"mtext") => Inside::MathText,
        (NamespaceId::HTML_MATHML, b"annotation-xml") if marked => Inside::Html,
        (NamespaceId::HTML_MATHML, b"annotation-xml") => Inside::Annotation,
        _ => Inside::Foreign,
    }
}
