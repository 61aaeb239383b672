"""Provider checks: whether each can be used and, with ``live_seconds``, really answers, asked all at once."""

import asyncio
import re
import time
from collections.abc import Iterable, Mapping
from contextlib import aclosing
from importlib import import_module

from tui.config import Settings
from tui.errors import LodeError, TemplateError
from tui.llm.lexicon import Lexicon
from tui.llm.protocol import ChatRequest, Provider, TextDelta
from tui.llm.providers import HttpProviders, Providers
from tui.records.library import Finding, FindingState
from tui.service.engine import Engine
from tui.service.library import Library
from tui.service.words.dictionaries import LookUps
from tui.service.words.summaries import LocalWords
from tui.system.net import is_this_machine
from tui.text.sanitize import one_line

GROUP = "Models"
_SYSTEM = "Answer with one short word and nothing else."
_PROMPT = "Say: ready"
_SMALL = ("nano", "tiny", "lite", "mini", "haiku", "instant", "small", "flash", "fast", "turbo")
"""Words in the names of a provider's cheap models, the cheapest kind first. No API gives prices."""
_UNUSUAL = ("preview", "exp", "experimental", "search", "code", "coder", "codex", "vision", "guard", "latest", "free")
_WORDS = re.compile(r"[a-z]+|\d+(?:\.\d+)?b\b|\d+(?:\.\d+)?", re.IGNORECASE)
_BILLIONS = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)b\b", re.IGNORECASE)


async def check_providers(
    settings: Settings,
    environ: Mapping[str, str],
    template: tuple[str, str] | None,
    *,
    live_seconds: float | None = None,
) -> list[Finding]:
    """Check all providers and the template, given by model and prompt: "" for none, None if unknown.

    A provider that nobody set up is ``absent``; one that the settings or the template name has to be usable.
    """
    if live_seconds is not None:
        await asyncio.to_thread(import_module, "httpx")  # which is not the first provider's time to its first text
    engine = Engine(settings, environ=environ)  # opens nothing: the lexicon is not asked
    library = Library(engine.database, settings.profile)
    lexicon = Lexicon(LocalWords(library, engine.word_forms, LookUps(library, engine.dictionaries)))
    template_model, prompt = template or (None, "")
    found = await asyncio.to_thread(_prompt, prompt) if prompt else []
    try:
        over_http = HttpProviders(settings.providers, environ)
    except LodeError as error:
        found.append(_broken("settings", error))
        own = tuple(each for each in settings.providers if each.name != lexicon.name)
        over_http = HttpProviders(own, environ)
    try:
        known = Providers(over_http, lexicon, default_provider=settings.default_provider)
        found += await _each(settings, known, template_model, live_seconds)
    finally:
        await over_http.close()
        await engine.close()
    return found


async def _each(
    settings: Settings, known: Providers, template_model: str | None, live_seconds: float | None
) -> list[Finding]:
    found, provider, model = list[Finding](), "", ""
    if settings.default_provider not in known.known():
        message = f"there is no provider {settings.default_provider!r}"
        hint = "name one that is in the list: lode providers"
        found.append(_finding("default_provider", "warning", message, hint))
    if template_model:
        try:
            known.check(template_model)
            _, selector = known.resolve(template_model)
            provider, model = selector.provider, selector.model
        except LodeError as error:
            found.append(_broken("template", error))
    named = {each.name for each in settings.providers} | {provider}
    of_providers = await asyncio.gather(
        *(
            _one(known.get(name), name in named, model if name == provider else "", live_seconds)
            for name in known.known()
        )
    )
    found += of_providers + _unencrypted(settings)
    if template_model and provider:
        found.append(_template(template_model, next(each for each in of_providers if each.subject == provider)))
    elif template_model == "":
        found.append(_no_template(of_providers))
    return found


async def _one(provider: Provider, is_named: bool, model: str, live_seconds: float | None) -> Finding:
    """Check a provider; ``model`` is the template's where that names it."""
    try:
        status = await provider.status()
    except Exception as error:  # noqa: BLE001 - one provider's fault must not hide the others
        return _finding(provider.name, "broken", f"{type(error).__name__}: {error}")
    if not status.available:
        if not is_named:
            return _finding(status.provider, "absent", status.reason)
        return _finding(status.provider, "warning", status.reason, status.hint)
    if status.provider == "lexicon":
        return _finding(status.provider, "ok", "always there, without a network")
    if live_seconds is None:
        return _finding(status.provider, "ok", "it answers" if status.local else "has what it needs; --live asks it")
    return await _asked(provider, model, live_seconds)


async def _asked(provider: Provider, model: str, seconds: float) -> Finding:
    """Send one tiny request, closed at its first text."""
    name = provider.name
    try:
        async with asyncio.timeout(seconds):
            if not model:
                listed = await provider.models()
                if not listed:
                    hint = f"name one yourself, as {name}:MODEL"
                    return _finding(name, "warning", "it answers, but lists no model", hint)
                model = choose_cheapest(listed)
            started = time.monotonic()
            async with aclosing(provider.stream(ChatRequest(model, _SYSTEM, _PROMPT))) as events:
                async for event in events:
                    if isinstance(event, TextDelta) and event.text.strip():
                        milliseconds = round((time.monotonic() - started) * 1000)
                        message = f"{one_line(model)} answers: first text after {milliseconds / 1000:.2f} s"
                        return Finding(GROUP, name, "ok", message, first_text_ms=milliseconds)
        return _finding(name, "broken", f"{model} ended without a word", "try another model")
    except TimeoutError:
        hint = "the model may still be loading: ask again" if provider.local else "ask again later"
        said = f"{model} gave no text" if model else "it gave no list of models"
        return _finding(name, "broken", f"{said} within {seconds:g} s", hint)
    except LodeError as error:
        return _broken(name, error)
    except Exception as error:  # noqa: BLE001 - one provider's fault must not hide the others
        return _finding(name, "broken", f"unexpected {type(error).__name__}: {error}")


def choose_cheapest(models: Iterable[str]) -> str:
    """The model that is probably the cheapest, as its name goes; the first by name where none says anything."""

    def rank(name: str) -> tuple[bool, float, int, int, str]:
        own = name.rpartition("/")[2].lower()
        words = set(_WORDS.findall(own))
        kind = next((number for number, word in enumerate(_SMALL) if word in words), len(_SMALL))
        billions = min((float(number) for number in _BILLIONS.findall(own)), default=1000.0)
        return (bool(words & set(_UNUSUAL)), billions if billions < 1000 else 500.0, kind, len(own), name)

    return min(models, key=rank)


def _template(selector: str, provider: Finding) -> Finding:
    if provider.state in ("ok", "absent"):
        return _finding("template", "ok", f"{selector} answers")
    message = f"{selector} cannot answer now: see {provider.subject} above"
    return _finding("template", "warning", message, "mend that, or choose another: lode template set --model")


def _prompt(prompt: str) -> list[Finding]:
    """Check the template's prompt, as an older Lode may have saved it; nothing where all is well."""
    from tui.prompts.rendering import check

    try:
        check(prompt)
    except TemplateError as error:
        hint = f"{error.hint}; save it in Template, or with: lode template set --prompt @FILE"
        return [_finding("prompt", "broken", f"the template: {error.message}", hint)]
    return []


def _no_template(of_providers: Iterable[Finding]) -> Finding:
    usable = [each.subject for each in of_providers if each.state == "ok" and each.subject != "lexicon"]
    message = "none is saved for this profile: the lexicon answers"
    if usable:
        hint = f"to ask a model, choose one: lode models {usable[0]}, then lode template set --model {usable[0]}:NAME"
    else:
        hint = "to ask a model, set a key (export OPENAI_API_KEY=…) or start Ollama"
    return _finding("template", "absent", message, hint)


def _unencrypted(settings: Settings) -> list[Finding]:
    """Providers of the user's whose key goes over the network for all to read."""
    message, hint = "its key goes over the network unencrypted", "give it an https:// address where the server has one"
    return [
        _finding(each.name, "warning", message, hint)
        for each in settings.providers
        if each.base_url.startswith("http://")
        and not is_this_machine(each.base_url)
        and (each.api_key_env or each.api_key_command)
    ]


def _broken(subject: str, error: LodeError) -> Finding:
    return _finding(subject, "broken", error.message, error.hint)


def _finding(subject: str, state: FindingState, message: str, hint: str = "") -> Finding:
    return Finding(GROUP, subject, state, one_line(message), hint=one_line(hint))
