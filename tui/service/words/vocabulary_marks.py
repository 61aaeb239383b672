"""Marks that vocabulary from outside makes of a profile's words, and a report of them.

A running Anki is asked again and again, and must not undo what its learner says in Lode: it raises the state of a word,
lowers only what was its own, and leaves alone what was marked ignored or new by hand. A list is what somebody wants
now.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui.errors import InvalidInput
from tui.language.tags import base_language, language_name
from tui.records.vocabulary import VocabularyChoice, VocabularyReport
from tui.records.word_states import FROM_ANKI, WordState
from tui.records.words import KnownWord, StateCount, WordMark
from tui.service.settings import check_tag
from tui.service.words.vocabulary_sources import ReadVocabulary
from tui.text.display import count_of, number

if TYPE_CHECKING:
    from tui.service.library import Database
    from tui.service.words.word_forms import WordForms
    from tui.store import Store
    from tui.vocabulary.marks import VocabularyMarks

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
    choice: VocabularyChoice,
    database: Database,
    profile: str,
    word_forms: WordForms,
    step: Callable[[float], None] = lambda share: None,
) -> VocabularyMarks:
    """Make marks of words: in their languages, which are told where nothing says them, by their dictionary forms.

    Raises ``InvalidInput`` (``language_needed``) where a language cannot be told.
    """
    from tui.vocabulary.marks import make_marks

    language = await _language(read, choice, database, profile)
    for each in {language, *(word.language for word in read.words)} - {""}:
        await word_forms.prepare(each)
    total = max(len(read.words), 1)

    def lemma_of(text: str, tag: str) -> str | None:
        return word_forms.form_of(text, tag).lemma

    return await asyncio.to_thread(
        make_marks, read.words, language, lemma_of, sentences=choice.sentences, step=lambda number: step(number / total)
    )


async def _language(read: ReadVocabulary, choice: VocabularyChoice, database: Database, profile: str) -> str:
    from tui.vocabulary.marks import choose_language

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

    def may_change(word: KnownWord, wanted: WordState) -> bool:
        return source != FROM_ANKI or _may_change(word.state, word.source, wanted)

    chosen: list[WordMark] = []
    staying: list[WordMark] = []
    unchanged, kept = 0, 0
    for mark in marks:
        key = WordKey.of(base_language(mark.language), mark.lemma, mark.reading)
        word = current.get(key)
        if word is None or (word.state != mark.state and may_change(word, mark.state)):
            chosen.append(mark)
            if not mark.reading:
                others = readings[key.language, key.folded]
                staying += [_as_it_is(other) for other in others if not may_change(other, mark.state)]
            continue
        unchanged, kept = (unchanged + 1, kept) if word.state == mark.state else (unchanged, kept + 1)
        if word.reading:
            staying.append(_as_it_is(word))
    return ChosenMarks(tuple(chosen), tuple(staying), unchanged, kept)


def _as_it_is(word: KnownWord) -> WordMark:
    return WordMark(word.language, word.lemma, word.reading, word.state)


def _may_change(state: WordState, by: str, wanted: WordState) -> bool:
    """Whether Anki may give this state to a word that has another one by somebody's word."""
    if by in ("", FROM_ANKI):
        return True
    if by == "user" and state in ("new", "ignored"):
        return False
    return _RANK[wanted] > _RANK[state]


def make_report(read: ReadVocabulary, made: VocabularyMarks, chosen: ChosenMarks) -> VocabularyReport:
    """The report of what was read and what it changes."""
    counts = Counter((base_language(mark.language), mark.state) for mark in made.marks)
    return VocabularyReport(
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


def sum_up(report: VocabularyReport) -> str:
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
