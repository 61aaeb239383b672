"""Words from the command line: their states, counts by transcript, and which to learn next."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.cli.conftest import Lode, columns


@pytest.fixture
def film(lode: Lode, tmp_path: Path) -> str:
    """The id of a German film that has two sentences about a dog."""
    path = tmp_path / "hund.de.srt"
    lines = ("Der Hund bellt.", "Der Hund schläft.", "Der Zug fährt ab und der Hund fährt mit.")
    cues = (f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\n{line}\n" for n, line in enumerate(lines, 1))
    path.write_text("\n".join(cues), "utf-8")
    assert lode("add", "--language", "de", str(path)).code == 0
    transcript: str = lode("transcripts", "list", "--json").json()[0]["id"]
    lode("transcripts", "list", "--counts")  # waits for the lemmas
    return transcript


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


def test_many_words_come_from_standard_input_with_readings_where_they_tell_two_apart(lode: Lode) -> None:
    lines = "".join(f"wort{number}\n" for number in range(50)) + "\n床[ゆか]\n"
    done = lode("words", "mark", "-", "--language", "ja", "--state", "learning", "--json", stdin=lines)
    assert done.json() == {"changed": 51}
    (word,) = lode("words", "list", "--search", "床", "--json").json()
    assert (word["lemma"], word["reading"], word["state"]) == ("床", "ゆか", "learning")


def test_the_language_is_the_one_that_the_profile_learns(lode: Lode) -> None:
    refused = lode("words", "mark", "Zug")
    assert refused.code == 1
    assert "hint: say it: --language de" in refused.err
    lode("profiles", "set", "--learn", "de:B1")
    assert lode("words", "mark", "Zug", "--json").json() == {"changed": 1}


def test_the_most_frequent_words_are_marked_and_it_is_told_by_what(lode: Lode, film: str) -> None:
    done = lode("words", "mark", "--frequent", "2", "--language", "de")
    assert done.out == "2 words of 2 now known, by the counts of your library\n"
    assert {row[0] for row in columns(lode("words", "list", "--state", "known"))} == {"der", "Hund"}


def test_words_below_a_level_are_offered_with_it_and_marked_when_that_is_asked_for(lode: Lode, tmp_path: Path) -> None:
    text = " ".join(["Wir gehen heute"] * 5 + [f"Wort{letter}" for letter in "abcdefghijklmnopqr"])
    (tmp_path / "weg.de.srt").write_text(f"1\n00:00:01,000 --> 00:00:02,000\n{text}\n", "utf-8")
    lode("add", "--language", "de", str(tmp_path / "weg.de.srt"))
    offered = "2 common words of German (de) below B1 can be marked as known: lode words mark --below B1 --language de"
    assert offered in lode("profiles", "set", "--learn", "de:B1").err
    assert offered not in lode("profiles", "set", "--learn", "de:B1", "--explain-in", "fr").err  # nothing new
    assert lode("words", "list", "--state", "known").out == ""
    dry = lode("words", "mark", "--below", "B1", "--dry-run").out
    assert dry.startswith("2 words of 2 would be known, by the counts of your library\nthe last: ")
    assert lode("words", "mark", "--below", "B1").out == "2 words of 2 now known, by the counts of your library\n"
    assert len(columns(lode("words", "list", "--state", "known"))) == 2
    lode("undo")
    assert lode("words", "list", "--state", "known").out == ""
    assert lode("words", "mark", "--below", "N4").code == 1


def test_transcripts_are_counted_and_sorted_by_their_words(lode: Lode, film: str, tmp_path: Path) -> None:
    other = tmp_path / "zug.de.srt"
    other.write_text("1\n00:00:01,000 --> 00:00:02,000\nAlles hier ist ganz anders.\n", "utf-8")
    lode("add", "--language", "de", str(other))
    lode("words", "mark", "Hund", "der", "--language", "de")
    assert "words" not in lode("transcripts", "list", "--json").json()[0]
    first, second = lode("transcripts", "list", "--sort", "known", "--json").json()
    assert first["id"] == film
    counts = {"words": 15, "different": 9, "new": 7, "known": 7, "sentences": 3, "one_new": 2}
    assert first["words"] == counts
    assert [each["id"] for each in lode("transcripts", "list", "--sort", "new", "--json").json()] == [
        *(second["id"], first["id"])
    ]
    assert [each["id"] for each in lode("transcripts", "list", "--counts", "--json").json()] == [
        *(second["id"], first["id"])
    ]
    (row,) = columns(lode("transcripts", "list", "--sort", "one_new", "--limit", "1"))
    assert row[-1] == "2"
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
    wrong = lode("words", "next", "--transcript", film, "--search", "hund")
    assert (wrong.code, "one transcript, or of a search" in wrong.err) == (2, True)


def test_words_are_written_as_csv_to_a_file_or_to_standard_output(lode: Lode, tmp_path: Path) -> None:
    lode("words", "mark", 'a "b", c', "Zug", "--language", "de")
    rows = list(csv.DictReader(io.StringIO(lode("words", "export").out)))
    assert [(row["lemma"], row["state"], row["source"]) for row in rows] == [
        *(('a "b", c', "known", "user"), ("Zug", "known", "user"))
    ]
    out = tmp_path / "words.csv"
    assert lode("words", "export", str(out)).code == 0
    assert list(csv.DictReader(io.StringIO(out.read_text("utf-8")))) == rows
    refused = lode("words", "export", str(out))
    assert (refused.code, "or replace it with --force" in refused.err) == (1, True)
    assert lode("words", "export", str(out), "--force", "--language", "fr").code == 0
    assert len(out.read_text("utf-8").splitlines()) == 1


def test_statistics_are_for_people_and_for_programs(lode: Lode, film: str) -> None:
    lode("words", "mark", "Hund", "--language", "de")
    stats = lode("words", "stats", "--json").json()
    assert {"language": "de", "state": "known", "words": 1} in stats["states"]
    assert [each["transcript_id"] for each in stats["transcripts"]] == [film]
    shown = lode("words", "stats", terminal=True).out
    assert "known since" in shown
    assert "hund" in shown


@pytest.mark.parametrize(
    ("args", "code", "cause"),
    [
        (("mark",), 2, "name words, or how many"),
        (("mark", "Zug", "--frequent", "3"), 2, "name words, or how many"),
        (("mark", "Zug", "--state", "clever"), 2, "clever"),
        (("mark", "Zug", "--language", "no tag"), 2, "no language tag"),
        (("list", "--order", "random"), 2, "random"),
        (("mark", "--frequent", "5", "--language", "de"), 1, "nothing tells which words of German are frequent"),
        (("next", "--transcript", "nothing"), 1, "nothing"),
    ],
)
def test_what_cannot_be_is_refused_with_the_next_step(lode: Lode, args: tuple[str, ...], code: int, cause: str) -> None:
    done = lode("words", *args)
    assert (done.code, done.out) == (code, "")
    assert cause in done.err
