"""Single records for people: fields, clips, focus words, cues, and what a deletion took."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from tui.cli.output import console
from tui.text.clip_fields import shown, sound_of
from tui.text.display import clock, count_of, other_choice
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.records.clips import Clip, FocusWord
    from tui.records.deletion import Deletion
    from tui.records.transcripts import Cue, OriginalCue, Sentence


def put_fields(*fields: tuple[str, str]) -> None:
    """Names and values in two columns; what has no value is left out."""
    longest = max(len(name) for name, value in fields if value)
    for name, value in fields:
        if value:
            console.put(f"{name:{longest}}  {one_line(value)}")


def put_clip(clip: Clip) -> None:
    """A clip with its focus word and explanation, and where it is from."""
    console.put(clip.sentence)
    for _, text in shown(clip, "gloss", "context"):
        console.put(text)
    if clip.focus:
        console.put()
        put_focus(clip.focus)
    for _, text in shown(clip, "body"):
        console.put("\n" + text.rstrip())
    console.put()
    put_fields(
        ("source", " ".join(filter(None, (clip.source, clock(clip.start_ms))))),
        ("dictionary", (clip.focus and clip.focus.dictionary) or ""),
        ("sound", sound_of(clip)),
        ("model", clip.model),
        ("tags", " ".join(clip.tags)),
        ("id", clip.id),
        ("kept", clip.created_at),
    )


def put_focus(focus: FocusWord, other: FocusWord | None = None) -> None:
    """The focus word's card: the word, what kind of word it is, its meanings, how often the library has it.

    Below it the ``other`` word that may as well be meant.
    """
    from rich.cells import cell_len

    from tui.text.cells import fit

    surface = one_line(focus.surface)
    lemma = focus.lemma if focus.lemma != focus.surface else None
    kind = " · ".join(filter(None, (lemma, focus.reading, focus.part_of_speech, focus.grammar, focus.level)))
    counted = f"{count_of(focus.frequency, 'time')} in your library" if focus.frequency is not None else ""
    found = " · ".join(filter(None, (counted, focus.commonness)))
    source = f"from {focus.dictionary}" if focus.dictionary and focus.meanings else ""
    or_other = other_choice(other) if other is not None else ""
    said = (kind, ", ".join(focus.meanings), source, found, or_other)
    lines = [one_line(line) for line in said if line] or [""]
    indent = cell_len(surface) + 3
    for index, line in enumerate(lines):
        console.put(f"{fit('' if index else surface, indent)}{line}".rstrip())


def put_original(cue: OriginalCue, width: int) -> None:
    """A cue of a file that the import changed: when it stood there, what was done and why, and its text."""
    start = clock(cue.start_ms) if cue.start_ms is not None else ""
    became = "" if cue.cue_index is None else f" → {cue.cue_index + 1}"
    console.put(f"{start:>{width}}  {cue.change} ({', '.join(cue.reasons)}){became}")
    for line in cue.text.splitlines():
        console.put(f"{'':{width}}  {one_line(line)}")


def put_cue(cue: Cue | Sentence, width: int, note: str = "") -> None:
    """A cue or sentence after its start, or its number where it has no times, in a column of ``width``; its note."""
    from tui.records.transcripts import Cue

    start = clock(cue.start_ms) if cue.start_ms is not None else str(cue.index + 1)
    sounds = "".join(f"[{sound}] " for sound in cue.sounds) if isinstance(cue, Cue) else ""
    text = sounds + (f"{cue.speaker}: {cue.text}" if cue.speaker else cue.text)
    lines = [one_line(line) for line in text.splitlines()] or [""]
    console.put(f"{start:>{width}}  {lines[0]}")
    for line in lines[1:]:
        console.put(f"{'':{width}}  {line}")
    if note:
        console.put(f"{';':>{width}}  {one_line(note)}")


def ask_deletion(noun: str, number: int, more: str = "", *, plural: str = "") -> None:
    """Ask the person at the terminal; leaves the command with 1 when the answer is no, with 130 when there is none."""
    # Not click.confirm: before 8.2 it writes a part of its question to standard output.
    sys.stderr.write(f"Delete {count_of(number, noun, plural)}{more}? [y/N] ")
    sys.stderr.flush()
    try:
        answer = sys.stdin.readline(1000)
    except KeyboardInterrupt as error:
        raise click.Abort from error
    if not answer:
        raise click.Abort
    if answer.strip().lower() not in ("y", "yes"):
        console.tell("nothing was deleted")
        raise click.exceptions.Exit(1)


def put_deletion(noun: str, deletion: Deletion, *, as_json: bool) -> None:
    """Say what a deletion took, and how it comes back."""
    jobs = f" and {count_of(len(deletion.job_ids), 'job')}" if deletion.job_ids else ""
    answer = {"count": deletion.count, "deleted_job_ids": deletion.job_ids}
    console.put_answer(answer, f"deleted {count_of(deletion.count, noun)}{jobs}", as_json=as_json)
    console.tell("lode undo brings back what was deleted")
