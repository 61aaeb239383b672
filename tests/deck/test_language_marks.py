"""Language and direction of texts on a card."""

from __future__ import annotations

import pytest

from tests.deck.clips import bare
from tests.deck.conftest import Anki
from tui.deck.markup import mark_language, mark_words_of
from tui.records.clips import FocusWord


@pytest.mark.parametrize(
    ("language", "html", "marked"),
    [
        ("zh-Hans", "直接", '<span lang="zh-Hans" dir="ltr">直接</span>'),
        ("ger", "ab", '<span lang="de" dir="ltr">ab</span>'),
        ("he", "שלום!", '<span lang="he" dir="rtl">שלום!</span>'),
        ("he", "Tel Aviv.", '<span lang="he" dir="ltr">Tel Aviv.</span>'),
        ("de", "שלום heißt Friede", '<span lang="de" dir="ltr">שלום heißt Friede</span>'),
        ("sr-Latn", "ab", '<span lang="sr-Latn" dir="ltr">ab</span>'),
        ("dv", "ދ", '<span lang="dv" dir="auto">ދ</span>'),
        (None, "直接", "直接"),
        ('x"><script>', "ab", "ab"),
        ("de", "", ""),
    ],
)
def test_a_text_has_the_language_of_its_clip(language: str | None, html: str, marked: str) -> None:
    assert mark_language(html, language) == marked


@pytest.mark.parametrize(
    ("language", "html", "marked"),
    [
        ("he", "<p>שלום means peace.</p>", '<p><span lang="he" dir="rtl">שלום</span> means peace.</p>'),
        ("he", "it comes from שלום עליכם, it", 'it comes from <span lang="he" dir="rtl">שלום עליכם</span>, it'),
        ("he", "<p>שלום רב לך</p>", "<p>שלום רב לך</p>"),
        ("ja", "takes を", 'takes <span lang="ja" dir="ltr">を</span>'),
        ("ja", "直す 是及物动词", "直す 是及物动词"),
        ("de", "the prefix ab", "the prefix ab"),
        ("zh", 'see <a href="https://x.org/直">this one: 直</a>', None),
        (None, "שלום means peace", "שלום means peace"),
    ],
)
def test_words_of_it_are_marked_in_texts_about_it(language: str | None, html: str, marked: str | None) -> None:
    expected = marked or 'see <a href="https://x.org/直">this one: <span lang="zh" dir="ltr">直</span></a>'
    assert mark_words_of(html, language) == expected


def test_anki_shows_the_marks_on_every_text_of_the_language(anki: Anki) -> None:
    focus = FocusWord("直接", lemma="直接", reading="zhíjiē", meanings=("directly",), language="zh-Hans")
    anki.take_clips(bare(1, "他直接走。", focus=focus, context="他直接走。", explanation="**直接** is an adverb."))
    ((question, answer),) = anki.sides()
    assert '<span lang="zh-Hans" dir="ltr">他<b>直接</b>走。</span>' in question
    assert '<strong><span lang="zh-Hans" dir="ltr">直接</span></strong> is an adverb.' in answer
    assert answer.count('lang="zh-Hans"') == 5
