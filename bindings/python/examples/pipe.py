"""Spark pipes file names through the command line, which must be installed on each worker; no Python package is needed
there.

    spark-submit pipe.py LIST OUTPUT

LIST has one file name per line, on a file system that all workers see. OUTPUT gets the links, one JSON object per line.
"""

from __future__ import annotations

import os
import sys

from pyspark.sql import SparkSession

#: Number of files that one process reads.
FILES_OF_A_TASK = 10_000


def main(names: str, output: str) -> None:
    spark = SparkSession.builder.appName("links").getOrCreate()
    files = spark.sparkContext.textFile(names)
    tasks = max(files.count() // FILES_OF_A_TASK, spark.sparkContext.defaultParallelism)
    # A piped process has only the environment that is passed to it.
    lines = files.repartition(tasks).pipe("linkglot find --files-from - --json", env={"PATH": os.environ["PATH"]})
    # Each process ends with a summary. Files that could not be read are objects of the type `error`.
    lines.filter(lambda line: not line.startswith('{"type":"summary"')).saveAsTextFile(output)
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
