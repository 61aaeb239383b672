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
from tui.service.media.media_process import CutRequest, ProbeRequest, SpeechRequest, SubtitlesRequest, WaveformRequest

film, span = Path(sys.executable), Span(0, 1000)
for request in (
    ProbeRequest(film),
    CutRequest(film, [span]),
    WaveformRequest(film, span),
    SubtitlesRequest(film),
    SpeechRequest(film, [span], Path("out.mp3"), "", 0),
):
    try:
        print(list(request.results()))
    except MediaError as error:
        print(error.code)
"""
    assert run_python(code).split() == ["media_extra_missing"] * 5
