"""Recordings cut into pieces where nobody speaks: all of it, exactly, and alike whenever it is done again."""

from __future__ import annotations

import resource
from array import array
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import pi, sin
from pathlib import Path
from typing import Any

import pytest

from tests.media.films import make_film
from tests.transcribing.speeches import (
    DETECTS,
    SPEAKS,
    Speech,
    av,
    decode,
    make_background,
    make_speech,
    milliseconds,
    mix,
    silence,
    write_encoded,
    write_wav,
)
from tui.errors import MediaError
from tui.records.media import Span
from tui.transcribing.pieces import Cut, Piece, Request, cut_pieces, encode
from tui.transcribing.speech import RATE

WHOLE = Span(0, 1 << 40)
ALL = Request(WHOLE, 20_000, by_speech=True, format="samples")
LOUD = replace(ALL, by_speech=False)
"""Cuts where it is quiet."""
CODECS = {"mp3": "libmp3lame", "m4a": "aac", "ogg": "libopus", "flac": "flac"}


def write(path: Path, samples: bytes) -> Path:
    """Write a recording in the format of its name."""
    if path.suffix == ".wav":
        return write_wav(path, samples)
    if path.suffix == ".ogg":
        return write_encoded(path, [samples], "libopus")
    return write_encoded(path, [samples], CODECS[path.suffix[1:]])


def cut(path: Path, request: Request = ALL) -> list[Piece]:
    return list(cut_pieces(path, request))


def cuts(pieces: list[Piece]) -> list[Cut]:
    return [each.cut for each in pieces]


def spoken(pieces: list[Piece]) -> list[Span]:
    return [span for each in pieces for span in each.cut.speech or ()]


def between(samples: bytes, span: Span) -> bytes:
    return samples[span.start_ms * RATE // 1000 * 2 : span.end_ms * RATE // 1000 * 2]


def tone(length_ms: int, level: float = 0.5, hertz: float = 440) -> bytes:
    step = 2 * pi * hertz / RATE
    return array("h", (round(32_000 * level * sin(step * at)) for at in range(length_ms * RATE // 1000))).tobytes()


def test_all_of_a_recording_is_cut_without_overlap(tmp_path: Path) -> None:
    samples = make_background("noise", 47 * RATE + 128)
    pieces = cut(write_wav(tmp_path / "noise.wav", samples), replace(LOUD, limit_ms=10_000))
    assert b"".join(each.sound for each in pieces) == samples
    spans = [each.cut.span for each in pieces]
    assert spans[0].start_ms == 0
    assert all(one.end_ms == other.start_ms for one, other in pairwise(spans))
    assert sum(each.end_ms - each.start_ms for each in spans) == milliseconds(samples)
    assert all(7_500 <= each.end_ms - each.start_ms <= 10_000 for each in spans[:-1])


def test_the_quietest_place_before_the_limit_is_taken(tmp_path: Path) -> None:
    samples = tone(3000) + silence(400) + tone(5000) + tone(500, 0.1) + tone(500) + tone(500, 0.2) + tone(9000)
    first, *_ = cut(write_wav(tmp_path / "tones.wav", samples), replace(LOUD, limit_ms=10_000))
    assert 8400 <= first.cut.span.end_ms <= 8900


def test_of_places_as_quiet_as_each_other_the_last_is_taken(tmp_path: Path) -> None:
    samples = tone(8200) + silence(400) + tone(400) + silence(600) + tone(9000)
    first, *_ = cut(write_wav(tmp_path / "tones.wav", samples), replace(LOUD, limit_ms=10_000))
    assert 9000 <= first.cut.span.end_ms <= 9600


def test_a_piece_that_is_as_long_as_its_limit_is_not_cut(tmp_path: Path) -> None:
    pieces = cut(write_wav(tmp_path / "tone.wav", tone(9984)), replace(LOUD, limit_ms=10_000))
    assert [each.cut.span for each in pieces] == [Span(0, 9984)]


@pytest.mark.parametrize("length_ms", [0, 50, 100, 1000])
def test_what_is_shorter_than_a_word_is_no_piece(tmp_path: Path, length_ms: int) -> None:
    pieces = cut(write_wav(tmp_path / "tone.wav", tone(length_ms)), LOUD)
    assert [each.cut.span for each in pieces] == [Span(0, length_ms)] * (length_ms >= 100)


@SPEAKS
@DETECTS
@pytest.mark.parametrize("name", ["a.wav", "a.mp3", "a.m4a", "a.flac"])
def test_speech_is_cut_between_its_words(tmp_path: Path, name: str) -> None:
    speech = make_speech()
    pieces = cut(write(tmp_path / name, speech.samples), replace(ALL, limit_ms=12_000))
    spans = [each.cut.span for each in pieces]
    assert len(spans) >= 3
    assert all(one.end_ms == other.start_ms for one, other in pairwise(spans))
    assert all(each.end_ms - each.start_ms <= 12_000 for each in spans)
    assert spans[0].start_ms == 0
    assert abs(spans[-1].end_ms - speech.length_ms) <= 80
    for one in spans[:-1]:
        around = array("h", between(speech.samples, Span(one.end_ms - 60, one.end_ms + 60)))
        assert max(map(abs, around)) < 1500, one  # a tenth of what its words have
    starts = [each.start_ms for each in spoken(pieces)]
    for said in speech.said:
        assert min(abs(start - said.start_ms) for start in starts) <= 400, said


@SPEAKS
@DETECTS
@pytest.mark.exhaustive
@pytest.mark.parametrize("background", ["music", "noise"])
def test_speech_over_music_and_noise_is_cut_between_its_sentences(tmp_path: Path, background: Any) -> None:
    """Where nothing is quiet: only the detector knows the silences."""
    speech = mix(make_speech(), background, 12)
    pieces = cut(write_wav(tmp_path / "a.wav", speech.samples))
    ends = [each.cut.span.end_ms for each in pieces[:-1]]
    assert ends
    for end in ends:
        assert not any(said.start_ms + 100 < end < said.end_ms - 100 for said in speech.said), end
    starts = [each.start_ms for each in spoken(pieces)]
    for said in speech.said:
        assert min(abs(start - said.start_ms) for start in starts) <= 400, said


@SPEAKS
@DETECTS
def test_the_sound_of_a_piece_is_from_its_first_word_to_its_last(tmp_path: Path) -> None:
    speech = make_speech()
    for piece in cut(write_wav(tmp_path / "a.wav", speech.samples)):
        sounding = piece.cut.sounding
        assert sounding is not None and piece.cut.speech
        assert piece.sound == between(speech.samples, sounding)
        assert sounding.start_ms >= piece.cut.span.start_ms and sounding.end_ms <= piece.cut.span.end_ms
        assert sounding.start_ms <= piece.cut.speech[0].start_ms and piece.cut.speech[-1].end_ms <= sounding.end_ms
        assert all(one.end_ms < other.start_ms for one, other in pairwise(piece.cut.speech))
    for said in speech.said:  # no word of it is lost
        held = [each.sounding for each in cuts(cut(tmp_path / "a.wav")) if each.sounding]
        assert any(each.start_ms <= said.start_ms and said.end_ms <= each.end_ms for each in held) or len(held) > 1


@DETECTS
@pytest.mark.parametrize("samples", [silence(30_000), make_background("music", 30 * RATE)], ids=["silence", "music"])
def test_a_piece_in_which_nobody_speaks_has_no_sound(tmp_path: Path, samples: bytes) -> None:
    pieces = cut(write_wav(tmp_path / "a.wav", samples))
    assert len(pieces) == 2
    assert all((each.sound, each.cut.speech, each.cut.sounding) == (b"", (), None) for each in pieces)
    assert pieces[-1].cut.span.end_ms == 30_000


@SPEAKS
@DETECTS
@pytest.mark.parametrize("name", ["a.wav", "a.m4a"])
def test_work_that_is_taken_up_again_comes_to_the_same(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, make_speech().samples)
    request = replace(ALL, limit_ms=8_000)
    whole = cut(path, request)
    assert len(whole) >= 4
    for made in range(1, len(whole) + 1):
        known = tuple(cuts(whole[:made]))
        again = cut(path, replace(request, known=known, done=frozenset(range(made))))
        if name == "a.wav":
            assert again == whole[made:]
        else:
            ends = [each.cut.span.end_ms for each in whole[made:]]
            assert [each.cut.span.end_ms for each in again] == pytest.approx(ends, abs=100)


@SPEAKS
@DETECTS
def test_pieces_that_are_not_done_are_read_again_as_they_were_cut(tmp_path: Path) -> None:
    path = write_wav(tmp_path / "a.wav", make_speech().samples)
    whole = cut(path, replace(ALL, limit_ms=8_000))
    request = replace(ALL, limit_ms=8_000, known=tuple(cuts(whole)), done=frozenset({0, 2}))
    assert cut(path, request) == [each for number, each in enumerate(whole) if number not in (0, 2)]


@pytest.mark.parametrize("name", ["a.wav", "a.mp3", "a.m4a", "a.flac", "a.ogg"])
def test_a_span_of_a_recording_is_cut_and_no_more(tmp_path: Path, name: str) -> None:
    samples = silence(6000) + tone(1000) + silence(4000) + tone(1000, 0.5, 880) + silence(3000)
    path = write(tmp_path / name, samples)
    (piece,) = cut(path, replace(LOUD, span=Span(5_500, 12_500)))
    assert piece.cut.span == Span(5_500, 12_500)
    assert milliseconds(piece.sound) == 7_000
    loud = [at * 1000 // RATE for at, each in enumerate(array("h", piece.sound)) if abs(each) > 4_000]
    assert loud[0] == pytest.approx(500, abs=30)
    assert loud[-1] == pytest.approx(6_500, abs=30)
    if name == "a.wav":
        assert piece.sound == between(samples, Span(5_500, 12_500))


def test_a_span_behind_the_end_has_no_pieces(tmp_path: Path) -> None:
    path = write_wav(tmp_path / "a.wav", tone(3000))
    assert cut(path, replace(LOUD, span=Span(60_000, 70_000))) == []
    assert [each.cut.span for each in cut(path, replace(LOUD, span=Span(2_000, 70_000)))] == [Span(2_000, 3_000)]


def hertz(samples: bytes) -> float:
    heard = array("h", samples)
    return sum(one < 0 <= other for one, other in pairwise(heard)) * RATE / len(heard)


def test_of_several_tracks_that_in_the_language_is_heard(tmp_path: Path) -> None:
    path = tmp_path / "film.mkv"
    write_encoded(path, [tone(3000, 0.5, 400), tone(3000, 0.5, 800)], "flac", ("ger", "eng"))
    for language, number, wanted in (("en", 0, 800), ("de-AT", 0, 400), ("en", 1, 400), ("", 2, 800), ("ja", 0, 400)):
        (piece,) = cut(path, replace(LOUD, language=language, track=number))
        assert hertz(piece.sound) == pytest.approx(wanted, rel=0.02), (language, number)
    with pytest.raises(MediaError) as raised:
        cut(path, replace(LOUD, track=3))
    assert raised.value.code == "no_such_track"


def test_sound_that_begins_later_than_the_picture_keeps_its_time(tmp_path: Path) -> None:
    path = write_encoded(tmp_path / "film.mkv", [tone(2000)], "flac", at=3.0)
    (piece,) = cut(path, LOUD)
    assert piece.cut.span == Span(0, 5000)
    loud = [at for at, each in enumerate(array("h", piece.sound)) if abs(each) > 4_000]
    assert loud[0] * 1000 // RATE == pytest.approx(3000, abs=20)
    (piece,) = cut(path, replace(LOUD, span=Span(1_000, 4_000)))
    assert milliseconds(piece.sound) == 3_000


def test_what_a_recording_lacks_in_its_middle_is_a_silence(tmp_path: Path) -> None:
    path = write_parts(tmp_path / "gap.mkv", [(0, tone(1000)), (3, tone(1000))])
    (piece,) = cut(path, LOUD)
    assert piece.cut.span == Span(0, 4000)
    assert not any(between(piece.sound, Span(1_100, 2_900)))
    assert max(map(abs, array("h", between(piece.sound, Span(3_100, 3_900))))) > 10_000


def test_a_recording_whose_clock_jumps_a_day_ends_there(tmp_path: Path) -> None:
    path = write_parts(tmp_path / "jump.mkv", [(0, tone(1000)), (24 * 3600, tone(1000))])
    assert [each.cut.span for each in cut(path, LOUD)] == [Span(0, 1000)]


def test_a_clock_that_jumps_hours_does_not_take_hours_of_memory(tmp_path: Path) -> None:
    path = write_parts(tmp_path / "jump.mkv", [(0, tone(1000)), (8 * 3600, tone(1000))])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    pieces = cut_pieces(path, replace(LOUD, limit_ms=10_000))
    assert next(pieces).cut.span.start_ms == 0
    pieces.close()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kilobytes; 8 hours have 900 000


def write_parts(path: Path, parts: list[tuple[int, bytes]]) -> Path:
    """Write a recording of parts that each begin at such a second."""
    with av.open(str(path), "w") as made:
        stream = made.add_stream("pcm_s16le", rate=RATE)
        stream.layout = "mono"
        for second, samples in parts:
            frame = av.AudioFrame("s16", "mono", len(samples) // 2)
            frame.planes[0].update(samples + bytes(frame.planes[0].buffer_size - len(samples)))
            frame.sample_rate, frame.pts, frame.time_base = RATE, second * RATE, Fraction(1, RATE)
            made.mux(stream.encode(frame))
        made.mux(stream.encode(None))
    return path


def test_a_recording_whose_rate_changes_is_heard_to_its_end(tmp_path: Path) -> None:
    """As recordings of broadcasts and joined MP3 files do."""
    files = []
    for rate, layout in ((44_100, "mono"), (48_000, "stereo")):
        path = tmp_path / f"{rate}.mp3"
        with av.open(str(path), "w") as made:
            stream = made.add_stream("libmp3lame", rate=rate)
            stream.layout = layout
            stream.format = "s16p"
            frame = av.AudioFrame("s16p", layout, 2 * rate)
            wave = array("h", (round(16_000 * sin(2 * pi * 440 * at / rate)) for at in range(2 * rate))).tobytes()
            for plane in frame.planes:
                plane.update(wave + bytes(plane.buffer_size - len(wave)))
            frame.sample_rate, frame.pts = rate, None
            made.mux(stream.encode(frame))
            made.mux(stream.encode(None))
        files.append(path.read_bytes())
    (tmp_path / "joined.mp3").write_bytes(b"".join(files))
    (piece,) = cut(tmp_path / "joined.mp3", LOUD)
    assert piece.cut.span.end_ms == pytest.approx(4000, abs=200)
    assert hertz(between(piece.sound, Span(2_500, 3_500))) == pytest.approx(440, rel=0.05)


def test_a_film_without_sound_is_refused(tmp_path: Path) -> None:
    path = make_film(tmp_path / "silent.mkv", 1, languages=())
    with pytest.raises(MediaError) as raised:
        cut(path, LOUD)
    assert raised.value.code == "no_audio"


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("text.mp3", b"Good morning. " * 1000, "not_media"),
        ("empty.wav", b"", "not_media"),
        ("zeros.m4a", bytes(100_000), "not_media"),
        ("list.mp3", b"#EXTM3U\n#EXTINF:1,\n/etc/passwd\n", "not_media"),
        ("list.mp4", b"ffconcat version 1.0\nfile /etc/passwd\n", "not_media"),
        ("", b"", "media_unreadable"),
    ],
)
def test_what_is_no_recording_is_refused(tmp_path: Path, name: str, content: bytes, code: str) -> None:
    path = tmp_path / (name or "missing.mp3")
    if name:
        path.write_bytes(content)
    with pytest.raises(MediaError) as raised:
        cut(path, LOUD)
    assert raised.value.code == code


@pytest.mark.parametrize("name", ["a.mp3", "a.m4a", "a.ogg", "a.flac", "a.wav"])
def test_a_damaged_recording_is_heard_as_far_as_it_goes_or_refused(tmp_path: Path, name: str) -> None:
    whole = write(tmp_path / name, make_background("music", 12 * RATE)).read_bytes()
    broken = bytearray(whole)
    for at in range(2000, len(broken), 97):
        broken[at] ^= 0x5A
    damaged = [
        whole[: len(whole) * 2 // 3],
        bytes(broken),
        whole[: len(whole) // 2] + bytes(len(whole) // 2),
        whole[1000:],
    ]
    for content in damaged:
        path = tmp_path / f"damaged{name}"
        path.write_bytes(content)
        try:
            pieces = cut(path, replace(LOUD, limit_ms=5_000))
        except MediaError as error:
            assert error.code in ("not_media", "undecodable")
            continue
        spans = [each.cut.span for each in pieces]
        assert all(each.end_ms - each.start_ms <= 5_000 for each in spans)
        assert all(one.end_ms == other.start_ms for one, other in pairwise(spans))
        assert all(milliseconds(each.sound) == each.cut.span.end_ms - each.cut.span.start_ms for each in pieces)


@pytest.mark.parametrize("length", [0, 1, 1151, 10 * RATE, 10 * RATE + 1, 25 * RATE + 777])
def test_an_encoded_piece_is_as_long_as_its_samples(length: int) -> None:
    samples = tone(26_000)[: 2 * length]
    assert encode(samples, "samples") == samples
    assert (decode(encode(samples, "wav")) if length else b"") == samples
    if length:
        assert len(decode(encode(samples, "mp3"))) // 2 == pytest.approx(length, abs=1152)


def test_a_piece_as_mp3_is_small_and_sounds_alike() -> None:
    samples = tone(60_000)
    sound = encode(samples, "mp3")
    assert len(sound) < 250_000
    assert hertz(decode(sound)) == pytest.approx(440, rel=0.01)


@SPEAKS
@DETECTS
def test_pieces_come_encoded_as_they_are_asked_for(tmp_path: Path) -> None:
    speech: Speech = make_speech()
    path = write_wav(tmp_path / "a.wav", speech.samples)
    bare = cut(path)
    read = partial(cut, path)
    assert [decode(each.sound) for each in read(replace(ALL, format="wav"))] == [each.sound for each in bare]
    for one, other in zip(read(replace(ALL, format="mp3")), bare, strict=True):
        assert one.cut == other.cut
        assert len(decode(one.sound)) == pytest.approx(len(other.sound), abs=2 * 1152)
