"""``BENCHMARKS.md`` as it is after a measurement."""

from __future__ import annotations

from tests.bench import report
from tests.bench.rows import ROWS

ROW = ("what", "1 ms", "–", "1.00 ms", "2 ms", "met")
TEXT = "# Benchmarks\n\nIntroduction.\n\n## table\n\nyesterday\n\nold table\n\n## deck\n\nyesterday\n\nold decks\n"


def group_names() -> tuple[str, ...]:
    from tests.bench.__main__ import GROUPS  # what measures them is much to import, in every worker

    return tuple(GROUPS)


def test_what_was_measured_takes_its_place_and_the_rest_stays() -> None:
    table = report.write_table([ROW])
    text = report.replace_tables(TEXT, {"deck": table, "startup": table}, group_names(), machine="today")
    head, startup, old, deck = text.split("\n## ")
    assert head == "# Benchmarks\n\nIntroduction.\n"
    assert startup == f"startup\n\ntoday\n\n{table}\n"
    assert old == "table\n\nyesterday\n\nold table\n"
    assert deck == f"deck\n\ntoday\n\n{table}\n"
    assert report.replace_tables(text, {}, group_names(), machine="later") == text


def test_the_file_in_the_repository_is_one_that_it_would_write() -> None:
    text = report.PATH.read_text("utf-8")
    assert report.replace_tables(text, {}, group_names(), machine="") == text
    groups = [section.partition("\n")[0] for section in text.split("\n## ")[1:]]
    for group, section in zip(groups, text.split("\n## ")[1:], strict=True):
        assert section.count("\n| ") == len(ROWS[group]) + 1, group


def test_a_table_is_aligned() -> None:
    head, rule, row = report.write_table([ROW]).split("\n")
    assert len(head) == len(rule) == len(row)
    assert row == "| what | 1 ms     | –       | 1.00 ms | 2 ms    | met |"
