"""Clips as tables and as Markdown notes: all stands in its place, and nothing foreign acts or breaks out."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from tests.deck.clips import ABFAHREN, bare, clip
from tests.hostile import HOSTILE
from tui.exporting.clip_writers import COLUMNS, write_csv, write_markdown_notes, write_tsv
from tui.records.clips import Clip
from tui.text.clip_fields import CLIP_FIELDS
from tui.text.sanitize import without_controls

Writer = Callable[[Iterable[Clip]], Iterator[str]]
BOTH = pytest.mark.parametrize(("write", "delimiter"), [(write_csv, ","), (write_tsv, "\t")])
ACTING = (
    *("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "![x](https://tracker/x.png)", "![x][y]\n\n[y]: z"),
    *("[x](javascript:alert(1))", "[x](&#106;avascript:alert(1))", "[x](<file:///etc/passwd>)"),
    *(
        "[x][y]\n\n[y]: data:z",
        "> > [y]: javascript:x\n\n[y]",
        "- [y]:\n  javascript:x\n\n[y]",
        "<https://x>",
        "<!-- x",
        "\\\\<b>",
        "`\\`<b>",
    ),
    *("[a\\](javascript:x)", "![a\\](b)](https://c)", "```\nnever closed", "# Heading\n\nText\n===", "</details><h1>x"),
)


def rows(write: Writer, delimiter: str, *clips: Clip) -> list[dict[str, str]]:
    text = "".join(write(clips)).removeprefix("\ufeff")
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))


@BOTH
def test_every_field_stands_in_its_column_whatever_is_in_it(write: Writer, delimiter: str) -> None:
    kept = clip(1, sentence="Er sagte: \"Zug, ab!\"\nund\tging; 'so'")
    (row,) = rows(write, delimiter, kept)
    assert tuple(row) == COLUMNS
    assert {field.name: row[field.name] for field in CLIP_FIELDS} == {
        field.name: field.text(kept) for field in CLIP_FIELDS
    }
    assert (row["id"], row["lemma"], row["start_ms"], row["updated_at"]) == (
        *("clip1", "abfahren", "121750"),
        kept.updated_at,
    )
    assert rows(write, delimiter) == []


def test_only_the_table_for_spreadsheets_begins_with_a_mark() -> None:
    assert "".join(write_csv([clip()])).startswith("\ufeffid,sentence,")
    assert "".join(write_csv([clip()])).count("\r\n") == 2
    assert "".join(write_tsv([])) == "\t".join(COLUMNS) + "\n"


@BOTH
def test_a_cell_that_would_be_a_formula_is_a_text_that_can_still_be_read(write: Writer, delimiter: str) -> None:
    for start in ("=", "+", "-", "@", "\t=", "\n=", "\r=", "\uff1d", "\x1b[1m="):
        text = f"{start}HYPERLINK(0)"
        (row,) = rows(write, delimiter, clip(sentence=text, note="-heit", translation="a = b", tags=(text,)))
        for name in ("sentence", "tags"):
            assert row[name].startswith("'") and row[name].endswith("HYPERLINK(0)"), start
        assert (row["note"], row["translation"]) == ("'-heit", "a = b")


@BOTH
def test_hostile_texts_stay_in_their_cells(write: Writer, delimiter: str) -> None:
    names = ("sentence", "explanation", "source")
    for text in HOSTILE.values():
        (row,) = rows(write, delimiter, clip(sentence=text, explanation=text, source=text))
        assert {row[name].removeprefix("'") for name in names} == {without_controls(text)}, text[:60]


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


def test_an_explanation_neither_acts_nor_ends_its_quotation() -> None:
    for text in ACTING:
        made = tokens("".join(write_markdown_notes((bare(1, "Eins.", explanation=text), bare(2, "Zwei.")))))
        assert not {"html_block", "html_inline", "image img"} & set(made), text
        assert not [token for token in made if "link_open" in token and "https://" not in token], text
        assert made[-4:] == ["heading_open h2", "inline", "text", "heading_close h2"], text
        assert made.count("blockquote_close blockquote") >= 1, text


def test_texts_are_shown_as_they_stand() -> None:
    for text in (*ACTING, *HOSTILE.values()):
        focus = replace(ABFAHREN, surface=text, lemma=text, meanings=(text,))
        fields = {"sentence": text, "context": text, "translation": text, "note": text, "source": text}
        hostile = clip(**fields, tags=(text,), explanation="", focus=focus)
        made = tokens("".join(write_markdown_notes((hostile, bare(2, "Zwei.", source=text, transcript_id="t1")))))
        assert not {"html_block", "image img"} & set(made), text[:60]
        assert not [token for token in made if "link_open" in token], text[:60]
        assert [token for token in made if "heading_open" in token] == [f"heading_open h{level}" for level in (1, 2, 2)]
