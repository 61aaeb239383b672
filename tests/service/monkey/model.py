"""A plain model of a library: what is there, as dicts, and each step as what it changed of them.

It knows what undo and redo are to do, and nothing of how the library keeps that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Key: TypeAlias = tuple[Any, ...]
"""Kind of a thing, and what tells it from others of its kind."""
Fact: TypeAlias = dict[str, Any]
Facts: TypeAlias = dict[Key, Fact]
Changes: TypeAlias = dict[Key, tuple[Fact | None, Fact | None]]
"""What a step found and what it left, None for nothing."""
LINKS = {"film": "film", "file": "file"}
"""Fields that refer to a record, and its kind."""


@dataclass
class Step:
    """A step that undo can take back: its number, the profile whose step it is, and what it changed."""

    id: int
    profile: str
    changes: Changes
    is_reading: bool = False
    writes_clips: bool = False
    adds_clips: bool = False
    marks: tuple[Facts, Facts] = field(default_factory=lambda: ({}, {}))
    """Notes, bookmarks and what was read of the film that it read anew, before and after it."""

    @property
    def reads(self) -> set[Key]:
        """What has to be as it is now for the step to be taken back."""
        found: set[Key] = set()
        for (kind, *rest), (before, after) in self.changes.items():
            if kind in ("clip", "film") and after is None and before is not None:
                found |= {(LINKS[name], before[name]) for name in LINKS.keys() & before.keys() if before[name]}
            if kind == "film" and before is not None and after is not None and before["gone"] != after["gone"]:
                found |= {("file", before["file"])} if before["file"] else set()
            if before is not None and after is not None and self.moves:
                found |= {
                    (LINKS[name], before[name]) for name in LINKS.keys() & before.keys() if before[name] != after[name]
                }
            if kind in ("note", "mark"):
                found.add(("film", rest[0] if kind == "note" else (before or after or {})["film"]))
            if kind == "answer" and after is None and before is not None and before["follows"]:
                found.add(("answer", before["follows"]))
        return found

    @property
    def moves(self) -> bool:
        """Whether it moved something to another profile."""
        changes = self.changes.values()
        return any(before and after and before.get("profile") != after.get("profile") for before, after in changes)

    @property
    def removes(self) -> set[Key]:
        """What is no longer there after it, or not as others knew it."""
        return {
            key
            for key, (before, after) in self.changes.items()
            if after is None
            or (before is not None and any(before.get(each) != after.get(each) for each in ("gone", "profile")))
            or (self.is_reading and key[0] == "film")
        }

    def is_free_of(self, later: Step) -> bool:
        """Whether a later step of the profile touched none of its records, nor of those that they refer to."""
        touched = later.changes.keys() | (later.reads if self.is_reading else set())
        return not (self.changes.keys() & touched or self.reads & later.removes)


@dataclass
class Model:
    """What should be there, with the steps that undo can take back, and those that redo can do again."""

    facts: Facts = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    undone: list[tuple[Step, Changes, tuple[Facts, Facts]]] = field(default_factory=list)

    def steps_of(self, profile: str) -> list[Step]:
        return [step for step in self.steps if step.profile == profile]

    def forget_redo(self, *profiles: str) -> None:
        self.undone = [each for each in self.undone if each[0].profile not in profiles]

    def changes_to(self, now: Mapping[Key, Fact | None]) -> Changes:
        """What it would change that these are so."""
        found = {key: (self.facts.get(key), None if fact is None else dict(fact)) for key, fact in now.items()}
        return {key: (before, after) for key, (before, after) in found.items() if before != after}

    def change(self, changes: Changes, step: Step | None) -> None:
        """Make changes; ``step`` is the one that undo takes back."""
        for key, (_, after) in changes.items():
            self._put(key, after)
        if step is not None:
            self.steps.append(step)

    def undo(self, step: Step) -> None:
        """Take a step back, as far as what it left is there still."""
        self.steps.remove(step)
        old = self._copied()
        marks = self._turn(step, step.changes, step.marks)
        self._see_again(step)
        done = self._changes_since(old)
        self._forget_redo_of_others(step, done)
        if done or step.adds_clips:
            self.undone.append((step, done, marks))

    def redo(self, profile: str) -> Step | None:
        """Do the step again that was taken back last."""
        for number in range(len(self.undone) - 1, -1, -1):
            step, done, marks = self.undone[number]
            if step.profile == profile:
                del self.undone[number]
                old = self._copied()
                step.marks = self._turn(step, done, marks)
                # What was before a word was marked stays as it was noted first.
                words = {key: change for key, change in step.changes.items() if key[0] == "word"}
                again = self._changes_since(old)
                self._forget_redo_of_others(step, again)
                step.changes = again | words
                self.steps.append(step)
                self.steps.sort(key=lambda each: each.id)
                return step
        return None

    def _forget_redo_of_others(self, step: Step, done: Changes) -> None:
        """Nothing is done again in a profile that something was moved from or to."""
        profiles = {_profile(each) for change in done.values() if None not in change for each in change}
        if any(None not in change and _profile(change[0]) != _profile(change[1]) for change in done.values()):
            self.forget_redo(*(profiles - {None, step.profile}))

    def _copied(self) -> Facts:
        return {key: dict(fact) for key, fact in self.facts.items()}

    def _changes_since(self, old: Facts) -> Changes:
        keys = (*old, *(key for key in self.facts if key not in old))
        return {key: (old.get(key), self.facts.get(key)) for key in keys if old.get(key) != self.facts.get(key)}

    def _turn(self, step: Step, changes: Changes, marks: tuple[Facts, Facts]) -> tuple[Facts, Facts]:
        """Turn changes over, as far as what they left is there still; gives the marks before and after that."""
        old = self._copied()
        if step.is_reading:
            changes = {key: change for key, change in changes.items() if key[0] not in MARKS}
        for key, (before, after) in sorted(changes.items(), key=lambda each: _ORDER.get(each[0][0], 0)):
            if key[0] == "word" and step.writes_clips and not step.adds_clips and self.facts == old:
                continue  # of an edit of clips that are gone
            if self._turns(step, key, before, after):
                self._put(key, self._turned(key, before, after))
        back = {key for key in changes if key in old and _profile(self.facts.get(key)) != _profile(old[key])}
        for key, (before, after) in changes.items():
            if before is None or after is None or key not in self.facts or (step.moves and not back):
                continue
            if _profile(before) == _profile(after) or key in back:
                self._link(self.facts[key], before, after)
        self.clear_links()
        films = [key for key in changes if key[0] == "film"] if step.is_reading else []
        for film in [film for film in films if old[film]["lines"] != self.facts[film]["lines"]]:
            marks = self._turn_marks(film[1], len(old[film]["lines"]), marks)
        return marks

    def _turn_marks(self, film: str, before: int, undone: tuple[Facts, Facts]) -> tuple[Facts, Facts]:
        """Let what hangs on the lines of a film be as it was before a reading, or move, where some is new since."""
        now, (found, left) = marks_of(self.facts, film), undone
        moved = move_marks(now, before, len(self.facts["film", film]["lines"]))
        for kind in MARKS:
            is_as_left = _of_kind(now, kind) == _of_kind(left, kind)
            for key in _of_kind(now, kind):
                del self.facts[key]
            self.facts |= _of_kind(found if is_as_left else moved, kind)
        return now, marks_of(self.facts, film)

    def _turns(self, step: Step, key: Key, before: Fact | None, after: Fact | None) -> bool:
        """Whether a record is where the step left it: not in another profile by now, nor at a film that is."""
        now = self.facts.get(key)
        if (film := self._film_of(key, before or after or {})) is not None:
            return film in self.facts and self.facts[film]["profile"] == step.profile
        if now is None:
            return True
        if before is not None and after is not None and before.get("profile") != after.get("profile"):
            return bool(now["profile"] == after["profile"] and not now.get("gone"))
        return bool(now.get("profile", step.profile) == step.profile)

    def _turned(self, key: Key, before: Fact | None, after: Fact | None) -> Fact | None:
        now = self.facts.get(key)
        if before is None:
            return None
        if after is None:
            is_taken = now is not None or (key[0] == "mark" and self._is_marked(before))
            return now if is_taken else dict(before)
        if now is None:
            return None
        names = [name for name in before if before[name] != after[name] and name not in LINKS]
        if key[0] == "clip":  # of which what was edited since stays, in another profile
            names = [name for name in names if now[name] == after[name]]
        return now | {name: before[name] for name in names}

    def _link(self, now: Fact, before: Fact, after: Fact) -> None:
        """Let a record refer again to what it did, unless it refers to something else by now."""
        for name in LINKS.keys() & before.keys():
            if before[name] != after[name] == now[name]:
                now[name] = before[name]

    def clear_links(self) -> None:
        """Clear what refers to something that is not there, or is in another profile."""
        for fact in self.facts.values():
            for name in LINKS.keys() & fact.keys() if "profile" in fact else ():
                other = self.facts.get((LINKS[name], fact[name]))
                if other is None or other.get("gone") or other["profile"] != fact["profile"]:
                    fact[name] = None

    def _film_of(self, key: Key, fact: Fact) -> Key | None:
        """The film that a note or a bookmark is at."""
        if key[0] == "note":
            return ("film", key[1])
        return ("film", fact["film"]) if key[0] == "mark" else None

    def _is_marked(self, mark: Fact) -> bool:
        place = mark["film"], mark["cue"]
        return any(key[0] == "mark" and (fact["film"], fact["cue"]) == place for key, fact in self.facts.items())

    def _see_again(self, step: Step) -> None:
        """Words of a step that was taken back are seen still, where a clip has them that came later."""
        later = [each for each in self.steps_of(step.profile) if each.id > step.id and each.writes_clips]
        for clip in all_of(self.facts, "clip", step.profile):
            key = ("word", step.profile, self.facts[clip]["word"])
            is_later = key in step.changes and any(clip in each.changes for each in later)
            if is_later and self.facts.get(key, {"state": "new"})["state"] == "new":
                self.facts[key] = {"state": "seen"}

    def _put(self, key: Key, fact: Fact | None) -> None:
        if fact is None:
            self.facts.pop(key, None)
        else:
            self.facts[key] = dict(fact)


def marks_of(facts: Facts, film: str) -> Facts:
    """Notes, bookmarks and what was read of a film."""
    return {
        key: dict(fact)
        for key, fact in facts.items()
        if key[0] in MARKS and film == (fact["film"] if key[0] == "mark" else key[1])
    }


def move_marks(marks: Facts, before: int, now: int) -> Facts:
    """Where they stand in a film of ``now`` lines, which had others ``before``: those of lines that are gone at the
    last one. Of two bookmarks at a line the older one stays, and notes become one.
    """
    moved: Facts = {}
    for (_, film, cue), note in sorted(_of_kind(marks, "note").items()):
        there = moved.setdefault(("note", film, min(cue, now - 1)), {"text": ""})
        there["text"] = "\n".join(filter(None, (there["text"], note["text"])))
    by_cue: dict[int, Fact] = {}
    for key, mark in sorted(_of_kind(marks, "mark").items(), key=lambda each: int(each[1]["place"])):
        cue = min(mark["cue"], now - 1)
        if cue in by_cue:
            by_cue[cue]["name"] = by_cue[cue]["name"] or mark["name"]
        else:
            moved[key] = by_cue[cue] = {**mark, "cue": cue}
    for key, read in _of_kind(marks, "read").items():
        moved[key] = {"count": now if read["count"] >= before else min(read["count"], now)}
    return moved


def _profile(fact: Fact | None) -> Any:
    return None if fact is None else fact.get("profile")


def _of_kind(facts: Facts, kind: str) -> Facts:
    return {key: fact for key, fact in facts.items() if key[0] == kind}


MARKS = ("note", "mark", "read")
_ORDER = {"file": -3, "film": -2, "clip": -1}
"""What others refer to comes first."""


def all_of(facts: Facts, kind: str, profile: str | None = None) -> list[Key]:
    """The keys of one kind of things that are to be seen, of a profile or of all, in the order of their making."""
    there = [
        key
        for key, fact in facts.items()
        if key[0] == kind and not fact.get("gone") and profile in (None, fact.get("profile", profile))
    ]
    return sorted(there, key=lambda key: int(facts[key]["place"]))


def shown(facts: Facts, names: Iterable[str] = ("place", "gone")) -> Facts:
    """What lists show: not what hangs on a film that is gone, nor how things are ordered."""
    left_out = set(names)
    found = {}
    for key, fact in facts.items():
        film = key[1] if key[0] in ("note", "read") else fact.get("film") if key[0] == "mark" else None
        if fact.get("gone") or (film and facts.get(("film", film), {"gone": True})["gone"]):
            continue
        if key[0] != "word" or fact["state"] != "new":
            found[key] = {name: value for name, value in fact.items() if name not in left_out}
    return found
