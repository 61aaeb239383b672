"""What every test shares: a home of its own, no keys from the environment, and texts that try to break things."""

from __future__ import annotations

import gc
import getpass
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck
from textual.css.stylesheet import Stylesheet

from tests.llm.fakes.fake_server import FakeModelServer
from tui.config import Settings
from tui.service.local import LocalService
from tui.system import crash_reports

LEMMAS = Path(tempfile.gettempdir()) / f"lode-test-lemmas-{getpass.getuser()}"
_EXHAUSTIVE = re.compile(rb"^pytestmark = .*\bexhaustive\b", re.MULTILINE)
_MODELS = re.compile(rb"^pytestmark = pytest\.mark\.models$", re.MULTILINE)
CORPUS = Path(__file__).resolve().parents[1] / "shared" / "corpus"


def pytest_configure() -> None:
    """Prepare for many tests on a busy machine.

    Every app of the suite parses the same style sheets, a twelfth of its time: each is parsed once a process.
    What collecting makes is all kept, and looking through it for garbage would be a seventh of collecting.
    """
    gc.disable()
    # A shell that starts the tests in the background has all of them, and every process of theirs, ignore ctrl+c.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    parsed: dict[object, Any] = {}
    parse = Stylesheet._parse_rules

    def parse_once(sheet: Stylesheet, *source: Any, **rest: Any) -> Any:
        key = (source, tuple(rest.items()), tuple(sheet._variables.items()))
        if key not in parsed:
            parsed[key] = parse(sheet, *source, **rest)
        return parsed[key]

    # How fast a machine is at the moment is no property of the code.
    hypothesis.settings.register_profile("lode", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    hypothesis.settings.load_profile("lode")
    # A method in place of a method: mypy knows only assignment to an attribute.
    Stylesheet._parse_rules = parse_once  # type: ignore[method-assign, assignment]  # as it is, but remembering


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Modules that are exhaustive as a whole are not even imported where those are left out: a vendor's SDK takes a
    second, in every worker. Those with real models are for ``make test-models`` alone.
    """
    chosen = config.option.markexpr
    if collection_path.suffix != ".py" or chosen == "models":
        return None
    source = collection_path.read_bytes()
    is_exhaustive = chosen == "not exhaustive" and _EXHAUSTIVE.search(source)
    return True if is_exhaustive or _MODELS.search(source) else None


def pytest_collection_finish() -> None:
    """What collecting made stays: looking through it for garbage, again and again, is a fifth of the suite's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    gc.enable()


class Reports:
    """The reports of faults that a test brought about; it fails when there are some that it did not ``take``."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self.faults: list[BaseException] = []
        """Those of this process, in whatever home."""

    def take(self) -> list[str]:
        """The texts of all reports, which were expected then."""
        self.faults.clear()
        paths = crash_reports.list_reports(self._home)
        texts = [path.read_text("utf-8") for path in paths]
        for path in paths:
            path.unlink()
        return texts


@pytest.fixture(autouse=True)
def reports(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reports]:
    """No test may bring about a fault that it does not know of: the app outlives it, and all would seem well."""
    reports = Reports(home)
    write = crash_reports.write

    def noted(home: Path, error: BaseException, context: Sequence[str] = ()) -> Path | None:
        reports.faults.append(error)
        return write(home, error, context)

    monkeypatch.setattr(crash_reports, "write", noted)
    yield reports
    faults = list(reports.faults)
    texts = reports.take()
    if faults:
        raise AssertionError("a fault was reported") from faults[0]
    assert not texts, "a fault was reported by another process:\n" + "\n".join(texts)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh ``LODE_HOME``, so that no test touches the user's library; no provider's key is set, and the system has
    no dictionaries.

    Only the unpacked dictionaries are shared between tests and runs: they take seconds each, and are always the same.
    """
    place = tmp_path_factory.mktemp("lode") / "home"
    place.mkdir()
    LEMMAS.mkdir(exist_ok=True)
    (place / "lemmas").symlink_to(LEMMAS)
    monkeypatch.setenv("LODE_HOME", str(place))
    monkeypatch.setenv("XDG_DATA_DIRS", str(place / "no-system"))
    for name in tuple(os.environ):
        if name.endswith(("_API_KEY", "_BASE_URL")) or (name.startswith("LODE_") and name != "LODE_HOME"):
            monkeypatch.delenv(name)
    return place


@pytest.fixture
def settings(home: Path) -> Settings:
    return Settings(home=home, config_path=home / "config.toml")


@pytest.fixture
async def service(settings: Settings) -> AsyncIterator[LocalService]:
    """The real service over a real database in the test's home."""
    service = LocalService(settings)
    yield service
    await service.close()


@pytest.fixture
async def server() -> AsyncIterator[FakeModelServer]:
    """A model server, of which nobody knows yet."""
    async with FakeModelServer() as server:
        yield server


@pytest.fixture
def corpus() -> Path:
    """Real subtitle files; they lie beside the repository and are not part of it."""
    if not (CORPUS / "EXPECTED.json").exists():
        pytest.skip("the corpus (../shared/corpus) is not here")
    return CORPUS


@pytest.fixture
def run_python() -> Callable[[str], str]:
    """Run code in a fresh interpreter and give what it printed."""

    def run(code: str) -> str:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
