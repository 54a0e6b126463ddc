"""The package finds and writes the same as the command line, over the messages below $LINKGLOT_MESSAGES: real ones, and
damaged ones."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from linkglot.arrow import find_batch, rewrite_batch
from test_parity import links_of, of_document, of_json

FOLDER = os.environ.get("LINKGLOT_MESSAGES")
pytestmark = pytest.mark.skipif(not FOLDER, reason="the messages are absent: .ci/mail --messages")


def batch() -> pa.RecordBatch:
    paths = sorted(Path(FOLDER or ".").rglob("*.eml"))
    assert len(paths) > 100
    return pa.RecordBatch.from_pydict(
        {"path": [str(path) for path in paths], "content": [path.read_bytes() for path in paths]}
    )


def run(program: str, *arguments: str | Path) -> list[dict[str, Any]]:
    written = subprocess.run([program, *arguments], capture_output=True, check=False)
    return [json.loads(line) for line in written.stdout.splitlines()]


def test_links(program: str) -> None:
    lines: dict[str, list[dict[str, Any]]] = {}
    for line in run(program, "find", "--json", str(FOLDER)):
        if line["type"] == "link":
            # Links in an archive that is attached stand behind those of its message.
            lines.setdefault(line["path"].split("!/")[0], []).append(line)
    assert len(lines) > 100
    for row in find_batch(batch(), locate=True).to_pylist():
        expected = [of_json(line) for line in links_of(lines.get(row["path"], []))]
        assert [of_document(link) for link in row["links"]] == expected, row["path"]


@pytest.mark.parametrize("to", ["uri", "iri"])
def test_rewrites(to: Any, program: str, tmp_path: Path) -> None:
    run(program, "rewrite", "--to", to, "--json", "-O", tmp_path / "new", str(FOLDER))
    given = batch()
    changed = 0
    for before, row in zip(given.to_pylist(), rewrite_batch(given, to=to).to_pylist(), strict=True):
        written = (tmp_path / "new" / Path(before["path"]).relative_to(str(FOLDER))).read_bytes()
        assert (row["content"] or before["content"]) == written, before["path"]
        changed += row["content"] is not None
    assert changed > 0 or to == "iri"
