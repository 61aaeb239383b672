"""The film that tests look into, which none of them changes."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film of twenty seconds, in German and English: each second has tones and a grey of its own, its second half a
    shade lighter.
    """
    from tests.media.films import make_film

    return make_film(tmp_path_factory.mktemp("films") / "film.mkv", 20, languages=("ger", "eng"), shades=True)
