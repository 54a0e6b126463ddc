"""The shared library exports the functions of the header, with their version, and nothing else."""

import re
import subprocess
import sys

library, header, soname = sys.argv[1:]
dynamic = subprocess.run(["readelf", "-dW", library], capture_output=True, text=True, check=True).stdout
assert f"Library soname: [{soname}]" in dynamic, dynamic
table = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", library], capture_output=True, text=True, check=True)
exported = {line.split()[2] for line in table.stdout.splitlines() if line.split()[1] != "A"}
with open(header, encoding="utf-8") as file:
    declared = set(re.findall(r"^\w[\w *]*?\b(lg_\w+)\(", file.read(), re.M))
assert len(declared) > 25, declared
expected = {f"{name}@@LINKGLOT_0.1" for name in declared}
assert exported == expected, exported ^ expected
print(f"{len(exported)} symbols")
