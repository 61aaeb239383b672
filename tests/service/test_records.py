"""Clips as the service checks them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.language.segmenting import needs_segmenter
from tests.service.libraries import both_every_day
from tui.errors import InvalidInput
from tui.records.clips import FocusWord, NewClip
from tui.service.protocol import Service
from tui.service.records import MAX_CHARS

PART = MAX_CHARS // 4


@both_every_day
async def test_the_texts_of_a_clip_have_a_limit_together_which_fits_a_request(service: Service) -> None:
    widest = "\U0001f686"  # four bytes in UTF-8
    focus = FocusWord("s", meanings=(widest * PART,))
    full = NewClip("s", context=widest * (PART - 2), explanation=widest * PART, tags=(widest * PART,), focus=focus)
    assert (await service.clips.add(full)).explanation == full.explanation
    more = NewClip("s", context=widest * (PART - 1), explanation=widest * PART, tags=(widest * PART,), focus=focus)
    with pytest.raises(InvalidInput, match="at most 200000 characters in all"):
        await service.clips.add(more)
    assert (await service.clips.page()).total == 1


@pytest.mark.parametrize("sentence", ["", " \n\u3000", "\x00", "\x00 \x1b[0m\u200b"])
async def test_a_clip_has_a_sentence(service: Service, sentence: str) -> None:
    with pytest.raises(InvalidInput, match="needs a sentence"):
        await service.clips.add(NewClip(sentence))


@needs_segmenter("ja")
async def test_a_clip_gets_the_readings_of_its_sentence_by_the_segmenter_unless_it_has_some(service: Service) -> None:
    word = FocusWord("行った", language="ja")
    clip = await service.clips.add(NewClip("昨日行った。", focus=word))
    assert clip.sentence_reading == "昨日[きのう] 行[い]った。"
    own = await service.clips.add(NewClip("昨日行った。", focus=word, sentence_reading="昨日[さくじつ] 行[い]った。"))
    assert own.sentence_reading == "昨日[さくじつ] 行[い]った。"
    german = await service.clips.add(NewClip("Der Zug.", focus=FocusWord("Zug", language="de")))
    assert german.sentence_reading == ""
    edited = await service.clips.edit(clip.id, replace(clip.contents(), sentence_reading=""))
    assert edited.sentence_reading == "", "what somebody took away stays away"
