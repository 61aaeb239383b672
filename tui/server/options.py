"""Server options: address, token, origins, limits."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Options of a server; ``token`` "" lets in who can reach a loopback address, ``origins`` are pages that may ask.

    ``max_body`` bounds what a request may carry, uploads apart, and ``max_film`` a film, in bytes.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    token: str = field(default="", repr=False)
    origins: tuple[str, ...] = ()
    max_body: int = 2_000_000
    max_film: int = 4_000_000_000
    heartbeat_seconds: float = 14.0
