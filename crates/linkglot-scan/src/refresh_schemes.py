#!/usr/bin/env python3
"""Refreshes iana_schemes.txt from IANA's registry of URI schemes.

The registry is https://www.iana.org/assignments/uri-schemes/uri-schemes-1.csv . Pass that file, or a JSON list of names from a
package of the registry, on standard input, and its origin as the argument:

    python3 crates/linkglot-scan/src/refresh_schemes.py 'from IANA' < uri-schemes-1.csv > crates/linkglot-scan/src/iana_schemes.txt

schemes.txt, which is written by hand, says which of them are links without `//` and what must follow them. A test compares the
names.
"""
import csv
import datetime
import io
import json
import sys


def names(text):
    if text.lstrip().startswith("["):
        return [item if isinstance(item, str) else item["scheme"] for item in json.loads(text)]
    # A note may follow the name: "shttp (OBSOLETE)".
    return [row["URI Scheme"].split()[0] for row in csv.DictReader(io.StringIO(text))]


def main():
    origin = sys.argv[1] if len(sys.argv) > 1 else "from IANA"
    print("# Names of IANA's registry of URI schemes (https://www.iana.org/assignments/uri-schemes/), written by refresh_schemes.py.")
    print(f"# {datetime.date.today()}, {origin}")
    print("\n".join(sorted({name.lower() for name in names(sys.stdin.read())})))


main()
