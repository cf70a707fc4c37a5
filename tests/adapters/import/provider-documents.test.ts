import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { providerDocuments } from '../../../adapters/import/provider-documents.js';
import { sample } from './providers.js';
import { left, right } from './support.js';

/** The half of a document that is handed on as JSON in bytes. */
const halfIn = (bytes: Uint8Array | null): unknown => JSON.parse(Buffer.from(bytes ?? []).toString());

const anyFormat = { format: null, recordings: [], provider_supplied: null };

describe('the reader of documents that are sent to the service', () => {
  const documents = providerDocuments();
  after(() => documents.close());

  it('reads in another thread, to which the bytes go', async () => {
    const bytes = new Uint8Array(await readFile(sample('azure-video-indexer.json')));
    const { video, audio, understood } = right(await documents.read(bytes, anyFormat)());
    expect(halfIn(video)).to.have.nested.property('faces.length', 2);
    expect(halfIn(audio)).to.have.nested.property('transcript.length', 5);
    expect(understood).to.have.property('format', 'azure_video_indexer');
    expect(bytes.byteLength).to.equal(0);
  });

  it('leaves bytes alone that share their memory with others', async () => {
    const whole = new Uint8Array([...Buffer.from('x'), ...(await readFile(sample('speakers.srt')))]);
    const { audio } = right(await documents.read(whole.subarray(1), anyFormat)());
    expect(halfIn(audio)).to.have.property('provider_supplied', true);
    expect(whole[0]).to.equal('x'.codePointAt(0));
  });

  it('tells what is wrong with a document, and when it is itself at fault', async () => {
    const broken = Buffer.from('WEBVTT\n\n00:00:01.000 --> 00:00:0');
    const fault = left(await documents.read(broken, anyFormat)());
    expect(fault).to.deep.include({ _tag: 'UnreadableDocument', path: 'line 3' });
    const closing = providerDocuments();
    const reading = closing.read(Buffer.from('{}'), anyFormat)();
    await closing.close();
    const failed = left(await reading);
    expect(failed).to.have.property('_tag', 'DocumentReaderFailed');
  });
});
