"""Sentences out of the film that is linked: played where it lies, else the library hands over their sound."""

from pathlib import Path

import pytest

from tests.media.films import length, make_film, tone, tones
from tests.playing.programs import Programs, programs
from tests.service.libraries import near_and_far
from tests.service.media.test_clip_media import add_subtitle, linked
from tests.service.steps import refusal
from tui.records.media import Span
from tui.service.media.playing import film_of, play
from tui.service.protocol import Service

pytestmark = pytest.mark.exhaustive

__all__ = ["programs"]

SPAN = Span(1_000, 2_000)
KEEPS = "shutil.copy(sys.argv[-1], os.path.join(os.path.dirname(sys.argv[0]), 'heard.mp3'))"


@pytest.fixture
def film(tmp_path: Path) -> Path:
    return make_film(tmp_path / "film.mkv", 6, languages=("en", "de"))


async def test_a_film_is_played_in_its_language(
    service: Service, film: Path, tmp_path: Path, programs: Programs
) -> None:
    programs.add("mpv")
    transcript = await service.transcripts.get(await add_subtitle(service, tmp_path))
    assert (await refusal(play(service, transcript, SPAN))).code == "no_media"
    link = await linked(service, transcript.id, film)
    await play(service, transcript, SPAN)
    await service.media.link(transcript.id, film, track=1)
    await play(service, transcript, SPAN)
    by_language, by_number = programs.told("mpv")
    assert by_language[-5:] == ["--alang=de", "--start=1.000", "--end=2.000", "--", link.path]
    assert "--aid=1" in by_number


@near_and_far
async def test_the_library_hands_over_the_sound_of_a_film_that_lies_elsewhere(
    service: Service, film: Path, tmp_path: Path, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = await service.transcripts.get(await add_subtitle(service, tmp_path))
    await linked(service, transcript.id, film)
    monkeypatch.setattr("tui.service.media.playing._lies_at", lambda path, size: False)  # as on another machine
    programs.add("mpv", KEEPS)
    await play(service, transcript, SPAN)
    heard = programs.place / "heard.mp3"
    assert length(heard) == pytest.approx(1.0, abs=0.1)
    assert tones(heard, 0.1, 0.9) == pytest.approx(tone(1, 1), abs=15)
    for call, code in (
        (film_of(service, transcript), "media_moved"),
        (play(service, transcript, SPAN, tmp_path / "other.mkv"), "media_moved"),
        (service.media.sound(transcript.id, Span(60_000, 61_000)), "no_audio"),
    ):
        assert (await refusal(call)).code == code
