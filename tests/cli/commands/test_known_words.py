"""Words from the command line: states, own words, counts by transcript, statistics, and which to learn next."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Lode, add_file, columns


@pytest.fixture
def film(lode: Lode, tmp_path: Path) -> str:
    """The id of a German film that has two sentences about a dog."""
    lines = ("Der Hund bellt.", "Der Hund schläft.", "Der Zug fährt ab und der Hund fährt mit.")
    cues = (f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\n{line}\n" for n, line in enumerate(lines, 1))
    added = add_file(lode, tmp_path / "hund.de.srt", "\n".join(cues), "--language", "de")
    lode("transcripts", "list", "--counts")  # waits for the lemmas
    return str(added["transcript_id"])


def test_words_are_marked_listed_and_brought_back(lode: Lode, film: str) -> None:
    marked = lode("words", "mark", "Hund", "der", "--language", "de")
    assert (marked.code, marked.out) == (0, "2 words now known\n")
    listed = columns(lode("words", "list", "--state", "known"))
    assert [(row[0], row[2], row[3], row[4]) for row in listed] == [
        *(("der", "de", "known", "4"), ("Hund", "de", "known", "3"))
    ]
    often = lode("words", "list", "--state", "new", "--order", "occurrences", "--limit", "1", "--json").json()
    assert [(word["lemma"], word["occurrences"]) for word in often] == [("fahren", 2)]
    assert lode("undo").out == "back again: 2 words\n"
    assert columns(lode("words", "list", "--state", "known")) == []
    assert "no words" in lode("words", "list", "--state", "known", terminal=True).err
    done = lode("words", "mark", "--frequent", "2", "--language", "de")
    assert done.out == "2 words of 2 now known, by the counts of your library\n"
    assert {row[0] for row in columns(lode("words", "list", "--state", "known"))} == {"der", "Hund"}


def test_many_words_come_from_standard_input_with_readings_in_the_language_that_is_learned(lode: Lode) -> None:
    lines = "".join(f"wort{number}\n" for number in range(50)) + "\n床[ゆか]\n"
    done = lode("words", "mark", "-", "--language", "ja", "--state", "learning", "--json", stdin=lines)
    assert done.json() == {"changed": 51}
    (word,) = lode("words", "list", "--search", "床", "--json").json()
    assert (word["lemma"], word["reading"], word["state"]) == ("床", "ゆか", "learning")
    lode("profiles", "set", "--learn", "de:B1")  # whose language it is where none is said
    assert lode("words", "mark", "Zug", "--json").json() == {"changed": 1}


def test_words_below_a_level_are_offered_with_it_and_marked_when_that_is_asked_for(lode: Lode, tmp_path: Path) -> None:
    text = " ".join(["Wir gehen heute"] * 5 + [f"Wort{letter}" for letter in "abcdefghijklmnopqr"])
    cue = f"1\n00:00:01,000 --> 00:00:02,000\n{text}\n"
    add_file(lode, tmp_path / "weg.de.srt", cue, "--language", "de")
    offered = "2 common words of German (de) below B1 can be marked as known: lode words mark --below B1 --language de"
    assert offered in lode("profiles", "set", "--learn", "de:B1").err
    assert offered not in lode("profiles", "set", "--learn", "de:B1", "--explain-in", "fr").err  # nothing new
    assert lode("words", "list", "--state", "known").out == ""
    dry = lode("words", "mark", "--below", "B1", "--dry-run").out
    assert dry.startswith("2 words of 2 would be known, by the counts of your library\nthe last: ")
    assert lode("words", "mark", "--below", "B1").out == "2 words of 2 now known, by the counts of your library\n"
    assert len(columns(lode("words", "list", "--state", "known"))) == 2


def test_transcripts_are_counted_and_sorted_by_their_words(lode: Lode, film: str, tmp_path: Path) -> None:
    cue = "1\n00:00:01,000 --> 00:00:02,000\n{}\n"
    add_file(lode, tmp_path / "zug.de.srt", cue.format("Alles hier ist ganz anders."), "--language", "de")
    lode("words", "mark", "Hund", "der", "--language", "de")
    assert "words" not in lode("transcripts", "list", "--json").json()[0]
    first, second = lode("transcripts", "list", "--sort", "known", "--json").json()
    assert first["id"] == film
    counts = {"words": 15, "different": 9, "new": 7, "known": 7, "sentences": 3, "one_new": 2}
    assert first["words"] == counts
    for option in (("--sort", "new"), ("--counts",)):
        listed = lode("transcripts", "list", *option, "--json").json()
        assert [each["id"] for each in listed] == [second["id"], first["id"]]
    listed = lode("transcripts", "list", "--sort", "-known", "--json").json()
    assert [each["id"] for each in listed] == [second["id"], first["id"]]
    (row,) = columns(lode("transcripts", "list", "--sort", "one_new", "--limit", "1"))
    assert row[-1] == "2"
    stats = lode("words", "stats", "--json").json()
    assert {"language": "de", "state": "known", "words": 2} in stats["states"]
    assert {each["transcript_id"] for each in stats["transcripts"]} == {film, second["id"]}
    shown = lode("words", "stats", terminal=True).out
    assert "known since" in shown
    assert "hund" in shown
    titles = lode("transcripts", "list", "--counts", terminal=True).out.splitlines()[0].split()
    assert titles == ["id", "title", "lang", "cues", "words", "new", "known", "one", "new"]


def test_the_next_words_are_listed_and_clipped(lode: Lode, film: str) -> None:
    found = lode("words", "next", "--transcript", film, "--limit", "2", "--json").json()
    assert [(each["word"]["lemma"], each["sentence"]) for each in found] == [
        *(("der", "Der Hund bellt."), ("Hund", "Der Hund bellt."))
    ]
    clips = lode("words", "next", "--transcript", film[:8], "--limit", "2", "--clip", "--json").json()
    assert [clip["focus"]["surface"] for clip in clips] == ["Der", "Hund"]
    assert len(lode("clips", "list", "--json").json()) == 2
    assert lode("undo").out == "back again: how it was before 2 clips were made\n"
    assert lode("clips", "list", "--json").json() == []


def test_what_cannot_be_is_refused_with_the_next_step(lode: Lode) -> None:
    for args, code, cause in (
        (("mark",), 2, "name words, or how many"),
        (("mark", "Zug", "--frequent", "3"), 2, "name words, or how many"),
        (("mark", "Zug", "--language", "no tag"), 2, "no language tag"),
        (("mark", "Zug"), 1, "hint: say it: --language de"),
        (("mark", "--frequent", "5", "--language", "de"), 1, "nothing tells which words of German are frequent"),
        (("mark", "--below", "N4"), 1, ""),
        (("next", "--transcript", "nothing"), 1, "nothing"),
        (("next", "--transcript", "nothing", "--search", "hund"), 2, "one transcript, or of a search"),
        (("own", "set", "Zug", "--language", "de"), 2, ""),
        (("own", "set", "Zug", "--language", "?", "--note", "x"), 2, ""),
        (("own", "set", "Zug", "--language", "de", "--meaning", ""), 1, ""),
    ):
        done = lode("words", *args)
        assert (done.code, done.out, cause in done.err) == (code, "", True), done
    assert lode("words", "own", "list", "--json").json() == []


def test_a_word_of_ones_own_is_written_of_changed_and_deleted(lode: Lode) -> None:
    assert lode("words", "own", "list").out == ""
    given = ("--meaning", "notice", "--phrase", "Bescheid sagen=to let know")
    lode("words", "own", "set", "Bescheid", "--language", "de", *given)
    lode("words", "own", "set", "bescheid", "--language", "de", "--note", "no plural")
    phrase = {"text": "Bescheid sagen", "meaning": "to let know"}
    word = {"language": "de", "lemma": "Bescheid", "meaning": "notice", "note": "no plural", "phrases": [phrase]}
    assert lode("words", "own", "list", "--language", "de", "--json").json() == [word]
    assert "Bescheid sagen = to let know" in lode("words", "own", "list").out
    assert lode("words", "own", "delete", "Bescheid", "--language", "de").out == "deleted 1 of 1\n"
    lode("undo")
    assert lode("words", "own", "list", "--json").json() == [word]
    lode("words", "own", "set", "Bescheid", "--language", "de", "--meaning", "", "--note", "", "--phrase", "")
    assert lode("words", "own", "list", "--json").json() == []
