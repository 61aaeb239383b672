"""What the library shows of two profiles, beside what the model says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from tests.service.monkey.lists import ListName, Row, random_query, rows_of, sort_rows, write_query
from tests.service.monkey.model import Fact, Facts, all_of
from tui.records.sorting import GROUPS, SORT_COLUMNS
from tui.records.transcripts import Transcript
from tui.records.word_states import WordState
from tui.service.local import LocalService

NOUNS = ("Zug", "Bus", "Rose", "Nelke")
"""Words that clips are of, and that are marked."""


async def look_at(service: LocalService, facts: Facts, listed: ListName, dice: Random) -> bool:
    """Search, sort and group a list at random; whether a search found something."""
    rows, q, order = rows_of(listed, facts, service.profile), "", ""
    if dice.random() < 0.7:
        terms = random_query(dice, listed, rows)
        q = write_query(terms)
        rows = [row for row in rows if row.has(terms, is_whole=listed == "clips")]
    if rows and dice.random() < 0.7:
        column, is_turned = dice.choice(("age", *rows[0].sorts)), dice.random() < 0.5
        order = f"-{column}" if is_turned else column
        if column == "age":
            rows = rows[::-1] if is_turned else rows
        else:
            is_down = (SORT_COLUMNS[listed][column] == "down") != is_turned
            rows = sort_rows(rows, column, is_down=is_down, is_turned=is_turned)
    part: Any = service.history if listed == "answers" else getattr(service, listed)
    found = await _pages(part, q, order, dice)
    assert found == [row.id for row in rows], (listed, q, order, found, rows)
    if order.removeprefix("-") in GROUPS.get(listed, {}):
        groups = await part.find_groups(order, q=q)
        assert sum(group.count for group in groups) == len(rows)
    return bool(q and rows)


async def _pages(part: Any, q: str, sort: str, dice: Random) -> list[str]:
    """The ids of all pages of a list, by cursors or by offsets."""
    limit, by_cursor = dice.choice((2, 3, 100)), dice.random() < 0.5
    page = await part.page(limit=limit, q=q, sort=sort)
    found = [each.id for each in page.items]
    while page.items and len(found) < page.total:
        place = {"after": page.next} if by_cursor else {"offset": len(found)}
        page = await part.page(limit=limit, q=q, sort=sort, **place)
        found += [each.id for each in page.items]
    return found


async def find_sentences(service: LocalService, facts: Facts, dice: Random) -> bool:
    """Search all sentences at random; whether there were some."""
    films = {key[1]: facts[key] for key in all_of(facts, "film", service.profile)}
    rows = [Row(f"{film} {cue}", 0, [line]) for film, fact in films.items() for cue, line in enumerate(fact["lines"])]
    # A single letter is a whole word there.
    terms = [
        replace(term, goes_on=term.goes_on and len(term.words[0]) > 1)
        for term in random_query(dice, "transcripts", rows)
        if not term.field
    ]
    if all(term.is_negated for term in terms):
        return False
    groups = await service.search(write_query(terms), group="sentences", limit=200)
    found = [f"{hit.id} {hit.cue_index}" for group in groups for hit in group.hits]
    assert sorted(found) == sorted(row.id for row in rows if row.has(terms, is_whole=True)), (terms, found)
    return bool(found)


def film_fact(film: Transcript, lines: Sequence[str]) -> Fact:
    return {"title": film.title, "language": film.language or "", "lines": tuple(lines), "gone": False}


def difference(found: Facts, wanted: Facts) -> str:
    keys = [key for key in found.keys() | wanted.keys() if found.get(key) != wanted.get(key)]
    return "\n".join(f"{key}: {found.get(key)} and not {wanted.get(key)}" for key in sorted(keys, key=str))


async def facts_of(services: Mapping[str, LocalService]) -> Facts:
    """What the library has, as the lists show it."""
    facts: Facts = {}
    for profile, service in services.items():
        about = {"profile": profile}
        for file in (await service.files.page(limit=1000)).items:
            facts["file", file.id] = {**about, "name": file.name, "language": file.language}
        for film in (await service.transcripts.page(limit=1000)).items:
            lines = [cue.text for cue in (await service.transcripts.cues(film.id)).items]
            fact = {**about, **film_fact(film, lines), "file": film.file_id}
            del fact["gone"]
            facts["film", film.id] = fact
            for note in await service.transcripts.notes(film.id):
                facts["note", film.id, note.cue_index] = {"text": note.text}
            if film.read_cues is not None:
                facts["read", film.id] = {"count": film.read_cues}
        for mark in (await service.bookmarks.page(limit=1000)).items:
            facts["mark", mark.id] = {"film": mark.transcript_id, "cue": mark.cue_index, "name": mark.name}
        for clip in (await service.clips.page(limit=1000)).items:
            word = clip.focus.surface if clip.focus is not None else ""
            origin = {"film": clip.transcript_id, "file": clip.file_id}
            text = {"sentence": clip.sentence, "note": clip.note, "word": word, "tags": clip.tags}
            facts["clip", clip.id] = {**about, **origin, **text}
        for answer in (await service.history.page(limit=1000)).items:
            said = {"sentence": answer.sentence, "word": answer.focus, "follows": None}
            facts["answer", answer.id] = {**about, **said}
        states: tuple[WordState, ...] = ("seen", "learning", "known", "ignored")
        for known in (await service.known_words.page(states=states, limit=1000)).items:
            if known.lemma in NOUNS:  # numbers and names are ignored by themselves
                facts["word", profile, known.lemma] = {"state": known.state}
        for own in await service.own_words.all():
            facts["own", profile, own.lemma] = {"meaning": own.meaning}
        for view in await service.views.all():
            facts["view", profile, view.name] = {"q": view.q, "sort": view.sort}
        if (template := await service.template.get()) is not None:
            facts["template", profile] = {"prompt": template.prompt}
    return facts
