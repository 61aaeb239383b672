"""Texts that try to break things, through every screen of the real app: literal, harmless, and nothing out of line.

Each screen's own tests send every text through it in every width; here they go all the way, from the library and from
a model over HTTP to what stands on the terminal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.hostile import FORBIDDEN, HOSTILE
from tests.llm.fakes.fake_server import FakeModelServer, Reply, Request, answer, is_stream, status, stream
from tests.screens.driving import (
    assert_is_clean,
    lines,
    opened,
    paste_prompt,
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
from tui.records.answers import NewAnswer, NewTemplate
from tui.records.clips import FocusWord, NewClip
from tui.records.transcripts import Cue
from tui.screens.answer.breakdown import BreakdownScreen
from tui.screens.forms.clip_form import ClipForm
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService
from tui.store import Store
from tui.text.sanitize import one_line

pytestmark = pytest.mark.exhaustive

LITERAL: dict[str, str] = {
    "closing tag": "[/",
    "open tag": "[b",
    "sound": "[music] la",
    "action": "[@click=app",
    "escape": "red alarm",
    "osc 52": "copy",
    "osc title cut": "title ]0;",
    "c1": "c1",
    "bidi": "abc def",
    "long": "aaaaaaaaaa",
    "long japanese": "食べ物食",
    "japanese": "彼はもう駅",
    "thai": "เขาไปโรง",
    "arabic": "هل تنتظر",
    "emoji": "👩‍👩‍👧‍👦 🇩🇪",
    "newlines": "one",
    "nul": "ab",
    "template": "{{ 7*7 }}",
    "html": "<script>al",
    "markdown": "# not",
}
"""How each text begins on a screen: no more of it than the narrowest column shows."""

WALKS: dict[str, tuple[str, ...]] = {
    "markup": ("action", "sound", "open tag", "template", "html", "markdown", "closing tag"),
    "controls": ("escape", "osc 52", "c1", "bidi", "newlines", "nul", "osc title cut"),
    "scripts": ("japanese", "thai", "arabic", "emoji"),
    "long": ("long",),
    "long japanese": ("long japanese",),
}
"""Texts that go together, in one, through the screens that show one thing; what swallows the rest stands last."""
ALONE = [name for name in HOSTILE if name not in LITERAL]
"""Texts that were added since: each has a walk of its own, and its first characters are looked for."""
LITERAL |= {name: one_line(HOSTILE[name])[:4].strip() for name in ALONE}
WALKS |= {name: (name,) for name in ALONE}


class Walk:
    """Looks at what is in sight."""

    def __init__(self, pilot: Pilot[None], names: Iterable[str]) -> None:
        self.pilot = pilot
        self.names = list(names)

    async def look(self, *names: str) -> None:
        """It is clean, and these texts (else all of the walk's) stand there as they are."""
        await until_shown(self.pilot, LITERAL[self.names[0]])
        await self.pilot.pause()
        missing = [name for name in names or self.names if not shows(self.pilot, LITERAL[name])]
        assert not missing, "\n".join(lines(self.pilot))
        self.check()

    def check(self) -> None:
        assert self.pilot.app.is_running
        assert_is_clean(self.pilot)
        assert not set("".join(toasts(self.pilot))) & set(FORBIDDEN)


@pytest.fixture
async def asking(settings: Settings, server: FakeModelServer) -> LocalService:
    """A service with the fake server as its provider ``work``; the app closes it."""
    work = ProviderSettings("work", "openai", server.base_url, label="\x1b[31m[b]work")
    return LocalService(replace(settings, providers=(work,)), environ={})


async def fill(service: LocalService, text: str) -> None:
    """A file, transcript, clip, answer and failed job with the text wherever one may stand."""
    cues = [Cue(0, 0, 900, text, text), Cue(1, 1000, 1900, "danach", text)]
    transcript_id = await add_transcript(service, cues, title=text, language=None)
    word = FocusWord(text, text, text, text, text, (text, text), text)
    clip = NewClip(text, transcript_id, context=text, translation=text, focus=word, explanation=text, model=text)
    await service.clips.add(replace(clip, tags=(text,), note=text, source=text))

    def keep(store: Store) -> None:
        job = store.jobs.add(service.profile, "import", f"/films/{text.replace('/', '∕')}")
        store.jobs.update(job.id, state="failed", message=text, error=text)
        kept = store.answers.begin(service.profile, NewAnswer("breakdown", text, text, text, text, text, text))
        store.answers.finish(kept.id, "failed", error=text, focus_word=word, text=text)

    await service._library.run(keep)


async def test_every_list_shows_all_hostile_texts_as_they_are(service: LocalService) -> None:
    for text in HOSTILE.values():
        await fill(service, text)
    async with opened(service, (100, 30)) as pilot:
        walk = Walk(pilot, LITERAL)
        for key in "123H6":
            await pilot.press(*(("5", "H") if key == "H" else key))
            await until_rows(pilot, len(HOSTILE))
            await walk.look()
            await pilot.press("slash")
            for name in ("action", "escape", "nul"):
                await type_text(pilot, HOSTILE[name])
                await pilot.app.workers.wait_for_complete()
                walk.check()
            await pilot.press("escape")
            await until(pilot, lambda: not pilot.app.screen.query(Input))


@pytest.mark.parametrize("names", WALKS.values(), ids=WALKS)
async def test_hostile_texts_are_only_text_on_every_screen_that_shows_one_thing(
    asking: LocalService, server: FakeModelServer, names: tuple[str, ...]
) -> None:
    text = " ".join(HOSTILE[name] for name in names)
    facts = dict.fromkeys(("surface", "lemma", "reading", "part_of_speech", "grammar", "level"), text)

    def reply(request: Request) -> Reply:
        return stream(text[:5], text[5:9], text[9:]) if is_stream(request) else answer(facts | {"meanings": [text]})

    server.on_chat = reply
    await fill(asking, text)
    await asking.template.save(NewTemplate("work:m", "{{ sentence }} {{ focus }} {{ context }}", text, "", text))
    async with opened(asking, (120, 30)) as pilot:
        walk = Walk(pilot, names)
        for key, question in (("1", "Delete this file"), ("2", "Delete this transcript"), ("3", "Delete this clip")):
            await pilot.press(key)
            await until_rows(pilot, 1)
            await pilot.press("d")
            await until_shown(pilot, question)
            await walk.look(names[0])  # it is wrapped, others of them may be cut in two
            await pilot.press("escape")
            await until(pilot, lambda: not shows(pilot, question))

        await pilot.press("2", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReaderScreen) and pilot.app.screen.reader.cue)
        await walk.look()
        await pilot.press("J", "c")
        await until_told(pilot, "clip saved")
        await walk.look()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, BreakdownScreen))
        await until_shown(pilot, "· done ·")
        await walk.look()
        server.on_chat = lambda _: status(400, {"error": {"message": text}})
        await pilot.press("r")
        await until_shown(pilot, "· failed ·")
        await walk.look()
        await pilot.press("H")
        await until_rows(pilot, 3)
        await pilot.press("enter")
        await until_shown(pilot, "kept answer of")
        await walk.look()

        await pilot.press("3")
        await until_rows(pilot, 2)
        await pilot.press("G", "E")
        await until(pilot, lambda: isinstance(pilot.app.screen, ClipForm))
        await walk.look()
        await pilot.press("escape", "enter")
        await until_shown(pilot, "from your clip")
        await walk.look()

        await pilot.press("4")
        await until_shown(pilot, "Preview")
        await walk.look()
        await paste_prompt(pilot, text)
        await until_shown(pilot, "unsaved changes")
        await pilot.app.workers.wait_for_complete()
        await walk.look()
        await pilot.press("escape", "6")
        await until_shown(pilot, "The template has unsaved changes.")
        await pilot.press("d")

        await until_rows(pilot, 1)
        await pilot.press("enter")
        await until_shown(pilot, "import · failed")
        await walk.look()
