"""Sound and pictures of many spans, cut out of a film in one pass: it is opened once for each, and read forwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path

from tui.media.container import info, opened_media, video_stream
from tui.media.loudness import evened
from tui.media.picture import Pictures
from tui.media.sound import Recording, Sound, chosen_track, piece
from tui.records.media import Cutting, Span


def cut(
    film: Path,
    spans: Sequence[Span],
    *,
    language: str = "",
    track: int = 0,
    sound: bool = True,
    pictures: bool = True,
) -> Iterator[Cutting]:
    """Cut each span's sound, and the picture in its middle, in the order of their times.

    ``track`` is the number of the track of sound, 0 for the one in the language, else the one that players take.
    Without pictures in the file there are none, and without tracks of sound a film has its pictures. Raises
    ``MediaError``: as ``opened_media``, and ``no_audio``, ``no_such_track``, ``undecodable``, ``media_encrypted``.
    """
    with ExitStack() as stack:
        heard = seen = None
        container = stack.enter_context(opened_media(film))
        if sound and (container.streams.audio or track or not (pictures and video_stream(container))):
            chosen = chosen_track(info(container).audio, language, track, film.name)
            heard = Sound(container, container.streams.audio[chosen.number - 1])
        if pictures:  # a container of its own: each is read from where it is needed next
            container = stack.enter_context(opened_media(film))
            stream = video_stream(container)
            seen = Pictures(container, stream) if stream else None
        for index in sorted(range(len(spans)), key=lambda each: spans[each].start_ms):
            span = spans[index]
            content, milliseconds = _mp3(heard, span) if heard else (b"", 0)
            if heard:
                heard.check_heard(film.name)
            picture = seen.at((span.start_ms + span.end_ms) / 2000) if seen else b""
            yield Cutting(index, content, milliseconds, picture)


def _mp3(sound: Sound, span: Span) -> tuple[bytes, int]:
    """The sound of a span and its milliseconds, b"" and 0 where there is none."""
    import av

    written = BytesIO()
    with av.open(written, "w", format="mp3") as target:
        recording = Recording(target)
        for frame in evened(piece(sound, span.start_ms / 1000, span.end_ms / 1000)):
            recording.write(frame)
        milliseconds = recording.finish()
    return (written.getvalue(), milliseconds) if milliseconds else (b"", 0)
