"""Times of Anki's cards: a file that others have written takes little, and one of the most cards is read."""

from __future__ import annotations

from pathlib import Path

from tests.watching import MAX_MB, watch
from tui.bounds import ANKI_CONNECT
from tui.records.vocabulary import VocabularyChoice
from tui.vocabulary.anki_connect import CardTimes

_LOAD = """
import sys
from pathlib import Path
from tui.records.vocabulary import VocabularyChoice
from tui.vocabulary.anki_connect import CardTimes
print(len(CardTimes(Path(sys.argv[1]), "p", "", VocabularyChoice()).load().card_times))
"""


def test_a_file_of_many_lists_is_no_file_of_times(tmp_path: Path) -> None:
    (tmp_path / "anki").mkdir()
    for lists in (3_500_000, 40_000_000):
        (tmp_path / "anki" / "p.json").write_bytes(b'{"of": 1, "cards": [' + lists * b"[]," + b"0]}")
        found = watch(_LOAD, tmp_path)
        assert (found.code, found.out.strip()) == (0, "0")
        assert found.megabytes < 100


def test_times_of_as_many_cards_as_anki_may_answer_with_are_read(tmp_path: Path) -> None:
    most = ANKI_CONNECT.entries
    CardTimes(tmp_path, "p", "", VocabularyChoice()).save(
        {1_700_000_000_000 + card: 1_700_000_000 for card in range(most)}
    )
    found = watch(_LOAD, tmp_path)
    assert (found.code, found.out.strip()) == (0, str(most))
    assert found.megabytes < MAX_MB
