"""Table of clips: kept sentences, up to millions of them."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any, ClassVar, get_type_hints

from tui.errors import InvalidInput
from tui.language.scripts import is_spaceless
from tui.records.clips import EXPORT_STATE_WORDS, MAX_TAGGED, Clip, FocusWord, KeptClip, NewClip, TagCount
from tui.store import rows
from tui.store.database import Connections
from tui.store.focus_words import focus_from_text, focus_to_text
from tui.store.known_words.word_rows import new_by_hand, record_seen, revision_of, states_before
from tui.store.rows import AMONG, PROFILE, Connection, as_json, record, which_rows
from tui.store.search import Field, Search, codes_named, field_of, flags
from tui.store.tables.resource_table import Matching, ResourceTable, count_with_word, field_conditions
from tui.store.tables.sorting import text_key
from tui.store.trash_entry import STORED_AS, TrashEntry, forget_redo
from tui.text.clip_fields import completed, with_tags
from tui.text.display import number, shortened
from tui.text.sanitize import one_line

_UNSEARCHED = ("explanation", "model", "sentence_reading")
_CONTENTS = tuple(field.name for field in fields(NewClip))
_SEARCHED_TEXTS = tuple(
    name for name, hint in get_type_hints(NewClip).items() if hint is str and name not in _UNSEARCHED
)
_searched_texts = attrgetter(*_SEARCHED_TEXTS)
_CUES_OF = "SELECT DISTINCT cue_index FROM clips WHERE transcript_id = ? AND cue_index IS NOT NULL ORDER BY cue_index"
_OF_CUE = "SELECT focus FROM clips WHERE transcript_id = ? AND cue_index = ? AND surface = ?"
_SAME = (
    "SELECT * FROM (SELECT seq, id, focus, explanation FROM clips"
    " WHERE transcript_id = :transcript AND cue_index = :cue"
    " UNION SELECT seq, id, focus, explanation FROM clips WHERE profile = :profile AND {} AND sentence = :sentence"
    " AND (:transcript IS NULL OR transcript_id IS NULL))"
    " WHERE explanation = '' OR :explanation IN ('', explanation) ORDER BY seq DESC"
)
_ORIGINS = {"transcript_id": "transcripts", "file_id": "files"}
"""Columns that say where a clip is from, and the tables that these are in."""
_LIKE = (
    f"(surface || ' ' || lemma || char(10) || coalesce(focus, '') || char(10) || tags || char(10) ||"
    rf" {' || char(10) || '.join(_SEARCHED_TEXTS)}) LIKE ? ESCAPE '\'"
)
_EXPORTED = (
    "coalesce((SELECT CASE max(e.updated_at = r.updated_at) WHEN 1 THEN 'same' WHEN 0 THEN 'changed' END"
    " FROM exports AS x JOIN exported AS e ON e.export = x.seq AND e.clip = r.seq WHERE x.profile = r.profile),"
    " 'never')"
)
"""State of a clip against all decks of its profile, whatever their names: a look by keys for each of these few."""
_COLUMNS_OF_FIELDS = {
    "lang": "language",
    "meaning": "meanings",
    "note": "note",
    "sentence": "sentence",
    "source": "source",
    "tag": "tags",
    "translation": "translation",
    "word": "focus",
}
"""Fields of a query that the index of words has a column for."""
_FIELDS: Mapping[str, Field] = {
    "state": field_of(codes_named(_EXPORTED.replace("r.", "clips."), EXPORT_STATE_WORDS)),
    "has": flags(
        audio="audio IS NOT NULL",
        picture="picture IS NOT NULL",
        explanation="explanation <> ''",
        note="note <> ''",
        tag="tags <> '[]'",
        translation="translation <> ''",
    ),
}
_STREAMED = 500
_COUNTS_KEPT = 50
_READ_WHILE_COUNTED = 10_000
"""Newest clips of which those that match are noted while all are counted: an index of words is walked once, not twice,
for the first page of a search that much is found by."""


class Clips(ResourceTable[Clip]):
    """Table of clips, searched by all their texts but the explanation, and by the language of the word."""

    name = "clips"
    select = (
        f"SELECT r.*, {_EXPORTED} AS exported,"
        " coalesce((SELECT t.language FROM all_transcripts AS t WHERE t.id = r.transcript_id), r.told_language)"
        " AS spoken FROM clips AS r"
    )
    fields: Mapping[str, Field] = {**dict.fromkeys(_COLUMNS_OF_FIELDS, flags()), **_FIELDS}
    sort_keys: ClassVar[Mapping[str, str]] = {
        "word": text_key("iif(r.lemma <> '', r.lemma, r.surface)"),
        "sentence": text_key("r.sentence"),
        "meaning": text_key("coalesce(json_extract(r.focus, '$.meanings[0]'), r.translation)"),
        "lang": "json_extract(r.focus, '$.language')",
        "source": text_key("r.source"),
        "tags": text_key("nullif(r.tags, '[]')"),
        "exported": f"CASE {_EXPORTED} WHEN 'never' THEN 0 WHEN 'changed' THEN 1 ELSE 2 END",
        "changed": "r.updated_at",
    }
    group_names: ClassVar[Mapping[str, str]] = {"source": "r.source", "tag": "json_extract(r.tags, '$[0]')"}
    kind = Clip

    def __init__(self, connections: Connections) -> None:
        super().__init__(connections)
        self._counted: dict[tuple[int, str], tuple[int, int]] = {}

    def build(self, row: sqlite3.Row) -> Clip:
        focus = focus_from_text(row["focus"])
        language = (focus.language if focus is not None else None) or row["spoken"]
        return record(Clip, row, focus=focus, tags=tuple(rows.json_value(row["tags"])), language=language)

    def add(self, profile: str, clip: NewClip) -> Clip:
        """Add a clip for good; raises ``NotFound`` for a transcript or file that the profile does not have."""
        with self._connections.write() as connection:
            seq = connection.profile_for_writing(profile)
            forget_redo(connection, seq)
            return self.insert(connection, profile, seq, clip)

    def add_at_once(self, profile: str, clips: Sequence[NewClip]) -> tuple[Clip, ...]:
        """Add clips in one step, which one undo takes back: all of them or none. Raises as ``add`` does."""
        if not clips:
            return ()
        with self._connections.write() as connection:
            seq = connection.profile_for_writing(profile)
            revision, were_new = revision_of(connection, seq), new_by_hand(connection, seq)
            added = tuple(self.insert(connection, profile, seq, clip) for clip in clips)
            words = states_before(connection, seq, revision, were_new)
            entry = TrashEntry(undo={"added_clips": [clip.id for clip in added], "words": words})
            subject = _named(clips[0])
            one, several = f"the clip {subject} was", f"{len(added)} clips were"
            before = "how it was before {} made"
            texts = before.format(one), len(added), before.format(several)
            entry.save(connection, seq, "added_clips", *texts, subject=subject)
            return added

    def insert(self, connection: Connection, profile: str, seq: int, clip: NewClip) -> Clip:
        """Add a clip with no step of undo of its own; raises as ``add`` does."""
        clip_id, moment = rows.new_id(), rows.now()
        about = {"id": clip_id, "profile": seq, "created_at": moment, "updated_at": moment}
        connection.insert("clips", {**about, **_columns(_with_origins(connection, profile, clip))})
        record_seen(connection, seq, clip.focus, clip.transcript_id, "clip")
        return self.build(self.row(connection, clip_id))

    def keep(self, profile: str, clip: NewClip, asked: str = "") -> KeptClip:
        """Add a clip, unless there is one of the same sentence and word, which gets what it lacks instead.

        ``asked`` is the word as it was asked about, where the clip's own may be more of it ("fährt … ab"). A clip
        with another explanation is another clip: both were chosen, as of two models side by side.
        """
        with self._connections.write() as connection:
            seq = connection.profile_for_writing(profile)
            there = self.find_same(connection, seq, clip, asked)
            if there is None:
                return KeptClip(self.add_at_once(profile, (clip,))[0], "added")
            is_changed = bool(self.complete(profile, {there: clip}))
            return KeptClip(self.build(self.row(connection, there)), "completed" if is_changed else "same")

    def find_same(self, connection: Connection, profile: int, clip: NewClip, asked: str = "") -> str | None:
        """Find the newest clip of the same cue, or of the same sentence where one of both is of no transcript; its id.

        ``asked`` is as in ``keep``.
        """
        words = {clip.focus.surface if clip.focus else "", asked}
        keys = [rows.word_key(part) for word in words if word for part in _parts(word)]
        condition = "surface <> '' AND surface IN (SELECT value FROM json_each(:keys))" if keys else "surface = ''"
        parameters = {"profile": profile, "keys": as_json(keys)}
        parameters |= {"sentence": clip.sentence, "transcript": clip.transcript_id, "cue": clip.cue_index}
        parameters["explanation"] = clip.explanation
        there = connection.execute(_SAME.format(condition), parameters)
        return next((row["id"] for row in there if _is_same(focus_from_text(row["focus"]), words)), None)

    def complete(self, profile: str, more: Mapping[str, NewClip]) -> tuple[Clip, ...]:
        """Give clips, by their ids, what they lack and ``more`` has, in one step; gives those that got something."""
        with self._connections.write() as connection:
            there = {each: self.row(connection, each) for each in self.existing(more)}
            edits = [(row, completed(self.build(row).contents(), more[each])) for each, row in there.items()]
            changed = _edit(connection, connection.profile_for_writing(profile), edits)
            return tuple(self.build(self.row(connection, each)) for each in more if each in changed)

    def edit(self, profile: str, clip_id: str, clip: NewClip) -> Clip:
        """Replace the contents; ``updated_at`` moves only when something changed, and then always forward.

        One undo takes it back; an explanation that goes on, together with the clip that was made just before. Another
        sentence has no voice any more: the machine's has spoken the one before.
        """
        with self._connections.write() as connection:
            row = self.find_row(connection, profile, clip_id)
            _edit(connection, row["profile"], [(row, _with_origins(connection, profile, clip))])
            return self.build(self.row(connection, row["id"]))

    def tags(self, profile: str, selected: Sequence[int] | None = None) -> tuple[TagCount, ...]:
        """The tags of a profile, the most frequent first; ``chosen`` counts the clips with these row numbers."""
        which, given = which_rows("c.seq", selected)
        query = (
            f"SELECT t.value, count(*), sum({which}) FROM clips AS c, json_each(c.tags) AS t"
            f" WHERE c.profile = {PROFILE} AND c.tags <> '[]' GROUP BY 1 ORDER BY 2 DESC, 1"
        )
        return tuple(TagCount(*row) for row in self._connections.rows(query, *given, profile))

    def tag(self, profile: str, selected: Sequence[int] | None, add: Sequence[str], remove: Sequence[str]) -> int:
        """Add tags to the clips with these row numbers (None: all), and take others away, in one step.

        Gives how many got other tags. Raises ``InvalidInput`` for more than ``MAX_TAGGED`` clips.
        """
        which, given = which_rows("seq", selected)
        with self._connections.write() as connection:
            seq = connection.profile_for_writing(profile)
            query = f"SELECT seq FROM clips WHERE profile = ? AND {which} ORDER BY seq"
            wanted = connection.column(query, seq, *given)
            if len(wanted) > MAX_TAGGED:
                raise InvalidInput(
                    f"{number(len(wanted))} clips are more than can be tagged at once, {number(MAX_TAGGED)}",
                    hint="choose fewer, by a search or a tag",
                    code="too_many_clips",
                )
            return len(_edit(connection, seq, self._tagged(connection, wanted, add, remove), done="tagged"))

    def _tagged(
        self, connection: Connection, seqs: Sequence[int], add: Sequence[str], remove: Sequence[str]
    ) -> Iterator[tuple[sqlite3.Row, NewClip]]:
        """Yield the clips that get other tags, each with what it is then; a few hundred are read at a time."""
        for start in range(0, len(seqs), _STREAMED):
            part = as_json(seqs[start : start + _STREAMED])
            for row in connection.rows(f"{self.select} WHERE r.seq {AMONG}", part):
                before = tuple(rows.json_value(row["tags"]))
                if (tags := with_tags(before, add, remove)) != before:
                    yield row, replace(self.build(row).contents(), tags=tags)

    def each(self, profile: str, selected: Sequence[int] | None = None) -> Iterator[Clip]:
        """Iterate over all clips in the order of their creation, or those with these row numbers in theirs.

        They are read a few hundred at a time.
        """
        if selected is not None:
            for start in range(0, len(selected), _STREAMED):
                part = selected[start : start + _STREAMED]
                there = self._connections.rows(f"{self.select} WHERE r.seq {AMONG}", as_json(part))
                found = {row["seq"]: row for row in there}
                yield from (self.build(found[seq]) for seq in part if seq in found)
            return
        last = 0
        query = f"{self.select} WHERE r.profile = {PROFILE} AND r.seq > ? ORDER BY r.seq LIMIT ?"
        while some := self._connections.rows(query, profile, last, _STREAMED):
            yield from map(self.build, some)
            last = some[-1]["seq"]

    def existing(self, ids: Iterable[str]) -> set[str]:
        """Those of the ids that there are clips of, in any profile."""
        return set(self._connections.column(f"SELECT id FROM clips WHERE id {AMONG}", as_json(ids)))

    def languages(self, profile: str) -> dict[str, str]:
        """The languages of clips by their ids: that of the focus word, else of the transcript; the unknown left out."""
        found = self._connections.rows(
            "SELECT c.id, coalesce(json_extract(c.focus, '$.language'), t.language, c.told_language, '')"
            " FROM clips AS c"
            f" LEFT JOIN all_transcripts AS t ON t.id = c.transcript_id WHERE c.profile = {PROFILE}",
            profile,
        )
        return {clip: language for clip, language in found if language}

    def count_with(self, profile: str, word: str) -> int:
        """Count the clips with this word, or another form of this lemma, as their focus."""
        return count_with_word(self._connections, "clips", profile, word)

    def cues_of(self, profile: str, transcript_id: str) -> tuple[int, ...]:
        """The indexes of a transcript's cues that have clips, in order; raises ``NotFound`` for the transcript."""
        with self._connections.read() as connection:
            return tuple(connection.column(_CUES_OF, connection.full_id("transcripts", profile, transcript_id)))

    def has(self, profile: str, transcript_id: str, cue_index: int, surface: str) -> bool:
        """Whether a cue has a clip with exactly this focus word ("": one without); case matters, as in "Der … der"."""
        with self._connections.read() as connection:
            wanted = connection.full_id("transcripts", profile, transcript_id)
            kept = map(focus_from_text, connection.column(_OF_CUE, wanted, cue_index, rows.word_key(surface)))
        return any((focus.surface if focus is not None else "") == surface for focus in kept)

    def _found(self, connection: Connection, profile: int, search: Search) -> Matching:
        others = "SELECT 1 FROM totals WHERE kind = 'clips' AND profile <> ? AND n > 0 LIMIT 1"
        query, parameters, column = _search_query(profile, search, is_alone=connection.row(others, profile) is None)
        revision = connection.value("SELECT revision FROM totals WHERE profile = ? AND kind = 'clips'", profile)
        key = (profile, repr(search))
        counted = self._counted.get(key)
        if counted is not None and counted[0] == revision:
            return Matching(query, parameters, counted[1], column)
        newest = connection.value("SELECT max(seq) FROM clips WHERE profile = ?", profile) or 0
        both = f"SELECT count(*), json_group_array({column}) FILTER (WHERE {column} > ?) FROM ({query})"
        count, read = connection.rows(both, newest - _READ_WHILE_COUNTED, *parameters)[0]
        if len(self._counted) >= _COUNTS_KEPT:
            self._counted = {}
        self._counted[key] = (revision, count)
        return Matching(query, parameters, count, column, first=sorted(rows.json_value(read), reverse=True))


def restore_clips(
    connection: Connection, profile: int, edited: Mapping[str, Mapping[str, Sequence[Any]]]
) -> dict[str, dict[str, list[object]]]:
    """Undo an edit of clips, as far as they stand there as it left them; gives what undoes that in its turn."""
    restored = {}
    for clip_id, columns in edited.items():
        row = connection.row("SELECT * FROM clips WHERE id = ? AND profile = ?", clip_id, profile)
        if row is None:
            continue
        undone = {name: before for name, (before, after) in columns.items() if row[name] == after}
        for name, table in _ORIGINS.items():
            there = f"SELECT 1 FROM {STORED_AS.get(table, table)} WHERE id = ?"
            if undone.get(name) and not connection.row(there, undone[name]):
                del undone[name]
        contents = {name: undone.get(name, row[name]) for name in _CONTENTS}
        contents |= {"focus": focus_from_text(contents["focus"]), "tags": tuple(rows.json_value(contents["tags"]))}
        if changes := replace_contents(connection, row, NewClip(**contents)):
            restored[clip_id] = changes
    return restored


def remove_added(connection: Connection, profile: int, ids: Sequence[str]) -> TrashEntry:
    """Undo an ``add_at_once``, of whose clips there may be fewer by now; gives the entry that brings them back."""
    entry = TrashEntry()
    query = f"SELECT seq FROM clips WHERE profile = ? AND id {AMONG} ORDER BY seq"
    seqs = connection.column(query, profile, as_json(ids))
    entry.delete(connection, "clips", "seq", seqs)
    return entry


def record_seen_again(connection: Connection, profile: int, ids: Sequence[str], words: Set[int]) -> None:
    """Record those of these words as seen that clips have which are there, in the profile."""
    query = f"SELECT focus, transcript_id FROM clips WHERE profile = ? AND id {AMONG}"
    for focus, transcript_id in connection.rows(query, profile, as_json(ids)):
        record_seen(connection, profile, focus_from_text(focus), transcript_id, "clip", only=words)


def _edit(
    connection: Connection, profile: int, edits: Iterable[tuple[sqlite3.Row, NewClip]], *, done: str = "edited"
) -> set[str]:
    """Replace the contents of clips in one step, which one undo takes back; gives the ids of those that changed.

    Their words have been seen by whom edits a clip, but not by whom does something else with it, which ``done`` names.
    """
    changed, edited = set(), {}
    revision, were_new = revision_of(connection, profile), new_by_hand(connection, profile)
    for row, clip in edits:
        if changes := replace_contents(connection, row, clip):
            if done == "edited":
                record_seen(connection, row["profile"], clip.focus, row["transcript_id"], "clip")
            changed.add(row["id"])
            if _goes_on(connection, row, clip):
                forget_redo(connection, profile)
            else:
                edited[row["id"]] = changes
                subject = _named(clip)
    if count := len(edited):
        entry = TrashEntry(undo={f"{done}_clips": edited})
        if done == "edited":
            entry.undo["words"] = states_before(connection, profile, revision, were_new)
        one, several = f"the clip {subject}, as it was before it was", f"{count} clips, as they were before they were"
        entry.save(connection, profile, f"{done}_clips", f"{one} {done}", count, f"{several} {done}", subject=subject)
    return changed


def replace_contents(connection: Connection, row: sqlite3.Row, clip: NewClip) -> dict[str, list[object]]:
    """Replace a clip's contents; gives what stood in its columns before and what stands there now, {} for the same."""
    changes = {name: value for name, value in _columns(clip).items() if value != row[name]}
    if not changes:
        return {}
    about: dict[str, object] = {"updated_at": rows.timestamp_after(row["updated_at"])}
    if row["voice"] is not None and "sentence" in changes:
        about |= {"audio": None, "voice": None}  # which speaks another sentence
    connection.update("clips", "seq", row["seq"], {**changes, **about})
    return {name: [row[name], value] for name, value in changes.items() if name in _CONTENTS}


def _goes_on(connection: Connection, row: sqlite3.Row, clip: NewClip) -> bool:
    """Whether this is but the rest of the explanation of a clip that was made last: one undo takes back both."""
    if clip.explanation == row["explanation"] or not clip.explanation.startswith(row["explanation"]):
        return False
    query = (
        "SELECT json_extract(bundle, '$.added_clips') FROM trash WHERE profile = ? AND undone = 0"
        " ORDER BY seq DESC LIMIT 1"
    )
    newest = connection.value(query, row["profile"])
    return newest is not None and rows.json_value(newest) == [row["id"]]


def _named(clip: NewClip) -> str:
    """What people call a clip."""
    return shortened(one_line(clip.focus.surface if clip.focus is not None else clip.sentence), 60)


def _is_same(focus: FocusWord | None, words: Set[str]) -> bool:
    """Whether a clip's focus is one of these words ("": none), or one is a part of the other: fährt, fährt … ab.

    Case matters, as in "Der … der".
    """
    surface = focus.surface if focus is not None else ""
    if not surface:
        return words == {""}
    return any(word in _parts(surface) or surface in _parts(word) for word in words if word)


def _parts(word: str) -> set[str]:
    return {word, *(part.strip() for part in word.split("…"))}


def _search_query(profile: int, search: Search, *, is_alone: bool) -> tuple[str, tuple[object, ...], str]:
    """The query for the numbers of the clips that match, its parameters, and the column that it orders by.

    ``is_alone`` tells that all clips are this profile's: a third of the time of a search of many went into that.
    """

    def match(scope: str) -> str:
        return search.match("- {scope language}", scope, languages="language", fields=_COLUMNS_OF_FIELDS)

    is_about = bool(search.terms) or any(term.field in _COLUMNS_OF_FIELDS for term in search.fields)
    words = ((is_alone and match("")) or match(f"p{profile}")) if is_about else ""
    others, given = field_conditions(search, _FIELDS)
    if words and not others and not any(is_spaceless(term.text) for term in search.terms):
        return "SELECT rowid FROM clips_words WHERE clips_words MATCH ?", (words,), "rowid"
    conditions, parameters = search.conditions("clips", words, _LIKE)
    if not search.has_spaced and search.has_spaceless:
        conditions.append("spaceless")
    query = f"SELECT seq FROM clips WHERE {' AND '.join(('profile = ?', *others, *conditions))}"
    return query, (profile, *given, *parameters), "seq"


def _with_origins(connection: Connection, profile: str, clip: NewClip) -> NewClip:
    """The clip with the whole ids of the transcript and the file that it is from."""
    given = {name: getattr(clip, name) for name in _ORIGINS if getattr(clip, name) is not None}
    whole: dict[str, Any] = {name: connection.full_id(_ORIGINS[name], profile, given[name]) for name in given}
    return replace(clip, **whole)


def _columns(clip: NewClip) -> dict[str, object]:
    """The columns of a clip's contents, and of what lists and searches need of them."""
    focus = clip.focus
    surface, lemma = (focus.surface, focus.lemma or "") if focus else ("", "")
    about = (focus.reading or "", *focus.meanings) if focus else ()
    searched = "\n".join((surface, lemma, *about, *clip.tags, *_searched_texts(clip)))
    columns = {name: getattr(clip, name) for name in _CONTENTS}
    columns |= {"focus": focus_to_text(focus), "tags": rows.to_text(clip.tags)}
    return {
        **columns,
        "surface": rows.word_key(surface),
        "lemma": rows.word_key(lemma),
        "spaceless": is_spaceless(searched),
    }
