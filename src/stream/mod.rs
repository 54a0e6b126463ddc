//! Links of documents that are read in windows, in bounded memory.

mod input;

pub(crate) use input::Input;

use crate::error::Error;
use crate::link::{
    Found, Info, Link, Locator, Progress, Reader, RunGround, Settings, machine, open,
};
use crate::markup::{Slot, Window};
use crate::span::SourceSpan;
use std::io::Read;
use std::ops::ControlFlow;

/// Hands every link of what `reader` gives to `each`, until it says `Break`.
///
/// The links are those of [`crate::Document::links`] over the same bytes. A slot that is longer
/// than [`Settings::max_slot`] comes as a link without text and with the note `too-long`. Memory
/// is bounded by a small multiple of `max_slot`; time is linear.
///
/// # Errors
///
/// Those of `reader`.
///
/// # Examples
///
/// ```
/// use linkglot::{Settings, stream::read_links};
/// use std::ops::ControlFlow;
///
/// let mut page = &b"<a href='/caf\xE9'>menu</a>"[..];
/// let mut links = Vec::new();
/// let info = read_links(&mut page, &Settings::default(), &mut |link, _| {
///     links.push(link.text().to_owned());
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(links, ["/café"]);
/// assert_eq!(info.charset.name(), "windows-1252");
/// # Ok::<(), linkglot::Error>(())
/// ```
pub fn read_links(
    reader: &mut dyn Read,
    settings: &Settings,
    each: &mut dyn FnMut(&Link<'_>, &Info) -> ControlFlow<()>,
) -> Result<Info, Error> {
    read(
        Input::of_reader(reader)?,
        settings,
        &mut |_, _, _, _| {},
        each,
    )
}

/// A slot that the machine answered, and the window it is in.
pub(crate) struct SlotRead<'w> {
    pub slot: Slot,
    /// Of its run of text.
    pub ground: RunGround,
    pub window: Window<'w>,
    pub origin: u64,
    pub found: Vec<Found<'w>>,
}

/// What looks at the links of a slot before they are handed out one by one.
pub(crate) type EachSlot<'e> = &'e mut dyn FnMut(&Reader, &SlotRead<'_>, &Input<'_>, &Info);

/// [`read_links`] of an input; `slots` sees each slot first.
pub(crate) fn read(
    mut input: Input<'_>,
    settings: &Settings,
    slots: EachSlot<'_>,
    each: &mut dyn FnMut(&Link<'_>, &Info) -> ControlFlow<()>,
) -> Result<Info, Error> {
    let (head, whole) = input.raw();
    let (info, bom) = open(head, whole, settings);
    input.start(info.charset, bom);
    let mut machine = machine(&info, settings);
    let mut locator = settings
        .locate
        .then(|| Locator::new(info.charset.view(), input.window().1 + input.cursor as u64));
    loop {
        let mut found = Vec::new();
        let mut cursor = input.cursor;
        let (window, origin) = input.window();
        match machine.step(window, origin, &mut cursor, &mut found) {
            Progress::Slot { slot, ground } => {
                let read = SlotRead {
                    slot,
                    ground,
                    window,
                    origin,
                    found,
                };
                slots(&machine.reader, &read, &input, &info);
                for found in read.found {
                    let view = SourceSpan::of_window(origin, &found.range);
                    let span = SourceSpan {
                        start: input.source_at(view.start),
                        end: input.source_at(view.end),
                    };
                    let mut link = Link::new(found, window.bytes, window.charset, span);
                    if let Some(locator) = &mut locator {
                        locator.advance(window.bytes, origin, view.start);
                        link.locate(locator.location());
                    }
                    if each(&link, &info).is_break() {
                        return Ok(info);
                    }
                }
            }
            Progress::TooLong(at, place) => {
                let at = origin + at as u64;
                let mut link = Link::too_long(input.source_at(at), place, window.charset);
                if let Some(locator) = &mut locator {
                    locator.advance(window.bytes, origin, at);
                    link.locate(locator.location());
                }
                if each(&link, &info).is_break() {
                    return Ok(info);
                }
            }
            Progress::End => return Ok(info),
            Progress::NeedMore => {
                if let Some(locator) = &mut locator {
                    locator.follow(window.bytes, origin, origin + cursor as u64);
                }
                input.cursor = cursor;
                input.drop_read(u64::MAX);
                if !input.grow()? {
                    return Ok(info);
                }
                continue;
            }
        }
        input.cursor = cursor;
    }
}
