"""Contents of clips: what people type into their fields, and what dictionaries and translation tracks fill in later.

A track is another transcript, which one has its translation from.
"""

from __future__ import annotations

import asyncio
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from tui.errors import InvalidInput
from tui.records.clips import Clip, FilledClip, FillReport, FocusWord, NewClip
from tui.records.media import Span
from tui.records.transcripts import Cue, Transcript, TranslationPair
from tui.service.library import Library
from tui.service.notes import with_notes
from tui.text.clip_fields import EDITED, completed
from tui.text.sanitize import one_line
from tui.text.sentence_cues import FARTHEST_OF_SENTENCE, find_sentence_cues

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from tui.records.clip_selection import ClipSelection
    from tui.records.dictionaries import LookUp
    from tui.store import Store
    from tui.store.tables.transcript_edit import Span as CueSpan
    from tui.store.tables.transcript_edit import Track

    Read = Callable[[Clip], Awaitable[str]]
    LookUpWord = Callable[[str, str | None, str], Awaitable[tuple[FocusWord, LookUp]]]

_LOOKED_UP = ("lemma", "reading", "part_of_speech", "level", "meanings", "commonness")
_UNTOLD = ("origin", "dictionary", "language", "frequency")


async def fill_clips(
    library: Library, look_up: LookUpWord, read: Read, selection: ClipSelection, *, dry_run: bool
) -> FillReport:
    """Fill clips as ``protocol.Clips`` says; ``read`` gives the sentence of one with the readings that are known."""
    profile = library.profile
    clips: Sequence[Clip] = await library.run(
        lambda store: tuple(store.clips.each(profile, store.exports.select(profile, "", selection)))
    )
    more: dict[str, NewClip] = {}
    for clip in clips:
        focus = await look_up_focus(look_up, clip)
        reading = "" if clip.sentence_reading else await read(clip)
        said = "" if clip.translation else await read_track(library, clip)
        if focus is not None or reading or said:
            more[clip.id] = NewClip(clip.sentence, focus=focus, sentence_reading=reading, translation=said)
    if dry_run:
        whole = {clip.id: completed(clip, more[clip.id]) for clip in clips if clip.id in more}
    else:
        done = await library.change(lambda store: with_notes(store, store.clips.complete(profile, more)))
        whole = {clip.id: clip for clip in done}
    now = [whole.get(clip.id, clip) for clip in clips]
    pairs = ((clip, _filled(before, clip)) for before, clip in zip(clips, now, strict=True))
    filled = tuple(FilledClip(clip, names) for clip, names in pairs if names)
    return FillReport(len(clips), filled, sum(clip.focus is not None and not clip.focus.meanings for clip in now))


async def read_track(library: Library, clip: NewClip) -> str:
    """Read what the translation track says beside the sentence of a clip; "" where it has none, or is not found."""
    if (transcript_id := clip.transcript_id) is None or clip.cue_index is None:
        return ""
    first = max(0, clip.cue_index - FARTHEST_OF_SENTENCE)
    count = clip.cue_index - first + FARTHEST_OF_SENTENCE + 1

    def read(store: Store) -> tuple[Sequence[Cue], Track] | None:
        transcript = store.transcripts.get(library.profile, transcript_id)
        if transcript.translation_id is None:
            return None
        cues = store.transcripts.cues(library.profile, transcript.id, first, count).items
        return cues, store.transcripts.track(library.profile, transcript.id, first, count)

    if (found := await library.run(read)) is None:
        return ""
    cues, track = found
    of_sentence = {cue.index for cue in find_sentence_cues(clip.sentence, clip.cue_index, cues)}
    said = (text for cue, text in zip(cues, translations(track), strict=True) if cue.index in of_sentence)
    return one_line("\n".join(dict.fromkeys(filter(None, said))))


async def look_up_focus(look_up: LookUpWord, clip: Clip) -> FocusWord | None:
    """Look up a clip's word as it stands in its sentence, else by its own lemma; None where it lacks nothing."""
    focus, language = clip.focus, clip.language
    if focus is None or all(getattr(focus, name) for name in _LOOKED_UP):
        return None
    found, _ = await look_up(focus.surface, language, clip.sentence)
    if (
        focus.lemma
        and (found.lemma or "").casefold() != focus.lemma.casefold()
        and (focus.meanings or focus.origin == "user")
    ):
        found, _ = await look_up(focus.lemma, language, "")
        found = replace(found, reading=None)  # which is that of the lemma
    return found


def _filled(before: Clip, now: Clip) -> tuple[str, ...]:
    """Names of what people see that the clip has now and had not before, or had of another word."""
    names = [
        field.name
        for field in fields(FocusWord)
        if field.name not in _UNTOLD and getattr(before.focus, field.name, None) != getattr(now.focus, field.name, None)
    ]
    of_sentence = ("sentence_reading", "translation")
    return (*names, *(name for name in of_sentence if getattr(before, name) != getattr(now, name)))


async def pair(library: Library, transcript_id: str, translation_id: str, offset_ms: int | None) -> TranslationPair:
    """Give a transcript its track; without an offset that is found. Raises as ``Transcripts.pair`` says."""
    from tui.retiming.alignment import find_offset, find_overlaps

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


async def _spans(library: Library, transcript: Transcript) -> list[CueSpan]:
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
    from tui.retiming.alignment import find_overlaps

    timed = [cue for cue in track.cues if cue is not None]
    found = find_overlaps(timed, [(start, end) for start, end, _ in track.translations], 0)
    texts = ("\n".join(dict.fromkeys(track.translations[index][2] for index in each)) for each in found)
    return tuple("" if cue is None else next(texts) for cue in track.cues)


def span_of(clip: NewClip) -> Span | None:
    """The span of time in which a clip is spoken, None of one without times."""
    return None if clip.start_ms is None or clip.end_ms is None else Span(clip.start_ms, clip.end_ms)


def edit_clip(clip: NewClip, typed: Mapping[str, str], span: Span | None = None) -> NewClip:
    """Clip with the typed texts, by the names of ``EDITED``, and with the times of ``span``; what is not there stays.

    Raises ``InvalidInput`` for meanings without a word.
    """
    changes: dict[str, Any] = {name: text.strip() for name, text in typed.items() if EDITED[name].read is None}
    if "tags" in typed:
        changes["tags"] = tuple(dict.fromkeys(typed["tags"].replace("#", " ").split()))
    if "focus" in typed or "meanings" in typed:
        changes["focus"] = _edited_focus(clip.focus, typed)
    if span is not None:
        changes |= {"start_ms": span.start_ms, "end_ms": span.end_ms}
    return replace(clip.contents() if isinstance(clip, Clip) else clip, **changes)


def _edited_focus(focus: FocusWord | None, typed: Mapping[str, str]) -> FocusWord | None:
    """Focus word with the typed meanings; another word loses what was known of the old one."""
    old = one_line(focus.surface) if focus is not None else ""
    surface = one_line(typed.get("focus", old))
    meanings = tuple(filter(None, (one_line(line) for line in typed.get("meanings", "").splitlines())))
    if not surface:
        if meanings:
            raise InvalidInput("these meanings have no word", hint="type the focus word, or take the meanings out")
        return None
    if focus is not None and surface == old:
        return replace(focus, meanings=meanings) if "meanings" in typed else focus
    return FocusWord(surface, meanings=meanings, language=focus.language if focus else None)
