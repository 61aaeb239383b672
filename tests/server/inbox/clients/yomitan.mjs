// Asks an inbox as Yomitan does, by Yomitan's own class: node yomitan.mjs INBOX DIRECTORY_OF_YOMITAN
import {pathToFileURL} from 'node:url';

const [address, directory] = process.argv.slice(2);
const {AnkiConnect} = await import(pathToFileURL(`${directory}/ext/js/comm/anki-connect.js`));
const anki = new AnkiConnect();
anki.server = address;
anki.enabled = true;

const options = {allowDuplicate: true, duplicateScope: 'collection', duplicateScopeOptions: {deckName: null, checkChildren: false, checkAllModels: false}};
const fields = {Expression: '食べる', ExpressionReading: 'たべる', Sentence: '昨日ラーメンを<b>食べた</b>。', MainDefinition: '<ol><li>to eat</li></ol>'};
const note = {deckName: 'Lode::Japanese', modelName: 'Lode', fields, tags: ['yomitan'], options};
const first = (word) => ({...note, fields: {Expression: word}, options: {...options, allowDuplicate: false}});

const said = {};
said.connected = await anki.isConnected();
said.version = await anki.getVersion();
said.decks = await anki.getDeckNames();
said.models = await anki.getModelNames();
said.fields = await anki.getModelFieldNames('Lode');
said.before = (await anki.canAddNotesWithErrorDetail([first('食べる'), first('飲む')])).map((each) => each.canAdd);
said.stored = await anki.storeMediaFile('yomitan_audio_食べる.mp3', Buffer.from('ID3xxx').toString('base64'));
said.id = await anki.addNote(note);
said.after = (await anki.canAddNotesWithErrorDetail([first('食べる'), first('飲む')])).map((each) => each.canAdd);
said.found = await anki.findNoteIds([first('食べる'), first('飲む')]);
said.info = (await anki.notesInfo([said.id, 12])).map((each) => each && [each.noteId, each.tags, each.modelName]);
said.cards = (await anki.cardsInfo([said.id])).map((each) => each.cardId);
said.updated = await anki.updateNoteFields({id: said.id, fields: {...fields, Translation: 'Yesterday I ate ramen.'}, deckName: 'Lode', modelName: 'Lode', tags: []});
said.cardsOfNote = await anki.findCardsForNote(said.id);
said.suspended = await anki.suspendCards([said.id]);
said.synced = await anki.makeAnkiSync();
said.browsed = await anki.guiBrowseNote(said.id);
console.log(JSON.stringify(said));
