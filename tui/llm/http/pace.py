"""How often a stream is read when there are many: what comes within a moment is read together.

A token alone costs a wake-up, a reading of the network, a decoder's call and a piece sent on, which is nothing for a
few streams and the whole processor for hundreds. So with many of them each is read a few times a second; what comes
meanwhile waits in the system's buffers. With few, and before a stream's first text, nothing waits.
"""

from __future__ import annotations

_FEW = 50
"""So many streams are each read as their tokens come."""
_READINGS_PER_SECOND = 3000
"""Of all streams together, once they are many."""
_LONGEST = 0.15
"""Seconds that a text may wait; a reader sees words, not letters, come at that pace."""


class Pace:
    """How long a stream that is read waits before it is read again: the more there are, the longer."""

    def __init__(self) -> None:
        self.streams = 0

    @property
    def seconds(self) -> float:
        return 0.0 if self.streams <= _FEW else min(_LONGEST, self.streams / _READINGS_PER_SECOND)
