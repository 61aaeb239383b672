"""Words of transcripts and what is known of them, with the segmenters that are installed."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.language.segmenting import needs_segmenter
from tests.llm.breaking_down import listen
from tests.service.steps import read, refusal
from tui.errors import NotFound
from tui.language import segmentation
from tui.language import words as plain
from tui.language.word import Word
from tui.service.protocol import Service
from tui.service.requests import BreakdownRequest, ExplainRequest


@needs_segmenter("ja")
async def test_words_of_cues_come_with_their_dictionary_forms_and_readings(service: Service, tmp_path: Path) -> None:
    transcript = await read(service, tmp_path / "駅.ja.srt", "昨日学校へ行った。\n1, 2\n月曜日に会う。")
    cues = await service.transcripts.words(transcript)
    assert [cue.index for cue in cues] == [0, 1, 2]
    assert [(word.text, word.start, word.lemma, word.reading) for word in cues[0].words] == [
        ("昨日", 0, "昨日", "きのう"),
        ("学校", 2, "学校", "がっこう"),
        ("へ", 4, "へ", None),
        ("行っ", 5, "行く", "いっ"),
        ("た", 7, "た", None),
    ]
    assert [(word.text, word.lemma) for word in cues[1].words] == [("1", None), ("2", None)]
    assert await service.transcripts.words(transcript, offset=2, limit=1) == cues[2:]
    assert await service.transcripts.words(transcript, offset=9) == ()
    assert await service.transcripts.words(transcript, limit=0) == ()
    assert isinstance(await refusal(service.transcripts.words("nothing")), NotFound)
    plain = await read(service, tmp_path / "zug.de.srt", "Der Zug fährt ab.")
    assert await service.transcripts.words(plain) == (), "without a segmenter they are left to the reader"


async def test_the_loop_loads_no_dictionary(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    transcript = await read(service, tmp_path / "zug.srt", "Der Zug fährt ab.", "th")
    loaded_in = set[str]()

    class Slow:
        def words(self, text: str) -> Iterator[Word]:
            return iter(())

    def load(row: segmentation.Row) -> Slow:
        loaded_in.add(threading.current_thread().name)
        return Slow()

    monkeypatch.setattr(segmentation, "_loaded", load)
    monkeypatch.setattr(segmentation, "is_installed", lambda row: True)
    word, model = "วันนี้", "lexicon:concordance"
    for asked in (
        service.transcripts.words(transcript),
        service.words.summary(word, language="th"),
        listen(service.llm.breakdown(BreakdownRequest(word, word, model=model, language="th"))),
        listen(service.llm.explain(ExplainRequest(word, model=model, language="th"))),
    ):
        loaded_in.clear()
        assert await asked
        assert loaded_in and threading.main_thread().name not in loaded_in


@needs_segmenter("ja")
async def test_what_is_listed_is_counted_and_forms_of_a_verb_together(service: Service, tmp_path: Path) -> None:
    transcript = await read(service, tmp_path / "駅.ja.srt", "昨日学校へ行った。\n月曜日に行きます。\n行くよ。")
    for cue in await service.transcripts.words(transcript):
        for word in cue.words:
            assert (await service.words.summary(word.text, language="ja")).occurrences > 0, word
    summary = await service.words.summary("月曜日", language="ja")
    assert (summary.occurrences, summary.focus.lemma, summary.focus.reading) == (1, "月曜日", "げつようび")
    await service.words.summary("行っ", language="ja")
    await _lemmas_are_there(service, count=3)
    summary = await service.words.summary("行っ", language="ja")
    assert (summary.occurrences, summary.focus.lemma, summary.focus.reading) == (3, "行く", "いっ")
    assert len(await service.words.concordance("行っ", language="ja")) == 3


@needs_segmenter("ko")
async def test_korean_words_are_counted_under_the_stem_that_a_dictionary_has(service: Service, tmp_path: Path) -> None:
    await read(service, tmp_path / "친구.ko.srt", "친구를 만났어요.\n내일 친구와 만나요.")
    await service.words.summary("친구를", language="ko")
    await _lemmas_are_there(service, "친구를", "ko")
    summary = await service.words.summary("친구를", language="ko")
    assert (summary.occurrences, summary.focus.lemma, summary.focus.reading) == (2, "친구", None)


async def _lemmas_are_there(service: Service, word: str = "行っ", language: str = "ja", *, count: int = 2) -> None:
    """Wait until the forms of the library have their lemmas, which are looked up in the background."""
    while (await service.words.summary(word, language=language)).occurrences < count:
        pass


@needs_segmenter("ja")
async def test_a_segmenter_may_come_later(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmentation, "find_spec", lambda name: None)
    segmentation.is_installed.cache_clear()
    transcript = await read(service, tmp_path / "村.ja.srt", "羅生門の下で待つ。\n羅生門だ。")
    counted = {word.text for word in plain.words("羅生門の下で待つ。", "ja")}
    monkeypatch.undo()
    segmentation.is_installed.cache_clear()
    listed = {word.text for cue in await service.transcripts.words(transcript) for word in cue.words}
    assert listed != counted, "the two cut alike here, so this test shows nothing"
    for word in listed:
        assert (await service.words.summary(word, language="ja")).occurrences > 0, word


async def test_words_of_the_stories_have_meanings_with_nothing_installed(service: Service) -> None:
    words = service.words
    leaves = await words.summary("fährt", language="de", sentence="Hoffentlich fährt er überhaupt noch ab.")
    assert (leaves.focus.lemma, leaves.focus.part_of_speech, leaves.focus.level) == ("abfahren", "separable verb", "A1")
    assert leaves.focus.meanings == ("to depart, to leave (trains, buses, drivers)",)
    alone = (await words.summary("fährt", language="de")).focus
    assert alone.lemma == "fahren"
    assert "to drive" in alone.meanings[0]
    for word, language, meaning in (
        ("loro", "es-MX", "parrot"),
        ("parapluie", "fr", "umbrella"),
        ("カレー", "ja", "curry"),
    ):
        assert meaning in " ".join((await words.summary(word, language=language)).focus.meanings)
    for word, other in (("Quantenchromodynamik", "de"), ("loro", "it"), ("loro", None)):
        assert (await words.summary(word, language=other)).focus.meanings == ()
