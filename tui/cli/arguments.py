"""Arguments of commands: wrong usage, paths on disks, numbers, texts as they are, as ``@FILE`` or as ``-``, tokens."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from tui.cli.output import console
from tui.errors import InvalidInput
from tui.system import regular_file
from tui.system.disk import look_at_disk

TOKEN_VARIABLE = "LODE_TOKEN"


class WrongUsage(click.UsageError):
    """Error of a command that can't be meant as it was typed, with the next step."""

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class PathOnDisk(click.Path):
    """A path as ``click.Path`` takes it, which asks the disk what is there."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return look_at_disk(lambda: super(PathOnDisk, self).convert(value, param, ctx))


class PlaceOnDisk(PathOnDisk):
    """A path where something may come into being; the empty text, an unset shell variable say, is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("it is empty", param, ctx)
        return super().convert(value, param, ctx)


class Number(click.ParamType):  # type: ignore[type-arg] # generic only from click 8.4 on
    """A whole number from ``least`` on, and one that every database can count to."""

    name = "number"

    def __init__(self, least: int) -> None:
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            number = int(value)
        except ValueError:
            self.fail(f"{str(value)[:40]!r} is no number", param, ctx)
        if not self.least <= number < 2**40:
            self.fail(
                f"it begins at {self.least}" if number < self.least else f"{str(value)[:40]} is too large", param, ctx
            )
        return number


class Moment(click.ParamType):  # type: ignore[type-arg] # generic only from click 8.4 on
    """A moment of a recording, as "90", "1:30" or "1:02.500"; its value is in milliseconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        from tui.text.times import read_exact_time

        if isinstance(value, int):
            return value
        if (moment := read_exact_time(str(value))) is None:
            self.fail(f"{str(value)[:40]!r} is no time: use one such as 90, 1:30 or 1:02.500", param, ctx)
        return moment


def read_language(value: str | None) -> str | None:
    """The language's tag as BCP 47 spells it; raises ``WrongUsage`` for what is none."""
    if value is None:
        return None
    from tui.language.tags import normalise

    tag = normalise(value)
    if tag is None:
        raise WrongUsage(f"{value[:40]!r} is no language tag", hint="use one such as de, pt-BR, zh-Hans or yue")
    return tag


def read_text(value: str, what: str) -> str:
    """The text itself, or standard input for ``-``; raises ``InvalidInput`` when it is not UTF-8 or too long."""
    return _from_stdin(what) if value == "-" else _check_text(value, what)


def read_sentence(value: str) -> str:
    """A sentence without the white space around it; raises ``WrongUsage`` when nothing is left."""
    text = read_text(value, "the sentence").strip()
    if not text:
        raise WrongUsage("the sentence is empty", hint="give a sentence, or - to read it from standard input")
    return text


def read_text_or_file(value: str, what: str) -> str:
    """Read an argument as ``read_text`` does, and ``@FILE`` as that file's text, ``@@text`` as the text ``@text``."""
    if value.startswith("@@"):
        return _check_text(value[1:], what)
    if value.startswith("@"):
        return _from_stdin(what) if value == "@-" else _from_file(Path(value[1:]), what)
    return read_text(value, what)


def read_option(value: str | None, what: str) -> str | None:
    """Read an option as ``read_text_or_file`` does; None, one that was not given, stays None."""
    return None if value is None else read_text_or_file(value, what)


def _from_file(path: Path, what: str) -> str:
    from tui import bounds

    try:
        data = regular_file.read(path.expanduser(), bounds.ARGUMENT.bytes_in)
    except (OSError, RuntimeError) as error:
        raise InvalidInput(
            f"{what} cannot be read from {path}: {getattr(error, 'strerror', None) or error}",
            hint="check the path; for a text that begins with @ write @@",
        ) from error
    return _decode(data, what, str(path))


def _from_stdin(what: str) -> str:
    from tui import bounds

    context = click.get_current_context()
    taken = context.meta.setdefault("lode.stdin", what)
    if taken != what:
        raise WrongUsage(f"standard input can't be both {taken} and {what}", hint="put one of them into a file: @FILE")
    if sys.stdin is None:
        raise InvalidInput(f"{what} should come from standard input, which is closed", hint="give it as an argument")
    if sys.stdin.isatty():
        click.echo(f"type {what}, then press enter and ctrl+d", err=True)
    most = bounds.ARGUMENT.bytes_in
    data = sys.stdin.buffer.read(most + 1)
    if len(data) > most:
        raise InvalidInput(f"{what} in standard input is longer than {most // 1_000_000} MB", hint="shorten it")
    return _decode(data, what, "standard input").removesuffix("\n")


def _decode(data: bytes, what: str, where: str) -> str:
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{what} in {where} is not UTF-8 text", hint="convert it, with iconv for example") from error


def _check_text(value: str, what: str) -> str:
    if any("\ud800" <= char <= "\udfff" for char in value):  # how Python passes on bytes that are not UTF-8
        raise InvalidInput(f"{what} is not UTF-8 text", hint="check the encoding of the terminal")
    return value


def token_of(file: Path | None, environ: Mapping[str, str], variable: str = TOKEN_VARIABLE) -> str:
    """The token in the file or, without one, in an environment variable; "" where neither is named.

    Raises ``InvalidInput`` for a file that cannot be read and for what is no token. Warns where others can read it.
    """
    from tui import bounds

    if file is None:
        return _check_token(environ[variable], variable) if environ.get(variable) else ""
    file = file.expanduser()
    try:
        with regular_file.open_file(file) as opened:
            if os.name == "posix" and stat.S_IMODE(os.fstat(opened.fileno()).st_mode) & 0o077:
                console.tell(f"warning: others can read the token in {file}")
                console.tell(f"hint: chmod 600 {file}")
            data = regular_file.piece_of(opened, bounds.TOKEN.bytes_in + 1)
    except OSError as error:
        raise InvalidInput(
            f"the token file {file} cannot be read: {error.strerror or error}", hint="check the path"
        ) from error
    return _check_token(data.decode("utf-8", "replace"), f"the token file {file}")


def _check_token(text: str, where: str) -> str:
    from tui import bounds

    """Return a token that can stand in a header: visible ASCII in one line."""
    token = text.strip()
    if not token:
        raise InvalidInput(f"{where} is empty", hint="put a long random text in it: openssl rand -hex 32")
    if len(token) > bounds.TOKEN.bytes_in or not all("!" <= char <= "~" for char in token):
        raise InvalidInput(
            f"{where} holds no token",
            hint="a token is one line of letters, digits and signs, without spaces: openssl rand -hex 32",
        )
    return token
