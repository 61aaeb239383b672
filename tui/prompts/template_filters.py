"""The filters and tests of prompt templates: those of Jinja2 whose cost and length can be told beforehand.

Left out is what makes much of little (``format``, ``center``, ``batch`` …), what is slow (``wordwrap``, ``urlize``) and
what nobody asks of five texts. ``split`` and ``splitlines`` are added, as a prompt cannot call the methods of a text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from jinja2 import Environment, filters
from jinja2.tests import TESTS as _JINJA_TESTS
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import escape

Value: TypeAlias = "str | int | float | bool | list[Any] | None"
"""A list has no lists in it: nothing can be nested so that a few steps make something huge."""

MAX_TEXT = 256 * 1024
"""Characters of all values together, and of any text that is made of them on the way."""
MAX_NUMBER = 10**15
_CHARACTERS_PER_STEP = 64
"""A step is what a node of the tree costs, about a microsecond."""
_CALL_STEPS = 4
_MAX_DIGITS = 15


def cost(value: Value) -> int:
    """Steps that it takes to go through the value once."""
    if isinstance(value, str):
        return len(value) // _CHARACTERS_PER_STEP
    if isinstance(value, list):
        return len(value) + sum(len(item) for item in value if isinstance(item, str)) // _CHARACTERS_PER_STEP
    return 0


def search_cost(value: Value, wanted: object) -> int:
    """Steps that it takes to look for a text in the value: up to 100 characters are compared in full at every place."""
    return cost(value) * (1 + min(len(wanted) if isinstance(wanted, str) else 0, 100) // 8)


def as_text(value: Value) -> str:
    """The value as it is printed; raises ``TypeError`` for a list."""
    if isinstance(value, list):
        raise TypeError("a list is no text; join it: {{ … | join(', ') }}")
    return str(value)


def is_too_large(value: Value) -> bool:
    """Whether a value may not be made: too long a text, too large a number."""
    if isinstance(value, str):
        return len(value) > MAX_TEXT
    return isinstance(value, (int, float)) and not abs(value) <= MAX_NUMBER


def _replace(text: str, old: str, new: str, count: int | None = None) -> str:
    most = text.count(old) if count is None else min(text.count(old), count)
    if len(text) + most * (len(new) - len(old)) > MAX_TEXT:
        raise ValueError("the text becomes too long")
    return text.replace(old, new, most)


def _join(value: list[Any] | str, d: str = "") -> str:
    texts, separator = list(map(as_text, value)), as_text(d)
    if sum(map(len, texts)) + len(separator) * len(texts) > MAX_TEXT:
        raise ValueError("the text becomes too long")
    return separator.join(texts)


def _indent(text: str, width: int | str = 4, first: bool = False, blank: bool = False) -> str:
    each = len(width) if isinstance(width, str) else width
    if len(text) + (len(text.splitlines()) + 1) * each > MAX_TEXT:
        raise ValueError("the text becomes too long")
    return filters.do_indent(text, width, first, blank)


def _number_of(kind: Callable[[Any], float], value: Value, default: float) -> float:
    try:
        return default if isinstance(value, str) and len(value) > 2 * _MAX_DIGITS else kind(value)
    except (TypeError, ValueError, OverflowError):
        return default


def _round(value: float, precision: int = 0) -> float:
    if not 0 <= precision <= _MAX_DIGITS or not math.isfinite(value):
        raise ValueError("this cannot be rounded so")
    return round(float(value), precision)


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter; ``call`` has Jinja2's names of arguments, and gets a text where ``of_text``, else any value.

    ``slowness`` is how much dearer it is than going through the value once, ``searches`` that it looks for a text.
    """

    call: Callable[..., Value]
    of_text: bool = True
    slowness: int = 1
    searches: bool = False

    def cost(self, value: Value, args: Sequence[Value]) -> int:
        wanted = max((arg for arg in args if isinstance(arg, str)), key=len, default="")
        steps = search_cost(value, wanted) if self.searches else cost(value)
        return _CALL_STEPS + steps * self.slowness + sum(map(cost, args))


def _default(value: Value, default_value: Value = "", boolean: bool = False) -> Value:
    return default_value if boolean and not value else value


FILTERS: Mapping[str, Filter] = {
    "abs": Filter(abs, of_text=False), "capitalize": Filter(str.capitalize),
    **dict.fromkeys(("count", "length"), Filter(len, of_text=False)),
    **dict.fromkeys(("d", "default"), Filter(_default, of_text=False)),
    **dict.fromkeys(("e", "escape", "forceescape"), Filter(lambda text: str(escape(text)), slowness=2)),
    "first": Filter(lambda value: value[0] if value else "", of_text=False),
    "last": Filter(lambda value: value[-1] if value else "", of_text=False),
    "float": Filter(lambda value, default=0.0: _number_of(float, value, default), of_text=False),
    "indent": Filter(_indent, slowness=4),
    "int": Filter(lambda value, default=0: _number_of(int, value, default), of_text=False),
    "join": Filter(_join, of_text=False, slowness=32),
    "list": Filter(list, of_text=False, slowness=16),
    "lower": Filter(str.lower), "replace": Filter(_replace, searches=True),
    "reverse": Filter(lambda value: value[::-1], of_text=False), "round": Filter(_round, of_text=False),
    **dict.fromkeys(("safe", "string"), Filter(str)),
    "split": Filter(lambda text, separator=None: text.split(separator), slowness=8, searches=True),
    "splitlines": Filter(str.splitlines, slowness=8), "title": Filter(filters.do_title, slowness=16),
    "tojson": Filter(lambda value: str(htmlsafe_json_dumps(value)), of_text=False, slowness=4),
    "trim": Filter(lambda text, chars=None: text.strip(chars), searches=True),
    "truncate": Filter(partial(filters.do_truncate, Environment())), "upper": Filter(str.upper),
    "wordcount": Filter(filters.do_wordcount, slowness=8),
}  # fmt: skip
TESTS: Mapping[str, Any] = {
    name: _JINJA_TESTS[name]
    for name in (
        *("defined", "undefined", "none", "string", "number", "integer", "float", "boolean", "true", "false"),
        *("sequence", "iterable", "odd", "even", "divisibleby", "lower", "upper", "in"),
        *("eq", "equalto", "ne", "gt", "greaterthan", "ge", "lt", "lessthan", "le"),
        *("==", "!=", ">", ">=", "<", "<="),
    )
}
