"""Notes that other programs send as to Anki: their numbers, their clips, their media and names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.store.conftest import PROFILE, AddFilm, check_search_tables, redo, run_sql, undo
from tui.records.clips import FocusWord, NewClip
from tui.records.inbox import InboxNote
from tui.store import Store
from tui.store.tables.inbox import KeptNote

NOTE = InboxNote(0, "", "Lode", "Lode", {"Sentence": "Der <b>Zug</b>.\x00"}, state="new")
ZUG = NewClip("Der Zug fährt ab.", focus=FocusWord("Zug", language="de"), tags=("a",))
OLD = "2020-01-01T00:00:00.000Z"


def add(store: Store, clip: NewClip = ZUG, audio: str = "", picture: str = "", **media: bytes) -> KeptNote:
    """Add a note; ``media`` are named by the names of parameters, with an ending."""

    def make(names: Sequence[str]) -> tuple[InboxNote, NewClip, str, str]:
        return NOTE, clip, audio, picture

    return store.inbox.add(PROFILE, [(f"{name}.mp3", content) for name, content in media.items()], make)


def test_numbers_ascend_even_within_a_millisecond_and_where_clocks_went_back(store: Store) -> None:
    numbers = [add(store).note.id for _ in range(20)]
    assert numbers == sorted(set(numbers)) and len(str(numbers[0])) == 13
    run_sql(store, "UPDATE inbox_notes SET id = id + 1000000 WHERE id = ?", (numbers[-1],))
    assert add(store).note.id == numbers[-1] + 1_000_001
    assert len(store.clips.page(PROFILE).items) == 1


def test_a_double_is_the_same_word_and_folded_sentence(store: Store) -> None:
    first = add(store)
    assert first.note.fields == NOTE.fields
    again = replace(ZUG, sentence="der zug, fährt ab!", translation="The train.", tags=("A", "b"))
    joined = add(store, again)
    assert (joined.clip.id, joined.clip.translation, joined.clip.tags) == (first.clip.id, "The train.", ("a", "b"))
    assert joined.clip.sentence == ZUG.sentence
    others = [
        replace(ZUG, focus=FocusWord("fährt")),
        replace(ZUG, focus=None),
        replace(ZUG, sentence="Der Zug fährt nicht ab."),
        replace(ZUG, focus=FocusWord("Züge", lemma="zug"), sentence="Die Züge fahren."),
    ]
    assert len({add(store, other).clip.id for other in others} | {first.clip.id}) == 5
    assert store.inbox.has_double(PROFILE, others[1]) and not store.inbox.has_double("other", others[1])
    assert not store.inbox.has_double(PROFILE, NewClip("Der Zug"))
    assert store.inbox.known_words(PROFILE, ["ZUG", "fährt", "Bus", "ab"]) == {"ZUG", "fährt"}
    found = store.inbox.clips_of_words(PROFILE, ["zug"])
    assert [clip.focus.surface for clip in found if clip.focus] == ["Zug", "Zug", "Züge"]


def test_files_of_one_name_are_told_apart_and_of_one_content_kept_once(store: Store) -> None:
    assert store.inbox.put_media(PROFILE, "a.mp3", b"one") == "a.mp3"
    assert store.inbox.put_media(PROFILE, "a.mp3", b"one") == "a.mp3"
    other = store.inbox.put_media(PROFILE, "a.mp3", b"two")
    assert other == "a-3fc4ccfe.mp3" == store.inbox.put_media(PROFILE, "a.mp3", b"two")
    assert store.inbox.put_media(PROFILE, "b.mp3", b"one") == "b.mp3"
    assert store.inbox.find_media(PROFILE, ["a.mp3", other, "none"]).keys() == {"a.mp3", other}
    assert store.inbox.find_media("other", ["a.mp3"]) == {}
    assert run_sql(store, "SELECT count(*) FROM clip_media") == [(2,)]


def test_a_note_and_its_media_come_together_or_not_at_all(store: Store) -> None:
    def fail(names: Sequence[str]) -> tuple[InboxNote, NewClip, str, str]:
        assert names == ["a.mp3"]
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        store.inbox.add(PROFILE, [("a.mp3", b"one")], fail)
    assert store.inbox.find_media(PROFILE, ["a.mp3"]) == {}
    assert run_sql(store, "SELECT count(*) FROM clip_media") == [(0,)]


def test_a_clip_gets_its_sound_and_keeps_it_until_a_client_sends_another(store: Store) -> None:
    kept = add(store, audio="a.mp3", a=b"one")
    assert store.media.content(kept.clip.audio or "") == b"one"
    assert add(store, audio="b.mp3", b=b"two").clip.audio == kept.clip.audio
    before = store.clips.get(PROFILE, kept.clip.id)
    store.inbox.attach(PROFILE, kept.clip.id, "b.mp3", "b.mp3")
    late = store.clips.get(PROFILE, kept.clip.id)
    assert (late.audio, late.updated_at) == (kept.clip.audio, before.updated_at)
    assert store.media.content(late.picture or "") == b"two"

    fields = {"Sentence": "x"}
    store.inbox.update(
        PROFILE,
        [kept.note.id, kept.note.id, 5],
        lambda now: (replace(now.note, fields=fields), replace(now.clip.contents(), translation="New."), "b.mp3", ""),
    )
    now = store.inbox.notes(PROFILE, [kept.note.id])[kept.note.id]
    assert (now.note.fields, now.clip.translation, now.clip.audio) == (fields, "New.", late.picture)
    assert now.clip.updated_at > late.updated_at
    undo(store)
    assert store.clips.get(PROFILE, kept.clip.id).translation == ""
    redo(store)
    check_search_tables(store)


def test_a_note_is_there_as_long_as_its_clip(store: Store) -> None:
    kept = add(store)
    assert store.inbox.list_open(PROFILE) == [kept.note.id] == list(store.inbox.list_arrived(PROFILE))
    store.clips.delete(PROFILE, [kept.clip.id])
    assert store.inbox.notes(PROFILE, [kept.note.id]) == {} == store.inbox.list_arrived(PROFILE)
    assert store.inbox.list_open(PROFILE) == []
    undo(store)
    assert list(store.inbox.notes(PROFILE, [kept.note.id, 5])) == [kept.note.id]
    assert store.inbox.notes("other", [kept.note.id]) == {}


def test_what_changed_while_it_was_filled_stays_and_is_filled_again(store: Store) -> None:
    kept = add(store)
    before = kept.clip.contents()
    filled = replace(before, focus=replace(ZUG.focus or FocusWord(""), meanings=("train",)), explanation="It is.")
    store.clips.edit(PROFILE, kept.clip.id, replace(before, translation="Mine.", tags=("mine",)))
    assert store.inbox.enrich(PROFILE, kept.clip.id, before, filled)
    now = store.clips.get(PROFILE, kept.clip.id)
    assert now.focus is not None
    assert (now.translation, now.tags, now.focus.meanings, now.explanation) == (
        "Mine.",
        ("mine",),
        ("train",),
        "It is.",
    )
    store.clips.edit(PROFILE, kept.clip.id, replace(now.contents(), sentence="Ein Zug."))
    assert not store.inbox.enrich(PROFILE, kept.clip.id, before, filled)

    store.inbox.update(PROFILE, [kept.note.id], lambda each: (replace(each.note, fields={}), each.clip, "", ""))
    store.inbox.set_state(kept.note, "done")
    assert store.inbox.list_open(PROFILE) == [kept.note.id]
    store.inbox.set_state(replace(kept.note, fields={}), "done")
    assert store.inbox.list_open(PROFILE) == []


def test_clips_of_the_library_get_notes_that_stand_for_them(store: Store) -> None:
    clip = store.clips.add(PROFILE, ZUG)
    number = store.inbox.number_clips([clip], "Lode", "Lode")[clip.id]
    assert store.inbox.number_clips([clip], "Lode", "Lode") == {clip.id: number}
    assert len(str(number)) == 13
    assert not store.inbox.notes(PROFILE, [number])[number].note.arrived
    assert store.inbox.list_arrived(PROFILE) == {} and store.inbox.list_open(PROFILE) == []


def test_a_cue_is_found_by_its_sentence(store: Store, add_film: AddFilm) -> None:
    _, film = add_film("Der Zug fährt ab.", "Er kommt.")
    row = store.inbox.find_cue(PROFILE, "der Zug, fahrt ab")
    assert row is not None and (row["id"], row["position"], row["start_ms"]) == (film.id, 0, 0)
    for sentence in ("Der Zug fährt", "Zug", "", "!", '"', "nicht da"):
        assert store.inbox.find_cue(PROFILE, sentence) is None
    assert store.inbox.find_cue("other", "Er kommt.") is None


def test_names_are_kept_once_with_all_their_fields(store: Store) -> None:
    store.inbox.add_name(PROFILE, "note_type", "T", ("a", "b"))
    store.inbox.add_name(PROFILE, "note_type", "T", ("b", "c"))
    store.inbox.add_name(PROFILE, "deck", "T")
    assert store.inbox.names(PROFILE, "note_type") == {"T": ("a", "b", "c")}
    assert store.inbox.names(PROFILE, "deck") == {"T": ()}
    assert store.inbox.names("other", "deck") == {}
    run_sql(
        store,
        "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 999)"
        " INSERT INTO inbox_names SELECT profile, 'deck', n, '[]' FROM n, (SELECT profile FROM inbox_names LIMIT 1)",
    )
    store.inbox.add_name(PROFILE, "deck", "one too many")
    assert len(store.inbox.names(PROFILE, "deck")) == 1000


def test_media_that_no_note_has_expire_and_others_stay(store: Store) -> None:
    kept = add(store, audio="a.mp3", a=b"one")
    gone = add(store, replace(ZUG, sentence="Noch ein Zug."), audio="g.mp3", g=b"gone")
    for name in ("stray.mp3", "young.mp3", "word.mp3"):
        store.inbox.put_media(PROFILE, name, name.encode())
    store.inbox.claim(PROFILE, kept.clip.id, ["a.mp3", "word.mp3", "none.mp3"])
    store.inbox.claim(PROFILE, gone.clip.id, ["g.mp3"])
    store.clips.delete(PROFILE, [gone.clip.id])
    run_sql(store, "UPDATE inbox_media SET created_at = ? WHERE name <> 'young.mp3'", (OLD,))
    run_sql(store, "UPDATE inbox_notes SET id = id - 100000000000")
    run_sql(store, "DELETE FROM trash")
    store.expiry.forget_steps()
    names = {name for (name,) in run_sql(store, "SELECT name FROM inbox_media")}
    assert names == {"a.mp3", "word.mp3", "young.mp3"}
    assert store.media.content(kept.clip.audio or "") == b"one"
    assert len(run_sql(store, "SELECT id FROM inbox_notes")) == 1
    assert run_sql(store, "SELECT count(*) FROM clip_media") == [(3,)]
