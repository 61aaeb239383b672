"""Fields of a dictionary's entries as they are kept, cleaned and bounded, and the languages that they tell."""

import re
from collections.abc import Iterable
from functools import cache

from tui.language.detection import guess_language
from tui.language.tags import find_tag_of_name, is_known, normalise
from tui.language.word_lists import read_lists
from tui.records.dictionaries import Example
from tui.text.sanitize import laid_out, one_line

MAX_TERM_LENGTH = 300
"""Maximum characters of a term, form or reading; whole sentences are terms in some."""
MAX_TEXT_LENGTH = 20_000
"""Maximum characters of a gloss or an example, those after are cut off."""
MAX_LABEL_LENGTH = 200
"""Maximum characters of a tag and of what a dictionary says of itself in one line; longer ones are cut off."""
MAX_NOTE_LENGTH = 4_000
"""Maximum characters of a description or an attribution."""
MAX_SENSES = 300
MAX_EXAMPLES = 30
MAX_FORMS = 300
"""Maximum forms of a term, and of the terms that it points to: a verb of Georgian or Arabic has 200."""
MAX_LABELS = 40


@cache
def list_labels(*sections: str) -> dict[str, str]:
    """List the labels of the short names that dictionaries have (``adj``: adjective), by section of ``labels.toml``."""
    return {short: label for section in sections for short, label in read_lists("labels", __file__)[section].items()}


def clean_text(text: str, longest: int = MAX_TEXT_LENGTH) -> str:
    """A text of a dictionary, sanitised and bounded; its line ends stay."""
    text = text[:longest].strip()
    return text if text.isprintable() else laid_out(text).strip()


def clean_line(text: str, longest: int = MAX_LABEL_LENGTH) -> str:
    """A term, tag or name, sanitised, bounded and in one line."""
    if len(text) > longest:
        text = text[:longest]
    return text.strip() if text.isprintable() else one_line(text)


def clean_term(text: str) -> str:
    """A term, form or reading, in one line; "" for one that is longer than any, since half of it would be wrong."""
    return clean_line(text, MAX_TERM_LENGTH) if len(text) <= MAX_TERM_LENGTH else ""


def drop_repetitions(texts: Iterable[str], most: int = MAX_LABELS, *, without: str = "") -> tuple[str, ...]:
    """The texts without repetitions, in their order; no empty ones, and none that is ``without``."""
    found = dict.fromkeys(texts)
    found.pop("", None)
    found.pop(without, None)
    return tuple(found)[:most]


def make_example(text: str, translation: str = "") -> Example | None:
    """An example of these texts, None where the first is blank."""
    text = clean_text(text)
    return Example(text, clean_text(translation)) if text else None


_CODES = re.compile(r"(?<![^\W_])(?=([a-z]{2,3})-([a-z]{2,3})(?![^\W_]))")
_FROM_TO = re.compile(r"([^\W\d_]+)\s?[-\u2013\u2192]\s?([^\W\d_]+)")


def find_tag(code: str) -> str | None:
    """The tag of a code that a file gives, None for none and for "mul", "und" and what else is no language."""
    tag = normalise(code) if code else None
    return None if tag in ("mul", "und", "zxx") else tag


def find_pair_in_title(title: str) -> tuple[str, str] | None:
    """The languages that a title names, "Spanish-English FreeDict Dictionary" say; None where it names no two."""
    named = ((find_tag_of_name(match[1]), find_tag_of_name(match[2])) for match in _FROM_TO.finditer(title[:200]))
    return next(((source, target) for source, target in named if source and target), None)


def find_pair_in_name(name: str) -> tuple[str, str] | None:
    """The languages whose codes stand in a name: "freedict-deu-eng", "wty-de-en"; None where no two do."""
    coded = ((find_tag(match[1]), find_tag(match[2])) for match in _CODES.finditer(name[:200].lower()))
    known = ((source, target) for source, target in coded if source and target)
    return next((pair for pair in known if all(map(is_known, pair))), None)


def guess_language_of(texts: Iterable[str]) -> str | None:
    """Guess the language of terms or explanations; None where it is not clear."""
    return guess_language("\n".join(texts))


_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a whole character
    rb"|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    rb"|\\."
)


def drop_half_characters(data: bytes) -> bytes:
    """The JSON with U+FFFD in the place of half a character, so that its row is not lost for it."""
    return _ESCAPE.sub(lambda match: rb"\ufffd" if match["half"] else match[0], data)
