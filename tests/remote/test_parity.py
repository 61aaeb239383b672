"""One library asked here and over HTTP at once: the same answers, and the same errors word for word."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.dictionaries.making import INDEX, term_row, yomitan
from tests.llm.fakes.fake_server import answer, cut, stream
from tests.remote.both import Both, same
from tests.store.many_clips import add_many
from tui.errors import TemplateError
from tui.events import BreakdownEvent, BreakdownEvents, Failed, Finished, FocusReady
from tui.records.answers import NewTemplate
from tui.records.clip_selection import ClipSelection
from tui.records.clips import FocusWord, NewClip
from tui.records.library import ProfileSummary
from tui.records.settings import LearnedLanguage, ProfileSettings
from tui.records.words import TextPlace, WordMark
from tui.service.protocol import Service
from tui.service.requests import BreakdownRequest, ExplainRequest, PreviewRequest
from tui.wire import codec

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
        {"sort": "age", "limit": 2},
        {"sort": "-state"},
        {"sort": "-source", "limit": 2, "after": "x" * 5000},
        {"sort": "known"},
        {"sort": "no column & " * 20},
    )
    for name in ("files", "transcripts", "clips", "history", "jobs"):
        for place in places:
            await same(both, lambda service: getattr(service, name).page(**place))
    for place in places:
        if "q" not in place and "sort" not in place:
            await same(both, lambda service: service.transcripts.cues(transcript_id, **place))
    first = await both.there.clips.page(limit=2)
    assert first.next is not None
    rest = await both.there.clips.page(limit=100, after=first.next)
    assert len((*first.items, *rest.items)) == first.total == rest.total == 5
    assert rest == await both.here.clips.page(limit=100, after=first.next)
    for sort in ("-word", "sentence"):
        part = await both.there.clips.page(limit=2, sort=sort)
        assert part == await both.here.clips.page(limit=2, sort=sort)
        await same(both, lambda service: service.clips.page(sort=sort, after=part.next))
    for name in ("clips", "transcripts", "files", "history"):
        for sort in ("age", "-source", "words"):
            await same(both, lambda service: getattr(service, name).find_groups(sort, q="e"))


async def test_the_profiles_are_the_same(both: Both, tmp_path: Path) -> None:
    assert await same(both, lambda service: service.profiles()) == ()
    await filled(both, tmp_path)
    await both.there.of("anna").clips.add(CLIP)
    profiles = await same(both, lambda service: service.profiles())
    assert profiles == (ProfileSummary("anna", 0, 0, 1), ProfileSummary("default", 1, 1, 5))
    await same(both, lambda service: service.of("anna").clips.page())


async def test_a_page_may_be_longer_than_what_a_server_gives_at_once(both: Both) -> None:
    await both.here._library.run(lambda store: add_many(store, "default", (NewClip(f"Satz {n}") for n in range(1005))))
    page = await both.there.clips.page(limit=1003)
    assert page == await both.here.clips.page(limit=1003)
    assert len(page.items) == 1003
    assert page.next is not None
    assert await both.there.clips.page(limit=5000) == await both.here.clips.page(limit=5000)


async def test_whatever_is_given_as_an_id_is_answered_alike(both: Both, tmp_path: Path) -> None:
    """In a path, a query, a body; where a route is written by hand; where several may be given."""
    transcript_id, clip_id = await filled(both, tmp_path)
    for given in (*ODD_IDS, transcript_id[:6], clip_id[:6], clip_id.upper()):
        for call in (
            lambda service, given=given: service.files.delete(given),
            lambda service, given=given: service.transcripts.get(given),
            lambda service, given=given: service.transcripts.cues(given),
            lambda service, given=given: service.transcripts.export(given, tmp_path / "nowhere" / "out.srt"),
            lambda service, given=given: service.known_words.of_cues(given),
            lambda service, given=given: service.known_words.next_new(given, 0, 0),
            lambda service, given=given: service.known_words.next_words(transcript_id=given),
            lambda service, given=given: service.known_words.counts(given),
            lambda service, given=given: service.clips.get(given),
            lambda service, given=given: service.history.delete(given),
            lambda service, given=given: service.jobs.retry(given),
            lambda service, given=given: service.media.unspeak(ClipSelection((given,))),
        ):
            await same(both, call)
        if given in ODD_IDS:
            await same(both, lambda service: service.media.speak(ClipSelection((given,), "Satz", "tag")))
            await same(both, lambda service: service.files.reread(given))
            await same(both, lambda service: service.clips.delete(given))
            await same(both, lambda service: service.clips.edit(given, CLIP))


async def test_what_is_bounded_refused_or_written_by_hand_comes_to_the_same(both: Both, tmp_path: Path) -> None:
    transcript_id, clip_id = await filled(both, tmp_path)
    for call in (
        lambda service: service.clips.has(transcript_id, 1, "fährt"),
        lambda service: service.transcripts.find(transcript_id, "e", limit=0),
        lambda service: service.words.summary("a/b & ?", language="xx"),
        lambda service: service.words.concordance("fährt", language="de", limit=0),
        lambda service: service.words.concordance("fährt", language="de", limit=100_000),
        lambda service: service.known_words.page(language="de", q="zu", after="nonsense"),
        lambda service: service.known_words.page(language="no tag"),
        lambda service: service.known_words.of_cues(transcript_id[:6], offset=1, limit=1),
        lambda service: service.known_words.of_cues(transcript_id, limit=0),
        lambda service: service.known_words.next_new(transcript_id, -5, -5),
        lambda service: service.known_words.next_one_new(transcript_id, -1, 0),
        lambda service: service.known_words.counts(transcript_id, transcript_id[:6]),
        lambda service: service.known_words.counts(),
        lambda service: service.known_words.next_words(q="story", language="de"),
        lambda service: service.known_words.stats("de", transcripts=0),
        lambda service: service.known_words.mark([WordMark("", "x" * 201)]),
        lambda service: service.known_words.mark([WordMark("de", "x")], source=" "),
        lambda service: service.known_words.mark([]),
        lambda service: service.known_words.frequent("de", level="N9"),
        lambda service: service.known_words.mark_frequent("de", 0),
        lambda service: service.known_words.clip_words([TextPlace(transcript_id, 99, 0, 1)]),
        lambda service: service.history.usage(month="november"),
        lambda service: service.jobs.page(limit=1, after="j1", order="attention"),
        lambda service: service.template.get(),
        lambda service: service.llm.models("nobody"),
        lambda service: service.llm.models("openai"),
        lambda service: service.llm.preview(PreviewRequest("Der Zug.", prompt="{{ sentence }}\n{{ nope }}")),
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
        lambda service: service.deck.check_fields(tmp_path / "empty.srt"),
        lambda service: service.backup(tmp_path),
        lambda service: service.backup(tmp_path / "no" / "where.db"),
        lambda service: service.transcripts.export(transcript_id, tmp_path / "out.mp4"),
        lambda service: service.transcripts.export(transcript_id, tmp_path),
        lambda service: service.transcripts.export(transcript_id, tmp_path / "empty.srt"),
        lambda service: service.transcripts.export(transcript_id, tmp_path / "empty.srt", format="pdf"),
        lambda service: service.transcripts.export(transcript_id, tmp_path / "no" / "where.srt"),
        lambda service: service.transcripts.export(transcript_id, tmp_path / "out.json", overwrite=True),
        lambda service: service.transcripts.edit(transcript_id, title="x" * 1001),
        lambda service: service.files.reread(),
        lambda service: service.files.add([]),
        lambda service: service.files.add([tmp_path / "missing.srt"]),
        lambda service: service.files.add([tmp_path / "*.vtt"]),
        lambda service: service.clips.delete(),
        lambda service: service.clips.add(NewClip("  ")),
        lambda service: service.clips.add(NewClip("x", transcript_id="nowhere")),
        lambda service: service.clips.edit(clip_id, NewClip("")),
        lambda service: service.template.save(NewTemplate("work:m", "one\n  {% for %}", "")),
        lambda service: service.template.save(NewTemplate("lexicon:big", "x", "")),
        lambda service: service.settings.save(ProfileSettings("\x1b[31m")),
        lambda service: service.settings.save(ProfileSettings("de", (LearnedLanguage("ja", "HSK1"),))),
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


async def test_dictionaries_are_the_same(both: Both, tmp_path: Path) -> None:
    path = yomitan(tmp_path / "a.zip", [term_row("fahren", "to drive")], metas=[["fahren", "freq", 12]])
    for title in ("A", "B"):
        index = {**INDEX, "title": title, "description": "long"}
        jobs = await both.there.dictionaries.add([yomitan(path, [term_row("fahren", title)], index=index)])
        async for _ in both.there.jobs.follow([job.id for job in jobs]):
            pass
    first, _second = await both.here.dictionaries.all()
    await same(both, lambda service: service.dictionaries.all())
    for word, language in (("", "de"), (" ", None), ("x" * 500, "ja"), ("a/b?c#d", "no language"), ("\x1b[31m", "de")):
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


async def events_of(events: BreakdownEvents) -> list[object]:
    """Everything of the stream but what differs from one time to the next (a count is only given if it is quick)."""
    async with aclosing(events):
        return [comparable(event) async for event in events]


def comparable(event: BreakdownEvent) -> object:
    match event:
        case Failed(error):
            place = (error.line, error.column) if isinstance(error, TemplateError) else None
            return "failed", codec.error_fields(error)["kind"], error.code, error.message, error.hint, place
        case Finished():
            return replace(event, answer_id="one" if event.answer_id else None, duration_ms=0)
        case FocusReady(focus, input_tokens, output_tokens):
            return "focus", replace(focus, frequency=None), input_tokens, output_tokens
    return event


ASK = BreakdownRequest("Der Zug fährt ab.", "fährt", model="work:m", language="de", fresh=True)


async def test_streams_are_the_same_event_by_event(both: Both) -> None:
    focus = {"surface": "fährt", "lemma": "fahren", "meanings": ["to go"]}
    for _ in (both.here, both.there):
        both.server.enqueue(answer(focus, tokens=(9, 3)), stream("**fährt**\n", " … ", "\u2028ab 🚂", tokens=(7, 5)))
        both.server.enqueue(answer(focus), cut("half"))
        both.server.enqueue(stream("It says", " so."))
    asked: tuple[Callable[[Service], BreakdownEvents], ...] = (
        lambda service: service.llm.breakdown(ASK),
        lambda service: service.llm.breakdown(ASK),
        lambda service: service.llm.explain(ExplainRequest("Der Zug.", model="work:m", fresh=True)),
        lambda service: service.llm.breakdown(replace(ASK, model="lexicon:concordance")),
        lambda service: service.llm.breakdown(replace(ASK, model="")),
        lambda service: service.llm.breakdown(replace(ASK, model="nobody:m")),
        lambda service: service.llm.breakdown(replace(ASK, prompt="one\n {{ nope }}")),
        lambda service: service.llm.breakdown(replace(ASK, sentence="x" * 20_000)),
        lambda service: service.llm.explain(ExplainRequest("")),
    )
    here = [await events_of(ask(both.here)) for ask in asked]
    there = [await events_of(ask(both.there)) for ask in asked]
    for one, other in zip(here, there, strict=True):
        assert other == one
    again = replace(ASK, fresh=False)
    kept = [await events_of(service.llm.breakdown(again)) for service in (both.here, both.there)]
    assert kept[0] == kept[1]
    end = kept[1][-1]
    assert isinstance(end, Finished)
    assert end.kept
