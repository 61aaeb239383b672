"""``lode words own``: writing of a word, changing a part of it, and undo."""

from __future__ import annotations

from tests.cli.conftest import Lode


def test_a_word_is_written_of_changed_and_deleted(lode: Lode) -> None:
    assert lode("words", "own", "list").out == ""
    given = ("--meaning", "notice", "--phrase", "Bescheid sagen=to let know")
    lode("words", "own", "set", "Bescheid", "--language", "de", *given)
    lode("words", "own", "set", "bescheid", "--language", "de", "--note", "no plural")
    expected = {
        "language": "de",
        "lemma": "Bescheid",
        "meaning": "notice",
        "note": "no plural",
        "phrases": [{"text": "Bescheid sagen", "meaning": "to let know"}],
    }
    assert lode("words", "own", "list", "--language", "de", "--json").json() == [expected]
    assert "Bescheid sagen = to let know" in lode("words", "own", "list").out
    assert lode("words", "own", "delete", "Bescheid", "--language", "de").out == "deleted 1 of 1\n"
    lode("undo")
    assert lode("words", "own", "list", "--json").json() == [expected]
    lode("words", "own", "set", "Bescheid", "--language", "de", "--meaning", "", "--note", "", "--phrase", "")
    assert lode("words", "own", "list", "--json").json() == []


def test_what_cannot_be_written_is_refused(lode: Lode) -> None:
    for given in (("Zug", "--language", "de"), ("Zug", "--language", "?", "--note", "x"), ("Zug", "--note", "x")):
        assert lode("words", "own", "set", *given).code == 2
    assert lode("words", "own", "set", "Zug", "--language", "de", "--meaning", "").code == 1
    assert lode("words", "own", "list", "--json").json() == []
