"""What is measured: every row of the table with the group it belongs to, its yardstick and its limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["ratio", "difference", "alone"]
"""What the limit bounds: the figure by its yardstick, what it has beyond it, or the figure itself."""
MS, MB = " ms", " MB"


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure and its yardstick, in the unit of their row; ``words`` are filled into the row's texts."""

    figure: float
    yardstick: float = 0.0
    words: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """``measured`` and ``yardstick`` say how the two numbers (``{}``) are written; any text may have named words."""

    name: str
    measured: str
    yardstick: str
    limit: float
    kind: Kind = "ratio"
    unit: str = "×"

    def cells(self, found: Measured) -> tuple[str, ...]:
        words = found.words or {}
        return (
            self.name.format(**words),
            self.measured.format(found.figure),
            self.yardstick.format(found.yardstick, **words),
            f"{self._held(found):.2f}{self.unit}",
            f"{self.limit:g}{self.unit}",
            "met" if self.is_met(found) else "MISSED",
        )

    def is_met(self, found: Measured) -> bool:
        return self._held(found) <= self.limit

    def _held(self, found: Measured) -> float:
        match self.kind:
            case "ratio":
                return found.figure / found.yardstick
            case "difference":
                return found.figure - found.yardstick
            case "alone":
                return found.figure


def _ms(name: str, yardstick: str, limit: float, kind: Kind = "ratio", digits: int = 1) -> Row:
    return Row(name, f"{{:.{digits}f}} ms", yardstick, limit, kind, "×" if kind == "ratio" else MS)


def _peak(what: str, limit: float) -> Row:
    return Row(f"{what}: peak memory", "{:.0f} MB", "–", limit, "alone", MB)


_STREAMS = "500 streams of /llm/breakdown at 20 tokens/s"
_EXPORT = "lode export of 100,000 clips"
_ADD_DICTIONARY = "lode dictionaries add of that dictionary"
_ADD = "lode add of {files} srt files, {cues} cues"
_WHOLE_DIRECTORY = (
    Row(f"{_ADD}: searchable, words counted", "{:.1f} s", "pysubs2 parses them in {:.1f} s", 2.5),
    _peak(_ADD, 200),
    Row(f"{_ADD}: bytes sent to the disk", "{:.0f} MB", "the files {:.1f} MB", 12),
)
_BARE = "bare Textual app, first frame {:.0f} ms"
_CLICK = "python -c 'import click' {:.0f} ms"
_QUARTER = "a quarter of it {:.0f} ms"

ROWS: Mapping[str, tuple[Row, ...]] = {
    "startup": (
        _ms("first frame, 1 000 000 clips", _BARE, 1.5, digits=0),
        _ms("first rows of the clips list, same", _BARE, 2.0, digits=0),
        _ms("first visit of Breakdown from Template, median of 9", "–", 80, "alone", digits=0),
    ),
    "table": (_ms("cursor key in that list, p95 of 600", "DataTable with 1,000 rows {:.1f} ms", 1.2),),
    "token-log": (
        _ms("CPU per token at 100 tokens/s", "Markdown.get_stream {:.2f} ms", 0.5, digits=2),
        Row("terminal bytes per byte of text, same stream", "{:.1f}", "Markdown.get_stream {:.1f}", 0.3),
    ),
    "preview": (_ms("preview after a keystroke, p95 of 60, 4 kB template", "–", 15, "alone", digits=0),),
    "provider": (
        _ms("first token of lode explain --json, median of 101", "httpx, same request {:.1f} ms", 6, "difference"),
        _ms(
            "first token of lode breakdown --json, median of 101", "httpx, same two requests {:.1f} ms", 6, "difference"
        ),
        _ms("20,000 tokens at full speed, {cut} (the worse of two)", "httpx and json.loads {:.0f} ms", 1.5, digits=0),
        Row("peak memory while 10 MB stream and are kept", "+{:.1f} MB", "the text {:.1f} MB", 15, "difference", MB),
    ),
    "streams": (
        Row(f"{_STREAMS}: broken off", "{:.0f}", "{complete} complete", 0, "alone", ""),
        _ms(
            f"{_STREAMS}: delay of a token, 95 of 100",
            "median {median:.0f} ms; without the server {alone:.0f} ms",
            250,
            "alone",
            digits=0,
        ),
        _peak(_STREAMS, 200),
        _ms("first token through the server, median of 101", "the model directly {:.1f} ms", 12, "difference"),
    ),
    "lists": (
        _ms("first page of a list of 1,000,000 clips, median of 101", "1,000 clips {:.1f} ms", 1.5),
        Row(
            "memory while the whole list of 1,000,000 clips is read",
            "± {:.1f} MB",
            "after 5,000 rows {settled:.0f} MB; {size:.0f} MB in {seconds:.0f} s",
            30,
            "alone",
            MB,
        ),
    ),
    "log-size": (
        Row(
            "write-ahead log in five minutes of eight writers and two readers, at its largest",
            "{:.0f} MB",
            "{writes} writes, {reads} reads, {refused} refused",
            64,
            "alone",
            MB,
        ),
    ),
    "imports": (
        *_WHOLE_DIRECTORY,
        _ms("cursor key while the app imports them, p95 of 150", "before {:.1f} ms", 20, "difference"),
        _ms("opening the reader on 100,000 cues, median of 15", "on 100 cues {:.1f} ms", 1.5),
    ),
    "million-cues": _WHOLE_DIRECTORY,
    "commands": (
        _ms("lode --version", _CLICK, 2.0, digits=0),
        _ms("lode clips list --limit 20 --json", _CLICK, 6.0, digits=0),
    ),
    "reader": (
        _ms("key on a reader's screen with the states of all words, p95 of 600", "without states {:.1f} ms", 1.2),
    ),
    "side-pane": (
        _ms("the side pane after the cursor rests, ten dictionaries, 1,000,000 cues, p95 of 120", "–", 60, "alone"),
        _ms("the same with the lines in context", "–", 60, "alone"),
    ),
    "media": (
        Row(
            "{clips} clips with sound and picture from a film of {minutes} minutes",
            "{:.0f} s",
            "decoding it from start to end {:.0f} s",
            3,
        ),
        _ms("one clip's sound and picture, 720p, a key frame every 5 s, median of 15", "–", 400, "alone", digits=0),
    ),
    "dictionaries": (
        Row(
            "reading a Yomitan dictionary of 200,000 rows into records, CPU",
            "{:.1f} s",
            "zipfile and json.loads {:.1f} s",
            1.6,
        ),
        Row(f"{_ADD_DICTIONARY}: searchable", "{:.1f} s", "zipfile and json.loads {:.1f} s", 2.5),
        _peak(_ADD_DICTIONARY, 150),
        _ms("looking a word up in ten dictionaries of 300,000 entries, p95 of 600", "–", 5.0, "alone"),
    ),
    "anki-words": (
        _ms(
            "reading the words out of an Anki collection of 20,000 notes",
            "anki opens it and lists them {:.0f} ms",
            3.0,
            digits=0,
        ),
    ),
    "known-words": (
        _ms(
            "counts of {transcripts} transcripts with {known} known words, one word changed: p95 of 60, CPU",
            "median {median:.1f} ms; the commonest word {commonest:.0f} ms; all anew {whole:.0f} ms",
            50,
            "alone",
        ),
    ),
    "deck": (
        Row(_EXPORT, "{:.1f} s", "genanki writes their notes, zlib deflates them {:.1f} s", 1.3),
        _peak(_EXPORT, 200),
        Row(f"{_EXPORT}: size of the package", "{:.1f} MB", "genanki's {:.1f} MB", 0.25),
        Row(f"{_EXPORT} to the same file, nothing changed", "{:.1f} s", "the first {:.1f} s", 0.3),
    ),
    "texts": tuple(
        _ms(f"{what}, the worst of hostile texts ({{text}})", _QUARTER, 8.0)
        for what in ("sentences", "words", "subtitles", "markdown", "control characters")
    ),
}
"""By group, in the order in which its function in ``__main__.GROUPS`` measures them."""
