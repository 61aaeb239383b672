"""One check of the doctor's: its result becomes a finding, and so does whatever keeps it from being made."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tui.errors import LodeError
from tui.records.library import Finding, FindingState
from tui.text.sanitize import one_line


class CheckResult(NamedTuple):
    """Result of a check, which becomes a finding with a group and a subject."""

    state: FindingState
    message: str
    hint: str = ""


def run_check(group: str, subject: str, check: Callable[[], CheckResult | None]) -> list[Finding]:
    """Run a check and give its finding; none where there is nothing to say."""
    try:
        result = check()
    except LodeError as error:
        result = CheckResult("broken", one_line(error.message), one_line(error.hint))
    except OSError as error:
        result = CheckResult(
            "broken", one_line(f"{error.filename or subject}: {error.strerror or error}"), "check that it can be read"
        )
    except Exception as error:  # noqa: BLE001 - what is broken here must not hide the rest
        result = unexpected(error)
    return [] if result is None else [Finding(group, subject, *result)]


def unexpected(error: Exception, hint: str = "report it, with what stands here") -> CheckResult:
    return CheckResult("broken", one_line(f"it cannot be looked at: {type(error).__name__}: {error}"), hint)
