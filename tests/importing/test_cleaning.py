"""Cleaning of cues: what is repeated, broken or labelled becomes what is spoken, and the file's cues stay beside it."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.importing.corpus import CORPUS, IS_HERE, REASON, encoding_of, files
from tui.importing import cleaning
from tui.importing.cleaning import clean_cues
from tui.importing.cue_list import REASONS, sort_cues
from tui.importing.parse import parse
from tui.importing.readers.cue_text import bracket_readings
from tui.importing.sounds import describes_sound
from tui.records.files import FileKind
from tui.records.transcripts import Cue, OriginalCue


def cues(*given: tuple[int, int, str]) -> list[Cue]:
    return [Cue(index, *each) for index, each in enumerate(given)]


def clean(
    given: Iterable[Cue], kind: FileKind = "subtitle", *, language: str | None = None, as_is: bool = False
) -> tuple[list[Cue], list[OriginalCue]]:
    kept, originals = clean_cues(list(given), kind, language=language, as_is=as_is)
    return list(kept), list(originals)


def one(text: str, kind: FileKind = "subtitle", language: str | None = None) -> Cue | None:
    """What becomes of a single cue, None where it is left out."""
    kept, _ = clean(cues((0, 2000, text)), kind, language=language)
    return kept[0] if kept else None


def test_captions_that_roll_up_become_one_cue_a_line_and_what_is_said_twice_stays() -> None:
    lines, rolling, start = ["good afternoon", "at the federal reserve", "no", "no"], list[tuple[int, int, str]](), 0
    for before, line in pairwise(["", *lines]):
        shown = f"{before}\n{line}".strip()
        rolling += [(start, start + 1500, shown), (start + 1500, start + 1510, line)]
        start += 1510
    kept, originals = clean(cues(*rolling))
    assert kept == cues(*((1510 * number, 1510 * number + 1510, line) for number, line in enumerate(lines)))
    assert [(cue.cue_index, cue.text) for cue in originals] == [
        (n // 2, text) for n, (_, _, text) in enumerate(rolling)
    ]
    assert {(cue.change, cue.reasons) for cue in originals} == {("merged", ("rolling",))}


def test_who_says_it_twice_in_an_ordinary_film_has_said_it_twice() -> None:
    said = enumerate(("Nein.", "Nein.", "Doch!", "Oh.", "", "Oh."))
    film = cues(*((1000 * second, 1000 * second + 1000, text) for second, text in said if text))
    assert clean(film) == (film, [])


def test_a_cue_for_each_frame_becomes_one() -> None:
    frames = [(1000 + 42 * n, 1042 + 42 * n, "KASSE") for n in range(20)]
    kept, originals = clean(sort_cues(cues((900, 3000, "Hallo."), *frames, (5000, 6000, "KASSE"))))
    assert kept == cues((900, 3000, "Hallo."), (1000, 1840, "KASSE"), (5000, 6000, "KASSE"))
    assert [(cue.cue_index, cue.change, cue.reasons) for cue in originals] == [(1, "merged", ("frames",))] * 20


def test_layers_of_the_same_text_become_one() -> None:
    kept, originals = clean(cues((0, 2000, "Titel"), (0, 2000, "Titel"), (0, 1500, "Titel")))
    assert [(cue.end_ms, cue.text) for cue in kept] == [(2000, "Titel"), (1500, "Titel")]
    assert [cue.reasons for cue in originals] == [("duplicate",)] * 2


def test_a_cue_that_ends_too_soon_is_shown_until_the_next() -> None:
    rows: list[tuple[int, int, int]] = [(500, 3000, 3000), (1000, 3000, 3000), (0, 60_000, 6000), (1000, 1000, 6000)]
    for end, following, mended in rows:
        for as_is in (False, True):
            kept, originals = clean(cues((1000, end, "kurz"), (following, 90_000, "lang")), as_is=as_is)
            assert [cue.end_ms for cue in kept] == [mended, 90_000]
            assert originals == [OriginalCue(0, "repaired", ("times",), 1000, end, "kurz")]


def test_sounds_for_the_deaf_go_into_a_field() -> None:
    rows: list[tuple[str, str | None, tuple[str, ...]]] = [
        ("[door creaks] Who is it?", "Who is it?", ("door creaks",)),
        ("Who [sighs], if anyone, is it?", "Who, if anyone, is it?", ("sighs",)),
        ("[en fond] À l’aide !", "À l’aide !", ("en fond",)),
        ("[en fond] À l’aide\u202f! C’est\xa0moi.", "À l’aide\u202f! C’est\xa0moi.", ("en fond",)),
        ("(SIGHS) All right.", "All right.", ("SIGHS",)),
        ("（ドアが開く音）\nだれ？", "だれ？", ("ドアが開く音",)),
        ("# Alle meine Entchen #", "Alle meine Entchen", ("♪",)),
        ("♪♪", None, ()),
        ("- [laughs]\n- Stop it.", "Stop it.", ("laughs",)),
        ("MANN: (lacht) Ja.", "Ja.", ("lacht",)),
        ("(lacht) Ja, gern.", "Ja, gern.", ("lacht",)),
        ("*seufzt*", None, ()),
        ("*Never* do that.", "*Never* do that.", ()),
        ("[a][b] x [c]", "x", ("a", "b", "c")),
        ("(and he knew it) nothing", "(and he knew it) nothing", ()),
        ("(nobody knows that, he thought)", "(nobody knows that, he thought)", ()),
        ("(EXIT.)", "(EXIT.)", ()),
        ("It (the train) is late.", "It (the train) is late.", ()),
        ("Note [1] and [12:30]", "Note [1] and [12:30]", ()),
        ("We're #1!", "We're #1!", ()),
    ]
    for raw, text, sounds in rows:
        cue = one(raw)
        assert (cue.text if cue else None, cue.sounds if cue else ()) == (text, sounds), raw


def test_what_stands_between_asterisks_is_speech_unless_all_its_words_are_of_sounds() -> None:
    rows: list[tuple[str | None, str, str | None, tuple[str, ...]]] = [
        ("de", "*Lauf weg, schnell!*", "*Lauf weg, schnell!*", ()),
        ("de", "*lacht!*", "*lacht!*", ()),
        ("de", "*er lacht über mich*", "*er lacht über mich*", ()),
        ("de", "*seufzt*", None, ()),
        ("de", "**Schrei** Also, bitte.", "Also, bitte.", ("Schrei",)),
        ("de", "Also, bitte. *Tür knarrt*", "Also, bitte.", ("Tür knarrt",)),
        ("de", "MANN: *lacht* Ja.", "Ja.", ("lacht",)),
        ("de", "- *kichert*\n- Hör auf!", "Hör auf!", ("kichert",)),
        ("de", "Er *lacht* nicht.", "Er *lacht* nicht.", ()),
        ("de", "*sighs*", "*sighs*", ()),
        ("en", "*Laughs nervously*\nSure.", "Sure.", ("Laughs nervously",)),
        ("ja", "＊ため息＊", None, ()),
        ("ja", "＊逃げろ＊", "＊逃げろ＊", ()),
        ("ja", "＊笑い声。＊", "＊笑い声。＊", ()),
        ("hi", "*भागो।*", "*भागो।*", ()),
        ("nn", "*dramatisk musikk*", None, ()),
        ("eo", "*soupire*", None, ()),  # without a list of its own, any counts
        (None, "*вздыхает*", None, ()),
        (None, "*Corre*", "*Corre*", ()),
    ]
    for language, raw, text, sounds in rows:
        cue = one(raw, language=language)
        assert (cue.text if cue else None, cue.sounds if cue else ()) == (text, sounds), raw


def test_sounds_are_known_in_many_languages() -> None:
    rows: list[tuple[str, str]] = [
        ("en", "sighs|phone ringing|footsteps approaching|clears throat|dramatic music continues|dog barking"),
        ("de", "seufzend|leises Lachen|Telefon klingelt|spannende Musik|es klopft|Schritte nähern sich|Türklopfen"),
        ("ru", "вздыхает|звонит телефон|стук в дверь|тревожная музыка|собака лает|смеётся"),
        ("tr", "İç çeker|telefon çalıyor|kapı gıcırtısı|gerilim müziği|köpek havlıyor|kahkaha"),
        ("ja", "ため息|電話の着信音|ドアが開く音|静かな音楽|犬が吠える|子供たちの笑い声"),
        ("zh-Hant", "嘆氣|電話鈴聲|敲門聲|緊張的音樂|大笑"),
        ("ko", "한숨|전화벨이 울린다|문 여는 소리|잔잔한 음악|웃음소리"),
    ]
    for language, sounds in rows:
        assert [each for each in sounds.split("|") if not describes_sound(each, language)] == [], language


@pytest.mark.exhaustive
@pytest.mark.skipif(not IS_HERE, reason=REASON)
def test_films_keep_their_speech_and_lose_their_sounds_between_asterisks() -> None:
    """Each sound that a film has in brackets, and each line that is spoken, as if it stood between asterisks."""
    sounds, missed, lost, spoken = list[str](), list[str](), list[str](), 0
    for name in files("srt", "vtt"):
        if not name.startswith("films/"):
            continue
        file = parse(name.rsplit("/", 1)[-1], (CORPUS / name).read_bytes(), encoding=encoding_of(name))
        for transcript in file.transcripts:
            lines = [line.rstrip(" .,!?…。！？") for cue in transcript.cues for line in cue.text.split("\n")]
            spoken += len(lines)
            lost += [line for line in lines if describes_sound(line, file.language)]
            said = [cue.text for cue in transcript.originals if "sound" in cue.reasons]
            found = ["".join(each) for text in said for each in re.findall(r"\[([^\]]+[^\]:])\]|\*([^*]+)\*", text)]
            found = [sound for sound in found if sound != "Test"]  # which a trailer has
            sounds += found
            missed += [sound for sound in found if not describes_sound(sound.strip(" !"), file.language)]
    assert len(sounds) >= 20
    assert len(missed) <= 0.02 * len(sounds), missed
    assert len(lost) <= 0.005 * spoken, lost  # cats that meow, and "the sounds of the machine"


def test_names_of_who_speaks_go_into_a_field() -> None:
    rows: list[tuple[str, str, str | None]] = [
        ("JOHN: Hello.", "Hello.", "John"),
        ("MAN 1:\nHello.", "Hello.", "Man 1"),
        ("ЖЕНЩИНА: Привет.", "Привет.", "Женщина"),
        ("[John] Hello.", "Hello.", "John"),
        ("[John]: Hello.", "Hello.", "John"),
        ("（田中）こんにちは", "こんにちは", "田中"),
        (">> JOHN: Hello.", "Hello.", "John"),
        (">> Hello.", "Hello.", None),
        (">> Hello.\n>> Hi.", "- Hello.\n- Hi.", None),
        ("–Hola.", "Hola.", None),
        ("- JOHN: Hello.\n- ANN: Hi.", "- Hello.\n- Hi.", "John, Ann"),
        ("Remember: never.", "Remember: never.", None),
        ("It is 10:30.", "It is 10:30.", None),
        ("NOBODY KNOWS WHAT THEY SAY THERE: no", "NOBODY KNOWS WHAT THEY SAY THERE: no", None),
        ("JOHN:", "JOHN:", None),
        ("-5 degrees", "5 degrees", None),
    ]
    for raw, text, speaker in rows:
        cue = one(raw)
        assert cue is not None, raw
        assert (cue.text, cue.speaker) == (text, speaker), raw


def test_readings_behind_chinese_characters_become_ruby_and_other_brackets_stay() -> None:
    rows: list[tuple[str, str | None]] = [
        ("漢字(かんじ)です", "漢字です"),
        ("漢字（カンジ）です", "漢字です"),
        ("漢[かん]字[じ]", "漢字"),
        ("東京（首都）です", None),
        ("そう（かな）", None),
        ("漢字(kanji)", None),
    ]
    for raw, plain in rows:
        for kind in ("subtitle", "text"):
            cue = one(raw, kind)
            assert cue is not None
            assert cue.text == (plain or raw)
            if plain:
                assert bracket_readings(cue) == raw.translate(str.maketrans("()（）", "[][]"))


def test_bars_of_microdvd_become_line_ends() -> None:
    cue = one("- Pourquoi ?|- Maintenant !")
    assert cue is not None and cue.text == "- Pourquoi ?\n- Maintenant !"
    assert one("a | b") == Cue(0, 0, 2000, "a | b")


def test_brackets_and_dashes_of_a_text_are_its_authors() -> None:
    for text in ("— Oui, dit-il.", "[Sie lacht.]", "JOHN: Hello.", "♪ la la"):
        assert one(text, "text") == Cue(0, 0, 2000, text)


def test_a_file_can_be_taken_as_it_is() -> None:
    text = b"1\n00:00:01,000 --> 00:00:02,000\nJOHN: Hi. [sighs]\n"
    assert parse("a.srt", text, as_is=True).transcripts[0].cues[0].text == "JOHN: Hi. [sighs]"
    transcript = parse("a.srt", text).transcripts[0]
    assert list(transcript.cues) == [Cue(0, 1000, 2000, "Hi.", "John", sounds=("sighs",))]
    changed = OriginalCue(0, "labelled", ("sound", "speaker"), 1000, 2000, "JOHN: Hi. [sighs]")
    assert list(transcript.originals) == [changed]


@pytest.mark.skipif(not IS_HERE, reason=REASON)
def test_a_talk_with_automatic_captions_has_its_spoken_lines() -> None:
    name = "fomc-2021-11-03-part1.en.vtt"
    transcript = parse(name, (CORPUS / "talks" / name).read_bytes()).transcripts[0]
    assert len(transcript.cues) == 817
    assert Counter(cue.change for cue in transcript.originals) == {"merged": 1613}


def test_frames_without_end_are_several_cues_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleaning, "MAX_ORIGINALS", 50)
    for step_ms in (0, 1):
        kept, originals = clean(cues(*((n * step_ms, n * step_ms + 10, "a") for n in range(101))))
        assert [cue.text for cue in kept] == ["a"] * 3
        assert len(originals) == 100, "the last one stands alone"


TOKENS = (*"[]():\n♪# aÜ（）|.<", "JOHN", "- ", ">>", "漢字", "かな")
ANY_CUES = st.lists(
    st.tuples(st.integers(0, 2000), st.integers(-50, 300), st.lists(st.sampled_from(TOKENS), min_size=1).map("".join)),
    max_size=30,
)


def test_a_long_cue_takes_as_long_as_its_parts() -> None:
    """A pattern that goes back and forth would take half a minute for one of them; all take a second."""
    begun = time.process_time()
    for token in (*TOKENS, " [", "(a", "# ", "- (", "A: ", "*a", "[a]", "a|", "漢(", ">> "):
        assert len(clean(cues((0, 2000, (token * 40_000)[:40_000].strip() or "a")))[0]) <= 1
    assert time.process_time() - begun < 10


@settings(max_examples=50, deadline=None)
@given(ANY_CUES)
def test_any_cues_are_cleaned_and_each_of_the_file_is_accounted_for(given_: list[tuple[int, int, str]]) -> None:
    ordered = sort_cues(Cue(0, start, start + length, text.strip()) for start, length, text in given_ if text.strip())
    kept, originals = clean(ordered)
    assert [cue.index for cue in kept] == list(range(len(kept)))
    assert all(cue.text.strip() == cue.text and cue.text for cue in kept)
    assert all((cue.end_ms or 0) > (cue.start_ms or 0) for cue in kept)
    changed = {original.cue_index for original in originals}
    assert len(originals) + sum(cue.index not in changed for cue in kept) == len(ordered)
    assert all(set(original.reasons) <= set(REASONS) for original in originals)
