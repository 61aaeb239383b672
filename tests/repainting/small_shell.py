"""A shell that runs one command: each time it is stopped, the shell writes on the screen, and lets it go on."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence

from tests.repainting.library import SCRIBBLED


def main(command: Sequence[str]) -> None:
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # it takes the terminal back from the background
    process = os.fork()
    if process == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(command[0], list(command))
    while os.WIFSTOPPED(os.waitpid(process, os.WUNTRACED)[1]):
        os.tcsetpgrp(0, os.getpgrp())
        os.write(1, b"\x1b[2J\x1b[3;3H" + SCRIBBLED)
        os.tcsetpgrp(0, process)
        os.killpg(process, signal.SIGCONT)


if __name__ == "__main__":
    main(sys.argv[1:])
