import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { providerDocuments } from '../../../adapters/import/provider-documents.js';
import { startThreads } from '../../../adapters/runtime/threads.js';
import { left, right, sample } from './support.js';

/** The part of a document that is passed on as the bytes of JSON. */
const halfIn = (bytes: Uint8Array | null): unknown => JSON.parse(Buffer.from(bytes ?? []).toString());

const anyFormat = { format: null, recordings: [], provider_supplied: null, fps: null };

describe('provider documents', () => {
  const threads = startThreads();
  const documents = providerDocuments(threads);
  after(threads.close);
  const reading = (...blocks: ReadonlyArray<Uint8Array>) => documents.read(Buffer.concat(blocks), anyFormat)();

  describe('reads several files as one document', () => {
    const turns = 'SPEAKER a 1 0 4 <NA> <NA> anna <NA> <NA>\nSPEAKER a 1 4 4 <NA> <NA> bob <NA> <NA>\n';
    const words = 'WEBVTT\n\n00:00:00.500 --> 00:00:03.500\nGood evening.\n\n00:00:05.000 --> 00:00:07.000\nHello.\n';
    const readAll = (...files: ReadonlyArray<readonly [name: string, text: string]>) =>
      reading(Buffer.from(JSON.stringify({ files: files.map(([name, text]) => ({ name, text })) })));

    it('joins turns with a transcript, and leaves out what is in no supported format', async () => {
      const read = right(await readAll(['turns.rttm', turns], ['words.vtt', words], ['LICENCE', 'free for all']));
      expect(read.video).to.equal(null);
      const audio = halfIn(read.audio);
      expect(audio).to.have.property('speakers').with.lengthOf(2);
      expect(audio).to.have.property('segments').with.lengthOf(2);
      expect(audio)
        .to.have.property('transcript')
        .that.deep.equals([
          { speaker_id: 0, start: 0.5, end: 3.5, text: 'Good evening.' },
          { speaker_id: 1, start: 5, end: 7, text: 'Hello.' },
        ]);
      expect(audio).to.have.property('provider_supplied', true);
      expect(read.understood).to.deep.include({ format: 'files', skipped: ['LICENCE'], words: 3 });
      expect(read.understood).to.have.nested.property('joined.turns', 'turns.rttm');
      expect(read.understood).to.have.nested.property('files[1].file', 'words.vtt');
    });

    it('refuses all of them for a fault in one, with its name and place', async () => {
      expect(left(await readAll(['turns.rttm', turns], ['bad.vtt', 'WEBVTT\n\n00:00:01.000 --> 00:00:0']))).to.include({
        path: 'bad.vtt, line 3',
      });
    });
  });

  it('survives a document that exhausts the memory, and one with extreme nesting', async () => {
    const objects = left(await reading(Buffer.from('['), Buffer.alloc(30_000_000, '{},'), Buffer.from('{}]')));
    expect(objects).to.have.property('_tag', 'UnreadableDocument');
    expect(objects).to.have.property('message').that.includes('more memory or time');
    const deep = left(await reading(Buffer.alloc(300_000, '['), Buffer.alloc(300_000, ']')));
    expect(deep).to.have.property('message', 'the document is nested deeper than 200 levels');
    const long = left(await reading(Buffer.from('["'), Buffer.alloc(40_000_000, 'x'), Buffer.from('"]')));
    expect(long).to.have.property('message', 'a line of the file is longer than 32 MiB');
    right(await reading(await readFile(sample('speakers.srt'))));
  });

  it('distinguishes a fault of the document from a failure of the reader', async () => {
    const fault = left(await reading(Buffer.from('WEBVTT\n\n00:00:01.000 --> 00:00:0')));
    expect(fault).to.deep.include({ _tag: 'UnreadableDocument', path: 'line 3' });
    const closing = startThreads();
    const broken = providerDocuments(closing).read(Buffer.from('{}'), anyFormat)();
    await closing.close();
    expect(left(await broken)).to.have.property('_tag', 'DocumentReaderFailed');
  });
});
