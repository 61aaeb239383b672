"""Alignment of two subtitles of a film by their times."""

from __future__ import annotations

import random

import pytest

from tests.importing.corpus import CORPUS, EXPECTED, IS_HERE, REASON, encoding_of
from tui.importing.parse import parse
from tui.retiming.alignment import Span, find_offset, find_overlaps


def speech(seed: int, cues: int = 300) -> list[Span]:
    """Cues as people speak: of one to five seconds, with pauses of none to thirty."""
    chance, spans, now = random.Random(seed), [], 5000
    for _ in range(cues):
        length = chance.randrange(1000, 5000)
        spans.append((now, now + length))
        now += length + chance.choice((100, 100, 800, 2500, 7000, 30000))
    return spans


def other_version(spans: list[Span], offset: int, seed: int = 1) -> list[Span]:
    """The same film in another language: some cues in two, some in one, times a little off, moved by the offset."""
    chance, others = random.Random(seed), []
    for start, end in spans:
        start, end = (moment - offset + chance.randrange(-80, 80) for moment in (start, end))
        if chance.random() < 0.2:
            middle = (start + end) // 2
            others += [(start, middle), (middle, end)]
        elif chance.random() < 0.2 and others and start - others[-1][1] < 500:
            others[-1] = (others[-1][0], end)
        else:
            others.append((start, end))
    return [span for span in others if span[0] >= 0]


@pytest.mark.parametrize("offset", [0, -1200, 24_500, 600_000, -1_500_000])
def test_the_offset_of_another_version_is_found(offset: int) -> None:
    ours = speech(1)
    found = find_offset(ours, other_version(ours, offset))
    assert found is not None
    assert abs(found - offset) < 120


def test_versions_that_hardly_differ_are_not_moved_and_other_films_have_no_offset() -> None:
    assert find_offset(speech(2), other_version(speech(2), 60)) == 0
    assert [find_offset(speech(seed), speech(seed + 100)) for seed in range(4)] == [None] * 4


def test_a_part_of_a_film_goes_with_the_whole() -> None:
    ours = speech(3)
    offset = ours[100][0]
    assert abs((find_offset(ours, other_version(ours, offset)[-180:]) or 0) - offset) < 120


def test_broken_times_have_no_offset() -> None:
    for broken in ([], [(-5000, -4000)], [(10**15, 10**15 + 5)], [(9000, 4000)]):
        assert find_offset(speech(4), broken) is None
        assert find_offset(broken, speech(4)) is None


def test_a_cue_goes_with_those_that_are_shown_for_more_than_half_of_the_shorter_one() -> None:
    ours = [(0, 1000), (1000, 3000), (5000, 6000), (9000, 9000)]
    theirs = [(100, 900), (900, 2050), (2050, 2950), (5600, 6600), (9000, 9000)]
    for moved in (0, 500):
        other = [(start - moved, end - moved) for start, end in theirs]
        assert list(find_overlaps(ours, other, moved)) == [(0,), (1, 2), (), (4,)]


def test_a_long_cue_goes_with_all_that_is_said_meanwhile() -> None:
    theirs = [(0, 60_000), *((second * 1000, second * 1000 + 900) for second in range(50))]
    assert all(0 in found for found in find_overlaps([(40_000, 42_000), (50_000, 51_000)], theirs, 0))


@pytest.mark.exhaustive
@pytest.mark.skipif(not IS_HERE, reason=REASON)
def test_the_films_of_the_corpus_are_found_in_every_language() -> None:
    """Each in each other of its own, and in one of the other film."""
    films: dict[str, list[list[Span]]] = {"tears-of-steel": [], "elephants-dream.f": []}
    for name in EXPECTED:
        for title, versions in films.items():
            if name.startswith(f"films/{title}"):
                (parsed,) = parse("x.srt", (CORPUS / name).read_bytes(), encoding=encoding_of(name)).transcripts
                versions.append([(cue.start_ms or 0, cue.end_ms or 0) for cue in parsed.cues])
    moved = {title: [[(a + 7340, b + 7340) for a, b in each] for each in its] for title, its in films.items()}
    for title, versions in films.items():
        other = next(its[0] for another, its in moved.items() if another != title)
        for number, ours in enumerate(versions):
            found = [find_offset(ours, each) for each in moved[title][number:]]
            assert all(each is not None and abs(each + 7340) < 1500 for each in found), (title, number)
            assert find_offset(ours, other) is None, (title, number)
