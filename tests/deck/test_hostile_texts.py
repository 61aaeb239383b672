"""Texts that would act in Anki (HTML, sounds, clozes, TeX, control characters) are shown as they are."""

from __future__ import annotations

import re
from html import unescape

import pytest

from tests.deck.clips import clip
from tests.deck.conftest import Anki, Imported
from tests.hostile import FORBIDDEN, HOSTILE
from tui.deck.markup import clean
from tui.records.clips import FocusWord

pytestmark = pytest.mark.exhaustive

TEXTS = HOSTILE | {
    "calls": "[sound:x.mp3] [SOUND:y.mp3] [anki:play:q:0] [anki:tts lang=de_DE]z[/anki:tts]",
    "fields": "a {{c1::x}} b {{Sentence}} {{{c2::y}}}",
    "tex": r"[latex]x[/latex] [$]y[/$] [$$]z[/$$] \(x\) \[y\] $$z$$ \\(w\\)",
    "comments": "]]> <![CDATA[ <!-- --> &lt; &amp;amp;",
    "many brackets": "<" * 3000,
}


def as_shown(html: str) -> str:
    """Text of the HTML as a reader sees it, white space folded."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", re.sub("</?span[^>]*>", "", html))).split())


def test_any_text_comes_out_as_it_went_in_and_none_does_anything(anki: Anki) -> None:
    clips = [
        clip(
            at,
            **dict.fromkeys(("sentence", "context", "translation", "note", "source"), text),
            focus=FocusWord(text, text, text, text, text, (text, text), text),
            tags=(text,),
            explanation="",
        )
        for at, text in enumerate(TEXTS.values())
    ]
    assert anki.take_clips(*clips) == Imported(new=len(clips))
    for text, (question, answer) in zip(TEXTS.values(), anki.sides(), strict=True):
        shown = " ".join(clean(text).split())
        assert as_shown(question).replace(" ", "") == shown.replace(" ", "")
        assert as_shown(answer).count(shown) >= 4
        assert not set(FORBIDDEN) & set(question + answer)
        for side in (question, answer):
            assert not re.findall(r"<(?!/?(?:div|b|br|hr|span)\b)", side)
    check_quiet(anki, len(clips))
    assert list(anki.col.get_empty_cards().notes) == []
    assert anki.col.fix_integrity()[1]


def test_no_explanation_brings_its_own_html(anki: Anki) -> None:
    clips = [clip(at, explanation=text) for at, text in enumerate(TEXTS.values())]
    assert anki.take_clips(*clips) == Imported(new=len(clips))
    for _, answer in anki.sides():
        tags = set(re.findall(r"</?([a-zA-Z!]\w*)", answer))
        assert tags <= {"div", "b", "hr", "br", "p", "h1", "ul", "li", "strong", "em", "code", "span"}
        assert not set(FORBIDDEN) & set(answer)
    check_quiet(anki, len(clips))


def check_quiet(anki: Anki, count: int) -> None:
    """Each has one card, none of which plays or misses a file."""
    cards = [anki.col.get_card(card) for card in anki.col.find_cards("")]
    assert len(cards) == count
    assert not any([*card.question_av_tags(), *card.answer_av_tags()] for card in cards)
    media = anki.col.media.check()
    assert (list(media.missing), list(media.unused)) == ([], [])
