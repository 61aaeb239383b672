"""Readers of tables of cues: CSV and TSV, and JSON with a list of objects, their columns under any usual name."""

import csv
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice, pairwise

from tui.importing.readers import cue_text
from tui.importing.readers.trees import read_objects
from tui.language.word_lists import read_lists
from tui.records.transcripts import Cue
from tui.text.sanitize import one_line


@dataclass(frozen=True, slots=True)
class Column:
    """The kind of a column ("start"), its unit if its name has one, in milliseconds, and its rank in that kind."""

    kind: str
    unit_ms: float | None
    rank: int


@dataclass(frozen=True, slots=True)
class Row:
    """A cue as a table has it: times in milliseconds or, where ``is_bare``, in a unit that only the whole can tell.

    Readings may be marked in the text.
    """

    start: float | None
    end: float | None
    text: str
    speaker: str | None
    is_bare: bool
    sounds: tuple[str, ...] = ()


# Reader of CSV and TSV (.csv, .tsv) with cues: a row each, its columns named in the header under any usual name.
#
# The delimiter is the one under which the header has the most columns that are known, which is surer than what
# ``csv.Sniffer`` makes of texts full of commas and quotes. Without a header the first two columns are start and end and
# the third the text, as in Audacity's labels. Quotes are read as spreadsheets write them; in tab-separated files, where
# most programs write them as they are, only those that stand around a whole cell.

_DELIMITERS = ("\t", ",", ";", "|")
_MAX_HEADER_LENGTH = 4000
_WITHOUT_HEADER = ("start", "end", "text")


def is_csv_cues(text: str) -> bool:
    """Whether the first line names the columns of cues, a start and a text at least."""
    delimiter = _delimiter(_first_line(text))
    return delimiter is not None and {"start", "text"} <= find_columns(split_cells(_first_line(text), delimiter)).keys()


def read_csv_cues(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; raises ``CueTooLong``."""
    return make_cues(_csv_rows(line for line in lines if line.strip()))


def _csv_rows(lines: Iterator[str]) -> Iterator[Row]:
    first = "".join(islice(lines, 1))
    delimiter = _delimiter(first[:_MAX_HEADER_LENGTH])
    if delimiter is None:
        return
    header = split_cells(first, delimiter)
    if _are_times(header):
        header, lines = list(_WITHOUT_HEADER), chain((first,), lines)
    columns = find_columns(header)
    rows = (make_row(dict(zip(header, cells, strict=False)), columns) for cells in _records(lines, delimiter))
    yield from (row for row in rows if row is not None)


def _records(lines: Iterable[str], delimiter: str) -> Iterator[Sequence[str]]:
    if delimiter == "\t":
        yield from (split_cells(line, delimiter) for line in lines)
        return
    try:
        yield from csv.reader((line + "\n" for line in lines), delimiter=delimiter, skipinitialspace=True)
    except csv.Error as error:  # a cell of more than 131 072 characters, most often a quote that is never closed
        raise cue_text.CueTooLong from error


def _delimiter(header: str) -> str | None:
    """The delimiter of the table whose first line this is, None where it is no table of cues."""

    def known(delimiter: str) -> int:
        cells = split_cells(header, delimiter)
        return 3 if _are_times(cells) else len({found.kind for cell in cells if (found := find_column(cell.strip()))})

    best = max(_DELIMITERS, key=known)
    return best if known(best) and (known(best) > 1 or "text" in find_columns(split_cells(header, best))) else None


def _are_times(cells: Sequence[str]) -> bool:
    return len(cells) > 2 and read_time(cells[0], None) is not None and read_time(cells[1], None) is not None


def split_cells(line: str, delimiter: str) -> list[str]:
    """The cells of one line of a table, none where its quotes cannot be read."""
    if delimiter == "\t":
        return [_unquoted(cell) for cell in line.split("\t")]
    try:
        return next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        return []


def _unquoted(cell: str) -> str:
    cell = cell.strip(" ")
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell


def _first_line(text: str) -> str:
    return text.lstrip("\n")[:_MAX_HEADER_LENGTH].partition("\n")[0]


# Columns of cues: the names under which people and programs write start, end, text and speaker, and their times.
#
# Names, which are in ``cue_columns.toml``, count in any case, and without spaces, dashes and underlines.

_NAMES = {kind: names.split() for kind, names in read_lists("cue_columns", __file__)["columns"].items()}
"""Kind of a column → its names, the usual ones first."""
_UNITS = {"ms": 1.0, "millis": 1.0, "milliseconds": 1.0, "msec": 1.0, "s": 1000.0, "sec": 1000.0, "seconds": 1000.0}
"""Units that may stand behind a name or a number, in milliseconds."""
_KINDS = {
    name + unit: (kind, factor)
    for kind in ("start", "end", "duration")
    for name in _NAMES[kind]
    for unit, factor in (("", None), *_UNITS.items())
} | {name: (kind, None) for kind in ("text", "speaker") for name in _NAMES[kind]}
_RANK = {name: rank for rank, name in enumerate(chain.from_iterable(_NAMES.values()))}
_NOT_IN_A_NAME = re.compile(r"[^a-z]+")
_PLURAL = re.compile(r"[a-z]s\Z(?<!secs)(?<!ms)(?<!seconds)(?<!millis)", re.IGNORECASE)
"""Pattern of a name that ends in an s which is no unit: "offsets" is not "offset (s)"."""
_MAX_NAME_LENGTH = 40

_CLOCK = re.compile(r"(?:([0-9]{1,6}):)?([0-9]{1,6}):([0-9]{1,2})(?:[.,]([0-9]{1,9})|[:;]([0-9]{1,2}))?")
_NUMBER = re.compile(r"([0-9]{1,15}(?:[.,][0-9]{0,30})?)[ \t]?(ms|msec|s|sec)?", re.IGNORECASE)
_FRAMES = 25
"""Frames a second of a time such as 00:00:01:12, of which nothing in a table tells how many there are."""
_JUDGED = 500
"""Maximum cues by which seconds and milliseconds are told apart."""
_SLOWEST = 5.0
"""Units of time for one character of a cue, beyond which they are milliseconds: people speak ten a second or so, and
nobody a hundred times slower or faster; the half way between both, in orders of magnitude, is here."""


@lru_cache(maxsize=512)
def find_column(name: str) -> Column | None:
    """The column of this name, None where cues have no use for it."""
    plain = _NOT_IN_A_NAME.sub("", name[:_MAX_NAME_LENGTH].lower())
    found = _KINDS.get(plain)
    if found is None or (plain not in _RANK and plain.endswith("s") and _PLURAL.search(name)):
        return None
    return Column(*found, _RANK.get(plain, len(_RANK)))


def find_columns(names: Iterable[str]) -> dict[str, tuple[str, Column]]:
    """Of each kind that is among the names: the best name, and its column."""
    found: dict[str, tuple[str, Column]] = {}
    for name in names:
        column = find_column(name)
        if column is not None and (column.kind not in found or column.rank < found[column.kind][1].rank):
            found[column.kind] = name, column
    return found


def make_row(values: Mapping[str, object], columns: Mapping[str, tuple[str, Column]]) -> Row | None:
    """A row of its values by name; None for one without text. Raises ``CueTooLong``."""
    text = values.get(columns["text"][0]) if "text" in columns else None
    if not isinstance(text, str):
        return None
    if len(text) > cue_text.MAX_CUE_LENGTH:
        raise cue_text.CueTooLong
    times, bare = dict[str, float](), False
    for kind in ("start", "end", "duration"):
        if kind in columns and (time := read_time(values.get(columns[kind][0]), columns[kind][1].unit_ms)) is not None:
            times[kind], is_bare = time
            bare = bare or is_bare
    start, end = times.get("start"), times.get("end")
    if start is not None and end is None and "duration" in times:
        end = start + times["duration"]
    speaker = values.get(columns["speaker"][0]) if "speaker" in columns else None
    shown = cue_text.tidy(str(speaker)[:1000]).replace("\n", " ") if isinstance(speaker, str | int) else ""
    return Row(start, end, cue_text.tidy(text), shown or None, bare)


def read_time(value: object, unit_ms: float | None) -> tuple[float, bool] | None:
    """A time, and whether it is bare: a number of which nothing here says in which unit it is; None for no time."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        if abs(value) > cue_text.LATEST_MS or math.isnan(value):
            return None
        return (max(0.0, value * unit_ms), False) if unit_ms else (max(0.0, float(value)), True)
    written = value.strip()[:100] if isinstance(value, str) else ""
    if clock := _CLOCK.fullmatch(written):
        frames = int(clock[5] or 0) * 1000 / _FRAMES
        return float(cue_text.count_milliseconds(clock[1], clock[2], clock[3], clock[4])) + frames, False
    if number := _NUMBER.fullmatch(written):
        unit = _UNITS[number[2].lower()] if number[2] else unit_ms
        return min(float(number[1].replace(",", ".")) * (unit or 1.0), cue_text.LATEST_MS), unit is None
    return None


def make_cues(rows: Iterable[Row]) -> Iterator[Cue]:
    """Cues of the rows in file order: those with times or, where none of the first has any, all without times."""
    rows = (row for row in rows if cue_text.unmark_readings(row.text)[0].strip())
    first = list(islice(rows, _JUDGED))
    rows = chain(first, rows)
    if all(row.start is None for row in first):
        yield from (_cue(index, None, None, row) for index, row in enumerate(rows))
        return
    factor = 1.0 if _are_milliseconds(first) else 1000.0
    timed = (row for row in rows if row.start is not None)
    for index, (row, following) in enumerate(pairwise(chain(timed, (None,)))):
        if row is not None and row.start is not None:
            start = _whole(row.start, factor, row)
            if row.end is not None:
                end = _whole(row.end, factor, row)
            elif following is not None and following.start is not None and following.start >= row.start:
                end = _whole(following.start, factor, following)
            else:
                end = start + cue_text.LAST_CUE_MS
            yield _cue(index, start, end, row)


def _cue(index: int, start: int | None, end: int | None, row: Row) -> Cue:
    text, ruby = cue_text.unmark_readings(row.text)
    return Cue(index, start, end, text, row.speaker, ruby, row.sounds)


def _whole(time: float, factor: float, row: Row) -> int:
    return round(min(time * factor if row.is_bare else time, cue_text.LATEST_MS))


def _are_milliseconds(rows: list[Row]) -> bool:
    """Whether the bare times are so far apart, for the texts between them, that they must be milliseconds."""
    bare = [row for row in rows if row.start is not None and row.is_bare]
    spans = [(row.end - row.start, len(row.text)) for row in bare if row.start is not None and row.end is not None]
    if spans:
        return sum(span for span, _ in spans) > _SLOWEST * sum(length for _, length in spans)
    gaps = sorted(
        (following.start - row.start) / len(row.text)
        for row, following in pairwise(bare)
        if row.start is not None and following.start is not None and following.start > row.start
    )
    return bool(gaps) and gaps[len(gaps) // 4] > _SLOWEST  # not the middle: nobody speaks in many of the gaps


# Reader of JSON (.json, .jsonl) with cues: a list of objects that have times and text, under any of the usual names.
#
# So write Whisper (``segments``), whisper.cpp (``transcription``, with ``offsets`` in milliseconds), OpenAI's
# ``verbose_json``, Transformers (``chunks``), Bilibili (``body``), TED, AssemblyAI, Deepgram, and Lode itself. Lists of
# single words are passed over; of several lists with cues the first counts, as the others say the same once more.

_BEGINNING = re.compile(r"\s{0,1000}[\[{]\s{0,1000}[\"{\[]")
_SOME_TEXT = re.compile(rf"\"(?:{'|'.join(_NAMES['text'])})\"\s{{0,100}}:", re.IGNORECASE)
_SOME_START = re.compile(rf"\"(?:{'|'.join(_NAMES['start'])})[\w -]{{0,12}}\"\s{{0,100}}:", re.IGNORECASE)
_LANGUAGE = re.compile(r"\"(?:language|lang|language_code)\"\s{0,100}:\s{0,100}\"([A-Za-z-]{2,35})\"")
_TITLE = re.compile(r"\"title\"\s{0,100}:\s{0,100}(\"(?:[^\"\\]|\\.){1,300}\")")
_HEAD_CHARACTERS = 50_000
_PASSED_OVER = frozenset(("words", "tokens", "chars", "word_segments", "comments"))
"""Names of lists of single words, and of what people wrote below a video."""


def is_json_cues(text: str) -> bool:
    """Whether this is JSON with objects that have a start and a text."""
    head = text[:_HEAD_CHARACTERS]
    return bool(_BEGINNING.match(head) and _SOME_TEXT.search(head) and _SOME_START.search(head))


def read_json_cues(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; raises ``CueTooLong``."""
    return make_cues(_json_rows(lines))


def find_json_language(text: str) -> str | None:
    """The language that the document names."""
    found = _LANGUAGE.search(text)
    return found[1] if found else None


def find_json_title(text: str) -> str | None:
    """The title that the document names before its cues."""
    found = _TITLE.search(text[:_HEAD_CHARACTERS])
    return str(json.loads(found[1], strict=False)) if found else None


def _json_rows(lines: Iterable[str]) -> Iterator[Row]:
    chosen: str | None = None
    for name, given in read_objects(lines):
        if name in _PASSED_OVER or (chosen is not None and name != chosen):
            continue
        row = _row(given)
        if row is not None and row.text and (name or row.start is not None):
            chosen = name
            yield row


def _row(given: dict[str, object]) -> Row | None:
    match given:
        case {"offsets": {"from": start, "to": end}}:  # whisper.cpp; its "timestamps" say the same as clocks
            given = {**given, "start_ms": start, "end_ms": end}
        case {"timestamp": [start, end]}:  # Transformers
            given = {**given, "start": start, "end": end}
    row = make_row(_with_readings(given), find_columns(given))
    match given.get("sounds"):
        case [str(), *_] as sounds if row is not None:  # Lode's own
            shown = tuple(one_line(sound)[:200] for sound in sounds[:100] if isinstance(sound, str))
            return replace(row, sounds=tuple(filter(None, shown)))
    return row


def _with_readings(given: dict[str, object]) -> dict[str, object]:
    """The object with the readings that Lode writes beside a text marked in it."""
    match given:
        case {"ruby": [{"start": int(), "end": int(), "text": str()}, *_] as readings, "text": str(text)}:
            found = [
                (start, end, reading)
                for each in readings[:1000]
                if isinstance(each, dict)
                and isinstance(start := each.get("start"), int)
                and isinstance(end := each.get("end"), int)
                and isinstance(reading := each.get("text"), str)
                and 0 <= start < end <= len(text)
            ]
            after = len(text)
            for start, end, reading in sorted(found, reverse=True):
                if end <= after:
                    text = text[:start] + cue_text.mark_reading(text[start:end], reading) + text[end:]
                    after = start
            return {**given, "text": text}
    return given
