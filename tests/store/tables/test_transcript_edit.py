"""An edit of a transcript and its undo, down to the rows: counts, search tables, the file's language."""

from __future__ import annotations

import pytest

from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE
from tests.store.tables.test_trash import check_search_tables, everything
from tui.records.transcripts import Cue, NewTranscript
from tui.store import Store

CUES = [Cue(0, 0, 900, "Der Zug kommt, der Zug."), Cue(1, 1000, 1900, "東京に行きます")]


def edit(store: Store, transcript_id: str, title: str | None = None, language: str | None = None) -> None:
    store.transcripts.edit(PROFILE, transcript_id, title=title, language=language)


@pytest.mark.parametrize("language", ["nl", "", "ja", "de-AT"])
def test_undo_brings_back_every_row_but_the_inventory_of_words(store: Store, language: str) -> None:
    file, transcript = add_file(store, "zug.srt", CUES)
    add_file(store, "andere.srt", [Cue(0, 0, 900, "Der Zug.")])
    before = everything(store)
    edit(store, transcript.id, "Anders", language)
    check_search_tables(store.path)
    edited = everything(store)
    assert edited["all_transcripts"] != before["all_transcripts"]
    assert edited["found"] == before["found"]
    assert store.files.get(PROFILE, file.id).language == (language or None)
    restored = store.trash.undo(PROFILE)
    assert restored is not None
    assert (restored.kind, restored.summary) == ("edit", "zug, as it was before it was edited")
    check_search_tables(store.path)
    after = everything(store)
    after["forms"] = before["forms"]  # the inventory of words only grows
    assert after == before


def test_counts_are_those_of_an_import_in_that_language(store: Store) -> None:
    _, transcript = add_file(store, "zug.srt", CUES)
    edit(store, transcript.id, language="nl")
    assert store.words.occurrences(PROFILE, "nl", ["zug"]) == (2, (2,))
    assert store.words.occurrences(PROFILE, "de", ["zug"]) == (0, ())


def test_a_chapter_is_edited_alone_and_its_book_keeps_its_language(store: Store) -> None:
    chapters = [NewTranscript(f"Kapitel {n}", "de", [Cue(0, None, None, f"Der Zug {n}.")]) for n in (1, 2)]
    file, _ = add_file(store, "buch.epub", transcripts=chapters, sha256="cd")
    newest = store.transcripts.page(PROFILE).items
    edit(store, newest[0].id, language="nl")
    assert [each.language for each in store.transcripts.page(PROFILE).items] == ["nl", "de"]
    assert store.files.get(PROFILE, file.id).language == "de"
    assert store.files.read_named_options(PROFILE, file.id) == (None, None)


def test_an_edit_of_a_transcript_that_is_gone_for_good_brings_nothing_back(store: Store) -> None:
    _, transcript = add_file(store, "zug.srt", CUES)
    edit(store, transcript.id, "Anders")
    store.transcripts.delete(PROFILE, [transcript.id])
    connection = store._connections
    with connection.write() as writing:
        writing.execute("DELETE FROM trash WHERE kind = 'transcript'")
    while store.trash.remove_discarded():
        pass
    restored = store.trash.undo(PROFILE)
    assert restored is not None
    assert restored.count == 0
