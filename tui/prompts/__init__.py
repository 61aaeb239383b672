"""The values that a prompt template can use, by name; importing this costs nothing, unlike Jinja2."""

from __future__ import annotations

import re
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

# System messages: what of the profile's settings is filled into them.
#
# A system message is no template. It is what the model obeys, so nothing of a film or a book may come into it, and
# whatever people wrote there before (braces of JSON among it) stays as it is. Only ``{{ explain_in }}`` and ``{{ level
# }}``, which are the learner's own settings, are replaced.

_SETTING = re.compile(r"\{\{ *(explain_in|level) *\}\}")


def find_settings(sys_msg: str) -> frozenset[str]:
    """Names of the settings that stand in it."""
    return frozenset(_SETTING.findall(sys_msg))


def fill_settings(sys_msg: str, values: PromptValues) -> str:
    """The message with the settings in it."""
    return _SETTING.sub(lambda name: str(getattr(values, name.group(1))), sys_msg)
