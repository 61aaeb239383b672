"""Where the focus stands in its sentence, also when it stands in two places."""

from __future__ import annotations

import re
from itertools import pairwise

from tui.text.wrapping import Span

_BETWEEN = re.compile(r"\s*(?:…|\.\.\.)\s*")


def focus_spans(sentence: str, surface: str) -> tuple[Span, ...]:
    """The places (code point offsets) of the focus's parts, in order; empty where one of them is not in the sentence.

    Parts are divided by ``…`` ("fährt … ab"). A whole word is preferred to a part of one, the same case to another one;
    the scripts without spaces have only parts of words.
    """
    parts = [part for part in _BETWEEN.split(surface.strip()) if part]
    if not parts:
        return ()
    patterns = [r"\s+".join(re.escape(word) for word in part.split()) for part in parts]
    for flags in (re.NOFLAG, re.IGNORECASE):
        for edge in (True, False):
            found = _find(sentence, [rf"(?<!\w){one}(?!\w)" if edge else one for one in patterns], flags)
            if found:
                return found
    return ()


def _find(sentence: str, patterns: list[str], flags: re.RegexFlag) -> tuple[Span, ...]:
    """One match for each pattern, each after the one before; the first that there is."""
    spans: list[Span] = []
    at = 0
    for pattern in patterns:
        match = re.compile(pattern, flags).search(sentence, at)
        if match is None:
            return ()
        spans.append(match.span())
        at = match.end()
    return tuple(spans)


def marked_pieces(text: str, spans: tuple[Span, ...]) -> list[tuple[str, bool]]:
    """The whole text in pieces, each with whether it is part of the focus."""
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    return [(text[first:last], at % 2 == 1) for at, (first, last) in enumerate(pairwise(edges)) if last > first]
