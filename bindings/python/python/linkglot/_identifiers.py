"""Explanation and comparison of single identifiers."""

from __future__ import annotations

from dataclasses import dataclass

from . import _native


@dataclass(frozen=True)
class Components:
    """The components of an identifier, as a tolerant reader splits it."""

    scheme: str | None
    userinfo: str | None
    host: str | None
    port: str | None
    path: str
    query: str | None
    fragment: str | None


@dataclass(frozen=True)
class Warning:
    """A feature of an identifier that could deceive its reader."""

    code: str
    words: str
    detail: str
    start: int
    end: int


@dataclass(frozen=True)
class Explanation:
    """The explanation of an identifier."""

    input: str
    #: True if the text is an IRI reference (RFC 3987 2.2, 4.1).
    valid: bool
    #: The reason why the text is not valid, and the character.
    error: tuple[str, int | None] | None
    components: Components
    uri: str | None
    iri: str
    #: The URI in the spelling that equivalent URIs share.
    normal: str
    #: The IRI with its characters in the order of their display.
    displayed: str
    warnings: tuple[Warning, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """The comparison of two identifiers; ``bool(comparison)`` tells if they are the same."""

    same: bool
    #: The first rung of RFC 3987 5.3 on which the identifiers are the same: string, case, percent, path, scheme.
    level: str | None
    #: The component in which the identifiers differ.
    component: str | None

    def __bool__(self) -> bool:
        return self.same


def explain(iri: str) -> Explanation:
    """Explains an identifier: its components, its forms, and features that could deceive a reader.

    >>> explain("http://example.org/é").uri
    'http://example.org/%C3%A9'
    >>> [warning.code for warning in explain("http://раypal.com/").warnings]
    ['mixed-script-host', 'confusable-host']
    """
    fields = _native.explain(iri)
    fields["components"] = Components(**fields["components"])
    fields["warnings"] = tuple(Warning(*warning) for warning in fields["warnings"])
    return Explanation(**fields)


def compare(a: str, b: str, *, base: str | None = None) -> Comparison:
    """Compares two identifiers on the rungs of RFC 3987 5.3.

    >>> compare("http://example.org/%7ea", "HTTP://example.org/~a").level
    'percent'
    >>> compare("http://example.org/a", "http://example.org/b").component
    'path'
    """
    return Comparison(*_native.compare(a, b, base=base))
