"""System messages: what of the profile's settings is filled into them.

A system message is no template. It is what the model obeys, so nothing of a film or a book may come into it, and
whatever people wrote there before (braces of JSON among it) stays as it is. Only ``{{ explain_in }}`` and
``{{ level }}``, which are the learner's own settings, are replaced.
"""

from __future__ import annotations

import re

from tui.prompts.values import PromptValues

_SETTING = re.compile(r"\{\{ *(explain_in|level) *\}\}")


def settings_in(sys_msg: str) -> frozenset[str]:
    """Names of the settings that stand in it."""
    return frozenset(_SETTING.findall(sys_msg))


def filled(sys_msg: str, values: PromptValues) -> str:
    """The message with the settings in it."""
    return _SETTING.sub(lambda name: str(getattr(values, name.group(1))), sys_msg)
