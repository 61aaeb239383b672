"""Asking on about an answer: the question that is typed, and how a conversation stands in the log and in a clip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tui.records.answers import Answer
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField
from tui.service.requests import MAX_QUESTION, FollowUpRequest
from tui.text.markdown import literal
from tui.text.sanitize import is_blank


class QuestionPrompt(FieldsPrompt):
    """Dialog of a question on an answer."""

    def __init__(self) -> None:
        placeholder = "Why is it so? What is the difference to …?"
        field = PromptField("question", "Question", placeholder=placeholder, limit=MAX_QUESTION)
        super().__init__("Ask on about this answer", (field,), hint="enter asks · esc back")

    def refusal(self, typed: Mapping[str, str]) -> tuple[str, str] | None:
        return ("question", "write what you want to know") if is_blank(typed["question"]) else None


@dataclass(frozen=True, slots=True)
class AskedOn:
    """Latest follow-up question of a pane: the request, and the text of the log before it and with its heading."""

    request: FollowUpRequest
    before: str
    heading: str

    def answered(self, text: str) -> str:
        """The log's text, without a question that nothing was answered to."""
        return self.before if text == self.before + self.heading else text


def heading(question: str) -> str:
    """Markdown that stands between an answer and the next one: a rule, and the question."""
    return f"\n\n---\n\n**{literal(question, at_start=True)}**\n\n"


def conversation(answer: Answer) -> str:
    """An answer of the history with all that was asked on and answered, as Markdown."""
    return answer.text + "".join(heading(each.question) + each.text for each in answer.follow_ups if each.text)
