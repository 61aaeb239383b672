"""The way from a file to a word and back again, esc by esc."""

from tests.screens.driving import opened, press_until, shows, until, until_shown
from tui.service.local import LocalService


async def test_a_clip_opens_with_its_own_answer_and_esc_comes_back_to_the_clips(service: LocalService) -> None:
    async with opened(service, clips={"Zug": "Der Zug hat Verspätung."}, section="3", rows=1) as pilot:
        await press_until(pilot, "enter", holds=lambda: pilot.app.current_mode == "breakdown")
        await until_shown(pilot, "meaning of Zug")
        await press_until(pilot, "escape", holds=lambda: pilot.app.current_mode == "clips")


async def test_esc_leads_back_to_the_reader_and_the_file_unless_a_section_is_chosen(service: LocalService) -> None:
    async with opened(service, files=("faro.srt", "zug.srt"), rows=2) as pilot:
        await press_until(pilot, "enter", shown="Bestimmt, der letzte Zug ist zug.")
        await press_until(pilot, "enter", holds=lambda: pilot.app.current_mode == "breakdown")
        await until_shown(pilot, "Hoffentlich fährt er")
        for section in ("transcripts", "files"):
            for _ in range(2):  # the first may still be needed to stop the answer
                if pilot.app.current_mode != section:
                    await pilot.press("escape")
                    await pilot.pause()
            await until(pilot, lambda: pilot.app.current_mode == section)
        await press_until(pilot, "enter", shown="Bestimmt, der letzte Zug ist zug.")
        await press_until(pilot, "1", rows=2)
        await press_until(pilot, "j", "enter", shown="Bestimmt, der letzte Zug ist faro.")
        assert len(pilot.app.get_screen_stack("transcripts")) == 2, "it takes the place of the one before"
        await press_until(pilot, "6", rows=2)
        await press_until(pilot, "2", shown="Bestimmt, der letzte Zug ist faro.")
        await press_until(pilot, "escape", shown="Length")
        assert not shows(pilot, "Bestimmt")
