"""Entries of dictionaries as short texts that a model is handed with a word, to choose the sense that fits."""

from __future__ import annotations

from tui.dictionaries.focus_word import credit
from tui.records.dictionaries import OWN
from tui.records.lookups import EntryText, FoundEntry, LookUp
from tui.text.display import shortened
from tui.text.sanitize import one_line

_ENTRIES = 8
_SENSES = 8
"""Senses of one entry; what a dictionary gives behind those is rare."""
_SENSE, _ENTRY, _ALL = 160, 700, 2_400
"""Maximum characters of a sense, of an entry and of all of them: a model reads them with every question."""


def entry_texts(found: LookUp) -> tuple[EntryText, ...]:
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


def numbered_lines(texts: tuple[EntryText, ...]) -> str:
    """The entries as the value ``dictionary`` of a prompt template, a line each; "" for none."""
    return "\n".join(f"{number}. {each.text}" for number, each in enumerate(texts, 1))
