"""The line above: sections, place, jobs, in every width."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import product

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.strip import Strip
from textual.widgets import Static

from tests.hostile import FORBIDDEN, HOSTILE
from tui.screens.section import SECTIONS
from tui.widgets.chrome.top_line import TopLine


class Shell(App[None]):
    def __init__(self, section: str = "transcripts", place: str = "anna · local") -> None:
        super().__init__()
        self.line = TopLine(tuple(SECTIONS), section, place)
        self.chosen: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.line
        yield Static("body")

    def on_top_line_section_chosen(self, message: TopLine.SectionChosen) -> None:
        self.chosen.append(message.section)

    def on_top_line_profile_clicked(self) -> None:
        self.chosen.append("profiles")


@asynccontextmanager
async def shell(place: str = "anna · local") -> AsyncIterator[Callable[..., Awaitable[Strip]]]:
    """A function that draws the line in a terminal of so many cells."""
    app = Shell(place=place)
    async with app.run_test(size=(120, 10)) as pilot:

        async def draw(
            width: int,
            *,
            status: str = "",
            shorter: tuple[str, ...] = (),
            jobs: int = 0,
            progress: tuple[float, ...] = (),
            trouble: str = "",
            inbox: str = "",
        ) -> Strip:
            await pilot.resize_terminal(width, 10)
            while app.line.size.width != width:
                await pilot.pause()
            app.line.status, app.line.jobs, app.line.progress, app.line.trouble = status, jobs, progress, trouble
            app.line.shorter, app.line.inbox = shorter, inbox
            await pilot.pause()
            strip = app.line.render_line(0)
            assert cell_len(strip.text) == width
            return strip

        yield draw


async def test_an_inbox_that_listens_is_set_off_as_what_runs_is_and_jobs_go_before_it_where_both_have_no_room() -> None:
    for place in ("anna", "inbox"):
        async with shell(f"{place} · local") as draw:
            for width, changes, plain, running in (
                (120, {}, f"{place} · local · ", "inbox :8767"),
                (120, {"jobs": 2, "progress": (0.0,)}, f"{place} · local · ", "inbox :8767 · 2 jobs ▁"),
                (100, {}, f"{place} · ", "inbox :8767"),
                (80, {}, "", "inbox"),
                (80, {"jobs": 2}, "", "2 jobs"),
            ):
                strip = await draw(width, inbox="inbox :8767", **changes)
                assert strip.text.endswith(f" {plain}{running} ")
                shown = [each for each in strip if each.text.strip()][-1]
                assert shown.text == running
                before = next(each for each in strip if each.text.strip())
                assert shown.style != before.style
            assert (await draw(120, inbox="inbox :8767", status="streaming")).text.endswith(" streaming ")


NAMES = " 1 Files 2 Transcripts 3 Clips 4 Template 5 Breakdown 6 Jobs 7 Words"
SHORT = NAMES.replace("Template", "Temp…").replace("Breakdown", "Brea…")


async def test_with_room_every_section_stands_there_by_name_and_the_right_side_says_less_before_one_is_cut() -> None:
    async with shell() as draw:
        line = (await draw(120)).text
        assert line.startswith(" 1 Files  2 Transcripts  3 Clips  4 Template  5 Breakdown  6 Jobs  7 Words   ")
        assert line.endswith("   anna · local ")
        for width, changes, end in (
            (120, {"jobs": 2, "progress": (0.0, 0.5)}, "anna · local · 2 jobs ▁▅ "),
            (120, {"jobs": 1}, "anna · local · 1 job "),
            (80, {}, f"{NAMES}       anna "),
            (80, {"jobs": 12}, f"{NAMES}    12 jobs "),
            (80, {"status": "12 marked · 40 found"}, "7 Words   12 marked · 40… "),
        ):
            assert (await draw(width, **changes)).text.endswith(end)
        assert (await draw(78)).text.startswith(f"{NAMES}  ")
        line = (await draw(60, jobs=2)).text
        assert line.startswith(" 1 2 Transcripts 3 4 5 6 7"), "only the one you are in has a name"
        assert line.endswith("anna · local · 2 jobs ")


async def test_where_a_server_is_says_more_than_that_the_profile_is_the_first_one() -> None:
    for place, width, jobs, line in (
        ("default · home:8765", 80, 0, f"{NAMES}  home:8765 "),
        ("default · home:8765", 120, 0, "   default · home:8765 "),
        ("default · home:8765", 80, 2, " 2 jobs "),
        ("default · home:8765", 60, 2, " home:8765 · 2 jobs "),
        ("default · 127.0.0.1:8765", 80, 0, f"{SHORT}    127.0.0.1:8765 "),
        ("anna · home:8765", 80, 0, " anna · home:8765 "),
    ):
        async with shell(place) as draw:
            assert (await draw(width, jobs=jobs)).text.endswith(line)
    async with shell("anna · home:8765") as draw:
        assert (await draw(78)).text.startswith(SHORT)


STREAMING = "ollama:qwen3:8b · streaming · 41 tok/s · 3.2 s"


async def test_a_status_says_less_before_a_section_loses_its_name() -> None:
    long = f"router:{'long-model-name/' * 4}8b · streaming · 41 tok/s · 3.2 s"
    async with shell() as draw:
        for width, status, said in (
            (120, STREAMING, STREAMING),
            (106, STREAMING, "ollama:qwen3:8b · streaming · 3.2 s"),
            (100, STREAMING, "olla…3:8b · streaming · 3.2 s"),
            (90, STREAMING, "oll…:8b · streaming"),
            (80, long, "streaming"),
        ):
            assert (await draw(width, status=status)).text.partition("7 Words")[2].strip() == said
        line = (await draw(60, status=long)).text
        assert line.startswith(" 1 2 Transcripts 3 4 5 6 7  ")
        assert line.endswith(" route…me/8b · streaming · 3.2 s "), "a long model is cut in its middle"
        assert (await draw(60, status="駅" * 60 + " · done")).text.endswith("駅…駅駅駅駅駅 · done ")


async def test_no_model_is_so_long_that_the_sections_become_numbers() -> None:
    for section in SECTIONS:
        app = Shell(section)
        async with app.run_test(size=(80, 10)) as pilot:
            for name in ("openai:gpt-5-mini", f"router:{'long-model-name/' * 8}", "駅" * 60):
                app.line.status = f"{name} · streaming · 41 tok/s · 3.2 s"
                await pilot.pause()
                line = app.line.render_line(0).text
                short = ["1 Files", "2 Tran", "3 Clips", "4 Temp", "5 Brea", "6 Jobs", "7 Words", "streaming"]
                assert all(each in line for each in short)
                app.line.status = f"{name} · waiting for the first word of it · 12.1 s"
                await pilot.pause()
                assert app.line.render_line(0).text.endswith("… · 12.1 s ")


async def test_a_long_profile_or_server_is_cut_and_the_sections_keep_their_names() -> None:
    profile = "the-profile-of-somebody-with-a-long-name"
    server = f"{'home.' * 12}example.org:8765"
    for place in (f"{profile} · local", f"anna · {server}", f"{profile} · {server}"):
        async with shell(place) as draw:
            for width, jobs in product((60, 72, 80, 100), (0, 2)):
                line = (await draw(width, jobs=jobs)).text
                assert line.endswith(" 2 jobs ") if jobs else f" {place[:3]}" in line
                assert ("1 Files" in line) is (width >= 76)


@pytest.mark.exhaustive
async def test_of_the_texts_for_a_status_the_first_one_stands_there_that_fits() -> None:
    sums = ["3 marked", "1 200 cues", "2:03:04", "1.2 MB"]
    marked = [" · ".join(sums[:count]) for count in (4, 3, 2, 1)]
    async with shell() as draw:
        for width, said in ((130, marked[0]), (104, marked[1]), (80, marked[3]), (60, marked[1])):
            line = (await draw(width, status=marked[0], shorter=marked[1:])).text
            assert line.endswith(f" {said} "), (width, line)


async def test_whatever_a_status_says_the_line_is_one_line_of_the_right_width() -> None:
    async with shell() as draw:
        for width in (60, 120):
            for name, text in HOSTILE.items():
                assert not set((await draw(width, status=text)).text) & set(FORBIDDEN + "\n"), name


async def test_a_click_on_a_name_chooses_the_section_and_others_a_profile_or_the_jobs() -> None:
    app = Shell()
    app.line.jobs = 2
    async with app.run_test(size=(120, 10)) as pilot:
        for x in (2, 12, 26, 34, 46, 60, 68):
            await pilot.click(TopLine, offset=(x, 0))
        assert app.chosen == [*SECTIONS]
        x = app.line.render_line(0).text.index("anna · local · 2 jobs")
        for offset in (x - 1, x, x + 11, x + 15, 119):
            await pilot.click(TopLine, offset=(offset, 0))
        assert app.chosen[7:] == ["profiles", "profiles", "jobs"]
        app.line.status = "unsaved changes ●"
        await pilot.pause()
        await pilot.click(TopLine, offset=(115, 0))
        assert len(app.chosen) == 10


TROUBLE = "no answer from 127.0.0.1:8765"


async def test_where_a_library_elsewhere_is_stands_there_in_every_width_or_that_it_does_not_answer() -> None:
    async with shell("anna · 127.0.0.1:8765") as draw:
        for width in (60, 80, 100, 120):
            place = " anna · 127.0.0.… " if width == 80 else " anna · 127.0.0.1:8765 "
            assert (await draw(width)).text.endswith(place)
            assert (await draw(width, jobs=2)).text.endswith((" 2 jobs ", " 2 jobs  "))
            line = await draw(width, trouble=TROUBLE, jobs=2)
            assert line.text.endswith(f" anna · {TROUBLE} ")
            [said] = [segment for segment in line if segment.text == TROUBLE]
            assert said.style != next(iter(line)).style, "in the colour of errors"
            if width >= 80:
                line = await draw(width, trouble=TROUBLE, status="unsaved changes ●")
                assert line.text.endswith(f" unsaved changes ● · {TROUBLE} ")
        status = f"router:{'long-name/' * 6} · streaming · 41 tok/s · 3.2 s"
        assert (await draw(80, trouble=TROUBLE, status=status)).text.endswith(f" streaming · 3.2 s · {TROUBLE} ")
        line = await draw(60, trouble=TROUBLE, status=status)
        assert line.text.endswith(f" {TROUBLE} "), "where there is room for one of them"
        long = await draw(60, trouble=f"no answer from {'very.long.' * 9}example:8765")
        assert " no answer from very.long." in long.text
