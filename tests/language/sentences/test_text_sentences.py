from __future__ import annotations

import json
from pathlib import Path

import pytest

from tui.language.text_sentences import MAX_LENGTH, each_sentence

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"
TEXTS = sorted(path.name for path in (CORPUS / "text").glob("*.txt"))


def sentences(text: str, language: str | None) -> tuple[str, ...]:
    return tuple(each_sentence(text.replace("\r\n", "\n").split("\n"), language))


MARKED = (
    ("en", "It was dark.| She left."),
    ("en", "Mr. Smith met Dr. J. R. Brown, etc.| They left at 5 p.m. and ate."),
    ("en", "Is it 3.14?| No!| Well…| Maybe."),
    ("en", "He said “Go!” and left.| “Why?” she asked."),
    ("en", "(It rained.)| Then it stopped."),
    ("en", "I waited... and waited...| Nothing."),
    ("en", "...and then?| Yes."),
    ("en", "So am I.| You too."),
    ("en", "No.| I mind.| Give it to me.| See fig. 3 and no. 5 of my ex.| Then go."),
    ("de", "Das ist z. B. gut, d. h. sehr gut.| Am 3. Mai kam er."),
    ("de", "Dr. Müller wohnt in der Hauptstr. 5.| Er ist da.| Ja."),
    ("de", "»Was ist?« dachte er.| Es war kein Traum!«| Er ging."),
    ("de", "„Komm!“| Sie kam."),
    ("de", "Im Jahr 1999.| Danach kam er."),
    ("fr", "M. Dupont a, p. ex., dit oui.| Et toi ?"),
    ("en", "Come at 5 p.m.| Then we eat."),
    ("es", "El Sr. García y la Sra. López.| Fin."),
    ("es", "¿Qué?| ¡No!| Sí."),
    ("ja", "雨だ。|「行こう。」と言った。|本当？！|はい。"),
    ("zh", "你好。|“走吧！”他说。|好"),
    ("ar", "أين أنت؟| أنا هنا."),
    ("hi", "यह है।| वह है।"),
    ("ru", "Это г. Москва, ул. Мира.| Он там и т.д. и т.п. всегда."),
)


def test_sentences_end_where_a_reader_ends_them() -> None:
    for language, marked in MARKED:
        assert list(sentences(marked.replace("|", ""), language)) == marked.replace("| ", "|").split("|")
    assert sentences("", None) == sentences(" \n\n \t\n", None) == ()


def test_blank_lines_part_and_broken_lines_join() -> None:
    text = "CHAPTER I\n\nThe first line was broken\nby hand. The second\nLine too.\r\n\r\n\r\nA new paragraph"
    assert sentences(text, "en") == (
        "CHAPTER I",
        "The first line was broken by hand.",
        "The second Line too.",
        "A new paragraph",
    )


def test_lines_without_full_stops_stay_apart_and_dialogue_begins_a_sentence() -> None:
    assert sentences("der Apfel\nDie Birne\nDas Haus", "de") == ("der Apfel", "Die Birne", "Das Haus")
    assert sentences("羅生門\n芥川龍之介\n\n本文", "ja") == ("羅生門", "芥川龍之介", "本文")
    assert sentences("- Hallo!\n- Wie geht's?\n- Gut.", "de") == ("- Hallo!", "- Wie geht's?", "- Gut.")
    assert sentences("—¿Quién es?\n—Yo.", "es") == ("—¿Quién es?", "—Yo.")


def test_scripts_without_spaces_and_words_broken_at_their_hyphens_are_joined_without_one() -> None:
    chinese = "此開卷第一回也因曾歷過一番夢\n幻之后．故將真事隱去．"
    assert sentences(chinese, "zh") == ("此開卷第一回也因曾歷過一番夢幻之后．", "故將真事隱去．")
    assert sentences("a well-\nknown man.", "en") == ("a well-known man.",)


def test_verse_keeps_its_line_ends() -> None:
    verse = "Wer reitet so spät durch Nacht und Wind?\nEs ist der Vater mit seinem Kind;\nEr hat den Knaben im Arm."
    assert sentences(verse, "de") == tuple(verse.replace("?\n", "?\n\n").split("\n\n"))
    assert sentences("床前明月光，\n疑是地上霜。\n举头望明月，\n低头思故乡。", "zh") == (
        "床前明月光，\n疑是地上霜。",
        "举头望明月，\n低头思故乡。",
    )


def test_a_poem_in_a_book_of_broken_lines_keeps_its_line_ends() -> None:
    prose = "The quick brown fox jumps over the lazy dog and then it sleeps\n" * 5
    poem = "How doth the little crocodile\nImprove his shining tail,\nAnd pour the waters of the Nile!"
    assert sentences(f"{prose}all day.\n\n{poem}\n\n{prose}again.", "en")[1] == poem


def test_thai_without_any_stop_is_cut_at_its_spaces() -> None:
    text = " ".join(["เธอล็อกประตูแล้วออกไปข้างนอก"] * 30)
    found = sentences(text, "th")
    assert len(found) > 5
    assert " ".join(found) == text


def test_very_long_sentences_are_cut_between_clauses_and_never_inside_a_word() -> None:
    text = "; ".join(["so weit die Füße tragen, und noch weiter als das"] * 40) + "."
    found = sentences(text, "de")
    assert all(len(sentence) <= MAX_LENGTH for sentence in found)
    assert all(sentence[-1] in ";." for sentence in found)
    assert " ".join(found) == text
    assert sentences("x" * 3000, None) == ("x" * 3000,)


def test_hostile_repetition_loses_no_character() -> None:
    for unit in (*".a。\n「あ", "a. ", "x\n", "Dr. ", "a, ", "?!", "- a\n", '."', ". a", "　\n"):
        text = unit * (20_000 // len(unit))
        found = sentences(text, None)
        assert "".join("".join(found).split()) == "".join(text.split()), unit


@pytest.mark.skipif(not TEXTS, reason="the corpus lies beside the repository and is not here")
def test_no_character_of_a_book_is_lost() -> None:
    expected = json.loads((CORPUS / "EXPECTED.json").read_text("utf-8"))["files"]
    for name in TEXTS:
        facts = expected[f"text/{name}"]
        text = (CORPUS / "text" / name).read_bytes().decode(facts["encoding"])
        found = sentences(text, facts["language"])
        assert "".join("".join(found).split()) == "".join(text.split()), name
        assert facts["non_blank_lines"] / 8 < len(found) < facts["non_blank_lines"] * 4, name
        assert max(map(len, found)) <= MAX_LENGTH, name
