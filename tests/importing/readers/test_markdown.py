from __future__ import annotations

import time

import pytest

from tui.importing.readers import markdown
from tui.importing.readers.markdown import find_markdown_language, find_markdown_title, read_markdown

BOOK = r"""---
title: "Der Zug"
lang: de
tags: [a, b]
---
# Erstes *Kapitel*

Der **Zug** fährt
ab. Er hat [Verspätung](https://example.org "Titel")[^1].

![Ein Bild](bild.png)

```python
print("no")
```

    eingerückter Code

- Erstens.
- Zweitens
  1. Darin

> Ein Zitat.

| Deutsch | Englisch |
|---|---|
| der Zug | the train |

<div>HTML</div>

Zeile\
zwei mit `Code` &amp; ~~weg~~ <ruby>漢字<rt>かんじ</rt></ruby>.

[^1]: Eine Fußnote.
"""


def texts(text: str, language: str = "de") -> list[str]:
    return [cue.text for cue in read_markdown(text.split("\n"), language)]


def test_the_text_is_read_without_marks() -> None:
    assert texts(BOOK) == [
        "Erstes Kapitel",
        "Der Zug fährt ab.",
        "Er hat Verspätung.",
        "Erstens.",
        "Zweitens",
        "Darin",
        "Ein Zitat.",
        "Deutsch",
        "Englisch",
        "der Zug",
        "the train",
        "Zeile zwei mit Code & weg 漢字.",
        "Eine Fußnote.",
    ]


def test_readings_stay_beside_the_text() -> None:
    (cue,) = (cue for cue in read_markdown(BOOK.split("\n"), "de") if cue.ruby)
    assert [(cue.text[each.start : each.end], each.text) for each in cue.ruby] == [("漢字", "かんじ")]


def test_the_front_matter_names_title_and_language() -> None:
    assert (find_markdown_title(BOOK), find_markdown_language(BOOK)) == ("Der Zug", "de")
    toml = "+++\ntitle = 'Le train'\nlanguage = \"fr\"\n+++\ntext"
    assert (find_markdown_title(toml), find_markdown_language(toml), texts(toml)) == ("Le train", "fr", ["text"])
    assert find_markdown_title("Some text\n\n# A *heading* #\n") == "A *heading"
    assert (find_markdown_title("no heading"), find_markdown_language("# title: x")) == (None, None)


def test_a_rule_is_no_front_matter() -> None:
    assert texts("---\n\nText.\n") == ["Text."]


def test_a_long_book_is_parsed_in_sections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown, "_SECTION_CHARACTERS", 1_000)
    assert len(texts("Ein Satz. Noch einer.\n\n" * 500)) == 1_000


@pytest.mark.exhaustive
@pytest.mark.parametrize("unit", ["![a](", "[a](b", "![", "[]["])
def test_brackets_without_an_end_are_text(unit: str) -> None:
    begun = time.process_time()
    assert "".join(texts("[" * 4_000 + unit * 4_000)).startswith("[[[[")
    assert time.process_time() - begun < 5  # each was looked at again for each other: over ten seconds


def test_brackets_beside_links_change_nothing() -> None:
    assert texts("[" * 50 + "Der [Zug](x) hält.") == ["[" * 50 + "Der Zug hält."]
