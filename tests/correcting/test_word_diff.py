"""Words of two texts are compared by their language, and a clip gets what its cue says now."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.correcting.corrected_clips import correct_clip
from tui.correcting.word_diff import DiffRun, diff_words, find_counterpart
from tui.records.clips import FocusWord, NewClip


@pytest.mark.parametrize(
    ("before", "after", "language", "changed"),
    [
        ("Der Zug färt ab.", "Der Zug fährt ab.", "de", [("färt", "fährt")]),
        ("Ja.", "Ja.", "de", []),
        ("Ja gut.", "Ja, gut.", "de", [("", ",")]),
        ("Ja.", "", "de", [("Ja.", "")]),
        ("", "Ja.", "de", [("", "Ja.")]),
        ("彼は学生だ", "彼は先生だ", "ja", [("学生", "先生")]),
        ("gut\nso", "gut so", None, [("\n", " ")]),
    ],
)
def test_what_changed_is_told_by_words(before: str, after: str, language: str, changed: list[tuple[str, str]]) -> None:
    runs = diff_words(before, after, language)
    assert [(run.old, run.new) for run in runs if run.old != run.new] == changed


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_runs_make_up_both_texts(before: str, after: str) -> None:
    runs = diff_words(before, after, "de")
    assert ("".join(run.old for run in runs), "".join(run.new for run in runs)) == (before, after)


def test_a_word_is_followed_where_it_alone_changed() -> None:
    runs = (DiffRun("Der ", "Der "), DiffRun("Zuk", "Zug"), DiffRun(" ist da", " war da"))
    assert [find_counterpart(word, runs) for word in ("Der", "Zuk", "ist", "Bus")] == ["Der", "Zug", None, None]
    assert find_counterpart("a", (DiffRun("a", "b"), DiffRun(" ", " "), DiffRun("a", "c"))) is None


OLD, NEW = "Er färt heute ab.", "Er fährt heute ab."


@pytest.mark.parametrize(
    ("clip", "before", "after", "sentence", "surface"),
    [
        (NewClip(OLD, focus=FocusWord("färt … ab")), OLD, NEW, NEW, "fährt … ab"),
        (NewClip(f"Na ja. {OLD}"), f"Na ja. {OLD}", f"Na ja. {NEW}", f"Na ja. {NEW}", None),
        (NewClip(OLD, focus=FocusWord("färt")), f"Ja. {OLD} Nein.", f"Ja! {NEW} Nein!", NEW, "fährt"),
        (NewClip("Ja."), f"Ja. {OLD}", f"Ja. {NEW}", None, None),
        (NewClip("Ja"), "Ja", "Ja.", "Ja.", None),
        (NewClip("Ja."), "Ja. Gut.", "Gut.", None, None),
        (NewClip(f"{OLD} {OLD}"), OLD, NEW, None, None),
        (NewClip("Er geht.", focus=FocusWord("geht")), OLD, NEW, None, None),
        (NewClip(OLD, focus=FocusWord("kommt")), OLD, NEW, None, None),
        (NewClip("Ja. Gut."), "Ja. Gut.", "Jo. Gut.", "Jo. Gut.", None),
    ],
)
def test_a_clip_is_corrected_only_where_it_is_sure(
    clip: NewClip, before: str, after: str, sentence: str | None, surface: str | None
) -> None:
    found = correct_clip(clip, before, after, "de")
    assert (found.sentence if found else None) == sentence
    assert (found.focus.surface if found and found.focus else None) == surface
