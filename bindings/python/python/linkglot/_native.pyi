"""The extension module. `linkglot` exports its public part, and `help` describes each function in full."""

from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from pathlib import Path
from types import GenericAlias
from typing import Any, Generic, Literal, Protocol, TypedDict, TypeVar, final

import pyarrow as pa
from typing_extensions import Buffer, Self, Unpack

from ._errors import Error
from ._options import (
    FindFilesOptions,
    FindOptions,
    RewriteFilesOptions,
    RewriteOptions,
    RulesSource,
    WarcOptions,
)

__all__ = [
    "Change",
    "Displayed",
    "Document",
    "FileIterator",
    "FileResult",
    "Link",
    "LinkIterator",
    "Part",
    "Record",
    "RecordIterator",
    "Rewritten",
    "Rules",
    "Run",
    "__version__",
    "compare",
    "container_format",
    "detect",
    "explain",
    "find",
    "find_batch",
    "find_container",
    "find_files",
    "find_records",
    "find_stream",
    "is_binary",
    "is_safe_to_click",
    "mailbox_ranges",
    "main",
    "normalize",
    "record_ranges",
    "rewrite",
    "rewrite_batch",
    "rewrite_files",
    "rewrite_stream",
    "to_iri",
    "to_uri",
    "undo",
    "warc",
]

__version__: str

#: Grades of evidence that a text is a link, the surest first.
_Evidence = Literal["markup", "enclosed", "scheme", "www", "address", "path", "name"]
_Display = Literal["safe", "all"]
_HostForm = Literal["punycode", "unicode", "percent", "keep"]
_Level = Literal["string", "case", "percent", "path", "scheme"]
_MapFormat = Literal["auto", "linkglot", "csv", "json", "apache", "nginx", "netlify"]
_Path = str | PathLike[str]
# The new content of a bytearray is bytes.
_DataT = TypeVar("_DataT", bytes, str, Buffer)
_ContentT_co = TypeVar("_ContentT_co", covariant=True)
_LinkT_co = TypeVar("_LinkT_co", covariant=True)

class _Reader(Protocol):
    def read(self, size: int, /) -> bytes: ...

class _SeekingReader(_Reader, Protocol):
    def seek(self, offset: int, whence: int = 0, /) -> int: ...
    def tell(self) -> int: ...

class _Writer(Protocol):
    def write(self, data: bytes, /) -> int | None: ...

_Sink = Callable[[pa.RecordBatch], object]

class _RecordsSummary(TypedDict):
    n_links: int
    errors: list[tuple[str, str]]

class _FindSummary(TypedDict):
    format: str
    charset: str
    n_links: int
    notes: list[str]
    error: str | None

class _RewriteSummary(_FindSummary):
    n_changed: int
    n_left: int

@final
class Link:
    """A link at its place in a document."""

    __match_args__ = ("text", "start", "end")
    @property
    def text(self) -> str:
        """The reference, unescaped."""
    @property
    def raw(self) -> str:
        """The link as it stands in the document, decoded but not unescaped."""
    @property
    def start(self) -> int:
        """The first byte of the link in the document; of a `str`, the first character."""
    @property
    def end(self) -> int:
        """One past the last byte; of a `str`, one past the last character."""
    @property
    def line(self) -> int | None:
        """The line, from 1, if `locate` asked for it."""
    @property
    def column(self) -> int | None:
        """The column in characters, from 1, if `locate` asked for it."""
    @property
    def scheme(self) -> str | None:
        """The scheme in lower case; `None` for a relative reference."""
    @property
    def implied(self) -> str | None:
        """The scheme of a link that was found without one: `https` or `mailto`."""
    @property
    def evidence(self) -> _Evidence:
        """The evidence that the text is a link, and does not only look like one."""
    @property
    def uri(self) -> str | None:
        """The URI (RFC 3987 3.1), with the implied scheme; `None` if a rewrite could not write one there."""
    @property
    def iri(self) -> str | None:
        """The IRI for display (RFC 3987 3.2), with the implied scheme; `None` if a rewrite could not write one there."""
    @property
    def resolved(self) -> str | None:
        """The target of the link, if the base is known."""
    @property
    def host(self) -> str | None:
        """The host of the target, in punycode and lower case, without a port or a final dot; `None` if there is none, or
        none is known."""
    @property
    def kind(self) -> str:
        """The kind of the place: text, attribute, css, refresh, srcset, element, instruction, doctype, comment, script,
        link, header, property, value."""
    @property
    def element(self) -> str | None:
        """The element that the link stands in."""
    @property
    def name(self) -> str | None:
        """The name of the attribute, property or header field."""
    @property
    def nesting(self) -> tuple[str, ...]:
        """The nested documents around the link, such as `srcdoc`."""
    @property
    def format(self) -> str:
        """The format of the document; of a part of a message, that of the message."""
    @property
    def charset(self) -> str:
        """The charset of the document, or of the part of a message."""
    @property
    def part(self) -> str | None:
        """The number of the part of a message, as in IMAP: `1.2`, `/list-archive`."""
    @property
    def message(self) -> int | None:
        """The number of the message in its mailbox, from 1."""
    @property
    def label(self) -> str | None:
        """The visible text of the `a` of HTML that the link belongs to, or the `alt` of the `area`."""
    @property
    def media_type(self) -> str | None:
        """The media type of the part of a message."""
    @property
    def notes(self) -> tuple[str, ...]:
        """Codes of notes: why a form is missing, and warnings about features that could deceive a reader."""
    def to_dict(self) -> dict[str, Any]:
        """All fields by their names."""
    @staticmethod
    def _from_dict(fields: dict[str, Any]) -> Link: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Displayed:
    """The text of a part as a reader sees it."""

    @property
    def text(self) -> str:
        """The text. Of HTML, without markup and hidden elements, with the `alt` of images; blocks are in lines of their own."""
    @property
    def links(self) -> tuple[Link, ...]:
        """The links that are displayed; `start` and `end` count characters of `text`."""

@final
class Part:
    """A part of a message, or a header field with links; of another document, the document itself."""

    @property
    def number(self) -> str | None:
        """The number of the part of a message, as in IMAP: `1.2`, `/list-archive`."""
    @property
    def message(self) -> int | None:
        """The number of the message in its mailbox, from 1."""
    @property
    def media_type(self) -> str | None:
        """The media type, in lower case."""
    @property
    def format(self) -> str:
        """The format."""
    @property
    def charset(self) -> str:
        """The charset."""
    @property
    def base(self) -> str | None:
        """The base for relative references."""
    @property
    def text(self) -> str:
        """The text, without the transfer encoding. Of HTML, the source with its tags."""
    @property
    def links(self) -> tuple[Link, ...]:
        """The links; `start` and `end` count characters of `text`."""
    @property
    def displayed(self) -> Displayed:
        """The part as a reader sees it."""

@final
class Document:
    """A document with its links, and its parts as text, for programs that show it.

    Takes data and options as `find` does. Linear in the length of the data.

    >>> import linkglot
    >>> message = b"Content-Type: text/html\\n\\n<p>See <a href='http://a.example/'>the <b>menu</b></a>."
    >>> [part] = linkglot.Document(message, format="mail").parts
    >>> part.displayed.text
    'See the menu.'
    >>> [(link.text, link.start, link.end) for link in part.displayed.links]
    [('http://a.example/', 4, 12)]
    """

    def __new__(cls, data: str | Buffer | PathLike[str], **options: Unpack[FindOptions]) -> Document: ...
    @property
    def format(self) -> str:
        """The format."""
    @property
    def charset(self) -> str:
        """The charset."""
    @property
    def base(self) -> str | None:
        """The base for relative references."""
    @property
    def links(self) -> tuple[Link, ...]:
        """The links, as `find` gives them."""
    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of a message that are text, and its header fields with links; else the document itself."""
    @property
    def unread(self) -> tuple[tuple[str, str], ...]:
        """The parts of a message that were not read: the number of each, in a mailbox behind that of the message
        (`12:1.2`), and the reason."""

@final
class Change:
    """A link that was changed, or left although it should have changed."""

    __match_args__ = ("link", "new", "notes")
    @property
    def link(self) -> Link:
        """The old link."""
    @property
    def old(self) -> str:
        """The old text of the link."""
    @property
    def new(self) -> str | None:
        """The new text of the link; `None` if the link was left, and the notes say why."""
    @property
    def rule(self) -> int | None:
        """The number of the rule that matched the link."""
    @property
    def notes(self) -> tuple[str, ...]:
        """Codes of notes, including warnings about features that could deceive a reader."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Rewritten(Generic[_ContentT_co]):
    """A document after a rewrite."""

    __match_args__ = ("content", "changed", "links", "notes")
    @property
    def content(self) -> _ContentT_co:
        """The document; the given object if nothing changed."""
    @property
    def changed(self) -> int:
        """Number of links that were changed."""
    @property
    def left(self) -> int:
        """Number of links that had to be left unchanged."""
    @property
    def found(self) -> int:
        """Number of links."""
    @property
    def links(self) -> tuple[Change, ...]:
        """The links that were changed, or left although they should have changed."""
    @property
    def notes(self) -> tuple[str, ...]:
        """Codes of notes on the links."""
    @property
    def left_behind(self) -> tuple[tuple[str, str, str | None, int, int], ...]:
        """Remaining mentions of hosts that rules moved: host, where, why, line and column."""
    @property
    def matched(self) -> dict[int, int]:
        """Number of links that each rule matched, by the number of the rule."""
    @property
    def format(self) -> str:
        """The format of the document."""
    @property
    def charset(self) -> str:
        """The charset of the document."""
    def __eq__(self, other: object, /) -> bool: ...
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...

@final
class Rules:
    """Rules for moving a site. Rules are checked once and can be used often; they can be pickled."""

    def __new__(
        cls,
        rules: RulesSource | None = None,
        *,
        move: dict[str, str] | None = None,
        move_mail: bool = False,
        move_subdomains: bool = False,
        files: _Path | Iterable[_Path] | None = None,
        format: _MapFormat | None = None,
        base: str | None = None,
        any_query_order: bool = False,
        unwrap: bool = False,
    ) -> Self: ...
    @staticmethod
    def from_file(path: _Path, *, format: _MapFormat | None = None, base: str | None = None) -> Rules:
        """The rules of a file in UTF-8: linkglot's own, CSV, JSON, Apache, nginx or Netlify."""
    def apply(self, reference: str, *, base: str | None = None) -> str | None:
        """The new form of a reference; `None` if no rule changes it."""
    def __len__(self) -> int: ...
    def __getitem__(self, key: int, /) -> tuple[str, str]: ...
    def __iter__(self) -> Iterator[tuple[str, str]]: ...
    @staticmethod
    def _restore(
        sources: list[tuple[str, str | None, str | None]],
        domains: list[tuple[str, str]],
        switches: tuple[bool, bool, bool, bool],
    ) -> Rules: ...

@final
class FileResult(Generic[_LinkT_co]):
    """The outcome for a file."""

    @property
    def path(self) -> Path:
        """The file."""
    @property
    def format(self) -> str | None:
        """The format of the file; `None` if it was not read."""
    @property
    def charset(self) -> str | None:
        """The charset of the file."""
    @property
    def found(self) -> int:
        """Number of links."""
    @property
    def changed(self) -> int:
        """Number of links that were changed."""
    @property
    def left(self) -> int:
        """Number of links that had to be left unchanged."""
    @property
    def links(self) -> tuple[_LinkT_co, ...]:
        """The links; after a rewrite, the links that were changed or had to be left. They are kept: iterate over the
        result itself to see each link once, in bounded memory."""
    def __iter__(self) -> Iterator[_LinkT_co]: ...
    @property
    def skipped(self) -> str | None:
        """The reason why the file was passed over: `binary`, `symbolic-link`, `hidden` ..."""
    @property
    def errors(self) -> tuple[Error, ...]:
        """Errors of the file, as exceptions."""
    @property
    def messages(self) -> tuple[str, ...]:
        """Messages, such as attributes that could not be kept."""
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...

@final
class LinkIterator:
    """The links of a result, each handed on once."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Link: ...

@final
class Record:
    """A record of an archive of the web."""

    @property
    def type(self) -> str | None:
        """The type of the record, in lower case: `response`, `resource`, `request`, `warcinfo` ... `None` for bytes that
        are no record: `errors` says what is wrong."""
    @property
    def id(self) -> str | None:
        """The identifier of the record (WARC-Record-ID), without angle brackets. ARC has none."""
    @property
    def uri(self) -> str | None:
        """The URI of the record (WARC-Target-URI), which is the base of its links."""
    @property
    def date(self) -> str | None:
        """The date of the record (WARC-Date): `2001-02-03T04:05:06Z`."""
    @property
    def found(self) -> int:
        """Number of links."""
    @property
    def links(self) -> tuple[Link, ...]:
        """The links: those of the header of HTTP first. They are kept: iterate over the record itself to see each link
        once, in bounded memory."""
    def __iter__(self) -> LinkIterator: ...
    @property
    def errors(self) -> tuple[Error, ...]:
        """Errors of the record, as exceptions."""
    @property
    def messages(self) -> tuple[str, ...]:
        """Messages, such as that the body is in an unknown encoding."""

@final
class RecordIterator:
    """The records of an archive of the web."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Record: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, _kind: object, _error: object, _trace: object) -> None: ...
    def close(self) -> None:
        """Ends the work on records that were not requested."""

@final
class FileIterator:
    """The links found in files, file by file."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> FileResult[Link]: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, _kind: object, _error: object, _trace: object) -> None: ...
    def close(self) -> None:
        """Ends the work on files that were not requested."""

@final
class Run:
    """The outcome of a rewrite of files."""

    @property
    def files(self) -> tuple[FileResult[Change], ...]:
        """The files that changed, have links that were left, or errors."""
    @property
    def read(self) -> int:
        """Number of files that were read."""
    @property
    def found(self) -> int:
        """Number of links in the files."""
    @property
    def changed(self) -> int:
        """Number of links that were changed."""
    @property
    def left(self) -> int:
        """Number of links that had to be left unchanged."""
    @property
    def files_changed(self) -> int:
        """Number of files that were changed, or without `in_place` and `output`, would be changed."""
    @property
    def skipped(self) -> dict[str, int]:
        """Number of files that were passed over, by reason."""
    @property
    def matched(self) -> dict[int, int]:
        """Number of links that each rule matched, by the number of the rule."""
    @property
    def journal(self) -> str | None:
        """The name of the run, for `undo`; `None` if nothing was replaced or no journal was kept."""
    def __iter__(self) -> Iterator[FileResult[Change]]: ...

def find(data: str | Buffer | PathLike[str], **options: Unpack[FindOptions]) -> list[Link]:
    """Finds the links of a document."""

def rewrite(data: _DataT, **options: Unpack[RewriteOptions]) -> Rewritten[_DataT]:
    """Rewrites the links of a document and leaves every other byte."""

def find_files(paths: _Path | bytes | Iterable[_Path | bytes], **options: Unpack[FindFilesOptions]) -> FileIterator:
    """Finds the links of files and of all files below directories."""

def warc(path: _Path, **options: Unpack[WarcOptions]) -> RecordIterator:
    """Reads the records of an archive of the web (WARC, ARC) with their links."""

def rewrite_files(
    paths: _Path | bytes | Iterable[_Path | bytes],
    *,
    in_place: bool = False,
    output: _Path | None = None,
    journal: _Path | bool | None = None,
    backup: str | None = None,
    links: bool = False,
    **options: Unpack[RewriteFilesOptions],
) -> Run:
    """Rewrites files and all files below directories."""

def undo(run: _Path, *, force: bool = False, trust: bool = False) -> list[FileResult[Change]]:
    """Restores the old content of the files that a run replaced. The run is given by its name, or by its journal."""

def to_uri(iri: str, *, base: str | None = None, host: _HostForm | None = None, charset: str | None = None) -> str:
    """The URI of an IRI (RFC 3987 3.1)."""

def to_iri(uri: str, *, base: str | None = None, display: _Display | Literal["minimal"] | None = None) -> str:
    """The IRI of a URI for display (RFC 3987 3.2)."""

def is_safe_to_click(uri: str | None) -> bool:
    """True if a program may make a URI from others clickable: its scheme neither runs anything nor reads a local file.
    False for `None`."""

def normalize(iri: str, *, level: _Level | None = None) -> str:
    """An identifier in the spelling that equivalent identifiers share on a rung of the comparison ladder (RFC 3987
    5.3)."""

def compare(a: str, b: str, *, base: str | None = None) -> tuple[bool, str | None, str | None]:
    """The fields of `linkglot.Comparison`."""

def explain(iri: str) -> dict[str, Any]:
    """The fields of `linkglot.Explanation`."""

def find_batch(batch: pa.RecordBatch, *, content: str, options: FindOptions | None) -> pa.RecordBatch:
    """The links of each row."""

def rewrite_batch(batch: pa.RecordBatch, *, content: str, options: RewriteOptions | None) -> pa.RecordBatch:
    """Each row with its links rewritten."""

def find_stream(file: _Reader, sink: _Sink, *, options: FindOptions | None = None) -> _FindSummary:
    """Finds the links of a binary file, in bounded memory."""

def rewrite_stream(
    file: _Reader, to: _Writer, sink: _Sink, *, options: RewriteOptions | None = None
) -> _RewriteSummary:
    """Rewrites a binary file to another, in bounded memory."""

def is_binary(head: bytes, name: str, *, options: RewriteOptions | None = None) -> bool:
    """True if a file is binary, judged by its first KiB and its name."""

def detect(head: bytes, *, options: RewriteOptions | None = None) -> str:
    """The name of the format, judged by the first bytes of a document and its name."""

def mailbox_ranges(file: _Reader, length: int) -> list[tuple[int, int, int, int]]:
    """Ranges of a mailbox that begin and end between messages: start, end, the number of the first message, the line of
    its beginning."""

def record_ranges(file: _SeekingReader, length: int) -> list[tuple[int, int]] | None:
    """Ranges of an archive of the web that hold whole records; `None` for any other file. Each range has its start and
    its end in the file."""

def container_format(file: _SeekingReader, path: str) -> str | None:
    """The format of an archive or a compressed file, `warc` for an archive of the web in gzip; `None` for any other
    file."""

def find_container(
    file: _SeekingReader, path: str, sink: _Sink, *, options: FindOptions | None = None
) -> _RecordsSummary:
    """Finds the links of the documents in an archive or a compressed file, in bounded memory.

    `path` is that of the file. `sink` is called with record batches of links: the fields of the struct in
    `linkglot.arrow.FIND_SCHEMA`."""

def find_records(
    file: _SeekingReader, path: str, start: int, end: int, sink: _Sink, *, options: FindOptions | None = None
) -> _RecordsSummary:
    """Finds the links of records in a range of an archive of the web, from `record_ranges`: see `find_container`."""

def main(arguments: list[str]) -> int:
    """Runs the command line; the first argument is the name of the program. Returns the exit code."""
