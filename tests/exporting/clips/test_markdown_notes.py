"""Clips as Markdown notes: their order, and that nothing foreign acts or breaks out of its place."""

from __future__ import annotations

from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from tests.deck.clips import ABFAHREN, bare, clip
from tests.hostile import HOSTILE
from tui.exporting.clip_writers import write_markdown_notes

ACTING = (
    *("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "![x](https://tracker/x.png)", "![x][y]\n\n[y]: z"),
    *(
        "[x](javascript:alert(1))",
        "[x](&#106;avascript:alert(1))",
        "[x](<file:///etc/passwd>)",
        "[x][y]\n\n[y]: data:z",
    ),
    *("> > [y]: javascript:x\n\n[y]", "- [y]:\n  javascript:x\n\n[y]", "<https://x>", "<!-- x", "\\\\<b>", "`\\`<b>"),
    *("[a\\](javascript:x)", "![a\\](b)](https://c)", "```\nnever closed", "# Heading\n\nText\n===", "</details><h1>x"),
)


def tokens(text: str) -> list[str]:
    return [
        f"{token.type} {token.tag} {token.attrGet('href') or ''}".strip()
        for block in MarkdownIt("commonmark").parse(text)
        for token in (block, *(block.children or ()))
    ]


def test_notes_stand_below_their_transcript_with_the_focus_in_bold() -> None:
    first, second = clip(1), clip(2, sentence="Der Zug.", focus=None, explanation="", note="")
    other = bare(
        3, "これは昨日の。", source="", transcript_id=None, focus=replace(ABFAHREN, surface="昨日", lemma=None)
    )
    text = "".join(write_markdown_notes((first, second, other)))
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        *("# Der letzte Zug", "## Hoffentlich **fährt** er überhaupt noch **ab**.", "## Der Zug."),
        *("# Other clips", "## これは**昨日**の。"),
    ]
    assert "> The prefix **ab** goes to the *very* end." in text
    assert "- Translation: I do hope it leaves at all." in text
    assert "- Time: 2:01" in text


@pytest.mark.parametrize("text", ACTING)
def test_an_explanation_neither_acts_nor_ends_its_quotation(text: str) -> None:
    made = tokens("".join(write_markdown_notes((bare(1, "Eins.", explanation=text), bare(2, "Zwei.")))))
    assert not {"html_block", "html_inline", "image img"} & set(made)
    assert not [token for token in made if "link_open" in token and "https://" not in token]
    assert made[-4:] == ["heading_open h2", "inline", "text", "heading_close h2"]
    assert made.count("blockquote_close blockquote") >= 1


@pytest.mark.exhaustive
@pytest.mark.parametrize("text", [*ACTING, *HOSTILE.values()])
def test_texts_are_shown_as_they_stand(text: str) -> None:
    focus = replace(ABFAHREN, surface=text, lemma=text, meanings=(text,))
    hostile = clip(
        sentence=text, context=text, translation=text, note=text, source=text, tags=(text,), explanation="", focus=focus
    )
    made = tokens("".join(write_markdown_notes((hostile, bare(2, "Zwei.", source=text, transcript_id="t1")))))
    assert not {"html_block", "image img"} & set(made)
    assert not [token for token in made if "link_open" in token]
    assert [token for token in made if "heading_open" in token] == [f"heading_open h{level}" for level in (1, 2, 2)]
