"""Vocabulary from outside: a file or a running Anki, what it offers, its words, and the marks that these make.

A running Anki is asked again and again, and must not undo what its learner says in Lode: it raises the state of a word,
lowers only what was its own, and leaves alone what was marked ignored or new by hand. A list is what somebody wants
now.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tui.anki import connect
from tui.errors import InvalidInput, NotFound
from tui.language.tags import base_language, language_name
from tui.records import vocabulary as records
from tui.records.word_states import FROM_ANKI, WordState
from tui.records.word_stats import StateCount
from tui.records.words import KnownWord, WordMark
from tui.service.library import Database
from tui.service.settings import check_tag
from tui.service.words.word_forms import WordForms
from tui.system.regular_file import named_path
from tui.text.display import count_of, number
from tui.text.sanitize import is_blank, one_line
from tui.vocabulary.anki_connect import AnkiVocabulary
from tui.vocabulary.formats import open_vocabulary
from tui.vocabulary.marks import VocabularyMarks, choose_language, make_marks

if TYPE_CHECKING:  # where the library is a server's, words are read without a store
    from tui.store import Store

VocabularySource = Path | records.RunningAnki


@dataclass(frozen=True, slots=True)
class ReadVocabulary:
    """Words as they were read, and ``source``: what their states are said to be from.

    ``card_times`` are those of a running Anki's cards, for the next time.
    """

    format: records.VocabularyFormat
    source: str
    words: tuple[records.VocabularyWord, ...]
    skipped: int = 0
    card_times: Mapping[int, int] | None = None


class VocabularySources:
    """Sources on this machine, wherever the library is: a part of both vocabulary resources.

    ``anki`` is the running one that is meant where none is named. What has to be unpacked lies in ``place`` meanwhile,
    without one where the system has temporary files.
    """

    def __init__(self, anki: records.RunningAnki, place: Path | None = None) -> None:
        self._anki = anki
        self._place = place

    async def offer(self, source: VocabularySource, *, encoding: str = "") -> records.VocabularyOffer:
        if isinstance(source, records.RunningAnki):
            return await AnkiVocabulary(*connection_of(source.or_else(self._anki))).offer()
        path = named_path(source).absolute()

        def read_offer() -> records.VocabularyOffer:
            with open_vocabulary(path, self._unpacked_in(), encoding=encoding) as file:
                return file.offer()

        return await asyncio.to_thread(read_offer)

    async def show_in_anki(self, word: str, anki: records.RunningAnki | None = None) -> int:
        if is_blank(word):
            raise InvalidInput("there is no word to look for in Anki")
        asked = AnkiVocabulary(*connection_of((anki or self._anki).or_else(self._anki)))
        count = await asked.browse(one_line(word))
        if not count:
            hint = "it may be in another profile of Anki's"
            raise NotFound(f"no note in Anki has {one_line(word)[:80]!r}", hint=hint)
        return count

    async def _read(self, source: VocabularySource, choice: records.VocabularyChoice) -> ReadVocabulary:
        """All words of a source, read for a look at them. Raises ``InvalidInput`` for a choice that means nothing."""
        check_choice_values(choice)
        if isinstance(source, records.RunningAnki):
            return await read_anki(source.or_else(self._anki), choice, lambda share: None, known_times={}, days=0)
        path = named_path(source).absolute()
        return await asyncio.to_thread(lambda: read_file(path, self._unpacked_in(), choice, lambda share: None))

    def _unpacked_in(self) -> Path:
        place = self._place or Path(tempfile.gettempdir())
        place.mkdir(parents=True, exist_ok=True)
        return place


def read_file(
    path: Path, place: Path, choice: records.VocabularyChoice, progress: Callable[[float], None], *, name: str = ""
) -> ReadVocabulary:
    """Read the words of a file. Blocks."""
    with open_vocabulary(
        path,
        place,
        name=name,
        encoding=choice.encoding,
        language=choice.language,
        progress=lambda share: progress(share / 2),
    ) as file:
        words = tuple(file.words(choice, lambda share: progress(0.5 + share / 2)))
        form = file.format
        return ReadVocabulary(form, FROM_ANKI if form == "anki" else "list", words, file.skipped)


async def read_anki(
    anki: records.RunningAnki,
    choice: records.VocabularyChoice,
    progress: Callable[[float], None],
    *,
    known_times: Mapping[int, int],
    days: int,
) -> ReadVocabulary:
    """Read the words of a running Anki, all or those that have changed."""
    asked = AnkiVocabulary(*connection_of(anki))
    found = await asked.words(choice, progress, known_times=known_times, edited_days=days)
    return ReadVocabulary("anki", FROM_ANKI, found.words, found.skipped, found.card_times)


def address_of(given: str) -> str:
    """The address of a running Anki as it is kept with a job; raises ``InvalidInput`` for what is none."""
    if given and not given.startswith(("http://", "https://")):
        raise InvalidInput(f"{one_line(given)[:80]!r} is no address of Anki's", hint=f"as in anki={connect.ADDRESS}")
    return given or connect.ADDRESS


def connection_of(anki: records.RunningAnki) -> tuple[str, str, str]:
    """Address, key and the name of the key's variable, as ``AnkiConnect`` takes them, with what this machine has."""
    variable = anki.key_env or connect.KEY_VARIABLE
    return address_of(anki.address), os.environ.get(variable, ""), variable


def check_choice_values(choice: records.VocabularyChoice) -> None:
    """Raise ``InvalidInput`` for numbers of a choice that mean nothing."""
    if not 1 <= choice.known_days <= 100_000:
        raise InvalidInput("a card is known from 1 to 100 000 days on", hint="Anki itself says 21", field="known_days")
    if choice.first is not None and choice.first < 1:
        raise InvalidInput("the first of a list are 1 or more", hint="as in --first 2000", field="first")


_SAMPLES = 12
_JUDGED = 3_000
"""Words by which their language is told."""
_RANK: Mapping[WordState, int] = {"new": 0, "seen": 1, "learning": 2, "known": 3, "ignored": 3}


@dataclass(frozen=True, slots=True)
class ChosenMarks:
    """Marks that change a word's state, how many words have theirs already, and how many keep what was said by hand.

    ``staying`` are readings with the states that they keep, to be marked before the others: a mark of their word
    without a reading would change them too.
    """

    marks: tuple[WordMark, ...]
    staying: tuple[WordMark, ...]
    unchanged: int
    kept: int


async def marks_of(
    read: ReadVocabulary,
    choice: records.VocabularyChoice,
    database: Database,
    profile: str,
    word_forms: WordForms,
    step: Callable[[float], None] = lambda share: None,
) -> VocabularyMarks:
    """Make marks of words: in their languages, which are told where nothing says them, by their dictionary forms.

    Raises ``InvalidInput`` (``language_needed``) where a language cannot be told.
    """
    language = await _language(read, choice, database, profile)
    for each in {language, *(word.language for word in read.words)} - {""}:
        await word_forms.prepare(each)
    total = max(len(read.words), 1)

    def lemma_of(text: str, tag: str) -> str | None:
        return word_forms.form_of(text, tag).lemma

    return await asyncio.to_thread(
        make_marks, read.words, language, lemma_of, sentences=choice.sentences, step=lambda number: step(number / total)
    )


async def _language(read: ReadVocabulary, choice: records.VocabularyChoice, database: Database, profile: str) -> str:
    if choice.language:
        return check_tag(choice.language)
    unnamed = [word.text for word in read.words if not word.language and word.state is not None]
    if not unnamed:
        return ""
    settings = await database.run(lambda store: store.settings.get(profile))
    learned = [each.language for each in settings.learning]
    found = await asyncio.to_thread(choose_language, unnamed[:: max(1, len(unnamed) // _JUDGED)], learned)
    if found is None:
        names = " or ".join(f"{tag} ({language_name(tag)})" for tag in learned)
        raise InvalidInput(
            "which language these words are in cannot be told",
            hint=f"name it: {names}" if names else "name it, as in --language de",
            code="language_needed",
            field="language",
        )
    return found


def chosen_marks(store: Store, profile: str, marks: Sequence[WordMark], source: str) -> ChosenMarks:
    """The marks that change something, of those that a source may change. Blocks."""
    from tui.store.known_words.word_rows import WordKey

    current: dict[WordKey, KnownWord] = {}
    readings: defaultdict[tuple[str, str], list[KnownWord]] = defaultdict(list)
    for language in {base_language(mark.language) for mark in marks}:
        for words in store.word_list.each(profile, language):
            for known in words:
                key = WordKey.of(language, known.lemma, known.reading)
                current[key] = known
                if known.reading:
                    readings[key.language, key.folded].append(known)

    chosen: list[WordMark] = []
    staying: list[WordMark] = []
    unchanged, kept = 0, 0
    for mark in marks:
        key = WordKey.of(base_language(mark.language), mark.lemma, mark.reading)
        word = current.get(key)
        if word is None or (word.state != mark.state and _may_change(word, mark.state, source)):
            chosen.append(mark)
            if not mark.reading:
                others = readings[key.language, key.folded]
                staying += [_as_it_is(other) for other in others if not _may_change(other, mark.state, source)]
            continue
        unchanged, kept = (unchanged + 1, kept) if word.state == mark.state else (unchanged, kept + 1)
        if word.reading:
            staying.append(_as_it_is(word))
    return ChosenMarks(tuple(chosen), tuple(staying), unchanged, kept)


def _as_it_is(word: KnownWord) -> WordMark:
    return WordMark(word.language, word.lemma, word.reading, word.state)


def _may_change(word: KnownWord, wanted: WordState, source: str) -> bool:
    """Whether a source may give this state to a word that has another one by somebody's word."""
    if source != FROM_ANKI or word.source in ("", FROM_ANKI):
        return True
    if word.source == "user" and word.state in ("new", "ignored"):
        return False
    return _RANK[wanted] > _RANK[word.state]


def make_report(read: ReadVocabulary, made: VocabularyMarks, chosen: ChosenMarks) -> records.VocabularyReport:
    """The report of what was read and what it changes."""
    counts = Counter((base_language(mark.language), mark.state) for mark in made.marks)
    return records.VocabularyReport(
        read.format,
        tuple(StateCount(language, state, count) for (language, state), count in sorted(counts.items())),
        len(chosen.marks),
        chosen.unchanged,
        chosen.kept,
        made.never_shown,
        made.phrases,
        made.unread + read.skipped,
        tuple(made.marks[:_SAMPLES]),
    )


def sum_up(report: records.VocabularyReport) -> str:
    """The report in one line: "1,204 words: 900 known, 304 learning; 3 phrases left out"."""
    by_state: Counter[str] = Counter()
    for each in report.states:
        by_state[each.state] += each.words
    said = [f"{number(count)} {state}" for state, count in by_state.most_common()]
    counted = count_of(report.words, "word") + (f": {', '.join(said)}" if said else "")
    others = [f"{number(report.changed)} changed"]
    others += [f"{number(report.kept)} kept as marked by hand"] if report.kept else []
    left = [
        (report.never_shown, "never shown"),
        (report.phrases, "of several words"),
        (report.unread, "without a word"),
    ]
    out = [f"{number(count)} {what}" for count, what in left if count]
    return "; ".join([counted, ", ".join(others), *([f"left out: {', '.join(out)}"] if out else [])])
