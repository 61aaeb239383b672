from __future__ import annotations

import pytest

from tui.language.tags import base_language, is_known, language_name, normalise, subtags_named


@pytest.mark.parametrize(
    ("code", "tag"),
    [
        ("de", "de"),
        ("PT-br", "pt-BR"),
        ("pt_BR", "pt-BR"),
        ("ger", "de"),
        ("deu", "de"),
        ("GER", "de"),
        ("zh-hans", "zh-Hans"),
        ("ZH-HANT-tw", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("en-uk", "en-GB"),
        ("iw", "he"),
        ("fil", "fil"),
        (" ja ", "ja"),
        ("", None),
        ("xx", None),
        ("german", None),
        ("de-", None),
        ("ja-en", None),
        ("ja-sjis", None),
        ("sk-mojibake", None),
        ("de\n", "de"),
        ("d\x00", None),
        ("../de", None),
    ],
)
def test_tags_are_spelt_as_in_bcp_47(code: str, tag: str | None) -> None:
    assert normalise(code) == tag


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("de", "German"),
        ("ger", "German"),
        ("pt-br", "Portuguese (Brazil)"),
        ("zh-Hant", "Chinese (traditional)"),
        ("nb", "Norwegian Bokmål"),
        ("en-NZ", "English (NZ)"),
        ("gsw", "gsw"),
        ("?", "?"),
    ],
)
def test_languages_have_english_names(code: str, name: str) -> None:
    assert language_name(code) == name


def test_the_language_part_of_a_tag() -> None:
    assert base_language("pt-BR") == "pt"
    assert base_language("zh_Hans") == "zh"
    assert is_known("yue")
    assert not is_known("sub")


@pytest.mark.parametrize(
    ("word", "subtags"),
    [
        ("japanese", {"ja"}),
        ("JAPAN", {"ja"}),
        ("ja", {"ja"}),
        ("bokmal", {"nb"}),
        ("brazil", {"BR"}),
        ("latin", {"la", "Latn", "419"}),
        ("jap", {"ja"}),
        ("j", set()),
        ("", set()),
        ("zug", set()),
    ],
)
def test_a_word_stands_for_the_languages_and_regions_that_are_called_so(word: str, subtags: set[str]) -> None:
    assert subtags_named(word) == subtags
