"""Search for dictionaries: files that are named or that the system has for other programs, and what there is to get.

What is recommended, and where that is from, stands in ``recommended.toml``.
"""

import glob
import os
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path

from tui.dictionaries.dictd import INDEX_ENDING, find_pair
from tui.dictionaries.fields import find_pair_in_name
from tui.errors import ImportRefused
from tui.language.tags import base_language, normalise
from tui.language.word_lists import read_lists
from tui.records.dictionaries import Dictionary, OfferedDictionary
from tui.records.settings import ProfileSettings
from tui.system.regular_file import named_path
from tui.text.sanitize import one_line

_MAX_MATCHES = 1_000


def list_parts(path: Path) -> tuple[Path, ...]:
    """The files that a dictionary consists of: both halves of dictd's, whichever is named, its index first."""
    return find_pair(path) or (path,)


def find_named_dictionaries(paths: Sequence[str | Path]) -> tuple[Path, ...]:
    """The dictionaries that are meant, absolute, each once: of dictd's two files one may be named, or both.

    What is in them is for their import to say. Raises ``ImportRefused`` where there is no such file. Blocks.
    """
    found: dict[str, Path] = {}
    for path in (list_parts(each)[0] for given in paths for each in _files(given)):
        found.setdefault(os.path.realpath(path), path.absolute())
    return tuple(found.values())


def _files(given: str | Path) -> list[Path]:
    """The file that is meant, or those of a pattern where no file is called so."""
    if not str(given).strip() or "\0" in str(given):
        raise ImportRefused(f"{one_line(str(given)) or repr('')} is no path", hint="name the file of a dictionary")
    pattern = str(named_path(given))
    if glob.has_magic(pattern) and not os.path.lexists(given):
        matching = sorted(Path(each) for each in islice(glob.iglob(pattern), _MAX_MATCHES))  # noqa: PTH207 - as a shell's
        if found := [each for each in matching if each.is_file()]:
            return found
    return [_file(given)]


def _file(given: str | Path) -> Path:
    shown, path = one_line(str(given)), Path(given)
    try:
        if not path.exists() and str(given).startswith("~"):
            path = named_path(path)
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ImportRefused(f"there is no file {shown}", hint="check the path") from error
    except OSError as error:
        hint = "check the path and its permissions"
        raise ImportRefused(f"{shown} cannot be read: {error.strerror or error}", hint=hint) from error
    if stat.S_ISDIR(mode):
        raise ImportRefused(f"{shown} is a directory", hint="name the files of the dictionaries in it")
    return path


def find_offered_dictionaries(
    known: Sequence[Dictionary], settings: ProfileSettings, environ: Mapping[str, str]
) -> tuple[OfferedDictionary, ...]:
    """The dictionaries for dictd that this system has, but those that are known; what is learned comes first. Blocks.

    They lie in ``dictd`` of its data directories (XDG Base Directory Specification), where Debian's packages put them.
    """
    learning = [base_language(each.language) for each in settings.learning]
    added = {_stem(each.file_name) for each in known}

    def place(offered: OfferedDictionary) -> tuple[bool, bool, str]:
        return (
            base_language(offered.source_language) not in learning,
            base_language(offered.target_language) != base_language(settings.explain_in),
            offered.name,
        )

    directories = (environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":")
    found: dict[str, OfferedDictionary] = {}
    for directory in directories:
        if not directory.startswith("/"):
            continue
        with suppress(OSError):
            for path in sorted(Path(directory, "dictd").glob(f"*{INDEX_ENDING}")):
                name = _stem(path.name)
                if path.is_file() and (pair := find_pair(path)) and name not in added and name not in found:
                    source, target = find_pair_in_name(name) or (None, None)
                    size = sum(part.stat().st_size for part in pair)
                    found[name] = OfferedDictionary(str(path), one_line(name), source, target, size)
    return tuple(sorted(found.values(), key=place))


def _stem(name: str) -> str:
    """The name of a file without its endings: those of the parts of a dictionary, and of both sent in one."""
    return name.split(".", 1)[0]


_WTY = "https://github.com/yomidevs/wiktionary-to-yomitan"


def list_recommended(language: str, explain_in: str = "en") -> tuple[str, ...]:
    """Names of dictionaries of a language, those in which explanations are to be given before those in English."""
    base, target = base_language(language), base_language(explain_in)
    packages = _packages()
    found = [packages[pair] for pair in dict.fromkeys(((base, target), (base, "en"))) if pair in packages]
    own = _read_recommended()["of_language"].get(base) if target == "en" or not found else None
    return (*found, own or f"wty-{base}-en.zip ({_WTY})")


@cache
def _packages() -> dict[tuple[str, str], str]:
    """Debian's packages by their languages."""
    packages = {}
    for source, targets in _read_recommended()["freedict"].items():
        for target in targets.split():
            pair = base_language(normalise(source)), base_language(normalise(target))
            packages[pair] = f"dict-freedict-{source}-{target} (Debian, Ubuntu)"
    return packages


def _read_recommended() -> Mapping[str, Mapping[str, str]]:
    return read_lists("recommended", __file__)
