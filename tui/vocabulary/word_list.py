"""Lists of words: a word in each line, a table (CSV or TSV) with named columns, or words with their ranks or counts.

Read are what ``lode words export`` writes, and what other programs do: the known morphs of AnkiMorphs with the days
between their reviews, the terms of Lute and of Learning with Texts with their numbers, and lists of frequency as they
are usually found ("ich 6274354"). Without a header the first column has the words.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from tui import bounds
from tui.errors import InvalidInput, refused
from tui.importing.encoding.decode import Lines, decode, take_first_part
from tui.importing.readers.tables import split_cells
from tui.language.tags import find_tag_of_name, normalise
from tui.language.word import fold
from tui.language.word_lists import read_lists
from tui.records.vocabulary import (
    NoteType,
    VocabularyChoice,
    VocabularyField,
    VocabularyFormat,
    VocabularyOffer,
    VocabularyWord,
)
from tui.records.word_states import MAX_SOURCE, WORD_STATES, WordState
from tui.system import regular_file
from tui.text.escapes import unguard_formula
from tui.vocabulary.vocabulary_file import (
    ROWS_A_STEP,
    SAMPLES,
    Progress,
    clean_word,
    cut_sample,
    simplify_name,
    too_many_rows,
)

_DELIMITERS = ("\t", ",", ";", "|")
_NAMES = read_lists("names", __file__)
_COLUMNS = {kind: names.split() for kind, names in _NAMES["columns"].items()}
"""Kind of a column → its names, the surest first."""
_KNOWN_MORPHS = frozenset(("morphlemma", "morphinflection", "occurrence"))
"""Columns of the morphs that AnkiMorphs exports as known; its lists of frequency have priorities, or "Occurrences"."""
_LWT = {"word": 0, "reading": 3, "state": 4, "language": 5}
"""Columns of the terms that Learning with Texts exports, with tabs and without a header."""
_LWT_STATES = frozenset(("1", "2", "3", "4", "5", "98", "99"))
_STATES = {name: state for state in WORD_STATES for name in _NAMES["states"][state].split(", ")}
"""States as other programs write them."""
_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,15})?")
_MOMENT = re.compile(r"20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d\.\d{3}Z")
"""A moment as Lode writes it."""
_LAST_SPACE = " "
"""Delimiter of lines that end in a number, whatever else stands before it ("ich 6274354")."""
_LAST_NUMBER = re.compile(r"(.*\S)\s+([0-9]{1,15})")
_JUDGED = 200
_SHARE = 0.9
"""Share of the first lines that must look like it, for a list to be one of words with numbers."""
_MAX_HEADER_LENGTH = 4_000


class WordList:
    """A list of words that is open; its bytes are held, its text is not. Raises ``ImportRefused`` for no text."""

    def __init__(self, path: Path, shown: str, encoding: str = "", language: str = "") -> None:
        self._shown = shown
        self.skipped = 0
        data = regular_file.read(path, bounds.WORD_LIST.bytes_in)
        _, codec = decode(take_first_part(data), encoding=encoding or None, name=shown, language=language or None)
        self._lines = Lines(data, codec, name=shown)
        self._size = self._count = 0
        for line in self._lines:
            if "\0" in line:
                raise refused(shown, "is no text", "name a list of words, a table, or an Anki package")
            self._size += len(line) + 1
            self._count += bool(line.strip())
        self._delimiter, self._header = _header(self._lines)
        self._columns = find_columns(self._header) if self._header else self._judged()
        if "word" not in self._columns and "parent" not in self._columns:
            self._columns["word"] = 0
        if not self._count:
            raise refused(shown, "is empty")

    @property
    def format(self) -> VocabularyFormat:
        if {"rank", "count"} & self._columns.keys() and not {"state", "days"} & self._columns.keys():
            return "frequency"
        return "table" if self._header else "list"

    def offer(self) -> VocabularyOffer:
        rows = list(islice(self._rows(), SAMPLES))
        names = self._header or [f"column {number + 1}" for number in range(max(map(len, rows), default=1))]
        fields = tuple(
            VocabularyField(cut_sample(name), tuple(cut_sample(row[at]) for row in rows if at < len(row) and row[at]))
            for at, name in enumerate(names)
        )

        def column(kind: str) -> str:
            place = self._columns.get(kind)
            return fields[place].name if place is not None and place < len(fields) else ""

        kind = NoteType("", fields, self._count - bool(self._header), column("word"), column("reading"))
        return VocabularyOffer(self.format, (kind,))

    def words(self, choice: VocabularyChoice, progress: Progress) -> Iterator[VocabularyWord]:
        columns = self._choose(choice)
        words = self._words(columns, choice, progress)
        yield from words if choice.first is None else _first(words, choice.first)
        progress(1.0)

    def close(self) -> None:
        self._lines = Lines(b"", "utf-8", name=self._shown)

    def _choose(self, choice: VocabularyChoice) -> dict[str, int]:
        """The columns that are read; raises ``InvalidInput`` where what must be chosen is not."""
        columns = dict(self._columns)
        if choice.field:
            names = [cut_sample(name) for name in self._header]
            if choice.field not in names:
                raise InvalidInput(
                    f"{self._shown} has no column {choice.field[:80]!r}",
                    hint=f"it has {', '.join(names)}" if names else "its first line does not name its columns",
                    code="field_not_found",
                    field="field",
                )
            columns["word"] = names.index(choice.field)
            if columns.get("lemma") != columns["word"]:
                columns.pop("lemma", None)
            columns.pop("parent", None)
        if self.format == "frequency" and choice.first is None:
            raise InvalidInput(
                f"{self._shown} goes by frequency: how many of its words do you know?",
                hint="say it with --first, as in --first 2000",
                code="first_needed",
                field="first",
            )
        return columns

    def _words(self, columns: dict[str, int], choice: VocabularyChoice, progress: Progress) -> Iterator[VocabularyWord]:
        size, begun = max(self._size, 1), 0
        for number, row in enumerate(self._rows()):
            begun += sum(map(len, row)) + len(row)
            if number % ROWS_A_STEP == 0:
                progress(min(begun / size, 1.0))
            if number >= bounds.WORD_LIST.entries:
                raise too_many_rows(self._shown)
            word = _word(row, columns, choice)
            if word is None:
                self.skipped += 1
            else:
                yield word

    def _rows(self) -> Iterator[Sequence[str]]:
        """The rows below the header, those without a word too, blank lines and remarks left out."""
        lines = (line for line in self._lines if line.strip() and not line.startswith("#"))
        if self._header:
            next(lines, None)
        return _records(lines, self._delimiter, self._shown)

    def _judged(self) -> dict[str, int]:
        """The columns of a list without a header, by its first lines, which tell its delimiter too."""
        lines = [line for line in islice(self._lines, _JUDGED) if line.strip() and not line.startswith("#")]
        rows: list[Sequence[str]] = list(_records(iter(lines), self._delimiter, self._shown))

        def are_numbers(place: int) -> bool:
            found = sum(len(row) > place and _NUMBER.fullmatch(row[place].strip()) is not None for row in rows)
            return len(rows) > 1 and found >= _SHARE * len(rows)

        if self._delimiter == "\t" and rows and all(map(_is_of_lwt, rows)):
            return dict(_LWT)
        if self._delimiter and are_numbers(0) and not are_numbers(1):
            return {"rank": 0, "word": 1}
        spaced: list[Sequence[str]] = [
            found.groups() for line in lines if (found := _LAST_NUMBER.fullmatch(line.strip()))
        ]
        if not self._delimiter and len(spaced) > 1 and len(spaced) >= _SHARE * len(lines):
            self._delimiter, rows = _LAST_SPACE, spaced
        elif not self._delimiter or not are_numbers(1):
            return {"word": 0}
        numbers = [float(row[1]) for row in rows if len(row) > 1 and _NUMBER.fullmatch(row[1].strip())]
        return {"word": 0, "count" if numbers[0] > numbers[-1] else "rank": 1}  # counts fall, ranks rise


def find_columns(header: Sequence[str]) -> dict[str, int]:
    """The places of the columns that are known by their names."""
    plain = [simplify_name(name)[:60] for name in header]
    found: dict[str, int] = {}
    for kind, names in _COLUMNS.items():
        place = next((plain.index(name) for name in names if name in plain), None)
        if place is not None and place not in found.values():
            found[kind] = place
    if "lemma" in found:
        found.setdefault("word", found["lemma"])
    if "morphlemma" in plain and _KNOWN_MORPHS.issuperset(plain):
        found.pop("count", None)
    return found


def _is_of_lwt(row: Sequence[str]) -> bool:
    return len(row) >= 7 and row[4].strip() in _LWT_STATES and row[6].strip().isdecimal()


def _first(words: Iterable[VocabularyWord], most: int) -> Iterator[VocabularyWord]:
    """Iterate over the rows of the first words by their ranks: one may have several, for its forms or readings."""
    counted: set[tuple[str, str]] = set()
    for word in sorted(words, key=lambda word: word.rank or 0):
        key = word.language, fold(word.text, word.language)
        if key not in counted and len(counted) == most:
            return
        counted.add(key)
        yield word


def _word(row: Sequence[str], columns: dict[str, int], choice: VocabularyChoice) -> VocabularyWord | None:
    """The word of a row, None for one without, or whose state is none that is known."""

    def cell(kind: str) -> str:
        place = columns.get(kind)
        # Lode and Learning with Texts guard what a spreadsheet would take for a formula.
        return unguard_formula(row[place].strip()) if place is not None and place < len(row) else ""

    lemma = clean_word(cell("lemma"))
    word = cell("word")
    text = word if choice.sentences else lemma or clean_word(cell("parent").partition(",")[0] or word)
    state: WordState | None = choice.state
    if "state" in columns:
        state = _STATES.get(cell("state").lower())
    elif "days" in columns:
        days = _number(cell("days"))
        state = None if days is None else "known" if days >= choice.known_days else "learning" if days else "new"
    if not text or state is None:
        return None
    language = normalise(cell("language")) or find_tag_of_name(cell("language")) or "" if cell("language") else ""
    rank, count = _number(cell("rank")), _number(cell("count"))
    order = int(rank) if rank is not None else -int(count) if count is not None else None
    is_lemma = bool(lemma) and text == lemma
    said_by, said_at = (cell("source"), cell("date")) if is_lemma else ("", "")
    said_at = said_at if _MOMENT.fullmatch(said_at) else ""
    reading = clean_word(cell("reading"))
    return VocabularyWord(text, reading, state, language, order, is_lemma, clean_word(said_by)[:MAX_SOURCE], said_at)


def _number(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text) else None


def _header(lines: Lines) -> tuple[str, list[str]]:
    """The delimiter of a table, "" where lines have none, and the names of its columns, none where no line has them."""
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")[:_MAX_HEADER_LENGTH]
    named = {delimiter: find_columns(_cells(first, delimiter)) for delimiter in _DELIMITERS}
    best = max(_DELIMITERS, key=lambda delimiter: len(named[delimiter]))
    if {"word", "parent"} & named[best].keys() and (len(named[best]) > 1 or best not in first):
        return best if best in first else "", _cells(first, best)
    return next((delimiter for delimiter in _DELIMITERS[:1] if delimiter in first), _steady_delimiter(lines)), []


def _steady_delimiter(given: Lines) -> str:
    """The delimiter that stands equally often in the first lines, "" for none: commas are in words' forms too."""
    lines = [line for line in islice(given, _JUDGED) if line.strip()]
    for delimiter in _DELIMITERS:
        counts = {len(_cells(line, delimiter)) for line in lines}
        if len(counts) == 1 and counts != {1}:
            return delimiter
    return ""


def _records(lines: Iterator[str], delimiter: str, shown: str) -> Iterator[Sequence[str]]:
    if delimiter in ("", "\t", _LAST_SPACE):
        yield from (_cells(line, delimiter) for line in lines)
        return
    try:
        yield from csv.reader((line + "\n" for line in lines), delimiter=delimiter, skipinitialspace=True)
    except csv.Error as error:  # a cell of more than 131 072 characters, most often a quote that is never closed
        raise refused(shown, "has a cell that does not end", "look for a quotation mark that is not closed") from error


def _cells(line: str, delimiter: str) -> list[str]:
    if delimiter == _LAST_SPACE and (found := _LAST_NUMBER.fullmatch(line.strip())):
        return list(found.groups())
    if delimiter in ("", _LAST_SPACE):
        return [line]
    return split_cells(line, delimiter) or [line]
