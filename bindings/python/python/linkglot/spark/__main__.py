"""The job: ``python -m linkglot.spark find|rewrite --input DIR --output DIR``."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from pathlib import Path
from typing import Any

from .. import Error, Rules
from ._places import UsageError
from ._plan import MIB

#: Exit codes, the same as those of the command line.
DONE, NONE_FOUND, USAGE, SOME_FAILED = range(4)


def size(text: str) -> int:
    """Parses a number of bytes.

    >>> size("64M")
    67108864
    """
    digits = text.rstrip("kKmMgG")
    shift = {"": 0, "k": 10, "m": 20, "g": 30}.get(text[len(digits) :].lower())
    if shift is None or not digits.isdigit():
        raise argparse.ArgumentTypeError(f"expected a number of bytes such as 65536, 64K or 1M, found `{text}`")
    return int(digits) << shift


def assumed(text: str) -> tuple[str, str]:
    label, equals, charset = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"expected LABEL=CHARSET, found `{text}`")
    return label, charset


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="python -m linkglot.spark",
        description="Finds or rewrites the links of whole trees on Spark. "
        "After an interruption, run the same command to finish the job.",
        epilog="Exit code: 0 if all files were done, 3 if some were not (below _linkglot/errors), 2 if nothing could be done.",
    )
    commands = top.add_subparsers(dest="command", required=True)
    find = commands.add_parser("find", help="list links: Parquet below the output directory, one row per link")
    rewrite = commands.add_parser("rewrite", help="rewrite links: write the same tree below the output directory")
    for command in (find, rewrite):
        files = command.add_argument_group("files")
        files.add_argument(
            "--input",
            action="append",
            default=[],
            metavar="DIR|GLOB|@LIST",
            help="a directory, a file, a glob, or @ and a file with one path per line (repeatable); also s3://, gs://, hdfs://",
        )
        files.add_argument("--files-from", metavar="LIST", help="a file with one path per line")
        files.add_argument(
            "--output",
            required=True,
            metavar="DIR",
            help="directory for results; the job's own are below DIR/_linkglot",
        )
        cluster = command.add_argument_group("cluster")
        cluster.add_argument("--master", help="Spark's master [default: from spark-submit, else local[*]]")
        cluster.add_argument(
            "--task-size",
            type=size,
            default=64 * MIB,
            metavar="BYTES",
            help="maximal bytes of small files in a task [default: 64M]",
        )
        cluster.add_argument(
            "--split-size",
            type=size,
            default=128 * MIB,
            metavar="BYTES",
            help="divide longer mailboxes between messages, and longer WARC files between records [default: 128M]",
        )
        cluster.add_argument("--json", action="store_true", help="print the summary as a JSON object")
        reading = command.add_argument_group("how documents are read (see `linkglot find --help`)")
        reading.add_argument("--format")
        reading.add_argument("-E", "--charset")
        reading.add_argument("--default-charset")
        reading.add_argument("--assume-charset", type=assumed, action="append", metavar="LABEL=CHARSET")
        reading.add_argument("--base")
        reading.add_argument("--detect")
        reading.add_argument("--also", metavar="PARTS")
        reading.add_argument("--flowed", action="store_true")
        reading.add_argument("--join-wrapped", action="store_true")
        reading.add_argument("--max-slot", type=size)
    rules = rewrite.add_argument_group("how links are rewritten (see `linkglot rewrite --help`)")
    rules.add_argument("--to", choices=["uri", "iri", "same"])
    rules.add_argument("--move", action="append", nargs=2, default=[], metavar=("OLD", "NEW"))
    rules.add_argument("--move-mail", action="store_true")
    rules.add_argument("--move-subdomains", action="store_true")
    rules.add_argument("--map", action="append", default=[], metavar="'FROM TO'")
    rules.add_argument("--replace", action="append", nargs=2, default=[], metavar=("FROM", "TO"))
    rules.add_argument("--map-file", action="append", default=[], metavar="FILE")
    rules.add_argument("--map-format")
    rules.add_argument("--map-resolved", action="store_true")
    rules.add_argument("--any-query-order", action="store_true")
    rules.add_argument("--unwrap", action="store_true")
    rules.add_argument("--host")
    rules.add_argument("--display")
    rules.add_argument("--query-charset")
    rules.add_argument("--nfc")
    rules.add_argument("--slots", metavar="PLACES")
    rules.add_argument("--min-evidence", metavar="LEVEL")
    rules.add_argument("--to-charset")
    rules.add_argument("--relative-to", metavar="SITE")
    rules.add_argument("--absolute", action="store_true")
    rules.add_argument("--break-signatures", action="store_true")
    return top


#: Arguments that are options of `linkglot.find`, and options of `linkglot.rewrite`.
READING = ("format", "charset", "default_charset", "base", "detect", "also", "flowed", "join_wrapped", "max_slot")
REWRITING = (
    "to",
    "host",
    "display",
    "query_charset",
    "nfc",
    "slots",
    "min_evidence",
    "to_charset",
    "relative_to",
    "absolute",
    "break_signatures",
)


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """The options of the arguments."""
    given = vars(args)
    names = READING + (REWRITING if args.command == "rewrite" else ())
    options = {name: given[name] for name in names if given[name] not in (None, False)}
    if args.assume_charset:
        options["assume_charset"] = dict(args.assume_charset)
    if args.command == "find":
        # Links have lines and columns, as in `linkglot find --json`.
        return {**options, "locate": True}
    rules = rules_of(args)
    if rules is None and args.to is None and args.to_charset is None and not (args.absolute or args.relative_to):
        raise UsageError("expected --to uri or --to iri, or rules: --move, --map, --replace, --map-file, --unwrap")
    if rules is not None:
        options["rules"] = rules
    if args.map_resolved:
        options["resolve"] = True
    return {**options, "locate": True}


def rules_of(args: argparse.Namespace) -> Rules | None:
    """The rules given by the arguments, checked."""
    given = [*args.map, *((source, target) for source, target in args.replace)]
    if not (given or args.move or args.map_file or args.unwrap):
        return None
    return Rules(
        given,
        move=dict(args.move),
        move_mail=args.move_mail,
        move_subdomains=args.move_subdomains,
        files=args.map_file,
        format=args.map_format,
        base=args.base,
        any_query_order=args.any_query_order,
        unwrap=args.unwrap,
    )


def main(arguments: list[str] | None = None) -> int:
    args = parser().parse_args(arguments)
    try:
        if not args.input and not args.files_from:
            raise UsageError("expected --input or --files-from")
        return run(args)
    except (UsageError, Error, ValueError, OSError) as error:
        print(f"linkglot.spark: {error}", file=sys.stderr)
        return USAGE


def run(args: argparse.Namespace) -> int:
    # Workers on this machine use this Python, workers on other machines their own.
    if args.master is None or args.master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    from ._job import Plan
    from ._job import run as run_job

    options = options_of(args)
    apart = ("input", "files_from", "output", "master", "task_size", "json", "command")
    given = {name: value for name, value in vars(args).items() if name not in apart and value}
    given["map_file"] = [Path(path).read_text("utf-8") for path in getattr(args, "map_file", [])]
    plan = Plan(
        args.command,
        args.input,
        args.files_from,
        args.output.rstrip("/") or "/",
        options,
        given,
        task_size=args.task_size,
        split_size=args.split_size,
    )
    # If the program already has a session, the job is a part of that program.
    session = SparkSession.getActiveSession()
    builder = SparkSession.builder.appName(f"linkglot {args.command}")
    if args.master:
        builder = builder.master(args.master)
    spark = session or builder.getOrCreate()
    try:
        summary = run_job(spark, plan)
    finally:
        if session is None:
            spark.stop()
    fields = dataclasses.asdict(summary)
    if args.json:
        print(json.dumps({"type": "summary", **fields}))
    else:
        words = ", ".join(f"{value} {name}" for name, value in fields.items())
        print(f"linkglot.spark: {words}", file=sys.stderr)
    if summary.errors:
        return SOME_FAILED
    return NONE_FOUND if args.command == "find" and not summary.links else DONE


if __name__ == "__main__":
    sys.exit(main())
