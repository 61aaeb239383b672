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

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from tui.language.tags import base_language
from tui.language.word import fold
from tui.records.dictionaries import NOTE, Dictionary, DictionaryEntry, FoundRow, Match, Sense
from tui.samples import SAMPLES, read

_SEPARATOR = "; "
"""Separator of several meanings, forms, pieces or parts of speech."""


def read_entries(language: str) -> tuple[DictionaryEntry, ...]:
    """Read the glossary as a dictionary's entries, with a sense for each meaning, and one tagged "note" for the note.

    The pieces are among the forms, by which an entry is found; the level is the entry's tag.
    """
    rows = read_rows(language)
    return tuple(_entry(*row, score=len(rows) - place) for place, row in enumerate(rows))


def read_rows(language: str) -> list[list[str]]:
    """Read the rows of the glossary of the story in this language, one of ``SAMPLES``, in the order of its file."""
    from importlib.resources import files

    lines = files(__name__).joinpath(f"{language}.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]


def _entry(
    lemma: str, reading: str, part: str, meanings: str, forms: str, pieces: str, level: str, note: str, *, score: float
) -> DictionaryEntry:
    notes = (Sense((note,), tags=(NOTE,)),) if note else ()
    return DictionaryEntry(
        term=lemma,
        reading=reading,
        part_of_speech=_several(part),
        senses=(*(Sense((meaning,)) for meaning in _several(meanings)), *notes),
        forms=(*_several(forms), *_several(pieces)),
        score=score,
        tags=(level,) if level else (),
    )


def _several(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(_SEPARATOR)) if cell else ()


# The glossaries as a dictionary, which is always there: meanings with no key, network or download.
#
# They were written for their stories: of a sentence of one they are asked first, of all others last.

TITLE = "Lode's glossary"
_LAST = 1_000_000
"""Place behind all dictionaries that anybody has."""
_FIRST = 0
"""Place of the first of these, before which a glossary's rows are given."""
_MARKUP = re.compile(r"^\d+$|^\d\d:.*-->.*$", re.M)


def find_in_glossaries(keys: Sequence[str], language: str | None, sentence: str = "") -> list[FoundRow]:
    """The rows of the language's glossary with one of these keys; nothing for a language without one.

    They have the first place where the ``sentence`` is of its story, and else the last.

    Blocks for some milliseconds when it is asked first.
    """
    base = base_language(language)
    rows = _rows(base) if base in {sample.language for sample in SAMPLES} else {}
    place = _FIRST if rows and sentence and _bare(sentence) in _story(base) else _LAST
    return [
        FoundRow(_dictionary(base), place, key, match, entry)
        for key in dict.fromkeys(keys)
        for match, entry in rows.get(key, ())
    ]


@cache
def _story(language: str) -> str:
    """The letters of the language's story."""
    sample = next(sample for sample in SAMPLES if sample.language == language)
    return _bare(sample.title) + "\n" + _bare(_MARKUP.sub("", read(sample).decode()))


def _bare(text: str) -> str:
    """A text without what cues and sentences are cut at."""
    return "".join(filter(str.isalnum, text))


@cache
def _rows(language: str) -> Mapping[str, Sequence[tuple[Match, DictionaryEntry]]]:
    rows: dict[str, list[tuple[Match, DictionaryEntry]]] = {}
    for entry in read_entries(language):
        for text, match in _texts(entry):
            rows.setdefault(fold(text, language), []).append((match, entry))
    return rows


def _texts(entry: DictionaryEntry) -> Iterator[tuple[str, Match]]:
    yield entry.term, "term"
    if entry.reading:
        yield entry.reading, "reading"
    for form in entry.forms:
        yield form, "form"


@cache
def _dictionary(language: str) -> Dictionary:
    return Dictionary(
        id=f"glossary-{language}",
        title=TITLE,
        format="glossary",
        revision="",
        source_language=language,
        target_language="en",
        author="Lode",
        url="",
        description="The words of the sample stories.",
        attribution="",
        license="free for any use",
        frequency_mode=None,
        entry_count=len(read_entries(language)),
        size_bytes=0,
        created_at="",
    )
