"""Errors of a provider: what a status other than 200 means, said without secrets."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit, urlunsplit

from tui import bounds
from tui.errors import ProviderError
from tui.llm.http.api_key import ApiKey, redact
from tui.llm.wires.wire_format import MAX_READ, as_object, error_text, loads
from tui.text.sanitize import one_line

MAX_ERROR_BYTES = bounds.LLM_ERROR.bytes_in
_MAX_PAUSE = 5.0
"""Seconds; a server that wants a longer pause gets none, the user decides."""
_RETRY_PAUSE = 0.5
OVERLOADED = (503, 529)
"""Statuses that mean that asking again later may help (529 is Anthropic's)."""
_ABOUT_CREDIT = re.compile(
    r"insufficient_quota|insufficient (?:credit|balance|funds|quota)|credit balance|exceeded your current quota"
    r"|(?:out of|not enough|no) credits?\b|billing[ _]?(?:error|hard|not)",
    re.IGNORECASE,
)
"""Words for an empty account, which comes as 400 (Anthropic), 402, 403 (xAI) or as the rate limit's 429 (OpenAI)."""


class TransientError(ProviderError):
    """A failure that one more try may mend, after its ``pause``."""


class BrokenServer(TransientError):
    """A 5xx that does not say that the server is overloaded: it may be about the request, and come every time."""


class RefusedRequest(ProviderError):
    """A 400 or 422; ``about`` is all that the server says of the reason, for telling which parameter it means."""

    def __init__(self, message: str, *, hint: str, about: str) -> None:
        super().__init__(message, hint=hint, code="request_refused")
        self.about = about


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Server as messages name it. The ``key`` shows in no ``repr``, and is taken out of what the server says."""

    name: str
    label: str
    url: str
    local: bool
    key: ApiKey

    def error(self, what: str, hint: str, code: str, pause: float = 0.0) -> ProviderError:
        """Make the error of what the server does: ``what`` stands behind its name."""
        return ProviderError(f"{self.label} {what}", hint=hint, code=code, pause=pause)


def public_url(url: str) -> str:
    """The URL as it may be shown: without user information, query and fragment."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return one_line(url.split("@")[-1].split("?")[0])[:200]
    return one_line(urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", "")))[:200]


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait (``retry-after-ms``, or seconds or a date in ``retry-after``)."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        try:
            seconds = float(value) / unit
        except ValueError:
            continue
        return seconds if 0 <= seconds < float("inf") else None
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def status_error(status: int, headers: Mapping[str, str], body: bytes, endpoint: Endpoint, model: str) -> ProviderError:
    """Error for a status other than 200."""
    said = redact(error_text(body), endpoint.key.text)
    tail = f": {said}" if said else ""
    try:
        error = as_object(as_object(loads(body)).get("error"))
    except ValueError:
        error = {}
    # Where the meaning is not in the message, it is in a code.
    codes = " ".join(str(error[name]) for name in ("code", "type") if isinstance(error.get(name), str))
    if status in (400, 402, 403, 429) and _ABOUT_CREDIT.search(f"{error_text(body)[:MAX_READ]} {codes}"):
        return endpoint.error(f"wants to be paid ({status}){tail}", "look at the account's credit", "no_credit")
    if status in (401, 403) or (status == 400 and b"API_KEY_INVALID" in body):
        return _key_refused(status, endpoint, tail)
    if status == 429:
        return _rate_limited(headers, endpoint, tail)
    if status >= 500:
        pause = retry_after(headers)
        what = f"is overloaded or broken ({status}){tail}"
        if pause is not None and pause > _MAX_PAUSE:
            return endpoint.error(what, f"ask again in {_span(pause)}", "provider_unavailable", pause)
        message = f"{endpoint.label} {what}"
        failure = BrokenServer if pause is None and status not in OVERLOADED else TransientError
        return failure(message, hint="ask again in a moment", code="provider_unavailable", pause=pause or _RETRY_PAUSE)
    if 300 <= status < 400:
        hint = "set the address it redirects to as base_url; redirects are not followed, so that no key leaks"
        return endpoint.error(f"at {endpoint.url} sends us elsewhere ({status})", hint, "provider_redirects")
    code, meaning, hint = _MEANINGS.get(status, ("provider_refused", "refuses the request", "try another model"))
    if status == 404 and not model:
        hint = f"name a model yourself: {endpoint.name}:MODEL; or correct base_url"
        return endpoint.error(f"has no list of models at {endpoint.url} (404){tail}", hint, "no_model_list")
    if status == 404:
        hint = f"lode models {endpoint.name} lists what it has"
        if ":" in model and endpoint.name != "ollama":
            hint += f"; a name with a colon is often an Ollama model: ollama:{one_line(model)[:80]}"
        meaning = f"knows no model {redact(model, endpoint.key.text)!r}, or {endpoint.url} is not its address"
    if code == "request_refused":
        parameter = error.get("param") or ""  # where OpenAI names the one that it refuses
        about = redact(f"{meaning} {parameter} {error_text(body)}", endpoint.key.text, most=8000)
        return RefusedRequest(f"{endpoint.label} {meaning} ({status}){tail}", hint=hint, about=about)
    return endpoint.error(f"{meaning} ({status}){tail}", hint, code)


_MEANINGS = {
    400: ("request_refused", "refuses the request", "try another model, or a shorter prompt"),
    402: ("no_credit", "wants to be paid", "look at the account's credit"),
    404: ("model_not_found", "", ""),
    408: ("timeout", "gave up waiting", "ask again"),
    413: ("request_too_large", "finds the request too large", "shorten the prompt or its context"),
    415: ("request_refused", "cannot read what is sent: unsupported media type", "try another model"),
    422: ("request_refused", "refuses the request", "try another model, or a shorter prompt"),
}
"""Status → code, meaning and next step."""


def _key_refused(status: int, endpoint: Endpoint, tail: str) -> ProviderError:
    if endpoint.key.text:
        hint = f"check {endpoint.key.env}, and that the account may use this model"
        return endpoint.error(f"refuses the key in {endpoint.key.env} ({status}){tail}", hint, "key_refused")
    hint = f'name the variable that holds it: api_key_env = "…" under [providers.{endpoint.name}] in config.toml'
    return endpoint.error(f"wants a key ({status}){tail}", hint, "key_refused")


def _rate_limited(headers: Mapping[str, str], endpoint: Endpoint, tail: str) -> ProviderError:
    what = f"allows no more requests for now (429){tail}"
    pause = retry_after(headers)
    if pause is not None and pause <= _MAX_PAUSE:
        message = f"{endpoint.label} {what}"
        return TransientError(message, hint="ask again in a moment", code="rate_limited", pause=pause)
    hint = f"ask again in {_span(pause)}" if pause is not None else "wait a while, or look at the account's quota"
    return endpoint.error(what, hint, "rate_limited", pause or 0.0)


def _span(seconds: float) -> str:
    """Format seconds as "90 seconds", "5 minutes", "3 hours": rounded up, so that nobody asks too early."""
    if seconds <= 120:
        return f"{math.ceil(seconds)} seconds"
    return f"{math.ceil(seconds / 60)} minutes" if seconds <= 7200 else f"{math.ceil(seconds / 3600)} hours"
