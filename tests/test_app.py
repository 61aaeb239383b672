"""The shell: what is painted first, going from section to section, keys, palette, themes, sizes, leaving."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot

from tests.screens.driving import (
    Typed,
    assert_is_clean,
    lines,
    opened,
    press_until,
    shows,
    table,
    until,
    until_shown,
    until_told,
)
from tests.screens.stage import STATION, add_transcript, timed
from tui.app import LodeApp
from tui.config import Settings
from tui.screens.messages import OpenTranscript
from tui.screens.section import SECTIONS
from tui.screens.shell.chosen_look import with_chosen_look
from tui.service.local import LocalService
from tui.widgets.chrome import themes
from tui.widgets.chrome.top_line import TopLine
from tui.widgets.forms.text_area_field import TextField
from tui.widgets.table.record_table import RecordTable

HEAVY = (
    *("httpx", "genanki", "jinja2", "fastapi", "sqlite_utils", "simplemma", "budoux", "markdown_it", "anki", "av"),
    "rapidfuzz",
)
SEGMENTERS = ("sudachipy", "rjieba", "pypinyin", "opencc", "mecab_ko", "pythainlp")


def test_opening_the_app_imports_nothing_heavy_and_connects_to_nothing(run_python: Callable[[str], str]) -> None:
    code = """
import asyncio, sys
from pathlib import Path
from tui.app import LodeApp
from tui.cli.context import Context
from tui.config import Settings
from tui.remote import connection
from tui.remote.service import RemoteService
from tui.screens.section import SECTIONS
from tui.screens.shell.chosen_look import with_chosen_look
from tui.service.local import LocalService

settings = Settings(home=Path("/nowhere/at/all"), config_path=Path("/nowhere/config.toml"))
LodeApp(RemoteService("http://127.0.0.1:9"), settings)
print("sqlite3" in sys.modules)
painted = []

class Watched(LodeApp):
    def _display(self, screen, renderable):
        super()._display(screen, renderable)
        if not painted:
            painted.append(sorted(sys.modules))

async def main():
    async with Watched(LocalService(settings), settings).run_test():
        pass

asyncio.run(main())
print(*painted[0])
"""
    has_sqlite, names = run_python(code).splitlines()
    imported = {name.partition(".")[0] for name in names.split()}
    assert has_sqlite == "False"
    assert "textual" in imported
    assert not imported & {*HEAVY, *SEGMENTERS, "click", "tomllib"}


def test_the_lists_are_imported_without_the_field_of_several_lines(run_python: Callable[[str], str]) -> None:

    code = "import sys, tui.screens.lists.clips, tui.screens.lists.transcripts; print(*sys.modules)"
    assert "textual.widgets.text_area" not in run_python(code).split()


async def test_the_first_frame_is_there_before_the_library_has_been_opened(
    service: LocalService, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from threading import Event

    from tui.store import Store

    may_open = Event()
    real_open = Store.open

    def slow_open(*args: object, **kwargs: object) -> Store:
        assert may_open.wait(30)
        return real_open(*args, **kwargs)  # type: ignore[arg-type]  # whatever it was called with

    monkeypatch.setattr(Store, "open", slow_open)
    app = LodeApp(service, settings)
    try:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert lines(pilot)[0].startswith(" 1 Files 2 Transcripts")
            assert shows(pilot, "Name ")
            assert lines(pilot)[-1].endswith("? keys")
            assert not table(pilot).is_loaded
            may_open.set()
            await until_shown(pilot, "Nothing here yet.")
    finally:
        may_open.set()


async def test_a_digit_or_a_click_opens_a_section_whose_first_visit_parses_no_style_sheet_again(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(service) as pilot:
        await until_shown(pilot, "Nothing here yet")

        def reparse(_: Stylesheet) -> None:
            raise AssertionError("all style sheets are parsed again, which takes longer than all the rest")

        monkeypatch.setattr(Stylesheet, "reparse", reparse)
        for key, section in (*enumerate(SECTIONS, 1), (1, "files")):
            await pilot.press(str(key))
            await until(pilot, lambda: pilot.app.current_mode == section and pilot.app.screen.query(TopLine))
            assert pilot.app.screen.query_one(TopLine).section == section
        await pilot.click(TopLine, offset=(26, 0))
        await until(pilot, lambda: pilot.app.current_mode == "clips")
        await press_until(pilot, "u", told="nothing to undo")


@pytest.mark.exhaustive
async def test_a_changed_template_asks_before_another_section_is_shown(service: LocalService) -> None:
    async with opened(service, section="4") as pilot:
        await until_shown(pilot, "Explain")
        pilot.app.screen.query_one(TextField).load_text("Say {{ sentence }}")
        await until_shown(pilot, "unsaved changes")
        await pilot.click(TopLine, offset=(2, 0))
        await until_shown(pilot, "The template has unsaved changes.")
        await press_until(pilot, "escape", holds=lambda: not shows(pilot, "The template has"))
        assert pilot.app.current_mode == "template"
        await press_until(pilot, "3", shown="The template has unsaved changes.")
        await press_until(pilot, "d", holds=lambda: pilot.app.current_mode == "clips")


@pytest.mark.exhaustive
async def test_the_sentence_read_last_is_the_templates_sample(service: LocalService) -> None:
    async with opened(service, (120, 40), files=("zug.srt",), rows=1) as pilot:
        await press_until(pilot, "enter", shown="Bestimmt, der letzte Zug ist zug.")
        await press_until(pilot, "j", "4", shown="Model")
        await until_shown(pilot, "Bestimmt, der letzte Zug ist zug.")


async def test_what_is_told_is_cut_to_a_glance_and_literal(service: LocalService) -> None:
    async with opened(service, (60, 16)) as pilot:
        pilot.app.notify(f"[b]{'駅' * 3000}\n{'a' * 3000}")
        await until_shown(pilot, "[b]駅駅")
        assert lines(pilot)[0].startswith(" 1 Files 2"), "the top line is not covered"
        assert_is_clean(pilot)


async def test_a_terminal_that_is_too_small_says_so_and_comes_back_when_there_is_room(service: LocalService) -> None:
    async with opened(service) as pilot:
        await pilot.resize_terminal(50, 10)
        await until_shown(pilot, "Lode needs at least 60×16; this terminal is")
        assert_is_clean(pilot)
        await pilot.resize_terminal(60, 16)
        await until_shown(pilot, "Nothing here yet.")
        assert_is_clean(pilot)


async def test_it_can_be_used_in_a_terminal_that_is_too_small(service: LocalService, settings: Settings) -> None:
    async with LodeApp(service, settings).run_test(size=(50, 10)) as pilot:
        await until_shown(pilot, "50×10")
        await press_until(pilot, "enter", shown="Nothing here yet.")


@pytest.mark.parametrize(
    ("theme", "accent"),
    [("", themes.DARK.accent), ("lode-light", themes.LIGHT.accent), ("nord", "#b48ead"), ("ansi-dark", "")],
)
async def test_the_first_frame_already_has_the_colours_of_the_theme_in_the_settings(
    service: LocalService, settings: Settings, theme: str, accent: str
) -> None:
    app = LodeApp(service, replace(settings, theme=theme))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        shown = app.screen.query_one(TopLine).get_component_styles("top-line--here").color
        assert app.theme == (theme or themes.DARK.name)
        assert not accent or shown.hex.lower() == accent
        assert_is_clean(pilot)


async def choose_theme(pilot: Pilot[None], name: str) -> None:
    await press_until(pilot, "ctrl+p", Typed("theme"), "enter", shown="Themes")
    await press_until(pilot, Typed(name), "enter", holds=lambda: pilot.app.theme == name)


async def test_a_theme_that_was_chosen_is_kept_until_the_settings_say_another(settings: Settings) -> None:
    settings.config_path.write_text('# mine\ntheme = "nord"\n', "utf-8")
    async with opened(LocalService(settings), theme="nord") as pilot:
        await choose_theme(pilot, "lode-light")
    async with opened(LocalService(settings), theme="nord") as pilot:
        assert pilot.app.theme == "lode-light"
    async with opened(LocalService(settings), theme="dracula") as pilot:
        assert pilot.app.theme == "dracula"
    assert settings.config_path.read_text("utf-8") == '# mine\ntheme = "nord"\n'


def test_a_kept_look_that_is_damaged_is_none(settings: Settings) -> None:
    kept_widths = [json.dumps({"text_width": {"chosen": each, "configured": 0}}) for each in (3, True, "60", -1)]
    for kept in (*kept_widths, "", "[]", '{"theme": 7}', '{"theme": {"chosen": 7, "configured": ""}}', "[" * 9_000):
        (settings.home / "look.json").write_text(kept, "utf-8")
        assert with_chosen_look(settings) == settings


async def test_a_theme_that_cannot_be_kept_is_taken_and_that_is_told(service: LocalService, settings: Settings) -> None:
    async with opened(service) as pilot:
        (settings.home / "look.json").mkdir()
        await choose_theme(pilot, "lode-light")
        await until_told(pilot, "lode-light is not kept")


async def test_a_damaged_database_is_told_r_tries_again(service: LocalService, settings: Settings, home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "lode.db").write_bytes(b"this is no database " * 500)
    async with LodeApp(service, settings).run_test(size=(80, 24)) as pilot:
        await until_shown(pilot, "tries again")
        (home / "lode.db").unlink()
        await press_until(pilot, "r", shown="Nothing here yet.")


async def test_every_list_has_its_width_in_every_terminal_and_begins_at_the_left_edge(service: LocalService) -> None:
    async with opened(service, (200, 50), files=("zug.srt", "雨の日の図書館.srt"), rows=2) as pilot:
        assert lines(pilot)[2].startswith("   Name ")
        for width, height in ((60, 16), (80, 24), (200, 50)):
            await pilot.resize_terminal(width, height)
            for key in "12367":
                await pilot.press(key)
                await until(pilot, lambda: pilot.app.screen.query(RecordTable) and table(pilot).is_loaded)
                await pilot.pause()
                assert pilot.app.size == (width, height)
                assert_is_clean(pilot)
                assert lines(pilot)[-1].endswith("? keys")
        await until_shown(pilot, "To learn next")
        assert lines(pilot)[2].startswith("   Words ")
        await press_until(
            pilot, "tab", "tab", holds=lambda: any(line.startswith("   German  ") for line in lines(pilot))
        )


async def test_without_colours_nothing_is_told_by_one_alone(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    transcript = await add_transcript(service, timed(STATION))
    async with opened(service, files=("zug.srt",), section="1", rows=2) as pilot:
        assert themes.shown_tints(pilot.app) == "underline"
        assert any(line.startswith("▌") for line in lines(pilot)), "the row has a bar"
        await press_until(pilot, "space", holds=lambda: any("✓" in line for line in lines(pilot)))
        await pilot.press("ctrl+p")
        await until(pilot, lambda: _reversed(pilot))
        await press_until(pilot, "escape", "escape", "d", shown="Delete")
        assert _reversed(pilot), "the answer that enter gives"
        await pilot.press("escape")
        pilot.app.post_message(OpenTranscript(transcript))
        await until_shown(pilot, "Hoffentlich")
        await until(pilot, lambda: "Warten" in _reversed(pilot))


def _reversed(pilot: Pilot[None]) -> list[str]:
    strips = pilot.app.screen._compositor.render_strips()
    return [part.text.strip() for strip in strips for part in strip if part.style is not None and part.style.reverse]
