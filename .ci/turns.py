"""Checks that would take too long as a whole: each commit has its turn with another slice of them."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def turn(slices, fixed=None):
    """The number of this commit's slice: as many consecutive commits as there are slices make all of them. LINKGLOT_TURN
    asks for the slices of another number, such as one that a run printed; a fixed one is made if it does not."""
    asked = os.environ.get("LINKGLOT_TURN", fixed)
    if asked is None:
        command = ["git", "rev-list", "--count", "HEAD"]
        counted = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        asked = counted.stdout.strip() or "0"
    print(f"slice {int(asked) % slices} of {slices}: LINKGLOT_TURN={asked}", flush=True)
    return int(asked) % slices
