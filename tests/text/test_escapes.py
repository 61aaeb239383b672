"""Cells of tables: none is a formula, and each is read back as it was."""

from __future__ import annotations

from tui.text.escapes import guard_formula, unguard_formula

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def test_a_text_comes_back_as_it_was_however_often_it_is_written() -> None:
    for start in (*FORMULAS, "\t=", "'", "''", "'=", "''-", "'t", ""):
        text = f"{start}1+1"
        once = guard_formula(text)
        assert not once.startswith(FORMULAS)
        assert unguard_formula(once) == text
        assert unguard_formula(unguard_formula(guard_formula(once))) == text


def test_what_is_no_formula_is_left_as_it_is() -> None:
    for text in ("", "'", "'tis", "zu-Hause", "a=b", "'n Abend", "1+1"):
        assert guard_formula(text) == text == unguard_formula(text)
