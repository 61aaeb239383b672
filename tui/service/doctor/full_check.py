"""Checks of ``lode doctor --full``: every index, every search table and the bytes of every imported file."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tui.errors import StoreError
from tui.service.doctor.check_result import CheckResult

if TYPE_CHECKING:
    from tui.store.inspector import LibraryInspector

_MEND = "mend it: lode doctor --full --repair (it keeps a copy first)"


class CheckStopped(Exception):
    """Ends a check that nobody waits for any more."""


class FullCheck:
    """Full check, which reports what it is at and for how long, and ends soon after ``stopped`` was set."""

    def __init__(self, report: Callable[[str], None], *, repair: bool) -> None:
        self.stopped = threading.Event()
        self._write = report
        self._repair = repair
        self._begun = time.monotonic()
        self._reported = ""

    def integrity(self, inspector: LibraryInspector, restore: str) -> CheckResult:
        """Check the database, and repair it where that is asked; ``restore`` is the hint where nothing else helps."""
        try:
            found = self._found(inspector)
        except StoreError as error:
            if error.code == "library_damaged":
                raise
            message = f"every row, index and reference is whole; the search tables were not looked at: {error.message}"
            return CheckResult("warning", message, "make room for a copy of the database")
        if not found:
            return CheckResult("ok", "every row, index, reference and search table is whole")
        if inspector.damage():  # worse than an index that does not fit its rows: making that anew does not help
            return CheckResult("broken", f"it is damaged: {'; '.join(found)}", restore)
        if not self._repair:
            return CheckResult("broken", f"it is damaged: {'; '.join(found)}", _MEND)
        self._report("making the indexes anew")
        inspector.repair()
        if left := self._found(inspector):
            return CheckResult("broken", f"it is damaged still: {'; '.join(left)}", restore)
        message = (
            f"it was damaged ({'; '.join(found)}), and is mended; {inspector.path.name}.before-repair-… is as it was"
        )
        return CheckResult("ok", message)

    def changed_blobs(self, inspector: LibraryInspector) -> int:
        """Count the imported files whose bytes are not those that were imported."""
        return inspector.changed_blobs(lambda done, of: self._report(f"looking at imported file {done + 1} of {of}"))

    def _found(self, inspector: LibraryInspector) -> tuple[str, ...]:
        found = inspector.damage(lambda: self._report("looking at every row and index"), indexes=True)
        return found or inspector.search_table_damage(lambda: self._report("looking at the search tables"))

    def _report(self, what: str) -> None:
        """Report progress; raises ``CheckStopped``."""
        if self.stopped.is_set():
            raise CheckStopped
        text = f"{what} … {time.monotonic() - self._begun:.0f} s"
        if text != self._reported:
            self._reported = text
            self._write(text)
