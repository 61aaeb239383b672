"""The retiming of one track by another of the same film: found for every factor, refused for other films."""

from __future__ import annotations

import random

import pytest

from tests.importing.corpus import CORPUS, EXPECTED, IS_HERE, REASON, encoding_of
from tests.retiming.made_cues import make_spans, write_cues
from tui.importing.parse import parse
from tui.records.retiming import FRAME_RATE_FACTORS, Retiming
from tui.retiming.alignment import Span
from tui.retiming.search import Reference, find_in, find_retiming

FACTORS = (1.0, *FRAME_RATE_FACTORS.values())


def test_the_six_factors_between_the_usual_frame_rates_are_known() -> None:
    names = {name: round(factor, 4) for name, factor in FRAME_RATE_FACTORS.items()}
    assert names == {
        "24 for 23.976": 1.001,
        "24 for 25": 0.96,
        "23.976 for 24": 0.999,
        "23.976 for 25": 0.959,
        "25 for 24": 1.0417,
        "25 for 23.976": 1.0427,
    }


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("offset", [0, 2350, -47_000, 600_000])
def test_every_factor_is_found_with_its_offset(factor: float, offset: int) -> None:
    spoken = make_spans(1, 40)
    found = find_retiming(write_cues(spoken, 2, factor, offset), write_cues(spoken, 3))
    assert found is not None
    assert found.retiming.factor == factor
    assert abs(found.retiming.offset_ms - offset) <= 150
    assert found.confidence >= 0.6


def test_cues_of_which_half_are_missing_and_all_are_sloppy_are_still_found() -> None:
    spoken, chance = make_spans(4, 40), random.Random(4)
    cues = write_cues(spoken, 5, FRAME_RATE_FACTORS["25 for 24"], 3000)
    left = [(start + chance.randrange(-300, 300), end) for start, end in cues if chance.random() < 0.5]
    found = find_retiming([each for each in left if 0 <= each[0] < each[1]], spoken)
    assert found is not None
    assert found.retiming.factor == FRAME_RATE_FACTORS["25 for 24"]
    assert abs(found.retiming.offset_ms - 3000) <= 150


@pytest.mark.parametrize("seed", range(10))
def test_another_film_is_refused(seed: int) -> None:
    assert find_retiming(write_cues(make_spans(seed, 40), 1), write_cues(make_spans(seed + 50, 40), 2)) is None


def test_a_film_of_another_cut_is_refused_as_its_halves_want_different_offsets() -> None:
    spoken = make_spans(6, 40)
    middle = spoken[len(spoken) // 2][0]
    cut = [(start, end) if start < middle else (start + 30_000, end + 30_000) for start, end in spoken]
    assert find_retiming(write_cues(spoken, 2), write_cues(cut, 3)) is None


def test_what_is_in_time_is_left_as_it_is() -> None:
    spoken = make_spans(7, 10)
    found = find_retiming(spoken, spoken)
    assert found is not None
    assert found.retiming == Retiming()


@pytest.mark.parametrize(
    "broken", [[], [(1000, 2000)], [(-5000, -4000)] * 50, [(10**12, 10**12 + 5)] * 50, [(9, 4)] * 50]
)
def test_broken_or_few_times_have_no_retiming(broken: list[Span]) -> None:
    spoken = make_spans(1, 10)
    assert find_retiming(broken, spoken) is None
    assert find_retiming(spoken, broken) is None
    assert find_in(spoken, Reference([], broken or spoken)) is None


def test_people_who_never_stop_talking_fit_everywhere_and_are_refused() -> None:
    always = [(at * 2000, at * 2000 + 1990) for at in range(900)]
    assert find_retiming(write_cues(make_spans(8, 30), 1), always) is None


@pytest.mark.exhaustive
@pytest.mark.skipif(not IS_HERE, reason=REASON)
def test_real_films_are_found_in_other_languages_and_refuse_each_other() -> None:
    films: dict[str, list[list[Span]]] = {"tears-of-steel": [], "pepper-and-carrot": [], "elephants-dream.f": []}
    for name in EXPECTED:
        for title, versions in films.items():
            if name.startswith(f"films/{title}") and name.endswith(".srt"):
                (parsed,) = parse("x.srt", (CORPUS / name).read_bytes(), encoding=encoding_of(name)).transcripts
                versions.append([(cue.start_ms or 0, cue.end_ms or 0) for cue in parsed.cues])
    factor, offset = FRAME_RATE_FACTORS["25 for 24"], -3400
    for title, versions in films.items():
        for number, ours in enumerate(versions):
            moved = [(round((start - offset) / factor), round((end - offset) / factor)) for start, end in ours]
            for other in versions:
                found = find_retiming(moved, other)
                assert found is not None, (title, number)
                off = [abs(found.retiming.move(begin) - was) for (begin, _), (was, _) in zip(moved, ours, strict=True)]
                assert max(off) < 700, (title, number)
            for another, its in films.items():
                assert another == title or find_retiming(ours, its[0]) is None, (title, another)
