from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dictionaries.making import wiktionary_content
from tests.hostile import FORBIDDEN, HOSTILE
from tui.dictionaries.structured_content import SAFE_TAGS, StructuredContent
from tui.records.dictionaries import Example, Sense


def gathered(*items: Any) -> StructuredContent:
    content = StructuredContent()
    for item in items:
        content.add(item)
    return content


def text_of(item: Any) -> str:
    [sense] = gathered(item).senses
    return "\n".join(sense.glosses)


def element(tag: str, content: Any = None, *, part: str = "", **more: Any) -> dict[str, Any]:
    return {"tag": tag, "content": content} | ({"data": {"content": part}} if part else {}) | more


def test_blocks_breaks_and_cells_stand_apart() -> None:
    for tag in ("div", "li", "tr"):
        assert text_of(["before", element(tag, "within"), "behind"]) == "before\nwithin\nbehind"
    assert text_of(["one", element("br"), "two"]) == "one\ntwo"
    row = element("tr", [element("th", "nominative"), element("td", "der Zug")])
    assert text_of(element("table", element("tbody", [row, row]))) == "nominative der Zug\nnominative der Zug"


def test_elements_are_text_and_safe_html_without_attributes_but_languages() -> None:
    ruby = element("ruby", ["汽", element("rp", "("), element("rt", "き"), element("rp", ")"), "車"])
    link = [element("a", "Bahn", href="https://example.org"), element("img", path="x.png", title="t")]
    more: dict[str, Any] = {"style": {"color": "red"}, "title": "t", "onclick": "x", "data": {"x": "y"}}
    nothing = element("div", element("div", "from Latin", part="preamble"))
    for content, text, html in (
        (ruby, "汽車", "<ruby>汽<rp></rp><rt>き</rt><rp></rp>車</ruby>"),
        (link, "Bahn", ""),
        (element("span", "汽車", lang="ja", **more), "汽車", '<span lang="ja">汽車</span>'),
        (["just ", element("span", "text")], "just text", ""),
        ([nothing, "train"], "train", ""),
        ([nothing, element("div", "train")], "train", "<div>train</div>"),
    ):
        found = gathered(content)
        assert (found.senses, found.html()) == ([Sense((text,))], html)


def test_what_is_no_language_is_not_kept() -> None:
    for lang in ('ja" onclick="x', "", 5, None, ["ja"], "x" * 100):
        assert gathered([element("div", "x", lang=lang), element("span", "y", lang=lang)]).html() == "<div>x</div>y"


def test_a_tag_that_is_not_safe_leaves_its_text() -> None:
    for tag in ("script", "style", "iframe", "object", "b onclick=x", "svg", 5, None, ["div"], "i>"):
        content = gathered([element("div", "<b>"), {"tag": tag, "content": "alert(1) & more"}])
        assert content.html() == "<div>&lt;b&gt;</div>alert(1) &amp; more"


def test_folded_etymology_and_links_back_are_left_out() -> None:
    etymology = element(
        "div",
        element("details", [element("summary", "Etymology"), "From Old High German"], part="details-entry-Etymology"),
        part="preamble",
    )
    content = gathered([etymology, *wiktionary_content("train")])
    assert (content.senses, content.html()) == ([Sense(("train",))], "<ol><li>train</li></ol>")


def test_senses_of_jitendex_have_their_glosses_labels_and_examples() -> None:
    glossary = element("ul", [element("li", "to eat"), element("li", "to live on")], part="glossary")
    sentence = element(
        "div",
        [
            element("div", [element("ruby", ["食", element("rt", "た")]), "べます。"], part="example-sentence-a"),
            element("div", ["I eat.", element("span", "[1]", part="attribution-footnote")], part="example-sentence-b"),
        ],
        part="example-sentence",
    )
    info = element("span", "1-dan", part="part-of-speech-info", title="Ichidan verb")
    senses = [
        element("li", [info, glossary, element("div", sentence, part="extra-info")], part="sense"),
        element("li", [element("ul", element("li", "to earn"), part="glossary")], part="sense"),
    ]
    assert gathered(element("ol", senses)).senses == [
        Sense(("to eat", "to live on"), ("Ichidan verb",), (Example("食べます。", "I eat."),)),
        Sense(("to earn",)),
    ]


def test_senses_below_a_sense_are_senses_with_their_own_labels_and_examples() -> None:
    label = element("div", element("span", "med", part="tag", title="medicine"), part="tags")
    below = element("ul", [element("li", [label, "to nurse"]), element("li", "to tend to")])
    content = gathered(element("ol", [element("li", ["to care", below]), element("li", "to be wont")], part="glosses"))
    assert content.senses == [
        Sense(("to care",)),
        Sense(("to nurse",), ("medicine",)),
        Sense(("to tend to",)),
        Sense(("to be wont",)),
    ]
    assert content.html() == (
        "<ol><li>to care<ul><li><i>medicine</i> to nurse</li><li>to tend to</li></ul></li><li>to be wont</li></ol>"
    )


def test_a_redirection_is_a_lemma() -> None:
    content = gathered(element("div", ["⟶", element("a", "食べる")], part="redirect-glossary"))
    assert (content.lemmas, content.senses) == (["食べる"], [])


def test_content_a_thousand_levels_deep_is_cut_and_does_not_overflow() -> None:
    for wrapped in (lambda inner: element("div", ["x", inner]), lambda inner: [inner]):
        node: Any = "bottom"
        for _ in range(5_000):
            node = wrapped(node)
        content = gathered(node)
        assert "bottom" not in str(content.senses) + content.html()


def test_examples_within_examples_are_the_text_of_one() -> None:
    node: Any = "bottom"
    for _ in range(5_000):
        node = _nested_example(node)
    assert gathered(["x", node]).senses == [Sense(("x",), examples=(Example("bottom"),))]


def _nested_example(inner: Any) -> Any:
    return element("div", element("div", inner, part="example-sentence-a"), part="example-sentence")


def test_of_many_tags_only_the_first_are_read() -> None:
    content = gathered(["x", *[element("div", "y")] * 200_000])
    assert 10_000 < len("\n".join(content.senses[0].glosses)) < 100_000
    assert 10_000 < len(content.html()) <= 200_000


def test_html_beyond_what_a_card_can_show_is_none() -> None:
    assert gathered([element("div", "<" * 19_000)] * 10).html() == ""


_PARTS = (
    *("glosses", "glossary", "sense", "tags", "example-sentence", "example-sentence-a", "details-entry-examples"),
    *("backlink", "redirect-glossary"),
)
nodes = st.recursive(
    st.none() | st.integers() | st.booleans() | st.text(max_size=8) | st.sampled_from(list(HOSTILE.values())),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.fixed_dictionaries(
            {},
            optional={
                "tag": st.sampled_from([*sorted(SAFE_TAGS), "a", "img", "script"]) | inner,
                "content": inner,
                "lang": st.just("ja") | inner,
                "data": st.fixed_dictionaries({"content": st.sampled_from(_PARTS)}) | inner,
            },
        )
    ),
    max_leaves=25,
)


class SafeTags(HTMLParser):
    """Checks that all tags are safe, closed in order, and without attributes but languages."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in SAFE_TAGS
        assert attrs in ([], [("lang", "ja")])
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    handle_pi = handle_comment


@settings(max_examples=40)
@given(st.lists(nodes, max_size=3))
def test_any_content_becomes_safe_html_and_clean_text(items: list[Any]) -> None:
    content = gathered(*items)
    html = content.html()
    parser = SafeTags()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    for sense in content.senses:
        assert any(sense.glosses)
        for text in (*sense.glosses, *sense.tags, *(each.text for each in sense.examples), html):
            assert not set(FORBIDDEN) & set(text)
