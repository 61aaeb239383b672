"""A monkey that uses a library with two profiles, and tells a plain model of each step what that was to change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import count
from random import Random
from typing import Any, TypeAlias

from tests.service.monkey.lists import LISTS, WORDS, random_query, rows_of, write_query
from tests.service.monkey.looking import NOUNS, difference, facts_of, film_fact, find_sentences, look_at
from tests.service.monkey.model import Fact, Key, Model, Step, all_of, marks_of, move_marks, shown
from tests.store.adding_files import add_file
from tests.store.conftest import remove_discarded
from tui.errors import InvalidInput
from tui.records.answers import NewAnswer, NewTemplate
from tui.records.clip_selection import ClipSelection
from tui.records.clips import FocusWord, NewClip
from tui.records.own_words import OwnWord
from tui.records.search import View
from tui.records.transcripts import Cue, ReadingPlace, Transcript
from tui.records.word_states import WordState
from tui.records.words import WordMark
from tui.service.local import LocalService
from tui.store import Store
from tui.text.clip_fields import with_tags

Action: TypeAlias = Callable[[], Awaitable[None]]
TAGS = ("xa", "xab", "qi")
STATES: tuple[WordState, ...] = ("new", "learning", "known", "ignored")
PROFILES = ("default", "other")


class Monkey:
    """Does something at random with the library and with the model; the same seed does the same."""

    def __init__(self, services: Mapping[str, LocalService], seed: int) -> None:
        self.services = services
        self.model = Model()
        self.done: Counter[str] = Counter()
        self.last = ""
        self._random = Random(seed)
        self._numbers = count(1)
        self._profile = PROFILES[0]

    @property
    def _service(self) -> LocalService:
        return self.services[self._profile]

    async def act(self) -> None:
        actions = {each: weight for weight, some in self._actions().items() for each in some}
        (action,) = self._random.choices(list(actions), list(actions.values()))
        if self.last.startswith("_undo") and self._random.random() < 0.5:
            action = self._random.choice((self._redo, self._undo))
        else:
            self._profile = self._random.choices(PROFILES, (3, 1))[0]
        self.last = f"{action.__name__} in {self._profile}"
        await action()

    def _actions(self) -> dict[int, Sequence[Action]]:
        return {
            8: (self._undo,),
            6: (self._redo, self._undo_older),
            3: (self._mark_words, self._add_clips, self._edit_clip, self._move),
            2: (
                *(self._delete_clips, self._tag_clips, self._delete_film, self._delete_file, self._rename),
                *(self._read_anew, self._write_word, self._note, self._bookmark, self._keep_view, self._read),
            ),
            1: (
                *(self._delete_word, self._save_template, self._delete_template, self._tidy, self._add_film),
                *(self._delete_bookmarks, self._rename_view, self._delete_view, self._ask, self._delete_answers),
            ),
        }

    # Undo and redo

    async def _undo(self) -> None:
        restored, steps = await self._service.undo(), self.model.steps_of(self._profile)
        assert (restored is None) == (not steps)
        if restored is not None:
            self._take_back(steps[-1])

    async def _undo_older(self) -> None:
        if not (steps := self.model.steps_of(self._profile)):
            return
        step = self._random.choice(steps)
        later = [each for each in steps if each.id > step.id and not step.is_free_of(each)]
        try:
            await self._service.undo_step(step.id)
        except InvalidInput as refusal:
            assert refusal.code == "undo_blocked"
            assert later, (refusal.message, step)
            assert any(f"({each.id})" in refusal.message for each in later)
            self.done["refused"] += 1
        else:
            assert not later, (step, later)
            self.done["taken alone"] += step is not steps[-1]
            self._take_back(step)

    def _take_back(self, step: Step) -> None:
        self.last += f": step {step.id} {_named(step)}"
        self.done["undone"] += 1
        self.model.undo(step)

    async def _redo(self) -> None:
        step, again = await self._service.redo(), self.model.redo(self._profile)
        assert (None if step is None else step.id) == (None if again is None else again.id), (step, again)
        if again is not None:
            self.last += f": step {again.id} {_named(again)}"
            self.done["redone"] += 1

    # Films and files

    async def _add_film(self) -> None:
        number = next(self._numbers)
        lines = tuple(self._text() for _ in range(self._random.choice((1, 2, 3))))
        name = f"{self._random.choice(WORDS)} {number}.srt"
        file, film = await self._import(name, lines)
        place = {"place": next(self._numbers), "profile": self._profile}
        await self._changed(
            {
                ("file", file): {**place, "name": name, "language": "de"},
                ("film", film.id): {**place, **film_fact(film, lines), "file": file},
            }
        )

    async def _import(self, name: str, lines: Sequence[str], sha256: str = "") -> tuple[str, Transcript]:
        profile, given = self._profile, {"sha256": sha256} if sha256 else {}
        cues = [Cue(index, index * 1000, index * 1000 + 900, line) for index, line in enumerate(lines)]

        def add(store: Store) -> tuple[str, Transcript]:
            file, film = add_file(store, name, cues, profile=profile, **given)
            return file.id, film

        return await self._service._library.change(add)

    async def _read_anew(self) -> None:
        if not (key := self._any("film", lambda fact: fact["file"])):
            return
        fact = self.model.facts[key]
        lines = tuple(self._text() for _ in range(self._random.choice((1, 2, 3))))
        file = await self._service.files.get(fact["file"])
        sha256 = await self._service._library.run(lambda store: _sha256(store, file.id))
        await self._import(file.name, lines, sha256)
        if lines == fact["lines"] and self.model.facts["file", fact["file"]]["language"] == "de":
            return
        changes: dict[Key, Fact | None] = {
            ("file", fact["file"]): {**self.model.facts["file", fact["file"]], "language": "de"},
            key: {**fact, "lines": lines, "language": "de", "place": next(self._numbers)},
        }
        before = marks_of(self.model.facts, key[1])
        after = move_marks(before, len(fact["lines"]), len(lines))
        marks = dict.fromkeys(before) | after
        await self._changed(changes | marks, is_reading=True, marks=(before, after))

    async def _delete_film(self) -> None:
        if key := self._any("film"):
            await self._service.transcripts.delete(key[1])
            gone = {**self.model.facts[key], "gone": True}
            await self._changed({key: gone} | self._without("film", key[1]))

    async def _delete_file(self) -> None:
        if key := self._any("file"):
            await self._service.files.delete(key[1])
            await self._changed({key: None} | self._without("file", key[1]))

    def _without(self, name: str, record_id: str) -> dict[Key, Fact | None]:
        facts = self.model.facts.items()
        return {key: {**fact, name: None} for key, fact in facts if key[0] != "mark" and fact.get(name) == record_id}

    async def _rename(self) -> None:
        if not (key := self._any("film")):
            return
        fact = self.model.facts[key]
        title, language = self._text(), self._random.choice(("de", "nl"))
        await self._service.transcripts.edit(key[1], title=title, language=language)
        changes: dict[Key, Fact | None] = {key: {**fact, "title": title, "language": language}}
        if language != fact["language"] and fact["file"] is not None:
            changes["file", fact["file"]] = {**self.model.facts["file", fact["file"]], "language": language}
        await self._changed(changes)

    async def _read(self) -> None:
        if key := self._any("film"):
            lines, before = self.model.facts[key]["lines"], self.model.facts.get(("read", key[1]), {"count": 0})
            read = self._random.randint(0, len(lines))
            await self._service.transcripts.leave_at(key[1], ReadingPlace(max(0, read - 1), 0, read))
            self.model.facts["read", key[1]] = {"count": max(read, before["count"])}  # no undo takes it back

    async def _note(self) -> None:
        if key := self._any("film"):
            cue = self._random.randrange(len(self.model.facts[key]["lines"]))
            text = self._random.choice(("", *WORDS))
            await self._service.transcripts.note(key[1], cue, text)
            await self._changed({("note", key[1], cue): {"text": text} if text else None})

    async def _bookmark(self) -> None:
        if key := self._any("film"):
            cue = self._random.randrange(len(self.model.facts[key]["lines"]))
            name = self._random.choice((None, "", self._text()))
            mark = await self._service.bookmarks.put(key[1], cue, name=name)
            before = self.model.facts.get(("mark", mark.id), {"name": "", "place": next(self._numbers)})
            about = {"film": key[1], "cue": cue, "place": before["place"]}
            await self._changed({("mark", mark.id): {**about, "name": before["name"] if name is None else name}})

    async def _delete_bookmarks(self) -> None:
        films = {key[1] for key in all_of(self.model.facts, "film", self._profile)}
        marks = [key for key in all_of(self.model.facts, "mark") if self.model.facts[key]["film"] in films]
        if some := self._random.sample(marks, min(len(marks), self._random.choice((1, 2)))):
            await self._service.bookmarks.delete(*(key[1] for key in some))
            await self._changed(dict.fromkeys(some))

    # Clips, words, answers

    async def _add_clips(self) -> None:
        facts = [self._new_clip() for _ in range(self._random.choice((1, 1, 3)))]
        added = await self._service.clips.add_at_once([_clip(fact) for fact in facts])
        changes: dict[Key, Fact | None] = {("clip", clip.id): fact for clip, fact in zip(added, facts, strict=True)}
        await self._changed(changes | self._seen(*facts), writes_clips=True, adds_clips=True)

    async def _edit_clip(self) -> None:
        if key := self._any("clip"):
            fact = self.model.facts[key]
            note, word = self._random.choice(WORDS), self._random.choice((fact["word"], *NOUNS))
            fact = {**fact, "note": note, "word": word}
            await self._service.clips.edit(key[1], _clip(fact))
            if fact != self.model.facts[key]:
                await self._changed({key: fact} | self._seen(fact), writes_clips=True)

    async def _delete_clips(self) -> None:
        if some := self._some("clip"):
            await self._service.clips.delete(*(key[1] for key in some))
            await self._changed(dict.fromkeys(some))

    async def _tag_clips(self) -> None:
        if not (some := self._some("clip")):
            return
        new, old = self._random.sample(TAGS, 2)
        facts = {key: self.model.facts[key] for key in some}
        selection = ClipSelection(ids=tuple(key[1] for key in some))
        if self._random.random() < 0.3:
            rows = rows_of("clips", self.model.facts, self._profile)
            terms = random_query(self._random, "clips", rows)
            selection = ClipSelection(q=write_query(terms))
            found = [row for row in rows if row.has(terms, is_whole=True)]
            facts = {("clip", row.id): self.model.facts["clip", row.id] for row in found}
        await self._service.clips.tag(selection, add=new, remove=old)
        await self._changed(
            {key: {**fact, "tags": with_tags(fact["tags"], [new], [old])} for key, fact in facts.items()}
        )

    async def _move(self) -> None:
        kind = self._random.choice(("file", "film", "clip"))
        if not (some := self._some(kind)):
            return
        (to,) = (each for each in PROFILES if each != self._profile)
        service = self._service
        parts: dict[str, Any] = {"file": service.files, "film": service.transcripts, "clip": service.clips}
        await parts[kind].move(*(key[1] for key in some), to=to)
        facts, moved = self.model.facts, set(some)
        moved |= {key for key in all_of(facts, "film", self._profile) if ("file", facts[key]["file"]) in moved}
        for key in [key for key in moved if key[0] == "film" and facts[key]["file"]]:
            moved.add(("file", facts[key]["file"]))  # a file goes with the last of its films
        moved |= {
            key
            for key in all_of(facts, "clip", self._profile)
            if ("film", facts[key]["film"]) in moved
            or (facts[key]["film"] is None and ("file", facts[key]["file"]) in moved)
        }
        after = Model({key: {**fact, "profile": to} if key in moved else dict(fact) for key, fact in facts.items()})
        after.clear_links()
        self.model.forget_redo(to)
        await self._changed(dict(after.facts))

    async def _mark_words(self) -> None:
        marks = [(word, self._random.choice(STATES)) for word in self._random.sample(NOUNS, 2)]
        await self._service.known_words.mark([WordMark("de", word, state=state) for word, state in marks])
        await self._changed({("word", self._profile, word): {"state": state} for word, state in marks})

    async def _write_word(self) -> None:
        word, meaning = self._random.choice(NOUNS), f"m{self._random.randrange(2)}"
        await self._service.own_words.save(OwnWord("de", word, meaning))
        await self._changed({("own", self._profile, word): {"meaning": meaning}})

    async def _delete_word(self) -> None:
        word = self._random.choice(NOUNS)
        await self._service.own_words.delete("de", word)
        await self._changed({("own", self._profile, word): None})

    async def _ask(self) -> None:
        word, sentence, profile = self._random.choice(NOUNS), self._text(), self._profile
        asked = NewAnswer("breakdown", "lexicon:local", sentence, word, "", "prompt", "")

        def answer(store: Store) -> str:
            begun = store.answers.begin(profile, asked)
            return store.answers.finish(begun.id, "complete", text="said").id

        given = await self._service._library.change(answer)
        fact = {"profile": profile, "sentence": sentence, "word": word, "place": next(self._numbers), "follows": None}
        self.model.facts["answer", given] = fact  # no undo takes it back

    async def _delete_answers(self) -> None:
        if some := self._some("answer"):
            await self._service.history.delete(*(key[1] for key in some))
            await self._changed(dict.fromkeys(some))

    # Views and the template

    async def _keep_view(self) -> None:
        name, q = self._random.choice(("One", "Two")), self._random.choice(WORDS)
        await self._service.views.save(View(name, "clips", q, self._random.choice(("", "word"))))
        (view,) = (each for each in await self._service.views.all() if each.name == name)
        await self._changed({("view", self._profile, name): {"q": q, "sort": view.sort}})

    async def _rename_view(self) -> None:
        old, new = self._random.sample(("One", "Two", "Three"), 2)
        before, there = (self.model.facts.get(("view", self._profile, name)) for name in (old, new))
        if before is not None and there is None:
            await self._service.views.rename(old, new)
            await self._changed({("view", self._profile, old): None, ("view", self._profile, new): before})

    async def _delete_view(self) -> None:
        name = self._random.choice(("One", "Two", "Three"))
        await self._service.views.delete(name)
        await self._changed({("view", self._profile, name): None})

    async def _save_template(self) -> None:
        prompt = f"{next(self._numbers)} {{{{ focus }}}}"
        await self._service.template.save(NewTemplate("ollama:m", prompt, ""))
        await self._changed({("template", self._profile): {"prompt": prompt}})

    async def _delete_template(self) -> None:
        await self._service.template.delete()
        await self._changed({("template", self._profile): None})

    async def _tidy(self) -> None:
        def tidy(store: Store) -> None:
            store.remove_expired()
            remove_discarded(store)

        await self._service._library.run(tidy)

    # What is looked at

    async def check(self) -> None:
        """Compare all that the lists show with the model, and the steps that can be taken back."""
        found, wanted = await facts_of(self.services), shown(self.model.facts)
        assert found == wanted, difference(found, wanted)
        for profile, service in self.services.items():
            steps = [step.id for step in await service.undo_steps(limit=1000)]
            assert steps == [step.id for step in reversed(self.model.steps_of(profile))]

    async def look(self) -> None:
        """Search, sort and group each list of a profile at random, and compare what is found with the model."""
        for listed in LISTS:
            self.done["found"] += await look_at(self._service, self.model.facts, listed, self._random)
        self.done["sentences"] += await find_sentences(self._service, self.model.facts, self._random)

    # The model

    async def _changed(self, now: Mapping[Key, Fact | None], **about: Any) -> None:
        """Tell the model of a change; it is a step if undo has a new one."""
        changes = self.model.changes_to(now)
        last = max((each.id for each in self.model.steps_of(self._profile)), default=0)
        newest = await self._service.undo_steps(limit=1)
        is_step = bool(newest) and newest[0].id > last
        assert is_step <= bool(changes), f"a step that changes nothing: {newest[0].subject}"
        if changes:
            self.model.forget_redo(self._profile)
            self.model.change(changes, Step(newest[0].id, self._profile, changes, **about) if is_step else None)
            self.last += f": step {newest[0].id} {sorted(changes, key=str)}" if is_step else ": no step"

    def _any(self, kind: str, wanted: Callable[[Fact], object] = lambda fact: True) -> Key | None:
        keys = [key for key in all_of(self.model.facts, kind, self._profile) if wanted(self.model.facts[key])]
        return self._random.choice(keys) if keys else None

    def _some(self, kind: str) -> list[Key]:
        keys = all_of(self.model.facts, kind, self._profile)
        return self._random.sample(keys, min(len(keys), self._random.choice((1, 1, 2))))

    def _text(self) -> str:
        words = self._random.choices(WORDS, k=self._random.choice((1, 2, 3)))
        return " ".join((*words, str(next(self._numbers))))

    def _new_clip(self) -> Fact:
        film = self._random.choice((None, self._any("film")))
        file = None if film is None else self.model.facts[film]["file"]
        about = {"film": None if film is None else film[1], "file": file, "word": self._random.choice(NOUNS)}
        text = {"sentence": self._text(), "note": "", "tags": ()}
        return {"profile": self._profile, "place": next(self._numbers), **about, **text}

    def _seen(self, *clips: Fact) -> dict[Key, Fact | None]:
        words = {("word", self._profile, clip["word"]) for clip in clips}
        return {
            key: {"state": "seen"} for key in words if self.model.facts.get(key, {"state": "new"})["state"] == "new"
        }


def _named(step: Step) -> list[Key]:
    return sorted(step.changes, key=str)


def _clip(fact: Fact) -> NewClip:
    focus = FocusWord(fact["word"], lemma=fact["word"], language="de")
    return NewClip(fact["sentence"], fact["film"], fact["file"], note=fact["note"], focus=focus, tags=fact["tags"])


def _sha256(store: Store, file_id: str) -> str:
    with store.files._connections.read() as connection:
        return str(connection.value("SELECT sha256 FROM files WHERE id = ?", file_id))
