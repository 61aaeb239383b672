"""Settings of a profile, and one library seen by several profiles."""

from dataclasses import replace
from typing import cast

import pytest

from tests.service.libraries import Opened, near_and_far
from tui.errors import InvalidInput, RemoteError
from tui.records.clips import NewClip
from tui.records.library import ProfileSummary
from tui.records.settings import CardFront, CardHint, LearnedLanguage, ProfileSettings, SavedSettings
from tui.records.word_states import WordState
from tui.service.protocol import Service


async def test_they_are_the_usual_ones_until_they_are_set_and_belong_to_a_profile(library: Opened) -> None:
    service = library.service
    assert await service.settings.get() == SavedSettings("en", (), updated_at=None)
    saved = await service.settings.save(ProfileSettings("es", (LearnedLanguage("de", "B1"),)))
    assert saved.updated_at is not None
    assert await service.settings.get() == saved
    assert await library.other_profile.settings.get() == SavedSettings()
    given = (LearnedLanguage("JPN", "n 4"), LearnedLanguage("pt_br", " "), LearnedLanguage("zh", "hsk3"))
    saved = await service.settings.save(ProfileSettings("GER", given))
    expected = (LearnedLanguage("ja", "N4"), LearnedLanguage("pt-BR"), LearnedLanguage("zh", "HSK3"))
    assert (saved.explain_in, saved.learning) == ("de", expected), "they are written as it is usual"


async def test_cards_changed_when_their_options_did_and_not_with_other_settings(service: Service) -> None:
    first = await service.settings.save(ProfileSettings("es", card_hint="translation"))
    assert first.card_changed_at == first.updated_at is not None
    second = await service.settings.save(replace(first.contents(), explain_in="fr"))
    assert (second.card_hint, second.card_changed_at) == ("translation", first.card_changed_at)
    third = await service.settings.save(ProfileSettings("fr"))
    assert third.card_changed_at == third.updated_at


async def test_what_cannot_be_is_refused_with_its_field_and_the_next_step_and_changes_nothing(service: Service) -> None:
    before = await service.settings.save(ProfileSettings("fr"))
    for wrong, field, named in (
        (ProfileSettings(""), "explain_in", "no language tag"),
        (ProfileSettings("de", (LearnedLanguage("xx", "B1"),)), "learning", "no language tag"),
        (ProfileSettings("de", (LearnedLanguage("de", "N4"),)), "learning", "no level of German"),
        (ProfileSettings("de", (LearnedLanguage("ja", "\x1b[31m"),)), "learning", "no level of Japanese"),
        (ProfileSettings("de", (LearnedLanguage("de"), LearnedLanguage("ger", "B1"))), "learning", "twice"),
        (ProfileSettings(card_front=cast("CardFront", "picture")), "card_front", "card"),
        (ProfileSettings(card_hint=cast("CardHint", "\x1b[31m")), "card_hint", "card"),
        (ProfileSettings("de", (LearnedLanguage("de"),) * 51), "learning", "at most 50"),
        (ProfileSettings(known_states=("known", cast("WordState", "\x1b[31m"))), "known_states", ""),
        (ProfileSettings(known_states=("new",)), "known_states", ""),
    ):
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


@near_and_far
async def test_each_profile_has_its_own_and_closing_one_closes_nothing_of_the_first(library: Opened) -> None:
    service = library.service
    assert await service.profiles() == ()
    await service.clips.add(NewClip("Der Zug fährt ab."))
    anna = service.of("anna")
    assert (anna.profile, anna.location) == ("anna", service.location)
    await anna.clips.add(NewClip("Eins"))
    await anna.clips.add(NewClip("Zwei"))
    expected = (ProfileSummary("anna", 0, 0, 2), ProfileSummary("default", 0, 0, 1))
    assert await service.profiles() == expected == await anna.profiles()
    deleted = await anna.clips.page()
    await anna.clips.delete(*(clip.id for clip in deleted.items))
    assert (await service.profiles())[0] == ProfileSummary("anna", 0, 0, 0), "a profile outlives what was in it"
    await anna.of("berta").close()
    await anna.close()
    await service.clips.add(NewClip("Drei"))
    assert ((await service.clips.page()).total, (await service.of("anna").clips.page()).total) == (2, 0)
    for name in ("", " ", "a b", "é", "x" * 65, "a/b", "../x"):
        with pytest.raises(InvalidInput) as refused:
            service.of(name)
        assert refused.value.code == "invalid_profile"


@pytest.mark.parametrize("where", ["remote"], indirect=True)
async def test_closing_the_first_closes_what_all_profiles_share(library: Opened) -> None:
    anna = library.service.of("anna")
    assert (await anna.clips.page()).total == 0
    await library.service.close()
    with pytest.raises(RemoteError) as closed:
        await anna.clips.page()
    assert closed.value.code == "closed"


async def test_fields_of_a_note_type_are_kept_where_they_are_the_learners_own(service: Service) -> None:
    own = 'note_type = "Mine"\n\n[fields]\nFront = "Sentence"\n'
    for given, kept in ((own, own), (" \n", "")):
        assert (await service.settings.save(ProfileSettings(note_fields=given))).note_fields == kept
