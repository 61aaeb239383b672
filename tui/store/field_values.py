"""Values that the fields of lists have in a library, for whoever is typing a search: those of the newest records."""

from collections.abc import Mapping

from tui.records.search_fields import MAX_VALUES
from tui.store.rows import PROFILE, Connection

_LOOKED_AT = 5_000
"""Newest records that are looked at: a million are read too long for a key."""
_LONGEST = 80
"""Characters of a value: a longer one is quicker typed in part."""


def _newest(table: str, columns: str, order: str = "seq") -> str:
    which = " AND follows IS NULL" if table == "answers" else ""
    return f"(SELECT {columns} FROM {table} WHERE profile = :profile{which} ORDER BY {order} DESC LIMIT {_LOOKED_AT})"


_STATES = _newest("word_states", "word, source", "revision")
_LANGUAGE_OF_TEXTS = f"SELECT language AS value FROM {_newest('transcripts', 'language')}"
_SERIES = f"SELECT series AS value FROM {_newest('transcripts', 'series')}"
_OF_TEXTS = {"lang": _LANGUAGE_OF_TEXTS, "series": _SERIES, "source": _SERIES}
_QUERIES: Mapping[str, Mapping[str, str]] = {
    "files": {
        "lang": f"SELECT language AS value FROM {_newest('files', 'language')}",
        "kind": f"SELECT kind AS value FROM {_newest('files', 'kind')}"
        f" UNION ALL SELECT format FROM {_newest('files', 'format')}",
    },
    "transcripts": _OF_TEXTS,
    "sentences": _OF_TEXTS,
    "clips": {
        "lang": f"SELECT json_extract(focus, '$.language') AS value FROM {_newest('clips', 'focus')}",
        "tag": f"SELECT t.value FROM {_newest('clips', 'tags')} AS r, json_each(r.tags) AS t",
        "source": f"SELECT source AS value FROM {_newest('clips', 'source')}",
    },
    "answers": {
        "lang": f"SELECT json_extract(focus_word, '$.language') AS value FROM {_newest('answers', 'focus_word')}",
        "model": f"SELECT model AS value FROM {_newest('answers', 'model')}",
    },
    "jobs": {"kind": f"SELECT kind AS value FROM {_newest('jobs', 'kind')}"},
    "words": {
        "lang": f"SELECT w.language AS value FROM {_STATES} AS s JOIN words AS w ON w.seq = s.word"
        f" UNION ALL {_LANGUAGE_OF_TEXTS}",
        "source": f"SELECT source AS value FROM {_STATES}",
    },
}
"""Queries for the values that a record has in a field, by lists and their fields."""


def field_values(connection: Connection, profile: str, listed: str, field: str) -> tuple[str, ...]:
    """The values of a field, the most frequent first; none of a field whose values are not listed."""
    query = _QUERIES.get(listed, {}).get(field)
    seq = connection.value(f"SELECT {PROFILE}", profile)
    if query is None or seq is None:
        return ()
    counted = (
        f"SELECT value FROM ({query}) WHERE length(value) BETWEEN 1 AND {_LONGEST}"
        " GROUP BY value ORDER BY count(*) DESC, value LIMIT :most"
    )
    return tuple(map(str, connection.column(counted, profile=seq, most=MAX_VALUES)))
