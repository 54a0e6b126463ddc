"""Common fixtures: the corpora of the repository, the command line, and a home for journals."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
CORPORA = ROOT / "corpora"


@pytest.fixture(autouse=True)
def state_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Tests keep their journals in a directory of their own."""
    home = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
    return home


def _programs() -> list[Path]:
    named = os.environ.get("LINKGLOT")
    if named:
        return [Path(named)]
    built = (ROOT / "target").glob("*/linkglot")
    return sorted(built, key=lambda program: program.stat().st_mtime, reverse=True)


@pytest.fixture(scope="session")
def program() -> str:
    """The command line: $LINKGLOT, or the latest build."""
    programs = _programs()
    if not programs:
        pytest.skip("the command line is not built: cargo build, or LINKGLOT=PROGRAM")
    return str(programs[0])


def folders() -> list[Path]:
    """The folders of the corpora's documents, without the big ones that a script fetches."""
    if not CORPORA.is_dir():
        return []
    return sorted(path for path in CORPORA.iterdir() if path.is_dir() and path.name not in ("expected", "fetched"))


def corpus() -> list[Path]:
    """All documents of the corpora."""
    return sorted(path for folder in folders() for path in folder.rglob("*") if path.is_file())


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Runs a test with a parameter `document` once for each document of the corpora."""
    if "document" in metafunc.fixturenames:
        documents = corpus()
        metafunc.parametrize("document", documents, ids=[str(path.relative_to(CORPORA)) for path in documents])
