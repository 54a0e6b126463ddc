//! What the HTML standard's tree builder does at the names that change how the tokenizer reads on.

/// What an element of the HTML namespace means to the reading of its document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Nothing.
    #[default]
    Plain,
    /// It has no content and no end tag.
    Void,
    /// `a`.
    Anchor,
    /// Its text is code, not prose.
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
    /// A part of a table that ends what is open in the cell before it.
    Cell,
    /// An element whose `source` children are conditional.
    Media,
    /// `font`, which leaves foreign content only with some attributes.
    Font,
    /// `template`, whose content is a document of its own.
    Template,
    /// A heading: the end tag of any ends one.
    Heading,
}

impl Role {
    /// Whether markup may stand in it.
    pub fn can_stand_around(self) -> bool {
        !matches!(
            self,
            Role::Void | Role::Rcdata | Role::Rawtext | Role::Style | Role::Script | Role::Xmp
        )
    }

    /// Whether its start tag changes nothing that its name and attributes must be known for, and
    /// markup follows it (outside foreign content).
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

/// Elements with a role of their own.
pub const ROLES: &[(Role, &[&str])] = &[
    (
        Role::Void,
        &[
            "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image",
            "img", "input", "keygen", "link", "meta", "param", "source", "track", "wbr",
        ],
    ),
    (Role::Anchor, &["a"]),
    (Role::Code, &["code", "kbd", "samp"]),
    (Role::Rcdata, &["title", "textarea"]),
    (Role::Rawtext, &["iframe", "noembed", "noframes"]),
    (Role::Style, &["style"]),
    (Role::Script, &["script"]),
    (Role::Xmp, &["xmp"]),
    (Role::Plaintext, &["plaintext"]),
    (Role::Svg, &["svg"]),
    (Role::Math, &["math"]),
    (Role::Table, &["table"]),
    (
        Role::Cell,
        &["caption", "td", "th", "tr", "tbody", "thead", "tfoot"],
    ),
    (Role::Media, &["audio", "picture", "video"]),
    (Role::Font, &["font"]),
    (Role::Template, &["template"]),
    (Role::Heading, &["h1", "h2", "h3", "h4", "h5", "h6"]),
];

/// Elements without one that documents are full of.
pub const PLAIN: &[&str] = &[
    "abbr",
    "address",
    "applet",
    "article",
    "aside",
    "b",
    "big",
    "blockquote",
    "body",
    "button",
    "center",
    "cite",
    "dd",
    "del",
    "details",
    "dfn",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "em",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frameset",
    "head",
    "header",
    "html",
    "i",
    "ins",
    "label",
    "legend",
    "li",
    "listing",
    "main",
    "map",
    "marquee",
    "menu",
    "nav",
    "nobr",
    "noscript",
    "object",
    "ol",
    "optgroup",
    "option",
    "p",
    "pre",
    "q",
    "ruby",
    "s",
    "section",
    "select",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "tt",
    "u",
    "ul",
    "var",
];

/// Start tags that leave foreign content (13.2.6.5).
pub const BREAKOUT: &[&str] = &[
    "b",
    "big",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "i",
    "img",
    "li",
    "listing",
    "menu",
    "meta",
    "nobr",
    "ol",
    "p",
    "pre",
    "ruby",
    "s",
    "small",
    "span",
    "strong",
    "strike",
    "sub",
    "sup",
    "table",
    "tt",
    "u",
    "ul",
    "var",
];
