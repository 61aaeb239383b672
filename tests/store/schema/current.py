"""The schema of a library after all migrations, as one text; ``make schema`` writes it where it can be read."""

from __future__ import annotations

import re
import tempfile
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

import tui.store.schema
from tui.store.database import Connections
from tui.store.schema.migrations import bring_up_to_date

PATH = Path(tui.store.schema.__path__[0]) / "current.sql"
_HEAD = """\
-- The schema of lode.db after all migrations, which a new library is made of. Written by `make schema` from initial.sql
-- and migrations.py. The tables in which FTS5 keeps its indexes are left out: it makes them itself.
"""


def current_schema() -> str:
    """Every table, each followed by its indexes and triggers, then the views."""
    with (
        tempfile.TemporaryDirectory() as place,
        closing(Connections(Path(place) / "lode.db", "write")) as connections,
        connections.write() as connection,
    ):
        bring_up_to_date(connection)
        database = Database(connection, execute_plugins=False)
        rows = list(database.query("SELECT * FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type = 'view', rowid"))
    theirs = ("sqlite_", *(f"{row['name']}_" for row in rows if row["sql"].startswith("CREATE VIRTUAL")))
    order = [row["name"] for row in rows if row["type"] in ("table", "view") and not row["name"].startswith(theirs)]
    kept = sorted((row for row in rows if row["tbl_name"] in order), key=lambda row: order.index(row["tbl_name"]))
    return _HEAD + "".join(f"\n{_readable(row['sql'])};\n" for row in kept)


def _readable(sql: str) -> str:
    """A line for each statement of a trigger, and for each column that came later."""
    if not sql.startswith("CREATE TRIGGER") or "BEGIN\n" in sql:
        return sql.replace("\n, ", ",\n    ")
    head, body = re.split(r"\bBEGIN ", sql, maxsplit=1)
    statements = "\n".join(f"    {each};" for each in body.removesuffix(" END").rstrip(";").split("; "))
    return f"{head}BEGIN\n{statements}\nEND"


if __name__ == "__main__":
    PATH.write_text(current_schema(), encoding="utf-8")
