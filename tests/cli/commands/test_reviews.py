"""``lode fix`` and ``lode review``, as they are typed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Lode
from tests.correcting.fake_model import Entry
from tests.server_process import LODE
from tests.service.jobs.correcting_server import CorrectingServer
from tests.service.jobs.test_correction import correct
from tui.records.clips import FocusWord, NewClip
from tui.store import Store

SRT = """1
00:00:01,000 --> 00:00:02,000
Der Zug färt ab.

2
00:00:03,000 --> 00:00:04,000
Ja.

3
00:00:05,000 --> 00:00:06,000
Er färt schnell.
"""
MODEL = ("--model", "near:corrector")


@pytest.fixture
def model(home: Path) -> Iterator[CorrectingServer]:
    with CorrectingServer() as server:
        server.correct = correct
        home.mkdir(exist_ok=True)
        own = f'[providers.near]\nprotocol = "openai"\nbase_url = "{server.url}"\n'
        (home / "config.toml").write_text(own, "utf-8")
        yield server


@pytest.fixture
def film(lode: Lode, model: CorrectingServer, tmp_path: Path) -> str:
    path = tmp_path / "Zug.srt"
    path.write_text(SRT, "utf-8")
    assert lode("add", str(path), "--language", "de").code == 0
    return "Zug"


def lines(lode: Lode) -> list[str]:
    cues = lode("transcripts", "show", "Zug", "--json").json()["cues"]
    return [cue["text"] for cue in cues]


def test_a_dry_run_asks_nobody(lode: Lode, model: CorrectingServer, film: str) -> None:
    told = lode("fix", film, *MODEL, "--dry-run")
    assert told.code == 0 and not model.asked
    assert told.out.startswith("Zug · near:corrector · 3 lines · 1 request · costs nothing")
    refused = lode("fix", film)
    assert refused.code == 1 and "PROVIDER:MODEL" in refused.err


def test_what_is_proposed_is_shown_decided_and_applied(lode: Lode, film: str) -> None:
    fixed = lode("fix", film, *MODEL)
    assert fixed.code == 0 and "2 changes to review" in fixed.out and "lode review show" in fixed.err
    assert lines(lode)[0] == "Der Zug färt ab."
    (review,) = lode("review", "list", "--json").json()
    assert (review["total"], review["taken"], review["title"]) == (2, 2, "Zug")
    shown = lode("review", "show", review["id"])
    assert shown.out.splitlines()[:3] == ["line 1 · 0:01 · taken", "  - Der Zug färt ab.", "  + Der Zug fährt ab."]
    assert lode("review", "apply", review["id"]).code != 0, "nobody has seen them on a terminal"
    assert lode("review", "leave", review["id"], "1").out.strip() == "1 of 2 changes taken"
    assert lode("review", "edit", review["id"], "3", "Er fährt langsam.").code == 0
    applied = lode("review", "apply", review["id"])
    assert applied.code == 0 and "1 line corrected" in applied.err
    assert lines(lode) == ["Der Zug färt ab.", "Ja.", "Er fährt langsam."]
    assert lode("undo").code == 0
    assert lines(lode)[2] == "Er färt schnell."
    assert lode("review", "take", review["id"], "1", "3", "--json").json()["taken"] == 2
    assert lode("review", "drop", review["id"]).code == 0
    assert lode("review", "list", "--json").json() == []
    assert lode("review", "show", review["id"]).code != 0


def test_yes_applies_all_that_is_not_doubtful_and_says_how_many(lode: Lode, film: str, model: CorrectingServer) -> None:
    fixed = lode("fix", film, *MODEL, "--yes")
    assert fixed.code == 0 and "2 lines corrected" in fixed.err
    assert lines(lode) == ["Der Zug fährt ab.", "Ja.", "Er fährt schnell."]
    model.correct = lambda rows: [row._replace(text="Etwas ganz anderes.") for row in rows]
    assert "0 lines corrected" in lode("fix", film, *MODEL, "--yes").err
    assert lines(lode)[1] == "Ja."


def test_items_come_as_json(lode: Lode, film: str) -> None:
    lode("fix", film, *MODEL)
    (review,) = lode("review", "list", "--json").json()
    items = json.loads(lode("review", "show", review["id"], "--json").out)
    assert [(item["number"], item["after"]) for item in items] == [(0, "Der Zug fährt ab."), (2, "Er fährt schnell.")]


def test_what_is_alike_is_decided_at_once_and_single_changes_are_dropped(lode: Lode, film: str) -> None:
    lode("fix", film, *MODEL)
    (review,) = lode("review", "list", "--json").json()
    assert lode("review", "leave", review["id"], "3", "--alike").out.strip() == "0 of 2 changes taken"
    assert lode("review", "take", review["id"], "1", "--alike", "--json").json()["taken"] == 2
    assert lode("review", "take", review["id"], "1", "3", "--alike").code == 2
    assert lode("review", "take", review["id"], "2", "--alike").code == 1
    assert lode("review", "drop", review["id"], "1").out.startswith("1 change dropped")
    assert lode("review", "list", "--json").json()[0]["total"] == 1
    assert lode("undo").code == 0
    assert lode("review", "list", "--json").json()[0]["total"] == 2


def test_clips_of_a_corrected_line_are_told_and_changed_where_that_is_wanted(lode: Lode, film: str, home: Path) -> None:
    transcript = lode("transcripts", "list", "--json").json()[0]["id"]
    with closing(Store.open(home)) as store:
        kept = NewClip("Der Zug färt ab.", transcript_id=transcript, cue_index=0, focus=FocusWord("färt"))
        store.clips.add("default", kept)
    lode("fix", film, *MODEL)
    (review,) = lode("review", "list", "--json").json()
    planned = lode("review", "apply", review["id"], "--dry-run")
    assert "2 lines would be corrected · 1 clip has the old text" in planned.err
    assert "2 lines corrected · 1 clip too" in lode("review", "apply", review["id"], "--yes", "--clips").err
    (clip,) = lode("clips", "list", "--json").json()
    assert (clip["sentence"], clip["focus"]["surface"]) == ("Der Zug fährt ab.", "fährt")


def test_a_transcript_is_translated_and_taken_whole(lode: Lode, film: str, model: CorrectingServer) -> None:
    model.correct = lambda rows: [row._replace(text=f"This is the line {row.number} of the film.") for row in rows]
    told = lode("translate", film, "--to", "en", *MODEL, "--dry-run")
    assert told.out.startswith("Zug · into English · near:corrector · 3 lines · 1 request") and not model.asked
    assert lode("translate", film, "--to", "de", *MODEL).code == 1
    done = lode("translate", film, *MODEL, "--yes")
    assert done.code == 0 and "3 lines translated · lode undo takes it back" in done.err
    titles = [each["title"] for each in lode("transcripts", "list", "--json").json()]
    assert titles == ["Zug · English", "Zug"]
    assert lode("undo").code == 0
    (review,) = lode("review", "list", "--json").json()
    assert (review["kind"], review["into"]) == ("translation", "en")
    assert "+ This is the line 1 of the film." in lode("review", "show", review["id"]).out


def test_a_line_is_asked_about_again(lode: Lode, film: str, model: CorrectingServer) -> None:
    lode("fix", film, *MODEL)
    (review,) = lode("review", "list", "--json").json()
    refused = lode("review", "again", review["id"], "1")
    assert refused.code == 1 and "nothing else" in refused.err
    model.correct = lambda rows: [row._replace(text="Der Zug fuhr ab.") for row in rows]
    assert "+ Der Zug fuhr ab." in lode("review", "again", review["id"], "1").out


def test_yes_applies_no_review_that_waited_before(lode: Lode, film: str, model: CorrectingServer) -> None:
    """The second run finds nothing: what the first one proposed still waits to be looked at."""
    lode("fix", film, *MODEL)
    before, model.correct = lines(lode), lambda rows: []
    assert "corrected" not in lode("fix", film, *MODEL, "--yes").err
    assert lines(lode) == before
    assert len(lode("review", "list", "--json").json()) == 1


def test_what_is_not_translated_is_counted(lode: Lode, film: str, model: CorrectingServer) -> None:
    """One is answered in German, and one is not answered."""
    english = {
        "Der Zug färt ab.": "The train is leaving now.",
        "Er färt schnell.": "Ich weiß nicht, wie schnell er fährt.",
    }
    model.correct = lambda rows: [row._replace(text=english[row.text]) for row in rows if row.text in english]
    done = lode("translate", film, "--to", "en", *MODEL, "--yes")
    assert "2 translations to review · 1 line without a translation" in done.out
    assert "1 line translated · 1 left · 1 without a translation · lode undo takes it back" in done.err


@pytest.mark.exhaustive
@pytest.mark.parametrize("at", [1, 4, 9])
def test_a_translation_that_is_killed_goes_on_and_pays_for_nothing_twice(
    lode: Lode, model: CorrectingServer, tmp_path: Path, at: int
) -> None:
    """The real command, killed while eight batches are asked about at most, and tried again."""
    path = tmp_path / "Lang.srt"
    texts = [f"Der Zug Nummer {number} fährt gleich ab." for number in range(150)]
    times = [f"00:{each // 60:02}:{each % 60:02}" for each in range(150)]
    blocks = (
        f"{each + 1}\n{time},000 --> {time},900\n{text}\n\n"
        for each, (time, text) in enumerate(zip(times, texts, strict=True))
    )
    path.write_text("".join(blocks), "utf-8")
    assert lode("add", str(path), "--language", "de").code == 0
    stuck, killed = threading.Event(), threading.Event()

    def answer(rows: list[Entry]) -> Sequence[Entry]:
        if len(model.asked) >= at and not killed.is_set():
            stuck.set()
            killed.wait(60)
        return [row._replace(text=f"The train {row.text.split()[3]} is about to leave the station.") for row in rows]

    model.correct = answer
    command = [LODE, "translate", "Lang", "--to", "en", *MODEL]
    process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert stuck.wait(60)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    killed.set()
    (job,) = (each for each in lode("jobs", "list", "--json").json() if each["kind"] == "translate")
    assert job["state"] == "interrupted"
    assert lode("jobs", "retry", job["id"]).code == 0
    (review,) = lode("review", "list", "--json").json()
    assert (review["total"], review["left"]) == (150, 0)
    assert lode("review", "apply", review["id"], "--yes").code == 0
    (track,) = (each for each in lode("transcripts", "list", "--json").json() if each["title"] == "Lang · English")
    cues = lode("transcripts", "show", track["id"], "--json").json()["cues"]
    assert [cue["text"].split()[2] for cue in cues] == [str(number) for number in range(150)]
    in_flight = 8
    assert len(model.asked) <= len(set(model.asked)) + in_flight
