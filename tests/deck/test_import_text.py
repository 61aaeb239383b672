"""The text for Anki's own import, in a real collection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.deck.clips import clip
from tests.deck.conftest import Anki, Imported
from tests.hostile import HOSTILE
from tui.deck.formats import write_import_text, write_text
from tui.deck.note import make_note
from tui.deck.note_type import FIELDS
from tui.records.clips import Clip


def take_text(anki: Anki, path: Path, *clips: Clip, deck: str = "Lode") -> Any:
    from anki.collection import ImportCsvRequest

    write_text(path, write_import_text(deck, map(make_note, clips)), overwrite=True)
    metadata = anki.col.get_csv_metadata(path=str(path), delimiter=None)
    return anki.col.import_csv(ImportCsvRequest(path=str(path), metadata=metadata)).log


def test_text_updates_the_notes_of_a_deck_and_adds_the_rest_with_all_their_fields(anki: Anki, tmp_path: Path) -> None:
    anki.take_clips(clip(1))
    edited = clip(1, note='"quoted"\tand\nin two lines', tags=("verb::strong", "zug"))
    log = take_text(anki, tmp_path / "lode.txt", edited, clip(2))
    assert (len(log.new), len(log.updated)) == (1, 1)
    for each in (edited, clip(2)):
        wanted = make_note(each)
        (found,) = [note for note in anki.notes() if note.guid == wanted.guid]
        assert tuple(found.fields) == wanted.fields[: len(FIELDS)]
        assert sorted(found.tags) == sorted(wanted.tags)
        assert found.note_type()["name"] == "Lode"
        assert anki.col.decks.name(found.cards()[0].did) == "Lode"
    assert len(anki.col.models.all_names_and_ids()) == len({each.name for each in anki.col.models.all_names_and_ids()})


def test_a_deck_goes_on_with_what_a_text_brought(anki: Anki, tmp_path: Path) -> None:
    anki.take_clips(clip(1))
    take_text(anki, tmp_path / "lode.txt", clip(2))
    assert anki.take_clips(clip(1), clip(2)) == Imported(duplicate=2)


@pytest.mark.exhaustive
def test_hostile_texts_stay_in_their_fields(anki: Anki, tmp_path: Path) -> None:
    anki.take_clips(clip("plain"))
    for at, text in enumerate(HOSTILE.values()):
        hostile = clip(at, sentence=text, explanation=text, note=text, source=text, tags=(text,))
        log = take_text(anki, tmp_path / "lode.txt", hostile, deck=text)
        (number,) = (note.id.nid for note in log.new)
        assert tuple(anki.col.get_note(number).fields) == make_note(hostile).fields[: len(FIELDS)]
