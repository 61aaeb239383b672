"""Conversations with a model: a question that is asked on an answer, with what was said before, as far as is needed.

The first question and its answer always go along, as all that follows is about them; of the others the last ones. So a
conversation may go on for as long as somebody has questions, and none costs more than so many characters.
"""

from __future__ import annotations

from tui.errors import InvalidInput
from tui.language.tags import base_language, language_name
from tui.llm.protocol import Question, Turn
from tui.llm.selector import Selector
from tui.prompts.defaults import MODEL as LEXICON
from tui.records.answers import Answer
from tui.records.settings import DEFAULT_EXPLAIN_IN, ProfileSettings
from tui.service.requests import MAX_QUESTION, FollowUpRequest
from tui.text.sanitize import is_blank, laid_out

_TURNS = 8
"""Maximum earlier questions beside the first."""
_ANSWER, _ALL = 6_000, 24_000
"""Maximum characters of one earlier answer, and of all questions and answers beside the first."""
_SYSTEM = (
    "\n\nThe learner asks on about what you explained. Answer only the last question, in {explain_in}, as briefly as "
    "it allows; the length and order that were asked for above are those of the first answer."
)


def follow_up_model(request: FollowUpRequest, first: Answer, template_model: str) -> str:
    """The selector of the model that is asked; raises ``InvalidInput`` where only the lexicon could be."""
    choices = (request.model,) if request.model else (first.model, template_model)
    asked = next((model for model in choices if not _is_lexicon(model)), None)
    if asked is None:
        raise InvalidInput(
            "the built-in lexicon looks words up and cannot be asked on",
            hint="choose a model in Template, or name one: --model provider:model",
            code="unsupported",
        )
    return asked


def follow_up(request: FollowUpRequest, first: Answer, selector: Selector, settings: ProfileSettings) -> Question:
    """The question to a model; raises ``InvalidInput`` for one that is none, or where there is no answer to ask on."""
    asked = laid_out(request.question).strip()
    if is_blank(asked):
        raise InvalidInput("there is no question", hint="write what you want to know", field="question")
    if len(asked) > MAX_QUESTION:
        raise InvalidInput(
            f"a question has at most {MAX_QUESTION} characters", hint="ask about one thing", field="question"
        )
    if not first.text:
        raise InvalidInput("there is no answer to ask on: it was stopped, or failed", hint="ask anew first")
    explain_in = language_name(settings.explain_in)
    is_english = base_language(settings.explain_in) == DEFAULT_EXPLAIN_IN
    return Question(
        kind="explanation",
        sentence=first.sentence,
        focus=first.focus,
        context=first.context,
        language=first.focus_word.language if first.focus_word is not None else None,
        source="",
        selector=selector,
        prompt=asked,
        sys_msg=(first.sys_msg + _SYSTEM.format(explain_in=explain_in)).lstrip(),
        explain_in=explain_in,
        answer_in=None if is_english else settings.explain_in,
        turns=_turns(first, asked),
    )


def _is_lexicon(model: str) -> bool:
    return model.partition(":")[0] == LEXICON.partition(":")[0]


def _turns(first: Answer, asked: str) -> tuple[Turn, ...]:
    """What was said before. Answers to this very question are left out: it is asked anew."""
    said = [each for each in first.follow_ups if each.text and each.question != asked]
    latest: list[Turn] = []
    left = _ALL
    for each in reversed(said[-_TURNS:]):
        turn = Turn(each.question, each.text[:_ANSWER])
        left -= len(turn.asked) + len(turn.answered)
        if left < 0:
            break
        latest.append(turn)
    return (Turn(first.prompt, first.text[:_ANSWER]), *reversed(latest))
