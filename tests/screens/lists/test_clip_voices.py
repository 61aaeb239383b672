"""The clips' list: a key has a machine speak clips, and takes its voice away again."""

from __future__ import annotations

import pytest

from tests.screens.driving import keep_clips, opened, until_shown, until_told
from tests.voices.programs import Programs
from tests.voices.programs import programs as programs
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive

pytest.importorskip("av", reason="PyAV is not installed: pip install 'lode[media]'")


async def test_v_speaks_the_marked_clips_and_asks_where_all_have_a_sound(
    service: LocalService, programs: Programs
) -> None:
    clips = await keep_clips(service, {"Zug": "Der Zug kommt.", "Hund": "Der Hund [/b] bellt.", "Tag": "Guten Tag."})
    async with opened(service, (160, 40), section="3", rows=3) as pilot:
        await pilot.press("space", "space", "v")
        await until_told(pilot, "1 done")
        assert [(await service.clips.get(clip.id)).voice for clip in clips] == [None, "espeak-ng de", "espeak-ng de"]
        await pilot.press("k")
        await until_shown(pilot, "spoken by a machine")
        await pilot.press("v")
        await until_shown(pilot, "All of them have a sound already.")
        await pilot.press("x")
        await until_told(pilot, "2 clips without the machine's voice")
        assert [(await service.clips.get(clip.id)).voice for clip in clips] == [None] * 3


async def test_what_cannot_speak_is_told(
    service: LocalService, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    (programs.place / "espeak-ng").unlink()
    monkeypatch.setenv("PATH", str(programs.place))
    await keep_clips(service, {"Zug": "Der Zug kommt."})
    async with opened(service, section="3", rows=1) as pilot:
        await pilot.press("v")
        await until_told(pilot, "espeak-ng is not installed")
