//! Environments: verbatim text, and those that TeX may read as a whole, like an argument.

use super::{AHEAD, Mark, Position, Reach, State};

/// Environments of verbatim text.
#[doc(hidden)]
pub const TEX_VERBATIM: &[&[u8]] = &[
    b"verbatim",
    b"verbatim*",
    b"Verbatim",
    b"Verbatim*",
    b"BVerbatim",
    b"LVerbatim",
    b"lstlisting",
    b"minted",
    b"spverbatim",
    b"tcblisting",
    b"filecontents",
    b"filecontents*",
    b"SaveVerbatim",
    b"VerbatimOut",
];

/// Environments whose text TeX reads byte by byte. Others may be read as an argument, as `frame` of beamer, `tabularx`,
/// `align`, and `abstract` of some classes.
const HARMLESS: &[&[u8]] = &[
    b"center",
    b"description",
    b"document",
    b"enumerate",
    b"figure",
    b"figure*",
    b"flushleft",
    b"flushright",
    b"itemize",
    b"landscape",
    b"list",
    b"longtable",
    b"minipage",
    b"multicols",
    b"quotation",
    b"quote",
    b"sloppypar",
    b"spacing",
    b"table",
    b"table*",
    b"tabular",
    b"tabular*",
    b"thebibliography",
    b"titlepage",
    b"verse",
];

/// The open environments that TeX may read as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Environments {
    Open {
        count: usize,
        /// The braces around the first of them.
        depth: usize,
    },
    /// Macros begin or end environments.
    Unknown,
}

impl Default for Environments {
    fn default() -> Self {
        Environments::Open { count: 0, depth: 0 }
    }
}

impl Environments {
    pub fn are_harmless(self) -> bool {
        matches!(self, Environments::Open { count: 0, .. })
    }

    fn begin(&mut self, around: usize) {
        match self {
            Environments::Open { count: 0, .. } => {
                *self = Environments::Open {
                    count: 1,
                    depth: around,
                }
            }
            Environments::Open { count, .. } => *count += 1,
            Environments::Unknown => {}
        }
    }

    fn end(&mut self) {
        match self {
            Environments::Open { count: 0, .. } => *self = Environments::Unknown,
            Environments::Open { count, .. } => *count -= 1,
            Environments::Unknown => {}
        }
    }

    /// Goes behind a closing brace. An environment that its group does not end is the beginning of a macro.
    pub fn close_group(&mut self, around: usize) {
        match *self {
            Environments::Open { count, depth } if count > 0 && around < depth => {
                *self = Environments::Unknown;
            }
            _ => {}
        }
    }
}

/// Goes to the argument of `\begin` or `\end`, whose name ends at `name_end`, or into verbatim text.
pub(super) fn edge(here: &mut Position, rest: &[u8], name_end: usize, reach: Reach) -> Mark {
    let pass = Mark::Pass(name_end);
    let near = &rest[..rest.len().min(AHEAD)];
    let argument = near[name_end..].trim_ascii_start();
    let Some(close) = memchr::memchr2(b'}', b'\n', argument) else {
        if near.len() < AHEAD && !reach.last {
            return Mark::More;
        }
        here.environments = Environments::Unknown;
        return pass;
    };
    let name = argument[..close].strip_prefix(b"{");
    let Some(name) = name.filter(|_| argument[close] == b'}') else {
        here.environments = Environments::Unknown;
        return pass;
    };
    let is_begin = near.starts_with(b"\\begin");
    if TEX_VERBATIM.contains(&name) {
        if !is_begin {
            return pass;
        }
        let end = [b"\\end{", name, b"}"].concat();
        let behind = near.len() - argument.len() + close + 1;
        return Mark::Cut(behind, State::Verbatim(end.into()));
    }
    match () {
        () if HARMLESS.contains(&name) => {}
        () if is_begin => here.environments.begin(here.depth),
        () => here.environments.end(),
    }
    pass
}
