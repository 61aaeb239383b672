"""Texts given as arguments: as they are, ``@FILE``, or ``-`` for standard input."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tui import bounds
from tui.cli.root import WrongUsage
from tui.errors import InvalidInput
from tui.system import regular_file

MAX_BYTES = bounds.ARGUMENT.bytes_in
"""More than any prompt or sentence; it keeps an endless stream from filling the memory."""


def plain(value: str, what: str) -> str:
    """The text itself, or standard input for ``-``; raises ``InvalidInput`` when it is not UTF-8 or too long."""
    return _from_stdin(what) if value == "-" else _checked(value, what)


def sentence(value: str) -> str:
    """A sentence without the white space around it; raises ``WrongUsage`` when nothing is left."""
    text = plain(value, "the sentence").strip()
    if not text:
        raise WrongUsage("the sentence is empty", hint="give a sentence, or - to read it from standard input")
    return text


def or_file(value: str, what: str) -> str:
    """Read an argument as ``plain`` does, and ``@FILE`` as that file's text, ``@@text`` as the text ``@text``."""
    if value.startswith("@@"):
        return _checked(value[1:], what)
    if value.startswith("@"):
        return _from_stdin(what) if value == "@-" else _from_file(Path(value[1:]), what)
    return plain(value, what)


def language(value: str | None) -> str | None:
    """The language's tag as BCP 47 spells it; raises ``WrongUsage`` for what is none."""
    if value is None:
        return None
    from tui.language.tags import normalise

    tag = normalise(value)
    if tag is None:
        raise WrongUsage(f"{value[:40]!r} is no language tag", hint="use one such as de, pt-BR, zh-Hans or yue")
    return tag


def given(value: str | None, what: str) -> str | None:
    """Read an option as ``or_file`` does; None, one that was not given, stays None."""
    return None if value is None else or_file(value, what)


def _from_file(path: Path, what: str) -> str:
    try:
        data = regular_file.read(path.expanduser(), MAX_BYTES)
    except (OSError, RuntimeError) as error:
        raise InvalidInput(
            f"{what} cannot be read from {path}: {getattr(error, 'strerror', None) or error}",
            hint="check the path; for a text that begins with @ write @@",
        ) from error
    return _decoded(data, what, str(path))


def _from_stdin(what: str) -> str:
    context = click.get_current_context()
    taken = context.meta.setdefault("lode.stdin", what)
    if taken != what:
        raise WrongUsage(f"standard input can't be both {taken} and {what}", hint="put one of them into a file: @FILE")
    if sys.stdin is None:
        raise InvalidInput(f"{what} should come from standard input, which is closed", hint="give it as an argument")
    if sys.stdin.isatty():
        click.echo(f"type {what}, then press enter and ctrl+d", err=True)
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InvalidInput(f"{what} in standard input is longer than {MAX_BYTES // 1_000_000} MB", hint="shorten it")
    return _decoded(data, what, "standard input").removesuffix("\n")


def _decoded(data: bytes, what: str, where: str) -> str:
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{what} in {where} is not UTF-8 text", hint="convert it, with iconv for example") from error


def _checked(value: str, what: str) -> str:
    if any("\ud800" <= char <= "\udfff" for char in value):  # how Python passes on bytes that are not UTF-8
        raise InvalidInput(f"{what} is not UTF-8 text", hint="check the encoding of the terminal")
    return value
