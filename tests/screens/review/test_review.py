"""A review key by key: what a model proposes is taken, left, edited and dropped, and nothing is applied unseen."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from random import Random
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.correcting.fake_model import Entry
from tests.screens.driving import assert_is_clean, lines, opened, press_until, shows, until, until_shown
from tests.screens.stage import add_transcript, timed
from tests.server.serving import serving
from tests.service.jobs.correcting_server import CorrectingServer
from tui.config import ProviderSettings, Settings
from tui.records.clips import FocusWord, NewClip
from tui.records.reviews import AppliedReview, Change, Review, ReviewKind
from tui.records.transcripts import Cue
from tui.remote.service import RemoteService
from tui.screens.forms.clip_form import ClipForm
from tui.screens.messages import LibraryChanged
from tui.screens.reader.reader import ReaderScreen
from tui.screens.review.review import ReviewScreen
from tui.screens.review.waiting import ReviewsScreen
from tui.service.local import LocalService
from tui.service.protocol import Service
from tui.store import Store

FILM = ("Der Zug färt ab.", "Ja.", "Er färt schnell.", "Eine Rohse.", "Was für ein Quatsch!", "Ein Rohr.")
RIGHT = {"färt": "fährt", "Rohse": "Rose", "Was für ein Quatsch": "Der Mond ist aus Käse"}


def correct(rows: Sequence[Entry]) -> list[Entry]:
    found = []
    for row in rows:
        text = row.text
        for wrong, right in RIGHT.items():
            text = text.replace(wrong, right)
        found += [row._replace(text=text)] if text != row.text else []
    return found


@pytest.fixture
def model() -> Iterator[CorrectingServer]:
    with CorrectingServer() as server:
        server.correct = correct
        yield server


@pytest.fixture
async def service(settings: Settings, model: CorrectingServer) -> AsyncIterator[LocalService]:
    own = ProviderSettings("near", "openai", model.url)
    service = LocalService(replace(settings, providers=(own,)), environ={})
    yield service
    await service.close()


async def propose(
    service: LocalService, transcript: str, changes: Sequence[Change] = (), kind: ReviewKind = "correction"
) -> Review:
    """Let these changes wait, or what the model proposes."""
    if changes:

        def wait(store: Store) -> None:
            review = store.reviews.begin(service.profile, transcript, kind, "near:x")
            store.reviews.add(service.profile, review, changes)

        await service._library.change(wait)
    else:
        job = await service.reviews.start(transcript, model="near:x")
        async for each in service.jobs.follow([job.id]):
            assert each.state != "failed", each.error
    return (await service.reviews.page()).items[0]


async def texts(service: Service, transcript: str) -> list[str]:
    return [cue.text for cue in (await service.transcripts.cues(transcript)).items]


def states(pilot: Pilot[None]) -> list[str]:
    """The signs of what becomes of each change, from the top."""
    found = (re.match(r"[▌ ][✓ ]? +[\d:–]+ ([✓·?–])  ", line) for line in lines(pilot)[3:])
    return [match[1] for match in found if match]


async def _go_through(service: Service, waiting: Review) -> None:
    transcript = waiting.transcript_id
    async with opened(service, (100, 30)) as pilot:
        await press_until(pilot, "B", at=ReviewScreen, rows=4)
        await until(pilot, lambda: shows(pilot, "Der Zug färt→fährt ab."))
        assert states(pilot) == ["✓", "✓", "✓", "?"], "what is doubtful is never taken beforehand"
        await until(pilot, lambda: shows(pilot, "− Der Zug färt ab.") and shows(pilot, "+ Der Zug fährt ab."))
        await press_until(pilot, "space", holds=lambda: states(pilot) == ["·", "✓", "✓", "?"])
        await press_until(pilot, "k", "asterisk", holds=lambda: states(pilot) == ["✓", "✓", "✓", "?"])
        await press_until(pilot, "asterisk", holds=lambda: states(pilot) == ["·", "·", "✓", "?"])
        await press_until(pilot, "V", "j", "j", "space", holds=lambda: states(pilot) == ["✓", "✓", "✓", "?"])
        await press_until(pilot, "d", rows=3, told="1 correction dropped · u undoes it")
        await press_until(pilot, "u", rows=4)
        await press_until(pilot, "G", "E", shown="enter saves")
        field = pilot.app.focused
        assert getattr(field, "value", "") == "Der Mond ist aus Käse!"
        await press_until(pilot, *("backspace",) * 22, *"Welch ein Quatsch!", "enter", gone="enter saves")
        await until(pilot, lambda: states(pilot) == ["✓", "✓", "✓", "✓"])
        assert_is_clean(pilot)
        await until(pilot, lambda: shows(pilot, "4 of 4 taken"))
        assert await texts(service, transcript) == list(FILM), "nothing is changed before it is applied"
        await press_until(pilot, "f2", told="4 lines corrected · u undoes it")
        await until(pilot, lambda: not isinstance(pilot.app.screen, ReviewScreen))
        right = ["Der Zug fährt ab.", "Ja.", "Er fährt schnell.", "Eine Rose.", "Welch ein Quatsch!", "Ein Rohr."]
        assert await texts(service, transcript) == right
        await press_until(pilot, "u", told="back again")
        assert await texts(service, transcript) == list(FILM)
        await press_until(pilot, "B", at=ReviewScreen, rows=4)


async def test_what_is_proposed_is_gone_through_and_applied_as_one_step(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(FILM), language="de")
    await _go_through(service, await propose(service, transcript))


@pytest.mark.exhaustive
async def test_it_is_the_same_over_http(service: LocalService, settings: Settings) -> None:
    transcript = await add_transcript(service, timed(FILM), language="de")
    waiting = await propose(service, transcript)
    async with serving(settings) as server:
        await _go_through(RemoteService(server.url), waiting)


async def test_what_was_never_on_the_screen_takes_a_second_key(service: LocalService) -> None:
    cues = [f"Zeile {number} färt." for number in range(60)]
    transcript = await add_transcript(service, timed(cues), language="de")
    await propose(service, transcript)
    async with opened(service, (80, 24)) as pilot:
        await press_until(pilot, "B", at=ReviewScreen, rows=60)
        await press_until(pilot, "f2", told="of 60 corrections were never on the screen: f2 again applies them too")
        assert (await texts(service, transcript))[0] == cues[0]
        review = pilot.app.screen
        assert isinstance(review, ReviewScreen) and review.is_warned
        await press_until(pilot, "j", holds=lambda: not review.is_warned)
        await press_until(pilot, "f2", holds=lambda: review.is_warned)
        assert (await texts(service, transcript))[0] == cues[0], "a key in between asks for the second one again"
        await press_until(pilot, "f2", told="60 lines corrected")
        assert (await texts(service, transcript))[59] == "Zeile 59 fährt."


async def test_later_keeps_what_was_decided_and_seen(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(FILM), language="de")
    await propose(service, transcript)
    async with opened(service, (80, 24)) as pilot:
        await press_until(pilot, "B", at=ReviewScreen, rows=4)
        await press_until(pilot, "space", holds=lambda: states(pilot)[0] == "·")
        await press_until(pilot, "escape", holds=lambda: not isinstance(pilot.app.screen, ReviewScreen))
        (waiting,) = (await service.reviews.page()).items
        assert (waiting.total, waiting.taken, waiting.unseen) == (4, 2, 0)
        assert await texts(service, transcript) == list(FILM)


async def test_clips_with_the_old_text_are_asked_about(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(FILM), language="de")
    place = {"transcript_id": transcript, "cue_index": 0}
    clip = await service.clips.add(NewClip(FILM[0], focus=FocusWord("färt"), **place))  # type: ignore[arg-type]
    await propose(service, transcript)
    async with opened(service, (80, 24)) as pilot:
        await press_until(pilot, "B", at=ReviewScreen, rows=4)
        await press_until(pilot, "f2", shown="1 clip has the old text.")
        await press_until(pilot, "escape", gone="has the old text")
        assert await texts(service, transcript) == list(FILM)
        await press_until(pilot, "f2", shown="1 clip has the old text.")
        await press_until(pilot, "y", told="3 lines corrected · 1 clip too")
        assert (await service.clips.get(clip.id)).sentence == "Der Zug fährt ab."


async def test_several_reviews_are_listed_and_dropped(service: LocalService) -> None:
    first = await add_transcript(service, timed(FILM), language="de")
    await propose(service, first)
    await propose(service, first, [Change(1, "Ja.", "")])
    async with opened(service, (100, 30)) as pilot:
        await press_until(pilot, "B", at=ReviewsScreen, rows=2)
        await press_until(pilot, "enter", at=ReviewScreen, rows=1)
        assert shows(pilot, "Ja.") and (await service.reviews.page()).total == 2
        await press_until(pilot, "escape", at=ReviewsScreen, rows=2)
        await press_until(pilot, "d", rows=1, told="1 review dropped · u undoes it")
        await press_until(pilot, "u", rows=2)
        await press_until(pilot, "escape", holds=lambda: not isinstance(pilot.app.screen, ReviewsScreen))


async def test_nothing_that_waits_is_said(service: LocalService) -> None:
    async with opened(service) as pilot:
        await press_until(pilot, "B", at=ReviewsScreen, shown="Nothing waits for a review.")
        await press_until(pilot, "escape", holds=lambda: not isinstance(pilot.app.screen, ReviewsScreen))


async def test_enter_goes_to_the_line_and_a_line_that_changed_is_told(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(FILM), language="de")
    await propose(service, transcript)
    await service.cues.edit(transcript, 2, seen=FILM[2], text="Er eilt.")
    async with opened(service, (80, 24)) as pilot:
        await press_until(pilot, "B", at=ReviewScreen, rows=4)
        await press_until(pilot, "j", shown="this line was changed meanwhile")
        await press_until(pilot, "j", "enter", at=ReaderScreen)
        reader = pilot.app.screen
        assert isinstance(reader, ReaderScreen)
        await until(pilot, lambda: reader.reader.cue is not None and reader.reader.cue_index == 3)


@pytest.mark.parametrize("size", [(60, 16), (200, 50)])
async def test_any_terminal_shows_what_it_can(service: LocalService, size: tuple[int, int]) -> None:
    transcript = await add_transcript(service, timed(FILM), language="de")
    await propose(service, transcript)
    async with opened(service, size) as pilot:
        await press_until(pilot, "B", at=ReviewScreen, rows=4)
        await pilot.press("j", "space", "G", "asterisk")
        await pilot.pause()
        assert_is_clean(pilot)


async def test_hostile_texts_are_shown_as_text(service: LocalService) -> None:
    hostile = ["[red]x[/red] \u202e<b>", "a\tb", "‮x\u200b"]
    transcript = await add_transcript(service, timed(["eins", "zwei", "drei"]), language="de")
    changes = [
        Change(at, text, new) for at, (text, new) in enumerate(zip(("eins", "zwei", "drei"), hostile, strict=True))
    ]
    await propose(service, transcript, changes)
    async with opened(service, (80, 24)) as pilot:
        await press_until(pilot, "B", at=ReviewScreen, rows=3)
        for _ in hostile:
            await press_until(pilot, "j")
            assert_is_clean(pilot)
        assert shows(pilot, "[red]x[/red]")


async def test_f_asks_the_model_that_is_named_and_says_where_it_waits(
    service: LocalService, model: CorrectingServer
) -> None:
    await add_transcript(service, timed(FILM), language="de")
    async with opened(service, (80, 24), section="2", rows=1) as pilot:
        await press_until(pilot, "F", shown="Put Der letzte Zug right")
        await press_until(pilot, "w", shown="template's model for subtitles")
        assert not model.asked
        await press_until(pilot, *"near:x", "enter", told="asking near:x: what it proposes waits, B shows it")
        await until(
            pilot, lambda: any("4 corrections to review: B" in each.message for each in pilot.app._notifications)
        )
        await press_until(pilot, "B", at=ReviewScreen, rows=4)


async def test_t_has_a_model_translate_what_has_no_track(service: LocalService, model: CorrectingServer) -> None:
    model.correct = lambda rows: [row._replace(text=f"Line {row.number} of the film, in English.") for row in rows]
    await add_transcript(service, timed(FILM), language="de")
    async with opened(service, (120, 40), section="2", rows=1) as pilot:
        await press_until(pilot, "T", shown="have a model translate it")
        await press_until(pilot, "enter", shown="Into")
        await press_until(pilot, *"near:x", "tab", *"English", "enter", told="asking near:x: what it proposes waits")
        await until(
            pilot, lambda: any("6 translations to review: B" in each.message for each in pilot.app._notifications)
        )
        await press_until(pilot, "B", at=ReviewScreen, rows=6)
        await until(pilot, lambda: shows(pilot, "Line 2 of the film, in English."))
        await press_until(pilot, "space", holds=lambda: states(pilot)[0] == "·")
        model.correct = lambda rows: [row._replace(text="This is said in English.") for row in rows]
        await press_until(pilot, "r", shown="This is said in English.")
        await press_until(pilot, "r", told="near:x has nothing else to say of it")
        await press_until(pilot, "f2", told="5 lines translated · u undoes it")
        await until(pilot, lambda: shows(pilot, "Der letzte Zug · English"))


async def test_clips_without_a_translation_are_asked_about(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(FILM), language="de")
    clip = await service.clips.add(NewClip(FILM[0], transcript_id=transcript, cue_index=0))

    def wait(store: Store) -> None:
        review = store.reviews.begin(service.profile, transcript, "translation", "near:x", into="en")
        store.reviews.add(service.profile, review, [Change(0, FILM[0], "The train leaves.")])

    await service._library.change(wait)
    async with opened(service, (80, 24)) as pilot:
        await press_until(pilot, "B", at=ReviewScreen, rows=1)
        await press_until(pilot, "f2", shown="1 clip has no translation.")
        await press_until(pilot, "y", told="1 line translated · 1 clip too")
        assert (await service.clips.get(clip.id)).translation == "The train leaves."


async def test_an_unknown_language_is_told_at_its_field(service: LocalService) -> None:
    await add_transcript(service, timed(FILM), language="de")
    async with opened(service, (120, 40), section="2", rows=1) as pilot:
        await press_until(pilot, "T", shown="have a model translate it")
        await press_until(pilot, "enter", shown="Into")
        await press_until(pilot, *"near:x", "tab", *"Xyzzy", "enter", shown="is no language")


async def test_f_retimes_by_a_track_and_says_what_a_film_lacks(service: LocalService) -> None:
    said = [f"Zeile {number} von vielen, die es gibt." for number in range(40)]
    chance = Random(3)
    starts = list(accumulate(chance.randint(1200, 9000) for _ in said))
    right = [Cue(at, start, start + 900, text) for at, (start, text) in enumerate(zip(starts, said, strict=True))]
    late = [replace(cue, start_ms=starts[at] + 2500, end_ms=starts[at] + 3400) for at, cue in enumerate(right)]
    await add_transcript(service, right, title="Right", language="en")
    transcript = await add_transcript(service, late, title="Late", language="de")
    async with opened(service, (120, 40), section="2", rows=2) as pilot:
        await press_until(pilot, "F", shown="Put Late right")
        await press_until(pilot, "f", told="no film or recording")
        await press_until(pilot, "F", shown="Put Late right")
        await press_until(pilot, "t", shown="In time with")
        await press_until(pilot, "enter", told="undoes it")
        assert [cue.start_ms for cue in (await service.transcripts.cues(transcript)).items][:3] == starts[:3]


async def test_cards_are_edited_given_another_sense_and_kept(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(("Einen alten Freund.", "Das Haus ist alt.")), language="de")
    focus = FocusWord("Freund", lemma="Freund", meanings=("enemy",), language="de")
    place: Any = {"transcript_id": transcript, "cue_index": 0, "start_ms": 1000, "end_ms": 2000}
    cards = [
        Change(0, "Einen alten Freund.", "enemy", card=NewClip("Einen alten Freund.", focus=focus, **place), number=0),
        Change(1, "Das Haus ist alt.", "", card=NewClip("Das Haus ist alt.", transcript_id=transcript), number=1),
    ]
    await propose(service, transcript, cards, "cards")
    async with opened(service, (120, 40)) as pilot:
        await press_until(pilot, "3", shown="2 wait")
        await press_until(pilot, "B", at=ReviewScreen, rows=2, shown="enemy")
        await press_until(pilot, "D", shown="What Freund means here")
        await press_until(pilot, "enter", gone="What Freund means here")
        await until(pilot, lambda: not shows(pilot, "enemy"))
        await press_until(pilot, "j", "D", told="this card is of a whole sentence")
        await press_until(pilot, "E", at=ClipForm)
        await press_until(pilot, "f2", at=ReviewScreen)
        await press_until(pilot, "space", holds=lambda: states(pilot) == ["✓", "·"])
        await press_until(pilot, "f2", told="1 clip kept · u undoes it")
        (clip,) = (await service.clips.page()).items
        assert clip.focus is not None and clip.focus.meanings == ("friend",)
        await press_until(pilot, "u", told="back again")
        assert (await service.clips.page()).total == 0
        await press_until(pilot, "B", at=ReviewScreen, rows=2)


async def test_of_two_ranges_the_second_counts_and_nothing_between_them(service: LocalService) -> None:
    transcript = await add_transcript(service, timed([f"Zeile {number} färt." for number in range(6)]), language="de")
    await propose(service, transcript)
    async with opened(service, (80, 24)) as pilot:
        await press_until(pilot, "B", at=ReviewScreen, rows=6)
        await press_until(pilot, "V", "j", "V", "j", "j", "V", "j", "space")
        await until(pilot, lambda: states(pilot) == ["✓", "✓", "✓", "·", "·", "✓"])
        await press_until(pilot, "g", "V", "j", "V", "G", "V", "d", rows=5)
        assert [item.number for item in (await service.reviews.items((await the_review(service)).id)).items] == [
            0,
            1,
            2,
            3,
            4,
        ]
        assert (await the_review(service)).taken == 3


async def the_review(service: LocalService) -> Review:
    (review,) = (await service.reviews.page()).items
    return review


async def test_a_key_that_applies_once_more_meanwhile_changes_nothing(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = await add_transcript(service, timed(FILM), language="de")
    await propose(service, transcript)
    apply, is_applied, let_go = service.reviews.apply, asyncio.Event(), asyncio.Event()

    async def hold(review_id: str, *, dry_run: bool = False, **choice: bool) -> AppliedReview:
        """Apply it, as a slow disk does, which answers late."""
        applied = await apply(review_id, dry_run=dry_run, **choice)
        if not dry_run:
            is_applied.set()
            await let_go.wait()
        return applied

    monkeypatch.setattr(service.reviews, "apply", hold)
    async with opened(service, (80, 24)) as pilot:
        await press_until(pilot, "B", at=ReviewScreen, rows=4)
        await press_until(pilot, "f2", holds=is_applied.is_set)
        await pilot.press("f2")
        pilot.app.screen.post_message(LibraryChanged("review"))  # it is told at once, as of another program's change
        await until_shown(pilot, "Nothing is left in this review.")
        let_go.set()
        await until(pilot, lambda: not isinstance(pilot.app.screen, ReviewScreen))
        assert [each.message for each in pilot.app._notifications if each.severity == "error"] == []
        assert (await texts(service, transcript))[0] == "Der Zug fährt ab."
