"""`linkglot.warc`: the records of archives of the web, and results that are received while files are read."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import linkglot

DATE = "2001-02-03T04:05:06Z"


def record(kind: str, number: int, uri: str, media_type: str, block: bytes) -> bytes:
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:x:{number}>\r\nWARC-Target-URI: {uri}\r\nWARC-Date: {DATE}\r\n"
        f"Content-Type: {media_type}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def response(number: int, uri: str, fields: str, body: bytes) -> bytes:
    return record("response", number, uri, "application/http", f"HTTP/1.1 200 OK\r\n{fields}\r\n".encode() + body)


REQUEST = b"GET / HTTP/1.1\r\nReferer: http://ref.example/\r\n\r\n"
RECORDS = [
    record("warcinfo", 0, "", "application/warc-fields", b"isPartOf: http://info.example/\r\n"),
    record("request", 1, "http://a.example/", "application/http; msgtype=request", REQUEST),
    response(2, "http://a.example/d/", "Content-Type: text/html; charset=koi8-r\r\nLink: </l>\r\n", b"<a href='\xd6'>"),
    response(3, "http://a.example/p.png", "Content-Type: image/png\r\n", b"http://no.example/"),
    response(4, "http://a.example/x", "Content-Encoding: x\r\n", b"http://no.example/"),
    record("resource", 5, "http://a.example/t", "text/plain", b"see http://b.example/ and http://c.example/"),
]  # fmt: skip

FOUND = [
    ("warcinfo", "urn:x:0", "", []),
    ("request", "urn:x:1", "http://a.example/", []),
    ("response", "urn:x:2", "http://a.example/d/", ["http://a.example/l", "http://a.example/d/%D0%B6"]),
    ("response", "urn:x:3", "http://a.example/p.png", []),
    ("response", "urn:x:4", "http://a.example/x", []),
    ("resource", "urn:x:5", "http://a.example/t", ["http://b.example/", "http://c.example/"]),
]


def written(folder: Path, *, compressed: bool) -> Path:
    path = folder / ("a.warc.gz" if compressed else "a.warc")
    path.write_bytes(b"".join(map(gzip.compress, RECORDS) if compressed else RECORDS))
    return path


def found(records: Any) -> list[tuple[Any, ...]]:
    return [(own.type, own.id, own.uri, [link.resolved for link in own.links]) for own in records]


@pytest.mark.parametrize("compressed", [False, True])
def test_records_come_with_their_links(tmp_path: Path, compressed: bool) -> None:
    path = written(tmp_path, compressed=compressed)
    assert found(linkglot.warc(path)) == FOUND
    assert found(linkglot.warc(str(path))) == FOUND
    records = list(linkglot.warc(path))
    assert {own.date for own in records} == {DATE}
    assert [own.found for own in records] == [0, 0, 2, 0, 0, 2]
    assert not any(own.errors for own in records)
    assert [own.messages for own in records if own.messages] == [("not read: unknown encoding",)]
    assert repr(records[5]) == "<linkglot.Record resource: http://a.example/t>"


def test_requests_are_read_on_demand(tmp_path: Path) -> None:
    path = written(tmp_path, compressed=True)
    request = list(linkglot.warc(path, requests=True))[1]
    assert [(link.text, link.name) for link in request.links] == [("http://ref.example/", "referer")]
    texts = [link.text for file in linkglot.find_files(path, requests=True) for link in file.links]
    assert texts[0] == "http://ref.example/"
    assert "http://ref.example/" not in [link.text for file in linkglot.find_files(path) for link in file.links]
    with pytest.raises(TypeError):
        linkglot.rewrite_files(path, to="uri", requests=True)  # type: ignore[call-arg]


def test_records_are_those_of_the_command_line(tmp_path: Path, program: str) -> None:
    path = written(tmp_path, compressed=True)
    ran = subprocess.run([program, "find", "--json", "--requests", path], capture_output=True, check=True, text=True)
    rows = [row for row in map(json.loads, ran.stdout.splitlines()) if row["type"] == "link"]
    own = [
        (record.id, record.uri, record.date, link.text, link.start, link.end)
        for record in linkglot.warc(path, requests=True)
        for link in record.links
    ]
    assert own == [tuple(row[name] for name in ("record", "target", "date", "text", "start", "end")) for row in rows]


def test_damage_is_told_and_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(RECORDS[5] + b"nothing\r\n" + RECORDS[2] + b"nothing\r\n" + RECORDS[2][:-40])
    records = list(linkglot.warc(path))
    assert [own.type for own in records] == ["resource", None, "response", None, "response", None]
    assert [own.found for own in records] == [2, 0, 2, 0, 0, 0]
    assert [len(own.errors) for own in records] == [0, 1, 0, 1, 1, 1]
    damaged = records[1]
    assert (damaged.id, damaged.uri, damaged.date, damaged.links) == (None, None, None, ())
    assert [error.kind for error in damaged.errors] == ["io"]
    assert "damaged WARC file" in str(damaged.errors[0])
    assert repr(damaged) == "<linkglot.Record damaged: no URI>"
    # Damage in front of the first record.
    path.write_bytes(b"WARC/1.0\r\n\r\n" + RECORDS[5])
    assert [own.type for own in linkglot.warc(path)] == [None, "resource"]


def test_other_files_are_errors(tmp_path: Path) -> None:
    for name, content in {"a.html": b"<a href=b>" * 1000, "a.warc": b"text", "a.gz": gzip.compress(b"text")}.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(linkglot.Error, match="expected an archive of the web"):
            list(linkglot.warc(tmp_path / name))
    with pytest.raises(FileNotFoundError) as raised:
        linkglot.warc(tmp_path / "none")
    assert raised.value.filename == str(tmp_path / "none")
    with pytest.raises(ValueError, match="detect"):
        linkglot.warc(tmp_path, detect="none")  # type: ignore[arg-type]


def many(count: int) -> bytes:
    return b"".join(b"http://a.example/%d \n" % number for number in range(count))


@pytest.fixture
def long(tmp_path: Path) -> Path:
    path = tmp_path / "long.txt"
    path.write_bytes(many(100_000))
    return path


def test_links_are_received_while_a_file_is_read(long: Path) -> None:
    (long.parent / "z.txt").write_bytes(many(1))
    with linkglot.find_files(long.parent) as files:
        first = next(files)
        assert repr(first) == f"<linkglot.FileResult {long}: links follow>"
        assert (first.format, first.charset, first.skipped) == ("text", "UTF-8", None)
        links = iter(first)
        assert [next(links).text for _ in range(1000)][-1] == "http://a.example/999"
        # What is left when the next file is asked for is not lost.
        assert [link.text for link in next(files)] == ["http://a.example/0"]
        assert sum(1 for _ in links) == 99_000
        assert first.found == 100_000
        with pytest.raises(ValueError, match="not kept"):
            first.links  # noqa: B018
        assert list(files) == []


def test_links_that_were_asked_for_are_kept(long: Path) -> None:
    [file] = linkglot.find_files(long)
    links = iter(file)
    assert len(file.links) == file.found == 100_000
    assert file.links is file.links
    assert tuple(links) == tuple(file) == file.links
    assert next(iter(linkglot.rewrite_files(long, to="iri", links=True)), None) is None


def test_a_result_outlives_its_iterator(long: Path) -> None:
    file = next(linkglot.find_files(long))
    assert len(file.links) == 100_000
    files = linkglot.find_files(long)
    file = next(files)
    files.close()
    with pytest.raises(ValueError, match="closed"):
        file.links  # noqa: B018
    with pytest.raises(ValueError, match="closed"):
        list(file)


def test_threads_share_a_result(long: Path) -> None:
    [file] = [next(linkglot.find_files(long))]
    counts: list[int] = []
    threads = [threading.Thread(target=lambda: counts.append(sum(1 for _ in file))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counts) == 100_000


COUNT = """
import linkglot, pathlib, sys
count = 0
for result in getattr(linkglot, sys.argv[1])(sys.argv[2]):
    for link in result:
        count += 1
        link.text
peak = pathlib.Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]
print(count, peak)
"""


def counted(function: str, path: Path) -> tuple[int, int]:
    ran = subprocess.run([sys.executable, "-c", COUNT, function, path], capture_output=True, check=True, text=True)
    count, kib = map(int, ran.stdout.split())
    return count, kib


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is measured on Linux")
@pytest.mark.parametrize("kind", ["mbox", "warc", "record"])
def test_memory_does_not_grow_with_the_number_of_links(tmp_path: Path, kind: str) -> None:
    path = tmp_path / ("a.mbox" if kind == "mbox" else "a.warc")
    message = b"From a Thu Jan  1 00:00:00 1970\nFrom: a@example.org\n\n" + many(100) + b"\n"
    page = response(1, "http://a.example/", "Content-Type: text/plain\r\n", many(100))

    def write(number: int) -> tuple[int, int]:
        if kind == "record":
            fields = "Content-Type: text/plain\r\n"
            path.write_bytes(response(1, "http://a.example/", fields, many(number * 100)))
        else:
            path.write_bytes((message if kind == "mbox" else page) * number)
        return counted("find_files" if kind == "mbox" else "warc", path)

    # Enough links that what is read ahead is full in both.
    few, least = write(1000)
    many_links, most = write(5000)
    assert (few, many_links) == (100_000, 500_000)
    assert most - least < 24 << 10, f"{most - least} KiB"
