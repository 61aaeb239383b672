"""Dictionary entries as text: headword, reading and pronunciation, numbered senses, examples, forms, licence."""

from collections.abc import Iterator, Mapping

from textual.content import Content

from tui.dictionaries.focus_word import credit, describe_frequency, list_frequencies, list_pitches, list_pronunciations
from tui.records.dictionaries import (
    NOTE,
    OTHER,
    Dictionary,
    DictionaryEntry,
    Example,
    FoundEntry,
    LookUp,
    Sense,
    Way,
    by_dictionary,
)
from tui.text.cells import direction_mark
from tui.text.display import pitch_text
from tui.text.sanitize import one_line
from tui.text.wrapping import wrap
from tui.widgets.chrome.themes import MUTED

_WAYS: Mapping[Way, str] = {
    "surface": "",
    "lemma": "dictionary form",
    "phrase": "as it stands in this sentence",
    "part": "a part of the word",
    "accents": "with other accents",
}
_SENSE, _EXAMPLE = 4, 6
"""Cells before a sense, where its number stands, and before an example of it."""
_MOST_SENSES, _MOST_EXAMPLES, _MOST_FORMS = 60, 6, 40
"""What is shown at most of one entry, of one sense: a hostile dictionary may have millions."""


def entries_text(found: LookUp, width: int) -> Content:
    """The entries of a look-up in lines of at most ``width`` cells, those of each dictionary under its title."""
    lines: list[Content] = []
    shown: set[tuple[str, str] | Way] = set()
    for entries in by_dictionary(found.entries):
        lines += [Content("")] if lines else []
        lines += _titled(entries[0].dictionary, width)
        for each in entries:
            lines.append(Content(""))
            lines += _headed(each, found, width, shown)
            lines += _explained(each.entry, width)
    return Content("\n").join(lines)


def _titled(dictionary: Dictionary, width: int) -> Iterator[Content]:
    """Title and licence of a dictionary, and whom to name where its text is shown."""
    yield from _wrapped(credit((dictionary,)), width, "$accent")
    if dictionary.attribution and one_line(dictionary.attribution) != one_line(dictionary.title):
        yield from _wrapped(one_line(dictionary.attribution), width, MUTED)


def _headed(each: FoundEntry, found: LookUp, width: int, shown: set[tuple[str, str] | Way]) -> Iterator[Content]:
    """The headword, and behind it what is said of it; how it was found, is spoken and how frequent it is only once."""
    entry = each.entry
    term, reading = one_line(entry.term), one_line(entry.reading)
    facts = [reading if reading != term else "", ", ".join(map(one_line, entry.part_of_speech))]
    facts += [", ".join(map(one_line, entry.tags)), "" if each.way in shown else _WAYS[each.way]]
    facts += [OTHER] if found.is_other(each) else []
    shown.add(each.way)
    if (entry.term, entry.reading) not in shown:
        shown.add((entry.term, entry.reading))
        facts += [" ".join(map(one_line, list_pronunciations(found, entry.term, entry.reading)))]
        facts += [" ".join(map(pitch_text, list_pitches(found, entry.term, entry.reading)))]
        frequent = list_frequencies(found, entry.term, entry.reading)
        facts += [", ".join(describe_frequency(title, row) for title, row in frequent)]
    text = term + direction_mark(term) + "".join(f" · {fact}{direction_mark(fact)}" for fact in facts if fact)
    for number, (start, end) in enumerate(wrap(text, width)):
        line = Content.styled(text[start:end], MUTED)
        yield line if number else line.stylize("bold $foreground", 0, len(term))


def _explained(entry: DictionaryEntry, width: int) -> Iterator[Content]:
    several, number = len(entry.meanings) > 1, 0
    for sense in entry.senses[:_MOST_SENSES]:
        is_numbered = several and not sense.is_note
        number += is_numbered
        yield from _sense(f"{number}" if is_numbered else "", sense, width)
    if (more := len(entry.senses) - _MOST_SENSES) > 0:
        yield from _hanging("", f"and {more} more", width, _SENSE, MUTED)
    for name, texts in (("forms", entry.forms), ("form of", entry.lemmas), ("see", entry.related)):
        if texts:
            listed = ", ".join(map(one_line, texts[:_MOST_FORMS])) + (" …" if len(texts) > _MOST_FORMS else "")
            yield from _hanging("", f"{name}: {listed}", width, _SENSE, MUTED)


def _sense(number: str, sense: Sense, width: int) -> Iterator[Content]:
    """A sense behind its number, each line of an explanation on its own, and its examples below it."""
    tags = ", ".join(one_line(tag) for tag in sense.tags if tag != NOTE)
    said = [one_line(line) for line in "; ".join(sense.glosses).split("\n") if line.strip()]
    style = MUTED if sense.is_note else "$foreground"
    if tags:
        said = [f"({tags}) {said[0]}" if said else f"({tags})", *said[1:]]
    for place, line in enumerate(said):
        yield from _hanging(
            "" if place else number, line, width, _SENSE, style, muted=len(tags) + 2 if tags and not place else 0
        )
    for example in sense.examples[:_MOST_EXAMPLES]:
        yield from _hanging("", _example(example), width, _EXAMPLE, MUTED)


def _example(example: Example) -> str:
    text, translation = one_line(example.text), one_line(example.translation)
    return f"{text}{direction_mark(text)} – {translation}" if translation else text


def _hanging(before: str, text: str, width: int, indent: int, style: str, *, muted: int = 0) -> Iterator[Content]:
    """A text in lines that begin ``indent`` cells to the right; ``muted`` characters of it stand back."""
    for number, (start, end) in enumerate(wrap(text, max(1, width - indent))):
        line = Content.styled(text[start:end] + direction_mark(text[start:end]), style)
        if start < muted:
            line = line.stylize(MUTED, 0, muted - start)
        head = "" if number else before
        yield Content.styled(f"{head:>{indent - 2}}  ", MUTED) + line


def _wrapped(text: str, width: int, style: str) -> Iterator[Content]:
    return (Content.styled(text[start:end], style) for start, end in wrap(text, width))
