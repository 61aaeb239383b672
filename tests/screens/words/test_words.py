"""The Words section: the list with its states, what to learn next, the overview, and bringing words in."""

from pathlib import Path
from typing import cast

import pytest
from textual.pilot import Pilot

from tests.hostile import HOSTILE
from tests.screens.driving import (
    Typed,
    add_files,
    assert_is_clean,
    lines,
    opened,
    press_until,
    shows,
    submit_text,
    table,
    type_at_once,
    until,
    until_rows,
    until_shown,
    until_told,
)
from tests.vocabulary.anki_collections import Collection
from tui.records.settings import LearnedLanguage, ProfileSettings
from tui.records.word_states import WordState
from tui.records.words import WordMark
from tui.screens.dialogs.list_look_choice import ListLookChoice
from tui.screens.dialogs.questions import Choice, TextPrompt
from tui.screens.words.next_words import NextRow, NextWordsScreen
from tui.screens.words.word_list import WordListScreen
from tui.service.local import LocalService
from tui.widgets.table.record_table import RecordTable


async def marked(service: LocalService, state: WordState, *lemmas: str) -> None:
    await service.known_words.mark([WordMark("de", lemma, "", state) for lemma in lemmas])


async def states(service: LocalService) -> dict[str, str]:
    return {word.lemma: word.state for word in (await service.known_words.page(limit=1000)).items}


def row_of(pilot: Pilot[None], lemma: str) -> list[str]:
    found = (line.replace("▌", " ").replace("✓", " ").split() for line in lines(pilot))
    return next((cells for cells in found if cells[:1] == [lemma]), [])


def shown_words(pilot: Pilot[None]) -> list[str]:
    """The words of ``Hund`` and ``Katze`` that are listed, from the top down."""
    return [word for line in lines(pilot) for word in ("Hund", "Katze") if word in line]


async def listed(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, WordListScreen) and table(pilot).is_loaded)


async def next_words(pilot: Pilot[None], key: str = "tab") -> RecordTable[NextRow]:
    """The list of what to learn next, which the key leads to."""
    await press_until(pilot, key, holds=lambda: isinstance(pilot.app.screen, NextWordsScreen) and table(pilot).total)
    return cast(RecordTable[NextRow], table(pilot))


async def test_words_of_texts_and_marked_ones_are_listed_with_states_that_w_changes(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    await marked(service, "learning", "Hund")
    await marked(service, "known", "letzter")
    async with opened(service, section="7") as pilot:
        await until_shown(pilot, "Hund")
        assert row_of(pilot, "Hund")[1:3] == ["learning", "de"]
        await until(pilot, lambda: any(line.split()[1:4] == ["new", "de", "1"] for line in lines(pilot)))
        await press_until(pilot, "slash", Typed("hund"), "enter", rows=1)
        for key, state in (("w", "known"), ("w", "ignored"), ("u", "known")):
            await press_until(pilot, key, holds=lambda: row_of(pilot, "Hund")[1:2] == [state])


async def test_marked_words_are_set_known_in_one_step(service: LocalService) -> None:
    await marked(service, "learning", "Hund", "Katze", "Vogel")
    async with opened(service, section="7", rows=3) as pilot:
        await press_until(pilot, "space", "space", shown="2 marked")
        await press_until(pilot, "W", told="2 words known")
        assert await states(service) == {"Hund": "known", "Katze": "known", "Vogel": "learning"}
        await press_until(pilot, "u", told="back again")
        assert set((await states(service)).values()) == {"learning"}


async def test_a_range_is_marked_however_long_the_list_and_what_is_typed_ahead_finds_it_whole(
    service: LocalService,
) -> None:
    await marked(service, "learning", *(f"wort{number:04}" for number in range(700)))
    async with opened(service, section="7", rows=700) as pilot:
        await pilot.press("j", "V")
        type_at_once(pilot, "GkW")
        await until_told(pilot, "698 words known")
        left = [word.lemma for word in (await service.known_words.page(states=("learning",))).items]
        assert left == ["wort0000", "wort0699"]


@pytest.mark.exhaustive
async def test_a_state_is_chosen_and_the_order_changed(service: LocalService) -> None:
    await marked(service, "learning", "Hund")
    await marked(service, "known", "Katze")
    async with opened(service, section="7", rows=2) as pilot:
        await press_until(pilot, "v", shown="Which words?")
        await submit_text(pilot, "known")
        await until_rows(pilot, 1)
        assert shows(pilot, "Katze") and shows(pilot, "1 known")
        await pilot.press("v")
        await submit_text(pilot, "all")
        await until_rows(pilot, 2)
        await press_until(pilot, "s", at=ListLookChoice)
        await press_until(pilot, "G", "enter", shown="Changed ▲", holds=lambda: shown_words(pilot) == ["Katze", "Hund"])
        await press_until(pilot, "s", at=ListLookChoice)
        await press_until(pilot, "j", "enter", shown="Word ▲", holds=lambda: shown_words(pilot) == ["Hund", "Katze"])


async def test_the_commonest_words_are_looked_at_and_marked_and_one_undo_takes_them_back(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    await service.settings.save(ProfileSettings(learning=(LearnedLanguage("de"),)))
    async with opened(service, section="7") as pilot:
        await listed(pilot)
        await press_until(pilot, "F", shown="Which words do you know?")
        assert shows(pilot, "German") and shows(pilot, "500")
        await press_until(pilot, "ctrl+u", *"0", "enter", shown="mark 1 to 100000 words")
        await press_until(pilot, "ctrl+u", *"3", "enter", shown="Mark the 3 commonest words of German as known?")
        assert shows(pilot, "3 would change, by how often they occur in your texts")
        await press_until(pilot, "y", told="3 words known · u undoes it")
        assert list((await states(service)).values()).count("known") == 3
        await press_until(pilot, "u", told="back again")
        assert "known" not in (await states(service)).values()


async def test_a_level_that_is_said_offers_the_words_below_it(service: LocalService, tmp_path: Path) -> None:
    path = tmp_path / "weg.de.srt"
    text = " ".join(["Wir gehen heute"] * 5 + [f"Wort{letter}" for letter in "abcdefghijklmnopqr"])
    path.write_text(f"1\n00:00:01,000 --> 00:00:02,000\n{text}\n", "utf-8")
    async for _ in service.jobs.follow([job.id for job in await service.files.add([path], language="de")]):
        pass
    async with opened(service, section="7") as pilot:
        await listed(pilot)
        await pilot.app.run_action("languages")
        await until_shown(pilot, "You learn")
        await press_until(pilot, "tab", Typed("German B1"), "enter")
        await until_shown(pilot, "Mark the 2 commonest words of German below B1 as known?")
        await pilot.press("n")
        assert "known" not in (await states(service)).values()
        await pilot.app.run_action("languages")
        await until_shown(pilot, "You learn")
        await press_until(pilot, "tab", "backspace", "2", "enter", shown="below B2 as known?")
        await press_until(pilot, "y", told="2 words known · u undoes it")


async def test_the_filter_finds_words_states_and_languages(service: LocalService) -> None:
    await marked(service, "learning", "Hund")
    await marked(service, "known", "Katze")
    async with opened(service, section="7", rows=2) as pilot:
        for typed, word in (("atz", "Katze"), ("learning german", "Hund")):
            await press_until(pilot, "slash", "ctrl+u", *typed, "enter", holds=lambda: shown_words(pilot) == [word])
        await press_until(pilot, "slash", "ctrl+u", Typed("ignored"), "enter", shown="clears the filter")
        await press_until(pilot, "escape", rows=2)


async def test_enter_shows_a_word_in_context_and_its_place_in_the_reader(service: LocalService) -> None:
    async with opened(service, files=("zug.srt",), section="7") as pilot:
        await listed(pilot)
        await press_until(pilot, "slash", Typed("hoffentlich"), "enter", rows=1)
        await press_until(pilot, "enter", shown="hoffentlich · new · 1 time")
        await until_shown(pilot, "Hoffentlich fährt er überhaupt noch ab.")
        await press_until(pilot, "enter", shown="Bestimmt, der letzte Zug ist")
        await press_until(pilot, "escape", shown="hoffentlich · new · 1 time")
        await pilot.press("escape")
        await listed(pilot)


async def test_tab_goes_through_the_tabs_and_esc_back_to_the_list(service: LocalService) -> None:
    async with opened(service, files=("zug.srt",), section="7") as pilot:
        await listed(pilot)
        await press_until(pilot, "tab", shown="Sentence")
        await press_until(pilot, "tab", shown="Known, by transcript")
        await pilot.press("tab")
        await listed(pilot)
        await press_until(pilot, "shift+tab", shown="Known, by transcript")
        await pilot.press("escape")
        await listed(pilot)
        assert len(pilot.app.screen_stack) == 1


async def test_words_to_learn_become_clips_are_marked_and_opened_where_they_stand(service: LocalService) -> None:
    async with opened(service, files=("zug.srt",), section="7") as pilot:
        await listed(pilot)
        before = (await next_words(pilot)).total
        await press_until(pilot, "space", "space", "c", told="2 clips kept")
        clips = (await service.clips.page()).items
        assert len(clips) == 2
        assert all(clip.focus is not None and clip.start_ms is not None for clip in clips)
        await until_rows(pilot, before - 2)
        await press_until(pilot, "u", rows=before)
        assert (await service.clips.page()).total == 0
        screen = pilot.app.screen
        assert isinstance(screen, NextWordsScreen)
        screen.read_anew()
        screen.action_clip()  # pressed while the words are read anew
        await until_told(pilot, "1 clip kept")
        await until_rows(pilot, before - 1)
        await press_until(pilot, "i", told="1 word ignored", rows=before - 2)
        await press_until(pilot, "enter", shown="Bestimmt, der letzte Zug ist")


async def test_words_go_into_the_batch_where_they_stand(service: LocalService) -> None:
    async with opened(service, files=("zug.srt",), section="7") as pilot:
        await listed(pilot)
        (film,) = (await service.transcripts.page()).items
        await press_until(pilot, "slash", Typed("zug"), "enter", rows=1)
        await press_until(pilot, "m", told="1 word marked")
        assert [each.text for each in await service.mining.marks(film.id)] == ["Zug"]
        await press_until(pilot, "escape", "escape", holds=lambda: table(pilot).total > 1)
        await next_words(pilot)
        await press_until(pilot, "space", "space", "m", told="2 words marked")
        assert len(await service.mining.marks(film.id)) in (2, 3), "Zug may be one of the two"


async def test_words_to_learn_are_of_the_languages_that_are_learned_or_chosen(service: LocalService) -> None:
    await add_files(service, "zug.srt", "haus.srt")
    newest, *_ = (await service.transcripts.page()).items
    await service.transcripts.edit(newest.id, language="fr")
    await service.settings.save(ProfileSettings(learning=(LearnedLanguage("fr", "A2"),)))
    async with opened(service, (120, 40), section="7") as pilot:
        await listed(pilot)
        rows = await next_words(pilot)

        def languages() -> set[str]:
            return {row.next.word.language for row in rows.visible_records()}

        assert languages() == {"fr"}
        await press_until(pilot, "v", shown="all that you learn")
        assert shows(pilot, "you learn it")
        await submit_text(pilot, "german")
        await until(pilot, lambda: languages() == {"de"})
        await pilot.press("v")
        await submit_text(pilot, "all")
        await until(pilot, lambda: languages() == {"fr"})


@pytest.mark.exhaustive
async def test_the_words_of_one_film_are_asked_for_in_its_list_and_esc_goes_back_there(service: LocalService) -> None:
    async with opened(service, files=("zug.srt", "haus.srt"), section="2", rows=2) as pilot:
        asked = pilot.app.screen
        title = lines(pilot)[table(pilot).region.y + 1].split()[1].removesuffix(".srt")
        rows = await next_words(pilot, "L")
        await until_shown(pilot, f"To learn next · {title}")
        assert {row.next.title for row in rows.visible_records()} == {title}
        await press_until(pilot, "escape", holds=lambda: pilot.app.screen is asked)


@pytest.mark.exhaustive
async def test_the_overview_has_the_numbers(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    await marked(service, "known", "Hund", "Katze")
    async with opened(service, section="7") as pilot:
        await listed(pilot)
        await pilot.press("shift+tab")
        for size in ((120, 40), (80, 24)):
            await pilot.resize_terminal(*size)
            await until_shown(pilot, "German  2 known")
            assert shows(pilot, "Known words  2")
            await pilot.press(*"jjjjjjjjjjjj")
            await until(pilot, lambda: any("zug" in line and "0%" in line for line in lines(pilot)))
            assert_is_clean(pilot)
            await pilot.press("g")


async def test_a_list_is_looked_at_and_then_imported(service: LocalService, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("der Hund\nKatzen\nzu Hause sein\n")
    async with opened(service, section="7") as pilot:
        await until_shown(pilot, "No words yet.")
        assert shows(pilot, "import words that you know")
        await press_until(pilot, "a", shown="Import words that you know or learn")
        await submit_text(pilot, str(path))
        await until_shown(pilot, "Which language are they in?")
        await submit_text(pilot, "de")
        await until_shown(pilot, "2 words · 2 to be marked")
        assert shows(pilot, "left out: 1 of several words")
        await press_until(pilot, "y", told="2 words: 2 known; 2 changed; left out: 1 of several words · u undoes it")
        await until_rows(pilot, 2)
        assert row_of(pilot, "Hund")[1:2] == ["known"]
        await press_until(pilot, "u", shown="No words yet.")


@pytest.mark.exhaustive
async def test_a_path_is_typed_until_it_has_words_and_a_field_is_chosen(service: LocalService, tmp_path: Path) -> None:
    collection = Collection(tmp_path / "collection.anki2")
    collection.note_type("Own", "Satz", "Deutsch")
    collection.known("Der Hund bellt die ganze Nacht.", "der Hund", note_type="Own")
    path = collection.close()
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    async with opened(service, (120, 40), section="7") as pilot:
        await until_shown(pilot, "No words yet.")
        await pilot.press("a")
        await submit_text(pilot, str(picture))
        await until_shown(pilot, "is a PNG image")
        await submit_text(pilot, str(path))
        await until_shown(pilot, "Which field has the word?")
        assert shows(pilot, "der Hund")
        await submit_text(pilot, "deutsch")
        await until(pilot, lambda: isinstance(pilot.app.screen, TextPrompt))
        await submit_text(pilot, "de")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choice))
        await press_until(pilot, "y", rows=1)
        assert row_of(pilot, "Hund")[1:2] == ["known"]


async def test_texts_are_shown_as_they_are(service: LocalService) -> None:
    await marked(service, "learning", *(f"Wort{text[:100]}Ende" for text in HOSTILE.values()))
    async with opened(service, section="7", rows=len(HOSTILE)) as pilot:
        for _ in range(0, len(HOSTILE), 3):
            assert_is_clean(pilot)
            await press_until(pilot, "enter", shown="No sentence of the library has")
            assert_is_clean(pilot)
            await pilot.press("escape", "j", "j", "j")
            await listed(pilot)
