"""Anki's searches as clients write them."""

from __future__ import annotations

import pytest

from tui.errors import InvalidInput
from tui.inbox.note_search import SearchedNote, parse_search

NOTE = SearchedNote(
    1_700_000_000_000,
    "Mining::Japanese::Film",
    "Mein Typ",
    ("film::eins", "Leech"),
    {"Expression": "食べる", "Sentence": 'a: <b>b</b>*c_d\\e "f"', "Picture": "<img src='x.png'>", "Empty": ""},
    2,
)


@pytest.mark.parametrize(
    ("query", "is_found"),
    [
        ("", True),
        ("added:3", True),
        ("added:2", False),
        ("nid:1700000000000", True),
        ("nid:5,1700000000000", True),
        ("nid:5 OR nid:1700000000000", True),
        ("nid:5 or nid:6", False),
        ("nid:x", False),
        ('"expression:食べる"', True),
        ("Expression:食べ*", True),
        ("expression:食べ", False),
        ("Expression:食べ_", True),
        (r'"Sentence:a\: b\*c\_d\\e \"f\""', True),
        (r'"Sentence:a\: b\_c*"', False),
        ('"Sentence:*b*c*d*"', True),
        ('"Sentence:*d*c*"', False),
        ("Picture:_*", True),
        ("Empty:_*", False),
        ("Empty:", True),
        ("Odd:*", False),
        ("deck:Mining", True),
        ("deck:mining::japanese", True),
        ("deck:Japanese", False),
        ('"deck:Mining::*"', True),
        ('note:"Mein Typ"', True),
        ('"note:Mein"', False),
        ("tag:film", True),
        ("tag:eins", False),
        ("tag:none", False),
        ("-tag:leech", False),
        ("--tag:leech", True),
        ("-(tag:a OR tag:b)", True),
        ("deck:Mining (tag:a OR tag:leech) added:7", True),
        ("deck:Mining AND tag:a", False),
        ("食べる", True),
        ("*食*る", True),
        ("w:b", True),
        ("w:食べ", False),
        ("is:new", False),
        ("prop:ivl>3 OR added:9", True),
        ("-is:due", True),
    ],
)
def test_a_note_is_found(query: str, is_found: bool) -> None:
    assert parse_search(query).matches(NOTE) is is_found


@pytest.mark.parametrize(
    ("query", "ids", "words", "days"),
    [
        ("nid:1,2", {1, 2}, None, None),
        ("nid:1 OR nid:2", {1, 2}, None, None),
        ("nid:1 OR tag:a", None, None, None),
        ('deck:X "expression:a"', None, {"a"}, None),
        ('"word:a" OR "word:b"', None, {"a", "b"}, None),
        ("word:a*", None, None, None),
        (r"word:a\*", None, {"a*"}, None),
        ("-nid:1", None, None, None),
        ("added:1 OR added:3", None, None, 3),
        ("added:2 tag:x", None, None, 2),
    ],
)
def test_what_narrows_a_search_down(query: str, ids: object, words: object, days: int | None) -> None:
    found = parse_search(query)
    assert (found.ids, found.words, found.days) == (ids, words, days)


@pytest.mark.parametrize("query", ["(a", "a)", "x" * 100_001, "a " * 5_001, "(" * 60 + "a"])
def test_what_is_no_search_is_refused(query: str) -> None:
    with pytest.raises(InvalidInput):
        parse_search(query)
