"""Every operation of the contract, asked here and over HTTP of two profiles that hold the same: the answers agree."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.dictionaries.making import INDEX, term_row, yomitan
from tests.remote.both import Both, outcome
from tui.records.answers import NewTemplate
from tui.records.clip_selection import ClipSelection
from tui.records.clips import FocusWord, NewClip
from tui.records.media import Span
from tui.records.notes import NoteTypeFields
from tui.records.own_words import OwnWord
from tui.records.search import View
from tui.records.settings import LearnedLanguage, ProfileSettings
from tui.records.transcripts import ReadingPlace
from tui.records.vocabulary import VocabularyChoice
from tui.records.words import TextPlace, WordMark, WordPlace
from tui.remote.uploads import content_upload
from tui.service.protocol import Service
from tui.service.protocol.signatures import RESOURCES, operations
from tui.service.requests import BreakdownRequest, ExplainRequest, FollowUpRequest, PreviewRequest

pytestmark = pytest.mark.exhaustive

STORY = "1\n00:00:01,000 --> 00:00:02,500\nDer Zug fährt ab.\n\n2\n00:00:03,000 --> 00:00:05,000\nWir fahren mit.\n"
OTHER = "1\n00:00:01,000 --> 00:00:02,500\nThe train leaves.\n\n2\n00:00:03,000 --> 00:00:05,000\nWe come along.\n"
CLIP = NewClip("Der Zug fährt ab.", translation="The train leaves.", focus=FocusWord("fährt", lemma="fahren"))
WORDS = b"word,state\nHund,known\n"
_OWN = re.compile(
    r"20\d\d-\d\d-\d\dT[0-9:.]+Z|_ms=\d+|'[a-z2-7]{12}'|next='[^']*'|(?<=: )'[0-9 ]+'|'[AB](\.zip)?'"
    r"|profile \w+|'t?here'|\.0\b|(?<=Step\(id=)\d+"
)
"""What is another on each side, and is left out: times, ids, cursors, revisions, names; and how a float is written."""
Ids = Mapping[str, str]
CALLS: Mapping[str, Any] = {
    "service.profiles": lambda ids: (),
    "service.revisions": lambda ids: (),
    "service.doctor": lambda ids: ({"full": True},),
    "llm.providers": lambda ids: (),
    "llm.models": lambda ids: ("work", {"refresh": True}),
    "llm.preview": lambda ids: (PreviewRequest("Der Zug.", "Zug", language="de"),),
    "llm.preview_lenient": lambda ids: (PreviewRequest("Der Zug.", "Zug", prompt="{{ focus }}!"),),
    "llm.breakdown": lambda ids: (BreakdownRequest("Der Zug fährt ab.", "Zug", "lexicon:concordance"),),
    "llm.explain": lambda ids: (ExplainRequest("Der Zug fährt ab.", model="lexicon:concordance"),),
    "llm.ask_on": lambda ids: (FollowUpRequest("nothing", "Why?"),),
    "files.add_upload": lambda ids: (" ", content_upload(b"x"), {"language": "de", "force": True}),
    "dictionaries.add_upload": lambda ids: (" ", content_upload(b"x")),
    "vocabulary.add_upload": lambda ids: (" ", content_upload(b"x"), VocabularyChoice(language="de"), {"source": "x"}),
    "vocabulary.preview_upload": lambda ids: ("a.csv", content_upload(WORDS), VocabularyChoice(language="de")),
    "vocabulary.offer_upload": lambda ids: ("a.csv", content_upload(WORDS), {"encoding": "utf-8"}),
    "files.page": lambda ids: ({"limit": 1, "q": "story"},),
    "files.find_groups": lambda ids: ("age",),
    "files.get": lambda ids: (ids["file"],),
    "files.find_named": lambda ids: ("story.de.srt",),
    "files.readings": lambda ids: (ids["file"],),
    "files.jobs_of": lambda ids: (ids["file"],),
    "transcripts.page": lambda ids: ({"offset": 1, "limit": 1},),
    "transcripts.find_groups": lambda ids: ("series", {"q": "story"}),
    "transcripts.get": lambda ids: (ids["transcript"],),
    "transcripts.find_named": lambda ids: ("Story",),
    "transcripts.cues": lambda ids: (ids["transcript"], {"limit": 1}),
    "transcripts.sentences": lambda ids: (ids["transcript"],),
    "transcripts.changes": lambda ids: (ids["transcript"],),
    "transcripts.words": lambda ids: (ids["transcript"], {"offset": 1}),
    "transcripts.find": lambda ids: (ids["transcript"], "fahren", {"limit": 5}),
    "transcripts.stream_export": lambda ids: (ids["transcript"], "srt"),
    "transcripts.leave_at": lambda ids: (ids["transcript"], ReadingPlace(1, 2)),
    "transcripts.note": lambda ids: (ids["transcript"], 1, "Das Präfix\nsteht am Ende."),
    "transcripts.notes": lambda ids: (ids["transcript"],),
    "transcripts.place": lambda ids: (ids["transcript"],),
    "transcripts.edit": lambda ids: (ids["transcript"], {"title": "Another story"}),
    "cues.edit": lambda ids: (ids["transcript"], 1, {"seen": "Wir fahren mit.", "text": "Wir fahren.", "end_ms": 4000}),
    "cues.split": lambda ids: (ids["transcript"], 1, {"seen": "Wir fahren.", "at": 4}),
    "cues.merge": lambda ids: (ids["transcript"], 1, {"seen": "Wir"}),
    "cues.insert": lambda ids: (ids["transcript"], 2, "Neu.", {"start_ms": 4000, "end_ms": 4500}),
    "cues.delete": lambda ids: (ids["transcript"], 2, {"seen": "Alt."}),
    "cues.shift": lambda ids: (ids["transcript"], -100),
    "transcripts.pair": lambda ids: (ids["transcript"], ids["other"], {"offset_ms": -20}),
    "transcripts.translations": lambda ids: (ids["transcript"], {"limit": 1}),
    "transcripts.unpair": lambda ids: (ids["transcript"],),
    "transcripts.last_read": lambda ids: ({"limit": 5},),
    "bookmarks.put": lambda ids: (ids["transcript"], 1, {"name": "mine"}),
    "bookmarks.of": lambda ids: (ids["transcript"],),
    "bookmarks.page": lambda ids: ({"q": "mine"},),
    "bookmarks.find_groups": lambda ids: ("title",),
    "bookmarks.get": lambda ids: ("nothing",),
    "bookmarks.delete": lambda ids: ("nothing",),
    "clips.page": lambda ids: (),
    "clips.find_groups": lambda ids: ("-tags",),
    "clips.get": lambda ids: (ids["clip"],),
    "clips.cues_of": lambda ids: (ids["transcript"],),
    "clips.has": lambda ids: (ids["transcript"], 0, "fährt"),
    "clips.add": lambda ids: (NewClip("Ein Satz."),),
    "clips.keep": lambda ids: (CLIP, {"asked": "fährt & ab?"}),
    "clips.edit": lambda ids: (ids["clip"], NewClip("Ein anderer Satz.", tags=("zug", "mit raum"))),
    "clips.fill": lambda ids: (ClipSelection(q="satz"), {"dry_run": True}),
    "clips.tags": lambda ids: (ClipSelection(q="satz"),),
    "clips.tag": lambda ids: (ClipSelection(q="zug"), {"add": "a2 +b1", "remove": "mit"}),
    "clips.move": lambda ids: (ids["clip"], {"to": "elsewhere", "dry_run": True}),
    "transcripts.move": lambda ids: (ids["transcript"], {"to": "elsewhere", "dry_run": True}),
    "files.move": lambda ids: (ids["file"], {"to": "a b", "dry_run": True}),
    "media.of": lambda ids: (ids["transcript"],),
    "media.unlink": lambda ids: (ids["file"],),
    "media.waveform": lambda ids: (ids["transcript"], Span(0, 1000)),
    "media.sound": lambda ids: (ids["transcript"], Span(0, 1000)),
    "media.audio": lambda ids: (ids["clip"],),
    "media.picture": lambda ids: (ids["clip"],),
    "transcription.plan": lambda ids: (ids["transcript"], {"model": "work:m", "track": 1, "end_ms": 500}),
    "transcription.start": lambda ids: (ids["file"], {"language": "nothing", "start_ms": 5}),
    "retiming.apply": lambda ids: (ids["transcript"], {"factor": 1.05, "offset_ms": 5}),
    "retiming.by_hand": lambda ids: (ids["transcript"], 0, 2000, {"other_index": 1, "other_at_ms": 4000}),
    "retiming.against": lambda ids: (ids["transcript"], ids["other"], {"dry_run": True}),
    "retiming.by_sound": lambda ids: (ids["transcript"],),
    "reviews.plan": lambda ids: (ids["transcript"], {"model": "work:m"}),
    "reviews.start": lambda ids: (ids["transcript"], {"model": "lexicon:concordance"}),
    "reviews.page": lambda ids: ({"limit": 5},),
    "reviews.get": lambda ids: (ids["review"],),
    "reviews.items": lambda ids: (ids["review"], {"limit": 1}),
    "reviews.decide": lambda ids: (ids["review"], 0, 9, {"taken": False}),
    "reviews.plan_translation": lambda ids: (ids["transcript"], {"into": "en", "model": "work:m"}),
    "reviews.translate": lambda ids: (ids["transcript"], {"into": "de"}),
    "reviews.ask_anew": lambda ids: (ids["review"], 9),
    "reviews.decide_alike": lambda ids: (ids["review"], 0, {"taken": False}),
    "reviews.drop_changes": lambda ids: (ids["review"], 0, 0),
    "reviews.edit": lambda ids: (ids["review"], 1, "Wir gehen mit."),
    "reviews.apply": lambda ids: (ids["review"], {"with_unseen": True}),
    "reviews.count_waiting": lambda ids: ({},),
    "reviews.edit_card": lambda ids: (ids["review"], 0, NewClip("Der Zug fährt ab.", note="x")),
    "mining.marks": lambda ids: (ids["transcript"],),
    "mining.mark": lambda ids: (ids["transcript"], 0, 4, 7, {"is_sentence": True}),
    "mining.unmark": lambda ids: (ids["transcript"], 0, 0),
    "mining.plan": lambda ids: (ids["transcript"], {"places": [WordPlace(0, 0, 3)], "words": ["Zug"]}),
    "mining.start": lambda ids: (ids["transcript"], {"words": ["Zebra"]}),
    "reviews.drop": lambda ids: (ids["review"],),
    "transcription.models": lambda ids: (),
    "media.speak": lambda ids: (ClipSelection(q="nothing has this"), {"again": True}),
    "media.unspeak": lambda ids: (ClipSelection(tag="zug"),),
    "deck.check_note_types": lambda ids: ((NoteTypeFields("Lode", ("Expression", "Mine")),), "Anki"),
    "template.effective": lambda ids: (),
    "template.save": lambda ids: (NewTemplate("work:m", "{{ focus }}", "teach"),),
    "template.delete": lambda ids: (),
    "settings.get": lambda ids: (),
    "settings.save": lambda ids: (ProfileSettings("es", (LearnedLanguage("de", "B1"),)),),
    "views.save": lambda ids: (View("Verben / a1", "clips", "tag:verb"),),
    "views.all": lambda ids: (),
    "views.rename": lambda ids: ("VERBEN / a1", "Verben"),
    "views.delete": lambda ids: ("verben",),
    "words.summary": lambda ids: ("fährt", {"language": "de", "sentence": "Der Zug fährt ab."}),
    "words.concordance": lambda ids: ("fährt", {"language": None, "limit": 3}),
    "own_words.save": lambda ids: (OwnWord("de", "Zug", "train"),),
    "own_words.all": lambda ids: ({"language": "de"},),
    "own_words.delete": lambda ids: ("de", "Zug"),
    "known_words.page": lambda ids: (
        {"language": "de", "states": ("new", "seen"), "order": "occurrences", "limit": 2},
    ),
    "known_words.mark": lambda ids: ([WordMark("de", "Zug"), WordMark("ja", "床", "ゆか", "learning")],),
    "known_words.stream_export": lambda ids: ("de",),
    "known_words.mark_frequent": lambda ids: ("de", 2, "seen"),
    "known_words.frequent": lambda ids: ("de", {"count": 3}),
    "known_words.of_cues": lambda ids: (ids["transcript"], {"limit": 1}),
    "known_words.next_new": lambda ids: (ids["transcript"], 0, -1),
    "known_words.next_one_new": lambda ids: (ids["transcript"], -1),
    "known_words.next_words": lambda ids: ({"transcript_id": ids["transcript"], "limit": 2},),
    "known_words.clip_words": lambda ids: ([TextPlace(ids["transcript"], 1, 4, 10)],),
    "known_words.counts": lambda ids: (ids["transcript"],),
    "known_words.stats": lambda ids: ("de", {"transcripts": 1}),
    "dictionaries.all": lambda ids: (),
    "dictionaries.look_up": lambda ids: ("fährt", {"language": "de", "sentence": "Der Zug fährt ab."}),
    "dictionaries.reorder": lambda ids: (ids["dictionary"],),
    "history.page": lambda ids: (),
    "history.find_groups": lambda ids: ("age",),
    "history.get": lambda ids: (ids["answer"],),
    "history.usage": lambda ids: ({"month": "2026-11"},),
    "jobs.page": lambda ids: ({"order": "attention", "limit": 1},),
    "jobs.get": lambda ids: (ids["job"],),
    "jobs.running": lambda ids: (),
    "jobs.start": lambda ids: ("nothing of the kind", "x"),
    "jobs.cancel": lambda ids: (ids["job"],),
    "jobs.retry": lambda ids: (ids["job"],),
    "jobs.readings": lambda ids: (ids["job"],),
    "jobs.retry_in": lambda ids: (ids["job"], "latin-1"),
    "service.search_values": lambda ids: ("clips", "lang"),
    "service.search": lambda ids: ("zug", {"group": "clips"}),
    "service.undo": lambda ids: (),
    "service.redo": lambda ids: (),
    "service.undo_steps": lambda ids: ({"limit": 3},),
    "service.undo_step": lambda ids: (2**50,),
    "history.delete": lambda ids: (ids["answer"],),
    "clips.delete": lambda ids: (ids["clip"],),
    "files.reread": lambda ids: ("nothing", {"encoding": "utf-8", "as_is": True}),
    "files.delete": lambda ids: (ids["file"],),
    "transcripts.delete": lambda ids: (ids["transcript"], ids["other"]),
    "files.add_samples": lambda ids: (),
    "dictionaries.delete": lambda ids: (ids["own dictionary"],),
}
"""Arguments of each operation, in the order of their calls: the last one by name where it is a dictionary."""


async def listed(stream: AsyncIterator[Any]) -> Any:
    """Events one by one; a file whole, however it is cut."""
    pieces = [each async for each in stream]
    return b"".join(pieces) if isinstance(pieces[0], bytes) else pieces


@dataclass(frozen=True, slots=True)
class Side:
    service: Service
    ids: Ids

    async def ask(self, name: str) -> str:
        """What comes of an operation as text, with what each library makes up made the same."""
        part, method = name.split(".")
        given = CALLS[name](self.ids)
        args, named = (given[:-1], given[-1]) if given and isinstance(given[-1], dict) else (given, {})
        asked = getattr(getattr(self.service, part, self.service), method)(*args, **named)
        told = repr(await outcome(listed(asked) if isinstance(asked, AsyncIterator) else asked))
        for kind in ("file", "transcript", "clip", "job"):
            told = told.replace(self.ids[kind], kind)
        return _OWN.sub("", told)


async def filled(service: Service, tmp_path: Path) -> Ids:
    """Ids of a file, its transcript and another one, a clip, an answer, and a job."""
    paths = [tmp_path / "story.de.srt", tmp_path / "other.en.srt"]
    for path, text in zip(paths, (STORY, OTHER), strict=True):
        path.write_text(text, "utf-8")
    jobs = await service.files.add(paths)
    async for _ in service.jobs.follow([job.id for job in jobs]):
        pass
    (story,), (other,) = await service.transcripts.find_named("story"), await service.transcripts.find_named("other")
    clip = await service.clips.add(NewClip("Der Zug.", transcript_id=story.id, cue_index=0, focus=CLIP.focus))
    async for _ in service.llm.breakdown(BreakdownRequest("Der Zug fährt ab.", "Zug", "lexicon:concordance")):
        pass
    (answer,) = (await service.history.page()).items
    assert story.file_id is not None
    job = next(each for each in (await service.jobs.page()).items if each.file_id == story.file_id)
    ids = {"file": story.file_id, "transcript": story.id, "other": other.id, "clip": clip.id}
    return {**ids, "answer": answer.id, "job": job.id, "review": "nothing"}


async def test_every_operation_gives_the_same_here_and_over_http(both: Both, tmp_path: Path) -> None:
    assert set(CALLS) == {
        f"{each.attribute or 'service'}.{method}" for each in RESOURCES for method, _ in operations(each)
    }
    for title in ("A", "B"):
        path = yomitan(tmp_path / f"{title}.zip", [term_row("fahren", title)], index={**INDEX, "title": title})
        async for _ in both.here.jobs.follow([job.id for job in await both.here.dictionaries.add([path])]):
            pass
    first, second = (each.id for each in await both.here.dictionaries.all())
    here, there = both.here.of("here"), both.there.of("there")
    shared = {"dictionary": second}
    left = Side(here, {**await filled(here, tmp_path), **shared, "own dictionary": first})
    right = Side(there, {**await filled(both.here.of("there"), tmp_path), **shared, "own dictionary": second})
    for name in CALLS:
        assert await right.ask(name) == await left.ask(name), name


async def test_a_remote_library_has_a_way_to_everything_that_its_protocols_have(both: Both) -> None:
    """Inherited as it stands in a protocol, a method would do nothing and say nothing."""
    for resource in RESOURCES:
        part = type(getattr(both.there, resource.attribute, both.there))
        asked = {method for method, _ in operations(resource)}
        for name in (name for name in dir(resource.contract) if not name.startswith("_")):
            is_inherited = getattr(part, name, None) is getattr(resource.contract, name)
            is_asked_for = name in asked and name not in (
                "preview_lenient",
                "counts",
            )  # their answers have other shapes
            assert is_inherited is is_asked_for, f"{part.__name__}.{name}"
