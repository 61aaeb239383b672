"""The reader's lines: marks stand in the gutter, and shift nothing."""

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import pytest
from rich.cells import cell_len
from rich.style import Style

from tests.hostile import FORBIDDEN, HOSTILE
from tests.text.test_readings import SENTENCE, WORDS, cue
from tui.language.word import Word
from tui.records.transcripts import Cue, Ruby
from tui.widgets.transcript.cue_focus import CueFocus
from tui.widgets.transcript.cue_layout import CueLayout, CueView, lay_out, shown_text
from tui.widgets.transcript.cue_lines import CueHits, CueLines, CueSigns

TEXTS = (
    "Warten Sie schon lange hier?",
    "Das ist der letzte heute,\ndanach kommt nichts mehr.",
    "月曜日のカレー",
    "♪♪♪",
)
KEPT = Style(dim=True)
STYLES = defaultdict(Style, kept=KEPT)
WIDTH, HEIGHT = 50, 8


def story(texts: tuple[str, ...] = TEXTS, *, duration_ms: int | None = 8_000) -> CueLines:
    cues = dict(enumerate(Cue(index, index * 2_000, index * 2_000 + 1_500, text) for index, text in enumerate(texts)))
    view = CueView(cues.get)
    view.total = len(cues)
    lines = CueLines(view, duration_ms)
    view.resize(WIDTH - lines.text_column - 1, HEIGHT)
    return lines


def drawn(lines: CueLines, focus: CueFocus) -> list[str]:
    return [lines.strip(number, focus, STYLES, WIDTH).text.rstrip() for number in range(HEIGHT)]


def test_a_cue_with_clips_has_a_quiet_sign_before_its_first_line() -> None:
    lines = story()
    lines.signs = CueSigns(frozenset({1, 2}))
    assert drawn(lines, CueFocus(0, 0))[:5] == [
        " ▌ 0:00  Warten Sie schon lange hier?",
        "•  0:02  Das ist der letzte heute,",
        "         danach kommt nichts mehr.",
        "•  0:04  月曜日のカレー",
        "   0:06  ♪♪♪",
    ]
    first = next(iter(lines.strip(1, CueFocus(0, 0), STYLES, WIDTH)))
    assert (first.text, first.style) == ("•", KEPT)
    shown = drawn(lines, CueFocus(1, 0, after=1))
    assert [line[:3] for line in shown[1:4]] == ["•▌ ", " ▌ ", "•▏ "], "beside the bars of focus and context"


def test_without_times_the_text_begins_where_it_begins_without_the_sign() -> None:
    lines = story(duration_ms=None)
    bare = drawn(lines, CueFocus(0, 0))
    lines.signs = CueSigns(frozenset({2}))
    shown = drawn(lines, CueFocus(0, 0))
    assert shown[3] == "•  月曜日のカレー"
    assert [line[1:] for line in shown] == [line[1:] for line in bare]


def test_a_step_changes_only_the_lines_of_the_two_cues() -> None:
    lines = story()
    lines.signs = CueSigns(frozenset({0, 1, 2, 3}))
    assert lines.changed(CueFocus(0, 0), CueFocus(2, 0)) == [0, 3]
    assert lines.changed(CueFocus(1, 0), CueFocus(1, 6)) == [1, 2]
    assert lines.changed(CueFocus(1, 0), CueFocus(1, 0)) == []


def test_every_line_has_the_whole_width_with_the_sign_too() -> None:
    for text in HOSTILE.values():
        lines = story((text, text))
        lines.signs = CueSigns(frozenset({0, 1}))
        assert {lines.strip(at, CueFocus(0, 0), STYLES, WIDTH).cell_length for at in range(HEIGHT)} == {WIDTH}, text


# What is underlined is what the search of the library matches.


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("Er fährt ab.", "fahr", ["fähr"]),
        ("Er fa\u0308hrt ab.", "fähr", ["fa\u0308hr"]),
        ("Hin und her.", "er", []),
        ("ER und er", "Er", ["ER", "er"]),
        ("eins zwei", "zwei eins", ["eins", "zwei"]),
        ("彼は駅に着いた", "駅", ["駅"]),
        ("한국 하늘", "하", ["하"]),
        ("a.b", ".", []),
        ("İstanbul", "istanbul", ["İstanbul"]),
        ("Der Zug fährt", "»Zug«", ["Zug"]),
        ("foo_bar", "bar", ["bar"]),
    ],
)
def test_words_are_found_by_their_beginning_and_without_accents(text: str, query: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in CueHits([0], query).spans(text)] == found


def test_any_text_can_be_searched_for_in_any_text() -> None:
    for text in HOSTILE.values():
        assert all(0 <= start < end <= len(text) for start, end in CueHits([0], text).spans(text)), text


def test_without_hits_there_is_no_next_one() -> None:
    assert (CueHits().following(3), CueHits().preceding(3), CueHits([], "x").number(0)) == (None, None, 0)


# Layout: a cue is broken by cells between words.


def broken(text: str, width: int, language: str | None = None, speaker: str | None = None) -> list[str]:
    layout = lay_out(Cue(0, None, None, text, speaker), language, width)
    return [layout.text[line.start : line.end] for line in layout.lines]


def test_no_line_is_wider_than_the_width_and_nothing_is_lost() -> None:
    for name, text in HOSTILE.items():
        for width in (1, 2, 7, 20, 80):
            found = broken(text, width)
            for line in found:
                assert cell_len(line) <= max(width, 2), name  # a wide character cannot be halved
                assert not set(FORBIDDEN) & set(line), name
            assert "".join("".join(found).split()) == "".join(shown_text(Cue(0, None, None, text)).split()), name


def test_lines_break_at_spaces_where_the_text_breaks_itself_and_words_that_are_too_long_hard() -> None:
    assert broken("one two three\nfour", 8) == ["one two", "three", "four"]
    assert broken("a" * 25, 10) == ["a" * 10, "a" * 10, "a" * 5]


def test_japanese_breaks_between_words_and_never_before_a_full_stop() -> None:
    found = broken("彼はもう駅に着いたかな。今日はとても寒いですね。", 14, "ja")
    assert len(found) > 2
    assert not any(line.startswith(("。", "、")) for line in found)
    starts = {word.start for word in lay_out(Cue(0, None, None, "".join(found)), "ja", 14).words}
    assert {len("".join(found[:number])) for number in range(len(found))} <= starts


def test_an_accent_or_a_family_is_never_torn_apart() -> None:
    text = "e\u0301" * 10 + "👩‍👩‍👧‍👦" * 4
    for line in broken(text, 3):
        assert not line.startswith(("\u0301", "\u200d"))


def test_a_speaker_stands_before_the_first_line_only() -> None:
    layout = lay_out(Cue(0, None, None, "one two three", "Anna"), None, 12)
    assert layout.speaker == "Anna: "
    assert [(line.indent, layout.text[line.start : line.end]) for line in layout.lines] == [
        (6, "one"),
        (0, "two three"),
    ]


def test_the_word_under_a_place_is_found_and_beside_words_the_nearest() -> None:
    layout = lay_out(Cue(0, None, None, "Wie, bitte?\n日本 ok"), None, 40)
    named = [word.text for word in layout.words]
    for line, cell, word in ((0, 0, "Wie"), (0, 3, "Wie"), (0, 7, "bitte"), (0, 99, "bitte"), (1, 6, "ok")):
        assert named[layout.word_near(line, cell) or 0] == word
    assert lay_out(Cue(0, None, None, "♪♪"), None, 40).word_near(0, 1) is None


@pytest.mark.parametrize(
    ("text", "language", "width", "shown"),
    [
        ("彼はもう「駅」に着いた。", "ja", 10, ["彼はもう", "「駅」に", "着いた。"]),
        ("เขาไปโรงเรียนทุกวัน", "th", 8, ["เขาไป", "โรงเรียน", "ทุกวัน"]),
    ],
)
def test_brackets_go_with_their_word_and_vowels_too(text: str, language: str, width: int, shown: list[str]) -> None:
    assert broken(text, width, language) == shown


# Readings stand behind the characters that they read.


def read_story(*ruby: Ruby, words: tuple[Word, ...] = WORDS, width: int = WIDTH) -> CueLines:
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
    assert drawn(read_story(), CueFocus(0, 0))[0] == " ▌ 昨日[きのう]お母[かあ]さんと食[た]べた。"


def test_the_readings_of_the_cue_itself_go_before_those_of_the_segmenter() -> None:
    assert (
        drawn(read_story(Ruby(0, 2, "さくじつ")), CueFocus(0, 0))[0] == " ▌ 昨日[さくじつ]お母[かあ]さんと食[た]べた。"
    )
    unread = tuple(replace(word, reading=None) for word in WORDS)
    assert drawn(read_story(Ruby(3, 4, "かあ"), words=unread), CueFocus(0, 0))[0] == " ▌ 昨日お母[かあ]さんと食べた。"


def test_a_reading_is_quiet_where_its_word_is_marked() -> None:
    word, reading = Style(reverse=True), Style(dim=True)
    strip = read_story().strip(0, CueFocus(0, 3), STYLES | {"word": word, "reading": reading}, WIDTH)
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


def test_a_line_with_readings_is_broken_between_words_and_is_no_wider() -> None:
    for width in (8, 12, 20, 30):
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


def test_a_hostile_reading_is_shown_without_its_controls() -> None:
    for name, text in HOSTILE.items():
        words = (Word("昨日", 0, 2, None, text), *WORDS[1:])
        strip = read_story(Ruby(3, 4, text), words=words).strip(0, CueFocus(0, 0), STYLES, WIDTH)
        assert strip.cell_length == WIDTH, name
        assert not set(FORBIDDEN) & set(strip.text), name
    unshown = lay_out(cue("\x1b[1m昨日", Ruby(4, 6, "きのう")), "ja", WIDTH, with_readings=True)
    assert unshown.readings == (), "of a text that cannot be shown as it is"


def test_words_that_do_not_stand_in_the_text_are_not_believed() -> None:
    for word in (Word("昨日", 90, 92, None, "きのう"), Word("昨日", -5, 2), Word("明日", 0, 2, None, "あした")):
        layout = lay_out(cue(), "ja", WIDTH, (word,), with_readings=True)
        assert layout.readings == ()
        assert [left.end <= right.start for left, right in pairwise(layout.words)]
        assert all(word.text == layout.text[word.start : word.end] for word in layout.words)
