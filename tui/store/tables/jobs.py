"""Table of jobs: the record of long work, and of which process does it."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import Any, ClassVar, Literal, TypedDict, Unpack

from tui.errors import InvalidInput
from tui.records.jobs import Job, JobOrder, JobOutcome, JobState
from tui.records.pages import Page
from tui.store import trash_entry
from tui.store.database import Connections
from tui.store.process_lock import ProcessLock
from tui.store.rows import AMONG, PROFILE, as_json, json_value, new_id, now, record, timestamp_after
from tui.store.search import Field, codes_in, codes_named, field_of, flags, folded_words, text_in
from tui.store.tables.resource_table import ResourceTable, cursor, cursor_numbers, page_limit
from tui.store.tables.sorting import text_key
from tui.text.display import JOB_STATE_WORDS

_DONE = "done"
"""Member of ``options`` that is not what was asked, but the parts of it that are done."""
_ACTIVE = "state IN ('queued', 'running')"
_RANKS: dict[JobState, int] = {"failed": 0, "interrupted": 0, "running": 1, "queued": 2}
_REST = 3
_WHEN = " ".join(f"WHEN '{state}' THEN {rank}" for state, rank in _RANKS.items())
_ATTENTION = f"CASE state {_WHEN} ELSE {_REST} END"


class JobChanges(TypedDict, total=False):
    """Fields of a job that change while it is done."""

    state: JobState | None
    progress: float | None
    message: str | None
    error: str | None
    file_id: str | None
    outcome: JobOutcome | None
    suggested_encoding: str | None


class Jobs(ResourceTable[Job]):
    """Table of jobs, each with the token of the process that runs it, so that a dead process's jobs are found.

    Found by the kind, the state, the source, and what the job says.
    """

    name = "jobs"
    select = "SELECT r.* FROM jobs AS r"
    facets = (codes_named("state", JOB_STATE_WORDS), text_in("coalesce(error, message)"))
    fields: Mapping[str, Field] = {
        "state": field_of(codes_named("state", JOB_STATE_WORDS)),
        "kind": field_of(codes_in("kind")),
        "source": field_of(text_in("source")),
        "has": flags(error="error IS NOT NULL"),
    }
    sort_keys: ClassVar[Mapping[str, str]] = {
        "source": text_key("r.source"),
        "kind": "r.kind",
        "state": _ATTENTION,
        "done": "r.progress",
        "message": text_key("coalesce(r.error, r.message)"),
    }
    gone_hint = "it went with its file"
    kind = Job

    def __init__(self, connections: Connections, owner: ProcessLock) -> None:
        super().__init__(connections)
        self._owner = owner

    def build(self, row: sqlite3.Row) -> Job:
        return record(Job, row, seconds_left=None)

    def page(
        self,
        profile: str,
        offset: int = 0,
        limit: int = 100,
        q: str = "",
        after: str | None = None,
        sort: str = "",
        counts: Mapping[int, float] | None = None,
        *,
        order: JobOrder = "newest",
    ) -> Page[Job]:
        """A page of jobs, newest first unless ``sort`` or ``order`` say otherwise; a cursor belongs to its order.

        In the order of attention all that match are sorted for each page: jobs are thousands at most. One whose state
        changes between two pages may come twice or not at all.
        """
        if sort or order == "newest":
            return super().page(profile, offset, limit, q, after, sort, counts)
        last = None if after is None else cursor_numbers("jobs", after, 2)
        offset, limit = (max(0, offset) if last is None else 0), page_limit(limit)
        with self._connections.read() as connection:
            matching = self.matching(connection, profile, q)
            if matching is None:
                return Page((), 0, offset)
            behind = "" if last is None else f" AND ({_ATTENTION}, -seq) > (?, -?)"
            query = f"{self.select} WHERE r.seq IN ({matching.query}{behind}) ORDER BY {_ATTENTION}, seq DESC"
            parameters = (*matching.parameters, *(last or ()), limit + 1, offset)
            rows = connection.execute(f"{query} LIMIT ? OFFSET ?", parameters).fetchall()
        shown, following = rows[:limit], None
        if shown and len(rows) > limit:
            following = cursor("jobs", _RANKS.get(shown[-1]["state"], _REST), shown[-1]["seq"])
        return Page(tuple(map(self.build, shown)), matching.total, offset, following)

    def add(
        self,
        profile: str,
        kind: str,
        source: str,
        options: Mapping[str, object] | None = None,
        file_id: str | None = None,
        transcript_id: str | None = None,
    ) -> Job:
        """Queue a job of this process; ``options`` is anything that JSON can hold."""
        with self._connections.write() as connection:
            owner = self._owner.hold()
            if file_id is not None:
                file_id = connection.full_id("files", profile, file_id)
            job_id, moment = new_id(), now()
            asked: dict[str, object] = {"kind": kind, "source": source, "options": json.dumps(dict(options or {}))}
            asked |= {"file_id": file_id, "transcript_id": transcript_id}
            begun = {"state": "queued", "progress": 0.0, "message": "", "created_at": moment, "updated_at": moment}
            about = {"id": job_id, "profile": connection.profile_for_writing(profile), "owner": owner}
            about |= {"folded": folded_words(kind, source), "opening": trash_entry.record_opening(connection)}
            connection.insert("jobs", {**asked, **begun, **about})
            return self.build(self.row(connection, job_id))

    def add_all(
        self,
        profile: str,
        kind: str,
        sources: Sequence[str],
        options: Mapping[str, object] | None = None,
        file_ids: Sequence[str] = (),
    ) -> tuple[Job, ...]:
        """Queue a job for each source, all of them or none; ``file_ids`` are the files they belong to, if there are."""
        with self._connections.write():
            return tuple(
                self.add(profile, kind, source, options, file_id) for source, file_id in zip_longest(sources, file_ids)
            )

    def options(self, job_id: str) -> dict[str, Any]:
        with self._connections.read() as connection:
            options: dict[str, Any] = json_value(self.row(connection, job_id)["options"])
            return {name: value for name, value in options.items() if name != _DONE}

    def done(self, job_id: str) -> dict[str, Any]:
        """The parts of its work that are done, each with what it came to."""
        with self._connections.read() as connection:
            done: dict[str, Any] = json_value(self.row(connection, job_id)["options"]).get(_DONE, {})
            return done

    @contextmanager
    def finishing(self, job_id: str, part: str, result: object) -> Iterator[None]:
        """A transaction that ends with the record that a part of the job's work is done, and what it came to."""
        with self._connections.write() as connection:
            yield
            options = json_value(self.row(connection, job_id)["options"])
            options[_DONE] = {**options.get(_DONE, {}), part: result}
            connection.update("jobs", "id", job_id, {"options": json.dumps(options)})

    def update(self, job_id: str, **changes: Unpack[JobChanges]) -> Job:
        """Change what is given and not None; an ``error`` of "" takes the error away, and so does a success."""
        columns: dict[str, object] = {name: value for name, value in changes.items() if value is not None}
        error = changes.get("error")
        if error == "" or (changes.get("state") == "succeeded" and error is None):
            columns["error"] = None
        with self._connections.write() as connection:
            columns["updated_at"] = timestamp_after(self.row(connection, job_id)["updated_at"])
            connection.update("jobs", "id", job_id, columns)
            return self.build(self.row(connection, job_id))

    def get_all(self, profile: str, given: Sequence[str]) -> tuple[Job, ...]:
        """Those with these ids, all as they were at one moment; raises as ``get`` does."""
        with self._connections.read():
            return tuple(self.get(profile, each) for each in given)

    def is_queued(self, job_id: str) -> bool:
        with self._connections.read() as connection:
            return bool(self.row(connection, job_id)["state"] == "queued")

    def begin(self, job_id: str) -> bool:
        """Claim a queued job of this process, which is running from then on; if True the caller must do it."""
        if not self.is_queued(job_id):
            return False  # no lock is needed to see that, and none may be had
        with self._connections.write() as connection:
            changed = connection.execute(
                "UPDATE jobs SET state = 'running', updated_at = ? WHERE id = ? AND state = 'queued' AND owner = ?",
                (timestamp_after(self.row(connection, job_id)["updated_at"]), job_id, self._owner.token),
            ).rowcount
            return changed == 1

    def cancel(self, *job_ids: str) -> None:
        """Cancel the jobs that are queued, or at work in another process.

        One at work in this process has to be stopped: its record is left alone, as is that of one that is over.
        """
        with self._connections.write() as connection:
            for each in job_ids:
                moment = timestamp_after(self.row(connection, each)["updated_at"])
                connection.execute(
                    "UPDATE jobs SET state = 'cancelled', updated_at = ?,"
                    " message = CASE state WHEN 'queued' THEN 'cancelled before it began' ELSE 'cancelled' END"
                    " WHERE id = ? AND (state = 'queued' OR (state = 'running' AND owner <> ?))",
                    (moment, each, self._owner.token),
                )

    def refused_for_encoding(self, profile: str, most: int) -> tuple[tuple[Job, dict[str, Any]], ...]:
        """The newest jobs that failed for want of an encoding, each with its options."""
        with self._connections.read() as connection:
            rows = connection.rows(
                f"{self.select} WHERE r.profile = {PROFILE} AND r.state = 'failed'"
                " AND r.suggested_encoding IS NOT NULL ORDER BY r.seq DESC LIMIT ?",
                *(profile, most),
            )
            return tuple((self.build(row), self.options(row["id"])) for row in rows)

    def requeue_all(self, wanted: Sequence[tuple[Job, Mapping[str, object]]]) -> tuple[Job, ...]:
        """Queue jobs that are over once more, all of them or none."""
        with self._connections.write():
            return tuple(self.requeue(seen, options) for seen, options in wanted)

    def requeue(self, seen: Job, options: Mapping[str, object] | None = None) -> Job:
        """Queue a job that is over once more, now as this process's; ``options`` are put in place of those it had.

        Raises ``InvalidInput`` when its record is no longer as it was ``seen``: somebody else has tried it again.
        """
        with self._connections.write() as connection:
            owner, row = self._owner.hold(), self.row(connection, seen.id)
            if (row["state"], row["updated_at"]) != (seen.state, seen.updated_at):
                raise InvalidInput(
                    f"job {seen.id} has changed in the meantime: it is {row['state']}",
                    hint="look at it, and try it again if it still has to be",
                )
            changes = {"state": "queued", "progress": 0.0, "message": "", "error": None, "suggested_encoding": None}
            changes |= {"owner": owner, "updated_at": timestamp_after(row["updated_at"])}
            changes |= {"opening": trash_entry.record_opening(connection)}
            if options:
                changes["options"] = json.dumps({**json_value(row["options"]), **options})
            connection.update("jobs", "id", seen.id, changes)
            return self.build(self.row(connection, seen.id))

    def active_count(self, profile: str) -> int:
        """Count the jobs that are queued or running, in whichever process."""
        query = f"SELECT count(*) FROM jobs WHERE profile = {PROFILE} AND {_ACTIVE}"
        return int(self._connections.value(query, profile))

    def of_records(self, profile: str, table: Literal["files", "transcripts"], ids: Sequence[str]) -> tuple[Job, ...]:
        """The jobs that would go with these files or transcripts, newest first."""
        column = f"{table.removesuffix('s')}_id"
        with self._connections.read() as connection:
            full = [connection.full_id(table, profile, each) for each in ids]
            rows = connection.rows(f"{self.select} WHERE r.{column} {AMONG} ORDER BY r.seq DESC", as_json(full))
            return tuple(map(self.build, rows))

    def may_need(self, beginning: str) -> bool:
        """Whether a job whose source begins so is queued or at work, or may yet be tried again.

        One that failed may be as long as what was deleted can be brought back.
        """
        with self._connections.read() as connection:
            oldest = trash_entry.oldest_kept(connection, trash_entry.KEPT_DATES)
            query = (
                "SELECT 1 FROM jobs WHERE substr(source, 1, length(?1)) = ?1"
                f" AND ({_ACTIVE} OR (state <> 'succeeded' AND opening >= ?2)) LIMIT 1"
            )
            return connection.row(query, beginning, oldest) is not None

    def interrupt_orphans(self) -> int:
        """Mark the unfinished jobs of processes that are gone as interrupted; gives how many there were.

        A job that another living process runs is left alone.
        """
        owners = self._connections.column(f"SELECT DISTINCT owner FROM jobs WHERE {_ACTIVE}")
        gone = [owner for owner in owners if not self._owner.is_held(owner)]
        self._owner.sweep()
        return self._interrupt(gone, "the process that ran it ended") if gone else 0

    def release_owner(self) -> int:
        """Mark this process's unfinished jobs as interrupted and let go of its lock; gives how many there were."""
        query = f"SELECT 1 FROM jobs WHERE owner = ? AND {_ACTIVE} LIMIT 1"
        unfinished = self._connections.row(query, self._owner.token)
        interrupted = self._interrupt([self._owner.token], "Lode was closed") if unfinished else 0
        self._owner.release()
        return interrupted

    def _interrupt(self, owners: Sequence[str], message: str) -> int:
        with self._connections.write() as connection:
            return connection.execute(
                f"UPDATE jobs SET state = 'interrupted', message = ?, updated_at = ? WHERE {_ACTIVE} AND owner {AMONG}",
                (message, now(), as_json(owners)),
            ).rowcount
