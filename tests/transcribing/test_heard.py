"""Answers of servers as what was heard: of every kind that is documented, and broken in every way."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hostile import FORBIDDEN, HOSTILE
from tui.transcribing.heard import Heard, HeardWord, Segment, find_repeated, is_loop, read_answer

PIECE = 10_000
"""Milliseconds of the piece that all these answers are about."""
TEXT = "The train leaves at seven. It is late."


def word(text: str, start: float, end: float, name: str = "word") -> dict[str, Any]:
    return {name: text, "start": start, "end": end}


FIRST = [word(text, at, at + 0.4) for at, text in enumerate(["The", "train", "leaves", "at", "seven"])]
SECOND = [word(text, 6 + at / 2, 6.4 + at / 2) for at, text in enumerate(["It", "is", "late"])]
ROWS: list[dict[str, Any]] = [
    {"id": 0, "start": 0.0, "end": 4.5, "text": " The train leaves at seven.", "avg_logprob": -0.2, "tokens": [1, 2]},
    {"id": 1, "start": 6.0, "end": 7.5, "text": " It is late.", "no_speech_prob": 0.01, "compression_ratio": 1.1},
]
WHISPER_1 = {
    "task": "transcribe",
    "language": "english",
    "duration": 9.9,
    "text": TEXT,
    "segments": ROWS,
    "words": FIRST + SECOND,
}
GROQ = {**WHISPER_1, "language": "English", "x_groq": {"id": "req_01"}}
SPEACHES = {
    **WHISPER_1,
    "language": "en",
    "words": [{**each, "word": f" {each['word']}", "probability": 0.9} for each in FIRST + SECOND],
}
WHISPER_CPP = {
    "task": "transcribe",
    "language": "english",
    "text": " The train leaves at seven.\n It is late.\n",
    "segments": [
        {
            **ROWS[0],
            "words": [word(f" {each['word']}", each["start"], each["end"]) for each in FIRST] + [word(".", 4.4, 4.5)],
        },
        {**ROWS[1], "words": [word(f" {each['word']}", each["start"], each["end"]) for each in SECOND]},
    ],
}
VLLM = {
    "text": TEXT,
    "language": "en",
    "duration": "9.9",
    "segments": [
        {**each, "start": str(each["start"]), "end": str(each["end"]), "avg_logprob": -1, "words": None}
        for each in ROWS
    ],
    "words": None,
}
LOCAL_AI = {"task": "transcribe", "text": TEXT, "segments": ROWS, "words": None}
MISTRAL = {
    "model": "voxtral-mini-latest",
    "text": TEXT,
    "language": None,
    "segments": [{"text": each["text"], "start": each["start"], "end": each["end"], "score": None} for each in ROWS],
    "usage": {"prompt_audio_seconds": 10},
}
TEXT_ALONE = {"text": TEXT, "languages": ["en"], "usage": {"type": "duration", "seconds": 10}}


def times(heard: Heard) -> list[tuple[int | None, int | None]]:
    return [(each.start_ms, each.end_ms) for each in heard.segments]


def words(heard: Heard) -> list[list[str]]:
    return [[each.text.strip() for each in segment.words] for segment in heard.segments]


@pytest.mark.parametrize(
    ("answer", "language"), [(WHISPER_1, "english"), (GROQ, "English"), (SPEACHES, "en"), (WHISPER_CPP, "english")]
)
def test_words_stand_in_their_segments_wherever_the_server_puts_them(answer: dict[str, Any], language: str) -> None:
    heard = read_answer(json.loads(json.dumps(answer)), PIECE)
    assert [each.text for each in heard.segments] == ["The train leaves at seven.", "It is late."]
    assert [[each.strip(".") for each in said if each != "."] for said in words(heard)] == [
        ["The", "train", "leaves", "at", "seven"],
        ["It", "is", "late"],
    ]
    assert [each.start_ms for each in heard.segments[1].words] == [6000, 6500, 7000]
    assert (heard.language, heard.has_times, heard.text) == (language, True, TEXT)
    assert [start for start, _ in times(heard)] == [0, 6000]


@pytest.mark.parametrize(("answer", "language"), [(VLLM, "en"), (LOCAL_AI, ""), (MISTRAL, "")])
def test_segments_without_words_keep_their_times(answer: dict[str, Any], language: str) -> None:
    heard = read_answer(answer, PIECE)
    assert heard.text == TEXT
    assert times(heard) == [(0, 4500), (6000, 7500)]
    assert (words(heard), heard.language, heard.has_times) == ([[], []], language, True)


@pytest.mark.parametrize("answer", [TEXT_ALONE, {"text": TEXT}, TEXT, {"text": TEXT, "segments": None, "words": 7}])
def test_a_text_alone_is_a_segment_without_times(answer: Any) -> None:
    heard = read_answer(answer, PIECE)
    assert heard.segments == (Segment(TEXT),)
    assert not heard.has_times


def test_segments_without_a_text_of_the_whole_are_enough() -> None:
    assert read_answer({"segments": ROWS}, PIECE).text == TEXT


@pytest.mark.parametrize(
    "answer", [{"text": ""}, {"text": " \n"}, "", {"segments": []}, {"text": None, "segments": []}]
)
def test_silence_is_an_answer(answer: Any) -> None:
    heard = read_answer(answer, PIECE)
    assert (heard.segments, heard.text, heard.has_times) == ((), "", True)


@pytest.mark.parametrize(
    "answer",
    [
        *(None, 7, 1.5, True, [], [TEXT], {}, {"text": None}, {"text": 7}, {"text": [TEXT]}, {"segments": {}}),
        *({"error": {"message": "no"}}, {"segments": TEXT}, {"choices": []}, {"text": {"text": TEXT}}),
    ],
)
def test_what_is_no_transcription_is_refused(answer: Any) -> None:
    with pytest.raises(ValueError, match="no transcription"):
        read_answer(answer, PIECE)


@pytest.mark.parametrize(
    "time",
    [
        *(float("nan"), float("inf"), -float("inf"), "NaN", "inf", "-Infinity", -30, -1e300, 1e300, 10**400, 3600),
        *("soon", "", None, True, [], {}, [1.0], "1" * 5000, "00:00:01,000"),
    ],
)
@pytest.mark.parametrize("field", ["start", "end"])
def test_a_time_that_cannot_be_believed_is_left_out_and_the_text_is_not(time: Any, field: str) -> None:
    broken = [{**ROWS[0], field: time}, ROWS[1]]
    heard = read_answer({"text": TEXT, "segments": broken, "words": None}, PIECE)
    assert heard.text == TEXT
    assert times(heard) == [(None, None), (6000, 7500)]
    assert not heard.has_times


@pytest.mark.parametrize(("start", "end"), [("0.0", "4.5"), (-0.3, 4.5), (0, 4.5), ("0", " 4.5 ")])
def test_times_that_are_nearly_right_are_taken(start: Any, end: Any) -> None:
    heard = read_answer({"segments": [{**ROWS[0], "start": start, "end": end}]}, PIECE)
    assert times(heard) == [(0, 4500)]


def test_a_segment_that_ends_behind_the_piece_ends_with_it() -> None:
    heard = read_answer({"segments": [{"text": "late", "start": 9.5, "end": 11.5}]}, PIECE)
    assert times(heard) == [(9500, PIECE)]


@pytest.mark.parametrize(("start", "end"), [(4.5, 4.5), (4.5, 1.0)])
def test_a_segment_that_ends_before_it_starts_has_no_times(start: float, end: float) -> None:
    assert times(read_answer({"segments": [{**ROWS[0], "start": start, "end": end}]}, PIECE)) == [(None, None)]


def test_segments_that_overlap_begin_where_the_one_before_ends() -> None:
    rows = [{"text": "one", "start": 0, "end": 3}, {"text": "two", "start": 2.6, "end": 5}]
    assert times(read_answer({"segments": rows}, PIECE)) == [(0, 3000), (3000, 5000)]


def test_a_segment_that_goes_back_in_time_has_no_times() -> None:
    rows = [
        {"text": "one", "start": 4, "end": 6},
        {"text": "two", "start": 1, "end": 2},
        {"text": "three", "start": 7, "end": 8},
    ]
    assert times(read_answer({"segments": rows}, PIECE)) == [(4000, 6000), (None, None), (7000, 8000)]


def test_segments_beyond_the_end_do_not_leave_the_piece() -> None:
    rows = [{"text": f"word {number}", "start": 9.6, "end": 10} for number in range(50)]
    heard = read_answer({"segments": rows}, PIECE)
    assert len(heard.segments) == 50
    assert times(heard) == [(9600, 10_000), *[(None, None)] * 49]


@pytest.mark.parametrize(
    "others",
    [
        FIRST,  # the second segment's are missing
        [word("Another", 0, 1), word("text", 1, 2)],
        [{**each, "word": each["word"][::-1]} for each in FIRST + SECOND],
        [],
        [word("The", 0, 1), 7, None, {"word": None}, {"word": ["train"]}, {}],
        [{**each, "start": None} for each in FIRST + SECOND],
    ],
)
def test_words_that_are_not_those_of_the_text_are_left_out(others: list[Any]) -> None:
    heard = read_answer({**WHISPER_1, "words": others}, PIECE)
    assert heard.text == TEXT
    assert (words(heard), times(heard)) == ([[], []], [(0, 4500), (6000, 7500)])


def test_words_in_a_segment_that_are_those_of_another_are_left_out() -> None:
    rows = [{**ROWS[0], "words": SECOND}, {**ROWS[1], "words": SECOND}]
    assert words(read_answer({"text": TEXT, "segments": rows}, PIECE)) == [[], ["It", "is", "late"]]


def test_words_far_outside_their_segment_are_left_out() -> None:
    """As of a server that counts each segment's words from its own start."""
    moved = [word(each["word"], each["start"] - 6, each["end"] - 6) for each in SECOND]
    heard = read_answer({"text": TEXT, "segments": [{**ROWS[0], "words": FIRST}, {**ROWS[1], "words": moved}]}, PIECE)
    assert words(heard) == [["The", "train", "leaves", "at", "seven"], []]
    assert times(heard) == [(0, 4500), (6000, 7500)]


def test_words_give_the_times_that_their_segment_lacks() -> None:
    rows = [{"text": each["text"]} for each in ROWS]
    heard = read_answer({"text": TEXT, "segments": rows, "words": FIRST + SECOND}, PIECE)
    assert times(heard) == [(0, 4400), (6000, 7400)]


@pytest.mark.parametrize("shift", [-4.0, 2.0])
def test_words_in_a_list_of_their_own_that_are_said_elsewhere_are_left_out(shift: float) -> None:
    moved = [{**each, "start": each["start"] + shift, "end": each["end"] + shift} for each in SECOND]
    rows = [{"text": ROWS[0]["text"]}, ROWS[1]]
    heard = read_answer({"text": TEXT, "segments": rows, "words": FIRST + moved}, PIECE)
    assert (words(heard), times(heard)) == ([[], []], [(None, None), (6000, 7500)])


def test_words_that_all_lie_at_the_beginning_do_not_bring_their_segments_there() -> None:
    zeros = [{**each, "start": 0, "end": 0} for each in FIRST + SECOND]
    assert times(read_answer({**WHISPER_1, "words": zeros}, PIECE)) == [(0, 4500), (6000, 7500)]


def test_a_word_may_be_called_a_text() -> None:
    named = [word(each["word"], each["start"], each["end"], "text") for each in FIRST + SECOND]
    assert words(read_answer({**WHISPER_1, "words": named}, PIECE))[1] == ["It", "is", "late"]


def test_words_give_the_times_of_a_text_alone() -> None:
    heard = read_answer({"text": TEXT, "words": FIRST + SECOND}, PIECE)
    assert times(heard) == [(0, 7400)]
    assert [each.text for each in heard.segments[0].words] == TEXT.replace(".", "").split()


def test_words_that_overlap_are_put_in_order() -> None:
    rows = [{"text": "one two", "start": 0, "end": 2, "words": [word("one", 0, 1.2), word(" two", 1.0, 0.9)]}]
    (segment,) = read_answer({"segments": rows}, PIECE).segments
    assert segment.words == (HeardWord("one", 0, 1200), HeardWord(" two", 1200, 1200))


def test_a_text_of_which_the_segments_have_little_is_worth_more_than_they() -> None:
    heard = read_answer({"text": TEXT, "segments": [{"text": "The", "start": 0, "end": 1}]}, PIECE)
    assert heard.segments == (Segment(TEXT),)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_nothing_that_moves_a_terminal_is_heard(text: str) -> None:
    answer = {
        "text": text,
        "language": text,
        "segments": [{"text": text, "start": 0, "end": 2, "words": [word(text, 0, 1)]}],
        "words": [word(text, 0, 1)],
    }
    heard = read_answer(answer, PIECE)
    said = [heard.text, heard.language, *(each.text for segment in heard.segments for each in segment.words)]
    assert not set("".join(said)) & set(FORBIDDEN)
    assert all("\n" not in each.text for each in heard.segments)


def test_half_a_character_can_be_written_to_a_file() -> None:
    heard = read_answer(json.loads('{"text": "caf\\ud83d", "language": "\\ud83d"}'), PIECE)
    assert heard.text.encode() == "caf\N{REPLACEMENT CHARACTER}".encode()
    assert heard.language.encode()


def test_a_word_of_control_characters_alone_is_none() -> None:
    rows = [
        {"text": "one two", "start": 0, "end": 2, "words": [word("one", 0, 1), word("\x1b", 1, 1), word("two", 1, 2)]}
    ]
    assert words(read_answer({"segments": rows}, PIECE)) == [["one", "two"]]


@pytest.mark.parametrize("language", [7, None, [], {}, ["de"], "x" * 100_000])
def test_a_language_that_is_none_is_not_said(language: Any) -> None:
    assert len(read_answer({"text": TEXT, "language": language}, PIECE).language) < 100


@pytest.mark.parametrize(
    ("languages", "found"), [(["de", "en"], "de"), ([], ""), ("de", ""), ([7, "de"], "de"), (None, "")]
)
def test_the_first_of_several_languages_is_meant(languages: Any, found: str) -> None:
    assert read_answer({"text": TEXT, "languages": languages}, PIECE).language == found


def test_an_answer_as_large_as_a_server_may_send_is_read() -> None:
    """Thirty megabytes; what takes time in the square of that would not come to an end."""
    row = {"text": "a " * 250, "start": 1, "end": 2, "words": [word("a", 1, 1.5)] * 20}
    heard = read_answer(
        {"text": "a " * 8_000_000, "segments": [row] * 20_000, "words": [word("a", 1, 1.5)] * 200_000}, PIECE
    )
    assert 0 < len(heard.text) <= 200_000
    heard = read_answer({"text": "x" * 16_000_000, "words": [word("x", 1, 1)] * 400_000}, PIECE)
    assert len(heard.text) == 100_000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
TIMES = st.one_of(
    st.floats(-1, 12),
    st.integers(-2, 12),
    st.sampled_from(["1.5", "9", "", float("nan"), float("inf"), None, True, 1e300]),
)
SPOKEN = st.text("ab .\x1b\u0301é食べ[½ß\ud83d", max_size=8)
WORDS = st.lists(
    st.fixed_dictionaries({}, optional={"word": SPOKEN, "text": SPOKEN, "start": TIMES, "end": TIMES}) | JSON,
    max_size=6,
)


@st.composite
def segments(draw: st.DrawFn) -> dict[str, Any]:
    """A segment whose words are often those of its text."""
    said = draw(st.lists(SPOKEN, max_size=5))
    row: dict[str, Any] = {"text": draw(st.just(" ".join(said)) | SPOKEN), "start": draw(TIMES), "end": draw(TIMES)}
    own = [{"word": each, "start": draw(TIMES), "end": draw(TIMES)} for each in said]
    return {**row, "words": draw(st.just(own) | WORDS | JSON)}


ANSWERS = JSON | st.fixed_dictionaries(
    {},
    optional={"text": SPOKEN | JSON, "segments": st.lists(segments() | JSON, max_size=6) | JSON, "words": WORDS | JSON},
)


@st.composite
def answers(draw: st.DrawFn) -> Any:
    """An answer, whose words are often the segments' own, in a list of their own."""
    answer: Any = draw(ANSWERS)
    if isinstance(answer, dict) and draw(st.booleans()) and isinstance(answer.get("segments"), list):
        rows = [each for each in answer["segments"] if isinstance(each, dict)]
        own = [each for row in rows if isinstance(row.get("words"), list) for each in row["words"]]
        answer = {**answer, "words": own, "segments": [{**row, "words": None} for row in rows]}
    return answer


@given(answers())
@settings(max_examples=400)
def test_any_json_is_refused_or_heard_in_the_order_of_time_and_within_the_piece(answer: Any) -> None:
    try:
        heard = read_answer(answer, PIECE)
    except ValueError:
        return
    assert all(each.text and each.text == each.text.strip() for each in heard.segments)
    assert not set(heard.text) & set(FORBIDDEN)
    moments = [
        moment
        for each in heard.segments
        if each.start_ms is not None and each.end_ms is not None
        for moment in (each.start_ms, each.end_ms)
    ]
    said = [moment for each in heard.segments for spoken in each.words for moment in (spoken.start_ms, spoken.end_ms)]
    for found in (moments, said):
        assert all(one <= other for one, other in pairwise([0, *found, PIECE])), found
    assert all(one < other for one, other in zip(moments[::2], moments[1::2], strict=True))
    assert all((each.start_ms is None) == (each.end_ms is None) for each in heard.segments)
    assert all(spoken.text.strip() for each in heard.segments for spoken in each.words)


@pytest.mark.parametrize("text", ["Thank you. " * 30, "ご視聴ありがとうございました" * 12, "la" * 60])
def test_a_text_that_says_the_same_again_and_again_is_a_loop(text: str) -> None:
    assert is_loop(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "No, no, no!", "Thank you. Thank you.", TEXT, "a" * 40),
        "We shall fight on the beaches, we shall fight on the landing grounds, we shall fight in the fields.",
    ],
)
def test_what_somebody_may_have_said_is_no_loop(text: str) -> None:
    assert not is_loop(text)


def test_a_line_that_comes_too_often_is_found_but_for_the_first() -> None:
    lines = ["Well.", *["Thank you.", "thank you", "Thank you!", "Thank you.", "THANK YOU"], "Bye."]
    assert find_repeated(lines) == {2, 3, 4, 5}
    assert find_repeated(["la"] * 4) == {1, 2, 3}


@pytest.mark.parametrize("lines", [[], ["a"], ["la"] * 3, ["a", "b"] * 10, ["…"] * 10, [""] * 10])
def test_refrains_and_lines_without_letters_are_not_found(lines: list[str]) -> None:
    assert find_repeated(lines) == set()
