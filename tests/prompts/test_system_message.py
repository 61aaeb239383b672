"""System messages: the learner's settings are filled in, and nothing else of them changes."""

from __future__ import annotations

from tui.prompts import PromptValues, defaults, fill_settings
from tui.records.answers import NewTemplate

MINE = PromptValues("{{ level }}", "f", "c", "German", "s", "Spanish", "B1")


def test_the_built_in_ones_ask_for_the_language_of_the_profile() -> None:
    for built_in in (defaults.BREAKDOWN_SYS_MSG, defaults.EXPLANATION_SYS_MSG):
        assert "\nAnswer in Spanish, in Markdown" in fill_settings(built_in, MINE)
        assert "{" not in fill_settings(built_in, MINE)


OWN = ("", "Be brief.", 'Answer as {"a": {{1}}}', "{{ sentence }}{{ language }}", "{% if level %}x{% endif %}", "{{")


def test_the_two_settings_are_filled_in_and_whatever_else_stands_there_stays() -> None:
    assert fill_settings("In {{ explain_in }} for {{level}}.", MINE) == "In Spanish for B1."
    assert [fill_settings(own, MINE) for own in OWN] == [*OWN]


def test_built_in_texts_that_an_older_lode_saved_are_those_of_today_and_what_was_changed_stays() -> None:
    english = fill_settings(defaults.BREAKDOWN_SYS_MSG, PromptValues(""))
    assert "Answer in English, in Markdown, in 80 to 200 words, beginning at once with the explanation" in english
    before, _, after = defaults.BREAKDOWN_PROMPT.partition("{%- if dictionary %}")
    with_level = before + after.partition("{%- endif %}\n")[2]
    prompt = with_level.replace("{% if level %} at level {{ level }}{% endif %}", "")
    assert "{% endif %} to a learner.\n\n<sentence>" in prompt
    assert "dictionaries" not in prompt
    saved = NewTemplate("work:m", prompt, english, "work:n", english)
    today = NewTemplate("work:m", defaults.BREAKDOWN_PROMPT, defaults.BREAKDOWN_SYS_MSG, "work:n", english)
    assert defaults.bring_up_to_date(saved) == today == defaults.bring_up_to_date(today)
    assert defaults.bring_up_to_date(NewTemplate("work:m", with_level, "Be brief.")).prompt == defaults.BREAKDOWN_PROMPT
    own = NewTemplate("work:m", prompt + "Briefly.", english + " Be brief.")
    assert defaults.bring_up_to_date(own) == own
