"""Key z of the reader: what is asked and kept is the whole sentence, with its whole span of time."""

from __future__ import annotations

import pytest

from tests.screens.driving import until
from tests.screens.stage import Stage, add_transcript, timed
from tests.settling import press, running
from tui.records.clips import Clip
from tui.screens.messages import OpenBreakdown
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService
from tui.service.requests import BreakdownRequest, ExplainRequest
from tui.widgets.chrome.key_line import KeyLine

CUT = ("Ja. Hoffentlich fährt er", "überhaupt noch ab.", "Bestimmt.")
SENTENCE = "Hoffentlich fährt er überhaupt noch ab."


@pytest.fixture
async def cut(service: LocalService) -> str:
    return await add_transcript(service, timed(CUT, start_ms=0, step_ms=4_500))


async def kept(service: LocalService) -> tuple[Clip, ...]:
    return (await service.clips.page()).items


async def test_enter_and_x_ask_about_the_whole_sentence(service: LocalService, cut: str) -> None:
    app = Stage(ReaderScreen(service, cut, 1))
    async with running(app) as pilot:
        await press(pilot, "z", "enter", "x")
        breakdown, explanation = app.all_asked(OpenBreakdown)
        assert isinstance(breakdown.request, BreakdownRequest)
        assert (breakdown.request.sentence, breakdown.request.focus) == (SENTENCE, "überhaupt")
        assert isinstance(explanation.request, ExplainRequest)
        assert explanation.request.sentence == SENTENCE
        draft = breakdown.draft
        assert (draft.sentence, draft.cue_index, draft.start_ms, draft.end_ms) == (SENTENCE, 1, 0, 8_500)


async def test_a_clip_keeps_the_span_and_marks_the_cue_of_its_word(service: LocalService, cut: str) -> None:
    app = Stage(ReaderScreen(service, cut, 1))
    async with running(app) as pilot:
        await press(pilot, "z", "c")
        assert await service.clips.cues_of(cut) == (1,)
        [clip] = await kept(service)
        assert (clip.sentence, clip.cue_index, clip.start_ms, clip.end_ms) == (SENTENCE, 1, 0, 8_500)
        assert clip.focus is not None
        assert clip.focus.surface == "überhaupt"
        await press(pilot, "c")
        assert len(await kept(service)) == 1, "the same word again is no second clip"


async def test_a_clip_of_several_cues_has_the_translations_of_all_of_them_once(service: LocalService, cut: str) -> None:
    texts = ("Yes. I hope", "that it leaves at all.", "It will.")
    track = await add_transcript(service, timed(texts, start_ms=0, step_ms=4_500), title="Train", language="en")
    await service.transcripts.pair(cut, track)
    app = Stage(ReaderScreen(service, cut, 1))
    async with running(app) as pilot:
        await press(pilot, "z", "c")
    assert [clip.translation for clip in await kept(service)] == ["Yes. I hope that it leaves at all."]


@pytest.mark.exhaustive
async def test_the_key_line_says_so_until_it_is_off_and_it_holds_for_the_transcript(
    service: LocalService, cut: str
) -> None:
    other = await add_transcript(service, timed(CUT), title="Noch einer")
    for transcript, keys, shown in ((cut, "z", "SENTENCE"), (other, "j", ""), (cut, "j", "SENTENCE"), (cut, "z", "")):
        app = Stage(ReaderScreen(service, transcript))
        async with running(app) as pilot:
            await press(pilot, keys)
            await until(pilot, lambda: app.screen.query_one(KeyLine).mode == shown)
    app = Stage(ReaderScreen(service, cut))
    async with running(app) as pilot:
        await press(pilot, "z", "v")
        await until(pilot, lambda: app.screen.query_one(KeyLine).mode == "SENTENCE EXTEND")
