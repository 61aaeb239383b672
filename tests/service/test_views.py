"""Views: what may be in one."""

from typing import Any

import pytest

from tests.hostile import HOSTILE
from tui.errors import InvalidInput
from tui.records.pages import MAX_SEARCH_LENGTH
from tui.records.search import MAX_VIEW_NAME, View
from tui.service.local import LocalService


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": " \u200b "}, "name"),
        ({"name": "x" * (MAX_VIEW_NAME + 1)}, "name"),
        ({"list": "sentences"}, "list"),
        ({"q": "  "}, "q"),
        ({"sort": "x" * 101}, "sort"),
    ],
)
async def test_what_is_no_view_is_refused_by_its_field(
    service: LocalService, changes: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        await service.views.save(View(**{"name": "Verben", "list": "clips", "q": "tag:verb", **changes}))
    assert caught.value.field == field
    assert await service.views.all() == ()


async def test_what_is_typed_is_kept_in_one_line(service: LocalService) -> None:
    saved = await service.views.save(View(" zwei\nWörter ", "clips", " tag:verb\x1b[31m  "))
    assert (saved.name, saved.q) == ("zwei Wörter", "tag:verb")
    assert await service.views.all() == (saved,)
    with pytest.raises(InvalidInput):
        await service.views.save(View("lang", "clips", "x" * (MAX_SEARCH_LENGTH + 1)))


async def test_names_may_be_anything_that_can_be_seen(service: LocalService) -> None:
    names = [name[:MAX_VIEW_NAME] for name in HOSTILE if name.strip()]
    for name in names:
        try:
            saved = await service.views.save(View(name, "clips", "zug"))
        except InvalidInput as error:
            assert error.field == "name", name
            continue
        assert (await service.views.rename(saved.name, "x")).name == "x"
        assert (await service.views.delete("X")).count == 1
