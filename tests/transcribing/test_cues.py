"""Cues of what was heard: of a length that can be read, at the times at which it is said, and with every letter."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.hostile import HOSTILE
from tui.records.media import Span
from tui.records.transcripts import Cue
from tui.text.sanitize import without_controls
from tui.transcribing.cues import MAX_LINE, MAX_LINES, MAX_MS, break_line, count_doubts, make_cues
from tui.transcribing.heard import Heard, HeardWord, Segment, read_answer

PIECE = Span(60_000, 120_000)
"""A minute of a recording, whose times are those of the recording from its second minute on."""
LONG = (
    "When the last train of the evening had left the station without us, we stood on the empty platform for a while, "
    "and neither of us knew what to say about the tickets that were still in my pocket"
)
JAPANESE = "昨日の夜は友達と一緒に駅の近くの新しい店でご飯を食べてからうちまで歩いて帰りました"


def timed(text: str, start_ms: int, end_ms: int) -> Segment:
    """A segment whose words are as long as each other."""
    said = text.split(" ")
    step = (end_ms - start_ms) / len(said)
    words = (
        HeardWord(f" {each}", round(start_ms + at * step), round(start_ms + (at + 1) * step))
        for at, each in enumerate(said)
    )
    return Segment(text, start_ms, end_ms, tuple(words))


def spoken(*segments: Segment, speech: list[Span] | None = None, language: str | None = "en") -> list[Cue]:
    return make_cues(Heard(segments), PIECE, speech, language)


def texts(cues: list[Cue]) -> list[str]:
    return [each.text for each in cues]


def starts(cues: list[Cue]) -> list[int | None]:
    return [each.start_ms for each in cues]


def said_by(cue: Cue) -> list[str]:
    return [cue.text[each.start : each.end] for each in cue.words]


def test_each_sentence_is_a_cue_also_where_segments_are_cut_elsewhere() -> None:
    cues = spoken(timed("Good morning. How", 0, 3000), timed("are you? I am Mr. Brown.", 3000, 9000))
    assert texts(cues) == ["Good morning.", "How are you?", "I am Mr. Brown."]
    assert starts(cues) == [60_000, 62_000, 65_000]
    assert [each.index for each in cues] == [0, 1, 2]


def test_words_point_at_themselves_in_the_text_of_their_cue() -> None:
    cues = spoken(timed(f"Oh, no! {LONG}.", 0, 20_000))
    assert len(cues) > 2
    assert any("\n" in text for text in texts(cues))
    for cue in cues:
        assert said_by(cue) == cue.text.split()
    assert [each.start_ms for cue in cues for each in cue.words] == [
        60_000 + each.start_ms for each in timed(f"Oh, no! {LONG}.", 0, 20_000).words
    ]


def test_a_word_that_comes_twice_is_found_at_both_places() -> None:
    (cue,) = spoken(timed("that that is is", 0, 4000))
    assert [(each.start, each.start_ms) for each in cue.words] == [(0, 60_000), (5, 61_000), (10, 62_000), (13, 63_000)]


def test_a_long_sentence_is_cut_where_it_can_be_read_on_two_lines() -> None:
    for cue in (cues := spoken(timed(LONG, 0, 24_000))):
        lines = cue.text.split("\n")
        assert len(lines) <= MAX_LINES
        assert all(cell_len(line) <= MAX_LINE for line in lines), cue.text
        assert not any(line != line.strip() for line in lines)
    assert " ".join(texts(cues)).replace("\n", " ") == LONG


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "Every morning she got up early at four, and rode her bicycle through the street.",
            ["Every morning she got up early at four,", "and rode her bicycle through the street."],
        ),
        (
            "Every morning she gets up at four and rode her bicycle through the open streets.",
            ["Every morning she gets up at four and", "rode her bicycle through the open streets."],
        ),
    ],
)
def test_two_lines_are_filled_where_both_have_room(text: str, lines: list[str]) -> None:
    (cue,) = spoken(Segment(text, 0, 6000))
    assert cue.text.split("\n") == lines


def test_a_sentence_whose_words_do_not_fit_on_two_lines_is_cut() -> None:
    """Though both lines together have room for all its letters."""
    text = "Every morning she gets up at four and rides her bicycle through the empty streets."
    assert cell_len(text) <= MAX_LINES * MAX_LINE
    cues = spoken(Segment(text, 0, 6000))
    assert len(cues) == 2
    assert all(cell_len(line) <= MAX_LINE for each in cues for line in each.text.split("\n"))


def test_a_sentence_is_rather_cut_behind_a_comma() -> None:
    cues = spoken(Segment(LONG, 0, 24_000))
    assert any(text.endswith((",", "us,")) for text in texts(cues))


def test_a_sentence_that_lasts_longer_than_a_cue_may_is_cut() -> None:
    cues = spoken(timed("one two three four five six seven eight nine ten", 0, 20_000))
    assert len(cues) > 2
    assert all((each.end_ms or 0) - (each.start_ms or 0) <= MAX_MS for each in cues)


def test_a_word_that_lasts_longer_than_a_cue_may_stays_whole() -> None:
    assert texts(spoken(timed("Oooooh", 0, 20_000))) == ["Oooooh"]


def test_japanese_has_one_line_of_as_many_cells() -> None:
    cues = spoken(
        Segment("今日は、とても天気がいいですね、だから散歩に行きましょう。そうですね。", 0, 9000), language="ja"
    )
    assert texts(cues)[-1] == "そうですね。"
    assert len(cues) == 3
    assert all(cell_len(text) <= MAX_LINE and "\n" not in text for text in texts(cues))


@pytest.mark.parametrize("times", [True, False])
def test_japanese_without_any_sign_is_cut_between_what_the_model_heard(times: bool) -> None:
    """Whisper often writes none: the recording must not become one line."""
    parts = (JAPANESE[:15], JAPANESE[15:28], JAPANESE[28:])
    segments = [Segment(part, at * 3000, at * 3000 + 3000) if times else Segment(part) for at, part in enumerate(parts)]
    cues = spoken(*segments, speech=[Span(60_000, 69_000)], language="ja")
    assert "".join(texts(cues)) == JAPANESE
    assert texts(cues)[0] == parts[0]
    assert all(cell_len(text) <= MAX_LINE for text in texts(cues))


@pytest.mark.parametrize("text", [JAPANESE * 5, "ผมไปโรงเรียนทุกวันแต่วันนี้ไม่สบายเลยต้องอยู่บ้าน" * 3, "か\u3099" * 60])
def test_a_script_without_spaces_is_cut_somewhere_but_not_in_a_character(text: str) -> None:
    cues = spoken(Segment(text, 0, 50_000), language=None)
    assert "".join(texts(cues)) == text
    assert all(cell_len(each) <= MAX_LINE and not each.startswith(tuple("\u3099ัิีึืุู่้๊๋์、。ー")) for each in texts(cues))


def test_a_sign_that_is_a_word_of_its_own_does_not_take_the_place_of_the_next_words() -> None:
    """As of a server whose words stand beside the segments: a stop there would be found at the end of the next."""
    said = ["I", " know", ".", " You", " see", "."]
    words = [{"word": each, "start": at, "end": at + 1} for at, each in enumerate(said)]
    rows = [{"text": "I know.", "start": 0, "end": 3}, {"text": "You see.", "start": 3, "end": 6}]
    cues = make_cues(read_answer({"segments": rows, "words": words}, 60_000), PIECE, None, "en")
    assert [said_by(each)[:2] for each in cues] == [["I", "know"], ["You", "see"]]
    assert cues[1].words[0].start_ms == 63_000


def test_words_of_japanese_point_at_themselves() -> None:
    parts = ["昨日", "は", "雨", "でした", "。"]
    words = [{"word": each, "start": at, "end": at + 1} for at, each in enumerate(parts)]
    (cue,) = make_cues(read_answer({"text": "".join(parts), "words": words}, 60_000), PIECE, None, "ja")
    assert said_by(cue) == parts
    assert cue.words[-1].end_ms == 65_000


def test_a_pause_in_a_sentence_begins_another_cue() -> None:
    words = (HeardWord("I", 0, 300), HeardWord(" think", 300, 900), HeardWord(" not", 2600, 3000))
    cues = spoken(Segment("I think not", 0, 3000, words))
    assert texts(cues) == ["I think", "not"]
    assert starts(cues) == [60_000, 62_600]


def test_a_shorter_pause_does_not() -> None:
    words = (HeardWord("I", 0, 300), HeardWord(" think", 300, 900), HeardWord(" not", 2300, 3000))
    assert texts(spoken(Segment("I think not", 0, 3000, words))) == ["I think not"]


def test_segments_without_words_give_their_times_to_their_sentences() -> None:
    cues = spoken(Segment("Yes. No.", 1000, 5000), Segment("Perhaps.", 8000, 9000))
    assert starts(cues) == [61_000, 63_500, 68_000]


def test_a_text_alone_is_spread_over_the_speech_and_not_over_the_silence() -> None:
    speech = [Span(62_000, 64_000), Span(100_000, 102_000)]
    cues = spoken(Segment("aaaa aaaa. bbbb bbbb."), speech=speech)
    assert texts(cues) == ["aaaa aaaa.", "bbbb bbbb."]
    assert starts(cues) == [62_000, 100_000]
    assert (cues[0].end_ms or 0) <= 64_700
    assert count_doubts(cues) == 0


def test_a_text_alone_is_rather_parted_at_a_stop_than_where_its_letters_would_be() -> None:
    speech = [Span(62_000, 64_000), Span(100_000, 103_000)]
    cues = spoken(Segment("Aaaa aaaa aa. Bbbb bbbb bb."), speech=speech)
    assert texts(cues) == ["Aaaa aaaa aa.", "Bbbb bbbb bb."]
    assert starts(cues) == [62_000, 100_000]


def test_a_text_alone_is_spread_over_the_piece_where_nobody_has_looked() -> None:
    assert starts(spoken(Segment("Aaaaa. Bbbb."))) == [60_000, 95_000]


def test_a_segment_without_times_stands_between_its_neighbours() -> None:
    """One time that cannot be believed must not move what comes behind it."""
    speech = [Span(60_000, 66_000), Span(110_000, 120_000)]
    segments = (
        Segment("One.", 0, 2000),
        Segment("Two.", None, None),
        Segment("Three.", 4000, 6000),
        Segment("Four.", 50_000, 52_000),
    )
    cues = spoken(*segments, speech=speech)
    assert texts(cues) == ["One.", "Two.", "Three.", "Four."]
    assert starts(cues) == [60_000, 62_000, 64_000, 110_000]


def test_segments_without_times_at_both_ends_keep_out_of_the_way_of_the_others() -> None:
    segments = Segment("One."), Segment("Two.", 10_000, 12_000), Segment("Three."), Segment("Four.")
    cues = spoken(*segments)
    one, two, three, four = (each or 0 for each in starts(cues))
    assert 60_000 <= one < two == 70_000 < 72_000 <= three < four < 120_000


def test_a_cue_that_begins_in_a_silence_begins_with_the_speech() -> None:
    words = (HeardWord("Hello", 0, 3000), HeardWord(" there.", 3000, 3600))
    (cue,) = spoken(Segment("Hello there.", 0, 3600, words), speech=[Span(62_200, 63_700)])
    assert cue.start_ms == 62_200
    assert [(each.start_ms, each.end_ms) for each in cue.words] == [(62_200, 63_000), (63_000, 63_600)]


def test_a_cue_that_begins_a_little_late_begins_with_the_speech() -> None:
    """What is cut out of the recording for it would lack its first sound."""
    speech = [Span(60_000, 60_600), Span(61_000, 63_000)]
    cues = spoken(timed("Oh.", 0, 600), timed("Hello there.", 1380, 3000), speech=speech)
    assert starts(cues) == [60_000, 61_000]
    assert [each.start_ms for each in cues[1].words] == [61_000, 62_190]


def test_a_cue_that_begins_within_speech_keeps_its_start() -> None:
    assert starts(spoken(timed("Hello there.", 1000, 3000), speech=[Span(60_500, 63_000)])) == [61_000]
    cues = spoken(timed("Oh yes.", 600, 1100), timed("Hello there.", 1200, 3000), speech=[Span(61_000, 63_000)])
    assert starts(cues) == [60_600 + 400, 61_200]  # somebody is still speaking


def test_a_cue_stays_a_moment_where_there_is_room_and_no_longer() -> None:
    cues = spoken(timed("Yes.", 0, 200), timed("No.", 400, 1500), timed("Oh.", 59_900, 60_000))
    assert [(each.start_ms, each.end_ms) for each in cues] == [(60_000, 60_400), (60_400, 61_800), (119_900, 120_000)]


def test_a_cue_in_which_nobody_speaks_is_doubted() -> None:
    speech = [Span(61_000, 62_000)]
    cues = spoken(timed("Hello.", 1000, 2000), timed("Thank you for watching.", 10_000, 14_000), speech=speech)
    assert [each.doubt for each in cues] == [None, "silence"]
    assert count_doubts(cues) == 1


def test_no_cue_is_doubted_for_silence_where_nobody_has_looked() -> None:
    assert spoken(timed("Thank you for watching.", 10_000, 14_000))[0].doubt is None


def test_a_cue_that_comes_again_and_again_is_doubted_but_for_the_first() -> None:
    cues = spoken(*(timed("Thank you.", at * 1000, at * 1000 + 900) for at in range(6)), timed("Bye.", 7000, 8000))
    assert [each.doubt for each in cues] == [None, *["loop"] * 5, None]


def test_a_cue_that_repeats_itself_is_doubted() -> None:
    assert spoken(Segment("la " * 27 + "la", 0, 5000))[0].doubt == "loop"


@pytest.mark.parametrize("heard", [Heard(), Heard((), "en")])
def test_nothing_heard_is_no_cue(heard: Heard) -> None:
    assert make_cues(heard, PIECE, None, "en") == []
    assert make_cues(heard, PIECE, [], None) == []


def test_a_word_without_a_letter_does_no_harm() -> None:
    """As a model on this machine gives it, whose words nobody has read before."""
    words = (
        HeardWord("Well", 0, 500),
        HeardWord(" ", 500, 600),
        HeardWord("", 600, 700),
        HeardWord(" then.", 2900, 3500),
    )
    cues = spoken(Segment("Well then.", 0, 3500, words))
    assert texts(cues) == ["Well", "then."]
    assert [said_by(each) for each in cues] == [["Well"], ["then."]]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_lose_nothing_but_what_moves_a_terminal(text: str) -> None:
    heard = Heard((Segment(" ".join(without_controls(text).split())),))
    assert letters("".join(texts(make_cues(heard, PIECE, None, None)))) == letters(heard.text)


@pytest.mark.exhaustive
def test_a_text_as_long_as_a_server_may_send_is_cut() -> None:
    """Without a stop, and without a space: what takes time in the square of its length would not come to an end."""
    for text in ("a " * 50_000, "食" * 100_000, "a" * 100_000, "a, " * 30_000, "Oh. " * 25_000):
        heard = read_answer({"text": text}, 600_000)
        assert heard.text
        assert letters("".join(texts(make_cues(heard, Span(0, 600_000), None, None)))) == letters(heard.text)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("short", ["short"]),
        ("a" * 60, ["a" * 60]),
        (f"{'a' * 30} {'b' * 30}", ["a" * 30, "b" * 30]),
        (
            "I have seen it with my own eyes, but nobody will ever believe me",
            ["I have seen it with my own eyes,", "but nobody will ever believe me"],
        ),
        (f"{'食' * 12} {'食' * 12}", ["食" * 12, "食" * 12]),
    ],
)
def test_a_text_of_more_than_a_line_is_broken_in_its_middle(text: str, lines: list[str]) -> None:
    assert break_line(text).split("\n") == lines


def letters(text: str) -> str:
    return "".join(text.split())


WORD = st.text("abcdeé.,!?-食べるか。、ก่é👍", min_size=1, max_size=9)


@st.composite
def heard_things(draw: st.DrawFn) -> Heard:
    """Segments in order, with words, times alone or none; some words are not those of the text."""
    found, at = [], 0
    for said in draw(st.lists(st.lists(WORD, min_size=1, max_size=25), max_size=6)):
        lengths = draw(st.lists(st.integers(0, 1500), min_size=len(said), max_size=len(said)))
        words, begin = [], at + draw(st.integers(0, 4000))
        at = begin
        for each, length in zip(said, lengths, strict=True):
            at += draw(st.sampled_from([0, 0, 0, 200, 1600]))
            words.append(HeardWord(draw(st.sampled_from([f" {each}", each, ""])), at, at + length))
            at += length
        at = max(at, begin + 1)
        kind = draw(st.sampled_from(["words", "words", "times", "text"]))
        text = " ".join(said)
        whole = Segment(text, begin, at, tuple(words) if kind == "words" else ())
        found.append(Segment(text) if kind == "text" else whole)
    return Heard(tuple(found))


SPEECH = st.none() | st.lists(st.tuples(st.integers(0, 58_000), st.integers(1, 2000)), max_size=8).map(
    lambda drawn: [Span(60_000 + start, 60_000 + start + length) for start, length in sorted(drawn)]
)


@given(heard_things(), SPEECH, st.sampled_from([None, "en", "ja", "th"]))
@settings(max_examples=300)
def test_cues_have_every_letter_in_the_order_of_time(
    heard: Heard, speech: list[Span] | None, language: str | None
) -> None:
    cues = make_cues(heard, PIECE, speech, language)
    assert letters("".join(texts(cues))) == letters(heard.text)
    assert [each.index for each in cues] == list(range(len(cues)))
    for cue in cues:
        assert cue.text.strip() == cue.text != ""
        assert cue.start_ms is not None and cue.end_ms is not None and PIECE.start_ms <= cue.start_ms < cue.end_ms
        assert all(0 <= each.start < each.end <= len(cue.text) for each in cue.words)
        assert all(one.end <= other.start for one, other in pairwise(cue.words))
        moments = [moment for each in cue.words for moment in (each.start_ms, each.end_ms)]
        assert all(one <= other for one, other in pairwise(moments))
    assert all((one.start_ms or 0) <= (other.start_ms or 0) for one, other in pairwise(cues))
