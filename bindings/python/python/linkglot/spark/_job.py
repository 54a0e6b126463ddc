"""A job over whole trees: its plan, and the stages in which workers carry it out."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .. import _native
from . import broadcast
from ._places import Listing, Replacement, Store, UsageError, keep_apart, keep_inside, listing
from ._plan import MIB, Range, Task, first_tasks, named, tasks
from ._work import ERRORS, MANIFEST, Job, Worker, borders

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: The names of the counters.
COUNTERS = ("files", "bytes", "links", "changed", "errors")


@dataclass
class Plan:
    """The request: command, options, inputs and output."""

    command: str
    inputs: list[str]
    files_from: str | None
    output: str
    options: Any
    #: The options as given. They identify the job when it is run again.
    given: dict[str, Any]
    task_size: int = 64 * MIB
    split_size: int = 128 * MIB


@dataclass
class Summary:
    """The result of a job, including that of its earlier runs."""

    files: int = 0
    links: int = 0
    changed: int = 0
    left: int = 0
    binary: int = 0
    errors: int = 0
    #: Files that an earlier run finished.
    resumed: int = 0
    tasks: int = 0
    seconds: float = 0.0


def run(spark: SparkSession, plan: Plan) -> Summary:
    """Runs a job to its end."""
    began = time.monotonic()
    if "://" not in plan.output:
        # Workers have working directories of their own.
        plan.output = os.path.abspath(plan.output)
    keep_apart(plan.inputs, plan.output)
    store = Store(plan.output)
    # Mistakes in the options are reported before any work.
    purpose = _native.is_binary if plan.command == "rewrite" else None
    if purpose is not None:
        purpose(b"", "", options=plan.options)
    else:
        _native.find_stream(_Empty(), lambda _: None, options=plan.options)
    found = listing(plan.inputs, plan.files_from, plan.options.pop("base", None))
    if plan.command == "rewrite" and (
        own := next((file for file in found.files if file.below.startswith("_linkglot/")), None)
    ):
        raise UsageError(f"{own.name}: `_linkglot` in the output directory belongs to the job")
    options = begin(store, plan)
    earlier = Manifest.read(store, plan)
    earlier.remove_stale(store, plan, found)
    earlier.remove_orphans(store, plan)
    if plan.command == "rewrite":
        copy_frame(found, store)
    context = spark.sparkContext
    counters = {name: context.accumulator(0) for name in COUNTERS}
    job = Job("rewrite" if plan.command == "rewrite" else "find", plan.output, plan.options, counters)
    stages = Stages(spark, job, earlier, options)
    left = [file for file in found.files if file.key not in earlier.files]
    # Only the whole document tells whether it can be written in another charset.
    first, others = ([], left) if "to_charset" in plan.options else first_tasks(left, plan.split_size)
    divided = stages.borders(first, plan.split_size)
    whole = [task.files[0] for task in first if not divided[task.files[0].key]]
    ranges = [Task("range", task.files, (part,)) for task in first for part in divided[task.files[0].key]]
    cores = context.defaultParallelism
    stages.run(sorted([*tasks([*others, *whole], plan.task_size, cores), *ranges], key=lambda task: -task.size))
    if plan.command == "rewrite":
        joined = [Task("join", task.files, tuple(parts)) for task in first if (parts := divided[task.files[0].key])]
        stages.run(joined)
    for name in ("temporary", "pieces"):
        store.remove_directory(f"{Store(job.own).root}/{name}")
    if plan.command == "rewrite":
        close_frame(found, store)
    note_failed(found, store, job)
    summary = Manifest.read(store, plan).summary()
    summary.errors += len(found.failed)
    summary.resumed = len(found.files) - len(left)
    summary.tasks = stages.done
    summary.seconds = round(time.monotonic() - began, 3)
    return summary


class _Empty:
    def read(self, _: int) -> bytes:
        return b""


def begin(store: Store, plan: Plan) -> str:
    """Records the options of the job below its output. A job with other options is refused: its files would be of two
    kinds."""
    own = Store(f"{plan.output}/_linkglot").root
    path = f"{own}/job.json"
    text = json.dumps({"command": plan.command, "options": plan.given}, sort_keys=True, indent=1)
    if store.exists(path):
        before = store.read(path).decode()
        if before != text:
            raise UsageError(
                f"{plan.output}: expected the output of the same job or a new directory, found the output of a job "
                f"with other options (listed in {path})"
            )
        return text
    info = store.fs.get_file_info(store.root)
    if info.is_file:
        raise UsageError(f"{plan.output}: expected an output directory, found a file")
    store.make_directory(own)
    with Replacement(store, f"{own}/temporary", path, "job") as job:
        job.file.write(text.encode())
    return text


def copy_frame(found: Listing, store: Store) -> None:
    """Makes the directories, and copies symbolic links, if both file systems have them."""
    if not store.is_local:
        return
    for path, below in found.directories:
        target = f"{store.root}/{below}"
        with suppress(OSError):
            keep_inside(store.root, target + "/")
            os.makedirs(target, exist_ok=True)
            # The owner may write until the directory is filled.
            os.chmod(target, os.stat(path).st_mode | 0o700)
    for path, below in found.links:
        target = f"{store.root}/{below}"
        keep_inside(store.root, target)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.islink(target):
            os.remove(target)
        os.symlink(os.readlink(path), target)


def close_frame(found: Listing, store: Store) -> None:
    """Gives the directories their modes, now that they are filled."""
    if not store.is_local:
        return
    for path, below in reversed(found.directories):
        with suppress(OSError):
            keep_inside(store.root, f"{store.root}/{below}/")
            shutil.copymode(path, f"{store.root}/{below}")


def note_failed(found: Listing, store: Store, job: Job) -> None:
    """Records inputs that could not be listed."""
    if found.failed:
        rows = [{"path": path, "message": message} for path, message in found.failed]
        path = f"{Store(job.own).root}/errors/listing.parquet"
        store.make_directory(os.path.dirname(path))
        pq.write_table(pa.Table.from_pylist(rows, schema=ERRORS), path, filesystem=store.fs)


class Manifest:
    """The finished work, as recorded by tasks."""

    def __init__(self, tables: dict[str, pa.Table]) -> None:
        self.tables = tables

    @property
    def names(self) -> set[str]:
        return set(self.tables)

    @property
    def table(self) -> pa.Table:
        return pa.concat_tables([MANIFEST.empty_table(), *self.tables.values()])

    @property
    def files(self) -> set[tuple[str, int, int]]:
        """The keys of whole files that were finished."""
        table = self.table
        whole = table.filter(pc.not_equal(table["status"], "range"))
        return set(keys(whole))

    @staticmethod
    def read(store: Store, plan: Plan) -> Manifest:
        directory = Store(f"{plan.output}/_linkglot/manifest").root
        names = [name.removesuffix(".parquet") for name in store.names(directory) if name.endswith(".parquet")]
        read = (pq.read_table(f"{directory}/{name}.parquet", filesystem=store.fs, schema=MANIFEST) for name in names)
        return Manifest(dict(zip(names, read, strict=True)))

    def remove_stale(self, store: Store, plan: Plan, found: Listing) -> None:
        """Forgets tasks with a file that has changed, or that could not be read: all of their files are processed
        again, so that no link occurs twice."""
        now = {file.key[0]: file.key for file in found.files}
        table = self.table
        stale = set(keys(table.filter(pc.equal(table["status"], "failed"))))
        stale.update(key for key in keys(table) if now.get(key[0], key) != key)
        directory = Store(f"{plan.output}/_linkglot/manifest").root
        for name, table in list(self.tables.items()):
            if not stale.isdisjoint(keys(table)):
                store.remove(f"{directory}/{name}.parquet")
                del self.tables[name]

    def remove_orphans(self, store: Store, plan: Plan) -> None:
        """Removes the output of tasks that were cut off before their manifest. Their files may now go to other
        tasks."""
        own = f"{plan.output}/_linkglot"
        links = plan.output if plan.command == "find" else f"{own}/links"
        for directory in (Store(links).root, Store(f"{own}/errors").root):
            for name in store.names(directory):
                task = name.removeprefix("part-").removesuffix(".parquet")
                if name.endswith(".parquet") and task not in self.names:
                    store.remove(f"{directory}/{name}")
        store.remove_directory(f"{Store(own).root}/temporary")

    def summary(self) -> Summary:
        """Exact numbers: each file counts once. Ranges of a mailbox count their links, and the joined file counts as
        the file."""
        table = self.table
        status = Counter(table["status"].to_pylist())
        paths = set(keys(table))
        total = {name: pc.sum(table[name]).as_py() or 0 for name in ("n_links", "n_changed", "n_left")}
        errors = pc.sum(pc.is_valid(table["error"])).as_py() or 0
        return Summary(
            files=len(paths),
            links=total["n_links"],
            changed=total["n_changed"],
            left=total["n_left"],
            binary=status["binary"],
            errors=errors,
        )


def keys(table: pa.Table) -> Iterator[tuple[str, int, int]]:
    """The keys of files, row by row."""
    names = pc.coalesce(table["path_base64"], table["path"])
    return zip(*(column.to_pylist() for column in (names, table["size"], table["mtime"])), strict=True)


class Stages:
    """Runs tasks on workers, each task in a partition of its own, in their order."""

    def __init__(self, spark: SparkSession, job: Job, earlier: Manifest, options: str) -> None:
        self.spark, self.job, self.earlier, self.options = spark, job, earlier, options
        self.done = 0
        self.shared = broadcast(spark.range(0), job)

    def run(self, wanted: Iterable[Task]) -> None:
        """Does the tasks that were not done before."""
        given = [named(task, self.options) for task in wanted]
        given = [task for task in given if task.name not in self.earlier.names]
        shared = self.shared

        def work(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
            for text in texts:
                Worker(shared(), Task.loads(text), attempt()).run()
                yield ("", "")

        self.each(given, work)

    def borders(self, wanted: list[Task], split_size: int) -> dict[tuple[str, int, int], list[Range]]:
        """The ranges of long mailboxes, by the keys of the files."""
        shared = self.shared

        def work(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
            for text in texts:
                task = Task.loads(text)
                try:
                    ranges = borders(task.files[0], shared(), split_size)
                except OSError:
                    # The task that reads the file reports the reason.
                    ranges = []
                yield (text, Task("range", task.files, tuple(ranges)).dumps())

        found = (Task.loads(answer) for _, answer in self.each(wanted, work))
        return {task.files[0].key: list(task.ranges) for task in found}

    def each(self, wanted: list[Task], work: Any) -> list[tuple[str, str]]:
        if not wanted:
            return []
        self.done += len(wanted)
        context = self.spark.sparkContext
        rows = context.parallelize([(task.dumps(),) for task in wanted], len(wanted))

        def mapped(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                answers = list(work(batch.column(0).to_pylist()))
                yield pa.RecordBatch.from_pydict(
                    {"task": [task for task, _ in answers], "answer": [answer for _, answer in answers]}
                )

        frame = self.spark.createDataFrame(rows, "task string")
        answers = frame.mapInArrow(mapped, "task string, answer string").collect()
        return [(row["task"], row["answer"]) for row in answers]


def attempt() -> str:
    """A name that is unique among all attempts at a task."""
    from pyspark import TaskContext

    context = TaskContext.get()
    number = context.taskAttemptId() if context is not None else 0
    return f"{number}-{os.getpid()}-{time.monotonic_ns():x}"
