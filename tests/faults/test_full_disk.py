"""A full disk, as its user meets it: everything can be read and taken elsewhere, and nothing that is typed is lost."""

from __future__ import annotations

import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli import conftest as command_line
from tests.cli.conftest import Lode
from tests.faults.refusals import quits, until_said
from tests.faults.small_disk import SmallDisk, small_disk
from tests.screens.driving import opened, shows, table, until, until_shown
from tests.vocabulary.anki_collections import Collection
from tui.config import Settings
from tui.errors import ImportRefused
from tui.records.clips import NewClip
from tui.records.vocabulary import VocabularyChoice
from tui.screens.forms.clip_form import ClipForm
from tui.screens.shell.chosen_look import keep_look, with_chosen_look
from tui.service.local import LocalService
from tui.store import Store
from tui.vocabulary.formats import open_vocabulary
from tui.widgets.forms.text_area_field import TextField

pytestmark = pytest.mark.exhaustive

__all__ = ["small_disk"]

lode = command_line.lode

FULL = "the disk is full: nothing can be saved"
PAGE = 4096


@pytest.fixture
def on_disk(small_disk: SmallDisk, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home with a clip on the small disk."""
    directory = small_disk.path / "home"
    store = Store.open(directory)
    store.clips.add("default", NewClip("Der Zug kommt."))
    store.close()
    monkeypatch.setenv("LODE_HOME", str(directory))
    yield directory


def test_commands_read_and_export_from_a_full_disk_with_one_line_of_warning(
    lode: Lode, on_disk: Path, small_disk: SmallDisk, tmp_path: Path
) -> None:
    small_disk.fill(0)
    listed = lode("clips", "list", "--json")
    assert [clip["sentence"] for clip in listed.json()] == ["Der Zug kommt."]
    assert listed.err == f"warning: {FULL}\n"
    exported = lode("export", str(tmp_path / "deck.apkg"))
    assert (exported.code, exported.err.splitlines()[0]) == (0, f"warning: {FULL}")
    assert "could not note this export" in exported.err
    assert zipfile.is_zipfile(tmp_path / "deck.apkg")
    assert lode("backup", str(tmp_path / "copy.db")).code == 0
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("SELECT sentence FROM clips").fetchall() == [("Der Zug kommt.",)]
    refused = lode("undo")
    assert refused.code == 1
    refused = lode("template", "set", "--prompt", "mine {{ focus }}")
    assert (refused.code, refused.out) == (1, "")
    assert "the disk is full" in refused.err
    assert refused.err.count("\n") == 2
    examined = lode("doctor")
    assert "it is full: what is there can be read, and nothing can be saved" in " ".join(examined.out.split())
    small_disk.make_room()
    assert lode("template", "set", "--prompt", "mine {{ focus }}").code == 0
    assert lode("clips", "list").err == ""
    assert lode("export", str(tmp_path / "deck.apkg"), "--json").json()["new"] == 1, "it was not noted then"


async def test_the_app_opens_on_a_full_disk_and_saves_once_there_is_room(on_disk: Path, small_disk: SmallDisk) -> None:
    small_disk.fill(8192)
    settings = Settings(home=on_disk, config_path=on_disk / "config.toml")
    async with opened(LocalService(settings), section="3", rows=1) as pilot:
        await until_shown(pilot, FULL)
        await pilot.press("E")
        await until(pilot, lambda: isinstance(pilot.app.screen, ClipForm))
        form = pilot.app.screen
        form.query_one("#note", TextField).load_text("at the station")
        await pilot.press("f2")
        await until_said(pilot, "the disk is full", "cannot grow")
        assert form.query_one("#note", TextField).text == "at the station"
        small_disk.make_room()
        await pilot.press("f2")
        await until(pilot, lambda: pilot.app.screen is not form)
        await until(pilot, lambda: not shows(pilot, FULL))
        await until(pilot, lambda: table(pilot).is_loaded)
        await quits(pilot)


def test_a_look_that_cannot_be_kept_leaves_the_one_that_was(small_disk: SmallDisk) -> None:
    settings = Settings(home=small_disk.path, config_path=small_disk.path / "config.toml")
    keep_look(settings, "theme", "nord")
    small_disk.fill(0)
    with pytest.raises(OSError, match="No space left"):
        keep_look(settings, "theme", "dracula")
    assert with_chosen_look(settings).theme == "nord"
    assert sorted(path.name for path in small_disk.path.iterdir()) == ["filling", "look.json"]
    small_disk.make_room()
    keep_look(settings, "theme", "dracula")
    assert with_chosen_look(settings).theme == "dracula"


@pytest.mark.parametrize("kind", ["anki21b", "anki21", "an open collection"])
def test_a_file_of_ankis_is_not_called_damaged_where_there_is_no_room_for_its_copy(
    tmp_path: Path, small_disk: SmallDisk, kind: str
) -> None:
    collection = Collection(tmp_path / "collection.anki2")
    wanted, refusals = {f"Wort{number}" for number in range(1000)}, 0
    for word in wanted:
        collection.known(word)
    path = collection.path
    if kind == "an open collection":
        assert collection.path.with_name("collection.anki2-wal").stat().st_size
    else:
        path = collection.package(tmp_path / "deck.apkg", legacy=kind == "anki21")
    steps = (*range(0, 300, 28), *range(300, 1800, 300))
    for free in steps:
        small_disk.fill(free * PAGE)
        try:
            assert words_in(path, small_disk.path) == wanted
        except ImportRefused as refused:
            assert (refused.code, "the disk is full" in refused.message) == ("disk_full", True), (free, refused.message)
            refusals += 1
        assert sorted(each.name for each in small_disk.path.iterdir()) == ["filling"], free
        small_disk.make_room()
    assert words_in(path, small_disk.path) == wanted
    assert 1 < refusals < len(steps)


def words_in(path: Path, place: Path) -> set[str]:
    with open_vocabulary(path, place) as file:
        return {word.text for word in file.words(VocabularyChoice(), lambda share: None)}
