"""The card of a clip as text: the two sides that Anki shows, made from the note type's own templates and fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tui.deck.markup import clean, find_focus_in_readings
from tui.deck.note import find_marked_spans, make_tags, make_texts
from tui.deck.note_type import BACK, make_front
from tui.records.clips import NewClip
from tui.records.settings import CardOptions

RULE = "answer"
"""Role of the part that divides the answer from what is asked; it has no text."""
HINT = "hint"
"""Role of a part that is a hint: it says what a tap on it shows."""
_TAG = re.compile(r"\{\{([#^/]?)(?:(\w+):)?(\w+)\}\}")
_PART = re.compile(
    r'<hr id="(?P<rule>\w+)">|<div class="(?P<role>\w+)[ \w]*" dir="auto">(?P<inside>.*?)</div>', re.DOTALL
)
_HTML = re.compile("<[^>]*>")
_USUAL = CardOptions()
_HINTED = {"Translation": "Translation", "ExpressionReading": "Reading"}


@dataclass(frozen=True, slots=True)
class CardPart:
    """One block of a side: ``role`` is its class in the template (``sentence``, ``meaning`` …) or ``RULE``.

    ``text`` is plain, but for an ``explanation``, which is Markdown, and a sentence with
    readings has them in brackets; ``bold`` are the code points that stand out.
    """

    role: str
    text: str = ""
    bold: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """A card; ``back`` begins with the sentence, whatever the front asks with; the tags are the note's, on no side."""

    front: tuple[CardPart, ...]
    back: tuple[CardPart, ...]
    tags: tuple[str, ...] = ()


def make_card(clip: NewClip, options: CardOptions = _USUAL) -> Card:
    """The card that an export with these options makes of the clip."""
    fields = make_texts(clip)
    surface = clean(clip.focus.surface) if clip.focus is not None else ""
    bold = {
        "{{Sentence}}": find_marked_spans(clip),
        "{{furigana:SentenceFurigana}}": find_focus_in_readings(fields.get("SentenceFurigana", ""), surface),
    }
    asked, answered = (tuple(_parts(template, fields, bold)) for template in (make_front(options), BACK))
    return Card(asked, answered, tuple(make_tags(clip)))


def _parts(
    template: str, fields: Mapping[str, str], bold: Mapping[str, tuple[tuple[int, int], ...]]
) -> Iterator[CardPart]:
    for part in _PART.finditer(_with_sections(template, fields)):
        if part["rule"]:
            yield CardPart(part["rule"])
            continue
        inside = _HTML.sub("", part["inside"])
        text = _TAG.sub(lambda tag: _HINTED[tag[3]] if tag[2] == HINT else fields.get(tag[3], ""), inside)
        yield CardPart(part["role"], text, bold.get(inside, ()))


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
            shown.append(shown[-1] and (tag[3] in fields) is (tag[1] == "#"))
    return "".join([*kept, template[at:]])
