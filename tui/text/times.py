"""Times of cues as people read and type them: "1:02.500", "1:02:03,4" or seconds."""

import re

_TIME = re.compile(r"(?:(?:(\d{1,4}):)?(\d{1,4}):)?(\d{1,7})(?:[.,](\d{1,3}))?", re.ASCII)


def exact_time(milliseconds: int | None) -> str:
    """Format a time with its milliseconds: "0:31.400"; "" for none."""
    if milliseconds is None:
        return ""
    seconds, rest = divmod(max(0, milliseconds), 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    begin = f"{hours}:{minutes:02}" if hours else str(minutes)
    return f"{begin}:{seconds:02}.{rest:03}"


def read_exact_time(typed: str) -> int | None:
    """Read a time in milliseconds, None for what is none."""
    if (found := _TIME.fullmatch(typed.strip())) is None:
        return None
    hours, minutes, seconds, rest = found.groups()
    whole = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(seconds)
    return whole * 1000 + int((rest or "").ljust(3, "0"))
