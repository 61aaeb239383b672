"""Dialog of a word of one's own: its meaning, a note, and phrases with it."""

from __future__ import annotations

from collections.abc import Mapping

from tui.errors import LodeError, in_one_line
from tui.language.tags import language_name
from tui.records.own_words import MAX_LEMMA, MAX_MEANING, MAX_NOTE, MAX_PHRASE, MAX_PHRASES, OwnWord
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField
from tui.screens.input_queue import typed_input_kept
from tui.screens.messages import LibraryChanged
from tui.screens.section import SectionScreen
from tui.service.protocol.words import OwnWords
from tui.text.display import read_phrases, written_phrases

_MAX_PHRASES = MAX_PHRASES * (MAX_PHRASE + len(" = ") + MAX_MEANING + len("; "))
_HINT = "enter keeps it, before what dictionaries say · esc back"


async def write_own_word(screen: SectionScreen, lemma: str, language: str | None) -> None:
    """Ask what is to be kept of a word, until it can be or the dialog is closed; nothing at all takes it away."""
    if language is None:
        screen.notify("the language of this text is not known, so a word of it cannot be kept", markup=False)
        return
    own_words = screen.service.own_words
    try:
        with typed_input_kept(screen.app):
            known = await _known(own_words, lemma, language)
    except LodeError as error:
        screen.notify(in_one_line(error), severity="error", markup=False)
        return
    typed: Mapping[str, str] = _shown(known or OwnWord(language, lemma))
    refusal, wrong = "", "meaning"
    while True:
        answer = await screen.app.push_screen_wait(_prompt(typed, language, refusal, wrong))
        if answer is None:
            return
        typed = answer
        word = OwnWord(language, typed["lemma"], typed["meaning"], typed["note"], read_phrases(typed["phrases"]))
        try:
            if word.says_something:
                await own_words.save(word)
                screen.notify(f"kept for {word.lemma}", markup=False)
            elif (await own_words.delete(language, word.lemma)).count:
                screen.notify(f"nothing of your own is kept for {word.lemma} any more", markup=False)
        except LodeError as error:
            refusal, wrong = in_one_line(error), error.field if error.field in typed else "meaning"
            continue
        screen.post_message(LibraryChanged("word"))
        return


async def _known(own_words: OwnWords, lemma: str, language: str) -> OwnWord | None:
    """Find the own word of a lemma, or the one that has it as a phrase."""
    if (known := await own_words.get(language, lemma)) is not None:
        return known
    of_language = await own_words.all(language=language)
    return next((each for each in of_language if lemma in (phrase.text for phrase in each.phrases)), None)


def _prompt(typed: Mapping[str, str], language: str, refusal: str, begin_in: str) -> FieldsPrompt:
    fields = (
        PromptField("lemma", "Word", typed["lemma"], "in its dictionary form", MAX_LEMMA),
        PromptField("meaning", "Meaning", typed["meaning"], "what it means to you", MAX_MEANING),
        PromptField("note", "Note", typed["note"], "what you want to remember; it goes onto its cards", MAX_NOTE),
        PromptField(
            "phrases", "Phrases", typed["phrases"], "Bescheid sagen = to let know; Bescheid wissen", _MAX_PHRASES
        ),
    )
    title = f"Your own words · {language_name(language)}"
    return FieldsPrompt(title, fields, hint=_HINT, error=refusal, begin_in=begin_in)


def _shown(word: OwnWord) -> dict[str, str]:
    phrases = written_phrases(word.phrases)
    return {"lemma": word.lemma, "meaning": word.meaning, "note": word.note, "phrases": phrases}
