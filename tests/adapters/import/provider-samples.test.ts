import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { countsOf, readText, sample, textOf } from './providers.js';

/** Each sample: its format, and the expected content. */
const samples: Readonly<Record<string, readonly [format: string, counts: string]>> = {
  'amazon-call-analytics.json': ['amazon_call_analytics', 'speakers 2, named 0, turns 5, utterances 5, words 26'],
  'amazon-data-automation.json': ['amazon_data_automation', 'speakers 2, named 0, turns 51, utterances 51, words 737'],
  'amazon-rekognition-faces.json': ['amazon_rekognition_faces', 'faces 3, named 0, tracks 3'],
  'amazon-rekognition-search.json': ['amazon_rekognition_search', 'faces 2, named 1, tracks 2'],
  'amazon-transcribe.json': ['amazon_transcribe', 'speakers 2, named 0, turns 31, utterances 15, words 725'],
  'assemblyai.json': ['assemblyai', 'speakers 2, named 0, turns 5, utterances 5, words 26'],
  'azure-video-indexer.json': [
    'azure_video_indexer',
    'faces 2, named 1, tracks 3, speakers 2, named 1, turns 5, utterances 5, words 26',
  ],
  'bbc-kaldi.json': ['bbc_kaldi', 'speakers 5, named 0, turns 77'],
  'deepgram.json': ['deepgram', 'speakers 2, named 0, turns 5, utterances 5, words 26'],
  'google-speech-v2.json': ['google_speech', 'speakers 2, named 0, turns 5, utterances 5, words 26'],
  'google-speech.json': ['google_speech', 'speakers 2, named 0, turns 50, utterances 50, words 1766'],
  'google-video-faces.json': ['google_video_faces', 'faces 2, named 0, tracks 3'],
  'pyannote-annotation.json': ['pyannote_json', 'speakers 2, named 0, turns 5'],
  'pyannote-identification.json': ['pyannote_json', 'speakers 2, named 1, turns 5'],
  'pyannote-job.json': ['pyannote_json', 'speakers 2, named 0, turns 5, utterances 5, words 26'],
  'pyannote-turns.json': ['pyannote_json', 'speakers 2, named 0, turns 5'],
  'rev.json': ['rev', 'speakers 1, named 0, turns 1, utterances 1, words 415'],
  'speakers.srt': ['srt', 'speakers 2, named 2, turns 6, utterances 6, words 29'],
  'speechmatics-two-speakers.json': ['speechmatics', 'speakers 2, named 0, turns 3, utterances 3, words 4'],
  'speechmatics-v1.json': ['speechmatics', 'speakers 3, named 0, turns 11, utterances 43, words 1791'],
  'speechmatics.json': ['speechmatics', 'speakers 1, named 0, turns 5, utterances 5, words 17'],
  'voices.vtt': ['webvtt', 'speakers 3, named 2, turns 6, utterances 6, words 29'],
  'whisperx.json': ['whisperx', 'speakers 2, named 0, turns 5, utterances 5, words 26'],
  'zoom.vtt': ['zoom_vtt', 'speakers 3, named 2, turns 6, utterances 6, words 31'],
};

const sentences = [
  '0.5-2.9 Good morning, I am Ada Quill.',
  '3.2-5.6 Morning Ada, Ben Ortega speaking.',
  '6-8.4 Shall we begin with the budget?',
  '8.8-10.4 Yes, page 12 please.',
  '12-14.2 It grew by a tenth.',
];

describe('provider samples', () => {
  for (const [name, [format, counts]] of Object.entries(samples))
    it(`are read: ${name}`, async () => {
      const read = await readText(await textOf(name));
      expect(read.format).to.equal(format);
      expect(countsOf(read)).to.equal(counts);
    });

  it('are all in the table', async () => {
    const files = await readdir(sample('.'));
    expect(files.filter((name) => !/^LICENCE|^README/.test(name)).sort()).to.deep.equal(Object.keys(samples).sort());
  });

  it('give the same talk in every format', async () => {
    const talks = Object.entries(samples).filter(([, [, counts]]) => counts.endsWith('words 26'));
    expect(talks).to.have.length(7);
    const spoken = await Promise.all(
      talks.map(async ([name]) => {
        const { speech } = (await readText(await textOf(name))).imported;
        return speech?.transcript?.utterances.map(({ start, end, text }) => `${start}-${end} ${text}`);
      }),
    );
    for (const utterances of spoken) expect(utterances).to.deep.equal(sentences);
  });

  it('give names from voices, prefixes, matches and users, never from labels', async () => {
    const names = async (name: string): Promise<ReadonlyArray<string | null>> => {
      const { faces, speech } = (await readText(await textOf(name))).imported;
      return [...(faces?.faces ?? []), ...(speech?.speakers ?? [])].map((person) => person.name);
    };
    expect(await names('voices.vtt')).to.deep.equal(['Ada Quill', 'Ben Ortega', null]);
    expect(await names('speakers.srt')).to.deep.equal(['ADA QUILL', 'BEN ORTEGA']);
    expect(await names('amazon-rekognition-search.json')).to.deep.equal(['Ada Quill', null]);
    expect(await names('azure-video-indexer.json')).to.deep.equal(['Ada Quill', null, 'Ada Quill', null]);
    expect(await names('pyannote-identification.json')).to.deep.equal(['Ada Quill', null]);
    expect(await names('amazon-call-analytics.json')).to.deep.equal([null, null]);
  });

  it('give the roles of a call, and a synthetic speaker for unassigned speech', async () => {
    const call = (await readText(await textOf('amazon-call-analytics.json'))).imported.speech;
    expect(call?.speakers.map(({ role }) => role)).to.deep.equal(['agent', 'customer']);
    const voices = (await readText(await textOf('voices.vtt'))).imported.speech;
    expect(voices?.speakers.map(({ synthetic }) => synthetic)).to.deep.equal([false, false, true]);
    expect(voices?.summary.notes).to.deep.equal([
      { count: 1, what: 'word or utterance without a speaker: assigned to a synthetic speaker' },
    ]);
  });

  it('join boxes of one face into visible intervals', async () => {
    const { faces } = (await readText(await textOf('amazon-rekognition-faces.json'))).imported;
    expect(faces?.faces.map(({ tracks }) => tracks)).to.deep.equal([
      [{ start: 0, end: 6 }],
      [{ start: 0, end: 2 }],
      [{ start: 4, end: 6 }],
    ]);
  });

  it('report what was left out', async () => {
    const google = (await readText(await textOf('google-speech.json'))).imported.speech;
    expect(google?.summary.dropped).to.deep.equal([{ count: 1764, what: 'word without a speaker, repeated with one' }]);
    const amazon = (await readText(await textOf('amazon-transcribe.json'))).imported.speech;
    expect(amazon?.summary.dropped).to.deep.equal([{ count: 8, what: 'segment without a speaker label' }]);
  });
});
