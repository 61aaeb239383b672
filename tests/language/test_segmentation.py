"""Words with their lemmas and readings where a segmenter is installed, and how well boundaries are found."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from tests.hostile import HOSTILE
from tests.importing.corpus import CORPUS, IS_HERE, REASON
from tests.language.segmenting import needs_segmenter
from tests.language.word_boundaries import Score, score
from tui.importing.parse import parse
from tui.language import segmentation
from tui.language import words as plain
from tui.language.segmentation import ROWS
from tui.language.word_form import WordForm, find_text_forms, find_word_form, has_characters

pytestmark = pytest.mark.exhaustive

ODD = "かｶﾞ゛\u3099漢字日本語ー々〇㍿㌔①Ⅷ😀𠮷e\u0301 \n。、abcＡ1２ไทยกขค้ำ가나乾淨了"
"""Characters that a library normalises, so that what it finds is longer or shorter than the text."""
SEGMENTED = [row.language for row in ROWS]
JA, TH = needs_segmenter("ja"), needs_segmenter("th")
each_language = pytest.mark.parametrize(
    "language", [pytest.param(each, marks=needs_segmenter(each)) for each in SEGMENTED]
)

WORDS = {
    "ja": {
        "昨日食べたカレーは、おいしかったです。": "昨日 昨日 きのう|食べ 食べる たべ|た た -|カレー カレー -|は は -"
        "|おいしかっ おいしい -|た た -|です です -",
        "四月七日、2人でTシャツを買った。": "四月 四月 しがつ|七日 七日 なのか|2人 2人 ふたり|で で -"
        "|Tシャツ Tシャツ てぃーしゃつ|を を -|買っ 買う かっ|た た -",
        "か\u3099っこう": "か\u3099っこう がっこう -",
        "三匹の犬とPython3": "三 三 -|匹 匹 -|の の -|犬 犬 いぬ|と と -|Python3 - -",
    },
    "zh": {
        "我们去公园ok，西安的银行！": "我们 我们 wǒmen|去 去 qù|公园 公园 gōngyuán|ok - -|西安 西安 xī'ān|的 的 de"
        "|银行 银行 yínháng",
        "媽媽說中文": "媽媽 媽媽 māmā|說 說 shuō|中文 中文 zhōngwén",
    },
    "th": {"เรากินข้าว ok ครับ": "เรา เรา -|กินข้าว กินข้าว -|ok - -|ครับ ครับ -"},
    "ko": {"어제 친구를 만났다": "어제 - -|친구를 - -|만났다 - -"},
    "de": {"Der Zug fährt.": "Der - -|Zug - -|fährt - -"},
}
FORMS: dict[str, dict[tuple[str, str], tuple[str | None, str | None]]] = {
    "ja": {
        ("行っ", "昨日学校へ行った。"): ("行く", "いっ"), ("い", "待っていた。"): ("いる", None),
        ("食べました", "カレーを食べました。"): ("食べる", "たべました"), ("どこ", ""): ("どこ", None),
        ("学校へ", "昨日学校へ行った。"): (None, "がっこうへ"), ("京", "東京駅で待つ。"): (None, None),
        ("行 た", "昨日学校へ行った。"): (None, None), ("", ""): (None, None),
    },
    "zh": {("天气真", "今天的天气真的很好"): (None, None), ("非常好", "天气真的非常好。"): (None, "fēicháng hǎo")},
    "ko": {
        ("친구를", "어제 친구를 만나서"): ("친구", None), ("선생님이었다", "그는 선생님이었다."): ("선생님", None),
        ("공부했습니다", "도서관에서 공부했습니다."): ("공부하다", None), ("사람들이", ""): ("사람", None),
        ("아름다운", "아름다운 꽃이 피었다."): ("아름답다", None), ("들었어요", ""): ("듣다", None),
    },
    "th": {("อากาศ", "วันนี้อากาศดี"): ("อากาศ", None)},
    "de": {("fährt", "Er fährt."): (None, None)},
}  # fmt: skip
"""Word and sentence → lemma and reading."""


@pytest.mark.parametrize("language", [*(pytest.param(each, marks=needs_segmenter(each)) for each in SEGMENTED), "de"])
def test_words_have_lemma_and_reading_where_a_segmenter_cuts_them(language: str) -> None:
    for text, expected in WORDS[language].items():
        for tag in (language, f"{language}-XX"):
            found = segmentation.words(text, tag)
            assert "|".join(f"{word.text} {word.lemma or '-'} {word.reading or '-'}" for word in found) == expected
    for (focus, sentence), (lemma, reading) in FORMS[language].items():
        assert find_word_form(focus, language, sentence) == WordForm(lemma, reading)
    assert [word.text for word in segmentation.words("今日は", None)] == ["今日", "は"]


@JA
def test_particles_endings_and_affixes_of_japanese_are_function_words() -> None:
    for text, learnt in {
        "彼女は田舎で魚を食べました。": "彼女 田舎 魚 食べ",
        "高かったけど、お茶が飲みたい。": "高かっ 茶 飲み",
        "田中さんと弟たちが来なければよかった。": "田中 弟 来 よかっ",
        "雨が降りそうです。静かなようだ。": "雨 降り 静か",
        "行かせられるでしょうか。": "行か",
    }.items():
        own = [word for word in segmentation.words(text, "ja") if not word.is_function]
        assert " ".join(word.text for word in own) == learnt
        assert [form.start for form in find_text_forms(text, "ja")] == [word.start for word in own]


@each_language
def test_any_text_is_cut_into_words_that_stand_in_it_in_order(language: str) -> None:
    segmenter = segmentation.segmenter_of(language)
    assert segmenter is not None
    chance = random.Random(language)
    odd = ["".join(chance.choices(ODD, k=chance.randrange(12))) for _ in range(100)]
    long = [unit * 1500 for unit in ("漢字かな", "วันนี้", "가나다 ", "1二")]
    for text in (*HOSTILE.values(), *long, *odd, "\0", "\n\n", "三", "漢\ud800字วัน가"):
        found = list(segmenter.words(text))
        assert all(word.text == text[word.start : word.end] and word.text for word in found), text
        assert all(left.end <= right.start for left, right in pairwise(found)), text


@each_language
def test_several_threads_cut_at_once(language: str) -> None:
    segmenter = segmentation.segmenter_of(language)
    assert segmenter is not None
    text = "昨日食べた。今天天气很好。어제 친구를 만났다. วันนี้อากาศดี" * 10
    expected = list(segmenter.words(text))
    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(lambda _: list(segmenter.words(text)) == expected, range(40)))


LEAST = {
    "ja": (Score(0.89, 0.93), Score(0.97, 0.99)),
    "ja-x-unseen": (Score(0.88, 0.96), Score(0.95, 1.0)),
    "zh-Hans": (Score(0.90, 0.94), Score(0.99, 0.93)),
    "zh-Hant": (Score(0.84, 0.85), Score(0.99, 0.91)),
    "th": (Score(0.88, 0.96), Score(0.98, 0.90)),
}
"""Least scores without a segmenter, and with one."""


@pytest.mark.parametrize("marked", [pytest.param(each, marks=needs_segmenter(each)) for each in LEAST])
def test_boundaries_are_found_without_a_segmenter_and_with_one(marked: str) -> None:
    for cut, least in zip((plain.words, segmentation.words), LEAST[marked], strict=True):
        found = score(marked, cut)
        assert found.precision >= least.precision and found.recall >= least.recall, found


@pytest.mark.skipif(not IS_HERE, reason=REASON)
@JA
def test_nearly_every_word_of_an_old_novel_is_read() -> None:
    (novel,) = parse("rashomon.ja.txt", (CORPUS / "text" / "akutagawa-rashomon.ja.txt").read_bytes()).transcripts
    found = [word for cue in novel.cues for word in segmentation.words(cue.text, "ja")]
    assert len(found) > 3000
    hidden = [word for word in found if has_characters(word.text)]
    assert sum(word.reading is not None for word in hidden) > 0.95 * len(hidden)


@pytest.mark.parametrize("is_broken", [False, True])
def test_without_the_packages_or_with_broken_ones_words_are_cut_as_ever(
    monkeypatch: pytest.MonkeyPatch, is_broken: bool
) -> None:
    def load(name: str) -> None:
        raise OSError("the dictionary is no dictionary")

    monkeypatch.setattr(segmentation, "find_spec", lambda name: True if is_broken else None)
    monkeypatch.setattr(segmentation, "import_module", load)
    segmentation.is_installed.cache_clear()
    segmentation._loaded.cache_clear()
    try:
        for language, text in (("ja", "昨日食べた。"), ("zh", "今天天气"), ("th", "วันนี้อากาศดี"), ("ko", "친구를")):
            assert segmentation.words(text, language) == plain.words(text, language)
            assert find_word_form(text, language) == WordForm()
            assert segmentation.has_lemmas(language) == is_broken
    finally:
        segmentation.is_installed.cache_clear()
        segmentation._loaded.cache_clear()


def test_a_dictionary_is_loaded_only_for_its_language(run_python: Callable[[str], str]) -> None:
    loaded = run_python(
        "import sys; from tui.language.segmentation import has_lemmas, is_segmented, words;"
        "has_lemmas('ja'), is_segmented('th'), words('Der Zug', 'de'), words('私', None); print(*sys.modules)"
    )
    assert not {"sudachipy", "rjieba", "pypinyin", "mecab_ko", "pythainlp"} & set(loaded.split())


@TH
def test_thai_leaves_no_folder_in_the_home_directory(run_python: Callable[[str], str]) -> None:
    left = run_python(
        "import os, pathlib, tempfile; os.environ['HOME'] = home = tempfile.mkdtemp();"
        "os.environ.pop('PYTHAINLP_DATA', None);"
        "from tui.language.segmentation import words; words('วันนี้', 'th'); print(os.listdir(home))"
    )
    assert left.strip() == "[]"
