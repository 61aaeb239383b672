"""Separable verbs of German and Dutch: in a main clause the prefix stands apart, at the end ("fährt … ab")."""

from __future__ import annotations

import re

from tui.language.focus import focus_spans
from tui.language.tags import base_language
from tui.language.words import fold

_PREFIXES = {
    "de": "ab an auf aus auseinander bei bereit bevor da dabei dafür dagegen daher dahin dar davon dazu durch ein"
    " einher empor entgegen entlang fehl fern fest fort frei gegenüber gerade gleich her herab heran herauf"
    " heraus herbei herein herüber herum herunter hervor hier hin hinab hinauf hinaus hinein hinter hinüber"
    " hinunter hinweg hinzu hoch los mit nach nebenher nieder preis statt teil über überein um umher unter voll"
    " vor voran voraus vorbei vorüber vorwärts weg weiter wieder zu zurecht zurück zusammen",
    "nl": "aan achter af bij binnen boven buiten door heen in langs los mee na neer om onder op over rond samen tegen"
    " terug thuis toe uit vast voor voorbij vooruit weg",
}
"""Language → prefixes of verbs that stand apart from them, at the end of a main clause."""
_JOINING = {
    "de": "und oder aber sondern sowie als wie denn bis dass weil wenn obwohl damit ob zu um",
    "nl": "en of maar dan als want dat omdat toen terwijl",
}
"""Language → words that begin the next clause or part of one without a sign before them."""
_CLAUSE_END = re.compile(r"\s*(?:\Z|[,.;:!?…)\]»“”\"–—\n]|--)")
_NEXT_WORD = re.compile(r"\s*(\w+)")
_WIDEST_GAP = 200
"""Characters behind the verb in which its prefix is looked for."""


def separable_prefixes(language: str | None) -> list[str]:
    """The prefixes of the verbs of a language that stand apart from them."""
    return _PREFIXES.get(base_language(language), "").split()


def ends_clause(sentence: str, end: int, language: str | None) -> bool:
    """Whether a clause ends at an offset: there is a sign, nothing, or a word that begins the next one."""
    if _CLAUSE_END.match(sentence, end):
        return True
    word = _NEXT_WORD.match(sentence, end)
    return word is not None and fold(word[1], language) in _JOINING.get(base_language(language), "").split()


def verb_spans(sentence: str, surface: str, lemma: str, language: str | None) -> tuple[tuple[int, int], ...]:
    """The places of a focus word as ``focus_spans`` finds them, and that of the prefix which a separable verb has left.

    That is a prefix of the surface ("fährt … ab") or of the lemma, where it ends a clause behind the verb: elsewhere it
    may be a preposition.
    """
    verb, _, behind = (part.strip() for part in surface.partition("…"))
    begins = behind or fold(lemma, language)
    prefix = max((each for each in separable_prefixes(language) if begins.startswith(each)), key=len, default="")
    spans = focus_spans(sentence, verb) if prefix and not fold(verb, language).startswith(prefix) else ()
    if spans and behind in ("", prefix):
        first = spans[-1][1]
        for found in re.compile(rf"\b{re.escape(prefix)}\b").finditer(sentence, first, first + _WIDEST_GAP):
            if ends_clause(sentence, found.end(), language):
                return (*spans, found.span())
    return focus_spans(sentence, surface)
