"""``lode clips edit``."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Lode
from tui.records.clips import FocusWord, NewClip
from tui.store import Store


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
    assert kept.updated_at > clip.updated_at
    assert lode("clips", "edit", clip.id, "--note", " ").code == 0  # the same once more
    assert store.clips.get("default", clip.id).updated_at == kept.updated_at


def test_what_cannot_be_is_refused_and_changes_nothing(lode: Lode, store: Store) -> None:
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
        done = lode("clips", "edit", *wrong)
        assert (done.code, done.out) == (code, ""), done
        assert said in done.err and "hint: " in done.err
    assert store.clips.get("default", clip.id) == clip
    assert store.clips.get("default", timed.id) == timed
