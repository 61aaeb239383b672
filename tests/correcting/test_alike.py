"""Changes are alike that change the same words, cards that are of the same word."""

from __future__ import annotations

from tui.correcting.alike import find_alike
from tui.records.clips import FocusWord, NewClip
from tui.records.reviews import ReviewItem


def item(number: int, before: str, after: str, card: NewClip | None = None) -> ReviewItem:
    return ReviewItem(number, number, None, before, after, False, True, False, card)


def test_the_same_words_are_alike_in_whatever_lines() -> None:
    rose = item(0, "Eine Rohse blüht.", "Eine Rose blüht.")
    others = [rose, item(4, "Rohse!", "Rose!"), item(5, "Rohse!", "Rose."), item(7, "Der Zuk.", "Der Zug.")]
    assert find_alike(rose, others, "de") == [0, 4]


def test_cards_of_a_word_are_alike_in_all_its_forms() -> None:
    def card(number: int, surface: str, lemma: str | None) -> ReviewItem:
        return item(number, "x", "y", NewClip(f"Satz {number}", focus=FocusWord(surface, lemma=lemma)))

    cards = [card(0, "fährt", "fahren"), card(1, "fuhr", "fahren"), card(2, "fahren", None), card(3, "Zug", "Zug")]
    assert find_alike(cards[0], cards, "de") == [0, 1, 2]
    whole = item(9, "x", "y", NewClip("Ein Satz."))
    assert find_alike(whole, [*cards, whole], "de") == [9]
