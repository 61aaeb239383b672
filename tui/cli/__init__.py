"""The ``lode`` command: this module owns its exit codes and what is said when it fails.

0 done, 1 it failed (``error:`` and ``hint:`` on standard error), 2 wrong usage, 130 interrupted, 143 and 129 ended by
SIGTERM and SIGHUP, 141 the reader of a pipe went away. Nothing is imported before it is needed: ``lode --version``
costs no more than click.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

DONE, FAILED, USAGE, INTERRUPTED, READER_GONE = 0, 1, 2, 130, 141


def main() -> NoReturn:
    """The entry point of the installed command."""
    if (shell := os.environ.get("_LODE_COMPLETE")) in ("bash", "zsh", "fish"):
        from tui.cli.completion import answer

        answer(shell, sys.argv[1:], os.environ)
        sys.exit(DONE)
    from tui.cli import signals

    try:
        signals.end_like_ctrl_c()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before or after everything that closes what it uses
        code = signals.exit_code(INTERRUPTED)
    if code == signals.exit_code(INTERRUPTED):
        with suppress(Exception):  # what was interrupted while it was imported
            from threading import Event

            from tui.system.event_loop import end_soon

            end_soon(Event(), code)  # the interpreter would wait for threads that may never end
        sys.exit(code)
    os._exit(code)  # all is closed; to take apart what is in memory takes as long as a short list (mypy ends so too)


def run(args: Sequence[str]) -> int:
    """Do what the arguments (without the program's name) ask for; gives the exit code and never raises."""
    from tui.cli import signals
    from tui.cli.output import console

    try:
        code = _guarded(args)
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED:
        code = signals.exit_code(INTERRUPTED)
    return code if console.release() or code != DONE else FAILED


def _guarded(args: Sequence[str]) -> int:
    from tui.cli.output import console
    from tui.errors import LodeError

    try:
        console.prepare()
        code = _invoke(args)
        if code == DONE:
            console.flush()
        return code
    except console.ReaderGone:
        return READER_GONE
    except LodeError as error:
        console.fail(error)
        return FAILED
    except Exception as error:  # noqa: BLE001 - the edge of the process
        if os.environ.get("LODE_DEBUG"):
            import traceback

            console.tell(traceback.format_exc())
        cause = f"unexpected {type(error).__name__}: {error}"
        console.fail(LodeError(cause, hint="run it again with LODE_DEBUG=1 to see where, and report it"))
        return FAILED


def _invoke(args: Sequence[str]) -> int:
    if not args and "_LODE_COMPLETE" not in os.environ:  # the app, without click, which takes a tenth of its start
        from tui.cli.context import Context

        return Context().open_app()
    import click

    from tui.cli.output import console
    from tui.cli.root import lode

    if "_LODE_COMPLETE" in os.environ:  # as older Lodes had it: the script for eval, and what older scripts ask
        shell, _, wanted = os.environ["_LODE_COMPLETE"].partition("_")
        if wanted == "source":
            args = ["completion", shell]
        else:
            lode.main(list(args), "lode", complete_var="_LODE_COMPLETE")
    try:
        with lode.make_context("lode", list(args)) as context:
            lode.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except (click.Abort, EOFError):
        console.tell("")  # the question that was left unanswered stands in an open line
        return INTERRUPTED
    except click.ClickException as error:
        if isinstance(error, click.UsageError) and error.ctx is not None:
            console.tell(error.ctx.get_usage())
        console.tell_error(error.format_message(), getattr(error, "hint", "") or _help_for(error))
        return error.exit_code
    return DONE


def _help_for(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    return f"{context.command_path} --help" if context is not None else ""
