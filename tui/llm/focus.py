"""Focus word from a model, and what it says of the sentence: schema, question, and what of the answer is believed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from tui.language.focus import find_focus_spans
from tui.language.word import Word
from tui.language.word_form import has_characters
from tui.llm.protocol import ChatRequest, Question
from tui.records.clips import FocusWord
from tui.text.display import shortened
from tui.text.readings import furigana
from tui.text.sanitize import laid_out, one_line

_CAPS = {"surface": 120, "lemma": 100, "reading": 100, "part_of_speech": 60, "grammar": 200, "level": 20}
"""Maximum characters of each field; what is longer is prose, and is cut."""
_MAX_MEANINGS = 8
_MAX_MEANING = 120
_MAX_TRANSLATION = 2_000
_MAX_READINGS = 500
_MAX_READING = 100
_WORD_AND_READING = re.compile(r"\s*([^\[\]]+?)\s*[\[［]\s*([^\[\]［］]+?)\s*[\]］]\s*")
_NOTHING = frozenset(("", "-", "–", "—", "?", "n/a", "na", "none", "null", "nil", "unknown", "not applicable"))


_ROWS = Path(__file__).with_name("focus_form.tsv").read_text("utf-8").splitlines()
_TEXTS = dict(row.split("\t") for row in _ROWS)
"""Texts that a model gets: the system message, what it says of entries of dictionaries, and each field of the form."""


def _describe(field: str) -> Meta:
    return Meta(description=_TEXTS[field])


class FocusForm(Struct, frozen=True, kw_only=True):
    """Form of a focus word and its sentence, for a model to fill in; unknown is null."""

    surface: Annotated[str | None, _describe("surface")] = None
    lemma: Annotated[str | None, _describe("lemma")] = None
    reading: Annotated[str | None, _describe("reading")] = None
    part_of_speech: Annotated[str | None, _describe("part_of_speech")] = None
    grammar: Annotated[str | None, _describe("grammar")] = None
    entry: Annotated[int | str | None, _describe("entry")] = None
    meanings: Annotated[list[str], _describe("meanings")]
    level: Annotated[str | None, _describe("level")] = None
    translation: Annotated[str | None, _describe("translation")] = None
    readings: Annotated[list[str], _describe("readings")] = []


def request(question: Question) -> ChatRequest:
    """The structured request for the focus word; the material is quoted as JSON, so that nothing in it can end it."""
    material: dict[str, object] = {
        "sentence": question.sentence,
        "word": question.focus,
        "context": question.context or None,
        "language": question.language,
    }
    if question.entries:
        entries = enumerate(question.entries, 1)
        material["dictionary"] = [{"number": number, "entry": each.text} for number, each in entries]
    level = f", for a learner at level {question.level}" if question.level else ""
    system = _TEXTS["system"].format(explain_in=question.explain_in, level=level)
    system += f" {_TEXTS['entries']}" if question.entries else ""
    return ChatRequest(
        question.selector.model, system, json.dumps(material, ensure_ascii=False, indent=1), question=question
    )


def focus_word(given: FocusForm, question: Question) -> FocusWord:
    """The focus word that a model gave.

    Its surface must occur in the sentence and have to do with the word that was asked about, else the asker's word
    stands. Texts become one line without controls; what says "unknown" in any way is None.
    """
    texts: dict[str, Any] = {name: _field(getattr(given, name), most) for name, most in _CAPS.items()}
    if texts["surface"] is None or not _believable(texts["surface"], question):
        texts["surface"] = one_line(question.focus)
    meanings = (_field(each, _MAX_MEANING) for each in (*_own_meanings(texts["lemma"], question), *given.meanings))
    once = tuple(dict.fromkeys(each for each in meanings if each))
    return FocusWord(
        **texts,
        meanings=once[:_MAX_MEANINGS],
        language=question.language,
        origin="llm",
        dictionary=_chosen_dictionary(given, question),
    )


def sentence_translation(given: FocusForm, question: Question) -> str:
    """The translation that a model gave of the whole sentence, on one line; "" where it only repeats it."""
    text = _field(given.translation, _MAX_TRANSLATION) or ""
    return "" if text.casefold() == one_line(question.sentence).casefold() else text


def sentence_reading(given: FocusForm, question: Question) -> str:
    """The sentence with the readings that a model gave, as ``text.readings.furigana`` writes them.

    A reading is believed where its word stands in the sentence, behind those before it, and needs one; "" for none.
    """
    sentence = laid_out(question.sentence)
    words, at = [], 0
    for item in given.readings[:_MAX_READINGS]:
        found = _WORD_AND_READING.fullmatch(one_line(item[: _MAX_READING * 8]))
        if found is None or len(found[2]) > _MAX_READING or not has_characters(found[1]) or has_characters(found[2]):
            continue
        start = sentence.find(found[1], at)
        if start >= 0:
            at = start + len(found[1])
            words.append(Word(found[1], start, at, reading=found[2]))
    return furigana(sentence, words)


def _own_meanings(lemma: str | None, question: Question) -> list[str]:
    """Find the meanings that the asker has written of the word, which hold whatever a model says."""
    name = one_line(lemma or question.focus).casefold()
    return [each.own_meaning for each in question.entries if each.own_term.casefold() == name and each.own_meaning]


def _chosen_dictionary(given: FocusForm, question: Question) -> str | None:
    """The dictionary of the entry that the model chose; None where it says that none fits, or names no entry."""
    number = str(given.entry).strip() if given.entry is not None else ""
    if not (number.isascii() and number.isdecimal() and len(number) <= 2):
        return None
    chosen = question.entries[int(number) - 1 : int(number)] if int(number) else ()
    return (chosen[0].dictionary or None) if chosen else None


def _field(value: str | None, most: int) -> str | None:
    if value is None:
        return None
    text = one_line(value[: most * 8])
    if text.casefold() in _NOTHING:
        return None
    return shortened(text, most)


def _believable(surface: str, question: Question) -> bool:
    """Whether the surface stands in the sentence, and there in one word with the asker's if that does too."""
    spans, asked = find_focus_spans(question.sentence, surface), question.focus
    if not find_focus_spans(question.sentence, asked):
        return bool(spans)
    parts = (question.sentence[start:end] for start, end in spans)
    return any(find_focus_spans(part, asked) or find_focus_spans(asked, part) for part in parts)
