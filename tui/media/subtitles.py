"""Subtitles inside a film: those that are text, each track as an .ass file, which the importer reads like any other.

FFmpeg decodes every text codec into events of ASS: "ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text"
(libavcodec/ass.h).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tui import bounds
from tui.errors import MediaError
from tui.media.container import info, opened_media, origin_seconds
from tui.records.media import SubtitleTrack

_HEAD = "[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Start, End, Style, Name, Effect, Text\n"
_MOST_CHARACTERS = bounds.FILM_SUBTITLES.bytes_out


def text_subtitles(film: Path, numbers: Sequence[int] = ()) -> list[tuple[SubtitleTrack, str]]:
    """Read the tracks with these numbers, or all that are text, in one pass; each with its ``.ass`` text.

    Raises ``MediaError``: as ``opened_media``, ``no_such_track``, ``subtitles_are_pictures`` for a track that is named
    and no text, ``media_too_large`` for more text than any film has.
    """
    with opened_media(film) as container:
        from av.error import FFmpegError
        from av.stream import Discard

        tracks = info(container).subtitles
        chosen = [_named(tracks, number, film.name) for number in numbers] or [each for each in tracks if each.is_text]
        streams = [container.streams.subtitles[each.number - 1] for each in chosen]
        if not streams:
            return []
        wanted = {stream.index: [_HEAD] for stream in streams}
        for stream in container.streams:
            stream.discard = Discard.default if stream.index in wanted else Discard.all
        origin, characters = origin_seconds(container), 0
        for packet in container.demux(streams):
            if not packet.size or packet.pts is None or packet.time_base is None:
                continue  # mov_text has empty ones between the others
            start = float(packet.pts * packet.time_base) - origin
            end = start + float((packet.duration or 0) * packet.time_base)
            with suppress(FFmpegError):  # a damaged one is left out
                for event in packet.decode():
                    line = _dialogue(start, end, getattr(event, "ass", b""))
                    characters += len(line)
                    wanted[packet.stream_index].append(line)
            if characters > _MOST_CHARACTERS:
                raise MediaError(f"{film.name} has more text than any film has", code="media_too_large")
        return [(track, "".join(wanted[stream.index])) for track, stream in zip(chosen, streams, strict=True)]


def _named(tracks: Sequence[SubtitleTrack], number: int, name: str) -> SubtitleTrack:
    if not 1 <= number <= len(tracks):
        raise MediaError(f"{name} has no track {number} of subtitles", code="no_such_track")
    track = tracks[number - 1]
    if not track.is_text:
        raise MediaError(
            f"the subtitles in track {number} of {name} are pictures ({track.codec}), not text",
            hint="name a track of text, or add a file of subtitles",
            code="subtitles_are_pictures",
        )
    return track


def _dialogue(start: float, end: float, event: bytes) -> str:
    """One line of the file, "" for an event without text; what could end the line is a space."""
    fields = event.decode("utf-8", "replace").split(",", 8)
    if len(fields) < 9:
        return ""
    _, _, style, name, _, _, _, effect, text = (" ".join(each.splitlines()) for each in fields)
    return f"Dialogue: {_clock(start)},{_clock(end)},{style},{name},{effect},{text}\n"


def _clock(seconds: float) -> str:
    milliseconds = max(0, round(seconds * 1000))
    minutes, rest = divmod(milliseconds, 60_000)
    return f"{minutes // 60}:{minutes % 60:02}:{rest // 1000:02}.{rest % 1000:03}"
