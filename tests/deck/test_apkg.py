"""The file: where it may stand, what is in it, and what a failure leaves behind."""

from __future__ import annotations

import errno
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest

from tests.deck.clips import clip, write_clips
from tui.deck import note_type
from tui.deck.apkg import write_deck
from tui.deck.formats import name_default_deck
from tui.deck.note import make_note
from tui.errors import DeckError
from tui.records.clips import Clip
from tui.records.settings import CardFront, CardHint, CardOptions

MANY = """
import sys
from pathlib import Path
from tests.deck.clips import clip, write_clips
from tui.errors import DeckError

def clips(number):
    for index in range(number):
        if index == {pause_at}:
            print("half way", flush=True)
            sys.stdin.read()
        yield clip(index, note="".join(chr(0x4E00 + (index * 7919 + place * 104729) % 20000) for place in range(500)))
"""


def rows(package: Path, query: str, place: Path) -> list[tuple[object, ...]]:
    with zipfile.ZipFile(package) as archive:
        archive.extract("collection.anki2", place)
    with closing(sqlite3.connect(place / "collection.anki2")) as connection:
        return connection.execute(query).fetchall()


def test_the_same_clips_give_the_same_compressed_package(tmp_path: Path) -> None:
    package, again = tmp_path / "exactly this name", tmp_path / "again"
    clips = [clip(number) for number in range(200)]
    assert write_clips(package, "Lode", clips) == write_clips(again, "Lode", iter(clips)) == 200
    assert {path.name for path in tmp_path.iterdir()} == {"exactly this name", "again"}
    assert package.read_bytes() == again.read_bytes()
    with zipfile.ZipFile(package) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["collection.anki2", "media"]
        assert {entry.compress_type for entry in archive.infolist()} == {zipfile.ZIP_DEFLATED}
        assert json.loads(archive.read("media")) == {}
        collection = archive.getinfo("collection.anki2")
        assert collection.compress_size < collection.file_size / 4
    numbers = [row[0] for row in rows(package, "SELECT id FROM notes ORDER BY id", tmp_path)]
    assert numbers[0] == 1_769_860_800_000  # the moment of the clip's creation
    assert len(set(numbers)) == 200
    query = "SELECT id, nid FROM cards ORDER BY due"
    assert rows(package, query, tmp_path) == [(number, number) for number in numbers]


def test_what_must_never_change_has_not_changed(tmp_path: Path) -> None:
    """Other ids, fields or template names would double every note of every learner."""
    write_clips(tmp_path / "a", "Lode", [clip("7f3")])
    ((models, decks),) = rows(tmp_path / "a", "SELECT models, decks FROM col", tmp_path)
    (model,) = json.loads(str(models)).values()
    assert (model["id"], model["name"], [template["name"] for template in model["tmpls"]]) == (
        "1852370915",
        "Lode",
        ["Reading"],
    )
    assert " ".join(field["name"] for field in model["flds"]) == (
        "Expression ExpressionReading Lemma PartOfSpeech MainDefinition Sentence SentenceFurigana Translation "
        "Explanation Context SentenceAudio Picture Frequency MiscInfo Notes SourceURL"
    )
    assert {deck["name"]: deck["id"] for deck in json.loads(str(decks)).values()} == {"Default": 1, "Lode": 2041469337}
    assert rows(tmp_path / "a", "SELECT guid, mod FROM notes", tmp_path) == [("lode-clip7f3", 1769860800)]


def test_a_changed_card_design_has_a_new_date() -> None:
    """Whoever changes the design moves ``DESIGN_DATE`` and then this; else no card in Anki would take it."""
    from hashlib import sha256

    fronts = [
        note_type.make_front(CardOptions(front, hint)) for front in get_args(CardFront) for hint in get_args(CardHint)
    ]
    design = "\0".join((*fronts, note_type.BACK, note_type.CSS))
    moment = int(datetime(2026, 11, 23, 18, 30, tzinfo=UTC).timestamp())
    assert (note_type.DESIGN_DATE, sha256(design.encode()).hexdigest()[:12]) == (moment, "fe843bd94449")


def test_the_deck_is_named_after_the_profile_and_needs_a_name(tmp_path: Path) -> None:
    assert name_default_deck("default") == "Lode"
    assert name_default_deck("anna") == "Lode::anna"
    for name in ("", "  ", "\x00\x1b[31m\n"):
        with pytest.raises(DeckError, match="needs a name") as caught:
            write_clips(tmp_path / "a", name, [])
        assert caught.value.hint
    assert list(tmp_path.iterdir()) == []


@pytest.mark.exhaustive
def test_a_hundred_thousand_clips_would_not_be_held_in_memory(tmp_path: Path) -> None:
    def peak(number: int) -> int:
        tracemalloc.reset_peak()
        write_clips(tmp_path / "a", "Lode", (clip(index, note="x" * 5_000) for index in range(number)))
        return tracemalloc.get_traced_memory()[1]

    tracemalloc.start()
    try:
        peak(10)
        few, many = peak(50), peak(600)
    finally:
        tracemalloc.stop()
    assert many - few < 2_000_000  # of 2 750 000 more in the notes alone


def test_where_no_deck_can_be_is_said_with_what_can(tmp_path: Path) -> None:
    for path, said, hint in (
        (tmp_path, "is a directory", "lode.apkg"),
        (tmp_path / "not here" / "a.apkg", "there is no directory", f"make it: mkdir -p '{tmp_path}/not here'"),
        (Path("/proc/self/a.apkg"), "/proc/", ""),  # where nobody can write
    ):
        with pytest.raises(DeckError, match=said) as caught:
            write_clips(path, "Lode", [clip()])
        assert hint in caught.value.hint != ""
    assert list(tmp_path.iterdir()) == []


def older_deck(path: Path) -> bytes:
    write_clips(path, "Lode", [clip()])
    return path.read_bytes()


def test_a_file_that_is_no_deck_is_kept_unless_it_may_be_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    for content in (b"a diary", b"PK\x05\x06" + bytes(18)):  # a text, another zip
        path.write_bytes(content)
        with pytest.raises(DeckError, match="exists and is no Anki deck") as caught:
            write_clips(path, "Lode", [clip()])
        assert caught.value.hint
        assert path.read_bytes() == content
        assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]
    assert write_clips(path, "Lode", [clip()], overwrite=True) == 1
    assert zipfile.is_zipfile(path)


def test_a_deck_of_any_version_and_an_empty_file_are_replaced(tmp_path: Path) -> None:
    path = tmp_path / "old.apkg"
    for collection in ("collection.anki2", "collection.anki21", "collection.anki21b"):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(collection, b"")
        assert write_clips(path, "Lode", [clip()]) == 1
    path.write_bytes(b"")
    assert write_clips(path, "Lode", [clip()]) == 1


def test_a_failure_while_writing_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "a.apkg"
    old = older_deck(package)

    def clips() -> Iterator[Clip]:
        yield clip(1)
        raise LookupError("the store is gone")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(LookupError, match="the store is gone"):
        write_clips(package, "Lode", clips())
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DeckError, match="no room left"):
        write_clips(package, "Lode", [clip()])
    assert package.read_bytes() == old
    assert [path.name for path in tmp_path.iterdir()] == ["a.apkg"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("limit", [100_000, 3_000_000], ids=["in the collection", "in a later write"])
def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path, limit: int) -> None:
    package = tmp_path / "a.apkg"
    old = older_deck(package)
    code = (
        MANY.format(pause_at=-1)
        + f"""
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
try:
    write_clips(Path(sys.argv[1]), "Lode", clips(5_000))
except DeckError as error:
    print(error.message, "|", error.hint)
"""
    )
    done = subprocess.run([sys.executable, "-c", code, str(package)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        f"no room left for the deck in {tmp_path} | free some room, or choose a directory on another disk\n"
    )
    assert package.read_bytes() == old
    assert [path.name for path in tmp_path.iterdir()] == ["a.apkg"]


def test_a_kill_in_the_middle_leaves_the_old_file(tmp_path: Path) -> None:
    package = tmp_path / "a.apkg"
    old = older_deck(package)
    code = MANY.format(pause_at=200) + 'write_clips(Path(sys.argv[1]), "Lode", clips(400))'
    with subprocess.Popen(
        [sys.executable, "-c", code, str(package)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "half way\n"
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=30)
    assert package.read_bytes() == old
    assert write_clips(package, "Lode", [clip()]) == 1
    assert zipfile.is_zipfile(package)


def test_importing_the_deck_module_loads_no_writer(run_python: Callable[[str], str]) -> None:
    loaded = run_python("import sys, tui.deck.formats, tui.deck.note; print(*sys.modules)").split()
    assert not {"genanki", "markdown_it", "yaml", "chevron"} & set(loaded)


def test_media_that_notes_name_lie_in_the_package_each_once(tmp_path: Path) -> None:
    sound, picture, lost = "ab" * 32, "cd" * 32, "ef" * 32
    asked: list[str] = []

    def media(name: str) -> bytes | None:
        asked.append(name)
        return None if lost in name else name.encode()

    notes = [make_note(clip(at, audio=sound, picture=lost if at else picture)) for at in range(2)]
    for path in (tmp_path / "a.apkg", tmp_path / "b.apkg"):
        write_deck(path, "Lode", notes, media=media)
    with zipfile.ZipFile(tmp_path / "a.apkg") as package:
        assert json.loads(package.read("media")) == {"0": f"lode-{sound}.mp3", "1": f"lode-{picture}.jpg"}
        assert package.read("1") == f"lode-{picture}.jpg".encode()
        assert sorted(package.namelist()) == ["0", "1", "collection.anki2", "media"]
    assert asked == [f"lode-{sound}.mp3", f"lode-{picture}.jpg", f"lode-{lost}.jpg"] * 2
    assert (tmp_path / "a.apkg").read_bytes() == (tmp_path / "b.apkg").read_bytes()
