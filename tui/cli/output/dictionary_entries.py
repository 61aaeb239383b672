"""Entries of dictionaries for people: reading, part of speech, numbered senses, examples, and whose they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tui.cli.output import console
from tui.dictionaries.focus_word import credit, describe_frequency
from tui.records.dictionaries import NOTE, DictionaryEntry, Sense
from tui.records.lookups import OTHER, by_dictionary
from tui.text.pitch_accent import pitch_text
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.records.lookups import LookUp

_MOST_FORMS = 12


def put_look_up(found: LookUp) -> None:
    """Put all entries, each dictionary's title and licence below its own, then how frequent and how spoken they are."""
    for entries in by_dictionary(found.entries):
        for each in entries:
            _put_entry(each.entry, OTHER if found.is_other(each) else "")
        console.put(f"  — {credit((entries[0].dictionary,))}")
        console.put()
    for title, term in found.frequencies:
        console.put(one_line(f"{_named(term.term, term.reading)} · {describe_frequency(title, term)}"))
    for title, spoken in found.pronunciations:
        said = ", ".join((*spoken.pronunciations, *map(pitch_text, spoken.pitch)))
        console.put(one_line(f"{_named(spoken.term, spoken.reading)} · {said} — {title}"))


def _put_entry(entry: DictionaryEntry, remark: str) -> None:
    facts = [", ".join(entry.part_of_speech), ", ".join(entry.pronunciations), *map(pitch_text, entry.pitch)]
    facts += [", ".join(entry.tags), remark]
    _put(" · ".join(filter(None, (_named(entry.term, entry.reading), *facts))), "", "    ")
    several, number = len(entry.meanings) > 1, 0
    for sense in entry.senses:
        is_numbered = several and not sense.is_note
        number += is_numbered
        mark = f"{number:3}. " if is_numbered else "     "
        lines = _lines_of(sense)
        _put(next(lines), mark, "     ")
        for line in lines:
            _put(line, "       ", "       ")
    for name, texts in (("forms", entry.forms), ("see", entry.lemmas), ("compare", entry.related)):
        if texts:
            more = ", …" if len(texts) > _MOST_FORMS else ""
            _put(f"{name}: {', '.join(texts[:_MOST_FORMS])}{more}", "     ", "       ")


def _lines_of(sense: Sense) -> Iterator[str]:
    """Its glosses behind its tags, in as many lines as an explanation has, then its examples."""
    named = [tag for tag in sense.tags if tag != NOTE]
    tags = f"({', '.join(named)}) " if named else ""
    glosses = "; ".join(sense.glosses) if all("\n" not in each for each in sense.glosses) else "\n".join(sense.glosses)
    yield from (tags + glosses).split("\n")
    for example in sense.examples:
        yield f"“{example.text}” {example.translation}".rstrip()


def _put(text: str, first: str, rest: str) -> None:
    """A text in lines that fit the terminal, ``first`` before the first of them; whole in a pipe."""
    text = one_line(text)
    if not console.is_terminal():
        console.put(first + text)
        return
    for number, line in enumerate(_wrapped(text, console.width() - len(rest))):
        console.put((rest if number else first) + line)


def _wrapped(text: str, width: int) -> Iterable[str]:
    from tui.text.wrapping import wrap

    return (text[start:end] for start, end in wrap(text, max(10, width)))


def _named(term: str, reading: str) -> str:
    return f"{term} 【{reading}】" if reading and reading != term else term
