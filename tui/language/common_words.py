"""The commonest words of languages, by which `guess` tells those apart that share a script; lower case, in no order.

A text that was decoded wrongly has none of them, so Greek, Hebrew and Thai are here too. Only what is common in spoken
language is of use, since most of what is imported is dialogue.
"""

COMMONEST = {
    "en": """the and of to is that it you was for are on with as he be this have but not they his what there we she
        her i'm don't it's my your will would from me so just know about been who how when them did had has their
        can out""",
    "de": """der die und das ist nicht ich sie es du ein eine zu wir mit den auf sich dem ihr von so auch haben hat
        was war aber wie noch nur wenn mir mich dass dich hier schon kann sind er für bin im nach bei oder einen
        als werden wird""",
    "fr": """le la les et est pas de des je vous il un une que qui dans en ce nous tu elle on pour mais avec sur plus
        c'est j'ai ça du au ne se sont être avoir bien tout fait moi cette par comme était lui même aux ses mon
        sa suis""",
    "es": """el la los que de no en es un una por con se para lo está como pero más las del su me mi te qué yo y al si
        le muy ya eso esto todo hay bien había aquí cuando tú ser él ella nos sus también era porque estoy tengo
        sin este""",
    "it": """il che di non è un una per la sono mi ho lo ti con ma si hai cosa gli questo le da del della come io al
        più se ha anche bene c'è perché molto ci nel i alla era suo sua anni quando qui voi noi lei lui essere
        così dei delle""",
    "pt": """o que não de é e um uma para os com se eu do da em por mais você ele isso mas ao as foi está na no muito
        como meu minha bem ela já aqui tem são ser quando também pelo pela até sua seu isto nós vou estou à dos
        das era tudo""",
    "nl": """de het een en van ik je dat is niet in die op te zijn met voor we er maar om hij ook aan heb wat als naar
        dan zo nog wel mijn hebben bij uit was kan geen deze hier moet zij door over wordt goed weet haar jullie
        ben heeft""",
    "sv": """och att det som en är på jag för inte av den han med har vi du de till ett om så men var vad ni mig kan
        här från när nu hade sig vill ska skulle alla honom hon eller där dig min sin mycket vara bara några
        efter också""",
    "da": """og at det er en jeg ikke på den til som han med for af vi du har der de et hun var hvad men så mig kan
        skal dig fra hvis være blev havde ham nu efter også noget min sig kun nogen jer hvor os meget kommer
        kunne bliver""",
    "nb": """og at det er en jeg ikke på den til som han med for av vi du har de et hun var hva men så meg kan skal
        deg fra hvis være ble hadde ham nå etter også noe min seg bare noen dere hvor oss veldig kommer kunne
        blir vil når mye""",
    "fi": """ja on ei se että en hän oli mutta minä olen sinä kun niin mitä me ovat mikä kuin nyt tämä jos minun sen
        hänen ole joka myös tai te he sitä vain täällä siellä minua olet olla sinun voi kaikki hyvä miten tässä
        niitä""",
    "pl": """nie się i w na że to jest z do co jak ale mnie tak za czy o mi ja ty już ma był być jestem po dla tylko
        go od tego jego kiedy są może przez jej byłem była gdzie ich wszystko dobrze ten jeszcze proszę masz nic
        więc też""",
    "cs": """je že se na to v a co tak ale jak pro jsem ne si s už by i za k mi jen nebo do jako když o tady jsi není
        jsme jsou já být byl má která který tu jeho však kde ještě bylo tohle dobře mě něco proč všechno až ho
        nic než""",
    "sk": """je sa že na to v a čo ako ale som pre nie si s už by aj za k mi len alebo do keď o tu sme sú ja byť bol
        má ktorá ktorý jeho však kde ešte bolo toto dobre ma niečo prečo všetko až ho nič než sem môže teraz pri
        ich""",
    "hu": """a az és hogy nem is egy van ez de csak meg már azt mi ha én te ki volt kell itt vagy még mint lesz jó
        mert most nagyon ezt úgy azért nekem vagyok ott igen akkor olyan minden tudom lehet ő ők ami aki el fel
        be miért""",
    "ro": """și să nu de în la a o că pe cu este un ce mai din care pentru sunt dar am te mă se fi îl ai au era asta
        eu cum bine acum el ea lui noi fost doar dacă foarte vrei când aici ne după fără lor unde ca sau avea
        trebuie nimic""",
    "tr": """bir ve bu ne için de da mi ben sen o var çok ama değil daha gibi bana seni evet kadar yok olarak şey beni
        biz her sonra hayır şimdi benim nasıl tamam iyi ya en mı ile onu senin olan böyle hiç ki musun neden
        burada ona""",
    "id": """yang dan di itu tidak dengan ini untuk dari dalam akan pada adalah aku kau saya ada kita kami mereka bisa
        sudah dia juga apa atau orang karena oleh ke tapi jika hanya seperti telah bukan lebih saat anda lagi
        para""",
    "ms": """yang dan di itu tidak tak dengan ini untuk dari dalam akan pada adalah aku kau saya ada kita kami mereka
        boleh sudah dia juga apa atau orang kerana oleh ke tapi jika hanya seperti telah bukan lebih awak mahu
        encik lagi hendak""",
    "vi": """là và của không có tôi một được cho người này đã trong anh các em những với đó khi sẽ ở để cũng ra như
        thì đến chúng bạn lại phải đi cô về làm gì ta nhưng từ ông hay rất nó mà vào nói đây biết còn nhiều""",
    "ca": """el la els les de i que no en és un una per amb del al es ha són però més com aquest aquesta molt jo tu
        ell ella què també quan fer tinc aquí això vaig seva seu pel dels als hi ho sense tots perquè van té hem
        gairebé""",
    "gl": """o a os as de e que non en é un unha por con do da no na ao para máis como pero foi moi está se lle eu el
        ela isto cando tamén eran súa seu polo pola á eles aínda onde ata ben teño hai dous sen sobre xa nun
        nunha estaba""",
    "hr": """je i u se da na to ne za što sam si su od kako ali ja ti li ga bi sa samo nije kao ovo biti ovdje će mi
        me te imam bio bila gdje dobro kad već znam jesi nešto sve hoću iz koji zašto treba možeš jer tko ili
        bilo smo ste""",
    "et": """on ja ei see et ma oli ta mis aga kui ka ning oma sa mitte nii siis me ole seda nad olen või kõik nagu
        mind veel siin kes välja minu olid teda ainult oled pole midagi sind läbi tema sest nüüd väga ära üle
        pärast""",
    "lv": """un ir es tu to ka ar viņš tas nav bet kas par no man uz kā mēs tev lai viņa jau bija ko vai ne tikai te
        pie labi pēc šis arī mani kad viņi būs esmu vēl lūdzu tā kur esi viss ļoti nekas varu tikko šeit būt līdz""",
    "lt": """ir yra aš tu kad ne su tai bet kas į jis ar ką iš kaip mes tau man dar jau buvo už tik taip mano apie jo
        čia ji jie labai gali kur viskas tavo gerai mane dabar nuo kai tave būti bus per ant nėra jei mums jūs
        arba visi""",
    "af": """die en is van nie het ek in dat jy met vir sy ons hy was om te 'n wat dit jou so kan sal my maar aan op
        as hulle daar by ook hom haar moet nou wees gaan wil baie uit toe een net kom hierdie of onder reeds weer
        omdat""",
    "eo": """la kaj de mi ne estas en al vi ke li kiu por ĝi estis sed tio kun pri ili kiel ni pli ŝi sin mia kio ĉu
        nur ĉi ol post nun tre oni lia jam aŭ tiu ĉiuj sur kiam se via tamen iom devas povas ankaŭ dum tie sia""",
    "ru": """и в не что я на он это как ты с а но мы так у же вы за бы по от меня мне да нет его она все было то быть
        вот тебя если мой ещё когда только для из был есть они тебе их нас чтобы до или может здесь очень где кто
        надо""",
    "uk": """і в не що я на він це як ти з а але ми так у ж ви за би по від мене мені та ні його вона все було то бути
        ось тебе якщо мій ще коли тільки для із був є вони тобі їх нас щоб до або може тут дуже де хто треба й
        цього про""",
    "bg": """и в не че на да се е аз ти той това как с но за по от ме ми ли са то тя до ще го съм си ни няма беше ако
        има още само тук кога или след какво все при много така защо къде кой ги мен него нещо сега бъде като
        един""",
    "sr": """је и у се да на то не за што сам си су од како али ја ти ли га би са само није као ово бити овде ће ми ме
        те имам био била где добро кад већ знам јеси нешто све хоћу из који зашто треба можеш јер ко или било смо
        сте шта""",
    "mk": """и во не дека на да се е јас ти тој тоа како со но за по од ме ми ли таа до ќе го сум си ни нема беше ако
        има уште само тука кога или што сè многу така зошто каде кој ги мене него нешто сега биде еден овој оваа
        сме сте""",
    "be": """і ў не што я на ён гэта як ты з а але мы так у жа вы за бы па ад мяне мне ды яго яна усё было то быць
        вось цябе калі мой яшчэ толькі для быў ёсць яны табе іх нас каб да або можа тут вельмі дзе хто трэба гэты
        сваё""",
    "ar": """في من على أن إلى لا ما هذا أنا هل مع هو كان عن هذه لم يا هي إن قد لقد ذلك كل بعد لن أنت كنت حتى شيء لكن
        كيف نحن بين لدي ليس هناك عندما يجب منذ الآن نعم أنه كما إذا التي الذي أو لك له به وهو ثم غير هنا إنه يمكن""",
    "fa": """و در به از که این را با است برای آن یک تا من می خود هم تو بر بود چه ما شما نیست شد هر او کرد اما اگر یا
        باید دارد هست همه چیزی چی کنم کنید بی دو خیلی آنها بله نه کن حالا ولی شده اینجا داره پس وقتی""",
    "ur": """کے کی میں ہے اور سے کا کو اس نے ہیں پر یہ کہ بھی ایک نہیں تو وہ کیا ہو جو تھا ہم کر لیے ان تھی گیا آپ تھے
        مجھے اپنے رہا کچھ ہوں جا وہاں یہاں کوئی ہوا بہت تم اب ساتھ بعد دیا لئے جب تک میرے""",
    "el": """και να το δεν είναι με την για του που θα τι σε στο η ο τον της από μου τα μας τους σου εδώ ναι όχι αυτό
        μια ένα στην πως αν οι τη έχω ήταν πολύ μπορώ πρέπει εγώ εσύ αλλά γιατί όταν έχει κάτι εκεί τώρα καλά μην ποιος
        όπως στον τίποτα ας αυτή μόνο πού ξέρω""",
    "he": """את לא של אני זה על מה הוא לי עם היא כל לך יש אתה אם טוב כן גם או אבל רק כי אנחנו הם היה כמו אין זאת שלי איך
        למה עוד יותר בסדר הזה כאן לו שלך כדי שם אותו אותי להיות איפה מי עכשיו צריך תודה רוצה יודע אז פה""",
    "th": """ที่ ไม่ เป็น ฉัน คุณ ไป มา ได้ และ จะ ว่า ใน มี ให้ นี่ เรา เขา ของ นี้ ก็ กับ แล้ว ผม อะไร อยู่ ต้อง รู้ ทำ คน แต่ เธอ พวก
        นั่น ครับ ค่ะ กัน จาก ด้วย ถ้า อย่า หรือ ขอ ดี มัน หน่อย คิด ตอน เพราะ ยัง เลย""",
}
