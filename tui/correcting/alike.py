"""Changes that are alike: the same words become the same others, in whatever lines."""

from __future__ import annotations

from collections.abc import Iterable

from tui.correcting.word_diff import diff_words
from tui.records.reviews import ReviewItem


def find_alike(item: ReviewItem, others: Iterable[ReviewItem], language: str | None) -> list[int]:
    """Find the numbers of the changes that are alike, itself included.

    Cards are that have the same word in its dictionary form, corrections that change the same words in the same way,
    and translations, which change all of a line, where the line is the same.
    """
    sign = _find_sign(item, language)
    return [other.number for other in others if _find_sign(other, language) == sign]


def _find_sign(item: ReviewItem, language: str | None) -> object:
    if item.card is not None:
        focus = item.card.focus
        return item.card.sentence if focus is None else focus.lemma or focus.surface
    return frozenset((run.old, run.new) for run in diff_words(item.before, item.after, language) if run.old != run.new)
