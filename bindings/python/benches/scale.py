"""The cost of a job compared with the command line: rates of a core by format, of one and two workers, and of a task
without work.

By hand, on an idle machine: ``LINKGLOT=target/checks/linkglot python bindings/python/benches/scale.py``. The figures are those of
docs/scale.md.
"""

from __future__ import annotations

import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
import linkglot.arrow
import tree
from linkglot.spark._work import Job, Worker

LINKGLOT = os.environ["LINKGLOT"]
LENGTH = 50 << 10
ROUNDS = 3


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def on_one_core(work: Callable[[], object]) -> float:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        return seconds(work)
    finally:
        os.sched_setaffinity(0, cores)


def command(*arguments: str) -> Callable[[], object]:
    return lambda: subprocess.run([LINKGLOT, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def documents(kind: str, rng: random.Random) -> bytes:
    label, codec, words = rng.choice(tree.CHARSETS[:14])
    if kind == "html":
        return tree.page(rng, label, words, LENGTH).encode(codec)[:LENGTH]
    if kind == "eml":
        return tree.message(rng, label, codec, words, LENGTH)
    return tree.text(rng, "naïve 例え слово", LENGTH).encode()[:LENGTH]


def make(root: Path, kind: str, count: int) -> int:
    root.mkdir()
    rng = random.Random(1)
    total = 0
    for number in range(count):
        content = documents(kind, rng)
        # Most of a page is prose: the same links with text in between.
        content += (
            b"\n<p>" + b"Nothing but words, as most of any page is. " * (len(content) // 43) if kind == "html" else b""
        )
        (root / f"{number}.{kind}").write_bytes(content)
        total += len(content)
    return total


def by_format(scratch: Path) -> None:
    print(
        "| format | MB | command, MB/s | find_batch, MB/s | of the command | rewrite -O, MB/s | tasks of the job, MB/s | of the command |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for kind in ("html", "txt", "eml"):
        root = scratch / kind
        total = make(root, kind, 600)
        files = sorted(root.iterdir())

        def batches(files: list[Path] = files) -> None:
            for start in range(0, len(files), 64):
                part = files[start : start + 64]
                contents = [path.read_bytes() for path in part]
                batch = pa.RecordBatch.from_pydict({"path": [str(path) for path in part], "content": contents})
                linkglot.arrow.find_batch(batch, locate=True)

        def tasks(root: Path = root) -> None:
            from linkglot.spark._places import listing
            from linkglot.spark._plan import named
            from linkglot.spark._plan import tasks as plan

            output = scratch / "tasks"
            shutil.rmtree(output, ignore_errors=True)
            (output / "_linkglot").mkdir(parents=True)
            job = Job("rewrite", str(output), {"to": "uri"})
            for task in plan(listing([str(root)], None, None).files, 64 << 20, 1):
                Worker(job, named(task, ""), "0").run()

        def clean_rewrite(root: Path = root) -> None:
            shutil.rmtree(scratch / "command", ignore_errors=True)
            command("rewrite", "--to", "uri", "-j1", "-q", "-O", str(scratch / "command"), str(root))()

        rates: dict[str, list[float]] = {}
        for _ in range(ROUNDS):
            for name, work in (
                ("find", command("find", "--json", "-j1", str(root))),
                ("batch", batches),
                ("rewrite", clean_rewrite),
                ("tasks", tasks),
            ):
                rates.setdefault(name, []).append(total / 1e6 / on_one_core(work))
        find, batch, rewrite, job = (statistics.median(rates[name]) for name in ("find", "batch", "rewrite", "tasks"))
        print(
            f"| {kind} | {total / 1e6:.0f} | {find:.0f} | {batch:.0f} | {batch / find:.2f} "
            f"| {rewrite:.0f} | {job:.0f} | {job / rewrite:.2f} |"
        )


def by_workers(scratch: Path) -> None:
    root = scratch / "many"
    total = make(root, "html", 3000)
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(2):
        for workers in (1, 2):
            output = scratch / "out"
            shutil.rmtree(output, ignore_errors=True)
            arguments = [
                "rewrite",
                "--to",
                "uri",
                "--input",
                str(root),
                "--output",
                str(output),
                "--json",
                "--task-size",
                "16M",
            ]
            done = subprocess.run(
                [sys.executable, "-m", "linkglot.spark", *arguments, "--master", f"local[{workers}]"],
                capture_output=True,
                text=True,
            )
            import json

            times[workers].append(json.loads(done.stdout.splitlines()[-1])["seconds"])
    one, two = min(times[1]), min(times[2])
    print(
        f"job over {total / 1e6:.0f} MB in pages of 100 kB: {one:.1f} s on one worker, {two:.1f} s on two: {one / two:.2f}"
    )


def by_task(scratch: Path) -> None:
    output = scratch / "empty"
    (output / "_linkglot").mkdir(parents=True)
    from linkglot.spark._plan import Task

    took = [
        seconds(
            lambda number=number: Worker(Job("find", str(output), {}), Task("files", (), (), str(number)), "0").run()
        )
        for number in range(50)
    ]
    print(f"a task without files: {statistics.median(took) * 1e3:.1f} ms of the worker's own")


with tempfile.TemporaryDirectory() as directory:
    by_format(Path(directory))
    by_task(Path(directory))
    by_workers(Path(directory))
