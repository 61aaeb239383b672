"""Full-text tables over a table, and the triggers that keep them.

Each searched table has two: one of words, and one of trigrams for the rows in scripts without spaces (the column
``spaceless`` says which). Both are external content tables (https://sqlite.org/fts5.html#external_content_tables): the
texts are stored once, in the table itself, and read back through a view.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_WORDS = "tokenize = \"unicode61 remove_diacritics 2 categories 'L* M* N* Co'\""
"""Marks are parts of words here, or Hindi would fall apart at every vowel sign.

The tables keep no column sizes (``columnsize = 0``): those serve ranking, and these lists are ordered by age.
"""


@dataclass(frozen=True, slots=True)
class Searched:
    """The search of a table: ``columns`` maps names to expressions over a row ``{row}``, ``scope`` is one of its owner.

    ``sources`` are the columns of the table that all of this is made of.
    """

    table: str
    scope: str
    columns: Mapping[str, str]
    sources: tuple[str, ...]


def search_tables(searched: Searched) -> list[str]:
    """Statements that create the views, the tables and the triggers."""
    table = searched.table
    columns = {"scope": searched.scope, **searched.columns}
    names = ", ".join(columns)

    def words(row: str) -> str:
        return ", ".join(expression.format(row=row) for expression in columns.values())

    def text(row: str) -> str:
        return " || char(10) || ".join(expression.format(row=row) for expression in searched.columns.values())

    named = ", ".join(f"{expression.format(row='r')} AS {name}" for name, expression in columns.items())
    words_in = f"INSERT INTO {table}_words (rowid, {names}) VALUES (new.seq, {words('new')});"
    words_out = f"INSERT INTO {table}_words ({table}_words, rowid, {names}) VALUES ('delete', old.seq, {words('old')});"
    trigrams_in = f"INSERT INTO {table}_trigrams (rowid, text) SELECT new.seq, {text('new')} WHERE new.spaceless;"
    trigrams_out = (
        f"INSERT INTO {table}_trigrams ({table}_trigrams, rowid, text) "
        f"SELECT 'delete', old.seq, {text('old')} WHERE old.spaceless;"
    )
    changed = f"AFTER UPDATE OF {', '.join(searched.sources)} ON {table}"
    return [
        f"CREATE VIEW {table}_searched AS SELECT r.seq, {named} FROM {table} AS r",
        f"CREATE VIEW {table}_spaceless AS SELECT r.seq, {text('r')} AS text FROM {table} AS r WHERE r.spaceless",
        f"CREATE VIRTUAL TABLE {table}_words USING fts5("
        f"{names}, content = '{table}_searched', content_rowid = 'seq', columnsize = 0, {_WORDS})",
        f"CREATE VIRTUAL TABLE {table}_trigrams USING fts5("
        f"text, content = '{table}_spaceless', content_rowid = 'seq', columnsize = 0, tokenize = 'trigram')",
        f"CREATE TRIGGER {table}_words_insert AFTER INSERT ON {table} BEGIN {words_in} END",
        f"CREATE TRIGGER {table}_words_delete AFTER DELETE ON {table} BEGIN {words_out} END",
        # One trigger takes the old text out and puts the new one in: of two, SQLite does not promise the order.
        f"CREATE TRIGGER {table}_words_update {changed} BEGIN {words_out} {words_in} END",
        f"CREATE TRIGGER {table}_trigrams_insert AFTER INSERT ON {table} WHEN new.spaceless BEGIN {trigrams_in} END",
        f"CREATE TRIGGER {table}_trigrams_delete AFTER DELETE ON {table} WHEN old.spaceless BEGIN {trigrams_out} END",
        f"CREATE TRIGGER {table}_trigrams_update {changed} WHEN old.spaceless OR new.spaceless "
        f"BEGIN {trigrams_out} {trigrams_in} END",
    ]


def drop_search_tables(table: str) -> list[str]:
    """Statements that drop what ``search_tables`` creates."""
    triggers = [f"{table}_{kind}_{when}" for kind in ("words", "trigrams") for when in ("insert", "delete", "update")]
    return [
        *(f"DROP TRIGGER {name}" for name in triggers),
        *(f"DROP TABLE {table}_{kind}" for kind in ("words", "trigrams")),
        *(f"DROP VIEW {table}_{kind}" for kind in ("searched", "spaceless")),
    ]
