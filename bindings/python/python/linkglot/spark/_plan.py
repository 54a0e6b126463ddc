"""The division of work into tasks: small files together, long files alone, long mailboxes and archives of the web in
ranges, big tasks first."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Literal

from ._places import File

MIB = 1 << 20

#: Maximal length of files that are read whole, as in the command line; longer files are read in windows, each in its
#: own task.
WHOLE = 8 * MIB

#: Maximal number of files of a task: each has a row in its manifest.
MOST_FILES = 20_000


@dataclass(frozen=True)
class Range:
    """Messages of a mailbox: their bytes, the number of the first message, and the line of its beginning. Or records of
    an archive of the web: their bytes alone."""

    start: int
    end: int
    message: int = 0
    line: int = 0

    @property
    def has_records(self) -> bool:
        return self.message == 0


@dataclass(frozen=True)
class Task:
    """A unit of work. Its name is derived from its content, so that another attempt writes the same files."""

    kind: Literal["files", "stream", "borders", "range", "join"]
    files: tuple[File, ...]
    ranges: tuple[Range, ...] = ()
    name: str = field(default="")

    @property
    def size(self) -> int:
        if self.kind == "range":
            return sum(part.end - part.start for part in self.ranges)
        return sum(file.size for file in self.files)

    def dumps(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def loads(text: str) -> Task:
        fields = json.loads(text)
        fields["files"] = tuple(File(**file) for file in fields["files"])
        fields["ranges"] = tuple(Range(**part) for part in fields["ranges"])
        return Task(**fields)


def named(task: Task, options: str) -> Task:
    """The task with its name: a digest of its input and options."""
    what = json.dumps([options, asdict(task)], sort_keys=True)
    return Task(task.kind, task.files, task.ranges, hashlib.sha256(what.encode()).hexdigest()[:20])


def first_tasks(files: Iterable[File], split_size: int) -> tuple[list[Task], list[File]]:
    """The tasks that search for borders in files that may be long mailboxes or archives, and all other files."""
    long = [file for file in files if file.size > split_size]
    others = [file for file in files if file.size <= split_size]
    return [Task("borders", (file,)) for file in long], others


def tasks(files: Iterable[File], task_size: int, cores: int) -> Iterator[Task]:
    """Tasks for files that are not divided, the biggest first.

    Small files share a task up to ``task_size`` bytes, or less if cores would be left without work.
    """
    by_size = sorted(files, key=lambda file: (-file.size, file.name))
    small = [file for file in by_size if file.size <= WHOLE]
    yield from (Task("stream", (file,)) for file in by_size if file.size > WHOLE)
    # Even an empty file costs time.
    weights = [file.size + 4096 for file in small]
    share = sum(weights) // max(4 * cores, 1) + 1
    limit = max(min(task_size, share), MIB)
    held: list[File] = []
    weight = 0
    for file, own in zip(small, weights, strict=True):
        if held and (weight + own > limit or len(held) >= MOST_FILES):
            yield Task("files", tuple(held))
            held, weight = [], 0
        held.append(file)
        weight += own
    if held:
        yield Task("files", tuple(held))
