"""Verbs behind Japanese potentials (泳げる: 泳ぐ, 見れる: 見る), which few dictionaries have as entries."""

from __future__ import annotations

from tui.language.segmenters.table import segmenter_of

_ENDS = dict(zip("えけげせてねべめれ", "うくぐすつぬぶむる", strict=True))
"""Kana before the る of a potential → the last kana of its verb."""


def potential_base(lemma: str) -> str | None:
    """Give the verb whose potential the lemma is, as far as Sudachi says so; in kanji for one in kana (およげる: 泳ぐ).

    A verb that has become one of its own is none (見える, 売れる, 立てる). May load a dictionary: not on an event loop.
    """
    if len(lemma) < 3 or not lemma.endswith("る") or lemma[-2] not in _ENDS:
        return None
    from tui.language.segmenters.japanese import Japanese

    segmenter = segmenter_of("ja")
    normal = segmenter.normal_form(lemma) if isinstance(segmenter, Japanese) else None
    is_potential = normal is not None and normal[-1] == _ENDS[lemma[-2]] and normal[-2:] != lemma[-2:]
    return normal if is_potential else None
