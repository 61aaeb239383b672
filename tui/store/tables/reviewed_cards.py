"""Cards that were taken in a review, as they become clips: new ones, or more of clips that are there."""

import sqlite3
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tui.records.clips import NewClip
from tui.store.known_words.word_rows import new_by_hand, record_seen, revision_of, states_before
from tui.store.rows import Connection
from tui.store.tables.clips import Clips, replace_contents
from tui.store.trash_entry import TrashEntry
from tui.text.clip_fields import completed, with_tags


def keep_cards(
    connection: Connection, clips: Clips, profile: sqlite3.Row, cards: Iterable[NewClip], entry: TrashEntry
) -> tuple[str, ...]:
    """Keep cards as clips, as ``Clips.keep`` does: one of the same sentence and word gets what it lacks, and the tags.

    What undoes it is put into the entry. Gives the ids of the clips that were made or have become more.
    """
    seq, name = profile["seq"], profile["name"]
    revision, were_new = revision_of(connection, seq), new_by_hand(connection, seq)
    added, edited = list[str](), dict[str, dict[str, Any]]()
    for card in cards:
        there = clips.find_same(connection, seq, card)
        if there is None:
            added.append(clips.insert(connection, name, seq, card).id)
            continue
        row = clips.row(connection, there)
        before = clips.build(row).contents()
        after = replace(completed(before, card), tags=with_tags(before.tags, card.tags, ()))
        if changes := replace_contents(connection, row, after):
            record_seen(connection, seq, after.focus, row["transcript_id"], "clip")
            first = edited.get(there, {})  # two cards of one clip: undo goes back to what was before both
            edited[there] = {each: [first.get(each, change)[0], change[1]] for each, change in changes.items()} | {
                each: change for each, change in first.items() if each not in changes
            }
    edited = {clip: changes for clip, changes in edited.items() if clip not in added}
    if added:
        entry.undo["added_clips"] = added
    if edited:
        entry.undo["edited_clips"] = edited
    if added or edited:
        entry.undo["words"] = states_before(connection, seq, revision, were_new)
    return (*added, *edited)
