"""The speech of a film: exact, of the right track, and a plain word for every film that cannot be used."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.media.films import length, make_film, tone, tones
from tui.errors import MediaError
from tui.media.cutting import join_speech_spans
from tui.media.sound import write_speech
from tui.records.media import Span

SPANS = (Span(2000, 3000), Span(5250, 6750), Span(17_000, 19_000))
HEARD = ((0.1, 0.9, 2), (1.1, 1.7, 5), (1.85, 2.4, 6), (2.6, 3.4, 17), (3.6, 4.4, 18))
"""Seconds of the recording, and the second of the film that is heard there."""


def write(film: Path, out: Path, *spans: Span, language: str = "", track: int = 0) -> tuple[int, int]:
    *_, last = write_speech(film, spans or SPANS, out, language=language, track=track)
    assert isinstance(last, tuple)
    return last[0].number, last[1]


def assert_heard(out: Path, track: int = 0) -> None:
    assert length(out) == pytest.approx(4.5, abs=0.03)
    for begin, end, second in HEARD:
        assert tones(out, begin, end) == pytest.approx(tone(second, track), abs=6)


def test_spans_follow_each_other_exact_to_a_few_milliseconds(film: Path, tmp_path: Path) -> None:
    *shares, _ = write_speech(film, SPANS, tmp_path / "out.mp3")
    assert_heard(tmp_path / "out.mp3")
    assert shares == [0.0, 1 / 3, 2 / 3]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "codec", "video", "at"),
    [
        ("a.mp4", "aac", True, 0),
        ("a.ts", "aac", True, 1.5),
        ("a.mp3", "libmp3lame", False, 0),
        ("a.flac", "flac", False, 0),
    ],
)
def test_whatever_the_container_is_and_begins_with(
    tmp_path: Path, name: str, codec: str, video: bool, at: float
) -> None:
    made = make_film(tmp_path / name, 20, codec=codec, video=video, at=at)
    assert write(made, tmp_path / "out.mp3")[1] == pytest.approx(4500, abs=30)
    assert_heard(tmp_path / "out.mp3")


def test_the_track_is_the_one_in_the_language_or_the_one_that_is_named(film: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.mp3"
    assert write(film, out, language="de-AT")[0] == 1
    assert write(film, out, language="en")[0] == 2
    assert_heard(out, track=1)
    assert write(film, out, language="ja")[0] == 1
    assert write(film, out, language="de", track=2)[0] == 2
    with pytest.raises(MediaError) as refused:
        write(film, out, track=3)
    assert (refused.value.code, refused.value.hint) == ("no_such_track", "there are: 1 de, 2 en")


def test_the_end_of_a_film_is_the_end_of_its_speech(film: Path, tmp_path: Path) -> None:
    _, milliseconds = write(film, tmp_path / "out.mp3", Span(18_000, 30_000), Span(40_000, 41_000))
    assert milliseconds == pytest.approx(2000, abs=60)
    with pytest.raises(MediaError) as refused:
        write(film, tmp_path / "out.mp3", Span(30_000, 31_000))
    assert refused.value.code == "past_end"


def test_what_is_no_film_is_refused(film: Path, tmp_path: Path) -> None:
    make_film(tmp_path / "secret.mp3", 3, codec="libmp3lame", video=False)
    contents = {
        "list.mp4": b"ffconcat version 1.0\nfile secret.mp3\n",
        "playlist.mp3": b"#EXTM3U\n#EXTINF:3,\nsecret.mp3\n",
        "story.mkv": "Der Zug fährt ab.\n".encode(),
        "empty.mkv": b"",
        "noise.mp4": random.Random(1).randbytes(50_000),
        "zeros.ts": bytes(50_000),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(MediaError) as refused:
            write(tmp_path / name, tmp_path / "out.mp3", Span(0, 1000))
        assert refused.value.code == "not_media", name
        assert refused.value.hint
    for name in ("none.mkv", "."):
        with pytest.raises(MediaError) as refused:
            write(tmp_path / name, tmp_path / "out.mp3")
        assert refused.value.code == "media_unreadable", name
    silent = make_film(tmp_path / "silent.mkv", 2, languages=())
    with pytest.raises(MediaError) as refused:
        write(silent, tmp_path / "out.mp3")
    assert refused.value.code == "no_audio"


@pytest.mark.exhaustive
def test_a_damaged_film_gives_what_can_be_heard_or_a_word(film: Path, tmp_path: Path) -> None:
    whole = film.read_bytes()
    for seed in range(6):
        drawn, content = random.Random(seed), bytearray(whole)
        if seed % 3 == 0:
            del content[drawn.randrange(len(content)) :]
        for _ in range((1, 30, 3000)[seed % 3] if content else 0):
            content[drawn.randrange(len(content))] = drawn.randrange(256)
        (tmp_path / "damaged.mkv").write_bytes(content)
        try:
            _, milliseconds = write(tmp_path / "damaged.mkv", tmp_path / "out.mp3")
        except MediaError as error:
            codes = ("not_media", "no_audio", "past_end", "media_unreadable", "undecodable", "media_encrypted")
            assert error.code in codes, seed
        else:
            assert milliseconds > 0, seed


def test_spans_are_padded_joined_and_in_order() -> None:
    rows: list[tuple[list[tuple[int, int]], list[tuple[int, int]]]] = [
        ([(100, 200), (1000, 1000), (3000, 2000)], [(0, 600)]),
        ([(1000, 2000), (3000, 4000)], [(750, 4400)]),  # the pause between is shorter than anybody wants cut
        ([(9000, 9500), (1000, 2000)], [(750, 2400), (8750, 9900)]),
        ([(1000, 5000), (2000, 3000)], [(750, 5400)]),
    ]
    for cues, spans in rows:
        assert join_speech_spans(cues) == [Span(*span) for span in spans], cues
