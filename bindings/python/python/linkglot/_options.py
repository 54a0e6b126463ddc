"""The types of keyword arguments that functions share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from ._native import Rules


#: Sources of rules: a text of lines, a dict {FROM: TO}, or several "FROM TO" or (FROM, TO).
RulesSource = str | Mapping[str, str] | Iterable[str | tuple[str, str]]
#: Names of parts, "code,comments" or several.
Names = str | Iterable[str]


class FindOptions(TypedDict, total=False):
    """Options for reading documents. `None` stands for the default of each."""

    format: (
        Literal[
            "auto",
            "text",
            "html",
            "xml",
            "css",
            "markdown",
            "rst",
            "mail",
            "mbox",
            "ics",
            "vcf",
            "json",
            "jsonl",
            "sql",
            "csv",
            "js",
            "php",
            "python",
            "c",
            "toml",
            "yaml",
            "po",
            "properties",
            "tex",
            "rtf",
            "mediawiki",
            "asciidoc",
            "org",
            "textile",
        ]
        | None
    )
    charset: str | None
    default_charset: str | None
    assume_charset: Mapping[str, str] | None
    base: str | None
    name: str | PathLike[str] | None
    detect: Literal["extended", "uts58", "scheme"] | None
    also: Names | None
    flowed: bool | None
    join_wrapped: bool | None
    identifiers: bool | None
    vocabulary: str | None
    locate: bool | None
    max_slot: int | None
    nfc: Literal["auto", "always", "never"] | None
    query_charset: Literal["document", "utf-8", "utf8"] | None


class RewriteOptions(FindOptions, total=False):
    """Options for reading documents and rewriting links."""

    to: Literal["uri", "iri", "same"] | None
    rules: Rules | RulesSource | None
    resolve: bool | None
    host: Literal["punycode", "unicode", "percent", "keep"] | None
    display: Literal["safe", "all"] | None
    slots: Names | None
    min_evidence: Literal["markup", "enclosed", "scheme", "www", "address", "path", "name"] | None
    to_charset: str | None
    relative_to: str | None
    absolute: bool | None
    break_signatures: bool | None
    left_behind: bool | None


class _Selection(TypedDict, total=False):
    """Options for choosing files."""

    glob: Names | None
    types: Names | None
    hidden: bool | None
    gitignore: bool | None
    follow: bool | None
    containers: bool | None
    threads: int | None


class WarcOptions(FindOptions, total=False):
    """Options for reading records."""

    requests: bool | None


class FindFilesOptions(WarcOptions, _Selection, total=False):
    """Options for choosing files and reading them."""


class RewriteFilesOptions(RewriteOptions, _Selection, total=False):
    """Options for choosing files, reading them and rewriting links."""
