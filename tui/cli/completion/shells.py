"""Questions of the scripts for bash, zsh and fish, and how they read the answer.

The first line of an answer says what follows: ``file`` or ``dir`` where the shell completes paths by itself, ``open``
where what is completed goes on without a space, else ``plain``. zsh and fish get a value and, behind a tab, what is
said beside it; bash gets what takes the place of the word as readline sees it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tui.cli.completion import Completion, complete

_SPECIAL = frozenset(" \t\n\"'`$\\|&;<>()*?[]{}!#~^")
_IN_QUOTES = frozenset('"$`\\')
_INSERTING = ("37", "42")
"""Kinds of completion (readline's, as characters) that insert every candidate as it is: nothing is said beside them."""


def answer(shell: str, args: Sequence[str], environ: Mapping[str, str]) -> str:
    """The answer to a script: ``args`` are the words behind the command, the one at the cursor last."""
    if shell == "bash":
        return _answer_bash(environ)
    *words, typed = args or [""]
    if shell == "fish":
        typed = _read_words(typed)[0][-1] if typed else ""
    found = complete(words, typed, environ)
    return _lines(found, [f"{each.value}\t{each.about}" if each.about else each.value for each in found.candidates])


def _lines(found: Completion, lines: Sequence[str]) -> str:
    is_open = bool(found.candidates) and all(each.is_open for each in found.candidates)
    kind = found.paths or ("open" if is_open else "plain")
    return "".join(f"{line}\n" for line in (kind, *lines))


def _answer_bash(environ: Mapping[str, str]) -> str:
    line = environ["COMP_LINE"][: int(environ["COMP_POINT"])]
    words, raw = _read_words(line)
    found = complete(words[1:-1], words[-1], environ)
    quote = raw[0] if raw[:1] in ('"', "'") else ""
    breaks = set(environ.get("COMP_WORDBREAKS", "")) & {":", "=", "@"} if not quote else set()
    cut = _count_breaks(raw, breaks)
    several = len(found.candidates) > 1 and environ.get("COMP_TYPE") not in _INSERTING
    lines = []
    for each in found.candidates:
        if quote == "'" and "'" in each.value:
            continue
        about = f"  ({each.about})" if each.about and several else ""
        lines.append(_behind(_quoted(each.value, quote), breaks, cut) + about)
    return _lines(found, lines)


def _quoted(value: str, quote: str) -> str:
    """A value as it has to stand in a line, within a quotation mark that was opened."""
    if quote == "'":
        return value
    special = _IN_QUOTES if quote else _SPECIAL
    return "".join(f"\\{char}" if char in special else char for char in value)


def _count_breaks(raw: str, breaks: set[str]) -> int:
    """The number of characters at which readline begins a new word, those with a backslash left out."""
    return sum(char in breaks and raw[at - 1 : at] != "\\" for at, char in enumerate(raw))


def _behind(text: str, breaks: set[str], number: int) -> str:
    """Cut off what stands before that many breaks: readline replaces only its own word."""
    for at, char in enumerate(text):
        if not number:
            return text[at:]
        number -= char in breaks
    return "" if number else text


def _read_words(line: str) -> tuple[list[str], str]:
    """The words of a line as a shell reads them, the last one unfinished, and that one as it was typed."""
    words: list[str] = []
    word, quote, begin, escaped, in_word = "", "", len(line), False, False
    for at, char in enumerate(line):
        if char.isspace() and not quote and not escaped:
            if in_word:
                words.append(word)
            word, in_word, begin = "", False, len(line)
            continue
        if not in_word:
            in_word, begin = True, at
        if escaped:
            word += char if not quote or char in _IN_QUOTES else f"\\{char}"
            escaped = False
        elif char == "\\" and quote != "'":
            escaped = True
        elif quote and char == quote:
            quote = ""
        elif not quote and char in "\"'":
            quote = char
        else:
            word += char
    return [*words, word], line[begin:]
