"""A few lines of dialogue in every language whose texts are found in encodings older than Unicode."""

from __future__ import annotations

import unicodedata

_TONES = "\u0300\u0301\u0303\u0309\u0323"


def _tones_apart(text: str) -> str:
    """Vietnamese as code page 1258 has it: the tones are characters of their own."""
    return "".join(
        unicodedata.normalize("NFC", "".join(part for part in parts if part not in _TONES))
        + "".join(part for part in parts if part in _TONES)
        for parts in (unicodedata.normalize("NFD", char) for char in text)
    )


DIALOGUES = {
    "cs": """
Kde jsi byl celou noc?
Nemůžu ti to říct, promiň.
Tak už dost! Řekni mi pravdu.
Žádná pravda není, věř mi.
Dobře, půjdeme domů a zítra uvidíme.
""",
    "da": """
Hvor har du været hele natten?
Det kan jeg ikke sige, undskyld.
Så er det nok! Fortæl mig sandheden nu.
Der er ingen sandhed, tro mig på det.
Ølet er på køl, vi går hjem.
""",
    "de": """
Wo bist du die ganze Nacht gewesen?
Das kann ich dir nicht erzählen, tut mir leid.
Jetzt reicht's! Sag mir die Wahrheit über den Mann.
Äh, natürlich. Ich hätte dich nicht anlügen dürfen.
Schön, dann gehen wir nach Hause.
""",
    "el": """
Πού ήσουν όλη τη νύχτα;
Δεν μπορώ να σου πω, συγγνώμη.
Φτάνει πια! Πες μου την αλήθεια.
Δεν υπάρχει αλήθεια, πίστεψέ με.
Άσε με, θα πάμε σπίτι αύριο.
""",
    "en": """
Let's meet at the café, then.
He was a naïve young man, my fiancé.
That's what he said in his résumé.
""",
    "es": """
¿Dónde estuviste toda la noche?
No te lo puedo decir, lo siento.
¡Ya basta! Dime la verdad, señor.
No hay ninguna verdad, créeme. Mañana será otro día.
""",
    "et": """
Kus sa terve öö olid?
Ma ei saa seda sulle öelda, vabandust.
Aitab! Räägi mulle tõtt.
Tõde ei ole, usu mind. Kõik läheb hästi, lähme koju.
Ära muretse, šokolaadi ka saab.
""",
    "fi": """
Missä sinä olit koko yön?
En voi kertoa sitä sinulle, anteeksi.
Nyt riittää! Sano minulle totuus.
Mitään totuutta ei ole, älä kysy enää.
Hyvä on, mennään kotiin tänään.
""",
    "fr": """
Où étais-tu toute la nuit ?
Je ne peux pas te le dire, désolé.
Ça suffit ! Dis-moi la vérité.
Il n'y a pas de vérité, crois-moi. Ma sœur était déjà là.
À demain, alors. C'est très bien.
""",
    "he": """
איפה היית כל הלילה?
אני לא יכול להגיד לך, סליחה.
מספיק! תגיד לי את האמת.
אין שום אמת, תאמין לי.
טוב, בוא נלך הביתה עכשיו.
""",
    "hr": """
Gdje si bio cijelu noć?
Ne mogu ti reći, žao mi je.
Dosta! Reci mi što se događa.
Nema nikakve istine, vjeruj mi.
Dobro, ići ćemo kući. Već je kasno, možeš li doći?
""",
    "hu": """
Hol voltál egész éjszaka?
Nem mondhatom el neked, sajnálom.
Elég volt! Mondd meg az igazat.
Nincs semmiféle igazság, higgy nekem.
Jól van, menjünk haza. Ő már ott van, és később beszélünk erről.
""",
    "is": """
Hvar varstu í alla nótt?
Ég get ekki sagt þér það, fyrirgefðu.
Nú er nóg komið! Segðu mér sannleikann.
Það er enginn sannleikur, trúðu mér.
Jæja, við förum heim og sjáum til á morgun.
""",
    "it": """
Dove sei stato tutta la notte?
Non posso dirtelo, mi dispiace. È così.
Basta! Dimmi la verità, perché non c'è più tempo.
Non c'è nessuna verità, però credimi.
""",
    "ko": """
밤새 어디 있었어?
말할 수 없어, 미안해.
이제 그만해! 나한테 사실을 말해.
진실 같은 건 없어. 나를 믿어 줘.
그래, 집에 가자. 내일 다시 이야기하지.
""",
    "lt": """
Kur tu buvai visą naktį?
Negaliu tau pasakyti, atsiprašau.
Gana! Sakyk man tiesą.
Nėra jokios tiesos, patikėk manimi.
Gerai, eime namo. Aš čia jau seniai, bet ką gi, žinai pats.
""",
    "lv": """
Kur tu biji visu nakti?
Es nevaru tev to teikt, piedod.
Pietiek! Saki man patiesību.
Nav nekādas patiesības, tici man.
Labi, iesim mājās. Viņš jau ir šeit, un mēs viņu gaidām.
""",
    "nb": """
Hvor har du vært hele natten?
Det kan jeg ikke si, beklager.
Nå er det nok! Si meg sannheten.
Det finnes ingen sannhet, tro meg på det.
Ølet er kaldt, vi går hjem nå.
""",
    "pl": """
Gdzie byłeś przez całą noc?
Nie mogę ci powiedzieć, przepraszam.
Dość tego! Powiedz mi prawdę.
Nie ma żadnej prawdy, uwierz mi.
Dobrze, chodźmy do domu. Jutro się zobaczy, może będzie lepiej.
""",
    "pt": """
Onde estiveste toda a noite?
Não te posso dizer, desculpa.
Já chega! Diz-me a verdade, então.
Não há verdade nenhuma, acredita. Amanhã você verá que está tudo bem.
""",
    "ro": """
Unde ai fost toată noaptea?
Nu pot să-ţi spun, îmi pare rău.
Ajunge! Spune-mi adevărul.
Nu există niciun adevăr, crede-mă.
Bine, mergem acasă şi vedem mâine ce facem, că aşa e mai bine.
""",
    "ru": """
Где ты был всю ночь?
Я не могу тебе сказать, извини.
Хватит! Скажи мне правду.
Никакой правды нет, поверь мне.
Хорошо, пойдём домой. Завтра ещё увидимся, это точно.
""",
    "uk": """
Де ти був усю ніч?
Я не можу тобі сказати, вибач.
Досить! Скажи мені правду.
Ніякої правди немає, повір мені.
Добре, ходімо додому. Його ще не було, але він її знайде.
""",
    "bg": """
Къде беше цяла нощ?
Не мога да ти кажа, съжалявам.
Стига! Кажи ми истината.
Няма никаква истина, повярвай ми.
Добре, да си вървим у дома. Утре ще видим какво ще стане.
""",
    "sr": """
Где си био целу ноћ?
Не могу да ти кажем, жао ми је.
Доста! Реци ми истину.
Нема никакве истине, веруј ми.
Добро, идемо кући. Већ је касно, зашто ћутиш?
""",
    "sk": """
Kde si bol celú noc?
Nemôžem ti to povedať, prepáč.
Tak dosť! Povedz mi pravdu.
Žiadna pravda nie je, ver mi.
Dobre, poďme domov. Zajtra uvidíme, čo bude, však áno?
""",
    "sl": """
Kje si bil vso noč?
Ne morem ti povedati, žal mi je.
Dovolj! Povej mi resnico.
Ni nobene resnice, verjemi mi.
Dobro, pojdiva domov. Že zdaj je pozno, kaj še čakaš?
""",
    "sv": """
Var har du varit hela natten?
Jag kan inte säga det, förlåt.
Nu räcker det! Säg mig sanningen.
Det finns ingen sanning, tro mig på det.
Ölen är kall, vi går hem nu.
""",
    "th": """
คุณไปไหนมาทั้งคืน
ฉันบอกคุณไม่ได้ ขอโทษนะ
พอแล้ว บอกความจริงกับฉันมา
ไม่มีความจริงอะไรทั้งนั้น เชื่อฉันเถอะ
ก็ได้ กลับบ้านกัน
""",
    "tr": """
Bütün gece neredeydin?
Sana söyleyemem, özür dilerim.
Yeter artık! Bana gerçeği söyle.
Gerçek diye bir şey yok, inan
bana.
Tamam, eve gidelim. Şimdi çok geç, yarın bakarız.
""",
    "vi": """
Anh đã ở đâu cả đêm?
Em không thể nói cho anh biết, xin lỗi.
Đủ rồi! Hãy nói sự thật cho tôi.
Không có sự thật nào cả, hãy tin tôi.
Thôi được, chúng ta về nhà. Ngày mai sẽ tính.
""",
    "ar": """
أين كنت طوال الليل؟
لا أستطيع أن أقول لك، آسف.
هذا يكفي! قل لي الحقيقة.
ليس هناك حقيقة، صدقني.
حسنا، هيا نذهب إلى البيت الآن.
""",
    "fa": """
تمام شب كجا بودي؟
نمي توانم به تو بگويم، ببخشيد.
ديگر بس است! راستش را به من بگو.
هيچ حقيقتي نيست، باور كن.
""",
    "ja": """
一晩中どこにいたの？
言えないんだ、ごめん。
もうたくさんだ！本当のことを教えてくれ。
真実なんてない、信じてくれ。
わかった、家に帰ろう。コーヒーでも飲もうか。
""",
    "zh-Hans": """
你整晚都去哪儿了？
我不能告诉你，对不起。
够了！跟我说实话。
没有什么真相，相信我。
好吧，我们回家。明天再说。
""",
    "zh-Hant": """
你整晚都去哪兒了？
我不能告訴你，對不起。
夠了！跟我說實話。
沒有什麼真相，相信我。
好吧，我們回家。明天再說。
""",
}
"""Language (Chinese: with its script) → five lines or so."""
DIALOGUES["vi"] = _tones_apart(DIALOGUES["vi"])
