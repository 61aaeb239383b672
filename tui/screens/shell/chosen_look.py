"""Look that was chosen in the app: theme, word tints, width and spacing of texts, lists; in a file of this machine's
data.

``config.toml`` belongs to whoever wrote it and is never written. A choice goes before what stands there until that is
changed: ``look.json`` has both, ``{"theme": {"chosen": "nord", "configured": "lode-light"}}``.
Lists stand in no ``config.toml``.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args

from tui import bounds
from tui.config import MAX_LINE_SPACING, MIN_TEXT_WIDTH, WORD_TINTS, Settings
from tui.system import regular_file
from tui.system.temporary import replace_text

LookName = Literal["theme", "word_tints", "text_width", "line_spacing"]
_MAX_BYTES = bounds.CHOSEN_LOOK.bytes_in
_ALLOWED: Mapping[LookName, Any] = {
    "theme": lambda chosen: isinstance(chosen, str),
    "word_tints": lambda chosen: chosen in WORD_TINTS,
    "text_width": lambda chosen: type(chosen) is int and (chosen == 0 or chosen >= MIN_TEXT_WIDTH),
    "line_spacing": lambda chosen: type(chosen) is int and 0 <= chosen <= MAX_LINE_SPACING,
}


def with_chosen_look(settings: Settings) -> Settings:
    """The settings with the look that was chosen since; a file that can't be read or says something else is ignored."""
    kept = _read(_path(settings))
    chosen = {
        name: choice["chosen"]
        for name in get_args(LookName)
        if isinstance(choice := kept.get(name), dict)
        and choice.get("configured") == getattr(settings, name)
        and _is_allowed(name, choice.get("chosen"))
    }
    return replace(settings, **chosen)


def _is_allowed(name: LookName, chosen: object) -> bool:
    return isinstance(chosen, (str, int)) and bool(_ALLOWED[name](chosen))


def keep_look(settings: Settings, name: LookName, chosen: str | int) -> None:
    """Keep a choice for the next start; ``settings`` are the configured ones. Raises ``OSError``."""
    path = _path(settings)
    kept = _read(path) | {name: {"chosen": chosen, "configured": getattr(settings, name)}}
    replace_text(path, json.dumps(kept) + "\n")


def read_lists(settings: Settings) -> dict[str, Any]:
    """Looks of the lists, by their names."""
    kept = _read(_path(settings)).get("lists")
    return kept if isinstance(kept, dict) else {}


def keep_list(settings: Settings, name: str, look: Mapping[str, object]) -> None:
    """Keep the look of a list for the next start. Raises ``OSError``."""
    path = _path(settings)
    replace_text(path, json.dumps(_read(path) | {"lists": read_lists(settings) | {name: look}}) + "\n")


def _path(settings: Settings) -> Path:
    return settings.home / "look.json"


def _read(path: Path) -> dict[str, Any]:
    try:
        kept = json.loads(regular_file.read(path, _MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return kept if isinstance(kept, dict) else {}
