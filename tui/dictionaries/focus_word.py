"""Focus word from a look-up: the facts that stand beside a word, on its card and in its clip."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tui.dictionaries.freedict_text import drop_placeholders
from tui.language.tags import base_language
from tui.language.word_form import WordForm
from tui.records.clips import FocusWord
from tui.records.dictionaries import (
    OWN,
    Dictionary,
    DictionaryEntry,
    DictionaryRow,
    EntryText,
    FoundEntry,
    LookUp,
    PitchAccent,
    TermFrequency,
    TermPronunciation,
)
from tui.text.display import shortened
from tui.text.sanitize import one_line

_MAX_MEANINGS = 4
_MAX_MEANING_LENGTH = 120
_LEVEL = re.compile(r"[ABC][12]|N[1-5]|HSK ?[1-9]")


def make_focus_word(word: str, language: str | None, form: WordForm, found: LookUp) -> FocusWord:
    """The word with what its first entry says: lemma, reading, part of speech, level, and its first meanings.

    ``form`` is its dictionary form and reading where no dictionary says them. Of a compound that only its parts are
    known of, the meanings are those of the parts, named.
    """
    first = found.entries[0] if found.entries else None
    entry = first.entry if first is not None and first.way != "part" else None
    of_each: dict[str, FoundEntry] = {}
    if first is None or entry is None:
        sources = list({each.entry.term: each for each in reversed(found.entries)}.values())[::-1]  # first of each part
        for each in sources:
            of_each |= {f"{each.entry.term}: {meaning}": each for meaning in _meanings(each)[:1]}
        lemma, reading, level = form.lemma, form.reading, None
        common = _commonness(found, form.lemma or word)
    else:
        same = [each for each in found.entries if _is_same_word(each, first) and _explain_alike(each, first)]
        for each in same:
            for meaning in _meanings(each):
                of_each.setdefault(meaning, each)
        if first.dictionary == OWN:  # which says what is meant; what kind of word it is stands in a dictionary
            entry = next((each.entry for each in same if each.entry.part_of_speech), entry)
        level = next((tag for tag in entry.tags if _LEVEL.fullmatch(tag)), None)
        reading = form.reading if form.reading is not None or entry.term != word else entry.reading or None
        lemma = _headword(entry) if first.way != "accents" else form.lemma or entry.term
        common = _commonness(found, entry.term, entry.reading)
        sources = list(of_each.values())[:_MAX_MEANINGS]
    return FocusWord(
        one_line(word),
        lemma=lemma,
        reading=reading,
        part_of_speech=(", ".join(entry.part_of_speech) if entry is not None else "") or None,
        meanings=tuple(of_each)[:_MAX_MEANINGS],
        level=level,
        language=language,
        origin="lexicon",
        dictionary=credit(each.dictionary for each in sources if each.dictionary != OWN) or None,
        commonness=common,
    )


def find_other_word(focus: FocusWord, found: LookUp) -> FocusWord | None:
    """The word that may as well be meant as ``focus``, the look-up's first; None where there is no doubt."""
    if not found.other:
        return None
    entries = found.entries
    turned = (entries[found.other], *entries[: found.other], *entries[found.other + 1 :])
    entry = turned[0].entry
    form = WordForm(focus.lemma, None if entry.reading and entry.term == focus.surface else focus.reading)
    other = make_focus_word(focus.surface, focus.language, form, replace(found, entries=turned, other=0))
    return replace(other, frequency=focus.frequency)


def list_senses(focus: FocusWord, found: LookUp) -> Iterator[FocusWord]:
    """Yield the word with each sense that its entries have, in their order: with what that entry says of it."""
    for each in found.entries:
        entry = each.entry
        level = next((tag for tag in entry.tags if _LEVEL.fullmatch(tag)), None)
        for meaning in _meanings(each):
            yield replace(
                focus,
                lemma=_headword(entry),
                reading=entry.reading or focus.reading,
                part_of_speech=", ".join(entry.part_of_speech) or focus.part_of_speech,
                meanings=(meaning,),
                level=level or focus.level,
                origin="lexicon",
                dictionary=credit((each.dictionary,)) if each.dictionary != OWN else None,
            )


def _is_same_word(found: FoundEntry, first: FoundEntry) -> bool:
    """Whether an entry is on the same word and kind of word; own words are on a lemma, whatever led to the others."""
    if first.dictionary == OWN:
        return found.entry.term.casefold() == first.entry.term.casefold()
    kinds = set(found.entry.part_of_speech), set(first.entry.part_of_speech)
    is_kind = not all(kinds) or bool(kinds[0] & kinds[1])
    return is_kind and (_headword(found.entry), found.way) == (_headword(first.entry), first.way)


def _headword(entry: DictionaryEntry) -> str:
    """The term without what only shows its case: FreeDict's "etw. planen" is planen."""
    return drop_placeholders(entry.term) or entry.term


def _explain_alike(one: FoundEntry, other: FoundEntry) -> bool:
    """Whether both are explained in one language, as far as their dictionaries say."""
    languages = {base_language(each.dictionary.target_language) for each in (one, other)} - {""}
    return len(languages) < 2


def credit(dictionaries: Iterable[Dictionary]) -> str:
    """Titles of dictionaries and their licences, each once, as they stand where their text is shown or kept."""
    return "; ".join(dict.fromkeys(one_line(each.credit) for each in dictionaries))


def _commonness(found: LookUp, term: str, reading: str = "") -> str | None:
    """How common the first of the dictionaries that count says that a term is: "345 in JPDB"."""
    return next((describe_frequency(title, row) for title, row in list_frequencies(found, term, reading)), None)


def _meanings(found: FoundEntry) -> list[str]:
    """The senses of an entry in a line each, as far as they are short."""
    lines = (one_line(", ".join(sense.glosses)) for sense in found.entry.meanings)
    return [shortened(line, _MAX_MEANING_LENGTH) for line in lines]


_ENTRIES = 8
_SENSES = 8
"""Senses of one entry; what a dictionary gives behind those is rare."""
_SENSE, _ENTRY, _ALL = 160, 700, 2_400
"""Maximum characters of a sense, of an entry and of all of them: a model reads them with every question."""


def shorten_entries(found: LookUp) -> tuple[EntryText, ...]:
    """The likeliest entries, bounded in number and length."""
    texts: list[EntryText] = []
    left = _ALL
    for each in found.entries[:_ENTRIES]:
        text = shortened(_text(each), _ENTRY)
        if len(text) > left:
            break
        left -= len(text)
        if each.dictionary == OWN:
            meaning = next((sense.glosses[0] for sense in each.entry.meanings), "")
            texts.append(EntryText(text, own_term=each.entry.term, own_meaning=meaning))
        else:
            texts.append(EntryText(text, credit((each.dictionary,))))
    return tuple(texts)


def _text(found: FoundEntry) -> str:
    """An entry on one line: "abfahren (verb): 1. to leave, to depart 2. to ski down"."""
    entry = found.entry
    head = one_line(entry.term)
    about = [entry.reading if entry.reading != entry.term else "", *entry.part_of_speech, *entry.tags]
    if known := ", ".join(one_line(each) for each in about if each):
        head += f" ({known})"
    numbered = []
    for number, sense in enumerate(entry.meanings[:_SENSES], 1):
        tags = f"({one_line(', '.join(sense.tags))}) " if sense.tags else ""
        mark = f"{number}. " if len(entry.meanings) > 1 else ""
        numbered.append(f"{mark}{tags}{shortened(one_line(', '.join(sense.glosses)), _SENSE)}")
    notes = [one_line(", ".join(sense.glosses)) for sense in entry.notes]
    numbered += [f"(note: {shortened(note, _SENSE)})" for note in notes]
    return f"{head}: {' '.join(numbered)}"


def number_lines(texts: tuple[EntryText, ...]) -> str:
    """The entries as the value ``dictionary`` of a prompt template, a line each; "" for none."""
    return "\n".join(f"{number}. {each.text}" for number, each in enumerate(texts, 1))


def list_pronunciations(found: LookUp, term: str, reading: str = "") -> tuple[str, ...]:
    """Collect the IPA pronunciations of a term, each once; of any reading where none is named."""
    return tuple(dict.fromkeys(ipa for row in _spoken(found, term, reading) for ipa in row.pronunciations))


def list_pitches(found: LookUp, term: str, reading: str = "") -> tuple[PitchAccent, ...]:
    """Collect the pitch accents of a term, each once; of any reading where none is named."""
    return tuple(dict.fromkeys(pitch for row in _spoken(found, term, reading) for pitch in row.pitch))


def _spoken(found: LookUp, term: str, reading: str) -> list[DictionaryEntry | TermPronunciation]:
    """The entries and rows that say how a term is spoken."""
    rows: list[DictionaryEntry | TermPronunciation] = [each.entry for each in found.entries]
    rows += (row for _, row in found.pronunciations)
    return [row for row in rows if _is_of(row, term, reading)]


def list_frequencies(found: LookUp, term: str, reading: str = "") -> tuple[tuple[str, TermFrequency], ...]:
    """How frequent each dictionary says that a term is, one line a dictionary, with its title."""
    said: dict[str, TermFrequency] = {}
    for title, row in found.frequencies:
        if _is_of(row, term, reading):
            said.setdefault(title, row)
    return tuple(said.items())


def describe_frequency(title: str, row: TermFrequency) -> str:
    """Say how common a dictionary says that a term is, in its own words: "345 in JPDB"."""
    return one_line(f"{row.shown} in {title}")


def _is_of(row: DictionaryRow, term: str, reading: str) -> bool:
    return row.term == term and (not row.reading or not reading or row.reading == reading)
