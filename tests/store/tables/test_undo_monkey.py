"""Random deletions, edits and marks, undone and redone in any order, leave the library as a plain model says.

The model knows what each step changed, record by record, and nothing of how that is kept.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, TypeAlias

import pytest

from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE, check_search_tables, remove_discarded, run_sql
from tui.errors import InvalidInput
from tui.records.answers import NewTemplate
from tui.records.clips import FocusWord, NewClip
from tui.records.exports import ClipSelection
from tui.records.own_words import OwnWord
from tui.records.transcripts import Cue
from tui.records.word_states import WordState
from tui.records.words import WordMark
from tui.store import Store
from tui.text.clip_fields import with_tags

Key: TypeAlias = tuple[str, ...]
Facts: TypeAlias = dict[Key, Any]
NOUNS = ("Zug", "Bus", "Rose", "Nelke")
STATES: tuple[WordState, ...] = ("new", "learning", "known", "ignored")


@dataclass(frozen=True)
class ClipFact:
    sentence: str
    note: str
    word: str
    transcript: str | None
    file: str | None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class FilmFact:
    title: str
    language: str
    file: str | None
    lines: tuple[str, ...]


@dataclass
class Step:
    id: int
    before: Facts
    """What it changed, as that was before; None for what was not there."""
    gone: set[Key]
    """What was there no longer after it."""
    is_reading: bool = False
    writes_clips: bool = False

    @property
    def references(self) -> set[Key]:
        found: set[Key] = set()
        for fact in (self.before[key] for key in self.gone):
            if isinstance(fact, ClipFact) and fact.transcript:
                found.add(("film", fact.transcript))
            if isinstance(fact, ClipFact | FilmFact) and fact.file:
                found.add(("file", fact.file))
        return found

    def is_free_of(self, later: Step) -> bool:
        """Whether a later step touched none of its records, nor of those that they refer to."""
        needed = later.before.keys() | (later.references if self.is_reading else set())
        removed = later.gone | {key for key in later.before if later.is_reading and key[0] == "film"}
        return not (self.before.keys() & needed or self.references & removed)


@dataclass
class Model:
    """What should be there, with the steps that undo can take back, and those that redo can do again."""

    facts: Facts = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    undone: list[tuple[Step, Facts]] = field(default_factory=list)

    def change(self, now: Facts, step: int | None, **about: bool) -> None:
        """A step; one that undo takes back has a number."""
        before = {
            key: self.facts.get(key) for key in self.facts.keys() | now.keys() if self.facts.get(key) != now.get(key)
        }
        self.facts = now
        self.undone.clear()
        if step is not None:
            self.steps.append(Step(step, before, before.keys() - now.keys(), **about))

    def undo(self, step: Step) -> None:
        self.steps.remove(step)
        if step.before.keys() == {("template",)} and ("template",) in self.facts:
            return  # a newer one is never overwritten
        self.undone.append((step, self.facts))
        back = {**self.facts, **step.before}
        self.facts = {key: fact for key, fact in back.items() if fact is not None}
        for later in self.steps:
            for key in later.before if later.id > step.id and later.writes_clips else ():
                if isinstance(fact := self.facts.get(key), ClipFact) and ("word", fact.word) in step.before:
                    self._see(fact.word)

    def redo(self) -> Step:
        step, self.facts = self.undone.pop()
        self.steps.append(step)
        self.steps.sort(key=lambda each: each.id)
        return step

    def _see(self, word: str) -> None:
        if self.facts.get(("word", word), "new") == "new":
            self.facts = {**self.facts, ("word", word): "seen"}


class Monkey:
    """Does something at random with the store and with the model; the same seed does the same."""

    def __init__(self, store: Store, seed: int) -> None:
        self.store = store
        self.model = Model()
        self._random = random.Random(seed)
        self._numbers = count()
        self.refused = 0
        self.taken_alone = 0

    def act(self) -> None:
        often = {
            self._undo: 6,
            self._redo: 5,
            self._undo_older: 5,
            self._mark: 3,
            self._add_clips: 3,
            self._edit_clip: 3,
        }
        rarely = (
            self._delete_clips,
            self._tag_clips,
            self._delete_film,
            self._delete_file,
            self._rename,
            self._read_anew,
            self._write_word,
        )
        once = (self._delete_word, self._save_template, self._delete_template, self._tidy)
        actions = {**often, **dict.fromkeys(rarely, 2), **dict.fromkeys(once, 1), self._add_film: 1}
        (action,) = self._random.choices(list(actions), list(actions.values()))
        action()

    # Steps

    def _undo(self) -> None:
        restored = self.store.trash.undo(PROFILE)
        assert (restored is None) == (not self.model.steps)
        if restored is not None:
            self.model.undo(self.model.steps[-1])

    def _undo_older(self) -> None:
        if not self.model.steps:
            return
        step = self._random.choice(self.model.steps)
        later = [each for each in self.model.steps if each.id > step.id and not step.is_free_of(each)]
        try:
            self.store.trash.undo_step(PROFILE, step.id)
        except InvalidInput as refusal:
            assert refusal.code == "undo_blocked"
            assert later, refusal.message
            assert any(f"({each.id})" in refusal.message for each in later)
            self.refused += 1
        else:
            assert not later
            self.taken_alone += step is not self.model.steps[-1]
            self.model.undo(step)

    def _redo(self) -> None:
        step = self.store.trash.redo(PROFILE)
        assert (step is None) == (not self.model.undone)
        if step is not None:
            assert self.model.redo().id == step.id

    def _add_film(self) -> None:
        number = next(self._numbers)
        file, film = add_file(self.store, f"{number}.srt", _cues(f"Zeile {number}"))
        fact = FilmFact(film.title, "de", file.id, (f"Zeile {number}",))
        self._changed({("file", file.id): "de", ("film", film.id): fact})

    def _add_clips(self) -> None:
        facts = [self._new_clip() for _ in range(self._random.choice((1, 1, 3)))]
        added = self.store.clips.add_at_once(PROFILE, [_clip(fact) for fact in facts])
        changes: Facts = {("clip", clip.id): fact for clip, fact in zip(added, facts, strict=True)}
        self._changed(changes | self._seen(*facts), writes_clips=True)

    def _edit_clip(self) -> None:
        if not (clips := self._all("clip")):
            return
        key = self._random.choice(clips)
        fact = self.model.facts[key]
        fact = replace(fact, note=f"n{self._random.randrange(3)}", word=self._random.choice((fact.word, *NOUNS)))
        is_other = fact != self.model.facts[key]
        self.store.clips.edit(PROFILE, key[1], _clip(fact))
        if is_other:
            self._changed({key: fact} | self._seen(fact), writes_clips=True)

    def _delete_clips(self) -> None:
        clips = self._all("clip")
        if some := self._random.sample(clips, min(len(clips), self._random.choice((1, 2)))):
            self.store.clips.delete(PROFILE, [key[1] for key in some])
            self._changed(dict.fromkeys(some))

    def _tag_clips(self) -> None:
        clips = self._all("clip")
        some = self._random.sample(clips, min(len(clips), self._random.choice((1, 3))))
        new, old = self._random.sample(("a1", "b2", "c"), 2)
        chosen = self.store.exports.select(PROFILE, "", ClipSelection(ids=tuple(key[1] for key in some)))
        if some and self.store.clips.tag(PROFILE, chosen, [new], [old]):
            facts = {key: self.model.facts[key] for key in some}
            self._changed({key: replace(fact, tags=with_tags(fact.tags, [new], [old])) for key, fact in facts.items()})

    def _delete_film(self) -> None:
        if films := self._all("film"):
            key = self._random.choice(films)
            self.store.transcripts.delete(PROFILE, [key[1]])
            self._changed({key: None} | self._clips_without(transcript=key[1]))

    def _delete_file(self) -> None:
        if files := self._all("file"):
            key = self._random.choice(files)
            self.store.files.delete(PROFILE, [key[1]])
            films = {each: self.model.facts[each] for each in self._all("film")}
            orphans = {each: replace(fact, file=None) for each, fact in films.items() if fact.file == key[1]}
            self._changed({key: None} | orphans | self._clips_without(file=key[1]))

    def _rename(self) -> None:
        if not (films := self._all("film")):
            return
        key = self._random.choice(films)
        fact = self.model.facts[key]
        new = replace(fact, title=f"T{self._random.randrange(3)}", language=self._random.choice(("de", "nl")))
        self.store.transcripts.edit(PROFILE, key[1], title=new.title, language=new.language)
        changes: Facts = {key: new}
        if new.language != fact.language and fact.file is not None:
            changes[("file", fact.file)] = new.language
        if new != fact:
            self._changed(changes)

    def _read_anew(self) -> None:
        films = [key for key in self._all("film") if self.model.facts[key].file is not None]
        if not films:
            return
        key = self._random.choice(films)
        fact: FilmFact = self.model.facts[key]
        assert fact.file is not None
        (name, sha256) = run_sql(self.store, "SELECT name, sha256 FROM files WHERE id = ?", (fact.file,))[0]
        lines = tuple(f"anders {self._random.randrange(3)}" for _ in range(self._random.choice((1, 2))))
        add_file(self.store, name, _cues(*lines), sha256=sha256)
        new = replace(fact, lines=lines, language="de")
        if lines != fact.lines or self.model.facts["file", fact.file] != "de":
            self._changed({key: new, ("file", fact.file): "de"}, is_reading=True)

    def _mark(self) -> None:
        marks = [(word, self._random.choice(STATES)) for word in self._random.sample(NOUNS, 2)]
        self.store.word_states.mark(PROFILE, [WordMark("de", word, state=state) for word, state in marks], "user")
        changes: Facts = {("word", word): state for word, state in marks}
        if any(self.model.facts.get(key) != fact for key, fact in changes.items()):
            self._changed(changes)

    def _write_word(self) -> None:
        word, meaning = self._random.choice(NOUNS), f"m{self._random.randrange(2)}"
        self.store.own_words.save(PROFILE, word.casefold(), OwnWord("de", word, meaning), [word.casefold()])
        if self.model.facts.get(("own", word)) != meaning:
            self._changed({("own", word): meaning})

    def _delete_word(self) -> None:
        word = self._random.choice(NOUNS)
        if self.store.own_words.delete(PROFILE, "de", word.casefold()).count:
            self._changed({("own", word): None})

    def _save_template(self) -> None:
        prompt = f"{next(self._numbers)} {{{{ focus }}}}"
        self.store.templates.save(PROFILE, NewTemplate("ollama:m", prompt, ""))
        self._changed({("template",): prompt})

    def _delete_template(self) -> None:
        if self.store.templates.delete(PROFILE).count:
            self._changed({("template",): None})

    def _tidy(self) -> None:
        self.store.remove_expired()
        remove_discarded(self.store)

    # The model

    def _changed(self, changes: Facts, **about: bool) -> None:
        now = {key: fact for key, fact in {**self.model.facts, **changes}.items() if fact is not None}
        steps = self.store.trash.steps(PROFILE, 1)
        last = max((each.id for each in self.model.steps), default=0)
        is_new = bool(steps) and steps[0].id > last
        self.model.change(now, steps[0].id if is_new else None, **about)

    def _all(self, kind: str) -> list[Key]:
        return [key for key in self.model.facts if key[0] == kind]

    def _new_clip(self) -> ClipFact:
        film = self._random.choice([None, *self._all("film")])
        file = None if film is None else self.model.facts[film].file
        word = self._random.choice(NOUNS)
        return ClipFact(f"Satz {next(self._numbers)}.", "", word, None if film is None else film[1], file)

    def _seen(self, *clips: ClipFact) -> Facts:
        words = {("word", clip.word) for clip in clips}
        return {word: "seen" for word in words if self.model.facts.get(word, "new") == "new"}

    def _clips_without(self, **gone: str) -> Facts:
        ((name, value),) = gone.items()
        clips = {key: self.model.facts[key] for key in self._all("clip")}
        return {key: replace(fact, **{name: None}) for key, fact in clips.items() if getattr(fact, name) == value}


def _cues(*lines: str) -> list[Cue]:
    return [Cue(index, index * 1000, index * 1000 + 900, line) for index, line in enumerate(lines)]


def _clip(fact: ClipFact) -> NewClip:
    focus = FocusWord(fact.word, lemma=fact.word, language="de")
    origin = fact.transcript, fact.file
    return NewClip(fact.sentence, *origin, note=fact.note, focus=focus, tags=fact.tags)


def facts_of(store: Store) -> Facts:
    """What the library has, as the lists show it."""
    facts: Facts = {("file", file.id): file.language for file in store.files.page(PROFILE, limit=1000).items}
    for film in store.transcripts.page(PROFILE, limit=1000).items:
        lines = tuple(cue.text for cue in store.transcripts.cues(PROFILE, film.id).items)
        facts["film", film.id] = FilmFact(film.title, film.language or "", film.file_id, lines)
    for clip in store.clips.page(PROFILE, limit=1000).items:
        word = clip.focus.surface if clip.focus is not None else ""
        facts["clip", clip.id] = ClipFact(clip.sentence, clip.note, word, clip.transcript_id, clip.file_id, clip.tags)
    states = "SELECT w.lemma, s.state FROM word_states AS s JOIN words AS w ON w.seq = s.word WHERE s.state <> ''"
    facts |= {("word", lemma): state for lemma, state in run_sql(store, states)}
    facts |= {("own", word.lemma): word.meaning for word in store.own_words.all(PROFILE)}
    if (template := store.templates.get(PROFILE)) is not None:
        facts["template",] = template.prompt
    return facts


def run_monkey(store: Store, seed: int, steps: int) -> Monkey:
    monkey = Monkey(store, seed)
    for number in range(steps):
        monkey.act()
        assert facts_of(store) == monkey.model.facts, (seed, number)
        assert [step.id for step in store.trash.steps(PROFILE, 1000)] == [
            step.id for step in reversed(monkey.model.steps)
        ], (seed, number)
    check_search_tables(store)
    return monkey


@pytest.mark.parametrize("seed", range(3))
def test_the_library_is_what_a_plain_model_of_the_steps_says(store: Store, seed: int) -> None:
    monkey = run_monkey(store, seed, 150)
    assert monkey.refused, "older steps that others build upon"
    assert monkey.taken_alone, "older steps that stand free"


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(100, 130))
def test_the_library_is_what_a_plain_model_of_many_steps_says(store: Store, seed: int) -> None:
    run_monkey(store, seed, 600)
