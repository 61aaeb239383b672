"""kaikki.org's dictionaries, made from Wiktionary by wiktextract: JSONL, an object for each word and part of speech.

Source: wiktextract's README ("Format of the extracted word entries") and files of kaikki.org. One file has the words of
one language; that of all languages, as wiktextract writes it, is refused: Lode looks words up by their language, and
all others would only be in the way.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tui.dictionaries.dictionary_file import (
    MAX_EXAMPLES,
    MAX_FORMS,
    MAX_SENSES,
    Progress,
    clean_line,
    clean_term,
    clean_text,
    drop_half_characters,
    drop_repetitions,
    find_tag,
    guess_language_of,
    make_example,
    refused,
)
from tui.dictionaries.text_lines import UnpackedFile, read_lines, read_rows
from tui.language.tags import find_tag_of_name, language_name
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo, DictionaryRow, Example, Sense

_SAMPLE_ROWS = 400
_SHARE_OF_LANGUAGE = 0.9
"""Least share of the commonest language in the first rows; a dictionary of one may have a few of its dialects."""
_NO_FORMS = frozenset(
    (
        *("table-tags", "inflection-template", "class", "romanization", "error-unrecognized-form"),
        *("auxiliary", "multiword-construction"),
    )
)
"""Tags of what stands among the forms and is none that is written in a text."""
_STRESS, _QUANTITY = "\u0300\u0301", "\u0304\u0306"
_POINTS = {
    **dict.fromkeys(("ru", "uk", "be", "bg"), _STRESS),
    **dict.fromkeys(("la", "grc", "ang"), _QUANTITY),
    **dict.fromkeys(("ar", "fa", "ur"), "".join(map(chr, range(0x64B, 0x653))) + "\u0670"),
    **dict.fromkeys(("he", "yi"), "".join(map(chr, range(0x591, 0x5C8))).replace("\u05be", "")),
}
"""Marks for stress, length and vowels that Wiktionary writes in forms and links, and neither texts nor its terms have.
"""
_BEFORE_FORMS = frozenset(
    ("der", "die", "das", "des", "dem", "den", "ich", "du", "er", "er/sie/es", "wir", "ihr", "sie")
)
_NO_TAGS = frozenset(("form-of", "alt-of"))
_PARTS_OF_SPEECH = {
    "adj": "adjective",
    "adv": "adverb",
    "conj": "conjunction",
    "det": "determiner",
    "intj": "interjection",
    "num": "numeral",
    "postp": "postposition",
    "prep": "preposition",
    "prep_phrase": "prepositional phrase",
    "pron": "pronoun",
    "adv_phrase": "adverbial phrase",
    "name": "proper noun",
}
"""wiktextract's names of parts of speech (its parts_of_speech.py), where they are short ones."""


class _Link(msgspec.Struct, gc=False):
    word: str = ""


class _Example(msgspec.Struct, gc=False):
    text: str = ""
    translation: str = ""
    english: str = ""


class _Sense(msgspec.Struct, gc=False):
    glosses: list[str] = []
    tags: list[str] = []
    topics: list[str] = []
    form_of: list[_Link] = []
    alt_of: list[_Link] = []
    examples: list[_Example] = []


class _Form(msgspec.Struct, gc=False):
    form: str = ""
    tags: list[str] = []
    ruby: list[list[str]] = []


class _Sound(msgspec.Struct, gc=False):
    ipa: str = ""
    zh_pron: str = msgspec.field(default="", name="zh-pron")
    tags: list[str] = []


class _Synonym(msgspec.Struct, gc=False):
    word: str = ""


class _Row(msgspec.Struct):
    """Row of the file, the fields that are read; etymology, translations and categories are passed over."""

    word: str = ""
    lang: str = ""
    lang_code: str = ""
    pos: str = ""
    senses: list[_Sense] = []
    forms: list[_Form] = []
    sounds: list[_Sound] = []
    synonyms: list[_Synonym] = []


_ROW = msgspec.json.Decoder(_Row)
_FAULTS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class KaikkiFile:
    """A dictionary of kaikki.org that is open; raises ``ImportRefused`` for one of several languages, or of none."""

    def __init__(self, path: Path, shown: str) -> None:
        self._path, self._shown = path, shown
        self.skipped = 0
        self._language, self.info = self._described()
        self._file: UnpackedFile | None = None

    def rows(self, progress: Progress) -> Iterator[DictionaryRow]:
        self._file = file = UnpackedFile(self._path, self._shown)
        made = 0
        for line in read_rows(file, self._shown, progress):
            row = _decoded(line)
            if row is None:
                self.skipped += line is None or bool(line.strip())
            elif row.word and row.lang_code == self._language:
                entry = _entry(row)
                if entry is None:
                    self.skipped += 1
                else:
                    made += 1
                    yield entry
        if not made:
            raise refused(self._shown, "has no word that can be understood", "check that it is JSONL of kaikki.org")

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _described(self) -> tuple[str, DictionaryInfo]:
        codes: Counter[str] = Counter()
        names: dict[str, str] = {}
        glosses: list[str] = []
        file = UnpackedFile(self._path, self._shown)
        try:
            for line, _ in zip(read_lines(file), range(_SAMPLE_ROWS), strict=False):
                row = _decoded(line)
                if row is not None and row.word and row.lang_code:
                    codes[row.lang_code] += 1
                    names[row.lang_code] = clean_line(row.lang)
                    glosses += [gloss for sense in row.senses for gloss in sense.glosses[-1:]]
        finally:
            file.close()
        if not codes:
            raise refused(
                self._shown, "has no words with lang_code in its first lines", "check that it is JSONL of kaikki.org"
            )
        [(code, count)] = codes.most_common(1)
        if count < _SHARE_OF_LANGUAGE * codes.total():
            raise refused(
                self._shown,
                f"has words in several languages ({', '.join(clean_line(each) for each in list(codes)[:4])})",
                "take the file of one language from https://kaikki.org/dictionary/",
            )
        source = find_tag(code)
        name = names[code] or code
        # The English edition names languages in English. Others have glosses in their own language.
        target = "en" if find_tag_of_name(name) else guess_language_of(glosses)
        title = f"Wiktionary: {language_name(source) if source else name}"
        return code, DictionaryInfo(
            title=f"{title} – {language_name(target)}" if target else title,
            format="kaikki",
            source_language=source,
            target_language=target,
            url="https://kaikki.org/",
            attribution="Wiktionary, its authors; extracted by wiktextract (kaikki.org)",
            license="CC BY-SA 4.0, GFDL",
        )


def _decoded(line: bytes | None) -> _Row | None:
    if not line:
        return None
    try:
        try:
            return _ROW.decode(line)
        except msgspec.DecodeError:
            return _ROW.decode(drop_half_characters(line))
    except _FAULTS:
        return None


def _entry(row: _Row) -> DictionaryEntry | None:
    term = clean_term(row.word)
    senses = tuple(made for each in row.senses[:MAX_SENSES] if (made := _sense(each)))
    links = (link.word for sense in row.senses for link in (*sense.form_of, *sense.alt_of))
    lemmas = drop_repetitions((_unpointed(_target(link), row.lang_code) for link in links), MAX_FORMS, without=term)
    if not term or not (senses or lemmas):
        return None
    forms = [
        _unpointed(_form(each.form, term), row.lang_code)
        for each in row.forms
        if each.form != "-" and _NO_FORMS.isdisjoint(each.tags)
    ]
    return DictionaryEntry(
        term=term,
        reading=_reading(row, term),
        part_of_speech=(_PARTS_OF_SPEECH.get(row.pos, clean_line(row.pos)),) if row.pos else (),
        senses=senses,
        forms=drop_repetitions(forms, MAX_FORMS, without=term),
        pronunciations=drop_repetitions(clean_line(each.ipa) for each in row.sounds if each.ipa),
        lemmas=lemmas,
        related=drop_repetitions(
            (_unpointed(clean_term(each.word), row.lang_code) for each in row.synonyms), without=term
        ),
    )


def _sense(sense: _Sense) -> Sense | None:
    """The sense with its last gloss, which is its own: those before are of the senses that it is below."""
    gloss = clean_text(sense.glosses[-1]) if sense.glosses else ""
    if not gloss:
        return None
    tags = drop_repetitions(clean_line(tag) for tag in (*sense.tags, *sense.topics) if tag not in _NO_TAGS)
    return Sense((gloss,), tags, _examples(sense))


def _examples(sense: _Sense) -> tuple[Example, ...]:
    made = (make_example(each.text, each.translation or each.english) for each in sense.examples[:MAX_EXAMPLES])
    return tuple(each for each in made if each)


def _unpointed(text: str, language: str) -> str:
    """The word as texts in its language have it, without the marks of dictionaries."""
    points = _POINTS.get(language)
    if points is None or text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(char for char in decomposed if char not in points))


def _form(text: str, term: str) -> str:
    """The form as it stands in a text; the German edition writes articles and pronouns before it: "des Zuges"."""
    form = clean_term(text)
    first, _, rest = form.partition(" ")
    return rest if rest and " " not in term and first in _BEFORE_FORMS else form


def _target(link: str) -> str:
    """The term that a link names; a translation stands behind it in brackets in some."""
    return clean_term(link.partition(" (“")[0])


def _reading(row: _Row, term: str) -> str:
    """The reading of Japanese, by the ruby of the canonical form, and the pinyin of Chinese; "" for others."""
    for form in row.forms:
        if form.ruby and "canonical" in form.tags:
            reading = term
            for pair in form.ruby[:20]:
                if len(pair) == 2 and pair[0]:
                    reading = reading.replace(pair[0], pair[1], 1)
            return clean_term(reading) if reading != term else ""
    for sound in row.sounds:
        if sound.zh_pron and {"Mandarin", "Pinyin"} <= set(sound.tags):
            return clean_term(sound.zh_pron)
    return ""
