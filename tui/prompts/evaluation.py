"""Evaluate a parsed prompt template: walks its syntax tree and counts what that costs, over the whole rendering.

Every node, every time round a loop and every 64 characters that a filter goes through is a step. Each text is measured
before or as soon as it is made. So no template takes more than milliseconds, and there is nothing to interrupt.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from jinja2 import nodes

from tui.errors import TemplateError
from tui.prompts.template_filters import FILTERS, MAX_TEXT, TESTS, Value, as_text, cost, is_too_large, search_cost
from tui.prompts.template_language import problem

MAX_STEPS = 10_000
MAX_OUTPUT = 64 * 1024
"""Characters of a rendered prompt: some sixteen thousand tokens."""


class OutOfBounds(TemplateError):
    """A rendering that costs too much or comes out too long, whatever its single lines do."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """An unknown value that stands in the result as ``{{ name }}``, whatever is done to it."""

    name: str

    def __str__(self) -> str:
        return f"{{{{ {self.name} }}}}"

    def __bool__(self) -> bool:
        return False


class Evaluation:
    """One rendering. ``pieces`` is what came of it so far; ``steps_left`` what it may still cost."""

    def __init__(self, values: Mapping[str, str], steps: int = MAX_STEPS) -> None:
        self.pieces: list[str] = []
        self.steps_left = steps
        self._length = 0
        self._scopes: list[dict[str, Any]] = [dict(values)]

    def run(self, body: Sequence[nodes.Node]) -> None:
        """Raises ``TemplateError`` for what cannot be worked out, and ``OutOfBounds``."""
        for node in body:
            self._spend(1, node)
            match node:
                case nodes.Output():
                    for part in node.nodes:
                        self._print(part)
                case nodes.If():
                    self._if(node)
                case nodes.For():
                    self._for(node)
                case nodes.Assign(target=nodes.Name(name=name)):
                    self._scopes[-1][name] = self.value(node.node)

    def _print(self, node: nodes.Node) -> None:
        text = node.data if isinstance(node, nodes.TemplateData) else self._convert(self.value(node), as_text, node)
        self.pieces.append(text)
        self._length += len(text)
        if self._length > MAX_OUTPUT:
            hint = f"it may have {MAX_OUTPUT} characters"
            raise problem("the prompt comes out too long", node.lineno, hint, kind=OutOfBounds)

    def _if(self, node: nodes.If) -> None:
        for branch in (node, *node.elif_):
            if self.value(branch.test):
                self.run(branch.body)
                return
        self.run(node.else_)

    def _for(self, node: nodes.For) -> None:
        assert isinstance(node.target, nodes.Name)
        items = self.value(node.iter)
        if not isinstance(items, str):
            items = [] if isinstance(items, Unknown) else self._convert(items, list, node.iter)
        target = node.target.name
        if node.test is not None:
            items = [item for item in items if self._turn(node, {target: item}, lambda: self.value(node.test))]
        last = len(items) - 1
        for at, item in enumerate(items):
            # The names are those of ``template_language.LOOP_VALUES``.
            loop = {"index": at + 1, "index0": at, "first": at == 0, "last": at == last, "length": last + 1}
            self._turn(node, {target: item, "loop": loop}, lambda: self.run(node.body))
        if not items:
            self.run(node.else_)

    def _turn(self, node: nodes.Node, names: dict[str, Any], work: Callable[[], Any]) -> Any:
        self._spend(1, node)
        self._scopes.append(names)
        result = work()
        self._scopes.pop()
        return result

    def _spend(self, steps: int, node: nodes.Node) -> None:
        self.steps_left -= steps
        if self.steps_left < 0:
            hint = "loop over less, or not in a loop; or shorten the texts"
            raise problem(f"the template takes more than {MAX_STEPS} steps", node.lineno, hint, kind=OutOfBounds)

    def value(self, node: Any) -> Any:
        self._spend(1, node)
        try:
            return self._VALUES[type(node)](self, node)
        except _MISFITS as error:
            # The place of a comparison is where it ends.
            raise _misfit(error, node.expr if isinstance(node, nodes.Compare) else node) from None

    def _convert(self, value: Any, convert: Callable[[Any], Any], node: nodes.Node) -> Any:
        try:
            return convert(value)
        except _MISFITS as error:
            raise _misfit(error, node) from None

    def _kept(self, value: Any, node: nodes.Node) -> Any:
        """The value, unless it is larger than any may be."""
        if is_too_large(value):
            what = "the text is too long" if isinstance(value, str) else "the number is too large"
            raise problem(what, node.lineno, "make less of it")
        return value

    # One method for each kind of expression.

    def _name(self, node: nodes.Name) -> Any:
        for scope in reversed(self._scopes):
            if node.name in scope:
                return scope[node.name]
        return Unknown(node.name)

    def _list(self, node: nodes.List | nodes.Tuple) -> Any:
        items = [self.value(item) for item in node.items]
        if any(isinstance(item, list) for item in items):
            raise problem("a list cannot have a list in it", node.lineno, "write one list")
        return items

    def _concat(self, node: nodes.Concat) -> Any:
        return self._joined([as_text(self.value(part)) for part in node.nodes], node)

    def _joined(self, texts: list[str], node: nodes.Node) -> str:
        if sum(map(len, texts)) > MAX_TEXT:
            raise problem("the text is too long", node.lineno, "make less of it")
        text = "".join(texts)
        self._spend(cost(text), node)
        return text

    def _operator(self, node: nodes.BinExpr) -> Any:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node, nodes.Add) and isinstance(left, str) and isinstance(right, str):
            return self._joined([left, right], node)
        if not (isinstance(left, (int, float)) and isinstance(right, (int, float))):
            raise problem(f"{node.operator} is for numbers", node.lineno, "join texts with ~, and repeat none")
        return self._kept(_OPERATORS[node.operator](left, right), node)

    def _compare(self, node: nodes.Compare) -> Any:
        left = self.value(node.expr)
        for operand in node.ops:
            right = self.value(operand.expr)
            if operand.op in ("in", "notin"):
                self._spend(search_cost(right, left), node.expr)
            self._spend(cost(left) + cost(right), node.expr)
            if not _COMPARISONS[operand.op](left, right):
                return False
            left = right
        return True

    def _filter(self, node: nodes.Filter) -> Any:
        value = self.value(node.node)
        args, named = self._arguments(node)
        if isinstance(value, Unknown):
            return value
        known = FILTERS[node.name]
        value = as_text(value) if known.of_text else value
        self._spend(known.cost(value, [*args, *named.values()]), node)
        return self._kept(known.call(value, *args, **named), node)

    def _test(self, node: nodes.Test) -> Any:
        value = self.value(node.node)
        if node.name in ("defined", "undefined"):
            return isinstance(value, Unknown) == (node.name == "undefined")
        args, named = self._arguments(node)
        if args:
            self._spend(search_cost(args[0], value) + cost(args[0]), node)
        self._spend(cost(value), node)
        return bool(TESTS[node.name](value, *args, **named))

    def _arguments(self, node: nodes.Filter | nodes.Test) -> tuple[list[Value], dict[str, Value]]:
        return [self.value(arg) for arg in node.args], {str(arg.key): self.value(arg.value) for arg in node.kwargs}

    def _item(self, node: nodes.Getitem) -> Any:
        value = self.value(node.node)
        if isinstance(value, Unknown):
            return value
        if isinstance(node.arg, nodes.Slice):
            parts = (node.arg.start, node.arg.stop, node.arg.step)
            part = value[slice(*(None if each is None else self.value(each) for each in parts))]
            self._spend(cost(part), node)
            return part
        return value[self.value(node.arg)]

    _VALUES: ClassVar[Mapping[type[nodes.Node], Callable[[Evaluation, Any], Any]]] = {
        nodes.Const: lambda run, node: node.value,
        nodes.Name: _name, nodes.Concat: _concat, nodes.List: _list, nodes.Tuple: _list,
        nodes.CondExpr: lambda run, node: (
            run.value(node.expr1) if run.value(node.test) else "" if node.expr2 is None else run.value(node.expr2)
        ),
        nodes.And: lambda run, node: run.value(node.left) and run.value(node.right),
        nodes.Or: lambda run, node: run.value(node.left) or run.value(node.right),
        nodes.Not: lambda run, node: not run.value(node.node),
        nodes.Neg: lambda run, node: -run.value(node.node), nodes.Pos: lambda run, node: +run.value(node.node),
        nodes.Compare: _compare, nodes.Filter: _filter, nodes.Test: _test, nodes.Getitem: _item,
        nodes.Getattr: lambda run, node: run.value(node.node)[node.attr],
        **dict.fromkeys((nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod), _operator),
    }  # fmt: skip


_MISFITS = (TypeError, ValueError, ArithmeticError, LookupError, AssertionError)
"""Python's errors about values that do not fit."""


def _misfit(error: Exception, node: nodes.Node) -> TemplateError:
    said = str(error)[:200] or type(error).__name__
    return problem(f"this cannot be worked out: {said}", node.lineno, "change or remove what stands there")


_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "/": operator.truediv, "//": operator.floordiv, "%": operator.mod,
}  # fmt: skip
_COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq, "ne": operator.ne,
    "lt": operator.lt, "lteq": operator.le, "gt": operator.gt, "gteq": operator.ge,
    "in": lambda left, right: left in right, "notin": lambda left, right: left not in right,
}  # fmt: skip
