"""A clip as a note."""

from __future__ import annotations

import re
from hashlib import sha256

from tests.deck.clips import bare, clip
from tui.deck.card import make_card
from tui.deck.note import RENDERING, make_note, make_tags, make_values
from tui.deck.note_type import VALUES
from tui.records.clips import Clip, FocusWord

ABFAHRT = "Hoffentlich fährt er überhaupt noch ab."


def test_identity_and_time_come_from_the_clip_and_not_from_what_it_says() -> None:
    before, after = clip(1), clip(1, sentence="Anders.", updated_at="2026-01-31T12:00:01.999Z")
    one, later = make_note(before), make_note(after)
    assert one.guid == later.guid != make_note(clip(2)).guid
    assert (one.created_at, later.created_at) == (1_769_860_800_000, 1_769_860_800_000)
    assert (one.changed_at, later.changed_at) == (1_769_860_800, 1_769_860_801)


def values(kept: Clip) -> dict[str, str]:
    return dict(zip(VALUES, make_values(kept), strict=True))


def test_without_a_focus_word_the_first_field_is_the_sentence() -> None:
    assert {name: value for name, value in values(bare(1, "Nur ein Satz.")).items() if value} == {
        "Expression": "Nur ein Satz.",
        "Sentence": "Nur ein Satz.",
        "IsSentenceCard": "x",
    }


def test_what_stands_beside_the_word_is_of_a_dictionary_and_not_of_the_own_library() -> None:
    for commonness, shown in ((None, ""), ("345 in JPDB", "345 in JPDB")):
        assert values(clip(1, focus=FocusWord("Zug", frequency=12, commonness=commonness)))["Frequency"] == shown
    focus = FocusWord("Zug", meanings=("train",), origin="lexicon", dictionary="Wiktionary · CC BY-SA")
    kept = bare(1, "Der Zug.", focus=focus, source="Der letzte Zug")
    assert values(kept)["MiscInfo"] == "Der letzte Zug · Wiktionary · CC BY-SA"
    assert values(bare(1, "Der Zug.", focus=FocusWord("Zug", meanings=("train",))))["MiscInfo"] == ""


def test_both_parts_of_a_separable_verb_are_marked_where_it_is_sure_which_they_are() -> None:
    for sentence, surface, lemma, marked in (
        (ABFAHRT, "fährt … ab", "abfahren", "Hoffentlich <b>fährt</b> er überhaupt noch <b>ab</b>."),
        (ABFAHRT, "fährt", "abfahren", "Hoffentlich <b>fährt</b> er überhaupt noch <b>ab</b>."),
        (ABFAHRT, "fährt", "fahren", "Hoffentlich <b>fährt</b> er überhaupt noch ab."),
        (ABFAHRT, "fährt", None, "Hoffentlich <b>fährt</b> er überhaupt noch ab."),
        ("Sie sieht an der Tür die Frau an.", "sieht", "ansehen", "Sie <b>sieht</b> an der Tür die Frau <b>an</b>."),
        ("Ich komme mit und esse.", "komme", "mitkommen", "Ich <b>komme</b> <b>mit</b> und esse."),
        ("Er fährt ab Köln nicht mehr.", "fährt", "abfahren", "Er <b>fährt</b> ab Köln nicht mehr."),
        ("Wenn er abfährt, ab dann.", "abfährt", "abfahren", "Wenn er <b>abfährt</b>, ab dann."),
        ("Das Brot.", "rot", None, "Das Brot."),
    ):
        kept = bare(1, sentence, focus=FocusWord(surface, lemma=lemma, language="de"))
        assert values(kept)["Sentence"] == f'<span lang="de" dir="ltr">{marked}</span>'
        bold = next(part for part in make_card(kept).front if part.role == "sentence").bold
        assert [sentence[start:end] for start, end in bold] == re.findall("<b>(.*?)</b>", marked)


def test_word_and_sentence_have_their_readings_as_anki_writes_them() -> None:
    for surface, reading, written in (
        ("取り引き", "とりひき", "取[と]り 引[ひ]き"),
        ("お茶", "おちゃ", "お 茶[ちゃ]"),
        ("天气", "tiānqì", "天气[tiānqì]"),
        ("食べた", "たべる", ""),  # which reads another form
        ("すし", "すし", ""),
        ("見…面", "み…めん", ""),
        ("昨日", None, ""),
    ):
        note = values(bare(1, surface, focus=FocusWord(surface, reading=reading)))
        assert (note["ExpressionFurigana"], note["IsWordCard"], note["IsSentenceCard"]) == (written, "x", "")
    reading = "昨日[きのう] 食[た]べた。"
    assert values(bare(1, "昨日食べた。", sentence_reading=reading))["SentenceFurigana"] == reading
    assert values(bare(1, "今日食べた。", sentence_reading=reading))["SentenceFurigana"] == ""  # it was edited


def test_tags_are_what_anki_can_hold() -> None:
    given = ("a b", "c\u3000d", " e\tf\n", "film::drama", "", "\x00", '"', "A", "a", 'say "x"\x1b[31m')
    assert make_tags(clip(tags=given)) == ["a_b", "c_d", "e_f", "film::drama", "a", "say_x"]


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
