"""Parse a prompt template: Jinja2's syntax, reduced to what is cheap to render; every error has its line and column.

Jinja2 only parses; ``evaluation`` walks the tree, and nothing of a template is ever compiled or executed. What is
allowed is the list of nodes in ``_EXPRESSIONS`` and ``_Checker``, and the filters and tests of ``template_filters``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

from jinja2 import Environment, nodes
from jinja2.exceptions import TemplateSyntaxError
from jinja2.lexer import TokenStream, newline_re
from jinja2.parser import Parser

from tui.errors import TemplateError
from tui.prompts import MAX_TEMPLATE, NAMES
from tui.prompts.template_filters import FILTERS, TESTS

MAX_TOKENS = 1_500
"""Names, signs and literals in tags: parsing is what takes longest, some ten microseconds for each."""
_MAX_BRACKETS = 20
_MAX_DEPTH = 40
"""Levels of the syntax tree; a chain of operators or filters has one for each."""
_MAX_NUMBER = 18
"""Characters of a number."""
_CACHED = 16

LOOP_VALUES = ("index", "index0", "first", "last", "length")
_EXPRESSIONS = (
    *(nodes.Const, nodes.TemplateData, nodes.Name, nodes.Concat, nodes.CondExpr, nodes.Compare, nodes.Operand),
    *(nodes.And, nodes.Or, nodes.Not, nodes.Neg, nodes.Pos, nodes.Add, nodes.Sub, nodes.Mul, nodes.Div),
    *(nodes.FloorDiv, nodes.Mod, nodes.Filter, nodes.Test, nodes.Keyword, nodes.Getitem, nodes.Slice),
    *(nodes.List, nodes.Tuple, nodes.Getattr),
)
_TAGS = frozenset(("if", "for", "set"))
_INNER_TAGS = frozenset(("elif", "else", *(f"end{tag}" for tag in _TAGS)))
_THERE_ARE_TAGS = "there are {% if %}, {% for %}, {% set %} and {% raw %}"
_TAG_HINTS = {
    **dict.fromkeys(("include", "import", "from", "extends", "block"), "write the text itself"),
    **dict.fromkeys(("macro", "call"), "write the text where it is needed, or keep it: {% set name = … %}"),
    "filter": "use the filter in a value: {{ sentence | upper }}",
    "with": "use {% set name = … %}",
}
_METHOD_FILTERS = {"strip": "trim", **{name: name for name in FILTERS}}
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_NO_COLUMN = frozenset(("whitespace", "data"))
_END_OF = re.compile(r"(?:token )?'end of (print statement|statement block)'")
_OFFSET = re.compile(r" at \d+$")


class _Place(int):
    """A line number that remembers its column; Jinja2 hands line numbers on from the token to the syntax tree."""

    column: int

    def __new__(cls, line: int, column: int) -> _Place:
        place = super().__new__(cls, line)
        place.column = column
        return place


def problem(
    message: str, at: int, hint: str, *, shift: int = 0, kind: type[TemplateError] = TemplateError
) -> TemplateError:
    """The error for what stands ``at`` a place (a node's ``lineno``), ``shift`` columns to the right of it."""
    line, column = int(at), getattr(at, "column", 0)
    if not line:
        return kind(message, hint=hint)
    column = column + shift if column else 1
    return kind(f"line {line}, column {column}: {message}", line=line, column=column, hint=hint)


@dataclass(slots=True)
class TokenBudget:
    """Number of tokens that may still be read, in one text or in several tries to make sense of it."""

    left: int = MAX_TOKENS


@dataclass(frozen=True, slots=True)
class ParsedTemplate:
    """A template's syntax tree, and the names that it uses anywhere, on branches that are not taken too."""

    body: list[nodes.Node]
    names: frozenset[str]


@lru_cache(_CACHED)
def parse(source: str) -> ParsedTemplate:
    """The template; raises ``TemplateError`` for the first thing in it that cannot be."""
    return parse_within(source, TokenBudget())


def parse_within(source: str, budget: TokenBudget, *, names_matter: bool = True) -> ParsedTemplate:
    """Parse within what is left of the budget; without ``names_matter`` unknown names are no errors."""
    if len(source) > MAX_TEMPLATE:
        raise TemplateError("the template is too long", hint=f"it may have {MAX_TEMPLATE} characters: shorten it")
    source = normalise_lines(source)
    parser = _Parser(_ENVIRONMENT, "")
    tokens = _placed(source, budget)
    checker = _Checker(names_matter=names_matter)
    try:
        parser.stream = TokenStream(_ENVIRONMENT.lexer.wrap(tokens), None, None)
        body = parser.parse().body
        checker.block(body, set(NAMES), 0)
    except TemplateSyntaxError as error:
        raise _syntax_problem(error) from None
    except RecursionError:  # chains that no bracket shows, such as 500 times "not"
        raise TemplateError("the template is nested too deeply", hint="make it simpler") from None
    if checker.problems:
        raise min(checker.problems, key=lambda error: (error.line, error.column))
    return ParsedTemplate(body, frozenset(checker.names))


def normalise_lines(source: str) -> str:
    """The text as Jinja2's lexer sees it: line feeds only, and not one at the end."""
    lines = newline_re.split(source)[::2]
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


_ENVIRONMENT = Environment()


class _Parser(Parser):
    """Jinja2's parser without the tags that a prompt cannot have."""

    def __init__(self, environment: Environment, source: str) -> None:
        super().__init__(environment, source)
        self._open: list[tuple[str, int]] = []

    def parse_statement(self) -> nodes.Node | list[nodes.Node]:
        tag = self.stream.current
        if tag.value in _INNER_TAGS:
            hint = f"write {{% end{self._open[-1][0]} %}} first" if self._open else "remove it"
            raise problem(f"{tag.value!r} belongs to no open block", tag.lineno, hint)
        if tag.type == "name" and tag.value not in _TAGS:
            hint = _TAG_HINTS.get(tag.value, _THERE_ARE_TAGS)
            raise problem(f"a prompt has no tag {tag.value!r}", tag.lineno, hint)
        self._open.append((tag.value, tag.lineno))
        statement = super().parse_statement()
        self._open.pop()
        return statement

    def fail_eof(self, end_tokens: tuple[str, ...] | None = None, lineno: int | None = None) -> NoReturn:
        kind, at = self._open[-1]
        raise problem(f"the block {kind!r} is never closed", at, f"write {{% end{kind} %}} where it ends")


class _Checker:
    """Collects what a template may not have, and the names that it uses; Jinja2's scopes apply.

    A name is known where it certainly has been set: inside its loop, or after all branches of an ``if``.
    """

    def __init__(self, *, names_matter: bool) -> None:
        self.problems: list[TemplateError] = []
        self.names: set[str] = set()
        self._names_matter = names_matter

    def block(self, body: Sequence[nodes.Node], known: set[str], depth: int) -> None:
        for node in body:
            match node:
                case nodes.Output():
                    self._all(node.nodes, known, depth)
                case nodes.If():
                    self._if(node, known, depth)
                case nodes.For():
                    self._for(node, known, depth)
                case nodes.Assign(target=nodes.Name(name=name)) if name != "loop":
                    self._expression(node.node, known, depth + 1)
                    known.add(name)
                case nodes.Assign() | nodes.AssignBlock():
                    self._refuse("one name can be set, not loop, to a value", node, "write {% set name = … %}")
                case _:
                    self._refuse("this cannot be in a prompt", node, _THERE_ARE_TAGS)

    def _if(self, node: nodes.If, known: set[str], depth: int) -> None:
        if self._is_too_deep(node, depth):
            return
        after = []
        for branch in (node, *node.elif_):
            self._expression(branch.test, known, depth + 1)
            after.append(set(known))
            self.block(branch.body, after[-1], depth + 1)
        after.append(set(known))
        self.block(node.else_, after[-1], depth + 1)
        known |= set.intersection(*after)

    def _for(self, node: nodes.For, known: set[str], depth: int) -> None:
        if self._is_too_deep(node, depth):
            return
        if not isinstance(node.target, nodes.Name) or node.target.name == "loop" or node.recursive:
            self._refuse("a loop has one name, not loop, and is not recursive", node, "write {% for name in … %}")
            return
        self._expression(node.iter, known, depth + 1)
        inside = {*known, node.target.name}
        if node.test is not None:
            self._expression(node.test, inside, depth + 1)
        self.block(node.body, inside | {"loop"}, depth + 1)
        self.block(node.else_, set(known), depth + 1)

    def _all(self, given: Sequence[nodes.Node], known: set[str], depth: int) -> None:
        for node in given:
            self._expression(node, known, depth + 1)

    def _expression(self, node: nodes.Node, known: set[str], depth: int) -> None:
        if self._is_too_deep(node, depth):
            return
        match node:
            case nodes.Name(name=name):
                self._name(node, name, known)
                return
            case nodes.Getattr(node=nodes.Name(name="loop")) if "loop" in known:
                if node.attr not in LOOP_VALUES:
                    there_are = ", ".join(f"loop.{name}" for name in LOOP_VALUES)
                    self._refuse(f"no value 'loop.{node.attr}'", node, f"there are {there_are}", shift=1)
                return
            case nodes.Getattr(attr=name) | nodes.Getitem(arg=nodes.Const(value=str() as name)):
                self._refuse(f"a text has no attribute {name!r}", node, _texts_hint(name), shift=1)
            case nodes.Call(node=nodes.Getattr(attr=name)):
                self._refuse(f"a prompt cannot call {name!r}", node.node, _texts_hint(name), shift=1)
            case nodes.Call():
                self._refuse("a prompt cannot call anything", node, "use a filter: {{ sentence | upper }}")
            case nodes.Filter() if node.name not in FILTERS:
                self._refuse(f'no filter "{node.name}"', node, f"there are {', '.join(sorted(FILTERS))}")
            case nodes.Test() if node.name not in TESTS:
                self._refuse(f'no test "{node.name}"', node, f"there are {', '.join(filter(str.isalpha, TESTS))}")
            case nodes.Filter() | nodes.Test() if node.dyn_args or node.dyn_kwargs:
                self._refuse("arguments are written one by one", node, "leave the star out")
            case nodes.Pow():
                self._refuse("a prompt has no powers", node, "write the number itself")
            case _ if not isinstance(node, _EXPRESSIONS):
                self._refuse("this cannot be in a prompt", node, "use texts, numbers, [lists] and filters")
        self._all(list(node.iter_child_nodes()), known, depth)

    def _name(self, node: nodes.Node, name: str, known: set[str]) -> None:
        if name == "loop" and "loop" in known:
            self._refuse("loop is no value itself", node, "write loop.index, loop.first or loop.last")
        elif name in known:
            self.names.add(name)
        elif self._names_matter:
            self._refuse(f'no value "{name}"', node, f"there are {', '.join(NAMES)}")

    def _is_too_deep(self, node: nodes.Node, depth: int) -> bool:
        if depth <= _MAX_DEPTH:
            return False
        self._refuse("the template is nested too deeply", node, "make it simpler")
        return True

    def _refuse(self, message: str, node: nodes.Node, hint: str, *, shift: int = 0) -> None:
        self.problems.append(problem(message, node.lineno, hint, shift=shift))


def _texts_hint(name: str) -> str:
    if name in _METHOD_FILTERS:
        return f"write it as a filter: {{{{ … | {_METHOD_FILTERS[name]} }}}}"
    return f"the values {', '.join(NAMES)} are texts; filters change them"


def _placed(source: str, budget: TokenBudget) -> Iterator[tuple[int, str, str]]:
    """The lexer's tokens with columns; what the lexer leaves out between two of them is white space.

    Raises ``TemplateError`` where they become too many, too deeply nested or too large.
    """
    position = line_start = brackets = 0
    opened: int | None = None
    try:
        for line, kind, value in _ENVIRONMENT.lexer.tokeniter(source, None):
            if not source.startswith(value, position):
                skipped = source.find(value, position)
                position = position if skipped < 0 or source[position:skipped].strip() else skipped
                line_start = source.rfind("\n", 0, position) + 1
            place = line if kind in _NO_COLUMN else _Place(line, position - line_start + 1)
            opened = place if kind in ("comment_begin", "raw_begin") else None
            brackets += (value in _OPENING) - (value in _CLOSING) if kind == "operator" else 0
            budget.left -= kind not in _NO_COLUMN
            if brackets > _MAX_BRACKETS:
                raise problem("the template is nested too deeply", place, "make it simpler")
            if budget.left < 0:
                raise problem("the template has too many tags", place, "make it simpler")
            if kind in ("integer", "float") and len(value) > _MAX_NUMBER:
                raise problem("the number is too large", place, "make it smaller")
            yield place, kind, value
            position += len(value)
            if "\n" in value:
                line_start = source.rfind("\n", 0, position) + 1
    except TemplateSyntaxError as error:
        error.lineno = opened or _Place(error.lineno, position - line_start + 1)
        raise


def _syntax_problem(error: TemplateSyntaxError) -> TemplateError:
    message = _OFFSET.sub("", error.message or "this is no template")
    message = _END_OF.sub(lambda end: "'}}'" if end.group(1) == "print statement" else "'%}'", message)
    return problem(message[:1].lower() + message[1:].rstrip("."), error.lineno, "braces are literal as {{ '{{' }}")
