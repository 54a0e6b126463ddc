"""The command `linkglot`, also as `python -m linkglot`."""

import sys

from linkglot import _native


def main() -> int:
    """Runs the command that the arguments of the process name, and returns its exit code."""
    return _native.main(["linkglot", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
