"""Prompt templates in Jinja2's sandbox, with five texts and nothing else; errors say line and column.

Only the worker process imports this. Time and memory are bounded from outside; here, the output and what can be
refused before it costs anything.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any, cast

from jinja2 import ChainableUndefined, StrictUndefined, Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import (
    SecurityError,
    TemplateError,
    TemplateRuntimeError,
    TemplateSyntaxError,
    UndefinedError,
)
from jinja2.idtracking import VAR_LOAD_RESOLVE
from jinja2.lexer import TokenStream, newline_re
from jinja2.runtime import Context, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

NAMES = ("sentence", "focus", "context", "language", "source")
MAX_OUTPUT = 64 * 1024
"""Characters of a rendered prompt: some sixteen thousand tokens."""
_MAX_CACHED = 32
_MAX_HIDDEN = 8
_PATIENCE = 0.25
"""Seconds after which no other line is hidden: the whole must stay well within what the parent waits for."""
_MAX_POWER_BITS = 20_000
_TAG = re.compile(r"\{[{%#]")
_BLOCK = re.compile(r"\{%[-+]?\s*(\w+)")
_UNPLACED = frozenset(("whitespace", "data"))
_IS = re.compile(r"is\s+(?:not\s+)?")
_ATTRIBUTE = re.compile(r"(?:attribute|element) '?([^']+)'?$")
_END_OF = re.compile(r"token 'end of (print statement|statement block)'")
_LONG_NUMBER = re.compile(r"[0-9A-Fa-f_xX]{1000,}")
_MARK = re.compile("\x00(\\d+)\x00")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a template; ``line`` and ``column`` count from 1, 0 is unknown."""

    message: str
    line: int = 0
    column: int = 0
    hint: str = ""


class TemplateFailure(Exception):
    """Carries the first problem of a template; ``is_length``: that its result grows too long."""

    def __init__(self, problem: Problem, *, is_length: bool = False) -> None:
        super().__init__(problem.message)
        self.problem = problem
        self.is_length = is_length


class _Place(int):
    """A line number that remembers its column; Jinja2 hands line numbers on from the token to the syntax tree."""

    column: int

    def __new__(cls, line: int, column: int) -> _Place:
        place = super().__new__(cls, line)
        place.column = column
        return place


class _Visible(ChainableUndefined):
    """An unknown value that stands in the result as ``{{ name }}``, whatever is done to it."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"{{{{ {self._undefined_name} }}}}" if self._undefined_name else ""

    def __call__(self, *args: Any, **kwargs: Any) -> _Visible:  # type: ignore[override]
        return self


class _Environment(ImmutableSandboxedEnvironment):
    """Jinja2 without its globals, with columns, and with the two operators bounded that can make much of little."""

    intercepted_binops = frozenset(("*", "**"))

    def __init__(self, undefined: type[Undefined]) -> None:
        # Not optimised: constants are worked out when they are reached, where an error has a line.
        super().__init__(undefined=undefined, optimized=False, cache_size=0)
        self.globals.clear()

    def _tokenize(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> TokenStream:
        source = self.preprocess(source, name, filename)
        tokens = _placed(self.lexer.tokeniter(source, name, filename, state), _normalised(source))
        return TokenStream(self.lexer.wrap(tokens, name, filename), name, filename)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if operator == "**" and isinstance(left, int) and isinstance(right, int):
            if abs(right) * left.bit_length() > _MAX_POWER_BITS:
                raise TemplateRuntimeError("the number is too large")
        elif operator == "*":
            for many, times in ((left, right), (right, left)):
                if isinstance(many, (str, list, tuple)) and isinstance(times, int) and len(many) * times > MAX_OUTPUT:
                    raise TemplateRuntimeError("the text is too long")
        return super().call_binop(context, operator, left, right)


class _Generator(CodeGenerator):
    """Jinja2's code generator, which notes on its way what a prompt cannot have.

    One pass serves both, since a preview has milliseconds: names that nothing defines where they are read (by Jinja2's
    own scope analysis), filters and tests that do not exist, tags that would read other templates.
    """

    def __init__(self, environment: _Environment, source: str) -> None:
        super().__init__(environment, None, None, optimized=False)
        self._source = source
        self.unknown_names: list[Problem] = []
        self.unusable: list[Problem] = []

    def code(self, tree: nodes.Template) -> str:
        self.visit(tree)
        return cast(StringIO, self.stream).getvalue()

    def visit_Name(self, node: nodes.Name, frame: Frame) -> None:
        if node.ctx == "load":
            load = frame.symbols.find_load(frame.symbols.ref(node.name))
            undeclared = load is not None and load[0] == VAR_LOAD_RESOLVE and load[1] not in NAMES
            if undeclared or node.name == "self":
                hint = f"there are {', '.join(NAMES)}"
                self.unknown_names.append(Problem(f'no value "{node.name}"', *_place(node.lineno), hint))
        super().visit_Name(node, frame)

    def visit_Filter(self, node: nodes.Filter, frame: Frame) -> None:
        if node.name in self.environment.filters:
            super().visit_Filter(node, frame)
            return
        hint = "Jinja2's filters are there, such as upper, trim, default and replace"
        self.unusable.append(Problem(f'no filter "{node.name}"', *_place(node.lineno), hint))

    def visit_Test(self, node: nodes.Test, frame: Frame) -> None:
        if node.name in self.environment.tests:
            super().visit_Test(node, frame)
            return
        line, column = _place(node.lineno)
        if found := _IS.match(_line(self._source, line), max(0, column - 1)):
            column = found.end() + 1
        hint = "Jinja2's tests are there, such as defined, none, in and string"
        self.unusable.append(Problem(f'no test "{node.name}"', line, column, hint))

    def _refuse(self, node: nodes.Node, frame: Frame) -> None:
        hint = "write the text itself"
        self.unusable.append(Problem("a prompt cannot read other templates", *_place(node.lineno), hint))

    visit_Include = visit_Import = visit_FromImport = visit_Extends = _refuse


class Sandbox:
    """Renders templates and keeps the last few parsed ones."""

    def __init__(self) -> None:
        self._strict = _Environment(StrictUndefined)
        self._visible = _Environment(_Visible)
        self._parsed: OrderedDict[str, Template | TemplateFailure] = OrderedDict()

    def render(self, source: str, values: Mapping[str, str]) -> str:
        """The rendered template; raises ``TemplateFailure``, also for an unknown name on a branch not taken."""
        pieces: list[str] = []
        _run(self._template(source), values, source, pieces)
        return "".join(pieces)

    def render_lenient(self, source: str, values: Mapping[str, str]) -> tuple[str, Problem | None]:
        """What can be shown of a template, and its first problem.

        Unknown names stand as ``{{ name }}``, lines that make no sense or fail as they are. The text is "" where the
        problem has no line, where hiding lines does not help, and where it comes out too long.
        """
        try:
            return self.render(source, values), None
        except TemplateFailure as failure:
            first = failure.problem
        # A line that is not rendered is held open by its number between two characters that nothing else has.
        values = {name: value.replace("\x00", "") for name, value in values.items()}
        lines = _normalised(source.replace("\x00", "")).split("\n")
        shown = list(lines)
        begun = time.monotonic()
        for _ in range(_MAX_HIDDEN + 1):
            text, pieces = "\n".join(shown), list[str]()
            try:
                _run(_parse(self._visible, text, names_matter=False), values, text, pieces)
            except TemplateFailure as failure:
                row = failure.problem.line - 1
                while row >= 0 and _MARK.fullmatch(shown[row]):
                    shown[row] = lines[row]  # what is wrong began above
                    row -= 1
                if row < 0 or failure.is_length or time.monotonic() - begun > _PATIENCE:
                    break
                shown[row] = f"\x00{row}\x00"
            else:
                return _unmarked("".join(pieces), lines), first
        return "", first

    def _template(self, source: str) -> Template:
        if source in self._parsed:
            self._parsed.move_to_end(source)
        else:
            try:
                self._parsed[source] = _parse(self._strict, source)
            except TemplateFailure as failure:
                self._parsed[source] = failure
            while len(self._parsed) > _MAX_CACHED:
                self._parsed.popitem(last=False)
        parsed = self._parsed[source]
        if isinstance(parsed, TemplateFailure):
            raise TemplateFailure(parsed.problem)
        return parsed


def _parse(environment: _Environment, source: str, *, names_matter: bool = True) -> Template:
    """The compiled template; raises ``TemplateFailure`` with the problem that stands first in the text."""
    try:
        tree = environment.parse(source)
        generator = _Generator(environment, source)
        code = generator.code(tree)
        problems = generator.unusable + (generator.unknown_names if names_matter else [])
        if problems:
            raise TemplateFailure(min(problems, key=lambda problem: (problem.line, problem.column)))
        return Template.from_code(environment, compile(code, "<template>", "exec"), {})
    except TemplateSyntaxError as error:
        raise TemplateFailure(_syntax_problem(error, source)) from None
    except (RecursionError, MemoryError, SyntaxError):
        # Python's own compiler refuses what is nested too deeply in one of these three ways.
        raise TemplateFailure(Problem("the template is nested too deeply", hint="make it simpler")) from None
    except ValueError:  # a number of more than the 4300 digits that Python reads and writes
        before = source[: found.start()] if (found := _LONG_NUMBER.search(source)) else ""
        line = before.count("\n") + 1
        raise TemplateFailure(
            Problem("the number is too large", line, len(before) - before.rfind("\n"), "make it smaller")
        ) from None


def _run(template: Template, values: Mapping[str, str], source: str, pieces: list[str]) -> None:
    """Append the pieces of the result; raises ``TemplateFailure`` where it fails or grows too long."""
    running = template.root_render_func(template.new_context(dict(values)))
    length = 0
    try:
        for piece in running:
            pieces.append(piece)
            length += len(piece)
            if length > MAX_OUTPUT:
                line = template.get_corresponding_lineno(running.gi_frame.f_lineno)  # type: ignore[attr-defined]
                hint = f"it may have {MAX_OUTPUT:,} characters".replace(",", " ")
                problem = Problem("the prompt comes out too long", line, _first_tag(source, line), hint)
                raise TemplateFailure(problem, is_length=True)
    except TemplateFailure:
        raise
    except Exception as error:  # noqa: BLE001 - a template can raise anything, and this is the edge of its process
        raise TemplateFailure(_runtime_problem(error, source)) from None


def _unmarked(text: str, lines: list[str]) -> str:
    """The text with the hidden lines in their places; "" if they make it too long, as in a loop they may."""
    hidden = [lines[int(mark.group(1))] for mark in _MARK.finditer(text)]
    if len(text) + sum(map(len, hidden)) > MAX_OUTPUT:
        return ""
    return _MARK.sub(lambda mark: lines[int(mark.group(1))], text)


def _runtime_problem(error: Exception, source: str) -> Problem:
    line, traceback = 0, error.__traceback__
    while traceback is not None:
        template = traceback.tb_frame.f_globals.get("__jinja_template__")
        if isinstance(template, Template):
            line = template.get_corresponding_lineno(traceback.tb_lineno)
        traceback = traceback.tb_next
    problem = _said(error)
    column = _first_tag(source, line)
    if isinstance(error, UndefinedError):
        named = _ATTRIBUTE.search(str(error))
        wanted = rf"[.\[]\s*['\"]?({re.escape(named.group(1))})\b" if named else r"\A\Z"
        if found := re.search(wanted, _line(source, line)):
            column = found.start(1) + 1
    return replace(problem, line=line, column=column)


def _said(error: Exception) -> Problem:
    """The error in words; Python's own names of types mean little to who writes a prompt."""
    match error:
        case MemoryError():
            return Problem("the prompt needs too much memory", hint="make less of it")
        case RecursionError():
            return Problem("the template calls itself without end", hint="let it end")
        case SecurityError():
            return Problem(f"this is closed to a prompt: {error}", hint="use the five texts and Jinja2's filters")
        case UndefinedError():
            said = str(error).replace("'str object'", "a text")
            return Problem(said, hint=f"the values {', '.join(NAMES)} are texts")
        case TemplateError():
            return Problem(str(error), hint="make it smaller")
    said = str(error)[:200] or type(error).__name__
    if "int_max_str_digits" in str(error):
        said = "the number is too large"
    return Problem(f"this cannot be worked out: {said}", hint="change or remove what stands there")


def _syntax_problem(error: TemplateSyntaxError, source: str) -> Problem:
    message = error.message or "this is no template"
    line, column = _place(error.lineno)
    if place := re.search(r"^unexpected char (.+) at (\d+)$", message):
        before = _normalised(source)[: int(place.group(2))]
        message, column = f"unexpected {place.group(1)}", len(before) - (before.rfind("\n") + 1) + 1
    elif unclosed := re.search(r"innermost block that needs to be closed is '(\w+)'", message):
        kind = unclosed.group(1)
        line, column = _opening(kind, _normalised(source), line)
        hint = f"write {{% end{kind} %}} where it ends"
        return Problem(f"the block {kind!r} is never closed", line, column, hint)
    message = _END_OF.sub(lambda end: "'}}'" if end.group(1) == "print statement" else "'%}'", message)
    message = message[:1].lower() + message[1:].rstrip(".")
    return Problem(message, line, column or _first_tag(source, line), "braces are literal as {{ '{{' }}")


def _opening(kind: str, source: str, otherwise: int) -> tuple[int, int]:
    """Line and column of the last block of this kind that nothing closes."""
    open_tags: list[int] = []
    for tag in _BLOCK.finditer(source):
        if tag.group(1) == kind:
            open_tags.append(tag.start())
        elif tag.group(1) == f"end{kind}" and open_tags:
            open_tags.pop()
    if not open_tags:
        return otherwise, _first_tag(source, otherwise)
    start = open_tags[-1]
    return source.count("\n", 0, start) + 1, start - source.rfind("\n", 0, start)


def _placed(tokens: Iterator[tuple[int, str, str]], source: str) -> Iterator[tuple[int, str, str]]:
    """The lexer's tokens with columns; what the lexer leaves out between two of them is white space."""
    position = line_start = 0
    try:
        for line, kind, value in tokens:
            if not source.startswith(value, position):
                skipped = source.find(value, position)
                position = position if skipped < 0 or source[position:skipped].strip() else skipped
                line_start = source.rfind("\n", 0, position) + 1
            yield (line if kind in _UNPLACED else _Place(line, position - line_start + 1)), kind, value
            position += len(value)
            if "\n" in value:
                line_start = source.rfind("\n", 0, position) + 1
    except TemplateSyntaxError as error:
        if (error.message or "").startswith("unexpected '"):  # a bracket without its partner
            error.lineno = _Place(error.lineno, position - line_start + 1)
        raise


def _place(line: int) -> tuple[int, int]:
    return int(line), getattr(line, "column", 0)


def _normalised(source: str) -> str:
    """The text as Jinja2's lexer sees it: line feeds only, and not one at the end."""
    lines = newline_re.split(source)[::2]
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


def _line(source: str, number: int) -> str:
    lines = _normalised(source).split("\n")
    return lines[number - 1] if 1 <= number <= len(lines) else ""


def _first_tag(source: str, line: int) -> int:
    """The column of the line's first tag, 1 where it has none, 0 without a line."""
    tag = _TAG.search(_line(source, line))
    return tag.start() + 1 if tag else min(line, 1)
