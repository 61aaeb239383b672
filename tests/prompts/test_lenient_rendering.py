"""What can be shown of a template with an error in it; the tests of rendering have what is said of the error."""

from __future__ import annotations

from tui.errors import TemplateError
from tui.prompts import PromptValues
from tui.prompts.evaluation import MAX_OUTPUT
from tui.prompts.rendering import render_lenient

SENTENCE = "Er fährt ab."


def lenient(template: str, focus: str = "fährt") -> tuple[str, TemplateError | None]:
    return render_lenient(template, PromptValues(SENTENCE, focus))


WRONG = (
    # a name that is unknown
    ("a {{ contxt }} {{ focus }}", "a {{ contxt }} fährt", 1),
    ("a {{ contxt[0][1:] | upper | trim }} {{ focus }}", "a {{ contxt }} fährt", 1),
    ("{% if contxt %}x{% endif %}{% for a in contxt %}x{% endfor %}{{ focus }}", "fährt", 1),
    ("{{ contxt ~ focus }}{{ contxt == contxt }}{{ contxt is defined }}", "{{ contxt }}fährtTrueFalse", 1),
    # a line that makes no sense
    ("{{", "{{", 1),
    ("{% if %}", "{% if %}", 1),
    ("a {{ focus }} {{\nb {{ focus }}", "a {{ focus }} {{\nb fährt", 2),
    ("{% if focus\nb {{ focus }}\nc {{ focus }}", "{% if focus\nb fährt\nc fährt", 2),
    ("one {{ focus }}\ntwo {{ focus focus }}\nthree {{ focus }}", "one fährt\ntwo {{ focus focus }}\nthree fährt", 2),
    ("one {{ focus|frob }}\n{{ focus }}", "one {{ focus|frob }}\nfährt", 1),
    ("{{ focus }}\n{% if focus %}\n{{ focus }}", "fährt\n{% if focus %}\nfährt", 2),
    ("{{ focus }}\n{% for %}\n{{ focus }}\n{% endfor %}\n.", "fährt\n{% for %}\nfährt\n{% endfor %}\n.", 2),
    ("{{ focus }}\n{{ focus\n! }}\n{{ focus }}", "fährt\n{{ focus\n! }}\nfährt", 3),
    ("{{ focus }}\n{# note\n{{ focus }}", "fährt\n{# note\nfährt", 2),
    ("{{ 7 }}\x00\n{{ focus focus }}", "7\n{{ focus focus }}", 2),
    # a line that fails
    ("{{ 1 / 0 }}", "{{ 1 / 0 }}", 1),
    ("{{ focus }}\n{{ sentence.foo }}\n{{ focus }}", "fährt\n{{ sentence.foo }}\nfährt", 2),
    ("{% macro a() %}\n{{ focus }}", "{% macro a() %}\nfährt", 1),
    ("{{ focus }}\n{{ 1 / 0 }}\n{{ focus }}", "fährt\n{{ 1 / 0 }}\nfährt", 2),
    ("{% for a in 5 %}\n{{ focus }}\n{% endfor %}", "{% for a in 5 %}\nfährt\n{% endfor %}", 1),
    ("{% for a in [1, 2] %}\n{{ 1 / 0 }}{% endfor %}", "{% for a in [1, 2] %}\n{{ 1 / 0 }}{% endfor %}", 2),
    (f"{{{{ focus }}}}\n{{{{ {'9' * 5000} }}}}", f"fährt\n{{{{ {'9' * 5000} }}}}", 2),
    (f"{{{{ 0x{'f' * 5000} }}}}\n.", f"{{{{ 0x{'f' * 5000} }}}}\n.", 1),
)


def test_what_is_wrong_is_shown_as_it_is_written_and_all_else_as_it_comes_out() -> None:
    assert lenient("a {{ focus }}") == ("a fährt", None)
    for template, shown, line in WRONG:
        text, problem = lenient(template)
        assert (text, problem and problem.line) == (shown, line)


NOT_SHOWN = {
    "too long": "{% set a = sentence %}" + "{% set a = a ~ a %}" * 13 + "{{ a }}",
    "too many steps": "{% for a in sentence %}" * 4 + "{% endfor %}" * 4,
    "too many errors": "\n".join(["{{ focus focus }}"] * 20),
    "too long as written": "{% for a in sentence %}\n{{ focus | frob }}" + "x" * 6000 + "\n{% endfor %}",
    "too deep": "{% if 1 %}" * 500,
}


def test_where_nothing_can_be_shown_nothing_is() -> None:
    for name, template in NOT_SHOWN.items():
        text, problem = lenient(template)
        assert (text, bool(problem and problem.message)) == ("", True), name


def test_what_is_shown_is_bounded_and_no_value_can_pass_for_a_line_of_the_template() -> None:
    text, _ = lenient("{% for a in sentence %}\n{{ focus | frob }}" + "x" * 5000 + "\n{% endfor %}")
    assert 5000 * len(SENTENCE) < len(text) <= MAX_OUTPUT
    assert lenient("{{ focus }}\n{{ nope nope }}", focus="\x000\x00 \x0099\x00")[0] == "0 99\n{{ nope nope }}"
