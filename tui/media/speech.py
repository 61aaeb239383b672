"""Speech of a film as one recording: the spans in which somebody speaks, one after the other, without what is between.

The film is read once from its first span on; where the next one is far away, it is gone to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tui.errors import MediaError
from tui.media.container import info, opened_media
from tui.media.loudness import evened
from tui.media.sound import Recording, Sound, chosen_track, piece
from tui.records.media import AudioTrack, Span


def write_speech(
    film: Path, spans: Sequence[Span], out: Path, *, language: str = "", track: int = 0
) -> Iterator[float | tuple[AudioTrack, int]]:
    """Write the spans of a film's sound to ``out`` as an MP3, mono, while it is iterated over.

    Yields the share that is done, at last the track that was taken, and milliseconds. ``track`` is its number, 0 for
    the one in the language, else the one that players take. Raises ``MediaError``: as ``opened_media``, and
    ``no_audio``, ``no_such_track``, ``undecodable``, ``media_encrypted``, ``past_end`` where the film ends before
    the first span.
    """
    with opened_media(film) as container:
        import av

        chosen = chosen_track(info(container).audio, language, track, film.name)
        sound = Sound(container, container.streams.audio[chosen.number - 1])
        with av.open(str(out), "w", format="mp3") as target:
            recording = Recording(target)
            for done, span in enumerate(spans):
                yield done / len(spans)
                for frame in evened(piece(sound, span.start_ms / 1000, span.end_ms / 1000)):
                    recording.write(frame)
            milliseconds = recording.finish()
        sound.check_heard(film.name)
    if not milliseconds:
        raise MediaError(
            f"{film.name} ends before anybody speaks in the transcript",
            hint="is it the film of this transcript?",
            code="past_end",
        )
    yield chosen, milliseconds
