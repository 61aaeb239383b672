"""Subtitles inside a film: those that are text, each track as an .ass file, which the importer reads like any other.

FFmpeg decodes every text codec into events of ASS: "ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text"
(libavcodec/ass.h).
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from tui import bounds
from tui.errors import MediaError
from tui.media.container import find_origin, list_tracks, open_media
from tui.records.media import SubtitleTrack

_HEAD = "[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Start, End, Style, Name, Effect, Text\n"
MAX_CHARACTERS, MAX_EVENTS = bounds.FILM_SUBTITLES.bytes_out, bounds.FILM_SUBTITLES.entries
"""Maximum characters of all tracks of a film that are read, and events of a track."""
_OTHER = "check that it is the film you meant, or add a file of subtitles"
_REPORTED_PACKETS = 1_000


def read_text_subtitles(film: Path, numbers: Sequence[int] = ()) -> Iterator[float | tuple[SubtitleTrack, str]]:
    """Read the tracks with these numbers, or all that are text, in one pass; at last each with its ``.ass`` text.

    Before that come shares of the film that are read, from 0 to 1. Raises ``MediaError``: as ``open_media``,
    ``no_such_track``, ``subtitles_are_pictures`` for a track that is named and no text, ``media_too_large`` for more
    text or events than any film has.
    """
    with open_media(film) as container:
        from av.error import FFmpegError
        from av.stream import Discard

        tracks = list_tracks(container).subtitles
        chosen = [_named(tracks, number, film.name) for number in numbers] or [each for each in tracks if each.is_text]
        if not (streams := [container.streams.subtitles[each.number - 1] for each in chosen]):
            return
        wanted = {stream.index: [_HEAD] for stream in streams}
        for stream in container.streams:
            stream.discard = Discard.default if stream.index in wanted else Discard.all
        origin, characters, size = find_origin(container), 0, max(1, container.size)
        for number, packet in enumerate(container.demux(streams)):
            if number % _REPORTED_PACKETS == 0:
                yield min(1.0, max(0, packet.pos or 0) / size)
            if not packet.size or packet.pts is None or packet.time_base is None:
                continue  # mov_text has empty ones between the others
            unit = float(packet.time_base)
            start = packet.pts * unit - origin
            end = start + (packet.duration or 0) * unit
            lines = wanted[packet.stream_index]
            with suppress(FFmpegError):  # a damaged one is left out
                for event in packet.decode():
                    line = _dialogue(start, end, getattr(event, "ass", b""))
                    characters += len(line)
                    lines.append(line)
            if characters > MAX_CHARACTERS:
                raise MediaError(f"{film.name} has more text than any film has", hint=_OTHER, code="media_too_large")
            if len(lines) > MAX_EVENTS:
                raise MediaError(
                    f"{film.name} has a track of more than {MAX_EVENTS:,} subtitles, more than any film has",
                    hint=_OTHER,
                    code="media_too_large",
                )
        for track, stream in zip(chosen, streams, strict=True):
            yield track, "".join(wanted[stream.index])


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
    minutes, rest = divmod(max(0, round(seconds * 1000)), 60_000)
    return f"{minutes // 60}:{minutes % 60:02}:{rest // 1000:02}.{rest % 1000:03}"
