"""The library gives the rows of the command line, by ctypes: all documents of the corpora, messages, and rewrites.

python parity.py LIBRARY [DIRECTORY ...]; $LINKGLOT names the command line, or else the newest build of the repository.
Other directories are read in place of the corpora. The messages below $LINKGLOT_MESSAGES are read, too.
"""

from __future__ import annotations

import ctypes as c
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
LIBRARY, *GIVEN = sys.argv[1:]
lg = c.CDLL(LIBRARY)
TEXTS = ("text", "raw", "uri", "iri", "target", "label")
NAMES = ("scheme", "implied", "kind", "element", "name", "evidence", "notes", "part", "media_type", "format", "charset")
LOCATE, HEADERS = 1, 8
MAIL = (".eml", ".mbox")


class Options(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        *((name, c.c_char_p) for name in ("format", "charset", "declared_charset", "default_charset")),
        *((name, c.c_char_p) for name in ("base", "name", "detect", "query_charset")),
        ("max_slot", c.c_size_t),
        ("flags", c.c_uint32),
    ]


class Link(c.Structure):
    _fields_ = [
        ("start", c.c_size_t),
        ("end", c.c_size_t),
        *((name, c.c_uint64) for name in ("line", "column", "message")),
        *(field for name in TEXTS for field in ((name, c.c_void_p), (name + "_len", c.c_size_t))),
        *((name, c.c_char_p) for name in NAMES),
    ]


class Error(c.Structure):
    _fields_ = [("kind", c.c_char_p), ("message", c.c_char_p), ("message_len", c.c_size_t)]


class Rewriting(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("reading", c.POINTER(Options)),
        ("to", c.c_char_p),
        *((name, c.c_void_p) for name in ("rules", "choose", "user")),
        *((name, c.c_char_p) for name in ("min_evidence", "host", "display", "to_charset")),
        ("flags", c.c_uint32),
    ]


def function(name: str, result: object, *arguments: object):
    found = getattr(lg, name)
    found.restype, found.argtypes = result, arguments
    return found


document_open = function("lg_document_open", c.c_void_p, c.c_char_p, c.c_size_t, c.POINTER(Options))
document_links = function("lg_document_links", c.c_void_p, c.c_void_p)
document_error = function("lg_document_error", Error, c.c_void_p)
document_free = function("lg_document_free", None, c.c_void_p)
links_len = function("lg_links_len", c.c_size_t, c.c_void_p)
links_at = function("lg_links_at", Link, c.c_void_p, c.c_size_t)
rewrite = function("lg_rewrite", c.c_void_p, c.c_char_p, c.c_size_t, c.POINTER(Rewriting))
rewritten_error = function("lg_rewritten_error", Error, c.c_void_p)
rewritten_content = function("lg_rewritten_content", c.c_void_p, c.c_void_p, c.POINTER(c.c_size_t))
rewritten_free = function("lg_rewritten_free", None, c.c_void_p)


def options(path: str, flags: int = LOCATE) -> Options:
    return Options(size=c.sizeof(Options), name=os.fsencode(path), flags=flags)


def row(link: Link) -> dict[str, object]:
    """A link by the names of `--json`."""

    def text(name: str) -> str | None:
        pointer = getattr(link, name)
        return None if pointer is None else c.string_at(pointer, getattr(link, name + "_len")).decode()

    def name_of(name: str) -> str | None:
        value = getattr(link, name)
        return None if value is None else value.decode()

    return {
        **{field: getattr(link, field) for field in ("start", "end", "line", "column")},
        "message": link.message or None,
        **{("resolved" if name == "target" else name): text(name) for name in TEXTS},
        **{field: name_of(field) for field in NAMES if field != "notes"},
        "notes": link.notes.decode().split(",") if link.notes else [],
    }


def of_json(line: dict[str, object]) -> dict[str, object]:
    fields = ("start", "end", "line", "column", "text", "raw", "uri", "iri", "resolved", "scheme", "evidence", "format", "charset", "notes")
    return {
        **{field: line[field] for field in fields},
        **{field: line.get(field) for field in ("message", "implied", "part", "media_type", "label")},
        **{field: line["place"][field] for field in ("kind", "element", "name")},
    }


def rows(data: bytes, given: Options) -> tuple[list[dict[str, object]], str | None]:
    document = document_open(data, len(data), c.byref(given))
    links = document_links(document)
    found = [row(links_at(links, number)) for number in range(links_len(links))]
    kind = document_error(document).kind
    document_free(document)
    return found, kind and kind.decode()


def rewritten(data: bytes, path: str, to: str) -> bytes | None:
    """The new document; `None` after an error."""
    reading = options(path, 0)
    given = Rewriting(size=c.sizeof(Rewriting), reading=c.pointer(reading), to=to.encode())
    made = rewrite(data, len(data), c.byref(given))
    length = c.c_size_t()
    content = rewritten_content(made, c.byref(length))
    new = c.string_at(content, length.value)
    failed = rewritten_error(made).kind is not None
    rewritten_free(made)
    assert not failed or new == data
    return None if failed else new


def program() -> str:
    built = sorted((ROOT / "target").glob("*/linkglot"), key=lambda path: path.stat().st_mtime)
    return os.environ.get("LINKGLOT") or str(built[-1])


def run(*arguments: str | os.PathLike[str]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([program(), *arguments], capture_output=True, check=False)


def documents() -> list[pathlib.Path]:
    folders = [pathlib.Path(name) for name in GIVEN]
    if not folders:
        corpora = [path for path in (ROOT / "corpora").iterdir() if path.is_dir()]
        folders = sorted(path for path in corpora if path.name not in ("expected", "fetched"))
    return sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())


def find(paths: list[pathlib.Path], flags: int, *arguments: str) -> tuple[int, int]:
    """Compares the links of all documents; the numbers of documents and links."""
    expected: dict[str, list[dict[str, object]]] = {}
    for first in range(0, len(paths), 500):
        lines = run("find", "--json", "--no-containers", *arguments, *paths[first : first + 500]).stdout.splitlines()
        for line in map(json.loads, lines):
            if line["type"] != "summary":
                expected.setdefault(line["path"], []).append(line)
    documents = links = 0
    for path in paths:
        lines = expected.get(str(path), [])
        found, kind = rows(path.read_bytes(), options(str(path), flags))
        errors = [line["message"] for line in lines if line["type"] == "error"]
        if any("a binary file" in error for error in errors):
            # The library reads what it is given.
            continue
        theirs = [of_json(line) for line in lines if line["type"] == "link"]
        assert found == theirs, (path, [pair for pair in zip(found, theirs) if pair[0] != pair[1]][:1], len(found), len(theirs))
        # Errors of parts of a message are none of the document.
        assert bool(errors) == bool(kind) or path.suffix in MAIL, (path, errors, kind)
        documents, links = documents + 1, links + len(found)
    return documents, links


def rewrites(paths: list[pathlib.Path]) -> int:
    """Compares the rewritten documents; their number."""
    count = 0
    for path in paths:
        for to in ("uri", "iri"):
            written = run("rewrite", "--no-containers", "--to", to, "--stdout", path)
            ours = rewritten(path.read_bytes(), str(path), to)
            # A message with parts that cannot be read is written, too.
            if written.returncode == 0 or (path.suffix in MAIL and ours is not None):
                assert ours == written.stdout, (path, to)
                count += 1
            else:
                assert ours is None or b"a binary file" in written.stderr, (path, written.stderr)
    return count


def messages(folder: pathlib.Path) -> str:
    """Compares the links and the rewrites of all messages below a folder."""
    paths = sorted(folder.rglob("*.eml"))
    _, links = find(paths, LOCATE)
    _, in_headers = find(paths, LOCATE | HEADERS, "--also", "headers")
    for to in ("uri", "iri"):
        with tempfile.TemporaryDirectory() as out:
            new = pathlib.Path(out) / "new"
            run("rewrite", "--no-containers", "--to", to, "-O", new, folder)
            for path in paths:
                assert rewritten(path.read_bytes(), str(path), to) == (new / path.relative_to(folder)).read_bytes(), (path, to)
    assert len(paths) > 100 and links > 100
    return f"{len(paths)} messages, {links} links, {in_headers} with headers"


def main() -> None:
    paths = documents()
    mail = [path for path in paths if path.suffix in MAIL]
    found, links = find(paths, LOCATE)
    in_headers = find(mail, LOCATE | HEADERS, "--also", "headers")
    written = rewrites(paths if not GIVEN else paths[:100])
    print(f"{found} documents, {links} links, {in_headers[1]} links of mail with headers, {written} rewrites")
    if os.environ.get("LINKGLOT_MESSAGES"):
        print(messages(pathlib.Path(os.environ["LINKGLOT_MESSAGES"])))
    assert GIVEN or (found > 100 and links > 500 and in_headers[1] > 50 and written > 200)


main()
