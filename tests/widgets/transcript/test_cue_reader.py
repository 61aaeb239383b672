"""The reader steps through a transcript word by word, reads and paints no more than it must, and stays where it is."""

import asyncio
from collections.abc import Sequence
from typing import Self

import pytest
from rich.style import Style
from textual import events, on
from textual.app import App, ComposeResult
from textual.geometry import Region

from tests.hostile import FORBIDDEN, HOSTILE
from tests.settling import STYLES, press, running, settled
from tui.errors import StoreError
from tui.records.pages import Page
from tui.records.transcripts import Cue
from tui.widgets.transcript.cue_reader import CueReader
from tui.widgets.transcript.pages import TranscriptPages

STORY = (
    "Warten Sie schon lange hier?",
    "Seit einer Stunde.",
    "Das ist der letzte heute,\ndanach kommt nichts mehr.",
    "Hoffentlich fährt er überhaupt noch ab.",
    "♪♪♪",
    "Bestimmt, sagt er.",
)


class Source:
    """Cues that remember which pages were asked for."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.cues = [Cue(index, index * 2_000, index * 2_000 + 1_500, text) for index, text in enumerate(texts)]
        self.asked: list[int] = []
        self.error: StoreError | None = None
        self.gate = asyncio.Event()
        self.gate.set()

    async def fetch(self, *, offset: int, limit: int) -> Page[Cue]:
        self.asked.append(offset)
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return Page(tuple(self.cues[offset : offset + limit]), len(self.cues), offset)


class CountingReader(CueReader):
    """Remembers what it was asked to repaint, and which styles it worked out."""

    repainted: list[tuple[Region, ...]]
    styled: list[str]

    def get_component_rich_style(self, *names: str, partial: bool = False, default: Style | None = None) -> Style:
        if hasattr(self, "styled"):
            self.styled.extend(names)
        return super().get_component_rich_style(*names, partial=partial, default=default)

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        if hasattr(self, "repainted"):
            self.repainted.append(regions)
        super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        return self


class ReadingApp(App[None]):
    CSS_PATH = STYLES / "reader/reader.tcss"

    def __init__(self, source: Source, *, cue: int = 0, word: int = 0, language: str | None = "de") -> None:
        super().__init__()
        self.source = source
        self.place = cue, word
        self.language = language
        self.focused_words: list[str] = []
        self.chosen = 0
        self.errors: list[str] = []

    def compose(self) -> ComposeResult:
        yield CountingReader()

    def on_mount(self) -> None:
        last = self.source.cues[-1].end_ms if self.source.cues else None
        total = len(self.source.cues)
        pages = TranscriptPages(self.source.fetch, total, language=self.language, duration_ms=last)
        self.reader.open(pages, *self.place)
        self.reader.focus()

    @property
    def reader(self) -> CountingReader:
        return self.query_one(CountingReader)

    @property
    def eye(self) -> tuple[int, str]:
        """The cue and the words under the eye."""
        return self.reader.cue_index, self.reader.focus_text

    @property
    def sentence(self) -> str:
        return focused.sentence if (focused := self.reader.focused) is not None else ""

    @property
    def context(self) -> str:
        return focused.context if (focused := self.reader.focused) is not None else ""

    def on_cue_reader_word_focused(self) -> None:
        self.focused_words.append(self.reader.focus_text)

    def on_cue_reader_chosen(self) -> None:
        self.chosen += 1

    @on(CueReader.ReadFailed)
    def _read_failed(self, message: CueReader.ReadFailed) -> None:
        self.errors.append(message.error.message)


def drawn(app: ReadingApp) -> list[str]:
    """The reader's lines as they are on the screen."""
    reader = app.reader
    return ["".join(segment.text for segment in reader.render_line(y)).rstrip() for y in range(reader.size.height)]


async def test_cues_stand_under_each_other_with_their_times_in_one_column() -> None:
    app = ReadingApp(Source(STORY), cue=3, word=1)
    async with running(app, (60, 12)):
        assert drawn(app)[:8] == [
            "   0:00  Warten Sie schon lange hier?",
            "   0:02  Seit einer Stunde.",
            "   0:04  Das ist der letzte heute,",
            "         danach kommt nichts mehr.",
            " ▌ 0:06  Hoffentlich fährt er überhaupt noch ab.",
            "   0:08  ♪♪♪",
            "   0:10  Bestimmt, sagt er.",
            "",
        ]


async def test_every_key_moves_the_eye_as_it_says_and_enter_chooses() -> None:
    app = ReadingApp(Source(STORY), cue=3, word=1)
    async with running(app, (60, 12)) as pilot:
        for keys, cue, focus in (
            *(
                ("", 3, "fährt"),
                ("l", 3, "er"),
                ("right", 3, "er"),
                ("h", 3, "Hoffentlich"),
                ("left", 3, "Hoffentlich"),
            ),
            *(("h h", 2, "mehr"), ("j", 4, ""), ("down", 4, ""), ("j l", 5, "Bestimmt"), ("j h", 3, "ab")),
            *(("k", 2, "Das"), ("up", 2, "Das"), ("g", 0, "Warten"), ("home", 0, "Warten"), ("g h", 0, "Warten")),
            *(("g k", 0, "Warten"), ("G", 5, "Bestimmt"), ("end", 5, "Bestimmt"), ("G l l l l", 5, "er")),
            *(("G l j", 5, "sagt"), ("v l l", 3, "fährt er überhaupt"), ("v h", 3, "Hoffentlich fährt")),
            *(("v l v", 3, "er"), ("v l l l l l l l l", 3, "fährt er überhaupt noch ab"), ("v l k", 2, "Das")),
            *(("space l l l l", 3, "fährt ab"), ("space l l l l space h", 3, "fährt noch ab")),
            *(("space space l", 3, "er"), ("v l space l l", 3, "fährt er noch")),
            *(("k v l l l l l", 2, "Das ist der letzte heute, danach"),),
        ):
            app.on_mount()
            await press(pilot, *keys.split())
            assert (*app.eye, app.focused_words[-1]) == (cue, focus, focus), keys
        await pilot.press("enter")
        assert app.chosen == 1


async def test_neighbouring_cues_are_taken_into_the_context_and_let_go_again() -> None:
    app = ReadingApp(Source(STORY), cue=3)
    async with running(app, (60, 12)) as pilot:
        await press(pilot, "K", "J", "J")
        assert app.context == "Das ist der letzte heute, danach kommt nichts mehr.\n♪♪♪\nBestimmt, sagt er."
        assert [line[:2] for line in drawn(app)[2:7]] == [" ▏", " ▏", " ▌", " ▏", " ▏"]
        assert app.sentence == "Hoffentlich fährt er überhaupt noch ab."
        await pilot.press("l")
        assert app.reader.cue_focus.has_context
        await pilot.press("0")
        assert app.context == ""
        await pilot.press("K", "j", "j")
        assert not app.reader.cue_focus.has_context
        await pilot.press("J", "K")
        assert app.context == "♪♪♪", "it ends where the transcript ends"
        await press(pilot, "g", "j", "j")
        assert app.sentence == "Das ist der letzte heute, danach kommt nichts mehr.", "one line, whatever the cue is"


async def test_lines_of_a_script_without_spaces_are_a_sentence_without_one() -> None:
    source = Source(("春でした。\nまだ\n寒い。", "美咲は四月に、\nこの町へ来た。"))
    app = ReadingApp(source, cue=1, language="ja")
    async with running(app) as pilot:
        await pilot.press("K", "v", *"llll")
        assert app.sentence == "美咲は四月に、この町へ来た。"
        assert app.context == "春でした。まだ寒い。"
        assert app.reader.focus_text in app.sentence
        assert "、この" in app.reader.focus_text


async def test_a_click_focuses_the_word_under_it_and_hits_are_gone_through_round_and_round() -> None:
    app = ReadingApp(Source(STORY))
    async with running(app, (60, 12)) as pilot:
        for offset, word in (((9 + 13, 4), "fährt"), ((5, 1), "Seit")):
            await pilot.click(CountingReader, offset=offset)
            assert app.reader.focus_text == word
        app.reader.set_hits((3, 5), "er")
        assert app.reader.hit_number == 0
        app.reader.first_hit()
        assert (*app.eye, app.reader.hit_number) == (3, "er", 1)
        seen = []
        for key in ("n", "n", "N", "N"):
            await pilot.press(key)
            seen.append((app.reader.cue_index, app.reader.hit_number))
        assert seen == [(5, 2), (3, 1), (5, 2), (3, 1)]


async def test_a_failed_read_is_told_and_the_next_step_tries_again() -> None:
    source = Source(STORY)
    source.error = StoreError("the database is locked")
    app = ReadingApp(source)
    async with running(app) as pilot:
        assert set(app.errors) == {"the database is locked"}
        source.error = None
        await press(pilot, "j")
        assert app.sentence == "Seit einer Stunde."


async def test_a_transcript_without_cues_is_empty_and_its_keys_do_nothing() -> None:
    app = ReadingApp(Source([]))
    async with app.run_test() as pilot:
        await pilot.press(*"jklhvgGJK0nN", "space", "enter", "ctrl+d", "pageup")
        assert app.reader.focus_text == app.sentence == app.context == ""
        assert app.chosen == 0


@pytest.mark.exhaustive
async def test_hostile_texts_are_read_as_text() -> None:
    app = ReadingApp(Source([*HOSTILE.values(), "danach"]), language=None)
    async with running(app, (60, 16)) as pilot:
        for name in HOSTILE:
            for key in ("l", "v", "l", "J"):
                await press(pilot, key)
                assert not set(FORBIDDEN) & set("".join(drawn(app)) + app.sentence + app.reader.focus_text), name
                assert all(app.reader.render_line(y).cell_length == 60 for y in range(16)), name
            await press(pilot, "j")


# Scrolling: what is read, drawn and kept in view as the eye moves.


async def test_a_step_moves_nothing_and_repaints_the_lines_it_changes_and_no_others() -> None:
    app = ReadingApp(Source(STORY), cue=1)
    async with running(app, (60, 12)) as pilot:
        before = [line[3:] for line in drawn(app)]
        for key, lines in (("l", [1]), ("j", [1, 2, 3])):
            app.reader.repainted = []
            await pilot.press(key)
            assert [[region.y for region in regions] for regions in app.reader.repainted] == [lines]
        for key in ("g", "l", "j", "v", "l", "J", "space", "k"):
            await press(pilot, key)
            assert [line[3:] for line in drawn(app)] == before


async def test_styles_are_worked_out_where_the_look_changes_and_not_with_each_step() -> None:
    app = ReadingApp(Source([f"Satz {number}." for number in range(50)]))
    async with running(app, (60, 12)) as pilot:
        app.reader.styled = []
        await press(pilot, *"jlkl", *"j" * 15)
        assert app.reader.styled == []
        app.theme = "textual-light"
        await settled(pilot)
        assert app.reader.styled
        app.reader.styled.clear()
        app.add_class("-tints-underline")  # changes the look of new words, and nothing of the reader's own
        await settled(pilot)
        assert app.reader.styled
        word = app.reader.get_component_rich_style("cue-reader--word")
        assert word in [segment.style for y in range(12) for segment in app.reader.render_line(y)]


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


async def test_the_eyes_own_page_is_read_before_the_one_that_ends_above_it() -> None:
    app = ReadingApp(Source([f"Satz Nummer {number}." for number in range(20_000)]), cue=5_000)
    async with running(app, (60, 20)) as pilot:
        await settled(pilot)
        assert app.source.asked == [5_000, 4_900]
        assert app.sentence == "Satz Nummer 5000."
        assert "Satz Nummer 4999." in "\n".join(drawn(app))


async def test_the_eye_keeps_two_cues_of_room_to_the_edges_and_comes_back_from_the_wheel() -> None:
    app = ReadingApp(Source([f"Satz {number}." for number in range(50)]))
    async with running(app, (60, 10)) as pilot:
        for keys, first in (("jjjjjjj", 0), ("j", 1), ("kkkkk", 1), ("k", 0)):
            await pilot.press(*keys)
            assert drawn(app)[0].endswith(f"Satz {first}.")
        reader = app.reader
        for kind, first in ((events.MouseScrollDown, 3), (events.MouseScrollDown, 6), (events.MouseScrollUp, 3)):
            reader.post_message(kind(reader, 1, 1, 0, 1, 0, False, False, False))
            await settled(pilot)
            assert drawn(app)[0].endswith(f"Satz {first}.")
        assert app.reader.cue_index == 2
        await pilot.press("l")
        assert drawn(app)[0].endswith("Satz 0.")


async def test_pages_move_the_text_and_the_eye_together() -> None:
    app = ReadingApp(Source([f"Satz {number}." for number in range(50)]), cue=2)
    async with running(app, (60, 10)) as pilot:
        for keys, first, eye in (
            *(("ctrl+d", 5, 7), ("pagedown", 8, 10), ("ctrl+d ctrl+u", 0, 2), ("pagedown pageup", 0, 2)),
            *(("pageup", 0, 0), ("G pagedown", 40, 49)),
        ):
            app.on_mount()
            await press(pilot, *keys.split())
            assert (drawn(app)[0].split()[-1], app.reader.cue_index) == (f"{first}.", eye), keys


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


async def test_the_place_stays_when_the_width_changes() -> None:
    app = ReadingApp(Source([f"Dies ist der lange Satz mit der Nummer {number}." for number in range(50)]), cue=30)
    async with running(app, (90, 20)) as pilot:
        for size in ((40, 10), (60, 16), (120, 40)):
            await pilot.resize_terminal(*size)
            await settled(pilot)
            assert app.reader.cue_index == 30
            assert any("▌" in line for line in drawn(app))
