"""Uses of the package, for `mypy --strict`: each line has the stated type. The file is run as a test, too."""

from __future__ import annotations

import io
import pickle
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import linkglot
import linkglot.arrow
from linkglot import Change, Error, FileResult, Link, Record, Rewritten, Rules, Run

if TYPE_CHECKING:
    from typing_extensions import Buffer, assert_type
else:
    Buffer = bytes

    def assert_type(value: object, _: object) -> object:
        return value


def documents() -> None:
    links = linkglot.find(b"http://example.org/", format="text", charset="utf-8", also=["code", "text"], locate=True)
    assert_type(links, list[Link])
    link = links[0]
    assert_type(link.text, str)
    assert_type(link.uri, "str | None")
    assert_type(link.line, "int | None")
    assert_type(link.notes, tuple[str, ...])
    assert_type(linkglot.rewrite(b"", to="uri"), Rewritten[bytes])
    assert_type(linkglot.rewrite("", to="iri", rules={"a.example": "b.example"}).content, str)
    assert_type(linkglot.rewrite(bytearray(b""), slots="text,attribute").content, Buffer)
    for change in linkglot.rewrite("http://example.org/é", to="uri").links:
        assert_type(change, Change)
        assert_type(change.new, "str | None")
    match link:
        case Link(text, start, end):
            assert_type((text, start, end), tuple[str, int, int])


def identifiers() -> None:
    assert_type(linkglot.to_uri("http://example.org/é", host="punycode"), str)
    assert_type(linkglot.explain("http://example.org/").components.host, "str | None")
    assert_type(linkglot.compare("a", "b").level, "str | None")
    try:
        linkglot.to_uri("http://a b/")
    except Error as error:
        assert_type(error.at, "int | None")
        assert_type(error.kind, str)


def rules() -> None:
    made = Rules([("http://a.example/", "http://b.example/"), "re:^c$ d"], unwrap=True)
    assert_type(made.apply("http://a.example/"), "str | None")
    assert_type(made[0], tuple[str, str])
    assert_type(list(made), list[tuple[str, str]])
    assert isinstance(pickle.loads(pickle.dumps(made)), Rules)


def files(folder: Path) -> None:
    for result in linkglot.find_files([folder, str(folder)], glob="*.html", threads=1):
        assert_type(result, FileResult[Link])
        assert_type(result.path, Path)
        assert_type(result.errors, tuple[Error, ...])
        for link in result:
            assert_type(link, Link)
    run = linkglot.rewrite_files(folder, to="uri", output=folder / "out", links=True)
    assert_type(run, Run)
    for changed in run:
        assert_type(changed.links, tuple[Change, ...])


def records(folder: Path) -> None:
    path = folder / "a.warc"
    path.write_bytes(b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 18\r\n\r\nhttp://a.example/ \r\n\r\n")
    for record in linkglot.warc(path, requests=True):
        assert_type(record, Record)
        assert_type(record.type, "str | None")
        assert_type(record.links, tuple[Link, ...])
        for link in record:
            assert_type(link, Link)


def streams() -> None:
    from linkglot._native import find_stream, rewrite_stream

    found = find_stream(io.BytesIO(b"http://example.org/"), lambda batch: None, options={"format": "text"})
    assert_type(found["n_links"], int)
    rewritten = rewrite_stream(io.BytesIO(), io.BytesIO(), lambda batch: None, options={"to": "uri"})
    assert_type(rewritten["n_changed"], int)


def test_typing_check() -> None:
    documents()
    identifiers()
    rules()
    streams()
    with tempfile.TemporaryDirectory() as folder:
        files(Path(folder))
        records(Path(folder))
