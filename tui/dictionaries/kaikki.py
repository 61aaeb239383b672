"""kaikki.org's dictionaries, made from Wiktionary by wiktextract: JSONL, an object for each word and part of speech.

Source: wiktextract's README ("Format of the extracted word entries") and files of kaikki.org. One file has the words of
one language; that of all languages, as wiktextract writes it, is refused: Lode looks words up by their language, and
all others would only be in the way.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec

from tui.dictionaries import fields
from tui.dictionaries.dictionary_file import DictionaryFile, Progress, open_unpacked, refused
from tui.language.tags import find_tag_of_name, language_name
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo, Sense

_NOT_KAIKKI = "check that it is JSONL of kaikki.org"
_SAMPLE_ROWS = 400
_SHARE_OF_LANGUAGE = 0.9
"""Least share of the commonest language in the first rows; a dictionary of one may have a few of its dialects."""
_NO_FORMS = {
    *("table-tags", "inflection-template", "class", "romanization", "error-unrecognized-form"),
    *("auxiliary", "multiword-construction"),
}
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
_BEFORE_FORMS = {"der", "die", "das", "des", "dem", "den", "ich", "du", "er", "er/sie/es", "wir", "ihr", "sie"}
_NO_TAGS = frozenset(("form-of", "alt-of"))
_PARTS_OF_SPEECH = fields.list_labels("any", "kaikki")


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


class _Row(msgspec.Struct):
    """Row of the file, the fields that are read; etymology, translations and categories are passed over."""

    word: str = ""
    lang: str = ""
    lang_code: str = ""
    pos: str = ""
    senses: list[_Sense] = []
    forms: list[_Form] = []
    sounds: list[_Sound] = []
    synonyms: list[_Link] = []


_ROW = msgspec.json.Decoder(_Row)
_FAULTS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class KaikkiFile(DictionaryFile):
    """A dictionary of kaikki.org that is open; raises ``ImportRefused`` for one of several languages, or of none."""

    without_rows = ("has no word that can be understood", _NOT_KAIKKI)

    def __init__(self, path: Path, shown: str) -> None:
        super().__init__(shown)
        self._path = path
        self._language, self.info = self._described()

    def _read(self, progress: Progress) -> Iterator[DictionaryEntry | None]:
        for line in self._lines_of(self._path, progress):
            row = _decode(line)
            if row is None:
                if line is None or line.strip():
                    yield None
            elif row.word and row.lang_code == self._language:
                yield _entry(row)

    def _described(self) -> tuple[str, DictionaryInfo]:
        codes: Counter[str] = Counter()
        names: dict[str, str] = {}
        glosses: list[str] = []
        with open_unpacked(self._path, self._shown) as file:
            for row in map(_decode, islice(file.lines(), _SAMPLE_ROWS)):
                if row is not None and row.word and row.lang_code:
                    codes[row.lang_code] += 1
                    names[row.lang_code] = fields.clean_line(row.lang)
                    glosses += [gloss for sense in row.senses for gloss in sense.glosses[-1:]]
        if not codes:
            raise refused(self._shown, "has no words with lang_code in its first lines", _NOT_KAIKKI)
        [(code, count)] = codes.most_common(1)
        if count < _SHARE_OF_LANGUAGE * codes.total():
            raise refused(
                self._shown,
                f"has words in several languages ({', '.join(fields.clean_line(each) for each in list(codes)[:4])})",
                "take the file of one language from https://kaikki.org/dictionary/",
            )
        source = fields.find_tag(code)
        name = names[code] or code
        # The English edition names languages in English. Others have glosses in their own language.
        target = "en" if find_tag_of_name(name) else fields.guess_language_of(glosses)
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


def _decode(line: bytes | None) -> _Row | None:
    if not line:
        return None
    try:
        try:
            return _ROW.decode(line)
        except msgspec.DecodeError:
            return _ROW.decode(fields.drop_half_characters(line))
    except _FAULTS:
        return None


def _entry(row: _Row) -> DictionaryEntry | None:
    term = fields.clean_term(row.word)
    senses = tuple(made for each in row.senses[: fields.MAX_SENSES] if (made := _sense(each)))
    links = (link.word for sense in row.senses for link in (*sense.form_of, *sense.alt_of))
    # A translation stands behind what a link names in brackets in some.
    targets = (_unpointed(link.partition(" (“")[0], row.lang_code) for link in links)
    lemmas = fields.drop_repetitions(targets, fields.MAX_FORMS, without=term)
    if not term or not (senses or lemmas):
        return None
    written = (each.form for each in row.forms if each.form != "-" and _NO_FORMS.isdisjoint(each.tags))
    forms = (_unpointed(_form(each, term), row.lang_code) for each in written)
    return DictionaryEntry(
        term=term,
        reading=_reading(row, term),
        part_of_speech=(_PARTS_OF_SPEECH.get(row.pos, fields.clean_line(row.pos)),) if row.pos else (),
        senses=senses,
        forms=fields.drop_repetitions(forms, fields.MAX_FORMS, without=term),
        pronunciations=fields.drop_repetitions(fields.clean_line(each.ipa) for each in row.sounds if each.ipa),
        lemmas=lemmas,
        related=fields.drop_repetitions((_unpointed(each.word, row.lang_code) for each in row.synonyms), without=term),
    )


def _sense(sense: _Sense) -> Sense | None:
    """The sense with its last gloss, which is its own: those before are of the senses that it is below."""
    gloss = fields.clean_text(sense.glosses[-1]) if sense.glosses else ""
    if not gloss:
        return None
    tags = (fields.clean_line(tag) for tag in (*sense.tags, *sense.topics) if tag not in _NO_TAGS)
    given = sense.examples[: fields.MAX_EXAMPLES]
    examples = (fields.make_example(each.text, each.translation or each.english) for each in given)
    return Sense((gloss,), fields.drop_repetitions(tags), tuple(filter(None, examples)))


def _unpointed(text: str, language: str) -> str:
    """The cleaned word as texts in its language have it, without the marks of dictionaries."""
    term = fields.clean_term(text)
    points = _POINTS.get(language)
    if points is None or term.isascii():
        return term
    decomposed = unicodedata.normalize("NFD", term)
    return unicodedata.normalize("NFC", "".join(char for char in decomposed if char not in points))


def _form(text: str, term: str) -> str:
    """The form as it stands in a text; the German edition writes articles and pronouns before it: "des Zuges"."""
    form = fields.clean_term(text)
    first, _, rest = form.partition(" ")
    return rest if rest and " " not in term and first in _BEFORE_FORMS else form


def _reading(row: _Row, term: str) -> str:
    """The reading of Japanese, by the ruby of the canonical form, and the pinyin of Chinese; "" for others."""
    for form in row.forms:
        if form.ruby and "canonical" in form.tags:
            reading = term
            for pair in form.ruby[:20]:
                if len(pair) == 2 and pair[0]:
                    reading = reading.replace(pair[0], pair[1], 1)
            return fields.clean_term(reading) if reading != term else ""
    said = (sound.zh_pron for sound in row.sounds if {"Mandarin", "Pinyin"} <= set(sound.tags))
    return fields.clean_term(next(filter(None, said), ""))
