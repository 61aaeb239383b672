"""Edits of a clip: what people type into its fields, in the form or on a command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tui.errors import InvalidInput
from tui.records.clips import Clip, FocusWord, NewClip
from tui.records.media import Span
from tui.text.clip_fields import EDITED
from tui.text.sanitize import one_line


def span_of(clip: NewClip) -> Span | None:
    """The span of time in which a clip is spoken, None of one without times."""
    return None if clip.start_ms is None or clip.end_ms is None else Span(clip.start_ms, clip.end_ms)


def edit_clip(clip: Clip, typed: Mapping[str, str], span: Span | None = None) -> NewClip:
    """Clip with the typed texts, by the names of ``EDITED``, and with the times of ``span``; what is not there stays.

    Raises ``InvalidInput`` for meanings without a word.
    """
    changes: dict[str, Any] = {name: text.strip() for name, text in typed.items() if EDITED[name].read is None}
    if "tags" in typed:
        changes["tags"] = tuple(dict.fromkeys(typed["tags"].replace("#", " ").split()))
    if "focus" in typed or "meanings" in typed:
        changes["focus"] = _edited_focus(clip.focus, typed)
    if span is not None:
        changes |= {"start_ms": span.start_ms, "end_ms": span.end_ms}
    return replace(clip.contents(), **changes)


def _edited_focus(focus: FocusWord | None, typed: Mapping[str, str]) -> FocusWord | None:
    """Focus word with the typed meanings; another word loses what was known of the old one."""
    old = one_line(focus.surface) if focus is not None else ""
    surface = one_line(typed.get("focus", old))
    meanings = tuple(filter(None, (one_line(line) for line in typed.get("meanings", "").splitlines())))
    if not surface:
        if meanings:
            raise InvalidInput("these meanings have no word", hint="type the focus word, or take the meanings out")
        return None
    if focus is not None and surface == old:
        return replace(focus, meanings=meanings) if "meanings" in typed else focus
    return FocusWord(surface, meanings=meanings, language=focus.language if focus else None)
