"""Translation tracks: which transcript another one has its translation from, and what that says of each cue."""

from __future__ import annotations

import asyncio

from tui.errors import InvalidInput
from tui.records.transcripts import Transcript, TranslationPair
from tui.service.library import Library
from tui.store.tables.transcripts.translations import Span, Track


async def pair(library: Library, transcript_id: str, translation_id: str, offset_ms: int | None) -> TranslationPair:
    """Give a transcript its track; without an offset that is found. Raises as ``Transcripts.pair`` says."""
    from tui.importing.alignment import find_offset, find_overlaps

    profile = library.profile
    ours = await library.run(lambda store: store.transcripts.get(profile, transcript_id))
    theirs = await library.run(lambda store: store.transcripts.get(profile, translation_id))
    if ours.id == theirs.id:
        raise InvalidInput(
            "a transcript is not a translation of itself",
            hint="name the other subtitle of the same film",
            code="same_transcript",
        )
    cues, others = await _spans(library, ours), await _spans(library, theirs)
    if offset_ms is None:
        offset_ms = await asyncio.to_thread(find_offset, cues, others)
    if offset_ms is None:
        raise InvalidInput(
            f"the cues of {theirs.title!r} and {ours.title!r} are not shown at the same times, however they are moved",
            hint="give the offset in milliseconds if they are of the same film",
            code="no_offset",
        )
    transcript = await library.change(lambda store: store.transcripts.pair(profile, ours.id, theirs.id, offset_ms))
    translated = await asyncio.to_thread(lambda: sum(map(bool, find_overlaps(cues, others, offset_ms))))
    return TranslationPair(transcript, translated)


async def _spans(library: Library, transcript: Transcript) -> list[Span]:
    spans = await library.run(lambda store: store.transcripts.spans(library.profile, transcript.id))
    if not spans:
        raise InvalidInput(
            f"{transcript.title!r} has no times, by which a translation is found",
            hint="pair two subtitles of the same film",
            code="no_times",
        )
    return spans


def translations(track: Track) -> tuple[str, ...]:
    """The translation of each cue, "" for none: what the track shows for more than half of the shorter one's time."""
    from tui.importing.alignment import find_overlaps

    timed = [cue for cue in track.cues if cue is not None]
    found = find_overlaps(timed, [(start, end) for start, end, _ in track.translations], 0)
    texts = ("\n".join(dict.fromkeys(track.translations[index][2] for index in each)) for each in found)
    return tuple("" if cue is None else next(texts) for cue in track.cues)
