"""Reports of clips merged with Anki's notes: a line of counts, and one for each note whose edits stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.cli.output import console
from tui.text.display import count_of

if TYPE_CHECKING:
    from tui.records.exports import MergeReport

PLAIN_DECK = (
    "note: Anki takes a changed clip whole, unless its note was edited there later, and none where you changed the note"
    " type, unless you tick Merge note types; to keep edits field by field use lode push, or --from"
)
_MOST = 20


def put_merge(deck: str, merge: MergeReport, where: str) -> None:
    """Tell what a merge did: counts to stdout, what the learner should look at to stderr."""
    edits = f", {count_of(merge.kept_count, 'note')} with edits of Anki's kept" if merge.kept_count else ""
    console.put(f"{deck}: {merge.added} new, {merge.updated} updated, {merge.same} the same{edits} · {where}")
    for each in merge.kept[:_MOST]:
        what = f"edited in Anki, stays: {', '.join(each.fields)}"
        if each.conflicts:
            what = f"changed on both sides, Anki's stays: {', '.join(each.conflicts)}"
        console.tell(f"{each.clip_id} {each.word}: {what}")
    if merge.kept_count > _MOST:
        console.tell(f"and {merge.kept_count - _MOST} more: --json has them")
    if merge.by_time:
        notes = count_of(merge.by_time, "note")
        console.tell(f"note: what was sent before is not known of {notes}: the later side won, by its time of change")
    if merge.note_types:
        console.tell(f"note: written for the note type as it is in Anki: {', '.join(merge.note_types)}")
    if merge.deleted_count:
        _tell_deleted(merge)
    if merge.not_taken:
        console.tell(f"warning: Anki has not taken {count_of(merge.not_taken, 'note')}: look at its window")


def _tell_deleted(merge: MergeReport) -> None:
    for each in merge.deleted[:_MOST]:
        console.tell(f"{each.clip_id} {each.word}: deleted here{', edited in Anki' if each.edited else ''}")
    if merge.deleted_count > _MOST:
        console.tell(f"and {merge.deleted_count - _MOST} more that were deleted here: --json has the first")
    if left := merge.deleted_count - merge.removed:
        notes = count_of(left, "note")
        console.tell(f"note: the clips of {notes} in Anki were deleted here; lode push --remove-deleted removes them")
    if merge.removed:
        whose = "note whose clip was" if merge.removed == 1 else "notes whose clips were"
        console.tell(f"{merge.removed} {whose} deleted here: removed from Anki")
