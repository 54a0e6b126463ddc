"""Checks that the examples run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.fixture
def names(tmp_path: Path) -> Path:
    """A list of files, one of them missing."""
    files = [tmp_path / f"ü {number}.txt" for number in range(20)]
    for file in files:
        file.write_text(f"http://example.org/{file.name[2:-4]}\n")
    (tmp_path / "list").write_text("".join(f"{file}\n" for file in [*files, tmp_path / "none"]))
    return tmp_path / "list"


@pytest.fixture
def environment(program: str, tmp_path: Path) -> dict[str, str]:
    """An environment with `linkglot` on the path."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "linkglot").symlink_to(Path(program).resolve())
    return {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}


def objects(paths: list[Path]) -> list[dict[str, Any]]:
    return [json.loads(line) for path in paths for line in path.read_text().splitlines()]


EXPECTED = sorted(f"http://example.org/{number}" for number in range(20))


def test_pipe(names: Path, environment: dict[str, str], tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    command = [sys.executable, EXAMPLES / "pipe.py", names, tmp_path / "out"]
    local = {"PYSPARK_SUBMIT_ARGS": "--master local[2] --conf spark.ui.enabled=false pyspark-shell"}
    subprocess.run(command, env={**environment, **local}, check=True, capture_output=True)
    found = objects(sorted((tmp_path / "out").glob("part-*")))
    assert sorted(line["text"] for line in found if line["type"] == "link") == EXPECTED
    assert [line["path"] for line in found if line["type"] == "error"] == [str(tmp_path / "none")]


def test_slurm(names: Path, environment: dict[str, str], tmp_path: Path) -> None:
    for task in range(3, 7):
        variables = {"SLURM_ARRAY_TASK_ID": str(task), "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_COUNT": "4"}
        subprocess.run([EXAMPLES / "slurm.sh", names, tmp_path / "out"], env={**environment, **variables}, check=True)
    found = objects(sorted((tmp_path / "out").iterdir()))
    assert sorted(line["text"] for line in found if line["type"] == "link") == EXPECTED
    assert [line["path"] for line in found if line["type"] == "error"] == [str(tmp_path / "none")]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["0.jsonl", "1.jsonl", "2.jsonl", "3.jsonl"]
