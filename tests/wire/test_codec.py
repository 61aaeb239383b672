"""Records and errors are the same on both ends of a wire."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.hostile import HOSTILE
from tui.errors import (
    DeckError,
    ImportRefused,
    InvalidInput,
    LodeError,
    NotFound,
    ProviderError,
    RemoteError,
    StoreError,
    TemplateError,
)
from tui.events import Finished, FocusReady, StateChanged
from tui.records.clips import Clip, FocusWord
from tui.records.jobs import Job
from tui.records.pages import to_json
from tui.wire import codec

CLIP = Clip(
    *("Satz", None, "f", 3, 0, None, "", "", FocusWord("x", meanings=("a", "b")), "", "", ("t",)),
    id="abc",
    created_at="1",
    updated_at="2",
)


def test_a_record_travels_as_an_object_of_its_fields() -> None:
    assert json.loads(codec.encode(CLIP)) == to_json(CLIP)
    assert codec.decode(Clip, codec.encode(CLIP)) == CLIP
    assert codec.decode(tuple[Clip, ...], codec.encode([CLIP, CLIP])) == (CLIP, CLIP)


def test_texts_arrive_as_they_were() -> None:
    for text in HOSTILE.values():
        clip = replace(CLIP, sentence=text)
        assert codec.decode(Clip, codec.encode(clip)) == clip
        assert b"\n" not in codec.encode(clip), "an event is one line"


def test_events_arrive_whole() -> None:
    for event in (
        StateChanged("waiting", "work:m", "in the queue", 1.5),
        FocusReady(FocusWord("x"), 1, 2),
        Finished("complete", "abc", True, "work:m", 1, None, 12, True),
    ):
        assert codec.decode(type(event), codec.encode(event)) == event


KINDS = (
    *(LodeError, InvalidInput, NotFound, StoreError, ImportRefused),
    *(ProviderError, TemplateError, DeckError, RemoteError),
)


def test_an_error_keeps_its_class_code_and_words() -> None:
    for kind in KINDS:
        for code in ("", "some_code"):
            error = kind("what went wrong", hint="what to do", code=code, field=code and "srt_model")
            again = codec.error_from(json.loads(codec.encode(codec.error_fields(error))))
            assert type(again) is kind
            assert (again.code, again.message, again.hint) == (error.code, error.message, error.hint)
            assert again.field == error.field
    placed = codec.error_from(codec.error_fields(TemplateError("bad", line=2, column=7)))
    assert isinstance(placed, TemplateError)
    assert (placed.line, placed.column) == (2, 7)


def test_a_finer_class_of_error_travels_as_the_one_that_is_known_and_one_of_a_newer_server_as_any() -> None:
    class Busy(ProviderError):
        code = "busy"

    again = codec.error_from(codec.error_fields(Busy("all lines are busy")))
    assert type(again) is ProviderError
    assert again.code == "busy"

    again = codec.error_from({"code": "new", "message": "m", "kind": "unheard_of", "more": [1]})
    assert type(again) is LodeError
    assert (again.code, again.message, again.hint) == ("new", "m", "")


def test_what_is_no_error_and_a_state_that_is_none_are_refused() -> None:
    wrong: tuple[object, ...] = (None, 5, [], {}, {"code": "x"}, {"code": 5, "message": "m"}, {"message": "m"})
    for fields in wrong:
        with pytest.raises(ValueError):
            codec.error_from(fields)
    job = Job("a", None, "import", "queued", 0.0, "", None, "x", "1", "2")
    with pytest.raises(ValueError):
        codec.decode(Job, codec.encode(job).replace(b"queued", b"dreaming"))
