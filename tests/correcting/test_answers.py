"""Answers: what names no line changes none, whatever a model counts, repeats, invents or leaves out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.correcting.fake_model import Entry, shift
from tests.hostile import FORBIDDEN, HOSTILE
from tui.correcting.answers import AnsweredLine, BatchResult, read_corrections, read_translations
from tui.correcting.batches import Batch
from tui.records.transcripts import MAX_CUE_TEXT

LINES = ("lch bin da.", "Ja.", "Wo warst\ndu so langge?", "Ja.", "Im Krankenhuas.", "Ja.", "Ja.", "Gut.")
RIGHT = {
    "lch bin da.": "Ich bin da.",
    "Wo warst\ndu so langge?": "Wo warst\ndu so lange?",
    "Im Krankenhuas.": "Im Krankenhaus.",
}
BATCH = Batch(40, LINES, language="de")
GOOD = [Entry(at, line, RIGHT[line]) for at, line in enumerate(LINES, 1) if line in RIGHT]
CHANGED = {40: "Ich bin da.", 42: "Wo warst\ndu so lange?", 44: "Im Krankenhaus."}


def correct(*entries: Entry, batch: Batch = BATCH) -> BatchResult:
    return read_corrections(batch, [AnsweredLine(*entry) for entry in entries])


def texts(result: BatchResult) -> dict[int, str]:
    return {change.cue_index: change.after for change in result.changes}


def test_lines_that_are_answered_change_and_no_others() -> None:
    result = correct(*GOOD)
    assert (texts(result), result.refused, result.left) == (CHANGED, 0, ())
    assert [change.before for change in result.changes] == list(RIGHT)
    assert not any(change.is_doubtful for change in result.changes)
    assert correct() == BatchResult()


@pytest.mark.parametrize("by", [-3, -1, 1, 3, 100])
def test_an_answer_that_is_shifted_reaches_its_lines_all_the_same(by: int) -> None:
    result = correct(*shift(GOOD, by))
    assert (texts(result), result.refused) == (CHANGED, 0)


def test_an_answer_with_the_right_number_is_not_robbed_of_its_line_by_one_that_comes_before() -> None:
    assert texts(correct(Entry(3, "Ja.", "Ja!"), Entry(4, "Ja.", "Ja?"))) == {41: "Ja!", 43: "Ja?"}


def test_of_the_same_line_four_times_the_one_with_the_number_changes_else_the_nearest_that_is_left() -> None:
    assert texts(correct(Entry(6, "Ja.", "Ja!"))) == {45: "Ja!"}
    assert texts(correct(Entry(5, "Ja.", "Ja!"))) == {43: "Ja!"}
    four = [Entry(8, "Ja.", f"Ja{sign}") for sign in "!?,…"]
    assert texts(correct(*four)) == {46: "Ja!", 45: "Ja?", 43: "Ja,", 41: "Ja…"}
    fifth = correct(*four, Entry(8, "Ja.", "Ja;"))
    assert (len(fifth.changes), fifth.refused) == (4, 1)


def test_a_line_that_is_named_twice_keeps_the_first_and_the_second_goes_to_no_other() -> None:
    result = correct(Entry(2, "Ja.", "Ja!"), Entry(2, "Ja.", "Ja?"))
    assert (texts(result), result.refused) == ({41: "Ja!"}, 1)
    assert correct(Entry(1, LINES[0], "Ich bin da."), Entry(7, LINES[0], "Ich war da.")).refused == 1


def test_what_quotes_no_line_is_refused() -> None:
    invented = (Entry(1, "Ich bin da.", "Ich war da."), Entry(2, "", "Ja!"), Entry(99, "Nein.", "Nein!"))
    assert correct(*invented) == BatchResult(refused=3)
    context = Batch(40, ("Ja.",), before=("Nien.",), behind=("Gtu.",))
    assert correct(Entry(1, "Nien.", "Nein."), Entry(2, "Gtu.", "Gut."), batch=context) == BatchResult(refused=2)


def test_quotes_differ_in_white_space_at_most() -> None:
    for quote in ("Wo warst du so langge?", " Wo  warst\r\ndu so langge? ", "Wo warst\u3000du so langge?"):
        assert texts(correct(Entry(3, quote, "Wo warst\ndu so lange?"))) == {42: CHANGED[42]}, quote
    for quote in ("wo warst\ndu so langge?", "Wo warst\ndu so langge", "Wo warst\ndu so länge?"):
        assert correct(Entry(3, quote, "Wo warst\ndu so lange?")).refused == 1, quote
    japanese = Batch(0, ("昨日の夜\nご飯お食べた",), language="ja")
    assert texts(correct(Entry(1, "昨日の夜ご飯お食べた", "昨日の夜\nご飯を食べた"), batch=japanese)) == {
        0: "昨日の夜\nご飯を食べた"
    }


def test_a_text_that_is_the_same_is_no_change() -> None:
    for text in ("Wo warst\ndu so langge?", " Wo warst \n\n du so langge?\x00", "Wo warst du so langge?"):
        assert correct(Entry(3, LINES[2], text)) == BatchResult(), text
    for untidy, text in ((" Ja.\t", "Ja."), ("Ja.\n\nGut.", "Ja.\nGut.")):
        assert correct(Entry(1, untidy, text), batch=Batch(0, (untidy,))) == BatchResult()


DOUBTFUL = {
    "another text": ("Im Krankenhuas.", "Bei meiner Tante."),
    "no text": ("Im Krankenhuas.", ""),
    "nothing to be seen": ("Im Krankenhuas.", "\u200b \u200e"),
    "a translation": ("Ich weiß nicht, was ich tun soll.", "I do not know what I should do."),
    "letters of another script": ("Im Haus.", "Im Наus."),
    "another language that looks alike": (
        "Jeg vet ikke hva du mener, men det er ikke noe som jeg ser.",
        "Jag vet inte vad du menar, men det är inte något som jag ser.",
    ),
    "a tag lost in the middle": ("Das ist <i>meinn</i> Haus.", "Das ist mein Haus."),
    "a line break lost": ("昨日の夜\nご飯お食べた", "昨日の夜ご飯を食べた"),
}
BELIEVED = {
    "half of it": ("abcd", "abxy"),
    "a script that the same words are written in": ("きのうはあめだったよ。", "昨日はあめだったよ。"),
    "letters of another script put right": ("Im Наus.", "Im Haus."),
    "a space": ("Ich habedich gesehen.", "Ich habe dich gesehen."),
    "tags put back": ("<i>Halo, du.</i>", "Hallo, du."),
}


@pytest.mark.parametrize("case", [*DOUBTFUL, *BELIEVED])
def test_somebody_has_to_look_at_what_may_be_wrong(case: str) -> None:
    before, after = (DOUBTFUL | BELIEVED)[case]
    [change] = correct(Entry(1, before, after), batch=Batch(7, (before,))).changes
    assert (change.cue_index, change.before, change.is_doubtful) == (7, before, case in DOUBTFUL)


def test_a_line_that_is_to_be_emptied_has_no_text_afterwards() -> None:
    for text in ("", " \n\t", "\u200b", "\x1b[0m"):
        assert [(change.after, change.is_doubtful) for change in correct(Entry(8, "Gut.", text)).changes] == [
            ("", True)
        ]


def test_nothing_in_an_answer_reaches_a_terminal() -> None:
    for name, text in HOSTILE.items():
        [change] = correct(Entry(8, "Gut.", text)).changes
        assert not set(change.after) & set(FORBIDDEN), name
    assert texts(correct(Entry(8, "Gut.", "G\x00ut\x1b[31m!\ud83d"))) == {47: "Gut!\ufffd"}


def test_a_text_that_is_longer_than_a_cue_can_be_is_refused() -> None:
    assert correct(Entry(8, "Gut.", "x" * (MAX_CUE_TEXT + 1))) == BatchResult(refused=1)
    assert texts(correct(Entry(8, "Gut.", "x" * MAX_CUE_TEXT))) == {47: "x" * MAX_CUE_TEXT}


ENTRIES = st.lists(
    st.builds(Entry, st.integers(-3, 20), st.sampled_from([*LINES, "Nein.", ""]), st.sampled_from(["Ja!", "", "Gut."])),
    max_size=20,
)


@settings(max_examples=200, deadline=None)
@given(ENTRIES)
def test_whatever_is_answered_a_change_is_of_the_line_that_was_quoted(entries: list[Entry]) -> None:
    result = correct(*entries)
    assert len({change.cue_index for change in result.changes}) == len(result.changes) <= len(entries) - result.refused
    for change in result.changes:
        assert change.before == LINES[change.cue_index - 40]
        assert any(change.before == entry.original and change.after == entry.text for entry in entries)


ENGLISH = ["I'm here.", "Yes.", "Where were you\nso long?", "Yes.", "In hospital.", "Yes.", "Yes.", "Good."]
TRANSLATED = [Entry(at, line, text) for at, (line, text) in enumerate(zip(LINES, ENGLISH, strict=True), 1)]


def translate(*entries: Entry, batch: Batch = BATCH, into: str | None = "en") -> BatchResult:
    return read_translations(batch, [AnsweredLine(*entry) for entry in entries], into)


def test_a_translation_has_a_text_for_every_line_and_what_is_missing_is_listed() -> None:
    whole = translate(*TRANSLATED)
    assert (list(texts(whole).values()), whole.refused, whole.left) == (ENGLISH, 0, ())
    assert not any(change.is_doubtful for change in whole.changes)
    shifted = translate(*shift([TRANSLATED[0], TRANSLATED[2], TRANSLATED[4]], 3))
    assert texts(shifted) == {40: ENGLISH[0], 42: ENGLISH[2], 44: ENGLISH[4]}
    assert shifted.left == (41, 43, 45, 46, 47)
    short = translate(*TRANSLATED[:3], Entry(5, LINES[4], " "), Entry(8, "Schlecht.", "Bad."))
    assert (short.left, short.refused) == ((43, 44, 45, 46, 47), 1)
    assert translate().left == tuple(range(40, 48))


def test_a_translation_keeps_the_markup_at_its_ends_and_a_name_may_be_the_same() -> None:
    batch = Batch(0, ("- Anna!\n- Ja.", "<i>Das ist gut.</i>", "Celia!"))
    given = (
        Entry(1, batch.lines[0], "Anna!\nYes."),
        Entry(2, batch.lines[1], "That is good."),
        Entry(3, "Celia!", "Celia!"),
    )
    result = translate(*given, batch=batch)
    assert [each.after for each in result.changes] == ["- Anna!\n- Yes.", "<i>That is good.</i>", "Celia!"]
    assert not any(each.is_doubtful for each in result.changes)
    assert not translate(given[2], batch=Batch(0, ("Celia!",)), into="ja").changes[0].is_doubtful
    two = Batch(0, ("- Anna, komm!\n- Ja.",))
    [change] = translate(Entry(1, two.lines[0], "Anna!\nYes, sir."), batch=two).changes
    assert change.after == "- Anna!\n- Yes, sir."


def test_a_translation_into_another_language_than_was_asked_for_is_doubtful() -> None:
    german, japanese = "Ich weiß nicht, was ich mit dir machen soll.", "何をすればいいのか分からない。"
    for into, text, is_doubtful in (
        ("en", german, True),
        ("en", japanese, True),
        ("en", "Je ne sais pas ce que je dois faire avec toi.", True),
        ("en", "I do not know what to do with you.", False),
        ("ja", japanese, False),
        ("ja", "Wakaranai yo.", True),
        ("ja", "42!", False),
        (None, german, False),
    ):
        [change] = translate(Entry(1, german, text), batch=Batch(0, (german,), language="de"), into=into).changes
        assert change.is_doubtful is is_doubtful, (into, text)
