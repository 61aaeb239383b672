"""Records that Lode keeps, as frozen dataclasses; those of the original interface keep their names and meanings.

Timestamps are RFC 3339 in UTC (``2026-01-31T12:00:00.000Z``), times in media integer milliseconds, ids opaque strings.
Unknown is ``None`` or an empty tuple, never a guess.
"""
