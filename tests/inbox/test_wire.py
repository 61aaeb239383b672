"""Requests and answers, notes, and languages of notes."""

from __future__ import annotations

from typing import Any

import pytest

from tui.errors import InvalidInput, LodeError
from tui.inbox.languages import find_language
from tui.inbox.note_types import number_of
from tui.inbox.notes import read_fields, read_note, read_tags
from tui.inbox.wire import InboxRequest, check_size, read_numbers, read_request, write_answer, write_error


@pytest.mark.parametrize(
    ("version", "answer"),
    [(None, 1), (2, 1), (4, 1), (5, {"result": 1, "error": None}), (6, {"result": 1, "error": None}), ("6", 1)],
)
def test_the_version_decides_the_shape(version: object, answer: object) -> None:
    assert write_answer(read_request({"action": "a", "version": version}), 1) == answer
    assert write_error(LodeError("x", hint="y")) == {"result": None, "error": "x: y"}


def test_params_and_key_may_be_of_any_kind() -> None:
    assert read_request({"action": "a", "params": [], "key": 5}) == InboxRequest("a", {}, 4, "")
    values: tuple[Any, ...] = (None, [], "a", {}, {"action": 1})
    for value in values:
        with pytest.raises(InvalidInput):
            read_request(value)


def test_actions_within_others_are_counted() -> None:
    one: dict[str, Any] = {"action": "version"}
    assert check_size(read_request(one)) == 1
    many = read_request(
        {"action": "multi", "params": {"actions": [one, {"action": "multi", "params": {"actions": [one]}}]}}
    )
    assert check_size(many) == 4


def test_numbers_are_read_of_texts_too() -> None:
    values = [1, "2", "x", -3, True, None, 1.5, "9" * 19, [4]]
    assert read_numbers({"notes": values}, "notes") == [1, 2]
    assert read_numbers({"notes": {}}, "notes") == []


@pytest.mark.parametrize(
    ("tags", "read"),
    [
        ("a b", ("a", "b")),
        (["a", "b c", 5, "a"], ("a", "b", "c")),
        ({}, ()),
        (None, ()),
        ("#a,b\n\x00c", ("a", "b", "c")),
    ],
)
def test_tags_are_a_list_or_a_text(tags: object, read: tuple[str, ...]) -> None:
    assert read_tags(tags) == read


def test_media_are_one_object_or_a_list_of_them() -> None:
    sound = {"data": "SUQz", "filename": "/tmp/a.mp3", "fields": ["Audio", 5], "skipHash": "x"}
    for audio in (sound, [sound], [sound, {}, "x"]):
        (media,) = read_note({"audio": audio}).media
        assert (media.name, media.content, media.fields) == ("a.mp3", b"ID3", ("Audio",))
    with pytest.raises(InvalidInput, match="20"):
        read_note({"picture": [sound] * 21})
    with pytest.raises(InvalidInput, match="data, url or path"):
        read_note({"picture": {"filename": "a.png"}})


def test_fields_that_are_no_texts_become_ones() -> None:
    assert read_fields({"a": None, "b": 5, "c": "<b>"}) == {"a": "", "b": "5", "c": "<b>"}
    assert read_fields([]) == {}


@pytest.mark.parametrize(
    ("deck", "text", "learned", "language"),
    [
        ("Lode::German", "", (), "de"),
        ("Mining::日本語 N3", "", (), "ja"),
        ("Deutsch", "Bonjour à tous, comment allez-vous ?", (), "de"),
        ("Portuguese", "", ("pt-BR",), "pt-BR"),
        ("Mon deck", "これは何ですか。", (), "ja"),
        ("Mining", "Zug", ("de",), "de"),
        ("Mining", "", ("de", "ja"), None),
    ],
)
def test_a_language_is_what_the_deck_says_or_the_text(
    deck: str, text: str, learned: tuple[str, ...], language: str | None
) -> None:
    assert find_language(deck, "", text, learned) == language


def test_numbers_of_names_have_thirteen_digits() -> None:
    assert all(len(str(number_of(name))) == 13 for name in ("", "Lode", "食"))
    assert number_of("Lode") == number_of("Lode") != number_of("lode")
