"""Keyboard of a terminal: what it sends as text, and that as keys, mouse reports and pastes.

Two faults of Textual's reader are made good: it ends at the first byte that is not UTF-8 (and at some escape sequences
that are none), and it takes escape sequences in pastes for keys and waits for an end that never comes.
"""

import codecs
import re
from collections.abc import Iterable, Sequence
from time import monotonic

from textual._xterm_parser import XTermParser
from textual.events import InputEvent, Key, Paste
from textual.message import Message

_OLD_MOUSE = re.compile(rb"\x1b\[M.{3}", re.DOTALL)
"""Report of the mouse in its oldest form: the three bytes at its end are numbers and no text."""
_OLD_MOUSE_BEGUN = re.compile(rb"\x1b\[M.{0,2}\Z", re.DOTALL)


class KeyboardDecoder(codecs.BufferedIncrementalDecoder):
    """Text of what a terminal sends, whatever it sends: a byte that is not UTF-8 becomes U+FFFD."""

    def _buffer_decode(self, data: bytes, errors: str, final: bool) -> tuple[str, int]:  # type: ignore[override]  # as codecs has it
        begun = None if final else _OLD_MOUSE_BEGUN.search(data)
        whole = data[: begun.start()] if begun else data
        valid = _OLD_MOUSE.sub(lambda report: report[0].decode("latin-1").encode(), whole)
        text, done = codecs.utf_8_decode(valid, "replace", final)
        return text, len(whole) - (len(valid) - done)


_ESCAPES = re.compile("(?=\x1b)")
_LONGEST_SEQUENCE = 40
"""Letters; Textual takes no more than 32 for a sequence."""


MAX_PASTE = 10_000_000
"""Characters of a paste; of a longer one nothing is taken."""
_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_PASTE_PAUSE_SECONDS = 3.0
"""Seconds after which the end of a paste may be missing: what came of it is given."""
_TYPED = 32
"""Characters at most that come together where somebody types, after that pause; more are the rest of the paste."""


class PasteTooLong(Message):
    """Sent in place of a paste of more than ``MAX_PASTE`` characters."""


class KeysTogether(InputEvent):
    """Sent in place of many keys that came at once: a paste into a terminal that does not mark pastes as such."""

    def __init__(self, keys: Sequence[Key]) -> None:
        super().__init__()
        self.keys = keys


class KeyboardParser:
    """Parser of keys and mouse reports, Textual's, taken anew where a sequence is more than it can read; and of pastes.

    A paste is all up to its end, whatever escape sequences stand in it. One whose end is missing is over once somebody
    types after a pause.
    """

    def __init__(self, debug: bool = False) -> None:
        self._debug = debug
        self._parser = XTermParser(debug)
        self._before = ""
        """The last characters that were read: what begins or ends a paste may begin in them."""
        self._paste: list[str] | None = None
        """Parts of a paste that have come and were not given yet; None while there is no paste."""
        self._paste_length = 0
        self._pasted_at = 0.0

    def feed(self, text: str) -> Iterable[Message]:
        """Parse text into keys, mouse reports and pastes."""
        while text:
            if self._has_paused and len(text) <= _TYPED and _PASTE_ENDS not in self._before + text:
                yield from self._take_paste()
                self._paste, self._before = None, ""
            mark = _PASTE_BEGINS if self._paste is None else _PASTE_ENDS
            read, is_marked, rest = (self._before + text).partition(mark)
            new = (read + is_marked)[len(self._before) :]
            self._before = "" if is_marked else read[1 - len(mark) :]
            text = rest
            if self._paste is None:
                yield from self._feed_keys(new)
                if is_marked:  # Textual's parser has seen where it begins, and must not wait for its end
                    yield from (each for each in self._feed_keys(_PASTE_ENDS) if not isinstance(each, Paste))
                    self._paste, self._paste_length, self._pasted_at = [], 0, monotonic()
                continue
            self._pasted_at = monotonic()
            self._paste_length += len(new) - len(is_marked)
            if self._paste_length <= MAX_PASTE:
                self._paste.append(new)
            else:
                self._paste.clear()
            if is_marked:
                yield from self._take_paste()
                self._paste = None

    @property
    def _has_paused(self) -> bool:
        return self._paste is not None and monotonic() - self._pasted_at >= _PASTE_PAUSE_SECONDS

    def _take_paste(self) -> Iterable[Message]:
        text = "".join(self._paste or ())
        ending = next((n for n in range(len(_PASTE_ENDS), 0, -1) if text.endswith(_PASTE_ENDS[:n])), 0)
        begun = _PASTE_ENDS[:ending]  # the rest of it may come after a pause
        if self._paste_length > MAX_PASTE:
            yield PasteTooLong()
        elif text := text.removesuffix(begun).replace("\x00", ""):
            yield Paste(text)
        self._paste, self._paste_length = [begun], len(begun)

    def _feed_keys(self, text: str) -> Iterable[Message]:
        """Parse keys and mouse reports letter by letter, lest what follows a broken sequence be lost."""
        for part in _ESCAPES.split(text):
            for letter in part[:_LONGEST_SEQUENCE]:
                yield from self._all(self._parser.feed(letter))
            if rest := part[_LONGEST_SEQUENCE:]:  # to Textual's parser, no text is the end of all
                parsed = list(self._all(self._parser.feed(rest)))
                keys = [each for each in parsed if isinstance(each, Key)]
                yield from (KeysTogether(keys),) if len(keys) == len(parsed) else parsed

    def tick(self) -> Iterable[Message]:
        """Give what need not wait for more text: an ``esc`` that begins no sequence, a paste whose end is missing."""
        if self._paste is not None:
            return self._take_paste() if self._has_paused else ()
        return self._all(self._parser.tick())

    def _all(self, parsed: Iterable[Message]) -> Iterable[Message]:
        try:
            yield from parsed
        except Exception:  # noqa: BLE001 - int() and chr() of whatever stands in the sequence
            self._parser = XTermParser(self._debug)
