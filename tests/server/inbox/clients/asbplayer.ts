// Asks an inbox as asbplayer does, by asbplayer's own class, which esbuild puts in; what else it imports is stubs.ts.
import { Anki } from 'asbplayer/common/anki/anki';

const [address] = process.argv.slice(2);
const media = (name: string, extension: string, bytes: Buffer): any => ({
    name,
    extension,
    base64: async () => bytes.toString('base64'),
    error: undefined,
});
const settings: any = {
    ankiConnectUrl: address,
    deck: 'Lode::German',
    noteType: 'Lode',
    sentenceField: 'Sentence',
    definitionField: 'MainDefinition',
    wordField: 'Expression',
    audioField: 'SentenceAudio',
    imageField: 'Picture',
    sourceField: 'MiscInfo',
    urlField: 'SourceURL',
    customAnkiFields: {},
    tags: ['asbplayer'],
};
const anki: any = new (Anki as any)(settings);
const card = (text: string, mode: string): any => ({
    text,
    audioClip: media('Der Zug.mp3', 'mp3', Buffer.from('ID3' + 'a'.repeat(2000))),
    image: media('Der Zug.jpeg', 'jpeg', Buffer.from([0xff, 0xd8, 0xff, 1, 2, 3])),
    source: 'Reise.de.srt (00h05m12.3s)',
    customFieldValues: {},
    tags: ['asbplayer'],
    mode,
});

(async () => {
    const said: any = {};
    console.info = () => {};
    said.permission = (await anki.requestPermission()).permission;
    said.deck = typeof (await anki.createDeck('Lode::German'));
    said.fields = await anki.modelFieldNames('Lode');
    said.added = await anki.export(card('Der letzte Zug\nfährt nicht mehr ab.', 'default'));
    said.gui = await anki.export(card('Es regnet.', 'gui'));
    const fields = { Expression: 'Bahnhof', Sentence: 'Wir sind am <b>Bahnhof</b>.', MainDefinition: 'station' };
    const note = { deckName: 'Lode::German', modelName: 'Lode', fields, tags: ['yomitan'], options: { allowDuplicate: true } };
    const body = JSON.stringify({ action: 'addNote', version: 2, params: { note } });
    said.yomitan = await (await fetch(address, { method: 'POST', body })).json();
    said.updated = await anki.export(card('Wir sind am Bahnhof.', 'updateLast'));
    said.found = await anki.findNotesWithWord('Bahnhof');
    said.containing = await anki.findCardsContainingWord('hnho', ['Expression']);
    said.cards = (await anki.cardsInfo(await anki.findCards('added:1'))).length;
    const [info] = await anki.notesInfo(said.found);
    said.tags = info.tags;
    said.sentence = info.fields.Sentence.value;
    console.log(JSON.stringify(said));
})();
