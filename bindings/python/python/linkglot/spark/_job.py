"""A job over whole trees: what is to be done, and the stages in which workers do it."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .. import _native
from . import broadcast
from ._places import Listing, Store, UsageError, keep_apart, listing
from ._plan import MIB, Range, Task, first_tasks, named, tasks
from ._work import MANIFEST, Job, Worker, borders

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: What counters are called.
COUNTERS = ("files", "bytes", "links", "changed", "errors")


@dataclass
class Plan:
    """What is asked for."""

    command: str
    inputs: list[str]
    files_from: str | None
    output: str
    options: Any
    #: The options as they were given, by which a job is known again.
    given: dict[str, Any]
    task_size: int = 64 * MIB
    split_size: int = 128 * MIB


@dataclass
class Summary:
    """What a job did, with what earlier runs of it had done."""

    files: int = 0
    links: int = 0
    changed: int = 0
    left: int = 0
    binary: int = 0
    errors: int = 0
    #: Files that an earlier run had done.
    resumed: int = 0
    tasks: int = 0
    seconds: float = 0.0


def run(spark: SparkSession, plan: Plan) -> Summary:
    """Runs a job to its end."""
    began = time.monotonic()
    keep_apart(plan.inputs, plan.output)
    store = Store(plan.output)
    # What is wrong with the options is said before anything is done.
    purpose = _native.is_binary if plan.command == "rewrite" else None
    if purpose is not None:
        purpose(b"", "", options=plan.options)
    else:
        _native.find_stream(_Empty(), lambda _: None, options=plan.options)
    found = listing(plan.inputs, plan.files_from, plan.options.pop("base", None))
    options = begin(store, plan)
    earlier = Manifest.read(store, plan)
    earlier.remove_orphans(store, plan)
    if plan.command == "rewrite":
        copy_frame(found, store)
    context = spark.sparkContext
    counters = {name: context.accumulator(0) for name in COUNTERS}
    job = Job("rewrite" if plan.command == "rewrite" else "find", plan.output, plan.options, counters)
    stages = Stages(spark, job, earlier, options)
    left = [file for file in found.files if file.key not in earlier.files]
    first, others = first_tasks(left, plan.split_size)
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
    summary = Manifest.read(store, plan).summary()
    summary.resumed = len(found.files) - len(left)
    summary.tasks = stages.done
    summary.seconds = round(time.monotonic() - began, 3)
    return summary


class _Empty:
    def read(self, _: int) -> bytes:
        return b""


def begin(store: Store, plan: Plan) -> str:
    """Notes the options of the job below its output. One with other options is refused: its files would be of two kinds."""
    own = Store(f"{plan.output}/_linkglot").root
    path = f"{own}/job.json"
    text = json.dumps({"command": plan.command, "options": plan.given}, sort_keys=True, indent=1)
    if store.exists(path):
        before = store.read(path).decode()
        if before != text:
            raise UsageError(
                f"{plan.output}: expected the output of the same job or a new directory, found that of one with other options "
                f"({path} has them)"
            )
        return text
    info = store.fs.get_file_info(store.root)
    if info.is_file:
        raise UsageError(f"{plan.output}: expected an output directory, found a file")
    store.make_directory(own)
    with store.fs.open_output_stream(path) as file:
        file.write(text.encode())
    return text


def copy_frame(found: Listing, store: Store) -> None:
    """Makes the directories, and copies symbolic links as they are, where both file systems have them."""
    if not store.is_local:
        return
    for path, below in found.directories:
        target = f"{store.root}/{below}"
        os.makedirs(target, exist_ok=True)
        shutil.copymode(path, target)
        os.chmod(target, os.stat(target).st_mode | 0o700)
    for path, below in found.links:
        target = f"{store.root}/{below}"
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.islink(target):
            os.remove(target)
        os.symlink(os.readlink(path), target)


class Manifest:
    """What tasks say that they did."""

    def __init__(self, table: pa.Table, names: set[str]) -> None:
        self.table, self.names = table, names
        #: Whole files that were done, by what tells them apart.
        self.files: set[tuple[str, int, int]] = set()
        whole = table.filter(pc.not_equal(table["status"], "range"))
        columns = [whole[name].to_pylist() for name in ("path", "size", "mtime")]
        self.files.update(zip(*columns, strict=True))

    @staticmethod
    def read(store: Store, plan: Plan) -> Manifest:
        directory = Store(f"{plan.output}/_linkglot/manifest").root
        names = [name for name in store.names(directory) if name.endswith(".parquet")]
        tables = [pq.read_table(f"{directory}/{name}", filesystem=store.fs, schema=MANIFEST) for name in names]
        table = pa.concat_tables(tables) if tables else MANIFEST.empty_table()
        return Manifest(table, {name.removesuffix(".parquet") for name in names})

    def remove_orphans(self, store: Store, plan: Plan) -> None:
        """Removes what tasks wrote that were cut off before their manifest. Their files may go to other tasks now."""
        own = f"{plan.output}/_linkglot"
        links = plan.output if plan.command == "find" else f"{own}/links"
        for directory in (Store(links).root, Store(f"{own}/errors").root):
            for name in store.names(directory):
                task = name.removeprefix("part-").removesuffix(".parquet")
                if name.endswith(".parquet") and task not in self.names:
                    store.remove(f"{directory}/{name}")
        store.remove_directory(f"{Store(own).root}/temporary")

    def summary(self) -> Summary:
        """Exact numbers: each file counts once. Ranges of a mailbox count their links, and what is joined counts the file."""
        status = Counter(self.table["status"].to_pylist())
        paths = set(zip(self.table["path"].to_pylist(), self.table["size"].to_pylist(), strict=True))
        total = {name: pc.sum(self.table[name]).as_py() or 0 for name in ("n_links", "n_changed", "n_left")}
        errors = pc.sum(pc.is_valid(self.table["error"])).as_py() or 0
        return Summary(
            files=len(paths),
            links=total["n_links"],
            changed=total["n_changed"],
            left=total["n_left"],
            binary=status["binary"],
            errors=errors,
        )


class Stages:
    """Runs tasks on workers, each in a partition of its own, in their order."""

    def __init__(self, spark: SparkSession, job: Job, earlier: Manifest, options: str) -> None:
        self.spark, self.job, self.earlier, self.options = spark, job, earlier, options
        self.done = 0
        self.shared = broadcast(spark.range(0), job)

    def run(self, wanted: Iterable[Task]) -> None:
        """Does what was not done before."""
        given = [named(task, self.options) for task in wanted]
        given = [task for task in given if task.name not in self.earlier.names]
        shared = self.shared

        def work(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
            for text in texts:
                Worker(shared(), Task.loads(text), attempt()).run()
                yield ("", "")

        self.each(given, work)

    def borders(self, wanted: list[Task], split_size: int) -> dict[tuple[str, int, int], list[Range]]:
        """The ranges of files that are long mailboxes, by what tells these apart."""
        shared = self.shared

        def work(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
            for text in texts:
                task = Task.loads(text)
                try:
                    ranges = borders(task.files[0], shared(), split_size)
                except OSError:
                    # The task that reads the file says why.
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
    """A name that no other attempt at the same task has."""
    from pyspark import TaskContext

    context = TaskContext.get()
    number = context.taskAttemptId() if context is not None else 0
    return f"{number}-{os.getpid()}-{time.monotonic_ns():x}"
