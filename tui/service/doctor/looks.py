"""One check of the doctor's: its result becomes a finding, and so does whatever keeps it from being made."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tui.errors import LodeError
from tui.records import Finding, FindingState
from tui.text.sanitize import one_line


class Seen(NamedTuple):
    """Result of a check, which becomes a finding with a group and a subject."""

    state: FindingState
    message: str
    hint: str = ""


def looked(group: str, subject: str, look: Callable[[], Seen | None]) -> list[Finding]:
    """Run a check and give its finding; none where there is nothing to say."""
    try:
        seen = look()
    except LodeError as error:
        seen = Seen("broken", one_line(error.message), one_line(error.hint))
    except OSError as error:
        seen = Seen(
            "broken", one_line(f"{error.filename or subject}: {error.strerror or error}"), "check that it can be read"
        )
    except Exception as error:  # noqa: BLE001 - what is broken here must not hide the rest
        seen = unforeseen(error)
    return [] if seen is None else [Finding(group, subject, *seen)]


def unforeseen(error: Exception, hint: str = "report it, with what stands here") -> Seen:
    return Seen("broken", one_line(f"it cannot be looked at: {type(error).__name__}: {error}"), hint)
