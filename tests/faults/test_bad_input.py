"""Bad input, in the command line and in the app: one clear error with its next step, nothing lost.

The tests of the import, the command line and the screens hold most of it, each at its place; here stands what they
leave open, all of it with the real app on a real library.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli import conftest as command_line
from tests.cli.conftest import Lode
from tests.faults.refusals import assert_one_error, offer, quits, typed_path, until_said
from tests.screens.driving import add_files, opened, paste_prompt, shows, until, until_rows, until_shown, until_told
from tui.config import ProviderSettings, Settings
from tui.records.answers import NewTemplate
from tui.screens.lists.add_files import AddPrompt
from tui.service.local import LocalService
from tui.widgets.forms.prompt_editor import PromptEditor

lode = command_line.lode
ELF = b"\x7fELF\x02\x01\x01" + bytes(200)


def test_what_holds_no_subtitles_is_one_error_and_leaves_only_its_job(lode: Lode, home: Path, tmp_path: Path) -> None:
    pictures, story = tmp_path / "pictures", tmp_path / "story.srt"
    pictures.mkdir()
    (pictures / "cat.png").write_bytes(b"\x89PNG")
    assert_one_error(lode("add", str(pictures)), "pictures")
    assert lode("jobs", "list", "--json").json() == []
    for content in (b"", b"\n \n", ELF):
        story.write_bytes(content)
        assert_one_error(lode("add", str(story)), "story.srt")
    assert lode("files", "list", "--json").json() == lode("transcripts", "list", "--json").json() == []
    assert not [blob for blob in (home / "blobs").rglob("*") if blob.is_file()]


@pytest.mark.exhaustive
async def test_what_holds_no_subtitles_is_told_and_a_job_says_why_and_what_next(
    service: LocalService, tmp_path: Path
) -> None:
    (tmp_path / "story.srt").write_bytes(ELF)
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "cat.png").write_bytes(b"\x89PNG")
    async with opened(service, (120, 30)) as pilot:
        await offer(pilot, str(tmp_path / "pictures"))  # explained where it was typed
        await until_said(pilot, "no subtitles")
        await until(pilot, lambda: typed_path(pilot) == str(tmp_path / "pictures"))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, AddPrompt))
        assert (await service.jobs.page()).total == 0
        await offer(pilot, str(tmp_path / "story.srt"))
        await until_told(pilot, "1 refused · 6 shows why")
        assert shows(pilot, "Nothing here yet.")
        await pilot.press("6")
        await until_rows(pilot, 1)
        await pilot.press("enter")
        await until_shown(pilot, "import · failed")
        (job,) = (await service.jobs.page()).items
        assert job.error is not None
        cause, hint = job.error.split("\n")
        assert "program" in cause
        await until_said(pilot, cause, hint)
        await pilot.press("escape")
        await until(pilot, lambda: not shows(pilot, "import · failed"))
        await quits(pilot)


@pytest.mark.exhaustive
async def test_a_provider_that_is_gone_from_the_settings_is_named_where_it_is_needed(settings: Settings) -> None:
    work = ProviderSettings("work", "openai", "http://127.0.0.1:9")
    before = LocalService(replace(settings, providers=(work,)))
    await before.template.save(NewTemplate("work:large", "Explain {{ focus }}", ""))
    await add_files(before, "zug.srt")
    await before.close()
    service = LocalService(settings, environ={})
    async with opened(service, (120, 30), rows=1) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "Hoffentlich fährt er")
        await pilot.press("enter")
        await until_said(pilot, "unknown provider 'work'", "there are ", "lexicon")
        assert shows(pilot, "Hoffentlich fährt er überhaupt noch ab."), "the sentence stays"
        await pilot.press("4")
        await until_shown(pilot, "Preview")
        await pilot.press("f2")
        await until_said(pilot, "no provider 'work'")
        await pilot.press("escape")
        kept = await service.template.get()
        assert kept is not None
        assert kept.model == "work:large"
        await quits(pilot)


@pytest.mark.exhaustive
async def test_a_template_without_end_is_refused_in_the_form_and_stays_as_it_was_typed(service: LocalService) -> None:
    prompt, said, hint = (
        f"{'{% for a in sentence %}' * 9}{'{% endfor %}' * 9}",
        "more than 10000 steps",
        "loop over less",
    )
    async with opened(service, section="4") as pilot:
        await until_shown(pilot, "≈")  # the first preview
        await paste_prompt(pilot, prompt)
        await until_said(pilot, said, hint)
        await pilot.press("f2")
        await pilot.app.workers.wait_for_complete()
        await until_said(pilot, said, hint, "unsaved changes")
        assert pilot.app.screen.query_one(PromptEditor).text == prompt
        assert await service.template.get() is None
        await pilot.press("escape", "q")
        await until_shown(pilot, "The template has unsaved changes.")
        await pilot.press("d")
        await until(pilot, lambda: not pilot.app.is_running)
