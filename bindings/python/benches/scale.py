"""The tables of docs/scale.md: the cost of bytes and links, of archives of the web, of a job compared with the command
line, and the plan that follows from them.

By hand, on an idle machine: ``LINKGLOT=target/checks/linkglot python bindings/python/benches/scale.py [SECTION...]``. Without
sections it runs all: links, plan, formats, tasks, workers. The first two need the command line alone.
"""

from __future__ import annotations

import gzip
import os
import quopri
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
import tree

LINKGLOT = os.environ["LINKGLOT"]
LENGTH = 50 << 10
ROUNDS = 3
#: Bytes of a document that the cost of links is measured with, and of a page in an archive of the web.
BIG = 16 << 20
PAGE = 50 << 10
#: Links in such a page, as many as its size suggests in archives of the web.
LINKS = 125
CORES = (1_000, 10_000)
#: Bytes of the plan: 10 PB.
ALL = 10**16


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


def prose(rng: random.Random, length: int) -> list[str]:
    """Paragraphs without links, with the punctuation of language, that compress about as well."""
    words = ["".join(rng.choices("etaoinshrdlucm", k=rng.randrange(2, 9))) for _ in range(4000)]
    paragraphs = []
    while length > 0:
        sentences = (", ".join(" ".join(rng.choices(words, k=6)) for _ in range(2)) for _ in range(4))
        # Dots, digits and letters beyond ASCII, as links have them, are in any text.
        last = f"In {rng.randrange(1900, 2000)}, {rng.randrange(99) / 10} % (e.g. Zoë's café) agreed: it's so."
        paragraphs.append(" ".join([*(f"{sentence.capitalize()}." for sentence in sentences), last]))
        length -= len(paragraphs[-1])
    return paragraphs


def cpu(*arguments: str) -> float:
    """Seconds of a core that the command takes with one thread, whatever else runs: the median of some runs."""

    def once() -> float:
        child = subprocess.Popen([LINKGLOT, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, _, used = os.wait4(child.pid, 0)
        return used.ru_utime + used.ru_stime

    return statistics.median(once() for _ in range(ROUNDS))


def with_links(kind: str, paragraphs: list[str], links: int) -> bytes:
    """A document with links at even distances."""
    link = "http://old.example/é/{}"
    opened, closed, mark = "", "\n", f" {link}"
    if kind == "html":
        opened, closed, mark = "<p class=text>", "</p>\n", f" <a href='{link}'>a</a>"
    every = len(paragraphs) / max(links, 1)
    marks = [""] * len(paragraphs)
    for at in range(links):
        marks[int(at * every)] += mark.format(at)
    body = "".join(f"{opened}{text}{own}{closed}" for text, own in zip(paragraphs, marks, strict=True)).encode()
    if kind == "eml":
        head = b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
        return head + quopri.encodestring(body)
    return (b"<!doctype html><meta charset=utf-8>" if kind == "html" else b"") + body


def by_link(scratch: Path) -> None:
    """Bytes cost little, links much: a document without links, and with many."""
    print("| | bytes without links, MB/s | a link, only counted, µs | in `find --json`, µs | rewritten, µs |")
    print("|---|---|---|---|---|")
    links = 20_000
    text = prose(random.Random(2), BIG)
    tiny = scratch / "tiny.txt"
    tiny.write_bytes(b"-")
    for kind in ("txt", "html", "eml"):
        plain, full = scratch / f"plain.{kind}", scratch / f"full.{kind}"
        plain.write_bytes(with_links(kind, text, 0))
        full.write_bytes(with_links(kind, text, links))
        ways = (("find", "-c"), ("find", "--json"), ("rewrite", "--to", "uri", "--stdout"))
        taken = []
        for way in ways:
            start = cpu(*way, "-j1", str(tiny))
            took = [cpu(*way, "-j1", str(path)) - start for path in (plain, full)]
            more = full.stat().st_size / plain.stat().st_size
            taken.append((took[0], (took[1] - took[0] * more) / links * 1e6))
        rate = plain.stat().st_size / taken[0][0] / 1e6
        print(f"| {kind} | {rate:.0f} | " + " | ".join(f"{link:.1f}" for _, link in taken) + " |")


def pages(count: int) -> list[bytes]:
    rng = random.Random(3)
    text = prose(rng, 4 << 20)
    length = PAGE * len(text) // (4 << 20)
    starts = [rng.randrange(len(text) - length) for _ in range(count)]
    return [with_links("html", text[start : start + length], LINKS) for start in starts]


def records(contents: list[bytes]) -> list[bytes]:
    def record(number: int, page: bytes) -> bytes:
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{number}>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
            f"WARC-Target-URI: http://site.example/{number}\r\nContent-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(block)}\r\n\r\n"
        )
        return head.encode() + block + b"\r\n\r\n"

    return [record(number, page) for number, page in enumerate(contents)]


#: Seconds of a core for a byte of pages, by the form that they are stored in, and the bytes that the store holds for it.
Rates = dict[str, tuple[float, float]]


def by_form(scratch: Path) -> Rates:
    """The same pages as files, and in archives of the web."""
    contents = pages(1_000)
    total = sum(map(len, contents))
    folder = scratch / "pages"
    folder.mkdir()
    for number, page in enumerate(contents):
        (folder / f"{number}.html").write_bytes(page)
    warc = records(contents)
    forms = {"files": folder, "WARC": scratch / "a.warc", "WARC, gzip": scratch / "a.warc.gz"}
    forms["WARC"].write_bytes(b"".join(warc))
    forms["WARC, gzip"].write_bytes(b"".join(gzip.compress(record, 6) for record in warc))
    print(f"{len(contents)} pages of {PAGE >> 10} KiB with {LINKS} links each")
    print("| | bytes stored, to one of pages | `find`, MB of pages/s | to the files | `rewrite -O` | to the files |")
    print("|---|---|---|---|---|---|")
    rates: Rates = {}
    first: tuple[float, float] | None = None
    for name, path in forms.items():
        stored = total if path.is_dir() else path.stat().st_size
        find = cpu("find", "--json", "-j1", str(path))
        shutil.rmtree(scratch / "new", ignore_errors=True)
        new = cpu("rewrite", "--to", "uri", "-j1", "-q", "-O", str(scratch / "new"), str(path))
        first = first or (find, new)
        rates[name] = (find / total, stored / total)
        print(
            f"| {name} | {stored / total:.2f} | {total / find / 1e6:.0f} | {first[0] / find:.2f} "
            f"| {total / new / 1e6:.0f} | {first[1] / new:.2f} |"
        )
    return rates


def plan(rates: Rates) -> None:
    """10 PB in the store, in each form."""
    columns = [
        ("files of 50 KB", "files", PAGE),
        ("WARC of 1 GB", "WARC", 10**9),
        ("WARC of 1 GB, gzip", "WARC, gzip", 10**9),
    ]
    rows: list[tuple[str, list[str]]] = []
    work = [ALL / rates[form][1] * rates[form][0] for _, form, _ in columns]
    held = [ALL / rates[form][1] for _, form, _ in columns]
    rows.append(("bytes of pages", [f"{size / 1e15:.0f} PB" for size in held]))
    rows.append(("core seconds for `find`", [f"{took:.1e}" for took in work]))
    for cores in CORES:
        rows.append((f"on {cores:,} cores", [f"{took / cores / 3600:.0f} hours" for took in work]))
    rows.append(
        (f"bandwidth that {CORES[-1]:,} cores need", [f"{ALL / took * CORES[-1] / 1e9:.0f} GB/s" for took in work])
    )
    rows.append(("requests to the store", [f"{ALL / size:.0e}" for _, _, size in columns]))
    print("| | " + " | ".join(name for name, _, _ in columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for name, cells in rows:
        print(f"| {name} | " + " | ".join(cells) + " |")


def by_format(scratch: Path) -> None:
    import pyarrow as pa

    import linkglot.arrow
    from linkglot.spark._work import Job, Worker

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
    from linkglot.spark._work import Job, Worker

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


def main() -> None:
    wanted = sys.argv[1:] or ["links", "plan", "formats", "tasks", "workers"]
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory)
        if "links" in wanted:
            by_link(scratch)
        if "plan" in wanted:
            plan(by_form(scratch))
        if "formats" in wanted:
            by_format(scratch)
        if "tasks" in wanted:
            by_task(scratch)
        if "workers" in wanted:
            by_workers(scratch)


main()
