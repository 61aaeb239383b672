"""Tables of cues, as CSV and as JSON: their columns under any usual name, their times in any usual unit."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tui.importing.readers import tables
from tui.importing.readers.cue_text import CueTooLong
from tui.importing.readers.trees import read_objects

Span = tuple[int | None, int | None, str, str | None]
HELLO: list[Span] = [(0, 2500, "Hello, you.", None), (2500, 4000, "Yes?", None)]


def read_table(text: str) -> list[Span]:
    return [(cue.start_ms, cue.end_ms, cue.text, cue.speaker) for cue in tables.read_csv_cues(text.split("\n"))]


def test_rows_are_cues_by_their_columns() -> None:
    rows: list[tuple[str, list[Span]]] = [
        ('start,end,text\n0,2.5,"Hello, you."\n2.5,4,Yes?\n', HELLO),
        ("start\tend\ttext\n0\t2500\tHello, you.\n2500\t4000\tYes?", HELLO),
        ('"Start";"End";"Text"\n"0";"2,5";"Hello, you."\n"2,5";"4";"Yes?"', HELLO),
        ("START|STOP|CAPTION\n0|2500|Hello, you.\n2500|4000|Yes?", HELLO),
        ("#,Start time,End time,Subtitle\n1,00:00:00.000,00:00:02.500,\"Hello, you.\"\n2,0:02.5,0:04,Yes?", HELLO),
        (
            "Time\tSubtitle\tTranslation\n0:00\tHello.\tHallo.\n0:02\tYes?",
            [(0, 2000, "Hello.", None), (2000, 7000, "Yes?", None)],
        ),
        ("start (ms),duration (ms),text\n0,2500,\"Hello, you.\"\n2500,1500,Yes?", HELLO),
        ("0.000000\t2.500000\tHello, you.\n2.5\t4.0\tYes?", HELLO),
        ("start,end,speaker,text\n0s,2.5s,Ann,One\n3s,4s,,Two", [(0, 2500, "One", "Ann"), (3000, 4000, "Two", None)]),
        (
            'start,end,text\n0:01,0:02,"He said ""no"",\nand left."\n0:03,0:04,b',
            [(1000, 2000, 'He said "no",\nand left.', None), (3000, 4000, "b", None)],
        ),
        (
            'start\tend\ttext\n0:01\t0:02\t"No," he said\n0:03\t0:04\t"All ""quoted"""',
            [(1000, 2000, '"No," he said', None), (3000, 4000, 'All "quoted"', None)],
        ),
        ("start,end,text\n00:00:01:12,00:00:02:00,frames", [(1480, 2000, "frames", None)]),
        ("text,translation\nHello.,Hallo.\nYes?,Ja?", [(None, None, "Hello.", None), (None, None, "Yes?", None)]),
        ("start,end,text\nsoon,2,lost\n1.5,2,kept two\n\n,,\n7\n", [(1500, 2000, "kept two", None)]),
    ]  # fmt: skip
    for text, spans in rows:
        assert read_table(text) == spans, text


def test_a_table_is_known_by_its_header_and_those_of_other_things_have_no_cues() -> None:
    assert tables.is_csv_cues("start,end,text\n") and tables.is_csv_cues("\nBegin;Ende;Text\n")
    for text in ("Hello, you. And text.\n", "text,translation\n", "start of a text, and its end", ""):
        assert not tables.is_csv_cues(text)
    for text in ("name,price\nTea,2\n", "", ",\n,\n"):
        assert read_table(text) == []


def read(document: Any, *, recognised: bool = True) -> list[Span]:
    text = document if isinstance(document, str) else json.dumps(document, ensure_ascii=False, indent=1)
    assert tables.is_json_cues(text) is recognised
    return [(cue.start_ms, cue.end_ms, cue.text, cue.speaker) for cue in tables.read_json_cues(text.split("\n"))]


WHISPER = {
    "text": " Hello there. How are you?",
    "segments": [
        {"id": 0, "seek": 0, "start": 0.0, "end": 2.48, "text": " Hello there.", "tokens": [1, 2], "temperature": 0.0},
        {"id": 1, "start": 2.48, "end": 4, "text": " How are you?", "words": [{"word": " How", "start": 2.48}]},
    ],
    "language": "en",
}
SAID: list[Span] = [(0, 2480, "Hello there.", None), (2480, 4000, "How are you?", None)]


def test_cues_are_found_under_the_names_that_programs_give_them() -> None:
    rows: list[tuple[Any, list[Span]]] = [
        (WHISPER, SAID),
        ({**WHISPER, "words": [{"text": "Hello", "start": 0, "end": 1}]}, SAID),
        ({"words": [{"text": "Hello", "start": 0.1, "end": 1}], **WHISPER}, SAID),
        ({"transcription": [{"offsets": {"from": 0, "to": 2480}, "text": " Hello there."}]}, SAID[:1]),
        ({"text": "…", "chunks": [{"timestamp": [0.0, 2.48], "text": "Hello there."}]}, SAID[:1]),
        ({"font_size": 0.4, "body": [{"from": 0, "to": 2.48, "location": 2, "content": "Hello there."}]}, SAID[:1]),
        ({"captions": [{"duration": 2480, "content": "Hello there.", "startTime": 0}]}, SAID[:1]),
        (
            {"results": {"utterances": [{"start": 0.0, "end": 2.48, "speaker": 0, "transcript": "Hello there."}]}},
            [(0, 2480, "Hello there.", "0")],
        ),
        ([{"text": "Hello there.", "start": 0.0, "duration": 2.48}], SAID[:1]),
        ([{"Start Time": "00:00:00,000", "End Time": "0:02.48", "Caption": "Hello there."}], SAID[:1]),
        ([{"start": "0s", "end": "2480ms", "sentence": "Hello there."}], SAID[:1]),
        ([{"startMs": "0", "endMs": "2480", "line": "Hello there."}], SAID[:1]),
        ([{"start_seconds": 0, "dur_ms": 2480, "subtitle": "Hello there."}], SAID[:1]),
        ('{"start": 0, "end": 2.48, "text": "Hello there."}\n{"start": 2.48, "end": 4, "text": "How are you?"}', SAID),
        ({"transcript": {"title": "A"}, "cues": [{"start_ms": 0, "end_ms": 2480, "text": "Hello there."}]}, SAID[:1]),
    ]  # fmt: skip
    for document, spans in rows:
        assert read(document) == spans, document


def test_seconds_and_milliseconds_are_told_apart_by_how_fast_people_speak() -> None:
    rows: list[list[tuple[int, int, str]]] = [
        [(0, 3, "All right, let us begin with this."), (5, 9, "It is the second of them."), (70, 72, "Yes.")],
        [(12, 14, "はい"), (15, 18, "そうですね"), (600, 610, "うん")],
        [(0, 90, "Laaa"), (95, 96, "No."), (97, 99, "I said that it is no use.")],
    ]
    for said in rows:
        expected = [(start * 1000, end * 1000, text, None) for start, end, text in said]
        for unit in (1, 1000):
            assert (
                read([{"start": start * unit, "end": end * unit, "text": text} for start, end, text in said])
                == expected
            )
            without_ends = read([{"start": start * unit, "text": text} for start, _, text in said])
            assert [span[0] for span in without_ends] == [span[0] for span in expected]


def test_a_cue_without_an_end_lasts_to_the_next_and_texts_without_times_have_none() -> None:
    timed = [{"start": 1.5, "text": "a b"}, {"start": 2, "text": "c d"}]
    assert read(timed) == [(1500, 2000, "a b", None), (2000, 7000, "c d", None)]
    untimed = {"cues": [{"start_ms": None, "text": "one"}, {"start_ms": None, "text": "two"}]}
    assert read(untimed) == [(None, None, "one", None), (None, None, "two", None)]


def test_times_that_are_none_leave_a_cue_out_or_are_bounded() -> None:
    rows: list[str] = [
        *("NaN", "Infinity", "-1e999", "1e400", "-5", "true", "null", '""', '"soon"', "[1]", "{}"),
        "9" * 5000,
        "9" * 400,
    ]
    for value in rows:
        text = f'[{{"start": 1.5, "end": 2, "text": "first"}}, {{"start": {value}, "text": "x"}}]'
        first, *rest = read(text)
        assert first == (1500, 2000, "first", None), value
        assert all(span[0] is not None and 0 <= span[0] <= 10**15 for span in rest), value


def test_what_is_no_json_with_cues_has_none() -> None:
    rows: list[str] = [
        *("[" * 100_000, '{"a":' * 100_000, '[{"a":' * 90_000, '{"a": [1,', "[]]", '[{"text": "x'),
        *("{1: 2}", "nul", "[,,,]", '["a"]', "", "{}", "\ufeff"),
    ]
    for broken in rows:
        assert list(tables.read_json_cues([broken])) == [], broken


def test_a_quote_that_is_never_closed_is_too_long_a_cue() -> None:
    with pytest.raises(CueTooLong):
        read_table('start,end,text\n0,1,"' + "many words\n" * 20_000)


def test_json_that_breaks_off_is_read_so_far_and_a_line_that_was_cut_anywhere_is_one_again() -> None:
    text = json.dumps(WHISPER)
    assert [cue.text for cue in tables.read_json_cues([text[: text.index("How are you?", 60) - 3]])] == ["Hello there."]
    assert [cue.text for cue in tables.read_json_cues(list(text))] == ["Hello there.", "How are you?"]


def test_objects_come_one_by_one() -> None:
    def lines() -> Any:
        yield '{"segments": ['
        for at in range(40_000):
            taken.append(at)
            yield f'{{"start": {at}, "text": "{"x" * 200}"}},'

    taken: list[int] = []
    found = read_objects(lines())
    next(found)
    assert len(taken) < 2000


def test_readings_and_sounds_that_lode_writes_are_read_back() -> None:
    readings = [{"start": 3, "end": 5, "text": "かんじ"}, {"start": 0, "end": 2, "text": "きょう"}]
    broken = [{"start": 4, "end": 9, "text": "x"}, {"start": 1, "end": 0, "text": "x"}, 7]
    document = {
        "cues": [{"start_ms": 0, "end_ms": 1, "text": "今日、漢字", "ruby": readings + broken, "sounds": ["door", 1]}]
    }
    (cue,) = tables.read_json_cues([json.dumps(document)])
    assert cue.text == "今日、漢字"
    assert [(each.start, each.end, each.text) for each in cue.ruby] == [(0, 2, "きょう"), (3, 5, "かんじ")]
    assert cue.sounds == ("door",)


def test_other_json_is_not_taken_for_cues() -> None:
    read({"name": "lode", "dependencies": {"text": "1"}}, recognised=False)
    read("[00:01.00]Hello", recognised=False)
    read("[Script Info]\nstart: text", recognised=False)


def test_language_and_title_are_those_of_the_document() -> None:
    text = json.dumps({**WHISPER, "title": "A talk"})
    assert (tables.find_json_language(text), tables.find_json_title(json.dumps({"title": "Ein  „Film“"}))) == (
        "en",
        "Ein  „Film“",
    )
    assert tables.find_json_language("{}") is None
