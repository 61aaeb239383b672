"""The clips' list: a key has a machine speak clips, and takes its voice away again."""

from __future__ import annotations

import pytest

from tests.screens.driving import keep_clips, opened, press_until
from tests.voices.programs import Programs
from tests.voices.programs import programs as programs
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive

pytest.importorskip("av", reason="PyAV is not installed: pip install 'lode[media]'")


async def test_v_speaks_the_marked_clips_asks_where_all_have_a_sound_and_says_what_cannot_speak(
    service: LocalService, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    clips = await keep_clips(service, {"Zug": "Der Zug kommt.", "Hund": "Der Hund [/b] bellt.", "Tag": "Guten Tag."})
    async with opened(service, (160, 40), section="3", rows=3) as pilot:
        await press_until(pilot, "space", "space", "v", told="1 done")
        assert [(await service.clips.get(clip.id)).voice for clip in clips] == [None, "espeak-ng de", "espeak-ng de"]
        await press_until(pilot, "k", shown="spoken by a machine")
        await press_until(pilot, "v", shown="All of them have a sound already.")
        await press_until(pilot, "x", told="2 clips without the machine's voice")
        assert [(await service.clips.get(clip.id)).voice for clip in clips] == [None] * 3
        (programs.place / "espeak-ng").unlink()
        monkeypatch.setenv("PATH", str(programs.place))
        await press_until(pilot, "v", told="espeak-ng is not installed")
