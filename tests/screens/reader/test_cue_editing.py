"""Cues are edited by hand in the reader: text, times, split, merge, insert, delete, and all times moved; u undoes."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.playing.fake_mpv import FakeMpv
from tests.screens.driving import (
    Typed,
    assert_is_clean,
    lines,
    opened,
    press_until,
    submit_text,
    toasts,
    type_text,
    until,
    until_told,
)
from tests.screens.stage import STATION, add_transcript, timed
from tui.playing.mpv import MpvSource
from tui.records.transcripts import Cue
from tui.screens.dialogs.fields_prompt import FieldsPrompt
from tui.screens.messages import OpenTranscript
from tui.screens.reader import transcript_screen
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService
from tui.widgets.transcript.cue_reader import CueReader

WORD = 1
"""Number of "fährt" in the fourth line."""


@asynccontextmanager
async def reading(
    service: LocalService, transcript: str, cue: int = 3, word: int = WORD, follow: MpvSource | None = None
) -> AsyncIterator[Pilot[None]]:
    """The app in the reader, the eye at a word."""
    async with opened(service, (80, 24)) as pilot:
        pilot.app.post_message(OpenTranscript(transcript, cue, follow=follow))
        await until(pilot, lambda: pilot.app.screen.query(CueReader) and eye(pilot).cue is not None)
        await until(pilot, lambda: place(pilot)[0] == cue)
        await pilot.press(*["l"] * word)
        await until(pilot, lambda: place(pilot) == (cue, word))
        yield pilot


def eye(pilot: Pilot[None]) -> CueReader:
    return pilot.app.screen.query_one(CueReader)


def place(pilot: Pilot[None]) -> tuple[int, int]:
    return eye(pilot).cue_index, eye(pilot).word_index


async def texts(service: LocalService, transcript: str) -> list[str]:
    return [cue.text for cue in (await service.transcripts.cues(transcript)).items]


async def starts(service: LocalService, transcript: str) -> list[int | None]:
    return [cue.start_ms for cue in (await service.transcripts.cues(transcript)).items]


async def steps(service: LocalService) -> list[str]:
    return [step.kind for step in await service.undo_steps()]


async def until_texts(pilot: Pilot[None], wanted: Sequence[str]) -> None:
    """Until these are the texts that are shown, from the first line on."""

    def shown() -> bool:
        drawn = "\n".join(line.partition("▏")[0] for line in lines(pilot))
        return all(part in drawn for text in wanted for part in text.splitlines())

    await until(pilot, shown)


async def test_text_and_times_of_a_line_are_edited_shown_at_once_and_undone(
    service: LocalService, transcript: str
) -> None:
    async with reading(service, transcript) as pilot:
        top = lines(pilot)[4]
        await press_until(pilot, "H", at=FieldsPrompt)
        assert [field.value for field in pilot.app.screen.query(Input)] == [STATION[3], "2:00.750", "2:04.750"]
        assert_is_clean(pilot)
        await type_text(pilot, "Hoffentlich fährt er ab. // Oder nicht.")
        await press_until(pilot, "down", at=FieldsPrompt)
        await submit_text(pilot, "2:00,5", at=ReaderScreen, shown="Oder nicht.", gone="überhaupt")
        cue = (await service.transcripts.cues(transcript)).items[3]
        assert (cue.text, cue.start_ms, cue.end_ms) == ("Hoffentlich fährt er ab.\nOder nicht.", 120_500, 124_750)
        assert place(pilot) == (3, WORD)
        assert lines(pilot)[4] == top, "nothing else moves"
        await press_until(pilot, "u", shown="überhaupt", gone="Oder nicht.")
        assert await texts(service, transcript) == list(STATION)


async def test_what_cannot_be_a_time_is_told_at_its_field_and_what_was_typed_stays(
    service: LocalService, transcript: str
) -> None:
    async with reading(service, transcript) as pilot:
        await press_until(pilot, "H", "down", at=FieldsPrompt)
        for typed, said, field, value in (
            ("soon", "no time", "start_ms", "soon"),
            ("1:00", "the cue before it begins at 1:56.250", "start_ms", "1:00"),
            ("2:04.750", "a cue ends after it begins", "end_ms", "2:04.750"),
        ):
            await submit_text(pilot, typed, shown=said)
            assert isinstance(pilot.app.focused, Input)
            assert (pilot.app.focused.id, pilot.app.focused.value) == (field, value)
            assert_is_clean(pilot)
        await press_until(pilot, "escape", at=ReaderScreen)
        assert await starts(service, transcript) == [cue.start_ms for cue in timed(STATION)]
        assert await steps(service) == []


async def test_a_line_is_split_at_the_word_under_the_eye_and_merged_again(
    service: LocalService, transcript: str
) -> None:
    async with reading(service, transcript) as pilot:
        await press_until(pilot, "S", holds=lambda: place(pilot) == (4, 0))
        assert (await texts(service, transcript))[3:5] == ["Hoffentlich", STATION[3].partition(" ")[2]]
        await press_until(pilot, "S", told="go to another one than the first")
        await press_until(pilot, "k", holds=lambda: place(pilot) == (3, 0))
        await press_until(pilot, "M", holds=lambda: eye(pilot).cue is not None and "\n" in eye(pilot).cue.text)  # type: ignore[union-attr]
        assert (await texts(service, transcript))[3] == STATION[3].replace(" ", "\n", 1)
        assert place(pilot) == (3, 0)
        assert await steps(service) == ["merged_cue", "split_cue"]
        await press_until(pilot, "u", "u", told="before it was split")
        await until_texts(pilot, STATION[:6])
        assert await texts(service, transcript) == list(STATION)


async def test_a_line_is_inserted_behind_this_one_and_deleted(service: LocalService, transcript: str) -> None:
    async with reading(service, transcript) as pilot:
        await press_until(pilot, "a", at=FieldsPrompt)
        assert [field.value for field in pilot.app.screen.query(Input)] == ["", "2:04.750", "2:05.250"]
        await submit_text(pilot, "", shown="a cue says something")
        await submit_text(pilot, "Ganz neu.", at=ReaderScreen, shown="Ganz neu.")
        await until(pilot, lambda: place(pilot) == (4, 0))
        assert (await texts(service, transcript))[3:6] == [STATION[3], "Ganz neu.", STATION[4]]
        await press_until(pilot, "d", told="line 5 deleted · u undoes it", gone="Ganz neu.")
        assert await texts(service, transcript) == list(STATION)
        assert place(pilot) == (4, 0)
        await press_until(pilot, "u", shown="Ganz neu.")
        assert await steps(service) == ["inserted_cue"]


async def test_the_last_line_is_deleted_and_the_eye_is_at_the_one_before(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(["Eins.", "Zwei."]))
    async with reading(service, transcript, 1, 0) as pilot:
        await press_until(pilot, "d", gone="Zwei.", holds=lambda: place(pilot) == (0, 0))
        await press_until(pilot, "d", told="it is the only cue")
        await press_until(pilot, "M", told="it is the last cue")
        assert await texts(service, transcript) == ["Eins."]


async def test_a_line_that_was_changed_elsewhere_is_not_overwritten(service: LocalService, transcript: str) -> None:
    async with reading(service, transcript) as pilot:
        await press_until(pilot, "H", at=FieldsPrompt)
        await service.cues.edit(transcript, 3, seen=STATION[3], text="Anders.")
        await submit_text(pilot, "Von mir.", shown="this cue is another one by now")
        assert (await texts(service, transcript))[3] == "Anders."


async def test_a_line_of_several_rows_stays_as_it_is_where_only_its_time_changes(service: LocalService) -> None:
    text = "Eins  und\nzwei // drei"
    transcript = await add_transcript(service, [Cue(0, 1000, 2000, text)])
    async with reading(service, transcript, 0, 0) as pilot:
        await press_until(pilot, "H", "down", "down", at=FieldsPrompt)
        await submit_text(pilot, "3", at=ReaderScreen)
        (cue,) = (await service.transcripts.cues(transcript)).items
        assert (cue.text, cue.start_ms, cue.end_ms) == (text, 1000, 3000)


async def test_a_text_without_times_is_edited_without(service: LocalService) -> None:
    transcript = await add_transcript(service, [Cue(index, None, None, text) for index, text in enumerate("abc")])
    async with reading(service, transcript, 0, 0) as pilot:
        await press_until(pilot, "a", at=FieldsPrompt)
        assert len(pilot.app.screen.query(Input)) == 1
        await submit_text(pilot, "neu", at=ReaderScreen, shown="neu")
        await press_until(pilot, "full_stop", told="this text has no times")
        assert await texts(service, transcript) == ["a", "neu", "b", "c"]


# The whole text against its film.


async def test_keys_that_follow_each_other_move_the_text_by_their_sum_as_one_step(
    service: LocalService, transcript: str
) -> None:
    async with reading(service, transcript) as pilot:
        await press_until(pilot, Typed("....,"), told="the text comes 300 ms later · u undoes it")
        assert (await starts(service, transcript))[0] == 107_550
        assert await steps(service) == ["shifted_transcript"]
        assert place(pilot) == (3, WORD)
        assert (cue := eye(pilot).cue) is not None
        assert cue.start_ms == 121_050
        await press_until(pilot, "u", told="before it was shifted")
        assert (await starts(service, transcript))[0] == 107_250
        await press_until(pilot, "comma", told="100 ms earlier")
        assert (await starts(service, transcript))[0] == 107_150


async def test_a_shift_that_nobody_waits_for_is_kept_all_the_same(
    service: LocalService, transcript: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcript_screen, "_SHIFTED_SECONDS", 3600.0)
    async with reading(service, transcript) as pilot:
        await pilot.press("full_stop", "escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, ReaderScreen))
        await until_told(pilot, "100 ms later")
        assert (await starts(service, transcript))[0] == 107_350


async def test_the_film_that_plays_leads_by_the_times_as_they_are_then(
    service: LocalService, transcript: str, mpv: FakeMpv
) -> None:
    async with reading(service, transcript, 0, 0, MpvSource(socket=mpv.socket)) as pilot:
        mpv.play("time-pos", 107.3)
        await until(pilot, lambda: place(pilot)[0] == 0)
        mpv.play("time-pos", 111.8)
        await until(pilot, lambda: place(pilot)[0] == 1)
        await press_until(pilot, Typed(".."), told="200 ms later")

        def leads_back() -> bool:
            mpv.play("time-pos", 111.4)  # now the first line ends at 111.45, and no longer at 111.25
            return place(pilot)[0] == 0

        await until(pilot, leads_back)
        mpv.play("time-pos", 112.0)
        await until(pilot, lambda: place(pilot)[0] == 1)
    assert not [toast for toast in toasts(pilot) if "stays where you are" in toast]


# What is said now, in the film.


async def test_plus_moves_all_lines_to_where_one_is_said_and_a_second_one_tells_the_drift(
    service: LocalService, mpv: FakeMpv
) -> None:
    cues = [Cue(at, at * 10_000 + 5000, at * 10_000 + 7000, f"Satz {at}.") for at in range(80)]
    film = await add_transcript(service, cues)
    async with reading(service, film, 0, 0, MpvSource(socket=mpv.socket)) as pilot:
        mpv.play("time-pos", 25.5)
        await until(pilot, lambda: place(pilot)[0] == 2)
        await pilot.press("k")
        await until(pilot, lambda: place(pilot)[0] == 1)
        await press_until(pilot, "plus", told="+10.50 s · once more, 5 minutes on, finds a drift · u undoes it")
        assert await starts(service, film) == [at * 10_000 + 15_500 for at in range(80)]
        assert place(pilot)[0] == 1
        mpv.play("time-pos", 650.6)  # ten minutes later in the text, a 24th more in the film
        eye(pilot).go_to(61)
        await until(pilot, lambda: place(pilot)[0] == 61 and "10:50" in lines(pilot)[0])
        await press_until(pilot, "plus", told="25 for 24")
        found = await starts(service, film)
        assert abs((found[1] or 0) - 25_500) <= 350
        assert abs((found[61] or 0) - 650_600) <= 350
        assert await steps(service) == ["retimed_transcript", "retimed_transcript"]
        await press_until(pilot, "u", told="before it was retimed")
        assert (await starts(service, film))[0] == 15_500


async def test_plus_without_a_film_says_how_one_is_followed(service: LocalService, transcript: str) -> None:
    async with reading(service, transcript) as pilot:
        await press_until(pilot, "plus", told="o follows the film")
        assert await steps(service) == []
