"""Subtitles in two languages: of one file, which is split, and of two, whose times are brought together."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from tests.importing.corpus import CORPUS, EXPECTED, IS_HERE, REASON, encoding_of
from tui import samples
from tui.errors import ImportRefused
from tui.importing.bilingual import Span, find_offset, find_overlaps
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


def speech(seed: int, cues: int = 300) -> list[Span]:
    """Cues as people speak: of one to five seconds, with pauses of none to thirty."""
    chance, spans, now = random.Random(seed), [], 5000
    for _ in range(cues):
        length = chance.randrange(1000, 5000)
        spans.append((now, now + length))
        now += length + chance.choice((100, 100, 800, 2500, 7000, 30000))
    return spans


def other_version(spans: list[Span], offset: int, seed: int = 1) -> list[Span]:
    """The same film in another language: some cues in two, some in one, times a little off, moved by the offset."""
    chance, others = random.Random(seed), []
    for start, end in spans:
        start, end = (moment - offset + chance.randrange(-80, 80) for moment in (start, end))
        if chance.random() < 0.2:
            middle = (start + end) // 2
            others += [(start, middle), (middle, end)]
        elif chance.random() < 0.2 and others and start - others[-1][1] < 500:
            others[-1] = (others[-1][0], end)
        else:
            others.append((start, end))
    return [span for span in others if span[0] >= 0]


@pytest.mark.parametrize("offset", [0, -1200, 24_500, 600_000, -1_500_000])
def test_the_offset_of_another_version_is_found(offset: int) -> None:
    ours = speech(1)
    found = find_offset(ours, other_version(ours, offset))
    assert found is not None
    assert abs(found - offset) < 120


def test_versions_that_hardly_differ_are_not_moved_and_other_films_have_no_offset() -> None:
    assert find_offset(speech(2), other_version(speech(2), 60)) == 0
    assert [find_offset(speech(seed), speech(seed + 100)) for seed in range(4)] == [None] * 4


def test_a_part_of_a_film_goes_with_the_whole() -> None:
    ours = speech(3)
    offset = ours[100][0]
    assert abs((find_offset(ours, other_version(ours, offset)[-180:]) or 0) - offset) < 120


def test_broken_times_have_no_offset() -> None:
    for broken in ([], [(-5000, -4000)], [(10**15, 10**15 + 5)], [(9000, 4000)]):
        assert find_offset(speech(4), broken) is None
        assert find_offset(broken, speech(4)) is None


def test_a_cue_goes_with_those_that_are_shown_for_more_than_half_of_the_shorter_one() -> None:
    ours = [(0, 1000), (1000, 3000), (5000, 6000), (9000, 9000)]
    theirs = [(100, 900), (900, 2050), (2050, 2950), (5600, 6600), (9000, 9000)]
    for moved in (0, 500):
        other = [(start - moved, end - moved) for start, end in theirs]
        assert list(find_overlaps(ours, other, moved)) == [(0,), (1, 2), (), (4,)]


def test_a_long_cue_goes_with_all_that_is_said_meanwhile() -> None:
    theirs = [(0, 60_000), *((second * 1000, second * 1000 + 900) for second in range(50))]
    assert all(0 in found for found in find_overlaps([(40_000, 42_000), (50_000, 51_000)], theirs, 0))


@pytest.mark.exhaustive
@pytest.mark.skipif(not IS_HERE, reason=REASON)
def test_the_films_of_the_corpus_are_found_in_every_language() -> None:
    """Each in each other of its own, and in one of the other film."""
    films: dict[str, list[list[Span]]] = {"tears-of-steel": [], "elephants-dream.f": []}
    for name in EXPECTED:
        for title, versions in films.items():
            if name.startswith(f"films/{title}"):
                (parsed,) = parse("x.srt", (CORPUS / name).read_bytes(), encoding=encoding_of(name)).transcripts
                versions.append([(cue.start_ms or 0, cue.end_ms or 0) for cue in parsed.cues])
    moved = {title: [[(a + 7340, b + 7340) for a, b in each] for each in its] for title, its in films.items()}
    for title, versions in films.items():
        other = next(its[0] for another, its in moved.items() if another != title)
        for number, ours in enumerate(versions):
            found = [find_offset(ours, each) for each in moved[title][number:]]
            assert all(each is not None and abs(each + 7340) < 1500 for each in found), (title, number)
            assert find_offset(ours, other) is None, (title, number)
