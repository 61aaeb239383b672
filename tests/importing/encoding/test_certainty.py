from __future__ import annotations

import random

import pytest

from tests.importing.corpus import IS_HERE, REASON
from tests.importing.dialogues import DIALOGUES
from tests.importing.encoding.transcodings import excerpts, tally, transcodings
from tui.errors import ImportRefused
from tui.importing.encoding.decode import decode
from tui.importing.encoding.detection import find_certain_encoding
from tui.importing.encoding.legacy_encodings import USUAL_ENCODINGS

pytestmark = pytest.mark.exhaustive


@pytest.mark.parametrize("language", DIALOGUES)
def test_what_is_read_without_asking_is_right(language: str) -> None:
    """Excerpts of every length in every usual encoding: what is not certain is asked, never guessed."""
    lines = DIALOGUES[language].split("\n")
    for codec in USUAL_ENCODINGS[language]:
        for count in (1, 2, 4, len(lines)):
            text = "\n".join(lines[:count])
            if text.encode(codec, "ignore").decode(codec) == text and not text.isascii():
                certain = find_certain_encoding(text.encode(codec), None)
                assert certain is None or text.encode(codec).decode(certain) == text


@pytest.mark.skipif(not IS_HERE, reason=REASON)
def test_the_corpus_is_read_without_a_hint_in_every_encoding_of_its_languages() -> None:
    counts = tally(transcodings())
    assert counts["wrong"] == 0
    assert counts["right"] >= 0.97 * counts.total() > 300


@pytest.mark.skipif(not IS_HERE, reason=REASON)
def test_excerpts_of_the_corpus_are_never_read_wrongly() -> None:
    counts = tally(excerpt for whole in transcodings() for excerpt in excerpts(whole))
    assert counts["wrong"] == 0
    assert counts["right"] >= 0.7 * counts.total() > 600


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("You don’t often find it, but that’s true.", "cp1252"),
        ("I’m sure they’ve seen us, and that there is nothing that we can do about it now.", "cp1251"),
        ("Wir müssen gehen, und zwar sofort. Hast du mich nicht gehört?", "cp1250"),
    ],
)
def test_a_line_or_two_can_be_enough(text: str, codec: str) -> None:
    assert decode(text.encode(codec), encoding=None)[0] == text


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("I met Luís in García's house, and they were not amused by it.", "mac-roman"),
        ("ÁÁÁ! said the cat, and then it was silent for a while.", "koi8-r"),
        ("soicind ó shin", "cp850"),
        ("¿Emo?\n¡Cuidado!\n¡Oh!", "cp1252"),
    ],
)
def test_what_a_few_characters_do_not_tell_is_never_read_wrongly(text: str, codec: str) -> None:
    data = text.encode(codec, "replace")
    for tag in (None, "en", "ru"):
        certain = find_certain_encoding(data, tag)
        assert certain is None or data.decode(certain) == data.decode(codec)


@pytest.mark.parametrize("language", DIALOGUES)
def test_utf_8_with_lost_bytes_is_not_taken_for_another_encoding(language: str) -> None:
    chance = random.Random(language)
    data = DIALOGUES[language].encode()
    beyond = [place for place, byte in enumerate(data) if byte > 0x7F]
    if not beyond:
        return
    for lost in (1, max(1, len(beyond) // 20)):
        damaged = bytearray(data)
        for place in sorted(chance.sample(beyond, lost), reverse=True):
            del damaged[place]
        assert find_certain_encoding(bytes(damaged), None) is None
        with pytest.raises(ImportRefused, match="not UTF-8 or UTF-16"):
            decode(bytes(damaged), encoding=None)
