"""``lode mine``, as it is typed and in pipes."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Lode
from tests.server_process import LODE
from tests.service.jobs.mining_server import Asked, MiningServer
from tests.waiting import HANGS

SRT = """1
00:00:01,000 --> 00:00:02,000
Der Hund schläft im Garten.

2
00:00:03,000 --> 00:00:04,000
Ein Baum steht dort.
"""
OTHER = SRT.replace("Hund", "Fuchs") + "\n3\n00:00:05,000 --> 00:00:06,000\nEin Fuchs trifft noch einen Fuchs.\n"
"""Another film, with a word that is more than once in it and in no other."""
MODEL = ("--model", "near:miner")


@pytest.fixture
def model(home: Path) -> Iterator[MiningServer]:
    with MiningServer() as server:
        home.mkdir(exist_ok=True)
        own = f'[providers.near]\nprotocol = "openai"\nbase_url = "{server.url}"\n'
        (home / "config.toml").write_text(own, "utf-8")
        yield server


@pytest.fixture
def film(lode: Lode, model: MiningServer, tmp_path: Path) -> str:
    for name in ("Film", "Anderer"):
        path = tmp_path / f"{name}.srt"
        path.write_text(SRT if name == "Film" else OTHER, "utf-8")
        assert lode("add", str(path), "--language", "de").code == 0
    return "Film"


def test_a_dry_run_asks_nobody_and_says_what_is_missing(lode: Lode, model: MiningServer, film: str) -> None:
    told = lode("mine", film, "--words", "-", *MODEL, "--dry-run", stdin="Hund\n\nZebra\nBaum\n")
    assert told.code == 0 and not model.asked
    assert told.out.startswith("Film · 2 words · 4 requests · near:miner · costs nothing")
    assert "not in this transcript: Zebra" in told.err
    refused = lode("mine", film)
    assert refused.code == 1 and "nothing to break down" in refused.err and "with m" in refused.err


def test_words_become_cards_that_are_looked_at_and_kept(lode: Lode, model: MiningServer, film: str) -> None:
    done = lode("mine", film, "--words", "-", *MODEL, "--tag", "abend", stdin="Hund\nBaum\n")
    assert done.code == 0 and "2 cards to review" in done.out and "lode review show" in done.err
    assert lode("clips", "list", "--json").json() == []
    (review,) = lode("review", "list", "--json").json()
    assert (review["kind"], review["total"]) == ("cards", 2)
    shown = lode("review", "show", review["id"]).out.splitlines()
    assert shown[:5] == [
        "card 1 · 0:01 · taken",
        "  Hund · hund",
        "  meaning of Hund",
        "  Der Hund schläft im Garten.",
        "  In English.",
    ]
    assert lode("review", "edit", review["id"], "2", "tree").code == 0
    applied = lode("review", "apply", review["id"], "--yes")
    assert applied.code == 0 and "2 clips made or completed" in applied.err
    clips = lode("clips", "list", "--json").json()
    assert {clip["focus"]["meanings"][0] for clip in clips} == {"meaning of Hund", "tree"}
    assert {tuple(clip["tags"]) for clip in clips} == {("abend",)}
    assert lode("undo").code == 0
    assert lode("clips", "list", "--json").json() == [] and len(lode("review", "list", "--json").json()) == 1


def test_the_next_words_go_in_as_they_come_out_and_those_of_other_texts_are_counted(
    lode: Lode, model: MiningServer, film: str
) -> None:
    words = lode("words", "next", "--language", "de", "--json").out
    other = [each for each in json.loads(words) if each["title"] != "Film"]
    assert other
    done = lode("mine", film, "--words", "-", *MODEL, "--yes", stdin=words)
    assert done.code == 0, done.err
    assert f"{len(other)} word" in done.err and "passed over" in done.err
    assert "tagged mined-" in done.err
    clips = lode("clips", "list", "--json").json()
    assert len(clips) == len(json.loads(words)) - len(other)
    assert {clip["source"] for clip in clips} == {"Film"}


def test_cards_come_as_lines_of_json(lode: Lode, model: MiningServer, film: str, tmp_path: Path) -> None:
    listed = tmp_path / "words.txt"
    listed.write_text("Hund\nGarten\nBaum\n", "utf-8")
    done = lode("mine", film, "--words", str(listed), *MODEL, "--json")
    cards = [json.loads(line) for line in done.out.splitlines()]
    assert [card["number"] for card in cards] == [0, 1, 2]
    assert {card["focus"]["surface"] for card in cards} == {"Hund", "Garten", "Baum"}
    assert all(card["explanation"] and card["tags"][0].startswith("mined-") for card in cards)


def test_the_commonest_words_are_mined_without_a_model(lode: Lode, model: MiningServer, film: str) -> None:
    done = lode("mine", film, "--commonest", "3000")
    assert done.code == 0 and "cards to review" in done.out and "lexicon:concordance" in done.err
    assert not model.asked
    (review,) = lode("review", "list", "--json").json()
    assert review["total"] >= 5


def test_killed_in_its_midst_it_goes_on_and_pays_for_no_card_twice(
    lode: Lode, home: Path, model: MiningServer, film: str, tmp_path: Path
) -> None:
    came = threading.Event()

    def hold(asked: Asked) -> None:
        if len(model.asked) == 6:
            came.set()
            released.wait(HANGS)

    released = threading.Event()
    model.refuse = hold
    listed = tmp_path / "words.txt"
    listed.write_text("Hund\nGarten\nBaum\ndort\nschläft\n", "utf-8")
    command = [LODE, "--home", str(home), "mine", film, "--words", str(listed), *MODEL]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as killed:
        assert came.wait(HANGS)
        killed.send_signal(signal.SIGKILL)
    released.set()
    (job,) = [each for each in lode("jobs", "list", "--json").json() if each["kind"] == "mine"]
    assert job["state"] == "interrupted"
    (review,) = lode("review", "list", "--json").json()
    assert review["total"] == 2, "what was answered is there"
    before = len(model.asked)
    assert lode("jobs", "retry", job["id"]).code == 0
    assert len(model.asked) - before == 2 * 3
    (review,) = lode("review", "list", "--json").json()
    assert review["total"] == 5


@pytest.mark.parametrize("given", ["[{}]", "[1]", "[", '{"cue": "x"}'])
def test_what_names_no_words_is_refused(lode: Lode, model: MiningServer, film: str, given: str) -> None:
    refused = lode("mine", film, "--words", "-", *MODEL, stdin=given)
    assert refused.code in (1, 2) and "Traceback" not in refused.err and not model.asked


def test_a_server_that_refuses_ends_it_with_what_to_do(lode: Lode, model: MiningServer, film: str) -> None:
    model.refuse = lambda asked: (401, {"error": {"message": "no"}})
    failed = lode("mine", film, "--words", "-", *MODEL, "--json", stdin="Hund\n")
    assert failed.code == 1 and "error: " in failed.err and failed.out == ""
