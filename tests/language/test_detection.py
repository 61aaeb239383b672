from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tui.language.detection import guess_language

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"


SENTENCES = """
en I don't know what to do now, but I think that we have to go home before it gets dark.
de Ich weiß nicht, was ich jetzt tun soll, aber ich glaube, dass wir nach Hause müssen.
fr Je ne sais pas quoi faire maintenant, mais je crois que nous devons rentrer avant la nuit.
es No sé qué hacer ahora, pero yo creo que hay que volver a casa porque está muy lejos y es de noche.
it Non so che cosa fare adesso, ma credo che dobbiamo tornare a casa prima che sia notte.
pt Não sei o que fazer agora, mas acho que temos de voltar para casa antes que fique escuro.
nl Ik weet niet wat ik nu moet doen, maar ik denk dat we naar huis moeten gaan.
sv Jag vet inte vad jag ska göra nu, men jag tror att vi måste gå hem innan det blir mörkt.
da Jeg ved ikke hvad jeg skal gøre nu, men jeg tror at vi må gå hjem før det bliver mørkt udenfor.
nb Jeg vet ikke hva jeg skal gjøre nå, men jeg tror at vi må gå hjem før det blir mørkt ute.
pl Nie wiem, co mam teraz zrobić, ale myślę, że musimy już iść do domu, bo tak jest lepiej.
cs Nevím, co mám teď dělat, ale myslím, že musíme jít domů, než se setmí, protože tady není světlo.
hu Nem tudom, mit csináljak most, de azt hiszem, hogy haza kell mennünk, mielőtt besötétedik.
tr Şimdi ne yapacağımı bilmiyorum ama bence bu çok iyi bir fikir değil, çünkü burada ışık yok.
ru Я не знаю, что мне теперь делать, но думаю, что нам надо идти домой, пока ещё светло.
uk Я не знаю, що мені зараз робити, але думаю, що ми повинні йти додому, поки ще не стемніло.
ar لا أعرف ماذا أفعل الآن لكن أعتقد أننا يجب أن نعود إلى البيت قبل أن يحل الظلام
ja 今日は東京へ行きます。
zh 我现在不知道该怎么办，不过我想我们应该回家。
ko 지금 뭘 해야 할지 모르겠어요
th วันนี้อากาศดีมาก
el Δεν ξέρω τι να κάνω τώρα
he אני לא יודע מה לעשות
nn Eg veit ikkje kva eg skal gjere no, men eg trur at me må gå heim før det vert mørkt ute.
sk Neviem, čo mám teraz robiť, ale myslím, že musíme ísť domov, kým sa zotmie, pretože tu nie je svetlo.
sl Ne vem, kaj naj zdaj naredim, ampak mislim, da moramo domov, preden se stemni, ker tukaj ni luči.
hr Ne znam što da radim ovaj tjedan, ali netko također mora ići kući prije mraka, a tko zna gdje je on.
sr Не знам шта да радим, али мислим да морамо да идемо кући пре него што падне мрак, јер овде није добро.
sr Ne znam šta da radim, ali uvek mislim da moramo da idemo kući pre mraka, jer ovde više nije lepo.
bg Не знам какво да правя сега, но мисля, че трябва да се приберем, преди да се стъмни, защото тук няма нищо.
mk Не знам што да правам сега, но мислам дека мора да си одиме дома, зашто овде нема ништо и тие не се тука.
be Я не ведаю, што мне цяпер рабіць, але думаю, што нам трэба ісці дадому, пакуль яшчэ не сцямнела, калі ты тут.
kk Мен қазір не істеу керек екенін білмеймін, бірақ біз үйге қайту керек деп ойлаймын, өйткені бұл жерде ол жоқ.
mn Би одоо юу хийхээ мэдэхгүй байна, гэхдээ бид гэртээ харих хэрэгтэй гэж бодож байна, энд нэг ч хүн байхгүй.
ro Nu știu ce să fac acum, dar cred că trebuie să mergem acasă înainte să se lase noaptea, pentru că e târziu.
ca No sé què fer ara, però crec que hem de tornar a casa abans que es faci fosc, perquè això és molt lluny.
gl Non sei que facer agora, pero coido que temos que volver á casa antes de que sexa noite, porque xa é tarde.
ast Nun sé qué facer agora, pero creo qu'hai que volver pa casa enantes de que seya de nueche, porque ta muncho más
   lloñe.
oc Sabi pas qué far ara, mas cresi que cal tornar a l'ostal abans la nuèch, perque es plan luènh e sèm sols.
eu Ez dakit zer egin orain, baina uste dut etxera joan behar dugula ilundu baino lehen, hemen ez dago ezer.
fi En tiedä, mitä minun pitäisi nyt tehdä, mutta luulen että meidän on mentävä kotiin, koska täällä ei ole valoa.
et Ma ei tea, mida ma nüüd tegema pean, aga ma arvan, et me peame koju minema, sest siin ei ole enam kedagi.
lv Es nezinu, ko man tagad darīt, bet domāju, ka mums ir jāiet mājās, jo te vairs nav neviena un ir ļoti vēls.
lt Aš nežinau, ką man dabar daryti, bet manau, kad mums reikia eiti namo, nes čia jau nieko nėra ir labai vėlu.
is Ég veit ekki hvað ég á að gera núna en ég held að við verðum að fara heim áður en það verður dimmt.
fo Eg veit ikki, hvat eg skal gera nú, men eg haldi, at vit mugu fara heim, áðrenn tað verður myrkt í bygdini.
sq Nuk e di se çfarë të bëj tani, por mendoj se duhet të shkojmë në shtëpi para se të errësohet, sepse ka.
cy Dw i ddim yn gwybod beth i'w wneud nawr, ond mae'n rhaid i ni fynd adref cyn iddi nosi, achos dydy hi ddim yma.
ga Níl a fhios agam cad atá le déanamh anois, ach is dóigh liom go bhfuil orainn dul abhaile mar tá sé déanach.
gd Chan eil fhios agam dè nì mi a-nis, ach tha mi a' smaoineachadh gu bheil againn ri dhol dhachaigh leis an oidhche.
br N'ouzon ket petra ober bremañ, met soñjal a ra din e rankomp mont d'ar gêr a-raok an noz, peogwir n'eus den amañ.
lb Ech weess net, wat ech elo maache soll, awer ech mengen, datt mir heem musse goen, well et schonn däischter gëtt.
af Ek weet nie wat ek nou moet doen nie, maar ek dink ons moet huis toe gaan voordat dit donker word.
la Nescio quid nunc faciam, sed puto nobis domum redeundum esse antequam nox fiat, quia hic lux non est.
mt Ma nafx x'għandi nagħmel issa, imma naħseb li għandna mmorru d-dar qabel ma jidlam, għax hawn m'hemm xejn u huwa
   tard.
eo Mi ne scias, kion mi faru nun, sed mi pensas, ke ni devas iri hejmen antaŭ la nokto, ĉar estas jam malfrue.
id Aku tidak tahu apa yang harus kulakukan sekarang, tapi kita bisa pulang karena di sini sudah gelap, kamu tahu.
ms Saya tak tahu apa yang perlu dibuat sekarang, tetapi awak boleh pulang kerana di sini sudah gelap, encik.
vi Tôi không biết phải làm gì bây giờ, nhưng tôi nghĩ chúng ta phải về nhà trước khi trời tối, vì ở đây không có ai.
tl Hindi ko alam kung ano ang gagawin ko ngayon, pero kailangan na nating umuwi bago dumilim dahil walang tao dito.
sw Sijui nifanye nini sasa, lakini nadhani kwamba sisi tunapaswa kurudi nyumbani kabla ya usiku kwa sababu hapa si
   salama.
az Bilmirəm indi nə edim, amma məncə biz evə getməliyik, çünki artıq gecdir və burada heç kim yox, mən isə qorxuram.
uz Men hozir nima qilishni bilmayman, lekin biz uyga qaytishimiz kerak, bu yerda hech kim yo'q va juda kech bo'ldi.
hi मुझे नहीं पता कि अब क्या करना है
mr मला आता काय करावे ते कळत नाही, पण मला वाटते की आपण घरी जायला हवे, कारण येथे कोण आहे ते मी पाहिले नाही.
ne अब के गर्ने मलाई थाहा छैन, तर हामी घर जानु पर्छ भन्ने म सोच्छु, किनभने यहाँ कोही पनि छैन र अँध्यारो भयो।
bn আমি জানি না এখন কি করতে হবে
fa من نمی‌دانم حالا چه کنم، اما فکر می‌کنم که ما باید به خانه برگردیم، تا هوا تاریک نشده است.
ur مجھے نہیں معلوم کہ اب کیا کرنا ہے، لیکن میں سوچتا ہوں کہ ہم کو گھر جانا ہو گا، یہاں کوئی نہیں ہے۔
ps زه نه پوهېږم چې اوس څه وکړم، خو زه فکر کوم چې مونږ باید کور ته لاړ شو، دلته هېڅ څوک نه شته او شپه ده.
yi איך ווייס ניט וואָס צו טאָן איצט, אָבער איך מיין אַז מיר דאַרפֿן גיין אַהיים, ווייל דאָ איז ניטאָ קיין ליכט און עס
   איז שוין שפּעט.
ka არ ვიცი ახლა რა უნდა გავაკეთო
hy Չգիտեմ՝ ինչ անել հիմա
ml എനിക്ക് ഇപ്പോൾ എന്തു ചെയ്യണമെന്ന് അറിയില്ല
am አሁን ምን ማድረግ እንዳለብኝ አላውቅም ግን ወደ ቤት መሄድ ነው ያለብን እኔ እና አንተ ብቻ ነው
"""
"""Language → a sentence in it; a line that is indented goes on with the one before."""


@pytest.mark.parametrize(("language", "text"), re.findall(r"^(\w+) (.+(?:\n   .+)*)", SENTENCES, re.MULTILINE))
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
        "A ga ke itse gore ke dire eng jaanong, mme ke akanya gore re tshwanetse go ya gae pele go nna lefifi.",
        "Tsy fantatro izay tokony hatao izao, saingy heveriko fa tsy maintsy mody isika alohan'ny ho maizina.",
        "Manam yachanichu kunan imatam ruwasaq, ichaqa wasinchikman kutinanchik tiyan tutayananpaq.",
        "我们现在回家吧，天快黑了。 Let's go home now, it is dark and I do not like it.",
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
