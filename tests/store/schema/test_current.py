"""The schema that can be read in one place is the one that the migrations make."""

from __future__ import annotations

from tests.store.schema.current import PATH, current_schema


def test_the_schema_that_is_written_down_is_the_one_after_all_migrations() -> None:
    assert PATH.read_text(encoding="utf-8") == current_schema(), "write it anew: make schema"
