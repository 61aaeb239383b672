"""Tags as they are typed, and what becomes of those of a clip."""

import pytest

from tui.text.clip_fields import read_tag_changes, with_tags


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
