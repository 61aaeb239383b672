"""Readings stand behind the characters that they read; what the cue says itself goes before a segmenter's."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from rich.cells import cell_len
from rich.style import Style

from tests.hostile import FORBIDDEN, HOSTILE
from tests.widgets.transcript.test_cue_lines import STYLES, WIDTH, drawn
from tui.language.word import Word
from tui.records.transcripts import Cue, Ruby
from tui.widgets.transcript.cue_focus import CueFocus
from tui.widgets.transcript.cue_layout import CueLayout, CueView, lay_out
from tui.widgets.transcript.cue_lines import CueLines

SENTENCE = "昨日お母さんと食べた。"
WORDS = (
    Word("昨日", 0, 2, "昨日", "きのう"),
    Word("お母さん", 2, 6, "お母さん", "おかあさん"),
    Word("と", 6, 7, "と"),
    Word("食べ", 7, 9, "食べる", "たべ"),
    Word("た", 9, 10, "た"),
)


def cue(text: str = SENTENCE, *ruby: Ruby) -> Cue:
    return Cue(0, None, None, text, ruby=ruby)


def story(*ruby: Ruby, words: tuple[Word, ...] = WORDS, width: int = WIDTH) -> CueLines:
    view = CueView({0: cue(SENTENCE, *ruby)}.get, {0: words}.get)
    view.total, view.shows_readings = 1, True
    lines = CueLines(view)
    view.resize(width, 8)
    return lines


def shown(layout: CueLayout) -> list[str]:
    """The lines as they are drawn, readings among them."""
    lines = []
    for line in layout.lines:
        text, at = "", line.start
        for reading in layout.readings_in(line):
            text += f"{layout.text[at : reading.offset]}[{reading.text}]"
            at = reading.offset
        lines.append(text + layout.text[at : line.end])
    return lines


def test_a_reading_stands_behind_its_characters_and_the_kana_are_left_as_they_are() -> None:
    assert drawn(story(), CueFocus(0, 0))[0] == " ▌ 昨日[きのう]お母[かあ]さんと食[た]べた。"


def test_the_readings_of_the_cue_itself_go_before_those_of_the_segmenter() -> None:
    assert drawn(story(Ruby(0, 2, "さくじつ")), CueFocus(0, 0))[0] == " ▌ 昨日[さくじつ]お母[かあ]さんと食[た]べた。"
    unread = tuple(replace(word, reading=None) for word in WORDS)
    assert drawn(story(Ruby(3, 4, "かあ"), words=unread), CueFocus(0, 0))[0] == " ▌ 昨日お母[かあ]さんと食べた。"


def test_a_reading_is_quiet_where_its_word_is_marked() -> None:
    word, reading = Style(reverse=True), Style(dim=True)
    strip = story().strip(0, CueFocus(0, 3), STYLES | {"word": word, "reading": reading}, WIDTH)
    assert [(part.text, part.style) for part in strip if part.style in (word, reading)] == [
        ("[きのう]", reading),
        ("[かあ]", reading),
        ("食", word),
        ("[た]", reading),
        ("べ", word),
    ]


def test_a_click_finds_the_word_whose_reading_it_is() -> None:
    layout = lay_out(cue(), "ja", WIDTH, WORDS, with_readings=True)
    line = "昨日[きのう]お母[かあ]さんと食[た]べた。"
    places = {"昨日": 0, "[き": 0, "のう]": 0, "お母": 1, "[かあ": 1, "さん": 1, "食": 3, "[た": 3}
    assert {text: layout.word_near(0, cell_len(line[: line.index(text)])) for text in places} == places


@pytest.mark.parametrize("width", [8, 12, 20, 30])
def test_a_line_with_readings_is_broken_between_words_and_is_no_wider(width: int) -> None:
    layout = lay_out(cue(SENTENCE * 3), "ja", width, _thrice(), with_readings=True)
    lines = shown(layout)
    assert "".join(lines) == "昨日[きのう]お母[かあ]さんと食[た]べた。" * 3
    if width > cell_len("お母[かあ]さん"):
        assert all(cell_len(line) <= width for line in lines)
        assert all(line.start in {word.start for word in _thrice()} for line in layout.lines)


def _thrice() -> tuple[Word, ...]:
    size = len(SENTENCE)
    return tuple(
        Word(word.text, word.start + size * n, word.end + size * n, word.lemma, word.reading)
        for n in range(3)
        for word in WORDS
    )


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_reading_is_shown_without_its_controls(text: str) -> None:
    words = (Word("昨日", 0, 2, None, text), *WORDS[1:])
    strip = story(Ruby(3, 4, text), words=words).strip(0, CueFocus(0, 0), STYLES, WIDTH)
    assert strip.cell_length == WIDTH
    assert not set(FORBIDDEN) & set(strip.text)


@pytest.mark.parametrize(
    "words", [(Word("昨日", 90, 92, None, "きのう"),), (Word("昨日", -5, 2),), (Word("明日", 0, 2, None, "あした"),)]
)
def test_words_that_do_not_stand_in_the_text_are_not_believed(words: tuple[Word, ...]) -> None:
    layout = lay_out(cue(), "ja", WIDTH, words, with_readings=True)
    assert layout.readings == ()
    assert [left.end <= right.start for left, right in pairwise(layout.words)]
    assert all(word.text == layout.text[word.start : word.end] for word in layout.words)


def test_ruby_of_a_text_that_cannot_be_shown_as_it_is_is_left_out() -> None:
    layout = lay_out(cue("\x1b[1m昨日", Ruby(4, 6, "きのう")), "ja", WIDTH, with_readings=True)
    assert layout.readings == ()
