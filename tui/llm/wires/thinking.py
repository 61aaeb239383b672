"""Text filters for streamed pieces: take inline ``<think>`` off the start, join characters that were cut in half."""

from __future__ import annotations

from tui.text.sanitize import whole_characters

_TAGS = {"<think>": "</think>", "<thinking>": "</thinking>"}
_MAX_LEADING_SPACE = 64


class ThinkFilter:
    """Takes ``<think>…</think>`` off the start of a stream whose pieces may cut the tags anywhere.

    A tag that stands later is text. ``thinking`` tells whether the last piece ended inside.
    """

    def __init__(self) -> None:
        self._held = ""
        self._closing = ""
        self._decided = False
        self._stripping = False

    @property
    def thinking(self) -> bool:
        return bool(self._closing)

    def feed(self, text: str) -> str:
        """Filter a piece; gives what of the text so far is certainly part of the answer."""
        if self._closing:
            return self._inside(text)
        if self._stripping:
            return self._strip(text)
        if self._decided:
            return text
        self._held += text
        begun = self._held.lstrip()
        for opening, closing in _TAGS.items():
            if begun.startswith(opening):
                self._held, self._closing = "", closing
                return self._inside(begun[len(opening) :])
        undecided = any(opening.startswith(begun) for opening in _TAGS)
        if undecided and len(self._held) - len(begun) <= _MAX_LEADING_SPACE:
            return ""
        return self.finish()

    def finish(self) -> str:
        """End of the stream; gives what was held back only because it might have become a tag."""
        self._decided = True
        held, self._held = self._held, ""
        return "" if self._closing else held

    def _inside(self, text: str) -> str:
        text = self._held + text
        _, tag, after = text.partition(self._closing)
        if not tag:
            self._held = text[len(text) - _overlap(text, self._closing) :]
            return ""
        self._held, self._closing, self._stripping, self._decided = "", "", True, True
        return self._strip(after)

    def _strip(self, text: str) -> str:
        text = text.lstrip()
        self._stripping = not text
        return text


def _overlap(text: str, tag: str) -> int:
    """Number of characters at the end of the text that begin the tag."""
    for length in range(min(len(text), len(tag) - 1), 0, -1):
        if text.endswith(tag[:length]):
            return length
    return 0


class SurrogateJoiner:
    r"""Joins ``\ud83d`` and ``\ude00`` of two pieces to one character; a half alone becomes U+FFFD.

    Servers that count in UTF-16 cut there, and half a character can neither be stored nor shown.
    """

    def __init__(self) -> None:
        self._high = ""

    def feed(self, text: str) -> str:
        if text.isascii() and not self._high:
            return text
        text = self._high + text
        self._high = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            self._high, text = text[-1], text[:-1]
        return whole_characters(text)

    def finish(self) -> str:
        held, self._high = self._high, ""
        return whole_characters(held)
