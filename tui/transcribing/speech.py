"""Voice activity: whether somebody speaks in a frame of sound, by Silero's model through onnxruntime.

The model is the file that faster-whisper ships (MIT; https://github.com/snakers4/silero-vad), which the extra
``lode[whisper]`` installs with onnxruntime. It judges frames of 512 samples at 16 kHz, each with the last 64 samples
before it and with a state that goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tui.errors import MediaError

EXTRA = "pip install 'lode[whisper]'"
RATE, FRAME = 16_000, 512
"""Samples a second, and of a frame: 32 milliseconds."""
_CONTEXT, _STATE = 64, 128
_AT_ONCE = 256
"""Frames that are judged in one call."""
THRESHOLD, _LOWER = 0.4, 0.25
"""Probability from which on a frame is speech, and under which it is none any more.

Of 0.3 to 0.5, tried on speech and whispers, alone and over music and noise: 0.3 takes twice as much noise for speech,
0.5 loses more of the words over music; nobody is heard in either alone.
"""
_LEAST_SPEECH_MS, _LEAST_SILENCE_MS, _PAD_MS = 96, 192, 64


def find_model() -> Path | None:
    """The file of the model; None where the extra is not installed."""
    if find_spec("onnxruntime") is None or (found := find_spec("faster_whisper")) is None or found.origin is None:
        return None
    return next(iter(sorted((Path(found.origin).parent / "assets").glob("silero_vad*.onnx"))), None)


class SpeechDetector:
    """Judges the frames of a recording in their order; 120 MB of memory at most, in one thread.

    Raises ``MediaError`` where the extra is not installed.
    """

    def __init__(self) -> None:
        if (model := find_model()) is None:
            raise MediaError("finding speech needs one more library", hint=EXTRA, code="whisper_extra_missing")
        import numpy
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.inter_op_num_threads = options.intra_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 4
        self._numpy = numpy
        self._session = onnxruntime.InferenceSession(
            str(model), providers=["CPUExecutionProvider"], sess_options=options
        )
        self.reset()

    def reset(self) -> None:
        """Forget what was judged so far: another recording begins."""
        zeros, kind = self._numpy.zeros, self._numpy.float32
        self._state: list[Any] = [zeros((1, 1, _STATE), kind) for _ in range(2)]
        self._context = zeros(_CONTEXT, kind)

    def judge(self, samples: memoryview) -> Sequence[float]:
        """The probability of speech of each frame; ``samples`` are whole frames of 16 bits a sample."""
        numpy = self._numpy
        values = numpy.frombuffer(samples, numpy.int16).astype(numpy.float32) / 32768
        found: list[float] = []
        for at in range(0, len(values), FRAME * _AT_ONCE):
            part = values[at : at + FRAME * _AT_ONCE]
            frames = part.reshape(-1, FRAME)
            before = numpy.concatenate(([self._context], frames[:-1, -_CONTEXT:]))
            self._context = frames[-1, -_CONTEXT:]
            given = numpy.concatenate((before, frames), axis=1)
            names = {"input": given, "h": self._state[0], "c": self._state[1]}
            output, *self._state = self._session.run(None, names)
            found += output.reshape(-1).tolist()
        return found


def find_spans(scores: Sequence[float]) -> list[tuple[int, int]]:
    """The spans in which somebody speaks, in milliseconds from the first of these frames on."""
    spans: list[tuple[int, int]] = []
    start: int | None = None
    for at, score in enumerate([*scores, 0.0]):
        moment = at * FRAME * 1000 // RATE
        if start is None and score >= THRESHOLD:
            start = moment
        elif start is not None and (score < _LOWER or at == len(scores)):
            spans.append((start, moment))
            start = None
    joined: list[tuple[int, int]] = []
    for begin, end in spans:
        if joined and begin - joined[-1][1] < _LEAST_SILENCE_MS:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((begin, end))
    last = len(scores) * FRAME * 1000 // RATE
    long = [each for each in joined if each[1] - each[0] >= _LEAST_SPEECH_MS]
    return [(max(0, begin - _PAD_MS), min(last, end + _PAD_MS)) for begin, end in long]
