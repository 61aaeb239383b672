"""Bodies of answers packed by gzip, unpacked piece by piece, so that no few bytes become gigabytes in between."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

_CODINGS = ("gzip", "x-gzip")
"""Codings that are unpacked, once; downloads ask for no other."""
_PIECE = 1 << 18
_GZIP = 31
"""``wbits`` of zlib for gzip's format."""


async def unpacked_pieces(response: httpx.Response) -> AsyncIterator[bytes]:
    """Read the body, unpacked, in pieces of at most 256 kB or as they come.

    httpx itself unpacks whatever comes whole, and as often as the answer says it is packed. Raises ``ValueError`` for
    an answer that is packed twice, in another way, or badly.
    """
    # Several codings stand in one header with commas, or in several headers, which httpx joins so.
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding in ("", "identity"):
        async for piece in response.aiter_raw():
            yield piece
        return
    if coding not in _CODINGS:
        raise ValueError(f"its server sends it packed in a way that was not asked for ({coding[:40]})")
    unpacker = zlib.decompressobj(_GZIP)
    async for packed in response.aiter_raw():
        while packed and not unpacker.eof:
            try:
                piece = unpacker.decompress(packed, _PIECE)
            except zlib.error:
                raise ValueError("it is packed, and damaged") from None
            packed = unpacker.unconsumed_tail
            yield piece
    if not unpacker.eof:
        raise ValueError("its end is missing")
