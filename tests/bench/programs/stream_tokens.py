"""The answer that is streamed: an explanation as models give them, in tokens, at the pace of a fast model."""

from __future__ import annotations

import re

TOKENS_PER_SECOND = 100
SECONDS = 8

_PARAGRAPHS = """\
**fährt** belongs to the separable verb *abfahren*: in a main clause the prefix **ab** goes to the very end. The two
words *überhaupt noch* between them say that the speaker doubts it: "if it leaves at all".

## How the sentence is built

1. **Hoffentlich** is a sentence adverb: it says what the speaker wishes, and takes the first place.
2. The finite verb *fährt* stands second, as always in a German main clause.
3. The subject *er* (the train, masculine) follows at once, since the first place is taken.
4. `ab` closes the bracket; everything between is the middle field.

Compare it with a subordinate clause, where nothing is separated and the verb stays in one piece at the end:

> Ich weiß nicht, ob er überhaupt noch **abfährt**.

- *Der Zug fährt um acht ab.* The train leaves at eight.
- *Wann bist du abgefahren?* When did you leave?
    - The participle takes *-ge-* between prefix and stem.
    - It is formed with *sein*, because it says that somebody changes place.
- *Er will nicht abfahren.* He does not want to leave.

| person | present | past |
|---|---|---|
| ich | fahre ab | fuhr ab |
| du | fährst ab | fuhrst ab |
| er, sie, es | fährt ab | fuhr ab |

The vowel changes in the second and third person (*a* becomes *ä*), as in *schlafen*, *tragen* and *lassen*. In speech
the prefix carries the stress, **ab**fahren, which is how you hear that it can be separated: compare *er**fah**ren*, to
learn of something, whose prefix is never stressed and never leaves its verb.

"""


def tokens() -> list[str]:
    """As many tokens as the stream needs, each a word with the space before it, or a sign."""
    count = TOKENS_PER_SECOND * SECONDS
    pieces = re.findall(r"\s*\w{1,6}|\s*[^\w\s]+|\s+", _PARAGRAPHS)
    return (pieces * (count // len(pieces) + 1))[:count]
