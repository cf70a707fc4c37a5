import { expect } from 'chai';
import { faultOf, readText, textOf } from './providers.js';

/** The sample as Google's Python clients write it. */
const snakeCased = async (name: string): Promise<string> =>
  (await textOf(name)).replaceAll(/"([a-z]+(?:[A-Z][a-z]+)+)":/g, (_, key: string) => {
    return `"${key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}":`;
  });

describe('Google formats', () => {
  for (const name of ['google-video-faces.json', 'google-speech-v2.json', 'google-speech.json'])
    it(`accepts the naming of the Python clients: ${name}`, async () => {
      const snake = await snakeCased(name);
      expect(snake).not.to.equal(await textOf(name));
      expect(await readText(snake)).to.deep.equal(await readText(await textOf(name)));
    });

  it('reports errors in the naming of the document', async () => {
    const faces = (await snakeCased('google-video-faces.json')).replace('"11.04s"', '"-11.04s"');
    expect(await faultOf(faces)).to.match(
      /^response\.annotation_results\[0\]\.face_detection_annotations\[0\]\.tracks\[1\]\.segment\.start_time_offset: /,
    );
  });

  it('refuses words without times, and the error of a video', async () => {
    const words = [{ word: 'Good' }, { word: 'morning' }];
    expect(await faultOf(JSON.stringify({ results: [{ alternatives: [{ words }] }] }))).to.equal(
      'results: the words have no times; request word time offsets from Google',
    );
    const refused = { annotationResults: [{ error: { code: 3, message: 'no such video' } }] };
    expect(await faultOf(JSON.stringify(refused))).to.equal(
      'annotationResults[0].error: Google refused the video: no such video',
    );
  });

  it('refuses annotations without tracks', async () => {
    const empty = JSON.stringify({ annotationResults: [{ faceDetectionAnnotations: [{}] }] });
    expect(await faultOf(empty)).to.equal('the document has no faces');
  });

  it('reads the inline result of a batch with one recording', async () => {
    const whole = await textOf('google-speech-v2.json');
    const transcript: unknown = JSON.parse(whole);
    const batch = (...uris: ReadonlyArray<string>): string =>
      JSON.stringify({
        response: { results: Object.fromEntries(uris.map((uri) => [uri, { inlineResult: { transcript } }])) },
      });
    const read = await readText(batch('gs://bucket/budget.wav'));
    expect(read.format).to.equal('google_speech');
    const utterances = ({ imported }: typeof read) => imported.speech?.transcript?.utterances;
    expect(utterances(read)).to.deep.equal(utterances(await readText(whole)));
    expect(await faultOf(batch('gs://a', 'gs://b'))).to.equal(
      'response.results: 2 recordings; only one can be imported at a time',
    );
    const stored = { results: { 'gs://a': { cloudStorageResult: { uri: 'gs://b/a.json' } } } };
    expect(await faultOf(JSON.stringify(stored))).to.equal(
      'results.gs://a: has no inline transcript: the transcript is in cloud storage',
    );
  });

  it('keeps words without speakers of API v2', async () => {
    const text = (await textOf('google-speech-v2.json')).replaceAll('"speakerLabel": "2"', '"speakerLabel": ""');
    const { speech } = (await readText(text)).imported;
    expect(speech?.transcript?.words).to.equal(26);
    expect(speech?.speakers.map(({ synthetic }) => synthetic)).to.deep.equal([false, true]);
  });
});
