"""Records that Lode keeps, as frozen dataclasses; the fields of the resources are those of INTERFACE.md.

Timestamps are RFC 3339 in UTC (``2026-01-31T12:00:00.000Z``), times in media integer milliseconds, ids opaque strings.
Unknown is ``None`` or an empty tuple, never a guess.
"""
