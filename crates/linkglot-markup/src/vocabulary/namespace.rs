//! Namespaces as numbers.

use crate::slot::Name;

/// A namespace's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NamespaceId(u32);

impl NamespaceId {
    /// No namespace.
    pub const NONE: NamespaceId = NamespaceId(0);
    /// A namespace that no row names.
    pub const UNKNOWN: NamespaceId = NamespaceId(1);
    /// The number for processing instructions.
    pub const INSTRUCTION: NamespaceId = NamespaceId(2);
    /// HTML in documents of HTML, whose attributes have no namespaces.
    pub const HTML: NamespaceId = NamespaceId(3);
    /// SVG in documents of HTML.
    pub const HTML_SVG: NamespaceId = NamespaceId(4);
    /// MathML in documents of HTML.
    pub const HTML_MATHML: NamespaceId = NamespaceId(5);
    /// XHTML in documents of XML.
    pub const XHTML: NamespaceId = NamespaceId(6);
    /// The namespace of the prefix `xml`.
    pub const XML: NamespaceId = NamespaceId(7);
    /// XSLT.
    pub const XSLT: NamespaceId = NamespaceId(8);
    /// The first number without a fixed meaning.
    pub const FIRST_FREE: NamespaceId = NamespaceId(9);

    /// The namespaces of elements in documents of HTML.
    pub const OF_HTML: [NamespaceId; 3] = [Self::HTML, Self::HTML_SVG, Self::HTML_MATHML];

    /// The namespaces with a fixed number, and their names.
    pub const FIXED: [(NamespaceId, &'static str); 3] = [
        (Self::XHTML, "http://www.w3.org/1999/xhtml"),
        (Self::XML, "http://www.w3.org/XML/1998/namespace"),
        (Self::XSLT, "http://www.w3.org/1999/XSL/Transform"),
    ];

    /// The number of a namespace with a fixed number; the empty name is no namespace.
    pub fn fixed(name: &str) -> Option<NamespaceId> {
        let mut fixed = Self::FIXED.iter();
        match name {
            "" => Some(Self::NONE),
            name => fixed.find(|(_, own)| *own == name).map(|(id, _)| *id),
        }
    }

    /// The name of a namespace with a fixed number, as places show it: in documents of HTML, the namespace of HTML is
    /// left out.
    pub fn fixed_name(self) -> Option<Name> {
        const SVG: Name = Name::built_in("http://www.w3.org/2000/svg");
        const MATHML: Name = Name::built_in("http://www.w3.org/1998/Math/MathML");
        match self {
            Self::HTML_SVG => Some(SVG),
            Self::HTML_MATHML => Some(MATHML),
            _ => {
                let found = Self::FIXED.iter().find(|(id, _)| *id == self);
                found.map(|(_, name)| Name::built_in(name))
            }
        }
    }

    /// True for a namespace of elements in documents of HTML.
    pub fn is_html(self) -> bool {
        Self::OF_HTML.contains(&self)
    }

    /// True for a namespace of foreign elements in documents of HTML.
    pub fn is_foreign(self) -> bool {
        matches!(self, Self::HTML_SVG | Self::HTML_MATHML)
    }

    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The number that is greater by `more`.
    pub fn plus(self, more: usize) -> NamespaceId {
        NamespaceId(self.0 + more as u32)
    }
}
