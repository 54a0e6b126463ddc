"""linkglot.spark against the command line: the same links and bytes, whatever happens to tasks and workers."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import tree

pytest.importorskip("pyspark")
# Spark's own Python code gives warnings.
pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("default")]

ROOT = Path(__file__).resolve().parents[3]

Run = Callable[..., dict[str, Any]]

#: Makes tasks of workers slow, fail or die.
FAULTY = Path(__file__).parent / "faulty"


def path_with(directory: Path) -> str:
    return f"{directory}:{os.environ.get('PYTHONPATH', '')}".rstrip(":")


def command() -> str:
    """The command line to compare with."""
    given = os.environ.get("LINKGLOT")
    built = [ROOT / "target" / profile / "linkglot" for profile in ("checks", "release", "debug")]
    found = [given] if given else [str(path) for path in built if path.exists()]
    if not found:
        pytest.skip("skipped: no linkglot to compare with: cargo build, or LINKGLOT=...")
    return found[0]


def summary_of(printed: str) -> dict[str, Any]:
    return json.loads(printed.splitlines()[-1])


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """A session on two cores, shared by the jobs of this process."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", False).getOrCreate()
    yield session
    session.stop()


@pytest.fixture
def job(spark: Any, capsys: pytest.CaptureFixture[str]) -> Callable[..., dict[str, Any]]:
    """Runs a job in this process, and returns its summary."""
    from linkglot.spark.__main__ import main

    def run(*arguments: str, status: int = 0) -> dict[str, Any]:
        capsys.readouterr()
        done = main([*arguments, "--json"])
        printed = capsys.readouterr()
        assert done == status, printed.err
        return summary_of(printed.out) if printed.out else {"error": printed.err}

    return run


KEYS = ("path", "start", "end", "line", "column", "text", "raw", "scheme", "implied", "evidence", "uri", "iri", "resolved",
        "format", "charset", "part", "message", "media_type", "notes", "kind", "element", "name",
        "record", "target", "date")  # fmt: skip


def links_of_command(directory: Path) -> list[tuple[Any, ...]]:
    found = subprocess.run([command(), "find", "--json", str(directory)], capture_output=True).stdout
    rows = []
    for line in found.splitlines():
        row = json.loads(line)
        if row["type"] == "link":
            row.update(row.pop("place"))
            row["notes"] = tuple(row["notes"])
            rows.append(tuple(row.get(key) for key in KEYS))
    return sorted(rows, key=repr)


def links_of_job(output: Path) -> list[tuple[Any, ...]]:
    rows = pq.ParquetDataset(sorted(map(str, output.glob("part-*.parquet")))).read().to_pylist()
    for row in rows:
        row["notes"] = tuple(row["notes"])
    return sorted((tuple(row[key] for key in KEYS) for row in rows), key=repr)


def files_of(directory: Path) -> dict[str, bytes | str]:
    """Files with their bytes, symbolic links with their targets, and directories."""
    found: dict[str, bytes | str] = {}
    for path in directory.rglob("*"):
        below = str(path.relative_to(directory))
        if below.split("/")[0] == "_linkglot":
            continue
        found[below] = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else "directory"
    return found


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree") / "in"
    tree.make(root, 400)
    return root


@pytest.fixture(scope="module")
def rewritten(documents: Path) -> dict[str, bytes | str]:
    """The tree that the command line writes."""
    output = documents.parent / "by-command"
    subprocess.run([command(), "rewrite", "--to", "uri", "-q", "-O", str(output), str(documents)])
    return files_of(output)


@pytest.mark.parametrize("inputs", [ROOT / "corpora", None])
def test_finds_what_the_command_line_finds(job: Run, documents: Path, tmp_path: Path, inputs: Path | None) -> None:
    inputs = inputs or documents
    status = 3 if inputs == documents else 0
    summary = job("find", "--input", str(inputs), "--output", str(tmp_path / "out"), status=status)
    expected = links_of_command(inputs)
    assert len(expected) > 500
    assert links_of_job(tmp_path / "out") == expected
    assert summary["links"] == len(expected)


def test_rewrites_what_the_command_line_rewrites(
    job: Run, documents: Path, rewritten: dict[str, bytes | str], tmp_path: Path
) -> None:
    summary = job(
        "rewrite", "--to", "uri", "--input", str(documents), "--output", str(tmp_path / "out"),
        "--task-size", "1M", status=3,
    )  # fmt: skip
    assert files_of(tmp_path / "out") == rewritten
    assert (summary["errors"], summary["binary"]) == (1, 1)
    errors = pq.read_table(tmp_path / "out/_linkglot/errors").to_pylist()
    assert [Path(row["path"]).name for row in errors] == ["unknown.html"]
    assert "x-nobody-knows" in errors[0]["message"]
    # Run again: no work remains, and no row occurs twice.
    again = job(
        "rewrite", "--to", "uri", "--input", str(documents), "--output", str(tmp_path / "out"),
        "--task-size", "1M", status=3,
    )  # fmt: skip
    assert (again["tasks"], again["links"], again["resumed"]) == (0, summary["links"], summary["files"])
    assert files_of(tmp_path / "out") == rewritten


def test_the_manifest_has_digests(job: Run, documents: Path, tmp_path: Path) -> None:
    import hashlib

    output = tmp_path / "out"
    job("rewrite", "--map", "http://old.example/ https://new.example/", "--input", str(documents), "--output", str(output),
        status=3)  # fmt: skip
    rows = pq.read_table(output / "_linkglot/manifest").to_pylist()
    files = [path for path, content in files_of(output).items() if isinstance(content, bytes)]
    assert sorted(row["output"] for row in rows) == sorted(files)
    for row in rows:
        content = (output / row["output"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == row["sha256"]
        assert b"http://old.example" not in content or row["status"] != "done" or row["n_left"] or b"base64" in content


def test_long_mailboxes_are_divided(job: Run, tmp_path: Path) -> None:
    import random

    root = tmp_path / "in"
    root.mkdir()
    rng = random.Random(1)
    (root / "long.mbox").write_bytes(tree.mailbox(rng, 3000, 2000))
    (root / "a.html").write_text("<a href='/é'>", encoding="utf-8")
    # Longer than files that are read whole, and not a mailbox.
    (root / "long.txt").write_text(tree.text(rng, "слово naïve", 9 << 20), encoding="utf-8")
    arguments = ["--input", str(root), "--split-size", "1M"]
    summary = job("find", *arguments, "--output", str(tmp_path / "found"))
    assert summary["tasks"] > 8
    assert links_of_job(tmp_path / "found") == links_of_command(root)
    job("rewrite", "--to", "uri", *arguments, "--output", str(tmp_path / "out"))
    subprocess.run([command(), "rewrite", "--to", "uri", "-q", "-O", str(tmp_path / "by-command"), str(root)])
    assert files_of(tmp_path / "out") == files_of(tmp_path / "by-command")
    assert not (tmp_path / "out/_linkglot/pieces").exists()


def test_long_archives_are_divided(job: Run, tmp_path: Path) -> None:
    import random

    root = tmp_path / "in"
    root.mkdir()
    rng = random.Random(2)
    for name, count, compressed in [("a.warc.gz", 900, True), ("b.warc", 300, False), ("short.warc.gz", 20, True)]:
        (root / name).write_bytes(tree.archive(rng, count, compressed))
    # The record of a damaged member is missing, and nothing else.
    damaged = bytearray((root / "a.warc.gz").read_bytes())
    damaged[len(damaged) // 2] ^= 0x55
    (root / "damaged.warc.gz").write_bytes(damaged)
    (root / "a.html.gz").write_bytes(b"\x1f\x8b no archive")
    # A zip or tar file is a file of its task, read by its entries.
    with zipfile.ZipFile(root / "site.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(20):
            archive.writestr(f"a/{number}.html", f"<a href='http://old.example/é/{number}'>" * number)
    with tarfile.open(root / "long.tar", "w") as archive:
        for name in ("site.zip", "short.warc.gz"):
            archive.add(root / name, name)
        member = tarfile.TarInfo("long.txt")
        member.size = 9 << 20
        archive.addfile(member, io.BytesIO(b"http://a.example/ ".ljust(1 << 10) * (9 << 10)))
    arguments = ["--input", str(root), "--split-size", "300K"]
    summary = job("find", *arguments, "--output", str(tmp_path / "found"), status=3)
    assert summary["tasks"] > 12
    assert links_of_job(tmp_path / "found") == links_of_command(root)
    assert summary["links"] > 4000
    errors = rows_of(tmp_path / "found/_linkglot/errors")
    assert [Path(row["path"]).name for row in errors] == ["damaged.warc.gz"]
    # Nothing is done again, but what has errors.
    again = job("find", *arguments, "--output", str(tmp_path / "found"), status=3)
    assert again["links"] == summary["links"]
    # Archives are copied by a rewrite.
    job("rewrite", "--to", "uri", *arguments, "--output", str(tmp_path / "out"), status=3)
    assert files_of(tmp_path / "out") == files_of(root)


def test_inputs_by_glob_and_list(job: Run, documents: Path, tmp_path: Path) -> None:
    job("rewrite", "--to", "uri", "--input", f"{documents}/d1/**/*.html", "--output", str(tmp_path / "glob"))
    names = {Path(name).suffix for name in files_of(tmp_path / "glob") if "." in name}
    assert names == {".html"}
    listed = sorted(str(path) for path in documents.glob("d2/*/*.txt"))
    (tmp_path / "list").write_text("\n".join(listed) + "\n", encoding="utf-8")
    job("rewrite", "--to", "uri", "--input", f"@{tmp_path}/list", "--output", str(tmp_path / "listed"))
    written = [name for name, content in files_of(tmp_path / "listed").items() if isinstance(content, bytes)]
    assert sorted("/" + name for name in written) == listed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rewrite", "--input", "IN", "--output", "OUT"], "expected --to uri"),
        (
            ["rewrite", "--map", "http://a.example/ http://b.example", "--input", "IN", "--output", "OUT"],
            "did you mean",
        ),
        (["find", "--input", "IN/nothing", "--output", "OUT"], "no such file"),
        (["find", "--input", "IN", "--output", "IN/out"], "lies inside the input"),
        (["find", "--charset", "utff-8", "--input", "IN", "--output", "OUT"], "did you mean `utf-8`"),
        (["find", "--output", "OUT"], "expected --input"),
    ],
)
def test_what_cannot_be_done_is_said_first(
    job: Run, documents: Path, tmp_path: Path, arguments: list[str], words: str
) -> None:
    named = [word.replace("IN", str(documents)).replace("OUT", str(tmp_path / "out")) for word in arguments]
    assert words in job(*named, status=2)["error"]
    assert not (tmp_path / "out" / "_linkglot" / "manifest").exists()


def test_other_options_are_refused(job: Run, documents: Path, tmp_path: Path) -> None:
    arguments = ["--input", f"{documents}/d1", "--output", str(tmp_path / "out")]
    job("rewrite", "--to", "uri", *arguments)
    assert "other options" in job("rewrite", "--to", "iri", *arguments, status=2)["error"]


def test_an_interrupted_job_goes_on(
    job: Run, documents: Path, rewritten: dict[str, bytes | str], tmp_path: Path
) -> None:
    output = tmp_path / "out"
    arguments = ["rewrite", "--to", "uri", "--input", str(documents), "--output", str(output), "--task-size", "1M"]
    slow = {"LINKGLOT_TEST_FAULT": "slow", "PYTHONPATH": path_with(FAULTY)}
    started = subprocess.Popen(
        [sys.executable, "-m", "linkglot.spark", *arguments, "--master", "local[2]"],
        env={**os.environ, **slow},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    manifest = output / "_linkglot/manifest"
    deadline = time.monotonic() + 120
    while not (manifest.exists() and any(manifest.glob("*.parquet"))) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(started.pid, signal.SIGKILL)
    started.wait()
    done = len(list(manifest.glob("*.parquet")))
    assert done > 0
    summary = job(*arguments, status=3)
    assert summary["resumed"] > 0
    assert files_of(output) == rewritten
    rows = pq.read_table(manifest).to_pylist()
    assert len(rows) == len({row["path"] for row in rows}) == summary["files"]


# Errors.


@pytest.fixture
def given(tmp_path: Path) -> Path:
    """A directory with a document."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.txt").write_text("http://a.example/1")
    return tmp_path / "in"


def rows_of(directory: Path) -> list[dict[str, Any]]:
    return [row for path in sorted(directory.glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def test_links_of_a_changed_file_are_not_there_twice(job: Run, given: Path, tmp_path: Path) -> None:
    (given / "b.txt").write_text("http://b.example/")
    arguments = ["find", "--input", str(given), "--output", str(tmp_path / "out")]
    job(*arguments)
    (given / "a.txt").write_text("http://a.example/2 http://a.example/3")
    job(*arguments)
    found = sorted(row["text"] for row in rows_of(tmp_path / "out"))
    assert found == ["http://a.example/2", "http://a.example/3", "http://b.example/"]
    assert len(rows_of(tmp_path / "out/_linkglot/manifest")) == 2


def test_a_long_file_that_cannot_be_transcoded_is_copied(job: Run, given: Path, tmp_path: Path) -> None:
    (given / "long.txt").write_text("http://a.example/1 日\n" * 400_000, encoding="utf-8")
    job("rewrite", "--to-charset", "us-ascii", "--split-size", "1M", "--input", str(given), "--output",
        str(tmp_path / "out"), status=3)  # fmt: skip
    assert files_of(tmp_path / "out") == files_of(given)
    assert [Path(row["path"]).name for row in rows_of(tmp_path / "out/_linkglot/errors")] == ["long.txt"]


def test_a_file_that_cannot_be_written_is_tried_again(job: Run, given: Path, tmp_path: Path) -> None:
    (tmp_path / "out/a.txt").mkdir(parents=True)
    arguments = ["rewrite", "--to", "uri", "--input", str(given), "--output", str(tmp_path / "out")]
    assert job(*arguments, status=3)["errors"] == 1
    (tmp_path / "out/a.txt").rmdir()
    job(*arguments)
    assert files_of(tmp_path / "out") == files_of(given)


def test_symbolic_links_do_not_lead_out(job: Run, given: Path, tmp_path: Path) -> None:
    (given / "d").mkdir()
    (given / "d/b.txt").write_text("http://a.example/1")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/d").symlink_to(tmp_path / "elsewhere")
    job("rewrite", "--to", "uri", "--input", str(given), "--output", str(tmp_path / "out"), status=3)
    assert not list((tmp_path / "elsewhere").iterdir())
    assert (tmp_path / "out/a.txt").exists()


def test_files_of_a_list_that_are_missing_are_errors(job: Run, given: Path, tmp_path: Path) -> None:
    (tmp_path / "list").write_text(f"{given}/a.txt\n{given}/gone.txt\n{given}\n")
    summary = job("find", "--input", f"@{tmp_path}/list", "--output", str(tmp_path / "out"), status=3)
    assert (summary["links"], summary["errors"]) == (1, 2)
    assert {row["path"] for row in rows_of(tmp_path / "out/_linkglot/errors")} == {f"{given}/gone.txt", str(given)}


def test_a_file_of_names_is_a_list(job: Run, given: Path, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(f"{given}/a.txt\n")
    job("find", "--input", str(tmp_path / "list.txt"), "--output", str(tmp_path / "out"))
    assert [row["path"] for row in rows_of(tmp_path / "out")] == [f"{given}/a.txt"]
    job("find", "--input", f"{given}/a.txt", "--output", str(tmp_path / "one"))
    assert [row["path"] for row in rows_of(tmp_path / "one")] == [f"{given}/a.txt"]


def test_errors_of_ranges_name_messages_of_the_whole(job: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    head = "From a@b Mon Jan  1 00:00:00 2001\nContent-Type: text/plain; charset=x-nobody\n\n"
    (tmp_path / "in/m.mbox").write_text((head + "http://x.example/\n" * 2000 + "\n") * 4)
    job("find", "--split-size", "20K", "--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"), status=3)
    messages = [row["message"].split(":")[0] for row in rows_of(tmp_path / "out/_linkglot/errors")]
    assert sorted(messages) == ["part 1", "part 2", "part 3", "part 4"]


def test_directories_keep_their_modes(job: Run, given: Path, tmp_path: Path) -> None:
    (given / "d").mkdir()
    (given / "d/b.txt").write_text("http://a.example/1")
    (given / "d").chmod(0o550)
    job("rewrite", "--to", "uri", "--input", str(given), "--output", str(tmp_path / "out"))
    assert (tmp_path / "out/d").stat().st_mode & 0o777 == 0o550
    for directory in (given / "d", tmp_path / "out/d"):
        directory.chmod(0o750)


def test_what_is_the_jobs_own_is_not_overwritten(job: Run, given: Path, tmp_path: Path) -> None:
    (given / "_linkglot").mkdir()
    (given / "_linkglot/job.json").write_text("http://a.example/1")
    arguments = ["rewrite", "--to", "uri", "--input", str(given), "--output", str(tmp_path / "out")]
    assert "belongs to the job" in job(*arguments, status=2)["error"]


def test_names_that_look_the_same_are_of_several_files(job: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in (b"caf\xe9.html", b"caf\xe8.html"):
        path = tmp_path / "in" / os.fsdecode(name)
        path.write_text("<a href='http://a.example/é'>", encoding="utf-8")
        os.utime(path, (1, 1))
    arguments = ["rewrite", "--to", "uri", "--input", str(tmp_path / "in"), "--output", str(tmp_path / "out")]
    assert job(*arguments)["files"] == 2
    assert job(*arguments)["resumed"] == 2
    assert len(files_of(tmp_path / "out")) == 2


# Runs on a cluster of processes.


def cluster(
    documents: Path,
    output: Path,
    *arguments: str,
    fault: str | None = None,
    conf: dict[str, str] | None = None,
    status: int = 3,
) -> dict[str, Any]:
    """Runs a job on two executors in processes of their own."""
    import pyspark

    path = path_with(FAULTY) if fault else os.environ.get("PYTHONPATH", "")
    marks = output.parent / f"{output.name}-marks"
    marks.mkdir()
    workers = {"PYTHONPATH": path, "LINKGLOT_TEST_MARKS": str(marks)}
    if fault:
        workers["LINKGLOT_TEST_FAULT"] = fault
    given = {f"spark.executorEnv.{name}": value for name, value in workers.items() if value}
    given.update(conf or {})
    submit = " ".join(f"--conf {name}={value}" for name, value in given.items()) + " pyspark-shell"
    env = {
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_SUBMIT_ARGS": submit,
    }
    master = ["--master", "local-cluster[2,1,1024]"]
    command = [sys.executable, "-m", "linkglot.spark", *arguments, "--input", str(documents), "--output", str(output)]
    done = subprocess.run([*command, *master, "--json"], capture_output=True, text=True, env={**os.environ, **env})
    assert done.returncode == status, done.stderr[-4000:]
    assert fault is None or list(marks.iterdir()), "nothing happened to the tasks"
    return summary_of(done.stdout)


@pytest.mark.cluster
def test_a_cluster_gives_the_same(tmp_path: Path) -> None:
    root = tmp_path / "in"
    tree.make(root, 20_000, 700)
    cluster(root, tmp_path / "found", "find", "--task-size", "1M")
    assert links_of_job(tmp_path / "found") == links_of_command(root)
    cluster(root, tmp_path / "out", "rewrite", "--to", "uri", "--task-size", "1M")
    subprocess.run([command(), "rewrite", "--to", "uri", "-q", "-O", str(tmp_path / "by-command"), str(root)])
    assert files_of(tmp_path / "out") == files_of(tmp_path / "by-command")


SPECULATION = {
    "spark.speculation": "true",
    "spark.speculation.interval": "100ms",
    "spark.speculation.quantile": "0.3",
    "spark.speculation.multiplier": "1.2",
}


@pytest.mark.cluster
def test_relative_paths_mean_the_same_on_workers(
    documents: Path, rewritten: dict[str, bytes | str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(documents.parent)
    cluster(Path(documents.name), Path(f"relative-{tmp_path.name}"), "rewrite", "--to", "uri")
    assert files_of(documents.parent / f"relative-{tmp_path.name}") == rewritten


@pytest.mark.cluster
@pytest.mark.parametrize(("fault", "conf"), [("fails", {}), ("killed", {}), ("straggler", SPECULATION)])
def test_nothing_is_lost_and_nothing_twice(
    documents: Path, rewritten: dict[str, bytes | str], tmp_path: Path, fault: str, conf: dict[str, str]
) -> None:
    small = ["--task-size", "1M"]
    output = tmp_path / "out"
    cluster(documents, output, "rewrite", "--to", "uri", *small, fault=fault, conf=conf)
    assert files_of(output) == rewritten
    rows = pq.read_table(output / "_linkglot/manifest").to_pylist()
    assert len(rows) == len({row["path"] for row in rows})
    assert not (output / "_linkglot/temporary").exists()
    if fault == "killed":
        found = tmp_path / "found"
        cluster(documents, found, "find", *small, fault=fault, conf=conf)
        assert links_of_job(found) == links_of_command(documents)


@pytest.mark.cluster
def test_archives_on_a_cluster_with_a_killed_executor(tmp_path: Path) -> None:
    import random

    root = tmp_path / "in"
    root.mkdir()
    rng = random.Random(3)
    for number in range(200):
        count = 300 if number % 50 == 0 else rng.randrange(5, 40)
        (root / f"{number}.warc.gz").write_bytes(tree.archive(rng, count, compressed=True))
    arguments = ["find", "--task-size", "1M", "--split-size", "200K"]
    cluster(root, tmp_path / "found", *arguments, fault="killed", status=0)
    assert links_of_job(tmp_path / "found") == links_of_command(root)


@pytest.mark.parametrize("reader", ["binaryFile", "text"])
def test_data_frames(spark: Any, documents: Path, reader: str) -> None:
    from pyspark.sql.types import StringType, StructField, StructType

    import linkglot
    from linkglot.spark import find_links, rewrite

    if reader == "binaryFile":
        df = spark.read.format("binaryFile").option("recursiveFileLookup", True).load(str(documents))
    else:
        fields = [StructField("path", StringType()), StructField("content", StringType())]
        df = spark.createDataFrame([("a.html", "<a href='/é'>"), ("b.txt", None)], StructType(fields))
    contents = {row["path"]: row["content"] for row in df.select("path", "content").collect()}
    found = find_links(df).collect()
    assert sorted(row["path"] for row in found) == sorted(contents)
    for row in found:
        content = contents[row["path"]]
        if row["error"] or "binary" in row["notes"]:
            continue
        expected = linkglot.find(content if isinstance(content, str) else bytes(content), name=row["path"])
        assert [(link["text"], link["start"]) for link in row["links"]] == [
            (link.text, link.start) for link in expected
        ]
    if reader == "binaryFile":
        # Other columns pass through.
        assert {row["length"] == len(contents[row["path"]]) for row in found} == {True}
    changed = rewrite(df, {"http://old.example/": "https://new.example/"}, to="uri").collect()
    for row in changed:
        content = contents[row["path"]]
        if row["content"] is not None:
            given = content if isinstance(content, str) else bytes(content)
            wanted = linkglot.rewrite(
                given, name=row["path"], to="uri", rules={"http://old.example/": "https://new.example/"}
            )
            assert row["content"] == wanted.content
    assert any(row["content"] is not None for row in changed)
    with pytest.raises(linkglot.Error, match="did you mean"):
        rewrite(df, {"http://old.example/": "https://new.example"})
