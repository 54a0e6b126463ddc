"""The package finds and writes the same as the command line, over the corpora of the repository."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import linkglot
from conftest import CORPORA, corpus, folders
from linkglot.arrow import find_batch, rewrite_batch

pytestmark = pytest.mark.skipif(not corpus(), reason="the corpora of the repository are absent")

TREES = [str(folder) for folder in sorted({path.parent for path in corpus()})]


def run(program: str, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([program, *arguments], capture_output=True, check=False, cwd=CORPORA)


@pytest.fixture(scope="module")
def found(program: str) -> dict[str, list[dict[str, Any]]]:
    """The output of `linkglot find --json` for each document: links, or an error."""
    lines = [json.loads(line) for line in run(program, "find", "--json", *TREES).stdout.splitlines()]
    documents: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        if line["type"] != "summary":
            documents.setdefault(line["path"], []).append(line)
    assert len(documents) > 100
    return documents


def links_of(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in lines if line["type"] == "link"]


def of_json(line: dict[str, Any]) -> dict[str, Any]:
    """The fields of a link, by their names in the package."""
    place = line["place"]
    fields = (
        "text",
        "raw",
        "start",
        "end",
        "line",
        "column",
        "scheme",
        "evidence",
        "uri",
        "iri",
        "resolved",
        "format",
        "charset",
        "notes",
    )
    optional = ("implied", "part", "message", "media_type", "label")
    return {
        **{field: line[field] for field in fields},
        **{field: line.get(field) for field in optional},
        **{field: place[field] for field in ("kind", "element", "name")},
    }


def of_document(fields: dict[str, Any]) -> dict[str, Any]:
    # Documents are read as they are: the rows of entries in archives have other tests.
    left_out = ("entry", "record", "target", "date")
    return {name: value for name, value in fields.items() if name not in left_out}


def test_find_batch(found: dict[str, list[dict[str, Any]]]) -> None:
    documents = corpus()
    batch = pa.RecordBatch.from_pydict(
        {"path": [str(path) for path in documents], "content": [path.read_bytes() for path in documents]}
    )
    for row in find_batch(batch, locate=True).to_pylist():
        lines = found.get(row["path"], [])
        assert [of_document(link) for link in row["links"]] == [of_json(line) for line in links_of(lines)], row["path"]
        if links_of(lines):
            assert row["format"] == lines[0]["format"]
        assert bool(row["error"]) == any(line["type"] == "error" for line in lines), row["path"]


def test_find(document: Path, found: dict[str, list[dict[str, Any]]]) -> None:
    lines = found.get(str(document), [])
    try:
        links = linkglot.find(document.read_bytes(), name=document, locate=True)
    except linkglot.Error as error:
        assert [line["type"] for line in lines] == ["error"]
        assert error.kind == "unknown-charset"
        return
    for link, line in zip(links, links_of(lines), strict=True):
        fields = link.to_dict()
        nesting = line["place"].get("nesting", [])
        assert fields == {**of_json(line), "notes": tuple(line["notes"]), "nesting": tuple(nesting)}


def test_find_files(found: dict[str, list[dict[str, Any]]]) -> None:
    for result in linkglot.find_files(TREES, locate=True):
        lines = found.get(str(result.path), [])
        assert [link.text for link in result.links] == [line["text"] for line in links_of(lines)]
        assert [(link.start, link.end, link.line, link.column) for link in result.links] == [
            (line["start"], line["end"], line["line"], line["column"]) for line in links_of(lines)
        ]
        for link, line in zip(result.links, links_of(lines), strict=True):
            assert (link.uri, link.iri, list(link.notes), link.format) == tuple(
                line[field] for field in ("uri", "iri", "notes", "format")
            )
        assert len(result.errors) == sum(line["type"] == "error" for line in lines)


@pytest.mark.parametrize("to", ["uri", "iri"])
def test_rewrite(document: Path, to: Any, program: str) -> None:
    data = document.read_bytes()
    written = run(program, "rewrite", "--to", to, "--stdout", document)
    try:
        rewritten = linkglot.rewrite(data, name=document, to=to)
    except linkglot.Error:
        assert written.returncode in (2, 3)
        return
    if written.returncode == 0:
        assert rewritten.content == written.stdout
    else:
        assert document.name == "binary.txt"
    batch = pa.RecordBatch.from_pydict({"path": [str(document)], "content": [data]})
    [row] = rewrite_batch(batch, to=to).to_pylist()
    assert (row["content"] or data) == rewritten.content or row["notes"] == ["binary"]


@pytest.mark.parametrize("to", ["uri", "iri"])
def test_rewrite_files(to: Any, program: str, tmp_path: Path) -> None:
    written = run(program, "rewrite", "--to", to, "--json", "-O", tmp_path / "theirs", *folders())
    assert written.returncode in (0, 3)
    result = linkglot.rewrite_files(folders(), to=to, output=tmp_path / "ours", links=True)
    ours, theirs = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file()
        }
        for name in ("ours", "theirs")
    )
    assert ours == theirs
    summary = json.loads(written.stdout.splitlines()[-1])
    assert summary["type"] == "summary"
    assert (result.read + sum(result.skipped.values())) >= summary["files"]
    assert result.found == summary["links"]
    assert result.changed == summary["changed"]
    assert result.left == summary["left"]
