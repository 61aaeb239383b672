"""What reads films says so where PyAV is not installed."""

from __future__ import annotations

from collections.abc import Callable


def test_without_pyav_everything_that_reads_a_film_names_what_is_missing(run_python: Callable[[str], str]) -> None:
    code = """
import sys
sys.modules["av"] = None  # as if it were not installed
from pathlib import Path
from tui.errors import MediaError
from tui.records.media import Span
from tui.media.container import probe
from tui.media.cutting import cut
from tui.media.sound import measure_peaks, write_speech
from tui.media.container import read_text_subtitles

film, span = Path(sys.executable), Span(0, 1000)
for read in (
    lambda: probe(film),
    lambda: list(cut(film, [span])),
    lambda: measure_peaks(film, span),
    lambda: list(read_text_subtitles(film)),
    lambda: list(write_speech(film, [span], Path("out.mp3"))),
):
    try:
        print(read())
    except MediaError as error:
        print(error.code)
"""
    assert run_python(code).split() == ["media_extra_missing"] * 5
