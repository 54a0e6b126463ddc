"""The work on a task: reads, finds or rewrites, and writes the results.

The name of each output of a task is made from the name of the task; the output is written to a temporary place, and
moved when it is complete. The manifest of the task comes last: a task without a manifest was not done.
"""

from __future__ import annotations

import errno
import hashlib
import io
import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .. import Error, _native
from ..arrow import FIND_SCHEMA, REWRITE_SCHEMA, find_batch, rewrite_batch
from ._places import File, Replacement, Store, keep_inside, unicode
from ._plan import Range, Task

#: Number of bytes of small files that are processed together, and that are read ahead from remote stores.
BATCH = 4 << 20

#: Number of first bytes of a file that tell its format.
HEAD = 1 << 20

#: The disk is full: the task fails, and no file is to blame.
FULL = frozenset([errno.ENOSPC, errno.EDQUOT])

#: Number of links in memory before they are written.
ROWS = 1 << 16

MANIFEST = pa.schema(
    [
        ("path", pa.string()),
        # The bytes of a path that is not Unicode, as in `find --json`.
        ("path_base64", pa.string()),
        ("output", pa.string()),
        ("size", pa.int64()),
        ("mtime", pa.int64()),
        ("status", pa.string()),
        ("format", pa.string()),
        ("charset", pa.string()),
        ("n_links", pa.int64()),
        ("n_changed", pa.int64()),
        ("n_left", pa.int64()),
        ("sha256", pa.string()),
        ("error", pa.string()),
    ]
)

ERRORS = pa.schema([("path", pa.string()), ("message", pa.string())])


def link_schema(schema: pa.Schema) -> pa.Schema:
    """One row per link: the path of its file or entry, and the properties of the link."""
    links = schema.field("links").type.value_type
    return pa.schema([pa.field("path", pa.string()), *(field for field in links if field.name != "entry")])


FOUND = link_schema(FIND_SCHEMA)
CHANGED = link_schema(REWRITE_SCHEMA)


@dataclass
class Job:
    """The common data of all tasks of a job. It is sent to each worker once."""

    command: Literal["find", "rewrite"]
    output: str
    #: Options of `linkglot.find` or `linkglot.rewrite`.
    options: Any
    #: Counters, by name, that show only the progress of the job: tasks that are done twice count twice.
    counters: dict[str, Any] = field(default_factory=dict)

    @property
    def own(self) -> str:
        """The directory of the job's own files."""
        return f"{self.output}/_linkglot"

    def count(self, **numbers: int) -> None:
        for name, number in numbers.items():
            if name in self.counters:
                self.counters[name].add(number)


class Worker:
    """A task in progress."""

    def __init__(self, job: Job, task: Task, attempt: str) -> None:
        self.job, self.task, self.attempt = job, task, attempt
        self.store = Store(job.output)
        self.temporary = f"{Store(job.own).root}/temporary"
        self.rows: list[dict[str, Any]] = []
        self.links: Links

    def run(self) -> None:
        finds = self.job.command == "find"
        directory = self.job.output if finds else f"{self.job.own}/links"
        links = f"{Store(directory).root}/part-{self.task.name}.parquet"
        with ExitStack() as stack:
            self.links = stack.enter_context(Links(self.replacement(links), FOUND if finds else CHANGED))
            match self.task.kind:
                case "files":
                    self.files()
                case "stream":
                    self.stream(self.task.files[0])
                case "range":
                    self.range(self.task.files[0], self.task.ranges[0])
                case "join":
                    self.join(self.task.files[0])
        errors = [{"path": row["path"], "message": row["error"]} for row in self.rows if row["error"]]
        self.table(f"{self.job.own}/errors/{self.task.name}.parquet", errors, ERRORS)
        self.table(f"{self.job.own}/manifest/{self.task.name}.parquet", self.rows, MANIFEST)
        self.job.count(
            files=len(self.rows),
            bytes=self.task.size,
            links=sum(row["n_links"] for row in self.rows),
            changed=sum(row["n_changed"] for row in self.rows),
            errors=len(errors),
        )

    def replacement(self, target: str) -> Replacement:
        return Replacement(self.store, self.temporary, target, self.attempt)

    def rewritten(self, file: File) -> Replacement:
        """The file of the new tree, with mode and times of the old file."""
        target = f"{self.store.root}/{file.below}"
        if self.store.is_local:
            keep_inside(self.store.root, target)
        like = file.path if Store(file.name).is_local else None
        return Replacement(self.store, self.temporary, target, self.attempt, like)

    def table(self, path: str, rows: list[dict[str, Any]], schema: pa.Schema) -> None:
        buffer = io.BytesIO()
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), buffer)
        with self.replacement(Store(path).root) as file:
            file.file.write(buffer.getbuffer())

    def options(self, file: File) -> Any:
        options = {**self.job.options, "name": file.name}
        if file.base is not None:
            options["base"] = file.base
        return options

    # Processes small files, in batches.

    def files(self) -> None:
        for files, contents in self.batches():
            rows = {
                "path": [file.name for file in files],
                "base": [file.base for file in files],
                "content": contents,
            }
            batch = pa.RecordBatch.from_pydict(
                rows, schema=pa.schema([("path", pa.string()), ("base", pa.string()), ("content", pa.binary())])
            )
            options = {name: value for name, value in self.job.options.items() if name != "base"}
            work = find_batch if self.job.command == "find" else rewrite_batch
            done = work(batch, **options)
            self.links.add_lists(done)
            self.end_batch(files, contents, done)

    def batches(self) -> Iterator[tuple[list[File], list[bytes]]]:
        """The readable files, some MiB at a time."""
        files: list[File] = []
        contents: list[bytes] = []
        held = 0
        for file, content in self.contents():
            if isinstance(content, OSError):
                self.failed(file, content)
                continue
            if files and held + len(content) > BATCH:
                yield files, contents
                files, contents, held = [], [], 0
            files.append(file)
            contents.append(content)
            held += len(content)
        if files:
            yield files, contents

    def contents(self) -> Iterator[tuple[File, bytes | OSError]]:
        """Each file with its content, or the error of reading it. Remote files are requested several at a time."""

        def read(file: File) -> bytes | OSError:
            try:
                return Store(file.name).read(file.path)
            except OSError as error:
                return error

        if not self.task.files or Store(self.task.files[0].name).is_local:
            yield from ((file, read(file)) for file in self.task.files)
            return
        with ThreadPoolExecutor(8) as pool:
            ahead: list[tuple[File, Any]] = []
            held = 0
            for file in self.task.files:
                while ahead and (held + file.size > BATCH or len(ahead) >= 16):
                    first, content = ahead.pop(0)
                    held -= first.size
                    yield first, content.result()
                ahead.append((file, pool.submit(read, file)))
                held += file.size
            for first, content in ahead:
                yield first, content.result()

    def end_batch(self, files: list[File], contents: list[bytes], done: pa.RecordBatch) -> None:
        columns = {
            name: done.column(name).to_pylist() for name in done.schema.names if name not in ("links", "content")
        }
        rewrites = self.job.command == "rewrite"
        new = done.column("content") if rewrites else None
        for number, file in enumerate(files):
            sha256 = None
            if new is not None:
                content = new[number].as_buffer() if new[number].is_valid else contents[number]
                try:
                    sha256 = self.write(file, content)
                except OSError as error:
                    self.failed(file, error)
                    continue
            notes = columns["notes"][number]
            self.done(
                file,
                {name: column[number] for name, column in columns.items()},
                status="binary" if "binary" in notes else None,
                sha256=sha256,
            )

    def write(self, file: File, content: Any) -> str:
        with self.rewritten(file) as target:
            target.file.write(content)
        return hashlib.sha256(content).hexdigest()

    # Processes a long file, in windows.

    def stream(self, file: File) -> None:
        try:
            with Store(file.name).open(file.path) as source:
                self.stream_from(source, file)
        except (OSError, Error) as error:
            self.failed(file, error)

    def stream_from(self, source: BinaryIO, file: File) -> None:
        if self.job.command == "find" and (container := _native.container_format(source, file.name)):
            self.container(file, source, container)
            return
        source.seek(0)
        options = self.options(file)
        head = source.read(HEAD)
        source.seek(0)
        is_binary = _native.is_binary(head, file.name, options=options)
        sink = self.links.sink(file.name, _native.detect(head, options=options))
        if self.job.command == "find":
            found: Mapping[str, Any] = {} if is_binary else _native.find_stream(source, sink, options=options)
            self.done(file, found, status="binary" if is_binary else None)
            return
        summary: Mapping[str, Any] = {}
        if not is_binary:
            try:
                with self.rewritten(file) as target:
                    to = Digesting(target.file)
                    summary = _native.rewrite_stream(source, to, sink, options=options)
                self.done(file, summary, sha256=to.hexdigest())
                return
            except Error as error:
                # A document that cannot be written in another charset is copied unchanged.
                summary = {"error": str(error)}
                source.seek(0)
        with self.rewritten(file) as target:
            to = Digesting(target.file)
            copy(source, to)
        self.done(file, summary, status="binary" if is_binary else None, sha256=to.hexdigest())

    # Finds links in an archive or a compressed file, or in a range of an archive of the web.

    def container(self, file: File, source: BinaryIO, container: str) -> None:
        found = _native.find_container(source, file.name, self.links.add_entries, options=self.options(file))
        self.entries(file, found, container)

    def records(self, file: File, source: BinaryIO, part: Range) -> None:
        add = self.links.add_entries
        found = _native.find_records(source, file.name, part.start, part.end, add, options=self.options(file))
        self.entries(file, found, "warc", status="range")

    def entries(self, file: File, found: Mapping[str, Any], container: str, status: str | None = None) -> None:
        errors = "; ".join(message if path == file.name else f"{path}: {message}" for path, message in found["errors"])
        summary = {"format": container, "n_links": found["n_links"], "error": errors or None}
        self.done(file, summary, status=status)

    # Processes a range of a long mailbox.

    def piece(self, file: File, part: Range) -> str:
        key = hashlib.sha256(repr(file.key).encode()).hexdigest()[:20]
        return f"{Store(self.job.own).root}/pieces/{key}/{part.start}"

    def range(self, file: File, part: Range) -> None:
        try:
            self.range_of(file, part)
        except (OSError, Error) as error:
            self.failed(file, error)

    def range_of(self, file: File, part: Range) -> None:
        if part.has_records:
            with Store(file.name).open(file.path) as archive:
                self.records(file, archive, part)
            return
        options: Any = {**self.options(file), "format": "mbox"}
        sink = self.links.sink(file.name, "mbox", part)
        with Store(file.name).open(file.path, part.start) as whole:
            source = Limited(whole, part.end - part.start)
            summary: Mapping[str, Any]
            sha256: str | None
            if self.job.command == "find":
                summary = _native.find_stream(source, sink, options=options)
                sha256 = None
            else:
                with self.replacement(self.piece(file, part)) as target:
                    to = Digesting(target.file)
                    summary = _native.rewrite_stream(source, to, sink, options=options)
                sha256 = to.hexdigest()
        if source.left:
            raise OSError(errno.EIO, "the file became shorter")
        if error := summary.get("error"):
            summary = {**summary, "error": moved(error, part)}
        self.done(file, summary, status="range", sha256=sha256)
        self.rows[-1]["output"] = self.piece(file, part) if sha256 else None

    def join(self, file: File) -> None:
        if not all(self.store.exists(self.piece(file, part)) for part in self.task.ranges):
            self.failed(file, OSError(errno.EIO, "a range of the mailbox could not be read"))
            return
        try:
            to = self.joined(file)
        except OSError as error:
            self.failed(file, error)
            return
        self.done(file, {"format": "mbox"}, status="joined", sha256=to.hexdigest())

    def joined(self, file: File) -> Digesting:
        with self.rewritten(file) as target:
            to = Digesting(target.file)
            for part in self.task.ranges:
                with self.store.open(self.piece(file, part)) as piece:
                    copy(piece, to)
        return to

    # Adds a row to the manifest.

    def done(
        self, file: File, summary: Mapping[str, Any], *, status: str | None = None, sha256: str | None = None
    ) -> None:
        error = summary.get("error")
        self.rows.append(
            {
                "path": file.name,
                "path_base64": file.base64,
                "output": unicode(file.below) if sha256 else None,
                "size": file.size,
                "mtime": file.mtime,
                "status": status or ("error" if error else "done"),
                "format": summary.get("format"),
                "charset": summary.get("charset"),
                "n_links": summary.get("n_links") or 0,
                "n_changed": summary.get("n_changed") or 0,
                "n_left": summary.get("n_left") or 0,
                "sha256": sha256,
                "error": error,
            }
        )

    def failed(self, file: File, error: OSError | Error) -> None:
        """Records a file that could not be read or written: the next run tries it again. A full disk fails the task."""
        if isinstance(error, OSError) and error.errno in FULL:
            raise error
        message = error.strerror if isinstance(error, OSError) else None
        self.done(file, {"error": message or str(error)}, status="failed")


class Links:
    """The links of a task, in a Parquet file that appears when it is complete."""

    def __init__(self, replacement: Replacement, schema: pa.Schema) -> None:
        self.replacement, self.schema = replacement, schema
        self.held: list[pa.RecordBatch] = []
        self.rows = 0

    def __enter__(self) -> Links:
        self.file = self.replacement.__enter__()
        self.writer = pq.ParquetWriter(self.file.file, self.schema, compression="zstd")
        return self

    def __exit__(self, *failure: Any) -> None:
        if failure[0] is None:
            self.flush()
        self.writer.close()
        self.replacement.__exit__(*failure)

    def add_lists(self, done: pa.RecordBatch) -> None:
        """The links of each row of a batch."""
        links = done.column("links")
        rows = pc.list_parent_indices(links)
        flat = links.flatten()
        columns = dict(zip((field.name for field in flat.type), flat.flatten(), strict=True))
        self.add(done.column("path").take(rows), done.column("format").take(rows), columns)

    def sink(self, path: str, form: str, part: Range | None = None) -> Callable[[pa.RecordBatch], None]:
        """Takes the links of a file of this format, batch by batch; positions in a range count from the beginning of
        the file."""
        moves = (
            {}
            if part is None
            else {"start": part.start, "end": part.start, "line": part.line - 1, "message": part.message - 1}
        )

        def add(batch: pa.RecordBatch) -> None:
            columns = {
                name: pc.add(column, moves[name]) if moves.get(name) else column
                for name, column in zip(batch.schema.names, batch.columns, strict=True)
            }
            self.add(pa.repeat(path, batch.num_rows), pa.repeat(form, batch.num_rows), columns)

        return add

    def add_entries(self, batch: pa.RecordBatch) -> None:
        """The links of documents in an archive."""
        columns = dict(zip(batch.schema.names, batch.columns, strict=True))
        self.add(columns["entry"], columns["format"], columns)

    def add(self, paths: pa.Array, formats: pa.Array, columns: dict[str, pa.Array]) -> None:
        """``formats`` are those of the files: a link in mail has the format of its part. A link in an archive has the
        path of its entry and the format of its document."""
        if (entries := columns.get("entry")) is not None:
            paths = pc.coalesce(entries, paths)
            formats = pc.if_else(pc.is_valid(entries), columns["format"], formats)
        columns = {**columns, "path": paths, "format": formats}
        arrays = [columns[field.name] for field in self.schema]
        self.held.append(pa.RecordBatch.from_arrays(arrays, schema=self.schema))
        self.rows += len(paths)
        if self.rows >= ROWS:
            self.flush()

    def flush(self) -> None:
        if self.held:
            self.writer.write_table(pa.Table.from_batches(self.held))
        self.held, self.rows = [], 0


class Digesting:
    """A file being written, with the digest of the bytes written."""

    def __init__(self, file: Any) -> None:
        self.file, self.digest = file, hashlib.sha256()

    def write(self, content: bytes) -> None:
        self.digest.update(content)
        self.file.write(content)

    def hexdigest(self) -> str:
        return self.digest.hexdigest()


def moved(errors: str, part: Range) -> str:
    """Errors of a range of a mailbox, with the message numbers of the whole mailbox.

    >>> moved("part 1:2: unknown charset label `x`", Range(0, 9, 7, 1))
    'part 7:2: unknown charset label `x`'
    """
    return re.sub(r"(^|; )part (\d+):", lambda found: f"{found[1]}part {int(found[2]) + part.message - 1}:", errors)


class Limited:
    """The next bytes of a file, up to a limit."""

    def __init__(self, file: Any, length: int) -> None:
        self.file, self.left = file, length

    def read(self, length: int) -> bytes:
        content = bytes(self.file.read(min(length, self.left)))
        self.left -= len(content)
        return content


def copy(source: Any, to: Digesting) -> None:
    while content := source.read(1 << 20):
        to.write(bytes(content))


def borders(file: File, job: Job, split_size: int) -> list[Range]:
    """Ranges of a mailbox, or of an archive of the web of which links are found; empty for any other file."""
    if job.command == "find":
        with Store(file.name).open(file.path) as source:
            found = _native.record_ranges(source, split_size)
        if found is not None:
            return [Range(*part) for part in found] if len(found) > 1 else []
    options: Any = {**job.options, "name": file.name}
    options.pop("base", None)
    with Store(file.name).open(file.path) as source:
        head = bytes(source.read(1 << 16))
        if _native.is_binary(head, file.name, options=options):
            return []
        if _native.detect(head, options=options) != "mbox":
            return []
        source.seek(0)
        ranges = [Range(*found) for found in _native.mailbox_ranges(source, split_size)]
    return ranges if len(ranges) > 1 else []
