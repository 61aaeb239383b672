"""The guess of the language on the corpus: whole files, and excerpts of them."""

from __future__ import annotations

import pytest

from tests.importing.corpus import CORPUS, EXPECTED, IS_HERE, REASON, encoding_of
from tui.importing.parse import parse
from tui.language.detection import guess_language

pytestmark = [pytest.mark.exhaustive, pytest.mark.skipif(not IS_HERE, reason=REASON)]

IN_ONE_LANGUAGE = [
    name
    for name, facts in EXPECTED.items()
    if not name.startswith("messy/") and "+" not in facts["language"] and "mojibake" not in name
]


def texts(name: str) -> list[str]:
    data = (CORPUS / name).read_bytes()
    (transcript,) = parse(name.rsplit("/", 1)[-1], data, encoding=encoding_of(name)).transcripts
    return [cue.text for cue in transcript.cues]


@pytest.mark.parametrize(("cues", "at_least"), [(None, 1.0), (40, 0.98), (12, 0.98), (3, 0.77), (1, 0.35)])
def test_excerpts_of_so_many_cues_are_guessed_right_or_not_at_all(cues: int | None, at_least: float) -> None:
    right, wrong, asked = 0, [], 0
    for name in IN_ONE_LANGUAGE:
        expected = EXPECTED[name]["language"].split("-")[0]
        lines = texts(name)
        length = cues or len(lines)
        for start in range(0, len(lines) - length + 1, max(length, len(lines) // 8)):
            guess = guess_language("\n".join(lines[start : start + length]))
            asked += 1
            right += guess == expected
            if guess not in (None, expected):
                wrong.append((name, guess, lines[start]))
    assert len(wrong) <= asked // 400, wrong
    assert right / asked >= at_least
