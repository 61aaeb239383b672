"""Profiles and their settings from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Lode, columns


def test_the_profiles_are_listed_with_what_they_have(lode: Lode, story: Path) -> None:
    assert lode("profiles", "list", "--json").json() == []
    assert "--profile NAME" in lode("profiles", "list", terminal=True).err
    lode("add", str(story))
    lode("--profile", "anna", "add", str(story))
    anna, default = lode("profiles", "list", "--json").json()
    assert anna == {"name": "anna", "files": 1, "transcripts": 1, "clips": 0}
    assert default["name"] == "default"
    assert columns(lode("profiles", "list")) == [["anna", "1", "1", "0"], ["default", "1", "1", "0"]]
    titles, *rows = lode("profiles", "list", terminal=True).out.splitlines()
    assert titles.split() == ["name", "files", "transcripts", "clips"]
    assert len(rows) == 2


def test_what_was_never_set_is_shown_as_usual(lode: Lode) -> None:
    done = lode("profiles", "show", "--json")
    usual = {"explain_in": "en", "learning": [], "known_states": ["known", "ignored"]}
    cards = {
        "card_front": "sentence",
        "card_hint": "none",
        "card_changed_at": None,
        "deck_per": "none",
        "note_fields": "",
    }
    assert done.json() == {"profile": "default", **usual, **cards, "updated_at": None}
    assert done.err == "nothing was set yet; these are the usual settings\n"


def test_what_is_set_is_shown_and_what_is_not_given_stays(lode: Lode) -> None:
    done = lode("profiles", "set", "--explain-in", "es", "--learn", "de:b1", "--learn", "ja:N4", "--learn", "fr")
    assert (done.code, done.out, done.err) == (0, "", "the settings are saved\n")
    shown = lode("profiles", "show").out
    assert "explain in   Spanish (es)\nlearning     German (de) B1, Japanese (ja) N4, French (fr)\n" in shown
    second = lode("profiles", "set", "--explain-in", "pt-br", "--json").json()
    assert (second["profile"], second["explain_in"]) == ("default", "pt-BR")
    assert second["learning"][1] == {"language": "ja", "level": "N4"}
    assert len(second["learning"]) == 3
    emptied = lode("profiles", "set", "--learn", "", "--json").json()
    assert (emptied["explain_in"], emptied["learning"]) == ("pt-BR", [])
    assert lode("profiles", "show", "--json").json() == emptied
    counted = lode("profiles", "set", "--known", "learning, known", "--json").json()
    assert (counted["known_states"], counted["explain_in"]) == (["learning", "known"], "pt-BR")
    assert "known words  learning, known\n" in lode("profiles", "show").out


def test_options_of_cards_are_set_and_it_says_that_all_cards_change(lode: Lode) -> None:
    done = lode("profiles", "set", "--front", "word", "--hint", "reading")
    assert "changes all cards of the note type Lode" in done.err
    assert "cards        word in front, hint: reading\n" in lode("profiles", "show").out
    changed = lode("profiles", "show", "--json").json()["card_changed_at"]
    other = lode("profiles", "set", "--explain-in", "es", "--json")
    assert "all cards" not in other.err
    kept = {name: value for name, value in other.json().items() if name.startswith("card_")}
    assert kept == {"card_front": "word", "card_hint": "reading", "card_changed_at": changed}


@pytest.mark.parametrize(
    ("args", "code", "cause"),
    [
        ((), 2, "nothing was given to set"),
        (("--explain-in", "nowhere"), 1, "'nowhere' is no language tag"),
        (("--learn", "de:N4"), 1, "'N4' is no level of German"),
        (("--known", "known,new"), 1, "'new' can't count as known"),
        (("--front", "picture"), 1, "'picture' is no front of a card"),
        (("--hint", "\x1b[31m"), 1, "is no hint of a card"),
        (("--learn", ":B1"), 1, "'' is no language tag"),
        (("--learn", "de", "--learn", "de:B1"), 1, "German (de) is named twice"),
    ],
)
def test_what_cannot_be_set_is_refused_with_the_next_step(
    lode: Lode, args: tuple[str, ...], code: int, cause: str
) -> None:
    done = lode("profiles", "set", *args)
    assert (done.code, done.out) == (code, "")
    assert cause in done.err
    assert "\nhint: " in done.err
    assert lode("profiles", "show", "--json").json()["updated_at"] is None


def test_decks_within_the_deck_are_set(lode: Lode) -> None:
    done = lode("profiles", "set", "--deck-per", "language")
    assert "all cards" not in done.err
    assert "decks        one for each language\n" in lode("profiles", "show").out
    assert "'film' is no reason for a deck of its own" in lode("profiles", "set", "--deck-per", "film").err
    assert lode("profiles", "set", "--deck-per", "none", "--json").json()["deck_per"] == "none"
