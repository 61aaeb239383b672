"""What is typed into a search box is never an error, and its parts are what people mean by them."""

import pytest

from tui.records.search_fields import ALL_FIELDS
from tui.text.search_query import Matches, Term, parse_query, text_of

FIELDS = {"lang", "tag", "source", "has", "new"}


def said(q: str) -> list[str]:
    """Each part in short: its sign, its field, its words, quoted where they are exact, * where they may go on."""
    return [_said(term) for term in parse_query(q, FIELDS)]


def _said(term: Term) -> str:
    text = f'"{term.text}"' if term.is_exact else term.text
    field = f"{term.field}:" if term.field else ""
    return f"{'-' if term.is_negated else ''}{field}{text}{'' if term.is_finished else '*'}"


@pytest.mark.parametrize(
    ("q", "parts"),
    [
        ("zug", ["zug*"]),
        ("zug ", ["zug"]),
        ("zug bahn", ["zug", "bahn*"]),
        ('lang:de tag:verb -source:tatort "genau so" has:audio', None),
        ("12:30", ["12", "30*"]),
        ("http://x.de", ["http", "x", "de*"]),
        ("lang: de", ["lang", "de*"]),
        ("LANG:de", ["LANG", "de*"]),
        ('x:"a b"', ["x", '"a b"']),
        ('tag:"two words"', ['tag:"two words"']),
        ('"offen', ['"offen"']),
        ("-zug", ["-zug*"]),
        ("-e-mail kommt", ["-e mail", "kommt*"]),
        ("- zug --zug -", ["zug"]),
        ("a-b a", ["a", "b", "a*"]),
        ("... - \" '", []),
        ("zug zug bahn zug ", ["zug", "bahn"]),
        ("新しい JR東", ["新しい", "JR東*"]),
    ],
)
def test_a_query_has_words_phrases_and_fields(q: str, parts: list[str] | None) -> None:
    assert said(q) == (
        parts if parts is not None else ["lang:de", "tag:verb", "-source:tatort", '"genau so"', "has:audio*"]
    )


def test_what_is_said_of_the_text_is_a_query_of_its_own() -> None:
    for q in ("zug", "zug ", '"genau so" -bahn zug', "-zug "):
        terms = parse_query(q, FIELDS)
        assert parse_query(text_of(terms), FIELDS) == terms, q
    assert text_of(parse_query('lang:de "genau so" -tag:x', FIELDS)) == '"genau so" '


@pytest.mark.parametrize(
    ("q", "text", "found"),
    [
        ("fahr", "Hoffentlich fährt er. Abfahrt!", ["fähr"]),
        ("fahrt ", "Hoffentlich fährt er, fährten.", ["fährt"]),
        ('"der zug"', "Der, Zug: der Bus. Der Zugführer", ["Der, Zug"]),
        ("-zug er", "Er, der Zug", ["Er"]),
        ("lang:de zug", "lang:de der Zug", ["Zug"]),
        ("タワー", "東京タワーに", ["タワー"]),
        ("(", "(", []),
    ],
)
def test_places_are_where_the_search_finds_it(q: str, text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end, _ in Matches.of_query(q, ALL_FIELDS).spans(text)] == found


def test_places_of_other_forms_are_found_too() -> None:
    (term,) = parse_query("fahren ")
    text = "Er fuhr, sie fahren, Fuhrwerk."
    places = Matches([term], {term: ["fuhr", "fährt"]}).spans(text)
    assert [text[start:end] for start, end, _ in places] == ["fuhr", "fahren"]
