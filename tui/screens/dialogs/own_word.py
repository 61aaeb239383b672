"""Dialog of a word of one's own: its meaning, a note, and phrases with it."""

from collections.abc import Mapping
from functools import partial

from tui.language.tags import language_name
from tui.records.own_words import MAX_LEMMA, MAX_MEANING, MAX_NOTE, MAX_PHRASE, MAX_PHRASES, OwnWord
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField
from tui.screens.dialogs.questions import ask_until_taken
from tui.screens.messages import LibraryChanged
from tui.screens.section import SectionScreen
from tui.text.display import read_phrases, written_phrases

_MAX_PHRASES = MAX_PHRASES * (MAX_PHRASE + len(" = ") + MAX_MEANING + len("; "))
_FIELDS = (
    PromptField("lemma", "Word", "in its dictionary form", MAX_LEMMA),
    PromptField("meaning", "Meaning", "what it means to you", MAX_MEANING),
    PromptField("note", "Note", "what you want to remember; it goes onto its cards", MAX_NOTE),
    PromptField("phrases", "Phrases", "Bescheid sagen = to let know; Bescheid wissen", _MAX_PHRASES),
)
_HINT = "enter keeps it, before what dictionaries say · esc back"


async def write_own_word(screen: SectionScreen, lemma: str, language: str | None) -> None:
    """Ask what is to be kept of a word, until it can be or the dialog is closed; nothing at all takes it away."""
    if language is None:
        screen.say("the language of this text is not known, so a word of it cannot be kept")
        return
    own_words = screen.service.own_words
    with screen.typed_kept():
        known = await own_words.get(language, lemma)
        if known is None:  # one may have it as a phrase
            of_language = await own_words.all(language=language)
            known = next((each for each in of_language if lemma in (phrase.text for phrase in each.phrases)), None)
    known = known or OwnWord(language, lemma)

    async def keep(typed: Mapping[str, str]) -> bool:
        word = OwnWord(language, typed["lemma"], typed["meaning"], typed["note"], read_phrases(typed["phrases"]))
        if word.says_something:
            await own_words.save(word)
            screen.say(f"kept for {word.lemma}")
        elif (await own_words.delete(language, word.lemma)).count:
            screen.say(f"nothing of your own is kept for {word.lemma} any more")
        screen.post_message(LibraryChanged("word"))
        return True

    title = f"Your own words · {language_name(language)}"
    prompt = partial(FieldsPrompt, title, _FIELDS, hint=_HINT, begin_in="meaning")
    phrases = written_phrases(known.phrases)
    shown = {"lemma": known.lemma, "meaning": known.meaning, "note": known.note, "phrases": phrases}
    await ask_until_taken(screen.app, prompt, shown, keep)
