"""Definitions as FreeDict lays them out for dictd: headword, IPA and grammar in a line, then the meanings.

::

    Student /ʃtuːdˈɛnt/ (stud. /ʃtˈuːt/) <masc, n, sg>
     [school] university student <n>, undergraduate <n>
          "Student im ersten Jahr"  - first-year student
             Note: at a university
       Synonyms: {Studentin}, {Studierende}
     see: {Studenten}, {Werkstudent}

Made from the readings of FreeDict's tei2dict style sheet (freedict/tools, xsl/tei2c5.xsl) and of its German–English,
English–German and Spanish–English dictionaries. A meaning may be numbered; labels stand before it in brackets.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from tui.dictionaries import fields
from tui.records.dictionaries import DictionaryEntry, Sense

_HEADLINE = re.compile(
    r"(?P<term>.+?)(?: /(?P<ipa>[^<>{}/]{1,300})/)?(?P<variants>(?: \((?:[^<>]|<>){1,300}\))*)"
    r"(?: <(?P<grammar>[^<>]{1,80})>)?\Z"
)
_MAX_HEADLINE_LENGTH = 500
_MAX_GLOSSES = 200
_MAX_NAMED = 1_000
"""Maximum references of a definition that are looked at, before those are left out that repeat."""
_IPA = re.compile(r"/([^/]{1,200})/")
_VARIANT = re.compile(r"[(,] ?([^()/,<>]{1,100}?)(?: /|\)|,)")
"""An abbreviation, another spelling or a form behind the headword: "(stud. /ʃtˈuːt/)", "(went /wˈɛnt/ <>, …)"."""
_SWITCH = re.compile(r"\([a-z]{2,3}\)")
"""Mark of espeak, which made the IPA, where it goes over to another language and back: "(en)swˈɪmɪŋpˌuːl(de)"."""
_NUMBER = re.compile(r"[0-9]{1,3}\. ")
_LABEL = re.compile(r"\s*\[([^\[\]]{1,60})\]\s+")
_GRAMMAR_OF_GLOSS = re.compile(r" ?<[^<>]{0,60}>(?=(\S?))")
_GLUED = re.compile(r"(?<=[a-z)\]])(?=[A-Z][^\s,]{0,9},  /)")
_IPA_OF_GLOSS = re.compile(r",  /[^/]{1,100}/\s*")
"""Abbreviations stand right behind a gloss, each with its IPA: "seniorSen.,  /zˈeːn/ Snr,  /ˌɛsˌɛnˈɛɾ/ , elder"."""
_EXAMPLE = re.compile(r' {4,}"(?P<text>[^\n]{1,2000}?)"(?:\s+- (?P<translation>.*))?\Z')
_REFERENCE = re.compile(r" {1,4}(?P<kind>see|See also|Synonyms?|Antonyms?|Hypernyms?|Hyponyms?):\s(?P<terms>.*)", re.S)
_TERM = re.compile(r"\{([^{}]{1,300})\}")
_NOTE = re.compile(r" {4,}Note: (.*)")
_MARK = re.compile(r"<([a-z][a-z, ]{0,40})>")
_GENDERS = dict.fromkeys(("masc", "fem", "neut"), "noun")
"""Marks that only nouns have."""
_PLACEHOLDERS = {
    *("etw.", "jd.", "jdn.", "jdm.", "jds.", "jdn./etw.", "jdm./etw.", "etw./jdn.", "etw./jdm.", "sich"),
    *("sth.", "sb.", "sb.'s", "sb./sth.", "sth./sb."),
}
"""Words that stand for any other in the headwords of the Ding dictionaries: "jdn. von etw. befreien"."""
_GOVERNED = {
    *("als", "an", "auf", "aus", "bei", "durch", "für", "gegen", "hinter", "in", "mit", "nach", "neben"),
    *("über", "um", "unter", "von", "vor", "wegen", "zu", "zwischen"),
}
"""Prepositions of German that stand before such a word, and do not belong to the verb behind it."""


def is_freedict(text: str, words: Sequence[str]) -> bool:
    """Whether a definition begins with the headword that the index has for it, as FreeDict's do."""
    match = _match_headline(text.split("\n", 1)[0])
    return match is not None and _letters(match["term"]) in map(_letters, words)


def read_freedict(text: str, words: Sequence[str]) -> DictionaryEntry | None:
    """The entry of a definition; ``words`` are those that the index has for it. None where nothing is said."""
    headline, *lines = text.strip("\n").split("\n")
    term, grammar, ipa, variants = headline, list[str](), list[str](), list[str]()
    if match := _match_headline(headline):
        term = match["term"]
        grammar = [each.strip() for each in (match["grammar"] or "").split(",")]
        ipa = [match["ipa"] or "", *_IPA.findall(match["variants"])]
        variants = _VARIANT.findall(match["variants"])
    term = fields.clean_term(term)
    senses, related, notes = _meanings(lines)
    lemmas = related if not senses else []
    if not term or not (senses or lemmas):
        return None
    written = {_letters(each): each for each in variants}
    forms = [written.get(_letters(word), word) for word in words if _letters(word) != _letters(term)]
    spoken = (fields.clean_line(_SWITCH.sub("", each)) for each in ipa)
    parts, tags = fields.list_labels("any", "freedict"), fields.list_labels("freedict_tags")
    return DictionaryEntry(
        term=term,
        part_of_speech=fields.drop_repetitions(
            [parts[each] for each in grammar if each in parts] or _kinds_of_glosses(lines)
        ),
        senses=tuple(senses),
        forms=fields.drop_repetitions(
            (*map(fields.clean_term, forms), drop_placeholders(term)), fields.MAX_FORMS, without=term
        ),
        pronunciations=fields.drop_repetitions(f"/{each}/" for each in spoken if each),
        lemmas=fields.drop_repetitions(lemmas, fields.MAX_FORMS, without=term),
        related=fields.drop_repetitions(related if senses else (), without=term),
        tags=fields.drop_repetitions((*(tags[each] for each in grammar if each in tags), *notes)),
    )


def drop_placeholders(term: str) -> str:
    """The word that a headword is about without those that stand for others: "etw. abrunden" → "abrunden".

    "" where there are none, or where more than they and the prepositions before them is left in pieces.
    """
    words = term.split()
    if _PLACEHOLDERS.isdisjoint(words):
        return ""
    left = [word for word in words if word not in _PLACEHOLDERS]
    if len(left) > 1 and words[-1] == left[-1] and _GOVERNED.issuperset(left[:-1]):
        return left[-1]
    rest = " ".join(left)
    return rest if rest and rest in term else ""


def _match_headline(line: str) -> re.Match[str] | None:
    return _HEADLINE.match(line) if len(line) <= _MAX_HEADLINE_LENGTH else None


def _letters(text: str) -> str:
    """The letters and digits of a headword, by which dictd's index has it."""
    return "".join(filter(str.isalnum, text.casefold()))


def _meanings(lines: Sequence[str]) -> tuple[list[Sense], list[str], list[str]]:
    """The senses, the terms that are named beside them, and the notes on the headword, which stand behind these."""
    senses: list[Sense] = []
    related: list[str] = []
    notes: list[str] = []
    saw_reference = False
    for line in filter(str.strip, lines):
        if reference := _REFERENCE.match(line):
            saw_reference = True
            if not reference["kind"].startswith("Antonym"):  # synonyms stand before what is only to be compared
                found = islice(_TERM.finditer(reference["terms"]), max(_MAX_NAMED - len(related), 0))
                related += (fields.clean_term(term[1]) for term in found)
        elif note := _NOTE.match(line):
            text = fields.clean_line(note[1])
            if senses and not saw_reference:
                senses[-1] = replace(senses[-1], tags=fields.drop_repetitions((*senses[-1].tags, text)))
            elif len(notes) < fields.MAX_LABELS:
                notes.append(text)
        elif example := _EXAMPLE.match(line):
            made = fields.make_example(example["text"], example["translation"] or "")
            if made and senses and len(senses[-1].examples) < fields.MAX_EXAMPLES:
                senses[-1] = replace(senses[-1], examples=(*senses[-1].examples, made))
        elif len(senses) < fields.MAX_SENSES and (sense := _sense(line)):
            senses.append(sense)
    return senses, related, notes


def _kinds_of_glosses(lines: Sequence[str]) -> list[str]:
    """The kind of word that all glosses are, where the headword has none: what means "Hund <masc>" is a noun."""
    glosses = [line for line in lines if line.strip() and not _EXAMPLE.match(line) and not _REFERENCE.match(line)]
    marks = [map(str.strip, mark.split(",")) for line in glosses for mark in _MARK.findall(line)]
    parts = fields.list_labels("any", "freedict") | _GENDERS
    kinds = {next((parts[each] for each in mark if each in parts), "") for mark in marks}
    return list(kinds) if len(kinds) == 1 and "" not in kinds else []


def _sense(line: str) -> Sense | None:
    text = fields.clean_text(_NUMBER.sub("", line.strip(), count=1))
    tags: list[str] = []
    while label := _LABEL.match(text):
        tags.append(label[1])
        text = text[label.end() :]
    # An abbreviation may stand right behind the grammar of what it is short for: "acute <n>´".
    text = _GRAMMAR_OF_GLOSS.sub(lambda match: "" if match[1] in ("", ",") else ", ", text)
    text = _IPA_OF_GLOSS.sub(", ", _GLUED.sub(", ", text))
    glosses = fields.drop_repetitions((gloss.strip(" ,") for gloss in _split(text)), _MAX_GLOSSES)
    return Sense(glosses, fields.drop_repetitions(tags)) if glosses else None


def _split(text: str) -> list[str]:
    """The glosses between commas that stand outside of brackets and quotes."""
    parts: list[str] = []
    start = depth = 0
    quoted = False
    for at, char in enumerate(text):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth = max(depth - 1, 0)
        elif char == '"':
            quoted = not quoted
        elif char == "," and not depth and not quoted and text[at + 1 : at + 2] == " ":
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]
