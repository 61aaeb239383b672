"""The README's pictures: the real app on the sample library, the same to the byte on every machine.

``python -m tests.screenshots`` (``make screenshots``) writes them; ``test_screenshots.py`` fails when they are stale.
"""

import asyncio
import os
import re
import sys
import tempfile
from pathlib import Path

from textual.pilot import Pilot

from tests.screens.driving import shows, until, until_shown
from tui.app import LodeApp
from tui.config import Settings
from tui.records.clips import FocusWord, NewClip
from tui.records.reviews import Change
from tui.service.local import LocalService
from tui.store import Store

DIRECTORY = Path(__file__).resolve().parents[2] / "screenshots"
SIZE = (120, 30)
"""Cells; wide enough for the side panes, narrow enough to be read in a README."""
NAMES = ("files", "transcripts", "reader", "breakdown", "clips", "template", "jobs", "words", "review")

KNOWN = {"de": 120, "es": 60}
"""Number of words that are known, by language."""

COUNTED = ("440", "467", "272", "441")
"""Numbers of words of the stories: they come behind the rows, the Japanese ones once its segmenter has been loaded."""

_STILL_SECONDS = 0.2
"""Longer than any pause of the app's own before it reads or draws what comes next."""

_FONT_FACE = re.compile(r"@font-face\s*\{[^}]*\}", re.DOTALL)
_ID = re.compile(r"\bterminal-\d+")
"""Rich names the picture's parts after a checksum of the text, which has the seconds in it."""
_NEIGHBOURS = re.compile(
    r'(<rect fill="(?P<fill>[^"]+)" x="(?P<x>[\d.]+)" y="(?P<y>[\d.]+)" width=")(?P<width>[\d.]+)(?P<rest>"[^>]*/>)\s*'
    r'<rect fill="(?P=fill)" x="(?P<next>[\d.]+)" y="(?P=y)" width="(?P<more>[\d.]+)(?P=rest)'
)
_SECONDS = re.compile(r"(·(?:&#160;| ))\d+\.\d(?=(?:&#160;| )s\b)")


async def take() -> dict[str, str]:
    """Name → SVG of each screen."""
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        _share_dictionaries(home)
        service = LocalService(Settings(home=home, config_path=home / "config.toml"), environ={})
        await _fill(service)
        app = LodeApp(service, Settings(home=home, config_path=home / "config.toml"))
        async with app.run_test(size=SIZE, notifications=False) as pilot:
            return await _walk(pilot, service)


def _share_dictionaries(home: Path) -> None:
    """The tests' unpacked dictionaries, where there are any: unpacking takes seconds and changes nothing."""
    if shared := os.environ.get("LODE_TEST_LEMMAS"):
        (home / "lemmas").symlink_to(shared)


async def _fill(service: LocalService) -> None:
    """The sample library, its words with their lemmas, three clips, and words that somebody knows."""
    jobs = await service.files.add_samples()
    async for _ in service.jobs.follow([job.id for job in jobs]):
        pass
    for language in ("de", "es", "fr"):
        await service.words.prepare(language)
    for clip in CLIPS:
        await service.clips.add(clip)
    for language, count in KNOWN.items():
        await service.known_words.mark_frequent(language, count)
    transcripts = await service.transcripts.page()
    await service.known_words.counts(*(each.id for each in transcripts.items))


async def _walk(pilot: Pilot[None], service: LocalService) -> dict[str, str]:
    shots: dict[str, str] = {}

    async def shoot(name: str, *texts: str) -> None:
        """Once all these texts are there and nothing moves any more: on a busy machine both take their time."""
        await until(pilot, lambda: all(shows(pilot, text) for text in texts))
        before, shots[name] = "", _picture(pilot)
        while before != shots[name]:
            await pilot.app.workers.wait_for_complete()
            await pilot.pause(_STILL_SECONDS)
            before, shots[name] = shots[name], _picture(pilot)

    await shoot("files", "Der letzte Zug.de.srt", *COUNTED)
    await pilot.press("2")
    await shoot("transcripts", "Der letzte Zug", "3:48", *COUNTED)
    await pilot.press("g", "enter")
    await until_shown(pilot, "Warten Sie")
    await pilot.press(*"jjjjjjj", "l")
    await shoot("reader", "in your library", "fährt  known")
    await pilot.press("enter")
    await shoot("breakdown", "done", "Other sentences with it")
    await pilot.press("3")
    await shoot("clips", "Compare: ankommen")
    await pilot.press("4")
    await shoot("template", 'Explain "fährt"', "<dictionary>")
    await pilot.press("6")
    await shoot("jobs", "59 cues", "succeeded")
    await pilot.press("7")
    await shoot("words", "known", "frequency")
    await _propose(service)
    await pilot.press("B")
    await until_shown(pilot, "fehrt→fährt")
    await pilot.press("j", "j")
    await shoot("review", "− Hoffentlich fehrt", "7 of 8 taken · 1 doubtful")
    return shots


async def _propose(service: LocalService) -> None:
    """A review of corrections of the German story, whose lines get the mistakes that they correct."""
    transcripts = await service.transcripts.page()
    story = next(each.id for each in transcripts.items if each.language == "de")
    changes = []
    for cue in (await service.transcripts.cues(story)).items:
        if wrong := MISTAKES.get(cue.index):
            edited = await service.cues.edit(story, cue.index, seen=cue.text, text=cue.text.replace(*wrong))
            changes.append(Change(cue.index, edited.cues[0].text, cue.text))
    changes.append(Change(8, "Bestimmt.", "Das glaube ich nicht.", is_doubtful=True))

    def wait(store: Store) -> None:
        review = store.reviews.begin(service.profile, story, "correction", "ollama:gemma3")
        store.reviews.add(service.profile, review, changes)

    await service._library.change(wait)


def _picture(pilot: Pilot[None]) -> str:
    return stable(pilot.app.export_screenshot(title="Lode", simplify=True))


def stable(svg: str) -> str:
    """Without what differs between runs and is not seen or not meant, and without fonts that would be fetched.

    That is how long an answer took, and where a line that was painted in two pieces has its seam.
    """
    joined = _NEIGHBOURS.sub(_joined, svg)
    while joined != svg:
        svg, joined = joined, _NEIGHBOURS.sub(_joined, joined)
    return _ID.sub("terminal", _SECONDS.sub(r"\g<1>0.1", _FONT_FACE.sub("", svg))) + "\n"


def _joined(seam: re.Match[str]) -> str:
    x, width, following, more = (float(seam[name]) for name in ("x", "width", "next", "more"))
    if abs(x + width - following) > 0.01:
        return seam[0]
    return f"{seam[1]}{round(width + more, 1):g}{seam['rest']}"


MISTAKES = {
    1: ("Bahnhof", "Bahnhoff"),
    5: ("Verspätung", "Verspàtung"),
    7: ("fährt", "fehrt"),
    11: ("Einen", "Elnen"),
    13: ("dass", "das"),
    17: ("See", "Sehe"),
    23: ("gießt", "giest"),
}
"""What stands in lines of the German story and what a mistake makes of it, by the lines' numbers."""
CLIPS = (
    NewClip(
        sentence="Ich weiß. Der Zug hatte Verspätung.",
        focus=FocusWord("Verspätung", lemma="Verspätung", part_of_speech="noun", meanings=("delay",), language="de"),
        translation="I know. The train was late.",
        explanation="**Verspätung** is what a train has in German: *Verspätung haben*, to be late.",
        source="Der letzte Zug",
        start_ms=209_000,
    ),
    NewClip(
        sentence="Hoffentlich fährt er überhaupt noch ab.",
        focus=FocusWord(
            "fährt … ab",
            lemma="abfahren",
            part_of_speech="separable verb",
            grammar="3rd person singular present",
            meanings=("to leave", "to depart"),
            level="A1",
            language="de",
        ),
        translation="I hope it leaves at all.",
        context="Das ist der letzte heute, danach kommt bis morgen früh nichts mehr.",
        explanation=(
            "**fährt** belongs to the separable verb *abfahren*: in a main clause the prefix **ab** goes to the very"
            ' end. The words *überhaupt noch* between them say that the speaker doubts it: "if it leaves at all".'
        ),
        source="Der letzte Zug",
        start_ms=31_080,
        note="Compare: ankommen, kommt … an",
        tags=("separable", "travel"),
    ),
)


def main() -> None:
    DIRECTORY.mkdir(exist_ok=True)
    for name, svg in asyncio.run(take()).items():
        (DIRECTORY / f"{name}.svg").write_text(svg, "utf-8")
        print(DIRECTORY.name, f"{name}.svg", file=sys.stderr)


if __name__ == "__main__":
    main()
