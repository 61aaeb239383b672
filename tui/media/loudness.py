"""Loudness of a piece of speech: one gain for all of it, by how loud it is, and short fades at its ends.

A sentence is one to five seconds long. ``loudnorm`` measures in windows of three seconds and ``dynaudnorm`` in frames
of half a second that are weighed over fifteen seconds: on so short a piece both change the loudness within a word. One
gain changes nothing but the volume, and works for any length.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from math import log10
from operator import mul
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from av.audio.frame import AudioFrame

_FADE = 0.005
"""Seconds in which a piece begins and ends, so that no cut is heard as a click."""
_TARGET, _PEAK = -20.0, -1.5
"""Decibels below full scale: of the loud parts on average, and of the loudest sample."""
_MOST = 20.0
"""Decibels by which a piece is changed at most: what is nearly silent is no speech that is to be heard."""
_BLOCK = 2205
"""Samples that are measured together: a twentieth of a second."""
_LOUD_SHARE = 0.1
"""Share of the power of the loudest block from which on a block counts; pauses say nothing about the voice."""


def evened(frames: Iterable[AudioFrame]) -> Iterator[AudioFrame]:
    """Give a piece of sound (fltp, mono) the common loudness, with fades, as s16p; it is in memory until its end."""
    from av.filter import Graph

    from tui.media.sound import RATE, pulled

    piece = list(frames)
    if not piece:
        return
    samples = array("f")
    for frame in piece:
        samples.frombytes(bytes(frame.planes[0])[: frame.samples * samples.itemsize])
    graph, end = Graph(), len(samples) / RATE
    nodes = [
        graph.add_abuffer(format="fltp", sample_rate=RATE, layout="mono", time_base=piece[0].time_base),
        graph.add("volume", f"{gain(samples):.2f}dB"),
        graph.add("afade", f"t=in:d={_FADE}"),
        graph.add("afade", f"t=out:st={max(0.0, end - _FADE):.6f}:d={_FADE}"),
        graph.add("aformat", "sample_fmts=s16p:channel_layouts=mono"),
        graph.add("abuffersink"),
    ]
    graph.link_nodes(*nodes).configure()
    for each in (*piece, None):
        graph.push(each)
        yield from pulled(graph)


def gain(samples: array[float]) -> float:
    """The decibels by which sound is to be made louder, of which full scale is 1; 0 for silence."""
    peak = max(max(samples), -min(samples))
    if not peak:
        return 0.0
    powers = []
    for at in range(0, len(samples), _BLOCK):
        block = samples[at : at + _BLOCK]
        powers.append(sum(map(mul, block, block)) / len(block))
    loud = [each for each in powers if each >= max(powers) * _LOUD_SHARE]
    wanted = _TARGET - 10 * log10(sum(loud) / len(loud))
    return max(-_MOST, min(wanted, _PEAK - 20 * log10(peak), _MOST))
