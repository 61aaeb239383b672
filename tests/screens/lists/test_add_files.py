"""Adding files in the app: paths, and the language and the encoding as further fields; refused files once more."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.hostile import WORST
from tests.screens.driving import assert_is_clean, opened, shows, type_text, until, until_shown, until_told
from tui.screens.lists.add_files import AddPrompt
from tui.service.local import LocalService

TEXT = "1\n00:00:01,000 --> 00:00:02,500\nСлева мы видим реку.\n"


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.ru.srt"
    path.write_bytes(TEXT.encode("cp1251"))
    return path


def field(pilot: Pilot[None]) -> str:
    return (pilot.app.focused.id or "path") if isinstance(pilot.app.focused, Input) else ""


async def asked(pilot: Pilot[None]) -> None:
    await pilot.press("a")
    await until(pilot, lambda: isinstance(pilot.app.screen, AddPrompt) and field(pilot) == "path")


async def typed(pilot: Pilot[None], text: str) -> None:
    """Type into the field with the focus, in place of what is there."""
    await pilot.press("ctrl+u")
    await type_text(pilot, text)


@pytest.mark.exhaustive
async def test_the_encoding_and_the_language_are_asked_for_too(service: LocalService, film: Path) -> None:
    async with opened(service) as pilot:
        await asked(pilot)
        await type_text(pilot, str(film))
        await pilot.press("tab")
        await until(pilot, lambda: pilot.app.screen.query(Input).first().value.endswith("srt "))
        for expected in ("add-language", "add-encoding", "path"):
            await pilot.press("tab")
            await until(pilot, lambda: field(pilot) == expected)
        await pilot.press("shift+tab")
        await until(pilot, lambda: field(pilot) != "path")
        pilot.app.screen.query_one("#add-language", Input).focus()
        await typed(pilot, "uk")
        pilot.app.screen.query_one("#add-encoding", Input).focus()
        await typed(pilot, "windows-1251")
        await pilot.press("enter")
        await until_told(pilot, "1 imported")
        (file,) = (await service.files.page()).items
        assert (file.language, file.encoding) == ("uk", "cp1251")


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("add-language", "no tag", "'no tag' is no language tag"),
        ("add-encoding", "nonsense", "there is no encoding 'nonsense'"),
        ("add-encoding", "rot13", "there is no encoding 'rot13'"),
    ],
)
async def test_what_is_no_name_is_told_below_the_fields_and_all_that_was_typed_stays(
    service: LocalService, film: Path, name: str, given: str, told: str
) -> None:
    async with opened(service, (60, 16)) as pilot:
        await asked(pilot)
        await type_text(pilot, str(film))
        pilot.app.screen.query_one(f"#{name}", Input).focus()
        await typed(pilot, given)
        await pilot.press("enter")
        await until_shown(pilot, told)
        assert field(pilot) == name
        assert pilot.app.screen.query(Input).first().value == str(film)
        assert pilot.app.screen.query_one(f"#{name}", Input).value == given
        await pilot.press("x")
        await until(pilot, lambda: not shows(pilot, told))
        assert (await service.jobs.page()).total == 0


async def test_a_missing_path_leaves_language_and_encoding_as_they_were_typed(
    service: LocalService, tmp_path: Path
) -> None:
    async with opened(service) as pilot:
        await asked(pilot)
        await type_text(pilot, str(tmp_path / "nowhere.srt"))
        pilot.app.screen.query_one("#add-encoding", Input).focus()
        await typed(pilot, "cp1251")
        await pilot.press("enter")
        await until_shown(pilot, "there is no file")
        await until(pilot, lambda: field(pilot) == "path")
        assert [each.value for each in pilot.app.screen.query(Input)][1:] == ["", "cp1251"]


async def test_a_refused_file_is_added_again_from_its_job_in_the_likeliest_encoding(
    service: LocalService, film: Path
) -> None:
    film.write_bytes(TEXT.replace("Слева мы видим реку", "Левый берег").encode("cp1251"))  # too little to be sure of
    (job,) = await service.files.add([film])
    async for _ in service.jobs.follow([job.id]):
        pass
    async with opened(service, (100, 30), section="6") as pilot:
        await until_shown(pilot, "film.ru.srt")
        await pilot.press("enter")
        await until_shown(pilot, "1  windows-1251")
        assert shows(pilot, "a names another")
        await pilot.press("a")
        await until(pilot, lambda: isinstance(pilot.app.screen, AddPrompt) and field(pilot) == "path")
        assert [each.value for each in pilot.app.screen.query(Input)] == [str(film), "", "windows-1251"]
        await pilot.press("enter")
        await until_told(pilot, "1 imported")
        (file,) = (await service.files.page()).items
        assert file.encoding == "cp1251"


@pytest.mark.exhaustive
async def test_gibberish_is_forced_with_an_exclamation_mark_and_read_anew_without(
    service: LocalService, film: Path
) -> None:
    async with opened(service) as pilot:
        for encoding, told in (("cp1252", "1 refused"), ("cp1252!", "1 imported"), ("cp1251", "1 read anew")):
            await asked(pilot)
            await type_text(pilot, str(film))
            pilot.app.screen.query_one("#add-encoding", Input).focus()
            await typed(pilot, encoding)
            await pilot.press("enter")
            await until_told(pilot, told)
        await pilot.press("enter")
        await until_shown(pilot, "Слева мы видим реку.")
        await pilot.press("u")
        await until_shown(pilot, "Ñëåâà ìû âèäèì ðåêó.")
        assert not shows(pilot, "Слева")


@pytest.mark.parametrize("text", WORST.values(), ids=WORST)
async def test_hostile_text_in_the_further_fields_is_shown_as_it_is(
    service: LocalService, film: Path, text: str
) -> None:
    async with opened(service) as pilot:
        await asked(pilot)
        await type_text(pilot, str(film))
        pilot.app.screen.query_one("#add-encoding", Input).value = text
        await pilot.press("enter")
        await until_shown(pilot, "there is no encoding")
        assert_is_clean(pilot)
