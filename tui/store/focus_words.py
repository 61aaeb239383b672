"""Focus words of clips and answers, as the texts that they are kept as."""

import json
from dataclasses import fields

from tui.errors import damaged
from tui.records.clips import FocusWord
from tui.store.rows import to_text

_FIELDS = tuple(each.name for each in fields(FocusWord))


def focus_to_text(focus: FocusWord | None) -> str | None:
    return None if focus is None else to_text({name: getattr(focus, name) for name in _FIELDS})


def focus_from_text(text: str | None) -> FocusWord | None:
    """Read a focus word; fields that this version does not know are passed over."""
    if text is None:
        return None
    try:
        known = {name: value for name, value in json.loads(text).items() if name in _FIELDS}
        return FocusWord(**{**known, "meanings": tuple(known.get("meanings", ()))})
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise damaged("a word in the library", error) from error
