"""The built-in lexicon: what it knows, and that it says what it doesn't."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.hostile import FORBIDDEN, HOSTILE
from tests.language.segmenting import needs_segmenter
from tests.llm.asking import question
from tests.llm.library import FewWords, line
from tui.errors import ProviderError
from tui.llm.lexicon import Lexicon
from tui.llm.protocol import ChatRequest, Preparing, Question, Remark, StreamEnd, StreamEvent, TextDelta
from tui.records.clips import FocusWord
from tui.records.dictionaries import Dictionary, DictionaryEntry, Example, FoundEntry, Sense
from tui.text.escapes import literal


async def said(library: FewWords, asked: Question) -> tuple[str, list[StreamEvent]]:
    events = [event async for event in Lexicon(library).stream(ChatRequest("concordance", "", "", asked))]
    return "".join(event.text for event in events if isinstance(event, TextDelta)), events


def remarks(events: list[StreamEvent]) -> list[str]:
    """What is said beside the text: it gets onto no card."""
    return [event.message for event in events if isinstance(event, Remark)]


async def test_the_focus_is_lemma_and_count_and_nothing_else() -> None:
    lexicon = Lexicon(FewWords({"fährt": "fahren"}, {"fährt": 12}))
    focus, _ = await lexicon.focus("Er fährt.", "fährt", "de")
    assert focus == FocusWord("fährt", lemma="fahren", language="de", frequency=12, origin="lexicon")


async def test_a_concordance_says_what_it_is_and_shows_where_the_word_stands() -> None:
    library = FewWords(
        {"fährt": "fahren"},
        {"fährt": 3},
        (line("Wohin fährt der Zug?", "fährt"), line("Sie fährt.", "fährt", "Brief", None)),
    )
    text, events = await said(library, question())
    assert "**fährt** belongs to the dictionary form **fahren**" in text
    assert "occurs 3 times in your library" in text
    assert "- Wohin **fährt** der Zug? — Der letzte Zug, 1:01\n" in text
    assert "- Sie **fährt**. — Brief\n" in text
    assert "dictionary has" not in text
    assert remarks(events) == ["no dictionary has this word; add one, or choose a model in Template for an explanation"]
    assert len(events) > 4 and events[-1] == StreamEnd("stop")


async def test_what_dictionaries_say_comes_first() -> None:
    dictionary = Dictionary(*("d", "Kleines *Buch*", "yomitan", "1", "de", "en"), *("",) * 5, None, 1, 1, "")
    senses = (
        Sense(("to leave", "to *depart*"), ("trains",), (Example("Er fährt ab.", "He leaves."),)),
        Sense(("1. to begin",)),
    )
    entry = DictionaryEntry("abfahren", "", ("verb",), senses, pronunciations=("/ˈapˌfaːʁən/",), tags=("A1",))
    library = FewWords(counts={"fährt": 3}, entries={"fährt": (FoundEntry(entry, dictionary, "phrase"),)})
    focus, _ = await Lexicon(library).focus("Er fährt ab.", "fährt", "de")
    assert (focus.lemma, focus.part_of_speech, focus.level) == ("abfahren", "verb", "A1")
    assert focus.meanings == ("to leave, to *depart*", "1. to begin")
    text, events = await said(library, question())
    assert text.startswith(
        "**abfahren** · /ˈapˌfaːʁən/ · verb · A1\n\n"
        "1. *(trains)* to leave; to \\*depart\\*\n   - *Er fährt ab.* — He leaves.\n2. 1\\. to begin\n\n"
        "*Kleines \\*Buch\\**\n\n"
    )
    assert "Other sentences with it" not in text
    assert "in your library" not in text, "the card says it"
    assert remarks(events) == ["there is no other sentence with it in your library yet"]


async def test_each_dictionary_has_one_heading_a_term_and_names_itself_and_its_licence_once() -> None:
    free, other, none = (
        Dictionary(*(title, title, "yomitan", "1", "de", "en"), *("",) * 4, licence, None, 1, 1, "")
        for title, licence in (("Free", "CC BY-SA 4.0"), ("Other", "GPL 2+"), ("None", ""))
    )
    train, procession = (DictionaryEntry("Zug", senses=(Sense((gloss,)),)) for gloss in ("train", "procession"))
    entries = (train, free), (train, other), (train, none), (procession, free)
    library = FewWords(counts={"fährt": 3}, entries={"fährt": tuple(FoundEntry(*each, "surface") for each in entries)})
    text, _ = await said(library, question())
    assert (
        "**Zug**\n\n1. train\n2. procession\n\n*Free · CC BY-SA 4.0*\n\n**Zug**\n\n1. train\n\n*Other · GPL 2+*" in text
    )
    assert text.count("*Free") == text.count("*None*") == 1
    focus, _ = await Lexicon(library).focus("Er fährt ab.", "fährt", "de")
    assert focus.dictionary == "Free · CC BY-SA 4.0"


async def test_a_sentence_of_several_lines_is_shown_on_one_with_its_word_marked() -> None:
    library = FewWords(lines=(line("美咲は四月に、\n この町へ\n来た。", "町", "駅"), line("So\n fährt\ner.", "fährt")))
    text, _ = await said(library, question())
    assert "- 美咲は四月に、この**町**へ来た。 — 駅, 1:01\n- So **fährt** er. — " in text


async def test_a_reading_stands_where_it_is_known() -> None:
    library = FewWords({"行っ": "行く"}, {"行っ": 2}, readings={"行っ": "いっ"})
    assert (await Lexicon(library).focus("昨日行った。", "行っ", "ja"))[0].reading == "いっ"
    text, _ = await said(library, replace(question(), sentence="昨日行った。", focus="行っ", language="ja"))
    assert "belongs to the dictionary form **行く**. It is read **いっ**. It occurs 2 times" in text


@needs_segmenter("ja")
async def test_a_sentence_is_listed_with_the_readings_of_its_words() -> None:
    asked = replace(question(), kind="explanation", sentence="昨日行った。", focus="", language="ja")
    text, _ = await said(FewWords(), asked)
    assert "- **昨日** (きのう) · 0 times\n- **行っ** (いっ) → *行く* · 0 times\n- **た** · " in text


async def test_a_word_that_is_nowhere_is_said_to_be_nowhere() -> None:
    for language in ("de", None):
        text, events = await said(FewWords(), replace(question(), language=language, focus="x*y*z"))
        assert text == "No dictionary here has the word “x\\*y\\*z”.\n"
        assert [each.partition(" ")[0] for each in remarks(events)] == ["no", "there"]
        assert events[-1] == StreamEnd("stop", nothing_known=True)


async def test_a_sentence_is_looked_up_word_by_word_and_not_translated() -> None:
    library = FewWords({"fährt": "fahren"}, {"fährt": 12, "er": 1})
    text, events = await said(library, question("explanation", sentence="Er fährt, er fährt!", focus=""))
    assert "- **fährt** → *fahren* · 12 times\n" in text
    assert text.count("fährt") == 1
    assert "for a translation choose a model in Template" in remarks(events)[0]


async def test_the_first_use_of_a_language_says_that_it_takes_a_while() -> None:
    library = FewWords(unprepared=("de",))
    _, events = await said(library, question())
    assert isinstance(events[0], Preparing)
    assert not any(isinstance(event, Preparing) for event in (await said(library, question()))[1])


async def test_another_model_and_a_form_are_refused_and_the_right_model_is_named() -> None:
    lexicon = Lexicon(FewWords())
    with pytest.raises(ProviderError) as error:
        await anext(lexicon.stream(ChatRequest("gpt", "", "", question())))
    assert "lexicon:concordance" in error.value.hint
    assert await lexicon.models() == ("concordance",)
    with pytest.raises(ProviderError):
        await lexicon.structured(ChatRequest("concordance", "", ""), str)


async def test_text_of_the_library_is_shown_as_it_stands() -> None:
    from markdown_it import MarkdownIt

    for text in HOSTILE.values():
        library = FewWords({"x": text}, {"x": 1}, (line(f"{text} x {text}", "x", text),))
        shown, _ = await said(library, question(sentence=text, focus="x"))
        assert not set(shown) & set(FORBIDDEN), text
        tokens = MarkdownIt("commonmark").parse(shown)
        kinds = {child.type for token in tokens for child in [token, *(token.children or ())]}
        assert not kinds & {"heading_open", "code_inline", "link_open", "html_inline", "html_block", "image", "fence"}


def test_a_literal_text_reads_back_as_itself() -> None:
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark").enable("strikethrough")
    for text in (
        *("- Ja?", "1. Akt", "# 5", "> so", "+ x", "= x", "…", "-", "---", "12)", "***", "~~~"),
        *("[x] gekauft", "[a]: http://b.c", "a*b*c _d_ `e` [f](g) <h> ~~i~~ &amp; \\j", "![a](b) <c@d.e> </f>"),
        *("\\* _a b_ \\", "[a](b) c]: d"),
    ):
        html = markdown.render(f"- {literal(text, at_start=True)}\n")
        expected = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        assert html == f"<ul>\n<li>{expected}</li>\n</ul>\n"


def test_what_means_nothing_in_markdown_is_not_escaped() -> None:
    for text in (
        *("Sie fährt.", "-Ja? -Nein.", "#2: Los", "1.5 Grad", "12.345 Leute", "= x", "+49 30", "[Musik]"),
        *("[Anna] Hallo [leise]", "2 * 3 * 4", "eine_datei_hier", "ich <3 dich", "A & B", "Hallo~ du", "{\\an8}"),
    ):
        assert literal(text, at_start=True) == text
