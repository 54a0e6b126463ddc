"""Other threads of Python keep running while a document is read."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

import linkglot
import linkglot.arrow

#: Long enough for many turns of another thread, also in an optimised build.
DOCUMENT = b"see http://example.org/\xc3\xa9 and www.example.org. " * 40_000
BATCH = pa.RecordBatch.from_pydict({"content": [DOCUMENT] * 4})


def _turns_during(work: Callable[[], object]) -> int:
    """Number of turns of another thread during `work`. The thread starts `work` itself, so that it surely runs by then;
    a call that kept the interpreter would leave it at most one turn."""
    begun, ended = threading.Event(), threading.Event()
    turns = 0

    def run() -> None:
        begun.set()
        work()
        ended.set()

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    while not ended.wait(0.001):
        turns += 1
    thread.join()
    return turns


def _file(tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_bytes(DOCUMENT)
    return path


@pytest.mark.parametrize(
    "work",
    [
        lambda _: linkglot.find(DOCUMENT),
        lambda _: linkglot.rewrite(DOCUMENT, to="uri"),
        lambda _: linkglot.arrow.find_batch(BATCH),
        lambda _: linkglot.arrow.rewrite_batch(BATCH, to="uri"),
        lambda path: list(linkglot.find_files(path)),
        lambda path: linkglot.rewrite_files(path, to="uri"),
    ],
    ids=["find", "rewrite", "find_batch", "rewrite_batch", "find_files", "rewrite_files"],
)
def test_another_thread_goes_on(work: Callable[[Path], object], tmp_path: Path) -> None:
    path = _file(tmp_path)
    assert _turns_during(lambda: work(path)) > 3


def test_many_threads_at_once_find_the_same() -> None:
    rules = linkglot.Rules({"http://example.org/": "http://new.example/"})
    expected = linkglot.rewrite(DOCUMENT[:100_000], rules=rules).content
    found: list[bytes] = []

    def run() -> None:
        for _ in range(5):
            found.append(linkglot.rewrite(DOCUMENT[:100_000], rules=rules).content)

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 40
