"""The card of a clip as text: the two sides that Anki shows, made from the note type's own templates and fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tui.deck.markup import clean
from tui.deck.note import tags, texts
from tui.deck.note_type import BACK, FRONT
from tui.language.focus import focus_spans
from tui.records.clips import NewClip

RULE = "answer"
"""Role of the part that divides the answer from what is asked; it has no text."""
_TAG = re.compile(r"\{\{([#^/]?)(\w+)\}\}")
_PART = re.compile(r'<hr id="(?P<rule>\w+)">|<div class="(?P<role>\w+)" dir="auto">(?P<inside>.*?)</div>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class CardPart:
    """One block of a side: ``role`` is its class in the template (``sentence``, ``meaning`` …) or ``RULE``.

    ``text`` is plain, but for an ``explanation``, which is Markdown; ``bold`` are the code points that stand out.
    """

    role: str
    text: str = ""
    bold: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """A card; ``back`` begins with what ``front`` shows, as in the template; the tags are the note's, on no side."""

    front: tuple[CardPart, ...]
    back: tuple[CardPart, ...]
    tags: tuple[str, ...] = ()


def card_of(clip: NewClip) -> Card:
    """The card that an export makes of the clip."""
    fields = texts(clip)
    bold = focus_spans(fields.get("Sentence", ""), clean(clip.focus.surface)) if clip.focus is not None else ()
    front = tuple(_parts(FRONT, fields, bold))
    back = tuple(_parts(BACK.replace("{{FrontSide}}", FRONT), fields, bold))
    return Card(front, back, tuple(tags(clip)))


def _parts(template: str, fields: Mapping[str, str], bold: tuple[tuple[int, int], ...]) -> Iterator[CardPart]:
    for part in _PART.finditer(_with_sections(template, fields)):
        if part["rule"]:
            yield CardPart(part["rule"])
            continue
        inside = part["inside"]
        text = _TAG.sub(lambda tag: fields.get(tag[2], ""), inside)
        yield CardPart(part["role"], text, bold if inside == "{{Sentence}}" else ())


def _with_sections(template: str, fields: Mapping[str, str]) -> str:
    """The template without the sections that are not shown: ``{{#X}}`` wants a text in the field, ``{{^X}}`` none."""
    shown, kept, at = [True], [], 0
    for tag in _TAG.finditer(template):
        if not tag[1]:
            continue
        if shown[-1]:
            kept.append(template[at : tag.start()])
        at = tag.end()
        if tag[1] == "/":
            shown.pop()
        else:
            shown.append(shown[-1] and (tag[2] in fields) is (tag[1] == "#"))
    return "".join([*kept, template[at:]])
