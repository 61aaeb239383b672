"""Sentences across cues: where they go on and where they do not, in several languages, and as far as their limits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.language.cue_sentences import (
    MAX_CUES,
    MAX_LENGTH,
    CuePart,
    cuts_sentences,
    each_sentence,
    find_sentence_at,
    find_sentence_forms,
)
from tui.records.transcripts import Cue

pytestmark = pytest.mark.exhaustive


def timed(texts: list[str], gap_ms: int = 100) -> list[Cue]:
    """Cues of two seconds, one after the other."""
    return [
        Cue(index, index * (2000 + gap_ms), index * (2000 + gap_ms) + 2000, text) for index, text in enumerate(texts)
    ]


def texts_of(cues: list[Cue], language: str | None, *, cutting: bool = False) -> list[str]:
    return [sentence.text for sentence in each_sentence(cues, language, cutting=cutting)]


CUES = (
    (
        "en",
        "I spent several years / building tools. / Then I left.",
        "I spent several years building tools.|Then I left.",
    ),
    ("en", "At Mila, / University of Montreal. Good.", "At Mila, University of Montreal.|Good."),
    ("en", "I was going... / ...to tell you. / Honest.", "I was going... to tell you.|Honest."),
    ("en", "I thought… / maybe tomorrow. / Well… / No.", "I thought… maybe tomorrow.|Well…|No."),
    ("en", "Is that you, Dr. / Smith? / Yes.", "Is that you, Dr. Smith?|Yes."),
    ("en", "What are you? / nothing. / “Stop!” / he said.", "What are you?|nothing.|“Stop!” he said."),
    ("en", "We learn about the / Hugging Face library.", "We learn about the Hugging Face library."),
    ("en", "You know what / I mean.", "You know what I mean."),
    ("en", "Everything is safe / Come here / now.", "Everything is safe|Come here now."),
    ("en", "LONDON, 1945 / it rained.", "LONDON, 1945|it rained."),
    ("en", "I only wanted to - / What?", "I only wanted to -|What?"),
    ("en", "- Are you / - No. / - coming?", "- Are you|- No.|- coming?"),
    ("en", "- Yes\n- No / of course.", "- Yes|- No of course."),
    ("en", "[door creaks] / and then / ♪ la la / la ♪ / he left.", "[door creaks]|and then|♪ la la|la ♪|he left."),
    ("en", "train model A. / Suppose that", "train model A.|Suppose that"),
    ("de", "Ich habe einen / Hund gesehen. / Ja.", "Ich habe einen Hund gesehen.|Ja."),
    ("de", "Wir treffen uns am 3. / Mai um acht.", "Wir treffen uns am 3. Mai um acht."),
    ("de", "Komm her / Das ist gut.", "Komm her|Das ist gut."),
    ("de", "„Warum?“ / fragte er.", "„Warum?“ fragte er."),
    ("fr", "C'est l'un des / outils open source. / Bon.", "C'est l'un des outils open source.|Bon."),
    ("fr", "Elle habite avec / Paul. / « Tiens\u00a0! » / dit-il.", "Elle habite avec Paul.|« Tiens ! » dit-il."),
    ("es", "Mira, Celia, / debemos irnos. / ¿Vale?", "Mira, Celia, debemos irnos.|¿Vale?"),
    ("es", "Es una trampa / A tu izquierda / hay jardines.", "Es una trampa|A tu izquierda hay jardines."),
    ("ru", "Этот курс научит вас / всему, что нужно. / Да?", "Этот курс научит вас всему, что нужно.|Да?"),
    ("ja", "美咲は四月に、 / この町へ来た。 / 一人で。", "美咲は四月に、この町へ来た。|一人で。"),
    ("ja", "もう行こう / 早く", "もう行こう|早く"),
    ("ja", "僕は… / …何でもない。", "僕は…何でもない。"),
    ("zh", "在加入之前， / 我是老师。好。", "在加入之前，我是老师。|好。"),
    ("ko", "그는 서울에서, / 살았다. / 그래.", "그는 서울에서, 살았다.|그래."),
    ("th", "ฉันไปตลาด / แม่อยู่บ้าน", "ฉันไปตลาด|แม่อยู่บ้าน"),
    ("el", "Πού είσαι; / Εδώ και / παντού.", "Πού είσαι;|Εδώ και παντού."),
)


def test_sentences_go_on_in_the_next_cue_or_do_not() -> None:
    for language, cues, sentences in CUES:
        assert texts_of(timed(cues.split(" / ")), language) == sentences.split("|")
    assert texts_of([], None) == []


def test_a_transcript_without_capitals_that_cuts_its_sentences_is_joined_where_no_stop_stands() -> None:
    cut = timed(["这是一个", "很长的句子。", "他来自", "北京。"])
    assert cuts_sentences(cut)
    assert texts_of(cut, "zh", cutting=cuts_sentences(cut)) == ["这是一个很长的句子。", "他来自北京。"]
    for whole in (
        ["机器很精确", "小心", "好"],
        ["你好。", "我来了。", "机器很精确", "小心。", "好。", "走。", "来。", "去。"],
    ):
        assert not cuts_sentences(timed(whole))


def test_a_pause_another_speaker_and_cues_that_are_shown_at_once_part_sentences() -> None:
    one, two = timed(["I spent years", "building tools."])
    late = replace(two, start_ms=8000, end_ms=9000)
    at_once = replace(two, start_ms=one.start_ms)
    anna, ben = replace(one, speaker="Anna"), replace(two, speaker="Ben")
    assert texts_of([one, two], "en") == ["I spent years building tools."]
    assert texts_of([anna, two], "en") == ["I spent years building tools."], "a speaker is told once"
    for first, second in ((one, late), (one, at_once), (anna, ben), (one, ben)):
        assert texts_of([first, second], "en") == ["I spent years", "building tools."]


def test_a_sentence_has_the_time_of_its_cues_and_says_where_it_stands_in_them() -> None:
    cues = timed(["Yes. I spent", "many years\nthere. And", "now?"])
    yes, years, now = each_sentence(cues, "en", cutting=False)
    assert years.text == "I spent many years there."
    assert years.parts == (CuePart(0, 5, 12), CuePart(1, 0, 17))
    assert (years.first, years.last, years.start_ms, years.end_ms) == (0, 1, 0, 4100)
    assert (yes.start_ms, yes.end_ms) == (0, 2000), "no time inside a cue is known"
    assert (now.text, now.start_ms, now.end_ms) == ("And now?", 2100, 6200)


def test_the_sentences_of_a_text_without_times_are_not_joined_to_its_headings() -> None:
    cues = [Cue(0, None, None, "第一章"), Cue(1, None, None, "吾輩は猫である。"), Cue(2, None, None, "CHAPTER ONE")]
    assert texts_of(cues, "ja", cutting=True) == ["第一章", "吾輩は猫である。", "CHAPTER ONE"]


def test_a_sentence_of_too_many_cues_or_characters_is_left_in_them() -> None:
    words = ["and so it went"] * (MAX_CUES + 1)
    assert texts_of(timed(words), "en") == words
    assert texts_of(timed(words[:-1]), "en") == [" ".join(words[:-1])]
    long = ["a word " * (MAX_LENGTH // 14) + "more", "and " * (MAX_LENGTH // 8) + "more", "and the end. Then", "rest."]
    assert texts_of(timed(long), "en") == [long[0], long[1], "and the end.", "Then rest."]


def test_the_words_of_sentences_are_places_among_the_different_forms() -> None:
    found = find_sentence_forms(timed(["Der Zug kommt. Der Zug,", "der Zug steht.", "…", "Komm!"]), "de")
    assert [form.form for form in found.different] == ["der", "zug", "kommt", "steht", "komm"]
    assert list(found.sentences) == [(0, 0, (0, 1, 2)), (0, 15, (0, 1, 0, 1, 3)), (2, 0, (4,))]


def test_they_end_at_the_sentence_at_which_its_check_raises() -> None:
    asked = 0

    def check() -> None:
        nonlocal asked
        asked += 1
        if asked == 3:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        find_sentence_forms(timed([f"Der Zug {number} kommt." for number in range(100)]), "de", check)
    assert asked == 3


_PIECES = (
    *("and", "I", "Dr.", "Hund", "went.", "what?", "…", "...no"),
    *("- Yes", "\n", "[x]", "だ。", "は、", "«", "»", "A."),
)
_TEXTS = st.lists(st.sampled_from(_PIECES), max_size=8).map(" ".join)
_CUES = st.lists(st.tuples(_TEXTS, st.integers(-500, 4000)), max_size=60)


def _from(drawn: list[tuple[str, int]]) -> list[Cue]:
    cues, moment = [], 1000
    for index, (text, gap) in enumerate(drawn):
        moment = max(0, moment + gap)
        cues.append(Cue(index, moment, moment + 1000, text))
        moment += 1000
    return cues


@settings(max_examples=100)
@given(_CUES, st.sampled_from(["en", "de", "ja", None]), st.booleans())
def test_every_character_is_in_one_sentence_and_the_neighbours_of_a_cue_are_enough_to_find_it(
    drawn: list[tuple[str, int]], language: str | None, cutting: bool
) -> None:
    cues = _from(drawn)
    sentences = list(each_sentence(cues, language, cutting=cutting))
    parts = [part for each in sentences for part in each.parts]
    said = "".join(cues[part.cue].text[part.start : part.end] for part in parts)
    assert "".join(said.split()) == "".join("".join(cue.text for cue in cues).split())
    assert [(part.cue, part.start) for part in parts] == sorted((part.cue, part.start) for part in parts)
    for sentence in sentences:
        for part in sentence.parts:
            near = cues[max(0, part.cue - MAX_CUES) : part.cue + MAX_CUES + 1]
            assert find_sentence_at(near, part.cue, part.start, language, cutting=cutting) == sentence
