"""The list of keys, guides behind it, keys from the settings, and what is said of keys and ids that are wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.dom import DOMNode

import tui
from tests.screens.driving import (
    Typed,
    assert_is_clean,
    keep_clips,
    lines,
    opened,
    press_until,
    shows,
    toasts,
    until,
    until_rows,
    until_shown,
    until_told,
)
from tui.app import LodeApp
from tui.screens.dialogs.panels import GuideScreen
from tui.screens.shell.keymap import key_problems, key_scopes
from tui.service.local import LocalService
from tui.widgets.chrome.key_line import declared_bindings
from tui.widgets.markdown.token_log import TokenLog


async def test_question_mark_lists_the_keys_of_where_you_are_and_their_ids_on_request(service: LocalService) -> None:
    async with opened(service, (80, 50)) as pilot:
        await until_shown(pilot, "Nothing here yet.")  # which leaves the keys of rows out
        await press_until(pilot, "question_mark", shown="add files, directories")
        for basic, rest in (("add files, directories", "load the sample library"), ("every command by name", "Clips")):
            assert shows(pilot, basic)
            assert not any(rest in line for line in lines(pilot)[1:]), "it stands behind tab"
        await press_until(pilot, "tab", shown="load the sample library")
        for said in ("Files", "Everywhere", "Transcripts", "undo the last step", "every command by name", "q ^q"):
            assert shows(pilot, said), said
        assert not shows(pilot, "section.files")
        await press_until(pilot, "i", shown="ids: for [keys] in config.toml")
        assert any(re.search(r"\b1 +Files +section\.files", line) for line in lines(pilot))
        assert any(re.search(r"u +undo the last step.*undo", line) for line in lines(pilot))
        assert not shows(pilot, "table.open"), "an empty list has no keys for rows"
        await press_until(pilot, "i", gone="section.files")
        await press_until(pilot, "tab", gone="load the sample library")
        await press_until(pilot, "escape", gone="Everywhere")
        await pilot.pause()
        assert lines(pilot)[-1] == " a add   t transcribe   ? keys", "nor has it some after something lay over it"
        await pilot.resize_terminal(60, 60)
        await press_until(pilot, "question_mark", "i", "tab", shown="load the sample library")
        below = next(number for number, line in enumerate(lines(pilot)) if "add files, directories" in line) + 1
        assert re.search(r"│ +files\.add +│", lines(pilot)[below]), "they have no room beside it"
        assert_is_clean(pilot)


@pytest.mark.exhaustive
async def test_the_list_is_filtered_as_every_list_is_and_scrolls(service: LocalService) -> None:
    async with opened(service) as pilot:
        await until_shown(pilot, "Nothing here yet.")  # which leaves the keys of rows out
        await press_until(pilot, "question_mark", shown="/ filter · i ids · ⏎ guides · esc closes")
        await press_until(pilot, "slash", *"sample", shown="load the sample library")
        await press_until(pilot, "escape", gone="load the sample library")
        await press_until(pilot, "tab", shown="load the sample library")
        before = [line for line in lines(pilot) if "╭" in line or "╰" in line]
        await press_until(pilot, "slash", Typed("undo the"))
        await until(pilot, lambda: shows(pilot, "undo the last step") and not shows(pilot, "directories"))
        assert [line for line in lines(pilot) if "╭" in line or "╰" in line] == before, "the frame stays"
        await pilot.press("enter", "i")
        await until(pilot, lambda: any(re.search(r"u +undo the last step.*undo", line) for line in lines(pilot)))
        await press_until(pilot, "slash", *["backspace"] * 8, Typed("[x]/?q"), shown="nothing matches, esc clears")
        await press_until(pilot, "escape", shown="directories")
        await press_until(pilot, "slash", Typed("files.add"), "enter", "escape", shown="section.jobs")
        for down, up in (
            (["j"] * 40, ["k"] * 40),
            (["ctrl+d"] * 5, ["ctrl+u"] * 5),
            (["G"], ["g"]),
            (["end"], ["home"]),
        ):
            await press_until(pilot, *down, shown="ids: for [keys]")
            await press_until(pilot, *up, shown="directories or globs")
        await press_until(pilot, "escape", gone="esc closes")


async def test_from_the_keys_to_a_guide_and_back(service: LocalService) -> None:
    async with opened(service, (60, 16), keys={"undo": "f9"}) as pilot:
        for size in ((60, 16), (80, 24), (120, 40)):
            await pilot.resize_terminal(*size)
            await until_shown(pilot, "Nothing here yet.")
            await press_until(pilot, "question_mark", shown="⏎ guides")
            await press_until(pilot, "enter", shown="Guides")
            await press_until(pilot, Typed("films"), "enter", shown="Films and recordings")
            assert isinstance(pilot.app.screen, GuideScreen)
            assert_is_clean(pilot)
            await press_until(pilot, "G", shown="Without --media")
            await press_until(pilot, "g", shown="Films and recordings")
            await press_until(pilot, "escape", shown="Nothing here yet.")
            assert not shows(pilot, "Films and recordings")
        await press_until(pilot, "ctrl+p", Typed("guide: keys"), "enter", at=GuideScreen)
        log = pilot.app.screen.query_one(TokenLog)
        await until(pilot, lambda: any("f9" in line and "undo" in line for line in log.lines))


@pytest.mark.exhaustive
async def test_in_a_form_the_list_has_the_forms_keys_and_not_those_of_every_text_field(service: LocalService) -> None:
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service, (80, 50), section="3", rows=1) as pilot:
        await press_until(pilot, "E", shown="Translation")
        await press_until(pilot, "f1", shown="next field")
        await press_until(pilot, "i", shown="clip_form.save")
        assert not shows(pilot, "Cursor")
        assert not shows(pilot, "Copy selected text")


async def test_keys_can_be_changed_in_the_settings_and_what_screens_say_follows(service: LocalService) -> None:
    keys = {"section.clips": "C", "files.add": "ctrl+n", "quit": "Z", "undo": "f9"}
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service, keys=keys) as pilot:
        await until_shown(pilot, "^n   add subtitles or texts")
        await press_until(pilot, "ctrl+c", told="Z quits")
        await press_until(pilot, "C", rows=1)
        assert pilot.app.current_mode == "clips"
        await press_until(pilot, "d", shown="f9 brings it back.")
        await pilot.press("escape", "q")
        await pilot.pause()
        assert pilot.app.is_running
        await pilot.press("Z")
        await until(pilot, lambda: not pilot.app.is_running)


async def test_a_key_of_the_terminal_may_be_given_to_an_action(service: LocalService) -> None:
    await keep_clips(service, {"Zug": "Der Zug kommt."})
    async with opened(service, section="3", keys={"undo": "ctrl+z,ctrl+c"}) as pilot:
        for key in ("ctrl+z", "ctrl+c"):
            await until_rows(pilot, 1)
            await press_until(pilot, "d", "y", rows=0)
            await pilot.press(key)
        await until_rows(pilot, 1)


async def test_a_wrong_id_or_theme_is_named_at_the_start_with_the_one_that_was_meant(service: LocalService) -> None:
    keys = {"section.clip": "C", "list.delete": "j"}
    async with opened(service, keys=keys, theme="[b]lode-lite") as pilot:
        await until_told(pilot, "'section.clip', which no key is called: did you mean section.clips?")
        await until_told(pilot, "j is both list.delete and table.down")
        await until_told(pilot, "there is no theme '[b]lode-lite': did you mean lode-light?")
        assert pilot.app.theme == "lode-dark"


async def test_settings_in_order_are_not_remarked_upon(service: LocalService) -> None:
    async with opened(service, theme="nord", keys={"quit": "ctrl+q", "list.filter": "f3,/"}) as pilot:
        await pilot.app.workers.wait_for_complete()
        assert not toasts(pilot)


def test_a_key_that_cannot_do_what_was_meant_is_explained_and_others_are_taken() -> None:
    wrong: tuple[tuple[dict[str, str], str], ...] = (
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
    )
    for keys, said in wrong:
        (problem,) = key_problems(keys, LodeApp)
        assert said in problem
    right: tuple[dict[str, str], ...] = (
        {},
        {"quit": "ctrl+x", "undo": "ctrl+z", "keys": "?,f12", "section.files": "alt+1,f7"},
        {"clips.edit": "e", "clips.export": "E"},
        {"list.back": "f5", "filter.clear": "f5"},
        {"template.save": "f2,ctrl+s", "palette": "ctrl+k", "table.mark": "insert"},
        {"jobs.retry": "question_mark", "keys": "f1"},
    )
    for keys in right:
        assert key_problems(keys, LodeApp) == (), keys


def test_an_id_means_one_action_in_one_place_and_every_id_in_the_code_can_be_used_in_the_settings() -> None:
    known: set[str] = set()
    for scope in key_scopes():
        nodes: tuple[type[DOMNode], ...] = (*scope.nodes, LodeApp)
        meant: dict[str, set[str]] = {}
        for binding in (binding for node in nodes for binding in declared_bindings(node) if binding.id):
            meant.setdefault(binding.id or "", set()).add(binding.action)
        assert {name for name, actions in meant.items() if len(actions) > 1} == set(), scope.name
        known |= meant.keys()
    written = set()
    for path in Path(tui.__file__).parent.rglob("*.py"):
        for declared in re.findall(r"Binding\((?:[^()]|\([^()]*\))*\)", path.read_text("utf-8")):
            written.update(re.findall(r'\bid="([^"]+)"', declared))
    assert written - known == set()
