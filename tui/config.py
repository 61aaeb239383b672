"""Settings: where Lode's data are, and what ``config.toml`` and the environment say.

``config.toml`` lies in the configuration directory, ``lode.db`` and the blobs in the data directory; ``LODE_HOME``
puts both in one place (``$LODE_HOME/config.toml``, ``$LODE_HOME/lode.db``).
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from tui import bounds
from tui.errors import InvalidInput
from tui.provider_table import PROTOCOLS, PROVIDERS
from tui.system import regular_file

_MOST_BYTES = bounds.CONFIG.bytes_in
_PROFILE = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_PROFILE_HINT = "use 1 to 64 of the letters a-z and A-Z, digits, - and _"
WordTints = Literal["text", "background", "underline", "off"]
WORD_TINTS: tuple[WordTints, ...] = get_args(WordTints)
MIN_TEXT_WIDTH, MAX_LINE_SPACING = 24, 2
INBOX_PORT = 8767
"""Usual port of the inbox: beside AnkiConnect's and ``lode serve``'s 8765, and asbplayer's own proxy, 8766."""
_PROVIDER = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*\Z")


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """A provider of the user's: ``[providers.<name>]`` with its wire protocol, address and where its key comes from.

    ``base_url`` "" stands for a built-in provider that only gets its key in another way; ``label`` "" for its name.
    ``timeout`` is how many seconds a model may be silent, None for as long as is usual.
    """

    name: str
    protocol: str
    base_url: str
    api_key_env: str = ""
    label: str = ""
    api_key_command: str = ""
    timeout: float | None = None


SPEECH_PROGRAMS = ("espeak-ng", "piper")
"""Programs that speak; everything else that ``[speech]`` names is a provider."""


@dataclass(frozen=True, slots=True)
class SpeechSettings:
    """Speaker of clips without a recording: ``[speech]``, or ``[speech.<language>]`` for one language.

    ``speaker`` is what ``with`` says: a program or the name of a provider, "" for espeak-ng. ``model`` is a provider's
    model or the file of one of piper, ``voice`` the name of a voice of these, "" for the usual one.
    """

    speaker: str = ""
    model: str = ""
    voice: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force; ``home`` is the data directory, ``keys`` maps binding ids to keys.

    ``word_tints`` is how words that are new or learned are set off in the reader: by the colour of their text or of
    what is behind it, without colour, or not at all. ``text_width`` is how many cells its text has at most, 0 for as
    many as there is room for, ``line_spacing`` how many free lines stand between two. ``cursor`` shows the terminal's
    own cursor, which is at the word under the eye and at the row of a list. ``url`` is the server whose library is used
    in place of this machine's, "" for none; ``token_file`` holds its token. ``anki_url`` is where AnkiConnect answers,
    "" for its usual address, and ``anki_key_env`` the variable that holds its key, "" for the usual one.
    ``inbox_port`` is where cards of other programs are taken (0: any free one). ``speech`` says what speaks each
    language, "" any other. ``prices`` are what a minute of sound costs by the selector of the model, in ``currency``.
    """

    home: Path
    config_path: Path
    default_provider: str = "openai"
    profile: str = "default"
    theme: str = ""
    word_tints: WordTints = "text"
    text_width: int = 0
    line_spacing: int = 0
    cursor: bool = False
    mouse: bool = True
    keys: Mapping[str, str] = field(default_factory=dict)
    providers: tuple[ProviderSettings, ...] = ()
    url: str = ""
    token_file: Path | None = None
    anki_url: str = ""
    anki_key_env: str = ""
    inbox_port: int = INBOX_PORT
    speech: Mapping[str, SpeechSettings] = field(default_factory=dict)
    prices: Mapping[str, float] = field(default_factory=dict)
    currency: str = "$"


# Not by msgspec: every command would wait 20 ms for its import, and its refusals name no field but in prose.
_Allowed = tuple[Callable[[Any], bool], str]
"""A check of a value, and the words for what passes it."""
_TEXT: _Allowed = (lambda value: isinstance(value, str), "be a text")
_TABLE: _Allowed = (lambda value: isinstance(value, dict), "be a table")
_ADDRESS: _Allowed = (
    lambda value: isinstance(value, str) and (not value or value.startswith(("http://", "https://"))),
    'begin with http:// or https://, as in "http://127.0.0.1:8765"',
)
_SETTINGS: Mapping[str, _Allowed] = {
    "default_provider": _TEXT,
    "profile": _TEXT,
    "theme": _TEXT,
    "word_tints": (lambda value: value in WORD_TINTS, f"be one of {', '.join(WORD_TINTS)}"),
    "text_width": (
        lambda value: type(value) is int and (value == 0 or MIN_TEXT_WIDTH <= value <= 1000),
        f"be 0, for all that there is room for, or {MIN_TEXT_WIDTH} to 1000 cells",
    ),
    "line_spacing": (
        lambda value: type(value) is int and 0 <= value <= MAX_LINE_SPACING,
        f"be 0 to {MAX_LINE_SPACING} free lines",
    ),
    "cursor": (lambda value: isinstance(value, bool), "be true or false"),
    "mouse": (lambda value: isinstance(value, bool), "be true or false"),
    "url": _ADDRESS,
    "token_file": _TEXT,
    "anki_url": _ADDRESS,
    "anki_key_env": _TEXT,
    "inbox_port": (lambda value: type(value) is int and 0 <= value <= 65535, "be a port, 0 to 65535"),
    "keys": _TABLE,
    "providers": _TABLE,
    "speech": _TABLE,
    "prices": _TABLE,
}
_OF_SPEECH: Mapping[str, _Allowed] = {"with": _TEXT, "model": _TEXT, "voice": _TEXT}
_OF_PRICE: Mapping[str, _Allowed] = {
    "minute": (
        lambda value: type(value) in (int, float) and 0 <= value <= 1000,
        "be the price of a minute of sound, as in 0.006",
    )
}
_OF_PROVIDER: Mapping[str, _Allowed] = {
    "protocol": (lambda value: isinstance(value, str) and value in PROTOCOLS, f"be one of {', '.join(PROTOCOLS)}"),
    "base_url": _ADDRESS,
    "api_key_env": _TEXT,
    "api_key_command": _TEXT,
    "label": _TEXT,
    "timeout": (lambda value: type(value) in (int, float) and 1 <= value <= 3600, "be 1 to 3600 seconds, as in 60"),
}


def check_profile(name: str) -> str:
    """The name itself; raises ``InvalidInput`` for anything but 1 to 64 of letters, digits, ``-`` and ``_``."""
    if not _PROFILE.match(name):
        raise InvalidInput(f"{name[:80]!r} is no profile name", hint=_PROFILE_HINT, code="invalid_profile")
    return name


def directories(home: Path | None = None, environ: Mapping[str, str] | None = None) -> tuple[Path, Path]:
    """The data and the configuration directory: ``home``, else ``LODE_HOME``, else where this system keeps such."""
    environ = os.environ if environ is None else environ
    if home is not None or environ.get("LODE_HOME"):
        place = (home or Path(environ["LODE_HOME"])).expanduser().absolute()
        return place, place
    from platformdirs import user_config_path, user_data_path

    return user_data_path("lode", appauthor=False), user_config_path("lode", appauthor=False)


def home_arguments(settings: Settings) -> list[str]:
    """Arguments that make another Lode find the same library and settings: none where the system keeps them."""
    is_one_place = settings.config_path.parent == settings.home
    return ["--home", str(settings.home.absolute())] if is_one_place else []


def load(home: Path | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings; a missing file means the defaults. Raises ``InvalidInput`` naming file, line and cause."""
    data, config = directories(home, environ)
    path = config / "config.toml"
    text, table = read_file(path)
    try:
        for problem in _problems(table):
            raise _refusal(path, problem.cause, _line(text, problem))
        return _settings(table, data, path)
    except RecursionError as error:
        raise _nested_too_deeply(path) from error


@dataclass(frozen=True, slots=True)
class Problem:
    """Fault of a setting: ``setting`` is the way to it, ``line`` where it stands, if that is known."""

    cause: str
    setting: tuple[str, ...] = ()
    line: int | None = None


def read_file(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of ``config.toml`` and the table that it is; empty ones where there is none. Raises ``InvalidInput``."""
    try:
        text = regular_file.read(path, _MOST_BYTES).decode()
    except FileNotFoundError:
        return "", {}
    except UnicodeDecodeError as error:
        raise _refusal(path, str(error)) from error
    except OSError as error:
        raise _refusal(path, error.strerror or str(error)) from error
    import tomllib  # which a start without the file does without

    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _refusal(path, str(error)) from error
    except ValueError as error:
        raise _refusal(path, "a number in it has too many digits") from error
    except RecursionError as error:
        raise _nested_too_deeply(path) from error


def find_problems(text: str, table: dict[str, Any], path: Path) -> tuple[Problem, ...]:
    """All that is wrong with the settings in the text that is this table, each with its line.

    Raises ``InvalidInput`` where they are nested too deeply to be looked at.
    """
    try:
        return tuple(replace(each, line=_line(text, each)) for each in _problems(table))
    except RecursionError as error:
        raise _nested_too_deeply(path) from error


def find_setting(name: str, table: Mapping[str, Any]) -> tuple[str, ...]:
    """The way to a setting: ``theme``, ``keys.list.filter``, ``providers.local.timeout``, ``speech.de.with``,
    ``prices.openai:gpt-transcribe.minute``.

    ``table`` are the settings that there are. Raises ``InvalidInput`` for a name that no setting has.
    """
    first, _, rest = name.partition(".")
    if first == "keys" and rest:
        return "keys", *_parts_of(rest, table.get("keys", {}))
    path = tuple(name.split("."))
    if first in ("providers", "speech", "prices") and len(path) > 2:
        path = first, ".".join(path[1:-1]), path[-1]
    if allowed_at(path) is None:
        names = [*plain_settings(), "keys.ID"]
        names += [f"providers.NAME.{each}" for each in _OF_PROVIDER]
        names += [f"speech.{each}" for each in _OF_SPEECH]
        names += ["prices.currency", *(f"prices.MODEL.{each}" for each in _OF_PRICE)]
        hint = _meant(name, names) or f"there are {', '.join(names)}"
        raise InvalidInput(f"there is no setting {name[:80]!r}", hint=hint, field="setting")
    return path


def _parts_of(binding: str, keys: Mapping[str, Any]) -> tuple[str, ...]:
    """A binding's id as it stands in ``[keys]``: whole, or as a table in a table."""
    if binding in keys:
        return (binding,)
    first, _, rest = binding.partition(".")
    inner = keys.get(first)
    return (first, *_parts_of(rest, inner)) if rest and isinstance(inner, dict) else (binding,)


def plain_settings() -> tuple[str, ...]:
    """Names of the settings that are no tables."""
    return tuple(name for name, allowed in _SETTINGS.items() if allowed is not _TABLE)


def allowed_at(path: tuple[str, ...]) -> Callable[[Any], bool] | None:
    """The check of the values that a setting may have; None where there is no such setting."""
    match path:
        case ("keys", *rest) if rest:
            return lambda value: isinstance(value, str) and bool(value.strip())
        case ("providers", name, field) if _PROVIDER.match(name) and field in _OF_PROVIDER:
            return _OF_PROVIDER[field][0]
        case ("speech", field) | ("speech", _, field) if field in _OF_SPEECH:
            return _OF_SPEECH[field][0]
        case ("prices", "currency"):
            return _TEXT[0]
        case ("prices", _, field) if field in _OF_PRICE:
            return _OF_PRICE[field][0]
        case (name,) if name in _SETTINGS and _SETTINGS[name] is not _TABLE:
            return _SETTINGS[name][0]
    return None


def _line(text: str, problem: Problem) -> int | None:
    from tui.text.toml_lines import find_line

    return find_line(text, problem.setting) if problem.setting else None


def _settings(table: dict[str, Any], data: Path, path: Path) -> Settings:
    as_given = table.keys() - {"profile", "keys", "providers", "token_file", "speech", "prices"}
    prices = table.get("prices", {})
    return Settings(
        **{name: table[name] for name in as_given},
        home=data,
        config_path=path,
        profile=table.get("profile", "default"),
        keys=dict(_keys(table.get("keys", {}))),
        providers=tuple(_provider(name, row) for name, row in table.get("providers", {}).items()),
        token_file=_beside(path, table["token_file"]) if table.get("token_file") else None,
        speech=dict(_speech(table.get("speech", {}), path)),
        prices={name: row["minute"] for name, row in prices.items() if isinstance(row, dict) and "minute" in row},
        currency=prices.get("currency", "$"),
    )


def _problems(table: dict[str, Any]) -> Iterator[Problem]:
    """Everything that is wrong, in the order in which it is looked at."""
    yield from _check(table, _SETTINGS)
    profile = table.get("profile")
    if isinstance(profile, str) and not _PROFILE.match(profile):
        yield Problem(f"{profile[:80]!r} is no profile name: {_PROFILE_HINT}", ("profile",))
    checks = {"keys": _check_keys, "providers": _check_providers, "speech": _check_speech, "prices": _check_prices}
    for name, check in checks.items():
        if isinstance(inside := table.get(name, {}), dict):
            yield from check(inside)


def _check(
    table: dict[str, Any], allowed: Mapping[str, _Allowed], within: tuple[str, ...] = (), title: str = ""
) -> Iterator[Problem]:
    """Check names and values: a name must be allowed, and may have only some values; ``title`` is that of the table."""
    of = f" of {title}" if title else ""
    for name, value in table.items():
        if name not in allowed:
            there_are = f"there are {', '.join(allowed)}"
            meant = "; ".join(filter(None, (f"there is no setting {name!r}{of}", there_are, _meant(name, allowed))))
            yield Problem(meant, (*within, name))
        else:
            fits, words = allowed[name]
            if not fits(value):
                yield Problem(f"{name}{of} must {words}, not {_shown(value)}", (*within, name))


def _meant(name: str, names: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, list(names), 1)
    return f"did you mean {near[0]}?" if near else ""


def _beside(path: Path, name: str) -> Path:
    """A file that the settings name: relative to where they lie."""
    return path.parent / Path(name).expanduser()


def _keys(table: dict[str, Any], within: str = "") -> Iterator[tuple[str, str]]:
    """``section.files = "F"`` without quotation marks is a table in TOML: it means the same here."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _keys(value, f"{within}{name}.")
        else:
            yield within + name, value


def _check_keys(table: dict[str, Any], within: tuple[str, ...] = ()) -> Iterator[Problem]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _check_keys(value, (*within, name))
        elif not isinstance(value, str) or not value.strip():
            binding = ".".join((*within, name))
            yield Problem(
                f'[keys] "{binding}" must be a key, as in "{binding}" = "f5", not {_shown(value)}',
                ("keys", *within, name),
            )


def _provider(name: str, row: dict[str, Any]) -> ProviderSettings:
    return ProviderSettings(
        **{"protocol": "openai", **row, "name": name, "base_url": row.get("base_url", "").rstrip("/")}
    )


def _check_providers(table: dict[str, Any]) -> Iterator[Problem]:
    for name, row in table.items():
        title, within = f"[providers.{name}]", ("providers", name)
        if not _PROVIDER.match(name):
            yield Problem(f"{name!r} is no provider name: use small letters, digits, - and _", within)
        elif not isinstance(row, dict):
            yield Problem(f"{title} must be a table", within)
        else:
            yield from _check(row, _OF_PROVIDER, within, title)
            if not str(row.get("base_url", "")).rstrip("/") and all(name != built_in.name for built_in in PROVIDERS):
                yield Problem(f'{title} needs base_url = "http…"', within)


def _speakers(table: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The tables of the languages, and as "" what is said for all others."""
    yield "", {name: value for name, value in table.items() if not isinstance(value, dict)}
    yield from ((name, row) for name, row in table.items() if isinstance(row, dict))


def _speech(table: dict[str, Any], path: Path) -> Iterator[tuple[str, SpeechSettings]]:
    """Read the speakers: of each language with a table of its own, by its tag in small letters; of all others as ""."""
    for language, row in _speakers(table):
        speaker, model, voice = (row.get(name, "") for name in ("with", "model", "voice"))
        if speaker == "piper":
            model = str(_beside(path, model))
        if row:
            yield language.lower(), SpeechSettings(speaker, model, voice)


def _check_speech(table: dict[str, Any]) -> Iterator[Problem]:
    for language, row in _speakers(table):
        title = f"[speech.{language}]" if language else "[speech]"
        within = ("speech", language) if language else ("speech",)
        if language and not _LANGUAGE.match(language):
            yield Problem(f"{title}: {language[:40]!r} is no code of a language, as in [speech.de]", within)
            continue
        yield from _check(row, _OF_SPEECH, within, title)
        speaker, model, voice = (row.get(name, "") for name in ("with", "model", "voice"))
        if speaker not in ("", "espeak-ng") and not model:
            speaks = "a file" if speaker == "piper" else "a model"
            yield Problem(f"{title} needs model: {speaks} that speaks", within)
        elif speaker not in ("", *SPEECH_PROGRAMS) and not voice:
            yield Problem(f"{title} needs voice: the name of one that the model has", within)


def _check_prices(table: dict[str, Any]) -> Iterator[Problem]:
    for name, row in table.items():
        within = ("prices", name)
        if name == "currency":
            if not isinstance(row, str):
                yield Problem(f"currency of [prices] must be a text, not {_shown(row)}", within)
        elif not isinstance(row, dict):
            yield Problem(f'[prices] "{name}" must be a table, as in {{ minute = 0.006 }}, not {_shown(row)}', within)
        else:
            yield from _check(row, _OF_PRICE, within, f'[prices."{name}"]')


def _shown(value: object) -> str:
    try:
        shown = repr(value)
    except ValueError:  # Python writes no number of more than 4300 digits, but reads longer ones that are hexadecimal
        return "a number without end"
    return shown if len(shown) <= 80 else shown[:79] + "…"


def _refusal(path: Path, cause: str, line: int | None = None) -> InvalidInput:
    where = f"{path}:{line}" if line is not None else str(path)
    hint = "mend the file (lode config edit), or move it away to start with the defaults"
    return InvalidInput(f"{where}: {cause}", hint=hint)


def _nested_too_deeply(path: Path) -> InvalidInput:
    return _refusal(path, "it is nested too deeply")
