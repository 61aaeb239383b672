"""Check of a language tag that somebody gave."""

from __future__ import annotations

from tui.errors import InvalidInput
from tui.language.tags import normalise
from tui.text.sanitize import one_line


def checked_tag(given: str, field: str = "language") -> str:
    """Normalise a tag that was given as this field; raises ``InvalidInput`` when it is no language tag."""
    tag = normalise(given)
    if tag is None:
        raise InvalidInput(
            f"{one_line(given)[:40]!r} is no language tag",
            hint="use one such as de, pt-BR, zh-Hans or yue",
            field=field,
        )
    return tag
