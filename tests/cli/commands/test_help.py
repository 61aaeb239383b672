"""``lode help``: the list of guides, a guide on a terminal, in a pipe and as JSON, and hints where a topic is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Lode
from tui.guides import list_guides, read_guide


def test_without_a_topic_every_guide_has_a_line(lode: Lode) -> None:
    assert lode("help").out.splitlines() == [f"{guide.topic}\t{guide.summary}" for guide in list_guides()]
    shown = lode("help", terminal=True).out.splitlines()
    assert len(shown) == len(list_guides()) + 1
    assert max(map(len, shown)) <= 80
    assert [row["topic"] for row in lode("help", "--json").json()] == [guide.topic for guide in list_guides()]


def test_a_pipe_gets_the_markdown_and_json_has_it_as_text(lode: Lode) -> None:
    assert lode("help", "films").out == read_guide("films")
    found = lode("help", "films", "--json").json()
    assert (found["topic"], found["title"], found["text"]) == ("films", "Films and recordings", read_guide("films"))


def test_a_terminal_gets_it_laid_out(lode: Lode, monkeypatch: pytest.MonkeyPatch) -> None:
    out = lode("help", "films", terminal=True).out
    assert out.startswith("\x1b[1mFilms and recordings\x1b[0m\n")
    assert "**" not in out
    monkeypatch.setenv("TERM", "dumb")
    assert lode("help", "films", terminal=True).out == read_guide("films")


def test_the_keys_are_those_of_the_settings(lode: Lode, home: Path) -> None:
    (home / "config.toml").write_text('[keys]\n"reader.clip" = "f5"\n', "utf-8")
    assert "| `f5` | save a clip straight away | reader.clip |" in lode("help", "keys").out


def test_an_unknown_topic_is_wrong_usage_with_the_next_step(lode: Lode) -> None:
    for topic, hint in (("film", "did you mean films?"), ("add", "lode add --help says"), ("zzz", "there are anki, ")):
        lode("help", topic).check_refused(f"error: there is no guide '{topic}'\nhint: {hint}", code=2)
