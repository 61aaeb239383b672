"""Checks of ``lode doctor`` where the library is a server's: the way there, and what the server finds on itself."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tui import __version__
from tui.cli.context import Context
from tui.errors import LodeError
from tui.records.library import Finding
from tui.system.net import is_this_machine
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.remote.service import RemoteService

GROUP = "Server"


async def examine_with_server(
    context: Context, url: str, *, live: bool, full: bool, tell: Callable[[str], None]
) -> tuple[Finding, ...]:
    """This machine's settings and software, the server, and the server's findings. Never raises ``LodeError``."""
    from tui.service.doctor.checks import examine_client

    settings, found = await examine_client(context.home, context.profile, os.environ)
    if settings is None:
        return found
    tell(f"asking {one_line(url)} …")
    try:
        has_token = bool(context.token(settings, url))
        service = context.remote(url, settings)
    except LodeError as error:
        return (*found, _broken("address", error))
    try:
        return (*found, *await _examine(service, url, has_token=has_token, live=live, full=full))
    finally:
        await service.close()


async def _examine(service: RemoteService, url: str, *, has_token: bool, live: bool, full: bool) -> list[Finding]:
    try:
        version = await service.version()
    except LodeError as error:
        return [_broken("address", error)]
    found = [Finding(GROUP, "address", "ok", f"{service.location} answers · Lode {version}")]
    if version != __version__:
        message = f"it has Lode {version}, this machine has {__version__}: they understand each other"
        found.append(Finding(GROUP, "version", "warning", message, hint="update the older of the two one day"))
    if (way := _way(url)) is not None:
        found.append(way)
    try:
        theirs = await service.doctor(live=live, full=full)
    except LodeError as error:
        subject = "token" if error.code == "unauthorized" else "library"
        return [*found, _broken(subject, error)]
    said = "it is sent with every request, and taken" if has_token else "none is wanted"
    found.append(Finding(GROUP, "token", "ok", said))
    return [*found, *(_theirs(finding) for finding in theirs)]


def _way(url: str) -> Finding | None:
    """Whether what is sent can be read on its way; None between programs of one machine."""
    if is_this_machine(url):
        return None
    parts = urlsplit(url)
    if parts.scheme == "https":
        return Finding(GROUP, "way there", "ok", "encrypted")
    message = "not encrypted: whoever is on the way can read everything, the token too"
    hint = (
        f"put a proxy with HTTPS before it, or use a tunnel: ssh -L 8765:127.0.0.1:{parts.port or 80} {parts.hostname}"
    )
    return Finding(GROUP, "way there", "warning", message, hint=hint)


def _theirs(finding: Finding) -> Finding:
    return replace(
        finding,
        group=f"{one_line(finding.group)} of the server",
        subject=one_line(finding.subject),
        message=one_line(finding.message),
        hint=one_line(finding.hint),
    )


def _broken(subject: str, error: LodeError) -> Finding:
    return Finding(GROUP, subject, "broken", one_line(error.message), hint=one_line(error.hint))
