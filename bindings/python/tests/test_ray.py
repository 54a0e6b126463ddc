"""Ray Data maps batches with the functions of `linkglot.arrow`."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import pytest

import linkglot
import linkglot.arrow

pytestmark = [
    pytest.mark.ray,
    # Warnings of Ray itself.
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture(scope="module")
def data() -> Iterator[Any]:
    ray = pytest.importorskip("ray")
    data = pytest.importorskip("ray.data")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    data.DataContext.get_current().enable_progress_bars = False
    yield data
    ray.shutdown()


def test_map_batches(data: Any) -> None:
    rows = [
        {"path": f"{number}.html", "content": f"<a href='http://old.example/{number}?q=п'>".encode("koi8-r")}
        for number in range(500)
    ]
    documents = data.from_items(rows)
    find = functools.partial(linkglot.arrow.find_batch, charset="koi8-r")
    found = documents.map_batches(find, batch_format="pyarrow").take_all()
    assert sorted(row["path"] for row in found) == sorted(row["path"] for row in rows)
    assert all(row["links"][0]["text"] == f"http://old.example/{row['path'][:-5]}?q=п" for row in found)
    rules = linkglot.Rules({"http://old.example/": "http://new.example/"})
    rewrite = functools.partial(linkglot.arrow.rewrite_batch, charset="koi8-r", rules=rules)
    rewritten = documents.map_batches(rewrite, batch_format="pyarrow", batch_size=64).take_all()
    contents = {row["path"]: row["content"] for row in rewritten}
    assert contents == {row["path"]: row["content"].replace(b"old", b"new") for row in rows}
