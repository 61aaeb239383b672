"""Errors that films and recordings have in common."""

from __future__ import annotations

from tui.errors import MediaError
from tui.text.sanitize import one_line

_LONGEST_TITLE = 80


def no_media(title: str) -> MediaError:
    """The error of a transcript without a film."""
    return MediaError(
        f"{one_line(title)[:_LONGEST_TITLE]} has no film or recording",
        hint="name it: lode files link TRANSCRIPT FILM",
        code="no_media",
    )


def no_times(title: str = "a text") -> MediaError:
    """The error of a transcript without times, "a text" where it has no title."""
    return MediaError(
        f"{one_line(title)[:_LONGEST_TITLE]} has no times: nobody knows where its sentences are spoken",
        hint="take a transcript of subtitles",
        code="no_times",
    )
