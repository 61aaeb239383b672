"""Clips: what is kept of them, lists of a million, and the search."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, replace

import pytest

from tests.deck.clips import PLAIN
from tests.hostile import HOSTILE
from tests.store.conftest import PROFILE, AddFilm, run_sql
from tests.store.many_clips import add_many
from tui.errors import InvalidInput, NotFound
from tui.records.clip_selection import ClipSelection
from tui.records.clips import FocusWord, NewClip, TagCount
from tui.records.words import WordMark
from tui.store import Store
from tui.store.tables.clips import _CUES_OF, _OF_CUE

FULL = replace(PLAIN.contents(), transcript_id=None, file_id=None, explanation="**fährt** belongs to *abfahren*.")


def sentences(store: Store, q: str = "", profile: str = PROFILE) -> list[str]:
    return [clip.sentence for clip in store.clips.page(profile, q=q).items]


def test_a_clip_keeps_everything_it_was_made_from(store: Store, add_film: AddFilm) -> None:
    file, transcript = add_film("Hoffentlich fährt er überhaupt noch ab.")
    new = replace(FULL, transcript_id=transcript.id, file_id=file.id)
    clip = store.clips.add(PROFILE, new)
    assert {name: value for name, value in asdict(clip).items() if name in asdict(new)} == asdict(new)
    assert clip.created_at == clip.updated_at
    assert store.clips.get(PROFILE, clip.id) == clip


def test_a_clip_of_a_transcript_that_is_not_there_or_of_a_text_that_is_no_unicode_is_refused(store: Store) -> None:
    with pytest.raises(NotFound) as caught:
        store.clips.add(PROFILE, NewClip("x", transcript_id="nowhere"))
    assert caught.value.code == "transcript_not_found"
    with pytest.raises(InvalidInput, match="is not a character"):
        store.clips.add(PROFILE, NewClip("kaputt \udcff"))
    assert store.clips.page(PROFILE).total == 0


def test_an_edit_moves_updated_at_only_when_something_changed_and_then_always_forward(store: Store) -> None:
    clip = store.clips.add(PROFILE, FULL)
    assert store.clips.edit(PROFILE, clip.id, FULL) == clip
    edits = [store.clips.edit(PROFILE, clip.id, NewClip(f"Satz {number}")) for number in range(5)]
    times = [each.updated_at for each in (clip, *edits)]
    assert times == sorted(set(times)), "each later than the one before, even within a millisecond"
    assert edits[-1].created_at == clip.created_at
    assert sentences(store, "hoffentlich") == []
    assert sentences(store, "satz 4") == ["Satz 4"]


def tagged(store: Store, **tags: str) -> dict[str, str]:
    """Clips whose words are the names, with these tags; gives their ids."""
    made = {word: store.clips.add(PROFILE, NewClip("Ein Satz.", focus=FocusWord(word, language="de"))) for word in tags}
    for word, clip in made.items():
        store.clips.edit(PROFILE, clip.id, replace(clip.contents(), tags=tuple(tags[word].split())))
    return {word: clip.id for word, clip in made.items()}


def test_tags_are_given_to_many_clips_and_taken_away_in_one_step(store: Store) -> None:
    ids = tagged(store, rose="Blume a1", nelke="blume", bus="", zug="a1")
    before = {word: store.clips.get(PROFILE, each) for word, each in ids.items()}
    chosen = store.exports.select(PROFILE, "", ClipSelection(ids=(ids["rose"], ids["nelke"], ids["bus"])))
    assert store.clips.tag(PROFILE, chosen, ["BLUME", "b1"], ["A1"]) == 3
    now = {word: store.clips.get(PROFILE, each) for word, each in ids.items()}
    assert {word: " ".join(clip.tags) for word, clip in now.items()} == {
        "rose": "Blume b1",
        "nelke": "blume b1",
        "bus": "BLUME b1",
        "zug": "a1",
    }
    moved = {word for word in ids if now[word].updated_at > before[word].updated_at}
    assert moved == {"rose", "nelke", "bus"}
    assert {clip.focus.surface for clip in store.clips.page(PROFILE, q="tag:b1").items if clip.focus} == moved
    assert store.clips.tag(PROFILE, chosen, ["b1"], ["nothing"]) == 0
    assert {word: store.clips.get(PROFILE, each) for word, each in ids.items()} == now, "what has them stays as it is"
    restored = store.trash.undo(PROFILE)
    assert restored is not None
    assert (restored.kind, restored.count) == ("tagged_clip", 3)
    assert [store.clips.get(PROFILE, each).tags for each in ids.values()] == [clip.tags for clip in before.values()]
    assert store.trash.redo(PROFILE) is not None
    assert [store.clips.get(PROFILE, each).tags for each in ids.values()] == [clip.tags for clip in now.values()]


def test_who_tags_a_clip_has_not_seen_its_word(store: Store) -> None:
    ids = tagged(store, rose="")
    store.word_states.mark(PROFILE, [WordMark("de", "rose", state="new")], "user")
    store.clips.tag(PROFILE, None, ["a1"], [])
    assert store.clips.get(PROFILE, ids["rose"]).tags == ("a1",)
    states = run_sql(store, "SELECT DISTINCT state FROM word_states WHERE state <> ''")
    assert [row[0] for row in states] == ["new"]


def test_tags_are_counted_in_all_clips_and_in_those_that_are_chosen(store: Store) -> None:
    ids = tagged(store, rose="a b", nelke="b", bus="c")
    store.clips.add("other", NewClip("Satz", tags=("b",)))
    chosen = store.exports.select(PROFILE, "", ClipSelection(ids=(ids["rose"], ids["bus"])))
    assert store.clips.tags(PROFILE, chosen) == (TagCount("b", 2, 1), TagCount("a", 1, 1), TagCount("c", 1, 1))
    assert [each.chosen for each in store.clips.tags(PROFILE)] == [2, 1, 1]


def test_more_clips_than_can_be_tagged_at_once_are_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.store.tables.clips.MAX_TAGGED", 2)
    tagged(store, rose="", nelke="", bus="")
    with pytest.raises(InvalidInput) as caught:
        store.clips.tag(PROFILE, None, ["a"], [])
    assert caught.value.code == "too_many_clips"
    assert store.clips.tags(PROFILE) == ()


def test_pages_are_newest_first_and_reach_every_clip_from_either_end(store: Store) -> None:
    assert add_many(store, PROFILE, (NewClip(f"Satz {number}") for number in range(25))) == 25
    expected = [f"Satz {number}" for number in reversed(range(25))]
    for size in (1, 4, 25, 100):
        got: list[str] = []
        while (page := store.clips.page(PROFILE, len(got), size)).items:
            assert page.total == 25
            assert page.offset == len(got)
            got += [clip.sentence for clip in page.items]
        assert got == expected
    assert store.clips.page(PROFILE, 25).items == ()
    assert store.clips.page(PROFILE, 1_000_000).total == 25
    assert store.clips.page(PROFILE, -3, 2).offset == 0
    found = store.clips.page(PROFILE, 20, 4, q="satz")
    assert [clip.sentence for clip in found.items] == expected[20:24]


def test_all_clips_come_in_the_order_of_their_creation(store: Store) -> None:
    add_many(store, PROFILE, (NewClip(f"Satz {number}") for number in range(1_203)))
    store.clips.add("berta", NewClip("fremd"))
    assert [clip.sentence for clip in store.clips.each(PROFILE)] == [f"Satz {number}" for number in range(1_203)]
    assert list(store.clips.each("nobody")) == []


def test_words_are_prefixes_in_any_order_in_everything_but_the_explanation(store: Store) -> None:
    store.clips.add(PROFILE, FULL)
    for q in (
        *("", "   ", "\x00\u200b", "hoff", "ÜBERHAUPT fahr", "noch ab hoffentlich", "abfahren", "depart"),
        *("german leave", "leaves", "anna", "haben", "letzte zug", "fahrt, ab!"),
    ):
        assert len(sentences(store, q)) == 1, q
    for q in ("belongs", "offentlich", "hoffentlich morgen", "...", '"'):
        assert sentences(store, q) == [], q


def test_what_is_typed_is_never_search_syntax(store: Store) -> None:
    store.clips.add(PROFILE, NewClip("Der Zug."))
    store.clips.add(PROFILE, NewClip("東京%のタワー"))
    for q in (
        *('"', "a OR b", "NOT zug", "sentence:zug", "(zug", "^zug", "zug NEAR/2 x", "-zug", "{a} : b", "a\x00b"),
        *("%_\\", *HOSTILE.values()),
    ):
        with suppress(InvalidInput):  # one that is too long
            store.clips.page(PROFILE, q=q)
    assert sentences(store, "zug*") == ["Der Zug."]
    assert sentences(store, "der OR zug") == [], "OR is a word like any other"


def test_scripts_without_spaces_are_searched_by_any_piece(store: Store) -> None:
    store.clips.add(PROFILE, NewClip("Der Zug kommt."))
    for sentence, pieces in (
        ("東京タワーに行きます。", ("京", "東京", "タワーに", "行きます 東京")),
        ("我想去北京看看", ("北京看",)),
        ("ผมชอบกินข้าวผัด", ("ข้าวผัด",)),
        ("ຂ້ອຍມັກກິນເຂົ້າ", ("ກິນ",)),
        ("ខ្ញុំចូលចិត្តបាយ", ("ចូលចិត្ត",)),
        ("ကျွန်တော်ထမင်းစားတယ်", ("ထမင်း",)),
        ("Tシャツを買う", ("tシャ",)),
        ("मैं हिन्दी सीखता हूँ", ("हिन्दी",)),
    ):
        clip = store.clips.add(PROFILE, NewClip(sentence, tags=("x",)))
        for q in pieces:
            assert sentences(store, q) == sentences(store, f"{q} x") == [sentence], q
            assert sentences(store, f"{q} zug") == []
        assert sentences(store, "न्दी") == [], "words of Hindi stay whole"
        store.clips.delete(PROFILE, [clip.id])


def test_the_search_follows_edits_from_one_script_to_another(store: Store) -> None:
    clip = store.clips.add(PROFILE, NewClip("東京タワー"))
    store.clips.edit(PROFILE, clip.id, NewClip("Der Turm"))
    assert (sentences(store, "京タワ"), sentences(store, "東京"), sentences(store, "turm")) == ([], [], ["Der Turm"])
    store.clips.edit(PROFILE, clip.id, NewClip("大阪タワー"))
    assert (sentences(store, "turm"), sentences(store, "大阪タ")) == ([], ["大阪タワー"])
    assert sentences(store, "京タワ") == [], "nothing of the first text is left in the index"


def test_a_search_total_is_never_stale(store: Store) -> None:
    clip = store.clips.add(PROFILE, NewClip("Der Zug"))
    assert store.clips.page(PROFILE, q="zug").total == 1
    store.clips.add(PROFILE, NewClip("Noch ein Zug"))
    assert store.clips.page(PROFILE, q="zug").total == 2
    store.clips.edit(PROFILE, clip.id, NewClip("Das Auto"))
    assert store.clips.page(PROFILE, q="zug").total == 1
    store.clips.delete(PROFILE, [clip.id])
    store.trash.undo(PROFILE)
    assert store.clips.page(PROFILE, q="auto").total == 1


def test_profiles_never_see_each_other(store: Store) -> None:
    clip = store.clips.add("anna", NewClip("Der Zug. 東京タワー"))
    for q in ("", "zug", "東京", "京タワ"):
        assert sentences(store, q, "berta") == []
        assert sentences(store, q, "anna") == [clip.sentence]
    for work in (
        lambda: store.clips.get("berta", clip.id),
        lambda: store.clips.edit("berta", clip.id, NewClip("x")),
        lambda: store.clips.delete("berta", [clip.id]),
    ):
        with pytest.raises(NotFound) as caught:
            work()
        assert caught.value.code == "clip_not_found"


def test_any_unambiguous_beginning_of_an_id_will_do(store: Store) -> None:
    add_many(store, PROFILE, (NewClip(f"Satz {number}") for number in range(40)))
    clip = store.clips.page(PROFILE).items[7]
    assert len(clip.id) == 12
    assert store.clips.get(PROFILE, clip.id[:10].upper()) == clip
    for nothing in ("", "  ", "zzzzzz999", "%", "😀"):
        with pytest.raises(NotFound):
            store.clips.get(PROFILE, nothing)
    starts = [clip.id[0] for clip in store.clips.page(PROFILE).items]
    start = max(starts, key=starts.count)
    with pytest.raises(InvalidInput, match="more than one clip") as caught:
        store.clips.get(PROFILE, start)
    assert caught.value.code == "ambiguous_id"
    named = caught.value.message.partition(": ")[2].split(", ")
    count = starts.count(start)
    assert [name[0] for name in named] == ([start] * count if count <= 5 else [*start * 5, "…"])


def test_clips_are_counted_by_their_focus_or_its_lemma_whatever_the_case(store: Store) -> None:
    for focus in (FocusWord("fährt", lemma="fahren"), FocusWord("Fahren", lemma="fahren"), FocusWord("schon"), None):
        store.clips.add(PROFILE, NewClip("a", focus=focus))
    store.clips.add("berta", NewClip("e", focus=FocusWord("fahren")))
    assert store.clips.count_with(PROFILE, "Fahren") == 2
    assert store.clips.count_with(PROFILE, "fährt") == 1
    assert store.clips.count_with(PROFILE, "schön") == 0, "accents tell words apart"
    assert store.clips.count_with(PROFILE, "") == 0


def test_the_cues_that_have_clips_are_told_once_each_and_in_order(store: Store, add_film: AddFilm) -> None:
    _, film = add_film("Eins.", "Zwei.", "Drei.")
    _, other = add_film("Anderes.", name="Anderer.srt")
    assert store.clips.cues_of(PROFILE, film.id) == ()
    for cue_index in (2, 0, 2, None):
        store.clips.add(PROFILE, NewClip("Satz", transcript_id=film.id, cue_index=cue_index))
    store.clips.add(PROFILE, NewClip("Satz", transcript_id=other.id, cue_index=1))
    store.clips.add(PROFILE, NewClip("Satz", cue_index=1))
    assert store.clips.cues_of(PROFILE, film.id) == (0, 2)
    newest_first = [clip.id for clip in store.clips.page(PROFILE).items if clip.cue_index == 2]
    store.clips.delete(PROFILE, newest_first[:1])
    assert store.clips.cues_of(PROFILE, film.id) == (0, 2)
    store.clips.delete(PROFILE, newest_first[1:])
    assert store.clips.cues_of(PROFILE, film.id) == (0,)
    store.trash.undo(PROFILE)
    assert store.clips.cues_of(PROFILE, film.id) == (0, 2)
    with pytest.raises(NotFound):
        store.clips.cues_of("berta", film.id)


def test_a_clip_is_known_by_its_cue_and_exactly_its_word(store: Store, add_film: AddFilm) -> None:
    _, film = add_film("Der Mann, der wartet.")
    store.clips.add(PROFILE, NewClip("Satz", transcript_id=film.id, cue_index=0, focus=FocusWord("Der")))
    assert store.clips.has(PROFILE, film.id, 0, "Der") and store.clips.has(PROFILE, film.id[:6], 0, "Der")
    for cue_index, surface in ((0, "der"), (1, "Der"), (0, "")):
        assert not store.clips.has(PROFILE, film.id, cue_index, surface)
    store.clips.add(PROFILE, NewClip("Satz", transcript_id=film.id, cue_index=0))
    assert store.clips.has(PROFILE, film.id, 0, "")


def test_the_clips_of_a_transcript_are_found_by_an_index(store: Store) -> None:
    for query in (_CUES_OF, _OF_CUE):
        values = ("transcript", 1, "word")[: query.count("?")]
        plan = [row[3] for row in run_sql(store, f"EXPLAIN QUERY PLAN {query}", values)]
        assert any("USING INDEX clips_transcript" in step for step in plan), plan
        assert not any("SCAN" in step for step in plan), plan
