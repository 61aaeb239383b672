"""Values of fields that are suggested while a search is typed."""

from tests.store.conftest import PROFILE, AddFilm
from tests.store.many_clips import add_many
from tui.records.clips import FocusWord, NewClip
from tui.records.search_fields import MAX_VALUES, SEARCH_FIELDS
from tui.records.words import WordMark
from tui.store import Store


def test_values_come_most_frequent_first_from_this_profile_only(store: Store, add_film: AddFilm) -> None:
    add_film("Der Zug kommt.", name="zug.srt")
    for number, tags in enumerate((("b",), ("a", "b"), ("c",))):
        focus = FocusWord("Zug", language="de") if number else None
        store.clips.add(PROFILE, NewClip(f"Satz {number}", tags=tags, source="Tatort" * (number > 0), focus=focus))
    store.clips.add("other", NewClip("Satz", tags=("theirs",)))
    store.word_states.mark(PROFILE, [WordMark("ja", "床", state="known")], "user")
    values = {
        (listed, field): store.search_values(PROFILE, listed, field)
        for listed, fields in SEARCH_FIELDS.items()
        for field in fields
    }
    assert values["clips", "tag"] == ("b", "a", "c")
    assert values["clips", "source"] == ("Tatort",)
    assert values["clips", "lang"] == ("de",)
    assert values["files", "kind"] == ("srt", "subtitle")
    assert values["files", "lang"] == values["transcripts", "lang"] == values["sentences", "lang"]
    assert set(values["words", "lang"]) == {"ja", *values["files", "lang"]}
    assert set(values["words", "source"]) == {"clip", "user"}
    assert values["clips", "sentence"] == ()


def test_what_there_is_none_of_has_no_values(store: Store) -> None:
    assert store.search_values("nobody", "clips", "tag") == ()
    assert store.search_values(PROFILE, "nothing", "tag") == store.search_values(PROFILE, "clips", "nothing") == ()


def test_of_many_values_and_long_ones_only_some_are_given(store: Store) -> None:
    add_many(store, PROFILE, (NewClip("Satz", tags=(f"t{number:04}", "x" * 100)) for number in range(1_000)))
    found = store.search_values(PROFILE, "clips", "tag")
    assert len(found) == MAX_VALUES
    assert "x" * 100 not in found
