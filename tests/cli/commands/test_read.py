"""``lode read``: the app, opened at the transcript that is meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import STORY, Lode, add_file
from tui.cli.context import Context
from tui.records.transcripts import ReadingPlace
from tui.store import Store


def see_opened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Where the app is opened, which is not done."""
    opened: list[Any] = []

    def open_app(self: Context, follows: Any = None) -> int:
        opened.append(follows)
        return 0

    monkeypatch.setattr(Context, "open_app", open_app)
    return opened


def test_the_app_opens_at_the_transcript_of_that_name(
    lode: Lode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = add_file(lode, tmp_path / "Der letzte Zug.srt")["transcript_id"]
    moving = add_file(lode, tmp_path / "Der Umzug.srt", STORY.replace("Zug", "Bus"))["transcript_id"]
    opened = see_opened(monkeypatch)
    for title in (
        ("Der letzte Zug",),
        ("der", "letzte", "zug"),
        ("der l",),
        (last[:6],),
        (str(tmp_path / "Der Umzug.srt"),),
    ):
        assert lode("read", *title).code == 0
    assert opened == [(each, None) for each in (last, last, last, last, moving)]
    several = lode("read", "Der")
    assert several.code == 1
    assert f'{moving} "Der Umzug"' in several.err and f'{last} "Der letzte Zug"' in several.err
    lode("read", "Das Boot").check_refused("there is no transcript 'Das Boot'")


def test_without_a_title_it_goes_on_where_one_left_off(
    lode: Lode, tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = add_file(lode, tmp_path / "Der letzte Zug.srt")["transcript_id"]
    add_file(lode, tmp_path / "Der Umzug.srt", STORY.replace("Zug", "Bus"))
    lode("read").check_refused("nothing was read yet", "lode read TITLE")
    store.transcripts.leave_at("default", last, ReadingPlace(1, 0, 1))
    opened = see_opened(monkeypatch)
    assert lode("read").code == 0
    assert opened == [(last, None)]
    shown = [row["read"] for row in lode("transcripts", "list", "--columns", "read", "--json").json()]
    assert shown == [None, 0.5]
    assert [row["read_cues"] for row in lode("files", "list", "--json").json()] == [None, 1]


def test_without_a_terminal_it_says_so(lode: Lode, story: Path) -> None:
    lode("add", str(story))
    lode("read", "Der Zug").check_refused("the app needs a terminal")
