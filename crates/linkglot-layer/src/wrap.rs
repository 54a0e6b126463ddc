//! Places where a line that grew too long is broken.

/// A piece of a line: a byte that is written, or bytes that stay. Lines break only between pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Octets in the midst of a line.
    pub(super) width: usize,
    /// Octets at the start of a line that a break made.
    pub(super) width_at_begin: usize,
    /// Set if no break may stand in front of the piece.
    pub(super) glued: bool,
}

/// The limits within which lines are broken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// The most octets of a line, without its line break.
    pub(super) limit: usize,
    /// The octets that a break adds to the line before.
    pub(super) mark: usize,
    /// The octets that a break adds to the line behind.
    pub(super) indent: usize,
}

/// The pieces in front of which a line breaks: as few as possible, each as late as possible, none if the line fits. The
/// first line already has `before` octets, and `behind` octets follow on the last line. Linear.
pub(super) fn breaks(pieces: &[Piece], shape: Shape, before: usize, behind: usize) -> Vec<usize> {
    let mut breaks = Vec::new();
    let mut left = behind + pieces.iter().map(|piece| piece.width).sum::<usize>();
    let (mut column, mut at) = (before, 0);
    while let Some(first) = pieces.get(at) {
        if column + left <= shape.limit {
            break;
        }
        let rest = pieces.get(at + 1..).unwrap_or_default();
        let glued = rest.iter().take_while(|piece| piece.glued);
        let (count, width) = glued.fold((1, first.width), |(count, width), piece| {
            (count + 1, width + piece.width)
        });
        if at > 0 && !first.glued && column + width + shape.mark > shape.limit {
            breaks.push(at);
            column = shape.indent + first.width_at_begin - first.width;
        }
        column += width;
        left -= width;
        at += count;
    }
    breaks
}
