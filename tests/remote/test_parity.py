"""One library asked here and over HTTP at once: the same answers, and the same errors word for word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.dictionaries.making import INDEX, term_row, yomitan
from tests.remote.both import Both, same
from tui.records.answers import NewTemplate
from tui.records.clips import FocusWord, NewClip
from tui.records.exports import ClipSelection
from tui.records.library import ProfileSummary
from tui.records.notes import NoteTypeFields
from tui.records.settings import LearnedLanguage, ProfileSettings
from tui.records.transcripts import ReadingPlace
from tui.records.words import TextPlace, WordMark
from tui.service.requests import PreviewRequest

pytestmark = pytest.mark.exhaustive

STORY = "1\n00:00:01,000 --> 00:00:02,500\nDer Zug fährt ab.\n\n2\n00:00:03,000 --> 00:00:05,000\nWir fahren mit.\n"
CLIP = NewClip(
    "Der Zug fährt ab.",
    translation="The train leaves.",
    focus=FocusWord("fährt", lemma="fahren", meanings=("to go", "to drive")),
    tags=("zug", "tag mit raum"),
    note='a "note" with <b>marks</b>, \\ and \x07',
)
ODD_IDS = ("nothere", "", " ", ".", "..", "a/b", "/", "%", "%2F", "?x#y", "é", "ё" * 30, "x" * 1000, "A\nB", "\0")


async def filled(both: Both, tmp_path: Path) -> tuple[str, str]:
    """A file, its transcript, clips of it, and a job that failed; gives the ids of transcript and clip."""
    story, empty = tmp_path / "story.de.srt", tmp_path / "empty.srt"
    story.write_text(STORY, "utf-8")
    empty.write_bytes(b"")
    jobs = await both.here.files.add([story, empty])
    async for _ in both.here.jobs.follow([job.id for job in jobs]):
        pass
    (transcript,) = (await both.here.transcripts.page()).items
    clip = await both.here.clips.add(replace(CLIP, transcript_id=transcript.id, cue_index=0, start_ms=1000))
    for number in range(4):
        await both.here.clips.add(NewClip(f"Satz {number}"))
    return transcript.id, clip.id


async def test_a_name_means_the_same(both: Both, tmp_path: Path) -> None:
    transcript_id, _ = await filled(both, tmp_path)
    for name in ("STORY", "sto", "/films/story.de.srt", *(each for each in ODD_IDS if each != "nothere")):
        await same(both, lambda service: service.transcripts.find_named(name))
        await same(both, lambda service: service.files.find_named(name))
    (transcript,) = await both.there.transcripts.find_named("Story")
    assert transcript.id == transcript_id


async def test_every_list_is_the_same_by_offset_by_cursor_and_by_words(both: Both, tmp_path: Path) -> None:
    transcript_id, _ = await filled(both, tmp_path)
    places: tuple[dict[str, Any], ...] = (
        {},
        {"limit": 2},
        {"limit": 2, "offset": 3},
        {"limit": 0},
        {"limit": -1},
        {"limit": 5000},
        {"offset": -5},
        {"offset": 10**15},
        {"q": "zug"},
        {"q": "zu fäh", "limit": 1},
        {"q": "100% _ \\ 'x' \" & = + # ? ; é ☃ 🙂"},
        {"q": " "},
        {"q": " ".join(f"w{number}" for number in range(101))},
        {"q": "zug " * 15_000},
        {"after": "nonsense"},
        {"after": ""},
        {"after": "x" * 500},
    )
    for name in ("files", "transcripts", "clips", "history", "jobs"):
        for place in places:
            await same(both, lambda service: getattr(service, name).page(**place))
    for place in places:
        if "q" not in place:
            await same(both, lambda service: service.transcripts.cues(transcript_id, **place))
    first = await both.there.clips.page(limit=2)
    assert first.next is not None
    rest = await both.there.clips.page(limit=100, after=first.next)
    assert len((*first.items, *rest.items)) == first.total == rest.total == 5
    assert rest == await both.here.clips.page(limit=100, after=first.next)


async def test_a_place_that_was_left_there_is_found_here(both: Both, tmp_path: Path) -> None:
    transcript_id, _ = await filled(both, tmp_path)
    assert await same(both, lambda service: service.transcripts.place(transcript_id)) is None
    await both.there.transcripts.leave_at(transcript_id, ReadingPlace(1, 2))
    assert await same(both, lambda service: service.transcripts.place(transcript_id)) == ReadingPlace(1, 2)


async def test_the_jobs_come_in_the_order_that_is_asked_for(both: Both, tmp_path: Path) -> None:
    await filled(both, tmp_path)
    later = await both.here.files.add([tmp_path / "story.de.srt"])
    async for _ in both.here.jobs.follow([job.id for job in later]):
        pass
    first = await both.there.jobs.page(limit=1, order="attention")
    assert [job.state for job in first.items] == ["failed"]
    assert [job.id for job in (await both.there.jobs.page(limit=1)).items] == [later[0].id]
    for after in (None, first.next, "j1", "nonsense"):
        await same(both, lambda service: service.jobs.page(limit=1, after=after, order="attention"))


async def test_the_profiles_are_the_same(both: Both, tmp_path: Path) -> None:
    assert await same(both, lambda service: service.profiles()) == ()
    await filled(both, tmp_path)
    await both.there.of("anna").clips.add(CLIP)
    profiles = await same(both, lambda service: service.profiles())
    assert profiles == (ProfileSummary("anna", 0, 0, 1), ProfileSummary("default", 1, 1, 5))
    await same(both, lambda service: service.of("anna").clips.page())


async def test_a_page_may_be_longer_than_what_a_server_gives_at_once(both: Both) -> None:
    from tui.store import Store

    def many(store: Store) -> None:
        for number in range(1005):
            store.clips.add("default", NewClip(f"Satz {number}"))

    await both.here._library.run(many)
    page = await both.there.clips.page(limit=1003)
    assert page == await both.here.clips.page(limit=1003)
    assert len(page.items) == 1003
    assert page.next is not None
    assert await both.there.clips.page(limit=5000) == await both.here.clips.page(limit=5000)


async def test_whatever_is_given_as_an_id_is_answered_alike(both: Both, tmp_path: Path) -> None:
    transcript_id, clip_id = await filled(both, tmp_path)
    for given in (*ODD_IDS, transcript_id[:6], clip_id[:6], clip_id.upper()):
        for call in (
            lambda service, given=given: service.files.get(given),
            lambda service, given=given: service.files.jobs_of(given),
            lambda service, given=given: service.files.delete(given),
            lambda service, given=given: service.transcripts.get(given),
            lambda service, given=given: service.transcripts.cues(given),
            lambda service, given=given: service.transcripts.changes(given),
            lambda service, given=given: service.transcripts.edit(given),
            lambda service, given=given: service.transcripts.place(given),
            lambda service, given=given: service.transcripts.leave_at(given, ReadingPlace(1)),
            lambda service, given=given: service.transcripts.export(given, tmp_path / "nowhere" / "out.srt"),
            lambda service, given=given: service.transcripts.find(given, "zug"),
            lambda service, given=given: service.known_words.of_cues(given),
            lambda service, given=given: service.known_words.next_new(given, 0, 0),
            lambda service, given=given: service.known_words.counts(given),
            lambda service, given=given: service.clips.get(given),
            lambda service, given=given: service.clips.cues_of(given),
            lambda service, given=given: service.clips.has(given, 0, "fährt"),
            lambda service, given=given: service.history.get(given),
            lambda service, given=given: service.history.delete(given),
            lambda service, given=given: service.jobs.get(given),
            lambda service, given=given: service.jobs.cancel(given),
            lambda service, given=given: service.jobs.retry(given),
        ):
            await same(both, call)
        await same(both, lambda service: service.media.unspeak(ClipSelection((given,))))
        if given in ODD_IDS:
            await same(both, lambda service: service.media.speak(ClipSelection((given,), "Satz", "tag")))
            await same(both, lambda service: service.files.reread(given))
            await same(both, lambda service: service.clips.delete(given))
            await same(both, lambda service: service.clips.edit(given, CLIP))
            await same(both, lambda service: service.transcripts.delete(given))


async def test_what_is_read_is_the_same(both: Both, tmp_path: Path) -> None:
    transcript_id, clip_id = await filled(both, tmp_path)
    for call in (
        lambda service: service.clips.get(clip_id),
        lambda service: service.clips.cues_of(transcript_id),
        lambda service: service.clips.has(transcript_id, 0, "fährt"),
        lambda service: service.clips.has(transcript_id, 1, "fährt"),
        lambda service: service.transcripts.find(transcript_id, "fahren"),
        lambda service: service.transcripts.find(transcript_id, "", limit=1),
        lambda service: service.transcripts.find(transcript_id, "e", limit=0),
        lambda service: service.words.summary("fährt", language="de"),
        lambda service: service.words.summary("fährt", language=None),
        lambda service: service.words.summary("a/b & ?", language="xx"),
        lambda service: service.words.concordance("fährt", language="de"),
        lambda service: service.words.concordance("fährt", language="de", limit=0),
        lambda service: service.words.concordance("fährt", language="de", limit=100_000),
        lambda service: service.known_words.page(),
        lambda service: service.known_words.page(order="occurrences", limit=2, offset=1, states=("new", "seen")),
        lambda service: service.known_words.page(language="de", q="zu", after="nonsense"),
        lambda service: service.known_words.page(language="no tag"),
        lambda service: service.known_words.of_cues(transcript_id),
        lambda service: service.known_words.of_cues(transcript_id[:6], offset=1, limit=1),
        lambda service: service.known_words.of_cues(transcript_id, limit=0),
        lambda service: service.known_words.next_new(transcript_id, 0, 0),
        lambda service: service.known_words.next_new(transcript_id, -5, -5),
        lambda service: service.known_words.next_one_new(transcript_id, 0),
        lambda service: service.known_words.next_one_new(transcript_id, -1, 0),
        lambda service: service.known_words.counts(transcript_id, transcript_id[:6]),
        lambda service: service.known_words.counts(),
        lambda service: service.known_words.next_words(transcript_id=transcript_id, limit=2),
        lambda service: service.known_words.next_words(q="story", language="de"),
        lambda service: service.known_words.next_words(limit=0),
        lambda service: service.known_words.stats(),
        lambda service: service.known_words.stats("de", transcripts=0),
        lambda service: service.known_words.stats("no tag"),
        lambda service: service.known_words.mark([WordMark("de", " ")]),
        lambda service: service.known_words.mark([WordMark("", "x" * 201)]),
        lambda service: service.known_words.mark([WordMark("de", "x")], source=" "),
        lambda service: service.known_words.mark([]),
        lambda service: service.known_words.mark_frequent("xx", 5),
        lambda service: service.known_words.frequent("de", count=3),
        lambda service: service.known_words.frequent("de", level="b1"),
        lambda service: service.known_words.frequent("de", level="N9"),
        lambda service: service.known_words.frequent("", count=0),
        lambda service: service.known_words.mark_frequent("", 5),
        lambda service: service.known_words.mark_frequent("de", 0),
        lambda service: service.known_words.clip_words([]),
        lambda service: service.known_words.clip_words([TextPlace(transcript_id, 99, 0, 1)]),
        lambda service: service.known_words.clip_words([TextPlace("nothing", 0, 0, 1)]),
        lambda service: service.history.usage(),
        lambda service: service.history.usage(month="2026-11"),
        lambda service: service.history.usage(month="november"),
        lambda service: service.jobs.running(),
        lambda service: service.template.get(),
        lambda service: service.template.effective(),
        lambda service: service.settings.get(),
        lambda service: service.llm.providers(),
        lambda service: service.llm.models("work"),
        lambda service: service.llm.models("work", refresh=True),
        lambda service: service.llm.models("lexicon"),
        lambda service: service.llm.models("nobody"),
        lambda service: service.llm.models("openai"),
        lambda service: service.llm.preview(PreviewRequest("Der Zug.", "Zug", language="de", source="x")),
        lambda service: service.llm.preview(PreviewRequest("Der Zug.", prompt="{{ sentence }}\n{{ nope }}")),
        lambda service: service.llm.preview_lenient(PreviewRequest("Der Zug.", "Zug", prompt="{{ focus }}!")),
        lambda service: service.deck.export("anywhere.apkg", dry_run=True),
        lambda service: service.deck.export("anywhere.apkg", name="  Zug::Fahrt ", dry_run=True),
        lambda service: service.deck.export("anywhere.csv", selection=ClipSelection(q="zug"), dry_run=True),
        lambda service: service.deck.export("anywhere.md", selection=ClipSelection(since="soon"), dry_run=True),
        lambda service: service.deck.export("anywhere.txt", selection=ClipSelection(ids=("zz",)), dry_run=True),
        lambda service: service.deck.export("anywhere.pdf", dry_run=True),
        lambda service: service.deck.export("anywhere"),
        lambda service: service.deck.export(tmp_path / "empty.srt" / "x.csv"),
        lambda service: service.deck.export(tmp_path, dry_run=True),
        lambda service: service.deck.export(tmp_path),
        lambda service: service.deck.export(tmp_path / "no" / "where.apkg"),
        lambda service: service.deck.export(tmp_path / "empty.srt" / "x.apkg"),
        lambda service: service.backup(tmp_path),
        lambda service: service.backup(tmp_path / "no" / "where.db"),
        lambda service: service.transcripts.export(transcript_id, tmp_path / "out.mp4"),
        lambda service: service.transcripts.export(transcript_id, tmp_path / "out"),
        lambda service: service.transcripts.export(transcript_id, tmp_path),
        lambda service: service.transcripts.export(transcript_id, tmp_path / "empty.srt"),
        lambda service: service.transcripts.export(transcript_id, tmp_path / "empty.srt", format="pdf"),
        lambda service: service.transcripts.export(transcript_id, tmp_path / "no" / "where.srt"),
        lambda service: service.transcripts.export(transcript_id, tmp_path / "out.json", overwrite=True),
        lambda service: service.transcripts.edit(transcript_id, title="  "),
        lambda service: service.transcripts.edit(transcript_id, title="x" * 1001),
        lambda service: service.transcripts.edit(transcript_id, language="no tag"),
        lambda service: service.files.reread(),
        lambda service: service.files.add([]),
        lambda service: service.files.add([tmp_path / "missing.srt"]),
        lambda service: service.files.add([tmp_path / "*.vtt"]),
        lambda service: service.clips.add(NewClip("  ")),
        lambda service: service.clips.add(NewClip("x", transcript_id="nowhere")),
        lambda service: service.clips.edit(clip_id, NewClip("")),
        lambda service: service.template.save(NewTemplate("work:m", "{{ contxt }}", "")),
        lambda service: service.template.save(NewTemplate("work:m", "one\n  {% for %}", "")),
        lambda service: service.template.save(NewTemplate("nobody:m", "x", "")),
        lambda service: service.template.save(NewTemplate("lexicon:big", "x", "")),
        lambda service: service.settings.save(ProfileSettings("\x1b[31m")),
        lambda service: service.settings.save(ProfileSettings("de", (LearnedLanguage("ja", "HSK1"),))),
        lambda service: service.settings.save(ProfileSettings(note_fields="[fields]")),
        lambda service: service.deck.check_fields(tmp_path / "empty.srt"),
        lambda service: service.deck.check_note_types((NoteTypeFields("Lode", ("Expression", "Mine")),), "Anki"),
    ):
        await same(both, call)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


async def test_the_first_error_of_a_prompt_has_its_place(both: Both) -> None:
    request = PreviewRequest("Der Zug.", "Zug", prompt="{{ focus }}\n  {{ nope }}")
    (here, wrong), (there, same_wrong) = [
        await service.llm.preview_lenient(request) for service in (both.here, both.there)
    ]
    assert here == there
    assert wrong is not None
    assert same_wrong is not None
    assert (same_wrong.line, same_wrong.column, same_wrong.message) == (wrong.line, wrong.column, wrong.message)
    assert same_wrong.line == 2


async def test_an_ambiguous_beginning_of_an_id_is_told_with_the_ids_it_stands_for(both: Both) -> None:
    clips = [await both.here.clips.add(NewClip(str(number))) for number in range(40)]
    letters = [clip.id[0] for clip in clips]
    twice = next(letter for letter in letters if letters.count(letter) > 1)
    said = await same(both, lambda service: service.clips.get(twice))
    assert isinstance(said, tuple)
    assert said[1] == "ambiguous_id"


async def test_an_ordinary_life_of_writes_leaves_the_same_library(both: Both) -> None:
    """What is written there is read here, as it was given."""
    made = await both.there.clips.add(CLIP)
    assert await both.here.clips.get(made.id) == made
    assert (made.note, made.tags, made.focus) == ((await both.here.clips.add(CLIP)).note, CLIP.tags, CLIP.focus)
    edited = await both.there.clips.edit(made.id[:8], replace(CLIP, note="new"))
    assert await both.here.clips.get(made.id) == edited
    assert edited.note == "new"
    assert await both.there.clips.edit(made.id, replace(CLIP, note="new")) == edited
    assert (await both.there.clips.delete(made.id)).count == 1
    restored = await both.there.undo()
    assert restored is not None
    assert (restored.kind, restored.count) == ("clip", 1)
    for side, kind in ((both.there, "edited_clip"), (both.here, "added_clip"), (both.there, "added_clip")):
        restored = await side.undo()
        assert restored is not None
        assert restored.kind == kind
    assert await both.there.undo() is await both.here.undo() is None
    assert (await both.there.clips.delete()).count == (await both.here.clips.delete()).count == 0
    saved = await both.there.template.save(NewTemplate("work:m", "{{ focus }}", "s", "work:n", "t"))
    assert await both.here.template.get() == await both.there.template.get() == saved
    assert (await both.there.template.delete()).count == 1
    assert await both.there.template.delete() == await both.here.template.delete()


async def test_dictionaries_are_the_same(both: Both, tmp_path: Path) -> None:
    path = yomitan(tmp_path / "a.zip", [term_row("fahren", "to drive")], metas=[["fahren", "freq", 12]])
    for title in ("A", "B"):
        index = {**INDEX, "title": title, "description": "long"}
        jobs = await both.there.dictionaries.add([yomitan(path, [term_row("fahren", title)], index=index)])
        async for _ in both.there.jobs.follow([job.id for job in jobs]):
            pass
    first, _second = await both.here.dictionaries.all()
    await same(both, lambda service: service.dictionaries.all())
    for word in ("fahren", "Zug", "", " ", "x" * 500, "a/b?c#d", "\x1b[31m", "fährt … ab"):
        for language in ("de", "ja", None, "no language"):
            await same(both, lambda service: service.dictionaries.look_up(word, language=language))
    await same(both, lambda service: service.dictionaries.look_up("fährt", language="de", sentence="Er fährt ab."))
    await same(both, lambda service: service.dictionaries.find_offered())
    await same(both, lambda service: service.dictionaries.reorder("B"))
    await same(both, lambda service: service.dictionaries.add([tmp_path / "none.zip"]))
    await same(both, lambda service: service.dictionaries.add([tmp_path]))
    for odd in ODD_IDS:
        await same(both, lambda service: service.dictionaries.reorder(odd))
        await same(both, lambda service: service.dictionaries.delete(odd))
    await both.there.dictionaries.delete(first.id)
    await same(both, lambda service: service.dictionaries.all())
