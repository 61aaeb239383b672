"""Text that came from outside, made safe for a terminal: no escape sequences, no control or bidi-override characters.

Line feeds and tabs stay (a tab as it is; whoever lays out cells expands it). Left-to-right and right-to-left *marks*
stay, since Arabic and Hebrew subtitles need them; embeddings, overrides and isolates go, since one that is never closed
turns the rest of the screen around. Sources: ECMA-48 (CSI, OSC, DCS, SOS, PM, APC), Unicode UAX #9.
"""

from __future__ import annotations

import re

_BIDI = "\u202a-\u202e\u2066-\u2069"
_SEQUENCE = (
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"  # OSC, DCS, SOS, PM, APC
    r"|\x1b[ -/]*[0-Z\\^-~]"  # other escapes
)
_SEQUENCES = re.compile(_SEQUENCE)
_SINGLES = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}\ufeff]")
_SUSPICIOUS = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}\ufeff]")
_OPEN_TAIL = re.compile(
    r"(?:(?:\x1b\[|\x9b)[0-?]*[ -/]*|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*\x1b?|\x1b[ -/]*)\Z"
)
_LONGEST_SEQUENCE = 4096
"""An open sequence longer than this is no sequence: it is dropped, so that a filter never holds text for ever."""


def without_controls(text: str) -> str:
    """The text with escape sequences removed whole and other control characters removed singly."""
    if not _SUSPICIOUS.search(text):
        return text
    return _SINGLES.sub("", _SEQUENCES.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


def one_line(text: str) -> str:
    """``without_controls`` with every run of white space, line ends included, as one space."""
    return " ".join(without_controls(text).split())


class ControlFilter:
    """``without_controls`` over a stream whose pieces may cut a sequence anywhere."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """What of the text so far is safe and certain; an unfinished sequence is held for the next piece."""
        if not self._held and not _SUSPICIOUS.search(text):
            return text
        text = self._held + text
        self._held = ""
        rest = _SEQUENCES.sub("", text)
        if tail := _OPEN_TAIL.search(rest):
            if len(tail.group()) <= _LONGEST_SEQUENCE:
                self._held = tail.group()
            rest = rest[: tail.start()]
        elif rest.endswith("\r"):
            self._held, rest = "\r", rest[:-1]
        return without_controls(rest)
