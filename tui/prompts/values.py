"""The values that a prompt template can use, by name; importing this costs nothing, unlike Jinja2."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class PromptValues:
    """The five names of a template; ``language`` is a name ("German"), "" where a value is not known."""

    sentence: str
    focus: str = ""
    context: str = ""
    language: str = ""
    source: str = ""


NAMES = tuple(field.name for field in fields(PromptValues))
