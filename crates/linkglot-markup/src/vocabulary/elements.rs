//! The elements of HTML that change how the tokenizer reads on, as in the standard's tree builder.

/// The role of an element of HTML in the reading of its document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Role {
    /// No role.
    #[default]
    Plain,
    /// An element without content and end tag.
    Void,
    /// `a`.
    Anchor,
    /// An element whose text is code, not prose.
    Code,
    /// Escapable raw text.
    Rcdata,
    /// Raw text that is not shown.
    Rawtext,
    /// `style`.
    Style,
    /// `script`.
    Script,
    /// `xmp`: raw text that is shown.
    Xmp,
    /// `plaintext`.
    Plaintext,
    /// `svg`.
    Svg,
    /// `math`.
    Math,
    /// `table`.
    Table,
    /// A part of a table that ends open elements of the previous cell.
    Cell,
    /// An element whose `source` children are conditional.
    Media,
    /// `font`, which leaves foreign content only with some attributes.
    Font,
    /// `template`, whose content is a document of its own.
    Template,
    /// A heading, which the end tag of any heading ends.
    Heading,
}

impl Role {
    /// True if markup may stand in the element.
    pub fn holds_markup(self) -> bool {
        !matches!(
            self,
            Role::Void | Role::Rcdata | Role::Rawtext | Role::Style | Role::Script | Role::Xmp
        )
    }

    /// True if, outside of foreign content, markup follows the start tag of the element and the tree needs neither its
    /// name nor its attributes.
    #[inline]
    pub fn is_transparent(self) -> bool {
        matches!(
            self,
            Role::Plain
                | Role::Void
                | Role::Code
                | Role::Table
                | Role::Cell
                | Role::Font
                | Role::Template
                | Role::Heading
        )
    }
}

/// The elements with a role of their own, and other frequent elements.
pub(super) const ROLES: &[(Role, &str)] = &[
    (
        Role::Void,
        "area base basefont bgsound br col embed frame hr image img input keygen link meta param \
        source track wbr",
    ),
    (Role::Anchor, "a"),
    (Role::Code, "code kbd samp"),
    (Role::Rcdata, "title textarea"),
    (Role::Rawtext, "iframe noembed noframes"),
    (Role::Style, "style"),
    (Role::Script, "script"),
    (Role::Xmp, "xmp"),
    (Role::Plaintext, "plaintext"),
    (Role::Svg, "svg"),
    (Role::Math, "math"),
    (Role::Table, "table"),
    (Role::Cell, "caption td th tr tbody thead tfoot"),
    (Role::Media, "audio picture video"),
    (Role::Font, "font"),
    (Role::Template, "template"),
    (Role::Heading, "h1 h2 h3 h4 h5 h6"),
    (
        Role::Plain,
        "abbr address applet article aside b big blockquote body button center cite dd del details \
        dfn dialog dir div dl dt em fieldset figcaption figure footer form frameset head header html \
        i ins label legend li listing main map marquee menu nav nobr noscript object ol optgroup \
        option p pre q ruby s section select small span strike strong sub summary sup tt u ul var",
    ),
];

/// True if a start tag leaves foreign content (13.2.6.5).
pub(super) fn breaks_out(name: &str) -> bool {
    const NAMES: &str = "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img \
        li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var";
    NAMES.split(' ').any(|own| own == name)
}
