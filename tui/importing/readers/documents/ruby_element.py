"""The ``ruby`` element of HTML: bases and their readings, in whichever of its two orders, as text with marks.

Source: html.spec.whatwg.org, 4.5.10, and the older model of bases first ("rb rb rt rt"). Readings in parentheses for
browsers without ruby stand in ``rp`` and are not given to this.
"""

from __future__ import annotations

from itertools import zip_longest

from tui.importing.readers.ruby import marked


class RubyElement:
    """The parts of an open ``ruby`` element."""

    def __init__(self) -> None:
        self._groups: list[tuple[list[list[str]], list[list[str]]]] = [([[]], [])]
        self._is_reading = False

    def open(self, tag: str) -> None:
        """Begin a base (``rb``) or a reading (``rt``, ``rtc``)."""
        bases, readings = self._groups[-1]
        self._is_reading = tag != "rb"
        if self._is_reading:
            readings.append([])
        elif readings:
            self._groups.append(([[]], []))
        elif bases[-1]:
            bases.append([])

    def close(self) -> None:
        """End a base or a reading: what follows a reading is the next base."""
        if self._is_reading and any(map(bool, self._groups[-1][1])):
            self._is_reading = False

    def add(self, text: str) -> None:
        bases, readings = self._groups[-1]
        if self._is_reading:
            readings[-1].append(text)
        elif readings and text.strip():
            self._groups.append(([[text]], []))
        elif not readings:
            bases[-1].append(text)

    def text(self) -> str:
        """All bases, with marks for their readings; several bases with as many readings each have their own."""
        parts: list[str] = []
        for bases, readings in self._groups:
            texts, read = ["".join(base).strip() for base in bases], ["".join(reading).strip() for reading in readings]
            texts, read = list(filter(None, texts)), list(filter(None, read))
            if len(texts) == len(read):
                parts += (marked(base, reading) for base, reading in zip_longest(texts, read, fillvalue=""))
            else:
                parts.append(marked("".join(texts), "".join(read)))
        return "".join(parts)
