"""Lists as people and programs want them: the options of every list, and rows as a table, JSON, CSV or TSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

from tui.cli.arguments import WrongUsage
from tui.cli.output import console
from tui.cli.output.tables import Alignment, Column, tab_separated
from tui.cli.root import json_option

if TYPE_CHECKING:
    from tui.cli.context import Context

T = TypeVar("T")
FORMATS = ("table", "json", "jsonl", "csv", "tsv")
_WHOLE = 100_000
"""Cells of a row where no terminal has to have room for it."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Form that is wanted of a list: a format ("" for the usual one), the names of columns (none: the usual ones), and
    whether a terminal gets it through its pager.
    """

    format: str = ""
    columns: tuple[str, ...] = ()
    pages: bool = True

    @property
    def as_json(self) -> bool:
        return self.format == "json"

    @property
    def is_usual(self) -> bool:
        """Whether it is left to Lode what is shown."""
        return not self.format and not self.columns

    def choose(self, columns: Sequence[Column[T]]) -> list[Column[T]]:
        """The columns that are wanted, in the order in which they are named."""
        if not self.columns:
            return [column for column in columns if column.usual]
        named = {name_column(column.title): column for column in columns}
        return [named[each] for each in self.columns if each in named]


class ColumnNames(click.ParamType):  # type: ignore[type-arg] # generic only from click 8.4 on
    """Names of columns with commas between them."""

    name = "columns"

    def __init__(self, columns: Iterable[Column[Any]]) -> None:
        self.titles = tuple(dict.fromkeys(name_column(column.title) for column in columns))
        self.said = ", ".join(self.titles)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        if isinstance(value, tuple):
            return value
        names = tuple(filter(None, map(name_column, str(value).split(","))))
        unknown = [each for each in names if each not in self.titles]
        if unknown or not names:
            wrong = WrongUsage(
                f"there is no column {unknown[0][:40]!r}" if unknown else "no column is named",
                hint=f"there are {','.join(self.titles)}",
            )
            wrong.ctx = ctx
            raise wrong
        return tuple(dict.fromkeys(names))


def name_column(title: str) -> str:
    """Name of a column as it is typed, and as programs get it: ``one_new`` for ``one new`` and ``one-new``."""
    return "_".join(title.casefold().replace("_", " ").replace("-", " ").split())


def takes_list(columns: Sequence[Column[Any]]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command its ``Context`` and, as ``how``, what is wanted of its list; ``columns`` may be named."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def run_listing(context: Context, /, as_json: bool, form: str | None, no_pager: bool, **rest: Any) -> Any:
            if as_json and form not in (None, "json"):
                raise WrongUsage("--json and --format name two formats", hint="leave out one of them")
            how = Listing("json" if as_json else form or "", rest.pop("names"), not no_pager)
            return command(context, how=how, **rest)

        function = click.pass_obj(run_listing)
        names = ColumnNames(columns)
        for option in (
            click.option("--no-pager", is_flag=True, help="Print a long list straight to the terminal."),
            click.option(
                "--columns", "names", type=names, metavar="NAME,…", default=(), help=f"Only these, of {names.said}."
            ),
            click.option(
                "--format", "form", type=click.Choice(FORMATS), help="How to write it: else a table, in a pipe tsv."
            ),
            json_option,
        ):
            function = option(function)
        return function

    return decorate


class ListWriter(Generic[T]):
    """Writer of a list, some rows after the others; not for JSON, which is one value.

    CSV has a line of titles, also of a list that is empty. TSV is what a pipe gets: rows only.
    """

    def __init__(self, columns: Sequence[Column[T]], how: Listing) -> None:
        self._columns = how.choose(columns)
        self._picks = bool(how.columns)
        self._format = how.format or ("table" if console.is_terminal() else "tsv")
        self._alignment: Alignment[T] | None = None
        if self._format == "csv":
            self._put_csv([[name_column(column.title) for column in self._columns]])

    def put(self, items: Sequence[T]) -> None:
        match self._format:
            case "jsonl":
                for item in items:
                    console.put_line_of_json(pick(self._columns, item) if self._picks else item)
            case "csv":
                self._put_csv([[column.exact(item) for column in self._columns] for item in items])
            case "tsv":
                for item in items:
                    console.put(tab_separated(self._columns, item))
            case _ if items:
                self._put_table(items)

    def _put_table(self, items: Sequence[T]) -> None:
        if self._alignment is None:
            width = console.width() if console.is_terminal() else _WHOLE
            self._alignment = Alignment(self._columns, items, width)
            console.put(self._alignment.titles())
        for item in items:
            console.put(self._alignment.row(item))

    def _put_csv(self, rows: Sequence[Sequence[str]]) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        console.put(text.getvalue(), end="")


def pick(columns: Sequence[Column[T]], item: T) -> dict[str, Any]:
    """The columns of a row for JSON: numbers where a column has some, null for one that is unknown."""
    return {name_column(column.title): _value(column, column.exact(item)) for column in columns}


def _value(column: Column[Any], text: str) -> Any:
    if not column.right:
        return text
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            pass
    return text or None
