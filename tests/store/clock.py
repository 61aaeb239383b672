"""A clock that stands where a test sets it."""

from __future__ import annotations

import datetime
import time

import pytest


class Clock:
    """What Lode takes for the moment, in the database and beside it: ``set`` moves it, also far back."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def set(self, day: str) -> None:
        """``day`` as in 2001-01-01."""
        moment = datetime.datetime.fromisoformat(day).replace(hour=12, tzinfo=datetime.UTC)

        class Set(datetime.datetime):
            @classmethod
            def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:  # type: ignore[override]  # the same moment for all
                return moment

        for module in ("rows", "backup"):
            self._monkeypatch.setattr(f"tui.store.{module}.datetime", Set)
        self._monkeypatch.setattr(time, "time", moment.timestamp)
