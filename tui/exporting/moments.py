"""Moments as people type them."""

from __future__ import annotations

from datetime import UTC, datetime

from tui.errors import InvalidInput
from tui.text.sanitize import one_line


def moment(text: str, *, field: str) -> datetime:
    """The moment, in UTC, that a date or a date with a time means (ISO 8601), of local time where it has no offset.

    A date alone is its beginning. Raises ``InvalidInput`` for ``field``.
    """
    try:
        return datetime.fromisoformat(text.strip()).astimezone(UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidInput(
            f"{one_line(text)[:40]!r} is no date",
            hint="a date is 2026-11-01, a moment 2026-11-01T18:30, both in your local time",
            code="invalid_date",
            field=field,
        ) from error
