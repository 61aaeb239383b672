"""Texts that would act in Anki (HTML, sounds, clozes, TeX, control characters) are shown as they are."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from tests.deck.clips import clip, write_clips
from tests.deck.conftest import Anki, Imported
from tests.hostile import FORBIDDEN, HOSTILE
from tui.deck.markup import clean
from tui.records.clips import FocusWord

pytestmark = pytest.mark.exhaustive

TEXTS = HOSTILE | {
    "cloze": "a {{c1::x}} b {{Sentence}} {{{c2::y}}}",
    "script": "<script>alert('x')</script><img src=x onerror=alert(1)>",
    "sound call": "[sound:x.mp3] [SOUND:y.mp3] [anki:play:q:0] [anki:tts lang=de_DE]z[/anki:tts]",
    "tex": "[latex]x[/latex] [$]y[/$] [$$]z[/$$]",
    "mathjax": r"\(x\) \[y\] $$z$$ \\(w\\)",
    "cdata": "]]> <![CDATA[ <!-- --> &lt; &amp;amp;",
    "many brackets": "<" * 3000,
    "control": "nul\x00 esc\x1b[1mbold\x1b[0m us\x1f end",
    "mark": "\u200fשלום\u200f ab",
}


def as_shown(html: str) -> str:
    """Text of the HTML as a reader sees it, white space folded."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", re.sub("</?span[^>]*>", "", html))).split())


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_any_text_comes_out_as_it_went_in(anki: Anki, text: str) -> None:
    focus = FocusWord(text, text, text, text, text, (text, text), text)
    hostile = clip(
        sentence=text, context=text, translation=text, focus=focus, note=text, source=text, tags=(text,), explanation=""
    )
    assert anki.take_clips(hostile) == Imported(new=1)
    ((question, answer),) = anki.sides()
    shown = " ".join(clean(text).split())
    assert as_shown(question).replace(" ", "") == shown.replace(" ", "")
    assert as_shown(answer).count(shown) >= 4
    assert not set(FORBIDDEN) & set(question + answer)
    for side in (question, answer):
        assert not re.findall(r"<(?!/?(?:div|b|br|hr|span)\b)", side)
    (card,) = anki.col.find_cards("")
    assert (anki.col.get_card(card).question_av_tags(), anki.col.get_card(card).answer_av_tags()) == ([], [])
    media = anki.col.media.check()
    assert (list(media.missing), list(media.unused)) == ([], [])
    assert list(anki.col.get_empty_cards().notes) == []
    assert anki.col.fix_integrity()[1]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_no_explanation_brings_its_own_html(anki: Anki, text: str) -> None:
    assert anki.take_clips(clip(explanation=text)) == Imported(new=1)
    ((_, answer),) = anki.sides()
    tags = set(re.findall(r"</?([a-zA-Z!]\w*)", answer))
    assert tags <= {"div", "b", "hr", "br", "p", "h1", "ul", "li", "strong", "em", "code", "span"}
    assert not set(FORBIDDEN) & set(answer)
    (card,) = anki.col.find_cards("")
    assert anki.col.get_card(card).answer_av_tags() == []
    assert list(anki.col.media.check().missing) == []


def test_hostile_texts_of_all_kinds_stand_in_one_deck(anki: Anki, tmp_path: Path) -> None:
    package = tmp_path / "lode.apkg"
    clips = [
        clip(number, sentence=text, focus=FocusWord(text, lemma=text), explanation=text)
        for number, text in enumerate(TEXTS.values())
    ]
    assert write_clips(package, "Lode", clips) == len(clips)
    assert anki.take(package) == Imported(new=len(clips))
    assert anki.col.card_count() == len(clips)
