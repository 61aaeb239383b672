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


@pytest.mark.parametrize(
    ("clip", "is_of_cue", "sentence", "surface"),
    [
        (NewClip("Er färt heute ab.", focus=FocusWord("färt … ab")), True, "Er fährt heute ab.", "fährt … ab"),
        (NewClip("Na ja. Er färt heute ab."), False, "Na ja. Er fährt heute ab.", None),
        (NewClip("Er färt heute ab. Er färt heute ab."), True, None, None),
        (NewClip("Er geht.", focus=FocusWord("geht")), True, None, None),
        (NewClip("Er färt heute ab.", focus=FocusWord("kommt")), True, None, None),
    ],
)
def test_a_clip_is_corrected_only_where_it_is_sure(
    clip: NewClip, is_of_cue: bool, sentence: str | None, surface: str | None
) -> None:
    found = correct_clip(clip, "Er färt heute ab.", "Er fährt heute ab.", "de", is_of_cue=is_of_cue)
    assert (found.sentence if found else None) == sentence
    assert (found.focus.surface if found and found.focus else None) == surface


def test_a_short_line_is_none_of_another_cues_sentence() -> None:
    assert correct_clip(NewClip("Ja. Gut."), "Ja.", "Jo.", "de", is_of_cue=False) is None
    found = correct_clip(NewClip("Ja. Gut."), "Ja.", "Jo.", "de", is_of_cue=True)
    assert found is not None and found.sentence == "Jo. Gut."
