"""Whole processes: `.ci/rivals speed [ROW...]`, in which ROW is a part of a name in the table.

The program and its rivals do the same task, one after the other, in pairs; the figure is the ratio of the medians of
CPU time (user and system) of whole processes, whose output goes to /dev/null. First the links or the documents that both
print are compared: lines that differ are counted, and a row has a reason for them or fails.

The rivals are GNU sed, perl, ripgrep (Debian's package), go-search-replace, if it is installed, and
the crates in rivals/examples/processes. Prints a table in
Markdown, for rivals/benches/records. Pages come from corpora/fetched, or from the folder LINKGLOT_CORPUS. LINKGLOT_PROFILE
names another profile of cargo than `release`.
"""

import collections
import dataclasses
import hashlib
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROFILE = os.environ.get("LINKGLOT_PROFILE", "release")
BUILT = ROOT / "target" / PROFILE
PAGES = 65_000_000
# Seconds of the processor for the rounds of a row, and the fewest and the most of these.
SECONDS, LEAST, MOST = 12, 5, 41


def find(*arguments, threads=1):
    return [str(BUILT / "linkglot"), "find", f"-j{threads}", *arguments]


def rewrite(*arguments, threads=1):
    return [str(BUILT / "linkglot"), "rewrite", f"-j{threads}", "--to", "same", *arguments]


def rival(*arguments):
    return [str(BUILT / "examples" / "processes"), *arguments]


def lines(output):
    return output.splitlines()


def edits(output):
    """The new links in the rows of `rewrite --json`."""
    rows = map(json.loads, output.splitlines())
    return [row["new"].encode() for row in rows if row["type"] == "edit"]


def names(output):
    """Rows of files without their folders."""
    return [line.split(b"/")[-1] for line in output.splitlines()]


def counts(output):
    """Counts of files, whose names only ripgrep prints for a single file."""
    return [line.split(b":")[-1] for line in output.splitlines()]


@dataclasses.dataclass
class Row:
    """A task: its name, the ratio that issue 29 found, the ratio that it asks for, and the commands."""

    name: str
    found: str
    goal: str
    ours: list
    theirs: list
    # Commands that print what is compared, if the task itself prints less.
    show: typing.Optional[tuple] = None
    # The comparable lines of an output, for each side.
    read: tuple = (lines, lines)
    # Why lines may differ.
    reason: str = ""
    # A folder that is rewritten, copied for each run.
    folder: typing.Optional[str] = None


def linkify(name, found, goal, file, label="utf-8", what="count", **more):
    """Running text, to linkify."""
    text = ["--format", "text", "-E", label, file]
    ours = {"count": ["-c"], "lines": [], "json": ["--json"]}[what]
    show = (find("-o", *text), rival("linkify", "links", label, file)) if what != "lines" else None
    return Row(name, found, goal, find(*ours, *text), rival("linkify", what, label, file), show, **more)


def lol_html(name, found, goal, file, label="utf-8"):
    page = ["--format", "html", "-E", label, file]
    show = (find("-o", *page), rival("lol_html", "links", label, file))
    return Row(name, found, goal, find("-c", *page), rival("lol_html", "count", label, file), show)


def chat(name, found, goal, message, ours, theirs):
    return Row(f"{name} ({message})", found, goal, rival("chat", ours, message), rival("chat", theirs, message))


def rows():
    one = ["--map", "http://old.example/ https://new.example/"]
    sed = ["sed", "s#http://old\\.example/#https://new.example/#g"]
    bugs = ["--map", "https://bz.apache.org/ https://bugs.example/"]
    perl = ["perl", "-pe", "s{https://bz\\.apache\\.org/}{https://bugs.example/}g"]
    ripgrep = ["rg", "--no-config", "--no-ignore", "--hidden", "--count-matches", "--with-filename", "https?://[^\\s<>\"]+"]
    glued = "linkify takes the words behind `\u3001` into the link"
    schemes = ["--detect", "scheme", "-o", "--format", "text", "mail.txt"]
    uri = ["--to", "uri", "--stdout", "-E", "utf-8", "iris.html"]
    yield Row("dense text, `--map` with one rule, to `sed`", "6.2", "3",
              rewrite(*one, "--stdout", "dense.txt"), [*sed, "dense.txt"])
    yield Row("dense HTML, the same", "7.4", "3", rewrite(*one, "--stdout", "dense.html"), [*sed, "dense.html"])
    yield Row("65 MB of pages, `--map` with one rule, to perl's `s///`", "1.4", "1.0",
              rewrite(*bugs, "--stdout", "pages.html"), [*perl, "pages.html"])
    yield Row("dump of SQL with one post of ten to change, to `sed`", "11", "",
              rewrite(*one, "--stdout", "dump.sql"), [*sed, "dump.sql"])
    if shutil.which("go-search-replace"):
        yield Row("the same dump, to go-search-replace", "", "1.5", rewrite(*one, "--stdout", "dump.sql"),
                  ["sh", "-c", "go-search-replace http://old.example/ https://new.example/ <dump.sql"])
    yield Row("IRI-dense HTML, `--to uri`, to lol_html with percent-encoding and no check", "4.8", "1.5",
              [str(BUILT / "linkglot"), "rewrite", "-j1", *uri], rival("encode", "iris.html"))
    yield linkify("`--json` of mail, to linkify with rows of JSON", "2.15", "1.0", "mail.txt", what="json")
    yield linkify("line and column, dense text, to linkify", "1.7", "1.0", "dense.txt", what="lines")
    yield linkify("UTF-16 text, to encoding_rs + linkify", "2.2", "0.7", "utf-16.txt", "utf-16le",
                  reason=glued)
    yield linkify("ISO-2022-JP text, to encoding_rs + linkify", "2.05", "0.7", "iso-2022-jp.txt", "iso-2022-jp",
                  reason=glued)
    for threads, found in [(1, "3.4"), (2, "1.8")]:
        yield Row(f"10,000 small files, `find -c`, to ripgrep, threads: {threads}", found, "1.3",
                  find("-c", "small", threads=threads), [*ripgrep, f"-j{threads}", "small"], read=(names, names))
    for rules, count, found in [("one.rules", "1", "2.7"), ("many.rules", "10^5", "3.2")]:
        moving = ["--map-file", rules, "-n"]
        yield Row(f"the same, `-n --map-file`, to aho-corasick + lol_html, rules: {count}", found, "1.2",
                  rewrite(*moving, "small"), rival("move", "count", rules, "small"),
                  (rewrite(*moving, "--json", "small"), rival("move", "links", rules, "small")), (edits, lines))
    messages = [("none", "1.7"), ("one", "1.04"), ("japanese", "2.6")]
    for message, _ in messages:
        yield chat("`Document` of a chat message, to `scan::links`", "16-23", "4", message, "document", "scan")
    for message, found in messages:
        yield chat("`scan::links` of a chat message, to linkify", found, "1.0", message, "scan", "linkify")
    yield linkify("text with IRIs only, `-c`, to linkify", "1.6", "1.0", "iris.txt")
    yield linkify("line and column of mail, to linkify", "1.05", "0.8", "mail.txt", what="lines")
    yield linkify("`-c` of mail, to linkify", "0.79", "0.6", "mail.txt")
    yield Row("`--detect scheme -o` of mail, to `rg -o`", "1.9", "1.2", find(*schemes),
              ["rg", "--no-config", "-oN", "https?://[^\\s\"]*[^\\s\".,;:!?]", "mail.txt"])
    yield Row("start on 100 bytes, to ripgrep", "1.9", "1.2", find("-c", "100-bytes.txt"), [*ripgrep, "100-bytes.txt"],
              read=(counts, counts))
    for label, reason in [("windows-1251", ""), ("shift_jis", glued)]:
        yield linkify(f"text in {label}, to encoding_rs + linkify", "0.24-0.51", "0.3", f"{label}.txt", label,
                      reason=reason)
        yield lol_html(f"HTML in {label}, to encoding_rs + lol_html", "0.24-0.51", "0.3", f"{label}.html", label)
    yield Row("find with `-j2`, to `-j1`", "1.4-1.9", "1.1", find("-c", "small", threads=2), find("-c", "small"))
    moving = ["--map-file", "one.rules", "-i", "-q", "small"]
    yield Row("`-i` with a journal, `-j2` to `-j1`", "1.3-3", "1.3",
              rewrite(*moving, threads=2), rewrite(*moving), folder="small")
    yield lol_html("find, HTML, to lol_html", "0.35", "0.25", "utf-8.html")
    yield Row("mbox, to mail-parser + linkify + lol_html", "0.40", "0.3",
              find("-c", "mail.mbox"), rival("mbox", "count", "mail.mbox"),
              (find("-o", "mail.mbox"), rival("mbox", "links", "mail.mbox")))


class Place:
    """The folder with the inputs, in which commands run."""

    def __init__(self, folder):
        self.folder = folder
        state = str(folder / "state")
        self.environment = {**os.environ, "XDG_STATE_HOME": state, "NO_COLOR": "1"}

    def fill(self, wanted):
        subprocess.run(rival("inputs", str(self.folder)), check=True)
        if any("pages.html" in row.ours for row in wanted):
            self.join_pages()

    def join_pages(self):
        """Makes one document of real pages."""
        pages, length = pathlib.Path(os.environ.get("LINKGLOT_CORPUS", ROOT / "corpora" / "fetched")), 0
        with open(self.folder / "pages.html", "wb") as joined:
            for page in sorted(pages.rglob("*.html")):
                if length < PAGES and page.is_file():
                    length += joined.write(page.read_bytes())
        if length < PAGES:
            sys.exit(f"{pages}: expected {PAGES} bytes of pages, found {length}; run corpora/fetch.sh")

    def fresh(self, row):
        """Puts back the folder that a run changes."""
        if row.folder:
            kept = self.folder / f"{row.folder}.kept"
            if not kept.exists():
                shutil.copytree(self.folder / row.folder, kept)
            shutil.rmtree(self.folder / row.folder)
            shutil.copytree(kept, self.folder / row.folder)

    def output(self, row, command):
        """The lines of a command, or the digests of the files that it wrote."""
        self.fresh(row)
        run = subprocess.run(command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
        if run.returncode > 1:
            sys.exit(f"{' '.join(command)}: exit code {run.returncode}")
        if not row.folder:
            return run.stdout
        files = sorted((self.folder / row.folder).iterdir())
        return b"\n".join(hashlib.sha256(file.read_bytes()).hexdigest().encode() for file in files)

    def differing(self, row):
        """The number of lines that the other side lacks, of the side with more of them, and of all lines of the rival."""
        commands = row.show or (row.ours, row.theirs)
        ours, theirs = (collections.Counter(read(self.output(row, command))) for read, command in zip(row.read, commands))
        lacking = (ours - theirs).total(), (theirs - ours).total()
        return max(lacking), theirs.total()

    def seconds(self, row, command):
        """CPU time of a run."""
        self.fresh(row)
        with open(os.devnull, "wb") as sink:
            child = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=sink, stderr=sink)
            _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode > 1:
            sys.exit(f"{' '.join(command)}: exit code {child.returncode}")
        return used.ru_utime + used.ru_stime

    def medians(self, row):
        """The median CPU time of each side; the first pair warms up."""
        self.seconds(row, row.ours), self.seconds(row, row.theirs)
        pairs = []
        while len(pairs) < LEAST or len(pairs) < MOST and sum(map(sum, pairs)) < SECONDS:
            pairs.append((self.seconds(row, row.ours), self.seconds(row, row.theirs)))
        return [statistics.median(side) for side in zip(*pairs)]


def build():
    cargo = ["cargo", "build", "-q", "--profile", PROFILE]
    subprocess.run([*cargo, "-p", "linkglot-cli"], cwd=ROOT, check=True)
    subprocess.run([*cargo, "-p", "linkglot-rivals", "--example", "processes"], cwd=ROOT, check=True)
    missing = [name for name in ("sed", "perl", "rg") if not shutil.which(name)]
    if missing:
        sys.exit(f"missing: {', '.join(missing)} (Debian's packages sed, perl, ripgrep)")


def model():
    """The name of the processor."""
    with open("/proc/cpuinfo", encoding="utf-8") as names:
        models = [line.split(":")[1].strip() for line in names if line.startswith("model name")]
    return f"{len(models)} x {models[0]}" if models else platform.machine()


def main():
    build()
    parts = sys.argv[1:] or [""]
    wanted = [row for row in rows() if any(part in row.name for part in parts)]
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        place = Place(pathlib.Path(folder))
        place.fill(wanted)
        print(f"{time.strftime('%Y-%m-%d')}, {model()}, load {os.getloadavg()[0]:.1f}, profile {PROFILE}\n")
        print("| task | ours, ms | rival, ms | ratio | before | goal | lines that differ |\n|---|---|---|---|---|---|---|")
        for row in wanted:
            differing, total = place.differing(row)
            ours, theirs = place.medians(row)
            failed |= differing > 0 and not row.reason
            reason = f"{differing} of {total}{': ' if row.reason else ''}{row.reason}" if differing else "none"
            times = f"{ours * 1e3:.1f} | {theirs * 1e3:.1f} | **{ours / theirs:.2f}**"
            print(f"| {row.name} | {times} | {row.found} | {row.goal} | {reason} |", flush=True)
        print(f"\nload at the end {os.getloadavg()[0]:.1f}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
