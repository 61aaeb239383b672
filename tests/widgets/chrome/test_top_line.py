"""The line above: sections, place, jobs, in every width."""

from __future__ import annotations

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


async def drawn(
    width: int, *, status: str = "", jobs: int = 0, progress: tuple[float, ...] = (), place: str = "anna · local"
) -> str:
    app = Shell(place=place)
    async with app.run_test(size=(width, 10)) as pilot:
        app.line.status = status
        app.line.jobs = jobs
        app.line.progress = progress
        await pilot.pause()
        return app.line.render_line(0).text


async def test_with_room_every_section_stands_there_by_name_and_the_place_at_the_right() -> None:
    line = await drawn(120)
    assert line.startswith(" 1 Files  2 Transcripts  3 Clips  4 Template  5 Breakdown  6 Jobs  7 Words   ")
    assert line.endswith("   anna · local ")


async def test_running_jobs_are_counted_and_drawn_as_bars() -> None:
    assert (await drawn(120, jobs=2, progress=(0.0, 0.5))).endswith("anna · local · 2 jobs ▁▅ ")
    assert (await drawn(120, jobs=1)).endswith("anna · local · 1 job ")


async def test_in_eighty_columns_the_right_side_says_less_before_a_name_is_cut() -> None:
    assert (await drawn(80)).endswith("5 Breakdown 6 Jobs 7 Words       anna ")
    assert (await drawn(80, jobs=12)).endswith("5 Breakdown 6 Jobs 7 Words    12 jobs ")


async def test_where_a_server_is_says_more_than_that_the_profile_is_the_first_one() -> None:
    names = " 1 Files 2 Transcripts 3 Clips 4 Template 5 Breakdown 6 Jobs 7 Words"
    assert (await drawn(80, place="default · home:8765")).rstrip() == f"{names}  home:8765"
    short = names.replace("Template", "Temp…").replace("Breakdown", "Brea…")
    assert (await drawn(80, place="default · 127.0.0.1:8765")).rstrip() == f"{short}    127.0.0.1:8765"
    assert (await drawn(120, place="default · home:8765")).endswith("   default · home:8765 ")
    assert (await drawn(80, place="anna · home:8765")).endswith(" anna · home:8765 ")
    assert (await drawn(80, jobs=2, place="default · home:8765")).endswith(" 2 jobs ")
    assert (await drawn(60, jobs=2, place="default · home:8765")).endswith(" home:8765 · 2 jobs ")


async def test_below_eighty_columns_names_are_shortened_but_for_the_one_you_are_in() -> None:
    assert (await drawn(78)).startswith(" 1 Files 2 Transcripts 3 Clips 4 Template 5 Breakdown 6 Jobs 7 Words  ")
    server = "anna · home:8765"
    assert (await drawn(78, place=server)).startswith(" 1 Files 2 Transcripts 3 Clips 4 Temp… 5 Brea… 6 Jobs 7 Words")


async def test_in_sixty_columns_only_the_active_section_has_a_name() -> None:
    line = await drawn(60, jobs=2)
    assert line.startswith(" 1 2 Transcripts 3 4 5 6 7")
    assert line.endswith("anna · local · 2 jobs ")


STREAMING = "ollama:qwen3:8b · streaming · 41 tok/s · 3.2 s"
NAMES = ["1 Files", "2 Transcripts", "3 Clips", "4 Template", "5 Breakdown", "6 Jobs", "7 Words"]
SHORT_NAMES = ["1 Files", "2 Tran", "3 Clips", "4 Temp", "5 Brea", "6 Jobs", "7 Words"]


@pytest.mark.parametrize(
    ("width", "status", "said"),
    [
        (120, STREAMING, STREAMING),
        (106, STREAMING, "ollama:qwen3:8b · streaming · 3.2 s"),
        (100, STREAMING, "olla…3:8b · streaming · 3.2 s"),
        (90, STREAMING, "oll…:8b · streaming"),
    ],
)
async def test_a_status_says_less_before_a_section_loses_its_name(width: int, status: str, said: str) -> None:
    line = await drawn(width, status=status)
    assert all(name in line for name in NAMES)
    assert line.partition("7 Words")[2].strip() == said


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("name", ["openai:gpt-5-mini", f"router:{'long-model-name/' * 8}", "駅" * 60])
async def test_no_model_is_so_long_that_the_sections_become_numbers(section: str, name: str) -> None:
    app = Shell(section)
    async with app.run_test(size=(80, 10)) as pilot:
        app.line.status = f"{name} · streaming · 41 tok/s · 3.2 s"
        await pilot.pause()
        line = app.line.render_line(0).text
        assert all(name in line for name in SHORT_NAMES)
        assert "streaming" in line
        app.line.status = f"{name} · waiting for the first word of it · 12.1 s"
        await pilot.pause()
        assert app.line.render_line(0).text.endswith("… · 12.1 s ")


async def test_a_long_model_is_cut_in_its_middle_and_what_it_does_stays() -> None:
    status = f"router:{'long-model-name/' * 4}8b · streaming · 41 tok/s · 3.2 s"
    line = await drawn(60, status=status)
    assert line.startswith(" 1 2 Transcripts 3 4 5 6 7  ")
    assert line.endswith(" route…me/8b · streaming · 3.2 s ")
    assert (await drawn(80, status=status)).endswith("7 Words         streaming ")
    wide = await drawn(60, status="駅" * 60 + " · done")
    assert wide.endswith("駅…駅駅駅駅駅 · done ")
    assert cell_len(wide) == 60


async def test_counts_are_cut_at_their_end() -> None:
    assert (await drawn(80, status="12 marked · 40 found")).endswith("7 Words   12 marked · 40… ")


@pytest.mark.parametrize("jobs", [0, 2])
@pytest.mark.parametrize("width", [60, 72, 80, 100])
async def test_a_long_profile_or_server_is_cut_and_the_sections_keep_their_names(width: int, jobs: int) -> None:
    profile = "the-profile-of-somebody-with-a-long-name"
    server = f"{'home.' * 12}example.org:8765"
    for place in (f"{profile} · local", f"anna · {server}", f"{profile} · {server}"):
        line = await drawn(width, place=place, jobs=jobs)
        assert cell_len(line) == width
        assert line.endswith(" 2 jobs ") if jobs else f" {place[:3]}" in line
        assert ("1 Files" in line) is (width >= 76)


@pytest.mark.exhaustive
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("width", [60, 120])
async def test_whatever_a_status_says_the_line_is_one_line_of_the_right_width(text: str, width: int) -> None:
    line = await drawn(width, status=text)
    assert cell_len(line) == width
    assert not set(line) & set(FORBIDDEN + "\n")


async def test_a_click_on_a_name_chooses_the_section() -> None:
    app = Shell()
    async with app.run_test(size=(120, 10)) as pilot:
        for x in (2, 12, 26, 34, 46, 60, 68, 100):
            await pilot.click(TopLine, offset=(x, 0))
        assert app.chosen == ["files", "transcripts", "clips", "template", "breakdown", "jobs", "words"]


async def test_a_click_on_the_place_asks_for_another_profile_and_one_on_the_jobs_goes_there() -> None:
    app = Shell()
    app.line.jobs = 2
    async with app.run_test(size=(120, 10)) as pilot:
        x = app.line.render_line(0).text.index("anna · local · 2 jobs")
        for offset in (x - 1, x, x + 11, x + 15, 119):
            await pilot.click(TopLine, offset=(offset, 0))
        assert app.chosen == ["profiles", "profiles", "jobs"]
        app.line.status = "unsaved changes ●"
        await pilot.pause()
        await pilot.click(TopLine, offset=(115, 0))
        assert app.chosen[3:] == []


TROUBLE = "no answer from 127.0.0.1:8765"


async def drawn_remote(width: int, *, trouble: str = "", status: str = "", jobs: int = 0) -> Strip:
    app = Shell(place="anna · 127.0.0.1:8765")
    async with app.run_test(size=(width, 10)) as pilot:
        app.line.trouble, app.line.status, app.line.jobs = trouble, status, jobs
        await pilot.pause()
        return app.line.render_line(0)


@pytest.mark.parametrize("width", [60, 80, 100, 120])
async def test_where_a_library_elsewhere_is_stands_there_in_every_width(width: int) -> None:
    place = " anna · 127.0.0.… " if width == 80 else " anna · 127.0.0.1:8765 "
    assert (await drawn_remote(width)).text.endswith(place)
    assert (await drawn_remote(width, jobs=2)).text.endswith((" 2 jobs ", " 2 jobs  "))


@pytest.mark.parametrize("width", [60, 80, 100, 120])
async def test_trouble_stands_in_place_of_the_address_in_the_colour_of_errors(width: int) -> None:
    line = await drawn_remote(width, trouble=TROUBLE, jobs=2)
    assert line.text.endswith(f" anna · {TROUBLE} ")
    plain = next(iter(line)).style
    [said] = [segment for segment in line if segment.text == TROUBLE]
    assert said.style != plain


@pytest.mark.parametrize("width", [80, 100, 120])
async def test_trouble_stands_beside_what_the_screen_says(width: int) -> None:
    line = await drawn_remote(width, trouble=TROUBLE, status="unsaved changes ●")
    assert line.text.endswith(f" unsaved changes ● · {TROUBLE} ")


async def test_beside_trouble_a_long_status_is_cut() -> None:
    line = await drawn_remote(80, trouble=TROUBLE, status=f"router:{'long-name/' * 6} · streaming · 41 tok/s · 3.2 s")
    assert line.text.endswith(f" streaming · 3.2 s · {TROUBLE} ")


async def test_where_there_is_room_for_one_of_them_trouble_is_said() -> None:
    line = await drawn_remote(60, trouble=TROUBLE, status="router:large-model · streaming · 41 tok/s · 3.2 s")
    assert line.text.endswith(f" {TROUBLE} ")
    assert cell_len(line.text) == 60
    long = await drawn_remote(60, trouble=f"no answer from {'very.long.' * 9}example:8765")
    assert cell_len(long.text) == 60
    assert " no answer from very.long." in long.text
