"""Settings: where Lode's data are, and what ``config.toml`` and the environment say.

``config.toml`` lies in the configuration directory, ``lode.db`` and the blobs in the data directory; ``LODE_HOME``
puts both in one place (``$LODE_HOME/config.toml``, ``$LODE_HOME/lode.db``).
"""

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from tui import bounds
from tui.errors import InvalidInput
from tui.provider_table import PROTOCOLS, PROVIDERS
from tui.system import regular_file

_MOST_BYTES = bounds.CONFIG.bytes_in
_PROFILE = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
WordTints = Literal["text", "background", "underline", "off"]
WORD_TINTS: tuple[WordTints, ...] = get_args(WordTints)
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
    what is behind it, without colour, or not at all. ``url`` is the server whose library is used in place of this
    machine's, "" for none; ``token_file`` holds its token. ``anki_url`` is where AnkiConnect answers, "" for its usual
    address, and ``anki_key_env`` the variable that holds its key, "" for the usual one. ``speech`` says what
    speaks each language, "" any other.
    """

    home: Path
    config_path: Path
    default_provider: str = "openai"
    profile: str = "default"
    theme: str = ""
    word_tints: WordTints = "text"
    mouse: bool = True
    keys: Mapping[str, str] = field(default_factory=dict)
    providers: tuple[ProviderSettings, ...] = ()
    url: str = ""
    token_file: Path | None = None
    anki_url: str = ""
    anki_key_env: str = ""
    speech: Mapping[str, SpeechSettings] = field(default_factory=dict)


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
    "mouse": (lambda value: isinstance(value, bool), "be true or false"),
    "url": _ADDRESS,
    "token_file": _TEXT,
    "anki_url": _ADDRESS,
    "anki_key_env": _TEXT,
    "keys": _TABLE,
    "providers": _TABLE,
    "speech": _TABLE,
}
_OF_SPEECH: Mapping[str, _Allowed] = {"with": _TEXT, "model": _TEXT, "voice": _TEXT}
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
        raise InvalidInput(
            f"{name[:80]!r} is no profile name",
            hint="use 1 to 64 of the letters a-z and A-Z, digits, - and _",
            code="invalid_profile",
        )
    return name


def directories(home: Path | None = None, environ: Mapping[str, str] | None = None) -> tuple[Path, Path]:
    """The data and the configuration directory: ``home``, else ``LODE_HOME``, else where this system keeps such."""
    environ = os.environ if environ is None else environ
    if home is not None or environ.get("LODE_HOME"):
        place = (home or Path(environ["LODE_HOME"])).expanduser().absolute()
        return place, place
    from platformdirs import user_config_path, user_data_path

    return user_data_path("lode", appauthor=False), user_config_path("lode", appauthor=False)


def load(home: Path | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings; a missing file means the defaults. Raises ``InvalidInput`` naming file and cause."""
    data, config = directories(home, environ)
    path = config / "config.toml"
    try:
        return _settings(tomllib.loads(regular_file.read(path, _MOST_BYTES).decode()), data, path)
    except FileNotFoundError:
        return Settings(home=data, config_path=path)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _refusal(path, str(error)) from error
    except ValueError as error:
        raise _refusal(path, "a number in it has too many digits") from error
    except RecursionError as error:
        raise _refusal(path, "it is nested too deeply") from error
    except OSError as error:
        raise _refusal(path, error.strerror or str(error)) from error


def _settings(table: dict[str, Any], data: Path, path: Path) -> Settings:
    _check(table, _SETTINGS, path)
    as_given = table.keys() - {"profile", "keys", "providers", "token_file", "speech"}
    return Settings(
        **{name: table[name] for name in as_given},
        home=data,
        config_path=path,
        profile=check_profile(table.get("profile", "default")),
        keys=dict(_keys(table.get("keys", {}), path)),
        providers=tuple(_provider(name, row, path) for name, row in table.get("providers", {}).items()),
        token_file=_beside(path, table["token_file"]) if table.get("token_file") else None,
        speech=dict(_speech(table.get("speech", {}), path)),
    )


def _check(table: dict[str, Any], allowed: Mapping[str, _Allowed], path: Path, within: str = "") -> None:
    """Raises ``InvalidInput`` for a name that is not allowed, and for a value that its name may not have."""
    for name, value in table.items():
        if name not in allowed:
            raise _refusal(path, f"there is no setting {name!r}{within}; there are {', '.join(allowed)}")
        fits, words = allowed[name]
        if not fits(value):
            raise _refusal(path, f"{name}{within} must {words}, not {_shown(value)}")


def _beside(path: Path, name: str) -> Path:
    """A file that the settings name: relative to where they lie."""
    return path.parent / Path(name).expanduser()


def _keys(table: dict[str, Any], path: Path, within: str = "") -> Iterator[tuple[str, str]]:
    """``section.files = "F"`` without quotation marks is a table in TOML: it means the same here."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _keys(value, path, f"{within}{name}.")
        elif not isinstance(value, str) or not value.strip():
            raise _refusal(
                path, f'[keys] "{within}{name}" must be a key, as in "{within}{name}" = "f5", not {_shown(value)}'
            )
        else:
            yield within + name, value


def _provider(name: str, row: Any, path: Path) -> ProviderSettings:
    within = f"[providers.{name}]"
    if not _PROVIDER.match(name):
        raise _refusal(path, f"{name!r} is no provider name: use small letters, digits, - and _")
    if not isinstance(row, dict):
        raise _refusal(path, f"{within} must be a table")
    _check(row, _OF_PROVIDER, path, f" of {within}")
    base_url = row.get("base_url", "").rstrip("/")
    if not base_url and all(name != row.name for row in PROVIDERS):
        raise _refusal(path, f'{within} needs base_url = "http…"')
    return ProviderSettings(**{"protocol": "openai", **row, "name": name, "base_url": base_url})


def _speech(table: dict[str, Any], path: Path) -> Iterator[tuple[str, SpeechSettings]]:
    """Read the speakers: of each language with a table of its own, by its tag in small letters; of all others as ""."""
    usual = {name: value for name, value in table.items() if not isinstance(value, dict)}
    languages = {name: row for name, row in table.items() if isinstance(row, dict)}
    for language, row in (("", usual), *languages.items()):
        within = f"[speech.{language}]" if language else "[speech]"
        if language and not _LANGUAGE.match(language):
            raise _refusal(path, f"{within}: {language[:40]!r} is no code of a language, as in [speech.de]")
        _check(row, _OF_SPEECH, path, f" of {within}")
        speaker, model, voice = (row.get(name, "") for name in ("with", "model", "voice"))
        if speaker not in ("", "espeak-ng") and not model:
            raise _refusal(path, f"{within} needs model: {'a file' if speaker == 'piper' else 'a model'} that speaks")
        if speaker not in ("", *SPEECH_PROGRAMS) and not voice:
            raise _refusal(path, f"{within} needs voice: the name of one that the model has")
        if speaker == "piper":
            model = str(_beside(path, model))
        if row:
            yield language.lower(), SpeechSettings(speaker, model, voice)


def _shown(value: object) -> str:
    try:
        shown = repr(value)
    except ValueError:  # Python writes no number of more than 4300 digits, but reads longer ones that are hexadecimal
        return "a number without end"
    return shown if len(shown) <= 80 else shown[:79] + "…"


def _refusal(path: Path, cause: str) -> InvalidInput:
    return InvalidInput(f"{path}: {cause}", hint="mend the file, or move it away to start with the defaults")
