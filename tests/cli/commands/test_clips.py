"""``lode clips``: show, edit, speak and unspeak; what all lists have in common is in ``test_records``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Lode
from tests.voices.programs import Programs
from tests.voices.programs import programs as programs
from tui.records.clips import FocusWord, NewClip
from tui.store import Store


def test_a_clip_is_shown_with_its_focus_word(lode: Lode, store: Store) -> None:
    focus = FocusWord("fährt … ab", lemma="abfahren", part_of_speech="verb", meanings=("to leave", "to depart"))
    new = NewClip("Der Zug fährt ab.", focus=focus, explanation="A **separable** verb.", model="x:y", start_ms=1000)
    clip = store.clips.add("default", new)
    assert lode("clips", "show", clip.id).out.splitlines()[:6] == [
        "Der Zug fährt ab.",
        "",
        "fährt … ab   abfahren · verb",
        "             to leave, to depart",
        "",
        "A **separable** verb.",
    ]
    assert lode("clips", "show", clip.id, "--json").json()["focus"]["meanings"] == ["to leave", "to depart"]


def test_what_is_named_is_changed_and_the_rest_stays(lode: Lode, store: Store, tmp_path: Path) -> None:
    focus = FocusWord("Zug", lemma="Zug", language="de", meanings=("train",))
    clip = store.clips.add(
        "default", NewClip("Der Zug.", focus=focus, note="mine", explanation="# Long", start_ms=1000, end_ms=2000)
    )
    (tmp_path / "meanings.txt").write_text("train\nprocession\n")
    done = lode("clips", "edit", clip.id[:6], "--meanings", f"@{tmp_path}/meanings.txt", "--tags", "a1 verb", "--json")
    changed = done.json()
    assert (changed["focus"]["meanings"], changed["tags"]) == (["train", "procession"], ["a1", "verb"])
    assert (changed["note"], changed["explanation"], changed["focus"]["lemma"]) == ("mine", "# Long", "Zug")
    done = lode("clips", "edit", clip.id, "--translation", "The train.", "--note", "", "--end", "2500")
    assert "The train." in done.out
    kept = store.clips.get("default", clip.id)
    assert (kept.note, kept.start_ms, kept.end_ms) == ("", 1000, 2500)
    assert lode("clips", "edit", clip.id, "--note", " ").code == 0  # the same once more
    assert store.clips.get("default", clip.id).updated_at == kept.updated_at


def test_clips_are_tagged_by_id_search_or_tag_and_one_undo_takes_it_back(lode: Lode, store: Store) -> None:
    for sentence, tags in (("Der Zug.", ("a1",)), ("Der Bus.", ("a1",)), ("Das Rad.", ())):
        store.clips.add("default", NewClip(sentence, tags=tags))
    done = lode("clips", "tag", "--search", "der", "--add", "#verkehr,deutsch", "--remove", "A1", "--add", "neu")
    assert done.out == "2 clips tagged; lode undo takes it back\n"
    assert [clip.tags for clip in store.clips.page("default").items] == [(), *[("verkehr", "deutsch", "neu")] * 2]
    listed = lode("clips", "tag").out.split()
    assert sorted(zip(listed[::2], listed[1::2], strict=True)) == [("deutsch", "2"), ("neu", "2"), ("verkehr", "2")]
    last = store.clips.page("default").items[0]
    assert lode("clips", "tag", last.id[:6], "--add", "rad", "--json").json() == {"count": 1}
    assert lode("clips", "tag", "--tag", "neu", "--remove", "neu", "--json").json() == {"count": 2}
    assert lode("undo").code == 0
    assert {"tag": "neu", "clips": 2, "chosen": 2} in lode("clips", "tag", "--tag", "neu", "--json").json()
    assert lode("clips", "tag", "--all", "--add", "alle", "--json").json() == {"count": 3}


def test_which_clips_are_tagged_has_to_be_said(lode: Lode, store: Store) -> None:
    store.clips.add("default", NewClip("Der Zug."))
    refused = lode("clips", "tag", "--add", "a1")
    assert (refused.code, "which clips?" in refused.err) == (2, True)
    assert "no tag to add" in lode("clips", "tag", "--all", "--add", " , ").err
    assert store.clips.page("default").items[0].tags == ()


def test_what_cannot_be_edited_is_refused_and_changes_nothing(lode: Lode, store: Store) -> None:
    clip = store.clips.add("default", NewClip("Der Zug."))
    timed = store.clips.add("default", NewClip("Er fährt.", start_ms=1000, end_ms=2000))
    for wrong, code, said in (
        ((clip.id,), 2, "nothing to change"),
        ((clip.id, "--start", "5"), 2, "has no times"),
        ((clip.id, "--meanings", "train"), 1, "have no word"),
        ((clip.id, "--sentence", " "), 1, "sentence"),
        ((timed.id, "--end", "900"), 2, "from 1000 to 900 ms"),
        ((timed.id, "--start", "-5"), 2, "from -5"),
        (("zzzz", "--note", "x"), 1, "zzzz"),
    ):
        lode("clips", "edit", *wrong).check_refused(said, code=code)
    assert store.clips.get("default", clip.id) == clip
    assert store.clips.get("default", timed.id) == timed


def test_clips_are_spoken_shown_and_silent_again(lode: Lode, store: Store, programs: Programs) -> None:
    pytest.importorskip("av", reason="PyAV is not installed: pip install 'lode[media]'")
    zug = store.clips.add("default", NewClip("Der Zug.", focus=FocusWord("Zug", language="de"), tags=("rail",)))
    cat = store.clips.add("default", NewClip("The cat.", focus=FocusWord("cat", language="tlh")))
    assert "there is nothing to speak" in lode("clips", "speak", "--tag", "none").err
    done = lode("clips", "speak", zug.id[:5])
    assert (done.code, done.out) == (0, "done\tspeech\t1 clip spoken\n")
    assert "sound  spoken by a machine (espeak-ng de)" in lode("clips", "show", zug.id).out
    refused = lode("clips", "speak", cat.id)
    assert refused.code == 1
    assert refused.err.startswith("refused  speech: espeak-ng has no voice for tlh\nhint: there are af, cmn")
    event = lode("clips", "speak", "--again", "--search", "Zug", "--json").json()
    assert (event["state"], event["kind"], event["title"]) == ("done", "speech", "0 clips spoken")
    assert lode("clips", "unspeak", cat.id).out == "0 clips without the machine's voice\n"
    assert lode("clips", "unspeak", "--tag", "rail", "--json").json() == {"count": 1}
    assert store.clips.get("default", zug.id).audio is None
