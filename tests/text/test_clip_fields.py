"""Tags as they are typed, what becomes of those of a clip, and what a clip is completed with."""

from dataclasses import replace

import pytest

from tui.records.clips import NewClip
from tui.text.clip_fields import completed, read_tag_changes, with_tags


@pytest.mark.parametrize(
    ("line", "add", "remove"),
    [
        ("verb a2", "verb a2", ""),
        ("+verb, -a1 #a2,#a2", "verb a2", "a1"),
        ("- + , #", "", ""),
        ("a-b --x +-y", "a-b -y", "-x"),
    ],
)
def test_a_line_says_which_tags_come_and_which_go(line: str, add: str, remove: str) -> None:
    assert read_tag_changes(line) == (add, remove)


def test_a_tag_is_the_same_in_capitals_and_others_keep_their_places() -> None:
    assert with_tags(("Verb", "a1", "tag mit raum"), ("VERB", "neu"), ("A1",)) == ("Verb", "tag mit raum", "neu")
    assert with_tags(("a",), ("a",), ("a",)) == ("a",)


def test_a_time_of_no_transcript_is_kept_until_a_transcript_says_another() -> None:
    clip = NewClip("Der Zug fährt ab.", source="Film", start_ms=62_000)
    assert completed(clip, NewClip(clip.sentence, note="n")).start_ms == 62_000
    place = NewClip(clip.sentence, transcript_id="t", cue_index=4, start_ms=62_140, end_ms=64_000)
    assert completed(clip, place) == replace(place, source="Film")
