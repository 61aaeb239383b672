"""Markup that a model dropped is put back where there is one way to, and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.correcting.markup import list_marks, restore_markup

RESTORED = {
    "a pair of tags": ("<i>Halo, du.</i>", "Hallo, du.", "<i>Hallo, du.</i>"),
    "one of two tags": ("<i>Halo, du.</i>", "<i>Hallo, du.", "<i>Hallo, du.</i>"),
    "an override": (r"{\an8}Halo", "Hallo", r"{\an8}Hallo"),
    "an override and a tag": (r"{\an8}<i>Halo</i>", "<i>Hallo</i>", r"{\an8}<i>Hallo</i>"),
    "notes": ("♪ La la lla ♪", "La la la", "♪ La la la ♪"),
    "dashes of speakers": ("- Jah.\n- Nein.", "Ja.\nNein.", "- Ja.\n- Nein."),
    "dashes and the break": ("-Jah.\n-Nein.", "Ja. Nein.", "-Ja.\n-Nein."),
    "a break": ("Ich habe dich\ngesuhct.", "Ich habe dich gesucht.", "Ich habe dich\ngesucht."),
    "a break that is elsewhere": ("Ich habe dich\ngesuhct.", "Ich habe\ndich gesucht.", "Ich habe dich\ngesucht."),
    "a tag over two rows": (
        "<i>Ich habe\ndich gesuhct.</i>",
        "Ich habe\ndich gesucht.",
        "<i>Ich habe\ndich gesucht.</i>",
    ),
    "nothing, as it is kept": ("Das ist <i>meinn</i> Haus.", "Das ist <i>mein</i> Haus.", "Das ist <i>mein</i> Haus."),
    "a dash that is longer": ("-Ja", "– Ja", "– Ja"),
    "a minus is none": ("-5 Grad", "−5 Grad", "−5 Grad"),
    "markup that nobody asked for": ("Halo", "<b>♪ Hallo</b>", "Hallo"),
}
AMBIGUOUS = {
    "a tag in the middle": ("Das ist <i>meinn</i> Haus.", "Das ist mein Haus."),
    "tags at the ends that are of parts": ("<i>Das</i> ist <b>gutt</b>", "Das ist gut"),
    "a new tag in the middle": ("Das ist meinn Haus.", "Das ist <i>mein</i> Haus."),
    "a break and a word": ("<i>Ich habe\ndichgesucht.</i>", "Ich habe dich gesucht."),
    "a break in a script without spaces": ("昨日の夜\nご飯を", "昨日の夜ご飯を"),
}


@pytest.mark.parametrize("case", RESTORED)
def test_what_was_dropped_is_put_back(case: str) -> None:
    before, after, expected = RESTORED[case]
    assert restore_markup(before, after) == expected


@pytest.mark.parametrize("case", AMBIGUOUS)
def test_what_could_stand_anywhere_is_left_to_whoever_looks(case: str) -> None:
    before, after = AMBIGUOUS[case]
    assert restore_markup(before, after) == after


MARKED = st.text(alphabet="ab -–♪\n<>/i{}\\5.", max_size=40)


@settings(max_examples=300, deadline=None)
@given(MARKED)
def test_a_line_that_is_right_stays_as_it_is(text: str) -> None:
    assert restore_markup(text, text) == text


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab .", min_size=1).filter(str.strip), st.sampled_from(["<i>", "♪ ", "- ", r"{\an8}", "<i>- "]))
def test_any_markup_in_front_of_any_text_comes_back(text: str, mark: str) -> None:
    assert list_marks(restore_markup(f"{mark}x{text}", f"y{text.strip()}")) == list_marks(f"{mark}x{text}")


@pytest.mark.parametrize(
    "text", ["♪" * 20_000 + "x", "<i" * 10_000, "- " * 10_000, "{\\" * 10_000, " ♪" * 9_999 + "x♪"]
)
def test_long_runs_of_marks_take_no_time(text: str) -> None:
    assert restore_markup("Ja.", text + "\nJa.")
    assert restore_markup(text, "Ja.\nJa.")
