"""Ctrl+C that Python loses before the event loop runs ends the command all the same."""

import subprocess
import sys

from tests.waiting import HANGS

LOST = """
import os, signal, weakref
from tui.system import early_interrupt, event_loop

class Module:
    pass

async def work():
    print("worked")

early_interrupt.watch()
module = Module()
gone = weakref.ref(module, lambda _: os.kill(os.getpid(), signal.SIGINT))
del module  # as where an import lets go of its lock
print("goes on")
event_loop.run(work())
"""


def test_what_was_lost_in_a_callback_is_raised_when_the_loop_is_to_run() -> None:
    done = subprocess.run([sys.executable, "-c", LOST], capture_output=True, text=True, timeout=HANGS, check=False)
    assert done.stdout == "goes on\n"
    assert "Exception ignored in" in done.stderr and done.stderr.rstrip().endswith("KeyboardInterrupt")
    assert done.returncode not in (0, 1)
