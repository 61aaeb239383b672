"""``lode transcripts``: show, edit, export, and pairs of a transcript and its translation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import STORY, Lode, add_file, columns
from tests.language.segmenting import needs_segmenter


def test_a_transcript_is_shown_with_its_times_in_cues_or_sentences(lode: Lode, tmp_path: Path) -> None:
    story = STORY.replace("Der Zug fährt ab.\n\n2\n00:00:03", "Der Zug fährt\n\n2\n00:00:02").replace("Wir", "ab. Wir")
    film = add_file(lode, tmp_path / "Der Zug.de.srt", story)["transcript_id"]
    cues = ["Der Zug fährt", "ab. Wir fahren mit."]
    head = "Der Zug · de · 2 cues · 0:05\n\n"
    assert lode("transcripts", "show", film[:6]).out == f"{head}0:01  {cues[0]}\n0:02  {cues[1]}\n"
    whole = lode("transcripts", "show", film, "--json").json()
    assert (whole["id"], [cue["text"] for cue in whole["cues"]]) == (film, cues)
    assert [cue["start_ms"] for cue in whole["cues"]] == [1000, 2000]
    assert json.loads(lode("transcripts", "show", film, "--json", terminal=True).out) == whole
    shown = lode("transcripts", "show", film, "--sentences")
    assert shown.out.startswith(f"{head}0:01  Der Zug fährt ab.\n")
    sentence, _ = lode("transcripts", "show", film, "--sentences", "--json").json()["sentences"]
    assert (sentence["text"], sentence["start_ms"]) == ("Der Zug fährt ab.", 1000)
    assert (sentence["first_cue"], sentence["last_cue"]) == (0, 1)


def test_notes_are_written_by_line_shown_below_it_and_found(lode: Lode, story: Path) -> None:
    lode("add", str(story))
    assert lode("transcripts", "note", "Der Zug", "why ab?", "--line", "1").code == 0
    head, _, *lines = lode("transcripts", "show", "Der Zug").out.splitlines()
    assert head.startswith("Der Zug")
    assert lines == ["0:01  Der Zug fährt ab.", "   ;  why ab?", "0:03  Wir fahren mit."]
    assert lode("transcripts", "show", "Der Zug", "--sentences").out.splitlines()[3] == "   ;  why ab?"
    cues = lode("transcripts", "show", "Der Zug", "--json").json()["cues"]
    assert [cue.get("note") for cue in cues] == ["why ab?", None]
    assert [line.split("\t")[4] for line in lode("search", "why", "--in", "notes").out.splitlines()] == ["why ab?"]
    lode("transcripts", "note", "Der Zug", "", "--line", "1")
    assert "note" not in lode("transcripts", "show", "Der Zug", "--json").out
    lode("undo")
    assert "why ab?" in lode("transcripts", "show", "Der Zug").out
    lode("transcripts", "note", "Der Zug", "x", "--line", "3").check_refused("there is no cue 2")


def test_cues_are_edited_by_line_and_each_edit_is_taken_back(lode: Lode, story: Path) -> None:
    lode("add", str(story))

    def shown() -> list[str]:
        return lode("transcripts", "show", "Der Zug").out.splitlines()[2:]

    before = shown()
    cue = ("transcripts", "cue")
    assert lode(*cue, "edit", "Der Zug", "1", "--text", "Der Bus fährt ab.", "--end", "0:02,7").out == (
        "0:01  Der Bus fährt ab.\n"
    )
    split = lode(*cue, "split", "Der Zug", "1", "fährt", "--json").json()
    assert [each["text"] for each in split["cues"]] == ["Der Bus", "fährt ab."]
    assert (split["cues"][1]["end_ms"], split["cue_count"], split["duration_ms"]) == (2700, 3, 5000)
    lode(*cue, "merge", "Der Zug", "2")
    assert lode(*cue, "insert", "Der Zug", "3", "Und Schluss.", "--start", "5", "--end", "6.5").err == "3 cues · 0:06\n"
    lode(*cue, "delete", "Der Zug", "1")
    assert shown() == ["0:01  fährt ab.", "      Wir fahren mit.", "0:05  Und Schluss."]
    assert lode("transcripts", "shift", "Der Zug", "-1500", "--json").json()["duration_ms"] == 5000
    assert shown()[0] == "0:00  fährt ab."
    for _ in range(6):
        lode("undo")
    assert shown() == before
    lode(*cue, "edit", "Der Zug", "9", "--text", "x").check_refused("there is no line 9 in it")
    lode(*cue, "split", "Der Zug", "1", "Der").check_refused("'Der' does not stand in that line")
    assert "'x' is no time" in lode(*cue, "edit", "Der Zug", "1", "--start", "x").err
    assert "there is nothing to change" in lode(*cue, "edit", "Der Zug", "1").err
    lode(*cue, "edit", "Der Zug", "1", "--text", "\x1b[0m").check_refused("a cue says something")


def test_a_text_without_times_is_shown_with_numbers(lode: Lode, tmp_path: Path) -> None:
    text = add_file(lode, tmp_path / "brief.txt", "Der Zug fährt ab. Wir fahren mit.\n")["transcript_id"]
    lines = lode("transcripts", "show", text).out.splitlines()
    assert lines[2:] == ["1  Der Zug fährt ab.", "2  Wir fahren mit."]


@needs_segmenter("ja")
def test_a_transcript_is_shown_with_its_readings_or_as_json_with_its_words(lode: Lode, tmp_path: Path) -> None:
    cue_text = "昨日学校へ\n行った。"
    film = add_file(lode, tmp_path / "駅.ja.srt", f"1\n00:00:01,000 --> 00:00:02,000\n{cue_text}\n")["transcript_id"]
    shown = lode("transcripts", "show", film, "--readings").out
    assert "0:01  昨日[きのう]学校[がっこう]へ\n      行[い]った。\n" in shown
    (cue,) = lode("transcripts", "show", film, "--readings", "--json").json()["cues"]
    assert cue["text"] == cue_text
    went, past = cue["words"][3:]
    assert went == {"text": "行っ", "start": 6, "end": 8, "lemma": "行く", "reading": "いっ", "is_function": False}
    assert (past["text"], past["is_function"]) == ("た", True)
    assert lode("transcripts", "show", film, "--readings", "--sentences").code == 2


def test_title_language_and_encoding_are_edited_and_undone(lode: Lode, tmp_path: Path) -> None:
    path = tmp_path / "Der Zug.de.srt"
    added = add_file(lode, path, STORY.encode("cp1252"), "--encoding", "cp437", "--force")
    edit = ("transcripts", "edit", added["transcript_id"])
    done = lode(*edit, "--title", "Die Fahrt", "--language", "nl")
    assert (done.code, done.out, done.err) == (0, "Die Fahrt · nl\n", "")
    assert "as it was before it was edited" in lode("undo").out
    shown = lode(*edit, "--language", "", "--json").json()
    assert (shown["title"], shown["language"]) == ("Der Zug", None)
    assert lode(*edit).code == 2
    for wrong in (("--language", "no tag"), ("--title", " "), ("--encoding", "nonsense")):
        lode(*edit, *wrong).check_refused()
    done = lode(*edit, "--title", "Die Fahrt", "--encoding", "windows-1252")
    assert (done.code, columns(done)[0][:3]) == (0, ["reread", "Die Fahrt", "2 cues"])
    assert "Der Zug fährt ab." in lode("transcripts", "show", added["transcript_id"]).out
    assert lode("files", "delete", added["file_id"], "--yes").code == 0
    assert "was deleted" in lode(*edit, "--encoding", "windows-1252").err


# Export


@pytest.fixture
def shelf(lode: Lode, tmp_path: Path) -> dict[str, str]:
    """A film, another of the same title, and a text, by their kinds; gives their transcripts."""
    return {
        "film": add_file(lode, tmp_path / "Der Zug.de.srt")["transcript_id"],
        "other": add_file(lode, tmp_path / "two" / "Der Zug.de.srt", STORY.replace("Wir", "Sie"))["transcript_id"],
        "text": add_file(lode, tmp_path / "Brief.de.txt", "Ein Satz. Noch einer.")["transcript_id"],
    }


def test_the_ending_says_the_format_and_a_file_there_needs_force(
    lode: Lode, shelf: dict[str, str], tmp_path: Path
) -> None:
    target = tmp_path / "out.vtt"
    target.write_text("mine")
    lode("transcripts", "export", shelf["film"], str(target)).check_refused("exists already", "--force")
    assert target.read_text() == "mine"
    done = lode("transcripts", "export", shelf["film"], str(target), "--force")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{target} (")
    assert target.read_text("utf-8").startswith("WEBVTT\nLanguage: de\n")


def test_standard_output_gets_exactly_one_transcript_in_one_format(lode: Lode, shelf: dict[str, str]) -> None:
    film = ("transcripts", "export", shelf["film"])
    done = lode(*film, "-", "--format", "srt")
    assert (done.code, done.out.rstrip(), done.err) == (0, STORY.rstrip(), "")
    shown = lode("transcripts", "show", shelf["film"], "--json").json()
    assert lode(*film, "-", "--format", "json").json() == shown
    assert lode(*film, "-").code == 2
    assert lode(*film, shelf["text"], "-", "--format", "txt").code == 2
    lode(*film, "-", "--format", "pdf").check_refused("there are srt, vtt, txt, json")


def test_a_directory_gets_a_file_for_each_that_can_be_written(
    lode: Lode, shelf: dict[str, str], tmp_path: Path
) -> None:
    out, part = tmp_path / "out", tmp_path / "part"
    out.mkdir()
    part.mkdir()
    done = lode("transcripts", "export", *shelf.values(), str(out), "--json")
    assert (done.code, [event["format"] for event in done.events()]) == (0, ["srt", "srt", "txt"])
    assert sorted(path.name for path in out.iterdir()) == ["Brief.de.txt", "Der Zug (2).de.srt", "Der Zug.de.srt"]
    assert "Sie fahren mit." in (out / "Der Zug (2).de.srt").read_text("utf-8")
    done = lode("transcripts", "export", shelf["text"], shelf["film"], f"{part}/", "--format", "srt")
    assert (done.code, "without times" in done.err) == (1, True)
    assert [path.name for path in part.iterdir()] == ["Der Zug.de.srt"]
    several = lode("transcripts", "export", *shelf.values(), str(tmp_path / "out.srt"))
    several.check_refused("name a directory", code=2)


def test_a_pair_of_a_transcript_and_its_translation_is_made_and_ended(lode: Lode, tmp_path: Path) -> None:
    english = STORY.replace("Der Zug fährt ab.", "The train leaves.").replace("Wir fahren mit.", "We go along.")
    ours = add_file(lode, tmp_path / "film.de.srt")["transcript_id"]
    theirs = add_file(lode, tmp_path / "film.en.srt", english)["transcript_id"]
    done = lode("transcripts", "pair", ours, theirs, "--offset", "-20")
    assert (done.code, done.out) == (0, "film: 2 of 2 cues have a translation, moved by -0.020 s\n")
    (row,) = (row for row in lode("transcripts", "list", "--json").json() if row["id"] == ours)
    assert (row["translation_id"], row["translation_offset_ms"]) == (theirs, -20)
    assert lode("transcripts", "unpair", ours).out == "film: no translation any more\n"
    assert lode("transcripts", "pair", ours, theirs, "--offset", "0", "--json").json()["translated_cues"] == 2
    lode("transcripts", "pair", ours, ours).check_refused("not a translation of itself")
    french = "1\n00:10:00,000 --> 00:10:01,000\nNon.\n"
    other = add_file(lode, tmp_path / "other.fr.srt", french)["transcript_id"]
    lode("transcripts", "pair", ours, other).check_refused("hint: give the offset in milliseconds")
