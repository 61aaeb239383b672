"""Sound, pictures, waveform and subtitles of spans of a film: the right ones, and evenly loud."""

from __future__ import annotations

from array import array
from fractions import Fraction
from io import BytesIO
from math import pi, sin
from pathlib import Path

import pytest

from tests.media.films import RATE, av, decibels, length, make_film, make_pictures, make_sound, subtitled, tone, tones
from tui.errors import MediaError
from tui.importing.parse import parse
from tui.media.container import probe, read_text_subtitles
from tui.media.cutting import cut, widen_sentence_span
from tui.media.sound import measure_gain, measure_peaks
from tui.records.media import AudioTrack, Span


def looked_at(picture: bytes) -> tuple[int, int, int]:
    """Width, height and grey of a JPEG."""
    with av.open(BytesIO(picture)) as opened:
        frame = next(opened.decode(video=0))
        return frame.width, frame.height, bytes(frame.planes[0])[frame.width // 2]


def test_each_span_has_its_own_sound_and_the_picture_in_its_middle(film: Path, tmp_path: Path) -> None:
    spans = [Span(7000, 8000), Span(1250, 2250), Span(1000, 3000), Span(9500, 10_000), Span(30_000, 31_000)]
    found = {each.index: each for each in cut(film, spans, language="en")}
    assert len(found) == len(spans)
    for index, (span, second) in enumerate(zip(spans[:4], (7, 1, 2, 9), strict=True)):
        (tmp_path / "one.mp3").write_bytes(found[index].sound)
        seconds = (span.end_ms - span.start_ms) / 1000
        assert length(tmp_path / "one.mp3") == pytest.approx(seconds, abs=0.005)
        middle = seconds / 2
        assert tones(tmp_path / "one.mp3", middle + 0.01, middle + 0.24) == pytest.approx(tone(second, 1), abs=12)
        width, height, grey = looked_at(found[index].picture)
        assert (width, height, abs(grey - shade(span)) <= 4) == (64, 48, True), (grey, shade(span))
    assert (found[4].sound, found[4].duration_ms, found[4].picture) == (b"", 0, b"")


def shade(span: Span) -> int:
    tenths = (span.start_ms + span.end_ms) // 200
    return round((12 * (tenths // 10) + 6 * (tenths % 10 >= 5)) * 255 / 219)  # a JPEG has the full range


@pytest.mark.parametrize(("name", "codec"), [("a.m2ts", "libx264"), ("b.ts", "mpeg2video"), ("c.mpg", "mpeg2video")])
def test_pictures_of_a_transport_stream_come_from_the_sentence_itself(tmp_path: Path, name: str, codec: str) -> None:
    """It has no index of its key frames, of which here is one every five seconds."""
    film = make_film(tmp_path / name, 8, codec="mp2", shades=True, video_codec=codec)
    for spans in ([Span(500, 2000)], [Span(6250, 7250)], [Span(0, 500), Span(4500, 6000), Span(7000, 7500)]):
        for each in cut(film, spans):
            grey = looked_at(each.picture)[2]
            assert abs(grey - shade(spans[each.index])) <= 4, (spans[each.index], grey)
            (tmp_path / "one.mp3").write_bytes(each.sound)
            second, at = divmod(spans[each.index].start_ms / 1000, 1)
            heard = tones(tmp_path / "one.mp3", 0.06, min(0.36, 1 - at))
            assert heard == pytest.approx(tone(int(second)), abs=15)


@pytest.mark.parametrize(
    ("layout", "levels", "codec"),
    [
        ("5.1", (0, 0, 0.04, 0, 0, 0), "ac3"),
        ("5.1(side)", (0, 0, 0.04, 0, 0, 0), "flac"),
        ("5.1", (0.6, -0.6, 0.9, 0.5, 0.6, 0.6), "pcm_s16le"),
        ("stereo", (0.04, 0.04), "pcm_s16le"),
        ("stereo", (1, 1), "ac3"),
    ],
)
def test_speech_is_as_loud_from_whatever_channel(
    tmp_path: Path, layout: str, levels: tuple[float, ...], codec: str
) -> None:
    film = make_sound(tmp_path / "film.mkv", layout, levels, codec)
    (each,) = cut(film, [Span(500, 2500)])
    (tmp_path / "one.mp3").write_bytes(each.sound)
    assert decibels(tmp_path / "one.mp3") == pytest.approx(-20, abs=0.5)


def test_what_the_film_has_not_is_not_cut(tmp_path: Path) -> None:
    heard = make_film(tmp_path / "heard.mp3", 2, codec="libmp3lame", video=False)
    (only,) = cut(heard, [Span(0, 1000)])
    assert only.duration_ms == pytest.approx(1000, abs=2)
    assert only.picture == b""
    seen = make_film(tmp_path / "seen.mkv", 2, languages=())
    with pytest.raises(MediaError) as refused:
        list(cut(seen, [Span(0, 1000)], pictures=False))
    assert refused.value.code == "no_audio"
    (only,) = cut(seen, [Span(0, 1000)])
    assert (only.sound, looked_at(only.picture)[:2]) == (b"", (64, 48))


def test_an_encrypted_film_is_told(film: Path, tmp_path: Path) -> None:
    key = {"encryption_scheme": "cenc-aes-ctr", "encryption_key": "76" * 16, "encryption_kid": "a7" * 16}
    with av.open(str(film)) as given, av.open(str(tmp_path / "e.mp4"), "w", options=key) as locked:
        streams = {each.index: locked.add_stream_from_template(each) for each in given.streams}
        for packet in given.demux():
            if packet.dts is not None:
                packet.stream = streams[packet.stream_index]
                locked.mux(packet)
    for sound in (True, False):
        with pytest.raises(MediaError) as refused:
            list(cut(tmp_path / "e.mp4", [Span(0, 1000)], sound=sound, pictures=not sound))
        assert refused.value.code == "media_encrypted"


def test_a_sentence_ends_where_its_neighbour_begins() -> None:
    assert widen_sentence_span(1000, 2000) == Span(750, 2400)
    assert widen_sentence_span(100, 200) == Span(0, 600)
    assert widen_sentence_span(1000, 2000, previous_end=500, next_start=3000) == Span(750, 2400)
    assert widen_sentence_span(1000, 2000, previous_end=900, next_start=2100) == Span(900, 2100)
    overlapping = widen_sentence_span(1000, 2000, previous_end=1500, next_start=1800)
    assert overlapping == Span(1000, 2000), "neighbours that overlap it take nothing from it"


def test_quiet_and_loud_speech_become_equally_loud_and_silence_stays() -> None:
    def sound(level: float, pause: int = 0) -> array[float]:
        return array("f", [level / 32_768 * sin(at / 10) for at in range(RATE)] + [0.0] * pause)

    for level in (2_000, 4_000, 9_000):
        assert measure_gain(sound(level, RATE)) == pytest.approx(measure_gain(sound(level)), abs=0.3)
    assert measure_gain(sound(2_000)) - measure_gain(sound(4_000)) == pytest.approx(6.02, abs=0.1)
    assert measure_gain(array("f", [0.0] * RATE)) == 0
    assert measure_gain(sound(20)) == 20
    click = sound(500)
    click[5] = 32_000 / 32_768
    assert measure_gain(click) == pytest.approx(-1.3, abs=0.05)


def test_a_waveform_has_fifty_peaks_a_second(tmp_path: Path) -> None:
    path = tmp_path / "steps.wav"
    with av.open(str(path), "w") as made:
        stream = made.add_stream("pcm_s16le", rate=RATE)
        stream.layout = "mono"
        for second, level in enumerate((0, 8_000, 32_000)):
            samples = array("h", (round(level * sin(2 * pi * 440 * at / RATE)) for at in range(RATE)))
            frame = av.AudioFrame("s16", "mono", RATE)
            frame.planes[0].update(samples.tobytes())
            frame.sample_rate, frame.pts, frame.time_base = RATE, second * RATE, Fraction(1, RATE)
            made.mux(stream.encode(frame))
        made.mux(stream.encode(None))
    drawn = measure_peaks(path, Span(500, 5000))
    assert len(drawn) == pytest.approx(125, abs=1)
    assert (max(drawn[:23]), set(drawn[77:120]) <= set(range(240, 256))) == (0, True)
    assert all(each == pytest.approx(62, abs=3) for each in drawn[27:73])
    assert measure_peaks(path, Span(9000, 9500)) == b""


@pytest.mark.parametrize(("name", "codec"), [("a.mkv", "srt"), ("b.mkv", "ass"), ("c.mp4", "mov_text")])
def test_subtitles_inside_a_film_are_read_like_files(tmp_path: Path, name: str, codec: str) -> None:
    path = subtitled(tmp_path / name, codec)
    ((track, text),) = (each for each in read_text_subtitles(path) if not isinstance(each, float))
    assert (track.number, track.language, track.is_text, probe(path).subtitles) == (1, "es", True, (track,))
    (transcript,) = parse("a.ass", text.encode(), language="es").transcripts
    assert [(cue.start_ms, cue.end_ms, cue.text) for cue in transcript.cues] == [
        (500, 1400, "Hola, ¿qué tal?"),
        (2000, 3500, "Muy bien.\nGracias."),
    ]
    with pytest.raises(MediaError) as refused:
        list(read_text_subtitles(path, [2]))
    assert refused.value.code == "no_such_track"


def test_a_film_is_probed(film: Path) -> None:
    found = probe(film)
    assert (found.has_video, found.width, found.height) == (True, 64, 48)
    assert found.duration_ms == pytest.approx(20_000, abs=90)
    assert found.audio == (AudioTrack(1, "de", "", "aac"), AudioTrack(2, "en", "", "aac"))


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("width", "height", "pixel", "kind", "codec", "size"),
    [
        (1920, 1080, Fraction(1), "yuv420p", "libx264", (640, 360)),
        (720, 576, Fraction(16, 15), "yuv420p", "mpeg4", (640, 480)),
        (320, 180, Fraction(1), "yuv420p10le", "libx265", (320, 180)),
    ],
)
def test_pictures_are_small_with_square_pixels(
    tmp_path: Path, width: int, height: int, pixel: Fraction, kind: str, codec: str, size: tuple[int, int]
) -> None:
    picture = av.VideoFrame(width, height, "yuv420p").reformat(format=kind)
    path = make_pictures(tmp_path / "film.mkv", codec, picture, pixel)
    (only,) = cut(path, [Span(0, 1000)], sound=False)
    assert looked_at(only.picture)[:2] == size


def test_a_film_that_was_held_upright_is_shown_upright(tmp_path: Path) -> None:
    picture = av.VideoFrame(64, 32, "yuv420p")
    luma, *colours = picture.planes
    luma.update((bytes((235,)) * (luma.line_size // 2) + bytes((16,)) * (luma.line_size // 2)) * 32)
    for plane in colours:
        plane.update(bytes((128,)) * plane.buffer_size)
    path = make_pictures(tmp_path / "phone.mp4", "mpeg4", picture)
    one, minus = (65_536).to_bytes(4, "big"), (-65_536).to_bytes(4, "big", signed=True)
    upright, turned = one + bytes(12) + one + bytes(12), bytes(4) + one + bytes(4) + minus + bytes(16)
    before, header, after = path.read_bytes().partition(b"tkhd")
    path.write_bytes(before + header + after.replace(upright, turned, 1))  # a quarter turn with the clock, when shown
    (only,) = cut(path, [Span(0, 1000)], sound=False)
    with av.open(BytesIO(only.picture)) as opened:
        frame = next(opened.decode(video=0))
        column = bytes(frame.planes[0])[:: frame.planes[0].line_size]
    assert (frame.width, frame.height) == (32, 64)
    assert column[8] > 200 and column[56] < 50  # what was at the left is above
