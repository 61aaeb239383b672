"""Glossaries of the sample stories: every word of each with its meanings in English, written for Lode as they were.

They are as free as the stories, and nothing in them is taken from a dictionary. Each is a file of tab-separated values
beside this one, a row a word or an expression, under a header that names the columns:

- ``lemma``: the dictionary form, with " … " where other words stand between its parts ("si … que").
- ``reading``: in kana, of a Japanese lemma with kanji.
- ``part_of_speech``: in English, of a German noun with its article; several where a word is more than one.
- ``meanings``: the one in the story first; commas separate synonyms of one meaning.
- ``forms``: every form in the story but the lemma itself ("fährt … ab" of abfahren), those too that a lemmatiser knows:
  it needs its word list unpacked first, and takes some to another word ("entera" to enterar, "Becher" to bechern).
- ``pieces``: what Lode cuts from the lemma or a form and is neither ("おじ" of おじさん); to find the row by, and not
  to be shown.
- ``level``: by the CEFR or, in Japanese, the JLPT, as a teacher would guess it; proper names have none.
- ``note``: a sentence where a learner needs one: irregular forms, a plural, how an idiom says it.

Of several rows with a lemma or a form, the first is what it mostly means in the story.
"""

from __future__ import annotations

from dataclasses import dataclass

from tui.records.dictionaries import NOTE, DictionaryEntry, Sense

GAP = " … "
"""Sign of other words between the parts of an expression or a separable verb."""
COLUMNS = ("lemma", "reading", "part_of_speech", "meanings", "forms", "pieces", "level", "note")
_SEPARATOR = "; "
"""Separator of several meanings, forms, pieces or parts of speech."""


@dataclass(frozen=True, slots=True)
class Gloss:
    """A row of a glossary; what it doesn't say is an empty text or tuple."""

    lemma: str
    reading: str
    part_of_speech: str
    meanings: tuple[str, ...]
    forms: tuple[str, ...]
    pieces: tuple[str, ...]
    level: str
    note: str


def read_glossary(language: str) -> tuple[Gloss, ...]:
    """Read the glossary of the story in this language, one of ``SAMPLES``, in the order of its file."""
    from importlib.resources import files

    text = files(__name__).joinpath(f"{language}.tsv").read_text(encoding="utf-8")
    return tuple(_gloss(line) for line in text.splitlines()[1:])


def read_entries(language: str) -> tuple[DictionaryEntry, ...]:
    """Read the glossary as a dictionary's entries, with a sense for each meaning, and one tagged "note" for the note.

    The pieces are among the forms, by which an entry is found; the level is the entry's tag.
    """
    rows = read_glossary(language)
    return tuple(_entry(row, score=len(rows) - place) for place, row in enumerate(rows))


def _entry(row: Gloss, score: float) -> DictionaryEntry:
    note = (Sense((row.note,), tags=(NOTE,)),) if row.note else ()
    return DictionaryEntry(
        term=row.lemma,
        reading=row.reading,
        part_of_speech=_several(row.part_of_speech),
        senses=(*(Sense((meaning,)) for meaning in row.meanings), *note),
        forms=(*row.forms, *row.pieces),
        score=score,
        tags=(row.level,) if row.level else (),
    )


def _gloss(line: str) -> Gloss:
    lemma, reading, part_of_speech, meanings, forms, pieces, level, note = line.split("\t")
    return Gloss(lemma, reading, part_of_speech, _several(meanings), _several(forms), _several(pieces), level, note)


def _several(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(_SEPARATOR)) if cell else ()
