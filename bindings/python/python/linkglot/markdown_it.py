"""Links in running text for markdown-it-py, in place of linkify-it-py. markdown-it-py is not needed to import this.

>>> from markdown_it import MarkdownIt
>>> from linkglot.markdown_it import LinkifyIt
>>> md = MarkdownIt("commonmark", {"linkify": True}).enable("linkify")
>>> md.linkify = LinkifyIt()
>>> md.renderInline("See www.example.org/käse, please.")
'See <a href="http://www.example.org/k%C3%A4se">www.example.org/käse</a>, please.'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _native

if TYPE_CHECKING:
    from collections.abc import Collection

    from typing_extensions import Unpack

    from ._native import Link
    from ._options import FindOptions

__all__ = ["SCHEMES", "LinkifyIt", "Match"]

#: The schemes that linkify-it-py knows.
SCHEMES = ("ftp", "http", "https", "mailto")

#: Characters of which every link has one.
_MARKS = ".:@。．｡"


@dataclass(frozen=True)
class Match:
    """A link, with the fields that linkify-it-py gives; positions count characters."""

    #: The scheme with its colon; `//` for a link that begins so; empty for a host without one.
    schema: str
    index: int
    last_index: int
    raw: str
    text: str
    #: The link without line breaks, with `http://` or `mailto:` in front if it has no scheme.
    url: str


class LinkifyIt:
    """Finds links in running text; what markdown-it-py asks of linkify-it-py.

    ``schemes`` are those of links that have one; `None` takes all. ``options`` are those of `linkglot.find`, such as
    ``detect="scheme"`` for links with a scheme alone.
    """

    def __init__(self, *, schemes: Collection[str] | None = SCHEMES, **options: Unpack[FindOptions]) -> None:
        options.setdefault("format", "text")
        self._schemes = schemes
        self._options = options

    def pretest(self, text: str) -> bool:
        """False if the text has surely no links. Linear, and fast."""
        return any(mark in text for mark in _MARKS)

    def test(self, text: str) -> bool:
        """True if the text has links."""
        return self.match(text) is not None

    def match(self, text: str) -> list[Match] | None:
        """The links of a text in order; `None` if there are none."""
        if not self.pretest(text):
            return None
        found = (self._match(text, link) for link in _native.find(text, **self._options))
        return [match for match in found if match is not None] or None

    def match_at_start(self, text: str) -> Match | None:
        """The link with a scheme with which a text begins."""
        # White space ends links, but for those that are set in brackets.
        words = text.split(maxsplit=1)
        found = self.match(words[0]) if words and text.startswith(words[0]) else None
        begins = found is not None and found[0].index == 0 and found[0].schema != ""
        return found[0] if found and begins and text.lower().startswith(found[0].schema) else None

    def _match(self, text: str, link: Link) -> Match | None:
        start, schema, front = link.start, "", ""
        if link.scheme is not None:
            if self._schemes is not None and link.scheme not in self._schemes:
                return None
            schema = f"{link.scheme}:"
        elif link.implied == "mailto":
            schema = front = "mailto:"
        elif text[:start].endswith("//"):
            start, schema = start - 2, "//"
            if text[:start].endswith(":"):
                return None
        else:
            front = "http://"
        raw = text[start : link.end]
        # Line breaks inside of a link in angle brackets are not part of it.
        return Match(schema, start, link.end, raw, raw, front + "".join(raw.split()))
