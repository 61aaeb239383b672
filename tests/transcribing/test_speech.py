"""Whether somebody speaks: real speech by espeak-ng, alone and over music and noise."""

from __future__ import annotations

import pytest

from tests.transcribing.speeches import DETECTS, SPEAKS, Background, make_background, make_speech, mix, silence
from tui.errors import MediaError
from tui.transcribing import speech as speech_module
from tui.transcribing.speech import FRAME, RATE, THRESHOLD, SpeechDetector, find_spans

MS = FRAME * 1000 // RATE
PAD = 64


def judge(samples: bytes, detector: SpeechDetector | None = None) -> list[float]:
    whole = len(samples) // (2 * FRAME) * 2 * FRAME
    return list((detector or SpeechDetector()).judge(memoryview(samples[:whole])))


def frames(*parts: tuple[int, float]) -> list[float]:
    """So many frames of such a probability, and so on."""
    return [score for count, score in parts for _ in range(count)]


@SPEAKS
@DETECTS
@pytest.mark.parametrize("voice", ["en-us", "en-us+f3", "de"])
def test_speech_begins_where_it_begins(voice: str) -> None:
    speech = make_speech(voice)
    spans = find_spans(judge(speech.samples))
    for said in speech.said:
        assert min(abs(start - said.start_ms) for start, _ in spans) <= 400, said
        assert any(abs(end - said.end_ms) <= 400 for _, end in spans), said
    outside = [
        span for span in spans if not any(span[0] < said.end_ms and said.start_ms < span[1] for said in speech.said)
    ]
    assert outside == []


@SPEAKS
@DETECTS
@pytest.mark.exhaustive
@pytest.mark.parametrize(("background", "decibels"), [("music", 12), ("music", 6), ("noise", 12), ("traffic", 6)])
def test_speech_begins_where_it_begins_over_music_and_noise(background: Background, decibels: float) -> None:
    speech = mix(make_speech(), background, decibels)
    spans = find_spans(judge(speech.samples))
    for said in speech.said:
        assert min(abs(start - said.start_ms) for start, _ in spans) <= 400, (said, spans)
    heard = sum(
        max(0, min(end, said.end_ms) - max(start, said.start_ms)) for start, end in spans for said in speech.said
    )
    assert heard >= 0.95 * sum(said.end_ms - said.start_ms for said in speech.said)


@DETECTS
@pytest.mark.parametrize("background", ["music", "noise", "traffic"])
def test_nobody_speaks_in_music_and_noise(background: Background) -> None:
    assert find_spans(judge(make_background(background, 20 * RATE))) == []


@DETECTS
def test_nobody_speaks_in_silence() -> None:
    assert find_spans(judge(silence(20_000))) == []


@SPEAKS
@DETECTS
def test_frames_are_judged_alike_however_they_come() -> None:
    samples = make_speech().samples[: 600 * 2 * FRAME]
    detector = SpeechDetector()
    piecewise: list[float] = []
    for size in (1, 2, 7, *[17] * 10, 420):
        piecewise += detector.judge(memoryview(samples)[len(piecewise) * 2 * FRAME :][: size * 2 * FRAME])
    assert piecewise == pytest.approx(judge(samples), abs=1e-3)


@SPEAKS
@DETECTS
def test_a_detector_that_is_reset_knows_nothing_of_what_came_before() -> None:
    first, second = make_speech().samples[: 200 * 2 * FRAME], make_speech("de").samples
    detector = SpeechDetector()
    judge(first, detector)
    assert judge(second, detector) != judge(second)
    detector.reset()
    assert judge(second, detector) == judge(second)


def test_without_the_extra_there_is_no_detector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech_module, "find_spec", lambda _: None)
    assert speech_module.find_model() is None
    with pytest.raises(MediaError) as raised:
        SpeechDetector()
    assert (raised.value.code, "lode[whisper]" in raised.value.hint) == ("whisper_extra_missing", True)


def test_a_span_has_a_little_sound_around_it() -> None:
    assert find_spans(frames((20, 0.0), (10, 0.9), (20, 0.0))) == [(20 * MS - PAD, 30 * MS + PAD)]


def test_a_span_goes_on_while_it_is_not_sure_that_nobody_speaks() -> None:
    unsure = (THRESHOLD + speech_module._LOWER) / 2
    assert find_spans(frames((20, unsure), (10, 0.9), (10, unsure), (20, 0.0))) == [(20 * MS - PAD, 40 * MS + PAD)]


def test_a_breath_does_not_end_a_span_and_a_pause_does() -> None:
    assert len(find_spans(frames((10, 0.9), (5, 0.0), (10, 0.9)))) == 1
    assert len(find_spans(frames((10, 0.9), (7, 0.0), (10, 0.9)))) == 2


def test_a_click_is_no_speech() -> None:
    assert find_spans(frames((20, 0.0), (2, 0.99), (20, 0.0))) == []


@pytest.mark.parametrize("scores", [[], [0.0], [THRESHOLD - 0.01] * 100])
def test_nothing_is_no_speech(scores: list[float]) -> None:
    assert find_spans(scores) == []


def test_spans_end_with_the_sound() -> None:
    assert find_spans([0.9] * 100) == [(0, 100 * MS)]
    assert find_spans(frames((1, 0.0), (98, 0.9), (1, 0.0))) == [(0, 100 * MS)]


def test_spans_are_in_order_and_apart() -> None:
    spans = find_spans(frames(*[(5, 0.9), (7, 0.1)] * 50))
    assert len(spans) == 50
    moments = [moment for span in spans for moment in span]
    assert moments == sorted(set(moments))
