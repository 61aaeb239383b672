"""The focus is marked where it stands as a word, in every script, and nowhere else."""

from __future__ import annotations

from tui.language.focus import find_focus_spans, split_at_focus

HEUTE = "Hoffentlich fährt er überhaupt noch ab."


MARKED: tuple[tuple[str, str, list[str]], ...] = (
    # whole words, the same case first
    (HEUTE, "fährt", ["fährt"]), (HEUTE, "überhaupt noch", ["überhaupt noch"]), ("Sie sieht sie.", "sie", ["sie"]),
    (HEUTE, "HOFFENTLICH", ["Hoffentlich"]), ("Die STRASSE ist lang.", "Straße", ["STRASSE"]),
    ("İstanbul'a gidiyor musun?", "GIDIYOR", ["gidiyor"]), ("What (now)?", "(now)", ["(now)"]),
    ("b & b <b>", "b", ["b"]),
    # with gaps
    (HEUTE, "fährt … ab", ["fährt", "ab"]), (HEUTE, "fährt...ab", ["fährt", "ab"]),
    (HEUTE, "fährt [...] ab", ["fährt", "ab"]), (HEUTE, "fährt ab", ["fährt", "ab"]),
    ("Aber abends fährt er aber ab.", "fährt … ab", ["fährt", "ab"]), ("Fährt er ab?", "fährt … ab", ["Fährt", "ab"]),
    (HEUTE, "ab … fährt", []), ("Er kommt an.", "fährt … ab", []),
    # white space and what is printed in another way than it is typed
    ("Das macht\nnichts aus.", "macht nichts", ["macht\nnichts"]), ("a  b", "a b", ["a  b"]),
    ("I don’t know.", "don't", ["don’t"]), ("Cafe\u0301 noir", "Café", ["Cafe\u0301"]),
    ("Café noir", "Cafe\u0301", ["Café"]), ("J'ai bu de l'eau.", "eau", ["eau"]),
    # never inside a word where words have spaces
    ("Abends fährt er ab.", "ab", ["ab"]), ("Er fährt.", "ab", []), ("Das Brot ist alt.", "rot", []),
    ("Das Brot ist alt.", "brot", ["Brot"]), ("Le café ferme.", "cafe", []), ("Le cafe\u0301e ferme.", "e", []),
    ("Um 17 Uhr.", "7", []), ("Он сказал.", "каз", []),
    # words that take others on
    ("하나만 나는 몰라.", "나", ["나"]), ("학교에 가요.", "학교", ["학교"]), ("والكتاب على الطاولة", "كتاب", ["كتاب"]),
    # scripts without spaces
    ("彼はもう駅に着いたかな。", "着いた", ["着いた"]), ("เขาไปโรงเรียนทุกวัน", "โรงเรียน", ["โรงเรียน"]),
    ("がっこう", "か", []), ("か\u3099っこう", "か", []),
    # nothing
    (HEUTE, "kommt", []), (HEUTE, "", []), (HEUTE, " … ", []), ("", "fährt", []),
)  # fmt: skip


def test_the_focus_is_found_in_its_sentence() -> None:
    for sentence, surface, marked in MARKED:
        spans = find_focus_spans(sentence, surface)
        assert [sentence[start:end] for start, end in spans] == marked, (sentence, surface)


def test_of_several_places_it_is_the_surest_and_a_part_of_a_word_for_those_who_ask_for_it() -> None:
    assert find_focus_spans("Wer ist er?", "er") == ((8, 10),)
    assert find_focus_spans("Sie sieht sie.", "sie") == ((10, 13),)
    assert find_focus_spans("하나만 나는 몰라.", "나") == ((4, 5),)
    for focus in ("rot", "BRO", "Brot … al"):
        assert find_focus_spans("Das Brot ist alt.", focus) == ()
        assert find_focus_spans("Das Brot ist alt.", focus, inside_words=True)


def test_the_pieces_are_the_whole_text() -> None:
    pieces = split_at_focus(HEUTE, find_focus_spans(HEUTE, "fährt … ab"))
    assert "".join(text for text, _ in pieces) == HEUTE
    assert [text for text, is_focus in pieces if is_focus] == ["fährt", "ab"]
