import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { providerDocuments } from '../../../adapters/import/provider-documents.js';
import { sample } from './providers.js';
import { left, right } from './support.js';

/** The part of a document that is passed on as the bytes of JSON. */
const halfIn = (bytes: Uint8Array | null): unknown => JSON.parse(Buffer.from(bytes ?? []).toString());

const documentOf = (...blocks: ReadonlyArray<Uint8Array>) => ({
  blocks,
  length: blocks.reduce((sum, { length }) => sum + length, 0),
});

const anyFormat = { format: null, recordings: [], provider_supplied: null, fps: null };

describe('provider documents', () => {
  const documents = providerDocuments();
  after(() => documents.close());
  const reading = (...blocks: ReadonlyArray<Uint8Array>) => documents.read(documentOf(...blocks), anyFormat)();

  it('reads in another process, from blocks of which the last is only partly used', async () => {
    const bytes = await readFile(sample('azure-video-indexer.json'));
    const [first, second] = [bytes.subarray(0, 1_000), Buffer.concat([bytes.subarray(1_000), Buffer.alloc(500)])];
    const document = { blocks: [first, second], length: bytes.length };
    const { video, audio, understood } = right(await documents.read(document, anyFormat)());
    expect(halfIn(video)).to.have.nested.property('faces.length', 2);
    expect(halfIn(audio)).to.have.nested.property('transcript.length', 5);
    expect(understood).to.have.property('format', 'azure_video_indexer');
  });

  it('does not change the bytes', async () => {
    const bytes = await readFile(sample('speakers.srt'));
    const before = Buffer.from(bytes);
    const { audio } = right(await reading(bytes));
    expect(halfIn(audio)).to.have.property('provider_supplied', true);
    expect(bytes.equals(before)).to.equal(true);
  });

  it('reads several at once, including an empty one', async () => {
    const subtitles = await readFile(sample('speakers.srt'));
    const all = await Promise.all([reading(subtitles), reading(new Uint8Array()), reading(subtitles)]);
    expect(all.map(({ _tag }) => _tag)).to.deep.equal(['Right', 'Left', 'Right']);
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
    const closing = providerDocuments();
    const broken = closing.read(documentOf(Buffer.from('{}')), anyFormat)();
    await closing.close();
    expect(left(await broken)).to.have.property('_tag', 'DocumentReaderFailed');
  });
});
