"""The process in which prompts are rendered: ``python -m tui.prompts.prompt_worker``.

Nothing inside a process bounds what a template costs: ``10 ** 10 ** 10`` cannot be interrupted. So rendering has a
process of its own, which is killed when it takes too long. Over its pipes go frames of four bytes of length (big
endian) and that much JSON: first ``{"ready": true}``, then one answer per request
``{"mode": "render" | "lenient", "template": …, "values": {…}}``.

It ends when its standard input does, that is with its parent. While it works a timer runs that kills it, so that it
cannot outlive a killed parent by more than seconds.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, BinaryIO

_HEADER = 4
_MEMORY_BYTES = 512 * 1024 * 1024
"""Address space, interpreter included; a prompt needs a hundredth of it."""
_WATCHDOG_SECONDS = 5.0
"""Longer than the parent waits before it kills."""


def main() -> None:
    inbox = os.fdopen(os.dup(0), "rb")
    outbox = os.fdopen(os.dup(1), "wb")
    # The pipes are ours alone: whatever else writes to them goes nowhere.
    with open(os.devnull, "r+b") as nothing:  # noqa: PTH123 - os.dup2 wants a descriptor
        os.dup2(nothing.fileno(), 0)
        os.dup2(nothing.fileno(), 1)
    # ctrl+c in the terminal is for the parent, which then closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # the watchdog's; whoever started us may have it ignored

    from tui.prompts.template_sandbox import Sandbox

    sandbox = Sandbox()
    sandbox.render("{{ sentence }}", {"sentence": ""})
    _limit_memory()
    _write(outbox, {"ready": True})
    while (request := _read(inbox)) is not None:
        with _watched():
            answer = _answer(sandbox, request)
        _write(outbox, answer)


@contextmanager
def _watched() -> Iterator[None]:
    """Ends the process when the block takes too long, whatever it does: the system or a thread of C does it."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, _WATCHDOG_SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    else:  # Windows
        faulthandler.dump_traceback_later(_WATCHDOG_SECONDS, exit=True)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


def _answer(sandbox: Any, request: dict[str, Any]) -> dict[str, Any]:
    from tui.prompts.template_sandbox import Problem, TemplateFailure

    try:
        if request["mode"] == "lenient":
            text, problem = sandbox.render_lenient(request["template"], request["values"])
            return {"text": text, "problem": asdict(problem) if problem else None}
        return {"text": sandbox.render(request["template"], request["values"]), "problem": None}
    except TemplateFailure as failure:
        return {"text": "", "problem": asdict(failure.problem)}
    except (MemoryError, RecursionError):
        return {"text": "", "problem": asdict(Problem("the prompt needs too much memory", hint="make less of it"))}


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return  # Windows: the time limit alone has to do
    try:
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (OSError, ValueError):
        pass  # macOS knows the limit but does not take it


def _read(inbox: BinaryIO) -> dict[str, Any] | None:
    header = inbox.read(_HEADER)
    if len(header) < _HEADER:
        return None
    body = inbox.read(int.from_bytes(header, "big"))
    request: dict[str, Any] = json.loads(body)
    return request


def _write(outbox: BinaryIO, answer: dict[str, Any]) -> None:
    body = json.dumps(answer).encode("ascii")
    outbox.write(len(body).to_bytes(_HEADER, "big") + body)
    outbox.flush()


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        sys.exit(0)
