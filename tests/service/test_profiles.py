"""One library seen by several profiles, on this machine and over HTTP."""

from __future__ import annotations

import pytest

from tests.server.serving import serving
from tests.service.libraries import Opened, both_every_day
from tui.config import Settings
from tui.errors import InvalidInput, RemoteError
from tui.records.clips import NewClip
from tui.records.library import ProfileSummary
from tui.remote.service import RemoteService


@both_every_day
async def test_the_profiles_are_told_by_name_with_what_each_has(library: Opened) -> None:
    service = library.service
    assert await service.profiles() == ()
    await service.clips.add(NewClip("Der Zug fährt ab."))
    anna = service.of("anna")
    await anna.clips.add(NewClip("Eins"))
    await anna.clips.add(NewClip("Zwei"))
    expected = (ProfileSummary("anna", 0, 0, 2), ProfileSummary("default", 0, 0, 1))
    assert await service.profiles() == expected == await anna.profiles()
    deleted = await anna.clips.page()
    await anna.clips.delete(*(clip.id for clip in deleted.items))
    assert (await service.profiles())[0] == ProfileSummary("anna", 0, 0, 0), "a profile outlives what was in it"


@both_every_day
async def test_closing_another_profile_closes_nothing_of_the_first(library: Opened) -> None:
    anna = library.service.of("anna")
    assert (anna.profile, anna.location) == ("anna", library.service.location)
    await anna.clips.add(NewClip("Eins"))
    await anna.of("berta").close()
    await anna.close()
    assert (await library.service.clips.page()).total == 0
    await library.service.clips.add(NewClip("Zwei"))
    assert (await library.service.of("anna").clips.page()).total == 1


@both_every_day
async def test_what_is_no_name_is_no_profile(library: Opened) -> None:
    for name in ("", " ", "a b", "é", "x" * 65, "a/b", "../x"):
        with pytest.raises(InvalidInput) as refused:
            library.service.of(name)
        assert refused.value.code == "invalid_profile"


async def test_closing_the_first_closes_what_all_profiles_share(settings: Settings) -> None:
    async with serving(settings) as served:
        service = RemoteService(served.url)
        anna = service.of("anna")
        assert (await anna.clips.page()).total == 0
        await service.close()
        with pytest.raises(RemoteError) as closed:
            await anna.clips.page()
        assert closed.value.code == "closed"
