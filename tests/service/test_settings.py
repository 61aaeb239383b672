"""Settings of a profile, on this machine and over HTTP."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from tests.service.libraries import Opened
from tui.errors import InvalidInput
from tui.records.settings import CardFront, CardHint, LearnedLanguage, ProfileSettings, SavedSettings
from tui.service.protocol import Service


async def test_they_are_the_usual_ones_until_they_are_set_and_belong_to_a_profile(library: Opened) -> None:
    service = library.service
    assert await service.settings.get() == SavedSettings("en", (), updated_at=None)
    saved = await service.settings.save(ProfileSettings("es", (LearnedLanguage("de", "B1"),)))
    assert saved.updated_at is not None
    assert await service.settings.get() == saved
    assert await library.other_profile.settings.get() == SavedSettings()


async def test_they_are_written_as_it_is_usual(service: Service) -> None:
    given = (LearnedLanguage("JPN", "n 4"), LearnedLanguage("pt_br", " "), LearnedLanguage("zh", "hsk3"))
    saved = await service.settings.save(ProfileSettings("GER", given))
    expected = (LearnedLanguage("ja", "N4"), LearnedLanguage("pt-BR"), LearnedLanguage("zh", "HSK3"))
    assert (saved.explain_in, saved.learning) == ("de", expected)


async def test_cards_changed_when_their_options_did_and_not_with_other_settings(service: Service) -> None:
    first = await service.settings.save(ProfileSettings("es", card_hint="translation"))
    assert first.card_changed_at == first.updated_at is not None
    second = await service.settings.save(replace(first.contents(), explain_in="fr"))
    assert (second.card_hint, second.card_changed_at) == ("translation", first.card_changed_at)
    third = await service.settings.save(ProfileSettings("fr"))
    assert third.card_changed_at == third.updated_at


@pytest.mark.parametrize(
    ("wrong", "field", "named"),
    [
        (ProfileSettings("no language"), "explain_in", "no language tag"),
        (ProfileSettings(""), "explain_in", "no language tag"),
        (ProfileSettings("de", (LearnedLanguage("xx", "B1"),)), "learning", "no language tag"),
        (ProfileSettings("de", (LearnedLanguage("de", "N4"),)), "learning", "no level of German"),
        (ProfileSettings("de", (LearnedLanguage("ja", "\x1b[31m"),)), "learning", "no level of Japanese"),
        (ProfileSettings("de", (LearnedLanguage("de"), LearnedLanguage("ger", "B1"))), "learning", "twice"),
        (replace(ProfileSettings(), card_front=cast("CardFront", "picture")), "card_front", "card"),
        (replace(ProfileSettings(), card_hint=cast("CardHint", "\x1b[31m")), "card_hint", "card"),
        (ProfileSettings("de", (LearnedLanguage("de"),) * 51), "learning", "at most 50"),
    ],
)
async def test_what_cannot_be_is_refused_with_its_field_and_the_next_step_and_changes_nothing(
    service: Service, wrong: ProfileSettings, field: str, named: str
) -> None:
    before = await service.settings.save(ProfileSettings("fr"))
    with pytest.raises(InvalidInput) as refused:
        await service.settings.save(wrong)
    assert refused.value.field == field
    assert named in refused.value.message
    assert "\x1b" not in refused.value.message
    assert refused.value.hint
    assert await service.settings.get() == before


def test_the_level_in_a_language_is_that_of_its_tag_or_else_of_its_language() -> None:
    settings = ProfileSettings(
        learning=(LearnedLanguage("pt", "B1"), LearnedLanguage("pt-BR", "A2"), LearnedLanguage("de"))
    )
    levels = [settings.level_in(tag) for tag in ("pt", "pt-BR", "pt-PT", "de", "fr", "", None)]
    assert levels == ["B1", "A2", "B1", "", "", "", ""]
