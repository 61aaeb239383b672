"""Where Lode's data and settings are, and what the settings say.

``config.toml`` lies in the configuration directory, ``lode.db`` and the blobs in the data directory; ``LODE_HOME``
puts both in one place (``$LODE_HOME/config.toml``, ``$LODE_HOME/lode.db``).
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tui.errors import InvalidInput

PROTOCOLS = ("openai",)
_PROFILE = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_PROVIDER = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """A provider of the user's: ``[providers.<name>]`` with its wire protocol, address and the name of its key."""

    name: str
    protocol: str
    base_url: str
    api_key_env: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force; ``home`` is the data directory, ``keys`` maps binding ids to keys."""

    home: Path
    config_path: Path
    default_provider: str = "openai"
    profile: str = "default"
    theme: str = ""
    mouse: bool = True
    keys: Mapping[str, str] = field(default_factory=dict)
    providers: tuple[ProviderSettings, ...] = ()


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
        table = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Settings(home=data, config_path=path)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _refusal(path, str(error)) from error
    except OSError as error:
        raise _refusal(path, error.strerror or str(error)) from error
    return _settings(table, data, path)


def _settings(table: dict[str, Any], data: Path, path: Path) -> Settings:
    known = {"default_provider": str, "profile": str, "theme": str, "mouse": bool, "keys": dict, "providers": dict}
    for name, value in table.items():
        if name not in known:
            raise _refusal(path, f"there is no setting {name!r}; there are {', '.join(known)}")
        if not isinstance(value, known[name]):
            raise _refusal(path, f"{name} must be a {known[name].__name__}, not {value!r}")
    providers = tuple(_provider(name, row, path) for name, row in table.get("providers", {}).items())
    return Settings(
        home=data,
        config_path=path,
        default_provider=table.get("default_provider", "openai"),
        profile=check_profile(table.get("profile", "default")),
        theme=table.get("theme", ""),
        mouse=table.get("mouse", True),
        keys={str(binding): str(key) for binding, key in table.get("keys", {}).items()},
        providers=providers,
    )


def _provider(name: str, row: Any, path: Path) -> ProviderSettings:
    if not _PROVIDER.match(name):
        raise _refusal(path, f"{name!r} is no provider name: use small letters, digits, - and _")
    if not isinstance(row, dict) or not isinstance(row.get("base_url"), str):
        raise _refusal(path, f'[providers.{name}] needs base_url = "http…"')
    if not row["base_url"].startswith(("http://", "https://")):
        raise _refusal(path, f"base_url of [providers.{name}] must begin with http:// or https://")
    unknown = set(row) - {"protocol", "base_url", "api_key_env", "label"}
    if unknown:
        raise _refusal(path, f"[providers.{name}] has no {', '.join(sorted(unknown))}")
    if not all(isinstance(value, str) for value in row.values()):
        raise _refusal(path, f"every value in [providers.{name}] must be a text")
    if row.get("protocol", "openai") not in PROTOCOLS:
        raise _refusal(path, f"protocol of [providers.{name}] must be one of {', '.join(PROTOCOLS)}")
    return ProviderSettings(
        name=name,
        protocol=row.get("protocol", "openai"),
        base_url=row["base_url"].rstrip("/"),
        api_key_env=row.get("api_key_env", ""),
        label=row.get("label", name),
    )


def _refusal(path: Path, cause: str) -> InvalidInput:
    return InvalidInput(f"{path}: {cause}", hint="mend the file, or move it away to start with the defaults")
