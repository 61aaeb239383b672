"""Editing of the cue under the eye by hand: its text and times, a split, a merge, a new one, none; the text's times.

Each gives the place to go on reading at, None where nothing changed; ``LodeError`` is left to the screen.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from tui.errors import InvalidInput
from tui.records.transcripts import MAX_CUE_TEXT, Cue, Transcript
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField
from tui.screens.dialogs.questions import ask_until_taken
from tui.screens.section import SectionScreen
from tui.text.sanitize import laid_out, one_line
from tui.text.times import exact_time, read_exact_time
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.transcript.cue_lines import AtOffset, PlaceInCue

CuePlace: TypeAlias = tuple[int, PlaceInCue]
EditCue: TypeAlias = Callable[[SectionScreen, Transcript, Cue, int], Awaitable[CuePlace | None]]
"""Function that edits a cue of a transcript; the word under the eye begins at this code point, -1 for none."""

SHIFT_MS = 100
"""Milliseconds by which one key moves a text."""
_LINE_END = " // "
TEXT_FIELD = PromptField("text", "Text", "what is said", MAX_CUE_TEXT)
_LONGEST_NEW_MS = 2000
_TIMES = (PromptField("start_ms", "Start", "0:00.000"), PromptField("end_ms", "End", "0:00.000"))
EDIT_HINT = "// begins a new line · enter saves · esc back"


async def edit_cue(screen: SectionScreen, transcript: Transcript, cue: Cue, at: int) -> CuePlace | None:
    """Ask for the text and the times of a cue."""
    shown = {"text": write_field(cue.text)}
    if has_times := transcript.duration_ms is not None:
        shown |= {"start_ms": exact_time(cue.start_ms), "end_ms": exact_time(cue.end_ms)}

    async def save(typed: Mapping[str, str]) -> CuePlace:
        changes: dict[str, Any] = {name: _read_time(typed, name) for name in typed if name != "text"}
        changes = {name: value for name, value in changes.items() if typed[name] != shown[name]}
        if typed["text"] != shown["text"]:
            changes["text"] = read_field(typed["text"])
        await screen.service.cues.edit(transcript.id, cue.index, seen=cue.text, **changes)
        return cue.index, AtOffset(max(0, at))

    fields = (TEXT_FIELD, *(_TIMES if has_times else ()))
    prompt = partial(FieldsPrompt, f"Line {cue.index + 1} by hand", fields, hint=EDIT_HINT)
    return await ask_until_taken(screen.app, prompt, shown, save)


async def insert_cue(screen: SectionScreen, transcript: Transcript, cue: Cue, at: int) -> CuePlace | None:
    """Ask for a new cue behind another one; it begins where that one ends."""
    index = cue.index + 1
    with screen.typed_kept():
        following = (await screen.service.transcripts.cues(transcript.id, offset=index, limit=1)).items
    value = {"text": ""}
    if has_times := transcript.duration_ms is not None:
        start = cue.end_ms or 0
        latest = following[0].start_ms if following else None
        start = start if latest is None else min(start, latest)
        end = start + _LONGEST_NEW_MS if latest is None or latest <= start else min(latest, start + _LONGEST_NEW_MS)
        value |= {"start_ms": exact_time(start), "end_ms": exact_time(end)}

    async def save(typed: Mapping[str, str]) -> CuePlace:
        times = {name: _read_time(typed, name) for name in typed if name != "text"}
        await screen.service.cues.insert(transcript.id, index, read_field(typed["text"]), **times)
        return index, 0

    fields = (TEXT_FIELD, *(_TIMES if has_times else ()))
    prompt = partial(FieldsPrompt, f"A new line after line {index}", fields, hint=EDIT_HINT)
    return await ask_until_taken(screen.app, prompt, value, save)


async def split_cue(screen: SectionScreen, transcript: Transcript, cue: Cue, at: int) -> CuePlace | None:
    """Split a cue before the word under the eye."""
    if at < 1 or not laid_out(cue.text)[:at].strip():
        screen.say("the second line begins with the word under the eye: go to another one than the first")
        return None
    await screen.service.cues.split(transcript.id, cue.index, seen=cue.text, at=at)
    return cue.index + 1, 0


async def merge_cue(screen: SectionScreen, transcript: Transcript, cue: Cue, at: int) -> CuePlace | None:
    """Make one of a cue and the next."""
    await screen.service.cues.merge(transcript.id, cue.index, seen=cue.text)
    return cue.index, AtOffset(max(0, at))


async def delete_cue(screen: SectionScreen, transcript: Transcript, cue: Cue, at: int) -> CuePlace | None:
    """Delete a cue, and say how it comes back."""
    left = await screen.service.cues.delete(transcript.id, cue.index, seen=cue.text)
    screen.say(f"line {cue.index + 1} deleted{_undoes(screen)}")
    return min(cue.index, left.cue_count - 1), 0


async def shift_transcript(screen: SectionScreen, transcript_id: str, ms: int) -> None:
    """Move all times of a transcript, and say by how much."""
    await screen.service.cues.shift(transcript_id, ms)
    screen.say(f"the text comes {abs(ms)} ms {'later' if ms > 0 else 'earlier'}{_undoes(screen)}")


def _undoes(screen: SectionScreen) -> str:
    return f" · {key} undoes it" if (key := shown_key(screen, "undo")) else ""


def write_field(text: str) -> str:
    """Write the text of a cue as a field of one line shows it."""
    return one_line(_LINE_END.join(text.splitlines()))


def read_field(typed: str) -> str:
    """Read the text of a cue out of such a field."""
    return "\n".join(line.strip() for line in typed.split(_LINE_END.strip()))


def _read_time(typed: Mapping[str, str], name: str) -> int:
    if (moment := read_exact_time(typed[name])) is None:
        raise InvalidInput(f"{typed[name][:40]!r} is no time: type one such as 1:02.500", field=name)
    return moment
