"""Texts that try to break things, through every screen of the real app: literal, harmless, and nothing out of line."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.hostile import FORBIDDEN, HOSTILE
from tests.llm.fake_server import FakeModelServer, Reply, Request, answer, is_stream, status, stream
from tests.screens.driving import (
    assert_is_clean,
    lines,
    opened,
    shows,
    toasts,
    type_text,
    until,
    until_rows,
    until_shown,
    until_told,
)
from tests.screens.stage import add_transcript
from tui.config import ProviderSettings, Settings
from tui.records import Cue, FocusWord, NewClip, NewTemplate
from tui.screens.breakdown import BreakdownScreen
from tui.screens.reader import ReaderScreen
from tui.service.local import LocalService
from tui.store import Store
from tui.widgets.prompt_editor import PromptEditor

LITERAL = {
    "closing tag": "[/",
    "open tag": "[b",
    "sound": "[music] la",
    "action": "[@click=app",
    "escape": "red alarm",
    "osc 52": "copy me",
    "osc title cut": "title ]0;",
    "c1": "c1 end",
    "bidi": "abc def",
    "long": "aaaaaaaaaa",
    "long japanese": "食べ物食",
    "japanese": "彼はもう駅",
    "thai": "เขาไปโรง",
    "arabic": "هل تنتظر",
    "emoji": "👩‍👩‍👧‍👦 🇩🇪",
    "newlines": "one two",
    "nul": "ab",
    "template": "{{ 7*7 }}",
    "html": "<script>al",
    "markdown": "# not a",
}
"""How each text begins where it stands in one line: no more of it than the narrowest column shows."""


class Walk:
    """Goes from screen to screen and looks at each."""

    def __init__(self, pilot: Pilot[None], literal: str) -> None:
        self.pilot = pilot
        self.literal = literal

    async def look(self, *, literal: bool = True) -> None:
        """What is in sight is clean, and with ``literal`` shows the text as it is."""
        if literal:
            await until_shown(self.pilot, self.literal)
        await self.pilot.pause()
        assert self.pilot.app.is_running
        assert_is_clean(self.pilot)
        assert not set("".join(toasts(self.pilot))) & set(FORBIDDEN)

    async def rows(self, key: str, count: int) -> None:
        await self.pilot.press(key)
        await until_rows(self.pilot, count)
        await self.look()

    async def question(self, key: str, question: str) -> None:
        """What is asked before something goes; it is not let go."""
        await self.pilot.press(key)
        await until_shown(self.pilot, question)
        await self.look()
        await self.pilot.press("escape")
        await until(self.pilot, lambda: not shows(self.pilot, question))

    async def filter(self, text: str) -> None:
        await self.pilot.press("slash")
        await type_text(self.pilot, text)
        await self.pilot.app.workers.wait_for_complete()
        await self.look(literal=False)
        await self.pilot.press("escape")
        await until(self.pilot, lambda: not self.pilot.app.screen.query(Input))


@pytest.fixture
async def server() -> AsyncIterator[FakeModelServer]:
    async with FakeModelServer() as server:
        yield server


async def fill(service: LocalService, text: str) -> None:
    """A library with the text wherever one may stand."""
    await add_transcript(service, [Cue(0, 0, 900, text, text), Cue(1, 1000, 1900, "danach", text)], title=text)
    word = FocusWord(text, text, text, text, text, (text, text), text)
    await service.clips.add(NewClip(text, None, None, None, None, None, text, text, word, text, text, (text,), text, text))
    await service.template.save(NewTemplate("work:m", "{{ sentence }} {{ focus }}", text, "", text))

    def fail(store: Store) -> None:
        job = store.jobs.add(service.profile, "import", f"/films/{text}")
        store.jobs.update(job.id, state="failed", message=text, error=text)

    await service._library.run(fail)


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_text_is_only_text_on_every_screen(
    settings: Settings, server: FakeModelServer, name: str
) -> None:
    text = HOSTILE[name]
    focus = {"surface": text, "lemma": text, "reading": text, "part_of_speech": text, "grammar": text}

    def reply(request: Request) -> Reply:
        return stream(text[:5], text[5:]) if is_stream(request) else answer(focus | {"meanings": [text], "level": text})

    server.on_chat = reply
    provider = ProviderSettings("work", "openai", server.base_url, label=text)
    settings = replace(settings, providers=(provider,))
    service = LocalService(settings, environ={})
    await fill(service, text)
    async with opened(service, settings, (100, 30)) as pilot:
        walk = Walk(pilot, LITERAL[name])
        await until_rows(pilot, 1)
        await walk.look()
        await walk.question("d", "Delete this file")
        await walk.filter(text)

        await walk.rows("2", 1)
        await walk.question("d", "Delete this transcript")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReaderScreen) and pilot.app.screen.reader.cue)
        await walk.look()
        await pilot.press("J", "c")
        await until_told(pilot, "clip saved")
        await walk.look()
        screen = pilot.app.screen
        assert isinstance(screen, ReaderScreen)
        await pilot.press("enter" if screen.reader.focus_text else "x")
        await until(pilot, lambda: isinstance(pilot.app.screen, BreakdownScreen))
        await until_shown(pilot, "done")
        await walk.look()
        server.on_chat = lambda _: status(400, {"error": {"message": text}})
        await pilot.press("r")
        await until_shown(pilot, "failed")
        await walk.look()
        await pilot.press("H")
        await until_rows(pilot, 2)
        await walk.look()
        await pilot.press("enter")
        await until_shown(pilot, "kept answer of")
        await walk.look()

        await walk.rows("3", 2)
        await pilot.press("G")
        await walk.look()
        await pilot.press("E")
        await until_shown(pilot, "Translation")
        await walk.look()
        await pilot.press("escape")
        await walk.question("d", "Delete this clip")
        await pilot.press("enter")
        await until_shown(pilot, "from your clip")
        await walk.look()

        await pilot.press("4")
        await until_shown(pilot, "Preview")
        await walk.look()
        pilot.app.screen.query_one(PromptEditor).load_text(text)
        await until_shown(pilot, "unsaved changes")
        await pilot.app.workers.wait_for_complete()
        await walk.look()
        await pilot.press("6")
        await until_shown(pilot, "The template has unsaved changes.")
        await pilot.press("d")

        await until_rows(pilot, 1)
        await walk.look()
        await pilot.press("enter")
        await until_shown(pilot, "import · failed")
        await walk.look()
        assert lines(pilot)
