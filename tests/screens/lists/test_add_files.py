"""Adding files in the app: paths, pasted texts, language and encoding as further fields; refused files again."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Input

from tests.faults.refusals import until_said
from tests.hostile import HOSTILE
from tests.screens.driving import Typed, assert_is_clean, opened, press_until, shows, type_text, until, until_shown
from tui.screens.lists.add_files import AddPrompt, pasted_paths
from tui.service.local import LocalService

CYRILLIC = "1\n00:00:01,000 --> 00:00:02,500\nСлева мы видим реку.\n"
TEXT = "Der letzte Zug\r\rHoffentlich fährt er noch ab. Niemand sprach, und der Bahnsteig war leer.\r"
SUBTITLE = "1\n00:00:01,000 --> 00:00:02,000\nHallo, ihr beiden.\n"


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.ru.srt"
    path.write_bytes(CYRILLIC.encode("cp1251"))
    return path


def at(pilot: Pilot[None]) -> str:
    """The field with the focus."""
    return (pilot.app.focused.id or "path") if isinstance(pilot.app.focused, Input) else ""


def field(pilot: Pilot[None], name: str = "") -> Input:
    fields = pilot.app.screen.query(Input)
    return fields.filter(f"#add-{name}").first() if name else fields.first()


async def ask(pilot: Pilot[None], path: str | Path = "", **further: str) -> None:
    """Open the dialog and fill its fields."""
    await pilot.press("a")
    await until(pilot, lambda: isinstance(pilot.app.screen, AddPrompt) and at(pilot) == "path")
    if path:
        await type_text(pilot, str(path))
    for name, text in further.items():
        await type_into(pilot, name, text)


async def type_into(pilot: Pilot[None], name: str, text: str) -> None:
    pilot.app.screen.set_focus(field(pilot, name))
    await type_text(pilot, text)


async def test_an_exclamation_mark_forces_gibberish_which_is_read_anew(service: LocalService, film: Path) -> None:
    async with opened(service) as pilot:
        await ask(pilot, film)
        await pilot.press("tab")
        await until(pilot, lambda: field(pilot).value.endswith("srt "))
        for expected in ("add-language", "add-encoding", "path"):
            await pilot.press("tab")
            await until(pilot, lambda expected=expected: at(pilot) == expected)  # type: ignore[misc]  # bound at once
        await pilot.press("shift+tab")
        await until(pilot, lambda: at(pilot) == "add-encoding")
        await type_text(pilot, "cp1252")
        await press_until(pilot, "enter", told="1 refused")
        await ask(pilot, film, language="uk", encoding="cp1252!")
        await press_until(pilot, "enter", told="1 imported")
        await ask(pilot, film, language="uk", encoding="windows-1251")
        await press_until(pilot, "enter", told="1 read anew")
        (file,) = (await service.files.page()).items
        assert (file.language, file.encoding) == ("uk", "cp1251")
        await press_until(pilot, "enter", shown="Слева мы видим реку.")
        await press_until(pilot, "u", shown="Ñëåâà ìû âèäèì ðåêó.")
        assert not shows(pilot, "Слева")


async def test_what_is_refused_is_told_and_all_that_was_typed_stays(service: LocalService, film: Path) -> None:
    async with opened(service, (60, 16)) as pilot:
        await ask(pilot, film)
        for name, given, told in (
            ("language", "no tag", "'no tag' is no language tag"),
            ("encoding", "nonsense", "there is no encoding 'nonsense'"),
            ("encoding", "rot13", "there is no encoding 'rot13'"),
        ):
            await type_into(pilot, name, given)
            await press_until(pilot, "enter", shown=told)
            assert at(pilot) == f"add-{name}"
            assert (field(pilot).value, field(pilot, name).value) == (str(film), given)
            await pilot.press("x")
            await until(pilot, lambda told=told: not shows(pilot, told))  # type: ignore[misc]  # bound at once
            field(pilot, name).clear()
        for text in HOSTILE.values():
            field(pilot, "encoding").value = text
            await press_until(pilot, "enter", shown="there is no encoding")
            assert_is_clean(pilot)
        await pilot.press("escape")
        await ask(pilot, film.parent / "nowhere.srt", encoding="cp1251")
        await press_until(pilot, "enter", shown="there is no file")
        await until(pilot, lambda: at(pilot) == "path")
        assert [each.value for each in pilot.app.screen.query(Input)][1:] == ["", "cp1251"]
        assert (await service.jobs.page()).total == 0


async def test_a_refused_file_is_added_again_in_the_likeliest_encoding(service: LocalService, film: Path) -> None:
    film.write_bytes(CYRILLIC.replace("Слева мы видим реку", "Левый берег").encode("cp1251"))  # too little to be sure
    (job,) = await service.files.add([film])
    async for _ in service.jobs.follow([job.id]):
        pass
    async with opened(service, (100, 30), section="6") as pilot:
        await until_shown(pilot, "film.ru.srt")
        await press_until(pilot, "enter", shown="1  windows-1251")
        assert shows(pilot, "a names another")
        await ask(pilot)
        assert [each.value for each in pilot.app.screen.query(Input)] == [str(film), "", "windows-1251"]
        await press_until(pilot, "enter", told="1 imported")
        (file,) = (await service.files.page()).items
        assert file.encoding == "cp1251"


async def test_a_pasted_text_is_told_from_paths_and_imported_by_its_content(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Der letzte Zug.srt").write_text(SUBTITLE.replace("Hallo", "Tag"))
    monkeypatch.chdir(tmp_path)
    async with opened(service) as pilot:
        await ask(pilot)
        pilot.app.post_message(Paste("\n".join(HOSTILE.values())))
        await until_said(pilot, "esc drops it")
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, AddPrompt))
        assert (await service.jobs.page()).total == 0
        await ask(pilot)
        assert not shows(pilot, "esc drops it")
        pilot.app.post_message(Paste(TEXT))
        await until_said(pilot, "3 lines", "a text", "enter imports it under this title")
        assert field(pilot).value == "Der letzte Zug"
        field(pilot, "language").value = "no tag at all"
        await press_until(pilot, "enter", shown="is no language tag")
        field(pilot, "language").value = ""
        await press_until(pilot, "enter", told="1 imported")
        (file,) = (await service.files.page()).items
        assert (file.name, file.format, file.language) == ("Der letzte Zug.txt", "txt", "de")
        await ask(pilot)
        pilot.app.post_message(Paste(SUBTITLE))
        await until_shown(pilot, "a subtitle (srt)")
        assert field(pilot).value == "Hallo, ihr beiden"
        await press_until(pilot, "ctrl+u", Typed("Gruss"), "enter", rows=2)
        file = (await service.files.page()).items[0]
        assert (file.name, file.cue_count) == ("Gruss.srt", 1)
        await ask(pilot)
        pilot.app.post_message(Paste("Der letzte Zug.srt"))  # the name of a file that is there
        await until(pilot, lambda: field(pilot).value == "'Der letzte Zug.srt'")
        await press_until(pilot, "enter", rows=3)
        await ask(pilot)
        pilot.app.post_message(Paste(str(tmp_path / "Der letzte Zug.srt")))  # a path as file managers copy it
        await until(pilot, lambda: field(pilot).value == f"'{tmp_path}/Der letzte Zug.srt'")
        pilot.app.post_message(Paste(" /a.srt /b c.srt"))  # several, of which not all are there
        await until(pilot, lambda: field(pilot).value == f"'{tmp_path}/Der letzte Zug.srt' /a.srt /b c.srt")


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("/films/a.srt", "/films/a.srt"),
        ("~/My Films/a.srt", "~/My Films/a.srt"),
        ("https://example.org/a?b=c", "https://example.org/a?b=c"),
        ("film.srt", "film.srt"),
        ("/films/a b.srt\n/films/c.srt\n", "'/films/a b.srt' /films/c.srt"),
        ("file:///films/a%20b.srt\nfile:///films/c.srt", "'/films/a b.srt' /films/c.srt"),
        ("", ""),
        ("Der Zug fährt ab.", None),
        ("美咲は四月に来た。", None),
        ("/films/a.srt\nDer Zug", None),
        ("Zeile\nZeile", None),
    ],
)
def test_paths_are_told_from_texts(text: str, paths: str | None) -> None:
    assert pasted_paths(text) == paths
