"""The template: what is refused names the field that is to be mended."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tui.errors import LodeError
from tui.records.answers import NewTemplate
from tui.service.protocol import Service

GOOD = NewTemplate("lexicon:concordance", "{{ sentence }}", "")


@pytest.mark.parametrize(
    ("field", "written"),
    [
        ("model", "lexicon:big"),
        ("srt_model", "nobody:m"),
        ("srt_model", "lexicon:big"),
        ("prompt", ""),
        ("prompt", "{%"),
    ],
)
async def test_what_is_wrong_with_a_template_names_its_field(service: Service, field: str, written: str) -> None:
    with pytest.raises(LodeError) as caught:
        await service.template.save(replace(GOOD, **{field: written}))
    assert caught.value.field == field
    assert await service.template.get() is None
