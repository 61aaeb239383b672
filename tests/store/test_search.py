"""What a list shows can be searched: every word somewhere in the row, by the names that people have for codes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pytest

from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE
from tui.errors import InvalidInput
from tui.records.clip_selection import ClipSelection
from tui.records.clips import FocusWord, NewClip
from tui.records.pages import MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS
from tui.records.search_fields import SEARCH_FIELDS
from tui.records.transcripts import Cue
from tui.store import Store
from tui.store.tables import clips as clips_table
from tui.store.tables import word_list
from tui.store.tables.word_list import WordFilter


def test_files_and_transcripts_are_found_by_name_language_and_format(store: Store) -> None:
    for title, ending, language in (
        *(("carrot-00.ja", "srt", "ja"), ("carrot-01.fr", "srt", "fr"), ("historia", "txt", "pt-BR")),
        ("unknown", "vtt", None),  # in no known language
    ):
        kind = "text" if ending == "txt" else "subtitle"
        name = f"{title}.{ending}"
        add_file(store, name, [Cue(0, 0, 900, "…")], kind=kind, format=ending, language=language, title=title)
    for names, queries in (
        (("carrot-00.ja.srt",), ("carrot japanese",)),
        (("carrot-01.fr.srt",), ("FRENCH carrot",)),
        (("historia.txt",), ("portug", "brazil", "pt", "text")),
        (("unknown.vtt",), ("subtitle vtt",)),
        ((), ("japanese french", "germ")),
    ):
        for q in queries:
            found = store.files.page(PROFILE, q=q)
            assert (tuple(file.name for file in found.items), found.total) == (names, len(names)), q
    for q, count in (("carrot japanese", 1), ("import carrot", 2), ("brazil", 1), ("fix carrot", 0)):
        assert store.transcripts.page(PROFILE, q=q).total == count, q


def test_jobs_are_found_by_their_state_and_by_what_they_say(store: Store) -> None:
    broken = store.jobs.add(PROFILE, "import", "broken.srt")
    store.jobs.update(broken.id, state="failed", error="(nothing) is in it: 字幕\nlook at it")
    store.jobs.update(store.jobs.add(PROFILE, "import", "zug.srt").id, state="running")
    store.jobs.add(PROFILE, "import", "later.srt")
    for sources, queries in (
        (("broken.srt",), ("failed", "refused", "broken nothing", "字幕")),
        (("zug.srt",), ("running",)),
        (("later.srt",), ("queued",)),
        (("later.srt", "zug.srt", "broken.srt"), ("import",)),
        ((), ("failed zug", "%")),
    ):
        for q in queries:
            assert tuple(job.source for job in store.jobs.page(PROFILE, q=q).items) == sources, q


def test_clips_are_found_by_the_language_the_reading_and_the_meanings_of_their_word(store: Store) -> None:
    focus = FocusWord("食べる", reading="たべる", meanings=("to eat",), language="ja")
    store.clips.add(PROFILE, NewClip("Taberu means that.", focus=focus))
    store.clips.add(PROFILE, NewClip("nothing of it"))
    for q in ("japanese", "jap eat", "ja", "たべ", "食べる"):
        assert store.clips.page(PROFILE, q=q).total == 1, q
    for q in ("german eat", "j eat"):
        assert store.clips.page(PROFILE, q=q).total == 0, q


def test_a_word_whose_meaning_changes_is_found_by_the_new_one_only(store: Store) -> None:
    clip = store.clips.add(PROFILE, NewClip("Satz", focus=FocusWord("Satz", meanings=("sentence",))))
    store.clips.edit(PROFILE, clip.id, NewClip("Satz", focus=FocusWord("Satz", meanings=("leap",))))
    assert store.clips.page(PROFILE, q="sentence").total == 0
    assert store.clips.page(PROFILE, q="leap").total == 1


LONGEST = {
    "as many words as there may be": " ".join(f"wort{number}" for number in range(MAX_SEARCH_WORDS)),
    "as many pairs of characters": " ".join(chr(0x4E00 + number) * 2 for number in range(MAX_SEARCH_WORDS)),
    "one word": "z" * MAX_SEARCH_LENGTH,
    "one word without spaces": "東" * MAX_SEARCH_LENGTH,
    "the same word again and again": "zug " * (MAX_SEARCH_LENGTH // 4),
    "signs that a pattern knows": "%_\\" * (MAX_SEARCH_LENGTH // 3),
}
TOO_LONG = {
    "a word too many": " ".join(f"w{number}" for number in range(MAX_SEARCH_WORDS + 1)),
    "60 kB pasted": "zug " * 15_000,
    "a character too many": "東" * (MAX_SEARCH_LENGTH + 1),
}


def _every_search(store: Store, transcript: str, q: str) -> list[Callable[[], object]]:
    lists = (store.files, store.transcripts, store.clips, store.jobs, store.answers)
    return [
        *(partial(each.page, PROFILE, q=q) for each in lists),
        partial(store.jobs.page, PROFILE, q=q, order="attention"),
        partial(store.transcripts.find, PROFILE, transcript, q),
        partial(store.word_list.page, PROFILE, WordFilter(q=q), "lemma", 0, 10),
        partial(store.exports.select, PROFILE, "Lode", ClipSelection(q=q)),
    ]


def test_the_longest_search_is_answered_by_every_list_and_a_longer_one_refused_as_no_damage(store: Store) -> None:
    store.clips.add(PROFILE, NewClip("Der Zug kommt."))
    _, transcript = add_file(store, cues=[Cue(0, 0, 900, "Der Zug.")])
    for q in LONGEST.values():
        for search in _every_search(store, transcript.id, q):
            search()
    for q in TOO_LONG.values():
        for search in _every_search(store, transcript.id, q):
            with pytest.raises(InvalidInput, match="too long") as refused:
                search()
            assert (refused.value.code, refused.value.hint != "") == ("search_too_long", True)


def test_every_list_has_the_fields_that_its_table_says(store: Store) -> None:
    tables: dict[str, Mapping[str, object]] = {
        "files": store.files.fields,
        "transcripts": store.transcripts.fields,
        "clips": store.clips.fields,
        "bookmarks": store.bookmarks.fields,
        "answers": store.answers.fields,
        "jobs": store.jobs.fields,
        "words": word_list.FIELDS,
        "sentences": {**store.sentences.fields, "new": "counted behind the query"},
    }
    assert {name: set(fields) for name, fields in SEARCH_FIELDS.items()} == {k: set(v) for k, v in tables.items()}


def test_fields_phrases_and_what_is_left_out_choose_clips(store: Store) -> None:
    zug = FocusWord("Zug", meanings=("train",), language="de")
    for clip in (
        NewClip("Der Zug kommt genau so an.", focus=zug, tags=("noun", "a1"), source="Tatort 1", note="heard"),
        NewClip("So genau kommt der Zug.", focus=zug, tags=("noun",), source="Dark"),
        NewClip("Un train arrive.", focus=FocusWord("train", language="fr"), translation="Ein Zug kommt."),
        NewClip("電車です。", focus=FocusWord("電車", language="ja"), tags=("noun",)),
    ):
        store.clips.add(PROFILE, clip)
    for q, first_words in (
        *(("zug", "Der So Un"), ('"genau so"', "Der"), ('"so genau"', "So"), ("zug -genau", "Un"), ("zu ", "")),
        *(("lang:de", "Der So"), ("lang:german -source:dark", "Der"), ("tag:noun lang:ja", "電車です。")),
        *(("tag:no", "Der So 電車です。"), ('tag:"no"', ""), ("-tag:noun", "Un"), ("tag:noun 電車", "電車です。")),
        *(
            ("has:note", "Der"),
            ("-has:note -has:translation lang:de", "So"),
            ("has:nothing", ""),
            ("state:new", "Der So Un 電車です。"),
        ),
        *(("state:exported", ""), ("word:zug", "Der So"), ("meaning:train", "Der So"), ("translation:zug", "Un")),
        *(("-電車 -zug", ""), ("電車 -です", ""), ("-電車 lang:ja", ""), ("x:zug", ""), ("lang:zug", "")),
    ):
        found = store.clips.page(PROFILE, q=q)
        words = [clip.sentence.split()[0] for clip in reversed(found.items)]
        assert (words, found.total) == (first_words.split(), len(first_words.split())), q


def test_a_finished_word_stands_for_the_forms_of_its_lemma_and_an_unfinished_one_for_what_begins_so(
    store: Store,
) -> None:
    _, story = add_file(
        store, cues=[Cue(n, None, None, text) for n, text in enumerate(("Er fuhr ab.", "Wir fahren.", "Das Fahrrad."))]
    )
    add_file(store, "wars.txt", [Cue(0, None, None, "It was long ago.")], language="en")
    store.words.set_lemmas("de", {"fuhr": "fahren", "fahren": "fahren", "fahrrad": "Fahrrad"})
    store.words.set_lemmas("en", {"was": "be"})
    for q, cues in (
        *(("fahren ", (0, 1)), ("fuhr ", (0, 1)), ("fuhr", (0,)), ("fahr", (1, 2)), ("fahr ", ())),
        *(('"fuhr"', (0,)), ("fuhr ab", (0,)), ("fahren -ab", (1,)), ("fahrrad ", (2,)), ("was ", ())),
    ):
        assert store.transcripts.find(PROFILE, story.id, q) == cues, q
    hits = store.sentences.find(PROFILE, "fahren ", 10)
    assert [(hit.text, [hit.text[a:b] for a, b in hit.spans]) for hit in hits] == [
        ("Wir fahren.", ["fahren"]),
        ("Er fuhr ab.", ["fuhr"]),
    ]
    assert (hits[0].before, hits[0].after, hits[0].cue_index) == ("Er fuhr ab.", "Das Fahrrad.", 1)


def test_sentences_are_found_newest_first_by_the_fields_of_their_transcripts(store: Store) -> None:
    for number, language in enumerate(("de", "de", "ja")):
        texts = ("東京に行く。", "京都。") if language == "ja" else (f"Der Zug {number}.", "der Bus")
        add_file(store, f"f{number}.srt", [Cue(n, None, None, text) for n, text in enumerate(texts)], language=language)
    for q, found in (
        *(("der", ["Der Zug 1.", "der Bus", "Der Zug 0.", "der Bus"]), ("der -bus", ["Der Zug 1.", "Der Zug 0."])),
        *(("der title:f0", ["Der Zug 0.", "der Bus"]), ("lang:de zug -title:f1", ["Der Zug 0."]), ("d", [])),
        *(
            ("京", ["東京に行く。", "京都。"]),
            ("東京に", ["東京に行く。"]),
            ("京 lang:de", []),
            ("lang:de", []),
            ("-der", []),
        ),
    ):
        assert sorted(hit.text for hit in store.sentences.find(PROFILE, q, 10)) == sorted(found), q
    store.transcripts.delete(PROFILE, [store.transcripts.page(PROFILE).items[-1].id])
    assert [hit.text for hit in store.sentences.find(PROFILE, "zug", 10)] == ["Der Zug 1."]


@pytest.mark.parametrize("q", ["zug", "s", "lang:de zug"])
def test_a_page_read_while_its_rows_are_counted_is_the_one_that_is_read_once_they_are(
    store: Store, monkeypatch: pytest.MonkeyPatch, q: str
) -> None:
    monkeypatch.setattr(clips_table, "_READ_WHILE_COUNTED", 10)
    for number in range(40):
        word = ("zug", "bahn", "schnell")[number % 3]
        store.clips.add(PROFILE, NewClip(f"{word} {number}", focus=FocusWord(word, language="de")))
    for offset in (0, 1, 9, 10, 12, 50):
        for limit in (0, 1, 3, 4, 100):
            counting = Store.open(store.path.parent)
            first = counting.clips.page(PROFILE, offset, limit, q)
            assert counting.clips.page(PROFILE, offset, limit, q) == first, (offset, limit)
            counting.close()
            assert len(first.items) == min(limit, max(0, first.total - offset)), (offset, limit)
            assert [clip.sentence for clip in first.items] == sorted(
                (clip.sentence for clip in first.items), key=lambda sentence: -int(sentence.split()[-1])
            )
