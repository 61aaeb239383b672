"""The card as text says what Anki shows of the exported note, side by side and block by block."""

from __future__ import annotations

import re
from html import unescape

from tests.deck.clips import bare, clip
from tests.deck.conftest import Anki
from tests.hostile import WORST
from tui.deck.card import RULE, CardPart, make_card
from tui.deck.markup import clean, markdown
from tui.records.clips import FocusWord

_BLOCK = re.compile(r'<hr id="(\w+)">|<div class="(\w+)" dir="auto">(.*?)</div>', re.DOTALL)

CLIPS = {
    "whole": clip(1),
    "a sentence only": bare(2, "Nur ein Satz."),
    "no lemma": bare(3, "Der Zug.", focus=FocusWord("Zug", reading="tsuk", meanings=("train",))),
    "nothing is known of the word": bare(4, "Der Zug.", focus=FocusWord("Zug")),
    "a word that stands elsewhere": bare(5, "Das Brot.", focus=FocusWord("rot", lemma="rot")),
    "no sentence": bare(6, " ", focus=FocusWord("Zug", lemma="Zug")),
    "nothing at all": bare(7, ""),
    "several lines": clip(
        8, sentence="Eins,\nfährt ab.", note="a\n\nb", explanation="- a\n- b\n\n| a | b |\n|---|---|\n| c | d |"
    ),
    "hostile": clip(
        9,
        sentence=" ".join(WORST.values()),
        translation="{{Sentence}} {{/Lemma}}",
        note="{{#Lemma}}<b>",
        explanation=" ".join(WORST.values()),
    ),
}


def said(html: str) -> list[tuple[str, str]]:
    """The blocks of a rendered side, each with its class and, but for an explanation, its text."""
    return [
        (
            rule or role,
            inside if role == "explanation" else unescape(re.sub("<[^>]+>", "", inside.replace("<br>", "\n"))),
        )
        for rule, role, inside in _BLOCK.findall(html)
    ]


def expected(parts: tuple[CardPart, ...]) -> list[tuple[str, str]]:
    return [(part.role, markdown(part.text) if part.role == "explanation" else part.text) for part in parts]


def test_both_sides_say_what_anki_shows(anki: Anki) -> None:
    anki.take_clips(*CLIPS.values())
    for (name, kept), (question, answer) in zip(CLIPS.items(), anki.sides(), strict=True):
        card = make_card(kept)
        assert said(question) == expected(card.front), name
        assert said(answer) == expected(card.back), name
        sentence = card.front[0]
        bold = [unescape(piece) for piece in re.findall("<b>(.*?)</b>", question)]
        assert [sentence.text[start:end] for start, end in sentence.bold] == bold, name


def test_the_back_begins_with_the_front() -> None:
    card = make_card(clip())
    assert card.back[: len(card.front) + 1] == (*card.front, CardPart(RULE))
    assert card.front == (CardPart("sentence", clean(clip().sentence), ((12, 17), (36, 38))),)
