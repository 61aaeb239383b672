from __future__ import annotations

from tui.language.tags import (
    base_language,
    find_subtags,
    find_tag,
    is_known,
    language_name,
    language_of_locale,
    normalise,
)

TAGS = {
    "de": "de", "PT-br": "pt-BR", "pt_BR": "pt-BR", "ger": "de", "deu": "de", "GER": "de", "zh-hans": "zh-Hans",
    "ZH-HANT-tw": "zh-Hant-TW", "es-419": "es-419", "en-uk": "en-GB", "iw": "he", "fil": "fil", " ja ": "ja",
    "de\n": "de",
    **dict.fromkeys(("", "xx", "german", "de-", "ja-en", "ja-sjis", "sk-mojibake", "d\x00", "../de")),
}  # fmt: skip
NAMES = {
    "de": "German", "ger": "German", "pt-br": "Portuguese (Brazil)", "zh-Hant": "Chinese (traditional)",
    "nb": "Norwegian Bokmål", "en-NZ": "English (NZ)", "gsw": "gsw", "?": "?",
}  # fmt: skip
SUBTAGS = {
    "japanese": {"ja"}, "JAPAN": {"ja"}, "ja": {"ja"}, "bokmal": {"nb"}, "brazil": {"BR"}, "jap": {"ja"},
    "latin": {"la", "Latn", "419"}, "j": set(), "": set(), "zug": set(),
}  # fmt: skip


def test_tags_are_spelt_as_in_bcp_47_and_have_english_names() -> None:
    assert {code: normalise(code) for code in TAGS} == TAGS
    assert {code: language_name(code) for code in NAMES} == NAMES
    assert base_language("pt-BR") == "pt"
    assert base_language("zh_Hans") == "zh"
    assert is_known("yue")
    assert not is_known("sub")


def test_a_word_stands_for_the_languages_and_regions_that_are_called_so() -> None:
    assert {word: find_subtags(word) for word in SUBTAGS} == SUBTAGS
    named = ["German", "german ", "de", "GER", "Portuguese (Brazil)", "Chinese (traditional)", "Norwegian Bokmål"]
    assert [find_tag(text) for text in named] == ["de", "de", "de", "de", "pt-BR", "zh-Hant", "nb"]
    assert find_tag("nowhere") is None
    assert find_tag("") is None


def test_the_language_of_a_locale() -> None:
    german = {"LANG": "de_DE.UTF-8"}
    assert language_of_locale(german) == "de"
    assert language_of_locale({**german, "LC_ALL": "es_MX"}) == "es"
    assert language_of_locale({**german, "LANGUAGE": "fr:en"}) == "fr"
    assert language_of_locale({}) == "en"
    locales = ("pt_BR.UTF-8", "pt_PT@euro", "zh_CN.GB18030", "zh_TW", "C.UTF-8", "POSIX", "")
    languages = [language_of_locale({"LANG": locale}) for locale in locales]
    assert languages == ["pt-BR", "pt", "zh-Hans", "zh-Hant", "en", "en", "en"]
