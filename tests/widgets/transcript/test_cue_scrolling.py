"""Scrolling in a transcript: what is read, drawn and kept in view as the eye moves."""

from __future__ import annotations

import pytest
from textual import events

from tests.settling import press, running, settled
from tests.widgets.transcript.test_cue_reader import STORY, ReadingApp, Source, drawn


async def test_nothing_moves_when_the_eye_does() -> None:
    app = ReadingApp(Source(STORY))
    async with running(app, (60, 12)) as pilot:
        before = [line[3:] for line in drawn(app)]
        for key in ("l", "j", "v", "l", "J", "space", "k"):
            await press(pilot, key)
            assert [line[3:] for line in drawn(app)] == before


async def test_a_step_repaints_the_lines_it_changes_and_no_others() -> None:
    app = ReadingApp(Source(STORY), cue=1)
    async with running(app, (60, 12)) as pilot:
        app.reader.repainted = []
        await pilot.press("l")
        assert [[region.y for region in regions] for regions in app.reader.repainted] == [[1]]
        app.reader.repainted.clear()
        await pilot.press("j")
        assert [[region.y for region in regions] for regions in app.reader.repainted] == [[1, 2, 3]]


async def test_of_many_cues_only_those_around_the_eye_are_read() -> None:
    app = ReadingApp(Source([f"Satz Nummer {number}." for number in range(20_000)]))
    async with running(app, (60, 20)) as pilot:
        assert app.source.asked == [0]
        await press(pilot, "G")
        assert app.source.asked == [0, 19_900]
        assert app.sentence == "Satz Nummer 19999."
        assert drawn(app)[-1].endswith("Satz Nummer 19999.")
        await press(pilot, "g")
        assert len(app.source.asked) == 2


async def test_the_eye_keeps_two_cues_of_room_to_the_edges() -> None:
    app = ReadingApp(Source([f"Satz {number}." for number in range(50)]))
    async with running(app, (60, 10)) as pilot:
        await pilot.press(*"jjjjjjj")
        assert drawn(app)[0].endswith("Satz 0.")
        await pilot.press("j")
        assert drawn(app)[0].endswith("Satz 1.")
        await pilot.press(*"kkkkk")
        assert drawn(app)[0].endswith("Satz 1.")
        await pilot.press("k")
        assert drawn(app)[0].endswith("Satz 0.")


@pytest.mark.parametrize(
    ("keys", "first", "eye"),
    [
        (["ctrl+d"], 5, 7),
        (["pagedown"], 8, 10),
        (["ctrl+d", "ctrl+u"], 0, 2),
        (["pagedown", "pageup"], 0, 2),
        (["pageup"], 0, 0),
        (["G", "pagedown"], 40, 49),
    ],
)
async def test_pages_move_the_text_and_the_eye_together(keys: list[str], first: int, eye: int) -> None:
    app = ReadingApp(Source([f"Satz {number}." for number in range(50)]), cue=2)
    async with running(app, (60, 10)) as pilot:
        await press(pilot, *keys)
        assert (drawn(app)[0].split()[-1], app.reader.cue_index) == (f"{first}.", eye)


@pytest.mark.exhaustive
async def test_a_cue_longer_than_the_screen_follows_the_word() -> None:
    app = ReadingApp(Source(["kurz", " ".join(f"wort{number}" for number in range(300)), "kurz"]), cue=1)
    async with running(app, (40, 10)) as pilot:
        await pilot.press(*["l"] * 60)
        assert app.reader.focus_text == "wort60"
        assert any("wort60" in line for line in drawn(app))
        await pilot.press("j")
        assert any("▌" in line and "kurz" in line for line in drawn(app))


async def test_steps_made_while_cues_are_read_are_not_lost() -> None:
    app = ReadingApp(Source([f"Satz {number}." for number in range(1_000)]))
    async with running(app, (60, 10)) as pilot:
        app.source.gate.clear()
        await pilot.press("G", "k", "k")
        assert app.reader.cue_index == 997
        assert app.sentence == "Satz 0."
        app.source.gate.set()
        await settled(pilot)
        assert app.sentence == "Satz 997."


async def test_the_wheel_scrolls_and_the_next_step_brings_the_eye_back() -> None:
    app = ReadingApp(Source([f"Satz {number}." for number in range(50)]))
    async with running(app, (60, 10)) as pilot:
        reader = app.reader
        for kind, first in ((events.MouseScrollDown, 3), (events.MouseScrollDown, 6), (events.MouseScrollUp, 3)):
            reader.post_message(kind(reader, 1, 1, 0, 1, 0, False, False, False))
            await settled(pilot)
            assert drawn(app)[0].endswith(f"Satz {first}.")
        assert app.reader.cue_index == 0
        await pilot.press("l")
        assert drawn(app)[0].endswith("Satz 0.")


async def test_the_place_stays_when_the_width_changes() -> None:
    app = ReadingApp(Source([f"Dies ist der lange Satz mit der Nummer {number}." for number in range(50)]), cue=30)
    async with running(app, (90, 20)) as pilot:
        for size in ((40, 10), (60, 16), (120, 40)):
            await pilot.resize_terminal(*size)
            await settled(pilot)
            assert app.reader.cue_index == 30
            assert any("▌" in line for line in drawn(app))
