"""What is suggested while a filter is typed: fields, and the values that they have."""

from collections.abc import Sequence

import pytest

from tui.errors import StoreError
from tui.records.search_fields import SEARCH_FIELDS, ListName
from tui.widgets.forms.search_suggestions import SearchSuggestions

VALUES = {
    ("clips", "tag"): ("verb", "Verkehr", "a1"),
    ("clips", "source"): ("Der letzte Zug", "Tatort", 'Sie sagte "nein"'),
    ("clips", "lang"): ("de", "ja"),
}


class Library:
    def __init__(self) -> None:
        self.asked: list[tuple[ListName, str]] = []

    async def read(self, listed: ListName, field: str) -> Sequence[str]:
        self.asked.append((listed, field))
        return VALUES.get((listed, field), ())


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("la", "lang:"),
        ("zug -la", "zug -lang:"),
        ("l", None),
        ("La", None),
        ("zug la ", None),
        ('"genau la', None),
        ("lang:", "lang:de"),
        ("lang:j", "lang:ja"),
        ("lang:ja", None),
        ("tag:ve", "tag:verb"),
        ("tag:verk", "tag:verkehr"),
        ("zug -tag:VERB", None),
        ("zug -tag:VER", "zug -tag:VERb"),
        ("state:e", "state:exported"),
        ("has:", "has:audio"),
        ('source:"der', 'source:"der letzte Zug"'),
        ("source:der", 'source:"der letzte Zug"'),
        ("source:Tat", "source:Tatort"),
        ("source:sie", None),
        ("meaning:zu", None),
        ("nothing:x", None),
        ("12:3", None),
    ],
)
async def test_the_last_word_is_completed_as_a_field_or_as_one_of_its_values(typed: str, whole: str | None) -> None:
    suggestions = SearchSuggestions(["clips"], Library().read)
    assert await suggestions.complete(typed) == whole
    shown = await suggestions.get_suggestion(typed)
    assert shown == (whole if whole is not None and whole.startswith(typed) else None)


async def test_values_are_read_once_for_a_field_and_only_where_they_are_asked_for() -> None:
    library = Library()
    suggestions = SearchSuggestions(["clips", "files"], library.read)
    for typed in ("la", "has:a", "kind:s", "tag:v", "tag:ve", "x:y", "zug"):
        await suggestions.complete(typed)
    assert library.asked == [("files", "kind"), ("clips", "tag")]


async def test_a_library_that_does_not_answer_has_nothing_to_suggest() -> None:
    async def fail(listed: ListName, field: str) -> Sequence[str]:
        raise StoreError("the disk is gone")

    assert await SearchSuggestions(["clips"], fail).complete("tag:v") is None


def test_every_value_of_state_has_and_read_is_found_in_the_table() -> None:
    for fields in SEARCH_FIELDS.values():
        for about in (fields[name] for name in ("state", "has", "read") if name in fields):
            assert not any(" " in each.strip() for each in about.partition(":")[0].replace(" or ", ",").split(","))
