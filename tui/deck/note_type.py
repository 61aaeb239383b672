"""The note type "Lode": its frozen identity, its fields, and the card that shows them.

Anki matches a note type by id and then by the number, names and order of its fields and templates; a field added later
under the same id would make a second note type and conflicting notes. ``MODEL_ID``, ``FIELDS`` and ``TEMPLATE_NAME``
therefore never change. The two sides and the CSS may: move ``DESIGN_DATE`` whenever they do. It stands in the package
as the note type's time of change, and Anki takes a design only when it is newer than its own, so a card that the
learner restyled is not overwritten by every import.
"""

from __future__ import annotations

MODEL_ID = 1_852_370_915
NAME = "Lode"
TEMPLATE_NAME = "Reading"
DESIGN_DATE = 1_767_225_600
"""Time of the last change of the sides or the CSS, in seconds since 1970 (2026-01-01)."""

FIELDS = (
    "Expression",
    "ExpressionReading",
    "Lemma",
    "PartOfSpeech",
    "MainDefinition",
    "Sentence",
    "SentenceFurigana",
    "Translation",
    "Explanation",
    "Context",
    "SentenceAudio",
    "Picture",
    "Frequency",
    "MiscInfo",
    "Notes",
    "SourceURL",
)
"""The names that learners' note types (Lapis, Kiku) use where they overlap; those without a source stay empty."""

FRONT = """\
<div class="lode">
<div class="sentence" dir="auto">{{#Sentence}}{{Sentence}}{{/Sentence}}{{^Sentence}}{{Expression}}{{/Sentence}}</div>
</div>
"""

BACK = """\
{{FrontSide}}
<hr id="answer">
<div class="lode">
{{#Translation}}<div class="translation" dir="auto">{{Translation}}</div>{{/Translation}}
{{#Lemma}}<div class="word" dir="auto">{{Lemma}}</div>{{/Lemma}}
{{^Lemma}}{{#MainDefinition}}<div class="word" dir="auto">{{Expression}}</div>{{/MainDefinition}}{{/Lemma}}
{{#ExpressionReading}}<div class="reading" dir="auto">{{Expression}} · {{ExpressionReading}}</div>{{/ExpressionReading}}
{{#PartOfSpeech}}<div class="grammar" dir="auto">{{PartOfSpeech}}</div>{{/PartOfSpeech}}
{{#MainDefinition}}<div class="meaning" dir="auto">{{MainDefinition}}</div>{{/MainDefinition}}
{{#Explanation}}<div class="explanation" dir="auto">{{Explanation}}</div>{{/Explanation}}
{{#Context}}<div class="context" dir="auto">{{Context}}</div>{{/Context}}
{{#Notes}}<div class="notes" dir="auto">{{Notes}}</div>{{/Notes}}
{{#MiscInfo}}<div class="source" dir="auto">{{MiscInfo}}</div>{{/MiscInfo}}
</div>
"""

CSS = """\
.card {
  --ink: #24292f;
  --soft: #6a727c;
  --line: #e2e5e9;
  --focus: #0b6e75;
  --paper: #fdfdfc;
  margin: 0;
  padding: 1.5rem 1.25rem 2rem;
  background: var(--paper);
  color: var(--ink);
  font: 1.125rem/1.6 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Hiragino Sans",
    "Yu Gothic", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK JP", "Noto Sans Arabic", sans-serif;
  text-align: start;
  -webkit-text-size-adjust: 100%;
}
.card.nightMode, .card.night_mode, .nightMode .card, .night_mode .card {
  --ink: #dfe3e6;
  --soft: #98a1a9;
  --line: #3a4046;
  --focus: #76c7c0;
  --paper: #1f2326;
}
.lode, #answer { max-width: 36rem; margin-inline: auto; }
.lode { overflow-wrap: anywhere; line-break: strict; }
.lode div, .lode p, .lode li, .lode blockquote { unicode-bidi: plaintext; text-align: start; }
.sentence { font-size: 1.5rem; line-height: 1.55; }
.sentence b { color: var(--focus); font-weight: 700; }
#answer { height: 0; border: 0; border-top: 1px solid var(--line); margin-block: 1.25rem; }
.translation { color: var(--soft); margin-bottom: 1.25rem; }
.word { color: var(--focus); font-size: 1.3rem; font-weight: 600; line-height: 1.4; }
.reading { font-size: 1rem; }
.grammar { color: var(--soft); font-size: .9rem; }
.meaning { margin-top: .35rem; }
.explanation { margin-top: 1.25rem; font-size: 1rem; }
.explanation > :first-child { margin-top: 0; }
.explanation > :last-child { margin-bottom: 0; }
.explanation p, .explanation ul, .explanation ol, .explanation blockquote { margin-block: .6rem; }
.explanation ul, .explanation ol { padding-inline-start: 1.4rem; }
.explanation h1, .explanation h2, .explanation h3, .explanation h4, .explanation h5, .explanation h6 {
  margin-block: 1rem .4rem;
  font-size: 1rem;
  font-weight: 600;
}
.explanation a { color: var(--focus); }
.explanation code { font: .92em ui-monospace, Menlo, Consolas, monospace; }
.explanation table { border-collapse: collapse; }
.explanation th, .explanation td { padding: .2rem .6rem; border-block-end: 1px solid var(--line); text-align: start; }
.explanation pre { white-space: pre-wrap; }
.explanation blockquote { margin-inline: 0; padding-inline-start: .9rem; border-inline-start: 2px solid var(--line); }
.context {
  margin-top: 1.25rem;
  padding-inline-start: .9rem;
  border-inline-start: 2px solid var(--line);
  color: var(--soft);
  font-size: 1rem;
}
.notes { margin-top: 1.25rem; font-size: 1rem; }
.source { margin-top: 1.5rem; color: var(--soft); font-size: .8rem; }
@media (max-width: 30rem) {
  .card { padding: 1rem .9rem 1.5rem; font-size: 1.0625rem; }
  .sentence { font-size: 1.35rem; }
}
"""
