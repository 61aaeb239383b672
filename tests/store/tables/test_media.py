"""Films of transcripts, and sounds and pictures of clips: kept as long as anybody has them, and no clip changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE, run_sql
from tui.errors import InvalidInput, NotFound
from tui.records.clips import Clip, NewClip
from tui.records.media import NewLink
from tui.records.transcripts import Cue
from tui.store import Store

FILM = NewLink("/films/dark.mkv", 10, 20, "ab" * 32)


@pytest.fixture
def transcript(store: Store) -> str:
    cues = [Cue(at, at * 1000, at * 1000 + 800, f"Zeile {at}") for at in range(4)]
    return add_file(store, cues=cues, duration_ms=4000)[1].id


def keep(store: Store, transcript: str, cue: int = 1, **changes: object) -> Clip:
    times = {"start_ms": cue * 1000, "end_ms": cue * 1000 + 800, "cue_index": cue, **changes}
    return store.clips.add(PROFILE, NewClip(f"Zeile {cue}", transcript_id=transcript, **times))  # type: ignore[arg-type]


def sounds(store: Store) -> int:
    return len(run_sql(store, "SELECT 1 FROM clip_media"))


def test_a_clip_waits_for_its_film_and_for_each_other_one(store: Store, transcript: str) -> None:
    clip = keep(store, transcript)
    keep(store, transcript, 2, start_ms=None, end_ms=None)
    assert store.media.waiting(PROFILE) == []
    store.media.link(PROFILE, transcript, FILM)
    (cut,) = store.media.waiting(PROFILE)
    assert (cut.start_ms, cut.end_ms, cut.previous_end_ms, cut.next_start_ms) == (1000, 1800, 800, 2000)
    over_two = keep(store, transcript, 1, end_ms=2800)
    cut, until_third = store.media.waiting(PROFILE)
    assert (until_third.end_ms, until_third.previous_end_ms, until_third.next_start_ms) == (2800, 800, 3000)
    store.clips.delete(PROFILE, [over_two.id])
    store.media.keep(cut, b"sound", b"")
    assert store.media.waiting(PROFILE) == []
    kept = store.clips.get(PROFILE, clip.id)
    assert (kept.updated_at, kept.picture) == (clip.updated_at, None)
    assert kept.audio is not None and store.media.content(kept.audio) == b"sound"
    for other in (replace(FILM, track=2), replace(FILM, track=2, parts_sha256="cd" * 32)):
        store.media.link(PROFILE, transcript, other)
        (cut,) = store.media.waiting(PROFILE)
        store.media.keep(cut, b"another sound", b"picture")
    store.media.link(PROFILE, transcript, replace(other, path="/moved.mkv", modified_ns=9))
    assert store.media.waiting(PROFILE) == []
    store.clips.edit(PROFILE, clip.id, replace(kept.contents(), end_ms=1500))
    assert [cut.end_ms for cut in store.media.waiting(PROFILE)] == [1500]
    assert store.media.unlink(PROFILE, transcript) is not None
    assert (store.media.waiting(PROFILE), store.media.unlink(PROFILE, transcript)) == ([], None)


def test_a_sound_stays_while_a_clip_or_the_trash_has_it(store: Store, transcript: str) -> None:
    store.media.link(PROFILE, transcript, FILM)
    clips = [keep(store, transcript, at) for at in (1, 2)]
    for cut in store.media.waiting(PROFILE):
        store.media.keep(cut, b"the same sound", b"picture %d" % cut.number)
    assert sounds(store) == 3
    store.clips.delete(PROFILE, [clips[0].id])
    store.expiry.forget_steps()
    assert sounds(store) == 3
    store.trash.undo(PROFILE)
    restored = store.clips.get(PROFILE, clips[0].id)
    assert restored.picture is not None and store.media.content(restored.picture) is not None
    store.clips.delete(PROFILE, [clips[0].id])
    run_sql(store, "DELETE FROM trash")  # as after thirty days
    store.expiry.forget_steps()
    assert sounds(store) == 2
    assert store.media.content(restored.picture) is None
    kept = store.clips.get(PROFILE, clips[1].id)
    assert kept.audio is not None and store.media.content(kept.audio) == b"the same sound"


def test_a_film_is_linked_to_the_transcripts_of_a_file(store: Store, transcript: str) -> None:
    file = store.files.page(PROFILE, 0, 1, "").items[0]
    assert store.media.timed_transcripts(PROFILE, file.id[:6]) == [transcript]
    store.media.link(PROFILE, transcript, replace(FILM, track=2))
    store.media.link_file(PROFILE, file.id, replace(FILM, path="/another.mkv"))
    link = store.media.of(PROFILE, transcript)
    assert link is not None and (link.path, link.track) == (FILM.path, 2)
    store.media.link_file(PROFILE, file.id, replace(FILM, size_bytes=11))
    link = store.media.of(PROFILE, transcript)
    assert link is not None and (link.size_bytes, link.track) == (11, 2)
    with pytest.raises(NotFound):
        store.media.timed_transcripts("other", file.id)
    with pytest.raises((NotFound, InvalidInput)):
        store.media.timed_transcripts(PROFILE, "")


def test_a_deleted_transcript_has_its_film_again_when_it_comes_back(store: Store, transcript: str) -> None:
    store.media.link(PROFILE, transcript, FILM)
    store.transcripts.delete(PROFILE, [transcript])
    with pytest.raises(NotFound):
        store.media.of(PROFILE, transcript)
    assert store.media.paths() == [FILM.path]
    store.trash.undo(PROFILE)
    assert store.media.of(PROFILE, transcript) is not None
