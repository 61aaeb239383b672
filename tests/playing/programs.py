"""Programs on PATH: small real ones in place of players, which write down what they were told."""

import json
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCKS = "import signal; signal.pause()"


class Programs:
    """A directory that is all of PATH; ``told`` reads what the programs in it were told."""

    def __init__(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.place = place
        place.mkdir()
        monkeypatch.setenv("PATH", str(place))

    def add(self, name: str, then: str = "") -> None:
        """Add a program that writes its arguments down, and then does what these lines of Python say."""
        path = self.place / name
        log = self.place / f"{name}.told"
        path.write_text(
            f"#!{sys.executable} -S\nimport json, os, sys\nsys.path.insert(0, {str(ROOT)!r})\n"
            f"with open({str(log)!r} + '.part', 'a') as file:\n    file.write(json.dumps(sys.argv[1:]) + '\\n')\n"
            f"import shutil; shutil.copy({str(log)!r} + '.part', {str(log)!r} + '.new')\n"
            f"os.replace({str(log)!r} + '.new', {str(log)!r})\n{then}\n"
        )
        path.chmod(0o700)

    def told(self, name: str) -> list[list[str]]:
        """The arguments of each run of a program."""
        log = self.place / f"{name}.told"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    """None yet: neither those of this machine are there."""
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    return Programs(tmp_path / "programs", monkeypatch)


def short_socket(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A path for a socket, which may have 104 bytes at most."""
    path = tmp_path_factory.mktemp("s") / "mpv"
    assert len(os.fsencode(path)) < 104
    return path
