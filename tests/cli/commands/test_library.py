"""``lode profiles`` and ``lode backup``: profiles of the library with their settings, and a copy of it all."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Lode, columns


def test_the_profiles_are_listed_with_what_they_have(lode: Lode, story: Path) -> None:
    assert lode("profiles", "list", "--json").json() == []
    assert "--profile NAME" in lode("profiles", "list", terminal=True).err
    lode("add", str(story))
    lode("--profile", "anna", "add", str(story))
    assert lode("profiles", "list", "--json").json()[0] == {"name": "anna", "files": 1, "transcripts": 1, "clips": 0}
    assert columns(lode("profiles", "list")) == [["anna", "1", "1", "0"], ["default", "1", "1", "0"]]
    titles, *rows = lode("profiles", "list", terminal=True).out.splitlines()
    assert titles.split() == ["name", "files", "transcripts", "clips"]
    assert len(rows) == 2


def test_what_is_set_is_shown_and_what_is_not_given_stays(lode: Lode) -> None:
    usual = lode("profiles", "show", "--json")
    assert usual.err == "nothing was set yet; these are the usual settings\n"
    assert usual.json() == {
        "profile": "default",
        "explain_in": "en",
        "learning": [],
        "known_states": ["known", "ignored"],
        "card_front": "sentence",
        "card_hint": "none",
        "card_changed_at": None,
        "deck_per": "none",
        "inbox_fill": "dictionaries",
        "note_fields": "",
        "transcribe_with": "",
        "updated_at": None,
    }
    done = lode("profiles", "set", "--explain-in", "es", "--learn", "de:b1", "--learn", "ja:N4", "--learn", "fr")
    assert (done.code, done.out, done.err) == (0, "", "the settings are saved\n")
    shown = lode("profiles", "show").out
    assert "explain in   Spanish (es)\nlearning     German (de) B1, Japanese (ja) N4, French (fr)\n" in shown
    second = lode("profiles", "set", "--explain-in", "pt-br", "--known", "learning, known", "--json").json()
    assert (second["profile"], second["explain_in"]) == ("default", "pt-BR")
    assert (second["learning"][1], len(second["learning"])) == ({"language": "ja", "level": "N4"}, 3)
    assert "known words  learning, known\n" in lode("profiles", "show").out
    emptied = lode("profiles", "set", "--learn", "", "--json").json()
    assert (emptied["explain_in"], emptied["learning"]) == ("pt-BR", [])
    assert lode("profiles", "show", "--json").json() == emptied


def test_options_of_cards_and_decks_are_set_and_it_says_when_all_cards_change(lode: Lode) -> None:
    done = lode("profiles", "set", "--front", "word", "--hint", "reading")
    assert "changes all cards of the note type Lode" in done.err
    changed = lode("profiles", "show", "--json").json()["card_changed_at"]
    other = lode("profiles", "set", "--deck-per", "language", "--json")
    assert "all cards" not in other.err
    kept = {name: value for name, value in other.json().items() if name.startswith("card_")}
    assert kept == {"card_front": "word", "card_hint": "reading", "card_changed_at": changed}
    shown = lode("profiles", "show").out
    assert "cards        word in front, hint: reading\n" in shown
    assert "decks        one for each language\n" in shown


def test_what_fills_cards_of_the_inbox_is_set_and_shown_and_changes_no_card(lode: Lode) -> None:
    assert "inbox" not in lode("profiles", "show").out
    done = lode("profiles", "set", "--inbox", "breakdown", "--json")
    assert "all cards" not in done.err
    assert (done.json()["inbox_fill"], done.json()["card_changed_at"]) == ("breakdown", None)
    assert "inbox        filled by breakdown\n" in lode("profiles", "show").out


def test_what_cannot_be_set_is_refused_with_the_next_step(lode: Lode) -> None:
    for args, code, cause in (
        ((), 2, "nothing was given to set"),
        (("--explain-in", "nowhere"), 1, "'nowhere' is no language tag"),
        (("--learn", "de:N4"), 1, "'N4' is no level of German"),
        (("--learn", ":B1"), 1, "'' is no language tag"),
        (("--learn", "de", "--learn", "de:B1"), 1, "German (de) is named twice"),
        (("--known", "known,new"), 1, "'new' can't count as known"),
        (("--front", "picture"), 1, "'picture' is no front of a card"),
        (("--hint", "\x1b[31m"), 1, "is no hint of a card"),
        (("--deck-per", "film"), 1, "'film' is no reason for a deck of its own"),
        (("--inbox", "magic"), 1, "'magic' is no way to fill cards of the inbox"),
    ):
        lode("profiles", "set", *args).check_refused(cause, code=code)
    assert lode("profiles", "show", "--json").json()["updated_at"] is None


def test_a_backup_is_a_whole_database_and_replaces_nothing(lode: Lode, story: Path, tmp_path: Path) -> None:
    lode("add", str(story))
    target = tmp_path / "copy.db"
    assert lode("backup", str(target)).out == f"{target}\n"
    assert target.read_bytes().startswith(b"SQLite format 3\0")
    lode("backup", str(target)).check_refused(str(target))
    lode("backup", str(tmp_path / "no" / "such" / "place.db")).check_refused()
