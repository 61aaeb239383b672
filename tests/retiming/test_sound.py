"""The speech of a film in six windows, and what brings subtitles to it: music under it, songs beside it."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.retiming.made_cues import make_spans, write_cues
from tests.transcribing.speeches import DETECTS, SPEAKS, silence, write_wav
from tui.errors import MediaError
from tui.records.retiming import FRAME_RATE_FACTORS
from tui.retiming.search import Reference, find_in
from tui.retiming.sound import hear_windows, spread_windows


def hear(path: Path, length_ms: int) -> Reference:
    heard = list(hear_windows(path, length_ms))
    return Reference([each.window for each in heard], [span for each in heard for span in each.spans])


def test_windows_are_of_five_minutes_in_the_middle_of_each_sixth() -> None:
    windows = spread_windows(120 * 60_000)
    assert [(end - start, start) for start, end in windows] == [(300_000, at * 1_200_000 + 450_000) for at in range(6)]


@pytest.mark.parametrize("length", [0, 5, 60_000, 29 * 60_000])
def test_a_short_film_is_heard_whole(length: int) -> None:
    windows = spread_windows(length)
    assert (windows[0][0], windows[-1][1], len(windows)) == (0, length, 6)
    assert all(one[1] == other[0] for one, other in itertools.pairwise(windows))


@SPEAKS
@DETECTS
@pytest.mark.parametrize("music", ["", "under", "songs"])
def test_subtitles_are_brought_to_what_is_said_whatever_plays_beside_it(tmp_path: Path, music: str) -> None:
    from tests.retiming.made_films import plan_film, write_film

    film = plan_film(11, 20, music)  # type: ignore[arg-type]
    reference = hear(write_film(film, tmp_path / "film.wav"), film.length_ms)
    for factor in (1.0, FRAME_RATE_FACTORS["25 for 23.976"]):
        found = find_in(write_cues(film.spans, 12, factor, -8200), reference)
        assert found is not None
        assert found.retiming.factor == factor
        assert abs(found.retiming.offset_ms + 8200) <= 150
    for seed in (20, 21):
        assert find_in(write_cues(make_spans(seed, 20), seed), reference) is None


@DETECTS
def test_a_film_that_is_shorter_than_it_says_has_the_windows_that_there_are(tmp_path: Path) -> None:
    heard = list(hear_windows(write_wav(tmp_path / "a.wav", silence(20_000)), 60_000))
    assert [end - start > 9000 for (start, end) in (each.window for each in heard)] == [True, True, *[False] * 4]
    assert not any(each.spans for each in heard)
    assert find_in(make_spans(1, 10), Reference([each.window for each in heard], [])) is None


@DETECTS
def test_what_is_no_film_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_bytes(b"nothing")
    with pytest.raises(MediaError):
        list(hear_windows(tmp_path / "a.mp4", 1000))
