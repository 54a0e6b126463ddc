"""Python executes this module at its start if it is on the path: it makes tasks slow, fail or die, as the environment
says."""

from __future__ import annotations

import os
import signal
import time


def _first(name: str, times: int = 1) -> bool:
    """True for the first time (or the first few times), on any worker."""
    for number in range(times):
        try:
            os.close(os.open(f"{os.environ['LINKGLOT_TEST_MARKS']}/{name}-{number}", os.O_CREAT | os.O_EXCL))
            return True
        except FileExistsError:
            continue
    return False


def _parent(pid: int) -> int:
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def _patch(fault: str) -> None:
    from linkglot.spark import _work

    real = _work.Worker.run

    def run(self: _work.Worker) -> None:
        if fault == "slow":
            time.sleep(0.4)
        if fault == "fails" and _first(f"fails-{self.task.name}", 2):
            # Fails halfway: the output so far is not yet in its place.
            self.table = lambda *_: (_ for _ in ()).throw(RuntimeError("on purpose"))  # type: ignore[method-assign]
        if fault == "straggler" and _first("straggler"):
            time.sleep(15)
        if fault == "killed" and self.task.kind in ("files", "range") and _first("killed"):
            _work.Worker.table = lambda *_: os.kill(_parent(os.getppid()), signal.SIGKILL) or time.sleep(60)  # type: ignore[assignment]
        real(self)

    _work.Worker.run = run  # type: ignore[method-assign]


if "LINKGLOT_TEST_FAULT" in os.environ:
    _patch(os.environ["LINKGLOT_TEST_FAULT"])
