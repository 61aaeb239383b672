"""The list of keys, keys from the settings, and what is said of keys and ids that are wrong."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from textual.dom import DOMNode

from tests.screens.driving import (
    assert_is_clean,
    keep_clips,
    lines,
    opened,
    shows,
    toasts,
    until,
    until_rows,
    until_shown,
    until_told,
)
from tui.app import LodeApp
from tui.screens.shell.keymap import key_problems, key_scopes
from tui.service.local import LocalService
from tui.widgets.chrome.key_line import declared_bindings


async def test_question_mark_lists_the_keys_of_where_you_are_and_esc_closes_the_list(service: LocalService) -> None:
    async with opened(service, (80, 50)) as pilot:
        await pilot.press("question_mark")
        await until_shown(pilot, "load the sample library")
        for said in ("Files", "Everywhere", "Transcripts", "undo the last step", "every command by name", "q ^q"):
            assert shows(pilot, said), said
        await pilot.press("escape")
        await until(pilot, lambda: not shows(pilot, "Everywhere"))


async def test_the_ids_that_the_settings_take_are_shown_when_asked_for(service: LocalService) -> None:
    async with opened(service, (80, 50)) as pilot:
        await pilot.press("question_mark")
        await until_shown(pilot, "i shows the ids")
        assert not shows(pilot, "section.files")
        await pilot.press("i")
        await until_shown(pilot, "ids: for [keys] in config.toml")
        assert any(re.search(r"\b1 +Files +section\.files", line) for line in lines(pilot))
        assert any(re.search(r"u +undo the last step.*undo", line) for line in lines(pilot))
        await pilot.press("i")
        await until(pilot, lambda: not shows(pilot, "section.files"))


async def test_where_the_ids_have_no_room_beside_it_they_stand_below(service: LocalService) -> None:
    async with opened(service, (60, 60)) as pilot:
        await pilot.press("question_mark", "i")
        await until_shown(pilot, "load the sample library")
        below = next(number for number, line in enumerate(lines(pilot)) if "add files, directories" in line) + 1
        assert re.search(r"│ +files\.add +│", lines(pilot)[below])
        assert_is_clean(pilot)


@pytest.mark.exhaustive
async def test_the_list_is_filtered_as_every_list_is(service: LocalService) -> None:
    async with opened(service) as pilot:
        await until_shown(pilot, "Nothing here yet.")  # which leaves the keys of rows out
        await pilot.press("question_mark")
        await until_shown(pilot, "/ filter · i shows the ids · esc closes")
        before = [line for line in lines(pilot) if "╭" in line or "╰" in line]
        await pilot.press("slash", *"undo the")
        await until(pilot, lambda: shows(pilot, "undo the last step") and not shows(pilot, "directories"))
        assert [line for line in lines(pilot) if "╭" in line or "╰" in line] == before, "the frame stays"
        await pilot.press("enter", "i")
        await until(pilot, lambda: any(re.search(r"u +undo the last step.*undo", line) for line in lines(pilot)))
        await pilot.press("slash", *["backspace"] * 8, *"[x]/?q")
        await until_shown(pilot, "nothing matches, esc clears")
        await pilot.press("escape")
        await until_shown(pilot, "directories")
        await pilot.press("slash", *"files.add", "enter", "escape")
        await until_shown(pilot, "section.jobs")
        await pilot.press("escape")
        await until(pilot, lambda: not shows(pilot, "esc closes"))


@pytest.mark.exhaustive
async def test_in_a_form_the_list_has_the_forms_keys_and_not_those_of_every_text_field(service: LocalService) -> None:
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service, (80, 50), section="3", rows=1) as pilot:
        await pilot.press("E")
        await until_shown(pilot, "Translation")
        await pilot.press("f1")
        await until_shown(pilot, "next field")
        await pilot.press("i")
        await until_shown(pilot, "clip_form.save")
        assert not shows(pilot, "Cursor")
        assert not shows(pilot, "Copy selected text")


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("down", "up"), [(["j"] * 40, ["k"] * 40), (["ctrl+d"] * 5, ["ctrl+u"] * 5), (["G"], ["g"]), (["end"], ["home"])]
)
async def test_a_list_longer_than_the_terminal_scrolls(service: LocalService, down: list[str], up: list[str]) -> None:
    async with opened(service, (80, 16)) as pilot:
        await until_shown(pilot, "Nothing here yet.")  # which leaves the keys of rows out
        await pilot.press("question_mark", "i")
        await until_shown(pilot, "directories or globs")
        await pilot.press(*down)
        await until_shown(pilot, "ids: for [keys]")
        await pilot.press(*up)
        await until_shown(pilot, "directories or globs")


async def test_an_empty_list_has_no_keys_for_rows_also_after_something_lay_over_it(service: LocalService) -> None:
    async with opened(service) as pilot:
        await until_shown(pilot, "Nothing here yet.")
        await pilot.press("question_mark")
        await until_shown(pilot, "Everywhere")
        await pilot.press("i")
        await until_shown(pilot, "section.files")
        assert not shows(pilot, "table.open")
        await pilot.press("escape")
        await until(pilot, lambda: not shows(pilot, "Everywhere"))
        await pilot.pause()
        assert lines(pilot)[-1] == " a add   ? keys"


async def test_keys_can_be_changed_in_the_settings(service: LocalService) -> None:
    async with opened(service, keys={"section.clips": "C", "quit": "Z"}) as pilot:
        await pilot.press("C")
        await until(pilot, lambda: pilot.app.current_mode == "clips")
        await pilot.press("q")
        await pilot.pause()
        assert pilot.app.is_running
        await pilot.press("Z")
        await until(pilot, lambda: not pilot.app.is_running)


@pytest.mark.parametrize("key", ["ctrl+z", "ctrl+c"])
async def test_a_key_of_the_terminal_may_be_given_to_an_action(service: LocalService, key: str) -> None:
    await keep_clips(service, {"Zug": "Der Zug kommt."})
    async with opened(service, section="3", keys={"undo": key}) as pilot:
        await until_rows(pilot, 1)
        await pilot.press("d", "y")
        await until_rows(pilot, 0)
        await pilot.press(key)
        await until_rows(pilot, 1)


async def test_what_the_screens_say_to_press_follows_the_settings(service: LocalService) -> None:
    keys = {"files.add": "ctrl+n", "quit": "Z", "undo": "f9"}
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service, keys=keys) as pilot:
        await until_shown(pilot, "^n   add subtitles or texts")
        await pilot.press("ctrl+c")
        await until_told(pilot, "Z quits")
        await pilot.press("3")
        await until_rows(pilot, 1)
        await pilot.press("d")
        await until_shown(pilot, "f9 brings it back.")


async def test_a_wrong_id_is_named_at_the_start_with_the_one_that_was_meant(service: LocalService) -> None:
    keys = {"section.clip": "C", "list.delete": "j"}
    async with opened(service, keys=keys) as pilot:
        await until_told(pilot, "'section.clip', which no key is called: did you mean section.clips?")
        assert "j is both list.delete and table.down" in toasts(pilot)[0]


async def test_settings_in_order_are_not_remarked_upon(service: LocalService) -> None:
    async with opened(service, theme="nord", keys={"quit": "ctrl+q", "list.filter": "f3,/"}) as pilot:
        await pilot.app.workers.wait_for_complete()
        assert not toasts(pilot)


async def test_an_unknown_theme_is_named_and_the_own_one_used(service: LocalService) -> None:
    async with opened(service, theme="[b]lode-lite") as pilot:
        await until_told(pilot, "there is no theme '[b]lode-lite': did you mean lode-light?")
        assert pilot.app.theme == "lode-dark"


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"section.clip": "C"}, "did you mean section.clips?"),
        ({"zzzz": "C"}, "? and then i shows the ids"),
        ({"quit": "ctr+q"}, "there is no key 'ctr+q'"),
        ({"quit": "f5,"}, "there is no key ''"),
        ({"quit": "shift+q"}, "write a capital letter as itself, Q"),
        ({"list.delete": "j"}, "j is both list.delete and table.down in Files"),
        ({"clips.edit": "e"}, "e is both clips.edit and clips.export in Clips"),
        ({"undo": "?"}, "? is both keys and undo"),
        ({"undo": "ctrl+q"}, "ctrl+q is both quit and undo"),
        ({"reader.clip": "f5", "reader.explain": "f5"}, "f5 is both reader.clip and reader.explain in the reader"),
    ],
)
def test_a_key_that_cannot_do_what_was_meant_is_explained(keys: dict[str, str], said: str) -> None:
    (problem,) = key_problems(keys, LodeApp)
    assert said in problem


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"quit": "ctrl+x", "undo": "ctrl+z", "keys": "?,f12", "section.files": "alt+1,f3"},
        {"clips.edit": "e", "clips.export": "E"},
        {"list.back": "f5", "filter.clear": "f5"},
        {"template.save": "f2,ctrl+s", "palette": "ctrl+k", "table.mark": "insert"},
        {"jobs.retry": "question_mark", "keys": "f1"},
    ],
    ids=str,
)
def test_keys_that_do_not_get_in_each_others_way_are_taken(keys: dict[str, str]) -> None:
    assert key_problems(keys, LodeApp) == ()


def test_in_one_place_an_id_means_one_action() -> None:
    for scope in key_scopes():
        nodes: tuple[type[DOMNode], ...] = (*scope.nodes, LodeApp)
        meant: dict[str, set[str]] = {}
        for binding in (binding for node in nodes for binding in declared_bindings(node) if binding.id):
            meant.setdefault(binding.id or "", set()).add(binding.action)
        assert {name for name, actions in meant.items() if len(actions) > 1} == set(), scope.name


def test_every_id_in_the_code_can_be_used_in_the_settings(run_python: Callable[[str], str]) -> None:
    code = r"""
import re
from pathlib import Path
import tui
from tui.app import LodeApp
from tui.screens.shell.keymap import key_scopes
from tui.widgets.chrome.key_line import declared_bindings

written = set()
for path in Path(tui.__file__).parent.rglob("*.py"):
    for binding in re.findall(r"Binding\((?:[^()]|\([^()]*\))*\)", path.read_text("utf-8")):
        written.update(re.findall(r'\bid="([^"]+)"', binding))
known = {b.id for scope in key_scopes() for node in (*scope.nodes, LodeApp) for b in declared_bindings(node)}
print(*sorted(written - known))
"""
    assert run_python(code).split() == []
