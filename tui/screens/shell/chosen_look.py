"""Look that was chosen in the palette: theme and word tints, kept in a file of this machine's data directory.

``config.toml`` belongs to whoever wrote it and is never written. A choice goes before what stands there until that is
changed: ``look.json`` has both, ``{"theme": {"chosen": "nord", "configured": "lode-light"}}``.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args

from tui import bounds
from tui.config import WORD_TINTS, Settings
from tui.system import regular_file
from tui.system.temporary import replace_text

LookName = Literal["theme", "word_tints"]
_MAX_BYTES = bounds.CHOSEN_LOOK.bytes_in


def with_chosen_look(settings: Settings) -> Settings:
    """The settings with the look that was chosen since; a file that can't be read or says something else is ignored."""
    kept = _read(_path(settings))
    chosen = {
        name: choice["chosen"]
        for name in get_args(LookName)
        if isinstance(choice := kept.get(name), dict)
        and isinstance(choice.get("chosen"), str)
        and choice.get("configured") == getattr(settings, name)
        and (name != "word_tints" or choice["chosen"] in WORD_TINTS)
    }
    return replace(settings, **chosen)


def keep_look(settings: Settings, name: LookName, chosen: str) -> None:
    """Keep a choice for the next start; ``settings`` are the configured ones. Raises ``OSError``."""
    path = _path(settings)
    kept = _read(path) | {name: {"chosen": chosen, "configured": getattr(settings, name)}}
    replace_text(path, json.dumps(kept) + "\n")


def _path(settings: Settings) -> Path:
    return settings.home / "look.json"


def _read(path: Path) -> dict[str, Any]:
    try:
        kept = json.loads(regular_file.read(path, _MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return kept if isinstance(kept, dict) else {}
