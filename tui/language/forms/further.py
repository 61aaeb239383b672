"""Further dictionary forms to ask for, where a dictionary may have another one than the lemmatiser."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tui.language.forms.function_words import pronouns
from tui.language.forms.japanese_verbs import potential_base
from tui.language.forms.rules.turkish import infinitive
from tui.language.tags import base_language

_ARTICLE = "ال"
_VERBS = {
    "es": ((r"ad[oa]s?", ("ar",)), (r"id[oa]s?", ("er", "ir")), (r"[ao]", ("ar",)), (r"e", ("er", "ir"))),
    "fr": ((r"ée?s?", ("er",)), (r"ie?s?", ("ir",)), (r"ue?s?", ("re", "ir", "oir")), (r"es?", ("er",))),
}
"""Language → endings of participles and of the present that make nouns and adjectives too, with those of the verb."""


def further_lemmas(stems: Sequence[str], language: str | None) -> Iterator[str]:
    """Iterate over what else a word may stand under; ``stems`` are the word as it stands there, and its lemma.

    French and Spanish participles and forms of the present may be a verb's where the list has the noun (joue, reste).
    Turkish and Persian stems that are verbs too stand under their infinitives. Dictionaries of Arabic have some words
    with the article and some without. Japanese potentials stand under their verbs (泳げる: 泳ぐ).

    May load a dictionary: not on an event loop.
    """
    base = base_language(language)
    if stems and stems[0].lower() not in pronouns(language):
        for ending, instead in _VERBS.get(base, ()):
            if match := re.fullmatch(rf"(.{{2,}}?){ending}", stems[0]):
                yield from (match[1] + each for each in instead)
    for stem in stems:
        match base:
            case "tr" if not stem.endswith(("mak", "mek")):
                yield infinitive(stem)
            case "fa" if stem.endswith(("ت", "د")):
                yield f"{stem}ن"
            case "ja" if (base_verb := potential_base(stem)) is not None:
                yield base_verb
            case "ar":
                yield stem.removeprefix(_ARTICLE) if stem.startswith(_ARTICLE) else f"{_ARTICLE}{stem}"
