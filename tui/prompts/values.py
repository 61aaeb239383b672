"""The values that a prompt template can use, by name; importing this costs nothing, unlike Jinja2."""

from __future__ import annotations

from dataclasses import dataclass, fields

MAX_TEMPLATE = 64 * 1024
"""Maximum characters of a template."""


@dataclass(frozen=True, slots=True)
class PromptValues:
    """The values of a template; ``language`` is a name ("German"), "" where a value is not known.

    ``explain_in`` is the name of the language that the profile wants answers in, ``level`` its level ("B1") in the
    sentence's language. ``dictionary`` is what dictionaries say of the focus word, a numbered line for each entry.
    """

    sentence: str
    focus: str = ""
    context: str = ""
    language: str = ""
    source: str = ""
    explain_in: str = "English"
    level: str = ""
    dictionary: str = ""

    def as_known(self) -> PromptValues:
        """The values by which a kept answer is known: without dictionaries, and without settings of the profile."""
        return PromptValues(self.sentence, self.focus, self.context, self.language, self.source)


NAMES = tuple(field.name for field in fields(PromptValues))
