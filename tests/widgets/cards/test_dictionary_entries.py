"""Dictionary entries as text: every part of an entry, in as many cells as there are, whatever a dictionary says."""

from dataclasses import replace

from rich.cells import cell_len

from tests.hostile import FORBIDDEN, HOSTILE
from tui.records.dictionaries import (
    NOTE,
    Dictionary,
    DictionaryEntry,
    Example,
    FoundEntry,
    LookUp,
    PitchAccent,
    Sense,
    TermFrequency,
    TermPronunciation,
    Way,
)
from tui.widgets.cards.dictionary_entries import entries_text

SMALL = Dictionary(
    "d1", "Small German", "yomitan", "1", "de", "en", "Anna", "", "", "Anna and others", "CC BY-SA 4.0", None, 2, 9, ""
)
OTHER = replace(SMALL, id="d2", title="Other", attribution="", license="MIT")
DRIVE = DictionaryEntry(
    "fahren",
    "",
    ("verb",),
    (
        Sense(("to drive", "to go"), ("intransitive",), (Example("Er fährt ab.", "He leaves."),)),
        Sense(("to take somebody",)),
        Sense(("fährt, fuhr, ist gefahren",), (NOTE,)),
    ),
    ("fuhr", "gefahren"),
    ("/ˈfaːʁən/",),
    related=("reisen",),
    tags=("A1",),
)


def found(*entries: tuple[DictionaryEntry, Dictionary, Way], **facts: object) -> LookUp:
    return replace(LookUp("x", tuple(FoundEntry(*entry) for entry in entries)), **facts)  # type: ignore[arg-type] # fields of it


def test_an_entry_has_its_headword_its_numbered_senses_examples_and_forms() -> None:
    lookup = found((DRIVE, SMALL, "lemma"), frequencies=(("Count", TermFrequency("fahren", "", 102, "№102")),))
    assert entries_text(lookup, 80).plain.split("\n") == [
        "Small German · CC BY-SA 4.0",
        "Anna and others",
        "",
        "fahren · verb · A1 · dictionary form · /ˈfaːʁən/ · №102 in Count",
        " 1  (intransitive) to drive; to go",
        "      Er fährt ab. – He leaves.",
        " 2  to take somebody",
        "    fährt, fuhr, ist gefahren",
        "    forms: fuhr, gefahren",
        "    see: reisen",
    ]


def test_entries_stand_under_their_dictionaries_in_the_order_of_these() -> None:
    ride = replace(DRIVE, term="reiten", senses=(Sense(("to ride",)),), forms=(), related=(), tags=())
    lookup = found((DRIVE, SMALL, "lemma"), (DRIVE, OTHER, "lemma"), (ride, SMALL, "part"))
    text = entries_text(lookup, 80).plain
    places = [text.index(part) for part in ("Small German", "fahren", "reiten", "Other · MIT")]
    assert places == sorted(places)
    assert text.count("Small German") == text.count("/ˈfaːʁən/ ·") + text.count("reiten · verb") == 1
    assert text.count("    to ride") == 1


def test_how_entries_were_found_is_said_once() -> None:
    leave, off = replace(DRIVE, term="abfahren"), replace(DRIVE, term="ab … fahren")
    lookup = found((leave, SMALL, "phrase"), (off, SMALL, "phrase"), (leave, OTHER, "phrase"), (DRIVE, OTHER, "lemma"))
    text = entries_text(lookup, 80).plain
    assert text.count("as it stands in this sentence") == text.count("dictionary form") == 1
    assert "abfahren · verb · A1 · as it stands in this sentence" in text


def test_pronunciation_and_pitch_of_another_dictionary_stand_beside_the_first_entry_with_that_reading() -> None:
    flower = DictionaryEntry("花", "はな", ("noun",), (Sense(("flower",)),))
    spoken = (
        ("Pitch", TermPronunciation("花", "はな", (), (PitchAccent("はな", 2),))),
        ("Pitch", TermPronunciation("花", "か", ("[ka]",))),
    )
    text = entries_text(found((flower, SMALL, "surface"), (flower, OTHER, "surface"), pronunciations=spoken), 80).plain
    assert text.count("花 · はな · noun · はな↓ [2]") == 1
    assert "[ka]" not in text


def test_lines_fit_into_the_cells_that_there_are_and_hang_below_their_sense() -> None:
    senses = (Sense(("etwas sehr Langes " * 9, "短い意味" * 9), ("tag " * 9,)), Sense(("x" * 200,)))
    entry = replace(DRIVE, term="Wort" * 20, reading="よみ" * 20, senses=senses, forms=("fuhr",) * 100)
    for width in (20, 71):
        text = entries_text(found((entry, SMALL, "surface")), width).plain
        assert max(map(cell_len, text.split("\n"))) <= width
        assert all(line.startswith("    ") for line in text.split("\n") if "意味" in line)


def test_nothing_that_a_dictionary_says_commands_the_terminal() -> None:
    for name, bad in HOSTILE.items():
        senses = (Sense((bad,), (bad,), (Example(bad, bad),)),)
        entry = DictionaryEntry(bad, bad, (bad,), senses, (bad,), (bad,))
        text = entries_text(found((entry, replace(SMALL, title=bad, attribution=bad), "surface")), 60).plain
        assert not set(text) & set(FORBIDDEN + "\r\t"), name


def test_an_entry_without_end_is_shown_up_to_a_bound() -> None:
    senses = (Sense(("to drive",), (), (Example("Er fährt."),) * 1000),) * 1000
    entry = replace(DRIVE, senses=senses, forms=("fuhr",) * 100_000)
    text = entries_text(found((entry, SMALL, "surface")), 80).plain
    assert "and 940 more" in text
    assert len(text.split("\n")) < 1000
