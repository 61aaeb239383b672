"""Answers of a model to a batch: which line each is of, and which changes are believed.

An answer names its line twice, by number and by the text that stands there. Models miscount but hardly ever misquote:
the text decides, and the number only between lines of the same text. What names no line is refused, so that nothing is
ever written into another's line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tui.correcting.batches import Batch
from tui.correcting.markup import list_marks, restore_markup
from tui.language.detection import can_be_guessed, guess_language
from tui.language.scripts import count_scripts, is_word_of
from tui.language.tags import base_language
from tui.records.reviews import Change
from tui.records.transcripts import MAX_CUE_TEXT
from tui.text.sanitize import is_blank, laid_out

_LEAST_SIMILARITY = 0.5
"""Share of its characters that a correction keeps at least; one that keeps less was written anew."""
_MAX_KEPT_WORDS = 3
"""Words of a line at most that may be the same in two languages: a name, or a shout."""
_TOGETHER = {"Hiragana": "Han", "Katakana": "Han"}
"""Scripts that one word may be written in, or the other."""


@dataclass(frozen=True, slots=True)
class AnsweredLine:
    """A line as a model answers it: its number, its text as the model quotes it, and the new text."""

    number: int
    original: str
    text: str


@dataclass(frozen=True, slots=True)
class BatchResult:
    """Changes of a batch in the order of its cues, how many answers were refused, and the cues that got none.

    ``left`` are indexes of cues: of translations those without one, of corrections those that the model could not be
    asked about.
    """

    changes: tuple[Change, ...] = ()
    refused: int = 0
    left: tuple[int, ...] = ()


def read_corrections(batch: Batch, answered: Sequence[AnsweredLine]) -> BatchResult:
    """Read the lines that a model has corrected; lines that it does not name are right as they are."""
    texts, refused = _read(batch, answered)
    changes = (
        Change(batch.first + place, before, after, _is_doubtful_correction(before, after, batch.language))
        for place, (before, after) in texts.items()
        if after not in (before, _clean(before))
    )
    return BatchResult(tuple(changes), refused)


def read_translations(batch: Batch, answered: Sequence[AnsweredLine], into: str | None = None) -> BatchResult:
    """Read the translations of a batch; ``into`` is the tag of their language, and ``left`` has what is missing."""
    texts, refused = _read(batch, answered, are_translations=True)
    changes = (
        Change(batch.first + place, before, after, _is_doubtful_translation(before, after, into))
        for place, (before, after) in texts.items()
        if after
    )
    missing = (batch.first + place for place in range(len(batch.lines)) if not texts.get(place, ("", ""))[1])
    return BatchResult(tuple(changes), refused, tuple(missing))


def _read(
    batch: Batch, answered: Sequence[AnsweredLine], *, are_translations: bool = False
) -> tuple[dict[int, tuple[str, str]], int]:
    """Read the old and the new text of each line that was answered, by its place, and how many answers were refused."""
    found = _match(batch, answered)
    texts: dict[int, tuple[str, str]] = {}
    for place in sorted(found):
        before, after = batch.lines[place], _clean(found[place].text)
        if after:
            after = restore_markup(before, after, is_translation=are_translations)
        if len(after) <= MAX_CUE_TEXT:
            texts[place] = before, after
    return texts, len(answered) - len(texts)


def _match(batch: Batch, answered: Sequence[AnsweredLine]) -> dict[int, AnsweredLine]:
    """Find the place in the batch of each answer that has one; of two for one line the first counts.

    Those with the right number come first, so that no other takes their line.
    """
    quoted = [_normalise(line) for line in batch.lines]
    found: dict[int, AnsweredLine] = {}
    miscounted: list[AnsweredLine] = []
    for answer in answered:
        place = answer.number - 1
        if 0 <= place < len(quoted) and quoted[place] == _normalise(answer.original):
            found.setdefault(place, answer)
        else:
            miscounted.append(answer)
    for answer in miscounted:
        wanted, original = answer.number - 1, _normalise(answer.original)
        places = [place for place, quote in enumerate(quoted) if quote == original and place not in found]
        if places:
            found[min(places, key=lambda place: abs(place - wanted))] = answer
    return found


def _normalise(text: str) -> str:
    """Take out white space: scripts without spaces have none where a model joins two rows of a line."""
    return "".join(text.split())


def _clean(text: str) -> str:
    """Clean a text as an import does: no control characters, rows trimmed, none blank; "" where nothing can be seen."""
    rows = (row.strip() for row in laid_out(text).split("\n"))
    return "" if is_blank(text) else "\n".join(row for row in rows if row)


def _is_doubtful_correction(before: str, after: str, language: str | None) -> bool:
    from rapidfuzz.distance import Levenshtein

    if Levenshtein.normalized_similarity(before, after) < _LEAST_SIMILARITY:
        return True
    if list_marks(before) != list_marks(after) or before.count("\n") != after.count("\n"):
        return True
    if not _list_scripts(after) <= _list_scripts(before):
        return True
    return guess_language(after) not in (None, guess_language(before), base_language(language))


def _is_doubtful_translation(before: str, after: str, into: str | None) -> bool:
    if list_marks(before) != list_marks(after):
        return True
    if into is None:
        return False
    if after == before and len(before.split()) > _MAX_KEPT_WORDS:
        return True
    language, guessed = base_language(into), guess_language(after)
    if guessed is not None and can_be_guessed(language):
        return guessed != language
    is_kept = after == before  # a name, or a shout: the same in many languages
    return not is_kept and bool(count_scripts(after)) and not is_word_of(language, after)


def _list_scripts(text: str) -> set[str]:
    return {_TOGETHER.get(name, name) for name in count_scripts(text)}
