"""Lists as a plain model says: searched word by word, and sorted by plain keys."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, TypeAlias

from tests.service.monkey.model import Fact, Facts, Key, all_of

WORDS = ("xarbo", "xarbim", "qimel", "Xülpo", "zwork", "qims")
"""Words that begin alike, that no language is called, and that have no other forms."""
ListName: TypeAlias = Literal["files", "transcripts", "clips", "bookmarks", "answers"]
LISTS: tuple[ListName, ...] = ("files", "transcripts", "clips", "bookmarks", "answers")


@dataclass(frozen=True)
class Term:
    """Part of a query: words in a row, the last of which may go on, anywhere or in a field."""

    words: tuple[str, ...]
    goes_on: bool = False
    field: str = ""
    is_negated: bool = False

    def __str__(self) -> str:
        text = " ".join(self.words)
        quoted = f'"{text}"' if len(self.words) > 1 else text
        return f"{'-' if self.is_negated else ''}{f'{self.field}:' if self.field else ''}{quoted}"


@dataclass
class Row:
    """A row of a list: ``said`` are its texts, ``cues`` those of the sentences that it is found by as well."""

    id: str
    place: int
    said: list[str]
    cues: list[str] = field(default_factory=list)
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)
    sorts: Mapping[str, Any] = field(default_factory=dict)

    def has(self, terms: Iterable[Term], *, is_whole: bool) -> bool:
        """Whether it has all of a query; a field has whole words, or else what begins so."""
        named, plain = [term for term in terms if term.field], [term for term in terms if not term.field]
        for term in named:
            whole = term if is_whole else Term(term.words, goes_on=True)
            if any(_has(text, whole) for text in self.fields.get(term.field, ())) == term.is_negated:
                return False
        places = [self.said, *([cue] for cue in self.cues if any(not term.is_negated for term in plain))]
        return any(
            all(any(_has(text, term) for text in texts) != term.is_negated for term in plain) for texts in places
        )


def write_query(terms: Sequence[Term]) -> str:
    """Write terms as somebody types them: the last one goes on, or is finished by a space."""
    return " ".join(map(str, terms)) + ("" if terms[-1].goes_on else " ")


def _has(text: str, term: Term) -> bool:
    words, wanted = folded(text), [folded(word)[0] for word in term.words]
    spans = (words[start : start + len(wanted)] for start in range(len(words) - len(wanted) + 1))
    if not term.goes_on:
        return any(span == wanted for span in spans)
    return any(span[:-1] == wanted[:-1] and span[-1].startswith(wanted[-1]) for span in spans)


def folded(text: str) -> list[str]:
    """The words of a text without case and accents."""
    plain = unicodedata.normalize("NFD", text.casefold())
    letters = "".join(each for each in plain if not unicodedata.combining(each))
    return "".join(each if each.isalnum() else " " for each in letters).split()


def rows_of(listed: ListName, facts: Facts, profile: str) -> list[Row]:
    """The rows of a profile's list, the newest first."""
    kind, make = _ROWS[listed]
    wanted = [key for key in all_of(facts, kind) if _profile_of(facts, key) == profile]
    rows = [make(facts, key, facts[key]) for key in wanted if not facts[key].get("follows")]
    return sorted(rows, key=lambda row: -row.place)


def sort_rows(rows: Sequence[Row], column: str, *, is_down: bool, is_turned: bool) -> list[Row]:
    """Sort rows: what has nothing comes last, what is alike in the order that it was made."""
    alike = sorted(rows, key=lambda row: row.place if is_turned else -row.place)
    filled = [row for row in alike if row.sorts[column] not in (None, "")]
    filled.sort(key=lambda row: row.sorts[column], reverse=is_down)
    return [*filled, *(row for row in alike if row.sorts[column] in (None, ""))]


def _profile_of(facts: Facts, key: Key) -> str | None:
    fact = facts[key]
    if key[0] != "mark":
        return str(fact["profile"])
    film = facts.get(("film", fact["film"]))
    return None if film is None or film["gone"] else str(film["profile"])


def _file(facts: Facts, key: Key, fact: Fact) -> Row:
    films = [facts[each] for each in all_of(facts, "film") if facts[each]["file"] == key[1]]
    lines = [line for film in films for line in film["lines"]]
    sorts = {
        "name": " ".join(folded(fact["name"])),
        "lang": fact["language"],
        "cues": len(films[0]["lines"]) if films else None,
    }
    about = {"title": [fact["name"]], "lang": [fact["language"] or ""], "has": ["transcript"] if films else []}
    return Row(key[1], fact["place"], [fact["name"]], lines, about, sorts)


def _film(facts: Facts, key: Key, fact: Fact) -> Row:
    notes = [note["text"] for each, note in facts.items() if each[:2] == ("note", key[1])]
    read = facts.get(("read", key[1]), {"count": None})["count"]
    state = "new" if read is None else "done" if read >= len(fact["lines"]) else "begun"
    clips = [each for each in all_of(facts, "clip") if facts[each]["film"] == key[1]]
    has = ["times", *(["clips"] if clips else []), *(["notes"] if notes else [])]
    about = {"title": [fact["title"]], "lang": [fact["language"]], "note": notes, "read": [state], "has": has}
    sorts = {
        "title": " ".join(folded(fact["title"])),
        "lang": fact["language"],
        "cues": len(fact["lines"]),
        "read": None if read is None else read / len(fact["lines"]),
    }
    return Row(key[1], fact["place"], [fact["title"]], list(fact["lines"]), about, sorts)


def _clip(facts: Facts, key: Key, fact: Fact) -> Row:
    about = {
        "sentence": [fact["sentence"]],
        "note": [fact["note"]],
        "word": [fact["word"]],
        "tag": fact["tags"],
        "has": [name for name in ("note", "tag") if fact["tags" if name == "tag" else name]],
        "state": ["new"],
    }
    sorts = {
        "word": fact["word"].casefold(),
        "sentence": fact["sentence"],
        "tags": json.dumps(fact["tags"], separators=(",", ":"), ensure_ascii=False) if fact["tags"] else None,
    }
    return Row(key[1], fact["place"], [fact["sentence"], fact["note"], fact["word"], *fact["tags"]], [], about, sorts)


def _mark(facts: Facts, key: Key, fact: Fact) -> Row:
    film = facts["film", fact["film"]]
    lines = film["lines"]
    said = [film["title"], fact["name"], lines[fact["cue"]] if fact["cue"] < len(lines) else ""]
    sorts = {"name": fact["name"].lower(), "title": " ".join(folded(film["title"])), "lang": film["language"]}
    return Row(key[1], fact["place"], said, [], {"title": [film["title"]], "lang": [film["language"]]}, sorts)


def _answer(facts: Facts, key: Key, fact: Fact) -> Row:
    said = [fact["sentence"], fact["word"], "complete", "breakdown", "lexicon:local"]
    about = {"word": [fact["word"]], "state": ["complete"], "kind": ["breakdown"]}
    sorts = {"focus": fact["word"].casefold(), "sentence": " ".join(folded(fact["sentence"]))}
    return Row(key[1], fact["place"], said, [], about, sorts)


_ROWS: Mapping[ListName, tuple[str, Callable[[Facts, Key, Fact], Row]]] = {
    "files": ("file", _file),
    "transcripts": ("film", _film),
    "clips": ("clip", _clip),
    "bookmarks": ("mark", _mark),
    "answers": ("answer", _answer),
}
_VALUES = {
    "lang": ("de", "nl"),
    "read": ("new", "begun", "done"),
    "has": ("clips", "notes", "note", "tag", "transcript", "times"),
    "state": ("new",),
    "tag": ("xa", "xab", "qi"),
}


def random_query(dice: Random, listed: ListName, rows: Sequence[Row]) -> list[Term]:
    """One to three terms, most of them of what the rows have."""
    terms = [_random_term(dice, listed, rows) for _ in range(dice.choice((1, 1, 2, 3)))]
    last = terms[-1]
    if len(last.words) == 1 and not last.field and dice.random() < 0.5:
        shorter = last.words[0][: dice.randint(1, len(last.words[0]))]
        terms[-1] = Term((shorter,), goes_on=True, is_negated=last.is_negated)
    return list(dict.fromkeys(terms))


def _random_term(dice: Random, listed: ListName, rows: Sequence[Row]) -> Term:
    is_negated = dice.random() < 0.2
    texts = [text for row in rows for text in (*row.said, *row.cues) if len(folded(text)) > 1]
    what = dice.random()
    if what < 0.2 and texts:
        words = folded(dice.choice(texts))
        start = dice.randrange(len(words) - 1)
        return Term(tuple(words[start : start + 2]), is_negated=is_negated)
    fields = sorted({name for row in rows for name in row.fields})
    if what < 0.5 and fields:
        name = dice.choice(fields)
        return Term((dice.choice(_VALUES.get(name, WORDS)),), field=name, is_negated=is_negated)
    return Term((dice.choice(WORDS),), is_negated=is_negated)
