"""Values that complete arguments and options: records, languages, models, profiles and the like.

Each function takes what was typed and imports what it needs. The library is that of the line's ``--home`` and
``--profile``; of a server's nothing is known before it is asked, and nobody waits for that between two keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tui.cli.completion import Candidate

if TYPE_CHECKING:
    from tui.config import Settings

_MAX_RECORDS = 60
"""Records that are offered: bash asks before it lists more than a hundred of anything."""
_SHORT = 8
"""Characters of an id that are enough, as in the lists."""
HERE = "local"


@dataclass(frozen=True, slots=True)
class Place:
    """Library that a line is about: None for one on a server."""

    settings: Settings
    directory: Path | None
    profile: str


def list_values(kind: str, typed: str, given: Mapping[str, str], environ: Mapping[str, str]) -> Iterator[Candidate]:
    """Values of a kind that begin with what was typed; ``given`` are the values of the line's options by name."""
    from tui.text.sanitize import laid_out, one_line

    place = _place(given, environ)
    found = _LISTS[kind](place, typed) if kind in _LISTS else _records(place, kind, typed)
    for each in found:
        if laid_out(each.value) == each.value and "\n" not in each.value:  # else no key types it
            yield replace(each, about=one_line(each.about))


def _place(given: Mapping[str, str], environ: Mapping[str, str]) -> Place:
    from tui import config

    home = Path(given["home"]) if given.get("home") else None
    settings = config.load(home, environ)
    url = given.get("url") or environ.get("LODE_URL") or settings.url
    here = settings.home if url in ("", HERE) else None
    return Place(settings, here, given.get("profile") or settings.profile)


def _records(place: Place, kind: str, typed: str) -> Iterator[Candidate]:
    """Ids that begin so, each with what it is, and names that do."""
    from tui.store.record_names import read_records

    if place.directory is None:
        return
    for record in read_records(place.directory, place.profile, kind, typed, _MAX_RECORDS):
        if record.id.startswith(typed):
            about = " · ".join(filter(None, (record.name, record.about)))
            yield Candidate(record.id if len(typed) > _SHORT else record.id[:_SHORT], about)
        else:
            yield Candidate(record.name, record.about or record.id[:_SHORT])


def _of_library(place: Place, kind: str) -> tuple[str, ...]:
    from tui.store.record_names import read_values

    return read_values(place.directory, place.profile, kind) if place.directory is not None else ()


def _names(kind: str, place: Place, typed: str) -> Iterator[Candidate]:
    yield from (Candidate(each) for each in sorted(_of_library(place, kind)) if each.startswith(typed))


def _profiles(place: Place, typed: str) -> Iterator[Candidate]:
    found = {place.settings.profile, *_of_library(place, "profiles")}
    yield from (Candidate(each) for each in sorted(found) if each.startswith(typed))


def _languages(place: Place, typed: str) -> Iterator[Candidate]:
    """Languages of the library's texts first; all others by their codes."""
    from tui.language.tags import language_name, language_names

    used = sorted(_of_library(place, "languages"))
    rest = () if not typed and used else tuple(language_names())
    for code in dict.fromkeys((*used, *rest)):
        if code.casefold().startswith(typed.casefold()):
            yield Candidate(code, language_name(code))


def _providers(place: Place, typed: str) -> Iterator[Candidate]:
    from tui.provider_table import PROVIDERS

    own = {each.name: each.label for each in place.settings.providers}
    for name, label in {**{row.name: row.label for row in PROVIDERS}, **own}.items():
        if name.startswith(typed):
            yield Candidate(name, label)


def _models(place: Place, typed: str) -> Iterator[Candidate]:
    """Models that answered already, then providers and, behind a provider's colon, those of it that are well known."""
    from tui.provider_table import PROVIDERS

    used = [each for each in _of_library(place, "models") if each.startswith(typed)]
    yield from (Candidate(each, "used before") for each in sorted(used))
    provider, colon, _ = typed.partition(":")
    if not colon:
        yield from (Candidate(f"{each.value}:", each.about, True) for each in _providers(place, typed))
        return
    for row in PROVIDERS:
        if row.name == provider:
            known = (f"{provider}:{model}" for model in row.well_known)
            yield from (Candidate(each) for each in known if each.startswith(typed))


def _guides(_: Place, typed: str) -> Iterator[Candidate]:
    from tui.guides import list_guides

    yield from (Candidate(each.topic, each.summary) for each in list_guides() if each.topic.startswith(typed))


def _encodings(_: Place, typed: str) -> Iterator[Candidate]:
    from tui.importing.encoding.legacy_encodings import USUAL_ENCODINGS

    codecs = {codec for each in USUAL_ENCODINGS.values() for codec in each}
    found = {"utf-8", *(f"windows-{each[2:]}" if each.startswith("cp125") else each for each in codecs)}
    yield from (Candidate(each) for each in sorted(found) if each.startswith(typed.casefold()))


def _settings(place: Place, typed: str) -> Iterator[Candidate]:
    from tui.config import plain_settings

    names = [*plain_settings(), *(f"keys.{name}" for name in place.settings.keys)]
    yield from (Candidate(each) for each in names if each.startswith(typed))
    for each in ("keys.", "providers.", "speech."):
        if each.startswith(typed):
            yield Candidate(each, is_open=True)


_LISTS: Mapping[str, Callable[[Place, str], Iterator[Candidate]]] = {
    "tags": partial(_names, "tags"),
    "views": partial(_names, "views"),
    "profiles": _profiles,
    "languages": _languages,
    "providers": _providers,
    "models": _models,
    "guides": _guides,
    "encodings": _encodings,
    "settings": _settings,
}
"""Kind → its values; all other kinds are records."""
