"""French: what is cut off before a vowel (l', j', qu') stands under its whole form."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.language.forms.rules.table import Listed

_ELIDED = ("j'", "m'", "t'", "s'", "l'", "c'", "d'", "n'", "qu'", "jusqu'", "lorsqu'", "puisqu'")


def find_lemma(form: str, listed: Listed) -> str | None:
    return f"{form[:-1]}e" if form in _ELIDED else None
