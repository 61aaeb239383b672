"""A clip as a note."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest

from tests.deck.clips import bare, clip
from tui.deck.card import make_card
from tui.deck.note import RENDERING, make_note, make_tags, make_values
from tui.deck.note_type import VALUES
from tui.records.clips import FocusWord

ABFAHRT = "Hoffentlich fährt er überhaupt noch ab."


def test_identity_and_time_come_from_the_clip_and_not_from_what_it_says() -> None:
    before, after = clip(1), clip(1, sentence="Anders.", updated_at="2026-01-31T12:00:01.999Z")
    one, later = make_note(before), make_note(after)
    assert one.guid == later.guid != make_note(clip(2)).guid
    assert (one.created_at, later.created_at) == (1_769_860_800_000, 1_769_860_800_000)
    assert (one.changed_at, later.changed_at) == (1_769_860_800, 1_769_860_801)


def test_without_a_focus_word_the_first_field_is_the_sentence() -> None:
    note = dict(zip(VALUES, make_values(bare(1, "Nur ein Satz.")), strict=True))
    assert {name: value for name, value in note.items() if value} == {
        "Expression": "Nur ein Satz.",
        "Sentence": "Nur ein Satz.",
        "IsSentenceCard": "x",
    }


@pytest.mark.parametrize(("commonness", "shown"), [(None, ""), ("345 in JPDB", "345 in JPDB")])
def test_the_frequency_is_that_of_a_dictionary_and_never_the_count_in_the_own_library(
    commonness: str | None, shown: str
) -> None:
    focus = FocusWord("Zug", frequency=12, commonness=commonness)
    note = dict(zip(VALUES, make_values(clip(1, focus=focus)), strict=True))
    assert note["Frequency"] == shown


def test_the_dictionary_that_the_meanings_are_from_stands_beside_the_source_with_its_licence() -> None:
    focus = FocusWord("Zug", meanings=("train",), origin="lexicon", dictionary="Wiktionary · CC BY-SA")
    kept = bare(1, "Der Zug.", focus=focus, source="Der letzte Zug")
    assert dict(zip(VALUES, make_values(kept), strict=True))["MiscInfo"] == "Der letzte Zug · Wiktionary · CC BY-SA"
    without = bare(1, "Der Zug.", focus=FocusWord("Zug", meanings=("train",)))
    assert dict(zip(VALUES, make_values(without), strict=True))["MiscInfo"] == ""


@pytest.mark.parametrize(
    ("sentence", "surface", "lemma", "marked"),
    [
        (ABFAHRT, "fährt … ab", "abfahren", "Hoffentlich <b>fährt</b> er überhaupt noch <b>ab</b>."),
        (ABFAHRT, "fährt", "abfahren", "Hoffentlich <b>fährt</b> er überhaupt noch <b>ab</b>."),
        (ABFAHRT, "fährt", "fahren", "Hoffentlich <b>fährt</b> er überhaupt noch ab."),
        (ABFAHRT, "fährt", None, "Hoffentlich <b>fährt</b> er überhaupt noch ab."),
        ("Sie sieht an der Tür die Frau an.", "sieht", "ansehen", "Sie <b>sieht</b> an der Tür die Frau <b>an</b>."),
        ("Ich komme mit und esse.", "komme", "mitkommen", "Ich <b>komme</b> <b>mit</b> und esse."),
        ("Er fährt ab Köln nicht mehr.", "fährt", "abfahren", "Er <b>fährt</b> ab Köln nicht mehr."),
        ("Wenn er abfährt, ab dann.", "abfährt", "abfahren", "Wenn er <b>abfährt</b>, ab dann."),
    ],
)
def test_both_parts_of_a_separable_verb_are_marked_where_it_is_sure_which_they_are(
    sentence: str, surface: str, lemma: str | None, marked: str
) -> None:
    kept = bare(1, sentence, focus=FocusWord(surface, lemma=lemma, language="de"))
    note = dict(zip(VALUES, make_values(kept), strict=True))
    assert note["Sentence"] == f'<span lang="de" dir="ltr">{marked}</span>'
    bold = next(part for part in make_card(kept).front if part.role == "sentence").bold
    assert [sentence[start:end] for start, end in bold] == re.findall("<b>(.*?)</b>", marked)


@pytest.mark.parametrize(
    ("surface", "reading", "written"),
    [
        ("取り引き", "とりひき", "取[と]り 引[ひ]き"),
        ("お茶", "おちゃ", "お 茶[ちゃ]"),
        ("天气", "tiānqì", "天气[tiānqì]"),
        ("食べた", "たべる", ""),  # which reads another form
        ("すし", "すし", ""),
        ("見…面", "み…めん", ""),
        ("昨日", None, ""),
    ],
)
def test_the_word_has_its_reading_as_anki_writes_it(surface: str, reading: str | None, written: str) -> None:
    note = dict(zip(VALUES, make_values(bare(1, surface, focus=FocusWord(surface, reading=reading))), strict=True))
    assert (note["ExpressionFurigana"], note["IsWordCard"], note["IsSentenceCard"]) == (written, "x", "")


def test_a_focus_word_that_stands_elsewhere_makes_nothing_bold() -> None:
    note = dict(zip(VALUES, make_values(bare(1, "Das Brot.", focus=FocusWord("rot"))), strict=True))
    assert (note["Expression"], note["Sentence"]) == ("rot", "Das Brot.")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (("a b", "c\u3000d", " e\tf\n"), ["a_b", "c_d", "e_f"]),
        (("film::drama",), ["film::drama"]),
        (("", "\x00", '"'), []),
        (("A", "a"), ["a"]),
        (('say "x"\x1b[31m',), ["say_x"]),
    ],
)
def test_tags_are_what_anki_can_hold(given: tuple[str, ...], kept: list[str]) -> None:
    assert make_tags(clip(tags=given)) == kept


def test_the_reading_of_the_sentence_is_on_the_note_while_it_is_that_of_the_sentence() -> None:
    read = bare(1, "昨日食べた。", sentence_reading="昨日[きのう] 食[た]べた。")
    assert dict(zip(VALUES, make_values(read), strict=True))["SentenceFurigana"] == "昨日[きのう] 食[た]べた。"
    edited = bare(1, "今日食べた。", sentence_reading="昨日[きのう] 食[た]べた。")
    assert dict(zip(VALUES, make_values(edited), strict=True))["SentenceFurigana"] == ""


def test_notes_that_are_rendered_in_another_way_have_a_new_version() -> None:
    """Whoever changes what a note has of its clip moves ``RENDERING`` and then this; else kept notes stay."""
    clips = [
        clip(1),
        bare(2, "Nur ein Satz."),
        clip(3, explanation="# Was?\n- **a** <b>\n"),
        bare(
            4, "直した。", sentence_reading="直[なお]した。", focus=FocusWord("直した", language="ja"), note="直 is 直."
        ),
    ]
    rendered = repr([make_note(each) for each in clips])
    assert (RENDERING, sha256(rendered.encode()).hexdigest()[:12]) == (3, "a7212942c40e")
