"""Where there is much to do answers begin one after the other, so that those under way are read on meanwhile."""

from __future__ import annotations

import asyncio

_ROUNDS = 8
"""Rounds of the event loop from one beginning to the next; each has a few times as many steps, so that some overlap."""

_LONGEST = 0.1
"""Seconds that a turn takes at most: with rounds of half a second new answers would hardly ever begin."""


class Beginnings:
    """Whose turn it is to begin, in the order in which they ask.

    To begin an answer takes as much work as to pass on thirty pieces of one. With hundreds that begin at once every
    round of the event loop has a step of each of them to do, and a piece, which takes a handful of rounds from its
    model to its reader, comes late.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def turn(self) -> None:
        """Return when the next may begin.

        It is rounds that are counted and not seconds: they are over at once where there is little to do, and the more
        streams are read and sent in each, the longer they take.
        """
        now = asyncio.get_running_loop().time
        async with self._turn:
            until = now() + _LONGEST
            for _ in range(_ROUNDS):
                await asyncio.sleep(0)
                if now() > until:
                    return
