from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tui.language.detection import guess_language

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I don't know what to do now, but I think that we have to go home before it gets dark."),
        ("de", "Ich weiß nicht, was ich jetzt tun soll, aber ich glaube, dass wir nach Hause müssen."),
        ("fr", "Je ne sais pas quoi faire maintenant, mais je crois que nous devons rentrer avant la nuit."),
        ("es", "No sé qué hacer ahora, pero yo creo que hay que volver a casa porque está muy lejos y es de noche."),
        ("it", "Non so che cosa fare adesso, ma credo che dobbiamo tornare a casa prima che sia notte."),
        ("pt", "Não sei o que fazer agora, mas acho que temos de voltar para casa antes que fique escuro."),
        ("nl", "Ik weet niet wat ik nu moet doen, maar ik denk dat we naar huis moeten gaan."),
        ("sv", "Jag vet inte vad jag ska göra nu, men jag tror att vi måste gå hem innan det blir mörkt."),
        ("da", "Jeg ved ikke hvad jeg skal gøre nu, men jeg tror at vi må gå hjem før det bliver mørkt udenfor."),
        ("nb", "Jeg vet ikke hva jeg skal gjøre nå, men jeg tror at vi må gå hjem før det blir mørkt ute."),
        ("pl", "Nie wiem, co mam teraz zrobić, ale myślę, że musimy już iść do domu, bo tak jest lepiej."),
        ("cs", "Nevím, co mám teď dělat, ale myslím, že musíme jít domů, než se setmí, protože tady není světlo."),
        ("hu", "Nem tudom, mit csináljak most, de azt hiszem, hogy haza kell mennünk, mielőtt besötétedik."),
        ("tr", "Şimdi ne yapacağımı bilmiyorum ama bence bu çok iyi bir fikir değil, çünkü burada ışık yok."),
        ("ru", "Я не знаю, что мне теперь делать, но думаю, что нам надо идти домой, пока ещё светло."),
        ("uk", "Я не знаю, що мені зараз робити, але думаю, що ми повинні йти додому, поки ще не стемніло."),
        ("ar", "لا أعرف ماذا أفعل الآن لكن أعتقد أننا يجب أن نعود إلى البيت قبل أن يحل الظلام"),
        ("ja", "今日は東京へ行きます。"),
        ("zh", "我现在不知道该怎么办，不过我想我们应该回家。"),
        ("ko", "지금 뭘 해야 할지 모르겠어요"),
        ("th", "วันนี้อากาศดีมาก"),
        ("el", "Δεν ξέρω τι να κάνω τώρα"),
        ("he", "אני לא יודע מה לעשות"),
    ],
)
def test_a_sentence_or_two_are_enough(language: str, text: str) -> None:
    assert guess_language(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ok.",
        "Caption text #1\nCaption text #2",
        "image1.jpg#xywh=0,0,160,90",
        "Los! Los! Los los los! Los, los! Gleich geht's los! Los los los los",
        "東京大学",
        "Nescio quid nunc faciam, sed puto nobis domum redeundum esse antequam nox fiat, quia hic lux non est.",
        "Nuk e di se çfarë të bëj tani, por mendoj se duhet të shkojmë në shtëpi para se të errësohet, sepse ka.",
        "Ég veit ekki hvað ég á að gera núna en ég held að við verðum að fara heim áður en það verður dimmt.",
        "我们现在回家吧，天快黑了。 Let's go home now, it is dark and I do not like it.",
        "मुझे नहीं पता कि अब क्या करना है",
    ],
)
def test_what_is_not_clear_is_not_guessed(text: str) -> None:
    assert guess_language(text) is None


@pytest.mark.skipif(not CORPUS.exists(), reason="the corpus lies beside the repository and is not here")
def test_no_file_of_the_corpus_is_guessed_wrong() -> None:
    expected = json.loads((CORPUS / "EXPECTED.json").read_text("utf-8"))["files"]
    wrong, right = [], 0
    for name, facts in expected.items():
        encoding = "utf-16" if facts["encoding"] == "utf-16-le" else facts["encoding"]
        text = (CORPUS / name).read_bytes().decode(encoding)
        guess = guess_language(re.sub(r"<[^>]*>|^.*-->.*$|^\w+:.*,0:.*,|\{[^}]*\}", "", text, flags=re.MULTILINE))
        if guess == facts["language"].split("-")[0]:
            right += 1
        elif guess is not None and not name.startswith("messy/"):
            wrong.append((name, guess))
    assert wrong == []
    assert right > 50
