"""Completion of paths typed into a prompt: one that is the whole line, or several in one line, quoted as in a shell."""

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from glob import iglob
from itertools import islice, takewhile
from pathlib import Path

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from tui.errors import InvalidInput
from tui.text.cells import fit
from tui.text.sanitize import one_line

MAX_MATCHES = 500
"""Matches that are read at most for one word: a listing is to be read, and a folder may hold a million files."""

_SPECIAL = re.compile(r"([^\w@%+=:,./~-])")
_GLOB = re.compile(r"[*?\[]")

_WIDEST = 28


@dataclass(frozen=True, slots=True)
class Match:
    """Path that the word may become; ``name`` is its last part, with a slash behind directories."""

    path: str
    name: str
    is_directory: bool


@dataclass(frozen=True, slots=True)
class Completion:
    """Matches of the word at ``text[start:end]``; a word with wildcards has matches, but is complete as it is."""

    start: int
    end: int
    typed: str
    quote: str
    matches: tuple[Match, ...]
    is_glob: bool = False
    is_line: bool = False
    """Whether the word is the whole line, in which nothing is quoted."""

    @property
    def common(self) -> str:
        """Longest path that all matches begin with, at least what was typed."""
        if not self.matches:
            return self.typed
        first, last = min(match.path for match in self.matches), max(match.path for match in self.matches)
        same = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
        prefix = "".join(character for character, _ in same)
        return prefix if len(prefix) > len(self.typed) else self.typed

    def quote_path(self, path: str, *, whole: bool) -> str:
        """Quote the path as the word was begun; ``whole`` closes it unless it may go on."""
        if self.is_line:
            return path
        closes = whole and not path.endswith("/")
        if self.quote == "'":
            quoted = path.replace("'", "'\\''")
        elif self.quote:
            quoted = re.sub(r'(["\\])', r"\\\1", path)
        else:
            return _SPECIAL.sub(r"\\\1", path) + (" " if closes else "")
        return self.quote + quoted + (self.quote + " " if closes else "")


def split_paths(text: str) -> tuple[str, ...]:
    """Split a line into paths, ``~`` expanded, wildcards left as they are; an open quote raises ``InvalidInput``."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InvalidInput(
            "a quotation mark is left open", hint="close it, or write a backslash before it", code="invalid_path"
        ) from error
    return tuple(str(Path(word).expanduser()) if word.startswith("~") else word for word in words)


def complete(text: str, cursor: int) -> Completion:
    """Complete the word before the cursor: directories first, hidden names only when asked for.

    Reads directories, so it belongs in a thread; what can't be read has no matches.
    """
    start, typed, quote = _word_before(text, cursor)
    matches = _beginning_with(typed)
    # A name that is there is one, whatever characters are in it.
    if is_glob := not matches and _GLOB.search(typed) is not None:
        matches = _globbed(typed)
    return Completion(start, cursor, typed, quote, _sorted(matches), is_glob)


def complete_path(text: str, cursor: int) -> Completion:
    """Complete the whole line before the cursor as one path; else as ``complete``."""
    typed = text[:cursor]
    return Completion(0, cursor, typed, "", _sorted(_beginning_with(typed)), is_line=True)


def _word_before(text: str, cursor: int) -> tuple[int, str, str]:
    """Word before the cursor: its start, its text without quoting, and the quote left open."""
    start, value, quote, first_quote, escaped = 0, "", "", "", False
    for position, character in enumerate(text[:cursor]):
        if escaped:
            kept = "\\" if quote and character not in '"\\' else ""
            value, escaped = value + kept + character, False
        elif character == "\\" and quote != "'":
            escaped = True
        elif quote:
            if character == quote:
                quote = ""
            else:
                value += character
        elif character in "'\"":
            quote = character
            if position == start:
                first_quote = character
        elif character.isspace():
            start, value, first_quote = position + 1, "", ""
        else:
            value += character
    return start, value, quote or first_quote


def _beginning_with(typed: str) -> list[Match]:
    folder, _, fragment = typed.rpartition("/")
    if typed == "~":
        return [Match("~/", "~/", True)]
    shown = folder + "/" if "/" in typed else ""
    try:
        with os.scandir(Path(shown or ".").expanduser()) as entries:
            wanted = (
                entry
                for entry in entries
                if entry.name.startswith(fragment) and (fragment.startswith(".") or not entry.name.startswith("."))
            )
            chosen = islice(wanted, MAX_MATCHES)
            return [_match(shown + entry.name, os.path.isdir(entry)) for entry in chosen]  # noqa: PTH112 - never raises
    except (OSError, RuntimeError, ValueError):
        return []  # no such folder, no right to read it, no such user's home, a NUL in the name


def _globbed(pattern: str) -> list[Match]:
    try:
        expanded = str(Path(pattern).expanduser()) if pattern.startswith("~") else pattern
        return [_match(path, Path(path).is_dir()) for path in islice(iglob(expanded), MAX_MATCHES)]  # noqa: PTH207 - a shell's pattern
    except (OSError, RuntimeError, ValueError, re.error):
        return []


def _match(path: str, is_directory: bool) -> Match:
    path = path.rstrip("/") + ("/" if is_directory else "")
    return Match(path, Path(path).name + ("/" if is_directory else ""), is_directory)


def _sorted(matches: list[Match]) -> tuple[Match, ...]:
    return tuple(sorted(matches, key=lambda match: (not match.is_directory, match.name.casefold(), match.path)))


class PathMatches(Widget):
    """List of matches, the chosen one marked; the last line says how many more there are."""

    def __init__(self, *, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self._matches: tuple[Match, ...] = ()
        self._chosen = -1

    def show(self, matches: Sequence[Match], chosen: int = -1) -> None:
        self._matches = tuple(matches)
        self._chosen = chosen
        self.refresh()

    def render(self) -> Content:
        width, height = self.size
        if not self._matches or width <= 0 or height <= 0:
            return Content("")
        names = [one_line(match.name) for match in self._matches]
        column = min(max(cell_len(name) for name in names) + 2, max(_WIDEST, 8), width)
        columns = max(1, width // column)
        rows = -(-len(names) // columns)
        room = rows if rows <= height else height - 1
        first = 0
        if self._chosen >= 0:  # keep the chosen name in view
            first = max(0, min(self._chosen // columns - room // 2, rows - room))
        lines = []
        for row in range(first, min(first + room, rows)):
            line = Content("")
            for index in range(row * columns, min((row + 1) * columns, len(names))):
                cell = Content(fit(names[index], column - 2))
                if index == self._chosen:
                    cell = cell.stylize("reverse")
                elif self._matches[index].is_directory:
                    cell = cell.stylize("bold")
                line = line + cell + Content("  ")
            lines.append(line)
        rest = len(names) - (first + room) * columns
        if room < rows:
            more = f"{MAX_MATCHES} or more" if len(names) >= MAX_MATCHES else str(len(names))
            lines.append(Content(f"… {max(rest, 0)} more of {more}"))
        return Content("\n").join(lines)
