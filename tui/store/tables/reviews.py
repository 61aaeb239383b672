"""Reviews: changes that a model proposes for the cues of a transcript, and that wait to be taken or left.

What is proposed goes by the text that was there when the model was asked: a cue that has another one by now is left
alone. A review that was applied or dropped is hidden by the row of the trash that brings it back.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from typing import Any

from tui.errors import InvalidInput
from tui.records.clips import NewClip
from tui.records.pages import Page
from tui.records.reviews import AppliedReview, Change, Review, ReviewItem, ReviewKind
from tui.store.database import Connections, Table
from tui.store.focus_words import focus_from_text, focus_to_text
from tui.store.rows import AMONG, MAX_INTEGER, PROFILE, Connection, as_json, json_value, new_id, now, record, to_text
from tui.store.tables.clips import Clips
from tui.store.tables.resource_table import cursor, cursor_numbers, invalid_cursor, page_limit
from tui.store.tables.reviewed_cards import keep_cards
from tui.store.tables.reviewed_corrections import apply_corrections, find_clips
from tui.store.tables.reviewed_translations import apply_translations, find_untranslated
from tui.store.tables.words import count_forms
from tui.store.trash_entry import TrashEntry
from tui.text.marked_words import FARTHEST
from tui.text.sanitize import one_line

_SELECT = (
    'SELECT r.id, r.kind, r.transcript_id, r.title, r.language, r.model, r.created_at, r.into_language AS "into",'
    " count(i.number) AS total,"
    " coalesce(sum(i.taken), 0) AS taken, coalesce(sum(i.taken AND NOT i.seen), 0) AS unseen,"
    ' coalesce(sum(i.doubtful), 0) AS doubtful, r.refused, r.left_out AS "left"'
    " FROM reviews AS r LEFT JOIN review_items AS i ON i.review = r.seq"
)
_CARD = tuple(field.name for field in fields(NewClip))


class Reviews(Table):
    """Reviews of the transcripts of a profile that wait."""

    def __init__(self, connections: Connections, clips: Clips) -> None:
        super().__init__(connections)
        self._clips = clips

    def begin(
        self,
        profile: str,
        transcript_id: str,
        kind: ReviewKind,
        model: str,
        *,
        into: str | None = None,
        review_id: str = "",
    ) -> str:
        """Begin a review of a transcript, which has nothing in it yet; gives its id, a new one where none is given."""
        with self._connections.write() as connection:
            given = connection.full_id("transcripts", profile, transcript_id)
            about = {"id": review_id or new_id(), "kind": kind, "transcript_id": given, "model": model}
            columns = {**about, "into_language": into, "created_at": now()}
            connection.insert("all_reviews", columns)
            return str(columns["id"])

    def add(self, profile: str, review_id: str, changes: Sequence[Change], *, refused: int = 0, left: int = 0) -> None:
        """Add changes to those that are there; all that are not doubtful are taken until somebody leaves them.

        Those without a number have that of their cue, so that what is answered out of order stands in its place.
        """
        with self._changing(profile, review_id) as (connection, review):
            connection.executemany(
                "INSERT OR REPLACE INTO review_items"
                " (review, number, cue, before, after, doubtful, card, taken, seen)"
                " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NOT ?6, 0)",
                [
                    (
                        review["seq"],
                        each.cue_index if each.number is None else each.number,
                        *(each.cue_index, each.before, each.after, each.is_doubtful),
                        _write_card(each.card),
                    )
                    for each in changes
                ],
            )
            more = "UPDATE all_reviews SET refused = refused + ?, left_out = left_out + ? WHERE seq = ?"
            connection.execute(more, (refused, left, review["seq"]))

    def page(self, profile: str, offset: int = 0, limit: int = 100, after: str | None = None) -> Page[Review]:
        """The reviews that wait, newest first."""
        last = None if after is None else cursor_numbers("reviews", after, 1)[0]
        offset = max(0, offset) if last is None else 0
        with self._connections.read() as connection:
            condition = f"WHERE r.profile = {PROFILE}"
            total = connection.value(f"SELECT count(*) FROM reviews AS r {condition}", profile)
            seqs = connection.column(
                f"SELECT r.seq FROM reviews AS r {condition} AND r.seq < ? ORDER BY r.seq DESC LIMIT ? OFFSET ?",
                *(profile, MAX_INTEGER if last is None else last, page_limit(limit) + 1, offset),
            )
            shown = seqs[: page_limit(limit)]
            query = f"{_SELECT} WHERE r.seq {AMONG} GROUP BY r.seq ORDER BY r.seq DESC"
            items = tuple(record(Review, row) for row in connection.rows(query, as_json(shown)))
            more = cursor("reviews", shown[-1]) if shown and len(seqs) > len(shown) else None
            return Page(items, total, offset, more)

    def get(self, profile: str, review_id: str) -> Review:
        """One review; raises ``NotFound``."""
        with self._connections.read() as connection:
            given = connection.full_id("reviews", profile, review_id)
            return record(Review, connection.rows(f"{_SELECT} WHERE r.id = ? GROUP BY r.seq", given)[0])

    def items(
        self, profile: str, review_id: str, offset: int = 0, limit: int = 100, after: str | None = None
    ) -> Page[ReviewItem]:
        """The changes of a review, in the order of their cues as they were then; raises ``NotFound``."""
        with self._connections.read() as connection:
            review = _find(connection, profile, review_id)
            last, offset = -1, max(0, offset)
            if after is not None:
                number, last = cursor_numbers("review_items", after, 2)
                offset = 0
                if number != review["seq"]:
                    raise invalid_cursor("review_items", after)
            query = "SELECT * FROM review_items WHERE review = ? AND number > ? ORDER BY number LIMIT ? OFFSET ?"
            found = connection.rows(query, review["seq"], last, page_limit(limit) + 1, offset)
            rows = found[: page_limit(limit)]
            total = connection.value("SELECT count(*) FROM review_items WHERE review = ?", review["seq"])
            places = _find_cues(connection, review, rows)
            items = [_build_item(row, places.get(row["number"], (None, None))) for row in rows]
            more = len(found) > len(rows) and bool(rows)
            return Page(
                tuple(items), total, offset, cursor("review_items", review["seq"], rows[-1]["number"]) if more else None
            )

    def item(self, profile: str, review_id: str, number: int) -> ReviewItem:
        """One change; raises ``NotFound``, and ``InvalidInput`` where there is no such number."""
        with self._connections.read() as connection:
            return _read_item(connection, _find(connection, profile, review_id), number)

    def propose(self, profile: str, review_id: str, change: Change) -> ReviewItem:
        """Propose something else in the place of a change, whose number it has; it was seen by whom asked for it."""
        with self._changing(profile, review_id) as (connection, review):
            number = change.cue_index if change.number is None else change.number
            given = (change.after, change.is_doubtful, _write_card(change.card), review["seq"], number)
            proposed = (
                "UPDATE review_items SET after = ?1, doubtful = ?2, taken = NOT ?2, card = ?3, seen = 1"
                " WHERE review = ?4 AND number = ?5"
            )
            connection.execute(proposed, given)
            return _read_item(connection, review, number)

    def decide(self, profile: str, review_id: str, first: int, last: int, *, taken: bool | None) -> Review:
        """Take or leave the changes from one number to another, which somebody has seen; None only says that.

        Raises ``NotFound``, and ``InvalidInput`` where there is no such number.
        """
        with self._changing(profile, review_id) as (connection, review):
            cursor = connection.execute(
                "UPDATE review_items SET seen = 1, taken = coalesce(?, taken)"
                " WHERE review = ? AND number BETWEEN ? AND ?",
                (taken, review["seq"], first, last),
            )
            if not cursor.rowcount:
                raise _no_such_change(first)
        return self.get(profile, review_id)

    def decide_all(self, profile: str, review_id: str, numbers: Sequence[int], *, taken: bool) -> Review:
        """Take or leave the changes with these numbers, whether somebody has seen them or not."""
        with self._changing(profile, review_id) as (connection, review):
            change = f"UPDATE review_items SET taken = ? WHERE review = ? AND number {AMONG}"
            connection.execute(change, (taken, review["seq"], as_json(numbers)))
        return self.get(profile, review_id)

    def drop_items(self, profile: str, review_id: str, first: int, last: int) -> Review:
        """Drop the changes from one number to another, which undo brings back; raises as ``decide`` does."""
        with self._changing(profile, review_id) as (connection, review):
            rows = _take_out_items(connection, review["id"], "number BETWEEN ? AND ?", first, last)
            if not rows:
                raise _no_such_change(first)
            entry = TrashEntry(undo={"review_items": {"review": review["id"], "rows": rows}})
            one, several = f"a change in the review of {review['title']}", f"{len(rows)} changes in the review of it"
            entry.save(connection, review["profile"], "review_items", one, len(rows), several, subject=review["title"])
        return self.get(profile, review_id)

    def edit(self, profile: str, review_id: str, number: int, after: str) -> ReviewItem:
        """Give a change another text, or a card another meaning, and take it; raises as ``decide`` does."""
        if (card := self.item(profile, review_id, number).card) is not None:
            return self.edit_card(profile, review_id, number, _with_meaning(card, after))
        with self._changing(profile, review_id) as (connection, review):
            change = (
                "UPDATE review_items SET after = ?, doubtful = 0, taken = 1, seen = 1 WHERE review = ? AND number = ?"
            )
            connection.execute(change, (after, review["seq"], number))
            return _read_item(connection, review, number)

    def edit_card(self, profile: str, review_id: str, number: int, card: NewClip) -> ReviewItem:
        """Replace the card of a change, and take it; raises as ``decide`` does."""
        with self._changing(profile, review_id) as (connection, review):
            change = (
                "UPDATE review_items SET card = ?, after = ?, doubtful = 0, taken = 1, seen = 1"
                " WHERE review = ? AND number = ? AND card IS NOT NULL"
            )
            given = (_write_card(card), first_meaning(card), review["seq"], number)
            if not connection.execute(change, given).rowcount:
                raise _no_such_change(number)
        return self.item(profile, review_id, number)

    def count_waiting(self, profile: str) -> int:
        """Count the cards that wait in reviews: they are no clips yet."""
        query = (
            "SELECT count(*) FROM reviews AS r JOIN review_items AS i ON i.review = r.seq"
            f" WHERE r.profile = {PROFILE} AND r.kind = 'cards'"
        )
        return int(self._connections.value(query, profile))

    def apply(self, profile: str, review_id: str, *, with_clips: bool = False, dry_run: bool = False) -> AppliedReview:
        """Apply what was taken, as one step of undo, which brings the review back too.

        A cue that has another text by now stays as it is, and is counted. Clips that have the old text of a cue, or no
        translation, are counted, and get the new one ``with_clips``. A dry run changes nothing. Raises
        ``NotFound``, and ``InvalidInput`` where no cue would be left.
        """
        with self._connections.read() as connection:
            review = _find(connection, profile, review_id)
        for language in (review["language"], review["into_language"]):
            list(count_forms(("",), language))  # a segmenter takes time to load: nobody is to wait for the lock by it
        with self._connections.read() if dry_run else self._connections.write() as connection:
            review = _find(connection, profile, review["id"])
            transcript = connection.rows("SELECT * FROM transcripts WHERE seq = ?", review["transcript"])[0]
            query = "SELECT * FROM review_items WHERE review = ? AND taken ORDER BY number"
            taken = connection.rows(query, review["seq"])
            if review["kind"] == "cards":
                return self._keep_cards(connection, review, taken, dry_run=dry_run)
            places = _find_cues(connection, review, taken)
            found = [(places[row["number"]][0], row) for row in taken if row["number"] in places]
            undo: dict[str, Any] = {"review": {"id": review["id"], "fixed_at": transcript["fixed_at"]}}
            is_translation = review["kind"] == "translation"
            if is_translation:
                translated = {index: row["after"] for index, row in found if row["after"]}
                clips = find_untranslated(connection, self._clips, transcript, translated)
                applied = AppliedReview(len(translated), len(taken) - len(found), clips=len(clips))
                if not dry_run:
                    chosen = clips if with_clips else ()
                    undo |= apply_translations(connection, transcript, review["into_language"], translated, chosen)
                    applied = replace(applied, translation_id=undo["track"]["id"] if "track" in undo else None)
            else:
                texts = {index: (row["before"], row["after"]) for index, row in found}
                clips = find_clips(connection, self._clips, transcript, texts)
                applied = AppliedReview(len(texts), len(taken) - len(texts), clips=len(clips))
                if not dry_run:
                    undo |= apply_corrections(connection, transcript, texts, clips if with_clips else ())
            if dry_run:
                return applied
            entry = TrashEntry(undo=undo, reviews=[review["seq"]])
            title, profile_seq = transcript["title"], transcript["profile"]
            kind, done = ("translated", "translated") if is_translation else ("reviewed", "corrected")
            summary = f"{title}, as it was before it was {done}"
            entry.save(connection, profile_seq, f"{kind}_transcripts", summary, subject=title)
            return applied

    def _keep_cards(
        self, connection: Connection, review: sqlite3.Row, taken: Sequence[sqlite3.Row], *, dry_run: bool
    ) -> AppliedReview:
        """Keep the cards that were taken: each stands by itself, also where its cue has another text by now."""
        places = _find_cues(connection, review, taken)
        cards = [(row, card) for row in taken if (card := _read_card(row["card"])) is not None]
        meanwhile = sum(row["number"] not in places for row, _ in cards)
        if dry_run:
            return AppliedReview(len(cards), meanwhile, clips=len(cards))
        entry = TrashEntry(undo={"review": {"id": review["id"]}}, reviews=[review["seq"]])
        transcript = connection.rows("SELECT id, file_id FROM transcripts WHERE seq = ?", review["transcript"])[0]
        origin = {"transcript_id": transcript["id"], "file_id": transcript["file_id"]}  # of which the file may be gone
        kept = (replace(card, **origin, cue_index=places.get(row["number"], (None,))[0]) for row, card in cards)
        profile = connection.rows("SELECT * FROM profiles WHERE seq = ?", review["profile"])[0]
        clips = keep_cards(connection, self._clips, profile, kept, entry)
        summary = f"the cards of {review['title']}, as they waited"
        entry.save(connection, review["profile"], "mined_reviews", summary, subject=review["title"])
        return AppliedReview(len(cards), meanwhile, clips=len(clips))

    def remove_empty(self, review_id: str) -> None:
        """Remove a review in which nothing waits, if it is still there; nobody would miss it."""
        with self._connections.write() as connection:
            gone = (
                "DELETE FROM all_reviews WHERE id = ?"
                " AND NOT EXISTS (SELECT 1 FROM review_items WHERE review = all_reviews.seq)"
            )
            connection.execute(gone, (review_id,))

    def drop(self, profile: str, review_id: str) -> None:
        """Drop a review with all that it proposes; undo brings it back."""
        with self._changing(profile, review_id) as (connection, review):
            entry = TrashEntry(undo={"review": {"id": review["id"]}}, reviews=[review["seq"]])
            entry.save(
                connection, review["profile"], "reviews", f"the review of {review['title']}", subject=review["title"]
            )

    @contextmanager
    def _changing(self, profile: str, review_id: str) -> Iterator[tuple[Connection, sqlite3.Row]]:
        """The connection to write with, and the review; raises ``NotFound``."""
        with self._connections.write() as connection:
            yield connection, _find(connection, profile, review_id)


def restore_review(connection: Connection, entry: int, review: Mapping[str, Any]) -> dict[str, Any] | None:
    """Let a review wait again that an entry of the trash hides, or hide it again; gives what does it again.

    None where the review is gone for good.
    """
    row = connection.row("SELECT * FROM all_reviews WHERE id = ?", review["id"])
    if row is None:
        return None
    hidden = None if row["discarded"] is not None else entry
    connection.update("all_reviews", "seq", row["seq"], {"discarded": hidden})
    if "fixed_at" not in review:
        return dict(review)
    query = "SELECT fixed_at FROM all_transcripts WHERE id = ?"
    fixed_at = connection.value(query, row["transcript_id"])
    connection.update("all_transcripts", "id", row["transcript_id"], {"fixed_at": review["fixed_at"]})
    return {**review, "fixed_at": fixed_at}


def restore_items(connection: Connection, items: Mapping[str, Any]) -> dict[str, Any] | None:
    """Put changes back into their review, or take them out again; gives what does it again, None for a lost review."""
    seq = connection.value("SELECT seq FROM all_reviews WHERE id = ?", items["review"])
    if seq is None:
        return None
    if "numbers" in items:
        given = as_json(items["numbers"])
        return {
            "review": items["review"],
            "rows": _take_out_items(connection, items["review"], f"number {AMONG}", given),
        }
    for row in items["rows"]:
        connection.insert("review_items", {**row, "review": seq})
    return {"review": items["review"], "numbers": [row["number"] for row in items["rows"]]}


def _take_out_items(connection: Connection, review_id: str, condition: str, *given: object) -> list[dict[str, Any]]:
    where = f"WHERE review = (SELECT seq FROM all_reviews WHERE id = ?) AND {condition}"
    rows = [dict(row) for row in connection.rows(f"SELECT * FROM review_items {where}", review_id, *given)]
    connection.execute(f"DELETE FROM review_items {where}", (review_id, *given))
    return rows


def _find(connection: Connection, profile: str, given: str) -> sqlite3.Row:
    review_id = connection.full_id("reviews", profile, given)
    return connection.rows("SELECT * FROM reviews WHERE id = ?", review_id)[0]


def _read_item(connection: Connection, review: sqlite3.Row, number: int) -> ReviewItem:
    query = "SELECT * FROM review_items WHERE review = ? AND number = ?"
    row = next(iter(connection.rows(query, review["seq"], number)), None)
    if row is None:
        raise _no_such_change(number)
    return _build_item(row, _find_cues(connection, review, [row]).get(number, (None, None)))


def _no_such_change(number: int) -> InvalidInput:
    hint = "lode review show ID lists the changes with their numbers"
    return InvalidInput(f"there is no change {number} in this review", hint=hint, code="no_such_change", field="number")


def _build_item(row: sqlite3.Row, place: tuple[int | None, int | None]) -> ReviewItem:
    doubtful, taken, seen = (bool(row[name]) for name in ("doubtful", "taken", "seen"))
    card = _read_card(row["card"])
    return ReviewItem(row["number"], *place, row["before"], row["after"], doubtful, taken, seen, card)


def first_meaning(card: NewClip) -> str:
    """Give the first meaning of a card's word, or the translation of its sentence."""
    meanings = card.focus.meanings if card.focus is not None else ()
    return one_line(meanings[0] if meanings else card.translation)


def _with_meaning(card: NewClip, meaning: str) -> NewClip:
    if card.focus is None:
        return replace(card, translation=meaning)
    return replace(card, focus=replace(card.focus, meanings=(meaning,), origin="user", dictionary=None))


def _write_card(card: NewClip | None) -> str | None:
    return None if card is None else to_text({**asdict(card), "focus": focus_to_text(card.focus)})


def _read_card(text: str | None) -> NewClip | None:
    """Read a card; fields that this version does not know are passed over."""
    if text is None:
        return None
    given = json_value(text)
    known = {name: given[name] for name in _CARD if name in given}
    return NewClip(**{**known, "focus": focus_from_text(given.get("focus")), "tags": tuple(given.get("tags", ()))})


def _find_cues(
    connection: Connection, review: sqlite3.Row, items: Sequence[sqlite3.Row]
) -> dict[int, tuple[int, int | None]]:
    """Find the positions and starts of the cues that still have the text that is to be changed, by the items' numbers.

    Where others were inserted or deleted meanwhile it is the nearest with that text; no two items have the same one,
    unless they are cards.
    """
    if not items:
        return {}
    first, last = (pick(row["cue"] for row in items) for pick in (min, max))
    given = (review["transcript"], first - FARTHEST, last + FARTHEST)
    query = (
        "SELECT position, text, start_ms FROM cues WHERE transcript = ? AND position BETWEEN ? AND ? ORDER BY position"
    )
    places: dict[str, list[tuple[int, int | None]]] = {}
    for position, text, start_ms in connection.execute(query, given):
        places.setdefault(text, []).append((position, start_ms))
    found: dict[int, tuple[int, int | None]] = {}
    for row in items:
        free = places.get(row["before"], [])
        near = min(free, key=lambda place: abs(place[0] - row["cue"]), default=None)
        if near is not None and abs(near[0] - row["cue"]) <= FARTHEST:
            if review["kind"] != "cards":
                free.remove(near)
            found[row["number"]] = near
    return found
