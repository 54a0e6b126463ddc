"""Errors and warnings."""

from __future__ import annotations

from typing import Any


class Error(ValueError):
    """An error of linkglot: its reason, its place and its file.

    >>> import linkglot
    >>> try:
    ...     linkglot.to_uri("http://a b/")
    ... except linkglot.Error as error:
    ...     print(error.kind, error.at)
    disallowed-ascii 8
    """

    #: The stable code: ``unknown-charset``, ``invalid-rule``, ``transcoding``, ``io`` ...
    kind: str
    #: The byte, or the character of a ``str``, of the error; for rules, the number of the rule.
    at: int | None
    #: The line, from 1.
    line: int | None
    #: The file.
    path: str | None

    def __init__(
        self,
        message: str,
        *,
        kind: str = "other",
        at: int | None = None,
        line: int | None = None,
        path: str | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.at = at
        self.line = line
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {"kind": self.kind, "at": self.at, "line": self.line, "path": self.path}
        return (_restored, (type(self), str(self), fields))


def _restored(error: type[Error], message: str, fields: dict[str, Any]) -> Error:
    return error(message, **fields)


class RuleWarning(UserWarning):
    """A rule that is useless, or perhaps a mistake."""


class UnreadWarning(UserWarning):
    """A part of a message that may have links but could not be read."""


class RunWarning(UserWarning):
    """Another run over the same files was interrupted."""


for _class in (Error, RuleWarning, RunWarning, UnreadWarning):
    # The module in which users know the class.
    _class.__module__ = "linkglot"
