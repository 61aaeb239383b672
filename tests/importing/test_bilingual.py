"""Subtitles in two languages in one file, which is split."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.importing.corpus import CORPUS, IS_HERE, REASON
from tui import samples
from tui.errors import ImportRefused
from tui.importing.parse import ParsedFile, parse

GERMAN = (
    "Warten Sie schon lange hier?",
    "Seit einer Stunde, der Zug hat Verspätung.",
    "Das ist der letzte heute.",
    "Ich hoffe, dass er überhaupt noch kommt.",
    "Und wohin fahren Sie jetzt?",
    "Ich besuche einen alten Freund von der Schule.",
    "Der Freund wohnt nicht weit von hier, aber ich war noch nie dort.",
)
ENGLISH = (
    "Have you been waiting here for long?",
    "For an hour, the train is late.",
    "This is the last one today.",
    "I hope that it will come at all.",
    "And where are you going now?",
    "I am going to see an old friend from school.",
    "The friend doesn't live far from here, but I have never been there.",
)


def srt(*texts: str, together: int = 1) -> bytes:
    """Cues of these texts, as many of them at the same time as ``together`` says."""
    return "".join(
        f"{number + 1}\n00:00:{number // together * 2:02},000 --> 00:00:{number // together * 2 + 1:02},500\n{text}\n\n"
        for number, text in enumerate(texts)
    ).encode()


STACKED = srt(*map("\n".join, zip(GERMAN, ENGLISH, strict=True)))
DOUBLED = srt(*(text for both in zip(GERMAN, ENGLISH, strict=True) for text in both), together=2)


def texts(parsed: ParsedFile) -> list[tuple[str | None, tuple[str, ...]]]:
    return [(each.language, tuple(cue.text for cue in each.cues)) for each in parsed.transcripts]


@pytest.mark.parametrize("data", [STACKED, DOUBLED], ids=["stacked", "doubled"])
def test_a_subtitle_is_split_where_its_name_or_somebody_says_both_languages(data: bytes) -> None:
    parsed = parse("Der letzte Zug.de-en.srt", data)
    assert texts(parsed) == texts(parse("film.srt", data, language="de+en")) == [("de", GERMAN), ("en", ENGLISH)]
    assert {each.title for each in parsed.transcripts} == {"Der letzte Zug"}
    one, other = parsed.transcripts
    assert [cue.start_ms for cue in one.cues] == [cue.start_ms for cue in other.cues]
    assert [cue.index for cue in other.cues] == list(range(len(ENGLISH)))
    whole = parse("film.srt", data)
    assert [each.language for each in whole.transcripts] == ["de"]
    assert parsed.languages == whole.languages == ("de", "en"), "it says that it could be"


def test_lines_beside_each_other_are_told_apart_by_their_language_and_not_by_their_number() -> None:
    stacked = [f"{a}\n{b}" for a, b in zip(GERMAN, ENGLISH, strict=True)]
    stacked[0] = "Warten Sie\nschon lange hier?\nHave you been waiting here for long?"
    stacked[5] = "Ich besuche einen alten Freund von der Schule.\nI am going to see an\nold friend from school."
    one, other = parse("film.srt", srt(*stacked), language="de+en").transcripts
    assert one.cues[0].text == "Warten Sie\nschon lange hier?"
    assert other.cues[0].text == ENGLISH[0]
    assert one.cues[5].text == GERMAN[5]
    assert other.cues[5].text == "I am going to see an\nold friend from school."


def test_a_cue_in_one_language_stays_in_that_one_and_a_sign_in_both() -> None:
    stacked = [f"{a}\n{b}" for a, b in zip(GERMAN, ENGLISH, strict=True)]
    data = srt(*stacked, "Der Zug ist nicht da, aber ich hoffe", "The friend is going there", "2019")
    one, other = parse("film.srt", data, language="de+en").transcripts
    assert [cue.text for cue in one.cues[7:]] == ["Der Zug ist nicht da, aber ich hoffe", "2019"]
    assert [cue.text for cue in other.cues[7:]] == ["The friend is going there", "2019"]


def test_subtitles_in_one_language_have_none_to_split() -> None:
    two_lines = [f"{a}\n{b}" for a, b in pairwise(GERMAN)]
    shouts = srt("Los!\nLos!", "Nein!\nDoch!", "Oh!\nOh!")
    for data in (srt(*GERMAN), srt(*two_lines), srt(*GERMAN, together=2), shouts):
        parsed = parse("film.de-en.srt", data)
        assert len(parsed.transcripts) == 1
        assert parsed.languages == ()
        with pytest.raises(ImportRefused, match="not in two languages"):
            parse("film.srt", data, language="de+en")


def test_as_it_stands_in_the_file_it_is_split_only_where_somebody_names_both() -> None:
    assert len(parse("film.de-en.srt", STACKED, as_is=True).transcripts) == 1
    assert len(parse("film.de-en.srt", STACKED, as_is=True, language="de+en").transcripts) == 2


def test_the_languages_that_are_named_are_called_so() -> None:
    named = parse("film.srt", STACKED, language="en-GB, de-AT").transcripts
    assert [each.language for each in named] == ["de-AT", "en-GB"]
    assert len(parse("film.de-en.srt", STACKED, language="de").transcripts) == 1
    for given in ("de+", "de+en+fr", "de+de", "german+en"):
        with pytest.raises(ImportRefused, match="is no language tag"):
            parse("film.srt", STACKED, language=given)


def test_a_name_with_two_languages_is_no_reason_to_split_a_film_in_one() -> None:
    (transcript,) = parse("film.en-de.srt", samples.read(samples.SAMPLES[0])).transcripts
    assert transcript.language == "de"


@pytest.mark.skipif(not IS_HERE, reason=REASON)
@pytest.mark.parametrize(
    ("name", "languages"),
    [("talks/hf-course-00.zh-en-bilingual.srt", ["zh", "en"]), ("films/pepper-and-carrot-ep6.ja-en.ass", ["ja", "en"])],
)
def test_the_bilingual_files_of_the_corpus_are_split(name: str, languages: list[str]) -> None:
    parsed = parse(name.rsplit("/", 1)[-1], (CORPUS / name).read_bytes())
    assert [each.language for each in parsed.transcripts] == languages
