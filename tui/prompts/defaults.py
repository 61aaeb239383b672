"""Built-in prompts and system messages, for those who wrote no template: a file each, and one for what two of them say.

Sentences come from files of strangers, so they stand between tags, and the system messages say that what stands there
is material and never an instruction.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from tui.prompts import PromptValues, fill_settings
from tui.records.answers import NewTemplate

MODEL = "lexicon:concordance"
"""The built-in lexicon: no network, no key, always there."""


def _read(name: str, **parts: str) -> str:
    """Read the file of a text; the other texts that stand in it are named in brackets there."""
    text = Path(__file__).with_name(f"{name}.md").read_text("utf-8").removesuffix("\n")
    for part, inside in parts.items():
        text = text.replace(f"[{part}]", inside)
    return text


_MANNER, _SENTENCE, _DICTIONARY = map(_read, ("manner", "sentence", "dictionary"))
BREAKDOWN_SYS_MSG = _read("breakdown_system", manner=_MANNER)
EXPLANATION_SYS_MSG = _read("explanation_system", manner=_MANNER)
CORRECTION_SYS_MSG, TRANSLATION_SYS_MSG = map(_read, ("correction_system", "translation_system"))
BREAKDOWN_PROMPT = _read("breakdown", sentence=_SENTENCE, dictionary=_DICTIONARY) + "\n"
EXPLANATION_PROMPT = _read("explanation", sentence=_SENTENCE) + "\n"
_BEFORE_DICTIONARIES = BREAKDOWN_PROMPT.replace(f"{_DICTIONARY}\n", "")

_LEVEL = "{% if level %} at level {{ level }}{% endif %}"
_TODAY = {
    **{fill_settings(text, PromptValues("")): text for text in (BREAKDOWN_SYS_MSG, EXPLANATION_SYS_MSG)},
    _BEFORE_DICTIONARIES: BREAKDOWN_PROMPT,
    _BEFORE_DICTIONARIES.replace(_LEVEL, ""): BREAKDOWN_PROMPT,
    EXPLANATION_PROMPT.replace(_LEVEL, ""): EXPLANATION_PROMPT,
}
"""Built-in texts as they were when all answers were in English, or knew no dictionary → as they are today."""


T = TypeVar("T", bound=NewTemplate)


def bring_up_to_date(template: T) -> T:
    """The template with the built-in texts of today where it has those of an older Lode, word for word.

    Whoever chose nothing but a model saved those texts with it, and would get English for ever. What anybody has
    changed is theirs, and stays.
    """
    prompt, sys_msg = (_TODAY.get(text, text) for text in (template.prompt, template.sys_msg))
    return replace(template, prompt=prompt, sys_msg=sys_msg)
