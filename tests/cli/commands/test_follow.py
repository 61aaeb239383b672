"""``lode follow``: what is refused before the app opens, and the app led by a real mpv."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import STORY, Lode
from tests.playing.programs import Programs, programs
from tests.waiting import wait_until

__all__ = ["programs"]


@pytest.fixture
def transcript(lode: Lode, tmp_path: Path) -> str:
    (tmp_path / "film.de.srt").write_text(STORY, "utf-8")
    assert lode("add", str(tmp_path / "film.de.srt")).code == 0
    return str(json.loads(lode("transcripts", "list", "--json").out)[0]["id"])


def test_what_cannot_be_followed_is_refused_with_the_next_step(
    lode: Lode, tmp_path: Path, transcript: str, programs: Programs
) -> None:
    film = tmp_path / "-film.mkv"
    refused = lode("follow", transcript[:6])
    assert (refused.code, refused.err) == (
        1,
        "error: film has no film or recording\nhint: name it: lode files link TRANSCRIPT FILM\n",
    )
    refused = lode("follow", transcript, "--", str(film))
    assert (refused.code, "error: -film.mkv is not on this machine" in refused.err) == (1, True)
    film.touch()
    refused = lode("follow", transcript, str(film))
    assert (refused.code, "error: mpv was not found here\nhint: install mpv" in refused.err) == (1, True)
    programs.add("mpv")
    refused = lode("follow", transcript, str(film))
    assert (refused.code, "the app needs a terminal" in refused.err) == (1, True)
    refused = lode("follow", transcript, "--socket", str(tmp_path / "mpv"))
    assert (refused.code, "the app needs a terminal" in refused.err) == (1, True)
    assert lode("follow", "nothing", str(film)).code == 1
    (tmp_path / "story.txt").write_text("Der Zug kommt. Er fährt ab.", "utf-8")
    lode("add", str(tmp_path / "story.txt"), "--language", "de")
    story = json.loads(lode("transcripts", "list", "--search", "story", "--json").out)[0]["id"]
    refused = lode("follow", story, str(film))
    assert (refused.code, "story has no times" in refused.err) == (1, True)
    assert not programs.told("mpv")


@pytest.mark.exhaustive
def test_the_app_is_led_by_a_real_mpv_which_ends_with_it(
    lode: Lode, home: Path, tmp_path: Path, transcript: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.media.films import make_film
    from tests.test_terminal import Terminal

    for program in ("mpv", "ps", "tmux"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    (tmp_path / "mpv.conf").write_text("ao=null\nvo=null\npause=yes\nkeep-open=yes\n")
    monkeypatch.setenv("MPV_HOME", str(tmp_path))
    film = make_film(tmp_path / "film.mkv", 8)
    terminal = Terminal(home, arguments=("follow", transcript, str(film)))
    try:
        terminal.wait_for("paused · 0:00", "▌ 0:01")
        terminal.press("p")  # from there on it plays
        terminal.wait_for("▌ 0:03")
        terminal.press("q")
        wait_until(lambda: not terminal.is_running())
        wait_until(lambda: not any(str(film) in command for command in _commands()))
    finally:
        terminal.close()


def _commands() -> list[str]:
    """The command lines of all processes."""
    return subprocess.run(["ps", "axww", "-o", "args"], capture_output=True, text=True, check=True).stdout.splitlines()
