"""Texts of the side pane, in Markdown: the clips that one has of a word, and the answer that one had."""

from tui.records.answers import Answer
from tui.records.clips import Clip
from tui.screens.answer.question import conversation
from tui.screens.reader.questions import UnderEye
from tui.service.protocol import Service
from tui.text.display import age, count_of
from tui.text.escapes import literal
from tui.text.sanitize import one_line

_MAX_CLIPS = 20
_MAX_ANSWERS = 20
"""Answers that are looked through for one of the very sentence."""


async def clips_text(service: Service, here: UnderEye) -> str:
    """The clips of the word under the eye, the newest first. Raises ``LodeError``."""
    lemma = _lemma(here)
    page = await service.clips.page(limit=_MAX_CLIPS, q=_of_word(lemma))
    if not page.items:
        return f"No clip of **{_said(lemma)}** yet."
    more = f"\n\n… {count_of(page.total - len(page.items), 'more clip')}" if page.total > len(page.items) else ""
    head = f"**{_said(lemma)}** · {count_of(page.total, 'clip')}"
    return "\n\n".join([head, *map(_clip, page.items)]) + more


async def answer_text(service: Service, here: UnderEye) -> str:
    """The answer about the word under the eye in its sentence, or the last one about the word. Raises ``LodeError``."""
    word = here.text.focus
    found = (await service.history.page(limit=_MAX_ANSWERS, q=_of_word(word))).items
    if not found:
        return f"No answer about **{_said(word)}** yet."
    same = (each for each in found if one_line(each.sentence) == one_line(here.text.sentence))
    return _answer(next(same, found[0]))


def _lemma(here: UnderEye) -> str:
    return here.text.focus if here.word is None else here.word.lemma or here.text.focus


def _of_word(word: str) -> str:
    return 'word:"{}"'.format(word.replace('"', " "))


def _clip(clip: Clip) -> str:
    meanings = "; ".join(clip.focus.meanings) if clip.focus is not None else ""
    said = (clip.translation, meanings, clip.note, " · ".join(filter(None, (clip.source, age(clip.created_at)))))
    return "  \n".join([f"*{_said(clip.sentence)}*", *(_said(each) for each in said if each)])


def _answer(answer: Answer) -> str:
    about = " · ".join((answer.model, age(answer.created_at)))
    return f"*{_said(answer.sentence)}*  \n{_said(about)}\n\n{conversation(answer)}"


def _said(text: str) -> str:
    return literal(one_line(text), at_start=True)
